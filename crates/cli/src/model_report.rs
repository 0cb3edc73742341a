//! The report of a check of a model, as text, traces, trails and charts; also at its deadline.
//!
//! *Entry points:* [`show_report`]; [`show_results`] for `axle swarm`; [`report_at_deadline`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_check::{CheckedModel, Config, System};
use axle_evidence::trace::Trace;
use axle_model::Model;

use crate::args::{CheckArgs, ModelArgs, OutputArgs, TableArgs, TraceMode};
use crate::conclusion::InputCheck;
use crate::found::Found;
use crate::output::remark;
use crate::results::InputResult;
use crate::session::Session;
use crate::{checkpoint, results, show, trail};

/// How a report is shown.
pub struct Results<'a> {
    pub model: &'a ModelArgs,
    pub tables: &'a TableArgs,
    /// Further files of the C program that the model was extracted from.
    pub files: &'a [PathBuf],
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
    session: &Session,
    args: &CheckArgs,
    model: &Arc<Model>,
    config: &Config,
    checked: &CheckedModel,
    more: &str,
) -> Result<Vec<Trace>, String> {
    let results = Results {
        model: &args.model,
        tables: &args.tables,
        files: &args.more,
        output: &args.output,
        trace: args.trace,
        text: args.prints_text(),
        more,
        traces: results::needs_traces(args),
        trail: args.trail.as_deref(),
        chart: args.chart.as_deref(),
    };
    show_results(session, &results, model, config, checked)
}

/// Shows a report, writes trails and charts, and returns the traces if the caller needs them.
pub fn show_results(
    session: &Session,
    args: &Results,
    model: &Arc<Model>,
    config: &Config,
    checked: &CheckedModel,
) -> Result<Vec<Trace>, String> {
    let report = &checked.report;
    // The confirmed violations, in the order of the report.
    let found: Vec<Found> = (checked.found.outcome.violations.iter().map(Found::Violation))
        .chain(checked.found.runs.iter().map(Found::Run))
        .collect();
    let deadline = &session.deadline;
    let replayed = |found: &Found| found.replay(model, config);
    if args.text {
        let trace = |index: usize| found.get(index).map(replayed).transpose();
        show::report(report, args.output, args.trace, &trace, args.more)?;
    }
    if let Some(file) = args.trail {
        let origin = (args.tables, args.files);
        for path in trail::write_all(file, model, args.model, origin, config.fairness, &found, deadline)? {
            if !args.output.quiet {
                remark(&format!("axle: wrote {}\n", path.display()));
            }
        }
    }
    if let Some(file) = args.chart {
        for (index, found) in found.iter().enumerate() {
            show::chart(&replayed(found)?, &trail::numbered(file, index), deadline)?;
        }
    }
    if args.traces { found.iter().map(replayed).collect() } else { Ok(Vec::new()) }
}

/// Registers the report of a check that has no result at its deadline.
pub fn report_at_deadline(check: &InputCheck, model: &Arc<Model>, config: &Config) {
    let (own, model, config) = (check.clone(), Arc::clone(model), config.clone());
    check.session.deadline.report_with(move |stop, seen| {
        let InputCheck { session, args, conclusion } = &own;
        let mut checked = model.undecided(&config, stop, seen);
        checked.report.search.seconds = session.deadline.elapsed().as_secs_f64();
        checked.report.hints.extend(checkpoint::hint(args, &config, &checked.report));
        let shown = show_report(session, args, &model, &config, &checked, "");
        conclusion.at_deadline(shown.map(|traces| InputResult::new(session, checked.report, traces)))
    });
}
