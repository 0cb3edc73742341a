//! Classes of inputs (`inputs.rs`): where a few values are said to stand for all, the verdict is
//! that of trying all of them.

use crate::support::{Report, Verdict, check_text};
use axle_c_exec::Settings;

/// Random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn constant(&mut self) -> i64 {
        self.below(70) as i64 - 35
    }

    fn value(&mut self) -> &'static str {
        self.pick(&[
            "x",
            "x",
            "y",
            "w",
            "g",
            "h",
            "a[n & 3]",
            "a[1]",
            "s.one",
            "s.b[n & 1]",
            "mine",
            "l[n & 1]",
            "r[n & 1].q",
            "u.i",
            "u.c",
            "ga(a)",
            "gs(&s)",
        ])
    }

    /// Where a value may be kept.
    fn keeper(&mut self) -> &'static str {
        self.pick(&[
            "g",
            "h",
            "w",
            "a[n & 3]",
            "a[2]",
            "s.one",
            "s.two",
            "s.b[n & 1]",
            "mine",
            "l[n & 1]",
            "l[1]",
            "r[n & 1].q",
            "r[1].c",
            "u.i",
            "u.c",
            "*(&s.two - 1)",
        ])
    }

    fn condition(&mut self, depth: usize) -> String {
        let (v, c) = (self.value(), self.constant());
        let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.below(if depth == 0 { 9 } else { 12 }) {
            0..=2 => format!("{v} {op} {c}"),
            3 => format!("{c} {op} {v}"),
            4 => self.pick(&["x", "!y", "!g", "w", "!!x"]).to_owned(),
            5 => format!("{v} % {} == {}", self.below(6) + 2, self.below(5) as i64 - 2),
            6 => format!("({v} & {}) == {}", self.below(8), self.below(4)),
            7 => format!("(unsigned){v} {op} {}u", self.below(60)),
            8 => format!("({}){v} {op} {c}", self.pick(&["long", "short", "signed char", "unsigned char"])),
            9 | 10 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("({} || !({}))", self.condition(depth - 1), self.condition(depth - 1)),
        }
    }

    fn statements(&mut self, depth: usize, text: &mut String) {
        for _ in 0..1 + self.below(3) {
            let (v, c) = (self.value(), self.constant());
            match self.below(if depth == 0 { 7 } else { 12 }) {
                0 => text.push_str("assert(0);\n"),
                1 => *text += &format!("y = {v};\n"),
                2 => match self.below(6) {
                    0 => *text += &format!("pa(a, {v});\n"),
                    1 => *text += &format!("ps(&s, {v});\n"),
                    2 if c > 30 => *text += &format!("pa(l, {v});\n"),
                    _ => *text += &format!("{} = {v};\n", self.keeper()),
                },
                3 if c < 0 => *text += &format!("w = {v} % {};\n", self.below(5) + 2),
                3 => {
                    *text +=
                        &format!("{} = {v} {} {};\n", self.keeper(), self.pick(&["+", "-"]), c.rem_euclid(9))
                }
                4 => {
                    let condition = self.condition(1);
                    *text += &format!("y = f({v}, {condition});\n");
                }
                5 => *text += &format!("limit({});\n", self.condition(1)),
                6 if c > 20 => {
                    text.push_str("{ pthread_t t; pthread_create(&t, 0, watch, &s); pthread_join(t, 0); }\n")
                }
                6 if c > 0 => text.push_str("n += look();\n"),
                6 => *text += &format!("n += {};\n", c.rem_euclid(9)),
                7..=9 => {
                    *text += &format!("if ({}) {{\n", self.condition(2));
                    self.statements(depth - 1, text);
                    text.push_str("} else {\n");
                    self.statements(depth - 1, text);
                    text.push_str("}\n");
                }
                10 => {
                    *text += &format!("switch ({v}) {{\ncase {c}:\n");
                    self.statements(depth - 1, text);
                    *text += &format!("break;\ncase {} ... {}:\n", c + 2, c + 5);
                    self.statements(depth - 1, text);
                    text.push_str("default: n++;\n}\n");
                }
                _ => *text += &format!("if ({}) return 0;\n", self.condition(2)),
            }
        }
    }

    fn program(&mut self) -> String {
        let mut body = String::new();
        self.statements(3, &mut body);
        // What another function sees of the variables.
        let globals = |text: String| text.replace(['x', 'w'], "g").replace('y', "h").replace("l[", "a[");
        let (one, two) = (globals(self.condition(2)), globals(self.condition(1)));
        format!(
            "#include <assert.h>\n#include <pthread.h>\nint input(void);\nvoid abort(void);\nint n, g, h, a[4];\n\
             struct S {{ int one, two, b[2]; }} s; _Thread_local int mine; union {{ int i; signed char c; }} u;\n\
             struct {{ int q; char c; }} r[2];\n\
             static void pa(int *p, int v) {{ p[n & 1] = v; }}\n\
             static int ga(int *p) {{ return p[1]; }}\n\
             static void ps(struct S *q, int v) {{ q->two = v; }}\n\
             static int gs(struct S *q) {{ return q->two; }}\n\
             static void limit(int ok) {{ if (!ok) abort(); }}\n\
             static int look(void) {{ if ({one}) assert(!({two})); return g > 3; }}\n\
             static void *watch(void *p) {{ struct S *q = p; if (q->two > {}) q->b[1] = q->two; look(); return 0; }}\n\
             static int f(int a, int t) {{ if (a > {}) return a; if (t) return {}; return a; }}\n\
             int main(void) {{\nint x = input(), y = {}, w = 0, l[2] = {{0}};\n{body}return n;\n}}\n",
            self.constant(),
            self.constant(),
            self.constant(),
            self.constant()
        )
    }
}

/// Every value from -64 to 63, one by one.
const ALL: &str = "_Bool __VERIFIER_nondet_bool(void);\n\
    int input(void) { int v = 0; for (int i = 0; i < 7; i++) v = v * 2 + __VERIFIER_nondet_bool(); return v - 64; }\n";

/// The same by classes.
const CLASSES: [&str; 4] = [
    "int __VERIFIER_nondet_int(void);\n\
     int input(void) { int v = __VERIFIER_nondet_int(); limit(v >= -64 && v <= 63); return v; }\n",
    "unsigned __VERIFIER_nondet_uint(void);\n\
     int input(void) { int v = __VERIFIER_nondet_uint(); if (v < -64 || 63 < v) abort(); return v; }\n",
    "long __VERIFIER_nondet_long(void); void __VERIFIER_assume(int);\n\
     int input(void) { long v = __VERIFIER_nondet_long(); __VERIFIER_assume(-65 < v); __VERIFIER_assume(v < 64); return v; }\n",
    "unsigned long __VERIFIER_nondet_ulong(void);\n\
     int input(void) { long v = __VERIFIER_nondet_ulong(); if (v >= -64) { if (v < 64) return v; } abort(); return 0; }\n",
];

fn check(text: &str) -> Report {
    check_text("t.c", text.as_bytes(), &Settings { wrap: true, ..Settings::default() }, 200_000)
}

#[test]
fn classes_find_what_all_values_find() {
    let mut random = Random(5);
    let (mut violated, mut held, mut unknown) = (0, 0, 0);
    for number in 0..400 {
        let program = random.program();
        let all = check(&format!("{program}{ALL}"));
        let classes = check(&format!("{program}{}", CLASSES[number % CLASSES.len()]));
        assert_ne!(all.verdict, Verdict::Rejected, "{}\n{program}", all.summary());
        match (all.verdict == Verdict::Violated, classes.verdict == Verdict::Violated, classes.restricted) {
            (true, true, _) => violated += 1,
            (false, false, false) => held += 1,
            (_, false, true) => unknown += 1,
            _ => panic!("{number}: {} but {}\n{program}", all.summary(), classes.summary()),
        }
    }
    assert!(
        violated > 100 && held > 50 && unknown < 9,
        "{violated} violated, {held} held, {unknown} unknown"
    );
}

/// Whether all values are known to have been covered, and how many violations there are.
fn covered(body: &str) -> (bool, bool) {
    let text = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <stdio.h>\n\
         int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);\n{body}"
    );
    let report = check_text("t.c", text.as_bytes(), &Settings::default(), 200_000);
    assert!(report.verdict != Verdict::Rejected, "{}", report.summary());
    (report.verdict == Verdict::Violated, !report.restricted)
}

#[test]
fn what_an_input_is_used_for_decides_whether_all_values_are_covered() {
    let x = "int x = __VERIFIER_nondet_int();";
    for (text, violated, exact) in [
        // Compared with constants only.
        (format!("int main(void) {{ {x} if (x > 1000000) return 1; return x == 7; }}"), false, true),
        (format!("int main(void) {{ {x} assert(x != 123456789); return 0; }}"), true, true),
        (
            format!(
                "int main(void) {{ {x} switch (x) {{ case 3: return 1; case 90 ... 99: return 2; }} return 0; }}"
            ),
            false,
            true,
        ),
        // Carried about, shown and returned.
        (format!("int d; int main(void) {{ {x} d = x; printf(\"%d\\n\", d); return d; }}"), false, true),
        (format!("int d; int *p = &d; int main(void) {{ {x} d = x; return *p + 0; }}"), false, false),
        (format!("int d; int main(void) {{ {x} d = x; assert(d != -77); return 0; }}"), true, true),
        // Computed with, in full and within a range.
        (format!("int main(void) {{ {x} assert(x / 2 != 5000); return 0; }}"), false, false),
        (
            format!(
                "int main(void) {{ {x} if (x < 0 || x > 20) return 0; assert(x * x != 169); return 0; }}"
            ),
            true,
            true,
        ),
        (format!("int a[5]; int main(void) {{ {x} if (x >= 0 && x < 5) a[x] = 1; return 0; }}"), false, true),
        (format!("int a[5]; int main(void) {{ {x} if (x >= 0 && x <= 5) a[x] = 1; return 0; }}"), true, true),
        ("int main(void) { assert(rand() % 10 != 7); return 0; }".into(), true, true),
        ("int main(void) { return rand() % 10 + rand() % 3; }".into(), false, true),
        (format!("int main(void) {{ {x} assert(x % 4 != -3); return 0; }}"), true, true),
        // Used for nothing but a remainder, which goes on as it is, or moved.
        (
            "int d; int main(void) { d = rand() % 1000 + 1; assert(d >= 1 && d <= 1000); return d; }".into(),
            false,
            true,
        ),
        ("int d; int main(void) { d = rand() % 1000 + 1; assert(d != 1000); return d; }".into(), true, true),
        (
            "int d; int main(void) { d = rand() % 1000 - 500; assert(d != 500); return d; }".into(),
            false,
            true,
        ),
        (format!("int main(void) {{ {x} x = x % 5000; assert(x != -4999); return 0; }}"), true, true),
        (
            format!("int main(void) {{ {x} x = x % 5000; assert(x > -5000 && x < 5000); return 0; }}"),
            false,
            true,
        ),
        (
            format!("int main(void) {{ {x} int y = x % 5000; assert(x < 7000 || y != 123); return 0; }}"),
            false,
            false,
        ),
        (
            format!(
                "int main(void) {{ {x} if (x < 5 || x > 2000000) return 0; x = x - 5; assert(x >= 0); return x; }}"
            ),
            false,
            true,
        ),
        (format!("int main(void) {{ {x} x = x + 1; return x > 5; }}"), true, false),
        (format!("int main(void) {{ {x} assert((x & 3) != 2); return 0; }}"), true, true),
        // Two inputs with each other.
        (
            format!(
                "int main(void) {{ {x} int y = __VERIFIER_nondet_int(); assert(x != y + 0); return 0; }}"
            ),
            true,
            false,
        ),
        // A sign that a conversion takes away.
        (
            format!("int main(void) {{ {x} if (x < 0) assert((unsigned)x > 2147483647u); return 0; }}"),
            false,
            true,
        ),
        ("int main(void) { int x = __VERIFIER_nondet_uint(); assert(x >= 0); return 0; }".into(), true, true),
        // Held by a variable that is restricted in `main`, and used elsewhere.
        (
            format!(
                "int d, a[9]; void f(void) {{ a[d] = 1; }} int main(void) {{ {x} d = x; if (d < 0 || d > 8) return 0; f(); return 0; }}"
            ),
            false,
            true,
        ),
        (
            format!(
                "int d, a[9]; void f(void) {{ a[d] = 1; }} int main(void) {{ {x} d = x; if (d < 0 || d > 9) return 0; f(); return 0; }}"
            ),
            true,
            true,
        ),
        // Through a pointer to the function, which is not followed.
        (
            format!(
                "int d, a[9]; void f(void) {{ a[d] = 1; }} void (*p)(void) = f; int main(void) {{ {x} d = x; if (d < 0 || d > 8) return 0; p(); return 0; }}"
            ),
            false,
            false,
        ),
        // Written twice.
        (
            format!(
                "int d, a[9]; int main(void) {{ {x} d = x; if (d < 0 || d > 8) return 0; d = __VERIFIER_nondet_int(); return a[d & 7]; }}"
            ),
            false,
            true,
        ),
        // In a loop: what was restricted is another input.
        (
            format!(
                "int d, a[9]; int main(void) {{ for (int i = 0; i < 2; i++) {{ {x} if (i == 1 && d > 8) return 0; d = x; if (i == 1) return a[d & 15]; }} return 0; }}"
            ),
            true,
            true,
        ),
        // Kept in arrays, members and a thread's own variables.
        (
            format!(
                "int a[4], i; int main(void) {{ {x} a[i] = x; i = 3; a[i] = 5; printf(\"%d\", a[0]); return 0; }}"
            ),
            false,
            true,
        ),
        (
            format!("int a[4], i; int main(void) {{ {x} a[i] = x; assert(a[i] != 77); return 0; }}"),
            true,
            true,
        ),
        (format!("int a[4], i; int main(void) {{ {x} a[i] = x; return a[i] + 1 > 3; }}"), true, false),
        (
            format!(
                "int a[4], i; void f(int *p) {{ i = *p + 0; }} int main(void) {{ {x} a[i] = x; f(a); return 0; }}"
            ),
            false,
            false,
        ),
        (
            format!(
                "struct {{ int h, b[2], t; }} q; int main(void) {{ {x} q.b[q.t] = x; q.t = (q.t + 1) % 2; return q.b[0] > 9; }}"
            ),
            false,
            true,
        ),
        (
            format!(
                "struct {{ int h, b[2], t; }} q; int main(void) {{ {x} int *p = q.b; p[q.t] = x; q.t = (q.t + 1) % 2; return 0; }}"
            ),
            false,
            false,
        ),
        (
            format!("union {{ int i; char c; }} u; int main(void) {{ {x} u.i = x; return u.c + 1; }}"),
            false,
            false,
        ),
        (
            format!("int main(void) {{ {x} int l[2] = {{0}}; l[1] = x; l[0] = l[1]; return l[0] == 4; }}"),
            false,
            true,
        ),
        (
            format!("_Thread_local int t; int main(void) {{ {x} t = x; assert(t != 12); return 0; }}"),
            true,
            true,
        ),
        (
            format!(
                "int a[2]; int main(void) {{ {x} a[1] = x; *(char *)a = 1; ((char *)a)[5] = 1; return a[1] == 6; }}"
            ),
            false,
            false,
        ),
        // An address on one way, on the other what memory holds.
        (
            format!(
                "int d, e = 1, *q = &e; int main(void) {{ {x} d = x; int *p = e ? &d : q; assert(*p / 3 != 20001); return 0; }}"
            ),
            false,
            false,
        ),
        // A function that is given one variable here and another there.
        (
            format!(
                "int d, e; int f(int *p) {{ return *p / 3 == 20001; }} int main(void) {{ {x} d = x; if (f(&e)) return 1; return f(&d); }}"
            ),
            false,
            false,
        ),
        // On one way a copy, on the other not.
        (
            format!("int main(void) {{ {x} int y = x > 3 ? x : 3; assert(y * 3 != 200); return 0; }}"),
            true,
            false,
        ),
        (
            format!("int main(void) {{ {x} int y = x > 3 ? x : 3; assert(y - 3 != 200); return 0; }}"),
            true,
            true,
        ),
        // The address of the variable is taken.
        (format!("int main(void) {{ {x} int *p = &x; *p = *p + 0; return 0; }}"), false, true),
        (format!("int *p; int main(void) {{ {x} p = &x; *p = *p + 0; return 0; }}"), false, false),
    ] {
        assert_eq!(covered(&text), (violated, exact), "{text}");
    }
}
