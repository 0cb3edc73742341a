//! `axle ltl`: the automaton of a formula, in the form that someone wants to read.

use std::path::Path;

use axle_ltl::parse::pointed;
use axle_ltl::print::{dot, explain, formula, hoa, never, svg, table};
use axle_ltl::stutter::is_stutter_invariant;
use axle_ltl::{Automaton, Formula, TooLarge, translate};

use crate::args::{AutomatonForm, LtlArgs};
use crate::exit::Exit;
use crate::output::{print, remark};
use crate::quantities::counted;
use crate::session::Session;
use crate::timeline;

/// Runs the command.
pub fn run(args: &LtlArgs, session: &Session) -> Result<Exit, String> {
    if let Some(file) = &args.timeline {
        return of_timeline(session, args, file);
    }
    let text = args.formula.as_deref().unwrap_or_default();
    let parsed = axle_ltl::parse(text).map_err(|fault| pointed(text, fault.at, &fault.message))?;
    if !args.output.quiet {
        for warning in &parsed.warnings {
            remark(&format!("axle: warning: {}\n", pointed(text, warning.at, &warning.message)));
        }
    }
    let atoms = &parsed.atoms;
    let wanted = if args.negate { parsed.formula.clone().negated() } else { parsed.formula.clone() };
    let automaton = translate(&wanted).map_err(|fault| too_large(fault).to_string())?;
    if args.explain {
        print(&explained(&parsed.formula, atoms)?)?;
    }
    let name = formula(&wanted, atoms);
    print(&drawn(&automaton, atoms, &name, args.format))?;
    Ok(Exit::Holds)
}

/// Prints the automaton of the executions that violate a timeline.
fn of_timeline(session: &Session, args: &LtlArgs, file: &Path) -> Result<Exit, String> {
    let timeline = match timeline::read(session, file) {
        Ok(timeline) => timeline,
        Err(exit) => return Ok(exit),
    };
    let too_large = |_| "a condition of the timeline has more than 1,024 disjuncts".to_string();
    let automaton = axle_ltl::timeline::automaton(&timeline).map_err(too_large)?;
    let atoms = &timeline.atoms;
    if args.explain {
        print(&explained(&axle_ltl::timeline::formula(&timeline), atoms)?)?;
    }
    print(&drawn(&automaton, atoms, &timeline.name, args.format))?;
    Ok(Exit::Holds)
}

/// An automaton in a form.
fn drawn(automaton: &Automaton, atoms: &[String], name: &str, form: AutomatonForm) -> String {
    match form {
        AutomatonForm::Never => never::never(automaton, atoms, name),
        AutomatonForm::Hoa => hoa::hoa(automaton, atoms, name),
        AutomatonForm::Dot => dot::dot(automaton, atoms),
        AutomatonForm::Svg => svg::svg(automaton, atoms),
        AutomatonForm::Table => table::table(automaton, atoms),
    }
}

/// Why a formula has no automaton.
pub fn too_large(fault: TooLarge) -> &'static str {
    match fault {
        TooLarge::Propositions => "the formula has more than 64 different propositions",
        TooLarge::Untils => "the formula has more than 64 different `until` and `eventually`",
        TooLarge::States => "the automaton of the formula has more than 20,000 states",
        TooLarge::Work | TooLarge::Cancelled => {
            "the automaton of the formula takes too much time to construct"
        }
    }
}

/// What is known of a formula: its negation step by step, both automata's sizes, and whether it can
/// tell a step from two.
fn explained(given: &Formula, atoms: &[String]) -> Result<String, String> {
    let mut text = format!("a run satisfies   {}\n", formula(given, atoms));
    text.push_str("or it satisfies the negation, which is what a check looks for:\n\n");
    let lines = explain::negation(given, atoms);
    let width = lines.iter().map(|line| line.formula.chars().count()).max().unwrap_or(0);
    for line in &lines {
        let line = format!("  {:width$}   {}", line.formula, line.rule);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let size = |automaton: &Automaton| {
        let deterministic = if automaton.is_deterministic() { ", deterministic" } else { "" };
        format!(
            "{}, {}, {}{deterministic}",
            counted(automaton.states.len() as u64, "state"),
            counted(automaton.transitions() as u64, "transition"),
            counted(u64::from(automaton.sets), "acceptance set")
        )
    };
    let of = |wanted: &Formula| translate(wanted).map_err(|fault| too_large(fault).to_string());
    let (yes, no) = (of(given)?, of(&given.clone().negated())?);
    text.push_str(&format!("\nformula: {}\nnegation: {}\n", size(&yes), size(&no)));
    for (automaton, verdict) in [(&yes, "no run satisfies it"), (&no, "every run satisfies it")] {
        if axle_ltl::lasso::is_empty(automaton) {
            text.push_str(verdict);
            text.push('\n');
        }
    }
    text.push_str(match is_stutter_invariant(given) {
        Ok(true) => "stutter-invariant: partial-order reduction is sound\n\n",
        Ok(false) => "not stutter-invariant: partial-order reduction is not applied\n\n",
        Err(_) => "stutter invariance not decided: partial-order reduction is not applied\n\n",
    });
    Ok(text)
}
