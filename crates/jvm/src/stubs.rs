//! Classes of stubs: written and defined when a test first needs them, once for each stub of the test cluster.
//!
//! They lie in the package of the tests, that of the class under test, and in the loader of the class path, so that
//! they may do what the anonymous class may that is printed; mocks in the package of the class mocked, as those of Mockito do, so
//! that they answer for methods that only that package sees. They pass by instrumentation: they hold no goals and
//! write no static fields, and each call takes its step in [`SCRIPT_CLASS`].

use bytecode::descriptor::{ErasedType, MethodDescriptor};
use bytecode::name::ClassName;
use bytecode::stub_class::{SCRIPT_CLASS, SCRIPT_DESCRIPTOR, SCRIPT_FIELD, StubBase, StubClass, StubMethod};
use testcase::cluster::callbacks::Callback;
use testcase::cluster::{CallableKind, Stub, StubId, StubKind, TestCluster, TypeId};

use crate::jdk::Jdk;
use crate::jni::{Env, FieldId, Global, Java, Kind, MethodId, java_name};
use crate::resolve::{CallHandle, call_handle, reference_class};
use crate::transform::Transformer;

/// What stands in the names of stub classes between that of the class that they belong to and their number.
const INFIX: &str = "$$Stub";

/// Whether a class of this name is one of a stub.
pub(crate) fn is_stub(name: &ClassName) -> bool {
    name.as_str().contains(INFIX)
}

/// A stub whose class is defined.
#[derive(Debug, Clone)]
pub(crate) struct StubHandle {
    /// The class made.
    pub(crate) class: Global,
    /// Its constructor; `None` where none runs.
    pub(crate) constructor: Option<CallHandle>,
    /// The field with the script.
    pub(crate) script: FieldId,
    /// What each method returns; `None` for `void`.
    pub(crate) results: Box<[Option<ResultHandle>]>,
    /// What each method may call of what it is passed.
    pub(crate) callbacks: Box<[Callbacks]>,
    /// The class of scripts and its constructor.
    pub(crate) script_class: Global,
    pub(crate) new_script: MethodId,
}

/// The result of a method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResultHandle {
    /// Its type in the cluster.
    pub(crate) of: TypeId,
    /// Its kind in the descriptor.
    pub(crate) kind: Kind,
    /// Its class in the descriptor, for references.
    pub(crate) class: Option<Global>,
    /// Whether the method has a body, which runs where nothing is told of it.
    pub(crate) has_body: bool,
}

/// What a method may call, by its number; `None` where that cannot be called.
pub(crate) type Callbacks = Box<[Option<CallbackHandle>]>;

/// A method of what a method of a stub is passed.
#[derive(Debug, Clone)]
pub(crate) struct CallbackHandle {
    pub(crate) call: CallHandle,
    /// The method as an object of `java.lang.reflect`.
    pub(crate) method: Global,
    /// Which parameter it is a method of, from 0.
    pub(crate) parameter: u8,
    /// Whether what it gives is what the stub's method gives.
    pub(crate) gives: bool,
}

/// Defines the class of a stub. `parent` is the constructor of the abstract class that it extends; `None` for an
/// interface. The result is `None` when no class can be made of it.
pub(crate) fn define(
    env: Env<'_>,
    jdk: &Jdk,
    transformer: &Transformer,
    cluster: &TestCluster,
    id: StubId,
    parent: Option<CallHandle>,
) -> Java<Option<StubHandle>> {
    let stub = cluster.stub(id);
    let ErasedType::Class(of) = &cluster.ty(stub.of).erased else { return Ok(None) };
    let results = stub.methods.iter().map(|method| {
        match (method.result, MethodDescriptor::parse(&method.descriptor)) {
            (Some(of), Ok(MethodDescriptor { result: Some(erased), .. })) => Ok(Some(ResultHandle {
                of,
                kind: Kind::from(&erased),
                class: reference_class(env, jdk, &erased)?,
                has_body: method.has_body,
            })),
            (Some(_) | None, Ok(_) | Err(_)) => Ok(None),
        }
    });
    let results = results.collect::<Java<_>>()?;
    let written = class_of(cluster, stub, id, of);
    let Ok(bytes) = written.write() else { return Ok(None) };
    // What it is of must be there before: its own loading is none of a stub.
    jdk.load(env, &cluster.ty(stub.of).erased, true)?;
    transformer.leave_alone(written.name.clone());
    let class = env.define_class(&java_name(written.name.as_str()), Some(jdk.loader.get()), &bytes)?;
    let class_made = env.global(class);
    let constructor = match (&written.base, parent) {
        (StubBase::Mock, _) => None,
        (StubBase::Class(descriptor), Some(parent)) => {
            Some(CallHandle { class: class_made, method: env.method(class, "<init>", descriptor)?, ..parent })
        }
        (StubBase::Class(_) | StubBase::Interface, _) => Some(CallHandle {
            class: class_made,
            method: env.method(class, "<init>", "()V")?,
            kind: CallableKind::Constructor,
            result: None,
            parameters: Box::default(),
            result_cast: None,
            takes_enclosing_instance: false,
            goal_class: None,
            watched: None,
        }),
    };
    let script_class = env.find_class(&java_name(SCRIPT_CLASS))?;
    Ok(Some(StubHandle {
        class: class_made,
        constructor,
        script: env.field(class, SCRIPT_FIELD, SCRIPT_DESCRIPTOR)?,
        results,
        callbacks: callbacks(env, jdk, cluster, stub)?,
        script_class: env.global(script_class),
        new_script: env.method(script_class, "<init>", "([Ljava/lang/Object;[II)V")?,
    }))
}

/// The methods that each method of a stub may call.
fn callbacks(env: Env<'_>, jdk: &Jdk, cluster: &TestCluster, stub: &Stub) -> Java<Box<[Callbacks]>> {
    let handle = |callback: &Callback| {
        let Some(call) = call_handle(env, jdk, cluster, cluster.callable(callback.callable), &[])? else {
            return Ok(None);
        };
        // SAFETY: the method was found in that class, and is one of instances.
        let method = unsafe { env.reflected_method(call.class.get(), call.method)? };
        let (parameter, gives) = (callback.parameter, callback.gives);
        Ok(Some(CallbackHandle { call, method: env.global(method), parameter, gives }))
    };
    stub.methods.iter().map(|method| method.callbacks.iter().map(handle).collect()).collect()
}

/// The class to be written for a stub of a class or interface.
fn class_of(cluster: &TestCluster, stub: &Stub, id: StubId, of: &ClassName) -> StubClass {
    let tests = cluster.class_under_test.as_ref().unwrap_or(of);
    let (host, base) = match stub.kind {
        StubKind::Interface => (tests, StubBase::Interface),
        StubKind::Extension(id) => (tests, StubBase::Class(cluster.callable(id).descriptor.to_string())),
        StubKind::Mock => (of, StubBase::Mock),
    };
    let erased_parameters =
        |descriptor: &str| MethodDescriptor::parse(descriptor).map_or(Vec::new(), |parsed| parsed.parameters);
    let methods = stub.methods.iter().map(|method| {
        let erased = erased_parameters(&method.descriptor);
        let casts = method.parameters.iter().zip(&erased).map(|(parameter, erased)| {
            let of = cluster.ty(parameter.of);
            (of.accessible && of.erased != *erased).then(|| of.erased.clone())
        });
        StubMethod {
            name: method.name.to_string(),
            descriptor: method.descriptor.to_string(),
            casts: casts.collect(),
            bridges: method.bridges.iter().map(ToString::to_string).collect(),
            access: method.access,
            has_body: method.has_body,
        }
    });
    let silent = stub.silent.iter().map(|method| {
        let erased = erased_parameters(&method.descriptor);
        let casts = method.parameters.iter().zip(&erased).map(|(parameter, erased)| {
            let of = parameter.erase(&[]);
            (of != *erased).then_some(of)
        });
        StubMethod {
            name: method.name.to_string(),
            descriptor: method.descriptor.to_string(),
            casts: casts.collect(),
            bridges: method.bridges.iter().map(ToString::to_string).collect(),
            access: method.access,
            has_body: false,
        }
    });
    StubClass {
        name: ClassName::new(format!("{host}{INFIX}{}", id.0)),
        of: of.clone(),
        signature: signature_of(cluster, stub),
        base,
        methods: methods.collect(),
        silent: silent.collect(),
    }
}

/// The type of a stub with its arguments. What may be a lambda has none: hardly any script of it needs an anonymous class.
fn signature_of(cluster: &TestCluster, stub: &Stub) -> Option<String> {
    let of = cluster.ty(stub.of).generic.as_class().filter(|_| !stub.is_functional)?;
    (!of.arguments.is_empty() || of.outer.is_some()).then(|| of.signature())
}

#[cfg(test)]
mod tests {
    use bytecode::access::Access;
    use bytecode::signature::{ClassType, GenericType, TypeArgument};
    use testcase::cluster::{Parameter, StubMethod as ClusterMethod, Type};

    use super::*;

    #[test]
    fn the_class_tells_its_type_arguments_where_that_of_a_test_does() {
        let mut of = ClassType::new(ClassName::new("p/F"));
        of.arguments.push(TypeArgument::Exact(GenericType::Class(ClassType::new(ClassName::string()))));
        let generic = GenericType::Class(of);
        let erased = ErasedType::Class("p/F".into());
        let ty = Type { generic, erased, element: None, enum_constants: Vec::new(), accessible: true };
        let cluster = TestCluster { types: vec![ty], ..TestCluster::default() };
        let signature = |is_functional| {
            let (methods, silent) = (Vec::new(), Vec::new());
            let stub = Stub {
                of: TypeId(0),
                kind: StubKind::Interface,
                is_functional,
                methods,
                silent,
                calls_default: false,
            };
            signature_of(&cluster, &stub)
        };
        assert_eq!(signature(false).as_deref(), Some("Lp/F<Ljava/lang/String;>;"));
        assert_eq!(signature(true), None, "a lambda");
    }

    #[test]
    fn a_class_lies_beside_the_class_under_test_and_casts_what_generics_promise() {
        let ty = |name: &str, accessible| Type {
            generic: GenericType::from(&ErasedType::Class(name.into())),
            erased: ErasedType::Class(name.into()),
            element: None,
            enum_constants: Vec::new(),
            accessible,
        };
        let stub = Stub {
            of: TypeId(0),
            kind: StubKind::Interface,
            is_functional: true,
            methods: vec![ClusterMethod {
                name: "accept".into(),
                descriptor: "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V".into(),
                bridges: Vec::new(),
                access: Access(0x0401),
                parameters: [1, 2, 3].map(|id| Parameter::new(TypeId(id))).into(),
                result: None,
                narrowed: Vec::new(),
                exceptions: Vec::new(),
                throws: Vec::new(),
                is_erased: false,
                has_body: false,
                callbacks: Vec::new(),
            }],
            silent: Vec::new(),
            calls_default: false,
        };
        let cluster = TestCluster {
            class_under_test: Some("q/Subject".into()),
            types: vec![
                ty("p/I", true),
                ty("p/A", true),
                ty("p/Hidden", false),
                ty("java/lang/Object", true),
            ],
            ..TestCluster::default()
        };
        let class = class_of(&cluster, &stub, StubId(7), &"p/I".into());
        assert_eq!((class.name.as_str(), class.of.as_str()), ("q/Subject$$Stub7", "p/I"));
        let casts = class.methods.into_iter().next().unwrap().casts;
        assert_eq!(casts, [Some(ErasedType::Class("p/A".into())), None, None]);
    }
}
