//! The roles of groups in channels: which only append a message, and which only take or read the first.
//!
//! The updates are recognised by their terms, the guards by their diagrams: a send to a channel depends
//! on it only by not being full, a receive only by not being empty and by its first message.
//!
//! *Entry point:* [`Roles::new`].
//! *Invariant:* a send and a receive of one channel commute in every state in which both are enabled.

use std::collections::BTreeMap;

use axle_model::BinOp;
use axle_relation::{ChannelId, Group, Part, Relation, Term, TermId, VariableId};
use rustc_hash::FxHashMap;

use crate::encoding::current;
use crate::package::Package;
use crate::search::{Halt, Search};

/// The only use that a group makes of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Appends a message at the end.
    Send,
    /// Removes or copies the first message.
    Receive,
}

/// The roles of the groups.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    /// For a step and a channel, the role; none for another use.
    roles: FxHashMap<(usize, u32), Role>,
    /// The channel of a variable.
    channels: Vec<Option<u32>>,
}

/// The number of messages of a buffered channel.
pub(crate) fn length_of(relation: &Relation, channel: u32) -> VariableId {
    relation.variables.length(ChannelId(channel)).expect("a channel with messages has a length")
}

/// The capacity of a channel.
pub(crate) fn capacity(relation: &Relation, channel: u32) -> i64 {
    relation.variables.channels[channel as usize].shape.capacity.into()
}

impl Roles {
    /// The roles of the steps, which are enabled in these states.
    pub(crate) fn new<P: Package>(
        search: &mut Search<'_, P>,
        relation: &Relation,
        enabled: &[P::Diagram],
    ) -> Result<Roles, Halt> {
        let channels = relation.variables.list().iter().map(|variable| match variable.part {
            Part::Length(id) | Part::Message(id, ..) => Some(id.0),
            _ => None,
        });
        let mut roles = Roles { roles: FxHashMap::default(), channels: channels.collect() };
        // Only steps of one group are recognised. A group has a step for each case of its indices.
        let mut of_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, groups) in search.space.steps.iter().enumerate() {
            if let [group] = groups[..] {
                of_group.entry(group).or_default().push(index);
            }
        }
        for (group, steps) in of_group {
            let group = &relation.groups[group];
            let mut some = search.space.package().constant(false);
            for step in &steps {
                some = search.union(&some, &enabled[*step])?;
            }
            let terms = group.updates.iter().map(|(_, value)| *value).chain([group.enabled]);
            let mut used: Vec<u32> = (relation.terms.support(terms).into_iter())
                .chain(group.updates.iter().map(|(variable, _)| *variable))
                .filter_map(|variable| roles.channel(variable))
                .collect();
            used.sort_unstable();
            used.dedup();
            for channel in used {
                if let Some(role) = role(search, relation, group, &some, &roles, channel)? {
                    roles.roles.extend(steps.iter().map(|step| ((*step, channel), role)));
                }
            }
        }
        Ok(roles)
    }

    /// The channel of a variable.
    pub(crate) fn channel(&self, variable: VariableId) -> Option<u32> {
        self.channels[variable.index()]
    }

    /// The only use that a step makes of a channel.
    pub(crate) fn role(&self, step: usize, channel: u32) -> Option<Role> {
        self.roles.get(&(step, channel)).copied()
    }
}

/// The role of one group.
fn role<P: Package>(
    search: &mut Search<'_, P>,
    relation: &Relation,
    group: &Group,
    enabled: &P::Diagram,
    roles: &Roles,
    channel: u32,
) -> Result<Option<Role>, Halt> {
    let length = length_of(relation, channel);
    let is_channel = |variable: VariableId| roles.channel(variable) == Some(channel);
    let first = relation.variables.message(ChannelId(channel), 0, 0).0;
    let fields = relation.variables.channels[channel as usize].shape.fields.len() as u32;
    let is_first = |variable: VariableId| (first..first + fields).contains(&variable.0);
    let cells = capacity(relation, channel);
    let support = |term| relation.terms.support([term]);
    let sends = group.updates.iter().all(|&(variable, value)| match is_channel(variable) {
        true if variable == length => changes_by(relation, value, length, 1),
        true => {
            let position = i64::from((variable.0 - first) / fields);
            appends(relation, value, variable, length, position, cells)
                .is_some_and(|message| !support(message).into_iter().any(is_channel))
        }
        false => !support(value).into_iter().any(is_channel),
    });
    let receives = group.updates.iter().all(|&(variable, value)| match is_channel(variable) {
        true if variable == length => changes_by(relation, value, length, -1),
        true => match relation.terms.get(value) {
            Term::Variable(next) => next.0 == variable.0 + fields && is_channel(next),
            Term::Const(0) => i64::from((variable.0 - first) / fields) == cells - 1,
            _ => false,
        },
        false => support(value).into_iter().all(|read| !is_channel(read) || is_first(read)),
    });
    let removes = group.updates.iter().any(|(variable, _)| is_channel(*variable));
    let bits = |wanted: &dyn Fn(VariableId) -> bool| {
        let variables = (0..relation.variables.list().len() as u32).map(VariableId);
        let bits = variables.filter(|variable| is_channel(*variable) && wanted(*variable));
        let bits = bits.flat_map(|variable| search.space.encoding.bits(variable));
        let mut literals: Vec<_> = bits.map(|bit| (current(*bit), true)).collect();
        literals.sort_unstable();
        literals
    };
    let (all, rest) = (bits(&|_| true), bits(&|variable| !is_first(variable)));
    let space = search.space;
    // Whether the guard depends on these bits only by excluding a length.
    let mut only_excludes = |bits: &[(u32, bool)], excluded: i64| {
        search.run(|package| {
            let general = package.exists(enabled, &package.cube(bits)?)?;
            let lengths = space.encoding.assignment([(length, excluded)])?;
            // Lengths above the capacity do not exist.
            let valid =
                (0..=cells).filter(|of| *of != excluded).try_fold(package.constant(false), |valid, of| {
                    package.or(&valid, &space.encoding.assignment([(length, of)])?)
                })?;
            let some = package.intersects(enabled, &lengths)?;
            Ok(!some && package.and(&general, &valid)? == package.and(enabled, &valid)?)
        })
    };
    Ok(if sends && removes && only_excludes(&all, cells)? {
        Some(Role::Send)
    } else if receives && only_excludes(&rest, 0)? {
        Some(Role::Receive)
    } else {
        None
    })
}

/// Whether a term is a variable changed by a number.
fn changes_by(relation: &Relation, term: TermId, variable: VariableId, by: i64) -> bool {
    match relation.terms.get(term) {
        Term::Wrap(_, inner) => changes_by(relation, inner, variable, by),
        Term::Binary(BinOp::Add, _, a, b) => {
            relation.terms.get(a) == Term::Variable(variable) && relation.terms.constant(b) == Some(by)
        }
        _ => false,
    }
}

/// The message that a term stores in a cell if the length is its position, and nothing otherwise.
fn appends(
    relation: &Relation,
    term: TermId,
    cell: VariableId,
    length: VariableId,
    position: i64,
    cells: i64,
) -> Option<TermId> {
    let Term::If(condition, message, old) = relation.terms.get(term) else { return None };
    let is_here = match relation.terms.get(condition) {
        Term::Binary(BinOp::Eq, _, a, b) => {
            let is_length = |of| relation.terms.get(of) == Term::Variable(length);
            (is_length(a) && relation.terms.constant(b) == Some(position))
                || (is_length(b) && relation.terms.constant(a) == Some(position))
        }
        // The length of a channel for one message is a condition.
        Term::Unary(axle_model::UnOp::Not, _, a) => {
            cells == 1 && position == 0 && relation.terms.get(a) == Term::Variable(length)
        }
        _ => false,
    };
    (is_here && relation.terms.get(old) == Term::Variable(cell)).then_some(message)
}
