//! Timelines of the command line: `--timeline FILE`.
//!
//! *Entry points:* [`read`], [`formulas`], [`of_timelines`]; [`retell`] for the violations of a timeline.

use std::path::Path;

use axle_c::Program;
use axle_check::program::{error_report, proposition_errors};
use axle_evidence::report::{ViolationKind, ViolationReport};
use axle_evidence::trace::Trace;
use axle_feaver::project::fields::word;
use axle_ltl::print::formula;
use axle_ltl::timeline;
use axle_ltl::timeline::Timeline;
use axle_question::account::of_timeline;
use axle_source::{Diagnostic, FileId, Loader, Loc, Sources, Span, Style};

use crate::args::ModelArgs;
use crate::exit::Exit;
use crate::files::{Disk, unreadable};
use crate::output::remark;
use crate::session::Session;

/// The largest file of a timeline that is read.
const LARGEST: u64 = 1 << 20;

/// Reads a timeline and reports its errors. Without a name in the text, its name is that of the
/// file.
pub fn read(session: &Session, file: &Path) -> Result<Timeline, Exit> {
    open(session, file).map(|(timeline, ..)| timeline)
}

/// Reports the names in timelines that a program does not have, each with its location.
pub fn resolve(session: &Session, args: &ModelArgs, program: &Program) -> Result<(), Exit> {
    for file in &args.timeline {
        let (timeline, sources, id) = open(session, file)?;
        let text = sources.file(id).text();
        let errors = proposition_errors(program, &timeline.atoms).into_iter().map(|error| {
            let start = timeline.places[error.atom] + error.at;
            let end = start + word(text.get(start..).unwrap_or_default());
            let span = Span::new(id, start as u32, end as u32);
            Diagnostic::error("", error.message).at(Loc::plain(span), "")
        });
        let errors: Vec<Diagnostic> = errors.collect();
        if !errors.is_empty() {
            report(session, &sources, &errors);
            return Err(Exit::Input);
        }
    }
    Ok(())
}

/// Prints and records errors.
fn report(session: &Session, sources: &Sources, errors: &[Diagnostic]) {
    let style = Style { unicode: false, ..Style::default() };
    for error in errors {
        remark(&error.render(sources, style));
        session.messages.record(error_report(error, sources));
    }
}

/// A timeline, and its text in a table of files.
fn open(session: &Session, file: &Path) -> Result<(Timeline, Sources, FileId), Exit> {
    let name = file.to_string_lossy();
    let text = Disk.load(&name, LARGEST).map_err(|fault| {
        session.messages.complain(&unreadable(&name, &fault));
        Exit::Input
    })?;
    let mut sources = Sources::new();
    let (id, doubt) = sources.add_bytes(&name, &text);
    let mut diagnostics: Vec<Diagnostic> = doubt.into_iter().collect();
    let text = sources.file(id).text().to_string();
    let mut timeline = timeline::parse(&text).map_err(|faults| {
        diagnostics.extend(faults.into_iter().map(|fault| {
            let span = Span::new(id, fault.at.start as u32, fault.at.end as u32);
            Diagnostic::error(fault.code, fault.message).at(Loc::plain(span), "").help(fault.remedy)
        }));
        report(session, &sources, &diagnostics);
        Exit::Input
    })?;
    if timeline.name.is_empty() {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        timeline.name = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !timeline.name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            timeline.name.insert_str(0, "timeline_");
        }
    }
    Ok((timeline, sources, id))
}

/// How the propositions of a formula are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// As expressions of Promela.
    Promela,
    /// As expressions of C, in braces.
    C,
}

/// The formulas of the command line, `NAME=FORMULA`: those given as such, and those of the timelines.
pub fn formulas(session: &Session, args: &ModelArgs, notation: Notation) -> Result<Vec<String>, Exit> {
    Ok(args
        .ltl
        .iter()
        .cloned()
        .chain(of_timelines(session, args, notation)?.into_iter().map(|one| one.formula))
        .collect())
}

/// The formula of a timeline, `NAME=FORMULA`.
pub struct Drawn {
    /// The formula.
    pub formula: String,
    /// The file of the timeline.
    pub file: String,
    /// The line of the mark that decides, from 1.
    pub line: u32,
}

/// The formulas of the timelines of the command line.
pub fn of_timelines(session: &Session, args: &ModelArgs, notation: Notation) -> Result<Vec<Drawn>, Exit> {
    let mut formulas = Vec::new();
    for file in &args.timeline {
        let timeline = read(session, file)?;
        let atoms: Vec<String> = timeline.atoms.iter().map(|atom| written(atom, notation)).collect();
        formulas.push(Drawn {
            formula: format!("{}={}", timeline.name, formula(&timeline::formula(&timeline), &atoms)),
            file: file.to_string_lossy().into_owned(),
            line: timeline.marks.last().map_or(1, |mark| mark.line),
        });
    }
    Ok(formulas)
}

fn written(atom: &str, notation: Notation) -> String {
    match notation == Notation::Promela || atom.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => atom.to_string(),
        false => format!("{{{atom}}}"),
    }
}

/// Describes the violation of a timeline by its marks.
pub fn retell(lines: &[Timeline], violation: &mut ViolationReport, trace: &mut Trace) {
    let own = |line: &&Timeline| line.name == violation.property;
    let is_formula = violation.kind == ViolationKind::Formula;
    if let Some(line) = lines.iter().find(own).filter(|_| is_formula)
        && let Some(told) = of_timeline(line, trace)
    {
        violation.message = format!("timeline {} violated: {}", line.name, told.account.sentence);
        trace.account = Some(told.account);
    }
}

/// The timelines of the command line.
pub fn all(session: &Session, args: &ModelArgs) -> Result<Vec<Timeline>, Exit> {
    args.timeline.iter().map(|file| read(session, file)).collect()
}
