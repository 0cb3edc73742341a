//! The product agrees with Spin: with hand-written never claims, acceptance labels and progress
//! labels, as many states are stored as pan stores without reduction.

use std::path::Path;
use std::sync::Arc;

use axle_model::{Effect, Expr, Model, Process, PropertyKind};
use axle_search::claim::{Claim, Cube, Edge, Guard, Literal, Location};
use axle_search::liveness::{self, LivenessOptions};
use axle_search::{Finding, Silent};
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_step::{Atom, Interpreter, Observer, Options};
use axle_store::PlainTable;

/// Rows on which Spin and Axle differ by intent: `timeout` in a claim (Spin: never true, unless the
/// program contains it too).
const ARGUED: [&str; 1] = ["never_timeout"];

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn model(name: &str) -> Option<Arc<Model>> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("model.pml", &read(&format!("{name}.pml")));
    let options = axle_promela::Options::default();
    axle_promela::compile(&mut sources, main, &MemoryLoader::default(), &options, &mut diagnostics)
        .map(Arc::new)
}

/// A never claim: one atom for each guard and assertion; an `else` is true if all others are false.
fn never(process: &Process) -> (Claim, Vec<Atom>) {
    let mut atoms: Vec<Atom> = process.edges.iter().map(|edge| Atom::Holds(edge.guard.clone())).collect();
    let mut locations = Vec::new();
    for location in &process.locations {
        let mut edges = Vec::new();
        for id in &location.out {
            let edge = &process.edges[id.index()];
            let others = location.out.iter().filter(|other| process.edges[other.index()].rank < edge.rank);
            let mut cube: Vec<Literal> =
                others.map(|other| Literal { atom: other.0, holds: false }).collect();
            cube.push(Literal { atom: id.0, holds: true });
            let asserts = edge.effects.iter().find_map(|effect| match effect {
                Effect::Assert(cond, _) => Some(cond.clone()),
                _ => None,
            });
            let asserts = asserts.map(|cond| {
                atoms.push(Atom::Holds(cond));
                atoms.len() as u32 - 1
            });
            let guard = Guard(vec![Cube(cube)]);
            edges.push(Edge { guard, asserts, to: edge.target.0, marks: location.accept.into() });
        }
        locations.push(Location { edges, end: location.out.is_empty() });
    }
    let claim = Claim { locations, initial: vec![process.entry.0], sets: 1, atoms: atoms.len() as u32 };
    (claim, atoms)
}

/// The claim that pan searches for in a row.
fn sought(model: &Model, flags: &str) -> Option<(Claim, Vec<Atom>)> {
    let claimed = model.properties.iter().find_map(|property| match &property.kind {
        PropertyKind::Never(process) => Some(process),
        _ => None,
    });
    let accepting = model.processes.iter().flat_map(|p| &p.locations).any(|location| location.accept);
    match flags {
        "-l" => Some((Claim::non_progress(), vec![Atom::Holds(Expr::NonProgress)])),
        "-a" if claimed.is_some() => claimed.map(never),
        "-a" if model.properties.is_empty() && accepting => Some((Claim::accepting(), vec![Atom::Accepting])),
        _ => None,
    }
}

fn search(model: &Arc<Model>, claim: &Claim, atoms: &[Atom]) -> axle_search::LivenessOutcome {
    let mut stepper = Interpreter::new(model.clone(), Options::default());
    let mut observer = Observer::new(&stepper, atoms.to_vec());
    let mut set = PlainTable::new(liveness::width(&stepper)).unwrap();
    let question = LivenessOptions::default();
    liveness::search(&mut stepper, &mut observer, claim, &mut set, &question, &mut Silent).unwrap()
}

#[test]
fn stored_states_are_spins() {
    let (mut compared, mut cycles, mut wrong) = (0, 0, Vec::new());
    for line in read("expected_full.tsv").lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let (name, flags) = (row[0], row[2].trim());
        let Some(states) = row[4].split(' ').next().and_then(|text| text.parse::<u64>().ok()) else {
            continue;
        };
        if !flags.contains("-a") && !flags.contains("-l") || ARGUED.contains(&name) {
            continue;
        }
        let Some(model) = model(name) else { continue };
        let Some((claim, atoms)) = sought(&model, flags) else { continue };
        let errors = row[3] != "0";
        let found = search(&model, &claim, &atoms);
        if found.finding.is_some() != errors {
            wrong.push(format!("{name}: {:?} where Spin has {} errors", found.finding, row[3]));
        }
        cycles += usize::from(matches!(found.finding, Some(Finding::Cycle(_))));
        // Explore the whole product without counterexamples: no marks and no ends.
        let mut all = claim.clone();
        for location in &mut all.locations {
            location.end = false;
            location.edges.iter_mut().for_each(|edge| (edge.marks, edge.asserts) = (0, None));
        }
        let whole = search(&model, &all, &atoms);
        if whole.states != states {
            wrong.push(format!("{name}: {} states where Spin has {states}", whole.states));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 14 && cycles > 8, "{compared} rows, {cycles} cycles: too few to be significant");
}
