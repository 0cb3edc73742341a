//! And-inverter graphs: conjunctions of two signals, each of which may be inverted. Equal conjunctions
//! occur once, and those that one look at their operands decides are not made.
//!
//! *Entry point:* [`Aig::and`].
//! *Source:* Brummayer and Biere, "Local Two-Level And-Inverter Graph Minimization without Blowup",
//! MEMICS 2006.
//! *Invariant:* the operands of a conjunction precede it.

use rustc_hash::FxHashMap;

/// A node of the graph or its inverse: twice the number of the node, plus 1 if inverted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Signal(pub u32);

/// The signal that is always 0.
pub const LOW: Signal = Signal(0);
/// The signal that is always 1.
pub const HIGH: Signal = Signal(1);

impl Signal {
    /// The number of the node.
    #[must_use]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the signal is the inverse of its node.
    #[must_use]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// The signal, inverted if a condition holds.
    #[must_use]
    pub fn inverted_if(self, condition: bool) -> Signal {
        Signal(self.0 ^ u32::from(condition))
    }

    /// The constant signal of a truth value.
    #[must_use]
    pub fn constant(value: bool) -> Signal {
        LOW.inverted_if(value)
    }
}

impl std::ops::Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// The constant 0, the first node.
    Constant,
    /// A signal from outside.
    Input,
    /// A conjunction.
    And(Signal, Signal),
}

/// A graph.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<Node>,
    known: FxHashMap<(Signal, Signal), Signal>,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig { nodes: vec![Node::Constant], known: FxHashMap::default() }
    }
}

impl Aig {
    /// The nodes.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of a signal.
    #[must_use]
    pub fn node(&self, signal: Signal) -> Node {
        self.nodes[signal.node()]
    }

    /// An estimate of the memory, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.nodes.len() as u64 * 32
    }

    fn add(&mut self, node: Node) -> Signal {
        let number = u32::try_from(self.nodes.len()).ok().filter(|number| *number < 1 << 31);
        self.nodes.push(node);
        Signal(number.expect("fewer than 2^31 nodes") << 1)
    }

    /// A further input.
    pub fn input(&mut self) -> Signal {
        self.add(Node::Input)
    }

    /// The conjunction.
    pub fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == LOW || a == !b {
            return LOW;
        }
        if a == HIGH || a == b {
            return b;
        }
        if let Some(simpler) = self.shortened(a, b).or_else(|| self.shortened(b, a)) {
            return simpler;
        }
        if let (Node::And(w, x), Node::And(y, z)) = (self.node(a), self.node(b))
            && !a.is_inverted()
            && !b.is_inverted()
            && (w == !y || w == !z || x == !y || x == !z)
        {
            return LOW;
        }
        if let Some(known) = self.known.get(&(a, b)) {
            return *known;
        }
        let signal = self.add(Node::And(a, b));
        self.known.insert((a, b), signal);
        signal
    }

    /// The conjunction of a signal with a conjunction in which it or its inverse occurs.
    fn shortened(&mut self, a: Signal, b: Signal) -> Option<Signal> {
        let Node::And(x, y) = self.node(b) else { return None };
        match b.is_inverted() {
            false if a == x || a == y => Some(b),
            false if a == !x || a == !y => Some(LOW),
            true if a == !x || a == !y => Some(a),
            true if a == x => Some(self.and(a, !y)),
            true if a == y => Some(self.and(a, !x)),
            _ => None,
        }
    }

    /// The disjunction.
    pub fn or(&mut self, a: Signal, b: Signal) -> Signal {
        !self.and(!a, !b)
    }

    /// The exclusive disjunction.
    pub fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        if a == b || a == !b {
            return Signal::constant(a != b);
        }
        // Only the parity of inversions counts: one form for all.
        let inverted = a.is_inverted() != b.is_inverted();
        let (a, b) = (a.inverted_if(a.is_inverted()), b.inverted_if(b.is_inverted()));
        let (one, other) = (self.and(a, !b), self.and(!a, b));
        self.or(one, other).inverted_if(inverted)
    }

    /// A choice by a condition.
    pub fn choose(&mut self, condition: Signal, a: Signal, b: Signal) -> Signal {
        if a == b {
            return a;
        }
        if a == !b {
            return self.xor(condition, b);
        }
        let (one, other) = (self.and(condition, a), self.and(!condition, b));
        self.or(one, other)
    }

    /// The disjunction of signals, as a balanced tree.
    pub fn any(&mut self, mut signals: Vec<Signal>) -> Signal {
        if signals.is_empty() {
            return LOW;
        }
        while signals.len() > 1 {
            let pairs = signals.chunks(2);
            signals = pairs.map(|pair| if let [a, b] = *pair { self.or(a, b) } else { pair[0] }).collect();
        }
        signals[0]
    }

    /// The values of all nodes in 64 cases at once, for values of the inputs in their order.
    #[must_use]
    pub fn simulate(&self, inputs: &[u64]) -> Vec<u64> {
        let mut values = Vec::with_capacity(self.nodes.len());
        let mut inputs = inputs.iter();
        for node in &self.nodes {
            values.push(match node {
                Node::Constant => 0,
                Node::Input => *inputs.next().expect("a value for each input"),
                Node::And(a, b) => value(&values, *a) & value(&values, *b),
            });
        }
        values
    }
}

/// The value of a signal among the values of the nodes.
#[must_use]
pub fn value(values: &[u64], signal: Signal) -> u64 {
    values[signal.node()] ^ if signal.is_inverted() { u64::MAX } else { 0 }
}
