//! Strong fairness: decides whether a strongly connected component contains an execution in which
//! every process enabled infinitely often is executed infinitely often.
//!
//! Strong fairness is a Streett condition with one pair per process. Suppose that a process is
//! enabled in some state of the component but executed on none of its edges. Every execution that
//! stays in the component and visits such states infinitely often is unfair, so these states are
//! removed. The remainder is decomposed into components again, until a component is fair for all
//! processes (a cycle through all its edges is then fair) or no state remains.
//!
//! *Entry point:* [`decide`].
//!
//! *Source:* O. Lichtenstein and A. Pnueli, Checking that finite state concurrent programs satisfy
//! their linear specification, POPL 1985; M. R. Henzinger and J. A. Telle, Faster algorithms for
//! the nonemptiness of Streett automata, SWAT 1996.
//!
//! *Invariant:* Exactly the remaining states of the component are not marked as closed.
//!
//! *Cost:* each iteration removes at least one state.

use axle_outcome::Stop;
use axle_step::Graph;
use axle_store::Numbered;

use crate::liveness::explorer::{DONE, Explorer, UNSEEN};
use crate::liveness::scc::{Component, Scope, Stacks};
use crate::progress::Monitor;

/// Number of states per batch.
const BATCH: usize = 32;

/// Enabled and executed processes of a component.
#[derive(Default, Debug)]
struct Treatment {
    /// Bits of the processes enabled in each state, in order.
    enabled: Vec<u64>,
    /// Bits of the processes enabled in at least one state.
    ever: Vec<u64>,
    /// Bits that the edges inside the component meet.
    met: Vec<u64>,
    /// Number of words of a bit set.
    words: usize,
}

/// Searches for a fair component inside a complete component that meets all acceptance sets and
/// whose states are marked as closed.
pub(crate) fn decide<G: Graph, S: Numbered>(
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
            // The search returns components one at a time and continues after each.
            if explorer.marks[number as usize] == UNSEEN
                && let Some(first) = stacks.search_from(explorer, number, Scope::Part, monitor)?
            {
                parts.push(first.states);
                while let Some(more) = stacks.next_component(explorer, Scope::Part, monitor)? {
                    parts.push(more.states);
                }
            }
        }
    }
    Ok(None)
}

/// Computes the enabled and executed processes of a strongly connected set.
fn treatment<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    part: &[u32],
    monitor: &mut impl Monitor,
) -> Result<Treatment, Stop> {
    // Mark the states to identify edges that leave the set.
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
