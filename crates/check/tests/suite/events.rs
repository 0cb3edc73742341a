//! Event traces, with the verdict that Spin 6.5.2 gives where its verifier can follow them.

use crate::promela::model;

use axle_check::{Config, Verdict, check};
use axle_search::Silent;

/// What is watched, what the processes do, and whether the trace is broken.
const CASES: [(&str, &str, bool); 16] = [
    // Receives are not looked at where the trace has none.
    ("trace { do :: c!1 od }", "c!1; c?x; c!1; c?x", false),
    ("trace { do :: c!1; c?1 od }", "c!1; c?x; c!1; c?x", false),
    ("trace { do :: c!1; c?1 od }", "c!1; c?x; c!2; c?x", true),
    ("trace { c!_; c?1 }", "c!1; c?x", false),
    // After its end nothing more may come, but it need not come to its end.
    ("trace { c!1 }", "c!1; c?x; c!1", true),
    ("trace { c!1; c!2 }", "c!1; c?x", false),
    // What has left the path of a notrace is free.
    ("notrace { c!1; c!2 }", "c!3; c?x; c!1; c?x; c!2", false),
    ("notrace { c!1; c!2 }", "c!1; c?x; c!1; c?x; c!2", false),
    ("notrace { c!1; c!2 }", "c!1; c?x; c!2", true),
    // A choice is followed both ways.
    ("trace { if :: c!1 -> c!2 :: c!1 -> c!3 fi }", "c!1; c?x; c!3", false),
    ("trace { if :: c!1 -> c!2 :: c!1 -> c!3 fi }", "c!1; c?x; c!4", true),
    ("trace { do :: c!_; d!_ od }", "c!1; d!1; d!1", true),
    ("trace { do :: c!1 :: c!2 od }", "c!!2; c!!1; c??2", false),
    // Values as they are stored: 257 is 1 in a byte.
    ("trace { do :: c!1 od }", "c!257; c?x", false),
    // A handshake is a send and then a receive.
    ("trace { do :: r!1; r?1 od }", "run Q(); r!1; r!1", false),
    ("trace { do :: r!1; r!2 od }", "run Q(); r!1; r!1", true),
];

#[test]
fn traces_are_followed() {
    for (trace, body, broken) in CASES {
        let text = format!(
            "chan c = [2] of {{ byte }}; chan d = [2] of {{ byte }}; chan r = [0] of {{ byte }};
             proctype Q() {{ byte y; r?y; r?y }}
             {trace}
             active proctype P() {{ byte x; {body} }}"
        );
        let model = model(&text);
        let name = model.properties[0].name.clone();
        let config = Config { only: Some([name].into()), ..Config::default() };
        let report = check(&model, &config, &mut Silent).report;
        assert_eq!(report.internal, None, "{trace} {body}");
        let said = report.properties.iter().find(|p| p.name == model.properties[0].name);
        let wanted = if broken { Verdict::Violated } else { Verdict::Holds };
        assert_eq!(said.map(|p| p.verdict), Some(wanted), "{trace} {body}");
    }
}
