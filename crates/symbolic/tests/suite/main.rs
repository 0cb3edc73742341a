//! Comparison of the symbolic search with the interpreter and with published figures.

mod explicit;
mod figures;
mod large;
mod limits;
mod liveness;
mod reduction;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use axle_generate::promela::Audience;
use axle_model::Model;
use axle_outcome::Stop;
use axle_relation::Relation;
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_symbolic::{Options, Progress, Strategy, Symbolic};
use num_bigint::BigUint;

const STRATEGIES: [Strategy; 4] =
    [Strategy::BreadthFirst, Strategy::Chaining, Strategy::Saturation, Strategy::Improviso];

/// The most terms of a relation of a test.
const MOST_TERMS: usize = 150_000;

/// The most images of a search that is compared.
const MOST_IMAGES: u64 = 20_000;

/// The most steps of operations of a search that is compared: the few results that its cache keeps may
/// multiply them.
const MOST_STEPS: u64 = 20_000_000;

const SMALL: Options = Options { nodes: 1 << 20, cache: 1 << 14, memory: None, reorder: 60 };

/// Wide operands of multiplications and divisions exceed this soon.
const TINY: Options = Options { nodes: 1 << 16, cache: 1 << 12, memory: None, reorder: 60 };

/// The model of a program; nothing if the program has errors or other files.
fn compiled(text: &str) -> Option<Arc<Model>> {
    let mut sources = Sources::new();
    let main = sources.add("model.pml", text);
    let (options, loader) = (axle_promela::Options::default(), MemoryLoader::default());
    axle_promela::compile(&mut sources, main, &loader, &options, &mut Diagnostics::new()).map(Arc::new)
}

fn relation(model: &Model, processes: u32) -> Option<Relation> {
    let options =
        axle_relation::Options { processes, terms: MOST_TERMS, ..axle_relation::Options::default() };
    Relation::new(model, &options, &[]).ok()
}

/// Compares all strategies with the explicit search of at most `most` states; returns whether it was
/// compared.
fn compare(model: &Arc<Model>, processes: u32, most: usize, options: Options) -> Result<bool, String> {
    let Some(relation) = relation(model, processes) else { return Ok(false) };
    let Some(explicit) = explicit::explore(model, most) else { return Ok(false) };
    let mut full = None;
    for strategy in STRATEGIES {
        let mut limit = |progress: Progress| {
            (progress.images > MOST_IMAGES || progress.steps > MOST_STEPS).then_some(Stop::Time)
        };
        // The relation alone may be large: the safe states of a partial order reduction are a complement.
        let symbolic = Symbolic::new_watched(&relation, options, &mut limit);
        let Ok(mut symbolic) = symbolic else { return Ok(false) };
        let Ok(reached) = symbolic.explore(strategy, &mut limit) else { return Ok(false) };
        if reached.stop.is_some() || reached.is_beyond {
            return Ok(false);
        }
        let reduced = strategy == Strategy::Improviso;
        let states = BigUint::from(explicit.states);
        if reached.states > states || (!reduced && reached.states != states) {
            return Err(format!("{strategy:?}: {} states, not {states}", reached.states));
        }
        let faults = reached.violations.iter();
        let faults: HashSet<_> = faults.map(|v| (v.site.kind, v.pid, v.site.edge)).collect();
        if faults != explicit.faults {
            return Err(format!("{strategy:?}: faults {faults:?}, not {:?}", explicit.faults));
        }
        let mut limit = |progress: Progress| (progress.steps > MOST_STEPS).then_some(Stop::Time);
        let Ok(facts) = symbolic.facts(&mut limit) else { return Ok(false) };
        let facts = facts.expect("the search has ended");
        match &full {
            None => full = Some(facts),
            Some(full) => reduction::same_facts(&relation, full, &facts, reduced)
                .map_err(|why| format!("{strategy:?}: {why}"))?,
        }
        for violation in &reached.violations {
            explicit::replay(model, violation)
                .map_err(|why| format!("{strategy:?}: {violation:?}: {why}"))?;
        }
    }
    Ok(true)
}

/// The models that are compared with Spin, those that were once checked wrongly, and those of the benchmarks.
#[test]
fn conformance_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut wrong, mut compared, mut skipped) = (Vec::new(), 0, Vec::new());
    for folder in ["tests/conformance", "tests/regressions", "bench/small", "examples"] {
        let mut paths: Vec<_> = std::fs::read_dir(root.join(folder))
            .expect("a folder of models")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "pml"))
            .collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("a model");
            let Some(model) = compiled(&text) else { continue };
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let began = std::time::Instant::now();
            match compare(&model, 6, 5_000, SMALL) {
                Ok(true) => compared += 1,
                Ok(false) => skipped.push(name.clone()),
                Err(why) => wrong.push(format!("{name}: {why}")),
            }
            if began.elapsed().as_secs_f64() > 0.5 {
                println!("{name}: {:.2?}", began.elapsed());
            }
        }
    }
    println!("{compared} compared, {} skipped: {skipped:?}", skipped.len());
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 200, "{compared}, not {skipped:?}");
}

/// The numbers of the random models; `AXLE_SYMBOLIC_RANDOM` asks for more or fewer, and `AXLE_SYMBOLIC_FIRST` for
/// others.
fn cases() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let first = number("AXLE_SYMBOLIC_FIRST").unwrap_or(0);
    first..first + number("AXLE_SYMBOLIC_RANDOM").unwrap_or(100)
}

/// Random programs in Promela: `atomic`, `d_step`, `unless`, channels, processes that come and go.
#[test]
fn random_programs() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for index in cases() {
        let text = axle_generate::promela::program(43, index, Audience::Axle).to_string();
        let Some(model) = compiled(&text) else { continue };
        match compare(&model, 5, 2_000, SMALL) {
            Ok(true) => compared += 1,
            Ok(false) => {}
            Err(why) => wrong.push(format!("program {index}: {why}\n{text}")),
        }
    }
    println!("{compared} compared");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared * 3 > cases().end - cases().start, "{compared}");
}

/// Random models: what no program in Promela contains, too.
#[test]
fn random_models() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for seed in cases() {
        // Deterministic bytes (splitmix64, G. L. Steele, D. Lea, C. H. Flood 2014).
        let mut state = seed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bytes: Vec<u8> = (0..40 + seed % 60)
            .flat_map(|_| {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                (mixed ^ mixed >> 27).to_le_bytes()
            })
            .collect();
        let model = Arc::new(axle_model::arbitrary::model(&bytes));
        match compare(&model, 5, 2_000, TINY) {
            Ok(true) => compared += 1,
            Ok(false) => {}
            Err(why) => wrong.push(format!("model {seed}: {why}\n{}", axle_model::dump::dump(&model))),
        }
    }
    println!("{compared} compared");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared * 4 > cases().end - cases().start, "{compared}");
}
