//! The textual form of a model, made to be read by people and read back by [`crate::parse`].
//!
//! Every thing is named by its id (`g0`, `t17`), exactly as logs and debuggers print it; the name
//! in the source stands beside the id where the thing is declared, and each edge ends with its
//! statement as the user wrote it. What is usual is left out: a guard that always holds, rank 0,
//! priority 1, 32-bit signed arithmetic, a place in no file.
//!
//! *Entry point:* [`dump`]; the language is described in full in `docs/reference/model.md`.
//!
//! *Invariant:* `parse(&dump(m)) == Ok(m)` for every model, well-formed or not, whose expressions
//! are not nested deeper than [`crate::parse::MAX_DEPTH`] (chains of one operator count once).

use std::fmt::{self, Display, Write};

use crate::{
    Access, Atomicity, Base, BinOp, ChanRef, Channel, Comm, Edge, EdgeId, Effect, Expr, Formula, GlobalId,
    IntType, LocId, LocalId, Location, Model, NameSetId, Origin, Pattern, Place, ProcId, Process,
    PropertyKind, Query, RecordId, ShapeId, Shown, Step, Type, UnOp, Variable,
};

/// The model as text.
pub fn dump(model: &Model) -> String {
    let mut out = String::from("axle model 1\n\n");
    write_model(&mut out, model).expect("a string takes all text");
    out
}

/// A number that differs for models that differ, independent of file names: FNV-1a (Fowler, Noll
/// and Vo; 64 bits) over the text of the model. Trails and certificates name their model by it.
pub fn fingerprint(model: &Model) -> String {
    let mut nameless = model.clone();
    nameless.files.iter_mut().for_each(String::clear);
    format!("{:016x}", fnv1a(dump(&nameless).bytes()))
}

/// The hash FNV-1a of 64 bits.
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// One expression as text, without outer parentheses: `g0 == 1 && len(c0) > 0` is `(g0 == 1) &&
/// (len(c0) > 0)`.
pub fn expr(e: &Expr) -> String {
    let mut out = String::new();
    write_expr(&mut out, e, true).expect("a string takes all text");
    out
}

/// One effect as text.
pub fn effect(e: &Effect) -> String {
    let mut out = String::new();
    write_effect(&mut out, e).expect("a string takes all text");
    out
}

/// A name: as it is where it is an identifier, otherwise in quotes.
struct Name<'a>(&'a str);

/// A text in quotes.
struct Quoted<'a>(&'a str);

/// A place in the source with a blank before it; nothing for [`Origin::NONE`].
struct At(Origin);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chars = self.0.chars();
        let first = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        match first && chars.all(|c| c.is_ascii_alphanumeric() || c == '_') {
            true => f.write_str(self.0),
            false => Quoted(self.0).fmt(f),
        }
    }
}

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", c as u32)?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Origin::NONE => Ok(()),
            at => write!(f, " {at}"),
        }
    }
}

impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Origin { file, line, column, end_line, end_column } = *self;
        match self {
            &Origin::NONE => write!(f, "@none"),
            _ if line == end_line => write!(f, "@{file}:{line}:{column}-{end_column}"),
            _ => write!(f, "@{file}:{line}:{column}-{end_line}:{end_column}"),
        }
    }
}

impl Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(int, Shown::Number) => write!(f, "{int}"),
            Type::Int(int, Shown::Bool) => write!(f, "{int} as bool"),
            Type::Int(int, Shown::Pid) => write!(f, "{int} as pid"),
            Type::Int(int, Shown::Names(set)) => write!(f, "{int} as {set}"),
            Type::Chan => f.write_str("chan"),
            Type::Record(id) => write!(f, "{id}"),
            Type::Array(elem, len) => write!(f, "[{len}]{elem}"),
        }
    }
}

impl Display for ChanRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChanRef::Global(i) => write!(f, "c{i}"),
            ChanRef::Own(i) => write!(f, "own{i}"),
        }
    }
}

fn write_model(out: &mut String, m: &Model) -> fmt::Result {
    for (i, file) in m.files.iter().enumerate() {
        writeln!(out, "file {} {}", crate::FileId::new(i), Quoted(file))?;
    }
    let s = &m.semantics;
    write!(out, "semantics processes {} channels {}", s.max_processes, s.max_channels)?;
    writeln!(out, "{}{}", flag(s.lossy, " lossy"), flag(s.priorities, " priorities"))?;
    for (i, set) in m.name_sets.iter().enumerate() {
        write!(out, "names {} {} {{", NameSetId::new(i), Name(&set.name))?;
        list(out, &set.names, |out, (name, value)| write!(out, " {} = {value}", Name(name)))?;
        writeln!(out, " }}")?;
    }
    for (i, record) in m.records.iter().enumerate() {
        write!(out, "record {} {} {{", RecordId::new(i), Name(&record.name))?;
        list(out, &record.fields, |out, f| write!(out, " {}: {}", Name(&f.name), f.ty))?;
        writeln!(out, " }}")?;
    }
    for (i, shape) in m.shapes.iter().enumerate() {
        write!(out, "shape {} {} of (", ShapeId::new(i), shape.capacity)?;
        list(out, &shape.fields, |out, ty| write!(out, " {ty}"))?;
        writeln!(out, " )")?;
    }
    for (i, var) in m.globals.iter().enumerate() {
        write!(out, "global ")?;
        write_variable(out, &GlobalId::new(i), var)?;
        writeln!(out)?;
    }
    for (i, chan) in m.channels.iter().enumerate() {
        write_channel(out, ChanRef::Global(i as u32), chan)?;
    }
    write_prologue(out, "", &m.prologue)?;
    if !m.start.is_empty() {
        write!(out, "start")?;
        list(out, &m.start, |out, i| match i.priority {
            1 => write!(out, " {}", i.proc),
            p => write!(out, " {} priority {p}", i.proc),
        })?;
        writeln!(out)?;
    }
    for (i, process) in m.processes.iter().enumerate() {
        write!(out, "\nprocess {} ", ProcId::new(i))?;
        write_process(out, process)?;
    }
    for p in &m.properties {
        write!(out, "\nproperty {}{} ", Name(&p.name), At(p.origin))?;
        match &p.kind {
            PropertyKind::Never(a) => write_automaton(out, "never", a)?,
            PropertyKind::Trace(a) => write_automaton(out, "trace", a)?,
            PropertyKind::NoTrace(a) => write_automaton(out, "notrace", a)?,
            PropertyKind::Ltl(f) => {
                write!(out, "ltl ")?;
                write_formula(out, f)?;
                writeln!(out)?;
            }
        }
    }
    Ok(())
}

fn flag(on: bool, text: &str) -> &str {
    if on { text } else { "" }
}

/// Items with a comma after each but the last.
fn list<T>(
    out: &mut String,
    items: &[T],
    mut write_item: impl FnMut(&mut String, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_item(out, item)?;
    }
    Ok(())
}

fn write_variable(out: &mut String, id: &dyn Display, var: &Variable) -> fmt::Result {
    let access = match var.access {
        Access::Plain => "",
        Access::Hidden => " hidden",
        Access::Local => " local",
        Access::Show => " show",
    };
    write!(out, "{id} {}: {}{access}{}", Name(&var.name), var.ty, At(var.origin))
}

fn write_channel(out: &mut String, id: ChanRef, chan: &Channel) -> fmt::Result {
    writeln!(out, "channel {id} {}: {}", Name(&chan.name), chan.shape)
}

fn write_prologue(out: &mut String, indent: &str, effects: &[Effect]) -> fmt::Result {
    if effects.is_empty() {
        return Ok(());
    }
    writeln!(out, "{indent}prologue {{")?;
    for e in effects {
        write!(out, "{indent}  ")?;
        write_effect(out, e)?;
        writeln!(out, ";")?;
    }
    writeln!(out, "{indent}}}")
}

fn write_automaton(out: &mut String, kind: &str, process: &Process) -> fmt::Result {
    write!(out, "{kind} ")?;
    write_process(out, process)
}

fn write_process(out: &mut String, p: &Process) -> fmt::Result {
    let params = (p.params as usize).min(p.locals.len());
    write!(out, "{}(", Name(&p.name))?;
    for (i, var) in p.locals[..params].iter().enumerate() {
        out.push_str(flag(i > 0, ", "));
        write_variable(out, &LocalId::new(i), var)?;
    }
    write!(out, ") entry {}", p.entry)?;
    if p.params as usize > params {
        write!(out, " params {}", p.params)?;
    }
    out.push_str(flag(p.deterministic, " deterministic"));
    if let Some(e) = &p.provided {
        write!(out, " provided ")?;
        write_expr(out, e, true)?;
    }
    writeln!(out, "{} {{", At(p.origin))?;
    for (i, var) in p.locals.iter().enumerate().skip(params) {
        write!(out, "  local ")?;
        write_variable(out, &LocalId::new(i), var)?;
        writeln!(out)?;
    }
    for (i, chan) in p.channels.iter().enumerate() {
        out.push_str("  ");
        write_channel(out, ChanRef::Own(i as u32), chan)?;
    }
    write_prologue(out, "  ", &p.prologue)?;

    let mut written = vec![false; p.edges.len()];
    for (i, location) in p.locations.iter().enumerate() {
        write_location(out, p, LocId::new(i), location, &mut written)?;
    }
    if written.contains(&false) {
        // Only in a model that its verifier rejects; shown all the same, since that is when one
        // looks.
        writeln!(out, "  nowhere:")?;
        for (i, _) in written.iter().enumerate().filter(|(_, written)| !**written) {
            write_edge(out, None, EdgeId::new(i), &p.edges[i])?;
        }
    }
    writeln!(out, "}}")
}

fn write_location(
    out: &mut String,
    process: &Process,
    id: LocId,
    location: &Location,
    written: &mut [bool],
) -> fmt::Result {
    write!(out, "  {id}:")?;
    for label in &location.labels {
        write!(out, " {}", Quoted(label))?;
    }
    let Location { end, accept, progress, .. } = *location;
    write!(out, "{}{}{}", flag(end, " end"), flag(accept, " accept"), flag(progress, " progress"))?;
    writeln!(out, "{}", At(location.origin))?;
    for &edge in &location.out {
        match written.get_mut(edge.index()) {
            Some(done @ false) => {
                *done = true;
                write_edge(out, Some(id), edge, &process.edges[edge.index()])?;
            }
            // Listed twice, or no such edge.
            Some(true) | None => writeln!(out, "    also {edge}")?,
        }
    }
    Ok(())
}

fn write_edge(out: &mut String, under: Option<LocId>, id: EdgeId, e: &Edge) -> fmt::Result {
    write!(out, "    {id} -> {}", e.target)?;
    if under != Some(e.source) {
        write!(out, " from {}", e.source)?;
    }
    if e.rank != 0 {
        write!(out, " rank {}", e.rank)?;
    }
    out.push_str(flag(e.is_else, " else"));
    if e.guard != Expr::TRUE {
        write!(out, " when ")?;
        write_expr(out, &e.guard, true)?;
    }
    match &e.comm {
        None => {}
        Some(Comm::Send { chan, args, sorted }) => {
            write!(out, " send ")?;
            write_expr(out, chan, false)?;
            write!(out, " {} [", if *sorted { "!!" } else { "!" })?;
            write_args(out, args)?;
            write!(out, "]")?;
        }
        Some(Comm::Receive { chan, patterns, random, copy }) => {
            write!(out, " {} ", if *copy { "copy" } else { "recv" })?;
            write_receive(out, chan, patterns, *random)?;
        }
    }
    for (i, effect) in e.effects.iter().enumerate() {
        out.push_str(if i == 0 { " do " } else { "; " });
        write_effect(out, effect)?;
    }
    match e.keep {
        Atomicity::Release => {}
        Atomicity::Atomic => write!(out, " keep atomic")?,
        Atomicity::Deterministic => write!(out, " keep deterministic")?,
    }
    write!(out, " {}", Quoted(&e.text))?;
    for origin in &e.origins {
        write!(out, " {origin}")?;
    }
    writeln!(out)
}

fn write_receive(out: &mut String, chan: &Expr, patterns: &[Pattern], random: bool) -> fmt::Result {
    write_expr(out, chan, false)?;
    write!(out, " {} [", if random { "??" } else { "?" })?;
    for (i, pattern) in patterns.iter().enumerate() {
        out.push_str(flag(i > 0, ", "));
        match pattern {
            Pattern::Bind(place) => write_place(out, place)?,
            Pattern::Match(e) => {
                write!(out, "eval(")?;
                write_expr(out, e, true)?;
                write!(out, ")")?;
            }
            Pattern::Any => write!(out, "_")?,
        }
    }
    write!(out, "]")
}

fn write_args(out: &mut String, args: &[Expr]) -> fmt::Result {
    for (i, arg) in args.iter().enumerate() {
        out.push_str(flag(i > 0, ", "));
        write_expr(out, arg, true)?;
    }
    Ok(())
}

fn write_effect(out: &mut String, e: &Effect) -> fmt::Result {
    match e {
        Effect::Assign(place, value) => {
            write_place(out, place)?;
            write!(out, " := ")?;
            write_expr(out, value, true)
        }
        Effect::Clear(place) => {
            write!(out, "clear ")?;
            write_place(out, place)
        }
        Effect::Assert(cond, text) => {
            write!(out, "assert ")?;
            write_expr(out, cond, true)?;
            write!(out, " {}", Quoted(text))
        }
        Effect::Print(format, args) => {
            write!(out, "print {} (", Quoted(format))?;
            write_args(out, args)?;
            write!(out, ")")
        }
        Effect::Run { proc, args, priority, into } => {
            write!(out, "run {proc}(")?;
            write_args(out, args)?;
            write!(out, ")")?;
            if let Some(e) = priority {
                write!(out, " priority ")?;
                write_expr(out, e, true)?;
            }
            if let Some(place) = into {
                write!(out, " into ")?;
                write_place(out, place)?;
            }
            Ok(())
        }
        Effect::SetPriority(pid, value) => {
            write!(out, "set_priority ")?;
            write_call(out, "", pid)?;
            write!(out, " := ")?;
            write_expr(out, value, true)
        }
        Effect::Exit => write!(out, "exit"),
    }
}

fn write_place(out: &mut String, p: &Place) -> fmt::Result {
    match &p.base {
        Base::Global(id) => write!(out, "{id}")?,
        Base::Local(id) => write!(out, "{id}")?,
        Base::Remote { proc, pid, local } => {
            write_indexed(out, proc, pid)?;
            write!(out, ":{local}")?;
        }
    }
    for step in &p.path {
        match step {
            Step::Field(i) => write!(out, ".{i}")?,
            Step::Index(e) => {
                write!(out, "[")?;
                write_expr(out, e, true)?;
                write!(out, "]")?;
            }
        }
    }
    Ok(())
}

fn write_indexed(out: &mut String, proc: &ProcId, pid: &Expr) -> fmt::Result {
    write!(out, "{proc}[")?;
    write_expr(out, pid, true)?;
    write!(out, "]")
}

fn write_call(out: &mut String, name: &str, arg: &Expr) -> fmt::Result {
    write!(out, "{name}(")?;
    write_expr(out, arg, true)?;
    write!(out, ")")
}

/// How an operator with two operands is written, and what it computes in.
#[derive(PartialEq, Eq)]
enum Infix {
    And,
    Or,
    Binary(BinOp, IntType),
}

fn infix(e: &Expr) -> Option<(Infix, &Expr, &Expr)> {
    match e {
        Expr::And(a, b) => Some((Infix::And, a, b)),
        Expr::Or(a, b) => Some((Infix::Or, a, b)),
        Expr::Binary(op, int, a, b) => Some((Infix::Binary(*op, *int), a, b)),
        _ => None,
    }
}

/// The symbol of a binary operator.
pub(crate) fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
    }
}

/// The word of a channel query.
pub(crate) fn query_word(q: Query) -> &'static str {
    match q {
        Query::Len => "len",
        Query::Full => "full",
        Query::Empty => "empty",
        Query::NotFull => "nfull",
        Query::NotEmpty => "nempty",
    }
}

fn typed(int: IntType) -> String {
    if int == IntType::I32 { String::new() } else { format!(".{int}") }
}

/// `top`: nothing stands around it that could take a part of it, so that parentheses can go.
fn write_expr(out: &mut String, e: &Expr, top: bool) -> fmt::Result {
    if let Some((operator, _, _)) = infix(e) {
        return write_chain(out, e, &operator, top);
    }
    match e {
        Expr::Const(n) => write!(out, "{n}"),
        Expr::Load(place) => write_place(out, place),
        Expr::Unary(op, int, a) => {
            let symbol = match op {
                UnOp::Neg => "-",
                UnOp::BitNot => "~",
                UnOp::Not => "!",
            };
            write!(out, "{symbol}{}", typed(*int))?;
            // Parentheses keep a negated number apart from a negative one, and a space `!` from
            // `!!`.
            match **a {
                Expr::Const(_) => write_call(out, "", a),
                Expr::Unary(..) => {
                    out.push(' ');
                    write_expr(out, a, false)
                }
                _ if *int == IntType::I32 => write_expr(out, a, false),
                _ => write_call(out, "", a),
            }
        }
        Expr::Convert(int, a) => write_call(out, &int.to_string(), a),
        Expr::Cond(c, a, b) => {
            out.push_str(flag(!top, "("));
            write_expr(out, c, false)?;
            write!(out, " ? ")?;
            write_expr(out, a, false)?;
            write!(out, " : ")?;
            write_expr(out, b, false)?;
            out.push_str(flag(!top, ")"));
            Ok(())
        }
        Expr::Channel(chan) => write!(out, "{chan}"),
        Expr::Query(q, chan) => write_call(out, query_word(*q), chan),
        Expr::CanReceive { chan, patterns, random } => {
            write!(out, "can(")?;
            write_receive(out, chan, patterns, *random)?;
            write!(out, ")")
        }
        Expr::Timeout => write!(out, "timeout"),
        Expr::SelfPid => write!(out, "pid"),
        Expr::ProcessCount => write!(out, "nr_pr"),
        Expr::LastPid => write!(out, "last"),
        Expr::NonProgress => write!(out, "np"),
        Expr::Enabled(a) => write_call(out, "enabled", a),
        Expr::Location(a) => write_call(out, "location", a),
        Expr::Priority(a) => write_call(out, "priority", a),
        Expr::AtLocation { proc, pid, locs } => {
            write_indexed(out, proc, pid)?;
            write!(out, "@{{")?;
            list(out, locs, |out, loc| write!(out, " {loc}"))?;
            write!(out, " }}")
        }
        Expr::And(..) | Expr::Or(..) | Expr::Binary(..) => unreachable!("chains are written above"),
    }
}

/// `((a + b) + c) + d` as `a + b + c + d`: what one operator joins from the left needs no
/// parentheses, and a long conjunction does not nest.
fn write_chain(out: &mut String, e: &Expr, operator: &Infix, top: bool) -> fmt::Result {
    let mut operands = Vec::new();
    let mut rest = e;
    while let Some((_, a, b)) = infix(rest).filter(|(o, _, _)| o == operator) {
        operands.push(b);
        rest = a;
    }
    let word = match operator {
        Infix::And => "&&".to_string(),
        Infix::Or => "||".to_string(),
        Infix::Binary(op, int) => symbol(*op).to_string() + &typed(*int),
    };
    out.push_str(flag(!top, "("));
    write_expr(out, rest, false)?;
    for operand in operands.into_iter().rev() {
        write!(out, " {word} ")?;
        write_expr(out, operand, false)?;
    }
    out.push_str(flag(!top, ")"));
    Ok(())
}

fn write_formula(out: &mut String, f: &Formula) -> fmt::Result {
    let (word, a, b) = match f {
        Formula::Atom(e, text) => {
            write!(out, "{{ ")?;
            write_expr(out, e, true)?;
            return write!(out, " {} }}", Quoted(text));
        }
        Formula::Not(a) => ("! ", a, None),
        Formula::Next(a) => ("X ", a, None),
        Formula::Always(a) => ("[] ", a, None),
        Formula::Eventually(a) => ("<> ", a, None),
        Formula::And(a, b) => (" && ", a, Some(b)),
        Formula::Or(a, b) => (" || ", a, Some(b)),
        Formula::Implies(a, b) => (" -> ", a, Some(b)),
        Formula::Equivalent(a, b) => (" <-> ", a, Some(b)),
        Formula::Until(a, b) => (" U ", a, Some(b)),
        Formula::WeakUntil(a, b) => (" W ", a, Some(b)),
        Formula::Release(a, b) => (" V ", a, Some(b)),
    };
    match b {
        None => {
            write!(out, "{word}")?;
            write_formula(out, a)
        }
        Some(b) => {
            write!(out, "(")?;
            write_formula(out, a)?;
            write!(out, "{word}")?;
            write_formula(out, b)?;
            write!(out, ")")
        }
    }
}
