//! Random sequential programs print the same when executed here and when compiled by gcc with
//! `-fwrapv`. Twenty programs share a file, because starting gcc takes longer than all the rest.
//! `AXLE_DIFFERENTIAL=N` makes N files.

use crate::support;
use std::process::Command;

use axle_c_exec::{Settings, run};
use axle_source::Sources;

/// Xorshift: equal seeds, equal programs.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const TYPES: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "_Bool",
    "enum E",
];

/// A program: `prefix` keeps its names apart from those of the others in the file.
struct Maker<'r> {
    random: &'r mut Random,
    out: String,
    prefix: String,
    /// What can be read and assigned to, as expressions.
    places: Vec<String>,
    /// Functions and their number of parameters.
    functions: Vec<(String, usize)>,
    loops: usize,
    depth: usize,
}

impl Maker<'_> {
    fn constant(&mut self) -> String {
        match self.random.below(8) {
            0 => format!("{}", self.random.below(10)),
            1 => format!("-{}", self.random.below(200)),
            2 => format!("{}u", self.random.next() as u32),
            3 => format!("{}LL", self.random.next() as i64 >> self.random.below(50)),
            4 => format!("0x{:x}", self.random.next() as u16),
            5 => format!("'{}'", (b'a' + self.random.below(26) as u8) as char),
            6 => format!("{}UL", self.random.next()),
            _ => format!("{}", self.random.next() as i16),
        }
    }

    fn place(&mut self) -> String {
        let index = self.random.below(self.places.len());
        self.places[index].clone()
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.random.below(3) == 0 { self.constant() } else { self.place() };
        }
        let a = self.expression(depth - 1);
        match self.random.below(20) {
            0 => format!("({} << ({} & 7))", a, self.expression(depth - 1)),
            1 => format!("({} >> ({} & 7))", a, self.expression(depth - 1)),
            2 => format!("({a} / (({} & 15) + 1))", self.expression(depth - 1)),
            3 => format!("({a} % (({} & 7) + 1))", self.expression(depth - 1)),
            4 => format!("({})({a})", self.random.pick(TYPES)),
            5 => format!("-({a})"),
            6 => format!("~({a})"),
            7 => format!("!({a})"),
            8 => format!("({a} ? {} : {})", self.expression(depth - 1), self.expression(depth - 1)),
            9 => format!("({a} && {})", self.expression(depth - 1)),
            10 => format!("({a} || {})", self.expression(depth - 1)),
            11 => {
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({a} {op} {})", self.expression(depth - 1))
            }
            12 => format!("((int)sizeof(+({a})) + {})", self.expression(depth - 1)),
            13 => format!("(long long)((double)({a}) / 8)"),
            _ => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({a} {op} {})", self.expression(depth - 1))
            }
        }
    }

    fn write(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn line(&mut self, text: &str) {
        self.write(&format!("{}{text}", "  ".repeat(self.depth)));
    }

    fn block(&mut self, statements: usize) {
        self.depth += 1;
        for _ in 0..statements {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let kind = if self.depth > 4 { self.random.below(7) } else { self.random.below(14) };
        match kind {
            0..=2 => {
                let (place, value) = (self.place(), self.expression(2));
                self.line(&format!("{place} = {value};"));
            }
            3 => {
                let (place, value) = (self.place(), self.expression(2));
                let op = self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                self.line(&format!("{place} {op} {value};"));
            }
            4 => {
                let (place, value) = (self.place(), self.expression(1));
                let op = self.random.pick(&["<<=", ">>="]);
                self.line(&format!("{place} {op} ({value}) & 7;"));
            }
            5 => {
                let place = self.place();
                let text = self.random.pick(&["++", "--"]);
                let before = self.random.below(2) == 0;
                self.line(&if before { format!("{text}{place};") } else { format!("{place}{text};") });
            }
            6 if !self.functions.is_empty() => {
                let index = self.random.below(self.functions.len());
                let (name, count) = self.functions[index].clone();
                let args: Vec<String> = (0..count).map(|_| self.expression(1)).collect();
                let place = self.place();
                // Which of the two sides is evaluated first is not specified, and the function may
                // move pointers.
                self.line(&format!("{{ long long t = {name}({}); {place} = t; }}", args.join(", ")));
            }
            6 => {
                let (a, b) = (self.place(), self.expression(1));
                let place = self.place();
                self.line(&format!("{place} = ({a} = {b}, {a});"));
            }
            7 | 8 => {
                let condition = self.expression(2);
                self.line(&format!("if ({condition}) {{"));
                self.block(2);
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.block(2);
                }
                self.line("}");
            }
            9 => {
                let n = self.loops;
                self.loops += 1;
                let count = 1 + self.random.below(5);
                self.line(&format!("for (int i{n} = 0; i{n} < {count}; i{n}++) {{"));
                self.block(2);
                if self.random.below(3) == 0 {
                    let condition = self.expression(1);
                    let what = self.random.pick(&["break", "continue"]);
                    self.line(&format!("  if ({condition}) {what};"));
                }
                self.line("}");
            }
            10 => {
                let value = self.expression(1);
                self.line(&format!("switch (({value}) & 3) {{"));
                for case in 0..3 {
                    self.line(&format!("case {case}:"));
                    self.block(1);
                    if self.random.below(2) == 0 {
                        self.line("  break;");
                    }
                }
                self.line("default:");
                self.block(1);
                self.line("}");
            }
            11 => {
                let n = self.loops;
                self.loops += 1;
                self.line(&format!("{{ int w{n} = 3; do {{"));
                self.block(1);
                self.line(&format!("}} while (--w{n} > 0); }}"));
            }
            12 => {
                let (prefix, index) = (self.prefix.clone(), self.random.below(4));
                let which = self.random.below(2);
                self.line(&format!("{prefix}q = &{prefix}arr[{index}]; *{prefix}q += {which};"));
            }
            _ => {
                let prefix = self.prefix.clone();
                match self.random.below(3) {
                    0 => self.line(&format!("{prefix}s2 = {prefix}s;")),
                    1 => self.line(&format!("{prefix}s = {prefix}swap({prefix}s2);")),
                    _ => self.line(&format!("memcpy(&{prefix}u, &{prefix}s2, sizeof {prefix}u);")),
                }
            }
        }
    }

    fn program(&mut self) {
        let p = self.prefix.clone();
        let types: Vec<&str> = (0..6).map(|_| self.random.pick(TYPES)).collect();
        let fields: Vec<&str> = (0..3).map(|_| self.random.pick(&TYPES[..10])).collect();
        let widths: Vec<usize> = (0..3).map(|_| 1 + self.random.below(15)).collect();
        self.write(&format!(
            "struct {p}S {{ {} a; {} b; int f:{}; unsigned g:{}; {} c; long long h:{}; }};",
            fields[0],
            fields[1],
            widths[0],
            widths[1],
            fields[2],
            widths[2] + 17
        ));
        self.write(&format!("static struct {p}S {p}s = {{ 1, -2, 0, .g = 1, .c = 77 }}, {p}s2;"));
        self.write(&format!("static union {{ unsigned char bytes[4]; unsigned word; short half; }} {p}u;"));
        self.write(&format!("static {} {p}arr[4] = {{ 3, [2] = 9 }}, *{p}q = {p}arr + 1;", types[0]));
        for (index, ty) in types.iter().enumerate() {
            let value = self.constant();
            self.write(&format!("static {ty} {p}g{index} = ({ty})({value});"));
            self.places.push(format!("{p}g{index}"));
        }
        self.write(&format!(
            "static struct {p}S {p}swap(struct {p}S v) {{ struct {p}S r = v; r.a = v.b; r.b = v.a; r.f = v.g; return r; }}"
        ));
        for member in [
            "s.a",
            "s.b",
            "s.c",
            "s.f",
            "s.g",
            "s.h",
            "s2.a",
            "s2.f",
            "u.word",
            "u.half",
            "u.bytes[1]",
            "arr[0]",
            "arr[3]",
        ] {
            self.places.push(format!("{p}{member}"));
        }
        self.places.push(format!("(*{p}q)"));
        self.places.push(format!("{p}arr[{p}g0 & 3]"));
        let shared = self.places.clone();
        for index in 0..2 {
            let ret = self.random.pick(TYPES);
            let params: Vec<&str> = (0..2).map(|_| self.random.pick(TYPES)).collect();
            self.write(&format!("static {ret} {p}f{index}({} x, {} y) {{", params[0], params[1]));
            let ty = self.random.pick(TYPES);
            let value = self.constant();
            let counter = self.random.pick(&TYPES[..10]);
            self.write(&format!("  {ty} l = ({ty})({value}); static {counter} n = 5; n++;"));
            self.places = shared.clone();
            self.places.extend(["x".into(), "y".into(), "l".into(), "n".into()]);
            self.block(4);
            let value = self.expression(2);
            self.write(&format!("  return {value};\n}}"));
            self.functions.push((format!("{p}f{index}"), 2));
        }
        self.places = shared.clone();
        self.write(&format!("static void {p}main(void) {{"));
        for index in 0..3 {
            let ty = self.random.pick(TYPES);
            let value = self.expression(1);
            self.write(&format!("  {ty} l{index} = {value}; {ty} *p{index} = &l{index};"));
        }
        for index in 0..3 {
            self.places.push(format!("l{index}"));
            self.places.push(format!("(*p{index})"));
        }
        self.block(12);
        for index in 0..3 {
            self.write(&format!("  printf(\"%lld \", (long long)l{index});"));
        }
        self.write("  printf(\"\\n\");\n}");
        self.write(&format!("static void {p}print(void) {{ {p}main();"));
        for place in shared {
            self.write(&format!("  printf(\"%lld \", (long long){place});"));
        }
        self.write(&format!(
            "  printf(\"%lu %d\\n\", (unsigned long)sizeof(struct {p}S), (int)({p}q - {p}arr));\n}}"
        ));
    }
}

fn file(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::from("#include <stdio.h>\n#include <string.h>\nenum E { E0, E1 = 5, E2 };\n");
    for number in 0..20 {
        let mut maker = Maker {
            random: &mut random,
            out: String::new(),
            prefix: format!("p{number}_"),
            places: Vec::new(),
            functions: Vec::new(),
            loops: 0,
            depth: 0,
        };
        maker.program();
        text.push_str(&maker.out);
    }
    text.push_str("int main(void) {\n");
    for number in 0..20 {
        text += &format!("  p{number}_print();\n");
    }
    text.push_str("  return 0;\n}\n");
    text
}

#[test]
fn random_programs_print_what_gcc_makes_them_print() {
    if Command::new("gcc").arg("--version").output().is_err() {
        // The comparison is with what gcc compiles; continuous integration installs it.
        println!("skipped: gcc is not installed");
        return;
    }
    let files: u64 = std::env::var("AXLE_DIFFERENTIAL").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    let folder = std::env::temp_dir().join(format!("axle-differential-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let mut wrong = Vec::new();
    for seed in 1..=files {
        let text = file(seed);
        let (source, binary) = (folder.join("t.c"), folder.join("t"));
        std::fs::write(&source, &text).expect("a temporary file can be written");
        let compiled =
            Command::new("gcc").args(["-w", "-fwrapv", "-O0", "-o"]).arg(&binary).arg(&source).output();
        let compiled = compiled.expect("gcc runs");
        assert!(
            compiled.status.success(),
            "gcc rejects seed {seed}: {}",
            String::from_utf8_lossy(&compiled.stderr)
        );
        let theirs = Command::new(&binary).output().expect("the program runs");
        let mut sources = Sources::new();
        let (program, messages) = support::compile_text("t.c", text.as_bytes(), &mut sources);
        let Some(program) = program else {
            wrong.push(format!("seed {seed} is rejected: {messages}"));
            continue;
        };
        let settings = Settings { wrap: true, ..Settings::default() };
        let ours = run(&program, &settings, 20_000_000);
        if ours.end != Ok(0) || ours.output != theirs.stdout {
            let (a, b) = (
                String::from_utf8_lossy(&ours.output).into_owned(),
                String::from_utf8_lossy(&theirs.stdout).into_owned(),
            );
            let differs = a.lines().zip(b.lines()).enumerate().find(|(_, (x, y))| x != y);
            // Only for the analysis of the failure.
            let _ = std::fs::write(folder.join(format!("{seed}.c")), &text);
            wrong.push(format!("seed {seed}: {:?} after {} steps, {differs:?}", ours.end, ours.steps));
        }
    }
    if wrong.is_empty() {
        // A temporary folder that stays behind does no harm.
        let _ = std::fs::remove_dir_all(&folder);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
