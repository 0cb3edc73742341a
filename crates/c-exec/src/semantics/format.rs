//! `printf` and its family (C11 7.21.6.1). The text is made in full even when no one reads it,
//! because its arguments are accesses that can fail.
//!
//! *Entry point:* [`Machine::print`].

use axle_c::analysis::formats::{described, is_loose};
use axle_c::code::{Class, Mem, Scalar};
use axle_c::library::{Format, Lib};

use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::semantics::library::{Called, Reply};
use crate::state::error_kind::ErrorKind;
use crate::state::value::Value;

/// Where the next argument comes from.
enum Arguments<'a> {
    Given {
        values: &'a [Value],
        /// Their types, where they are known.
        types: Option<&'a [Scalar]>,
        /// Whether the text is only shown.
        shown: bool,
    },
    /// A `va_list`: the object and offset of the next argument.
    List(Value),
}

/// A text, and those in memory that it was put together from, with the bytes that were read of
/// each.
#[derive(Default)]
struct Written {
    text: Vec<u8>,
    read: Vec<(Value, usize)>,
}

/// Texts that are as long are not made.
const LONGEST: i64 = 1 << 20;

struct Conversion {
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer argument.
    bytes: u8,
    /// Of a character or text: `%lc`, `%ls`.
    wide: bool,
    letter: u8,
}

impl<E: Execution> Machine<'_, E> {
    /// What `strerror` says of `errno` (`library.c`). Where the program does not look at `errno`
    /// its value is unspecified, which a text that is kept must not hide.
    fn error_text(&mut self, shown: bool) -> Result<&'static [u8], ErrorKind> {
        let storage = self.state.threads.get(self.mover).map(|thread| &thread.storage);
        match self.program.symbols.errno.and_then(|index| storage?.get(index as usize)).copied() {
            Some(object) if self.load_word((object, 0), 0)? == 0 => Ok(b"success"),
            None if !shown => Err(ErrorKind::Unsupported("`%m` where nothing else looks at `errno`")),
            _ => Ok(b"error"),
        }
    }

    pub fn put(&mut self, text: &[u8]) {
        self.observer.prints(text, true);
    }

    /// Prints to a stream: what goes to standard error is not kept.
    pub fn put_to(&mut self, stream: Value, text: &[u8]) {
        let is_error = matches!(stream, Value::Ptr(_, 8)) || stream == Value::Int(2);
        self.observer.prints(text, !is_error);
    }

    pub fn print(&mut self, lib: Lib, args: &[Value]) -> Reply {
        let Some(Format { argument: first, stream: shown, list: from_list }) = lib.row().format else {
            return Err(ErrorKind::BadCall);
        };
        let [_, ..] = args.get(first..).unwrap_or_default() else { return Err(ErrorKind::BadCall) };
        let mut rest = match from_list {
            true => Arguments::List(*args.get(first + 1).ok_or(ErrorKind::BadCall)?),
            false => {
                let code = self.program.codes.get((self.site >> 20) as usize);
                let printed = code.map(|code| &code.printed[..]).unwrap_or_default();
                let at = printed.binary_search_by_key(&(self.site & 0xf_ffff), |(pc, _)| *pc);
                // Through a pointer to `printf` nothing is known of the types.
                let types = at.ok().and_then(|at| printed[at].1.get(first + 1..));
                let values = &args[first + 1..];
                Arguments::Given { values, types: types.filter(|types| types.len() == values.len()), shown }
            }
        };
        let format = self.text(args[first], usize::MAX)?;
        let Written { text, mut read } = self.format(&format, &mut rest, shown)?;
        read.push((args[first], format.len() + 1));
        match lib {
            Lib::Printf | Lib::Vprintf => self.put(&text),
            Lib::Fprintf | Lib::Vfprintf => self.put_to(args[0], &text),
            Lib::Sprintf | Lib::Vsprintf => self.write_text(args[0], &text, usize::MAX, &read)?,
            _ => {
                let most = self.number(args[1])?;
                self.write_text(args[0], &text, usize::try_from(most).unwrap_or(usize::MAX), &read)?;
            }
        }
        Ok(Called::Value(Value::Int(text.len() as u64)))
    }

    /// Writes what was put together from texts, which must lie elsewhere (7.21.6.6p2).
    fn write_text(
        &mut self,
        to: Value,
        text: &[u8],
        most: usize,
        read: &[(Value, usize)],
    ) -> Result<(), ErrorKind> {
        if most == 0 {
            return Ok(());
        }
        let (object, offset) = self.target(to)?;
        let end = i64::from(offset) + text.len().min(most - 1) as i64;
        let overlaps = |&(from, bytes): &(Value, usize)| match from {
            Value::Ptr(other, start) if other == object => {
                i64::from(start) <= end && i64::from(offset) < i64::from(start) + bytes as i64
            }
            _ => false,
        };
        if read.iter().any(overlaps) {
            return Err(ErrorKind::Overlap);
        }
        let byte = Mem::plain(Scalar { size: 1, class: Class::Unsigned });
        let keep = &text[..text.len().min(most - 1)];
        for (at, &c) in keep.iter().chain(&[0]).enumerate() {
            self.store((object, offset + at as i32), Value::Int(c.into()), byte)?;
        }
        Ok(())
    }

    /// The next argument, which is to be of a class and of so many bytes.
    fn next(
        &mut self,
        rest: &mut Arguments<'_>,
        (class, size): (Class, u8),
        letter: u8,
    ) -> Result<Value, ErrorKind> {
        let asked = |found: String| {
            let what = if letter == b'*' { "`*`".into() } else { format!("`%{}`", char::from(letter)) };
            let wanted = described(Scalar { size, class });
            ErrorKind::Format(format!("{what} asks for {wanted}, and is given {found}"))
        };
        match rest {
            Arguments::Given { values, types, shown } => {
                let (&value, more) = values.split_first().ok_or_else(|| asked("nothing".into()))?;
                *values = more;
                let known = types.as_mut().and_then(|types| {
                    let (&first, more) = types.split_first()?;
                    *types = more;
                    Some(first)
                });
                let whole = |class: Class| matches!(class, Class::Signed | Class::Unsigned);
                match known {
                    Some(given) if letter != b's' && is_loose(given, (class, size), *shown) => Ok(value),
                    Some(given) if given.size != size => Err(asked(described(given))),
                    Some(given) if given.class != class && !(whole(given.class) && whole(class)) => {
                        Err(asked(described(given)))
                    }
                    _ => Ok(value),
                }
            }
            Arguments::List(list) => {
                let place = self.target(*list)?;
                let pointer = self.pointer_mem();
                let at = self.load(place, pointer)?;
                let (object, offset) = self.target(at)?;
                let moved = Value::Ptr(object, offset + 8);
                self.store(place, moved, pointer)?;
                let mem = Mem::plain(Scalar { size, class: Class::Unsigned });
                self.load((object, offset), mem)
            }
        }
    }

    /// The text; `shown`: it is printed, so an address may be any number.
    fn format(&mut self, format: &[u8], rest: &mut Arguments<'_>, shown: bool) -> Result<Written, ErrorKind> {
        let mut written = Written::default();
        let mut at = 0;
        while let Some(&c) = format.get(at) {
            at += 1;
            if c != b'%' {
                written.text.push(c);
                continue;
            }
            if format.get(at) == Some(&b'%') {
                written.text.push(b'%');
                at += 1;
                continue;
            }
            let conversion = self.conversion(format, &mut at, rest)?;
            self.convert_one(&conversion, rest, shown, &mut written)?;
            if written.text.len() as i64 >= LONGEST {
                return Err(ErrorKind::Limit("a text of more than a mebibyte is printed at once"));
            }
        }
        Ok(written)
    }

    fn conversion(
        &mut self,
        format: &[u8],
        at: &mut usize,
        rest: &mut Arguments<'_>,
    ) -> Result<Conversion, ErrorKind> {
        let mut c = Conversion {
            minus: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: 0,
            precision: None,
            bytes: 4,
            wide: false,
            letter: 0,
        };
        while let Some(flag) = format.get(*at) {
            match flag {
                b'-' => c.minus = true,
                b'+' => c.plus = true,
                b' ' => c.space = true,
                b'#' => c.alternate = true,
                b'0' => c.zero = true,
                _ => break,
            }
            *at += 1;
        }
        let number = |m: &mut Self, at: &mut usize, rest: &mut Arguments<'_>| -> Result<i64, ErrorKind> {
            if format.get(*at) == Some(&b'*') {
                *at += 1;
                let value = m.next(rest, (Class::Signed, 4), b'*')?;
                return Ok(m.number(value)? as i32 as i64);
            }
            let mut value = 0i64;
            while let Some(digit) = format.get(*at).filter(|c| c.is_ascii_digit()) {
                value = (value * 10 + i64::from(digit - b'0')).min(LONGEST);
                *at += 1;
            }
            Ok(value)
        };
        let width = number(self, at, rest)?;
        c.minus |= width < 0;
        c.width = width.unsigned_abs().min(LONGEST as u64) as usize;
        if format.get(*at) == Some(&b'.') {
            *at += 1;
            let precision = number(self, at, rest)?;
            c.precision = usize::try_from(precision.min(LONGEST)).ok();
        }
        let long = self.pointer_size() as u8;
        while let Some(length) = format.get(*at) {
            match length {
                b'h' => c.bytes = if c.bytes == 2 { 1 } else { 2 },
                b'l' => {
                    c.wide = true;
                    c.bytes = if c.bytes == long && long == 4 && format.get(*at - 1) == Some(&b'l') {
                        8
                    } else {
                        long
                    }
                }
                b'q' | b'j' | b'L' => c.bytes = 8,
                b'z' | b't' => c.bytes = long,
                _ => break,
            }
            if *length == b'l' && format.get(at.wrapping_sub(1)) == Some(&b'l') {
                c.bytes = 8;
            }
            *at += 1;
        }
        c.letter = *format.get(*at).ok_or(ErrorKind::Unsupported("a conversion that does not end"))?;
        *at += 1;
        Ok(c)
    }

    fn convert_one(
        &mut self,
        c: &Conversion,
        rest: &mut Arguments<'_>,
        shown: bool,
        Written { text: out, read }: &mut Written,
    ) -> Result<(), ErrorKind> {
        // One number for all, as for `%p`: how many digits there are is a result.
        let number = |machine: &Self, value: Value| match value {
            Value::Ptr(..) if shown => Ok(0x5555),
            value => machine.number(value),
        };
        match c.letter {
            b'd' | b'i' => {
                let value = self.next(rest, (Class::Signed, c.bytes.max(4)), c.letter)?;
                let value = number(self, value)?;
                let value = signed(value, c.bytes);
                let digits = value.unsigned_abs().to_string();
                integer(c, sign(value < 0, c), digits, out);
            }
            b'u' | b'x' | b'X' | b'o' => {
                let value = self.next(rest, (Class::Unsigned, c.bytes.max(4)), c.letter)?;
                let value = number(self, value)?;
                let value = if c.bytes >= 8 { value } else { value & ((1 << (8 * u32::from(c.bytes))) - 1) };
                let (prefix, digits) = match c.letter {
                    b'u' => ("", value.to_string()),
                    b'x' => (if c.alternate && value != 0 { "0x" } else { "" }, format!("{value:x}")),
                    b'X' => (if c.alternate && value != 0 { "0X" } else { "" }, format!("{value:X}")),
                    _ => ("", format!("{value:o}")),
                };
                integer(c, prefix, digits, out);
            }
            b'c' => {
                let value = self.next(rest, (Class::Signed, 4), c.letter)?;
                let value = self.number(value)?;
                if c.wide && value as u32 > 127 {
                    return Err(ErrorKind::Unsupported("to print wide characters"));
                }
                pad(c, &[value as u8], out);
            }
            b's' if c.wide => return Err(ErrorKind::Unsupported("to print wide characters")),
            b's' => {
                let size = self.pointer_size() as u8;
                let value = self.next(rest, (Class::Pointer, size), c.letter)?;
                let most = c.precision.unwrap_or(usize::MAX);
                let text = match value {
                    Value::Int(0) => b"(null)".to_vec(),
                    value => self.text(value, most)?,
                };
                // The zero at its end was read where nothing else ended it.
                read.push((value, text.len() + usize::from(text.len() < most)));
                pad(c, &text, out);
            }
            b'p' => {
                let size = self.pointer_size() as u8;
                match self.next(rest, (Class::Pointer, size), c.letter)? {
                    Value::Int(0) => pad(c, b"(nil)", out),
                    Value::Int(value) => pad(c, format!("{value:#x}").as_bytes(), out),
                    Value::Ptr(..) => pad(c, b"0x5555", out),
                    Value::Undef => return Err(ErrorKind::Uninitialised),
                }
            }
            b'm' => {
                let text = self.error_text(shown)?;
                pad(c, &text[..text.len().min(c.precision.unwrap_or(usize::MAX))], out);
            }
            b'a' | b'A' => {
                let value = self.next(rest, (Class::Float, 8), c.letter)?;
                let value = f64::from_bits(self.number(value)?);
                let prefix = if value.is_finite() { "0x" } else { "" };
                let mut sign = sign(value.is_sign_negative() && !value.is_nan(), c).to_owned() + prefix;
                let mut digits = match value.is_finite() {
                    true => hexadecimal(value.abs(), c),
                    false => real(value.abs(), c),
                };
                if c.letter == b'A' {
                    (sign, digits) = (sign.to_uppercase(), digits.to_uppercase());
                }
                if c.zero && !c.minus && value.is_finite() {
                    let room = c.width.saturating_sub(sign.len() + digits.len());
                    digits.insert_str(0, &"0".repeat(room));
                }
                pad(c, (sign + &digits).as_bytes(), out);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                let value = self.next(rest, (Class::Float, 8), c.letter)?;
                let value = f64::from_bits(self.number(value)?);
                let text = real(value.abs(), c);
                // The sign of what is no number is the machine's.
                let sign = sign(value.is_sign_negative() && !value.is_nan(), c);
                if c.zero && !c.minus && value.is_finite() {
                    let zeros = c.width.saturating_sub(sign.len() + text.len());
                    out.extend_from_slice(sign.as_bytes());
                    out.extend(std::iter::repeat_n(b'0', zeros));
                    out.extend_from_slice(text.as_bytes());
                } else {
                    pad(c, format!("{sign}{text}").as_bytes(), out);
                }
            }
            _ => return Err(ErrorKind::Unsupported("a conversion of printf that is not known")),
        }
        Ok(())
    }
}

fn sign(negative: bool, c: &Conversion) -> &'static str {
    match (negative, c.plus, c.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (.., true) => " ",
        _ => "",
    }
}

fn signed(value: u64, bytes: u8) -> i64 {
    match bytes {
        1 => i64::from(value as i8),
        2 => i64::from(value as i16),
        4 => i64::from(value as i32),
        _ => value as i64,
    }
}

fn integer(c: &Conversion, prefix: &str, digits: String, out: &mut Vec<u8>) {
    let mut digits = match c.precision {
        Some(0) if digits == "0" => String::new(),
        Some(precision) => format!("{}{digits}", "0".repeat(precision.saturating_sub(digits.len()))),
        None if c.zero && !c.minus => {
            let room = c.width.saturating_sub(prefix.len());
            format!("{}{digits}", "0".repeat(room.saturating_sub(digits.len())))
        }
        None => digits,
    };
    // As many more digits as it takes for the first to be a zero.
    if c.letter == b'o' && c.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    pad(c, format!("{prefix}{digits}").as_bytes(), out);
}

fn pad(c: &Conversion, text: &[u8], out: &mut Vec<u8>) {
    let space = c.width.saturating_sub(text.len());
    if !c.minus {
        out.extend(std::iter::repeat_n(b' ', space));
    }
    out.extend_from_slice(text);
    if c.minus {
        out.extend(std::iter::repeat_n(b' ', space));
    }
}

fn real(value: f64, c: &Conversion) -> String {
    let text = if value.is_nan() {
        "nan".into()
    } else if value.is_infinite() {
        "inf".into()
    } else {
        finite(value, c)
    };
    if c.letter.is_ascii_uppercase() { text.to_uppercase() } else { text }
}

fn finite(value: f64, c: &Conversion) -> String {
    let precision = c.precision.unwrap_or(6);
    let text = match c.letter {
        b'f' | b'F' => fixed(value, precision),
        b'e' | b'E' => exponent(value, precision),
        _ => {
            let precision = precision.max(1);
            let scientific = exponent(value, precision - 1);
            let power: i64 = scientific.rsplit('e').next().and_then(|p| p.parse().ok()).unwrap_or(0);
            let mut text = if power < -4 || power >= precision as i64 {
                scientific
            } else {
                fixed(value, (precision as i64 - 1 - power) as usize)
            };
            if !c.alternate && text.contains('.') {
                let (mantissa, tail) = match text.split_once('e') {
                    Some((mantissa, tail)) => (mantissa.to_owned(), format!("e{tail}")),
                    None => (text.clone(), String::new()),
                };
                text = mantissa.trim_end_matches('0').trim_end_matches('.').to_owned() + &tail;
            }
            text
        }
    };
    match text.find('e') {
        _ if !c.alternate || text.contains('.') => text,
        Some(tail) => format!("{}.{}", &text[..tail], &text[tail..]),
        None => text + ".",
    }
}

/// No number has more digits than these behind the point; the others are zeros.
const DIGITS: usize = 1100;

fn fixed(value: f64, precision: usize) -> String {
    format!("{value:.*}{}", precision.min(DIGITS), "0".repeat(precision.saturating_sub(DIGITS)))
}

/// As glibc shows a number by the digits of its mantissa to the base of 16, behind the prefix: one
/// before the point, which is 1 but of what is smaller than all normal numbers.
fn hexadecimal(value: f64, c: &Conversion) -> String {
    const MANTISSA: u32 = 52;
    let bits = value.to_bits();
    let (power, mut mantissa) = ((bits >> MANTISSA) as i32, bits & ((1 << MANTISSA) - 1));
    mantissa |= u64::from(power > 0) << MANTISSA;
    let power = if value == 0.0 { 0 } else { power.max(1) - 1023 };
    let whole = (MANTISSA / 4) as usize;
    let digits = match c.precision {
        Some(precision) if precision < whole => {
            let dropped = 4 * (whole - precision) as u32;
            let (kept, rest, half) =
                (mantissa >> dropped, mantissa & ((1 << dropped) - 1), 1u64 << (dropped - 1));
            // To the nearest; of two that are as near, to the even one.
            let up = rest > half || (rest == half && kept & 1 == 1);
            mantissa = (kept + u64::from(up)) << dropped;
            precision
        }
        precision => precision.unwrap_or(whole),
    };
    let (first, rest) = (mantissa >> MANTISSA, mantissa & ((1 << MANTISSA) - 1));
    let mut text = format!("{rest:0whole$x}");
    text.extend(std::iter::repeat_n('0', digits.saturating_sub(whole)));
    text.truncate(digits);
    if c.precision.is_none() {
        text.truncate(text.trim_end_matches('0').len());
    }
    let point = if text.is_empty() && !c.alternate { "" } else { "." };
    format!("{first}{point}{text}p{power:+}")
}

/// C's form of an exponent: a sign and at least two digits.
fn exponent(value: f64, precision: usize) -> String {
    let text = format!("{value:.*e}", precision.min(DIGITS));
    match text.split_once('e') {
        Some((mantissa, power)) => {
            let power: i32 = power.parse().unwrap_or(0);
            let zeros = "0".repeat(precision.saturating_sub(DIGITS));
            format!("{mantissa}{zeros}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
        }
        None => text,
    }
}
