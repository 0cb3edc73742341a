//! The strongly connected components of a claim, and whether they can accept.
//!
//! A cycle of the product stays in one component of the claim's graph. Only states in components
//! with an edge of every acceptance set must be searched for cycles.
//!
//! *Entry points:* [`ClaimComponents::accepting`], [`ClaimComponents::inside`].

use axle_outcome::Claim;

/// For each location of a claim the number of its component, and whether the component can accept.
#[derive(Clone, Debug)]
pub(crate) struct ClaimComponents {
    of: Vec<u32>,
    accepting: Vec<bool>,
}

impl ClaimComponents {
    /// Computes the components by reachability; the number of locations is small.
    pub fn new(claim: &Claim) -> ClaimComponents {
        let count = claim.locations.len();
        let mut reach: Vec<Vec<bool>> = Vec::with_capacity(count);
        for start in 0..count {
            let (mut seen, mut stack) = (vec![false; count], vec![start]);
            while let Some(at) = stack.pop() {
                for edge in &claim.locations[at].edges {
                    if !std::mem::replace(&mut seen[edge.to as usize], true) {
                        stack.push(edge.to as usize);
                    }
                }
            }
            reach.push(seen);
        }
        let of: Vec<u32> = (0..count)
            .map(|a| (0..count).find(|&b| a == b || (reach[a][b] && reach[b][a])).unwrap_or(a) as u32)
            .collect();
        let accepting = (0..count)
            .map(|a| {
                let inside = claim
                    .edges()
                    .filter(|(from, edge)| of[*from as usize] == of[a] && of[edge.to as usize] == of[a]);
                let marks: Vec<u64> = inside.map(|(_, edge)| edge.marks).collect();
                !marks.is_empty() && marks.iter().fold(0, |all, one| all | one) == claim.all_marks()
            })
            .collect();
        ClaimComponents { of, accepting }
    }

    /// Whether a location is in a component that can accept.
    #[inline]
    pub fn accepting(&self, at: u32) -> bool {
        self.accepting[at as usize]
    }

    /// Whether an edge between two locations is inside a component that can accept.
    #[inline]
    pub fn inside(&self, from: u32, to: u32) -> bool {
        self.accepting[from as usize] && self.of[from as usize] == self.of[to as usize]
    }
}
