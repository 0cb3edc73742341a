//! The codes of this crate's diagnostics, each with its meaning.

/// Code and explanation, sorted by code. E10xx and W10xx belong to verification projects.
pub const CODES: &[(&str, &str)] = &[
    (SYNTAX, "The manifest and the front matter of properties are TOML documents (https://toml.io)."),
    (UNKNOWN_KEY, "A table has a key that Axle does not read. Remove it, or correct its spelling."),
    (VALUE, "The value of a key has another type, or is not one of the values that the key accepts."),
    (MISSING_KEY, "A table lacks a required key."),
    (NO_FILE, "A file or folder that the project names does not exist or cannot be read."),
    (
        OUTSIDE,
        "Paths of a project are relative to its folder and stay inside, symbolic links included. Copy the file into the project.",
    ),
    (ENCODING, "Manifests, properties, requirements and timelines are UTF-8 text."),
    (DUPLICATE, "Names of properties, flags and constraints are unique within a project."),
    (REFERENCE, "A name or reference that the project does not define."),
    (EXCLUSIVE, "Some keys exclude each other: a property is one formula, one timeline or one never claim."),
    (CONSTRAINT, "A provisioning constraint is an expression over flags, other constraints and numbers."),
    (CYCLE, "A provisioning constraint may use others, but not itself, not even through others."),
    (NO_PROVISIONING, "No provisioning satisfies the constraint, so every property would hold vacuously."),
    (NAME, "Names begin with a letter and contain letters, digits, `-` and `_`."),
    (FRONT_MATTER, "A property file begins with TOML between two lines that consist of `+++`."),
    (FLAG, "A feature flag is a global integer variable that nothing writes after the start."),
    (TOO_MANY, "A project has limits on the number of files, flags, values and provisionings."),
    (NOTHING, "A project has properties, or checks the software itself: see `[safety]` in the manifest."),
    (NO_WORDS, "The text below the front matter explains the property to readers of its results."),
    (NO_PROPERTY, "A project without properties checks the software itself and nothing else."),
    (
        NOT_READ,
        "Files in the folders of properties and timelines belong to the project; keep other files elsewhere.",
    ),
    (
        FLAG_WRITTEN,
        "Flags do not change during a run: a constraint says nothing about values that the program assigns.",
    ),
    (LANES, "The table `[lanes]` names functions of the program, whose calls are the events of a chart."),
];

pub(crate) const SYNTAX: &str = "E1001";
pub(crate) const UNKNOWN_KEY: &str = "E1002";
pub(crate) const VALUE: &str = "E1003";
pub(crate) const MISSING_KEY: &str = "E1004";
pub(crate) const NO_FILE: &str = "E1005";
pub(crate) const OUTSIDE: &str = "E1006";
pub(crate) const ENCODING: &str = "E1007";
pub(crate) const DUPLICATE: &str = "E1008";
pub(crate) const REFERENCE: &str = "E1009";
pub(crate) const EXCLUSIVE: &str = "E1010";
pub(crate) const CONSTRAINT: &str = "E1011";
pub(crate) const CYCLE: &str = "E1012";
pub(crate) const NO_PROVISIONING: &str = "E1013";
pub(crate) const NAME: &str = "E1014";
pub(crate) const FRONT_MATTER: &str = "E1015";
pub(crate) const FLAG: &str = "E1016";
pub(crate) const TOO_MANY: &str = "E1017";
pub(crate) const NOTHING: &str = "E1018";
pub(crate) const NO_WORDS: &str = "W1001";
pub(crate) const NO_PROPERTY: &str = "W1002";
pub(crate) const NOT_READ: &str = "W1003";
pub(crate) const FLAG_WRITTEN: &str = "W1004";
pub(crate) const LANES: &str = "W1005";

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_are_sorted_and_explained() {
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(
            CODES.iter().all(|(code, text)| code.len() == 5 && text.ends_with('.') || text.ends_with(")."))
        );
    }
}
