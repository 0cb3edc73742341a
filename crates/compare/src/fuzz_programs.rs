//! `cargo xtask fuzz-programs`: random multithreaded C programs, checked in every mode, against the
//! same programs in Promela, and some of them against native executions with sanitizers.
//!
//! `axle-generate` generates each program in both languages ([`axle_generate::threads`]). The possible results of
//! a program are a set of failing assertions and possibly a deadlock. Both checkers, which share
//! neither front end nor semantics, must find the same set; a native execution must end in one of
//! its elements.
//!
//! *Entry point:* [`run`].

use axle_benchmarks::results::{record, row};
use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axle_c::compile;
use axle_c_exec::Settings;
use axle_check::{Check, Config, Order, StoreChoice, Subject, SystemKind, check};
use axle_evidence::report::{Report, StopReason};
use axle_generate::threads::{CLASSES, Program, program};
use axle_search::{Limits, Reduction, Silent};
use axle_source::{Diagnostics, MemoryLoader, Sources};

/// Time limit for shrinking one disagreement.
const SHRINKING: Duration = Duration::from_secs(60);

/// Time limit of a native execution; beyond it counts as a deadlock.
const STUCK: Duration = Duration::from_secs(3);

/// What to run.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// Number of programs.
    #[arg(long, default_value_t = 1_000)]
    programs: u64,
    /// Random seed: equal seeds give equal programs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first program.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Time limit in seconds.
    #[arg(long)]
    seconds: Option<u64>,
    /// Maximum number of states of a program; larger ones are skipped.
    #[arg(long, default_value_t = 30_000)]
    states: u64,
    /// Number of threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Compile and execute every N-th program with gcc.
    #[arg(long)]
    gcc: Option<u64>,
    /// Stop at the first disagreement without shrinking it.
    #[arg(long)]
    first: bool,
    /// Print this program in both languages, and compare only it.
    #[arg(long)]
    only: Option<u64>,
}

/// The possible results of a program: failing assertions, and a deadlock ([`CLASSES`]).
type Ends = BTreeSet<usize>;

/// The result of the comparison.
enum Compared {
    Agreed { ends: Ends, states: u64 },
    TooLarge,
    Differs(String),
}

#[derive(Default)]
struct Tally {
    compared: u64,
    too_large: u64,
    states: u64,
    several: u64,
    stuck: u64,
    by_gcc: u64,
    different: u64,
}

/// Compares programs and reports disagreements.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    if let Some(index) = args.only {
        let program = program(args.seed, index);
        println!("{}\n/*\n{}*/", program.c(), program.promela());
        return match compare(&program, args.states) {
            Compared::Agreed { ends, states } => {
                println!("{ends:?}, {states} states");
                Ok(())
            }
            Compared::TooLarge => Err("too large".into()),
            Compared::Differs(why) => Err(why),
        };
    }
    let folder = root.join("target/fuzz-programs");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    std::panic::set_hook(Box::new(|_| {}));
    let begin = Instant::now();
    let (next, tally) = (AtomicU64::new(args.from), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let late = args.seconds.is_some_and(|seconds| begin.elapsed().as_secs() >= seconds);
                    if index >= args.from.saturating_add(args.programs) || late {
                        break;
                    }
                    let program = program(args.seed, index);
                    let mut compared = compare(&program, args.states);
                    if args.first && matches!(compared, Compared::Differs(_)) {
                        next.store(u64::MAX / 2, Ordering::Relaxed);
                    }
                    let mut asked = false;
                    if let (Compared::Agreed { ends, .. }, Some(every)) = (&compared, args.gcc)
                        && index.is_multiple_of(every.max(1))
                    {
                        asked = true;
                        if let Err(why) = executed(&program, ends, &folder, index) {
                            compared = Compared::Differs(format!("gcc: {why}"));
                        }
                    }
                    note(&tally, index, &program, compared, asked, args, &folder);
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Tally { compared, too_large, states, several, stuck, by_gcc, different } = tally;
    println!(
        "{compared} programs compared in {:.0} s, {states} states; {several} can end in several ways, {stuck} can get \
         stuck; {by_gcc} executed by gcc's code; {too_large} were too large",
        begin.elapsed().as_secs_f64()
    );
    let subject = "random C programs, Promela";
    record(
        root,
        "comparisons",
        &[row(subject, "compared", compared, ""), row(subject, "disagreements", different, "")],
    )?;
    match different {
        0 => {
            println!("no disagreement");
            Ok(())
        }
        _ => Err(format!("{different} disagreements")),
    }
}

/// Counts a result; shrinks and writes a disagreement.
fn note(
    tally: &Mutex<Tally>,
    index: u64,
    program: &Program,
    compared: Compared,
    asked: bool,
    args: &Args,
    folder: &Path,
) {
    let mut tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match compared {
        Compared::Agreed { ends, states } => {
            tally.compared += 1;
            tally.states += states;
            tally.several += u64::from(ends.len() > 1);
            tally.stuck += u64::from(ends.contains(&CLASSES));
            tally.by_gcc += u64::from(asked);
        }
        Compared::TooLarge => tally.too_large += 1,
        Compared::Differs(why) => {
            tally.different += 1;
            if tally.different > 5 {
                return;
            }
            let begin = Instant::now();
            let mut small = program.clone();
            if !why.starts_with("gcc") && !args.first {
                let differs = |one: &Program| matches!(compare(one, args.states), Compared::Differs(_));
                while begin.elapsed() < SHRINKING
                    && let Some(less) = small.smaller().into_iter().find(differs)
                {
                    small = less;
                }
            }
            let path = folder.join(format!("threads-{}-{index}.c", args.seed));
            let text = format!("/* {why} */\n{}\n/*\n{}*/\n", small.c(), small.promela());
            let written = fs::write(&path, text).map_or_else(|e| e.to_string(), |()| "written".into());
            println!("program {index}: {why}\n{}: {written}", path.display());
        }
    }
}

/// Checks a program in both languages and in every mode.
fn compare(program: &Program, most: u64) -> Compared {
    catch_unwind(AssertUnwindSafe(|| compare_both(program, most)))
        .unwrap_or_else(|_| Compared::Differs("panic".into()))
}

fn compare_both(program: &Program, most: u64) -> Compared {
    let in_c = match Compiled::new(program) {
        Ok(compiled) => compiled,
        Err(why) => return Compared::Differs(why),
    };
    let limits = Limits { states: Some(most), ..Limits::default() };
    let mut first: Option<(Ends, u64)> = None;
    // Also compares memoised with executed transitions.
    for (order, store, memo) in [
        (Order::BreadthFirst, StoreChoice::Auto, true),
        (Order::DepthFirst, StoreChoice::Plain, false),
        (Order::BreadthFirst, StoreChoice::Tree, true),
    ] {
        let search = Config { order, store, limits, ..Config::default() };
        let (ends, states) = match of_c(&in_c, search, memo) {
            Ok(Some(found)) => found,
            Ok(None) => return Compared::TooLarge,
            Err(why) => return Compared::Differs(format!("{order:?}, {store:?}: {why}")),
        };
        match &first {
            None => first = Some((ends, states)),
            Some(known) if *known == (ends.clone(), states) => {}
            Some(known) => {
                return Compared::Differs(format!("{order:?}, {store:?}: {ends:?}, {states}, not {known:?}"));
            }
        }
    }
    let Some((ends, states)) = first else { return Compared::TooLarge };
    if let Err(why) = in_transactions(&in_c, limits) {
        return Compared::Differs(format!("transactions: {why}"));
    }
    if let Err(why) = with_persistent_sets(&in_c, limits) {
        return Compared::Differs(format!("persistent sets: {why}"));
    }
    if let Err(why) = by_plan(&in_c, limits, &ends) {
        return Compared::Differs(format!("plan: {why}"));
    }
    match of_promela(program, limits) {
        Ok(Some(other)) if other == ends => Compared::Agreed { ends, states },
        Ok(Some(other)) => Compared::Differs(format!("{ends:?} in C, {other:?} in Promela")),
        Ok(None) => Compared::TooLarge,
        Err(why) => Compared::Differs(format!("Promela: {why}")),
    }
}

/// Checks transactions: they must show a race if and only if there is one, and otherwise the same
/// results.
fn in_transactions(program: &Compiled, limits: Limits) -> Result<(), String> {
    let search = Config { order: Order::BreadthFirst, limits, ..Config::default() };
    let whole = of_c_with(program, search.clone(), Settings::default(), true)?;
    let Some((whole, states)) = whole else { return Ok(()) };
    for memo in [true, false] {
        let settings = Settings { memo, transactions: true, ..Settings::default() };
        let Some((few, fewer)) = of_c_with(program, search.clone(), settings, true)? else {
            return Err("more states".into());
        };
        let same = match whole.contains(&RACE) {
            true => few.contains(&RACE) && few.is_subset(&whole),
            // The end of a thread may be an additional transition.
            false => few == whole && fewer <= 2 * states + 8,
        };
        if !same {
            return Err(format!("{few:?}, {fewer} states, not {whole:?}, {states} (memo: {memo})"));
        }
    }
    Ok(())
}

/// Checks a program with the default plan, by one thread and by two: with all violations, which must be
/// the results of the full search, and with the first one only.
fn by_plan(program: &Compiled, limits: Limits, whole: &Ends) -> Result<(), String> {
    for threads in [1, 2] {
        for errors in [None, Some(1)] {
            let limits = Limits { errors, ..limits };
            let search = Config { threads, attempts: true, limits, ..Config::default() };
            let settings = Settings { persistent_sets: true, ..Settings::default() };
            let found = of_c_with(program, search, settings, !program.races)?;
            // A search that was stopped by its limit on states or violations has only some results.
            let Some((found, _)) = found else { continue };
            let agrees = match errors {
                None => found == *whole,
                Some(_) => found.is_subset(whole) && found.is_empty() == whole.is_empty(),
            };
            if !agrees {
                return Err(format!("{threads} threads, errors {errors:?}: {found:?}, not {whole:?}"));
            }
        }
    }
    Ok(())
}

/// Checks persistent sets of threads: the same results as without, in at most as many states. `settings`:
/// with or without transactions, with or without memoisation.
fn with_persistent_sets(program: &Compiled, limits: Limits) -> Result<(), String> {
    let search = Config { order: Order::BreadthFirst, limits, ..Config::default() };
    for transactions in [false, true] {
        let mut memoised = None;
        for memo in [true, false] {
            let of = |persistent_sets| {
                let settings = Settings { memo, transactions, persistent_sets, ..Settings::default() };
                of_c_with(program, search.clone(), settings, true)
            };
            let (Some((whole, states)), Some((few, fewer))) = (of(false)?, of(true)?) else { return Ok(()) };
            // An error ends executions, so that others after a race may not be found.
            let same = match whole.contains(&RACE) {
                true => few.contains(&RACE) && few.is_subset(&whole),
                false => few == whole,
            };
            let name = format!("transactions: {transactions}, memo: {memo}");
            if !same || fewer > states || memoised.is_some_and(|memoised| memoised != fewer) {
                return Err(format!("{few:?}, {fewer} states, not {whole:?}, {states} ({name})"));
            }
            memoised = Some(fewer);
        }
    }
    Ok(())
}

/// The result of a race.
const RACE: usize = CLASSES + 1;

/// The class of the assertion in a line of the text.
fn class(text: &str, line: u32) -> Option<usize> {
    let line = text.lines().nth((line as usize).checked_sub(1)?)?;
    line.split_once("assert(sum != ")?.1.split_once(')')?.0.parse().ok()
}

/// A program in C, ready to be searched.
struct Compiled {
    text: String,
    sources: Sources,
    program: axle_c::Program,
    /// Whether it may contain data races.
    races: bool,
}

impl Compiled {
    fn new(program: &Program) -> Result<Compiled, String> {
        let text = program.c();
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let main = sources.add("program.c", &text);
        let (options, loader) = (axle_c::Options::default(), MemoryLoader::default());
        let compiled = compile(&[main], &options, &loader, &mut sources, &mut diagnostics);
        let compiled = compiled.ok_or("rejected by the front end")?;
        Ok(Compiled { text, sources, program: compiled, races: program.races() })
    }
}

/// The possible results and the number of states of the C program; `None` if there are too many
/// states.
fn of_c(program: &Compiled, search: Config, memo: bool) -> Result<Option<(Ends, u64)>, String> {
    of_c_with(program, search, Settings { memo, ..Settings::default() }, !program.races)
}

/// The same with settings; `races` enables race detection.
fn of_c_with(
    program: &Compiled,
    search: Config,
    settings: Settings,
    races: bool,
) -> Result<Option<(Ends, u64)>, String> {
    let mut checks = Check::defaults(SystemKind::Program);
    if !races {
        checks.remove(&Check::DataRaces);
    }
    let subject = Subject {
        program: &program.program,
        sources: &program.sources,
        files: &["program.c".into()],
        arguments: &[],
        stdin: None,
        settings: &settings,
        properties: &[],
    };
    let report = check(&subject, &Config { checks, ..search }, &mut Silent).report;
    let states = report.search.states.saturated();
    Ok(ends(report, &program.text, "deadlock")?.map(|ends| (ends, states)))
}

/// The possible results of the Promela program, by the interpreter without reductions.
fn of_promela(program: &Program, limits: Limits) -> Result<Option<Ends>, String> {
    let text = program.promela();
    let model = crate::fuzz_models::model(&text).map_err(|code| format!("rejected: {code}"))?;
    let config = Config {
        checks: [Check::Assertions, Check::EndStates, Check::Bounds, Check::Sequences].into(),
        reduction: Reduction::None,
        limits,
        ..Config::default()
    };
    let report = check(&model, &config, &mut Silent).report;
    ends(report, &text, "invalid-end")
}

/// The possible results in a report of a complete search; `stuck` is the report's name of a
/// deadlock.
fn ends(report: Report, text: &str, stuck: &str) -> Result<Option<Ends>, String> {
    if let Some(internal) = report.internal {
        return Err(internal);
    }
    if report.stop.is_some_and(|stop| stop.reason != StopReason::Errors) {
        return Ok(None);
    }
    let mut ends = Ends::new();
    for violation in &report.violations {
        let line = violation.place.as_ref().map_or(0, |place| place.line);
        ends.insert(match violation.kind.name() {
            kind if kind == stuck => CLASSES,
            "data-race" => RACE,
            "assertion" => class(text, line).ok_or_else(|| format!("an assertion in line {line}"))?,
            other => return Err(format!("{other} in line {line}")),
        });
    }
    Ok(Some(ends))
}

/// Checks that a native execution with sanitizers ends in one of these results.
fn executed(program: &Program, ends: &Ends, folder: &Path, index: u64) -> Result<(), String> {
    let text = program.c();
    let (before, behind) = text.split_once("  assert(sum != 0);").ok_or("report without assertions")?;
    let rest: Vec<&str> = behind.lines().filter(|line| !line.contains("assert(sum")).collect();
    let text = format!("#include <stdio.h>\n{before}  printf(\"%d\\n\", sum);\n{}\n", rest.join("\n"));
    let (source, binary) = (folder.join(format!("run-{index}.c")), folder.join(format!("run-{index}")));
    fs::write(&source, text).map_err(|e| e.to_string())?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-w", "-pthread", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"]);
    let built = gcc.arg(&binary).arg(&source).status().map_err(|e| format!("gcc: {e}"))?;
    if !built.success() {
        return Err("rejected by the front end".into());
    }
    let run = Command::new(&binary).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut run = run.map_err(|e| e.to_string())?;
    let begin = Instant::now();
    let ended = loop {
        match run.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break Some(status),
            None if begin.elapsed() > STUCK => break None,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let came = match ended {
        None => {
            // An error means that it has already ended.
            let _ = run.kill();
            let _ = run.wait();
            CLASSES
        }
        Some(status) if !status.success() => return Err(format!("exit status {status}")),
        Some(_) => {
            let mut said = String::new();
            if let Some(mut out) = run.stdout.take() {
                std::io::Read::read_to_string(&mut out, &mut said).map_err(|e| e.to_string())?;
            }
            said.trim().parse().map_err(|_| format!("unexpected output '{said}'"))?
        }
    };
    for file in [&source, &binary] {
        fs::remove_file(file).map_err(|e| e.to_string())?;
    }
    match ends.contains(&came) {
        true => Ok(()),
        false => Err(format!("an execution ends with {came}, not one of {ends:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_programs_mean_the_same_in_c_and_in_promela() {
        let (mut compared, mut several, mut stuck) = (0, 0, 0);
        for index in 0..60 {
            match compare(&program(1, index), 3_000) {
                Compared::Agreed { ends, .. } => {
                    compared += 1;
                    several += u32::from(ends.len() > 1);
                    stuck += u32::from(ends.contains(&CLASSES));
                }
                Compared::TooLarge => {}
                Compared::Differs(why) => panic!("program {index}: {why}"),
            }
        }
        assert!(
            compared > 30 && several > 15 && stuck > 0,
            "{compared} compared, {several} several, {stuck} stuck"
        );
    }
}
