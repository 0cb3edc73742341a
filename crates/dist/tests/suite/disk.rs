//! A search whose visited states do not fit into memory has the outcome of the search by threads.

use axle_compare::models::{compile, models};
use axle_dist::{Failure, Setup};
use axle_generate::promela::Audience;
use axle_search::{Limits, Options, Outcome, Stop};

use crate::compared::{Directory, distributed, essence, model, reference};

/// Bytes of memory for each worker with which a search of some hundred states goes to disk.
const TINY: u64 = 1 << 14;

fn setup(directory: &Directory, memory: u64) -> Setup<'_> {
    Setup { directory: Some(directory.path()), memory, disk: true, ..Setup::default() }
}

/// The result of the search by threads; none if the model is too small or too large for these tests.
fn expected(model: &std::sync::Arc<axle_model::Model>) -> Option<Outcome> {
    let limits = Limits { states: Some(60_000), ..Limits::default() };
    let probe = reference(model, &Options { limits, ..Options::default() });
    (probe.stop.is_none() && probe.states >= 300).then(|| essence(&probe))
}

/// Whether there are visited states in a directory.
fn has_visited(directory: &Directory) -> bool {
    let mut entries = std::fs::read_dir(directory.path()).unwrap();
    entries.any(|entry| entry.unwrap().file_name().to_string_lossy().starts_with("visited-"))
}

#[test]
fn workers_find_on_disk_what_threads_find() {
    let (mut on_disk, mut violated) = (0, 0);
    for (name, model) in models("tests/conformance").into_iter().chain(models("bench/small")) {
        let Some(expected) = expected(&model) else { continue };
        for workers in [1, 2, 3] {
            let directory = Directory::new("on-disk");
            let run = |memory| {
                let setup = Setup { quota: Some(100), ..setup(&directory, memory * workers) };
                distributed(&model, workers as usize, setup, &Options::default()).unwrap()
            };
            // States of some kilobytes need more memory. The search is resumed with it.
            let searched = (0..6).map(|times| run(TINY << times)).find(|one| one.outcome.stop.is_none());
            let searched = searched.unwrap();
            assert_eq!(essence(&searched.outcome), expected, "{name}, {workers} workers");
            on_disk += u32::from(searched.on_disk);
            violated += u32::from(searched.on_disk && !expected.violations.is_empty());
            assert!(!has_visited(&directory), "{name}");
        }
    }
    println!("{on_disk} searches on disk, {violated} with violations");
    assert!(on_disk > 15 && violated > 2, "{on_disk} on disk, {violated} violated");
}

#[test]
fn random_programs_have_equal_outcomes_on_disk() {
    let (mut on_disk, mut violated) = (0, 0);
    for index in 0..150 {
        let text = axle_generate::promela::program(46, index, Audience::Axle).to_string();
        let Some(model) = compile(&text) else { continue };
        let Some(expected) = expected(&model) else { continue };
        let directory = Directory::new("random-on-disk");
        let workers = 1 + index % 3;
        let setup = Setup { quota: Some(1 + index % 90), ..setup(&directory, TINY / 2 * workers) };
        let searched = distributed(&model, workers as usize, setup, &Options::default()).unwrap();
        assert_eq!(essence(&searched.outcome), expected, "program {index}:\n{text}");
        on_disk += u32::from(searched.on_disk);
        violated += u32::from(searched.on_disk && !expected.violations.is_empty());
    }
    println!("{on_disk} searches on disk, {violated} with violations");
    assert!(on_disk > 10 && violated > 1, "{on_disk} on disk, {violated} violated");
}

/// Attempts that end at limits, with the states on disk, in memory and on disk again.
#[test]
fn a_search_on_disk_is_resumed() {
    let model = model("bench/small/escape.pml");
    let expected = expected(&model).unwrap();
    let directory = Directory::new("resumed-on-disk");
    let run = |workers, memory, disk, part: Option<u64>| {
        let limits = Limits { states: part.map(|part| expected.states / part), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let setup = Setup { quota: Some(100), disk, ..setup(&directory, memory) };
        distributed(&model, workers, setup, &options).unwrap()
    };
    let first = run(2, 2 * TINY, true, Some(3));
    assert_eq!((first.outcome.stop, first.on_disk), (Some(Stop::States), true));
    let second = run(3, 3 * TINY, true, Some(2));
    assert_eq!((second.outcome.stop, second.on_disk), (Some(Stop::States), true));
    assert!(second.resumed_at.is_some_and(|level| level > 0));
    let third = run(2, 2 * TINY, false, None);
    assert_eq!((third.outcome.stop, third.on_disk), (Some(Stop::Memory), false));
    // Without a limit, they fit into memory.
    let fourth = run(1, u64::MAX, false, Some(1));
    assert!(!fourth.on_disk && fourth.outcome.states >= expected.states / 2);
    let last = run(1, TINY, true, None);
    assert_eq!((essence(&last.outcome), last.on_disk), (expected, true));
}

/// The files of an attempt that was killed are removed by the next one.
#[test]
fn files_of_a_killed_attempt_are_removed() {
    let model = model("bench/small/escape.pml");
    let expected = expected(&model).unwrap();
    let directory = Directory::new("killed-on-disk");
    let limits = Limits { states: Some(expected.states / 3), ..Limits::default() };
    let cut = Options { limits, ..Options::default() };
    distributed(&model, 2, setup(&directory, 2 * TINY), &cut).unwrap();
    for folder in ["visited-0-0", "visited-1-1", "visited-2-0"] {
        std::fs::create_dir(directory.path().join(folder)).unwrap();
        std::fs::write(directory.path().join(folder).join("0"), "left").unwrap();
    }
    let searched = distributed(&model, 2, setup(&directory, 2 * TINY), &Options::default()).unwrap();
    assert_eq!((essence(&searched.outcome), searched.on_disk), (expected, true));
    assert!(!has_visited(&directory));
}

/// A directory that cannot be used ends the search with a reason, and a later one resumes.
#[test]
fn a_directory_that_cannot_be_written_is_a_failure() {
    let model = model("bench/small/escape.pml");
    let expected = expected(&model).unwrap();
    let directory = Directory::new("unwritable-disk");
    let limits = Limits { states: Some(100), ..Limits::default() };
    let cut = Options { limits, ..Options::default() };
    distributed(&model, 2, setup(&directory, u64::MAX), &cut).unwrap();
    // A file in the place of the folder of the second attempt, and of the one that it begins on disk.
    let files = [1, 2].map(|attempt| directory.path().join(format!("visited-{attempt}-1")));
    files.iter().for_each(|path| std::fs::write(path, "").unwrap());
    let run = || distributed(&model, 2, setup(&directory, 2 * TINY), &Options::default());
    assert!(matches!(run(), Err(Failure::Log(_))), "the folder cannot be created");
    files.iter().filter(|path| path.exists()).for_each(|path| std::fs::remove_file(path).unwrap());
    let searched = run().unwrap();
    assert_eq!((essence(&searched.outcome), searched.on_disk), (expected, true));
    assert!(searched.resumed_at.is_some());
}

/// Without the option, or without a directory, a full memory ends the search.
#[test]
fn disk_is_used_only_on_request() {
    let model = model("bench/small/escape.pml");
    let directory = Directory::new("no-disk");
    let memory = 2 * TINY;
    let refused = Setup { disk: false, ..setup(&directory, memory) };
    let without = Setup { disk: true, memory, ..Setup::default() };
    for setup in [refused, without] {
        let searched = distributed(&model, 2, setup, &Options::default()).unwrap();
        assert_eq!((searched.outcome.stop, searched.on_disk), (Some(Stop::Memory), false));
    }
}
