//! The event stream: replay after a lost connection, and its limits.

use axle_feaver::jobs::job::{LeaseRequest, NewJob, Priority, RoundId, Timestamp};
use std::sync::Arc;

use axle_web::application::MOST_STREAMS_OF_TOKEN;
use axle_web::security::role::Role;
use axle_web::server::router;
use axum::body::Body;
use axum::http::Request;
use tokio_stream::StreamExt;
use tower::ServiceExt;

use crate::support::{HOST, Site};

fn job(number: u32) -> NewJob {
    NewJob {
        round: RoundId(1),
        key: format!("{number}/cycle-0"),
        priority: Priority { cycle: 0, weight: 0, number },
        max_failures: 3,
        payload: Vec::new(),
        avoid: None,
    }
}

/// Reads events of the stream until a text occurs.
fn read_until(site: &Site, query: &str, last: Option<&str>, end: &str) -> String {
    let mut request = Request::get(format!("/events{query}"))
        .header("host", HOST)
        .header("cookie", site.cookie(Role::Viewer));
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    let service = router(&site.app);
    site.block_on(async move {
        let response =
            service.oneshot(request.body(Body::empty()).expect("a request")).await.expect("an answer");
        assert_eq!(response.status(), 200);
        let mut stream = response.into_body().into_data_stream();
        let mut text = String::new();
        while !text.contains(end) {
            let part = stream.next().await.expect("the stream is open").expect("a part");
            text.push_str(&String::from_utf8_lossy(&part));
        }
        text
    })
}

#[test]
fn a_reader_that_continues_misses_no_event() {
    let site = Site::full();
    let jobs: Vec<NewJob> = (0..5).map(job).collect();
    site.app.database.submit(&jobs, Timestamp(1)).expect("jobs");
    let all = read_until(&site, "?after=0", None, "\"run\":4");
    let ids: Vec<i64> = all.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok()).collect();
    assert_eq!(ids.len(), 5, "{all}");
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
    let request = LeaseRequest {
        worker: "w".into(),
        count: 1,
        duration: std::time::Duration::from_secs(9),
        round: None,
        token: None,
    };
    site.app.database.lease(&request, Timestamp(2)).expect("a lease");
    let rest = read_until(&site, "", Some(&ids[2].to_string()), "\"worker\":\"w\"");
    let later: Vec<i64> = rest.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok()).collect();
    assert_eq!(later[..2], ids[3..], "{rest}");
    assert_eq!(later.len(), 3, "{rest}");
}

#[test]
fn a_reader_misses_nothing_while_the_server_restarts() {
    let mut site = Site::full();
    site.app.database.submit(&(0..4).map(job).collect::<Vec<_>>(), Timestamp(1)).expect("jobs");
    let ids = |text: &str| -> Vec<i64> {
        text.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok()).collect()
    };
    let before = ids(&read_until(&site, "?after=0", None, "\"run\":3"));
    // The server ends; a driver goes on meanwhile; another server continues.
    site.app.database.submit(&(4..7).map(job).collect::<Vec<_>>(), Timestamp(2)).expect("jobs");
    site.restart();
    site.app.database.submit(&(7..9).map(job).collect::<Vec<_>>(), Timestamp(3)).expect("jobs");
    let last = before.last().expect("an event").to_string();
    let after = ids(&read_until(&site, "", Some(&last), "\"run\":8"));
    let all: Vec<i64> = before.iter().chain(&after).copied().collect();
    let expected: Vec<i64> = (before[0]..before[0] + 9).collect();
    assert_eq!(all, expected, "each event once and in order");
}

#[test]
fn too_many_streams_are_refused() {
    let site = Site::empty();
    let service = router(&site.app);
    let (cookie, other) = (site.cookie(Role::Viewer), site.cookie(Role::Runner));
    let all = Arc::clone(&site.app);
    site.block_on(async move {
        let mut open = Vec::new();
        for number in 0..=MOST_STREAMS_OF_TOKEN {
            let request = Request::get("/events").header("host", HOST).header("cookie", &cookie);
            let request = request.body(Body::empty()).expect("a request");
            let response = service.clone().oneshot(request).await.expect("an answer");
            let expected = if number < MOST_STREAMS_OF_TOKEN { 200 } else { 429 };
            assert_eq!(response.status(), expected, "stream {number}");
            if number == MOST_STREAMS_OF_TOKEN {
                // Another token is not affected.
                let request = Request::get("/events").header("host", HOST).header("cookie", &other);
                let request = request.body(Body::empty()).expect("a request");
                let granted = service.clone().oneshot(request).await.expect("an answer");
                assert_eq!(granted.status(), 200, "the stream of another token");
                open.push(granted);
                assert!(response.headers().contains_key("retry-after"));
            }
            open.push(response);
        }
        drop(open);
        // The tasks of closed streams return their permits.
        for _ in 0..200 {
            let request = Request::get("/events").header("host", HOST).header("cookie", &cookie);
            let response = service.clone().oneshot(request.body(Body::empty()).expect("a request")).await;
            let response = response.expect("an answer");
            if response.status() == 200 {
                drop(response);
                for _ in 0..200 {
                    if all.streams.is_empty() {
                        return;
                    }
                    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                }
                panic!("{} streams stay behind", all.streams.len());
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("no stream can be opened after the others were closed");
    });
}
