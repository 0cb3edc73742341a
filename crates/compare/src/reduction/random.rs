//! Random models for testing reductions: a few processes with mostly independent steps that
//! sometimes access a common variable, array element or channel. They contain loops, `else`,
//! `timeout`, sequences, process creation and termination.
//!
//! *Entry point:* [`model`].
//!
//! A model is a function of its number. Every third model comes from the generator of crates/model,
//! which uses every construct; most of its steps fail, so little can be reduced.

use axle_model::{
    Access, Atomicity, BinOp, ChanRef, Channel, Comm, Edge, EdgeId, Effect, Expr, Formula, GlobalId,
    Instance, IntType, LocId, LocalId, Location, Model, Origin, Pattern, Place, ProcId, Process, Property,
    PropertyKind, Query, Semantics, Shape, ShapeId, Shown, Step, Type, UnOp, Variable,
};

/// A xorshift random number generator.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            dice.next();
        }
        dice
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Variables of all models.
const SCALARS: usize = 2;
const ARRAY: u32 = 3;
/// Locals: a constant parameter, a counter, a scratch value, a constant channel.
const PARAM: u32 = 0;
const COUNTER: u32 = 1;
const SCRATCH: u32 = 2;
const PORT: u32 = 3;

/// The constructs of a model.
#[derive(Clone, Copy, Debug)]
struct Style {
    channels: usize,
    run: bool,
    timeout: bool,
    remote: bool,
    count: bool,
    atomic: bool,
    faults: bool,
}

/// The model with this number.
pub fn model(seed: u64) -> Model {
    let mut dice = Dice::new(seed);
    let d = &mut dice;
    let style = Style {
        channels: d.below(4),
        run: d.once_in(4),
        timeout: d.once_in(5),
        remote: d.once_in(6),
        count: d.once_in(5),
        atomic: d.once_in(2),
        faults: d.once_in(3),
    };
    let types = 1 + d.below(3);
    let shapes: Vec<Shape> = (0..3)
        .map(|capacity| Shape { capacity, fields: vec![Type::Int(IntType::BYTE, Shown::Number)] })
        .collect();
    let channels = (0..style.channels)
        .map(|i| Channel { name: format!("q[{i}]"), shape: ShapeId::new(d.below(3)) })
        .collect();
    let byte = || Type::Int(IntType::BYTE, Shown::Number);
    let mut globals: Vec<Variable> = (0..SCALARS).map(|i| variable(&format!("g{i}"), byte())).collect();
    globals.push(variable("a", Type::Array(Box::new(byte()), ARRAY)));
    let mut model = Model {
        files: vec!["random".into()],
        records: Vec::new(),
        name_sets: Vec::new(),
        shapes,
        globals,
        channels,
        prologue: Vec::new(),
        processes: Vec::new(),
        start: Vec::new(),
        properties: Vec::new(),
        semantics: Semantics { max_processes: 5, lossy: d.once_in(12), ..Semantics::default() },
    };
    model.processes = (0..types).map(|i| header(d, &model, i, style)).collect();
    for i in 0..types {
        let filled = body(d, &model, model.processes[i].clone(), style, types);
        model.processes[i] = filled;
    }
    let mut start: Vec<Instance> =
        (0..2 + d.below(2)).map(|_| Instance { proc: ProcId::new(d.below(types)), priority: 1 }).collect();
    if style.run && d.once_in(2) {
        start.truncate(1);
    }
    model.start = start;
    model.properties = (0..1 + d.below(2))
        .map(|i| Property {
            name: format!("p{i}"),
            origin: Origin::NONE,
            kind: PropertyKind::Ltl(formula(d, &model, style, 3)),
        })
        .collect();
    if d.once_in(4) {
        let kind = PropertyKind::Never(never(d, &model, style));
        model.properties.push(Property { name: "never".into(), origin: Origin::NONE, kind });
    }
    model
}

/// A never claim of a few locations. Most locations have a loop, so that many claims are stutter
/// invariant.
fn never(d: &mut Dice, model: &Model, style: Style) -> Process {
    let count = 1 + d.below(3);
    let ends = d.once_in(3);
    let mut claim = Process::named("never");
    for source in 0..count + usize::from(ends) {
        let accept = d.once_in(2);
        let mut out = Vec::new();
        let loops = usize::from(!d.once_in(4));
        let targets = if source < count { loops + 1 + d.below(2) } else { 0 };
        for index in 0..targets {
            let target = if index < loops { source } else { d.below(count + usize::from(ends)) };
            let mut edge = plain(LocId::new(source), LocId::new(target));
            edge.guard = match d.below(4) {
                0 => Expr::TRUE,
                1 => Expr::Unary(UnOp::Not, IntType::I32, Box::new(atom(d, model, style))),
                _ => atom(d, model, style),
            };
            out.push(EdgeId::new(claim.edges.len()));
            claim.edges.push(edge);
        }
        let labels = if accept { vec!["accept".into()] } else { Vec::new() };
        claim.locations.push(Location {
            out,
            labels,
            end: false,
            accept,
            progress: false,
            origin: Origin::NONE,
        });
    }
    claim
}

fn variable(name: &str, ty: Type) -> Variable {
    Variable { name: name.into(), ty, access: Access::Plain, origin: Origin::NONE }
}

fn header(d: &mut Dice, model: &Model, index: usize, style: Style) -> Process {
    let byte = || Type::Int(IntType::BYTE, Shown::Number);
    let narrow = Type::Int(IntType { bits: 2, signed: false }, Shown::Number);
    let counter = if d.once_in(2) { byte() } else { narrow };
    let locals = vec![
        variable("p", byte()),
        variable("i", counter),
        variable("x", byte()),
        variable("port", Type::Chan),
    ];
    let count = 2 + d.below(5);
    let locations = (0..=count)
        .map(|i| {
            let label = match d.below(9) {
                0 => "accept",
                1 => "progress",
                2 => "end",
                _ => "",
            };
            Location {
                out: Vec::new(),
                labels: if label.is_empty() { Vec::new() } else { vec![label.into()] },
                end: i == count || label == "end",
                accept: label == "accept",
                progress: label == "progress",
                origin: Origin::NONE,
            }
        })
        .collect();
    let channels = match style.channels > 0 && d.once_in(4) {
        true => vec![Channel { name: "own".into(), shape: ShapeId::new(d.below(3)) }],
        false => Vec::new(),
    };
    let mut prologue = Vec::new();
    if !model.channels.is_empty() {
        let chan = ChanRef::Global(d.below(model.channels.len()) as u32);
        prologue.push(Effect::Assign(Place::local(LocalId(PORT)), Expr::Channel(chan)));
    }
    Process {
        name: format!("P{index}"),
        params: 1,
        locals,
        channels,
        prologue,
        locations,
        edges: Vec::new(),
        entry: LocId(0),
        provided: d.once_in(16).then(|| Expr::int(BinOp::Ne, global(0), Expr::Const(3))),
        deterministic: false,
        origin: Origin::NONE,
    }
}

fn global(index: usize) -> Expr {
    Expr::Load(Place::global(GlobalId::new(index)))
}

fn local(index: u32) -> Expr {
    Expr::Load(Place::local(LocalId(index)))
}

fn element(d: &mut Dice, faults: bool) -> Place {
    let three = |e| Expr::int(BinOp::Rem, e, Expr::Const(3));
    let index = match d.below(5) {
        0 => Expr::Const(d.below(3) as i64),
        1 => three(Expr::SelfPid),
        2 => three(local(PARAM)),
        3 if faults => local(COUNTER),
        _ => three(local(SCRATCH)),
    };
    Place { base: axle_model::Base::Global(GlobalId::new(SCALARS)), path: vec![Step::Index(Box::new(index))] }
}

fn body(d: &mut Dice, model: &Model, mut process: Process, style: Style, types: usize) -> Process {
    let last = process.locations.len() - 1;
    for source in 0..last {
        let ways = 1 + usize::from(d.once_in(3));
        let straight = LocId::new(source + 1);
        let mut edges: Vec<Edge> = (0..ways)
            .map(|_| {
                let target = if d.once_in(4) { LocId::new(d.below(last + 1)) } else { straight };
                edge(d, model, &process, LocId::new(source), target, style, types)
            })
            .collect();
        if d.once_in(4) {
            let mut other = plain(LocId::new(source), LocId::new(d.below(last + 1)));
            (other.rank, other.is_else) = (1, true);
            edges.push(other);
        }
        for edge in edges {
            process.locations[source].out.push(EdgeId::new(process.edges.len()));
            process.edges.push(edge);
        }
    }
    let mut end = plain(LocId::new(last), LocId::new(last));
    let youngest = Expr::int(BinOp::Sub, Expr::ProcessCount, Expr::Const(1));
    end.guard = Expr::int(BinOp::Eq, Expr::SelfPid, youngest);
    end.effects = vec![Effect::Exit];
    process.locations[last].out.push(EdgeId::new(process.edges.len()));
    process.edges.push(end);
    process
}

fn plain(source: LocId, target: LocId) -> Edge {
    Edge::skip(source, target, "step")
}

fn edge(
    d: &mut Dice,
    model: &Model,
    process: &Process,
    source: LocId,
    target: LocId,
    style: Style,
    types: usize,
) -> Edge {
    let mut edge = plain(source, target);
    if style.atomic && d.once_in(3) {
        edge.keep = Atomicity::Atomic;
    }
    let small = |d: &mut Dice| Expr::Const(d.below(3) as i64);
    if d.once_in(3) {
        edge.guard = guard(d, style, types);
    }
    match d.below(12) {
        // A local step.
        0 | 1 => edge.effects.push(assign(Place::local(LocalId(SCRATCH)), small(d))),
        2 => {
            let up = Expr::int(BinOp::Add, local(COUNTER), Expr::Const(1));
            edge.guard = Expr::int(BinOp::Lt, local(COUNTER), Expr::Const(1 + d.below(3) as i64));
            edge.effects.push(assign(Place::local(LocalId(COUNTER)), up));
        }
        3 => {}
        4 => edge.effects.push(assign(Place::global(GlobalId::new(d.below(SCALARS))), small(d))),
        5 => edge.effects.push(assign(element(d, style.faults), small(d))),
        6 => {
            let from = match d.below(3) {
                0 => global(d.below(SCALARS)),
                1 => Expr::Load(element(d, style.faults)),
                _ if style.count => Expr::ProcessCount,
                _ => Expr::SelfPid,
            };
            edge.effects.push(assign(Place::local(LocalId(SCRATCH)), from));
        }
        7 if style.faults || d.once_in(3) => {
            let cond = match d.below(3) {
                0 => Expr::int(BinOp::Ne, global(d.below(SCALARS)), small(d)),
                1 => Expr::int(BinOp::Lt, local(SCRATCH), Expr::Const(2)),
                _ => Expr::int(BinOp::Le, Expr::Load(element(d, false)), Expr::Const(1)),
            };
            edge.effects.push(Effect::Assert(cond, "assert".into()));
        }
        8 if style.run => edge.effects.push(Effect::Run {
            proc: ProcId::new(d.below(types)),
            args: vec![small(d)],
            priority: None,
            into: d.once_in(3).then(|| Place::local(LocalId(SCRATCH))),
        }),
        _ => {
            let chan = match d.below(4) {
                0 if !process.channels.is_empty() => Expr::Channel(ChanRef::Own(0)),
                1 | 2 if !model.channels.is_empty() => {
                    Expr::Channel(ChanRef::Global(d.below(model.channels.len()) as u32))
                }
                _ if !model.channels.is_empty() => local(PORT),
                _ => return edge,
            };
            edge.comm = Some(match d.once_in(2) {
                true => Comm::Send { chan, args: vec![small(d)], sorted: d.once_in(8) },
                false => {
                    let pattern = match d.below(3) {
                        0 => Pattern::Bind(Place::local(LocalId(SCRATCH))),
                        1 => Pattern::Match(small(d)),
                        _ => Pattern::Any,
                    };
                    let copy = d.once_in(10);
                    Comm::Receive { chan, patterns: vec![pattern], random: d.once_in(8), copy }
                }
            });
        }
    }
    edge
}

fn assign(place: Place, value: Expr) -> Effect {
    Effect::Assign(place, value)
}

fn guard(d: &mut Dice, style: Style, types: usize) -> Expr {
    let value = Expr::Const(d.below(3) as i64);
    match d.below(9) {
        0 | 1 => Expr::int(BinOp::Eq, global(d.below(SCALARS)), value),
        2 => Expr::int(BinOp::Ne, Expr::Load(element(d, style.faults)), value),
        3 | 4 => Expr::int(BinOp::Lt, local(SCRATCH), value),
        5 if style.timeout => Expr::Timeout,
        6 if style.count => Expr::int(BinOp::Gt, Expr::ProcessCount, value),
        7 if style.channels > 0 => {
            let query = [Query::Full, Query::NotFull, Query::Empty, Query::NotEmpty][d.below(4)];
            Expr::Query(query, Box::new(Expr::Channel(ChanRef::Global(d.below(style.channels) as u32))))
        }
        8 if style.remote => look(d, types),
        _ => Expr::TRUE,
    }
}

/// An expression about another process.
fn look(d: &mut Dice, types: usize) -> Expr {
    let (proc, pid) = (ProcId::new(d.below(types)), Box::new(Expr::Const(d.below(3) as i64)));
    match d.once_in(2) {
        true => Expr::AtLocation { proc, pid, locs: vec![LocId(1)] },
        false => {
            let base = axle_model::Base::Remote { proc, pid, local: LocalId(SCRATCH) };
            Expr::int(BinOp::Eq, Expr::Load(Place { base, path: Vec::new() }), Expr::Const(1))
        }
    }
}

/// A proposition.
fn atom(d: &mut Dice, model: &Model, style: Style) -> Expr {
    match d.below(6) {
        0 | 1 => Expr::int(BinOp::Eq, global(d.below(SCALARS)), Expr::Const(d.below(3) as i64)),
        2 => {
            let index = vec![Step::Index(Box::new(Expr::Const(d.below(3) as i64)))];
            let place = Place { base: axle_model::Base::Global(GlobalId::new(SCALARS)), path: index };
            Expr::int(BinOp::Eq, Expr::Load(place), Expr::Const(d.below(2) as i64))
        }
        3 if style.channels > 0 => {
            Expr::Query(Query::Len, Box::new(Expr::Channel(ChanRef::Global(d.below(style.channels) as u32))))
        }
        4 if style.remote || d.once_in(3) => look(d, model.processes.len()),
        5 if style.count => Expr::int(BinOp::Gt, Expr::ProcessCount, Expr::Const(2)),
        _ => Expr::Unary(UnOp::Not, IntType::I32, Box::new(global(0))),
    }
}

fn formula(d: &mut Dice, model: &Model, style: Style, depth: usize) -> Formula {
    if depth == 0 || d.once_in(4) {
        return Formula::Atom(atom(d, model, style), "atom".into());
    }
    let depth = depth - 1;
    let a = Box::new(formula(d, model, style, depth));
    match d.below(9) {
        0 => Formula::Not(a),
        1 | 2 => Formula::Always(a),
        3 | 4 => Formula::Eventually(a),
        5 => Formula::Until(a, Box::new(formula(d, model, style, depth))),
        6 => Formula::Implies(a, Box::new(formula(d, model, style, depth))),
        7 => Formula::Release(a, Box::new(formula(d, model, style, depth))),
        _ => Formula::And(a, Box::new(formula(d, model, style, depth))),
    }
}
