//! Channels: resolution of references, and access to messages.
//!
//! *Invariant:* bits beyond the last message are 0.

use axle_model::{ChanRef, IntType, Shape};

use super::log::Log;
use super::machine::Machine;
use super::watch::Watch;
use crate::fault::FaultKind;
use crate::layout::{ChanLayout, Messages};

/// An existing channel.
#[derive(Clone, Copy)]
pub(crate) struct Chan<'a> {
    /// The channel reference.
    pub value: u32,
    pub layout: &'a ChanLayout,
    pub shape: &'a Shape,
    /// The first bit of its owner (the state, or the slot of its process).
    pub base: u32,
    pub watch: &'a Watch,
}

/// The channel denoted by a reference, if it exists.
pub(crate) fn by_value<'a>(machine: &'a Machine, state: &[u8], value: u32) -> Option<Chan<'a>> {
    let layout = &machine.layout;
    let (chan, base) = match layout.chan_target(value)? {
        (ChanRef::Global(index), _) => (layout.channels.get(index as usize)?, 0),
        (ChanRef::Own(index), pid) => {
            let pid = machine.existing(state, pid.into())?;
            let proc = machine.proc_at(state, pid);
            let chan = layout.procs[proc.index()].channels.get(index as usize)?;
            (chan, layout.slots[pid as usize].base)
        }
    };
    let shape = &machine.model.shapes[chan.shape.index()];
    Some(Chan { value, layout: chan, shape, base, watch: &machine.watch })
}

/// All existing channels, each with the number of the process that owns it.
pub(crate) fn all<'a>(
    machine: &'a Machine,
    state: &'a [u8],
) -> impl Iterator<Item = (Option<u32>, Chan<'a>)> + 'a {
    let layout = &machine.layout;
    let globals = (0..layout.channels.len() as u32).map(|index| (None, ChanRef::Global(index), 0));
    let own = (0..machine.count(state)).flat_map(move |pid| {
        let proc = machine.proc_at(state, pid);
        let channels = layout.procs[proc.index()].channels.len() as u32;
        (0..channels).map(move |index| (Some(pid), ChanRef::Own(index), pid))
    });
    globals.chain(own).filter_map(move |(owner, chan, pid)| {
        Some((owner, by_value(machine, state, layout.chan_value(chan, pid))?))
    })
}

impl Chan<'_> {
    /// Whether it is a rendezvous channel.
    pub fn is_rendezvous(&self) -> bool {
        self.layout.len.is_none()
    }

    /// Number of messages.
    pub fn len(&self, state: &[u8]) -> u32 {
        self.layout.len.map_or(0, |len| {
            self.watch.field(len, self.base);
            len.read(state, self.base) as u32
        })
    }

    /// Storage type of a message field. A channel reference has the number of bits given by the
    /// layout, which suffices for every possible reference.
    pub fn field_type(&self, field: usize) -> IntType {
        self.shape.fields[field].scalar().expect("fields of messages are scalars")
    }

    /// Reports a wrong number of arguments; `few` is the fault for too few.
    pub fn check_arity(&self, given: usize, few: FaultKind, log: &mut Log) {
        match given.cmp(&self.shape.fields.len()) {
            std::cmp::Ordering::Less => log.report(few),
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => log.report(FaultKind::TooManyArguments),
        }
    }

    /// The value of a field of a message.
    pub fn get(&self, state: &[u8], message: u32, field: usize) -> i64 {
        match &self.layout.messages {
            Messages::Packed { all, stride, fields } => {
                let field = fields[field];
                self.watch.field(*all, self.base);
                let word = all.read(state, self.base) as u64 >> (message * stride + field.bit);
                IntType { bits: field.bits, signed: field.signed }.wrap(word as i64)
            }
            Messages::Bytes { base, stride, fields } => {
                let base = self.base + base + message * stride;
                self.watch.field(fields[field], base);
                fields[field].read(state, base)
            }
        }
    }

    /// Inserts a message before position `at`, which may be the end.
    pub fn insert(&self, state: &mut [u8], at: u32, values: &[i64]) {
        let len = self.len(state);
        match &self.layout.messages {
            Messages::Packed { all, stride, fields } => {
                self.watch.field(*all, self.base);
                let word = all.read(state, self.base) as u64;
                let mut message = 0u64;
                for (field, value) in fields.iter().zip(values) {
                    message |= (*value as u64 & ones(field.bits.into())) << field.bit;
                }
                let below = ones(at * stride);
                let moved = shift_left(word & !below, *stride);
                let word = (word & below) | moved | shift_left(message, at * stride);
                all.write(state, self.base, word as i64);
            }
            Messages::Bytes { base, stride, fields } => {
                let first = ((self.base + base) / 8) as usize;
                let size = (stride / 8) as usize;
                let (from, end) = (first + at as usize * size, first + len as usize * size);
                self.watch.range(8 * from as u32, 8 * (end + size) as u32);
                state.copy_within(from..end, from + size);
                state[from..from + size].fill(0);
                for (field, value) in fields.iter().zip(values) {
                    field.write(state, self.base + base + at * stride, *value);
                }
            }
        }
        self.set_len(state, len + 1);
    }

    /// Removes a message.
    pub fn remove(&self, state: &mut [u8], at: u32) {
        let len = self.len(state);
        match &self.layout.messages {
            Messages::Packed { all, stride, .. } => {
                self.watch.field(*all, self.base);
                let word = all.read(state, self.base) as u64;
                let below = ones(at * stride);
                let word = (word & below) | (shift_right(word, *stride) & !below);
                all.write(state, self.base, word as i64);
            }
            Messages::Bytes { base, stride, .. } => {
                let first = ((self.base + base) / 8) as usize;
                let size = (stride / 8) as usize;
                let (hole, end) = (first + at as usize * size, first + len as usize * size);
                self.watch.range(8 * hole as u32, 8 * end as u32);
                state.copy_within(hole + size..end, hole);
                state[end - size..end].fill(0);
            }
        }
        self.set_len(state, len - 1);
    }

    fn set_len(&self, state: &mut [u8], len: u32) {
        if let Some(field) = self.layout.len {
            self.watch.field(field, self.base);
            field.write(state, self.base, len.into());
        }
    }
}

/// The lowest `bits` bits.
fn ones(bits: u32) -> u64 {
    1u64.checked_shl(bits).map_or(u64::MAX, |bit| bit - 1)
}

fn shift_left(word: u64, by: u32) -> u64 {
    word.checked_shl(by).unwrap_or(0)
}

fn shift_right(word: u64, by: u32) -> u64 {
    word.checked_shr(by).unwrap_or(0)
}

/// Position at which a sorted send inserts a message: before the first that is lexicographically
/// larger.
pub(crate) fn sorted_position(state: &[u8], chan: &Chan, values: &[i64]) -> u32 {
    let len = chan.len(state);
    let larger = |message: &u32| {
        let fields = (0..values.len()).map(|field| chan.get(state, *message, field));
        fields.cmp(values.iter().copied()).is_gt()
    };
    (0..len).find(larger).unwrap_or(len)
}
