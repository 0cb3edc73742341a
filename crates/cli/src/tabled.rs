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

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_check::{CheckedModel, Config};
use axle_evidence::trace::Trace;
use axle_extract::lookup::Reason;
use axle_extract::{Executed, Extraction, Form, Request, Table, declarations, synchronise, wrapper};
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
    /// Whether a wrapper was given.
    is_wrapped: bool,
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
        checked: &mut CheckedModel,
    ) -> Result<RowLabels, String> {
        let runs = runs(model, config, checked)?;
        let confirmed: Vec<Confirmed> = (runs.iter().zip(&checked.report.violations))
            .map(|(run, told)| confirm::confirm(run, told, &self.processes, self.is_wrapped, &mut self.job))
            .collect();
        let labels = weaken(model, checked, &runs, &confirmed, &self.processes, config.fairness);
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
    let given = match &tables.wrapper {
        Some(path) => Some((path.to_string_lossy().into_owned(), text_of(path)?)),
        None => None,
    };
    let read = read_tables(tables, output, &mut job)?;
    let wanted = match &given {
        Some((_, text)) => wrapper::wanted(text),
        None => wrapper::unwrapped(&job.program, &read),
    };
    if wanted.is_empty() {
        match &given {
            Some((name, _)) => {
                complain(&format!("'{name}' includes no FUNCTION.spn, so there is nothing to extract"));
            }
            None => complain(
                "no table is named after a function, and there is no `main`: say with --wrapper which processes there are",
            ),
        }
        return Err(Exit::Input);
    }
    let table = |function: &str| table_of(&read, &job, function).ok().map(|index| &read[index].1);
    let wanted = wrapper::with_threads(&job.program, wanted, table, given.is_none());
    let mut processes = processes(&read, tables, output, &mut job, &wanted)?;
    let around = match given {
        Some((name, text)) => Around { name, text, is_given: true },
        None => {
            let text = declared(model, &processes, &mut job);
            job.report(output)?;
            Around { name: "<wrapper>".into(), text, is_given: false }
        }
    };
    let (tree, model, texts) = compile(model, output, &mut job, &processes, &around)?;
    // What one process leaves out may matter to another, and to whatever else the model is made of.
    let others: String = texts.processes.iter().map(String::as_str).collect();
    for (process, own) in processes.iter_mut().zip(&texts.processes) {
        process.judged = process.extraction.judge(&job.program, &process.table, own, &texts.around, &others);
    }
    job.diagnostics = Diagnostics::new();
    let is_wrapped = around.is_given;
    Ok(Built { extracted: Extracted { job, processes, is_wrapped }, tree, model })
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

/// The text that surrounds the processes.
struct Around {
    name: String,
    text: String,
    /// Whether the user wrote it.
    is_given: bool,
}

/// The tables, each behind the name of its file without the extension.
fn read_tables(tables: &TableArgs, output: &OutputArgs, job: &mut Job) -> Result<Vec<(String, Table)>, Exit> {
    let mut read = Vec::new();
    for path in &tables.table {
        let Some(table) = job.table(path)? else {
            complain(&format!("there is no file '{}'", path.display()));
            return Err(Exit::Input);
        };
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        read.push((stem, table));
    }
    job.report(output)?;
    Ok(read)
}

/// The table of a function, as an index: the one that is called after it, or the only one that is
/// called after no function. Otherwise the reason why there is none.
fn table_of(tables: &[(String, Table)], job: &Job, function: &str) -> Result<usize, String> {
    if let Some(index) = tables.iter().position(|(stem, _)| stem == function) {
        return Ok(index);
    }
    let is_function = |name: &str| job.program.unit.function(name).is_some();
    let mut shared = tables.iter().enumerate().filter(|(_, (stem, _))| !is_function(stem));
    match (shared.next(), shared.next()) {
        (Some((index, _)), None) => Ok(index),
        (None, _) => {
            Err(format!("the model has a process {function}; give its table with --table {function}.lut"))
        }
        (Some((_, (_, one))), Some((_, (_, other)))) => {
            Err(format!("'{}' and '{}' could both be the table of `{function}`", one.name, other.name))
        }
    }
}

fn processes(
    read: &[(String, Table)],
    tables: &TableArgs,
    output: &OutputArgs,
    job: &mut Job,
    wanted: &[(String, Form)],
) -> Result<Vec<Process>, Exit> {
    let mut groups: BTreeMap<usize, Vec<&(String, Form)>> = BTreeMap::new();
    for one in wanted {
        let index = table_of(read, job, &one.0).map_err(|reason| {
            complain(&reason);
            Exit::Input
        })?;
        groups.entry(index).or_default().push(one);
    }
    let mut processes = Vec::new();
    for (index, wanted) in groups {
        let names: Vec<String> = wanted.iter().map(|(function, _)| function.clone()).collect();
        let shared = job.survey(&names, false);
        job.report(output)?;
        let name = tables.table[index].to_string_lossy().into_owned();
        let Job { sources, diagnostics, program, .. } = &mut *job;
        let next = synchronise(program, &shared, Some(&read[index].1), &name, sources, diagnostics);
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

/// The wrapper of a model that was given none.
fn declared(args: &ModelArgs, processes: &[Process], job: &mut Job) -> String {
    let tables: Vec<&Table> = processes.iter().map(|process| &process.table).collect();
    let extractions: Vec<&Extraction> = processes.iter().map(|process| &process.extraction).collect();
    let properties = args.ltl.join("\n");
    declarations::wrapper(&job.program, &tables, &extractions, &properties, &mut job.diagnostics)
}

fn compile(
    args: &ModelArgs,
    output: &OutputArgs,
    job: &mut Job,
    processes: &[Process],
    around: &Around,
) -> Result<(ast::Program, Model, Texts), Exit> {
    let main = job.sources.add(&around.name, &around.text);
    let mut options = Options::new(Dialect::Promela);
    options.include_dirs = args.include.clone();
    let defines = args.define.iter().map(|define| CommandLine::Define(define.clone()));
    let undefines = args.undefine.iter().map(|name| CommandLine::Undefine(name.clone()));
    options.command_line = defines.chain(undefines).collect();
    options.appended = crate::beside::items(args, &mut job.sources)?;
    let mut diagnostics = Diagnostics::new();
    let sources = &mut job.sources;
    let mut loader = WithProcesses::new(processes);
    if around.is_given {
        // What the wrapper says by itself decides what it needs to be given.
        let own = preprocess(main, &options, &loader.without_text(), sources, &mut Diagnostics::new());
        let text: String = own.tokens.iter().map(|token| format!("{} ", token.text)).collect();
        loader.add_declarations(&job.program, &text);
    }
    let tokens = preprocess(main, &options, &loader, sources, &mut diagnostics);
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
        Reason::Object(_) | Reason::Included(..) | Reason::Default => told,
    }
}

/// The runs to all violations.
fn runs(model: &Arc<Model>, config: &Config, checked: &CheckedModel) -> Result<Vec<Trace>, String> {
    let found = (checked.found.outcome.violations.iter().map(Found::Violation))
        .chain(checked.found.runs.iter().map(Found::Run));
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
