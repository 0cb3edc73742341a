//! The history of rounds, runs and verdicts.
