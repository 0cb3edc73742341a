//! Models with 32-bit data.

use std::time::Instant;

use axle_abstract::Options;

use crate::case::{Case, Checked};
use crate::cases;

#[test]
fn wide_data_of() {
    let Ok(folder) = std::env::var("AXLE_ABSTRACT_FOLDER") else { return };
    let only = std::env::var("AXLE_ABSTRACT_ONLY").unwrap_or_default();
    let seconds = cases("AXLE_ABSTRACT_SECONDS", 5);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|of| of == "pml") && path.to_string_lossy().contains(&only));
    files.sort();
    let mut decided = 0;
    for path in &files {
        let name = path.file_stem().unwrap().to_string_lossy().to_string();
        let case = Case::of(&std::fs::read_to_string(path).unwrap());
        let begin = Instant::now();
        let stop = || begin.elapsed().as_secs() >= seconds;
        let (checked, course) = case.decide(&Options::default(), &stop).expect(&name);
        let wrong = match checked {
            Checked::Holds => name.ends_with("fault"),
            Checked::Violated(_) => !name.ends_with("fault"),
            Checked::Open(_) => false,
        };
        decided += usize::from(!matches!(checked, Checked::Open(_)));
        println!(
            "{name:20} {checked:?} {:.2} s, {} iterations, {} predicates, {} states, {} queries, {} hits {}",
            begin.elapsed().as_secs_f64(), course.iterations, course.predicates.len(), course.states, course.queries,
            course.hits, if wrong { "WRONG" } else { "" }
        );
        if !only.is_empty() {
            course.spurious.iter().for_each(|one| println!("    {one:?}"));
            course.predicates.iter().for_each(|one| println!("    {one}"));
        }
        assert!(!wrong, "{name}");
    }
    println!("{decided} of {}", files.len());
}
