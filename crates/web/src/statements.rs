//! What the properties of a project state: formula, negation, automaton, timeline and example executions.
//!
//! *Entry point:* [`Statements::get`].
//! *Invariant:* a statement is that of the version of the files whose generation is asked for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axle_feaver::project::{Property, Statement};
use axle_ltl::print::{explain, formula};
use axle_ltl::{Automaton, Formula};

use crate::view::quantity::counted;
use crate::view::{figure, timeline, words};

/// States of an automaton beyond which it is not drawn.
const MOST_STATES: usize = 24;

/// What the property states.
#[derive(Default)]
pub struct Logic {
    /// The text of a timeline or never claim, and its file.
    pub source: Option<(String, String)>,
    /// The drawing of a timeline.
    pub timeline: Option<String>,
    /// The formula.
    pub formula: String,
    /// What the checks of the software ask for.
    pub checks: Vec<&'static str>,
    /// The derivation of the negation: formulas and rules.
    pub negation: Vec<(String, String)>,
    /// The drawing of the automaton of violations, unless that is large.
    pub automaton: Option<String>,
    /// Its size in words.
    pub size: String,
    /// Short executions that satisfy and that violate the property, in words.
    pub examples: [Vec<String>; 2],
}

/// What the properties state, which is computed once for each version of the files: automata and example
/// executions take time.
#[derive(Default)]
pub struct Statements(Mutex<(u64, HashMap<String, Arc<Logic>>)>);

impl Statements {
    /// What a property states in the version of this generation.
    pub fn get(&self, generation: u64, property: &Property) -> Arc<Logic> {
        let name = &property.name.value;
        let known = |cache: &mut (u64, HashMap<String, Arc<Logic>>)| {
            if cache.0 != generation {
                *cache = (generation, HashMap::new());
            }
            cache.1.get(name).map(Arc::clone)
        };
        if let Some(known) = known(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            return known;
        }
        let logic = Arc::new(logic(property));
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known(&mut cache).is_none() {
            cache.1.insert(name.clone(), Arc::clone(&logic));
        }
        logic
    }
}

fn logic(property: &Property) -> Logic {
    match &property.statement {
        Statement::Formula(text) => match axle_ltl::parse(&text.value) {
            Ok(parsed) => {
                of_formula(&parsed.formula, &parsed.atoms, axle_ltl::translate_negation(&parsed.formula).ok())
            }
            Err(_) => Logic { formula: text.value.clone(), ..Logic::default() },
        },
        Statement::Timeline(line, path) => {
            let stated = axle_ltl::timeline::formula(line);
            let automaton = axle_ltl::timeline::automaton(line).ok();
            let logic = of_formula(&stated, &line.atoms, automaton);
            Logic {
                timeline: Some(timeline::figure(line)),
                source: Some((path.clone(), String::new())),
                ..logic
            }
        }
        Statement::Never(path, text) => {
            Logic { source: Some((path.clone(), text.clone())), ..Logic::default() }
        }
        Statement::Safety(checks) => Logic { checks: checks.meanings(), ..Logic::default() },
    }
}

fn of_formula(stated: &Formula, atoms: &[String], automaton: Option<Automaton>) -> Logic {
    let negation = explain::negation(stated, atoms).into_iter().map(|line| (line.formula, line.rule));
    let size = automaton.as_ref().map(|automaton| {
        format!(
            "{}, {}",
            counted(automaton.states.len() as u64, "state"),
            counted(automaton.transitions() as u64, "transition")
        )
    });
    let satisfied = axle_ltl::translate(stated).ok();
    let examples = [satisfied.as_ref(), automaton.as_ref()]
        .map(|automaton| automaton.map_or_else(Vec::new, |automaton| words::listed(automaton, atoms)));
    let drawn = automaton.as_ref().filter(|automaton| automaton.states.len() <= MOST_STATES);
    Logic {
        formula: formula(stated, atoms),
        negation: negation.collect(),
        automaton: drawn.map(|automaton| figure::automaton(automaton, atoms)),
        examples,
        size: size.unwrap_or_else(|| "too large to be built".to_string()),
        ..Logic::default()
    }
}
