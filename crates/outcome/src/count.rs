//! Exact counts of any size. Explicit searches count in 64 bits; decision diagrams count 10^30 states.
//!
//! *Entry point:* [`Count`].
//! *Form:* in JSON a number up to 2^53 - 1, the largest integer that JavaScript reads exactly
//! (RFC 7493, section 2.2), and a string of decimal digits above. Both are read, and so is any number of
//! 64 bits. In databases the decimal digits as text.
//! *Invariant:* a value below 2^64 has one representation, so that equality is that of numbers.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use num_bigint::BigUint;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The largest count that is a number in JSON.
pub const MOST_AS_NUMBER: u64 = (1 << 53) - 1;

/// Decimal digits of the longest count that is read.
const MOST_DIGITS: usize = 100_000;

/// An exact count.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Count(Value);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Value {
    Small(u64),
    /// At least 2^64.
    Large(Box<BigUint>),
}

impl Count {
    /// Zero.
    pub const ZERO: Count = Count(Value::Small(0));

    /// The count, if it has 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Value::Small(value) => Some(*value),
            Value::Large(_) => None,
        }
    }

    /// The count, or the largest number of 64 bits.
    pub fn saturated(&self) -> u64 {
        self.to_u64().unwrap_or(u64::MAX)
    }

    /// The nearest floating-point number, for rates and shares; infinite beyond its range.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Value::Small(value) => *value as f64,
            Value::Large(value) => value.to_string().parse().unwrap_or(f64::INFINITY),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.to_u64() == Some(0)
    }

    fn big(&self) -> BigUint {
        match &self.0 {
            Value::Small(value) => BigUint::from(*value),
            Value::Large(value) => (**value).clone(),
        }
    }

    fn of_big(value: BigUint) -> Count {
        match u64::try_from(&value) {
            Ok(value) => Count(Value::Small(value)),
            Err(_) => Count(Value::Large(Box::new(value))),
        }
    }

    /// The decimal digits with a separator between groups of three: `1,234,567`.
    pub fn grouped(&self, separator: char) -> String {
        let digits = self.to_string();
        let mut text = String::with_capacity(digits.len() + digits.len() / 3);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push(separator);
            }
            text.push(digit);
        }
        text
    }
}

impl Default for Count {
    fn default() -> Count {
        Count::ZERO
    }
}

impl From<u64> for Count {
    fn from(value: u64) -> Count {
        Count(Value::Small(value))
    }
}

impl From<&Count> for Count {
    fn from(value: &Count) -> Count {
        value.clone()
    }
}

impl From<BigUint> for Count {
    fn from(value: BigUint) -> Count {
        Count::of_big(value)
    }
}

impl PartialEq<u64> for Count {
    fn eq(&self, other: &u64) -> bool {
        self.to_u64() == Some(*other)
    }
}

impl PartialOrd<u64> for Count {
    fn partial_cmp(&self, other: &u64) -> Option<std::cmp::Ordering> {
        Some(self.cmp(&Count::from(*other)))
    }
}

impl PartialOrd for Count {
    fn partial_cmp(&self, other: &Count) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Count {
    fn cmp(&self, other: &Count) -> std::cmp::Ordering {
        match (&self.0, &other.0) {
            (Value::Small(a), Value::Small(b)) => a.cmp(b),
            (Value::Small(_), Value::Large(_)) => std::cmp::Ordering::Less,
            (Value::Large(_), Value::Small(_)) => std::cmp::Ordering::Greater,
            (Value::Large(a), Value::Large(b)) => a.cmp(b),
        }
    }
}

impl Add for Count {
    type Output = Count;

    fn add(self, other: Count) -> Count {
        match (&self.0, &other.0) {
            (Value::Small(a), Value::Small(b)) => match a.checked_add(*b) {
                Some(sum) => Count(Value::Small(sum)),
                None => Count::of_big(BigUint::from(*a) + *b),
            },
            _ => Count::of_big(self.big() + other.big()),
        }
    }
}

impl AddAssign<&Count> for Count {
    fn add_assign(&mut self, other: &Count) {
        *self = std::mem::take(self) + other.clone();
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        counts.fold(Count::ZERO, Add::add)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Value::Small(value) => fmt::Display::fmt(value, f),
            Value::Large(value) => fmt::Display::fmt(value, f),
        }
    }
}

impl fmt::Debug for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is no count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoCount;

impl fmt::Display for NoCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a count: expected decimal digits without a sign or leading zeros")
    }
}

impl std::error::Error for NoCount {}

impl FromStr for Count {
    type Err = NoCount;

    fn from_str(text: &str) -> Result<Count, NoCount> {
        let is_canonical = text == "0" || !text.starts_with('0');
        if text.len() > MOST_DIGITS || !is_canonical || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NoCount);
        }
        text.parse().map(Count::of_big).map_err(|_| NoCount)
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_u64() {
            Some(value) if value <= MOST_AS_NUMBER => serializer.serialize_u64(value),
            _ => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        struct Digits;

        impl Visitor<'_> for Digits {
            type Value = Count;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a count: a number or a string of decimal digits")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Count, E> {
                Ok(Count::from(value))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Count, E> {
                u64::try_from(value).map(Count::from).map_err(|_| E::custom(NoCount))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Count, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> Count {
        text.parse().unwrap()
    }

    const LARGE: &str = "1000000000000000000000000000000";

    #[test]
    fn counts_of_any_size_are_exact() {
        let sum = Count::from(u64::MAX) + Count::from(1);
        assert_eq!(sum.to_string(), "18446744073709551616");
        assert_eq!((sum.to_u64(), sum.saturated()), (None, u64::MAX));
        let [three, five] = [3, 5].map(Count::from);
        assert!(sum > u64::MAX && five < sum && sum < count(LARGE) && three < 4);
        let all: Count = [count(LARGE), Count::from(7), sum].into_iter().sum();
        assert_eq!(all.to_string(), "1000000000018446744073709551623");
        assert_eq!(all.grouped(','), "1,000,000,000,018,446,744,073,709,551,623");
        assert_eq!(Count::from(1_234_567).grouped(','), "1,234,567");
        assert_eq!(Count::from(12).grouped(','), "12");
        assert_eq!(count(LARGE).to_f64(), 1e30);
        let mut total = Count::ZERO;
        total += &count(LARGE);
        assert_eq!(total, count(LARGE));
    }

    #[test]
    fn equal_numbers_are_equal_counts() {
        for value in [0, 1, MOST_AS_NUMBER, u64::MAX] {
            assert_eq!(count(&value.to_string()), value);
            assert_eq!(Count::from(BigUint::from(value)), Count::from(value));
        }
        for text in ["", "-1", "+1", "01", "1.0", "1e3", " 1", "1 ", "x"] {
            assert_eq!(text.parse::<Count>(), Err(NoCount), "{text:?}");
        }
        assert!(Count::ZERO.is_zero() && !count(LARGE).is_zero());
    }

    #[test]
    fn json_has_numbers_that_javascript_reads_exactly() {
        for (value, json) in [
            (Count::from(0), "0".to_string()),
            (Count::from(MOST_AS_NUMBER), "9007199254740991".to_string()),
            (Count::from(MOST_AS_NUMBER + 1), "\"9007199254740992\"".to_string()),
            (count(LARGE), format!("\"{LARGE}\"")),
        ] {
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
            assert_eq!(serde_json::from_str::<Count>(&json).unwrap(), value);
        }
        let read = serde_json::from_str::<Count>;
        assert_eq!(read("18446744073709551615").unwrap(), u64::MAX);
        for wrong in ["-1", "1.5", "\"\"", "\"0x1\"", "null"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
