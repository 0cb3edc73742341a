//! The syntax of C as it is written, without types, to which abstraction tables refer. Names
//! are not resolved and nothing is converted, because rows are matched with the text of the
//! source.

use std::sync::Arc;

use axle_source::Loc;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: Kind,
    /// Where it stands.
    pub loc: Loc,
    /// Nodes on the longest way down, so that no walk over the tree exhausts the stack.
    pub depth: u32,
}

/// The kind of an expression. Brackets are not kept: the tree expresses them.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A name; in rows of a table also `$x`, which stands for any expression.
    Name(Arc<str>),
    /// A number, character or string, as written.
    Literal(Arc<str>),
    /// Any arguments, in rows of a table.
    Rest,
    /// `- + ! ~ * & ++ -- sizeof` before its operand.
    Prefix(&'static str, Box<Expr>),
    /// `++ --` behind its operand.
    Postfix(Box<Expr>, &'static str),
    /// An operator between two operands.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `= += ...`.
    Assign(&'static str, Box<Expr>, Box<Expr>),
    /// `c ? a : b`; GNU's form has no middle.
    Cond(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// A call.
    Call(Box<Expr>, Vec<Expr>),
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a.m` and `a->m`.
    Member(Box<Expr>, &'static str, Arc<str>),
    /// `(type)e`.
    Cast(Arc<str>, Box<Expr>),
    /// Text that is taken unchanged: `sizeof(type)`, compound literals, statement expressions,
    /// `_Generic`.
    Opaque(Arc<str>),
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Decl {
    /// Storage classes and qualifiers that stand before the type: `static`, `const`, ...
    pub storage: Vec<Arc<str>>,
    /// The type before the declarators: `unsigned char`, `struct s`, `Buffer`.
    pub base: Arc<str>,
    /// The declared name.
    pub declared: Vec<Declared>,
    /// Where it stands.
    pub loc: Loc,
}

/// A declarator with its initial value.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name.
    pub name: Arc<str>,
    /// The declarator with the name in it: `*p`, `v[8]`.
    pub text: String,
    /// Something else than a name: a pointer, an array, a function.
    pub derived: bool,
    /// The initial value.
    pub init: Option<Init>,
    /// Where it stands.
    pub loc: Loc,
}

impl Declared {
    /// The initialisation as an assignment.
    #[must_use]
    pub fn assigned(&self, value: &Expr) -> Expr {
        let target = Expr { kind: Kind::Name(self.name.clone()), loc: self.loc, depth: 1 };
        let depth = value.depth + 1;
        Expr { kind: Kind::Assign("=", target.into(), value.clone().into()), loc: value.loc, depth }
    }
}

/// An initial value.
#[derive(Clone, Debug)]
pub enum Init {
    /// One value.
    Value(Expr),
    /// A list in braces, as written.
    List(String),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its kind.
    pub kind: StmtKind,
    /// Where it stands.
    pub loc: Loc,
}

/// The kind of a statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`.
    Empty,
    /// An expression.
    Expr(Expr),
    /// A declaration.
    Declare(Decl),
    /// `{ ... }`.
    Block(Vec<Stmt>),
    /// `if`.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do ... while`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`.
    For {
        /// Before the loop: nothing, a declaration or expressions.
        init: Vec<Stmt>,
        /// Its condition.
        cond: Option<Expr>,
        /// After each round.
        step: Option<Expr>,
        /// Its body.
        body: Box<Stmt>,
    },
    /// `switch`, its body as written.
    Switch(Expr, Box<Stmt>),
    /// `case a:` or GNU's `case a ... b:`, before the statement that follows it in the list.
    Case(Expr, Option<Expr>),
    /// `default:`, before the statement that follows it in the list.
    Default,
    /// `name:`, before the statement that follows it in the list.
    Label(Arc<str>),
    /// `goto`.
    Goto(Arc<str>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Option<Expr>),
    /// Assembler, as written.
    Asm(String),
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its declaration.
    pub decl: Decl,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// The file that it is defined in, as the user gave its name.
    pub file: Arc<str>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Vec<Stmt>,
    /// Its name in the text.
    pub loc: Loc,
    /// The brace that ends it.
    pub end: Loc,
}

impl Expr {
    /// The expressions that it is made of, from left to right.
    #[must_use]
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Name(_) | Kind::Literal(_) | Kind::Rest | Kind::Opaque(_) => Vec::new(),
            Kind::Prefix(_, e) | Kind::Postfix(e, _) | Kind::Member(e, _, _) | Kind::Cast(_, e) => vec![e],
            Kind::Binary(_, a, b) | Kind::Assign(_, a, b) | Kind::Comma(a, b) | Kind::Index(a, b) => {
                vec![a, b]
            }
            Kind::Cond(c, Some(a), b) => vec![c, a, b],
            Kind::Cond(c, None, b) => vec![c, b],
            Kind::Call(f, args) => std::iter::once(&**f).chain(args).collect(),
        }
    }

    /// The expression with its direct parts replaced.
    #[must_use]
    pub fn map(&self, replace: &mut impl FnMut(&Expr) -> Expr) -> Expr {
        let mut of = |part: &Expr| Box::new(replace(part));
        let kind = match &self.kind {
            Kind::Name(_) | Kind::Literal(_) | Kind::Rest | Kind::Opaque(_) => self.kind.clone(),
            Kind::Prefix(op, e) => Kind::Prefix(op, of(e)),
            Kind::Postfix(e, op) => Kind::Postfix(of(e), op),
            Kind::Member(e, op, name) => Kind::Member(of(e), op, name.clone()),
            Kind::Cast(ty, e) => Kind::Cast(ty.clone(), of(e)),
            Kind::Binary(op, a, b) => Kind::Binary(op, of(a), of(b)),
            Kind::Assign(op, a, b) => Kind::Assign(op, of(a), of(b)),
            Kind::Comma(a, b) => Kind::Comma(of(a), of(b)),
            Kind::Index(a, b) => Kind::Index(of(a), of(b)),
            Kind::Cond(c, a, b) => Kind::Cond(of(c), a.as_ref().map(|a| of(a)), of(b)),
            Kind::Call(f, args) => Kind::Call(of(f), args.iter().map(|arg| *of(arg)).collect()),
        };
        Expr { kind, ..self.clone() }
    }

    /// Visits it and all that it is made of.
    pub fn walk<'e>(&'e self, visit: &mut impl FnMut(&'e Expr)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// The variable that an object belongs to, and whether it is reached through a pointer.
    #[must_use]
    pub fn base(&self) -> Option<(&Arc<str>, bool)> {
        match &self.kind {
            Kind::Name(name) => Some((name, false)),
            Kind::Member(object, ".", _) => object.base(),
            Kind::Member(object, _, _) => object.base().map(|(name, _)| (name, true)),
            Kind::Index(object, _) => object.base(),
            Kind::Prefix("*", object) => object.base().map(|(name, _)| (name, true)),
            Kind::Cast(_, object) => object.base(),
            _ => None,
        }
    }
}

impl Stmt {
    /// Visits every expression in it.
    pub fn expressions<'s>(&'s self, visit: &mut impl FnMut(&'s Expr)) {
        match &self.kind {
            StmtKind::Empty
            | StmtKind::Default
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_)
            | StmtKind::Return(None) => {}
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => expr.walk(visit),
            StmtKind::Declare(decl) => {
                for declared in &decl.declared {
                    if let Some(Init::Value(value)) = &declared.init {
                        value.walk(visit);
                    }
                }
            }
            StmtKind::Block(list) => list.iter().for_each(|stmt| stmt.expressions(visit)),
            StmtKind::If(cond, yes, no) => {
                cond.walk(visit);
                yes.expressions(visit);
                if let Some(no) = no {
                    no.expressions(visit);
                }
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) | StmtKind::Switch(cond, body) => {
                cond.walk(visit);
                body.expressions(visit);
            }
            StmtKind::For { init, cond, step, body } => {
                init.iter().for_each(|stmt| stmt.expressions(visit));
                cond.iter().chain(step).for_each(|expr| expr.walk(visit));
                body.expressions(visit);
            }
            StmtKind::Case(first, last) => {
                first.walk(visit);
                last.iter().for_each(|last| last.walk(visit));
            }
        }
    }

    /// Visits every declaration in it.
    pub fn declarations<'s>(&'s self, visit: &mut impl FnMut(&'s Decl)) {
        match &self.kind {
            StmtKind::Declare(decl) => visit(decl),
            StmtKind::Block(list) => list.iter().for_each(|stmt| stmt.declarations(visit)),
            StmtKind::If(_, yes, no) => {
                yes.declarations(visit);
                if let Some(no) = no {
                    no.declarations(visit);
                }
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => {
                body.declarations(visit);
            }
            StmtKind::For { init, body, .. } => {
                init.iter().for_each(|stmt| stmt.declarations(visit));
                body.declarations(visit);
            }
            _ => {}
        }
    }
}
