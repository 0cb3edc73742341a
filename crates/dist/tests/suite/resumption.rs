//! A search is resumed from the last committed level, by any number of workers, to the same result.

use std::fs;

use axle_compare::models::models;
use axle_dist::{Failure, Setup};
use axle_search::{Limits, Options, Stop};

use crate::compared::{Directory, distributed, essence, model, reference};

#[test]
fn a_search_resumes_after_a_limit() {
    let everything = Options::default();
    let mut resumed = 0;
    for (name, model) in models("tests/conformance").into_iter().chain(models("bench/small")) {
        let probe =
            Options { limits: Limits { states: Some(60_000), ..Limits::default() }, ..Options::default() };
        if reference(&model, &probe).stop.is_some() {
            continue;
        }
        let expected = essence(&reference(&model, &everything));
        if expected.states < 200 {
            continue;
        }
        let directory = Directory::new("after-a-limit");
        let about = name.as_str();
        // Three attempts that end at a limit, with different numbers of workers, and one that does not.
        for (workers, part) in [(2, Some(8)), (3, Some(4)), (1, Some(2)), (3, None)] {
            let states = part.map(|part: u64| expected.states / part);
            let options = Options { limits: Limits { states, ..Limits::default() }, ..Options::default() };
            let setup =
                Setup { directory: Some(directory.path()), about, quota: Some(40), ..Setup::default() };
            let searched = distributed(&model, workers, setup, &options).unwrap();
            match states {
                Some(_) => assert!(matches!(searched.outcome.stop, Some(Stop::States) | None), "{name}"),
                None => assert_eq!(essence(&searched.outcome), expected, "{name}"),
            }
            resumed += usize::from(searched.resumed_at.is_some_and(|level| level > 0));
        }
    }
    assert!(resumed > 30, "{resumed} resumptions");
}

#[test]
fn a_search_resumes_after_a_memory_limit() {
    let model = model("bench/small/escape.pml");
    let expected = reference(&model, &Options::default());
    let directory = Directory::new("after-memory");
    let setup = |memory| Setup { directory: Some(directory.path()), memory, ..Setup::default() };
    let first = distributed(&model, 2, setup(expected.memory.states / 3), &Options::default()).unwrap();
    assert_eq!((first.outcome.stop, first.resumed_at), (Some(Stop::Memory), None));
    let second = distributed(&model, 3, setup(u64::MAX), &Options::default()).unwrap();
    assert!(second.resumed_at.is_some_and(|level| level > 0));
    assert_eq!(essence(&second.outcome), essence(&expected));
}

#[test]
fn another_search_is_refused() {
    let model = model("tests/conformance/../../bench/small/peterson.pml");
    let directory = Directory::new("another");
    let run = |about| {
        let setup = Setup { directory: Some(directory.path()), about, ..Setup::default() };
        distributed(&model, 2, setup, &Options::default())
    };
    assert!(run("one").is_ok());
    assert_eq!(run("other"), Err(Failure::OtherSearch));
}

/// Every damage to a file is an error, or concerns only what is not committed.
#[test]
fn a_damaged_directory_is_refused() {
    let model = model("bench/small/peterson.pml");
    let directory = Directory::new("damaged");
    let limits = Limits { states: Some(30), ..Limits::default() };
    let setup = || Setup { directory: Some(directory.path()), quota: Some(3), ..Setup::default() };
    let cut = Options { limits, ..Options::default() };
    let expected = essence(&reference(&model, &Options::default()));
    distributed(&model, 2, setup(), &cut).unwrap();
    let files: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let saved: Vec<_> = files.iter().map(|path| (path, fs::read(path).unwrap())).collect();
    let restore = || saved.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
    let (mut refused, mut accepted) = (0, 0);
    for (path, bytes) in &saved {
        for at in (0..bytes.len()).step_by(5) {
            let mut wrong = bytes.clone();
            wrong[at] ^= 0x40;
            restore();
            fs::write(path, wrong).unwrap();
            match distributed(&model, 3, setup(), &Options::default()) {
                Ok(searched) => {
                    assert_eq!(essence(&searched.outcome), expected, "{path:?}, byte {at}");
                    accepted += 1;
                }
                Err(_) => refused += 1,
            }
            // The files of the attempt.
            for entry in fs::read_dir(directory.path()).unwrap() {
                fs::remove_file(entry.unwrap().path()).unwrap();
            }
        }
    }
    restore();
    assert!(refused > 50, "{refused} refused, {accepted} accepted");
    assert_eq!(essence(&distributed(&model, 3, setup(), &Options::default()).unwrap().outcome), expected);
}

/// A manifest of an earlier level, whose logs have grown since, is one to resume from. One that names logs of
/// another attempt is refused.
#[test]
fn a_stale_manifest_is_resumed_or_refused() {
    let model = model("bench/small/peterson.pml");
    let directory = Directory::new("stale");
    let expected = essence(&reference(&model, &Options::default()));
    let manifest = directory.path().join("manifest");
    let run = |workers, part: Option<u64>| {
        let limits = Limits { states: part.map(|part| expected.states / part), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let setup = Setup { directory: Some(directory.path()), quota: Some(3), ..Setup::default() };
        distributed(&model, workers, setup, &options)
    };
    run(2, Some(4)).unwrap();
    let early = fs::read(&manifest).unwrap();
    run(3, Some(2)).unwrap();
    let late = fs::read(&manifest).unwrap();
    assert_ne!(early, late);
    // As if the last manifest had never reached the disk.
    fs::write(&manifest, &early).unwrap();
    assert_eq!(essence(&run(1, None).unwrap().outcome), expected);
    // The attempt after the early one has overwritten the logs that the late manifest names.
    fs::write(&manifest, &late).unwrap();
    match run(2, None) {
        Ok(searched) => assert_eq!(essence(&searched.outcome), expected),
        Err(failure) => assert!(matches!(failure, Failure::Corrupt | Failure::Log(_)), "{failure}"),
    }
    // The logs of the last attempt are missing.
    for entry in fs::read_dir(directory.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("levels-")) {
            fs::remove_file(path).unwrap();
        }
    }
    assert!(run(2, None).is_err());
}
