//! The processes that were extracted from a program, as files for the preprocessor, and the
//! statements of a run that they make.
//!
//! *Entry points:* [`Process`], [`made`].

use std::collections::BTreeMap;

use axle_evidence::trace::{Mover, Trace};
use axle_extract::{Extraction, Form, Judged, Program, Table, declarations};
use axle_source::{LoadError, Loader};

use crate::files::Disk;

/// A process that was extracted.
pub(crate) struct Process {
    pub extraction: Extraction,
    pub table: Table,
    pub judged: Vec<Judged>,
}

/// The files of the machine, and the processes as files among them.
pub(super) struct WithProcesses<'a> {
    processes: &'a [Process],
    /// Whether the processes have no text.
    is_empty: bool,
    /// Declarations that the processes need, inside of other processes and outside.
    declarations: [String; 2],
}

/// The name of the file with the declarations that processes need, inside of others and outside.
const DECLARATIONS: [&str; 2] = ["<declarations within>", "<declarations>"];

impl<'a> WithProcesses<'a> {
    pub fn new(processes: &'a [Process]) -> WithProcesses<'a> {
        WithProcesses { processes, is_empty: false, declarations: [String::new(), String::new()] }
    }

    /// The same without the texts of the processes.
    pub fn without_text(&self) -> WithProcesses<'a> {
        WithProcesses { is_empty: true, ..WithProcesses::new(self.processes) }
    }

    /// Gives the processes the declarations that the wrapper does not have.
    pub fn add_declarations(&mut self, program: &Program, around: &str) {
        let extractions: Vec<&Extraction> =
            self.processes.iter().map(|process| &process.extraction).collect();
        self.declarations =
            [false, true].map(|outside| declarations::missing(program, &extractions, around, outside));
    }

    fn text(&self, process: &Process) -> String {
        if self.is_empty {
            return String::new();
        }
        let text = &process.extraction.text;
        let at = usize::from(process.extraction.form != Form::Body);
        match text.split_once('\n') {
            // The first line is a comment, and the lines behind it keep their numbers.
            Some((_, rest)) if !self.declarations[at].is_empty() => {
                format!("#include \"{}\"\n{rest}", DECLARATIONS[at])
            }
            _ => text.clone(),
        }
    }
}

impl Loader for WithProcesses<'_> {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        if let Some(at) = DECLARATIONS.iter().position(|name| path.ends_with(name)) {
            return Ok(self.declarations[at].clone().into_bytes());
        }
        match process_of(self.processes, path) {
            Some(process) => Ok(self.text(process).into_bytes()),
            None => Disk.load(path, limit),
        }
    }
}

/// The process that a file of this name holds.
pub(super) fn process_of<'a>(processes: &'a [Process], file: &str) -> Option<&'a Process> {
    let name = file.rsplit('/').next().unwrap_or(file).strip_suffix(".spn")?;
    processes.iter().find(|process| process.extraction.function == name)
}

/// What a line of a process stands for.
pub(super) fn use_at(process: &Process, line: u32) -> Option<usize> {
    process.extraction.map.iter().find(|(of, _)| *of == line).map(|(_, index)| *index)
}

/// The extracted process that takes part in a step, and the line of its text.
pub(super) fn extracted<'a>(mover: &Mover, processes: &'a [Process]) -> Option<(&'a Process, u32)> {
    let place = mover.place.as_ref()?;
    Some((process_of(processes, &place.file)?, place.line))
}

/// The statement that a process makes in a step, where the process was extracted.
pub(super) fn made<'a>(mover: &Mover, processes: &'a [Process]) -> Option<(&'a Process, usize)> {
    let (process, line) = extracted(mover, processes)?;
    Some((process, use_at(process, line)?))
}

/// The statements of C that a run executes in the extracted processes, in order, each once: a row
/// may map one to several steps. A step belongs to the same statement as the one before it in its
/// process if both are of one line, and it is a part of the same indivisible step or stands behind
/// it; otherwise the line is executed again.
pub(super) fn statements<'a>(run: &'a Trace, processes: &'a [Process]) -> Vec<Executed<'a>> {
    let mut before: BTreeMap<u32, (&Process, u32, u64, u32)> = BTreeMap::new();
    let mut statements = Vec::new();
    for step in &run.steps {
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

/// The first step of a line of an extracted process.
pub(super) struct Executed<'a> {
    pub process: &'a Process,
    pub line: u32,
    pub mover: &'a Mover,
    /// The number of the step.
    pub step: u64,
}

/// The steps of a run, by who takes part in them.
pub(super) fn movers(run: &Trace) -> impl Iterator<Item = &Mover> {
    run.steps.iter().flat_map(|step| std::iter::once(&step.by).chain(&step.partner))
}
