//! Executes a sequential C program: `cargo run -p axle-c --example run FILE.c`.

use axle_c::{Options, compile};
use axle_c_exec::{Settings, run};
use axle_source::{Diagnostics, LoadError, Loader, Sources, Style};

struct Disk;

impl Loader for Disk {
    fn load(&self, path: &str, _limit: u64) -> Result<Vec<u8>, LoadError> {
        std::fs::read(path).map_err(|_| LoadError::NotFound)
    }
}

fn main() {
    let wrap = std::env::args().any(|arg| arg == "--wrap");
    for path in std::env::args().skip(1).filter(|arg| !arg.starts_with("--")) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let (main, _) = sources.add_bytes(&path, &bytes);
        let program = compile(&[main], &Options::default(), &Disk, &mut sources, &mut diagnostics);
        for diagnostic in &diagnostics {
            eprint!("{}", diagnostic.render(&sources, Style::default()));
        }
        let Some(program) = program else { continue };
        let settings = Settings { wrap, ..Settings::default() };
        let result = run(&program, &settings, 50_000_000);
        print!("{}", String::from_utf8_lossy(&result.output));
        match result.end {
            Ok(status) => println!("status {status}"),
            Err(error) => {
                let line = result.at.map(|loc| sources.place(sources.outermost(loc)).start.line);
                println!("error {} in line {line:?}: {}", error.name(), error.message());
            }
        }
    }
}
