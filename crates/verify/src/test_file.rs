//! A delivered test file as a text, in our own form or in what a formatter of the project made of it: which tests it has, and where.

use std::ops::RangeInclusive;

use output::junit::tokens::{Token, TokenKind, tokens};

use crate::suite::TestName;

/// A test file as we print them, formatted in whatever way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFile {
    /// Path below the root of the test sources, with slashes.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A test method of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TestMethod {
    name: String,
    /// The class within that of the file that holds it.
    nested: Option<String>,
    /// Number of its rows; `None` where it is run once.
    rows: Option<usize>,
    /// Its lines, from 1, annotations included, then those of what gives its rows.
    lines: Vec<RangeInclusive<u32>>,
}

impl TestMethod {
    /// What its tests are known by.
    fn tests(&self) -> Vec<String> {
        match self.rows {
            Some(rows) => (1..=rows).map(|row| format!("{}[{row}]", self.name)).collect(),
            None => vec![self.name.clone()],
        }
    }
}

impl TestFile {
    /// Its test methods: those that have `@Test` or `@ParameterizedTest`.
    fn methods(&self) -> Vec<TestMethod> {
        let tokens = tokens(&self.text);
        let members = members(&tokens);
        let rows_of = |method: &Member<'_>| match provider(method) {
            Some(name) => {
                let provider = members.iter().find(|member| member.name == name && member.is_static());
                (provider.and_then(|provider| rows(provider.tokens, &["Stream", ".", "of", "("])), provider)
            }
            None => (sources(method).find_map(|source| rows(source, &["{"])), None),
        };
        let methods = members.iter().filter(|member| member.is_test());
        let test_method = |method: &Member<'_>| {
            let (rows, provider) = rows_of(method);
            TestMethod {
                name: method.name.to_owned(),
                nested: method.nested.map(str::to_owned),
                rows,
                lines: [Some(method), provider].into_iter().flatten().map(Member::lines).collect(),
            }
        };
        methods.map(test_method).collect()
    }

    /// Its tests with the lines of their methods, annotations included. Rows of one method have the same.
    pub fn tests(&self) -> Vec<(String, RangeInclusive<u32>)> {
        let tests = |method: TestMethod| {
            let lines = method.lines.first().cloned();
            lines
                .into_iter()
                .flat_map(move |lines| method.tests().into_iter().map(move |test| (test, lines.clone())))
        };
        self.methods().into_iter().flat_map(tests).collect()
    }

    /// Name of the test method that a line, from 1, belongs to.
    pub(crate) fn test_at(&self, line: u32) -> Option<String> {
        self.method_at(line).map(|method| method.name)
    }

    fn method_at(&self, line: u32) -> Option<TestMethod> {
        self.methods().into_iter().find(|method| method.lines.iter().any(|lines| lines.contains(&line)))
    }

    /// Empties what a line stands in: its test, or itself where it is an import. Whether there was something to empty.
    pub(crate) fn without(&mut self, line: u32) -> bool {
        let is_import = || {
            let text = self.text.lines().nth(line.saturating_sub(1) as usize);
            text.is_some_and(|text| text.trim_start().starts_with("import "))
        };
        let lines = match self.method_at(line) {
            Some(method) => method.lines,
            None if is_import() => vec![line..=line],
            None => return false,
        };
        let is_gone = |number: u32| lines.iter().any(|lines| lines.contains(&number));
        let kept = self.text.lines().zip(1..).map(|(text, number)| if is_gone(number) { "" } else { text });
        self.text = kept.flat_map(|line| [line, "\n"]).collect();
        true
    }

    fn class(&self) -> String {
        self.path.trim_end_matches(".java").replace('/', ".")
    }

    /// Its tests, in their order.
    pub(crate) fn names(&self) -> Vec<TestName> {
        let class = self.class();
        let names = |method: TestMethod| {
            let class = method.nested.as_ref().map_or(class.clone(), |nested| format!("{class}${nested}"));
            let tests = method.tests().into_iter();
            tests.map(|method| TestName { class: class.clone(), method }).collect::<Vec<_>>()
        };
        self.methods().into_iter().flat_map(names).collect()
    }
}

/// A method of a class, with the comments and annotations in front of it and its body.
#[derive(Debug)]
struct Member<'a> {
    name: &'a str,
    /// The class within that of the file that holds it.
    nested: Option<&'a str>,
    annotations: Vec<Annotation<'a>>,
    /// Where its name is among its tokens.
    name_at: usize,
    tokens: &'a [Token<'a>],
}

#[derive(Debug)]
struct Annotation<'a> {
    name: &'a str,
    /// What stands behind the name, parentheses included.
    arguments: &'a [Token<'a>],
}

impl Member<'_> {
    fn is_test(&self) -> bool {
        self.annotations.iter().any(|annotation| matches!(annotation.name, "Test" | "ParameterizedTest"))
    }

    fn is_static(&self) -> bool {
        self.tokens[..self.name_at].iter().any(|token| token.is("static"))
    }

    fn lines(&self) -> RangeInclusive<u32> {
        let first = self.tokens.first().map_or(0, |token| token.line);
        first..=self.tokens.last().map_or(first, Token::last_line)
    }
}

/// The methods of the class of a file, and of the classes in it, in their order.
fn members<'a>(tokens: &'a [Token<'a>]) -> Vec<Member<'a>> {
    let mut members = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let head = Head::of(&tokens[at..]);
        at += head.length.max(1);
        if matches!(head.what, What::Class(_)) {
            at += members_of(&tokens[at..], None, &mut members) + 1;
        }
    }
    members
}

/// Adds the methods of a class whose body this is, from behind its opening brace; returns how many tokens it takes.
fn members_of<'a>(tokens: &'a [Token<'a>], nested: Option<&'a str>, members: &mut Vec<Member<'a>>) -> usize {
    let mut at = 0;
    while at < tokens.len() && !tokens[at].is("}") {
        let head = Head::of(&tokens[at..]);
        let end = match head.what {
            What::Class(name) => {
                let inner = at + head.length;
                let nested = nested.or(Some(name));
                (inner + members_of(&tokens[inner..], nested, members) + 1).min(tokens.len())
            }
            What::Method { name_at } => {
                let end = at + head.length + behind_brackets(&tokens[at + head.length - 1..]) - 1;
                let tokens = &tokens[at..end];
                let name = tokens[name_at].text;
                members.push(Member { name, nested, annotations: head.annotations, name_at, tokens });
                end
            }
            What::Other => at + head.length,
        };
        at = end;
    }
    at
}

/// What a member begins with: all up to and with its opening brace, else up to its end.
struct Head<'a> {
    annotations: Vec<Annotation<'a>>,
    what: What<'a>,
    /// In tokens.
    length: usize,
}

enum What<'a> {
    Class(&'a str),
    /// With the position of its name.
    Method {
        name_at: usize,
    },
    /// A field, an initializer, an abstract method, or a semicolon alone.
    Other,
}

impl<'a> Head<'a> {
    /// That of the member that these tokens begin with.
    fn of(tokens: &'a [Token<'a>]) -> Self {
        let mut annotations = Vec::new();
        let (mut class, mut name_at, mut has_value) = (None, None, false);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if token.is("@") {
                let (annotation, length) = annotation(&tokens[at..]);
                annotations.push(annotation);
                at += length;
                continue;
            }
            if token.is("}") {
                return Self { annotations, what: What::Other, length: at };
            }
            if token.is(";") || (token.is("{") && !has_value) {
                let what = match (class, name_at) {
                    _ if token.is(";") => What::Other,
                    (Some(name), _) => What::Class(name),
                    (None, Some(name_at)) => What::Method { name_at },
                    (None, None) => {
                        let length = at + behind_brackets(&tokens[at..]);
                        return Self { annotations, what: What::Other, length };
                    }
                };
                return Self { annotations, what, length: at + 1 };
            }
            if token.is("(") && name_at.is_none() && at > 0 {
                name_at = Some(at - 1);
            }
            has_value |= token.is("=");
            if ["class", "interface", "enum", "record"].iter().any(|word| token.is(word)) && name_at.is_none()
            {
                let name = tokens.get(at + 1).filter(|name| name.kind == TokenKind::Word);
                class = class.or(name.map(|name| name.text));
            }
            at +=
                if ["(", "{"].iter().any(|open| token.is(open)) { behind_brackets(&tokens[at..]) } else { 1 };
        }
        Self { annotations, what: What::Other, length: tokens.len() }
    }
}

/// The annotation that tokens begin with, and how many it takes.
fn annotation<'a>(tokens: &'a [Token<'a>]) -> (Annotation<'a>, usize) {
    let mut name_at = 1;
    while tokens.get(name_at + 1).is_some_and(|token| token.is(".")) && name_at + 2 < tokens.len() {
        name_at += 2;
    }
    let behind = (name_at + 1).min(tokens.len());
    let has_arguments = tokens.get(behind).is_some_and(|token| token.is("("));
    let end = if has_arguments { behind + behind_brackets(&tokens[behind..]) } else { behind };
    let name = tokens.get(name_at).map_or("", |token| token.text);
    (Annotation { name, arguments: &tokens[behind..end] }, end)
}

/// How many tokens lie between the bracket that these begin with and what follows on the one that closes it, both included.
fn behind_brackets(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    let closing = tokens.iter().position(|token| {
        depth += ["(", "{", "["].iter().filter(|open| token.is(open)).count();
        depth -= [")", "}", "]"].iter().filter(|close| token.is(close)).count().min(depth);
        depth == 0
    });
    closing.map_or(tokens.len(), |at| at + 1)
}

/// The arguments of the annotations of a method that give it rows: `@CsvSource`, `@ValueSource`.
fn sources<'a>(method: &Member<'a>) -> impl Iterator<Item = &'a [Token<'a>]> {
    method
        .annotations
        .iter()
        .filter(|annotation| annotation.name.ends_with("Source"))
        .map(|source| source.arguments)
}

/// The method that gives the rows, by what `@MethodSource` says.
fn provider<'a>(method: &Member<'a>) -> Option<&'a str> {
    let source = method.annotations.iter().find(|annotation| annotation.name == "MethodSource")?;
    let name = source.arguments.iter().find(|token| token.kind == TokenKind::Text)?.text.trim_matches('"');
    Some(name.rsplit('#').next().unwrap_or(name))
}

/// Number of the items in the list behind `opening`, whose last token is a bracket; `None` where there is none.
fn rows(tokens: &[Token<'_>], opening: &[&str]) -> Option<usize> {
    let is_there = |window: &[Token<'_>]| window.iter().zip(opening).all(|(token, text)| token.is(text));
    let list = tokens.windows(opening.len()).position(is_there)? + opening.len();
    let (mut at, mut items, mut is_item) = (list, 0, false);
    while let Some(token) = tokens.get(at) {
        if [")", "}"].iter().any(|close| token.is(close)) {
            break;
        }
        if token.is(",") {
            is_item = false;
        } else if token.kind != TokenKind::Comment {
            items += usize::from(!is_item);
            is_item = true;
        }
        at += behind_brackets(&tokens[at..]);
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = r#"package p;

class ACovolveTest {
    @ParameterizedTest
    @CsvSource({
        "a, 'b, \" c', 1",
        "'class X {', }, 2",
        "void foo(int), b, 3"
    })
    void first(String text, String other, int expected) {
        helper();
    }

    @ParameterizedTest
    @ValueSource(chars = {'a', ',', '}', '\''})
    @DisplayName("second (4)")
    void second(char letter) throws Exception {
    }

    @ParameterizedTest
    @MethodSource("thirdRows")
    void third(String text) {
    }

    static Stream<Arguments> thirdRows() {
        return Stream.of(
                Arguments.of("a,\n", 1),
                Arguments.of("b", 2));
    }

    @Nested
    class Inner {
        @Test
        void fourth() {
        }

        @ParameterizedTest
        @MethodSource("p.ACovolveTest#fifthRows")
        void fifth(String text) {
        }
    }

    static Stream<Arguments> fifthRows() {
        return Stream.of(
                Arguments.of("a", 1));
    }
}
"#;

    #[test]
    fn rows_of_parameterized_tests_and_tests_in_classes_are_tests() {
        let file = TestFile { path: "p/ACovolveTest.java".into(), text: ROWS.into() };
        let names: Vec<String> =
            file.names().into_iter().map(|name| format!("{}.{}", name.class, name.method)).collect();
        let outer = [
            "first[1]",
            "first[2]",
            "first[3]",
            "second[1]",
            "second[2]",
            "second[3]",
            "second[4]",
            "third[1]",
            "third[2]",
        ];
        let inner = ["fourth", "fifth[1]"];
        let expect: Vec<String> = (outer.iter().map(|name| format!("p.ACovolveTest.{name}")))
            .chain(inner.iter().map(|name| format!("p.ACovolveTest$Inner.{name}")))
            .collect();
        assert_eq!(names, expect);
        let at = |line| file.method_at(line).map(|method| method.name);
        for (line, expect) in [
            (3, None),
            (4, Some("first")),
            (7, Some("first")),
            (12, Some("first")),
            (13, None),
            (16, Some("second")),
            (22, Some("third")),
            (26, Some("third")),
            (35, Some("fourth")),
            (46, Some("fifth")),
        ] {
            assert_eq!(at(line).as_deref(), expect, "{line}");
        }
        let mut less = file.clone();
        assert!(less.without(26) && !less.text.contains("third"));
        assert_eq!(less.text.lines().count(), ROWS.lines().count());
    }

    /// What formatters do to it: tabs, braces of their own lines or none, annotations beside what they belong to, broken heads and
    /// lists, a comma behind the last item.
    #[test]
    fn tests_of_a_formatted_file_are_the_same() {
        let formatted = ROWS
            .replace("    ", "\t")
            .replace("@Test\n\t\t", "@Test ")
            .replace("{\n\t}", "\n\t{}")
            .replace("void fourth() {\n\t\t}", "void fourth() {}")
            .replace("void second(char letter) throws", "void second(\n\t\t\tchar letter)\n\t\t\tthrows")
            .replace("class Inner {", "class Inner\n\t{")
            .replace(
                "static Stream<Arguments> thirdRows() {",
                "static Stream<Arguments>\n\t\t\tthirdRows()\n\t{",
            )
            .replace("Stream.of(\n\t\t\t\tA", "Stream\n\t\t\t.of(A")
            .replace("b, 3\"\n", "b, 3\",\n")
            .replace("{'a', ',', '}', '\\''}", "{\n'a',\n',',\n'}',\n'\\'' }");
        let names = |text: &str| TestFile { path: "p/ACovolveTest.java".into(), text: text.into() }.names();
        assert_eq!(names(&formatted), names(ROWS), "{formatted}");
        let fields = "class A {\n  static int[] a = {1, 2}; static { f(); }; abstract void b(); void record() {}\n  Runnable c = new Runnable() { \
                      public void run() {} };\n  @Test void d() { new B() { @Test void e() {} }; }\n // last\n}\n";
        let fields = format!("import p.q;\n@SuppressWarnings({{\"a\", \"b\"}}) {fields} // behind\n");
        assert_eq!(names(&fields).len(), 1, "{fields}");
        assert_eq!(
            names("class A { @Test void f(").len() + names("@").len() + names("{ @").len(),
            0,
            "no Java"
        );
    }
}
