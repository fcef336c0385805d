//! Names of variables: of inputs from the parameter that they are passed for, of objects from their type, of results
//! from the method that gave them.

use std::collections::BTreeSet;

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::identifier::{is_identifier, words};
use bytecode::signature::{GenericType, TypeArgument};
use testcase::cluster::folder::{FolderCall, Form};
use testcase::cluster::{Callable, Parameter, StubMethod, TestCluster, TypeId};
use testcase::statement::{Answer, Answers, Statement, VarRef};
use testcase::test_case::TestCase;

use super::words::{capitalized, decapitalized, humps, plural};
use crate::junit::layout::simple_name;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;

/// Verbs with which the name of a method begins when the rest names its result.
const TELLING: [&str; 24] = [
    "as",
    "build",
    "calculate",
    "compute",
    "copy",
    "create",
    "fetch",
    "find",
    "get",
    "has",
    "is",
    "load",
    "lookup",
    "make",
    "new",
    "next",
    "obtain",
    "parse",
    "peek",
    "poll",
    "read",
    "resolve",
    "take",
    "to",
];

/// Whole names of methods that name their result as well.
const NOUNS: [&str; 32] = [
    "capacity",
    "charAt",
    "clone",
    "copy",
    "count",
    "depth",
    "element",
    "first",
    "hashCode",
    "head",
    "height",
    "index",
    "indexOf",
    "iterator",
    "key",
    "last",
    "lastIndexOf",
    "length",
    "max",
    "min",
    "name",
    "next",
    "ordinal",
    "parent",
    "position",
    "root",
    "size",
    "sum",
    "tail",
    "type",
    "value",
    "width",
];

/// Names of one method's variables.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    reserved: &'a BTreeSet<String>,
    taken: BTreeSet<String>,
}

impl<'a> Scope<'a> {
    /// A scope in which the `reserved` names are not given.
    pub(crate) fn new(reserved: &'a BTreeSet<String>) -> Self {
        Self { reserved, taken: BTreeSet::new() }
    }

    /// The wished name, or the first of it with a number that is free.
    pub(crate) fn give(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut number = 2;
        while !is_identifier(&name) || self.reserved.contains(&name) || self.taken.contains(&name) {
            name = format!("{wish}{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }

    /// The first of the wished names, where another variable has it the next one that is free, else the first with a
    /// number.
    pub(crate) fn give_first(&mut self, wishes: &[String]) -> String {
        if let Some(first) = wishes.first().filter(|first| !self.taken.contains(*first)) {
            return self.give(first);
        }
        let is_free = |name: &&String| {
            is_identifier(name) && !self.reserved.contains(*name) && !self.taken.contains(*name)
        };
        match wishes.iter().find(is_free).or_else(|| wishes.first()) {
            Some(wish) => {
                let wish = wish.clone();
                self.give(&wish)
            }
            None => self.give("value"),
        }
    }

    /// Keeps a name from being given.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// A name as [`Scope::give`] would give it, that is also not among `others`; it may be given again.
    pub(crate) fn lend(&self, wish: &str, others: &[String]) -> String {
        let mut taken = self.taken.clone();
        taken.extend(others.iter().cloned());
        Self { reserved: self.reserved, taken }.give(wish)
    }
}

/// Names that suit a variable, best first: the second object of a type is called by what it is for.
pub(crate) fn wishes(
    cluster: &TestCluster,
    hierarchy: &ClassHierarchy,
    test: &TestCase,
    variable: VarRef,
) -> Vec<String> {
    let mut wishes = vec![wish(cluster, hierarchy, test, variable)];
    let of = test.variable_type(cluster, variable);
    if is_plain_type(of) {
        return wishes;
    }
    wishes.extend(by_parameter(cluster, test, variable));
    let is_result = matches!(test.statement(variable), Statement::Method { receiver: Some(_), .. });
    wishes.extend(is_result.then(|| "result".to_owned()));
    wishes.extend(["other".to_owned(), format!("other{}", capitalized(&by_type(cluster, hierarchy, of)))]);
    wishes.retain(|name| name.is_ascii());
    wishes
}

/// The name that suits a parameter in place of an input: what the input is passed for, else its type.
pub(crate) fn role(
    cluster: &TestCluster,
    hierarchy: &ClassHierarchy,
    test: &TestCase,
    variable: VarRef,
) -> Option<String> {
    let of = test.variable_type(cluster, variable);
    let role = by_parameter(cluster, test, variable).unwrap_or_else(|| by_type(cluster, hierarchy, of));
    Some(role).filter(|role| is_identifier(role) && role.is_ascii())
}

/// The name that suits a variable best.
fn wish(cluster: &TestCluster, hierarchy: &ClassHierarchy, test: &TestCase, variable: VarRef) -> String {
    let by_type = || in_short(by_type(cluster, hierarchy, test.variable_type(cluster, variable)));
    if let Some(role) = of_container(cluster, hierarchy, test, variable) {
        return usable(role);
    }
    let wished = match test.statement(variable) {
        // An object that is missing is called what it would be called if it were there.
        Statement::Null { of } if !is_plain_type(Some(*of)) => by_type(),
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::Array { .. }
        | Statement::ClassLiteral { .. } => by_parameter(cluster, test, variable).unwrap_or_else(by_type),
        Statement::EnumConstant { field } | Statement::FieldRead { field, .. } => {
            decapitalized(&humps(&cluster.field(*field).name))
        }
        Statement::Method { callable, .. } => {
            let callable = cluster.callable(*callable);
            if FolderCall::of(callable).is_some_and(|call| call.form == Form::Name) {
                return usable(by_parameter(cluster, test, variable).unwrap_or_else(|| "path".to_owned()));
            }
            by_method(callable)
                .unwrap_or_else(|| if is_plain_type(callable.result) { "result".into() } else { by_type() })
        }
        Statement::Constructor { .. }
        | Statement::FieldWrite { .. }
        | Statement::ArrayWrite { .. }
        | Statement::Stub { .. } => by_type(),
    };
    usable(wished)
}

/// The name, if it is one of Java in ASCII.
fn usable(name: String) -> String {
    if is_identifier(&name) && name.is_ascii() { name } else { "value".to_owned() }
}

/// Name of the parameter that the variable is first passed for.
fn by_parameter(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Option<String> {
    let behind = &test.statements()[variable.index() + 1..];
    let used = behind.iter().find(|statement| statement.uses(variable))?;
    let (Statement::Constructor { callable, arguments } | Statement::Method { callable, arguments, .. }) =
        used
    else {
        return None;
    };
    let place = arguments.iter().position(|&argument| argument == variable)?;
    parameter_name(cluster.callable(*callable).parameters.get(place)?)
}

/// What a collection or map of the JDK is for: its type tells how it is stored alone. The first call that takes it says so, or the first
/// object of the test's own that gives it; else what it holds.
fn of_container(
    cluster: &TestCluster,
    hierarchy: &ClassHierarchy,
    test: &TestCase,
    variable: VarRef,
) -> Option<String> {
    let of = test.variable_type(cluster, variable).filter(|of| cluster.has_size(*of))?;
    if !matches!(&cluster.ty(of).erased, ErasedType::Class(class) if class.as_str().starts_with("java/util/"))
    {
        return None;
    }
    let role = test.statements()[variable.index() + 1..].iter().find_map(|statement| match statement {
        Statement::Constructor { callable, arguments } | Statement::Method { callable, arguments, .. } => {
            let callable = cluster.callable(*callable);
            let is_own = !callable.declared_in.as_str().starts_with("java/");
            let place = arguments.iter().position(|&argument| argument == variable).filter(|_| is_own)?;
            parameter_name(callable.parameters.get(place)?)
        }
        Statement::Stub { stub, script } => {
            let methods = cluster.stub(*stub).methods.iter().zip(&script.answers);
            let gives = |answers: &Answers| answers.contains(&Answer::Value(variable));
            by_answer(methods.into_iter().find(|(_, answers)| gives(answers))?.0)
        }
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::FieldRead { .. }
        | Statement::FieldWrite { .. }
        | Statement::Array { .. }
        | Statement::ArrayWrite { .. } => None,
    });
    role.or_else(|| of_elements(cluster, hierarchy, of))
}

/// What a collection of objects of a class that is none of the platform holds: `owners` for a `List<Owner>`.
fn of_elements(cluster: &TestCluster, hierarchy: &ClassHierarchy, of: TypeId) -> Option<String> {
    let [TypeArgument::Exact(held @ GenericType::Class(class))] =
        cluster.ty(of).generic.as_class()?.arguments.as_slice()
    else {
        return None;
    };
    (!class.name.is_platform()).then(|| plural(&type_word(hierarchy, held)))
}

/// What a method of a stub gives: `headers()` and `getHeaders()` headers.
fn by_answer(method: &StubMethod) -> Option<String> {
    let is_noun = method.parameters.is_empty() && method.name.ends_with('s');
    named_by(&method.name).or_else(|| is_noun.then(|| method.name.to_string()))
}

/// The name of a parameter when it says something: not `arg0`, `p1`, nor a single letter.
pub(crate) fn parameter_name(parameter: &Parameter) -> Option<String> {
    let name = parameter.name.as_deref()?;
    let stem = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let made_up = stem.len() < name.len() && matches!(stem, "arg" | "param" | "p" | "var" | "par");
    let telling = name.chars().count() > 1 && !made_up && is_identifier(name) && !name.contains(['$', '_']);
    telling.then(|| decapitalized(name))
}

fn by_method(callable: &Callable) -> Option<String> {
    named_by(&callable.name)
}

/// What a method of this name gives.
fn named_by(name: &str) -> Option<String> {
    if name == "toString" {
        return Some("string".to_owned());
    }
    if NOUNS.binary_search(&name).is_ok() {
        return Some(name.to_owned());
    }
    if name == "parse" {
        return Some("parsed".to_owned());
    }
    let verb: String = name.chars().take_while(|character| character.is_lowercase()).collect();
    let rest = without_condition(&name[verb.len()..]);
    let is_open = matches!(rest, "All" | "Default" | "First" | "Instance" | "One");
    let telling = TELLING.binary_search(&verb.as_str()).is_ok() && rest.chars().count() > 1 && !is_open;
    telling.then(|| decapitalized(rest))
}

/// A name without that by which something is found, which does not say what it is: `UserByLogin` becomes `User`.
fn without_condition(name: &str) -> &str {
    let is_condition = |&(at, by): &(usize, &str)| name[at + by.len()..].starts_with(char::is_uppercase);
    name.match_indices("By").find(is_condition).map_or(name, |(at, _)| &name[..at])
}

/// Whether a type says nothing about its values: primitive types, boxed types, `String`, `Object`.
fn is_plain_type(of: Option<TypeId>) -> bool {
    of.is_none_or(|of| of.index() < TypeId::WELL_KNOWN)
}

fn by_type(cluster: &TestCluster, hierarchy: &ClassHierarchy, of: Option<TypeId>) -> String {
    of.map_or_else(|| "value".to_owned(), |of| type_word(hierarchy, &cluster.ty(of).generic))
}

/// A noun for a type: `option` for `Option`, `strings` for `String[]`.
pub(crate) fn type_word(hierarchy: &ClassHierarchy, of: &GenericType) -> String {
    match of {
        GenericType::Primitive(primitive) => primitive_word(*primitive).to_owned(),
        GenericType::Array(element) => match &**element {
            GenericType::Array(_) => "rows".to_owned(),
            GenericType::Primitive(primitive) => plural(primitive.keyword()),
            GenericType::Class(_) | GenericType::Variable(_) => plural(&type_word(hierarchy, element)),
        },
        GenericType::Variable(_) => "value".to_owned(),
        GenericType::Class(class) => match PrimitiveType::unboxed(&class.name) {
            Some(primitive) => primitive_word(primitive).to_owned(),
            None => class_word(hierarchy, &class.name),
        },
    }
}

fn primitive_word(primitive: PrimitiveType) -> &'static str {
    match primitive {
        PrimitiveType::Boolean => "flag",
        PrimitiveType::Char => "character",
        PrimitiveType::Byte
        | PrimitiveType::Short
        | PrimitiveType::Int
        | PrimitiveType::Long
        | PrimitiveType::Float
        | PrimitiveType::Double => "number",
    }
}

/// Most words of the name of a class by which a variable is called in full.
const MOST_WORDS: usize = 3;

/// Last words of class names that say nothing without the word before.
const VAGUE: [&str; 12] =
    ["base", "bean", "data", "dto", "entity", "impl", "info", "item", "model", "object", "type", "value"];

/// A long name cut to its last word, or its last two where that says nothing alone: `mapper` for `exclusiveJoinTaskMapper`.
fn in_short(name: String) -> String {
    let all: Vec<&str> = words(&name).collect();
    if all.len() <= MOST_WORDS {
        return name;
    }
    let is_vague = |word: &str| VAGUE.contains(&word.to_lowercase().as_str());
    let is_telling = |words: &[&str]| {
        !is_vague(words[0])
            && words.iter().all(|word| word.len() > 2 && word.chars().all(char::is_alphabetic))
    };
    let ends = [1, 2].map(|length| &all[all.len() - length..]);
    let short = ends.into_iter().find(|end| is_telling(end));
    let short = short.map(|end| decapitalized(&end.concat())).filter(|short| is_identifier(short));
    short.unwrap_or(name)
}

fn class_word(hierarchy: &ClassHierarchy, class: &ClassName) -> String {
    let simple = simple_name(hierarchy, class);
    let is_interface = hierarchy.class(class).is_some_and(|info| info.is_interface());
    noun(if is_interface { without_mark(&simple) } else { &simple })
}

/// The name of an interface without the `I` by which some mark one: `User` for `IUser`, and `Iterator` as it is.
fn without_mark(simple: &str) -> &str {
    let begins_word = |rest: &&str| {
        let mut letters = rest.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    };
    simple.strip_prefix('I').filter(begins_word).unwrap_or(simple)
}

/// A class name as a variable's: `ArrayList` becomes `arrayList`, `Class` `type`.
fn noun(simple: &str) -> String {
    if simple == "Class" {
        return "type".to_owned();
    }
    let name = decapitalized(simple);
    if is_identifier(&name) { name } else { format!("some{}", capitalized(simple)) }
}

#[cfg(test)]
mod tests {
    use bytecode::source::MemorySource;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::statement::Script;
    use testcase::value::Value;

    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(TELLING.is_sorted() && NOUNS.is_sorted());
    }

    #[test]
    fn numbers_are_given_only_to_names_that_are_taken_or_reserved() {
        let reserved = BTreeSet::from(["java".to_owned()]);
        let mut scope = Scope::new(&reserved);
        assert_eq!([scope.give("option"), scope.give("option")], ["option", "option2"]);
        assert_eq!([scope.give("java"), scope.give("class")], ["java2", "class2"]);
    }

    #[test]
    fn the_first_wish_that_is_free_is_given() {
        let reserved = BTreeSet::new();
        let mut scope = Scope::new(&reserved);
        let wishes = ["range", "other"].map(str::to_owned);
        let given: Vec<String> = (0..3).map(|_| scope.give_first(&wishes)).collect();
        assert_eq!(given, ["range", "other", "range2"]);
        let reserved = BTreeSet::from(["test".to_owned()]);
        let wishes = ["test", "other"].map(str::to_owned);
        assert_eq!(Scope::new(&reserved).give_first(&wishes), "test2");
    }

    #[test]
    fn what_methods_give_is_named_by_them() {
        for (method, expect) in [
            ("getOwner", Some("owner")),
            ("findById", None),
            ("findUserByLogin", Some("user")),
            ("findAllByActivatedIsFalse", None),
            ("getByteBuffer", Some("byteBuffer")),
            ("name", Some("name")),
            ("getInstance", None),
            ("getX", None),
            ("run", None),
        ] {
            assert_eq!(named_by(method).as_deref(), expect, "{method}");
        }
    }

    #[test]
    fn long_names_are_cut_to_what_they_end_in() {
        for (name, expect) in [
            ("taskMapper", "taskMapper"),
            ("nettyResponseFuture", "nettyResponseFuture"),
            ("exclusiveJoinTaskMapper", "mapper"),
            ("defaultUserAccountServiceImpl", "serviceImpl"),
            ("bucketPolicyConfigDTO", "configDTO"),
            ("proxyUnauthorized407Interceptor", "interceptor"),
            ("javaUtilLogging1", "javaUtilLogging1"),
            ("someVeryLongClass", "someVeryLongClass"),
        ] {
            assert_eq!(in_short(name.to_owned()), expect);
        }
    }

    #[test]
    fn a_mark_of_interfaces_is_no_part_of_what_they_are() {
        for (name, expect) in
            [("IUser", "User"), ("Iterator", "Iterator"), ("IOStream", "IOStream"), ("I", "I"), ("IA", "IA")]
        {
            assert_eq!(without_mark(name), expect);
        }
    }

    #[test]
    fn collections_are_called_by_what_they_are_for() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let (own, line, list) =
            (builder.class_under_test(), builder.class("p/Line"), builder.class("java/util/ArrayList"));
        let new = builder.constructor(list, &[]);
        let add = builder.method(list, "add", &[TypeId::STRING], None);
        let all = builder.static_method(own, "all", &[list], None);
        let methods = ["getRows", "headers", "run"].map(|name| (name, &[][..], Some(list)));
        let stub = builder.stub(line, None, &methods, &[]);
        let mut cluster = builder.build();
        cluster.sized.grow_and_insert(list.index());
        cluster.callables[all.index()].parameters[0].name = Some("entries".into());
        let hierarchy = ClassHierarchy::new(std::sync::Arc::new(MemorySource::default()));
        let made = || Statement::Constructor { callable: new, arguments: [].into_iter().collect() };
        let string = Statement::Primitive { value: Value::String("a".into()), boxed: false };
        let filled = Statement::Method {
            callable: add,
            receiver: Some(VarRef(1)),
            arguments: [VarRef(0)].into_iter().collect(),
        };
        let check = |last: Statement, expect: &str| {
            let test = TestCase::new(vec![string.clone(), made(), filled.clone(), last]);
            assert_eq!(wishes(&cluster, &hierarchy, &test, VarRef(1))[0], expect);
        };
        let passed =
            Statement::Method { callable: all, receiver: None, arguments: [VarRef(1)].into_iter().collect() };
        check(passed, "entries");
        for (method, expect) in ["rows", "headers", "arrayList"].into_iter().enumerate() {
            let mut answers = vec![Answers::new(); 3];
            answers[method].push(Answer::Value(VarRef(1)));
            let script = Script { arguments: [].into_iter().collect(), answers };
            check(Statement::Stub { stub, script: Box::new(script) }, expect);
        }
    }

    #[test]
    fn parameters_named_by_a_compiler_say_nothing() {
        let check = |name: &str, expect: Option<&str>| {
            let parameter = Parameter { name: Some(name.into()), ..Parameter::new(TypeId::STRING) };
            assert_eq!(parameter_name(&parameter).as_deref(), expect, "{name}");
        };
        check("pattern", Some("pattern"));
        check("URL", Some("url"));
        for name in ["arg0", "p1", "s", "this$0", "param12"] {
            check(name, None);
        }
    }
}
