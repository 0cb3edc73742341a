//! Notifications: what is sent, to whom, and that a failing receiver delays no other one.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axle_web::letters::{self, Deliver};
use axle_web::notify::{self, Notifier};
use serde_json::Value;

use crate::support::{FULL, HOOK_SECRET, Site, round};

/// A receiver that fails, and one that notes down what it receives.
#[derive(Default)]
struct Receivers {
    received: Mutex<Vec<(String, Option<String>)>>,
    failures: Mutex<usize>,
}

struct Shared(Arc<Receivers>);

impl Deliver for Shared {
    fn deliver(&self, address: &str, body: &str, signature: Option<&str>) -> Result<(), String> {
        if address.contains("failing") {
            *self.0.failures.lock().expect("no panic") += 1;
            return Err("the connection failed".to_string());
        }
        self.0.received.lock().expect("no panic").push((body.to_string(), signature.map(str::to_string)));
        Ok(())
    }
}

#[test]
fn receivers_learn_of_violations_and_ends_even_if_another_one_fails() {
    let (letters, waiting) = letters::queue();
    let site = Site::with_letters(FULL, true, Some(letters));
    let path = site.root().join("axle.toml");
    let text = std::fs::read_to_string(&path).expect("the manifest");
    let hooks = "[notifications]\nwebhooks = [\"http://failing.example/KEY-IN-PATH?key=KEY-IN-QUERY\", \"http://good.example/\"]\n";
    std::fs::write(&path, format!("{text}\n{hooks}")).expect("a file");
    site.refresh();
    let receivers = Arc::new(Receivers::default());
    notify::start(&site.app, waiting, Box::new(Shared(Arc::clone(&receivers)))).expect("a thread");
    let mut notifier = Notifier::default();
    notifier.look(&site.app).expect("the history");
    std::thread::sleep(Duration::from_millis(100));
    assert!(receivers.received.lock().expect("no panic").is_empty(), "the past is not reported");

    round(&site.root(), &*site.app.database);
    notifier.look(&site.app).expect("the history");
    notifier.look(&site.app).expect("the history");
    let start = Instant::now();
    while receivers.received.lock().expect("no panic").len() < 2 {
        assert!(start.elapsed() < Duration::from_secs(5), "the good receiver waits for the failing one");
        std::thread::sleep(Duration::from_millis(20));
    }
    let received = receivers.received.lock().expect("no panic").clone();
    let bodies: Vec<Value> =
        received.iter().map(|(body, _)| serde_json::from_str(body).expect("JSON")).collect();
    assert_eq!(bodies[0]["event"], "violation");
    assert_eq!(bodies[0]["property"], "never-crosses");
    assert!(
        bodies[0]["url"].as_str().is_some_and(|url| url.starts_with("http://127.0.0.1:8747/rounds/2/runs/"))
    );
    assert!(
        bodies.iter().any(|body| body["event"] == "round" && body["verdicts"]["violated"] == 1
            || body["event"] == "violation")
    );
    let secret = axle_web::security::signature::Secret::new(HOOK_SECRET).expect("a secret");
    for (body, signature) in &received {
        assert_eq!(signature.as_deref(), Some(secret.sign(body.as_bytes()).as_str()));
    }
    // The failing receiver is tried again, and given up with a message that names its host only.
    while site.messages.lock().expect("no panic").is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20), "no message to the operator");
        std::thread::sleep(Duration::from_millis(50));
    }
    let messages = site.messages.lock().expect("no panic").join("\n");
    assert!(messages.contains("failing.example") && !messages.contains("KEY-IN"), "{messages}");
    assert!(*receivers.failures.lock().expect("no panic") >= 3);
    assert_eq!(site.get("/").status, 200);
}
