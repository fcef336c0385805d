//! The machine as the code under test sees it: a name, an address and two network interfaces, the same on each machine. No real
//! one is called so or has that address ([`testcase::machine`]): what depends on them fails in the user's JVM, and is left
//! out of tests. What does not, as an identifier made of them once and for all, can be tested.

use testcase::machine;

use super::native_table::Native;
use crate::jni::{Env, JNIEnv, Java, Kind, Pending, Ref, jvalue};

/// The name that stands for every machine's own loopback address.
const LOCALHOST: &str = "localhost";
/// The address of [`LOCALHOST`].
const LOOPBACK: [u8; 4] = [127, 0, 0, 1];
/// Longest name of a machine or an interface that is looked at; that of the domain name system.
const LONGEST_NAME: usize = 255;
/// The largest packets of the loopback interface and of others, as Linux has them.
const LARGEST_PACKETS: [usize; 2] = [65_536, 1500];
/// The index of the first interface.
const FIRST_INDEX: usize = 1;

/// A machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Machine {
    name: &'static str,
    address: [u8; 4],
    /// The loopback interface and the other one, by their indices.
    interfaces: [&'static str; 2],
    /// Of the second interface; locally administered.
    hardware: [u8; 6],
}

/// That of a search.
pub(crate) const HERE: Machine = Machine {
    name: machine::NAME,
    address: machine::ADDRESS,
    interfaces: ["lo", "eth0"],
    hardware: [2, 0, 0, 0, 0, 1],
};

/// One on which as much as possible is different.
pub(crate) const ELSEWHERE: Machine = Machine {
    name: "elsewhere.invalid",
    address: [198, 51, 100, 254],
    interfaces: ["lo0", "en1"],
    hardware: [6, 1, 2, 3, 4, 250],
};

impl Machine {
    /// What a call of a native method gives that is about the machine itself; `words` are its arguments. `None` where it is about
    /// others, or about what this machine does not have.
    /// A reference, or a number or truth value, as one word.
    ///
    /// # Safety
    /// `env` is that of the calling thread, which called that native method with these arguments.
    pub(super) unsafe fn answer(
        &self,
        env: *mut JNIEnv,
        native: &Native,
        words: [usize; 3],
    ) -> Option<usize> {
        // SAFETY: the contract is passed on.
        let env = unsafe { Env::new(env) }?;
        // SAFETY: as above.
        let answer = unsafe { self.object(env, native.method, words[0]) };
        if let Some(object) = answer {
            return object.inspect_err(|_| env.clear()).ok();
        }
        // SAFETY: as above; of these methods the interface is named by the first or the second argument.
        unsafe {
            let interface = |word: usize| self.interface_called(&text(env, word)?);
            match native.method {
                "isUp0" | "supportsMulticast0" => interface(words[0]).map(|_| 1),
                "isLoopback0" => interface(words[0]).map(|index| usize::from(index == 0)),
                "isP2P0" => interface(words[0]).map(|_| 0),
                "getMTU0" => interface(words[0]).and_then(|index| LARGEST_PACKETS.get(index).copied()),
                "boundInetAddress0" => self.interface_with(&bytes(env, address(env, words[0])?)?).map(|_| 1),
                "getMacAddr0" => match interface(words[1])? {
                    0 => Some(0),
                    _ => made_bytes(env, &self.hardware).inspect_err(|_| env.clear()).ok().map(raw),
                },
                _ => None,
            }
        }
    }

    /// As above, of methods that give names, addresses and interfaces.
    ///
    /// # Safety
    /// As above.
    unsafe fn object(&self, env: Env<'_>, method: &str, word: usize) -> Option<Java<usize>> {
        // SAFETY: the first arguments of these methods are a name, the bytes of an address, an index, or an address.
        let found = unsafe {
            match method {
                "getLocalHostName" => made_text(env, self.name),
                "lookupAllHostAddr" => {
                    let name = text(env, word)?;
                    let known = [(self.name, self.address), (LOCALHOST, LOOPBACK)];
                    let (_, address) =
                        known.into_iter().find(|(known, _)| name.eq_ignore_ascii_case(known))?;
                    made_address(env, Some(&name), address)
                        .and_then(|one| made_array(env, "java/net/InetAddress", &[one]))
                }
                "getHostByAddr" => {
                    (bytes(env, reference(word)?)? == self.address).then(|| made_text(env, self.name))?
                }
                "getAll" => self.made_interfaces(env),
                "getByName0" => self.made_interface(env, self.interface_called(&text(env, word)?)?),
                "getByIndex0" => {
                    let index = (word as u32 as usize).checked_sub(FIRST_INDEX)?;
                    (index < self.interfaces.len()).then(|| self.made_interface(env, index))?
                }
                "getByInetAddress0" => {
                    let interface = self.interface_with(&bytes(env, address(env, word)?)?)?;
                    self.made_interface(env, interface)
                }
                _ => return None,
            }
        };
        Some(found.map(raw))
    }

    fn interface_called(&self, name: &str) -> Option<usize> {
        self.interfaces.iter().position(|known| *known == name)
    }

    fn interface_with(&self, address: &[u8]) -> Option<usize> {
        [LOOPBACK, self.address].iter().position(|known| known == address)
    }

    /// All interfaces, the last one first, as Linux lists them.
    fn made_interfaces<'f>(&self, env: Env<'f>) -> Java<Ref<'f>> {
        let interfaces = (0..self.interfaces.len()).rev().map(|index| self.made_interface(env, index));
        let interfaces = interfaces.collect::<Java<Vec<_>>>()?;
        made_array(env, "java/net/NetworkInterface", &interfaces)
    }

    fn made_interface<'f>(&self, env: Env<'f>, index: usize) -> Java<Ref<'f>> {
        let name = made_text(env, self.interfaces.get(index).copied().unwrap_or_default())?;
        let (address, mask) = if index == 0 { (LOOPBACK, 8) } else { (self.address, 24) };
        let address = made_address(env, None, address)?;
        let addresses = made_array(env, "java/net/InetAddress", &[address])?;
        let binding = made(env, c"java/net/InterfaceAddress")?;
        let bindings = made_array(env, "java/net/InterfaceAddress", &[binding])?;
        let interface = made(env, c"java/net/NetworkInterface")?;
        let none = made_array(env, "java/net/NetworkInterface", &[])?;
        let of_binding = [
            ("address", "Ljava/net/InetAddress;", Kind::Object, address.value()),
            ("maskLength", "S", Kind::Short, jvalue { s: mask }),
        ];
        let of_interface = [
            ("name", "Ljava/lang/String;", Kind::Object, name.value()),
            ("displayName", "Ljava/lang/String;", Kind::Object, name.value()),
            ("index", "I", Kind::Int, jvalue { i: (index + FIRST_INDEX) as i32 }),
            ("addrs", "[Ljava/net/InetAddress;", Kind::Object, addresses.value()),
            ("bindings", "[Ljava/net/InterfaceAddress;", Kind::Object, bindings.value()),
            ("childs", "[Ljava/net/NetworkInterface;", Kind::Object, none.value()),
        ];
        // SAFETY: the values are of the types that the descriptors name.
        unsafe {
            set(env, binding, &of_binding)?;
            set(env, interface, &of_interface)?;
        }
        for used in [name, address, addresses, binding, bindings, none] {
            env.delete_local(used);
        }
        Ok(interface)
    }
}

/// An argument that is a reference.
///
/// # Safety
/// It is one of the calling method, or null.
unsafe fn reference<'f>(word: usize) -> Option<Ref<'f>> {
    // SAFETY: the contract is passed on.
    unsafe { Ref::new(word as *mut _) }
}

/// An argument that is a string.
///
/// # Safety
/// As above.
unsafe fn text(env: Env<'_>, word: usize) -> Option<String> {
    // SAFETY: the contract is passed on.
    unsafe { reference(word).map(|text| String::from_utf16_lossy(&env.string_units(text, LONGEST_NAME))) }
}

/// The bytes of an argument that is an `InetAddress`, as its method gives them.
///
/// # Safety
/// As above.
unsafe fn address(env: Env<'_>, word: usize) -> Option<Ref<'_>> {
    // SAFETY: the contract is passed on; the method was found in the object's class.
    unsafe {
        let address = reference(word)?;
        let method = env.method(env.class_of(address), "getAddress", "()[B");
        let bytes = method.and_then(|method| env.call_object(address, method, &[]));
        bytes.inspect_err(|_| env.clear()).ok().flatten()
    }
}

/// The elements of an array of bytes, at most as many as an address has.
///
/// # Safety
/// It is one.
unsafe fn bytes(env: Env<'_>, array: Ref<'_>) -> Option<Vec<u8>> {
    let length = env.array_length(array).min(16);
    // SAFETY: the contract is passed on; the indices lie within the array, and the elements are bytes.
    let byte = |index| unsafe { env.primitive_element(array, index, Kind::Byte).map(|value| value.b as u8) };
    (0..length).map(byte).collect::<Java<_>>().inspect_err(|_| env.clear()).ok()
}

/// Of a reference, to return it.
fn raw(reference: Ref<'_>) -> usize {
    reference.raw() as usize
}

fn made_text<'f>(env: Env<'f>, text: &str) -> Java<Ref<'f>> {
    let units: Vec<u16> = text.encode_utf16().collect();
    env.new_string(&units)?.ok_or(Pending)
}

fn made_bytes<'f>(env: Env<'f>, bytes: &[u8]) -> Java<Ref<'f>> {
    let array = env.new_primitive_array(Kind::Byte, bytes.len())?.ok_or(Pending)?;
    for (index, byte) in bytes.iter().enumerate() {
        // SAFETY: an array of bytes, and as long as these.
        unsafe { env.set_element(array, index, Kind::Byte, jvalue { b: *byte as i8 }) }?;
    }
    Ok(array)
}

fn made_array<'f>(env: Env<'f>, class: &str, elements: &[Ref<'_>]) -> Java<Ref<'f>> {
    let class = env.find_class(&crate::jni::java_name(class))?;
    let array = env.new_object_array(class, elements.len())?.ok_or(Pending)?;
    env.delete_local(class);
    for (index, element) in elements.iter().enumerate() {
        // SAFETY: an array of references, of this length; the callers' elements are of its class.
        unsafe { env.set_element(array, index, Kind::Object, element.value()) }?;
    }
    Ok(array)
}

/// An object by the constructor without parameters.
fn made<'f>(env: Env<'f>, class: &std::ffi::CStr) -> Java<Ref<'f>> {
    let class = env.find_class(class)?;
    let constructor = env.method(class, "<init>", "()V")?;
    // SAFETY: the constructor was found in that class, which is not abstract.
    let object = unsafe { env.new_object(class, constructor, &[]) }?.ok_or(Pending);
    env.delete_local(class);
    object
}

/// Sets fields of an object: name, descriptor, kind, value.
///
/// # Safety
/// The values are of these types.
unsafe fn set(env: Env<'_>, object: Ref<'_>, fields: &[(&str, &str, Kind, jvalue)]) -> Java<()> {
    let class = env.class_of(object);
    for (name, descriptor, kind, value) in fields {
        let field = env.field(class, name, descriptor)?;
        // SAFETY: the field was found in the object's class, with that descriptor; the value fits it by the contract.
        unsafe { env.set(object, field, *kind, *value) };
    }
    env.delete_local(class);
    Ok(())
}

fn made_address<'f>(env: Env<'f>, name: Option<&str>, address: [u8; 4]) -> Java<Ref<'f>> {
    let class = env.find_class(c"java/net/Inet4Address")?;
    let constructor = env.method(class, "<init>", "(Ljava/lang/String;[B)V")?;
    let name = name.map(|name| made_text(env, name)).transpose()?;
    let bytes = made_bytes(env, &address)?;
    let arguments = [name.map_or(crate::jni::ZERO, Ref::value), bytes.value()];
    // SAFETY: as above; the arguments are a string or null, and an array of bytes.
    let made = unsafe { env.new_object(class, constructor, &arguments) }?.ok_or(Pending);
    for used in name.into_iter().chain([bytes, class]) {
        env.delete_local(used);
    }
    made
}
