//! Forms and queries: pairs of names and values, percent-encoded.
//!
//! *Entry points:* [`pairs`], [`Form`].

/// The pairs of a form, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Parses a form; pairs that are not valid UTF-8 are left out.
    #[must_use]
    pub fn parse(text: &str) -> Form {
        Form(pairs(text))
    }

    /// The first value of a name; empty if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value.as_str())
    }

    /// All values of a name.
    #[must_use]
    pub fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(own, _)| own == name).map(|(_, value)| value.clone()).collect()
    }

    /// Whether there is a name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(own, _)| own == name)
    }
}

/// The pairs of a form or query, in order.
#[must_use]
pub fn pairs(text: &str) -> Vec<(String, String)> {
    let parts = text.split('&').filter(|part| !part.is_empty());
    let split = parts.map(|part| part.split_once('=').unwrap_or((part, "")));
    split.filter_map(|(name, value)| Some((decoded(name)?, decoded(value)?))).collect()
}

/// A percent-encoded text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_decoded() {
        let form = Form::parse("a=1&b=x+y%26&a=2&c&=z&%zz=1&d=%ff");
        assert_eq!(form.all("a"), ["1", "2"]);
        assert_eq!(form.get("b"), "x y&");
        assert!(form.has("c") && !form.has("d"));
        assert_eq!(form.get("nothing"), "");
    }
}
