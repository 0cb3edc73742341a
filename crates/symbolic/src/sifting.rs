//! Sifting: parts of the order of the variables are moved, one after the other, through all places, and stay
//! where a set of states has fewest nodes.
//!
//! The diagram of the set is copied into a forest of nodes in which two neighbouring levels can be
//! exchanged: only the nodes of the upper level that lead to the lower one change, and they keep their
//! number, so that the nodes above need no change. A part of several levels moves by exchanging each of its
//! levels with each of its neighbour's.
//!
//! *Entry point:* [`Sifting::new`], [`Sifting::sift`].
//! *Source:* R. Rudell, "Dynamic Variable Ordering for Ordered Binary Decision Diagrams", ICCAD 1993;
//! parts of several levels: S. Panda, F. Somenzi, "Who Are the Variables in Your Neighborhood", ICCAD 1995.
//! *Invariant:* an exchange changes no function. The high edge of a node is not complemented, so equal
//! functions have equal edges.

use rustc_hash::FxHashMap;

use crate::package::Package;

/// A function: a node, doubled, plus 1 if it is complemented. Node 0 is the constant true.
type Edge = u32;

struct Node {
    bit: u32,
    high: Edge,
    low: Edge,
    /// The number of edges to the node.
    uses: u32,
}

/// How much larger than the smallest seen a set may become on the way of a part, in percent.
const GROWTH: usize = 120;

/// A set of states, and the order of its bits.
pub(crate) struct Sifting {
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// For each bit, its nodes by their successors.
    unique: Vec<FxHashMap<(Edge, Edge), u32>>,
    /// The bits from top to bottom.
    levels: Vec<u32>,
    /// The number of nodes.
    size: usize,
    /// The number of nodes that exchanges may still visit.
    visits: usize,
}

impl Sifting {
    /// A copy of a set over bits before the step, in the order of their numbers. `visits` limits the work.
    pub(crate) fn new<P: Package>(package: &P, set: &P::Diagram, bits: u32, visits: usize) -> Sifting {
        let constant = Node { bit: bits, high: 0, low: 0, uses: 1 };
        let mut sifting = Sifting {
            nodes: vec![constant],
            free: Vec::new(),
            unique: (0..bits).map(|_| FxHashMap::default()).collect(),
            levels: (0..bits).collect(),
            size: 0,
            visits,
        };
        let root = sifting.copied(package, set);
        sifting.nodes[(root >> 1) as usize].uses += 1;
        sifting
    }

    fn copied<P: Package>(&mut self, package: &P, set: &P::Diagram) -> Edge {
        self.copy(package, set, &mut FxHashMap::default())
    }

    fn copy<P: Package>(
        &mut self,
        package: &P,
        set: &P::Diagram,
        known: &mut FxHashMap<P::Diagram, Edge>,
    ) -> Edge {
        let Some((variable, high, low)) = package.decompose(set) else {
            return u32::from(package.is_empty(set));
        };
        if let Some(edge) = known.get(set) {
            return *edge;
        }
        let (high, low) = (self.copy(package, &high, known), self.copy(package, &low, known));
        let edge = self.make(variable / 2, high, low);
        known.insert(set.clone(), edge);
        edge
    }

    /// The number of nodes of the set in the present order.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The bits from top to bottom.
    pub(crate) fn levels(&self) -> &[u32] {
        &self.levels
    }

    /// Moves each part to its best place; parts are the lengths of pieces of the order, from top to bottom.
    /// `goes_on` is asked before each part.
    pub(crate) fn sift<E>(
        &mut self,
        parts: &[usize],
        mut goes_on: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        // A part is known by its first bit: the bits of a part keep their order.
        let mut firsts = Vec::new();
        let mut start = 0;
        for length in parts {
            let nodes: usize = (start..start + length).map(|level| self.nodes_at(level)).sum();
            firsts.push((nodes, self.levels[start], *length));
            start += length;
        }
        let mut order: Vec<(u32, usize)> = firsts.iter().map(|(_, bit, length)| (*bit, *length)).collect();
        firsts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, bit, _) in firsts {
            goes_on()?;
            if self.visits == 0 {
                break;
            }
            let from = order.iter().position(|(of, _)| *of == bit).unwrap_or(0);
            self.place(&mut order, from);
        }
        Ok(())
    }

    /// Moves one part through the order and back to the best place.
    fn place(&mut self, order: &mut [(u32, usize)], from: usize) {
        let (mut at, mut best) = (from, (self.size, from));
        let last = order.len() - 1;
        let down_first = last - from < from;
        for down in [down_first, !down_first] {
            while if down { at < last } else { at > 0 } {
                let upper = if down { at } else { at - 1 };
                self.exchange(order, upper);
                at = if down { at + 1 } else { at - 1 };
                if self.size < best.0 {
                    best = (self.size, at);
                }
                if self.size * 100 > best.0 * GROWTH || self.visits == 0 {
                    break;
                }
            }
        }
        while at != best.1 {
            let upper = if at < best.1 { at } else { at - 1 };
            self.exchange(order, upper);
            at = if at < best.1 { at + 1 } else { at - 1 };
        }
    }

    /// Exchanges a part with the next one.
    fn exchange(&mut self, order: &mut [(u32, usize)], upper: usize) {
        let start: usize = order[..upper].iter().map(|(_, length)| length).sum();
        let (above, below) = (order[upper].1, order[upper + 1].1);
        for rises in 0..below {
            for at in (0..above).rev() {
                self.swap(start + rises + at);
            }
        }
        order.swap(upper, upper + 1);
    }

    fn nodes_at(&self, level: usize) -> usize {
        self.unique[self.levels[level] as usize].len()
    }

    /// Exchanges a level with the next one.
    fn swap(&mut self, level: usize) {
        let (upper, lower) = (self.levels[level], self.levels[level + 1]);
        self.levels.swap(level, level + 1);
        self.visits = self.visits.saturating_sub(self.unique[upper as usize].len() + 1);
        let leads = |nodes: &[Node], edge: Edge| nodes[(edge >> 1) as usize].bit == lower;
        let changed: Vec<u32> = (self.unique[upper as usize].iter())
            .filter(|((high, low), _)| leads(&self.nodes, *high) || leads(&self.nodes, *low))
            .map(|(_, node)| *node)
            .collect();
        for node in &changed {
            let Node { high, low, .. } = self.nodes[*node as usize];
            self.unique[upper as usize].remove(&(high, low));
        }
        for node in changed {
            let Node { high, low, .. } = self.nodes[node as usize];
            let ((high_high, high_low), (low_high, low_low)) =
                (self.cofactors(high, lower), self.cofactors(low, lower));
            let new = (self.make(upper, high_high, low_high), self.make(upper, high_low, low_low));
            self.nodes[(new.0 >> 1) as usize].uses += 1;
            self.nodes[(new.1 >> 1) as usize].uses += 1;
            let entry = &mut self.nodes[node as usize];
            (entry.bit, entry.high, entry.low) = (lower, new.0, new.1);
            self.unique[lower as usize].insert(new, node);
            self.release(high);
            self.release(low);
        }
    }

    /// The functions where a bit, which is not below the top of the edge, is true and where it is false.
    fn cofactors(&self, edge: Edge, bit: u32) -> (Edge, Edge) {
        let node = &self.nodes[(edge >> 1) as usize];
        if node.bit == bit { (node.high ^ (edge & 1), node.low ^ (edge & 1)) } else { (edge, edge) }
    }

    /// The function that is `high` where the bit is true and `low` elsewhere.
    fn make(&mut self, bit: u32, high: Edge, low: Edge) -> Edge {
        if high == low {
            return high;
        }
        let complement = high & 1;
        let key = (high ^ complement, low ^ complement);
        if let Some(node) = self.unique[bit as usize].get(&key) {
            return node << 1 | complement;
        }
        let node = Node { bit, high: key.0, low: key.1, uses: 0 };
        let number = match self.free.pop() {
            Some(number) => {
                self.nodes[number as usize] = node;
                number
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        self.nodes[(key.0 >> 1) as usize].uses += 1;
        self.nodes[(key.1 >> 1) as usize].uses += 1;
        self.unique[bit as usize].insert(key, number);
        self.size += 1;
        number << 1 | complement
    }

    /// An edge less to a node; a node without edges is freed.
    fn release(&mut self, edge: Edge) {
        let mut stack = vec![edge];
        while let Some(edge) = stack.pop() {
            let number = edge >> 1;
            let node = &mut self.nodes[number as usize];
            node.uses -= 1;
            if node.uses == 0 {
                let (bit, high, low) = (node.bit, node.high, node.low);
                self.unique[bit as usize].remove(&(high, low));
                self.free.push(number);
                self.size -= 1;
                stack.extend([high, low]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagrams::Diagrams;
    use crate::package::Refusal;

    const BITS: u32 = 10;

    fn value(sifting: &Sifting, root: Edge, assignment: u32) -> bool {
        let mut edge = root;
        while edge > 1 {
            let node = &sifting.nodes[(edge >> 1) as usize];
            let next = if assignment >> node.bit & 1 == 1 { node.high } else { node.low };
            edge = next ^ (edge & 1);
        }
        edge == 0
    }

    /// The number of nodes that a root leads to, and that the order and the form of nodes hold.
    fn checked(sifting: &Sifting, root: Edge) -> usize {
        let level = |edge: Edge| {
            let bit = sifting.nodes[(edge >> 1) as usize].bit;
            sifting.levels.iter().position(|of| *of == bit).unwrap_or(BITS as usize)
        };
        let (mut seen, mut stack) = (std::collections::BTreeSet::new(), vec![root]);
        while let Some(edge) = stack.pop() {
            if edge > 1 && seen.insert(edge >> 1) {
                let node = &sifting.nodes[(edge >> 1) as usize];
                assert_eq!(node.high & 1, 0);
                assert!(level(edge) < level(node.high).min(level(node.low)));
                stack.extend([node.high, node.low]);
            }
        }
        seen.len()
    }

    /// A set that needs pairs of bits next to each other, and noise.
    fn set(package: &Diagrams, seed: u32) -> Result<<Diagrams as Package>::Diagram, Refusal> {
        let bit = |number: u32| package.variable(2 * number);
        let mut set = package.constant(seed % 2 == 1);
        for pair in 0..BITS / 2 {
            let both = package.and(&bit(pair), &bit(BITS / 2 + pair))?;
            set =
                if (seed >> pair) % 3 == 1 { package.xor(&set, &both)? } else { package.or(&set, &both)? };
        }
        Ok(set)
    }

    #[test]
    fn exchanges_change_no_function_and_find_the_pairs() {
        for seed in 0..40 {
            let package = Diagrams::new(2 * BITS, 1 << 16, 1 << 10).expect("memory");
            let set = set(&package, seed).expect("memory");
            let mut sifting = Sifting::new(&package, &set, BITS, 1 << 20);
            let root = sifting.copied(&package, &set);
            let before: Vec<bool> = (0..1 << BITS).map(|at| value(&sifting, root, at)).collect();
            assert_eq!(checked(&sifting, root), sifting.size());
            let first = sifting.size();
            // Parts of one and of two bits.
            let parts = if seed % 2 == 0 { vec![1; BITS as usize] } else { vec![1, 2, 1, 1, 2, 1, 1, 1] };
            assert_eq!(sifting.sift(&parts, || Ok::<(), ()>(())), Ok(()));
            assert!((0..1 << BITS).all(|at| value(&sifting, root, at) == before[at as usize]), "{seed}");
            assert_eq!(checked(&sifting, root), sifting.size(), "{seed}");
            let mut bits = sifting.levels().to_vec();
            bits.sort_unstable();
            assert_eq!(bits, (0..BITS).collect::<Vec<_>>());
            assert_eq!(sifting.sift(&[1; BITS as usize], || Ok::<(), ()>(())), Ok(()));
            assert!(sifting.size() <= (3 * BITS as usize).min(first), "{seed}: {}", sifting.size());
            if seed == 0 {
                assert!(first > 2 * BITS as usize);
                assert_eq!(sifting.size(), BITS as usize);
            }
        }
    }
}
