//! Violation witnesses of the software verification competition (SV-COMP), format 2.0, as YAML: a
//! list of places that the violating run passes, the last of them the violation. (Beyer, Strejcek,
//! Correctness and violation witnesses 2.0, 2024: a waypoint is passed before the next one counts.)
//!
//! *Entry point:* [`render`].

use std::fmt::Write;

use crate::place::PlaceReport;

/// The version of the format.
const FORMAT: &str = "2.0";

/// What a witness is about. Clocks and hashes of files come from the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// A random or otherwise unique number, in the form of RFC 9562.
    pub uuid: String,
    /// ISO 8601, `2024-02-29T12:00:00Z`.
    pub created: String,
    /// The version of Axle.
    pub version: String,
    /// The files of the program, each with its SHA-256.
    pub files: Vec<(String, String)>,
    /// What was violated: `G ! call(reach_error())`.
    pub specification: String,
    /// `LP64` or `ILP32`.
    pub data_model: String,
}

/// What a run passes on its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// What happens there.
    pub kind: WaypointKind,
    /// Where.
    pub place: PlaceReport,
    /// In which function.
    pub function: String,
}

/// See [`Waypoint`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// A function is entered.
    Enter,
    /// A function returns this value.
    Returns(String),
    /// Here the program is in the wrong.
    Target,
}

/// The specification that a kind of violation is one of, in the words of the competition.
pub fn specification(kind: &str) -> &'static str {
    match kind {
        "data-race" => "CHECK( init(main()), LTL(G ! data-race) )",
        "signed-overflow" => "CHECK( init(main()), LTL(G ! overflow) )",
        "double-free" | "invalid-free" => "CHECK( init(main()), LTL(G valid-free) )",
        "null-pointer" | "invalid-pointer" | "out-of-bounds" | "use-after-free" | "use-after-scope"
        | "write-to-constant" | "overlap" => "CHECK( init(main()), LTL(G valid-deref) )",
        "livelock" | "deadlock" | "no-end" => "CHECK( init(main()), LTL(F end) )",
        _ => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
    }
}

/// The text of a witness.
pub fn render(about: &About, waypoints: &[Waypoint]) -> String {
    let mut out = String::new();
    let done = write(&mut out, about, waypoints);
    debug_assert!(done.is_ok(), "a string takes all text");
    out
}

fn write(out: &mut String, about: &About, waypoints: &[Waypoint]) -> std::fmt::Result {
    writeln!(out, "- entry_type: \"violation_sequence\"")?;
    writeln!(out, "  metadata:")?;
    writeln!(out, "    format_version: \"{FORMAT}\"")?;
    writeln!(out, "    uuid: {}", quoted(&about.uuid))?;
    writeln!(out, "    creation_time: {}", quoted(&about.created))?;
    writeln!(out, "    producer:")?;
    writeln!(out, "      name: \"Axle\"")?;
    writeln!(out, "      version: {}", quoted(&about.version))?;
    writeln!(out, "    task:")?;
    writeln!(out, "      input_files:")?;
    for (file, _) in &about.files {
        writeln!(out, "      - {}", quoted(file))?;
    }
    writeln!(out, "      input_file_hashes:")?;
    for (file, hash) in &about.files {
        writeln!(out, "        {}: {}", quoted(file), quoted(hash))?;
    }
    writeln!(out, "      specification: {}", quoted(&about.specification))?;
    writeln!(out, "      data_model: {}", quoted(&about.data_model))?;
    writeln!(out, "      language: \"C\"")?;
    writeln!(out, "  content:")?;
    for waypoint in waypoints {
        let kind = match &waypoint.kind {
            WaypointKind::Enter => "function_enter",
            WaypointKind::Returns(_) => "function_return",
            WaypointKind::Target => "target",
        };
        writeln!(out, "  - segment:")?;
        writeln!(out, "    - waypoint:")?;
        writeln!(out, "        type: \"{kind}\"")?;
        writeln!(out, "        action: \"follow\"")?;
        writeln!(out, "        location:")?;
        writeln!(out, "          file_name: {}", quoted(&waypoint.place.file))?;
        writeln!(out, "          line: {}", waypoint.place.line)?;
        writeln!(out, "          column: {}", waypoint.place.column)?;
        writeln!(out, "          function: {}", quoted(&waypoint.function))?;
        if let WaypointKind::Returns(value) = &waypoint.kind {
            writeln!(out, "        constraint:")?;
            writeln!(out, "          value: {}", quoted(&format!("\\result == {value}")))?;
            writeln!(out, "          format: \"c_expression\"")?;
        }
    }
    Ok(())
}

/// A scalar in double quotes, where backslashes have to be doubled.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\x{:02x}", u32::from(c) & 0xff);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_witness_names_the_way_and_quotes_its_texts() {
        let about = About {
            uuid: "1-2".into(),
            created: "2024-02-29T12:00:00Z".into(),
            version: "0.1.0".into(),
            files: vec![("a \"b\".c".into(), "00".into())],
            specification: specification("data-race").into(),
            data_model: "LP64".into(),
        };
        let place = PlaceReport { file: "a \"b\".c".into(), line: 3, column: 5, end_line: 3, end_column: 9 };
        let at = |kind| Waypoint { kind, place: place.clone(), function: "main".into() };
        let text = render(&about, &[at(WaypointKind::Returns("7".into())), at(WaypointKind::Target)]);
        assert!(text.contains("\"a \\\"b\\\".c\": \"00\""));
        assert!(text.contains("value: \"\\\\result == 7\""));
        assert!(text.contains("G ! data-race"));
        assert_eq!(text.matches("- segment:").count(), 2);
        assert!(
            text.trim_end().ends_with("function: \"main\""),
            "the target comes last and has no constraint"
        );
    }
}
