//! The layout of a state, shared by interpreter and compiler.
//!
//! A state is a byte string of fixed width (a multiple of 4): globals and channels first, then one
//! *slot* per process number. A scalar is stored in a [`Field`]: up to 8 bits never cross a byte
//! boundary, wider ones start on a byte and take 2, 4 or 8 bytes. Every access to a field is
//! therefore one load or store, and sub-byte fields share bytes.
//!
//! *Entry point:* [`Layout::new`].
//!
//! Not stored: contents of rendezvous channels (empty between steps) and variables that are not
//! written after the prologue, which are in a *constant segment* with the same kind of addresses.
//!
//! *Invariant:* all bits that no live field covers are 0 (absent slots, removed messages, padding),
//! so equal states are equal bytes. Slots are last, so [`Layout::grow`] only appends zeros to every
//! state.

use axle_model::access::{ChannelNumbers, created_types, reference_type, written_globals};
use axle_model::{ChanRef, Expr, Model, ProcId, Process, Shape, ShapeId, Type};

/// A scalar in a state, relative to the first bit of its owner (state, slot, message).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Offset in bits from the owner's first bit.
    pub bit: u32,
    /// Width in bits, 1 to 64. Up to 8: within one byte. More: byte-aligned, in [`Field::bytes`]
    /// bytes.
    pub bits: u8,
    /// Whether the stored value is sign-extended when read.
    pub signed: bool,
}

impl Field {
    /// Number of bytes of one access: 1, 2, 4 or 8.
    pub fn bytes(self) -> u32 {
        match self.bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            _ => 8,
        }
    }

    /// The value in `state`, for an owner at bit `base` (a multiple of 8 for wide fields).
    #[inline]
    pub fn read(self, state: &[u8], base: u32) -> i64 {
        let bit = base + self.bit;
        let (byte, shift) = ((bit / 8) as usize, bit % 8);
        let value = match self.bits {
            0..=8 => u64::from(state[byte]) >> shift,
            9..=16 => u64::from(u16::from_le_bytes(bytes_at(state, byte))),
            17..=32 => u64::from(u32::from_le_bytes(bytes_at(state, byte))),
            _ => u64::from_le_bytes(bytes_at(state, byte)),
        };
        let unused = 64 - u32::from(self.bits);
        if self.signed { ((value << unused) as i64) >> unused } else { (value << unused >> unused) as i64 }
    }

    /// Stores the low bits of `value`.
    #[inline]
    pub fn write(self, state: &mut [u8], base: u32, value: i64) {
        let bit = base + self.bit;
        let (byte, shift) = ((bit / 8) as usize, bit % 8);
        let mask = u64::MAX >> (64 - u32::from(self.bits));
        if self.bits <= 8 {
            let mask = (mask << shift) as u8;
            state[byte] = (state[byte] & !mask) | (((value as u64) << shift) as u8 & mask);
            return;
        }
        // The remaining bits of these bytes are unused and 0.
        let word = (value as u64 & mask).to_le_bytes();
        let n = self.bytes() as usize;
        state[byte..byte + n].copy_from_slice(&word[..n]);
    }
}

#[inline]
fn bytes_at<const N: usize>(state: &[u8], byte: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&state[byte..byte + N]);
    bytes
}

/// A variable of any type, relative to its owner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Data {
    /// A scalar.
    Scalar(Field),
    /// A record: its fields in order of declaration.
    Record(Vec<Data>),
    /// An array: element 0, and the distance between elements in bits. The distance is 1, 2 or 4
    /// (elements are then scalars of as many bits or fewer, and element 0 is byte-aligned) or a
    /// multiple of 8.
    Array {
        /// The first element.
        first: Box<Data>,
        /// Bits from one element to the next.
        stride: u32,
        /// Number of elements.
        len: u32,
    },
}

/// Location of a global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// In the state.
    State(Data),
    /// In the constant segment: not written after the prologue.
    Constant(Data),
}

/// Location of the messages of a channel, relative to its owner (the state, or the slot of its
/// process).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChanLayout {
    /// Capacity and field types.
    pub shape: ShapeId,
    /// Number of messages; `None` for a rendezvous channel, which stores nothing.
    pub len: Option<Field>,
    /// Location of the messages; message 0 is the head.
    pub messages: Messages,
}

/// Storage of messages. A message without fields takes no bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Messages {
    /// All messages in one field of at most 64 bits: message `i` begins at bit `i * stride`, its
    /// field `f` `fields[f].bit` bits above. Removing the head is a right shift.
    Packed {
        /// All messages.
        all: Field,
        /// Number of bits per message.
        stride: u32,
        /// The fields of one message; they may cross byte boundaries.
        fields: Vec<Field>,
    },
    /// Consecutive messages, each starting at a byte boundary.
    Bytes {
        /// First bit of message 0, a multiple of 8.
        base: u32,
        /// Number of bits per message, a multiple of 8.
        stride: u32,
        /// The fields of one message, relative to its start.
        fields: Vec<Field>,
    },
}

/// Contents of a slot for a process of one type. All offsets are relative to the slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcLayout {
    /// The type tag (the type's id), if some slot can hold different types; always at bit 0.
    pub tag: Option<Field>,
    /// The location plus 1; 0 if there is no process. Types that share a slot use the same
    /// position.
    pub pc: Field,
    /// The priority, if the model uses priorities.
    pub priority: Option<Field>,
    /// Parameters and locals.
    pub locals: Vec<Data>,
    /// Channels that belong to the process.
    pub channels: Vec<ChanLayout>,
    /// Number of bytes that the type needs.
    pub bytes: u32,
}

/// The slot of one process number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The first bit, a multiple of 8.
    pub base: u32,
    /// The types that it may hold, in order of id.
    pub types: Vec<ProcId>,
}

/// The layout of a model's states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Number of processes, including terminated ones that still hold their number.
    pub count: Field,
    /// The process that executed the last step, if the model uses `_last`.
    pub last: Option<Field>,
    /// Globals.
    pub globals: Vec<Home>,
    /// Bytes of the constant segment.
    pub constant_bytes: u32,
    /// Global channels, relative to the state.
    pub channels: Vec<ChanLayout>,
    /// Process types.
    pub procs: Vec<ProcLayout>,
    /// Slots by process number, for the current number of slots.
    pub slots: Vec<Slot>,
    /// The numbering of channel references.
    pub numbers: ChannelNumbers,
    /// Types that `run` can create; if empty, no slot is ever added.
    runnable: Vec<ProcId>,
    /// Bytes of a state, a multiple of 4.
    width: u32,
}

/// Bit allocator: wide fields from the end, narrow ones into the first byte with free bits.
struct Cursor {
    /// Number of bits allocated, up to a byte boundary.
    end: u32,
    /// Bytes with free bits: the first free bit and the number of free bits.
    gaps: Vec<(u32, u32)>,
}

impl Cursor {
    fn at(bit: u32) -> Self {
        let mut cursor = Cursor { end: bit.next_multiple_of(8), gaps: Vec::new() };
        if cursor.end > bit {
            cursor.gaps.push((bit, cursor.end - bit));
        }
        cursor
    }

    fn bytes(&mut self, count: u32) -> u32 {
        let start = self.end;
        self.end += 8 * count;
        start
    }

    fn field(&mut self, bits: u8, signed: bool) -> Field {
        let mut field = Field { bit: 0, bits, signed };
        let need = u32::from(bits);
        if bits >= 8 {
            field.bit = self.bytes(field.bytes());
        } else if let Some(gap) = self.gaps.iter_mut().find(|(_, room)| *room >= need) {
            field.bit = gap.0;
            *gap = (gap.0 + need, gap.1 - need);
        } else {
            field.bit = self.bytes(1);
            self.gaps.push((field.bit + need, 8 - need));
        }
        field
    }
}

/// Number of bits that represent every value from 0 to `max`.
fn bits_for(max: u32) -> u8 {
    (32 - max.leading_zeros()).max(1) as u8
}

impl Layout {
    /// The layout of `model`, with slots for the initial processes.
    pub fn new(model: &Model) -> Layout {
        let runnable = created_types(model);
        let numbers = ChannelNumbers::new(model);
        let types = TypeLayout { model, chan_bits: reference_type(model).bits };

        let mut at = Cursor::at(0);
        let count_bits = if runnable.is_empty() {
            bits_for(model.start.len() as u32)
        } else {
            bits_for(model.semantics.max_processes)
        };
        let count = at.field(count_bits, false);
        let last = uses_last(model).then(|| at.field(count_bits, false));
        let written = written_globals(model);
        let mut constants = Cursor::at(0);
        let globals = (model.globals.iter().zip(&written))
            .map(|(var, &written)| match written {
                true => Home::State(types.data(&mut at, &var.ty)),
                false => Home::Constant(types.data(&mut constants, &var.ty)),
            })
            .collect();
        let channels = model.channels.iter().map(|c| types.channel(&mut at, c.shape)).collect();

        let start: Vec<Vec<ProcId>> = (0..model.start.len()).map(|i| types_at(model, &runnable, i)).collect();
        let mixed = |proc: ProcId| {
            let dynamic = !runnable.is_empty() && runnable.contains(&proc) && runnable.len() > 1;
            dynamic || start.iter().any(|set| set.len() > 1 && set.contains(&proc))
        };
        let procs = (model.processes.iter().enumerate())
            .map(|(i, p)| types.process(p, mixed(ProcId::new(i))))
            .collect();

        let first_slot = at.end;
        let mut layout = Layout {
            count,
            last,
            globals,
            constant_bytes: constants.end / 8,
            channels,
            procs,
            slots: Vec::new(),
            numbers,
            runnable,
            width: 0,
        };
        let mut base = first_slot;
        for types in start {
            let bytes = layout.slot_bytes(&types);
            layout.slots.push(Slot { base, types });
            base += 8 * bytes;
        }
        layout.set_width(base);
        layout
    }

    /// Bytes of a state, a multiple of 4.
    pub fn width(&self) -> usize {
        self.width as usize
    }

    /// Type of process `pid` in a state; `None` if the process does not exist in it, for example
    /// because it was created within the atomic sequence.
    pub fn process_type(&self, state: &[u8], pid: u32) -> Option<ProcId> {
        let slot = self.slots.get(pid as usize)?;
        let first = *slot.types.first()?;
        let place = &self.procs[first.index()];
        if place.pc.read(state, slot.base) == 0 {
            return None;
        }
        match place.tag {
            Some(tag) => u32::try_from(tag.read(state, slot.base)).ok().map(ProcId),
            None => Some(first),
        }
    }

    /// Whether processes can be created, so that [`Layout::grow`] may be called.
    pub fn can_grow(&self) -> bool {
        !self.runnable.is_empty()
    }

    /// Adds slots up to `slots` process numbers. States of the old layout become states of the new
    /// one by appending zero bytes.
    pub fn grow(&mut self, slots: usize) {
        assert!(!self.runnable.is_empty(), "only a model with `run` creates processes");
        let bytes = self.slot_bytes(&self.runnable);
        let mut base = match self.slots.last() {
            Some(slot) => slot.base + 8 * self.slot_bytes(&slot.types),
            None => self.first_free_bit(),
        };
        while self.slots.len() < slots {
            self.slots.push(Slot { base, types: self.runnable.clone() });
            base += 8 * bytes;
        }
        self.set_width(base);
    }

    /// The reference to a channel: of the model, or of the process with number `pid`.
    pub fn chan_value(&self, chan: ChanRef, pid: u32) -> u32 {
        self.numbers.reference(chan, pid)
    }

    /// The channel denoted by a reference: a channel of the model, or the number of a process and
    /// the index of its channel. The caller must check that the process exists and has such a
    /// channel.
    pub fn chan_target(&self, value: u32) -> Option<(ChanRef, u32)> {
        self.numbers.target(value)
    }

    fn slot_bytes(&self, types: &[ProcId]) -> u32 {
        types.iter().map(|t| self.procs[t.index()].bytes).max().unwrap_or(0)
    }

    fn first_free_bit(&self) -> u32 {
        self.width * 8
    }

    fn set_width(&mut self, end: u32) {
        self.width = (end / 8).next_multiple_of(4).max(4);
    }
}

/// Layout of types; the number of bits of a channel reference depends on the model.
struct TypeLayout<'m> {
    model: &'m Model,
    chan_bits: u8,
}

impl TypeLayout<'_> {
    fn scalar(&self, ty: &Type) -> Option<(u8, bool)> {
        match ty {
            Type::Chan => Some((self.chan_bits, false)),
            _ => ty.scalar().map(|int| (int.bits, int.signed)),
        }
    }

    fn data(&self, at: &mut Cursor, ty: &Type) -> Data {
        if let Some((bits, signed)) = self.scalar(ty) {
            return Data::Scalar(at.field(bits, signed));
        }
        match ty {
            Type::Record(id) => {
                let fields = &self.model.records[id.index()].fields;
                Data::Record(fields.iter().map(|f| self.data(at, &f.ty)).collect())
            }
            Type::Array(elem, len) => self.array(at, elem, *len),
            Type::Int(..) | Type::Chan => unreachable!("scalars are handled above"),
        }
    }

    fn array(&self, at: &mut Cursor, elem: &Type, len: u32) -> Data {
        if let Some((bits, signed)) = self.scalar(elem).filter(|(bits, _)| *bits <= 4) {
            let stride = u32::from(bits).next_power_of_two();
            let bit = at.bytes((stride * len).div_ceil(8));
            let first = Box::new(Data::Scalar(Field { bit, bits, signed }));
            return Data::Array { first, stride, len };
        }
        let start = at.end;
        let mut inner = Cursor::at(start);
        let first = Box::new(self.data(&mut inner, elem));
        let stride = inner.end - start;
        at.bytes(stride / 8 * len);
        Data::Array { first, stride, len }
    }

    fn channel(&self, at: &mut Cursor, id: ShapeId) -> ChanLayout {
        let shape: &Shape = &self.model.shapes[id.index()];
        let scalars: Vec<(u8, bool)> =
            (shape.fields.iter()).map(|ty| self.scalar(ty).expect("message fields are scalars")).collect();
        let tight: u32 = scalars.iter().map(|(bits, _)| u32::from(*bits)).sum();
        let capacity = shape.capacity;
        if capacity == 0 {
            let messages = Messages::Bytes { base: at.end, stride: 0, fields: Vec::new() };
            return ChanLayout { shape: id, len: None, messages };
        }
        let len = Some(at.field(bits_for(capacity), false));
        if u64::from(tight) * u64::from(capacity) <= 64 {
            let mut bit = 0;
            let fields = (scalars.iter())
                .map(|&(bits, signed)| {
                    let field = Field { bit, bits, signed };
                    bit += u32::from(bits);
                    field
                })
                .collect();
            let bits = (tight * capacity).max(1) as u8;
            let messages = Messages::Packed { all: at.field(bits, false), stride: tight, fields };
            return ChanLayout { shape: id, len, messages };
        }
        let mut inner = Cursor::at(0);
        let fields: Vec<Field> = scalars.iter().map(|&(bits, signed)| inner.field(bits, signed)).collect();
        let stride = inner.end;
        let base = at.bytes(stride / 8 * capacity);
        ChanLayout { shape: id, len, messages: Messages::Bytes { base, stride, fields } }
    }

    fn process(&self, process: &Process, tagged: bool) -> ProcLayout {
        let mut at = Cursor::at(0);
        let most = self.model.processes.iter().map(|p| p.locations.len()).max().unwrap_or(0);
        let (tag, pc) = if tagged {
            // Types that share a slot agree on the position of tag and pc, so both are sized for
            // the largest type.
            let tag = at.field(bits_for(self.model.processes.len() as u32 - 1), false);
            (Some(tag), at.field(bits_for(most as u32), false))
        } else {
            (None, at.field(bits_for(process.locations.len() as u32), false))
        };
        let priority = self.model.semantics.priorities.then(|| at.field(8, false));
        let locals = process.locals.iter().map(|v| self.data(&mut at, &v.ty)).collect();
        let channels = process.channels.iter().map(|c| self.channel(&mut at, c.shape)).collect();
        ProcLayout { tag, pc, priority, locals, channels, bytes: at.end / 8 }
    }
}

/// The types that the slot of initial process `index` may hold. Numbers are released in reverse
/// order of creation, so a reused slot was released by an initial process with a lower number or
/// its successors.
fn types_at(model: &Model, runnable: &[ProcId], index: usize) -> Vec<ProcId> {
    let own = model.start[index].proc;
    let reused = model.start[..index].iter().any(|i| model.process(i.proc).creates().next().is_some());
    let mut types = vec![own];
    if reused {
        types.extend(runnable.iter().filter(|&&t| t != own));
        types.sort();
    }
    types
}

fn uses_last(model: &Model) -> bool {
    let mut found = false;
    axle_model::walk::exprs(model, &mut |e| found |= matches!(e, Expr::LastPid));
    found
}
