//! Checks C programs: `cargo run -p axle-c --example check FILE.c ...`; one line of verdict a file,
//! then its troubles.

#[allow(dead_code, reason = "the programs of the tests are not of interest here")]
#[path = "../tests/support/mod.rs"]
mod support;

fn main() {
    let mut trace = false;
    for path in std::env::args().skip(1) {
        if path == "--trace" {
            trace = true;
            continue;
        }
        let report = support::check_file(&path);
        println!("{path}: {}", report.summary());
        if trace {
            println!("  {:?}", report.trace);
        }
    }
}
