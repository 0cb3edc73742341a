//! An extracted process, and the steps of a trace that belong to it.
//!
//! *Entry points:* [`Process`], [`statements`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axle_evidence::trace::{Mover, Trace};
use axle_extract::lookup::Reason;
use axle_extract::{Extraction, Judged, Table, Use};
use axle_source::{Place, Sources};

/// A process that was extracted.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its text and the statements that it was made of.
    pub extraction: Arc<Extraction>,
    /// The table in line with the program.
    pub table: Arc<Table>,
    /// The statements of which a formula has determined the rows.
    pub derived: Arc<BTreeSet<String>>,
    /// For each statement, its place in the program.
    pub(crate) places: Arc<[Place]>,
    /// For each statement, the label of its row in a model; none before the model exists.
    pub(crate) judged: Vec<Judged>,
}

impl Process {
    pub(crate) fn new(extraction: Extraction, table: Arc<Table>, sources: &Sources) -> Process {
        let place = |of: &Use| sources.place(sources.outermost(of.loc));
        let places = extraction.uses.iter().map(place).collect();
        let derived = Arc::default();
        Process { extraction: Arc::new(extraction), table, derived, places, judged: Vec::new() }
    }

    /// The statement of a line of the process's text.
    pub(crate) fn use_at(&self, line: u32) -> Option<usize> {
        self.extraction.map.iter().find(|(of, _)| *of == line).map(|(_, index)| *index)
    }

    /// A statement with its place, as `FILE:LINE` and the statement.
    pub(crate) fn line_of(&self, index: usize) -> (String, String) {
        let place = &self.places[index];
        let statement = self.extraction.uses[index].item.shown();
        (format!("{}:{}", place.file, place.start.line), statement)
    }

    /// A statement behind its place.
    pub(crate) fn placed(&self, index: usize) -> String {
        let (place, statement) = self.line_of(index);
        format!("{place}:{}  {statement}", self.places[index].start.column)
    }

    /// The row of a statement behind its place in the table.
    pub(crate) fn placed_row(&self, index: usize) -> String {
        let of = &self.extraction.uses[index];
        match of.found.reason {
            Reason::Row(line) => {
                let right = self.table.row(line).map_or("", |row| row.right.as_str());
                format!("{}:{}  {} -> {right}", self.table.name, line + 1, of.item.shown())
            }
            Reason::Object(_) | Reason::Included(..) | Reason::Default => {
                format!("{}  {}", self.table.name, of.item.shown())
            }
        }
    }
}

/// The process whose text a file contains.
pub(crate) fn process_of<'a>(processes: &'a [Process], file: &str) -> Option<&'a Process> {
    let name = file.rsplit('/').next().unwrap_or(file).strip_suffix(".spn")?;
    processes.iter().find(|process| process.extraction.function == name)
}

/// The extracted process that takes part in a step, and the line of its text.
fn extracted<'a>(mover: &Mover, processes: &'a [Process]) -> Option<(&'a Process, u32)> {
    let place = mover.place.as_ref()?;
    Some((process_of(processes, &place.file)?, place.line))
}

/// The statement that an extracted process makes in a step.
pub(crate) fn made<'a>(mover: &Mover, processes: &'a [Process]) -> Option<(&'a Process, usize)> {
    let (process, line) = extracted(mover, processes)?;
    Some((process, process.use_at(line)?))
}

/// The first step of a line of an extracted process.
pub(crate) struct Executed<'a> {
    pub process: &'a Process,
    pub line: u32,
    pub mover: &'a Mover,
    /// The number of the step.
    pub step: u64,
}

/// The statements of C that an execution makes in the extracted processes, in order, each once: a row
/// may map one to several steps. A step belongs to the same statement as the one before it in its
/// process if both are of one line, and it is a part of the same indivisible step or stands behind
/// it; otherwise the line is executed again.
pub(crate) fn statements<'a>(trace: &'a Trace, processes: &'a [Process]) -> Vec<Executed<'a>> {
    let mut before: BTreeMap<u32, (&Process, u32, u64, u32)> = BTreeMap::new();
    let mut statements = Vec::new();
    for step in &trace.steps {
        for mover in std::iter::once(&step.by).chain(&step.partner) {
            let Some((process, line)) = extracted(mover, processes) else { continue };
            let column = mover.place.as_ref().map_or(0, |place| place.column);
            let last = before.insert(mover.pid, (process, line, step.step, column));
            let continues = last.is_some_and(|(other, own, number, at)| {
                std::ptr::eq(other, process) && own == line && (number == step.step || at < column)
            });
            if !continues {
                statements.push(Executed { process, line, mover, step: step.step });
            }
        }
    }
    statements
}

/// The processes of the steps of an execution.
pub(crate) fn movers(trace: &Trace) -> impl Iterator<Item = &Mover> {
    trace.steps.iter().flat_map(|step| std::iter::once(&step.by).chain(&step.partner))
}
