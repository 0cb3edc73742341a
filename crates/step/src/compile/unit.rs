//! Compilation unit of one model: facts known before emission, the generated functions, and their
//! module.
//!
//! Functions for each process type, as needed: *step* (all edges from a source state), *chain*
//! (continuation of an atomic sequence), *receiver* and *part* (the two halves of a rendezvous),
//! *birth* (the prologue), *test* (whether it is enabled). Functions for the model: *drive* (all
//! sources of a batch) and *partners* (all processes except the sender). All parameters and results
//! are 64-bit numbers.
//!
//! *Entry points:* [`Unit::new`] and [`compile`].

use std::sync::atomic::{AtomicBool, Ordering};

use axle_model::{ChanRef, Comm, Edge, Effect, Expr, Model, ProcId, Process, Type};
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, isa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};

use super::continuations::{Chained, Entries};
use super::emit::{Emit, Me};
use super::listeners::Listeners;
use super::runtime::{self, Ctx, EnabledFn, Groups};
use super::segments::{self, Segmented};
use crate::atom::Atom;
use crate::layout::{ChanLayout, Layout};
use crate::options::Options;

/// Reason why a model was not compiled. The interpreter still executes it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no machine code for this model: {0}")]
pub struct Unsupported(pub String);

/// The functions of one process type.
pub(super) struct ProcFuncs {
    pub step: Segmented,
    pub chain: Option<Segmented>,
    /// The entries of `chain`.
    pub chained: Entries,
    pub receiver: Option<Segmented>,
    pub test_receiver: Option<Segmented>,
    pub part: Option<Segmented>,
    pub birth: Option<FuncId>,
    pub test: Option<Segmented>,
    /// Whether `step` itself checks the buffer; otherwise the driver reserves `most_edges` states.
    pub checks_room: bool,
    /// Maximum number of edges that leave one location.
    pub most_edges: usize,
}

/// Facts known before emission.
pub(super) struct Unit<'a> {
    pub model: &'a Model,
    pub layout: &'a Layout,
    pub constants: &'a [u8],
    pub options: Options,
    pub groups: Groups,
    /// Whether all channels are rendezvous channels, and there is at least one.
    pub only_rendezvous: bool,
    /// Bytes of a state, if processes are never created.
    pub fixed_width: Option<usize>,
    /// Whether processes are created dynamically.
    pub grows: bool,
    /// Whether 16-byte moves are available.
    pub vectors: bool,
    pub uses_timeout: bool,
    pub has_sequences: bool,
    pub most_processes: u32,
    /// Whether a receive can depend on the sender's location.
    pub receivers_look_around: bool,
    pub listeners: Listeners,
    pub funcs: Vec<ProcFuncs>,
    pub partners: Option<FuncId>,
    pub test_partners: Option<FuncId>,
    pub drive: Option<FuncId>,
}

/// `(ctx, state, slot offset, pid, out)`: the new `out`.
pub(super) type StepFn = unsafe extern "C" fn(*mut Ctx, *const u8, u64, u64, *mut u8) -> *mut u8;
/// `(ctx, first source, end)`: the source at which it stopped.
pub(super) type DriveFn = unsafe extern "C" fn(*mut Ctx, *const u8, *const u8) -> *const u8;

/// Generated code, and the data that it addresses.
pub(super) struct Code {
    pub drive: DriveFn,
    pub steps: Vec<StepFn>,
    pub tests: Vec<Option<EnabledFn>>,
    /// For each type, the number of states reserved by the driver: 0 if the code checks the buffer
    /// itself.
    pub room: Vec<usize>,
    pub uses_timeout: bool,
    /// Whether processes are created dynamically.
    pub grows: bool,
    module: Option<JITModule>,
    /// Tables that the code addresses.
    _listeners: Listeners,
    /// The constant segment, which the code addresses.
    _constants: Box<[u8]>,
}

// SAFETY: generated code keeps no data between calls: it writes to memory given by its caller, and
// only reads the tables and constants here. The module is used only to release the memory, on the
// last drop.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("steps", &self.steps.len()).finish_non_exhaustive()
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: every caller of the code holds a `Code`, and this is the last use of it.
            unsafe { module.free_memory() };
        }
    }
}

/// The signature of every function: `params` 64-bit parameters and one 64-bit result.
pub(super) fn signature(module: &JITModule, params: usize) -> Signature {
    let mut signature = module.make_signature();
    signature.params.extend((0..params).map(|_| AbiParam::new(types::I64)));
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

impl<'a> Unit<'a> {
    /// Computes these facts, and declares the functions.
    fn new(
        model: &'a Model,
        layout: &'a Layout,
        constants: &'a [u8],
        options: Options,
        size: usize,
        module: &mut JITModule,
    ) -> Result<Unit<'a>, Unsupported> {
        let effects = || model.processes.iter().flat_map(|p| &p.edges).flat_map(|e| &e.effects);
        let grows = effects().any(|e| matches!(e, Effect::Run { .. }));
        let (mut uses_timeout, mut asks_enabled) = (false, model.semantics.priorities);
        axle_model::walk::exprs(model, &mut |e| {
            uses_timeout |= matches!(e, Expr::Timeout);
            asks_enabled |= matches!(e, Expr::Enabled(_));
        });
        let groups = runtime::groups(layout);
        let mut unit = Unit {
            only_rendezvous: !groups.is_empty() && groups.iter().all(|group| group.len.is_none()),
            groups,
            model,
            layout,
            constants,
            options,
            fixed_width: (!grows).then(|| layout.width()),
            grows,
            vectors: cfg!(any(target_arch = "x86_64", target_arch = "aarch64")),
            uses_timeout,
            has_sequences: model.processes.iter().flat_map(|p| &p.edges).any(|e| Chained::after(e).is_some()),
            most_processes: match grows {
                true => model.semantics.max_processes.max(model.start.len() as u32),
                false => model.start.len() as u32,
            },
            receivers_look_around: false,
            listeners: Listeners::default(),
            funcs: Vec::new(),
            partners: None,
            test_partners: None,
            drive: None,
        };
        let ids = (0..model.processes.len()).map(ProcId::new);
        let receives = |unit: &Unit, id: ProcId| {
            model.process(id).edges.iter().any(|e| unit.may_receive_rendezvous(id, e))
        };
        unit.receivers_look_around =
            ids.clone().any(|id| receives(&unit, id) && looks_around(model.process(id)));
        let mut declare = |params: usize| {
            let signature = signature(module, params);
            module.declare_anonymous_function(&signature).map_err(|e| Unsupported(e.to_string()))
        };
        let mut handshakes = false;
        for id in ids {
            let process = model.process(id);
            let chained = Entries::of(process);
            let by_location = segments::of_locations(process, size);
            let offers = process.edges.iter().any(|e| match &e.comm {
                Some(Comm::Send { chan, .. }) => unit.may_be_rendezvous(id, chan),
                Some(Comm::Receive { .. }) | None => false,
            });
            handshakes |= offers;
            let receives = receives(&unit, id);
            unit.funcs.push(ProcFuncs {
                step: Segmented::declare(&by_location, || declare(5))?,
                chain: match chained.len() {
                    0 => None,
                    entries => Some(Segmented::declare(&segments::of_number(entries, size), || declare(5))?),
                },
                checks_room: offers || chained.len() > 0,
                chained,
                receiver: match receives {
                    true => Some(Segmented::declare(&by_location, || declare(6))?),
                    false => None,
                },
                test_receiver: match receives && asks_enabled {
                    true => Some(Segmented::declare(&by_location, || declare(6))?),
                    false => None,
                },
                part: match offers {
                    true => {
                        let by_edge = segments::of_number(process.edges.len(), size);
                        Some(Segmented::declare(&by_edge, || declare(5))?)
                    }
                    false => None,
                },
                birth: if process.prologue.is_empty() || !grows { None } else { Some(declare(4)?) },
                test: match asks_enabled {
                    true => Some(Segmented::declare(&by_location, || declare(5))?),
                    false => None,
                },
                most_edges: process.locations.iter().map(|l| l.out.len()).max().unwrap_or(0),
            });
        }
        unit.partners = if handshakes { Some(declare(5)?) } else { None };
        unit.test_partners = if handshakes && asks_enabled { Some(declare(5)?) } else { None };
        unit.drive = Some(declare(3)?);
        unit.listeners = Listeners::new(&unit);
        Ok(unit)
    }

    fn chan_layout(&self, proc: ProcId, chan: ChanRef) -> &'a ChanLayout {
        match chan {
            ChanRef::Global(index) => &self.layout.channels[index as usize],
            ChanRef::Own(index) => &self.layout.procs[proc.index()].channels[index as usize],
        }
    }

    /// Whether an expression may denote a rendezvous channel.
    pub fn may_be_rendezvous(&self, proc: ProcId, chan: &Expr) -> bool {
        match chan {
            Expr::Channel(chan) => self.chan_layout(proc, *chan).len.is_none(),
            _ => self.groups.iter().any(|group| group.len.is_none()),
        }
    }

    /// Whether an edge may be the second half of a rendezvous.
    pub fn may_receive_rendezvous(&self, proc: ProcId, edge: &Edge) -> bool {
        match &edge.comm {
            Some(Comm::Receive { chan, .. }) => !edge.is_else && self.may_be_rendezvous(proc, chan),
            Some(Comm::Send { .. }) | None => false,
        }
    }

    /// The message fields of every rendezvous channel that an expression may denote.
    pub fn rendezvous_fields(&self, proc: ProcId, chan: &Expr) -> Vec<&'a [Type]> {
        let fields = |chan: &ChanLayout| self.model.shapes[chan.shape.index()].fields.as_slice();
        match chan {
            Expr::Channel(chan) => vec![fields(self.chan_layout(proc, *chan))],
            _ => self.groups.iter().filter(|group| group.len.is_none()).map(fields).collect(),
        }
    }
}

/// Whether a process depends on the locations of other processes.
fn looks_around(process: &Process) -> bool {
    let mut found = false;
    axle_model::walk::process(process, &mut |e| {
        found |=
            matches!(e, Expr::AtLocation { .. } | Expr::Location(_) | Expr::Enabled(_) | Expr::NonProgress);
    });
    found
}

/// Settings of the code generator for this machine.
fn machine() -> Result<isa::OwnedTargetIsa, Unsupported> {
    let failed = |e: &dyn std::fmt::Display| Unsupported(e.to_string());
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("opt_level", "none"),
        ("unwind_info", "false"),
        ("enable_verifier", verify),
    ] {
        flags.set(name, value).map_err(|e| failed(&e))?;
    }
    let isa = cranelift_native::builder().map_err(|e| failed(&e))?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|e| failed(&e))?;
    match isa.pointer_bits() {
        64 => Ok(isa),
        bits => Err(Unsupported(format!("a machine of {bits} bits"))),
    }
}

/// Bytes of address space reserved for the code of a model, so that direct calls reach all of it.
/// An edge takes one or two kilobytes, or more if it can use several kinds of channels.
fn arena_size(model: &Model) -> usize {
    let edges: usize = model.processes.iter().map(|p| p.edges.len()).sum();
    (16 << 20) + edges.min(16_384) * (64 << 10)
}

/// Compiles a model, in segments of `size` edges; fails soon after `cancelled` is set.
pub(super) fn compile(
    model: &Model,
    layout: &Layout,
    constants: Box<[u8]>,
    options: Options,
    size: usize,
    cancelled: &AtomicBool,
) -> Result<Code, Unsupported> {
    let failed = |e: &dyn std::fmt::Display| Unsupported(e.to_string());
    let mut builder = JITBuilder::with_isa(machine()?, default_libcall_names());
    let arena = ArenaMemoryProvider::new_with_size(arena_size(model)).map_err(|e| failed(&e))?;
    builder.memory_provider(Box::new(arena));
    let mut module = JITModule::new(builder);
    let mut unit = Unit::new(model, layout, &constants, options, size, &mut module)?;
    let mut compiler = Compiler {
        unit: &unit,
        module: &mut module,
        context: Context::new(),
        builder: FunctionBuilderContext::new(),
        cancelled,
    };
    for (index, funcs) in unit.funcs.iter().enumerate() {
        let proc = ProcId::new(index);
        let by_location = |emit: &mut Emit, function: &Segmented| {
            let none = emit.params()[4];
            emit.by_location(proc, function, none);
        };
        compiler.define_segments(Some(&funcs.step), proc, by_location, |emit| emit.step(proc))?;
        let in_turn = |emit: &mut Emit, function: &Segmented| emit.chain_of_segments(function);
        compiler.define_segments(funcs.chain.as_ref(), proc, in_turn, |emit| emit.chain(proc))?;
        let receivers = [(&funcs.receiver, false), (&funcs.test_receiver, true)];
        for (function, test) in receivers {
            let body = |emit: &mut Emit| emit.receiver(proc, test);
            compiler.define_segments(function.as_ref(), proc, by_location, body)?;
        }
        let tests = |emit: &mut Emit, function: &Segmented| {
            let disabled = emit.iconst(0);
            emit.by_location(proc, function, disabled);
        };
        compiler.define_segments(funcs.test.as_ref(), proc, tests, |emit| emit.test(proc))?;
        // An offer contains the address of the segment of its edge: there is no dispatcher.
        for (id, edges) in funcs.part.iter().flat_map(Segmented::segments) {
            compiler.define_for(id, proc, |emit| {
                emit.segment = edges;
                emit.senders_part(proc);
            })?;
        }
        if let Some(birth) = funcs.birth {
            compiler.define_for(birth, proc, |emit| emit.birth(proc))?;
        }
    }
    compiler.define(unit.partners, |emit| emit.offer_to_others(false))?;
    compiler.define(unit.test_partners, |emit| emit.offer_to_others(true))?;
    compiler.define(unit.drive, |emit| emit.drive())?;
    module.finalize_definitions().map_err(|e| failed(&e))?;

    let Some(drive) = unit.drive else { return Err(Unsupported("no driver".into())) };
    let address = |id: FuncId| module.get_finalized_function(id);
    let step = |f: &ProcFuncs| {
        // SAFETY: a step function was declared with these parameters (`signature` of 5) by the same
        // calling convention, that of the machine.
        unsafe { std::mem::transmute::<*const u8, StepFn>(address(f.step.entry())) }
    };
    let test = |f: &ProcFuncs| {
        // SAFETY: as above, for a test function.
        f.test.as_ref().map(|f| unsafe { std::mem::transmute::<*const u8, EnabledFn>(address(f.entry())) })
    };
    let (steps, tests) = (unit.funcs.iter().map(step).collect(), unit.funcs.iter().map(test).collect());
    // SAFETY: as above, for the driver, a `signature` of 3.
    let drive = unsafe { std::mem::transmute::<*const u8, DriveFn>(address(drive)) };
    let room = unit.funcs.iter().map(|f| if f.checks_room { 0 } else { f.most_edges }).collect();
    let (uses_timeout, grows) = (unit.uses_timeout, unit.grows);
    let listeners = std::mem::take(&mut unit.listeners);
    let module = Some(module);
    Ok(Code {
        drive,
        steps,
        tests,
        room,
        uses_timeout,
        grows,
        module,
        _listeners: listeners,
        _constants: constants,
    })
}

/// `(ctx, state, words)`: writes the bits of atoms.
pub(super) type WatchFn = unsafe extern "C" fn(*mut Ctx, *const u8, *mut u64) -> u64;

/// Machine code for atoms.
pub(super) struct WatchCode {
    pub watch: WatchFn,
    module: Option<JITModule>,
    /// Tables that the code addresses.
    _listeners: Listeners,
    /// The constant segment, which the code addresses.
    _constants: Box<[u8]>,
}

impl std::fmt::Debug for WatchCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WatchCode").finish_non_exhaustive()
    }
}

impl Drop for WatchCode {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: every caller of the code holds a `WatchCode`, and this is the last use of it.
            unsafe { module.free_memory() };
        }
    }
}

/// Compiles the atoms that are given.
pub(super) fn compile_watch(
    model: &Model,
    layout: &Layout,
    constants: Box<[u8]>,
    options: Options,
    atoms: &[Option<&Atom>],
) -> Result<WatchCode, Unsupported> {
    let failed = |e: &dyn std::fmt::Display| Unsupported(e.to_string());
    let mut module = JITModule::new(JITBuilder::with_isa(machine()?, default_libcall_names()));
    let mut unit = Unit::new(model, layout, &constants, options, segments::SIZE, &mut module)?;
    let signature = signature(&module, 3);
    let id = module.declare_anonymous_function(&signature).map_err(|e| failed(&e))?;
    let mut compiler = Compiler {
        unit: &unit,
        module: &mut module,
        context: Context::new(),
        builder: FunctionBuilderContext::new(),
        cancelled: &AtomicBool::new(false),
    };
    compiler.define(Some(id), |emit| emit.watch(atoms))?;
    module.finalize_definitions().map_err(|e| failed(&e))?;
    // SAFETY: the function was declared with these parameters by the calling convention of the
    // machine.
    let watch = unsafe { std::mem::transmute::<*const u8, WatchFn>(module.get_finalized_function(id)) };
    let listeners = std::mem::take(&mut unit.listeners);
    Ok(WatchCode { watch, module: Some(module), _listeners: listeners, _constants: constants })
}

struct Compiler<'u, 'a> {
    unit: &'u Unit<'a>,
    module: &'u mut JITModule,
    context: Context,
    builder: FunctionBuilderContext,
    cancelled: &'u AtomicBool,
}

impl Compiler<'_, '_> {
    /// Defines a function of a process type: all its segments by `body`, and by `dispatch` the
    /// function that calls them, if there are several.
    fn define_segments(
        &mut self,
        function: Option<&Segmented>,
        proc: ProcId,
        dispatch: impl FnOnce(&mut Emit, &Segmented),
        mut body: impl FnMut(&mut Emit),
    ) -> Result<(), Unsupported> {
        let Some(function) = function else { return Ok(()) };
        for (id, segment) in function.segments() {
            self.define_for(id, proc, |emit| {
                emit.segment = segment;
                body(emit);
            })?;
        }
        match function.dispatcher() {
            Some(id) => self.define_for(id, proc, |emit| dispatch(emit, function)),
            None => Ok(()),
        }
    }

    /// Defines a function of a process type: state, slot and number are its second to fourth
    /// parameters.
    fn define_for(
        &mut self,
        id: FuncId,
        proc: ProcId,
        body: impl FnOnce(&mut Emit),
    ) -> Result<(), Unsupported> {
        self.define(Some(id), |emit| {
            let params = emit.params();
            emit.me = Me { proc, off: params[2], pid: params[3] };
            emit.view = emit.view_of(params[1]);
            body(emit);
        })
    }

    fn define(&mut self, id: Option<FuncId>, body: impl FnOnce(&mut Emit)) -> Result<(), Unsupported> {
        let Some(id) = id else { return Ok(()) };
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Unsupported("code generation was cancelled".into()));
        }
        let signature = self.module.declarations().get_function_decl(id).signature.clone();
        self.context.func = Function::with_name_signature(UserFuncName::user(0, id.as_u32()), signature);
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let mut emit = Emit::open(self.unit, self.module, builder);
        body(&mut emit);
        emit.close();
        let defined = self.module.define_function(id, &mut self.context);
        defined.map_err(|e| Unsupported(format!("{e:?}")))?;
        self.module.clear_context(&mut self.context);
        Ok(())
    }
}
