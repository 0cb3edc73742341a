//! The examples of Holzmann, *Software Model Checking* (2000), section 6.5, and of Holzmann and
//! Smith, *Automating Software Feature Verification* (2000), appendix *The Working of AX*: tables,
//! models, and what checking the models comes to. Where the scan of the appendix and the lecture
//! notes differ, the notes are right: `R: return cnt`, and `E:` before `cnt++`.

use std::sync::Arc;

use axle_extract::{Form, wrapper};
use axle_promela::Options;
use axle_search::{Limits, Silent, bfs};
use axle_source::{Diagnostics, MemoryLoader, Sources, Style};
use axle_step::Interpreter;
use axle_store::AutoSet;

use crate::support::{Work, example};

/// A text without comments, and with the separators of Promela made one.
fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        out.push_str(&rest[..at]);
        rest = rest[at..].split_once("*/").map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    let flat: String = out.chars().filter(|c| !c.is_whitespace()).collect();
    flat.replace("->", ";")
        .replace(";;", ";")
        .replace(";fi", "fi")
        .replace(";od", "od")
        .replace(";::", "::")
        .replace(";}", "}")
        .replace("fi;", "fi")
        .replace("od;", "od")
}

/// The process of a function of an example, by the example's table.
fn process(folder: &str, file: &str, function: &str, form: Form) -> String {
    let mut work = Work::of(file, &example(&format!("{folder}/{file}")));
    let table = example(&format!("{folder}/{function}.lut"));
    let text = work.text(function, form, &table);
    assert_eq!(work.rendered(), "", "{folder}: {function}");
    // What is complete is left as it is.
    assert_eq!(work.sync(function, Some(&table)).text, table, "{folder}: {function}");
    text
}

/// Whether nothing is wrong, states, transitions and depth of an example's wrapper, all of them
/// visited.
fn checked(
    folder: &str,
    file: &str,
    wrapper: &str,
    change: impl Fn(&str) -> String,
) -> (bool, u64, u64, u64) {
    let text = example(&format!("{folder}/{wrapper}"));
    let wanted = wrapper::wanted(&text);
    let texts: Vec<(String, String)> = (wanted.iter())
        .map(|(function, form)| (format!("{function}.spn"), change(&process(folder, file, function, *form))))
        .collect();
    let loader = MemoryLoader::new(texts.iter().map(|(name, text)| (&**name, &**text)));
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add(wrapper, &text);
    let model = axle_promela::compile(&mut sources, main, &loader, &Options::default(), &mut diagnostics);
    let rendered: String = diagnostics.iter().map(|one| one.render(&sources, Style::default())).collect();
    let model = Arc::new(model.unwrap_or_else(|| panic!("{rendered}")));
    let mut stepper = Interpreter::new(model, axle_step::Options::default());
    let mut set = AutoSet::new(stepper.layout().width()).expect("an empty set has room");
    let limits = Limits { errors: Some(1), ..Limits::default() };
    let options = axle_search::Options { limits, ..axle_search::Options::default() };
    let outcome = bfs::search(&mut stepper, &mut set, &options, &mut Silent);
    (outcome.violations.is_empty(), outcome.states, outcome.transitions, outcome.depth)
}

/// A figure of the notes, as printed.
fn figure(name: &str) -> String {
    let path = format!("{}/tests/figures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// The process of a function of the notes, by the example's table and by the figure.
fn of_the_notes(function: &str) -> [String; 2] {
    let mut work = Work::of("abp.c", &example("abp/abp.c"));
    let printed = work.text(function, Form::Active, &figure(&format!("{function}.lut")));
    assert_eq!(work.rendered(), "", "{function}");
    [process("abp", "abp.c", function, Form::Active), printed]
}

#[test]
fn the_receiver_of_the_notes_is_figure_20() {
    // A run prints the condition with both negations, as the page after the figure shows.
    let figure = bare(&figure("abp_receiver.spn")).replace("Bufout.size=1Bufout", "Bufout.size=1;Bufout");
    let figure = figure.replace("!(put_data(&Bufinp))", "!(!put_data(&(Bufinp)))");
    for text in of_the_notes("abp_receiver") {
        assert_eq!(bare(&text), figure);
    }
}

#[test]
fn the_sender_of_the_notes_is_figure_21() {
    // The figure has `else` for `!(s==S)`, which its table keeps, and the two ways out of `recv` in
    // the other order.
    let figure = (bare(&figure("abp_sender.spn")))
        .replace("!(get_data(&Bufout))", "get_data(&(Bufout))")
        .replace("::sq?Bufinp,s::timeout;break", "::timeout;break::sq?Bufinp,s")
        .replace("s==S;", "(s==S);")
        .replace("::else", "::!(s==S)");
    for text in of_the_notes("abp_sender") {
        assert_eq!(bare(&text), figure);
    }
}

#[test]
fn figures_20_to_22_are_a_model_without_errors() {
    let files = ["abp_receiver.spn", "abp_sender.spn"].map(|name| (name, figure(name)));
    let loader = MemoryLoader::new(files.iter().map(|(name, text)| (*name, &**text)));
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("abp.pml", &figure("abp.pml"));
    let model = axle_promela::compile(&mut sources, main, &loader, &Options::default(), &mut diagnostics);
    let rendered: String = diagnostics.iter().map(|one| one.render(&sources, Style::default())).collect();
    assert!(model.is_some(), "{rendered}");
}

#[test]
fn table_1_of_the_notes() {
    // `x` is replaced by whether it is negative. Results beyond the largest value are left out, as
    // in the table.
    let table = "Map x as neg_x in -8..7: ..-1 -> true, 0.. -> false, else -> skip\nD: int x;\tkeep\nA: x=0\tkeep\n\
                 E: x++\tkeep\nC: (x>5)\tkeep\nC: !(x>5)\tkeep\nF: a()\ta\nR: return\thide\n";
    let mut work = Work::of("x.c", "void f(void) { int x; x = 0; x++; if (x > 5) a(); }");
    assert_eq!(
        bare(&work.text("f", Form::Body, table)),
        bare(
            "bool neg_x;
             neg_x = false;
             if :: (neg_x == false) :: else -> if :: neg_x = true :: neg_x = false fi fi;
             if :: (neg_x == false) -> a; :: true fi;"
        )
    );
    assert_eq!(work.rendered(), "");
}

#[test]
fn the_receiver_of_the_paper() {
    let paper = r#"
        active proctype abp_receiver()
        {
            byte E, s;
            do
            :: rq?s;
                sq!s;
                if
                :: (s==E);
                    printf("C: !(!put_data(&(Bufinp)))\n");
                    E = (1-E);
                :: !(s==E);
                fi;
            od;
        }"#;
    assert_eq!(bare(&process("abp_paper", "abp.c", "abp_receiver", Form::Active)), bare(paper));
}

#[test]
fn the_sender_of_the_paper() {
    let paper = r#"
        active proctype abp_sender()
        {
            byte s, S;
            do
            :: printf("C: !(!get_data(&(Bufout)))\n");
                rq!S;
                sq?s;
                if
                :: s==S;
                    S = (1-S);
                :: else;
                fi;
            od;
        }"#;
    assert_eq!(bare(&process("abp_paper", "abp.c", "abp_sender", Form::Active)), bare(paper));
}

#[test]
fn the_quicksort_of_the_paper() {
    let paper = r#"
        short i, last, temp;
        if
        :: (n-a<=1);
            goto done;
        :: else;
        fi;
        temp = v[a]; v[a] = v[(n+a)/2]; v[(n+a)/2] = temp;
        last=a;
        i=a+1;
        do
        :: (i<n);
            if
            :: (v[i]<v[a]);
                last++; temp = v[i]; v[i] = v[last]; v[last] = temp;
            :: else;
            fi;
            i++;
        :: !(i<n); -> break
        od;
        temp = v[a]; v[a] = v[last]; v[last] = temp;
        run quicksort(a, last); _nr_pr == _pid+1;
        run quicksort(last+1, n); _nr_pr == _pid+1;
        goto done;"#;
    assert_eq!(bare(&process("quicksort", "qsort.c", "quicksort", Form::Body)), bare(paper));
}

/// The default table of a function of an example.
fn default_table(folder: &str, file: &str, function: &str) -> String {
    let mut work = Work::of(file, &example(&format!("{folder}/{file}")));
    let table = work.sync(function, None).text;
    assert_eq!(work.rendered(), "");
    table
}

#[test]
fn default_tables_are_those_of_the_paper() {
    assert_eq!(
        default_table("abp_paper", "abp.c", "abp_receiver"),
        "# Axle lookup table abp_receiver.lut\n\
         D: Buffer Bufinp,Bufout;\thide\n\
         D: short s,E=0,cnt=0;\thide\n\
         A: Bufout.size=1\thide\n\
         A: Bufout.cont=\"A\"\thide\n\
         C: recv(&(Bufinp),&(s))\ttrue\n\
         C: !recv(&(Bufinp),&(s))\ttrue\n\
         E: cnt++\tprint\n\
         F: send(&(Bufout),s)\tprint\n\
         C: (s==E)\ttrue\n\
         C: !(s==E)\ttrue\n\
         C: (!put_data(&(Bufinp)))\ttrue\n\
         C: !(!put_data(&(Bufinp)))\ttrue\n\
         A: E=(1-E)\thide\n\
         R: return cnt\tprint\n"
    );
    assert_eq!(
        default_table("abp_paper", "abp.c", "abp_sender"),
        "# Axle lookup table abp_sender.lut\n\
         D: Buffer Bufinp,Bufout;\thide\n\
         D: short s,S=0,cnt=0;\thide\n\
         A: Bufout.size=1\thide\n\
         A: Bufout.cont=\"M\"\thide\n\
         C: (cnt++<N)\ttrue\n\
         C: !(cnt++<N)\ttrue\n\
         C: (!get_data(&(Bufout)))\ttrue\n\
         C: !(!get_data(&(Bufout)))\ttrue\n\
         F: send(&(Bufout),S)\tprint\n\
         F: recv(&(Bufinp),&(s))\tprint\n\
         C: ((*Bufinp=='A')&&(s==S))\ttrue\n\
         C: !((*Bufinp=='A')&&(s==S))\ttrue\n\
         A: S=(1-S)\thide\n\
         R: return cnt\tprint\n"
    );
    assert_eq!(
        default_table("quicksort", "qsort.c", "quicksort"),
        "# Axle lookup table quicksort.lut\n\
         D: int i,last;\thide\n\
         C: (n<=1)\ttrue\n\
         C: !(n<=1)\ttrue\n\
         R: return\tprint\n\
         F: swap(v,0,(rand()%n))\tprint\n\
         A: last=0\thide\n\
         A: i=1\thide\n\
         C: (i<n)\ttrue\n\
         C: !(i<n)\ttrue\n\
         C: (v[i]<v[0])\ttrue\n\
         C: !(v[i]<v[0])\ttrue\n\
         F: swap(v,++last,i)\tprint\n\
         E: i++\tprint\n\
         F: swap(v,0,last)\tprint\n\
         F: quicksort(v,last)\tprint\n\
         F: quicksort(((v+last)+1),((n-last)-1))\tprint\n"
    );
}

#[test]
fn the_protocol_of_the_paper_has_the_states_of_spin() {
    // Spin 6.5.2 on the same text: 58 states, 92 transitions, depth 31 with -o1 -o2 -o3 and
    // -DNOREDUCE; with its reductions (statements merged, partial order) the 14 states, 2 matched,
    // 16 transitions, depth 13 of both seeds.
    let found = checked("abp_paper", "abp.c", "abp.pml", str::to_string);
    assert_eq!((found.0, found.1, found.2), (true, 58, 92));
}

#[test]
fn the_protocol_of_the_notes_has_the_states_of_spin() {
    // With `cnt` in it, every value of two counters is another state; the notes say that slicing
    // would remove it. Spin 6.5.2: 64 states, 102 transitions, depth 33 without reductions, and 21,
    // 22, 20 with them.
    let sliced = |text: &str| text.replace("cnt++;", "").replace(", cnt=0", "");
    let found = checked("abp", "abp.c", "abp.pml", sliced);
    assert_eq!((found.0, found.1), (true, 64));
}

#[test]
fn quicksort_sorts_all_inputs_of_its_wrapper() {
    assert!(checked("quicksort", "qsort.c", "quick.pml", str::to_string).0);
}

#[test]
fn quicksort_without_recursion_sorts_all_inputs_of_its_wrapper() {
    assert!(checked("quicksort_queue", "qsort.c", "quick.pml", str::to_string).0);
}

#[test]
fn a_quicksort_that_is_wrong_is_found_to_be() {
    let wrong = |text: &str| text.replace("v[i]<v[a]", "v[i]>v[a]");
    assert!(!checked("quicksort", "qsort.c", "quick.pml", wrong).0);
}
