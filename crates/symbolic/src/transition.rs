//! Transition relations of single groups, over their support only.
//!
//! A relation has a variable for the value after the step for each bit that the group changes. Bits that it
//! does not change have none, so there is no frame condition.
//!
//! *Entry points:* [`Transition::new`], [`Transition::image`], [`Transition::preimage`].
//! *Source:* J. R. Burch, E. M. Clarke, D. E. Long, "Symbolic Model Checking with Partitioned
//! Transition Relations", VLSI 1991.
//! *Invariant:* the image of a set is the set of successors by the group, without the steps whose values
//! do not fit ([`Transition::overflow`]).

use crate::encoding::{Encoding, current, next};
use crate::package::{Package, Refusal};
use crate::steps::Step;

/// The transition relation of a group.
pub(crate) struct Transition<P: Package> {
    /// The step, as a position in [`crate::space::Space::steps`].
    pub step: usize,
    /// The states in which the step is executable, with values that fit.
    pub guard: P::Diagram,
    /// The states in which it is executable, with a value that does not fit.
    pub overflow: P::Diagram,
    /// The bits on which the guard and the new values depend, in ascending order.
    pub reads: Vec<u32>,
    /// The bits that the step may change, in ascending order.
    pub writes: Vec<u32>,
    /// The guard, and the new values of the changed bits.
    relation: P::Diagram,
    /// The cube of the changed bits, before the step.
    changed: P::Diagram,
}

impl<P: Package> Clone for Transition<P> {
    fn clone(&self) -> Transition<P> {
        Transition {
            step: self.step,
            guard: self.guard.clone(),
            overflow: self.overflow.clone(),
            reads: self.reads.clone(),
            writes: self.writes.clone(),
            relation: self.relation.clone(),
            changed: self.changed.clone(),
        }
    }
}

impl<P: Package> Transition<P> {
    /// The relation of a step in a case, which is a part of the states in which it is executable.
    pub(crate) fn new(
        encoding: &Encoding<P>,
        (number, step): (usize, &Step<P>),
        case: &P::Diagram,
    ) -> Result<Transition<P>, Refusal> {
        let package = &encoding.package;
        let overflow = package.and(case, &step.overflow)?;
        let guard = package.without(case, &overflow)?;
        let (mut writes, mut relation) = (Vec::new(), guard.clone());
        // From the bottom up: the intermediate relations are small.
        for (bit, new) in step.updates.iter().rev() {
            let here = package.and(&guard, new)?;
            let old = package.variable(current(*bit));
            if here == package.and(&guard, &old)? {
                // The bit keeps its value.
                continue;
            }
            writes.push(*bit);
            let differ = package.xor(&package.variable(next(*bit)), new)?;
            relation = package.without(&relation, &differ)?;
        }
        writes.reverse();
        let mut reads = package.support(&relation);
        reads.extend(package.support(&overflow));
        reads.retain(|variable| variable % 2 == 0);
        reads.iter_mut().for_each(|variable| *variable /= 2);
        reads.sort_unstable();
        reads.dedup();
        let before: Vec<_> = writes.iter().map(|bit| (current(*bit), true)).collect();
        let changed = package.cube(&before)?;
        Ok(Transition { step: number, guard, overflow, reads, writes, relation, changed })
    }

    /// The same step where a condition on further bits holds, which sets further bits to constants.
    pub(crate) fn beside(
        &self,
        package: &P,
        condition: &P::Diagram,
        constants: &[(u32, bool)],
    ) -> Result<Transition<P>, Refusal> {
        let mut after: Vec<_> = constants.iter().map(|(bit, holds)| (next(*bit), *holds)).collect();
        let mut before: Vec<_> = constants.iter().map(|(bit, _)| (current(*bit), true)).collect();
        after.sort_unstable();
        before.sort_unstable();
        let with = |more: Vec<u32>, bits: &[u32]| {
            let mut all: Vec<u32> = bits.iter().copied().chain(more).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let read = package.support(condition).into_iter().map(|variable| variable / 2).collect();
        let written = constants.iter().map(|(bit, _)| *bit).collect();
        let relation = package.and(&self.relation, condition)?;
        Ok(Transition {
            step: self.step,
            guard: package.and(&self.guard, condition)?,
            overflow: package.and(&self.overflow, condition)?,
            reads: with(read, &self.reads),
            writes: with(written, &self.writes),
            relation: package.and(&relation, &package.cube(&after)?)?,
            changed: package.and(&self.changed, &package.cube(&before)?)?,
        })
    }

    /// Both transitions as one: each keeps the bits that only the other changes. It has no step of its own.
    pub(crate) fn union(&self, package: &P, other: &Transition<P>) -> Result<Transition<P>, Refusal> {
        let union = |a: &[u32], b: &[u32]| {
            let mut all: Vec<u32> = a.iter().chain(b).copied().collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let keeping = |transition: &Transition<P>, other: &Transition<P>| {
            let mut relation = transition.relation.clone();
            for bit in other.writes.iter().rev().filter(|bit| transition.writes.binary_search(bit).is_err()) {
                let differ = package.xor(&package.variable(current(*bit)), &package.variable(next(*bit)))?;
                relation = package.without(&relation, &differ)?;
            }
            Ok(relation)
        };
        Ok(Transition {
            step: self.step,
            guard: package.or(&self.guard, &other.guard)?,
            overflow: package.or(&self.overflow, &other.overflow)?,
            reads: union(&self.reads, &other.reads),
            writes: union(&self.writes, &other.writes),
            relation: package.or(&keeping(self, other)?, &keeping(other, self)?)?,
            changed: package.and(&self.changed, &other.changed)?,
        })
    }

    /// The number of nodes of the relation.
    pub(crate) fn size(&self, package: &P) -> usize {
        package.size(&self.relation)
    }

    /// The first bit that the step reads or writes; none for a step that does nothing.
    pub(crate) fn top(&self) -> Option<u32> {
        self.reads.first().into_iter().chain(self.writes.first()).min().copied()
    }

    /// The successors of a set of states.
    pub(crate) fn image(&self, package: &P, set: &P::Diagram) -> Result<P::Diagram, Refusal> {
        package.image(set, &self.relation, &self.changed)
    }

    /// The predecessors of a set of states.
    pub(crate) fn preimage(&self, package: &P, set: &P::Diagram) -> Result<P::Diagram, Refusal> {
        package.preimage(set, &self.relation, &self.changed)
    }
}
