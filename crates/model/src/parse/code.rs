//! Expressions, places, patterns, communication, effects and formulas of the textual form.
//!
//! Operators have no precedence: every operation stands in parentheses of its own, and what one
//! operator joins without them is joined from the left, as [`crate::dump`] writes it.

use super::lexer::TokenKind;
use super::{Parser, Res};
use crate::dump::{query_word, symbol};
use crate::{
    Base, BinOp, ChanRef, Comm, Effect, Expr, Formula, GlobalId, IntType, LocId, LocalId, Pattern, Place,
    ProcId, Query, Step, UnOp,
};

const OPERATORS: [BinOp; 16] = [
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

const QUERIES: [Query; 5] = [Query::Len, Query::Full, Query::Empty, Query::NotFull, Query::NotEmpty];

impl Parser {
    /// A whole expression: operands with operators between them, or a choice.
    pub(super) fn expr(&mut self) -> Res<Expr> {
        let beside = std::mem::take(&mut self.height);
        let e = self.operations()?;
        self.height = self.height.max(beside);
        Ok(e)
    }

    fn operations(&mut self) -> Res<Expr> {
        let mut e = self.operand()?;
        if self.eat_symbol("?") {
            let a = self.operand()?;
            self.symbol(":")?;
            let b = self.operand()?;
            self.grow()?;
            return Ok(Expr::Cond(Box::new(e), Box::new(a), Box::new(b)));
        }
        loop {
            if self.eat_symbol("&&") {
                e = Expr::And(Box::new(e), Box::new(self.operand()?));
            } else if self.eat_symbol("||") {
                e = Expr::Or(Box::new(e), Box::new(self.operand()?));
            } else if let Some(op) = OPERATORS.into_iter().find(|op| self.at_symbol(symbol(*op))) {
                self.bump();
                let int = self.optional_int()?;
                e = Expr::Binary(op, int, Box::new(e), Box::new(self.operand()?));
            } else {
                return Ok(e);
            }
            self.grow()?;
        }
    }

    fn optional_int(&mut self) -> Res<IntType> {
        if !self.eat_symbol(".") {
            return Ok(IntType::I32);
        }
        let int = self.int_type().ok_or_else(|| self.error("a type like `u8`"))?;
        self.bump();
        Ok(int)
    }

    /// An expression that stands for itself: a number, a name, a call, or anything in parentheses.
    /// Operators before it count as height, not as nesting: there may be a thousand.
    fn operand(&mut self) -> Res<Expr> {
        let mut before = Vec::new();
        loop {
            let op = match self.peek() {
                TokenKind::Symbol("-") if matches!(self.tokens[self.next + 1].what, TokenKind::Number(_)) => {
                    break;
                }
                TokenKind::Symbol("-") => UnOp::Neg,
                TokenKind::Symbol("~") => UnOp::BitNot,
                TokenKind::Symbol("!") => UnOp::Not,
                _ => break,
            };
            self.bump();
            before.push((op, self.optional_int()?));
        }
        let mut operand = self.nested(Self::operand_inner)?;
        for (op, int) in before.into_iter().rev() {
            self.grow()?;
            operand = Expr::Unary(op, int, Box::new(operand));
        }
        Ok(operand)
    }

    fn operand_inner(&mut self) -> Res<Expr> {
        match self.peek() {
            TokenKind::Number(_) => Ok(Expr::Const(self.signed()?)),
            TokenKind::Symbol("-") if matches!(self.tokens[self.next + 1].what, TokenKind::Number(_)) => {
                Ok(Expr::Const(self.signed()?))
            }
            TokenKind::Symbol("(") => self.group(),
            TokenKind::Word(_) => self.named(),
            TokenKind::Symbol(_) | TokenKind::Text(_) | TokenKind::End => Err(self.error("an expression")),
        }
    }

    /// An expression in parentheses.
    fn group(&mut self) -> Res<Expr> {
        self.symbol("(")?;
        let e = self.expr()?;
        self.symbol(")")?;
        Ok(e)
    }

    fn boxed_group(&mut self) -> Res<Box<Expr>> {
        self.group().map(Box::new)
    }

    fn named(&mut self) -> Res<Expr> {
        if self.id_with(GlobalId::LETTER).or(self.id_with(LocalId::LETTER)).is_some() {
            return Ok(Expr::Load(self.place()?));
        }
        if self.id_with(ProcId::LETTER).is_some() {
            return self.other_process();
        }
        if let Some(int) = self.int_type() {
            self.bump();
            return Ok(Expr::Convert(int, self.boxed_group()?));
        }
        for (letters, make) in [("c", ChanRef::Global as fn(u32) -> ChanRef), ("own", ChanRef::Own)] {
            if let Some(index) = self.id_with(letters) {
                self.bump();
                return Ok(Expr::Channel(make(index)));
            }
        }
        if let Some(query) = QUERIES.into_iter().find(|q| self.at_word(query_word(*q))) {
            self.bump();
            return Ok(Expr::Query(query, self.boxed_group()?));
        }
        let TokenKind::Word(word) = self.peek() else { return Err(self.error("an expression")) };
        let word = word.clone();
        let plain = match word.as_str() {
            "timeout" => Some(Expr::Timeout),
            "pid" => Some(Expr::SelfPid),
            "nr_pr" => Some(Expr::ProcessCount),
            "last" => Some(Expr::LastPid),
            "np" => Some(Expr::NonProgress),
            "enabled" | "location" | "priority" | "can" => None,
            _ => return Err(self.error("an expression")),
        };
        self.bump();
        match (plain, word.as_str()) {
            (Some(e), _) => Ok(e),
            (None, "enabled") => Ok(Expr::Enabled(self.boxed_group()?)),
            (None, "location") => Ok(Expr::Location(self.boxed_group()?)),
            (None, "priority") => Ok(Expr::Priority(self.boxed_group()?)),
            (None, _) => {
                self.symbol("(")?;
                let (chan, patterns, random) = self.receive()?;
                self.symbol(")")?;
                Ok(Expr::CanReceive { chan: Box::new(chan), patterns, random })
            }
        }
    }

    /// A variable or the location of another process: `p0[e]:l1`, `p0[e]@{ s1, s2 }`.
    fn other_process(&mut self) -> Res<Expr> {
        let (proc, pid) = self.process_number()?;
        if !self.eat_symbol("@") {
            return Ok(Expr::Load(self.remote(proc, pid)?));
        }
        self.symbol("{")?;
        let locs = self.list("}", |p| Ok(LocId(p.id(LocId::LETTER)?)))?;
        Ok(Expr::AtLocation { proc, pid, locs })
    }

    fn process_number(&mut self) -> Res<(ProcId, Box<Expr>)> {
        let proc = ProcId(self.id(ProcId::LETTER)?);
        self.symbol("[")?;
        let pid = Box::new(self.expr()?);
        self.symbol("]")?;
        Ok((proc, pid))
    }

    fn remote(&mut self, proc: ProcId, pid: Box<Expr>) -> Res<Place> {
        self.symbol(":")?;
        let local = LocalId(self.id(LocalId::LETTER)?);
        self.path(Base::Remote { proc, pid, local })
    }

    fn place(&mut self) -> Res<Place> {
        if self.id_with(GlobalId::LETTER).is_some() {
            let id = GlobalId(self.id(GlobalId::LETTER)?);
            return self.path(Base::Global(id));
        }
        if self.id_with(ProcId::LETTER).is_some() {
            let (proc, pid) = self.nested(Self::process_number)?;
            return self.remote(proc, pid);
        }
        match self.id_with(LocalId::LETTER) {
            Some(id) => {
                self.bump();
                self.path(Base::Local(LocalId(id)))
            }
            None => Err(self.error("a variable like `g0` or `l0`")),
        }
    }

    fn path(&mut self, base: Base) -> Res<Place> {
        let mut path = Vec::new();
        loop {
            if self.eat_symbol(".") {
                path.push(Step::Field(self.number()?));
            } else if self.eat_symbol("[") {
                path.push(Step::Index(Box::new(self.nested(Self::expr)?)));
                self.symbol("]")?;
            } else {
                return Ok(Place { base, path });
            }
        }
    }

    /// `chan ? [patterns]`, with `??` for any message.
    fn receive(&mut self) -> Res<(Expr, Vec<Pattern>, bool)> {
        let chan = self.operand()?;
        let random = self.eat_symbol("??");
        if !random {
            self.symbol("?")?;
        }
        let patterns = self.bracketed(Self::pattern)?;
        Ok((chan, patterns, random))
    }

    /// A list in brackets; the empty one is a symbol of its own.
    fn bracketed<T>(&mut self, item: impl FnMut(&mut Self) -> Res<T>) -> Res<Vec<T>> {
        if self.eat_symbol("[]") {
            return Ok(Vec::new());
        }
        self.symbol("[")?;
        self.list("]", item)
    }

    fn pattern(&mut self) -> Res<Pattern> {
        if self.eat_word("_") {
            Ok(Pattern::Any)
        } else if self.eat_word("eval") {
            Ok(Pattern::Match(self.nested(Self::group)?))
        } else {
            Ok(Pattern::Bind(self.place()?))
        }
    }

    pub(super) fn comm(&mut self) -> Res<Option<Comm>> {
        if self.eat_word("send") {
            let chan = self.operand()?;
            let sorted = self.eat_symbol("!!");
            if !sorted {
                self.symbol("!")?;
            }
            let args = self.bracketed(Self::expr)?;
            return Ok(Some(Comm::Send { chan, args, sorted }));
        }
        let copy = self.at_word("copy");
        if !copy && !self.at_word("recv") {
            return Ok(None);
        }
        self.bump();
        let (chan, patterns, random) = self.receive()?;
        Ok(Some(Comm::Receive { chan, patterns, random, copy }))
    }

    pub(super) fn effect(&mut self) -> Res<Effect> {
        if self.eat_word("clear") {
            return Ok(Effect::Clear(self.place()?));
        }
        if self.eat_word("assert") {
            let cond = self.expr()?;
            return Ok(Effect::Assert(cond, self.text()?));
        }
        if self.eat_word("print") {
            let format = self.text()?;
            self.symbol("(")?;
            return Ok(Effect::Print(format, self.list(")", Self::expr)?));
        }
        if self.eat_word("run") {
            let proc = ProcId(self.id(ProcId::LETTER)?);
            self.symbol("(")?;
            let args = self.list(")", Self::expr)?;
            let priority = if self.eat_word("priority") { Some(self.expr()?) } else { None };
            let into = if self.eat_word("into") { Some(self.place()?) } else { None };
            return Ok(Effect::Run { proc, args, priority, into });
        }
        if self.eat_word("set_priority") {
            let pid = self.group()?;
            self.symbol(":=")?;
            return Ok(Effect::SetPriority(pid, self.expr()?));
        }
        if self.eat_word("exit") {
            return Ok(Effect::Exit);
        }
        let place = self.place()?;
        self.symbol(":=")?;
        Ok(Effect::Assign(place, self.expr()?))
    }

    pub(super) fn formula(&mut self) -> Res<Formula> {
        self.nested(Self::formula_inner)
    }

    fn formula_inner(&mut self) -> Res<Formula> {
        if self.eat_symbol("{") {
            let e = self.expr()?;
            let text = self.text()?;
            self.symbol("}")?;
            return Ok(Formula::Atom(e, text));
        }
        if self.eat_symbol("(") {
            let a = Box::new(self.formula()?);
            let make = match self.peek() {
                TokenKind::Symbol("&&") => Formula::And,
                TokenKind::Symbol("||") => Formula::Or,
                TokenKind::Symbol("->") => Formula::Implies,
                TokenKind::Symbol("<->") => Formula::Equivalent,
                TokenKind::Word(w) if w == "U" => Formula::Until,
                TokenKind::Word(w) if w == "W" => Formula::WeakUntil,
                TokenKind::Word(w) if w == "V" => Formula::Release,
                _ => return Err(self.error("an operator between two formulas")),
            };
            self.bump();
            let b = Box::new(self.formula()?);
            self.symbol(")")?;
            return Ok(make(a, b));
        }
        let make = match self.peek() {
            TokenKind::Symbol("!") => Formula::Not,
            TokenKind::Symbol("[]") => Formula::Always,
            TokenKind::Symbol("<>") => Formula::Eventually,
            TokenKind::Word(w) if w == "X" => Formula::Next,
            _ => return Err(self.error("a formula")),
        };
        self.bump();
        Ok(make(Box::new(self.formula()?)))
    }
}
