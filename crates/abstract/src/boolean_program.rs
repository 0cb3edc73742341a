//! Boolean programs: the abstraction of a problem by predicates as a model of its own, in Promela.
//!
//! Each predicate is a `bool`, and each part of the state that is tracked by value (locations, control) a
//! variable. The commands of a process are the options of one loop. For a command, all combinations of the
//! values that can matter before it and of those after it are asked for; combinations with the same values
//! after the step are one option, whose guard is the disjunction of the cubes before it. Several options
//! for one state are the nondeterminism of the abstraction. A further process fails an assertion where a
//! bad condition may hold.
//!
//! Data that is kept ([`Composition`]) consists of variables of their own: conditions and values over them
//! are expressions, and a predicate over kept data alone is an expression in place of a variable.
//!
//! *Entry points:* [`BooleanProgram::new`]; `boolean_text.rs` writes it.
//! *Source:* Ball and Rajamani, "Boolean Programs: A Model and Process for Software Analysis", 2000; Graf and
//! Saidi, CAV 1997.
//! *Invariant:* each execution of the problem is one of the program, step by step: a bad condition without
//! a failing assertion is not reachable.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use axle_decide::model::Problem;
use axle_decide::sat::Lit;
use axle_decide::term::{FALSE, TermId, signed};
use axle_decide::watch::{Poll, Watch};
use axle_outcome::{Limits, Stop};
use axle_relation::{Part, Relation};
use rustc_hash::FxHashMap;

use crate::Options;
use crate::atoms::conjuncts;
use crate::boolean_text::{all, any};
use crate::cegar::Predicates;
use crate::composition::Composition;
use crate::cube::{Cube, Truth, merged};
use crate::display::text;
use crate::expression::{Read, Writer, number};
use crate::place::support;
use crate::post::Abstraction;
use crate::solver::Scope;
use crate::templates::Templates;
use crate::valuation::{Valuation, initial};

/// The most combinations of values of one command.
const MOST_COMBINATIONS: usize = 2_000;
/// The most decisions of a query.
const EFFORT: u64 = 10_000_000;
/// The most predicates whose values before a step distinguish its combinations.
const MOST_BEFORE: usize = 16;

/// A variable of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BooleanVariable {
    /// Its name.
    pub name: String,
    /// Its width; 1 for a predicate.
    pub bits: u8,
    /// Its initial value.
    pub initial: u64,
    /// The predicate, or the part of the state.
    pub meaning: String,
    /// How it has its value.
    pub form: Form,
}

/// How a variable has its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// It is stored: a predicate, or control.
    Stored,
    /// It is stored, and takes part in expressions; with whether its values have a sign.
    Kept(bool),
    /// No step changes it: expressions have its initial value in its place.
    Constant,
    /// A predicate over kept data: its name is the expression.
    Expression,
}

/// A variable that gets the value of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Computed {
    /// The variable, by its position.
    pub of: usize,
    /// The expression over the state before the step.
    pub value: String,
    /// The variables in it, by their positions.
    pub reads: Vec<usize>,
}

/// An option: a guard, and the variables with new values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BooleanOption {
    /// The condition, in Promela.
    pub guard: String,
    /// Variables, by their positions, with their values after the step.
    pub assignments: Vec<(usize, u64)>,
}

/// The options of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BooleanCommand {
    /// The group of the relation.
    pub group: u32,
    /// The number of the process.
    pub process: u32,
    /// The part of the guard about kept data, in Promela.
    pub exact: Vec<String>,
    /// The assignments to kept data, in every option.
    pub computed: Vec<Computed>,
    /// The options.
    pub options: Vec<BooleanOption>,
}

/// An abstraction as a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BooleanProgram {
    /// The variables.
    pub variables: Vec<BooleanVariable>,
    /// The commands.
    pub commands: Vec<BooleanCommand>,
    /// Bad conditions, by their positions, with the guards under which they may hold.
    pub bads: Vec<(usize, String)>,
    /// The bad conditions that depend on too many combinations of values: they may hold in any state.
    pub omitted: Vec<usize>,
    /// The processes that are not abstracted, by their numbers.
    pub concrete: Vec<u32>,
    /// The data of such processes that is abstracted, by its names in the model.
    pub abstracted: Vec<String>,
    /// How many steps are abstracted as those of other processes of their types.
    pub repeated: usize,
}

/// The values that a question distinguishes: variables of the program, some as terms after a step.
struct Projection {
    /// The variables that matter before the step.
    before: Vec<usize>,
    /// Variables that the step changes, with their terms over the state before it.
    after: Vec<(usize, TermId)>,
    /// Conjuncts of the guard as expressions.
    exact: Vec<String>,
    /// Variables that the step changes, with expressions.
    computed: Vec<Computed>,
}

/// One solution of a question: values before and after.
type Solution = (Vec<u64>, Vec<u64>);

/// A question: a condition, and the terms before and after.
type Question = (TermId, Vec<TermId>, Vec<TermId>);

impl BooleanProgram {
    /// The abstraction by predicates, with the bad conditions at these positions, where some data is kept.
    ///
    /// # Errors
    /// A command has too many combinations, or the computation must stop.
    pub fn new(
        problem: &Problem,
        relation: &Relation,
        predicates: &Predicates,
        composition: &Composition,
        bads: &[usize],
        poll: Poll<'_>,
    ) -> Result<BooleanProgram, Stop> {
        let mut watch = Watch::new(&Limits::default(), poll);
        let mut building = Building::new(problem, relation, predicates, composition);
        let mut commands = Vec::new();
        for (group, command) in problem.commands.iter().enumerate().filter(|(_, of)| of.enabled != FALSE) {
            let projection = building.of_command(command.enabled, &command.updates);
            let found = building.solutions(command.enabled, &projection, &mut watch)?;
            let options = building.options(&projection, found.ok_or(Stop::Predicates)?);
            let (process, _) = problem.selector(group as u32);
            if !options.is_empty() {
                let Projection { exact, computed, .. } = projection;
                commands.push(BooleanCommand { group: group as u32, process, exact, computed, options });
            }
        }
        let (mut may_hold, mut omitted) = (Vec::new(), Vec::new());
        for bad in bads {
            let condition = problem.system.bads[*bad].condition;
            let projection = building.of_command(condition, &[]);
            match building.solutions(condition, &projection, &mut watch)? {
                None => {
                    omitted.push(*bad);
                    may_hold.push((*bad, "true".to_owned()));
                }
                Some(found) => {
                    let options = building.options(&projection, found);
                    let guards = options
                        .into_iter()
                        .map(|option| all(projection.exact.iter().cloned().chain([option.guard])));
                    may_hold.extend(guards.map(|guard| (*bad, guard)));
                }
            }
        }
        let named = |of: &u32| problem.system.states[*of as usize].name.clone();
        Ok(BooleanProgram {
            variables: building.variables,
            commands,
            bads: may_hold,
            omitted,
            concrete: composition.concrete.clone(),
            abstracted: composition.abstracted.iter().map(named).collect(),
            repeated: building.repeated,
        })
    }
}

/// A program under construction.
struct Building<'p> {
    abstraction: Abstraction<'p>,
    /// The variables: those that are tracked first, then one for each predicate.
    variables: Vec<BooleanVariable>,
    templates: Templates,
    /// The solutions of questions about the first processes of their types.
    known: FxHashMap<Question, Vec<Solution>>,
    /// How many questions were those about another process.
    repeated: usize,
}

impl<'p> Building<'p> {
    fn new(
        problem: &'p Problem,
        relation: &Relation,
        predicates: &Predicates,
        composition: &Composition,
    ) -> Building<'p> {
        let options = Options { kept: composition.kept.clone(), ..Options::default() };
        let mut abstraction = Abstraction::new(problem, relation, &options);
        abstraction.formulas.terms = predicates.terms.clone();
        abstraction.formulas.effort = EFFORT;
        let start = initial(problem);
        let stores = |of: u32, initial: u64| {
            let updates = problem.commands.iter().flat_map(|command| &command.updates);
            let mut own = updates.filter(|(changed, _)| *changed == of);
            own.any(|(_, value)| problem.system.terms.value(*value) != Some(u128::from(initial)))
        };
        let mut names = BTreeSet::new();
        let variables: Vec<BooleanVariable> = (abstraction.places.variables.iter())
            .map(|of| {
                let state = &problem.system.states[*of as usize];
                let (initial, is_kept) = (start[*of as usize], composition.kept.contains(of));
                let form = match is_kept {
                    _ if !stores(*of, initial) => Form::Constant,
                    true => Form::Kept(state.ty.signed),
                    false => Form::Stored,
                };
                let name = match is_kept {
                    true => kept_name(&state.name, &mut names),
                    false => tracked_name(&relation.variables.list()[*of as usize].part),
                };
                BooleanVariable { name, bits: state.ty.bits, initial, meaning: state.name.clone(), form }
            })
            .collect();
        let mut valuation = Valuation::new(problem);
        valuation.begin(&abstraction.formulas.terms);
        let is_fixed = |of: u32| {
            let at = abstraction.places.tracks(of);
            at.is_some_and(|at| variables[at].form == Form::Constant)
        };
        let (templates, known) = (Templates::new(problem, relation, &is_fixed), FxHashMap::default());
        let mut building = Building { abstraction, variables, templates, known, repeated: 0 };
        for predicate in &predicates.list {
            let Abstraction { predicates: own, formulas, .. } = &mut building.abstraction;
            if !own.add(problem, &mut formulas.terms, *predicate) {
                continue;
            }
            let is_initial = valuation.holds(&formulas.terms, &start, *predicate);
            let meaning = text(&problem.system, &formulas.terms, *predicate);
            let name = format!("p{}", own.list.len());
            let (name, form) = match building.expression(*predicate) {
                Some((expression, reads)) if building.reads_kept(&reads) => (expression, Form::Expression),
                _ => (name, Form::Stored),
            };
            building.variables.push(BooleanVariable {
                name,
                bits: 1,
                initial: is_initial.into(),
                meaning,
                form,
            });
        }
        building
    }

    /// The number of variables that are tracked by value.
    fn tracked(&self) -> usize {
        self.abstraction.places.variables.len()
    }

    /// Whether one of the variables is kept.
    fn reads_kept(&self, reads: &[usize]) -> bool {
        reads.iter().any(|of| matches!(self.variables[*of].form, Form::Kept(_)))
    }

    /// A term over tracked variables as an expression, with those that it reads.
    fn expression(&self, term: TermId) -> Option<(String, Vec<usize>)> {
        self.written(term, false)
    }

    /// The same as the value of a variable with or without sign.
    fn written(&self, term: TermId, is_signed: bool) -> Option<(String, Vec<usize>)> {
        let reads = RefCell::new(BTreeSet::new());
        let read = |id: TermId| {
            let at = self.abstraction.places.position(id)?;
            let variable = &self.variables[at];
            let state =
                &self.abstraction.problem.system.states[self.abstraction.places.variables[at] as usize];
            if variable.form == Form::Constant {
                let is_signed = state.ty.signed;
                let text = value_text(variable.initial, variable.bits, is_signed);
                return Some(Read { text, is_signed });
            }
            reads.borrow_mut().insert(at);
            Some(Read { text: variable.name.clone(), is_signed: state.ty.signed })
        };
        let writer = Writer::new(&self.abstraction.formulas.terms, &read);
        let text = writer.stored(term, is_signed)?;
        Some((text, reads.into_inner().into_iter().collect()))
    }

    /// The values that matter for a guard and updates.
    fn of_command(&mut self, guard: TermId, updates: &[(u32, TermId)]) -> Projection {
        let (problem, tracked) = (self.abstraction.problem, self.tracked());
        let (mut exact, mut roots) = (Vec::new(), Vec::new());
        for part in conjuncts(&mut self.abstraction.formulas.terms, guard) {
            match self.expression(part) {
                Some((text, reads)) if self.reads_kept(&reads) => exact.push(text),
                _ => roots.push(part),
            }
        }
        let (mut after, mut computed) = (Vec::new(), Vec::new());
        for (of, value) in updates {
            let Some(at) = self.abstraction.places.tracks(*of) else { continue };
            let is_number = self.abstraction.formulas.terms.value(*value).is_some();
            match self.variables[at].form {
                Form::Constant | Form::Expression => {}
                Form::Kept(is_signed) if !is_number => match self.written(*value, is_signed) {
                    Some((value, reads)) => computed.push(Computed { of: at, value, reads }),
                    None => after.push((at, *value)),
                },
                Form::Kept(_) | Form::Stored => after.push((at, *value)),
            }
        }
        let mut data = Vec::new();
        let mut wp = crate::wp::Wp::of(&problem.system, guard, updates);
        for at in 0..self.abstraction.predicates.list.len() {
            let is_changed =
                updates.iter().any(|(of, _)| self.abstraction.predicates.supports[at].contains(of));
            if is_changed && self.variables[tracked + at].form == Form::Stored {
                data.extend(&self.abstraction.predicates.supports[at]);
                let predicate = self.abstraction.predicates.list[at];
                after.push((tracked + at, wp.after(&mut self.abstraction.formulas.terms, predicate)));
            }
        }
        roots.extend(after.iter().map(|(_, term)| *term));
        let reads = support(problem, &self.abstraction.formulas.terms, &roots);
        let mut before = Vec::new();
        for of in reads {
            match self.abstraction.places.tracks(of) {
                Some(at) if self.variables[at].form == Form::Stored => before.push(at),
                Some(at) if self.variables[at].form == Form::Constant => {}
                _ => data.push(of),
            }
        }
        let touches =
            |at: &usize| self.abstraction.predicates.supports[*at].iter().any(|of| data.contains(of));
        let relevant = (0..self.abstraction.predicates.list.len()).filter(touches).take(MOST_BEFORE);
        before.extend(relevant.map(|at| tracked + at));
        Projection { before, after, exact, computed }
    }

    /// The literals of a value: one for each bit.
    fn literals(&mut self, term: TermId) -> Vec<Lit> {
        let formulas = &mut self.abstraction.formulas;
        let width = formulas.terms.width(term);
        let bits: Vec<TermId> = match width {
            1 => vec![term],
            _ => (0..width).map(|bit| formulas.terms.extract(bit, 1, term)).collect(),
        };
        bits.into_iter().map(|bit| formulas.literal_of(Scope::States, bit)).collect()
    }

    /// The term of a variable before a step.
    fn term(&self, variable: usize) -> TermId {
        let tracked = self.tracked();
        match variable.checked_sub(tracked) {
            Some(predicate) => self.abstraction.predicates.list[predicate],
            None => {
                let of = self.abstraction.places.variables[variable];
                self.abstraction.problem.system.states[of as usize].variable
            }
        }
    }

    /// All combinations of values where a condition holds; none if they are too many. Steps of processes of one
    /// type are asked about once.
    fn solutions(
        &mut self,
        condition: TermId,
        projection: &Projection,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Solution>>, Stop> {
        let before: Vec<TermId> = projection.before.iter().map(|of| self.term(*of)).collect();
        let after: Vec<TermId> = projection.after.iter().map(|(_, term)| *term).collect();
        let question = self.question(condition, &before, &after);
        let order = |terms: &[TermId]| {
            let mut order: Vec<usize> = (0..terms.len()).collect();
            order.sort_by_key(|at| terms[*at]);
            order
        };
        let orders = question.as_ref().map(|(.., before, after)| (order(before), order(after)));
        let sorted = question.map(|(condition, mut before, mut after)| {
            before.sort_unstable();
            after.sort_unstable();
            (condition, before, after)
        });
        if let (Some(sorted), Some((first, last))) = (&sorted, &orders)
            && let Some(known) = self.known.get(sorted)
        {
            self.repeated += 1;
            let own = |values: &[u64], order: &[usize]| {
                let mut own = vec![0; values.len()];
                order.iter().zip(values).for_each(|(at, value)| own[*at] = *value);
                own
            };
            let all = known.iter().map(|(before, after)| (own(before, first), own(after, last)));
            return Ok(Some(all.collect()));
        }
        let found = self.new_solutions(condition, projection, watch)?;
        if let (Some(sorted), Some((first, last)), Some(found)) = (sorted, orders, &found) {
            let by = |values: &[u64], order: &[usize]| order.iter().map(|at| values[*at]).collect();
            let all = found.iter().map(|(before, after)| (by(before, &first), by(after, &last)));
            self.known.insert(sorted, all.collect());
        }
        Ok(found)
    }

    /// A question in terms of the first processes of their types; none if it cannot be put so.
    fn question(&mut self, condition: TermId, before: &[TermId], after: &[TermId]) -> Option<Question> {
        let problem = self.abstraction.problem;
        let terms = &mut self.abstraction.formulas.terms;
        let roots: Vec<TermId> = [condition].iter().chain(before).chain(after).copied().collect();
        let mut renamed = self.templates.renamed(problem, terms, &roots)?;
        let after = renamed.split_off(1 + before.len());
        let before = renamed.split_off(1);
        Some((renamed[0], before, after))
    }

    fn new_solutions(
        &mut self,
        condition: TermId,
        projection: &Projection,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Solution>>, Stop> {
        let before: Vec<Vec<Lit>> =
            projection.before.iter().map(|of| self.literals(self.term(*of))).collect();
        let after: Vec<Vec<Lit>> = projection.after.iter().map(|(_, term)| self.literals(*term)).collect();
        let scope = Scope::States;
        let mut assumed = self.literals(condition);
        let constant = |at: &usize| self.variables[*at].form == Form::Constant;
        let constants: Vec<usize> = (0..self.tracked()).filter(constant).collect();
        for at in constants {
            let (term, initial) = (self.term(at), self.variables[at].initial);
            let terms = &mut self.abstraction.formulas.terms;
            let value = terms.constant(self.variables[at].bits, u128::from(initial));
            let keeps = terms.equal(term, value);
            assumed.extend(self.literals(keeps));
        }
        let formulas = &mut self.abstraction.formulas;
        let switch = formulas.switch(scope);
        assumed.push(switch);
        let mut found = Vec::new();
        loop {
            match formulas.query(scope, &assumed, watch)? {
                Some(true) => {}
                Some(false) => break,
                None => {
                    formulas.forget(scope, switch);
                    return Ok(None);
                }
            }
            let mut clause = vec![!switch];
            let mut values = |words: &[Vec<Lit>]| -> Vec<u64> {
                let value = |word: &Vec<Lit>| {
                    word.iter().enumerate().fold(0, |value, (bit, literal)| {
                        let is_set = formulas.value(scope, *literal);
                        clause.push(literal.negated_if(is_set));
                        value | u64::from(is_set) << bit
                    })
                };
                words.iter().map(value).collect()
            };
            let solution = (values(&before), values(&after));
            formulas.clause(scope, &clause);
            found.push(solution);
            if found.len() > MOST_COMBINATIONS {
                formulas.forget(scope, switch);
                return Ok(None);
            }
        }
        formulas.forget(scope, switch);
        Ok(Some(found))
    }

    /// The options of solutions: one for each combination of values after the step.
    fn options(&self, projection: &Projection, found: Vec<Solution>) -> Vec<BooleanOption> {
        let tracked = self.tracked();
        let mut by_result: BTreeMap<Vec<u64>, BTreeMap<Vec<u64>, Vec<Cube>>> = BTreeMap::new();
        let split = projection.before.iter().position(|of| *of >= tracked).unwrap_or(projection.before.len());
        for (before, after) in found {
            let (places, cube) = before.split_at(split);
            let cube = cube.iter().map(|value| Truth::of(*value == 1)).collect();
            by_result.entry(after).or_default().entry(places.to_vec()).or_default().push(cube);
        }
        let option = |(after, places): (Vec<u64>, BTreeMap<Vec<u64>, Vec<Cube>>)| {
            // Places with the same cubes are one part of the guard.
            let mut by_cubes: BTreeMap<Vec<Cube>, Vec<Vec<u64>>> = BTreeMap::new();
            for (place, cubes) in places {
                by_cubes.entry(merged(cubes)).or_default().push(place);
            }
            let parts: Vec<String> = (by_cubes.into_iter())
                .map(|(cubes, places)| {
                    let places = any(places.iter().map(|place| {
                        let equalities = projection.before.iter().zip(place);
                        all(equalities.map(|(of, value)| format!("{} == {value}", self.variables[*of].name)))
                    }));
                    let cubes = any(cubes.iter().map(|cube| {
                        let literals = projection.before[split..].iter().zip(cube);
                        all(literals.filter_map(|(of, truth)| {
                            let name = &self.variables[*of].name;
                            truth.known().map(|value| if value { name.clone() } else { format!("!{name}") })
                        }))
                    }));
                    all([places, cubes].into_iter().filter(|part| part != "true"))
                })
                .collect();
            let assignments = projection.after.iter().map(|(of, _)| *of).zip(after).collect();
            BooleanOption { guard: any(parts), assignments }
        };
        by_result.into_iter().map(option).collect()
    }
}

/// The name of a part of the state.
fn tracked_name(part: &Part) -> String {
    match part {
        Part::Location(slot) => format!("at_{slot}"),
        Part::Type(slot) => format!("type_{slot}"),
        Part::Count => "processes".to_owned(),
        Part::Control => "in_control".to_owned(),
        _ => "is_deterministic".to_owned(),
    }
}

/// The name of kept data, which differs from those before.
fn kept_name(name: &str, known: &mut BTreeSet<String>) -> String {
    let plain: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    let mut name = format!("v_{}", plain.trim_end_matches('_'));
    while !known.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// A value of a variable as a number.
pub(crate) fn value_text(value: u64, bits: u8, is_signed: bool) -> String {
    match is_signed {
        true => number(signed(bits, u128::from(value)) as i64),
        false => number(value as i64),
    }
}
