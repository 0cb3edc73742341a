//! Line breaking for reports on a terminal. Entry point: [`wrap`].

/// A line as one or more lines of at most `width` characters, broken at blanks; continuation lines
/// are indented by `indent`. Each ends in a newline. A word longer than the width is not broken.
/// Without a width, the line is unchanged.
pub fn wrap(line: &str, width: Option<usize>, indent: usize) -> String {
    let mut text = String::new();
    let Some(width) = width.filter(|width| line.chars().count() > *width) else {
        text.push_str(line);
        text.push('\n');
        return text;
    };
    // At least half of each continuation line is text.
    let indent = indent.min(width / 2);
    let (mut used, mut empty) = (0, true);
    let mut gap = 0;
    for word in line.split(' ') {
        if word.is_empty() {
            gap += 1;
            continue;
        }
        let length = word.chars().count();
        if !empty && used + gap + length > width {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            (used, gap) = (indent, 0);
        }
        text.extend(std::iter::repeat_n(' ', gap));
        text.push_str(word);
        used += gap + length;
        (empty, gap) = (false, 1);
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_only() {
        for (line, width, indent, wanted) in [
            ("one two", None, 0, "one two\n"),
            ("one two", Some(7), 0, "one two\n"),
            ("one two", Some(6), 2, "one\n  two\n"),
            ("  one   two three", Some(11), 4, "  one   two\n    three\n"),
            ("a incomprehensibility b", Some(8), 2, "a\n  incomprehensibility\n  b\n"),
            ("", Some(3), 2, "\n"),
        ] {
            assert_eq!(wrap(line, width, indent), wanted, "{line:?} at {width:?}");
        }
    }
}
