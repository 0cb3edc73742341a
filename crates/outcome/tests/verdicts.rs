//! The tables of `docs/theory/verdicts.md` are the cases of [`join`] and [`Verdict::overall`].

use axle_outcome::{
    Abstraction, Answer, Attempted, Confirmation, Contradiction, Counterexample, Label, Proof, Reason, Steps,
    Verdict, Witness, join,
};

const LABELS: [Label; 4] = [Label::EXACT, Label::OVER, Label::UNDER, Label::BOTH];
const CONFIRMATIONS: [Confirmation; 3] = [Confirmation::None, Confirmation::Real, Confirmation::Spurious];

/// The rows of the table with this first heading, cell by cell.
fn table(heading: &str) -> Vec<Vec<String>> {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/theory/verdicts.md");
    let page = std::fs::read_to_string(page).expect("the page exists");
    let lines = page.lines().skip_while(|line| !line.starts_with(&format!("| {heading} |"))).skip(2);
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect();
    let rows: Vec<Vec<String>> = lines.take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(!rows.is_empty(), "no table `{heading}`");
    rows
}

/// The cells behind the first row whose conditions all match; each combination has exactly one such row.
fn expected(rows: &[Vec<String>], case: &[&str], used: &mut [bool]) -> Vec<String> {
    let is_met = |(condition, value): (&String, &&str)| {
        condition == "any" || condition.split(", ").any(|one| one == *value)
    };
    let met: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].iter().zip(case).all(is_met)).collect();
    let [row] = met[..] else { panic!("{case:?} is in {} rows", met.len()) };
    used[row] = true;
    rows[row][case.len()..].to_vec()
}

fn name(shape: Counterexample) -> &'static str {
    match shape {
        Counterexample::Prefix => "prefix",
        Counterexample::Cycle => "cycle",
        Counterexample::Blocked => "blocked",
        Counterexample::FairCycle => "fair cycle",
    }
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// The stable name of a reason.
fn kind(reason: &Reason) -> String {
    let json = serde_json::to_value(reason).expect("a reason has a JSON form");
    json["kind"].as_str().expect("a reason has a kind").to_string()
}

fn proved(excludes: Counterexample) -> Answer {
    Answer::Proved(Proof { excludes, ..Proof::EXHAUSTIVE })
}

fn refuted(shape: Counterexample) -> Answer {
    Answer::Refuted(Witness { shape, steps: Steps::Absent })
}

/// All answers: the name in the table, and the counterexample.
fn answers() -> Vec<(&'static str, Counterexample, Answer)> {
    let mut all = vec![("open", Counterexample::Prefix, Answer::Open(Reason::NotStarted))];
    all.extend(Counterexample::ALL.map(|shape| ("proved", shape, proved(shape))));
    all.extend(Counterexample::ALL.map(|shape| ("refuted", shape, refuted(shape))));
    all
}

/// Every answer under every combination of labels and confirmation.
fn cases() -> Vec<([&'static str; 6], Attempted)> {
    let mut all = Vec::new();
    for (kind, shape, answer) in answers() {
        for confirmation in CONFIRMATIONS {
            for executed in LABELS {
                for rest in LABELS {
                    let rows = executed.join(rest);
                    let confirmed = match confirmation {
                        Confirmation::None => "none",
                        Confirmation::Real => "real",
                        Confirmation::Spurious => "spurious",
                    };
                    for (unblocks, observes_absence) in
                        [(false, false), (false, true), (true, false), (true, true)]
                    {
                        let shape = match (observes_absence, shape) {
                            (true, Counterexample::Prefix) => Counterexample::Blocked,
                            (true, Counterexample::Cycle) => Counterexample::FairCycle,
                            (_, shape) => shape,
                        };
                        let (over, under) = (yes(executed.over), yes(rows.under));
                        let case = [kind, name(shape), confirmed, over, yes(unblocks), under];
                        let abstraction = Abstraction {
                            rows,
                            executed,
                            confirmation,
                            unblocks,
                            observes_absence,
                            ..Abstraction::default()
                        };
                        all.push((case, Attempted { answer: answer.clone(), abstraction }));
                    }
                }
            }
        }
    }
    all
}

/// The verdict and the reason, as the tables name them.
fn shown(answer: &Result<Answer, Contradiction>) -> [String; 2] {
    match answer {
        Err(Contradiction) => ["internal error".into(), "-".into()],
        Ok(Answer::Open(reason)) => ["unknown".into(), kind(reason)],
        Ok(answer) => [answer.verdict().name().into(), "-".into()],
    }
}

#[test]
fn one_answer_under_all_labels() {
    let rows = table("answer");
    let mut used = vec![false; rows.len()];
    for (case, attempt) in cases() {
        let mut expected = expected(&rows, &case, &mut used);
        if expected[1] == "its own" {
            expected[1] = kind(&Reason::NotStarted);
        }
        assert_eq!(shown(&join([attempt])).to_vec(), expected, "{case:?}");
    }
    assert!(used.iter().all(|used| *used), "a row of the table has no case");
}

#[test]
fn all_sequences_of_three_answers() {
    let rows = table("proved | refuted");
    let mut used = vec![false; rows.len()];
    // One attempt for each line of the first table, and none.
    let mut seen = Vec::new();
    let mut distinct = vec![None];
    for (_, attempt) in cases() {
        let [verdict, reason] = shown(&join([attempt.clone()]));
        if !seen.contains(&(verdict.clone(), reason.clone())) {
            seen.push((verdict, reason));
            distinct.push(Some(attempt));
        }
    }
    assert!(distinct.len() > 6);
    for one in &distinct {
        for two in &distinct {
            for three in &distinct {
                let attempts: Vec<Attempted> = [one, two, three].into_iter().flatten().cloned().collect();
                let alone: Vec<[String; 2]> =
                    attempts.iter().map(|attempt| shown(&join([attempt.clone()]))).collect();
                let any = |verdict: &str| alone.iter().any(|one| one[0] == verdict);
                let case = [yes(any("holds")), yes(any("violated")), yes(any("unknown"))];
                let mut expected = expected(&rows, &case, &mut used);
                if expected[1] == "the first" {
                    let real = alone.iter().find(|one| one[1] != "spurious").unwrap_or(&alone[0]);
                    expected[1].clone_from(&real[1]);
                }
                assert_eq!(shown(&join(attempts)).to_vec(), expected, "{alone:?}");
            }
        }
    }
    assert!(used.iter().all(|used| *used), "a row of the table has no case");
}

#[test]
fn the_verdict_of_all_properties() {
    let rows = table("some violated");
    let mut used = vec![false; rows.len()];
    let all = [None, Some(Verdict::Holds), Some(Verdict::Violated), Some(Verdict::Unknown)];
    for one in all {
        for two in all {
            let verdicts: Vec<Verdict> = [one, two].into_iter().flatten().collect();
            let any = |verdict| yes(verdicts.contains(&verdict));
            let case = [any(Verdict::Violated), any(Verdict::Unknown), any(Verdict::Holds)];
            let expected = expected(&rows, &case, &mut used);
            assert_eq!([Verdict::overall(verdicts).name()], expected[..], "{case:?}");
        }
    }
    assert!(used.iter().all(|used| *used), "a row of the table has no case");
}

/// Systems of two states over the steps of two processes, as sets of transitions: the rule is right if, for
/// each pair of a program and a model whose transitions differ as the labels allow, a counterexample of
/// the model is one of the program, and a proof is one for the program, where the rule says so.
#[test]
fn the_rule_follows_from_the_definition_of_the_labels() {
    // A transition is (from, process, to); a system is a set of them, as bits.
    let transitions: Vec<(usize, usize, usize)> =
        (0..2).flat_map(|from| (0..2).flat_map(move |by| (0..2).map(move |to| (from, by, to)))).collect();
    let can_move = |system: u32, from: usize, by: usize| {
        let of = |(bit, one): (usize, &(usize, usize, usize))| {
            system >> bit & 1 == 1 && (one.0, one.1) == (from, by)
        };
        transitions.iter().enumerate().any(of)
    };
    // A path of one step, or a cycle of one, from state 0.
    let is = |of: Counterexample, system: u32, bit: usize| {
        let (from, by, to) = transitions[bit];
        let there = system >> bit & 1 == 1 && from == 0;
        match of {
            Counterexample::Prefix => there,
            Counterexample::Blocked => there && (0..2).all(|by| !can_move(system, to, by)),
            Counterexample::Cycle => there && to == 0,
            Counterexample::FairCycle => there && to == 0 && !can_move(system, 0, 1 - by),
        }
    };
    for model in 0..256u32 {
        for program in 0..256u32 {
            let (added, missing) = (model & !program, program & !model);
            let rows = Label { over: added != 0, under: missing != 0 };
            let is_freed = |from, by| can_move(model, from, by) && !can_move(program, from, by);
            let unblocks = (0..2).any(|from| (0..2).any(|by| is_freed(from, by)));
            let verdict = |answer: Answer, executed: Label| {
                let abstraction = Abstraction { rows, executed, unblocks, ..Abstraction::default() };
                join([Attempted { answer, abstraction }]).map(|answer| answer.verdict())
            };
            for of in Counterexample::ALL {
                let bits = 0..transitions.len();
                if verdict(proved(of), Label::EXACT) == Ok(Verdict::Holds)
                    && bits.clone().all(|bit| !is(of, model, bit))
                {
                    assert!(bits.clone().all(|bit| !is(of, program, bit)), "{of:?} {model:b} {program:b}");
                }
                for bit in bits {
                    let executed = Label { over: added >> bit & 1 == 1, under: false };
                    if is(of, model, bit) && verdict(refuted(of), executed) == Ok(Verdict::Violated) {
                        assert!(is(of, program, bit), "{of:?} {model:b} {program:b} {bit}");
                    }
                }
            }
        }
    }
}
