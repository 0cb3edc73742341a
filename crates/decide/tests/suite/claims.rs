//! Exported claims: the monitors, justice and fairness signals of files against the claim and the relation,
//! along random walks.

use std::collections::HashMap;

use axle_decide::answer::Answer;
use axle_decide::bmc;
use axle_decide::circuit::Circuit;
use axle_decide::export::{aiger_ascii, aiger_binary, btor2};
use axle_decide::model::{Acceptance, Observed, Problem};
use axle_decide::system::Cause;
use axle_outcome::claim::{Cube, Edge, Guard, Literal, Location};
use axle_outcome::{Claim, Limits, Stop};
use axle_relation::{Action, Evaluation, Options, Proposition, Relation};

use crate::cases;
use crate::exports::{Aiger, Btor2, Machine};
use crate::models::random_models;
use crate::random::Random;

/// The propositions of the claims.
const ATOMS: [Proposition; 2] = [Proposition::Holds(axle_model::Expr::NonProgress), Proposition::Accepting];

fn random_claim(random: &mut Random) -> Claim {
    let (count, sets) = (1 + random.below(3), random.below(3) as u32);
    let cube = |random: &mut Random| {
        let literal =
            |random: &mut Random| Literal { atom: random.below(2) as u32, holds: random.below(2) == 0 };
        Cube((0..random.below(2)).map(|_| literal(random)).collect())
    };
    let locations = (0..count)
        .map(|_| Location {
            edges: (0..1 + random.below(3))
                .map(|_| Edge {
                    guard: Guard(vec![cube(random)]),
                    asserts: None,
                    to: random.below(count) as u32,
                    marks: random.below(1 << sets),
                })
                .collect(),
            end: false,
        })
        .collect();
    let initial = if random.below(3) == 0 { (0..count as u32).collect() } else { vec![0] };
    Claim { locations, initial, sets, atoms: 2 }
}

/// The edges that leave a location of the monitor: behind the others there is one for those before all
/// initial locations.
fn edges(claim: &Claim, location: u32) -> Vec<&Edge> {
    let count = claim.locations.len() as u32;
    match location {
        at if at < count => claim.locations[at as usize].edges.iter().collect(),
        at if at == count => Vec::new(),
        _ => {
            let from = |at: &u32| claim.initial.contains(at);
            claim.edges().filter(|(at, _)| from(at)).map(|(_, edge)| edge).collect()
        }
    }
}

/// Walks at random through a machine beside the model and the claim. Returns how often signals held.
fn walk(
    machine: &mut dyn Machine,
    problem: &Problem,
    relation: &Relation,
    claim: &Claim,
    random: &mut Random,
) -> Result<usize, String> {
    let mut state = relation.initial.clone();
    let mut location = match claim.initial[..] {
        [initial] => initial,
        _ => claim.locations.len() as u32 + 1,
    };
    let (mut evaluation, mut held) = (Evaluation::default(), 0);
    for step in 0..16 {
        let here = machine.values().get("_claim(own)").copied().unwrap_or_default();
        if here != location.into() {
            return Err(format!("step {step}: the claim is at {here}, not {location}"));
        }
        evaluation.begin(&relation.terms);
        let mut holds = |condition| evaluation.holds(&relation.terms, &state, condition);
        let executable = |group: &axle_relation::Group| (group.enabled, group.beyond);
        let mut enabled: Vec<usize> = Vec::new();
        for (index, group) in relation.groups.iter().enumerate() {
            let (can, beyond) = executable(group);
            if holds(can) && !holds(beyond) {
                enabled.push(index);
            }
        }
        let is_outside = relation.variables.control().is_none_or(|(control, _)| state[control.index()] == 0);
        let is_blocked = holds(relation.blocked);
        let letter = relation.propositions.iter().enumerate();
        let letter = letter.fold(0, |bits, (atom, condition)| bits | u64::from(holds(*condition)) << atom);
        let group = (!enabled.is_empty()).then(|| enabled[random.below(enabled.len() as u64) as usize]);
        let all = edges(claim, location);
        let choice = random.below(all.len().max(1) as u64) as usize;
        let mut inputs: HashMap<String, u128> = HashMap::from([("_edge(own)".to_owned(), choice as u128)]);
        let selected = group.map_or((u32::MAX, u32::MAX), |group| problem.selector(group as u32));
        if group.is_some() {
            inputs.insert("_process".to_owned(), selected.0.into());
            inputs.insert("_alternative".to_owned(), selected.1.into());
        }
        let moves = is_blocked || is_outside && group.is_some();
        let edge = all.get(choice).filter(|edge| moves && edge.guard.holds(&[letter]));
        let marks: Vec<bool> = match claim.sets {
            0 => vec![edge.is_some()],
            sets => (0..sets).map(|set| edge.is_some_and(|edge| edge.marks >> set & 1 == 1)).collect(),
        };
        let (justice, fairness) = machine.signals(&inputs);
        if justice != [("own".to_owned(), marks.clone())] {
            return Err(format!("step {step}: {justice:?}, not {marks:?}"));
        }
        held += marks.iter().filter(|holds| **holds).count();
        let own = |group: &usize, pid: u32| match relation.groups[*group].action {
            Action::Step { by, partner, .. } => by.pid == pid || partner.is_some_and(|of| of.pid == pid),
            Action::Release(_) => false,
        };
        if relation.variables.control().is_none() && !fairness.is_empty() {
            let pids = 0..relation.variables.slots.len() as u32;
            let due = |pid: u32| enabled.iter().any(|group| own(group, pid));
            let expected: Vec<bool> =
                pids.map(|pid| !due(pid) || group.is_some_and(|group| own(&group, pid))).collect();
            // Conditions that always hold are left out.
            let unmet = |signals: &[bool]| signals.iter().filter(|holds| !**holds).count();
            if unmet(&fairness) != unmet(&expected) {
                return Err(format!("step {step}: fairness {fairness:?}, not {expected:?}"));
            }
        }
        if moves {
            location = edge.map_or(claim.locations.len() as u32, |edge| edge.to);
        }
        let Some(group) = group else {
            if !is_blocked {
                break;
            }
            machine.step(&inputs);
            continue;
        };
        let mut next = state.clone();
        for (variable, value) in &relation.groups[group].updates {
            next[variable.index()] = evaluation.value(&relation.terms, &state, *value);
        }
        machine.step(&inputs);
        state = next;
    }
    Ok(held)
}

#[test]
fn exported_claims_are_those_of_the_model() {
    let mut random = Random::new(4711);
    let (mut wrong, mut held, mut models) = (Vec::new(), 0, 0);
    for (name, model) in random_models(29, cases("AXLE_DECIDE_EXPORTS", 80)) {
        let options = Options { processes: 6, terms: 12_000, ..Options::default() };
        let Ok(mut relation) = Relation::with_propositions(&model, &options, &ATOMS) else { continue };
        let claim = random_claim(&mut random);
        let Ok(conditions) = relation.conditions(&claim) else { continue };
        let observed = [Observed { name: "own", claim: &claim, conditions: &conditions }];
        let problem = Problem::with_claims(&model, &relation, &observed, Acceptance::Justice, true);
        let all: Vec<usize> = (0..problem.system.bads.len()).collect();
        let circuit = Circuit::whole(&problem.system, &all);
        let ascii = aiger_ascii(&problem.system, &circuit);
        let machines: [(&str, Box<dyn Machine>); 3] = [
            ("aag", Box::new(Aiger::read(ascii.as_bytes()))),
            ("aig", Box::new(Aiger::read(&aiger_binary(&problem.system, &circuit)))),
            ("btor2", Box::new(Btor2::read(&btor2(&problem.system)))),
        ];
        models += 1;
        for (format, mut machine) in machines {
            match walk(&mut *machine, &problem, &relation, &claim, &mut random) {
                Ok(walked) => held += walked,
                Err(why) => wrong.push(format!("{name} as {format}: {why}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {models}\n{}", wrong.len(), wrong[0]);
    assert!(models > 40 && held > 300, "{models} models, {held} signals");
}

/// Loops that are found by bad states, without the input that saves a state: they are closed again, and as
/// executions of the model. Parts of them are no loops.
#[test]
fn lassos_of_justice_conditions_close_loops() {
    let mut random = Random::new(815);
    let (mut wrong, mut lassos, mut refused) = (Vec::new(), 0, 0);
    for (name, model) in random_models(37, cases("AXLE_DECIDE_EXPORTS", 80)) {
        let options = Options { processes: 6, terms: 12_000, ..Options::default() };
        let Ok(mut relation) = Relation::with_propositions(&model, &options, &ATOMS) else { continue };
        let claim = random_claim(&mut random);
        let Ok(conditions) = relation.conditions(&claim) else { continue };
        let observed = [Observed { name: "own", claim: &claim, conditions: &conditions }];
        let [loops, justice] = [Acceptance::Loops, Acceptance::Justice]
            .map(|acceptance| Problem::with_claims(&model, &relation, &observed, acceptance, true));
        let bads = loops.system.bads.iter().enumerate();
        let cycles: Vec<usize> =
            bads.filter(|(_, bad)| matches!(bad.cause, Cause::Cycle { .. })).map(|(at, _)| at).collect();
        let circuit = Circuit::new(&loops.system, &cycles);
        let mut polls = 0;
        let mut poll = |_| {
            polls += 1;
            (polls > 200).then_some(Stop::Time)
        };
        let limits = Limits { depth: Some(10), ..Limits::default() };
        let Answer::Violated(trace) = bmc::search(&circuit, &limits, &mut poll) else { continue };
        let own: Vec<usize> = (justice.system.inputs.iter())
            .map(|input| loops.system.inputs.iter().position(|other| other.name == input.name))
            .map(|position| position.expect("an input of both"))
            .collect();
        let steps: Vec<Vec<u64>> =
            trace.inputs.iter().map(|step| own.iter().map(|at| step[*at]).collect()).collect();
        lassos += 1;
        match loops.closed(&justice.system, &steps) {
            Some(found) => {
                if let Err(why) = loops.execution(&relation, &found, false) {
                    wrong.push(format!("{name}: {why}"));
                }
            }
            None => wrong.push(format!("{name}: the loop is not closed")),
        }
        // Every prefix that closes a loop is a lasso, too.
        for end in 0..steps.len() {
            match loops.closed(&justice.system, &steps[..end]) {
                Some(found) if loops.execution(&relation, &found, false).is_err() => {
                    wrong.push(format!("{name}: {end} steps close no loop"));
                }
                Some(_) => {}
                None => refused += 1,
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong[0]);
    println!("{lassos} lassos, {refused} prefixes refused");
    assert!(lassos > 10 && refused > 10, "{lassos} {refused}");
}
