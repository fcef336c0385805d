//! Stack traces of exceptions, read for people.

use std::sync::Arc;

use bytecode::name::ClassName;
use testcase::execution::StackFrame;

use crate::jni::{Env, Global, Java, Kind, MethodId, Ref};

/// Frames that are read of a trace; what lies deeper in a recursion tells nothing new.
const MOST_FRAMES: usize = 64;

/// Local references that reading a trace needs: each frame and its two names.
pub(crate) const FRAME_REFERENCES: usize = 3 * MOST_FRAMES + 1;

/// Reads stack traces.
#[derive(Debug)]
pub(crate) struct StackReader {
    throwable: Global,
    stack_trace: MethodId,
    class_name: MethodId,
    method_name: MethodId,
    line_number: MethodId,
}

impl StackReader {
    /// Looks everything up.
    pub(crate) fn find(env: Env<'_>) -> Java<Self> {
        let throwable = env.find_class(c"java/lang/Throwable")?;
        let frame = env.find_class(c"java/lang/StackTraceElement")?;
        let text = "()Ljava/lang/String;";
        Ok(Self {
            stack_trace: env.method(throwable, "getStackTrace", "()[Ljava/lang/StackTraceElement;")?,
            class_name: env.method(frame, "getClassName", text)?,
            method_name: env.method(frame, "getMethodName", text)?,
            line_number: env.method(frame, "getLineNumber", "()I")?,
            throwable: env.global(throwable),
        })
    }

    /// The frames of an exception, innermost first. No code of the exception's own class runs.
    pub(crate) fn read(&self, env: Env<'_>, exception: Ref<'_>) -> Java<Vec<StackFrame>> {
        // SAFETY: what was thrown is a `Throwable`, whose stack trace is an array of references.
        let frames = unsafe { env.call_exactly(exception, self.throwable.get(), self.stack_trace, &[])? };
        let Some(frames) = frames else { return Ok(Vec::new()) };
        let length = env.array_length(frames).min(MOST_FRAMES);
        (0..length).filter_map(|index| self.frame(env, frames, index).transpose()).collect()
    }

    fn frame(&self, env: Env<'_>, frames: Ref<'_>, index: usize) -> Java<Option<StackFrame>> {
        // SAFETY: an element of that array is a `StackTraceElement` or null; its names are strings or null.
        unsafe {
            let Some(frame) = env.element(frames, index)? else { return Ok(None) };
            let class = env.call_object(frame, self.class_name, &[])?.map(|name| env.text(name));
            let method = env.call_object(frame, self.method_name, &[])?.map(|name| env.text(name));
            let line = env.call(frame, self.line_number, &[], Some(Kind::Int))?.i;
            let (Some(class), Some(method)) = (class, method) else { return Ok(None) };
            let line = u32::try_from(line).ok().filter(|&line| line > 0);
            Ok(Some(StackFrame { class: ClassName::from_binary(&class), method: Arc::from(method), line }))
        }
    }
}
