//! Declarations: variables, channels, `mtype`, `typedef`, proctypes and `init`.
//!
//! *Entry points:* [`Lower::global_vars`], [`Lower::proctype`], [`Lower::type_of`].
//! *Invariant:* initial values are executed in the order of the text, globals before any process.

use axle_model::{
    Access, ChanRef, Channel, Effect, Expr, Field, GlobalId, IntType, LocalId, NameSet, NameSetId, Place,
    ProcId, Record, RecordId, Shape, ShapeId, Shown, Step, Type, Variable,
};
use axle_source::{Diagnostic, Loc};

use crate::ast::{self, Declarator, Initializer, TypeKind, VarDecl, Visibility};
use crate::lower_pass::Lower;
use crate::resolve::{ChanInfo, Global, Home, Meaning, Uses, Var, VarId};
use crate::types::{self, RecordFacts};

/// The most scalars in a variable, a record or all messages of a channel.
const MOST_SCALARS: u64 = 1 << 18;
/// The most scalars in all variables.
const MOST_IN_ALL: u64 = 1 << 20;
/// The most fields in a message, records taken apart.
pub(crate) const MOST_FIELDS: u64 = 4096;

/// Whose channels and initial values are at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// The model's.
    Model,
    /// A process's.
    Process(ProcId),
}

impl<'a> Lower<'a> {
    /// The value of an expression that must be constant.
    pub fn constant(&mut self, e: &ast::Expr, what: &str) -> Option<i64> {
        let before = (self.diagnostics.error_count(), self.refused_uses);
        match self.expr(e) {
            _ if (self.diagnostics.error_count(), self.refused_uses) != before => None,
            Expr::Const(value) => Some(value),
            _ => {
                self.error("E0309", e.loc, format!("{what} must be a constant"));
                None
            }
        }
    }

    /// An array's length: a constant, or (as in Spin) a variable with a constant initial value.
    fn length(&mut self, e: &ast::Expr) -> Option<i64> {
        if let ast::ExprKind::Var(var) = &e.kind
            && let Some(name) = var.plain()
            && let Meaning::Var(id) = self.names.lookup(&name.text)
        {
            let value = self.names.var(id).constant.filter(|v| *v > 0);
            let loc = self.names.var(id).loc;
            let text = match value {
                Some(v) => format!("`{}` is a variable; its initial value {v} is taken", name.text),
                None => format!("`{}` is a variable without a constant initial value; 8 is taken", name.text),
            };
            let note = Diagnostic::warning("W0311", text)
                .at(e.loc.into(), "")
                .also(loc, "declared here")
                .help("use a number or a `#define`");
            self.report(note);
            return Some(value.unwrap_or(8));
        }
        self.constant(e, "the number of elements")
    }

    /// The type of one declarator; none after an error.
    pub fn type_of(&mut self, ty: &ast::TypeName, declarator: &Declarator) -> Option<Type> {
        let base = if ty.kind == TypeKind::Unsigned {
            self.unsigned(declarator)?
        } else {
            if let Some(width) = &declarator.width {
                self.error("E0310", width.loc, "only an `unsigned` can have a width");
            }
            self.plain_type(ty)?
        };
        let Some(length) = &declarator.array else { return Some(base) };
        let count = self.length(length)?;
        if count < 1 || count as u64 > MOST_SCALARS {
            self.error("E0311", length.loc, format!("an array cannot have {count} elements"));
            return None;
        }
        Some(Type::Array(Box::new(base), count as u32))
    }

    fn unsigned(&mut self, declarator: &Declarator) -> Option<Type> {
        let Some(width) = &declarator.width else {
            let fault = Diagnostic::error("E0310", format!("`{}` needs a width", declarator.name.text))
                .at(declarator.name.loc.into(), "")
                .help(format!("write `unsigned {} : 16` for 16 bits", declarator.name.text));
            self.report(fault);
            return None;
        };
        let bits = self.constant(width, "a width")?;
        if !(1..=31).contains(&bits) {
            self.error("E0310", width.loc, format!("an `unsigned` has 1 to 31 bits, not {bits}"));
            return None;
        }
        Some(Type::Int(IntType { bits: bits as u8, signed: false }, Shown::Number))
    }

    /// A type without width or length.
    pub fn plain_type(&mut self, ty: &ast::TypeName) -> Option<Type> {
        if let Some(known) = types::integer(&ty.kind) {
            return Some(known);
        }
        match &ty.kind {
            TypeKind::Chan => Some(Type::Chan),
            TypeKind::Mtype(sub) => {
                let set = self.name_set(sub.as_ref());
                Some(Type::Int(IntType::BYTE, Shown::Names(set)))
            }
            TypeKind::Named(name) => match self.names.lookup(&name.text) {
                Meaning::Global(Global::Type(id)) => Some(Type::Record(id)),
                Meaning::Later(loc) => {
                    let text = format!("type `{}` is used before it is declared", name.text);
                    let fault =
                        Diagnostic::error("E0303", text).at(name.loc.into(), "").also(loc, "declared here");
                    self.report(fault);
                    None
                }
                Meaning::Refused => None,
                _ => {
                    let fault = Diagnostic::error("E0303", format!("there is no type `{}`", name.text))
                        .at(name.loc.into(), "");
                    let all = |s: &Self| s.model.records.iter().map(|r| r.name.clone()).collect();
                    let fault = self.suggest(fault, &name.text, all);
                    self.report(fault);
                    None
                }
            },
            TypeKind::Refused => None,
            // `unsigned` without a declarator: a message field.
            _ => {
                let fault = Diagnostic::error("E0310", "`unsigned` cannot be the type of a message field")
                    .at(ty.loc.into(), "")
                    .help("use `byte`, `short` or `int`");
                self.report(fault);
                None
            }
        }
    }

    /// The set of names of an `mtype`, made where it is new.
    pub fn name_set(&mut self, sub: Option<&ast::Name>) -> NameSetId {
        let name = sub.map_or("mtype", |n| n.text.as_str());
        if let Some(index) = self.model.name_sets.iter().position(|s| s.name == name) {
            return NameSetId::new(index);
        }
        self.model.name_sets.push(NameSet { name: name.to_owned(), names: Vec::new() });
        NameSetId::new(self.model.name_sets.len() - 1)
    }

    /// Names are numbered from the last of a list to the first; a further list goes on above.
    pub fn mtype(&mut self, decl: &ast::MtypeDecl) {
        if decl.visibility != Visibility::None {
            let fault = Diagnostic::error(
                "E0321",
                "an `mtype` declaration of names takes no `hidden`, `show`, `local`",
            )
            .at(decl.loc.into(), "");
            self.report(fault);
        }
        let set = self.name_set(decl.subtype.as_ref());
        let mut value = self.model.name_sets[set.index()].names.len() as i64;
        for name in decl.names.iter().rev() {
            value += 1;
            let meaning = Global::Mtype(set, value);
            if let Some(fault) = self.names.declare_global(&name.text, meaning, name.loc.into()) {
                self.report(fault);
            }
            self.model.name_sets[set.index()].names.push((name.text.clone(), value));
        }
        if value > 255 {
            let text = format!("`{}` has {value} names; at most 255 fit", self.set_name(set));
            self.error("E0322", decl.loc, text);
        }
    }

    /// Enters a record type.
    pub fn typedef(&mut self, def: &ast::Typedef) {
        let mut record = Record { name: def.name.text.clone(), fields: Vec::new() };
        let mut facts = RecordFacts::default();
        let mut inits = Vec::new();
        for decl in &def.fields {
            if let TypeKind::Named(name) = &decl.ty.kind
                && name.text == def.name.text
            {
                let fault = Diagnostic::error("E0312", format!("type `{}` contains itself", name.text))
                    .at(name.loc.into(), "");
                self.report(fault);
                facts.refused.extend(decl.declarators.iter().map(|d| d.name.text.clone()));
                continue;
            }
            for declarator in &decl.declarators {
                let name = &declarator.name;
                if record.fields.iter().any(|f| f.name == name.text) {
                    let text = format!("`{}` has two fields `{}`", record.name, name.text);
                    self.error("E0302", name.loc, text);
                }
                let Some(ty) = self.type_of(&decl.ty, declarator) else {
                    facts.refused.push(name.text.clone());
                    continue;
                };
                facts.scalars = facts.scalars.saturating_add(types::scalar_count(&self.records, &ty));
                facts.arrays |= types::holds_array(&self.records, &ty);
                inits.push(declarator.init.clone());
                record.fields.push(Field { name: name.text.clone(), ty });
            }
        }
        if facts.scalars > MOST_SCALARS {
            self.error("E0311", def.name.loc, format!("type `{}` is too large", record.name));
            self.refuse_global(&def.name, "a type");
            return;
        }
        let id = RecordId::new(self.model.records.len());
        if let Some(fault) = self.names.declare_global(&def.name.text, Global::Type(id), def.name.loc.into())
        {
            self.report(fault);
            return;
        }
        self.model.records.push(record);
        self.records.push(facts);
        self.body.field_inits.push(inits);
    }

    /// Enters global variables.
    pub fn global_vars(&mut self, decl: &VarDecl) {
        for declarator in &decl.declarators {
            let Some(ty) = self.type_of(&decl.ty, declarator).filter(|ty| self.fits(ty, declarator)) else {
                self.refuse_global(&declarator.name, "a variable");
                continue;
            };
            let access = access(decl.visibility);
            if access == Access::Hidden && ty == Type::Int(IntType::BIT, Shown::Number) {
                self.error("E0321", declarator.name.loc, "a `bit` or `bool` cannot be `hidden`");
            }
            let id = GlobalId::new(self.model.globals.len());
            let origin = self.origin(declarator.name.loc);
            let name = declarator.name.text.clone();
            self.model.globals.push(Variable { name: name.clone(), ty: ty.clone(), access, origin });
            let var = self.new_var(declarator, &ty, Home::Global(id));
            let effects = self.initial(Place::global(id), &ty, declarator, Owner::Model, Some(var));
            self.model.prologue.extend(effects);
            let meaning = Global::Var(var);
            let predefined = matches!(name.as_str(), "_" | "_p" | "_pid" | "_last" | "_nr_pr" | "_priority");
            if predefined {
                let text = format!("`{name}` is predefined and cannot be declared");
                self.error("E0302", declarator.name.loc, text);
            } else if let Some(fault) = self.names.declare_global(&name, meaning, declarator.name.loc.into())
            {
                self.report(fault);
            }
        }
    }

    /// Enters the name of a global declaration that has an error: its uses have none of their own.
    fn refuse_global(&mut self, name: &ast::Name, word: &'static str) {
        if let Some(fault) = self.names.declare_global(&name.text, Global::Refused(word), name.loc.into()) {
            self.report(fault);
        }
    }

    /// Enters the name of a local declaration that has an error: its uses have none of their own.
    pub fn refuse_local(&mut self, proc: ProcId, declarator: &Declarator) {
        let ty = Type::Int(IntType::I32, Shown::Number);
        let var = self.new_var(declarator, &ty, Home::Local(LocalId(0)));
        self.names.vars[var.0].refused = true;
        self.enter_local(proc, declarator, var);
    }

    /// Whether the model has room for a variable; reports it where not.
    pub fn fits(&mut self, ty: &Type, declarator: &Declarator) -> bool {
        let size = types::scalar_count(&self.records, ty);
        self.total_scalars = self.total_scalars.saturating_add(size);
        if size > MOST_SCALARS || self.total_scalars > MOST_IN_ALL {
            self.error("E0311", declarator.name.loc, format!("`{}` is too large", declarator.name.text));
            return false;
        }
        true
    }

    /// Enters a variable into the table (not into a scope).
    pub fn new_var(&mut self, declarator: &Declarator, ty: &Type, home: Home) -> VarId {
        self.names.vars.push(Var {
            name: declarator.name.text.clone(),
            ty: ty.clone(),
            home,
            loc: declarator.name.loc.into(),
            chan: None,
            constant: None,
            param: false,
            refused: false,
            uses: Uses::default(),
        });
        VarId(self.names.vars.len() - 1)
    }

    /// A new local of a process type.
    pub fn new_local(&mut self, proc: ProcId, name: &str, ty: &Type, access: Access, loc: Loc) -> LocalId {
        let origin = self.origin(loc);
        let locals = &mut self.process_mut(proc).locals;
        locals.push(Variable { name: name.to_owned(), ty: ty.clone(), access, origin });
        LocalId::new(locals.len() - 1)
    }

    /// The effects that give a new variable its initial value. Channels are made for [`Owner`].
    pub fn initial(
        &mut self,
        place: Place,
        ty: &Type,
        declarator: &Declarator,
        owner: Owner,
        var: Option<VarId>,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.initial_into(
            place,
            ty,
            &declarator.name.text,
            declarator.init.as_ref(),
            owner,
            var,
            &mut effects,
        );
        effects
    }

    #[allow(clippy::too_many_arguments, reason = "the recursion over fields and elements carries all of it")]
    fn initial_into(
        &mut self,
        place: Place,
        ty: &Type,
        name: &str,
        init: Option<&Initializer>,
        owner: Owner,
        var: Option<VarId>,
        effects: &mut Vec<Effect>,
    ) {
        match (init, ty) {
            (None, ty) => self.initial_fields(place, ty, name, owner, effects),
            (Some(init), ty) if holds_records(ty) => {
                self.ignore_initial_value(init, ty, name);
                self.initial_fields(place, ty, name, owner, effects);
            }
            (Some(Initializer::Expr(e)), ty) => {
                let runs = self.body.runs.len();
                let value = self.expr(e);
                if self.body.runs.len() > runs {
                    self.body.runs.truncate(runs);
                    self.error("E0317", e.loc, "`run` cannot stand in an initial value");
                }
                if let (Some(var), Expr::Const(v)) = (var, &value) {
                    self.names.vars[var.0].constant = Some(*v);
                }
                self.check_assigned(ty.clone(), name, e, &value);
                // The value is computed once; the other elements take it from the first.
                let mut value = Some(value);
                let mut rest = None;
                for leaf in elements(&place, ty) {
                    let value = match (value.take(), &rest) {
                        (Some(value), _) => value,
                        (None, Some(rest)) => Expr::clone(rest),
                        (None, None) => Expr::Const(0),
                    };
                    rest.get_or_insert_with(|| match &value {
                        Expr::Const(v) => Expr::Const(*v),
                        _ => Expr::Load(leaf.clone()),
                    });
                    effects.push(Effect::Assign(leaf, value));
                }
            }
            (Some(Initializer::List(values, loc)), Type::Array(_, len)) => {
                if values.len() as u64 > u64::from(*len) {
                    let text = format!("`{name}` has {len} elements and gets {}", values.len());
                    self.error("E0313", *loc, text);
                }
                for (index, value) in values.iter().take(*len as usize).enumerate() {
                    let Some(v) = self.constant(value, "an element of a list") else { continue };
                    let mut leaf = place.clone();
                    leaf.path.push(Step::Index(Box::new(Expr::Const(index as i64))));
                    effects.push(Effect::Assign(leaf, Expr::Const(v)));
                }
            }
            (Some(Initializer::List(_, loc)), _) => {
                self.error("E0313", *loc, format!("`{name}` is not an array and cannot take a list"));
            }
            (Some(Initializer::Chan(chan)), ty) => {
                let (is_chan, len) = match ty {
                    Type::Chan => (true, None),
                    Type::Array(elem, len) => (**elem == Type::Chan, Some(*len)),
                    Type::Int(..) | Type::Record(_) => (false, None),
                };
                if !is_chan {
                    self.error("E0313", chan.loc, format!("`{name}` is not a channel"));
                    return;
                }
                let Some(shape) = self.shape(chan) else {
                    self.refused_shapes = true;
                    return;
                };
                if let Some(var) = var {
                    self.names.vars[var.0].chan = Some(ChanInfo { shape, loc: chan.loc.into() });
                }
                self.make_channels(place, name, shape, len, owner, effects, chan.loc.into());
            }
        }
    }

    /// The initial value of a record, or of an array of records. Spin reads it and does nothing
    /// with it.
    fn ignore_initial_value(&mut self, init: &Initializer, ty: &Type, name: &str) {
        let loc: Loc = match init {
            Initializer::Expr(e) => {
                let runs = self.body.runs.len();
                self.expr(e);
                if self.body.runs.len() > runs {
                    self.body.runs.truncate(runs);
                    self.error("E0317", e.loc, "`run` cannot stand in an initial value");
                }
                e.loc.into()
            }
            Initializer::List(values, loc) if matches!(ty, Type::Array(..)) => {
                for value in values {
                    self.constant(value, "an element of a list");
                }
                (*loc).into()
            }
            Initializer::List(_, loc) => {
                self.error("E0313", *loc, format!("`{name}` is not an array and cannot take a list"));
                return;
            }
            Initializer::Chan(chan) => {
                self.error("E0313", chan.loc, format!("`{name}` is not a channel"));
                return;
            }
        };
        let what = if matches!(ty, Type::Array(..)) { "an array of records" } else { "a record" };
        let note = Diagnostic::warning("W0318", format!("the initial value of {what} has no effect"))
            .at(loc, "")
            .note("as in Spin, the fields start with the values of the `typedef`, or 0")
            .help(format!(
                "assign to the fields, as in `{name}{}.field = 1`",
                match ty {
                    Type::Array(..) => "[0]",
                    _ => "",
                }
            ));
        self.report(note);
    }

    /// Channels declared as fields of a record come with every variable of the type.
    fn initial_fields(
        &mut self,
        place: Place,
        ty: &Type,
        name: &str,
        owner: Owner,
        effects: &mut Vec<Effect>,
    ) {
        match ty {
            Type::Int(..) | Type::Chan => {}
            Type::Array(elem, len) => {
                if let Type::Record(_) = **elem
                    && self.record_has_inits(elem)
                {
                    for index in 0..*len {
                        let mut inner = place.clone();
                        inner.path.push(Step::Index(Box::new(Expr::Const(i64::from(index)))));
                        self.initial_fields(inner, elem, &format!("{name}[{index}]"), owner, effects);
                    }
                }
            }
            Type::Record(id) => {
                if !self.record_has_inits(ty) {
                    return;
                }
                let fields = self.model.records[id.index()].fields.clone();
                let inits = self.body.field_inits[id.index()].clone();
                for (index, (field, init)) in fields.iter().zip(&inits).enumerate() {
                    let mut inner = place.clone();
                    inner.path.push(Step::Field(index as u32));
                    let name = format!("{name}.{}", field.name);
                    self.initial_into(inner, &field.ty, &name, init.as_ref(), owner, None, effects);
                }
            }
        }
    }

    fn record_has_inits(&self, ty: &Type) -> bool {
        match ty {
            Type::Record(id) => {
                self.body.field_inits[id.index()].iter().any(Option::is_some)
                    || self.model.records[id.index()].fields.iter().any(|f| self.record_has_inits(&f.ty))
            }
            Type::Array(elem, _) => self.record_has_inits(elem),
            Type::Int(..) | Type::Chan => false,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "everything that makes up a channel")]
    fn make_channels(
        &mut self,
        place: Place,
        name: &str,
        shape: ShapeId,
        len: Option<u32>,
        owner: Owner,
        effects: &mut Vec<Effect>,
        loc: Loc,
    ) {
        for index in 0..len.unwrap_or(1) {
            let (mut leaf, mut title) = (place.clone(), name.to_owned());
            if len.is_some() {
                leaf.path.push(Step::Index(Box::new(Expr::Const(i64::from(index)))));
                title = format!("{name}[{index}]");
            }
            let limit = self.model.semantics.max_channels as usize;
            let channels = match owner {
                Owner::Model => &mut self.model.channels,
                Owner::Process(proc) => &mut self.process_mut(proc).channels,
            };
            if channels.len() >= limit {
                let text = format!("more than {limit} channels are declared");
                self.error("E0411", loc, text);
                return;
            }
            channels.push(Channel { name: title, shape });
            let number = channels.len() as u32 - 1;
            let value = match owner {
                Owner::Model => ChanRef::Global(number),
                Owner::Process(_) => ChanRef::Own(number),
            };
            effects.push(Effect::Assign(leaf, Expr::Channel(value)));
        }
    }

    /// Capacity and fields of a channel.
    fn shape(&mut self, chan: &ast::ChanInit) -> Option<ShapeId> {
        let capacity = self.constant(&chan.capacity, "the capacity of a channel")?;
        let mut fields = Vec::new();
        for field in &chan.fields {
            let ty = self.plain_type(field)?;
            if types::scalar_count(&self.records, &ty) > MOST_FIELDS {
                self.error("E0311", field.loc, "a message cannot have that many fields");
                return None;
            }
            let place = Place::global(GlobalId(0));
            fields.extend(types::leaves(&self.model, &place, &ty).into_iter().map(|(_, ty)| ty));
        }
        let size = (capacity.max(1) as u64).saturating_mul(fields.len() as u64);
        if capacity < 0 || capacity > i64::from(u16::MAX) || size > MOST_SCALARS {
            self.error("E0311", chan.capacity.loc, format!("a channel cannot hold {capacity} messages"));
            return None;
        }
        let shape = Shape { capacity: capacity as u32, fields };
        if let Some(index) = self.model.shapes.iter().position(|s| *s == shape) {
            return Some(ShapeId::new(index));
        }
        self.model.shapes.push(shape);
        Some(ShapeId::new(self.model.shapes.len() - 1))
    }

    /// A priority as written behind `priority`.
    pub fn priority(&mut self, e: Option<&ast::Expr>) -> u8 {
        let Some(e) = e else { return 1 };
        match self.constant(e, "a priority") {
            Some(value) if (1..=255).contains(&value) => value as u8,
            Some(0) | None => 1,
            Some(value) => {
                self.error("E0323", e.loc, format!("a priority is 1 to 255, not {value}"));
                1
            }
        }
    }

    /// Reads a proctype.
    pub fn proctype(&mut self, id: ProcId, def: &'a ast::Proctype) {
        let count = def.active.as_ref().map(|a| a.count.as_ref().map_or(Some(1), |e| self.active_count(e)));
        if let Some(Some(count)) = count {
            let priority = self.priority(def.priority.as_ref());
            self.start(id, count, priority, def.name.loc.into());
        } else {
            self.priority(def.priority.as_ref());
        }
        self.names.scopes = vec![Default::default()];
        self.body.open(id, &def.name.text, false);
        let mut params = Vec::new();
        let mut refused = false;
        for decl in &def.params {
            for declarator in &decl.declarators {
                if self.parameter(id, decl, declarator, &mut params).is_none() {
                    self.refuse_local(id, declarator);
                    refused = true;
                }
            }
        }
        let scalars = params.len() as u32;
        self.model.processes[id.index()].params = scalars;
        // Without all parameters it is not known how many values `run` has to give.
        self.procs[id.index()].params = (!refused).then_some(params);
        if let Some(provided) = &def.provided {
            self.model.processes[id.index()].provided = Some(self.condition(provided));
        }
        self.process_body(id, &def.body);
    }

    fn active_count(&mut self, e: &ast::Expr) -> Option<i64> {
        if let ast::ExprKind::Var(var) = &e.kind
            && let Some(name) = var.plain()
            && let Meaning::Var(id) = self.names.lookup(&name.text)
            && let Some(value) = self.names.var(id).constant
        {
            return Some(value);
        }
        self.constant(e, "the number of processes")
    }

    fn parameter(
        &mut self,
        id: ProcId,
        decl: &VarDecl,
        declarator: &Declarator,
        params: &mut Vec<(String, Type, Loc)>,
    ) -> Option<()> {
        let loc: Loc = declarator.name.loc.into();
        let name = &declarator.name.text;
        // An initial value has been refused by the parser.
        let ty = self.type_of(&decl.ty, declarator)?;
        if types::holds_array(&self.records, &ty) {
            let fault = Diagnostic::error("E0314", format!("parameter `{name}` is or holds an array"))
                .at(loc, "")
                .help("keep the array global and pass an index");
            self.report(fault);
            return None;
        }
        if types::scalar_count(&self.records, &ty) > MOST_FIELDS {
            self.error("E0311", loc, "a parameter cannot have that many fields");
            return None;
        }
        let home = if let Type::Record(_) = ty {
            let leaves = types::leaves(&self.model, &Place::global(GlobalId(0)), &ty);
            let mut first = None;
            for (leaf, leaf_ty) in leaves {
                let title = format!("{name}{}", self.path_text(&ty, &leaf.path));
                let local = self.new_local(id, &title, &leaf_ty, Access::Plain, loc);
                first.get_or_insert(local);
                params.push((title, leaf_ty, loc));
            }
            Home::Flat(first.unwrap_or(LocalId(0)))
        } else {
            params.push((name.clone(), ty.clone(), loc));
            Home::Local(self.new_local(id, name, &ty, access(decl.visibility), loc))
        };
        let var = self.new_var(declarator, &ty, home);
        self.names.vars[var.0].param = true;
        self.enter_local(id, declarator, var);
        Some(())
    }

    /// Enters a local into the innermost scope.
    pub fn enter_local(&mut self, proc: ProcId, declarator: &Declarator, var: VarId) {
        let name = &declarator.name;
        if let Some(fault) = self.names.declare(&name.text, var, name.loc.into()) {
            self.report(fault);
        }
        if let Some(info) = self.procs.get_mut(proc.index()) {
            info.locals.insert(name.text.clone(), var);
        }
    }

    fn path_text(&self, ty: &Type, path: &[Step]) -> String {
        let (mut text, mut at) = (String::new(), ty.clone());
        for step in path {
            if let (Step::Field(index), Type::Record(id)) = (step, &at) {
                let field = self.model.records[id.index()].fields[*index as usize].clone();
                text.push('.');
                text.push_str(&field.name);
                at = field.ty;
            }
        }
        text
    }

    /// Reads `init`.
    pub fn init(&mut self, id: ProcId, init: &'a ast::Init) {
        let priority = self.priority(init.priority.as_ref());
        self.start(id, 1, priority, init.loc.into());
        self.names.scopes = vec![Default::default()];
        self.body.open(id, "init", false);
        self.procs[id.index()].params = Some(Vec::new());
        if let Some(provided) = &init.provided {
            self.model.processes[id.index()].provided = Some(self.condition(provided));
        }
        self.process_body(id, &init.body);
    }
}

/// The promise or wish before a declaration.
pub(crate) fn access(visibility: Visibility) -> Access {
    match visibility {
        Visibility::None => Access::Plain,
        Visibility::Hidden => Access::Hidden,
        Visibility::Show => Access::Show,
        Visibility::Local => Access::Local,
    }
}

/// Whether a type is a record or an array of records.
pub(crate) fn holds_records(ty: &Type) -> bool {
    match ty {
        Type::Record(_) => true,
        Type::Array(elem, _) => holds_records(elem),
        Type::Int(..) | Type::Chan => false,
    }
}

/// The scalar itself, or every element of an array of scalars.
fn elements(place: &Place, ty: &Type) -> Vec<Place> {
    match ty {
        Type::Array(_, len) => (0..*len)
            .map(|index| {
                let mut leaf = place.clone();
                leaf.path.push(Step::Index(Box::new(Expr::Const(i64::from(index)))));
                leaf
            })
            .collect(),
        Type::Int(..) | Type::Chan | Type::Record(_) => vec![place.clone()],
    }
}
