//! What README.md and docs/ show is what happens. Every ```` ```console ```` block is run, in
//! order, in a folder of its page that holds `examples/`; what follows a `$ ` line is compared with
//! what the command prints, with sizes and times masked, and a line `...` standing for any lines. A
//! block ```` ```promela NAME ````, and likewise of other languages, is written to that file. With
//! `AXLE_BLESS=1` in the environment the pages are rewritten instead.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of pages").flatten() {
            let path = entry.path();
            match path.extension().and_then(|e| e.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("md") => pages.push(path),
                _ => {}
            }
        }
    }
    pages.sort();
    pages
}

fn name(page: &Path) -> String {
    page.strip_prefix(root()).unwrap_or(page).display().to_string()
}

/// A folder with the examples, for one page.
fn workplace(page: &Path) -> PathBuf {
    let folder = crate::support::folder(&format!("docs-{}", name(page).replace('/', "-")));
    fs::create_dir(folder.join("examples")).expect("a folder for the examples");
    copy_all(&crate::support::examples(), &folder.join("examples"));
    folder
}

fn copy_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder of examples").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target).expect("a folder for the examples");
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// What a command prints, standard error among it, and its exit code. None for what tests cannot
/// run.
fn execute(command: &str, folder: &Path, last: i32) -> Result<Option<(String, i32)>, String> {
    let command = command.split(" #").next().unwrap_or_default().trim();
    if command == "echo $?" {
        return Ok(Some((format!("{last}\n"), 0)));
    }
    let arguments = match command.strip_prefix("cargo run --release --bin axle -- ") {
        Some(arguments) => arguments,
        None => match (command.strip_prefix("axle "), command.strip_prefix("cargo ")) {
            (Some(arguments), _) => arguments,
            (None, Some(cargo)) => return known_cargo(cargo).map(|()| None),
            (None, None) => return Ok(None),
        },
    };
    let path = folder.join("printed");
    let printed = File::create(&path).expect("a file for what is printed");
    let status = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(words(arguments))
        .current_dir(folder)
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .stdout(printed.try_clone().expect("the same file"))
        .stderr(printed)
        .status()
        .expect("the program starts");
    let text = fs::read_to_string(&path).expect("what was printed");
    Ok(Some((text, status.code().unwrap_or(-1))))
}

/// The words of a command line; single quotes hold several together, as in a shell.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.last_mut().expect("a word").push_str(part);
            continue;
        }
        for (index, piece) in part.split(' ').enumerate() {
            if index > 0 {
                words.push(String::new());
            }
            words.last_mut().expect("a word").push_str(piece);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Commands of cargo are not run here, but they must exist.
fn known_cargo(command: &str) -> Result<(), String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let known = match words[..] {
        ["xtask", deed, ..] => {
            let main = fs::read_to_string(root().join("xtask/src/main.rs")).expect("the developer commands");
            let (first, rest) = deed.split_at(1);
            let variant = format!("    {}{rest}", first.to_uppercase());
            main.lines().any(|line| line.starts_with(&variant))
        }
        ["install", "--path", path] => root().join(path).join("Cargo.toml").is_file(),
        ["install", "--locked", ..] => true,
        ["build", ..] | ["test", ..] => true,
        _ => false,
    };
    if known { Ok(()) } else { Err(format!("cargo {command}: there is no such command")) }
}

/// Sizes and times become `#`; blanks at the end of a line go.
fn mask(line: &str) -> String {
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    let unit = |word: &str| {
        matches!(word.trim_end_matches([',', ')', ';']), "B" | "KiB" | "MiB" | "GiB" | "s" | "ms")
    };
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut masked: Vec<&str> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let sized = number(word) && words.get(i + 1).is_some_and(|next| unit(next));
        let after = i > 0 && number(words[i - 1]) && unit(word);
        masked.push(if sized || after { "#" } else { word });
    }
    masked.join(" ")
}

fn agree(shown: &[String], real: &[String]) -> bool {
    match shown.split_first() {
        None => real.is_empty(),
        Some((first, rest)) if first == "..." => (0..=real.len()).any(|skip| agree(rest, &real[skip..])),
        Some((first, rest)) => real.split_first().is_some_and(|(r, more)| r == first && agree(rest, more)),
    }
}

/// Runs a page; gives its text as it should be, and what is wrong with it.
fn run_page(page: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(page).expect("a page");
    let folder = workplace(page);
    let (mut out, mut wrong) = (String::new(), Vec::new());
    let mut lines = text.lines().enumerate().peekable();
    let mut last = 0;
    while let Some((_, line)) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let named = ["promela", "c", "lut", "timeline", "toml", "markdown", "text"]
            .iter()
            .find_map(|kind| line.strip_prefix("```")?.strip_prefix(kind)?.strip_prefix(' '));
        if let Some(file) = named {
            let mut model = String::new();
            for (_, line) in lines.by_ref() {
                out.push_str(line);
                out.push('\n');
                if line == "```" {
                    break;
                }
                model.push_str(line);
                model.push('\n');
            }
            let path = folder.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, model).expect("a file");
        }
        if line != "```console" {
            continue;
        }
        while let Some((number, line)) = lines.next() {
            out.push_str(line);
            out.push('\n');
            if line == "```" {
                break;
            }
            let Some(command) = line.strip_prefix("$ ") else {
                wrong.push(format!("{}:{}: not a command: {line}", name(page), number + 1));
                continue;
            };
            let mut shown = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| *line != "```" && !line.starts_with("$ ")) {
                shown.push(line.to_string());
            }
            let real = match execute(command, &folder, last) {
                Ok(None) => {
                    shown.iter().for_each(|line| out.push_str(&format!("{line}\n")));
                    continue;
                }
                Ok(Some((printed, code))) => {
                    last = code;
                    printed.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>()
                }
                Err(fault) => {
                    wrong.push(format!("{}:{}: {fault}", name(page), number + 1));
                    continue;
                }
            };
            let masked = |lines: &[String]| lines.iter().map(|line| mask(line)).collect::<Vec<_>>();
            let same = agree(&masked(&shown), &masked(&real));
            let kept = if same || shown.iter().any(|line| line == "...") { &shown } else { &real };
            kept.iter().for_each(|line| out.push_str(&format!("{line}\n")));
            if !same {
                let (shown, real) = (shown.join("\n  "), real.join("\n  "));
                let at = format!("{}:{}: $ {command}", name(page), number + 1);
                wrong.push(format!("{at}\nshown:\n  {shown}\nreal:\n  {real}"));
            }
        }
    }
    (out, wrong)
}

fn bless() -> bool {
    std::env::var_os("AXLE_BLESS").is_some()
}

#[test]
fn what_the_pages_show_is_what_happens() {
    let mut all = Vec::new();
    for page in pages() {
        let (text, wrong) = run_page(&page);
        if bless() {
            fs::write(&page, text).expect("a page");
        }
        all.extend(wrong);
    }
    if bless() {
        for (path, _, wanted) in [diagnostics_page(), library_page()] {
            fs::write(path, wanted).expect("the page");
        }
    }
    assert!(all.is_empty(), "{}\n(AXLE_BLESS=1 rewrites the pages)", all.join("\n\n"));
}

#[test]
fn every_link_within_the_pages_leads_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for part in text.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap_or_default();
            let outside = target.is_empty() || target.contains("://");
            if !outside && !page.parent().expect("a folder").join(target).exists() {
                broken.push(format!("{}: {target}", name(&page)));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn every_page_is_in_the_table_of_contents_and_in_the_list_of_pages() {
    let docs = root().join("docs");
    let read = |name: &str| fs::read_to_string(docs.join(name)).expect("a list of pages");
    let (summary, list) = (read("SUMMARY.md"), read("README.md"));
    let missing = pages().into_iter().filter(|page| {
        let name = page.strip_prefix(&docs).map(|p| p.display().to_string()).unwrap_or_default();
        let linked = format!("]({name})");
        let is_list = name.is_empty() || name == "SUMMARY.md" || name == "README.md";
        let listed = summary.contains(&linked) && list.contains(&linked);
        !(is_list || name.starts_with("dev/") || listed)
    });
    assert_eq!(missing.map(|page| name(&page)).collect::<Vec<_>>(), Vec::<String>::new());
}

/// The page of diagnostics, as it stands and as it should be.
fn diagnostics_page() -> (PathBuf, String, String) {
    let path = root().join("docs/reference/diagnostics.md");
    let text = fs::read_to_string(&path).expect("the page");
    let mut rows: Vec<String> = axle_feaver::diagnostic_codes::all()
        .map(|(code, meaning)| format!("| `{code}` | {} |\n", meaning.replace('|', "\\|")))
        .collect();
    rows.sort();
    let mark = "| --- | --- |\n";
    let (before, after) = text.split_once(mark).expect("a table");
    let shown: usize =
        after.split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum();
    let wanted = format!("{before}{mark}{}{}", rows.concat(), &after[shown..]);
    (path, text, wanted)
}

#[test]
fn the_page_of_diagnostics_is_the_table_of_codes() {
    let (_, shown, wanted) = diagnostics_page();
    assert!(bless() || shown == wanted, "docs/reference/diagnostics.md is old (AXLE_BLESS=1 rewrites it)");
}

/// The page of the C library, as it is and as it should be: one table row for each header.
fn library_page() -> (PathBuf, String, String) {
    use axle_c::Execution::{DeclarationOnly, Interpreter, Macro, Source};
    let path = root().join("docs/reference/c-library.md");
    let text = fs::read_to_string(&path).expect("the page");
    let mark = "| --- | --- | --- |\n";
    let (before, _) = text.split_once(mark).expect("a table");
    let mut wanted = format!("{before}{mark}");
    for header in axle_c::library_listing() {
        let names = |executed: bool| {
            let kinds: &[_] = if executed { &[Interpreter, Source, Macro] } else { &[DeclarationOnly] };
            let named = header.functions.iter().filter(|(_, kind)| kinds.contains(kind));
            let list = named.map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            if list.is_empty() { "–".to_string() } else { list }
        };
        wanted += &format!("| `{}` | {} | {} |\n", header.name, names(true), names(false));
    }
    (path, text, wanted)
}

#[test]
fn the_page_of_the_c_library_is_the_listing_of_the_headers() {
    let (_, shown, wanted) = library_page();
    assert!(bless() || shown == wanted, "docs/reference/c-library.md is old (AXLE_BLESS=1 rewrites it)");
}

#[test]
fn masks_leave_words_and_hide_sizes() {
    assert_eq!(mask("30 states of 8 B, 0.000 s (bfs)"), mask("30 states of 12 B, 1.250 s (bfs)"));
    assert_ne!(mask("30 states"), mask("31 states"));
    assert_eq!(words("check m  --ltl 'p=[] x' -q"), ["check", "m", "--ltl", "p=[] x", "-q"]);
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    assert!(agree(&lines("a\n...\nc"), &lines("a\nb\nb\nc")));
    assert!(!agree(&lines("a\n...\nc"), &lines("a\nb")));
}
