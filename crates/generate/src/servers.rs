//! Random Promela programs in the style of translated Go programs: mutexes, wait groups and
//! channels are server processes whose channels are passed by parameter, goroutines are processes
//! that others create.
//!
//! Most processes decide locally and then wait on a rendezvous. Servers never end; goroutines and
//! helpers end while others are created. A program is a function of its seed and number.
//!
//! *Entry point:* [`program`].
//! *Source:* N. Dilley and J. Lange, Automated verification of Go programs via bounded model
//! checking, ASE 2021 (the form of the server processes).

use crate::{Random, Tree};

/// The size of programs and the constructs that they contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Up to twelve servers, with the constructs of translated programs only.
    Translated,
    /// Few servers and small state spaces, with expressions that tell the order of steps:
    /// assertions and formulas over globals, numbers of processes, references in messages.
    Telling,
}

/// The kind of a server, with the definition of its channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Mutex,
    Group,
    /// A buffered channel of this size.
    Queue(usize),
    /// An unbuffered channel.
    Sync,
    /// A channel of the model of this capacity, without a server.
    Port(usize),
}

const MUTEX_TYPE: &str = "typedef Mutexdef { chan Lock = [0] of { bool }; chan Unlock = [0] of { bool }; \
chan RLock = [0] of { bool }; chan RUnlock = [0] of { bool }; int Counter };";

const GROUP_TYPE: &str =
    "typedef Wgdef { chan update = [0] of { int }; chan wait = [0] of { int }; int Counter };";

const CHANNEL_TYPE: &str = "typedef Chandef { chan sync = [0] of { bool }; chan enq = [0] of { bool }; \
chan deq = [0] of { bool }; chan sending = [0] of { bool }; chan rcving = [0] of { bool }; \
chan closing = [0] of { bool }; int count; bool closed };";

const MUTEX: &str = "proctype mutexMonitor(Mutexdef m) {
bool locked;
do
:: true ->
  if
  :: m.Counter > 0 ->
    if
    :: m.RUnlock?false -> m.Counter = m.Counter - 1
    :: m.RLock?false -> m.Counter = m.Counter + 1
    fi
  :: locked -> m.Unlock?false; locked = false
  :: else ->
end: if
    :: m.Unlock?false -> assert(0 == 32)
    :: m.RUnlock?false -> assert(0 == 32)
    :: m.RLock?false -> m.Counter = m.Counter + 1
    :: m.Lock?false -> locked = true
    fi
  fi
od
}";

const GROUP: &str = "proctype wgMonitor(Wgdef wg) {
int i;
do
:: wg.update?i -> wg.Counter = wg.Counter + i; assert(wg.Counter >= 0)
:: wg.Counter == 0 ->
end: if
  :: wg.update?i -> wg.Counter = wg.Counter + i; assert(wg.Counter >= 0)
  :: wg.wait!0
  fi
od
}";

const QUEUE: &str = "proctype asyncChan(Chandef ch; int size) {
do
:: true ->
  if
  :: ch.closed ->
end: if
    :: ch.enq?true -> assert(1 == 0)
    :: ch.closing?true -> assert(2 == 0)
    :: ch.deq!false -> ch.count = (ch.count > 0 -> ch.count - 1 : 0)
    fi
  :: else ->
    if
    :: ch.count == size ->
end1: if
      :: ch.deq!true -> ch.count = ch.count - 1
      :: ch.closing?true -> ch.closed = true
      fi
    :: ch.count == 0 ->
end2: if
      :: ch.enq?true -> ch.count = ch.count + 1
      :: ch.closing?true -> ch.closed = true
      fi
    :: else ->
end3: if
      :: ch.enq?true -> ch.count = ch.count + 1
      :: ch.deq!true -> ch.count = ch.count - 1
      :: ch.closing?true -> ch.closed = true
      fi
    fi
  fi
od
}";

const SYNC: &str = "proctype syncChan(Chandef ch) {
do
:: true ->
  if
  :: ch.closed ->
end: if
    :: ch.closing?true -> assert(3 == 0)
    :: ch.rcving?false
    :: ch.sync!false
    fi
  :: else ->
end1: if
    :: ch.sending?false -> ch.rcving?false
    :: ch.closing?true -> ch.closed = true
    fi
  fi
od
}";

/// Locals of goroutines and of the main function.
const LOCALS: &str = "int i; bool ok; byte v; chan mine = [1] of { int }";

/// References in messages: a variable for one, and calls with a channel for the answer.
const REFERENCES: &str = "chan names = [1] of { chan }; chan calls = [0] of { chan, byte };
active proctype answerer() { chan to; byte n; end: do :: calls?to, n -> to!n od }";

const HELPER: &str = "proctype helper(chan answer) { byte v; v = 1; answer!0 }";

impl Kind {
    fn ty(self) -> &'static str {
        match self {
            Kind::Mutex => "Mutexdef",
            Kind::Group => "Wgdef",
            Kind::Queue(_) | Kind::Sync => "Chandef",
            Kind::Port(_) => "chan",
        }
    }

    /// The declaration of server `k`, and the statement that starts it.
    fn declare(self, k: usize) -> (String, Option<String>) {
        match self {
            Kind::Mutex => (format!("Mutexdef s{k}"), Some(format!("run mutexMonitor(s{k})"))),
            Kind::Group => (format!("Wgdef s{k}"), Some(format!("run wgMonitor(s{k})"))),
            Kind::Queue(size) => (format!("Chandef s{k}"), Some(format!("run asyncChan(s{k}, {size})"))),
            Kind::Sync => (format!("Chandef s{k}"), Some(format!("run syncChan(s{k})"))),
            Kind::Port(capacity) => (format!("chan s{k} = [{capacity}] of {{ int }}"), None),
        }
    }
}

/// A goroutine type: the servers that are its parameters, and whether it reports its end.
#[derive(Clone, Debug)]
struct Routine {
    servers: Vec<usize>,
    reports: bool,
}

struct Maker {
    random: Random,
    style: Style,
    servers: Vec<Kind>,
    routines: Vec<Routine>,
    /// Whether processes observe numbers of processes.
    counts: bool,
    /// Whether references are sent in messages.
    sends_references: bool,
    labels: bool,
    budget: usize,
}

/// The program with this number.
pub fn program(seed: u64, number: u64, style: Style) -> Tree {
    let mut random = Random::of(seed, number);
    let telling = style == Style::Telling;
    let count = if telling { 1 + random.below(2) } else { 1 + random.below(12) };
    let servers: Vec<Kind> = (0..count).map(|_| server(&mut random)).collect();
    let most = if telling { 1 + random.below(2) } else { random.below(5) };
    let routines = (0..most)
        .map(|_| {
            let wanted = 1 + random.below(if telling { 2 } else { 3 });
            let mut servers: Vec<usize> = (0..wanted).map(|_| random.below(count)).collect();
            servers.sort_unstable();
            servers.dedup();
            Routine { servers, reports: random.one_in(3) }
        })
        .collect();
    let counts = telling && random.one_in(8);
    let sends_references = telling && random.one_in(8);
    let labels = telling && random.one_in(5);
    let mut maker = Maker { random, style, servers, routines, counts, sends_references, labels, budget: 0 };
    maker.whole()
}

fn server(random: &mut Random) -> Kind {
    match random.below(9) {
        0..=2 => Kind::Mutex,
        3 | 4 => Kind::Group,
        5 => Kind::Queue(1 + random.below(3)),
        6 | 7 => Kind::Sync,
        _ => Kind::Port(random.below(3)),
    }
}

fn list(parts: Vec<Tree>, between: &'static str) -> Tree {
    Tree::List { open: "", parts, between, close: "", least: 0 }
}

fn row(parts: impl IntoIterator<Item = Tree>) -> Tree {
    Tree::Row(parts.into_iter().collect())
}

fn text(text: impl Into<String>) -> Tree {
    Tree::text(text)
}

impl Maker {
    fn whole(&mut self) -> Tree {
        // Spin's verifier does not compile with a type of records of channels that is never used.
        let (mut uses, has) = (Vec::new(), |kind: fn(&Kind) -> bool| self.servers.iter().any(kind));
        if has(|kind| *kind == Kind::Mutex) {
            uses.extend([MUTEX_TYPE, MUTEX]);
        }
        if has(|kind| *kind == Kind::Group) {
            uses.extend([GROUP_TYPE, GROUP]);
        }
        let (queue, sync) = (has(|kind| matches!(kind, Kind::Queue(_))), has(|kind| *kind == Kind::Sync));
        uses.extend((queue || sync).then_some(CHANNEL_TYPE));
        uses.extend(queue.then_some(QUEUE));
        uses.extend(sync.then_some(SYNC));
        uses.push(HELPER);
        let mut parts: Vec<Tree> = uses.into_iter().map(text).collect();
        if self.style == Style::Telling {
            parts.push(text("byte a, b;"));
        }
        if self.sends_references {
            parts.push(text(REFERENCES));
        }
        for index in (0..self.routines.len()).rev() {
            parts.push(self.routine(index));
        }
        parts.push(self.main());
        if self.style == Style::Telling && self.random.one_in(3) {
            parts.push(text(
                "active proctype Q() { byte v; if :: a == 1 -> v = b; assert(v < 2) :: b = a fi }",
            ));
        }
        if self.style == Style::Telling && self.random.one_in(4) {
            let formula = self.random.pick(&[
                "[] (a < 2)",
                "<> (a == 1)",
                "[] <> (a == 0)",
                "[] ((a == 1) -> <> (b == 1))",
                "(a == 0) U (b == 1)",
                "<> [] (b == 0)",
            ]);
            parts.push(text(format!("ltl f {{ {formula} }}")));
        }
        list(parts, "\n")
    }

    /// A goroutine.
    fn routine(&mut self, index: usize) -> Tree {
        let Routine { servers, reports } = self.routines[index].clone();
        let mut parameters: Vec<String> =
            servers.iter().map(|k| format!("{} s{k}", self.servers[*k].ty())).collect();
        if reports {
            parameters.push("chan done".into());
        }
        self.budget = if self.style == Style::Telling { 3 } else { 6 };
        let mut parts = vec![text(LOCALS), self.references()];
        let count = 1 + self.random.below(3);
        for _ in 0..count {
            let statement = self.statement(&servers, index, 1);
            parts.push(self.labelled(statement));
        }
        if reports {
            parts.push(text("done!0"));
        }
        row([text(format!("proctype go{index}({}) ", parameters.join("; "))), Tree::block(parts)])
    }

    /// A variable for a reference, in programs that send references.
    fn references(&self) -> Tree {
        text(if self.sends_references { "chan other" } else { "byte w" })
    }

    fn labelled(&mut self, statement: Tree) -> Tree {
        if self.labels && self.random.one_in(4) {
            let number = self.random.below(1_000);
            let label = self.random.pick(&["accept", "progress", "end"]);
            return row([text(format!("{label}{number}: ")), statement]);
        }
        statement
    }

    /// The main function: it creates the servers, then the goroutines, which may also begin between
    /// other statements.
    fn main(&mut self) -> Tree {
        let all: Vec<usize> = (0..self.servers.len()).collect();
        let mut parts = vec![text(LOCALS), text("chan done = [1] of { int }"), self.references()];
        let (mut declarations, mut starts) = (Vec::new(), Vec::new());
        for (k, kind) in self.servers.iter().enumerate() {
            let (declaration, start) = kind.declare(k);
            declarations.push(text(declaration));
            starts.extend(start.map(text));
        }
        parts.extend(declarations);
        if self.random.one_in(3) && !starts.is_empty() {
            parts.push(row([text("atomic "), Tree::block(starts)]));
        } else {
            parts.extend(starts);
        }
        self.budget = if self.style == Style::Telling { 3 } else { 6 };
        let mut reports = 0;
        for index in 0..self.routines.len() {
            // A goroutine may be created by another one only.
            if index > 0 && self.random.one_in(4) {
                continue;
            }
            let groups = all.iter().filter(|k| self.servers[**k] == Kind::Group).count();
            if groups > 0 && self.random.one_in(2) {
                let of: Vec<usize> =
                    all.iter().copied().filter(|k| self.servers[*k] == Kind::Group).collect();
                let k = self.random.pick(&of);
                parts.push(text(format!("s{k}.update!1")));
            }
            reports += usize::from(self.routines[index].reports);
            parts.push(self.start(index));
            if self.random.one_in(4) {
                let statement = self.statement(&all, self.routines.len(), 1);
                parts.push(self.labelled(statement));
            }
        }
        // Without clients, the servers wait alone.
        if !self.routines.is_empty() || self.random.one_in(2) {
            for _ in 0..self.random.below(3) {
                let statement = self.statement(&all, self.routines.len(), 1);
                parts.push(self.labelled(statement));
            }
        }
        parts.extend((0..reports).map(|_| text("done?0")));
        match self.random.one_in(2) {
            true => row([text("init "), Tree::block(parts)]),
            false => {
                parts.push(text("parent!0"));
                let init = "init { chan result = [1] of { int }; run main(result); run receiver(result) }";
                let receiver = "proctype receiver(chan c) { c?0 }\n";
                row([
                    text(receiver),
                    text("proctype main(chan parent) "),
                    Tree::block(parts),
                    text(format!("\n{init}")),
                ])
            }
        }
    }

    /// The creation of a goroutine; the channel `done` exists where goroutines that report begin.
    fn start(&mut self, index: usize) -> Tree {
        let Routine { servers, reports } = &self.routines[index];
        let mut arguments: Vec<String> = servers.iter().map(|k| format!("s{k}")).collect();
        if *reports {
            arguments.push("done".into());
        }
        let into = if self.counts && self.random.one_in(3) { "v = " } else { "" };
        text(format!("{into}run go{index}({})", arguments.join(", ")))
    }

    /// A statement of a process that knows these servers and may start the goroutines after `own`.
    fn statement(&mut self, servers: &[usize], own: usize, depth: usize) -> Tree {
        self.budget = self.budget.saturating_sub(1);
        let nests = depth > 0 && self.budget > 0;
        match self.random.below(16) {
            0..=6 => self.operation(servers),
            7 | 8 => self.private(),
            9 | 10 if nests => self.repetition(servers, own, depth - 1),
            11 | 12 if nests => self.selection(servers, own, depth - 1),
            13 => text("run helper(mine); mine?0"),
            14 if own + 1 < self.routines.len() => self.nested(servers, own + 1),
            15 if self.style == Style::Telling => self.telling(),
            _ => self.operation(servers),
        }
    }

    /// A goroutine that a goroutine creates, if it knows the servers of the new one.
    fn nested(&mut self, servers: &[usize], first: usize) -> Tree {
        let knows = |index: &usize| {
            let routine = &self.routines[*index];
            !routine.reports && routine.servers.iter().all(|k| servers.contains(k))
        };
        match (first..self.routines.len()).find(knows) {
            Some(index) => self.start(index),
            None => self.private(),
        }
    }

    fn private(&mut self) -> Tree {
        text(self.random.pick(&["v = 1", "v = (v + 1) % 3", "ok = !ok", "if :: v = 0 :: v = 2 fi", "skip"]))
    }

    /// Statements that tell the order of steps.
    fn telling(&mut self) -> Tree {
        if self.counts && self.random.one_in(2) {
            return text(self.random.pick(&["a = _nr_pr % 3", "b = _pid % 3", "(_nr_pr > 3)", "v = _pid"]));
        }
        if self.sends_references && self.random.one_in(2) {
            return text(self.random.pick(&[
                "names!mine",
                "calls!mine, 1; mine?v",
                "calls!mine, a; mine?v; b = v % 2",
                "names?other; other!1",
                "if :: names?other -> if :: full(other) -> a = 1 :: else fi :: true fi",
            ]));
        }
        text(self.random.pick(&[
            "a = 1",
            "b = 1",
            "a = v % 2",
            "b = a",
            "a = 0",
            "assert(a == 0)",
            "assert(b == 0 || a == 1)",
            "(a == 1)",
            "if :: a == 1 -> b = 1 :: else -> b = 0 fi",
            "atomic { a = 1; b = 1 }",
            "d_step { v = a; a = b; b = v % 2 }",
        ]))
    }

    /// An operation on a server.
    fn operation(&mut self, servers: &[usize]) -> Tree {
        let k = self.random.pick(servers);
        let inside = if self.random.one_in(2) { self.private() } else { text("skip") };
        match self.servers[k] {
            Kind::Mutex if self.random.one_in(4) => {
                row([text(format!("s{k}.RLock!false; ")), inside, text(format!("; s{k}.RUnlock!false"))])
            }
            Kind::Mutex => {
                row([text(format!("s{k}.Lock!false; ")), inside, text(format!("; s{k}.Unlock!false"))])
            }
            Kind::Group => {
                let operation = self.random.pick(&["update!-1", "update!-1", "update!1", "wait?0"]);
                text(format!("s{k}.{operation}"))
            }
            Kind::Queue(_) => {
                let operation =
                    self.random.pick(&["enq!true", "enq!true", "deq?ok", "deq?ok", "closing!true"]);
                text(format!("s{k}.{operation}"))
            }
            Kind::Sync => text(match self.random.below(5) {
                0 | 1 => format!("s{k}.sync!true; s{k}.sending!false"),
                2 | 3 => format!("s{k}.sync?ok; s{k}.rcving!false"),
                _ => format!("s{k}.closing!true"),
            }),
            Kind::Port(_) => text(format!("s{k}{}", self.random.pick(&["!1", "?i"]))),
        }
    }

    /// A loop with a counter, or one that ends by choice.
    fn repetition(&mut self, servers: &[usize], own: usize, depth: usize) -> Tree {
        let inside = self.statement(servers, own, depth);
        match self.random.below(4) {
            0 | 1 => row([text("i = 0; do :: i < 2 -> i++; "), inside, text(" :: else -> break od")]),
            2 => row([text("do :: true -> "), inside, text(" :: true -> break od")]),
            _ => row([text("for (i : 1 .. 2) { "), inside, text(" }")]),
        }
    }

    /// A `select`: receives from several channels, with or without a default.
    fn selection(&mut self, servers: &[usize], own: usize, depth: usize) -> Tree {
        let mut options = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let k = self.random.pick(servers);
            let gate = match self.servers[k] {
                Kind::Mutex => format!("s{k}.Lock!false -> s{k}.Unlock!false"),
                Kind::Group => format!("s{k}.wait?0"),
                Kind::Queue(_) => format!("s{k}.deq?ok"),
                Kind::Sync => format!("s{k}.sync?ok -> s{k}.rcving!false"),
                Kind::Port(_) => format!("s{k}?i"),
            };
            let behind = self.statement(servers, own, depth);
            options.push(row([text(format!(":: {gate}; ")), behind]));
        }
        match self.random.below(4) {
            0 | 1 => options.push(text(":: true -> skip")),
            2 if self.style == Style::Telling => options.push(text(":: else")),
            _ => {}
        }
        let loops = self.random.one_in(3);
        let (open, close) = if loops { ("do ", " :: true -> break od") } else { ("if ", " fi") };
        let is_else = options.last() == Some(&text(":: else"));
        if loops && is_else {
            options.pop();
        }
        Tree::List { open, parts: options, between: "\n", close, least: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_construct_occurs() {
        let of = |style| (0..400).map(|number| program(1, number, style).to_string()).collect::<String>();
        let (translated, telling) = (of(Style::Translated), of(Style::Telling));
        for part in ["run mutexMonitor(s11", "run wgMonitor(", "run asyncChan(", "run syncChan(", "run go3("]
        {
            assert!(translated.contains(part), "`{part}` never occurs");
        }
        for part in [
            "_nr_pr",
            "_pid",
            "names!mine",
            "calls!mine",
            ":: else fi",
            "accept",
            "progress",
            "ltl f",
            "v = run",
        ] {
            assert!(telling.contains(part), "`{part}` never occurs");
        }
        assert!(!translated.contains("_pid"));
    }
}
