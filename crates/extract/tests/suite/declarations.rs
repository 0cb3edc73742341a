//! The names that the extraction of models declares, against the list with which the parser of programs
//! is compared too (`axle-c`, `src/compile/declaration_tests.rs`): both readers use one grammar.

use axle_extract::syntax::Function;

use crate::support::Work;

/// `C text => objects | functions(parameters){variables} | types`.
const LIST: &str = include_str!("../../../c/tests/declarations.txt");

fn shown(function: &Function) -> String {
    let params = function.params.iter().flat_map(|param| &param.decl.declared);
    let params: Vec<&str> = params.map(|one| &*one.name).collect();
    let mut variables: Vec<&str> = Vec::new();
    for stmt in &function.body {
        stmt.declarations(&mut |decl| variables.extend(decl.declared.iter().map(|one| &*one.name)));
    }
    format!("{}({}){{{}}}", function.name, params.join(","), variables.join(","))
}

#[test]
fn declarations_declare_the_listed_names() {
    for line in LIST.lines() {
        let (text, expected) = line.split_once(" => ").expect("a line has two parts");
        let work = Work::of("t.c", text);
        let unit = &work.program.unit;
        let objects = unit.globals.iter().flat_map(|decl| &decl.declared);
        let objects: Vec<&str> = objects.map(|one| &*one.name).collect();
        let functions: Vec<String> = unit.functions.iter().map(shown).collect();
        let mut types: Vec<&str> =
            unit.types.iter().map(|name| &**name).filter(|name| !name.starts_with("__")).collect();
        types.sort_unstable();
        let found = [objects.join(" "), functions.join(" "), types.join(" ")];
        let wanted: Vec<&str> = expected.split('|').map(str::trim).collect();
        assert_eq!(found[..], wanted[..], "{text}\n{}", work.rendered());
        assert_eq!(work.rendered(), "", "{text}");
    }
}

/// The text of a declaration reads back as the same declaration.
#[test]
fn texts_of_declarations_read_back() {
    for line in LIST.lines() {
        let text = line.split(" => ").next().unwrap_or_default();
        let work = Work::of("t.c", text);
        for decl in &work.program.unit.globals {
            let types = work.program.unit.types.iter();
            let types: String = types.map(|name| format!("typedef int {name};")).collect();
            let again = Work::of("again.c", &format!("{types}{}", decl.text()));
            let texts: Vec<String> = again.program.unit.globals.iter().map(|decl| decl.text()).collect();
            assert_eq!(texts, [decl.text()], "{text}\n{}", again.rendered());
        }
    }
}

/// Reading ends, with an error, if an opening parenthesis is missing.
#[test]
fn damaged_declarations_are_reported() {
    for line in LIST.lines() {
        let text = line.split(" => ").next().unwrap_or_default();
        for (at, _) in text.match_indices('(') {
            let work = Work::of("t.c", &format!("{} {}", &text[..at], &text[at + 1..]));
            assert!(work.rendered().contains("error[E080"), "{text}");
        }
    }
}
