//! An automaton as a table for reading.

use super::grouped;
use crate::automaton::Automaton;
use std::fmt::Write;

/// One line a transition: from, condition, to, acceptance sets.
pub fn table(automaton: &Automaton, atoms: &[String]) -> String {
    let mut rows = vec![["from".to_owned(), "condition".to_owned(), "to".to_owned(), "accepts".to_owned()]];
    for (s, out) in automaton.states.iter().enumerate() {
        for (condition, to, marks) in grouped(out, atoms) {
            let sets: Vec<String> =
                (0..automaton.sets).filter(|i| marks >> i & 1 == 1).map(|i| i.to_string()).collect();
            let from = if s as u32 == automaton.initial { format!("{s} (start)") } else { s.to_string() };
            rows.push([from, condition, to.to_string(), sets.join(" ")]);
        }
    }
    let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for row in &rows {
        let line = format!(
            "{:<a$}  {:<b$}  {:<c$}  {}",
            row[0],
            row[1],
            row[2],
            row[3],
            a = widths[0],
            b = widths[1],
            c = widths[2]
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = writeln!(
        text,
        "{} states, {} transitions, {} acceptance sets{}",
        automaton.states.len(),
        automaton.transitions(),
        automaton.sets,
        if automaton.sets == 0 { " (every infinite run is accepting)" } else { "" }
    );
    text
}
