//! Rounds that a change of files or the hook of a repository starts.

use std::time::Duration;

use axle_web::security::role::Role;
use axle_web::trigger::Trigger;
use axum::body::Body;
use axum::http::Request;

use crate::support::{Answer, HOOK_SECRET, HOST, Site};

/// The example with triggers in its manifest.
fn site(triggers: &str) -> Site {
    let site = Site::full();
    let path = site.root().join("axle.toml");
    let text = std::fs::read_to_string(&path).expect("the manifest");
    std::fs::write(&path, format!("{text}\n[triggers]\nquiet = \"1s\"\n{triggers}\n")).expect("a file");
    site.refresh();
    site
}

fn hook(site: &Site, header: &str, value: &str) -> Answer {
    let request = Request::post("/api/hook").header("host", HOST).header(header, value);
    site.send(request.body(Body::from("{}")).expect("a request"))
}

fn change(site: &Site) {
    let path = site.root().join("crossing.pml");
    let text = std::fs::read_to_string(&path).expect("the model");
    std::fs::write(&path, text.replacen("closed = true", "closed = true; skip", 1)).expect("a change");
    site.refresh();
}

/// The properties of the rounds that were started.
fn started(site: &Site) -> Vec<Vec<String>> {
    site.rounds.orders.lock().expect("no panic").iter().map(|order| order.properties.clone()).collect()
}

#[test]
fn a_change_of_files_starts_a_round_of_what_it_affects() {
    let site = site("changes = true");
    let mut trigger = Trigger::default();
    trigger.look(&site.app);
    std::thread::sleep(Duration::from_millis(1100));
    trigger.look(&site.app);
    assert!(started(&site).is_empty(), "nothing has changed");
    change(&site);
    trigger.look(&site.app);
    assert!(started(&site).is_empty(), "further changes may follow");
    std::thread::sleep(Duration::from_millis(1100));
    trigger.look(&site.app);
    let orders = started(&site);
    assert_eq!(orders.len(), 1);
    assert!(orders[0].contains(&"never-crosses".to_string()), "{orders:?}");
    trigger.look(&site.app);
    assert_eq!(started(&site).len(), 1, "once");
    assert_eq!(site.app.cause().map(axle_web::program::Cause::name), Some("a change of files"));
    assert_eq!(site.get("/tracker").status, 200);
}

#[test]
fn a_signed_hook_starts_a_round_and_nothing_else_does() {
    let site = site("hook = true");
    let mut trigger = Trigger::default();
    trigger.look(&site.app);
    change(&site);
    assert_eq!(hook(&site, "x-gitlab-token", "wrong").status, 401);
    assert_eq!(hook(&site, "authorization", "Bearer secret-token-of-editor").status, 401);
    assert_eq!(hook(&site, "cookie", &site.cookie(Role::Editor)).status, 401);
    std::thread::sleep(Duration::from_millis(1100));
    trigger.look(&site.app);
    assert!(started(&site).is_empty());
    let answer = hook(&site, "x-gitlab-token", HOOK_SECRET);
    assert_eq!(answer.status, 202, "{}", answer.text);
    trigger.look(&site.app);
    std::thread::sleep(Duration::from_millis(1100));
    trigger.look(&site.app);
    assert_eq!(started(&site).len(), 1);
}

#[test]
fn a_hook_that_the_project_does_not_permit_is_refused() {
    let site = site("");
    let answer = hook(&site, "x-gitlab-token", HOOK_SECRET);
    assert_eq!(answer.status, 409);
    assert!(answer.text.contains("hook = true"), "{}", answer.text);
}
