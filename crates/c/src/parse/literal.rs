//! Numbers, characters and string literals (C11 6.4.4, 6.4.5).
//!
//! *Entry points:* [`number`], [`characters`].

use crate::types::{self, DataModel, TypeId};

/// The value of a numeric constant.
pub enum Number {
    Int(u64, TypeId),
    Real(f64, TypeId),
}

/// The value and type of a pp-number (C11 6.4.4.1p5).
pub fn number(text: &str, model: DataModel) -> Result<Number, &'static str> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let real = lower.contains('.') || (!hex && lower.contains('e')) || (hex && lower.contains('p'));
    if real {
        return float(&lower, hex);
    }
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, &lower[..]),
    };
    let length = digits.bytes().take_while(|&b| char::from(b).is_digit(radix)).count();
    let (digits, suffix) = digits.split_at(length);
    if digits.is_empty() && radix != 8 {
        return Err("number without digits");
    }
    let mut value: u64 = 0;
    for byte in digits.bytes() {
        let digit = char::from(byte).to_digit(radix).unwrap_or(0);
        value = value
            .checked_mul(radix.into())
            .and_then(|v| v.checked_add(digit.into()))
            .ok_or("integer constant exceeds 64 bits")?;
    }
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return Err("invalid suffix on integer constant"),
    };
    let long_max = if model == DataModel::Lp64 { i64::MAX as u64 } else { i32::MAX as u64 };
    let ulong_max = if model == DataModel::Lp64 { u64::MAX } else { u32::MAX.into() };
    let ladder = [
        (0, false, i32::MAX as u64, types::INT),
        (0, true, u32::MAX.into(), types::UINT),
        (1, false, long_max, types::LONG),
        (1, true, ulong_max, types::ULONG),
        (2, false, i64::MAX as u64, types::LLONG),
        (2, true, u64::MAX, types::ULLONG),
    ];
    for (rank, is_unsigned, max, ty) in ladder {
        let sign_fits = is_unsigned == unsigned || (is_unsigned && radix != 10 && !unsigned);
        if rank >= longs && sign_fits && value <= max {
            return Ok(Number::Int(value, ty));
        }
    }
    // GCC gives a decimal constant beyond `long long` an unsigned type, with a warning.
    Ok(Number::Int(value, types::ULLONG))
}

fn float(lower: &str, hex: bool) -> Result<Number, &'static str> {
    let (digits, ty) = match lower.as_bytes().last() {
        Some(b'f') if !hex || lower.contains('p') => (&lower[..lower.len() - 1], types::FLOAT),
        Some(b'l') => (&lower[..lower.len() - 1], types::LDOUBLE),
        _ => (lower, types::DOUBLE),
    };
    let value = if hex { hex_float(&digits[2..]) } else { digits.parse::<f64>().ok() };
    let value = value.ok_or("invalid numeric constant")?;
    let value =
        if ty == types::FLOAT { f64::from(digits.parse::<f32>().unwrap_or(value as f32)) } else { value };
    Ok(Number::Real(value, ty))
}

fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (mut value, mut scale) = (0f64, 1f64);
    for c in whole.chars() {
        value = value * 16.0 + f64::from(c.to_digit(16)?);
    }
    for c in fraction.chars() {
        scale /= 16.0;
        value += f64::from(c.to_digit(16)?) * scale;
    }
    Some(value * 2f64.powi(exponent.clamp(-2000, 2000)))
}

/// The prefix of a character or string literal: the element size in bytes, and whether elements are
/// unsigned.
pub fn prefix(text: &str) -> (u8, bool) {
    match text.split(['"', '\'']).next().unwrap_or_default() {
        "L" => (4, false),
        "U" => (4, true),
        "u" => (2, true),
        _ => (1, false),
    }
}

/// The elements between the quotes after replacement of escape sequences.
pub fn characters(text: &str, width: u8) -> Result<Vec<u32>, &'static str> {
    let start = text.find(['"', '\'']).map_or(0, |at| at + 1);
    let inside = text.get(start..text.len().saturating_sub(1)).unwrap_or_default();
    let mut out = Vec::new();
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            match width {
                1 => out.extend(c.to_string().bytes().map(u32::from)),
                2 => out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit))),
                _ => out.push(c as u32),
            }
            continue;
        }
        let escape = chars.next().ok_or("incomplete escape sequence")?;
        let value = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\'' | '"' | '\\' | '?' => escape as u32,
            'x' => {
                let (mut value, mut any) = (0u32, false);
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.wrapping_mul(16).wrapping_add(digit);
                    any = true;
                    chars.next();
                }
                if !any {
                    return Err("`\\x` without hexadecimal digits");
                }
                value
            }
            '0'..='7' => {
                let mut value = escape as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    chars.next();
                }
                value
            }
            'u' | 'U' => {
                let mut value = 0u32;
                for _ in 0..(if escape == 'u' { 4 } else { 8 }) {
                    let digit = chars
                        .next()
                        .and_then(|c| c.to_digit(16))
                        .ok_or("too few digits in universal character name")?;
                    value = value.wrapping_mul(16).wrapping_add(digit);
                }
                let c = char::from_u32(value).ok_or("invalid character code")?;
                if width == 1 {
                    let text = c.to_string();
                    let (last, first) = text.as_bytes().split_last().ok_or("invalid character code")?;
                    out.extend(first.iter().map(|&byte| u32::from(byte)));
                    u32::from(*last)
                } else {
                    value
                }
            }
            // GCC warns and uses the character itself.
            other => other as u32,
        };
        out.push(value);
    }
    Ok(out)
}

/// The value of a character constant; several characters form a number in base 256, as in GCC.
pub fn char_value(text: &str) -> Result<(i64, TypeId), &'static str> {
    let (width, unsigned) = prefix(text);
    let values = characters(text, width)?;
    Ok(match (width, &values[..]) {
        (_, []) => return Err("empty character constant"),
        (1, [one]) => (i64::from(*one as u8 as i8), types::INT),
        (1, many) => (i64::from(many.iter().fold(0u32, |v, b| (v << 8) | (b & 0xff)) as i32), types::INT),
        (2, many) => (i64::from(many[many.len() - 1] as u16), types::USHORT),
        (_, many) if unsigned => (i64::from(many[many.len() - 1]), types::UINT),
        (_, many) => (i64::from(many[many.len() - 1] as i32), types::INT),
    })
}
