//! Numbers, sizes and points of time as reports show them.
//!
//! *Entry points:* [`number`], [`counted`], [`bytes`], [`date`].

use axle_outcome::Count;

/// A number with separators: `1,234,567`.
#[must_use]
pub fn number(number: impl Into<Count>) -> String {
    number.into().grouped(',')
}

/// A number of things: `1 step`, `2 steps`.
#[must_use]
pub fn counted(count: impl Into<Count>, thing: &str) -> String {
    let count = count.into();
    let plural = match thing.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{thing}s"),
    };
    format!("{} {}", number(&count), if count == 1 { thing } else { &plural })
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

/// Seconds since 1970 as ISO 8601. (The days of a year that begins in March, after Hinnant,
/// "chrono-compatible low-level date algorithms".)
#[must_use]
pub fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
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
        assert_eq!(counted(2_000, "day"), "2,000 days");
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
    }

    #[test]
    fn dates_of_leap_years_are_right() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_826_154), "2000-02-29T12:09:14Z");
        assert_eq!(date(1_735_689_599), "2024-12-31T23:59:59Z");
    }
}
