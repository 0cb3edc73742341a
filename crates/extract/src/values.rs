//! Objects of which the model keeps only the class of their value: homomorphic value maps, computed by trying every value
//! of the declared domain (Clarke, Grumberg and Long, TOPLAS 1994; Holzmann, *Software Model Checking*, section 6, table 1).
//! Main functions: [`statement`], [`condition`]. Kept: the classes that a statement can lead to are all there, so nothing
//! that the program does is lost.

use crate::canonical;
use crate::item::names_of;
use crate::keep::as_value;
use crate::syntax::{Expr, Kind};
use crate::table::ValueMap;

/// The value of an expression over numbers and one name. None: it is not made of these, or C does not define it.
fn value(expr: &Expr, name: &str, is: i64) -> Option<i64> {
    let of = |expr: &Expr| value(expr, name, is);
    match &expr.kind {
        Kind::Name(one) if **one == *name => Some(is),
        Kind::Literal(_) => as_value(expr).ok()?.parse().ok(),
        Kind::Prefix("-", e) => of(e)?.checked_neg(),
        Kind::Prefix("+", e) => of(e),
        Kind::Prefix("!", e) => Some(i64::from(of(e)? == 0)),
        Kind::Prefix("~", e) => Some(!of(e)?),
        Kind::Binary("&&", a, b) => Some(i64::from(of(a)? != 0 && of(b)? != 0)),
        Kind::Binary("||", a, b) => Some(i64::from(of(a)? != 0 || of(b)? != 0)),
        Kind::Binary(op, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            match *op {
                "+" => a.checked_add(b),
                "-" => a.checked_sub(b),
                "*" => a.checked_mul(b),
                "/" => a.checked_div(b),
                "%" => a.checked_rem(b),
                "&" => Some(a & b),
                "|" => Some(a | b),
                "^" => Some(a ^ b),
                "<<" => u32::try_from(b).ok().filter(|&b| b < 31).map(|b| a << b),
                ">>" => u32::try_from(b).ok().filter(|&b| b < 31).map(|b| a >> b),
                "<" => Some(i64::from(a < b)),
                ">" => Some(i64::from(a > b)),
                "<=" => Some(i64::from(a <= b)),
                ">=" => Some(i64::from(a >= b)),
                "==" => Some(i64::from(a == b)),
                "!=" => Some(i64::from(a != b)),
                _ => None,
            }
        }
        Kind::Cond(c, Some(a), b) => of(if of(c)? != 0 { a } else { b }),
        _ => None,
    }
}

fn one<'m>(maps: &[&'m ValueMap]) -> Result<&'m ValueMap, String> {
    match maps {
        [map] => Ok(map),
        _ => Err("several objects with classes of values meet here".into()),
    }
}

/// The ways of a statement that changes the object: guard and assignment.
pub(crate) fn statement(expr: &Expr, maps: &[&ValueMap]) -> Result<Vec<(String, String)>, String> {
    let map = one(maps)?;
    let name = &*map.name;
    let is_it = |expr: &Expr| matches!(&expr.kind, Kind::Name(one) if **one == *name);
    // What the object gets, for a value that it has.
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
            return Err(format!("`{name}` is known by the class of its value only, which `{text}` needs"));
        }
    };
    let mut ways = Vec::new();
    for (from, to, class) in &map.classes {
        let mut seen = vec![false; map.classes.len()];
        for is in *from..=*to {
            match next(is).and_then(|next| class_of(map, next)) {
                Some(class) => seen[class] = true,
                // It depends on something else, or leaves the domain: any class.
                None => seen.fill(true),
            }
            if seen.iter().all(|seen| *seen) {
                break;
            }
        }
        for (index, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
            ways.push((format!("({name} == {class})"), format!("{name} = {}", map.classes[index].2)));
        }
    }
    Ok(ways)
}

const BINARY: &[&str] = &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];

fn class_of(map: &ValueMap, value: i64) -> Option<usize> {
    map.classes.iter().position(|(from, to, _)| (*from..=*to).contains(&value))
}

/// The guard of a condition on the object, or of the condition denied: the classes in which it can hold.
pub(crate) fn condition(expr: &Expr, denied: bool, maps: &[&ValueMap]) -> Result<String, String> {
    let map = one(maps)?;
    let mut names = Vec::new();
    names_of(expr, &mut names);
    let mut possible = Vec::new();
    for (from, to, class) in &map.classes {
        // What depends on something else may hold and may not.
        let may =
            (*from..=*to).any(|is| value(expr, &map.name, is).is_none_or(|value| (value != 0) != denied));
        if may {
            possible.push(format!("{} == {class}", map.name));
        }
    }
    Ok(match possible.len() {
        0 => "false".into(),
        n if n == map.classes.len() => "true".into(),
        _ => format!("({})", possible.join(" || ")),
    })
}
