//! Segments: the code of a process type with many statements is divided into functions of a bounded
//! size, because the time of code generation grows faster than the size of a function. A dispatcher
//! calls the segment that contains the location of the process. A type with few statements has one
//! segment and no dispatcher.
//!
//! *Entry points:* [`Segmented::declare`], [`super::emit::Emit::by_location`].
//! *Invariant:* every location (or entry, or edge) belongs to exactly one segment.
//! *Cost:* on a type of 8,192 statements, one function took 8 s of code generation.

use std::ops::Range;

use axle_model::Process;
use cranelift_module::FuncId;

/// Edges (or entries) of one segment, unless a single location has more.
pub(super) const SIZE: usize = 64;

/// A function that is divided into segments.
pub(super) struct Segmented {
    dispatcher: Option<FuncId>,
    /// The function of each segment, and its range, in order.
    segments: Vec<(FuncId, Range<usize>)>,
}

impl Segmented {
    /// Declares a function for each range, and a dispatcher if there are several.
    pub fn declare<E>(
        ranges: &[Range<usize>],
        mut declare: impl FnMut() -> Result<FuncId, E>,
    ) -> Result<Segmented, E> {
        let segments: Result<Vec<_>, E> =
            ranges.iter().map(|range| Ok((declare()?, range.clone()))).collect();
        let dispatcher = if ranges.len() > 1 { Some(declare()?) } else { None };
        Ok(Segmented { dispatcher, segments: segments? })
    }

    /// The function to be called if the segment is not known.
    pub fn entry(&self) -> FuncId {
        self.dispatcher.unwrap_or(self.segments[0].0)
    }

    /// The function of the segment that contains a number.
    pub fn containing(&self, number: usize) -> FuncId {
        let index = self.segments.partition_point(|(_, range)| range.end <= number);
        self.segments[index.min(self.segments.len() - 1)].0
    }

    pub fn dispatcher(&self) -> Option<FuncId> {
        self.dispatcher
    }

    /// All segments.
    pub fn segments(&self) -> impl Iterator<Item = (FuncId, Range<usize>)> {
        self.segments.iter().cloned()
    }
}

/// Segments of `count` entries, `size` each; at least one.
pub(super) fn of_number(count: usize, size: usize) -> Vec<Range<usize>> {
    (0..count.div_ceil(size).max(1)).map(|index| index * size..((index + 1) * size).min(count)).collect()
}

/// Segments of the locations of a process type, each with at most `size` edges or one location; at
/// least one.
pub(super) fn of_locations(process: &Process, size: usize) -> Vec<Range<usize>> {
    let mut segments = Vec::new();
    let (mut start, mut edges) = (0, 0);
    for (index, location) in process.locations.iter().enumerate() {
        if edges > 0 && edges + location.out.len() > size {
            segments.push(start..index);
            (start, edges) = (index, 0);
        }
        edges += location.out.len();
    }
    segments.push(start..process.locations.len());
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_cover_every_number_once() {
        for count in [0, 1, SIZE, SIZE + 1, 5 * SIZE] {
            let segments = of_number(count, SIZE);
            assert!(segments.iter().all(|range| range.len() <= SIZE));
            assert_eq!(segments.into_iter().flatten().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
        }
    }
}
