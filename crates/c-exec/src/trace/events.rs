//! Events of an execution that a test can record: calls of functions, changes of variables, lines
//! that are executed.
//!
//! *Entry points:* [`EventSource`] names an event, [`EventReader::events`] reads those of a
//! transition.
//!
//! A call is seen at the first step of the function, a change of a variable behind the write, a line
//! before its first step. [`Watch`] makes all of these visible, so that a transition passes none.
//!
//! *Invariant:* a transition of one thread shows at most one call and one line, and each change once.

use axle_c::Program;
use axle_c::code::{Home, Mem};
use axle_c::{Type, TypeId};
use axle_source::Loc;

use crate::machine::decode::decode;
use crate::names::{Names, scalar_of};
use crate::observers::recorders::Machine;
use crate::state::settings::Watch;
use crate::state::value::Value;
use crate::stepper::Stepper;
use crate::trace::formula::{Proposition, Term, value};

/// Where an event is seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventSource(Kind);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// A thread stands at one of these steps.
    Places(Vec<(u32, u32)>),
    /// The value of a term changes.
    Change(Box<Term>, TypeId),
}

/// The value of an argument or variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventValue {
    /// The number; none for a value that is not defined, and for what is no integer.
    pub number: Option<i64>,
    /// The value as shown: a number, or the name of an enumeration constant; several names with the
    /// same value are separated by `|`.
    pub shown: String,
}

impl EventSource {
    /// Calls of a function. `values`: the arguments matter, so that inputs that reach them are explored
    /// with all of their values.
    ///
    /// # Errors
    /// The program has no such function.
    pub fn call(
        program: &Program,
        function: &str,
        values: bool,
        watch: &mut Watch,
    ) -> Result<EventSource, String> {
        let read = Proposition::read(program, &format!("call({function})"), watch);
        match read.map_err(|(_, message)| message)? {
            Proposition::Holds(Term::At(places)) => {
                let own = (0u32..).zip(&program.codes).filter(|(_, code)| values && *code.name == *function);
                for (number, home) in
                    own.flat_map(|(number, code)| code.params.iter().map(move |home| (number, home)))
                {
                    match home {
                        Home::Reg(reg) => watch.registers.push((number, *reg)),
                        Home::Slot(slot, _) | Home::Record(slot, _) => watch.slots.push((number, *slot)),
                    }
                }
                Ok(EventSource(Kind::Places(places)))
            }
            _ => Err(format!("`{function}` is not a function")),
        }
    }

    /// Changes of a variable of static storage, with members and elements: `a.tone`.
    ///
    /// # Errors
    /// The program has no such variable.
    pub fn change(program: &Program, variable: &str, watch: &mut Watch) -> Result<EventSource, String> {
        match Proposition::read(program, variable, watch).map_err(|(_, message)| message)? {
            Proposition::Holds(term) => match term {
                Term::Variable { ty, .. } => Ok(EventSource(Kind::Change(Box::new(term), ty))),
                _ => Err(format!("`{variable}` is not a variable of static storage")),
            },
            Proposition::Running => Err(format!("`{variable}` is not a variable")),
        }
    }

    /// Executions of statements at locations; none if there is no such statement.
    pub fn lines(program: &Program, at: &dyn Fn(Loc) -> bool, watch: &mut Watch) -> Option<EventSource> {
        let mut places = Vec::new();
        for (number, code) in (0u32..).zip(&program.codes).filter(|(_, code)| !code.ours) {
            let mut before = false;
            for (pc, statement) in (0u32..).zip(&code.statements) {
                let own = at(*statement);
                if own && !before {
                    places.push((number, pc));
                }
                before = own;
            }
        }
        watch.on = true;
        watch.steps.extend(&places);
        (!places.is_empty()).then_some(EventSource(Kind::Places(places)))
    }
}

/// Reads the events of transitions.
pub struct EventReader<'p> {
    before: Machine<'p>,
    after: Machine<'p>,
    sources: Vec<EventSource>,
}

impl<'p> EventReader<'p> {
    /// A reader of the transitions of a stepper.
    #[must_use]
    pub fn new(stepper: &Stepper<'p>, sources: Vec<EventSource>) -> EventReader<'p> {
        EventReader { before: stepper.empty(), after: stepper.empty(), sources }
    }

    /// The events of a transition of a thread, given by its place in the state before: the index of
    /// the source, and the values. Without a state before, the events of the initial state.
    pub fn events(
        &mut self,
        before: Option<&[u8]>,
        after: &[u8],
        thread: usize,
    ) -> Vec<(usize, Vec<EventValue>)> {
        let EventReader { before: old, after: new, sources } = self;
        decode(new.program, after, &mut new.state);
        let known = before.is_some();
        if let Some(before) = before {
            decode(old.program, before, &mut old.state);
        }
        let mut events = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            match &source.0 {
                Kind::Places(places) => {
                    let stood = if known { standing(old, places) } else { Vec::new() };
                    // Only this thread has moved; if it stood at a place, it has left it.
                    let stayed = stood.iter().filter(|t| **t != thread).count();
                    let present = standing(new, places);
                    if present.len() > stayed {
                        // Threads that have gone leave no gap in the numbers.
                        let moved = present.iter().find(|t| **t == thread).or(present.last());
                        let values = moved.map_or_else(Vec::new, |t| arguments(new, *t));
                        events.push((index, values));
                    }
                }
                Kind::Change(term, ty) => {
                    let now = value(new, term, &[]);
                    if known && value(old, term, &[]) != now {
                        events.push((index, vec![shown(new.program, *ty, now)]));
                    }
                }
            }
        }
        events
    }
}

/// The threads that stand at one of these steps.
fn standing(machine: &Machine<'_>, places: &[(u32, u32)]) -> Vec<usize> {
    let here = |thread: &crate::state::program_state::Thread| {
        thread.frames.last().is_some_and(|frame| places.contains(&(frame.code, frame.pc)))
    };
    (0..).zip(&machine.state.threads).filter(|(_, thread)| here(thread)).map(|(t, _)| t).collect()
}

/// The arguments of the call at whose first step a thread stands; none elsewhere. A record counts as
/// its members.
fn arguments(machine: &mut Machine<'_>, t: usize) -> Vec<EventValue> {
    let program = machine.program;
    let Some(frame) = machine.state.threads[t].frames.last() else { return Vec::new() };
    let (code, pc, regs, slots) = (&program.codes[frame.code as usize], frame.pc, frame.regs, frame.slots);
    if pc != 0 {
        return Vec::new();
    }
    let mut values = Vec::new();
    for home in &code.params {
        match home {
            Home::Reg(reg) => {
                let ty = code.names.iter().find(|(_, _, own)| own == reg).map(|(_, ty, _)| ty.ty);
                let found = machine.state.threads[t].regs.get((regs + reg) as usize).copied();
                let number = number(found.unwrap_or(Value::Undef));
                values.push(match ty {
                    Some(ty) => shown(program, ty, number),
                    None => plain(number),
                });
            }
            Home::Slot(slot, mem) => {
                let object = machine.state.threads[t].slots.get((slots + slot) as usize).copied();
                let found = object.and_then(|object| machine.load((object, 0), *mem).ok());
                let ty = code.slots.get(*slot as usize).map(|slot| slot.ty.ty);
                let number = number(found.unwrap_or(Value::Undef));
                values.push(ty.map_or_else(|| plain(number), |ty| shown(program, ty, number)));
            }
            Home::Record(slot, size) => {
                let object = machine.state.threads[t].slots.get((slots + slot) as usize).copied();
                let Some(object) = object else { continue };
                let names = Names { machine, threads: None, records: &[] };
                let (_, leaves, _) = names.first_leaves(object, u32::try_from(*size).unwrap_or(u32::MAX));
                for leaf in leaves {
                    let Some(scalar) = scalar_of(&program.types, leaf.ty) else { continue };
                    let mem = Mem { bits: leaf.bits, ..Mem::atomic(scalar) };
                    let place = (object, i32::try_from(leaf.offset).unwrap_or(i32::MAX));
                    let found = machine.load(place, mem).unwrap_or(Value::Undef);
                    values.push(shown(program, leaf.ty, number(found)));
                }
            }
        }
    }
    values
}

fn number(value: Value) -> Option<i64> {
    match value {
        Value::Int(value) => Some(value as i64),
        Value::Ptr(..) => Some(1),
        Value::Undef => None,
    }
}

fn plain(number: Option<i64>) -> EventValue {
    EventValue { number, shown: number.map_or_else(|| "undefined".to_string(), |number| number.to_string()) }
}

/// A value of a type: an enumeration constant by its name, a pointer as null or not.
fn shown(program: &Program, ty: TypeId, number: Option<i64>) -> EventValue {
    let mut value = plain(number);
    match (program.types.get(ty), number) {
        (Type::Enum(_), Some(number)) => {
            let names = program.types.constants_of(ty, i128::from(number));
            if !names.is_empty() {
                value.shown = names.join("|");
            }
        }
        (Type::Pointer(_), Some(number)) => {
            value.shown = if number == 0 { "NULL" } else { "not NULL" }.to_string();
        }
        _ => {}
    }
    value
}
