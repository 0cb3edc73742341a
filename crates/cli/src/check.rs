//! `axle check`: checks each input, prints the reports, and writes the result files.
//!
//! *Entry points:* [`run`]; [`show_results`] for `axle swarm`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use axle_check::plan::Attempt;
use axle_check::{Approximate, Auto, Check, Checked, Config, Pass, RunViolation, claims, undecided};
use axle_evidence::replay::replay_violation;
use axle_evidence::trace::Trace;
use axle_model::Model;
use axle_search::{Algorithm, Fairness, Limits, Reduction, Violation};

use crate::args::{
    CheckArgs, ModelArgs, OutputArgs, PassChoice, ReductionChoice, SearchChoice, TableArgs, TraceMode,
};
use crate::exit::Exit;
use crate::load::load;
use crate::machine::{cores, spare_memory};
use crate::output::{complain, print, remark, take_errors, take_warnings, wrapped};
use crate::results::InputResult;
use crate::vocabulary::VOCABULARY;
use crate::watch::Watch;
use crate::{
    bundle, certificate, checkpoint, deadline, explain_plan, files, inputs, program, refine, results, show,
    tabled, trail,
};

/// Why an input is not checked: the message, or the exit code after messages on standard error.
pub enum Refused {
    Message(String),
    Reported(Exit),
}

impl From<String> for Refused {
    fn from(message: String) -> Refused {
        Refused::Message(message)
    }
}

impl From<Exit> for Refused {
    fn from(exit: Exit) -> Refused {
        Refused::Reported(exit)
    }
}

/// The options of the command, and the results so far, for a report at the deadline.
static ARGS: OnceLock<&'static CheckArgs> = OnceLock::new();
static DONE: Mutex<Vec<InputResult>> = Mutex::new(Vec::new());

fn done() -> MutexGuard<'static, Vec<InputResult>> {
    DONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Runs the command.
pub fn run(args: &'static CheckArgs) -> Result<Exit, String> {
    let inputs: &'static [CheckArgs] = Vec::leak(inputs::split(args)?);
    if args.explain_plan {
        return explain_plans(inputs);
    }
    // A process executes one command, so this is the first time.
    let _ = ARGS.set(args);
    check_outputs(args)?;
    if let Some(file) = &args.trail {
        trail::refuse_others(file)?;
    }
    remove_stale(args)?;
    for input in inputs {
        if !done().is_empty() && args.prints_text() {
            print("\n")?;
        }
        deadline::arm(args.time, &input.model.model);
        let result = check_input(input);
        let interrupted = result.exit == Exit::Interrupted;
        done().push(result);
        if interrupted {
            break;
        }
    }
    conclude(args, &done())
}

/// Prints the plan of each input.
fn explain_plans(inputs: &[CheckArgs]) -> Result<Exit, String> {
    for args in inputs {
        let plan = match program::is_program(&args.model.model) && !args.tables.are_given() {
            true => program::plan(args),
            false => plan_of_model(args),
        };
        match plan {
            Ok(plan) => print(&explain_plan::text(&args.model.model.to_string_lossy(), &plan))?,
            Err(Refused::Message(message)) => return Err(message),
            Err(Refused::Reported(exit)) => return Ok(exit),
        }
    }
    Ok(Exit::Holds)
}

fn plan_of_model(args: &CheckArgs) -> Result<Vec<Attempt>, Refused> {
    let (model, _) = tabled::load(&args.model, &args.tables, &args.output)?;
    Ok(axle_check::plan::of_model(&model, &config(args, &model)?))
}

/// Prints and writes what is about all inputs together.
fn conclude(args: &CheckArgs, results: &[InputResult]) -> Result<Exit, String> {
    if args.prints_json() {
        results::print_json(results, args.trace)?;
    } else if args.summary {
        print(&wrapped(&inputs::summary(results)))?;
    } else if results.len() > 1 {
        print(&format!("\n{}", wrapped(&inputs::summary(results))))?;
    }
    results::write_files(args, results)?;
    Ok(Exit::worst(results.iter().map(|result| result.exit)))
}

/// Checks one input: a model, a C program, or the model extracted from a C program.
fn check_input(args: &'static CheckArgs) -> InputResult {
    // Diagnostics of the inputs before this one are not diagnostics of this one.
    take_errors();
    take_warnings();
    let files = std::iter::once(&args.model.model).chain(&args.more);
    let name = files.map(|file| file.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let result = if args.tables.are_given() {
        only_of_models(args).and_then(|()| tabled::check(args))
    } else if program::is_program(&args.model.model) {
        only_of_models(args).and_then(|()| program::check(args))
    } else {
        check_model(args)
    };
    result.unwrap_or_else(|refused| {
        let exit = match refused {
            Refused::Message(message) => {
                complain(&message);
                Exit::Input
            }
            Refused::Reported(exit) => exit,
        };
        InputResult::refused(&name, exit)
    })
}

fn only_of_models(args: &CheckArgs) -> Result<(), Refused> {
    certificate::only_of_models(args)?;
    checkpoint::only_of_models(args)?;
    Ok(())
}

fn check_model(args: &'static CheckArgs) -> Result<InputResult, Refused> {
    let model = load(&args.model, &args.output)?;
    let config = config(args, &model)?;
    report_at_deadline(args, &model, &config);
    let mut watch = Watch::start(args.time, args.output.quiet);
    let (mut checked, certificate) = match &args.certificate {
        Some(file) => certificate::check(args, &model, &config, file, &mut watch)?,
        None if checkpoint::wanted(args)? => (checkpoint::check(args, &model, &config, &mut watch)?, None),
        None if args.refine => (refine::check(&model, &config, &mut watch), None),
        None => (refine::check_exactly(&model, &config, &mut watch), None),
    };
    checked.report.search.seconds = watch.stop().as_secs_f64();
    checked.report.hints.extend(checkpoint::hint(args, &config, &checked.report));
    deadline::reporting(Exit::of(&checked.report));
    bundle_faults(&args.model, &model, &checked);
    let traces = show_report(args, &model, &config, &checked, "")?;
    if let Some(remarks) = certificate.filter(|_| !args.output.quiet) {
        remark(&remarks);
    }
    Ok(InputResult::new(checked.report, traces))
}

impl CheckArgs {
    /// Whether the report is printed as JSON.
    pub fn prints_json(&self) -> bool {
        self.json || self.trace == Some(TraceMode::Json)
    }

    /// Whether the report is printed as text.
    pub fn prints_text(&self) -> bool {
        !self.prints_json() && !self.summary
    }
}

/// Registers the report of a check that has no result at its deadline.
pub fn report_at_deadline(args: &'static CheckArgs, model: &Arc<Model>, config: &Config) {
    let (model, config) = (Arc::clone(model), config.clone());
    deadline::report_with(move |stop, seen| {
        let mut checked = undecided(&model, &config, stop, seen);
        checked.report.search.seconds = deadline::elapsed().as_secs_f64();
        checked.report.hints.extend(checkpoint::hint(args, &config, &checked.report));
        let shown = show_report(args, &model, &config, &checked, "");
        at_deadline(shown.map(|traces| InputResult::new(checked.report, traces)))
    });
}

/// Concludes the command with the result of the input at whose deadline it ends.
pub fn at_deadline(result: Result<InputResult, String>) -> Exit {
    let Some(args) = ARGS.get() else { return Exit::Unknown };
    let concluded = result.and_then(|result| {
        let mut done = done();
        done.push(result);
        conclude(args, &done)
    });
    concluded.unwrap_or_else(|fault| {
        complain(&fault);
        Exit::Input
    })
}

/// Refuses result files that cannot be written, before the search rather than after it.
fn check_outputs(args: &CheckArgs) -> Result<(), String> {
    let outputs = [
        ("--trail", args.trail.as_ref()),
        ("--chart", args.chart.as_ref()),
        ("--sarif", args.sarif.as_ref()),
        ("--junit", args.junit.as_ref()),
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

/// Removes the results of an earlier run from the files that this one may write.
fn remove_stale(args: &CheckArgs) -> Result<(), String> {
    let numbered = [(&args.trail, TRAIL_MARK), (&args.chart, "<svg"), (&args.witness, "name: \"Axle\"")];
    for (file, mark) in numbered {
        file.as_ref().map_or(Ok(()), |file| remove_numbered(file, mark))?;
    }
    let single = [
        (&args.sarif, "sarif-2.1.0"),
        (&args.junit, "<testsuites name=\"axle\""),
        (&args.html, " - Axle</title>"),
        (&args.certificate, "axle certificate "),
    ];
    for (file, mark) in single {
        file.as_ref().map_or(Ok(()), |file| files::remove_result(file, mark))?;
    }
    Ok(())
}

/// By which a trail is recognised.
const TRAIL_MARK: &str = "\"axle-trail\"";

/// Removes the trails of an earlier run from the files that this one may write.
pub fn remove_stale_trails(file: &Path) -> Result<(), String> {
    remove_numbered(file, TRAIL_MARK)
}

/// Removes the results with this mark from a file and the numbered files beside it.
fn remove_numbered(file: &Path, mark: &str) -> Result<(), String> {
    files::remove_result(file, mark)?;
    let others = (1..).map(|index| trail::numbered(file, index));
    others.take_while(|other| other.is_file()).try_for_each(|other| files::remove_result(&other, mark))
}

/// Reports an internal error, and writes a file for its analysis.
pub fn bundle_faults(args: &ModelArgs, model: &Arc<Model>, checked: &Checked) {
    if let Some(fault) = &checked.report.internal {
        complain(&format!("internal error, no verdict is reliable: {fault}"));
        let bundle = bundle::Bundle::new(model, args, fault, checked.refused.as_ref());
        match bundle.write() {
            Ok(path) => complain(&format!("please report it with the file {}", path.display())),
            Err(fault) => complain(&format!("please report it with the model; {fault}")),
        }
    }
}

/// How a report is shown.
pub struct Results<'a> {
    pub model: &'a ModelArgs,
    pub tables: &'a TableArgs,
    pub output: &'a OutputArgs,
    pub trace: Option<TraceMode>,
    /// Whether the report is printed as text.
    pub text: bool,
    /// Text before the verdict at the end.
    pub more: &'a str,
    /// Whether the caller needs the traces.
    pub traces: bool,
    pub trail: Option<&'a Path>,
    pub chart: Option<&'a Path>,
}

/// Shows the report of `axle check` with `more` text at its end, writes trails and charts, and
/// returns the traces if a form of the report has them.
pub fn show_report(
    args: &CheckArgs,
    model: &Arc<Model>,
    config: &Config,
    checked: &Checked,
    more: &str,
) -> Result<Vec<Trace>, String> {
    let results = Results {
        model: &args.model,
        tables: &args.tables,
        output: &args.output,
        trace: args.trace,
        text: args.prints_text(),
        more,
        traces: results::needs_traces(args),
        trail: args.trail.as_deref(),
        chart: args.chart.as_deref(),
    };
    show_results(&results, model, config, checked)
}

/// Shows a report, writes trails and charts, and returns the traces if the caller needs them.
pub fn show_results(
    args: &Results,
    model: &Arc<Model>,
    config: &Config,
    checked: &Checked,
) -> Result<Vec<Trace>, String> {
    let report = &checked.report;
    // The confirmed violations, in the order of the report.
    let found: Vec<Found> = (checked.outcome.violations.iter().map(Found::Violation))
        .chain(checked.runs.iter().map(Found::Run))
        .collect();
    let replayed = |found: &Found| found.replay(model, config);
    if args.text {
        let trace = |index: usize| found.get(index).map(replayed).transpose();
        show::report(report, args.output, args.trace, &trace, args.more)?;
    }
    if let Some(file) = args.trail {
        for path in trail::write_all(file, model, args.model, args.tables, config.fairness, &found)? {
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
    if args.traces { found.iter().map(replayed).collect() } else { Ok(Vec::new()) }
}

/// A confirmed violation.
#[derive(Clone, Copy)]
pub enum Found<'a> {
    /// A violation in a step or state.
    Violation(&'a Violation),
    /// A counterexample to a property.
    Run(&'a RunViolation),
}

impl Found<'_> {
    /// The execution to it, reproduced by the interpreter.
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
        vocabulary: &VOCABULARY,
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

/// Bytes of an array of bits where the user set no limit on memory: to touch all that a machine has
/// takes long.
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
