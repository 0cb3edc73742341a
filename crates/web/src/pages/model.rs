//! The software under verification: its files, flags, constraints, abstraction tables, and the
//! problems of the project.
//!
//! *Entry point:* [`show`].

use askama::Template;
use axle_feaver::prepare::{ExtractedStatement, ProcessText, PromelaLine, RowOrigin, TableRow};
use axle_feaver::project::Project;

use super::frame::{Answer, Frame, Visitor, render};
use crate::snapshot::{Problem, RunState};
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
    tables: Vec<Table>,
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

/// An abstraction table with the statements that it maps.
struct Table {
    name: String,
    url: String,
    /// The number of rows of each origin.
    counts: String,
    rows: Vec<TableLine>,
}

/// A statement with its mapping.
struct TableLine {
    function: String,
    line: u32,
    statement: String,
    mapping: String,
    origin: &'static str,
    is_derived: bool,
    label: String,
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
        tables: tables(snapshot.runs.iter().flat_map(RunState::table_rows).collect()),
        is_loaded: project.is_some(),
    })
}

/// The tables of all runs. The processes of different properties may differ, so that a statement has a row for
/// each mapping.
fn tables(rows: Vec<TableRow>) -> Vec<Table> {
    let mut found: Vec<Table> = Vec::new();
    let mut seen: Vec<TableRow> = Vec::new();
    for row in rows {
        if seen.contains(&row) {
            continue;
        }
        let table = match found.iter_mut().position(|table| table.name == row.table) {
            Some(at) => at,
            None => {
                let (name, url) = (row.table.clone(), path_in_url(&row.table));
                found.push(Table { name, url, counts: String::new(), rows: Vec::new() });
                found.len() - 1
            }
        };
        found[table].rows.push(TableLine {
            function: row.function.clone(),
            line: row.line,
            statement: row.statement.clone(),
            mapping: row.mapping.clone(),
            origin: origin_text(row.origin),
            is_derived: row.origin == RowOrigin::Derived,
            label: row.label.clone(),
        });
        seen.push(row);
    }
    for table in &mut found {
        let all = [RowOrigin::Written, RowOrigin::Derived, RowOrigin::Included, RowOrigin::Default];
        let count = |origin: RowOrigin| {
            let text = origin_text(origin);
            (table.rows.iter().filter(|row| row.origin == text).count(), text)
        };
        let counts = all.into_iter().map(count).filter(|(count, _)| *count > 0);
        table.counts = counts.map(|(count, text)| format!("{count} {text}")).collect::<Vec<_>>().join(", ");
    }
    found
}

fn origin_text(origin: RowOrigin) -> &'static str {
    match origin {
        RowOrigin::Written => "written",
        RowOrigin::Derived => "derived",
        RowOrigin::Included => "of the library",
        RowOrigin::Default => "default",
    }
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
    if let Some(formula) = &subject.derive {
        facts.push(("rows derived for", formula.clone()));
    }
    if !subject.define.is_empty() {
        facts.push(("macros", subject.define.join(", ")));
    }
    facts
}
