//! Reference implementation of the liveness searches: the product as an explicit graph, built by
//! the interpreter step by step, and the definitions of acceptance and fairness as fixpoints over
//! it. It shares no code with the searches.
//!
//! *Source:* E. A. Emerson and C.-L. Lei, Modalities for model checking, 1987.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use axle_model::Model;
use axle_search::Fairness;
use axle_search::claim::{Claim, Literal};
use axle_search::{Lasso, LassoStep};
use axle_step::{Atom, Interpreter, Observer, Options, Successors};

/// A product state: the claim's location, and the system state.
pub type Node = (u32, Vec<u8>);

/// An edge of the product.
#[derive(Clone, Debug)]
pub struct Arrow {
    pub step: LassoStep,
    pub to: Node,
    pub marks: u64,
    /// The executing processes.
    pub movers: BTreeSet<u32>,
}

/// A system and a claim, executed step by step.
pub struct Pair<'a> {
    pub interpreter: Interpreter,
    observer: Observer,
    pub claim: &'a Claim,
}

/// Successors of a product state.
#[derive(Clone, Debug, Default)]
pub struct After {
    pub arrows: Vec<Arrow>,
    /// The processes enabled in the system state.
    pub enabled: BTreeSet<u32>,
    /// Edges that are violations by themselves, and whether because of their assertion.
    pub alarms: Vec<(u32, bool)>,
}

impl<'a> Pair<'a> {
    pub fn new(model: &Arc<Model>, claim: &'a Claim, atoms: &[Atom]) -> Pair<'a> {
        let interpreter = Interpreter::new(model.clone(), Options::default());
        let observer = Observer::new(&interpreter, atoms.to_vec());
        Pair { interpreter, observer, claim }
    }

    pub fn starts(&mut self) -> Vec<Node> {
        let system = self.interpreter.initial(&mut Vec::new());
        self.claim.initial.iter().map(|&location| (location, system.clone())).collect()
    }

    pub fn after(&mut self, (location, system): &Node) -> After {
        // The layout may have been widened since the state was found.
        let steps = self.interpreter.steps(system);
        while self.observer.layout().width() < self.interpreter.layout().width() {
            self.observer.grow(self.interpreter.layout().slots.len());
        }
        let system = self.interpreter.widened(system);
        let mut valuation = Vec::new();
        self.observer.observe(&system, &mut valuation, &mut Vec::new());
        let holds = |atom: u32| valuation[atom as usize / 64] >> (atom % 64) & 1 == 1;
        let mut after = After::default();
        let movers = |step: &axle_step::interpret::detail::StepDetail| -> BTreeSet<u32> {
            let micro = step.micro.iter();
            micro.flat_map(|m| [Some(m.by.pid), m.partner.map(|p| p.pid)]).flatten().collect()
        };
        after.enabled = steps.steps.iter().flat_map(movers).collect();
        for (number, edge) in (0u32..).zip(&self.claim.locations[*location as usize].edges) {
            let literal = |l: &Literal| holds(l.atom) == l.holds;
            if !edge.guard.0.iter().any(|cube| cube.0.iter().all(literal)) {
                continue;
            }
            if edge.asserts.is_some_and(|atom| !holds(atom)) {
                after.alarms.push((number, true));
            }
            if self.claim.locations[edge.to as usize].end {
                after.alarms.push((number, false));
            }
            let arrow = |system, to, movers| Arrow {
                step: LassoStep { edge: number, system },
                to: (edge.to, to),
                marks: edge.marks,
                movers,
            };
            if steps.steps.is_empty() {
                after.arrows.push(arrow(None, system.clone(), BTreeSet::new()));
            }
            for (position, step) in (0u32..).zip(&steps.steps) {
                let to = step.micro.last().unwrap().state.clone();
                after.arrows.push(arrow(Some(position), to, movers(step)));
            }
        }
        after
    }
}

/// A condition on an edge and its source.
type Condition<'a> = &'a dyn Fn(&After, &Arrow) -> bool;

/// The product as a graph.
pub struct Graph {
    /// Number of initial states; they are the first.
    starts: usize,
    pub after: Vec<After>,
    /// For each node and arrow, the number of its target.
    pub to: Vec<Vec<usize>>,
    sets: u32,
}

/// The whole product, if it has at most `most` states, all of the same width.
pub fn graph(pair: &mut Pair, most: usize) -> Option<Graph> {
    let mut nodes = pair.starts();
    nodes.dedup();
    let width = nodes[0].1.len();
    let mut known: HashMap<Node, usize> = nodes.iter().cloned().zip(0..).collect();
    let mut graph = Graph { starts: nodes.len(), after: Vec::new(), to: Vec::new(), sets: pair.claim.sets };
    while graph.after.len() < nodes.len() {
        let after = pair.after(&nodes[graph.after.len()].clone());
        let mut to = Vec::new();
        for arrow in &after.arrows {
            if arrow.to.1.len() != width || nodes.len() > most {
                return None;
            }
            let next = nodes.len();
            let number = *known.entry(arrow.to.clone()).or_insert(next);
            if number == next {
                nodes.push(arrow.to.clone());
            }
            to.push(number);
        }
        graph.after.push(after);
        graph.to.push(to);
    }
    Some(graph)
}

impl Graph {
    /// Whether an edge of the claim is a violation.
    pub fn alarmed(&self) -> bool {
        self.after.iter().any(|after| !after.alarms.is_empty())
    }

    /// Whether `zone` contains an infinite execution whose edges meet every condition infinitely
    /// often.
    fn cycles(&self, zone: &[bool], conditions: &[Condition]) -> bool {
        let mut zone = zone.to_vec();
        loop {
            let before = zone.clone();
            for condition in conditions {
                // The states of the zone from which an edge that meets the condition is reachable
                // inside the zone.
                let mut good = vec![false; zone.len()];
                loop {
                    let mut changed = false;
                    for n in 0..zone.len() {
                        let now = zone[n]
                            && !good[n]
                            && self.to[n].iter().zip(&self.after[n].arrows).any(|(&to, arrow)| {
                                zone[to] && (good[to] || condition(&self.after[n], arrow))
                            });
                        if now {
                            good[n] = true;
                            changed = true;
                        }
                    }
                    if !changed {
                        break;
                    }
                }
                zone = good;
            }
            if zone == before {
                return zone.contains(&true);
            }
        }
    }

    /// The fewest steps of a path and a cycle that meets all acceptance sets.
    pub fn shortest(&self) -> Option<usize> {
        let starts: Vec<usize> = (0..self.starts).collect();
        let far = usize::MAX;
        let ways = self.distances(&starts.iter().map(|&start| (start, 0)).collect::<Vec<_>>(), 0, far);
        let all = (1u64 << self.sets) - 1;
        let mut best = None;
        for node in 0..self.to.len() {
            let Some(way) = ways.get(&(node, 0)) else { continue };
            // One step from the node, and back to it.
            let first: Vec<(usize, u64)> = (self.to[node].iter().zip(&self.after[node].arrows))
                .map(|(&to, arrow)| (to, arrow.marks))
                .collect();
            let most = best.map_or(far, |best: usize| best.saturating_sub(way + 1));
            if let Some(cycle) = self.distances(&first, all, most).get(&(node, all)) {
                let steps = way + 1 + cycle;
                best = Some(best.map_or(steps, |best: usize| best.min(steps)));
            }
        }
        best
    }

    /// The fewest steps to each node with each set of those `marks` that were met, up to `most`.
    fn distances(&self, from: &[(usize, u64)], marks: u64, most: usize) -> HashMap<(usize, u64), usize> {
        let mut known: HashMap<(usize, u64), usize> =
            from.iter().map(|&(node, met)| ((node, met & marks), 0)).collect();
        let mut level: Vec<(usize, u64)> = known.keys().copied().collect();
        let mut steps = 0;
        while !level.is_empty() && steps < most {
            steps += 1;
            let mut next = Vec::new();
            for (node, met) in level {
                for (&to, arrow) in self.to[node].iter().zip(&self.after[node].arrows) {
                    let pair = (to, (met | arrow.marks) & marks);
                    if let std::collections::hash_map::Entry::Vacant(entry) = known.entry(pair) {
                        entry.insert(steps);
                        next.push(pair);
                    }
                }
            }
            level = next;
        }
        known
    }

    /// Whether an execution that meets all acceptance sets and is fair exists.
    pub fn accepts(&self, fairness: Fairness) -> bool {
        let any = |_: &After, _: &Arrow| true;
        let marks: Vec<_> =
            (0..self.sets).map(|i| move |_: &After, arrow: &Arrow| arrow.marks >> i & 1 == 1).collect();
        let mut conditions: Vec<Condition> = vec![&any];
        conditions.extend(marks.iter().map(|m| m as Condition));
        let all = vec![true; self.after.len()];
        let processes: BTreeSet<u32> = self.after.iter().flat_map(|a| a.enabled.iter().copied()).collect();
        let processes: Vec<u32> = processes.into_iter().collect();
        match fairness {
            Fairness::None => self.cycles(&all, &conditions),
            Fairness::Weak => {
                let fair: Vec<_> = (processes.iter())
                    .map(|&p| {
                        move |a: &After, arrow: &Arrow| !a.enabled.contains(&p) || arrow.movers.contains(&p)
                    })
                    .collect();
                conditions.extend(fair.iter().map(|f| f as Condition));
                self.cycles(&all, &conditions)
            }
            // Some processes are disabled from some point on; all others are executed infinitely
            // often.
            Fairness::Strong => (0..1u32 << processes.len()).any(|never| {
                let is_never = |p: &u32| never >> processes.iter().position(|q| q == p).unwrap() & 1 == 1;
                let zone: Vec<bool> = self.after.iter().map(|a| !a.enabled.iter().any(is_never)).collect();
                let fair: Vec<_> = (processes.iter().filter(|p| !is_never(p)))
                    .map(|&p| move |_: &After, arrow: &Arrow| arrow.movers.contains(&p))
                    .collect();
                let mut conditions = conditions.clone();
                conditions.extend(fair.iter().map(|f| f as Condition));
                self.cycles(&zone, &conditions)
            }),
        }
    }
}

/// Follows steps from a node; returns the nodes after each step, their predecessors' successors,
/// and the edges taken.
pub fn follow(
    pair: &mut Pair,
    from: &Node,
    steps: &[LassoStep],
) -> Result<Vec<(Node, After, Arrow)>, String> {
    let mut at = from.clone();
    let mut walk = Vec::new();
    for step in steps {
        let after = pair.after(&at);
        let Some(arrow) = after.arrows.iter().find(|arrow| arrow.step == *step).cloned() else {
            return Err(format!("no {step:?} from {at:?}"));
        };
        at = arrow.to.clone();
        walk.push((at.clone(), after, arrow));
    }
    Ok(walk)
}

/// Whether a lasso is a fair counterexample.
pub fn judge(pair: &mut Pair, lasso: &Lasso, fairness: Fairness) -> Result<(), String> {
    let starts = pair.starts();
    let Some(start) = starts.into_iter().find(|(location, _)| *location == lasso.start) else {
        return Err("does not begin at the start".into());
    };
    let prefix = follow(pair, &start, &lasso.prefix)?;
    let knot = prefix.last().map_or(start, |(node, _, _)| node.clone());
    let cycle = follow(pair, &knot, &lasso.cycle)?;
    let Some((end, _, _)) = cycle.last() else { return Err("no cycle".into()) };
    if end.0 != knot.0 || end.1 != pair.interpreter.widened(&knot.1) {
        return Err("the cycle does not close".into());
    }
    let marks = cycle.iter().fold(0, |all, (_, _, arrow)| all | arrow.marks);
    if marks != pair.claim.all_marks() {
        return Err(format!("marks {marks:b} of {:b}", pair.claim.all_marks()));
    }
    let processes: BTreeSet<u32> = cycle.iter().flat_map(|(_, a, _)| a.enabled.iter().copied()).collect();
    for p in processes {
        let moves = cycle.iter().any(|(_, _, arrow)| arrow.movers.contains(&p));
        let always = cycle.iter().all(|(_, after, _)| after.enabled.contains(&p));
        let fair = match fairness {
            Fairness::None => true,
            Fairness::Weak => moves || !always,
            Fairness::Strong => moves,
        };
        if !fair {
            return Err(format!("process {p} is treated unfairly"));
        }
    }
    Ok(())
}
