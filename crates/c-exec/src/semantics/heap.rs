//! `malloc` and its family (C11 7.22.3). A block keeps its number when it is freed, so that every
//! later use of an old pointer is seen. When someone still holds the address of a freed block of
//! the same size, a new block may also get that very address again (as real allocators do it, and
//! as the ABA problem needs it): one choice more. Main functions: [`Machine::malloc`],
//! [`Machine::free`].

use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::semantics::library::{Called, Reply};
use crate::state::access::Access;
use crate::state::error_kind::ErrorKind;
use crate::state::outcome::Choice;
use crate::state::program_state::ObjectKind;
use crate::state::value::{POINTER, UNDEFINED, Value};

impl<E: Execution> Machine<'_, E> {
    pub fn number(&self, value: Value) -> Result<u64, ErrorKind> {
        match value {
            Value::Int(value) => Ok(value),
            Value::Undef => Err(ErrorKind::Uninitialised),
            Value::Ptr(..) => {
                Err(ErrorKind::Unsupported("the numeric value of an address decides something"))
            }
        }
    }

    pub fn malloc(&mut self, size: u64, zero: bool, choice: Choice) -> Reply {
        let again = self.reusable(size);
        let count = 1 + again.len() as u32 + u32::from(self.settings.malloc_may_fail);
        if count > 1 && choice.asks() {
            return Ok(Called::Choices(count));
        }
        let choice = choice.number();
        if self.settings.malloc_may_fail && choice + 1 == count {
            return Ok(Called::Value(Value::Int(0)));
        }
        let site = self.site;
        let object = match choice.checked_sub(1).and_then(|index| again.get(index as usize)) {
            Some(&old) => {
                if let Some(object) = self.object_mut(old) {
                    object.kind = ObjectKind::Heap;
                    object.site = site;
                    let (start, size) = (object.start as usize, object.size as usize);
                    self.state.tags[start..start + size].fill(UNDEFINED);
                }
                old
            }
            None => self.allocate(size, ObjectKind::Heap)?,
        };
        if zero {
            self.fill((object, 0), 0, size)?;
        }
        Ok(Called::Value(Value::Ptr(object, 0)))
    }

    /// Freed blocks of this size whose address is still in some variable.
    fn reusable(&self, size: u64) -> Vec<u32> {
        let first = self.program.statics.len() as u32 + 1;
        let freed = |object: u32| {
            self.object(object).is_some_and(|o| o.kind == ObjectKind::Freed && u64::from(o.size) == size)
        };
        if !self.settings.reuse_addresses || self.running() < 2 {
            return Vec::new();
        }
        if !(0..self.state.objects.len() as u32).any(|index| freed(first + index)) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut note = |object: u32| {
            if freed(object) && !found.contains(&object) {
                found.push(object);
            }
        };
        for thread in &self.state.threads {
            let frames = &thread.frames;
            for (depth, frame) in frames.iter().enumerate() {
                let code = &self.program.codes[frame.code as usize];
                let top = depth + 1 == frames.len();
                for reg in 0..code.regs {
                    if crate::machine::encode::holds(code, frame, reg, top)
                        && let Value::Ptr(object, _) = thread.regs[(frame.regs + reg) as usize]
                    {
                        note(object);
                    }
                }
            }
        }
        if self.state.tags.contains(&POINTER) {
            let mut alive: Vec<(usize, usize)> = vec![(0, self.program.image.len())];
            for object in &self.state.objects {
                if matches!(object.kind, ObjectKind::Heap | ObjectKind::Stack) {
                    alive.push((object.start as usize, (object.start + object.size) as usize));
                }
            }
            for (start, end) in alive {
                self.each_pointer(start, end, |object, _| note(object));
            }
        }
        found.sort_unstable();
        found
    }

    pub fn free(&mut self, pointer: Value) -> Reply {
        let (object, offset) = match pointer {
            Value::Int(0) => return Ok(Called::Value(Value::Int(0))),
            Value::Undef => return Err(ErrorKind::Uninitialised),
            Value::Int(_) => return Err(ErrorKind::InvalidFree),
            Value::Ptr(object, offset) => (object, offset),
        };
        self.observer.faults(Some(Access { object, offset, size: 0, write: true, atomic: false }));
        let Some(found) = self.object_mut(object) else { return Err(ErrorKind::InvalidFree) };
        match found.kind {
            ObjectKind::Freed => return Err(ErrorKind::DoubleFree),
            ObjectKind::Heap if offset == 0 => {}
            ObjectKind::Heap | ObjectKind::Stack | ObjectKind::DeadStack => {
                return Err(ErrorKind::InvalidFree);
            }
            ObjectKind::Thread | ObjectKind::GoneThread => return Err(ErrorKind::InvalidFree),
        }
        found.kind = ObjectKind::Freed;
        let size = found.size;
        self.observer.faults(None);
        E::Observer::frees(self, object, size);
        Ok(Called::Value(Value::Int(0)))
    }

    pub fn realloc(&mut self, pointer: Value, size: u64, choice: Choice) -> Reply {
        let Value::Ptr(old, offset) = pointer else { return self.malloc(size, false, choice) };
        self.observer.faults(Some(Access { object: old, offset, size: 0, write: true, atomic: false }));
        let extent = self.extent(old)?;
        if offset != 0 || self.object(old).is_none_or(|object| object.kind != ObjectKind::Heap) {
            return Err(ErrorKind::InvalidFree);
        }
        if size == 0 {
            // What glibc makes of it, where C leaves it open.
            return self.free(pointer);
        }
        match self.malloc(size, false, choice)? {
            Called::Value(Value::Ptr(new, _)) => {
                self.copy((new, 0), (old, 0), size.min(extent.into()))?;
                self.free(pointer)?;
                Ok(Called::Value(Value::Ptr(new, 0)))
            }
            other => Ok(other),
        }
    }
}
