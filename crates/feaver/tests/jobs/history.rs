//! The conformance suite of the history, executed on SQLite and on PostgreSQL.

use std::time::Duration;

use crate::support::{Case, Files, Place, cluster, conforms, job, lease};
use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::{Completion, NewJob, Recorded, RoundId, Timestamp};
use axle_feaver::jobs::task::{Coverage, Fraction};
use axle_feaver::results::database::Database;
use axle_feaver::results::history::Stored;
use axle_feaver::results::key::{Hash, Key};
use axle_feaver::results::verdict::{
    Answer, FeatureCounts, Machine, NewRound, NewVerdict, Phase, Record, Run, Statistics, Verdict,
};

const CASES: &[Case] = &[
    ("rounds_and_runs_are_listed", rounds_and_runs_are_listed),
    ("a_verdict_is_stored_completely", a_verdict_is_stored_completely),
    ("last_verdicts_are_of_each_run", last_verdicts_are_of_each_run),
    ("a_decided_verdict_stays", a_decided_verdict_stays),
    ("both_executions_are_kept_once", both_executions_are_kept_once),
    ("the_latest_verdict_is_that_of_the_last_round", the_latest_verdict_is_that_of_the_last_round),
    ("verdicts_are_found_by_key", verdicts_are_found_by_key),
    ("features_are_counted", features_are_counted),
    ("a_verdict_and_a_completion_are_one_transaction", a_verdict_and_a_completion_are_one_transaction),
    ("invalid_records_are_refused", invalid_records_are_refused),
];

#[test]
fn sqlite_conforms() {
    conforms(&mut Files::new(), CASES);
}

#[test]
fn postgres_conforms() {
    if let Some(mut cluster) = cluster() {
        conforms(&mut cluster, CASES);
    }
}

fn run(number: u32, property: &str, provisioning: &str, key: &str) -> Run {
    Run {
        number,
        property: property.to_owned(),
        feature: property.split('-').next().unwrap_or_default().to_owned(),
        provisioning: provisioning.to_owned(),
        property_text: "[] (offhook -> <> dialtone)".to_owned(),
        options: "--time 60".to_owned(),
        key: Key(Hash::of(key.as_bytes())),
    }
}

/// A round with these runs.
fn round(database: &dyn Database, source_version: &str, runs: &[Run]) -> RoundId {
    let round = NewRound {
        source_version: source_version.to_owned(),
        axle_version: "1.0".to_owned(),
        budget: Duration::from_secs(3600),
    };
    database.begin_round(&round, runs, Timestamp(1000)).unwrap()
}

fn verdict(round: RoundId, run: u32, answer: Answer, cycle: impl Into<Option<u8>>) -> NewVerdict {
    let verdict = Verdict {
        answer,
        cycle: cycle.into(),
        statistics: Statistics::default(),
        coverage: Coverage::default(),
        carried_from: None,
        machine: None,
    };
    NewVerdict { round, run, verdict, witnesses: Vec::new(), contradicts: false }
}

/// Rounds and answers of records.
fn answers(records: &[Record]) -> Vec<(RoundId, Answer)> {
    records.iter().map(|record| (record.round, record.verdict.answer)).collect()
}

fn rounds_and_runs_are_listed(place: &Place) {
    let database = place.open();
    let runs = [run(0, "pots-1", "", "a"), run(1, "pots-1", "call waiting", "b")];
    let (first, second) = (round(&*database, "v1", &runs), round(&*database, "v2", &[]));
    database.end_round(first, Timestamp(2000)).unwrap();
    database.end_round(first, Timestamp(3000)).unwrap();
    let rounds = database.rounds(10).unwrap();
    assert_eq!(rounds.iter().map(|it| it.id).collect::<Vec<_>>(), [second, first]);
    assert_eq!((rounds[1].ended, rounds[0].ended), (Some(Timestamp(2000)), None));
    assert_eq!(rounds[1].recorded.source_version, "v1");
    assert_eq!(rounds[1].recorded.budget, Duration::from_secs(3600));
    assert_eq!(database.rounds(1).unwrap().len(), 1);
    assert_eq!(database.rounds_until(second, 10).unwrap(), rounds);
    assert_eq!(database.rounds_until(first, 10).unwrap(), rounds[1..]);
    assert_eq!(database.rounds_until(second, 1).unwrap(), rounds[..1]);
    assert_eq!(database.runs(first).unwrap(), runs);
    assert_eq!(database.runs(second).unwrap(), []);
}

fn a_verdict_is_stored_completely(place: &Place) {
    let database = place.open();
    let id = round(&*database, "v1", &[run(0, "pots-1", "", "a")]);
    let new = NewVerdict {
        verdict: Verdict {
            answer: Answer::Violated,
            cycle: Some(3),
            statistics: Statistics {
                states: "1000000000000000000000000000000".parse().unwrap(),
                seconds: 1.5,
                memory: 1 << 33,
            },
            coverage: Coverage {
                automaton: Fraction { visited: 2, total: 3 },
                model: Fraction { visited: 70, total: 100 },
            },
            carried_from: Some(RoundId(7)),
            machine: Some(Machine { name: "far".to_owned(), token: Some("ci".to_owned()) }),
        },
        witnesses: vec![(Phase::First, vec![1, 2, 3])],
        ..verdict(id, 0, Answer::Violated, 3)
    };
    assert_eq!(database.record(&new, Timestamp(5)).unwrap(), Stored::Now);
    let record = Record {
        round: id,
        source_version: "v1".to_owned(),
        axle_version: "1.0".to_owned(),
        run: run(0, "pots-1", "", "a"),
        verdict: new.verdict,
        at: Timestamp(5),
        witnesses: vec![(Phase::First, Hash::of(&[1, 2, 3]))],
    };
    assert_eq!(place.open().verdicts(id).unwrap(), [record]);
}

/// The last verdicts of each run, whichever rounds have found them.
fn last_verdicts_are_of_each_run(place: &Place) {
    let database = place.open();
    let runs = [run(0, "pots-1", "", "a"), run(1, "pots-1", "call waiting", "b"), run(2, "pots-2", "", "c")];
    let first = round(&*database, "v1", &runs);
    for number in 0..3 {
        database.record(&verdict(first, number, Answer::Holds, 1), Timestamp(5)).unwrap();
    }
    let second = round(&*database, "v2", &runs[..1]);
    database.record(&verdict(second, 0, Answer::Violated, 1), Timestamp(6)).unwrap();
    // A run without a verdict hides none.
    let third = round(&*database, "v3", &runs);
    database.record(&verdict(third, 2, Answer::Unknown, 1), Timestamp(7)).unwrap();
    let listed = |records: Vec<Record>| -> Vec<(String, String, RoundId)> {
        records.into_iter().map(|one| (one.run.property, one.run.provisioning, one.round)).collect()
    };
    let one =
        |property: &str, provisioning: &str, round| (property.to_string(), provisioning.to_string(), round);
    assert_eq!(
        listed(database.last_verdicts(RoundId(i64::MAX), 2).unwrap()),
        [
            one("pots-1", "", second),
            one("pots-1", "", first),
            one("pots-1", "call waiting", first),
            one("pots-2", "", third),
            one("pots-2", "", first),
        ]
    );
    assert_eq!(
        listed(database.last_verdicts(second, 1).unwrap()),
        [one("pots-1", "", first), one("pots-1", "call waiting", first), one("pots-2", "", first)]
    );
}

/// An undecided verdict is replaced by one of a later cycle; a decided one is final.
fn a_decided_verdict_stays(place: &Place) {
    let database = place.open();
    let id = round(&*database, "v1", &[run(0, "pots-1", "", "a")]);
    let steps = [
        (Answer::Unknown, None, Stored::Now),
        (Answer::Unknown, Some(0), Stored::Now),
        (Answer::Unknown, Some(2), Stored::Now),
        (Answer::Unknown, Some(1), Stored::Kept),
        (Answer::Violated, Some(1), Stored::Now),
        (Answer::Unknown, Some(7), Stored::Kept),
        (Answer::Holds, Some(7), Stored::Kept),
        (Answer::Failed, Some(7), Stored::Kept),
    ];
    for (answer, cycle, stored) in steps {
        let found = database.record(&verdict(id, 0, answer, cycle), Timestamp(0)).unwrap();
        assert_eq!(found, stored, "{answer} {cycle:?}");
    }
    let verdicts = database.verdicts(id).unwrap();
    assert_eq!(
        (verdicts.len(), verdicts[0].verdict.answer, verdicts[0].verdict.cycle),
        (1, Answer::Violated, Some(1))
    );
}

fn both_executions_are_kept_once(place: &Place) {
    let database = place.open();
    let id = round(&*database, "v1", &[run(0, "pots-1", "", "a"), run(1, "pots-2", "", "b")]);
    let long = vec![7; 100_000];
    for run in [0, 1] {
        let witnesses = vec![(Phase::First, long.clone())];
        database
            .record(&NewVerdict { witnesses, ..verdict(id, run, Answer::Violated, 0) }, Timestamp(0))
            .unwrap();
    }
    let short = database.add_witness(id, 0, Phase::Shortest, b"short").unwrap();
    database.add_witness(id, 0, Phase::Shortest, b"other").unwrap();
    let verdicts = database.verdicts(id).unwrap();
    assert_eq!(verdicts[0].witnesses, [(Phase::First, Hash::of(&long)), (Phase::Shortest, short)]);
    assert_eq!(verdicts[1].witnesses, [(Phase::First, Hash::of(&long))]);
    assert_eq!(database.content(Hash::of(&long)).unwrap(), Some(long));
    assert_eq!(database.content(short).unwrap().as_deref(), Some(&b"short"[..]));
    assert_eq!(database.content(Hash::of(b"absent")).unwrap(), None);
    let contents = "SELECT count(*) FROM content";
    let number: i64 = match place {
        Place::Sqlite(path) => {
            rusqlite::Connection::open(path).unwrap().query_row(contents, [], |row| row.get(0)).unwrap()
        }
        Place::Postgres(url) => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            client.query_one(contents, &[]).unwrap().get(0)
        }
    };
    assert_eq!(number, 3, "equal contents are stored once");
}

fn the_latest_verdict_is_that_of_the_last_round(place: &Place) {
    let database = place.open();
    let runs = [run(0, "pots-1", "", "a"), run(1, "pots-1", "call waiting", "b")];
    let first = round(&*database, "v1", &runs);
    let second = round(&*database, "v2", &runs[..1]);
    // The clock was set back between the rounds.
    database.record(&verdict(first, 0, Answer::Violated, 0), Timestamp(9000)).unwrap();
    database.record(&verdict(first, 1, Answer::Holds, 7), Timestamp(9000)).unwrap();
    assert_eq!(
        answers(&database.latest("pots-1").unwrap()),
        [(first, Answer::Violated), (first, Answer::Holds)]
    );
    database.record(&verdict(second, 0, Answer::Unknown, 2), Timestamp(10)).unwrap();
    assert_eq!(
        answers(&database.latest("pots-1").unwrap()),
        [(second, Answer::Unknown), (first, Answer::Holds)]
    );
    assert_eq!(database.latest("pots-2").unwrap(), []);
    let history = [(second, Answer::Unknown), (first, Answer::Violated), (first, Answer::Holds)];
    assert_eq!(answers(&database.property_history("pots-1", 10).unwrap()), history);
    assert_eq!(answers(&database.property_history("pots-1", 2).unwrap()), history[..2]);
}

fn verdicts_are_found_by_key(place: &Place) {
    let database = place.open();
    let runs = [run(0, "pots-1", "", "a"), run(1, "pots-2", "", "b"), run(2, "pots-3", "", "c")];
    let key = |number: usize| runs[number].key;
    let ids = [0, 1, 2].map(|_| round(&*database, "v1", &runs));
    for (id, cycle) in ids.into_iter().zip([2, 5, 3]) {
        database.record(&verdict(id, 0, Answer::Unknown, cycle), Timestamp(0)).unwrap();
    }
    assert_eq!(database.by_key(key(0), "1.0").unwrap().unwrap().verdict.cycle, Some(5));
    database.record(&verdict(ids[0], 0, Answer::Holds, 7), Timestamp(0)).unwrap();
    assert_eq!(database.by_key(key(0), "1.0").unwrap().unwrap().round, ids[0]);
    // A verdict of another version of Axle is not reused, even under an equal key.
    assert_eq!(database.by_key(key(0), "1.1").unwrap(), None);
    database.record(&verdict(ids[0], 1, Answer::Failed, 1), Timestamp(0)).unwrap();
    assert_eq!(database.by_key(key(1), "1.0").unwrap(), None);
    assert_eq!(database.by_key(key(2), "1.0").unwrap(), None);
}

fn features_are_counted(place: &Place) {
    let database = place.open();
    let runs = [run(0, "pots-1", "", "a"), run(1, "pots-2", "", "b"), run(2, "busy-1", "", "c")];
    let (first, second) = (round(&*database, "v1", &runs), round(&*database, "v2", &runs));
    for run in 0..3 {
        database.record(&verdict(first, run, Answer::Violated, 0), Timestamp(0)).unwrap();
    }
    database.record(&verdict(second, 1, Answer::Holds, 7), Timestamp(0)).unwrap();
    let counts = |feature: &str, holds, violated| FeatureCounts {
        feature: feature.to_owned(),
        holds,
        violated,
        ..FeatureCounts::default()
    };
    assert_eq!(database.features().unwrap(), [counts("busy", 0, 1), counts("pots", 1, 1)]);
    let pots = database.by_feature("pots").unwrap();
    assert_eq!(answers(&pots), [(first, Answer::Violated), (second, Answer::Holds)]);
}

fn a_verdict_and_a_completion_are_one_transaction(place: &Place) {
    let database = place.open();
    let id = round(&*database, "v1", &[run(0, "pots-1", "", "a")]);
    let submit = |key: &str| {
        let new = NewJob { round: id, ..job(key, 0, 0, 0) };
        database.submit(&[new], Timestamp(0)).unwrap();
    };
    let none = Completion::default();
    submit("frozen");
    let frozen = lease(&*database, 0).lease;
    database.expire(Timestamp(1000)).unwrap();
    let holds = verdict(id, 0, Answer::Holds, 7);
    let error = database.complete_with_verdict(frozen, &none, &holds, Timestamp(1001)).unwrap_err();
    assert!(matches!(error, StoreError::Refused(_)));
    assert_eq!(database.verdicts(id).unwrap(), []);

    let current = lease(&*database, 1001).lease;
    let unknown_run = verdict(id, 9, Answer::Holds, 7);
    assert!(database.complete_with_verdict(current, &none, &unknown_run, Timestamp(1002)).is_err());
    assert_eq!(database.counts(None).unwrap().completed, 0, "no completion without its verdict");
    let complete = || database.complete_with_verdict(current, &none, &holds, Timestamp(1003)).unwrap();
    assert_eq!((complete(), complete()), (Recorded::Now, Recorded::Before));
    assert_eq!(answers(&database.verdicts(id).unwrap()), [(id, Answer::Holds)]);
}

fn invalid_records_are_refused(place: &Place) {
    let database = place.open();
    let id = round(&*database, "v1", &[run(0, "pots-1", "", "a")]);
    let invalid = |result: Result<(), StoreError>| {
        assert!(matches!(result, Err(StoreError::Invalid(_))), "{result:?}");
    };
    invalid(database.record(&verdict(id, 1, Answer::Holds, 0), Timestamp(0)).map(drop));
    invalid(database.record(&verdict(RoundId(99), 0, Answer::Holds, 0), Timestamp(0)).map(drop));
    invalid(database.end_round(RoundId(99), Timestamp(0)));
    invalid(database.add_witness(id, 0, Phase::First, b"x").map(drop));
    let mut large = verdict(id, 0, Answer::Holds, 0);
    large.verdict.statistics.memory = u64::MAX;
    invalid(database.record(&large, Timestamp(0)).map(drop));
    // Several are recorded together: with an invalid one, none is.
    let both = [verdict(id, 0, Answer::Holds, 0), verdict(id, 1, Answer::Holds, 0)];
    invalid(database.record_all(&both, Timestamp(0)));
    assert_eq!(database.verdicts(id).unwrap(), []);
    database.record_all(&both[..1], Timestamp(0)).unwrap();
    assert_eq!(database.verdicts(id).unwrap().len(), 1);
    let twice = [run(0, "pots-1", "", "a"), run(0, "pots-2", "", "b")];
    let new = NewRound { source_version: String::new(), axle_version: String::new(), budget: Duration::ZERO };
    invalid(database.begin_round(&new, &twice, Timestamp(0)).map(drop));
    assert_eq!(database.rounds(10).unwrap().len(), 1);
    assert_eq!(database.content(Hash::of(b"x")).unwrap(), None);
}
