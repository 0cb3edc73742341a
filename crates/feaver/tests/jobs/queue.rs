//! The conformance suite of the job queue, executed on SQLite and on PostgreSQL.

use std::time::Instant;

use crate::queue_cases::CASES;
use crate::support::{Databases, Files, cluster};

fn conforms(databases: &mut dyn Databases) {
    for (name, case) in CASES {
        let place = databases.create();
        let begin = Instant::now();
        println!("case {name}");
        case(&place);
        println!("  {:.0} ms", begin.elapsed().as_secs_f64() * 1000.0);
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
