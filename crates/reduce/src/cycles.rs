//! Which edges every endless run must take again and again: a set of edges such that without them no process could
//! go round for ever. A reduction that looks at everything wherever one of them may be taken leaves nothing out
//! for ever, in whatever order states are searched.
//!
//! Main function: [`sticky`]. Not every circle of a process needs such an edge: a loop that counts up to a bound
//! ends by itself, and a circle that receives from others only cannot go on for ever unless they go on sending
//! ([`Arc::excused`], decided by the caller). What is left is broken edge by edge, the edge first that breaks
//! most. Kept: every circle of arcs that are neither excused nor counting has a sticky arc.
//!
//! Source: R. Kurshan, V. Levin, M. Minea, D. Peled, H. Yenigun, Static partial order reduction, TACAS 1998.

use axle_model::{Base, BinOp, Edge, Effect, Expr, IntType, LocalId, Process, Type};

use crate::fixed::{Instance, Values, Who, written};

/// An edge of a process as an arc between its locations.
#[derive(Clone, Copy, Debug)]
pub struct Arc<'m> {
    /// The edge.
    pub edge: &'m Edge,
    /// Whether no process can take it for ever unless another takes one that has to do with it.
    pub excused: bool,
    /// How good it would be if it were sticky: how many others are in its way anyway.
    pub merit: u32,
}

/// For each arc, whether it is sticky.
pub fn sticky(process: &Process, who: (u32, &Instance), values: &Values, arcs: &[Arc]) -> Vec<bool> {
    let locations = process.locations.len();
    let mut sticky = vec![false; arcs.len()];
    let mut left: Vec<usize> = (0..arcs.len()).filter(|&i| !arcs[i].excused).collect();
    loop {
        let components = components(locations, arcs, &left);
        left.retain(|&i| on_circle(&components, arcs[i].edge));
        if left.is_empty() {
            return sticky;
        }
        let first = components[arcs[left[0]].edge.source.index()];
        let inside: Vec<usize> =
            left.iter().copied().filter(|&i| components[arcs[i].edge.source.index()] == first).collect();
        let counting = counting(process, who, values, arcs, &inside, locations);
        if !counting.is_empty() {
            left.retain(|i| !counting.contains(i));
            continue;
        }
        let without = |gone: usize| {
            let rest: Vec<usize> = inside.iter().copied().filter(|&i| i != gone).collect();
            let components = self::components(locations, arcs, &rest);
            rest.iter().filter(|&&i| on_circle(&components, arcs[i].edge)).count()
        };
        let Some(&best) = inside.iter().min_by_key(|&&i| (without(i), std::cmp::Reverse(arcs[i].merit), i))
        else {
            return sticky;
        };
        sticky[best] = true;
        left.retain(|&i| i != best);
    }
}

/// Whether an edge lies on a circle, given the components.
fn on_circle(components: &[usize], edge: &Edge) -> bool {
    components[edge.source.index()] == components[edge.target.index()]
}

/// The strongly connected component of each location, by the arcs in `list`; a location on no circle has one that
/// it shares with nothing, and an edge from it to itself is a circle.
fn components(locations: usize, arcs: &[Arc], list: &[usize]) -> Vec<usize> {
    let mut next = vec![Vec::new(); locations];
    for &i in list {
        next[arcs[i].edge.source.index()].push(arcs[i].edge.target.index());
    }
    let reach: Vec<Vec<bool>> = (0..locations)
        .map(|start| {
            let (mut seen, mut stack) = (vec![false; locations], vec![start]);
            while let Some(at) = stack.pop() {
                for &to in &next[at] {
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push(to);
                    }
                }
            }
            seen
        })
        .collect();
    (0..locations).map(|a| (0..a).find(|&b| reach[a][b] && reach[b][a]).unwrap_or(a)).collect()
}

/// The arcs of a component that count a variable up (or down) and so cannot be taken for ever: empty where there
/// is no such variable.
fn counting(
    process: &Process,
    who: (u32, &Instance),
    values: &Values,
    arcs: &[Arc],
    inside: &[usize],
    locations: usize,
) -> Vec<usize> {
    for (index, variable) in process.locals.iter().enumerate() {
        let Type::Int(ty, _) = variable.ty else { continue };
        for up in [true, false] {
            let counter = Counter { local: LocalId::new(index), ty, up, who, values };
            if let Some(found) = counter.found(arcs, inside, locations) {
                return found;
            }
        }
    }
    Vec::new()
}

/// A local that may only count one way in a component.
struct Counter<'a> {
    local: LocalId,
    ty: IntType,
    up: bool,
    who: (u32, &'a Instance),
    values: &'a Values<'a>,
}

impl Counter<'_> {
    fn found(&self, arcs: &[Arc], inside: &[usize], locations: usize) -> Option<Vec<usize>> {
        let (mut steps, mut total) = (Vec::new(), 0i64);
        for &i in inside {
            let mut by = 0;
            let mut writes = 0;
            written(arcs[i].edge, &mut |place| writes += usize::from(place.base == Base::Local(self.local)));
            for effect in &arcs[i].edge.effects {
                if let Some(step) = self.step(effect) {
                    by += step;
                    writes -= 1;
                }
            }
            // Written in some other way.
            if writes > 0 {
                return None;
            }
            if by > 0 {
                steps.push(i);
                total += by;
            }
        }
        if steps.is_empty() {
            return None;
        }
        let mut furthest = i64::MIN;
        let mut guarded = Vec::new();
        for &i in inside {
            if let Some(bound) = self.bound(&arcs[i].edge.guard) {
                guarded.push(i);
                furthest = furthest.max(bound);
            }
        }
        // Counting goes on past the last guard passed by no more than one round.
        let (low, high) = (self.ty.wrap(i64::from(self.ty.signed) << (self.ty.bits - 1)), self.highest());
        let limit = if self.up { high } else { low.checked_neg()? };
        if guarded.is_empty() || furthest.checked_add(total).is_none_or(|most| most > limit) {
            return None;
        }
        // Every circle through a counting arc passes a guard.
        let rest: Vec<usize> = inside.iter().copied().filter(|i| !guarded.contains(i)).collect();
        let components = components(locations, arcs, &rest);
        let unguarded = |i: &&usize| rest.contains(i) && on_circle(&components, arcs[**i].edge);
        if steps.iter().any(|i| unguarded(&i)) { None } else { Some(steps) }
    }

    fn highest(&self) -> i64 {
        match (self.ty.signed, self.ty.bits) {
            (_, 63..) => i64::MAX >> 1,
            (true, bits) => (1 << (bits - 1)) - 1,
            (false, bits) => (1 << bits) - 1,
        }
    }

    fn is_own(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Load(place) if place.base == Base::Local(self.local) && place.path.is_empty())
    }

    /// By how much an effect counts on, where it is a counting of the local and nothing else.
    fn step(&self, effect: &Effect) -> Option<i64> {
        let Effect::Assign(place, value) = effect else { return None };
        if place.base != Base::Local(self.local) || !place.path.is_empty() {
            return None;
        }
        // The sum must not be cut before it is stored.
        let Expr::Binary(op, ty, a, b) = value else { return None };
        if ty.bits < self.ty.bits || (ty.bits == self.ty.bits && *ty != self.ty) || ty.bits > 62 {
            return None;
        }
        let by = match (op, &**a, &**b) {
            (BinOp::Add, a, Expr::Const(by)) if self.is_own(a) => *by,
            (BinOp::Add, Expr::Const(by), b) if self.is_own(b) => *by,
            (BinOp::Sub, a, Expr::Const(by)) if self.is_own(a) => by.checked_neg()?,
            _ => return None,
        };
        let by = if self.up { by } else { by.checked_neg()? };
        (1..1 << 20).contains(&by).then_some(by)
    }

    /// The furthest value of the local, counted in its direction, with which a guard can hold.
    fn bound(&self, guard: &Expr) -> Option<i64> {
        match guard {
            Expr::And(a, b) => match (self.bound(a), self.bound(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            Expr::Binary(op, ty, a, b) if ty.signed && ty.bits <= 62 => {
                let (op, other) = if self.is_own(a) {
                    (*op, b)
                } else if self.is_own(b) {
                    (mirrored(*op)?, a)
                } else {
                    return None;
                };
                // The local must not be cut before it is compared: it fits.
                if ty.bits < self.ty.bits + u8::from(!self.ty.signed) {
                    return None;
                }
                let (pid, instance) = self.who;
                let value = self.values.value(Who::One(pid, instance), other)?;
                if !(-(1 << 40)..1 << 40).contains(&value) {
                    return None;
                }
                match (op, self.up) {
                    (BinOp::Lt, true) => Some(value - 1),
                    (BinOp::Le | BinOp::Eq, true) => Some(value),
                    (BinOp::Gt, false) => Some(-(value + 1)),
                    (BinOp::Ge | BinOp::Eq, false) => Some(-value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The operator with its operands the other way round.
fn mirrored(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        BinOp::Eq => BinOp::Eq,
        _ => return None,
    })
}
