//! The codes of the diagnostics about names, types, control flow and meaning, with their
//! explanations. E03xx are names and types, E04xx constructs that cannot be lowered, W03xx warnings.

/// Code and explanation, sorted by code.
pub const CODES: &[(&str, &str)] = &[
    ("E0301", "A name is used that is not declared, or not yet: Promela reads from top to bottom."),
    (
        "E0302",
        "A name that is visible is declared again. Promela has no shadowing; names of blocks that lie side by side may be equal.",
    ),
    ("E0303", "There is no `typedef` of this name above."),
    ("E0304", "A variable must stand here, and the name stands for something else."),
    ("E0305", "An array is named without saying which element."),
    (
        "E0306",
        "A record is named where a single value must stand. Whole records can only be sent, received and passed to `run`.",
    ),
    ("E0307", "A field that the record does not have, or a field of something that is no record."),
    ("E0308", "An index behind something that is no array."),
    (
        "E0309",
        "A number that must be known before the model runs: a length, a capacity, a width, a priority.",
    ),
    (
        "E0310",
        "`unsigned x : n` has a width of 1 to 31 bits, other types have none, and a message field cannot be `unsigned`.",
    ),
    ("E0311", "A length or capacity that is not possible."),
    ("E0312", "A `typedef` that contains itself would never end."),
    ("E0313", "An initial value of the wrong kind."),
    ("E0314", "An array, or a record with one inside, cannot be a parameter."),
    ("E0315", "A name of one `mtype` in a variable or parameter of another."),
    ("E0316", "`run` gives more or fewer values than the proctype has parameters."),
    ("E0317", "`run` may stand alone or in an assignment, nowhere else: it changes the state."),
    ("E0318", "A message has more fields than any channel of the model takes."),
    ("E0319", "`_` receives a value that is discarded; it has no value of its own."),
    ("E0320", "`_pid`, `_nr_pr`, `_last` and `_p` are set by the system."),
    ("E0321", "`hidden`, `show` or `local` where it means nothing."),
    ("E0322", "An `mtype` is a byte with 0 for none: 255 names."),
    ("E0323", "Priorities are 1 to 255."),
    ("E0324", "`np_` says whether the system makes progress: a question for claims and formulas."),
    ("E0325", "There is no proctype of this name."),
    ("E0326", "Only channels can be sent to, received from and asked for their length."),
    ("E0327", "One variable for two fields of a message: the first value would be lost."),
    ("E0328", "The names of an `mtype` are declared at the top level."),
    (
        "E0329",
        "Behind the first statement a declaration is a statement itself, and can neither make a channel nor take a list.",
    ),
    (
        "E0330",
        "`for` and `select` count with a plain integer variable; `for (m in c)` takes a record of the channel's own type.",
    ),
    ("E0331", "A channel variable holds a reference to a channel: no number, and nothing to calculate with."),
    (
        "E0332",
        "A `for` over two plain numbers whose first is greater than the last. Ends that are calculated may give an empty range: no iteration.",
    ),
    ("E0401", "`c_code` is C text that a C compiler would have to read. Axle checks Promela as it stands."),
    ("E0402", "`c_expr` is C text that a C compiler would have to read. Axle checks Promela as it stands."),
    ("E0403", "`c_decl` is C text that a C compiler would have to read. Axle checks Promela as it stands."),
    ("E0404", "`c_state` adds C data to the state. Axle checks Promela as it stands."),
    ("E0405", "`c_track` adds C data to the state. Axle checks Promela as it stands."),
    ("E0409", "A model needs `init` or an `active` proctype."),
    ("E0410", "At most 255 processes exist at once."),
    ("E0411", "At most 255 channels exist at once."),
    ("E0420", "A `d_step` is a single step: it creates no process and looks into no other."),
    (
        "E0421",
        "A sequence that begins with a label: nothing could jump there, for the sequence is entered as a whole.",
    ),
    ("E0422", "A jump into a `d_step`, or out of it."),
    ("E0423", "`break` leaves the innermost `do` or `for`, and there is none."),
    ("E0424", "A label and a variable of the same name."),
    ("E0425", "Jumps that only lead to each other: there is no statement on the way."),
    ("E0426", "There is no label of this name in the process."),
    ("E0427", "Two `else` in one selection."),
    ("E0430", "A claim watches; it neither sends nor receives."),
    ("E0431", "An event trace consists of sends and receives on global channels."),
    ("E0432", "There can be one event trace in a model."),
    ("E0433", "A claim or event trace watches; what it remembers is where it stands."),
    (
        "W0301",
        "A label that begins with `end`, `accept` or `progress` says something about its state, whatever follows.",
    ),
    ("W0302", "A `for` ends when its variable is greater than the last value, which this type cannot hold."),
    ("W0303", "Something is declared and never used."),
    ("W0304", "A variable that is never read still enlarges the state space."),
    ("W0305", "No statement leads here."),
    ("W0306", "A channel with senders only, or receivers only."),
    ("W0307", "`else` beside a send or receive is taken whenever the message is not there at this moment."),
    ("W0308", "A constant is truncated on assignment."),
    ("W0309", "A constant index outside its array: a fault when it is executed."),
    ("W0310", "More or fewer values than the channel has fields: a fault when it is executed."),
    ("W0311", "A variable as the length of an array: its initial value is taken, as in Spin."),
    ("W0312", "Names of different `mtype`s meet."),
    (
        "W0313",
        "A rendezvous needs another process in the same step, and a `d_step` has none: a fault when it is executed.",
    ),
    ("W0314", "A claim that changes a variable."),
    ("W0315", "`printf` gets more or fewer values than its format takes."),
    ("W0316", "An escape inside a `d_step` is never taken, as in Spin."),
    ("W0317", "`timeout` beside `else` never comes to its turn."),
    (
        "W0318",
        "A record, or an array of records, has an initial value. As in Spin it has no effect: the fields start with the values of the `typedef`, or 0.",
    ),
];

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_are_sorted_and_explained() {
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(CODES.iter().all(|(_, text)| text.ends_with('.')));
    }

    #[test]
    fn every_code_that_is_given_is_explained() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for entry in std::fs::read_dir(folder).expect("the sources").flatten() {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            for (at, _) in text.match_indices('"') {
                let Some(code) = text.get(at + 1..at + 6) else { continue };
                let lowering = ["E03", "E04", "W03"].iter().any(|p| code.starts_with(p));
                if lowering && code[1..].bytes().all(|b| b.is_ascii_digit()) {
                    assert!(CODES.iter().any(|(known, _)| *known == code), "{code} has no explanation");
                }
            }
        }
    }
}
