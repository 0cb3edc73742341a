//! The codes of the parser's diagnostics with their meaning. E02xx and W02xx are faults of
//! syntax.

/// Code and explanation, sorted by code.
pub const CODES: &[(&str, &str)] = &[
    (
        "E0201",
        "A number starts with a digit: decimal `19`, hexadecimal `0x13`, octal `0o23` or binary `0b10011`. There are no numbers with a decimal point.",
    ),
    ("E0202", "Numbers have at most 64 bits."),
    ("E0203", "Between single quotes stands one character, perhaps with a backslash before it."),
    (
        "E0204",
        "Brackets, blocks, operators and calls of inlines can be nested in one another some hundred times, not more.",
    ),
    ("E0205", "Something else must stand here; the message says what."),
    (
        "E0206",
        "As in Spin, the end of a line ends a statement wherever the statement could end there, except inside round brackets. To go on in the next line, break the line behind an operator or put round brackets around the expression.",
    ),
    (
        "E0207",
        "At the top level stand declarations only: variables, `mtype`, `typedef`, `proctype`, `init`, `never`, `trace`, `ltl`, `inline` and embedded C.",
    ),
    ("E0208", "There is a `}` without a `{`, most often because a block above was closed too early."),
    (
        "E0209",
        "A declaration starts with a type: bit, bool, byte, pid, short, int, unsigned, mtype, chan, or the name of a `typedef` that stands above.",
    ),
    (
        "E0210",
        "Variables of one type are separated by commas, declarations by semicolons: `byte a, b; int c`. The same holds for parameters.",
    ),
    ("E0211", "An array is declared with its number of elements: `byte a[4]`."),
    ("E0212", "The fields of a `typedef` are separated by semicolons, or by the ends of lines."),
    ("E0213", "A parameter gets its value from `run`, or 0 where the process is `active`."),
    ("E0214", "`init` takes no parameters: no `run` starts it."),
    ("E0215", "A `fi` or `od` stands where a block is still open: a `}` is missing before it."),
    ("E0216", "A block was opened with `{` and is not closed."),
    (
        "E0217",
        "A body, a block and an option of `if` or `do` hold at least one statement; `skip` does nothing.",
    ),
    (
        "E0218",
        "Statements are separated by `;` or `->`. The separator can be left out at the end of a line and behind `}`.",
    ),
    ("E0219", "`a unless b unless c` is not read as anything; braces say what is meant."),
    ("E0220", "`x++` and `x--` are statements, written behind the variable; they have no value."),
    (
        "E0221",
        "`unless` stands directly behind a statement. The end of a line ends a statement, but for one that ends with `}`.",
    ),
    ("E0222", "Only a variable, an element of an array or a field can be assigned to."),
    ("E0223", "An assignment is a statement and has no value that could be assigned in turn."),
    ("E0224", "A label names a statement. Declarations cannot be labelled."),
    ("E0225", "This word does not start a statement."),
    ("E0226", "A process type is not called: `run P()` starts a process, which then runs by itself."),
    ("E0227", "An inline is declared at the top level, above its first call."),
    ("E0228", "The options of `if` and `do` start with `::`."),
    ("E0229", "`if` is closed by `fi`, `do` by `od`."),
    ("E0230", "An `if` or `do` is not closed."),
    (
        "E0231",
        "`full`, `empty`, `nfull` and `nempty` can be joined by `&&` and `||` only. Their negations have names of their own, on which partial order reduction rests.",
    ),
    (
        "E0232",
        "The tree of an expression can be a thousand operators high. Brackets that join operands in pairs keep it low.",
    ),
    (
        "E0233",
        "A call of an inline is a statement. It can stand for a value only as the whole right side of an assignment.",
    ),
    ("E0234", "Promela has a fixed set of functions; inlines are called as statements."),
    (
        "E0235",
        "`eval(e)` stands for the value of `e` among the arguments of a receive, where a variable alone would be assigned to.",
    ),
    (
        "E0236",
        "Comparisons and arithmetic join expressions; a temporal formula is none: `([] x) == 1`. `[] x == 1` is `[] (x == 1)` (Spin accepts it and checks something else).",
    ),
    ("E0237", "Two inlines have the same name."),
    ("E0238", "An inline is replaced by its text, so that one that calls itself would never end."),
    ("E0239", "A call of an inline gives as many arguments as the inline has parameters."),
    ("E0240", "There is nothing between two commas, or between a comma and a bracket."),
    ("E0241", "Inlines that call inlines grow quickly; what all calls produce together is bounded."),
    ("E0242", "This inline returns a value and is called as a statement."),
    ("E0243", "`return` gives an inline its value; processes do not return."),
    (
        "E0244",
        "The braces of embedded C code must be balanced, those in its strings and comments not counted.",
    ),
    ("E0245", "A predicate is a condition on one state: one expression of the model."),
    (
        "W0201",
        "A leading zero does not make a number octal, in Spin as in Axle: `010` is ten. Octal numbers are written `0o10`.",
    ),
    (
        "W0202",
        "`p -> q -> r` is `(p -> q) -> r`, in Spin as in Axle; in logic it is mostly meant as `p -> (q -> r)`.",
    ),
    (
        "W0203",
        "A formula is judged at the start of each run: without `[]` around it, `p -> <> q` says something of the first state only.",
    ),
    (
        "W0204",
        "`[]` and `<>` bind tighter than all binary operators: `[] p && q` is `([] p) && q`, and `[] p -> q` is `([] p) -> q`.",
    ),
    (
        "W0205",
        "`<> (p -> q)` holds as soon as `p` is false for a moment; mostly `[] (p -> <> q)` or `<> (p && q)` is meant.",
    ),
    (
        "W0206",
        "Comments do not nest: the first `*/` ends a comment, and a second one stands alone. Spin skips it too.",
    ),
];

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn every_code_is_explained_and_every_explanation_used() {
        let sources = [
            include_str!("lib.rs"),
            include_str!("token.rs"),
            include_str!("parse.rs"),
            include_str!("parse/c.rs"),
            include_str!("parse/comm.rs"),
            include_str!("parse/decl.rs"),
            include_str!("parse/expr.rs"),
            include_str!("parse/fault.rs"),
            include_str!("parse/inline.rs"),
            include_str!("parse/ltl.rs"),
            include_str!("parse/misread.rs"),
            include_str!("parse/stmt.rs"),
        ];
        let quoted = |text: &str| {
            let bytes = text.as_bytes();
            bytes.len() == 5 && matches!(bytes[0], b'E' | b'W') && bytes[1..].iter().all(u8::is_ascii_digit)
        };
        let mut used: Vec<&str> =
            sources.iter().flat_map(|source| source.split('"')).filter(|text| quoted(text)).collect();
        used.sort_unstable();
        used.dedup();
        let known: Vec<&str> = CODES.iter().map(|(code, _)| *code).collect();
        assert_eq!(used, known);
    }
}
