//! Where a separator may be left out, and other corners of the grammar, each with what `spin -a`
//! says about it.

use crate::support::{parse_text, spin_accepts};

/// Who accepts a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Accepts {
    Both,
    Neither,
    /// Spin refuses, and there is nothing to be lost by reading it.
    OnlyAxle,
    /// Spin accepts and makes nonsense of it.
    OnlySpin,
}
use Accepts::{Both, Neither, OnlyAxle, OnlySpin};

const DECLS: &str = "byte x, y; byte a[4]; chan q = [2] of {byte}; chan r = [1] of {byte,byte}\n\
    typedef T { byte f; byte g[2] } T t;\n\
    inline one() { x = 1 }\n inline set(v, e) { v = e }\n inline next(e) { return e + 1 }\n\
    inline late() { timeout\n -> x = 1 }\n\
    proctype P(byte p; chan c) { byte z; L: z = p }\n";

/// Bodies of `init`.
const BODIES: &[(Accepts, &str)] = &[
    (Neither, ""),
    (Both, "x = 1; x = 2"),
    (Both, "x = 1 -> x = 2"),
    (Both, "x == 1 --> x = 2"),
    (Both, "x !!= 1"),
    (Both, "x = 1;; x = 2"),
    (Both, "x = 1 ;-> x = 2;"),
    (Both, "x = 1;;"),
    (OnlyAxle, "x = 1;;;;;"),
    (OnlyAxle, "; x = 1"),
    (Both, "x = 1\n x = 2\n\n"),
    (Neither, "x = 1 x = 2"),
    (Neither, "(x) (y)"),
    (Neither, "x\n && y"),
    (Both, "x &&\n y"),
    (Both, "(x\n && y)"),
    (Both, "x\n -> y"),
    (Both, "x\n ; y"),
    (Neither, "x = 1\n + 2"),
    (Both, "x = (1\n + 2)\n y = 1"),
    (Both, "a[1]\n a[2] = 1"),
    (Neither, "a[\n1\n] = 1"),
    (Both, "x++\n x--\n skip\n true"),
    (Both, "q!1\n q?x\n q!2"),
    (Neither, "q?<x>\n q!2"),
    (Both, "q?<x>;\n q!2"),
    (Both, "q?[x]\n q!2"),
    (Both, "printf(\"a\")\n printf(\"a %d\",\n x)\n skip"),
    (Both, "timeout\n x = 1"),
    (Neither, "timeout x = 1"),
    (Both, "timeout && x == 1 -> skip"),
    (Both, "late()"),
    (Both, "else\n x = 1"),
    (Both, "else x = 1"),
    (Both, "if :: x -> y = 1 :: else fi"),
    (Both, "if :: x -> y = 1; :: else -> fi; skip"),
    (Both, "if :: x\n y = 1\n :: else\n fi\n skip"),
    (Both, "if\n :: x\n -> y = 1\n :: else y = 2\n fi"),
    (Neither, "if :: x fi skip"),
    (Neither, "if :: fi"),
    (Both, "do :: x < 3 -> x++ :: break od\n skip"),
    (Both, "do :: x < 3 -> x++\n :: else\n break\n od; skip"),
    (Both, "{ x = 1 } x = 2"),
    (Both, "{ x = 1 }\n x = 2"),
    (Both, "{ x = 1 }; x = 2"),
    (Both, "{ x = 1 }; ; x = 2"),
    (Both, "atomic { x = 1 } d_step { x = 2 } skip"),
    (Both, "atomic\n { x = 1 }\n skip"),
    (Both, "{ x = 1 } unless { x = 2 } skip"),
    (Both, "{ x = 1 }\n unless\n { x = 2 }"),
    (Neither, "{ x = 1 }; unless { x = 2 }"),
    (Both, "x = 1 unless x = 2"),
    (Neither, "x = 1\n unless x = 2"),
    (Neither, "x = 1 unless x = 2 unless x = 3"),
    (Both, "{ x = 1 unless x = 2 } unless x = 3"),
    (Both, "if :: skip fi unless skip"),
    (Neither, "if :: skip fi\n unless skip"),
    (Both, "L: x = 1"),
    (Both, "L:\n x = 1"),
    (Both, "L: ; x = 1"),
    (Both, "L1: L2: x = 1"),
    (Both, "skip; L:"),
    (Both, "goto L; L: \n"),
    (Neither, "L: byte z; skip"),
    (Neither, "L: xr q; skip"),
    (Both, "one()\n one()"),
    (Both, "one() one()"),
    (Both, "one() x = 1"),
    (Both, "set(x, 1); set(y, x + 1)"),
    (Neither, "set(x)"),
    (Neither, "one(x)"),
    (Both, "x = next(y)"),
    (Both, "x = next(y) x = 2"),
    (Neither, "x = next(y) + 1"),
    (Neither, "next(y)"),
    (Neither, "return x"),
    (Neither, "late(), x = 1"),
    (Both, "byte z; z = 1"),
    (Both, "byte z\n z = 1"),
    (Neither, "byte z z = 1"),
    (Both, "byte z = 1, w[2]; T s; skip"),
    (Both, "byte w[2] = {1,\n2\n}; skip"),
    (OnlyAxle, "byte w[2] = {1,2}, v; skip"),
    (Both, "for (x : 1..3) { y++ } skip"),
    (Both, "for (x : 1 .. y+1)\n { y++ }\n skip"),
    (Both, "for (x in a) { y++ }; skip"),
    (Neither, "for (x = 1; x < 3; x++) { y++ }"),
    (Both, "select (x : 1..3); skip"),
    (Both, "select (x : 1..3)\n skip"),
    (Neither, "select (x : 1..3) skip"),
    (Both, "select (x : 1..100) skip"),
    (Both, "select (x : y..3); skip"),
    (Neither, "select (x : y..3) skip"),
    (Both, "c_code { int i; i = 0; }; skip"),
    (Both, "c_code { int i; i = 0; }\n skip"),
    (Neither, "c_code { int i; i = 0; } skip"),
    (Both, "c_expr { 1 == 1 }; skip"),
    (Both, "c_code [1 == 1] { ; } ; skip"),
    (Both, "assert x == 1; assert(x)"),
    (Both, "x = -(y) + ~x * !y"),
    (Both, "x = (x == 1 -> y : 2)"),
    (Neither, "x = (x ? y : 2)"),
    (Neither, "x = y = 1"),
    (Neither, "x += 1"),
    (Neither, "++x"),
    (Neither, "(x = 1)"),
    (Neither, "!full(q)"),
    (Neither, "full(q) == 1"),
    (Neither, "x + full(q)"),
    (Neither, "(full(q) -> 1 : 2)"),
    (Both, "full(q) && x == 0 || empty(q)"),
    (Both, "(full(q))"),
    (Both, "x = full(q)"),
    (Both, "assert(nfull(q))"),
    (Both, "!q?[x] && q??[1]"),
    (Both, "!(q?[x])"),
    (Both, "x = len(q) + 1"),
    (Both, "r!1(2); r!1,2; r!!1,2; r?x(y); r??x,y; r?<x,y>; r??<x(y)>"),
    (Both, "r?(x,y); r?1(2); r?-1,eval(x); r?_,_; r?[1,2]"),
    (Neither, "r!1,2(3)"),
    (Neither, "r?(x)(y)"),
    (Neither, "r?x+1,y"),
    (Both, "x = run P(1, q) + 1"),
    (Both, "run P(1, q) priority 3; skip"),
    (Both, "run P\n(1, q)"),
    (Both, "set\n(x, 1)"),
    (Both, "P[1]@L"),
    (Both, "P@L; P:z == 1; P[1]:z == 2"),
    (Both, "t.f = t.g[1]\n t.g[0]++"),
    (Both, "enabled(0) && pc_value(0) > 1"),
    (Both, "set_priority(_pid, 3); get_priority(_pid) == 3"),
    (Both, "printm(x)"),
    (Neither, "printf(\"a\" \"b\")"),
    (Neither, "eval(x)"),
    (Both, "x = 'a' + '\\n'"),
    (OnlyAxle, "x = 0x10"),
    (OnlyAxle, "x = 0o17"),
    (Both, "x = 010"),
    (Both, "x = 4294967297"),
    (Neither, "x = 1.5"),
    (Both, "if :: x = 1fi; x = 2unless skip"),
    (Neither, "x = 1y"),
    (OnlyAxle, "!!x"),
    (Neither, "while (x) { skip }"),
    (Neither, "if (x) { skip }"),
    (Neither, "nothing(x)"),
    (Neither, "P(1, q)"),
    (Neither, "break)"),
    (Neither, "do :: skip fi"),
];

/// Whole models.
const MODELS: &[(Accepts, &str)] = &[
    (Both, "byte x byte y init { skip }"),
    (Both, "byte x; ; -> ; init { skip };;"),
    (Both, "mtype = {a b c,,d,}; mtype:s = { e, f } mtype { g } init { skip }"),
    (Neither, "mtype = {,a}; init { skip }"),
    (Neither, "mtype = {}; init { skip }"),
    (Both, "typedef T { byte a; byte b; } T t; init { t.a = 1 }"),
    (Both, "typedef T { byte a\n byte b\n }\n T t; init { t.a = 1 }"),
    (Neither, "typedef T { byte a byte b } T t; init { t.a = 1 }"),
    (OnlyAxle, "typedef T { byte a;;;; byte b } T t; init { t.a = 1 }"),
    (Both, "typedef T { byte a }\n init {\n T\n t;\n skip }"),
    (Both, "typedef T { unsigned a : 3; bit b }; init { T t; t.a = 1 }"),
    (Both, "unsigned x : 3, y : 4 = 2; init { skip }"),
    (Both, "proctype P(byte a, b; chan c) { skip }; init { skip }"),
    (Neither, "proctype P(byte a, byte b) { skip } init { skip }"),
    (Neither, "proctype P(byte a = 1) { skip } init { skip }"),
    (OnlyAxle, "proctype P(byte a;) { skip } init { skip }"),
    (Both, "active [2+1] D_proctype P() priority 3 provided (1 == 1) { skip }"),
    (Neither, "active proctype P() provided (1) priority 3 { skip }"),
    (Both, "#define N 3\nactive [N] proctype P() { skip }"),
    (Both, "byte n = 3; active [n] proctype P() { skip }"),
    (Both, "init\n priority 2\n {\n skip\n }\n"),
    (OnlyAxle, "init provided (1) { skip }"),
    (Both, "chan r, q[2] = [1] of { mtype, byte }; init { q[1]!1,2 }"),
    (OnlyAxle, "chan q[2] = [1] of { mtype, byte }, r; init { q[1]!1,2 }"),
    (Both, "show byte x; local byte y; hidden byte z; init { show byte w; skip }"),
    (Both, "byte in; init { in = 1 }"),
    (Both, "byte U, V, X, always; init { U = 1 }"),
    (Neither, "byte U; init { skip } ltl { [] (U == 1) }"),
    (Both, "byte x; ltl p { [] (x==0) -> <> (x==1); } init { x = 1 }"),
    (Both, "byte x; ltl { always (x==0 implies eventually (x==1)) } init { x = 1 }"),
    (Both, "byte x; ltl { ![]x || <>!x && (x U x) } init { x = 1 }"),
    (Both, "byte x; ltl { [] x == 1 } init { x = 1 }"),
    (OnlySpin, "byte x; ltl { ([] x) == 1 } init { x = 1 }"),
    (OnlyAxle, "byte x; ltl { G {x < 2} and F x == 1 or not x > 1 } init { x = 1 }"),
    (Neither, "byte x; ltl { [] } init { x = 1 }"),
    (Neither, "byte x; ltl { x U } init { x = 1 }"),
    (OnlyAxle, "byte x; ltl { (x==0) ∧ □ ◇ x } init { x = 1 }"),
    (Both, "ltl { [] P@L } active proctype P() { L: skip }"),
    (
        Both,
        "active proctype P() { L: skip } ltl { [] (P[0]@L || P:z == 1) } active proctype Q() { skip } byte z;",
    ),
    (Both, "never { do :: skip od } init { skip }"),
    (Both, "never foo { true }; init { skip }"),
    (Both, "chan q = [1] of {byte}; trace { do :: q!1; q?1 od } init { q!1 }"),
    (Both, "c_decl { typedef int foo; }; c_state \"int x\" \"Global\" \"0\"; init { skip }"),
    (Both, "c_track \"&x\" \"sizeof(int)\" init { skip }"),
    (Both, "inline f(c) { byte z; z = c }\n init { f(1); f(2) }"),
    (Both, "inline g(d) { d == 1 }\n inline f(c) { g(c); g(c+1) }\n init { f(1) }"),
    (Neither, "inline f(c) { f(c) }\n init { f(1) }"),
    (Neither, "init { f(1) }\n inline f(c) { skip }"),
    (OnlyAxle, "byte a, b; inline f(a, b) { a = b }\n init { f(b, a) }"),
    (Neither, "init { skip"),
    (Neither, "init { skip } }"),
    (Neither, "proctyp P() { skip } init { skip }"),
];

fn check(cases: impl Iterator<Item = (Accepts, String)>, tag: &str) {
    let mut faults = Vec::new();
    for (index, (accepts, text)) in cases.enumerate() {
        let parsed = parse_text(&text);
        let ours = !parsed.has_errors();
        if ours != matches!(accepts, Both | OnlyAxle) {
            faults.push(format!("{accepts:?} expected: Axle {ours} {}\n{text}", parsed.first_error()));
        }
        let spins = spin_accepts(text.as_bytes(), None, &format!("{tag}-{index}"));
        if spins.is_some_and(|spins| spins != matches!(accepts, Both | OnlySpin)) {
            faults.push(format!("{accepts:?} expected: Spin {spins:?}\n{text}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn bodies_are_read_as_spin_reads_them() {
    check(BODIES.iter().map(|(accepts, body)| (*accepts, format!("{DECLS}init {{ {body} }}\n"))), "body");
}

#[test]
fn models_are_read_as_spin_reads_them() {
    check(MODELS.iter().map(|(accepts, model)| (*accepts, format!("{model}\n"))), "model");
}
