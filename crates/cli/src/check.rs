//! `axle check`: checks each input, prints the reports, and writes the result files.
//!
//! *Entry point:* [`run`].

use std::path::Path;
use std::sync::Arc;

use axle_check::System;
use axle_check::config::Arithmetic;
use axle_check::plan::{Attempt, EngineId};
use axle_refinement::searches::ModelSearches;

use crate::args::{CheckArgs, EngineChoice};
use crate::bundle::bundle_faults;
use crate::conclusion::{Conclusion, InputCheck};
use crate::config::config;
use crate::exit::Exit;
use crate::found::Found;
use crate::input_kind::is_program;
use crate::load::load_with;
use crate::model_report::{report_at_deadline, show_report};
use crate::output::{print, remark};
use crate::refused::Refused;
use crate::results::InputResult;
use crate::session::Session;
use crate::trail::{TRAIL_MARK, remove_numbered};
use crate::watch::Watch;
use crate::{
    advice, certificate, checkpoint, explain_plan, files, inputs, predicates, program, refine, tabled,
    timeline, trail,
};

/// Runs the command.
pub fn run(args: Arc<CheckArgs>, session: &Session) -> Result<Exit, String> {
    advice::no_manifest(&args.model.model)?;
    let inputs = inputs::split(&args)?;
    if args.explain_plan {
        return explain_plans(session, &inputs);
    }
    check_outputs(&args)?;
    if let Some(file) = &args.trail {
        trail::refuse_others(file)?;
    }
    remove_stale(&args)?;
    let conclusion = Arc::new(Conclusion::new(Arc::clone(&args), session.clone()));
    for input in inputs {
        if !conclusion.is_empty() && args.prints_text() {
            print("\n")?;
        }
        session.deadline.arm(args.time, &input.model.model);
        // Diagnostics of the inputs before this one are not diagnostics of this one.
        let session = Session { messages: Arc::default(), ..session.clone() };
        let conclusion = Arc::clone(&conclusion);
        let check = InputCheck { session, args: Arc::new(input), conclusion };
        let result = check_input(&check);
        let interrupted = result.exit == Exit::Interrupted;
        check.conclusion.add(result);
        if interrupted {
            break;
        }
    }
    conclusion.conclude()
}

/// Prints the plan of each input.
fn explain_plans(session: &Session, inputs: &[CheckArgs]) -> Result<Exit, String> {
    for args in inputs {
        let plan = match is_program(&args.model.model) && !args.tables.are_given() {
            true => program::plan(session, args),
            false => plan_of_model(session, args),
        };
        match plan {
            Ok(plan) => print(&explain_plan::text(&args.model.model.to_string_lossy(), &plan))?,
            Err(Refused::Message(message)) => return Err(message),
            Err(Refused::Reported(exit)) => return Ok(exit),
        }
    }
    Ok(Exit::Holds)
}

fn plan_of_model(session: &Session, args: &CheckArgs) -> Result<Vec<Attempt>, Refused> {
    let (model, _) = tabled::load(session, &args.model, &args.more, &args.tables, &args.output)?;
    let config = config(args, &model)?;
    Ok(match args.refine {
        true => refine::plan(ModelSearches::new(&model, &config), &model),
        false => model.plan(&config),
    })
}

/// Checks one input: a model, a C program, or the model extracted from a C program.
fn check_input(check: &InputCheck) -> InputResult {
    let InputCheck { session, args, .. } = check;
    let files = std::iter::once(&args.model.model).chain(&args.more);
    let name = files.map(|file| file.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let result = if args.tables.are_given() {
        refuse_options_of_programs(args)
            .and_then(|()| refuse_predicates(args))
            .and_then(|()| only_of_models(args))
            .and_then(|()| tabled::check(check))
    } else if is_program(&args.model.model) {
        only_of_models(args).and_then(|()| refuse_predicates(args)).and_then(|()| program::check(check))
    } else {
        refuse_options_of_programs(args).and_then(|()| check_model(check))
    };
    result.unwrap_or_else(|refused| {
        let exit = match refused {
            Refused::Message(message) => {
                session.messages.complain(&message);
                Exit::Input
            }
            Refused::Reported(exit) => exit,
        };
        InputResult::refused(session, &name, exit)
    })
}

/// Refuses options that change a C program, where none is checked.
fn refuse_options_of_programs(args: &CheckArgs) -> Result<(), Refused> {
    let given = [
        (!args.program.bound.is_empty(), "--bound"),
        (args.program.volatile != axle_c::Volatile::default(), "--volatile"),
    ];
    match given.into_iter().find(|(given, _)| *given) {
        Some((_, option)) => Err(Refused::Message(format!("{option} is for C programs, and not for models"))),
        None => Ok(()),
    }
}

/// Refuses predicates where the input is not a model: they are conditions on its variables, and processes
/// of threads have no names.
fn refuse_predicates(args: &CheckArgs) -> Result<(), Refused> {
    let given = [
        (args.predicates.is_some(), "--predicates"),
        (!args.maps.is_empty(), "--map"),
        (!args.concrete.is_empty(), "--concrete"),
        (args.arithmetic != Arithmetic::default(), "--arithmetic"),
        (args.precision, "--precision"),
        (args.cube_length.is_some(), "--cube-length"),
    ];
    match given.into_iter().find(|(given, _)| *given) {
        Some((_, option)) => Err(Refused::Message(format!("{option} is for Promela models"))),
        None => Ok(()),
    }
}

/// Whether options ask for the predicate abstraction.
fn asks_for_abstraction(args: &CheckArgs) -> bool {
    let is_selected = matches!(&args.engine, EngineChoice::This(engine) if *engine == EngineId::ABSTRACT);
    let is_given = args.predicates.is_some() || !args.maps.is_empty() || !args.concrete.is_empty();
    let is_changed = args.arithmetic != Arithmetic::default() || args.precision || args.cube_length.is_some();
    is_selected || is_given || is_changed
}

fn only_of_models(args: &CheckArgs) -> Result<(), Refused> {
    certificate::only_of_models(args)?;
    checkpoint::only_of_models(args)?;
    Ok(())
}

fn check_model(check: &InputCheck) -> Result<InputResult, Refused> {
    let InputCheck { session, args, .. } = check;
    // Marked lines of the model are read where the abstraction is asked for; a file replaces them.
    let is_read = asks_for_abstraction(args) && args.predicates.is_none();
    let model = is_read.then_some(args.model.model.as_path());
    let mut given = predicates::given(session, (model, args.predicates.as_deref()), &args.maps)?;
    given.1.extend(args.concrete.iter().cloned());
    let (model, conditions) = load_with(session, &args.model, &args.output, &given.0)?;
    let config = predicates::configured(config(args, &model)?, &args.maps, &given, conditions)?;
    predicates::refuse_unknown_processes(&model, &config)?;
    if !config.maps.is_empty() {
        let mut watch = Watch::start(session, args.time, args.output.quiet);
        predicates::refuse_conflicts(&model, &config, args.over_approximate, &mut watch)?;
    }
    report_at_deadline(check, &model, &config);
    let mut watch = Watch::start(session, args.time, args.output.quiet);
    let (mut checked, certificate) = match &args.certificate {
        Some(file) => certificate::check(session, args, &model, &config, file, &mut watch)?,
        None if checkpoint::wanted(args)? => {
            (checkpoint::check(session, args, &model, &config, &mut watch)?, None)
        }
        None if args.refine => (refine::check(ModelSearches::new(&model, &config), &model, &mut watch), None),
        None => (refine::check_exactly(&model, &config, &mut watch), None),
    };
    checked.report.search.seconds = watch.stop().as_secs_f64();
    checked.report.hints.extend(checkpoint::hint(args, &config, &checked.report));
    session.deadline.reporting(Exit::of(&checked.report));
    bundle_faults(&args.model, &model, &checked);
    let lines = timeline::all(session, &args.model)?;
    let states = checked.found.outcome.violations.len();
    let runs = checked.report.violations.iter_mut().skip(states).zip(&checked.found.runs);
    for (violation, run) in runs.filter(|_| !lines.is_empty()) {
        timeline::retell(&lines, violation, &mut Found::Run(run).replay(&model, &config)?);
    }
    let traces = show_report(session, args, &model, &config, &checked, "")?;
    if let Some(remarks) = certificate.filter(|_| !args.output.quiet) {
        remark(&remarks);
    }
    Ok(InputResult::new(session, checked.report, traces))
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
    if args.witness.is_some() && !is_program(&args.model.model) {
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
        (&args.certificate, "axle-invariant "),
        (&args.certificate, "axle-claims "),
    ];
    for (file, mark) in single {
        file.as_ref().map_or(Ok(()), |file| files::remove_result(file, mark))?;
    }
    Ok(())
}
