//! Facts of the reached states for other engines and reports: ranges of variables, steps that are never
//! executed, combinations of values that never occur.
//!
//! *Entry point:* [`facts`].

use axle_relation::{Relation, VariableId};

use crate::package::Package;
use crate::search::{Halt, Search};
use crate::space::Space;

/// Facts of the reached states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// For each variable of the relation, the least and the greatest value in the states outside sequences.
    pub ranges: Vec<(i64, i64)>,
    /// For each group of the relation, whether it was executed.
    pub executed: Vec<bool>,
}

/// The facts of states, which are not empty.
pub(crate) fn facts<P: Package>(
    search: &mut Search<'_, P>,
    relation: &Relation,
    reached: &P::Diagram,
) -> Result<Facts, Halt> {
    let observable = search.intersection(reached, &search.space.observable)?;
    let variables = (0..relation.variables.list().len() as u32).map(VariableId);
    let ranges: Result<Vec<_>, Halt> =
        variables.map(|variable| range(search, variable, &observable)).collect();
    Ok(Facts { ranges: ranges?, executed: executed(search, relation.groups.len(), reached)? })
}

/// The least and the greatest value of a variable in a set that is not empty.
fn range<P: Package>(
    search: &mut Search<'_, P>,
    variable: VariableId,
    set: &P::Diagram,
) -> Result<(i64, i64), Halt> {
    Ok((extreme(search, variable, set, false)?, extreme(search, variable, set, true)?))
}

/// The least or the greatest value: bit by bit, from the most significant one.
fn extreme<P: Package>(
    search: &mut Search<'_, P>,
    variable: VariableId,
    set: &P::Diagram,
    greatest: bool,
) -> Result<i64, Halt> {
    let space: &Space<P> = search.space;
    let signed = space.encoding.codes[variable.index()].signed;
    let bits = space.encoding.bits(variable);
    let mut rest = set.clone();
    let mut value: i64 = 0;
    for (at, bit) in bits.iter().enumerate().rev() {
        let is_sign = signed && at + 1 == bits.len();
        let wanted = greatest != is_sign;
        let literal = search.run(|package| package.cube(&[(crate::encoding::current(*bit), wanted)]))?;
        let preferred = search.intersection(&rest, &literal)?;
        let holds = match space.package().is_empty(&preferred) {
            true => !wanted,
            false => {
                rest = preferred;
                wanted
            }
        };
        if holds && is_sign {
            value |= -1 << at;
        } else if holds {
            value |= 1 << at;
        }
    }
    Ok(value)
}

/// For each group, whether a step that contains it is executable in some state.
pub(crate) fn executed<P: Package>(
    search: &mut Search<'_, P>,
    groups: usize,
    reached: &P::Diagram,
) -> Result<Vec<bool>, Halt> {
    let space = search.space;
    let mut executed = vec![false; groups];
    for transition in &space.transitions {
        if search.run(|package| package.intersects(reached, &transition.guard))? {
            space.steps[transition.step].iter().for_each(|group| executed[*group] = true);
        }
    }
    Ok(executed)
}
