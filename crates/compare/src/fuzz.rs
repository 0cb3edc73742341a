//! `cargo xtask fuzz parser|front|c`: fuzzes the front ends with generated inputs. It detects
//! panics, violated invariants, inputs that take over a second, and memory use beyond 1 GiB.
//!
//! `fuzz/mutate.rs` generates inputs. `fuzz/worker.rs` runs them in a separate process with limited
//! address space, which [`run`] starts and monitors. Each new kind of fault is minimised
//! (`fuzz/minimise.rs`) and written to `target/fuzz/`. A single input is reproduced with `--seed s
//! --only i`.
//!
//! *Entry point:* [`run`].

pub mod corpus;
mod grow;
mod minimise;
pub mod mutate;
pub mod pieces;
pub mod pieces_c;
pub mod target;
pub mod target_c;
mod tokens;
pub mod vocabulary;
mod worker;

use axle_benchmarks::results::{record, row};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use corpus::Corpus;
use target::Target;
use worker::Inputs;

/// Address space limit of the worker in KiB.
const MEMORY: u64 = 1 << 20;
/// Number of inputs per worker process; its results are then evaluated and the next worker starts.
const AT_ONCE: u64 = 100_000;
/// Time limit for minimising one fault.
const MINIMISING: Duration = Duration::from_secs(120);

/// What to run.
#[derive(Args, Clone)]
pub struct FuzzArgs {
    /// The front end.
    target: Part,
    /// Number of inputs.
    #[arg(long, default_value_t = 200_000)]
    inputs: u64,
    /// Random seed: equal seeds and corpora give equal inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first input.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Time limit in seconds.
    #[arg(long)]
    seconds: Option<u64>,
    /// Print and run only this input.
    #[arg(long)]
    only: Option<u64>,
    /// Run the text of this file instead of generated inputs.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Exclude Spin's examples from the corpus, so that inputs are equal on every machine.
    #[arg(long)]
    no_spin: bool,
    /// File with the number of the current input; makes this process the worker.
    #[arg(long, hide = true)]
    worker: Option<PathBuf>,
}

/// A front end on the command line.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Preprocessor and parser.
    Parser,
    /// From source text to model.
    Front,
    /// From C text to control-flow graphs.
    C,
}

/// A kind of fault and the first input with it.
struct Found {
    count: u64,
    kept: PathBuf,
}

/// The output of a worker.
struct Said {
    /// Kind and location of each fault, by input.
    faults: Vec<(u64, String)>,
    /// The first input that was not run.
    next: u64,
    /// Number of inputs without errors.
    sound: u64,
    /// Whether the worker completed its inputs.
    ended: bool,
    /// The last line of standard error.
    last_words: String,
}

/// Runs inputs and reports faults.
pub fn run(root: &Path, args: &FuzzArgs) -> Result<(), String> {
    let (target, words): (worker::Target, _) = match args.target {
        Part::Parser => {
            (|text, loader, more| target::run(Target::Parser, text, loader, more), &pieces::VOCABULARY)
        }
        Part::Front => {
            (|text, loader, more| target::run(Target::Front, text, loader, more), &pieces::VOCABULARY)
        }
        Part::C => (target_c::run, &pieces_c::VOCABULARY),
    };
    let spin = !args.no_spin && args.target != Part::C;
    // A given input needs only the files that it may include.
    let corpus = match (&args.worker, &args.file) {
        (Some(_), Some(_)) => Corpus::read_ending(words, root, spin, &["h"]),
        _ => Corpus::read(words, root, spin),
    };
    if let Some(at) = &args.worker {
        let inputs = match &args.file {
            Some(file) => Inputs::Given(fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?),
            None => {
                let to = args.from.saturating_add(args.inputs);
                Inputs::Made { seed: args.seed, from: args.from, to, seconds: args.seconds }
            }
        };
        return worker::work(target, corpus, inputs, Some(at));
    }
    let folder = root.join("target").join("fuzz");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let fuzzer = Fuzzer { root, args, folder, corpus };
    match (&args.file, args.only) {
        (Some(file), _) => fuzzer.one(&fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?),
        (None, Some(index)) => {
            let bytes = mutate::input(&fuzzer.corpus, args.seed, index);
            println!("{}", String::from_utf8_lossy(&bytes));
            fuzzer.one(&bytes)
        }
        (None, None) => fuzzer.all(),
    }
}

/// A run under way.
struct Fuzzer<'a> {
    args: &'a FuzzArgs,
    root: &'a Path,
    folder: PathBuf,
    corpus: Corpus,
}

impl Fuzzer<'_> {
    fn name(&self) -> &'static str {
        match self.args.target {
            Part::Parser => "parser",
            Part::Front => "front",
            Part::C => "c",
        }
    }

    fn ending(&self) -> &'static str {
        match self.args.target {
            Part::Parser | Part::Front => "pml",
            Part::C => "c",
        }
    }

    /// Runs one input and returns its fault.
    fn one(&self, bytes: &[u8]) -> Result<(), String> {
        match self.fault(bytes)? {
            None => {
                println!("no fault");
                Ok(())
            }
            Some(fault) => Err(fault),
        }
    }

    /// Runs all inputs in successive workers.
    fn all(&self) -> Result<(), String> {
        let args = self.args;
        let begin = Instant::now();
        println!(
            "{}: seed {}, corpus of {} texts with digest {:016x}",
            self.name(),
            args.seed,
            self.corpus.entries.len(),
            self.corpus.digest
        );
        let to = args.from.saturating_add(args.inputs);
        let (mut next, mut sound) = (args.from, 0);
        let mut found: BTreeMap<String, Found> = BTreeMap::new();
        while next < to {
            let left = args.seconds.map(|seconds| seconds.saturating_sub(begin.elapsed().as_secs()));
            if left == Some(0) {
                break;
            }
            let before = next;
            let some = (to - next).min(AT_ONCE);
            let mut said = self.worker(&["--from".into(), next.to_string()], some, left, next)?;
            if !said.ended && !said.faults.iter().any(|(index, _)| *index + 1 == said.next) {
                let words = said.last_words.lines().last().unwrap_or_default().to_string();
                said.faults.push((said.next - 1, format!("killed {words}")));
            }
            for (index, fault) in &said.faults {
                self.keep(*index, fault, &mut found)?;
            }
            next = said.next;
            sound += said.sound;
            if next / 1_000_000 > before / 1_000_000 {
                println!("{} inputs, {} kinds of faults", next - args.from, found.len());
            }
        }
        let (count, seconds) = (next - args.from, begin.elapsed().as_secs_f64());
        let (rate, part) = (count as f64 / seconds, 100.0 * sound as f64 / count.max(1) as f64);
        println!("{count} inputs in {seconds:.0} s, {rate:.0} a second, {part:.0} % without errors");
        let subject = match args.target {
            Part::Parser => "Promela parser",
            Part::Front => "Promela front end",
            Part::C => "C front end",
        };
        record(
            self.root,
            "fuzz",
            &[
                row(subject, "inputs", count, ""),
                row(subject, "panics or broken invariants", found.len(), ""),
            ],
        )?;
        for (fault, found) in &found {
            println!("{} times {fault}\n  {}", found.count, found.kept.display());
        }
        match found.len() {
            0 => {
                println!("no fault");
                Ok(())
            }
            kinds => Err(format!("{kinds} kinds of faults")),
        }
    }

    /// Counts a fault; the first of a kind is minimised and written.
    fn keep(&self, index: u64, fault: &str, found: &mut BTreeMap<String, Found>) -> Result<(), String> {
        let kind = kind(fault);
        if let Some(known) = found.get_mut(&kind) {
            known.count += 1;
            return Ok(());
        }
        println!("input {index}: {fault}");
        let bytes = mutate::input(&self.corpus, self.args.seed, index);
        let begin = Instant::now();
        let mut fails = |bytes: &[u8]| {
            self.fault(bytes).is_ok_and(|fault| fault.is_some_and(|fault| self::kind(&fault) == kind))
        };
        let small = match fails(&bytes) {
            true => minimise::minimise(&bytes, &mut fails, &|| begin.elapsed() > MINIMISING),
            // Faults found only by the thorough check, or dependent on earlier inputs.
            false => bytes,
        };
        let kept = self.folder.join(format!("{}-{}-{index}.{}", self.name(), self.args.seed, self.ending()));
        fs::write(&kept, &small).map_err(|e| format!("{}: {e}", kept.display()))?;
        println!("  minimised: {} ({} bytes)", kept.display(), small.len());
        found.insert(kind, Found { count: 1, kept });
        Ok(())
    }

    /// The fault of an input, determined in a separate process.
    fn fault(&self, bytes: &[u8]) -> Result<Option<String>, String> {
        let path = self.folder.join(format!("under-way-{}.{}", std::process::id(), self.ending()));
        fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        let said = self.worker(&["--file".into(), path.display().to_string()], 1, None, 0)?;
        // A temporary file that stays behind does no harm.
        let _ = fs::remove_file(&path);
        Ok(match said.faults.into_iter().next() {
            Some((_, fault)) => Some(fault),
            None if said.ended => None,
            None => Some(format!("killed {}", said.last_words.lines().last().unwrap_or_default())),
        })
    }

    /// Starts a worker with a memory limit and reads its output until it ends.
    fn worker(&self, more: &[String], inputs: u64, seconds: Option<u64>, from: u64) -> Result<Said, String> {
        let at = self.folder.join(format!("at-{}", std::process::id()));
        let exe = std::env::current_exe().map_err(|e| format!("path of this program: {e}"))?;
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -v {MEMORY} && exec \"$0\" \"$@\"")).arg(exe);
        command.args([
            "fuzz",
            self.name(),
            "--seed",
            &self.args.seed.to_string(),
            "--inputs",
            &inputs.to_string(),
        ]);
        command.arg("--worker").arg(&at).args(more);
        command.args(self.args.no_spin.then_some("--no-spin"));
        command.args(seconds.map(|seconds| format!("--seconds={seconds}")));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(|e| format!("starting the worker failed: {e}"))?;
        let mut said =
            Said { faults: Vec::new(), next: from, sound: 0, ended: false, last_words: String::new() };
        for line in
            child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok)
        {
            let mut words = line.splitn(3, ' ');
            match (words.next(), words.next().and_then(|word| word.parse().ok()), words.next()) {
                (Some("done"), Some(next), Some(sound)) => {
                    said.next = next;
                    said.sound += sound.parse::<u64>().unwrap_or(0);
                }
                (Some("fault"), Some(index), Some(fault)) => said.faults.push((index, fault.to_string())),
                _ => eprintln!("unexpected output of the worker: {line}"),
            }
        }
        if let Some(mut err) = child.stderr.take() {
            // What can be read is shown.
            let _ = err.read_to_string(&mut said.last_words);
        }
        said.ended = child.wait().map_err(|e| format!("the worker: {e}"))?.success();
        if !said.ended {
            let under_way =
                fs::read(&at).ok().and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
            match under_way {
                Some(index) => said.next = index + 1,
                None => return Err(format!("the worker failed at startup: {}", said.last_words)),
            }
        }
        // A temporary file that stays behind does no harm.
        let _ = fs::remove_file(&at);
        Ok(said)
    }
}

/// The kind of a fault: its description and its location in the program.
fn kind(fault: &str) -> String {
    let numberless = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    match fault.split_once(' ') {
        Some(("panic", rest)) => format!("panic {}", rest.split(' ').next().unwrap_or_default()),
        _ => numberless(fault).chars().take(80).collect(),
    }
}
