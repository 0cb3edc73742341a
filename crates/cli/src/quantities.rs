//! Sizes, times and counts as people write and read them.

use std::net::SocketAddr;
use std::time::Duration;

pub use axle_evidence::quantities::{bytes, counted, number};

/// `4096`, `500M`, `1.5G`, `8GiB`: bytes, in powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim().to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        "t" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err("write a size like 500M or 8G".to_string()),
    };
    let number: f64 = number.parse().map_err(|_| "write a size like 500M or 8G".to_string())?;
    let bytes = number * factor;
    if bytes >= u64::MAX as f64 {
        Err("that is more than there can be".to_string())
    } else {
        Ok(bytes as u64)
    }
}

/// An address with a port: `127.0.0.1:8747`.
pub fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        let port = text.rsplit(':').next().and_then(|port| port.parse::<u16>().ok());
        let host = text.rsplit_once(':').map_or("", |(host, _)| host);
        match (port, host) {
            (Some(port), "" | "localhost") => format!("write `--listen 127.0.0.1:{port}`"),
            (Some(port), "*") => format!("write `--listen 0.0.0.0:{port}`"),
            _ => "write a numeric address and a port, as in `--listen 127.0.0.1:8747`".to_string(),
        }
    })
}

/// `90`, `30s`, `10m`, `2h`: a number of seconds, minutes or hours.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time like 30s, 10m or 2h".to_string();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim() {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| wrong())
}

/// A part from 0 to 1.
pub fn parse_fraction(text: &str) -> Result<f64, String> {
    let part = text.parse::<f64>().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "write a number from 0 to 1, such as 0.1".to_string())
}

/// How many different violations to search for; `None` is all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViolationLimit(pub Option<u64>);

/// A positive number, or `all`.
pub fn parse_violation_limit(text: &str) -> Result<ViolationLimit, String> {
    match text {
        "all" => Ok(ViolationLimit(None)),
        _ => match text.parse() {
            Ok(n) if n > 0 => Ok(ViolationLimit(Some(n))),
            _ => Err("write a positive number, or all".to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_powers_of_1024() {
        for (text, want) in [
            ("0", Some(0)),
            ("4096", Some(4096)),
            ("2k", Some(2048)),
            ("1.5G", Some(1536 << 20)),
            ("8GiB", Some(8 << 30)),
            ("8 gb", Some(8 << 30)),
            ("", None),
            ("lots", None),
            ("1x", None),
            ("1.2.3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(parse_bytes(text).ok(), want, "{text}");
        }
    }

    #[test]
    fn times_are_read_with_their_units() {
        for (text, want) in [
            ("90", Some(90_000)),
            ("250ms", Some(250)),
            ("30s", Some(30_000)),
            ("1.5m", Some(90_000)),
            ("2h", Some(7_200_000)),
            ("soon", None),
            ("-1", None),
            ("9e9h", None),
        ] {
            assert_eq!(parse_duration(text).ok(), want.map(Duration::from_millis), "{text}");
        }
    }

    #[test]
    fn violation_limits_are_a_positive_number_or_all() {
        assert_eq!(parse_violation_limit("all"), Ok(ViolationLimit(None)));
        assert_eq!(parse_violation_limit("3"), Ok(ViolationLimit(Some(3))));
        assert!(parse_violation_limit("0").is_err());
        assert!(parse_violation_limit("-1").is_err());
    }

    #[test]
    fn numbers_are_shown_as_people_read_them() {
        assert_eq!(number(7), "7");
        assert_eq!(number(123), "123");
        assert_eq!(number(1234567), "1,234,567");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1536 << 20), "1.5 GiB");
    }
}
