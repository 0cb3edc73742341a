//! The conformance suite of the job queue, executed on SQLite and on PostgreSQL.

mod queue_cases;
mod simulation;
mod support;

use queue_cases::CASES;
use support::{Databases, Files, cluster};

fn conforms(databases: &mut dyn Databases) {
    for (name, case) in CASES {
        println!("case {name}");
        case(&databases.create());
    }
}

#[test]
fn sqlite_conforms() {
    conforms(&mut Files::new());
}

#[test]
fn postgres_conforms() {
    if let Some(mut cluster) = cluster() {
        conforms(&mut cluster);
    }
}
