//! Layout of a compilation unit: the syntax tree as text, with the lines that each test and assertion takes.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::GenericType;

use super::ast::{
    ARGUMENT_MATCHERS, ARGUMENTS, COMPLETES, CSV_SOURCE, DISPLAY_NAME, Expr, Helper, Line, METHOD_SOURCE,
    MOCKITO, Method, NESTED, PARAMETERIZED_TEST, Receiver, Rows, STREAM, SetUp, Stmt, StubClass,
    StubConstructor, Table, ThrowsForm, Unit, VALUE_SOURCE, Warning,
};
use super::fixtures::mock_fields::MockField;
use super::folder;
use super::header::HEAD_LINES;
use super::implementations::{Implementation, Reply};
use super::imports::{ClassNames, Imports};
use super::layout::{Doc, Sheet, WIDTH, document, lambda_head, type_name};
use super::style::JunitStyle;
use super::tables::csv::NULL;
use super::{injection, settings, statics, streams};

/// Indentation of members of the class.
const MEMBER: usize = 4;
/// The annotation of a class that runs while no other does.
const ISOLATED: &str = "org/junit/jupiter/api/parallel/Isolated";
/// The method that is called before each test.
const SET_UP: &str = "setUp";

/// Where a method stands. Lines count from 1.
#[derive(Debug)]
pub(crate) struct Place {
    /// The line of `@Test` or the annotation before it.
    pub first: u32,
    /// The line of the closing brace, behind that of the rows where a method gives them.
    pub last: u32,
    /// The lines of each statement.
    pub lines: Vec<RangeInclusive<u32>>,
}

/// Prints a unit; its first line will be the one behind the header.
pub(crate) fn print(unit: &Unit, style: JunitStyle, hierarchy: &ClassHierarchy) -> (String, Vec<Place>) {
    let imports = Imports::new(hierarchy, &unit.package, &unit.name, &used_classes(unit, style));
    let mut printer = Printer { sheet: Sheet::default(), names: &imports, style, member: MEMBER };
    printer.head(unit, &imports);
    if unit.has_folder {
        printer.folder();
    }
    if !unit.streams.is_empty() {
        printer.streams(unit);
    }
    for field in &unit.mock_fields {
        printer.members(&field.lines(&imports));
    }
    printer.set_up(unit, None);
    if !unit.settings.is_empty() {
        printer.settings(unit);
    }
    if !unit.statics.is_empty() {
        printer.statics(unit);
    }
    let places = printer.methods(unit);
    for helper in &unit.helpers {
        printer.sheet.put_line(0, "");
        printer.helper(helper);
    }
    if unit.injects {
        printer.sheet.put_line(0, "");
        printer.injection();
    }
    for class in &unit.stubs {
        printer.sheet.put_line(0, "");
        printer.stub_class(class);
    }
    printer.sheet.put_line(0, "}");
    (printer.sheet.into_text(), places)
}

/// Every class that the unit names, annotations included.
fn used_classes(unit: &Unit, style: JunitStyle) -> BTreeSet<ClassName> {
    let mut used = BTreeSet::new();
    let mut add = |class: &ClassName| {
        used.insert(class.clone());
    };
    if unit.is_isolated {
        add(&ISOLATED.into());
    }
    MockField::for_each_class(&unit.mock_fields, &mut add);
    if unit.has_folder {
        folder::classes(style).iter().for_each(&mut add);
    }
    if !unit.streams.is_empty() {
        streams::classes(style).iter().for_each(&mut add);
    }
    if !unit.settings.is_empty() {
        settings::classes(&unit.settings, style).iter().for_each(&mut add);
    }
    if !unit.statics.is_empty() {
        add(&statics::annotation(style));
        unit.statics.iter().for_each(|kept| kept.for_each_class(&mut add));
    }
    if unit.injects {
        injection::classes().iter().for_each(&mut add);
    }
    let mut suppresses = !unit.suppressed.is_empty();
    for method in &unit.methods {
        match &method.table {
            Some(table) => table.for_each_class(&mut add),
            None => add(&style.test_annotation()),
        }
        method.display_name.iter().for_each(|_| add(&DISPLAY_NAME.into()));
        method.nested.iter().for_each(|_| add(&NESTED.into()));
        method.expected.iter().chain(&method.throws).for_each(&mut add);
        method.body.iter().for_each(|line| line.statement.for_each_class(&mut add));
        suppresses |= !method.suppressed.is_empty();
    }
    for class in &unit.stubs {
        class.for_each_class(&mut add);
        suppresses |= !class.suppressed.is_empty();
    }
    for set_up in &unit.set_ups {
        let [before, _] = style.around_each();
        add(&before.into());
        set_up.for_each_class(&mut add);
    }
    for helper in &unit.helpers {
        helper.for_each_class(&mut add);
        suppresses |= !helper.suppressed.is_empty();
    }
    if suppresses {
        add(&"java/lang/SuppressWarnings".into());
    }
    used
}

/// The static methods that the unit calls by their simple names.
fn static_members(unit: &Unit, style: JunitStyle) -> BTreeSet<String> {
    let mut members = BTreeSet::new();
    let assertions = style.assertions().binary();
    let mut mocking = |name: &str| {
        let class = if name.starts_with("any") || name == "eq" { ARGUMENT_MATCHERS } else { MOCKITO };
        members.insert(format!("{}.{name}", ClassName::new(class).binary()));
    };
    for statement in unit.statements() {
        statement.for_each_mocking(&mut mocking);
    }
    for helper in &unit.helpers {
        helper.value.for_each_mocking(&mut mocking);
    }
    for statement in unit.statements() {
        statement.for_each_assertion(&mut |name| {
            members.insert(format!("{assertions}.{name}"));
        });
    }
    members
}

/// The name of the method that gives the rows of a test.
pub(crate) fn provider_of(method: &Method) -> String {
    format!("{}Rows", method.name)
}

struct Printer<'a> {
    sheet: Sheet,
    names: &'a dyn ClassNames,
    style: JunitStyle,
    /// Indentation of test methods.
    member: usize,
}

impl Printer<'_> {
    fn head(&mut self, unit: &Unit, imports: &Imports<'_>) {
        if !unit.package.is_empty() {
            self.sheet.put_line(0, &format!("package {};", unit.package.replace('/', ".")));
            self.sheet.put_line(0, "");
        }
        let members = static_members(unit, self.style);
        for member in &members {
            self.sheet.put_line(0, &format!("import static {member};"));
        }
        if !members.is_empty() {
            self.sheet.put_line(0, "");
        }
        let mut imported = 0;
        for class in imports.imported() {
            self.sheet.put_line(0, &format!("import {class};"));
            imported += 1;
        }
        if imported > 0 {
            self.sheet.put_line(0, "");
        }
        if unit.is_isolated {
            let annotation = self.names.class(&ISOLATED.into());
            self.sheet.put_line(0, &format!("@{annotation}"));
        }
        if !unit.mock_fields.is_empty() {
            self.sheet.put_line(0, &MockField::extension(self.names));
        }
        self.suppress(&unit.suppressed, 0);
        let public = if self.style.needs_public() { "public " } else { "" };
        self.sheet.put_line(0, &format!("{public}class {} {{", unit.name));
    }

    fn folder(&mut self) {
        for line in folder::lines(self.style, self.names) {
            self.sheet.put_line(MEMBER, &line);
        }
        self.sheet.put_line(0, "");
    }

    fn streams(&mut self, unit: &Unit) {
        self.members(&streams::lines(&unit.streams, self.style, self.names));
    }

    fn statics(&mut self, unit: &Unit) {
        self.members(&statics::lines(&unit.statics, self.style, self.names));
    }

    fn settings(&mut self, unit: &Unit) {
        self.members(&settings::lines(&unit.settings, self.style, self.names));
    }

    fn members(&mut self, lines: &[String]) {
        for line in lines {
            self.sheet.put_line(if line.is_empty() { 0 } else { MEMBER }, line);
        }
        self.sheet.put_line(0, "");
    }

    fn suppress(&mut self, warnings: &BTreeSet<Warning>, indent: usize) {
        let names: Vec<String> = warnings.iter().map(|warning| format!("\"{}\"", warning.name())).collect();
        let annotation = self.names.class(&"java/lang/SuppressWarnings".into());
        match names.as_slice() {
            [] => {}
            [name] => self.sheet.put_line(indent, &format!("@{annotation}({name})")),
            _ => self.sheet.put_line(indent, &format!("@{annotation}({{{}}})", names.join(", "))),
        }
    }

    fn line(&self) -> u32 {
        self.sheet.line() + HEAD_LINES
    }

    /// All methods, in classes where they are nested. What gives rows stands behind these: before Java 16 an inner class has no
    /// static methods.
    fn methods(&mut self, unit: &Unit) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::with_capacity(unit.methods.len());
        let mut nested: Option<&String> = None;
        for (index, method) in unit.methods.iter().enumerate() {
            if method.nested.as_ref() != nested {
                self.close(nested);
                nested = method.nested.as_ref();
                if index > 0 {
                    self.sheet.put_line(0, "");
                }
                self.open(nested);
                self.set_up(unit, nested);
            } else if index > 0 {
                self.sheet.put_line(0, "");
            }
            places.push(self.method(method, unit));
        }
        self.close(nested);
        for method in unit.methods.iter().filter(|method| method.nested.is_some()) {
            self.provider(method);
        }
        places
    }

    fn open(&mut self, nested: Option<&String>) {
        if let Some(name) = nested {
            let annotation = self.names.class(&NESTED.into());
            self.sheet.put_line(MEMBER, &format!("@{annotation}"));
            self.sheet.put_line(MEMBER, &format!("class {name} {{"));
            self.member = 2 * MEMBER;
        }
    }

    fn close(&mut self, nested: Option<&String>) {
        if nested.is_some() {
            self.sheet.put_line(MEMBER, "}");
            self.member = MEMBER;
        }
    }

    /// The fields of a class, and the method before each test that sets them.
    fn set_up(&mut self, unit: &Unit, class: Option<&String>) {
        let Some(SetUp { fields, throws, body, .. }) =
            unit.set_ups.iter().find(|set_up| set_up.nested.as_ref() == class)
        else {
            return;
        };
        let member = self.member;
        for (of, name) in fields {
            self.sheet.put_line(member, &format!("private {} {name};", type_name(of, self.names)));
        }
        if !fields.is_empty() {
            self.sheet.put_line(0, "");
        }
        let [before, _] = self.style.around_each();
        self.sheet.put_line(member, &format!("@{}", self.names.class(&before.into())));
        let public = if self.style.needs_public() { "public " } else { "" };
        let throws = self.throws(throws.as_ref());
        self.sheet.put_line(member, &format!("{public}void {SET_UP}(){throws} {{"));
        for statement in body {
            self.statement(statement, member + MEMBER);
        }
        self.sheet.put_line(member, "}");
        self.sheet.put_line(0, "");
    }

    /// A method that makes what several tests begin with.
    fn helper(&mut self, helper: &Helper) {
        let Helper { name, result, suppressed, throws, body, value } = helper;
        self.suppress(suppressed, MEMBER);
        let throws = self.throws(throws.as_ref());
        let head = format!("private static {} {name}(){throws} {{", type_name(result, self.names));
        self.sheet.put_line(MEMBER, &head);
        for statement in body {
            self.statement(statement, 2 * MEMBER);
        }
        self.reply(&Reply::Value(value.clone()), 2 * MEMBER);
        self.sheet.put_line(MEMBER, "}");
    }

    fn injection(&mut self) {
        for line in injection::lines(self.names) {
            self.sheet.put_line(MEMBER, &line);
        }
    }

    /// What stands behind the brackets of a head that throws.
    fn throws<'c>(&self, classes: impl IntoIterator<Item = &'c ClassName>) -> String {
        let names: Vec<String> = classes.into_iter().map(|class| self.names.class(class)).collect();
        if names.is_empty() { String::new() } else { format!(" throws {}", names.join(", ")) }
    }

    fn method(&mut self, method: &Method, unit: &Unit) -> Place {
        let first = self.line();
        let member = self.member;
        if let Some(table) = &method.table {
            self.table(method, table, unit);
        } else {
            let test = self.names.class(&self.style.test_annotation());
            let expected = method.expected.as_ref().map(|class| self.names.class(class));
            let expected = expected.map_or(String::new(), |class| format!("(expected = {class}.class)"));
            self.sheet.put_line(member, &format!("@{test}{expected}"));
        }
        if let Some(sentence) = &method.display_name {
            let annotation = self.names.class(&DISPLAY_NAME.into());
            self.sheet.put_line(member, &format!("@{annotation}(\"{sentence}\")"));
        }
        self.suppress(&method.suppressed, member);
        let throws = self.throws(method.throws.as_ref());
        let public = if self.style.needs_public() { "public " } else { "" };
        let parameters = method.table.iter().flat_map(|table| &table.parameters);
        let items = parameters.map(|(of, name)| Doc::text(format!("{} {name}", type_name(of, self.names))));
        let head = Doc::Concat(vec![
            Doc::text(format!("{public}void {}", method.name)),
            Doc::List { open: "(", items: items.collect(), close: ")" },
            Doc::text(format!("{throws} {{")),
        ]);
        self.sheet.indent(member);
        self.sheet.put(&head, member, 0);
        self.sheet.end_line();
        let mut lines = Vec::with_capacity(method.body.len());
        let mut indent = member + MEMBER;
        for Line { statement, .. } in &method.body {
            let start = self.line();
            if matches!(statement, Stmt::EndCatch) {
                indent -= MEMBER;
            }
            self.statement(statement, indent);
            if statement.opens_catch() {
                indent += MEMBER;
            }
            lines.push(start..=self.line() - 1);
        }
        self.sheet.put_line(member, "}");
        if method.nested.is_none() {
            self.provider(method);
        }
        Place { first, last: self.line() - 1, lines }
    }

    /// The annotations of a parameterized test.
    fn table(&mut self, method: &Method, table: &Table, unit: &Unit) {
        let member = self.member;
        let class = |name: &str| self.names.class(&name.into());
        self.sheet.put_line(member, &format!("@{}", class(PARAMETERIZED_TEST)));
        match &table.rows {
            Rows::Values { attribute, values: items } => {
                let items = items.iter().map(|value| document(value, self.names)).collect();
                let doc = Doc::Concat(vec![
                    Doc::text(format!("@{}({attribute} = ", class(VALUE_SOURCE))),
                    Doc::List { open: "{", items, close: "}" },
                    Doc::text(")"),
                ]);
                self.sheet.indent(member);
                self.sheet.put(&doc, member, 0);
                self.sheet.end_line();
            }
            Rows::Csv { records, has_null } => {
                let (open, close) = if *has_null {
                    ("value = {", format!("}}, nullValues = \"{NULL}\")"))
                } else {
                    ("{", "})".to_owned())
                };
                self.sheet.put_line(member, &format!("@{}({open}", class(CSV_SOURCE)));
                for (index, record) in records.iter().enumerate() {
                    let comma = if index + 1 < records.len() { "," } else { "" };
                    let record = record.replace('\\', "\\\\").replace('"', "\\\"");
                    self.sheet.put_line(member + MEMBER, &format!("\"{record}\"{comma}"));
                }
                self.sheet.put_line(member, &close);
            }
            Rows::Method(_) => {
                let provider = provider_of(method);
                let source = class(METHOD_SOURCE);
                let outer = match (&method.nested, unit.package.replace('/', ".")) {
                    (None, _) => String::new(),
                    (Some(_), package) if package.is_empty() => format!("{}#", unit.name),
                    (Some(_), package) => format!("{package}.{}#", unit.name),
                };
                self.sheet.put_line(member, &format!("@{source}(\"{outer}{provider}\")"));
            }
        }
    }

    /// The method that gives the rows of a parameterized test, where one does.
    fn provider(&mut self, method: &Method) {
        let Some(Table { rows: Rows::Method(rows), .. }) = &method.table else { return };
        let (arguments, stream) = (self.names.class(&ARGUMENTS.into()), self.names.class(&STREAM.into()));
        self.sheet.put_line(0, "");
        self.suppress(&method.suppressed, MEMBER);
        self.sheet.put_line(MEMBER, &format!("static {stream}<{arguments}> {}() {{", provider_of(method)));
        let (indent, continued) = (2 * MEMBER, 4 * MEMBER);
        self.sheet.put_line(indent, &format!("return {stream}.of("));
        for (index, row) in rows.iter().enumerate() {
            let items = row.iter().map(|value| document(value, self.names)).collect();
            let list = Doc::List { open: "(", items, close: ")" };
            let end = if index + 1 < rows.len() { "," } else { ");" };
            self.sheet.indent(continued);
            self.sheet.put(
                &Doc::Concat(vec![Doc::text(format!("{arguments}.of")), list]),
                continued,
                end.len(),
            );
            self.sheet.push(end);
            self.sheet.end_line();
        }
        self.sheet.put_line(MEMBER, "}");
    }

    fn statement(&mut self, statement: &Stmt, indent: usize) {
        if let Stmt::Evaluate(told) = statement
            && self.with_block(told, indent)
        {
            return;
        }
        match statement {
            Stmt::Blank => self.sheet.put_line(0, ""),
            Stmt::Throws { .. } => self.throwing(statement, indent),
            Stmt::EndCatch => self.sheet.put_line(indent, "}"),
            Stmt::Completes(action) => self.asserted_action(COMPLETES, vec![], action, indent),
            Stmt::Declare { .. } | Stmt::Evaluate(_) | Stmt::Assign { .. } => {
                self.sheet.indent(indent);
                let doc = self.simple(statement);
                self.sheet.put(&doc, indent, 1);
                if let Stmt::Declare { value: Expr::Anonymous(class), .. } = statement
                    && (class.shared.is_none() || !class.methods.is_empty())
                {
                    self.class_body(None, &class.methods, indent);
                }
                if let Stmt::Declare { value: Expr::Lambda { recording: Some(first), body, .. }, .. } =
                    statement
                {
                    self.lambda_body(first, body, indent);
                }
                self.sheet.push(";");
                self.sheet.end_line();
            }
        }
    }

    /// Prints what a mock is told to do where that takes a lambda of several statements, each of which has a line. Whether it did.
    fn with_block(&mut self, told: &Expr, indent: usize) -> bool {
        let Some(lambda) = block_of(told) else { return false };
        let Expr::Lambda { parameters, body, .. } = lambda else { return false };
        let (whole, inner) = (document(told, self.names).flat(), document(lambda, self.names).flat());
        let Some((before, behind)) = whole.split_once(&*inner) else { return false };
        let (head, tail) = (format!("{before}{} {{", lambda_head(parameters)), format!("}}{behind};"));
        if indent + head.len().max(tail.len()) > WIDTH {
            return false;
        }
        self.sheet.put_line(indent, &head);
        self.reply(body, indent + MEMBER);
        self.sheet.put_line(indent, &tail);
        true
    }

    fn stub_class(&mut self, class: &StubClass) {
        self.sheet.put_line(MEMBER, "/** Gives null, zero or false, and does nothing. */");
        self.suppress(&class.suppressed, MEMBER);
        let relation = if class.is_interface { "implements" } else { "extends" };
        let of = type_name(&GenericType::Class(class.of.clone()), self.names);
        self.sheet.indent(MEMBER);
        let parameters = if class.parameters.is_empty() {
            String::new()
        } else {
            format!("<{}>", class.parameters.join(", "))
        };
        self.sheet.push(&format!("private static class {}{parameters} {relation} {of}", class.name));
        let constructor = class.constructor.as_ref().map(|constructor| (&*class.name, constructor));
        self.class_body(constructor, &class.methods, MEMBER);
        self.sheet.end_line();
    }

    /// A constructor that hands on what it takes, of the class with a name.
    fn constructor(&mut self, (class, constructor): (&str, &StubConstructor), indent: usize) {
        let StubConstructor { parameters, varargs, throws } = constructor;
        let head = Doc::Concat(vec![
            Doc::text(class.to_owned()),
            self.parameters(parameters, *varargs),
            Doc::text(format!("{} {{", self.throws(throws))),
        ]);
        self.sheet.indent(indent);
        self.sheet.put(&head, indent, 0);
        self.sheet.end_line();
        let items = parameters.iter().map(|(_, name)| Doc::text(name.clone())).collect();
        let call = Doc::Concat(vec![Doc::text("super"), Doc::List { open: "(", items, close: ");" }]);
        self.sheet.indent(indent + MEMBER);
        self.sheet.put(&call, indent + MEMBER, 0);
        self.sheet.end_line();
        self.sheet.put_line(indent, "}");
    }

    /// The body of a class within that of the tests, from the opening brace behind its head to the closing one.
    fn class_body(
        &mut self,
        constructor: Option<(&str, &StubConstructor)>,
        methods: &[Implementation],
        indent: usize,
    ) {
        self.sheet.push(" {");
        if methods.is_empty() && constructor.is_none() {
            self.sheet.push("}");
            return;
        }
        self.sheet.end_line();
        let counters: Vec<&String> = methods.iter().filter_map(|method| method.counter.as_ref()).collect();
        for counter in &counters {
            self.sheet.put_line(indent + MEMBER, &format!("private int {counter};"));
        }
        if let Some(constructor) = constructor {
            self.constructor(constructor, indent + MEMBER);
        }
        for (index, method) in methods.iter().enumerate() {
            if index > 0 || !counters.is_empty() || constructor.is_some() {
                self.sheet.put_line(0, "");
            }
            self.implementation(method, indent + MEMBER);
        }
        self.sheet.indent(indent);
        self.sheet.push("}");
    }

    /// What a lambda does that does something first, from the opening brace to the closing one.
    fn lambda_body(&mut self, first: &Expr, body: &Reply, indent: usize) {
        self.sheet.push(" {");
        self.sheet.end_line();
        self.statement(&Stmt::Evaluate(first.clone()), indent + MEMBER);
        if *body != Reply::Nothing {
            self.reply(body, indent + MEMBER);
        }
        self.sheet.indent(indent);
        self.sheet.push("}");
    }

    fn implementation(&mut self, method: &Implementation, indent: usize) {
        let annotation = self.names.class(&"java/lang/Override".into());
        self.sheet.put_line(indent, &format!("@{annotation}"));
        let result = method.result.as_ref().map_or_else(|| "void".to_owned(), |of| type_name(of, self.names));
        let head = Doc::Concat(vec![
            Doc::text(format!("{}{result} {}", method.access, method.name)),
            self.parameters(&method.parameters, method.varargs),
            Doc::text(format!("{} {{", self.throws(&method.throws))),
        ]);
        self.sheet.indent(indent);
        self.sheet.put(&head, indent, 0);
        self.sheet.end_line();
        self.replies(method, indent + MEMBER);
        self.sheet.put_line(indent, "}");
    }

    /// Parameters in brackets, the last one with `...` where it is so declared.
    fn parameters(&self, parameters: &[(GenericType, String)], varargs: bool) -> Doc {
        let last = parameters.len().wrapping_sub(1);
        let parameter = |(index, (of, name)): (usize, &(GenericType, String))| {
            let of = if let GenericType::Array(element) = of
                && varargs
                && index == last
            {
                format!("{}...", type_name(element, self.names))
            } else {
                type_name(of, self.names)
            };
            Doc::text(format!("{of} {name}"))
        };
        Doc::List { open: "(", items: parameters.iter().enumerate().map(parameter).collect(), close: ")" }
    }

    fn replies(&mut self, method: &Implementation, indent: usize) {
        if let Some(recording) = &method.recording {
            self.statement(&Stmt::Evaluate(recording.clone()), indent);
        }
        let counter = method.counter.as_deref().unwrap_or_default();
        match method.replies.as_slice() {
            [] | [Reply::Nothing] => {}
            [only] => self.reply(only, indent),
            [first, second] => {
                self.sheet.put_line(indent, &format!("if ({counter}++ == 0) {{"));
                self.reply_before_others(first, indent + MEMBER);
                self.sheet.put_line(indent, "}");
                if *second != Reply::Nothing {
                    self.reply(second, indent);
                }
            }
            [before @ .., last] => {
                self.sheet.put_line(indent, &format!("switch ({counter}++) {{"));
                for (call, reply) in before.iter().enumerate() {
                    self.sheet.put_line(indent + MEMBER, &format!("case {call}:"));
                    self.reply_before_others(reply, indent + 2 * MEMBER);
                }
                self.sheet.put_line(indent + MEMBER, "default:");
                self.reply(last, indent + 2 * MEMBER);
                self.sheet.put_line(indent, "}");
            }
        }
    }

    /// A reply behind which others stand.
    fn reply_before_others(&mut self, reply: &Reply, indent: usize) {
        self.reply(reply, indent);
        if let Reply::Call { then: None, .. } = reply {
            self.reply(&Reply::Nothing, indent);
        }
    }

    fn reply(&mut self, reply: &Reply, indent: usize) {
        let doc = match reply {
            Reply::Call { call, then } => {
                self.statement(&Stmt::Evaluate(call.clone()), indent);
                if let Some(then) = then {
                    self.reply(&Reply::Value(then.clone()), indent);
                }
                return;
            }
            Reply::Value(value) => Doc::Concat(vec![Doc::text("return "), document(value, self.names)]),
            Reply::Throw(thrown) => Doc::Concat(vec![Doc::text("throw "), document(thrown, self.names)]),
            Reply::Nothing => Doc::text("return"),
        };
        self.sheet.indent(indent);
        self.sheet.put(&doc, indent, 1);
        self.sheet.push(";");
        self.sheet.end_line();
    }

    /// A statement on its own, without the semicolon.
    fn simple(&self, statement: &Stmt) -> Doc {
        match statement {
            Stmt::Declare { of, name, value } => {
                let declared = Doc::text(format!("{} {name}", type_name(of, self.names)));
                Doc::assigned(&declared, document(value, self.names))
            }
            Stmt::Evaluate(value) => document(value, self.names),
            Stmt::Assign { target, value } => {
                Doc::assigned(&document(target, self.names), document(value, self.names))
            }
            Stmt::Blank | Stmt::Throws { .. } | Stmt::EndCatch | Stmt::Completes(_) => Doc::text(""),
        }
    }

    /// The call of an assertion whose last argument is a statement.
    fn asserted_action(&mut self, head: &str, mut items: Vec<Doc>, action: &Stmt, indent: usize) {
        items.push(Doc::Concat(vec![Doc::text("() -> "), self.simple(action)]));
        let call = Doc::Concat(vec![Doc::text(head), Doc::List { open: "(", items, close: ")" }]);
        self.sheet.indent(indent);
        self.sheet.put(&call, indent, 1);
        self.sheet.push(";");
        self.sheet.end_line();
    }

    fn throwing(&mut self, statement: &Stmt, indent: usize) {
        let Stmt::Throws { exception, action, form, name } = statement else { return };
        let class = self.names.class(exception);
        let declared = name.as_ref().map_or_else(String::new, |name| format!("{class} {name} = "));
        match form {
            ThrowsForm::Annotation => self.statement(action, indent),
            ThrowsForm::AssertThrows if matches!(**action, Stmt::Declare { .. }) => {
                self.sheet.put_line(indent, &format!("{declared}assertThrows({class}.class, () -> {{"));
                self.statement(action, indent + MEMBER);
                self.sheet.put_line(indent, "});");
            }
            ThrowsForm::AssertThrows => {
                let class = Doc::text(format!("{class}.class"));
                self.asserted_action(&format!("{declared}assertThrows"), vec![class], action, indent);
            }
            ThrowsForm::TryFailCatch => {
                self.sheet.put_line(indent, "try {");
                self.statement(action, indent + MEMBER);
                let message = Expr::Text(format!("Expected {class}").as_str().into());
                let fail = Stmt::Evaluate(Expr::assertion("fail", vec![message]));
                self.statement(&fail, indent + MEMBER);
                let name = name.as_deref().unwrap_or("expected");
                self.sheet.put_line(indent, &format!("}} catch ({class} {name}) {{"));
                if !statement.opens_catch() {
                    self.sheet.put_line(indent + MEMBER, "// as it should be");
                    self.sheet.put_line(indent, "}");
                }
            }
        }
    }
}

/// The lambda of several statements that is passed to a call, or to one of those that it is chained to.
fn block_of(told: &Expr) -> Option<&Expr> {
    let Expr::Call { receiver, arguments, .. } = told else { return None };
    let is_block = |argument: &&Expr| {
        let Expr::Lambda { body, recording: None, .. } = argument else { return false };
        matches!(**body, Reply::Call { then: Some(_), .. })
    };
    let of_receiver = || if let Receiver::Object(object) = receiver { block_of(object) } else { None };
    arguments.iter().find(is_block).or_else(of_receiver)
}
