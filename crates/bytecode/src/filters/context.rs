//! What filters know of the class that holds a method.

use std::borrow::Cow;

use super::smap;
use crate::class_file::{Attribute, ClassFile, ClassFileError, Constant, Reader};

/// What filters ask of the class that holds a method.
#[derive(Debug)]
pub(crate) struct ClassContext<'a> {
    /// The class.
    pub(crate) class: &'a ClassFile<'a>,
    /// Internal name, empty if it cannot be read.
    pub(crate) name: Cow<'a, str>,
    /// Internal name of the superclass, empty if there is none.
    pub(crate) superclass: Cow<'a, str>,
    /// Descriptors of its annotations, visible at run time or not.
    pub(crate) annotations: Vec<Cow<'a, str>>,
    /// Whether the Kotlin compiler made it.
    pub(crate) is_kotlin: bool,
    /// Whether the Scala compiler made it.
    pub(crate) is_scala: bool,
    /// Whether it names its source file.
    pub(crate) has_source_file: bool,
    /// The line from which on the Kotlin compiler numbers inlined code, if there is any.
    pub(crate) first_inlined_line: Option<u32>,
}

impl<'a> ClassContext<'a> {
    /// Reads what filters need.
    pub(crate) fn new(class: &'a ClassFile<'a>) -> Self {
        let annotations = annotations(class, &class.attributes);
        let is_kotlin = annotations.iter().any(|annotation| annotation == "Lkotlin/Metadata;");
        let has = |name: &str| class.attributes.iter().any(|attribute| class.attribute_is(attribute, name));
        Self {
            class,
            name: class.name().unwrap_or_default(),
            superclass: class.super_name().ok().flatten().unwrap_or_default(),
            has_source_file: has("SourceFile"),
            first_inlined_line: is_kotlin.then(|| first_inlined_line(class)).flatten(),
            is_kotlin,
            is_scala: has("ScalaSig") || has("Scala"),
            annotations,
        }
    }
}

/// The least line of the source map's first stratum that does not stand for itself, if the map is Kotlin's and
/// well-formed. The Kotlin compiler gives inlined code lines behind those of the file.
fn first_inlined_line(class: &ClassFile<'_>) -> Option<u32> {
    let mut reader = class.attribute(&class.attributes, "SourceDebugExtension")?;
    let bytes = reader.slice(reader.remaining()).ok()?;
    smap::first_inlined_line(&String::from_utf8_lossy(bytes), &class.name().ok()?)
}

/// Descriptors of the annotations of a class, field or method, visible at run time or not (JVM specification
/// §4.7.16, §4.7.17). Malformed ones end the list.
pub(crate) fn annotations<'a>(class: &ClassFile<'a>, attributes: &[Attribute]) -> Vec<Cow<'a, str>> {
    let mut descriptors = Vec::new();
    for name in ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"] {
        let Some(mut reader) = class.attribute(attributes, name) else { continue };
        for _ in 0..reader.u2().unwrap_or_default() {
            let Ok(descriptor) = reader.u2().and_then(|index| class.constants.utf8(index)) else { break };
            descriptors.push(descriptor);
            if skip_annotation_values(&mut reader, 0).is_err() {
                break;
            }
        }
    }
    descriptors
}

/// Whether an annotation that is visible at run time has an element that is `true`.
pub(crate) fn is_set(
    class: &ClassFile<'_>,
    attributes: &[Attribute],
    annotation: &str,
    element: &str,
) -> bool {
    find_set(class, attributes, annotation, element).unwrap_or(false)
}

fn find_set(
    class: &ClassFile<'_>,
    attributes: &[Attribute],
    annotation: &str,
    element: &str,
) -> Option<bool> {
    let mut reader = class.attribute(attributes, "RuntimeVisibleAnnotations")?;
    for _ in 0..reader.u2().ok()? {
        let is_meant = class.constants.utf8(reader.u2().ok()?).ok()? == annotation;
        for _ in 0..reader.u2().ok()? {
            let name = class.constants.utf8(reader.u2().ok()?).ok()?;
            let mut value = reader;
            if is_meant && name == element && value.u1().ok()? == b'Z' {
                return Some(matches!(class.constants.loadable(value.u2().ok()?), Ok(Constant::Integer(1))));
            }
            skip_element_value(&mut reader, 0).ok()?;
        }
    }
    Some(false)
}

fn skip_annotation_values(reader: &mut Reader<'_>, depth: u8) -> Result<(), ClassFileError> {
    for _ in 0..reader.u2()? {
        reader.u2()?;
        skip_element_value(reader, depth)?;
    }
    Ok(())
}

fn skip_element_value(reader: &mut Reader<'_>, depth: u8) -> Result<(), ClassFileError> {
    const DEEPEST: u8 = 32;
    if depth > DEEPEST {
        return Err(ClassFileError::Malformed { what: "annotations nest too deeply" });
    }
    match reader.u1()? {
        b'e' => {
            reader.u4()?;
        }
        b'@' => {
            reader.u2()?;
            skip_annotation_values(reader, depth + 1)?;
        }
        b'[' => {
            for _ in 0..reader.u2()? {
                skip_element_value(reader, depth + 1)?;
            }
        }
        _ => {
            reader.u2()?;
        }
    }
    Ok(())
}
