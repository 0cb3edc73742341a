//! Rows for threads, the objects that lvalues denote, and which statements locks make exact.

use axle_extract::{Form, wrapper};

use crate::support::Work;

/// A program with a structure that the function `f` gets a pointer to.
fn boxed(body: &str, more: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <semaphore.h>\n\
         struct box {{ pthread_mutex_t lock; pthread_cond_t full; sem_t slots; int taken; int items[4]; }};\n\
         {more}\nvoid f(struct box *b) {{ {body} }}\n"
    )
}

/// The text of `f` without comments, one statement a line, or what is reported.
fn body(c: &str, table: &str) -> Vec<String> {
    let text = Work::of("x.c", c).text("f", Form::Body, table);
    let lines = text.lines().map(|line| line.split("/*").next().unwrap_or_default().trim().to_string());
    lines.filter(|line| !line.is_empty()).collect()
}

/// The label of each item of `f`, by its text.
fn labels(c: &str, table: &str, wrapper: &str) -> Vec<(String, &'static str, String)> {
    let mut work = Work::of("x.c", c);
    let table = work.table("f.lut", table);
    let extraction = work.extract("f", Form::Active, &table).unwrap_or_else(|| panic!("{}", work.rendered()));
    let judged = extraction.judge(&work.program, &table, "", wrapper, "");
    let pairs = extraction.uses.iter().zip(judged);
    pairs.map(|(one, judged)| (one.item.shown(), judged.label.name(), judged.why)).collect()
}

fn label(c: &str, table: &str, item: &str) -> &'static str {
    let all = labels(c, table, "");
    all.iter().find(|(text, ..)| text == item).unwrap_or_else(|| panic!("no {item} in {all:?}")).1
}

const KEEP: &str =
    "Include <threads>\nD: ...\tkeep\nA: ...\tkeep\nE: ...\tkeep\nC: ...\tkeep\nR: ...\thide\n";

#[test]
fn a_hole_stands_for_the_name_of_a_member() {
    let c = boxed("pthread_mutex_lock(&b->lock); b->taken = 1; pthread_mutex_unlock(&b->lock);", "");
    let table = "Substitute b->taken taken\nF: pthread_mutex_lock(&(b->$m))\tatomic { !$m; $m = 1 }\n\
                 F: pthread_mutex_unlock(&(b->$m))\t$m = 0\nA: ...\tkeep\nR: ...\thide\n";
    assert_eq!(body(&c, table), ["atomic { !lock; lock = 1 };", "taken = 1;", "lock = 0;"]);
}

#[test]
fn substitutes_apply_to_what_a_hole_stands_for() {
    let c = boxed("pthread_mutex_lock(&b->lock); pthread_mutex_unlock(&b->lock);", "");
    let table = "Substitute b->lock lock\nF: pthread_mutex_lock(&($m))\tatomic { !$m; $m = 1 }\n\
                 F: pthread_mutex_unlock(&($m))\t$m = 0\nR: ...\thide\n";
    assert_eq!(body(&c, table), ["atomic { !lock; lock = 1 };", "lock = 0;"]);
}

#[test]
fn library_rows_name_objects_in_structures() {
    let c = boxed("pthread_mutex_lock(&b->lock); sem_post(&b->slots); pthread_mutex_unlock(&b->lock);", "");
    // By the table,
    let table = format!("Object b->lock lock\nObject b->slots slots\n{KEEP}");
    let expected = ["d_step { !lock -> lock = 1 };", "slots++;", "lock = 0;"];
    assert_eq!(body(&c, &table), expected);
    assert!(labels(&c, &table, "").iter().all(|(_, label, _)| *label == "exact"));
    // with holes,
    let table = format!("Object $p->lock locks[0]\nObject $p->slots slots\n{KEEP}");
    assert_eq!(body(&c, &table)[0], "d_step { !locks[0] -> locks[0] = 1 };");
    // or because there is one object of the type.
    let c = boxed("pthread_mutex_lock(&b->lock); sem_post(&b->slots); b->taken = 1;", "struct box one;");
    let expected = ["d_step { !one.lock -> one.lock = 1 };", "one.slots++;", "one.taken = 1;"];
    assert_eq!(body(&c, KEEP), expected);
    assert!(labels(&c, KEEP, "").iter().all(|(_, label, _)| *label == "exact"));
}

#[test]
fn an_object_that_is_not_known_is_refused() {
    for more in [
        "",
        "struct box one, other;",
        "struct box many[2];",
        "struct pair { struct box a, b; } pair;",
        "struct box one; void g(void) { struct box local; }",
        "struct box one; void *malloc(unsigned long); void g(void) { f(malloc(9)); }",
        "struct box one; void g(void) { f(&(struct box){ 0 }); }",
    ] {
        let mut work = Work::of("x.c", &boxed("pthread_mutex_lock(&b->lock);", more));
        work.text("f", Form::Body, KEEP);
        let said = work.rendered();
        assert!(said.contains("E0824") && said.contains("Object b->lock<tab>NAME"), "{more}: {said}");
    }
}

#[test]
fn an_argument_that_is_a_pointer_denotes_what_it_points_to() {
    let c = "#include <pthread.h>\nvoid f(pthread_mutex_t *m) { pthread_mutex_lock(m); pthread_mutex_unlock(m); }";
    let table = format!("Object *m lock\n{KEEP}");
    assert_eq!(body(c, &table), ["d_step { !lock -> lock = 1 };", "lock = 0;"]);
}

#[test]
fn tests_of_results_are_known() {
    let c = |condition: &str| {
        format!(
            "#include <pthread.h>\n#include <semaphore.h>\npthread_mutex_t m; sem_t s; void a(void); void b(void);\nvoid f(void) {{ if ({condition}) a(); else b(); }}"
        )
    };
    let table = format!("{KEEP}F: a()\ta\nF: b()\tb\n");
    let lock = "d_step { !m -> m = 1 }";
    for (condition, way) in [
        ("pthread_mutex_lock(&m)", "b;"),
        ("!pthread_mutex_lock(&m)", "a;"),
        ("pthread_mutex_lock(&m) != 0", "b;"),
        ("0 == pthread_mutex_lock(&m)", "a;"),
        ("pthread_mutex_lock(&m) < 0", "b;"),
    ] {
        assert_eq!(body(&c(condition), &table), [&format!("{lock};"), way], "{condition}");
    }
    for (condition, guards) in [
        ("pthread_mutex_trylock(&m) == 0", [lock, "(m)"]),
        ("pthread_mutex_trylock(&m)", ["(m)", lock]),
        ("pthread_mutex_trylock(&m) != 0", ["(m)", lock]),
        ("!pthread_mutex_trylock(&m)", [lock, "(m)"]),
    ] {
        let [yes, no] = guards;
        let expected = ["if", &format!(":: {yes} ->"), "a;", &format!(":: {no} ->"), "b;", "fi;"];
        assert_eq!(body(&c(condition), &table), expected, "{condition}");
    }
    assert_eq!(body(&c("sem_wait(&s) == -1"), &table)[0], "d_step { s > 0 -> s-- };");
}

#[test]
fn own_rows_go_before_library_rows() {
    let c = "#include <pthread.h>\npthread_mutex_t m; void f(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }";
    let table = "Include <threads>\nF: pthread_mutex_lock(&$m)\ttake($m)\nF: ...\thide\nR: ...\thide\n";
    // A row that takes in anything does not.
    assert_eq!(body(c, table), ["take(m);", "m = 0;"]);
}

#[test]
fn a_substitute_rule_in_a_library_row_is_not_exact() {
    let c = boxed("pthread_mutex_lock(&b->lock);", "");
    let all = labels(&c, &format!("Substitute b->lock lock\n{KEEP}"), "");
    assert_eq!(all[0].1, "over under");
    assert!(all[0].2.contains("`Object` says"), "{}", all[0].2);
}

#[test]
fn mutexes_of_other_kinds_are_not_exact() {
    let lock = "F: pthread_mutex_lock(&(m))";
    for other in [
        "void g(pthread_mutexattr_t *a) { pthread_mutexattr_settype(a, PTHREAD_MUTEX_RECURSIVE); }",
        "void g(pthread_mutexattr_t *a) { pthread_mutexattr_setrobust(a, PTHREAD_MUTEX_ROBUST); }",
        "pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;",
    ] {
        let c = format!(
            "#include <pthread.h>\npthread_mutex_t m;\n{other}\nvoid f(void) {{ pthread_mutex_lock(&m); }}"
        );
        assert_eq!(label(&c, KEEP, lock), "over under", "{other}");
    }
    assert_eq!(
        label(
            "#include <pthread.h>\npthread_mutex_t m;\nvoid f(void) { pthread_mutex_lock(&m); }",
            KEEP,
            lock
        ),
        "exact"
    );
}

#[test]
fn finding_an_object_in_shared_memory_is_a_step_of_its_own() {
    let c = "#include <semaphore.h>\nsem_t s[2]; int turn; void f(int n) { sem_post(&s[n]); sem_post(&s[turn]); }";
    assert_eq!(label(c, KEEP, "F: sem_post(&(s[n]))"), "exact");
    assert_eq!(label(c, KEEP, "F: sem_post(&(s[turn]))"), "under");
}

/// A program in which `f` adds to `count`, with more code around.
fn counting(own: &str, more: &str) -> String {
    format!(
        "#include <pthread.h>\npthread_mutex_t m, other; pthread_rwlock_t rw; int count, array[3]; int *p;\n{more}\n\
         void f(int n) {{ {own} }}\n"
    )
}

#[test]
fn statements_on_guarded_variables_are_exact() {
    let lock = "pthread_mutex_lock(&m);";
    for (own, more) in [
        ("pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m);", ""),
        (
            "pthread_mutex_lock(&m); if (n) { pthread_mutex_unlock(&m); return; } count++; pthread_mutex_unlock(&m);",
            "",
        ),
        ("while (n) { pthread_mutex_lock(&m); while (!count) n--; count++; pthread_mutex_unlock(&m); }", ""),
        ("if (pthread_mutex_trylock(&m) == 0) { count++; pthread_mutex_unlock(&m); }", ""),
        (
            "pthread_rwlock_wrlock(&rw); count++; pthread_rwlock_unlock(&rw);",
            "int g(void) { int x; pthread_rwlock_rdlock(&rw); x = count; pthread_rwlock_unlock(&rw); return x; }",
        ),
        // Only one thread is there yet.
        (
            "pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m);",
            "int main(void) { pthread_t t; count = 3; pthread_create(&t, 0, 0, 0); pthread_join(t, 0); return count; }",
        ),
    ] {
        assert_eq!(label(&counting(own, more), KEEP, "E: count++"), "exact", "{own} {more} {lock}");
    }
}

#[test]
fn statements_on_variables_without_a_guard_leave_interleavings_out() {
    let held = "pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m);";
    for (own, more) in [
        ("count++;", ""),
        ("pthread_mutex_lock(&m); pthread_mutex_unlock(&m); count++;", ""),
        ("if (n) pthread_mutex_lock(&m); count++;", ""),
        ("while (n) { count++; pthread_mutex_lock(&m); }", ""),
        ("pthread_mutex_lock(&m); while (n) { count++; pthread_mutex_unlock(&m); }", ""),
        ("pthread_mutex_lock(&m); again: count++; pthread_mutex_unlock(&m); goto again;", ""),
        ("pthread_mutex_lock(&m); do { if (n) continue; pthread_mutex_unlock(&m); } while (n); count++;", ""),
        ("pthread_mutex_lock(&m); switch (n) { case 1: pthread_mutex_unlock(&m); case 2: count++; }", ""),
        ("pthread_mutex_lock(&m); g(); count++;", "void g(void) { pthread_mutex_unlock(&m); }"),
        ("if (pthread_mutex_trylock(&m)) count++;", ""),
        ("pthread_rwlock_rdlock(&rw); count++; pthread_rwlock_unlock(&rw);", ""),
        (held, "int g(void) { return count; }"),
        (held, "void g(void) { pthread_mutex_lock(&other); count = 1; pthread_mutex_unlock(&other); }"),
        (held, "void g(void) { p = &count; }"),
        (held, "int *q = &count;"),
        (
            held,
            "int main(void) { pthread_t t; pthread_create(&t, 0, 0, 0); count = 3; pthread_join(t, 0); return 0; }",
        ),
        // Not every thread is joined.
        (
            held,
            "int main(void) { pthread_t t, u; pthread_create(&t, 0, 0, 0); pthread_create(&u, 0, 0, 0); pthread_join(t, 0); return count; }",
        ),
        (
            held,
            "int main(void) { pthread_t t[9]; for (int i = 0; i < 9; i++) pthread_create(&t[i], 0, 0, 0); for (int i = 0; i < 8; i++) pthread_join(t[i], 0); return count; }",
        ),
        (
            held,
            "int main(void) { pthread_t t; pthread_create(&t, 0, 0, 0); if (p) pthread_join(t, 0); return count; }",
        ),
        (
            held,
            "void g(void) { pthread_t t; pthread_create(&t, 0, 0, 0); } int main(void) { g(); count = 1; return 0; }",
        ),
    ] {
        assert_eq!(label(&counting(own, more), KEEP, "E: count++"), "under", "{own} {more}");
    }
    // An array as a value is a pointer to its elements.
    let own = "pthread_mutex_lock(&m); array[0] = array[1]; pthread_mutex_unlock(&m);";
    let of = |more: &str| label(&counting(own, more), KEEP, "A: array[0]=array[1]");
    assert_eq!((of(""), of("void g(void) { p = array; p[0] = 1; }")), ("exact", "under"));
    // Another process of the wrapper may access it.
    let of = |wrapper: &str| labels(&counting(held, ""), KEEP, wrapper)[1].1;
    assert_eq!(of("int count; ltl l { [] (count < 3) }"), "exact");
    assert_eq!(of("int count; active proctype p() { count = 1 }"), "under");
}

#[test]
fn two_pointers_may_lead_to_two_objects_with_two_locks() {
    let c = boxed(
        "pthread_mutex_lock(&b->lock); b->taken++; pthread_mutex_unlock(&b->lock);",
        "struct box one, other; void g(void) { one.taken = 2; }",
    );
    let table = format!("Object b->lock lock\nObject b->taken taken\n{KEEP}");
    assert_eq!(label(&c, &table, "E: b->taken++"), "under");
    let c = c.replace("one.taken = 2;", "");
    assert_eq!(label(&c, &table, "E: b->taken++"), "exact");
}

#[test]
fn the_type_of_a_member_counts_and_not_that_of_its_structure() {
    let c = "struct s { int n; unsigned u; char c; } one; void f(struct s *p, int x) { p->n = x; p->u = 1; p->c = 2; }";
    assert_eq!(label(c, KEEP, "A: p->n=x"), "exact");
    assert_eq!(label(c, KEEP, "A: p->u=1"), "over under");
    assert_eq!(label(c, KEEP, "A: p->c=2"), "over under");
    // The wrapper may declare the member with another type.
    let of = |wrapper: &str| labels(c, KEEP, wrapper)[0].1;
    assert_eq!((of("typedef s { int n }"), of("typedef s { byte n }")), ("exact", "over under"));
}

#[test]
fn a_hidden_member_is_no_other_member() {
    let c = boxed("b->taken = 1; b->items[0] = 2;", "struct box one; void g(void) { f(&one); }");
    let table = "Include <threads>\nA: b->taken=1\tkeep\nR: ...\thide\n";
    assert_eq!(label(&c, table, "A: b->items[0]=2"), "exact");
    let union = c.replace("int items[4];", "union { int items[4]; int taken_too; };");
    assert_eq!(label(&union, table, "A: b->items[0]=2"), "over under");
}

#[test]
fn enumeration_constants_keep_their_names() {
    let c = "enum mode { IDLE, BUSY = 5, DONE }; typedef enum { RED, GREEN } color_t; enum mode mode = IDLE; color_t color;\n\
             void f(void) { enum mode next = DONE; color_t c = GREEN; mode = next; switch (mode) { case BUSY: color = c; } }";
    let mut work = Work::of("x.c", c);
    let table = work.table("f.lut", KEEP);
    let extraction = work.extract("f", Form::Active, &table).unwrap_or_else(|| panic!("{}", work.rendered()));
    for text in ["int next=DONE;", "int c=GREEN;", "mode = next;", ":: (mode==BUSY) ->"] {
        assert!(extraction.text.contains(text), "{text}: {}", extraction.text);
    }
    let mut said = axle_source::Diagnostics::new();
    let made = axle_extract::declarations::wrapper(&work.program, &[&table], &[&extraction], "", &mut said);
    assert_eq!(
        made,
        "#define IDLE 0\n#define BUSY 5\n#define DONE 6\n#define GREEN 1\nint mode = IDLE;\nint color;\n#include \"f.spn\"\n"
    );
    let judged = extraction.judge(&work.program, &table, "", &made, "");
    assert!(judged.iter().all(|one| one.why.is_empty()), "{judged:?}");
    // A wrapper that has names of its own for them gets none, and guards macros.
    let missing =
        |around: &str| axle_extract::declarations::missing(&work.program, &[&extraction], around, true);
    assert_eq!(missing("mtype = { IDLE, BUSY, DONE, GREEN };"), "");
    assert_eq!(missing("mtype = { BUSY, DONE }"), "#ifndef GREEN\n#define GREEN 1\n#endif\n");
}

#[test]
fn a_wrapper_is_made_of_what_the_processes_use() {
    let c = "#include <pthread.h>\nstruct box { pthread_mutex_t lock; int taken; int *unused; } b = { PTHREAD_MUTEX_INITIALIZER };\n\
             int table[2] = { 3, 4 }, other; void *g(void *p) { pthread_mutex_lock(&b.lock); b.taken = table[0]; return p; }\n\
             int main(void) { pthread_t t; pthread_create(&t, NULL, g, NULL); pthread_join(t, NULL); return 0; }";
    let mut work = Work::of("x.c", c);
    let table = work.table("x.lut", KEEP);
    let tables = [("x".to_string(), table.clone())];
    let wanted = wrapper::unwrapped(&work.program, &tables);
    let wanted = wrapper::with_threads(&work.program, wanted, |_| Some(&table), true);
    assert_eq!(wanted, [("main".into(), Form::Active), ("g".into(), Form::Thread)]);
    let mut made = Vec::new();
    for (function, form) in wanted {
        made.push(work.extract(&function, form, &table).unwrap_or_else(|| panic!("{}", work.rendered())));
    }
    assert!(
        made[0].text.contains("t = run g();") && made[0].text.contains("thread_ended?eval(t);"),
        "{}",
        made[0].text
    );
    assert!(
        made[1].text.contains("end_g:") && made[1].text.contains("thread_ended!_pid;"),
        "{}",
        made[1].text
    );
    let mut said = axle_source::Diagnostics::new();
    let all: Vec<&axle_extract::Extraction> = made.iter().collect();
    let text = axle_extract::declarations::wrapper(&work.program, &[&table], &all, "", &mut said);
    assert_eq!(
        text,
        "typedef struct_box { bool lock; int taken };\nstruct_box b;\nint table[2] = { 3,4 };\n\
         chan thread_ended = [0] of { byte };\n#include \"main.spn\"\n#include \"g.spn\"\n"
    );
}

#[test]
fn the_arguments_of_threads_follow_their_parameters() {
    let c = |parameter: &str| {
        let keep = format!("{KEEP}[g] D: void *arg\t{parameter}\n");
        let c = "#include <pthread.h>\nvoid *g(void *arg) { return arg; }\nvoid f(int i) { pthread_t t; pthread_create(&t, 0, g, (void *)(long)i); }";
        body(c, &keep)
    };
    assert_eq!(c("hide"), ["byte t;", "t = run g();"]);
    assert_eq!(c("int arg"), ["byte t;", "t = run g(i);"]);
}

#[test]
fn ends_of_main_that_threads_outlive_add_behaviours() {
    let c = |more: &str| {
        format!(
            "#include <pthread.h>\nvoid *g(void *p);\nint main(void) {{ pthread_t t, u; {more} return 0; }}"
        )
    };
    let of = |more: &str| {
        let mut work = Work::of("x.c", &c(more));
        let table = work.table("main.lut", KEEP);
        let extraction =
            work.extract("main", Form::Active, &table).unwrap_or_else(|| panic!("{}", work.rendered()));
        let judged = extraction.judge(&work.program, &table, "", "", "");
        let last = extraction.uses.iter().zip(judged).find(|(one, _)| one.item.text == "return 0");
        last.expect("the return").1.label.name()
    };
    assert_eq!(of(""), "exact");
    assert_eq!(of("pthread_create(&t, 0, g, 0); pthread_join(t, 0);"), "exact");
    assert_eq!(of("pthread_create(&t, 0, g, 0);"), "over");
    assert_eq!(of("pthread_create(&t, 0, g, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0);"), "over");
}

#[test]
fn functions_of_several_files_are_extracted_together() {
    let files = [
        ("a.c", "extern int level; void f(void) { level = 1; }"),
        ("b.c", "int level; static int own; void f2(void) { own++; }"),
        ("c.c", "static int own; void g(void) { own = own + 1; }"),
    ];
    let mut work = Work::of_files(&files);
    assert_eq!(work.text("f", Form::Body, KEEP).lines().nth(1), Some("level = 1;\t/* line 1 */"));
    // The model has one of two variables of a name.
    let table = work.table("g.lut", KEEP);
    let extraction = work.extract("g", Form::Active, &table).unwrap_or_else(|| panic!("{}", work.rendered()));
    let judged = extraction.judge(&work.program, &table, "", "", "");
    assert!(judged[0].why.contains("several files have a variable `own`"), "{judged:?}");
    // Scopes are those of the function's own file.
    assert!(work.text("f", Form::Body, "[b.c] A: level=1\tno\n[a.c] A: level=1\tyes\n").contains("yes;"));
    let mut twice = Work::of_files(&[("a.c", "static void f(void) {}"), ("b.c", "static void f(void) {}")]);
    twice.survey("f");
    assert!(twice.rendered().contains("a.c and b.c both define a function `f`"), "{}", twice.rendered());
}
