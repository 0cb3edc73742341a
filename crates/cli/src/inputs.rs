//! `axle check` with several files: which files form an input, the check of each, and the summary.
//!
//! Each Promela file, and each output of `axle dump`, is an input. All C files together form one
//! program, which is one input; with `--each`, every C file is a program.
//!
//! *Entry point:* [`split`]. *Invariant:* every file belongs to exactly one input; the inputs are
//! in the order of their first files.

use std::path::PathBuf;

use axle_check::Verdict;

use crate::args::CheckArgs;
use crate::input_kind::is_program;
use crate::results::InputResult;

/// The command line of each input.
///
/// # Errors
/// An option that is for one input only, with several inputs.
pub fn split(args: &CheckArgs) -> Result<Vec<CheckArgs>, String> {
    let mut inputs: Vec<Vec<PathBuf>> = Vec::new();
    let mut program = None;
    for file in std::iter::once(&args.model.model).chain(&args.more) {
        match program.filter(|_| is_program(file) && !args.each) {
            Some(index) => {
                let own: &mut Vec<PathBuf> = &mut inputs[index];
                own.push(file.clone());
            }
            None => {
                if is_program(file) {
                    program = Some(inputs.len());
                }
                inputs.push(vec![file.clone()]);
            }
        }
    }
    if inputs.len() > 1 {
        refuse_options_of_one(args)?;
    }
    let own = |files: Vec<PathBuf>| {
        let mut files = files.into_iter();
        let mut own = args.clone();
        own.model.model = files.next().unwrap_or_default();
        own.more = files.collect();
        own
    };
    Ok(inputs.into_iter().map(own).collect())
}

/// Refuses options that write or read one file for one input.
fn refuse_options_of_one(args: &CheckArgs) -> Result<(), String> {
    let options = [
        (args.trail.is_some(), "--trail"),
        (args.chart.is_some(), "--chart"),
        (args.html.is_some(), "--html"),
        (args.witness.is_some(), "--witness"),
        (args.certificate.is_some(), "--certificate"),
        (args.checkpoint.is_some(), "--checkpoint"),
        (args.resume.is_some(), "--resume"),
        (args.tables.are_given(), "--table"),
    ];
    match options.into_iter().find(|(given, _)| *given) {
        Some((_, option)) => Err(format!(
            "{option} is for one input, and several are given; check them one at a time, or use --json, --sarif or --junit"
        )),
        None => Ok(()),
    }
}

/// A line for each input, after a line with the counts if there are several.
pub fn summary(results: &[InputResult]) -> String {
    let width = results.iter().map(|result| result.report.model.chars().count()).max().unwrap_or(0);
    let count = |wanted: &dyn Fn(&InputResult) -> bool| results.iter().filter(|one| wanted(one)).count();
    let valid =
        |verdict| move |one: &InputResult| one.report.errors.is_empty() && one.report.verdict == verdict;
    let counts = [
        (count(&valid(Verdict::Holds)), "holds", "hold"),
        (count(&valid(Verdict::Violated)), "violated", "violated"),
        (count(&valid(Verdict::Unknown)), "unknown", "unknown"),
        (count(&|one| !one.report.errors.is_empty()), "error", "errors"),
    ];
    let mut text = String::new();
    if results.len() > 1 {
        let shown = counts.into_iter().filter(|(count, _, _)| *count > 0);
        let shown: Vec<String> = shown
            .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
            .collect();
        text.push_str(&format!("summary of {} inputs: {}\n", results.len(), shown.join(", ")));
    }
    for result in results {
        text.push_str(&format!("{}\n", result.line(width)));
    }
    text
}
