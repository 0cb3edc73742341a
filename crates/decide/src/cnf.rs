//! Clauses of an and-inverter graph, made for the nodes that queries need.
//!
//! Choices and exclusive disjunctions are recognised and get clauses of their own, without variables
//! for their parts.
//!
//! *Entry point:* [`Encoder::literal`].
//! *Source:* Tseitin, "On the Complexity of Derivation in Propositional Calculus", 1968.
//! *Invariant:* every model of the clauses assigns to each node with a literal the value of the node
//! for the inputs in the model.

use crate::aig::{Aig, Node, Signal};
use crate::sat::{Lit, Solver};

/// The nodes whose literals are stored together: those of one formula have neighbouring numbers.
const PAGE: usize = 64;

/// The literals of the nodes of one graph in one solver.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    /// By pages, most of which are empty in a solver that is asked about a part of the graph.
    pages: Vec<Option<Box<[Option<Lit>; PAGE]>>>,
    /// The number of pages that are not empty.
    used: usize,
}

/// What a node is made of.
enum Gate {
    Leaf,
    And(Signal, Signal),
    /// The inverse of a choice.
    NotChoice(Signal, Signal, Signal),
}

impl Encoder {
    /// The literal of a signal.
    pub fn literal(&mut self, solver: &mut dyn Solver, aig: &Aig, signal: Signal) -> Lit {
        let mut stack = vec![signal.node()];
        while let Some(&node) = stack.last() {
            if self.at(node).is_some() {
                stack.pop();
                continue;
            }
            let gate = gate(aig, node);
            let before = stack.len();
            let operands: &[Signal] = match &gate {
                Gate::Leaf => &[],
                Gate::And(a, b) => &[*a, *b],
                Gate::NotChoice(c, a, b) => &[*c, *a, *b],
            };
            stack.extend(operands.iter().map(|of| of.node()).filter(|of| self.at(*of).is_none()));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let own = solver.variable();
            self.set(node, own);
            match gate {
                Gate::Leaf if node == 0 => solver.clause(&[!own]),
                Gate::Leaf => {}
                Gate::And(a, b) => {
                    let (a, b) = (self.of(a), self.of(b));
                    solver.clause(&[!own, a]);
                    solver.clause(&[!own, b]);
                    solver.clause(&[own, !a, !b]);
                }
                Gate::NotChoice(c, a, b) => {
                    let (c, a, b) = (self.of(c), self.of(a), self.of(b));
                    solver.clause(&[!c, !a, !own]);
                    solver.clause(&[!c, a, own]);
                    solver.clause(&[c, !b, !own]);
                    solver.clause(&[c, b, own]);
                    if a != !b {
                        solver.clause(&[!a, !b, !own]);
                        solver.clause(&[a, b, own]);
                    }
                }
            }
        }
        self.of(signal)
    }

    /// The literal of a signal that has one.
    #[must_use]
    pub fn known(&self, signal: Signal) -> Option<Lit> {
        let literal = self.at(signal.node())?;
        Some(literal.negated_if(signal.is_inverted()))
    }

    /// The memory, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        (self.pages.len() * size_of::<usize>() + self.used * size_of::<[Option<Lit>; PAGE]>()) as u64
    }

    /// The literal of a node.
    fn at(&self, node: usize) -> Option<Lit> {
        self.pages.get(node / PAGE)?.as_ref()?[node % PAGE]
    }

    fn set(&mut self, node: usize, literal: Lit) {
        if self.pages.len() <= node / PAGE {
            self.pages.resize(node / PAGE + 1, None);
        }
        let page = self.pages[node / PAGE].get_or_insert_with(|| {
            self.used += 1;
            Box::new([None; PAGE])
        });
        page[node % PAGE] = Some(literal);
    }

    fn of(&self, signal: Signal) -> Lit {
        self.known(signal).expect("operands have literals")
    }
}

fn gate(aig: &Aig, node: usize) -> Gate {
    let Node::And(a, b) = aig.nodes()[node] else { return Gate::Leaf };
    if a.is_inverted()
        && b.is_inverted()
        && let (Node::And(w, x), Node::And(y, z)) = (aig.node(a), aig.node(b))
    {
        // The node is not (w and x) and not (y and z), where one operand is the inverse of another.
        for (condition, then, inverse, other) in [(w, x, y, z), (w, x, z, y), (x, w, y, z), (x, w, z, y)] {
            if condition == !inverse {
                return Gate::NotChoice(condition, then, other);
            }
        }
    }
    Gate::And(a, b)
}
