//! A violation of a program that was replayed.
//!
//! *Entry point:* [`ProgramViolation`].

use axle_evidence::program_trail::ProgramTrail;
use axle_evidence::trace::Trace;
use axle_evidence::witness::Waypoint;

/// A violation of a program, seen again.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramViolation {
    /// The run to it.
    pub trace: Trace,
    /// From which it can be replayed.
    pub trail: ProgramTrail,
    /// What it passes on its way, for a witness.
    pub waypoints: Vec<Waypoint>,
}
