//! Hardware model checkers as processes: ABC where it is installed, and programs that answer as others do.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use axle_decide::certificate;
use axle_decide::external::{Checker, Claim, ExternalError, run};
use axle_outcome::{Limits, Stop};

use crate::cases;
use crate::replay::replay;
use crate::wide::{case, rows};

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("axle-decide-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn claims_of_abc() {
    let folder = folder("abc");
    let (mut traces, mut invariants) = (0, 0);
    for name in ["window-fault", "batches-fault", "gray", "absolute"] {
        let case = case(name);
        let claim =
            run(&Checker::Abc, &case.problem.system, &case.all, &folder, &Limits::default(), &mut |_| None);
        match claim {
            Err(ExternalError::Missing(_)) => {
                eprintln!("skipped: ABC is not installed");
                return;
            }
            Ok(Claim::Trace(trace)) => {
                let found = case.problem.counterexample(&case.relation, &trace).expect(name);
                replay(&case.model, &case.relation, &found).expect(name);
                assert!(name.ends_with("-fault"), "{name}");
                traces += 1;
            }
            Ok(Claim::Invariant(invariant)) => {
                let system = &case.problem.system;
                assert_eq!(certificate::check(system, &invariant, &mut |_| None), Ok(()), "{name}");
                assert!(!name.ends_with("-fault"), "{name}");
                invariants += 1;
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder of the test");
    assert_eq!((traces, invariants), (2, 2));
}

/// Programs that answer as the formats say; the last ones say what is not so, or nothing.
#[cfg(unix)]
#[test]
fn claims_of_programs() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("programs");
    let case = case("window-fault");
    let program = folder.join("checker.sh");
    let circuit = axle_decide::circuit::Circuit::new(&case.problem.system, &case.all);
    let poll = &mut |_| None;
    let answer = axle_decide::bmc::search(&circuit, &Limits::default(), poll);
    let axle_decide::answer::Answer::Violated(trace) = answer else { panic!("a fault") };
    let latches = "0".repeat(circuit.latches.len());
    let none = vec![0; case.problem.system.inputs.len()];
    let rows = trace.inputs.iter().chain([&none]).map(|words| {
        let bits = circuit.inputs.iter().map(|(bit, _)| words[bit.of as usize] >> bit.bit & 1);
        bits.map(|bit| bit.to_string()).collect::<String>() + "\n"
    });
    let witness = format!("1\nb0\n{latches}\n{}.\n", rows.collect::<String>());
    let claim = |text: &str| {
        std::fs::write(&program, format!("#!/bin/sh\ncat <<'EOF'\n{text}EOF\n")).expect("a program");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
        let checker = Checker::named(program.to_str().expect("a path")).expect("a path");
        run(&checker, &case.problem.system, &case.all, &folder, &Limits::default(), &mut |_| None)
            .expect("it runs")
    };
    let Claim::Trace(found) = claim(&witness) else { panic!("a trace") };
    let found = case.problem.counterexample(&case.relation, &found).expect("an execution");
    replay(&case.model, &case.relation, &found).expect("the fault");
    // A shorter trace is refused when it is replayed; a line that is no row is no trace.
    let lines: Vec<&str> = witness.lines().collect();
    let shorter = [&lines[..3], &lines[lines.len() - 2..]].concat().join("\n") + "\n";
    let Claim::Trace(found) = claim(&shorter) else { panic!("a trace") };
    assert!(case.problem.counterexample(&case.relation, &found).is_err());
    assert_eq!(claim(&witness.replace("\n.", "\n2\n.")), Claim::Unsafe);
    assert_eq!(claim("0\nb0\n.\n"), Claim::Safe);
    assert_eq!(claim("2\n"), Claim::Unknown);
    std::fs::remove_dir_all(&folder).expect("the folder of the test");
}

/// A process that does not end is ended when the caller stops, and one that does not exist is an error.
#[cfg(unix)]
#[test]
fn processes_end() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("ends");
    let case = case("window");
    let program = folder.join("checker.sh");
    std::fs::write(&program, "#!/bin/sh\nexec sleep 60\n").expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let begin = Instant::now();
    let mut poll = |_| (begin.elapsed() > Duration::from_millis(200)).then_some(Stop::Interrupted);
    let system = &case.problem.system;
    let checker = Checker::Program(program);
    let stopped = run(&checker, system, &case.all, &folder, &Limits::default(), &mut poll);
    assert!(matches!(stopped, Err(ExternalError::Stopped(Stop::Interrupted))), "{stopped:?}");
    let limits = Limits { memory: Some(1), ..Limits::default() };
    let stopped = run(&checker, system, &case.all, &folder, &limits, &mut |_| None);
    assert!(matches!(stopped, Err(ExternalError::Stopped(Stop::Memory))), "{stopped:?}");
    assert!(begin.elapsed() < Duration::from_secs(20));
    let missing = Checker::Program(folder.join("missing"));
    let error = run(&missing, system, &case.all, &folder, &Limits::default(), &mut |_| None);
    assert!(matches!(error, Err(ExternalError::Missing(_))), "{error:?}");
    assert_eq!(Checker::named("other"), None);
    std::fs::remove_dir_all(&folder).expect("the folder of the test");
}

/// ABC on models with data of 16 and 32 bits: on some for a second each, or on all for as many seconds as
/// `AXLE_DECIDE_SECONDS` says.
#[test]
fn abc_on_wide_data() {
    let folder = folder("abc-wide");
    let (seconds, mut decided) = (cases("AXLE_DECIDE_SECONDS", 1), 0);
    for row in
        rows().into_iter().filter(|row| seconds > 1 || row.is_fast).take(if seconds > 1 { 88 } else { 6 })
    {
        let case = case(&row.name);
        let begin = Instant::now();
        let mut poll = |_| (begin.elapsed().as_secs() >= seconds).then_some(Stop::Time);
        let claim =
            run(&Checker::Abc, &case.problem.system, &case.all, &folder, &Limits::default(), &mut poll);
        let time = begin.elapsed().as_secs_f64();
        let what = match claim {
            Ok(Claim::Trace(_) | Claim::Unsafe) => Some("fault"),
            Ok(Claim::Invariant(_) | Claim::Safe) => Some("holds"),
            Err(ExternalError::Missing(_)) => {
                eprintln!("skipped: ABC is not installed");
                return;
            }
            Ok(Claim::Unknown) | Err(_) => None,
        };
        assert!(what.is_none_or(|what| (what == "holds") == row.holds), "{}: {what:?}", row.name);
        decided += usize::from(what.is_some());
        println!("{:18} {time:6.2} s  {}", row.name, what.unwrap_or("-"));
    }
    println!("{decided} decided");
    std::fs::remove_dir_all(&folder).expect("the folder of the test");
}
