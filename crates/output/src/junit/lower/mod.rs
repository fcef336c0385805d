//! Test cases as Java: from statements and assertions to the syntax tree of one test method.
//!
//! * [`plan`]: where each statement goes
//! * [`body`]: the statements of the method
//! * [`calls`], [`arguments`], [`fields`]: calls and field accesses that mean the member the test case names
//! * [`folders`]: files that a test prepares
//! * [`injected`]: fields that a container fills
//! * [`stubs`]: what the test implements itself, [`shared_stubs`]: what of it all tests of a file share
//! * [`mocks`]: the same with the project's Mockito, [`mock_calls`]: what was called of it
//! * [`assertions`]: what is expected

mod arguments;
pub(crate) mod assertions;
pub(crate) mod body;
mod callbacks;
mod calls;
mod containers;
mod elements;
mod fields;
mod folders;
mod injected;
mod mock_calls;
mod mocks;
mod plan;
mod settings;
pub(crate) mod shared_stubs;
mod stub_calls;
mod stubs;

use std::collections::BTreeSet;

use bytecode::signature::{GenericType, TypeArgument};
use serde::{Deserialize, Serialize};
use testcase::cluster::TestCluster;

use crate::asserted_test::AssertedTest;
use thiserror::Error;

use self::shared_stubs::SharedStubs;
use super::access::Viewpoint;
use super::ast::Method;
use super::injection::Injecting;
use super::style::JunitStyle;

/// Why a test case cannot be written in Java.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum Unprintable {
    /// A class or member has a name that Java cannot write.
    #[error("{0} is no name in Java")]
    Name(String),
    /// A class that source code in the test's package may not name.
    #[error("{0} cannot be named from the package of the test")]
    Inaccessible(String),
    /// Whatever the casts, `javac` takes the call for another one, or for none.
    #[error("no cast makes a call mean {0}")]
    Overload(String),
    /// Another member hides the one that is meant.
    #[error("{0} is hidden by another member")]
    Hidden(String),
    /// A method of a stub calls something that may throw what it may not throw itself.
    #[error("{0} may throw what its caller may not")]
    Thrown(String),
    /// A statement uses the variable of one that defines none.
    #[error("statement {0} defines no variable")]
    NoValue(usize),
}

/// What lowering a test needs to know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lowering<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// The test's package.
    pub view: Viewpoint<'a>,
    /// The same package, where it is compiled against a later release of the platform as well.
    pub later: Option<Viewpoint<'a>>,
    /// The version of JUnit.
    pub style: JunitStyle,
    /// How private fields are given what a container puts there.
    pub injecting: Injecting,
    /// Whether tests that check nothing else say that their last call completes.
    pub says_completion: bool,
    /// Names that no variable gets.
    pub reserved: &'a BTreeSet<String>,
    /// Classes of the file that stubs extend.
    pub shared: &'a SharedStubs,
    /// Whether stubs are mocks of Mockito, where that does the same.
    pub mocks: bool,
}

/// A test method without its name.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// The method; its name is empty.
    pub method: Method,
    /// Assertions that Java could not say.
    pub unsaid: Vec<usize>,
}

impl<'a> Lowering<'a> {
    /// Lowers a test.
    pub(crate) fn lower(&self, test: &'a AssertedTest) -> Result<Lowered, Unprintable> {
        body::Body::new(*self, test).lower()
    }
}

/// Whether an array of that type can be made by `new`: no type arguments but unbounded wildcards
/// (Java language specification §15.10.1).
fn is_reifiable(of: &GenericType) -> bool {
    match of {
        GenericType::Primitive(_) => true,
        GenericType::Variable(_) => false,
        GenericType::Array(element) => is_reifiable(element),
        GenericType::Class(class) => {
            class.outer.is_none()
                && class.arguments.iter().all(|argument| matches!(argument, TypeArgument::Unbounded))
        }
    }
}
