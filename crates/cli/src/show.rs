//! Reports, traces and charts on standard output.

use std::path::Path;

use axle_check::Report;
use axle_evidence::trace::{CallTree, Mode, Trace, abridge, render_abridged, render_calls, render_styled};
use axle_evidence::{chart, threads};

use crate::args::{OutputArgs, TraceMode};
use crate::deadline::Deadline;
use crate::output::{dimmed, print, width, wrapped};
use crate::{files, summary};

/// Lines of a trace that is shown by default.
const LINES: usize = 60;

/// How to see the rows that are folded.
const UNFOLD: &str = "--trace tree shows all calls, --trace full every statement";

/// The longest execution that is reproduced and shown by default, in steps.
const LONGEST: u64 = 10_000;

/// Prints a report as text: verdict, violations with their traces, coverage, `more`, verdict.
/// `trace_of` gives the trace of the violation at a position.
pub fn report(
    report: &Report,
    output: &OutputArgs,
    mode: Option<TraceMode>,
    trace_of: &dyn Fn(usize) -> Result<Option<Trace>, String>,
    more: &str,
) -> Result<(), String> {
    print(&summary::verdict(report, output.color_out()))?;
    for (index, violation) in report.violations.iter().enumerate() {
        print(&format!("\n{}", dimmed(&summary::violation(violation), output.color_out())))?;
        if mode.is_none() && violation.depth > LONGEST {
            print("\nthe trace is too long to be shown by default; --trace full shows it\n")?;
        } else if mode != Some(TraceMode::None)
            && let Some(whole) = trace_of(index)?
        {
            // The message of the violation is above.
            let shown = Trace { ending: Vec::new(), ..whole };
            print("\n")?;
            trace(&shown, mode.unwrap_or(TraceMode::Full), mode.is_some(), output)?;
        }
    }
    print(&wrapped(&summary::coverage(report)))?;
    print(&wrapped(more))?;
    print(&format!("\n{}", summary::verdict(report, output.color_out())))
}

/// Prints a trace; unless `whole`, only the steps of a long one that explain most.
pub fn trace(trace: &Trace, mode: TraceMode, whole: bool, output: &OutputArgs) -> Result<(), String> {
    let text = match mode {
        TraceMode::None => return Ok(()),
        TraceMode::Full if !whole && trace.steps.len() > LINES && CallTree::has_calls(trace) => {
            render_calls(trace, false, output.style(), UNFOLD)
        }
        TraceMode::Calls => render_calls(trace, false, output.style(), UNFOLD),
        TraceMode::Tree => render_calls(trace, true, output.style(), ""),
        TraceMode::Full if !whole => {
            let kept = abridge(trace, LINES);
            render_abridged(trace, Mode::Changes, output.style(), &kept, "--trace full shows them")
        }
        TraceMode::Full => render_styled(trace, Mode::Full, output.style()),
        TraceMode::Short => render_styled(trace, Mode::Short, output.style()),
        TraceMode::Json => {
            let mut json = serde_json::to_string_pretty(trace).map_err(|fault| fault.to_string())?;
            json.push('\n');
            json
        }
        TraceMode::Columns => threads::render_columns(trace, Some(width())),
        TraceMode::Chart => chart::render_text(&chart::chart_of(trace), Some(width())),
    };
    print(&text)
}

/// Writes the message sequence chart as SVG.
pub fn chart(trace: &Trace, file: &Path, deadline: &Deadline) -> Result<(), String> {
    files::write(file, &chart::render_svg(&chart::chart_of(trace)), deadline)
}
