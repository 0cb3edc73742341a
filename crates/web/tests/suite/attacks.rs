//! Attacks as data (`tests/attacks.tsv`): each gets the status of its line, changes nothing, starts
//! nothing, and receives no content from outside of the project and no secret.

use axle_web::security::role::Role;
use axle_web::security::secret::fingerprint;
use axum::body::Body;
use axum::http::Request;

use crate::support::{HOST, OUTSIDE, Site, secret};

/// Fills in the placeholders of a line.
fn filled(site: &Site, cookie: &str, text: &str) -> String {
    let editor = site.cookie(Role::Editor);
    let viewer = site.cookie(Role::Viewer);
    text.replace("{FORM}", &site.form_token(cookie))
        .replace("{FOREIGN}", &site.form_token(&if cookie == viewer { editor } else { viewer.clone() }))
        .replace("{RAISED}", &viewer.replace("viewer", "editor"))
        .replace("{HASH}", &fingerprint(&secret("editor")))
        .replace("{ORIGIN}", &format!("http://{HOST}"))
        .replace("{LONG100}", &"x".repeat(101))
        .replace("{LONG}", &"x".repeat(9000))
        .replace("{DEEP}", &"[".repeat(100_000))
}

fn role(who: &str) -> Option<(Role, bool)> {
    let (name, is_token) = match who.strip_suffix("-token") {
        Some(name) => (name, true),
        None => (who, false),
    };
    Role::parse(name).map(|role| (role, is_token))
}

#[test]
fn no_attack_succeeds() {
    let site = Site::full();
    std::os::unix::fs::symlink("../outside.md", site.root().join("link.md")).expect("a link");
    std::os::unix::fs::symlink("..", site.root().join("linked")).expect("a link");
    std::fs::create_dir_all(site.root().join(".axle")).expect("a folder");
    std::fs::write(site.root().join(".axle/server.key"), OUTSIDE).expect("a file");
    std::fs::write(site.root().join(".axle/tokens.toml"), OUTSIDE).expect("a file");
    let before = site.files();
    let mut attacks = 0;
    let mut failures = Vec::new();
    for line in include_str!("../attacks.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, method, path, who, headers, body, status] = fields[..] else { panic!("a line: {line}") };
        let role = role(who);
        let cookie = role.map(|(role, _)| site.cookie(role)).unwrap_or_default();
        let fill = |text: &str| filled(&site, &cookie, text);
        let mut request = Request::builder().method(method).uri(fill(path));
        if !headers.split(" ;; ").any(|header| header.starts_with("host:")) {
            request = request.header("host", HOST);
        }
        for header in headers.split(" ;; ").filter(|header| !header.is_empty()) {
            let (name, value) = header.split_once(':').expect("a header");
            if !(name == "host" && value.trim().is_empty()) {
                request = request.header(name, fill(value.trim()));
            }
        }
        match role {
            Some((role, true)) => {
                request = request.header("authorization", format!("Bearer {}", secret(role.name())))
            }
            Some((_, false)) => request = request.header("cookie", &cookie),
            None => {}
        }
        let request = request.body(Body::from(fill(body)));
        attacks += 1;
        let Ok(request) = request else {
            failures.push(format!("{name}: the request cannot be built"));
            continue;
        };
        let answer = site.send(request);
        if answer.status.as_u16().to_string() != status {
            failures.push(format!("{name}: status {} instead of {status}", answer.status));
        }
        let location = answer.headers.get("location").and_then(|value| value.to_str().ok()).unwrap_or("/");
        if location.starts_with("//") || !location.starts_with('/') {
            failures.push(format!("{name}: leads to {location}"));
        }
        let all = format!("{:?} {}", answer.headers, answer.text);
        for secret_part in [OUTSIDE, "secret-token-of", &site.root().display().to_string(), "root:"] {
            if all.contains(secret_part) {
                failures.push(format!("{name}: the answer contains `{secret_part}`"));
            }
        }
        if answer.headers.get("x-content-type-options").is_none() {
            failures.push(format!("{name}: the answer has no protective headers"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(attacks >= 120, "{attacks} attacks");
    assert_eq!(site.files(), before, "no file has changed");
    assert!(site.rounds.orders.lock().expect("no panic").is_empty(), "no round was started");
    let messages = site.messages.lock().expect("no panic").join("\n");
    assert!(!messages.contains("secret-token-of"), "{messages}");
}

#[test]
fn floods_of_changes_and_logins_are_slowed_down() {
    let site = Site::full();
    let statuses: Vec<u16> = (0..60).map(|_| site.post("/rounds", &[]).status.as_u16()).collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    assert!(site.rounds.orders.lock().expect("no panic").len() < 40);
    let guess = |number: usize| {
        let request = Request::get(format!("/?token=guess{number}")).header("host", HOST);
        site.send(request.body(Body::empty()).expect("a request"))
    };
    let answers: Vec<_> = (0..40).map(guess).collect();
    assert!(answers.iter().any(|answer| answer.status == 429 && answer.headers.contains_key("retry-after")));
    assert_eq!(site.get("/").status, 200, "others are not affected");
}

#[test]
fn the_start_token_opens_a_session_and_leaves_the_address() {
    let site = Site::full();
    let request = Request::get(format!("/properties?token={}", secret("start"))).header("host", HOST);
    let answer = site.send(request.body(Body::empty()).expect("a request"));
    assert_eq!(answer.status, 303);
    assert_eq!(answer.headers["location"], "/properties");
    let cookie = answer.headers["set-cookie"].to_str().expect("text").to_string();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let value = cookie.split(';').next().expect("a cookie");
    let request = Request::get("/").header("host", HOST).header("cookie", value);
    assert_eq!(site.send(request.body(Body::empty()).expect("a request")).status, 200);
}
