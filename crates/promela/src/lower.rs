//! From the syntax tree to the model: names, types and control flow, with a diagnostic for
//! everything that is wrong, all in one pass over the text.
//!
//! Idea: declarations are entered in the order of the text, as Spin reads them; the body of each
//! process becomes a [`crate::flow::Flow`] of statements ([`crate::lower_stmt`]) and that an
//! automaton ([`crate::emit`]). After an error the pass goes on, so that one run shows all of them;
//! the model is handed out only where there was none.
//!
//! *Entry point:* [`lower`].
//!
//! *Invariant:* no tree causes a panic, and the work is linear in the size of the model.

use axle_model::{Instance, Model, ProcId, Process, Semantics, Type};
use axle_source::{Diagnostic, Diagnostics, Loc, Sources};
use rustc_hash::FxHashMap;

use crate::ast::{self, Item};
use crate::lower_body::Body;
use crate::lower_pass::{Lower, ProcInfo};
use crate::resolve::{Global, Names};
use crate::text::count;

/// Choices of the caller about the interpretation of the text.
#[derive(Clone, Debug, Default)]
pub struct Meaning {
    /// A send to a full channel loses the message (Spin's `-m`).
    pub lossy: bool,
}

/// The model of a program, where there is no error. Errors and warnings go to `diagnostics`.
pub fn lower(
    program: &ast::Program,
    sources: &Sources,
    meaning: &Meaning,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    let semantics = Semantics { lossy: meaning.lossy, ..Semantics::default() };
    let model = Model {
        files: Vec::new(),
        records: Vec::new(),
        name_sets: Vec::new(),
        shapes: Vec::new(),
        globals: Vec::new(),
        channels: Vec::new(),
        prologue: Vec::new(),
        processes: Vec::new(),
        start: Vec::new(),
        properties: Vec::new(),
        semantics,
    };
    let errors = diagnostics.error_count();
    let mut pass = Lower {
        sources,
        diagnostics,
        model,
        names: Names::default(),
        records: Vec::new(),
        procs: Vec::new(),
        runs: Vec::new(),
        labels_asked: Vec::new(),
        claims: Vec::new(),
        sends: Vec::new(),
        total_scalars: 0,
        refused_shapes: false,
        refused_uses: 0,
        suggestions: 0,
        deferred: Vec::new(),
        uses_pc_value: false,
        file_ids: FxHashMap::default(),
        body: Body::default(),
    };
    for (_, file) in sources.files() {
        pass.file_id(file.name());
    }
    pass.names.unparsed = program.unparsed.clone();
    pass.uses_pc_value = crate::survey::uses_pc_value(program);
    pass.model.semantics.priorities = crate::survey::uses_priorities(program);
    pass.enter_proctypes(program);
    pass.items(program);
    pass.formulas();
    pass.check_runs();
    pass.check_sends();
    pass.answer_labels();
    crate::warn::whole_model(&mut pass, program);
    let ok = pass.diagnostics.error_count() == errors;
    let mut model = pass.model;
    if !ok {
        return None;
    }
    crate::channels::name_channels_directly(&mut model);
    Some(model)
}

impl<'a> Lower<'a> {
    /// Proctypes are known by name before the text is read: `run P()` may stand before `P`.
    fn enter_proctypes(&mut self, program: &'a ast::Program) {
        for (index, item) in program.items.iter().enumerate() {
            let upcoming = &mut self.names.upcoming;
            let mut enter = |name: &ast::Name| {
                upcoming.insert(name.text.clone(), name.loc.into());
            };
            match item {
                Item::Vars(decl) => decl.declarators.iter().for_each(|d| enter(&d.name)),
                Item::Mtype(decl) => decl.names.iter().for_each(enter),
                Item::Typedef(def) => enter(&def.name),
                _ => {}
            }
            let (name, loc, deterministic) = match item {
                Item::Proctype(p) => (p.name.text.clone(), p.name.loc, p.deterministic),
                Item::Init(i) => ("init".to_owned(), i.loc, false),
                _ => continue,
            };
            let id = ProcId::new(self.model.processes.len());
            self.names.item = index;
            if matches!(item, Item::Proctype(_)) {
                let fault = self.names.declare_global(&name, Global::Proc(id), loc.into());
                if let Some(fault) = fault {
                    self.report(fault);
                }
            } else if let Some(first) = self.procs.iter().find(|p| p.name == "init") {
                let fault = Diagnostic::error("E0302", "there is more than one `init`")
                    .at(loc.into(), "")
                    .also(first.loc, "the first");
                self.report(fault);
            }
            let origin = self.origin(loc);
            self.model.processes.push(Process { deterministic, origin, ..Process::named(&name) });
            self.procs.push(ProcInfo {
                name,
                loc: loc.into(),
                params: None,
                started: 0,
                first_pid: None,
                runnable: false,
                locals: FxHashMap::default(),
                labels: FxHashMap::default(),
            });
        }
    }

    fn items(&mut self, program: &'a ast::Program) {
        let mut next_proc = 0;
        for (index, item) in program.items.iter().enumerate() {
            self.names.item = index;
            match item {
                Item::Vars(decl) => self.global_vars(decl),
                Item::Mtype(decl) => self.mtype(decl),
                Item::Typedef(def) => self.typedef(def),
                Item::Proctype(def) => {
                    let id = ProcId::new(next_proc);
                    next_proc += 1;
                    self.proctype(id, def);
                }
                Item::Init(init) => {
                    let id = ProcId::new(next_proc);
                    next_proc += 1;
                    self.init(id, init);
                }
                // A claim may ask about labels and variables of any process: it is read when all
                // are known.
                Item::Never(_) | Item::Trace(_) | Item::Ltl(_) => self.deferred.push((index, item)),
                Item::Inline(def) => {
                    let fault =
                        self.names.declare_global(&def.name.text, Global::Inline, def.name.loc.into());
                    if let Some(fault) = fault {
                        self.report(fault);
                    }
                }
                Item::Code(code) => self.embedded_c(if code.decl { "c_decl" } else { "c_code" }, code.loc),
                Item::State(state) => {
                    self.embedded_c(if state.track { "c_track" } else { "c_state" }, state.loc);
                }
            }
        }
        if self.model.start.is_empty() && self.diagnostics.error_count() == 0 {
            let fault = Diagnostic::error("E0409", "there is no process to run")
                .help("write `init { ... }` or put `active` before a proctype");
            self.report(fault);
        }
    }

    /// Embedded C is read and refused, once a place.
    pub fn embedded_c(&mut self, word: &'static str, loc: impl Into<Loc>) {
        let code = match word {
            "c_code" => "E0401",
            "c_expr" => "E0402",
            "c_decl" => "E0403",
            "c_state" => "E0404",
            _ => "E0405",
        };
        let fault = Diagnostic::error(code, format!("`{word}`: embedded C is not executed"))
            .at(loc.into(), "")
            .note("a model with C inside means whatever a C compiler makes of it; Axle checks Promela itself")
            .help("write the step in Promela, or check the C source itself with Axle");
        self.report(fault);
    }

    /// Adds processes to those that exist at the start.
    pub fn start(&mut self, proc: ProcId, count: i64, priority: u8, loc: Loc) {
        let count = count.max(0) as u64;
        let limit = u64::from(self.model.semantics.max_processes);
        if self.model.start.len() as u64 + count > limit {
            let text = format!("more than {limit} processes exist at the start");
            self.error("E0410", loc, text);
            return;
        }
        let info = &mut self.procs[proc.index()];
        info.started += count as u32;
        if count > 0 && info.first_pid.is_none() {
            info.first_pid = Some(self.model.start.len() as u32);
        }
        for _ in 0..count {
            self.model.start.push(Instance { proc, priority });
        }
    }

    fn check_runs(&mut self) {
        for run in std::mem::take(&mut self.runs) {
            let Some(params) = self.procs[run.proc.index()].params.clone() else { continue };
            let name = self.procs[run.proc.index()].name.clone();
            let declared = self.procs[run.proc.index()].loc;
            if params.len() != run.args.len() {
                let text =
                    format!("`{name}` takes {} and gets {}", count(params.len(), "value"), run.args.len());
                let fault = Diagnostic::error("E0316", text).at(run.loc, "").also(
                    declared,
                    format!("`{name}` is declared here with {}", count(params.len(), "parameter")),
                );
                self.report(fault);
                continue;
            }
            for ((param, ty, at), (set, loc)) in params.iter().zip(&run.args) {
                if let (Type::Int(_, axle_model::Shown::Names(want)), Some(have)) = (ty, set)
                    && want != have
                {
                    let (want, have) = (self.set_name(*want), self.set_name(*have));
                    let text = format!("`{param}` is of type `{want}` and gets a value of type `{have}`");
                    self.report(Diagnostic::error("E0315", text).at(*loc, "").also(*at, "declared here"));
                }
            }
        }
    }

    /// A message longer than any channel takes is refused, as Spin does; shorter ones are a matter
    /// of the run (which channel it is may be known only there) and a warning.
    fn check_sends(&mut self) {
        // How many values the channel of a refused declaration takes is not known.
        let all_known = !self.refused_shapes && self.names.unparsed.is_empty();
        let most = self.model.shapes.iter().map(|s| s.fields.len()).max().unwrap_or(0);
        for (len, loc, declared) in std::mem::take(&mut self.sends) {
            if len > most && (all_known || declared.is_some()) {
                let text = format!("{} sent, and no channel takes more than {most}", count(len, "value"));
                let mut fault = Diagnostic::error("E0318", text).at(loc, "");
                if let Some(declared) = declared {
                    fault = fault.also(declared, "the channel is declared here");
                } else if most == 0 {
                    fault = fault.help("initialise the channel: `chan c = [1] of { byte }`");
                }
                self.report(fault);
            }
        }
    }
}
