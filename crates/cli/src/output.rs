//! Standard output and standard error.

use std::io::{ErrorKind, IsTerminal, Write};

use crate::args::{Color, OutputArgs};

/// Prints a result. Nobody reading it any more (`axle dump | head`) is no fault.
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

/// Says on standard error what went wrong. There is no one to tell where that fails.
pub fn complain(text: &str) {
    remark(&format!("axle: {text}\n"));
}

/// Says something on standard error.
pub fn remark(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

impl OutputArgs {
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
