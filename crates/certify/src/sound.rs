//! Checks that bytes of a certificate are a state of the model. A successor function relies on
//! valid process types and locations and on channels within their capacity. The values of variables
//! are not checked: every value is valid.
//!
//! *Entry point:* [`fault`].

use axle_model::Model;
use axle_step::Layout;
use axle_step::layout::{ChanLayout, ProcLayout, Slot};

/// The defect of bytes that have the width of a state of this layout, if there is one.
pub(crate) fn fault(model: &Model, layout: &Layout, state: &[u8]) -> Option<&'static str> {
    let overfull = |chan: &ChanLayout, base: u32| {
        let capacity = i64::from(model.shapes[chan.shape.index()].capacity);
        chan.len.is_some_and(|len| !(0..=capacity).contains(&len.read(state, base)))
    };
    let count = layout.count.read(state, 0);
    let Some(slots) = usize::try_from(count).ok().and_then(|count| layout.slots.get(..count)) else {
        return Some("too many processes");
    };
    if layout.channels.iter().any(|chan| overfull(chan, 0)) {
        return Some("channel contents exceed the capacity");
    }
    for slot in slots {
        let Some((proc, inside)) = process(layout, slot, state) else {
            return Some("process type not allowed in its slot");
        };
        let locations = model.processes[proc].locations.len() as i64;
        if !(1..=locations).contains(&inside.pc.read(state, slot.base)) {
            return Some("invalid process location");
        }
        if inside.channels.iter().any(|chan| overfull(chan, slot.base)) {
            return Some("contents of a process-local channel exceed the capacity");
        }
    }
    None
}

/// The type of the process in a slot, if the slot can hold it.
fn process<'a>(layout: &'a Layout, slot: &Slot, state: &[u8]) -> Option<(usize, &'a ProcLayout)> {
    let first = slot.types.first()?.index();
    let proc = match layout.procs[first].tag {
        Some(tag) if slot.types.len() > 1 => usize::try_from(tag.read(state, slot.base)).ok()?,
        Some(_) | None => first,
    };
    slot.types.iter().any(|known| known.index() == proc).then(|| (proc, &layout.procs[proc]))
}
