//! Random well-formed models, for property tests here and in other crates (feature `testing`).
//!
//! A byte string determines the model: each choice consumes one byte, and after the last byte every
//! choice is the first and simplest one. Any source of bytes is suitable (a property test, a
//! fuzzer). Shortening or zeroing bytes simplifies the model, which is how a failure is minimised.
//!
//! *Entry point:* [`model`].
//! *Invariant:* `verify(&model(bytes))` is empty for all bytes. The models use every construct of
//! the language; faults in their executions (an index out of range, a missing channel) are
//! intended.

use crate::{
    Access, Atomicity, Base, BinOp, ChanRef, Channel, Comm, Edge, EdgeId, Effect, Expr, Field, FileId,
    Formula, GlobalId, Instance, IntType, LocId, LocalId, Location, Model, NameSet, NameSetId, Origin,
    Pattern, Place, ProcId, Process, Property, PropertyKind, Query, Record, RecordId, Semantics, Shape,
    ShapeId, Shown, Step, Type, UnOp, Variable,
};

/// The model of a byte string.
pub fn model(bytes: &[u8]) -> Model {
    let mut c = Choices { rest: bytes };
    let mut m = tables(&mut c);
    let types = 1 + c.below(3);
    // Headers first: code refers to the parameters, locals and locations of any process.
    m.processes = (0..types).map(|i| header(&mut c, &m, &format!("P{i}"))).collect();
    m.start = (0..1 + c.below(3))
        .map(|_| Instance { proc: ProcId::new(c.below(types)), priority: 1 + c.below(3) as u8 })
        .collect();
    m.prologue = (0..c.below(3)).map(|_| Coder { c: &mut c, m: &m, own: None }.change()).collect();
    for i in 0..types {
        m.processes[i] = body(&mut c, &m, m.processes[i].clone(), Kind::Process);
    }
    m.properties = (0..c.below(3)).map(|i| property(&mut c, &m, i)).collect();
    m
}

/// The remaining bytes.
struct Choices<'b> {
    rest: &'b [u8],
}

impl Choices<'_> {
    /// A number below `n`; 0 after the last byte.
    fn below(&mut self, n: usize) -> usize {
        let Some((&byte, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        byte as usize % n.max(1)
    }

    /// True with probability 1/`n`; false after the last byte.
    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn number(&mut self) -> i64 {
        match self.below(12) {
            0..8 => self.below(5) as i64,
            8 => -1 - self.below(200) as i64,
            9 => 250 + self.below(10) as i64,
            10 => self.pick(&[i64::MAX, i64::MIN, i64::from(i32::MAX), i64::from(i32::MIN), 1 << 40]),
            _ => self.below(40) as i64,
        }
    }

    fn text(&mut self) -> String {
        let texts = ["x = x + 1", "", "say \"hi\\n\"", "sans accent: é", "a // b"];
        self.pick(&texts).to_string()
    }

    fn origin(&mut self) -> Origin {
        if !self.once_in(3) {
            return Origin::NONE;
        }
        let (line, column) = (1 + self.below(100) as u32, 1 + self.below(40) as u32);
        let end_line = line + self.below(2) as u32;
        Origin { file: FileId(0), line, column, end_line, end_column: column + self.below(30) as u32 }
    }

    fn int_type(&mut self) -> IntType {
        let bits = self.pick(&[8, 1, 2, 3, 5, 7, 8, 9, 16, 31, 32, 33, 63, 64]);
        IntType { bits, signed: self.once_in(3) }
    }

    /// The type of an operation: mostly Promela's `int`.
    fn operand_type(&mut self) -> IntType {
        if self.once_in(6) { self.int_type() } else { IntType::I32 }
    }
}

fn variable(c: &mut Choices, name: String, ty: Type) -> Variable {
    let access = match c.once_in(5) {
        true => c.pick(&[Access::Hidden, Access::Local, Access::Show]),
        false => Access::Plain,
    };
    Variable { name, ty, access, origin: c.origin() }
}

fn scalar_type(c: &mut Choices) -> Type {
    match c.below(8) {
        0..4 => Type::Int(c.int_type(), Shown::Number),
        4 => Type::Int(IntType::BIT, Shown::Bool),
        5 => Type::Int(IntType::BYTE, Shown::Pid),
        6 => Type::Int(IntType::BYTE, Shown::Names(NameSetId(0))),
        _ => Type::Chan,
    }
}

/// A type made of scalars and the first `records` records.
fn any_type(c: &mut Choices, records: usize) -> Type {
    match c.below(6) {
        0..3 => scalar_type(c),
        3 if records > 0 => Type::Record(RecordId::new(c.below(records))),
        _ => Type::Array(
            Box::new(if c.once_in(3) { any_type(c, records) } else { scalar_type(c) }),
            1 + c.below(4) as u32,
        ),
    }
}

fn tables(c: &mut Choices) -> Model {
    let mut records: Vec<Record> = Vec::new();
    for i in 0..c.below(3) {
        let fields =
            (0..1 + c.below(3)).map(|f| Field { name: format!("f{f}"), ty: any_type(c, i) }).collect();
        records.push(Record { name: format!("R{i}"), fields });
    }
    let names = vec![("lo".into(), -1), ("red".into(), 1), ("green".into(), 2)];
    let shapes: Vec<Shape> = (0..c.below(3))
        .map(|_| {
            let capacity = c.below(4) as u32;
            Shape { capacity, fields: (0..c.below(4)).map(|_| scalar_type(c)).collect() }
        })
        .collect();
    let globals = (0..c.below(4))
        .map(|i| {
            let ty = any_type(c, records.len());
            variable(c, format!("v{i}"), ty)
        })
        .collect();
    let channels = channels(c, &shapes, "q");
    Model {
        files: vec!["dir \"x\"/random.pml".into()],
        records,
        name_sets: vec![NameSet { name: "mtype".into(), names }],
        shapes,
        globals,
        channels,
        prologue: Vec::new(),
        processes: Vec::new(),
        start: Vec::new(),
        properties: Vec::new(),
        semantics: Semantics {
            lossy: c.once_in(6),
            priorities: c.once_in(6),
            max_processes: 3 + c.below(4) as u32,
            max_channels: 255,
        },
    }
}

fn channels(c: &mut Choices, shapes: &[Shape], name: &str) -> Vec<Channel> {
    let count = if shapes.is_empty() { 0 } else { c.below(3) };
    (0..count)
        .map(|i| Channel { name: format!("{name}[{i}]"), shape: ShapeId::new(c.below(shapes.len())) })
        .collect()
}

/// A process with locals and locations, and no code yet.
fn header(c: &mut Choices, m: &Model, name: &str) -> Process {
    let params = c.below(3);
    let mut locals: Vec<Variable> = Vec::new();
    for i in 0..params + c.below(3) {
        let ty = if i < params { scalar_type(c) } else { any_type(c, m.records.len()) };
        locals.push(variable(c, format!("x{i}"), ty));
    }
    let count = 2 + c.below(4);
    let locations = (0..count)
        .map(|i| {
            let last = i + 1 == count;
            let label = match c.below(6) {
                1 => "accept_here",
                2 => "progress",
                3 => "end_of_it",
                4 => "again",
                _ => "",
            };
            Location {
                out: Vec::new(),
                labels: if label.is_empty() { Vec::new() } else { vec![label.into()] },
                end: last || label.starts_with("end"),
                accept: label.starts_with("accept"),
                progress: label.starts_with("progress"),
                origin: c.origin(),
            }
        })
        .collect();
    Process {
        name: name.into(),
        params: params as u32,
        locals,
        channels: channels(c, &m.shapes, "mine"),
        prologue: Vec::new(),
        locations,
        edges: Vec::new(),
        entry: LocId(0),
        provided: None,
        deterministic: false,
        origin: c.origin(),
    }
}

/// Permitted operations of the edges of an automaton.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Process,
    Claim,
    Events,
}

fn body(c: &mut Choices, m: &Model, mut p: Process, kind: Kind) -> Process {
    let own = p.clone();
    let mut code = Coder { c, m, own: Some(&own) };
    if kind == Kind::Process {
        p.prologue = (0..code.c.below(3)).map(|_| code.change()).collect();
        p.provided = code.c.once_in(10).then(|| code.expr(2));
        p.deterministic = code.c.once_in(12);
    }
    let last = p.locations.len() - 1;
    for source in 0..p.locations.len() {
        let count = code.c.below(3) + usize::from(source != last);
        let mut edges: Vec<Edge> =
            (0..count).map(|_| code.edge(LocId::new(source), p.locations.len(), kind)).collect();
        edges.sort_by_key(|e| e.rank);
        for edge in edges {
            p.locations[source].out.push(EdgeId::new(p.edges.len()));
            p.edges.push(edge);
        }
    }
    p
}

fn property(c: &mut Choices, m: &Model, index: usize) -> Property {
    let kind = match c.below(4) {
        0 => PropertyKind::Ltl(Coder { c, m, own: None }.formula(3)),
        choice => {
            let process = header(c, m, &format!("automaton_{index}"));
            match choice {
                1 => PropertyKind::Never(body(c, m, process, Kind::Claim)),
                2 => PropertyKind::Trace(body(c, m, process, Kind::Events)),
                _ => PropertyKind::NoTrace(body(c, m, process, Kind::Events)),
            }
        }
    };
    Property { name: format!("property_{index}"), origin: c.origin(), kind }
}

/// Generates code for a process, or for global expressions.
struct Coder<'a, 'b, 'm> {
    c: &'a mut Choices<'b>,
    m: &'m Model,
    own: Option<&'m Process>,
}

impl<'m> Coder<'_, '_, 'm> {
    fn edge(&mut self, source: LocId, locations: usize, kind: Kind) -> Edge {
        let target = LocId::new((source.index() + 1 + self.c.below(locations)) % locations);
        let mut edge = Edge {
            source,
            target,
            rank: if self.c.once_in(5) { 1 + self.c.below(2) as u8 } else { 0 },
            guard: if self.c.once_in(2) { self.expr(2) } else { Expr::TRUE },
            comm: None,
            effects: Vec::new(),
            keep: self.c.pick(&[
                Atomicity::Release,
                Atomicity::Release,
                Atomicity::Release,
                Atomicity::Atomic,
                Atomicity::Deterministic,
            ]),
            is_else: self.c.once_in(8),
            text: self.c.text(),
            origins: (0..self.c.below(3)).map(|_| self.c.origin()).collect(),
        };
        if kind != Kind::Claim && self.c.once_in(3) {
            edge.comm = self.comm();
        }
        match kind {
            Kind::Process => {
                edge.effects = (0..self.c.below(4)).map(|_| self.effect()).collect();
                if self.c.once_in(6) {
                    let youngest = Expr::int(BinOp::Sub, Expr::ProcessCount, Expr::Const(1));
                    edge.guard = Expr::int(BinOp::Eq, Expr::SelfPid, youngest);
                    edge.comm = None;
                    edge.effects.retain(|effect| !matches!(effect, Effect::Run { .. }));
                    edge.effects.push(Effect::Exit);
                }
            }
            Kind::Claim => edge.effects = (0..self.c.below(2)).map(|_| self.assertion()).collect(),
            Kind::Events => {}
        }
        edge
    }

    fn assertion(&mut self) -> Effect {
        Effect::Assert(self.expr(2), self.c.text())
    }

    /// A random effect of a prologue.
    fn change(&mut self) -> Effect {
        match self.c.below(6) {
            0..4 => match self.place(2) {
                Some(place) => Effect::Assign(place, self.expr(2)),
                None => self.assertion(),
            },
            4 => match self.variable() {
                Some((base, _)) => Effect::Clear(Place { base, path: Vec::new() }),
                None => self.assertion(),
            },
            _ => self.assertion(),
        }
    }

    fn effect(&mut self) -> Effect {
        match self.c.below(10) {
            0..7 => self.change(),
            7 => Effect::Print("%d %d\n".into(), self.args(2)),
            8 => {
                let proc = self.c.below(self.m.processes.len());
                let params = self.m.processes[proc].params as usize;
                let args = self.args(params);
                let priority = self.c.once_in(4).then(|| self.expr(1));
                let into = if self.c.once_in(2) { self.place(1) } else { None };
                Effect::Run { proc: ProcId::new(proc), args, priority, into }
            }
            _ => Effect::SetPriority(self.expr(1), self.expr(1)),
        }
    }

    fn args(&mut self, count: usize) -> Vec<Expr> {
        (0..count).map(|_| self.expr(2)).collect()
    }

    /// A channel by name with its shape, if there is one.
    fn channel(&mut self) -> Option<(Expr, &'m Shape)> {
        let m = self.m;
        let own = self.own.map_or(0, |p| p.channels.len());
        let count = m.channels.len() + own;
        if count == 0 {
            return None;
        }
        let i = self.c.below(count);
        let (chan, channel) = match self.own {
            Some(p) if i < own => (ChanRef::Own(i as u32), &p.channels[i]),
            _ => (ChanRef::Global((i - own) as u32), &m.channels[i - own]),
        };
        Some((Expr::Channel(chan), &m.shapes[channel.shape.index()]))
    }

    /// A channel by name or by value, and its number of fields.
    fn any_channel(&mut self) -> (Expr, usize) {
        if self.c.once_in(4) {
            return (self.expr(0), self.c.below(3));
        }
        match self.channel() {
            Some((chan, shape)) if self.c.once_in(8) => (chan, self.c.below(shape.fields.len() + 1)),
            Some((chan, shape)) => (chan, shape.fields.len()),
            None => (self.expr(0), self.c.below(3)),
        }
    }

    fn comm(&mut self) -> Option<Comm> {
        let (chan, count) = self.any_channel();
        Some(match self.c.below(2) {
            0 => Comm::Send { chan, args: self.args(count), sorted: self.c.once_in(3) },
            _ => {
                let patterns = (0..count).map(|_| self.pattern()).collect();
                Comm::Receive { chan, patterns, random: self.c.once_in(3), copy: self.c.once_in(4) }
            }
        })
    }

    fn pattern(&mut self) -> Pattern {
        match self.c.below(4) {
            0 | 1 => self.place(1).map_or(Pattern::Any, Pattern::Bind),
            2 => Pattern::Match(self.expr(1)),
            _ => Pattern::Any,
        }
    }

    /// A writable variable, if there is one.
    fn variable(&mut self) -> Option<(Base, &'m Type)> {
        let own = self.own.map_or(0, |p| p.locals.len());
        let m = self.m;
        let count = own + m.globals.len();
        if count == 0 {
            return None;
        }
        let i = self.c.below(count);
        Some(match self.own {
            Some(p) if i < own => (Base::Local(LocalId::new(i)), &p.locals[i].ty),
            _ => (Base::Global(GlobalId::new(i - own)), &m.globals[i - own].ty),
        })
    }

    /// A writable scalar.
    fn place(&mut self, depth: usize) -> Option<Place> {
        let (base, ty) = self.variable()?;
        Some(self.way(base, ty, depth))
    }

    /// Extends an access path to a scalar.
    fn way(&mut self, base: Base, mut ty: &'m Type, depth: usize) -> Place {
        let mut path = Vec::new();
        loop {
            match ty {
                Type::Int(..) | Type::Chan => return Place { base, path },
                Type::Record(id) => {
                    let fields = &self.m.records[id.index()].fields;
                    let i = self.c.below(fields.len());
                    path.push(Step::Field(i as u32));
                    ty = &fields[i].ty;
                }
                Type::Array(elem, len) => {
                    let index = match depth {
                        1.. if self.c.once_in(3) => self.expr(depth - 1),
                        _ => Expr::Const(self.c.below(*len as usize) as i64),
                    };
                    path.push(Step::Index(Box::new(index)));
                    ty = elem;
                }
            }
        }
    }

    fn boxed(&mut self, depth: usize) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return match self.c.below(3) {
                1 => self.place(0).map_or(Expr::SelfPid, Expr::Load),
                _ => Expr::Const(self.c.number()),
            };
        }
        let depth = depth - 1;
        match self.c.below(24) {
            0..3 => self.expr(0),
            3..6 => self.place(depth).map_or(Expr::TRUE, Expr::Load),
            6..11 => {
                let op = self.c.pick(&BINARY);
                Expr::Binary(op, self.c.operand_type(), self.boxed(depth), self.boxed(depth))
            }
            11 => Expr::Unary(
                self.c.pick(&[UnOp::Neg, UnOp::BitNot, UnOp::Not]),
                self.c.operand_type(),
                self.boxed(depth),
            ),
            12 => Expr::Convert(self.c.int_type(), self.boxed(depth)),
            13 => Expr::And(self.boxed(depth), self.boxed(depth)),
            14 => Expr::Or(self.boxed(depth), self.boxed(depth)),
            15 => Expr::Cond(self.boxed(depth), self.boxed(depth), self.boxed(depth)),
            16 => self.channel().map_or(Expr::NonProgress, |(chan, _)| chan),
            17 => {
                let query =
                    self.c.pick(&[Query::Len, Query::Full, Query::Empty, Query::NotFull, Query::NotEmpty]);
                Expr::Query(query, Box::new(self.any_channel().0))
            }
            18 => {
                let (chan, count) = self.any_channel();
                let patterns = (0..count).map(|_| self.pattern()).collect();
                Expr::CanReceive { chan: Box::new(chan), patterns, random: self.c.once_in(2) }
            }
            19 => match self.c.below(5) {
                0 => Expr::SelfPid,
                1 => Expr::ProcessCount,
                2 => Expr::LastPid,
                3 => Expr::Timeout,
                _ => Expr::NonProgress,
            },
            20 => match self.c.below(3) {
                0 => Expr::Enabled(self.boxed(depth)),
                1 => Expr::Location(self.boxed(depth)),
                _ => Expr::Priority(self.boxed(depth)),
            },
            21 => {
                let proc = self.c.below(self.m.processes.len());
                let Some(other) = self.m.processes.get(proc) else { return Expr::Timeout };
                let locs =
                    (0..self.c.below(3)).map(|_| LocId::new(self.c.below(other.locations.len()))).collect();
                Expr::AtLocation { proc: ProcId::new(proc), pid: self.boxed(depth), locs }
            }
            22 => {
                let proc = self.c.below(self.m.processes.len());
                let Some(other) = self.m.processes.get(proc) else { return Expr::Timeout };
                if other.locals.is_empty() {
                    return Expr::Timeout;
                }
                let local = self.c.below(other.locals.len());
                let pid = self.boxed(depth);
                let base = Base::Remote { proc: ProcId::new(proc), pid, local: LocalId::new(local) };
                Expr::Load(self.way(base, &other.locals[local].ty, depth))
            }
            _ => Expr::Const(self.c.number()),
        }
    }

    fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 || self.c.below(4) == 0 {
            return Formula::Atom(self.expr(2), self.c.text());
        }
        let depth = depth - 1;
        let a = Box::new(self.formula(depth));
        let one: [fn(Box<Formula>) -> Formula; 4] =
            [Formula::Not, Formula::Next, Formula::Always, Formula::Eventually];
        let two: [Join; 7] = [
            Formula::And,
            Formula::Or,
            Formula::Implies,
            Formula::Equivalent,
            Formula::Until,
            Formula::WeakUntil,
            Formula::Release,
        ];
        match self.c.below(one.len() + two.len()) {
            i if i < one.len() => one[i](a),
            i => two[i - one.len()](a, Box::new(self.formula(depth))),
        }
    }
}

/// Combines two formulas.
type Join = fn(Box<Formula>, Box<Formula>) -> Formula;

const BINARY: [BinOp; 16] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::Div,
    BinOp::Rem,
    BinOp::Shl,
    BinOp::Shr,
    BinOp::BitAnd,
    BinOp::BitOr,
    BinOp::BitXor,
    BinOp::Eq,
    BinOp::Ne,
    BinOp::Lt,
    BinOp::Le,
    BinOp::Gt,
    BinOp::Ge,
];
