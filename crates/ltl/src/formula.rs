//! Formulas of linear temporal logic over numbered propositions.
//!
//! [`Formula`] is what a person wrote; [`Arena`] holds formulas in negation normal form, each
//! sub-formula once, which is what translation works on. Both are plain data.

use rustc_hash::FxHashMap;

/// A formula as written. Atoms are numbers; what they stand for is the caller's table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each name is the operator's own")]
pub enum Formula {
    True,
    False,
    Atom(u32),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Equivalent(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The negation.
    pub fn negated(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// The formula with each atom replaced.
    pub fn substituted(&self, atom: &mut impl FnMut(u32) -> Formula) -> Formula {
        let mut one = |a: &Formula| Box::new(a.substituted(atom));
        match self {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::Atom(number) => atom(*number),
            Formula::Not(a) => Formula::Not(one(a)),
            Formula::Next(a) => Formula::Next(one(a)),
            Formula::Always(a) => Formula::Always(one(a)),
            Formula::Eventually(a) => Formula::Eventually(one(a)),
            Formula::And(a, b) => Formula::And(one(a), one(b)),
            Formula::Or(a, b) => Formula::Or(one(a), one(b)),
            Formula::Implies(a, b) => Formula::Implies(one(a), one(b)),
            Formula::Equivalent(a, b) => Formula::Equivalent(one(a), one(b)),
            Formula::Until(a, b) => Formula::Until(one(a), one(b)),
            Formula::WeakUntil(a, b) => Formula::WeakUntil(one(a), one(b)),
            Formula::Release(a, b) => Formula::Release(one(a), one(b)),
        }
    }

    /// How many operators the formula has, atoms and constants not counted.
    pub fn operators(&self) -> usize {
        1 + match self {
            Formula::True | Formula::False | Formula::Atom(_) => return 0,
            Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => a.operators(),
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Equivalent(a, b)
            | Formula::Until(a, b)
            | Formula::WeakUntil(a, b)
            | Formula::Release(a, b) => a.operators() + b.operators(),
        }
    }

    /// The operands of the outermost operator.
    pub fn operands(&self) -> Vec<&Formula> {
        match self {
            Formula::True | Formula::False | Formula::Atom(_) => vec![],
            Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => vec![a],
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Equivalent(a, b)
            | Formula::Until(a, b)
            | Formula::WeakUntil(a, b)
            | Formula::Release(a, b) => vec![a, b],
        }
    }

    /// Whether no temporal operator occurs: it speaks of a single state.
    pub fn is_plain(&self) -> bool {
        match self {
            Formula::True | Formula::False | Formula::Atom(_) => true,
            Formula::Not(a) => a.is_plain(),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Equivalent(a, b) => {
                a.is_plain() && b.is_plain()
            }
            Formula::Next(_)
            | Formula::Always(_)
            | Formula::Eventually(_)
            | Formula::Until(..)
            | Formula::WeakUntil(..)
            | Formula::Release(..) => false,
        }
    }

    /// Whether `Next` occurs.
    pub fn has_next(&self) -> bool {
        match self {
            Formula::True | Formula::False | Formula::Atom(_) => false,
            Formula::Next(_) => true,
            Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => a.has_next(),
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Equivalent(a, b)
            | Formula::Until(a, b)
            | Formula::WeakUntil(a, b)
            | Formula::Release(a, b) => a.has_next() || b.has_next(),
        }
    }
}

/// A formula in an [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub u32);

/// One operator of negation normal form. `Eventually a` is `true U a`, `Always a` is `false R a`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "each name is the operator's own")]
pub enum Node {
    True,
    False,
    /// A proposition, or its negation where the flag is false.
    Literal(u32, bool),
    And(Id, Id),
    Or(Id, Id),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// Formulas in negation normal form, every one once: equal formulas have equal ids.
#[derive(Clone, Default, Debug)]
pub struct Arena {
    nodes: Vec<Node>,
    ids: FxHashMap<Node, Id>,
}

impl Arena {
    /// The operator at the root of `id`.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.0 as usize]
    }

    /// The id of a node whose operands are in the arena, without any rewriting.
    pub fn intern(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(node);
        self.ids.insert(node, id);
        id
    }

    /// The formula as a tree over `Not`, `And`, `Or`, `Next`, `Eventually`, `Always`, `Until`,
    /// `Release`.
    pub fn formula(&self, id: Id) -> Formula {
        let tree = |id| Box::new(self.formula(id));
        match self.node(id) {
            Node::True => Formula::True,
            Node::False => Formula::False,
            Node::Literal(atom, true) => Formula::Atom(atom),
            Node::Literal(atom, false) => Formula::Atom(atom).negated(),
            Node::And(a, b) => Formula::And(tree(a), tree(b)),
            Node::Or(a, b) => Formula::Or(tree(a), tree(b)),
            Node::Next(a) => Formula::Next(tree(a)),
            Node::Until(a, b) if self.node(a) == Node::True => Formula::Eventually(tree(b)),
            Node::Until(a, b) => Formula::Until(tree(a), tree(b)),
            Node::Release(a, b) if self.node(a) == Node::False => Formula::Always(tree(b)),
            Node::Release(a, b) => Formula::Release(tree(a), tree(b)),
        }
    }
}
