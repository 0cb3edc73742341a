//! A seeded mutation fuzzer: 20,000 inputs made of directives, tokens and stray bytes go through
//! the preprocessor in both dialects. Nothing may panic, limits hold, places lie in their files,
//! and what was not made by `#` or `##` is spelled where it says.

use axle_generate::Random;
use axle_source::{
    Diagnostics, Dialect, Limits, MemoryLoader, Options, Sources, Style, TokenKind, preprocess, tokenize,
};

const PIECES: &[&str] = &[
    "#define ",
    "#undef ",
    "#if ",
    "#ifdef ",
    "#ifndef ",
    "#elif ",
    "#else\n",
    "#endif\n",
    "#include ",
    "#include \"a.h\"\n",
    "#include \"b.h\"\n",
    "#line 3\n",
    "# 7 \"x\" 1\n",
    "#error ",
    "#pragma once\n",
    "#pragma x\n",
    "\n",
    "\n",
    "\n",
    " ",
    "\\\n",
    "\\\r\n",
    "/*",
    "*/",
    "//",
    "\"",
    "'",
    "\\",
    "#",
    "##",
    "(",
    ")",
    "(",
    ")",
    ",",
    ",",
    "...",
    "__VA_ARGS__",
    "__VA_OPT__(",
    "defined",
    "defined(",
    "__LINE__",
    "__FILE__",
    "__COUNTER__",
    "__has_include(",
    "_Pragma(",
    "\"s\"",
    "'c'",
    "L",
    "u8",
    "%:",
    "<:",
    "f",
    "g",
    "h",
    "f(",
    "g(",
    "h(",
    "x",
    "y",
    "N",
    "M",
    "#define f(x) x f(x)\n",
    "#define g(x, ...) f(x ## __VA_ARGS__) #x\n",
    "#define N M N\n",
    "#define M (N, N)\n",
    "#define h(...) g(__VA_ARGS__, ## __VA_ARGS__) h\n",
    "#define f(x) x x\n",
    "#define LP (\n",
    "LP",
    "0",
    "1",
    "42",
    "0x1F",
    "1e+",
    "..",
    "1..N",
    "::",
    "->",
    "<->",
    "!!",
    "??",
    "&&",
    "||",
    "?",
    ":",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "==",
    "=",
    "9223372036854775807",
    "18446744073709551616",
    "é",
    "◇",
    "\u{feff}",
    "\u{0}",
    "\t",
    "\r",
    "\u{fffd}",
    "@",
    "`",
    "$",
    "-1",
];

fn generate(random: &mut Random) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..1 + random.below(60) {
        text.push_str(random.pick(PIECES));
        if random.below(3) == 0 {
            text.push(' ');
        }
    }
    let mut bytes = text.into_bytes();
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] = random.number() as u8,
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, random.number() as u8),
            _ => bytes.truncate(at + 1),
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    bytes
}

const LIMITS: Limits = Limits {
    output_tokens: 2_000,
    expanded_tokens: 5_000,
    use_tokens: 3_000,
    expansion_depth: 40,
    made_bytes: 20_000,
    include_depth: 10,
    includes: 50,
    source_bytes: 100_000,
};

fn check(input: &[u8], headers: [&[u8]; 2], dialect: Dialect, render: bool) {
    let mut loader = MemoryLoader::default();
    loader.files.insert("a.h".into(), headers[0].to_vec());
    loader.files.insert("b.h".into(), headers[1].to_vec());
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::with_limit(50);
    let (main, warning) = sources.add_bytes("main", input);
    diagnostics.extend(warning);
    let options = Options { limits: LIMITS, keep_pragmas: true, ..Options::new(dialect) };
    let output = preprocess(main, &options, &loader, &mut sources, &mut diagnostics);
    let ends = output.tokens.iter().filter(|token| token.kind == TokenKind::End).count();
    assert!(ends == 1 && output.tokens.last().is_some_and(|token| token.kind == TokenKind::End));
    assert!(output.tokens.len() <= LIMITS.output_tokens + 1);
    for token in &output.tokens {
        let text = sources.file(token.span.file).text();
        let spelled = text.get(token.span.start as usize..token.span.end as usize);
        let spelled = spelled.expect("a span on character boundaries");
        if !token.made && !spelled.contains('\\') {
            assert_eq!(spelled, &*token.text);
        }
        assert!(sources.chain(token.loc()).count() <= 101, "chains are finite");
        let outer = sources.outermost(token.loc());
        assert!(outer.start <= outer.end && outer.end as usize <= sources.file(outer.file).text().len());
    }
    diagnostics.sort(&sources);
    if render {
        assert!(diagnostics.is_empty() || !diagnostics.render(&sources, Style::default()).is_empty());
    }
    let mut other = Diagnostics::new();
    let tokens = tokenize(main, dialect, &sources, &mut other);
    let length: usize = tokens.iter().map(|token| (token.span.end - token.span.start) as usize).sum();
    assert!(length <= sources.file(main).text().len(), "tokens do not overlap");
}

#[test]
fn twenty_thousand_inputs() {
    let mut random = Random::of(1, 0);
    for round in 0..20_000 {
        let [input, a, b] = std::array::from_fn(|_| generate(&mut random));
        let dialect = if round % 2 == 0 { Dialect::Promela } else { Dialect::C };
        let caught = std::panic::catch_unwind(|| check(&input, [&a, &b], dialect, round % 8 < 2));
        if caught.is_err() {
            panic!(
                "round {round}, {dialect:?}: {:?}\na.h: {:?}\nb.h: {:?}",
                String::from_utf8_lossy(&input),
                String::from_utf8_lossy(&a),
                String::from_utf8_lossy(&b)
            );
        }
    }
}
