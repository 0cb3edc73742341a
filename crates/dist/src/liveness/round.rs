//! Reports at the end of a round of a search for executions.
//!
//! *Entry points:* [`RoundReport`], [`Sums::of`].
//!
//! *Invariant:* the sums do not depend on the order in which reports arrive.

use axle_outcome::ClaimCoverage;
use axle_search::parallel::backwards::Ways;

use crate::failure::Failure;
use crate::report::{Halt, merge_taken, number_of, read_halt, read_taken, write_halt, write_taken};
use crate::wire::{Reader, Writer};

/// The kind of a message with a report.
pub(crate) const ROUND: u8 = 3;

/// Numbers of one worker, or their sums.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct RoundFigures {
    /// States that are still to be expanded in the pass.
    pub left: u64,
    /// States found in the next level.
    pub fresh: u64,
    /// States sent to other workers in the round.
    pub sent: u64,
    /// States stored, and expanded at least once.
    pub states: u64,
    pub expanded: u64,
    /// Transitions of these.
    pub transitions: u64,
    /// States that may be on an accepting cycle.
    pub survivors: u64,
    /// States and steps that a search by one worker must report.
    pub alarms: u64,
    /// Bytes of the set and of the rest.
    pub set_memory: u64,
    pub other_memory: u64,
    /// The level of the entry of the cycle, plus one; zero at workers that do not store it.
    pub entry_level: u64,
}

const WORDS: usize = 11;

impl RoundFigures {
    fn words(&self) -> [u64; WORDS] {
        let RoundFigures { left, fresh, sent, states, expanded, transitions, survivors, .. } = *self;
        let RoundFigures { alarms, set_memory, other_memory, entry_level, .. } = *self;
        [
            left,
            fresh,
            sent,
            states,
            expanded,
            transitions,
            survivors,
            alarms,
            set_memory,
            other_memory,
            entry_level,
        ]
    }

    fn of_words(words: [u64; WORDS]) -> RoundFigures {
        let [
            left,
            fresh,
            sent,
            states,
            expanded,
            transitions,
            survivors,
            alarms,
            set_memory,
            other_memory,
            entry_level,
        ] = words;
        RoundFigures {
            left,
            fresh,
            sent,
            states,
            expanded,
            transitions,
            survivors,
            alarms,
            set_memory,
            other_memory,
            entry_level,
        }
    }

    fn plus(&self, other: &RoundFigures) -> RoundFigures {
        let (mut sums, others) = (self.words(), other.words());
        sums.iter_mut().zip(others).for_each(|(sum, other)| *sum = sum.saturating_add(other));
        RoundFigures::of_words(sums)
    }
}

/// The report of a worker.
#[derive(Clone, Default, Debug)]
pub(crate) struct RoundReport {
    pub from: usize,
    pub figures: RoundFigures,
    /// Size of its states, in the unit of the engine.
    pub size: usize,
    /// Number of its acceptance conditions.
    pub conditions: usize,
    pub halt: Option<Halt>,
    /// The cycle, from the first worker in one round: the first state and the steps.
    pub cycle: Option<(Vec<u8>, Vec<u8>)>,
    /// Predecessors found in the round.
    pub ways: Ways,
    /// In the last round, what was used of the claim and of the model.
    pub coverage: ClaimCoverage,
    pub taken: Vec<Vec<bool>>,
}

impl RoundReport {
    /// The report as a message.
    pub fn to_message(&self) -> Vec<u8> {
        let mut out = Writer::new(ROUND);
        out.number(self.from as u64);
        self.figures.words().into_iter().for_each(|word| out.number(word));
        out.number(self.size as u64);
        out.number(self.conditions as u64);
        write_halt(self.halt.as_ref(), &mut out);
        let (entry, steps) = self.cycle.as_ref().map_or((&[][..], &[][..]), |(a, b)| (&a[..], &b[..]));
        out.bytes(entry);
        out.bytes(steps);
        let (state, position) =
            self.ways.found().iter().flatten().next().map_or((&[][..], 0), |(state, at)| (&state[..], *at));
        out.bytes(state);
        out.number(position.into());
        write_taken(std::slice::from_ref(&self.coverage.locations), &mut out);
        write_taken(&self.coverage.edges, &mut out);
        write_taken(&self.taken, &mut out);
        out.end()
    }

    /// The report in a message.
    pub fn of_message(message: &[u8]) -> Result<RoundReport, Failure> {
        let mut input = Reader::new(ROUND, message)?;
        let from = number_of(&mut input)?;
        let mut words = [0; WORDS];
        for word in &mut words {
            *word = input.number()?;
        }
        let (size, conditions) = (number_of(&mut input)?, number_of(&mut input)?);
        let halt = read_halt(&mut input)?;
        let (entry, steps) = (input.bytes()?.to_vec(), input.bytes()?.to_vec());
        let cycle = (!entry.is_empty()).then_some((entry, steps));
        let (state, position) = (input.bytes()?, input.number()?);
        let mut ways = Ways::default();
        if !state.is_empty() {
            ways.offer(0, state, u32::try_from(position).map_err(|_| Failure::Corrupt)?);
        }
        let locations = read_taken(&mut input)?.pop().unwrap_or_default();
        let edges = read_taken(&mut input)?;
        let taken = read_taken(&mut input)?;
        input.end()?;
        let coverage = ClaimCoverage { locations, edges };
        let figures = RoundFigures::of_words(words);
        Ok(RoundReport { from, figures, size, conditions, halt, cycle, ways, coverage, taken })
    }
}

/// The reports of all workers about a round.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sums {
    pub figures: RoundFigures,
    /// States and bytes of memory of each worker.
    pub stored: Vec<(u64, u64)>,
    /// The largest size of states, and number of conditions.
    pub size: usize,
    pub conditions: usize,
    pub halt: Option<Halt>,
    pub cycle: Option<(Vec<u8>, Vec<u8>)>,
    pub ways: Ways,
    pub coverage: ClaimCoverage,
    pub taken: Vec<Vec<bool>>,
}

impl Sums {
    /// Merges the reports of all `peers` workers. Fails if one is missing.
    pub fn of(mut reports: Vec<RoundReport>, peers: usize) -> Result<Sums, Failure> {
        reports.sort_unstable_by_key(|report| report.from);
        if reports.len() != peers || reports.iter().zip(0..).any(|(report, index)| report.from != index) {
            return Err(Failure::Corrupt);
        }
        let mut all = Sums::default();
        for report in reports {
            all.figures = all.figures.plus(&report.figures);
            let RoundFigures { states, set_memory, other_memory, .. } = report.figures;
            all.stored.push((states, set_memory + other_memory));
            all.size = all.size.max(report.size);
            all.conditions = all.conditions.max(report.conditions);
            // A failure leaves no result, so it is the reason if there is one.
            let is_failure = matches!(report.halt, Some(Halt::Failed(_)));
            if all.halt.is_none() || is_failure && !matches!(all.halt, Some(Halt::Failed(_))) {
                all.halt = report.halt.or(all.halt);
            }
            all.cycle = all.cycle.or(report.cycle);
            all.ways.merge(report.ways);
            let mut locations = vec![std::mem::take(&mut all.coverage.locations)];
            merge_taken(&mut locations, &[report.coverage.locations]);
            all.coverage.locations = locations.pop().unwrap_or_default();
            merge_taken(&mut all.coverage.edges, &report.coverage.edges);
            merge_taken(&mut all.taken, &report.taken);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use axle_outcome::Stop;

    use super::*;

    fn report(from: usize) -> RoundReport {
        let mut ways = Ways::default();
        ways.offer(0, &[from as u8; 4], 9);
        RoundReport {
            from,
            figures: RoundFigures { left: 1, states: from as u64, entry_level: 3, ..RoundFigures::default() },
            size: from,
            conditions: 2 * from,
            halt: (from == 1).then_some(Halt::Stop(Stop::Memory)),
            cycle: (from == 0).then(|| (vec![1, 2, 3, 4], vec![5])),
            ways,
            coverage: ClaimCoverage { locations: vec![from == 1, false], edges: vec![vec![from == 2]] },
            taken: vec![vec![from == 0, from == 1]],
        }
    }

    #[test]
    fn reports_are_read_back_and_summed() {
        for order in [[0, 1, 2], [2, 0, 1]] {
            let reports = order.map(|from| {
                let message = report(from).to_message();
                for end in 0..message.len() {
                    assert!(RoundReport::of_message(&message[..end]).is_err());
                }
                RoundReport::of_message(&message).unwrap()
            });
            let all = Sums::of(reports.to_vec(), 3).unwrap();
            assert_eq!((all.figures.left, all.figures.states, all.figures.entry_level), (3, 3, 9));
            assert_eq!((all.size, all.conditions, all.halt), (2, 4, Some(Halt::Stop(Stop::Memory))));
            assert_eq!(all.cycle, Some((vec![1, 2, 3, 4], vec![5])));
            assert_eq!(all.ways.found(), [Some((vec![0; 4], 9))]);
            assert_eq!((all.coverage.locations, all.coverage.edges), (vec![true, false], vec![vec![true]]));
            assert_eq!(all.taken, [[true, true]]);
        }
        assert!(Sums::of(vec![report(0), report(2)], 3).is_err());
    }
}
