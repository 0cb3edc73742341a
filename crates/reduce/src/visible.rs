//! The observations of a property, and the constructs with which a model or a property cannot be
//! reduced because they depend on every step.
//!
//! *Entry points:* [`obstacle`], [`visible_obstacle`].

use axle_model::access::{self, Action, Read, reads, reads_of_process};
use axle_model::{Expr, Location, Model};

/// The observations of a property.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Visible {
    /// Global expressions. With `np_` in one of them, progress labels are observed.
    pub expressions: Vec<Expr>,
    /// Whether a process at an acceptance label is observed.
    pub accepting: bool,
}

impl Visible {
    /// Whether `np_` is observed: whether a process is at a progress label.
    pub fn has_progress(&self) -> bool {
        let mut found = false;
        let mut see = |read| found |= matches!(read, Read::NonProgress);
        self.expressions.iter().for_each(|expr| reads(expr, &mut see));
        found
    }

    /// For a location of a process, whether the property observes that a process is there by its
    /// labels.
    pub fn labels(&self) -> impl Fn(&Location) -> bool + use<> {
        let (accept, progress) = (self.accepting, self.has_progress());
        move |location| accept && location.accept || progress && location.progress
    }
}

/// The reason that a model cannot be reduced, if there is one.
pub fn obstacle(model: &Model) -> Option<&'static str> {
    if model.semantics.priorities {
        return Some("priorities decide who moves");
    }
    let mut found = None;
    axle_model::walk::exprs(model, &mut |e| {
        if matches!(e, Expr::LastPid) {
            found = Some("`_last` tells every step from every other");
        }
    });
    let mut see = |read: Read| match read {
        Read::Enabled(_) => found = Some("`enabled` looks at everything that a process may do"),
        Read::Location(_) => found = Some("`pc_value` looks at every step of a process"),
        Read::NonProgress => found = Some("`np_` looks at every process"),
        Read::Priority(_) => found = Some("priorities are asked for"),
        // `_last` is looked for above, in properties too.
        Read::LastPid
        | Read::Variable(_)
        | Read::Length(..)
        | Read::Messages(_)
        | Read::ProcessCount
        | Read::SelfPid
        | Read::AtLocation(..)
        | Read::Timeout => {}
    };
    model.processes.iter().for_each(|process| reads_of_process(process, &mut see));
    // The front end enables priorities wherever they are set; a textual model may not.
    for edge in model.processes.iter().flat_map(|p| &p.edges) {
        access::edge(edge, &mut |action| {
            if action == Action::SetPriority {
                found = Some("priorities are set");
            }
        });
    }
    found
}

/// The reason that a property with these expressions cannot be reduced, if there is one.
pub fn visible_obstacle(visible: &Visible) -> Option<&'static str> {
    let mut found = None;
    for expr in &visible.expressions {
        reads(expr, &mut |read| match read {
            Read::Enabled(_) | Read::Timeout => found = Some("a proposition asks who can move"),
            Read::Location(_) | Read::LastPid => found = Some("a proposition looks at every step"),
            // Models with priorities are not reduced at all. Steps from and to progress labels are
            // observed ([`Visible::labels`]).
            Read::Priority(_)
            | Read::NonProgress
            | Read::Variable(_)
            | Read::Length(..)
            | Read::Messages(_)
            | Read::ProcessCount
            | Read::SelfPid
            | Read::AtLocation(..) => {}
        });
    }
    found
}
