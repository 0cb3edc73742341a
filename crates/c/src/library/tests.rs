//! Consistency of the table.

use super::{Environment, Lib, Operation, Touches, find, is_for_verifiers};

#[test]
fn every_name_finds_its_function() {
    for &lib in Lib::ALL {
        assert!(!lib.row().names.is_empty(), "{lib:?}");
        for name in lib.row().names {
            assert_eq!(find(name), Some(lib), "{name}");
        }
    }
}

#[test]
fn columns_agree_with_each_other() {
    for &lib in Lib::ALL {
        let row = lib.row();
        assert_eq!(row.range.is_some(), row.touches == Touches::Input, "{lib:?}");
        assert_eq!(row.start.is_some(), row.operation == Operation::Create, "{lib:?}");
        assert_eq!(row.for_verifiers, is_for_verifiers(lib.name()), "{lib:?}");
        // A deadline is read from memory, by a step that is a scheduling point.
        let waits = matches!(row.environment, Environment::Deadline(_));
        assert!(!waits || lib.synchronises(), "{lib:?}");
        // Only reading a text or storing one is an access, so printing a byte is none.
        assert!(row.format.is_none() || row.touches == Touches::Memory, "{lib:?}");
        let ends = matches!(row.operation, Operation::Free | Operation::Reallocate);
        assert!(!ends || row.touches == Touches::Memory && !row.memoised, "{lib:?}");
    }
}

#[test]
fn functions_of_math_have_no_effect() {
    let row = find("sqrt").map(Lib::row);
    assert!(row.is_some_and(|row| row.touches == Touches::Nothing && row.memoised && row.names.is_empty()));
}
