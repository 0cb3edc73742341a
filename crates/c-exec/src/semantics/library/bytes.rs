//! Functions over ranges of bytes, characters that are printed, and blocks of the heap.
//!
//! *Entry points:* [`Machine::byte_range`], [`Machine::put_call`], [`Machine::allocation`].

use axle_c::Binary;
use axle_c::code::{Class, Mem, Scalar};
use axle_c::library::Lib;

use crate::machine::{Execution, Machine};
use crate::semantics::library::{Called, Reply, argument, int};
use crate::semantics::wide::Wide;
use crate::state::error_kind::ErrorKind;
use crate::state::outcome::Choice;
use crate::state::value::{Place, Value};

impl<E: Execution> Machine<'_, E> {
    /// `malloc`, `calloc` and `realloc`.
    pub(super) fn allocation(&mut self, lib: Lib, args: &[Value], choice: Choice) -> Reply {
        match lib {
            Lib::Calloc => {
                let (count, size) = (self.number(argument(args, 0)?)?, self.number(argument(args, 1)?)?);
                match count.checked_mul(size) {
                    Some(size) => self.malloc(size, true, choice),
                    None => int(0),
                }
            }
            Lib::Realloc => {
                let size = self.number(argument(args, 1)?)?;
                self.realloc(argument(args, 0)?, size, choice)
            }
            _ => {
                let size = self.number(*args.last().ok_or(ErrorKind::BadCall)?)?;
                self.malloc(size, false, choice)
            }
        }
    }

    /// `memcpy`, `memmove`, `memset`, `memcmp` and `strlen`.
    pub(super) fn byte_range(&mut self, lib: Lib, args: &[Value]) -> Reply {
        let arg = |index: usize| argument(args, index);
        match lib {
            Lib::Memset => {
                let (byte, size) = (self.number(arg(1)?)?, self.number(arg(2)?)?);
                if size > 0 {
                    let to = self.target(arg(0)?)?;
                    self.fill(to, byte as u8, size)?;
                }
                Ok(Called::Value(arg(0)?))
            }
            Lib::Memcmp => {
                let size = self.number(arg(2)?)?;
                if size == 0 {
                    return int(0);
                }
                let (a, b) = (self.target(arg(0)?)?, self.target(arg(1)?)?);
                self.compare_bytes(a, b, i32::try_from(size).map_err(|_| ErrorKind::OutOfBounds)?)
            }
            Lib::Strlen => {
                let text = self.text(arg(0)?, usize::MAX)?;
                int(text.len() as i64)
            }
            _ => {
                let size = self.number(arg(2)?)?;
                if size > 0 {
                    let (to, from) = (self.target(arg(0)?)?, self.target(arg(1)?)?);
                    let apart = (i64::from(to.1) - i64::from(from.1)).unsigned_abs();
                    if lib == Lib::Memcpy && to.0 == from.0 && apart < size && apart != 0 {
                        return Err(ErrorKind::Overlap);
                    }
                    self.copy(to, from, size)?;
                }
                Ok(Called::Value(arg(0)?))
            }
        }
    }

    fn compare_bytes(&mut self, a: Place, b: Place, size: i32) -> Reply {
        let byte = Mem::plain(Scalar { size: 1, class: Class::Unsigned });
        for at in 0..size {
            let x = self.load((a.0, a.1 + at), byte)?;
            let y = self.load((b.0, b.1 + at), byte)?;
            let (x, y) = (self.number(x)?, self.number(y)?);
            if x != y {
                return int(if x < y { -1 } else { 1 });
            }
        }
        int(0)
    }

    /// An operation on 128-bit integers.
    pub(super) fn wide_call(&mut self, args: &[Value]) -> Reply {
        let arg = |index: usize| argument(args, index);
        let (op, signed) = (self.number(arg(0)?)?, self.number(arg(1)?)? != 0);
        let op = Binary::of_number(op).ok_or(ErrorKind::BadCall)?;
        let a = self.wide(arg(3)?)?;
        let b = match arg(4)? {
            distance if matches!(op, Binary::Shl | Binary::Shr) => self.number(distance)?.into(),
            address => self.wide(address)?,
        };
        match self.wide_binary(op, a, b, signed)? {
            Wide::Fact(fact) => int(fact.into()),
            Wide::Number(number) => {
                let to = self.target(arg(2)?)?;
                self.store_wide(to, number)?;
                int(0)
            }
        }
    }

    /// `puts`, `fputs`, `putchar` and `fputc`.
    pub(super) fn put_call(&mut self, lib: Lib, args: &[Value]) -> Reply {
        let first = argument(args, 0)?;
        match lib {
            Lib::Puts => {
                let mut text = self.text(first, usize::MAX)?;
                text.push(b'\n');
                self.put(&text);
                int(text.len() as i64)
            }
            Lib::Fputs => {
                let text = self.text(first, usize::MAX)?;
                self.put_to(argument(args, 1)?, &text);
                int(1)
            }
            _ => {
                let byte = self.number(first)? as u8;
                match lib {
                    Lib::Putchar => self.put(&[byte]),
                    _ => self.put_to(argument(args, 1)?, &[byte]),
                }
                int(byte.into())
            }
        }
    }
}
