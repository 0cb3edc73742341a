//! Processes that are created later: the cells of all transitions of a created process and of the
//! processes that it creates in turn.
//!
//! A created process is distinguished by the values of its parameters that are known where it is
//! created. Its transitions count for the transition that creates it: they are reachable from there.
//!
//! *Entry point:* [`Creations::of_location`].
//! *Invariant:* the result contains the cells of every transition of every process that a process at
//! the location creates, directly or indirectly.

use axle_model::LocId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::footprint::{Footprint, Footprints};
use crate::fixed::{Instance, Who};

/// Maximum number of created processes of a type that are distinguished.
const MOST_DISTINGUISHED: usize = 16;

/// The processes that may be created, each with its footprint and the processes that it creates.
#[derive(Default, Debug)]
pub struct Creations {
    numbers: FxHashMap<Instance, usize>,
    list: Vec<(Footprint, Vec<usize>)>,
}

impl Creations {
    /// The transitions of the processes that a process at a location creates in its next step;
    /// `None` if it creates none.
    pub fn of_location(&mut self, footprints: &Footprints, who: Who, loc: LocId) -> Option<Footprint> {
        let process = footprints.values.model.process(who.proc()?);
        let out = process.locations[loc.index()].out.iter().map(|id| &process.edges[id.index()]);
        let effects = out.flat_map(|edge| &edge.effects);
        let created: Vec<Instance> = effects.filter_map(|effect| footprints.created(who, effect)).collect();
        if created.is_empty() {
            return None;
        }
        let mut todo: Vec<usize> = created.into_iter().map(|new| self.number(footprints, new)).collect();
        let (mut all, mut seen) = (footprints.none(), FxHashSet::default());
        while let Some(number) = todo.pop() {
            if seen.insert(number) {
                let (own, created) = &self.list[number];
                all.add(own);
                todo.extend(created);
            }
        }
        Some(all)
    }

    /// The number of a created process; computes its footprint and those of its descendants.
    fn number(&mut self, footprints: &Footprints, instance: Instance) -> usize {
        let first = self.entry(footprints, instance);
        let mut todo = vec![first.1];
        while let Some(Some((number, instance))) = todo.pop() {
            let process = footprints.values.model.process(instance.proc);
            let effects = process.edges.iter().flat_map(|edge| &edge.effects);
            for effect in effects {
                let Some(new) = footprints.created(Who::New(&instance), effect) else { continue };
                let (child, unknown) = self.entry(footprints, new);
                self.list[number].1.push(child);
                todo.push(unknown);
            }
        }
        first.0
    }

    /// The number of a created process; with the process if its descendants are not known yet.
    fn entry(&mut self, footprints: &Footprints, new: Instance) -> (usize, Option<(usize, Instance)>) {
        let like = self.numbers.keys().filter(|known| known.proc == new.proc).count();
        let instance = match self.numbers.contains_key(&new) || like < MOST_DISTINGUISHED {
            true => new,
            false => Instance { locals: vec![None; new.locals.len()], ..new },
        };
        if let Some(number) = self.numbers.get(&instance) {
            return (*number, None);
        }
        let number = self.list.len();
        self.list.push((footprints.of_new(&instance), Vec::new()));
        self.numbers.insert(instance.clone(), number);
        (number, Some((number, instance)))
    }
}
