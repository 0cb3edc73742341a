//! Executions in the Informal Trace Format, which tools around TLA+ and Quint read.
//!
//! A trace states changes, so the state before a step has the values that the changes overwrite. Variables
//! that no step changes are left out. The step that leads to a state is in its `#meta`.
//!
//! *Entry point:* [`itf`].
//! *Source:* Apalache, ADR 15: "Informal Trace Format in JSON".
//! *Invariant:* every state has a value for each variable of `vars`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::trace::{Changed, Trace, TraceStep};

/// Integers beyond this bound are written as `#bigint`.
const EXACT: i64 = 1 << 53;

/// An execution as a document of the format.
#[must_use]
pub fn itf(trace: &Trace, description: &str) -> Value {
    let names: BTreeSet<String> = trace.steps.iter().flat_map(|step| &step.changes).map(variable).collect();
    let mut values: BTreeMap<String, Option<String>> = BTreeMap::new();
    for change in trace.steps.iter().flat_map(|step| &step.changes) {
        values.entry(variable(change)).or_insert_with(|| change.old.clone());
    }
    let mut states = vec![state(0, None, &values)];
    for (index, step) in trace.steps.iter().enumerate() {
        for change in &step.changes {
            values.insert(variable(change), change.new.clone());
        }
        states.push(state(index + 1, Some(step), &values));
    }
    let mut document = json!({
        "#meta": { "format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
                   "source": "axle", "description": description },
        "vars": names.into_iter().collect::<Vec<_>>(),
        "states": states,
    });
    let first = trace.cycle.and_then(|cycle| trace.steps.iter().position(|step| step.step >= cycle));
    if let (Some(first), Some(fields)) = (first, document.as_object_mut()) {
        // The cycle returns to the state before its first step.
        fields.insert("loop".to_string(), json!(first));
    }
    document
}

/// The name of a variable; those of calls of a function are different in each frame.
fn variable(change: &Changed) -> String {
    match change.frame {
        Some(frame) => format!("{}#{frame}", change.name),
        None => change.name.clone(),
    }
}

fn state(index: usize, step: Option<&TraceStep>, values: &BTreeMap<String, Option<String>>) -> Value {
    let mut meta = Map::from_iter([("index".to_string(), json!(index))]);
    if let Some(step) = step {
        meta.insert("step".to_string(), json!(step.step));
        meta.insert("process".to_string(), json!(step.by.process));
        meta.insert("statement".to_string(), json!(step.by.statement));
        if let Some(place) = &step.by.place {
            meta.insert("place".to_string(), json!(format!("{}:{}", place.file, place.line)));
        }
    }
    let mut fields = Map::from_iter([("#meta".to_string(), Value::Object(meta))]);
    fields.extend(values.iter().map(|(name, value)| (name.clone(), of_value(value.as_deref()))));
    Value::Object(fields)
}

/// A value: an integer, a truth value, or its text; the variable may not exist.
fn of_value(text: Option<&str>) -> Value {
    let Some(text) = text else { return json!({ "#unserializable": "undefined" }) };
    match (text, text.parse::<i128>()) {
        ("true", _) => json!(true),
        ("false", _) => json!(false),
        (_, Ok(number)) => match i64::try_from(number) {
            Ok(number) if (-EXACT..=EXACT).contains(&number) => json!(number),
            _ => json!({ "#bigint": text }),
        },
        (text, Err(_)) => json!(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Mover;

    fn change(name: &str, old: Option<&str>, new: Option<&str>, frame: Option<u32>) -> Changed {
        let text = |value: Option<&str>| value.map(str::to_string);
        Changed { name: name.to_string(), old: text(old), new: text(new), frame }
    }

    #[test]
    fn states_have_the_values_between_the_steps() {
        let by = || Mover { pid: 0, process: "main(0)".into(), place: None, statement: "n++".into() };
        let first = TraceStep {
            changes: vec![change("n", Some("0"), Some("9007199254740993"), None)],
            ..TraceStep::of(1, by())
        };
        let second = TraceStep {
            changes: vec![change("m", None, Some("ready"), Some(3)), change("n", Some("1"), Some("2"), None)],
            ..TraceStep::of(2, by())
        };
        let trace = Trace { cycle: Some(2), ..Trace::of(vec![first, second]) };
        let document = itf(&trace, "p");
        assert_eq!(document["vars"], json!(["m#3", "n"]));
        assert_eq!(document["loop"], json!(1));
        let states = document["states"].as_array().expect("states");
        assert_eq!(states.len(), 3);
        assert_eq!(states[0]["n"], json!(0));
        assert_eq!(states[0]["m#3"], json!({ "#unserializable": "undefined" }));
        assert_eq!(states[1]["n"], json!({ "#bigint": "9007199254740993" }));
        assert_eq!(states[2]["n"], json!(2));
        assert_eq!(states[2]["m#3"], json!("ready"));
        assert_eq!(states[2]["#meta"]["statement"], json!("n++"));
    }
}
