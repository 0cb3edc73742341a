//! `cargo xtask bench --workers`: what it costs to divide a search between two processes.
//!
//! For each model, one search with the compressed store runs alone, and then the same search by two processes with a
//! worker each, which are connected as those of two machines. Their processor times are added. The bytes that cross
//! are those that the loopback interface counts, all of the protocol included, for each transition whose target the
//! other process owns, which is half of them. A run with other counts than Spin's is an error.
//!
//! *Entry point:* [`run`].

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use super::measure::{self, Usage};
use super::subjects::{Args, Counts, Set, axle_of, axle_run, counted, same};
use crate::results::Printed;

/// Smaller models are skipped unless they are selected by name, because startup dominates.
const LARGE: u64 = 500_000;

/// The permitted processor time of two processes relative to one search, in the geometric mean, and the permitted
/// bytes of a state that crosses, in the median.
const MOST_TIME: f64 = 1.3;
const MOST_BYTES: f64 = 12.0;

/// A search by two processes.
struct Divided {
    /// Processor time of both, in seconds.
    cpu: f64,
    /// Time until the result, in seconds.
    wall: f64,
    /// The most resident memory of one process, in bytes.
    peak: u64,
    /// Bytes on the loopback interface.
    bytes: u64,
}

/// Measures all models.
pub fn run(
    root: &Path,
    args: &Args,
    models: &[(Set, String, PathBuf)],
    scratch: &Path,
) -> Result<(), String> {
    let axle = axle_of(root, args)?;
    let (mut ratios, mut widths) = (Vec::new(), Vec::new());
    let mut printed = Printed::default();
    printed.line(
        "| model | states | 1 process, CPU s | 2 processes, CPU s | ratio | 1 process, s | 2 processes, s \
         | memory of each, MB | bytes a crossing state, B |",
    );
    printed.line("| --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    for (name, source, counts) in counted(root, args, models, LARGE)? {
        let mut best: Option<(Usage, Divided)> = None;
        for _ in 0..args.repeat.max(1) {
            let one = axle_run(&axle, source, &["--store", "tree"], counts, scratch)?.usage;
            let two = divided(&axle, source, counts, scratch)?;
            best = Some(match best {
                Some((before, divided)) => (
                    if one.cpu() < before.cpu() { one } else { before },
                    if two.cpu < divided.cpu { two } else { divided },
                ),
                None => (one, two),
            });
        }
        let Some((one, two)) = best else { continue };
        let ratio = two.cpu / one.cpu();
        let width = two.bytes as f64 / (counts.transitions as f64 / 2.0);
        printed.line(&format!(
            "| {name} | {} | {:.2} | {:.2} | {ratio:.2} | {:.2} | {:.2} | {} | {width:.1} |",
            counts.states,
            one.cpu(),
            two.cpu,
            one.wall,
            two.wall,
            two.peak >> 20,
        ));
        ratios.push(ratio.ln());
        widths.push(width);
    }
    printed.record(root, "workers")?;
    let mean = (ratios.iter().sum::<f64>() / ratios.len().max(1) as f64).exp();
    widths.sort_by(f64::total_cmp);
    let median = widths.get(widths.len() / 2).copied().unwrap_or_default();
    println!(
        "\n{} models: {mean:.2} times the processor time in the geometric mean (at most {MOST_TIME}), \
         {median:.1} bytes a crossing state in the median (at most {MOST_BYTES})",
        ratios.len()
    );
    Ok(())
}

/// A search by this process's two children, which meet at a free port.
fn divided(axle: &Path, source: &Path, counts: Counts, scratch: &Path) -> Result<Divided, String> {
    let address = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map_err(|error| format!("no free port: {error}"))?;
    let token = scratch.join("token");
    // Not a secret: both processes are on this machine and end with the measurement.
    fs::write(&token, "a token of a measurement on one machine")
        .map_err(|e| format!("{}: {e}", token.display()))?;
    let (address, token) = (address.to_string(), token.display().to_string());
    let file = source.display().to_string();
    let of = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
    let first = [
        of(&["check", &file, "--json", "--quiet", "--por", "none", "--passes", "none"]),
        of(&["--workers", "1", "--hosts", "1", "--listen", &address, "--token-file", &token]),
    ];
    let second = of(&["worker", "--join", &address, "--token-file", &token, "--quiet"]);
    let other = scratch.join("other");
    fs::create_dir_all(&other).map_err(|e| format!("{}: {e}", other.display()))?;
    let before = crossed()?;
    let (first, second) = std::thread::scope(|scope| {
        let joined = scope.spawn(|| measure::run(axle, &second, &other));
        let first = measure::run(axle, &first.concat(), scratch);
        (first, joined.join())
    });
    let second = second.map_err(|_| "the measurement of a process panicked".to_string())??;
    let first = first?;
    let bytes = crossed()? - before;
    let report: serde_json::Value = serde_json::from_str(&first.stdout)
        .map_err(|e| format!("{file}: axle printed no JSON ({e}), exit code {:?}", first.usage.code))?;
    let number = |name: &str| report["search"][name].as_u64().unwrap_or(0);
    same("two processes", (number("states"), number("transitions")), counts)?;
    Ok(Divided {
        cpu: first.usage.cpu() + second.usage.cpu(),
        wall: first.usage.wall,
        peak: first.usage.peak.max(second.usage.peak),
        bytes,
    })
}

/// The bytes that the loopback interface has received.
fn crossed() -> Result<u64, String> {
    let path = "/sys/class/net/lo/statistics/rx_bytes";
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    text.trim().parse().map_err(|_| format!("{path}: {text} is not a number"))
}
