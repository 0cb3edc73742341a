//! Pointers: which object a value points to, whether it exists, and the form of a pointer in the bytes of
//! a state: object and offset, tagged from its first byte on.
//!
//! *Entry points:* [`Machine::target`], [`Machine::extent`], [`Machine::each_pointer`].
//! *Invariant:* nothing here is an access of the program.

use axle_c::code::StaticKind;

use crate::machine::{Execution, Machine};
use crate::state::error_kind::ErrorKind;
use crate::state::program_state::ObjectKind;
use crate::state::value::{POINTER, POINTER_REST, Place, Value};

impl<E: Execution> Machine<'_, E> {
    /// The object and offset that a value points to.
    #[inline]
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
    #[inline]
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

    /// Whether another thread may reach the object.
    #[inline]
    pub fn is_shared(&self, object: u32) -> bool {
        match self.program.statics.get((object as usize).wrapping_sub(1)) {
            Some(fixed) => matches!(fixed.kind, StaticKind::Variable(_)) && !fixed.constant,
            None => self.object(object).is_some_and(|object| object.shared),
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
    #[inline]
    pub fn next_pointer(&self, at: usize, end: usize) -> Option<usize> {
        let found = self.state.tags.get(at..end)?.iter().position(|&tag| tag == POINTER)?;
        Some(at + found)
    }

    /// A pointer as its bytes in memory hold it.
    #[inline]
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
    #[inline]
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

    #[inline]
    pub fn write_pointer(&mut self, at: usize, packed: u64, size: usize) {
        self.state.bytes[at..at + size].copy_from_slice(&packed.to_le_bytes()[..size]);
        self.state.tags[at] = POINTER;
        self.state.tags[at + 1..at + size].fill(POINTER_REST);
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[..N]);
    out
}
