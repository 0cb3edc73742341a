//! The conformance suite of the job queue, executed on SQLite and on PostgreSQL.

use crate::queue_cases::CASES;
use crate::support::{Files, cluster, conforms};

#[test]
fn sqlite_conforms() {
    conforms(&mut Files::new(), CASES);
}

#[test]
fn postgres_conforms() {
    if let Some(mut cluster) = cluster() {
        conforms(&mut cluster, CASES);
    }
}
