//! Boolean programs: the abstraction of a problem by predicates as a model of its own, in Promela.
//!
//! Each predicate is a `bool`, and each part of the state that is tracked by value (locations, control) a
//! variable. The commands of a process are the options of one loop. For a command, all combinations of the
//! values that can matter before it and of those after it are asked for; combinations with the same values
//! after the step are one option, whose guard is the disjunction of the cubes before it. Several options
//! for one state are the nondeterminism of the abstraction. A further process fails an assertion where a
//! bad condition may hold.
//!
//! *Entry point:* [`BooleanProgram::new`].
//! *Source:* Ball and Rajamani, "Boolean Programs: A Model and Process for Software Analysis", 2000; Graf and
//! Saidi, CAV 1997.
//! *Invariant:* each execution of the problem is one of the program, step by step: a bad condition without
//! a failing assertion is not reachable.

use std::collections::BTreeMap;
use std::fmt::Write;

use axle_decide::model::Problem;
use axle_decide::sat::Lit;
use axle_decide::term::{FALSE, TermId};
use axle_decide::watch::{Poll, Watch};
use axle_outcome::{Limits, Stop};
use axle_relation::{Part, Relation};

use crate::Options;
use crate::cegar::Predicates;
use crate::cube::{Cube, Truth, merged};
use crate::display::text;
use crate::place::support;
use crate::post::Abstraction;
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
    /// The options.
    pub options: Vec<BooleanOption>,
}

/// An abstraction as a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BooleanProgram {
    /// The variables.
    pub variables: Vec<BooleanVariable>,
    /// For the first variables, whether they keep their value: no guard refers to them.
    pub is_constant: Vec<bool>,
    /// The commands.
    pub commands: Vec<BooleanCommand>,
    /// Bad conditions, by their positions, with the guards under which they may hold.
    pub bads: Vec<(usize, String)>,
    /// The bad conditions that depend on too many combinations of values: they may hold in any state.
    pub omitted: Vec<usize>,
}

/// The values that a question distinguishes: variables of the program, some as terms after a step.
struct Projection {
    /// The variables that matter before the step.
    before: Vec<usize>,
    /// Variables that the step changes, with their terms over the state before it.
    after: Vec<(usize, TermId)>,
}

/// One solution of a question: values before and after.
type Solution = (Vec<u64>, Vec<u64>);

impl BooleanProgram {
    /// The abstraction by predicates, with the bad conditions at these positions.
    ///
    /// # Errors
    /// A command has too many combinations, or the computation must stop.
    pub fn new(
        problem: &Problem,
        relation: &Relation,
        predicates: &Predicates,
        bads: &[usize],
        poll: Poll<'_>,
    ) -> Result<BooleanProgram, Stop> {
        let mut watch = Watch::new(&Limits::default(), poll);
        let mut building = Building::new(problem, relation, predicates);
        let mut commands = Vec::new();
        for (group, command) in problem.commands.iter().enumerate().filter(|(_, of)| of.enabled != FALSE) {
            let projection = building.of_command(command.enabled, &command.updates);
            let found = building.solutions(command.enabled, &projection, &mut watch)?;
            let options = building.options(&projection, found.ok_or(Stop::Predicates)?);
            let (process, _) = problem.selector(group as u32);
            if !options.is_empty() {
                commands.push(BooleanCommand { group: group as u32, process, options });
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
                    may_hold.extend(options.into_iter().map(|option| (*bad, option.guard)));
                }
            }
        }
        let is_constant = building.is_constant;
        Ok(BooleanProgram { variables: building.variables, is_constant, commands, bads: may_hold, omitted })
    }
}

/// A program under construction.
struct Building<'p> {
    abstraction: Abstraction<'p>,
    /// The variables: those that are tracked first, then one for each predicate.
    variables: Vec<BooleanVariable>,
    /// For each variable that is tracked, whether it keeps its initial value.
    is_constant: Vec<bool>,
}

impl<'p> Building<'p> {
    fn new(problem: &'p Problem, relation: &Relation, predicates: &Predicates) -> Building<'p> {
        let mut abstraction = Abstraction::new(problem, relation, &Options::default());
        abstraction.formulas.terms = predicates.terms.clone();
        abstraction.formulas.effort = EFFORT;
        let start = initial(problem);
        let mut variables: Vec<BooleanVariable> = (abstraction.places.variables.iter())
            .map(|of| {
                let state = &problem.system.states[*of as usize];
                BooleanVariable {
                    name: tracked_name(&relation.variables.list()[*of as usize].part),
                    bits: state.ty.bits,
                    initial: start[*of as usize],
                    meaning: state.name.clone(),
                }
            })
            .collect();
        let stores = |of: u32, initial: u64| {
            let updates = problem.commands.iter().flat_map(|command| &command.updates);
            let mut own = updates.filter(|(changed, _)| *changed == of);
            own.any(|(_, value)| problem.system.terms.value(*value) != Some(u128::from(initial)))
        };
        let tracked = abstraction.places.variables.iter().zip(&variables);
        let is_constant = tracked.map(|(of, variable)| !stores(*of, variable.initial)).collect();
        let mut valuation = Valuation::new(problem);
        valuation.begin(&abstraction.formulas.terms);
        for predicate in &predicates.list {
            if !abstraction.predicates.add(problem, &mut abstraction.formulas.terms, *predicate) {
                continue;
            }
            let terms = &abstraction.formulas.terms;
            let is_initial = valuation.holds(terms, &start, *predicate);
            let name = format!("p{}", abstraction.predicates.list.len());
            let meaning = text(&problem.system, terms, *predicate);
            variables.push(BooleanVariable { name, bits: 1, initial: u64::from(is_initial), meaning });
        }
        Building { abstraction, variables, is_constant }
    }

    /// The number of variables that are tracked by value.
    fn tracked(&self) -> usize {
        self.abstraction.places.variables.len()
    }

    /// The values that matter for a guard and updates.
    fn of_command(&mut self, guard: TermId, updates: &[(u32, TermId)]) -> Projection {
        let (problem, tracked) = (self.abstraction.problem, self.tracked());
        let mut roots: Vec<TermId> = updates.iter().map(|(_, value)| *value).collect();
        roots.push(guard);
        let reads = support(problem, &self.abstraction.formulas.terms, &roots);
        let mut before: Vec<usize> =
            reads.iter().filter_map(|of| self.abstraction.places.tracks(*of)).collect();
        before.retain(|at| !self.is_constant[*at]);
        let mut after = Vec::new();
        let mut data: Vec<u32> =
            reads.into_iter().filter(|of| self.abstraction.places.tracks(*of).is_none()).collect();
        for (of, value) in updates {
            if let Some(at) = self.abstraction.places.tracks(*of).filter(|at| !self.is_constant[*at]) {
                after.push((at, *value));
            }
        }
        let mut wp = crate::wp::Wp::of(&problem.system, guard, updates);
        for at in 0..self.abstraction.predicates.list.len() {
            let is_changed =
                updates.iter().any(|(of, _)| self.abstraction.predicates.supports[at].contains(of));
            if is_changed {
                data.extend(&self.abstraction.predicates.supports[at]);
                let predicate = self.abstraction.predicates.list[at];
                after.push((tracked + at, wp.after(&mut self.abstraction.formulas.terms, predicate)));
            }
        }
        let touches =
            |at: &usize| self.abstraction.predicates.supports[*at].iter().any(|of| data.contains(of));
        let relevant = (0..self.abstraction.predicates.list.len()).filter(touches).take(MOST_BEFORE);
        before.extend(relevant.map(|at| tracked + at));
        Projection { before, after }
    }

    /// The literals of a value: one for each bit.
    fn literals(&mut self, term: TermId) -> Vec<Lit> {
        let formulas = &mut self.abstraction.formulas;
        let width = formulas.terms.width(term);
        let bits: Vec<TermId> = match width {
            1 => vec![term],
            _ => (0..width).map(|bit| formulas.terms.extract(bit, 1, term)).collect(),
        };
        bits.into_iter().map(|bit| formulas.literal(bit)).collect()
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

    /// All combinations of values where a condition holds; none if they are too many.
    fn solutions(
        &mut self,
        condition: TermId,
        projection: &Projection,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Solution>>, Stop> {
        let before: Vec<Vec<Lit>> =
            projection.before.iter().map(|of| self.literals(self.term(*of))).collect();
        let after: Vec<Vec<Lit>> = projection.after.iter().map(|(_, term)| self.literals(*term)).collect();
        let mut assumed = vec![self.abstraction.formulas.literal(condition)];
        for at in (0..self.tracked()).filter(|at| self.is_constant[*at]) {
            let (term, initial) = (self.term(at), self.variables[at].initial);
            let terms = &mut self.abstraction.formulas.terms;
            let value = terms.constant(self.variables[at].bits, u128::from(initial));
            let keeps = terms.equal(term, value);
            assumed.push(self.abstraction.formulas.literal(keeps));
        }
        let formulas = &mut self.abstraction.formulas;
        let switch = formulas.switch();
        assumed.push(switch);
        let mut found = Vec::new();
        loop {
            match formulas.query(&assumed, watch)? {
                Some(true) => {}
                Some(false) => break,
                None => {
                    formulas.forget(switch);
                    return Ok(None);
                }
            }
            let mut clause = vec![!switch];
            let mut values = |words: &[Vec<Lit>]| -> Vec<u64> {
                let value = |word: &Vec<Lit>| {
                    word.iter().enumerate().fold(0, |value, (bit, literal)| {
                        let is_set = formulas.value(*literal);
                        clause.push(literal.negated_if(is_set));
                        value | u64::from(is_set) << bit
                    })
                };
                words.iter().map(value).collect()
            };
            let solution = (values(&before), values(&after));
            formulas.clause(&clause);
            found.push(solution);
            if found.len() > MOST_COMBINATIONS {
                formulas.forget(switch);
                return Ok(None);
            }
        }
        formulas.forget(switch);
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

/// A conjunction in Promela.
fn all(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    match &parts[..] {
        [] => "true".to_owned(),
        [one] => one.clone(),
        _ => parts.join(" && "),
    }
}

/// The most operands of a disjunction before it is divided: the height of expressions is bounded.
const MOST_OPERANDS: usize = 64;

/// A disjunction in Promela, with parentheses.
fn any(parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    parts.dedup();
    if parts.len() > MOST_OPERANDS {
        let groups: Vec<String> = parts.chunks(MOST_OPERANDS).map(|part| any(part.to_vec())).collect();
        return any(groups);
    }
    match &parts[..] {
        [] => "false".to_owned(),
        [one] => one.clone(),
        _ if parts.iter().any(|part| part == "true") => "true".to_owned(),
        _ => format!("({})", parts.join(" || ")),
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

/// Names of the processes and texts of the statements of a program.
pub trait Labels {
    /// The name of a process, for the comment.
    fn process(&self, process: u32) -> String;
    /// The statement of a group, with its place.
    fn statement(&self, group: u32) -> String;
    /// The bad condition at a position.
    fn bad(&self, bad: usize) -> String;
}

impl BooleanProgram {
    /// The program in Promela.
    #[must_use]
    pub fn promela(&self, heading: &str, labels: &dyn Labels) -> String {
        let safe = |text: &str| text.replace("*/", "* /").replace("/*", "/ *").replace('\n', " ");
        let mut out = String::new();
        let mut line = |text: String| writeln!(out, "{text}").expect("a string accepts all text");
        line(format!("/* {} */", safe(heading)));
        for bad in &self.omitted {
            line(format!(
                "/* Not computed, since it depends on too many values, and so possible in every state: {} */",
                safe(&labels.bad(*bad))
            ));
        }
        for (at, variable) in self.variables.iter().enumerate() {
            if self.is_constant.get(at) == Some(&true) {
                continue;
            }
            let ty = match variable.bits {
                1 => "bool",
                2..=8 => "byte",
                9..=15 => "short",
                _ => "int",
            };
            let meaning = safe(&variable.meaning);
            line(format!("{ty} {} = {}; /* {meaning} */", variable.name, variable.initial));
        }
        let mut of_processes: BTreeMap<u32, Vec<&BooleanCommand>> = BTreeMap::new();
        for command in &self.commands {
            of_processes.entry(command.process).or_default().push(command);
        }
        for (process, commands) in of_processes {
            line(format!("active proctype process_{process}() /* {} */", safe(&labels.process(process))));
            line("{\nend:\tdo".to_owned());
            for command in commands {
                line(format!("\t/* {} */", safe(&labels.statement(command.group))));
                for option in &command.options {
                    let mut statement = option.guard.clone();
                    for (of, value) in &option.assignments {
                        write!(statement, "; {} = {value}", self.variables[*of].name)
                            .expect("a string accepts all text");
                    }
                    line(format!("\t:: d_step {{ {statement} }}"));
                }
            }
            line("\tod\n}".to_owned());
        }
        if self.commands.is_empty() && self.bads.is_empty() {
            line("init { skip } /* no step is executable */".to_owned());
        }
        if !self.bads.is_empty() {
            line("active proctype errors()\n{\nend:\tdo".to_owned());
            for (bad, guard) in &self.bads {
                line(format!("\t:: {guard} -> assert(false) /* {} */", safe(&labels.bad(*bad))));
            }
            line("\tod\n}".to_owned());
        }
        out
    }
}
