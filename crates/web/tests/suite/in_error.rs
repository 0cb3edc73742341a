//! An error of one property costs one property: all others keep their verdicts and can be checked.

use axum::http::StatusCode;

use crate::support::Site;

/// Replaces a file of the project, and reads the project again.
fn put(site: &Site, path: &str, content: &[u8]) {
    let path = site.root().join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, content).expect("a file");
    site.refresh();
}

fn json(site: &Site, path: &str) -> serde_json::Value {
    let answer = site.get(path);
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
    serde_json::from_str(&answer.text).expect("JSON")
}

/// Name, state and number of runs of each property.
fn states(site: &Site) -> Vec<(String, String, usize)> {
    let all = json(site, "/api/properties");
    let mut states: Vec<_> = (all["properties"].as_array().expect("a list").iter())
        .map(|one| {
            let text = |key: &str| one[key].as_str().expect("a text").to_string();
            (text("name"), text("state"), one["runs"].as_array().map_or(0, Vec::len))
        })
        .collect();
    states.sort();
    states
}

#[test]
fn one_property_in_error_blanks_no_other() {
    let site = Site::full();
    let before = states(&site);
    let good = std::fs::read_to_string(site.root().join("properties/fault.md")).expect("a file");
    let cases: [(&str, String, &str); 6] = [
        ("properties/fault.md", good.replace("crossing", "crosing"), "crosing"),
        ("properties/fault.md", good.replace("name =", "nam ="), "unknown key `nam`"),
        ("properties/fault.md", good.replace("[] ", "[] ("), "invalid formula"),
        ("properties/fault.md", good.replace("+++", "---"), "+++"),
        ("timelines/closes.tl", "e nothing".to_string(), "no execution violates this timeline"),
        ("timelines/closes.tl", "e nothing = nowhere\nt closed".to_string(), "nowhere"),
    ];
    for (path, text, message) in cases {
        let old = std::fs::read(site.root().join(path)).expect("a file");
        put(&site, path, text.as_bytes());
        let after = states(&site);
        let is_timeline = path.starts_with("timelines");
        for (old, new) in before.iter().zip(&after) {
            let is_broken = (old.0 == "closes") == is_timeline && (old.0 == "never-crosses") != is_timeline;
            match is_broken {
                true => assert_eq!(new.1, "in-error", "{message}: {after:?}"),
                false => assert_eq!(old, new, "{message}"),
            }
        }
        let in_error: Vec<&str> =
            after.iter().filter(|one| one.1 == "in-error").map(|one| one.0.as_str()).collect();
        let [broken] = in_error[..] else { panic!("{message}: {after:?}") };
        let page = site.get(&format!("/properties/{broken}"));
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.text.contains(message), "{message}: {}", page.text);
        assert!(page.text.contains("Verdicts of an earlier version"), "{}", page.text);
        // A file without a name is called after the file.
        let has_name = broken != "fault";
        assert_eq!(page.text.contains("before the error"), has_name, "the history is kept: {}", page.text);
        assert_eq!(site.get(&format!("/properties/{broken}/edit")).status, StatusCode::OK, "{message}");
        let overview = site.get("/").text;
        assert!(overview.contains("One property is in error; all others can be checked"), "{overview}");
        assert!(site.get("/properties?state=in-error").text.contains(broken));
        // The others are checked, and this one is not.
        let answer = site.post("/rounds", &[("property", "closed-while-crossing"), ("property", broken)]);
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        let order = site.rounds.orders.lock().expect("no panic").pop().expect("an order");
        assert_eq!(order.properties, ["closed-while-crossing"]);
        let answer = site.post("/rounds", &[("property", broken)]);
        assert_eq!(answer.status, StatusCode::CONFLICT);
        assert!(
            answer.text.contains("is in error") && answer.text.contains("id=\"menu\""),
            "{}",
            answer.text
        );
        put(&site, path, &old);
        assert_eq!(states(&site), before, "the verdicts are those of before");
    }
}

#[test]
fn files_that_cannot_be_read_are_properties_in_error() {
    let site = Site::full();
    put(&site, "properties/latin.md", b"+++\nname = \"latin\"\n+++\n\xe4\n");
    std::fs::create_dir(site.root().join("properties/folder.md")).expect("a folder");
    let copy = std::fs::read(site.root().join("properties/safety.md")).expect("a file");
    put(&site, "properties/twin.md", &copy);
    let found = states(&site);
    let in_error: Vec<&str> =
        found.iter().filter(|one| one.1 == "in-error").map(|one| one.0.as_str()).collect();
    let twins = ["closed-while-crossing", "closed-while-crossing", "folder", "latin"];
    assert_eq!(in_error, twins, "{found:?}");
    let page = site.get("/properties/closed-while-crossing").text;
    assert!(page.contains("properties/twin.md") && page.contains("properties/safety.md"), "{page}");
    assert!(site.get("/properties/latin").text.contains("not valid UTF-8"));
}

#[test]
fn an_error_of_the_software_keeps_pages_and_history() {
    let site = Site::full();
    let model = std::fs::read_to_string(site.root().join("crossing.pml")).expect("a file");
    let manifest = std::fs::read_to_string(site.root().join("axle.toml")).expect("a file");
    for (path, text) in [
        ("crossing.pml", format!("{model}\nactive proctype x() {{ undefined = 1 }}\n")),
        ("axle.toml", format!("unknown = 1\n{manifest}")),
        ("axle.toml", manifest.replace("crossing.pml", "gone.pml")),
        ("axle.toml", "name = ".to_string()),
    ] {
        let old = std::fs::read(site.root().join(path)).expect("a file");
        put(&site, path, text.as_bytes());
        let found = states(&site);
        assert!(found.len() >= 3 && found.iter().all(|one| one.1 == "in-error"), "{text}: {found:?}");
        let page = site.get("/properties/closed-while-crossing").text;
        assert!(page.contains("before the error"), "{text}: the history is shown as that of before: {page}");
        assert!(site.get("/").text.contains("nothing can be verified"));
        let answer = site.post("/rounds", &[]);
        assert_eq!(answer.status, StatusCode::CONFLICT);
        assert!(answer.text.contains("Nothing can be verified"), "{}", answer.text);
        put(&site, path, &old);
    }
}

#[test]
fn the_editor_refuses_names_that_the_model_does_not_have() {
    let site = Site::full();
    let before = site.files();
    let form = [("name", "nowhere"), ("kind", "formula"), ("formula", "[] !crosing"), ("words", "x")];
    let answer = site.post("/properties/new", &form);
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.text);
    assert!(answer.text.contains("did you mean `crossing`?"), "{}", answer.text);
    let form = [
        ("name", "nowhere"),
        ("kind", "timeline"),
        ("timeline", "e near = approaching\nt shut = closd"),
        ("words", "x"),
    ];
    let answer = site.post("/properties/new", &form);
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.text);
    assert!(answer.text.contains("timelines/nowhere.timeline:2"), "{}", answer.text);
    assert_eq!(site.files(), before, "nothing is written");
}

#[test]
fn new_files_are_written_to_the_folders_of_the_manifest() {
    let manifest = "name = \"own\"\n[sources]\npromela = [\"m.pml\"]\n[folders]\nproperties = \"props\"\n\
                    timelines = [\"tls\"]\nrequirements = \"docs\"\n";
    let files = [
        ("axle.toml", manifest),
        ("m.pml", "bool a, b;\nactive proctype m() { a = true; b = true }\n"),
        ("props/.keep", ""),
        ("tls/.keep", ""),
        ("docs/needs.md", "# Needs\n\n## First\n\nText.\n"),
    ];
    let site = Site::of(&files, false);
    assert!(site.get("/properties/new").text.contains("<code>props</code>"));
    let form = [
        ("name", "follows"),
        ("kind", "timeline"),
        ("timeline", "e first = a\nt then = b"),
        ("words", "b follows a."),
        ("reference", "docs/needs.md#first"),
    ];
    let answer = site.post("/properties/new", &form);
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    for path in ["props/follows.md", "tls/follows.timeline"] {
        assert!(site.root().join(path).is_file(), "{path}");
    }
    assert!(!site.root().join("properties").exists() && !site.root().join("timelines").exists());
    let new = |name: &str| (name.to_string(), "new".to_string(), 1);
    assert_eq!(states(&site), [new("follows"), new("safety")]);
}

#[test]
fn an_error_of_a_request_is_a_page_with_the_menu() {
    let site = Site::full();
    for path in ["/nothing", "/properties/none", "/rounds/999", "/source/none.c", "/requirements/none.md"] {
        let answer = site.get(path);
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(answer.text.contains("id=\"menu\"") && answer.text.contains("role=\"alert\""), "{path}");
    }
    assert!(site.get("/api/nothing").text.starts_with('{'), "programs get JSON");
}
