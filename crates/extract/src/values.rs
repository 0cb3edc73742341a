//! Abstraction of an object by classes of its values: a homomorphic value map, computed by trying
//! every value of the declared domain.
//!
//! *Entry points:* [`statement`], [`condition`], [`initial`].
//! *Source:* Clarke, Grumberg and Long, "Model Checking and Abstraction", TOPLAS 1994; Holzmann,
//! *Software Model Checking*, section 6, table 1.
//! *Invariant:* every class that a statement can lead to from a value of the domain is among its
//! successors. A statement is enabled in every state, even where the object has none of the
//! classes.

use crate::canonical;
use crate::evaluate::value_of;
use crate::item::names_of;
use crate::node::{Arm, Node};
use crate::syntax::{Expr, Kind};
use crate::table::{Outside, ValueMap};

/// The value of an expression over numbers and one name. None: it contains anything else, or is
/// undefined in C.
fn value(expr: &Expr, name: &str, is: i64) -> Option<i64> {
    value_of(expr, &|one| Some(is).filter(|_| one == name))
}

fn one<'m>(maps: &[&'m ValueMap]) -> Result<&'m ValueMap, Refusal> {
    match maps {
        [map] => Ok(map),
        _ => Err("it uses several objects of which only the class is known".to_string().into()),
    }
}

/// Why a statement cannot be kept.
pub(crate) struct Refusal {
    /// The reason.
    pub why: String,
    /// A result lies outside the domain, and the table says that this is an error.
    pub outside: bool,
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal { why, outside: false }
    }
}

/// A statement on the classes of an object.
pub(crate) struct Mapped {
    /// The statement in the model.
    pub nodes: Vec<Node>,
    /// Some result may lie outside the domain.
    pub leaves: bool,
}

/// A statement that changes the object. `of`: the statement that it replaces.
pub(crate) fn statement(expr: &Expr, maps: &[&ValueMap], of: usize, note: &str) -> Result<Mapped, Refusal> {
    let map = one(maps)?;
    let name = &*map.name;
    let is_it = |expr: &Expr| matches!(&expr.kind, Kind::Name(one) if **one == *name);
    // The result, for a value before.
    let next: Box<dyn Fn(i64) -> Option<i64>> = match &expr.kind {
        Kind::Assign("=", target, to) if is_it(target) => Box::new(move |is| value(to, name, is)),
        Kind::Assign(op, target, by) if is_it(target) => {
            let op = BINARY.iter().find(|one| **one == op.trim_end_matches('=')).copied().unwrap_or("?");
            let whole =
                Expr { kind: Kind::Binary(op, target.clone(), by.clone()), loc: expr.loc, depth: expr.depth };
            Box::new(move |is| value(&whole, name, is))
        }
        Kind::Prefix(op @ ("++" | "--"), target) | Kind::Postfix(target, op) if is_it(target) => {
            let by = if *op == "++" { 1 } else { -1 };
            Box::new(move |is| is.checked_add(by))
        }
        _ => {
            let text = canonical::text(expr);
            return Err(
                format!("`{text}` needs the value of `{name}`, of which only the class is known").into()
            );
        }
    };
    let mut leaves = false;
    let mut successors = Vec::new();
    for (index, (from, to, _)) in map.classes.iter().enumerate() {
        let mut seen = vec![false; map.classes.len()];
        for is in *from..=*to {
            let Some(result) = next(is) else {
                // The result depends on other objects.
                leaves = true;
                seen.fill(true);
                break;
            };
            match (class_of(map, result), map.outside) {
                (Some(class), _) => seen[class] = true,
                (None, Outside::Skip) => seen[index] = true,
                (None, Outside::Nondet) => seen.fill(true),
                (None, Outside::Error) => {
                    let (text, (low, high)) = (canonical::text(expr), map.domain);
                    let why = format!(
                        "for `{name}` = {is}, `{text}` gives {result}, outside the domain {low}..{high} of its `Map`"
                    );
                    return Err(Refusal { why, outside: true });
                }
            }
            leaves |= class_of(map, result).is_none();
        }
        successors.push((0..seen.len()).filter(|class| seen[*class]).collect::<Vec<_>>());
    }
    Ok(Mapped { nodes: nodes(map, &successors, of, note), leaves })
}

/// The successors of each class as statements: one assignment where the class does not matter,
/// otherwise a choice. Every object without a class takes the way of the classes whose successors
/// are all classes.
fn nodes(map: &ValueMap, successors: &[Vec<usize>], of: usize, note: &str) -> Vec<Node> {
    let model = &map.model;
    let put = |class: usize| format!("{model} = {}", map.classes[class].2);
    let any = |classes: &[usize], note: &str| match classes {
        [class] => Node::Step(put(*class), Some(of), note.into()),
        _ => Node::If(
            classes
                .iter()
                .map(|class| Arm { guard: Some((put(*class), Some(of), String::new())), body: Vec::new() })
                .collect(),
        ),
    };
    let aside = |node: Node| match node {
        Node::Step(..) => vec![node],
        _ => vec![Node::Note(note.into()), node],
    };
    if successors.windows(2).all(|pair| pair[0] == pair[1]) {
        return successors.first().map(|classes| aside(any(classes, note))).unwrap_or_default();
    }
    let all: Vec<usize> = (0..map.classes.len()).collect();
    let mut arms = Vec::new();
    for (class, next) in successors.iter().enumerate().filter(|(_, next)| **next != all) {
        let guard = Some((format!("({model} == {})", map.classes[class].2), Some(of), String::new()));
        let body = if *next == [class] { Vec::new() } else { vec![any(next, "")] };
        arms.push(Arm { guard, body });
    }
    if arms.len() < all.len() || !map.is_boolean() {
        arms.push(Arm { guard: Some(("else".into(), Some(of), String::new())), body: vec![any(&all, "")] });
    }
    aside(Node::If(arms))
}

const BINARY: &[&str] = &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];

fn class_of(map: &ValueMap, value: i64) -> Option<usize> {
    map.classes.iter().position(|(from, to, _)| (*from..=*to).contains(&value))
}

/// The class of an initial value; none where it is not a constant of the domain.
pub(crate) fn initial<'m>(expr: &Expr, map: &'m ValueMap) -> Option<&'m str> {
    let mut names = Vec::new();
    names_of(expr, &mut names);
    let constant = value(expr, &map.name, 0).filter(|_| names.is_empty())?;
    class_of(map, constant).map(|class| &*map.classes[class].2)
}

/// The guard of a condition on the object, or of its negation: the classes in which it can hold.
pub(crate) fn condition(expr: &Expr, denied: bool, maps: &[&ValueMap]) -> Result<String, Refusal> {
    let map = one(maps)?;
    let mut holds = Vec::new();
    for (from, to, _) in &map.classes {
        // A condition on other objects too may hold or not.
        holds.push(
            (*from..=*to).any(|is| value(expr, &map.name, is).is_none_or(|value| (value != 0) != denied)),
        );
    }
    if !holds.contains(&false) {
        return Ok("true".into());
    }
    if !holds.contains(&true) {
        return Ok("false".into());
    }
    // An object without a class, such as one that is not set yet, may have any value.
    let (wanted, op, join) = if map.is_boolean() { (true, "==", " || ") } else { (false, "!=", " && ") };
    let terms = map.classes.iter().zip(&holds).filter(|(_, holds)| **holds == wanted);
    let terms: Vec<String> = terms.map(|((_, _, class), _)| format!("{} {op} {class}", map.model)).collect();
    Ok(format!("({})", terms.join(join)))
}
