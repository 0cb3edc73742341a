//! The vocabulary of the fuzzer for C: tokens, directives, numbers at type limits, and small
//! declarations and statements of each kind. Each string contains several tokens, separated by
//! white space.

use std::sync::LazyLock;

use axle_c::grammar::words::{KEYWORDS, PUNCTUATORS};
use axle_generate::Random;

use super::vocabulary::Vocabulary;

/// C.
pub static VOCABULARY: Vocabulary = Vocabulary {
    folders: &["tests/c", "examples/c", "crates/c-exec/tests/probes", "crates/c-exec/tests/regressions"],
    endings: &["c", "h"],
    smallest: "int a;\nint main(void) { a++; return 0; }\n",
    grown,
    words,
    numbers: NUMBERS,
    directives: DIRECTIVES,
    declarations: DECLARATIONS,
    statements: STATEMENTS,
    main: "int main(int argc, char **argv) {\n",
    between: &[";\n", "; ", ";", "\n"],
    blocks: BLOCKS,
    wraps: WRAPS,
    routine,
    call: " deed(a, 1) ",
    words_nest: false,
};

fn routine(body: &str, again: bool) -> String {
    let again = if again { "deed(x, y);" } else { "" };
    format!("static int deed(int x, int y) {{ {body}; {again} return x; }}\n")
}

/// A program of random declarations and functions that uses declared names only.
fn grown(random: &mut Random) -> String {
    let mut text = String::from(PREAMBLE);
    for _ in 0..random.below(4) {
        text += random.pick(DECLARATIONS);
    }
    for function in 0..1 + random.below(3) {
        text += &format!("static long fn{function}(int x, char *y) {{\n");
        for _ in 0..random.below(4) {
            block(&mut text, 3, random);
        }
        text += "return x; }\n";
    }
    text += "int main(void) {\n";
    for _ in 0..1 + random.below(5) {
        block(&mut text, 3, random);
    }
    text + "return fn0(a, p); }\n"
}

/// A statement, possibly with nested statements.
fn block(text: &mut String, depth: usize, random: &mut Random) {
    if depth > 0 && random.one_in(3) {
        let (open, close) = random.pick(BLOCKS);
        *text += open;
        block(text, depth - 1, random);
        *text += close;
        *text += "\n";
        return;
    }
    match random.one_in(3) {
        true => *text += random.pick(STATEMENTS),
        false => {
            *text += random.pick(&["a = ", "b += ", "i = ", "(void)", "x0 = ", "s.f = ", "c[a & 3] = "]);
            value(text, 4, random);
        }
    }
    *text += ";\n";
}

/// An expression.
fn value(text: &mut String, depth: usize, random: &mut Random) {
    if depth == 0 || random.one_in(4) {
        *text += if random.one_in(2) { random.pick(NUMBERS) } else { random.pick(VALUES) };
        return;
    }
    match random.below(4) {
        0 => {
            let (open, close) = random.pick(WRAPS);
            *text += open;
            value(text, depth - 1, random);
            *text += close;
        }
        _ => {
            *text += "(";
            value(text, depth - 1, random);
            *text += random.pick(&[
                " + ", " - ", " * ", " / ", " % ", " << ", " >> ", " & ", " | ", " ^ ", " && ", " || ",
                " < ", " >= ", " == ", " != ", ", ", " ? 1 : ", " ?: ",
            ]);
            value(text, depth - 1, random);
            *text += ")";
        }
    }
}

/// Declares the names used in the other tables.
const PREAMBLE: &str = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <assert.h>\n\
    int a, b = 3, c[4]; unsigned long i; double x0; char *p;\n\
    struct S { int f; unsigned g : 5; long h[2]; union { int u; char v[4]; }; } s, t[3], *sp = &s;\n\
    atomic_int at; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t cv; enum E { RED, GREEN = 7 } e;\n\
    void *work(void *arg); void *work(void *arg) { a++; return arg; }\n";

/// Operands.
const VALUES: &[&str] = &[
    "a",
    "b",
    "c",
    "i",
    "x0",
    "p",
    "s.f",
    "s.g",
    "s.u",
    "t[1].h[0]",
    "sp->v[2]",
    "*p",
    "&a",
    "&c[4]",
    "&s.h",
    "at",
    "e",
    "GREEN",
    "sizeof s",
    "sizeof(int[3])",
    "(char)a",
    "(struct S *)p",
    "work",
    "\"text\"",
    "'c'",
    "L'w'",
    "u8\"x\"",
    "(struct S){ .g = 3 }",
    "(int[]){ 1, 2 }",
    "__func__",
    "a++",
    "--i",
    "p++",
    "(a = 3)",
    "c[1] += 2",
    "1.5f",
    "0x1p3",
];

/// Keywords, punctuators and fragments.
fn words() -> &'static [&'static str] {
    static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| [KEYWORDS, PUNCTUATORS, FRAGMENTS].concat());
    &WORDS
}

/// Names and other spellings; `;` a second time, because it is frequent.
const FRAGMENTS: &[&str] = &[
    "__typeof__",
    "__thread",
    "__asm__",
    "__builtin_va_list",
    "__builtin_offsetof",
    "__builtin_expect",
    "__builtin_types_compatible_p",
    "__builtin_choose_expr",
    "__builtin_constant_p",
    "__builtin_unreachable",
    "__builtin_add_overflow",
    "__sync_fetch_and_add",
    "__atomic_load_n",
    "__atomic_compare_exchange",
    "__ATOMIC_SEQ_CST",
    "__func__",
    "__LINE__",
    "__COUNTER__",
    "__VA_ARGS__",
    "__VA_OPT__",
    "_Pragma",
    "defined",
    "NULL",
    "malloc",
    "free",
    "printf",
    "memcpy",
    "pthread_create",
    "pthread_mutex_lock",
    "va_arg",
    "va_list",
    "setjmp",
    "a",
    "b",
    "c",
    "i",
    "p",
    "s",
    "sp",
    "t",
    "S",
    "E",
    "f",
    "g",
    "h",
    "x",
    "y",
    "main",
    "work",
    "argv",
    "T",
    ";",
    "<:",
    ":>",
    "<%",
    "%>",
    "%:",
    "@",
    "$",
    "`",
    "\\",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\n",
    "\\\n",
    "\t",
    "\u{0}",
    "\u{feff}",
    "é",
    "\u{202e}",
    "\\u00e9",
    "\"s\"",
    "\"\\x\"",
    "\"\\777\"",
    "L\"\\U0010ffff\"",
    "'ab'",
    "''",
    "u'x'",
    "??=",
    "[0] =",
    ".f =",
    "[1 ... 3] =",
    "f:",
    "case 1 ... 5:",
    "({",
    "})",
    "(int)",
    "(void *)",
    "*restrict",
    "int (*)(int)",
    "__attribute__((packed))",
    "__attribute__((aligned(64)))",
    "_Alignas(16)",
    "_Atomic(int)",
    "typeof(a)",
];

/// Numbers at type limits, and texts similar to numbers.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "15",
    "16",
    "31",
    "32",
    "33",
    "63",
    "64",
    "65",
    "127",
    "128",
    "255",
    "256",
    "1000",
    "32767",
    "32768",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "0x0",
    "0xFFFFFFFF",
    "0xFFFFFFFFFFFFFFFF",
    "0x",
    "0xg",
    "007",
    "08",
    "0b101",
    "1e9",
    "1.5",
    "1e400",
    "1e-400",
    ".5",
    "5.",
    "1e",
    "0x1p3",
    "0x1.8",
    "10u",
    "10UL",
    "10ull",
    "10lul",
    "1.5f",
    "1.5L",
    "1i",
    "0x7fffffff",
    "0x80000000",
];

/// Preprocessor lines, each inserted at the start of a line.
const DIRECTIVES: &[&str] = &[
    "#define N 3\n",
    "#define N\n",
    "#define M N + M\n",
    "#define f(x) x + f(x)\n",
    "#define g(x, ...) f(x ## __VA_ARGS__) #x\n",
    "#define h(...) g(__VA_OPT__(a,) ## __VA_ARGS__) h\n",
    "#define D D2 D2\n#define D2 D3 D3\n#define D3 D4 D4\n#define D4 a; a\n",
    "#define LP (\n",
    "#define int long\n",
    "#define if while\n",
    "#define assert(x)\n",
    "#undef N\n",
    "#undef NULL\n",
    "#if 0\n",
    "#if N > 2 && defined(M)\n",
    "#if 1/0\n",
    "#if __has_include(<pthread.h>)\n",
    "#ifdef N\n",
    "#ifndef N\n",
    "#elif 1\n",
    "#else\n",
    "#endif\n",
    "#include \"main.c\"\n",
    "#include <stdio.h>\n",
    "#include <stdarg.h>\n",
    "#include <string.h>\n",
    "#include <threads.h>\n",
    "#include <semaphore.h>\n",
    "#include <limits.h>\n",
    "#include <stddef.h>\n",
    "#include <stdint.h>\n",
    "#include <none.h>\n",
    "#line 7\n",
    "#line 2147483647 \"x\"\n",
    "# 12 \"y.c\" 2 3\n",
    "#error no\n",
    "#warning oh\n",
    "#pragma once\n",
    "#pragma pack(1)\n",
    "#\n",
    "#nonsense\n",
];

/// Global declarations.
const DECLARATIONS: &[&str] = &[
    "int a, b = 3, c[4];\n",
    "unsigned long i; double x0; char *p = \"text\";\n",
    "struct S { int f; unsigned g : 5; long h[2]; } s, t[3];\n",
    "struct S { struct S *next; char v[]; };\n",
    "struct Open; struct Open *o; struct Open { struct Open *o; int : 0; int k : 3; };\n",
    "struct A { struct B b; }; struct B { struct A a; };\n",
    "union U { int i; float f; char c[8]; } u = { .c = \"abc\" };\n",
    "enum E { RED, GREEN = 7, BLUE = GREEN + 1, HUGE = 0x7fffffff } e = GREEN;\n",
    "typedef int T; typedef T (*F)(T, ...); F table[2];\n",
    "typedef struct { T x; } V, *W; static W w;\n",
    "static int table[] = { [5] = 1, 2, [1 ... 3] = 7 };\n",
    "int grid[3][4] = { { 1, 2 }, [2] = { [3] = 9 }, }, (*row)[4] = grid + 1;\n",
    "char text[] = \"a\" \"b\\0c\", *const q = text + 1; const char *names[] = { \"x\", text };\n",
    "struct { int x, y; struct { int z; }; } point = { .y = 2, .z = 3, 4 };\n",
    "int huge[0x7fffffff][0x7fffffff];\n",
    "int many[100000] = { [99999] = 1 };\n",
    "_Thread_local int tl = 3; extern int tl2; static _Atomic(long) al;\n",
    "_Static_assert(sizeof(int) == 4, \"int\");\n",
    "_Static_assert(_Generic((char)1, int: 0, char: 1, default: 2), \"g\");\n",
    "int old(x, y) int x; char *y; { return x + *y; }\n",
    "int forward(int); int forward(int n) { return n ? forward(n - 1) : 0; }\n",
    "void *work(void *arg) { a++; return arg; }\n",
    "int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); n = __builtin_va_arg(l, int); return n; }\n",
    "int (*pick(int n))(int) { return n ? forward : 0; }\n",
    "static inline __attribute__((noreturn)) void stop(void) { for (;;); }\n",
    "int f(int a[static 3], int (*g)(void), struct S s) { return a[0]; }\n",
    "int x = 1 / 0, y = (char)300, z = sizeof(struct S) + __builtin_offsetof(struct S, h[1]);\n",
    "long addr = (long)&a; int *end = &c[4], *past = c + 5;\n",
    "double d = 1e308 * 10, n = 0.0 / 0.0; float fl = 16777217; int from = (int)1e20;\n",
    "int x : 3; void v; int g[-1]; int k[0];\n",
    "int a; long a; static int a; extern int a = 3;\n",
];

/// Statements.
const STATEMENTS: &[&str] = &[
    "a++",
    "a = b / c[a] % 3",
    "c[a % 4] += c[3] << 1",
    "assert(a < 200 && \"why\")",
    "if (a > 3) a = 0; else b = 1",
    "while (a < 3) a++",
    "do { if (a) continue; break; } while (a--)",
    "for (int k = 0, *l = &k; k < 5; k++) { int k = *l; a += k; }",
    "for (;;) { if (a) break; }",
    "switch (a) { case 1: a = 2; case 2 ... 9: b++; break; default: { case 12: a--; } }",
    "switch (a) { case 1: case 1: default: default: ; }",
    "goto done; done: a = 1",
    "{ int l = a, n[3] = { 1 }; struct S r = { .f = l }, q = r; a = q.f + n[2]; }",
    "return a",
    "static int kept = 3; kept++",
    "a = ({ int r = b; r++; r; })",
    "a = b ?: 7",
    "a = b ? c[0] : (b, 4)",
    "x0 = a * 1.5 + (float)i",
    "s = t[1]; t[a] = (struct S){ 1, .g = 9 }",
    "s.g++; sp->g = -1; sp->h[1] = (&s)->f",
    "p = malloc(sizeof *p * 4); p[1] = 'c'; free(p)",
    "pthread_t th; pthread_create(&th, 0, work, &a); pthread_join(th, 0)",
    "pthread_mutex_lock(&m); a++; pthread_mutex_unlock(&m)",
    "pthread_cond_wait(&cv, &m); pthread_cond_signal(&cv)",
    "at++; atomic_fetch_add(&at, 2); atomic_compare_exchange_strong(&at, &a, 3)",
    "atomic_store_explicit(&at, 1, memory_order_release)",
    "__sync_fetch_and_add(&a, 1); __atomic_store_n(&a, 1, __ATOMIC_RELAXED)",
    "int (*fp)(int) = 0; fp(3); (*fp)(4); (**fp)(5)",
    "a = sizeof(int[a]) + sizeof(struct S) + _Alignof(double)",
    "a = _Generic(x0, int: 1, double: 2, default: p)",
    "typeof(a) ty = a; __auto_type au = &ty; *au = 3",
    "int vla[a]; vla[0] = 1",
    "asm volatile(\"\" : \"=r\"(a) : \"r\"(b) : \"memory\")",
    "void *la = &&done; goto *la",
    "int inner(int q) { return q; } a = inner(3)",
    "__builtin_add_overflow(a, b, &a); a = __builtin_popcount(b) + __builtin_clz(a)",
    "printf(\"%d %s %*c %lu %n\", a, p, 3, 'c', i)",
    "unknown_function(a, 1.5, s)",
    "case 3: a = 4",
    "break",
    "continue",
    "extern int outside; outside = a",
    "_Static_assert(1, \"\"); _Static_assert(0, \"no\")",
    "*(volatile int *)0 = 1; ((char *)&a)[9] = 2; (*(struct S **)p)->f = 1",
    "long double ld = 1.0L; ld += a; _Complex double cd = 1",
];

const BLOCKS: &[(&str, &str)] = &[
    ("{ ", " }"),
    ("if (a) { ", " }"),
    ("if (a > 1) ; else ", " "),
    ("while (a--) { ", "; }"),
    ("do { ", "; } while (a > b)"),
    ("for (int k = 0; k < 3; k++) { ", "; }"),
    ("switch (a) { case 1: ", "; }"),
    ("switch (a) { default: { ", "; } case 3: ; }"),
    ("lbl: ", " "),
    ("({ ", "; })"),
    ("{ int a = 1; ", "; }"),
    ("{ struct S { int f; } s; ", "; }"),
];

const WRAPS: &[(&str, &str)] = &[
    ("(", ")"),
    ("!", ""),
    ("- ", ""),
    ("~", ""),
    ("*", ""),
    ("&", ""),
    ("c[", "]"),
    ("1 + ", ""),
    ("a ? ", " : 0"),
    ("a ?: ", ""),
    ("(int)", ""),
    ("(char *)", ""),
    ("sizeof ", ""),
    ("sizeof(", ")"),
    ("typeof(", ")"),
    ("({ ", "; })"),
    ("(int[]){ ", " }"),
    ("(struct S){ ", " }"),
    ("{ ", " }"),
    ("f(", ")"),
    ("(a, ", ")"),
    ("a = ", ""),
    ("_Generic(", ", int: 1, default: 2)"),
    ("__builtin_constant_p(", ")"),
    ("__builtin_choose_expr(", ", 1, 2)"),
    ("struct S { ", "; }"),
    ("int (*", ")(int)"),
    ("_Atomic(", ")"),
];
