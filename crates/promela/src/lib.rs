//! Promela: text to syntax tree, syntax tree to a resolved and typed program, and that to the model.

pub mod ast;
pub mod loc;
pub mod parse;
pub mod print;
pub mod token;

pub use parse::parse;
