//! A small assembler, so that tests need no compiler: code as `javap` prints it, with labels.
//!
//! ```text
//! .class p/A java/lang/Object
//! .source A.java
//! .annotation Lp/Generated;
//! .method static f (I)I
//! .catch java/lang/Exception start end handler
//! start:
//! .line 3
//!   iload_0
//!   ifeq zero
//!   invokestatic p/A.g:()I
//! end:
//!   ireturn
//! zero:
//!   ldc "text"
//!   lookupswitch 1:zero 5:end default:start
//! handler:
//!   athrow
//! ```

use std::collections::BTreeMap;

use crate::class_file::ClassFile;
use crate::class_writer::{Constants, push_block, push_u2};
use crate::method_code::MethodCode;
use crate::opcode;

/// Assembles a class.
pub(crate) fn assemble(source: &str) -> Vec<u8> {
    let mut class = Class::default();
    let (mut access, mut name, mut superclass) = (0x21, "A", "java/lang/Object");
    let mut methods: Vec<Method<'_>> = Vec::new();
    for line in source.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            ".class" => {
                name = words[words.len() - 2];
                superclass = words[words.len() - 1];
                access |= flags(&words[1..words.len() - 2]);
            }
            ".source" => class.source = Some(words[1].to_owned()),
            ".annotation" => class.annotations.push(words[1].to_owned()),
            ".method" => {
                let (head, signature) = words[1..].split_at(words.len() - 3);
                methods.push(Method {
                    access: flags(head),
                    signature: signature.to_vec(),
                    lines: Vec::new(),
                });
            }
            _ => methods.last_mut().expect("a method comes first").lines.push(line),
        }
    }
    let mut body = Vec::new();
    for value in [access, class.class(name), class.class(superclass), 0, 0] {
        push_u2(&mut body, value);
    }
    push_u2(&mut body, methods.len() as u16);
    for method in &methods {
        let (name, descriptor) = (class.utf8(method.signature[0]), class.utf8(method.signature[1]));
        for value in [method.access, name, descriptor, 1, class.utf8("Code")] {
            push_u2(&mut body, value);
        }
        let code = Code::assemble(&mut class, &method.lines);
        push_block(&mut body, &code);
    }
    class.finish(&body)
}

/// Reads the only method of a class that is one method long.
pub(crate) fn with_method<T>(source: &str, test: impl FnOnce(&MethodCode<'_>) -> T) -> T {
    let source = if source.contains(".method") {
        source.to_owned()
    } else {
        format!(".method static f ()V\n{source}")
    };
    let bytes = assemble(&source);
    let class = ClassFile::parse(&bytes).expect("an assembled class can be read");
    let code = MethodCode::read(&class, 0).expect("assembled code can be read").expect("it has code");
    test(&code)
}

struct Method<'s> {
    access: u16,
    signature: Vec<&'s str>,
    lines: Vec<&'s str>,
}

fn flags(words: &[&str]) -> u16 {
    let flag = |word: &&str| match *word {
        "public" => 0x0001,
        "private" => 0x0002,
        "static" => 0x0008,
        "bridge" => 0x0040,
        "synthetic" => 0x1000,
        "enum" => 0x4000,
        other => panic!("unknown flag {other}"),
    };
    words.iter().map(flag).fold(0, |all, flag| all | flag)
}

/// Constants and attributes of the class.
#[derive(Default)]
struct Class {
    constants: Constants,
    /// Constant indices of handles.
    bootstraps: Vec<u16>,
    /// Descriptors.
    annotations: Vec<String>,
    source: Option<String>,
}

impl Class {
    fn utf8(&mut self, text: &str) -> u16 {
        self.constants.utf8(text)
    }

    fn class(&mut self, name: &str) -> u16 {
        self.constants.class(name)
    }

    /// `owner.name:descriptor`
    fn member(&mut self, tag: u8, text: &str) -> u16 {
        let (owner, rest) = text.split_once('.').expect("owner.name:descriptor");
        let (name, descriptor) = rest.split_once(':').expect("name:descriptor");
        self.constants.member(tag, owner, name, descriptor)
    }

    /// A call site `name:descriptor` that the static method links.
    fn call_site(&mut self, site: &str, bootstrap: &str) -> u16 {
        let method = self.member(10, bootstrap);
        let mut handle = vec![15, 6];
        push_u2(&mut handle, method);
        let handle = self.constants.add(handle);
        self.bootstraps.push(handle);
        let (name, descriptor) = site.split_once(':').expect("name:descriptor");
        let site = self.constants.name_and_type(name, descriptor);
        self.constants.pair(18, self.bootstraps.len() as u16 - 1, site)
    }

    fn literal(&mut self, text: &str) -> u16 {
        if let Some(text) = text.strip_prefix('"') {
            self.constants.string(text.strip_suffix('"').expect("a closing quote"))
        } else if let Ok(value) = text.parse::<i32>() {
            self.constants.add([&[3][..], &value.to_be_bytes()].concat())
        } else {
            self.class(text)
        }
    }

    fn finish(mut self, body: &[u8]) -> Vec<u8> {
        let mut attributes = Vec::new();
        let mut table = (self.bootstraps.len() as u16).to_be_bytes().to_vec();
        for &handle in &self.bootstraps {
            push_u2(&mut table, handle);
            push_u2(&mut table, 0);
        }
        attributes.push((self.utf8("BootstrapMethods"), table));
        let annotations = std::mem::take(&mut self.annotations);
        let mut table = (annotations.len() as u16).to_be_bytes().to_vec();
        for descriptor in annotations {
            push_u2(&mut table, self.utf8(&descriptor));
            push_u2(&mut table, 0);
        }
        attributes.push((self.utf8("RuntimeInvisibleAnnotations"), table));
        if let Some(source) = self.source.take() {
            let file = self.utf8(&source).to_be_bytes().to_vec();
            attributes.push((self.utf8("SourceFile"), file));
        }
        let mut end = body.to_vec();
        push_u2(&mut end, attributes.len() as u16);
        for (name, content) in attributes {
            push_u2(&mut end, name);
            push_block(&mut end, &content);
        }
        self.constants.finish(&end).expect("a small class")
    }
}

/// The code of a method while it is assembled.
#[derive(Default)]
struct Code<'s> {
    bytes: Vec<u8>,
    labels: BTreeMap<&'s str, usize>,
    /// Where an offset is to be written, from which instruction it counts, how many bytes it takes.
    patches: Vec<(usize, usize, &'s str, usize)>,
}

impl<'s> Code<'s> {
    fn assemble(class: &mut Class, lines: &[&'s str]) -> Vec<u8> {
        let mut code = Self::default();
        let (mut numbers, mut catches) = (Vec::new(), Vec::new());
        for line in lines {
            if let Some(label) = line.strip_suffix(':') {
                code.labels.insert(label, code.bytes.len());
            } else if let Some(number) = line.strip_prefix(".line ") {
                numbers.push((code.bytes.len() as u16, number.parse::<u16>().expect("a line")));
            } else if let Some(entry) = line.strip_prefix(".catch ") {
                catches.push(entry.split(' ').collect::<Vec<_>>());
            } else {
                code.instruction(class, line);
            }
        }
        for &(at, from, label, size) in &code.patches {
            let delta = code.labels[label] as i64 - from as i64;
            code.bytes[at..at + size].copy_from_slice(&delta.to_be_bytes()[8 - size..]);
        }
        let mut bytes = vec![0, 9, 0, 9];
        push_block(&mut bytes, &code.bytes);
        push_u2(&mut bytes, catches.len() as u16);
        for entry in catches {
            entry[1..].iter().for_each(|&label| push_u2(&mut bytes, code.labels[label] as u16));
            let caught = if entry[0] == "any" { 0 } else { class.class(entry[0]) };
            push_u2(&mut bytes, caught);
        }
        push_u2(&mut bytes, 1);
        push_u2(&mut bytes, class.utf8("LineNumberTable"));
        let mut table = Vec::new();
        push_u2(&mut table, numbers.len() as u16);
        for (start, number) in numbers {
            push_u2(&mut table, start);
            push_u2(&mut table, number);
        }
        push_block(&mut bytes, &table);
        bytes
    }

    fn jump(&mut self, from: usize, label: &'s str, size: usize) {
        self.patches.push((self.bytes.len(), from, label, size));
        self.bytes.resize(self.bytes.len() + size, 0);
    }

    fn instruction(&mut self, class: &mut Class, line: &'s str) {
        use opcode::*;
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let opcode = (0..=u8::MAX).find(|&opcode| mnemonic(opcode) == Some(word)).expect(word);
        let start = self.bytes.len();
        self.bytes.push(opcode);
        let constant = match opcode {
            IFEQ..=JSR | IFNULL | IFNONNULL => return self.jump(start, rest, 2),
            TABLESWITCH | LOOKUPSWITCH => return self.switch(start, rest),
            BIPUSH | NEWARRAY | ILOAD..=ALOAD | ISTORE..=ASTORE | RET => {
                return self.bytes.push(rest.parse::<i8>().expect("a number") as u8);
            }
            SIPUSH => return self.bytes.extend(rest.parse::<i16>().expect("a number").to_be_bytes()),
            LDC => {
                let constant = class.literal(rest);
                return self.bytes.push(constant as u8);
            }
            GETSTATIC..=PUTFIELD => class.member(9, rest),
            INVOKEVIRTUAL..=INVOKESTATIC => class.member(10, rest),
            INVOKEINTERFACE => class.member(11, rest),
            INVOKEDYNAMIC => {
                let (site, bootstrap) = rest.split_once(' ').expect("site and bootstrap method");
                class.call_site(site, bootstrap)
            }
            NEW | ANEWARRAY | CHECKCAST | INSTANCEOF => class.class(rest),
            _ => {
                assert!(rest.is_empty() && general_form(opcode) != LDC, "{line}");
                return;
            }
        };
        push_u2(&mut self.bytes, constant);
        if matches!(opcode, INVOKEINTERFACE | INVOKEDYNAMIC) {
            self.bytes.extend([u8::from(opcode == INVOKEINTERFACE), 0]);
        }
    }

    fn switch(&mut self, start: usize, rest: &'s str) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let cases: Vec<_> = rest.split(' ').map(|case| case.split_once(':').expect("key:label")).collect();
        let (default, keys) = cases.split_last().expect("a default");
        let number = |key: &str| key.parse::<i32>().expect("a key").to_be_bytes();
        self.jump(start, default.1, 4);
        let is_table = self.bytes[start] == opcode::TABLESWITCH;
        if is_table {
            let (first, last) = (keys.first().expect("a key"), keys.last().expect("a key"));
            self.bytes.extend([number(first.0), number(last.0)].concat());
        } else {
            self.bytes.extend((keys.len() as u32).to_be_bytes());
        }
        for &(key, label) in keys {
            if !is_table {
                self.bytes.extend(number(key));
            }
            self.jump(start, label, 4);
        }
    }
}
