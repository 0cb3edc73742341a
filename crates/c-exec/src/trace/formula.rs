//! What formulas ask of a state: expressions over variables, and whether a thread stands at a
//! place.
//!
//! *Entry points:* [`Proposition::read`], [`Observer`].
//!
//! A proposition is an expression of C over variables of static storage, with `.field`, `[index]`
//! (constants) and `->field` behind pointers that never change, numbers, enumeration constants, macros
//! that are constants, and the operators of integers; `call(f)`, `return(f)` and
//! `f@label` say that some thread has just been called into `f`, is about to return from it, or
//! stands at the label. A proposition without a value (a variable that was never set, a division by
//! zero) makes the proposition false.
//!
//! *Invariant:* Reading one notes everything that its value depends on, so that no step that could
//! change it goes unseen.

mod resolve;

use axle_step::{AtomFault, Observe};

use axle_c::Program;
use axle_c::code::{Mem, Op, StaticKind};
use axle_c::grammar::{Operators, words};
use axle_c::library;
use axle_c::{Bits, Qual, Type, TypeId};

use crate::machine::decode::decode;
use crate::names::{place_name, scalar_of};
use crate::observers::recorders::Machine;
use crate::state::settings::{Settings, Watch};
use crate::state::value::Value;
use crate::stepper::{GRAIN, Stepper};
use resolve::suggested;

/// A condition on a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proposition {
    /// The program has not come to its end.
    Running,
    /// The expression is not 0.
    Holds(Term),
}

/// An expression over a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    Number(i64),
    /// A scalar in a variable.
    Variable {
        object: u32,
        offset: i32,
        ty: TypeId,
        bits: Option<Bits>,
    },
    /// A scalar in an automatic variable of a function, in some call of it.
    Local {
        code: u32,
        home: LocalHome,
        ty: TypeId,
    },
    /// Some thread stands at one of these steps.
    At(Vec<(u32, u32)>),
    Unary(char, Box<Term>),
    Binary(&'static str, Box<Term>, Box<Term>),
}

/// Where an automatic variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalHome {
    Register(u32),
    /// Slot, offset, and bits of a bit-field.
    Slot(u32, i32, Option<Bits>),
}

/// Nesting that a proposition may have.
const DEEPEST: u32 = 100;

struct Reader<'a> {
    program: &'a Program,
    text: &'a str,
    at: usize,
    /// Where the operand begins that is read.
    operand: usize,
    depth: u32,
    watch: &'a mut Watch,
}

impl Proposition {
    /// Parses a proposition, and notes in `watch` what it depends on. An error has an offset in
    /// bytes.
    pub fn read(program: &Program, text: &str, watch: &mut Watch) -> Result<Proposition, (usize, String)> {
        let mut reader = Reader { program, text, at: 0, operand: 0, depth: 0, watch };
        let term = match reader.binary(0) {
            Ok(term) => term,
            Err(message) => return Err((reader.operand, message)),
        };
        reader.blanks();
        match reader.at == text.len() {
            true => {
                watch.on = true;
                Ok(Proposition::Holds(term))
            }
            false => Err((reader.at, format!("`{}` is not expected here", &text[reader.at..]))),
        }
    }
}

impl Proposition {
    /// What the proposition reads, by names and offsets: equal texts read the same of programs in
    /// which functions, labels and variables of these names are the same.
    #[must_use]
    pub fn shape(&self, program: &Program) -> String {
        match self {
            Proposition::Running => "running".to_string(),
            Proposition::Holds(term) => shape(term, program),
        }
    }
}

fn shape(term: &Term, program: &Program) -> String {
    let scalar = |ty: &TypeId| scalar_of(&program.types, *ty);
    match term {
        Term::Number(number) => number.to_string(),
        Term::Variable { object, offset, ty, bits } => {
            let name = program.statics.get((*object as usize).wrapping_sub(1)).map(|fixed| &fixed.name);
            format!("variable {name:?} {offset} {:?} {bits:?}", scalar(ty))
        }
        Term::Local { code, home, ty } => {
            let code = program.codes.get(*code as usize);
            let home = match home {
                LocalHome::Register(reg) => {
                    let names = code.into_iter().flat_map(|code| &code.names);
                    let own: Vec<_> = names.filter(|(_, _, own)| own == reg).map(|(name, ..)| name).collect();
                    format!("{own:?}")
                }
                LocalHome::Slot(slot, offset, bits) => {
                    let slot = code.and_then(|code| code.slots.get(*slot as usize)).map(|slot| &slot.name);
                    format!("{slot:?} {offset} {bits:?}")
                }
            };
            format!("local {:?} {home} {:?}", code.map(|code| (&code.file, &code.name)), scalar(ty))
        }
        // Functions and labels are part of the text of the formula.
        Term::At(places) => {
            let names = places.iter().filter_map(|(code, _)| program.codes.get(*code as usize));
            let mut names: Vec<_> = names.map(|code| (&code.file, &code.name)).collect();
            names.sort();
            names.dedup();
            format!("at {names:?}")
        }
        Term::Unary(sign, inner) => format!("{sign}({})", shape(inner, program)),
        Term::Binary(operator, a, b) => format!("({}){operator}({})", shape(a, program), shape(b, program)),
    }
}

impl Operators for Reader<'_> {
    type Expr = Term;
    type Error = String;

    fn word(&self) -> &'static str {
        words::punctuator(self.text[self.at..].trim_start())
    }

    fn next(&mut self) {
        self.blanks();
        self.at += self.word().len();
    }

    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.depth == DEEPEST {
            return Err("the proposition is nested too deeply".into());
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn operand(&mut self) -> Result<Term, String> {
        self.unary()
    }

    fn make_binary(&mut self, operator: &'static str, left: Term, right: Term) -> Result<Term, String> {
        Ok(Term::Binary(operator, Box::new(left), Box::new(right)))
    }
}

impl Reader<'_> {
    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, word: &str) -> bool {
        self.blanks();
        let there = self.text[self.at..].starts_with(word);
        if there {
            self.at += word.len();
        }
        there
    }

    /// Prefix operators and the operand behind them.
    fn unary(&mut self) -> Result<Term, String> {
        for sign in ['!', '-', '~', '+'] {
            if self.eat(&sign.to_string()) {
                let inner = self.deeper(Self::unary)?;
                return Ok(if sign == '+' { inner } else { Term::Unary(sign, Box::new(inner)) });
            }
        }
        if self.eat("(") {
            let inner = self.deeper(|this| this.binary(0))?;
            return if self.eat(")") { Ok(inner) } else { Err(format!("`)` is missing in `{}`", self.text)) };
        }
        self.primary()
    }

    fn identifier(&mut self) -> &str {
        self.blanks();
        let rest = &self.text[self.at..];
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn primary(&mut self) -> Result<Term, String> {
        self.blanks();
        self.operand = self.at;
        if self.eat("'") {
            let mut letters = self.text[self.at..].chars();
            let (letter, end) = (letters.next(), letters.next());
            let (Some(letter), Some('\'')) = (letter, end) else {
                return Err(format!("a character in `'` is expected in `{}`", self.text));
            };
            self.at += letter.len_utf8() + 1;
            return Ok(Term::Number(u32::from(letter).into()));
        }
        let text = self.text.to_string();
        if let Some(file) = self.file() {
            let function = self.identifier().to_string();
            return match self.eat("::") {
                true => self.local(Some(&file), &function),
                false => Err(format!("`::` and a variable are expected behind `{file}:{function}`")),
            };
        }
        let name = self.identifier().to_string();
        if name.is_empty() {
            return Err(format!("a variable or number is expected at `{}` in `{text}`", &text[self.at..]));
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = name.trim_end_matches(['u', 'U', 'l', 'L']);
            let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
                Some(hex) => i64::from_str_radix(hex, 16),
                None => digits.parse(),
            };
            return number.map(Term::Number).map_err(|_| format!("`{name}` is no number"));
        }
        match name.as_str() {
            "NULL" | "false" => return Ok(Term::Number(0)),
            "true" => return Ok(Term::Number(1)),
            "call" | "return" if self.eat("(") => {
                let function = self.identifier().to_string();
                if !self.eat(")") {
                    return Err(format!("`)` is missing in `{text}`"));
                }
                return self.event(&function, name == "call");
            }
            _ => {}
        }
        if self.eat("::") {
            return self.local(None, &name);
        }
        if self.eat("@") {
            let label = self.identifier().to_string();
            return self.label(&name, &label);
        }
        self.named(&name)
    }

    /// The name of a file and a colon, as before a function: `list.c:insert::n`.
    fn file(&mut self) -> Option<String> {
        self.blanks();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && !"._/-+".contains(c))?;
        let name = &rest[..end];
        let colon = rest[end..].starts_with(':') && !rest[end..].starts_with("::");
        if !colon || !name.contains('.') {
            return None;
        }
        let name = name.to_string();
        self.at += end + 1;
        Some(name)
    }

    /// An automatic variable of a function.
    fn local(&mut self, file: Option<&str>, function: &str) -> Result<Term, String> {
        let name = self.identifier().to_string();
        let within = |own: &str| match file {
            Some(file) => own == file || own.ends_with(&format!("/{file}")),
            None => true,
        };
        let program = self.program;
        let codes: Vec<u32> = (0u32..)
            .zip(&program.codes)
            .filter(|(_, code)| *code.name == *function && !code.ours && within(&code.file))
            .map(|(number, _)| number)
            .collect();
        let number = match codes[..] {
            [one] => one,
            [] => {
                let place = file.map(|file| format!(" in `{file}`")).unwrap_or_default();
                let problem = format!("there is no function `{function}`{place} that `main` can lead to");
                return Err(suggested(problem, function, self.functions()));
            }
            _ => {
                return Err(format!(
                    "several files have a function `{function}`: say `file.c:{function}::{name}`"
                ));
            }
        };
        let code = &program.codes[number as usize];
        let registers = code.names.iter().filter(|(own, ..)| **own == *name);
        let registers: Vec<(Qual, u32)> = registers.map(|(_, ty, reg)| (*ty, *reg)).collect();
        let slots = (0u32..).zip(&code.slots).filter(|(_, slot)| *slot.name == *name);
        let slots: Vec<(Qual, u32)> = slots.map(|(index, slot)| (slot.ty, index)).collect();
        let none = || {
            let problem = format!(
                "`{function}` has no variable `{name}` of its own (one that is `static` is named alone)"
            );
            let slots = code.slots.iter().map(|slot| &*slot.name);
            suggested(problem, &name, code.names.iter().map(|(name, ..)| &**name).chain(slots))
        };
        match (&registers[..], &slots[..]) {
            ([], []) => Err(none()),
            ([(ty, reg)], []) => {
                self.scalar(ty.ty, &name)?;
                self.watch.registers.push((number, *reg));
                Ok(Term::Local { code: number, home: LocalHome::Register(*reg), ty: ty.ty })
            }
            ([], [(ty, slot)]) => {
                let (ty, offset, bits) = self.path(ty.ty)?;
                let offset = self.scalar(ty, &name).and(i32::try_from(offset).map_err(|_| none()))?;
                self.watch.slots.push((number, *slot));
                Ok(Term::Local { code: number, home: LocalHome::Slot(*slot, offset, bits), ty })
            }
            _ => Err(format!("`{function}` has several variables `{name}`")),
        }
    }

    /// An integer or a pointer.
    fn scalar(&self, ty: TypeId, name: &str) -> Result<(), String> {
        let types = &self.program.types;
        match scalar_of(types, ty).is_some() && !matches!(types.get(ty), Type::Float(_)) {
            true => Ok(()),
            false => Err(format!("`{name}` is no integer or pointer here")),
        }
    }

    /// Where a function has just been called, or is about to return.
    fn event(&mut self, function: &str, call: bool) -> Result<Term, String> {
        let mut places = Vec::new();
        let library = library::find(function);
        for (number, code) in (0u32..).zip(&self.program.codes) {
            for (pc, op) in (0u32..).zip(&code.ops) {
                let here = match op {
                    Op::Return { .. } => !call && *code.name == *function,
                    Op::Lib { lib, .. } => call && library == Some(*lib) && !code.ours,
                    _ => call && pc == 0 && *code.name == *function,
                };
                if here {
                    places.push((number, pc));
                }
            }
        }
        if places.is_empty() {
            let problem = format!("there is no function `{function}` that `main` can lead to");
            return Err(suggested(problem, function, self.functions()));
        }
        self.watch.steps.extend(&places);
        Ok(Term::At(places))
    }

    /// The names of the functions of the user.
    fn functions(&self) -> Vec<&str> {
        self.program.codes.iter().filter(|code| !code.ours).map(|code| &*code.name).collect()
    }

    fn label(&mut self, function: &str, label: &str) -> Result<Term, String> {
        let mut places = Vec::new();
        for (number, code) in (0u32..).zip(&self.program.codes) {
            let labels = code.labels.iter().filter(|(name, _)| *code.name == *function && **name == *label);
            places.extend(labels.map(|(_, pc)| (number, *pc)));
        }
        if places.is_empty() {
            return Err(format!("there is no label `{label}` in a function `{function}`"));
        }
        self.watch.steps.extend(&places);
        Ok(Term::At(places))
    }

    fn variable(&mut self, name: &str) -> Result<Term, String> {
        let named = |fixed: &axle_c::code::Static| {
            *fixed.name == *name && matches!(fixed.kind, StaticKind::Variable(_))
        };
        let found: Vec<usize> =
            (0..self.program.statics.len()).filter(|&at| named(&self.program.statics[at])).collect();
        let [index] = found[..] else {
            return Err(match found.is_empty() {
                true => self.unknown(name),
                false => format!("several variables of static storage are called `{name}`"),
            });
        };
        let (mut object, ty) = (index as u32 + 1, self.program.statics[index].ty.ty);
        let (mut ty, mut offset, mut bits) = self.path(ty)?;
        while self.eat("->") {
            let (target, start, to) = self.pointee(object, offset, ty)?;
            let (at, field_bits, field) = self.member(to)?;
            let (last, more, last_bits) = self.path(field)?;
            (object, offset, ty) = (target, start + at + more, last);
            // Members behind a bit-field do not exist.
            bits = last_bits.or(field_bits.filter(|_| more == 0 && last == field));
        }
        self.scalar(ty, name)?;
        let Ok(offset) = i32::try_from(offset) else {
            return Err(format!("`{name}` is no integer or pointer here"));
        };
        self.watch.objects.push(object);
        Ok(Term::Variable { object, offset, ty, bits })
    }

    /// Members and elements behind a name: the type that they lead to, its offset, and its bits.
    fn path(&mut self, ty: TypeId) -> Result<(TypeId, u64, Option<Bits>), String> {
        let (mut ty, mut offset, mut bits) = (ty, 0u64, None);
        loop {
            if self.eat(".") {
                let (at, field_bits, field) = self.member(ty)?;
                (offset, bits, ty) = (offset + at, field_bits, field);
            } else if self.eat("[") {
                self.blanks();
                self.operand = self.at;
                let text = self.identifier().to_string();
                let number = match text.parse::<u64>() {
                    Ok(number) => Some(number),
                    Err(_) => self.index(&text)?,
                };
                let types = &self.program.types;
                let (Some(at), Type::Array(element, Some(count))) = (number, types.get(ty)) else {
                    return Err(format!("`{text}` is no constant index of an array"));
                };
                if !self.eat("]") || at >= *count {
                    return Err(format!("the index {at} is outside of the array, or `]` is missing"));
                }
                offset += at * types.size(element.ty).unwrap_or(0);
                ty = element.ty;
            } else {
                return Ok((ty, offset, bits));
            }
        }
    }
}

/// The value of an operator with one operand.
fn unary(sign: char, operand: i64) -> i64 {
    match sign {
        '!' => i64::from(operand == 0),
        '-' => operand.wrapping_neg(),
        _ => !operand,
    }
}

/// The value of an operator with two operands; none for a division by zero.
fn binary(operator: &str, x: i64, y: i64) -> Option<i64> {
    Some(match operator {
        "||" | "&&" => i64::from(y != 0),
        "|" => x | y,
        "^" => x ^ y,
        "&" => x & y,
        "==" => i64::from(x == y),
        "!=" => i64::from(x != y),
        "<=" => i64::from(x <= y),
        ">=" => i64::from(x >= y),
        "<" => i64::from(x < y),
        ">" => i64::from(x > y),
        "<<" => x.checked_shl(u32::try_from(y).ok()?)?,
        ">>" => x.checked_shr(u32::try_from(y).ok()?)?,
        "+" => x.wrapping_add(y),
        "-" => x.wrapping_sub(y),
        "*" => x.wrapping_mul(y),
        "/" => x.checked_div(y)?,
        _ => x.checked_rem(y)?,
    })
}

/// The names of the variables of static storage that propositions read, as changes name them.
#[must_use]
pub fn observed_variables(stepper: &Stepper<'_>, state: &[u8], propositions: &[Proposition]) -> Vec<String> {
    fn collect(term: &Term, out: &mut Vec<(u32, i32, TypeId)>) {
        match term {
            Term::Variable { object, offset, ty, .. } => out.push((*object, *offset, *ty)),
            Term::Local { .. } | Term::Number(_) | Term::At(_) => {}
            Term::Unary(_, inner) => collect(inner, out),
            Term::Binary(_, a, b) => {
                collect(a, out);
                collect(b, out);
            }
        }
    }
    let mut machine = stepper.empty();
    decode(machine.program, state, &mut machine.state);
    let mut places = Vec::new();
    for proposition in propositions {
        if let Proposition::Holds(term) = proposition {
            collect(term, &mut places);
        }
    }
    let size = |ty| scalar_of(&machine.program.types, ty).map_or(1, |scalar| u32::from(scalar.size));
    let name = |(object, offset, ty)| place_name(&machine, object, offset, size(ty));
    let mut names: Vec<String> = places.into_iter().map(name).collect();
    names.sort();
    names.dedup();
    names
}

/// A call under way: thread, and place among its calls.
type Call = (usize, usize);

/// The functions whose variables a term speaks of.
fn functions(term: &Term, out: &mut Vec<u32>) {
    match term {
        Term::Local { code, .. } if !out.contains(code) => out.push(*code),
        Term::Local { .. } | Term::Number(_) | Term::Variable { .. } | Term::At(_) => {}
        Term::Unary(_, inner) => functions(inner, out),
        Term::Binary(_, a, b) => {
            functions(a, out);
            functions(b, out);
        }
    }
}

/// Whether a term is not 0 for some choice of one call of each of these functions.
fn for_some(machine: &mut Machine<'_>, term: &Term, rest: &[u32], calls: &mut Vec<(u32, Call)>) -> bool {
    let Some((&code, rest)) = rest.split_first() else {
        return value(machine, term, calls).is_some_and(|value| value != 0);
    };
    let mut own = Vec::new();
    for (t, thread) in machine.state.threads.iter().enumerate() {
        let here = thread.frames.iter().enumerate().filter(|(_, frame)| frame.code == code);
        own.extend(here.map(|(depth, _)| (t, depth)));
    }
    if own.is_empty() {
        return for_some(machine, term, rest, calls);
    }
    own.into_iter().any(|call| {
        calls.push((code, call));
        let holds = for_some(machine, term, rest, calls);
        calls.pop();
        holds
    })
}

/// Whether a proposition holds in the state that a machine is in.
pub fn holds(machine: &mut Machine<'_>, proposition: &Proposition) -> bool {
    match proposition {
        Proposition::Running => !machine.state.done,
        Proposition::Holds(term) => {
            let mut of = Vec::new();
            functions(term, &mut of);
            for_some(machine, term, &of, &mut Vec::new())
        }
    }
}

/// The value of a term in the state that a machine is in.
pub(crate) fn value(machine: &mut Machine<'_>, term: &Term, calls: &[(u32, Call)]) -> Option<i64> {
    match term {
        Term::Number(number) => Some(*number),
        Term::Variable { object, offset, ty, bits } => {
            let scalar = scalar_of(&machine.program.types, *ty)?;
            match machine.load((*object, *offset), Mem { bits: *bits, ..Mem::atomic(scalar) }).ok()? {
                Value::Int(value) => Some(value as i64),
                // Not null; the object that it points to does not matter.
                Value::Ptr(..) => Some(1),
                Value::Undef => None,
            }
        }
        Term::Local { code, home, ty } => {
            let (_, (t, depth)) = calls.iter().find(|(of, _)| of == code)?;
            let thread = &machine.state.threads[*t];
            let frame = thread.frames.get(*depth)?;
            let found = match home {
                LocalHome::Register(reg) => *thread.regs.get((frame.regs + reg) as usize)?,
                LocalHome::Slot(slot, offset, bits) => {
                    let object = *thread.slots.get((frame.slots + slot) as usize)?;
                    let scalar = scalar_of(&machine.program.types, *ty)?;
                    machine.load((object, *offset), Mem { bits: *bits, ..Mem::atomic(scalar) }).ok()?
                }
            };
            match found {
                Value::Int(value) => Some(value as i64),
                Value::Ptr(..) => Some(1),
                Value::Undef => None,
            }
        }
        Term::At(places) => {
            let threads = &machine.state.threads;
            let check_deadlock = |thread: &crate::state::program_state::Thread| {
                thread.frames.last().is_some_and(|frame| places.contains(&(frame.code, frame.pc)))
            };
            Some(threads.iter().any(check_deadlock).into())
        }
        Term::Unary(sign, inner) => {
            let inner = value(machine, inner, calls)?;
            Some(unary(*sign, inner))
        }
        Term::Binary(operator, a, b) => {
            let left = value(machine, a, calls);
            match (*operator, left) {
                ("&&", Some(0)) => return Some(0),
                ("||", Some(other)) if other != 0 => return Some(1),
                _ => {}
            }
            let (x, y) = (left?, value(machine, b, calls)?);
            binary(operator, x, y)
        }
    }
}

/// Evaluates propositions on the states of a stepper.
pub struct Observer<'p> {
    machine: Machine<'p>,
    propositions: Vec<Proposition>,
    width: usize,
}

impl<'p> Observer<'p> {
    /// An observer of the states of a stepper, which is to be as wide as they are now.
    #[must_use]
    pub fn new(stepper: &Stepper<'p>, propositions: Vec<Proposition>) -> Observer<'p> {
        let width = axle_step::Successors::width(stepper);
        Observer { machine: stepper.empty(), propositions, width }
    }

    /// The propositions in one state.
    pub fn letter(&mut self, state: &[u8]) -> Vec<bool> {
        decode(self.machine.program, state, &mut self.machine.state);
        let Observer { machine, propositions, .. } = self;
        propositions.iter().map(|proposition| holds(machine, proposition)).collect()
    }
}

impl Observe for Observer<'_> {
    fn words(&self) -> usize {
        self.propositions.len().div_ceil(64)
    }

    fn width(&self) -> usize {
        self.width
    }

    fn grow(&mut self, size: usize) {
        self.width = self.width.max(size * GRAIN);
    }

    fn observe(&mut self, states: &[u8], out: &mut Vec<u64>, faults: &mut Vec<AtomFault>) {
        out.clear();
        faults.clear();
        let words = Observe::words(self);
        for state in states.chunks_exact(self.width) {
            let start = out.len();
            out.resize(start + words, 0);
            for (atom, holds) in self.letter(state).into_iter().enumerate() {
                out[start + atom / 64] |= u64::from(holds) << (atom % 64);
            }
        }
    }
}

/// The settings for a search for runs: threads keep their places, what the propositions look at is
/// seen, and no thread wakes up for no reason (that would let every wait end).
#[must_use]
pub fn settings_for_runs(settings: &Settings, watch: Watch) -> Settings {
    Settings {
        watch,
        stable_threads: true,
        spurious_wakeups: false,
        races: false,
        persistent_sets: false,
        ..settings.clone()
    }
}
