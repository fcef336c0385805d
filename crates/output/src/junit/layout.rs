//! Lays expressions out on lines of a bounded width: what fits stays on one line, else argument lists and long
//! strings are broken, outermost first, and their lines filled.

use bytecode::signature::{ClassType, GenericType, TypeArgument};
use testcase::value::JavaString;

use super::ast::{Expr, Receiver};
use super::implementations::{Anonymous, Extended, Reply};
use super::imports::{ClassNames, ShortNames, source_path};
use super::literals::escaped_units;
use bytecode::hierarchy::ClassHierarchy;

/// Longest line that is written where there is a choice.
pub(crate) const WIDTH: usize = 110;
/// Indentation of a continued line, relative to the statement.
const CONTINUATION: usize = 8;
/// Widest part of a string that is split over lines.
const PIECE: usize = 80;

/// Text that may be broken in places.
#[derive(Debug)]
pub(crate) enum Doc {
    /// Never broken.
    Text(String),
    /// One after the other; broken in the last part that can be.
    Concat(Vec<Self>),
    /// A list in brackets, broken between its items.
    List {
        /// Opening bracket.
        open: &'static str,
        /// Items, separated by commas.
        items: Vec<Self>,
        /// Closing bracket.
        close: &'static str,
    },
    /// A string literal, broken into a sum of literals.
    Pieces(Vec<String>),
    /// A sum, broken in front of its signs.
    Sum(Vec<Self>),
    /// An object and chained calls on it: all on one line, or each call on a line of its own.
    Chain(Vec<Self>),
    /// An assignment: its left side, and the value, which goes to the next line where it would otherwise be broken at its opening bracket.
    Assigned(String, Box<Self>),
}

/// What stands between the sides of an assignment.
const ASSIGN: &str = " = ";

/// What stands between the parts of a sum.
const PLUS: &str = " + ";

impl Doc {
    /// An assignment.
    pub(crate) fn assigned(target: &Self, value: Self) -> Self {
        Self::Assigned(target.flat(), Box::new(value))
    }

    /// All of it on one line.
    pub(crate) fn flat(&self) -> String {
        let mut text = String::new();
        self.write_flat(&mut text);
        text
    }

    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Width on one line.
    fn width(&self) -> usize {
        match self {
            Self::Text(text) => text.chars().count(),
            Self::Concat(parts) | Self::Chain(parts) => parts.iter().map(Self::width).sum(),
            Self::List { open, items, close } => {
                let separators = 2 * items.len().saturating_sub(1);
                open.len() + items.iter().map(Self::width).sum::<usize>() + separators + close.len()
            }
            Self::Pieces(pieces) => pieces.iter().map(String::len).sum::<usize>() + 2,
            Self::Sum(parts) => {
                parts.iter().map(Self::width).sum::<usize>() + PLUS.len() * parts.len().saturating_sub(1)
            }
            Self::Assigned(target, value) => target.chars().count() + ASSIGN.len() + value.width(),
        }
    }

    /// All on one line.
    fn write_flat(&self, text: &mut String) {
        match self {
            Self::Text(part) => text.push_str(part),
            Self::Concat(parts) | Self::Chain(parts) => {
                for part in parts {
                    part.write_flat(text);
                }
            }
            Self::List { open, items, close } => {
                text.push_str(open);
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        text.push_str(", ");
                    }
                    item.write_flat(text);
                }
                text.push_str(close);
            }
            Self::Pieces(pieces) => {
                text.push('"');
                for piece in pieces {
                    text.push_str(piece);
                }
                text.push('"');
            }
            Self::Sum(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    text.push_str(if index > 0 { PLUS } else { "" });
                    part.write_flat(text);
                }
            }
            Self::Assigned(target, value) => {
                text.push_str(target);
                text.push_str(ASSIGN);
                value.write_flat(text);
            }
        }
    }

    /// Width of what must follow on the line before the first place where it can be broken.
    fn head(&self) -> usize {
        match self {
            Self::Text(_) => self.width(),
            Self::Concat(parts) => {
                let broken = parts.iter().position(Self::can_break).unwrap_or(parts.len());
                let before: usize = parts[..broken].iter().map(Self::width).sum();
                before + parts.get(broken).map_or(0, Self::head)
            }
            Self::List { open, .. } => open.len(),
            Self::Pieces(pieces) => pieces.first().map_or(0, String::len) + 2,
            Self::Sum(parts) => parts.first().map_or(0, Self::head),
            Self::Chain(parts) => parts.first().map_or(0, Self::width),
            Self::Assigned(target, _) => target.chars().count() + ASSIGN.len(),
        }
    }

    /// Width up to the end of the first item of the first list. If that does not fit on the line, the list would be broken at its opening
    /// bracket.
    fn begun(&self) -> usize {
        match self {
            Self::Concat(parts) => {
                let broken = parts.iter().position(Self::can_break).unwrap_or(parts.len());
                let before: usize = parts[..broken].iter().map(Self::width).sum();
                before + parts.get(broken).map_or(0, Self::begun)
            }
            Self::List { open, items, .. } => open.len() + items.first().map_or(0, Self::width) + 1,
            Self::Text(_) | Self::Pieces(_) | Self::Sum(_) | Self::Chain(_) | Self::Assigned(..) => {
                self.head()
            }
        }
    }

    fn can_break(&self) -> bool {
        match self {
            Self::Text(_) => false,
            Self::Concat(parts) => parts.iter().any(Self::can_break),
            Self::List { items, .. } => !items.is_empty(),
            Self::Pieces(pieces) => pieces.len() > 1,
            Self::Sum(parts) => parts.len() > 1,
            Self::Chain(_) | Self::Assigned(..) => true,
        }
    }
}

/// Text under construction that knows its column and line.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    text: String,
    column: usize,
    line: u32,
}

impl Sheet {
    /// Number of the line that is being written, from 1.
    pub(crate) fn line(&self) -> u32 {
        self.line + 1
    }

    /// Appends text without line ends.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    /// Ends the line.
    pub(crate) fn end_line(&mut self) {
        self.text.push('\n');
        self.column = 0;
        self.line += 1;
    }

    /// Starts a line with that many spaces.
    pub(crate) fn indent(&mut self, spaces: usize) {
        self.text.extend(std::iter::repeat_n(' ', spaces));
        self.column += spaces;
    }

    /// Writes a whole line.
    pub(crate) fn put_line(&mut self, spaces: usize, text: &str) {
        if !text.is_empty() {
            self.indent(spaces);
            self.push(text);
        }
        self.end_line();
    }

    /// Everything written.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Writes a document whose statement is indented by `indent`, with `tail` columns to follow it on its last
    /// line.
    pub(crate) fn put(&mut self, doc: &Doc, indent: usize, tail: usize) {
        if self.column + doc.width() + tail <= WIDTH || !doc.can_break() {
            let mut text = String::new();
            doc.write_flat(&mut text);
            self.push(&text);
            return;
        }
        match doc {
            Doc::Text(text) => self.push(text),
            Doc::Concat(parts) => {
                let broken = parts.iter().rposition(Doc::can_break).unwrap_or(0);
                for (index, part) in parts.iter().enumerate() {
                    let rest: usize = parts[index + 1..].iter().map(Doc::width).sum();
                    if index < broken {
                        // Only broken where even its own line could not hold it.
                        self.put(part, indent, 1);
                    } else {
                        self.put(part, indent, rest + tail);
                    }
                }
            }
            Doc::List { open, items, close } => {
                self.push(open);
                self.fill(items, indent, close.len() + tail);
                self.push(close);
            }
            Doc::Pieces(pieces) => {
                for (index, piece) in pieces.iter().enumerate() {
                    if index > 0 {
                        self.end_line();
                        self.indent(indent + CONTINUATION);
                        self.push("+ ");
                    }
                    self.push("\"");
                    self.push(piece);
                    self.push("\"");
                }
            }
            Doc::Sum(parts) => self.fill_sum(parts, indent, tail),
            Doc::Chain(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        self.end_line();
                        self.indent(indent + CONTINUATION);
                    }
                    let is_last = index + 1 == parts.len();
                    self.put(part, indent + CONTINUATION, if is_last { tail } else { 0 });
                }
            }
            Doc::Assigned(target, value) => {
                self.push(target);
                let fits_below = indent + CONTINUATION + value.width() + tail <= WIDTH;
                let fits_begun = self.column + ASSIGN.len() + value.begun() <= WIDTH;
                if value.can_break() && (fits_begun || !fits_below) {
                    self.push(ASSIGN);
                } else {
                    self.push(ASSIGN.trim_end());
                    self.end_line();
                    self.indent(indent + CONTINUATION);
                }
                self.put(value, indent, tail);
            }
        }
    }

    /// Parts of a sum, as many on a line as fit.
    fn fill_sum(&mut self, parts: &[Doc], indent: usize, tail: usize) {
        for (index, part) in parts.iter().enumerate() {
            let after = if index + 1 == parts.len() { tail } else { 0 };
            if index > 0 {
                let sign = if self.column + PLUS.len() + part.width() + after > WIDTH {
                    self.end_line();
                    self.indent(indent + CONTINUATION);
                    PLUS.trim_start()
                } else {
                    PLUS
                };
                self.push(sign);
            }
            self.put(part, indent, after);
        }
    }

    /// Items of a list, as many on a line as fit.
    fn fill(&mut self, items: &[Doc], indent: usize, tail: usize) {
        for (index, item) in items.iter().enumerate() {
            let last = index + 1 == items.len();
            let after = if last { tail } else { 1 };
            let space = usize::from(index > 0);
            let fresh = indent + CONTINUATION;
            if self.column + space + item.width() + after <= WIDTH {
                self.indent(space);
            } else if index > 0 || fresh + item.width() + after <= WIDTH || self.column + item.head() > WIDTH
            {
                self.end_line();
                self.indent(fresh);
            }
            self.put(item, if self.column == fresh { fresh } else { indent }, after);
            if !last {
                self.push(",");
            }
        }
    }
}

/// An expression on one line, with simple names: for estimates and tests.
pub(crate) fn flat(expr: &Expr) -> String {
    document(expr, &ShortNames).flat()
}

/// An expression as a document.
pub(crate) fn document(expr: &Expr, names: &dyn ClassNames) -> Doc {
    match expr {
        Expr::Literal(text) => Doc::text(text),
        Expr::Text(text) => Doc::Pieces(pieces(text)),
        Expr::Variable(name) => Doc::text(name),
        Expr::Constant { class, name } => Doc::text(format!("{}.{name}", names.class(class))),
        Expr::ClassLiteral(of) => Doc::text(format!("{}.class", type_name(of, names))),
        Expr::Call { receiver, type_arguments, name, arguments } => {
            call(receiver, type_arguments, name, arguments, names)
        }
        Expr::New { outer, class, diamond, arguments } => {
            let diamond = if *diamond { "<>" } else { "" };
            let mut parts = Vec::new();
            match outer {
                Some(outer) => {
                    let simple = names.class(class);
                    let simple = simple.rsplit_once('.').map_or(&*simple, |(_, simple)| simple);
                    parts.push(operand(outer, names));
                    parts.push(Doc::text(format!(".new {simple}{diamond}")));
                }
                None => parts.push(Doc::text(format!("new {}{diamond}", names.class(class)))),
            }
            parts.push(list("(", arguments, ")", names));
            Doc::Concat(parts)
        }
        Expr::Field { object, name } => {
            Doc::Concat(vec![operand(object, names), Doc::text(format!(".{name}"))])
        }
        Expr::NewArray { of, length } => Doc::text(new_array(of, *length, names)),
        Expr::ArrayLiteral { of, elements } => {
            let head = of.as_ref().map_or(String::new(), |of| format!("new {} ", type_name(of, names)));
            Doc::Concat(vec![Doc::text(head), list("{", elements, "}", names)])
        }
        Expr::Element { array, index } => {
            Doc::Concat(vec![operand(array, names), Doc::text(format!("[{index}]"))])
        }
        Expr::Cast { to, operand: inner } => {
            Doc::Concat(vec![Doc::text(format!("({}) ", type_name(to, names))), document(inner, names)])
        }
        // What it does stands on lines of its own, from the brace on.
        Expr::Lambda { parameters, recording: Some(_), body: _ } => Doc::text(lambda_head(parameters)),
        Expr::Lambda { parameters, recording: None, body } => lambda(parameters, body, names),
        Expr::MethodReference { object, name } => Doc::text(format!("{object}::{name}")),
        Expr::Concat(parts) => Doc::Sum(parts.iter().map(|part| document(part, names)).collect()),
        Expr::Anonymous(class) => anonymous(class, names),
    }
}

/// What stands in front of what a lambda does.
pub(crate) fn lambda_head(parameters: &[String]) -> String {
    match parameters {
        [only] => format!("{only} ->"),
        _ => format!("({}) ->", parameters.join(", ")),
    }
}

fn lambda(parameters: &[String], body: &Reply, names: &dyn ClassNames) -> Doc {
    let mut parts = vec![Doc::text(lambda_head(parameters) + " ")];
    match body {
        Reply::Value(value) | Reply::Call { call: value, then: None } => parts.push(document(value, names)),
        Reply::Call { call, then: Some(then) } => {
            let then = document(then, names);
            let call = document(call, names);
            parts.extend([Doc::text("{ "), call, Doc::text("; return "), then, Doc::text("; }")]);
        }
        Reply::Throw(thrown) => {
            parts.extend([Doc::text("{ throw "), document(thrown, names), Doc::text("; }")]);
        }
        Reply::Nothing => parts.push(Doc::text("{}")),
    }
    Doc::Concat(parts)
}

/// The line with which an anonymous class begins, without the brace.
fn anonymous(class: &Anonymous, names: &dyn ClassNames) -> Doc {
    let mut parts = Vec::new();
    match (&class.outer, &class.shared) {
        (Some(outer), _) => {
            let name = names.class(&class.of.name);
            let simple = name.rsplit_once('.').map_or(&*name, |(_, simple)| simple);
            // Type arguments of the enclosing class are those of the instance.
            let arguments = type_arguments(&class.of, names);
            parts.extend([operand(outer, names), Doc::text(format!(".new {simple}{arguments}"))]);
        }
        (None, Some(Extended { name, is_generic })) => {
            let arguments = if *is_generic { type_arguments(&class.of, names) } else { String::new() };
            parts.push(Doc::text(format!("new {name}{arguments}")));
        }
        (None, None) => parts.push(Doc::text(format!("new {}", class_type_name(&class.of, names)))),
    }
    parts.push(list("(", &class.arguments, ")", names));
    Doc::Concat(parts)
}

fn call(
    receiver: &Receiver,
    type_arguments: &[GenericType],
    name: &str,
    arguments: &[Expr],
    names: &dyn ClassNames,
) -> Doc {
    let owner = match receiver {
        Receiver::Assertions | Receiver::Mocks | Receiver::Own => String::new(),
        Receiver::Class(class) => format!("{}.", names.class(class)),
        Receiver::Object(_) => ".".to_owned(),
    };
    let shown: Vec<String> = type_arguments.iter().map(|of| type_name(of, names)).collect();
    let shown = if shown.is_empty() { String::new() } else { format!("<{}>", shown.join(", ")) };
    let called = format!("{owner}{shown}{name}");
    let mut parts = vec![Doc::text(called), list("(", arguments, ")", names)];
    let Receiver::Object(object) = receiver else { return Doc::Concat(parts) };
    match (&**object, operand(object, names)) {
        (_, Doc::Chain(mut calls)) => {
            calls.push(Doc::Concat(parts));
            Doc::Chain(calls)
        }
        // The first part of a chain is its object, or the static call or constructor that makes it.
        (Expr::Call { receiver: Receiver::Class(_), .. } | Expr::New { .. }, first) => {
            Doc::Chain(vec![first, Doc::Concat(parts)])
        }
        (Expr::Call { receiver: Receiver::Object(_), .. }, Doc::Concat(mut first)) => {
            let of_call = first.split_off(1);
            Doc::Chain(vec![first.remove(0), Doc::Concat(of_call), Doc::Concat(parts)])
        }
        (_, object) => {
            parts.insert(0, object);
            Doc::Concat(parts)
        }
    }
}

fn list(open: &'static str, items: &[Expr], close: &'static str, names: &dyn ClassNames) -> Doc {
    Doc::List { open, items: items.iter().map(|item| document(item, names)).collect(), close }
}

/// An expression to the left of a dot or bracket, in parentheses where it needs them.
fn operand(expr: &Expr, names: &dyn ClassNames) -> Doc {
    let inner = document(expr, names);
    let bare = match expr {
        Expr::Cast { .. }
        | Expr::New { outer: Some(_), .. }
        | Expr::NewArray { .. }
        | Expr::ArrayLiteral { .. }
        | Expr::Lambda { .. }
        | Expr::MethodReference { .. }
        | Expr::Concat(_)
        | Expr::Anonymous(_) => false,
        Expr::Literal(_)
        | Expr::Text(_)
        | Expr::Variable(_)
        | Expr::Constant { .. }
        | Expr::ClassLiteral(_)
        | Expr::Call { .. }
        | Expr::New { outer: None, .. }
        | Expr::Field { .. }
        | Expr::Element { .. } => true,
    };
    if bare { inner } else { Doc::Concat(vec![Doc::text("("), inner, Doc::text(")")]) }
}

/// `new String[3][]`: the length stands in the first brackets.
fn new_array(of: &GenericType, length: u16, names: &dyn ClassNames) -> String {
    let mut element = of;
    let mut dimensions = 0;
    while let GenericType::Array(inner) = element {
        element = inner;
        dimensions += 1;
    }
    format!("new {}[{length}]{}", type_name(element, names), "[]".repeat(dimensions - 1))
}

/// A type as source code names it.
pub(crate) fn type_name(of: &GenericType, names: &dyn ClassNames) -> String {
    match of {
        GenericType::Primitive(primitive) => primitive.keyword().to_owned(),
        GenericType::Variable(name) => name.to_string(),
        GenericType::Array(element) => format!("{}[]", type_name(element, names)),
        GenericType::Class(class) => class_type_name(class, names),
    }
}

fn class_type_name(class: &ClassType, names: &dyn ClassNames) -> String {
    let mut text = match &class.outer {
        Some(outer) => {
            let full = names.class(&class.name);
            let simple = full.rsplit_once('.').map_or(&*full, |(_, simple)| simple);
            format!("{}.{simple}", class_type_name(outer, names))
        }
        None => names.class(&class.name),
    };
    text.push_str(&type_arguments(class, names));
    text
}

/// The type arguments of a class, enclosing ones aside, with their brackets; empty if it has none.
fn type_arguments(class: &ClassType, names: &dyn ClassNames) -> String {
    if class.arguments.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = class.arguments.iter().map(|argument| type_argument(argument, names)).collect();
    format!("<{}>", shown.join(", "))
}

fn type_argument(argument: &TypeArgument, names: &dyn ClassNames) -> String {
    match argument {
        TypeArgument::Exact(of) => type_name(of, names),
        TypeArgument::Extends(bound) => format!("? extends {}", type_name(bound, names)),
        TypeArgument::Super(bound) => format!("? super {}", type_name(bound, names)),
        TypeArgument::Unbounded => "?".to_owned(),
    }
}

/// Escaped parts of a string literal, each short enough for a line, broken behind line ends where it has any.
fn pieces(text: &JavaString) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut behind_line_end = false;
    for unit in escaped_units(text) {
        let current = pieces.last_mut().expect("there is always a piece");
        if !current.is_empty() && (current.len() + unit.len() > PIECE || behind_line_end) {
            behind_line_end = unit == "\\n";
            pieces.push(unit);
        } else {
            behind_line_end = unit == "\\n";
            current.push_str(&unit);
        }
    }
    pieces
}

/// Simple name of a class in source: `Entry` of `Map.Entry`.
pub(crate) fn simple_name(hierarchy: &ClassHierarchy, class: &bytecode::name::ClassName) -> String {
    let (top, path) = source_path(hierarchy, class);
    path.last().cloned().unwrap_or_else(|| top.base_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expr: &Expr, expect: &str) {
        let mut sheet = Sheet::default();
        sheet.indent(8);
        sheet.put(&document(expr, &ShortNames), 8, 1);
        sheet.push(";");
        assert_eq!(sheet.into_text(), expect);
    }

    fn text(length: usize) -> Expr {
        Expr::Text("x".repeat(length).as_str().into())
    }

    #[test]
    fn what_fits_stays_on_one_line() {
        check(&Expr::assertion("assertNull", vec![Expr::null()]), "        assertNull(null);");
    }

    #[test]
    fn argument_lists_are_filled_line_by_line() {
        let expect =
            format!("        f(\"{0}\", \"{0}\",\n                \"{0}\", \"{0}\");", "x".repeat(40));
        check(&Expr::assertion("f", vec![text(40), text(40), text(40), text(40)]), &expect);
    }

    #[test]
    fn long_strings_are_split_at_line_ends_first() {
        let long = format!("{}\n{}", "x".repeat(20), "y".repeat(100));
        let expect = format!(
            "        f(\"{}\\n\"\n                + \"{}\"\n                + \"{}\");",
            "x".repeat(20),
            "y".repeat(80),
            "y".repeat(20)
        );
        check(&Expr::assertion("f", vec![Expr::Text(long.as_str().into())]), &expect);
    }

    #[test]
    fn chains_have_a_line_for_each_call_where_they_do_not_fit_on_one() {
        let chain = |length| {
            let first = Expr::call_on(Expr::Variable("builder".to_owned()), "create");
            first.call_with("name", vec![text(length)]).call_with("build", vec![])
        };
        check(&chain(5), "        builder.create().name(\"xxxxx\").build();");
        let indent = " ".repeat(16);
        let long = "x".repeat(76);
        let lines = [".create()", &format!(".name(\"{long}\")"), ".build();"];
        let lines = lines.map(|line| format!("\n{indent}{line}"));
        check(&chain(76), &format!("        builder{}", lines.concat()));
    }

    #[test]
    fn a_value_that_would_be_broken_at_its_bracket_goes_to_the_next_line() {
        let below = "\n                ";
        for (target, arguments, between, value) in [
            (20, vec![], " ", "new Order()".to_owned()),
            (100, vec![], below, "new Order()".to_owned()),
            (80, vec![text(20)], below, format!("new Order(\"{}\")", "x".repeat(20))),
            (60, vec![text(20), text(20)], " ", {
                let item = "x".repeat(20);
                format!("new Order(\"{item}\",{below}\"{item}\")")
            }),
        ] {
            let new = Expr::New { outer: None, class: "p/Order".into(), diamond: false, arguments };
            let target = "x".repeat(target);
            let mut sheet = Sheet::default();
            sheet.indent(8);
            sheet.put(&Doc::assigned(&Doc::text(target.clone()), document(&new, &ShortNames)), 8, 1);
            assert_eq!(sheet.into_text(), format!("        {target} ={between}{value}"));
        }
    }

    #[test]
    fn sums_are_filled_line_by_line() {
        let variable = |name: &str| Expr::Variable(name.to_owned());
        let sum = |length| Expr::Concat(vec![text(length), variable("value"), text(30)]);
        let check_sum =
            |length, expect: &str| check(&variable("calls").call_with("add", vec![sum(length)]), expect);
        let (long, short) = ("x".repeat(70), "x".repeat(30));
        check_sum(30, &format!("        calls.add(\"{short}\" + value + \"{short}\");"));
        let expect = format!("        calls.add(\"{long}\" + value\n                + \"{short}\");");
        check_sum(70, &expect);
    }

    #[test]
    fn arrays_and_casts_are_written_as_java_has_them() {
        let string = GenericType::class("java/lang/String");
        let nested = string.clone().array_of().array_of();
        assert_eq!(flat(&Expr::NewArray { of: nested.clone(), length: 3 }), "new String[3][]");
        let inner = Expr::ArrayLiteral { of: None, elements: vec![Expr::null()] };
        let array = Expr::ArrayLiteral { of: Some(nested), elements: vec![inner] };
        assert_eq!(flat(&array), "new String[][] {{null}}");
        let cast = Expr::call_on(Expr::Variable("object".to_owned()).cast(string), "length");
        assert_eq!(flat(&cast), "((String) object).length()");
    }
}
