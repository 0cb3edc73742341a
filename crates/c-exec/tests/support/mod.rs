//! Checks a C file by searching breadth-first, for tests.

use axle_c::{Options, Program, compile};
use axle_c_exec::{Settings, Stepper, leaks, trace};
use axle_search::{Limits, Silent, bfs};
use axle_source::{Diagnostics, FileId, LoadError, Loader, Sources, Style};
use axle_step::Successors;
use axle_store::AutoSet;

/// Files of the disk.
pub struct Disk;

impl Loader for Disk {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        match std::fs::read(path) {
            Ok(bytes) if bytes.len() as u64 <= limit => Ok(bytes),
            Ok(_) => Err(LoadError::Unreadable("too large".into())),
            Err(_) => Err(LoadError::NotFound),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Holds,
    Violated,
    Unknown,
    Rejected,
}

/// What a check came to.
#[derive(Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// Name of each trouble, and the line it is at.
    pub errors: Vec<(String, u32)>,
    pub messages: Vec<String>,
    pub leaks: Vec<u32>,
    pub states: u64,
    pub width: usize,
    pub restricted: bool,
    /// Line numbers of the first trace, by thread.
    pub trace: Vec<(u32, u32)>,
}

impl Report {
    pub fn summary(&self) -> String {
        let leaks = if self.leaks.is_empty() { String::new() } else { format!(" leaks {:?}", self.leaks) };
        format!(
            "{:?}, {} states of {} bytes{leaks}{} {}",
            self.verdict,
            self.states,
            self.width,
            if self.restricted { " restricted" } else { "" },
            self.messages.join(" | ")
        )
    }
}

/// Compiles a text; the diagnostics come rendered.
pub fn compile_text(name: &str, text: &[u8], sources: &mut Sources) -> (Option<Program>, String) {
    compile_with(name, text, &Options::default(), sources)
}

/// The same with options.
pub fn compile_with(
    name: &str,
    text: &[u8],
    options: &Options,
    sources: &mut Sources,
) -> (Option<Program>, String) {
    let mut diagnostics = Diagnostics::new();
    let (main, _): (FileId, _) = sources.add_bytes(name, text);
    let program = compile(&[main], options, &Disk, sources, &mut diagnostics);
    let rendered: String = diagnostics.iter().map(|d| d.render(sources, Style::default())).collect();
    (program, rendered)
}

/// Checks a file with the default settings.
pub fn check_file(path: &str) -> Report {
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    check_text(path, &text, &Settings::default(), 2_000_000)
}

/// Checks a text.
pub fn check_text(name: &str, text: &[u8], settings: &Settings, states: u64) -> Report {
    let mut sources = Sources::new();
    let (program, messages) = compile_text(name, text, &mut sources);
    let mut report = Report {
        verdict: Verdict::Rejected,
        errors: Vec::new(),
        messages: Vec::new(),
        leaks: Vec::new(),
        states: 0,
        width: 0,
        restricted: false,
        trace: Vec::new(),
    };
    let Some(program) = program else {
        report.messages.push(messages);
        return report;
    };
    let persistent_sets = settings.persistent_sets && axle_c_exec::persistent_sets_apply(&program, settings);
    let settings = &Settings { persistent_sets, ..settings.clone() };
    let mut stepper = Stepper::new(&program, settings);
    // The layout widens with the initial state.
    stepper.initial(&mut Vec::new());
    let mut set = AutoSet::new(stepper.width()).expect("an empty set has room");
    let options = axle_search::Options {
        limits: Limits { states: Some(states), ..Limits::default() },
        ..axle_search::Options::default()
    };
    let outcome = bfs::search(&mut stepper, &mut set, &options, &mut Silent);
    report.states = outcome.states;
    report.width = stepper.width();
    report.restricted = stepper.restricted();
    let line = |loc: axle_source::Loc| sources.place(sources.outermost(loc)).start.line;
    let mut violated = false;
    let mut unknown = outcome.stop.is_some();
    for doubt in stepper.inconclusive_reasons() {
        unknown = true;
        report.messages.push(doubt.error.message());
    }
    for violation in &outcome.violations {
        let error_site = stepper.error_site(violation.site).expect("an error of this stepper").clone();
        let way = trace(&stepper, &violation.path, error_site.site()).expect("it happens again");
        violated = true;
        if report.trace.is_empty() {
            report.trace = way.steps.iter().map(|step| (step.thread, line(step.loc))).collect();
        }
        report.errors.push((error_site.error.name().to_owned(), line(way.at)));
        report.messages.push(format!("line {}: {}", line(way.at), error_site.error.message()));
    }
    report.leaks = leaks(&stepper).into_iter().filter_map(|leak| leak.loc).map(line).collect();
    report.verdict = match (violated, unknown) {
        (true, _) => Verdict::Violated,
        (false, true) => Verdict::Unknown,
        (false, false) => Verdict::Holds,
    };
    report
}

/// The C files of folders, named relative to this crate, in order.
pub fn programs(folders: &[&str]) -> Vec<std::path::PathBuf> {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut files: Vec<_> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(format!("{root}{folder}")).into_iter().flatten())
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "c"))
        .collect();
    files.sort();
    files
}
