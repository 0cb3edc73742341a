//! An execution with the choices of the user, who can go back and inspect the state.

use std::io::BufRead;

use axle_evidence::trace::TraceStep;

use super::display::{Display, short};
use super::execution::{Bounds, Execution, conclude};
use crate::exit::Exit;
use crate::output::print;

const HELP: &str = "\
  NUMBER   take this step
  ENTER    show the possible steps again
  b        go back one step
  p NAME   print a variable (all of them where no name is given)
  c        print the channels
  s        print the whole state
  h        this help
  q        quit
";

/// Steps of one process that are listed.
const OUTCOMES: usize = 10;

/// Reads commands to the end of the input, or to `q`.
pub(super) fn converse(
    execution: &mut impl Execution,
    display: &mut Display,
    bounds: &Bounds,
    input: &mut impl BufRead,
) -> Result<Exit, String> {
    let mut past = Vec::new();
    let mut exit = offer(execution, display, bounds)?;
    loop {
        print("> ")?;
        let mut line = String::new();
        if input.read_line(&mut line).map_err(|fault| fault.to_string())? == 0 {
            return print("\n").map(|()| exit);
        }
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => exit = offer(execution, display, bounds)?,
            "q" | "x" | "quit" | "exit" => return Ok(exit),
            "h" | "?" | "help" => print(HELP)?,
            "b" | "back" => match past.pop() {
                Some(saved) => {
                    execution.restore(saved);
                    exit = offer(execution, display, bounds)?;
                }
                None => print("this is the first state\n")?,
            },
            "s" | "state" => print(&execution.state())?,
            "c" | "channels" => print(&execution.channels())?,
            "p" | "print" => print(&variables(execution, rest.trim()))?,
            _ => match word.parse::<usize>() {
                Ok(number) => {
                    let count = execution.choices().len();
                    match number.checked_sub(1).filter(|&index| index < count) {
                        Some(index) => {
                            past.push(execution.save());
                            execution.take(index)?;
                            exit = offer(execution, display, bounds)?;
                        }
                        None => print(&format!("there is no step {number}\n"))?,
                    }
                }
                Err(_) => print(&format!("unknown command '{word}'; h lists the commands\n"))?,
            },
        }
    }
}

/// Shows the steps that were executed, and those that are possible now or how the execution ended.
fn offer(execution: &mut impl Execution, display: &mut Display, bounds: &Bounds) -> Result<Exit, String> {
    display.steps(execution.steps(true), None)?;
    display.finish()?;
    if let Some(ending) = execution.ending() {
        let (exit, text) = conclude(ending, execution.executed(), bounds);
        return print(&text).map(|()| exit);
    }
    print(&listed(execution.choices())).map(|()| Exit::Holds)
}

/// The possible steps, one a line; of the many outcomes of one operation the first ones.
fn listed(choices: Vec<TraceStep>) -> String {
    let process: Vec<u32> = choices.iter().map(|step| step.by.pid).collect();
    let text = short(choices);
    let (mut out, mut same) = (String::new(), 0);
    for (index, line) in text.lines().enumerate() {
        let pid = process.get(index);
        same = if index > 0 && process.get(index - 1) == pid { same + 1 } else { 1 };
        if same <= OUTCOMES {
            out.push_str(&format!("  {line}\n"));
        } else if process.get(index + 1) != pid {
            let first = index + 2 - (same - OUTCOMES);
            out.push_str(&format!("  ... and steps {first} to {}\n", index + 1));
        }
    }
    out
}

/// The variables whose name is this or starts with it: `x` shows `x`, `x[0]` and `x.f`.
fn variables(execution: &impl Execution, name: &str) -> String {
    let asked = |full: &str| {
        let own = full.rsplit_once(':').map_or(full, |(_, own)| own);
        [full, own].iter().any(|it| {
            it.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        })
    };
    let list = execution.variables().into_iter().filter(|(full, _)| name.is_empty() || asked(full));
    let text: String = list.map(|(full, shown)| format!("{full} = {shown}\n")).collect();
    match (text.is_empty(), name) {
        (true, "") => "there are no variables\n".to_string(),
        (true, name) => format!("there is no variable '{name}'\n"),
        (false, _) => text,
    }
}
