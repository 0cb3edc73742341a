//! Tests of the façade, in one program: each program would link all searches again.

mod agreement;
mod answers_of_engines;
mod approximate;
mod attempts;
mod certificates;
mod checkpoints;
mod choice;
mod claim_certificates;
mod claims_of_engines;
mod engines;
mod events;
mod faults_by_threads;
mod large_programs;
mod nearest;
mod passes;
mod plan;
mod portfolio;
mod programs_by_threads;
mod promela;
mod propositions;
mod reduction;
mod runs_by_threads;
mod slices;
mod standing_still;
mod unbounded_processes;
mod wide_atomic;
