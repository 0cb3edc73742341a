//! The syntax tree of a Promela model, as written: names are not looked up, types not checked.
//!
//! Macros are expanded before the parser runs and calls of `inline` while it runs, so neither
//! appears as a node; a [`Block`] that stands for a call says so in [`Block::inlined`]. Every node
//! has a [`Loc`]. Comparing two trees ignores their places: a `Loc` is equal to every other.

use rustc_hash::FxHashSet;

use crate::loc::Loc;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// As spelt.
    pub text: String,
    /// Where.
    pub loc: Loc,
}

/// A model: every declaration in textual order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Declarations of every kind.
    pub items: Vec<Item>,
    /// Names in declarations that could not be parsed: their kind is unknown.
    pub unparsed: FxHashSet<String>,
}

/// A declaration at the top level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// Variables and channels.
    Vars(VarDecl),
    /// `mtype = { A, B }`.
    Mtype(MtypeDecl),
    /// `typedef T { ... }`.
    Typedef(Typedef),
    /// `proctype P(...) { ... }` with all that may stand before and behind.
    Proctype(Proctype),
    /// `init { ... }`.
    Init(Init),
    /// `never { ... }`.
    Never(Never),
    /// `trace { ... }` or `notrace { ... }`.
    Trace(Trace),
    /// `ltl name { ... }`.
    Ltl(Ltl),
    /// `inline f(a, b) { ... }`; kept for reports, its calls are expanded already.
    Inline(Inline),
    /// `c_code { ... }` or `c_decl { ... }`.
    Code(CCode),
    /// `c_state "..." "..."` or `c_track "..." "..."`.
    State(CState),
}

/// `hidden byte a, b = 3, c[4];`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    /// The qualifiers of the variables.
    pub visibility: Visibility,
    /// The type of each.
    pub ty: TypeName,
    /// At least one.
    pub declarators: Vec<Declarator>,
    /// From the first word to the last.
    pub loc: Loc,
}

/// The qualifier before a type in a declaration of variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs, reason = "each name is the word of the language")]
pub enum Visibility {
    #[default]
    None,
    Hidden,
    Show,
    Local,
}

/// A type as named in a declaration, a parameter list or a channel's message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeName {
    /// Which.
    pub kind: TypeKind,
    /// Where.
    pub loc: Loc,
}

/// Which type.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each name is the word of the language")]
pub enum TypeKind {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Chan,
    /// `mtype`, or `mtype:sub`.
    Mtype(Option<Name>),
    /// The name of a `typedef`.
    Named(Name),
    /// A name that is no type, which has been reported.
    Refused,
}

/// One variable of a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declarator {
    /// Its name.
    pub name: Name,
    /// `x : 5`, the width in bits (of `unsigned`).
    pub width: Option<Expr>,
    /// `x[5]`, the number of elements.
    pub array: Option<Expr>,
    /// The initialiser after `=`.
    pub init: Option<Initializer>,
    /// From the name to the end of the initial value.
    pub loc: Loc,
}

/// The initial value of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Initializer {
    /// `= e`; of an array, of each element.
    Expr(Expr),
    /// `= { 1, 2, 3 }`.
    List(Vec<Expr>, Loc),
    /// `= [2] of { mtype, byte }`.
    Chan(ChanInit),
}

/// `[2] of { mtype, byte }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChanInit {
    /// How many messages it holds.
    pub capacity: Expr,
    /// The types of a message's fields.
    pub fields: Vec<TypeName>,
    /// From bracket to brace.
    pub loc: Loc,
}

/// `mtype:sub = { A, B }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MtypeDecl {
    /// The name behind the colon.
    pub subtype: Option<Name>,
    /// In textual order (Spin numbers them from the last).
    pub names: Vec<Name>,
    /// A visibility before `mtype`, which Spin ignores with a message.
    pub visibility: Visibility,
    /// From `mtype` to the brace.
    pub loc: Loc,
}

/// `typedef T { byte a; T2 b }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<VarDecl>,
    /// From `typedef` to the brace.
    pub loc: Loc,
}

/// `active [n] proctype P(byte a; chan c) priority 2 provided (e) { ... }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proctype {
    /// Where it starts by itself.
    pub active: Option<Active>,
    /// `D_proctype`.
    pub deterministic: bool,
    /// Its name.
    pub name: Name,
    /// In textual order.
    pub params: Vec<VarDecl>,
    /// The number behind `priority`.
    pub priority: Option<Expr>,
    /// The condition behind `provided`.
    pub provided: Option<Expr>,
    /// Its statements.
    pub body: Block,
    /// From the first word to the closing brace.
    pub loc: Loc,
}

/// `active` or `active [n]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Active {
    /// How many; 1 where nothing is said. A constant, or the name of a variable with a constant
    /// initial value.
    pub count: Option<Expr>,
    /// From `active` to the bracket.
    pub loc: Loc,
}

/// `init priority 2 { ... }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Init {
    /// The number behind `priority`.
    pub priority: Option<Expr>,
    /// The condition behind `provided` (which Spin does not know here).
    pub provided: Option<Expr>,
    /// Its statements.
    pub body: Block,
    /// From `init` to the closing brace.
    pub loc: Loc,
}

/// `never name { ... }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Never {
    /// Optional.
    pub name: Option<Name>,
    /// Its statements.
    pub body: Block,
    /// From `never` to the closing brace.
    pub loc: Loc,
}

/// `trace { ... }` or `notrace { ... }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// `notrace`.
    pub negated: bool,
    /// Its statements.
    pub body: Block,
    /// From the word to the closing brace.
    pub loc: Loc,
}

/// `ltl name { formula }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ltl {
    /// Optional.
    pub name: Option<Name>,
    /// The formula, positive as written.
    pub formula: Formula,
    /// From `ltl` to the closing brace.
    pub loc: Loc,
}

/// `inline f(a, b) { ... }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inline {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Name>,
    /// The text between the braces, on one line.
    pub text: String,
    /// How often it is called.
    pub calls: u32,
    /// From `inline` to the closing brace.
    pub loc: Loc,
}

/// `c_code [pre] { text }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CCode {
    /// `c_decl`.
    pub decl: bool,
    /// The condition in brackets.
    pub precondition: Option<String>,
    /// The C text.
    pub text: String,
    /// From the word to the closing brace.
    pub loc: Loc,
}

/// `c_state "int x" "Global" "3"` or `c_track "&x" "sizeof(int)" "Matched"`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CState {
    /// `c_track`.
    pub track: bool,
    /// The first string, without its quotes.
    pub object: String,
    /// The second.
    pub scope: String,
    /// The third.
    pub extra: Option<String>,
    /// From the word to the last string.
    pub loc: Loc,
}

/// Statements between braces; a scope of its own. Equal to every other with the same statements.
#[derive(Clone, Debug)]
pub struct Block {
    /// In order; at least one, unless an error was reported.
    pub steps: Vec<Step>,
    /// The call of an `inline` that this block replaces.
    pub inlined: Option<Inlined>,
    /// From brace to brace; of an inlined block, in the definition.
    pub loc: Loc,
}

impl PartialEq for Block {
    fn eq(&self, other: &Block) -> bool {
        self.steps == other.steps
    }
}

impl Eq for Block {}

/// The call that a block replaces.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The called name.
    pub name: String,
    /// The call, from the name (or the variable that takes the result) to the bracket.
    pub call: Loc,
}

/// One element of a statement sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Variables; where a statement stands before, this is a statement too.
    Vars(VarDecl),
    /// `mtype = {...}` where it must not be (Spin: must be global).
    Mtype(MtypeDecl),
    /// `xr c, d` or `xs c, d`.
    Exclusive(Exclusive),
    /// A statement.
    Stmt(Stmt),
    /// `stmt unless stmt`.
    Unless(Box<Unless>),
}

/// `xr c, d` or `xs c, d`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exclusive {
    /// `xs`: the process promises to be the only one that sends; otherwise, that receives.
    pub send: bool,
    /// The channels.
    pub channels: Vec<VarRef>,
    /// From the word to the last channel.
    pub loc: Loc,
}

/// `main unless escape`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unless {
    /// The guarded statements.
    pub main: Stmt,
    /// The escape.
    pub escape: Stmt,
    /// Both.
    pub loc: Loc,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// From its first to its last token.
    pub loc: Loc,
}

/// The statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// An expression; executable where it is not 0.
    Expr(Expr),
    /// `x = e`; also `return e` of an inline, once the target of the result is known.
    Assign(VarRef, Expr),
    /// `x++`.
    Increment(VarRef),
    /// `x--`.
    Decrement(VarRef),
    /// `c!a,b` and `c!!a,b`.
    Send(Send),
    /// `c?a,b`, `c??a,b`, `c?<a,b>`, `c??<a,b>`.
    Receive(Receive),
    /// `if ... fi`.
    If(Vec<Choice>),
    /// `do ... od`.
    Do(Vec<Choice>),
    /// `else`, most often first in an option.
    Else,
    /// `break`.
    Break,
    /// `goto L`.
    Goto(Name),
    /// `L: statement`.
    Labelled(Name, Box<Stmt>),
    /// `L:` with no statement behind; it stands for `L: skip`.
    Label(Name),
    /// `{ ... }`, or a call of an `inline`.
    Block(Block),
    /// `atomic { ... }`.
    Atomic(Block),
    /// `d_step { ... }`.
    DStep(Block),
    /// `for (...) { ... }`.
    For(Box<For>),
    /// `select (v : a .. b)`.
    Select(Box<Select>),
    /// `assert(e)`.
    Assert(Expr),
    /// `printf("..", a, b)`.
    Printf(StringLit, Vec<Expr>),
    /// `printm(m)`.
    Printm(Expr),
    /// `set_priority(p, n)`.
    SetPriority(Expr, Expr),
    /// `c_code { ... }` (or `c_decl`, which Spin takes here too).
    Code(CCode),
    /// Something that could not be read; an error was reported.
    Error,
}

/// One option of `if` or `do`: the sequence after `::`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// At least one, unless an error was reported. No scope of its own.
    pub steps: Vec<Step>,
    /// From `::` to the last token.
    pub loc: Loc,
}

/// `c!a,b`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Send {
    /// Where to.
    pub chan: VarRef,
    /// `!!`: in order of value.
    pub sorted: bool,
    /// The fields; `c!m(a,b)` is `c!m,a,b`.
    pub args: Vec<Expr>,
}

/// `c?a,b`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receive {
    /// Where from.
    pub chan: VarRef,
    /// `??`: any message, not only the first.
    pub random: bool,
    /// `c?<..>`: the message stays.
    pub copy: bool,
    /// One for each field; `c?m(a,b)` is `c?m,a,b`.
    pub args: Vec<RecvArg>,
}

/// The argument of one field in a receive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecvArg {
    /// Which form.
    pub kind: RecvArgKind,
    /// Where.
    pub loc: Loc,
}

/// The forms of a receive argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecvArgKind {
    /// `_`: anything.
    Any,
    /// A variable to store into, or the name of an `mtype` value to match: not yet distinguished.
    Var(VarRef),
    /// A number, a character, `true`, `false` or `skip` with an optional minus: only this value.
    Const(i64),
    /// `eval(e)`: only this value.
    Eval(Expr),
}

/// `for (i : a .. b) { ... }` and `for (i in a) { ... }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct For {
    /// The loop variable.
    pub var: VarRef,
    /// The range.
    pub range: ForRange,
    /// The body.
    pub body: Block,
}

/// The range of a `for`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForRange {
    /// `: a .. b`, both included.
    Values(Expr, Expr),
    /// `in a`: the indices of an array, or the messages of a channel.
    In(VarRef),
}

/// `select (v : a .. b)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Select {
    /// The variable that is assigned.
    pub var: VarRef,
    /// The least.
    pub from: Expr,
    /// The largest.
    pub to: Expr,
    /// Written so that Spin replaces it by text: a plain name (letters and digits only) and two
    /// plain decimal numbers on one line, not in the body of an `inline`. Then, where `to - from <=
    /// 32`, it is `if :: v = from ... :: v = to fi`; in every other case `v = from; do :: v < to ->
    /// v++ :: break od`.
    pub literal: bool,
}

/// A string between double quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLit {
    /// With its escapes as written, without the quotes.
    pub text: String,
    /// Where.
    pub loc: Loc,
}

/// A variable, a field or an element: `a[i].b.c[2]`. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarRef {
    /// Outermost first.
    pub parts: Vec<VarPart>,
    /// From first to last.
    pub loc: Loc,
}

/// One part of a [`VarRef`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarPart {
    /// The name.
    pub name: Name,
    /// The index in brackets.
    pub index: Option<Expr>,
}

impl VarRef {
    /// The name where this is nothing but a name.
    pub fn plain(&self) -> Option<&Name> {
        match self.parts.as_slice() {
            [VarPart { name, index: None }] => Some(name),
            _ => None,
        }
    }

    /// The name of the variable itself.
    pub fn base(&self) -> &Name {
        &self.parts[0].name
    }
}

/// An expression. Brackets are not kept, [`Loc`] includes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// From its first to its last token, brackets included.
    pub loc: Loc,
}

/// The expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A number: decimal, hexadecimal or octal. Larger than `i64` is reported and cut.
    Number(i64),
    /// A character between single quotes.
    Char(u8),
    /// `true`, `false`, `skip`.
    Word(ConstWord),
    /// A variable, the name of an `mtype` value, or a predefined one (`_pid`, `_nr_pr`, `_last`,
    /// ...).
    Var(VarRef),
    /// A unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(a, b) priority 3`.
    Run(Box<Run>),
    /// `len(c)`, `full(c)`, ...
    Query(QueryKind, VarRef),
    /// `c?[a,b]` and `c??[a,b]`; `copy` is not set.
    Poll(Box<Receive>),
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `enabled(e)`.
    Enabled(Box<Expr>),
    /// `pc_value(e)`.
    PcValue(Box<Expr>),
    /// `get_priority(e)`.
    GetPriority(Box<Expr>),
    /// `P[e]@L` or `P@L`.
    RemoteLabel {
        /// The process type.
        proc: Name,
        /// Which process.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Name,
    },
    /// `P[e]:v` or `P:v`.
    RemoteVar {
        /// The process type.
        proc: Name,
        /// Which process.
        pid: Option<Box<Expr>>,
        /// The variable, with an index at most.
        var: VarRef,
    },
    /// `c_expr [pre] { text }`.
    Code(Box<CCode>),
    /// Something that could not be read; an error was reported.
    Error,
}

/// A word for a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each name is the word of the language")]
pub enum ConstWord {
    True,
    False,
    Skip,
}

/// `run P(a, b) priority 3`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The process type.
    pub proc: Name,
    /// The values of its parameters.
    pub args: Vec<Expr>,
    /// The number behind `priority`.
    pub priority: Option<Box<Expr>>,
}

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each name is the operator's own")]
pub enum UnaryOp {
    Neg,
    BitNot,
    Not,
}

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each name is the operator's own")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

/// A question about a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each name is the word of the language")]
pub enum QueryKind {
    Len,
    Full,
    Empty,
    NFull,
    NEmpty,
}

/// A temporal formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// Which.
    pub kind: FormulaKind,
    /// From its first to its last token, brackets included.
    pub loc: Loc,
}

/// The temporal formulas. A formula without temporal operators is a single atom, `!`, `&&` and `||`
/// included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormulaKind {
    /// An expression over the state.
    Atom(Expr),
    /// `!f`
    Not(Box<Formula>),
    /// `[] f`
    Always(Box<Formula>),
    /// `<> f`
    Eventually(Box<Formula>),
    /// `X f`
    Next(Box<Formula>),
    /// Two operands.
    Binary(TemporalOp, Box<Formula>, Box<Formula>),
}

/// An operator between two formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TemporalOp {
    /// `&&`, `/\`
    And,
    /// `||`, `\/`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `V`
    Release,
}
