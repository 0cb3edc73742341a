//! Properties that are given beside the model: formulas and automata of the command line.
//!
//! Each is put behind the model as Promela would have it, so that macros, names and types mean
//! there what they mean in the model.

use axle_ltl::parse::pointed;
use axle_source::{FileId, Loader, Sources};

use crate::args::ModelArgs;
use crate::exit::Exit;
use crate::files::{Disk, unreadable};
use crate::session::Session;
use crate::timeline;
use crate::timeline::Notation;

/// The largest file of an automaton that is read.
const LARGEST: u64 = 64 << 20;

/// The items that the command line puts behind the model.
pub fn items(session: &Session, args: &ModelArgs, sources: &mut Sources) -> Result<Vec<FileId>, Exit> {
    for given in &args.ltl {
        if let Some(at) = unclosed(given) {
            session.messages.complain(&pointed(given, at, "this `{` is never closed"));
            return Err(Exit::Input);
        }
    }
    let formulas = args.ltl.iter().enumerate().flat_map(|(index, given)| {
        let [head, formula] = of_formula(index, given);
        [head, formula].map(|text| ("--ltl".to_string(), text))
    });
    let mut items: Vec<(String, String)> = formulas.collect();
    for drawn in timeline::of_timelines(session, args, Notation::Promela)? {
        let [head, formula] = of_formula(0, &drawn.formula);
        // The property stands in the line of the mark that decides.
        let lines = "\n".repeat(drawn.line as usize - 1);
        items.push((drawn.file.clone(), lines.clone() + &head));
        items.push((drawn.file, lines + formula.trim_start()));
    }
    for (index, given) in args.automaton.iter().enumerate() {
        items.push(of_automaton(session, index, given)?);
    }
    Ok(items.iter().map(|(name, text)| sources.add(name, text)).collect())
}

/// The first brace of a formula that is never closed, in bytes from its start. The brace behind the
/// formula in Promela would close it, and errors would be reported elsewhere.
fn unclosed(given: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, letter) in given.char_indices() {
        match letter {
            '{' => open.push(at),
            '}' => drop(open.pop()),
            _ => {}
        }
    }
    open.first().copied()
}

/// `NAME=REST`, where the name is one.
fn named(given: &str) -> Option<(&str, &str)> {
    let is_name = |text: &str| {
        let mut chars = text.chars();
        chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let (name, rest) = given.split_once('=')?;
    (is_name(name.trim()) && !rest.starts_with('=')).then(|| (name.trim(), rest))
}

/// `NAME=FORMULA` as Promela writes it: the beginning, and the formula in a file of its own, so
/// that columns in messages are those of the option as typed. Without a name it is called after its
/// place on the command line.
fn of_formula(index: usize, given: &str) -> [String; 2] {
    // On a line of its own, a brace is not part of a comment.
    match named(given) {
        Some((name, formula)) => {
            let before = given.find('=').map_or(0, |at| given[..=at].chars().count());
            let blanks = " ".repeat(before + formula.len() - formula.trim_start().len());
            [format!("ltl {name} {{\n"), format!("{blanks}{}\n}}", formula.trim())]
        }
        None => [format!("ltl formula_{} {{\n", index + 1), format!("{given}\n}}")],
    }
}

/// `NAME=FILE` as a never claim: the runs that the automaton accepts are those that must not
/// happen.
fn of_automaton(session: &Session, index: usize, given: &str) -> Result<(String, String), Exit> {
    let unnamed = format!("automaton_{}", index + 1);
    let (name, file) = named(given).unwrap_or((&unnamed, given));
    let file = file.trim();
    let text = Disk.load(file, LARGEST).map_err(|fault| {
        session.messages.complain(&unreadable(file, &fault));
        Exit::Input
    })?;
    let read = axle_ltl::hoa::read(&String::from_utf8_lossy(&text)).map_err(|fault| {
        session.messages.complain(&format!("{file}:{}: {}", fault.line, fault.message));
        Exit::Input
    })?;
    let atoms: Vec<String> = read.atoms.iter().map(|atom| format!("({atom})")).collect();
    let claim = axle_ltl::print::never::never(&read.automaton, &atoms, "of the command line");
    Ok((file.to_string(), claim.replacen("never {", &format!("never {name} {{"), 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brace_without_end_is_found() {
        assert_eq!(unclosed("[] { x < 3 "), Some(3));
        assert_eq!(unclosed("a = {p} U { {q} "), Some(10));
        assert_eq!(unclosed("{x < 3} U {y}"), None);
    }

    #[test]
    fn a_formula_of_the_command_line_is_an_item() {
        assert_eq!(of_formula(0, "safe=[] p"), ["ltl safe {\n", "     [] p\n}"]);
        assert_eq!(of_formula(0, " safe = [] (x == 1)"), ["ltl safe {\n", "        [] (x == 1)\n}"]);
        assert_eq!(of_formula(1, "x == 1"), ["ltl formula_2 {\n", "x == 1\n}"]);
        assert_eq!(of_formula(1, "[] (x=1)"), ["ltl formula_2 {\n", "[] (x=1)\n}"]);
    }
}
