//! `axle check`: searches, reports, and writes the files that were asked for.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use axle_check::{Approximate, Auto, Check, Checked, Config, Pass, Report, RunViolation, check, claims};
use axle_evidence::replay::replay_violation;
use axle_evidence::report::to_sarif;
use axle_evidence::trace::Trace;
use axle_model::Model;
use axle_search::{Algorithm, Fairness, Limits, Reduction, Violation};

use crate::args::{CheckArgs, ModelArgs, OutputArgs, PassChoice, ReductionChoice, SearchChoice, TraceMode};
use crate::exit::Exit;
use crate::load::load;
use crate::machine::{cores, spare_memory};
use crate::output::{complain, print, remark};
use crate::watch::Watch;
use crate::{bundle, certificate, checkpoint, files, html, program, refine, show, summary, tabled, trail};

/// Steps of a run that is made and shown, at least in part, without being asked for: beyond, that takes long.
pub const LONGEST: u64 = 10_000;

/// The JSON form of a report, with the runs to its violations where they are wanted.
#[derive(serde::Serialize)]
pub struct WithTraces<'a> {
    #[serde(flatten)]
    pub report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traces: Option<Vec<Trace>>,
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Exit, String> {
    check_outputs(args)?;
    if let Some(file) = &args.trail {
        trail::refuse_others(file)?;
    }
    if !args.table.is_empty() {
        certificate::only_of_models(args)?;
        checkpoint::only_of_models(args)?;
        return tabled::check(args);
    }
    if program::is_program(&args.model.model) {
        certificate::only_of_models(args)?;
        checkpoint::only_of_models(args)?;
        return program::check(args);
    }
    if let Some(more) = args.more.first() {
        return Err(format!("'{}': only C programs have several files", more.display()));
    }
    let model = match load(&args.model, &args.output) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    let config = config(args, &model)?;
    let mut watch = Watch::start(args.time, args.output.quiet);
    let (mut checked, certificate) = match &args.certificate {
        Some(file) => certificate::check(args, &model, &config, file, &mut watch)?,
        None if checkpoint::wanted(args)? => (checkpoint::check(args, &model, &config, &mut watch)?, None),
        None if args.refine => (refine::check(&model, &config, &mut watch), None),
        None => (check(&model, &config, &mut watch), None),
    };
    checked.report.search.seconds = watch.stop().as_secs_f64();
    bundle_faults(&args.model, &model, &checked);
    show_report(args, &model, &config, &checked)?;
    if let Some(remarks) = certificate.filter(|_| !args.output.quiet) {
        remark(&remarks);
    }
    Ok(Exit::of(&checked.report))
}

/// Refuses result files that cannot be written, before the search rather than after it.
fn check_outputs(args: &CheckArgs) -> Result<(), String> {
    let outputs = [
        ("--trail", args.trail.as_ref()),
        ("--chart", args.chart.as_ref()),
        ("--sarif", args.sarif.as_ref()),
        ("--html", args.html.as_ref()),
        ("--witness", args.witness.as_ref()),
        ("--certificate", args.certificate.as_ref()),
        ("--checkpoint", args.checkpoint.as_ref()),
    ];
    let inputs: Vec<&Path> =
        std::iter::once(&args.model.model).chain(&args.more).map(AsRef::as_ref).collect();
    files::check_outputs(&outputs, &inputs)?;
    if args.witness.is_some() && !program::is_program(&args.model.model) {
        return Err("--witness is for C programs; --trail writes the counterexample of a model".to_string());
    }
    Ok(())
}

/// Says that Axle is at fault, where it is, and writes what is needed to find out why.
pub fn bundle_faults(args: &ModelArgs, model: &Arc<Model>, checked: &Checked) {
    if let Some(fault) = &checked.report.internal {
        complain(&format!("this is a fault of Axle, and no verdict can be trusted: {fault}"));
        let bundle = bundle::Bundle::new(model, args, fault, checked.refused.as_ref());
        match bundle.write() {
            Ok(path) => complain(&format!("please report it with the file {}", path.display())),
            Err(fault) => complain(&format!("please report it with the model; {fault}")),
        }
    }
}

/// What is to be shown of a report, and how.
pub struct Results<'a> {
    pub model: &'a ModelArgs,
    pub output: &'a OutputArgs,
    pub trace: Option<TraceMode>,
    pub json: bool,
    pub trail: Option<&'a Path>,
    pub chart: Option<&'a Path>,
    pub sarif: Option<&'a Path>,
    pub html: Option<&'a Path>,
}

pub fn show_report(
    args: &CheckArgs,
    model: &Arc<Model>,
    config: &Config,
    checked: &Checked,
) -> Result<(), String> {
    let results = Results {
        model: &args.model,
        output: &args.output,
        trace: args.trace,
        json: args.json,
        trail: args.trail.as_deref(),
        chart: args.chart.as_deref(),
        sarif: args.sarif.as_deref(),
        html: args.html.as_deref(),
    };
    show_results(&results, model, config, checked)
}

/// Shows a report, and writes the files that were asked for.
pub fn show_results(
    args: &Results,
    model: &Arc<Model>,
    config: &Config,
    checked: &Checked,
) -> Result<(), String> {
    let report = &checked.report;
    // Only what was confirmed is there, in the order of the report.
    let found: Vec<Found> = (checked.outcome.violations.iter().map(Found::Violation))
        .chain(checked.runs.iter().map(Found::Run))
        .collect();
    let replayed = |found: &Found| found.replay(model, config);
    if args.json || args.trace == Some(TraceMode::Json) {
        let wanted = args.trace.is_some_and(|mode| mode != TraceMode::None);
        let traces = wanted.then(|| found.iter().map(replayed).collect()).transpose()?;
        let json = serde_json::to_string_pretty(&WithTraces { report, traces });
        print(&format!("{}\n", json.map_err(|fault| fault.to_string())?))?;
    } else {
        print(&summary::verdict(report, args.output.color_out()))?;
        let mode = args.trace.unwrap_or(TraceMode::Full);
        for (found, told) in found.iter().zip(&report.violations) {
            print(&format!("\n{}", summary::violation(told)))?;
            if args.trace.is_none() && told.depth > LONGEST {
                print("\nthe run is too long to be shown unasked; --trace full shows it\n")?;
            } else if mode != TraceMode::None {
                // How the run ends has just been told.
                let trace = Trace { ending: Vec::new(), ..replayed(found)? };
                print("\n")?;
                show::trace(&trace, mode, args.trace.is_some())?;
            }
        }
        print(&summary::coverage(report))?;
    }
    if let Some(file) = args.trail {
        for path in trail::write_all(file, model, args.model, config.fairness, &found)? {
            if !args.output.quiet {
                remark(&format!("axle: wrote {}\n", path.display()));
            }
        }
    }
    if let Some(file) = args.chart {
        for (index, found) in found.iter().enumerate() {
            show::chart(&replayed(found)?, &trail::numbered(file, index))?;
        }
    }
    if let Some(file) = args.sarif {
        let traces: Vec<Trace> = found.iter().map(replayed).collect::<Result<_, _>>()?;
        files::write(file, &to_sarif(report, &traces).map_err(|fault| fault.to_string())?)?;
    }
    if let Some(file) = args.html {
        let traces: Vec<Trace> = found.iter().map(replayed).collect::<Result<_, _>>()?;
        html::write(file, report, &traces)?;
    }
    Ok(())
}

/// Something that went wrong, and can be shown.
#[derive(Clone, Copy)]
pub enum Found<'a> {
    /// A fault in a step or state.
    Violation(&'a Violation),
    /// A run that breaks a property.
    Run(&'a RunViolation),
}

impl Found<'_> {
    /// The run to it, made again by the interpreter.
    pub fn replay(&self, model: &Arc<Model>, config: &Config) -> Result<Trace, String> {
        let options = config.step_options();
        let trace = match self {
            Found::Violation(violation) => {
                replay_violation(model, violation, &options).map_err(|fault| fault.to_string())
            }
            Found::Run(run) => axle_check::replay(model, run, config.fairness, &options),
        };
        trace.map_err(|fault| format!("a violation cannot be shown: {fault}"))
    }
}

/// What the options ask for.
pub fn config(args: &CheckArgs, model: &Model) -> Result<Config, String> {
    let mut checks: BTreeSet<Check> = Check::ALL.into_iter().filter(|check| check.by_default()).collect();
    let mut only = None;
    if !args.only.is_empty() {
        (checks, only) = chosen(&args.only, model)?;
    }
    for name in &args.enable {
        checks.insert(of_models(name)?);
    }
    for name in &args.disable {
        checks.remove(&of_models(name)?);
    }
    let (reduction, passes, auto) = left_out(args);
    let mut config = Config {
        checks,
        only,
        fairness: args.fairness,
        shortest: args.shortest,
        vacuity: args.vacuity,
        reduction,
        passes,
        auto,
        // A search that was selected is not supplemented.
        attempts: args.search.is_empty() && !args.shortest,
        store: args.store,
        engine: args.engine,
        spoil_paths: args.spoil_paths,
        approximate: approximate(args),
        limits: Limits {
            memory: Some(args.memory.unwrap_or_else(spare_memory)),
            depth: args.depth,
            states: args.states,
            errors: args.max_violations.0,
        },
        threads: args.threads.map_or_else(cores, usize::from),
        ..Config::default()
    };
    for choice in &args.search {
        match *choice {
            SearchChoice::Faults(order) => config.order = order,
            SearchChoice::Runs(algorithm) => config.algorithm = algorithm,
        }
    }
    if !config.store.is_exact() && config.fairness != Fairness::None {
        return Err("fairness needs an exact store; omit --fairness or the lossy --store".to_string());
    }
    if config.algorithm == Algorithm::NestedDfs && config.fairness != Fairness::None {
        return Err("nested depth-first search knows no fairness; leave out --search nested".to_string());
    }
    Ok(config)
}

/// What is left out, and what of that only where Axle finds it worth it.
fn left_out(args: &CheckArgs) -> (Reduction, BTreeSet<Pass>, Auto) {
    match args.por {
        ReductionChoice::Auto if args.passes == [PassChoice::Auto] => {
            (Reduction::Stubborn, Pass::ALL.into(), Auto::All)
        }
        ReductionChoice::Auto => (Reduction::Stubborn, passes(&args.passes), Auto::Reduction),
        ReductionChoice::This(reduction) => (reduction, passes(&args.passes), Auto::Nothing),
    }
}

/// The passes that are asked for.
fn passes(choices: &[PassChoice]) -> BTreeSet<Pass> {
    let chosen = choices.iter().flat_map(|choice| match choice {
        PassChoice::Auto | PassChoice::None => Vec::new(),
        PassChoice::All => Pass::ALL.to_vec(),
        PassChoice::One(pass) => vec![*pass],
    });
    chosen.collect()
}

/// Bytes of an array of bits where the user set no limit on memory: to touch all that a machine has takes long.
const ARRAY: u64 = 64 << 20;

/// What the options say to stores and searches that may miss states.
pub fn approximate(args: &CheckArgs) -> Approximate {
    Approximate {
        bytes: args.memory.is_none().then_some(ARRAY),
        functions: args.hash_functions,
        expected: args.expected_states,
        runs: args.hash_seeds,
        seed: args.seed,
        walks: args.walks,
        ..Approximate::default()
    }
}

/// The check of models with this name.
fn of_models(name: &str) -> Result<Check, String> {
    Check::named(name).ok_or_else(|| format!("'{name}' is checked of C programs only"))
}

/// What is to be checked, and of the model's properties which; none are all of them.
type Chosen = (BTreeSet<Check>, Option<BTreeSet<String>>);

/// The checks and properties with these names.
fn chosen(names: &[String], model: &Model) -> Result<Chosen, String> {
    let all = claims::stated(model);
    let stated: Vec<&String> = all.iter().map(|one| &one.name).collect();
    let (mut checks, mut only) = (BTreeSet::new(), BTreeSet::new());
    for name in names {
        if stated.contains(&name) {
            checks.insert(Check::Properties);
            only.insert(name.clone());
        } else if let Some(check) = Check::named(name) {
            checks.insert(check);
            if check == Check::Properties {
                only.extend(all.iter().filter(|one| one.by_default).map(|one| one.name.clone()));
            }
        } else {
            let known = stated.iter().map(|name| name.as_str()).chain(Check::ALL.map(Check::name));
            let near = axle_source::nearest(name, known);
            let near = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
            return Err(format!("'{name}' is neither a check nor a property of this model{near}"));
        }
    }
    Ok((checks, Some(only)))
}
