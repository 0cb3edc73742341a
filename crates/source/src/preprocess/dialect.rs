//! The language whose tokens are read.

/// Which language's tokens are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// Promela: numbers are digits and letters only (`0..N` is three tokens), `::`, `..`, `!!`,
    /// `??`, `<->` are punctuators, no digraphs.
    Promela,
    /// C11 with GNU extensions: pp-numbers, digraphs, `$` in names.
    C,
}
