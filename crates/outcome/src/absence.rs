//! Whether steps of a model depend on the absence of other steps.
//!
//! *Entry point:* [`observes_absence`].
//! *Invariant:* in a model without such steps, a step that is possible in a state stays possible if steps
//! of other processes are added or omitted there.

use axle_model::{Expr, Model, walk};

/// Whether a step may be possible only because others are not: `timeout`, `enabled`, priorities. In an
/// abstraction such a model may gain steps where others are omitted, and lose steps where others are added.
#[must_use]
pub fn observes_absence(model: &Model) -> bool {
    let mut found = model.semantics.priorities;
    walk::exprs(model, &mut |expr| found |= matches!(expr, Expr::Timeout | Expr::Enabled(_)));
    found
}
