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

/// The literals of the nodes of one graph in one solver.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    literals: Vec<Option<Lit>>,
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
        if self.literals.len() < aig.nodes().len() {
            self.literals.resize(aig.nodes().len(), None);
        }
        let mut stack = vec![signal.node()];
        while let Some(&node) = stack.last() {
            if self.literals[node].is_some() {
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
            stack.extend(operands.iter().map(|of| of.node()).filter(|of| self.literals[*of].is_none()));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let own = solver.variable();
            self.literals[node] = Some(own);
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
        let literal = self.literals.get(signal.node()).copied().flatten()?;
        Some(literal.negated_if(signal.is_inverted()))
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
