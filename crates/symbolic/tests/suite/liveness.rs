//! Claims: comparison with the explicit search by components, for random models and claims and each
//! fairness assumption. Each lasso is followed with the interpreter.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_model::{BinOp, Expr, GlobalId, Model, Place};
use axle_outcome::claim::{Cube, Edge, Guard, Literal, Location};
use axle_outcome::{Claim, Fairness, Finding, Lasso, LassoStep};
use axle_relation::{Evaluation, Relation};
use axle_search::Silent;
use axle_search::liveness::{self, LivenessOptions};
use axle_step::{Atom, Batch, Interpreter, Observer, Successors};
use axle_store::PlainTable;
use axle_symbolic::{ClaimAnswer, Options, SymbolicError};
use num_bigint::BigUint;

use crate::{SMALL, Symbolic, cases};

/// Deterministic random numbers (xorshift64*, S. Vigna 2016).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }

    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

/// Processes that synchronise, exchange messages, loop and end.
fn random_model(r: &mut Random) -> String {
    let count = 1 + r.below(3);
    let mut text = String::from("axle model 1\nshape q0 0 of ( u8 )\nshape q1 1 of ( u8 )\n");
    text += "channel c0 h: q0\nchannel c1 b: q1\nglobal g0 x: u8\nglobal g1 y: u8\n";
    let names: Vec<String> = (0..count).map(|i| format!("p{i}")).collect();
    text += &format!("start {}\n", names.join(", "));
    for i in 0..count {
        text += &format!("process p{i} P{i}() entry s0 {{\n");
        let locations = 1 + r.below(3);
        let mut edges = 0;
        for s in 0..locations {
            text += &format!("  s{s}:{}\n", if r.once_in(3) { " progress" } else { "" });
            for _ in 0..r.below(4) {
                let to = r.below(locations);
                let guard = r.one_of(&["", "", " when g0 == 0", " when g1 != 1", " when g0 == g1"]);
                let comm = r.one_of(&[
                    "",
                    "",
                    "",
                    " send c0 ! [1]",
                    " recv c0 ? [_]",
                    " send c1 ! [1]",
                    " recv c1 ? [_]",
                ]);
                let effect = r.one_of(&["", "", " do g0 := 1", " do g1 := 0", " do g1 := 2"]);
                let keep = if r.once_in(8) { " keep atomic" } else { "" };
                text += &format!("    t{edges} -> s{to}{guard}{comm}{effect}{keep} \"\"\n");
                edges += 1;
            }
        }
        text += "}\n";
    }
    text
}

fn atoms() -> Vec<Expr> {
    let load = |i| Expr::Load(Place::global(GlobalId(i)));
    vec![
        Expr::int(BinOp::Eq, load(0), Expr::Const(0)),
        Expr::int(BinOp::Lt, load(1), Expr::Const(2)),
        Expr::NonProgress,
        Expr::Timeout,
        Expr::Enabled(Box::new(Expr::Const(0))),
    ]
}

fn random_claim(r: &mut Random, sets: u32) -> Claim {
    let count = 1 + r.below(3);
    let atoms = atoms().len() as u64;
    let cube = |r: &mut Random| {
        let literal = |r: &mut Random| Literal { atom: r.below(atoms) as u32, holds: r.once_in(2) };
        Cube((0..r.below(3)).map(|_| literal(r)).collect())
    };
    let location = |r: &mut Random| Location {
        edges: (0..1 + r.below(3))
            .map(|_| Edge {
                guard: Guard((0..1 + r.below(2)).map(|_| cube(r)).collect()),
                asserts: if r.once_in(60) { Some(r.below(atoms) as u32) } else { None },
                to: r.below(count) as u32,
                marks: if sets == 0 { 0 } else { r.below(1 << sets) },
            })
            .collect(),
        end: false,
    };
    let mut locations: Vec<Location> = (0..count).map(|_| location(r)).collect();
    if r.once_in(20) {
        locations[r.below(count) as usize].end = true;
    }
    let initial = if r.once_in(6) { (0..count as u32).collect() } else { vec![0] };
    Claim { locations, initial, sets, atoms: atoms as u32 }
}

/// A state of the interpreter, with its successors and what holds in it.
struct Walk {
    interpreter: Interpreter,
    observer: Observer,
    state: Vec<u8>,
    location: u32,
}

impl Walk {
    fn new(model: &Arc<Model>, start: u32) -> Walk {
        let options = axle_step::Options { truncation: false, messages_left: false, movers: true };
        let mut interpreter = Interpreter::new(Arc::clone(model), options);
        let observer = Observer::new(&interpreter, atoms().into_iter().map(Atom::Holds).collect());
        let state = interpreter.initial(&mut Vec::new());
        Walk { interpreter, observer, state, location: start }
    }

    /// Makes a step; returns its marks, the processes that are enabled and those that execute.
    fn step(
        &mut self,
        claim: &Claim,
        step: LassoStep,
    ) -> Result<(u64, BTreeSet<u32>, BTreeSet<u32>), String> {
        let (mut bits, mut faults) = (Vec::new(), Vec::new());
        self.observer.observe(&self.state, &mut bits, &mut faults);
        let edge = &claim.locations[self.location as usize].edges[step.edge as usize];
        if !edge.guard.holds(&bits) {
            return Err("a guard does not hold".to_string());
        }
        let mut batch = Batch::default();
        if self.interpreter.expand(&self.state, &mut batch).is_err() {
            return Err("the state grows".to_string());
        }
        let successors: Vec<Vec<u8>> =
            batch.states.chunks_exact(self.interpreter.width()).map(<[u8]>::to_vec).collect();
        let movers =
            |position: usize| -> BTreeSet<u32> { batch.movers.of(position).to_vec().into_iter().collect() };
        let enabled = (0..successors.len()).flat_map(movers).collect();
        self.location = edge.to;
        let executed = match step.system {
            None if successors.is_empty() => BTreeSet::new(),
            None => return Err("stutters although a process is enabled".to_string()),
            Some(position) => {
                self.state = successors.get(position as usize).ok_or("no such successor")?.clone();
                movers(position as usize)
            }
        };
        Ok((edge.marks, enabled, executed))
    }
}

/// Follows a lasso: it closes, and its cycle meets all conditions.
fn judge(model: &Arc<Model>, claim: &Claim, lasso: &Lasso, fairness: Fairness) -> Result<(), String> {
    let mut walk = Walk::new(model, lasso.start);
    if !claim.initial.contains(&lasso.start) {
        return Err("does not start".to_string());
    }
    for step in &lasso.prefix {
        walk.step(claim, *step)?;
    }
    let (state, location) = (walk.state.clone(), walk.location);
    let (mut marks, mut always, mut ever, mut executed) = (0, None, BTreeSet::new(), BTreeSet::new());
    for step in &lasso.cycle {
        let (of_edge, enabled, by) = walk.step(claim, *step)?;
        marks |= of_edge;
        always = Some(always.map_or(enabled.clone(), |all: BTreeSet<u32>| &all & &enabled));
        ever.extend(enabled);
        executed.extend(by);
    }
    let owed = match fairness {
        Fairness::None => BTreeSet::new(),
        Fairness::Weak => always.unwrap_or_default(),
        Fairness::Strong => ever,
    };
    match () {
        () if lasso.cycle.is_empty() || (state, location) != (walk.state, walk.location) => {
            Err("does not close".into())
        }
        () if marks != claim.all_marks() => Err("misses an acceptance set".to_string()),
        () if !owed.is_subset(&executed) => Err(format!("is unfair to {owed:?}, executes {executed:?}")),
        () => Ok(()),
    }
}

/// Executes the groups of a counterexample: each step is one of the relation, and the cycle closes.
fn same_groups(relation: &Relation, claim: &Claim, answer: &ClaimAnswer) -> Result<(), String> {
    let (Some(finding), Some(path)) = (&answer.finding, &answer.groups) else {
        return (answer.finding.is_some() == answer.groups.is_some())
            .then_some(())
            .ok_or("one is missing".into());
    };
    let start = match finding {
        Finding::Cycle(lasso) => lasso.start,
        Finding::ClaimEnd(prefix, _) | Finding::ClaimAssertion(prefix, _) => prefix.start,
    };
    let (mut state, mut location) = (relation.initial.clone(), start);
    let mut evaluation = Evaluation::default();
    let mut at_cycle = None;
    for (number, step) in path.stem.iter().chain(&path.cycle).enumerate() {
        if number == path.stem.len() {
            at_cycle = Some((state.clone(), location));
        }
        let successors = relation.execute(&state, &mut evaluation, 1 << 16).successors;
        location = claim.locations[location as usize].edges[step.edge as usize].to;
        if step.groups.is_empty() {
            if !successors.is_empty() {
                return Err("stutters although a process is enabled".into());
            }
            continue;
        }
        let found = successors.into_iter().find(|successor| successor.groups == step.groups);
        state = found.ok_or_else(|| format!("no step {:?}", step.groups))?.state;
    }
    match at_cycle {
        Some(begin) if begin != (state, location) => Err("the cycle does not close".into()),
        None if matches!(finding, Finding::Cycle(_)) => Err("there is no cycle".into()),
        _ => Ok(()),
    }
}

/// A claim on processes in a bad order, which is replaced during the search of the product.
#[test]
fn another_order_is_found_for_a_claim() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/large");
    let text = std::fs::read_to_string(folder.join("allocation.pml")).expect("a model");
    let model = crate::compiled(&crate::large::with(&text, "CLIENTS=3")).expect("a correct model");
    let relation = crate::relation(&model, 255).expect("a relation");
    let always = Edge { guard: Guard::always(), asserts: None, to: 0, marks: 1 };
    let location = Location { edges: vec![always], end: false };
    let claim = Claim { locations: vec![location], initial: vec![0], sets: 1, atoms: 0 };
    let fixed = Options { reorder: usize::MAX, ..Options::default() };
    let lines = Symbolic::new(&relation, fixed).expect("memory").order();
    let lines: Vec<String> = lines.lines().map(|line| format!("{line}\n")).collect();
    let bad: String = (0..9).flat_map(|first| lines.iter().skip(first).step_by(9).cloned()).collect();
    let answers = [usize::MAX, 200].map(|reorder| {
        let options = Options { reorder, ..Options::default() };
        let mut symbolic = Symbolic::with_order(&relation, options, &bad, &mut |_| None).expect("an order");
        symbolic.accepts(&claim, Fairness::None, &mut |_| None).expect("memory")
    });
    let [before, after] = &answers;
    assert_eq!(before.states, after.states);
    assert!(before.finding.is_some() && after.finding.is_some());
    assert!(after.bytes < before.bytes, "{} and {} bytes", before.bytes, after.bytes);
    answers.iter().for_each(|answer| same_groups(&relation, &claim, answer).expect("an execution"));
}

/// A choice at the start divides the executions. Each part is compared with the model that has no other choice.
#[test]
fn parts_are_searches_of_their_own() {
    let choice = ":: flag = 0 :: flag = 1";
    let text = "bit flag, chosen; byte x;
        active proctype choose() { atomic { if CHOICE fi; chosen = 1 } }
        active proctype count() { chosen; do :: x < 3 && flag -> x++ :: x > 0 -> x-- od }";
    let load = |i| Expr::Load(Place::global(GlobalId(i)));
    let equal = |i, value| Expr::int(BinOp::Eq, load(i), Expr::Const(value));
    let part = |value| Expr::Or(Box::new(equal(1, 0)), Box::new(equal(0, value)));
    let atoms = [equal(2, 3), part(0), part(1)];
    let found = |text: &str, parts: &[usize]| {
        let model = crate::compiled(text).expect("a correct model");
        let relation = Relation::new(&model, &axle_relation::Options::default(), &atoms).expect("small");
        let reaches = Guard(vec![Cube(vec![Literal { atom: 0, holds: true }])]);
        let edge = |guard, to, marks| Edge { guard, asserts: None, to, marks };
        // Accepts executions in which x is infinitely often 3.
        let first = vec![edge(Guard::always(), 0, 0), edge(reaches, 0, 1)];
        let claim = Claim {
            locations: vec![Location { edges: first, end: false }],
            initial: vec![0],
            sets: 1,
            atoms: 3,
        };
        let asked = (&claim, Fairness::None);
        let answers =
            axle_symbolic::accepts_in_parts(&relation, Options::default(), asked, parts, &mut |_| None);
        let told = |answer: ClaimAnswer| (answer.finding.is_some(), answer.states, answer.coverage);
        answers.expect("memory").into_iter().map(told).collect::<Vec<_>>()
    };
    let together = found(&text.replace("CHOICE", choice), &[1, 2]);
    let alone = |value: usize| found(&text.replace("CHOICE", &format!(":: flag = {value}")), &[1 + value]);
    assert_eq!(together, [alone(0), alone(1)].concat());
    assert!(!together[0].0 && together[1].0);
}

#[test]
fn claims_agree_with_the_search_by_components() {
    let (mut accepted, mut refused, mut alarms, mut compared) = ([0, 0, 0], [0, 0, 0], 0, 0);
    for seed in 4 * cases().start..4 * cases().end {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let text = random_model(&mut r);
        let model = Arc::new(axle_model::parse::parse(&text).unwrap_or_else(|why| panic!("{why:?}\n{text}")));
        let claim = {
            let sets = r.below(3) as u32;
            random_claim(&mut r, sets)
        };
        let relation =
            Relation::new(&model, &axle_relation::Options::default(), &atoms()).expect("a small relation");
        for (index, fairness) in [Fairness::None, Fairness::Weak, Fairness::Strong].into_iter().enumerate() {
            let options = axle_step::Options { truncation: false, messages_left: false, movers: true };
            let mut interpreter = Interpreter::new(Arc::clone(&model), options);
            let mut observer = Observer::new(&interpreter, atoms().into_iter().map(Atom::Holds).collect());
            let mut set = PlainTable::new(liveness::width(&interpreter)).expect("memory");
            let question = LivenessOptions { fairness, ..LivenessOptions::default() };
            let explicit =
                liveness::search(&mut interpreter, &mut observer, &claim, &mut set, &question, &mut Silent);
            let explicit = explicit.expect("a correct question");
            let mut symbolic = Symbolic::new(&relation, SMALL).expect("memory");
            let answer = match symbolic.accepts(&claim, fairness, &mut |_| None) {
                Err(SymbolicError::Sequences) => continue,
                answer => answer.expect("memory"),
            };
            same_groups(&relation, &claim, &answer).unwrap_or_else(|why| panic!("{why}: {seed}\n{text}"));
            if seed % 4 == 0 {
                let shortest = symbolic.accepts_by(&claim, fairness, true, &mut |_| None).expect("memory");
                assert_eq!(shortest.finding.is_some(), answer.finding.is_some(), "{seed}");
                same_groups(&relation, &claim, &shortest)
                    .unwrap_or_else(|why| panic!("{why}: {seed}\n{text}"));
                if let Some(Finding::Cycle(lasso)) = &shortest.finding {
                    judge(&model, &claim, lasso, fairness).unwrap_or_else(|why| panic!("{why}: {seed}"));
                }
                if let (Some(short), Some(long)) = (&shortest.groups, &answer.groups)
                    && short.cycle.is_empty()
                    && long.cycle.is_empty()
                {
                    assert!(short.stem.len() <= long.stem.len(), "{seed}");
                    compared += 1;
                }
            }
            assert_eq!(answer.stop, None, "{seed}");
            let context = || {
                format!(
                    "{seed}, {fairness:?}: {:?}, not {:?}\n{claim:?}\n{text}",
                    answer.finding, explicit.finding
                )
            };
            assert_eq!(answer.finding.is_some(), explicit.finding.is_some(), "{}", context());
            match &answer.finding {
                None => {
                    assert_eq!(answer.states, BigUint::from(explicit.states), "{}", context());
                    refused[index] += 1;
                }
                Some(Finding::Cycle(lasso)) => {
                    judge(&model, &claim, lasso, fairness)
                        .unwrap_or_else(|why| panic!("{why}: {}", context()));
                    accepted[index] += 1;
                }
                Some(Finding::ClaimEnd(prefix, edge) | Finding::ClaimAssertion(prefix, edge)) => {
                    let mut walk = Walk::new(&model, prefix.start);
                    for step in &prefix.steps {
                        walk.step(&claim, *step).unwrap_or_else(|why| panic!("{why}: {}", context()));
                    }
                    let of = &claim.locations[walk.location as usize].edges[*edge as usize];
                    assert!(of.asserts.is_some() || claim.locations[of.to as usize].end, "{}", context());
                    alarms += 1;
                }
            }
        }
    }
    println!("accepted {accepted:?}, refused {refused:?}, alarms {alarms}");
    assert!(accepted.iter().chain(&refused).all(|number| *number > 20) && alarms > 5 && compared > 1);
}
