//! `axle init`: creates the files of a verification project. Existing files are kept.

use axle_feaver::init::{Written, files, write};
use axle_feaver::project::MANIFEST;

use crate::args::InitArgs;
use crate::exit::Exit;
use crate::output::print;

/// Runs the command.
pub fn run(args: &InitArgs) -> Result<Exit, String> {
    let root = &args.folder;
    if root.join(MANIFEST).exists() {
        return Err(format!("'{}' is a project already: it contains {MANIFEST}", root.display()));
    }
    std::fs::create_dir_all(root).map_err(|fault| format!("cannot create '{}': {fault}", root.display()))?;
    let files = files(root);
    let written = write(root, &files)?;
    let mut text = String::new();
    for (file, written) in files.iter().zip(written) {
        let word = match written {
            Written::Created => "created",
            Written::Kept => "exists ",
        };
        text.push_str(&format!("{word}  {}\n", root.join(&file.path).display()));
    }
    text.push_str("Next: edit the properties, then `axle run`.\n");
    if args.output.quiet { Ok(Exit::Holds) } else { print(&text).map(|()| Exit::Holds) }
}
