//! Propositions by their texts, which differ in parentheses, spaces and double negations according to
//! who printed them; instead of a proposition, its negation may have been printed.
//!
//! *Entry point:* [`find`].
//! *Invariant:* a text that could be two propositions is none.

/// Several different propositions have the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ambiguous;

/// The position of a proposition among some texts, and whether it is there itself (true) or as its
/// negation (false).
///
/// # Errors
/// Without parentheses, several of the texts are the same.
pub fn find(proposition: &str, texts: &[&str]) -> Result<Option<(usize, bool)>, Ambiguous> {
    let by = |form: fn(&str) -> String, wanted: &str| {
        let wanted = form(wanted);
        let mut found = (0..texts.len()).filter(|&at| form(texts[at]) == wanted);
        let first = found.next();
        // The same text twice is one proposition.
        let other = found.find(|&at| Some(unspaced(texts[at])) != first.map(|first| unspaced(texts[first])));
        if other.is_some() { Err(Ambiguous) } else { Ok(first) }
    };
    let negation = format!("!{proposition}");
    if let Some(at) = by(unspaced, proposition)? {
        return Ok(Some((at, true)));
    }
    Ok(match (by(bare, proposition)?, by(bare, &negation)?) {
        (Some(at), _) => Some((at, true)),
        (None, Some(at)) => Some((at, false)),
        (None, None) => None,
    })
}

fn unspaced(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// A text without parentheses, spaces and double negations.
fn bare(text: &str) -> String {
    let text: String = text.chars().filter(|c| !"(){} ".contains(*c)).collect();
    text.replace("!!", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_proposition_are_found() {
        let texts = ["( !closed )", "a < 1", "{b}"];
        assert_eq!(find("!closed", &texts), Ok(Some((0, true))));
        assert_eq!(find("closed", &texts), Ok(Some((0, false))));
        assert_eq!(find("!(!b)", &texts), Ok(Some((2, true))));
        assert_eq!(find("!(a<1)", &texts), Ok(Some((1, false))));
        assert_eq!(find("c", &texts), Ok(None));
    }

    #[test]
    fn a_text_of_two_propositions_is_none_of_them_unless_it_is_equal() {
        let texts = ["!(a && b)", "!a && b"];
        assert_eq!(find("!a&&b", &texts), Ok(Some((1, true))));
        assert_eq!(find("(!a) && b", &texts), Err(Ambiguous));
        assert_eq!(find("a", &["a", "a"]), Ok(Some((0, true))));
    }
}
