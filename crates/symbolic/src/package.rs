//! The operations that the engine needs of a package of binary decision diagrams.
//!
//! *Entry point:* [`Package`]; the implementation is in `complement_edges.rs`.
//! *Invariant:* variables are ordered by number: the variable of a node is less than those of its
//! successors. Equal functions are equal diagrams.

use std::hash::Hash;

/// The package has no memory for another node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the decision diagrams exceed the limit on nodes")]
pub struct Full;

/// A package of binary decision diagrams with a fixed number of variables.
pub trait Package: Sized {
    /// A Boolean function.
    type Diagram: Clone + Eq + Hash;
    /// A replacement of variables by others, for [`Package::rename`].
    type Renaming;

    /// A package for this many variables, at most `nodes` nodes and a cache of `cache` results.
    ///
    /// # Errors
    /// There is no memory for one node of each variable.
    fn new(variables: u32, nodes: usize, cache: usize) -> Result<Self, Full>;

    /// A constant function.
    fn constant(&self, value: bool) -> Self::Diagram;

    /// The function that is a variable.
    fn variable(&self, number: u32) -> Self::Diagram;

    /// Negation.
    ///
    /// # Errors
    /// [`Full`], like all operations.
    fn not(&self, a: &Self::Diagram) -> Result<Self::Diagram, Full>;

    /// Conjunction.
    ///
    /// # Errors
    /// [`Full`].
    fn and(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<Self::Diagram, Full>;

    /// Disjunction.
    ///
    /// # Errors
    /// [`Full`].
    fn or(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<Self::Diagram, Full>;

    /// Exclusive disjunction.
    ///
    /// # Errors
    /// [`Full`].
    fn xor(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<Self::Diagram, Full>;

    /// `a` where `condition` holds, `b` elsewhere.
    ///
    /// # Errors
    /// [`Full`].
    fn choose(
        &self,
        condition: &Self::Diagram,
        a: &Self::Diagram,
        b: &Self::Diagram,
    ) -> Result<Self::Diagram, Full>;

    /// Conjunction, with the variables of a cube quantified existentially.
    ///
    /// # Errors
    /// [`Full`].
    fn and_exists(
        &self,
        a: &Self::Diagram,
        b: &Self::Diagram,
        cube: &Self::Diagram,
    ) -> Result<Self::Diagram, Full>;

    /// Existential quantification over the variables of a cube.
    ///
    /// # Errors
    /// [`Full`].
    fn exists(&self, a: &Self::Diagram, cube: &Self::Diagram) -> Result<Self::Diagram, Full>;

    /// The renaming of each first variable to the second.
    fn renaming(&self, pairs: &[(u32, u32)]) -> Self::Renaming;

    /// Replaces variables.
    ///
    /// # Errors
    /// [`Full`].
    fn rename(&self, a: &Self::Diagram, renaming: &Self::Renaming) -> Result<Self::Diagram, Full>;

    /// Replaces variables by functions, all at once.
    ///
    /// # Errors
    /// [`Full`].
    fn compose(&self, a: &Self::Diagram, functions: &[(u32, Self::Diagram)]) -> Result<Self::Diagram, Full>;

    /// The top variable, and the functions where it is true and false; none for a constant.
    fn decompose(&self, a: &Self::Diagram) -> Option<(u32, Self::Diagram, Self::Diagram)>;

    /// The number of nodes of one function.
    fn size(&self, a: &Self::Diagram) -> usize;

    /// The number of nodes, dead ones included.
    fn nodes(&self) -> usize;

    /// Frees the dead nodes; returns the number of nodes that remain.
    fn collect(&self) -> usize;

    /// The conjunction of literals. Their variables ascend.
    ///
    /// # Errors
    /// [`Full`].
    fn cube(&self, literals: &[(u32, bool)]) -> Result<Self::Diagram, Full> {
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
    /// [`Full`].
    fn without(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<Self::Diagram, Full> {
        self.and(a, &self.not(b)?)
    }

    /// Whether the function is constantly false.
    fn is_empty(&self, a: &Self::Diagram) -> bool {
        *a == self.constant(false)
    }

    /// Whether two functions have a common solution.
    ///
    /// # Errors
    /// [`Full`].
    fn intersects(&self, a: &Self::Diagram, b: &Self::Diagram) -> Result<bool, Full> {
        Ok(!self.is_empty(&self.and(a, b)?))
    }

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
