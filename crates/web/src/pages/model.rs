//! The software under verification: its files, flags, constraints, abstraction tables, and the
//! problems of the project.
//!
//! *Entry point:* [`show`].

use askama::Template;
use axle_feaver::prepare::{ExtractedStatement, ProcessText, PromelaLine};
use axle_feaver::project::Project;

use super::frame::{Answer, Frame, Visitor, render};
use crate::snapshot::Problem;
use crate::view::url::{line_url, path_in_url};

#[derive(Template)]
#[template(path = "model.html")]
struct Page {
    frame: Frame,
    problems: Vec<Problem>,
    groups: Vec<Group>,
    facts: Vec<(&'static str, String)>,
    flags: Vec<(String, String, String)>,
    constraints: Vec<(String, String, usize)>,
    is_loaded: bool,
    texts: Vec<Text>,
    /// The run whose processes are shown.
    run: String,
}

/// An extracted process beside its statements of C.
struct Text {
    function: String,
    table: String,
    table_url: String,
    lines: Vec<(String, Option<OfC>)>,
    hidden: Vec<OfC>,
}

/// A statement of C: its place, text, label, and the address of its row.
struct OfC {
    place: String,
    url: String,
    text: String,
    label: &'static str,
    row: Option<String>,
}

fn of_c(one: &ExtractedStatement) -> OfC {
    OfC {
        place: format!("{}:{}", one.place.file, one.place.line),
        url: line_url(&one.place),
        text: one.text.clone(),
        label: one.label,
        row: one.row.as_ref().map(line_url),
    }
}

fn text(process: &ProcessText) -> Text {
    let line = |line: &PromelaLine| (line.text.clone(), line.statement.as_ref().map(of_c));
    Text {
        function: process.function.clone(),
        table: process.table.clone(),
        table_url: path_in_url(&process.table),
        lines: process.lines.iter().map(line).collect(),
        hidden: process.hidden.iter().map(of_c).collect(),
    }
}

/// Files of one kind.
pub struct Group {
    /// The kind.
    pub title: &'static str,
    /// Paths and addresses.
    pub files: Vec<(String, String)>,
}

/// Shows the model.
pub async fn show(visitor: Visitor) -> Answer {
    let snapshot = visitor.app.snapshot();
    let project = snapshot.project.as_ref();
    let in_use = |index: usize| {
        project.map_or(0, |project| {
            project.properties.iter().filter(|one| one.constraints.contains(&index)).count()
        })
    };
    let extracted = snapshot.runs.iter().map(|run| (run, run.texts())).find(|(_, texts)| !texts.is_empty());
    let (run, texts) = extracted.map(|(run, texts)| (run.name.clone(), texts)).unwrap_or_default();
    render(&Page {
        frame: visitor.frame("/model", "Model"),
        texts: texts.iter().map(text).collect(),
        run,
        problems: snapshot.problems.clone(),
        groups: project.map(groups).unwrap_or_default(),
        facts: project.map(facts).unwrap_or_default(),
        flags: project.map_or_else(Vec::new, |project| {
            let values = |values: &[i64]| {
                let texts: Vec<String> = values.iter().take(8).map(i64::to_string).collect();
                format!("{}{}", texts.join(", "), if values.len() > 8 { ", …" } else { "" })
            };
            let flag = |flag: &axle_feaver::project::Flag| {
                (flag.name.value.clone(), flag.variable.value.clone(), values(&flag.values))
            };
            project.flags.iter().map(flag).collect()
        }),
        constraints: project.map_or_else(Vec::new, |project| {
            let all = project.constraints.iter().enumerate();
            all.map(|(index, one)| (one.name.value.clone(), one.text.clone(), in_use(index))).collect()
        }),
        is_loaded: project.is_some(),
    })
}

/// The files of a project by kind.
#[must_use]
pub fn groups(project: &Project) -> Vec<Group> {
    let subject = &project.subject;
    let link = |path: &String| (path.clone(), path_in_url(path));
    let wrapper: Vec<String> = subject.wrapper.iter().cloned().collect();
    let manifest = vec!["axle.toml".to_string()];
    let groups = [
        ("C sources", &subject.c),
        ("Promela models", &subject.promela),
        ("Drivers", &subject.drivers),
        ("Abstraction tables", &subject.tables),
        ("Wrapper", &wrapper),
        ("Manifest", &manifest),
    ];
    let filled = groups.into_iter().filter(|(_, files)| !files.is_empty());
    filled.map(|(title, files)| Group { title, files: files.iter().map(link).collect() }).collect()
}

fn facts(project: &Project) -> Vec<(&'static str, String)> {
    let subject = &project.subject;
    let mut facts = vec![("fairness", project.fairness.name().to_string())];
    if !subject.include.is_empty() {
        facts.push(("include directories", subject.include.join(", ")));
    }
    if !subject.define.is_empty() {
        facts.push(("macros", subject.define.join(", ")));
    }
    facts
}
