//! The software under verification as JSON: files, flags, constraints, and the processes that were extracted
//! from C.

use axle_feaver::prepare::{ProcessText, PromelaLine};
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::frame::Visitor;
use crate::pages::model::groups;

#[derive(Serialize)]
struct Model {
    schema: u32,
    fairness: Option<&'static str>,
    files: Vec<File>,
    flags: Vec<Flag>,
    constraints: Vec<Constraint>,
    processes: Vec<Process>,
}

#[derive(Serialize)]
struct File {
    kind: &'static str,
    path: String,
}

#[derive(Serialize)]
struct Flag {
    name: String,
    variable: String,
    values: Vec<i64>,
}

#[derive(Serialize)]
struct Constraint {
    name: String,
    condition: String,
    properties: Vec<String>,
}

#[derive(Serialize)]
struct Process {
    function: String,
    table: String,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    text: String,
    place: Option<String>,
    statement: Option<String>,
    label: Option<&'static str>,
    row: Option<u32>,
}

fn process(one: ProcessText) -> Process {
    let line = |line: PromelaLine| {
        let of = line.statement;
        Line {
            text: line.text,
            place: of.as_ref().map(|of| format!("{}:{}", of.place.file, of.place.line)),
            statement: of.as_ref().map(|of| of.text.clone()),
            label: of.as_ref().map(|of| of.label),
            row: of.as_ref().and_then(|of| of.row.as_ref()).map(|row| row.line),
        }
    };
    Process { function: one.function, table: one.table, lines: one.lines.into_iter().map(line).collect() }
}

/// The software.
pub async fn show(visitor: Visitor) -> Data {
    let snapshot = visitor.app.snapshot();
    let texts = snapshot.runs.iter().map(|run| run.texts()).find(|texts| !texts.is_empty());
    let processes = texts.unwrap_or_default().into_iter().map(process).collect();
    let Some(project) = &snapshot.project else {
        let (files, flags, constraints) = (Vec::new(), Vec::new(), Vec::new());
        return json(&Model { schema: SCHEMA, fairness: None, files, flags, constraints, processes });
    };
    let files = groups(project).into_iter().flat_map(|group| {
        let kind = group.title;
        group.files.into_iter().map(move |(path, _)| File { kind, path })
    });
    let flags = project.flags.iter().map(|flag| Flag {
        name: flag.name.value.clone(),
        variable: flag.variable.value.clone(),
        values: flag.values.clone(),
    });
    let constraints = project.constraints.iter().enumerate().map(|(index, one)| {
        let uses = project.properties.iter().filter(|property| property.constraints.contains(&index));
        Constraint {
            name: one.name.value.clone(),
            condition: one.text.clone(),
            properties: uses.map(|property| property.name.value.clone()).collect(),
        }
    });
    json(&Model {
        schema: SCHEMA,
        fairness: Some(project.fairness.name()),
        files: files.collect(),
        flags: flags.collect(),
        constraints: constraints.collect(),
        processes,
    })
}
