//! Models extracted from C through abstraction tables: `axle check x.c --table x.lut`, and the same
//! options of `replay`, `simulate`, `swarm` and `slice`. The model is made in memory.
//!
//! *Entry points:* [`check`], [`load`], [`load_promela`].
//! *Invariant:* verdicts are those of the program ([`axle_tabled::Origin`]).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_check::{CheckedModel, Config};
use axle_model::Model;
use axle_promela::{Meaning, ast};
use axle_source::{CommandLine, Dialect, FileId, Options};
use axle_step::Interrupt;
use axle_tabled::{Compiled, Extracted as Processes, NamedTable, Origin, Original, Refusal, RowLabels, Rows};

use crate::args::{ModelArgs, OutputArgs, TableArgs};
use crate::conclusion::InputCheck;
use crate::config::config;
use crate::exit::Exit;
use crate::extract::{Job, read, text_of};
use crate::files::Disk;
use crate::load;
use crate::load::Loaded;
use crate::model_report::{report_at_deadline, show_report};
use crate::refused::Refused;
use crate::results::InputResult;
use crate::session::Session;
use crate::watch::Watch;

/// What a model was extracted from.
pub struct Extracted {
    job: Job,
    /// The rows that the model was made by.
    pub rows: Arc<Rows>,
}

/// Reads a model: extracted through tables where they are given. `more`: further files of the C
/// program.
pub fn load(
    session: &Session,
    args: &ModelArgs,
    more: &[PathBuf],
    tables: &TableArgs,
    output: &OutputArgs,
) -> Result<(Arc<Model>, Option<Extracted>), Exit> {
    if !tables.are_given() {
        return load::load(session, args, output).map(|model| (model, None));
    }
    let Built { extracted, model, .. } = build(session, args, more, tables, output)?;
    Ok((Arc::new(model), Some(extracted)))
}

/// Reads a model as a tree and as a model: extracted through tables where they are given.
pub fn load_promela(
    session: &Session,
    args: &ModelArgs,
    more: &[PathBuf],
    tables: &TableArgs,
    output: &OutputArgs,
) -> Result<Loaded, Exit> {
    if !tables.are_given() {
        return load::load_promela(session, args, output);
    }
    let Built { extracted, tree, model } = build(session, args, more, tables, output)?;
    Ok(Loaded { tree, model, sources: extracted.job.sources })
}

/// Checks the model extracted from a program.
pub fn check(check: &InputCheck) -> Result<InputResult, Refused> {
    let InputCheck { session, args, .. } = check;
    let Built { extracted, model, .. } = build(session, &args.model, &args.more, &args.tables, &args.output)?;
    let model = Arc::new(model);
    let config = config(args, &model)?;
    report_at_deadline(check, &model, &config);
    let mut watch = Watch::start(session, args.time, args.output.quiet).of_abstraction();
    let mut checked = axle_check::check(&model, &config, &mut watch);
    let interrupt = watch.interrupt_after();
    checked.report.search.seconds = watch.stop().as_secs_f64();
    checked.report.model = args.model.model.to_string_lossy().into_owned();
    let labels = extracted.qualify(&model, &config, &mut checked, &interrupt)?;
    session.deadline.reporting(Exit::of(&checked.report));
    let traces = show_report(session, args, &model, &config, &checked, &labels.text())?;
    checked.report.warnings.extend(labels.warnings);
    Ok(InputResult::new(session, checked.report, traces))
}

impl Extracted {
    /// Turns the answers for the model into those for the program.
    pub fn qualify(
        &self,
        model: &Arc<Model>,
        config: &Config,
        checked: &mut CheckedModel,
        interrupt: &Interrupt,
    ) -> Result<RowLabels, String> {
        let original = match checked.report.violations.is_empty() {
            true => Original::unusable("there is no violation"),
            false => Original::compile(&self.job.source, &[], &Disk, &self.job.sources),
        };
        let origin = Origin { rows: Arc::clone(&self.rows), original: Arc::new(original) };
        origin.qualify(model, config, checked, interrupt).map(|qualified| qualified.labels)
    }
}

/// An extracted model, and what it was made of.
struct Built {
    extracted: Extracted,
    tree: ast::Program,
    model: Model,
}

fn build(
    session: &Session,
    model: &ModelArgs,
    more: &[PathBuf],
    tables: &TableArgs,
    output: &OutputArgs,
) -> Result<Built, Exit> {
    let paths: Vec<&Path> = std::iter::once(&model.model).chain(more).map(AsRef::as_ref).collect();
    let mut job = read(session, &paths, &model.define, &model.undefine, &model.include)?;
    job.report(session, output)?;
    let wrapper = match &tables.wrapper {
        Some(path) => Some(job.sources.add(&path.to_string_lossy(), &text_of(session, path)?)),
        None => None,
    };
    let named = read_tables(session, tables, output, &mut job)?;
    let appended = crate::beside::items(session, model, &mut job.sources)?;
    let Job { source, sources, diagnostics } = &mut job;
    let processes = Processes::new(source, &named, wrapper, &appended, None, (sources, diagnostics));
    job.report(session, output)?;
    let processes = processes.map_err(|refusal| {
        session.messages.complain(&sentence(&refusal, tables));
        Exit::Input
    })?;
    let Compiled { tree, model, rows } = compile(session, model, output, &mut job, &processes, appended)?;
    Ok(Built { extracted: Extracted { job, rows }, tree, model })
}

/// Why there is no model.
fn sentence(refusal: &Refusal, tables: &TableArgs) -> String {
    match refusal {
        Refusal::Invalid => "the front end gave neither a model nor a reason".to_string(),
        Refusal::NoProcess => {
            let name = tables.wrapper.as_deref().unwrap_or(Path::new("")).display();
            format!("'{name}' includes no FUNCTION.spn, so there is nothing to extract")
        }
        Refusal::NoFunction => {
            "no table is named after a function, and there is no `main`: say with --wrapper which processes there are"
                .to_string()
        }
        Refusal::NoTable(function) => {
            format!("the model has a process {function}; give its table with --table {function}.lut")
        }
        Refusal::NoRows { table, reason } => format!("no rows of '{table}' can be derived: {reason}"),
        Refusal::Ambiguous { function, tables: [one, other] } => {
            format!("'{one}' and '{other}' could both be the table of `{function}`")
        }
    }
}

/// The tables.
fn read_tables(
    session: &Session,
    tables: &TableArgs,
    output: &OutputArgs,
    job: &mut Job,
) -> Result<Vec<NamedTable>, Exit> {
    let mut named = Vec::new();
    for path in &tables.table {
        let Some(table) = job.table(session, path)? else {
            session.messages.complain(&format!("there is no file '{}'", path.display()));
            return Err(Exit::Input);
        };
        named.push(NamedTable { path: path.to_string_lossy().into_owned(), table });
    }
    job.report(session, output)?;
    Ok(named)
}

fn compile(
    session: &Session,
    args: &ModelArgs,
    output: &OutputArgs,
    job: &mut Job,
    processes: &Processes,
    appended: Vec<FileId>,
) -> Result<Compiled, Exit> {
    let mut options = Options::new(Dialect::Promela);
    options.include_dirs = args.include.clone();
    let defines = args.define.iter().map(|define| CommandLine::Define(define.clone()));
    let undefines = args.undefine.iter().map(|name| CommandLine::Undefine(name.clone()));
    options.command_line = defines.chain(undefines).collect();
    options.appended = appended;
    let meaning = Meaning { lossy: args.lossy };
    let compiled = processes.compile(&options, &meaning, &Disk, &mut job.sources, &mut job.diagnostics);
    job.report(session, output)?;
    let Some(mut compiled) = compiled else {
        session.messages.complain("the front end gave neither a model nor a reason");
        return Err(Exit::Internal);
    };
    compiled.model.semantics.lossy |= args.lossy;
    compiled.model.semantics.max_processes = args.max_processes;
    match axle_model::verify::verify(&compiled.model).first() {
        Some(broken) => {
            session.messages.complain(&format!("the model is not well formed: {broken}"));
            Err(Exit::Internal)
        }
        None => Ok(compiled),
    }
}
