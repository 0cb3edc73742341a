//! Numbers, durations and points of time as readers expect them.

use axle_feaver::jobs::job::Timestamp;

/// A number with separators: `1,234,567`.
#[must_use]
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 step`, `2 steps`.
#[must_use]
pub fn counted(count: u64, thing: &str) -> String {
    let plural = match thing.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{thing}s"),
    };
    format!("{} {}", number(count), if count == 1 { thing } else { &plural })
}

/// Seconds: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`.
#[must_use]
pub fn seconds(seconds: f64) -> String {
    let whole = seconds.round().max(0.0) as u64;
    match whole {
        0..10 => format!("{seconds:.1} s"),
        10..60 => format!("{whole} s"),
        60..3600 if whole % 60 == 0 => format!("{} min", whole / 60),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ if whole % 3600 < 60 => format!("{} h", whole / 3600),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// Bytes: `512 B`, `3.4 MiB`.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in ["KiB", "MiB", "GiB", "TiB"] {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, next);
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{value:.1} {unit}") }
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
///
/// *Source:* the conversion of days to a civil date by H. Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms".
#[must_use]
pub fn date(at: Timestamp) -> String {
    let seconds = at.0.div_euclid(1000);
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", of_day / 3600, of_day % 3600 / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_readable() {
        assert_eq!(number(0), "0");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(2, "property"), "2 properties");
        assert_eq!(counted(2, "day"), "2 days");
        assert_eq!(seconds(0.44), "0.4 s");
        assert_eq!(seconds(185.0), "3 min 5 s");
        assert_eq!(seconds(600.0), "10 min");
        assert_eq!(seconds(3600.0), "1 h");
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
        assert_eq!(date(Timestamp(951_782_400_000)), "2000-02-29 00:00");
        assert_eq!(date(Timestamp(0)), "1970-01-01 00:00");
        assert_eq!(ago(Timestamp(0), Timestamp(120_000)), "2 min ago");
    }
}
