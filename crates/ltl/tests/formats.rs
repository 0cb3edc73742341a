//! What is printed reads back as the same.

use axle_ltl::print::{dot, explain, formula, hoa, never, svg, table};
use axle_ltl::{Formula, hoa as hoa_reader, parse, translate};

fn collection() -> impl Iterator<Item = &'static str> {
    include_str!("collections.txt").lines().filter(|l| !l.starts_with('#') && !l.is_empty())
}

#[test]
fn collections_are_the_published_sizes() {
    assert_eq!(collection().count(), 12 + 27 + 55);
}

#[test]
fn printed_formulas_parse_to_themselves() {
    for text in collection() {
        let parsed = parse(text).expect(text);
        let again = parse(&formula(&parsed.formula, &parsed.atoms)).expect(text);
        assert_eq!(again.formula, parsed.formula, "{text}");
    }
}

#[test]
fn every_spelling_reads_the_same() {
    let spin = parse("[] (p -> (<> q && !(r U s)))").expect("Spin's spelling").formula;
    for other in [
        "always (p implies (eventually q and not (r until s)))",
        "G (p => (F q & ~(r U s)))",
        "□ (p → (◇ q ∧ ¬(r 𝒰 s)))",
        "[] ({p} -> (<> \"q\" /\\ !(r U s)))",
    ] {
        assert_eq!(parse(other).expect(other).formula, spin, "{other}");
    }
}

#[test]
fn precedence_is_that_of_the_documentation() {
    let same =
        |a: &str, b: &str| assert_eq!(parse(a).expect(a).formula, parse(b).expect(b).formula, "{a} is {b}");
    same("a -> b -> c", "(a -> b) -> c");
    same("a || b && c", "a || (b && c)");
    same("a && b U c", "a && (b U c)");
    same("a U b U c", "(a U b) U c");
    same("[] a && b", "([] a) && b");
    same("! a U b", "(!a) U b");
}

#[test]
fn likely_mistakes_are_warned_of() {
    for text in ["p -> q -> r", "[] p && q", "p -> <> q", "p -> q", "[] p -> <> q", "<> (p -> q)"] {
        assert!(!parse(text).expect(text).warnings.is_empty(), "{text}");
    }
    for text in
        ["[] (p -> <> q)", "p && q", "([] p) && ([] q)", "[]<> p -> []<> q", "[] p -> [] q", "([] p) -> q"]
    {
        assert!(parse(text).expect(text).warnings.is_empty(), "{text}");
    }
}

#[test]
fn faults_have_a_place() {
    for (text, at) in [("p &&", 4), ("(p", 2), ("p q", 2), ("[] ]", 3), ("\"p", 0), ("", 0)] {
        assert_eq!(parse(text).expect_err(text).at, at, "{text}");
    }
    assert!(parse(&"(".repeat(100_000)).is_err());
    assert!(parse(&"!".repeat(100_000)).is_err());
}

#[test]
fn hoa_reads_back() {
    for text in collection() {
        let parsed = parse(text).expect(text);
        let automaton = translate(&parsed.formula).expect(text);
        let printed = hoa::hoa(&automaton, &parsed.atoms, text);
        let read = hoa_reader::read(&printed).expect(&printed);
        assert_eq!(
            (&read.automaton, &read.atoms, read.name.as_deref()),
            (&automaton, &parsed.atoms, Some(text))
        );
    }
}

#[test]
fn hoa_of_others_is_read_or_refused() {
    let buchi = "HOA: v1 States: 2 Start: 0 AP: 1 \"p\" acc-name: Buchi Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [!0] 0 [0] 1 State: [t] 1 {0} 1 --END--";
    assert_eq!(
        hoa_reader::read(buchi).expect("state labels and state acceptance").automaton.states[1][0].marks,
        1
    );
    for refused in [
        "HOA: v1 Start: 0 Acceptance: 1 Fin(0) --BODY-- --END--",
        "HOA: v1 Start: 0 Acceptance: 2 Inf(0)|Inf(1) --BODY-- --END--",
        "HOA: v1 Start: 0&1 Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [0 1",
        "",
    ] {
        assert!(hoa_reader::read(refused).is_err(), "{refused}");
    }
}

#[test]
fn claims_tables_and_graphs_name_every_state() {
    let parsed = parse("[] (p -> <> q)").expect("response");
    let automaton = translate(&parsed.formula.clone().negated()).expect("small");
    let claim = never::never(&automaton, &parsed.atoms, "!([] (p -> <> q))");
    assert!(claim.contains("T0_init:") && claim.contains("accept_S1:") && claim.contains("(!q)"), "{claim}");
    assert!(table::table(&automaton, &parsed.atoms).contains("2 states"));
    assert!(dot::dot(&automaton, &parsed.atoms).contains("start -> 0"));
}

#[test]
fn the_negation_is_explained_rule_by_rule() {
    let parsed = parse("[] (p -> <> q)").expect("response");
    let lines = explain::negation(&parsed.formula, &parsed.atoms);
    let texts: Vec<&str> = lines.iter().map(|l| l.formula.as_str()).collect();
    assert_eq!(texts, ["!([] (p -> <> q))", "<> !(p -> <> q)", "<> (p && !(<> q))", "<> (p && [] !q)"]);
    assert!(matches!(parsed.formula, Formula::Always(_)));
}

#[test]
fn pictures_show_every_transition_once() {
    for text in collection() {
        let parsed = parse(text).expect(text);
        let automaton = translate(&parsed.formula).expect(text);
        let picture = svg::svg(&automaton, &parsed.atoms);
        let arrows = dot::dot(&automaton, &parsed.atoms).matches(" -> ").count();
        // The arrow into the start is a line, and the head of all arrows a path.
        assert_eq!(picture.matches("<path d=\"M").count(), arrows, "{text}");
        assert_eq!(picture.matches("<circle").count(), automaton.states.len(), "{text}");
        assert!(!picture.contains("&& ") && picture.ends_with("</svg>\n"), "{text}");
    }
}
