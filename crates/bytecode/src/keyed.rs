//! The types to which code casts what it gets under a key: `(User) session.getAttribute("user")`,
//! `dictionary.get(Names.SIZE) instanceof Number`; and what it gets without a cast: `getRequired("name", arguments)`.
//!
//! A key is a text, a constant or a class that a call takes; what the call gives is what lies under it. Values are followed through
//! the variables of one method. What is found is a hint for who puts things under keys, no proof.

use std::collections::BTreeSet;

use crate::class_file::{ClassFile, Constant};
use crate::constants::{is_one_of, methods};
use crate::descriptor::ErasedType;
use crate::instruction::Operand;
use crate::method_code::MethodCode;
use crate::name::ClassName;
use crate::narrowed::{follow_values, type_at};
use crate::opcode::*;
use crate::slots::{Known, Slots, called};

/// What something lies under.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A text, in UTF-16, or the name of an enum constant that the code asks for its name.
    Text(Vec<u16>),
    /// A static field of a reference type: the class that the code names, and the name of the field.
    Constant(ClassName, String),
    /// A class literal.
    Class(ErasedType),
}

/// A key, and a type to which the code casts what it gets under it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyedUse {
    /// The key.
    pub key: Key,
    /// A type that the code casts it to, or checks it for by `instanceof`; or what a getter that takes a text gives.
    pub of: ErasedType,
}

/// Classes whose getters give what the JVM has.
const OF_JVM: [&str; 4] =
    ["java/lang/Class", "java/lang/ClassLoader", "java/lang/System", "java/util/ResourceBundle"];

/// Those of the methods of a class.
pub fn keyed_uses(class: &ClassFile<'_>) -> BTreeSet<KeyedUse> {
    methods(class).flat_map(|code| of_code(&code)).collect()
}

/// As [`keyed_uses`], of the methods with these names and descriptors alone.
pub fn keyed_uses_of(class: &ClassFile<'_>, of: &[(String, String)]) -> BTreeSet<KeyedUse> {
    methods(class).filter(|code| is_one_of(code, of)).flat_map(|code| of_code(&code)).collect()
}

/// What a slot holds; numbers are positions among the keys of the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Nothing,
    Key(usize),
    /// What lies under a key.
    Under(usize),
}

impl Held {
    fn key(self) -> Option<usize> {
        match self {
            Self::Key(key) => Some(key),
            Self::Nothing | Self::Under(_) => None,
        }
    }
}

impl Known for Held {
    const NOTHING: Self = Self::Nothing;

    fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Nothing }
    }
}

fn of_code(code: &MethodCode<'_>) -> BTreeSet<KeyedUse> {
    let mut finding = Finding { code, keys: Vec::new(), found: BTreeSet::new() };
    // Without a key there is nothing to follow.
    if code.instructions.iter().any(|it| matches!(general_form(it.opcode), LDC | GETSTATIC)) {
        follow_values(code, |_| Held::Nothing, |slots, index| finding.look(slots, index));
    }
    finding.found
}

#[derive(Debug)]
struct Finding<'c> {
    code: &'c MethodCode<'c>,
    keys: Vec<Key>,
    found: BTreeSet<KeyedUse>,
}

impl Finding<'_> {
    /// Takes note of what an instruction takes a value for, and gives what its result is.
    fn look(&mut self, slots: &Slots<Held>, index: usize) -> Option<Held> {
        let code = self.code;
        Some(match general_form(code.opcode(index)) {
            LDC => self.constant(index),
            GETSTATIC => self.static_field(index)?,
            CHECKCAST | INSTANCEOF => {
                if let Held::Under(key) = slots.peek(0)?
                    && let Some(of) = type_at(code, index)
                {
                    self.found.insert(KeyedUse { key: self.keys[key].clone(), of });
                }
                Held::Nothing
            }
            INVOKEVIRTUAL..=INVOKEINTERFACE => self.call(slots, index)?,
            _ => Held::Nothing,
        })
    }

    fn constant(&mut self, index: usize) -> Held {
        let Operand::Constant(constant) = self.code.instructions[index].operand else {
            return Held::Nothing;
        };
        match self.code.class.constants.loadable(constant) {
            Ok(Constant::String(text)) => self.key(Key::Text(text)),
            Ok(Constant::Class(name)) => match ErasedType::from_class_constant(&name) {
                Ok(of) => self.key(Key::Class(of)),
                Err(_) => Held::Nothing,
            },
            Ok(_) | Err(_) => Held::Nothing,
        }
    }

    fn static_field(&mut self, index: usize) -> Option<Held> {
        let field = self.code.member(index)?;
        if !field.descriptor.starts_with('L') {
            return Some(Held::Nothing);
        }
        Some(self.key(Key::Constant(ClassName::new(&*field.owner), field.name.to_string())))
    }

    /// The name of an enum constant that is asked for it is a text. What a call makes of something that lies under a key
    /// (`requireNonNull`) lies there as well; otherwise its first key is what it looks under.
    fn call(&mut self, slots: &Slots<Held>, index: usize) -> Option<Held> {
        let (descriptor, member) = (called(self.code, index)?, self.code.member(index)?);
        if !matches!(descriptor.result, Some(ErasedType::Class(_) | ErasedType::Array(_))) {
            return Some(Held::Nothing);
        }
        let slots_taken = usize::from(descriptor.parameter_slots());
        if slots_taken == 0 && self.code.opcode(index) == INVOKEVIRTUAL {
            let is_name = matches!(&*member.name, "name" | "toString");
            let key = slots.peek(0)?.key().filter(|_| is_name);
            return Some(key.map_or(Held::Nothing, |key| self.name_of(key)));
        }
        let passed: Vec<Held> =
            (0..slots_taken).rev().map(|below| slots.peek(below)).collect::<Option<_>>()?;
        let under = passed.iter().find(|held| matches!(held, Held::Under(_)));
        let key = passed.iter().find_map(|held| held.key());
        if let (None, Some(key), Some(of)) = (under, key, descriptor.result)
            && matches!(self.keys[key], Key::Text(_))
            && !matches!(&of, ErasedType::Class(name) if name.as_str() == "java/lang/Object")
            && is_getter(&member.owner, &member.name)
        {
            self.found.insert(KeyedUse { key: self.keys[key].clone(), of });
        }
        Some(under.copied().or(key.map(Held::Under)).unwrap_or(Held::Nothing))
    }

    /// The name of a constant, if it is one of an enum.
    fn name_of(&mut self, key: usize) -> Held {
        match &self.keys[key] {
            Key::Constant(_, field) => {
                let text = field.encode_utf16().collect();
                self.key(Key::Text(text))
            }
            Key::Text(_) | Key::Class(_) => Held::Nothing,
        }
    }

    fn key(&mut self, key: Key) -> Held {
        let known = self.keys.iter().position(|known| *known == key);
        Held::Key(known.unwrap_or_else(|| {
            self.keys.push(key);
            self.keys.len() - 1
        }))
    }
}

/// Whether a call gives what somebody put there: no class, resource or property of the JVM.
fn is_getter(owner: &str, name: &str) -> bool {
    name.starts_with("get") && !OF_JVM.contains(&owner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::assemble;

    fn check(source: &str, expect: &[&str]) {
        let bytes = assemble(&format!(".method static f (Lp/Map;)V\n{source}\nreturn"));
        let show = |KeyedUse { key, of }: &KeyedUse| {
            let key = match key {
                Key::Text(text) => format!("{:?}", String::from_utf16_lossy(text)),
                Key::Constant(class, field) => format!("{}.{field}", class.as_str()),
                Key::Class(of) => format!("{} class", of.descriptor()),
            };
            format!("{key} {}", of.descriptor())
        };
        let found: Vec<String> = keyed_uses(&ClassFile::parse(&bytes).unwrap()).iter().map(show).collect();
        assert_eq!(found, expect, "{source}");
    }

    const GET: &str = "invokevirtual p/Map.get:(Ljava/lang/Object;)Ljava/lang/Object;";

    #[test]
    fn what_lies_under_a_key_is_what_it_is_cast_to() {
        check(&format!("aload_0\nldc \"user\"\n{GET}\ncheckcast p/User\npop"), &["\"user\" Lp/User;"]);
        let kept = format!(
            "aload_0\nldc \"a\"\n{GET}\nastore_1\naload_1\ninstanceof p/A\npop\naload_1\ncheckcast [I\npop"
        );
        check(&kept, &["\"a\" Lp/A;", "\"a\" [I"]);
        let constant = format!("aload_0\ngetstatic p/Names.SIZE:Lp/Name;\n{GET}\ncheckcast p/Box\npop");
        check(&constant, &["p/Names.SIZE Lp/Box;"]);
        check(&format!("aload_0\nldc p/User\n{GET}\ncheckcast p/User\npop"), &["Lp/User; class Lp/User;"]);
    }

    #[test]
    fn names_of_enum_constants_are_texts() {
        let name = "getstatic p/Key.ID:Lp/Key;\ninvokevirtual p/Key.name:()Ljava/lang/String;";
        check(&format!("aload_0\n{name}\n{GET}\ncheckcast p/User\npop"), &["\"ID\" Lp/User;"]);
    }

    #[test]
    fn what_is_checked_for_null_is_still_the_same() {
        let require = "invokestatic java/util/Objects.requireNonNull:(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;";
        check(
            &format!("aload_0\nldc \"user\"\n{GET}\nldc \"no user\"\n{require}\ncheckcast p/User\npop"),
            &["\"user\" Lp/User;"],
        );
    }

    #[test]
    fn what_a_getter_that_takes_a_text_gives_lies_under_it() {
        let get = |owner: &str, name: &str, result: &str| {
            let call =
                format!("invokestatic {owner}.{name}:(Ljava/lang/String;Lp/Map;)Ljava/lang/{result};\npop");
            format!("ldc \"user\"\naload_0\n{call}")
        };
        check(&get("p/Filter", "getRequired", "String"), &["\"user\" Ljava/lang/String;"]);
        check(&get("p/Filter", "getRequired", "Object"), &[]);
        check(&get("p/Filter", "logged", "String"), &[]);
        check(&get("java/lang/System", "getProperty", "String"), &[]);
    }

    #[test]
    fn what_does_not_come_of_a_key_lies_under_none() {
        check(&format!("aload_0\naload_0\n{GET}\ncheckcast p/User\npop"), &[]);
        check("ldc \"user\"\ncheckcast p/User\npop", &[]);
        check(&format!("aload_0\nldc \"user\"\n{GET}\npop\naload_0\ncheckcast p/User\npop"), &[]);
    }
}
