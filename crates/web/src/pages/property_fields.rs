//! The keys of a property file that are fields of its form: name, feature, weight, fairness, expected verdict
//! and model. The text of the file beside them stays the truth: a field that the visitor changes sets its key.
//!
//! *Entry points:* [`fields`], [`changed`].
//! *Invariant:* a field that was not changed changes nothing.

use axle_feaver::project::front_matter::{Value, with_value};
use axle_feaver::project::{Expected, Project, Property};

use crate::form::Form;

/// The keys, each with whether its value is a number, and the value that stands for no key.
const KEYS: [(&str, bool, &str); 6] = [
    ("name", false, ""),
    ("feature", false, ""),
    ("weight", true, "0"),
    ("fairness", false, ""),
    ("expected", false, "holds"),
    ("model", false, ""),
];

/// A field of the form.
pub(super) struct Field {
    /// The key.
    pub key: &'static str,
    /// Its label.
    pub label: &'static str,
    /// Its value.
    pub value: String,
    /// The values to choose from, with their words; none for a text.
    pub choices: Vec<(String, String)>,
    /// Whether it is a number.
    pub is_number: bool,
    /// What a reader has to know.
    pub help: &'static str,
}

/// The fields of a property.
pub(super) fn fields(property: &Property, project: &Project) -> Vec<Field> {
    let text = |key, label, value: &str, help| Field {
        key,
        label,
        value: value.to_string(),
        choices: Vec::new(),
        is_number: false,
        help,
    };
    let choice = |key, label, value: &str, choices: &[(&str, &str)], help| Field {
        choices: choices.iter().map(|(value, words)| (value.to_string(), words.to_string())).collect(),
        ..text(key, label, value, help)
    };
    let flags = project.flags.iter().map(|flag| flag.name.value.as_str());
    let features = flags.chain(project.features.iter().map(String::as_str)).map(|name| (name, name));
    let features: Vec<(&str, &str)> = [("", "none")].into_iter().chain(features).collect();
    let weight = property.weight.to_string();
    let mut fields = vec![
        text("name", "Name", &property.name.value, "The history stays under the old name."),
        choice("feature", "Feature", property.feature.as_deref().unwrap_or_default(), &features, ""),
        Field {
            is_number: true,
            ..text("weight", "Weight", &weight, "Runs with a higher weight go first within a cycle.")
        },
        choice(
            "fairness",
            "Fairness",
            property.fairness.map_or("", |fairness| fairness.name()),
            &[("", "as in the manifest"), ("none", "none"), ("weak", "weak"), ("strong", "strong")],
            "",
        ),
        choice(
            "expected",
            "Expected verdict",
            if property.expected == Expected::Violated { "violated" } else { "holds" },
            &[("holds", "holds"), ("violated", "violated: a known fault")],
            "",
        ),
    ];
    let models = &project.subject.promela;
    if models.len() > 1 {
        let choices: Vec<(&str, &str)> =
            models.iter().map(|model| (model.as_str(), model.as_str())).collect();
        fields.push(choice("model", "Model", &models[property.model], &choices, ""));
    }
    fields
}

/// The text of a property file with the fields that the visitor has changed. A text whose front matter cannot
/// be read stays: its errors are reported.
pub(super) fn changed(text: &str, given: &Form) -> String {
    let mut text = text.to_string();
    for (key, is_number, none) in KEYS {
        let value = given.get(key).trim();
        if !given.has(key) || value == given.get(&format!("was-{key}")) {
            continue;
        }
        let number = value.parse::<i64>().ok().filter(|_| is_number);
        let new = number.map_or_else(|| Value::Text(value.to_string()), Value::Number);
        let new = Some(new).filter(|_| value != none);
        text = with_value(&text, key, new.as_ref()).unwrap_or(text);
    }
    text
}
