//! `axle check`: searches, reports, and writes the files that were asked for.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_check::{Check, Checked, Config, Report, check};
use axle_evidence::replay::replay_violation;
use axle_evidence::report::to_sarif;
use axle_evidence::trace::Trace;
use axle_model::Model;
use axle_search::Limits;

use crate::args::{CheckArgs, TraceMode};
use crate::exit::Exit;
use crate::load::load;
use crate::machine::spare_memory;
use crate::output::{complain, print, remark};
use crate::watch::Watch;
use crate::{bundle, files, show, summary, trail};

/// Steps of a run that is made and shown, at least in part, without being asked for: beyond, that takes long.
const LONGEST: u64 = 10_000;

/// The JSON form of a report, with the runs to its violations where they are wanted.
#[derive(serde::Serialize)]
struct WithTraces<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    traces: Option<Vec<Trace>>,
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Exit, String> {
    if let Some(file) = &args.trail {
        trail::refuse_others(file)?;
    }
    let model = match load(&args.model, &args.output) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    if args.threads > 1 && !args.output.quiet {
        remark("axle: this version searches with one thread\n");
    }
    let config = config(args);
    let mut watch = Watch::start(args.time, args.output.quiet);
    let mut checked = check(&model, &config, &mut watch);
    checked.report.search.seconds = watch.stop().as_secs_f64();
    if let Some(fault) = &checked.report.internal {
        complain(&format!("this is a fault of Axle, and no verdict can be trusted: {fault}"));
        let bundle = bundle::Bundle::new(&model, &args.model, fault, checked.refused.as_ref());
        match bundle.write() {
            Ok(path) => complain(&format!("please report it with the file {}", path.display())),
            Err(fault) => complain(&format!("please report it with the model; {fault}")),
        }
    }
    show_report(args, &model, &config, &checked)?;
    Ok(Exit::of(&checked.report))
}

fn show_report(
    args: &CheckArgs,
    model: &Arc<Model>,
    config: &Config,
    checked: &Checked,
) -> Result<(), String> {
    let report = &checked.report;
    // Only what was confirmed is shown.
    let violations = &checked.outcome.violations[..report.violations.len()];
    let replayed = |violation| {
        let trace = replay_violation(model, violation, &config.step_options());
        trace.map_err(|fault| format!("a violation cannot be shown: {fault}"))
    };
    if args.json || args.trace == Some(TraceMode::Json) {
        let wanted = args.trace.is_some_and(|mode| mode != TraceMode::None);
        let traces = wanted.then(|| violations.iter().map(replayed).collect()).transpose()?;
        let json = serde_json::to_string_pretty(&WithTraces { report, traces });
        print(&format!("{}\n", json.map_err(|fault| fault.to_string())?))?;
    } else {
        print(&summary::verdict(report, args.output.color_out()))?;
        let mode = args.trace.unwrap_or(TraceMode::Full);
        for (violation, told) in violations.iter().zip(&report.violations) {
            print(&format!("\n{}", summary::violation(told)))?;
            if args.trace.is_none() && violation.depth() > LONGEST {
                print("\nthe run is too long to be shown unasked; --trace full shows it\n")?;
            } else if mode != TraceMode::None {
                // How the run ends has just been told.
                let trace = Trace { ending: Vec::new(), ..replayed(violation)? };
                print("\n")?;
                show::trace(&trace, mode, args.trace.is_some())?;
            }
        }
        print(&summary::coverage(report))?;
    }
    if let Some(file) = &args.trail {
        for path in trail::write_all(file, model, &args.model, violations)? {
            if !args.output.quiet {
                remark(&format!("axle: wrote {}\n", path.display()));
            }
        }
    }
    if let Some(file) = &args.chart {
        for (index, violation) in violations.iter().enumerate() {
            show::chart(&replayed(violation)?, &trail::numbered(file, index))?;
        }
    }
    if let Some(file) = &args.sarif {
        let traces: Vec<Trace> = violations.iter().map(replayed).collect::<Result<_, _>>()?;
        files::write(file, &to_sarif(report, &traces).map_err(|fault| fault.to_string())?)?;
    }
    Ok(())
}

/// What the options ask for.
fn config(args: &CheckArgs) -> Config {
    let mut checks: BTreeSet<Check> = Check::ALL.into_iter().filter(|check| check.by_default()).collect();
    checks.extend(&args.check);
    for check in &args.no_check {
        checks.remove(check);
    }
    Config {
        checks,
        order: args.search,
        store: args.store,
        engine: args.engine,
        spoil_paths: args.spoil_paths,
        limits: Limits {
            memory: Some(args.memory.unwrap_or_else(spare_memory)),
            depth: args.depth,
            states: args.states,
            errors: args.errors.0,
        },
    }
}
