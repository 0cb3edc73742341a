//! The part of a state that decides about happens-before, as bytes.
//!
//! *Entry points:* [`write`], [`read`].
//! *Invariant:* equal sets of accesses in another order are written the same.

use crate::machine::{Execution, Machine};
use crate::state::access::Span;
use crate::state::program_state::Thread;
use crate::state::recorded_accesses::{Accesses, HappensBefore, Kind, Recorded, Release, View, renumbered};

/// Writes down the part of a state that decides about happens-before. `known` gives the number that
/// an object has in the written state, if it is part of it; `threads` are those that are kept.
/// Equal sets in another order are written the same.
pub(crate) fn write<E: Execution>(
    machine: &Machine<'_, E>,
    threads: &[usize],
    known: impl Fn(u32) -> Option<u32>,
    out: &mut Vec<u8>,
    mut put: impl FnMut(u64, &mut Vec<u8>),
) {
    let part = &machine.state.happens_before;
    let key = |recorded: &Recorded| {
        let Recorded { span, kind, thread, site } = *recorded;
        Some((known(span.object)?, span.from, span.to, span.write, kind, known(thread).unwrap_or(0), site))
    };
    let mut keys: Vec<_> =
        part.accesses.iter().enumerate().filter_map(|(index, one)| Some((key(one)?, index))).collect();
    keys.sort_unstable();
    let order: Vec<usize> = keys.iter().map(|&(_, index)| index).collect();
    put(keys.len() as u64, out);
    for ((object, from, to, write, kind, thread, site), _) in keys {
        for number in [object, from, to, thread, site] {
            put(number.into(), out);
        }
        out.push(kind.bits() << 1 | u8::from(write));
    }
    let bytes = order.len().div_ceil(8);
    let set = |set: Accesses, out: &mut Vec<u8>| {
        out.extend_from_slice(&renumbered(set, &order).to_le_bytes()[..bytes]);
    };
    for &t in threads {
        let View { seen, pending, fenced } = machine.state.threads[t].view;
        [seen, pending, fenced].into_iter().for_each(|one| set(one, out));
    }
    let mut releases: Vec<((u32, i32, u32), Accesses)> = Vec::new();
    for release in &part.releases {
        let (Some(object), new) = (known(release.place.0), renumbered(release.seen, &order)) else {
            continue;
        };
        let key = (object, release.place.1, known(release.thread).unwrap_or(0));
        match releases.iter_mut().find(|(known, _)| *known == key) {
            Some((_, seen)) => *seen |= new,
            None => releases.push((key, new)),
        }
    }
    releases.retain(|&(_, seen)| seen != 0);
    releases.sort_unstable();
    put(releases.len() as u64, out);
    for ((object, offset, thread), seen) in releases {
        put(object.into(), out);
        put(offset as u32 as u64, out);
        put(thread.into(), out);
        out.extend_from_slice(&seen.to_le_bytes()[..bytes]);
    }
}

/// Reads what [`write`] has written, into a state whose threads were read; `byte` gives the next
/// byte.
pub(crate) fn read(state: &mut HappensBefore, threads: &mut [Thread], mut next: impl FnMut() -> u8) {
    state.accesses.clear();
    state.releases.clear();
    let count = number(&mut next) as usize;
    for _ in 0..count {
        let [object, from, to, thread, site] = std::array::from_fn(|_| number(&mut next) as u32);
        let bits = next();
        let span = Span { object, from, to, write: bits & 1 != 0 };
        state.accesses.push(Recorded { span, kind: Kind::of_bits(bits >> 1), thread, site });
    }
    let bytes = count.div_ceil(8);
    let set = |next: &mut dyn FnMut() -> u8| {
        (0..bytes).fold(0, |set: Accesses, at| set | Accesses::from(next()) << (8 * at))
    };
    for thread in threads {
        thread.view = View { seen: set(&mut next), pending: set(&mut next), fenced: set(&mut next) };
    }
    for _ in 0..number(&mut next) {
        let [object, offset, thread] = std::array::from_fn(|_| number(&mut next) as u32);
        state.releases.push(Release { place: (object, offset as i32), thread, seen: set(&mut next) });
    }
}

fn number(next: &mut impl FnMut() -> u8) -> u64 {
    let (mut value, mut shift) = (0u64, 0);
    loop {
        let byte = next();
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 || shift > 63 {
            return value;
        }
    }
}
