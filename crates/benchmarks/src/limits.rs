//! `cargo xtask limits`: by how much limits on time and memory are exceeded, and how fast signals
//! are answered.
//!
//! Main function: [`run`]. Each row of `tests/limits/shapes.tsv` is one shape: an input with a huge
//! state space (or a huge step, file, formula or trail), a command, and what is limited. Every
//! limit of a row is one execution of the release binary. Other work on the machine only adds to
//! the figures, so an execution beyond a bound is repeated twice and the least figure counts. The
//! figures are recorded in `bench/results/limits.tsv`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::bench::build_axle;
use crate::bench::measure::{Measured, run_in};
use crate::results::{Row, record, row};

/// Arguments of `cargo xtask limits`.
#[derive(clap::Args)]
pub struct Args {
    /// Only shapes whose name or arguments contain this text; nothing is recorded.
    #[arg(long)]
    only: Option<String>,
    /// Print each execution.
    #[arg(long)]
    verbose: bool,
}

/// The time limit of an execution, in seconds.
const TIME: f64 = 1.0;

/// The memory limit of an execution, in bytes, and the time limit beside it, in seconds.
const MEMORY: u64 = 256 << 20;
const MEMORY_TIME: f64 = 8.0;

/// When a signal is sent, in seconds.
const SIGNAL: f64 = 0.6;

/// When an execution that has not ended is killed, in seconds.
const HANG: f64 = 15.0;
/// The same for an execution that prepares one that is measured.
const PREPARATION: f64 = 300.0;

/// The bounds: seconds beyond the time limit, bytes beyond the memory limit, and seconds until a
/// signal is answered.
const MOST_TIME: f64 = 0.5;
const MOST_MEMORY: f64 = 1.03;
const MOST_ANSWER: f64 = 1.0;

/// Executions of which the least figure counts, where the first is beyond its bound.
const ATTEMPTS: usize = 3;

/// Exit codes of the program.
const INTERNAL: i32 = 4;
const INTERRUPTED: i32 = 130;

/// One row of the table, for one number of threads.
struct Shape {
    name: String,
    /// `time`, `memory`, `SIGINT` and `SIGTERM`.
    limits: Vec<String>,
    arguments: Vec<String>,
    /// A command that makes an input first.
    prepare: Vec<String>,
    /// Exit codes of an execution at its time limit.
    ends: Vec<i32>,
}

/// What is measured with.
struct Bench<'a> {
    axle: PathBuf,
    folder: PathBuf,
    scratch: PathBuf,
    args: &'a Args,
}

/// Measures all shapes, prints, records.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let scratch = std::env::temp_dir().join(format!("axle-limits-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let folder = root.join("tests/limits");
    let bench = Bench { axle: build_axle(root)?, folder, scratch, args };
    let measured = bench.all(root);
    // A temporary folder that stays behind does no harm.
    let _ = fs::remove_dir_all(&bench.scratch);
    let (rows, beyond) = measured?;
    if args.only.is_none() {
        record(root, "limits", &rows)?;
    }
    match beyond.is_empty() {
        true => Ok(()),
        false => Err(format!("{} figures are beyond their bounds:\n{}", beyond.len(), beyond.join("\n"))),
    }
}

/// The rows of `shapes.tsv`, one shape for each number of threads.
fn shapes(text: &str) -> Result<Vec<Shape>, String> {
    let mut shapes = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, threads, limits, ends, arguments, prepare] = cells[..] else {
            return Err(format!("shapes.tsv:{}: not six columns", index + 1));
        };
        let words = |cell: &str| -> Vec<String> {
            cell.split(' ').filter(|word| !matches!(*word, "" | "-")).map(str::to_string).collect()
        };
        let ends: Result<Vec<i32>, _> = ends.split(',').map(str::parse).collect();
        let ends = ends.map_err(|e| format!("shapes.tsv:{}: {e}", index + 1))?;
        for threads in threads.split(',') {
            let mut arguments = words(arguments);
            let name = match threads {
                "-" => name.to_string(),
                _ => {
                    arguments.extend(["--threads", threads].map(str::to_string));
                    format!("{name}, {threads} thread{}", if threads == "1" { "" } else { "s" })
                }
            };
            let (limits, prepare) = (words(&limits.replace(',', " ")), words(prepare));
            shapes.push(Shape { name, limits, arguments, prepare, ends: ends.clone() });
        }
    }
    Ok(shapes)
}

impl Bench<'_> {
    fn all(&self, root: &Path) -> Result<(Vec<Row>, Vec<String>), String> {
        let path = root.join("tests/limits/shapes.tsv");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        self.generate()?;
        let (mut rows, mut beyond) = (Vec::new(), Vec::new());
        for shape in shapes(&text)? {
            let whole = format!("{} {}", shape.name, shape.arguments.join(" "));
            if self.args.only.as_ref().is_some_and(|only| !whole.contains(only.as_str())) {
                continue;
            }
            if !shape.prepare.is_empty() {
                self.execute(&shape.prepare, &[], PREPARATION)?;
            }
            for limit in &shape.limits {
                let (metric, figure, unit, wrong) = self.measured(&shape, limit)?;
                println!(
                    "{}: {metric} {figure} {unit}{}",
                    shape.name,
                    if wrong.is_empty() { "" } else { " !" }
                );
                rows.push(row(&shape.name, metric, figure, unit));
                beyond.extend(wrong.into_iter().map(|wrong| format!("{} ({limit}): {wrong}", shape.name)));
            }
        }
        Ok((rows, beyond))
    }

    /// Measures one limit: metric, figure, unit, and what is wrong.
    fn measured(
        &self,
        shape: &Shape,
        limit: &str,
    ) -> Result<(&'static str, String, &'static str, Vec<String>), String> {
        let mut best = (f64::INFINITY, Vec::new());
        let (mut metric, mut unit) = ("", "");
        for _ in 0..ATTEMPTS {
            let (figure, wrong) = match limit {
                "time" => {
                    (metric, unit) = ("time exceeded by", "s");
                    let out = self.limited(shape, &["--time", &format!("{TIME}s")], &[])?;
                    let over = out.usage.wall - TIME;
                    let mut wrong = beyond(over, MOST_TIME, "s beyond the time limit");
                    if !out.usage.code.is_some_and(|code| shape.ends.contains(&code)) {
                        wrong.push(self.told("exit code", &out));
                    }
                    (over, wrong)
                }
                "memory" => {
                    (metric, unit) = ("memory used", "% of the limit");
                    let out = self.limited(shape, &["--time", "1ms"], &[])?;
                    let (bytes, time) = (format!("{MEMORY}"), format!("{MEMORY_TIME}s"));
                    let own = self.limited(shape, &["--memory", &bytes, "--time", &time], &[])?;
                    let share = own.usage.peak.saturating_sub(out.usage.peak) as f64 / MEMORY as f64;
                    let mut wrong = beyond(share, MOST_MEMORY, "of the memory limit");
                    if own.usage.code.is_none_or(|code| code == INTERNAL) {
                        wrong.push(self.told("exit code", &own));
                    }
                    (100.0 * share, wrong)
                }
                signal => {
                    metric = if signal == "SIGINT" { "SIGINT answered in" } else { "SIGTERM answered in" };
                    unit = "s";
                    let out = self.limited(shape, &[], &[format!("{signal}:{SIGNAL}")])?;
                    self.answer(shape, &out)
                }
            };
            // A figure counts where the ends are right.
            if best.0.is_infinite() || (wrong.len(), figure) < (best.1.len(), best.0) {
                best = (figure, wrong);
            }
            if best.1.is_empty() {
                break;
            }
        }
        let (figure, wrong) = best;
        let figure = if unit == "s" { format!("{figure:.2}") } else { format!("{figure:.0}") };
        Ok((metric, figure, unit, wrong))
    }

    /// How long a signal went unanswered. A search reports its coverage, whatever else it does.
    fn answer(&self, shape: &Shape, out: &Measured) -> (f64, Vec<String>) {
        let seconds = out.usage.answered.unwrap_or(0.0);
        let mut wrong = beyond(seconds, MOST_ANSWER, "s until the answer");
        let searches = matches!(shape.arguments.first().map(String::as_str), Some("check" | "swarm"));
        match out.usage.code {
            // It ended before the signal.
            _ if out.usage.answered.is_none() => wrong.push(self.told("ended before the signal", out)),
            Some(INTERRUPTED) if !searches || !out.stdout.trim().is_empty() => {}
            None if !searches => {}
            _ => wrong.push(self.told("exit code", out)),
        }
        (seconds, wrong)
    }

    fn told(&self, what: &str, out: &Measured) -> String {
        let first = |text: &str| text.lines().take(3).collect::<Vec<_>>().join(" / ");
        let Measured { usage, stdout, stderr } = out;
        let code = usage.code.map_or_else(|| "a signal".to_string(), |code| code.to_string());
        format!("{what}: {code} after {:.2} s: {} {}", usage.wall, first(stdout), first(stderr))
    }

    /// Executes the command of a shape with more options.
    fn limited(&self, shape: &Shape, options: &[&str], signals: &[String]) -> Result<Measured, String> {
        let options = options.iter().map(|option| (*option).to_string());
        let arguments: Vec<String> = shape.arguments.iter().cloned().chain(options).collect();
        self.execute(&arguments, signals, HANG)
    }

    /// Executes Axle and kills it after `most` seconds.
    fn execute(&self, arguments: &[String], signals: &[String], most: f64) -> Result<Measured, String> {
        let scratch = self.scratch.display().to_string();
        let arguments: Vec<String> = arguments.iter().map(|word| word.replace("{tmp}", &scratch)).collect();
        let mut signals = signals.to_vec();
        signals.push(format!("SIGKILL:{most}"));
        let out = run_in(&self.axle, &arguments, &self.folder, &self.scratch, Stdio::piped(), &signals)?;
        if self.args.verbose {
            println!("  axle {}", arguments.join(" "));
            println!("  {}", self.told("ended with", &out));
        }
        Ok(out)
    }

    /// Writes the inputs that are too large for the repository.
    fn generate(&self) -> Result<(), String> {
        let write = |name: &str, text: &str| {
            fs::write(self.scratch.join(name), text).map_err(|e| format!("{name}: {e}"))
        };
        let mut giant = String::from("int x;\nactive proctype P() {\n");
        for i in 0..1_500_000 {
            let _ = writeln!(giant, "    x = x + {i};");
        }
        write("giant.pml", &(giant + "    assert(x != 1)\n}\n"))?;
        let mut giant = String::from("int x;\nint main(void) {\n");
        for i in 0..1_000_000 {
            let _ = writeln!(giant, "    x = x + {i};");
        }
        write("giant.c", &(giant + "    return 0;\n}\n"))?;
        let mut wide = String::from("byte shared[250];\nchan c = [2] of { byte };\n");
        for i in 0..250 {
            let _ = write!(wide, "active proctype P{i}() {{\n    byte i;\n    do\n");
            for j in 0..40 {
                let _ = writeln!(wide, "    :: shared[{}] = i; c!{j}; c?i", (i + j) % 250);
            }
            wide.push_str("    od\n}\n");
        }
        write("wide.pml", &wide)?;
        let fifo = self.scratch.join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        match made {
            Ok(status) if status.success() => Ok(()),
            _ => Err(format!("{}: mkfifo failed", fifo.display())),
        }
    }
}

/// What is wrong with a figure.
fn beyond(figure: f64, most: f64, what: &str) -> Vec<String> {
    if figure <= most { Vec::new() } else { vec![format!("{figure:.2} {what}, at most {most}")] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_an_input_and_limits() {
        let root = crate::repository();
        let folder = root.join("tests/limits");
        let text = fs::read_to_string(folder.join("shapes.tsv")).expect("the shapes");
        let shapes = shapes(&text).expect("the shapes are well formed");
        assert!(shapes.len() >= 40);
        for shape in shapes {
            let known = ["time", "memory", "SIGINT", "SIGTERM"];
            assert!(shape.limits.iter().all(|limit| known.contains(&limit.as_str())), "{}", shape.name);
            let input = shape.arguments.get(1).expect("an input");
            assert!(input.starts_with("{tmp}/") || folder.join(input).is_file(), "{}: {input}", shape.name);
        }
    }

    #[test]
    fn a_figure_at_its_bound_is_within_it() {
        assert!(beyond(0.5, 0.5, "s").is_empty());
        assert_eq!(beyond(0.75, 0.5, "s"), ["0.75 s, at most 0.5"]);
    }
}
