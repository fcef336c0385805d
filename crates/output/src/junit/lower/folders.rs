//! Files that a test prepares in the folder that it has to itself ([`testcase::cluster::folder`]), as a person does it: with
//! `java.nio.file.Files`, in a folder that JUnit makes and removes.

use bytecode::name::ClassName;
use testcase::cluster::Callable;
use testcase::cluster::folder::{Act, FolderCall, Form};
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

use super::Unprintable;
use super::body::Body;
use crate::junit::ast::{Expr, Receiver};
use crate::junit::folder::FIELD;
use crate::junit::literals::Context;

const FILES: &str = "java/nio/file/Files";
/// `Files.writeString`, since Java 11.
const WRITE_STRING: &str =
    "(Ljava/nio/file/Path;Ljava/lang/CharSequence;[Ljava/nio/file/OpenOption;)Ljava/nio/file/Path;";

impl Body<'_> {
    /// A call that stands for what a test does with its files. `used` tells whether anything reads the result.
    pub(super) fn folder_call(
        &mut self,
        call: FolderCall,
        callable: &Callable,
        arguments: &[VarRef],
        used: bool,
    ) -> Result<Expr, Unprintable> {
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
        let mut operands = operands.into_iter();
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
        let files = self.context.view.hierarchy.class(&FILES.into());
        let has_write_string = files.is_some_and(|files| files.method("writeString", WRITE_STRING).is_some());
        if is_unicode && has_write_string {
            return of_files("writeString", vec![path, text]);
        }
        let charset =
            Expr::Constant { class: "java/nio/charset/StandardCharsets".into(), name: "UTF_8".to_owned() };
        of_files("write", vec![path, on(text, "getBytes", vec![charset])])
    }
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

fn on(object: Expr, name: &str, arguments: Vec<Expr>) -> Expr {
    call(Receiver::Object(Box::new(object)), name, arguments)
}

fn call(receiver: Receiver, name: &str, arguments: Vec<Expr>) -> Expr {
    Expr::Call { receiver, type_arguments: Vec::new(), name: name.to_owned(), arguments }
}
