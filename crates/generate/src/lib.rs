//! Random programs that mean something: well-typed Promela over the whole language, of sizes that
//! finish, as texts that Spin can read too. They are made as [`Tree`]s, from which [`shrink`]
//! leaves out what does not matter.
//!
//! [`threads`] makes small concurrent programs as C and as Promela.
//!
//! Nothing here knows what a program means: whoever compares two ways of checking one asks the
//! front end first.
//!
//! *Entry points:* [`promela::program`], [`threads::program`].

pub mod promela;
mod random;
pub mod shrink;
pub mod threads;
pub mod tree;

pub use random::Random;
pub use tree::Tree;
