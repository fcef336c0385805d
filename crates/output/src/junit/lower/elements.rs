//! What iterators, enumerations and streams give, as one expected list or array. Looking uses them up.

use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, TypeArgument};
use testcase::assertion::{Container, ObservedValue, Sequence};
use testcase::statement::VarRef;

use super::Unprintable;
use super::body::Body;
use super::containers::{call, collections};
use crate::junit::ast::{Expr, Receiver, Stmt, Warning};
use crate::junit::literals::Context;

const LIST: &str = "java/util/List";

impl Body<'_> {
    /// That a variable gives exactly this; `None` where Java has no expression for it. What an iterator gives goes into a list
    /// first.
    pub(super) fn elements_equality(
        &mut self,
        variable: VarRef,
        sequence: Sequence,
        expected: &ObservedValue,
    ) -> Result<Option<Expr>, Unprintable> {
        let of = self.variable_type(variable);
        if let (Some(primitive), ObservedValue::Array(_)) = (sequence.primitive(), expected) {
            let array = Expr::call_on(self.operand(variable, Context::Argument)?, "toArray");
            return Ok(self.equality(array, &GenericType::Primitive(primitive).array_of(), expected));
        }
        let ObservedValue::Container(Container::List, held) = expected else { return Ok(None) };
        let Some(list) = self.container(Container::List, held) else { return Ok(None) };
        let actual = self.operand(variable, Context::Argument)?;
        let is_empty = held.is_empty();
        let asked =
            |asked: Expr, name: &str| Expr::assertion("assertFalse", vec![Expr::call_on(asked, name)]);
        Ok(Some(match sequence {
            Sequence::Iterator if is_empty => asked(actual, "hasNext"),
            Sequence::Enumeration if is_empty => asked(actual, "hasMoreElements"),
            Sequence::Iterable if is_empty => asked(Expr::call_on(actual, "iterator"), "hasNext"),
            Sequence::Iterator => self.gathered(actual, "forEachRemaining", (&of, sequence), list),
            Sequence::Iterable => self.gathered(actual, "forEach", (&of, sequence), list),
            Sequence::Enumeration => {
                self.note_raw(&of, sequence);
                Expr::assertion("assertEquals", vec![list, collections("list", vec![actual])])
            }
            Sequence::Stream => {
                let listed = self.listed(actual, &of);
                Expr::assertion("assertEquals", vec![list, listed])
            }
            Sequence::IntStream | Sequence::LongStream | Sequence::DoubleStream => return Ok(None),
        }))
    }

    /// That what a method of an object passes to a consumer is this list: declares the list that it goes into.
    fn gathered(
        &mut self,
        actual: Expr,
        method: &str,
        (of, sequence): (&GenericType, Sequence),
        list: Expr,
    ) -> Expr {
        self.note_raw(of, sequence);
        let element = self.element_of(of, sequence);
        let name = self.scope.give_first(&["items".to_owned(), "elements".to_owned()]);
        let of = ClassType {
            arguments: vec![TypeArgument::Exact(element)],
            ..ClassType::new(ClassName::new(LIST))
        };
        let class = ClassName::new("java/util/ArrayList");
        let value = Expr::New { outer: None, class, diamond: true, arguments: Vec::new() };
        self.push(Stmt::Declare { of: GenericType::Class(of), name: name.clone(), value });
        let add = Expr::MethodReference { object: name.clone(), name: "add".to_owned() };
        self.push(Stmt::Evaluate(on(actual, method, vec![add])));
        Expr::assertion("assertEquals", vec![list, Expr::Variable(name)])
    }

    /// The list of what a stream gives.
    fn listed(&mut self, actual: Expr, of: &GenericType) -> Expr {
        let stream = self.context.view.hierarchy.class(&ClassName::new(Sequence::Stream.interface()));
        if stream.is_some_and(|stream| stream.methods.iter().any(|method| &*method.name == "toList")) {
            return Expr::call_on(actual, "toList");
        }
        self.note_raw(of, Sequence::Stream);
        on(actual, "collect", vec![call("java/util/stream/Collectors", "toList", Vec::new())])
    }

    /// The type of the elements, if the file can name it; else `Object`.
    fn element_of(&self, of: &GenericType, sequence: Sequence) -> GenericType {
        let found = self.as_sequence(of, sequence).and_then(|found| match found.arguments.as_slice() {
            [TypeArgument::Exact(element) | TypeArgument::Extends(element)] => Some(element.clone()),
            _ => None,
        });
        let is_named =
            |of: &GenericType| self.context.view.can_name_type(of) && !self.context.view.is_raw(of);
        found.filter(is_named).unwrap_or_else(GenericType::object)
    }

    fn as_sequence(&self, of: &GenericType, sequence: Sequence) -> Option<ClassType> {
        self.context.view.hierarchy.as_super(of.as_class()?, &ClassName::new(sequence.interface()))
    }

    /// Nothing is known of the elements of a raw type, and `javac` warns of that.
    fn note_raw(&mut self, of: &GenericType, sequence: Sequence) {
        if self.as_sequence(of, sequence).is_none_or(|found| found.arguments.is_empty()) {
            self.suppressed.insert(Warning::Unchecked);
        }
    }
}

pub(super) fn on(object: Expr, name: &str, arguments: Vec<Expr>) -> Expr {
    Expr::Call {
        receiver: Receiver::Object(Box::new(object)),
        type_arguments: Vec::new(),
        name: name.to_owned(),
        arguments,
    }
}
