//! Literals in the body of a test: what the rows of a parameterized test may differ in.

use bytecode::descriptor::PrimitiveType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, TypeArgument};

use crate::junit::ast::{Expr, Line, Receiver, Stmt};

/// What a literal is, as far as the type of a parameter in its place depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A value of a primitive type.
    Primitive(PrimitiveType),
    /// A string.
    Text,
    /// `null`
    Null,
    /// A constant of an enum.
    Enum(ClassName),
    /// `Foo.class`
    Class,
}

/// A literal where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Site {
    /// The literal.
    pub literal: Expr,
    /// What it is.
    pub kind: Kind,
    /// Number of its line in the body.
    pub line: usize,
    /// The variable whose whole value it is, with the declared type.
    pub declares: Option<(GenericType, String)>,
    /// Whether an assertion expects it.
    pub is_expected: bool,
    /// The method or field that the assertion reads, if it reads one.
    pub member: Option<String>,
}

impl Kind {
    /// Literals with the same word may stand in one column, as far as one by itself can tell.
    fn family(&self) -> &'static str {
        match self {
            Self::Primitive(PrimitiveType::Byte | PrimitiveType::Short | PrimitiveType::Int) => "whole",
            Self::Primitive(of) => of.keyword(),
            Self::Text | Self::Null | Self::Enum(_) => "reference",
            Self::Class => "class",
        }
    }

    /// The type of a parameter for literals of these kinds; `None` where they have none in common.
    pub(super) fn common_type<'a>(kinds: impl Iterator<Item = &'a Self>) -> Option<GenericType> {
        let mut common: Option<&Self> = None;
        for kind in kinds {
            common = Some(match (common, kind) {
                (None | Some(Self::Null), kind) => kind,
                (Some(known), Self::Null) if !matches!(known, Self::Primitive(_)) => known,
                (Some(known), kind) if known == kind => known,
                // A constant such as `Byte.MAX_VALUE` has the narrow type, the numbers beside it are written as of `int`.
                (Some(Self::Primitive(PrimitiveType::Int)), kind @ Self::Primitive(of)) if is_narrow(*of) => {
                    kind
                }
                (Some(known @ Self::Primitive(of)), Self::Primitive(PrimitiveType::Int))
                    if is_narrow(*of) =>
                {
                    known
                }
                (Some(_), _) => return None,
            });
        }
        common?.of()
    }

    /// The type of a parameter for such a literal; `null` alone has none.
    fn of(&self) -> Option<GenericType> {
        match self {
            Self::Primitive(of) => Some(GenericType::Primitive(*of)),
            Self::Text => Some(GenericType::class(ClassName::string())),
            Self::Null => None,
            Self::Enum(class) => Some(GenericType::class(class.clone())),
            Self::Class => Some(GenericType::Class(ClassType {
                name: "java/lang/Class".into(),
                arguments: vec![TypeArgument::Unbounded],
                outer: None,
            })),
        }
    }

    /// Whether a parameter in place of a variable declared with this type means the same.
    fn suits(&self, declared: &GenericType) -> bool {
        match (self, declared) {
            (Self::Primitive(of), GenericType::Primitive(declared)) => {
                of == declared || *of == PrimitiveType::Int && is_narrow(*declared)
            }
            (Self::Text | Self::Null, GenericType::Class(class)) if class.name == ClassName::string() => true,
            (Self::Enum(of), GenericType::Class(class)) => class.name == *of,
            _ => false,
        }
    }
}

fn is_narrow(of: PrimitiveType) -> bool {
    matches!(of, PrimitiveType::Byte | PrimitiveType::Short)
}

/// Finds literals. Only where a parameter means the same as the literal does: not in initializers of arrays, in lambdas
/// and anonymous classes, nor where `javac` would narrow a constant and no variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Literals<'a> {
    pub(super) hierarchy: &'a ClassHierarchy,
}

impl Literals<'_> {
    /// The literals of a body, in the order of the text.
    pub(super) fn sites(self, body: &[Line]) -> Vec<Site> {
        let mut sites = Vec::new();
        self.for_each(&mut body.to_vec(), &mut |site, _| sites.push(site));
        sites
    }

    /// The body with words in place of its literals: bodies that differ in literals alone have the same.
    pub(super) fn outline(self, body: &[Line]) -> Vec<Line> {
        let mut outline = body.to_vec();
        self.for_each(&mut outline, &mut |site, literal| {
            *literal = Expr::Variable(format!("<{}>", site.kind.family()));
        });
        for line in &mut outline {
            line.assertion = line.assertion.map(|_| 0);
        }
        outline
    }

    /// Calls `visit` on each literal that a parameter can stand for.
    pub(super) fn for_each(self, body: &mut [Line], visit: &mut dyn FnMut(Site, &mut Expr)) {
        for (line, Line { statement, .. }) in body.iter_mut().enumerate() {
            let place = Place { line, ..Place::default() };
            match statement {
                Stmt::Declare { of, name, value } => match self.kind(value) {
                    Some(kind) if kind.suits(of) => {
                        let declares = Some((of.clone(), name.clone()));
                        visit(Site { declares, ..place.site(value, kind) }, value);
                    }
                    Some(_) => {}
                    None => self.inside(value, &place, visit),
                },
                Stmt::Throws { action, .. } | Stmt::Completes(action) => {
                    self.of_action(action, &place, visit);
                }
                Stmt::Blank | Stmt::EndCatch | Stmt::Evaluate(_) | Stmt::Assign { .. } => {
                    self.of_action(statement, &place, visit);
                }
            }
        }
    }

    fn of_action(self, statement: &mut Stmt, place: &Place, visit: &mut dyn FnMut(Site, &mut Expr)) {
        match statement {
            Stmt::Evaluate(value) => self.inside(value, place, visit),
            Stmt::Assign { target, value } => {
                self.inside(target, place, visit);
                if self.kind(value).is_none_or(|kind| kind != Kind::Primitive(PrimitiveType::Int)) {
                    self.inside(value, place, visit);
                }
            }
            Stmt::Declare { value, .. } if self.kind(value).is_none() => self.inside(value, place, visit),
            Stmt::Declare { .. }
            | Stmt::Blank
            | Stmt::Throws { .. }
            | Stmt::EndCatch
            | Stmt::Completes(_) => {}
        }
    }

    fn inside(self, value: &mut Expr, place: &Place, visit: &mut dyn FnMut(Site, &mut Expr)) {
        if let Some(kind) = self.kind(value) {
            visit(place.site(value, kind), value);
            return;
        }
        match value {
            Expr::Call { receiver: Receiver::Assertions, arguments, .. } => {
                self.of_assertion(arguments, place, visit);
            }
            // What is mocked, and how often it is called, is no input.
            Expr::Call { receiver: Receiver::Mocks, name, .. } if name == "mock" || name == "times" => {}
            Expr::Call { receiver, arguments, .. } => {
                if let Receiver::Object(object) = receiver {
                    self.inside(object, place, visit);
                }
                for argument in arguments {
                    self.inside(argument, place, visit);
                }
            }
            Expr::New { outer, arguments, .. } => {
                if let Some(outer) = outer {
                    self.inside(outer, place, visit);
                }
                for argument in arguments {
                    self.inside(argument, place, visit);
                }
            }
            Expr::Field { object: inner, .. }
            | Expr::Element { array: inner, .. }
            | Expr::Cast { operand: inner, .. } => self.inside(inner, place, visit),
            Expr::Literal(_)
            | Expr::Text(_)
            | Expr::Variable(_)
            | Expr::Constant { .. }
            | Expr::ClassLiteral(_)
            | Expr::NewArray { .. }
            | Expr::ArrayLiteral { .. }
            | Expr::Lambda { .. }
            | Expr::MethodReference { .. }
            | Expr::Concat(_)
            | Expr::Anonymous(_) => {}
        }
    }

    /// The expected value, then the actual one; a tolerance is the same in all rows.
    fn of_assertion(self, arguments: &mut [Expr], place: &Place, visit: &mut dyn FnMut(Site, &mut Expr)) {
        match arguments {
            [expected, actual, ..] => {
                let member = member(actual);
                self.inside(expected, &Place { is_expected: true, member, ..*place }, visit);
                self.inside(actual, place, visit);
            }
            [actual] => self.inside(actual, place, visit),
            [] => {}
        }
    }

    /// What an expression is, if it is a literal.
    fn kind(self, value: &Expr) -> Option<Kind> {
        match value {
            Expr::Literal(text) => Some(match text.as_str() {
                "null" => Kind::Null,
                text => Kind::Primitive(primitive(text)),
            }),
            Expr::Text(_) => Some(Kind::Text),
            Expr::ClassLiteral(_) => Some(Kind::Class),
            Expr::Constant { class, name } => match PrimitiveType::unboxed(class) {
                Some(of) => NUMBERS.contains(&name.as_str()).then_some(Kind::Primitive(of)),
                None => self.is_enum_constant(class, name).then(|| Kind::Enum(class.clone())),
            },
            Expr::Cast { to: GenericType::Primitive(of), operand }
                if matches!(**operand, Expr::Literal(_)) =>
            {
                Some(Kind::Primitive(*of))
            }
            Expr::Variable(_)
            | Expr::Call { .. }
            | Expr::New { .. }
            | Expr::Field { .. }
            | Expr::NewArray { .. }
            | Expr::ArrayLiteral { .. }
            | Expr::Element { .. }
            | Expr::Cast { .. }
            | Expr::Lambda { .. }
            | Expr::MethodReference { .. }
            | Expr::Concat(_)
            | Expr::Anonymous(_) => None,
        }
    }

    fn is_enum_constant(self, class: &ClassName, name: &str) -> bool {
        self.hierarchy.class(class).is_some_and(|info| {
            let is_it =
                |field: &&bytecode::class_info::FieldInfo| *field.name == *name && field.access.is_enum();
            info.fields.iter().any(|field| is_it(&field))
        })
    }
}

/// Constants of boxed types that stand for numbers.
const NUMBERS: [&str; 5] = ["MAX_VALUE", "MIN_VALUE", "NEGATIVE_INFINITY", "NaN", "POSITIVE_INFINITY"];

/// Where in a body a literal is looked for.
#[derive(Debug, Default)]
struct Place {
    line: usize,
    is_expected: bool,
    member: Option<String>,
}

impl Place {
    fn site(&self, literal: &Expr, kind: Kind) -> Site {
        let Self { line, is_expected, member } = self;
        let (literal, member) = (literal.clone(), member.clone());
        Site { literal, kind, line: *line, declares: None, is_expected: *is_expected, member }
    }
}

/// The type of a literal of a primitive type, by how it is written.
fn primitive(text: &str) -> PrimitiveType {
    match text {
        "true" | "false" => PrimitiveType::Boolean,
        _ if text.starts_with('\'') => PrimitiveType::Char,
        _ if text.ends_with('L') => PrimitiveType::Long,
        _ if text.ends_with('F') => PrimitiveType::Float,
        _ if text.contains('.') => PrimitiveType::Double,
        _ => PrimitiveType::Int,
    }
}

/// The method or field that an expression reads last: of `list.size()` it is `size`.
fn member(actual: &Expr) -> Option<String> {
    if let Expr::Call { receiver: Receiver::Object(_), name, arguments, .. } = actual {
        return arguments.is_empty().then(|| name.clone());
    }
    if let Expr::Field { name, .. } = actual { Some(name.clone()) } else { None }
}
