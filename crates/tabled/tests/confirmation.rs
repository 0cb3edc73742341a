//! A counterexample of a model and its confirmation on the program.

use std::sync::Arc;

use axle_check::{Check, Config, Verdict};
use axle_outcome::Reason;
use axle_promela::Meaning;
use axle_search::Silent;
use axle_source::{Diagnostics, Dialect, LoadError, Loader, Options, Sources};
use axle_step::{Cut, Interrupt};
use axle_tabled::{Extracted, NamedTable, Origin, Original, Qualified, Refusal, SourceProgram};

const PROGRAM: &str = "#include <pthread.h>
int ready;
void *consumer(void *unused) {
    if (ready)
        ready = 2;
    return 0;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, consumer, 0);
    pthread_create(&other, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
";

const TABLE: &str = "[*]\nC: ...\tkeep\nA: ...\tkeep\nR: ...\thide\n";

/// Starts the model with a value that the program does not have.
const WRAPPER: &str = "int ready = 1;\n#include \"consumer.spn\"\nltl stated { [] (ready != 2) }\n";

/// There are no files.
struct Nothing;

impl Loader for Nothing {
    fn load(&self, _path: &str, _limit: u64) -> Result<Vec<u8>, LoadError> {
        Err(LoadError::NotFound)
    }
}

fn extracted(
    wrapper: Option<&str>,
    table: &str,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Result<Extracted, Refusal> {
    let file = sources.add("program.c", PROGRAM);
    let source = SourceProgram::open(vec![file], axle_c::Options::default(), &Nothing, sources, found);
    let file = sources.add(table, TABLE);
    let table = NamedTable::read(file, &source, sources, found);
    let wrapper = wrapper.map(|text| sources.add("wrapper.pml", text));
    Extracted::new(&Arc::new(source), &[table], wrapper, &[], None, (sources, found))
}

/// The answer for the property, and whether the counterexample is one of the program.
fn answer(interrupt: &Interrupt) -> (Verdict, Option<Reason>, Vec<bool>) {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let extracted = extracted(Some(WRAPPER), "program.lut", &mut sources, &mut found).expect("processes");
    let options = Options::new(Dialect::Promela);
    let compiled = extracted.compile(&options, &Meaning::default(), &Nothing, &mut sources, &mut found);
    let compiled = compiled.expect("a model");
    let model = Arc::new(compiled.model);
    let config = Config { checks: [Check::Properties].into(), ..Config::default() };
    let mut checked = axle_check::check(&model, &config, &mut Silent);
    assert_eq!(checked.report.verdict, Verdict::Violated, "the model has a counterexample");
    let original = Arc::new(Original::compile(&extracted.source, &[], &Nothing, &sources));
    let origin = Origin { rows: compiled.rows, original };
    let Qualified { admitted, .. } =
        origin.qualify(&model, &config, &mut checked, interrupt).expect("it can be replayed");
    let property = checked.report.properties.swap_remove(0);
    assert_eq!(checked.report.verdict, property.verdict);
    (property.verdict, property.cause, admitted)
}

#[test]
fn an_execution_that_the_program_lacks_is_spurious() {
    assert_eq!(answer(&Interrupt::default()), (Verdict::Unknown, Some(Reason::Spurious), vec![false]));
}

#[test]
fn a_confirmation_that_is_interrupted_decides_nothing() {
    let interrupt = Interrupt::new(|| Some(Cut::Time));
    assert_eq!(answer(&interrupt), (Verdict::Violated, None, vec![true]), "as its rows allow");
}

#[test]
fn a_model_without_processes_is_refused_with_the_reason() {
    let refused = |wrapper: Option<&str>, table: &str| {
        extracted(wrapper, table, &mut Sources::new(), &mut Diagnostics::new()).map(drop)
    };
    assert_eq!(refused(Some("int x;\n"), "x.lut"), Err(Refusal::NoProcess));
    assert_eq!(
        refused(Some("#include \"consumer.spn\"\n"), "main.lut"),
        Err(Refusal::NoTable("consumer".to_string()))
    );
    assert_eq!(refused(None, "main.lut"), Ok(()));
}
