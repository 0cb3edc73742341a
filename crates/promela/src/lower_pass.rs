//! The state of lowering: the model so far, facts about names, records and proctypes, the current
//! process, and work that is deferred until more of the text is read.
//!
//! *Entry point:* [`Lower`]; its methods here report errors and query the state. The `lower` files
//! contain the translation of each part of the text.
//! *Invariant:* each entry of [`Lower::procs`] describes the process type of the same number in the
//! model.

use axle_model::{FileId, LocId, Model, Origin, ProcId, Process, Type};
use axle_source::{Diagnostic, Diagnostics, Loc, Sources};
use rustc_hash::FxHashMap;

use crate::ast::Item;
use crate::lower_body::Body;
use crate::resolve::{Names, VarId};
use crate::types::RecordFacts;

/// Facts about a proctype before its body is read.
#[derive(Clone, Debug)]
pub(crate) struct ProcInfo {
    pub name: String,
    pub loc: Loc,
    /// For each parameter its name, type and place, once the declaration was read.
    pub params: Option<Vec<(String, Type, Loc)>>,
    /// How many processes of the type exist at the start, and the number of the first.
    pub started: u32,
    pub first_pid: Option<u32>,
    /// Some `run` creates one.
    pub runnable: bool,
    /// Its variables by name, for references from outside; the last declared wins.
    pub locals: FxHashMap<String, VarId>,
    /// The locations of its labels, once its automaton is there.
    pub labels: FxHashMap<String, Vec<LocId>>,
}

/// A `run`, kept until the declaration of its proctype is known.
#[derive(Clone, Debug)]
pub(crate) struct PendingRun {
    pub proc: ProcId,
    pub loc: Loc,
    /// Type of each argument after records were taken apart, with its place; none where not an
    /// mtype.
    pub args: Vec<(Option<axle_model::NameSetId>, Loc)>,
}

/// A question about a label of another process, answered once all automata are there.
#[derive(Clone, Debug)]
pub(crate) struct LabelQuery {
    pub proc: ProcId,
    pub label: String,
    pub loc: Loc,
}

/// The state of the pass.
pub(crate) struct Lower<'a> {
    pub sources: &'a Sources,
    pub diagnostics: &'a mut Diagnostics,
    pub model: Model,
    pub names: Names,
    pub records: Vec<RecordFacts>,
    pub procs: Vec<ProcInfo>,
    pub runs: Vec<PendingRun>,
    pub labels_asked: Vec<LabelQuery>,
    /// Claims and event traces among the processes, with the property that each belongs to.
    pub claims: Vec<(ProcId, usize)>,
    /// Every send: how many values it gives, where, and where its channel is declared.
    pub sends: Vec<(usize, Loc, Option<Loc>)>,
    /// The declaration of some channel has an error.
    pub refused_shapes: bool,
    /// Scalars in all variables so far.
    pub total_scalars: u64,
    /// How often the name of a refused declaration was used.
    pub refused_uses: u32,
    /// How often a similar name was looked for.
    pub suggestions: u32,
    pub deferred: Vec<(usize, &'a Item)>,
    pub uses_pc_value: bool,
    pub file_ids: FxHashMap<String, FileId>,
    pub body: Body,
}

impl<'a> Lower<'a> {
    /// Reports.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports an error with a place and nothing else.
    pub fn error(&mut self, code: &'static str, loc: impl Into<Loc>, message: impl Into<String>) {
        self.report(Diagnostic::error(code, message).at(loc.into(), ""));
    }

    /// The model's number of a file.
    pub fn file_id(&mut self, name: &str) -> FileId {
        if let Some(&id) = self.file_ids.get(name) {
            return id;
        }
        let id = FileId::new(self.model.files.len());
        self.model.files.push(name.to_owned());
        self.file_ids.insert(name.to_owned(), id);
        id
    }

    /// The place outside all macros.
    pub fn origin(&mut self, loc: impl Into<Loc>) -> Origin {
        let span = self.sources.outermost(loc.into());
        let place = self.sources.place(span);
        Origin {
            file: self.file_id(&place.file),
            line: place.start.line,
            column: place.start.column,
            end_line: place.end.line,
            end_column: place.end.column,
        }
    }

    /// How a set of `mtype` names is called in messages.
    pub fn set_name(&self, set: axle_model::NameSetId) -> String {
        let name = &self.model.name_sets[set.index()].name;
        if name == "mtype" { name.clone() } else { format!("mtype:{name}") }
    }

    /// Adds "did you mean", for the first faults only: comparing every name with every other takes
    /// time.
    pub fn suggest(
        &mut self,
        fault: Diagnostic,
        name: &str,
        candidates: impl FnOnce(&Self) -> Vec<String>,
    ) -> Diagnostic {
        const MOST: u32 = 100;
        self.suggestions += 1;
        if self.suggestions > MOST {
            return fault;
        }
        let candidates = candidates(self);
        fault.did_you_mean(name, candidates.iter().map(String::as_str))
    }

    /// The names of all proctypes.
    pub fn proc_names(&self) -> Vec<String> {
        self.procs.iter().map(|p| p.name.clone()).collect()
    }

    /// A process type, to be filled.
    pub fn process_mut(&mut self, id: ProcId) -> &mut Process {
        &mut self.model.processes[id.index()]
    }
}
