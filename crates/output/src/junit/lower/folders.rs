//! Files that a test prepares in the folder that it has to itself ([`testcase::cluster::folder`]), and those that it finds there, as
//! a person says it: with `java.nio.file.Files`, in a folder that JUnit makes and removes.

use bytecode::name::ClassName;
use testcase::assertion::{Assertion, FileState, ObservedValue, SeenFile};
use testcase::cluster::folder::{Act, FolderCall, Form};
use testcase::cluster::{Callable, TestCluster};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::Unprintable;
use super::assertions::written_equality;
use super::body::Body;
use crate::junit::ast::{Expr, Receiver, Stmt};
use crate::junit::folder::FIELD;
use crate::junit::literals::Context;

const FILES: &str = "java/nio/file/Files";
/// `new File(File, String)`
const IN_FOLDER: &str = "(Ljava/io/File;Ljava/lang/String;)V";
const IO_EXCEPTION: &str = "java/io/IOException";
/// `Files.writeString` and `Files.readString`, since Java 11.
const WRITE_STRING: (&str, &str) = (
    "writeString",
    "(Ljava/nio/file/Path;Ljava/lang/CharSequence;[Ljava/nio/file/OpenOption;)Ljava/nio/file/Path;",
);
const READ_STRING: (&str, &str) = ("readString", "(Ljava/nio/file/Path;)Ljava/lang/String;");

impl Body<'_> {
    /// A call that stands for what a test does with its files. `used` tells whether anything reads the result.
    pub(super) fn folder_call(
        &mut self,
        call: FolderCall,
        callable: &Callable,
        arguments: &[VarRef],
        used: bool,
    ) -> Result<Expr, Unprintable> {
        let mut operands = self.typed_operands(callable, arguments)?.into_iter();
        let mut next = || operands.next().unwrap_or_else(Expr::null);
        let form = call.form;
        let path = match call.act {
            Act::Folder if form == Form::File => return Ok(self.folder_file()),
            Act::Folder => self.folder_path(),
            Act::File if form != Form::File => resolve(self.folder_path(), next()),
            Act::File => {
                return Ok(Expr::New {
                    outer: None,
                    class: "java/io/File".into(),
                    diamond: false,
                    arguments: vec![self.folder_file(), next()],
                });
            }
            Act::Written => {
                let path = resolve(self.folder_path(), next());
                self.writing(path, next(), arguments.last())
            }
            Act::Made => of_files("createDirectory", vec![resolve(self.folder_path(), next())]),
            Act::Write => {
                let path = as_path(next(), form);
                return Ok(self.writing(path, next(), arguments.last()));
            }
            Act::Put => {
                let folder = as_path(next(), form);
                let path = resolve(folder, next());
                return Ok(self.writing(path, next(), arguments.last()));
            }
        };
        Ok(match form {
            _ if !used => path,
            Form::File => on(path, "toFile", Vec::new()),
            Form::Path => path,
            Form::Name => on(path, "toString", Vec::new()),
        })
    }

    /// The arguments of a call that is printed as others, each of a type that these tell: `null` is cast.
    pub(super) fn typed_operands(
        &mut self,
        callable: &Callable,
        arguments: &[VarRef],
    ) -> Result<Vec<Expr>, Unprintable> {
        self.note(callable);
        let mut operands = Vec::with_capacity(arguments.len());
        for (&argument, parameter) in arguments.iter().zip(&callable.parameters) {
            let operand = self.operand(argument, Context::Argument)?;
            let is_null = matches!(self.test.test.statement(argument), Statement::Null { .. });
            operands.push(if is_null && self.is_inline(argument) {
                operand.cast(self.context.cluster.ty(parameter.of).generic.clone())
            } else {
                operand
            });
        }
        Ok(operands)
    }

    /// The folder as a `java.nio.file.Path`.
    fn folder_path(&self) -> Expr {
        if self.context.style.gives_path() { field() } else { on(self.folder_file(), "toPath", Vec::new()) }
    }

    /// The folder as a `java.io.File`.
    fn folder_file(&self) -> Expr {
        on(field(), if self.context.style.gives_path() { "toFile" } else { "getRoot" }, Vec::new())
    }

    /// Writing a text to a file. `writeString` refuses what is no Unicode, so it is for literals.
    fn writing(&self, path: Expr, text: Expr, variable: Option<&VarRef>) -> Expr {
        let literal = variable.map(|variable| self.test.test.statement(*variable));
        let is_unicode = matches!(literal, Some(Statement::Primitive { value: Value::String(text), .. })
            if String::from_utf16(text.units()).is_ok());
        if is_unicode && self.has(WRITE_STRING) {
            return of_files(WRITE_STRING.0, vec![path, text]);
        }
        of_files("write", vec![path, on(text, "getBytes", vec![utf_8()])])
    }

    /// Whether `java.nio.file.Files` has a method.
    fn has(&self, (name, descriptor): (&str, &str)) -> bool {
        let files = self.context.view.hierarchy.class(&FILES.into());
        files.is_some_and(|files| files.method(name, descriptor).is_some())
    }

    /// What is found in the folder, a statement for each file; `None` for other assertions.
    pub(super) fn file_checks(&mut self, assertion: &Assertion) -> Option<Vec<Stmt>> {
        let ObservedValue::Files(files) = &assertion.expected else { return None };
        Some(files.iter().map(|file| Stmt::Evaluate(self.file_check(file))).collect())
    }

    fn file_check(&mut self, file: &SeenFile) -> Expr {
        let (place, form) = self.place_of(&file.name);
        match &file.state {
            FileState::Absent => Expr::assertion("assertFalse", vec![ask(place, form, "exists")]),
            FileState::Present => Expr::assertion("assertTrue", vec![ask(place, form, "exists")]),
            FileState::Folder => Expr::assertion("assertTrue", vec![ask(place, form, "isDirectory")]),
            FileState::Text(text) if text.is_empty() => self.size_check(0, place, form),
            FileState::Bytes(size) => self.size_check(*size, place, form),
            FileState::Text(text) => {
                let read = self.reading(as_path(place, form));
                written_equality(read, text)
            }
        }
    }

    fn size_check(&mut self, size: u64, place: Expr, form: Form) -> Expr {
        let suffix = if i32::try_from(size).is_ok() { "" } else { "L" };
        let size = Expr::Literal(format!("{size}{suffix}"));
        let asked = if form == Form::File { "length" } else { "size" };
        if form != Form::File {
            self.note_exceptions(&[IO_EXCEPTION.into()]);
        }
        Expr::assertion("assertEquals", vec![size, ask(place, form, asked)])
    }

    /// The text of a file.
    fn reading(&mut self, path: Expr) -> Expr {
        self.note_exceptions(&[IO_EXCEPTION.into()]);
        if self.has(READ_STRING) {
            return of_files(READ_STRING.0, vec![path]);
        }
        Expr::New {
            outer: None,
            class: ClassName::string(),
            diamond: false,
            arguments: vec![of_files("readAllBytes", vec![path]), utf_8()],
        }
    }

    /// A file in the folder, and what gives it: a variable that the test has for it, if it has one, else its path.
    fn place_of(&self, name: &str) -> (Expr, Form) {
        let made = maker(self.context.cluster, &self.test.test, name);
        let known = made.and_then(|(file, form)| Some((self.names[file.index()].clone()?, form)));
        match known {
            Some((variable, form)) => (Expr::Variable(variable), form),
            None if name.is_empty() => (self.folder_path(), Form::Path),
            None => (resolve(self.folder_path(), Expr::Text(name.into())), Form::Path),
        }
    }
}

/// Something that a file is asked: as a `java.io.File` itself, or by its path.
fn ask(place: Expr, form: Form, asked: &str) -> Expr {
    if form == Form::File { Expr::call_on(place, asked) } else { of_files(asked, vec![place]) }
}

/// The statements of a test that give the files which it expects in the folder, as objects.
pub(super) fn makers(cluster: &TestCluster, test: &TestCase, expected: &ObservedValue) -> Vec<VarRef> {
    let ObservedValue::Files(files) = expected else { return Vec::new() };
    let made = files.iter().filter_map(|file| maker(cluster, test, &file.name));
    made.map(|(file, _)| file).collect()
}

/// The first statement of a test that gives the file of this name in the folder, as an object; the folder has none.
fn maker(cluster: &TestCluster, test: &TestCase, name: &str) -> Option<(VarRef, Form)> {
    let is_name = |named: Option<&VarRef>| {
        matches!(named.map(|&named| test.statement(named)), Some(Statement::Primitive { value: Value::String(text), .. })
            if text.to_string() == name)
    };
    let call_of = |statement: &Statement| FolderCall::of(cluster.callable(statement.callable()?));
    let is_folder =
        |variable: &VarRef| call_of(test.statement(*variable)).is_some_and(|call| call.act == Act::Folder);
    test.statements().iter().enumerate().find_map(|(position, statement)| {
        let file = VarRef::from(position);
        if let Statement::Constructor { callable, arguments } = statement {
            let of = cluster.callable(*callable);
            let is_within = of.declared_in.as_str() == "java/io/File" && &*of.descriptor == IN_FOLDER;
            let gives_it = is_within && arguments.first().is_some_and(is_folder) && is_name(arguments.get(1));
            return gives_it.then_some((file, Form::File));
        }
        let call = call_of(statement)?;
        let Statement::Method { arguments, .. } = statement else { return None };
        let gives_it = match (call.act, call.form) {
            (_, Form::Name) | (Act::Write | Act::Put, _) => false,
            (Act::Folder, Form::File | Form::Path) => name.is_empty(),
            (Act::File | Act::Written | Act::Made, Form::File | Form::Path) => is_name(arguments.first()),
        };
        gives_it.then_some((file, call.form))
    })
}

pub(super) fn utf_8() -> Expr {
    Expr::Constant { class: "java/nio/charset/StandardCharsets".into(), name: "UTF_8".to_owned() }
}

/// The field with the folder.
fn field() -> Expr {
    Expr::Variable(FIELD.to_owned())
}

fn as_path(file: Expr, form: Form) -> Expr {
    match form {
        Form::File => on(file, "toPath", Vec::new()),
        Form::Path => file,
        Form::Name => call(Receiver::Class(ClassName::new("java/nio/file/Paths")), "get", vec![file]),
    }
}

fn resolve(folder: Expr, name: Expr) -> Expr {
    on(folder, "resolve", vec![name])
}

fn of_files(name: &str, arguments: Vec<Expr>) -> Expr {
    call(Receiver::Class(ClassName::new(FILES)), name, arguments)
}

pub(super) fn on(object: Expr, name: &str, arguments: Vec<Expr>) -> Expr {
    call(Receiver::Object(Box::new(object)), name, arguments)
}

pub(super) fn call(receiver: Receiver, name: &str, arguments: Vec<Expr>) -> Expr {
    Expr::Call { receiver, type_arguments: Vec::new(), name: name.to_owned(), arguments }
}
