//! Fitting columns into the width of a terminal: the widest columns give way first, and a text that
//! does not fit its column continues below.
//!
//! *Entry points:* [`fitted`], [`pieces`].

/// The narrowest column.
const NARROWEST: usize = 8;

/// The widths, reduced until their sum is at most `room`: none is reduced that is narrower than
/// another. Columns are not reduced below a minimum, so the sum may still exceed `room`.
pub(super) fn fitted(mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    let mut most = widths.iter().copied().max().unwrap_or(0);
    while most > NARROWEST && widths.iter().sum::<usize>() > room {
        most -= 1;
        // One column at a time, so that no room is left over.
        for at in 0..widths.len() {
            if widths[at] > most && widths.iter().sum::<usize>() > room {
                widths[at] = most;
            }
        }
    }
    widths
}

/// The text in pieces of at most `width` characters, broken at blanks where that is possible.
pub(super) fn pieces(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut rest: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    while rest.len() > width {
        let blank = rest[..=width].iter().rposition(|c| *c == ' ').filter(|at| *at > 0);
        let tail = rest.split_off(blank.unwrap_or(width));
        pieces.push(rest.into_iter().collect::<String>().trim_end().to_string());
        rest = tail.into_iter().skip_while(|c| *c == ' ').collect();
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(rest.into_iter().collect());
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_columns_give_way() {
        for (widths, room, wanted) in [
            (vec![10, 10], 30, vec![10, 10]),
            (vec![10, 30], 30, vec![10, 20]),
            (vec![30, 30], 41, vec![20, 21]),
            (vec![30, 30], 10, vec![8, 8]),
            (vec![3, 30], 20, vec![3, 17]),
            (vec![], 20, vec![]),
        ] {
            assert_eq!(fitted(widths.clone(), room), wanted, "{widths:?} in {room}");
        }
    }

    #[test]
    fn texts_break_at_blanks_and_lose_nothing() {
        for (text, width, wanted) in [
            ("", 4, vec![""]),
            ("one", 4, vec!["one"]),
            ("one two", 4, vec!["one", "two"]),
            ("one two", 3, vec!["one", "two"]),
            ("incomprehensible", 8, vec!["incompre", "hensible"]),
            ("a incomprehensible", 8, vec!["a", "incompre", "hensible"]),
        ] {
            assert_eq!(pieces(text, width), wanted, "{text:?} at {width}");
        }
    }
}
