//! Arguments of `printf` whose width or class differs from the conversion specification. This is
//! undefined behaviour (7.21.6.1p9); on the modelled machines a part of the argument is printed.
//! The front end therefore reports a warning, found statically. Execution uses the same predicate
//! [`is_loose`] (`exec/format.rs`).
//!
//! *Entry point:* [`loose_formats`].

use axle_source::Loc;

use crate::code::{Arg, Class, Op, Scalar, StaticKind};
use crate::library::Format;
use crate::program::Program;

/// Whether an argument is accepted for a conversion specification of a different type. `shown` is
/// true for output streams; text that the program keeps must not contain unknown values.
pub fn is_loose(given: Scalar, (class, size): (Class, u8), shown: bool) -> bool {
    let whole = |class: Class| matches!(class, Class::Signed | Class::Unsigned);
    let passed_alike = |class: Class| whole(class) || class == Class::Pointer;
    let cut = given.size == 8 && size == 4 && whole(given.class) && whole(class);
    cut || shown && passed_alike(given.class) && passed_alike(class)
}

/// The calls with such arguments, each with the expected and the actual type.
#[must_use]
pub fn loose_formats(program: &Program) -> Vec<(Loc, String)> {
    let mut found = Vec::new();
    for code in program.codes.iter().filter(|code| !code.ours) {
        for (pc, types) in &code.printed {
            let Some(Op::Lib { lib, args, .. }) = code.ops.get(*pc as usize) else { continue };
            let Some(Format { argument: first, stream: shown, list: false }) = lib.row().format else {
                continue;
            };
            let Some(text) = args.get(first).and_then(|arg| literal(program, *arg)) else { continue };
            let wanted = conversions(text, program.types.pointer_size() as u8);
            let pairs = wanted.iter().zip(types.iter().skip(first + 1));
            let mut loose = pairs.filter(|((letter, class, size), given)| {
                let same = given.class == *class || given.class != Class::Pointer && *class != Class::Pointer;
                *letter != b's' && !(given.size == *size && same) && is_loose(**given, (*class, *size), shown)
            });
            if let (Some(((letter, class, size), given)), Some(&loc)) =
                (loose.next(), code.locs.get(*pc as usize))
            {
                let wanted = described(Scalar { size: *size, class: *class });
                let letter = char::from(*letter);
                found.push((
                    loc,
                    format!("`%{letter}` expects {wanted}, but the argument is {}", described(*given)),
                ));
            }
        }
    }
    found
}

/// A description of a type for messages.
pub fn described(scalar: Scalar) -> String {
    match scalar.class {
        Class::Pointer => "a pointer".into(),
        Class::Float => "a floating-point number".into(),
        Class::Bool => "a structure".into(),
        Class::Signed | Class::Unsigned => format!("a {}-bit integer", scalar.bits()),
    }
}

/// The contents of a string literal.
fn literal(program: &Program, arg: Arg) -> Option<&[u8]> {
    let Arg::Static(object, 0) = arg else { return None };
    match &program.statics.get((object as usize).checked_sub(1)?)?.kind {
        StaticKind::Text(text) => Some(text),
        StaticKind::Function(_) | StaticKind::Variable(_) => None,
    }
}

/// The conversion specifications of a format: argument index, class and size.
fn conversions(text: &[u8], long: u8) -> Vec<(u8, Class, u8)> {
    let mut wanted = Vec::new();
    let mut rest = text.iter().copied().peekable();
    while let Some(c) = rest.next() {
        if c != b'%' {
            continue;
        }
        let mut size = 4;
        let mut longs = 0;
        for c in rest.by_ref() {
            match c {
                b'*' => wanted.push((c, Class::Signed, 4)),
                b'l' => {
                    longs += 1;
                    size = if longs > 1 { 8 } else { long };
                }
                b'q' | b'j' | b'L' => size = 8,
                b'z' | b't' => size = long,
                b'h' | b'-' | b'+' | b' ' | b'#' | b'.' | b'0'..=b'9' => {}
                b'd' | b'i' => {
                    wanted.push((c, Class::Signed, size));
                    break;
                }
                b'u' | b'x' | b'X' | b'o' => {
                    wanted.push((c, Class::Unsigned, size));
                    break;
                }
                b'c' => {
                    wanted.push((c, Class::Signed, 4));
                    break;
                }
                b'p' | b's' => {
                    wanted.push((c, Class::Pointer, long));
                    break;
                }
                b'%' | b'm' => break,
                // Floating conversions and unknown conversions.
                _ => {
                    wanted.push((c, Class::Float, 8));
                    break;
                }
            }
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read() {
        let signed = |size| (b'd', Class::Signed, size);
        assert_eq!(
            conversions(b"%5d of %-8s %ld%% %*lld", 8),
            [signed(4), (b's', Class::Pointer, 8), signed(8), (b'*', Class::Signed, 4), signed(8)]
        );
        assert_eq!(
            conversions(b"%ld %zu %hhx %.3f", 4),
            [signed(4), (b'u', Class::Unsigned, 4), (b'x', Class::Unsigned, 4), (b'f', Class::Float, 8)]
        );
    }

    #[test]
    fn what_is_kept_must_be_known() {
        let scalar = |size, class| Scalar { size, class };
        assert!(is_loose(scalar(8, Class::Unsigned), (Class::Signed, 4), false));
        assert!(!is_loose(scalar(4, Class::Signed), (Class::Signed, 8), false));
        assert!(is_loose(scalar(4, Class::Signed), (Class::Signed, 8), true));
        assert!(!is_loose(scalar(8, Class::Pointer), (Class::Signed, 4), false));
        assert!(is_loose(scalar(8, Class::Pointer), (Class::Signed, 4), true));
        assert!(!is_loose(scalar(8, Class::Float), (Class::Signed, 4), true));
    }
}
