//! The nodes of shared decision diagrams: a table in which equal nodes occur once, and the collection of
//! those that no diagram needs.
//!
//! An edge is the number of a node, doubled, plus 1 if it is complemented. Node 0 is the constant true.
//! The high edge of a node is not complemented, so equal functions have equal edges.
//!
//! *Entry points:* [`NodeTable::make`], [`NodeTable::collect`].
//! *Source:* K. S. Brace, R. L. Rudell, R. E. Bryant, "Efficient Implementation of a BDD Package", DAC
//! 1990.
//! *Invariant:* the variable of a node is less than those of its successors. A collection frees no node
//! that a root leads to.

use std::cell::RefCell;

use crate::package::Refusal;

/// A function: a node, and whether it is complemented.
pub(crate) type Edge = u32;

/// The constant true.
pub(crate) const TRUE: Edge = 0;

/// The constant false.
pub(crate) const FALSE: Edge = 1;

/// The variable of the constant: below all others.
pub(crate) const CONSTANT: u32 = u32::MAX;

/// The variable of a node that is free.
const FREE: u32 = u32::MAX - 1;

/// The end of a list.
const END: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    variable: u32,
    high: Edge,
    low: Edge,
    /// The next node of the bucket, or of the free list.
    next: u32,
}

/// Eighths of bytes of a node with its number of roots and its mark.
const NODE_EIGHTHS: u64 = 8 * (16 + 4) + 1;

/// The most nodes for which tables of this many bytes have room: there are as many buckets as the next power
/// of two.
pub(crate) fn nodes_for(bytes: u64) -> usize {
    let with = |buckets: u64| buckets.min(8 * bytes.saturating_sub(4 * buckets) / NODE_EIGHTHS);
    (8..32).map(|power| with(1 << power)).max().unwrap_or(0) as usize
}

/// The nodes.
pub(crate) struct NodeTable {
    nodes: Vec<Node>,
    /// The first node of each bucket; their number is a power of two.
    buckets: Vec<u32>,
    free: u32,
    /// The number of nodes in use.
    used: usize,
    most: usize,
}

/// For each node, the number of diagrams outside that begin with it.
#[derive(Default)]
pub(crate) struct Roots(RefCell<Vec<u32>>);

impl Roots {
    pub(crate) fn add(&self, edge: Edge) {
        let mut counts = self.0.borrow_mut();
        let node = (edge >> 1) as usize;
        if counts.len() <= node {
            counts.resize(node + 1, 0);
        }
        counts[node] += 1;
    }

    pub(crate) fn remove(&self, edge: Edge) {
        self.0.borrow_mut()[(edge >> 1) as usize] -= 1;
    }

    fn bytes(&self) -> u64 {
        4 * self.0.borrow().len() as u64
    }
}

/// The nodes that are in use.
pub(crate) struct Marks(Vec<u64>);

impl Marks {
    /// Whether a node is in use.
    pub(crate) fn contains(&self, edge: Edge) -> bool {
        let node = (edge >> 1) as usize;
        self.0[node / 64] >> (node % 64) & 1 == 1
    }

    /// Marks a node; returns whether it was not marked before.
    fn insert(&mut self, edge: Edge) -> bool {
        let node = (edge >> 1) as usize;
        let (word, bit) = (&mut self.0[node / 64], 1 << (node % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

impl NodeTable {
    /// A table of at most this many nodes.
    pub(crate) fn new(most: usize) -> NodeTable {
        let constant = Node { variable: CONSTANT, high: TRUE, low: TRUE, next: END };
        let most = most.min(1 << 31).saturating_add(1);
        NodeTable { nodes: vec![constant], buckets: vec![END; 1 << 8], free: END, used: 1, most }
    }

    /// The number of nodes in use.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// The number of bytes of the table and the roots.
    pub(crate) fn bytes(&self, roots: &Roots) -> u64 {
        16 * self.nodes.len() as u64 + 4 * self.buckets.len() as u64 + roots.bytes()
    }

    /// The variable of an edge.
    #[inline]
    pub(crate) fn variable(&self, edge: Edge) -> u32 {
        self.nodes[(edge >> 1) as usize].variable
    }

    /// The function where the variable of the edge is true, and where it is false.
    #[inline]
    pub(crate) fn successors(&self, edge: Edge) -> (Edge, Edge) {
        let node = &self.nodes[(edge >> 1) as usize];
        (node.high ^ (edge & 1), node.low ^ (edge & 1))
    }

    /// The successors for a variable, which is not below that of the edge.
    #[inline]
    pub(crate) fn cofactors(&self, edge: Edge, variable: u32) -> (Edge, Edge) {
        if self.variable(edge) == variable { self.successors(edge) } else { (edge, edge) }
    }

    fn bucket(&self, variable: u32, high: Edge, low: Edge) -> usize {
        let key = (u64::from(high) << 32 | u64::from(low)) ^ (u64::from(variable) << 13);
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed ^ mixed >> 29) as usize >> 3) & (self.buckets.len() - 1)
    }

    /// The function that is `high` where the variable is true and `low` elsewhere.
    pub(crate) fn make(&mut self, variable: u32, high: Edge, low: Edge) -> Result<Edge, Refusal> {
        if high == low {
            return Ok(high);
        }
        let complement = high & 1;
        let (high, low) = (high ^ complement, low ^ complement);
        let mut bucket = self.bucket(variable, high, low);
        let mut at = self.buckets[bucket];
        while at != END {
            let node = &self.nodes[at as usize];
            if node.high == high && node.low == low && node.variable == variable {
                return Ok(at << 1 | complement);
            }
            at = node.next;
        }
        if self.used >= self.most {
            return Err(Refusal::Full);
        }
        if self.used > self.buckets.len() {
            self.buckets = vec![END; 2 * self.buckets.len()];
            self.link();
            bucket = self.bucket(variable, high, low);
        }
        let node = Node { variable, high, low, next: self.buckets[bucket] };
        let number = match self.free {
            END => {
                if self.nodes.len() == self.nodes.capacity() {
                    let more = (self.nodes.len() / 2).max(1 << 8).min(self.most - self.nodes.len());
                    self.nodes.reserve_exact(more);
                }
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
            free => {
                self.free = self.nodes[free as usize].next;
                self.nodes[free as usize] = node;
                free
            }
        };
        self.buckets[bucket] = number;
        self.used += 1;
        Ok(number << 1 | complement)
    }

    /// Puts all nodes in use into empty buckets.
    fn link(&mut self) {
        for number in 1..self.nodes.len() {
            let Node { variable, high, low, .. } = self.nodes[number];
            if variable != FREE {
                let bucket = self.bucket(variable, high, low);
                self.nodes[number].next = self.buckets[bucket];
                self.buckets[bucket] = number as u32;
            }
        }
    }

    /// The nodes that roots and further edges lead to.
    pub(crate) fn mark(&self, roots: &Roots, more: impl Iterator<Item = Edge>) -> Marks {
        let mut marks = Marks(vec![0; self.nodes.len().div_ceil(64)]);
        marks.insert(TRUE);
        let counts = roots.0.borrow();
        let counted = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        for edge in counted.map(|(node, _)| (node as u32) << 1).chain(more) {
            self.mark_from(edge, &mut marks);
        }
        marks
    }

    fn mark_from(&self, edge: Edge, marks: &mut Marks) -> usize {
        let (mut stack, mut marked) = (vec![edge], 0);
        while let Some(edge) = stack.pop() {
            if marks.insert(edge) {
                marked += 1;
                let node = &self.nodes[(edge >> 1) as usize];
                stack.extend([node.high, node.low]);
            }
        }
        marked
    }

    /// The number of nodes of a function, the constant not counted.
    pub(crate) fn size(&self, edge: Edge) -> usize {
        let mut marks = Marks(vec![0; self.nodes.len().div_ceil(64)]);
        marks.insert(TRUE);
        self.mark_from(edge, &mut marks)
    }

    /// Frees the nodes that are not marked.
    pub(crate) fn collect(&mut self, marks: &Marks) {
        self.buckets.fill(END);
        (self.free, self.used) = (END, 1);
        for number in (1..self.nodes.len()).rev() {
            if marks.contains((number as u32) << 1) {
                self.used += 1;
            } else {
                let next = self.free;
                self.nodes[number] = Node { variable: FREE, high: TRUE, low: TRUE, next };
                self.free = number as u32;
            }
        }
        self.link();
    }
}
