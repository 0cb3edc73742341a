//! Which variables are always accessed with a lock held, and where the program has one thread.
//! Accesses to such variables commute with the steps of other threads, so a statement with several of
//! them is one step of C, too.
//!
//! *Entry point:* [`Guards::of`].
//! *Source:* Savage, Burrows, Nelson, Sobalvarro and Anderson, "Eraser", ACM TOCS 1997 (locksets);
//! Lipton, "Reduction", CACM 1975 (statements whose accesses are both-movers are atomic).
//! *Invariant:* the lockset of a place holds on every path to it: sets only shrink where paths meet,
//! and constructs without analysis (jumps, calls that release locks, pointers) empty them.

mod joins;

pub(crate) use joins::START as STARTS_THREAD;

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_source::{Loc, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::canonical;
use crate::item::marks_within;
use crate::lookup::tested;
use crate::objects::Objects;
use crate::read::Unit;
use crate::syntax::{Expr, Function, Kind, Stmt, StmtKind};
use crate::table::Table;

/// Calls that take a lock, and whether for writing; that try to; that release one.
const TAKE: &[(&str, bool)] = &[
    ("pthread_mutex_lock", true),
    ("pthread_spin_lock", true),
    ("pthread_rwlock_wrlock", true),
    ("pthread_rwlock_rdlock", false),
];
const TRY: &[(&str, bool)] = &[
    ("pthread_mutex_trylock", true),
    ("pthread_spin_trylock", true),
    ("pthread_rwlock_trywrlock", true),
    ("pthread_rwlock_tryrdlock", false),
];
const RELEASE: &[&str] = &["pthread_mutex_unlock", "pthread_spin_unlock", "pthread_rwlock_unlock"];

/// The locks that are held, each with whether for writing.
type Held = BTreeSet<(String, bool)>;

/// The variables that locks guard, by their names in the model, and the places where the program has
/// one thread.
#[derive(Default)]
pub(crate) struct Guards {
    guarded: FxHashSet<String>,
    sequential: Vec<Span>,
    /// Whether `main` joins every thread that the program starts.
    pub joins_all: bool,
    /// Whether it starts threads.
    pub has_threads: bool,
}

impl Guards {
    /// The guards of a program whose functions follow a table.
    pub fn of(unit: &Unit, table: &Table) -> Guards {
        let phases = joins::phases(unit);
        let mut found = Accesses::default();
        let nowhere = program_start(unit);
        for function in unit.functions.iter().chain(&nowhere) {
            let objects = Objects::new(unit, function, table);
            let jumps = jumps(&function.body) || depth(&function.body) > DEEPEST;
            let mut walk = Walk {
                unit,
                function,
                objects: &objects,
                found: &mut found,
                sequential: &phases.sequential,
                jumps,
                recording: true,
                breaks: Vec::new(),
                continues: Vec::new(),
            };
            walk.list(&function.body, Some(Held::new()));
        }
        let Accesses { guards, mut exposed } = found;
        // An object that the table names may be accessed by another name, too.
        for one in &table.objects {
            let Kind::Member(_, _, member) = &one.from.kind else { continue };
            let (end, unknown) = (format!(".{member}"), format!("->{member}"));
            if exposed.contains(&unknown) || guards.keys().any(|name| name.ends_with(&end) && *name != one.to)
            {
                exposed.insert(one.to.split('[').next().unwrap_or_default().to_string());
            }
        }
        let is_within =
            |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let overlap = |a: &str, b: &str| is_within(a, b) || is_within(b, a);
        let is_guarded = |name: &str| {
            let by_member = |member: &str| name.ends_with(&format!(".{member}"));
            let is_exposed = exposed.iter().any(|other| match other.strip_prefix("->") {
                Some(member) => by_member(member),
                None => overlap(name, other),
            });
            // A structure as a whole is accessed with its members.
            let mut locks: Option<BTreeSet<String>> = None;
            for (_, own) in guards.iter().filter(|(other, _)| overlap(name, other)) {
                locks = Some(
                    locks.map_or_else(|| own.clone(), |locks| locks.intersection(own).cloned().collect()),
                );
            }
            let in_union = unit.tags.has_unions && name.contains('.');
            !is_exposed && !in_union && locks.is_some_and(|locks| !locks.is_empty())
        };
        Guards {
            guarded: guards.keys().filter(|name| is_guarded(name)).cloned().collect(),
            sequential: phases.sequential,
            joins_all: phases.joins_all,
            has_threads: phases.has_threads,
        }
    }

    /// Whether a lock guards all accesses to an object of this name.
    pub fn has(&self, name: &str) -> bool {
        self.guarded.contains(name)
    }

    /// Whether the program has one thread at a place.
    pub fn is_sequential(&self, loc: Loc) -> bool {
        self.sequential.iter().any(|span| contains(*span, loc))
    }
}

/// Effects before the program starts: the initial values of its variables, which take addresses.
fn program_start(unit: &Unit) -> Option<Function> {
    let first = unit.globals.first()?;
    let body = unit.globals.iter().map(|decl| Stmt { kind: StmtKind::Declare(decl.clone()), loc: decl.loc });
    let (name, file, loc) = (Arc::from(""), Arc::from(""), first.loc);
    Some(Function { name, file, params: Vec::new(), body: body.collect(), loc, end: loc })
}

/// Whether a place lies in a part of a file. Text of a macro has no place of its own.
fn contains(span: Span, loc: Loc) -> bool {
    loc == Loc::plain(loc.span)
        && span.file == loc.span.file
        && span.start <= loc.span.start
        && loc.span.end <= span.end
}

/// The accesses of a program.
#[derive(Default)]
struct Accesses {
    /// For each object, by its name, the locks with which every access so far was made.
    guards: FxHashMap<String, BTreeSet<String>>,
    /// Objects that may be accessed otherwise: by name, or `->` and a member of an unknown object.
    exposed: FxHashSet<String>,
}

/// The name of an object without indices: `buffer.items`; none where a pointer leads to it.
pub(crate) fn name_of(object: &Expr) -> Option<String> {
    match &object.kind {
        Kind::Name(name) => Some(name.to_string()),
        Kind::Index(array, _) => name_of(array),
        Kind::Member(object, ".", member) => Some(format!("{}.{member}", name_of(object)?)),
        _ => None,
    }
}

/// The name of a lock: an array element counts only if its index is a number.
fn lock_of(object: &Expr) -> Option<String> {
    match &object.kind {
        Kind::Name(_) => Some(canonical::text(object)),
        Kind::Member(inner, ".", _) => lock_of(inner).map(|_| canonical::text(object)),
        Kind::Index(array, index) if matches!(index.kind, Kind::Literal(_)) => {
            lock_of(array).map(|_| canonical::text(object))
        }
        _ => None,
    }
}

/// Loops in one another; each level multiplies the work.
const DEEPEST: u32 = 6;

/// How many loops are in one another.
fn depth(list: &[Stmt]) -> u32 {
    let of = |stmt: &Stmt| depth(std::slice::from_ref(stmt));
    let deepest = list.iter().map(|stmt| match &stmt.kind {
        StmtKind::Block(list) => depth(list),
        StmtKind::If(_, yes, no) => of(yes).max(no.as_ref().map_or(0, |no| of(no))),
        StmtKind::Switch(_, body) => of(body),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => 1 + of(body),
        _ => 0,
    });
    deepest.max().unwrap_or(0)
}

/// Whether a list of statements has labels and jumps other than those of loops.
fn jumps(list: &[Stmt]) -> bool {
    list.iter().any(|stmt| match &stmt.kind {
        StmtKind::Label(_) | StmtKind::Goto(_) | StmtKind::Asm(_) => true,
        StmtKind::Block(list) => jumps(list),
        StmtKind::If(_, yes, no) => {
            jumps(std::slice::from_ref(yes)) || no.as_ref().is_some_and(|no| jumps(std::slice::from_ref(no)))
        }
        StmtKind::Switch(_, body) => {
            let mut inside = Vec::new();
            match &body.kind {
                StmtKind::Block(list) => list.iter().for_each(|stmt| marks_within(stmt, &mut inside)),
                _ => marks_within(body, &mut inside),
            }
            !inside.is_empty() || jumps(std::slice::from_ref(body))
        }
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => jumps(std::slice::from_ref(body)),
        StmtKind::For { body, .. } => jumps(std::slice::from_ref(body)),
        _ => false,
    })
}

/// The locks held where two paths meet.
fn meet(a: Option<Held>, b: Option<Held>) -> Option<Held> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).cloned().collect()),
        (one, other) => one.or(other),
    }
}

struct Walk<'a> {
    unit: &'a Unit,
    function: &'a Function,
    objects: &'a Objects<'a>,
    found: &'a mut Accesses,
    sequential: &'a [Span],
    /// The function jumps: no lock is known to be held anywhere in it.
    jumps: bool,
    /// The sets are final; otherwise a loop looks for them.
    recording: bool,
    breaks: Vec<Option<Held>>,
    continues: Vec<Option<Held>>,
}

/// The name of the function that a call calls.
fn callee(expr: &Expr) -> Option<(&Arc<str>, &[Expr])> {
    let Kind::Call(function, args) = &expr.kind else { return None };
    let Kind::Name(name) = &function.kind else { return None };
    Some((name, args))
}

impl Walk<'_> {
    fn list(&mut self, list: &[Stmt], held: Option<Held>) -> Option<Held> {
        list.iter().fold(held, |held, stmt| self.stmt(stmt, held))
    }

    fn stmt(&mut self, stmt: &Stmt, held: Option<Held>) -> Option<Held> {
        let held = if self.jumps { Some(Held::new()) } else { held };
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Label(_) | StmtKind::Case(..) | StmtKind::Default => held,
            StmtKind::Expr(expr) => self.expr(expr, held),
            StmtKind::Declare(decl) => {
                let mut held = held;
                for one in &decl.declared {
                    match &one.init {
                        Some(crate::syntax::Init::Value(value)) => held = self.expr(value, held),
                        // As written: the named object may be accessed.
                        Some(crate::syntax::Init::List(text)) => self.expose_words(text),
                        None => {}
                    }
                }
                held
            }
            StmtKind::Block(list) => self.list(list, held),
            StmtKind::If(cond, yes, no) => {
                let (holds, fails) = self.condition(cond, held);
                let yes = self.stmt(yes, holds);
                let no = match no {
                    Some(no) => self.stmt(no, fails),
                    None => fails,
                };
                meet(yes, no)
            }
            StmtKind::While(cond, body) => self.repeat(Some(cond), body, None, held),
            StmtKind::For { init, cond, step, body } => {
                let held = self.list(init, held);
                self.repeat(cond.as_ref(), body, step.as_ref(), held)
            }
            StmtKind::DoWhile(body, cond) => self.do_while(body, cond, held),
            StmtKind::Switch(value, body) => self.switch(value, body, held),
            StmtKind::Break => {
                if let Some(last) = self.breaks.last_mut() {
                    *last = meet(last.take(), held);
                }
                None
            }
            StmtKind::Continue => {
                if let Some(last) = self.continues.last_mut() {
                    *last = meet(last.take(), held);
                }
                None
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value, held);
                }
                None
            }
            StmtKind::Goto(_) => None,
            StmtKind::Asm(text) => {
                self.expose_words(text);
                held
            }
        }
    }

    /// Runs a loop until the sets at its head no longer shrink, and then once more to record.
    fn fixpoint(
        &mut self,
        held: Option<Held>,
        mut round: impl FnMut(&mut Self, Option<Held>) -> (Option<Held>, Option<Held>),
    ) -> Option<Held> {
        let recording = std::mem::replace(&mut self.recording, false);
        let mut head = held;
        loop {
            let (again, _) = round(self, head.clone());
            let next = meet(head.clone(), again);
            if next == head {
                break;
            }
            head = next;
        }
        self.recording = recording;
        round(self, head).1
    }

    fn repeat(
        &mut self,
        cond: Option<&Expr>,
        body: &Stmt,
        step: Option<&Expr>,
        held: Option<Held>,
    ) -> Option<Held> {
        self.fixpoint(held, |walk, head| {
            let (enter, leave) = match cond {
                Some(cond) => walk.condition(cond, head),
                None => (head, None),
            };
            walk.breaks.push(None);
            walk.continues.push(None);
            let end = walk.stmt(body, enter);
            let broken = walk.breaks.pop().flatten();
            let end = meet(end, walk.continues.pop().flatten());
            let end = match step {
                Some(step) => walk.expr(step, end),
                None => end,
            };
            (end, meet(leave, broken))
        })
    }

    fn do_while(&mut self, body: &Stmt, cond: &Expr, held: Option<Held>) -> Option<Held> {
        self.fixpoint(held, |walk, head| {
            walk.breaks.push(None);
            walk.continues.push(None);
            let end = walk.stmt(body, head);
            let broken = walk.breaks.pop().flatten();
            let end = meet(end, walk.continues.pop().flatten());
            let (again, leave) = walk.condition(cond, end);
            (again, meet(leave, broken))
        })
    }

    fn switch(&mut self, value: &Expr, body: &Stmt, held: Option<Held>) -> Option<Held> {
        let start = self.expr(value, held);
        let list = match &body.kind {
            StmtKind::Block(list) => &list[..],
            _ => std::slice::from_ref(body),
        };
        self.breaks.push(None);
        let mut now = None;
        for stmt in list {
            if matches!(stmt.kind, StmtKind::Case(..) | StmtKind::Default) {
                now = meet(now, start.clone());
            }
            now = self.stmt(stmt, now);
        }
        let broken = self.breaks.pop().flatten();
        // Without `default`, no case may be taken.
        meet(meet(now, broken), start)
    }

    /// The locks held where a condition holds and where it does not.
    fn condition(&mut self, cond: &Expr, held: Option<Held>) -> (Option<Held>, Option<Held>) {
        let after = self.expr(cond, held);
        let taken = tested(cond).and_then(|(call, is_zero)| {
            let (name, args) = callee(call)?;
            let (_, exclusive) = TRY.iter().find(|(known, _)| **known == **name)?;
            Some((self.lock(args.first()?)?, *exclusive, is_zero))
        });
        let with = |lock: (String, bool)| {
            after.clone().map(|mut held| {
                held.insert(lock);
                held
            })
        };
        match taken.filter(|_| !self.jumps) {
            Some((lock, exclusive, true)) => (with((lock, exclusive)), after),
            Some((lock, exclusive, false)) => (after.clone(), with((lock, exclusive))),
            None => (after.clone(), after),
        }
    }

    /// The lock that an argument points to.
    fn lock(&self, arg: &Expr) -> Option<String> {
        let object = match &arg.kind {
            Kind::Prefix("&", object) => (**object).clone(),
            _ => Expr { kind: Kind::Prefix("*", arg.clone().into()), loc: arg.loc, depth: arg.depth + 1 },
        };
        lock_of(&self.objects.resolve(&object, &mut Vec::new()))
    }

    /// Evaluates an expression: records its accesses, and returns the locks held after it.
    fn expr(&mut self, expr: &Expr, held: Option<Held>) -> Option<Held> {
        let before = held?;
        let mut after = before.clone();
        expr.walk(&mut |part| {
            let Some((name, args)) = callee(part) else {
                if matches!(part.kind, Kind::Call(..)) {
                    after.clear();
                }
                return;
            };
            if let Some((_, exclusive)) = TAKE.iter().find(|(known, _)| **known == **name) {
                if let Some(lock) = args.first().and_then(|arg| self.lock(arg)).filter(|_| !self.jumps) {
                    after.insert((lock, *exclusive));
                }
            } else if RELEASE.contains(&&**name) {
                match args.first().and_then(|arg| self.lock(arg)) {
                    Some(lock) => after.retain(|(held, _)| *held != lock),
                    None => after.clear(),
                }
            } else if self.unit.function(name).is_some() {
                // It may release all locks.
                after.clear();
            }
        });
        if self.recording {
            // Between calls, only locks that are held before and after are held for sure.
            let held: Held = before.intersection(&after).cloned().collect();
            self.accesses(expr, &held, false);
        }
        Some(after)
    }

    /// Records the accesses of an expression; `writes`: it is assigned to.
    fn accesses(&mut self, expr: &Expr, held: &Held, writes: bool) {
        match &expr.kind {
            // An array as a value is a pointer, by which it may be accessed anywhere.
            Kind::Name(_) | Kind::Member(..) if self.is_array(expr) => {
                self.expose(expr);
                self.within(expr, held);
            }
            Kind::Name(_) | Kind::Member(..) | Kind::Index(..) | Kind::Prefix("*", _) => {
                self.access(expr, held, writes);
                self.within(expr, held);
            }
            Kind::Assign(op, target, value) => {
                if *op != "=" {
                    self.accesses(target, held, false);
                }
                self.accesses(target, held, true);
                self.accesses(value, held, false);
            }
            Kind::Prefix("++" | "--", target) | Kind::Postfix(target, _) => {
                self.accesses(target, held, true);
            }
            Kind::Prefix("&", object) => {
                // A pointer to a structure leads to its members by their names.
                let record =
                    self.unit.base_of(object, self.function).and_then(|base| self.unit.tags.record(base));
                if record.is_none() {
                    self.expose(object);
                }
                self.within(object, held);
            }
            Kind::Call(_, args) => {
                let library = callee(expr).is_some_and(|(name, _)| is_of_threads(name));
                let defined = callee(expr).is_some_and(|(name, _)| self.unit.function(name).is_some());
                for arg in args {
                    match &arg.kind {
                        Kind::Prefix("&", object) if library => self.within(object, held),
                        Kind::Prefix("&", object) if !defined => self.expose(object),
                        _ => self.accesses(arg, held, false),
                    }
                }
            }
            Kind::Opaque(text) => self.expose_words(text),
            _ => expr.parts().into_iter().for_each(|part| self.accesses(part, held, false)),
        }
    }

    /// Whether an expression denotes an array, not a pointer.
    fn is_array(&self, expr: &Expr) -> bool {
        let is_array = |text: &str| text.contains('[') && !text.contains(['(', '*']);
        match &expr.kind {
            Kind::Name(name) => {
                let params = self.function.params.iter().flat_map(|param| &param.decl.declared);
                let is_param = params.into_iter().any(|one| one.name == *name);
                let declared = self.unit.declaration(name, self.function);
                !is_param && declared.is_some_and(|(_, one)| is_array(&one.text))
            }
            Kind::Member(object, _, member) => {
                let base = self.unit.base_of(object, self.function);
                let members = base.and_then(|base| self.unit.tags.record(base)).unwrap_or_default();
                let mut declared = members.iter().flat_map(|decl| &decl.declared);
                declared.any(|one| one.name == *member && is_array(&one.text))
            }
            _ => false,
        }
    }

    /// The accesses by which an object is found.
    fn within(&mut self, object: &Expr, held: &Held) {
        match &object.kind {
            Kind::Index(array, index) => {
                match self.is_array(array) || matches!(array.kind, Kind::Index(..)) {
                    true => self.within(array, held),
                    false => self.accesses(array, held, false),
                }
                self.accesses(index, held, false);
            }
            Kind::Member(pointer, "->", _) | Kind::Prefix("*", pointer) => {
                self.accesses(pointer, held, false)
            }
            Kind::Member(object, ..) => self.within(object, held),
            _ => {}
        }
    }

    fn access(&mut self, object: &Expr, held: &Held, writes: bool) {
        if self.sequential.iter().any(|span| contains(*span, object.loc)) {
            return;
        }
        let mut array = object;
        while let Kind::Index(inner, _) = &array.kind {
            array = inner;
        }
        // The target of a pointer is exposed where its address is taken.
        if matches!(object.kind, Kind::Index(..)) && !self.is_array(array) {
            return;
        }
        let resolved = self.objects.resolve(object, &mut Vec::new());
        let Some(name) = name_of(&resolved) else { return self.expose(object) };
        let locks = held.iter().filter(|(_, exclusive)| *exclusive || !writes).map(|(lock, _)| lock.clone());
        let locks: BTreeSet<String> = locks.collect();
        match self.found.guards.get_mut(&name) {
            Some(known) => known.retain(|lock| locks.contains(lock)),
            None => {
                self.found.guards.insert(name, locks);
            }
        }
    }

    /// Notes that an object may be accessed at any time.
    fn expose(&mut self, object: &Expr) {
        let resolved = self.objects.resolve(object, &mut Vec::new());
        let name = name_of(&resolved).or_else(|| match &resolved.kind {
            Kind::Member(_, _, member) => Some(format!("->{member}")),
            Kind::Index(array, _) => match &array.kind {
                Kind::Member(_, _, member) => Some(format!("->{member}")),
                _ => None,
            },
            _ => None,
        });
        // Without a name it is any object whose address is taken: those are exposed already.
        self.found.exposed.extend(name);
    }

    fn expose_words(&mut self, text: &str) {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        self.found.exposed.extend(words.map(str::to_string));
    }
}

/// Whether a function is one of the library for threads, which accesses its own objects only.
fn is_of_threads(name: &str) -> bool {
    ["pthread_", "sem_", "thrd_", "mtx_", "cnd_"].iter().any(|prefix| name.starts_with(prefix))
}
