//! Each screen for an empty project, a failing one and a full one.

use axum::http::StatusCode;

use axle_web::view::cycles::Activity;
use axle_web::view::state::State;

use crate::support::Site;

/// Every screen that needs no further name.
const SCREENS: [&str; 14] = [
    "/",
    "/properties",
    "/properties/new",
    "/tracker",
    "/rounds",
    "/changes",
    "/analysis",
    "/requirements",
    "/model",
    "/machines",
    "/diagnose",
    "/settings",
    "/tutorial",
    "/source/axle.toml",
];

/// The largest page in bytes.
const LARGEST: usize = 200 << 10;

fn is_complete(site: &Site, path: &str) -> String {
    let answer = site.get(path);
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
    let text = answer.text;
    assert!(text.len() <= LARGEST, "{path} has {} bytes", text.len());
    for part in ["<!DOCTYPE html>", "<html lang=\"en\"", "<title>", "<main id=\"content\"", "</html>"] {
        assert!(text.contains(part), "{path} has no {part}");
    }
    assert!(!text.contains(" style=") && !text.contains("<style"), "{path} has inline style");
    assert!(!text.contains("onclick=") && !text.contains("<script>"), "{path} has inline script");
    assert_eq!(text.matches("<h1").count(), 1, "{path} has one heading of level 1");
    let policy = answer.headers.get("content-security-policy").and_then(|value| value.to_str().ok());
    assert!(policy.is_some_and(|policy| policy.starts_with("default-src 'self'")), "{path}: {policy:?}");
    text
}

#[test]
fn every_screen_of_an_empty_project_says_what_to_do() {
    let site = Site::empty();
    for path in SCREENS {
        is_complete(&site, path);
    }
    assert!(is_complete(&site, "/").contains("Write the first property"));
    assert!(is_complete(&site, "/tracker").contains("No round yet"));
    assert!(is_complete(&site, "/machines").contains("axle worker"));
}

#[test]
fn a_project_with_errors_shows_them_everywhere() {
    let site = Site::failing();
    for path in SCREENS.into_iter().filter(|path| *path != "/properties/new") {
        let text = is_complete(&site, path);
        assert!(text.contains("in the project"), "{path} does not mention the errors");
    }
    let text = is_complete(&site, "/");
    assert!(text.contains("unknown") && text.contains("axle.toml:2"), "{text}");
    assert_eq!(site.get("/properties/new").status, StatusCode::CONFLICT);
    assert_eq!(site.post("/rounds", &[]).status, StatusCode::CONFLICT);
}

/// Each statement of an extracted model has its mapping, whether a person wrote the row, and its label.
#[test]
fn the_model_lists_written_and_derived_rows() {
    let program = "int mode;\nint main(void)\n{\n\tmode = 1;\n\tmode = 3;\n\treturn 0;\n}\n";
    let manifest =
        "name = \"tank\"\n[sources]\nc = [\"tank.c\"]\ntables = [\"main.lut\"]\nderive = \"mode >= 0\"\n";
    let property = "+++\nname = \"safe\"\nformula = \"[] !neg_mode\"\n+++\n\nNever negative.\n";
    let files = [
        ("axle.toml", manifest),
        ("tank.c", program),
        ("main.lut", "A: mode=3\tkeep\texact\n"),
        ("properties/safe.md", property),
    ];
    let site = Site::of(&files, false);
    let text = is_complete(&site, "/model");
    let row = |statement: &str| {
        let from = text.find(&format!("<code>{statement}</code>")).expect(statement);
        text[from..].split("</tr>").next().unwrap_or_default().to_string()
    };
    assert!(text.contains("1 written, 2 derived"), "{text}");
    assert!(row("A: mode=1").contains("derived") && row("A: mode=1").contains("over"), "{text}");
    assert!(row("A: mode=3").contains("written") && row("A: mode=3").contains("exact"), "{text}");
}

#[test]
fn the_full_project_shows_verdicts_and_links_to_them() {
    let site = Site::full();
    for path in SCREENS {
        is_complete(&site, path);
    }
    let overview = is_complete(&site, "/");
    assert!(overview.contains("never-crosses"), "{overview}");
    assert!(overview.contains("/rounds/1/runs/"), "a link to the execution");
    let properties = is_complete(&site, "/properties?state=violated");
    assert!(properties.contains("never-crosses") && !properties.contains("select closes"), "{properties}");
    let property = is_complete(&site, "/properties/never-crosses");
    for part in [
        "The gate is closed while a train crosses",
        "[] !crossing",
        "class=\"automaton\"",
        "This is false on purpose",
    ] {
        assert!(property.contains(part), "{part} in {property}");
    }
    let timeline = is_complete(&site, "/properties/closes");
    assert!(timeline.contains("class=\"timeline\""));
    is_complete(&site, "/properties/closes/edit");
    let requirement = is_complete(&site, "/requirements/requirements/crossing.md");
    assert!(requirement.contains("never-crosses") && requirement.contains("id=\"safety\""));
    let run = site.app.snapshot().runs_of("never-crosses").next().and_then(|run| run.known.place);
    let (round, number) = run.expect("a verdict");
    is_complete(&site, &format!("/rounds/{round}"));
    let page = is_complete(&site, &format!("/rounds/{round}/runs/{number}"));
    assert!(page.contains("axle run --property never-crosses"), "{page}");
    let sequence = is_complete(&site, &format!("/rounds/{round}/runs/{number}/first"));
    for part in ["id=\"step-1\"", "class=\"chart\"", "crossing", "/source/crossing.pml#L"] {
        assert!(sequence.contains(part), "{part} in {sequence}");
    }
    let trail = site.get(&format!("/rounds/{round}/runs/{number}/first/trail"));
    assert_eq!(trail.status, StatusCode::OK);
}

#[test]
fn what_does_not_exist_is_a_page_with_a_remedy() {
    let site = Site::full();
    for path in [
        "/nothing",
        "/properties/nothing",
        "/properties/nothing/edit",
        "/rounds/99",
        "/rounds/1/runs/99",
        "/rounds/1/runs/0/third",
        "/rounds/1/runs/0/shortest",
        "/requirements/nothing.md",
        "/source/nothing.c",
        "/assets/none/page.css",
    ] {
        let answer = site.get(path);
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(answer.text.contains("404") || path.starts_with("/assets"), "{path}: {}", answer.text);
    }
    assert_eq!(site.get("/rounds/x").status, StatusCode::BAD_REQUEST);
}

#[test]
fn a_round_is_started_with_the_selected_properties() {
    let site = Site::full();
    let answer =
        site.post("/rounds", &[("property", "closes"), ("property", "never-crosses"), ("again", "on")]);
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let orders = site.rounds.orders.lock().expect("no panic");
    assert_eq!(orders.len(), 1);
    assert_eq!(orders[0].properties, ["closes", "never-crosses"]);
    assert!(orders[0].again);
}

#[test]
fn a_change_of_the_source_makes_verdicts_old() {
    let site = Site::full();
    let path = site.root().join("crossing.pml");
    let text = std::fs::read_to_string(&path).expect("the model");
    std::fs::write(&path, text.replace("bool has_sensor;", "bool has_sensor;\nbool other;"))
        .expect("a change");
    axle_web::observer::refresh(&site.app).expect("the history can be read");
    let overview = site.get("/").text;
    assert!(overview.contains("Check what has changed") || !overview.contains(">changed<"), "{overview}");
}

#[test]
fn the_choice_of_colours_is_kept_in_a_cookie() {
    let site = Site::empty();
    let answer = site.post("/appearance", &[("theme", "dark")]);
    let cookie = answer.headers.get("set-cookie").and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert!(cookie.starts_with("axle-theme=dark;"), "{cookie}");
}

#[test]
fn a_question_is_answered_with_the_longest_prefix() {
    let site = Site::full();
    let answer = site.post("/diagnose", &[("events", "crossing\nother"), ("constraint", "with-sensor")]);
    // The answer has a link of its own.
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let link = answer.headers.get("location").and_then(|value| value.to_str().ok()).expect("a link");
    let answer = site.get(link);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert!(site.get("/diagnose").text.contains(&format!("href=\"{link}\"")), "the answer is listed");
    assert_eq!(site.get("/diagnose/99").status, StatusCode::NOT_FOUND);
    for part in ["1 of 2 events", "not possible here", "closed&", "&#60;i&#62;other"] {
        assert!(
            answer.text.contains(part) || part.contains('#') && answer.text.contains("&lt;i&gt;other"),
            "{part}"
        );
    }
    assert!(!answer.text.contains("<b>") || !answer.text.contains("closed<b>"), "the answer is escaped");
    let wrong = site.post("/diagnose", &[("events", "nothing")]);
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong.text.contains("there is no event of this name"));
    let unknown = site.post("/diagnose", &[("events", "crossing"), ("constraint", "--store=x")]);
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn properties_are_sorted() {
    let site = Site::full();
    let names = |query: &str| -> Vec<String> {
        let text = site.get(&format!("/properties?{query}")).text;
        let rows = text.split("<th scope=\"row\" data-label=\"Property\"><a href=\"/properties/").skip(1);
        rows.filter_map(|row| row.split('"').next()).map(str::to_string).collect()
    };
    let by_name = names("sort=name");
    let mut sorted = by_name.clone();
    sorted.sort();
    assert!(by_name.len() > 2 && by_name == sorted, "{by_name:?}");
    assert_eq!(names("")[0], "never-crosses", "what needs attention comes first");
    assert_eq!(names("sort=attention"), names(""));
    assert_ne!(names("sort=name"), names(""));
    assert!(site.get("/properties?dense=on").text.contains("properties stacked is-dense"));
}

#[test]
fn properties_are_grouped() {
    let site = Site::full();
    let text = site.get("/properties?group=verdict").text;
    let titles = text.split("<th scope=\"rowgroup\" colspan=\"6\">").skip(1);
    let titles: Vec<&str> = titles.filter_map(|rest| rest.split(' ').next()).collect();
    assert!(titles.len() > 1 && titles[0] == "violated", "{titles:?}");
    let rows = |text: &str| text.matches("name=\"property\"").count();
    assert_eq!(rows(&text), rows(&site.get("/properties").text), "no row is lost");
    assert!(site.get("/properties?group=requirement").text.contains("rowgroup"));
    assert!(!site.get("/properties?group=nothing").text.contains("rowgroup"));
}

#[test]
fn a_bar_distinguishes_a_proof_from_a_search_that_was_not_exhaustive() {
    let bar =
        |state, cycle, activity| axle_web::view::cycles::CycleBar { state, cycle, activity }.to_string();
    let proof = bar(State::Holds, Some(2), Activity::None);
    assert!(proof.contains("is-proof") && proof.contains("proved by an exhaustive search"), "{proof}");
    let budget = bar(State::Unknown, Some(2), Activity::None);
    assert!(
        budget.contains("is-budget") && budget.contains("not exhaustive, cycle 2 of 7 ended"),
        "{budget}"
    );
    let running = bar(State::Unknown, Some(2), Activity::Running(3));
    assert!(!running.contains("is-budget") && running.contains("cycle 3 runs"), "{running}");
    assert!(!bar(State::Violated, Some(0), Activity::None).contains("is-proof"));
}
