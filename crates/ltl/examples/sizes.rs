//! Prints states, transitions and sets of the automata of every formula of a file, both polarities.
fn main() {
    let path = std::env::args().nth(1).unwrap_or_else(|| "crates/ltl/tests/collections.txt".to_owned());
    let text = std::fs::read_to_string(path).unwrap_or_default();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        match axle_ltl::parse(line) {
            Err(fault) => println!("{line}: {fault:?}"),
            Ok(parsed) => {
                let show = |a: Result<axle_ltl::Automaton, _>| match a {
                    Ok(a) => format!("{} {} {}", a.states.len(), a.transitions(), a.sets),
                    Err(e) => format!("{e:?}"),
                };
                let f = &parsed.formula;
                println!(
                    "{}\t{}\t{line}",
                    show(axle_ltl::translate(f)),
                    show(axle_ltl::translate_negation(f))
                );
            }
        }
    }
}
