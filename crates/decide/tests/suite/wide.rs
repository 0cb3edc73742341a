//! Models with data of 16 and 32 bits, each with a variant that has a seeded fault: the answers of the
//! engines, and their times with `--nocapture`.

use std::path::Path;
use std::time::Instant;

use axle_decide::answer::Answer;
use axle_decide::circuit::Circuit;
use axle_decide::model::Problem;
use axle_decide::prove::{self, Method};
use axle_decide::{bmc, certificate, induction};
use axle_outcome::{Limits, Stop};
use axle_relation::{Options, Relation};

use crate::cases;
use crate::models::compiled;
use crate::replay::replay;

/// The models, each with the engines that decide it within seconds. The others are open.
const MODELS: [(&str, &[&str]); 24] = [
    ("bisect", &["induction"]),
    ("bisect-fault", &["bmc", "induction", "pdr"]),
    ("checksum", &[]),
    ("checksum-fault", &["bmc", "pdr"]),
    ("credits", &["induction"]),
    ("credits-fault", &["bmc"]),
    ("parser", &["induction", "pdr"]),
    ("parser-fault", &["bmc", "pdr"]),
    ("ring", &[]),
    ("ring-fault", &["bmc", "pdr"]),
    ("sequence", &[]),
    ("sequence-fault", &["bmc", "pdr"]),
    ("squares", &["induction", "pdr"]),
    ("squares-fault", &["bmc", "induction", "pdr"]),
    ("tickets", &[]),
    ("tickets-fault", &["bmc"]),
    ("timer", &["induction"]),
    ("timer-fault", &["bmc", "pdr"]),
    ("tokens", &["induction"]),
    ("tokens-fault", &["bmc"]),
    ("versions", &[]),
    ("versions-fault", &["bmc", "pdr"]),
    ("window", &["induction"]),
    ("window-fault", &["bmc", "pdr"]),
];

/// Runs engines on a model; returns a row of the table and the engines that did not decide.
fn decide(name: &str, text: &str, engines: &[&str], seconds: u64) -> Result<(String, Vec<String>), String> {
    let model = compiled(text).ok_or("the model has errors")?;
    let relation = Relation::new(&model, &Options { processes: 6, ..Options::default() }, &[]);
    let relation = relation.map_err(|error| error.to_string())?;
    let problem = Problem::new(&model, &relation);
    let all: Vec<usize> = (0..problem.system.bads.len()).collect();
    let circuit = Circuit::new(&problem.system, &all);
    let mut row =
        format!("{name:20} {:4} latches {:6} nodes", circuit.latches.len(), circuit.aig.nodes().len());
    if let Ok(folder) = std::env::var("AXLE_DECIDE_DUMP") {
        let bytes = axle_decide::export::aiger_binary(&problem.system, &circuit);
        std::fs::write(Path::new(&folder).join(format!("{name}.aig")), bytes).expect("a file is written");
    }
    let expected = name.ends_with("-fault");
    let mut open = Vec::new();
    for engine in engines {
        let begin = Instant::now();
        let mut depth = 0;
        let mut poll = |progress: axle_outcome::Progress| {
            depth = progress.depth;
            (begin.elapsed().as_secs() >= seconds).then_some(Stop::Time)
        };
        let limits = Limits::default();
        let answer = match *engine {
            "bmc" if !expected => continue,
            "bmc" => bmc::search(&circuit, &limits, &mut poll),
            "induction" => induction::prove(&circuit, &problem.facts, &limits, &mut poll),
            _ => prove::decide(&problem, &relation, &all, Method::Reachability, &limits, &mut poll),
        };
        let time = begin.elapsed().as_secs_f64();
        let what = match answer {
            Answer::Unknown(_) => {
                open.push(format!("{name} by {engine}"));
                format!("unknown at {depth}")
            }
            Answer::Violated(trace) => {
                let found =
                    problem.counterexample(&relation, &trace).map_err(|e| format!("{engine}: {e}"))?;
                replay(&model, &relation, &found).map_err(|error| format!("{engine}: {error}"))?;
                if !expected {
                    return Err(format!(
                        "{engine} finds {:?} after {} steps",
                        found.cause,
                        found.groups.len()
                    ));
                }
                format!("fault after {}", found.groups.len())
            }
            Answer::Holds(invariant) => {
                certificate::check(&problem.system, &invariant, &mut |_| None)
                    .map_err(|rejection| format!("{engine}: {rejection}"))?;
                if expected {
                    return Err(format!("{engine} misses the fault"));
                }
                format!("holds, {} clauses, {} states", invariant.clauses.len(), invariant.depth)
            }
        };
        row += &format!(" | {engine} {time:.2} s: {what}");
    }
    Ok((row, open))
}

/// With `AXLE_DECIDE_SECONDS`, all engines run on all models.
#[test]
fn wide_data() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wide");
    let seconds = cases("AXLE_DECIDE_SECONDS", 0);
    let only = std::env::var("AXLE_DECIDE_ONLY").unwrap_or_default();
    let (mut wrong, mut undecided) = (Vec::new(), Vec::new());
    for (name, engines) in MODELS.into_iter().filter(|(name, _)| name.contains(&only)) {
        let text = std::fs::read_to_string(folder.join(name).with_extension("pml")).expect("a model");
        let (engines, most) = match seconds {
            0 => (engines, 120),
            _ => (["bmc", "induction", "pdr"].as_slice(), seconds),
        };
        match decide(name, &text, engines, most) {
            Ok((row, open)) => {
                println!("{row}");
                undecided.extend(open);
            }
            Err(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seconds > 0 || undecided.is_empty(), "undecided: {undecided:?}");
}
