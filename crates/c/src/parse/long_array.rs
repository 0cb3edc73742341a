//! Variable-length arrays (C11 6.7.6.2). The number of elements is computed once, when the
//! declaration is reached, and stored in an unnamed local. The type refers to that local, and every
//! use of the array's size reads it.
//!
//! *Entry point:* [`Parser::variable_length`].
//! *Invariant:* the local of a length is assigned before it is read.

use axle_source::{Diagnostic, Loc};

use super::declarator::Derive;
use super::lengths::Lengths;
use super::parser::{Entity, Parsed, Parser, Reported, bad};
use crate::grammar::Expressions;
use crate::grammar::declarators::{Declarators, Naming};
use crate::grammar::specifiers::Specifiers;
use crate::operators::Binary;
use crate::tree::{Builtin, Expr, Kind, Stmt, StmtKind};
use crate::types::{self, Qual, Quals, Type, TypeId, UNSPECIFIED};

impl Parser<'_> {
    /// A length that a prototype leaves unspecified.
    pub(super) fn unspecified_length(&mut self, outermost: bool, quals: Quals) -> Parsed<Derive> {
        match self.lengths {
            Lengths::Unspecified => self.unspecified += 1,
            Lengths::Parameter(_) if outermost => {}
            Lengths::Refused => {}
            // The error was reported.
            Lengths::Kept(_) | Lengths::Parameter(_) => return Err(Reported),
        }
        Ok(if outermost { Derive::Array(None, quals) } else { Derive::Long(UNSPECIFIED, quals) })
    }

    /// A length that is not constant; `does` is true if its computation has side effects.
    pub(super) fn variable_length(
        &mut self,
        length: Expr,
        (outermost, does): (bool, bool),
        quals: Quals,
        loc: Loc,
    ) -> Parsed<Derive> {
        let keeper = match &self.lengths {
            Lengths::Refused => {
                let diagnostic = Diagnostic::error("E0711", "array length is not constant").at(loc, "");
                return self.error(diagnostic.help("variable-length arrays are allowed only in functions"));
            }
            Lengths::Unspecified => return self.unspecified_length(outermost, quals),
            // The parameter is a pointer: only the side effects of the length remain.
            Lengths::Parameter(_) if outermost => None,
            Lengths::Parameter(_) | Lengths::Kept(_) => {
                Some(self.new_local("(length)".into(), Qual::plain(self.tree.types.size_type())))
            }
        };
        let effect = match keeper {
            Some(_) => self.value(Kind::Builtin(Builtin::Length(keeper), vec![length]), types::VOID, loc),
            None => self.value(Kind::Convert(Box::new(length)), types::VOID, loc),
        };
        if (keeper.is_some() || does)
            && let Lengths::Kept(made) | Lengths::Parameter(made) = &mut self.lengths
        {
            made.push(effect);
        }
        Ok(match keeper {
            Some(keeper) => Derive::Long(keeper, quals),
            None => Derive::Array(None, quals),
        })
    }

    /// Whether the tokens from `start` to here may have side effects.
    pub(super) fn does_something(&self, start: usize) -> bool {
        let does = |word: &&str| {
            matches!(*word, "=" | "++" | "--" | "(")
                || word.len() > 1 && word.ends_with('=') && !matches!(*word, "==" | "!=" | "<=" | ">=")
        };
        self.words[start..self.at].iter().any(does)
    }

    /// Parses a part with this treatment of lengths; returns the result and the collected lengths.
    pub(super) fn with_lengths<T>(
        &mut self,
        lengths: Lengths,
        part: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<(T, Vec<Expr>)> {
        let around = std::mem::replace(&mut self.lengths, lengths);
        let result = part(self);
        let made = std::mem::replace(&mut self.lengths, around).made();
        Ok((result?, made))
    }

    /// A type name in an expression, and the expressions that compute its lengths.
    pub(super) fn type_with_lengths(&mut self) -> Parsed<(Qual, Vec<Expr>)> {
        let lengths = match self.body {
            Some(_) => Lengths::Kept(Vec::new()),
            None => Lengths::Refused,
        };
        self.with_lengths(lengths, Self::type_name)
    }

    /// An operand used only for its type. If the type is variably modified, the operand is
    /// evaluated (C11 6.5.3.4p2); it is returned if it has side effects.
    pub(super) fn operand_of_type(
        &mut self,
        part: impl Fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<(Expr, Option<Expr>)> {
        let start = self.at;
        let locals = |p: &Self| p.body.as_ref().map_or(0, |body| body.locals.len());
        let before = locals(self);
        let lengths = std::mem::take(&mut self.lengths);
        self.unevaluated += 1;
        let e = part(self);
        self.unevaluated -= 1;
        let mut evaluated = None;
        let counts = |p: &Self, e: &Expr| {
            p.tree.types.has_long(e.ty.ty) && (p.does_something(start) || locals(p) != before)
        };
        let e = match e {
            Ok(e) if self.unevaluated == 0 && counts(self, &e) => {
                self.at = start;
                part(self).inspect(|e| {
                    let value = self.rvalue(e.clone());
                    let loc = value.loc;
                    evaluated = Some(self.value(Kind::Convert(Box::new(value)), types::VOID, loc));
                })
            }
            e => e,
        };
        self.lengths = lengths;
        Ok((e?, evaluated))
    }

    /// `typeof` of an expression.
    pub(super) fn type_of_expression(&mut self) -> Parsed<Qual> {
        let (e, evaluated) = self.operand_of_type(Self::expression)?;
        if let (Some(evaluated), Lengths::Kept(made) | Lengths::Parameter(made)) =
            (evaluated, &mut self.lengths)
        {
            made.push(evaluated);
        }
        Ok(e.ty)
    }

    /// A value after the expressions that compute the lengths in its type.
    pub(super) fn after_lengths(&mut self, lengths: Vec<Expr>, e: Expr) -> Expr {
        lengths.into_iter().rev().fold(e, |e, length| {
            let (loc, ty) = (e.loc, e.ty.ty);
            self.value(Kind::Comma(Box::new(length), Box::new(e)), ty, loc)
        })
    }

    /// The product of the lengths of a variable-length array.
    pub(super) fn elements_of(&mut self, mut ty: TypeId, loc: Loc) -> Option<Expr> {
        let size_type = self.tree.types.size_type();
        let mut product = None;
        while self.tree.types.is_long(ty) {
            let (element, count) = match *self.tree.types.get(ty) {
                Type::Long(_, UNSPECIFIED) => {
                    let message = "array of a prototype has unspecified length";
                    self.report("E0722", message, loc);
                    return None;
                }
                Type::Long(element, keeper) => {
                    let kept = self.object(Kind::Local(keeper), Qual::plain(size_type), loc);
                    (element, self.rvalue(kept))
                }
                Type::Array(element, Some(length)) => (element, self.int(length, size_type, loc)),
                // Without a length, pointer arithmetic on the array is not possible.
                _ => {
                    let message = format!("incomplete type `{}`", self.tree.types.show(ty));
                    self.report("E0722", message, loc);
                    return None;
                }
            };
            ty = element.ty;
            product = Some(match product {
                None => count,
                Some(before) => {
                    let kind = Kind::Binary(Binary::Mul, Box::new(before), Box::new(count));
                    self.value(kind, size_type, loc)
                }
            });
        }
        product
    }

    /// The size of a variable-length array in bytes.
    pub(super) fn long_size(&mut self, ty: TypeId, loc: Loc) -> Expr {
        let size_type = self.tree.types.size_type();
        let Some(count) = self.elements_of(ty, loc) else { return bad(loc) };
        let size = self.tree.types.size(self.tree.types.innermost(ty)).unwrap_or(1);
        let size = self.int(size, size_type, loc);
        self.value(Kind::Binary(Binary::Mul, Box::new(count), Box::new(size)), size_type, loc)
    }

    /// Converts a number of rows to a number of elements.
    pub(super) fn times(&mut self, rows: Expr, each: Option<Expr>, loc: Loc) -> Expr {
        let Some(each) = each else { return rows };
        let ty = rows.ty.ty;
        let each = self.convert(each, ty, false);
        self.value(Kind::Binary(Binary::Mul, Box::new(rows), Box::new(each)), ty, loc)
    }

    /// `++` and `--` of a pointer to rows, as an addition; the old value is one row off.
    pub(super) fn step_of_rows(
        &mut self,
        target: Expr,
        count: Expr,
        minus: bool,
        post: bool,
        loc: Loc,
    ) -> Expr {
        let ty = target.ty.ty;
        let wide = self.tree.types.ptrdiff_type();
        let count = self.convert(count, wide, false);
        let to = self.tree.types.pointee(ty).map_or(types::ERROR, |to| self.tree.types.innermost(to.ty));
        let Some(size) = self.tree.types.size(to) else { return bad(loc) };
        let op = if minus { Binary::Sub } else { Binary::Add };
        let value = Box::new(count.clone());
        let kind = Kind::AssignOp { op, target: Box::new(target), value, work: ty, size: Some(size) };
        let moved = self.value(kind, ty, loc);
        if !post {
            return moved;
        }
        let kind = Kind::PtrAdd { pointer: Box::new(moved), index: Box::new(count), size, minus: !minus };
        self.value(kind, ty, loc)
    }

    /// Parses a parameter with non-constant lengths again at the begin of the function: its lengths
    /// are computed before the body (6.9.1p10).
    pub(super) fn parameter_again(
        &mut self,
        (start, declarator): (usize, usize),
        before: &mut Vec<Stmt>,
    ) -> Parsed<Qual> {
        let here = std::mem::replace(&mut self.at, start);
        let read = self.with_lengths(Lengths::Parameter(Vec::new()), |p| {
            let specs = p.specifiers(Default::default(), false)?;
            p.at = declarator;
            p.declarator(&specs, Naming::Optional)
        });
        let loc = self.since(self.tokens[declarator].loc());
        self.at = here;
        let (d, made) = read?;
        before.extend(made.into_iter().map(|e| Stmt { kind: StmtKind::Expr(e), loc }));
        Ok(self.adjust(d.ty))
    }

    /// The declaration of an automatic variable-length array.
    pub(super) fn long_array(
        &mut self,
        name: std::sync::Arc<str>,
        ty: Qual,
        (loc, start): (Loc, Loc),
        out: &mut Vec<Stmt>,
    ) {
        let local = self.new_local(name.clone(), ty);
        self.declare(name, Entity::Local(local), loc);
        if self.is("=") {
            self.report("E0723", "a variable-length array cannot be initialised", loc);
        }
        let loc = self.since(start);
        let Some(count) = self.elements_of(ty.ty, loc) else { return };
        let count = self.within_memory(count);
        let size = self.tree.types.size(self.tree.types.innermost(ty.ty)).unwrap_or(1);
        out.push(Stmt { kind: StmtKind::DeclareLong(local, count, size), loc });
    }

    /// A product of lengths; each partial product is checked against the available memory, so none
    /// overflows its type.
    fn within_memory(&mut self, count: Expr) -> Expr {
        let (loc, ty) = (count.loc, count.ty.ty);
        match count.kind {
            Kind::Binary(Binary::Mul, a, b) => {
                // In 64 bits on every machine: the product of two valid lengths cannot overflow.
                let a = self.within_memory(*a);
                let (a, b) = (self.convert(a, types::ULLONG, false), self.convert(*b, types::ULLONG, false));
                let product = Kind::Binary(Binary::Mul, Box::new(a), Box::new(b));
                let product = self.value(product, types::ULLONG, loc);
                self.value(Kind::Builtin(Builtin::Length(None), vec![product]), ty, loc)
            }
            _ => count,
        }
    }
}
