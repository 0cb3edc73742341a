//! Minimises a failing input by delta debugging, over pieces first and then over bytes.
//!
//! *Entry point:* [`minimise`].
//! *Source:* Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE
//! 2002.
//! *Invariant:* every returned input fails in the same way.

use super::tokens::cut;

/// The smallest part of `input` found that still `fails`; stops early when `out_of_time`.
pub fn minimise(
    input: &[u8],
    fails: &mut dyn FnMut(&[u8]) -> bool,
    out_of_time: &dyn Fn() -> bool,
) -> Vec<u8> {
    let mut best = input.to_vec();
    if let Ok(text) = std::str::from_utf8(input) {
        let mut pieces: Vec<&[u8]> = cut(text).into_iter().map(str::as_bytes).collect();
        reduce(&mut pieces, &mut |pieces| fails(&pieces.concat()), out_of_time);
        best = pieces.concat();
    }
    reduce(&mut best, fails, out_of_time);
    best
}

/// Removes parts of decreasing size until none can be removed.
fn reduce<T: Clone>(items: &mut Vec<T>, fails: &mut dyn FnMut(&[T]) -> bool, out_of_time: &dyn Fn() -> bool) {
    let mut part = items.len().div_ceil(2);
    while part > 0 && !items.is_empty() {
        let (mut at, mut removed) = (0, false);
        while at < items.len() {
            if out_of_time() {
                return;
            }
            let end = (at + part).min(items.len());
            let mut fewer = items[..at].to_vec();
            fewer.extend_from_slice(&items[end..]);
            if fails(&fewer) {
                *items = fewer;
                removed = true;
            } else {
                at = end;
            }
        }
        // A removal may enable other removals.
        part = if part == 1 && removed { 1 } else { part / 2 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let mut fails = |text: &[u8]| text.windows(2).any(|w| w == b"a;") && text.contains(&b'z');
        let small = minimise(b"byte a; proctype P() { a = 3 + z }", &mut fails, &|| false);
        assert_eq!(String::from_utf8_lossy(&small), "a;z");
    }

    #[test]
    fn without_time_nothing_is_left_out() {
        assert_eq!(minimise(b"a b", &mut |_| true, &|| true), b"a b");
    }
}
