//! Formats that the code of a nest, and what it calls on the class path, has texts read in: from the calls alone.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::class_file::ClassFile;
use bytecode::class_info::ClassKind;
use bytecode::constants::{ConstantValue, called_by, constants_of};
use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use testcase::cluster::hints;
use testcase::formats::{Asked, FORMATS, Vocabulary};

use crate::nest::Nest;

/// Calls from a method of the nest to one that is looked at.
const DEPTH: usize = 3;

/// Most methods of other classes that are looked at.
const MOST_METHODS: usize = 80;

/// Most words of a format.
const MOST_WORDS: usize = 60;

/// Longest word, in bytes.
const LONGEST_WORD: usize = 40;

/// Most classes of a kind that are named where classes are loaded by name.
const MOST_OF_A_KIND: usize = 4;

/// Class named, name, descriptor.
type Call = (String, String, String);

/// The formats, in the order of [`FORMATS`], with the words of each.
pub(crate) fn asked(hierarchy: &ClassHierarchy, nest: &Nest) -> Vec<Asked> {
    let reached = Reached::of(hierarchy, nest);
    let hints = hints_of(&reached.calls);
    let is_asked = |format: &testcase::formats::Format| {
        let reads = |(owner, name, descriptor): &Call| format.reads(owner, name, descriptor);
        reached.calls.iter().any(reads) || format.vocabulary == Vocabulary::Hints && !hints.is_empty()
    };
    let formats = FORMATS.iter().enumerate().filter(|(_, format)| is_asked(format));
    formats
        .map(|(place, format)| {
            let words = match format.vocabulary {
                Vocabulary::Nothing => Vec::new(),
                Vocabulary::Names => reached.strings.iter().filter(|word| is_name(word)).cloned().collect(),
                Vocabulary::Constants => reached.strings.clone(),
                Vocabulary::Classes => loadable(hierarchy, nest),
                Vocabulary::Hints => hints.clone(),
            };
            Asked::new(place, words.into_iter().take(MOST_WORDS).collect())
        })
        .collect()
}

/// What the code of a nest reaches.
#[derive(Debug, Default)]
struct Reached {
    calls: BTreeSet<Call>,
    /// Short strings of the nest, then of the methods reached, each once.
    strings: Vec<String>,
}

impl Reached {
    fn of(hierarchy: &ClassHierarchy, nest: &Nest) -> Self {
        let mut reached = Self { calls: nest.called.clone(), ..Self::default() };
        reached.add_strings(&nest.constants);
        let mut newest: Vec<Call> = nest.called.iter().cloned().collect();
        let mut looked_at = 0;
        for _ in 0..DEPTH {
            let mut methods: BTreeMap<ClassName, Vec<(String, String)>> = BTreeMap::new();
            for (owner, name, descriptor) in newest.drain(..) {
                let owner = ClassName::new(owner);
                let is_other =
                    nest.names.binary_search(&owner).is_err() && hierarchy.source().is_on_class_path(&owner);
                if is_other && looked_at < MOST_METHODS {
                    looked_at += 1;
                    methods.entry(owner).or_default().push((name, descriptor));
                }
            }
            for (class, methods) in &methods {
                let bytes = hierarchy.source().class_bytes(class);
                let Some(file) = bytes.as_deref().and_then(|bytes| ClassFile::parse(bytes).ok()) else {
                    continue;
                };
                reached.add_strings(&constants_of(&file, methods));
                let calls = called_by(&file, methods).into_iter();
                newest.extend(calls.filter(|call| reached.calls.insert(call.clone())));
            }
        }
        reached
    }

    fn add_strings<'a>(&mut self, constants: impl IntoIterator<Item = &'a ConstantValue>) {
        for constant in constants {
            let ConstantValue::String(units) = constant else { continue };
            let text = String::from_utf16(units).ok();
            let text = text.filter(|text| !text.is_empty() && text.len() <= LONGEST_WORD);
            self.strings.extend(text.filter(|text| !self.strings.contains(text)));
        }
    }
}

/// Whether a string can name an element, a member or a key.
fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word.chars().all(|other| other.is_ascii_alphanumeric() || "_-.:".contains(other))
}

fn hints_of(calls: &BTreeSet<Call>) -> Vec<String> {
    let texts = calls.iter().flat_map(|(owner, name, descriptor)| hints::texts(owner, name, descriptor));
    let texts: BTreeSet<&str> = texts.collect();
    texts.into_iter().map(str::to_owned).collect()
}

/// Names of classes that can be loaded: of the nest, and for each type that the code casts to or checks for some classes of
/// the class path below it of which objects can be made without arguments.
fn loadable(hierarchy: &ClassHierarchy, nest: &Nest) -> Vec<String> {
    let mut found: Vec<ClassName> = nest.names.iter().take(MOST_OF_A_KIND).cloned().collect();
    for of in &nest.referenced {
        let ErasedType::Class(name) = of else { continue };
        if name.package() == "java/lang" {
            continue;
        }
        let below = hierarchy.below(name).filter(|below| is_made_without_arguments(hierarchy, below));
        found.extend(below.take(MOST_OF_A_KIND));
        if hierarchy.source().is_on_class_path(name) {
            found.push(name.clone());
        }
    }
    let mut names: Vec<String> = Vec::new();
    for class in found {
        let name = class.binary();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn is_made_without_arguments(hierarchy: &ClassHierarchy, class: &ClassName) -> bool {
    hierarchy.class(class).is_some_and(|info| {
        let is_default = |method: &&bytecode::class_info::MethodInfo| {
            &*method.name == "<init>" && &*method.descriptor == "()V"
        };
        info.kind == ClassKind::Class
            && !info.access.is_abstract()
            && info.access.is_public()
            && info.methods.iter().find(is_default).is_some_and(|method| method.access.is_public())
    })
}
