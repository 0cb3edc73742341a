//! The expected cost of checking a property, and its trend, from the history of its verdicts.
//!
//! The cost of a run is the median of the times of its last searches, so that one slow machine does not count.
//! The cost of a property is the sum over its runs. The trend compares the latest search of each run with the
//! ones before.
//!
//! *Entry point:* [`of`].
//! *Invariant:* verdicts that were carried over took no time and do not count.

use std::collections::BTreeMap;

use axle_feaver::results::verdict::Record;

/// Searches of a run that count.
const MOST_SEARCHES: usize = 5;

/// The cost of a property.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// The expected time in seconds; none without a search.
    pub expected: Option<f64>,
    /// The time of the latest searches in relation to that of the ones before; none without earlier ones.
    pub trend: Option<f64>,
    /// The time of the searches of each round in seconds, the latest last.
    pub rounds: Vec<(i64, f64)>,
}

/// The cost from records of a property, in any order.
#[must_use]
pub fn of(records: &[Record]) -> Cost {
    let searched = records.iter().filter(|one| one.verdict.carried_from.is_none());
    let mut runs: BTreeMap<&str, BTreeMap<i64, f64>> = BTreeMap::new();
    let mut rounds: BTreeMap<i64, f64> = BTreeMap::new();
    for record in searched {
        let seconds = record.verdict.statistics.seconds;
        runs.entry(&record.run.provisioning).or_default().insert(record.round.0, seconds);
        *rounds.entry(record.round.0).or_default() += seconds;
    }
    let latest = |own: &BTreeMap<i64, f64>| -> Vec<f64> { own.values().rev().copied().collect() };
    let expected = runs.values().map(|own| median(&latest(own)[..own.len().min(MOST_SEARCHES)])).sum::<f64>();
    let (mut now, mut before) = (0.0, 0.0);
    for own in runs.values().filter(|own| own.len() > 1) {
        let times = latest(own);
        now += times[0];
        before += median(&times[1..times.len().min(MOST_SEARCHES + 1)]);
    }
    Cost {
        expected: (!runs.is_empty()).then_some(expected),
        trend: (before > 0.0).then(|| now / before),
        rounds: rounds.into_iter().collect(),
    }
}

/// The median of times; 0 without any.
fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use axle_feaver::jobs::job::{RoundId, Timestamp};
    use axle_feaver::jobs::task::Coverage;
    use axle_feaver::results::key::{Hash, Key};
    use axle_feaver::results::verdict::{Answer, Run, Statistics, Verdict};

    use super::*;

    fn record(round: i64, constraint: &str, seconds: f64, carried: bool) -> Record {
        Record {
            round: RoundId(round),
            source_version: String::new(),
            axle_version: String::new(),
            run: Run {
                number: 0,
                property: "p".into(),
                feature: String::new(),
                provisioning: constraint.into(),
                key: Key(Hash::of(b"k")),
                property_text: String::new(),
                options: String::new(),
            },
            verdict: Verdict {
                answer: Answer::Holds,
                cycle: Some(7),
                statistics: Statistics { seconds, ..Statistics::default() },
                coverage: Coverage::default(),
                carried_from: carried.then_some(RoundId(1)),
                machine: None,
            },
            at: Timestamp(0),
            witnesses: Vec::new(),
        }
    }

    #[test]
    fn one_slow_search_does_not_count() {
        let times = [(1, 2.0), (2, 90.0), (3, 2.5), (4, 3.0)];
        let mut records: Vec<Record> =
            times.iter().map(|(round, time)| record(*round, "any", *time, false)).collect();
        records.push(record(5, "any", 0.0, true));
        records.push(record(4, "other", 1.0, false));
        let cost = of(&records);
        assert_eq!(cost.expected, Some(4.0));
        assert_eq!(cost.trend, Some(3.0 / 2.5));
        assert_eq!(cost.rounds.last(), Some(&(4, 4.0)));
        assert_eq!(of(&[]), Cost::default());
    }
}
