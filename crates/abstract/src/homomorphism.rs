//! Homomorphisms: maps of the domains of variables to few classes, and whether they are congruences.
//!
//! A map is a congruence if states of the same classes satisfy the same guards and properties, and each
//! step leads from them to states of the same classes. The abstract system is then exact for all
//! properties over the classes. A map that is no congruence has a pair of states that shows it.
//!
//! *Entry points:* [`conflicts`] for the commands of a problem, [`operation`] for one operator, [`parse`].
//! *Source:* Clarke, Grumberg and Long, "Model Checking and Abstraction", TOPLAS 1994, section 4.
//! *Invariant:* no conflict is reported only if each query was answered.

use axle_decide::aig::Aig;
use axle_decide::blast::Blaster;
use axle_decide::cnf::Encoder;
use axle_decide::model::Problem;
use axle_decide::sat::{Lit, Solver, solver};
use axle_decide::substitute::Substitution;
use axle_decide::term::{BinaryOp, FALSE, Term, TermId, Terms, mask, signed};
use axle_decide::watch::{Poll, Watch};
use axle_outcome::{Limits, Stop};

use crate::place::support;

/// A map of the values of a variable to classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Map {
    /// Even and odd numbers.
    Parity,
    /// Negative numbers, 0 and positive numbers.
    Sign,
    /// 0 and all other numbers.
    Zero,
    /// Numbers below the first bound, from each bound to the next one, and from the last bound on.
    Intervals(Vec<i64>),
    /// Each of these numbers, and all others.
    Values(Vec<i64>),
    /// Numbers that satisfy the same conditions: terms of the problem over the variable alone.
    Conditions(Vec<TermId>),
}

/// An error in the text of a map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MapError {
    /// The text has no name.
    #[error("`{0}` is not of the form `variable: map`")]
    Form(String),
    /// The map is unknown.
    #[error("`{0}` is no map: expected `parity`, `sign`, `zero`, `intervals` or `values` with numbers")]
    Unknown(String),
    /// The problem has no such variable.
    #[error("no variable is called `{0}`; a local variable is written PROCESS:NAME")]
    Variable(String),
    /// A condition of a map is about other variables.
    #[error("the map of `{0}` has a condition that is not about `{0}` alone")]
    Support(String),
}

/// A variable with its map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapped {
    /// The position of the state variable.
    pub variable: u32,
    /// Its map.
    pub map: Map,
}

/// The maps of a text: `x: parity`, `P:y: intervals 0 10`, `z: values 1 2 3`. The variable of a process
/// type is that of each of its processes.
///
/// # Errors
/// The text is malformed, or names no variable.
pub fn parse(problem: &Problem, text: &str) -> Result<Vec<Mapped>, MapError> {
    let (name, map) = text.rsplit_once(": ").ok_or_else(|| MapError::Form(text.to_owned()))?;
    let map = named(map).ok_or_else(|| MapError::Unknown(map.to_owned()))?;
    let variables = variables(problem, name.trim());
    match variables.is_empty() {
        true => Err(MapError::Variable(name.trim().to_owned())),
        false => Ok(variables.into_iter().map(|variable| Mapped { variable, map: map.clone() }).collect()),
    }
}

/// A map by conditions on a variable.
///
/// # Errors
/// There is no such variable, or a condition is about another one.
pub fn by_conditions(problem: &Problem, name: &str, conditions: &[TermId]) -> Result<Vec<Mapped>, MapError> {
    let known = variables(problem, name);
    if known.is_empty() {
        return Err(MapError::Variable(name.to_owned()));
    }
    match support(problem, &problem.system.terms, conditions)[..] {
        [variable] if known.contains(&variable) => {
            Ok(vec![Mapped { variable, map: Map::Conditions(conditions.to_vec()) }])
        }
        _ => Err(MapError::Support(name.to_owned())),
    }
}

/// A map by its name and numbers.
#[must_use]
pub fn named(text: &str) -> Option<Map> {
    let mut words = text.split_whitespace();
    let kind = words.next()?;
    let numbers: Option<Vec<i64>> = words.map(|word| word.parse().ok()).collect();
    let mut numbers = numbers?;
    numbers.sort_unstable();
    numbers.dedup();
    match (kind, numbers.is_empty()) {
        ("parity", true) => Some(Map::Parity),
        ("sign", true) => Some(Map::Sign),
        ("zero", true) => Some(Map::Zero),
        ("intervals", false) => Some(Map::Intervals(numbers)),
        ("values", false) => Some(Map::Values(numbers)),
        _ => None,
    }
}

/// The state variables with a name: one variable, or one of each process of a type (`P:x`).
fn variables(problem: &Problem, name: &str) -> Vec<u32> {
    let is_of_process = |whole: &str| {
        let process = whole.split_once(':').filter(|(slot, _)| slot.bytes().all(|of| of.is_ascii_digit()));
        process.is_some_and(|(_, rest)| rest == name && name.contains(':'))
    };
    let states = problem.system.states.iter().enumerate();
    let found = states.filter(|(_, state)| state.name == name || is_of_process(&state.name));
    found.map(|(at, _)| at as u32).collect()
}

impl Map {
    /// The conditions on a number that together determine its class.
    pub fn conditions(&self, terms: &mut Terms, is_signed: bool, value: TermId) -> Vec<TermId> {
        let width = terms.width(value);
        let zero = terms.constant(width, 0);
        match self {
            Map::Parity => vec![terms.extract(0, 1, value)],
            Map::Zero => vec![terms.equal(value, zero)],
            Map::Sign => {
                let negative = if is_signed { terms.less(true, value, zero) } else { FALSE };
                vec![negative, terms.equal(value, zero)]
            }
            Map::Intervals(bounds) => {
                let bounds = bounds.iter().filter(|bound| fits(**bound, is_signed, width));
                bounds
                    .map(|bound| {
                        let bound = terms.constant(width, *bound as i128 as u128);
                        terms.less(is_signed, value, bound)
                    })
                    .collect()
            }
            Map::Values(values) => {
                let values = values.iter().filter(|number| fits(**number, is_signed, width));
                values
                    .map(|number| {
                        let number = terms.constant(width, *number as i128 as u128);
                        terms.equal(value, number)
                    })
                    .collect()
            }
            Map::Conditions(conditions) => conditions.iter().map(|of| instance(terms, *of, value)).collect(),
        }
    }
}

/// A condition on a variable, of another value in its place.
fn instance(terms: &mut Terms, condition: TermId, value: TermId) -> TermId {
    let variables = terms.cone([condition]);
    let variable = variables.into_iter().find(|of| matches!(terms.get(*of), Term::Variable(_)));
    variable.map_or(condition, |variable| Substitution::new([(variable, value)]).term(terms, condition))
}

impl std::fmt::Display for Map {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |numbers: &[i64]| numbers.iter().map(|number| format!(" {number}")).collect::<String>();
        match self {
            Map::Parity => f.write_str("parity"),
            Map::Sign => f.write_str("sign"),
            Map::Zero => f.write_str("zero"),
            Map::Intervals(bounds) => write!(f, "intervals{}", list(bounds)),
            Map::Values(values) => write!(f, "values{}", list(values)),
            Map::Conditions(conditions) => write!(f, "{} conditions", conditions.len()),
        }
    }
}

/// Whether a number is one of a type.
fn fits(number: i64, is_signed: bool, width: u8) -> bool {
    let number = i128::from(number);
    match is_signed {
        true => signed(width, number as u128 & mask(width)) == number,
        false => number >= 0 && number as u128 <= mask(width),
    }
}

/// The place at which a map is no congruence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The guard of a group.
    Guard(u32),
    /// The value of a state variable after a group.
    Value(u32, u32),
    /// A bad condition.
    Bad(usize),
}

/// Two states of the same classes that a step or property distinguishes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Where they differ.
    pub site: Site,
    /// The state variables on which the site depends.
    pub variables: Vec<u32>,
    /// Their values in the first state.
    pub first: Vec<i64>,
    /// Their values in the second state.
    pub second: Vec<i64>,
}

/// Two states in one solver.
struct Pair {
    terms: Terms,
    aig: Aig,
    blaster: Blaster,
    encoder: Encoder,
    solver: Box<dyn Solver>,
    /// From the first state to the second one.
    second: Substitution,
}

impl Pair {
    /// Two states, with terms of which variables are replaced in the second one.
    fn new(terms: Terms, variables: impl IntoIterator<Item = TermId>) -> Pair {
        let mut terms = terms;
        let replaced: Vec<(TermId, TermId)> = variables
            .into_iter()
            .map(|variable| {
                let width = terms.width(variable);
                (variable, terms.variable(width))
            })
            .collect();
        Pair {
            terms,
            aig: Aig::default(),
            blaster: Blaster::default(),
            encoder: Encoder::default(),
            solver: solver(),
            second: Substitution::new(replaced),
        }
    }

    /// A term in the second state.
    fn other(&mut self, term: TermId) -> TermId {
        self.second.term(&mut self.terms, term)
    }

    fn literal(&mut self, condition: TermId) -> Lit {
        let signal = self.blaster.word(&mut self.aig, &self.terms, condition)[0];
        self.encoder.literal(&mut *self.solver, &self.aig, signal)
    }

    /// Requires a condition in all queries.
    fn assume(&mut self, condition: TermId) {
        let literal = self.literal(condition);
        self.solver.clause(&[literal]);
    }

    /// Requires that a condition has the same value in both states.
    fn agree(&mut self, condition: TermId) {
        let other = self.other(condition);
        let same = self.terms.equal(condition, other);
        self.assume(same);
    }

    /// Whether a term may have different values in the two states, where further conditions hold.
    fn may_differ(&mut self, term: TermId, under: &[TermId], watch: &mut Watch<'_>) -> Result<bool, Stop> {
        let other = self.other(term);
        let same = self.terms.equal(term, other);
        let mut literals = vec![!self.literal(same)];
        for condition in under {
            literals.push(self.literal(*condition));
        }
        watch.solve(&mut *self.solver, &literals)
    }

    /// The number that a variable has in the states that were found.
    fn value(&mut self, term: TermId, is_signed: bool) -> i64 {
        let word = self.blaster.word(&mut self.aig, &self.terms, term);
        let mut value = 0u128;
        for (at, signal) in word.iter().enumerate() {
            let literal = self.encoder.known(*signal);
            // A bit without a literal influences nothing.
            let is_set = literal.is_some_and(|literal| self.solver.value(literal));
            value |= u128::from(is_set) << at;
        }
        if is_signed { signed(self.terms.width(term), value) as i64 } else { value as i64 }
    }
}

/// The conflicts of maps with the commands and bad conditions of a problem, at most one for each condition.
/// Variables without a map have the same value in both states.
///
/// # Errors
/// The search stopped.
pub fn conflicts(
    problem: &Problem,
    maps: &[Mapped],
    bads: &[usize],
    poll: Poll<'_>,
) -> Result<Vec<Conflict>, Stop> {
    let mut watch = Watch::new(&Limits::default(), poll);
    let states = &problem.system.states;
    let map_of = |of: u32| maps.iter().find(|mapped| mapped.variable == of);
    let mapped = maps.iter().map(|mapped| states[mapped.variable as usize].variable);
    // States differ in the mapped variables only.
    let mut pair = Pair::new(problem.system.terms.clone(), mapped);
    for mapped in maps {
        let state = &states[mapped.variable as usize];
        for condition in mapped.map.conditions(&mut pair.terms, state.ty.signed, state.variable) {
            pair.agree(condition);
        }
    }
    for fact in &problem.facts {
        let literals: Vec<TermId> = (fact.iter())
            .map(|literal| {
                let variable = states[literal.bit.of as usize].variable;
                let bit = pair.terms.extract(literal.bit.bit, 1, variable);
                if literal.value { bit } else { pair.terms.not(bit) }
            })
            .collect();
        let fact = pair.terms.balanced(literals);
        let other = pair.other(fact);
        pair.assume(fact);
        pair.assume(other);
    }
    let mut asked: Vec<(Site, Vec<TermId>, Vec<TermId>)> = Vec::new();
    for (index, command) in problem.commands.iter().enumerate().filter(|(_, of)| of.enabled != FALSE) {
        asked.push((Site::Guard(index as u32), vec![command.enabled], Vec::new()));
        for (of, value) in &command.updates {
            let state = &states[*of as usize];
            let parts = match map_of(*of) {
                Some(mapped) => mapped.map.conditions(&mut pair.terms, state.ty.signed, *value),
                None => vec![*value],
            };
            asked.push((Site::Value(index as u32, *of), parts, vec![command.enabled]));
        }
    }
    asked.extend(
        bads.iter().map(|bad| (Site::Bad(*bad), vec![problem.system.bads[*bad].condition], Vec::new())),
    );
    let mut found = Vec::new();
    for (site, parts, under) in asked {
        for part in parts {
            if pair.may_differ(part, &under, &mut watch)? {
                let variables = support(problem, &problem.system.terms, &sources(problem, site));
                let (mut first, mut second) = (Vec::new(), Vec::new());
                for of in &variables {
                    let state = &states[*of as usize];
                    let other = pair.other(state.variable);
                    first.push(pair.value(state.variable, state.ty.signed));
                    second.push(pair.value(other, state.ty.signed));
                }
                found.push(Conflict { site, variables, first, second });
                break;
            }
        }
    }
    Ok(found)
}

/// The terms of a site.
fn sources(problem: &Problem, site: Site) -> Vec<TermId> {
    match site {
        Site::Guard(command) => vec![problem.commands[command as usize].enabled],
        Site::Value(command, of) => {
            let command = &problem.commands[command as usize];
            let values = command.updates.iter().filter(|(own, _)| *own == of).map(|(_, value)| *value);
            values.chain([command.enabled]).collect()
        }
        Site::Bad(bad) => vec![problem.system.bads[bad].condition],
    }
}

/// Two pairs of operands of the same classes whose results are of different classes.
pub type Operands = ([i64; 2], [i64; 2]);

/// Whether a map is a congruence of an operator on numbers of some bits: the operands that show that it is
/// not, or none. For a comparison, the results are the two truth values.
///
/// # Errors
/// The search stopped.
pub fn operation(
    map: &Map,
    op: BinaryOp,
    width: u8,
    is_signed: bool,
    poll: Poll<'_>,
) -> Result<Option<Operands>, Stop> {
    let mut watch = Watch::new(&Limits::default(), poll);
    let mut terms = Terms::new();
    let operands = [terms.variable(width), terms.variable(width)];
    let mut pair = Pair::new(terms, operands);
    for operand in operands {
        for condition in map.conditions(&mut pair.terms, is_signed, operand) {
            pair.agree(condition);
        }
    }
    let result = pair.terms.binary(op, operands[0], operands[1]);
    let parts = match op.is_comparison() {
        true => vec![result],
        false => map.conditions(&mut pair.terms, is_signed, result),
    };
    for part in parts {
        if pair.may_differ(part, &[], &mut watch)? {
            let first = operands.map(|operand| pair.value(operand, is_signed));
            let others = operands.map(|operand| pair.other(operand));
            let second = others.map(|operand| pair.value(operand, is_signed));
            return Ok(Some((first, second)));
        }
    }
    Ok(None)
}
