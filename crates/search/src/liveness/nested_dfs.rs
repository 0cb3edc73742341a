//! Nested depth-first search for accepting cycles: two bits per state, at most one acceptance set,
//! no fairness.
//!
//! The outer, *blue*, search visits every state. When it backtracks over an accepting edge to a
//! state that is not red, an inner, *red*, search starts at the target of the edge. If the red
//! search reaches a *cyan* state, a state on the blue path, an accepting cycle through the edge
//! exists. An accepting edge to a cyan state closes an accepting cycle at once. No red search
//! enters a red state again, so all red searches together visit every state at most once.
//!
//! *Entry point:* [`search`].
//!
//! *Source:* C. Courcoubetis, M. Vardi, P. Wolper, M. Yannakakis, Memory-efficient algorithms for
//! the verification of temporal properties, 1992; G. J. Holzmann, D. Peled, M. Yannakakis, On
//! nested depth first search, 1996; S. Schwoon and J. Esparza, A note on on-the-fly verification
//! algorithms, TACAS 2005 (cyan states). Acceptance is on edges: an accepting edge corresponds to
//! an accepting state inserted between its endpoints.
//!
//! *Invariant:* Each state is white, cyan, blue or red, and its colour advances in this order; the
//! cyan states are those on the blue path. No state reachable from a blue state is white.
//!
//! *Cost:* two bits per state, and each state is expanded at most twice.

use axle_outcome::Stop;
use axle_step::Graph;
use axle_store::Numbered;

use crate::liveness::explorer::{Explorer, TRANSIENT};
use crate::liveness::ring::{Entry, label, target};
use crate::liveness::scc::Component;
use crate::progress::Monitor;

/// State colour, two bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Colour {
    White,
    Cyan,
    Blue,
    Red,
}

/// Colours of all states, four per byte.
#[derive(Default, Debug)]
struct Colours(Vec<u8>);

impl Colours {
    fn get(&self, number: u32) -> Colour {
        let byte = self.0.get(number as usize / 4).copied().unwrap_or(0);
        match byte >> (2 * (number % 4)) & 3 {
            0 => Colour::White,
            1 => Colour::Cyan,
            2 => Colour::Blue,
            _ => Colour::Red,
        }
    }

    fn set(&mut self, number: u32, colour: Colour) {
        let at = number as usize / 4;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        let shift = 2 * (number % 4);
        self.0[at] = self.0[at] & !(3 << shift) | (colour as u8) << shift;
    }
}

/// A state on the path of a search, with the number of pending edges of its predecessors.
#[derive(Clone, Copy, Debug)]
struct Frame {
    number: u32,
    waiting: usize,
    /// Whether the edge from the preceding state is accepting.
    accepting: bool,
}

/// Stack of a depth-first search.
#[derive(Default, Debug)]
struct Path {
    frames: Vec<Frame>,
    waiting: Vec<Entry>,
}

impl Path {
    /// Enters a state and pushes its edges as pending.
    fn push<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        number: u32,
        accepting: bool,
        monitor: &mut impl Monitor,
    ) -> Result<(), Stop> {
        let (mut list, mut enabled) = (Vec::new(), Vec::new());
        explorer.fetch(number, &[], &mut list, &mut enabled, monitor)?;
        self.frames.push(Frame { number, waiting: self.waiting.len(), accepting });
        list.reverse();
        self.waiting.append(&mut list);
        Ok(())
    }

    /// Pops the next pending edge of the last state on the path.
    fn next(&mut self) -> Option<Entry> {
        let frame = self.frames.last()?;
        if self.waiting.len() > frame.waiting { self.waiting.pop() } else { None }
    }

    fn memory(&self) -> u64 {
        (self.frames.len() * size_of::<Frame>() + 8 * self.waiting.len()) as u64
    }
}

/// Searches the whole product. Returns the states of an accepting cycle, if one exists. The claim
/// must have at most one acceptance set.
pub(crate) fn search<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    monitor: &mut impl Monitor,
) -> Result<Option<Component>, Stop> {
    let mut colours = Colours::default();
    explorer.start()?;
    let mut cursor = 0;
    while cursor < explorer.len() && explorer.alarm.is_none() {
        if explorer.marks[cursor as usize] == TRANSIENT {
            explorer.expand_transient(&mut vec![cursor])?;
            explorer.watch(monitor)?;
        } else if colours.get(cursor) == Colour::White {
            let found = blue(explorer, &mut colours, cursor, monitor)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        cursor += 1;
    }
    Ok(None)
}

/// Blue search from a white state.
fn blue<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    colours: &mut Colours,
    root: u32,
    monitor: &mut impl Monitor,
) -> Result<Option<Component>, Stop> {
    let mut path = Path::default();
    colours.set(root, Colour::Cyan);
    path.push(explorer, root, false, monitor)?;
    while let Some(&frame) = path.frames.last() {
        explorer.depth = path.frames.len() as u64;
        explorer.extra = path.memory() + colours.0.len() as u64;
        if explorer.alarm.is_some() {
            return Ok(None);
        }
        if let Some(entry) = path.next() {
            let (to, accepts) = (target(entry), accepts(explorer, entry));
            match colours.get(to) {
                Colour::White => {
                    colours.set(to, Colour::Cyan);
                    path.push(explorer, to, accepts, monitor)?;
                }
                Colour::Cyan if accepts => return Ok(Some(cycle(&path, to, &[]))),
                Colour::Blue if accepts => {
                    if let Some(found) = red(explorer, colours, to, &path, monitor)? {
                        return Ok(Some(found));
                    }
                }
                Colour::Cyan | Colour::Blue | Colour::Red => {}
            }
            continue;
        }
        path.frames.pop();
        colours.set(frame.number, Colour::Blue);
        if frame.accepting
            && let Some(found) = red(explorer, colours, frame.number, &path, monitor)?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Red search from the target of an accepting edge whose source is the last state of the blue path.
fn red<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    colours: &mut Colours,
    root: u32,
    blue: &Path,
    monitor: &mut impl Monitor,
) -> Result<Option<Component>, Stop> {
    let mut path = Path::default();
    colours.set(root, Colour::Red);
    path.push(explorer, root, true, monitor)?;
    while !path.frames.is_empty() {
        explorer.extra = path.memory() + blue.memory() + colours.0.len() as u64;
        let Some(entry) = path.next() else {
            path.frames.pop();
            continue;
        };
        let to = target(entry);
        match colours.get(to) {
            Colour::Cyan => return Ok(Some(cycle(blue, to, &path.frames))),
            Colour::Blue => {
                colours.set(to, Colour::Red);
                path.push(explorer, to, false, monitor)?;
            }
            Colour::White | Colour::Red => {}
        }
    }
    Ok(None)
}

fn accepts<G: Graph, S: Numbered>(explorer: &Explorer<'_, G, S>, entry: Entry) -> bool {
    explorer.product.labels.accepts(label(entry))
}

/// States of the cycle composed of the blue path from the state `from` and of the red path.
fn cycle(blue: &Path, from: u32, red: &[Frame]) -> Component {
    let start = blue.frames.iter().position(|frame| frame.number == from).unwrap_or(0);
    let mut states: Vec<u32> = blue.frames[start..].iter().chain(red).map(|frame| frame.number).collect();
    states.sort_unstable();
    states.dedup();
    Component { states }
}
