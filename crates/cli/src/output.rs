//! Standard output and standard error.

use std::io::{ErrorKind, IsTerminal, Write};

use axle_evidence::trace::Style;
use axle_evidence::wrap::wrap;
use axle_tabled::{HIDDEN, ONE_WAY};

use crate::args::{Color, OutputArgs};

/// The width of lines where standard output is not a terminal.
const WIDTH: usize = 100;

/// Prints a result. A closed pipe (`axle dump | head`) is not an error.
pub fn print(text: &str) -> Result<(), String> {
    print_bytes(text.as_bytes())
}

/// Prints a result that may not be text.
pub fn print_bytes(bytes: &[u8]) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(fault) if fault.kind() != ErrorKind::BrokenPipe => Err(format!("cannot print: {fault}")),
        _ => Ok(()),
    }
}

/// Reports an error on standard error.
pub fn complain(text: &str) {
    remark(&format!("axle: {text}\n"));
}

/// Prints a text on standard error; an error in doing so cannot be reported.
pub fn remark(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The width of lines on standard output: `COLUMNS`, or the width of the terminal, or [`WIDTH`].
pub fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|value| value.trim().parse().ok());
    let terminal = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.into());
    columns.or_else(terminal).filter(|width| *width > 0).map_or(WIDTH, |width: usize| width.max(40))
}

/// The text with lines of at most [`width`] characters. Continuation lines are indented to the last
/// column of the line: the last gap of two or more blanks before its second half.
pub fn wrapped(text: &str) -> String {
    let width = width();
    let wrap_line = |line: &str| {
        let start = line.len() - line.trim_start().len();
        let head = line.char_indices().nth(width / 2).map_or(line, |(end, _)| &line[..end]);
        let column = head.rfind("  ").map(|gap| line[..gap + 2].chars().count()).filter(|at| *at > start);
        wrap(line, Some(width), column.unwrap_or(start + 4))
    };
    text.lines().map(wrap_line).collect()
}

/// The text as [`wrapped`], with statements of C that leave nothing in the model dimmed in `color`.
pub fn dimmed(text: &str, color: bool) -> String {
    let dim = |line: &str| {
        let whole = wrapped(line);
        match color && [HIDDEN, ONE_WAY].iter().any(|remark| line.ends_with(remark)) {
            true => whole.lines().map(|line| format!("\x1b[2m{line}\x1b[0m\n")).collect(),
            false => whole,
        }
    };
    text.lines().map(dim).collect()
}

impl OutputArgs {
    /// The appearance of traces on standard output.
    pub fn style(&self) -> Style {
        Style { width: Some(width()), color: self.color_out() }
    }

    /// Whether to colour standard output.
    pub fn color_out(&self) -> bool {
        self.colored(std::io::stdout().is_terminal())
    }

    /// Whether to colour standard error.
    pub fn color_err(&self) -> bool {
        self.colored(std::io::stderr().is_terminal())
    }

    fn colored(&self, terminal: bool) -> bool {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !refused,
        }
    }
}
