//! Exported files: each is read by a small reader of its format and simulated beside the model.

use std::collections::HashMap;
use std::process::Command;

use axle_decide::circuit::Circuit;
use axle_decide::export::{aiger_ascii, aiger_binary, btor2};
use axle_decide::model::Problem;
use axle_decide::pdr;
use axle_decide::system::Cause;
use axle_decide::{answer::Answer, term::mask};
use axle_outcome::{FaultKind, Limits, Stop};
use axle_relation::{Evaluation, Relation};

use crate::cases;
use crate::models::{random_models, relation};
use crate::random::Random;

/// A machine read from a file: values by name.
pub trait Machine {
    fn values(&self) -> HashMap<String, u128>;
    /// The bad conditions by name.
    fn bads(&mut self) -> HashMap<String, bool>;
    fn step(&mut self, inputs: &HashMap<String, u128>);
    /// The signals of each justice condition with its name, and those of fairness.
    fn signals(&self, inputs: &HashMap<String, u128>) -> (Vec<(String, Vec<bool>)>, Vec<bool>);
}

/// An AIGER file.
pub struct Aiger {
    inputs: Vec<(u32, String)>,
    latches: Vec<(u32, u32, bool, String)>,
    bads: Vec<(u32, String)>,
    justice: Vec<(Vec<u32>, String)>,
    fairness: Vec<u32>,
    ands: Vec<(u32, u32, u32)>,
    state: Vec<bool>,
}

impl Aiger {
    pub fn read(bytes: &[u8]) -> Aiger {
        let mut at = 0;
        let line = |at: &mut usize| -> String {
            let end = bytes[*at..].iter().position(|byte| *byte == b'\n').expect("a line") + *at;
            let text = String::from_utf8(bytes[*at..end].to_vec()).expect("text");
            *at = end + 1;
            text
        };
        let numbers = |text: &str| -> Vec<u32> {
            text.split(' ')
                .skip(usize::from(text.starts_with('a')))
                .map(|n| n.parse().expect("a number"))
                .collect()
        };
        let header = line(&mut at);
        let is_binary = header.starts_with("aig ");
        let mut sizes = numbers(&header);
        sizes.resize(9, 0);
        let [most, inputs, latches, outputs, ands, bads, constraints, justice, fairness] = sizes[..] else {
            panic!("{header}")
        };
        assert_eq!((outputs, constraints), (0, 0));
        assert_eq!(most, inputs + latches + ands);
        let none = String::new;
        let mut read = Aiger {
            inputs: (0..inputs).map(|index| (2 * index + 2, none())).collect(),
            latches: Vec::new(),
            bads: Vec::new(),
            justice: Vec::new(),
            fairness: Vec::new(),
            ands: Vec::new(),
            state: Vec::new(),
        };
        for index in 0..if is_binary { 0 } else { inputs } {
            assert_eq!(numbers(&line(&mut at)), [2 * index + 2]);
        }
        for index in 0..latches {
            let own = 2 * (inputs + index) + 2;
            let mut row = numbers(&line(&mut at));
            if !is_binary {
                assert_eq!(row.remove(0), own);
            }
            read.latches.push((own, row[0], row[1] == 1, none()));
            read.state.push(row[1] == 1);
        }
        for _ in 0..bads {
            read.bads.push((numbers(&line(&mut at))[0], none()));
        }
        let sizes: Vec<u32> = (0..justice).map(|_| numbers(&line(&mut at))[0]).collect();
        for size in sizes {
            let signals = (0..size).map(|_| numbers(&line(&mut at))[0]).collect();
            read.justice.push((signals, none()));
        }
        read.fairness.extend((0..fairness).map(|_| numbers(&line(&mut at))[0]));
        for index in 0..ands {
            let own = 2 * (inputs + latches + index) + 2;
            if is_binary {
                let delta = |at: &mut usize| {
                    let (mut number, mut shift) = (0, 0);
                    loop {
                        let byte = bytes[*at];
                        *at += 1;
                        number |= u32::from(byte & 0x7f) << shift;
                        shift += 7;
                        if byte & 0x80 == 0 {
                            return number;
                        }
                    }
                };
                let high = own - delta(&mut at);
                read.ands.push((own, high, high - delta(&mut at)));
            } else {
                let row = numbers(&line(&mut at));
                assert_eq!(row[0], own);
                read.ands.push((own, row[1], row[2]));
            }
        }
        while at < bytes.len() {
            let symbol = line(&mut at);
            let (place, name) = symbol.split_once(' ').expect("a symbol");
            let index: usize = place[1..].parse().expect("a position");
            match &place[..1] {
                "i" => read.inputs[index].1 = name.to_owned(),
                "l" => read.latches[index].3 = name.to_owned(),
                "b" => read.bads[index].1 = name.to_owned(),
                "j" => read.justice[index].1 = name.to_owned(),
                other => panic!("symbol {other}"),
            }
        }
        read
    }

    fn simulate(&self, inputs: &HashMap<String, u128>) -> Vec<bool> {
        let most = self.inputs.len() + self.latches.len() + self.ands.len();
        let mut values = vec![false; most + 1];
        for (literal, name) in &self.inputs {
            let (word, bit) = name.rsplit_once('.').expect("a bit");
            let value = inputs.get(word).copied().unwrap_or_default();
            values[*literal as usize / 2] = value >> bit.parse::<u32>().expect("a bit") & 1 == 1;
        }
        for ((literal, ..), value) in self.latches.iter().zip(&self.state) {
            values[*literal as usize / 2] = *value;
        }
        for (own, a, b) in &self.ands {
            values[*own as usize / 2] = of(&values, *a) && of(&values, *b);
        }
        values
    }
}

fn of(values: &[bool], literal: u32) -> bool {
    values[literal as usize / 2] != (literal % 2 == 1)
}

impl Machine for Aiger {
    fn values(&self) -> HashMap<String, u128> {
        let mut words = HashMap::new();
        for ((.., name), value) in self.latches.iter().zip(&self.state) {
            let (word, bit) = name.rsplit_once('.').expect("a bit");
            *words.entry(word.to_owned()).or_default() |=
                u128::from(*value) << bit.parse::<u32>().expect("a bit");
        }
        words
    }

    fn bads(&mut self) -> HashMap<String, bool> {
        let values = self.simulate(&HashMap::new());
        self.bads.iter().map(|(literal, name)| (name.clone(), of(&values, *literal))).collect()
    }

    fn step(&mut self, inputs: &HashMap<String, u128>) {
        let values = self.simulate(inputs);
        self.state = self.latches.iter().map(|(_, next, ..)| of(&values, *next)).collect();
    }

    fn signals(&self, inputs: &HashMap<String, u128>) -> (Vec<(String, Vec<bool>)>, Vec<bool>) {
        let values = self.simulate(inputs);
        let all = |signals: &[u32]| signals.iter().map(|signal| of(&values, *signal)).collect();
        let justice = self.justice.iter().map(|(signals, name)| (name.clone(), all(signals)));
        (justice.collect(), all(&self.fairness))
    }
}

/// A BTOR2 file: the words of each line, by number.
pub struct Btor2 {
    lines: Vec<Vec<String>>,
    state: HashMap<usize, u128>,
}

impl Btor2 {
    pub fn read(text: &str) -> Btor2 {
        let mut lines = vec![Vec::new()];
        for (index, line) in text.lines().enumerate() {
            let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(words.remove(0), (index + 1).to_string(), "lines are numbered");
            lines.push(words);
        }
        let mut read = Btor2 { lines, state: HashMap::new() };
        let values = read.evaluate(&HashMap::new());
        for line in read.lines.clone().iter().filter(|line| line.first().is_some_and(|op| op == "init")) {
            read.state.insert(number(&line[2]), values[number(&line[3])]);
        }
        read
    }

    fn evaluate(&self, inputs: &HashMap<String, u128>) -> Vec<u128> {
        let mut values: Vec<u128> = vec![0; self.lines.len()];
        for (index, line) in self.lines.iter().enumerate().skip(1) {
            let width = |at: usize| -> u8 {
                let sort = number(&self.lines[at][1]);
                self.lines[sort][2].parse().expect("a width")
            };
            let arg = |at: usize| values[number(&line[at])];
            values[index] = match line[0].as_str() {
                "sort" | "init" | "next" | "bad" | "justice" | "fair" => continue,
                "const" => u128::from_str_radix(&line[2], 2).expect("a number"),
                "state" => self.state.get(&index).copied().unwrap_or_default(),
                "input" => inputs.get(&line[2]).copied().unwrap_or_default(),
                "not" => !arg(2),
                "neg" => arg(2).wrapping_neg(),
                "ite" => [arg(4), arg(3)][arg(2) as usize],
                "slice" => {
                    let (high, low) = (number(&line[3]), number(&line[4]));
                    assert_eq!(high - low + 1, usize::from(width(index)), "{line:?}");
                    assert!(high < usize::from(width(number(&line[2]))), "{line:?}");
                    arg(2) >> low
                }
                "uext" | "sext"
                    if number(&line[3]) + usize::from(width(number(&line[2])))
                        != usize::from(width(index)) =>
                {
                    panic!("{line:?}")
                }
                "uext" => arg(2),
                "sext" => axle_decide::term::signed(width(number(&line[2])), arg(2)) as u128,
                op => {
                    use axle_decide::term::BinaryOp as Op;
                    let all = [
                        ("and", Op::And),
                        ("or", Op::Or),
                        ("xor", Op::Xor),
                        ("add", Op::Add),
                        ("mul", Op::Mul),
                        ("udiv", Op::UDiv),
                        ("urem", Op::URem),
                        ("sdiv", Op::SDiv),
                        ("srem", Op::SRem),
                        ("sll", Op::Shl),
                        ("srl", Op::LShr),
                        ("sra", Op::AShr),
                        ("eq", Op::Eq),
                        ("ult", Op::ULt),
                        ("slt", Op::SLt),
                        ("concat", Op::Concat),
                    ];
                    let op = all.iter().find(|(name, _)| *name == op).expect("an operator").1;
                    axle_decide::evaluate::binary(op, width(number(&line[3])), arg(2), arg(3))
                }
            } & mask(width(index));
        }
        values
    }

    fn of_kind(&self, kind: &str) -> Vec<Vec<String>> {
        self.lines.iter().filter(|line| line.first().is_some_and(|op| op == kind)).cloned().collect()
    }
}

fn number(word: &str) -> usize {
    word.parse().expect("a number")
}

impl Machine for Btor2 {
    fn values(&self) -> HashMap<String, u128> {
        let states = self.state.iter();
        states.map(|(index, value)| (self.lines[*index][2].clone(), *value)).collect()
    }

    fn bads(&mut self) -> HashMap<String, bool> {
        let values = self.evaluate(&HashMap::new());
        self.of_kind("bad").iter().map(|line| (line[2].clone(), values[number(&line[1])] == 1)).collect()
    }

    fn step(&mut self, inputs: &HashMap<String, u128>) {
        let values = self.evaluate(inputs);
        for line in self.of_kind("next") {
            self.state.insert(number(&line[2]), values[number(&line[3])]);
        }
    }

    fn signals(&self, inputs: &HashMap<String, u128>) -> (Vec<(String, Vec<bool>)>, Vec<bool>) {
        let values = self.evaluate(inputs);
        let justice = self.of_kind("justice").into_iter().map(|line| {
            let count = number(&line[1]);
            assert_eq!(line.len(), count + 3, "{line:?}");
            (line[count + 2].clone(), line[2..count + 2].iter().map(|at| values[number(at)] == 1).collect())
        });
        let fairness = self.of_kind("fair").into_iter().map(|line| values[number(&line[1])] == 1);
        (justice.collect(), fairness.collect())
    }
}

/// The bad conditions of the relation in a state, by the names of the export; endless sequences apart.
fn expected(problem: &Problem, relation: &Relation, state: &[i64]) -> HashMap<String, bool> {
    let mut evaluation = Evaluation::default();
    evaluation.begin(&relation.terms);
    let mut holds = |condition| evaluation.holds(&relation.terms, state, condition);
    let mut bads = HashMap::new();
    for bad in &problem.system.bads {
        let Cause::Fault { kind, pid, edge } = bad.cause else {
            let beyond = relation.groups.iter().any(|group| holds(group.enabled) && holds(group.beyond));
            bads.insert("beyond-the-limit-of-processes".to_owned(), beyond);
            continue;
        };
        let name = match edge {
            None => format!("{}:{pid}", kind.name()),
            Some(edge) => format!("{}:{pid}:{}", kind.name(), edge.0),
        };
        let same = |fault: &&axle_relation::Fault| (fault.kind, fault.pid, fault.edge) == (kind, pid, edge);
        let of_states = relation.initial_faults.iter().chain(&relation.faults).chain(&relation.ends);
        let mut is_bad = of_states.filter(same).any(|fault| holds(fault.condition));
        for group in &relation.groups {
            let is_fault = group.faults.iter().filter(same).any(|fault| holds(fault.condition));
            is_bad |= is_fault && holds(group.enabled) && !holds(group.beyond);
        }
        is_bad |= kind == FaultKind::DeterministicBlocks
            && relation.blocked_sequences.iter().any(|(of, blocked)| *of == pid && holds(*blocked));
        bads.insert(name, is_bad);
    }
    bads
}

/// Walks at random through a machine and the model.
fn walk(
    machine: &mut dyn Machine,
    problem: &Problem,
    relation: &Relation,
    random: &mut Random,
) -> Result<usize, String> {
    let mut state = relation.initial.clone();
    let mut evaluation = Evaluation::default();
    let mut steps = 0;
    for step in 0..12 {
        let values = machine.values();
        for (variable, value) in problem.system.states.iter().zip(&state) {
            let here = values.get(&variable.name).copied();
            let there = *value as u128 & mask(variable.ty.bits);
            if here != Some(there) {
                return Err(format!("step {step}: {} is {here:?}, not {there}", variable.name));
            }
        }
        let bads = machine.bads();
        for (name, is_bad) in expected(problem, relation, &state) {
            let here = bads.get(&name).copied();
            if here != Some(is_bad) && !name.starts_with(FaultKind::EndlessSequence.name()) {
                return Err(format!("step {step}: {name} is {here:?}, not {is_bad}"));
            }
        }
        evaluation.begin(&relation.terms);
        let mut enabled = Vec::new();
        for index in 0..relation.groups.len() {
            let group = &relation.groups[index];
            if evaluation.holds(&relation.terms, &state, group.enabled)
                && !evaluation.holds(&relation.terms, &state, group.beyond)
            {
                enabled.push(index);
            }
        }
        let Some(index) = (!enabled.is_empty()).then(|| enabled[random.below(enabled.len() as u64) as usize])
        else {
            break;
        };
        let mut next = state.clone();
        for (variable, value) in &relation.groups[index].updates {
            next[variable.index()] = evaluation.value(&relation.terms, &state, *value);
        }
        let (process, alternative) = problem.selector(index as u32);
        let inputs = [("_process", process), ("_alternative", alternative)];
        machine.step(&inputs.map(|(name, value)| (name.to_owned(), value.into())).into());
        state = next;
        steps += 1;
    }
    Ok(steps)
}

#[test]
fn files_and_models_agree() {
    let mut random = Random::new(77);
    let (mut wrong, mut steps, mut models) = (Vec::new(), 0, 0);
    for (name, model) in random_models(23, cases("AXLE_DECIDE_EXPORTS", 80)) {
        let Some(relation) = relation(&model) else { continue };
        let problem = Problem::new(&model, &relation);
        let all: Vec<usize> = (0..problem.system.bads.len()).collect();
        let circuit = Circuit::whole(&problem.system, &all);
        let ascii = aiger_ascii(&problem.system, &circuit);
        let machines: [(&str, Box<dyn Machine>); 3] = [
            ("aag", Box::new(Aiger::read(ascii.as_bytes()))),
            ("aig", Box::new(Aiger::read(&aiger_binary(&problem.system, &circuit)))),
            ("btor2", Box::new(Btor2::read(&btor2(&problem.system)))),
        ];
        models += 1;
        for (format, mut machine) in machines {
            match walk(&mut *machine, &problem, &relation, &mut random) {
                Ok(walked) => steps += walked,
                Err(why) => wrong.push(format!("{name} as {format}: {why}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {models}\n{}", wrong.len(), wrong[0]);
    assert!(models > 50 && steps > 500, "{models} models, {steps} steps");
}

/// ABC reads the files and decides as PDR does here.
#[test]
fn answers_of_abc() {
    let file = std::env::temp_dir().join(format!("axle-decide-{}.aig", std::process::id()));
    let (mut agreed, mut holds) = (0, 0);
    for (name, model) in random_models(31, cases("AXLE_DECIDE_ABC", 40)) {
        let Some(relation) = relation(&model) else { continue };
        let problem = Problem::new(&model, &relation);
        let all: Vec<usize> = (0..problem.system.bads.len()).collect();
        let circuit = Circuit::new(&problem.system, &all);
        if circuit.targets().next().is_none() || circuit.latches.is_empty() {
            continue;
        }
        let begin = std::time::Instant::now();
        let mut poll = |_| (begin.elapsed().as_secs() > 2).then_some(Stop::Time);
        let answer = pdr::prove(&circuit, &problem.facts, &Limits::default(), &mut poll);
        std::fs::write(&file, aiger_binary(&problem.system, &circuit)).expect("a file is written");
        let script = format!("read {}; orpos; pdr -T 10", file.display());
        let Ok(output) = Command::new("berkeley-abc").args(["-q", &script]).output() else {
            eprintln!("skipped: ABC is not installed");
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let theirs = match (text.contains("Property proved"), text.contains("was asserted in frame")) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        let ours = match answer {
            Answer::Holds(_) => Some(true),
            Answer::Violated(_) => Some(false),
            Answer::Unknown(_) => None,
        };
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            assert_eq!(ours, theirs, "{name}: {text}");
            agreed += 1;
            holds += usize::from(ours);
        } else if ours.is_some() {
            panic!("{name}: ABC says {text}");
        }
    }
    let _ = std::fs::remove_file(&file);
    println!("{agreed} answers of ABC, {holds} proofs");
    assert!(agreed > 15, "{agreed} models");
}
