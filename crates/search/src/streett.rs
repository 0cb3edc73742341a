//! Strong fairness: whether a strongly connected component has a run on which every process that is
//! enabled again and again moves again and again.
//!
//! That is a Streett condition, a pair for each process. A process that is enabled somewhere in the
//! component and moves on none of its edges is treated unfairly by every run that stays and sees
//! these states again and again; so a fair run avoids them. They are taken out, what is left is
//! searched for components again, and so on, until a component treats everybody fairly (then going
//! round all of it is fair) or nothing is left. Each round takes out one state at least.
//!
//! *Entry point:* [`decide`].
//!
//! Sources: O. Lichtenstein and A. Pnueli, Checking that finite state concurrent programs satisfy
//! their linear specification, POPL 1985; M. R. Henzinger and J. A. Telle, Faster algorithms for
//! the nonemptiness of Streett automata, SWAT 1996.
//!
//! *Invariant:* Of the states of the component only those still in the running are not marked as
//! done.

use axle_step::Successors;
use axle_store::Numbered;

use crate::explorer::{DONE, Explorer, UNSEEN};
use crate::limits::Stop;
use crate::progress::Monitor;
use crate::scc::{Component, Scope, Stacks};

/// States expanded at once.
const BATCH: usize = 32;

/// How the states of a component treat processes.
#[derive(Default, Debug)]
struct Treatment {
    /// The bits of the processes that are enabled in each state, in order.
    enabled: Vec<u64>,
    /// Those enabled somewhere.
    ever: Vec<u64>,
    /// What the edges inside the component meet.
    met: Vec<u64>,
    /// Words of a set of bits.
    words: usize,
}

/// Looks for a fair component in one that is complete, meets all acceptance sets, and whose states are marked as
/// done.
pub(crate) fn decide<G: Successors, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    states: Vec<u32>,
    monitor: &mut impl Monitor,
) -> Result<Option<Component>, Stop> {
    let mut parts = vec![states];
    while let Some(part) = parts.pop() {
        let treatment = treatment(explorer, &part, monitor)?;
        let words = treatment.words;
        let unfair: Vec<u64> = treatment.ever.iter().zip(&treatment.met).map(|(e, m)| e & !m).collect();
        if unfair.iter().all(|&word| word == 0) {
            return Ok(Some(Component { states: part }));
        }
        let left: Vec<u32> = (part.iter().zip(treatment.enabled.chunks_exact(words)))
            .filter(|(_, enabled)| enabled.iter().zip(&unfair).all(|(e, u)| e & u == 0))
            .map(|(&number, _)| number)
            .collect();
        drop((part, treatment));
        left.iter().for_each(|&number| explorer.marks[number as usize] = UNSEEN);
        let mut stacks = Stacks::default();
        for &number in &left {
            // Components come one by one, each when it is complete; the search goes on behind it.
            if explorer.marks[number as usize] == UNSEEN
                && let Some(first) = stacks.search_from(explorer, number, Scope::Part, monitor)?
            {
                parts.push(first.states);
                while let Some(more) = stacks.go_on(explorer, Scope::Part, monitor)? {
                    parts.push(more.states);
                }
            }
        }
    }
    Ok(None)
}

/// Finds out how a strongly connected part treats processes.
fn treatment<G: Successors, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    part: &[u32],
    monitor: &mut impl Monitor,
) -> Result<Treatment, Stop> {
    // The states are marked, so that edges that leave the part can be told.
    part.iter().for_each(|&number| explorer.marks[number as usize] = UNSEEN);
    let mut treatment = Treatment::default();
    for batch in part.chunks(BATCH) {
        explorer.expand(batch)?;
        let words = explorer.product.labels.words;
        if treatment.words != words {
            let widen = |sets: &[u64]| match treatment.words {
                0 => vec![0; if sets.is_empty() { 0 } else { words }],
                old => explorer.widened(sets, old),
            };
            treatment = Treatment {
                enabled: widen(&treatment.enabled),
                ever: widen(&treatment.ever),
                met: widen(&treatment.met),
                words,
            };
            treatment.ever.resize(words, 0);
            treatment.met.resize(words, 0);
        }
        for source in 0..batch.len() {
            let enabled = &explorer.moves.enabled[source * words..(source + 1) * words];
            treatment.enabled.extend_from_slice(enabled);
            treatment.ever.iter_mut().zip(enabled).for_each(|(all, one)| *all |= one);
            for position in explorer.moves.range(source) {
                let inside = explorer.marks[explorer.numbers[position] as usize] == UNSEEN
                    && explorer.is_inside(source, position);
                if inside {
                    let met = explorer.product.labels.met(explorer.moves.labels[position]);
                    treatment.met.iter_mut().zip(met).for_each(|(all, one)| *all |= one);
                }
            }
        }
        explorer.watch(monitor)?;
    }
    part.iter().for_each(|&number| explorer.marks[number as usize] = DONE);
    Ok(treatment)
}
