//! `cargo xtask reduction`: compares every reduction with the unreduced search, on random models
//! and on tests/conformance, and compares the numbers of stored states with Spin's. A model that
//! disagrees is shrunk and written to a file.
//!
//! *Entry point:* [`run`].

mod compare;
mod power;
mod random;
mod servers;
mod tempting;

pub(crate) use compare::Patience;
pub(crate) use power::model as read;

use axle_benchmarks::results::{record, row};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axle_generate::Tree;
use axle_generate::promela::{Audience, program};
use axle_generate::servers::{Style, program as with_servers};
use axle_generate::shrink::shrink;
use axle_model::Model;

use compare::{Tally, compare};

/// Time limit for shrinking a program.
const SHRINKING: Duration = Duration::from_secs(40);

/// Arguments of `cargo xtask reduction`.
#[derive(clap::Args)]
pub struct Args {
    /// Number of random models.
    #[arg(long, default_value_t = 5_000)]
    models: u64,
    /// Number of the first one.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Print the random program with this number and its result.
    #[arg(long)]
    print: Option<u64>,
    /// Compare on the program in this file.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Stop at the first disagreement without shrinking it.
    #[arg(long)]
    stop: bool,
    /// Skip tests/conformance.
    #[arg(long)]
    random_only: bool,
    /// Only compare the number of stored states with Spin's on the models of bench.
    #[arg(long)]
    power: bool,
    /// Only random programs with server processes, in the style of translated Go programs.
    #[arg(long)]
    servers: bool,
    /// Only compare verdicts and the number of stored states with Spin's on so many programs with
    /// server processes.
    #[arg(long)]
    servers_power: Option<u64>,
    /// With --power: only these models, separated by commas.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
}

/// A model for the comparison.
enum Subject {
    /// A source text, and whether its channels are lossy.
    Program(Tree, bool),
    Model(Box<Model>),
}

/// Runs the comparison.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    if args.power {
        return power::compare(root, &args.only);
    }
    if let Some(wanted) = args.servers_power {
        if let Some(number) = args.print {
            return servers::print(number);
        }
        return servers::compare(root, wanted, args.first);
    }
    let mut tally = Tally::default();
    if let Some(file) = &args.file {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        return on_text(&text, text.contains("/* lossy */"), 0, &mut tally).map(|()| println!("{tally:?}"));
    }
    if let Some(number) = args.print {
        return match subject(number, args.servers) {
            Subject::Program(tree, lossy) => {
                println!("{tree}");
                on_text(&tree.to_string(), lossy, number, &mut tally)
            }
            Subject::Model(model) => {
                println!("{}", axle_model::dump::dump(&model));
                on_model(*model, number, &mut tally)
            }
        };
    }
    if !args.random_only && !args.servers {
        conformance(&root.join("tests/conformance"), &mut tally)?;
        println!("conformance: {tally:?}");
    }
    // Panics are caught and reported as disagreements.
    std::panic::set_hook(Box::new(|_| {}));
    let folder = root.join("target").join("reduction");
    let mut disagreements = 0u64;
    for number in args.first..args.first + args.models {
        if let Err(why) = on_number(number, args.servers, &mut tally) {
            disagreements += 1;
            println!("model {number}: {why}");
            if args.stop {
                break;
            }
            keep(number, args.servers, &folder)?;
        }
        if (number + 1).is_multiple_of(5_000) {
            println!("{} models: {tally:?}", number + 1 - args.first);
        }
    }
    println!("{tally:?}");
    let subject = match args.servers {
        true => "random programs with servers, reductions",
        false => "random models, reductions",
    };
    let rows =
        [row(subject, "compared", tally.compared, ""), row(subject, "disagreements", disagreements, "")];
    record(root, "comparisons", &rows)?;
    match disagreements {
        0 => Ok(()),
        some => Err(format!("{some} disagreements")),
    }
}

/// Compares on every accepted model of tests/conformance, with reliable and with lossy channels.
fn conformance(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let files = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "pml")) {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        for lossy in [false, true] {
            on_text(&text, lossy, 0, tally).map_err(|why| format!("{}: {why}", path.display()))?;
        }
    }
    Ok(())
}

/// A random model generated without a source text.
pub(crate) fn model(number: u64) -> Model {
    match number.is_multiple_of(3) {
        true => arbitrary(number),
        false => random::model(number),
    }
}

/// A model that uses every construct; most of its steps fail.
fn arbitrary(number: u64) -> Model {
    let mut dice = random::Dice::new(number);
    let bytes: Vec<u8> = (0..600).map(|_| dice.next() as u8).collect();
    let mut model = axle_model::arbitrary::model(&bytes);
    model.semantics.priorities &= number.is_multiple_of(8);
    // Its claims have local variables, which searches do not support.
    model.properties.clear();
    model
}

/// The model with this number; `servers`: one with server processes.
fn subject(number: u64, servers: bool) -> Subject {
    if servers {
        return Subject::Program(with_servers(80, number, Style::Telling), number.is_multiple_of(32));
    }
    match number % 12 {
        0 => Subject::Model(Box::new(arbitrary(number))),
        1 | 2 => Subject::Model(Box::new(random::model(number))),
        // The whole language: large, and rarely reducible.
        3 if number % 96 == 3 => Subject::Program(program(5, number, Audience::Axle), false),
        8 => Subject::Program(with_servers(79, number, Style::Telling), false),
        4..=7 => {
            let (tree, lossy) = tempting::scene(number);
            Subject::Program(tree, lossy)
        }
        _ => Subject::Program(tempting::program(number), number % 9 == 5),
    }
}

fn on_number(number: u64, servers: bool, tally: &mut Tally) -> Result<(), String> {
    let all = || match subject(number, servers) {
        Subject::Program(tree, lossy) => on_text(&tree.to_string(), lossy, number, tally),
        Subject::Model(model) => on_model(*model, number, tally),
    };
    catch_unwind(AssertUnwindSafe(all)).unwrap_or_else(|_| Err("a panic".into()))
}

fn on_model(model: Model, turn: u64, tally: &mut Tally) -> Result<(), String> {
    compare(&Arc::new(model), turn, tally)
}

fn on_text(text: &str, lossy: bool, turn: u64, tally: &mut Tally) -> Result<(), String> {
    match power::model("program", text, lossy) {
        Some(model) => on_model(model, turn, tally),
        None => {
            tally.refused += 1;
            Ok(())
        }
    }
}

/// Shrinks a disagreement and writes it to a file.
fn keep(number: u64, servers: bool, folder: &Path) -> Result<(), String> {
    let (text, end) = match subject(number, servers) {
        Subject::Model(model) => (axle_model::dump::dump(&model), "model"),
        Subject::Program(tree, lossy) => {
            let begin = Instant::now();
            let mut shows = |tree: &Tree| {
                let compared = || on_text(&tree.to_string(), lossy, number, &mut Tally::default());
                catch_unwind(AssertUnwindSafe(compared)).is_ok_and(|came| came.is_err())
            };
            let small = shrink(&tree, &mut shows, &|| begin.elapsed() > SHRINKING).to_string();
            (if lossy { format!("/* lossy */\n{small}") } else { small }, "pml")
        }
    };
    let path = folder.join(format!("{number}.{end}"));
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    println!("model {number}, shrunk: {} bytes in {}", text.len(), path.display());
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conformance_models_say_the_same_reduced() {
        let root = crate::repository();
        let mut tally = Tally::default();
        conformance(&root.join("tests/conformance"), &mut tally).unwrap();
        assert!(tally.compared > 300 && tally.smaller > 100, "{tally:?}");
    }

    #[test]
    fn random_models_say_the_same_reduced() {
        let mut tally = Tally::default();
        for number in 0..1_000 {
            on_number(number, false, &mut tally).unwrap_or_else(|why| panic!("model {number}: {why}"));
        }
        assert!(tally.compared > 850 && tally.smaller > 200, "{tally:?}");
    }
}
