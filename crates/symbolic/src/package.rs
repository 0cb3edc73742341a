//! The operations that the engine needs of a package of binary decision diagrams.
//!
//! *Entry point:* [`Package`]; the implementation is in `diagrams.rs`.
//! *Invariant:* variables are ordered by number: the variable of a node is less than those of its
//! successors. Equal functions are equal diagrams.

use std::hash::Hash;

/// Why an operation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no memory for another node.
    Full,
    /// The patience has ended ([`Package::set_patience`]): the operation, repeated, goes on.
    Paused,
}

/// A package of binary decision diagrams with a fixed number of variables.
pub trait Package: Sized {
    /// A Boolean function.
    type Diagram: Clone + Eq + Hash;
    /// A package for this many variables, at most `nodes` nodes and a cache of `cache` results.
    ///
    /// # Errors
    /// There is no memory for one node of each variable.
    fn new(variables: u32, nodes: usize, cache: usize) -> Result<Self, Refusal>;

    /// A constant function.
    fn constant(&self, value: bool) -> Self::Diagram;

    /// The function that is a variable.
    fn variable(&self, number: u32) -> Self::Diagram;

    /// Negation.
    ///
    /// # Errors
    /// [`Refusal`], like all operations.
    fn not(&self, a: &Self::Diagram) -> Result<Self::Diagram, Refusal>;

    /// Conjunction.
    ///
    /// # Errors
    /// [`Refusal`].
    fn and(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<Self::Diagram, Refusal>;

    /// Disjunction.
    ///
    /// # Errors
    /// [`Refusal`].
    fn or(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<Self::Diagram, Refusal>;

    /// Exclusive disjunction.
    ///
    /// # Errors
    /// [`Refusal`].
    fn xor(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<Self::Diagram, Refusal>;

    /// `a` where `condition` holds, `b` elsewhere.
    ///
    /// # Errors
    /// [`Refusal`].
    fn choose(
        &self,
        condition: &Self::Diagram,
        a: &Self::Diagram,
        b: &Self::Diagram,
    ) -> Result<Self::Diagram, Refusal>;

    /// Conjunction, with the variables of a cube quantified existentially.
    ///
    /// # Errors
    /// [`Refusal`].
    fn and_exists(
        &self,
        a: &Self::Diagram,
        b: &Self::Diagram,
        cube: &Self::Diagram,
    ) -> Result<Self::Diagram, Refusal>;

    /// Existential quantification over the variables of a cube.
    ///
    /// # Errors
    /// [`Refusal`].
    fn exists(&self, a: &Self::Diagram, cube: &Self::Diagram) -> Result<Self::Diagram, Refusal> {
        self.and_exists(a, &self.constant(true), cube)
    }

    /// The successors of a set over even variables by a relation: variable `2 i` is a bit before the step,
    /// `2 i + 1` the bit after it. The cube has the bits before the step that the relation changes; the
    /// others keep their values.
    ///
    /// # Errors
    /// [`Refusal`].
    fn image(
        &self,
        set: &Self::Diagram,
        relation: &Self::Diagram,
        changed: &Self::Diagram,
    ) -> Result<Self::Diagram, Refusal>;

    /// The predecessors of a set by a relation.
    ///
    /// # Errors
    /// [`Refusal`].
    fn preimage(
        &self,
        set: &Self::Diagram,
        relation: &Self::Diagram,
        changed: &Self::Diagram,
    ) -> Result<Self::Diagram, Refusal>;

    /// Replaces variables by functions, all at once.
    ///
    /// # Errors
    /// [`Refusal`].
    fn compose(
        &self,
        a: &Self::Diagram,
        functions: &[(u32, Self::Diagram)],
    ) -> Result<Self::Diagram, Refusal>;

    /// The top variable, and the functions where it is true and false; none for a constant.
    fn decompose(&self, a: &Self::Diagram) -> Option<(u32, Self::Diagram, Self::Diagram)>;

    /// A result that the caller has stored for a function and a number, if it is still known.
    fn remembered(&self, a: &Self::Diagram, number: u32) -> Option<Self::Diagram>;

    /// Stores a result for a function and a number, as long as the cache has room.
    fn remember(&self, a: &Self::Diagram, number: u32, result: &Self::Diagram);

    /// Sets the number of steps after which an operation pauses; none if none pauses.
    fn set_patience(&self, steps: Option<u32>);

    /// The number of steps so far: results that were not cached, and nodes that a collection visited.
    fn steps(&self) -> u64;

    /// Operations that have paused are not repeated.
    fn begin(&self);

    /// The number of nodes of one function.
    fn size(&self, a: &Self::Diagram) -> usize;

    /// The number of nodes, dead ones included.
    fn nodes(&self) -> usize;

    /// The number of bytes of all tables.
    fn bytes(&self) -> u64;

    /// Frees the dead nodes; returns the number of nodes that remain.
    fn collect(&self) -> usize;

    /// The conjunction of literals. Their variables ascend.
    ///
    /// # Errors
    /// [`Refusal`].
    fn cube(&self, literals: &[(u32, bool)]) -> Result<Self::Diagram, Refusal> {
        let mut cube = self.constant(true);
        for &(variable, holds) in literals.iter().rev() {
            let variable = self.variable(variable);
            let literal = if holds { variable } else { self.not(&variable)? };
            cube = self.and(&literal, &cube)?;
        }
        Ok(cube)
    }

    /// `a` without `b`.
    ///
    /// # Errors
    /// [`Refusal`].
    fn without(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<Self::Diagram, Refusal> {
        self.and(a, &self.not(b)?)
    }

    /// Whether the function is constantly false.
    fn is_empty(&self, a: &Self::Diagram) -> bool {
        *a == self.constant(false)
    }

    /// Whether two functions have a common solution.
    ///
    /// # Errors
    /// [`Refusal`].
    fn intersects(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<bool, Refusal>;

    /// The variables on which a function depends, in ascending order.
    fn support(&self, a: &Self::Diagram) -> Vec<u32> {
        let (mut seen, mut found) = (rustc_hash::FxHashSet::default(), Vec::new());
        let mut stack = vec![a.clone()];
        while let Some(next) = stack.pop() {
            if let Some((variable, high, low)) = self.decompose(&next)
                && seen.insert(next)
            {
                found.push(variable);
                stack.extend([high, low]);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
