//! `cargo xtask certify`: writes and verifies certificates of the models of bench, and measures
//! both.
//!
//! The table compares the CPU time of this process (insensitive to other load) and the wall time
//! with those of the same single-threaded search without a certificate.
//!
//! *Entry point:* [`run`].

use axle_benchmarks::results::Printed;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use axle_certify::{Certified, Engine, How, Recorder, verify};
use axle_check::{Config, SuccessorChoice, check, check_recorded, claim, proves};
use axle_model::Model;
use axle_search::Silent;
use axle_source::{Diagnostics, MemoryLoader, Sources};
use nix::sys::resource::{UsageWho, getrusage};

/// Arguments of `cargo xtask certify`.
#[derive(clap::Args)]
pub struct Args {
    /// Only these models, separated by commas.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Include the models of bench/small.
    #[arg(long)]
    small: bool,
    /// Skip the verification by the interpreter.
    #[arg(long)]
    compiled_only: bool,
    /// Number of threads of the verifier; the CPU time of all of them counts.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Number of repetitions; the minimum counts, because the rest is other load.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
}

/// CPU time used by this process, in seconds.
fn used() -> Result<f64, String> {
    let used = getrusage(UsageWho::RUSAGE_SELF).map_err(|e| format!("getrusage: {e}"))?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(used.user_time()) + seconds(used.system_time()))
}

/// CPU time and wall time in seconds.
#[derive(Clone, Copy, Debug)]
struct Took {
    processor: f64,
    passed: f64,
}

impl Took {
    /// Initial value for a minimum.
    const NEVER: Took = Took { processor: f64::INFINITY, passed: f64::INFINITY };

    /// The smaller one by CPU time.
    fn least(self, other: Took) -> Took {
        if other.processor < self.processor { other } else { self }
    }

    /// The ratio of two times.
    fn over(self, other: Took) -> Took {
        Took { processor: self.processor / other.processor, passed: self.passed / other.passed }
    }
}

/// The result of a computation, and its time.
fn timed<T>(work: impl FnOnce() -> T) -> Result<(T, Took), String> {
    let (begin, clock) = (used()?, Instant::now());
    let done = work();
    let passed = clock.elapsed().as_secs_f64();
    Ok((done, Took { processor: used()? - begin, passed }))
}

/// Writes and checks a certificate of every model.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let scratch = root.join("target/certify");
    fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let sets = if args.small { &["models", "small"][..] } else { &["models"] };
    let mut paths = Vec::new();
    for set in sets {
        let folder = root.join("bench").join(set);
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        paths.extend(entries.flatten().map(|entry| entry.path()));
    }
    paths.sort();
    let mut printed = Printed::default();
    printed.line("| model | states | steps | search, s | with certificate, s | certificate, B/state | interpreter, s | compiled, s |");
    printed.line("| --- | --: | --: | --: | --: | --: | --: | --: |");
    let (mut interpreted, mut compiled) = (Vec::new(), Vec::new());
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if args.only.is_empty() || args.only.contains(&name) {
            let times = one(&name, &path, &scratch, args, &mut printed)?;
            interpreted.extend(times.0);
            compiled.push(times.1);
        }
    }
    for (engine, times) in [("interpreter", interpreted), ("compiled", compiled)] {
        println!("{engine}: {} accepted", times.len());
        for (what, of) in
            [("CPU time", (|took| took.processor) as fn(&Took) -> f64), ("wall time", |took| took.passed)]
        {
            let mean =
                (times.iter().map(|took| of(took).ln()).sum::<f64>() / times.len().max(1) as f64).exp();
            let worst = times.iter().map(of).fold(0.0, f64::max);
            println!("  {what}: {mean:.2} times the search in the mean, at most {worst:.2}");
        }
    }
    printed.record(root, "certify")
}

/// One model: the time of each form of the verifier relative to the search.
fn one(
    name: &str,
    path: &Path,
    scratch: &Path,
    args: &Args,
    printed: &mut Printed,
) -> Result<(Option<Took>, Took), String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add(name, &text);
    let options = axle_promela::Options::default();
    let loader = MemoryLoader::default();
    let model = axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics);
    let model = Arc::new(model.ok_or_else(|| format!("{name}: rejected by the front end"))?);

    let config = Config { successors: SuccessorChoice::Compiled, ..Config::default() };
    let file = scratch.join(format!("{name}.cert"));
    let (mut search, mut written, mut compiled) = (Took::NEVER, Took::NEVER, Took::NEVER);
    let (mut interpreted, mut found) = ((!args.compiled_only).then_some(Took::NEVER), None);
    for _ in 0..args.repeat {
        let (plain, took) = timed(|| check(&model, &config, &mut Silent))?;
        search = search.least(took);
        let (size, took) = timed(|| write(&model, &config, &file))?;
        written = written.least(took);
        let size = size.map_err(|why| format!("{name}: {why}"))?;
        let ask = |engine, least: Took| -> Result<Took, String> {
            let (certified, took) = timed(|| ask(&model, &file, How { engine, threads: args.threads }))?;
            let certified = certified.map_err(|why| format!("{name}: {why}"))?;
            match (certified.states, certified.steps + 1)
                == (plain.found.outcome.states, plain.found.outcome.transitions)
            {
                true => Ok(least.least(took)),
                false => Err(format!("{name}: {certified:?}, not {}", plain.found.outcome.states)),
            }
        };
        if let Some(least) = interpreted {
            interpreted = Some(ask(Engine::Interpreter, least)?);
        }
        compiled = ask(Engine::Compiled, compiled)?;
        found = Some((plain.found.outcome.states, plain.found.outcome.transitions - 1, size));
    }
    fs::remove_file(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let (states, steps, size) = found.ok_or_else(|| format!("{name}: not searched"))?;
    let times = |took: Took| format!("{:.2}", took.processor);
    let (before, with) = (search.processor, written.processor);
    printed.line(&format!(
        "| {name} | {states} | {steps} | {before:.2} | {with:.2} | {:.1} | {} | {} |",
        size as f64 / states as f64,
        interpreted.map_or_else(|| "-".to_string(), times),
        times(compiled)
    ));
    Ok((interpreted.map(|took| took.over(search)), compiled.over(search)))
}

fn write(model: &Arc<Model>, config: &Config, file: &PathBuf) -> Result<u64, String> {
    let out = BufWriter::new(File::create(file).map_err(|e| e.to_string())?);
    let claim = claim(model, config, &file.to_string_lossy(), Vec::new());
    let (checked, recorder, slots) = check_recorded(model, config, &mut Silent, Recorder::new(out, &claim));
    proves(&checked, config)?;
    recorder.finish(slots).map_err(|e| e.to_string())
}

fn ask(model: &Arc<Model>, file: &Path, how: How) -> Result<Certified, String> {
    let open = File::open(file).map_err(|e| e.to_string())?;
    verify(model, &mut BufReader::new(open), how).map_err(|why| why.to_string())
}
