//! Confirmation of a counterexample of the model on the program itself: its statements of C are searched
//! for in that order among the executions of the exact semantics. If the program does not have this
//! execution, the counterexample is spurious; then the first statement that cannot be executed names the
//! data that decide it, and these the rows to change.
//!
//! *Entry point:* [`Original::confirm`].
//! *Source:* E. Clarke, O. Grumberg, S. Jha, Y. Lu and H. Veith, "Counterexample-Guided Abstraction
//! Refinement for Symbolic Model Checking", JACM 50(5), 2003: the check of an abstract counterexample.
//! *Invariant:* *real* is the result of an execution of the program with an error, *spurious* of a search
//! that examined every execution.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use axle_c::{Program, compile};
use axle_c_exec::{Followed, Settings, Stepper, Wanted, follow, has_step};
use axle_evidence::report::RowReport;
use axle_evidence::trace::Trace;
use axle_extract::Mapping;
use axle_extract::item::Class;
use axle_outcome::{Confirmation, ViolationKind};
use axle_source::{Diagnostics, FileId, Loader, Severity, Sources};
use axle_step::Interrupt;

use crate::process::{Process, made, movers, statements};
use crate::row_labels::{Rows, row_report};
use crate::source_program::SourceProgram;

/// The maximum number of states of the program that one search examines.
const MAX_STATES: usize = 200_000;

/// The program that a model was extracted from, in the exact semantics.
#[derive(Debug)]
pub struct Original {
    /// The program, or the reason why counterexamples cannot be confirmed on it.
    program: Result<Program, String>,
    canonical: OnceLock<String>,
}

/// The result of a confirmation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// Whether the program has the execution.
    pub result: Confirmation,
    /// The same for a reader.
    pub text: String,
    /// The rows to change, if the execution is spurious.
    pub rows: Vec<RowReport>,
}

fn inconclusive(reason: &str) -> Confirmed {
    Confirmed {
        result: Confirmation::None,
        text: format!("not confirmed on the program itself: {reason}"),
        rows: Vec::new(),
    }
}

impl Original {
    /// Compiles the program, with `more` files that choose its initial state.
    pub fn compile(
        source: &SourceProgram,
        more: &[FileId],
        loader: &dyn Loader,
        sources: &Sources,
    ) -> Original {
        if source.program.unit.function("main").is_none() {
            return Original::unusable("it has no `main`");
        }
        let (mut sources, mut diagnostics) = (sources.clone(), Diagnostics::new());
        let files: Vec<FileId> = source.files.iter().chain(more).copied().collect();
        let program = compile(&files, &source.options, loader, &mut sources, &mut diagnostics);
        let program = program.ok_or_else(|| {
            let error = diagnostics.iter().find(|one| one.severity == Severity::Error);
            error.map_or_else(|| "it cannot be read".to_string(), |error| error.message.clone())
        });
        Original { program, canonical: OnceLock::new() }
    }

    /// A program on which counterexamples cannot be confirmed, for this reason.
    #[must_use]
    pub fn unusable(reason: &str) -> Original {
        Original { program: Err(reason.to_string()), canonical: OnceLock::new() }
    }

    /// The program, unless there is none.
    #[must_use]
    pub fn program(&self) -> Option<&Program> {
        self.program.as_ref().ok()
    }

    /// What a confirmation depends on: the program without names of files and locations.
    #[must_use]
    pub fn canonical(&self) -> &str {
        self.canonical.get_or_init(|| match &self.program {
            Ok(program) => axle_c::canonical::whole(program),
            Err(reason) => reason.clone(),
        })
    }

    /// Searches the program for a counterexample of the model.
    pub(crate) fn confirm(
        &self,
        trace: &Trace,
        kind: &ViolationKind,
        rows: &Rows,
        interrupt: &Interrupt,
    ) -> Confirmed {
        let program = match &self.program {
            Ok(program) => program,
            Err(reason) => return inconclusive(reason),
        };
        let settings = Settings::default();
        let stepper = Stepper::new(program, &settings);
        let script = Script::new(trace, kind, rows, &stepper);
        // All statements in one order first; then those of each function, because what a thread does
        // alone has no place among the steps of others.
        let search = |together: bool| {
            let Script { wanted, watched, fails, .. } = &script;
            follow(&stepper, wanted, watched, together, *fails, MAX_STATES, interrupt)
        };
        let strict = search(true);
        let loose = if strict.done { strict.clone() } else { search(false) };
        script.result(&strict, &loose, trace, rows)
    }
}

/// The statements of a counterexample that the program is to execute.
struct Script<'a> {
    steps: Vec<(&'a Process, usize)>,
    wanted: Vec<Wanted>,
    /// The statements that may occur in this order only.
    watched: Vec<Wanted>,
    /// Whether the last statement fails in the program too.
    fails: bool,
}

impl<'a> Script<'a> {
    fn new(trace: &'a Trace, kind: &ViolationKind, rows: &'a Rows, stepper: &Stepper<'_>) -> Script<'a> {
        let wanted = |process: &Process, index: usize| Wanted {
            function: process.extraction.function.clone(),
            loc: process.extraction.uses[index].loc,
        };
        let class = |process: &Process, index: usize| process.extraction.uses[index].item.class;
        // A declaration may be a step of the program only, or of the model only.
        let is_step = |process: &Process, index: usize| class(process, index) != Class::Declaration;
        let executed = statements(trace, &rows.processes).into_iter();
        let steps: Vec<(&Process, usize)> = executed
            .filter_map(|one| Some((one.process, one.process.use_at(one.line)?)))
            .filter(|(process, index)| is_step(process, *index))
            .filter(|(process, index)| has_step(stepper, &wanted(process, *index)))
            .collect();
        let mut watched = Vec::new();
        for process in &rows.processes {
            for (_, index) in process.extraction.map.iter().filter(|(_, index)| is_step(process, *index)) {
                let one = wanted(process, *index);
                if !watched.contains(&one) {
                    watched.push(one);
                }
            }
        }
        // An assertion of the program must fail there too; one of the wrapper does not exist in it.
        let last = steps.last().map(|(process, index)| class(process, *index));
        let fails = *kind == ViolationKind::Assertion && last == Some(Class::Call);
        let script = steps.iter().map(|(process, index)| wanted(process, *index)).collect();
        Script { steps, wanted: script, watched, fails }
    }

    /// The result of the searches for all statements in order, and for those of each function.
    fn result(&self, strict: &Followed, loose: &Followed, trace: &Trace, rows: &Rows) -> Confirmed {
        if loose.done && self.fails {
            let error = loose.error_site.as_ref().map(|site| format!("; there {}", site.error.message()));
            let text = format!("confirmed: the program makes this run{}", error.unwrap_or_default());
            return Confirmed { result: Confirmation::Real, text, rows: Vec::new() };
        }
        if strict.done {
            return inconclusive(match self.fails {
                true => "the program executes these statements in this order without this violation",
                false => {
                    "the program executes these statements in this order; the violation is one of the model"
                }
            });
        }
        if rows.is_wrapped && rows.processes.iter().any(|process| process.extraction.function == "main") {
            return inconclusive("its surroundings are those of the wrapper");
        }
        if loose.done {
            return inconclusive("each thread can make its part of the run, but perhaps not in this order");
        }
        let mut executing: BTreeSet<(&str, u32)> = BTreeSet::new();
        for mover in movers(trace) {
            if let Some((process, _)) = made(mover, &rows.processes) {
                executing.insert((&process.extraction.function, mover.pid));
            }
        }
        let functions: BTreeSet<&str> = executing.iter().map(|(function, _)| *function).collect();
        if functions.len() < executing.len() {
            return inconclusive(
                "several processes run one function, and which thread is which is not known",
            );
        }
        if loose.stopped {
            return inconclusive("the search for it met a limit");
        }
        // Inputs that were not tried might still lead there.
        let result = if loose.restricted { Confirmation::None } else { Confirmation::Spurious };
        let (text, rows) = self.spurious(loose, rows);
        Confirmed { result, text: text.trim_end().to_string(), rows }
    }

    /// The first step that the program cannot execute, the data that decide it, and the rows that drop
    /// them.
    fn spurious(&self, followed: &Followed, rows: &Rows) -> (String, Vec<RowReport>) {
        let tried = if followed.restricted { "with the inputs that were tried, " } else { "" };
        let mut text = format!("spurious: {tried}the program does not make this run\n");
        // If all statements were executed without violation, the last one differs from the model.
        let at = followed.missing.unwrap_or(self.steps.len().saturating_sub(1));
        let Some((process, index)) = self.steps.get(at) else { return (text, Vec::new()) };
        let difference =
            if followed.missing.is_some() { "cannot be taken" } else { "has no violation there" };
        text.push_str(&format!("  step {} {difference}: {}\n", at + 1, process.placed(*index)));
        let before = self.steps[..at].iter().rev().find(|(other, index)| {
            other.extraction.function == process.extraction.function
                && other.extraction.uses[*index].item.class == Class::Condition
        });
        let (mut objects, mut changes): (BTreeSet<String>, BTreeMap<String, RowReport>) = Default::default();
        for (process, index) in before.into_iter().chain([&self.steps[at]]) {
            let of = &process.extraction.uses[*index];
            if of.item.class == Class::Condition || of.item.class == Class::Call {
                objects.extend(of.item.names().iter().map(|name| name.to_string()));
            }
            if process.judged[*index].label.over {
                changes.insert(process.placed_row(*index), row_report(process, *index, true));
            }
        }
        for process in &rows.processes {
            for (index, of) in process.extraction.uses.iter().enumerate() {
                let is_write = of.item.class != Class::Condition && of.item.class != Class::Return;
                let uses = of.item.names().iter().any(|name| objects.contains(&**name));
                if is_write && uses && leaves_no_step(&of.found.mapping) {
                    changes.insert(process.placed_row(index), row_report(process, index, true));
                }
            }
        }
        if !objects.is_empty() {
            let objects: Vec<String> = objects.into_iter().collect();
            text.push_str(&format!("  the data that matter: {}\n", objects.join(", ")));
        }
        if !changes.is_empty() {
            text.push_str("  rows to change:\n");
            changes.keys().for_each(|row| text.push_str(&format!("    {row}\n")));
        }
        (text, changes.into_values().collect())
    }
}

fn leaves_no_step(mapping: &Mapping) -> bool {
    matches!(mapping, Mapping::Hide | Mapping::Print | Mapping::Comment | Mapping::Skip)
}
