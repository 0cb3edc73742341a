//! Random program generators: well-typed Promela programs with small state spaces, in the common
//! language of Axle and Spin. A program is a [`Tree`], which [`shrink`] reduces while a property is
//! preserved.
//!
//! [`servers`] generates programs with server processes in the style of translated Go programs,
//! [`threads`] generates small concurrent programs in both C and Promela.
//!
//! The generators do not know the semantics of programs: a comparison of checkers must first run
//! the front end.
//!
//! *Entry points:* [`promela::program`], [`servers::program`], [`threads::program`].

pub mod promela;
mod random;
pub mod servers;
pub mod shrink;
pub mod threads;
pub mod tree;

pub use random::{Number, Random};
pub use tree::Tree;
