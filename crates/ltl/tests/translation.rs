//! Automaton against direct evaluation, over random formulas and random lasso words.

use axle_ltl::{Formula, Lasso, lasso, translate, translate_negation};

/// A small generator of random numbers (xorshift, Marsaglia 2003), so that a seed names a test.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 16) % n
    }
}

fn formula(random: &mut Random, operators: u64) -> Formula {
    if operators == 0 {
        return match random.below(20) {
            0 => Formula::True,
            1 => Formula::False,
            n => Formula::Atom((n % 4) as u32),
        };
    }
    let rest = operators - 1;
    let one = |random: &mut Random| Box::new(formula(random, rest));
    let unary = random.below(10);
    match unary {
        0 => return Formula::Not(one(random)),
        1 => return Formula::Next(one(random)),
        2 | 3 => return Formula::Always(one(random)),
        4 | 5 => return Formula::Eventually(one(random)),
        _ => {}
    }
    let left = random.below(rest + 1);
    let a = Box::new(formula(random, left));
    let b = Box::new(formula(random, rest - left));
    match random.below(7) {
        0 => Formula::And(a, b),
        1 => Formula::Or(a, b),
        2 => Formula::Implies(a, b),
        3 => Formula::Equivalent(a, b),
        4 => Formula::Until(a, b),
        5 => Formula::WeakUntil(a, b),
        _ => Formula::Release(a, b),
    }
}

fn word(random: &mut Random) -> Lasso {
    let mut letters = |n: u64| (0..n).map(|_| random.below(16)).collect::<Vec<u64>>();
    let (p, c) = (letters(1)[0] % 5, letters(1)[0] % 5 + 1);
    Lasso { prefix: letters(p), cycle: letters(c) }
}

/// `formulas` random formulas, each with its negation, against `words` random words each.
fn compare(seed: u64, formulas: u64, words: u64) {
    let mut random = Random(seed);
    for _ in 0..formulas {
        let size = random.below(13);
        let formula = formula(&mut random, size);
        let (Ok(yes), Ok(no)) = (translate(&formula), translate_negation(&formula)) else {
            panic!("12 operators and 4 propositions always fit: {formula:?}");
        };
        for _ in 0..words {
            let word = word(&mut random);
            let expected = lasso::satisfies(&word, &formula);
            assert_eq!(lasso::accepts(&yes, &word), expected, "{formula:?}\n{word:?}\n{yes:?}");
            assert_eq!(lasso::accepts(&no, &word), !expected, "negation of {formula:?}\n{word:?}\n{no:?}");
        }
    }
}

#[test]
fn automaton_agrees_with_evaluation() {
    compare(0x9E37_79B9_7F4A_7C15, 2_000, 20);
}

#[test]
fn degeneralised_automata_accept_the_same() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for _ in 0..1_000 {
        let size = random.below(10);
        let formula = formula(&mut random, size);
        let Ok(automaton) = translate(&formula) else { panic!("{formula:?} is small") };
        let one = axle_ltl::degeneralise::degeneralise(&automaton);
        let on_states = axle_ltl::degeneralise::state_based(&automaton);
        assert!(one.sets == 1 && on_states.sets <= 1);
        for out in &on_states.states {
            assert!(out.windows(2).all(|t| t[0].marks == t[1].marks), "the mark belongs to the state");
        }
        for _ in 0..20 {
            let word = word(&mut random);
            let expected = lasso::satisfies(&word, &formula);
            assert_eq!(lasso::accepts(&one, &word), expected, "{formula:?}\n{word:?}");
            assert_eq!(lasso::accepts(&on_states, &word), expected, "{formula:?}\n{word:?}\n{on_states:?}");
        }
    }
}

/// Stutter invariance against brute force: stretch short words in every way and compare.
#[test]
fn stutter_invariance_agrees_with_brute_force() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let (mut variant, mut invariant) = (0, 0);
    for _ in 0..1_500 {
        let size = random.below(6);
        let formula = formula(&mut random, size);
        let Ok(answer) = axle_ltl::stutter::is_stutter_invariant(&formula) else { continue };
        let mut told_apart = false;
        for _ in 0..400 {
            let word = word(&mut random);
            let mut stretched = word.clone();
            for letters in [&mut stretched.prefix, &mut stretched.cycle] {
                *letters = (letters.iter())
                    .flat_map(|&l| std::iter::repeat_n(l, 1 + random.below(3) as usize))
                    .collect();
            }
            told_apart |= lasso::satisfies(&word, &formula) != lasso::satisfies(&stretched, &formula);
        }
        // Random words may miss a difference, but none of these formulas is so fine that 400 do.
        assert_eq!(answer, !told_apart, "{formula:?}");
        variant += u32::from(told_apart);
        invariant += u32::from(!told_apart && formula.has_next());
    }
    assert!(variant > 100 && invariant > 50, "both answers are exercised: {variant} {invariant}");
}
