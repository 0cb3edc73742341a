//! Reordering: another order of the variables when a search needs many nodes.
//!
//! A search ends when the live nodes exceed a number ([`Halt::Order`]). Then a part of the reachable states is
//! computed by chaining, and its variables are sifted: first the blocks of the static order, then single
//! variables. If the part becomes clearly smaller, the relation is lowered again in the new order and the
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
    order: &[VariableId],
    is_same_block: impl Fn(VariableId, VariableId) -> bool,
) -> Result<Option<Vec<VariableId>>, Halt> {
    search.limit_live(usize::MAX);
    let states = first_states(search, SAMPLE)?;
    let space = search.space;
    let encoding = &space.encoding;
    // Variables without bits move with the variable before them.
    let mut units: Vec<Vec<VariableId>> = Vec::new();
    for variable in order {
        match units.last_mut() {
            Some(unit) if encoding.bits(*variable).is_empty() => unit.push(*variable),
            _ => units.push(vec![*variable]),
        }
    }
    let length = |variable: &VariableId| encoding.bits(*variable).len();
    units.retain(|unit| length(&unit[0]) > 0);
    let mut blocks: Vec<usize> = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        match blocks.last_mut() {
            Some(block) if is_same_block(units[at - 1][0], unit[0]) => *block += length(&unit[0]),
            _ => blocks.push(length(&unit[0])),
        }
    }
    let mut sifting = Sifting::new(space.package(), &states, space.bits(), VISITS);
    let before = sifting.size();
    sifting.sift(&blocks, || search.goes_on())?;
    let owner = |bit: &u32| encoding.owners()[*bit as usize];
    let lengths: Vec<usize> =
        sifting.levels().chunk_by(|a, b| owner(a) == owner(b)).map(<[u32]>::len).collect();
    sifting.sift(&lengths, || search.goes_on())?;
    if sifting.size() * 100 > before * SMALLER {
        return Ok(None);
    }
    let mut sifted: Vec<VariableId> = Vec::new();
    for bits in sifting.levels().chunk_by(|a, b| owner(a) == owner(b)) {
        let unit = units.iter().find(|unit| unit[0] == owner(&bits[0]));
        sifted.extend(unit.into_iter().flatten());
    }
    // Variables before the first one with bits.
    let rest: Vec<VariableId> = order.iter().copied().filter(|of| !sifted.contains(of)).collect();
    Ok(Some(rest.into_iter().chain(sifted).collect()))
}
