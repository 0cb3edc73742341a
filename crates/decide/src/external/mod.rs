//! Hardware model checkers as processes: the circuit as a file, a command line without a shell, limits, and
//! answers as traces and invariants of the circuit.
//!
//! *Entry points:* [`run`] for bad states, [`run_for_cycles`] for justice conditions.
//! *Source:* Biere, Heljanko and Wieringa, "AIGER 1.9 and Beyond", 2011 (witnesses); Niemetz, Preiner,
//! Wolf and Biere, "Btor2, BtorMC and Boolector 3.0", CAV 2018.
//! *Invariant:* an answer is a claim. The caller executes a trace ([`crate::model::Problem::counterexample`])
//! and checks an invariant ([`crate::certificate::check_for`]); [`Claim::Safe`] has no evidence.

mod answers;
mod process;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use axle_outcome::{Limits, Stop};

use self::answers::Verdict;
use self::process::Ended;
use crate::circuit::{Circuit, Trace};
use crate::export::{aiger_binary, btor2};
use crate::invariant::Invariant;
use crate::system::System;
use crate::watch::{Poll, Watch};

/// A model checker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checker {
    /// ABC: `bmc3` for five seconds, then `pdr`.
    Abc,
    /// rIC3.
    Ric3,
    /// nuXmv.
    Nuxmv,
    /// Pono.
    Pono,
    /// A program that takes an AIGER file as its argument, and answers as in the competition.
    Program(PathBuf),
}

impl Checker {
    /// The checker of a name: `abc`, `ric3`, `nuxmv`, `pono`, or a path (with a separator).
    #[must_use]
    pub fn named(name: &str) -> Option<Checker> {
        Some(match name {
            "abc" => Checker::Abc,
            "ric3" => Checker::Ric3,
            "nuxmv" => Checker::Nuxmv,
            "pono" => Checker::Pono,
            path if Path::new(path).components().count() > 1 => Checker::Program(path.into()),
            _ => return None,
        })
    }

    /// Its program, if it is in one of the folders of a search path.
    #[must_use]
    pub fn find(&self, folders: &OsStr) -> Option<PathBuf> {
        let is_path = |program: &Path| program.components().count() > 1;
        self.programs().into_iter().find_map(|program| match is_path(&program) {
            true => program.is_file().then_some(program),
            false => {
                std::env::split_paths(folders).map(|folder| folder.join(&program)).find(|file| file.is_file())
            }
        })
    }

    /// The names of its program, in the order in which they are tried.
    fn programs(&self) -> Vec<PathBuf> {
        match self {
            Checker::Abc => vec!["berkeley-abc".into(), "abc".into()],
            Checker::Ric3 => vec!["rIC3".into(), "ric3".into()],
            Checker::Nuxmv => vec!["nuXmv".into(), "nuxmv".into()],
            Checker::Pono => vec!["pono".into()],
            Checker::Program(path) => vec![path.clone()],
        }
    }

    /// The format that it reads.
    fn format(&self) -> Format {
        match self {
            Checker::Pono => Format::Btor2,
            _ => Format::Aiger,
        }
    }

    /// Whether it reads justice conditions. ABC refuses such files; its invariants for loops closed by bad
    /// states can be checked, which no answer about justice conditions can.
    #[must_use]
    pub fn reads_justice(&self) -> bool {
        *self != Checker::Abc
    }

    /// The arguments of its processes, of which the first that answers ends the search. The working directory
    /// is that of the files, whose names are plain.
    fn arguments(&self, subject: Subject) -> Vec<Vec<OsString>> {
        let lines: &[&[&str]] = match (self, subject) {
            (Checker::Abc, Subject::Bads) => &[&["-q", ABC_SEARCH], &["-q", ABC_PROOF]],
            (Checker::Abc, Subject::Cycles) => &[],
            (Checker::Ric3, _) => &[&["--witness", MODEL_AIGER]],
            (Checker::Nuxmv, _) => &[&["-source", NUXMV_SCRIPT]],
            (Checker::Pono, Subject::Bads) => {
                &[&["-e", "ic3bits", "-k", "1000000", "--witness", MODEL_BTOR2]]
            }
            (Checker::Pono, Subject::Cycles) => &[&[
                "-e",
                "ic3bits",
                "-k",
                "1000000",
                "--justice",
                "--justice-translator",
                "l2s",
                MODEL_BTOR2,
            ]],
            (Checker::Program(_), _) => &[&[MODEL_AIGER]],
        };
        lines.iter().map(|words| words.iter().map(Into::into).collect()).collect()
    }
}

/// The part of a file that a checker decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Subject {
    /// Whether a bad state is reachable.
    Bads,
    /// Whether an execution satisfies a justice condition.
    Cycles,
}

/// A format of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Aiger,
    Btor2,
}

impl Format {
    /// The name of the file of the model.
    fn model(self) -> &'static str {
        match self {
            Format::Aiger => MODEL_AIGER,
            Format::Btor2 => MODEL_BTOR2,
        }
    }
}

const MODEL_AIGER: &str = "model.aig";
const MODEL_BTOR2: &str = "model.btor2";
const NUXMV_SCRIPT: &str = "model.cmd";
const ABC_TRACE: &str = "model.cex";
const ABC_INVARIANT: &str = "model.pla";

/// Searches for a short execution. That it has seen all executions is no evidence.
const ABC_SEARCH: &str = "read model.aig; orpos; bmc3 -T 5; write_cex model.cex";

/// Searches for a proof.
const ABC_PROOF: &str = "read model.aig; orpos; pdr -d -I model.pla; write_cex model.cex";

/// The commands of nuXmv for bad states, and for justice conditions, which it reads as formulas.
const NUXMV_BADS: &str =
    "read_aiger_model -i model.aig\nencode_variables\nbuild_boolean_model\ncheck_invar_ic3\nquit\n";
const NUXMV_CYCLES: &str =
    "read_aiger_model -i model.aig\nencode_variables\nbuild_boolean_model\ncheck_ltlspec_klive\nquit\n";

/// The claim of a checker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// A bad state is reachable by this trace.
    Trace(Trace),
    /// A bad state is reachable; there is no trace.
    Unsafe,
    /// No bad state is reachable, by this invariant.
    Invariant(Invariant),
    /// No bad state is reachable; there is no invariant.
    Safe,
    /// There is no answer.
    Unknown,
}

/// The claim of a checker about the executions that satisfy a justice condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cycles {
    /// There is one, with these values of the inputs in its steps, until a state repeats.
    Lasso(Vec<Vec<u64>>),
    /// There is one; its inputs are unknown.
    Exist,
    /// There is none.
    None,
    /// There is no answer.
    Unknown,
}

/// Why a checker has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// The program does not exist.
    #[error("{} is not installed", .0.display())]
    Missing(PathBuf),
    /// A file cannot be written or read, or the program cannot be started.
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, io::Error),
    /// A limit was reached, or the search was cancelled; the process was ended.
    #[error("the process was ended")]
    Stopped(Stop),
}

/// Runs a checker on the circuit of a system for the bad conditions at these positions. Its files are in a
/// folder, which is the caller's.
///
/// # Errors
/// The checker is not installed, or was stopped.
pub fn run(
    checker: &Checker,
    system: &System,
    bads: &[usize],
    folder: &Path,
    limits: &Limits,
    poll: Poll<'_>,
) -> Result<Claim, ExternalError> {
    let circuit = Circuit::new(system, bads);
    let targets: Vec<usize> = circuit.targets().collect();
    if targets.is_empty() {
        return Ok(Claim::Invariant(Invariant::of_constants(&circuit)));
    }
    let mut files = Files { checker, folder, watch: Watch::new(limits, poll) };
    let subject = match checker.format() {
        Format::Aiger => aiger_binary(system, &circuit),
        Format::Btor2 => btor2(&only(system, bads)).into_bytes(),
    };
    let Some(ended) = files.answer(Subject::Bads, &subject)? else { return Ok(Claim::Unknown) };
    Ok(match answers::verdict(&ended.output, ended.code) {
        Verdict::Unknown => Claim::Unknown,
        Verdict::Unsafe => {
            let trace = match (checker, checker.format()) {
                (Checker::Abc, _) => answers::lines_of_inputs(&files.optional(ABC_TRACE), &circuit),
                (_, Format::Aiger) => answers::aiger_witness(&ended.output, &circuit),
                (_, Format::Btor2) => {
                    return Ok(answers::btor2_witness(&ended.output, system, bads)
                        .map_or(Claim::Unsafe, Claim::Trace));
                }
            };
            let trace = trace.map(|steps| circuit.reached(&targets, &steps));
            trace.map_or(Claim::Unsafe, Claim::Trace)
        }
        Verdict::Safe => {
            let found = answers::pla_invariant(&files.optional(ABC_INVARIANT), system, &circuit);
            found.map_or(Claim::Safe, Claim::Invariant)
        }
    })
}

/// Runs a checker that reads justice conditions on those of a system, which has one for each claim. Fairness
/// conditions are further signals of the same condition, which every reader of justice conditions understands.
///
/// # Errors
/// The checker is not installed, or was stopped.
pub fn run_for_cycles(
    checker: &Checker,
    system: &System,
    folder: &Path,
    limits: &Limits,
    poll: Poll<'_>,
) -> Result<Cycles, ExternalError> {
    // Some checkers refuse files with bad states as well.
    let mut system = System { bads: Vec::new(), ..system.clone() };
    let fairness = std::mem::take(&mut system.fairness);
    for justice in &mut system.justice {
        justice.signals.extend(fairness.iter().copied());
    }
    if system.justice.len() != 1 || !checker.reads_justice() {
        return Ok(Cycles::Unknown);
    }
    let circuit = Circuit::new(&system, &[]);
    let mut files = Files { checker, folder, watch: Watch::new(limits, poll) };
    let subject = match checker.format() {
        Format::Aiger => aiger_binary(&system, &circuit),
        Format::Btor2 => btor2(&system).into_bytes(),
    };
    let Some(ended) = files.answer(Subject::Cycles, &subject)? else { return Ok(Cycles::Unknown) };
    Ok(match answers::verdict(&ended.output, ended.code) {
        Verdict::Unknown => Cycles::Unknown,
        Verdict::Safe => Cycles::None,
        Verdict::Unsafe => {
            let inputs = match checker.format() {
                Format::Aiger => answers::aiger_lasso(&ended.output, &circuit)
                    .map(|steps| circuit.trace(&steps, usize::MAX).inputs),
                Format::Btor2 => answers::btor2_lasso(&ended.output, &system),
            };
            inputs.map_or(Cycles::Exist, Cycles::Lasso)
        }
    })
}

/// The files of a process, and the limits on it.
struct Files<'f> {
    checker: &'f Checker,
    folder: &'f Path,
    watch: Watch<'f>,
}

impl Files<'_> {
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ExternalError> {
        let file = self.folder.join(name);
        std::fs::write(&file, bytes).map_err(|error| ExternalError::Io(file, error))
    }

    /// The text of a file that a checker may have written.
    fn optional(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }

    /// Writes a model, and runs the processes of the checker until one answers; the last one otherwise.
    fn answer(&mut self, subject: Subject, model: &[u8]) -> Result<Option<Ended>, ExternalError> {
        self.write(self.checker.format().model(), model)?;
        if *self.checker == Checker::Nuxmv {
            let script = match subject {
                Subject::Bads => NUXMV_BADS,
                Subject::Cycles => NUXMV_CYCLES,
            };
            self.write(NUXMV_SCRIPT, script.as_bytes())?;
        }
        for name in [ABC_TRACE, ABC_INVARIANT] {
            // Results of an earlier run are no results of this one.
            match std::fs::remove_file(self.folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(ExternalError::Io(self.folder.join(name), error));
                }
                _ => {}
            }
        }
        let mut last = None;
        for arguments in self.checker.arguments(subject) {
            let ended = process::run(&self.checker.programs(), &arguments, self.folder, &mut self.watch)?;
            let is_answer = answers::verdict(&ended.output, ended.code) != Verdict::Unknown;
            last = Some(ended);
            if is_answer {
                break;
            }
        }
        Ok(last)
    }
}

/// A system with only some of its bad conditions.
fn only(system: &System, bads: &[usize]) -> System {
    let kept = bads.iter().map(|at| system.bads[*at].clone()).collect();
    System { bads: kept, ..system.clone() }
}
