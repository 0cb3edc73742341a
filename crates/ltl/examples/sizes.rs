//! Prints states, transitions and acceptance sets of the automata of every formula of a file, both
//! polarities, and the formulas as Spin's `-f` reads them.

fn main() {
    let path = std::env::args().nth(1).unwrap_or_else(|| "crates/ltl/tests/collections.txt".to_owned());
    let text = std::fs::read_to_string(path).unwrap_or_default();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        match axle_ltl::parse(line) {
            Err(fault) => println!("{line}: {fault:?}"),
            Ok(parsed) => {
                for f in [parsed.formula.clone(), parsed.formula.negated()] {
                    let spelt = axle_ltl::print::formula(&f, &parsed.atoms);
                    match axle_ltl::translate(&f) {
                        Ok(a) => println!("{}\t{}\t{}\t{spelt}", a.states.len(), a.transitions(), a.sets),
                        Err(e) => println!("{e:?}\t\t\t{spelt}"),
                    }
                }
            }
        }
    }
}
