//! Partitions the values of a nondeterministic input into equivalence classes. Two values are
//! equivalent if the program behaves identically for both, except for the copies that it stores. If
//! every use of an input is known, one representative per class suffices: a property that holds for
//! the representatives holds for every input.
//!
//! *Entry point:* [`analyse`].
//! *Source:* data independence, P. Wolper, "Expressing interesting properties of programs in
//! propositional temporal logic", POPL 1986, section 4; extended by comparisons with constants,
//! remainders by constants, and small ranges.
//!
//! An interval analysis follows the copies of the input from the call on, through registers, calls,
//! returns, and variables that are only accessed by name. At each step it knows the set of possible
//! values of the input under the conditions of the path. It collects
//!
//! * a *cut* where the result of a condition changes: the result is constant between two cuts;
//! * the offset of each copy: a constant that was added without overflow;
//! * a *modulus* where a remainder is taken: the remainder is constant for one residue between two
//!   cuts;
//! * every single value of the set at any other use of a copy, if there are few. Otherwise the
//!   classes are unknown, and the input is under-approximated.
//!
//! A variable that is written only once, by `main` before the first thread is created, holds the
//! input from then on. Conditions on it therefore restrict the input in every function and thread
//! that is entered later.
//!
//! *Invariant:* let two values have no cut between them and the same residue. Two executions that
//! differ only in that input are at the same step at any time. Their memory and registers are
//! equal, except for locations that hold a copy of the input in both. The proof is by induction
//! over the steps: a step that reads no copy has the same effect in both executions; a step that
//! reads one is in the list above.

mod intervals;
mod places;
mod transfer;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::code::{Arg, Class, Code, Op, Reg, Scalar, Static};
use crate::library::{Lib, Operation};
use crate::operators::{Binary, Unary};
pub use crate::program::input_classes::Classes;

use intervals::{Set, count, meet, union, without};
use places::{Access, AccessKind, Meet, Object, Range};
use whole::Whole;

/// Maximum number of values explored for an unrestricted use of an input, and in total.
const FEW: i128 = 300;
const MOST: usize = 600;
/// Maximum number of steps analysed for one input.
const STEPS: u32 = 60_000;
/// Maximum nesting of calls, returns and variables through which a copy is followed.
const DEPTH: u32 = 8;
/// Pseudo-registers from this number on denote variables that hold the input permanently.
const VARIABLES: Reg = 1 << 31;

/// The classes of every input of the program, by function and step. `pointers` are the static
/// objects whose addresses occur in initial values. `wide` is true if `long` has 64 bits. `observed`
/// are the static objects whose values are observed, by the propositions of a formula for example:
/// every value of an input that is stored there is a class of its own.
pub fn analyse(
    codes: &[Code],
    statics: &[Static],
    pointers: impl Iterator<Item = u32>,
    main: u32,
    wide: bool,
    observed: &[u32],
) -> FxHashMap<(u32, u32), Classes> {
    let sites = |lib: &Lib| lib.range().filter(|_| wide || !lib.is_long_input());
    let mut found = FxHashMap::default();
    let mut whole = None;
    let mut pointers = Some(pointers);
    for (number, code) in codes.iter().enumerate() {
        for (pc, op) in code.ops.iter().enumerate() {
            let Op::Lib { dst, lib, .. } = op else { continue };
            let Some((low, high)) = sites(lib) else { continue };
            let whole = whole.get_or_insert_with(|| {
                Whole::new(codes, statics, pointers.take().into_iter().flatten(), main)
            });
            let mut search = Search {
                whole,
                observed,
                low,
                high,
                cuts: BTreeSet::new(),
                modulus: 1,
                known: true,
                at: (number as u32, pc as u32),
                lost: None,
                steps: STEPS,
                stored: FxHashMap::default(),
                held: Vec::new(),
                escaped: false,
                entered: FxHashMap::default(),
            };
            let (mut reg, mut next) = (*dst, pc as u32 + 1);
            if let Some((rest, behind, range)) = remainder(code, next, reg, (low, high)) {
                (search.low, search.high) = range;
                (reg, next) = (rest, behind);
            }
            let (low, high) = (search.low, search.high);
            let form = AbstractValue::Copy(vec![(low, high, 0)]);
            let state = State { set: vec![(low, high)], regs: BTreeMap::from([(reg, form)]) };
            search.from(number as u32, next, state, 0);
            // Some readers of the variable are unknown: analyse all of its accesses.
            while search.escaped
                && let Some((_, place, copy, set)) = search.held.pop()
            {
                search.stored(place, copy, &set, 0);
            }
            found.insert((number as u32, pc as u32), search.classes());
        }
    }
    found
}

/// Recognises an input that is only used as the dividend of a remainder by a constant. Returns the
/// register of the remainder, the next step, and the range of the remainder. Each value in this
/// range is its own remainder, so the remainder replaces the input.
fn remainder(
    code: &Code,
    mut pc: u32,
    mut input: Reg,
    (low, high): (i128, i128),
) -> Option<(Reg, u32, (i128, i128))> {
    while let Op::Move { dst, src: Arg::Reg(src) } = code.ops.get(pc as usize)?
        && *src == input
        && !crate::analysis::liveness::is_live(code, pc + 1, input)
    {
        (input, pc) = (*dst, pc + 1);
    }
    let Op::Binary { dst, op: Binary::Rem, a: Arg::Reg(a), b: Arg::Int(by), scalar } =
        code.ops.get(pc as usize)?
    else {
        return None;
    };
    let by = match scalar.class {
        Class::Signed => i128::from(*by as i64),
        Class::Unsigned if low >= 0 => i128::from(*by),
        _ => return None,
    };
    // The input fits the operand type, and it is dead afterwards.
    let fits = by > 0 && high < 1 << (scalar.bits() - u32::from(scalar.is_signed()));
    if *a != input || !fits || *dst != input && crate::analysis::liveness::is_live(code, pc + 1, input) {
        return None;
    }
    Some((*dst, pc + 1, (low.max(1 - by), high.min(by - 1))))
}

/// The abstract value of a register that may differ within a class. Any other register has the same
/// value for all inputs of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
enum AbstractValue {
    /// A copy of the input: intervals (first, last) with the constant that was added.
    Copy(Vec<(i128, i128, i128)>),
    /// 1 if the input is in the set, otherwise 0.
    Test(Set),
    /// A copy on one path, another value on another path.
    Mixed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    /// The possible values of the input at this point.
    set: Set,
    regs: BTreeMap<Reg, AbstractValue>,
}

/// Summary of a call or thread: the entry state, the input values on return, and the abstract
/// return value.
type Entered = (State, Set, Option<AbstractValue>);

/// The abstract state at the end of a function.
struct Exit {
    set: Set,
    /// The abstract return value, if it depends on the input.
    value: Option<AbstractValue>,
    /// The function returns on some path.
    met: bool,
}

struct Search<'a> {
    whole: &'a Whole<'a>,
    /// See [`analyse`].
    observed: &'a [u32],
    low: i128,
    high: i128,
    /// The first values of the classes.
    cuts: BTreeSet<i128>,
    modulus: i128,
    known: bool,
    /// The step under analysis.
    at: (u32, u32),
    /// See [`Classes::lost`].
    lost: Option<(u32, u32)>,
    steps: u32,
    /// The abstract values stored in variables.
    stored: FxHashMap<(Object, Range), Vec<(AbstractValue, Set)>>,
    /// Variables that hold the input permanently.
    held: Vec<(u32, (u32, u32), AbstractValue, Set)>,
    /// A variable that holds the input may have unknown readers.
    escaped: bool,
    /// Summaries of the threads and functions entered while variables hold the input.
    entered: FxHashMap<(u32, bool), Vec<Entered>>,
}

impl Search<'_> {
    fn classes(&self) -> Classes {
        let mut starts: Vec<i128> = vec![self.low];
        starts.extend(self.cuts.iter().copied().filter(|cut| (self.low + 1..=self.high).contains(cut)));
        let mut values = Vec::new();
        for (index, &start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).map_or(self.high, |next| next - 1);
            for value in (start..=end).take(self.modulus as usize) {
                values.push(value as i64);
                if values.len() > MOST {
                    return Classes { values: values.into(), exact: false, lost: self.lost };
                }
            }
        }
        Classes { values: values.into(), exact: self.known, lost: self.lost }
    }

    /// Follows the copies from a step on, in a call with an unknown caller.
    fn from(&mut self, code: u32, pc: u32, state: State, depth: u32) {
        let all = state.set.clone();
        let exit = self.walk(code, pc, state, depth, false);
        let Some(value @ (AbstractValue::Copy(_) | AbstractValue::Mixed)) = exit.value else { return };
        // The return value of `main` has no reader in the program.
        if code == self.whole.main {
            return;
        }
        let object = (0..self.whole.statics.len() as u32)
            .find(|&index| self.whole.statics[index as usize].kind.code() == Some(code));
        match object.map(|index| index + 1) {
            Some(object) if !self.whole.taken.contains(&object) && depth < DEPTH => {
                let calls = self.whole.calls.get(&object).cloned().unwrap_or_default();
                for (caller, at) in calls {
                    if let Some(Op::Call { dst: Some(dst), .. }) = self.op(caller, at) {
                        let regs = BTreeMap::from([(*dst, value.clone())]);
                        self.from(caller, at + 1, State { set: exit.set.clone(), regs }, depth + 1);
                    }
                }
            }
            _ => self.each(&all),
        }
    }

    fn op(&self, code: u32, pc: u32) -> Option<&Op> {
        self.whole.codes[code as usize].ops.get(pc as usize)
    }

    /// An unsupported use of a copy: every value is a class of its own.
    fn each(&mut self, set: &Set) {
        if count(set) > FEW {
            self.known = false;
            self.lost.get_or_insert(self.at);
            return;
        }
        for &(low, high) in set {
            self.cuts.extend(low..=high + 1);
        }
    }

    /// A condition that is true exactly for the inputs in the set.
    fn decide(&mut self, set: &Set) {
        for &(low, high) in set {
            self.cuts.extend([low, high + 1]);
        }
    }

    /// A remainder by `modulus` of a copy with these intervals.
    fn residues(&mut self, modulus: i128, pieces: &[(i128, i128, i128)]) {
        let (mut a, mut b) = (self.modulus, modulus);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        self.modulus *= modulus / a;
        if self.modulus > FEW {
            self.modulus = 1;
            self.known = false;
            self.lost.get_or_insert(self.at);
        }
        // Remainders of negative dividends are negative (6.5.5p6).
        self.cuts.extend(pieces.iter().flat_map(|&(low, _, shift)| [low, -shift]));
    }

    /// Follows the copies within a function, from a step on.
    fn walk(&mut self, code: u32, pc: u32, state: State, depth: u32, called: bool) -> Exit {
        let body = &self.whole.codes[code as usize];
        let mut exit = Exit { set: Set::new(), value: None, met: false };
        let mut states: BTreeMap<u32, State> = BTreeMap::new();
        let mut work = Vec::new();
        arrive(body, &mut states, &mut work, pc, state);
        while let Some(pc) = work.pop() {
            if self.steps == 0 {
                self.known = false;
                break;
            }
            self.steps -= 1;
            let (Some(state), Some(op)) = (states.get(&pc).cloned(), body.ops.get(pc as usize)) else {
                continue;
            };
            // A call needs the values of the input on return even if no register holds a copy.
            if !called && !state.regs.values().any(|what| !matches!(what, AbstractValue::Test(_))) {
                continue;
            }
            for (to, next) in self.step((code, pc), op, state, depth, &mut exit) {
                arrive(body, &mut states, &mut work, to, next);
            }
        }
        exit
    }

    /// The transfer function: the successors with their abstract states.
    fn step(
        &mut self,
        (code, pc): (u32, u32),
        op: &Op,
        mut state: State,
        depth: u32,
        exit: &mut Exit,
    ) -> Vec<(u32, State)> {
        self.at = (code, pc);
        let body = &self.whole.codes[code as usize];
        let held: BTreeMap<Reg, AbstractValue> =
            state.regs.range(VARIABLES..).map(|(reg, what)| (*reg, what.clone())).collect();
        let what = |arg: &Arg| match arg {
            Arg::Reg(reg) => state.regs.get(reg).cloned(),
            Arg::Int(_) | Arg::Static(..) => None,
        };
        let mut result = None;
        match op {
            Op::Move { src, .. } => {
                result = match src {
                    Arg::Int(0) => Some(AbstractValue::Test(Set::new())),
                    Arg::Int(1) => Some(AbstractValue::Test(state.set.clone())),
                    other => what(other),
                };
            }
            Op::Unary { op: Unary::LogNot, a, scalar, .. } => {
                result = self
                    .truth(what(a), *scalar, &state.set)
                    .map(|yes| AbstractValue::Test(without(&vec![(self.low, self.high)], &yes)));
            }
            Op::Binary { op, a, b, scalar, .. } => {
                result = self.binary(*op, (what(a), a), (what(b), b), *scalar, &state.set);
            }
            Op::Convert { a, from, to, .. } => {
                result = self.conversion(what(a), *from, *to, &state.set);
            }
            Op::Branch { cond, scalar, yes, no } => {
                let Some(set) = self.truth(what(cond), *scalar, &state.set) else {
                    return [*yes, *no].map(|to| (to, state.clone())).into();
                };
                let no_set = without(&state.set, &set);
                let yes_set = meet(&state.set, &set);
                let regs = state.regs;
                return vec![
                    (*yes, State { set: yes_set, regs: regs.clone() }),
                    (*no, State { set: no_set, regs }),
                ];
            }
            Op::Switch { value, signed, cases, default } => {
                return self.switch(what(value), *signed, cases, *default, state);
            }
            Op::Call { callee, args, into, .. } => {
                let given: Vec<Option<AbstractValue>> = args.iter().map(what).collect();
                if [Some(callee), into.as_ref()].into_iter().flatten().any(|arg| carries(&what(arg))) {
                    self.each(&state.set);
                }
                result = self.call(*callee, given, &held, &mut state, depth);
            }
            Op::Return { value } => {
                let value = value.as_ref().and_then(what);
                exit.value = match exit.met {
                    true => join(exit.value.take(), &exit.set, value, &state.set),
                    false => value,
                };
                exit.met = true;
                exit.set = union(&exit.set, &state.set);
                return Vec::new();
            }
            Op::Load { addr: Arg::Static(object, 0), .. } => {
                result = held.get(&(VARIABLES | object)).cloned()
            }
            Op::Store { addr, value, mem }
                if depth < DEPTH && self.whole.places.access((code, pc)).is_some() =>
            {
                if carries(&what(value)) && self.is_observed((code, pc)) {
                    self.each(&state.set);
                }
                self.store((code, pc), *addr, (what(value), mem.scalar), &mut state, depth);
            }
            // These functions have no successor, and the exit status has no reader.
            Op::Lib { lib, .. } if matches!(lib.operation(), Operation::EndProgram | Operation::Fail) => {
                return Vec::new();
            }
            Op::Lib { lib, args, dst } => {
                let given: Vec<Option<AbstractValue>> = args.iter().map(what).collect();
                let is_unused = !crate::analysis::liveness::is_live(body, pc + 1, *dst);
                self.library(*lib, (args, given), is_unused, held, &mut state, depth);
            }
            Op::Stuck(_) => return Vec::new(),
            other => {
                let mut used = false;
                other.reads(|reg| used |= carries(&state.regs.get(&reg).cloned()));
                if used {
                    self.each(&state.set);
                }
            }
        }
        for reg in op.writes().into_iter().flatten() {
            state.regs.remove(&reg);
        }
        if let ([Some(dst), None], Some(what)) = (op.writes(), result) {
            state.regs.insert(dst, what);
        }
        let mut next = Vec::new();
        op.successors(pc, |to| next.push((to, state.clone())));
        next
    }

    /// The inputs for which a register is nonzero, if known.
    fn truth(&mut self, what: Option<AbstractValue>, scalar: Scalar, set: &Set) -> Option<Set> {
        match what? {
            AbstractValue::Test(yes) => Some(yes),
            AbstractValue::Copy(pieces) => match condition(&pieces, Binary::Ne, 0, scalar) {
                Some(yes) => {
                    self.decide(&yes);
                    Some(yes)
                }
                None => {
                    self.each(set);
                    None
                }
            },
            AbstractValue::Mixed => {
                self.each(set);
                None
            }
        }
    }

    /// A binary operator on a copy and a constant.
    fn with_constant(
        &mut self,
        pieces: &[(i128, i128, i128)],
        op: Binary,
        constant: u64,
        scalar: Scalar,
        set: &Set,
    ) -> Option<AbstractValue> {
        if let Some(yes) = condition(pieces, op, constant, scalar) {
            self.decide(&yes);
            return Some(AbstractValue::Test(yes));
        }
        let integral = matches!(scalar.class, Class::Signed | Class::Unsigned);
        if let Some(copy) = moved(pieces, op, constant, scalar, set).filter(|_| integral) {
            return Some(copy);
        }
        match (op, constant) {
            (Binary::Rem, 1..=64) if integral => self.residues(constant.into(), pieces),
            (Binary::And, 0..=127) if integral => {
                self.residues((constant + 1).next_power_of_two().into(), pieces);
            }
            _ => self.each(set),
        }
        None
    }

    /// A conversion of a copy to another type, if the result is still a copy.
    fn converted(&mut self, pieces: &[(i128, i128, i128)], to: Scalar, set: &Set) -> Option<AbstractValue> {
        let wrap = 1i128 << to.bits().min(64);
        let least = if to.class == Class::Signed { -(wrap / 2) } else { 0 };
        let mut made = Vec::new();
        for &(low, high, shift) in pieces {
            let (first, last) =
                ((low + shift - least).div_euclid(wrap), (high + shift - least).div_euclid(wrap));
            if last - first > 2 || to.class == Class::Bool || to.class == Class::Float {
                self.each(set);
                return None;
            }
            for round in first..=last {
                let begin = least + round * wrap - shift;
                made.push((low.max(begin), high.min(begin + wrap - 1), shift - round * wrap));
            }
        }
        Some(AbstractValue::Copy(made))
    }

    /// A thread is created while variables hold the input.
    fn thread(&mut self, start: Option<u32>, set: &Set, held: BTreeMap<Reg, AbstractValue>, depth: u32) {
        let Some(code) = start.filter(|_| depth < DEPTH) else {
            self.escaped = true;
            return;
        };
        let begun = self.entered.entry((code, false)).or_default();
        let covers = |(known, ..): &Entered| known.regs == held && without(set, &known.set).is_empty();
        if !begun.iter().any(covers) {
            let state = State { set: set.clone(), regs: held };
            begun.push((state.clone(), Set::new(), None));
            self.from(code, 0, state, depth + 1);
        }
    }

    /// Whether a step stores into a variable that is observed.
    fn is_observed(&self, place: (u32, u32)) -> bool {
        match self.whole.places.access(place) {
            Some((Object::Static(object), _)) => self.observed.contains(&object),
            Some((Object::Slot(..), _)) => false,
            // Its number as an object depends on the thread.
            Some((Object::Thread(_), _)) | None => !self.observed.is_empty(),
        }
    }

    /// A step stores a copy in a variable that is only accessed by name.
    fn stored(&mut self, place: (u32, u32), copy: AbstractValue, set: &Set, depth: u32) {
        let Some((object, store)) = self.whole.places.access(place) else { return self.each(set) };
        let before = self.stored.entry((object, store.range)).or_default();
        let covers = |(what, known): &(AbstractValue, Set)| *what == copy && without(set, known).is_empty();
        if before.iter().any(covers) {
            return;
        }
        before.push((copy.clone(), set.clone()));
        let others: Vec<Access> = self.whole.places.accesses(object).to_vec();
        for other in others {
            match (store.meet(&other), other.kind) {
                (Meet::Never, _) | (Meet::Same, AccessKind::Store | AccessKind::Clear) => {}
                (Meet::Same, AccessKind::Load) => {
                    let (code, pc) = other.place;
                    if let Some(Op::Load { dst, .. }) = self.op(code, pc) {
                        let regs = BTreeMap::from([(*dst, copy.clone())]);
                        self.from(code, pc + 1, State { set: set.clone(), regs }, depth + 1);
                    }
                }
                (Meet::Partly, _) | (Meet::Same, AccessKind::Other) => {
                    self.at = other.place;
                    self.each(set);
                }
            }
        }
    }
}

/// The sum of a copy and a constant, if it cannot overflow for the possible inputs.
fn moved(
    pieces: &[(i128, i128, i128)],
    op: Binary,
    constant: u64,
    scalar: Scalar,
    set: &Set,
) -> Option<AbstractValue> {
    let (first, last) = (set.first()?.0, set.last()?.1);
    let by: i128 = if scalar.is_signed() { (constant as i64).into() } else { constant.into() };
    let by = match op {
        Binary::Add => by,
        Binary::Sub => -by,
        _ => return None,
    };
    let most = (1i128 << (scalar.bits() - u32::from(scalar.is_signed()))) - 1;
    let least = if scalar.is_signed() { -most - 1 } else { 0 };
    let fits = |&(low, high, shift): &(i128, i128, i128)| {
        low + shift >= least && high + shift <= most && low + shift + by >= least && high + shift + by <= most
    };
    let here = pieces.iter().map(|&(low, high, shift)| (low.max(first), high.min(last), shift));
    let here: Vec<_> = here.filter(|(low, high, _)| low <= high).collect();
    here.iter().all(fits).then(|| {
        AbstractValue::Copy(here.iter().map(|&(low, high, shift)| (low, high, shift + by)).collect())
    })
}

/// Whether the value of a register may differ within a class.
fn carries(what: &Option<AbstractValue>) -> bool {
    matches!(what, Some(AbstractValue::Copy(_) | AbstractValue::Mixed))
}

/// Propagates a state to a step.
fn arrive(body: &Code, states: &mut BTreeMap<u32, State>, work: &mut Vec<u32>, pc: u32, mut state: State) {
    if state.set.is_empty() {
        return;
    }
    state.regs.retain(|reg, _| *reg >= VARIABLES || crate::analysis::liveness::is_live(body, pc, *reg));
    let known = match states.remove(&pc) {
        None => {
            states.insert(pc, state);
            work.push(pc);
            return;
        }
        Some(known) => known,
    };
    let mut regs = BTreeMap::new();
    for &reg in known.regs.keys().chain(state.regs.keys()) {
        let both = join(known.regs.get(&reg).cloned(), &known.set, state.regs.get(&reg).cloned(), &state.set);
        if let Some(what) = both {
            regs.insert(reg, what);
        }
    }
    let joined = State { set: union(&known.set, &state.set), regs };
    if joined != known {
        work.push(pc);
    }
    states.insert(pc, joined);
}

/// The abstract value at a join of two paths.
fn join(a: Option<AbstractValue>, at_a: &Set, b: Option<AbstractValue>, at_b: &Set) -> Option<AbstractValue> {
    match (a, b) {
        (a, b) if a == b => a,
        (Some(AbstractValue::Test(p)), Some(AbstractValue::Test(q))) => {
            // Inputs that are possible on both paths must have the same value.
            let both = meet(at_a, at_b);
            (meet(&p, &both) == meet(&q, &both))
                .then(|| AbstractValue::Test(union(&meet(&p, at_a), &meet(&q, at_b))))
        }
        (None | Some(AbstractValue::Test(_)), None | Some(AbstractValue::Test(_))) => None,
        _ => Some(AbstractValue::Mixed),
    }
}

/// The comparison operator for exchanged operands.
fn mirrored(op: Binary) -> Option<Binary> {
    Some(match op {
        Binary::Lt => Binary::Gt,
        Binary::Gt => Binary::Lt,
        Binary::Le => Binary::Ge,
        Binary::Ge => Binary::Le,
        Binary::Eq | Binary::Ne | Binary::And | Binary::Add => op,
        _ => return None,
    })
}

/// The inputs for which the comparison of a copy with a constant is true.
fn condition(pieces: &[(i128, i128, i128)], op: Binary, constant: u64, scalar: Scalar) -> Option<Set> {
    let (c, least, most): (i128, i128, i128) = match scalar.class {
        Class::Signed => ((constant as i64).into(), i64::MIN.into(), i64::MAX.into()),
        Class::Bool | Class::Unsigned | Class::Pointer => (constant.into(), 0, u64::MAX.into()),
        Class::Float => return None,
    };
    let mut set = Set::new();
    for &(low, high, shift) in pieces {
        let (a, b) = (low + shift, high + shift);
        if a < least || b > most {
            return None;
        }
        let ranges = match op {
            Binary::Lt => vec![(a, c - 1)],
            Binary::Le => vec![(a, c)],
            Binary::Gt => vec![(c + 1, b)],
            Binary::Ge => vec![(c, b)],
            Binary::Eq => vec![(c, c)],
            Binary::Ne => vec![(a, c - 1), (c + 1, b)],
            _ => return None,
        };
        for (from, to) in ranges {
            let (from, to) = (from.max(a), to.min(b));
            if from <= to {
                set = union(&set, &vec![(from - shift, to - shift)]);
            }
        }
    }
    Some(set)
}

/// Whether `printf` with this format only prints its numeric arguments.
pub fn only_shows(format: &[u8]) -> bool {
    conversions(format).all(|letter| !matches!(letter, Some(b'*' | b'n' | b's')))
}

/// Whether `printf` with this format only prints its arguments: it stores no length and takes none.
pub fn shows_values(format: &[u8]) -> bool {
    conversions(format).all(|letter| !matches!(letter, Some(b'*' | b'n')))
}

/// The letter of each conversion of a format; `*` where a width or precision is an argument.
fn conversions(format: &[u8]) -> impl Iterator<Item = Option<u8>> {
    format.split(|&byte| byte == b'%').skip(1).map(|part| match part.contains(&b'*') {
        true => Some(b'*'),
        false => part.iter().copied().find(|byte| byte.is_ascii_alphabetic() && !b"hljztLq".contains(byte)),
    })
}
