//! Changes of single keys in the front matter of a property file. Everything else stays as it is written:
//! comments, order, and values of other keys.
//!
//! *Entry point:* [`with_value`].
//! *Invariant:* the result differs from the text in the line of the key only.

use toml::de::DeTable;

use super::properties::parts;

/// A value of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
}

impl Value {
    /// The value in TOML.
    fn written(&self) -> String {
        match self {
            Value::Text(text) => {
                let plain = text.replace(|c: char| c.is_control(), " ");
                format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
            }
            Value::Number(number) => number.to_string(),
        }
    }
}

/// The text of a property file with another value of a key; without a value, the key is removed. None if
/// the front matter cannot be read.
#[must_use]
pub fn with_value(text: &str, key: &str, value: Option<&Value>) -> Option<String> {
    let front = parts(text).ok()?.front;
    let inner = &text[front.clone()];
    let (table, faults) = DeTable::parse_recoverable(inner);
    if !faults.is_empty() {
        return None;
    }
    let found = table.get_ref().iter().find(|(own, _)| own.get_ref() == key);
    let (range, new) = match (found, value) {
        (Some((_, old)), Some(value)) => (old.span(), value.written()),
        (Some((own, old)), None) => {
            let start = inner[..own.span().start].rfind('\n').map_or(0, |end| end + 1);
            let end = inner[old.span().end..].find('\n').map_or(inner.len(), |end| old.span().end + end + 1);
            (start..end, String::new())
        }
        (None, Some(value)) => {
            // Keys behind the header of a table would belong to the table.
            let is_header = |line: &&str| line.trim_start().starts_with('[');
            let start: usize =
                inner.split_inclusive('\n').take_while(|line| !is_header(line)).map(str::len).sum();
            let missing = if inner[..start].is_empty() || inner[..start].ends_with('\n') { "" } else { "\n" };
            (start..start, format!("{missing}{key} = {}\n", value.written()))
        }
        (None, None) => return Some(text.to_string()),
    };
    let (start, end) = (front.start + range.start, front.start + range.end);
    Some(format!("{}{new}{}", &text[..start], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "+++\n# The name.\nname = \"a\" # unique\nweight = 3\nconstraints = [\n  \"x\",\n]\n+++\n\nweight = 3\n";

    fn changed(key: &str, value: Option<Value>) -> String {
        with_value(FILE, key, value.as_ref()).expect("a front matter")
    }

    #[test]
    fn a_value_is_replaced_added_and_removed() {
        assert_eq!(changed("weight", Some(Value::Number(5))), FILE.replacen("weight = 3", "weight = 5", 1));
        let quoted = changed("name", Some(Value::Text("b \"c\" \\".into())));
        let read: toml::Table = quoted[4..quoted.rfind("+++").unwrap()].parse().expect("TOML");
        assert_eq!(read["name"].as_str(), Some("b \"c\" \\"));
        assert!(quoted.contains("# unique"), "{quoted}");
        assert_eq!(changed("weight", None), FILE.replacen("weight = 3\n", "", 1));
        assert_eq!(
            changed("expected", Some(Value::Text("violated".into()))),
            FILE.replacen("]\n+++", "]\nexpected = \"violated\"\n+++", 1)
        );
        assert_eq!(changed("fairness", None), FILE);
    }

    #[test]
    fn a_file_without_front_matter_is_not_changed() {
        assert_eq!(with_value("name = 1\n", "name", None), None);
        assert_eq!(with_value("+++\nname = \n+++\n", "name", None), None);
    }
}
