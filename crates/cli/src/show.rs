//! Traces and charts where they were asked for.

use std::path::Path;

use axle_evidence::trace::{Mode, Trace, render_text};
use axle_evidence::{chart, threads};

use crate::args::TraceMode;
use crate::files;
use crate::output::print;

/// Lines of a trace that nobody asked for in full: the first and the last of these.
const HEAD: usize = 20;
const TAIL: usize = 40;

/// Prints a trace; one that was not asked for (`whole` false) without its middle where it is long.
pub fn trace(trace: &Trace, mode: TraceMode, whole: bool) -> Result<(), String> {
    let text = match mode {
        TraceMode::None => return Ok(()),
        TraceMode::Full => render_text(trace, Mode::Full),
        TraceMode::Short => render_text(trace, Mode::Short),
        TraceMode::Json => {
            let mut json = serde_json::to_string_pretty(trace).map_err(|fault| fault.to_string())?;
            json.push('\n');
            json
        }
        TraceMode::Columns => threads::render_columns(trace),
        TraceMode::Chart => chart::render_text(&chart::chart_of(trace)),
    };
    print(&if whole { text } else { without_middle(&text) })
}

/// Writes the message sequence chart as SVG.
pub fn chart(trace: &Trace, file: &Path) -> Result<(), String> {
    files::write(file, &chart::render_svg(&chart::chart_of(trace)))
}

fn without_middle(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= HEAD + TAIL {
        return text.to_string();
    }
    let left_out = lines.len() - HEAD - TAIL;
    let mut short = lines[..HEAD].join("\n");
    short.push_str(&format!("\n... {left_out} lines left out; --trace full shows them ...\n"));
    short.push_str(&lines[lines.len() - TAIL..].join("\n"));
    short.push('\n');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_texts_lose_their_middle() {
        let lines = |n: usize| (0..n).map(|i| format!("{i}\n")).collect::<String>();
        assert_eq!(without_middle(&lines(60)), lines(60));
        let short = without_middle(&lines(100));
        assert_eq!(short.lines().count(), 61);
        assert!(short.contains("... 40 lines left out"));
        assert!(short.ends_with("\n99\n"));
    }
}
