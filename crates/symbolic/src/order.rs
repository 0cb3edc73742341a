//! The static order of the variables.
//!
//! Variables form blocks: a process with its location, locals and priority; a channel; a scalar of the
//! globals. The blocks are placed by FORCE: each transition pulls the blocks of its support towards
//! their common centre, until the sum of the spans no longer shrinks. The variables that all processes
//! share (control of sequences, number of processes) are on top.
//!
//! FORCE does not distinguish an order from its mirror image. It begins with the globals before the
//! processes, and what it does not move apart keeps that order. The mirror image is taken: what several
//! processes write is then rather below than above them, so that the top of a step, the level at which
//! saturation begins to repeat it, is in its process. Last, the elements of arrays among which an index
//! chooses are placed below all others: below its data, an index makes the diagram of a choice a table of
//! their values. What is lost for the sets of states, reordering finds again (`reordering.rs`).
//!
//! A receive moves each message of a channel by a position. If values of many bits follow each other, the
//! relation of that step distinguishes all of them; if the bits of all positions are interleaved, it only
//! compares neighbours. Fields of few bits stay together with the others of their message.
//!
//! *Entry points:* [`order`], [`words`]; [`write`] and [`read`] for orders that are kept.
//! *Source:* F. A. Aloul, I. L. Markov, K. A. Sakallah, "FORCE: A Fast and Easy-to-Implement
//! Variable-Ordering Heuristic", GLSVLSI 2003. Low tops: R. I. Siminiceanu, G. Ciardo, "New Metrics for
//! Static Variable Ordering in Decision Diagrams", TACAS 2006.
//! *Invariant:* the order has each variable once.

use axle_relation::{ChannelId, Part, Relation, Term, TermId, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::steps::indices;
use crate::widths::Code;

/// The largest support, in blocks, of a transition that pulls.
const MOST_BLOCKS: usize = 40;

/// The bits from which on a field of messages is wide.
const WIDE: u32 = 2;

/// The variables from top to bottom.
pub(crate) fn order(relation: &Relation, codes: &[Code]) -> Vec<VariableId> {
    let (mut blocks, of_variable) = blocks(relation);
    for block in &mut blocks {
        // Behind the others of a channel, each wide field of all messages.
        block.sort_by_key(|variable| {
            wide_field(relation, codes, *variable).map(|(_, field)| (field, variable.index()))
        });
    }
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for group in &relation.groups {
        let roots = group.updates.iter().map(|(_, value)| *value).chain([group.enabled]);
        let mut support: Vec<usize> = (relation.terms.support(roots.collect::<Vec<TermId>>()).into_iter())
            .chain(group.updates.iter().map(|(variable, _)| *variable))
            .filter_map(|variable| of_variable[variable.index()])
            .collect();
        support.sort_unstable();
        support.dedup();
        if (2..=MOST_BLOCKS).contains(&support.len()) {
            edges.push(support);
        }
    }
    edges.sort();
    edges.dedup();
    let places = force(blocks.len(), &edges);
    let mut sorted: Vec<usize> = (0..blocks.len()).collect();
    sorted.sort_by_key(|block| places[*block]);
    let all = (0..relation.variables.list().len() as u32).map(VariableId);
    let shared = all.filter(|variable| of_variable[variable.index()].is_none());
    let placed: Vec<VariableId> =
        sorted.into_iter().flat_map(|block| blocks[block].iter().copied()).collect();
    let data = indexed(relation);
    let (above, below): (Vec<VariableId>, Vec<VariableId>) =
        placed.into_iter().rev().partition(|variable| !data.contains(variable));
    shared.chain(above).chain(below).collect()
}

/// The scalars of global arrays among which an index chooses. A choice is small if its index is above what it
/// chooses: below, the diagram is a table of all values.
fn indexed(relation: &Relation) -> FxHashSet<VariableId> {
    let terms = &relation.terms;
    let mut data = FxHashSet::default();
    for group in &relation.groups {
        let indices = indices(relation, group);
        let comparisons: FxHashSet<TermId> =
            indices.iter().flat_map(|(_, of)| of.iter().map(|(_, comparison)| *comparison)).collect();
        let addresses: FxHashSet<VariableId> =
            terms.support(indices.iter().map(|(index, _)| *index)).into_iter().collect();
        let mut seen = FxHashSet::default();
        let mut stack: Vec<TermId> = group.updates.iter().map(|(_, value)| *value).collect();
        stack.push(group.enabled);
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Term::If(condition, a, b) = terms.get(id)
                && comparisons.contains(&condition)
            {
                let is_scalar = |of: &VariableId| {
                    let part = &relation.variables.list()[of.index()].part;
                    matches!(part, Part::Global(..)) && !addresses.contains(of)
                };
                data.extend(terms.support([a, b]).into_iter().filter(is_scalar));
            }
            terms.operands(id, |operand| stack.push(operand));
        }
    }
    data
}

/// The channel and the field of a variable that stores a wide field of a message.
fn wide_field(relation: &Relation, codes: &[Code], variable: VariableId) -> Option<(ChannelId, u32)> {
    match relation.variables.list().get(variable.index())?.part {
        Part::Message(channel, _, field) if codes[variable.index()].bits >= WIDE => Some((channel, field)),
        _ => None,
    }
}

/// An order of variables as words: the bits of the variables of a word are interleaved.
pub(crate) fn words(relation: &Relation, codes: &[Code], order: &[VariableId]) -> Vec<Vec<VariableId>> {
    let is_one_word = |a: &VariableId, b: &VariableId| {
        let field = wide_field(relation, codes, *a);
        field.is_some() && field == wide_field(relation, codes, *b)
    };
    order.chunk_by(is_one_word).map(<[VariableId]>::to_vec).collect()
}

/// An order as text: the number of each variable, and what it stores.
pub(crate) fn write(relation: &Relation, order: &[VariableId]) -> String {
    let list = relation.variables.list();
    order.iter().map(|id| format!("{} {:?}\n", id.0, list[id.index()].part)).collect()
}

/// The order of a text; none unless it has the number of each variable once. An order is a matter of speed,
/// so what the variables store is not compared.
pub(crate) fn read(relation: &Relation, text: &str) -> Option<Vec<VariableId>> {
    let number = |line: &str| line.split_whitespace().next()?.parse().ok().map(VariableId);
    let order: Vec<VariableId> = text.lines().map(number).collect::<Option<_>>()?;
    let mut sorted = order.clone();
    sorted.sort_unstable();
    let all = (0..relation.variables.list().len() as u32).map(VariableId);
    sorted.into_iter().eq(all).then_some(order)
}

/// The blocks, and the block of each variable; none for what all processes share.
fn blocks(relation: &Relation) -> (Vec<Vec<VariableId>>, Vec<Option<usize>>) {
    #[derive(PartialEq, Eq, Hash)]
    enum Block {
        Process(u32),
        Channel(u32),
        Global(u32),
    }
    let mut numbers: FxHashMap<Block, usize> = FxHashMap::default();
    let mut blocks: Vec<Vec<VariableId>> = Vec::new();
    let mut of_variable = Vec::new();
    for (index, variable) in relation.variables.list().iter().enumerate() {
        let block = match &variable.part {
            Part::Count | Part::LastPid | Part::Control | Part::Deterministic => None,
            Part::Global(..) => Some(Block::Global(index as u32)),
            Part::Type(slot) | Part::Location(slot) | Part::Priority(slot) | Part::Local(slot, ..) => {
                Some(Block::Process(*slot))
            }
            Part::Length(id) | Part::Message(id, ..) => Some(Block::Channel(id.0)),
        };
        let block = block.map(|block| {
            let new = blocks.len();
            let number = *numbers.entry(block).or_insert(new);
            if number == new {
                blocks.push(Vec::new());
            }
            blocks[number].push(VariableId(index as u32));
            number
        });
        of_variable.push(block);
    }
    (blocks, of_variable)
}

/// Whether two variables are in the same block of the static order; all without a block are in one.
pub(crate) fn is_same_block(relation: &Relation) -> impl Fn(VariableId, VariableId) -> bool {
    let (_, of_variable) = blocks(relation);
    let of = move |variable: VariableId| of_variable.get(variable.index()).copied().flatten();
    move |a, b| of(a) == of(b)
}

/// The position of each block.
fn force(blocks: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..blocks).collect();
    let mut best = (cost(&places, edges), places.clone());
    for _ in 0..50 {
        let mut pull = vec![(0.0, 0u32); blocks];
        for edge in edges {
            let centre = edge.iter().map(|block| places[*block] as f64).sum::<f64>() / edge.len() as f64;
            for block in edge {
                pull[*block].0 += centre;
                pull[*block].1 += 1;
            }
        }
        let wanted = |block: usize| match pull[block] {
            (_, 0) => places[block] as f64,
            (sum, count) => sum / f64::from(count),
        };
        let mut sorted: Vec<usize> = (0..blocks).collect();
        sorted.sort_by(|a, b| wanted(*a).total_cmp(&wanted(*b)).then(places[*a].cmp(&places[*b])));
        let mut next = vec![0; blocks];
        sorted.into_iter().enumerate().for_each(|(place, block)| next[block] = place);
        if next == places {
            break;
        }
        places = next;
        let cost = cost(&places, edges);
        if cost < best.0 {
            best = (cost, places.clone());
        }
    }
    best.1
}

/// The sum of the spans of the edges.
fn cost(places: &[usize], edges: &[Vec<usize>]) -> usize {
    let span = |edge: &Vec<usize>| {
        let at = || edge.iter().map(|block| places[*block]);
        at().max().unwrap_or(0) - at().min().unwrap_or(0)
    };
    edges.iter().map(span).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_in_a_bad_order_is_unfolded() {
        // A path whose ends lie next to each other: 0 - 5 - 1 - 6 - 2 - 7 - 3 - 8.
        let edges: Vec<Vec<usize>> =
            [0, 5, 1, 6, 2, 7, 3, 8].windows(2).map(|pair| vec![pair[0], pair[1]]).collect();
        let natural: Vec<usize> = (0..9).collect();
        let places = force(9, &edges);
        assert!(cost(&places, &edges) < cost(&natural, &edges) / 2, "{places:?}");
        let mut sorted = places;
        sorted.sort_unstable();
        assert_eq!(sorted, natural);
    }
}
