//! From a system, which is a model or a C program, and a configuration to a report.
//!
//! The crate makes the plan of a check, executes it, replays every violation with the
//! interpreter, and derives a verdict for each property. It uses no terminal and no clock.
//!
//! *Entry points:* [`check`], [`System`].

pub mod abstraction;
mod certificate;
mod choice;
mod claim_certificate;
pub mod judgement;
mod model;
mod parts;
pub mod plan;
pub mod program;
pub mod program_cheapest;
mod race;
mod resume;
mod system;
mod transition_system;

pub use axle_c_evidence::ProgramViolation;
pub use axle_decide::external;
pub use axle_dist::{Failure as SearchFailure, Refusal};
pub use axle_evidence::report::{Report, Verdict};
pub use axle_evidence::vocabulary::Vocabulary;
pub use axle_question::{
    Approximate, Auto, Check, Config, Order, StoreChoice, Subject, SuccessorChoice, SystemKind, VacuityCheck,
    checks, claims, config,
};
pub use axle_reduce::passes::Pass;
pub use certificate::{check_recorded, claim, proves};
pub use claim_certificate::VerifiedClaim;
pub use judgement::confirm::{Confirmed, confirm};
pub use judgement::explain::{LABELS, RUN_KINDS, explain_kind};
pub use judgement::found::{Certificate, Execution, KnownViolation, ModelFound, ProgramFound};
pub use judgement::run_report::fairness_name;
pub use judgement::runs::{RunViolation, replay};
pub use parts::check_in_parts;
pub use plan::engines::distributed::{SearchMember, TakenPart, take_part};
pub use plan::engines::selectable as engines;
pub use program::replay_program;
pub use race::log::{End, Executed};
pub use race::{Alone, run_alone};
pub use resume::{CheckpointMismatch, can_checkpoint, check_resumable};
pub use system::{Checked, CheckedModel, System, check};
pub use transition_system::{Format, VerifiedCertificate, VerifiedInvariant, export, verify_invariants};
