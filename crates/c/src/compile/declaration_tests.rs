//! The names that the parser declares, against the list with which the extraction of models is compared
//! too (`axle-extract`, `tests/suite/declarations.rs`): both readers use one grammar.

use axle_source::{Diagnostics, MemoryLoader, Sources, Style};

use super::{Options, parse};
use crate::tree::Function;

/// `C text => objects | functions(parameters){variables} | types`.
const LIST: &str = include_str!("../../tests/declarations.txt");

fn joined<'a>(names: impl Iterator<Item = &'a str>, between: &str) -> String {
    names.filter(|name| !name.is_empty() && !name.starts_with('(')).collect::<Vec<_>>().join(between)
}

fn shown(function: &Function) -> String {
    let variables = |inner: bool| {
        let own = function.locals.iter().enumerate();
        let own = own.filter(move |(id, _)| function.params.contains(&(*id as u32)) != inner);
        joined(own.map(|(_, local)| &*local.name), ",")
    };
    format!("{}({}){{{}}}", function.name, variables(false), variables(true))
}

#[test]
fn declarations_declare_the_listed_names() {
    for line in LIST.lines() {
        let (text, expected) = line.split_once(" => ").expect("a line has two parts");
        let parts: Vec<&str> = expected.split('|').map(str::trim).collect();
        let [objects, functions, types] = parts[..] else { panic!("three lists: {line}") };
        // Only a type can be an operand of `sizeof` with `*` behind it.
        let probes = types.split_whitespace().map(|ty| format!("_Static_assert(sizeof({ty} *) == 8, \"\");"));
        let text = format!("{text} {}", probes.collect::<String>());
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let main = sources.add("t.c", &text);
        let loader = MemoryLoader::default();
        let tree = parse(&[main], &Options::default(), &loader, &mut sources, &mut diagnostics).tree;
        let messages: String = diagnostics.iter().map(|d| d.render(&sources, Style::default())).collect();
        let globals = tree.globals.iter().filter(|global| !global.ours && global.within.is_none());
        let bodies = tree.functions.iter().filter(|function| !function.ours && function.body.is_some());
        let bodies: Vec<String> = bodies.map(shown).collect();
        assert_eq!(joined(globals.map(|global| &*global.name), " "), objects, "{text}\n{messages}");
        assert_eq!(bodies.join(" "), functions, "{text}\n{messages}");
        // Assembler names are read, and refused.
        let errors = messages.matches("error[").count();
        let of_names = messages.matches("error[E0714]").count();
        assert_eq!(errors, if text.contains("asm(") { of_names } else { 0 }, "{text}\n{messages}");
    }
}
