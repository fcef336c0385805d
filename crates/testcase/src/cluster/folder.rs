//! The folder that a test has to itself: what makes files in it, and what fills them.
//!
//! The test file gets it from JUnit; in a run it is a folder that is empty when the test begins. These calls stand for the
//! statements that a person writes to prepare files: `Files.write(folder.resolve("a.txt"), …)` is one statement of a test
//! case, which the search draws and changes as a whole. They are static methods of a class that stands beside the code
//! under test in a run ([`CLASS`]) and nowhere else; a printed test says what they do.

use std::sync::Arc;

use bytecode::name::ClassName;

use super::build::Builder;
use super::members::Helper;
use super::{Call, Callable, CallableId, Generator, Parameter, StaticConstants, TestCluster, TypeId};
use crate::statement::Statement;
use crate::test_case::TestCase;
use crate::value::{JavaString, Value};

/// The class of these calls, in the boot loader of the JVM that runs tests.
pub const CLASS: &str = "covolve/runtime/Folder";

/// The name of the folder in a run: of no other file, so that a text that shows it is known.
pub const NAME: &str = "covolve-folder";

/// How a file is given to code, or taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A `java.io.File`.
    File,
    /// A `java.nio.file.Path`.
    Path,
    /// Its path as a `String`, for parameters that are one ([`Parameter::is_path`]).
    Name,
}

impl Form {
    /// The form that objects of a class are.
    fn of(class: &ClassName) -> Option<Self> {
        match class.as_str() {
            "java/io/File" => Some(Self::File),
            "java/nio/file/Path" => Some(Self::Path),
            "java/lang/String" => Some(Self::Name),
            _ => None,
        }
    }
}

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Gives the folder.
    Folder,
    /// Gives a file in it that need not exist: name.
    File,
    /// Writes a file in it: name and text.
    Written,
    /// Makes a folder in it: name.
    Made,
    /// Writes a file: the file and its text.
    Write,
    /// Writes a file in a folder: the folder, the name and the text.
    Put,
}

/// A call of [`CLASS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolderCall {
    /// What it does.
    pub act: Act,
    /// What it gives or takes.
    pub form: Form,
}

/// A row of the table: the call, its name and descriptor.
type Row = (FolderCall, &'static str, &'static str);

const fn row(act: Act, form: Form, name: &'static str, descriptor: &'static str) -> Row {
    (FolderCall { act, form }, name, descriptor)
}

/// All calls, those that make values first.
const ROWS: [Row; 16] = [
    row(Act::Folder, Form::File, "folder", "()Ljava/io/File;"),
    row(Act::File, Form::File, "file", "(Ljava/lang/String;)Ljava/io/File;"),
    row(Act::Written, Form::File, "written", "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;"),
    row(Act::Made, Form::File, "made", "(Ljava/lang/String;)Ljava/io/File;"),
    row(Act::Write, Form::File, "write", "(Ljava/io/File;Ljava/lang/String;)V"),
    row(Act::Put, Form::File, "write", "(Ljava/io/File;Ljava/lang/String;Ljava/lang/String;)V"),
    row(Act::Folder, Form::Path, "folderPath", "()Ljava/nio/file/Path;"),
    row(Act::File, Form::Path, "filePath", "(Ljava/lang/String;)Ljava/nio/file/Path;"),
    row(
        Act::Written,
        Form::Path,
        "writtenPath",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/nio/file/Path;",
    ),
    row(Act::Made, Form::Path, "madePath", "(Ljava/lang/String;)Ljava/nio/file/Path;"),
    row(Act::Write, Form::Path, "write", "(Ljava/nio/file/Path;Ljava/lang/String;)V"),
    row(Act::Put, Form::Path, "write", "(Ljava/nio/file/Path;Ljava/lang/String;Ljava/lang/String;)V"),
    row(Act::Folder, Form::Name, "folderName", "()Ljava/lang/String;"),
    row(Act::File, Form::Name, "fileName", "(Ljava/lang/String;)Ljava/lang/String;"),
    row(Act::Written, Form::Name, "writtenName", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"),
    row(Act::Made, Form::Name, "madeName", "(Ljava/lang/String;)Ljava/lang/String;"),
];

/// A parameter of such a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Input {
    /// The file or folder that something is written to.
    Place,
    /// A name of a file.
    FileName,
    /// A name of a folder.
    FolderName,
    /// What is in a file.
    Text,
}

impl Act {
    fn inputs(self) -> &'static [Input] {
        match self {
            Self::Folder => &[],
            Self::File => &[Input::FileName],
            Self::Written => &[Input::FileName, Input::Text],
            Self::Made => &[Input::FolderName],
            Self::Write => &[Input::Place, Input::Text],
            Self::Put => &[Input::Place, Input::FileName, Input::Text],
        }
    }

    /// Whether it gives a file.
    fn makes(self) -> bool {
        match self {
            Self::Folder | Self::File | Self::Written | Self::Made => true,
            Self::Write | Self::Put => false,
        }
    }

    /// Whether what it does can fail.
    fn can_fail(self) -> bool {
        match self {
            Self::Folder | Self::File => false,
            Self::Written | Self::Made | Self::Write | Self::Put => true,
        }
    }
}

impl Input {
    fn name(self) -> &'static str {
        match self {
            Self::Place => "file",
            Self::FileName | Self::FolderName => "name",
            Self::Text => "text",
        }
    }

    /// Values that people give. Few, so that two statements of a test speak of the same file now and then, and none that is
    /// a file here and a folder there.
    fn hints(self) -> &'static [&'static str] {
        match self {
            Self::Place => &[],
            Self::FileName => &["a.txt", "b.txt", "data"],
            Self::FolderName => &["dir", "other"],
            Self::Text => &["text", "", "a\nb\n"],
        }
    }
}

impl FolderCall {
    /// The call that a callable stands for; `None` for all others.
    pub fn of(callable: &Callable) -> Option<Self> {
        if callable.declared_in.as_str() != CLASS {
            return None;
        }
        let is =
            |(_, name, descriptor): &&Row| *name == &*callable.name && *descriptor == &*callable.descriptor;
        ROWS.iter().find(is).map(|(call, ..)| *call)
    }
}

impl TestCluster {
    /// All calls that use the folder of the test, ascending.
    pub fn folder_calls(&self) -> Vec<Call> {
        let ours = self.callables_that(|callable| FolderCall::of(callable).is_some());
        ours.into_iter().map(Call::Callable).collect()
    }

    /// Whether a test uses the folder.
    pub fn uses_folder(&self, test: &TestCase) -> bool {
        let called = test.statements().iter().filter_map(Statement::callable);
        called.map(|id| self.callable(id)).any(|callable| FolderCall::of(callable).is_some())
    }

    /// Whether a generator makes a file in the folder of the test.
    pub fn is_in_folder(&self, generator: &Generator) -> bool {
        match generator {
            Generator::Callable(id) => FolderCall::of(self.callable(*id)).is_some(),
            Generator::Field(_) | Generator::Of(_) | Generator::Stub(_) => false,
        }
    }
}

impl Builder<'_> {
    /// Ways to make a file in the folder of the test, where the type is that of a file.
    pub(super) fn make_in_folder(&mut self, ty: TypeId, class: &ClassName, depth: usize) {
        for (call, name, descriptor) in rows_of(class).filter(|(call, ..)| call.act.makes()) {
            let id = self.folder_call(ty, *call, name, descriptor);
            self.belongings.push_generator(ty, Generator::Callable(id));
            self.want_inputs_of(Call::Callable(id), depth + 1);
        }
    }

    /// Ways to make the path of a file in the folder of the test, where something takes one.
    pub(super) fn make_paths(&mut self) {
        let mut parameters = self.members.callables.iter().flat_map(|callable| &callable.parameters);
        if parameters.any(|parameter| parameter.is_path) {
            self.make_in_folder(TypeId::STRING, &ClassName::string(), 1);
        }
    }

    /// What changes a file, or what is in a folder, where the type is one of these.
    pub(super) fn fill_folder(&mut self, ty: TypeId, class: &ClassName, depth: usize) {
        for (call, name, descriptor) in rows_of(class).filter(|(call, ..)| !call.act.makes()) {
            let id = self.folder_call(ty, *call, name, descriptor);
            self.belongings.push_modifier(ty, Call::Callable(id));
            self.want_inputs_of(Call::Callable(id), depth + 1);
        }
    }

    /// The callable of a call that gives or takes values of a type, made once.
    fn folder_call(
        &mut self,
        ty: TypeId,
        call: FolderCall,
        name: &'static str,
        descriptor: &'static str,
    ) -> CallableId {
        let parameter = |input: &Input| Parameter {
            name: Some(Arc::from(input.name())),
            hints: input.hints().iter().map(|&text| Value::String(JavaString::from(text))).collect(),
            ..Parameter::new(if *input == Input::Place { ty } else { TypeId::STRING })
        };
        let exceptions = if call.act.can_fail() { vec!["java/io/IOException".into()] } else { Vec::new() };
        let parameters = call.act.inputs().iter().map(parameter).collect();
        let result = call.act.makes().then_some(ty);
        self.members.helper(ty, Helper { class: CLASS, name, descriptor, parameters, result, exceptions })
    }
}

/// Names of files that the code mentions are given to files as well.
pub(super) fn hint_at_names(cluster: &mut TestCluster) {
    let names = file_names(&cluster.constants);
    for callable in &mut cluster.callables {
        let Some(call) = FolderCall::of(callable) else { continue };
        for (parameter, input) in callable.parameters.iter_mut().zip(call.act.inputs()) {
            if *input == Input::FileName {
                parameter.hints.extend(names.iter().map(|name| Value::String(name.as_str().into())));
            }
        }
    }
}

/// Names of the code that are taken.
const MAX_NAMES: usize = 8;
/// Most characters of one.
const LONGEST_NAME: usize = 40;

/// Constants of the class under test that look like the name of a file, and names that end like one of its suffixes.
fn file_names(constants: &StaticConstants) -> Vec<String> {
    let texts = constants.class_under_test.iter().filter_map(|value| match value {
        Value::String(text) => Some(text.to_string()),
        Value::Boolean(_)
        | Value::Byte(_)
        | Value::Short(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Long(_)
        | Value::Float(_)
        | Value::Double(_) => None,
    });
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|part| part.is_ascii_alphanumeric() || "-_".contains(part))
    };
    let name = |text: String| {
        let (base, suffix) = text.rsplit_once('.')?;
        let is_name = text.len() <= LONGEST_NAME
            && is_part(suffix)
            && suffix.starts_with(|first: char| first.is_ascii_alphabetic())
            && (base.is_empty() || base.split('.').all(is_part));
        is_name.then(|| if base.is_empty() { format!("a{text}") } else { text.clone() })
    };
    texts.filter_map(name).take(MAX_NAMES).collect()
}

fn rows_of(class: &ClassName) -> impl Iterator<Item = &'static Row> {
    let form = Form::of(class);
    ROWS.iter().filter(move |(call, ..)| Some(call.form) == form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_and_suffixes_that_the_code_mentions_name_files() {
        let check = |text: &str, expect: Option<&str>| {
            let constants = StaticConstants {
                class_under_test: vec![Value::Int(1), Value::String(text.into())],
                ..StaticConstants::default()
            };
            let names = file_names(&constants);
            assert_eq!(names.first().map(String::as_str), expect, "{text}");
        };
        check("config.xml", Some("config.xml"));
        check(".properties", Some("a.properties"));
        check("archive.tar.gz", Some("archive.tar.gz"));
        check("no name", None);
        check("1.5", None);
        check("a sentence.", None);
        check("dir/file.txt", None);
        check("..", None);
    }
}
