//! Reading and writing memory (C11 6.5p6, 6.2.6): bytes with tags, bounds and lifetimes. A pointer
//! in memory is object and offset in its bytes, tagged from its first byte on.
//!
//! *Entry points:* [`Machine::load`], [`Machine::store`], [`Machine::copy`].
//! *Invariant:* A tagged pointer is whole, or its remains are undefined; what a shared object
//! points to is shared.

use axle_c::code::{Class, Mem, Scalar, StaticKind};

use crate::semantics::access::Access;
use crate::semantics::error_kind::ErrorKind;
use crate::semantics::machine::Machine;
use crate::semantics::program_state::ObjectKind;
use crate::semantics::value::{DEFINED, POINTER, POINTER_REST, Place, UNDEFINED, Value};

/// Where an access goes.
#[derive(Clone, Copy, Debug)]
enum Ground {
    /// The first byte among the state's.
    State(usize),
    /// A string: static object and offset.
    Text(usize, usize),
}

impl Machine<'_> {
    /// The object and offset that a value points to.
    pub fn target(&self, value: Value) -> Result<Place, ErrorKind> {
        match value {
            Value::Ptr(object, offset) => Ok((object, offset)),
            Value::Undef => Err(ErrorKind::Uninitialised),
            Value::Int(number) if !(65_536..=u64::MAX - 65_536).contains(&number) => {
                Err(ErrorKind::NullPointer)
            }
            Value::Int(_) => Err(ErrorKind::InvalidPointer),
        }
    }

    /// The size of an object that exists.
    pub fn extent(&self, object: u32) -> Result<u32, ErrorKind> {
        if let Some(fixed) = self.program.statics.get((object as usize).wrapping_sub(1)) {
            return match fixed.kind {
                StaticKind::Function(_) => Err(ErrorKind::InvalidPointer),
                StaticKind::Text(_) | StaticKind::Variable(_) => Ok(fixed.size),
            };
        }
        match self.object(object) {
            None => Err(ErrorKind::InvalidPointer),
            Some(found) => match found.kind {
                ObjectKind::Heap | ObjectKind::Stack => Ok(found.size),
                ObjectKind::Freed => Err(ErrorKind::UseAfterFree),
                ObjectKind::DeadStack => Err(ErrorKind::DanglingStack),
                ObjectKind::Thread | ObjectKind::GoneThread => Err(ErrorKind::InvalidPointer),
            },
        }
    }

    fn ground(
        &mut self,
        (object, offset): Place,
        size: u64,
        write: bool,
        atomic: bool,
    ) -> Result<Ground, ErrorKind> {
        let access = Access { object, offset, size: size as u32, write, atomic };
        let extent = self.extent(object).inspect_err(|_| self.faulty = Some(access))?;
        if offset < 0 || offset as u64 + size > u64::from(extent) {
            self.faulty = Some(access);
            return Err(ErrorKind::OutOfBounds);
        }
        if let Some(log) = &mut self.log {
            log.push(access);
        }
        self.changes += u64::from(write);
        self.depends_on_memory((object, offset), size as u32, write);
        self.touch((object, offset), size as u32, write, atomic);
        if !atomic {
            self.track((object, offset), size as u32, write);
        }
        let offset = offset as usize;
        match self.program.statics.get((object as usize).wrapping_sub(1)) {
            Some(fixed) => match fixed.kind {
                StaticKind::Variable(_) if write && fixed.constant => {
                    self.faulty = Some(access);
                    Err(ErrorKind::WriteToConstant)
                }
                StaticKind::Variable(start) => Ok(Ground::State(start as usize + offset)),
                StaticKind::Text(_) if write => {
                    self.faulty = Some(access);
                    Err(ErrorKind::WriteToConstant)
                }
                StaticKind::Text(_) => Ok(Ground::Text(object as usize - 1, offset)),
                StaticKind::Function(_) => Err(ErrorKind::InvalidPointer),
            },
            None => {
                let start = self.object(object).map_or(0, |object| object.start);
                Ok(Ground::State(start as usize + offset))
            }
        }
    }

    /// Whether another thread may reach the object.
    pub fn is_shared(&self, object: u32) -> bool {
        match self.program.statics.get((object as usize).wrapping_sub(1)) {
            Some(fixed) => matches!(fixed.kind, StaticKind::Variable(_)) && !fixed.constant,
            None => self.object(object).is_some_and(|object| object.shared),
        }
    }

    /// Makes shared what a value points to, and what that points to.
    pub fn publish(&mut self, value: Value) {
        let mut todo = Vec::new();
        if let Value::Ptr(object, _) = value {
            todo.push(object);
        }
        while let Some(number) = todo.pop() {
            let Some(object) = self.object_mut(number) else { continue };
            if object.shared {
                continue;
            }
            object.shared = true;
            self.track_initialisation(number);
            self.depends(crate::semantics::dependencies::Dependency::ComponentShape);
            let Some(object) = self.object(number) else { continue };
            let (start, size, kind) = (object.start as usize, object.size as usize, object.kind);
            if matches!(kind, ObjectKind::Heap | ObjectKind::Stack) {
                self.depends(crate::semantics::dependencies::Dependency::Read(number, 0, size as u32));
                self.each_pointer(start, start + size, |target, _| todo.push(target));
            }
        }
    }

    /// Calls `f` with every pointer in a range of the state's bytes.
    pub fn each_pointer(&self, start: usize, end: usize, mut f: impl FnMut(u32, i32)) {
        let mut at = start;
        while let Some(next) = self.next_pointer(at, end) {
            let (object, offset) = self.unpack(next);
            f(object, offset);
            at = next + self.pointer_size();
        }
    }

    /// The first byte of the first pointer in a range of the state's bytes.
    pub fn next_pointer(&self, at: usize, end: usize) -> Option<usize> {
        let found = self.state.tags.get(at..end)?.iter().position(|&tag| tag == POINTER)?;
        Some(at + found)
    }

    /// A pointer as its bytes in memory hold it.
    pub fn pack(&self, object: u32, offset: i32) -> Result<u64, ErrorKind> {
        if self.pointer_size() == 8 {
            return Ok(u64::from(object) | u64::from(offset as u32) << 32);
        }
        if object >= 1 << 12 || !(-(1 << 19)..1 << 19).contains(&offset) {
            return Err(ErrorKind::Limit(
                "more objects, or larger ones, than pointers of 32 bits can name here",
            ));
        }
        Ok(u64::from(object) | u64::from(offset as u32 & 0xf_ffff) << 12)
    }

    /// The pointer whose bytes begin here.
    pub fn unpack(&self, at: usize) -> (u32, i32) {
        let bytes = &self.state.bytes[at..];
        if self.pointer_size() == 8 {
            let word = u64::from_le_bytes(array(bytes));
            (word as u32, (word >> 32) as i32)
        } else {
            let word = u32::from_le_bytes(array(bytes));
            (word & 0xfff, ((word as i32) >> 12))
        }
    }

    pub fn write_pointer(&mut self, at: usize, packed: u64, size: usize) {
        self.state.bytes[at..at + size].copy_from_slice(&packed.to_le_bytes()[..size]);
        self.state.tags[at] = POINTER;
        self.state.tags[at + 1..at + size].fill(POINTER_REST);
    }

    /// Before bytes are overwritten: what remains of a pointer that is cut becomes undefined.
    fn cut_pointers(&mut self, at: usize, size: usize) {
        if self.state.tags.get(at) == Some(&POINTER_REST)
            || self.state.tags.get(at + size) == Some(&POINTER_REST)
        {
            // More than the range changes.
            self.mark_uncacheable();
        }
        let tags = &mut self.state.tags;
        if tags.get(at) == Some(&POINTER_REST) {
            let mut back = at;
            while back > 0 && tags[back] == POINTER_REST {
                back -= 1;
            }
            tags[back..at].fill(UNDEFINED);
        }
        let mut after = at + size;
        while after < tags.len() && tags[after] == POINTER_REST {
            tags[after] = UNDEFINED;
            after += 1;
        }
    }

    /// The value of a scalar in memory.
    pub fn load(&mut self, place: Place, mem: Mem) -> Result<Value, ErrorKind> {
        let Scalar { size, class } = mem.scalar;
        if let Some(bits) = mem.bits {
            let count = (usize::from(bits.shift) + usize::from(bits.width)).div_ceil(8);
            let ground = self.ground(place, count as u64, false, mem.atomic)?;
            if let Ground::State(at) = ground {
                self.observe_clock(at, count);
            }
            let Some(raw) = self.plain(ground, count)? else { return Ok(Value::Undef) };
            let value = (raw >> bits.shift) as u64;
            let unused = 64 - u32::from(bits.width);
            let shifted = value << unused;
            return Ok(Value::Int(match class {
                Class::Signed => ((shifted as i64) >> unused) as u64,
                _ => shifted >> unused,
            }));
        }
        let ground = self.ground(place, size.into(), false, mem.atomic)?;
        if let Ground::State(at) = ground {
            self.observe_clock(at, size.into());
            let tags = &self.state.tags[at..at + size as usize];
            if tags[0] == POINTER
                && size as usize == self.pointer_size()
                && tags[1..].iter().all(|&t| t == POINTER_REST)
            {
                let (object, offset) = self.unpack(at);
                return Ok(Value::Ptr(object, offset));
            }
        }
        let Some(raw) = self.plain(ground, size.into())? else { return Ok(Value::Undef) };
        Ok(Value::Int(mem.scalar.extend(raw as u64)))
    }

    /// Bytes as a number; nothing when one of them is undefined.
    fn plain(&self, ground: Ground, size: usize) -> Result<Option<u128>, ErrorKind> {
        let bytes = match ground {
            Ground::State(at) => {
                let tags = &self.state.tags[at..at + size];
                if tags.iter().any(|&tag| tag != DEFINED) {
                    if tags.contains(&UNDEFINED) {
                        return Ok(None);
                    }
                    return Err(ErrorKind::Unsupported("the bytes of a pointer are read as numbers"));
                }
                &self.state.bytes[at..at + size]
            }
            Ground::Text(object, offset) => match &self.program.statics[object].kind {
                StaticKind::Text(text) => &text[offset..offset + size],
                StaticKind::Function(_) | StaticKind::Variable(_) => return Err(ErrorKind::InvalidPointer),
            },
        };
        let mut wide = [0; 16];
        wide[..size].copy_from_slice(bytes);
        Ok(Some(u128::from_le_bytes(wide)))
    }

    /// Stores a scalar.
    pub fn store(&mut self, place: Place, value: Value, mem: Mem) -> Result<(), ErrorKind> {
        let size = usize::from(mem.scalar.size);
        if let Some(bits) = mem.bits {
            let count = (usize::from(bits.shift) + usize::from(bits.width)).div_ceil(8);
            let ground = self.ground(place, count as u64, true, mem.atomic)?;
            let Ground::State(at) = ground else { return Err(ErrorKind::WriteToConstant) };
            self.cut_clock(at, count);
            let value = match value {
                Value::Int(value) => value,
                Value::Undef => return Ok(()),
                Value::Ptr(..) => return Err(ErrorKind::Unsupported("an address is stored in a bit-field")),
            };
            // The bits beside it stay.
            self.depends(crate::semantics::dependencies::Dependency::Read(place.0, place.1, count as u32));
            let mut wide = [0; 16];
            wide[..count].copy_from_slice(&self.state.bytes[at..at + count]);
            let mask = (u128::from(u64::MAX >> (64 - u32::from(bits.width)))) << bits.shift;
            let new = (u128::from_le_bytes(wide) & !mask) | ((u128::from(value) << bits.shift) & mask);
            self.state.bytes[at..at + count].copy_from_slice(&new.to_le_bytes()[..count]);
            self.state.tags[at..at + count].fill(DEFINED);
            return Ok(());
        }
        let ground = self.ground(place, size as u64, true, mem.atomic)?;
        let Ground::State(at) = ground else { return Err(ErrorKind::WriteToConstant) };
        self.cut_pointers(at, size);
        self.cut_clock(at, size);
        match value {
            Value::Int(value) => {
                self.state.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
                self.state.tags[at..at + size].fill(DEFINED);
            }
            Value::Undef => {
                self.state.bytes[at..at + size].fill(0);
                self.state.tags[at..at + size].fill(UNDEFINED);
            }
            Value::Ptr(object, offset) => {
                if size != self.pointer_size() {
                    return Err(ErrorKind::Unsupported("an address is stored in a smaller number"));
                }
                let packed = self.pack(object, offset)?;
                self.write_pointer(at, packed, size);
                if self.is_shared(place.0) {
                    self.publish(value);
                }
            }
        }
        Ok(())
    }

    /// Copies bytes with their tags; the areas may overlap.
    pub fn copy(&mut self, to: Place, from: Place, size: u64) -> Result<(), ErrorKind> {
        if size == 0 {
            return Ok(());
        }
        let from_ground = self.ground(from, size, false, false)?;
        let to_ground = self.ground(to, size, true, false)?;
        let Ground::State(at) = to_ground else { return Err(ErrorKind::WriteToConstant) };
        let size = size as usize;
        self.cut_clock(at, size);
        match from_ground {
            Ground::Text(object, offset) => {
                self.cut_pointers(at, size);
                if let StaticKind::Text(text) = &self.program.statics[object].kind {
                    self.state.bytes[at..at + size].copy_from_slice(&text[offset..offset + size]);
                }
                self.state.tags[at..at + size].fill(DEFINED);
            }
            Ground::State(start) => {
                let tags = &self.state.tags;
                let cut = tags[start] == POINTER_REST || tags.get(start + size) == Some(&POINTER_REST);
                if cut {
                    return Err(ErrorKind::Unsupported("a part of a pointer is copied"));
                }
                if start == at {
                    return Ok(());
                }
                self.cut_clock(start, size);
                self.cut_pointers(at, size);
                self.state.bytes.copy_within(start..start + size, at);
                self.state.tags.copy_within(start..start + size, at);
                if self.is_shared(to.0) {
                    let mut found = Vec::new();
                    self.each_pointer(at, at + size, |object, offset| found.push(Value::Ptr(object, offset)));
                    found.into_iter().for_each(|value| self.publish(value));
                }
            }
        }
        Ok(())
    }

    /// Fills with one byte.
    pub fn fill(&mut self, to: Place, byte: u8, size: u64) -> Result<(), ErrorKind> {
        if size == 0 {
            return Ok(());
        }
        let Ground::State(at) = self.ground(to, size, true, false)? else {
            return Err(ErrorKind::WriteToConstant);
        };
        let size = size as usize;
        self.cut_pointers(at, size);
        self.cut_clock(at, size);
        self.state.bytes[at..at + size].fill(byte);
        self.state.tags[at..at + size].fill(DEFINED);
        Ok(())
    }

    /// The bytes up to a zero, as a string.
    pub fn text(&mut self, value: Value, most: usize) -> Result<Vec<u8>, ErrorKind> {
        let (object, mut offset) = self.target(value)?;
        let byte = Mem::plain(Scalar { size: 1, class: Class::Unsigned });
        let mut out = Vec::new();
        // A step that the search does not want any more is discarded, whatever it has read.
        while out.len() < most && self.is_wanted() {
            match self.load((object, offset), byte)? {
                Value::Int(0) => break,
                Value::Int(byte) => out.push(byte as u8),
                Value::Undef => return Err(ErrorKind::Uninitialised),
                Value::Ptr(..) => {
                    return Err(ErrorKind::Unsupported("the bytes of a pointer are read as numbers"));
                }
            }
            offset += 1;
        }
        Ok(out)
    }

    /// A defined number in memory that only library functions know of.
    pub fn load_word(&mut self, place: Place, at: i32) -> Result<i32, ErrorKind> {
        let mem = Mem::atomic(Scalar::INT);
        match self.load((place.0, place.1 + at), mem)? {
            Value::Int(value) => Ok(value as i32),
            Value::Undef => Err(ErrorKind::NotInitialised),
            Value::Ptr(..) => Err(ErrorKind::NotInitialised),
        }
    }

    pub fn store_word(&mut self, place: Place, at: i32, value: i32) -> Result<(), ErrorKind> {
        let mem = Mem::atomic(Scalar::INT);
        self.store((place.0, place.1 + at), Value::Int(value as i64 as u64), mem)
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[..N]);
    out
}
