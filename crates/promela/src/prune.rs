//! The text of a slice: a program without its irrelevant statements.
//!
//! *Entry point:* [`prune`]. The caller decides which places of the source are relevant. An
//! irrelevant statement becomes `skip`; a sequence of `skip` is removed beside any other statement,
//! and an `if` without relevant statements is removed entirely. Variables without a remaining use
//! are removed last.
//! *Invariant:* loops, labels, jumps and the options of a choice remain.

use std::collections::BTreeSet;

use axle_source::{Place, Sources};

use crate::ast::{
    Block, Choice, ConstWord, Expr, ExprKind, Initializer, Item, Program, Step, Stmt, StmtKind, Unless,
    VarDecl,
};
use crate::loc::Loc;
use crate::print;

/// The parts of a program that remain.
#[derive(Clone, Copy)]
pub struct Keep<'a> {
    /// Where the places of the tree are.
    pub sources: &'a Sources,
    /// Whether a place holds a relevant statement.
    pub relevant: &'a dyn Fn(&Place) -> bool,
    /// The `ltl` block that the slice is for, if any: by name, or by its number among all of them,
    /// from 0 (`ltl_0`, as reports call it).
    pub property: Option<&'a str>,
}

/// The program without irrelevant statements.
pub fn prune(program: &Program, keep: &Keep) -> Program {
    let mut formulas = 0;
    let mut items: Vec<Item> = Vec::new();
    for item in &program.items {
        items.push(match item {
            Item::Proctype(proctype) => {
                let body = keep.block(&proctype.body);
                Item::Proctype(crate::ast::Proctype { body, ..proctype.clone() })
            }
            Item::Init(init) => {
                let body = keep.block(&init.body);
                Item::Init(crate::ast::Init { body, ..init.clone() })
            }
            Item::Ltl(ltl) => {
                let made_up = format!("ltl_{formulas}");
                formulas += 1;
                let name = ltl.name.as_ref().map_or(made_up.as_str(), |name| name.text.as_str());
                if Some(name) != keep.property {
                    continue;
                }
                item.clone()
            }
            // Calls are expanded; other properties belong to other slices.
            Item::Inline(_) | Item::Never(_) | Item::Trace(_) => continue,
            Item::Vars(_) | Item::Mtype(_) | Item::Typedef(_) | Item::Code(_) | Item::State(_) => {
                item.clone()
            }
        });
    }
    let mut program = Program { items, ..Program::default() };
    loop {
        let before = program.clone();
        without_unmentioned(&mut program);
        if program == before {
            return program;
        }
    }
}

impl Keep<'_> {
    fn has(&self, loc: Loc) -> bool {
        let loc: axle_source::Loc = loc.into();
        (self.relevant)(&self.sources.place(self.sources.outermost(loc)))
    }

    fn block(&self, block: &Block) -> Block {
        Block { steps: self.sequence(&block.steps, block.loc), ..block.clone() }
    }

    /// A sequence of statements; at least one.
    fn sequence(&self, steps: &[Step], loc: Loc) -> Vec<Step> {
        let mut kept: Vec<Step> = steps.iter().filter_map(|step| self.step(step)).collect();
        if kept.iter().all(|step| matches!(step, Step::Vars(_) | Step::Mtype(_) | Step::Exclusive(_))) {
            kept.push(Step::Stmt(skip(loc)));
        }
        kept
    }

    /// An option of a choice: its first statement decides whether it can be chosen.
    fn choice(&self, choice: &Choice) -> Choice {
        let mut steps = Vec::new();
        for step in &choice.steps {
            match (self.step(step), steps.is_empty()) {
                (Some(step), _) => steps.push(step),
                (None, true) => steps.push(Step::Stmt(skip(choice.loc))),
                (None, false) => {}
            }
        }
        if steps.is_empty() {
            steps.push(Step::Stmt(skip(choice.loc)));
        }
        // `skip -> break` is `break`; other statements may block and stay in place.
        if let [first, Step::Stmt(second), ..] = &steps[..]
            && is_skip(first)
            && matches!(second.kind, StmtKind::Break | StmtKind::Goto(_))
        {
            steps.remove(0);
        }
        Choice { steps, loc: choice.loc }
    }

    /// The options, each once.
    fn choices(&self, choices: &[Choice]) -> Vec<Choice> {
        let mut kept: Vec<Choice> = Vec::new();
        for choice in choices {
            let choice = self.choice(choice);
            if !kept.contains(&choice) {
                kept.push(choice);
            }
        }
        kept
    }

    /// A step; none if only `skip` remains of it.
    fn step(&self, step: &Step) -> Option<Step> {
        match step {
            Step::Vars(_) | Step::Mtype(_) | Step::Exclusive(_) => Some(step.clone()),
            Step::Stmt(stmt) => self.stmt(stmt).map(Step::Stmt),
            Step::Unless(unless) => {
                let (main, escape) = (self.stmt(&unless.main), self.stmt(&unless.escape));
                if main.is_none() && escape.is_none() {
                    return None;
                }
                let or_skip = |stmt: Option<Stmt>| stmt.unwrap_or_else(|| skip(unless.loc));
                let unless = Unless { main: or_skip(main), escape: or_skip(escape), loc: unless.loc };
                Some(Step::Unless(Box::new(unless)))
            }
        }
    }

    /// A statement; none if only `skip` remains of it.
    fn stmt(&self, stmt: &Stmt) -> Option<Stmt> {
        let with = |kind: StmtKind| Some(Stmt { kind, loc: stmt.loc });
        match &stmt.kind {
            StmtKind::Expr(_)
            | StmtKind::Assign(..)
            | StmtKind::Increment(_)
            | StmtKind::Decrement(_)
            | StmtKind::Send(_)
            | StmtKind::Receive(_)
            | StmtKind::Else
            | StmtKind::Assert(_)
            | StmtKind::Printf(..)
            | StmtKind::Printm(_)
            | StmtKind::SetPriority(..)
            | StmtKind::Code(_)
            | StmtKind::Error => self.has(stmt.loc).then(|| stmt.clone()),
            StmtKind::Break | StmtKind::Goto(_) | StmtKind::Label(_) => Some(stmt.clone()),
            StmtKind::If(choices) => {
                let choices = self.choices(choices);
                let empty = |choice: &Choice| choice.steps.iter().all(is_skip);
                if choices.iter().all(empty) { None } else { with(StmtKind::If(choices)) }
            }
            StmtKind::Do(choices) => with(StmtKind::Do(self.choices(choices))),
            StmtKind::Labelled(label, inner) => {
                let inner = self.stmt(inner).unwrap_or_else(|| skip(stmt.loc));
                with(StmtKind::Labelled(label.clone(), Box::new(inner)))
            }
            StmtKind::Block(block) => self.inner(block).and_then(|block| with(StmtKind::Block(block))),
            StmtKind::Atomic(block) => self.inner(block).and_then(|block| match self.has(stmt.loc) {
                true => with(StmtKind::Atomic(block)),
                // No statement in it depends on interruptions.
                false => with(StmtKind::Block(block)),
            }),
            StmtKind::DStep(block) => self.inner(block).and_then(|block| match self.has(stmt.loc) {
                true => with(StmtKind::DStep(block)),
                false => with(StmtKind::Block(block)),
            }),
            StmtKind::For(_) if !self.has(stmt.loc) => with(StmtKind::Do(some_rounds(stmt.loc))),
            StmtKind::For(repeated) => {
                let body = self.block(&repeated.body);
                with(StmtKind::For(Box::new(crate::ast::For { body, ..(**repeated).clone() })))
            }
            StmtKind::Select(_) if self.has(stmt.loc) => Some(stmt.clone()),
            StmtKind::Select(select) if select.literal => None,
            StmtKind::Select(_) => with(StmtKind::Do(some_rounds(stmt.loc))),
        }
    }

    /// A nested block; none if only `skip` remains of it.
    fn inner(&self, block: &Block) -> Option<Block> {
        let kept = self.block(block);
        let nothing = kept.steps.iter().all(|step| matches!(step, Step::Vars(_)) || is_skip(step));
        (!nothing).then_some(kept)
    }
}

/// `skip` with the place of a removed statement.
fn skip(loc: Loc) -> Stmt {
    Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Word(ConstWord::Skip), loc }), loc }
}

/// Whether a step is `skip`. Places are irrelevant to the comparison.
fn is_skip(step: &Step) -> bool {
    matches!(step, Step::Stmt(Stmt { kind: StmtKind::Expr(expr), .. })
        if expr.kind == ExprKind::Word(ConstWord::Skip))
}

/// The options of a loop with an arbitrary number of iterations.
fn some_rounds(loc: Loc) -> Vec<Choice> {
    let choice = |stmt: Stmt| Choice { steps: vec![Step::Stmt(stmt)], loc };
    vec![choice(skip(loc)), choice(Stmt { kind: StmtKind::Break, loc })]
}

/// Removes variables that occur in their own declaration only.
fn without_unmentioned(program: &mut Program) {
    let mut mentioned = BTreeSet::new();
    for item in &program.items {
        match item {
            Item::Vars(decl) => values(decl, &mut mentioned),
            Item::Mtype(_) | Item::Typedef(_) | Item::Inline(_) => {}
            Item::Proctype(_)
            | Item::Init(_)
            | Item::Never(_)
            | Item::Trace(_)
            | Item::Ltl(_)
            | Item::Code(_)
            | Item::State(_) => {
                let mut bare = item.clone();
                if let Item::Proctype(crate::ast::Proctype { body, .. })
                | Item::Init(crate::ast::Init { body, .. }) = &mut bare
                {
                    declarations(body, &mut |decl| {
                        values(decl, &mut mentioned);
                        decl.declarators.clear();
                    });
                }
                words(&print::print(&Program { items: vec![bare], ..Program::default() }), &mut mentioned);
            }
        }
    }
    let thin = |decl: &mut VarDecl| decl.declarators.retain(|one| mentioned.contains(&one.name.text));
    program.items.retain_mut(|item| match item {
        Item::Vars(decl) => {
            thin(decl);
            !decl.declarators.is_empty()
        }
        Item::Proctype(crate::ast::Proctype { body, .. }) | Item::Init(crate::ast::Init { body, .. }) => {
            declarations(body, &mut |decl| thin(decl));
            without_empty(body);
            true
        }
        Item::Mtype(_)
        | Item::Typedef(_)
        | Item::Never(_)
        | Item::Trace(_)
        | Item::Ltl(_)
        | Item::Inline(_)
        | Item::Code(_)
        | Item::State(_) => true,
    });
}

/// Notes the names in the sizes and first values of variables.
fn values(decl: &VarDecl, mentioned: &mut BTreeSet<String>) {
    for one in &decl.declarators {
        for expr in one.width.iter().chain(&one.array) {
            words(&print::print_expr(expr), mentioned);
        }
        match &one.init {
            Some(Initializer::Expr(expr)) => words(&print::print_expr(expr), mentioned),
            Some(Initializer::List(list, _)) => {
                list.iter().for_each(|expr| words(&print::print_expr(expr), mentioned));
            }
            Some(Initializer::Chan(chan)) => words(&print::print_expr(&chan.capacity), mentioned),
            None => {}
        }
    }
}

/// Notes the names in a text.
fn words(text: &str, mentioned: &mut BTreeSet<String>) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    mentioned.extend(text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(String::from));
}

/// Calls `see` on every declaration of variables in a block.
fn declarations(block: &mut Block, see: &mut impl FnMut(&mut VarDecl)) {
    in_steps(&mut block.steps, &mut |steps| {
        for step in steps {
            if let Step::Vars(decl) = step {
                see(decl);
            }
        }
    });
}

/// Removes declarations without variables.
fn without_empty(block: &mut Block) {
    in_steps(&mut block.steps, &mut |steps| {
        steps.retain(|step| !matches!(step, Step::Vars(decl) if decl.declarators.is_empty()));
    });
}

/// Calls `see` on every sequence of statements, inner ones first.
fn in_steps(steps: &mut Vec<Step>, see: &mut impl FnMut(&mut Vec<Step>)) {
    for step in steps.iter_mut() {
        match step {
            Step::Stmt(stmt) => in_stmt(stmt, see),
            Step::Unless(unless) => {
                in_stmt(&mut unless.main, see);
                in_stmt(&mut unless.escape, see);
            }
            Step::Vars(_) | Step::Mtype(_) | Step::Exclusive(_) => {}
        }
    }
    see(steps);
}

fn in_stmt(stmt: &mut Stmt, see: &mut impl FnMut(&mut Vec<Step>)) {
    match &mut stmt.kind {
        StmtKind::If(choices) | StmtKind::Do(choices) => {
            choices.iter_mut().for_each(|choice| in_steps(&mut choice.steps, see));
        }
        StmtKind::Labelled(_, inner) => in_stmt(inner, see),
        StmtKind::Block(block) | StmtKind::Atomic(block) | StmtKind::DStep(block) => {
            in_steps(&mut block.steps, see);
        }
        StmtKind::For(repeated) => in_steps(&mut repeated.body.steps, see),
        StmtKind::Expr(_)
        | StmtKind::Assign(..)
        | StmtKind::Increment(_)
        | StmtKind::Decrement(_)
        | StmtKind::Send(_)
        | StmtKind::Receive(_)
        | StmtKind::Else
        | StmtKind::Break
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Select(_)
        | StmtKind::Assert(_)
        | StmtKind::Printf(..)
        | StmtKind::Printm(_)
        | StmtKind::SetPriority(..)
        | StmtKind::Code(_)
        | StmtKind::Error => {}
    }
}
