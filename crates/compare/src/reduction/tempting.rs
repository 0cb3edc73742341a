//! Small Promela programs for testing reductions: processes with local steps before steps that
//! affect other processes.
//!
//! Difficult combinations of constructs are adjacent: a rendezvous beside an `else`, as the escape
//! of an `unless`, or inside an `atomic`; `full` and `empty` while other processes send and
//! receive; processes created, counted, referenced and terminated; `timeout`, `provided`, infinite
//! loops that may ignore other processes; formulas over variables that few steps change. A program
//! is a function of its number. Its full state space takes about a millisecond, and it has a
//! process that only observes.
//!
//! *Entry point:* [`program`].

mod scenes;

use axle_generate::{Random, Tree};

pub use scenes::program as scene;

/// The constructs of this program, drawn first.
struct Style {
    /// Names and capacities of the global channels.
    channels: Vec<(String, usize)>,
    /// Whether there is a process type that other processes start.
    workers: bool,
    /// Number of process types with initial instances.
    types: usize,
    counts: bool,
    remote: bool,
    timeout: bool,
    /// `_last`, `enabled`, `pc_value`: these disable the reduction.
    gives_up: bool,
    /// A channel field wide enough for a sorted send or random receive to distinguish messages.
    unordered: bool,
    labels: bool,
    deterministic: bool,
}

struct Maker {
    random: Random,
    style: Style,
    /// Remaining number of statements for the current process.
    budget: usize,
    /// Whether the current process has a local channel, and one as a parameter.
    own: bool,
    passed: bool,
    /// Inside a `d_step`: no blocking statements or jumps.
    flat: bool,
}

/// The program with this number.
pub fn program(number: u64) -> Tree {
    let mut random = Random::of(77, number);
    let count = 1 + random.below(3);
    let capacities = [0, 0, 1, 1, 2];
    let channels = (0..count).map(|i| (format!("c{i}"), random.pick(&capacities))).collect();
    let style = Style {
        channels,
        workers: random.one_in(4),
        types: 2 + random.below(2),
        counts: random.one_in(6),
        remote: random.one_in(6),
        timeout: random.one_in(6),
        gives_up: random.one_in(24),
        unordered: random.one_in(4),
        labels: random.one_in(4),
        deterministic: random.one_in(16),
    };
    let mut maker = Maker { random, style, budget: 0, own: false, passed: false, flat: false };
    maker.whole()
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
    fn one_in(&mut self, n: usize) -> bool {
        self.random.one_in(n)
    }

    fn whole(&mut self) -> Tree {
        let mut parts = vec![text("byte a, b;"), text("byte v[2];")];
        for (name, capacity) in &self.style.channels {
            parts.push(text(format!("chan {name} = [{capacity}] of {{ byte }};")));
        }
        if self.style.workers {
            self.passed = true;
            let head = "proctype W(byte x; chan p)";
            parts.push(self.process(head, 3));
            self.passed = false;
        }
        for index in 0..self.style.types {
            let head = self.head(index);
            parts.push(self.process(&head, 5));
        }
        if self.one_in(2) {
            let look = self.assertion();
            let before = if self.one_in(2) { vec![self.condition()] } else { Vec::new() };
            let mut statements = vec![text("byte l")];
            statements.extend(before);
            statements.push(look);
            parts.push(row([text("active proctype Q() "), Tree::block(statements)]));
        }
        if self.one_in(3) {
            for index in 0..1 + self.random.below(2) {
                parts.push(self.formula(index));
            }
        } else if self.one_in(12) {
            let watched = self.proposition();
            parts.push(row([
                text("never { do :: true :: ("),
                watched,
                text(") -> goto accept_all od; accept_all: skip }"),
            ]));
        }
        list(parts, "\n")
    }

    fn head(&mut self, index: usize) -> String {
        let kind = if self.style.deterministic && self.one_in(2) { "D_proctype" } else { "proctype" };
        let many = if self.one_in(8) { " [2]" } else { "" };
        let provided = match self.random.below(20) {
            0 => " provided (a != 1)",
            1 => " provided (b == 0)",
            _ => "",
        };
        format!("active{many} {kind} P{index}(){provided}")
    }

    fn process(&mut self, head: &str, most: usize) -> Tree {
        self.budget = 9;
        self.own = self.one_in(8);
        let mut parts = vec![text("byte l, m")];
        if self.own {
            let capacity = self.random.below(3);
            parts.push(text(format!("chan own = [{capacity}] of {{ byte }}")));
        }
        if self.one_in(10) {
            let channel = self.random.below(self.style.channels.len());
            let what = self.random.pick(&["xr", "xs"]);
            parts.push(text(format!("{what} c{channel}")));
        }
        let count = 1 + self.random.below(most);
        let marked = self.random.below(count);
        for at in 0..count {
            let statement = self.statement(2);
            let mut labels = String::new();
            if at == marked {
                labels.push_str("L: ");
            }
            if self.style.labels && self.one_in(4) {
                labels
                    .push_str(&format!("{}{at}: ", self.random.pick(&["accept", "progress", "end", "end"])));
            }
            parts.push(row([text(labels), statement]));
        }
        row([text(format!("{head} ")), Tree::block(parts)])
    }

    fn number(&mut self) -> Tree {
        let number = self.random.pick(&["0", "1", "1", "2"]);
        Tree::value(number)
    }

    /// A channel: global, local, or a parameter.
    fn channel(&mut self) -> String {
        match self.random.below(5) {
            0 if self.own => "own".into(),
            0..=2 if self.passed => "p".into(),
            _ => format!("c{}", self.random.below(self.style.channels.len())),
        }
    }

    fn place(&mut self) -> &'static str {
        self.random.pick(&["a", "a", "a", "b", "b", "v[0]", "v[1]", "v[_pid % 2]", "v[l % 2]"])
    }

    fn value(&mut self) -> Tree {
        match self.random.below(8) {
            0 => Tree::value("l"),
            1 => Tree::value(self.place()),
            2 => Tree::value("_pid"),
            3 if self.style.counts => Tree::value("_nr_pr"),
            4 if self.passed => Tree::value("x"),
            _ => self.number(),
        }
    }

    /// A condition without side effects.
    fn test(&mut self) -> Tree {
        let compare = self.random.pick(&["==", "!=", "<", ">"]);
        let with = |left: Tree, right: Tree| row([left, text(format!(" {compare} ")), right]);
        let number = self.number();
        match self.random.below(14) {
            0..=3 => with(Tree::value(self.place()), number),
            4 => with(Tree::value("l"), number),
            5..=7 => {
                let ask = self.random.pick(&["full", "empty", "nfull", "nempty"]);
                text(format!("{ask}({})", self.channel()))
            }
            8 => with(Tree::value(format!("len({})", self.channel())), number),
            9 => {
                let mark = self.random.pick(&["?", "?", "??"]);
                row([text(format!("{}{mark}[", self.buffered())), number, text("]")])
            }
            10 if self.style.counts => {
                let count = self.random.pick(&["2", "3", "4"]);
                with(Tree::value("_nr_pr"), Tree::value(count))
            }
            11 if self.style.remote => self.look(),
            12 if self.style.timeout => text("timeout"),
            13 if self.style.gives_up => {
                text(self.random.pick(&["_last == 1", "enabled(1)", "pc_value(1) == 1", "_last == 0"]))
            }
            _ => with(Tree::value(self.place()), number),
        }
    }

    /// A buffered channel if there is one: polling a rendezvous channel is an error.
    fn buffered(&mut self) -> String {
        let roomy: Vec<&String> =
            self.style.channels.iter().filter(|(_, capacity)| *capacity > 0).map(|(name, _)| name).collect();
        match roomy.is_empty() {
            true => "c0".into(),
            false => roomy[self.random.below(roomy.len())].clone(),
        }
    }

    /// An expression about another process.
    fn look(&mut self) -> Tree {
        let kind = self.random.below(self.style.types);
        match self.random.below(4) {
            0 => text(format!("P{kind}@L")),
            1 => text(format!("P{kind}[{}]@L", self.random.below(4))),
            2 => text(format!("P{kind}[{}]:l == 1", self.random.below(4))),
            _ => text(format!("P{kind}:l > 0")),
        }
    }

    fn condition(&mut self) -> Tree {
        row([text("("), self.test(), text(")")])
    }

    fn assertion(&mut self) -> Tree {
        let number = self.number();
        let compare = self.random.pick(&["==", "==", "!=", "<"]);
        let place = match self.random.below(6) {
            0 => "l",
            _ => self.place(),
        };
        match self.random.below(8) {
            0 => row([text("assert("), self.test(), text(")")]),
            1 => text("assert(false)"),
            _ => row([text(format!("assert({place} {compare} ")), number, text(")")]),
        }
    }

    fn send(&mut self) -> Tree {
        let mark = if self.style.unordered && self.one_in(3) { "!!" } else { "!" };
        let channel = self.channel();
        row([text(format!("{channel}{mark}")), self.value()])
    }

    fn receive(&mut self) -> Tree {
        let channel = self.channel();
        let mark = if self.style.unordered && self.one_in(3) { "??" } else { "?" };
        let number = self.number();
        match self.random.below(10) {
            0..=3 => text(format!("{channel}{mark}_")),
            4..=6 => text(format!("{channel}{mark}{}", self.random.pick(&["l", "l", "m", "a", "v[0]"]))),
            7 => row([text(format!("{channel}{mark}")), number]),
            8 => text(format!("{channel}{mark}eval(l)")),
            _ => text(format!("{channel}{mark}<l>")),
        }
    }

    fn private(&mut self) -> Tree {
        text(self.random.pick(&["skip", "l = 1", "l = (l + 1) % 3", "m = l", "l = 0", "m = 1", "l < 2"]))
    }

    /// A statement that may block.
    fn gate(&mut self) -> Tree {
        match self.random.below(6) {
            0 | 1 => self.send(),
            2 | 3 => self.receive(),
            4 => self.condition(),
            _ => self.private(),
        }
    }

    fn some(&mut self, depth: usize, most: usize) -> Vec<Tree> {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Tree {
        let nests = depth > 0 && self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        match self.random.below(36) {
            0..=5 => self.private(),
            6..=8 => row([text(format!("{} = ", self.place())), self.value()]),
            9 | 10 => row([text("l = "), self.value()]),
            11 | 12 => self.assertion(),
            13..=15 if !self.flat => self.send(),
            16..=18 if !self.flat => self.receive(),
            19 | 20 if !self.flat => self.condition(),
            21 | 22 if nests && !self.flat => row([text("atomic "), Tree::block(self.some(depth - 1, 3))]),
            23 if nests && !self.flat => {
                self.flat = true;
                let inside = self.some(depth - 1, 3);
                self.flat = false;
                row([text("d_step "), Tree::block(inside)])
            }
            24..=26 if nests => self.selection(depth - 1),
            27 if nests && !self.flat => self.round(depth - 1),
            28 if nests && !self.flat => {
                let guarded = self.some(depth - 1, 2);
                let mut escape = vec![self.gate()];
                if self.one_in(2) {
                    escape.push(self.statement(0));
                }
                row([text("{ "), list(guarded, ";\n"), text(" } unless "), Tree::block(escape)])
            }
            29 | 30 if self.style.workers && !self.passed && !self.flat => self.start(),
            31 if !self.flat => text(self.random.pick(&[
                "m = 0; goto L",
                "if :: l < 2 -> l++; goto L :: else fi",
                "if :: goto L :: skip fi",
            ])),
            32..=35 if nests && !self.flat => self.temptation(),
            _ => self.private(),
        }
    }

    /// A communication next to an expression that shows whether and when it happened.
    fn temptation(&mut self) -> Tree {
        let message = if self.one_in(2) { self.send() } else { self.receive() };
        let place = self.place();
        let set = |number: &str| text(format!("{place} = {number}"));
        match self.random.below(5) {
            0 | 1 => {
                let mut inside = vec![set("1"), message];
                if self.one_in(2) {
                    inside.push(set("0"));
                }
                row([text("atomic "), Tree::block(inside)])
            }
            2 | 3 => {
                let options = vec![
                    row([text(":: "), message]),
                    row([text(":: else -> "), if self.one_in(2) { set("1") } else { self.assertion() }]),
                ];
                Tree::List { open: "if ", parts: options, between: "\n", close: " fi", least: 1 }
            }
            _ => {
                let guarded = vec![set("1"), self.assertion()];
                row([text("{ "), list(guarded, ";\n"), text(" } unless "), Tree::block(vec![message])])
            }
        }
    }

    fn start(&mut self) -> Tree {
        let channel = self.channel();
        let into = if self.one_in(3) { "l = " } else { "" };
        row([text(format!("{into}run W(")), self.number(), text(format!(", {channel})"))])
    }

    /// A choice, usually with an alternative.
    fn selection(&mut self, depth: usize) -> Tree {
        let mut options = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let gate = if self.flat { self.condition() } else { self.gate() };
            options.push(self.option(gate, depth));
        }
        if self.flat || !self.one_in(3) {
            options.push(self.option(text("else"), depth));
        }
        Tree::List { open: "if ", parts: options, between: "\n", close: " fi", least: 1 }
    }

    fn option(&mut self, gate: Tree, depth: usize) -> Tree {
        let behind = match self.one_in(3) {
            true => Vec::new(),
            false => vec![self.statement(depth)],
        };
        let arrow = if behind.is_empty() { "" } else { " -> " };
        row([text(":: "), gate, text(arrow), list(behind, "; ")])
    }

    /// A loop with a counter, or an infinite loop.
    fn round(&mut self, depth: usize) -> Tree {
        if self.one_in(3) {
            let inside = self.statement(depth);
            return row([text("m = 0; do :: m < 2 -> m++; "), inside, text(" :: else -> break od")]);
        }
        let mut options = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let gate = self.gate();
            options.push(self.option(gate, depth));
        }
        match self.random.below(4) {
            0 => options.push(text(":: else -> break")),
            1 => options.push(text(":: break")),
            2 => options.push(self.option(text("else"), 0)),
            _ => {}
        }
        Tree::List { open: "do ", parts: options, between: "\n", close: " od", least: 1 }
    }

    /// A proposition of a formula.
    fn proposition(&mut self) -> Tree {
        let number = self.number();
        match self.random.below(8) {
            0..=3 => row([text(format!("{} == ", self.random.pick(&["a", "b", "v[0]", "v[1]"]))), number]),
            4 => row([text(format!("len({}) == ", self.buffered())), number]),
            5 => text(format!("{}(c0)", self.random.pick(&["full", "empty", "nfull", "nempty"]))),
            6 if self.style.remote || self.one_in(3) => self.look(),
            7 if self.style.counts => text("_nr_pr > 2"),
            _ => row([text("a != "), number]),
        }
    }

    fn formula(&mut self, index: usize) -> Tree {
        let (p, q) = (self.proposition(), self.proposition());
        let inside = match self.random.below(9) {
            0 | 1 => row([text("[] !("), p, text(")")]),
            2 => row([text("<> ("), p, text(")")]),
            3 => row([text("[] <> ("), p, text(")")]),
            4 => row([text("<> [] ("), p, text(")")]),
            5 => row([text("("), p, text(") U ("), q, text(")")]),
            6 => row([text("[] (("), p, text(") -> <> ("), q, text("))")]),
            7 => row([text("<> (("), p, text(") && <> ("), q, text("))")]),
            _ => row([text("[] (("), p, text(") || [] ("), q, text("))")]),
        };
        row([text(format!("ltl f{index} {{ ")), inside, text(" }")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduction::power::model;

    #[test]
    fn nearly_all_programs_are_accepted_and_every_temptation_occurs() {
        let (mut all, mut accepted) = (String::new(), 0);
        for number in 0..1_800 {
            let text = program(number).to_string();
            accepted += usize::from(model("tempting", &text, false).is_some());
            all.push_str(&text);
        }
        assert!(accepted > 1_650, "only {accepted} of 1,800 are accepted");
        for part in [
            "[0] of",
            "[2] of",
            "!!",
            "??",
            "?<",
            "?[",
            "??[",
            "eval(",
            "full(",
            "nfull(",
            "empty(",
            "nempty(",
            "len(",
            "atomic {",
            "d_step {",
            "unless {",
            ":: else",
            "timeout",
            "provided",
            "D_proctype",
            "run W(",
            "_nr_pr",
            "_pid",
            "@L",
            ":l ",
            "xr c",
            "xs c",
            "_last",
            "enabled(",
            "pc_value(",
            "never {",
            "ltl ",
            "accept",
            "progress",
            "end",
            "goto L",
            "own",
            "[2] proctype",
            "m++",
        ] {
            assert!(all.contains(part), "`{part}` never occurs");
        }
    }
}
