//! Developer commands: `cargo xtask test`, `tidy`, `conformance`, `bench`, `certify`, `automata`, `dist`,
//! `ltl-words`, `fuzz`, `fuzz-models`, `fuzz-programs`, `faults`.

mod citations;
mod dependencies;
mod dist;
mod imports;
mod report_text;
mod test;
mod tidy;
mod web;
mod wording;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use axle_benchmarks::{bench, coverage, limits, results};
use axle_compare::{
    automata, certify, conformance, faults, fuzz, fuzz_models, fuzz_programs, ltl_words, passes, reduction,
};
use clap::Parser;

/// Developer commands of Axle.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Command {
    /// Run all checks that must pass before a change lands: format, lints, tests, documentation,
    /// tidiness.
    Test,
    /// Check the tree against ARCHITECTURE.md: crate graph, file lengths, words, reasons for
    /// dependencies and lints.
    Tidy,
    /// Update the documentation pages and charts that quote bench/results.
    Pages,
    /// Compare verdicts and counts with Spin's on tests/conformance.
    Conformance(conformance::Args),
    /// Compare speed and memory with Spin's on bench/models and bench/small.
    Bench(bench::Args),
    /// Write and verify certificates of the models of bench, and measure both.
    Certify(certify::Args),
    /// Compare the size of automata with Spin's for the standard collections of formulas.
    Automata(automata::Args),
    /// Measure how far limits on time and memory are exceeded and how fast signals are answered.
    Limits(limits::Args),
    /// Compare automata with direct evaluation on random formulas and words.
    LtlWords(ltl_words::Args),
    /// Compare reduced with unreduced searches on random models.
    Reduction(reduction::Args),
    /// Compare model passes and slicing with the search of the unchanged model.
    Passes(passes::Args),
    /// Measure the coverage of lossy stores as a function of memory.
    Coverage(coverage::Args),
    /// Fuzz the front ends.
    Fuzz(fuzz::FuzzArgs),
    /// Check random Promela programs in every search mode and with Spin.
    FuzzModels(fuzz_models::Args),
    /// Check random multithreaded C programs in every mode, as Promela, and by native execution.
    FuzzPrograms(fuzz_programs::Args),
    /// Build the archive of a release for this machine: program, completions, man pages, licences.
    Dist,
    /// Build the parts of the web front end that need script.
    Web,
    /// Test the pages of `axle serve` in Chromium, or draw the screenshots of docs/web.
    Browser(web::BrowserArgs),
    /// Insert deliberate faults into the engines and report which are detected.
    Faults(faults::Args),
    /// Run one search of a model with its claim and print the counts.
    #[command(hide = true)]
    ClaimRun(bench::claim_run::Args),
    /// Run a program and write its resource usage to a file.
    #[command(hide = true)]
    Measured(bench::measure::Args),
}

/// The root directory of the project.
fn root() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("xtask"), PathBuf::from);
    xtask.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

fn main() -> ExitCode {
    let root = root();
    let done = match Command::parse() {
        Command::Test => test::run(&root),
        Command::Tidy => tidy::run(&root),
        Command::Pages => results::pages(&root, false),
        Command::Conformance(args) => conformance::run(&root, &args),
        Command::Bench(args) => bench::run(&root, &args),
        Command::Certify(args) => certify::run(&root, &args),
        Command::Automata(args) => automata::run(&root, &args),
        Command::Limits(args) => limits::run(&root, &args),
        Command::LtlWords(args) => ltl_words::run(&args),
        Command::Reduction(args) => reduction::run(&root, &args),
        Command::Passes(args) => passes::run(&root, &args),
        Command::Coverage(args) => coverage::run(&root, &args),
        Command::Fuzz(args) => fuzz::run(&root, &args),
        Command::FuzzModels(args) => fuzz_models::run(&root, &args),
        Command::FuzzPrograms(args) => fuzz_programs::run(&root, &args),
        Command::Dist => dist::run(&root),
        Command::Web => web::build(&root),
        Command::Browser(args) => web::browser(&root, &args),
        Command::Faults(args) => faults::run(&root, &args),
        Command::ClaimRun(args) => bench::claim_run::run(&args),
        Command::Measured(args) => bench::measure::run_measured(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
