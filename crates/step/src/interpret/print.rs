//! Output of `printf`: a format with its values. Conversions as in Promela: `%d` and `%u` decimal,
//! `%x` and `%o`, `%c` a character, `%e` a symbolic name, `%%`; `\n`, `\t` etc. as in C.

use std::fmt::Write;

use axle_model::Model;

/// The text of a format and its values. An unknown conversion, or one without a value, is kept.
pub(crate) fn formatted(model: &Model, format: &str, values: &[i64]) -> String {
    let mut text = String::with_capacity(format.len());
    let mut values = values.iter();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            // A width, as in `%3d`, is ignored.
            '%' => match chars.find(|c| !c.is_ascii_digit() && *c != '-' && *c != '.') {
                None => text.push('%'),
                Some('%') => text.push('%'),
                Some(conversion) => match values.next() {
                    Some(&value) => convert(model, conversion, value, &mut text),
                    None => text.extend(['%', conversion]),
                },
            },
            other => text.push(other),
        }
    }
    text
}

fn convert(model: &Model, conversion: char, value: i64, text: &mut String) {
    let number = value as i32;
    let done = match conversion {
        'c' => {
            text.push(char::from(number as u8));
            Ok(())
        }
        'e' => write!(text, "{}", name(model, value)),
        'u' => write!(text, "{}", number as u32),
        'x' => write!(text, "{number:x}"),
        'o' => write!(text, "{number:o}"),
        // `%d`, and unknown conversions as a number.
        _ => write!(text, "{value}"),
    };
    debug_assert!(done.is_ok(), "writing to a string cannot fail");
}

/// The symbolic name of a value, in the first set that has one.
fn name(model: &Model, value: i64) -> String {
    let mut names = model.name_sets.iter().flat_map(|set| &set.names);
    names.find(|(_, v)| *v == value).map_or_else(|| value.to_string(), |(name, _)| name.clone())
}
