//! Processes and statements.
//!
//! *Entry points:* [`Maker::active_type`], [`Maker::body`], [`Maker::statement`].

use super::scope::{Scope, Ty, Var};
use super::{Maker, Process};
use crate::tree::Tree;

/// The statements that are allowed at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// Inside a loop that `break` can leave.
    in_loop: bool,
    in_atomic: bool,
    in_dstep: bool,
    /// Labels and jumps are allowed (not in an inline).
    jumps: bool,
    /// Executed often: no process creation.
    often: bool,
}

impl Place {
    fn top() -> Place {
        Place { in_loop: false, in_atomic: false, in_dstep: false, jumps: true, often: false }
    }

    /// The body of an inline.
    pub(super) fn inline() -> Place {
        Place { jumps: false, often: true, ..Place::top() }
    }
}

/// A sequence of statements without braces.
fn sequence(parts: Vec<Tree>) -> Tree {
    Tree::List { open: "", parts, between: ";\n", close: "", least: 1 }
}

fn row(before: impl Into<String>, tree: Tree, behind: &str) -> Tree {
    Tree::Row(vec![Tree::text(before), tree, Tree::text(behind)])
}

/// The options of `if` or `do`.
fn choice(word: &'static str, options: Vec<Tree>, end: &'static str) -> Tree {
    Tree::Row(vec![
        Tree::text(word),
        Tree::List { open: "\n", parts: options, between: "\n", close: end, least: 1 },
    ])
}

impl Maker {
    /// A process type that other processes start.
    pub(super) fn started_type(&mut self) -> Tree {
        let outside = self.scope.clone();
        let name = self.name("P");
        let (mut parameters, mut texts) = (Vec::new(), Vec::new());
        for _ in 0..self.random.below(3) {
            let (written, ty, prefix) = match self.random.below(6) {
                0 => ("bit".to_string(), Ty::Bit, "b"),
                1 => ("short".to_string(), Ty::Number, "s"),
                2 if !self.mtypes.is_empty() => (self.mtypes[0].0.clone(), Ty::Mtype(0), "m"),
                3 | 4 if !self.channels.is_empty() => {
                    ("chan".to_string(), Ty::Chan(self.random.below(self.channels.len())), "pc")
                }
                _ => ("byte".to_string(), Ty::Number, "by"),
            };
            let parameter = self.name(prefix);
            texts.push(format!("{written} {parameter}"));
            parameters.push(match ty {
                Ty::Chan(number) => {
                    let chan = &self.channels[number];
                    chan.len.map_or(chan.name.clone(), |_| format!("{}[1]", chan.name))
                }
                Ty::Mtype(kind) => self.mtypes[kind].1[0].clone(),
                Ty::Bit | Ty::Number => "?".to_string(),
            });
            self.scope.vars.push(Var { name: parameter, ty, len: None, global: false, busy: false });
        }
        let head = format!("proctype {name}({})", texts.join("; "));
        let (body, labels, locals) = self.process_body(Vec::new());
        self.scope = outside;
        self.processes.push(Process { name, parameters, active: None, labels, locals });
        row(format!("{head} "), body, "")
    }

    /// A process type with instances in the initial state.
    pub(super) fn active_type(&mut self) -> Tree {
        let outside = self.scope.clone();
        let name = self.name("A");
        let count = if self.random.one_in(4) { 2 } else { 1 };
        let mut head = match count {
            1 => format!("active proctype {name}()"),
            n => format!("active [{n}] proctype {name}()"),
        };
        if self.features.priorities && self.random.one_in(2) {
            head.push_str(&format!(" priority {}", 1 + self.random.below(3)));
        }
        if self.features.provided && self.random.one_in(2) {
            let globals = self
                .readable(|var| var.global && var.len.is_none() && matches!(var.ty, Ty::Bit | Ty::Number));
            if !globals.is_empty() {
                let var = &globals[self.random.below(globals.len())].name;
                head.push_str(&format!(" provided ({var} != 2)"));
            }
        }
        let first = self.started;
        let (body, labels, locals) = self.process_body(Vec::new());
        self.scope = outside;
        self.started += count;
        self.processes.push(Process {
            name,
            parameters: Vec::new(),
            active: Some((count, first)),
            labels,
            locals,
        });
        row(format!("{head} "), body, "")
    }

    /// The `init` process, which starts others.
    pub(super) fn init(&mut self) -> Tree {
        let outside = self.scope.clone();
        let mut starts = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            starts.extend(self.start());
        }
        let begin = match (starts.is_empty(), self.random.one_in(3)) {
            (true, _) => Vec::new(),
            (false, true) => starts,
            (false, false) => vec![row("atomic ", Tree::block(starts), "")],
        };
        let (body, _, _) = self.process_body(begin);
        self.scope = outside;
        self.started += 1;
        row("init ", body, "")
    }

    /// The body of a process, its labels, and its variables for remote references.
    fn process_body(&mut self, begin: Vec<Tree>) -> (Tree, Vec<String>, Vec<String>) {
        self.scope.labels.clear();
        let mut parts = Vec::new();
        let mut locals = Vec::new();
        for _ in 0..self.random.below(3) {
            let (declaration, var) = self.variable(false);
            // Remote references are to numbers only.
            if var.len.is_none() && matches!(var.ty, Ty::Bit | Ty::Number) {
                locals.push(var.name.clone());
            }
            self.scope.vars.push(var);
            parts.push(declaration);
        }
        if !self.records.is_empty() && self.random.one_in(5) {
            let number = self.random.below(self.records.len());
            let name = self.name("g");
            parts.push(Tree::text(format!("{} {name}", self.records[number].name)));
            self.declare_record(&name, number, false);
        }
        if self.channels.len() > 1 && self.random.one_in(6) {
            let name = self.name("d");
            let number = self.random.below(self.channels.len());
            self.scope.vars.push(Var {
                name: name.clone(),
                ty: Ty::Chan(number),
                len: None,
                global: false,
                busy: false,
            });
            parts.push(Tree::text(format!("chan {name}")));
        }
        if !self.spin()
            && self.random.one_in(15)
            && let Some((place, _)) = self.channel_in_scope(|chan| chan.len.is_none())
        {
            let word = self.random.pick(&["xr", "xs"]);
            parts.push(Tree::text(format!("{word} {place}")));
        }
        parts.extend(begin);
        self.budget = 2 + self.random.below(8);
        let mut labels = Vec::new();
        let count = 1 + self.random.below(5);
        for index in 0..count {
            let statement = self.statement(3, Place::top());
            if self.features.labels && (index > 0 || !parts.is_empty()) && self.random.one_in(3) {
                // Spin combines accept labels and a claim into one property.
                let claimed = self.spin() && (self.features.never || self.features.formulas > 0);
                let accept = if claimed { "end" } else { "accept" };
                let prefix = self.random.pick(&["L", "L", "end", accept, "progress"]);
                let label = self.name(prefix);
                self.scope.labels.push(label.clone());
                labels.push(label.clone());
                parts.push(row(format!("{label}: "), statement, ""));
            } else {
                parts.push(statement);
            }
        }
        (Tree::block(parts), labels, locals)
    }

    /// Statements in braces, possibly with a local variable.
    pub(super) fn body(&mut self, depth: usize, place: Place) -> Tree {
        let scope = self.scope.vars.len();
        let mut parts = Vec::new();
        if self.random.one_in(8) && !place.in_dstep {
            let (declaration, var) = self.variable(false);
            self.scope.vars.push(var);
            parts.push(declaration);
        }
        parts.extend(self.statements(depth, place));
        self.scope.vars.truncate(scope);
        Tree::block(parts)
    }

    fn statements(&mut self, depth: usize, place: Place) -> Vec<Tree> {
        (0..self.random.few(3)).map(|_| self.statement(depth, place)).collect()
    }

    /// A statement with nesting depth at most `depth`.
    pub(super) fn statement(&mut self, depth: usize, place: Place) -> Tree {
        self.budget = self.budget.saturating_sub(1);
        if place.in_dstep {
            return self.certain(depth, place);
        }
        let deep = depth > 0 && self.budget > 0;
        let made = match self.random.below(42) {
            0..=7 => Some(self.assignment()),
            8..=11 => self.send(true),
            12..=15 => self.receive(true),
            16 | 17 => Some(self.guard(place)),
            18 => Some(Tree::text("skip")),
            19 if !place.often => self.start(),
            20 => Some(row("assert(", self.likely(), ")")),
            21 => Some(self.print()),
            22 => self.call(),
            23 if place.jumps => self.jump(),
            24 if place.in_loop => Some(Tree::text("break")),
            25 => self.select(),
            26..=29 if deep => Some(self.selection(depth - 1, place)),
            30 | 31 if deep => Some(self.repetition(depth - 1, place)),
            32 | 33 if deep => {
                let inside = Place { in_atomic: true, ..place };
                let mut parts = if self.random.one_in(3) { vec![self.guard(place)] } else { Vec::new() };
                parts.extend(self.statements(depth - 1, inside));
                Some(row("atomic ", Tree::block(parts), ""))
            }
            34 | 35 if deep => Some(self.deterministic(depth - 1, place)),
            36 | 37 if deep => self.counted(depth - 1, place),
            38 | 39 if deep && !place.in_atomic => Some(self.guarded(depth - 1, place)),
            40 if deep => Some(self.body(depth - 1, place)),
            41 if self.features.priorities => {
                Some(Tree::text(format!("set_priority(_pid, {})", 1 + self.random.below(3))))
            }
            _ => None,
        };
        made.unwrap_or_else(|| self.assignment())
    }

    /// A statement in a `d_step`: it neither blocks nor jumps.
    fn certain(&mut self, depth: usize, place: Place) -> Tree {
        let deep = depth > 0 && self.budget > 0;
        match self.random.below(12) {
            0 if deep => {
                let mut options = self.options(depth - 1, place);
                let otherwise = sequence(self.statements(depth - 1, place));
                options.push(row(":: else -> ", otherwise, ""));
                choice("if", options, "\nfi")
            }
            1 if deep => self.counted(depth - 1, place).unwrap_or_else(|| self.assignment()),
            2 => row("assert(", self.likely(), ")"),
            3 => self.print(),
            4 => Tree::text("skip"),
            5 if self.features.faults => self.guard(place),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) -> Tree {
        let vars = self.readable(|var| !var.busy && !matches!(var.ty, Ty::Chan(_)));
        if vars.is_empty() {
            return Tree::text("skip");
        }
        let var = vars[self.random.below(vars.len())].clone();
        let place = self.place(&var);
        let set = |value: Tree| row(format!("{place} = "), value, "");
        match var.ty {
            Ty::Mtype(kind) => {
                let name = self.mtype_name(kind);
                Tree::text(format!("{place} = {name}"))
            }
            Ty::Bit => match self.random.below(3) {
                0 => set(Tree::value(format!("1 - {place}"))),
                1 => set(Tree::value(self.random.pick(&["0", "1", "true", "false"]))),
                _ => set(self.condition(1)),
            },
            _ => match self.random.below(10) {
                0 | 1 => Tree::text(format!("{place}++")),
                2 => Tree::text(format!("{place}--")),
                3 | 4 => set(Tree::value(self.constant())),
                5 | 6 => set(Tree::value(format!("({place} + 1) % 3"))),
                7 => set(Tree::Value(vec![Tree::text("("), self.number(2), Tree::text(") & 3")])),
                8 => set(Tree::Value(vec![Tree::text("("), self.number(2), Tree::text(") % 4")])),
                _ => set(self.number(2)),
            },
        }
    }

    /// A statement that may block.
    fn guard(&mut self, place: Place) -> Tree {
        let made = match self.random.below(10) {
            0 if !place.in_dstep => self.channel_guard(),
            1 if self.features.timeout && !place.in_dstep => Some(Tree::text("timeout")),
            _ => None,
        };
        made.unwrap_or_else(|| row("(", self.condition(1), ")"))
    }

    /// A condition that is true in most states.
    fn likely(&mut self) -> Tree {
        let vars = self.readable(|var| var.ty == Ty::Number);
        match vars.is_empty() || self.random.one_in(3) {
            true => self.condition(1),
            false => {
                let var = vars[self.random.below(vars.len())].clone();
                let most = 1 + self.random.below(4);
                let place = self.place(&var);
                Tree::value(format!("({place} <= {most})"))
            }
        }
    }

    fn print(&mut self) -> Tree {
        row("printf(\"%d\\n\", ", self.number(1), ")")
    }

    /// `run` of a type declared before; the process number may be stored.
    fn start(&mut self) -> Option<Tree> {
        let known: Vec<_> =
            self.processes.iter().filter(|process| process.active.is_none()).cloned().collect();
        if known.is_empty() {
            return None;
        }
        let process = known[self.random.below(known.len())].clone();
        let arguments: Vec<Tree> = (process.parameters.iter())
            .map(|given| if given == "?" { self.number(0) } else { Tree::text(given.clone()) })
            .collect();
        let list = Tree::List { open: "(", parts: arguments, between: ", ", close: ")", least: usize::MAX };
        let priority = match self.features.priorities && self.random.one_in(2) {
            true => format!(" priority {}", 1 + self.random.below(3)),
            false => String::new(),
        };
        let bytes = self.readable(|var| !var.busy && var.len.is_none() && var.name.starts_with("by"));
        let kept = match !bytes.is_empty() && self.random.one_in(3) {
            true => format!("{} = ", bytes[self.random.below(bytes.len())].name),
            false => String::new(),
        };
        Some(row(format!("{kept}run {}", process.name), list, &priority))
    }

    fn call(&mut self) -> Option<Tree> {
        if self.inlines.is_empty() {
            return None;
        }
        let inline = self.inlines[self.random.below(self.inlines.len())].clone();
        let vars = self.readable(|var| !var.busy && var.ty == Ty::Number && var.len.is_none());
        if vars.is_empty() && inline.parameters > 0 {
            return None;
        }
        let arguments: Vec<String> =
            (0..inline.parameters).map(|_| vars[self.random.below(vars.len())].name.clone()).collect();
        Some(Tree::text(format!("{}({})", inline.name, arguments.join(", "))))
    }

    fn jump(&mut self) -> Option<Tree> {
        let labels = &self.scope.labels;
        (!labels.is_empty()).then(|| Tree::text(format!("goto {}", labels[self.random.below(labels.len())])))
    }

    /// A variable that is not assigned while it counts.
    fn counter(&mut self) -> Option<String> {
        let free = self.readable(|var| {
            !var.busy
                && !var.global
                && var.len.is_none()
                && var.ty == Ty::Number
                && !var.name.starts_with('u')
                && !var.name.contains('.')
        });
        (!free.is_empty()).then(|| free[self.random.below(free.len())].name.clone())
    }

    fn select(&mut self) -> Option<Tree> {
        let name = self.counter()?;
        Some(Tree::text(format!("select ({name} : 0 .. {})", 1 + self.random.below(3))))
    }

    /// `for` over numbers or an array.
    fn counted(&mut self, depth: usize, place: Place) -> Option<Tree> {
        let name = self.counter()?;
        let mark = |maker: &mut Maker, busy: bool| {
            maker.scope.vars.iter_mut().filter(|var| var.name == name).for_each(|var| var.busy = busy);
        };
        let arrays = self.readable(|var| var.len.is_some() && !var.name.contains('.'));
        let head = match !arrays.is_empty() && self.random.one_in(3) {
            true => format!("for ({name} in {}) ", arrays[self.random.below(arrays.len())].name),
            false => format!("for ({name} : {} .. {}) ", self.random.below(2), 1 + self.random.below(2)),
        };
        mark(self, true);
        let inside = Place { in_loop: !place.in_dstep, often: true, ..place };
        let body = match place.in_dstep {
            true => Tree::block(self.statements(depth, inside)),
            false => self.body(depth, inside),
        };
        mark(self, false);
        Some(row(head, body, ""))
    }

    fn options(&mut self, depth: usize, place: Place) -> Vec<Tree> {
        let mut options = Vec::new();
        for _ in 0..self.random.few(3) {
            let first = match self.random.below(8) {
                0 if !place.in_dstep => self.send(true),
                1 | 2 if !place.in_dstep => self.receive(true),
                3 => Some(self.assignment()),
                _ => None,
            };
            let first = match first {
                Some(first) => first,
                None => self.guard(place),
            };
            let mut parts = vec![first];
            if self.random.one_in(2) {
                parts.extend(self.statements(depth, place));
            }
            options.push(row(":: ", sequence(parts), ""));
        }
        options
    }

    fn selection(&mut self, depth: usize, place: Place) -> Tree {
        let mut options = self.options(depth, place);
        if self.random.one_in(3) {
            options.push(row(":: else -> ", sequence(self.statements(depth, place)), ""));
        }
        choice("if", options, "\nfi")
    }

    fn repetition(&mut self, depth: usize, place: Place) -> Tree {
        let mut options = self.options(depth, Place { in_loop: true, often: true, ..place });
        match self.random.below(4) {
            0 | 1 => options.push(Tree::text(":: else -> break")),
            2 => options.push(row(":: ", self.guard(place), " -> break")),
            _ if place.in_atomic => options.push(Tree::text(":: break")),
            _ => {}
        }
        choice("do", options, "\nod")
    }

    fn deterministic(&mut self, depth: usize, place: Place) -> Tree {
        let inside = Place { in_dstep: true, in_loop: false, jumps: false, ..place };
        let mut parts = match self.random.below(4) {
            0 => vec![row("(", self.condition(1), ")")],
            1 => self.receive(false).into_iter().collect(),
            _ => Vec::new(),
        };
        parts.extend(self.statements(depth, inside));
        row("d_step ", Tree::block(parts), "")
    }

    /// `{ } unless { }`
    fn guarded(&mut self, depth: usize, place: Place) -> Tree {
        let body = self.body(depth, place);
        let first = match self.random.below(4) {
            0 => self.receive(true),
            _ => None,
        };
        let mut parts = vec![first.unwrap_or_else(|| row("(", self.condition(1), ")"))];
        if self.random.one_in(2) {
            parts.extend(self.statements(depth, Place { in_loop: false, ..place }));
        }
        Tree::Row(vec![body, Tree::text(" unless "), Tree::block(parts)])
    }

    /// The scope of global names, for text outside processes.
    pub(super) fn globals(&self) -> Scope {
        let mut scope = self.scope.clone();
        scope.vars.retain(|var| var.global);
        scope
    }
}
