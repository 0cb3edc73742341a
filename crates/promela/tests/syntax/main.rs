//! The parser and the printer, from outside.

mod corpus;
mod depth;
mod faults;
mod mutants;
mod separators;
mod support;
mod text;
