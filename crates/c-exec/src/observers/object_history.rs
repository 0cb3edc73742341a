//! The history of dynamic objects along one execution: names, allocation, deallocation. States do
//! not contain it, so it does not enlarge the state space; it is reconstructed when a trace is
//! replayed (`trace.rs`).
//!
//! *Entry points:* [`ObjectRecords::update`] after each step, [`ObjectRecords::renumber`] when a
//! state is encoded.

use axle_c::code::{Origin, StaticKind};

use crate::names::{Names, OF_LIBRARY, joined};
use crate::observers::recorders::{Machine, Recorded};
use crate::state::object_records::{Event, ObjectRecord, ObjectRecords};
use crate::state::program_state::ObjectKind;
use crate::state::value::Value;

impl ObjectRecords {
    /// Records the objects that the last step allocated and freed; `event` is that step.
    pub fn update(&mut self, machine: &Machine<'_>, event: Option<&Event>) {
        self.records.resize(machine.state.objects.len(), ObjectRecord::default());
        for (record, object) in self.records.iter_mut().zip(&machine.state.objects) {
            match object.kind {
                ObjectKind::Heap if record.number == 0 || record.freed.is_some() => {
                    self.allocated += 1;
                    *record = ObjectRecord {
                        number: self.allocated,
                        site: object.site,
                        size: object.size,
                        allocated: event.cloned(),
                        ..ObjectRecord::default()
                    };
                }
                ObjectKind::Freed if record.number == 0 => {
                    self.allocated += 1;
                    (record.number, record.size, record.freed) =
                        (self.allocated, object.size, event.cloned());
                }
                ObjectKind::Freed if record.freed.is_none() => record.freed = event.cloned(),
                _ => {}
            }
        }
        self.name_variables(machine);
    }

    fn of_mut(&mut self, machine: &Machine<'_>, object: u32) -> Option<&mut ObjectRecord> {
        let place = (object as usize).checked_sub(machine.program.statics.len() + 1)?;
        self.records.get_mut(place)
    }

    /// Records the name of the thread that an object stands for.
    pub fn name_thread(&mut self, machine: &Machine<'_>, object: u32, name: &str) {
        if let Some(record) = self.of_mut(machine, object) {
            record.name.clear();
            record.name.push_str(name);
        }
    }

    /// Local variables in memory, whose names are needed after their lifetime has ended.
    fn name_variables(&mut self, machine: &Machine<'_>) {
        for frame in machine
            .state
            .threads
            .iter()
            .flat_map(|thread| thread.frames.iter().map(|frame| (frame, &thread.slots)))
        {
            let (frame, slots) = frame;
            let code = &machine.program.codes[frame.code as usize];
            for (index, slot) in code.slots.iter().enumerate() {
                let object = slots[frame.slots as usize + index];
                if let Some(record) = self.of_mut(machine, object)
                    && record.name.is_empty()
                {
                    record.name = match code.internal || slot.internal {
                        true => OF_LIBRARY.into(),
                        false => format!("{}::{}", code.name, slot.name),
                    };
                }
            }
        }
    }

    /// Records the variables that point to heap blocks.
    pub fn note_holders(&mut self, names: &Names<'_, '_, Recorded>) {
        for (object, holder) in holders(names) {
            if let Some(record) = self.of_mut(names.machine, object)
                && record.number > 0
                && record.holder.is_none()
            {
                record.holder = Some(holder);
            }
        }
    }

    /// Objects get new numbers when a state is encoded: `order` gives the old place of each.
    pub fn renumber(&mut self, order: &[u32]) {
        self.records =
            order.iter().map(|&at| self.records.get(at as usize).cloned().unwrap_or_default()).collect();
    }
}

/// The objects to whose first byte a variable of the user with static storage duration points, with
/// its name.
fn holders(names: &Names<'_, '_, Recorded>) -> Vec<(u32, String)> {
    let machine = names.machine;
    let mut found = Vec::new();
    for (index, fixed) in machine.program.statics.iter().enumerate() {
        let StaticKind::Variable(start) = fixed.kind else { continue };
        if fixed.constant || fixed.origin == Origin::Internal {
            continue;
        }
        let (start, end) = (start as usize, (start + fixed.size) as usize);
        let mut at = start;
        while let Some(next) = machine.next_pointer(at, end) {
            let (object, offset) = machine.unpack(next);
            if offset == 0 && machine.object(object).is_some() {
                let place = (index as u32 + 1, (next - start) as i32);
                found.push((object, names.place(place, machine.pointer_size() as u32)));
            }
            at = next + machine.pointer_size();
        }
    }
    found
}

/// The name of a variable that points to the first byte of an object now: one with static storage
/// duration, or a local variable of thread `t`.
pub fn holder(names: &Names<'_, '_, Recorded>, t: usize, object: u32) -> Option<String> {
    let machine = names.machine;
    if let Some((_, name)) = holders(names).into_iter().find(|(held, _)| *held == object) {
        return Some(name);
    }
    let thread = machine.state.threads.get(t)?;
    let frame = thread.frames.iter().rev().find(|frame| !machine.program.codes[frame.code as usize].ours)?;
    let points = |(_, _, reg): &&(_, _, u32)| {
        thread.regs.get((frame.regs + reg) as usize) == Some(&Value::Ptr(object, 0))
    };
    let code = &machine.program.codes[frame.code as usize];
    code.names.iter().find(points).map(|(name, _, _)| name.to_string())
}

/// The name of a part of what a pointer variable points to: `current->name`, `list[2]`, `*count`.
pub fn through(holder: &str, path: &str) -> String {
    match path.strip_prefix('.') {
        Some(member) => format!("{holder}->{member}"),
        None if path.is_empty() => format!("*{holder}"),
        None => joined(holder, path),
    }
}
