//! Programs generated from Promela's grammar: declarations first, then processes that mostly use
//! declared names correctly, so that many of them pass the front end.
//!
//! *Entry point:* [`program`].

use super::pieces::{NUMBERS, STATEMENTS};
use axle_generate::Random;

/// The declarations so far.
struct Grower<'r> {
    random: &'r mut Random,
    text: String,
    /// Scalars that can be read and written.
    scalars: Vec<String>,
    /// Channels and their number of message fields.
    channels: Vec<(String, usize)>,
    /// Process types and their number of parameters.
    processes: Vec<(String, usize)>,
    /// Labels of the current process.
    labels: usize,
    loops: usize,
}

/// A program.
pub fn program(random: &mut Random) -> String {
    let mut grower = Grower {
        random,
        text: String::new(),
        scalars: Vec::new(),
        channels: Vec::new(),
        processes: Vec::new(),
        labels: 0,
        loops: 0,
    };
    grower.globals();
    for _ in 0..grower.random.few(4) {
        grower.process();
    }
    grower.ending();
    grower.text
}

const TYPES: [&str; 7] = ["bit", "bool", "byte", "short", "int", "pid", "unsigned"];

impl Grower<'_> {
    fn say(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn globals(&mut self) {
        for n in 0..1 + self.random.below(4) {
            let kind = self.random.pick(&TYPES);
            let name = format!("v{n}");
            let width =
                if kind == "unsigned" { format!(" : {}", 1 + self.random.below(32)) } else { String::new() };
            match self.random.below(4) {
                0 if width.is_empty() => {
                    let length = 1 + self.random.below(5);
                    self.say(&format!("{kind} {name}[{length}];\n"));
                    self.scalars.push(format!("{name}[{}]", self.random.below(length)));
                    continue;
                }
                1 => {
                    let first = self.constant();
                    self.say(&format!("{kind} {name}{width} = {first};\n"));
                }
                _ => self.say(&format!("{kind} {name}{width};\n")),
            }
            self.scalars.push(name);
        }
        for n in 0..self.random.below(3) {
            let fields = 1 + self.random.below(3);
            let kinds: Vec<&str> = (0..fields).map(|_| self.random.pick(&TYPES[..5])).collect();
            let room = self.random.below(4);
            self.say(&format!("chan q{n} = [{room}] of {{ {} }};\n", kinds.join(", ")));
            self.channels.push((format!("q{n}"), fields));
        }
        if self.random.one_in(3) {
            self.say("typedef R { byte f; short g[2] }\nR rec; R recs[2];\n");
            self.scalars.extend(["rec.f", "rec.g[1]", "recs[1].f", "recs[v0 & 1].g[0]"].map(String::from));
        }
        if self.random.one_in(4) {
            self.say("mtype = { red, green };\nmtype m = red;\n");
        }
    }

    fn process(&mut self) {
        let name = format!("P{}", self.processes.len());
        let scalars = self.scalars.len();
        let parameters = self.random.below(3);
        let list: Vec<String> = (0..parameters).map(|n| format!("byte p{n}")).collect();
        let active =
            if self.random.one_in(3) { String::new() } else { format!("active [{}] ", self.random.few(3)) };
        let provided =
            if self.random.one_in(8) { format!(" provided ({})", self.value(2)) } else { String::new() };
        self.say(&format!("{active}proctype {name}({}){provided} {{\n", list.join("; ")));
        self.scalars.extend((0..parameters).map(|n| format!("p{n}")));
        for n in 0..self.random.below(3) {
            let kind = self.random.pick(&TYPES[..5]);
            self.say(&format!("  {kind} l{n};\n"));
            self.scalars.push(format!("l{n}"));
        }
        self.labels = 0;
        self.loops = 0;
        self.body(4);
        self.say("}\n");
        self.scalars.truncate(scalars);
        self.processes.push((name, parameters));
    }

    fn body(&mut self, depth: usize) {
        for n in 0..self.random.few(5) {
            if n > 0 {
                let between = self.random.pick(&["; ", ";\n  ", " -> ", "\n  "]);
                self.say(between);
            }
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        if self.random.one_in(8) {
            let prefix = self.random.pick(&["L", "end", "accept", "progress"]);
            let number = self.labels;
            self.labels += 1;
            self.say(&format!("{prefix}{number}: "));
        }
        let choice = if depth == 0 { self.random.below(8) } else { self.random.below(18) };
        match choice {
            0 | 1 => {
                let (to, value) = (self.scalar(), self.value(3));
                self.say(&format!("{to} = {value}"));
            }
            2 => {
                let (of, sign) = (self.scalar(), self.random.pick(&["++", "--"]));
                self.say(&format!("{of}{sign}"));
            }
            3 | 4 => self.communicate(),
            5 => {
                let value = self.value(3);
                self.say(&format!("assert({value})"));
            }
            6 => {
                let statement =
                    self.random.pick(&["skip", "true", "timeout", "v0 > 1", "printf(\"%d\\n\", v0)"]);
                self.say(statement);
            }
            7 => match self.loops > 0 {
                true => self.say("break"),
                false => self.say("goto L0"),
            },
            8 | 9 => self.select("if", "fi", depth),
            10 | 11 => {
                self.loops += 1;
                self.select("do", "od", depth);
                self.loops -= 1;
            }
            12 | 13 => {
                let word = self.random.pick(&["atomic", "d_step", "atomic", ""]);
                self.say(&format!("{word} {{ "));
                self.body(depth - 1);
                self.say(" }");
            }
            14 => {
                self.say("{ ");
                self.body(depth - 1);
                self.say(" } unless { ");
                self.body(depth - 1);
                self.say(" }");
            }
            15 => {
                let (counter, last) = (self.scalar(), self.constant());
                self.say(&format!("for ({counter} : 0 .. {last}) {{ "));
                self.body(depth - 1);
                self.say(" }");
            }
            16 => self.start(),
            _ => {
                let statement = self.random.pick(STATEMENTS);
                self.say(statement);
            }
        }
    }

    fn select(&mut self, open: &str, close: &str, depth: usize) {
        self.say(open);
        for n in 0..self.random.few(4) {
            let last = n > 0 && self.random.one_in(4);
            let guard = if last { "else".to_string() } else { self.value(2) };
            self.say(&format!(" :: {guard} -> "));
            self.body(depth - 1);
            if last {
                break;
            }
        }
        self.say(&format!(" {close}"));
    }

    fn communicate(&mut self) {
        if self.channels.is_empty() {
            return self.say("skip");
        }
        let (channel, fields) = self.channels[self.random.below(self.channels.len())].clone();
        let sign = self.random.pick(&["!", "?", "!", "?", "!!", "??"]);
        let arguments: Vec<String> = (0..fields)
            .map(|_| match (sign.starts_with('!'), self.random.below(4)) {
                (true, _) => self.value(2),
                (false, 0) => self.constant(),
                (false, 1) => format!("eval({})", self.value(1)),
                (false, 2) => "_".into(),
                (false, _) => self.scalar(),
            })
            .collect();
        self.say(&format!("{channel}{sign}{}", arguments.join(",")));
    }

    fn start(&mut self) {
        if self.processes.is_empty() {
            return self.say("skip");
        }
        let (name, parameters) = self.processes[self.random.below(self.processes.len())].clone();
        let arguments: Vec<String> = (0..parameters).map(|_| self.value(1)).collect();
        self.say(&format!("run {name}({})", arguments.join(", ")));
    }

    fn ending(&mut self) {
        if self.random.one_in(3) {
            self.say("init { ");
            self.start();
            self.say(" }\n");
        }
        if self.random.one_in(4) {
            let (a, b) = (self.global(), self.global());
            let shape = self.random.pick(&["[] (A)", "[] (A -> <> B)", "A U (B W A)", "!<>[] A && X B"]);
            let formula = shape.replace('A', &format!("({a} > 0)")).replace('B', &format!("({b} == 1)"));
            self.say(&format!("ltl f {{ {formula} }}\n"));
        }
    }

    fn global(&mut self) -> String {
        self.scalars[self.random.below(self.scalars.len())].clone()
    }

    fn scalar(&mut self) -> String {
        self.global()
    }

    fn constant(&mut self) -> String {
        match self.random.below(8) {
            0 => self.random.pick(NUMBERS).to_string(),
            _ => self.random.below(9).to_string(),
        }
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.random.one_in(2) { self.constant() } else { self.scalar() };
        }
        let binary = [
            "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&&", "||", "==", "!=", "<", "<=", ">", ">=",
        ];
        match self.random.below(9) {
            0 => format!("!{}", self.value(depth - 1)),
            1 => format!("-({})", self.value(depth - 1)),
            2 => format!("~({})", self.value(depth - 1)),
            3 => format!(
                "({} -> {} : {})",
                self.value(depth - 1),
                self.value(depth - 1),
                self.value(depth - 1)
            ),
            4 => self.random.pick(&["_pid", "_nr_pr", "true", "false", "np_"]).to_string(),
            5 => self.scalar(),
            _ => {
                let sign = self.random.pick(&binary);
                format!("({} {sign} {})", self.value(depth - 1), self.value(depth - 1))
            }
        }
    }
}
