//! The codes of this crate's diagnostics with their meaning. E08xx and W08xx belong to
//! extraction.

/// The warning about a statement that has no row in its table.
pub const NEW_STATEMENT: &str = "W0831";

/// Code and explanation, sorted by code.
pub const CODES: &[(&str, &str)] = &[
    ("E0801", "Something else must stand here in the C text; the message says what."),
    ("E0802", "Brackets, blocks and operators can be nested in one another some hundred times, not more."),
    ("E0803", "The function is defined twice, or a jump has nothing to lead to."),
    (
        "E0804",
        "A `case` must stand in the statement list of its `switch`, not inside another statement of it.",
    ),
    ("E0805", "The statement has no row in a table, so that it cannot be in a model."),
    ("E0806", "The file has no function of this name."),
    ("E0807", "No table was given for a function that the wrapper includes, or several were."),
    (
        "E0811",
        "A row of a table has a statement on the left and, behind a tab or two spaces, what becomes of it.",
    ),
    ("E0812", "The row or directive of a table is not of a form that is known."),
    ("E0813", "Two rows of a table speak of one statement and say different things."),
    ("E0814", "The mapping is for statements of another kind."),
    ("E0815", "The mapping is not text of a model: a bracket or quote is open or closes nothing."),
    ("E0816", "The mappings of the ways out of a choice do not go together."),
    ("E0821", "What is to be kept has no equal in Promela; give it a text of the model instead."),
    ("E0822", "Two objects of one name in blocks of one function would be one object of the process."),
    (
        "E0823",
        "The result lies outside the domain of a `Map` whose table says `else -> error`. Extend the domain, or choose \
         `else -> skip` (the class stays) or `else -> nondet` (any class).",
    ),
    (
        "E0824",
        "An argument of a library call is no object that Promela can name; `Object` says which object of the model it is.",
    ),
    ("E0825", "A variable of the program has no declaration in Promela; declare it in a wrapper."),
    ("W0811", "A row of a table says what another says already, or takes in everything."),
    ("W0821", "Both sides of a condition are `false`: the process stops there."),
    (NEW_STATEMENT, "A statement is new in the source; the table gets a row with its default."),
    ("W0832", "The statement of a row is gone from the source; the row is put out of force and kept."),
    ("W0833", "The statement of a row that was out of force is back."),
];

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_are_sorted_and_explained() {
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(CODES.iter().all(|(code, text)| code.len() == 5 && text.ends_with('.')));
    }
}
