//! Where a node of the tree stands in the source.

/// A location in the source, for a node of the tree. All are equal, so that the comparison of trees
/// ignores locations.
#[derive(Clone, Copy, Debug)]
pub struct Loc(pub axle_source::Loc);

impl PartialEq for Loc {
    fn eq(&self, _: &Loc) -> bool {
        true
    }
}

impl Eq for Loc {}

impl From<axle_source::Loc> for Loc {
    fn from(loc: axle_source::Loc) -> Loc {
        Loc(loc)
    }
}

impl From<Loc> for axle_source::Loc {
    fn from(loc: Loc) -> axle_source::Loc {
        loc.0
    }
}
