//! Trail files on disk. A trail never takes the place of a file that is not one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_check::{RunViolation, fairness_name};
use axle_evidence::run_trail::{About, AnyTrail, RunTrail, read_any};
use axle_evidence::trail::TrailError;
use axle_evidence::{run_trail, trail};
use axle_model::Model;
use axle_search::{Fairness, Violation};
use axle_step::FaultKind;

use crate::args::{ModelArgs, TableArgs};
use crate::deadline::Deadline;
use crate::files;
use crate::found::Found;

/// The largest trail that is read, in bytes: about ten million steps.
pub const LARGEST: u64 = 100_000_000;

/// By which a trail is recognised.
pub const TRAIL_MARK: &str = "\"axle-trail\"";

/// What a trail tells of.
pub enum Read {
    /// A fault in a step or state.
    Violation(Violation),
    /// A run that breaks a property, under an assumption about the scheduler.
    Run(RunViolation, Fairness),
}

impl Read {
    /// The steps of the system, standing still left out.
    pub fn steps(&self) -> Vec<u32> {
        match self {
            Read::Violation(violation) => violation.steps(),
            Read::Run(found, _) => found.run.steps.iter().flatten().copied().collect(),
        }
    }
}

/// What a trail tells of, if it belongs to this model.
pub fn read(file: &Path, model: &Arc<Model>) -> Result<Read, String> {
    let name = file.display();
    let text = files::read_text(file, LARGEST)?;
    let named = |fault: TrailError| format!("{name}: {fault}");
    match read_any(&text).map_err(named)? {
        AnyTrail::Violation(trail) => {
            trail.check(model).map_err(named)?;
            trail.violation().map(Read::Violation).map_err(named)
        }
        AnyTrail::Program(trail) => {
            Err(format!("{name}: the trail is one of a C program ({})", trail.files.join(", ")))
        }
        AnyTrail::Run(trail) => {
            trail.check(model).map_err(named)?;
            let known = [Fairness::None, Fairness::Weak, Fairness::Strong];
            let fairness = known.into_iter().find(|&one| fairness_name(one) == trail.fairness);
            let fairness =
                fairness.ok_or_else(|| format!("{name}: unknown fairness `{}`", trail.fairness))?;
            let fault = match &trail.fault {
                None => None,
                Some(kind) => {
                    Some(FaultKind::named(kind).ok_or_else(|| named(TrailError::Kind(kind.clone())))?)
                }
            };
            let run = trail.run();
            Ok(Read::Run(RunViolation { property: trail.property, run, fault }, fairness))
        }
    }
}

/// Refuses to write trails over something else, before the search rather than after it.
pub fn refuse_others(file: &Path) -> Result<(), String> {
    // A device or pipe holds nothing that could be lost.
    if !fs::metadata(file).is_ok_and(|about| about.is_file()) {
        return Ok(());
    }
    match files::read_text(file, LARGEST) {
        Ok(text) if text.is_empty() || read_any(&text).is_ok() => Ok(()),
        Ok(_) | Err(_) => {
            Err(format!("'{}' exists and is no trail; remove it, or choose another name", file.display()))
        }
    }
}

/// Writes the trails of all violations: the first to `file`, the others beside it with a number.
/// `more`: further files of the C program that the model was extracted from.
pub fn write_all(
    file: &Path,
    model: &Arc<Model>,
    args: &ModelArgs,
    (tables, more): (&TableArgs, &[PathBuf]),
    fairness: Fairness,
    found: &[Found],
    deadline: &Deadline,
) -> Result<Vec<PathBuf>, String> {
    let mut written = Vec::new();
    let arguments: Vec<String> = arguments(args).into_iter().chain(table_arguments(tables, more)).collect();
    for (index, found) in found.iter().enumerate() {
        let path = numbered(file, index);
        refuse_others(&path)?;
        let name = args.model.to_string_lossy();
        let version = env!("CARGO_PKG_VERSION");
        let text = match found {
            Found::Violation(violation) => {
                trail::write(&trail::Trail::new(model, &name, &arguments, version, violation))
            }
            Found::Run(found) => {
                let about = About {
                    property: &found.property,
                    fault: found.fault.map(FaultKind::name),
                    fairness: fairness_name(fairness),
                };
                let trail = RunTrail::new(model, &name, &arguments, version, &about, &found.run);
                run_trail::write(&trail)
            }
        };
        files::write(&path, &text, deadline)?;
        written.push(path);
    }
    Ok(written)
}

/// `a.trail`, `a-2.trail`, `a-3.trail`, ...
pub fn numbered(file: &Path, index: usize) -> PathBuf {
    if index == 0 {
        return file.to_path_buf();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = match file.extension() {
        Some(extension) => format!("{stem}-{}.{}", index + 1, extension.to_string_lossy()),
        None => format!("{stem}-{}", index + 1),
    };
    file.with_file_name(name)
}

/// Removes the trails of an earlier run from the files that this one may write.
pub fn remove_stale_trails(file: &Path) -> Result<(), String> {
    remove_numbered(file, TRAIL_MARK)
}

/// Removes the results with this mark from a file and the numbered files beside it.
pub fn remove_numbered(file: &Path, mark: &str) -> Result<(), String> {
    files::remove_result(file, mark)?;
    let others = (1..).map(|index| numbered(file, index));
    others.take_while(|other| other.is_file()).try_for_each(|other| files::remove_result(&other, mark))
}

/// The options by which a model is extracted from a program.
fn table_arguments<'a>(args: &'a TableArgs, more: &'a [PathBuf]) -> impl Iterator<Item = String> + 'a {
    let tables = args.table.iter().map(|file| format!("{TABLE} {}", file.display()));
    let wrapper = args.wrapper.iter().map(|file| format!("--wrapper {}", file.display()));
    let more = more.iter().filter(|_| args.are_given()).map(|file| format!("--also {}", file.display()));
    tables.chain(wrapper).chain(more)
}

/// The option with which the arguments of an extracted model begin in a trail.
const TABLE: &str = "--table";

/// Why a trail of a model does not belong to a C program: the options that extract the model.
pub fn of_model(trail: &AnyTrail) -> String {
    let arguments = match trail {
        AnyTrail::Violation(trail) => &trail.arguments[..],
        AnyTrail::Run(trail) => &trail.arguments[..],
        AnyTrail::Program(_) => &[],
    };
    let first = arguments.iter().position(|argument| argument.starts_with(TABLE));
    match first {
        Some(first) => {
            let options = arguments[first..].join(" ");
            format!(
                "the trail is one of a model that was extracted from a program; give its options: {options}"
            )
        }
        None => "the trail is one of a model".to_string(),
    }
}

/// The options that decide what the model is.
pub fn arguments(args: &ModelArgs) -> Vec<String> {
    let mut arguments: Vec<String> = args.define.iter().map(|define| format!("-D{define}")).collect();
    arguments.extend(args.undefine.iter().map(|name| format!("-U{name}")));
    arguments.extend(args.timeline.iter().map(|file| format!("--timeline '{}'", file.display())));
    arguments.extend(args.ltl.iter().map(|formula| format!("--ltl '{formula}'")));
    arguments.extend(args.automaton.iter().map(|file| format!("--automaton '{file}'")));
    if args.lossy {
        arguments.push("--lossy".to_string());
    }
    if args.max_processes != 255 {
        arguments.push(format!("--max-processes {}", args.max_processes));
    }
    arguments
}
