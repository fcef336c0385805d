//! Documents in JSON (RFC 8259).

use serde_json::{Map, Number, Value};

use super::{Format, Vocabulary, value, word};
use crate::random::Random;

/// Documents in JSON.
pub(super) const JSON: Format = Format {
    name: "json",
    readers: &[
        ("com/alibaba/fastjson/", &["parse", "parseObject", "parseArray"]),
        ("com/fasterxml/jackson/core/JsonFactory", &["createParser", "createJsonParser"]),
        ("com/fasterxml/jackson/databind/ObjectMapper", &["readValue", "readTree", "readValues"]),
        ("com/fasterxml/jackson/databind/ObjectReader", &["readValue", "readTree"]),
        ("com/google/gson/Gson", &["fromJson"]),
        ("com/google/gson/JsonParser", &["parse", "parseString", "parseReader"]),
        ("com/google/gson/stream/JsonReader", &["<init>"]),
        ("jakarta/json/Json", &["createReader", "createParser"]),
        ("javax/json/Json", &["createReader", "createParser"]),
        ("net/minidev/json/", &["parse"]),
        ("org/codehaus/jackson/map/ObjectMapper", &["readValue", "readTree"]),
        ("org/json/JSONArray", &["<init>"]),
        ("org/json/JSONObject", &["<init>"]),
        ("org/json/JSONTokener", &["<init>"]),
        ("org/json/simple/parser/JSONParser", &["parse"]),
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
    match random.below(10) {
        0 => node(words, DEEPEST, random).to_string(),
        1 | 2 => Value::Array(list(words, 1, random)).to_string(),
        _ => Value::Object(object(words, 1, random)).to_string(),
    }
}

fn list(words: &[String], depth: usize, random: &mut Random) -> Vec<Value> {
    (0..random.below(4)).map(|_| node(words, depth + 1, random)).collect()
}

fn object(words: &[String], depth: usize, random: &mut Random) -> Map<String, Value> {
    let count = random.below(5).max(random.below(3));
    (0..count)
        .map(|_| {
            let name = word(words, "a", random).to_owned();
            (name, node(words, depth + 1, random))
        })
        .collect()
}

fn node(words: &[String], depth: usize, random: &mut Random) -> Value {
    match random.below(if depth < DEEPEST { 8 } else { 6 }) {
        0 => Value::Null,
        1 => Value::Bool(random.chance(0.5)),
        2 => Value::Number(Number::from(random.below(100))),
        3 => Number::from_f64(random.below(1_000) as f64 / 8.0).map_or(Value::Null, Value::Number),
        4 | 5 => Value::String(value(words, random)),
        6 => Value::Array(list(words, depth, random)),
        _ => Value::Object(object(words, depth, random)),
    }
}

fn changed(text: &str, words: &[String], random: &mut Random) -> Option<String> {
    let mut document: Value = serde_json::from_str(text).ok()?;
    let mut left = random.below(size(&document));
    let place = find(&mut document, &mut left)?;
    match (random.below(3), place) {
        (0, Value::Object(members)) if text.len() < LONGEST => {
            members.extend(object(words, DEEPEST - 1, random));
        }
        (1, Value::Object(members)) if !members.is_empty() => {
            let names: Vec<String> = members.keys().cloned().collect();
            if let Some(member) = random.choose(&names).and_then(|name| members.remove(name))
                && random.chance(0.5)
            {
                members.insert(word(words, "a", random).to_owned(), member);
            }
        }
        (0, Value::Array(elements)) if text.len() < LONGEST => {
            elements.push(node(words, DEEPEST - 1, random));
        }
        (1, Value::Array(elements)) => {
            elements.pop();
        }
        (_, place) => *place = node(words, DEEPEST - 1, random),
    }
    Some(document.to_string())
}

/// The values of a document, itself included.
fn size(document: &Value) -> usize {
    1 + match document {
        Value::Array(elements) => elements.iter().map(size).sum::<usize>(),
        Value::Object(members) => members.values().map(size).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The value with so many before it.
fn find<'a>(document: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(document);
    }
    *left -= 1;
    match document {
        Value::Array(elements) => elements.iter_mut().find_map(|element| find(element, left)),
        Value::Object(members) => members.values_mut().find_map(|member| find(member, left)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}
