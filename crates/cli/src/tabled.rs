//! Models extracted from C through abstraction tables: `axle check x.c --table x.lut`, and the same
//! options of `replay`, `simulate`, `swarm` and `slice`. The model is made in memory; the wrapper
//! includes its processes as it would include their files.
//!
//! *Entry points:* [`check`], [`load`], [`load_promela`].
//! *Invariant:* a verdict of the model is one of the program only as far as the rows that were used
//! allow; everything else is unknown.

mod confirm;
mod process;
mod row_labels;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_check::{Checked, Config};
use axle_evidence::trace::Trace;
use axle_extract::lookup::Reason;
use axle_extract::{Executed, Form, Request, synchronise, wrapper};
use axle_model::Model;
use axle_promela::{Meaning, ast, lower};
use axle_source::{CommandLine, Diagnostic, Diagnostics, Dialect, Options, Token, TokenKind, preprocess};

use crate::args::{CheckArgs, ModelArgs, OutputArgs, TableArgs};
use crate::config::config;
use crate::deadline;
use crate::exit::Exit;
use crate::extract::{Job, read, text_of};
use crate::found::Found;
use crate::load::{self, Loaded};
use crate::model_report::{report_at_deadline, show_report};
use crate::output::{HIDDEN, ONE_WAY, complain};
use crate::refused::Refused;
use crate::results::InputResult;
use crate::watch::Watch;
use confirm::Confirmed;
use process::{Process, WithProcesses, process_of, use_at};
use row_labels::weaken;

pub use row_labels::RowLabels;

/// What a model was extracted from.
pub struct Extracted {
    job: Job,
    processes: Vec<Process>,
}

/// Reads a model: extracted through tables where they are given. `more`: further files of the C
/// program.
pub fn load(
    args: &ModelArgs,
    more: &[PathBuf],
    tables: &TableArgs,
    output: &OutputArgs,
) -> Result<(Arc<Model>, Option<Extracted>), Exit> {
    if !tables.are_given() {
        return load::load(args, output).map(|model| (model, None));
    }
    let Built { extracted, model, .. } = build(args, more, tables, output)?;
    Ok((Arc::new(model), Some(extracted)))
}

/// Reads a model as a tree and as a model: extracted through tables where they are given.
pub fn load_promela(
    args: &ModelArgs,
    more: &[PathBuf],
    tables: &TableArgs,
    output: &OutputArgs,
) -> Result<Loaded, Exit> {
    if !tables.are_given() {
        return load::load_promela(args, output);
    }
    let Built { extracted, tree, model } = build(args, more, tables, output)?;
    Ok(Loaded { tree, model, sources: extracted.job.sources })
}

/// Checks the model extracted from a program.
pub fn check(args: &'static CheckArgs) -> Result<InputResult, Refused> {
    let Built { mut extracted, model, .. } = build(&args.model, &args.more, &args.tables, &args.output)?;
    let model = Arc::new(model);
    let config = config(args, &model)?;
    report_at_deadline(args, &model, &config);
    let mut watch = Watch::start(args.time, args.output.quiet);
    let mut checked = axle_check::check(&model, &config, &mut watch);
    checked.report.search.seconds = watch.stop().as_secs_f64();
    checked.report.model = args.model.model.to_string_lossy().into_owned();
    let labels = extracted.qualify(&model, &config, &mut checked)?;
    deadline::reporting(Exit::of(&checked.report));
    let traces = show_report(args, &model, &config, &checked, &labels.text())?;
    checked.report.warnings.extend(labels.warnings);
    Ok(InputResult::new(checked.report, traces))
}

impl Extracted {
    /// Limits the verdicts of the model to what they say of the program, confirms the violations on
    /// the program, and adds the statements of C to the report.
    pub fn qualify(
        &mut self,
        model: &Arc<Model>,
        config: &Config,
        checked: &mut Checked,
    ) -> Result<RowLabels, String> {
        let runs = runs(model, config, checked)?;
        let confirmed: Vec<Confirmed> = (runs.iter().zip(&checked.report.violations))
            .map(|(run, told)| confirm::confirm(run, told, &self.processes, &mut self.job))
            .collect();
        let labels = weaken(checked, &runs, &confirmed, &self.processes);
        for ((run, one), told) in runs.iter().zip(&confirmed).zip(&mut checked.report.violations) {
            told.details.extend(self.in_c(run));
            told.details.extend(one.sentence.lines().map(str::to_string));
        }
        Ok(labels)
    }

    /// An execution as statements of C, those included that leave nothing in the model.
    pub fn in_c(&self, run: &Trace) -> Vec<String> {
        in_c(run, &self.processes, &self.job)
    }
}

/// An extracted model, and what it was made of.
struct Built {
    extracted: Extracted,
    tree: ast::Program,
    model: Model,
}

fn build(
    model: &ModelArgs,
    more: &[PathBuf],
    tables: &TableArgs,
    output: &OutputArgs,
) -> Result<Built, Exit> {
    let paths: Vec<&Path> = std::iter::once(&model.model).chain(more).map(AsRef::as_ref).collect();
    let mut job = read(&paths, &model.define, &model.undefine, &model.include)?;
    job.report(output)?;
    let (name, text) = match &tables.wrapper {
        Some(path) => (path.to_string_lossy().into_owned(), text_of(path)?),
        None => {
            let stems: BTreeSet<_> = tables.table.iter().filter_map(|path| path.file_stem()).collect();
            let includes =
                stems.into_iter().map(|stem| format!("#include \"{}.spn\"\n", stem.to_string_lossy()));
            ("<wrapper>".to_string(), includes.collect())
        }
    };
    let wanted = wrapper::wanted(&text);
    if wanted.is_empty() {
        complain(&format!("'{name}' includes no FUNCTION.spn, so there is nothing to extract"));
        return Err(Exit::Input);
    }
    let mut processes = processes(tables, output, &mut job, &wanted)?;
    let (tree, model, texts) = compile(model, output, &mut job, &processes, &name, &text)?;
    // What one process leaves out may matter to another, and to whatever else the model is made of.
    let others: String = texts.processes.iter().map(String::as_str).collect();
    for (process, own) in processes.iter_mut().zip(&texts.processes) {
        process.judged = process.extraction.judge(&job.program, &process.table, own, &texts.around, &others);
    }
    job.diagnostics = Diagnostics::new();
    Ok(Built { extracted: Extracted { job, processes }, tree, model })
}

/// The text of a model as its compiler sees it: files included, macros replaced, formulas of the
/// command line behind it.
struct Texts {
    /// Of each process.
    processes: Vec<String>,
    /// Of all the rest.
    around: String,
}

impl Texts {
    fn of(tokens: &[Token], job: &Job, processes: &[Process]) -> Texts {
        let mut texts = Texts { processes: vec![String::new(); processes.len()], around: String::new() };
        for token in tokens.iter().filter(|token| token.kind != TokenKind::End) {
            let file = job.sources.place(job.sources.outermost(token.loc())).file;
            let from = process_of(processes, &file);
            let index = from.and_then(|from| processes.iter().position(|one| std::ptr::eq(one, from)));
            let text = match index {
                Some(index) => &mut texts.processes[index],
                None => &mut texts.around,
            };
            text.push_str(&token.text);
            text.push(' ');
        }
        texts
    }
}

/// The table of a function: the one that is called after it, or the only one that is called after
/// no function.
fn table_of<'a>(tables: &'a TableArgs, job: &Job, function: &str) -> Result<&'a Path, Exit> {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    if let Some(path) = tables.table.iter().find(|path| stem(path).as_deref() == Some(function)) {
        return Ok(path);
    }
    let is_function = |name: &str| job.program.unit.function(name).is_some();
    let mut shared = tables.table.iter().filter(|path| !stem(path).is_some_and(|name| is_function(&name)));
    match (shared.next(), shared.next()) {
        (Some(path), None) => Ok(path),
        (None, _) => {
            complain(&format!(
                "the wrapper includes {function}.spn; give its table with --table {function}.lut"
            ));
            Err(Exit::Input)
        }
        (Some(one), Some(other)) => {
            let (one, other) = (one.display(), other.display());
            complain(&format!("'{one}' and '{other}' could both be the table of `{function}`"));
            Err(Exit::Input)
        }
    }
}

fn processes(
    tables: &TableArgs,
    output: &OutputArgs,
    job: &mut Job,
    wanted: &[(String, Form)],
) -> Result<Vec<Process>, Exit> {
    let mut groups: BTreeMap<&Path, Vec<&(String, Form)>> = BTreeMap::new();
    for one in wanted {
        groups.entry(table_of(tables, job, &one.0)?).or_default().push(one);
    }
    let mut processes = Vec::new();
    for (path, wanted) in groups {
        let Some(before) = job.table(path)? else {
            complain(&format!("there is no file '{}'", path.display()));
            return Err(Exit::Input);
        };
        let names: Vec<String> = wanted.iter().map(|(function, _)| function.clone()).collect();
        let shared = job.survey(&names, false);
        job.report(output)?;
        let name = path.to_string_lossy().into_owned();
        let Job { sources, diagnostics, program, .. } = &mut *job;
        let next = synchronise(program, &shared, Some(&before), &name, sources, diagnostics);
        job.say(&next.changes, &name);
        for (function, form) in wanted {
            let request = Request { function: function.clone(), form: *form };
            let Some(extraction) = job.extract(&request, &next.table, &shared) else { continue };
            processes.push(Process { extraction, table: next.table.clone(), judged: Vec::new() });
        }
        job.report(output)?;
    }
    Ok(processes)
}

fn compile(
    args: &ModelArgs,
    output: &OutputArgs,
    job: &mut Job,
    processes: &[Process],
    name: &str,
    text: &str,
) -> Result<(ast::Program, Model, Texts), Exit> {
    let main = job.sources.add(name, text);
    let mut options = Options::new(Dialect::Promela);
    options.include_dirs = args.include.clone();
    let defines = args.define.iter().map(|define| CommandLine::Define(define.clone()));
    let undefines = args.undefine.iter().map(|name| CommandLine::Undefine(name.clone()));
    options.command_line = defines.chain(undefines).collect();
    options.appended = crate::beside::items(args, &mut job.sources)?;
    let mut diagnostics = Diagnostics::new();
    let sources = &mut job.sources;
    let tokens = preprocess(main, &options, &WithProcesses(processes), sources, &mut diagnostics);
    let tree = axle_promela::parse(&tokens, sources, &mut diagnostics);
    let meaning = Meaning { lossy: args.lossy };
    let model = lower(&tree, sources, &meaning, &mut diagnostics);
    let blamed: Vec<Diagnostic> = diagnostics.iter().map(|one| blame(one, job, processes)).collect();
    job.diagnostics.extend(blamed);
    job.report(output)?;
    let Some(mut model) = model else {
        complain("the front end gave neither a model nor a reason");
        return Err(Exit::Internal);
    };
    model.semantics.lossy |= args.lossy;
    model.semantics.max_processes = args.max_processes;
    match axle_model::verify::verify(&model).first() {
        Some(broken) => {
            complain(&format!("the model is not well formed: {broken}"));
            Err(Exit::Internal)
        }
        None => Ok((tree, model, Texts::of(&tokens.tokens, job, processes))),
    }
}

/// A diagnostic about the text of a process also says which row that text comes from.
fn blame(one: &Diagnostic, job: &Job, processes: &[Process]) -> Diagnostic {
    let Some(place) = one.outer_place(&job.sources) else { return one.clone() };
    let Some(process) = process_of(processes, &place.file) else { return one.clone() };
    let Some(index) = use_at(process, place.start.line) else { return one.clone() };
    let of = &process.extraction.uses[index];
    let told = one.clone().also(of.loc, "for this statement");
    match of.found.reason {
        Reason::Row(line) => match process.table.row(line) {
            Some(row) => told.also(row.loc, "by this row"),
            None => told,
        },
        Reason::Object(_) | Reason::Default => told,
    }
}

/// The runs to all violations.
fn runs(model: &Arc<Model>, config: &Config, checked: &Checked) -> Result<Vec<Trace>, String> {
    let found =
        (checked.outcome.violations.iter().map(Found::Violation)).chain(checked.runs.iter().map(Found::Run));
    found.map(|found| found.replay(model, config)).collect()
}

/// An execution as statements of C, those included that leave nothing in the model.
fn in_c(run: &Trace, processes: &[Process], job: &Job) -> Vec<String> {
    let mut lines = vec!["the execution in C:".to_string()];
    for process::Executed { process, line, mover, step } in process::statements(run, processes) {
        let extraction = &process.extraction;
        // The process of a wrapper has a name of its own.
        let number = mover.process.strip_prefix(&*extraction.process).filter(|rest| rest.starts_with('('));
        let name = match number {
            Some(number) => format!("{}{number}", extraction.function),
            None => format!("{} in {}", extraction.function, mover.process),
        };
        for (index, executed) in extraction.executed(line) {
            let of = &extraction.uses[index];
            let place = job.sources.place(job.sources.outermost(of.loc));
            let (file, line, shown) = (&place.file, place.start.line, of.item.shown());
            let remark = match executed {
                Executed::Shown => "",
                Executed::Hidden => HIDDEN,
                Executed::Perhaps => ONE_WAY,
            };
            lines.push(format!("{step:5}  {name}  {file}:{line}  {shown}{remark}"));
        }
    }
    lines
}
