//! Expansion of a subset of the processes: interpreter and compiler agree, and the successors are
//! those of these processes among all successors. The same for single steps in detail.

use std::collections::VecDeque;
use std::sync::Arc;

use axle_compare::lockstep::patience::patience;
use axle_model::arbitrary;
use axle_step::interpret::detail::StepDetail;
use axle_step::{Batch, Compiled, EVERYONE, Interpreter, Options, Selective, Successors};
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

    #[test]
    fn single_steps_are_those_among_all(bytes in prop::collection::vec(any::<u8>(), 0..700)) {
        let model = Arc::new(arbitrary::model(&bytes));
        let mut interpreter = Interpreter::new(model, Options::default());
        let mut todo = VecDeque::from([interpreter.initial(&mut Vec::new())]);
        let (mut batch, mut seen) = (Batch::default(), 0);
        while let Some(state) = todo.pop_front().filter(|_| seen < 40) {
            seen += 1;
            let state = interpreter.widened(&state);
            batch.interrupt = patience();
            if let Err(grow) = interpreter.expand(&state, &mut batch) {
                interpreter.grow(grow.size);
                todo.push_front(state);
                continue;
            }
            if batch.cut.is_some() {
                break;
            }
            let all = interpreter.steps(&state).steps;
            let end = |step: &StepDetail| step.micro.last().map(|micro| micro.state.clone());
            for (position, step) in (0..).zip(&all) {
                prop_assert_eq!(interpreter.successor(&state, position), end(step));
                prop_assert_eq!(interpreter.step_at(&state, position), Some(step.clone()));
            }
            prop_assert_eq!(interpreter.successor(&state, all.len() as u32), None);
            prop_assert_eq!(interpreter.step_at(&state, all.len() as u32), None);
            let mut apart = Vec::new();
            for pid in 0..8 {
                let (first, own) = interpreter.steps_by(&state, pid);
                prop_assert_eq!(first as usize, apart.len());
                prop_assert!(own.iter().all(|step| step.micro[0].by.pid == pid));
                apart.extend(own);
            }
            // If only `timeout` enables a process, no process has a step of its own.
            if !apart.is_empty() {
                apart.extend(all.iter().filter(|step| step.micro[0].by.pid >= 8).cloned());
                prop_assert_eq!(&apart, &all);
            }
            todo.extend(all.iter().filter_map(end));
        }
    }
}
