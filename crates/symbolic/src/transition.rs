//! Transition relations of single groups, over their support only.
//!
//! A bit that a group sets to a constant needs no variable for its value after the step: an image
//! quantifies the bit and conjoins the constant. The other changed bits are related to functions of the
//! state before the step. Bits that a group does not change do not occur in its relation, so there is
//! no frame condition.
//!
//! *Entry points:* [`Transition::new`], [`Transition::image`], [`Transition::preimage`].
//! *Source:* J. R. Burch, E. M. Clarke, D. E. Long, "Symbolic Model Checking with Partitioned
//! Transition Relations", VLSI 1991.
//! *Invariant:* the image of a set is the set of successors by the group, without the steps whose values
//! do not fit ([`Transition::overflow`]).

use std::rc::Rc;

use crate::encoding::{Encoding, current, next};
use crate::package::{Full, Package};
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
    /// The guard, and the new values of the bits that are not constant.
    relation: P::Diagram,
    /// The cube of all changed bits, before the step.
    changed: P::Diagram,
    /// The constants, before they are quantified and as literals.
    constants: Option<(P::Diagram, P::Diagram)>,
    /// The other changed bits: their cube after the step, and the renamings there and back.
    functions: Option<Rc<Functions<P>>>,
}

struct Functions<P: Package> {
    after: P::Diagram,
    to_current: P::Renaming,
    to_next: P::Renaming,
}

impl<P: Package> Transition<P> {
    /// The relation of a step in a case, which is a part of the states in which it is executable.
    pub(crate) fn new(
        encoding: &Encoding<P>,
        (number, step): (usize, &Step<P>),
        case: &P::Diagram,
    ) -> Result<Transition<P>, Full> {
        let package = &encoding.package;
        let overflow = package.and(case, &step.overflow)?;
        let guard = package.without(case, &overflow)?;
        let (mut constants, mut functions, mut relation) = (Vec::new(), Vec::new(), guard.clone());
        for (bit, new) in &step.updates {
            let here = package.and(&guard, new)?;
            let old = package.variable(current(*bit));
            if here == package.and(&guard, &old)? {
                // The bit keeps its value.
            } else if package.is_empty(&here) {
                constants.push((*bit, false));
            } else if here == guard {
                constants.push((*bit, true));
            } else {
                functions.push(*bit);
                let differ = package.xor(&package.variable(next(*bit)), new)?;
                relation = package.without(&relation, &differ)?;
            }
        }
        constants.sort_unstable();
        functions.sort_unstable();
        let mut writes: Vec<u32> = constants.iter().map(|(bit, _)| *bit).chain(functions.clone()).collect();
        writes.sort_unstable();
        let before = |bits: &[u32]| -> Vec<_> { bits.iter().map(|bit| (current(*bit), true)).collect() };
        let only: Vec<u32> = constants.iter().map(|(bit, _)| *bit).collect();
        let literals: Vec<_> = constants.iter().map(|(bit, holds)| (current(*bit), *holds)).collect();
        let constants = match literals.is_empty() {
            true => None,
            false => Some((package.cube(&before(&only))?, package.cube(&literals)?)),
        };
        let mut reads = package.support(&relation);
        reads.extend(package.support(&overflow));
        reads.retain(|variable| variable % 2 == 0);
        reads.iter_mut().for_each(|variable| *variable /= 2);
        reads.sort_unstable();
        reads.dedup();
        let pairs: Vec<_> = functions.iter().map(|bit| (next(*bit), current(*bit))).collect();
        let functions = match pairs.is_empty() {
            true => None,
            false => Some(Rc::new(Functions {
                after: package.cube(&pairs.iter().map(|(after, _)| (*after, true)).collect::<Vec<_>>())?,
                to_current: package.renaming(&pairs),
                to_next: package.renaming(&pairs.iter().map(|(a, b)| (*b, *a)).collect::<Vec<_>>()),
            })),
        };
        let changed = package.cube(&before(&writes))?;
        Ok(Transition {
            step: number,
            guard,
            overflow,
            reads,
            writes,
            relation,
            changed,
            constants,
            functions,
        })
    }

    /// The same step where a condition on further bits holds, which sets further bits to constants.
    pub(crate) fn beside(
        &self,
        package: &P,
        condition: &P::Diagram,
        constants: &[(u32, bool)],
    ) -> Result<Transition<P>, Full> {
        let literals = |of: &dyn Fn(bool) -> bool| {
            let mut literals: Vec<_> =
                constants.iter().map(|(bit, holds)| (current(*bit), of(*holds))).collect();
            literals.sort_unstable();
            package.cube(&literals)
        };
        let (cube, values) = (literals(&|_| true)?, literals(&|holds| holds)?);
        let constants = match &self.constants {
            None => (cube.clone(), values),
            Some((bits, literals)) => (package.and(bits, &cube)?, package.and(literals, &values)?),
        };
        let with = |more: Vec<u32>, bits: &[u32]| {
            let mut all: Vec<u32> = bits.iter().copied().chain(more).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let read = package.support(condition).into_iter().map(|variable| variable / 2).collect();
        let written = package.support(&cube).into_iter().map(|variable| variable / 2).collect();
        Ok(Transition {
            step: self.step,
            guard: package.and(&self.guard, condition)?,
            overflow: package.and(&self.overflow, condition)?,
            reads: with(read, &self.reads),
            writes: with(written, &self.writes),
            relation: package.and(&self.relation, condition)?,
            changed: package.and(&self.changed, &cube)?,
            constants: Some(constants),
            functions: self.functions.clone(),
        })
    }

    /// The first bit that the step reads or writes; none for a step that does nothing.
    pub(crate) fn top(&self) -> Option<u32> {
        self.reads.first().into_iter().chain(self.writes.first()).min().copied()
    }

    /// The successors of a set of states.
    pub(crate) fn image(&self, package: &P, set: &P::Diagram) -> Result<P::Diagram, Full> {
        let mut image = package.and_exists(set, &self.relation, &self.changed)?;
        if let Some(functions) = &self.functions {
            image = package.rename(&image, &functions.to_current)?;
        }
        match &self.constants {
            Some((_, literals)) => package.and(&image, literals),
            None => Ok(image),
        }
    }

    /// The predecessors of a set of states.
    pub(crate) fn preimage(&self, package: &P, set: &P::Diagram) -> Result<P::Diagram, Full> {
        let mut image = set.clone();
        if let Some((cube, literals)) = &self.constants {
            image = package.and_exists(&image, literals, cube)?;
        }
        match &self.functions {
            Some(functions) => {
                let image = package.rename(&image, &functions.to_next)?;
                package.and_exists(&image, &self.relation, &functions.after)
            }
            None => package.and(&image, &self.guard),
        }
    }
}
