//! Creating and changing properties in the browser.

use axum::http::StatusCode;

use crate::support::Site;

fn read(site: &Site, path: &str) -> String {
    std::fs::read_to_string(site.root().join(path)).expect("the file")
}

/// The hidden hash of the first file in a form.
fn hash_of(text: &str) -> String {
    let start = text.find("name=\"hash\" value=\"").expect("a hash") + "name=\"hash\" value=\"".len();
    text[start..start + 64].to_string()
}

#[test]
fn a_property_is_saved_if_nobody_changed_it() {
    let site = Site::full();
    let hash = hash_of(&site.get("/properties/never-crosses/edit").text);
    let text = read(&site, "properties/fault.md").replace("No train crosses.", "No train crosses at all.");
    let form = [("path", "properties/fault.md"), ("hash", hash.as_str()), ("text", text.as_str())];
    let answer = site.post("/properties/never-crosses/edit", &form);
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert_eq!(read(&site, "properties/fault.md"), text);
    assert!(
        site.get("/properties/never-crosses").text.contains("No train crosses at all."),
        "the page shows it"
    );
}

#[test]
fn a_change_that_the_form_has_not_seen_is_not_overwritten() {
    let site = Site::full();
    let hash = hash_of(&site.get("/properties/never-crosses/edit").text);
    let other = read(&site, "properties/fault.md").replace("No train crosses.", "Another change.");
    std::fs::write(site.root().join("properties/fault.md"), &other).expect("a change");
    let mine = other.replace("Another change.", "My change.");
    let form = [("path", "properties/fault.md"), ("hash", hash.as_str()), ("text", mine.as_str())];
    let answer = site.post("/properties/never-crosses/edit", &form);
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.text.contains("My change."), "the text of the visitor is kept");
    assert_eq!(read(&site, "properties/fault.md"), other);
}

#[test]
fn a_text_with_errors_is_not_saved() {
    let site = Site::full();
    let before = read(&site, "properties/fault.md");
    let hash = hash_of(&site.get("/properties/never-crosses/edit").text);
    for (text, problem) in [
        (before.replace("[] !crossing", "[] (!crossing"), "invalid formula"),
        (before.replace("crossing.md#safety", "crossing.md#nothing"), "nothing"),
        ("no front matter".to_string(), "+++"),
    ] {
        let form = [("path", "properties/fault.md"), ("hash", hash.as_str()), ("text", text.as_str())];
        let answer = site.post("/properties/never-crosses/edit", &form);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
        assert!(answer.text.contains(problem), "{problem}: {}", answer.text);
        assert_eq!(read(&site, "properties/fault.md"), before);
    }
}

#[test]
fn only_the_files_of_the_property_can_be_written() {
    let site = Site::full();
    let before = site.files();
    let hash = "0".repeat(64);
    for path in [
        "axle.toml",
        "../outside.md",
        "/etc/passwd",
        "properties/safety.md",
        ".axle/server.key",
        "crossing.pml",
    ] {
        let form = [("path", path), ("hash", hash.as_str()), ("text", "x")];
        let answer = site.post("/properties/never-crosses/edit", &form);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}");
    }
    assert_eq!(site.files(), before);
}

#[test]
fn a_property_is_created_from_a_timeline() {
    let site = Site::full();
    let form = [
        ("name", "opens"),
        ("reference", "requirements/crossing.md#closing"),
        ("kind", "timeline"),
        ("timeline", "e passed = !approaching\nt open = !closed"),
        ("words", "The gate opens."),
        ("constraint", "with-sensor"),
        ("tags", "liveness, gate"),
    ];
    let answer = site.post("/properties/new", &form);
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert_eq!(read(&site, "timelines/opens.timeline"), "e passed = !approaching\nt open = !closed\n");
    let page = site.get("/properties/opens");
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("The gate opens.") && page.text.contains("with-sensor"), "{}", page.text);
}

#[test]
fn an_invalid_new_property_creates_nothing() {
    let site = Site::full();
    let before = site.files();
    for (name, formula, status) in [
        ("", "[] true", StatusCode::UNPROCESSABLE_ENTITY),
        ("../evil", "[] true", StatusCode::UNPROCESSABLE_ENTITY),
        ("a/b", "[] true", StatusCode::UNPROCESSABLE_ENTITY),
        ("x\" formula = \"true", "[] true", StatusCode::UNPROCESSABLE_ENTITY),
        ("fault", "[] (", StatusCode::CONFLICT),
        ("safety", "[] true", StatusCode::CONFLICT),
        ("new-one", "[] (", StatusCode::UNPROCESSABLE_ENTITY),
        ("new-one", "\"\nname = \"other", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer =
            site.post("/properties/new", &[("name", name), ("kind", "formula"), ("formula", formula)]);
        assert_eq!(answer.status, status, "{name}: {}", answer.text);
    }
    assert_eq!(site.files(), before);
}

/// The hidden hashes of a form: path and hash of each file.
fn files_of(text: &str) -> Vec<(String, String)> {
    let values = |name: &str| -> Vec<String> {
        let pattern = format!("name=\"{name}\" value=\"");
        text.split(&pattern).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_string).collect()
    };
    values("path").into_iter().zip(values("hash")).collect()
}

#[test]
fn fields_change_their_keys_only() {
    let site = Site::full();
    let before = read(&site, "properties/fault.md");
    let hash = hash_of(&site.get("/properties/never-crosses/edit").text);
    let form = [
        ("path", "properties/fault.md"),
        ("hash", hash.as_str()),
        ("text", before.as_str()),
        ("was-name", "never-crosses"),
        ("name", "never-ever"),
        ("was-weight", "0"),
        ("weight", "7"),
        ("was-fairness", ""),
        ("fairness", "weak"),
        ("was-expected", "violated"),
        ("expected", "violated"),
    ];
    let answer = site.post("/properties/never-crosses/edit", &form);
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let after = read(&site, "properties/fault.md");
    let own: Vec<&str> = after.lines().filter(|line| !before.lines().any(|old| old == *line)).collect();
    assert_eq!(own, ["name = \"never-ever\"", "weight = 7", "fairness = \"weak\""], "{after}");
    assert_eq!(site.get("/properties/never-ever").status, StatusCode::OK);
    assert_eq!(site.get("/properties/never-crosses").status, StatusCode::NOT_FOUND);
}

#[test]
fn a_known_fault_is_marked_and_unmarked() {
    let site = Site::full();
    let before = read(&site, "properties/safety.md");
    let name = before.lines().find_map(|line| line.strip_prefix("name = ")).expect("a name");
    let address = format!("/properties/{}/expected", name.trim_matches('"'));
    for (expected, is_marked) in [("violated", true), ("holds", false)] {
        let answer = site.post(&address, &[("expected", expected)]);
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        assert_eq!(read(&site, "properties/safety.md").contains("expected = \"violated\""), is_marked);
    }
    assert_eq!(read(&site, "properties/safety.md"), before);
    assert_eq!(site.post(&address, &[("expected", "maybe")]).status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn a_property_is_deleted_after_confirmation_and_unless_it_has_changed() {
    let site = Site::full();
    let files = files_of(&site.get("/properties/never-crosses/edit").text);
    let (path, hash) = &files[0];
    let mut form = vec![("path", path.as_str()), ("hash", hash.as_str())];
    let address = "/properties/never-crosses/delete";
    assert_eq!(site.post(address, &form).status, StatusCode::UNPROCESSABLE_ENTITY, "not confirmed");
    form.push(("confirmed", "on"));
    let text = read(&site, path);
    std::fs::write(site.root().join(path), format!("{text}\n")).expect("a change");
    assert_eq!(site.post(address, &form).status, StatusCode::CONFLICT, "changed meanwhile");
    std::fs::write(site.root().join(path), &text).expect("the first text");
    assert_eq!(site.post(address, &form).status, StatusCode::SEE_OTHER);
    assert!(!site.root().join(path).exists());
    assert_eq!(site.get("/properties/never-crosses").status, StatusCode::NOT_FOUND);
}
