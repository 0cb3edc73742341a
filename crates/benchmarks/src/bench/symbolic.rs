//! `cargo xtask bench --ltsmin FOLDER`: the symbolic search beside that of LTSmin, on the same sources.
//!
//! The folder has the program `prom2lts-sym`, and for each model `NAME.pml` the library `NAME.pml.spins` that
//! SpinS has compiled from it; LTSmin is built and models are compiled by hand, outside the repository. SpinS
//! knows neither `for` nor `select`, which are written as loops in its sources. Its time does not contain the
//! compilation, that of Axle contains everything.
//!
//! *Entry points:* [`run`]; [`strategies`] for `cargo xtask bench --strategies`.
//! *Invariant:* an answer other than a complete one is no time.
//! *Cost:* at most twice `--seconds` of processor time per model.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::measure;
use super::subjects::{Args, axle_of};
use crate::results::{Printed, record, row};

/// Permitted time relative to LTSmin in the geometric mean.
const FACTOR: f64 = 0.2;

/// LTSmin takes this long, in seconds, to begin; models below are not evidence of its search.
const BEGIN: f64 = 2.0;

/// Compares both tools on all models of the folder.
pub fn run(root: &Path, args: &Args, folder: &Path, scratch: &Path) -> Result<(), String> {
    let axle = axle_of(root, args)?;
    let mut names: Vec<String> = (fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".pml.spins").map(str::to_string))
        .filter(|name| args.models.is_empty() || args.models.contains(name))
        .collect();
    names.sort();
    let mut printed = Printed::default();
    printed.line("| model | Axle, s | Axle memory, MB | LTSmin, s | LTSmin memory, MB |");
    printed.line("| --- | --: | --: | --: | --: |");
    let mut ratios = Vec::new();
    for name in names {
        let source = folder.join(&name).with_extension("pml").display().to_string();
        let options = ["--engine", "symbolic", "--threads", "1", "--max-violations", "all", "--quiet"];
        let mut own = vec!["check".to_string(), source.clone()];
        own.extend(options.map(str::to_string));
        let own = measure::limited(&axle.display().to_string(), &own, args.seconds, scratch)?;
        // Tables that grow from 2^20 entries: the default sizes alone cost a second or two.
        let options = [
            "--saturation=sat-like",
            "--order=chain",
            "-rgs",
            "--lace-workers=1",
            "--sylvan-sizes=20,26,20,26",
        ];
        let mut other = vec![format!("{source}.spins")];
        other.extend(options.map(str::to_string));
        let other = measure::limited(
            &folder.join("prom2lts-sym").display().to_string(),
            &other,
            args.seconds,
            scratch,
        )?;
        let own = matches!(own.usage.code, Some(0 | 1)).then_some(own.usage);
        let other = (other.usage.code == Some(0)).then_some(other.usage);
        let show = |usage: Option<measure::Usage>| match usage {
            Some(usage) => format!("{:.2} | {:.0}", usage.cpu(), usage.peak as f64 / 1e6),
            None => "– | –".to_string(),
        };
        printed.line(&format!("| {name} | {} | {} |", show(own), show(other)));
        if let (Some(own), Some(other)) = (own, other) {
            ratios.push((own.cpu().max(0.01) / other.cpu(), other.cpu()));
        }
    }
    printed.record(root, "ltsmin")?;
    let mean = |ratios: &[f64]| (ratios.iter().map(|one| one.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let all: Vec<f64> = ratios.iter().map(|(ratio, _)| *ratio).collect();
    let long: Vec<f64> = ratios.iter().filter(|(_, cpu)| *cpu >= BEGIN).map(|(ratio, _)| *ratio).collect();
    let (all, of_long) = ((all.len(), mean(&all)), (long.len(), mean(&long)));
    println!("\n{} models finished by both, in {:.3} times the time", all.0, all.1);
    println!("{} of them take LTSmin at least {BEGIN} s: {:.3} times", of_long.0, of_long.1);
    println!("the goal of {FACTOR} is {}", if all.1 <= FACTOR { "reached" } else { "missed" });
    let rows = [
        row("models finished by both", "reached", all.0, ""),
        row("time relative to LTSmin, geometric mean", "reached", format!("{:.3}", all.1), ""),
        row("models that take LTSmin at least 2 s", "reached", of_long.0, ""),
        row("time relative to LTSmin on those, geometric mean", "reached", format!("{:.3}", of_long.1), ""),
    ];
    record(root, "ltsmin_summary", &rows)
}

/// Compares the strategies, on the models of the IMPROVISO paper and on others.
pub fn strategies(root: &Path) -> Result<(), String> {
    let mut arguments: Vec<String> =
        ["run", "--quiet", "--release", "--package", "axle-symbolic", "--example", "measure", "--"]
            .map(str::to_string)
            .to_vec();
    let paper = [
        ("best", &["3", "7", "20"][..]),
        ("worst", &["3", "7", "20", "100"]),
        ("leader", &["2", "3", "4", "5", "6"]),
    ];
    for (name, sizes) in paper {
        let file = root.join("bench/symbolic").join(name).with_extension("pml").display().to_string();
        arguments.extend(sizes.iter().flat_map(|size| [format!("N={size}"), file.clone()]));
    }
    let others =
        ["bench/models/allocator", "bench/models/bakery", "bench/models/bank", "bench/models/filter"];
    let large = ["allocation", "handshakes", "kanban", "milner", "philosophers", "token_ring"];
    let large = large.map(|name| format!("crates/symbolic/tests/large/{name}"));
    let files = others.iter().map(|name| (*name).to_string()).chain(large);
    arguments.extend(files.map(|file| root.join(file).with_extension("pml").display().to_string()));
    let done = Command::new("cargo").args(&arguments).current_dir(root).stderr(Stdio::inherit()).output();
    let done = done.map_err(|e| format!("cargo: {e}"))?;
    if !done.status.success() {
        return Err(format!("the measurement ends with {}", done.status));
    }
    let mut printed = Printed::default();
    String::from_utf8_lossy(&done.stdout).lines().for_each(|line| printed.line(line));
    printed.record(root, "strategies")
}
