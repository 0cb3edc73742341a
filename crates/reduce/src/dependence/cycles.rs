//! Feedback edge set for the cycle proviso: a set of edges such that every infinite execution
//! contains one of them infinitely often. A reduction that expands a state fully wherever such an
//! edge is executable postpones no transition forever, in any search order.
//!
//! Not every cycle of a process needs such an edge. A loop that counts up to a bound terminates. A
//! cycle that only receives from others is infinite only if they send infinitely often
//! ([`Arc::exempt`], which the caller decides). The remaining cycles are broken greedily, by the
//! edges of the location that break most of them, preferably where a reduced set is rare anyway
//! ([`Arc::lone`]).
//!
//! *Entry point:* [`sticky`].
//! *Source:* R. Kurshan, V. Levin, M. Minea, D. Peled, H. Yenigun, Static partial order reduction,
//! TACAS 1998.
//! *Invariant:* every cycle of arcs that are neither exempt nor counting contains a sticky arc.

use axle_model::access::stores;
use axle_model::{Base, BinOp, Edge, Effect, Expr, IntType, LocId, LocalId, Process, Type};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeFiltered, EdgeRef};

use crate::fixed::{Instance, Values, Who};

/// An edge of a process as an arc between its locations.
#[derive(Clone, Copy, Debug)]
pub struct Arc<'m> {
    /// The edge.
    pub edge: &'m Edge,
    /// Whether a process can execute it infinitely often only if another process executes a
    /// dependent one infinitely often.
    pub exempt: bool,
    /// Whether a process at its source is a persistent set of its own unless the edge is sticky.
    pub lone: bool,
    /// Preference as a sticky edge: the number of processes that conflict with it in any case.
    pub weight: u32,
}

/// Up to this number of arcs of a component, the effect of each is computed again after each
/// choice.
const FEW: usize = 32;

/// Maximum number of candidate arcs of a component.
const CANDIDATES: usize = 256;

/// For each arc, whether it is sticky.
pub fn sticky(process: &Process, who: (u32, &Instance), values: &Values, arcs: &[Arc]) -> Vec<bool> {
    let locations = process.locations.len();
    break_circles(locations, arcs, |inside| counting(process, who, values, arcs, inside, locations))
}

/// For each arc, whether it is chosen to break cycles. `counting` returns the arcs of a component
/// that terminate by a counter.
fn break_circles(locations: usize, arcs: &[Arc], counting: impl Fn(&[usize]) -> Vec<usize>) -> Vec<bool> {
    let mut sticky = vec![false; arcs.len()];
    let mut left: Vec<usize> = (0..arcs.len()).filter(|&i| !arcs[i].exempt).collect();
    loop {
        let components = components(locations, arcs, &left);
        left.retain(|&i| on_circle(&components, arcs[i].edge));
        if left.is_empty() {
            return sticky;
        }
        let first = components[arcs[left[0]].edge.source.index()];
        let inside: Vec<usize> =
            left.iter().copied().filter(|&i| components[arcs[i].edge.source.index()] == first).collect();
        let counting = counting(&inside);
        if !counting.is_empty() {
            left.retain(|i| !counting.contains(i));
            continue;
        }
        let broken = breakers(locations, arcs, &inside);
        broken.iter().for_each(|&i| sticky[i] = true);
        left.retain(|&i| !sticky[i]);
    }
}

/// Arcs of a component that break its cycles: all those of a location together, because one sticky
/// edge keeps a process at its source out of every reduced set. Locations at which a process is a
/// persistent set of its own come last; the others in order of effect. The effect changes with each
/// choice; in large components it is computed again only when an eighth of the arcs is no longer on
/// a cycle.
fn breakers(locations: usize, arcs: &[Arc], inside: &[usize]) -> Vec<usize> {
    let graph = Graph::new(locations, arcs, inside);
    let mut seen = vec![false; locations];
    let is_first = |&&i: &&usize| !std::mem::replace(&mut seen[arcs[i].edge.source.index()], true);
    // One arc for each location.
    let sources: Vec<usize> = inside.iter().filter(is_first).copied().collect();
    let mut order: Vec<_> = (sources.iter())
        .step_by(sources.len().div_ceil(CANDIDATES))
        .map(|&i| {
            let others = graph.on_circles(arcs, inside, arcs[i].edge.source);
            (arcs[i].lone, others, std::cmp::Reverse(arcs[i].weight), i)
        })
        .collect();
    order.sort_unstable();
    let enough = if inside.len() <= FEW { 0 } else { inside.len() / 8 };
    let (mut chosen, mut rest) = (Vec::new(), inside.to_vec());
    for (.., best) in order {
        if !rest.contains(&best) {
            // Its cycles are already broken.
            continue;
        }
        let source = arcs[best].edge.source;
        chosen.extend(rest.iter().copied().filter(|&i| arcs[i].edge.source == source));
        rest.retain(|&i| arcs[i].edge.source != source);
        let components = components(locations, arcs, &rest);
        rest.retain(|&i| on_circle(&components, arcs[i].edge));
        if rest.len() + enough <= inside.len() {
            break;
        }
    }
    chosen
}

/// Whether an edge is on a cycle, given the components.
fn on_circle(components: &[u32], edge: &Edge) -> bool {
    components[edge.source.index()] == components[edge.target.index()]
}

/// The strongly connected component of each location in the graph of `list`. A location on no cycle
/// is a component of its own; a self-loop is a cycle.
fn components(locations: usize, arcs: &[Arc], list: &[usize]) -> Vec<u32> {
    Graph::new(locations, arcs, list).components(None)
}

/// The locations of a process with some arcs.
struct Graph(DiGraph<(), usize>);

impl Graph {
    fn new(locations: usize, arcs: &[Arc], list: &[usize]) -> Graph {
        let mut graph = DiGraph::with_capacity(locations, list.len());
        (0..locations).for_each(|_| {
            graph.add_node(());
        });
        for &i in list {
            let node = |location: LocId| NodeIndex::new(location.index());
            graph.add_edge(node(arcs[i].edge.source), node(arcs[i].edge.target), i);
        }
        Graph(graph)
    }

    /// Number of arcs on a cycle if those of a location are removed.
    fn on_circles(&self, arcs: &[Arc], list: &[usize], without: LocId) -> usize {
        let components = self.components(Some(without));
        let others = list.iter().filter(|&&i| arcs[i].edge.source != without);
        others.filter(|&&i| on_circle(&components, arcs[i].edge)).count()
    }

    /// The strongly connected component of each location, by all arcs but those of one location.
    fn components(&self, without: Option<LocId>) -> Vec<u32> {
        let Graph(graph) = self;
        let without = without.map(|location| NodeIndex::new(location.index()));
        let some = EdgeFiltered::from_fn(graph, |arc| Some(arc.source()) != without);
        let mut component = vec![0; graph.node_count()];
        for (number, locations) in (0u32..).zip(kosaraju_scc(&some)) {
            locations.iter().for_each(|location| component[location.index()] = number);
        }
        component
    }
}

/// The arcs of a component that count a variable up (or down) to a bound, and are therefore
/// executed finitely often; empty if there is no such variable.
fn counting(
    process: &Process,
    who: (u32, &Instance),
    values: &Values,
    arcs: &[Arc],
    inside: &[usize],
    locations: usize,
) -> Vec<usize> {
    for (index, variable) in process.locals.iter().enumerate() {
        let Type::Int(ty, _) = variable.ty else { continue };
        for up in [true, false] {
            let counter = Counter { local: LocalId::new(index), ty, up, who, values };
            if let Some(found) = counter.found(arcs, inside, locations) {
                return found;
            }
        }
    }
    Vec::new()
}

/// A local that only counts in one direction in a component.
struct Counter<'a> {
    local: LocalId,
    ty: IntType,
    up: bool,
    who: (u32, &'a Instance),
    values: &'a Values<'a>,
}

impl Counter<'_> {
    fn found(&self, arcs: &[Arc], inside: &[usize], locations: usize) -> Option<Vec<usize>> {
        let (mut steps, mut total) = (Vec::new(), 0i64);
        for &i in inside {
            let mut by = 0;
            let mut writes = 0;
            stores(arcs[i].edge, &mut |place| writes += usize::from(place.base == Base::Local(self.local)));
            for effect in &arcs[i].edge.effects {
                if let Some(step) = self.step(effect) {
                    by += step;
                    writes -= 1;
                }
            }
            // Any other write.
            if writes > 0 {
                return None;
            }
            if by > 0 {
                steps.push(i);
                total += by;
            }
        }
        if steps.is_empty() {
            return None;
        }
        let mut furthest = i64::MIN;
        let mut guarded = Vec::new();
        for &i in inside {
            if let Some(bound) = self.bound(&arcs[i].edge.guard) {
                guarded.push(i);
                furthest = furthest.max(bound);
            }
        }
        // The counter exceeds the bound by at most one iteration.
        let (low, high) = (self.ty.wrap(i64::from(self.ty.signed) << (self.ty.bits - 1)), self.highest());
        let limit = if self.up { high } else { low.checked_neg()? };
        if guarded.is_empty() || furthest.checked_add(total).is_none_or(|most| most > limit) {
            return None;
        }
        // Every cycle through a counting arc passes a guard.
        let rest: Vec<usize> = inside.iter().copied().filter(|i| !guarded.contains(i)).collect();
        let components = components(locations, arcs, &rest);
        let unguarded = |i: &&usize| rest.contains(i) && on_circle(&components, arcs[**i].edge);
        if steps.iter().any(|i| unguarded(&i)) { None } else { Some(steps) }
    }

    fn highest(&self) -> i64 {
        match (self.ty.signed, self.ty.bits) {
            (_, 63..) => i64::MAX >> 1,
            (true, bits) => (1 << (bits - 1)) - 1,
            (false, bits) => (1 << bits) - 1,
        }
    }

    fn is_own(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Load(place) if place.base == Base::Local(self.local) && place.path.is_empty())
    }

    /// The increment, if an effect only increments the local.
    fn step(&self, effect: &Effect) -> Option<i64> {
        let (place, value) = effect.assignment()?;
        if place.base != Base::Local(self.local) || !place.path.is_empty() {
            return None;
        }
        // The sum must not be truncated before it is stored.
        let Expr::Binary(op, ty, a, b) = value else { return None };
        if ty.bits < self.ty.bits || (ty.bits == self.ty.bits && *ty != self.ty) || ty.bits > 62 {
            return None;
        }
        let by = match (op, &**a, &**b) {
            (BinOp::Add, a, Expr::Const(by)) if self.is_own(a) => *by,
            (BinOp::Add, Expr::Const(by), b) if self.is_own(b) => *by,
            (BinOp::Sub, a, Expr::Const(by)) if self.is_own(a) => by.checked_neg()?,
            _ => return None,
        };
        let by = if self.up { by } else { by.checked_neg()? };
        (1..1 << 20).contains(&by).then_some(by)
    }

    /// The last value of the local, in the direction of counting, for which a guard can hold.
    fn bound(&self, guard: &Expr) -> Option<i64> {
        match guard {
            Expr::And(a, b) => match (self.bound(a), self.bound(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            Expr::Binary(op, ty, a, b) if ty.signed && ty.bits <= 62 => {
                let (op, other) = if self.is_own(a) {
                    (*op, b)
                } else if self.is_own(b) {
                    (mirrored(*op)?, a)
                } else {
                    return None;
                };
                // The local must not be truncated before the comparison: it fits.
                if ty.bits < self.ty.bits + u8::from(!self.ty.signed) {
                    return None;
                }
                let (pid, instance) = self.who;
                let value = self.values.value(Who::One(pid, instance), other)?;
                if !(-(1 << 40)..1 << 40).contains(&value) {
                    return None;
                }
                match (op, self.up) {
                    (BinOp::Lt, true) => Some(value - 1),
                    (BinOp::Le | BinOp::Eq, true) => Some(value),
                    (BinOp::Gt, false) => Some(-(value + 1)),
                    (BinOp::Ge | BinOp::Eq, false) => Some(-value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The operator with exchanged operands.
fn mirrored(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        BinOp::Eq => BinOp::Eq,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axle_generate::Random;
    use axle_model::LocId;

    /// Random edges between locations.
    fn edges(locations: usize, count: usize, seed: u64) -> Vec<Edge> {
        let mut random = Random::of(seed, 0);
        let mut location = || LocId::new(random.below(locations));
        (0..count).map(|_| Edge::skip(location(), location(), "step")).collect()
    }

    fn arcs(edges: &[Edge]) -> Vec<Arc<'_>> {
        let arc = |(i, edge)| Arc { edge, exempt: i % 11 == 10, lone: i % 3 == 0, weight: i as u32 % 4 };
        edges.iter().enumerate().map(arc).collect()
    }

    /// Reachability of locations, by a naive algorithm.
    fn reach(locations: usize, arcs: &[Arc], list: &[usize]) -> Vec<Vec<bool>> {
        let mut reach = vec![vec![false; locations]; locations];
        (0..locations).for_each(|at| reach[at][at] = true);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &i in list {
                let (from, to) = (arcs[i].edge.source.index(), arcs[i].edge.target.index());
                for row in reach.iter_mut().filter(|row| row[from]) {
                    changed |= !std::mem::replace(&mut row[to], true);
                }
            }
        }
        reach
    }

    #[test]
    fn locations_of_one_component_reach_each_other() {
        for seed in 0..200 {
            let locations = 1 + seed as usize % 13;
            let edges = edges(locations, 2 * locations, seed);
            let arcs = arcs(&edges);
            let list: Vec<usize> = (0..arcs.len()).collect();
            for without in [None, Some(LocId::new(0)), Some(LocId::new(locations - 1))] {
                let is_left = |i: &usize| Some(arcs[*i].edge.source) != without;
                let left: Vec<usize> = list.iter().copied().filter(is_left).collect();
                let (reach, components) =
                    (reach(locations, &arcs, &left), Graph::new(locations, &arcs, &list).components(without));
                for (a, b) in (0..locations).flat_map(|a| (0..locations).map(move |b| (a, b))) {
                    assert_eq!(
                        components[a] == components[b],
                        reach[a][b] && reach[b][a],
                        "{seed}: {a}, {b}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_circle_is_left_however_many_arcs_there_are() {
        for (locations, count) in [(1, 1), (3, 5), (20, 60), (60, 300), (500, 2000)] {
            for seed in 0..if locations > 100 { 1 } else { 10 } {
                let edges = edges(locations, count, seed);
                let arcs = arcs(&edges);
                let sticky = break_circles(locations, &arcs, |_| Vec::new());
                let left = (0..count).filter(|&i| !sticky[i] && !arcs[i].exempt).collect::<Vec<_>>();
                let reach = reach(locations, &arcs, &left);
                for &i in &left {
                    let (from, to) = (arcs[i].edge.source.index(), arcs[i].edge.target.index());
                    assert!(!reach[to][from], "{locations} locations, seed {seed}: arc {i} is on a circle");
                }
                assert!((0..count).all(|i| !sticky[i] || !arcs[i].exempt));
            }
        }
    }
}
