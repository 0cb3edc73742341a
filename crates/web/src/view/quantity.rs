//! Durations and points of time as readers expect them.

pub use axle_evidence::quantities::{bytes, counted, number};
use axle_feaver::jobs::job::Timestamp;

/// Seconds: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`.
#[must_use]
pub fn seconds(seconds: f64) -> String {
    let whole = seconds.round().max(0.0) as u64;
    match whole {
        0..10 => format!("{seconds:.1} s"),
        10..60 => format!("{whole} s"),
        60..3600 if whole.is_multiple_of(60) => format!("{} min", whole / 60),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ if whole % 3600 < 60 => format!("{} h", whole / 3600),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// How long ago a point of time is: `just now`, `5 min ago`, `3 days ago`.
#[must_use]
pub fn ago(at: Timestamp, now: Timestamp) -> String {
    let passed = (now.0.saturating_sub(at.0) / 1000).max(0) as u64;
    match passed {
        0..60 => "just now".to_string(),
        60..3600 => format!("{} min ago", passed / 60),
        3600..86_400 => format!("{} h ago", passed / 3600),
        _ => format!("{} ago", counted(passed / 86_400, "day")),
    }
}

/// A point of time in UTC: `2026-03-01 14:05`.
#[must_use]
pub fn date(at: Timestamp) -> String {
    let seconds = u64::try_from(at.0 / 1000).unwrap_or(0);
    axle_evidence::quantities::date(seconds)[..16].replace('T', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_readable() {
        assert_eq!(seconds(0.44), "0.4 s");
        assert_eq!(seconds(185.0), "3 min 5 s");
        assert_eq!(seconds(600.0), "10 min");
        assert_eq!(seconds(3600.0), "1 h");
        assert_eq!(date(Timestamp(951_782_400_000)), "2000-02-29 00:00");
        assert_eq!(date(Timestamp(0)), "1970-01-01 00:00");
        assert_eq!(ago(Timestamp(0), Timestamp(120_000)), "2 min ago");
    }
}
