//! Control flow: blocks, choices, loops, `switch`, jumps.
//!
//! *Entry point:* [`Generator::list`].

use axle_source::{Diagnostic, Loc};

use super::step::Guard;
use super::{Around, Generator};
use crate::item::{Item, breaks, constant, continues, falls_through, ways};
use crate::node::{Arm, Node, act};
use crate::syntax::{Expr, Stmt, StmtKind};

impl Generator<'_> {
    /// Statements in order. `tail`: nothing but the end of the function follows.
    pub(super) fn list(&mut self, list: &[Stmt], tail: bool) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (index, stmt) in list.iter().enumerate() {
            let last = list[index + 1..].iter().all(|stmt| matches!(stmt.kind, StmtKind::Empty));
            nodes.extend(self.stmt(stmt, tail && last));
        }
        nodes
    }

    fn block(&mut self, list: &[Stmt], tail: bool) -> Vec<Node> {
        self.open.push(Vec::new());
        let nodes = self.list(list, tail);
        self.open.pop();
        nodes
    }

    fn within(&mut self, stmt: &Stmt, tail: bool) -> Vec<Node> {
        self.block(std::slice::from_ref(stmt), tail)
    }

    fn stmt(&mut self, stmt: &Stmt, tail: bool) -> Vec<Node> {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Case(..) | StmtKind::Default | StmtKind::Asm(_) => Vec::new(),
            StmtKind::Expr(expr) => self.expression(expr),
            StmtKind::Declare(decl) => {
                let item = Item::declaration(decl);
                self.step(&item, stmt.loc)
            }
            StmtKind::Block(list) => self.block(list, tail),
            StmtKind::If(cond, yes, no) => self.choice(cond, yes, no.as_deref(), tail),
            StmtKind::While(cond, body) => self.while_loop(Some(cond), body, None, stmt.loc),
            StmtKind::DoWhile(body, cond) => self.do_while(body, cond, stmt.loc),
            StmtKind::For { init, cond, step, body } => {
                self.open.push(Vec::new());
                let mut nodes = self.list(init, false);
                nodes.extend(self.while_loop(cond.as_ref(), body, step.as_ref(), stmt.loc));
                self.open.pop();
                nodes
            }
            StmtKind::Switch(value, body) => self.switch(value, body, stmt.loc),
            StmtKind::Label(name) => {
                // A label may be jumped to from the model's own text too.
                let label = self.context.names.label(name);
                self.begun = true;
                vec![Node::Label(self.want(&label))]
            }
            StmtKind::Goto(name) => vec![self.goto(name)],
            StmtKind::Break => match self.around.last().map(|around| around.break_to.clone()) {
                Some(Some(label)) => vec![Node::Goto(self.want(&label))],
                Some(None) => vec![Node::Break],
                None => self.astray("break", stmt.loc),
            },
            StmtKind::Continue => {
                let label = self.around.iter().rev().find_map(|around| around.continue_to.clone());
                match label {
                    Some(label) => vec![Node::Goto(self.want(&label))],
                    None => self.astray("continue", stmt.loc),
                }
            }
            StmtKind::Return(value) => self.returned(value.as_ref(), stmt.loc, tail),
        }
    }

    fn astray(&mut self, word: &str, loc: Loc) -> Vec<Node> {
        let message = format!("there is no loop around this `{word}`");
        self.diagnostics.push(Diagnostic::error("E0803", message).at(loc, ""));
        Vec::new()
    }

    /// Both polarities of a condition.
    fn guards(&mut self, cond: &Expr) -> [Option<Guard>; 2] {
        let (yes, no) = (Item::condition(cond, false), Item::condition(cond, true));
        let guards = [self.guard(&yes, Some(&no)), self.guard(&no, Some(&yes))];
        if let [Some(a), Some(b)] = &guards
            && a.otherwise
            && b.otherwise
        {
            let found = self.found(&no);
            self.refuse("E0816", "both sides of a condition cannot be `else`".into(), &found, cond.loc, "");
        }
        guards
    }

    /// A choice between ways.
    fn combine(&mut self, ways: Vec<(Guard, Vec<Node>)>, loc: Loc) -> Vec<Node> {
        let mut ways = ways;
        self.begun = true;
        if ways.is_empty() {
            let fault =
                Diagnostic::warning("W0821", "the table closes every way on from here: the process stops");
            self.diagnostics.push(fault.at(loc, ""));
            return vec![Node::Step("false".into(), None, String::new())];
        }
        if ways.len() == 1 {
            let Some((guard, body)) = ways.pop() else { return Vec::new() };
            return inline(guard, body);
        }
        let idle =
            !ways.iter().any(|(_, body)| act(body) || body.iter().any(|n| matches!(n, Node::Label(_))));
        let says_nothing = ways.iter().all(|(guard, _)| guard.always)
            || ways.iter().all(|(guard, _)| guard.kept) && ways.len() == 2;
        if idle && says_nothing {
            // Which way the program takes is not known.
            let perhaps = |node| match node {
                Node::Hidden(of, _) => Node::Hidden(of, false),
                other => other,
            };
            let asides = ways.into_iter().flat_map(|(guard, body)| {
                let evaluated = Node::Hidden(guard.of, false);
                let body = std::iter::once(evaluated).chain(body.into_iter().map(perhaps));
                guard.aside.map(Node::Note).into_iter().chain(body).collect::<Vec<_>>()
            });
            return asides.collect();
        }
        vec![Node::If(ways.into_iter().map(|(guard, body)| arm(guard, body)).collect())]
    }

    fn choice(&mut self, cond: &Expr, yes: &Stmt, no: Option<&Stmt>, tail: bool) -> Vec<Node> {
        match (constant(cond), no) {
            (Some(true), _) => return self.within(yes, tail),
            (Some(false), Some(no)) => return self.within(no, tail),
            (Some(false), None) => return Vec::new(),
            (None, _) => {}
        }
        let [holds, fails] = self.guards(cond);
        let mut ways = Vec::new();
        self.begun = true;
        if let Some(guard) = holds {
            let body = self.within(yes, tail);
            ways.push((guard, body));
        }
        if let Some(guard) = fails {
            let body = no.map(|no| self.within(no, tail)).unwrap_or_default();
            ways.push((guard, body));
        }
        self.combine(ways, cond.loc)
    }

    /// `while` and `for`.
    fn while_loop(&mut self, cond: Option<&Expr>, body: &Stmt, step: Option<&Expr>, loc: Loc) -> Vec<Node> {
        let fixed = cond.map_or(Some(true), constant);
        if fixed == Some(false) {
            return Vec::new();
        }
        let [enter, leave] = match cond {
            Some(cond) if fixed.is_none() => self.guards(cond),
            _ => [None, None],
        };
        self.begun = true;
        let (start, next) = (self.fresh("loop"), self.fresh("next"));
        let to = if step.is_some() { next.clone() } else { start.clone() };
        let mut round = Vec::new();
        if fixed == Some(true) || enter.is_some() {
            self.around.push(Around { break_to: None, continue_to: Some(to) });
            round = self.within(body, false);
            self.around.pop();
            if let Some(step) = step {
                if continues(body) {
                    round.push(Node::Label(next));
                }
                round.extend(self.expression(step));
            }
        }
        let mut arms = Vec::new();
        match (fixed, enter, leave) {
            (Some(_), ..) => arms.push(Arm { guard: None, body: round }),
            (None, Some(enter), None) if enter.always || enter.otherwise => {
                let asides = enter.aside.map(Node::Note).into_iter().chain([Node::Hidden(enter.of, true)]);
                arms.push(Arm { guard: None, body: asides.chain(round).collect() });
            }
            (None, Some(enter), None) => arms.push(arm(enter, round)),
            (None, None, Some(leave)) => return inline(leave, Vec::new()),
            (None, Some(enter), Some(leave)) => {
                arms.push(arm(enter, round));
                arms.push(arm(leave, vec![Node::Break]));
            }
            (None, None, None) => return self.combine(Vec::new(), loc),
        }
        let mut nodes = vec![Node::Do(arms)];
        if self.wanted.contains(&start) {
            nodes.insert(0, Node::Label(start));
        }
        nodes
    }

    fn do_while(&mut self, body: &Stmt, cond: &Expr, loc: Loc) -> Vec<Node> {
        let jumps = breaks(body) || continues(body);
        self.begun = true;
        if constant(cond) == Some(false) && !jumps {
            return self.within(body, false);
        }
        let next = self.fresh("next");
        self.around.push(Around { break_to: None, continue_to: Some(next.clone()) });
        let mut round = self.within(body, false);
        self.around.pop();
        if self.wanted.contains(&next) {
            round.push(Node::Label(next));
        }
        match constant(cond) {
            Some(true) => {}
            Some(false) => round.push(Node::Break),
            None => {
                let [again, leave] = self.guards(cond);
                let mut ways = Vec::new();
                ways.extend(again.map(|guard| (guard, Vec::new())));
                ways.extend(leave.map(|guard| (guard, vec![Node::Break])));
                round.extend(self.combine(ways, loc));
            }
        }
        vec![Node::Do(vec![Arm { guard: None, body: round }])]
    }

    fn switch(&mut self, value: &Expr, body: &Stmt, loc: Loc) -> Vec<Node> {
        let Some(ways) = ways(value, body, loc, self.diagnostics) else { return Vec::new() };
        self.begun = true;
        let end = self.fresh("after_switch");
        let starts: Vec<String> = ways.iter().map(|_| self.fresh("case")).collect();
        let mut made = Vec::new();
        for (index, way) in ways.iter().enumerate() {
            let guard = match &way.guard {
                Some(item) => match self.guard(item, None) {
                    Some(guard) => Some(guard),
                    // Closed, but the way before may fall into it.
                    None => {
                        let falls = index > 0 && falls_through(ways[index - 1].body);
                        if !falls || ways[index - 1].body.is_empty() {
                            continue;
                        }
                        let message = "the way before goes on into this case, which the table closes";
                        let fault = Diagnostic::error("E0816", message).at(item.loc, "");
                        self.diagnostics
                            .push(fault.help("map the condition to something that no state makes true"));
                        continue;
                    }
                },
                None => None,
            };
            self.around.push(Around { break_to: Some(end.clone()), continue_to: None });
            self.open.push(Vec::new());
            let list = match way.body.split_last() {
                Some((last, rest)) if matches!(last.kind, StmtKind::Break) => rest,
                _ => way.body,
            };
            let mut nodes = vec![Node::Label(starts[index].clone())];
            nodes.extend(self.list(list, false));
            self.open.pop();
            self.around.pop();
            if falls_through(way.body) && index + 1 < ways.len() && !way.body.is_empty() {
                // The last case is followed by the end of the `switch`.
                let next = starts[index + 1].clone();
                nodes.push(Node::Goto(self.want(&next)));
            }
            made.push((guard, nodes));
        }
        // The predecessors that fall into a case are known only now.
        for (_, nodes) in &mut made {
            nodes.retain(|node| {
                !matches!(node, Node::Label(name) if starts.contains(name) && !self.wanted.contains(name))
            });
        }
        let mut nodes = match made.first() {
            Some((None, _)) => made.into_iter().flat_map(|(_, nodes)| nodes).collect(),
            _ => {
                let guarded = made.into_iter().filter_map(|(guard, nodes)| Some((guard?, nodes))).collect();
                self.combine(guarded, loc)
            }
        };
        if self.wanted.contains(&end) {
            nodes.push(Node::Label(end));
        }
        nodes
    }
}

fn arm(guard: Guard, body: Vec<Node>) -> Arm {
    let asides = guard.aside.map(Node::Note).into_iter();
    Arm { guard: Some((guard.text, Some(guard.of), guard.note)), body: asides.chain(body).collect() }
}

/// The only way there is: no choice.
fn inline(guard: Guard, body: Vec<Node>) -> Vec<Node> {
    let mut nodes: Vec<Node> = guard.aside.map(Node::Note).into_iter().collect();
    nodes.push(match guard.always || guard.otherwise {
        true => Node::Hidden(guard.of, true),
        false => Node::Step(guard.text, Some(guard.of), guard.note),
    });
    nodes.extend(body);
    nodes
}
