//! Every probe has the verdict that `truth.tsv` gives, and its trace names the right line.

mod support;

use support::{Verdict, check_file};

#[test]
fn the_probes_have_their_verdicts() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/probes");
    let truth =
        std::fs::read_to_string(format!("{folder}/truth.tsv")).expect("the table of verdicts is there");
    let mut wrong = Vec::new();
    for row in truth.lines().skip(1) {
        let mut columns = row.split('\t');
        let (Some(name), Some(verdict)) = (columns.next(), columns.next()) else { continue };
        let report = check_file(&format!("{folder}/{name}.c"));
        let right = match verdict {
            "holds" => report.verdict == Verdict::Holds,
            _ => report.verdict == Verdict::Violated,
        };
        println!("{name}: {}", report.summary());
        if !right {
            wrong.push(format!("{name} should be {verdict}: {}", report.summary()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
