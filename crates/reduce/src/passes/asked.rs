//! The questions that the result of a pass must answer as the original model does.

use crate::visible::Visible;

/// The questions that the smaller model must answer.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The expressions that the property evaluates in every state.
    pub visible: &'a Visible,
    /// The property is stutter-invariant. Otherwise every step remains a step.
    pub blind: bool,
    /// Truncated values are reported.
    pub truncation: bool,
}
