//! Small concurrent programs in two languages: in C with threads, locks, atomic operations and
//! pointers, and in Promela with one statement per access. Both have the same possible results,
//! although the checkers share no front end, semantics or merging of steps.
//!
//! Every execution ends in exactly one of the assertions [`CLASSES`], selected by the values of the
//! shared variables, or in a deadlock. The failing assertions are therefore the possible values.
//!
//! *Entry point:* [`program`]; [`Program::c`] and [`Program::promela`] are the texts,
//! [`Program::smaller`] returns shrunk programs.

use std::fmt::Write;

use crate::Random;

/// Number of shared variables.
const SHARED: usize = 3;

/// Number of final assertions: the sum of the shared variables modulo this number selects the
/// failing one.
pub const CLASSES: usize = 11;

/// A step of a thread. `r0` and `r1` are thread-local variables, `p` points to a shared variable.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    /// `r = x[..]`.
    Load(usize, Place),
    /// `x[..] = value`.
    Store(Place, Value),
    /// `r = x[..]` and `x[..] += n`, atomically.
    Add(usize, Place, usize),
    /// `r = x[..]` and `x[..] = value`, atomically.
    Exchange(usize, Place, Value),
    /// Compare-and-exchange of `x[..]` from the first to the second value; `r` is the success.
    Compare(usize, Place, usize, usize),
    /// `r = value`.
    Own(usize, Value),
    /// `p = &x[value % SHARED]`.
    Point(Value),
    /// Steps in a critical section of this lock.
    Locked(usize, Vec<Step>),
    /// The same with `trylock`: skipped if the lock is held.
    Tried(usize, Vec<Step>),
    /// A branch on `r == n`.
    If(usize, usize, Vec<Step>, Vec<Step>),
    /// A loop with this number of iterations.
    Repeat(usize, Vec<Step>),
}

/// A shared variable: by number, or through `p`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Direct(usize),
    Pointed,
}

/// A small constant, or `r + 1`, at most 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Constant(usize),
    Own(usize),
}

/// The storage of the shared variables of the C program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    Static,
    Heap,
    Member,
    OfMain,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    threads: Vec<Vec<Step>>,
    home: Home,
    /// Non-atomic accesses: races are not compared.
    plain: bool,
    /// Non-atomic accesses, each protected by the first lock.
    guarded: bool,
}

/// The program with number `index` of `seed`.
pub fn program(seed: u64, index: u64) -> Program {
    let mut random = Random::of(seed ^ 0xc0de, index);
    let threads = 2 + usize::from(random.one_in(3));
    let budget = if threads == 2 { 9 } else { 6 };
    let threads = (0..threads)
        .map(|_| {
            let mut left = 2 + random.below(budget);
            steps(&mut random, &mut left, &mut Vec::new())
        })
        .collect();
    let home = random.pick(&[Home::Static, Home::Static, Home::Heap, Home::Member, Home::OfMain]);
    let plain = random.one_in(3);
    let guarded = plain && random.one_in(2);
    let mut program = Program { threads, home, plain, guarded };
    if guarded {
        // Sometimes one thread omits the lock, which causes a race; the other results are then not
        // compared.
        let forgetful = if random.one_in(4) { Some(random.below(program.threads.len())) } else { None };
        for (number, steps) in program.threads.iter_mut().enumerate() {
            if forgetful != Some(number) {
                guard(steps, false);
            }
        }
        program.guarded = forgetful.is_none();
    }
    program
}

/// Protects each access to a shared variable by the first lock.
fn guard(steps: &mut [Step], held: bool) {
    for step in steps {
        match step {
            Step::Load(..) | Step::Store(..) | Step::Add(..) | Step::Exchange(..) | Step::Compare(..) => {
                if !held {
                    *step = Step::Locked(0, vec![step.clone()]);
                }
            }
            Step::Own(..) | Step::Point(_) => {}
            Step::Locked(lock, inside) | Step::Tried(lock, inside) => guard(inside, held || *lock == 0),
            Step::If(_, _, yes, no) => {
                guard(yes, held);
                guard(no, held);
            }
            Step::Repeat(_, inside) => guard(inside, held),
        }
    }
}

fn steps(random: &mut Random, left: &mut usize, held: &mut Vec<usize>) -> Vec<Step> {
    let mut list = Vec::new();
    let count = 1 + random.below(4);
    while *left > 0 && (list.len() < count || held.is_empty()) {
        *left -= 1;
        list.push(step(random, left, held));
    }
    list
}

fn step(random: &mut Random, left: &mut usize, held: &mut Vec<usize>) -> Step {
    let own = random.below(2);
    let place = if random.one_in(3) { Place::Pointed } else { Place::Direct(random.below(SHARED)) };
    // Two locks acquired in different orders cause deadlocks.
    let kind = if held.len() == 1 && random.one_in(3) { 9 } else { random.below(14) };
    match kind {
        0 | 1 => Step::Load(own, place),
        2 | 3 => Step::Store(place, value(random)),
        4 => Step::Add(own, place, 1 + random.below(2)),
        5 => Step::Exchange(own, place, value(random)),
        6 => Step::Compare(own, place, random.below(2), random.below(4)),
        7 => Step::Own(own, value(random)),
        8 => Step::Point(value(random)),
        kind @ 9..=11 if held.len() < 2 => {
            // A thread does not lock a mutex that it holds: that is an error other than a deadlock.
            let lock = if held.is_empty() { random.below(2) } else { 1 - held[0] };
            held.push(lock);
            let inside = steps(random, left, held);
            held.pop();
            if kind == 11 { Step::Tried(lock, inside) } else { Step::Locked(lock, inside) }
        }
        12 => {
            let (yes, no) = (steps(random, left, held), steps(random, left, held));
            Step::If(own, random.below(3), yes, no)
        }
        13 => Step::Repeat(2, steps(random, left, held)),
        _ => Step::Load(own, place),
    }
}

fn value(random: &mut Random) -> Value {
    if random.one_in(2) { Value::Constant(random.below(4)) } else { Value::Own(random.below(2)) }
}

/// A text under construction.
struct Text {
    out: String,
    depth: usize,
    loops: usize,
}

impl Text {
    fn new() -> Text {
        Text { out: String::new(), depth: 0, loops: 0 }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(self.depth));
    }
}

impl Value {
    fn c(self) -> String {
        match self {
            Value::Constant(number) => number.to_string(),
            Value::Own(own) => format!("(r{own} < 3 ? r{own} + 1 : 3)"),
        }
    }

    fn promela(self) -> String {
        match self {
            Value::Constant(number) => number.to_string(),
            Value::Own(own) => format!("(r{own} < 3 -> r{own} + 1 : 3)"),
        }
    }
}

impl Place {
    fn address(self, home: Home) -> String {
        match (self, home) {
            (Place::Pointed, _) => "p".to_string(),
            (Place::Direct(number), Home::Member) => format!("&all.x[{number}]"),
            (Place::Direct(number), Home::Static | Home::Heap | Home::OfMain) => format!("&x[{number}]"),
        }
    }

    fn promela(self) -> String {
        match self {
            Place::Pointed => "x[p]".to_string(),
            Place::Direct(number) => format!("x[{number}]"),
        }
    }
}

impl Program {
    /// Whether threads have unordered conflicting accesses.
    pub fn races(&self) -> bool {
        self.plain && !self.guarded
    }

    /// The program in C.
    pub fn c(&self) -> String {
        let ty = if self.plain { "int" } else { "_Atomic int" };
        let mut text = Text::new();
        for name in ["assert", "pthread", "stdatomic", "stdlib"] {
            text.line(&format!("#include <{name}.h>"));
        }
        text.line("pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;");
        match self.home {
            Home::Static => text.line(&format!("{ty} x[{SHARED}];")),
            Home::Heap | Home::OfMain => text.line(&format!("{ty} *x;")),
            Home::Member => text.line(&format!("struct {{ char before; {ty} x[{SHARED}]; }} all;")),
        }
        for (number, steps) in self.threads.iter().enumerate() {
            text.line(&format!("void *thread{number}(void *argument) {{"));
            text.depth += 1;
            text.line(&format!("{ty} *p = {}; int r0 = 0, r1 = 0;", Place::Direct(0).address(self.home)));
            text.line("(void)p; (void)r0; (void)r1;");
            self.c_steps(steps, &mut text);
            text.line("return argument;");
            text.depth -= 1;
            text.line("}");
        }
        text.line("int main(void) {");
        text.depth += 1;
        match self.home {
            Home::Static | Home::Member => {}
            Home::Heap => {
                text.line(&format!("x = malloc({SHARED} * sizeof *x);"));
                (0..SHARED).for_each(|number| text.line(&format!("x[{number}] = 0;")));
            }
            Home::OfMain => {
                text.line(&format!("{ty} here[{SHARED}] = {{ 0 }};"));
                text.line("x = here;");
            }
        }
        let all = 0..self.threads.len();
        text.line(&format!("pthread_t t[{}];", self.threads.len()));
        all.clone()
            .for_each(|number| text.line(&format!("pthread_create(&t[{number}], 0, thread{number}, 0);")));
        all.for_each(|number| text.line(&format!("pthread_join(t[{number}], 0);")));
        let (base, last) = match self.home {
            Home::Member => ("all.x", ""),
            Home::Heap => ("x", "free(x); "),
            Home::Static | Home::OfMain => ("x", ""),
        };
        text.line(&format!("int sum = ({base}[0] + 4 * {base}[1] + 16 * {base}[2]) % {CLASSES};"));
        (0..CLASSES).for_each(|class| text.line(&format!("assert(sum != {class});")));
        text.line(&format!("{last}return 0;"));
        text.depth -= 1;
        text.line("}");
        text.out
    }

    fn c_steps(&self, steps: &[Step], text: &mut Text) {
        text.depth += 1;
        for step in steps {
            self.c_step(step, text);
        }
        text.depth -= 1;
    }

    fn c_step(&self, step: &Step, text: &mut Text) {
        let at = |place: &Place| place.address(self.home);
        match step {
            Step::Load(own, place) if self.plain => text.line(&format!("r{own} = *({});", at(place))),
            Step::Load(own, place) => text.line(&format!("r{own} = atomic_load({});", at(place))),
            Step::Store(place, value) if self.plain => {
                text.line(&format!("*({}) = {};", at(place), value.c()))
            }
            Step::Store(place, value) => text.line(&format!("atomic_store({}, {});", at(place), value.c())),
            Step::Add(own, place, by) if self.plain => {
                text.line(&format!("r{own} = __sync_fetch_and_add({}, {by});", at(place)))
            }
            Step::Add(own, place, by) => {
                text.line(&format!("r{own} = atomic_fetch_add({}, {by});", at(place)))
            }
            Step::Exchange(own, place, value) if self.plain => text.line(&format!(
                "r{own} = __atomic_exchange_n({}, {}, __ATOMIC_SEQ_CST);",
                at(place),
                value.c()
            )),
            Step::Exchange(own, place, value) => {
                text.line(&format!("r{own} = atomic_exchange({}, {});", at(place), value.c()))
            }
            Step::Compare(own, place, old, new) if self.plain => {
                text.line(&format!("r{own} = __sync_bool_compare_and_swap({}, {old}, {new});", at(place)))
            }
            Step::Compare(own, place, old, new) => {
                let (address, expected) = (at(place), format!("int e = {old};"));
                text.line(&format!(
                    "{{ {expected} r{own} = atomic_compare_exchange_strong({address}, &e, {new}); }}"
                ))
            }
            Step::Own(own, value) => text.line(&format!("r{own} = {};", value.c())),
            Step::Point(value) => {
                let first = Place::Direct(0).address(self.home);
                text.line(&format!("p = {first} + {} % {SHARED};", value.c()))
            }
            Step::Locked(lock, inside) => {
                text.line(&format!("pthread_mutex_lock(&m{lock});"));
                self.c_steps(inside, text);
                text.line(&format!("pthread_mutex_unlock(&m{lock});"));
            }
            Step::Tried(lock, inside) => {
                text.line(&format!("if (pthread_mutex_trylock(&m{lock}) == 0) {{"));
                self.c_steps(inside, text);
                text.line(&format!("  pthread_mutex_unlock(&m{lock});"));
                text.line("}");
            }
            Step::If(own, value, yes, no) => {
                text.line(&format!("if (r{own} == {value}) {{"));
                self.c_steps(yes, text);
                text.line("} else {");
                self.c_steps(no, text);
                text.line("}");
            }
            Step::Repeat(times, inside) => {
                let counter = text.loops;
                text.loops += 1;
                text.line(&format!("for (int i{counter} = 0; i{counter} < {times}; i{counter}++) {{"));
                self.c_steps(inside, text);
                text.line("}");
            }
        }
    }

    /// The program in Promela.
    pub fn promela(&self) -> String {
        let mut text = Text::new();
        text.line(&format!("int x[{SHARED}]; bool m0, m1; byte done, sum;"));
        for (number, steps) in self.threads.iter().enumerate() {
            text.line(&format!("proctype thread{number}() {{"));
            text.depth += 1;
            text.line("int r0, r1; byte p;");
            let mut inside = Text { loops: text.loops, depth: text.depth, out: String::new() };
            promela_steps(steps, &mut inside);
            (text.loops..inside.loops).for_each(|counter| text.line(&format!("byte i{counter};")));
            text.loops = inside.loops;
            text.out += &inside.out;
            text.line("done++");
            text.depth -= 1;
            text.line("}");
        }
        text.line("init {");
        text.depth += 1;
        let all: Vec<String> =
            (0..self.threads.len()).map(|number| format!("run thread{number}()")).collect();
        text.line(&format!("atomic {{ {} }};", all.join("; ")));
        text.line(&format!("done == {};", self.threads.len()));
        text.line(&format!("sum = (x[0] + 4 * x[1] + 16 * x[2]) % {CLASSES};"));
        (0..CLASSES).for_each(|class| text.line(&format!("assert(sum != {class});")));
        text.line("skip");
        text.depth -= 1;
        text.line("}");
        text.out
    }

    /// All programs with one step or thread removed.
    pub fn smaller(&self) -> Vec<Program> {
        let mut all = Vec::new();
        for number in 0..self.threads.len() {
            if self.threads.len() > 1 {
                let mut less = self.clone();
                less.threads.remove(number);
                all.push(less);
            }
            all.extend(smaller(&self.threads[number]).into_iter().map(|steps| {
                let mut less = self.clone();
                less.threads[number] = steps;
                less
            }));
        }
        if self.home != Home::Static {
            all.push(Program { home: Home::Static, ..self.clone() });
        }
        all
    }
}

/// All step lists with one reduction applied.
fn smaller(steps: &[Step]) -> Vec<Vec<Step>> {
    let mut all = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let with = |instead: Vec<Step>| [&steps[..index], &instead, &steps[index + 1..]].concat();
        all.push(with(Vec::new()));
        match step {
            Step::Locked(lock, inside) => {
                all.push(with(inside.clone()));
                all.extend(smaller(inside).into_iter().map(|less| with(vec![Step::Locked(*lock, less)])));
            }
            Step::Tried(lock, inside) => {
                all.push(with(inside.clone()));
                all.extend(smaller(inside).into_iter().map(|less| with(vec![Step::Tried(*lock, less)])));
            }
            Step::Repeat(times, inside) => {
                all.push(with(inside.clone()));
                all.extend(smaller(inside).into_iter().map(|less| with(vec![Step::Repeat(*times, less)])));
            }
            Step::If(own, value, yes, no) => {
                all.extend([with(yes.clone()), with(no.clone())]);
                let one = |yes: Vec<Step>, no: Vec<Step>| with(vec![Step::If(*own, *value, yes, no)]);
                all.extend(smaller(yes).into_iter().map(|less| one(less, no.clone())));
                all.extend(smaller(no).into_iter().map(|less| one(yes.clone(), less)));
            }
            Step::Load(..)
            | Step::Store(..)
            | Step::Add(..)
            | Step::Exchange(..)
            | Step::Compare(..)
            | Step::Own(..)
            | Step::Point(_) => {}
        }
    }
    all
}

fn promela_steps(steps: &[Step], text: &mut Text) {
    text.depth += 1;
    for step in steps {
        promela_step(step, text);
    }
    text.depth -= 1;
}

fn promela_step(step: &Step, text: &mut Text) {
    match step {
        Step::Load(own, place) => text.line(&format!("r{own} = {};", place.promela())),
        Step::Store(place, value) => text.line(&format!("{} = {};", place.promela(), value.promela())),
        Step::Add(own, place, by) => {
            let x = place.promela();
            text.line(&format!("d_step {{ r{own} = {x}; {x} = {x} + {by} }};"))
        }
        Step::Exchange(own, place, value) => {
            let (x, new) = (place.promela(), value.promela());
            // The new value is computed before the old value is read.
            text.line(&format!("d_step {{ sum = {new}; r{own} = {x}; {x} = sum; sum = 0 }};"))
        }
        Step::Compare(own, place, old, new) => {
            let x = place.promela();
            text.line(&format!(
                "d_step {{ if :: {x} == {old} -> {x} = {new}; r{own} = 1 :: else -> r{own} = 0 fi }};"
            ))
        }
        Step::Own(own, value) => text.line(&format!("r{own} = {};", value.promela())),
        Step::Point(value) => text.line(&format!("p = {} % {SHARED};", value.promela())),
        Step::Locked(lock, inside) => {
            text.line(&format!("d_step {{ !m{lock} -> m{lock} = true }};"));
            promela_steps(inside, text);
            text.line(&format!("m{lock} = false;"));
        }
        Step::Tried(lock, inside) => {
            text.line(&format!("if :: d_step {{ !m{lock} -> m{lock} = true }};"));
            promela_steps(inside, text);
            text.line(&format!("  m{lock} = false"));
            text.line(&format!(":: m{lock} fi;"));
        }
        Step::If(own, value, yes, no) => {
            text.line(&format!("if :: r{own} == {value} ->"));
            promela_steps(yes, text);
            text.line("  skip");
            text.line(":: else ->");
            promela_steps(no, text);
            text.line("  skip");
            text.line("fi;");
        }
        Step::Repeat(times, inside) => {
            let counter = text.loops;
            text.loops += 1;
            text.line(&format!("i{counter} = 0; do :: i{counter} < {times} ->"));
            promela_steps(inside, text);
            text.line(&format!("  i{counter}++"));
            text.line(&format!(":: i{counter} == {times} -> break od;"));
        }
    }
}
