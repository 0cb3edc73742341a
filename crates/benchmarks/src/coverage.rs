//! `cargo xtask coverage`: the coverage of lossy stores (hash compaction, bitstate hashing) for
//! decreasing memory.
//!
//! The conditions are those of figure 15 of Holzmann's lecture notes: about 427,567 states of 1,376
//! bits, searched depth-first, with memory from a ten-thousandth of the uncompressed state space up
//! to all of it. The model is `bench/coverage.pml`. Memory is the limit of the store; uncompressed
//! exact storage is the line of memory divided by state size.
//!
//! *Entry point:* [`run`]; `--write` updates the plot in docs/theory; the figures are recorded in
//! bench/results.
//! *Source:* G. J. Holzmann, "Software Model Checking" (2000), figure 15; "An Analysis of Bitstate
//! Hashing", Formal Methods in System Design 13, 1998.

use crate::results::{record, row};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axle_model::Model;
use axle_search::{Limits, Options, Silent, dfs};
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_step::{Compiled, Successors};
use axle_store::omission::best_functions;
use axle_store::{LossySet, Method, StateSet};

/// Arguments of `cargo xtask coverage`.
#[derive(clap::Args)]
pub struct Args {
    /// Write the plot into the documentation.
    #[arg(long)]
    write: bool,
    /// Number of searches with different hash functions per point; the mean is shown.
    #[arg(long, default_value_t = 3)]
    repeat: u64,
}

/// Memory as a fraction of the uncompressed state space.
const SHARES: [f64; 13] = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.3, 1.0];

/// The compared methods.
const CURVES: [(&str, &str); 4] = [
    ("bitstate, k = 2", "#1b6ca8"),
    ("bitstate, best k", "#2a9d5c"),
    ("hash-compact", "#c0392b"),
    ("states as they are", "#888888"),
];

/// The point of figure 15 for double bitstate hashing: half of the states with a thousandth of the
/// memory.
const POINT: (f64, f64) = (0.001, 0.5);

/// The coverage of each method for one amount of memory.
type Point = (f64, [f64; 4]);

/// Measures, prints, writes.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let path = root.join("bench/coverage.pml");
    let text = fs::read_to_string(&path).map_err(|fault| format!("{}: {fault}", path.display()))?;
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("coverage.pml", &text);
    let options = axle_promela::Options::default();
    let model =
        axle_promela::compile(&mut sources, main, &MemoryLoader::default(), &options, &mut diagnostics);
    let model = Arc::new(model.ok_or("bench/coverage.pml is not a model")?);
    let width = stepper(&model)?.width();
    let states = count(&model, Method::HashCompact128, u64::MAX, 0)?;
    let whole = states as f64 * width as f64;
    println!("{states} states of {width} bytes");
    let mut points: Vec<Point> = Vec::new();
    for share in SHARES {
        let bytes = (whole * share) as u64;
        let best = best_functions(8 * bytes, states, 16);
        let mut mean = [0.0, 0.0, 0.0, share.min(1.0)];
        for seed in 0..args.repeat.max(1) {
            let bits = |functions| Method::Bitstate { bytes, functions };
            let found = [
                count(&model, bits(2), u64::MAX, seed)?,
                count(&model, bits(best), u64::MAX, seed)?,
                // The store's fixed data (keys, sample) is not included.
                count(&model, Method::HashCompact, bytes, seed)?,
            ];
            for (sum, found) in mean.iter_mut().zip(found) {
                *sum += found as f64 / states as f64 / args.repeat.max(1) as f64;
            }
        }
        points.push((share, mean));
        println!("{}", printed(&(share, mean), best));
    }
    let metrics = ["bitstate, k = 2", "bitstate, best k", "hash-compact", "exact"];
    let rows = points.iter().flat_map(|(share, curves)| {
        let subject = format!("{} %", share * 100.0);
        let cell =
            move |(metric, part): (&str, &f64)| row(&subject, metric, format!("{:.2} %", part * 100.0), "");
        metrics.into_iter().zip(curves).map(cell).collect::<Vec<_>>()
    });
    record(root, "coverage", &rows.collect::<Vec<_>>())?;
    if args.write {
        fs::write(root.join("docs/theory/coverage.svg"), plot(&points)).map_err(|fault| fault.to_string())?;
    }
    let at = points.iter().find(|(share, _)| *share == POINT.0).map_or(0.0, |(_, curves)| curves[0]);
    match at >= POINT.1 {
        true => Ok(()),
        false => {
            Err(format!("double bitstate hashing covers {at:.3} with a thousandth of the memory, not half"))
        }
    }
}

fn stepper(model: &Arc<Model>) -> Result<Compiled, String> {
    Compiled::new(Arc::clone(model), axle_step::Options::default()).map_err(|fault| fault.to_string())
}

/// The number of states found by a search.
fn count(model: &Arc<Model>, method: Method, limit: u64, seed: u64) -> Result<u64, String> {
    let mut stepper = stepper(model)?;
    // A table too small for the first pages has coverage 0.
    let Ok(set) = LossySet::with_limit(stepper.width(), limit, method, seed) else { return Ok(0) };
    let mut set = set.without_queue();
    let options =
        Options { limits: Limits::default(), ignored: axle_step::FaultKind::all().collect(), only: None };
    dfs::search(&mut stepper, &mut set, &options, &mut Silent);
    Ok(set.len())
}

fn printed((share, curves): &Point, best: u32) -> String {
    let shown: Vec<String> = curves.iter().map(|part| format!("{:.1} %", part * 100.0)).collect();
    format!("| {} % | {} | {} ({best}) | {} | {} |", share * 100.0, shown[0], shown[1], shown[2], shown[3])
}

/// The plot: coverage over memory on a logarithmic axis.
fn plot(points: &[Point]) -> String {
    let (left, top, wide, high) = (60.0, 20.0, 560.0, 300.0);
    let first = SHARES[0].log10();
    let x = |share: f64| left + wide * (share.log10() - first) / -first;
    let y = |part: f64| top + high * (1.0 - part);
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 400\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"640\" height=\"400\" fill=\"white\"/>\n",
    );
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    for tenth in 0..=4 {
        let part = f64::from(tenth) / 4.0;
        line(format!("<path d=\"M{left} {0:.1}h{wide}\" stroke=\"#ddd\"/>", y(part)));
        line(format!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{:.0} %</text>",
            left - 8.0,
            y(part) + 4.0,
            part * 100.0
        ));
    }
    for share in [0.001, 0.01, 0.1, 1.0] {
        line(format!("<path d=\"M{:.1} {top}v{high}\" stroke=\"#ddd\"/>", x(share)));
        line(format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{} %</text>",
            x(share),
            top + high + 18.0,
            share * 100.0
        ));
    }
    line(format!(
        "<text x=\"340\" y=\"{}\" text-anchor=\"middle\">memory, in parts of what all states take</text>",
        top + high + 38.0
    ));
    for (curve, (name, color)) in CURVES.iter().enumerate() {
        let way: Vec<String> = points
            .iter()
            .map(|(share, curves)| format!("{:.1} {:.1}", x(*share), y(curves[curve])))
            .collect();
        line(format!("<path d=\"M{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>", way.join("L")));
        let at = 60.0 + 140.0 * curve as f64;
        line(format!(
            "<path d=\"M{at} 386h20\" stroke=\"{color}\" stroke-width=\"2\"/><text x=\"{}\" y=\"390\">{name}</text>",
            at + 25.0
        ));
    }
    line(format!(
        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"none\" stroke=\"black\"/>",
        x(POINT.0),
        y(POINT.1)
    ));
    line(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\">figure 15, k = 2</text>",
        x(POINT.0) + 8.0,
        y(POINT.1) + 4.0
    ));
    out.push_str("</svg>\n");
    out
}
