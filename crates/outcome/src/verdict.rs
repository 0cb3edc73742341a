//! The answers of one attempt for one property, and the verdict of a property.
//!
//! *Entry points:* [`Answer`] (of an attempt), [`Verdict`] (of a property, by [`crate::join::join`]).
//! *Invariant:* a [`Witness`] is replayed before a property is reported as violated.

use axle_model::{EdgeId, ProcId};
use serde::{Deserialize, Serialize};

use crate::kinds::ViolationKind;
use crate::lasso::Lasso;
use crate::reason::Reason;

/// The verdict of a property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// True of every execution.
    Holds,
    /// False of some execution, which the report shows.
    Violated,
    /// Not known, for the reason given.
    Unknown,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 3] = [Verdict::Holds, Verdict::Violated, Verdict::Unknown];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }

    /// The verdict of several properties together: violated if any is, otherwise unknown if any is.
    /// Without properties nothing was checked, and the verdict is unknown.
    pub fn overall(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        let worst = |all: Option<Verdict>, one: Verdict| match (all, one) {
            (Some(Verdict::Violated), _) | (_, Verdict::Violated) => Some(Verdict::Violated),
            (Some(Verdict::Unknown), _) | (_, Verdict::Unknown) => Some(Verdict::Unknown),
            (Some(Verdict::Holds) | None, Verdict::Holds) => Some(Verdict::Holds),
        };
        verdicts.into_iter().fold(None, worst).unwrap_or(Verdict::Unknown)
    }
}

/// The answer of an attempt for a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// No execution violates the property.
    Proved(Proof),
    /// An execution violates it.
    Refuted(Witness),
    /// Neither was found.
    Open(Reason),
}

impl Answer {
    /// The verdict, if this is the only answer.
    pub fn verdict(&self) -> Verdict {
        match self {
            Answer::Proved(_) => Verdict::Holds,
            Answer::Refuted(_) => Verdict::Violated,
            Answer::Open(_) => Verdict::Unknown,
        }
    }
}

/// How a property was proved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// The method.
    pub method: Method,
    /// The counterexamples that the property could have: the first in the order prefix, cycle, fair cycle,
    /// blocked that covers them all. For every temporal property that is not a safety property, blocked.
    pub excludes: Counterexample,
    /// Whether an independent checker has verified the proof.
    pub is_checked: bool,
}

/// Method of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Every reachable state was visited; no limit was reached.
    ExhaustiveSearch,
    /// An inductive invariant implies the property.
    InductiveInvariant,
    /// The property holds of an abstraction with at least the executions of the system.
    Abstraction,
}

impl Proof {
    /// The proof of a complete search, for any property.
    pub const EXHAUSTIVE: Proof =
        Proof { method: Method::ExhaustiveSearch, excludes: Counterexample::Blocked, is_checked: false };
}

/// A violating execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Witness {
    /// The property of the execution that makes it a counterexample.
    pub shape: Counterexample,
    /// Its steps.
    pub steps: Steps,
}

/// The property of an execution that makes it a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counterexample {
    /// Its steps alone: an assertion fails, a bad prefix of a formula is complete.
    Prefix,
    /// Its steps, and that none can follow: a deadlock, a formula that requires a further step.
    Blocked,
    /// Its steps, of which there are infinitely many.
    Cycle,
    /// Its steps, of which there are infinitely many, and that every other process is blocked: fairness
    /// would let it execute.
    FairCycle,
}

impl Counterexample {
    /// All shapes.
    pub const ALL: [Counterexample; 4] =
        [Counterexample::Prefix, Counterexample::Blocked, Counterexample::Cycle, Counterexample::FairCycle];

    /// Whether it is essential that other steps cannot be executed.
    pub fn needs_absence(self) -> bool {
        match self {
            Counterexample::Prefix | Counterexample::Cycle => false,
            Counterexample::Blocked | Counterexample::FairCycle => true,
        }
    }

    /// The shape of a violation, from its kind, its steps (`None` is a stutter step, in which every
    /// process is blocked) and whether it ends in a cycle. `fair`: only fair executions count.
    pub fn of(kind: &ViolationKind, path: &[Option<u32>], is_cycle: bool, fair: bool) -> Counterexample {
        let is_blocked = path.iter().any(Option::is_none)
            || matches!(kind, ViolationKind::InvalidEnd | ViolationKind::MessagesLeft)
            || matches!(kind, ViolationKind::DeterministicBlocks)
            || matches!(kind, ViolationKind::Deadlock | ViolationKind::Livelock);
        match (is_blocked, is_cycle, fair) {
            (true, ..) => Counterexample::Blocked,
            (false, true, true) => Counterexample::FairCycle,
            (false, true, false) => Counterexample::Cycle,
            (false, false, _) => Counterexample::Prefix,
        }
    }
}

/// The steps of a violating execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Steps {
    /// The violation is that no execution does something, such as reach a statement; its shape is
    /// [`Counterexample::Blocked`], because every step that is omitted matters.
    Absent,
    /// The position of each step among the successors of the preceding state; `None` is a stutter step.
    /// The last `cycle` steps repeat.
    Positions {
        /// The positions.
        path: Vec<Option<u32>>,
        /// Length of the cycle at the end; 0 for a finite execution.
        cycle: usize,
    },
    /// The edges of a model that are executed.
    Edges {
        /// The edges.
        path: Vec<EdgeStep>,
        /// Length of the cycle at the end; 0 for a finite execution.
        cycle: usize,
    },
    /// The steps of a C program.
    Program {
        /// The steps.
        path: Vec<ProgramStep>,
        /// Length of the cycle at the end; 0 for a finite execution.
        cycle: usize,
    },
}

/// An edge that a process executes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct EdgeMove {
    /// Number of the process.
    pub pid: u32,
    /// Its type.
    pub proc: ProcId,
    /// The edge.
    pub edge: EdgeId,
}

/// A step of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct EdgeStep {
    /// The process that executes the step.
    pub by: EdgeMove,
    /// The receiver of a rendezvous.
    pub partner: Option<EdgeMove>,
}

/// A step of a C program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ProgramStep {
    /// Number of the thread.
    pub thread: u32,
    /// The step, as the program's listing numbers it.
    pub step: u32,
}

impl Witness {
    /// The witness of a lasso in the product of a system and a claim.
    pub fn of_lasso(lasso: &Lasso, fair: bool) -> Witness {
        let path: Vec<Option<u32>> =
            lasso.prefix.iter().chain(&lasso.cycle).map(|step| step.system).collect();
        let shape = Counterexample::of(&ViolationKind::Formula, &path, true, fair);
        Witness { shape, steps: Steps::Positions { path, cycle: lasso.cycle.len() } }
    }

    /// The witness in another model: `map` gives the edge of the other model for an edge, `None` if that
    /// model has no such step. A sequence of positions is mapped by a replay instead.
    pub fn map_edges(&self, map: impl Fn(EdgeMove) -> Option<EdgeMove>) -> Option<Witness> {
        let Steps::Edges { path, cycle } = &self.steps else { return None };
        let step = |step: &EdgeStep| {
            let partner = step.partner.map(|partner| map(partner).ok_or(())).transpose().ok()?;
            Some(EdgeStep { by: map(step.by)?, partner })
        };
        let path = path.iter().map(step).collect::<Option<Vec<_>>>()?;
        Some(Witness { shape: self.shape, steps: Steps::Edges { path, cycle: *cycle } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_of_several_properties() {
        use Verdict::{Holds, Unknown, Violated};
        assert_eq!(Verdict::overall([]), Unknown);
        for one in Verdict::ALL {
            assert_eq!(Verdict::overall([one]), one);
            for other in Verdict::ALL {
                let expected = match (one, other) {
                    (Violated, _) | (_, Violated) => Violated,
                    (Unknown, _) | (_, Unknown) => Unknown,
                    (Holds, Holds) => Holds,
                };
                assert_eq!(Verdict::overall([one, other]), expected);
            }
        }
    }

    #[test]
    fn a_violation_that_needs_the_absence_of_steps() {
        use Counterexample::{Blocked, Cycle, FairCycle, Prefix};
        let of = |kind: &str, path: &[Option<u32>], cycle, fair| {
            Counterexample::of(&ViolationKind::from(kind), path, cycle, fair)
        };
        assert_eq!(of("assertion", &[Some(1)], false, true), Prefix);
        assert_eq!(of("formula", &[Some(1)], false, false), Prefix);
        assert_eq!(of("formula", &[Some(1), None], true, false), Blocked);
        assert_eq!(of("formula", &[Some(1), None], true, true), Blocked);
        assert_eq!(of("formula", &[Some(1)], true, false), Cycle);
        assert_eq!(of("non-progress-cycle", &[Some(1)], true, true), FairCycle);
        for kind in ["invalid-end", "messages-left", "d_step-blocks", "deadlock", "livelock"] {
            assert_eq!(of(kind, &[Some(1)], false, false), Blocked, "{kind}");
        }
    }

    #[test]
    fn a_witness_is_mapped_to_another_model() {
        let at = |edge| EdgeMove { pid: 0, proc: ProcId(0), edge: EdgeId(edge) };
        let steps = |edges: &[u32]| {
            let path = edges.iter().map(|&edge| EdgeStep { by: at(edge), partner: Some(at(edge + 1)) });
            Witness { shape: Counterexample::Prefix, steps: Steps::Edges { path: path.collect(), cycle: 1 } }
        };
        let shift = |from: EdgeMove| (from.edge.0 < 4).then_some(at(from.edge.0 + 10));
        assert_eq!(steps(&[0, 2]).map_edges(shift), Some(steps(&[10, 12])));
        assert_eq!(steps(&[0, 3]).map_edges(shift), None, "the partner has no edge there");
        let absent = Witness { shape: Counterexample::Prefix, steps: Steps::Absent };
        assert_eq!(absent.map_edges(Some), None);
    }
}
