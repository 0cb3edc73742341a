//! Valid projects load without a diagnostic.

use crate::support::projects;
use axle_feaver::project::load;

#[test]
fn valid_projects_have_no_diagnostics() {
    let mut count = 0;
    for entry in std::fs::read_dir(projects()).expect("the projects") {
        let path = entry.expect("a project").path();
        let loaded = load(&path);
        let told: Vec<&str> = loaded.diagnostics.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(told, Vec::<&str>::new(), "{}", path.display());
        let project = loaded.project.expect("a project");
        assert!(!project.properties.is_empty());
        count += 1;
    }
    assert!(count > 0);
}
