//! Reports: what each worker tells all others at the end of a round. All workers receive the same
//! reports and draw the same conclusions from them, so no worker decides for the others.
//!
//! *Entry points:* [`Report`], [`Summary::of`].
//!
//! *Invariant:* a summary does not depend on the order in which reports arrive.

use axle_outcome::{FaultSite, Stop};
use axle_search::parallel::backwards::Ways;
use axle_search::parallel::faults::Faults;

use crate::failure::Failure;
use crate::wire::{Reader, Writer};

/// The kind of a message with a report.
pub(crate) const REPORT: u8 = 2;

/// Why a worker ends the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// A limit, or the monitor.
    Stop(Stop),
    /// The machinery.
    Failed(Failure),
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Halt {
        Halt::Failed(failure)
    }
}

/// Numbers of one worker, or their sums. All count from the beginning of the search, except `left`,
/// `begun` and `fresh`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Figures {
    /// States of the level that are not expanded yet.
    pub left: u64,
    /// States of the level when it began.
    pub begun: u64,
    /// States found in the next level.
    pub fresh: u64,
    /// States stored.
    pub states: u64,
    /// States expanded.
    pub expanded: u64,
    /// Transitions of these.
    pub transitions: u64,
    /// Bytes of the set and of the level log in memory.
    pub set_memory: u64,
    pub log_memory: u64,
    /// Further counters of the graph.
    pub tally: [u64; 3],
}

/// Number of words of [`Figures`].
const WORDS: usize = 11;

impl Figures {
    fn words(&self) -> [u64; WORDS] {
        let [a, b, c] = self.tally;
        let Figures { left, begun, fresh, states, expanded, transitions, set_memory, log_memory, .. } = *self;
        [left, begun, fresh, states, expanded, transitions, set_memory, log_memory, a, b, c]
    }

    fn of_words(
        [left, begun, fresh, states, expanded, transitions, set_memory, log_memory, a, b, c]: [u64; WORDS],
    ) -> Figures {
        Figures {
            left,
            begun,
            fresh,
            states,
            expanded,
            transitions,
            set_memory,
            log_memory,
            tally: [a, b, c],
        }
    }

    /// The sums.
    fn plus(&self, other: &Figures) -> Figures {
        let (mut sums, others) = (self.words(), other.words());
        sums.iter_mut().zip(others).for_each(|(sum, other)| *sum = sum.saturating_add(other));
        Figures::of_words(sums)
    }
}

/// The report of a worker.
#[derive(Clone, Debug)]
pub(crate) struct Report<I> {
    /// The worker.
    pub from: usize,
    /// From where it began: all workers must begin at the same manifest.
    pub origin: u64,
    /// Its numbers.
    pub figures: Figures,
    /// Committed bytes of its level log.
    pub logged: u64,
    /// Size of its states, in the unit of the engine.
    pub size: usize,
    /// Whether a state beyond the limit on depth exists.
    pub truncated: bool,
    /// Whether its set is compressed.
    pub is_tree: bool,
    /// Why the search ends, if this worker ends it.
    pub halt: Option<Halt>,
    /// Faults found in the round.
    pub faults: Faults<I>,
    /// Predecessors found in the round.
    pub ways: Ways,
    /// Edges executed; empty except in the last round and at the end of a level with a log on disk.
    pub taken: Vec<Vec<bool>>,
}

impl<I: FaultSite> Report<I> {
    /// The report as a message.
    pub fn to_message(&self) -> Vec<u8> {
        let mut out = Writer::new(REPORT);
        out.number(self.from as u64);
        out.number(self.origin);
        self.figures.words().into_iter().for_each(|word| out.number(word));
        out.number(self.logged);
        out.number(self.size as u64);
        out.number(u64::from(self.truncated) | u64::from(self.is_tree) << 1);
        write_halt(self.halt.as_ref(), &mut out);
        out.bytes(&if self.faults.is_empty() { Vec::new() } else { self.faults.to_bytes() });
        out.number(self.ways.found().len() as u64);
        for way in self.ways.found() {
            // A state has at least one byte.
            let (state, position) = way.as_ref().map_or((&[][..], 0), |(state, at)| (&state[..], *at));
            out.bytes(state);
            out.number(position.into());
        }
        write_taken(&self.taken, &mut out);
        out.end()
    }

    /// The report in a message.
    pub fn of_message(message: &[u8]) -> Result<Report<I>, Failure> {
        let mut input = Reader::new(REPORT, message)?;
        let from = number_of(&mut input)?;
        let origin = input.number()?;
        let mut words = [0; WORDS];
        for word in &mut words {
            *word = input.number()?;
        }
        let (logged, size, flags) = (input.number()?, number_of(&mut input)?, input.number()?);
        let halt = read_halt(&mut input)?;
        let faults = match input.bytes()? {
            [] => Faults::default(),
            bytes => Faults::of_bytes(bytes).map_err(|_| Failure::Corrupt)?,
        };
        let mut ways = Ways::default();
        for index in 0..number_of(&mut input)? {
            let (state, position) = (input.bytes()?, input.number()?);
            let position = u32::try_from(position).map_err(|_| Failure::Corrupt)?;
            if !state.is_empty() {
                ways.offer(index, state, position);
            }
        }
        let taken = read_taken(&mut input)?;
        input.end()?;
        let (truncated, is_tree) = (flags & 1 == 1, flags & 2 == 2);
        let figures = Figures::of_words(words);
        Ok(Report { from, origin, figures, logged, size, truncated, is_tree, halt, faults, ways, taken })
    }
}

/// Reads a number of the size of memory.
pub(crate) fn number_of(input: &mut Reader<'_>) -> Result<usize, Failure> {
    usize::try_from(input.number()?).map_err(|_| Failure::Corrupt)
}

/// Writes the reason for the end of a search.
pub(crate) fn write_halt(halt: Option<&Halt>, out: &mut Writer) {
    let (kind, text) = match halt {
        None => (0, String::new()),
        // A reason is plain data that can always be written.
        Some(Halt::Stop(stop)) => (1, serde_json::to_string(stop).unwrap_or_default()),
        Some(Halt::Failed(Failure::Corrupt)) => (2, String::new()),
        Some(Halt::Failed(Failure::Log(text))) => (3, text.clone()),
        Some(Halt::Failed(Failure::OtherSearch)) => (4, String::new()),
        Some(Halt::Failed(Failure::Full)) => (6, String::new()),
        Some(Halt::Failed(
            Failure::Lost | Failure::Left | Failure::Silent | Failure::Network(_) | Failure::Refused(_),
        )) => (5, String::new()),
    };
    out.number(kind);
    out.bytes(text.as_bytes());
}

/// Reads the reason for the end of a search.
pub(crate) fn read_halt(input: &mut Reader<'_>) -> Result<Option<Halt>, Failure> {
    let (kind, text) = (input.number()?, input.bytes()?);
    Ok(match kind {
        0 => None,
        1 => Some(Halt::Stop(serde_json::from_slice(text).map_err(|_| Failure::Corrupt)?)),
        2 => Some(Halt::Failed(Failure::Corrupt)),
        3 => Some(Halt::Failed(Failure::Log(String::from_utf8_lossy(text).into_owned()))),
        4 => Some(Halt::Failed(Failure::OtherSearch)),
        5 => Some(Halt::Failed(Failure::Lost)),
        6 => Some(Halt::Failed(Failure::Full)),
        _ => return Err(Failure::Corrupt),
    })
}

/// Writes executed edges.
pub(crate) fn write_taken(taken: &[Vec<bool>], out: &mut Writer) {
    out.number(taken.len() as u64);
    for edges in taken {
        out.bytes(&edges.iter().map(|&taken| u8::from(taken)).collect::<Vec<u8>>());
    }
}

/// Reads executed edges.
pub(crate) fn read_taken(input: &mut Reader<'_>) -> Result<Vec<Vec<bool>>, Failure> {
    let processes = number_of(input)?;
    (0..processes).map(|_| Ok(input.bytes()?.iter().map(|&byte| byte == 1).collect())).collect()
}

/// Adds executed edges to others.
pub(crate) fn merge_taken(all: &mut Vec<Vec<bool>>, more: &[Vec<bool>]) {
    all.resize(all.len().max(more.len()), Vec::new());
    for (all, more) in all.iter_mut().zip(more) {
        all.resize(all.len().max(more.len()), false);
        all.iter_mut().zip(more).for_each(|(all, more)| *all |= *more);
    }
}

/// The reports of all workers about a round.
#[derive(Debug)]
pub(crate) struct Summary<I> {
    /// The sums of all numbers.
    pub figures: Figures,
    /// Committed bytes of the level log of each worker.
    pub logged: Vec<u64>,
    /// States and bytes of memory of each worker.
    pub stored: Vec<(u64, u64)>,
    /// The largest size of states.
    pub size: usize,
    /// Whether a state beyond the limit on depth exists.
    pub truncated: bool,
    /// Whether a set is compressed.
    pub is_tree: bool,
    /// Why the search ends.
    pub halt: Option<Halt>,
    /// All faults.
    pub faults: Faults<I>,
    /// The best predecessors.
    pub ways: Ways,
    /// All edges executed.
    pub taken: Vec<Vec<bool>>,
}

impl<I: FaultSite> Summary<I> {
    /// Merges the reports of all `peers` workers. Fails if one is missing.
    pub fn of(mut reports: Vec<Report<I>>, peers: usize) -> Result<Summary<I>, Failure> {
        reports.sort_unstable_by_key(|report| report.from);
        if reports.len() != peers || reports.iter().zip(0..).any(|(report, index)| report.from != index) {
            return Err(Failure::Corrupt);
        }
        if reports.iter().any(|report| report.origin != reports[0].origin) {
            return Err(Failure::OtherSearch);
        }
        let mut all = Summary {
            figures: Figures::default(),
            logged: Vec::new(),
            stored: Vec::new(),
            size: 0,
            truncated: false,
            is_tree: false,
            halt: None,
            faults: Faults::default(),
            ways: Ways::default(),
            taken: Vec::new(),
        };
        for report in reports {
            all.figures = all.figures.plus(&report.figures);
            all.logged.push(report.logged);
            let Figures { states, set_memory, log_memory, .. } = report.figures;
            all.stored.push((states, set_memory + log_memory));
            all.size = all.size.max(report.size);
            all.truncated |= report.truncated;
            all.is_tree |= report.is_tree;
            // A failure leaves no result, so it is the reason if there is one.
            let is_failure = matches!(report.halt, Some(Halt::Failed(_)));
            if all.halt.is_none() || is_failure && !matches!(all.halt, Some(Halt::Failed(_))) {
                all.halt = report.halt.or(all.halt);
            }
            all.faults.merge(report.faults);
            all.ways.merge(report.ways);
            merge_taken(&mut all.taken, &report.taken);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use axle_outcome::ModelSite;

    use super::*;

    fn report(from: usize) -> Report<ModelSite> {
        let number = from as u64;
        let mut ways = Ways::default();
        ways.offer(2, &[from as u8; 4], 9);
        Report {
            from,
            origin: 5,
            figures: Figures {
                left: 1,
                fresh: 2,
                states: number,
                tally: [1, number, 3],
                ..Figures::default()
            },
            logged: 10 * number,
            size: from,
            truncated: from == 1,
            is_tree: false,
            halt: None,
            faults: Faults::default(),
            ways,
            taken: vec![vec![from == 0, from == 1, false]],
        }
    }

    #[test]
    fn reports_are_read_back() {
        let halts = [
            None,
            Some(Halt::Stop(Stop::Memory)),
            Some(Halt::Failed(Failure::Corrupt)),
            Some(Halt::Failed(Failure::Log("no space".to_string()))),
            Some(Halt::Failed(Failure::OtherSearch)),
            Some(Halt::Failed(Failure::Lost)),
            Some(Halt::Failed(Failure::Full)),
        ];
        for halt in halts {
            let report = Report { halt: halt.clone(), ..report(1) };
            let message = report.to_message();
            let read = Report::<ModelSite>::of_message(&message).unwrap();
            assert_eq!((read.figures, read.logged, read.size), (report.figures, report.logged, report.size));
            assert_eq!((read.truncated, read.is_tree, read.halt), (true, false, halt));
            assert_eq!((read.ways.found(), read.taken), (report.ways.found(), report.taken));
            for end in 0..message.len() {
                assert!(Report::<ModelSite>::of_message(&message[..end]).is_err());
            }
        }
    }

    #[test]
    fn a_summary_does_not_depend_on_the_order() {
        let orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0]];
        for order in orders {
            let all = Summary::of(order.map(report).to_vec(), 3).unwrap();
            assert_eq!((all.figures.left, all.figures.states, all.figures.tally), (3, 3, [3, 3, 9]));
            assert_eq!((all.logged, all.size, all.truncated), (vec![0, 10, 20], 2, true));
            assert_eq!(all.ways.found()[2], Some((vec![0; 4], 9)));
            assert_eq!(all.taken, [[true, true, false]]);
        }
    }

    #[test]
    fn a_missing_report_is_an_error() {
        assert!(Summary::of(vec![report(0), report(2)], 3).is_err());
        assert!(Summary::of(vec![report(0), report(1), report(1)], 3).is_err());
    }

    #[test]
    fn all_workers_begin_at_the_same_manifest() {
        let other = Report { origin: 6, ..report(1) };
        assert_eq!(Summary::of(vec![report(0), other], 2).err(), Some(Failure::OtherSearch));
    }

    #[test]
    fn a_failure_is_the_reason() {
        let stopped = Report { halt: Some(Halt::Stop(Stop::Time)), ..report(0) };
        let failed = Report { halt: Some(Halt::Failed(Failure::Corrupt)), ..report(1) };
        let all = Summary::of(vec![stopped, failed, report(2)], 3).unwrap();
        assert_eq!(all.halt, Some(Halt::Failed(Failure::Corrupt)));
    }
}
