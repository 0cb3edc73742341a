//! Expansion of a subset of the processes: interpreter and compiler agree, and the successors are
//! those of these processes among all successors.

mod patience;

use std::collections::VecDeque;
use std::sync::Arc;

use axle_model::arbitrary;
use axle_step::{Batch, Compiled, EVERYONE, Interpreter, Options, Selective, Successors};
use patience::patience;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn the_chosen_move_as_they_do_among_all(bytes in prop::collection::vec(any::<u8>(), 0..700)) {
        let mut model = arbitrary::model(&bytes);
        model.semantics.priorities = false;
        let model = Arc::new(model);
        let mut interpreter = Interpreter::new(model.clone(), Options::default());
        let Ok(mut compiled) = Compiled::new(model, Options::default()) else { return Ok(()) };
        let mut todo = VecDeque::from([interpreter.initial(&mut Vec::new())]);
        let (mut one, mut other, mut seen) = (Batch::default(), Batch::default(), 0);
        while let Some(mut state) = todo.pop_front().filter(|_| seen < 60) {
            seen += 1;
            let count = 6u64;
            let mut chosen: Vec<u64> = (0..count).map(|pid| 1 << pid).collect();
            chosen.extend([0b101, 0b110, EVERYONE]);
            let states = loop {
                state.resize(interpreter.width(), 0);
                let states = state.repeat(chosen.len());
                (one.interrupt, other.interrupt) = (patience(), patience());
                let again = interpreter.expand_chosen(&states, &chosen, &mut one);
                let same = compiled.expand_chosen(&states, &chosen, &mut other);
                prop_assert_eq!(again.is_err(), same.is_err());
                match again {
                    Ok(()) => break one.states.clone(),
                    Err(grow) => {
                        interpreter.grow(grow.size);
                        compiled.grow(grow.size);
                    }
                }
            };
            if one.cut.is_some() || other.cut.is_some() {
                break;
            }
            prop_assert_eq!(&one.states, &other.states);
            prop_assert_eq!(&one.ends, &other.ends);
            prop_assert_eq!(&one.faults, &other.faults);
            let width = state.len();
            let of = |i: usize| &states[one.range(i).start * width..one.range(i).end * width];
            let apart: Vec<u8> = (0..count as usize).flat_map(|pid| of(pid).to_vec()).collect();
            let all = of(chosen.len() - 1).to_vec();
            // If only `timeout` enables a process, no chosen process is enabled.
            if !apart.is_empty() {
                prop_assert_eq!(&apart, &all);
            }
            todo.extend(all.chunks_exact(width).map(<[u8]>::to_vec));
        }
    }
}
