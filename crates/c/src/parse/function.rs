//! Function definitions (C11 6.9.1), including old-style (pre-C89) parameter lists. Labels are
//! checked at the end of the body.
//!
//! *Entry point:* [`Parser::define_function`].

use std::sync::Arc;

use axle_source::{Diagnostic, Loc};
use rustc_hash::FxHashMap;

use super::declarator::{Declarator, Param};
use super::parser::{Body, Entity, Linked, Parsed, Parser, Reported};
use super::specifiers::Specs;
use crate::tree::{Global, Init, Kind, Stmt, StmtKind};
use crate::types::{self, FloatKind, Qual, Quals, Type, TypeId};

impl Parser<'_> {
    fn skip_body(&mut self) -> Parsed<()> {
        let mut depth = 0;
        loop {
            match self.word() {
                "{" => depth += 1,
                "}" => depth -= 1,
                "end" => return Ok(()),
                _ => {}
            }
            self.next();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// A function definition, after its declarator and the declarations of old-style parameters.
    pub(super) fn define_function(
        &mut self,
        specs: &Specs,
        d: Declarator,
        old_parameters: Vec<Param>,
    ) -> Parsed<()> {
        let Some((name, loc)) = d.name else { return self.expected("a name") };
        let Type::Function(mut ty) = self.tree.types.get(d.ty.ty).clone() else { return Ok(()) };
        let mut params = d.parameters.list;
        let old_style = !d.parameters.identifiers.is_empty();
        if old_style {
            params = old_parameters;
            ty.params = params.iter().map(|param| Qual::plain(param.ty.ty)).collect();
        }
        // A definition with `()` has no parameters, but calls of it are not checked.
        let fn_type = self.tree.types.intern(Type::Function(ty.clone()));
        // A definition of the program replaces one of the library.
        let theirs = self.linkage.names.get(&name).filter(|_| self.ours).is_some_and(|linked| match linked {
            Linked::Function(id) => self.tree.functions[*id as usize].body.is_some(),
            Linked::Global(_) => true,
        });
        if theirs {
            return self.skip_body();
        }
        let id = self.declare_function(specs, &name, if ty.unprototyped { fn_type } else { d.ty.ty }, loc);
        if self.tree.functions[id as usize].body.is_some() {
            let old = self.tree.functions[id as usize].loc;
            let diagnostic = Diagnostic::error("E0732", format!("redefinition of `{name}`")).at(loc, "");
            self.diagnostics.push(diagnostic.also(old, "previous definition"));
        }
        if ty.ret.ty != types::VOID && self.tree.types.size(ty.ret.ty).is_none() {
            self.report("E0722", "incomplete return type", loc);
        }
        {
            let function = &mut self.tree.functions[id as usize];
            function.ty = fn_type;
            function.loc = loc;
            function.ours = self.ours;
        }
        self.body = Some(Body {
            id,
            ret: ty.ret,
            locals: Vec::new(),
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            addresses: Vec::new(),
            local_labels: 0,
            loops: 0,
            breakable: 0,
            switches: Vec::new(),
        });
        self.enter();
        let (ids, mut narrowed) = self.define_parameters(params, old_style, loc)?;
        self.tree.functions[id as usize].params = ids;
        if self.function_name_used() {
            self.define_function_name(id, &name, loc);
        }
        let statements = self.compound();
        let end = self.last();
        self.leave();
        let Some(body) = self.body.take() else { return Err(Reported) };
        self.check_labels(&body);
        let function = &mut self.tree.functions[id as usize];
        function.locals = body.locals;
        function.addresses = body.addresses;
        function.end = end;
        narrowed.extend(statements?);
        function.body = Some(narrowed);
        Ok(())
    }

    /// Declares the parameters of a function that is defined: their numbers, and the statements that
    /// convert arguments of old-style parameters.
    fn define_parameters(
        &mut self,
        params: Vec<Param>,
        old_style: bool,
        loc: Loc,
    ) -> Parsed<(Vec<u32>, Vec<Stmt>)> {
        let (mut ids, mut narrowed) = (Vec::new(), Vec::new());
        for mut param in params {
            if let Some(at) = param.again {
                param.ty = self.parameter_again(at, &mut narrowed)?;
            }
            let (param_name, param_loc) = match param.name {
                Some(named) => named,
                None => ("".into(), loc),
            };
            if self.tree.types.size(param.ty.ty).is_none() {
                self.report("E0722", "parameter has incomplete type", param_loc);
            }
            let promoted = if old_style { self.given_as(param.ty.ty) } else { param.ty.ty };
            if promoted != param.ty.ty {
                let given = self.new_local("".into(), Qual::plain(promoted));
                ids.push(given);
                narrowed.push(self.narrowed(given, promoted, (param_name, param_loc), param.ty));
                continue;
            }
            let local = self.new_local(param_name.clone(), param.ty);
            if !param_name.is_empty() {
                self.declare(param_name, Entity::Local(local), param_loc);
            }
            ids.push(local);
        }
        Ok((ids, narrowed))
    }

    /// Defines `__func__` and its synonyms.
    fn define_function_name(&mut self, id: u32, name: &str, loc: Loc) {
        let mut text = name.as_bytes().to_vec();
        text.push(0);
        let length = text.len() as u64;
        let const_char = Qual { ty: types::CHAR, quals: Quals::CONST };
        let array = self.tree.types.intern(Type::Array(const_char, Some(length)));
        let string = self.tree.strings.len() as u32;
        self.tree.strings.push(text);
        let global = self.tree.globals.len() as u32;
        let value = crate::tree::InitItem {
            offset: 0,
            bits: None,
            value: self.object(Kind::Str(string), Qual::plain(array), loc),
        };
        self.tree.globals.push(Global {
            name: "__func__".into(),
            ty: Qual { ty: array, quals: Quals::CONST },
            init: Some(Init { zero: false, items: vec![value] }),
            loc,
            within: Some(id),
            thread_local: false,
            defined: true,
            ours: self.ours,
            referenced: false,
        });
        for name in ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"] {
            self.declare(name.into(), Entity::Global(global), loc);
        }
    }

    /// Reports jumps to labels that the function does not have.
    fn check_labels(&mut self, body: &Body) {
        for (label, at) in &body.gotos {
            if !body.labels.contains_key(label) {
                let known: Vec<Arc<str>> = body.labels.keys().cloned().collect();
                let diagnostic =
                    Diagnostic::error("E0730", format!("undeclared label `{label}`")).at(*at, "");
                self.diagnostics.push(diagnostic.did_you_mean(label, known.iter().map(|name| &**name)));
            }
        }
    }

    /// The argument type of an old-style parameter, which has no prototype (6.5.2.2p6).
    fn given_as(&self, ty: TypeId) -> TypeId {
        match self.tree.types.get(ty) {
            Type::Float(FloatKind::Float) => types::DOUBLE,
            Type::Bool | Type::Int(_) | Type::Enum(_)
                if self.tree.types.size(ty).is_some_and(|size| size < 4) =>
            {
                types::INT
            }
            _ => ty,
        }
    }

    /// Converts the argument to the type of an old-style parameter (6.9.1p10).
    fn narrowed(&mut self, given: u32, promoted: TypeId, (name, loc): (Arc<str>, Loc), ty: Qual) -> Stmt {
        let value = self.object(Kind::Local(given), Qual::plain(promoted), loc);
        let value = self.rvalue(value);
        let value = self.convert(value, ty.ty, false);
        let local = self.new_local(name.clone(), ty);
        self.declare(name, Entity::Local(local), loc);
        let items = vec![crate::tree::InitItem { offset: 0, bits: None, value }];
        Stmt { kind: StmtKind::Declare(local, Some(Init { zero: false, items })), loc }
    }

    /// Whether the body that starts here uses `__func__`.
    fn function_name_used(&self) -> bool {
        let mut depth = 0usize;
        for at in self.at..self.tokens.len() {
            match self.words[at] {
                "{" => depth += 1,
                "}" if depth <= 1 => return false,
                "}" => depth -= 1,
                "" if self.tokens[at].text.starts_with("__") => {
                    if matches!(&*self.tokens[at].text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }
}
