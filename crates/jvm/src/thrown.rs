//! Who made an exception.

use std::collections::BTreeSet;

use bytecode::name::ClassName;
use testcase::execution::ThrowOrigin;

use crate::jdk::Jdk;
use crate::jni::{Env, Global, Ref};
use crate::runtime::{Runtime, Stop};
use crate::stubs::is_stub;

/// What an exception is, judged by its class alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// The JVM may have made it.
    MadeByJvm(Suspect),
    /// Java code made it.
    Made,
    /// A run was ended by a probe.
    Stop,
    /// The stack or the heap is full: where that happens depends on what the JIT compiler has done.
    Exhausted,
}

/// Exceptions of the JVM that Java code makes as well, by what tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Suspect {
    /// The message that the JVM makes up when asked.
    NullPointer,
    /// The message of the JVM is always this one.
    Arithmetic,
    /// The message of the JVM starts with this.
    ClassCast,
    /// Only the JVM makes them, or nobody can tell.
    Other,
}

/// Classes that the JVM makes, and what tells such an exception from one made by Java code.
const MADE_BY_JVM: &[(&str, Suspect)] = &[
    ("java/lang/NullPointerException", Suspect::NullPointer),
    ("java/lang/ArithmeticException", Suspect::Arithmetic),
    ("java/lang/ClassCastException", Suspect::ClassCast),
    ("java/lang/ArrayIndexOutOfBoundsException", Suspect::Other),
    ("java/lang/NegativeArraySizeException", Suspect::Other),
    ("java/lang/ArrayStoreException", Suspect::Other),
    ("java/lang/IllegalMonitorStateException", Suspect::Other),
    ("java/lang/ExceptionInInitializerError", Suspect::Other),
    ("java/lang/NoClassDefFoundError", Suspect::Other),
    ("java/lang/ClassFormatError", Suspect::Other),
    ("java/lang/UnsupportedClassVersionError", Suspect::Other),
    ("java/lang/ClassCircularityError", Suspect::Other),
    ("java/lang/IncompatibleClassChangeError", Suspect::Other),
    ("java/lang/AbstractMethodError", Suspect::Other),
    ("java/lang/IllegalAccessError", Suspect::Other),
    ("java/lang/InstantiationError", Suspect::Other),
    ("java/lang/NoSuchFieldError", Suspect::Other),
    ("java/lang/NoSuchMethodError", Suspect::Other),
    ("java/lang/UnsatisfiedLinkError", Suspect::Other),
    ("java/lang/VerifyError", Suspect::Other),
    ("java/lang/BootstrapMethodError", Suspect::Other),
];

/// What is above the two errors of a class that could not be initialized.
const LINKAGE_ERROR: &str = "java/lang/LinkageError";

/// How the JVM's message starts where the initializer of a class has failed before.
const UNINITIALIZED: &str = "Could not initialize class";

/// Methods of `Objects` that call each other before one refuses what is null, at most.
const MOST_CHECKS: usize = 4;

/// How deep on the stack the class that a test is for may be, from where the exception was made, if its code means it: a helper that
/// checks an argument, and what that calls.
const NEAR: usize = 3;

/// Methods on the stack that are looked through for such a class, and references that looking at one of them takes.
const DEEPEST: usize = 32;
const FRAME_REFERENCES: usize = 4;

/// What a statement threw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// An exception, as data.
    Threw(ClassName, ThrowOrigin),
    /// A probe ended the run.
    Stopped,
    /// The stack or the heap is full.
    Exhausted,
}

/// A class of exceptions met before.
#[derive(Debug)]
struct Known {
    class: Global,
    name: ClassName,
    nature: Nature,
}

/// Tells who made exceptions. Remembers their classes.
#[derive(Debug)]
pub(crate) struct Judge {
    known: Vec<Known>,
    /// The class in which tests run.
    test_class: Option<Global>,
    /// The packages of the classes with goals.
    packages: BTreeSet<String>,
}

impl Judge {
    /// A judge of what tests in this class let through, which are for classes with goals in these packages.
    pub(crate) fn new(test_class: Option<Global>, packages: BTreeSet<String>) -> Self {
        Self { known: Vec::new(), test_class, packages }
    }

    /// Judges an exception that a statement of a test let through. Nothing may be pending.
    pub(crate) fn judge(
        &mut self,
        env: Env<'_>,
        jdk: &Jdk,
        runtime: &Runtime,
        exception: Ref<'_>,
    ) -> Verdict {
        let (name, nature) = self.class_of(env, jdk, runtime.stop(), exception);
        let is_it = |thrown: Option<Ref<'_>>| thrown.is_some_and(|it| env.is_same(Some(it), Some(exception)));
        let origin = match nature {
            Nature::Stop => return Verdict::Stopped,
            Nature::Exhausted => return Verdict::Exhausted,
            Nature::Made | Nature::MadeByJvm(_) if is_it(runtime.thrown(env)) => {
                if is_it(runtime.thrown_by_script(env)) {
                    ThrowOrigin::Stub
                } else {
                    self.origin_by_code(env, jdk, exception)
                }
            }
            Nature::Made => ThrowOrigin::Library,
            Nature::MadeByJvm(Suspect::NullPointer) if is_checked_for(env, jdk, exception) => {
                self.origin_by_code(env, jdk, exception)
            }
            Nature::MadeByJvm(suspect) => {
                if self.is_made_by_jvm(env, jdk, suspect, exception) {
                    ThrowOrigin::Jvm
                } else {
                    ThrowOrigin::Library
                }
            }
        };
        let is_by_code = matches!(origin, ThrowOrigin::Project | ThrowOrigin::Stub);
        let name = if is_by_code { name } else { lasting(env, jdk, name, exception) };
        Verdict::Threw(name, origin)
    }

    /// The origin of what code of the class path threw: the project, unless it was made deep below a class with goals. What an object throws
    /// that the test has handed over is not what these classes are about. What none of them was called for was made by the test, or before.
    fn origin_by_code(&self, env: Env<'_>, jdk: &Jdk, exception: Ref<'_>) -> ThrowOrigin {
        let first = env.frame(DEEPEST * FRAME_REFERENCES, |env| {
            let callers = (0..DEEPEST).map_while(|index| stack_class(env, jdk, exception, index));
            let mut callers = callers.take_while(|class| !self.is_test(env, *class));
            callers.position(|class| self.packages.contains(jdk.internal_name(env, class).package()))
        });
        env.clear();
        if first.is_some_and(|depth| depth >= NEAR) { ThrowOrigin::Library } else { ThrowOrigin::Project }
    }

    fn class_of(&mut self, env: Env<'_>, jdk: &Jdk, stop: Stop, exception: Ref<'_>) -> (ClassName, Nature) {
        let class = env.class_of(exception);
        let found = self.known.iter().position(|known| env.is_same(Some(known.class.get()), Some(class)));
        let index = found.unwrap_or_else(|| {
            let name = named_class(env, jdk, class);
            let nature = nature(&name, || env.is_same(Some(class), Some(stop.class())));
            self.known.push(Known { class: env.global(class), name, nature });
            self.known.len() - 1
        });
        // The classes met most often are found first.
        self.known.swap(index, index / 2);
        self.known
            .get(index / 2)
            .map_or((ClassName::object(), Nature::Made), |known| (known.name.clone(), known.nature))
    }

    /// Whether the JVM made an exception of a class that Java code makes as well.
    ///
    /// Project code throws through a probe, so what has a method of the project on top of its stack was made by the
    /// JVM. In the JDK and libraries the message tells, where the JVM's has a form of its own.
    fn is_made_by_jvm(&self, env: Env<'_>, jdk: &Jdk, suspect: Suspect, exception: Ref<'_>) -> bool {
        let made = match suspect {
            Suspect::Other => true,
            Suspect::NullPointer | Suspect::Arithmetic | Suspect::ClassCast => {
                self.is_from_class_path(env, jdk, exception)
                    || has_message_of_jvm(env, jdk, suspect, exception)
            }
        };
        env.clear();
        made
    }

    /// Whether the method on top of the stack is of a class that was loaded from the class path. The test makes exceptions as well,
    /// by their constructors.
    fn is_from_class_path(&self, env: Env<'_>, jdk: &Jdk, exception: Ref<'_>) -> bool {
        is_made_on_class_path(env, jdk, exception)
            && !stack_class(env, jdk, exception, 0).is_some_and(|class| self.is_test(env, class))
    }

    /// Whether tests run in this class.
    fn is_test(&self, env: Env<'_>, class: Ref<'_>) -> bool {
        self.test_class.is_some_and(|test| env.is_same(Some(test.get()), Some(class)))
    }
}

/// The name of a class of exceptions. Of a stub it is that of the class that it extends: the stub's is made up, and the class
/// that is printed in its place has none.
fn named_class(env: Env<'_>, jdk: &Jdk, class: Ref<'_>) -> ClassName {
    let name = jdk.internal_name(env, class);
    let extended = if is_stub(&name) { env.superclass(class) } else { None };
    extended.map_or(name, |extended| jdk.internal_name(env, extended))
}

/// Whether the method on top of the stack of an exception is of a class that was loaded from the class path.
pub(crate) fn is_made_on_class_path(env: Env<'_>, jdk: &Jdk, exception: Ref<'_>) -> bool {
    let known = stack_class(env, jdk, exception, 0).and_then(|class| jdk.is_of_class_path(env, class));
    known.unwrap_or_else(|| match jdk.top_frame_class(env, exception) {
        Ok(Some(name)) => !ClassName::from_binary(&name).is_platform(),
        Ok(None) | Err(_) => false,
    })
}

/// The class by which an exception is known in every test. A class whose initializer fails throws an
/// `ExceptionInInitializerError` where it is used first and a `NoClassDefFoundError` from then on (Java virtual machine
/// specification §5.5): what is the same, whatever ran before, is what both are.
pub(crate) fn lasting(env: Env<'_>, jdk: &Jdk, name: ClassName, exception: Ref<'_>) -> ClassName {
    let is_of_initializer = match name.as_str() {
        "java/lang/ExceptionInInitializerError" => true,
        "java/lang/NoClassDefFoundError" => {
            written_message(env, jdk, exception).is_some_and(|text| text.starts_with(UNINITIALIZED))
        }
        _ => false,
    };
    if is_of_initializer { LINKAGE_ERROR.into() } else { name }
}

fn nature(name: &ClassName, is_stop: impl FnOnce() -> bool) -> Nature {
    match name.as_str() {
        "java/lang/StackOverflowError" | "java/lang/OutOfMemoryError" => Nature::Exhausted,
        name => match MADE_BY_JVM.iter().find(|(known, _)| *known == name) {
            Some((_, suspect)) => Nature::MadeByJvm(*suspect),
            None if is_stop() => Nature::Stop,
            None => Nature::Made,
        },
    }
}

/// Whether code of the class path asked for it, by `Objects.requireNonNull` and its like: that is a `throw` in fewer words.
fn is_checked_for(env: Env<'_>, jdk: &Jdk, exception: Ref<'_>) -> bool {
    let is_check = |class: Ref<'_>| env.is_same(Some(class), Some(jdk.objects.get()));
    let is_made_there = stack_class(env, jdk, exception, 0).is_some_and(is_check);
    let mut callers = (1..MOST_CHECKS).map_while(|index| stack_class(env, jdk, exception, index));
    let caller = is_made_there.then(|| callers.find(|caller| !is_check(*caller))).flatten();
    let is_by_code = caller.and_then(|caller| jdk.is_of_class_path(env, caller)) == Some(true);
    env.clear();
    is_by_code
}

/// The class of a method on the stack, 0 for the one on top, out of the arrays in which the JVM keeps it: the third is one of
/// classes. `None` where they look different.
fn stack_class<'f>(env: Env<'f>, jdk: &Jdk, exception: Ref<'_>, index: usize) -> Option<Ref<'f>> {
    const CLASSES: usize = 2;
    let array =
        |object: Option<Ref<'f>>| object.filter(|object| env.is_instance(*object, jdk.object_array.get()));
    // SAFETY: the field was found in `Throwable`; arrays of references are told by their class.
    unsafe {
        let backtrace = array(env.get_object(exception, jdk.throwable_backtrace?))?;
        if env.array_length(backtrace) <= CLASSES {
            return None;
        }
        let classes = array(env.element(backtrace, CLASSES).ok()?)?;
        if env.array_length(classes) <= index {
            return None;
        }
        env.element(classes, index).ok()?.filter(|top| env.is_instance(*top, jdk.class.get()))
    }
}

/// The message that an exception was made with.
fn written_message(env: Env<'_>, jdk: &Jdk, exception: Ref<'_>) -> Option<String> {
    // SAFETY: the field was found in `Throwable` and is a string.
    let written = unsafe { env.get_object(exception, jdk.throwable_message) };
    // SAFETY: as above.
    written.map(|message| unsafe { env.text(message) })
}

fn has_message_of_jvm(env: Env<'_>, jdk: &Jdk, suspect: Suspect, exception: Ref<'_>) -> bool {
    match (suspect, written_message(env, jdk, exception)) {
        // Only for what it threw itself does the JVM make up a text when asked (since JDK 14).
        (Suspect::NullPointer, None) => matches!(jdk.message(env, exception), Ok(Some(_))),
        (Suspect::Arithmetic, Some(text)) => text == "/ by zero",
        (Suspect::ClassCast, Some(text)) => {
            text.contains(" cannot be cast to ") && !text.starts_with("Cannot cast")
        }
        (Suspect::Other, _) => true,
        (Suspect::NullPointer, Some(_)) | (Suspect::Arithmetic | Suspect::ClassCast, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_tells_what_an_exception_may_be() {
        let check = |name: &str, expect: Nature| {
            assert_eq!(nature(&ClassName::new(name), || false), expect, "{name}");
        };
        check("java/lang/NullPointerException", Nature::MadeByJvm(Suspect::NullPointer));
        check("java/lang/NoClassDefFoundError", Nature::MadeByJvm(Suspect::Other));
        check("java/lang/StackOverflowError", Nature::Exhausted);
        check("java/lang/IllegalArgumentException", Nature::Made);
        assert_eq!(nature(&ClassName::new("covolve/runtime/Stop"), || true), Nature::Stop);
    }
}
