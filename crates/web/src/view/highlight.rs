//! Source lines with markup for comments, strings, numbers and keywords of C and Promela.
//!
//! *Entry point:* [`lines`].
//! *Invariant:* the text of the result, without markup, is the escaped source.

use axle_evidence::escape::xml;

const KEYWORDS: [&str; 62] = [
    "active", "assert", "atomic", "bit", "bool", "break", "byte", "case", "chan", "char", "const",
    "continue", "d_step", "default", "do", "double", "else", "empty", "enum", "extern", "fi", "float", "for",
    "full", "goto", "if", "init", "inline", "int", "len", "long", "ltl", "mtype", "nempty", "never", "nfull",
    "od", "of", "printf", "proctype", "return", "run", "short", "signed", "sizeof", "skip", "static",
    "struct", "switch", "timeout", "true", "false", "typedef", "union", "unless", "unsigned", "void",
    "volatile", "while", "accept", "select", "xr",
];

/// The lines of a source as HTML.
#[must_use]
pub fn lines(text: &str) -> Vec<String> {
    let mut in_comment = false;
    text.lines().map(|line| highlighted(line, &mut in_comment)).collect()
}

fn highlighted(line: &str, in_comment: &mut bool) -> String {
    let mut html = String::with_capacity(line.len() * 2);
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (length, class) = if *in_comment {
            let end = rest.find("*/");
            *in_comment = end.is_none();
            (end.map_or(rest.len(), |end| end + 2), "comment")
        } else if rest.starts_with("//") {
            (rest.len(), "comment")
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/").map(|end| end + 4);
            *in_comment = end.is_none();
            (end.unwrap_or(rest.len()), "comment")
        } else if first == '"' || first == '\'' {
            (quoted(rest, first), "string")
        } else if first.is_ascii_digit() {
            (span(rest, |c| c.is_ascii_alphanumeric()), "number")
        } else if first.is_alphabetic() || first == '_' {
            let length = span(rest, |c| c.is_alphanumeric() || c == '_');
            (length, if KEYWORDS.contains(&&rest[..length]) { "keyword" } else { "" })
        } else if first == '#' && html.trim().is_empty() {
            (1 + span(&rest[1..], |c| c.is_ascii_alphabetic() || c == ' '), "directive")
        } else {
            (first.len_utf8(), "")
        };
        let text = xml(&rest[..length]);
        match class {
            "" => html.push_str(&text),
            class => html.push_str(&format!("<span class=\"{class}\">{text}</span>")),
        }
        rest = &rest[length..];
    }
    html
}

fn span(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// The length of a literal in quotes, which ends with the line at the latest.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_and_keywords_are_marked() {
        let found = lines("int x = 0x1f; // <b>\n/* a\nb */ \"<\\\"\" 'c");
        assert_eq!(
            found[0],
            "<span class=\"keyword\">int</span> x = <span class=\"number\">0x1f</span>; \
             <span class=\"comment\">// &lt;b&gt;</span>"
        );
        assert_eq!(found[1], "<span class=\"comment\">/* a</span>");
        assert_eq!(
            found[2],
            "<span class=\"comment\">b */</span> <span class=\"string\">&quot;&lt;\\&quot;&quot;</span> \
             <span class=\"string\">&#39;c</span>"
        );
        assert_eq!(lines("é \u{1}")[0], "é \u{fffd}");
    }
}
