//! The chart of an event-driven program: a lane for each party, and the messages between them.
//!
//! One function appends messages to a queue, and a dispatching function takes each of them in a record.
//! Which functions and which members of the record name the sender and the receiver follows from the
//! data of the execution, unless it is declared: the values of each dispatched record are those of an
//! earlier call, first in, first out; and a party that handles a message is the sender of the messages
//! that it appends meanwhile.
//!
//! *Entry points:* [`Dispatch::of`], [`chart`].
//! *Invariant:* every dispatched message of the chart was appended by the call that its arrow begins at,
//! with equal values.

use std::collections::BTreeSet;

use super::{Chart, ChartEvent, EventKind};
use crate::trace::{Call, MessageKind, Trace};

/// How an event-driven program passes messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dispatch {
    /// The function that appends a message.
    pub send: String,
    /// The function that handles one.
    pub receive: String,
    /// The positions of the sender and of the receiver among the values of a message.
    pub parties: (usize, usize),
}

/// A call by position: its step, its last step, and its values.
struct Made<'t> {
    first: usize,
    last: usize,
    call: &'t Call,
}

impl Made<'_> {
    fn values(&self) -> Vec<&str> {
        self.call.arguments.iter().map(|argument| argument.value.as_str()).collect()
    }

    fn is_record(&self) -> bool {
        let root = |name: &'_ str| name.split_once('.').map(|(root, _)| root.to_string());
        let mut roots = self.call.arguments.iter().map(|argument| root(&argument.name));
        let first = roots.next().flatten();
        first.is_some() && self.call.arguments.len() > 1 && roots.all(|root| root == first)
    }
}

impl Dispatch {
    /// The passing of messages that the calls of an execution show; none if no two functions do it.
    #[must_use]
    pub fn of(trace: &Trace) -> Option<Dispatch> {
        let made = calls(trace);
        let records: BTreeSet<&str> =
            made.iter().filter(|one| one.is_record()).map(|one| one.call.function.as_str()).collect();
        let others: BTreeSet<&str> = made.iter().map(|one| one.call.function.as_str()).collect();
        let mut best: Option<(usize, Dispatch)> = None;
        for receive in &records {
            for send in others.iter().filter(|send| *send != receive) {
                let Some(pairs) = matched(&made, send, receive) else { continue };
                let Some(parties) = parties(&made, send, &pairs) else { continue };
                let own = Dispatch { send: (*send).to_string(), receive: (*receive).to_string(), parties };
                if best.as_ref().is_none_or(|(count, _)| pairs.len() > *count) {
                    best = Some((pairs.len(), own));
                }
            }
        }
        best.map(|(_, dispatch)| dispatch)
    }
}

/// The calls of an execution, each with the last step before its return.
fn calls(trace: &Trace) -> Vec<Made<'_>> {
    let mut made: Vec<Made<'_>> = Vec::new();
    let mut open: Vec<(usize, u32, u32)> = Vec::new();
    for (at, step) in trace.steps.iter().enumerate() {
        open.retain(|(_, pid, depth)| *pid != step.by.pid || *depth < step.depth);
        for (one, ..) in &open {
            made[*one].last = at;
        }
        for call in &step.calls {
            open.retain(|(_, pid, depth)| *pid != step.by.pid || *depth < step.depth);
            open.push((made.len(), step.by.pid, step.depth));
            made.push(Made { first: at, last: at, call });
        }
    }
    made
}

/// For each call of `receive` the call of `send` with its values, first in, first out; none unless each
/// has one and there are two.
fn matched(made: &[Made<'_>], send: &str, receive: &str) -> Option<Vec<(usize, usize)>> {
    let mut waiting: Vec<usize> = Vec::new();
    let mut pairs = Vec::new();
    for (at, one) in made.iter().enumerate() {
        if one.call.function == send {
            waiting.push(at);
        } else if one.call.function == receive {
            let values = one.values();
            let found = waiting
                .iter()
                .position(|sent| made[*sent].values() == values && made[*sent].last < one.first)?;
            pairs.push((waiting.remove(found), at));
        }
    }
    (pairs.len() > 1).then_some(pairs)
}

/// The members of a message that name its sender and its receiver: for each message that is appended while
/// another one is handled, the sender is the receiver of that one. Among several, the pair with the
/// fewest names, of which there are at least two.
fn parties(made: &[Made<'_>], send: &str, pairs: &[(usize, usize)]) -> Option<(usize, usize)> {
    let nested: Vec<(&Made<'_>, &Made<'_>)> = pairs
        .iter()
        .flat_map(|(_, handled)| {
            let handled = &made[*handled];
            let within = |one: &&Made<'_>| handled.first <= one.first && one.last <= handled.last;
            made.iter()
                .filter(within)
                .filter(|one| one.call.function == send)
                .map(move |sent| (handled, sent))
        })
        .collect();
    let count = made.iter().find(|one| one.call.function == send)?.call.arguments.len();
    let is_name = |value: &str| value.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '&');
    let candidates = (0..count).flat_map(|sender| (0..count).map(move |receiver| (sender, receiver)));
    let fits = |&(sender, receiver): &(usize, usize)| {
        let follows = |(handled, sent): &(&Made<'_>, &Made<'_>)| {
            handled
                .values()
                .get(receiver)
                .is_some_and(|value| sent.values().get(sender) == Some(value) && is_name(value))
        };
        sender != receiver && !nested.is_empty() && nested.iter().all(follows)
    };
    let names = |pair: (usize, usize)| {
        let of = |(sent, _): &(usize, usize)| {
            let values = made[*sent].values();
            [pair.0, pair.1].map(|at| values.get(at).map(|value| (*value).to_string()))
        };
        pairs.iter().flat_map(of).flatten().collect::<BTreeSet<String>>().len()
    };
    candidates.filter(fits).filter(|pair| names(*pair) > 1).min_by_key(|pair| names(*pair))
}

/// The chart of the messages; none if the execution passes none between parties.
#[must_use]
pub fn chart(trace: &Trace, dispatch: &Dispatch) -> Option<Chart> {
    let made = calls(trace);
    let pairs = matched(&made, &dispatch.send, &dispatch.receive)?;
    let (sender, receiver) = dispatch.parties;
    let mut lanes: Vec<String> = Vec::new();
    for one in made.iter().filter(|one| one.call.function == dispatch.send) {
        for at in [sender, receiver] {
            let value = one.values().get(at)?.to_string();
            if !lanes.contains(&value) {
                lanes.push(value);
            }
        }
    }
    lanes.sort();
    let lane = |value: &str| lanes.iter().position(|lane| lane == value);
    let mut events: Vec<(usize, ChartEvent)> = Vec::new();
    let mut sent_events: Vec<(usize, usize)> = Vec::new();
    let mut order: Vec<(usize, bool, usize)> = pairs
        .iter()
        .flat_map(|(sent, handled)| {
            [(made[*sent].first, true, *sent), (made[*handled].first, false, *handled)]
        })
        .collect();
    order.sort_unstable();
    for (at, is_sent, call) in order {
        let values = made[call].values();
        let (from, to) = (lane(values[sender])?, lane(values[receiver])?);
        let others = values.iter().enumerate().filter(|(at, _)| *at != sender && *at != receiver);
        let label = others.map(|(_, value)| *value).collect::<Vec<&str>>().join(", ");
        let step = trace.steps[at].step;
        let pair =
            pairs.iter().find(|(sent, handled)| if is_sent { *sent == call } else { *handled == call });
        let sent = pair.map(|(sent, _)| *sent)?;
        if is_sent {
            // A message of a party to itself comes from outside: it is shown where it is handled.
            if from != to {
                sent_events.push((sent, events.len()));
                let kind = EventKind::Message(MessageKind::Sent);
                events.push((at, ChartEvent { step, lane: from, to: None, kind, label, from: None }));
            }
            continue;
        }
        let origin = sent_events.iter().find(|(one, _)| *one == sent).map(|(_, event)| *event);
        let kind = EventKind::Message(MessageKind::Received);
        events.push((at, ChartEvent { step, lane: to, to: None, kind, label, from: origin }));
    }
    (lanes.len() > 1).then(|| {
        let events = with_property(trace, &made, dispatch, &lanes, events);
        Chart { lanes, events, cycle: trace.cycle, ending: ending(trace) }
    })
}

/// The violation in words, for a property; the violation at the end of other executions.
fn ending(trace: &Trace) -> Vec<String> {
    let told = trace.account.iter().map(|account| account.sentence.clone());
    told.chain(trace.ending.iter().cloned()).collect()
}

/// The events with those of the property and with violations, each in the lane of the party that handles a
/// message meanwhile.
fn with_property(
    trace: &Trace,
    made: &[Made<'_>],
    dispatch: &Dispatch,
    lanes: &[String],
    mut events: Vec<(usize, ChartEvent)>,
) -> Vec<ChartEvent> {
    let lane_at = |at: usize| {
        let handles =
            |one: &&Made<'_>| one.call.function == dispatch.receive && one.first <= at && at <= one.last;
        let value = made.iter().rfind(handles).and_then(|one| one.values().get(dispatch.parties.1).copied());
        value.and_then(|value| lanes.iter().position(|lane| lane == value)).unwrap_or(0)
    };
    let position = |number: u64| trace.steps.iter().position(|step| step.step == number);
    let named = trace.account.iter().flat_map(|account| &account.events);
    let mut more: Vec<(usize, EventKind, String)> = named
        .filter_map(|event| {
            let kind = if event.forbidden { EventKind::Violation } else { EventKind::Step };
            Some((position(event.step)?, kind, event.name.clone()))
        })
        .collect();
    for (at, step) in trace.steps.iter().enumerate() {
        more.extend(step.faults.iter().map(|fault| (at, EventKind::Violation, fault.clone())));
    }
    // Arrows refer to positions before other events are put in between.
    let mut at: Vec<usize> = (0..events.len()).collect();
    for (step, kind, label) in more {
        let place = events.iter().position(|(other, _)| *other > step).unwrap_or(events.len());
        let number = trace.steps[step].step;
        let event = ChartEvent { step: number, lane: lane_at(step), to: None, kind, label, from: None };
        events.insert(place, (step, event));
        at.iter_mut().filter(|at| **at >= place).for_each(|at| *at += 1);
    }
    let own = |mut event: ChartEvent| {
        event.from = event.from.map(|from| at[from]);
        event
    };
    events.into_iter().map(|(_, event)| own(event)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Account, Mover, NamedEvent, Seen, TraceStep};

    /// A step that makes a call with these named values at a depth.
    fn call(step: u64, depth: u32, function: &str, values: &[(&str, &str)]) -> TraceStep {
        let by = Mover { pid: 0, process: "main(0)".into(), place: None, statement: "s".into() };
        let seen = |(name, value): &(&str, &str)| Seen { name: name.to_string(), value: value.to_string() };
        let arguments = values.iter().map(seen).collect();
        TraceStep {
            depth,
            calls: vec![Call { function: function.into(), arguments }],
            ..TraceStep::of(step, by)
        }
    }

    /// B answers the message of A, while A sends to itself.
    fn exchange() -> Trace {
        let sent = |step, kind, from, to| call(step, 1, "put", &[("kind", kind), ("from", from), ("to", to)]);
        let handled =
            |step, kind, from, to| call(step, 0, "take", &[("m.kind", kind), ("m.from", from), ("m.to", to)]);
        Trace::of(vec![
            sent(1, "START", "A", "A"),
            handled(2, "START", "A", "A"),
            sent(3, "CALL", "A", "B"),
            handled(4, "CALL", "A", "B"),
            sent(5, "REPLY", "B", "A"),
            handled(6, "REPLY", "B", "A"),
        ])
    }

    #[test]
    fn parties_and_messages_follow_from_the_calls() {
        let mut trace = exchange();
        let found = Dispatch::of(&trace).expect("a dispatching function");
        assert_eq!(found, Dispatch { send: "put".into(), receive: "take".into(), parties: (1, 2) });
        trace.account = Some(Account {
            sentence: "sentence".into(),
            step: 4,
            events: vec![NamedEvent { name: "bad".into(), step: 4, forbidden: true }],
        });
        let chart = chart(&trace, &found).expect("a chart");
        assert_eq!(chart.lanes, ["A", "B"]);
        let labels: Vec<(u64, usize, &str, Option<usize>)> =
            chart.events.iter().map(|one| (one.step, one.lane, &*one.label, one.from)).collect();
        assert_eq!(
            labels,
            [
                (2, 0, "START", None),
                (3, 0, "CALL", None),
                (4, 1, "CALL", Some(1)),
                (4, 1, "bad", None),
                (5, 1, "REPLY", None),
                (6, 0, "REPLY", Some(4)),
            ]
        );
        assert_eq!(chart.ending, ["sentence"]);
    }

    #[test]
    fn an_execution_without_messages_has_no_parties() {
        let trace = Trace::of(vec![call(1, 0, "f", &[("x", "1")]), call(2, 0, "g", &[("y", "1")])]);
        assert_eq!(Dispatch::of(&trace), None);
    }
}
