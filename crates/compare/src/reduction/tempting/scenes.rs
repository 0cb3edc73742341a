//! Scenes: for each rule of the reduction a few processes with a wrong verdict if the rule is
//! violated.
//!
//! Random statements rarely satisfy all conditions of a rule, such as a full lossy channel and a
//! receive that could have made room before. A scene fixes these conditions. Numbers, interleaved
//! irrelevant steps, the order of process creation, and other processes are random. A process that
//! waits for termination of all others distinguishes the final states.
//!
//! *Entry point:* [`program`].

use axle_generate::{Random, Tree};

use super::{Maker, Style, list, row, text};

/// The scenes. `chans` gives the capacities of `c0`, `c1` and so on, and whether they are lossy.
/// `-` is text before the processes and `+` after them. `P:` is a process, `D:` a deterministic
/// one, `V condition:` one with a provided clause, `W:` one that other processes start. Statements
/// are separated by `;;`, and `#` is a small number.
const SCENES: &[&str] = &[
    // Lossy channels: if full, an earlier receive determines which message is lost.
    "chans 1 lossy\nP: c0!1 ;; c0!2 ;; a = 1\nP: c0?l ;; b = l ;; c0?m ;; v[0] = m",
    "chans 1 lossy\nP: c0!1 ;; c0!2 ;; c0!#\nP: c0?l ;; a = l\nP: b = len(c0)",
    "chans 1 lossy\nP: do :: c0!# od\nP: a = 1 ;; b = a",
    "chans 1 lossy\nP: do :: c0!1; l = # od\nP: if :: c0?l -> a = 1 :: a = 2 fi ;; b = 1",
    // Messages received out of order.
    "chans 2\nP: c0!2 ;; c0!1\nP: if :: c0??1 -> a = 1 :: c0??2 -> a = 2 fi ;; c0?l ;; b = l",
    "chans 2\nP: c0!2\nP: c0!1\nP: c0??# ;; a = 1",
    "chans 2\nP: c0!!2\nP: c0!!1\nP: c0?l ;; a = l ;; c0?m ;; b = m",
    "chans 2\nP: c0!2 ;; c0!!1 ;; c0!!#\nP: if :: c0?1 -> a = 1 :: c0?2 -> a = 2 fi",
    "chans 2\nP: c0!2 ;; c0!!1\nP: c0?<l> ;; a = l",
    // Polls.
    "chans 2\nP: c0!1 ;; c0!2\nP: c0?l\nP: if :: c0?[#] -> a = 1 :: else -> a = 2 fi",
    "chans 1\nP: c0!#\nP: (c0?[1]) ;; a = 1\nP: c0?l ;; b = l",
    "chans 2\nP: c0!2 ;; c0!1\nP: c0?l\nP: if :: c0??[1] -> a = 1 :: else -> a = 2 fi",
    "chans 2\nP: c0!1 ;; c0!2\nP: if :: c0?eval(a) -> b = 1 :: c0?2 -> b = 2 fi\nP: a = 1",
    "chans 1\nP: c0!1\nP: c0?<l> ;; a = l\nP: if :: c0?m -> b = m :: b = 2 fi",
    // An atomic sequence that blocks.
    "chans 1\nP: c0!1 ;; atomic { a = 1; c0!2; a = 0 }\nP: c0?l ;; c0?m\nP: (a == 1) ;; b = 1",
    "chans 1\nP: atomic { a = 1; c0?l; a = 0 }\nP: c0!1\nP: (a == 1) ;; b = 1",
    "chans 0\nP: atomic { a = 1; c0?l; a = 0 }\nP: c0!1\nP: (a == 1) ;; b = 1",
    "chans 0\nP: atomic { a = 1; c0!1; a = 0 }\nP: c0?l\nP: (a == 1) ;; b = 1",
    "chans\nP: atomic { a = 1; (b == 1); a = 0 }\nP: b = 1\nP: if :: (a == 1) -> v[0] = 1 :: b = 2 fi",
    "chans 1 1\nP: atomic { c0!1; if :: c1?l -> a = 1 :: else -> a = 2 fi }\nP: c1!#\nP: c0?l ;; b = 1",
    // Control passing.
    "chans 0 0\nP: atomic { a = 1; c0!1; b = 1 }\nP: atomic { c0?l; c1!1; v[0] = a }\nP: atomic { c1?m; v[1] = b }",
    "chans 0 0\nP: do :: atomic { l = 1; c0!1 } od\nP: do :: atomic { c0?l; c1!1; m = 1 } od\nP: do :: c1?l; a = 1 od\nP: b = 1",
    "chans 0\nP: do :: atomic { l = 1; c0!1 } od\nP: do :: atomic { c0?l; accept1: m = 1 } od\nP: b = 1",
    "chans 0\nP: atomic { l = 1; c0!1 }\nP: atomic { c0?l; a = 1 }\nP: b = 1\n+ ltl f { [] (a == 0 || b == 1) }",
    // Process termination, youngest first.
    "chans\n- chan g = [1] of { chan };\nP: chan p ;; g?p ;; p!1 ;; a = 1\nP: chan own = [1] of { byte } ;; g!own\nP: l = 1 ;; m = 1",
    "chans\n- chan g = [1] of { chan };\nP: chan p ;; g?p ;; if :: full(p) -> a = 1 :: nfull(p) -> a = 2 fi\nP: chan own = [1] of { byte } ;; own!1 ;; g!own\nP: l = 1",
    "chans\n- chan g = [1] of { chan };\nP: chan p ;; g?p ;; p!1 ;; a = 1\nP: chan own = [1] of { byte } ;; g!own\nP: b = 1\nP: b = 2",
    "chans\nP: if :: _nr_pr == 3 -> a = 1 :: _nr_pr == 4 -> a = 2 :: else fi\nP: l = 1 ;; m = 1\nP: l = 2",
    "chans 1\nP: run W(1, c0) ;; run W(2, c0)\nP: a = _nr_pr % 3\nW: v[0] = x ;; p!x",
    "chans 1\nP: l = run W(1, c0) ;; a = l % 3\nP: m = run W(2, c0) ;; b = m % 3\nW: v[1] = x",
    "chans 1\nP: run W(#, c0) ;; v[0] = 1\nP: if :: v[0] == 1 -> a = 1 :: else -> a = 2 fi\nW: v[0] = x ;; if :: p!x :: p?x fi",
    "chans\n- chan g = [1] of { chan };\nP: run W(1, g) ;; a = 1\nP: chan q ;; g?q ;; q!1 ;; b = 1\nW: chan mine = [1] of { byte } ;; p!mine ;; v[0] = 1",
    // A single executable alternative.
    "chans 1 1\nD: if :: c0?l -> a = 1 :: c1?l -> a = 2 fi\nP: c0!1\nP: c1!1",
    "chans 1 1\nD: c0!1 ;; c1!1 ;; if :: c0!2 -> a = 1 :: c1!2 -> a = 2 fi\nP: c0?l\nP: c1?l",
    "chans\nD: if :: (a == 1) -> v[0] = 1 :: (b == 1) -> v[0] = 2 fi\nP: a = 1\nP: b = 1",
    // Remote references.
    "chans\nP: m = 1 ;; L: (v[1] == 2)\nP: if :: P0@L -> a = 1 :: else -> a = 2 fi",
    "chans 1\nP: m = 1 ;; L: c0?l ;; m = 2\nP: if :: P0@L -> a = 1 :: else -> a = 2 fi ;; c0!1",
    "chans\nP: m = 1 ;; L: m = 2 ;; (b == 2)\nP: (P0@L) ;; a = 1",
    "chans 1\nP: l = 1 ;; l = 2 ;; c0?m\nP: if :: P0:l == 0 -> a = 1 :: P0:l == 1 -> a = 2 :: else fi",
    "chans 1\nP: c0?l ;; c0?l\nP: c0!1 ;; c0!2\nP: if :: P0:l == 0 -> a = 1 :: P0:l == 1 -> a = 2 :: else fi",
    "chans\nP: atomic { l = 1; L: (b == 1); l = 2 }\nP: b = 1\nP: if :: P0@L -> a = 1 :: else -> a = P0:l fi",
    "chans\nP: l = 1 ;; L: l = 2\nP: a = 1\n+ ltl f { [] (!(P0@L) || a == 0) }",
    "chans\nP: l = 1 ;; l = 0\nP: a = 1\n+ ltl f { [] (P0:l == 0 || a == 1) }",
    // Loops with and without termination.
    "chans\nP: unsigned u : 2 ;; do :: u < 5 -> u++ od\nP: a = 1 ;; b = a",
    "chans\nP: unsigned u : 2 ;; do :: u < 3 -> u++; u = 0 od\nP: a = 1 ;; b = a",
    "chans\nP: unsigned u : 2 ;; do :: u < 2 -> u++ :: u > 0 -> u-- od\nP: a = 1",
    "chans 1\nP: unsigned u : 2 ;; do :: u < 2 -> u++; c0!1; c0?_; u = 0 od\nP: a = 1",
    "chans\nP: unsigned u : 2 ;; do :: u > 0 -> u-- :: else -> u = # od\nP: a = 1",
    "chans 1\nP: do :: c0!1 od\nP: do :: c0?l od\nP: a = 1 ;; b = a",
    "chans 0\nP: do :: c0!1 od\nP: do :: c0?l od\nP: a = 1 ;; b = a",
    "chans 1 1\nP: do :: c0!1; c1?l od\nP: do :: c0?l; c1!1 od\nP: a = 1",
    "chans 2\nP: do :: c0!1; c0?l od\nP: do :: c0?l; c0!2 od\nP: a = 1",
    "chans 1 1\nP: do :: c0!1 od\nP: do :: c0?l -> c1!l od\nP: do :: c1?l od\nP: a = 1",
    "chans\nP: (a == 2) ;; b = 1\nP: do :: a = 0 :: a = 1 od\nP: v[0] = 1\nP: v[0] = 2",
    "chans\nP: do :: (a == 0) -> a = 1 od\nP: do :: (a == 1) -> a = 0 od\nP: b = 1\nP: b = 2",
    "chans\nP: do :: l = 1 - l od\nP: do :: b = 1 - b od\nP: a = 1\n+ ltl f { <> (a == 1) }",
    "chans\nP: do :: atomic { l = 1; l = 0 } od\nP: a = 1\n+ ltl f { <> (a == 1) }",
    "chans\nP: L0: l = 1 ;; goto L0\nP: a = 1 ;; a = 2",
    // Choices with a blocked alternative.
    "chans 1 1\nP: c0!1 ;; if :: c0!2 -> a = 1 :: c1!1 -> a = 2 fi\nP: c0?l",
    "chans 1 1\nP: c0!1\nP: if :: c1?l -> a = 1 :: c0?l -> a = 2 fi\nP: c1!2",
    "chans 0 1\nP: if :: c0!1 -> a = 1 :: c1!1 -> a = 2 fi\nP: l = 1 ;; c0?l",
    "chans 0 0\nP: if :: c0?l -> a = 1 :: c1?l -> a = 2 fi\nP: c0!1\nP: l = 1 ;; c1!1",
    "chans 1\nP: if :: c0?l -> a = 1 :: timeout -> a = 2 fi\nP: (b == 1) ;; c0!1\nP: l = 1 ;; b = 1",
    "chans\nP: { l = 1; m = 1; (b == 2) } unless { timeout -> a = 1 }\nP: b = #",
    "chans 0\nP: { l = 1; m = 1; l = 0 } unless { c0?m -> a = 1 }\nP: l = 1 ;; c0!1",
    "chans 1\nP: { l = 1; m = 1; l = 0 } unless { c0?m -> a = 1 }\nP: l = 1 ;; c0!1",
    "chans\nP: { l = 1; m = 1; l = 0 } unless { (b == 1) -> a = 1 }\nP: b = 1 ;; b = 2",
    "chans\nV a != 1: l = 1 ;; b = 1\nP: a = 1\nP: v[0] = b",
    "chans\nV a != 1: b = 1 ;; b = 2\nP: a = 1 ;; a = 0\nP: v[0] = b",
    "chans 1\nV nempty(c0): b = 1 ;; b = 2\nP: c0!1\nP: c0?l",
    "chans\nP: if :: l = 1 :: l = 2 fi ;; a = l\nP: b = 1 ;; assert(a != #)",
    "chans\nP: l = 1 ;; assert(l == #) ;; a = l\nP: b = 1",
    // Necessary enabling by a process with a later conflict.
    "chans\nP: if :: a == 0 -> v[0] = 1 :: a == 1 -> v[0] = 2 fi\nP: (b == 1) ;; a = 1\nP: b = 1",
    "chans\nP: if :: a == 0 -> v[0] = 1 :: a == 1 -> v[0] = 2 fi\nP: (b == 2) ;; a = 1\nP: l = 1 ;; b = b + l + 1",
    "chans 1\nP: if :: a == 0 -> v[0] = 1 :: a == 1 -> v[0] = 2 fi\nP: (b == 1) ;; a = 1\nP: c0!1 ;; c0?b",
    "chans 1\nP: if :: a == 0 -> v[0] = 1 :: a == 1 -> v[0] = 2 fi\nP: (b > 0) ;; a = 1\nP: b = run W(1, c0)\nW: l = x",
    "chans 1\nP: (v[1] == 1) ;; if :: a == 0 -> v[0] = 1 :: a == 1 -> v[0] = 2 fi\nP: (v[1] == 1) ;; c0!2 ;; a = 1\nP: c0!1 ;; v[1] = 1 ;; c0?l",
    "chans 1\nP: (v[1] == 1) ;; if :: a == 0 -> v[0] = 1 :: a == 1 -> v[0] = 2 fi\nP: (full(c0)) ;; a = 1\nP: c0!1 ;; v[1] = 1",
    "chans 1\nP: if :: a == 0 -> v[0] = 1 :: a == 1 -> v[0] = 2 fi\nP: c0?l ;; a = 1\nP: c0!#",
    "chans\nP: if :: a == 0 -> v[0] = 1 :: a == 1 -> v[0] = 2 fi\nP: do :: l == 1 -> a = 1; break :: l == 0 -> l = 1 od",
    "chans\nP: if :: a == 0 -> v[0] = 1 :: a == 1 -> v[0] = 2 fi\nP: do :: (b == 1) -> a = 1; break :: l == 0 -> b = 1; l = 1 od",
    "chans\nP: b = 9 ;; b = 0\nP: (v[b] == 1)",
    "chans\nP: b = 9 ;; b = 0\nP: (v[b] == 1 && a == 1)\nP: a = #",
    "chans\nV v[b] == 0: (a == 1)\nP: b = 9 ;; b = 0",
    "chans\nP: do :: (a == 0) -> a = 1; b = 1; b = 0; a = 0 od\nP: do :: (a == 0) -> a = 1; v[0] = b; a = 0 od\nP: (v[0] == #) ;; v[1] = 1",
    "chans\nP: do :: atomic { (a == 0) -> a = 1 }; assert(b == 0); b = 1; b = 0; a = 0 od\nP: (a == 1) ;; b = #",
    "chans\nP: do :: a = 1 - a od\nP: l = 1 ;; b = 1 ;; b = 2 ;; assert(b != 2)",
    // Tests of channels that others cannot make false, and communications that never wait.
    "chans 2\nP: c0!1 ;; c0!2\nP: if :: nempty(c0) -> a = 1 :: (b == 1) -> a = 2 fi ;; c0?l\nP: b = 1",
    "chans 1\nP: c0!1\nP: if :: nempty(c0) -> a = 1 :: empty(c0) -> a = 2 fi",
    "chans 1\nP: c0!#\nP: if :: nempty(c0) -> a = 1 :: else -> a = 2 fi ;; c0?l",
    "chans 1\nP: c0?l\nP: if :: nfull(c0) -> a = 1 :: full(c0) -> a = 2 fi\nP: c0!1",
    "chans 1\nP: c0!#\nP: nempty(c0) ;; a = 1 ;; c0?l ;; b = l\nP: c0?m",
    "chans 1\nP: c0!1 ;; c0!2\nP: nfull(c0) ;; a = 1 ;; c0!#\nP: c0?l ;; b = l",
    "chans 2\nP: c0!1\nP: c0?[#] ;; a = 1 ;; c0?l ;; b = l\nP: c0!2",
    "chans 1\nP: atomic { nempty(c0) -> a = 1; c0?l; a = 0 }\nP: c0!1\nP: if :: (a == 1) -> b = 1 :: b = 2 fi",
    "chans 1\nP: atomic { nempty(c0) -> a = 1; c0?l; a = 0; c0?l; a = 2 }\nP: c0!1 ;; c0!2\nP: (a == 0) ;; b = 1",
    "chans 1\nP: atomic { nfull(c0) -> a = 1; c0!1; a = 0; c0!2; a = 2 }\nP: c0?l ;; c0?l\nP: (a == 0) ;; b = 1",
    "chans 2\nP: nempty(c0) ;; if :: c0?1 -> a = 1 :: c0?2 -> a = 2 fi\nP: c0!1\nP: c0!2",
    "chans 2\nP: nempty(c0) ;; c0??2 ;; a = 1\nP: c0!1 ;; c0!2\nP: if :: (a == 1) -> b = 1 :: else -> b = 2 fi",
    "chans 1\nP: nempty(c0) ;; l = 1 ;; a = 1 ;; atomic { v[0] = 1; c0?m; v[0] = 0 }\nP: c0!1\nP: if :: (v[0] == 1) -> b = 1 :: c0?l fi",
    "chans 1\nP: nempty(c0) ;; (b == 1) ;; atomic { v[0] = 1; c0?m; v[0] = 2 }\nP: c0!1 ;; (v[0] == 1) ;; c0!2\nP: c0?l ;; b = 1",
    "chans 1\nP: nempty(c0) ;; run W(1, c0) ;; atomic { a = 1; c0?l; a = 2 }\nP: c0!1 ;; (a == 1) ;; c0!2\nW: p?b",
    "chans 1 lossy\nP: nfull(c0) ;; a = 1 ;; c0!1 ;; c0!2\nP: c0?l ;; b = l",
    // Processes that wait for all others.
    "chans 1 1\nP: if :: c0?l -> a = 1 :: timeout -> c1!1; a = 2 fi\nP: c1?l ;; b = l\nP: (b == 1) ;; c0!1",
    "chans 1\nP: do :: c0!1 -> a = 1 :: timeout -> a = 2; break od\nP: c0?l ;; c0?l ;; b = a",
    "chans\nP: do :: a = 1 - a :: timeout -> b = 1 od\nP: l = 1 ;; b = 2",
    "chans\nP: do :: timeout -> a = 1 - a od\nP: b = 1 ;; b = 2\nP: do :: (a == 1) -> v[0] = 1; a = 0 od",
    "chans\nP: do :: timeout -> l = 1 - l od\nP: a = 1\n+ ltl f { <> (a == 1) }",
    "chans\nP: if :: (l == 0 || timeout) -> a = 1 :: (b == 1) -> a = 2 fi\nP: b = 1",
    "chans\nP: if :: (v[b] == 0 && timeout) -> a = 1 fi\nP: b = 9 ;; b = 0",
    "chans\nP: if :: (timeout && v[b] == 0) -> a = 1 :: (a == 2) fi\nP: b = 9 ;; b = 0\nP: a = #",
    "chans\nV timeout: a = 1 ;; a = 2\nP: b = 1 ;; b = a",
    "chans 0\nP: do :: timeout -> c0!1 od\nP: do :: c0?l -> a = 1 - a od\nP: (a == 1) ;; b = 1",
    "chans 1\nP: atomic { l = 1; if :: timeout -> a = 1 :: (b == 1) -> a = 2 fi }\nP: c0!1 ;; b = 1\nP: c0?m",
    // Constant variables, and variables that only appear constant.
    "chans 1\nP: byte i ;; c0?i ;; v[i] = 1\nP: c0!1\nP: if :: v[1] == 0 -> a = 1 :: else -> a = 2 fi",
    "chans 1 1\n- chan g = [1] of { chan };\nP: chan p = c0 ;; g?p ;; p!1\nP: g!c1\nP: if :: full(c1) -> a = 1 :: else -> a = 2 fi",
    "chans\nP: byte i ;; i = b ;; v[i % 2] = 1\nP: b = 1\nP: a = v[1]",
    "chans 1 1\nP: chan p = c0 ;; if :: p = c1 :: skip fi ;; p!1\nP: a = len(c1)\nP: b = len(c0)",
    // Properties that count steps.
    "chans\nP: a = 1 ;; a = 0 ;; a = 2\nP: l = 1 ;; m = 1\n+ never { S0: if :: (a != 1) -> goto S1 fi; S1: if :: (a != 1) -> goto S2 fi; S2: if :: (a == 1) -> goto accept_it fi; accept_it: do :: true od }",
    "chans\nP: l = 1 ;; a = 1\nP: b = 1\n+ ltl f { X X (a == 1) }",
    "chans\nP: l = 1 ;; a = 1 ;; a = 0\nP: b = 1\n+ ltl f { [] (a == 0 || X (a == 0)) }",
    "chans\nP: l = 1 ;; a = 1 ;; progress1: a = 0\nP: do :: b = 1 :: b = 0 od",
    "chans\nP: do :: l = 1; accept1: l = 0 od\nP: a = 1 ;; b = a\n+ ltl f { <> (b == 1) }",
    "chans 1\nP: c0!1 ;; a = 1\nP: c0?l ;; b = 1\n+ ltl f { [] (len(c0) == 0 || a == 0) }",
    "chans\nP: a = 1\nP: b = 1\n+ ltl f { [] (a == b || a == 1) }\n+ ltl g { <> (a == 1 && b == 0) }",
];

/// A part of a scene: the statements of a process, and how it begins.
struct Cast<'s> {
    head: String,
    statements: Vec<&'s str>,
}

/// The program of a number, and whether its channels lose messages.
pub fn program(number: u64) -> (Tree, bool) {
    let mut random = Random::of(78, number);
    let scene = SCENES[random.below(SCENES.len())];
    let (mut capacities, mut lossy) = (Vec::new(), random.one_in(24));
    let (mut before, mut behind, mut casts) = (Vec::new(), Vec::new(), Vec::new());
    for line in scene.lines() {
        let (word, rest) = line.split_once([' ', ':']).unwrap_or((line, ""));
        let (condition, rest) = match word {
            "V" => rest.split_once(':').unwrap_or(("true", rest)),
            _ => ("", rest),
        };
        let statements: Vec<&str> = rest.split(";;").map(str::trim).collect();
        let index = casts.len();
        match word {
            "chans" => {
                capacities.extend(rest.split(' ').filter_map(|word| word.parse::<usize>().ok()));
                lossy |= rest.contains("lossy");
            }
            "-" => before.push(rest),
            "+" => behind.push(rest),
            "D" => casts.push(Cast { head: format!("active D_proctype P{index}()"), statements }),
            "V" => {
                let head = format!("active proctype P{index}() provided ({condition})");
                casts.push(Cast { head, statements });
            }
            "W" => casts.push(Cast { head: "proctype W(byte x; chan p)".to_string(), statements }),
            _ => casts.push(Cast { head: format!("active proctype P{index}()"), statements }),
        }
    }
    let channels: Vec<(String, usize)> =
        capacities.iter().enumerate().map(|(i, capacity)| (format!("c{i}"), *capacity)).collect();
    let empty = channels.is_empty();
    let mut maker = extras(random, channels);
    let mut parts = vec![text("byte a, b;"), text("byte v[2];")];
    parts.extend(maker.style.channels.iter().map(|(n, c)| text(format!("chan {n} = [{c}] of {{ byte }};"))));
    parts.extend(before.into_iter().map(text));
    // What is started has to be known first.
    casts.sort_by_key(|cast| !cast.head.starts_with("proctype"));
    let fixed = usize::from(casts.first().is_some_and(|cast| cast.head.starts_with("proctype")));
    if maker.one_in(2) {
        for at in (fixed + 1..casts.len()).rev() {
            casts.swap(at, fixed + maker.random.below(at + 1 - fixed));
        }
    }
    let observes = maker.random.below(4);
    if observes == 1 {
        parts.push(maker.observer());
    }
    for cast in &casts {
        parts.push(maker.act(cast));
    }
    if !empty && maker.one_in(6) {
        parts.push(maker.process("active proctype R()", 2));
    }
    if observes > 1 {
        parts.push(maker.observer());
    }
    parts.extend(behind.iter().map(|text| Tree::text(*text)));
    if behind.is_empty() && !empty && maker.one_in(4) {
        let formula = maker.formula(0);
        parts.push(formula);
    }
    (list(parts, "\n"), lossy)
}

/// A maker of what comes between: nothing that refers to what a scene need not have.
fn extras(random: Random, channels: Vec<(String, usize)>) -> Maker {
    let style = Style {
        channels,
        workers: false,
        types: 2,
        counts: false,
        remote: false,
        timeout: false,
        gives_up: false,
        unordered: false,
        labels: false,
        deterministic: false,
    };
    Maker { random, style, budget: 0, own: false, passed: false, flat: true }
}

impl Maker {
    /// A process of a scene, with something in between.
    fn act(&mut self, cast: &Cast) -> Tree {
        let mut parts = vec![text("byte l, m")];
        for statement in &cast.statements {
            let declares = ["chan ", "byte ", "unsigned "].iter().any(|ty| statement.starts_with(ty));
            if !declares && self.one_in(4) {
                let between = if self.one_in(6) { self.statement(1) } else { self.private() };
                parts.push(between);
            }
            let number = self.random.pick(&["0", "1", "1", "2"]);
            parts.push(text(statement.replace('#', number)));
        }
        row([text(format!("{} ", cast.head)), Tree::block(parts)])
    }

    /// A process that waits for the end and tells ends apart.
    fn observer(&mut self) -> Tree {
        let options =
            (0..18).map(|k| text(format!(":: (a + 3*b + 9*v[0] + 5*v[1]) % 18 == {k} -> skip"))).collect();
        let choice =
            Tree::List { open: "if ", parts: options, between: "\n", close: " :: else fi", least: 0 };
        row([text("active proctype Q() "), Tree::block(vec![text("timeout"), choice])])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduction::power::model;

    #[test]
    fn every_scene_is_accepted_as_it_stands() {
        let mut accepted = vec![0; SCENES.len()];
        let (mut refused, most) = (Vec::new(), 40 * SCENES.len() as u64);
        for number in 0..most {
            let which = Random::of(78, number).below(SCENES.len());
            let (tree, lossy) = program(number);
            match model("scene", &tree.to_string(), lossy) {
                Some(_) => accepted[which] += 1,
                None => refused.push(which),
            }
        }
        let never: Vec<&str> = (0..SCENES.len()).filter(|&i| accepted[i] == 0).map(|i| SCENES[i]).collect();
        assert!(never.is_empty(), "never accepted: {never:#?}");
        assert!(refused.len() < most as usize / 10, "{} of {most} are refused: {refused:?}", refused.len());
    }
}
