//! Whole models through the front end: conformance, lowering, and the comparison with Spin.

mod conformance;
mod live;
mod lowering;
mod lowering_mutants;
mod plain_explorer;
