//! Inputs of a test in words: what arguments and objects are, and how they relate to one another.

use bytecode::descriptor::PrimitiveType;
use bytecode::signature::GenericType;
use testcase::cluster::folder::{Act, FolderCall, Form};
use testcase::cluster::{Callable, CallableKind, Parameter, TypeId};
use testcase::statement::{Answer, Statement, VarRef};
use testcase::value::Value;

use super::describer::Describer;
use super::value_words::{exact_word, is_special, value_word};
use super::variables::{parameter_name, type_word};
use super::words::{behind_verb, capitalized, humps, number, plain, plural};
use crate::asserted_test::AssertedTest;
use crate::junit::layout::simple_name;

/// Most elements that the words of an array tell.
pub(super) const MOST_ELEMENTS: usize = 2;
/// Most of what made an object that its words tell.
const MOST_ORIGINS: usize = 2;
/// Most types that tell an overload from others.
const MOST_TYPES: usize = 2;
/// How deep the words of an object look into what made it.
const DEPTH: usize = 2;

/// What a call makes in the folder of a test: `MissingFile`, `DirectoryPath`. Methods are overloaded for files and paths.
fn file_word(call: FolderCall) -> String {
    let word = match call.act {
        Act::Folder => "Folder",
        Act::File => "MissingFile",
        Act::Written | Act::Write | Act::Put => "File",
        Act::Made => "Directory",
    };
    match call.form {
        Form::File | Form::Name => word.to_owned(),
        Form::Path => format!("{word}Path"),
    }
}

impl Describer<'_> {
    /// An argument in a word or two.
    pub(super) fn value(
        &self,
        test: &AssertedTest,
        variable: VarRef,
        parameter: Option<&Parameter>,
    ) -> Option<String> {
        let word = match test.test.statement(variable) {
            Statement::Null { .. } => "Null".to_owned(),
            Statement::Primitive { value, .. } => return value_word(value),
            Statement::EnumConstant { field } | Statement::FieldRead { field, .. } => {
                plain(&humps(&self.cluster.field(*field).name))
            }
            Statement::ClassLiteral { class, .. } => format!("{}Class", self.type_noun(*class)),
            Statement::Array { length, .. } => match number(u64::from(*length)) {
                None => "LongArray".to_owned(),
                Some(_) if *length == 0 => "EmptyArray".to_owned(),
                Some(_) if *length == 1 => "OneElement".to_owned(),
                Some(count) => format!("{count}Elements"),
            },
            Statement::Stub { script, .. } => {
                let of = test.test.variable_type(self.cluster, variable)?;
                let throws = script.answers.iter().flatten().any(|answer| matches!(answer, Answer::Throw(_)));
                format!("{}{}", if throws { "Throwing" } else { "Custom" }, self.type_noun(of))
            }
            Statement::Constructor { .. } => self.constructed(test, variable, parameter)?,
            Statement::Method { .. } => self.maker(test, variable)?,
            Statement::FieldWrite { .. } | Statement::ArrayWrite { .. } => return None,
        };
        (!word.is_empty()).then_some(word)
    }

    /// More of an argument than [`Describer::value`] says.
    pub(super) fn exact_value(&self, test: &AssertedTest, variable: VarRef) -> Option<String> {
        match test.test.statement(variable) {
            Statement::Primitive { value: Value::String(_), boxed: true } => Some("NewString".to_owned()),
            Statement::Primitive { value, .. } => exact_word(value),
            Statement::Array { .. } => {
                let written = test.test.statements().iter().filter_map(|statement| {
                    let Statement::ArrayWrite { array, value, .. } = statement else { return None };
                    (*array == variable).then_some(*value)
                });
                let words: Vec<String> = written
                    .filter_map(|element| {
                        self.value(test, element, None).or_else(|| self.exact_value(test, element))
                    })
                    .take(MOST_ELEMENTS)
                    .collect();
                let is_unset = words.is_empty();
                Some(if is_unset {
                    "UnsetElements".to_owned()
                } else {
                    format!("ArrayOf{}", words.join("And"))
                })
            }
            Statement::Stub { script, .. } => {
                let of = self.type_noun(test.test.variable_type(self.cluster, variable)?);
                let answer = script.answers.iter().flatten().next()?;
                match answer {
                    Answer::Value(given) => {
                        self.value(test, *given, None).map(|word| format!("{of}Giving{word}"))
                    }
                    Answer::Throw(_)
                    | Answer::CallBack(..)
                    | Answer::Parameter(_)
                    | Answer::Itself
                    | Answer::Return => None,
                }
            }
            Statement::Constructor { .. } | Statement::Method { .. } => self.origin(test, variable),
            Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. } => None,
        }
    }

    /// An object of the project with the last that was done to it, or to what it was made of: `InfoWithTitle`, `OrderAfterCancel`.
    pub(super) fn prepared(
        &self,
        test: &AssertedTest,
        variable: VarRef,
        parameter: Option<&Parameter>,
    ) -> Option<String> {
        let of = test.test.variable_type(self.cluster, variable)?;
        let (name, is_told) = self.last_change(test, variable, DEPTH)?;
        let property = behind_verb(name, &["set", "with", "add", "put"]);
        let word = plain(&capitalized(property.unwrap_or(name)));
        let link = if property.is_some() || is_told { "With" } else { "After" };
        let noun = self.value(test, variable, parameter).unwrap_or_else(|| self.type_noun(of));
        (!word.is_empty()).then(|| format!("{noun}{link}{word}"))
    }

    /// The name of the last call or write that changed an object of the project, and whether it was given something; where there is none, of
    /// what changed the object that it was asked for or made of.
    fn last_change(&self, test: &AssertedTest, variable: VarRef, depth: usize) -> Option<(&str, bool)> {
        let of = test.test.variable_type(self.cluster, variable)?;
        let class = self.cluster.ty(of).generic.as_class()?;
        if class.name.is_exported_by_platform() {
            return None;
        }
        // A call that returns something else asks the object, and does not change it.
        let change = |statement: &Statement| {
            if let Statement::Method { callable, arguments, .. } = statement {
                let callable = self.cluster.callable(*callable);
                let is_change = callable.result.is_none_or(|result| result == of);
                return is_change.then_some((&*callable.name, !arguments.is_empty()));
            }
            let Statement::FieldWrite { field, .. } = statement else { return None };
            Some((&*self.cluster.field(*field).name, true))
        };
        let mut done =
            test.test.statements().iter().rev().filter(|statement| statement.receiver() == Some(variable));
        if let Some(done) = done.find_map(change) {
            return Some(done);
        }
        let maker = test.test.statement(variable);
        if let Some(receiver) = maker.receiver()
            && test.test.variable_type(self.cluster, receiver) == Some(of)
        {
            // The last of a chain of fluent calls.
            return change(maker);
        }
        let made_of = || maker.used().into_iter().find_map(|used| self.last_change(test, used, depth - 1));
        if depth > 0 { made_of() } else { None }
    }

    /// The type of an argument where it is not that of the parameter.
    pub(super) fn argument_type(
        &self,
        test: &AssertedTest,
        variable: VarRef,
        parameter: Option<&Parameter>,
    ) -> Option<String> {
        let of = test.test.variable_type(self.cluster, variable)?;
        parameter.is_some_and(|parameter| parameter.of != of).then(|| self.parameter_noun(of))
    }

    /// Whether an argument is one that a reader wants to be told of.
    pub(super) fn is_special(&self, test: &AssertedTest, variable: VarRef) -> bool {
        match test.test.statement(variable) {
            Statement::Null { .. } | Statement::Array { length: 0, .. } => true,
            Statement::Primitive { value, .. } => is_special(value),
            Statement::Constructor { .. } => {
                self.value(test, variable, None).is_some_and(|word| word.starts_with("Empty"))
            }
            Statement::Array { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => false,
        }
    }

    /// An object that a constructor made: `EmptyArrayList`, `FilledArrayList`, or its class where that is not the one of the
    /// parameter.
    fn constructed(
        &self,
        test: &AssertedTest,
        variable: VarRef,
        parameter: Option<&Parameter>,
    ) -> Option<String> {
        let of = test.test.variable_type(self.cluster, variable)?;
        let noun = self.type_noun(of);
        let class = self.cluster.ty(of).generic.as_class()?;
        let is_container = testcase::assertion::SIZED
            .iter()
            .any(|sized| self.view.hierarchy.is_subclass(&class.name, &(*sized).into()));
        let Statement::Constructor { arguments, .. } = test.test.statement(variable) else { return None };
        if is_container && arguments.is_empty() {
            let is_called_on = test.test.statements().iter().any(|statement| {
                matches!(statement, Statement::Method { receiver: Some(on), .. } if *on == variable)
            });
            return Some(format!("{}{noun}", if is_called_on { "Filled" } else { "Empty" }));
        }
        if parameter.is_some_and(|parameter| parameter.of != of) {
            return Some(noun);
        }
        self.origin(test, variable)
    }

    /// The method that gave an object: `CSVInstance`, `AtLeast`.
    pub(super) fn maker(&self, test: &AssertedTest, variable: VarRef) -> Option<String> {
        match test.test.statement(variable) {
            Statement::Method { callable, .. } => {
                let callable = self.cluster.callable(*callable);
                if let Some(call) = FolderCall::of(callable) {
                    return Some(file_word(call));
                }
                let name = &*callable.name;
                let stem = behind_verb(name, &["get", "new", "create"]).unwrap_or(name);
                match callable.result {
                    // `Session.getInstance(properties)` says what it is by its type alone.
                    Some(of) if stem == "Instance" => Some(self.type_noun(of)),
                    Some(_) | None => Some(plain(&capitalized(stem))),
                }
            }
            Statement::EnumConstant { field } | Statement::FieldRead { field, .. } => {
                Some(plain(&humps(&self.cluster.field(*field).name)))
            }
            Statement::Null { .. } => Some("Null".to_owned()),
            Statement::Stub { .. } => {
                let of = test.test.variable_type(self.cluster, variable)?;
                Some(format!("Custom{}", self.type_noun(of)))
            }
            Statement::Constructor { .. }
            | Statement::Primitive { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Array { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. } => None,
        }
    }

    /// What an object was made from: the first of the arguments of what made it that has a word.
    pub(super) fn origin(&self, test: &AssertedTest, variable: VarRef) -> Option<String> {
        self.origin_within(test, variable, DEPTH)
    }

    fn origin_within(&self, test: &AssertedTest, variable: VarRef, depth: usize) -> Option<String> {
        let (callable, receiver, arguments) = match test.test.statement(variable) {
            Statement::Constructor { callable, arguments } => (callable, None, arguments),
            Statement::Method { callable, receiver, arguments } => (callable, *receiver, arguments),
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Array { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => return None,
        };
        let callable = self.cluster.callable(*callable);
        let maker = if callable.kind == CallableKind::Constructor {
            String::new()
        } else {
            self.maker(test, variable).unwrap_or_default()
        };
        if depth == 0 {
            return None;
        }
        // A text whose bytes are taken says more than how they are.
        let text = receiver.and_then(|receiver| {
            let Statement::Primitive { value, .. } = test.test.statement(receiver) else { return None };
            value_word(value).or_else(|| exact_word(value))
        });
        if let Some(text) = text {
            return Some(format!("{maker}{text}"));
        }
        let is_of_text = |variable: VarRef| {
            let Statement::Method { receiver: Some(text), .. } = test.test.statement(variable) else {
                return false;
            };
            matches!(test.test.statement(*text), Statement::Primitive { .. })
        };
        let told = arguments.iter().zip(&callable.parameters).filter_map(|(&argument, parameter)| {
            let is_new = matches!(test.test.statement(argument), Statement::Constructor { .. });
            let word = if is_new || depth > 1 && is_of_text(argument) {
                self.origin_within(test, argument, depth - 1)
            } else {
                self.value(test, argument, Some(parameter))
            };
            word.filter(|word| !word.is_empty())
        });
        let told: Vec<String> = told.take(MOST_ORIGINS).collect();
        if let (true, Some(receiver)) = (told.is_empty(), receiver) {
            // `create(UNSEEN).build()`
            return self.origin_within(test, receiver, depth - 1);
        }
        (!told.is_empty()).then(|| format!("{maker}{}", told.join("And")))
    }

    /// Which overload is called, in the types that no other has in their place: `IntArrays`, `StringAndInt`. Nothing where there
    /// is only one of its name.
    pub(super) fn overload(&self, callable: &Callable, parameters: &[Parameter]) -> Option<String> {
        let siblings: Vec<&Callable> = self
            .cluster
            .callables
            .iter()
            .filter(|other| {
                other.name == callable.name
                    && other.declared_in == callable.declared_in
                    && other.descriptor != callable.descriptor
            })
            .collect();
        if siblings.is_empty() || parameters.is_empty() {
            return None;
        }
        let skipped = callable.parameters.len() - parameters.len();
        let nouns: Vec<String> = parameters
            .iter()
            .enumerate()
            .filter(|(index, parameter)| {
                let other =
                    |sibling: &&Callable| sibling.parameters.get(index + skipped).map(|other| other.of);
                siblings.iter().any(|sibling| other(sibling) != Some(parameter.of))
            })
            .map(|(_, parameter)| self.parameter_noun(parameter.of))
            .collect();
        let (first, rest) = nouns.split_first()?;
        if rest.is_empty() {
            Some(first.clone())
        } else if rest.iter().all(|noun| noun == first) {
            Some(plural(first))
        } else if nouns.len() <= MOST_TYPES {
            Some(nouns.join("And"))
        } else {
            number(parameters.len() as u64).map(|count| format!("{count}Arguments"))
        }
    }

    /// A type as one says it of a parameter: `Int`, `IntArray`, `Integer`, `CharSequence`.
    fn parameter_noun(&self, of: TypeId) -> String {
        fn word(describer: &Describer<'_>, of: &GenericType) -> String {
            match of {
                GenericType::Primitive(primitive) => capitalized(primitive.keyword()),
                GenericType::Array(element) => format!("{}Array", word(describer, element)),
                GenericType::Class(class) => {
                    let simple = plain(&simple_name(describer.view.hierarchy, &class.name));
                    // What has the name of its primitive type but for the first letter is called boxed.
                    let unboxed = PrimitiveType::unboxed(&class.name);
                    let is_alike = unboxed.is_some_and(|of| capitalized(of.keyword()) == simple);
                    if is_alike { format!("Boxed{simple}") } else { simple }
                }
                GenericType::Variable(name) => plain(&capitalized(name)),
            }
        }
        word(self, &self.cluster.ty(of).generic)
    }

    pub(super) fn type_noun(&self, of: TypeId) -> String {
        plain(&capitalized(&type_word(self.view.hierarchy, &self.cluster.ty(of).generic)))
    }

    /// How the first two arguments of one type relate to each other.
    pub(super) fn relation(
        &self,
        test: &AssertedTest,
        parameters: &[Parameter],
        arguments: &[VarRef],
    ) -> Option<String> {
        let pairs =
            (0..arguments.len()).flat_map(|one| (one + 1..arguments.len()).map(move |other| (one, other)));
        let mut pairs = pairs.filter(|(one, other)| {
            matches!((parameters.get(*one), parameters.get(*other)), (Some(a), Some(b)) if a.of == b.of)
        });
        let (one, other) = pairs.next()?;
        let name = |index: usize| parameter_name(&parameters[index]).map(|name| plain(&capitalized(&name)));
        if arguments[one] == arguments[other] && !self.is_special(test, arguments[one]) {
            return Some(format!("Same{}", plural(&self.parameter_noun(parameters[one].of))));
        }
        let (Statement::Primitive { value: left, .. }, Statement::Primitive { value: right, .. }) =
            (test.test.statement(arguments[one]), test.test.statement(arguments[other]))
        else {
            return None;
        };
        if left == right {
            return Some(format!("Equal{}", plural(&self.parameter_noun(parameters[one].of))));
        }
        let (left, right) = (as_number(left)?, as_number(right)?);
        match (name(one), name(other)) {
            (Some(one), Some(other)) if left < right => Some(format!("{one}Below{other}")),
            (Some(one), Some(other)) if left > right => Some(format!("{one}Above{other}")),
            (None, _) | (_, None) if left < right => Some("FirstSmaller".to_owned()),
            (None, _) | (_, None) if left > right => Some("FirstLarger".to_owned()),
            _ => None,
        }
    }
}

/// A number as one that can be compared with others of its type.
fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(f64::from(*number)),
        Value::Double(number) => Some(*number),
        Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => {
            value.as_integer().map(|number| number as f64)
        }
        Value::Boolean(_) | Value::Char(_) | Value::String(_) => None,
    }
}
