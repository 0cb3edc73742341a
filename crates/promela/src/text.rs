//! Text for people: source text made fit for one line of a trace, and numbers of things.

/// The text without comments, each sequence of white space one blank, cut where it gets long.
pub(crate) fn one_line(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut out = String::with_capacity(text.len().min(LONGEST));
    let mut chars = text.chars().peekable();
    let mut quote = None;
    let mut blank = false;
    while let Some(c) = chars.next() {
        if quote.is_none() && c == '/' && chars.peek() == Some(&'/') {
            for skipped in chars.by_ref() {
                if skipped == '\n' {
                    break;
                }
            }
            blank = true;
            continue;
        }
        if quote.is_none() && c == '/' && chars.peek() == Some(&'*') {
            chars.next();
            let mut before = ' ';
            for skipped in chars.by_ref() {
                if before == '*' && skipped == '/' {
                    break;
                }
                before = skipped;
            }
            blank = true;
            continue;
        }
        if c.is_whitespace() || c.is_control() || (c == '\\' && chars.peek() == Some(&'\n')) {
            blank = true;
            continue;
        }
        if blank && !out.is_empty() {
            out.push(' ');
        }
        blank = false;
        if out.len() >= LONGEST {
            out.push_str("...");
            return out;
        }
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' => quote = Some(c),
            _ => {}
        }
        out.push(c);
        if quote.is_some()
            && c == '\\'
            && let Some(next) = chars.next()
            && !next.is_control()
        {
            out.push(next);
        }
    }
    out
}

/// `1 value`, `2 values`.
pub(crate) fn count(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn comments_and_breaks_are_folded() {
        let table = [
            ("c ! one ( nr )", "c ! one ( nr )"),
            ("a  ==\n\t b /* why */ + 1 // because\n ", "a == b + 1"),
            ("printf(\"a // b  c\\\"\\n\")", "printf(\"a // b c\\\"\\n\")"),
            ("/*x*/y", "y"),
            ("", ""),
            ("a /* never closed", "a"),
        ];
        for (text, want) in table {
            assert_eq!(one_line(text), want, "{text:?}");
        }
        assert!(one_line(&"long ".repeat(1000)).len() < 250);
    }
}
