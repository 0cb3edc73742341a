//! Footprints of the parts of a process's moves: the union of the parts is all moves. If every bit
//! outside the footprint changes its value, the same bits change to the same values with the same
//! faults.

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use axle_compare::lockstep::patience::patience;
use axle_generate::Random;
use axle_model::{Model, arbitrary};
use axle_step::{Batch, Fault, Interpreter, Options, Successors};
use proptest::prelude::*;

/// Maximum number of states of a model.
const MOST: usize = 60;

/// Tests the first states of a model; returns the numbers of parts with small footprints and of all
/// parts.
fn look(model: Arc<Model>, seed: u64) -> Result<(usize, usize), String> {
    let options = Options { truncation: true, messages_left: true, ..Options::default() };
    let mut interpreter = Interpreter::new(model, options);
    let mut todo = VecDeque::from([interpreter.initial(&mut Vec::new())]);
    let (mut all, mut made, mut again) = (Batch::default(), Batch::default(), Batch::default());
    let (mut bits, mut same, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let (mut narrow, mut whole, mut random) = (0, 0, Random::of(seed, 0));
    while let Some(mut state) = todo.pop_front().filter(|_| seen.len() < MOST) {
        loop {
            state.resize(interpreter.width(), 0);
            all.interrupt = patience();
            match interpreter.expand(&state, &mut all) {
                Ok(()) => break,
                Err(grow) => interpreter.grow(grow.size),
            }
        }
        if all.cut.is_some() {
            break;
        }
        if !seen.insert(state.clone()) {
            continue;
        }
        let (mut together, mut faults): (Vec<u8>, Vec<Fault>) = (Vec::new(), Vec::new());
        for pid in 0..20 {
            let parts = interpreter.parts_watched(&state, pid, &mut bits);
            let other = garbage(&state, &bits, &mut random);
            if interpreter.parts_watched(&other, pid, &mut same) != parts || same != bits {
                return Err(format!("how many parts {pid} has depends on more, in {state:?}"));
            }
            for part in 0..parts {
                (made.interrupt, again.interrupt) = (patience(), patience());
                let one = interpreter.expand_watched(&state, pid, part, &mut made, &mut bits);
                one.map_err(|grow| format!("{grow:?}, in {state:?}"))?;
                let other = garbage(&state, &bits, &mut random);
                let two = interpreter.expand_watched(&other, pid, part, &mut again, &mut same);
                two.map_err(|grow| format!("{grow:?}, in {other:?}"))?;
                if made.cut.is_some() || again.cut.is_some() {
                    return Ok((narrow, whole));
                }
                let changes = |from: &[u8], made: &Batch| -> Vec<u8> {
                    made.states.iter().zip(from.iter().cycle()).map(|(to, from)| to ^ from).collect()
                };
                if changes(&state, &made) != changes(&other, &again)
                    || made.faults != again.faults
                    || bits != same
                {
                    return Err(format!(
                        "part {part} of {pid} depends on more, in {state:?} as in {other:?}"
                    ));
                }
                whole += 1;
                let noted: u32 = bits.iter().map(|word| word.count_ones()).sum();
                narrow += usize::from(2 * noted as usize <= 8 * state.len());
                together.extend(&made.states);
                faults.extend(made.faults.iter().map(|fault| Fault { successor: None, ..*fault }));
            }
        }
        // A state in which every process is blocked is classified, and `timeout` is 1.
        if !together.is_empty() {
            let told: Vec<Fault> =
                all.faults.iter().map(|fault| Fault { successor: None, ..*fault }).collect();
            if together != all.states || told.iter().any(|fault| !faults.contains(fault)) {
                return Err(format!("the parts are not all moves, in {state:?}"));
            }
        }
        todo.extend(all.states.chunks_exact(state.len()).map(<[u8]>::to_vec));
    }
    Ok((narrow, whole))
}

/// A state with random values where no bit is set.
fn garbage(state: &[u8], bits: &[u64], random: &mut Random) -> Vec<u8> {
    let noted = bits.iter().flat_map(|word| word.to_le_bytes());
    state.iter().zip(noted).map(|(byte, noted)| (byte & noted) | (random.number() as u8 & !noted)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn parts_of_random_models_depend_on_what_is_noted(
        bytes in prop::collection::vec(any::<u8>(), 0..700),
        seed in any::<u64>(),
    ) {
        if let Err(why) = look(Arc::new(arbitrary::model(&bytes)), seed) {
            prop_assert!(false, "{}", why);
        }
    }
}

#[test]
fn parts_of_every_kind_of_step_depend_on_what_is_noted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/steps");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the models").flatten().map(|e| e.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "axm"));
    paths.sort();
    let (mut narrow, mut whole) = (0, 0);
    for (number, path) in paths.iter().enumerate() {
        let text = std::fs::read_to_string(path).expect("a text");
        let model =
            axle_model::parse::parse(&text).unwrap_or_else(|why| panic!("{}: {why:?}", path.display()));
        let found = look(Arc::new(model), 77 + number as u64);
        let (some, all) = found.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        (narrow, whole) = (narrow + some, whole + all);
    }
    assert!(whole > 200 && narrow > 50, "{narrow} of {whole} depend on less than half of a state");
}
