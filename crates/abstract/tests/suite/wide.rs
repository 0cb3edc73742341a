//! Models with 32-bit data, half of them with a seeded fault (`../models`). The name says whether a model
//! has a fault. No answer may be wrong, and few models may stay open.
//!
//! With `AXLE_ABSTRACT_WRITE` the figures are written to `bench/results/abstract.tsv`, with the answers of
//! k-induction and property-directed reachability in the same time.
//!
//! With `AXLE_ABSTRACT_FOLDER` the models of another folder are decided, each for `AXLE_ABSTRACT_SECONDS`,
//! those whose name contains `AXLE_ABSTRACT_ONLY`; the course of each is printed.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use axle_abstract::Options;
use axle_abstract::cegar::Course;
use axle_decide::answer::Answer;
use axle_decide::prove::{self, Method};
use axle_outcome::{Limits, Stop};

use crate::case::{Case, Checked};
use crate::cases;

/// The models of a folder.
fn models(folder: &Path, only: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|of| of == "pml"));
    files.retain(|path| path.to_string_lossy().contains(only));
    files.sort();
    files
}

/// The processor time of this thread, which other programs on the machine do not change; elsewhere the time since
/// the first call.
fn clock() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let scheduled = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = scheduled.and_then(|text| text.split(' ').next()?.parse().ok());
    match nanoseconds {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => BEGIN.get_or_init(Instant::now).elapsed(),
    }
}

/// The answer about a model, which must not be wrong.
fn answer(path: &Path, seconds: u64) -> (Checked, Course) {
    let name = path.file_stem().expect("a name").to_string_lossy();
    let case = Case::of(&std::fs::read_to_string(path).expect("a model"));
    let begin = clock();
    let mut stop = |_| (clock() - begin).as_secs() >= seconds;
    let separate = std::env::var_os("AXLE_ABSTRACT_SEPARATE").is_some();
    let options = Options { clock: Some(clock), separate, ..Options::default() };
    let (checked, course) = case.decide_watched(&options, &mut stop).expect(&name);
    println!(
        "{name:20} {checked:?} {:.2} s, {} iterations, {} predicates, {} states, {} queries, {} known",
        (clock() - begin).as_secs_f64(),
        course.iterations,
        course.predicates.len(),
        course.states,
        course.queries,
        course.hits
    );
    match checked {
        Checked::Holds => assert!(!name.ends_with("fault"), "{name}: the fault is missed"),
        Checked::Violated(_) => assert!(name.ends_with("fault"), "{name}: a false alarm"),
        Checked::Open(_) => {}
    }
    (checked, course)
}

#[test]
fn models_with_32_bits_are_decided() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let models = models(&folder, "");
    let faults = models.iter().filter(|path| path.to_string_lossy().ends_with("-fault.pml")).count();
    assert!(
        models.len() >= 96 && 2 * faults == models.len(),
        "{} models, {faults} with a fault",
        models.len()
    );
    let mut figures = String::from(
        "# Models with 32-bit data by predicate abstraction, and by k-induction and PDR in the same time\n\
         model\tverdict\tseconds\tlongest_iteration\titerations\tpredicates\tstates\tqueries\tcached\tabstraction\tdeciding\tinduction\tpdr\n",
    );
    let writes = std::env::var_os("AXLE_ABSTRACT_WRITE").is_some();
    let mut open = Vec::new();
    for path in &models {
        let begin = clock();
        let seconds = cases("AXLE_ABSTRACT_SECONDS", 10);
        let (checked, course) = answer(path, seconds);
        let taken = (clock() - begin).as_secs_f64();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let verdict = match checked {
            Checked::Holds => "holds",
            Checked::Violated(_) => "violated",
            Checked::Open(_) => "unknown",
        };
        if writes {
            let Course { iterations, predicates, states, queries, hits, times, .. } = course;
            let [longest, all, deciding] =
                [times.longest_iteration, times.all, times.deciding].map(|time| time.as_secs_f64());
            let others = [Method::Induction, Method::Reachability].map(|method| other(path, method, seconds));
            figures.push_str(&format!(
                "{name}\t{verdict}\t{taken:.2}\t{longest:.2}\t{iterations}\t{}\t{states}\t{queries}\t{hits}\t{all:.3}\t{deciding:.3}\t{}\t{}\n",
                predicates.len(),
                others[0],
                others[1]
            ));
        }
        if verdict == "unknown" {
            open.push(path);
        }
    }
    if writes {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/results/abstract.tsv");
        std::fs::write(file, figures).expect("a folder of results");
    }
    // Few models need more predicates than are found in this time.
    assert!(models.len() - open.len() >= 80, "not decided: {open:?}");
}

/// The answer of another method of proof alone.
fn other(path: &Path, method: Method, seconds: u64) -> &'static str {
    let case = Case::of(&std::fs::read_to_string(path).expect("a model"));
    let bads: Vec<usize> = (0..case.problem.system.bads.len()).collect();
    let begin = clock();
    let mut poll = |_| ((clock() - begin).as_secs() >= seconds).then_some(Stop::Time);
    let limits = Limits::default();
    match prove::decide(&case.problem, &case.relation, &bads, method, &limits, &mut poll) {
        Answer::Holds(_) => "holds",
        Answer::Violated(_) => "violated",
        Answer::Unknown(_) => "unknown",
    }
}

#[test]
fn models_of_another_folder() {
    let Ok(folder) = std::env::var("AXLE_ABSTRACT_FOLDER") else { return };
    let only = std::env::var("AXLE_ABSTRACT_ONLY").unwrap_or_default();
    let models = models(Path::new(&folder), &only);
    let mut decided = 0;
    for path in &models {
        let (checked, course) = answer(path, cases("AXLE_ABSTRACT_SECONDS", 5));
        decided += usize::from(!matches!(checked, Checked::Open(_)));
        if !only.is_empty() {
            course.spurious.iter().for_each(|one| println!("    {one:?}"));
            course.predicates.iter().for_each(|one| println!("    {one}"));
        }
    }
    println!("{decided} of {} decided", models.len());
}
