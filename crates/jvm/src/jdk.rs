//! Classes and methods of the JDK that the executor calls.

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::name::ClassName;

use crate::error::JvmError;
use crate::jni::{Env, FieldId, Global, Java, Kind, MethodId, Ref, jvalue};
use crate::runtime::describe_pending;

/// A boxed type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Boxed {
    /// What it boxes.
    pub(crate) primitive: PrimitiveType,
    /// Its class.
    pub(crate) class: Global,
    value_of: MethodId,
    value: FieldId,
    primitive_class: Global,
}

/// What the executor uses of the JDK.
#[derive(Debug)]
pub(crate) struct Jdk {
    /// The loader of the class path.
    pub(crate) loader: Global,
    /// The loader above it, that of the JDK's own modules.
    pub(crate) platform_loader: Option<Global>,
    /// The thread that made this, which runs tests.
    pub(crate) thread: Global,
    /// `java.lang.Thread`.
    pub(crate) thread_class: Global,
    /// `Thread.interrupted`.
    pub(crate) clear_interrupt: MethodId,
    pub(crate) string: Global,
    pub(crate) class: Global,
    pub(crate) object: Global,
    pub(crate) object_array: Global,
    /// `java.util.Objects`.
    pub(crate) objects: Global,
    pub(crate) enumeration: Global,
    pub(crate) collection: Global,
    pub(crate) map: Global,
    /// `java.util.regex.Pattern`.
    pub(crate) pattern: Global,
    /// Where a `Throwable` keeps its message, and the JVM its frames.
    pub(crate) throwable_message: FieldId,
    pub(crate) throwable_backtrace: Option<FieldId>,
    /// In the order of [`PrimitiveType::ALL`].
    boxed: Vec<Boxed>,
    class_for_name: MethodId,
    class_get_name: MethodId,
    class_loader: Option<FieldId>,
    intern: MethodId,
    enum_name: MethodId,
    enum_class: MethodId,
    pattern_text: MethodId,
    pattern_flags: MethodId,
    collection_size: MethodId,
    map_size: MethodId,
    collection_is_empty: MethodId,
    map_is_empty: MethodId,
    throwable_get_message: MethodId,
    throwable_get_cause: MethodId,
    throwable_stack_trace: MethodId,
    frame_class_name: MethodId,
}

impl Jdk {
    /// Looks everything up.
    pub(crate) fn find(env: Env<'_>) -> Result<Self, JvmError> {
        Self::look_up(env).map_err(|_| JvmError::Unsupported { what: describe_pending(env) })
    }

    fn look_up(env: Env<'_>) -> Java<Self> {
        let class = env.find_class(c"java/lang/Class")?;
        let loader_class = env.find_class(c"java/lang/ClassLoader")?;
        let thread_class = env.find_class(c"java/lang/Thread")?;
        let string = env.find_class(c"java/lang/String")?;
        let enumeration = env.find_class(c"java/lang/Enum")?;
        let collection = env.find_class(c"java/util/Collection")?;
        let map = env.find_class(c"java/util/Map")?;
        let pattern = env.find_class(c"java/util/regex/Pattern")?;
        let throwable = env.find_class(c"java/lang/Throwable")?;
        let frame = env.find_class(c"java/lang/StackTraceElement")?;
        let system_loader =
            env.static_method(loader_class, "getSystemClassLoader", "()Ljava/lang/ClassLoader;")?;
        let parent = env.method(loader_class, "getParent", "()Ljava/lang/ClassLoader;")?;
        let current = env.static_method(thread_class, "currentThread", "()Ljava/lang/Thread;")?;
        // SAFETY: the methods take nothing and return references of the types in their descriptors.
        let (loader, platform_loader, thread) = unsafe {
            let loader =
                env.call_static_object(loader_class, system_loader, &[])?.ok_or(crate::jni::Pending)?;
            let platform = env.call_object(loader, parent, &[])?;
            let thread = env.call_static_object(thread_class, current, &[])?.ok_or(crate::jni::Pending)?;
            (loader, platform, thread)
        };
        // Fields that only make things faster; a JVM without them is used in another way.
        let private = |class: Ref<'_>, name: &str, descriptor: &str| {
            env.field(class, name, descriptor).inspect_err(|_| env.clear()).ok()
        };
        let text = "()Ljava/lang/String;";
        Ok(Self {
            loader: env.global(loader),
            platform_loader: platform_loader.map(|loader| env.global(loader)),
            thread: env.global(thread),
            thread_class: env.global(thread_class),
            clear_interrupt: env.static_method(thread_class, "interrupted", "()Z")?,
            string: env.global(string),
            class: env.global(class),
            object: env.global(env.find_class(c"java/lang/Object")?),
            object_array: env.global(env.find_class(c"[Ljava/lang/Object;")?),
            objects: env.global(env.find_class(c"java/util/Objects")?),
            enumeration: env.global(enumeration),
            collection: env.global(collection),
            map: env.global(map),
            pattern: env.global(pattern),
            throwable_message: env.field(throwable, "detailMessage", "Ljava/lang/String;")?,
            throwable_backtrace: private(throwable, "backtrace", "Ljava/lang/Object;"),
            boxed: PrimitiveType::ALL.iter().map(|primitive| boxed(env, *primitive)).collect::<Java<_>>()?,
            class_for_name: env.static_method(
                class,
                "forName",
                "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;",
            )?,
            class_get_name: env.method(class, "getName", text)?,
            class_loader: private(class, "classLoader", "Ljava/lang/ClassLoader;"),
            intern: env.method(string, "intern", text)?,
            enum_name: env.method(enumeration, "name", text)?,
            enum_class: env.method(enumeration, "getDeclaringClass", "()Ljava/lang/Class;")?,
            pattern_text: env.method(pattern, "pattern", text)?,
            pattern_flags: env.method(pattern, "flags", "()I")?,
            collection_size: env.method(collection, "size", "()I")?,
            map_size: env.method(map, "size", "()I")?,
            collection_is_empty: env.method(collection, "isEmpty", "()Z")?,
            map_is_empty: env.method(map, "isEmpty", "()Z")?,
            throwable_get_message: env.method(throwable, "getMessage", text)?,
            throwable_get_cause: env.method(throwable, "getCause", "()Ljava/lang/Throwable;")?,
            throwable_stack_trace: env.method(
                throwable,
                "getStackTrace",
                "()[Ljava/lang/StackTraceElement;",
            )?,
            frame_class_name: env.method(frame, "getClassName", text)?,
        })
    }

    /// A class of the class path or the JDK by its erased type; with `initialize`, it is initialized as well.
    pub(crate) fn load<'f>(
        &self,
        env: Env<'f>,
        erased: &ErasedType,
        initialize: bool,
    ) -> Java<Option<Ref<'f>>> {
        let name = match erased {
            ErasedType::Primitive(primitive) => {
                let boxed = self.boxed.iter().find(|boxed| boxed.primitive == *primitive);
                return Ok(boxed.map(|boxed| boxed.primitive_class.get()));
            }
            ErasedType::Class(name) => name.binary(),
            ErasedType::Array(_) => erased.descriptor().replace('/', "."),
        };
        let units: Vec<u16> = name.encode_utf16().collect();
        let Some(name) = env.new_string(&units)? else { return Ok(None) };
        let arguments = [name.value(), jvalue { z: initialize.into() }, self.loader.value()];
        // SAFETY: the method takes a string, a boolean and a loader.
        unsafe { env.call_static_object(self.class.get(), self.class_for_name, &arguments) }
    }

    /// The expression of a pattern, in UTF-16 code units, and its flags.
    pub(crate) fn pattern(&self, env: Env<'_>, pattern: Ref<'_>) -> Java<Option<(Vec<u16>, i32)>> {
        // SAFETY: a pattern by the caller's test; the methods take nothing and return a string and an `int`.
        let (text, flags) = unsafe {
            (
                env.call_object(pattern, self.pattern_text, &[])?,
                env.call(pattern, self.pattern_flags, &[], Some(Kind::Int))?.i,
            )
        };
        // SAFETY: a string.
        Ok(text.map(|text| (unsafe { env.string_units(text, env.string_length(text)) }, flags)))
    }

    /// The boxed type of a primitive one.
    pub(crate) fn boxed(&self, primitive: PrimitiveType) -> Option<&Boxed> {
        self.boxed.get(primitive as usize)
    }

    /// The boxed type of primitive values of a kind; `None` for references.
    pub(crate) fn boxed_kind(&self, kind: Kind) -> Option<&Boxed> {
        self.boxed.iter().find(|boxed| Kind::from(boxed.primitive) == kind)
    }

    /// The boxed type that an object is of.
    pub(crate) fn boxed_type_of(&self, env: Env<'_>, class: Ref<'_>) -> Option<&Boxed> {
        self.boxed.iter().find(|boxed| env.is_same(Some(boxed.class.get()), Some(class)))
    }

    /// `Class.getName`: binary name, arrays as descriptors with dots.
    pub(crate) fn class_name(&self, env: Env<'_>, class: Ref<'_>) -> String {
        // SAFETY: a class object.
        let name = unsafe { env.call_object(class, self.class_get_name, &[]) };
        if let Ok(Some(name)) = name {
            // SAFETY: the method returns a string.
            return unsafe { env.text(name) };
        }
        env.clear();
        String::new()
    }

    /// The internal name of the class of an object. Names that the JVM makes up while it runs are cut to what is
    /// the same in every run.
    pub(crate) fn internal_name(&self, env: Env<'_>, class: Ref<'_>) -> ClassName {
        ClassName::from_binary(stable_name(&self.class_name(env, class)))
    }

    /// Whether a class was loaded from the class path; `None` when that cannot be told.
    pub(crate) fn is_of_class_path(&self, env: Env<'_>, class: Ref<'_>) -> Option<bool> {
        // SAFETY: a class object, and the field was found in its class.
        let loader = self.class_loader.map(|field| unsafe { env.get_object(class, field) })?;
        Some(env.is_same(loader, Some(self.loader.get())))
    }

    /// The string that a literal with this content is.
    pub(crate) fn intern<'f>(&self, env: Env<'f>, units: &[u16]) -> Java<Option<Ref<'f>>> {
        let Some(string) = env.new_string(units)? else { return Ok(None) };
        // SAFETY: a string.
        unsafe { env.call_object(string, self.intern, &[]) }
    }

    /// Declaring class and name of an enum constant.
    pub(crate) fn enum_constant(&self, env: Env<'_>, constant: Ref<'_>) -> Java<Option<(ClassName, String)>> {
        // SAFETY: the object is an enum constant by the caller's test.
        let (class, name) = unsafe {
            (
                env.call_object(constant, self.enum_class, &[])?,
                env.call_object(constant, self.enum_name, &[])?,
            )
        };
        let (Some(class), Some(name)) = (class, name) else { return Ok(None) };
        // SAFETY: the method returns a string.
        Ok(Some((self.internal_name(env, class), unsafe { env.text(name) })))
    }

    /// Size of a collection or map, by its own method; `None` where a size of 0 is not what its `isEmpty` says, by which it is
    /// asserted.
    pub(crate) fn size(&self, env: Env<'_>, object: Ref<'_>) -> Java<Option<u32>> {
        let (size, is_empty) = if env.is_instance(object, self.collection.get()) {
            (self.collection_size, self.collection_is_empty)
        } else if env.is_instance(object, self.map.get()) {
            (self.map_size, self.map_is_empty)
        } else {
            return Ok(None);
        };
        // SAFETY: the object is an instance of the interface, whose methods return an int and a boolean.
        let (size, is_empty) = unsafe {
            let size = env.call(object, size, &[], Some(Kind::Int))?.i;
            let asks = || env.call(object, is_empty, &[], Some(Kind::Boolean)).map(|answer| answer.z != 0);
            (size, size != 0 || asks()?)
        };
        Ok(u32::try_from(size).ok().filter(|_| is_empty))
    }

    /// `Throwable.getMessage`, which makes up the JVM's own texts.
    pub(crate) fn message<'f>(&self, env: Env<'f>, exception: Ref<'_>) -> Java<Option<Ref<'f>>> {
        // SAFETY: an exception.
        unsafe { env.call_object(exception, self.throwable_get_message, &[]) }
    }

    /// The cause of an exception.
    pub(crate) fn cause<'f>(&self, env: Env<'f>, exception: Ref<'_>) -> Java<Option<Ref<'f>>> {
        // SAFETY: an exception.
        unsafe { env.call_object(exception, self.throwable_get_cause, &[]) }
    }

    /// Binary name of the class whose method is on top of an exception's stack.
    pub(crate) fn top_frame_class(&self, env: Env<'_>, exception: Ref<'_>) -> Java<Option<String>> {
        // SAFETY: an exception, whose stack trace is an array of frames, whose class names are strings.
        unsafe {
            let Some(frames) = env.call_object(exception, self.throwable_stack_trace, &[])? else {
                return Ok(None);
            };
            if env.array_length(frames) == 0 {
                return Ok(None);
            }
            let Some(top) = env.element(frames, 0)? else { return Ok(None) };
            let name = env.call_object(top, self.frame_class_name, &[])?;
            Ok(name.map(|name| env.text(name)))
        }
    }
}

impl Boxed {
    /// Boxes a value, as `javac` does.
    pub(crate) fn value_of<'f>(&self, env: Env<'f>, value: jvalue) -> Java<Option<Ref<'f>>> {
        // SAFETY: the method takes a value of the primitive type, which the caller's is.
        unsafe { env.call_static_object(self.class.get(), self.value_of, &[value]) }
    }

    /// The value in a box.
    pub(crate) fn unbox(&self, env: Env<'_>, object: Ref<'_>) -> jvalue {
        // SAFETY: the object is of this class by the caller's test.
        unsafe { env.get(object, self.value, self.primitive.into()) }
    }
}

fn boxed(env: Env<'_>, primitive: PrimitiveType) -> Java<Boxed> {
    let name = primitive.boxed();
    let class = env.find_class(&crate::jni::java_name(name.as_str()))?;
    let letter = primitive.descriptor();
    let type_field = env.static_field(class, "TYPE", "Ljava/lang/Class;")?;
    // SAFETY: a static field of that class.
    let primitive_class = unsafe { env.get_static_object(class, type_field) };
    Ok(Boxed {
        primitive,
        class: env.global(class),
        value_of: env.static_method(class, "valueOf", &format!("({letter})L{name};"))?,
        value: env.field(class, "value", &letter.to_string())?,
        primitive_class: env.global(primitive_class.ok_or(crate::jni::Pending)?),
    })
}

/// Cuts the numbers from names of classes that are made while the program runs, lambdas and proxies: they depend
/// on what ran before.
fn stable_name(name: &str) -> &str {
    for marker in ["$$Lambda", "$Proxy"] {
        if let Some(at) = name.find(marker) {
            return &name[..at + marker.len()];
        }
    }
    // Other hidden classes end with a slash and an address.
    name.split_once("/0x").map_or(name, |(stable, _)| stable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_made_at_run_time_lose_their_numbers() {
        let check = |name: &str, expect: &str| assert_eq!(stable_name(name), expect);
        check("p.Foo", "p.Foo");
        check("p.Foo$$Lambda$14/0x00007f1c3c000a00", "p.Foo$$Lambda");
        check("p.Foo$$Lambda/0x00007f1c3c000a00", "p.Foo$$Lambda");
        check("jdk.proxy2.$Proxy12", "jdk.proxy2.$Proxy");
        check("p.Hidden/0x0000700040002000", "p.Hidden");
    }
}
