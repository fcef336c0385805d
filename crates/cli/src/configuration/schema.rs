//! The JSON schema of `covolve.toml`, by which editors complete and check it.

use search::parameters::PARAMETERS;
use serde_json::{Value, json};

use super::keys::{Key, Kind, keys};

/// The schema; `docs/guide/covolve.schema.json` is its text.
pub fn schema() -> Value {
    let properties = keys().into_iter().map(|key| (key.name.clone(), of_option(&key)));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "covolve.toml: options of covolve generate",
        "type": "object",
        "additionalProperties": false,
        "properties": properties.collect::<serde_json::Map<_, _>>(),
    })
}

/// The schema as text, with a line end.
pub fn text() -> String {
    format!("{:#}\n", schema())
}

fn of_option(key: &Key) -> Value {
    let one = of_value(key);
    let mut schema = match (key.kind, key.repeats) {
        (Kind::Parameters, _) => of_parameters(),
        (_, true) => json!({"anyOf": [one, {"type": "array", "items": one}]}),
        (_, false) => one,
    };
    schema["description"] = Value::from(key.help.as_str());
    schema
}

fn of_value(key: &Key) -> Value {
    let choices = key.choices();
    match key.kind {
        Kind::Switch => json!({"type": "boolean"}),
        Kind::Number => {
            let mut forms =
                vec![json!({"type": "integer"}), json!({"type": "string", "pattern": "^[0-9]+$"})];
            if !choices.is_empty() {
                forms.push(json!({"enum": choices}));
            }
            if key.stands_alone {
                forms.push(json!({"const": true}));
            }
            any_of(forms)
        }
        Kind::Text if choices.is_empty() => json!({"type": "string"}),
        Kind::Text => {
            let numbers: Vec<u64> = choices.iter().filter_map(|choice| choice.parse().ok()).collect();
            let mut forms = vec![json!({"enum": choices})];
            if !numbers.is_empty() {
                forms.push(json!({"enum": numbers}));
            }
            if key.repeats {
                forms.push(json!({"type": "string", "pattern": "[,:]"}));
            }
            any_of(forms)
        }
        Kind::Path | Kind::ClassPath | Kind::Parameters => json!({"type": "string"}),
    }
}

fn any_of(mut forms: Vec<Value>) -> Value {
    if forms.len() == 1 { forms.remove(0) } else { json!({"anyOf": forms}) }
}

fn of_parameters() -> Value {
    let of_parameter = |row: &search::parameters::Parameter| {
        let help = format!("{}; {} [default: {}]", row.summary, row.allowed, row.default_text());
        (row.name.to_owned(), json!({"type": ["string", "number", "boolean"], "description": help}))
    };
    let properties: serde_json::Map<_, _> = PARAMETERS.iter().map(of_parameter).collect();
    json!({"type": "object", "additionalProperties": false, "properties": properties})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_in_the_guide_is_this_one() {
        let committed = include_str!("../../../../docs/guide/covolve.schema.json");
        assert!(
            committed == text(),
            "print it anew: covolve config --schema > docs/guide/covolve.schema.json"
        );
    }

    #[test]
    fn the_schema_takes_what_the_reader_takes() {
        let schema = jsonschema::validator_for(&schema()).unwrap();
        let check = |toml: &str, expect: bool| {
            let table: toml::Table = toml.parse().unwrap();
            let value = serde_json::to_value(table).unwrap();
            assert_eq!(schema.is_valid(&value), expect, "{toml}");
            let keys = keys();
            let read = super::super::file::read_text(toml, &keys);
            assert_eq!(read.is_ok(), expect, "{toml}: {read:?}");
        };
        check(include_str!("../../../../docs/guide/covolve.toml"), true);
        check("seed = 7\njunit = 5\nislands = \"auto\"\ntimeline = true", true);
        check("criterion = [\"branch\", \"line,exception\"]\nexclude = \"*Dto\"", true);
        check("[set]\npopulation = 100\nstatic-pool = 0.5\nproxies = \"loops\"", true);
        check("bugdet = \"5s\"", false);
        check("budget = 5", false);
        check("seed = \"x\"", false);
        check("build = \"true\"", false);
        check("junit = 6", false);
        check("algorithm = \"dynmosa\"", false);
        check("exclude = [1]", false);
        check("[set]\npopluation = 100", false);
        check("[set]\npopulation = [1]", false);
    }
}
