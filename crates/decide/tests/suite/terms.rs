//! Random terms: the value of the tree, of the simplified term and of its circuit; and validity of
//! equalities and satisfiability of conditions, compared with z3.

use std::io::Write;
use std::process::{Command, Stdio};

use axle_decide::aig::{Aig, value};
use axle_decide::blast::Blaster;
use axle_decide::cnf::Encoder;
use axle_decide::sat::{SatAnswer, solver};
use axle_decide::smtlib::{declarations, definitions, name};
use axle_decide::term::Terms;

use crate::cases;
use crate::random::{Random, Tree, VARIABLES};

#[test]
fn values_of_random_terms() {
    let mut random = Random::new(42);
    let mut wrong = Vec::new();
    for index in 0..cases("AXLE_DECIDE_TERMS", 3_000) {
        let width = VARIABLES[random.below(VARIABLES.len() as u64) as usize];
        let tree = Tree::random(&mut random, width, 1 + (index % 24) as u32, true);
        let mut terms = Terms::new();
        let variables: Vec<_> = VARIABLES.iter().map(|width| terms.variable(*width)).collect();
        let root = tree.build(&mut terms, &variables);
        assert_eq!(terms.width(root), width);
        let (mut aig, mut blaster) = (Aig::default(), Blaster::default());
        let mut inputs = Vec::new();
        for (variable, width) in variables.iter().zip(VARIABLES) {
            let word: Vec<_> = (0..width).map(|_| aig.input()).collect();
            inputs.extend(word.iter().copied());
            blaster.bind(*variable, word);
        }
        let word = blaster.word(&mut aig, &terms, root);
        // The circuit computes 64 cases at once.
        let samples: Vec<Vec<u128>> =
            (0..64).map(|_| VARIABLES.iter().map(|width| random.number(*width)).collect()).collect();
        let mut bits = Vec::new();
        for (at, width) in VARIABLES.into_iter().enumerate() {
            for bit in 0..width {
                let column = samples.iter().enumerate();
                bits.push(
                    column.fold(0, |sum, (case, sample)| sum | ((sample[at] >> bit & 1) as u64) << case),
                );
            }
        }
        let simulated = aig.simulate(&bits);
        for (case, sample) in samples.iter().enumerate() {
            let expected = tree.evaluate(sample);
            let circuit = word.iter().enumerate().fold(0, |sum, (bit, signal)| {
                sum | u128::from(value(&simulated, *signal) >> case & 1) << bit
            });
            let term = if case < 4 { terms.evaluate(sample)[root.index()] } else { expected };
            if (term, circuit) != (expected, expected) {
                wrong.push(format!("{expected} term {term} circuit {circuit} for {sample:?}: {tree:?}"));
                break;
            }
        }
        assert!(wrong.len() < 3, "{}", wrong.join("\n"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The answers of z3 to a script.
pub fn z3(script: &str) -> Option<Vec<String>> {
    let mut process = Command::new("z3")
        .args(["-smt2", "-in"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|_| eprintln!("skipped: z3 is not installed"))
        .ok()?;
    let mut input = process.stdin.take().expect("a pipe");
    let text = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = process.wait_with_output().expect("z3 ends");
    writer.join().expect("the script is written").expect("the script is read");
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// A number of random trees at once; z3 says whether some value of the variables distinguishes the tree
/// from its term (none does), and whether a condition is satisfiable (as the solver here says).
#[test]
fn answers_of_z3() {
    let mut random = Random::new(7);
    let (mut script, mut expected) = (String::new(), Vec::new());
    let mut terms = Terms::new();
    let variables: Vec<_> = VARIABLES.iter().map(|width| terms.variable(*width)).collect();
    script.push_str(&declarations(&terms));
    for index in 0..cases("AXLE_DECIDE_Z3", 1_500) {
        let is_equality = index % 2 == 0;
        let width = if is_equality { [1, 3, 8, 16][random.below(4) as usize] } else { 1 };
        let tree = Tree::random(&mut random, width, 2 + (index % 14) as u32, false);
        let root = tree.build(&mut terms, &variables);
        script.push_str("(push)\n");
        if is_equality {
            let text = definitions(&terms, [root]);
            script.push_str(&text);
            script.push_str(&format!("(assert (not (= {} {})))", name(&terms, root), tree.smtlib()));
            expected.push(("unsat", tree));
        } else {
            let (mut aig, mut blaster, mut encoder) =
                (Aig::default(), Blaster::default(), Encoder::default());
            let signal = blaster.word(&mut aig, &terms, root)[0];
            let mut solver = solver();
            let literal = encoder.literal(&mut *solver, &aig, signal);
            let answer = solver.solve(&[literal], u64::MAX);
            script.push_str(&format!("(assert (= #b1 {}))", tree.smtlib()));
            expected.push((if answer == SatAnswer::Sat { "sat" } else { "unsat" }, tree));
        }
        script.push_str("\n(check-sat)\n(pop)\n");
    }
    let Some(answers) = z3(&script) else { return };
    assert_eq!(answers.len(), expected.len(), "{:?}", answers.first());
    for (answer, (expected, tree)) in answers.iter().zip(&expected) {
        assert_eq!(answer, expected, "{tree:?}");
    }
    let unsatisfiable = expected.iter().skip(1).step_by(2).filter(|(answer, _)| *answer == "unsat").count();
    assert!(unsatisfiable > 10 || expected.len() < 1_000, "{unsatisfiable} conditions are unsatisfiable");
}

/// Identities of arithmetic that simplification decides.
#[test]
fn identities_without_search() {
    let mut terms = Terms::new();
    let [a, b, c] = [terms.variable(32), terms.variable(32), terms.variable(32)];
    let op = |terms: &mut Terms, op, x, y| terms.binary(op, x, y);
    use axle_decide::term::BinaryOp::{Add, And, Mul, Xor};
    let (ab, ba) = (op(&mut terms, Mul, a, b), op(&mut terms, Mul, b, a));
    assert_eq!(ab, ba);
    let (left, right) = (op(&mut terms, Add, a, b), op(&mut terms, Add, b, c));
    assert_eq!(op(&mut terms, Add, left, c), op(&mut terms, Add, right, a));
    let double = op(&mut terms, Add, a, a);
    let two = terms.constant(32, 2);
    assert_eq!(double, op(&mut terms, Mul, a, two));
    let less = terms.difference(double, a);
    assert_eq!(less, a);
    let not = terms.not(a);
    let (none, all) = (terms.constant(32, 0), terms.constant(32, u128::MAX));
    assert_eq!(op(&mut terms, And, a, not), none);
    assert_eq!(op(&mut terms, Xor, a, not), all);
}

/// All operators on operands of all forms that rewriting distinguishes, for all values of the variables.
#[test]
fn operators_on_every_form_of_operand() {
    use axle_decide::term::BinaryOp;
    const WIDTH: u8 = 5;
    let constants = [0, 1, 2, 3, 7, 8, 12, 15, 16, 30, 31].map(|value| Tree::Const(WIDTH, value));
    let mut forms: Vec<Tree> = constants.into();
    for variable in [2, 3].map(|at| Tree::Variable(at, VARIABLES[at])) {
        let boxed = |tree: &Tree| Box::new(tree.clone());
        let [natural, signed] =
            [false, true].map(|sign| Tree::Resize(sign, WIDTH, Box::new(variable.clone())));
        let constant = |value| Box::new(Tree::Const(WIDTH, value));
        forms.push(Tree::Not(boxed(&natural)));
        forms.push(Tree::Neg(boxed(&signed)));
        forms.push(Tree::Binary(BinaryOp::Add, boxed(&signed), constant(9)));
        forms.push(Tree::Binary(BinaryOp::Mul, boxed(&natural), constant(3)));
        forms.push(Tree::Binary(BinaryOp::And, boxed(&signed), constant(7)));
        forms.push(Tree::Binary(BinaryOp::Or, boxed(&signed), boxed(&natural)));
        forms.push(Tree::If(Box::new(Tree::Variable(0, 1)), boxed(&signed), constant(4)));
        forms.push(Tree::Binary(BinaryOp::Concat, Box::new(Tree::Const(2, 2)), Box::new(variable.clone())));
        forms.push(Tree::Binary(
            BinaryOp::Concat,
            Box::new(variable.clone()),
            Box::new(Tree::Extract(1, 2, Box::new(variable.clone()))),
        ));
        forms.extend([natural, signed]);
    }
    let ops = {
        use BinaryOp::{
            AShr, Add, And, Concat, Eq, LShr, Mul, Or, SDiv, SLt, SRem, Shl, UDiv, ULt, URem, Xor,
        };
        [And, Or, Xor, Add, Mul, UDiv, URem, SDiv, SRem, Shl, LShr, AShr, Eq, ULt, SLt, Concat]
    };
    let mut trees = Vec::new();
    for a in &forms {
        for low in 0..3 {
            trees.push(Tree::Extract(low, 2, Box::new(a.clone())));
        }
        for b in &forms {
            let (a, b) = (Box::new(a.clone()), Box::new(b.clone()));
            trees.extend(ops.map(|op| Tree::Binary(op, a.clone(), b.clone())));
            trees.push(Tree::Difference(a.clone(), b.clone()));
            trees.push(Tree::If(Box::new(Tree::Variable(0, 1)), a, b));
        }
    }
    let mut terms = Terms::new();
    let variables: Vec<_> = VARIABLES.iter().map(|width| terms.variable(*width)).collect();
    let roots: Vec<_> = trees.iter().map(|tree| tree.build(&mut terms, &variables)).collect();
    for (x, y, condition) in (0..128).map(|case| (case & 7, case >> 3 & 7, case >> 6)) {
        let mut sample = vec![0; VARIABLES.len()];
        (sample[0], sample[2], sample[3]) = (condition, x, y);
        let values = terms.evaluate(&sample);
        for (tree, root) in trees.iter().zip(&roots) {
            assert_eq!(values[root.index()], tree.evaluate(&sample), "{x} {y} {condition}: {tree:?}");
        }
    }
    assert!(trees.len() > 15_000, "{}", trees.len());
}
