//! Schedule, limits and other settings of runs.
//!
//! *Entry points:* [`schedule`], [`limits`], [`fairness`], [`expected`].

use std::time::Duration;

use axle_source::Diagnostic;

use super::fields::{Fields, Located};
use crate::codes::VALUE;

/// When runs are executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The time after which a round ends; runs that are not finished are unknown.
    pub budget: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule { budget: Duration::from_secs(3600) }
    }
}

/// Limits of each run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Bytes of memory; none: the available memory.
    pub memory: Option<u64>,
    /// The time of an exact check; none: what is left of the budget.
    pub time: Option<Duration>,
    /// Workers that divide the states of a model in its exact check; none: the search by threads.
    pub workers: Option<u16>,
}

/// Maximum number of workers.
const MOST_WORKERS: i64 = 1024;

/// The assumption about the scheduler under which executions are judged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Fairness {
    /// None.
    #[default]
    None,
    /// Weak fairness.
    Weak,
    /// Strong fairness.
    Strong,
}

impl Fairness {
    /// The name in manifests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
        }
    }
}

/// The verdict that a property is expected to have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Expected {
    /// It holds.
    #[default]
    Holds,
    /// It is violated: a known fault.
    Violated,
}

/// Reads the table `schedule`.
pub(super) fn schedule(fields: &mut Fields<'_, '_>) -> Schedule {
    let budget = fields.string("budget").and_then(|text| duration(&text, fields));
    budget.map_or_else(Schedule::default, |budget| Schedule { budget })
}

/// Reads the table `limits`.
pub(super) fn limits(fields: &mut Fields<'_, '_>) -> Limits {
    let memory = fields.string("memory").and_then(|text| memory(&text, fields));
    let time = fields.string("time").and_then(|text| duration(&text, fields));
    let workers = fields.integer("workers").and_then(|number| workers(&number, fields));
    Limits { memory, time, workers }
}

/// A number of workers.
fn workers(number: &Located<i64>, fields: &mut Fields<'_, '_>) -> Option<u16> {
    let found = u16::try_from(number.value).ok().filter(|_| (1..=MOST_WORKERS).contains(&number.value));
    if found.is_none() {
        let message = format!("`{}` is not a number of workers", number.value);
        let help = format!("write a number from 1 to {MOST_WORKERS}");
        fields.diagnostics().push(Diagnostic::error(VALUE, message).at(number.at.into(), "").help(help));
    }
    found
}

/// Reads the key `fairness`.
pub(super) fn fairness(fields: &mut Fields<'_, '_>) -> Option<Fairness> {
    let text = fields.string("fairness")?;
    let all = [Fairness::None, Fairness::Weak, Fairness::Strong];
    one_of(&text, &all.map(|one| (one.name(), one)), fields)
}

/// Reads the key `expected`.
pub(super) fn expected(fields: &mut Fields<'_, '_>) -> Option<Expected> {
    let text = fields.string("expected")?;
    one_of(&text, &[("holds", Expected::Holds), ("violated", Expected::Violated)], fields)
}

/// One of several words.
fn one_of<T: Copy>(text: &Located<String>, known: &[(&str, T)], fields: &mut Fields<'_, '_>) -> Option<T> {
    let found = known.iter().find(|(name, _)| *name == text.value);
    if found.is_none() {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let diagnostic = Diagnostic::error(VALUE, format!("unknown value `{}`", text.value))
            .at(text.at.into(), "")
            .note(format!("the values are: {}", names.join(", ")))
            .did_you_mean(&text.value, names);
        fields.diagnostics().push(diagnostic);
    }
    found.map(|(_, value)| *value)
}

/// The largest duration in seconds: a year.
const LONGEST: u64 = 366 * 24 * 3600;

/// A time such as `90s`, `10min` or `1h`.
pub(super) fn duration(text: &Located<String>, fields: &mut Fields<'_, '_>) -> Option<Duration> {
    let units = [("s", 1), ("min", 60), ("h", 3600), ("d", 86_400)];
    let found = quantity(&text.value, &units).filter(|seconds| (1..=LONGEST).contains(seconds));
    if found.is_none() {
        let message = format!("`{}` is not a time", text.value);
        let help = "write a whole number and a unit (s, min, h or d): `1h`";
        fields.diagnostics().push(Diagnostic::error(VALUE, message).at(text.at.into(), "").help(help));
    }
    found.map(Duration::from_secs)
}

/// An amount of memory such as `512M` or `2G`.
fn memory(text: &Located<String>, fields: &mut Fields<'_, '_>) -> Option<u64> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40)];
    let found = quantity(&text.value, &units).filter(|bytes| *bytes >= 1 << 20);
    if found.is_none() {
        let message = format!("`{}` is not an amount of memory", text.value);
        let help = "write a whole number and a unit (K, M, G or T), at least `1M`";
        fields.diagnostics().push(Diagnostic::error(VALUE, message).at(text.at.into(), "").help(help));
    }
    found
}

/// A whole number with a unit.
fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    number.parse::<u64>().ok()?.checked_mul(*factor)
}

#[cfg(test)]
mod tests {
    use super::quantity;

    #[test]
    fn quantities_have_units() {
        let units = [("s", 1), ("h", 3600)];
        assert_eq!(quantity("2h", &units), Some(7200));
        assert_eq!(quantity("2 s", &units), Some(2));
        assert_eq!(quantity("2", &units), None);
        assert_eq!(quantity("h", &units), None);
        assert_eq!(quantity("-1h", &units), None);
        assert_eq!(quantity("99999999999999999999h", &units), None);
    }
}
