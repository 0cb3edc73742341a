//! The chart of an event-driven program: a lane for each party, and the messages between them.
//!
//! One function appends messages to a queue, and a dispatching function takes each of them in a record.
//! Which functions and which members of the record name the sender and the receiver follows from the
//! data of the execution, unless it is declared: the values of each dispatched record are those of an
//! earlier call, first in, first out; and a party that handles a message is the sender of the messages
//! that it appends meanwhile.
//!
//! *Entry points:* [`Dispatch::of`], [`chart`].
//! *Invariant:* every arrow ends at a call of the handling function whose receiver is that of the call at
//! its beginning; the other values are equal, unless the functions have different numbers of them.

use std::collections::BTreeSet;

use super::{Chart, ChartEvent, EventKind};
use crate::trace::{Call, Lanes, MessageKind, Seen, Trace};

/// How an event-driven program passes messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dispatch {
    /// The function that appends a message, if there is one.
    send: Option<Sending>,
    /// The function that handles a message.
    receive: String,
    /// The position of the receiver among the values that it handles.
    party: usize,
    /// The positions of values that are not part of the label of a handled message.
    hidden: Vec<usize>,
    /// The name of a party that is a number: `line` for `line 0`.
    prefix: String,
    /// Whether it is declared.
    is_declared: bool,
}

/// How messages are appended.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sending {
    function: String,
    /// The position of the sender; none: the party that handles a message meanwhile.
    sender: Option<usize>,
    receiver: usize,
}

/// A call by position: its step, its last step, and its values.
struct Made<'t> {
    first: usize,
    last: usize,
    call: &'t Call,
}

impl<'t> Made<'t> {
    fn values(&self) -> Vec<&'t str> {
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
    /// The passing of messages that is declared for the program of an execution, or that its calls show;
    /// none if it calls no declared handler, and no two functions pass messages.
    #[must_use]
    pub fn of(trace: &Trace) -> Option<Dispatch> {
        let made = calls(trace);
        let declared = trace.lanes.as_ref().and_then(|lanes| Dispatch::declared(&made, lanes));
        declared.or_else(|| Dispatch::derived(&made))
    }

    fn declared(made: &[Made<'_>], lanes: &Lanes) -> Option<Dispatch> {
        let of = |function: &str| made.iter().find(|one| one.call.function == function);
        let handled = of(&lanes.handler)?.call;
        let party = position(handled, &lanes.party)?;
        let send = lanes.send.as_ref().and_then(|send| {
            let sent = of(send)?.call;
            let receiver = position(sent, lanes.receiver.as_ref().unwrap_or(&lanes.party))?;
            let sender = lanes.sender.as_ref().and_then(|sender| position(sent, sender));
            Some(Sending { function: send.clone(), sender, receiver })
        });
        let sender = lanes.sender.as_ref().and_then(|sender| position(handled, sender));
        Some(Dispatch {
            send,
            receive: lanes.handler.clone(),
            party,
            hidden: sender.into_iter().chain([party]).collect(),
            prefix: member(&lanes.party).to_string(),
            is_declared: true,
        })
    }

    fn derived(made: &[Made<'_>]) -> Option<Dispatch> {
        let records: BTreeSet<&str> =
            made.iter().filter(|one| one.is_record()).map(|one| one.call.function.as_str()).collect();
        let others: BTreeSet<&str> = made.iter().map(|one| one.call.function.as_str()).collect();
        let mut best: Option<(usize, Dispatch)> = None;
        for receive in &records {
            for send in others.iter().filter(|send| *send != receive) {
                let Some(pairs) = matched(made, send, receive) else { continue };
                let Some((sender, receiver)) = parties(made, send, &pairs) else { continue };
                if best.as_ref().is_none_or(|(count, _)| pairs.len() > *count) {
                    let function = (*send).to_string();
                    let own = Dispatch {
                        send: Some(Sending { function, sender: Some(sender), receiver }),
                        receive: (*receive).to_string(),
                        party: receiver,
                        hidden: vec![sender, receiver],
                        prefix: String::new(),
                        is_declared: false,
                    };
                    best = Some((pairs.len(), own));
                }
            }
        }
        best.map(|(_, dispatch)| dispatch)
    }

    /// The messages that are handled, each with the call that appended it, if there is one.
    fn messages(&self, made: &[Made<'_>]) -> Vec<(Option<usize>, usize)> {
        let mut waiting: Vec<usize> = Vec::new();
        let mut messages = Vec::new();
        for (at, one) in made.iter().enumerate() {
            let sending = self.send.as_ref().filter(|send| send.function == one.call.function);
            if sending.is_some() {
                waiting.push(at);
            } else if one.call.function == self.receive {
                let sent = waiting.iter().position(|sent| self.is_same(&made[*sent], one));
                messages.push((sent.map(|sent| waiting.remove(sent)), at));
            }
        }
        messages
    }

    /// The calls that append messages which nothing handles.
    fn unhandled(&self, made: &[Made<'_>], messages: &[(Option<usize>, usize)]) -> Vec<usize> {
        let Some(send) = &self.send else { return Vec::new() };
        let is_sent = |at: &usize| made[*at].call.function == send.function;
        let is_handled = |at: &usize| messages.iter().any(|(sent, _)| *sent == Some(*at));
        (0..made.len()).filter(is_sent).filter(|at| !is_handled(at)).collect()
    }

    /// Whether a message that was appended can be one that is handled: the receiver is the same, and so are
    /// the values of the label, unless one of the calls has further parameters.
    fn is_same(&self, sent: &Made<'_>, handled: &Made<'_>) -> bool {
        let Some(send) = &self.send else { return false };
        let (label, other) = (self.sent_label(sent), self.handled_label(handled));
        sent.last < handled.first
            && sent.values().get(send.receiver) == handled.values().get(self.party)
            && (label.len() != other.len() || label == other)
    }

    fn sent_label<'t>(&self, sent: &Made<'t>) -> Vec<&'t str> {
        let hidden = self.send.iter().flat_map(|send| send.sender.into_iter().chain([send.receiver]));
        without(&sent.values(), &hidden.collect::<Vec<usize>>())
    }

    fn handled_label<'t>(&self, handled: &Made<'t>) -> Vec<&'t str> {
        without(&handled.values(), &self.hidden)
    }

    /// The lane of a party.
    fn lane(&self, value: &str) -> String {
        let is_number = value.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        match is_number && !self.prefix.is_empty() {
            true => format!("{} {value}", self.prefix),
            false => value.trim_start_matches('&').to_string(),
        }
    }

    /// The lane of the party that handles a message at a position.
    fn lane_at(&self, made: &[Made<'_>], at: usize) -> Option<String> {
        let handles =
            |one: &&Made<'_>| one.call.function == self.receive && one.first <= at && at <= one.last;
        let value = made.iter().rfind(handles)?.values().get(self.party).copied()?;
        Some(self.lane(value))
    }

    /// The lane of the party that appends a message.
    fn lane_of_sender(&self, made: &[Made<'_>], sent: usize) -> Option<String> {
        match self.send.as_ref()?.sender {
            Some(sender) => Some(self.lane(made[sent].values().get(sender)?)),
            None => self.lane_at(made, made[sent].first),
        }
    }
}

/// The position of a parameter of a call: by its name, or by the name of the member of a record.
fn position(call: &Call, name: &str) -> Option<usize> {
    let is = |argument: &Seen| argument.name == name || member(&argument.name) == name;
    call.arguments.iter().position(is)
}

/// The last component of a name.
fn member(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn without<'t>(values: &[&'t str], hidden: &[usize]) -> Vec<&'t str> {
    let kept = values.iter().enumerate().filter(|(at, _)| !hidden.contains(at));
    kept.map(|(_, value)| *value).collect()
}

/// Sorts names with numbers by the numbers: `line 2` before `line 10`.
fn by_number(name: &str) -> (String, u64, String) {
    let start = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let rest = &name[start..];
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (name[..start].to_string(), rest[..end].parse().unwrap_or(0), rest[end..].to_string())
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
    let messages = dispatch.messages(&made);
    let lanes = lanes(&made, dispatch, &messages);
    let lane = |name: Option<String>| lanes.iter().position(|lane| Some(lane) == name.as_ref());
    let unhandled = dispatch.unhandled(&made, &messages);
    let mut order: Vec<(usize, bool, usize, Option<usize>)> = messages
        .iter()
        .flat_map(|(sent, handled)| {
            let origin = sent.map(|sent| (made[sent].first, true, sent, Some(sent)));
            origin.into_iter().chain([(made[*handled].first, false, *handled, *sent)])
        })
        .collect();
    order.extend(unhandled.iter().map(|sent| (made[*sent].first, true, *sent, Some(*sent))));
    order.sort_unstable();
    let mut events: Vec<(usize, ChartEvent)> = Vec::new();
    let mut sent_events: Vec<(usize, usize)> = Vec::new();
    for (at, is_sent, call, sent) in order {
        let step = trace.steps[at].step;
        let sender = sent.and_then(|sent| lane(dispatch.lane_of_sender(&made, sent)));
        if let Some(from) = sender.filter(|_| is_sent) {
            let receiver = dispatch.send.as_ref().map(|send| send.receiver);
            let to = receiver.and_then(|to| lane(made[call].values().get(to).map(|to| dispatch.lane(to))));
            // A message of a party to itself comes from outside: it is shown where it is handled.
            if to != Some(from) {
                let mut label = dispatch.sent_label(&made[call]).join(", ");
                if unhandled.contains(&call) {
                    label.push_str(" (not handled)");
                }
                sent_events.push((call, events.len()));
                let kind = EventKind::Message(MessageKind::Sent);
                events.push((at, ChartEvent { step, lane: from, to: None, kind, label, from: None }));
            }
        } else if !is_sent {
            let value = made[call].values().get(dispatch.party).map(|value| dispatch.lane(value));
            let Some(to) = lane(value) else { continue };
            let origin = sent_events.iter().find(|(one, _)| Some(*one) == sent).map(|(_, event)| *event);
            let kind = EventKind::Message(MessageKind::Received);
            let label = match dispatch.handled_label(&made[call]) {
                label if label.is_empty() => made[call].call.function.clone(),
                label => label.join(", "),
            };
            events.push((at, ChartEvent { step, lane: to, to: None, kind, label, from: origin }));
        }
    }
    (lanes.len() > 1 || dispatch.is_declared && !lanes.is_empty()).then(|| {
        let events = with_property(trace, &made, dispatch, &lanes, events);
        Chart { lanes, events, cycle: trace.cycle, ending: ending(trace) }
    })
}

/// The parties of messages, in the order of their names.
fn lanes(made: &[Made<'_>], dispatch: &Dispatch, messages: &[(Option<usize>, usize)]) -> Vec<String> {
    let value =
        |at: usize, position: usize| made[at].values().get(position).map(|value| dispatch.lane(value));
    let of = |(sent, handled): &(Option<usize>, usize)| {
        let sender = sent.and_then(|sent| dispatch.lane_of_sender(made, sent));
        [sender, value(*handled, dispatch.party)]
    };
    let mut lanes: Vec<String> = messages.iter().flat_map(of).flatten().collect();
    // Messages that are not handled have parties, too.
    if let Some(send) = &dispatch.send {
        let sent = (0..made.len()).filter(|at| made[*at].call.function == send.function);
        lanes.extend(
            sent.flat_map(|at| [dispatch.lane_of_sender(made, at), value(at, send.receiver)]).flatten(),
        );
    }
    lanes.sort_by_key(|name| by_number(name));
    lanes.dedup();
    lanes
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
        let position = |name: &String| lanes.iter().position(|lane| lane == name);
        let handled = dispatch.lane_at(made, at).and_then(|own| position(&own));
        // Outside of the handler, a call that is under way names the party.
        let named = || {
            let under_way = made.iter().rev().filter(|one| one.first <= at && at <= one.last);
            under_way.flat_map(Made::values).find_map(|value| position(&dispatch.lane(value)))
        };
        handled.or_else(named).unwrap_or(0)
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
        let sending = Sending { function: "put".into(), sender: Some(1), receiver: 2 };
        assert_eq!((found.send.as_ref(), &*found.receive, found.party), (Some(&sending), "take", 2));
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

    /// The events of a chart: step, lane, label, and the event that an arrow begins at.
    fn events(chart: &Chart) -> Vec<(u64, usize, &str, Option<usize>)> {
        chart.events.iter().map(|one| (one.step, one.lane, &*one.label, one.from)).collect()
    }

    /// Timers with numbers: 0 is started from outside, and starts 10 while it handles its event.
    fn timers() -> Trace {
        Trace::of(vec![
            call(1, 0, "handle", &[("timer", "0"), ("event", "START")]),
            call(2, 1, "post", &[("id", "10"), ("event", "GO")]),
            call(3, 0, "handle", &[("timer", "10"), ("event", "GO")]),
            call(4, 0, "handle", &[("timer", "2"), ("event", "START")]),
        ])
    }

    #[test]
    fn declared_lanes_need_no_record_and_no_sender() {
        let mut trace = timers();
        let lanes = Lanes { handler: "handle".into(), party: "timer".into(), ..Lanes::default() };
        trace.lanes = Some(lanes.clone());
        let own = Dispatch::of(&trace).and_then(|found| chart(&trace, &found)).expect("a chart");
        assert_eq!(own.lanes, ["timer 0", "timer 2", "timer 10"]);
        assert_eq!(events(&own), [(1, 0, "START", None), (3, 2, "GO", None), (4, 1, "START", None)]);
        // With the function that appends, the party that handles a message meanwhile is the sender.
        let send = Some("post".to_string());
        trace.lanes = Some(Lanes { send, receiver: Some("id".into()), ..lanes });
        let own = Dispatch::of(&trace).and_then(|found| chart(&trace, &found)).expect("a chart");
        assert_eq!(
            events(&own),
            [(1, 0, "START", None), (2, 0, "GO", None), (3, 2, "GO", Some(1)), (4, 1, "START", None)]
        );
    }

    #[test]
    fn messages_that_are_not_handled_are_shown() {
        let mut trace = exchange();
        trace.steps.insert(4, call(5, 1, "put", &[("kind", "LOST"), ("from", "B"), ("to", "A")]));
        (5..trace.steps.len()).for_each(|at| trace.steps[at].step += 1);
        let own = Dispatch::of(&trace).and_then(|found| chart(&trace, &found)).expect("a chart");
        assert!(events(&own).contains(&(5, 1, "LOST (not handled)", None)), "{:?}", events(&own));
    }

    #[test]
    fn events_outside_of_the_handler_are_in_the_lane_that_a_call_names() {
        let mut trace = exchange();
        trace.steps.push(call(7, 0, "request", &[("who", "B")]));
        trace.steps.push(TraceStep { calls: Vec::new(), ..call(8, 1, "", &[]) });
        let events = vec![NamedEvent { name: "asked".into(), step: 8, forbidden: false }];
        trace.account = Some(Account { sentence: "sentence".into(), step: 8, events });
        let own = Dispatch::of(&trace).and_then(|found| chart(&trace, &found)).expect("a chart");
        assert_eq!(own.events.last().map(|event| (event.lane, &*event.label)), Some((1, "asked")));
    }

    #[test]
    fn a_declared_function_that_is_not_called_leaves_the_derived_lanes() {
        let mut trace = exchange();
        trace.lanes = Some(Lanes { handler: "other".into(), party: "p".into(), ..Lanes::default() });
        assert_eq!(Dispatch::of(&trace), Dispatch::of(&exchange()));
    }
}
