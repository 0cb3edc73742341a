//! Breadth-first and depth-first search over random graphs: states, violations and limits are
//! compared with plain reachability.

use std::collections::{HashMap, HashSet, VecDeque};

use axle_model::{
    Edge, EdgeId, Effect, Instance, LocId, Location, Model, Origin, ProcId, Process, Semantics,
};
use axle_search::{Found, Limits, Monitor, Options, Outcome, Progress, Silent, Stop, bfs, dfs};
use axle_step::{Batch, Fault, FaultKind, Grow, Layout, ModelSite, Processes, Statistics, Successors};
use axle_store::{OutOfMemory, StateSet};
use proptest::prelude::*;

/// A set based on the standard library's, with a limit on its number of states.
struct Plain {
    width: usize,
    known: HashSet<Vec<u8>>,
    queue: Vec<Vec<u8>>,
    taken: usize,
    room: usize,
}

impl Plain {
    fn new(width: usize) -> Self {
        Plain { width, known: HashSet::new(), queue: Vec::new(), taken: 0, room: usize::MAX }
    }
}

impl StateSet for Plain {
    fn width(&self) -> usize {
        self.width
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        let new: HashSet<&[u8]> =
            states.chunks_exact(self.width).filter(|s| !self.known.contains(*s)).collect();
        if self.known.len() + new.len() > self.room {
            return Err(OutOfMemory);
        }
        for state in states.chunks_exact(self.width) {
            let new = self.known.insert(state.to_vec());
            fresh.push(new);
            if new {
                self.queue.push(state.to_vec());
            }
        }
        Ok(())
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        let count = max.min(self.queue.len() - self.taken);
        for state in &self.queue[self.taken..self.taken + count] {
            out.extend_from_slice(state);
        }
        self.taken += count;
        count
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        self.width = width;
        self.queue.iter_mut().for_each(|s| s.resize(width, 0));
        self.known = self.queue.iter().cloned().collect();
        Ok(())
    }

    fn len(&self) -> u64 {
        self.known.len() as u64
    }

    fn memory(&self) -> u64 {
        (self.known.len() * self.width) as u64
    }
}

/// A graph as a successor function: the first four bytes of a state are its number.
struct Graph {
    layout: Layout,
    /// Successors of each state. A number with the top bit set denotes a step with a fault.
    edges: Vec<Vec<u32>>,
    /// States with a fault, and the edge that the fault names.
    bad: HashMap<u32, u32>,
    /// States that need more slots, and the number needed.
    wants: HashMap<u32, usize>,
    taken: Vec<Vec<bool>>,
}

const FAULTY: u32 = 1 << 31;

impl Graph {
    fn new(edges: Vec<Vec<u32>>) -> Self {
        let layout = Layout::new(&model());
        Graph { layout, edges, bad: HashMap::new(), wants: HashMap::new(), taken: vec![vec![false]] }
    }

    fn number(state: &[u8]) -> u32 {
        u32::from_le_bytes(state[..4].try_into().unwrap())
    }

    fn state(&self, number: u32) -> Vec<u8> {
        let mut state = vec![0; self.layout.width()];
        state[..4].copy_from_slice(&number.to_le_bytes());
        state
    }

    /// The state at the end of a path of positions.
    fn walk(&self, path: &[u32]) -> u32 {
        path.iter().fold(0, |at, &p| self.edges[at as usize][p as usize] & !FAULTY)
    }

    /// Distance of each reachable state from state 0, and the number of transitions, including the
    /// one into state 0.
    fn reachable(&self) -> (HashMap<u32, u64>, u64) {
        let mut distance = HashMap::from([(0, 0)]);
        let mut queue = VecDeque::from([0u32]);
        // The transition into the initial state.
        let mut transitions = 1;
        while let Some(at) = queue.pop_front() {
            for &to in &self.edges[at as usize] {
                transitions += 1;
                let far = distance[&at] + 1;
                distance.entry(to & !FAULTY).or_insert_with(|| {
                    queue.push_back(to & !FAULTY);
                    far
                });
            }
        }
        (distance, transitions)
    }
}

/// A model with a layout that can grow: one process that may create more of its type.
fn model() -> Model {
    let location = |out| Location {
        out,
        labels: Vec::new(),
        end: true,
        accept: false,
        progress: false,
        origin: Origin::NONE,
    };
    let run = Effect::Run { proc: ProcId(0), args: Vec::new(), priority: None, into: None };
    let edge = Edge { effects: vec![run], ..Edge::skip(LocId(0), LocId(0), "run p()") };
    let process = Process {
        name: "p".into(),
        params: 0,
        locals: Vec::new(),
        channels: Vec::new(),
        prologue: Vec::new(),
        locations: vec![location(vec![EdgeId(0)])],
        edges: vec![edge],
        entry: LocId(0),
        provided: None,
        deterministic: false,
        origin: Origin::NONE,
    };
    Model {
        files: Vec::new(),
        records: Vec::new(),
        name_sets: Vec::new(),
        shapes: Vec::new(),
        globals: Vec::new(),
        channels: Vec::new(),
        prologue: Vec::new(),
        processes: vec![process],
        start: vec![Instance { proc: ProcId(0), priority: 1 }],
        properties: Vec::new(),
        semantics: Semantics::default(),
    }
}

impl Successors for Graph {
    type Site = ModelSite;

    fn width(&self) -> usize {
        self.layout.width()
    }

    fn initial(&mut self, _: &mut Vec<Fault>) -> Vec<u8> {
        self.state(0)
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        out.clear();
        let width = self.layout.width();
        for (source, state) in states.chunks_exact(width).enumerate() {
            let number = Self::number(state);
            assert!(state[4..].iter().all(|&b| b == 0), "states are widened by zeros");
            if let Some(&size) = self.wants.get(&number).filter(|&&size| size > self.size()) {
                return Err(Grow { size });
            }
            let fault = |successor, edge| Fault {
                site: ModelSite { kind: FaultKind::Assertion, edge: Some(EdgeId(edge)) },
                source: source as u32,
                successor,
                pid: 7,
            };
            out.faults.extend(self.bad.get(&number).map(|&edge| fault(None, edge)));
            for &to in &self.edges[number as usize] {
                let position = (out.states.len() / width) as u32;
                if to & FAULTY != 0 {
                    out.faults.push(fault(Some(position), 1000));
                }
                out.states.extend(self.state(to & !FAULTY));
            }
            out.ends.push((out.states.len() / width) as u32);
        }
        Ok(())
    }

    fn size(&self) -> usize {
        self.layout.slots.len()
    }

    fn grow(&mut self, size: usize) {
        self.layout.grow(size);
    }
}

impl Processes for Graph {
    fn slots(&self) -> usize {
        self.size()
    }

    fn can_grow(&self) -> bool {
        self.layout.can_grow()
    }

    fn process_type(&self, state: &[u8], pid: u32) -> Option<ProcId> {
        self.layout.process_type(state, pid)
    }
}

impl Statistics for Graph {
    fn taken(&self) -> &[Vec<bool>] {
        &self.taken
    }
}

fn run(graph: &mut Graph, depth_first: bool, options: &Options) -> Outcome {
    let mut set = Plain::new(graph.layout.width());
    run_with(graph, depth_first, options, &mut set, &mut Silent)
}

fn run_with(
    graph: &mut Graph,
    depth_first: bool,
    options: &Options,
    set: &mut Plain,
    monitor: &mut impl Monitor,
) -> Outcome {
    match depth_first {
        true => dfs::search(graph, set, options, monitor),
        false => bfs::search(graph, set, options, monitor),
    }
}

/// Graphs of up to 300 states with up to 6 successors each, some with wide states.
fn graphs() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1u32..300).prop_flat_map(|n| {
        let row = prop_oneof![
            9 => prop::collection::vec(0..n, 0..6),
            1 => prop::collection::vec(0..n, 0..100),
        ];
        prop::collection::vec(row, n as usize)
    })
}

proptest! {
    #[test]
    fn everything_reachable_is_seen_once(edges in graphs(), depth_first: bool) {
        let mut graph = Graph::new(edges);
        let (distance, transitions) = graph.reachable();
        let outcome = run(&mut graph, depth_first, &Options::default());
        prop_assert_eq!(outcome.stop, None);
        prop_assert_eq!(outcome.states, distance.len() as u64);
        prop_assert_eq!(outcome.transitions, transitions);
        if !depth_first {
            prop_assert_eq!(outcome.depth, *distance.values().max().unwrap());
        }
        prop_assert!(outcome.violations.is_empty());
    }

    #[test]
    fn every_fault_comes_with_a_path_to_it(
        edges in graphs(), bad in prop::collection::hash_set(0u32..300, 1..6), depth_first: bool
    ) {
        let mut graph = Graph::new(edges);
        graph.bad = bad.iter().map(|&b| (b, b)).collect();
        let (distance, _) = graph.reachable();
        let outcome = run(&mut graph, depth_first, &Options::default());
        let mut found: Vec<u32> = outcome.violations.iter().map(|v| graph.walk(&v.path)).collect();
        for (violation, &at) in outcome.violations.iter().zip(&found) {
            prop_assert_eq!(violation.site.edge, Some(EdgeId(at)));
            prop_assert_eq!(violation.found, Found::State);
            prop_assert_eq!(violation.count, 1);
            if !depth_first {
                prop_assert_eq!(violation.depth(), distance[&at]);
            }
        }
        found.sort();
        let mut want: Vec<u32> = bad.into_iter().filter(|b| distance.contains_key(b)).collect();
        want.sort();
        prop_assert_eq!(found, want);
    }

    #[test]
    fn the_same_fault_is_listed_once_and_counted(edges in graphs(), at in any::<prop::sample::Index>(),
                                                 depth_first: bool) {
        let mut edges = edges;
        let state = at.index(edges.len());
        edges[state].iter_mut().for_each(|to| *to |= FAULTY);
        let mut graph = Graph::new(edges);
        let (distance, _) = graph.reachable();
        let outcome = run(&mut graph, depth_first, &Options::default());
        let faults = if distance.contains_key(&(state as u32)) { graph.edges[state].len() } else { 0 };
        prop_assert_eq!(outcome.found, faults as u64);
        prop_assert_eq!(outcome.violations.len(), usize::from(faults > 0));
        for violation in &outcome.violations {
            prop_assert_eq!(violation.count, faults as u64);
            prop_assert_eq!(violation.found, Found::Step(0));
            prop_assert_eq!(graph.walk(&violation.path), state as u32);
            prop_assert_eq!(violation.steps().len() as u64, violation.depth());
        }
    }

    #[test]
    fn growth_in_the_middle_changes_nothing(
        edges in graphs(), wants in prop::collection::hash_map(0u32..300, 2usize..12, 1..8), depth_first: bool
    ) {
        let mut graph = Graph::new(edges);
        graph.wants = wants;
        let (distance, transitions) = graph.reachable();
        let outcome = run(&mut graph, depth_first, &Options::default());
        prop_assert_eq!(outcome.states, distance.len() as u64);
        prop_assert_eq!(outcome.transitions, transitions);
    }

    #[test]
    fn a_depth_limit_sees_all_within_it_and_says_so(edges in graphs(), limit in 0u64..8) {
        let mut graph = Graph::new(edges);
        let (distance, _) = graph.reachable();
        let far: Vec<u32> = distance.iter().filter(|(_, d)| **d == limit).map(|(s, _)| *s).collect();
        graph.bad = (0..graph.edges.len() as u32).map(|s| (s, s)).collect();
        let options = Options { limits: Limits { depth: Some(limit), ..Limits::default() }, ..Options::default() };
        let outcome = run(&mut graph, false, &options);
        let within = distance.values().filter(|d| **d <= limit).count() as u64;
        prop_assert_eq!(outcome.states, within);
        prop_assert_eq!(outcome.violations.len() as u64, within, "states at the limit are looked at");
        let cut = far.iter().any(|&s| !graph.edges[s as usize].is_empty());
        prop_assert_eq!(outcome.stop, cut.then_some(Stop::Depth));
    }

    #[test]
    fn a_depth_limited_depth_first_search_never_claims_to_be_complete(edges in graphs(), limit in 0u64..8) {
        let mut graph = Graph::new(edges);
        let (distance, _) = graph.reachable();
        let options = Options { limits: Limits { depth: Some(limit), ..Limits::default() }, ..Options::default() };
        let outcome = run(&mut graph, true, &options);
        prop_assert!(outcome.depth <= limit);
        prop_assert!(outcome.stop.is_some() || outcome.states == distance.len() as u64);
    }

    #[test]
    fn a_full_store_is_a_stop(edges in graphs(), room in 1usize..50, depth_first: bool) {
        let mut graph = Graph::new(edges);
        let (distance, _) = graph.reachable();
        let mut set = Plain::new(graph.layout.width());
        set.room = room;
        let outcome = run_with(&mut graph, depth_first, &Options::default(), &mut set, &mut Silent);
        prop_assert_eq!(outcome.stop, (distance.len() > room).then_some(Stop::Memory));
    }

    #[test]
    fn limits_on_states_and_errors_are_kept(
        edges in graphs(), states in 1u64..50, errors in 1u64..5, depth_first: bool
    ) {
        let mut graph = Graph::new(edges);
        let (distance, _) = graph.reachable();
        let limits = Limits { states: Some(states), ..Limits::default() };
        let outcome = run(&mut graph, depth_first, &Options { limits, ..Options::default() });
        match outcome.stop {
            Some(stop) => prop_assert_eq!(stop, Stop::States),
            None => prop_assert_eq!(outcome.states, distance.len() as u64),
        }
        graph.bad = (0..graph.edges.len() as u32).map(|s| (s, s)).collect();
        let limits = Limits { errors: Some(errors), ..Limits::default() };
        let outcome = run(&mut graph, depth_first, &Options { limits, ..Options::default() });
        prop_assert_eq!(outcome.violations.len() as u64, errors.min(distance.len() as u64));
        prop_assert_eq!(outcome.stop, (distance.len() as u64 >= errors).then_some(Stop::Errors));
    }
}

#[test]
fn ignored_kinds_are_passed_over() {
    let mut graph = Graph::new(vec![vec![1], vec![0]]);
    graph.bad.insert(1, 1);
    for depth_first in [false, true] {
        let options = Options { ignored: vec![FaultKind::Assertion], ..Options::default() };
        let outcome = run(&mut graph, depth_first, &options);
        assert_eq!((outcome.found, outcome.stop), (0, None));
    }
}

/// Cancels the search at the first poll.
struct Impatient;

impl Monitor for Impatient {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        assert!(progress.states > 0 && progress.expanded > 0);
        Some(Stop::Interrupted)
    }
}

#[test]
fn a_monitor_can_stop_a_search() {
    // A chain long enough for both searches to poll.
    let mut graph = Graph::new((0..5000).map(|i| vec![(i + 1) % 5000]).collect());
    for depth_first in [false, true] {
        let mut set = Plain::new(graph.layout.width());
        let outcome = run_with(&mut graph, depth_first, &Options::default(), &mut set, &mut Impatient);
        assert_eq!(outcome.stop, Some(Stop::Interrupted));
        assert!(outcome.states < 5000);
    }
}

#[test]
fn depth_first_goes_deep_without_a_limit_and_with_a_small_stack() {
    let length = 300_000;
    let mut graph = Graph::new((0..length).map(|i| vec![(i + 1) % length]).collect());
    graph.bad.insert(length - 1, 1);
    let outcome = run(&mut graph, true, &Options::default());
    assert_eq!(outcome.depth, u64::from(length) - 1);
    assert_eq!(outcome.violations[0].path.len() as u32, length - 1);
    assert!(outcome.memory.paths < 10 * u64::from(length));
}
