//! Parser of the textual form of a model that [`crate::dump`] writes: recursive descent over
//! tokens.
//!
//! *Entry point:* [`parse`]. This file parses declarations, `code` expressions and effects. The
//! parser checks spelling only: [`crate::verify`] reports invalid ids and recursive records, so
//! that a test can write an invalid model.
//! *Invariant:* no input causes a panic; nesting beyond [`MAX_DEPTH`] is an error, not a stack
//! overflow.

mod code;
mod lexer;

use lexer::{Token, TokenKind};

use crate::{
    Access, Atomicity, Channel, Edge, EdgeId, Effect, Expr, Field, FileId, GlobalId, Instance, IntType,
    LocId, LocalId, Location, Model, NameSet, NameSetId, Origin, ProcId, Process, Property, PropertyKind,
    Record, RecordId, Semantics, Shape, ShapeId, Shown, Type, Variable,
};

/// Maximum nesting of parentheses, brackets and array types; larger than in any front end.
pub const MAX_DEPTH: u32 = 700;

/// Maximum height of an expression tree, including chains of operators: recursive traversals need a
/// proportional stack.
pub const MAX_HEIGHT: u32 = 2_000;

/// A syntax error in the textual form of a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1 in characters.
    pub column: u32,
    /// The problem.
    pub message: String,
}

type Res<T> = Result<T, ParseError>;

/// Reads a model.
///
/// # Errors
/// The first place where the text is not of the form that [`crate::dump::dump`] writes.
pub fn parse(text: &str) -> Res<Model> {
    let mut p = Parser { tokens: lexer::tokens(text)?, next: 0, depth: 0, height: 0 };
    let model = p.model()?;
    match p.peek() {
        TokenKind::End => Ok(model),
        _ => Err(p.error("a declaration")),
    }
}

/// Reads one expression.
///
/// # Errors
/// The first place where the text is not of the form that [`crate::dump::expr`] writes.
pub fn parse_expr(text: &str) -> Res<Expr> {
    let mut p = Parser { tokens: lexer::tokens(text)?, next: 0, depth: 0, height: 0 };
    let e = p.expr()?;
    match p.peek() {
        TokenKind::End => Ok(e),
        _ => Err(p.error("the end of the expression")),
    }
}

/// The tokens and the position of the next one. The last token is always the end and is never
/// passed.
struct Parser {
    tokens: Vec<Token>,
    next: usize,
    /// Current nesting.
    depth: u32,
    /// Maximum height of the expressions of this level so far.
    height: u32,
}

impl Parser {
    fn peek(&self) -> &TokenKind {
        &self.tokens[self.next].what
    }

    fn bump(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    /// An error at the next token, which is not what was `expected`.
    fn error(&self, expected: &str) -> ParseError {
        let found = match self.peek() {
            TokenKind::Word(w) => format!("`{w}`"),
            TokenKind::Number(n) => format!("`{n}`"),
            TokenKind::Text(_) => "a text in quotes".into(),
            TokenKind::Symbol(s) => format!("`{s}`"),
            TokenKind::End => "the end of the text".into(),
        };
        self.fault(format!("expected {expected}, found {found}"))
    }

    fn fault(&self, message: String) -> ParseError {
        let Token { line, column, .. } = self.tokens[self.next];
        ParseError { line, column, message }
    }

    /// Runs `read` one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.fault(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let beside = std::mem::take(&mut self.height);
        let res = read(self);
        self.depth -= 1;
        self.grow()?;
        self.height = self.height.max(beside);
        res
    }

    /// The expressions of this level became part of an expression of the level above.
    fn grow(&mut self) -> Res<()> {
        self.height += 1;
        if self.height > MAX_HEIGHT {
            return Err(self.fault(format!("an expression higher than {MAX_HEIGHT} operations")));
        }
        Ok(())
    }

    fn at_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), TokenKind::Symbol(s) if *s == symbol)
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Word(w) if w == word)
    }

    fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn symbol(&mut self, symbol: &str) -> Res<()> {
        if self.eat_symbol(symbol) { Ok(()) } else { Err(self.error(&format!("`{symbol}`"))) }
    }

    fn word(&mut self, word: &str) -> Res<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.error(&format!("`{word}`"))) }
    }

    fn text(&mut self) -> Res<String> {
        let TokenKind::Text(text) = self.peek() else { return Err(self.error("a text in quotes")) };
        let text = text.clone();
        self.bump();
        Ok(text)
    }

    fn name(&mut self) -> Res<String> {
        let name = match self.peek() {
            TokenKind::Word(w) => w.clone(),
            TokenKind::Text(t) => t.clone(),
            _ => return Err(self.error("a name")),
        };
        self.bump();
        Ok(name)
    }

    fn number<N: TryFrom<u64>>(&mut self) -> Res<N> {
        let TokenKind::Number(n) = *self.peek() else { return Err(self.error("a number")) };
        let n = N::try_from(n).map_err(|_| self.error("a smaller number"))?;
        self.bump();
        Ok(n)
    }

    fn signed(&mut self) -> Res<i64> {
        let minus = self.eat_symbol("-");
        let TokenKind::Number(n) = *self.peek() else { return Err(self.error("a number")) };
        let value = if minus { 0i64.checked_sub_unsigned(n) } else { i64::try_from(n).ok() };
        let value = value.ok_or_else(|| self.error("a number of 64 bits"))?;
        self.bump();
        Ok(value)
    }

    /// Whether the next token is `letter` and a number, and that number.
    fn id_with(&self, letter: &str) -> Option<u32> {
        let TokenKind::Word(w) = self.peek() else { return None };
        let digits = w.strip_prefix(letter)?;
        let plain = digits == "0" || !digits.starts_with('0');
        (plain && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok()).flatten()
    }

    fn id(&mut self, letter: &str) -> Res<u32> {
        let id = self.id_with(letter).ok_or_else(|| self.error(&format!("an id like `{letter}0`")))?;
        self.bump();
        Ok(id)
    }

    /// The id of the next entry of a table that has `len` entries so far.
    fn next_id(&mut self, letter: &str, len: usize) -> Res<()> {
        match self.id_with(letter) {
            Some(id) if id as usize == len => {
                self.bump();
                Ok(())
            }
            _ => Err(self.error(&format!("`{letter}{len}`, the next in order"))),
        }
    }

    /// Items with commas between them, up to `close`, which is passed.
    fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Res<T>) -> Res<Vec<T>> {
        let mut items = Vec::new();
        if self.eat_symbol(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat_symbol(close) {
                return Ok(items);
            }
            self.symbol(",")?;
        }
    }

    fn model(&mut self) -> Res<Model> {
        self.word("axle")?;
        self.word("model")?;
        if !matches!(self.peek(), TokenKind::Number(1)) {
            return Err(self.error("version `1` of the format"));
        }
        self.bump();
        let mut m = Model {
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
            semantics: Semantics::default(),
        };
        while self.declaration(&mut m)? {}
        Ok(m)
    }

    /// Reads one declaration, if the next word begins one.
    fn declaration(&mut self, m: &mut Model) -> Res<bool> {
        let TokenKind::Word(word) = self.peek() else { return Ok(false) };
        match word.as_str() {
            "file" => {
                self.bump();
                self.next_id(FileId::LETTER, m.files.len())?;
                m.files.push(self.text()?);
            }
            "semantics" => {
                self.bump();
                m.semantics = self.semantics()?;
            }
            "names" => {
                self.bump();
                self.next_id(NameSetId::LETTER, m.name_sets.len())?;
                let name = self.name()?;
                self.symbol("{")?;
                let names = self.list("}", |p| {
                    let name = p.name()?;
                    p.symbol("=")?;
                    Ok((name, p.signed()?))
                })?;
                m.name_sets.push(NameSet { name, names });
            }
            "record" => {
                self.bump();
                self.next_id(RecordId::LETTER, m.records.len())?;
                let name = self.name()?;
                self.symbol("{")?;
                let fields = self.list("}", |p| {
                    let name = p.name()?;
                    p.symbol(":")?;
                    Ok(Field { name, ty: p.ty()? })
                })?;
                m.records.push(Record { name, fields });
            }
            "shape" => {
                self.bump();
                self.next_id(ShapeId::LETTER, m.shapes.len())?;
                let capacity = self.number()?;
                self.word("of")?;
                self.symbol("(")?;
                let fields = self.list(")", Self::ty)?;
                m.shapes.push(Shape { capacity, fields });
            }
            "global" => {
                self.bump();
                self.next_id(GlobalId::LETTER, m.globals.len())?;
                m.globals.push(self.variable()?);
            }
            "channel" => m.channels.push(self.channel("c", m.channels.len())?),
            "prologue" => m.prologue.extend(self.prologue()?),
            "start" => {
                self.bump();
                m.start.push(self.instance()?);
                while self.eat_symbol(",") {
                    m.start.push(self.instance()?);
                }
            }
            "process" => {
                self.bump();
                self.next_id(ProcId::LETTER, m.processes.len())?;
                m.processes.push(self.process()?);
            }
            "property" => {
                self.bump();
                m.properties.push(self.property()?);
            }
            _ => return Err(self.error("a declaration")),
        }
        Ok(true)
    }

    fn semantics(&mut self) -> Res<Semantics> {
        self.word("processes")?;
        let max_processes = self.number()?;
        self.word("channels")?;
        let max_channels = self.number()?;
        let lossy = self.eat_word("lossy");
        let priorities = self.eat_word("priorities");
        Ok(Semantics { lossy, priorities, max_processes, max_channels })
    }

    fn instance(&mut self) -> Res<Instance> {
        let proc = ProcId(self.id(ProcId::LETTER)?);
        let priority = if self.eat_word("priority") { self.number()? } else { 1 };
        Ok(Instance { proc, priority })
    }

    fn channel(&mut self, letters: &str, len: usize) -> Res<Channel> {
        self.bump();
        self.next_id(letters, len)?;
        let name = self.name()?;
        self.symbol(":")?;
        Ok(Channel { name, shape: ShapeId(self.id(ShapeId::LETTER)?) })
    }

    fn prologue(&mut self) -> Res<Vec<Effect>> {
        self.bump();
        self.symbol("{")?;
        let mut effects = Vec::new();
        while !self.eat_symbol("}") {
            effects.push(self.effect()?);
            self.symbol(";")?;
        }
        Ok(effects)
    }

    /// The name, type, access and place of a variable.
    fn variable(&mut self) -> Res<Variable> {
        let name = self.name()?;
        self.symbol(":")?;
        let ty = self.ty()?;
        let access = match self.peek() {
            TokenKind::Word(w) => match w.as_str() {
                "hidden" => Access::Hidden,
                "local" if !matches!(self.tokens.get(self.next + 1), Some(t) if is_local_id(&t.what)) => {
                    Access::Local
                }
                "show" => Access::Show,
                _ => Access::Plain,
            },
            _ => Access::Plain,
        };
        if access != Access::Plain {
            self.bump();
        }
        Ok(Variable { name, ty, access, origin: self.optional_origin()? })
    }

    fn int_type(&self) -> Option<IntType> {
        let (bits, signed) = match (self.id_with("u"), self.id_with("i")) {
            (Some(bits), _) => (bits, false),
            (_, Some(bits)) => (bits, true),
            (None, None) => return None,
        };
        Some(IntType { bits: u8::try_from(bits).ok()?, signed })
    }

    fn ty(&mut self) -> Res<Type> {
        if let Some(int) = self.int_type() {
            self.bump();
            let shown = match self.eat_word("as") {
                false => Shown::Number,
                true if self.eat_word("bool") => Shown::Bool,
                true if self.eat_word("pid") => Shown::Pid,
                true => Shown::Names(NameSetId(self.id(NameSetId::LETTER)?)),
            };
            return Ok(Type::Int(int, shown));
        }
        if self.eat_word("chan") {
            return Ok(Type::Chan);
        }
        if self.id_with(RecordId::LETTER).is_some() {
            return Ok(Type::Record(RecordId(self.id(RecordId::LETTER)?)));
        }
        if !self.eat_symbol("[") {
            return Err(self.error("a type"));
        }
        let len = self.number()?;
        self.symbol("]")?;
        Ok(Type::Array(Box::new(self.nested(Self::ty)?), len))
    }

    fn optional_origin(&mut self) -> Res<Origin> {
        if self.at_symbol("@") { self.origin() } else { Ok(Origin::NONE) }
    }

    fn origin(&mut self) -> Res<Origin> {
        self.symbol("@")?;
        if self.eat_word("none") {
            return Ok(Origin::NONE);
        }
        let file = FileId(self.id(FileId::LETTER)?);
        self.symbol(":")?;
        let line = self.number()?;
        self.symbol(":")?;
        let column = self.number()?;
        self.symbol("-")?;
        let last = self.number()?;
        let (end_line, end_column) = if self.eat_symbol(":") { (last, self.number()?) } else { (line, last) };
        Ok(Origin { file, line, column, end_line, end_column })
    }

    fn process(&mut self) -> Res<Process> {
        let name = self.name()?;
        self.symbol("(")?;
        let mut count = 0;
        let mut locals = self.list(")", |p| {
            p.next_id(LocalId::LETTER, count)?;
            count += 1;
            p.variable()
        })?;
        self.word("entry")?;
        let entry = LocId(self.id(LocId::LETTER)?);
        let params = if self.eat_word("params") { self.number()? } else { locals.len() as u32 };
        let deterministic = self.eat_word("deterministic");
        let provided = if self.eat_word("provided") { Some(self.expr()?) } else { None };
        let origin = self.optional_origin()?;
        self.symbol("{")?;
        while self.eat_word("local") {
            self.next_id(LocalId::LETTER, locals.len())?;
            locals.push(self.variable()?);
        }
        let mut channels = Vec::new();
        while self.at_word("channel") {
            channels.push(self.channel("own", channels.len())?);
        }
        let prologue = if self.at_word("prologue") { self.prologue()? } else { Vec::new() };
        let (locations, edges) = self.automaton()?;
        Ok(Process {
            name,
            params,
            locals,
            channels,
            prologue,
            locations,
            edges,
            entry,
            provided,
            deterministic,
            origin,
        })
    }

    /// Locations and edges, up to the closing brace. Edges come in any order and leave no gap.
    fn automaton(&mut self) -> Res<(Vec<Location>, Vec<Edge>)> {
        let mut locations: Vec<Location> = Vec::new();
        let mut edges: Vec<(u32, Edge)> = Vec::new();
        while !self.eat_symbol("}") {
            let under = match self.eat_word("nowhere") {
                true => {
                    self.symbol(":")?;
                    None
                }
                false => {
                    self.next_id(LocId::LETTER, locations.len())?;
                    let id = LocId::new(locations.len());
                    locations.push(self.location()?);
                    Some(id)
                }
            };
            loop {
                let out = locations.last_mut().filter(|_| under.is_some()).map(|l| &mut l.out);
                if self.eat_word("also") {
                    let id = EdgeId(self.id(EdgeId::LETTER)?);
                    out.ok_or_else(|| self.error("an edge"))?.push(id);
                } else if let Some(id) = self.id_with(EdgeId::LETTER) {
                    self.bump();
                    out.into_iter().for_each(|out| out.push(EdgeId(id)));
                    edges.push((id, self.edge(under)?));
                } else {
                    break;
                }
            }
        }
        edges.sort_by_key(|(id, _)| *id);
        match edges.iter().enumerate().find(|(i, (id, _))| *i as u64 != u64::from(*id)) {
            Some((i, _)) => Err(self.fault(format!("the edges up to here have no t{i}, or two"))),
            None => Ok((locations, edges.into_iter().map(|(_, edge)| edge).collect())),
        }
    }

    fn location(&mut self) -> Res<Location> {
        self.symbol(":")?;
        let mut labels = Vec::new();
        while matches!(self.peek(), TokenKind::Text(_)) {
            labels.push(self.text()?);
        }
        let end = self.eat_word("end");
        let accept = self.eat_word("accept");
        let progress = self.eat_word("progress");
        Ok(Location { out: Vec::new(), labels, end, accept, progress, origin: self.optional_origin()? })
    }

    fn edge(&mut self, under: Option<LocId>) -> Res<Edge> {
        self.symbol("->")?;
        let target = LocId(self.id(LocId::LETTER)?);
        let source = match (self.eat_word("from"), under) {
            (true, _) => LocId(self.id(LocId::LETTER)?),
            (false, Some(under)) => under,
            (false, None) => return Err(self.error("`from`")),
        };
        let rank = if self.eat_word("rank") { self.number()? } else { 0 };
        let is_else = self.eat_word("else");
        let guard = if self.eat_word("when") { self.expr()? } else { Expr::TRUE };
        let comm = self.comm()?;
        let mut effects = Vec::new();
        if self.eat_word("do") {
            effects.push(self.effect()?);
            while self.eat_symbol(";") {
                effects.push(self.effect()?);
            }
        }
        let keep = match self.eat_word("keep") {
            false => Atomicity::Release,
            true if self.eat_word("atomic") => Atomicity::Atomic,
            true => {
                self.word("deterministic")?;
                Atomicity::Deterministic
            }
        };
        let text = self.text()?;
        let mut origins = Vec::new();
        while self.at_symbol("@") {
            origins.push(self.origin()?);
        }
        Ok(Edge { source, target, rank, guard, comm, effects, keep, is_else, text, origins })
    }

    fn property(&mut self) -> Res<Property> {
        let name = self.name()?;
        let origin = self.optional_origin()?;
        let kind = match () {
            () if self.eat_word("never") => PropertyKind::Never(self.process()?),
            () if self.eat_word("trace") => PropertyKind::Trace(self.process()?),
            () if self.eat_word("notrace") => PropertyKind::NoTrace(self.process()?),
            () if self.eat_word("ltl") => PropertyKind::Ltl(self.formula()?),
            () => return Err(self.error("`never`, `trace`, `notrace` or `ltl`")),
        };
        Ok(Property { name, origin, kind })
    }
}

/// Whether a token begins the declaration of a local: `local l3` is one, not an access.
fn is_local_id(what: &TokenKind) -> bool {
    matches!(what, TokenKind::Word(w) if w.len() > 1 && w.starts_with('l')
        && w[1..].bytes().all(|b| b.is_ascii_digit()))
}
