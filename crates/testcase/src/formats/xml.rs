//! Documents in XML (Extensible Markup Language 1.0, §2.1).

use xmltree::{Element, EmitterConfig, XMLNode};

use super::{Format, Vocabulary, value, word};
use crate::random::Random;

/// Documents in XML.
pub(super) const XML: Format = Format {
    name: "xml",
    readers: &[
        ("com/fasterxml/jackson/dataformat/xml/XmlMapper", &["readValue", "readTree"]),
        ("com/thoughtworks/xstream/XStream", &["fromXML"]),
        ("groovy/util/XmlSlurper", &["parse", "parseText"]),
        ("jakarta/xml/bind/Unmarshaller", &["unmarshal"]),
        ("javax/xml/bind/Unmarshaller", &["unmarshal"]),
        ("javax/xml/parsers/DocumentBuilder", &["parse"]),
        ("javax/xml/parsers/SAXParser", &["parse"]),
        ("javax/xml/stream/XMLInputFactory", &["createXMLStreamReader", "createXMLEventReader"]),
        ("javax/xml/transform/stream/StreamSource", &["<init>"]),
        ("nu/xom/Builder", &["build"]),
        ("org/dom4j/DocumentHelper", &["parseText"]),
        ("org/dom4j/io/SAXReader", &["read"]),
        ("org/jdom/input/SAXBuilder", &["build"]),
        ("org/jdom2/input/SAXBuilder", &["build"]),
        ("org/jsoup/Jsoup", &["parse", "parseBodyFragment"]),
        ("org/xml/sax/XMLReader", &["parse"]),
        ("org/xmlpull/v1/XmlPullParser", &["setInput"]),
    ],
    vocabulary: Vocabulary::Names,
    text,
    changed,
};

/// How deep documents are nested.
const DEEPEST: usize = 3;

/// Longest text that is made longer.
const LONGEST: usize = 500;

fn text(words: &[String], random: &mut Random) -> String {
    printed(&element(words, 1, random)).unwrap_or_else(|| "<a/>".to_owned())
}

fn name<'a>(words: &'a [String], random: &mut Random) -> &'a str {
    // A prefix would have to be declared.
    let word = word(words, "a", random);
    word.rsplit(':').next().filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())).unwrap_or("a")
}

fn element(words: &[String], depth: usize, random: &mut Random) -> Element {
    let mut element = Element::new(name(words, random));
    for _ in 0..random.below(3) {
        element.attributes.insert(name(words, random).into(), value(words, random));
    }
    let children = if depth < DEEPEST { random.below(4) } else { 0 };
    if children == 0 && random.chance(0.5) {
        element.children.push(XMLNode::Text(value(words, random)));
    }
    for _ in 0..children {
        element.children.push(XMLNode::Element(self::element(words, depth + 1, random)));
    }
    element
}

fn printed(element: &Element) -> Option<String> {
    let mut bytes = Vec::new();
    let config = EmitterConfig::new().write_document_declaration(false).perform_indent(false);
    element.write_with_config(&mut bytes, config).ok()?;
    String::from_utf8(bytes).ok()
}

fn changed(text: &str, words: &[String], random: &mut Random) -> Option<String> {
    if !text.starts_with('<') {
        return None;
    }
    let mut document = Element::parse(text.as_bytes()).ok()?;
    let mut left = random.below(size(&document));
    let place = find(&mut document, &mut left)?;
    match random.below(6) {
        0 if text.len() < LONGEST => {
            let child = element(words, DEEPEST - 1, random);
            let at = random.below(place.children.len() + 1);
            place.children.insert(at, XMLNode::Element(child));
        }
        1 if !place.children.is_empty() => {
            place.children.remove(random.below(place.children.len()));
        }
        2 => name(words, random).clone_into(&mut place.name),
        3 => place.children = vec![XMLNode::Text(value(words, random))],
        4 if !place.attributes.is_empty() => {
            place.attributes.clear();
        }
        _ => {
            place.attributes.insert(name(words, random).into(), value(words, random));
        }
    }
    printed(&document)
}

/// The elements of a document, its root included.
fn size(document: &Element) -> usize {
    1 + document.children.iter().filter_map(XMLNode::as_element).map(size).sum::<usize>()
}

/// The element with so many before it.
fn find<'a>(document: &'a mut Element, left: &mut usize) -> Option<&'a mut Element> {
    if *left == 0 {
        return Some(document);
    }
    *left -= 1;
    document.children.iter_mut().filter_map(XMLNode::as_mut_element).find_map(|child| find(child, left))
}
