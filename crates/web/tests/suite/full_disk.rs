//! A history without space: it is an alarm on every page and in the interface, until there is space again.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::sqlite::SqliteStore;
use axle_feaver::results::round_store::RoundStore;

use crate::support::{FULL, Site};

#[test]
fn a_full_disk_is_an_alarm_until_there_is_space() {
    let store: Mutex<Option<Arc<SqliteStore>>> = Mutex::default();
    let site = Site::with_database(FULL, true, None, |path| {
        let own = Arc::new(SqliteStore::open(path, Duration::from_secs(5)).expect("a database"));
        *store.lock().expect("no panic") = Some(Arc::clone(&own));
        own
    });
    let store = store.into_inner().expect("no panic").expect("a database");
    site.app.look_for_space();
    assert!(!site.get("/").text.contains("is full"));
    let pages = store.limit_pages(1).expect("a limit");
    let stored = store.store_contents(&[&[7; 1 << 20]]);
    assert!(matches!(stored, Err(StoreError::Full(_))), "{stored:?}");
    site.app.look_for_space();
    for path in ["/", "/properties", "/tracker", "/machines", "/settings"] {
        assert!(site.get(path).text.contains("The disk of the history is full"), "{path}");
    }
    assert!(site.get("/api/project").text.contains("\"kind\":\"disk-full\""));
    let messages = || site.messages.lock().expect("no panic").join("\n");
    assert!(messages().contains("the disk is full"), "{}", messages());
    store.limit_pages(pages + 10_000).expect("a limit");
    site.app.look_for_space();
    assert!(!site.get("/").text.contains("is full"));
    assert!(messages().contains("space again"), "{}", messages());
}

#[test]
fn the_probe_for_space_leaves_no_file() {
    let site = Site::full();
    let count = || std::fs::read_dir(site.root().parent().expect("a folder")).expect("a folder").count();
    let before = count();
    for _ in 0..10 {
        assert!(!site.app.database.is_full());
    }
    assert_eq!(count(), before);
}
