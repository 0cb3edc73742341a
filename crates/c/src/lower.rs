//! Lowers the typed tree to three-address code over registers, with at most one memory access per
//! step. Only functions that `main` can reach are lowered. Operands are evaluated from left to
//! right; the right operand of an assignment is evaluated before its left operand.
//!
//! *Entry point:* [`lower`].
//! *Source:* A. W. Appel, "Modern Compiler Implementation", chapter 7.
//! *Invariant:* every automatic object has a step that begins its lifetime and, on every path out
//! of its block, a step that ends it.

mod callees;
mod expression;
mod memory;
mod sequence;
mod shown;
mod statement;
mod wide;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use axle_source::{Diagnostic, Diagnostics, Loc};
use rustc_hash::FxHashMap;

use crate::analysis::arguments::argument_uses;
use crate::analysis::{dependence, liveness, locksets};
use crate::code::{
    Arg, Callee, Class, Code, Home, Initial, Mem, Op, Origin, Reg, Scalar, Slot, Static, StaticKind, Stuck,
    ThreadVariable,
};
use crate::library::{self, Operation, Role};
use crate::parse::{Constant, evaluate, evaluate_wide};
use crate::program::Program;
use crate::program::may_access::MayAccess;
use crate::program::symbols::Symbols;
use crate::program::thread_accesses::Dependence;
use crate::tree::{Expr, Function, Init, Kind, Tree};
use crate::types::{self, FloatKind, Qual, Quals, Type, TypeId, Types};
use callees::with_role;
use sequence::Beside;
use shown::{Instead, irrelevant_inputs, sleeps_and_looks, timers};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Entity {
    Function(u32),
    Global(u32),
    Text(u32),
}

struct Lowerer<'a> {
    tree: &'a Tree,
    statics: Vec<Static>,
    numbers: FxHashMap<Entity, u32>,
    /// Functions and variables that remain to be lowered.
    functions: Vec<u32>,
    globals: Vec<(u32, u32)>,
    codes: Vec<Code>,
    code_of: FxHashMap<u32, u32>,
    thread_numbers: FxHashMap<u32, u32>,
    thread_variables: Vec<(u32, Option<u32>)>,
    image_bytes: u32,
    missing: Vec<(Arc<str>, Loc)>,
    /// See [`Program::unsupported`].
    unsupported: Vec<Arc<str>>,
    constants: Vec<i64>,
    /// Pairs of functions whose calls are unsequenced.
    unordered: Vec<(u32, u32, Loc)>,
    /// The function that runs the handlers registered with `atexit`, if there are any.
    at_exit: Option<u32>,
    instead: Instead,
    /// The first volatile access that is lowered to an atomic one.
    relaxed_volatile: Option<Loc>,
}

/// The target of `break` or `continue`.
struct Exit {
    break_to: Label,
    continue_to: Option<Label>,
    /// The number of live objects at the target.
    alive: usize,
}

/// A position in the code that may still be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Label(u32);

/// The `switch` being lowered.
struct Switch {
    cases: Vec<(u64, u64, Label, Vec<u32>)>,
    default: Option<(Label, Vec<u32>)>,
}

/// A function being lowered.
struct Body {
    /// The function is defined in a library source of Axle.
    ours: bool,
    ops: Vec<Op>,
    locs: Vec<Loc>,
    statements: Vec<Loc>,
    slots: Vec<Slot>,
    names: Vec<(Arc<str>, Qual, Reg)>,
    /// The location of each local: a register or a slot.
    homes: Vec<LocalHome>,
    regs: u32,
    /// The first register that is free for temporaries of the current statement.
    free: u32,
    labels: Vec<Option<u32>>,
    exits: Vec<Exit>,
    switches: Vec<Switch>,
    /// Live slots, in order of the begin of their lifetimes.
    alive: Vec<u32>,
    /// The function, and the locals with a `cleanup` attribute by slot.
    function: u32,
    clean_ups: FxHashMap<u32, usize>,
    named: FxHashMap<Arc<str>, (Label, Option<Vec<u32>>)>,
    gotos: Vec<(Label, Arc<str>, Vec<u32>, Loc)>,
    loc: Loc,
    statement: Loc,
    ret: TypeId,
    is_main: bool,
    /// Whether a full expression is being lowered, and its subexpressions with undefined behaviour.
    inside: bool,
    unsequenced: BTreeSet<usize>,
    /// Accesses to be compared at run time, with the registers that hold their addresses.
    beside: Vec<Beside>,
    /// See [`Code::printed`].
    printed: Vec<(u32, Box<[Scalar]>)>,
}

#[derive(Clone, Copy, Debug)]
enum LocalHome {
    Reg(Reg),
    Slot(u32),
}

/// Lowers the functions that `main` reaches; `None` if there is no `main`.
pub fn lower(tree: &Tree, diagnostics: &mut Diagnostics) -> Option<Program> {
    let main = tree.functions.iter().position(|f| Role::of(&f.name) == Some(Role::Main) && f.body.is_some());
    let Some(main) = main else {
        diagnostics.push(Diagnostic::error("E0740", "the program has no function `main`"));
        return None;
    };
    let mut lowerer = reached(tree, main as u32, None, Instead::default());
    let asked = |id: &u32| Role::of(&tree.functions[*id as usize].name) == Some(Role::AtExit);
    let at_exit =
        tree.functions.iter().position(|f| Role::of(&f.name) == Some(Role::RunExits) && f.body.is_some());
    let at_exit = at_exit.filter(|_| lowerer.functions.iter().any(asked)).map(|id| id as u32);
    let reaches = |role: Role| lowerer.codes.iter().any(|code| code.role == Some(role));
    let instead = Instead {
        moves: sleeps_and_looks(&lowerer.codes, &lowerer.statics),
        cancels: reaches(Role::Cancel),
        alarms: reaches(Role::SetAlarm),
        handles: reaches(Role::SetAction),
    };
    if at_exit.is_some() || instead != Instead::default() {
        lowerer = reached(tree, main as u32, at_exit, instead);
    }
    lowerer.finish(diagnostics)
}

/// Lowers the functions that `main` reaches.
fn reached(tree: &Tree, main: u32, at_exit: Option<u32>, instead: Instead) -> Lowerer<'_> {
    let mut lowerer = Lowerer {
        tree,
        statics: Vec::new(),
        numbers: FxHashMap::default(),
        functions: Vec::new(),
        globals: Vec::new(),
        codes: Vec::new(),
        code_of: FxHashMap::default(),
        thread_numbers: FxHashMap::default(),
        thread_variables: Vec::new(),
        image_bytes: 0,
        missing: Vec::new(),
        unsupported: Vec::new(),
        constants: Vec::new(),
        unordered: Vec::new(),
        at_exit,
        instead,
        relaxed_volatile: None,
    };
    lowerer.number(Entity::Function(main));
    let mut done = 0;
    while done < lowerer.functions.len() {
        let function = lowerer.functions[done];
        done += 1;
        lowerer.function(function);
        // Ending threads run the destructors of their thread-specific data and their cleanup
        // handlers.
        let at_end = match Role::of(&tree.functions[function as usize].name) {
            Some(Role::CreateKey) => Some(Role::RunDestructors),
            Some(Role::Cancel | Role::PushCleanup) => Some(Role::Leave),
            _ => None,
        };
        if let Some(found) = at_end.and_then(|role| with_role(tree, role)) {
            lowerer.number(Entity::Function(found));
        }
        lowerer.reach_initial_values();
    }
    lowerer
}

impl Lowerer<'_> {
    /// The object number of an entity with static storage duration.
    fn number(&mut self, entity: Entity) -> u32 {
        if let Some(&known) = self.numbers.get(&entity) {
            return known;
        }
        let types = &self.tree.types;
        let number = self.statics.len() as u32 + 1;
        self.numbers.insert(entity, number);
        let made = match entity {
            Entity::Function(id) => {
                let function = &self.tree.functions[id as usize];
                let callee = match library::find(&function.name) {
                    _ if function.body.is_some() => {
                        let code = self.functions.len() as u32;
                        self.functions.push(id);
                        self.code_of.insert(id, code);
                        Callee::Code(code)
                    }
                    Some(lib) => Callee::Library(lib),
                    None => Callee::Undefined,
                };
                let (ty, name) = (Qual::plain(function.ty), function.name.clone());
                let (kind, origin) = (StaticKind::Function(callee), Origin::Program);
                Static { kind, name, size: 1, ty, constant: false, origin }
            }
            Entity::Text(id) => {
                let text = self.tree.strings[id as usize].clone();
                let size = text.len() as u32;
                let (ty, origin) = (Qual::plain(types::CHARS), Origin::Program);
                let (kind, name) = (StaticKind::Text(text), "a string".into());
                Static { kind, name, size, ty, constant: true, origin }
            }
            Entity::Global(id) => {
                let global = &self.tree.globals[id as usize];
                let size =
                    types.size(global.ty.ty).unwrap_or(0).max(self.flexible_extent(&global.init)) as u32;
                let at = self.image_bytes.next_multiple_of(types.align(global.ty.ty).clamp(1, 8) as u32);
                self.image_bytes = at + size;
                self.globals.push((id, number));
                let name: Arc<str> = match global.within {
                    Some(f) => format!("{}::{}", self.tree.functions[f as usize].name, global.name).into(),
                    None => global.name.clone(),
                };
                let code = global.within.and_then(|f| self.code_of.get(&f));
                // The standard streams, to which programs have pointers.
                let is_streams = library::is_implicit_variable(&name);
                let name = if is_streams { "stdio".into() } else { name };
                let origin = match code {
                    _ if is_streams => Origin::Interface,
                    _ if library::is_internal(&name) => Origin::Internal,
                    Some(code) if global.ours => Origin::Function(*code),
                    None if global.ours => Origin::Interface,
                    _ => Origin::Program,
                };
                let mut element = global.ty;
                let mut constant = element.quals.has(Quals::CONST);
                while let Type::Array(of, _) = types.get(element.ty) {
                    element = *of;
                    constant |= element.quals.has(Quals::CONST);
                }
                Static { kind: StaticKind::Variable(at), name, size, ty: global.ty, constant, origin }
            }
        };
        self.statics.push(made);
        number
    }

    /// The end of the stores to a flexible array member.
    fn flexible_extent(&self, init: &Option<Init>) -> u64 {
        let ends = init
            .iter()
            .flat_map(|init| &init.items)
            .map(|item| item.offset + self.tree.types.size(item.value.ty.ty).unwrap_or(0));
        ends.max().unwrap_or(0)
    }

    /// The number of a variable with thread storage duration.
    fn thread_number(&mut self, id: u32) -> u32 {
        if let Some(&known) = self.thread_numbers.get(&id) {
            return known;
        }
        let number = self.thread_variables.len() as u32;
        self.thread_numbers.insert(id, number);
        self.thread_variables.push((id, None));
        number
    }

    /// Numbers the objects that initial values point to.
    fn reach_initial_values(&mut self) {
        let mut at = 0;
        let mut thread = 0;
        loop {
            let id = if at < self.globals.len() {
                at += 1;
                self.globals[at - 1].0
            } else if thread < self.thread_variables.len() {
                thread += 1;
                self.thread_variables[thread - 1].0
            } else {
                return;
            };
            let Some(init) = &self.tree.globals[id as usize].init else { continue };
            for item in &init.items {
                self.initial(item.offset, item.bits, &item.value);
            }
        }
    }

    /// A store of a static initialiser.
    fn initial(&mut self, offset: u64, bits: Option<types::Bits>, value: &Expr) -> Vec<(u32, Initial)> {
        let at = offset as u32;
        if let Kind::Load(inner) = &value.kind
            && let Kind::Global(id) = inner.kind
            && self.tree.types.is_record(value.ty.ty)
        {
            // A compound literal as the value of a record: its stores at the new offset.
            let Some(init) = &self.tree.globals[id as usize].init else { return Vec::new() };
            let mut out = Vec::new();
            for item in &init.items {
                out.extend(self.initial(offset + item.offset, item.bits, &item.value));
            }
            return out;
        }
        if self.tree.types.is_wide(value.ty.ty) {
            let Some(v) = evaluate_wide(self.tree, value) else { return Vec::new() };
            let word = |v: u128| Initial::Bytes(v as u64, 8);
            return vec![(at, word(v)), (at + 8, word(v >> 64))];
        }
        let scalar = self.scalar(value.ty.ty);
        let initial = match evaluate(self.tree, value) {
            Some(Constant::Int(v)) => match bits {
                Some(bits) => Initial::Bits(v, bits),
                None => Initial::Bytes(v, scalar.size),
            },
            Some(Constant::Real(v)) => Initial::Bytes(float_bits(v, scalar.size), scalar.size),
            Some(Constant::Address(base, offset)) => {
                let number = self.number(base_entity(base));
                Initial::Pointer(number, offset as i32)
            }
            None => return Vec::new(),
        };
        vec![(at, initial)]
    }

    /// The initial bytes of the variables with static storage duration, and the pointers among them.
    fn image(&mut self, diagnostics: &mut Diagnostics) -> (Vec<u8>, Vec<(u32, u32, i32)>) {
        let mut image = vec![0u8; self.image_bytes as usize];
        let mut image_pointers = Vec::new();
        let pointer_size = self.tree.types.pointer_size() as usize;
        for (id, number) in self.globals.clone() {
            let StaticKind::Variable(base) = self.statics[number as usize - 1].kind else { continue };
            let global = &self.tree.globals[id as usize];
            if !global.defined && !library::is_implicit_variable(&global.name) {
                let message = format!(
                    "undefined variable `{}`: declared, but not defined in the given files",
                    global.name
                );
                diagnostics.push(Diagnostic::error("E0741", message).at(global.loc, "declared here"));
            }
            let Some(init) = &global.init else { continue };
            for item in &init.items {
                if let Kind::Str(text) = item.value.kind {
                    let text = &self.tree.strings[text as usize];
                    let start = (base as u64 + item.offset) as usize;
                    if let Some(to) = image.get_mut(start..start + text.len()) {
                        to.copy_from_slice(text);
                    }
                    continue;
                }
                for (at, initial) in self.initial(item.offset, item.bits, &item.value) {
                    let at = base + at;
                    image_pointers.retain(|&(p, _, _)| {
                        p + pointer_size as u32 <= at || at + initial_size(&initial, pointer_size) <= p
                    });
                    match initial {
                        Initial::Pointer(object, offset) => image_pointers.push((at, object, offset)),
                        other => write_initial(&mut image, at as usize, &other),
                    }
                }
            }
        }
        image_pointers.sort_unstable();
        (image, image_pointers)
    }

    /// The variables with thread storage duration.
    fn thread_variables(&mut self) -> Vec<ThreadVariable> {
        let mut thread_variables = Vec::new();
        for (id, _) in self.thread_variables.clone() {
            let global = &self.tree.globals[id as usize];
            let (mut stores, mut texts) = (Vec::new(), Vec::new());
            for item in global.init.iter().flat_map(|init| &init.items) {
                match item.value.kind {
                    Kind::Str(text) => {
                        texts.push((item.offset as u32, self.tree.strings[text as usize].clone()))
                    }
                    _ => stores.extend(self.initial(item.offset, item.bits, &item.value)),
                }
            }
            let size = self.tree.types.size(global.ty.ty).unwrap_or(0) as u32;
            thread_variables.push(ThreadVariable {
                name: global.name.clone(),
                size,
                ty: global.ty,
                stores,
                texts,
            });
        }
        thread_variables
    }

    fn finish(mut self, diagnostics: &mut Diagnostics) -> Option<Program> {
        // `main` is the first entity that was reached.
        let main = 1;
        self.reach_initial_values();
        let (image, image_pointers) = self.image(diagnostics);
        let thread_variables = self.thread_variables();
        // Initial values may refer to further functions.
        let main = self.statics[main as usize - 1].kind.code()?;
        let mut constants = std::mem::take(&mut self.constants);
        constants.sort_unstable();
        constants.dedup();
        let mut macros = self.tree.macros.clone();
        macros.sort_unstable();
        macros.dedup();
        let mut program = Program {
            codes: self.codes,
            statics: self.statics,
            image,
            image_pointers,
            thread_variables,
            main,
            types: self.tree.types.clone(),
            missing: self.missing,
            unsupported: self.unsupported,
            weak_order: self.tree.weak_order.or(self.relaxed_volatile),
            relaxed_volatile: self.relaxed_volatile.is_some(),
            macros,
            bounds: self.tree.bounds.applied().to_vec(),
            constants,
            unordered: None,
            futures: MayAccess::default(),
            dependence: Dependence::default(),
            inputs: FxHashMap::default(),
            observed: Vec::new(),
            timers: Vec::new(),
            stores_clock: false,
            argument_uses: Vec::new(),
            symbols: Symbols::default(),
            cancels: false,
            ends_show: false,
            ends: self.at_exit.is_some() || !self.tree.destructors.is_empty(),
        };
        analyse(&mut program);
        let code = |id: &u32| self.code_of.get(id).copied();
        let matters = |(a, b, _): &&(u32, u32, Loc)| match (code(a), code(b)) {
            (Some(a), Some(b)) => program.futures.conflict(a, b),
            _ => false,
        };
        program.unordered = self.unordered.iter().find(matters).map(|(_, _, loc)| *loc);
        Some(program)
    }

    fn scalar(&self, ty: TypeId) -> Scalar {
        scalar(&self.tree.types, ty)
    }

    /// Lowers a function's body.
    fn function(&mut self, id: u32) {
        let tree = self.tree;
        let function = &tree.functions[id as usize];
        let Type::Function(fn_type) = tree.types.get(function.ty) else { return };
        let mut body = Body {
            ours: function.ours,
            ops: Vec::new(),
            locs: Vec::new(),
            statements: Vec::new(),
            slots: Vec::new(),
            names: Vec::new(),
            homes: Vec::new(),
            regs: 0,
            free: 0,
            labels: Vec::new(),
            exits: Vec::new(),
            switches: Vec::new(),
            alive: Vec::new(),
            function: id,
            clean_ups: FxHashMap::default(),
            named: FxHashMap::default(),
            gotos: Vec::new(),
            loc: function.loc,
            statement: function.loc,
            ret: fn_type.ret.ty,
            is_main: Role::of(&function.name) == Some(Role::Main),
            inside: false,
            unsequenced: BTreeSet::new(),
            beside: Vec::new(),
            printed: Vec::new(),
        };
        body.place_locals(tree, function);
        let params = body.place_parameters(tree, function);
        let mut maker = Maker { whole: self, body };
        // No jump targets the first step, so a thread at this step has just entered the function.
        let start = maker.label();
        maker.jump(start);
        maker.place_label(start);
        if maker.body.is_main {
            maker.run_constructors();
        }
        if let Some(statements) = &function.body {
            maker.block(statements, function.end);
        }
        maker.end_function();
        maker.resolve_gotos();
        let mut body = maker.body;
        let labels = std::mem::take(&mut body.labels);
        for op in &mut body.ops {
            patch(op, &labels);
        }
        let mut named: Vec<(Arc<str>, u32)> = (body.named.iter())
            .filter_map(|(name, (label, _))| Some((name.clone(), labels.get(label.0 as usize).copied()??)))
            .collect();
        named.sort();
        let returns_record = match tree.types.get(fn_type.ret.ty) {
            Type::Record(_) => tree.types.size(fn_type.ret.ty).unwrap_or(0),
            _ if tree.types.is_wide(fn_type.ret.ty) => tree.types.size(fn_type.ret.ty).unwrap_or(0),
            _ => 0,
        };
        let is_scalar = tree.types.is_scalar(fn_type.ret.ty) && returns_record == 0;
        let returns = is_scalar.then(|| scalar(&tree.types, fn_type.ret.ty));
        let mut code = Code {
            name: function.name.clone(),
            file: Arc::from(""),
            ops: body.ops,
            locs: body.locs,
            statements: body.statements,
            end: function.end,
            params,
            variadic: fn_type.variadic,
            regs: body.regs,
            slots: body.slots,
            names: body.names,
            live: Vec::new(),
            returns_record,
            returns,
            ours: function.ours,
            internal: library::is_internal(&function.name),
            role: Role::of(&function.name).filter(|_| function.ours),
            atomic: library::is_atomic_section(&function.name),
            for_verifiers: library::is_for_verifiers(&function.name),
            labels: named,
            loop_heads: Vec::new(),
            recurring: OnceLock::new(),
            printed: body.printed,
        };
        liveness::analyse(&mut code);
        self.codes.push(code);
    }
}

impl Body {
    /// Gives each variable of a function a register, or a slot for an object.
    fn place_locals(&mut self, tree: &Tree, function: &Function) {
        for (index, local) in function.locals.iter().enumerate() {
            let internal = library::is_internal(&local.name);
            let size = tree.types.size(local.ty.ty).unwrap_or(0);
            if tree.types.is_scalar(local.ty.ty) && !tree.types.is_wide(local.ty.ty) && !local.addressed {
                let reg = self.regs;
                self.regs += 1;
                if !internal {
                    self.names.push((local.name.clone(), local.ty, reg));
                }
                self.homes.push(LocalHome::Reg(reg));
            } else {
                let slot = self.slots.len() as u32;
                let name = local.name.clone();
                let ty = local.ty;
                self.slots.push(Slot { name, size, ty, stays: false, temporary: false, internal });
                self.homes.push(LocalHome::Slot(slot));
                if local.cleanup.is_some() {
                    self.clean_ups.insert(slot, index);
                }
            }
        }
        self.free = self.regs;
    }

    /// Where the arguments of a function go.
    fn place_parameters(&mut self, tree: &Tree, function: &Function) -> Vec<Home> {
        function
            .params
            .iter()
            .map(|&param| match self.homes[param as usize] {
                LocalHome::Reg(reg) => Home::Reg(reg),
                LocalHome::Slot(slot) => {
                    let ty = function.locals[param as usize].ty;
                    self.alive.push(slot);
                    if tree.types.is_record(ty.ty) || tree.types.is_wide(ty.ty) {
                        Home::Record(slot, self.slots[slot as usize].size)
                    } else {
                        Home::Slot(slot, Mem::plain(scalar(&tree.types, ty.ty)))
                    }
                }
            })
            .collect()
    }
}

/// Adds to a program the results of the analyses that executions depend on.
fn analyse(program: &mut Program) {
    let has = |role: Role| program.codes.iter().any(|code| code.role == Some(role));
    let ends_show = has(Role::MakeRobust) || program.may_perform(Operation::TryJoin);
    (program.cancels, program.ends_show) = (has(Role::Cancel), ends_show);
    program.futures = locksets::analyse(program);
    program.dependence = dependence::analyse(program);
    program.inputs = program.input_classes(&[]);
    let timers = |stores: bool| {
        let pointers = program.image_pointers.iter().map(|&(_, object, _)| object);
        timers(&program.codes, &program.statics, pointers, stores)
    };
    let (shown, stored) = (timers(false), timers(true));
    program.stores_clock = shown != stored;
    program.timers = stored;
    program.argument_uses = argument_uses(program);
    program.symbols = Symbols::resolve(&program.codes, &program.statics, &program.thread_variables);
    let errno = program.symbols.errno.is_some();
    let irrelevant_inputs = irrelevant_inputs(&program.codes, &program.statics, errno);
    program.inputs.extend(irrelevant_inputs);
}

/// The lowering of one function, with access to the program.
struct Maker<'a, 'b> {
    whole: &'a mut Lowerer<'b>,
    body: Body,
}

impl Maker<'_, '_> {
    fn emit(&mut self, op: Op) {
        self.body.ops.push(op);
        self.body.locs.push(self.body.loc);
        self.body.statements.push(self.body.statement);
    }

    fn temp(&mut self) -> Reg {
        let reg = self.body.free;
        self.body.free += 1;
        self.body.regs = self.body.regs.max(self.body.free);
        reg
    }

    fn label(&mut self) -> Label {
        self.body.labels.push(None);
        Label(self.body.labels.len() as u32 - 1)
    }

    fn place_label(&mut self, label: Label) {
        self.body.labels[label.0 as usize] = Some(self.body.ops.len() as u32);
    }

    fn jump(&mut self, to: Label) {
        self.emit(Op::Jump(to.0));
    }

    fn scalar(&self, ty: TypeId) -> Scalar {
        self.whole.scalar(ty)
    }

    /// Whether values of this type are in memory, and denoted by their addresses.
    fn is_in_memory(&self, ty: TypeId) -> bool {
        self.whole.tree.types.is_record(ty) || self.whole.tree.types.is_wide(ty)
    }

    /// Memory for a temporary.
    fn temporary(&mut self, ty: Qual) -> Arg {
        let size = self.whole.tree.types.size(ty.ty).unwrap_or(0);
        let internal = self.whole.tree.types.is_wide(ty.ty);
        let slot = self.body.slots.len() as u32;
        let name = "(value)".into();
        self.body.slots.push(Slot { name, size, ty, stays: false, temporary: true, internal });
        self.begin(slot);
        let dst = self.temp();
        self.emit(Op::SlotAddress { dst, slot });
        Arg::Reg(dst)
    }

    /// Returns from the function after the `cleanup` functions of live objects. A return from
    /// `main` first runs the `atexit` handlers.
    fn leave(&mut self, value: Option<Arg>) {
        for index in (0..self.body.alive.len()).rev() {
            self.clean_up(self.body.alive[index]);
        }
        if self.body.is_main {
            self.run_exits();
        }
        if self.whole.tree.functions[self.body.function as usize].noreturn {
            return self.emit(Op::Stuck(Stuck::Unreachable));
        }
        self.emit(Op::Return { value });
    }

    /// Calls the handlers that run before the program ends.
    fn run_exits(&mut self) {
        if let Some(id) = self.whole.at_exit {
            self.run(id);
        }
        let mut last = self.whole.tree.destructors.clone();
        last.sort_by_key(|(priority, _)| *priority);
        for (_, id) in last.into_iter().rev() {
            self.run(id);
        }
    }

    /// Calls the function that delivers the signal of `abort`.
    fn deliver_abort(&mut self) {
        if let Some(id) = with_role(self.whole.tree, Role::BeforeAbort) {
            self.run(id);
        }
    }

    /// Calls the constructors that run before `main`.
    fn run_constructors(&mut self) {
        let mut first = self.whole.tree.constructors.clone();
        first.sort_by_key(|(priority, _)| *priority);
        for (_, id) in first {
            let loc = self.whole.tree.functions[id as usize].loc;
            (self.body.loc, self.body.statement) = (loc, loc);
            self.run(id);
        }
    }

    fn run(&mut self, id: u32) {
        if self.whole.tree.functions[id as usize].body.is_none() {
            return;
        }
        let callee = Arg::Static(self.whole.number(Entity::Function(id)), 0);
        let (args, sizes) = (Box::default(), Box::default());
        self.emit(Op::Call { dst: None, into: None, callee, args, sizes });
    }

    /// Ends the lifetime of an object.
    fn end(&mut self, slot: u32) {
        self.clean_up(slot);
        self.emit(Op::Dead { slot });
    }

    /// Calls the `cleanup` function of an object.
    fn clean_up(&mut self, slot: u32) {
        let tree = self.whole.tree;
        let locals = &tree.functions[self.body.function as usize].locals;
        let local = self.body.clean_ups.get(&slot).and_then(|&local| locals.get(local));
        let Some(call) = local.and_then(|local| local.cleanup.as_deref()) else { return };
        let (loc, statement) = (self.body.loc, self.body.statement);
        self.scratch(|m| {
            m.begin_statement(call.loc);
            m.effects(call);
        });
        (self.body.loc, self.body.statement) = (loc, statement);
    }

    /// Begins the lifetime of an object; its block ends it.
    fn begin(&mut self, slot: u32) {
        self.emit(Op::Live { slot });
        if !self.body.alive.contains(&slot) {
            self.body.alive.push(slot);
        }
    }

    /// Ends the lifetimes of all but the first `count` live objects.
    fn end_objects(&mut self, count: usize) {
        while self.body.alive.len() > count {
            if let Some(slot) = self.body.alive.pop() {
                self.end(slot);
            }
        }
    }

    /// The same for a jump out of the block: the objects stay live for the code after the jump.
    fn leave_objects(&mut self, count: usize) {
        for index in (count..self.body.alive.len()).rev() {
            let slot = self.body.alive[index];
            self.end(slot);
        }
    }

    fn end_function(&mut self) {
        let is_void = self.body.ret == types::VOID;
        if is_void {
            self.leave(None);
        } else if self.body.is_main {
            self.leave(Some(Arg::Int(0)));
        } else {
            // Reached only if the value is missing: an error if the caller uses it.
            let dst = self.temp();
            self.emit(Op::Undefine { dst });
            if self.is_in_memory(self.body.ret) {
                self.emit(Op::Stuck(Stuck::NoValue));
            } else {
                self.leave(Some(Arg::Reg(dst)));
            }
        }
    }
}

fn patch(op: &mut Op, labels: &[Option<u32>]) {
    let fix = |to: &mut u32| *to = labels[*to as usize].unwrap_or(0);
    match op {
        Op::Jump(to) => fix(to),
        Op::Branch { yes, no, .. } => {
            fix(yes);
            fix(no);
        }
        Op::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|(_, _, to)| fix(to));
            fix(default);
        }
        _ => {}
    }
}

fn base_entity(base: crate::parse::Base) -> Entity {
    match base {
        crate::parse::Base::Global(id) => Entity::Global(id),
        crate::parse::Base::Function(id) => Entity::Function(id),
        crate::parse::Base::Str(id) => Entity::Text(id),
    }
}

/// The scalar of a type; other types count as one byte.
pub fn scalar(types: &Types, ty: TypeId) -> Scalar {
    let size = types.size(ty).unwrap_or(1).min(8) as u8;
    let class = match types.get(ty) {
        Type::Bool => Class::Bool,
        Type::Float(FloatKind::Float | FloatKind::Double | FloatKind::LongDouble) => Class::Float,
        Type::Pointer(_) => Class::Pointer,
        _ if types.is_signed(ty) => Class::Signed,
        _ => Class::Unsigned,
    };
    Scalar { size, class }
}

/// The representation of a floating value in registers and memory: the bits of its width.
pub fn float_bits(value: f64, size: u8) -> u64 {
    if size == 4 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

fn initial_size(initial: &Initial, pointer_size: usize) -> u32 {
    match initial {
        Initial::Bytes(_, size) => u32::from(*size),
        Initial::Pointer(..) => pointer_size as u32,
        Initial::Bits(_, bits) => (u32::from(bits.shift) + u32::from(bits.width)).div_ceil(8),
    }
}

/// Writes an initial value into bytes.
pub fn write_initial(bytes: &mut [u8], at: usize, initial: &Initial) {
    match *initial {
        Initial::Bytes(value, size) => {
            if let Some(to) = bytes.get_mut(at..at + size as usize) {
                to.copy_from_slice(&value.to_le_bytes()[..size as usize]);
            }
        }
        Initial::Bits(value, bits) => {
            for bit in 0..u32::from(bits.width) {
                let place = u32::from(bits.shift) + bit;
                if let Some(byte) = bytes.get_mut(at + place as usize / 8) {
                    let mask = 1 << (place % 8);
                    *byte = if value >> bit & 1 == 1 { *byte | mask } else { *byte & !mask };
                }
            }
        }
        Initial::Pointer(..) => {}
    }
}
