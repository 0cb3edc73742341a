//! The components of a provisioning constraint.
//!
//! The constraint of a run is split into conjuncts. Flags that a conjunct relates form a component,
//! and the satisfying valuations of each component are enumerated. Components are independent of
//! each other, so a provisioning is one valuation of each, and a slice removes the components that
//! a property does not depend on. A component with one valuation is not chosen but fixed.
//!
//! *Entry point:* [`components`].
//! *Invariant:* the provisionings of a constraint are exactly the products of one valuation of each
//! component.

use super::Flag;
use super::expression::Expression;

/// The most combinations of values that are tried for one component.
pub const MOST_PROVISIONINGS: usize = 65_536;

/// Flags that are chosen together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Indices of the flags, in ascending order.
    pub flags: Vec<usize>,
    /// The values of these flags that satisfy the constraint.
    pub valuations: Vec<Vec<i64>>,
}

/// A component has too many combinations of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

/// The components of a constraint, in the order of their first flags; without a constraint, each
/// flag is one.
///
/// # Errors
/// The flags of a component have more than [`MOST_PROVISIONINGS`] combinations of values.
pub fn components(flags: &[Flag], constraint: Option<&Expression<usize>>) -> Result<Vec<Component>, TooMany> {
    let conjuncts = constraint.cloned().map_or_else(Vec::new, Expression::conjuncts);
    let used: Vec<Vec<usize>> = conjuncts
        .iter()
        .map(|conjunct| {
            let mut used = Vec::new();
            conjunct.names(&mut |flag| used.push(*flag));
            used
        })
        .collect();
    // The component of each flag: its smallest member.
    let mut home: Vec<usize> = (0..flags.len()).collect();
    for used in &used {
        let Some(&first) = used.iter().min_by_key(|flag| home[**flag]) else { continue };
        let target = home[first];
        let joined: Vec<usize> = used.iter().map(|flag| home[*flag]).collect();
        home.iter_mut().filter(|home| joined.contains(home)).for_each(|home| *home = target);
    }
    // A conjunct without flags restricts everything.
    let never =
        conjuncts.iter().zip(&used).any(|(conjunct, used)| used.is_empty() && conjunct.evaluate(&|_| 0) == 0);
    if never && flags.is_empty() {
        return Ok(vec![Component { flags: Vec::new(), valuations: Vec::new() }]);
    }
    let mut components = Vec::new();
    for target in 0..flags.len() {
        let members: Vec<usize> = (0..flags.len()).filter(|flag| home[*flag] == target).collect();
        if members.is_empty() {
            continue;
        }
        let own: Vec<&Expression<usize>> = (conjuncts.iter().zip(&used))
            .filter(|(_, used)| used.first().is_some_and(|flag| home[*flag] == target))
            .map(|(conjunct, _)| conjunct)
            .collect();
        let valuations = if never { Vec::new() } else { satisfying(flags, &members, &own)? };
        components.push(Component { flags: members, valuations });
    }
    Ok(components)
}

/// The valuations of some flags that satisfy all conjuncts.
fn satisfying(
    flags: &[Flag],
    members: &[usize],
    conjuncts: &[&Expression<usize>],
) -> Result<Vec<Vec<i64>>, TooMany> {
    let sizes = members.iter().map(|flag| flags[*flag].values.len());
    let total =
        sizes.clone().try_fold(1usize, usize::checked_mul).filter(|total| *total <= MOST_PROVISIONINGS);
    let total = total.ok_or(TooMany)?;
    let mut valuations = Vec::new();
    for number in 0..total {
        let mut rest = number;
        let mut valuation = vec![0; members.len()];
        // The last flag changes fastest.
        for (place, flag) in members.iter().enumerate().rev() {
            let values = &flags[*flag].values;
            valuation[place] = values[rest % values.len()];
            rest /= values.len();
        }
        let value = |flag: &usize| {
            members.iter().position(|member| member == flag).map_or(0, |place| valuation[place])
        };
        if conjuncts.iter().all(|conjunct| conjunct.evaluate(&value) != 0) {
            valuations.push(valuation);
        }
    }
    Ok(valuations)
}
