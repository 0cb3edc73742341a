//! Evidence that a person can read: replays of violations, traces, sequence charts, trail files and reports.
//! It knows no terminal and reads no clock.

pub mod report;
