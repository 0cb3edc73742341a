//! Tests of the `axle` command, in one program that is linked once.

mod commands;
mod corpora;
mod diagnose;
mod docs;
mod examples;
mod exchange;
mod extract;
mod faults;
mod faults_of_c;
mod https;
mod ltl;
mod machine_readable;
mod memory_orders;
mod programs;
mod project_truth;
mod projects;
mod result_files;
mod round_reports;
mod rounds;
mod simulate;
mod slice;
mod snapshots;
mod support;
mod swarm;
