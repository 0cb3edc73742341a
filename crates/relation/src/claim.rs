//! The conditions of a claim as terms: where an edge is enabled, where taking it is a violation, and where
//! the enabled edges depend on a proposition that has no value.
//!
//! *Entry point:* [`Relation::observe`].
//! *Invariant:* a fault of a proposition counts in a location if and only if the explicit search reports it
//! there: the enabled edges depend on the proposition, given the propositions that have a value.

use axle_outcome::claim::{Cube, Edge, Guard, Location};
use axle_outcome::{Claim, FaultKind};

use crate::term::{FALSE, TRUE, TermId};
use crate::{Relation, RelationError};

/// The conditions of a claim.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClaimConditions {
    /// For each edge of the claim ([`Claim::edges`]), the states in which it is enabled.
    pub guards: Vec<TermId>,
    /// For each edge, the states in which taking it is a violation.
    pub alarms: Vec<TermId>,
    /// The propositions without a value that the claim depends on.
    pub faults: Vec<ClaimFault>,
}

/// A proposition without a value that the enabled edges of a location depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimFault {
    /// The location of the claim.
    pub location: u32,
    /// The proposition.
    pub atom: u32,
    /// The kind of fault.
    pub kind: FaultKind,
    /// The states.
    pub condition: TermId,
}

impl Relation {
    /// Adds the conditions of a claim whose atoms are the propositions.
    ///
    /// # Errors
    /// The relation then has too many terms.
    pub fn observe(&mut self, claim: &Claim) -> Result<(), RelationError> {
        self.claim = Some(self.conditions(claim)?);
        Ok(())
    }

    /// The conditions of a claim whose atoms are the propositions.
    ///
    /// # Errors
    /// The relation then has too many terms.
    pub fn conditions(&mut self, claim: &Claim) -> Result<ClaimConditions, RelationError> {
        let mut conditions = ClaimConditions::default();
        for (at, location) in (0u32..).zip(&claim.locations) {
            for edge in &location.edges {
                let guard = self.guard(&edge.guard);
                let alarm = self.alarm(claim, edge);
                conditions.guards.push(guard);
                conditions.alarms.push(self.terms.and(guard, alarm));
            }
            conditions.faults.extend(self.claim_faults(at, location));
        }
        if self.terms.is_full() {
            return Err(RelationError::TooLarge(self.terms.len()));
        }
        Ok(conditions)
    }

    fn alarm(&mut self, claim: &Claim, edge: &Edge) -> TermId {
        let end = if claim.locations[edge.to as usize].end { TRUE } else { FALSE };
        let Some(atom) = edge.asserts else { return end };
        let fails = self.terms.not(self.propositions[atom as usize]);
        self.terms.or(end, fails)
    }

    /// The states in which a guard holds.
    fn guard(&mut self, guard: &Guard) -> TermId {
        let mut any = FALSE;
        for cube in &guard.0 {
            let mut all = TRUE;
            for literal in &cube.0 {
                let agrees = self.agrees(literal.atom, literal.holds);
                all = self.terms.and(all, agrees);
            }
            any = self.terms.or(any, all);
        }
        any
    }

    fn agrees(&mut self, atom: u32, holds: bool) -> TermId {
        let value = self.propositions[atom as usize];
        if holds { value } else { self.terms.not(value) }
    }

    /// Where a proposition has no value.
    fn unknown(&mut self, atom: u32) -> TermId {
        let faults = self.proposition_faults.iter().filter(|fault| fault.proposition == atom);
        let conditions: Vec<TermId> = faults.map(|fault| fault.condition).collect();
        conditions.into_iter().fold(FALSE, |any, one| self.terms.or(any, one))
    }

    /// The faults on which a location depends.
    fn claim_faults(&mut self, at: u32, location: &Location) -> Vec<ClaimFault> {
        let mut found = Vec::new();
        for fault in self.proposition_faults.clone() {
            let mut needed = FALSE;
            for edge in &location.edges {
                let here = self.depends(edge, fault.proposition);
                needed = self.terms.or(needed, here);
            }
            let condition = self.terms.and(fault.condition, needed);
            if condition != FALSE {
                let (atom, kind) = (fault.proposition, fault.kind);
                found.push(ClaimFault { location: at, atom, kind, condition });
            }
        }
        found
    }

    /// Where the guard or the assertion of an edge depends on a proposition, which has no value there.
    fn depends(&mut self, edge: &Edge, atom: u32) -> TermId {
        let mentions = |cube: &&Cube| cube.0.iter().any(|literal| literal.atom == atom);
        let (mut open, mut own, mut holds) = (FALSE, FALSE, FALSE);
        for cube in &edge.guard.0 {
            let (mut may, mut must) = (TRUE, TRUE);
            for literal in &cube.0 {
                let (agrees, unknown) =
                    (self.agrees(literal.atom, literal.holds), self.unknown(literal.atom));
                let either = self.terms.or(agrees, unknown);
                may = self.terms.and(may, either);
                let known = self.terms.not(unknown);
                let certain = self.terms.and(agrees, known);
                must = self.terms.and(must, certain);
            }
            open = self.terms.or(open, may);
            holds = self.terms.or(holds, must);
            if mentions(&cube) {
                own = self.terms.or(own, may);
            }
        }
        let undecided = self.terms.not(holds);
        let guard = self.terms.and(own, undecided);
        if edge.asserts != Some(atom) {
            return guard;
        }
        let reached = self.terms.and(open, undecided);
        let enabled = self.guard(&edge.guard);
        let reached = self.terms.or(reached, enabled);
        self.terms.or(guard, reached)
    }
}
