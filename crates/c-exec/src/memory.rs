//! Loads and stores of an execution, by the [`Memory`] that it has, and what else accesses memory by them:
//! strings, the words of locks, objects that become shared.
//!
//! *Entry points:* [`Machine::load`], [`Machine::store`], [`Machine::copy`].

pub mod sequentially_consistent;
pub mod stored_clock;

use axle_c::code::{Class, Mem, Scalar};

use crate::machine::memory::Memory;
use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::state::dependency::Dependency;
use crate::state::error_kind::ErrorKind;
use crate::state::program_state::ObjectKind;
use crate::state::value::{Place, Value};

impl<E: Execution> Machine<'_, E> {
    /// The value of a scalar in memory.
    #[inline]
    pub fn load(&mut self, place: Place, mem: Mem) -> Result<Value, ErrorKind> {
        E::Memory::load(self, place, mem)
    }

    /// Stores a scalar.
    #[inline]
    pub fn store(&mut self, place: Place, value: Value, mem: Mem) -> Result<(), ErrorKind> {
        E::Memory::store(self, place, value, mem)
    }

    /// Copies bytes with their tags; the ranges may overlap.
    #[inline]
    pub fn copy(&mut self, to: Place, from: Place, size: u64) -> Result<(), ErrorKind> {
        E::Memory::copy(self, to, from, size)
    }

    /// Fills with one byte.
    #[inline]
    pub fn fill(&mut self, to: Place, byte: u8, size: u64) -> Result<(), ErrorKind> {
        E::Memory::fill(self, to, byte, size)
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
            E::Observer::publishes(self, number);
            self.observer.depends(Dependency::ComponentShape);
            let Some(object) = self.object(number) else { continue };
            let (start, size, kind) = (object.start as usize, object.size as usize, object.kind);
            if matches!(kind, ObjectKind::Heap | ObjectKind::Stack) {
                self.observer.depends(Dependency::Read(number, 0, size as u32));
                self.each_pointer(start, start + size, |target, _| todo.push(target));
            }
        }
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
