//! Reads the report of JaCoCo in XML: the counters of each class (`report.dtd` 1.1 of JaCoCo). Those of its methods and of what
//! lies around it are passed over.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// What was covered of a class, and how much there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Counted {
    /// Internal name.
    pub name: String,
    /// Branches: covered, all.
    pub branches: [u64; 2],
    /// Instructions: covered, all.
    pub instructions: [u64; 2],
}

/// The classes of a report, in its order; why it cannot be read.
pub(super) fn read(text: &str) -> Result<Vec<Counted>, String> {
    let mut reader = Reader::from_str(text);
    let mut classes: Vec<Counted> = Vec::new();
    // The elements around the next one.
    let mut around: Vec<Vec<u8>> = Vec::new();
    let mut is_report = false;
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) => {
                is_report |= around.is_empty() && element.name().as_ref() == b"report";
                enter(&element, around.last().map(Vec::as_slice), &mut classes)?;
                around.push(element.name().as_ref().to_vec());
            }
            Event::Empty(element) => enter(&element, around.last().map(Vec::as_slice), &mut classes)?,
            Event::End(_) => _ = around.pop(),
            Event::Eof if !is_report => return Err("it is no report of JaCoCo".to_owned()),
            Event::Eof if !around.is_empty() => return Err("it ends in the middle".to_owned()),
            Event::Eof => return Ok(classes),
            Event::Text(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_)
            | Event::GeneralRef(_) => {}
        }
    }
}

/// Takes up an element that lies in one of this name.
fn enter(element: &BytesStart<'_>, within: Option<&[u8]>, classes: &mut Vec<Counted>) -> Result<(), String> {
    match (element.name().as_ref(), within) {
        (b"class", Some(b"package")) => {
            classes.push(Counted { name: attribute(element, "name")?, ..Counted::default() });
        }
        (b"counter", Some(b"class")) => {
            let number = |name| {
                let text = attribute(element, name)?;
                text.parse::<u64>().map_err(|_| format!("{name}=\"{text}\" is no number"))
            };
            let (missed, covered) = (number("missed")?, number("covered")?);
            let of = attribute(element, "type")?;
            if let Some(class) = classes.last_mut() {
                match of.as_str() {
                    "BRANCH" => class.branches = [covered, covered.saturating_add(missed)],
                    "INSTRUCTION" => class.instructions = [covered, covered.saturating_add(missed)],
                    // Lines, methods and complexity say the same less finely.
                    _ => {}
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<String, String> {
    let found = element.try_get_attribute(name).map_err(|error| error.to_string())?;
    let found = found.ok_or_else(|| {
        format!("an element {} has no {name}", String::from_utf8_lossy(element.name().as_ref()))
    })?;
    found.unescape_value().map(std::borrow::Cow::into_owned).map_err(|error| error.to_string())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const REPORT: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="a"><sessioninfo id="s" start="1" dump="2"/><group name="m"><package name="p">
<class name="p/A" sourcefilename="A.java"><method name="&lt;init&gt;" desc="()V" line="1"><counter type="BRANCH" missed="9" covered="9"/></method>
<counter type="INSTRUCTION" missed="5" covered="15"/><counter type="BRANCH" missed="1" covered="3"/><counter type="LINE" missed="0" covered="4"/></class>
<class name="p/A$Inner" sourcefilename="A.java"><counter type="INSTRUCTION" missed="4" covered="0"/></class>
<class name="p/Empty"/>
<sourcefile name="A.java"><line nr="1" mi="0" ci="3" mb="0" cb="0"/><counter type="BRANCH" missed="1" covered="3"/></sourcefile>
<counter type="BRANCH" missed="1" covered="3"/></package></group></report>
"#;

    #[test]
    fn counters_of_classes_are_read() {
        let counted =
            |name: &str, branches, instructions| Counted { name: name.into(), branches, instructions };
        let expect = [
            counted("p/A", [3, 4], [15, 20]),
            counted("p/A$Inner", [0, 0], [0, 4]),
            counted("p/Empty", [0, 0], [0, 0]),
        ];
        assert_eq!(read(REPORT).unwrap(), expect);
    }

    #[test]
    fn what_is_no_report_is_told() {
        let check = |text: &str, expect: &str| {
            let error = read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("", "it is no report of JaCoCo");
        check("<html></html>", "it is no report of JaCoCo");
        check("<report><package>", "it ends in the middle");
        check("<report><package></report>", "package");
        check("<report><package><class/></package></report>", "an element class has no name");
        let number = r#"<report><package><class name="A"><counter type="LINE" missed="x" covered="1"/></class></package></report>"#;
        check(number, "missed=\"x\" is no number");
    }
}
