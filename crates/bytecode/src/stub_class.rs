//! Classes of stubs: objects that a test itself implements, whose methods answer from a script.
//!
//! Such a class does what the anonymous class does that the test prints. The script is set between the allocation
//! of the object and its constructor, as captured variables are, so that a constructor of the superclass that calls
//! an abstract method is answered. All that needs branches is in [`SCRIPT_CLASS`]; the code here runs straight on, but for a method with a
//! body of which the script says nothing: that body runs.

use crate::access::Access;
use crate::class_file::{ClassFileError, tag};
use crate::class_writer::{ClassWriter, Code, kind_offset, load_opcode, return_opcode};
use crate::descriptor::{ErasedType, MethodDescriptor, PrimitiveType};
use crate::name::ClassName;
use crate::opcode;

/// Internal name of the class that answers: its method `next(int, Object[])` gets the number of a method and the
/// arguments of the call (boxed; null where there are none), and gives the answer, boxed, or throws it. Its static method `empty(String)`
/// gives what a mock gives from a method with a result of the class of that name of which nobody told it anything. Its method `tells(int)`
/// says whether it has an answer of a method.
pub const SCRIPT_CLASS: &str = "covolve/runtime/Script";

/// Name of the field of a stub with its script.
pub const SCRIPT_FIELD: &str = "script";

/// Descriptor of that field.
pub const SCRIPT_DESCRIPTOR: &str = "Lcovolve/runtime/Script;";

/// Flags of JVM specification, Tables 4.1-B, 4.5-A and 4.6-A.
const PUBLIC: u16 = 0x0001;
const PROTECTED: u16 = 0x0004;
const FINAL: u16 = 0x0010;
const SUPER: u16 = 0x0020;
const BRIDGE: u16 = 0x0040;
const TRANSIENT: u16 = 0x0080;
const SYNTHETIC: u16 = 0x1000;

/// Operands on the stack at the deepest point of a method: script, number, two references to the array of
/// arguments, index, a value of two slots.
const DEEPEST: u16 = 7;

/// The class of a stub, as it is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StubClass {
    /// Its name; it must lie in a package that may see the superclass and its abstract methods.
    pub name: ClassName,
    /// The class or interface of which it is.
    pub of: ClassName,
    /// The same with type arguments, as a generic signature has it, where code may ask the class for them; `None` for what a
    /// lambda would be, whose class knows none.
    pub signature: Option<String>,
    /// What it is of.
    pub base: StubBase,
    /// The methods that answer, by their numbers.
    pub methods: Vec<StubMethod>,
    /// Methods that give null, zero or false; of a mock an empty list, an empty optional and the like.
    pub silent: Vec<StubMethod>,
}

/// What a stub is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StubBase {
    /// An interface.
    Interface,
    /// A class, by the descriptor of the constructor that runs, which is that of the stub as well.
    Class(String),
    /// A class of which no constructor runs: whoever makes an object only allocates it. It is equal to itself alone and has the
    /// hash code and text of `Object`.
    Mock,
}

/// A method that answers from the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StubMethod {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// What each parameter is cast to when the method begins, as the bridge of a generic method does; `None` where
    /// the descriptor says as much. Shorter than the parameters: nothing for the rest.
    pub casts: Vec<Option<ErasedType>>,
    /// Descriptors of the same method in supertypes: each is implemented by a call of this one.
    pub bridges: Vec<String>,
    /// Access of the method that it implements.
    pub access: Access,
    /// Whether it overrides a method with a body, which runs where the script has no answer.
    pub has_body: bool,
}

impl StubClass {
    /// The class file.
    ///
    /// # Errors
    /// [`ClassFileError`] for descriptors that are none, and when the class is too large for a class file.
    pub fn write(&self) -> Result<Vec<u8>, ClassFileError> {
        let name = self.name.as_str();
        let object = ClassName::object();
        let (superclass, interface) = match &self.base {
            StubBase::Class(_) | StubBase::Mock => (self.of.as_str(), None),
            StubBase::Interface => (object.as_str(), Some(self.of.as_str())),
        };
        let mut class = ClassWriter::new(FINAL | SUPER | SYNTHETIC, name, superclass, interface);
        if let Some(of) = &self.signature {
            class.sign(&if interface.is_some() { format!("L{superclass};{of}") } else { of.clone() });
        }
        class.field(TRANSIENT | SYNTHETIC, SCRIPT_FIELD, SCRIPT_DESCRIPTOR);
        match &self.base {
            StubBase::Interface => write_constructor(&mut class, superclass, "()V")?,
            StubBase::Class(constructor) => write_constructor(&mut class, superclass, constructor)?,
            StubBase::Mock => write_identity(&mut class)?,
        }
        for (number, method) in (0..).zip(&self.methods) {
            method.write(&mut class, (name, superclass), number)?;
        }
        for method in &self.silent {
            method.write_silent(&mut class, self.base == StubBase::Mock)?;
        }
        for method in self.methods.iter().chain(&self.silent) {
            for bridge in &method.bridges {
                method.write_bridge(&mut class, name, bridge)?;
            }
        }
        class.finish()
    }
}

/// A constructor that hands its arguments on.
fn write_constructor(
    class: &mut ClassWriter,
    superclass: &str,
    descriptor: &str,
) -> Result<(), ClassFileError> {
    let parsed = MethodDescriptor::parse(descriptor)?;
    let locals = parsed.parameter_slots() + 1;
    let mut code = Code::new(locals, locals);
    code.local(opcode::ALOAD, 0);
    for (local, parameter) in locals_of(&parsed) {
        code.local(load_opcode(parameter), local);
    }
    code.with(opcode::INVOKESPECIAL, class.constants.member(tag::METHOD, superclass, "<init>", descriptor));
    code.op(opcode::RETURN);
    class.method(0, "<init>", descriptor, &code)
}

/// Methods of `Object` as that class has them, whatever a superclass makes of them.
fn write_identity(class: &mut ClassWriter) -> Result<(), ClassFileError> {
    const ALL: [(&str, &str, &str, &str); 3] = [
        ("equals", "(Ljava/lang/Object;)Z", SCRIPT_CLASS, "isSame"),
        ("hashCode", "()I", "java/lang/System", "identityHashCode"),
        ("toString", "()Ljava/lang/String;", SCRIPT_CLASS, "textOf"),
    ];
    for (name, descriptor, owner, helper) in ALL {
        let parsed = MethodDescriptor::parse(descriptor)?;
        let locals = parsed.parameter_slots() + 1;
        let mut code = Code::new(locals, locals);
        code.local(opcode::ALOAD, 0);
        for (local, _) in locals_of(&parsed) {
            code.local(opcode::ALOAD, local);
        }
        let with_object = descriptor.replace('(', "(Ljava/lang/Object;");
        code.with(opcode::INVOKESTATIC, class.constants.member(tag::METHOD, owner, helper, &with_object));
        code.op(return_opcode(parsed.result.as_ref()));
        class.method(PUBLIC, name, descriptor, &code)?;
    }
    Ok(())
}

impl StubMethod {
    /// What is left of the flags of the abstract method.
    fn flags(&self) -> u16 {
        self.access.0 & (PUBLIC | PROTECTED)
    }

    fn write(
        &self,
        class: &mut ClassWriter,
        (owner, superclass): (&str, &str),
        number: u16,
    ) -> Result<(), ClassFileError> {
        let descriptor = MethodDescriptor::parse(&self.descriptor)?;
        let mut code = self.begin(class, &descriptor);
        let script = class.constants.member(tag::FIELD, owner, SCRIPT_FIELD, SCRIPT_DESCRIPTOR);
        let ask = |code: &mut Code| {
            code.local(opcode::ALOAD, 0);
            code.with(opcode::GETFIELD, script);
            code.number(number);
        };
        if self.has_body {
            ask(&mut code);
            let tells = class.constants.member(tag::METHOD, SCRIPT_CLASS, "tells", "(I)Z");
            code.with(opcode::INVOKEVIRTUAL, tells);
            code.or_else(&self.inherited(class, superclass, &descriptor));
        }
        ask(&mut code);
        push_arguments(class, &mut code, &descriptor);
        let next = "(I[Ljava/lang/Object;)Ljava/lang/Object;";
        code.with(opcode::INVOKEVIRTUAL, class.constants.member(tag::METHOD, SCRIPT_CLASS, "next", next));
        give_back(class, &mut code, descriptor.result.as_ref());
        class.method(self.flags(), &self.name, &self.descriptor, &code)
    }

    /// Takes its step like a method with a script, and gives what a field has that nothing was written to; a mock gives what one of
    /// Mockito would.
    fn write_silent(&self, class: &mut ClassWriter, of_mock: bool) -> Result<(), ClassFileError> {
        let descriptor = MethodDescriptor::parse(&self.descriptor)?;
        let mut code = self.begin(class, &descriptor);
        code.with(opcode::INVOKESTATIC, class.constants.member(tag::METHOD, SCRIPT_CLASS, "silent", "()V"));
        match &descriptor.result {
            None => {}
            // What is of no class of the platform is null.
            Some(result @ ErasedType::Class(name)) if of_mock && name.is_platform() => {
                code.with(opcode::LDC_W, class.constants.string(name.as_str()));
                let empty = "(Ljava/lang/String;)Ljava/lang/Object;";
                code.with(
                    opcode::INVOKESTATIC,
                    class.constants.member(tag::METHOD, SCRIPT_CLASS, "empty", empty),
                );
                check_cast(class, &mut code, result);
            }
            Some(ErasedType::Class(_) | ErasedType::Array(_)) => code.op(opcode::ACONST_NULL),
            Some(ErasedType::Primitive(primitive)) => code.op(match kind_offset(*primitive) {
                0 => opcode::ICONST_0,
                1 => opcode::LCONST_0,
                2 => opcode::FCONST_0,
                _ => opcode::DCONST_0,
            }),
        }
        code.op(return_opcode(descriptor.result.as_ref()));
        class.method(self.flags(), &self.name, &self.descriptor, &code)
    }

    /// What the method of the superclass does.
    fn inherited(&self, class: &mut ClassWriter, superclass: &str, descriptor: &MethodDescriptor) -> Vec<u8> {
        let locals = descriptor.parameter_slots() + 1;
        let mut code = Code::new(locals, locals);
        code.local(opcode::ALOAD, 0);
        for (local, parameter) in locals_of(descriptor) {
            code.local(load_opcode(parameter), local);
        }
        let method = class.constants.member(tag::METHOD, superclass, &self.name, &self.descriptor);
        code.with(opcode::INVOKESPECIAL, method);
        code.op(return_opcode(descriptor.result.as_ref()));
        code.bytes().to_vec()
    }

    /// The code of a method, as far as its arguments are cast.
    fn begin(&self, class: &mut ClassWriter, descriptor: &MethodDescriptor) -> Code {
        let locals = descriptor.parameter_slots() + 1;
        let mut code = Code::new(locals, if self.has_body { locals.max(DEEPEST) } else { DEEPEST });
        for ((local, _), cast) in locals_of(descriptor).zip(&self.casts) {
            if let Some(cast) = cast {
                code.local(opcode::ALOAD, local);
                check_cast(class, &mut code, cast);
                code.op(opcode::POP);
            }
        }
        code
    }

    fn write_bridge(&self, class: &mut ClassWriter, owner: &str, bridge: &str) -> Result<(), ClassFileError> {
        let (from, to) = (MethodDescriptor::parse(bridge)?, MethodDescriptor::parse(&self.descriptor)?);
        let locals = from.parameter_slots() + 1;
        // A result may take two slots where the receiver alone took one.
        let mut code = Code::new(locals, locals.max(2));
        code.local(opcode::ALOAD, 0);
        for ((local, given), wanted) in locals_of(&from).zip(&to.parameters) {
            code.local(load_opcode(given), local);
            if given != wanted {
                check_cast(class, &mut code, wanted);
            }
        }
        let method = class.constants.member(tag::METHOD, owner, &self.name, &self.descriptor);
        code.with(opcode::INVOKEVIRTUAL, method);
        code.op(return_opcode(from.result.as_ref()));
        class.method(self.flags() | BRIDGE | SYNTHETIC, &self.name, bridge, &code)
    }
}

/// The parameters with their locals, behind the receiver.
fn locals_of(descriptor: &MethodDescriptor) -> impl Iterator<Item = (u16, &ErasedType)> {
    descriptor.parameters.iter().scan(1, |next, parameter| {
        let local = *next;
        *next += parameter.slots();
        Some((local, parameter))
    })
}

/// Pushes the arguments as an array, or null where there are none. Any of them may be recorded, and be the answer.
fn push_arguments(class: &mut ClassWriter, code: &mut Code, descriptor: &MethodDescriptor) {
    if descriptor.parameters.is_empty() {
        return code.op(opcode::ACONST_NULL);
    }
    code.number(u16::try_from(descriptor.parameters.len()).unwrap_or(u16::MAX));
    code.with(opcode::ANEWARRAY, class.constants.class("java/lang/Object"));
    for (index, (local, parameter)) in (0..).zip(locals_of(descriptor)) {
        code.op(opcode::DUP);
        code.number(index);
        code.local(load_opcode(parameter), local);
        if let ErasedType::Primitive(primitive) = parameter {
            // A `char` widens to numbers, its box does not.
            let widens = widens_characters(descriptor.result.as_ref());
            let boxed =
                if *primitive == PrimitiveType::Char && widens { PrimitiveType::Int } else { *primitive };
            let descriptor = format!("({})L{};", boxed.descriptor(), boxed.boxed());
            let value_of =
                class.constants.member(tag::METHOD, boxed.boxed().as_str(), "valueOf", &descriptor);
            code.with(opcode::INVOKESTATIC, value_of);
        }
        code.op(opcode::AASTORE);
    }
}

/// Whether a method with this result gives its script characters as numbers, since one of them may be its answer.
pub fn widens_characters(result: Option<&ErasedType>) -> bool {
    matches!(result, Some(ErasedType::Primitive(result)) if *result != PrimitiveType::Char)
}

/// Returns the answer on the stack.
fn give_back(class: &mut ClassWriter, code: &mut Code, result: Option<&ErasedType>) {
    match result {
        None => code.op(opcode::POP),
        Some(reference @ (ErasedType::Class(_) | ErasedType::Array(_))) => check_cast(class, code, reference),
        Some(ErasedType::Primitive(primitive)) => {
            // Numbers are unboxed by way of `Number`, which widens as `return` does.
            let holder = match primitive {
                PrimitiveType::Boolean | PrimitiveType::Char => primitive.boxed(),
                PrimitiveType::Byte
                | PrimitiveType::Short
                | PrimitiveType::Int
                | PrimitiveType::Long
                | PrimitiveType::Float
                | PrimitiveType::Double => ClassName::new("java/lang/Number"),
            };
            code.with(opcode::CHECKCAST, class.constants.class(holder.as_str()));
            let (name, descriptor) =
                (format!("{}Value", primitive.keyword()), format!("(){}", primitive.descriptor()));
            let value = class.constants.member(tag::METHOD, holder.as_str(), &name, &descriptor);
            code.with(opcode::INVOKEVIRTUAL, value);
        }
    }
    code.op(return_opcode(result));
}

fn check_cast(class: &mut ClassWriter, code: &mut Code, to: &ErasedType) {
    let name = match to {
        ErasedType::Class(name) => name.as_str().to_owned(),
        ErasedType::Array(_) => to.descriptor(),
        ErasedType::Primitive(_) => return,
    };
    if name != ClassName::object().as_str() {
        code.with(opcode::CHECKCAST, class.constants.class(&name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_file::ClassFile;
    use crate::method_code::MethodCode;
    use noak::reader::AttributeContent;

    fn method(name: &str, descriptor: &str) -> StubMethod {
        StubMethod {
            name: name.into(),
            descriptor: descriptor.into(),
            casts: Vec::new(),
            bridges: Vec::new(),
            access: Access(0x0401),
            has_body: false,
        }
    }

    fn stub(constructor: Option<&str>, methods: Vec<StubMethod>) -> StubClass {
        StubClass {
            name: "p/A$$Stub0".into(),
            of: "p/A".into(),
            signature: None,
            base: constructor.map_or(StubBase::Interface, |of| StubBase::Class(of.to_owned())),
            methods,
            silent: Vec::new(),
        }
    }

    /// Mnemonics of a method as our own reader finds them.
    fn mnemonics(bytes: &[u8], method: usize) -> Vec<&'static str> {
        let class = ClassFile::parse(bytes).unwrap();
        let code = MethodCode::read(&class, method).unwrap().unwrap();
        code.instructions.iter().filter_map(|instruction| opcode::mnemonic(instruction.opcode)).collect()
    }

    /// Methods with their numbers of instructions, as another reader finds them.
    fn read_by_another(bytes: &[u8]) -> Vec<(String, usize)> {
        let class = noak::reader::Class::new(bytes).unwrap();
        let mut found = Vec::new();
        for method in class.methods() {
            let method = method.unwrap();
            for attribute in method.attributes() {
                let content = attribute.unwrap().read_content(class.pool()).unwrap();
                let AttributeContent::Code(code) = content else { panic!("only code") };
                let count = code.raw_instructions().collect::<Result<Vec<_>, _>>().unwrap().len();
                let name = class.pool().retrieve(method.name()).unwrap().to_str().unwrap().to_owned();
                found.push((name, count));
            }
        }
        found
    }

    #[test]
    fn an_interface_is_implemented_and_a_class_extended() {
        let check = |constructor: Option<&str>, superclass: &str, interfaces: usize, expect: &[&str]| {
            let bytes = stub(constructor, Vec::new()).write().unwrap();
            let class = ClassFile::parse(&bytes).unwrap();
            assert_eq!(class.constants.class(class.super_class).unwrap(), superclass);
            assert_eq!((class.interfaces.len(), class.fields.len(), class.major), (interfaces, 1, 52));
            assert_eq!(mnemonics(&bytes, 0), expect);
        };
        check(None, "java/lang/Object", 1, &["aload", "invokespecial", "return"]);
        check(
            Some("(IJ[Ljava/lang/String;D)V"),
            "p/A",
            0,
            &["aload", "iload", "lload", "aload", "dload", "invokespecial", "return"],
        );
    }

    #[test]
    fn a_mock_has_no_constructor_and_is_equal_to_itself_alone() {
        let class = StubClass { base: StubBase::Mock, ..stub(None, vec![method("f", "()V")]) };
        let bytes = class.write().unwrap();
        let read = ClassFile::parse(&bytes).unwrap();
        assert_eq!(read.constants.class(read.super_class).unwrap(), "p/A");
        let names = read_by_another(&bytes).into_iter().map(|(name, _)| name);
        assert_eq!(names.collect::<Vec<_>>(), ["equals", "hashCode", "toString", "f"]);
        assert_eq!(mnemonics(&bytes, 0), ["aload", "aload", "invokestatic", "ireturn"]);
        assert_eq!(mnemonics(&bytes, 2), ["aload", "invokestatic", "areturn"]);
        for (result, of_mock, expect) in [
            (
                "Ljava/util/List;",
                true,
                &["invokestatic", "ldc_w", "invokestatic", "checkcast", "areturn"][..],
            ),
            ("Ljava/util/List;", false, &["invokestatic", "aconst_null", "areturn"]),
            ("Lp/A;", true, &["invokestatic", "aconst_null", "areturn"]),
        ] {
            let base = if of_mock { StubBase::Mock } else { StubBase::Interface };
            let silent = vec![method("f", &format!("(){result}"))];
            let bytes = StubClass { base, silent, ..stub(None, Vec::new()) }.write().unwrap();
            assert_eq!(mnemonics(&bytes, if of_mock { 3 } else { 1 }), expect, "{result}");
        }
    }

    #[test]
    fn type_arguments_are_in_the_signature() {
        let check = |constructor: Option<&str>, expect: &str| {
            let class = StubClass { signature: Some("Lp/A<TT;>;".into()), ..stub(constructor, Vec::new()) };
            let bytes = class.write().unwrap();
            let class = noak::reader::Class::new(&bytes).unwrap();
            let attribute =
                class.attributes().into_iter().next().unwrap().unwrap().read_content(class.pool()).unwrap();
            let AttributeContent::Signature(signature) = attribute else { panic!("no signature") };
            let text = class.pool().retrieve(signature.signature()).unwrap();
            assert_eq!(text.to_str().unwrap(), expect);
        };
        check(None, "Ljava/lang/Object;Lp/A<TT;>;");
        check(Some("()V"), "Lp/A<TT;>;");
    }

    #[test]
    fn a_method_with_a_body_runs_that_where_its_script_says_nothing() {
        let of = StubMethod { has_body: true, ..method("f", "(JLjava/lang/String;)D") };
        let bytes = stub(Some("()V"), vec![of]).write().unwrap();
        let ask = "aload getfield iconst_0 invokevirtual ifne aload lload aload invokespecial dreturn";
        let all = mnemonics(&bytes, 1).join(" ");
        assert!(all.starts_with(&format!("{ask} aload getfield iconst_0 iconst_2 anewarray")), "{all}");
        let class = noak::reader::Class::new(&bytes).unwrap();
        let method = class.methods().into_iter().nth(1).unwrap().unwrap();
        let code = method.attributes().into_iter().next().unwrap().unwrap();
        let AttributeContent::Code(code) = code.read_content(class.pool()).unwrap() else { panic!("code") };
        let frames = code.attributes().into_iter().next().unwrap().unwrap();
        let AttributeContent::StackMapTable(_) = frames.read_content(class.pool()).unwrap() else {
            panic!("frames")
        };
    }

    #[test]
    fn a_method_asks_its_script_and_returns_what_it_says() {
        let check = |descriptor: &str, expect: &str| {
            let bytes = stub(None, vec![method("f", descriptor)]).write().unwrap();
            let all = mnemonics(&bytes, 1).join(" ");
            let ask = "aload getfield iconst_0 ";
            assert_eq!(all.strip_prefix(ask), Some(expect), "{descriptor}");
        };
        check("()V", "aconst_null invokevirtual pop return");
        check("(I)V", "iconst_1 anewarray dup iconst_0 iload invokestatic aastore invokevirtual pop return");
        check("()Ljava/lang/Object;", "aconst_null invokevirtual areturn");
        check("()[I", "aconst_null invokevirtual checkcast areturn");
        check("()Z", "aconst_null invokevirtual checkcast invokevirtual ireturn");
        check("()J", "aconst_null invokevirtual checkcast invokevirtual lreturn");
        check(
            "(JLjava/lang/String;)D",
            "iconst_2 anewarray dup iconst_0 lload invokestatic aastore dup iconst_1 aload aastore invokevirtual \
             checkcast invokevirtual dreturn",
        );
    }

    #[test]
    fn bridges_delegate_and_parameters_are_cast() {
        let mut compare = method("compare", "(Ljava/lang/Object;Ljava/lang/Object;)I");
        compare.casts = vec![Some(ErasedType::Class(ClassName::string())), None];
        let mut get = method("get", "(JLjava/lang/String;)Ljava/lang/String;");
        get.bridges = vec!["(JLjava/lang/Object;)Ljava/lang/Object;".into()];
        let bytes = stub(Some("()V"), vec![compare, get]).write().unwrap();
        assert_eq!(mnemonics(&bytes, 1)[..5], ["aload", "checkcast", "pop", "aload", "getfield"]);
        assert_eq!(
            mnemonics(&bytes, 3),
            ["aload", "lload", "aload", "checkcast", "invokevirtual", "areturn"]
        );
        let read = read_by_another(&bytes);
        let names: Vec<&str> = read.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["<init>", "compare", "get", "get"]);
        for (index, (name, count)) in read.iter().enumerate() {
            assert_eq!(mnemonics(&bytes, index).len(), *count, "{name}");
        }
    }

    #[test]
    fn many_parameters_and_methods_fit() {
        let wide = format!("({}I)I", "J".repeat(126));
        let mut methods: Vec<StubMethod> =
            (0..300).map(|number| method(&format!("f{number}"), "()Ljava/lang/Object;")).collect();
        methods.push(method("wide", &wide));
        let bytes = stub(Some(&format!("({}J)V", "D".repeat(126))), methods).write().unwrap();
        assert_eq!(read_by_another(&bytes).len(), 302);
    }

    #[test]
    fn what_is_no_descriptor_is_an_error() {
        assert!(stub(Some("nonsense"), Vec::new()).write().is_err());
        assert!(stub(None, vec![method("f", "(Q)V")]).write().is_err());
    }
}
