//! Tests of the verifier: certificates that are accepted, and several hundred that must be
//! rejected. Every kind of corruption and of false claim is covered, with recomputed checksums
//! where an attacker would recompute them.

use std::collections::{BTreeMap, HashSet};
use std::io::Cursor;
use std::sync::Arc;

use axle_model::Model;
use axle_model::dump::fingerprint;
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_step::{Batch, FaultKind, Interpreter, Options, Successors};

use crate::format::{Account, Claim, HEAD, Head, Refused};
use crate::record::Recorder;
use crate::verify::{Certified, Engine, How, verify};

const LOCK: &str = "byte turn, inside; bool flag[2];
active [2] proctype P() { again: flag[_pid] = 1; turn = _pid;
  (flag[1 - _pid] == 0 || turn == 1 - _pid); inside++; assert(inside == 1); inside--; flag[_pid] = 0; goto again }";

const FAMILY: &str = "chan q = [2] of { byte, bit }; chan r = [0] of { mtype }; mtype = { yes, no }; byte sum;
proctype Child(byte n; chan own) { own!n,1; r!yes }
active proctype Parent() { byte n, k; chan c = [1] of { byte, bit };
  do :: n < 3 -> n++; run Child(n, c); c?k,_; atomic { sum = sum + k; q!k,0; q?_,_ }; r?yes :: n == 3 -> break od;
  assert(sum == 6) }";

/// A model with an assertion that fails.
const WRONG: &str = "byte x; active [2] proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od; assert(false) }
active proctype Q() { end: do :: assert(x != 4) od }";

fn model(text: &str) -> Arc<Model> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("model.pml", text);
    let options = axle_promela::Options::default();
    let loader = MemoryLoader::default();
    let model = axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics);
    Arc::new(model.expect("the text is right"))
}

/// The content of a certificate.
#[derive(Clone)]
struct Said {
    claim: Claim,
    states: Vec<Vec<u8>>,
    width: usize,
    steps: u64,
    slots: usize,
}

/// The correct certificate of a model.
fn truth(model: &Arc<Model>, excludes: &[FaultKind]) -> Said {
    let options = Options { truncation: true, messages_left: true, ..Options::default() };
    let mut interpreter = Interpreter::new(Arc::clone(model), options);
    let mut states = vec![interpreter.initial(&mut Vec::new())];
    let mut seen: HashSet<Vec<u8>> = states.iter().cloned().collect();
    let (mut next, mut steps, mut batch) = (0, 0, Batch::default());
    while next < states.len() {
        if let Err(grow) = interpreter.expand(&states[next], &mut batch) {
            interpreter.grow(grow.size);
            states.iter_mut().for_each(|state| state.resize(interpreter.layout().width(), 0));
            seen = states.iter().cloned().collect();
            continue;
        }
        steps += u64::from(batch.ends[0]);
        let successors = batch.states.chunks_exact(interpreter.layout().width());
        states.extend(successors.filter(|state| seen.insert(state.to_vec())).map(<[u8]>::to_vec));
        next += 1;
    }
    let claim = Claim {
        axle: "0".into(),
        model: "model.pml".into(),
        arguments: vec!["-DN=3".into()],
        fingerprint: fingerprint(model),
        excludes: excludes.iter().copied().collect(),
    };
    Said {
        claim,
        states,
        width: interpreter.layout().width(),
        steps,
        slots: interpreter.layout().slots.len(),
    }
}

impl Said {
    fn file(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut recorder = Recorder::new(&mut out, &self.claim);
        recorder.note(&self.states.concat(), self.width, self.steps);
        recorder.finish(self.slots).expect("memory takes all");
        out
    }

    /// The same content with a modified account.
    fn accounted(&self, change: impl FnOnce(&mut Account)) -> Vec<u8> {
        let mut file = self.file();
        let (mut account, begin) = Account::read(&mut Cursor::new(&file)).expect("it was written so");
        change(&mut account);
        file.truncate(begin as usize);
        let inside = account.bytes();
        file.extend(Head { states: 0, width: account.base.len() as u32 }.bytes(&inside));
        file.extend(inside);
        file.extend(begin.to_le_bytes());
        file
    }

    fn changed(&self, change: impl FnOnce(&mut Said)) -> Vec<u8> {
        let mut said = self.clone();
        change(&mut said);
        said.file()
    }
}

fn ask(model: &Arc<Model>, file: &[u8]) -> Result<Certified, Refused> {
    let interpreted = verify(model, &mut Cursor::new(file), How { engine: Engine::Interpreter, threads: 1 });
    for (engine, threads) in [(Engine::Interpreter, 3), (Engine::Compiled, 1), (Engine::Compiled, 2)] {
        let other = verify(model, &mut Cursor::new(file), How { engine, threads });
        assert_eq!(other, interpreted, "{engine:?}, {threads} threads");
    }
    interpreted
}

const ON_REQUEST: [FaultKind; 2] = [FaultKind::Truncation, FaultKind::MessagesLeft];

#[test]
fn true_certificates_are_accepted() {
    for (text, excludes) in [
        (LOCK, &[][..]),
        (FAMILY, &[]),
        (WRONG, &[FaultKind::Assertion, FaultKind::Truncation]),
        ("init { skip }", &[]),
        ("chan c = [1] of { byte }; active proctype P() { c!1 }", &[FaultKind::MessagesLeft]),
    ] {
        let model = model(text);
        let said = truth(&model, excludes);
        let certified = ask(&model, &said.file()).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!((certified.states, certified.steps), (said.states.len() as u64, said.steps));
        assert_eq!(certified.claim, said.claim);
        // Excluding more kinds of faults than necessary is allowed.
        let less = said.changed(|said| said.claim.excludes.extend([FaultKind::DivisionByZero]));
        assert!(ask(&model, &less).is_ok());
        // The order of states is irrelevant.
        assert!(ask(&model, &said.changed(|said| said.states.reverse())).is_ok());
    }
}

#[test]
fn what_goes_wrong_is_told_and_where() {
    let wrong = model(WRONG);
    let why = ask(&wrong, &truth(&wrong, &ON_REQUEST).file()).expect_err("an assertion fails");
    let Refused::Fault { kind: FaultKind::Assertion, state } = &why else { panic!("{why}") };
    assert!(state.contains("x = 4"), "{state}");
    let lock = model(LOCK);
    let said = truth(&lock, &[]);
    let why = ask(&lock, &said.changed(|said| drop(said.states.remove(5)))).expect_err("missing state");
    assert!(matches!(why, Refused::NotClosed(_)), "{why}");
}

/// All false certificates with their models, by kind of error.
fn falsehoods() -> Vec<(&'static str, Arc<Model>, Vec<u8>)> {
    let mut all = Vec::new();
    for (text, other) in
        [(LOCK, LOCK.replace("turn = _pid", "turn = 1 - _pid")), (FAMILY, FAMILY.replace("n < 3", "n < 2"))]
    {
        let model = model(text);
        let said = truth(&model, &[]);
        let file = said.file();
        let count = said.states.len();
        let mut add = |kind, file: Vec<u8>| all.push((kind, Arc::clone(&model), file));

        for index in (0..count).step_by((count / 15).max(1)) {
            add("missing state", said.changed(|said| drop(said.states.remove(index))));
            add("duplicate state", said.changed(|said| said.states.push(said.states[index].clone())));
            let bit = index * 7 % (8 * said.width);
            add("changed bit of a state", said.changed(|said| said.states[index][bit / 8] ^= 1 << (bit % 8)));
            let from = (index + 1) % count;
            add("replaced state", said.changed(|said| said.states[index] = said.states[from].clone()));
        }
        for part in 1..8 {
            add("missing half of the states", said.changed(|said| said.states.truncate(count * part / 8)));
            let at = part * file.len() / 8;
            add("truncated file", file[..at].to_vec());
            let end = file.len() - part;
            add("slightly truncated file", file[..end].to_vec());
        }
        for at in (0..file.len()).step_by(file.len() / 40) {
            for bit in [0, 5] {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << bit;
                add("changed bit of the file", damaged);
            }
        }
        add("nothing", Vec::new());
        add("trailing byte", [&file[..], b"\n"].concat());
        add("no states", said.accounted(|account| account.states = 0));
        for by in [1, 7, u64::MAX] {
            add(
                "number of states",
                said.accounted(|account| account.states = account.states.wrapping_add(by)),
            );
            add(
                "number of transitions",
                said.accounted(|account| account.steps = account.steps.wrapping_add(by)),
            );
            add(
                "number of process slots",
                said.accounted(|account| account.slots = account.slots.wrapping_add(by as u32)),
            );
        }
        add("huge number of states", said.accounted(|account| account.states = u64::MAX / 16));
        add("too few states", said.accounted(|account| account.states -= 1));
        add(
            "wider states",
            said.accounted(|account| {
                account.base.extend([0; 4]);
                account.mask.extend([0; 4]);
            }),
        );
        for at in 0..said.width {
            let varies = said.states.iter().any(|state| state[at] != said.states[0][at]);
            if varies {
                add("missing bit of the mask", said.accounted(|account| account.mask[at] = 0));
            } else {
                add("changed constant bit", said.accounted(|account| account.base[at] ^= 4));
            }
        }
        add("changed header checksum", said.accounted(|account| account.text ^= 1));
        add(
            "a later version",
            String::from_utf8_lossy(&file).replacen("certificate 1", "certificate 2", 1).into(),
        );
        add("another fingerprint", said.changed(|said| said.claim.fingerprint = "0".repeat(16)));
        add("the states of another model", {
            let another = truth(&self::model(&other), &[]);
            Said { claim: said.claim.clone(), ..another }.file()
        });
        // Bytes that are not a state: too many processes, an invalid location, a channel beyond its
        // capacity.
        for byte in 0..said.width {
            let mut strange = said.states[count / 2].clone();
            strange[byte] = 0xff;
            add("invalid state", said.changed(|said| said.states[count / 2] = strange));
        }
        let block = |states, inside: &[u8]| {
            let mut file = said.claim.text().into_bytes();
            file.extend(Head { states, width: said.width as u32 }.bytes(inside));
            file.extend(inside);
            file.extend(&said.file()[said.claim.text().len()..]);
            file
        };
        add("a block without states", block(0, &[]));
        add("a block of too many states", block(u32::MAX, &[0; 64]));
        add("invalid block", block(2, &[9; HEAD]));
    }
    for (text, excludes) in [
        (WRONG, &[][..]),
        ("chan c = [1] of { byte }; active proctype P() { c!1 }", &[]),
        ("byte x; active proctype P() { x = 300 }", &[]),
        ("byte x; active proctype P() { x = 1 / x }", &[FaultKind::Assertion]),
        ("byte a[2], i; active proctype P() { do :: i < 3 -> a[i] = 1; i++ od }", &[]),
        ("active [2] proctype P() { false }", &ON_REQUEST),
    ] {
        let model = model(text);
        let said = truth(&model, excludes);
        all.push(("violation", Arc::clone(&model), said.file()));
    }
    all
}

#[test]
fn falsehoods_are_refused() {
    let all = falsehoods();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut seen: HashSet<&[u8]> = HashSet::new();
    for (kind, model, file) in &all {
        if let Ok(certified) = ask(model, file) {
            panic!("{kind}: {certified:?}");
        }
        if seen.insert(file) {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    assert!(kinds.values().sum::<usize>() >= 200 && kinds.len() > 20, "{kinds:?}");
}

/// Every conformance model with few states, including those with violations: its correct
/// certificate is accepted.
#[test]
fn conformance_models_are_accepted() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let mut accepted = 0;
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the models").flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "pml")) {
        let text = std::fs::read_to_string(path).expect("a text");
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let main = sources.add("model.pml", &text);
        let options = axle_promela::Options::default();
        let loader = MemoryLoader::default();
        let Some(model) = axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics)
        else {
            continue;
        };
        let model = Arc::new(model);
        let Some(said) = small(&model, 3_000) else { continue };
        let certified =
            verify(&model, &mut Cursor::new(said.file()), How { engine: Engine::Interpreter, threads: 1 });
        let certified = certified.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        assert_eq!((certified.states, certified.steps), (said.states.len() as u64, said.steps));
        accepted += 1;
    }
    assert!(accepted > 100, "only {accepted} accepted");
}

/// The correct certificate of a model with few states; all violated kinds of faults are excluded.
fn small(model: &Arc<Model>, most: usize) -> Option<Said> {
    let options = Options { truncation: true, messages_left: true, ..Options::default() };
    let mut interpreter = Interpreter::new(Arc::clone(model), options);
    let mut faults = Vec::new();
    let mut todo = vec![interpreter.initial(&mut faults)];
    let mut excludes: HashSet<FaultKind> = faults.iter().map(|fault| fault.site.kind).collect();
    let mut seen: HashSet<Vec<u8>> = todo.iter().cloned().collect();
    let mut batch = Batch::default();
    while let Some(mut state) = todo.pop() {
        if seen.len() > most {
            return None;
        }
        state.resize(interpreter.layout().width(), 0);
        while let Err(grow) = interpreter.expand(&state, &mut batch) {
            interpreter.grow(grow.size);
            state.resize(interpreter.layout().width(), 0);
            seen = seen
                .into_iter()
                .map(|mut seen| {
                    seen.resize(state.len(), 0);
                    seen
                })
                .collect();
        }
        excludes.extend(batch.faults.iter().map(|fault| fault.site.kind));
        let successors = batch.states.chunks_exact(state.len());
        todo.extend(successors.filter(|state| seen.insert(state.to_vec())).map(<[u8]>::to_vec));
    }
    Some(truth(model, &excludes.into_iter().collect::<Vec<_>>()))
}
