//! Result files: the HTML report and the charts, refusals before the search, and devices that fill
//! up or never end.

use std::fs;
use std::process::{Command, Output};

fn axle(folder: &std::path::Path, arguments: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_axle")).args(arguments).current_dir(folder).output();
    command.expect("the program starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const MODEL: &str = "byte x;\nactive proctype p() { x = 1; assert(x == 0) }\n";

#[test]
fn an_html_report_contains_verdict_trace_source_chart_and_command() {
    let folder = crate::support::folder("html-report");
    fs::write(folder.join("m.pml"), MODEL).expect("a model");
    let output = axle(&folder, &["check", "m.pml", "-q", "--html", "r.html", "--chart", "c.svg"]);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let html = fs::read_to_string(folder.join("r.html")).expect("the report");
    for part in [
        "violated",
        "assertion violated",
        "x: 0 -&gt; 1",
        "<svg",
        "id=\"f0l2\" class=\"fault\"",
        "axle check m.pml",
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    assert!(!html.contains("<script") && !html.contains("http-equiv") && !html.contains("src="));
    let svg = fs::read_to_string(folder.join("c.svg")).expect("the chart");
    assert!(
        svg.contains("x = 1") && svg.contains("assertion violated"),
        "a chart without messages shows steps"
    );
}

#[test]
fn a_chart_is_as_wide_as_its_text() {
    let folder = crate::support::folder("chart-width");
    let text = "#include <pthread.h>\n#include <stdlib.h>
static void *t(void *p) { free(p); free(p); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, malloc(4)); pthread_join(a, 0); return 0; }\n";
    fs::write(folder.join("c.c"), text).expect("a program");
    axle(&folder, &["check", "c.c", "-q", "--chart", "c.svg"]);
    let svg = fs::read_to_string(folder.join("c.svg")).expect("the chart");
    let width: usize = svg
        .split("width=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a width")
        .parse()
        .expect("a number");
    for label in svg.split("<text").skip(1).filter(|text| !text.contains("text-anchor")) {
        let x: usize = label
            .split("x=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .expect("x")
            .parse()
            .expect("a number");
        let shown = label.split('>').nth(1).and_then(|rest| rest.split('<').next()).expect("a text");
        assert!(x + 8 * shown.chars().count() <= width, "`{shown}` at {x} exceeds {width}");
    }
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_search() {
    let folder = crate::support::folder("refused-outputs");
    fs::write(folder.join("m.pml"), MODEL).expect("a model");
    for (arguments, expected) in [
        (vec!["--sarif", "no/dir.sarif"], "there is no directory 'no'"),
        (vec!["--html", "m.pml"], "this is an input file"),
        (vec!["--html", "a", "--sarif", "a"], "writes the same file"),
        (vec!["--chart", "."], "this is a directory"),
        (vec!["--witness", "w.yml"], "--witness is for C programs"),
    ] {
        let output = axle(&folder, &[vec!["check", "m.pml"], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(errors(&output).contains(expected), "{}", errors(&output));
        assert!(output.stdout.is_empty(), "nothing is searched");
    }
    assert_eq!(fs::read_to_string(folder.join("m.pml")).expect("the model"), MODEL);
}

// Only this device of Linux refuses every write.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_and_leaves_nothing() {
    let folder = crate::support::folder("full-device");
    fs::write(folder.join("m.pml"), MODEL).expect("a model");
    for option in ["--sarif", "--html", "--chart", "--trail"] {
        let output = axle(&folder, &["check", "m.pml", "-q", option, "/dev/full"]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(errors(&output).contains("cannot write '/dev/full'"), "{option}: {}", errors(&output));
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
}

// Only this device of Linux is a file without an end.
#[cfg(target_os = "linux")]
#[test]
fn an_endless_trail_is_refused() {
    let folder = crate::support::folder("endless-trail");
    fs::write(folder.join("m.pml"), MODEL).expect("a model");
    let output = axle(&folder, &["replay", "m.pml", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("larger than"), "{}", errors(&output));
}
