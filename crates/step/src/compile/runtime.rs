//! Data shared by generated code and Rust during an expansion: the context block, the tables that
//! grow with the layout, and the few operations that generated code leaves to Rust.
//!
//! *Entry point:* [`Ctx`], whose address is the first argument of every generated function.
//!
//! *Invariant:* `Compiled::expand` sets the pointers in it before generated code runs; they point
//! to memory that neither moves nor is released until that call returns.

use axle_model::ProcId;

use crate::layout::{ChanLayout, Layout, Messages};

/// Reasons for a bailout on a source state; stored in [`Ctx::bail`].
pub(super) mod bail {
    /// No bailout.
    pub const NONE: u64 = 0;
    /// A definite or possible fault, or a rare construct: the interpreter is required.
    pub const INTERPRET: u64 = 1;
    /// The buffer is full.
    pub const FULL: u64 = 2;
}

/// In [`Ctx::slot_types`]: the tag of the slot determines the type of its process.
pub(super) const MIXED: u32 = u32::MAX;

/// Maximum number of saved states of an atomic sequence before the interpreter is required. It
/// bounds the recursion depth of generated code.
pub(super) const FRAMES: usize = 256;

/// Maximum number of steps inside atomic sequences of one source state before the interpreter is
/// required, which detects infinite sequences. It does not exceed the interpreter's limit for the
/// exploration path by path, because generated code does not detect converging paths.
pub(super) const FUEL: i64 = axle_model::MOST_BY_PATH as i64;

/// The context block of generated code.
#[repr(C)]
pub(super) struct Ctx {
    /// One of [`bail`].
    pub bail: u64,
    /// The value of `timeout`.
    pub timeout: u64,
    /// Remaining steps in atomic sequences of this source.
    pub fuel: i64,
    /// In which entry an atomic sequence continues, plus one, if it is in another segment than the
    /// code that has executed so far; otherwise 0.
    pub resume: u64,
    /// Position of the next successor, valid when the driver is entered or left.
    pub out: *mut u8,
    /// The highest address at which a successor may begin; beyond it there is memory for one more,
    /// and for the output of functions without checks.
    pub limit: *mut u8,
    /// Position of the next entry of [`crate::Batch::ends`].
    pub ends: *mut u32,
    /// The last entry written there.
    pub count: u64,
    /// For every process type, one flag per edge.
    pub taken: *const *mut bool,
    /// The first free byte of the memory for saved states.
    pub frames: *mut u8,
    /// The end of that memory, minus one state.
    pub frames_end: *mut u8,
    /// For every process number, the byte offset of its slot.
    pub slot_bases: *const u32,
    /// For every process number, its type, or [`MIXED`].
    pub slot_types: *const u32,
    /// Number of slots.
    pub slot_count: u64,
    /// Bytes of a state.
    pub width: u64,
    /// Positions of the channels of the model: the reference `v` is row `v - 1`.
    pub rows: *const Row,
    /// Whether an `enabled` is being evaluated.
    pub testing: u64,
    /// Data for the functions below.
    pub tables: *const Tables,
    /// Position at which the driver writes `out` after each process of each source; only if
    /// executing processes are requested.
    pub stops: *mut u64,
    /// The rendezvous so far; only if executing processes are requested.
    pub shakes: *mut Vec<Shake>,
}

impl Ctx {
    /// A context without pointers, for states of `width` bytes.
    pub fn new(width: usize) -> Ctx {
        Ctx {
            bail: bail::NONE,
            timeout: 0,
            fuel: 0,
            resume: 0,
            out: std::ptr::null_mut(),
            limit: std::ptr::null_mut(),
            ends: std::ptr::null_mut(),
            count: 0,
            taken: std::ptr::null(),
            frames: std::ptr::null_mut(),
            frames_end: std::ptr::null_mut(),
            slot_bases: std::ptr::null(),
            slot_types: std::ptr::null(),
            slot_count: 0,
            width: width as u64,
            rows: std::ptr::null(),
            testing: 0,
            tables: std::ptr::null(),
            stops: std::ptr::null_mut(),
            shakes: std::ptr::null_mut(),
        }
    }

    /// Sets its pointers to the tables, which must not move while it is used.
    pub fn aim(&mut self, tables: &Tables) {
        self.tables = tables;
        self.slot_bases = tables.slot_bases.as_ptr();
        self.slot_types = tables.slot_types.as_ptr();
        self.slot_count = tables.slot_bases.len() as u64;
        self.rows = tables.rows.as_ptr();
    }
}

/// A rendezvous: it belongs to every successor that begins in a range of addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shake {
    /// The first of these addresses.
    pub from: u64,
    /// The address after them.
    pub to: u64,
    /// The numbers of both processes, the smaller first.
    pub pids: [u32; 2],
}

/// Records a rendezvous.
pub(super) unsafe extern "C" fn shake(ctx: *mut Ctx, from: u64, to: u64, sender: u64, receiver: u64) -> u64 {
    // SAFETY: where movers are wanted, the list outlives the call of generated code, which alone
    // leads here.
    let shakes = unsafe { &mut *(*ctx).shakes };
    let (sender, receiver) = (sender as u32, receiver as u32);
    shakes.push(Shake { from, to, pids: [sender.min(receiver), sender.max(receiver)] });
    0
}

/// Position of a channel in a state; all offsets are relative to the first byte of the state.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Index of its group of channels with the same internal layout.
    pub group: u32,
    /// Byte of the number of messages.
    pub len_byte: u32,
    /// Bit offset in that byte.
    pub len_shift: u32,
    /// Byte of the first message, or of the packed messages.
    pub msg_byte: u32,
    /// Bit offset of the packed messages.
    pub msg_shift: u32,
}

/// Internal layouts of channels, independent of their positions.
pub(super) type Groups = Vec<ChanLayout>;

/// Tables that change when the layout grows.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub layout: Layout,
    pub slot_bases: Vec<u32>,
    pub slot_types: Vec<u32>,
    /// Channels of the model.
    pub rows: Vec<Row>,
    /// For every process number and each type that its slot may hold, the first of its rows in
    /// `own_rows`.
    own_at: Vec<Vec<(ProcId, usize)>>,
    own_rows: Vec<Row>,
    /// For every process type, whether each of its locations has a progress label.
    progress: Vec<Vec<bool>>,
    /// For every process type, whether each of its locations has an acceptance label.
    accept: Vec<Vec<bool>>,
    max_channels: usize,
    /// For every process type, the number of channels that it owns.
    own_channels: Vec<usize>,
    /// For every process type, the function that tests whether a process of it is enabled.
    pub enabled: Vec<Option<EnabledFn>>,
}

/// `(ctx, state, slot offset, pid, provided)`: whether the process has an executable edge.
pub(super) type EnabledFn = unsafe extern "C" fn(*mut Ctx, *const u8, u64, u64, u64) -> u64;

/// The same channel without its address.
pub(super) fn group_of(chan: &ChanLayout) -> ChanLayout {
    let mut group = chan.clone();
    if let Some(len) = &mut group.len {
        len.bit = 0;
    }
    match &mut group.messages {
        Messages::Packed { all, .. } => all.bit = 0,
        Messages::Bytes { base, .. } => *base = 0,
    }
    group
}

/// The distinct groups of all channels that a reference may denote.
pub(super) fn groups(layout: &Layout) -> Groups {
    let mut groups = Groups::new();
    for chan in layout.channels.iter().chain(layout.procs.iter().flat_map(|p| &p.channels)) {
        let group = group_of(chan);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

fn row(groups: &Groups, chan: &ChanLayout, base: u32) -> Row {
    let group = group_of(chan);
    let index = groups.iter().position(|g| *g == group).unwrap_or(0);
    let (len_bit, msg_bit) = match (&chan.len, &chan.messages) {
        (Some(len), Messages::Packed { all, .. }) => (base + len.bit, base + all.bit),
        (Some(len), Messages::Bytes { base: first, .. }) => (base + len.bit, base + first),
        (None, _) => (0, 0),
    };
    Row {
        group: index as u32,
        len_byte: len_bit / 8,
        len_shift: len_bit % 8,
        msg_byte: msg_bit / 8,
        msg_shift: msg_bit % 8,
    }
}

impl Tables {
    /// The tables for `layout`, with the functions that test processes.
    pub fn new(
        model: &axle_model::Model,
        layout: &Layout,
        groups: &Groups,
        enabled: Vec<Option<EnabledFn>>,
    ) -> Tables {
        let mut own_rows = Vec::new();
        let own_at = (layout.slots.iter())
            .map(|slot| {
                let with_channels =
                    slot.types.iter().filter(|t| !layout.procs[t.index()].channels.is_empty());
                with_channels
                    .map(|&t| {
                        let at = own_rows.len();
                        let channels = &layout.procs[t.index()].channels;
                        own_rows.extend(channels.iter().map(|c| row(groups, c, slot.base)));
                        (t, at)
                    })
                    .collect()
            })
            .collect();
        Tables {
            slot_bases: layout.slots.iter().map(|s| s.base / 8).collect(),
            slot_types: (layout.slots.iter())
                .map(|s| match s.types.as_slice() {
                    [only] => only.0,
                    _ => MIXED,
                })
                .collect(),
            rows: layout.channels.iter().map(|c| row(groups, c, 0)).collect(),
            own_at,
            own_rows,
            progress: (model.processes.iter())
                .map(|p| p.locations.iter().map(|l| l.progress).collect())
                .collect(),
            accept: (model.processes.iter())
                .map(|p| p.locations.iter().map(|l| l.accept).collect())
                .collect(),
            max_channels: model.semantics.max_channels as usize,
            own_channels: model.processes.iter().map(|p| p.channels.len()).collect(),
            enabled,
            layout: layout.clone(),
        }
    }

    /// Number of processes in `state`.
    pub fn count(&self, state: &[u8]) -> usize {
        self.layout.count.read(state, 0) as usize
    }

    /// Type and location of the process with number `pid`, if it exists.
    pub fn standing(&self, state: &[u8], pid: usize) -> Option<(ProcId, usize)> {
        let slot = self.layout.slots.get(pid).filter(|_| pid < self.count(state))?;
        let first = slot.types.first()?;
        let proc = match (slot.types.len(), self.layout.procs[first.index()].tag) {
            (1, _) | (_, None) => *first,
            (_, Some(tag)) => ProcId(tag.read(state, slot.base) as u32),
        };
        let pc = self.layout.procs[proc.index()].pc.read(state, slot.base) as usize;
        Some((proc, pc.checked_sub(1)?))
    }

    /// Its priority, if the model uses priorities.
    pub fn priority(&self, state: &[u8], pid: usize) -> Option<i64> {
        let (proc, _) = self.standing(state, pid)?;
        let field = self.layout.procs[proc.index()].priority?;
        Some(field.read(state, self.layout.slots[pid].base))
    }

    fn resolve(&self, state: &[u8], value: u64) -> Option<&Row> {
        let (chan, pid) = self.layout.chan_target(u32::try_from(value).ok()?)?;
        match chan {
            axle_model::ChanRef::Global(index) => self.rows.get(index as usize),
            axle_model::ChanRef::Own(index) => {
                let (proc, _) = self.standing(state, pid as usize)?;
                let (_, at) = self.own_at[pid as usize].iter().find(|(t, _)| *t == proc)?;
                let channels = self.layout.procs[proc.index()].channels.len();
                ((index as usize) < channels).then(|| &self.own_rows[at + index as usize])
            }
        }
    }
}

/// The tables and the state behind the pointers that generated code passes.
///
/// # Safety
/// `ctx` and its `tables` are valid, and `state` points to a whole state.
unsafe fn view<'a>(ctx: *mut Ctx, state: *const u8) -> (&'a Tables, &'a [u8]) {
    // SAFETY: generated code passes on the context that it was called with, whose tables outlive
    // the call.
    let tables = unsafe { &*(*ctx).tables };
    // SAFETY: generated code only passes addresses of whole states: a source, a successor, a kept
    // state.
    let state = unsafe { std::slice::from_raw_parts(state, tables.layout.width()) };
    (tables, state)
}

/// The row of a channel reference, or null if it is invalid.
pub(super) unsafe extern "C" fn resolve(ctx: *mut Ctx, state: *const u8, value: u64) -> *const Row {
    // SAFETY: as `view` asks.
    let (tables, state) = unsafe { view(ctx, state) };
    tables.resolve(state, value).map_or(std::ptr::null(), std::ptr::from_ref)
}

/// The slot of process `pid` in `state`, or null if the process does not exist or is of another
/// type.
pub(super) unsafe extern "C" fn slot_of(ctx: *mut Ctx, state: *const u8, pid: u64, proc: u64) -> *const u8 {
    // SAFETY: as `view` asks.
    let (tables, bytes) = unsafe { view(ctx, state) };
    match usize::try_from(pid).ok().and_then(|pid| Some((pid, tables.standing(bytes, pid)?))) {
        Some((pid, (found, _))) if u64::from(found.0) == proc => {
            bytes[tables.slot_bases[pid] as usize..].as_ptr()
        }
        _ => std::ptr::null(),
    }
}

/// The location of process `pid`, or `u64::MAX` if it does not exist.
pub(super) unsafe extern "C" fn location(ctx: *mut Ctx, state: *const u8, pid: u64) -> u64 {
    // SAFETY: as `view` asks.
    let (tables, state) = unsafe { view(ctx, state) };
    usize::try_from(pid)
        .ok()
        .and_then(|pid| tables.standing(state, pid))
        .map_or(u64::MAX, |(_, loc)| loc as u64)
}

/// The priority of process `pid`: 0 if it does not exist, 1 if the model has no priorities.
pub(super) unsafe extern "C" fn priority(ctx: *mut Ctx, state: *const u8, pid: u64) -> u64 {
    // SAFETY: as `view` asks.
    let (tables, state) = unsafe { view(ctx, state) };
    match usize::try_from(pid).ok().filter(|&pid| tables.standing(state, pid).is_some()) {
        Some(pid) => tables.priority(state, pid).map_or(1, |p| p as u64),
        None => 0,
    }
}

/// Sets the priority of process `pid`, if it exists and the model has priorities.
pub(super) unsafe extern "C" fn set_priority(ctx: *mut Ctx, state: *mut u8, pid: u64, value: u64) {
    // SAFETY: as `view` asks.
    let (tables, bytes) = unsafe { view(ctx, state) };
    let Some((pid, (proc, _))) =
        usize::try_from(pid).ok().and_then(|pid| Some((pid, tables.standing(bytes, pid)?)))
    else {
        return;
    };
    if let Some(field) = tables.layout.procs[proc.index()].priority {
        // SAFETY: the state is a successor under construction, which nothing else refers to now:
        // `bytes` is not used any more.
        let bytes = unsafe { std::slice::from_raw_parts_mut(state, tables.layout.width()) };
        field.write(bytes, tables.layout.slots[pid].base, value as i64);
    }
}

/// 1 if no process is at a progress location.
pub(super) unsafe extern "C" fn non_progress(ctx: *mut Ctx, state: *const u8) -> u64 {
    // SAFETY: as `view` asks.
    let (tables, state) = unsafe { view(ctx, state) };
    let progress =
        |pid| tables.standing(state, pid).is_some_and(|(proc, loc)| tables.progress[proc.index()][loc]);
    u64::from(!(0..tables.count(state)).any(progress))
}

/// 1 if some process is at an acceptance label.
pub(super) unsafe extern "C" fn accepting(ctx: *mut Ctx, state: *const u8) -> u64 {
    // SAFETY: as `view` asks.
    let (tables, state) = unsafe { view(ctx, state) };
    let accept =
        |pid| tables.standing(state, pid).is_some_and(|(proc, loc)| tables.accept[proc.index()][loc]);
    u64::from((0..tables.count(state)).any(accept))
}

/// Whether the channels of one more process of type `proc` are within the limit.
pub(super) unsafe extern "C" fn channels_fit(ctx: *mut Ctx, state: *const u8, proc: u64) -> u64 {
    // SAFETY: as `view` asks.
    let (tables, state) = unsafe { view(ctx, state) };
    let count = tables.count(state);
    let alive: usize = (0..count)
        .filter_map(|pid| tables.standing(state, pid))
        .map(|(proc, _)| tables.own_channels[proc.index()])
        .sum();
    let after = tables.rows.len() + alive + tables.own_channels[proc as usize];
    let last = tables.layout.numbers.first_own as usize + (count + 1) * tables.layout.numbers.stride as usize;
    u64::from(after <= tables.max_channels && last <= 65_536)
}

/// Whether process `pid` has an executable edge, regardless of `provided`: the semantics of
/// `enabled`.
pub(super) unsafe extern "C" fn enabled(ctx: *mut Ctx, state: *const u8, pid: u64) -> u64 {
    // SAFETY: passes on what this function was called with.
    unsafe { test(ctx, state, pid, false) }
}

/// Whether process `pid` is enabled, regardless of priorities.
///
/// # Safety
/// As for [`view`].
pub(super) unsafe fn may_move(ctx: *mut Ctx, state: *const u8, pid: u64) -> bool {
    // SAFETY: passes on what this function was called with.
    unsafe { test(ctx, state, pid, true) != 0 }
}

/// Tests by generated code whether a process is enabled. Bails out on a nested test: the
/// interpreter handles nested tests and their faults.
///
/// # Safety
/// As for [`view`].
unsafe fn test(ctx: *mut Ctx, state: *const u8, pid: u64, provided: bool) -> u64 {
    // SAFETY: as `view` asks.
    let (tables, bytes) = unsafe { view(ctx, state) };
    let Some((pid, (proc, _))) =
        usize::try_from(pid).ok().and_then(|pid| Some((pid, tables.standing(bytes, pid)?)))
    else {
        return 0;
    };
    // SAFETY: the context is valid, and nothing else holds a reference into it while Rust runs.
    let testing = unsafe { &mut (*ctx).testing };
    let Some(function) = tables.enabled[proc.index()].filter(|_| *testing == 0) else {
        // SAFETY: as above.
        unsafe { (*ctx).bail = bail::INTERPRET };
        return 0;
    };
    *testing = 1;
    // SAFETY: the function was generated for this type, and the slot holds a process of it.
    let answer =
        unsafe { function(ctx, state, u64::from(tables.slot_bases[pid]), pid as u64, u64::from(provided)) };
    // SAFETY: as above; generated code has returned.
    unsafe { (*ctx).testing = 0 };
    answer
}

/// Whether a process with a higher priority than `pid` is enabled.
pub(super) unsafe extern "C" fn outranked(ctx: *mut Ctx, state: *const u8, pid: u64) -> u64 {
    // SAFETY: as `view` asks.
    let (tables, bytes) = unsafe { view(ctx, state) };
    let own = tables.priority(bytes, pid as usize).unwrap_or(0);
    let above = |other: usize| tables.priority(bytes, other).is_some_and(|p| p > own);
    // SAFETY: passes on what this function was called with.
    let first = |other: usize| above(other) && unsafe { may_move(ctx, state, other as u64) };
    u64::from((0..tables.count(bytes)).any(first))
}
