//! A program as text in which nothing but its semantics leaves a trace: registers, objects, functions
//! and steps are numbered in the order of a walk from `main`, and locations are left out.
//!
//! The *executed part* of a program contains the steps that a complete search has executed, and every
//! function and object that they mention. Programs with the same executed part have the same
//! executions: by induction, each step of the one is that of the other, in the same state, and leads
//! to the same next step. A walk records for each step whether the search has executed it (the
//! *guide*); another program is walked with the same answers.
//!
//! *Entry points:* [`whole`], [`executed`], [`guided`].
//! *Source:* U. A. Acar, G. E. Blelloch and R. Harper, "Adaptive Functional Programming", POPL 2002,
//! for reuse by what a computation has read; the walk is that of `axle_reduce` slices of models.
//! *Invariant:* equal texts mean equal executions, up to the numbering of addresses, which is part of
//! the text where a program converts pointers to integers. There is no executed part of a program
//! that starts threads, whose searches leave out executions.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Arg, Class, Code, Home, Initial, Op, Reg, StaticKind};
use crate::library::Operation;
use crate::program::Program;

/// The text of a whole program.
#[must_use]
pub fn whole(program: &Program) -> String {
    let mut walk = Walk::new(program, Answers::All);
    walk.program(&[]);
    walk.text
}

/// The executed part of a program: its text, and the guide to walk another program. `taken` tells for
/// each step of each function whether it was executed; `observed` are objects that belong to the part
/// in any case.
///
/// There is none if the program starts threads, or if a function was executed that no executed step
/// mentions.
#[must_use]
pub fn executed(program: &Program, taken: &[Vec<bool>], observed: &[u32]) -> Option<(String, Vec<bool>)> {
    if starts_threads(program) {
        return None;
    }
    let mut walk = Walk::new(program, Answers::Taken(taken));
    walk.program(observed);
    let all = taken.iter().enumerate().filter(|(_, steps)| steps.contains(&true));
    let is_complete = all.into_iter().all(|(code, _)| walk.functions.contains(&(code as u32)));
    is_complete.then_some((walk.text, walk.guide))
}

/// The text of the part of a program that a guide leads through; none if the guide does not fit.
#[must_use]
pub fn guided(program: &Program, guide: &[bool], observed: &[u32]) -> Option<String> {
    if starts_threads(program) {
        return None;
    }
    let mut walk = Walk::new(program, Answers::Guide(guide));
    walk.program(observed);
    (walk.guide.len() == guide.len()).then_some(walk.text)
}

fn starts_threads(program: &Program) -> bool {
    program.may_perform(Operation::Create)
}

/// Whether a step was executed.
enum Answers<'a> {
    All,
    Taken(&'a [Vec<bool>]),
    Guide(&'a [bool]),
}

struct Walk<'a> {
    program: &'a Program,
    answers: Answers<'a>,
    /// The answers so far.
    guide: Vec<bool>,
    /// Functions and objects in the order in which they are met.
    functions: Vec<u32>,
    objects: Vec<u32>,
    numbers: FxHashMap<u32, u32>,
    thread_variables: Vec<u32>,
    /// A pointer becomes a number: the numbering of objects matters.
    addresses: bool,
    text: String,
}

/// The numbers of a function's registers, slots and steps.
#[derive(Default)]
struct Local {
    regs: FxHashMap<Reg, u32>,
    slots: FxHashMap<u32, u32>,
    steps: FxHashMap<u32, u32>,
    /// Steps that are in the text.
    written: FxHashSet<u32>,
    declared: String,
}

fn number(of: &mut FxHashMap<u32, u32>, id: u32) -> u32 {
    let next = of.len() as u32;
    *of.entry(id).or_insert(next)
}

impl<'a> Walk<'a> {
    fn new(program: &'a Program, answers: Answers<'a>) -> Walk<'a> {
        Walk {
            program,
            answers,
            guide: Vec::new(),
            functions: Vec::new(),
            objects: Vec::new(),
            numbers: FxHashMap::default(),
            thread_variables: Vec::new(),
            addresses: false,
            text: String::new(),
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        self.text.write_fmt(line).expect("a string takes all text");
        self.text.push('\n');
    }

    fn is_executed(&mut self, code: u32, pc: u32) -> bool {
        let answer = match self.answers {
            Answers::All => true,
            Answers::Taken(taken) => {
                taken.get(code as usize).and_then(|steps| steps.get(pc as usize)) == Some(&true)
            }
            Answers::Guide(guide) => guide.get(self.guide.len()) == Some(&true),
        };
        self.guide.push(answer);
        answer
    }

    fn program(&mut self, observed: &[u32]) {
        let program = self.program;
        let flags = (program.cancels, program.ends, program.ends_show);
        self.line(format_args!("flags {flags:?} {:?}", program.types.model));
        let symbols = format!("{:?}", program.symbols);
        let present: String = symbols.chars().filter(|c| !c.is_ascii_digit()).collect();
        self.line(format_args!("symbols {present}"));
        for object in observed {
            self.object(*object);
        }
        self.functions.push(program.main);
        let (mut functions, mut objects, mut variables) = (0, 0, 0);
        loop {
            if functions < self.functions.len() {
                let code = self.functions[functions];
                functions += 1;
                self.function(code);
            } else if objects < self.objects.len() {
                let object = self.objects[objects];
                objects += 1;
                self.declare(object);
            } else if variables < self.thread_variables.len() {
                let variable = self.thread_variables[variables];
                variables += 1;
                self.declare_thread_variable(variable);
            } else {
                break;
            }
        }
        if self.addresses {
            let objects = self.objects.clone();
            self.line(format_args!("addresses {objects:?}"));
        }
    }

    /// The number of an object; a function with a body is walked later.
    fn object(&mut self, object: u32) -> u32 {
        if !self.numbers.contains_key(&object) {
            self.objects.push(object);
        }
        number(&mut self.numbers, object)
    }

    fn declare(&mut self, object: u32) {
        let program = self.program;
        let own = self.numbers[&object];
        let Some(fixed) = program.statics.get((object as usize).wrapping_sub(1)) else { return };
        let (name, size, constant) = (&fixed.name, fixed.size, fixed.constant);
        match &fixed.kind {
            StaticKind::Function(_) => {
                let code = fixed.kind.code();
                self.line(format_args!("object {own} function {name} {}", code.is_some()));
                if let Some(code) = code.filter(|code| !self.functions.contains(code)) {
                    self.functions.push(code);
                }
            }
            StaticKind::Text(bytes) => self.line(format_args!("object {own} text {bytes:?}")),
            StaticKind::Variable(at) => {
                let ty = program.types.show_qual(fixed.ty);
                let (start, end) = (*at as usize, *at as usize + size as usize);
                let bytes = program.image.get(start..end).unwrap_or_default();
                let zero = bytes.iter().all(|byte| *byte == 0);
                let bytes = if zero { String::from("zero") } else { format!("{bytes:?}") };
                let inside = program
                    .image_pointers
                    .iter()
                    .filter(|(place, ..)| (*place as usize) >= start && (*place as usize) < end);
                let inside: Vec<(u32, u32, i32)> = inside.copied().collect();
                let pointers: Vec<(u32, u32, i32)> = inside
                    .iter()
                    .map(|(place, to, offset)| (place - at, self.object(*to), *offset))
                    .collect();
                self.line(format_args!("object {own} {name}: {ty} {size} {constant} {bytes} {pointers:?}"));
            }
        }
    }

    fn declare_thread_variable(&mut self, index: u32) {
        let program = self.program;
        let Some(variable) = program.thread_variables.get(index as usize) else { return };
        let ty = program.types.show_qual(variable.ty);
        let mut stores = String::new();
        for (offset, initial) in &variable.stores {
            let initial = match initial {
                Initial::Pointer(object, at) => Initial::Pointer(self.object(*object), *at),
                other => *other,
            };
            stores.push_str(&format!(" {offset}: {initial:?}"));
        }
        let (name, size, texts) = (&variable.name, variable.size, &variable.texts);
        self.line(format_args!("thread {name}: {ty} {size}{stores} {texts:?}"));
    }

    fn function(&mut self, index: u32) {
        let program = self.program;
        let Some(code) = program.codes.get(index as usize) else { return };
        let (name, file) = (&code.name, &code.file);
        if !self.is_executed(index, 0) {
            self.line(format_args!("function {file} {name}: not executed"));
            return;
        }
        let mut local = Local::default();
        let mut body = String::new();
        let params: Vec<Home> =
            code.params.iter().map(|home| home_of(code, home, program, &mut local)).collect();
        let mut waiting = vec![0];
        while let Some(start) = waiting.pop() {
            let mut at = start;
            let mut first = true;
            loop {
                let label = number(&mut local.steps, at);
                if !local.written.insert(at) {
                    if !first {
                        body.push_str(&format!("\ngoto L{label}"));
                    }
                    break;
                }
                first = false;
                let Some(op) = code.ops.get(at as usize) else { break };
                let labels: String = code
                    .labels
                    .iter()
                    .filter(|(_, pc)| *pc == at)
                    .map(|(name, _)| format!("{name}: "))
                    .collect();
                let (own, next) = self.step(code, (index, at), op, &mut local, &mut waiting);
                body.push_str(&format!("\nL{label}: {labels}{own}"));
                match next {
                    Some(next) => at = next,
                    None => break,
                }
            }
        }
        let returns = (code.returns, code.returns_record, code.variadic, code.atomic, code.ours);
        self.line(format_args!("function {file} {name} {params:?} {returns:?}{}{body}", local.declared));
    }

    /// The text of a step, and the step that follows it in the text.
    fn step(
        &mut self,
        code: &Code,
        (index, at): (u32, u32),
        op: &Op,
        local: &mut Local,
        waiting: &mut Vec<u32>,
    ) -> (String, Option<u32>) {
        let mut target = |walk: &mut Walk<'_>, local: &mut Local, to: u32| -> u32 {
            match walk.is_executed(index, to) {
                true => {
                    waiting.push(to);
                    number(&mut local.steps, to)
                }
                false => u32::MAX,
            }
        };
        let (own, next) = match op {
            Op::Jump(to) => {
                let executed = self.is_executed(index, *to);
                return match executed {
                    // A jump has no effect: the text goes on behind it.
                    true => ("jump".to_string(), Some(*to)),
                    false => ("jump to a step that is not executed".to_string(), None),
                };
            }
            Op::Branch { cond, scalar, yes, no } => {
                let cond = self.arg(code, *cond, local);
                let (yes, no) = (target(self, local, *yes), target(self, local, *no));
                (Op::Branch { cond, scalar: *scalar, yes, no }, None)
            }
            Op::Switch { value, signed, cases, default } => {
                let value = self.arg(code, *value, local);
                let cases =
                    cases.iter().map(|(low, high, to)| (*low, *high, target(self, local, *to))).collect();
                let default = target(self, local, *default);
                (Op::Switch { value, signed: *signed, cases, default }, None)
            }
            Op::Return { .. } | Op::Stuck(_) => (self.mapped(code, op, local), None),
            _ => {
                let own = self.mapped(code, op, local);
                let next = self.is_executed(index, at + 1).then_some(at + 1);
                (own, next)
            }
        };
        let mut text = format!("{own:?}");
        if let Op::Stuck(crate::code::Stuck::NoBody(missing)) = op {
            text = format!("no body {:?}", self.program.missing.get(*missing as usize).map(|(name, _)| name));
        }
        if let Op::Stuck(crate::code::Stuck::Unsupported(number)) = op {
            text = format!("unsupported {:?}", self.program.unsupported.get(*number as usize));
        }
        if let Some(classes) = self.program.inputs.get(&(index, at)) {
            text.push_str(&format!(" input {:?} {}", classes.values, classes.exact));
        }
        if let Some((_, scalars)) = code.printed.iter().find(|(step, _)| *step == at) {
            text.push_str(&format!(" printed {scalars:?}"));
        }
        (text, next)
    }

    fn arg(&mut self, code: &Code, arg: Arg, local: &mut Local) -> Arg {
        match arg {
            Arg::Reg(reg) => Arg::Reg(register(code, reg, self.program, local)),
            Arg::Int(value) => Arg::Int(value),
            Arg::Static(object, offset) => Arg::Static(self.object(object), offset),
        }
    }
}

/// The number of a register; a named one is declared.
fn register(code: &Code, reg: Reg, program: &Program, local: &mut Local) -> Reg {
    let is_new = !local.regs.contains_key(&reg);
    let own = number(&mut local.regs, reg);
    if is_new {
        for (name, ty, _) in code.names.iter().filter(|(_, _, named)| *named == reg) {
            local.declared.push_str(&format!("\nregister {own} {name}: {}", program.types.show_qual(*ty)));
        }
    }
    own
}

fn slot(code: &Code, slot: u32, program: &Program, local: &mut Local) -> u32 {
    let is_new = !local.slots.contains_key(&slot);
    let own = number(&mut local.slots, slot);
    if let Some(declared) = code.slots.get(slot as usize).filter(|_| is_new) {
        let (name, ty) = (&declared.name, program.types.show_qual(declared.ty));
        local.declared.push_str(&format!("\nslot {own} {name}: {ty} {} {}", declared.size, declared.stays));
    }
    own
}

fn home_of(code: &Code, home: &Home, program: &Program, local: &mut Local) -> Home {
    match home {
        Home::Reg(reg) => Home::Reg(register(code, *reg, program, local)),
        Home::Slot(own, mem) => Home::Slot(slot(code, *own, program, local), *mem),
        Home::Record(own, size) => Home::Record(slot(code, *own, program, local), *size),
    }
}

impl Walk<'_> {
    /// A step without jumps, with new numbers.
    fn mapped(&mut self, code: &Code, op: &Op, local: &mut Local) -> Op {
        let program = self.program;
        let mut own = op.clone();
        if let Op::Convert { from, to, .. } = op {
            self.addresses |=
                from.class == Class::Pointer && to.class != Class::Pointer && to.class != Class::Bool;
        }
        own.writes_mut(|reg| *reg = register(code, *reg, program, local));
        match &mut own {
            Op::SlotAddress { slot: own, .. }
            | Op::Live { slot: own }
            | Op::LiveVla { slot: own, .. }
            | Op::Dead { slot: own } => *own = slot(code, *own, program, local),
            Op::ThreadAddress { index, .. } => {
                let known = self.thread_variables.iter().position(|known| known == index);
                *index = known.unwrap_or_else(|| {
                    self.thread_variables.push(*index);
                    self.thread_variables.len() - 1
                }) as u32;
            }
            _ => {}
        }
        own.operands_mut(|arg| *arg = self.arg(code, *arg, local));
        own
    }
}
