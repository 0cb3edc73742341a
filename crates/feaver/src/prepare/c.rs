//! The programs of a project's runs: the C files, the drivers, and a generated file that chooses the
//! provisioning.
//!
//! The key of a run contains the program as lowered, without names of files, locations and functions
//! that `main` does not lead to. Which of its steps matter is known after a search only
//! ([`super::footprint`]).
//!
//! Each constraint yields a program of its own. They are compiled by all processors, which is most
//! of the time that an unchanged project takes.
//!
//! *Entry point:* [`Preparer::programs`].
//! *Invariant:* diagnostics are reported in the order of properties and constraints, whichever
//! program is compiled first.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use axle_c::{Parsed, Program, parse};
use axle_c_exec::Settings;
use axle_check::program::{self, RunProperty};
use axle_evidence::sha256::sha256;
use axle_ltl::Formula;
use axle_ltl::timeline::Timeline;
use axle_source::{CommandLine, Diagnostic, Diagnostics, Loader, Sources};

use super::{LoadedProgram, Premise, Preparer, Run, Safety, Subject, identifier};
use crate::codes::{EXCLUSIVE, FLAG_WRITTEN, LANES, NO_FILE, REFERENCE, VALUE};
use crate::project::safety::Checks;
use crate::project::{MANIFEST, Project, Property, Statement};
use crate::provisioning::{Component, program as choice};

/// The largest file of C.
const LARGEST: u64 = 64 << 20;

/// The stack of a thread that compiles: the front end recurses with the nesting of the sources.
const STACK: usize = 64 << 20;

/// A program that was compiled, perhaps with errors.
struct Compiled {
    program: Option<Program>,
    /// The hash of the canonical text of the program.
    whole: String,
    /// The hash of its sources.
    texts: String,
    sources: Sources,
    found: Diagnostics,
}

/// A program of a project, with the hash of its canonical text.
type Hashed = (Arc<LoadedProgram>, String);

/// The programs under constraints, or their errors.
type Provisioned = BTreeMap<Option<usize>, Result<Variants, Vec<Diagnostic>>>;

/// A program without and with the values of automatic variables that no later statement reads. Only
/// formulas that observe such variables need the second one, whose state space is larger.
struct Variants {
    plain: Hashed,
    with_locals: OnceCell<Hashed>,
}

impl Variants {
    fn new(plain: Hashed) -> Variants {
        Variants { plain, with_locals: OnceCell::new() }
    }

    fn get(&self, keep_locals: bool) -> Hashed {
        if !keep_locals {
            return self.plain.clone();
        }
        let kept = self.with_locals.get_or_init(|| {
            let (loaded, _) = &self.plain;
            let LoadedProgram { program, sources, texts, files, arguments, settings } = &**loaded;
            let mut program = program.clone();
            program.keep_locals();
            let whole = sha256(axle_c::canonical::whole(&program).as_bytes());
            let (sources, texts) = (sources.clone(), texts.clone());
            let (files, arguments, settings) = (files.clone(), arguments.clone(), settings.clone());
            (Arc::new(LoadedProgram { program, sources, texts, files, arguments, settings }), whole)
        });
        kept.clone()
    }
}

/// Constraints by their index, each with its components; without an index, every provisioning.
type Constraints = Vec<(Option<usize>, Vec<Component>)>;

impl Preparer<'_> {
    /// The runs of a C program.
    pub(super) fn programs(&mut self) -> Vec<Run> {
        if !self.project.subject.tables.is_empty() {
            return self.extracted();
        }
        let selected = self.selected();
        if selected.is_empty() && !self.compiles_alone {
            return Vec::new();
        }
        let plain = match self.attempt(Self::plain) {
            Ok(plain) => plain,
            Err(errors) => {
                selected.iter().for_each(|property| self.fail(property, &errors));
                return Vec::new();
            }
        };
        let written = self.written_flags(&plain);
        self.check_lanes(&plain.program);
        let mut stated = Vec::new();
        for property in selected {
            let text = self.attempt(|own| match &property.statement {
                Statement::Safety(_) => Some(String::new()),
                _ => own.formula(property, &plain.program),
            });
            match text {
                Ok(text) => stated.push((property, text, self.constraints(property))),
                Err(errors) => self.fail(property, &errors),
            }
        }
        let wanted = stated.iter().flat_map(|(_, _, constraints)| constraints.iter());
        let known = self.provisioned(&plain.program, &wanted.cloned().collect());
        let mut runs = Vec::new();
        for (property, text, constraints) in stated {
            match self.attempt(|own| own.runs_of_program(property, &text, (constraints, &written), &known)) {
                Ok(own) => runs.extend(own),
                Err(errors) => self.fail(property, &errors),
            }
        }
        runs
    }

    /// The runs of a property with this formula under constraints, of a program that writes the variables
    /// of some flags.
    fn runs_of_program(
        &mut self,
        property: &Property,
        text: &str,
        (constraints, written): (Constraints, &[usize]),
        known: &Provisioned,
    ) -> Option<Vec<Run>> {
        let keep_locals = observes_locals(property);
        let mut runs = Vec::new();
        for (constraint, _) in constraints {
            let (loaded, whole) = match known.get(&constraint)? {
                Ok(variants) => variants.get(keep_locals),
                Err(errors) => {
                    // They were reported when the program was compiled.
                    self.attempted.extend(errors.iter().cloned());
                    return None;
                }
            };
            let summary = "the functions that `main` leads to, without locations".to_string();
            if let Statement::Safety(Checks::Program(checks)) = &property.statement {
                let subject = Subject::Safety(Safety::Program(loaded, checks.clone()));
                let run = self.run(property, constraint, subject, (summary, whole));
                runs.push(run.with_written(self.project, written, constraint));
                continue;
            }
            let own = match self.project.flags.is_empty() {
                true => text.to_string(),
                false => choice::formula(text, &self.project.flags),
            };
            let formula = self.stated(property, &own, &loaded.program)?;
            let content = (summary, format!("{whole}\n{}", formula.shape(&loaded.program)));
            let premise = self.premise_of_program(property, &formula);
            let subject = Subject::Program(loaded, Box::new(formula));
            let run = self.run(property, constraint, subject, content);
            runs.push(Run { premise, ..run }.with_written(self.project, written, constraint));
        }
        Some(runs)
    }

    /// Reports declared lanes whose functions the program does not have.
    fn check_lanes(&mut self, program: &Program) {
        let functions = self.project.lanes.iter().flat_map(|lanes| &lanes.functions);
        let mut found = Diagnostics::new();
        for (name, at) in functions {
            let known: Vec<&str> = program.codes.iter().map(|code| &*code.name).collect();
            if !known.contains(&name.as_str()) {
                let message = format!("the program has no function `{name}` for the lanes of its charts");
                let diagnostic = Diagnostic::warning(LANES, message).at((*at).into(), "");
                found.push(diagnostic.did_you_mean(name, known));
            }
        }
        self.report(&found);
    }

    /// Reports flags whose variables the program writes. Returns those that it writes for sure.
    fn written_flags(&mut self, plain: &LoadedProgram) -> Vec<usize> {
        let (mut found, mut written) = (Diagnostics::new(), Vec::new());
        for (index, flag) in self.project.flags.iter().enumerate() {
            let mut writes = choice::written(&plain.program, flag);
            writes.sort_by_key(|write| write.is_indirect);
            let Some(first) = writes.first() else { continue };
            let (name, variable) = (&flag.name.value, &flag.variable.value);
            let verb = if first.is_indirect { "may write" } else { "writes" };
            let through = if first.is_indirect { " through a pointer" } else { "" };
            let message =
                format!("the program {verb} `{variable}`{through}, the variable of the flag `{name}`");
            let more = match writes.len() - 1 {
                0 => String::new(),
                1 => ", here and at another place".to_string(),
                more => format!(", here and at {more} other places"),
            };
            let note = "flags do not change during a run: under a constraint on the flag, a property that holds \
                        is undecided";
            found.push(
                Diagnostic::warning(FLAG_WRITTEN, message + &more)
                    .at(first.loc, "")
                    .note(if first.is_indirect { "flags do not change during a run" } else { note })
                    .help("remove the assignment, or copy the flag into another variable"),
            );
            if !first.is_indirect {
                written.push(index);
            }
        }
        self.moved(&found, &plain.sources);
        written
    }

    /// The program under a provisioning, without a property.
    pub(super) fn whole_program(&mut self, components: &[Component]) -> Option<Arc<LoadedProgram>> {
        let plain = self.plain()?;
        let mut known = self.provisioned(&plain.program, &BTreeMap::from([(None, components.to_vec())]));
        known.remove(&None)?.ok().map(|variants| variants.get(false).0)
    }

    /// The programs with a choice of the provisioning, for each of these constraints, or why there is
    /// none.
    fn provisioned(
        &mut self,
        plain: &Program,
        wanted: &BTreeMap<Option<usize>, Vec<Component>>,
    ) -> Provisioned {
        let flags = &self.project.flags;
        let (mut known, mut texts) = (Provisioned::new(), Vec::new());
        for (constraint, components) in wanted {
            match (flags.is_empty(), choice::source(plain, flags, components)) {
                (true, _) => texts.push((*constraint, None)),
                (false, Ok(text)) => texts.push((*constraint, Some(text))),
                (false, Err(unsuitable)) => {
                    let found = self.attempt(|own| {
                        own.unsuitable(unsuitable);
                        None
                    });
                    known.insert(*constraint, found);
                }
            }
        }
        let sources: Vec<Option<String>> = texts.iter().map(|(_, text)| text.clone()).collect();
        let compiled = self.attempt(|own| {
            let compiled = all_compiled(own.project, &sources);
            compiled.map_err(|gone| own.refuse(gone)).ok()
        });
        match compiled {
            Ok(compiled) => {
                for ((constraint, _), compiled) in texts.into_iter().zip(compiled) {
                    let found = self.attempt(|own| own.accepted(compiled).map(Variants::new));
                    known.insert(constraint, found);
                }
            }
            Err(errors) => {
                known.extend(texts.into_iter().map(|(constraint, _)| (constraint, Err(errors.clone()))));
            }
        }
        known
    }

    /// The program without a provisioning.
    fn plain(&mut self) -> Option<Arc<LoadedProgram>> {
        let common = common(self.project).map_err(|gone| self.refuse(gone)).ok()?;
        let compiled = compiled(self.project, common, None);
        self.accepted(compiled).map(|(loaded, _)| loaded)
    }

    /// A compiled program, if it has no errors.
    fn accepted(&mut self, compiled: Compiled) -> Option<Hashed> {
        let Compiled { program, whole, texts, sources, found } = compiled;
        let is_valid = self.moved(&found, &sources);
        let program = program.filter(|_| is_valid)?;
        let subject = &self.project.subject;
        let files = subject.c.iter().chain(&subject.drivers).cloned().collect();
        let arguments = subject.define.iter().map(|define| format!("-D{define}")).collect();
        let settings = Settings::default();
        Some((Arc::new(LoadedProgram { program, sources, texts, files, arguments, settings }), whole))
    }

    /// Reports diagnostics whose files are in another table: those are added to the table of the
    /// project.
    fn moved(&mut self, found: &Diagnostics, program: &Sources) -> bool {
        let mut moved = Diagnostics::new();
        let mut files = BTreeMap::new();
        for one in found {
            let mut own = one.clone();
            for label in &mut own.labels {
                // Macro expansions belong to the other table.
                let span = program.outermost(label.loc);
                let file = program.file(span.file);
                let id = *files
                    .entry(span.file.index())
                    .or_insert_with(|| self.sources.add(file.name(), file.text()));
                label.loc = axle_source::Span::new(id, span.start, span.end).into();
            }
            // That there is no `main` has no place in a source.
            if own.labels.is_empty()
                && let Some((manifest, _)) = self.sources.files().find(|(_, file)| **file.name() == *MANIFEST)
            {
                own = own.at(axle_source::Span::new(manifest, 0, 0).into(), "");
            }
            moved.push(own);
        }
        self.report(&moved)
    }

    /// The formula of a property, checked against the program.
    fn formula(&mut self, property: &Property, program: &Program) -> Option<String> {
        let (text, atoms, places) = match &property.statement {
            Statement::Formula(formula) => {
                // The project was read without errors, so the formula can be parsed.
                let parsed = axle_ltl::parse(&formula.value).ok()?;
                (formula.value.clone(), parsed.atoms, parsed.places)
            }
            Statement::Timeline(timeline, _) => {
                let text = in_text(&axle_ltl::timeline::formula(timeline), timeline);
                (text, timeline.atoms.clone(), timeline.places.clone())
            }
            Statement::Never(..) | Statement::Safety(_) => {
                let message = "a C program has no never claims";
                self.refuse(Diagnostic::error(EXCLUSIVE, message).at(property.name.at.into(), ""));
                return None;
            }
        };
        let errors = program::proposition_errors(program, &atoms);
        for error in &errors {
            let at = self.place_in_statement(property, places[error.atom] + error.at);
            self.refuse(Diagnostic::error(REFERENCE, error.message.clone()).at(at.into(), ""));
        }
        if !errors.is_empty() {
            return None;
        }
        self.stated(property, &text, program)?;
        Some(text)
    }

    /// The premise of a timeline, over the propositions of its property.
    fn premise_of_program(&self, property: &Property, formula: &RunProperty) -> Option<Premise> {
        let Statement::Timeline(timeline, _) = &property.statement else { return None };
        let text = in_text(&axle_ltl::timeline::matched(timeline), timeline);
        let text = match self.project.flags.is_empty() {
            true => text,
            false => choice::formula(&text, &self.project.flags),
        };
        let parsed = axle_ltl::parse(&text).ok()?;
        // The same front end has read the formula of the timeline, in which all these propositions occur.
        let known = |atom: &String| formula.texts().iter().position(|text| text == atom);
        let numbers: Vec<usize> = parsed.atoms.iter().map(known).collect::<Option<_>>()?;
        let renamed = parsed.formula.substituted(&mut |atom| Formula::Atom(numbers[atom as usize] as u32));
        Some(Premise::Program(renamed))
    }

    fn stated(&mut self, property: &Property, text: &str, program: &Program) -> Option<RunProperty> {
        let given = format!("{}={text}", identifier(&property.name.value));
        match program::formula(program, &given, 1) {
            Ok(formula) => Some(choice::without_choice(formula)),
            Err(message) => {
                let at = self.place_in_statement(property, 0);
                let problem = message.lines().next().unwrap_or_default().to_string();
                self.refuse(Diagnostic::error(VALUE, problem).at(at.into(), ""));
                None
            }
        }
    }
}

/// Whether a property observes automatic variables of functions.
fn observes_locals(property: &Property) -> bool {
    super::statement(&property.statement).contains("::")
}

/// The programs with each of these generated files, in the same order.
fn all_compiled(project: &Project, generated: &[Option<String>]) -> Result<Vec<Compiled>, Diagnostic> {
    let common = common(project)?;
    let done: Vec<OnceLock<Compiled>> = generated.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < done.len()) {
            let own = || compiled(project, common.clone(), generated[at].as_deref());
            done[at].get_or_init(own);
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(generated.len());
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without another thread, this one compiles everything.
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        work();
    });
    Ok(done.into_iter().filter_map(OnceLock::into_inner).collect())
}

/// What the programs under all constraints have in common: the files of the subject, parsed.
#[derive(Clone)]
struct Common {
    sources: Sources,
    found: Diagnostics,
    parsed: Parsed,
}

/// Parses the files of the subject; fails if one is gone.
fn common(project: &Project) -> Result<Common, Diagnostic> {
    let subject = &project.subject;
    // Reports of a program refer to its own files only.
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let mut mains = Vec::new();
    for path in subject.c.iter().chain(&subject.drivers) {
        let Ok(bytes) = project.folder.load(path, LARGEST) else {
            return Err(Diagnostic::error(NO_FILE, format!("`{path}` is gone or too large")));
        };
        let (main, doubt) = sources.add_bytes(path, &bytes);
        found.extend(doubt);
        mains.push(main);
    }
    let parsed = parse(&mains, &options(project), &project.folder, &mut sources, &mut found);
    Ok(Common { sources, found, parsed })
}

fn options(project: &Project) -> axle_c::Options {
    let subject = &project.subject;
    axle_c::Options {
        include_dirs: subject.include.clone(),
        command_line: subject.define.iter().map(|define| CommandLine::Define(define.clone())).collect(),
        ..axle_c::Options::default()
    }
}

/// Compiles the program, with a generated file.
fn compiled(project: &Project, common: Common, generated: Option<&str>) -> Compiled {
    let Common { mut sources, mut found, parsed } = common;
    let more: Vec<_> = generated.iter().map(|text| sources.add(choice::FILE, text)).collect();
    let program = parsed.compile(&more, &options(project), &project.folder, &mut sources, &mut found);
    let whole = program.as_ref().map(|program| sha256(axle_c::canonical::whole(program).as_bytes()));
    let texts = super::texts(&sources, &|_| true);
    Compiled { program, whole: whole.unwrap_or_default(), texts, sources, found }
}

/// A formula over the propositions of a timeline.
fn in_text(formula: &Formula, timeline: &Timeline) -> String {
    let atoms: Vec<String> = timeline.atoms.iter().map(|atom| in_braces(atom)).collect();
    axle_ltl::print::formula(formula, &atoms)
}

fn in_braces(atom: &str) -> String {
    match atom.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => atom.to_string(),
        false => format!("{{{atom}}}"),
    }
}
