//! New projects load, and their runs can be prepared.

use axle_evidence::report::Verdict;
use axle_feaver::execute::EXACT;
use axle_feaver::init::{Written, files, write};
use axle_feaver::project::load;

use super::runs::{executed, runs_of};
use crate::support::Temporary;

fn create(folder: &Temporary) -> Vec<Written> {
    write(&folder.0, &files(&folder.0)).expect("the files can be created")
}

#[test]
fn an_empty_folder_becomes_an_example_that_holds() {
    let folder = Temporary::new();
    assert!(create(&folder).iter().all(|written| *written == Written::Created));
    assert!(load(&folder.0).diagnostics.is_empty());
    let runs = runs_of(&folder.0);
    assert_eq!(runs.len(), 3);
    for run in &runs {
        let outcome = executed(run, EXACT);
        assert_eq!(outcome.verdict, Verdict::Holds, "{}: {outcome:#?}", run.name);
        assert_eq!(outcome.vacuity, Vec::<String>::new(), "{}", run.name);
    }
}

#[test]
fn sources_of_a_folder_are_in_its_manifest() {
    for (files, runs) in [
        (&[("main.c", "int main(void) { return 0; }\n"), ("lib/f.c", "int f;\n")][..], 2),
        (&[("m.pml", "active proctype P() { skip }\n")][..], 2),
        (&[("m.pml", "active proctype P() { skip }\n"), ("a \"b\".pml", "init { skip }\n")][..], 3),
    ] {
        let folder = Temporary::new();
        files.iter().for_each(|(path, text)| folder.write(path, text.as_bytes()));
        create(&folder);
        assert_eq!(runs_of(&folder.0).len(), runs, "{files:?}");
    }
}

#[test]
fn existing_files_are_kept() {
    let folder = Temporary::new();
    folder.write("axle.toml", b"name = \"mine\"\n");
    let new = files(&folder.0);
    let written = write(&folder.0, &new).expect("the files can be created");
    assert_eq!(written[0], Written::Kept);
    assert!(written[1..].iter().all(|written| *written == Written::Created));
    let text = std::fs::read_to_string(folder.0.join("axle.toml")).expect("the manifest");
    assert_eq!(text, "name = \"mine\"\n");
    let again = write(&folder.0, &new).expect("nothing is created");
    assert!(again.iter().all(|written| *written == Written::Kept));
}
