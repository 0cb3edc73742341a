//! Strongly connected components of an automaton, without recursion.
//!
//! *Entry point:* [`components`].
//! *Invariant:* components are numbered in reverse topological order: every transition leads to a
//! component with the same or a smaller number.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use petgraph::visit::Dfs;

use crate::automaton::Automaton;

/// The components of the states that can be reached from the initial one.
#[derive(Clone, Debug)]
pub struct Components {
    /// For each state its component, or `u32::MAX` where it cannot be reached.
    pub of: Vec<u32>,
    /// For each component, the marks on its inner transitions.
    pub marks: Vec<u64>,
    /// For each component, whether it has an inner transition at all.
    pub cyclic: Vec<bool>,
}

impl Components {
    /// Whether a run that stays in the component forever can be accepting.
    pub fn accepting(&self, component: u32, all_marks: u64) -> bool {
        self.cyclic[component as usize] && self.marks[component as usize] & all_marks == all_marks
    }

    /// Whether a transition between these states stays in a component.
    pub fn inner(&self, from: u32, to: u32) -> bool {
        self.of[from as usize] == self.of[to as usize]
    }
}

/// The components of what can be reached from the initial state.
pub fn components(automaton: &Automaton) -> Components {
    const NONE: u32 = u32::MAX;
    let mut graph: DiGraph<(), (), u32> = DiGraph::new();
    automaton.states.iter().for_each(|_| {
        graph.add_node(());
    });
    for (from, out) in (0u32..).zip(&automaton.states) {
        out.iter().for_each(|t| {
            graph.add_edge(from.into(), t.to.into(), ());
        });
    }
    let mut reached = vec![false; automaton.states.len()];
    let mut walk = Dfs::new(&graph, automaton.initial.into());
    while let Some(state) = walk.next(&graph) {
        reached[state.index()] = true;
    }
    let mut of = vec![NONE; automaton.states.len()];
    let mut count = 0;
    for states in kosaraju_scc(&graph).iter().filter(|states| reached[states[0].index()]) {
        states.iter().for_each(|state| of[state.index()] = count);
        count += 1;
    }
    let mut result = Components { of, marks: vec![0; count as usize], cyclic: vec![false; count as usize] };
    for (from, out) in automaton.states.iter().enumerate() {
        let component = result.of[from];
        if component == NONE {
            continue;
        }
        for t in out.iter().filter(|t| result.of[t.to as usize] == component) {
            result.marks[component as usize] |= t.marks;
            result.cyclic[component as usize] = true;
        }
    }
    result
}
