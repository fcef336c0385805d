//! What a test implements itself, as syntax: anonymous classes and lambdas, and what their methods do.

use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType};

use super::ast::{Expr, classes_of, classes_of_arguments, classes_of_class};

/// What one call of a method that the test writes does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    /// `return value;`
    Value(Expr),
    /// `throw exception;`
    Throw(Expr),
    /// `call;`, then `return then;`
    Call {
        /// What it calls.
        call: Expr,
        /// What it gives then; `None` for `void`.
        then: Option<Expr>,
    },
    /// `return;`
    Nothing,
}

/// An anonymous class with an object of it, or an object of a class of the file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Anonymous {
    /// The enclosing instance of an inner class.
    pub outer: Option<Expr>,
    /// The class or interface that it implements. Its type arguments are written, as Java 8 asks for.
    pub of: ClassType,
    /// The class of the file that it extends, which does so. Where no methods are left, it is one of these itself.
    pub shared: Option<Extended>,
    /// Arguments of the constructor, the enclosing instance not included.
    pub arguments: Vec<Expr>,
    /// Its methods.
    pub methods: Vec<Implementation>,
}

/// A class of the file as one extends it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Extended {
    /// Its simple name.
    pub name: String,
    /// Whether it has the type parameters of what it implements.
    pub is_generic: bool,
}

/// A method of an anonymous class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Implementation {
    /// Field that counts the calls, where the answer depends on it.
    pub counter: Option<String>,
    /// What it does first: writes its call into a list.
    pub recording: Option<Expr>,
    /// `public `, `protected `, or nothing.
    pub access: &'static str,
    /// Result, `None` for `void`.
    pub result: Option<GenericType>,
    /// Name.
    pub name: String,
    /// Types and names of the parameters.
    pub parameters: Vec<(GenericType, String)>,
    /// Whether the last parameter is written with `...`.
    pub varargs: bool,
    /// Checked exceptions that it throws.
    pub throws: Vec<ClassName>,
    /// What its calls do, one after the other; the last one repeats. More than one only with a counter.
    pub replies: Vec<Reply>,
}

impl Reply {
    /// What it evaluates.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let all = match self {
            Self::Value(value) | Self::Throw(value) => [Some(value), None],
            Self::Call { call, then } => [Some(call), then.as_ref()],
            Self::Nothing => [None, None],
        };
        all.into_iter().flatten()
    }
}

impl Anonymous {
    /// Calls `visit` on each class named in it.
    pub(crate) fn for_each_class(&self, visit: &mut dyn FnMut(&ClassName)) {
        self.outer.iter().chain(&self.arguments).for_each(|value| value.for_each_class(visit));
        match &self.shared {
            None => classes_of_class(&self.of, visit),
            Some(Extended { is_generic: true, .. }) => classes_of_arguments(&self.of, visit),
            Some(Extended { is_generic: false, .. }) => {}
        }
        for_each_class_inside(&self.methods, visit);
    }
}

/// Calls `visit` on each class named in methods that a test file writes.
pub(crate) fn for_each_class_inside(methods: &[Implementation], visit: &mut dyn FnMut(&ClassName)) {
    for method in methods {
        visit(&"java/lang/Override".into());
        for of in method.result.iter().chain(method.parameters.iter().map(|(of, _)| of)) {
            classes_of(of, visit);
        }
        method.throws.iter().for_each(&mut *visit);
        for value in method.replies.iter().flat_map(Reply::expressions) {
            value.for_each_class(visit);
        }
    }
}
