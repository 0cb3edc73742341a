//! Sequentially consistent memory (C11 6.5p6, 6.2.6): a store changes the bytes of the state at once, a
//! load reads them. Bytes have tags, objects have bounds and lifetimes.
//!
//! *Entry point:* [`SequentiallyConsistent`].
//! *Invariant:* a tagged pointer is whole, or its remains are undefined; whatever a shared object
//! points to is shared.

use axle_c::code::{Class, Mem, Order, Scalar, StaticKind};

use crate::machine::memory::{Exchange, Memory};
use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::state::access::Access;
use crate::state::dependency::Dependency;
use crate::state::error_kind::ErrorKind;
use crate::state::value::{DEFINED, POINTER, POINTER_REST, Place, UNDEFINED, Value};

/// See the head of this file.
#[derive(Clone, Copy, Debug)]
pub struct SequentiallyConsistent;

/// Where an access goes.
#[derive(Clone, Copy, Debug)]
enum Ground {
    /// The first byte among the state's.
    State(usize),
    /// A string: static object and offset.
    Text(usize, usize),
}

impl<E: Execution> Machine<'_, E> {
    /// Checks an access, and announces it.
    fn ground(
        &mut self,
        (object, offset): Place,
        size: u64,
        write: bool,
        atomic: bool,
    ) -> Result<Ground, ErrorKind> {
        let access = Access { object, offset, size: size as u32, write, atomic };
        let extent = self.extent(object).inspect_err(|_| self.observer.faults(Some(access)))?;
        if offset < 0 || offset as u64 + size > u64::from(extent) {
            self.observer.faults(Some(access));
            return Err(ErrorKind::OutOfBounds);
        }
        self.changes += u64::from(write);
        E::Observer::accesses(self, access);
        let offset = offset as usize;
        match self.program.statics.get((object as usize).wrapping_sub(1)) {
            Some(fixed) => match fixed.kind {
                StaticKind::Variable(_) if write && fixed.constant => {
                    self.observer.faults(Some(access));
                    Err(ErrorKind::WriteToConstant)
                }
                StaticKind::Variable(start) => Ok(Ground::State(start as usize + offset)),
                StaticKind::Text(_) if write => {
                    self.observer.faults(Some(access));
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

    /// Before bytes are overwritten: what remains of a pointer that is cut becomes undefined.
    fn cut_pointers(&mut self, at: usize, size: usize) {
        if self.state.tags.get(at) == Some(&POINTER_REST)
            || self.state.tags.get(at + size) == Some(&POINTER_REST)
        {
            // More than the range changes.
            self.observer.depends_on_all();
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
}

impl<E: Execution<Memory = SequentiallyConsistent>> Memory<E> for SequentiallyConsistent {
    /// The value of a scalar in memory.
    fn load(machine: &mut Machine<'_, E>, place: Place, mem: Mem) -> Result<Value, ErrorKind> {
        let Scalar { size, class } = mem.scalar;
        if let Some(bits) = mem.bits {
            let count = (usize::from(bits.shift) + usize::from(bits.width)).div_ceil(8);
            let ground = machine.ground(place, count as u64, false, mem.atomic)?;
            if let Ground::State(at) = ground {
                machine.observe_clock(at, count);
            }
            let Some(raw) = machine.plain(ground, count)? else { return Ok(Value::Undef) };
            let value = (raw >> bits.shift) as u64;
            let unused = 64 - u32::from(bits.width);
            let shifted = value << unused;
            return Ok(Value::Int(match class {
                Class::Signed => ((shifted as i64) >> unused) as u64,
                _ => shifted >> unused,
            }));
        }
        let ground = machine.ground(place, size.into(), false, mem.atomic)?;
        if let Ground::State(at) = ground {
            machine.observe_clock(at, size.into());
            let tags = &machine.state.tags[at..at + size as usize];
            if tags[0] == POINTER
                && size as usize == machine.pointer_size()
                && tags[1..].iter().all(|&t| t == POINTER_REST)
            {
                let (object, offset) = machine.unpack(at);
                return Ok(Value::Ptr(object, offset));
            }
        }
        let Some(raw) = machine.plain(ground, size.into())? else { return Ok(Value::Undef) };
        Ok(Value::Int(mem.scalar.extend(raw as u64)))
    }

    /// Stores a scalar.
    fn store(machine: &mut Machine<'_, E>, place: Place, value: Value, mem: Mem) -> Result<(), ErrorKind> {
        let size = usize::from(mem.scalar.size);
        if let Some(bits) = mem.bits {
            let count = (usize::from(bits.shift) + usize::from(bits.width)).div_ceil(8);
            let ground = machine.ground(place, count as u64, true, mem.atomic)?;
            let Ground::State(at) = ground else { return Err(ErrorKind::WriteToConstant) };
            machine.cut_clock(at, count);
            let value = match value {
                Value::Int(value) => value,
                Value::Undef => return Ok(()),
                Value::Ptr(..) => return Err(ErrorKind::Unsupported("an address is stored in a bit-field")),
            };
            // The bits beside it stay.
            machine.observer.depends(Dependency::Read(place.0, place.1, count as u32));
            let mut wide = [0; 16];
            wide[..count].copy_from_slice(&machine.state.bytes[at..at + count]);
            let mask = (u128::from(u64::MAX >> (64 - u32::from(bits.width)))) << bits.shift;
            let new = (u128::from_le_bytes(wide) & !mask) | ((u128::from(value) << bits.shift) & mask);
            machine.state.bytes[at..at + count].copy_from_slice(&new.to_le_bytes()[..count]);
            machine.state.tags[at..at + count].fill(DEFINED);
            return Ok(());
        }
        let ground = machine.ground(place, size as u64, true, mem.atomic)?;
        let Ground::State(at) = ground else { return Err(ErrorKind::WriteToConstant) };
        machine.cut_pointers(at, size);
        machine.cut_clock(at, size);
        match value {
            Value::Int(value) => {
                machine.state.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
                machine.state.tags[at..at + size].fill(DEFINED);
            }
            Value::Undef => {
                machine.state.bytes[at..at + size].fill(0);
                machine.state.tags[at..at + size].fill(UNDEFINED);
            }
            Value::Ptr(object, offset) => {
                if size != machine.pointer_size() {
                    return Err(ErrorKind::Unsupported("an address is stored in a smaller number"));
                }
                let packed = machine.pack(object, offset)?;
                machine.write_pointer(at, packed, size);
                if machine.is_shared(place.0) {
                    machine.publish(value);
                }
            }
        }
        Ok(())
    }

    /// Copies bytes with their tags; the areas may overlap.
    fn copy(machine: &mut Machine<'_, E>, to: Place, from: Place, size: u64) -> Result<(), ErrorKind> {
        if size == 0 {
            return Ok(());
        }
        let from_ground = machine.ground(from, size, false, false)?;
        let to_ground = machine.ground(to, size, true, false)?;
        let Ground::State(at) = to_ground else { return Err(ErrorKind::WriteToConstant) };
        let size = size as usize;
        machine.cut_clock(at, size);
        match from_ground {
            Ground::Text(object, offset) => {
                machine.cut_pointers(at, size);
                if let StaticKind::Text(text) = &machine.program.statics[object].kind {
                    machine.state.bytes[at..at + size].copy_from_slice(&text[offset..offset + size]);
                }
                machine.state.tags[at..at + size].fill(DEFINED);
            }
            Ground::State(start) => {
                let tags = &machine.state.tags;
                let cut = tags[start] == POINTER_REST || tags.get(start + size) == Some(&POINTER_REST);
                if cut {
                    return Err(ErrorKind::Unsupported("a part of a pointer is copied"));
                }
                if start == at {
                    return Ok(());
                }
                machine.cut_clock(start, size);
                machine.cut_pointers(at, size);
                machine.state.bytes.copy_within(start..start + size, at);
                machine.state.tags.copy_within(start..start + size, at);
                if machine.is_shared(to.0) {
                    let mut found = Vec::new();
                    machine
                        .each_pointer(at, at + size, |object, offset| found.push(Value::Ptr(object, offset)));
                    found.into_iter().for_each(|value| machine.publish(value));
                }
            }
        }
        Ok(())
    }

    /// Fills with one byte.
    fn fill(machine: &mut Machine<'_, E>, to: Place, byte: u8, size: u64) -> Result<(), ErrorKind> {
        if size == 0 {
            return Ok(());
        }
        let Ground::State(at) = machine.ground(to, size, true, false)? else {
            return Err(ErrorKind::WriteToConstant);
        };
        let size = size as usize;
        machine.cut_pointers(at, size);
        machine.cut_clock(at, size);
        machine.state.bytes[at..at + size].fill(byte);
        machine.state.tags[at..at + size].fill(DEFINED);
        Ok(())
    }

    fn atomic_load(machine: &mut Machine<'_, E>, place: Place, mem: Mem) -> Result<Value, ErrorKind> {
        let value = Self::load(machine, place, mem)?;
        E::Observer::atomic(machine, place, mem.scalar.size.into(), (Some(mem.order), None), false);
        Ok(value)
    }

    fn atomic_store(
        machine: &mut Machine<'_, E>,
        place: Place,
        value: Value,
        mem: Mem,
    ) -> Result<(), ErrorKind> {
        Self::store(machine, place, value, mem)?;
        E::Observer::atomic(machine, place, mem.scalar.size.into(), (None, Some(mem.order)), false);
        Ok(())
    }

    fn modify(
        machine: &mut Machine<'_, E>,
        place: Place,
        mem: Mem,
        counter: bool,
        new: impl FnOnce(&Machine<'_, E>, Value) -> Result<Value, ErrorKind>,
    ) -> Result<(Value, Value), ErrorKind> {
        let old = Self::load(machine, place, mem)?;
        let new = new(machine, old)?;
        Self::store(machine, place, new, mem)?;
        let order = Some(mem.order);
        E::Observer::atomic(machine, place, mem.scalar.size.into(), (order, order), counter);
        Ok((old, new))
    }

    fn compare_exchange(
        machine: &mut Machine<'_, E>,
        place: Place,
        (mem, failure): (Mem, Order),
        decide: impl FnOnce(&Machine<'_, E>, Value) -> Result<Exchange, ErrorKind>,
    ) -> Result<(Value, Exchange), ErrorKind> {
        let found = Self::load(machine, place, mem)?;
        let exchange = decide(machine, found)?;
        let size = mem.scalar.size.into();
        match exchange {
            Exchange::Store(new) => {
                Self::store(machine, place, new, mem)?;
                let order = Some(mem.order);
                E::Observer::atomic(machine, place, size, (order, order), false);
            }
            Exchange::Keep => E::Observer::atomic(machine, place, size, (Some(failure), None), false),
            Exchange::Choices(_) => {}
        }
        Ok((found, exchange))
    }

    fn fence(machine: &mut Machine<'_, E>, thread: usize, order: Order) {
        E::Observer::fence(machine, thread, order);
    }
}
