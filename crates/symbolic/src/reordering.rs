//! Reordering: another order of the variables when a search needs many nodes.
//!
//! A search ends when the live nodes exceed a number ([`Halt::Order`]). Then a part of the reachable states is
//! computed by chaining, and its variables are sifted: first the blocks of the static order, then single
//! variables, or words of variables whose bits are interleaved. If the part becomes clearly smaller, the relation is lowered again in the new order and the
//! search begins anew; otherwise it goes on, with most of its results still in the cache. The number of
//! nodes for the next attempt is a multiple of the present one, so that repeated work is a fraction of all.
//!
//! *Entry point:* [`better_order`].
//! *Source:* as `sifting.rs`; a part of the states instead of all diagrams: sets dominate the memory, and the
//! relations are small.
//! *Invariant:* an order is a matter of speed: the states found do not depend on it.

use axle_relation::VariableId;

use crate::package::Package;
use crate::reach::chaining::first_states;
use crate::search::{Halt, Search};
use crate::sifting::Sifting;

/// The live nodes at which another order is first looked for.
pub(crate) const FIRST_NODES: usize = 1 << 15;

/// The factor between two such numbers.
pub(crate) const FACTOR: usize = 4;

/// The nodes of the set of states that is sifted.
const SAMPLE: usize = 10_000;

/// The nodes that exchanges of levels visit.
const VISITS: usize = 30_000_000;

/// How many times as many nodes as were live may be made while the relation is lowered in a new order, which may
/// be a bad one for the relation.
pub(crate) const MOST_GROWTH: usize = 16;

/// A new order must make the set smaller than this many percent.
const SMALLER: usize = 75;

/// Another order of the variables, if it makes a part of the reachable states clearly smaller. The search has no
/// limit on live nodes from then on.
pub(crate) fn better_order<P: Package>(
    search: &mut Search<'_, P>,
    is_same_block: impl Fn(VariableId, VariableId) -> bool,
) -> Result<Option<Vec<VariableId>>, Halt> {
    search.limit_live(usize::MAX);
    let states = first_states(search, SAMPLE)?;
    let space = search.space;
    let encoding = &space.encoding;
    // Variables without bits move with the word before them, those before the first word stay above.
    let mut units: Vec<Vec<VariableId>> = Vec::new();
    let mut above = Vec::new();
    for word in encoding.words() {
        let has_bits = word.iter().any(|variable| !encoding.bits(*variable).is_empty());
        match units.last_mut() {
            Some(unit) if !has_bits => unit.extend(word),
            None if !has_bits => above.extend(word),
            Some(_) | None => units.push(word.clone()),
        }
    }
    let mut unit_of = vec![0; encoding.codes.len()];
    for (number, unit) in units.iter().enumerate() {
        unit.iter().for_each(|variable| unit_of[variable.index()] = number);
    }
    let unit = |bit: &u32| unit_of[encoding.owners()[*bit as usize].index()];
    let length = |unit: &Vec<VariableId>| unit.iter().map(|of| encoding.bits(*of).len()).sum::<usize>();
    let mut blocks: Vec<usize> = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        match blocks.last_mut() {
            Some(block) if is_same_block(units[at - 1][0], unit[0]) => *block += length(unit),
            _ => blocks.push(length(unit)),
        }
    }
    let mut sifting = Sifting::new(space.package(), &states, space.bits(), VISITS);
    let before = sifting.size();
    sifting.sift(&blocks, || search.goes_on())?;
    let lengths: Vec<usize> =
        sifting.levels().chunk_by(|a, b| unit(a) == unit(b)).map(<[u32]>::len).collect();
    sifting.sift(&lengths, || search.goes_on())?;
    if sifting.size() * 100 > before * SMALLER {
        return Ok(None);
    }
    let sifted = sifting.levels().chunk_by(|a, b| unit(a) == unit(b));
    Ok(Some(above.into_iter().chain(sifted.flat_map(|bits| units[unit(&bits[0])].clone())).collect()))
}
