//! An automaton as a Promela never claim.

use super::grouped;
use crate::automaton::Automaton;
use crate::degeneralise::state_based;
use crate::scc::components;
use std::fmt::Write;

/// The claim that the words of the automaton never happen. Acceptance moves to states, as claims
/// have it; a state in which everything is accepted is the end of the claim, which Spin reports at
/// once.
pub fn never(automaton: &Automaton, atoms: &[String], comment: &str) -> String {
    let automaton = state_based(automaton);
    let scc = components(&automaton);
    let accepting = |s: usize| {
        automaton.sets == 0 && scc.cyclic[scc.of[s] as usize]
            || automaton.states[s].iter().any(|t| t.marks & 1 != 0)
    };
    let name = |s: usize| match (s as u32 == automaton.initial, accepting(s)) {
        (true, true) => "accept_init".to_owned(),
        (true, false) => "T0_init".to_owned(),
        (false, true) => format!("accept_S{s}"),
        (false, false) => format!("T0_S{s}"),
    };
    let mut text = format!("never {{    /* {comment} */\n");
    for (s, out) in automaton.states.iter().enumerate() {
        let _ = writeln!(text, "{}:", name(s));
        if out.is_empty() {
            text.push_str("\tfalse;\n");
            continue;
        }
        text.push_str("\tdo\n");
        for (condition, to, _) in grouped(out, atoms) {
            let _ = writeln!(text, "\t:: ({condition}) -> goto {}", name(to as usize));
        }
        text.push_str("\tod;\n");
    }
    text.push_str("}\n");
    text
}
