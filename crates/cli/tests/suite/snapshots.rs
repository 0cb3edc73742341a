//! What people read, held to what was read and found good.

use crate::support::axle;

/// A report without what differs from run to run and from machine to machine.
fn steady(text: &str) -> String {
    let figures = |line: &str| -> String {
        match line.split_once(", depth ") {
            Some((counts, rest)) if rest.contains(" store, ") => {
                let depth = rest.split_once(',').map_or(rest, |(depth, _)| depth);
                format!("{counts}, depth {depth}, ...")
            }
            _ => line.to_string(),
        }
    };
    text.lines().map(figures).collect::<Vec<_>>().join("\n")
}

fn check(arguments: &str) -> String {
    steady(&axle(&format!("check {arguments}")).out)
}

#[test]
fn reports() {
    insta::assert_snapshot!("holds", check("peterson.pml"));
    insta::assert_snapshot!("assertion", check("mutex_broken.pml"));
    insta::assert_snapshot!("deadlock", check("philosophers.pml "));
    insta::assert_snapshot!("limit", check("peterson.pml --depth 5"));
    insta::assert_snapshot!("formula", check("formula.pml"));
    insta::assert_snapshot!("unreached", check("unreached.pml --enable unreached"));
    insta::assert_snapshot!("all_errors", check("division.pml --max-violations all --trace none"));
    insta::assert_snapshot!("messages_left", check("messages_left.pml --enable messages-left --trace chart"));
    insta::assert_snapshot!("endless", check("endless_sequence.pml"));
}

#[test]
fn simulations() {
    insta::assert_snapshot!("random", axle("simulate alternating_bit.pml --seed 3 --steps 12").out);
    insta::assert_snapshot!("layout", axle("dump alternating_bit.pml --layout").out);
}

#[test]
fn help() {
    insta::assert_snapshot!("help", axle("--help").out);
    let check = axle("check --help").out;
    assert!(check.lines().count() <= 55, "`axle check --help` fits two screens");
    assert!(check.lines().all(|line| line.len() <= 100), "{check}");
    insta::assert_snapshot!("help_check", check);
}
