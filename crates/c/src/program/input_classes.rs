//! Classes of the values of inputs. `analysis/inputs.rs` computes them.
//!
//! *Entry point:* [`Classes`].

/// The values that are explored for an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classes {
    /// The bits of each value, extended according to the type.
    pub values: Box<[i64]>,
    /// The values represent all values of the input; otherwise they are samples.
    pub exact: bool,
    /// The step (function, step) at which a use of a copy depends on every single value, if that is
    /// the reason for samples.
    pub lost: Option<(u32, u32)>,
}
