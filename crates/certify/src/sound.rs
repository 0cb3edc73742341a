//! Which bytes are a state at all. A certificate may hold anything; a successor function may rely
//! on it that processes are of types that fit their places and stand at locations that exist, and
//! that channels hold no more than they can. Whether variables have values that occur is not asked:
//! any value is one.
//!
//! *Entry point:* [`fault`].

use axle_model::Model;
use axle_step::Layout;
use axle_step::layout::{ChanLayout, ProcLayout, Slot};

/// What is wrong with bytes as wide as a state of this layout, if anything is.
pub(crate) fn fault(model: &Model, layout: &Layout, state: &[u8]) -> Option<&'static str> {
    let overfull = |chan: &ChanLayout, base: u32| {
        let capacity = i64::from(model.shapes[chan.shape.index()].capacity);
        chan.len.is_some_and(|len| !(0..=capacity).contains(&len.read(state, base)))
    };
    let count = layout.count.read(state, 0);
    let Some(slots) = usize::try_from(count).ok().and_then(|count| layout.slots.get(..count)) else {
        return Some("it has more processes than there is room for");
    };
    if layout.channels.iter().any(|chan| overfull(chan, 0)) {
        return Some("a channel holds more than it can");
    }
    for slot in slots {
        let Some((proc, inside)) = process(layout, slot, state) else {
            return Some("a process is of a type that cannot be where it is");
        };
        let locations = model.processes[proc].locations.len() as i64;
        if !(1..=locations).contains(&inside.pc.read(state, slot.base)) {
            return Some("a process is at a place that does not exist");
        }
        if inside.channels.iter().any(|chan| overfull(chan, slot.base)) {
            return Some("a channel of a process holds more than it can");
        }
    }
    None
}

/// The type of the process in a slot, where it is one that the slot can hold.
fn process<'a>(layout: &'a Layout, slot: &Slot, state: &[u8]) -> Option<(usize, &'a ProcLayout)> {
    let first = slot.types.first()?.index();
    let proc = match layout.procs[first].tag {
        Some(tag) if slot.types.len() > 1 => usize::try_from(tag.read(state, slot.base)).ok()?,
        Some(_) | None => first,
    };
    slot.types.iter().any(|known| known.index() == proc).then(|| (proc, &layout.procs[proc]))
}
