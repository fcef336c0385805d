//! Calls and fields, by kind of value.

use bytecode::descriptor::{ErasedType, PrimitiveType};
use jvmti_bindings::sys::jni::jvalue;

use super::env::{Env, FieldId, Java, MethodId, table};
use super::reference::Ref;

/// What JNI has a function for: the primitive types, and references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// Any reference.
    Object,
}

impl From<PrimitiveType> for Kind {
    fn from(primitive: PrimitiveType) -> Self {
        match primitive {
            PrimitiveType::Boolean => Self::Boolean,
            PrimitiveType::Byte => Self::Byte,
            PrimitiveType::Char => Self::Char,
            PrimitiveType::Short => Self::Short,
            PrimitiveType::Int => Self::Int,
            PrimitiveType::Long => Self::Long,
            PrimitiveType::Float => Self::Float,
            PrimitiveType::Double => Self::Double,
        }
    }
}

impl From<&ErasedType> for Kind {
    fn from(erased: &ErasedType) -> Self {
        match erased {
            ErasedType::Primitive(primitive) => (*primitive).into(),
            ErasedType::Class(_) | ErasedType::Array(_) => Self::Object,
        }
    }
}

/// Null, or zero in every type.
pub(crate) const ZERO: jvalue = jvalue { j: 0 };

/// Reads a value of a kind with the function for it; bytes that the kind does not use are zero.
macro_rules! read {
    ($env:expr, $kind:expr, ($boolean:ident, $byte:ident, $char:ident, $short:ident, $int:ident, $long:ident,
     $float:ident, $double:ident, $object:ident), $($argument:expr),*) => {{
        let mut value = ZERO;
        match $kind {
            Kind::Boolean => value.z = table!($env, $boolean, $($argument),*),
            Kind::Byte => value.b = table!($env, $byte, $($argument),*),
            Kind::Char => value.c = table!($env, $char, $($argument),*),
            Kind::Short => value.s = table!($env, $short, $($argument),*),
            Kind::Int => value.i = table!($env, $int, $($argument),*),
            Kind::Long => value.j = table!($env, $long, $($argument),*),
            Kind::Float => value.f = table!($env, $float, $($argument),*),
            Kind::Double => value.d = table!($env, $double, $($argument),*),
            Kind::Object => value.l = table!($env, $object, $($argument),*),
        }
        value
    }};
}

/// Writes a value of a kind with the function for it. The member of the union that is read, inside `table`, is the
/// one that the caller set for the kind.
macro_rules! write {
    ($env:expr, $kind:expr, ($boolean:ident, $byte:ident, $char:ident, $short:ident, $int:ident, $long:ident,
     $float:ident, $double:ident, $object:ident), $holder:expr, $field:expr, $value:expr) => {{
        let value: jvalue = $value;
        match $kind {
            Kind::Boolean => table!($env, $boolean, $holder, $field, value.z),
            Kind::Byte => table!($env, $byte, $holder, $field, value.b),
            Kind::Char => table!($env, $char, $holder, $field, value.c),
            Kind::Short => table!($env, $short, $holder, $field, value.s),
            Kind::Int => table!($env, $int, $holder, $field, value.i),
            Kind::Long => table!($env, $long, $holder, $field, value.j),
            Kind::Float => table!($env, $float, $holder, $field, value.f),
            Kind::Double => table!($env, $double, $holder, $field, value.d),
            Kind::Object => table!($env, $object, $holder, $field, value.l),
        }
    }};
}

impl<'f> Env<'f> {
    /// Calls a method of an object, virtually. The result is zero for `void`, which has no kind.
    ///
    /// # Safety
    /// The object is an instance of the method's class; the arguments are as many and of the types that its
    /// descriptor names, the result of this kind.
    pub(crate) unsafe fn call(
        self,
        receiver: Ref<'_>,
        method: MethodId,
        arguments: &[jvalue],
        result: Option<Kind>,
    ) -> Java<jvalue> {
        let (receiver, method, arguments) = (receiver.raw(), method.raw(), arguments.as_ptr());
        let value = if let Some(kind) = result {
            read!(
                self,
                kind,
                (
                    CallBooleanMethodA,
                    CallByteMethodA,
                    CallCharMethodA,
                    CallShortMethodA,
                    CallIntMethodA,
                    CallLongMethodA,
                    CallFloatMethodA,
                    CallDoubleMethodA,
                    CallObjectMethodA
                ),
                receiver,
                method,
                arguments
            )
        } else {
            table!(self, CallVoidMethodA, receiver, method, arguments);
            ZERO
        };
        self.check().map(|()| value)
    }

    /// Calls a static method.
    ///
    /// # Safety
    /// The method is a static one of the class; arguments and result as for [`Env::call`].
    pub(crate) unsafe fn call_static(
        self,
        class: Ref<'_>,
        method: MethodId,
        arguments: &[jvalue],
        result: Option<Kind>,
    ) -> Java<jvalue> {
        let (class, method, arguments) = (class.raw(), method.raw(), arguments.as_ptr());
        let value = if let Some(kind) = result {
            read!(
                self,
                kind,
                (
                    CallStaticBooleanMethodA,
                    CallStaticByteMethodA,
                    CallStaticCharMethodA,
                    CallStaticShortMethodA,
                    CallStaticIntMethodA,
                    CallStaticLongMethodA,
                    CallStaticFloatMethodA,
                    CallStaticDoubleMethodA,
                    CallStaticObjectMethodA
                ),
                class,
                method,
                arguments
            )
        } else {
            table!(self, CallStaticVoidMethodA, class, method, arguments);
            ZERO
        };
        self.check().map(|()| value)
    }

    /// As [`Env::call`] for a method that returns a reference.
    ///
    /// # Safety
    /// As for [`Env::call`].
    pub(crate) unsafe fn call_object(
        self,
        receiver: Ref<'_>,
        method: MethodId,
        arguments: &[jvalue],
    ) -> Java<Option<Ref<'f>>> {
        let raw = table!(self, CallObjectMethodA, receiver.raw(), method.raw(), arguments.as_ptr());
        self.check()?;
        Ok(self.local(raw))
    }

    /// As [`Env::call_object`], but runs the method of this class whatever the receiver's own class overrides.
    ///
    /// # Safety
    /// As for [`Env::call`], for a method that the class has; the receiver is an instance of the class.
    pub(crate) unsafe fn call_exactly(
        self,
        receiver: Ref<'_>,
        class: Ref<'_>,
        method: MethodId,
        arguments: &[jvalue],
    ) -> Java<Option<Ref<'f>>> {
        let (receiver, class, method) = (receiver.raw(), class.raw(), method.raw());
        let raw = table!(self, CallNonvirtualObjectMethodA, receiver, class, method, arguments.as_ptr());
        self.check()?;
        Ok(self.local(raw))
    }

    /// As [`Env::call_static`] for a method that returns a reference.
    ///
    /// # Safety
    /// As for [`Env::call_static`].
    pub(crate) unsafe fn call_static_object(
        self,
        class: Ref<'_>,
        method: MethodId,
        arguments: &[jvalue],
    ) -> Java<Option<Ref<'f>>> {
        let raw = table!(self, CallStaticObjectMethodA, class.raw(), method.raw(), arguments.as_ptr());
        self.check()?;
        Ok(self.local(raw))
    }

    /// Makes an object.
    ///
    /// # Safety
    /// The method is a constructor of the class, which is not abstract; arguments as for [`Env::call`].
    pub(crate) unsafe fn new_object(
        self,
        class: Ref<'_>,
        constructor: MethodId,
        arguments: &[jvalue],
    ) -> Java<Option<Ref<'f>>> {
        let raw = table!(self, NewObjectA, class.raw(), constructor.raw(), arguments.as_ptr());
        self.check()?;
        Ok(self.local(raw))
    }

    /// An instance method as an object of `java.lang.reflect`.
    ///
    /// # Safety
    /// The class declares or inherits the method, which is not static.
    pub(crate) unsafe fn reflected_method(self, class: Ref<'_>, method: MethodId) -> Java<Ref<'f>> {
        let raw = table!(self, ToReflectedMethod, class.raw(), method.raw(), 0);
        self.check()?;
        self.local(raw).ok_or(super::env::Pending)
    }

    /// Makes an object whose constructor has not run.
    ///
    /// # Safety
    /// The class is not abstract, no array and not `Class`; its constructor is called before anything else uses the
    /// object.
    pub(crate) unsafe fn alloc_object(self, class: Ref<'_>) -> Java<Ref<'f>> {
        let raw = table!(self, AllocObject, class.raw());
        self.check()?;
        self.local(raw).ok_or(super::env::Pending)
    }

    /// Runs the constructor of an object that has only been allocated.
    ///
    /// # Safety
    /// As for [`Env::new_object`], for the object's own class.
    pub(crate) unsafe fn call_constructor(
        self,
        object: Ref<'_>,
        class: Ref<'_>,
        constructor: MethodId,
        arguments: &[jvalue],
    ) -> Java<()> {
        let (object, class, arguments) = (object.raw(), class.raw(), arguments.as_ptr());
        table!(self, CallNonvirtualVoidMethodA, object, class, constructor.raw(), arguments);
        self.check()
    }

    /// Reads a field of an object.
    ///
    /// # Safety
    /// The object is an instance of the field's class, the field of this kind.
    pub(crate) unsafe fn get(self, object: Ref<'_>, field: FieldId, kind: Kind) -> jvalue {
        read!(
            self,
            kind,
            (
                GetBooleanField,
                GetByteField,
                GetCharField,
                GetShortField,
                GetIntField,
                GetLongField,
                GetFloatField,
                GetDoubleField,
                GetObjectField
            ),
            object.raw(),
            field.raw()
        )
    }

    /// Writes a field of an object, final or not.
    ///
    /// # Safety
    /// As for [`Env::get`]; the value is of that kind, and a reference fits the field's type.
    pub(crate) unsafe fn set(self, object: Ref<'_>, field: FieldId, kind: Kind, value: jvalue) {
        write!(
            self,
            kind,
            (
                SetBooleanField,
                SetByteField,
                SetCharField,
                SetShortField,
                SetIntField,
                SetLongField,
                SetFloatField,
                SetDoubleField,
                SetObjectField
            ),
            object.raw(),
            field.raw(),
            value
        );
    }

    /// Reads a static field.
    ///
    /// # Safety
    /// The field is a static one of the class and of this kind.
    pub(crate) unsafe fn get_static(self, class: Ref<'_>, field: FieldId, kind: Kind) -> jvalue {
        read!(
            self,
            kind,
            (
                GetStaticBooleanField,
                GetStaticByteField,
                GetStaticCharField,
                GetStaticShortField,
                GetStaticIntField,
                GetStaticLongField,
                GetStaticFloatField,
                GetStaticDoubleField,
                GetStaticObjectField
            ),
            class.raw(),
            field.raw()
        )
    }

    /// Writes a static field, final or not.
    ///
    /// # Safety
    /// As for [`Env::get_static`]; the value is of that kind, and a reference fits the field's type.
    pub(crate) unsafe fn set_static(self, class: Ref<'_>, field: FieldId, kind: Kind, value: jvalue) {
        write!(
            self,
            kind,
            (
                SetStaticBooleanField,
                SetStaticByteField,
                SetStaticCharField,
                SetStaticShortField,
                SetStaticIntField,
                SetStaticLongField,
                SetStaticFloatField,
                SetStaticDoubleField,
                SetStaticObjectField
            ),
            class.raw(),
            field.raw(),
            value
        );
    }

    /// Reads a static field that holds a reference.
    ///
    /// # Safety
    /// As for [`Env::get_static`].
    pub(crate) unsafe fn get_static_object(self, class: Ref<'_>, field: FieldId) -> Option<Ref<'f>> {
        self.local(table!(self, GetStaticObjectField, class.raw(), field.raw()))
    }

    /// Reads a field that holds a reference.
    ///
    /// # Safety
    /// As for [`Env::get`].
    pub(crate) unsafe fn get_object(self, object: Ref<'_>, field: FieldId) -> Option<Ref<'f>> {
        self.local(table!(self, GetObjectField, object.raw(), field.raw()))
    }
}
