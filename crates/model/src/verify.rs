//! The invariants of a model, and the check of all of them.
//!
//! *Entry point:* [`verify`]; [`Rule`] is the complete list. It runs after the front end, and in
//! tests after every pass. An engine may rely on these rules; everything else is a fault of a
//! transition (an index out of range, a division by zero, a missing channel or process).
//!
//! This file verifies tables, types and automata, `code.rs` the code on edges. *Invariant:* no
//! model causes a panic; ids are looked up only after their range is checked.

mod code;

use std::fmt;

use crate::{
    Access, Channel, EdgeId, Field, Instance, LocId, LocalId, Model, Origin, ProcId, Process, PropertyKind,
    RecordId, Type, Variable,
};

/// The invariants of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// Every id points into its table: files, records, name sets, shapes, globals, locals,
    /// locations, edges, processes, channels.
    IdInRange,
    /// Names are not empty, and names, labels and statement texts hold no control characters.
    Name,
    /// A place in the source is no place at all, or has lines and columns from 1 and does not end
    /// before it begins.
    Origin,
    /// Integers are 1 to 64 bits wide.
    Width,
    /// Arrays have at least one element.
    ArrayLength,
    /// No record contains itself.
    RecursiveRecord,
    /// A variable, or all messages of a channel together, hold at most 2^24 scalars.
    Size,
    /// Parameters and message fields are scalars.
    ScalarSlot,
    /// A process type has at least as many locals as parameters.
    ParameterCount,
    /// The names of a set stand in order of value.
    NameOrder,
    /// Each edge stands exactly once in the `out` of its source, and in no other.
    EdgeListed,
    /// The edges in an `out` stand in order of rank.
    RankOrder,
    /// A place is a scalar where it is loaded, assigned, or bound by a receive.
    ScalarPlace,
    /// A way into a variable takes fields of records and elements of arrays only.
    Path,
    /// No effect or receive writes a variable of another process.
    RemoteWrite,
    /// Locals and own channels are named only by code that a process executes.
    Context,
    /// `run` gives as many arguments as the type has parameters.
    RunArguments,
    /// On a channel that is named directly, a send or receive has at most as many arguments as a
    /// message has fields.
    MessageArguments,
    /// A prologue neither creates nor ends a process.
    Prologue,
    /// `exit` is the last effect of its edge, and the guard asks how many processes there are,
    /// which nothing on the edge changes before: it does not communicate and creates no process.
    ExitGuarded,
    /// A claim's edges have no communication, and no effects but assertions.
    Claim,
    /// An event trace's edges have no effects.
    Events,
    /// Initial priorities are 1 or more, and there are no more initial processes than may exist.
    Start,
    /// The limits on processes and channels fit 16 bits.
    Limits,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 24] = [
        Rule::IdInRange,
        Rule::Name,
        Rule::Origin,
        Rule::Width,
        Rule::ArrayLength,
        Rule::RecursiveRecord,
        Rule::Size,
        Rule::ScalarSlot,
        Rule::ParameterCount,
        Rule::NameOrder,
        Rule::EdgeListed,
        Rule::RankOrder,
        Rule::ScalarPlace,
        Rule::Path,
        Rule::RemoteWrite,
        Rule::Context,
        Rule::RunArguments,
        Rule::MessageArguments,
        Rule::Prologue,
        Rule::ExitGuarded,
        Rule::Claim,
        Rule::Events,
        Rule::Start,
        Rule::Limits,
    ];
}

/// The most scalars that one variable, or one channel, holds.
pub const MAX_SCALARS: u64 = 1 << 24;

/// A broken invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which one.
    pub rule: Rule,
    /// Where in the model, in words of its dump: `p0 t17`.
    pub place: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({:?})", self.place, self.message, self.rule)
    }
}

/// All broken invariants of `model`, in the order of its dump; none for a well-formed model.
pub fn verify(model: &Model) -> Vec<Violation> {
    let mut v = Verifier { model, found: Vec::new(), place: String::new(), scalars: Vec::new() };
    v.types();
    v.tables();
    for (i, process) in model.processes.iter().enumerate() {
        v.process(&ProcId::new(i).to_string(), process, Automaton::Process);
    }
    for property in &model.properties {
        let place = format!("property {}", property.name);
        v.place = place.clone();
        v.name(&property.name);
        v.origin(property.origin);
        match &property.kind {
            PropertyKind::Never(p) => v.process(&place, p, Automaton::Claim),
            PropertyKind::Trace(p) | PropertyKind::NoTrace(p) => v.process(&place, p, Automaton::Events),
            PropertyKind::Ltl(f) => v.formula(f),
        }
    }
    v.found
}

/// What an automaton is there for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Automaton {
    Process,
    Claim,
    Events,
}

struct Verifier<'m> {
    model: &'m Model,
    found: Vec<Violation>,
    /// Where in the model the check is.
    place: String,
    /// For each record, how many scalars it holds; none where that is more than the limit.
    scalars: Vec<Option<u64>>,
}

impl<'m> Verifier<'m> {
    fn report(&mut self, rule: Rule, message: impl Into<String>) {
        self.found.push(Violation { rule, place: self.place.clone(), message: message.into() });
    }

    /// The entry with this id, or a report that there is none.
    fn get<T>(&mut self, table: &'m [T], id: impl fmt::Display, index: usize) -> Option<&'m T> {
        let entry = table.get(index);
        if entry.is_none() {
            self.report(Rule::IdInRange, format!("{id} does not exist"));
        }
        entry
    }

    fn name(&mut self, name: &str) {
        if name.is_empty() {
            self.report(Rule::Name, "a name is empty");
        }
        self.line(name);
    }

    fn line(&mut self, text: &str) {
        if text.chars().any(char::is_control) {
            self.report(Rule::Name, format!("{text:?} holds control characters"));
        }
    }

    fn origin(&mut self, at: Origin) {
        if at == Origin::NONE {
            return;
        }
        self.get(&self.model.files, at.file, at.file.index());
        let begin = (at.line, at.column);
        if at.line == 0 || at.column == 0 || (at.end_line, at.end_column) < begin {
            self.report(Rule::Origin, format!("{at} is not a place"));
        }
    }

    /// Records first: everything else needs their sizes.
    fn types(&mut self) {
        let records = &self.model.records;
        self.scalars = vec![Some(0); records.len()];
        let order = record_order(records.iter().map(|r| r.fields.as_slice()).collect());
        for &id in &order {
            let sizes = records[id].fields.iter().map(|f| self.size(&f.ty));
            self.scalars[id] = sizes.sum::<Option<u64>>().filter(|n| *n <= MAX_SCALARS);
        }
        for (i, record) in records.iter().enumerate() {
            self.place = RecordId::new(i).to_string();
            if !order.contains(&i) {
                self.report(Rule::RecursiveRecord, "the record contains itself, or one that does");
            }
            self.name(&record.name);
            for field in &record.fields {
                self.name(&field.name);
                self.ty(&field.ty);
            }
            if order.contains(&i) && self.scalars[i].is_none() {
                self.report(Rule::Size, "the record is too large");
            }
        }
    }

    /// How many scalars a type holds; none where that is more than the limit.
    fn size(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Int(..) | Type::Chan => Some(1),
            // One that does not exist or is recursive is reported as such.
            Type::Record(id) => self.scalars.get(id.index()).copied().unwrap_or(Some(0)),
            Type::Array(elem, len) => {
                self.size(elem)?.checked_mul(u64::from(*len)).filter(|n| *n <= MAX_SCALARS)
            }
        }
    }

    /// A type by itself; its users check its size.
    fn ty(&mut self, ty: &'m Type) {
        match ty {
            Type::Int(int, shown) => {
                if !(1..=64).contains(&int.bits) {
                    self.report(Rule::Width, format!("{int} is no integer type"));
                }
                if let crate::Shown::Names(set) = shown {
                    self.get(&self.model.name_sets, set, set.index());
                }
            }
            Type::Chan => {}
            Type::Record(id) => {
                self.get(&self.model.records, id, id.index());
            }
            Type::Array(elem, len) => {
                if *len == 0 {
                    self.report(Rule::ArrayLength, "an array has no elements");
                }
                self.ty(elem);
            }
        }
    }

    fn scalar(&mut self, ty: &Type, what: &str) {
        if ty.scalar().is_none() {
            self.report(Rule::ScalarSlot, format!("{what} has the type {ty}, which is no scalar"));
        }
    }

    fn variable(&mut self, place: String, var: &'m Variable) {
        self.place = place;
        self.name(&var.name);
        self.ty(&var.ty);
        self.origin(var.origin);
        if self.size(&var.ty).is_none() {
            self.report(Rule::Size, format!("{} is too large", var.name));
        }
        match var.access {
            Access::Plain | Access::Hidden | Access::Local | Access::Show => {}
        }
    }

    fn channel(&mut self, place: String, chan: &'m Channel) {
        self.place = place;
        self.name(&chan.name);
        self.get(&self.model.shapes, chan.shape, chan.shape.index());
    }

    /// Everything but records, processes and properties.
    fn tables(&mut self) {
        let m = self.model;
        for (i, set) in m.name_sets.iter().enumerate() {
            self.place = crate::NameSetId::new(i).to_string();
            self.name(&set.name);
            set.names.iter().for_each(|(name, _)| self.name(name));
            if !set.names.is_sorted_by_key(|(_, value)| *value) {
                self.report(Rule::NameOrder, "the names are not in order of value");
            }
        }
        for (i, shape) in m.shapes.iter().enumerate() {
            self.place = crate::ShapeId::new(i).to_string();
            for ty in &shape.fields {
                self.ty(ty);
                self.scalar(ty, "a message field");
            }
            if shape.fields.len() as u64 * u64::from(shape.capacity).max(1) > MAX_SCALARS {
                self.report(Rule::Size, "the messages are too large");
            }
        }
        for (i, var) in m.globals.iter().enumerate() {
            self.variable(crate::GlobalId::new(i).to_string(), var);
        }
        for (i, chan) in m.channels.iter().enumerate() {
            self.channel(format!("c{i}"), chan);
        }
        self.place = "semantics".into();
        let limits = [m.semantics.max_processes, m.semantics.max_channels];
        if limits.iter().any(|limit| *limit > u32::from(u16::MAX)) {
            self.report(Rule::Limits, "a limit is larger than 65535");
        }
        self.place = "prologue".into();
        self.prologue(&m.prologue, None);
        self.place = "start".into();
        for Instance { proc, priority } in &m.start {
            self.get(&m.processes, proc, proc.index());
            if *priority == 0 {
                self.report(Rule::Start, format!("{proc} starts with priority 0"));
            }
        }
        if m.start.len() as u64 > u64::from(m.semantics.max_processes) {
            self.report(Rule::Start, "more processes start than may exist");
        }
    }

    fn process(&mut self, place: &str, p: &'m Process, kind: Automaton) {
        self.place = place.to_string();
        self.name(&p.name);
        self.origin(p.origin);
        if p.params as usize > p.locals.len() {
            self.report(Rule::ParameterCount, format!("{} parameters, {} locals", p.params, p.locals.len()));
        }
        self.get(&p.locations, p.entry, p.entry.index());
        if let Some(e) = &p.provided {
            self.expr(e, Some(p));
        }
        for (i, var) in p.locals.iter().enumerate() {
            self.variable(format!("{place} {}", LocalId::new(i)), var);
            if i < p.params as usize {
                self.scalar(&var.ty, "a parameter");
            }
        }
        for (i, chan) in p.channels.iter().enumerate() {
            self.channel(format!("{place} own{i}"), chan);
        }
        self.place = format!("{place} prologue");
        self.prologue(&p.prologue, Some(p));
        self.locations(place, p);
        for (i, edge) in p.edges.iter().enumerate() {
            self.place = format!("{place} {}", EdgeId::new(i));
            self.edge(edge, p, kind);
        }
    }

    fn locations(&mut self, place: &str, p: &'m Process) {
        let mut listed = vec![0u32; p.edges.len()];
        for (i, location) in p.locations.iter().enumerate() {
            let id = LocId::new(i);
            self.place = format!("{place} {id}");
            location.labels.iter().for_each(|label| self.name(label));
            self.origin(location.origin);
            let mut rank = 0;
            for &out in &location.out {
                let Some(edge) = self.get(&p.edges, out, out.index()) else { continue };
                listed[out.index()] = listed[out.index()].saturating_add(1);
                if edge.source != id {
                    self.report(Rule::EdgeListed, format!("{out} is listed here and leaves {}", edge.source));
                }
                if edge.rank < rank {
                    self.report(Rule::RankOrder, format!("{out} has rank {}, after rank {rank}", edge.rank));
                }
                rank = edge.rank;
            }
        }
        for (i, count) in listed.into_iter().enumerate().filter(|(_, count)| *count != 1) {
            self.place = format!("{place} {}", EdgeId::new(i));
            self.report(Rule::EdgeListed, format!("listed {count} times"));
        }
    }
}

/// The records in an order in which each comes after those it contains. Those that contain
/// themselves, and whatever contains one of those, are left out. Depth cannot overflow a stack:
/// there is no recursion.
fn record_order(records: Vec<&[Field]>) -> Vec<usize> {
    fn inner(ty: &Type) -> Option<usize> {
        match ty {
            Type::Record(id) => Some(id.index()),
            Type::Array(elem, _) => inner(elem),
            Type::Int(..) | Type::Chan => None,
        }
    }
    let mut users = vec![Vec::new(); records.len()];
    let mut waits = vec![0usize; records.len()];
    for (i, fields) in records.iter().enumerate() {
        for used in fields.iter().filter_map(|f| inner(&f.ty)).filter(|used| *used < records.len()) {
            users[used].push(i);
            waits[i] += 1;
        }
    }
    let mut order: Vec<usize> = (0..records.len()).filter(|i| waits[*i] == 0).collect();
    let mut next = 0;
    while let Some(&done) = order.get(next) {
        next += 1;
        for &user in &users[done] {
            waits[user] -= 1;
            if waits[user] == 0 {
                order.push(user);
            }
        }
    }
    order
}
