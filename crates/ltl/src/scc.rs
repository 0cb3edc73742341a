//! Strongly connected components of an automaton (Tarjan, *Depth-first search and linear graph
//! algorithms*, SIAM J. Comput. 1972), without recursion.
//!
//! *Entry point:* [`components`].
//! *Invariant:* components are numbered in reverse topological order: every transition leads to a
//! component with the same or a smaller number.

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

/// Tarjan's algorithm from the initial state.
pub fn components(automaton: &Automaton) -> Components {
    const NONE: u32 = u32::MAX;
    let n = automaton.states.len();
    let (mut index, mut low) = (vec![NONE; n], vec![0u32; n]);
    let mut of = vec![NONE; n];
    let mut stack = Vec::new();
    let mut count = 0;
    let mut next = 0;
    let mut work: Vec<(u32, usize)> = vec![(automaton.initial, 0)];
    while let Some(&mut (state, ref mut at)) = work.last_mut() {
        let s = state as usize;
        if *at == 0 {
            index[s] = next;
            low[s] = next;
            next += 1;
            stack.push(state);
        }
        if let Some(t) = automaton.states[s].get(*at) {
            *at += 1;
            let to = t.to as usize;
            if index[to] == NONE {
                work.push((t.to, 0));
            } else if of[to] == NONE {
                low[s] = low[s].min(index[to]);
            }
            continue;
        }
        // A state without transitions comes here at once, with `at` still 0.
        work.pop();
        if let Some(&(parent, _)) = work.last() {
            let p = parent as usize;
            low[p] = low[p].min(low[s]);
        }
        if low[s] == index[s] {
            while let Some(member) = stack.pop() {
                of[member as usize] = count;
                if member == state {
                    break;
                }
            }
            count += 1;
        }
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
