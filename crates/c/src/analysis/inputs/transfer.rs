//! The transfer functions of operations with several cases: what becomes of values of the input.
//!
//! *Entry points:* the functions of [`Search`], which `Search::step` calls.

use std::collections::BTreeMap;

use super::{AbstractValue, DEPTH, Search, Set, State, VARIABLES};
use super::{carries, condition, meet, mirrored, only_shows, without};
use crate::code::{Arg, Class, Home, Reg, Scalar};
use crate::library::{Lib, Operation};
use crate::operators::Binary;

impl Search<'_> {
    /// The result of a binary operation on values of the input.
    pub(super) fn binary(
        &mut self,
        op: Binary,
        (left, a): (Option<AbstractValue>, &Arg),
        (right, b): (Option<AbstractValue>, &Arg),
        scalar: Scalar,
        set: &Set,
    ) -> Option<AbstractValue> {
        match (left, right, a, b) {
            (Some(AbstractValue::Copy(pieces)), None, _, Arg::Int(c)) => {
                self.with_constant(&pieces, op, *c, scalar, set)
            }
            (None, Some(AbstractValue::Copy(pieces)), Arg::Int(c), _) => match mirrored(op) {
                Some(op) => self.with_constant(&pieces, op, *c, scalar, set),
                None => {
                    self.each(set);
                    None
                }
            },
            (Some(AbstractValue::Test(yes)), None, _, Arg::Int(c @ 0..=1)) => match (op, c) {
                (Binary::Ne, 0) | (Binary::Eq, 1) => Some(AbstractValue::Test(yes)),
                (Binary::Eq, 0) | (Binary::Ne, 1) => {
                    Some(AbstractValue::Test(without(&vec![(self.low, self.high)], &yes)))
                }
                _ => None,
            },
            (None | Some(AbstractValue::Test(_)), None | Some(AbstractValue::Test(_)), ..) => None,
            _ => {
                self.each(set);
                None
            }
        }
    }

    /// The result of a conversion.
    pub(super) fn conversion(
        &mut self,
        value: Option<AbstractValue>,
        from: Scalar,
        to: Scalar,
        set: &Set,
    ) -> Option<AbstractValue> {
        let integral = from.class != Class::Float && to.class != Class::Float;
        match value {
            None => None,
            Some(AbstractValue::Test(yes)) if integral => Some(AbstractValue::Test(yes)),
            Some(AbstractValue::Test(_)) => None,
            Some(copy) if integral && to.class == Class::Bool => {
                self.truth(Some(copy), from, set).map(AbstractValue::Test)
            }
            Some(AbstractValue::Mixed) if integral => Some(AbstractValue::Mixed),
            Some(AbstractValue::Copy(pieces)) if integral => self.converted(&pieces, to, set),
            Some(_) => {
                self.each(set);
                None
            }
        }
    }

    /// The successors of a `switch`.
    pub(super) fn switch(
        &mut self,
        value: Option<AbstractValue>,
        signed: bool,
        cases: &[(u64, u64, u32)],
        default: u32,
        mut state: State,
    ) -> Vec<(u32, State)> {
        let pieces = match value {
            Some(AbstractValue::Copy(pieces)) => Some(pieces),
            Some(AbstractValue::Mixed) => {
                self.each(&state.set);
                None
            }
            Some(AbstractValue::Test(_)) | None => None,
        };
        let scalar = Scalar { size: 8, class: if signed { Class::Signed } else { Class::Unsigned } };
        let mut left = state.set.clone();
        let mut ways = Vec::new();
        for (low, high, to) in cases {
            let mut next = state.clone();
            if let Some(pieces) = &pieces {
                let above = condition(pieces, Binary::Ge, *low, scalar);
                let below = condition(pieces, Binary::Le, *high, scalar);
                match (above, below) {
                    (Some(above), Some(below)) => {
                        let within = meet(&above, &below);
                        self.decide(&within);
                        next.set = meet(&left, &within);
                        left = without(&left, &within);
                    }
                    _ => self.each(&state.set),
                }
            }
            ways.push((*to, next));
        }
        state.set = left;
        ways.push((default, state));
        ways
    }

    /// A call: the result, and in the state the values of the input on return.
    pub(super) fn call(
        &mut self,
        callee: Arg,
        given: Vec<Option<AbstractValue>>,
        held: &BTreeMap<Reg, AbstractValue>,
        state: &mut State,
        depth: u32,
    ) -> Option<AbstractValue> {
        let function = self.whole.function(callee).filter(|_| depth < DEPTH);
        self.escaped |= !held.is_empty() && function.is_none();
        match function {
            Some(code) if given.iter().any(Option::is_some) || !held.is_empty() => {
                let mut regs = held.clone();
                for (index, what) in given.into_iter().enumerate() {
                    match (self.whole.codes[code as usize].params.get(index), what) {
                        (Some(Home::Reg(reg)), Some(what)) => {
                            regs.insert(*reg, what);
                        }
                        (_, Some(AbstractValue::Copy(_) | AbstractValue::Mixed)) => self.each(&state.set),
                        (_, Some(AbstractValue::Test(_)) | None) => {}
                    }
                }
                let inner = State { set: state.set.clone(), regs };
                let known = self.entered.entry((code, true)).or_default();
                let known = known.iter().find(|(state, ..)| *state == inner).cloned();
                let (set, value) = match known {
                    Some((_, set, value)) => (set, value),
                    None => {
                        let back = self.walk(code, 0, inner.clone(), depth + 1, true);
                        let entered = self.entered.entry((code, true)).or_default();
                        entered.push((inner, back.set.clone(), back.value.clone()));
                        (back.set, back.value)
                    }
                };
                state.set = set;
                value
            }
            Some(_) => None,
            None => {
                if given.iter().any(carries) {
                    self.each(&state.set);
                }
                None
            }
        }
    }

    /// A store of a value of the input.
    pub(super) fn store(
        &mut self,
        at: (u32, u32),
        addr: Arg,
        (value, scalar): (Option<AbstractValue>, Scalar),
        state: &mut State,
        depth: u32,
    ) {
        match value {
            Some(AbstractValue::Copy(pieces)) => {
                if let Some(copy) = self.converted(&pieces, scalar, &state.set) {
                    match addr {
                        Arg::Static(object, 0) if self.whole.holds(object, at) => {
                            let held = (object, at, copy.clone(), state.set.clone());
                            self.held.push(held);
                            state.regs.insert(VARIABLES | object, copy);
                        }
                        _ => self.stored(at, copy, &state.set, depth),
                    }
                }
            }
            Some(AbstractValue::Mixed) => self.stored(at, AbstractValue::Mixed, &state.set, depth),
            Some(AbstractValue::Test(_)) | None => {}
        }
    }

    /// A call of a library function that returns. `is_unused`: its result is not used.
    pub(super) fn library(
        &mut self,
        lib: Lib,
        (args, given): (&[Arg], Vec<Option<AbstractValue>>),
        is_unused: bool,
        held: BTreeMap<Reg, AbstractValue>,
        state: &mut State,
        depth: u32,
    ) {
        match lib.operation() {
            Operation::Create => {
                if given.iter().any(carries) {
                    self.each(&state.set);
                }
                let start = lib.row().start.and_then(|start| args.get(start.function));
                if !held.is_empty() {
                    self.thread(start.and_then(|start| self.whole.function(*start)), &state.set, held, depth);
                }
            }
            Operation::Assume | Operation::Assert => {
                let scalar = Scalar::INT;
                if let Some(yes) =
                    given.into_iter().next().and_then(|value| self.truth(value, scalar, &state.set))
                {
                    state.set = meet(&state.set, &yes);
                }
            }
            _ if lib.row().ignores_arguments => {}
            _ => {
                let format = lib.shown_format().and_then(|index| args.get(index));
                let only_printed =
                    format.and_then(|format| self.whole.text(*format)).is_some_and(only_shows) && is_unused;
                if given.iter().any(carries) && !only_printed {
                    self.each(&state.set);
                }
            }
        }
    }
}
