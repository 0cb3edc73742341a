//! Data races: threads that stand before conflicting accesses (`explore.rs` says why that finds
//! them all).
//!
//! *Entry points:* [`races`], [`races_of_section`].
//! *Invariant:* A race is reported only for accesses that the two steps really make.

use axle_c::code::{Arg, Mem, Op};
use axle_c::library::Touches;

use crate::observers::recorders::Machine;
use crate::state::access::{Access, Span};
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::{ErrorSite, RaceAccess};
use crate::state::value::Value;
use crate::visibility::Next;

impl Machine<'_> {
    /// The accesses that the thread's next step makes, for races; synchronisation makes none.
    pub(crate) fn footprint(&self, t: usize) -> Vec<Access> {
        if self.kind_of_next(t, false) == Next::Visible { self.accesses(t) } else { Vec::new() }
    }

    /// The accesses of the thread's next step, visible or not.
    fn accesses(&self, t: usize) -> Vec<Access> {
        let access = |arg: &Arg, size: u64, write: bool, atomic: bool| match self.arg(t, *arg) {
            Value::Ptr(object, offset) => Some(Access { object, offset, size: size as u32, write, atomic }),
            Value::Undef | Value::Int(_) => None,
        };
        let bytes = |mem: &Mem| match mem.bits {
            Some(bits) => (u64::from(bits.shift) + u64::from(bits.width)).div_ceil(8),
            None => mem.scalar.size.into(),
        };
        match self.next_op(t) {
            Some(Op::Load { addr, mem, .. }) => {
                access(addr, bytes(mem), false, mem.atomic).into_iter().collect()
            }
            Some(
                Op::Store { addr, mem, .. }
                | Op::Exchange { addr, mem, .. }
                | Op::Modify { addr, mem, .. }
                | Op::CompareExchange { addr, mem, .. },
            ) => access(addr, bytes(mem), true, mem.atomic).into_iter().collect(),
            Some(Op::Copy { to, from, size }) => {
                access(to, *size, true, false).into_iter().chain(access(from, *size, false, false)).collect()
            }
            Some(Op::Zero { to, size }) => access(to, *size, true, false).into_iter().collect(),
            Some(Op::Overflow { .. } | Op::VaStart { .. }) => self.trial(t),
            Some(Op::Lib { lib, .. }) => match lib.touches() {
                Touches::Memory => self.trial(t),
                Touches::Both => self.trial(t).into_iter().filter(|access| !access.atomic).collect(),
                Touches::Nothing | Touches::Input | Touches::Synchronisation => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// Whether two accesses make a race.
fn conflict(a: &Access, b: &Access) -> bool {
    a.object == b.object
        && (a.write || b.write)
        && !(a.atomic && b.atomic)
        && i64::from(a.offset) < i64::from(b.offset) + i64::from(b.size)
        && i64::from(b.offset) < i64::from(a.offset) + i64::from(a.size)
}

/// Races of the next step of a thread that is inside an atomic section: what others stand before is
/// outside of any, so nothing puts the two in order.
pub(crate) fn races_of_section(machine: &mut Machine<'_>, t: usize) {
    if !machine.settings.races || machine.running() < 2 {
        return;
    }
    let mine = machine.accesses(t);
    if !mine.iter().any(|access| machine.is_shared(access.object)) {
        return;
    }
    for other in (0..machine.state.threads.len()).filter(|&other| other != t) {
        let theirs = machine.footprint(other);
        if mine.iter().any(|a| theirs.iter().any(|b| conflict(a, b))) {
            machine.observer.deferred_races.extend(race(machine, t, other));
        }
    }
}

/// The data race of the next steps of two threads. None if a step does not make the access that it
/// announces, such as a compare-and-exchange that fails.
fn race(machine: &Machine<'_>, t: usize, other: usize) -> Option<ErrorSite> {
    let (mine, theirs) = (machine.trial(t), machine.trial(other));
    let (access, opposite) =
        mine.iter().find_map(|a| theirs.iter().find(|b| conflict(a, b)).map(|b| (a, b)))?;
    let name = crate::names::place_name(machine, access.object, access.offset, access.size);
    let next = |t: usize, access: &Access| {
        let (code, pc) = machine.stand(t);
        RaceAccess::new(machine.visible_number(t), code << 20 | pc, &span(access), access.atomic)
    };
    let mut error_site = machine.error_site(t, ErrorKind::Race(name));
    error_site.accesses = Some(Box::new([next(t, access), next(other, opposite)]));
    Some(error_site)
}

fn span(access: &Access) -> Span {
    let from = access.offset.max(0) as u32;
    Span { object: access.object, from, to: from.saturating_add(access.size), write: access.write }
}

/// Whether some two threads stand before what looks like conflicting accesses.
pub(crate) fn any_race(plain: &[(usize, Access)]) -> bool {
    plain.iter().enumerate().any(|(index, (t, mine))| {
        plain[index + 1..].iter().any(|(other, theirs)| t != other && conflict(mine, theirs))
    })
}

/// Pairs of threads that stand before conflicting accesses.
pub(crate) fn races(machine: &Machine<'_>, out: &mut Vec<ErrorSite>) {
    if machine.running() < 2 || machine.state.atomic != 0 {
        return;
    }
    let plain: Vec<(usize, Vec<Access>)> = (0..machine.state.threads.len())
        .map(|t| (t, machine.footprint(t)))
        .filter(|(_, accesses)| !accesses.is_empty())
        .collect();
    for (index, (t, mine)) in plain.iter().enumerate() {
        for (other, theirs) in &plain[index + 1..] {
            if mine.iter().any(|a| theirs.iter().any(|b| conflict(a, b))) {
                out.extend(race(machine, *t, *other));
            }
        }
    }
}
