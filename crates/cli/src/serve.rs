//! `axle serve`: the browser front end of a project.
//!
//! The server answers requests and starts rounds as processes of their own (`axle run`), so that it
//! outlives them.
//!
//! *Entry point:* [`run`].
//! *Invariant:* an address that other machines reach needs tokens. The token of the start is printed
//! once, and on no page.

mod post;
mod processes;

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axle_evidence::sha256::hexadecimal;
use axle_web::application::{Application, Setup};
use axle_web::security::origin::Names;
use axle_web::security::role::Role;
use axle_web::security::secret::random;
use axle_web::security::session::Sessions;
use axle_web::security::signature::Secret;
use axle_web::security::tokens::Tokens;
use axle_web::security::{Access, tokens};
use axle_web::{letters, notify, server};
use post::Post;
use processes::ChildRounds;

use crate::advice;
use crate::args::ServeArgs;
use crate::exit::Exit;
use crate::history;
use crate::output::{complain, print, remark};
use crate::session::Session;

/// The file with the tokens.
const TOKENS: &str = "tokens.toml";

/// The file with the secret of the repository's hook.
const HOOK: &str = "hook.secret";

/// The file with the key of sessions.
const KEY: &str = "server.key";

/// Runs the command.
pub fn run(args: &ServeArgs, session: &Session) -> Result<Exit, String> {
    advice::project(&args.folder)?;
    if !args.folder.join(axle_feaver::project::MANIFEST).is_file() {
        return Err(format!(
            "'{}' contains no axle.toml; `axle init` creates a project",
            args.folder.display()
        ));
    }
    let own = history::server_folder(&args.folder, args.store.as_deref())?;
    let file = args.tokens.clone().unwrap_or_else(|| own.join(TOKENS));
    if let Some(wanted) = &args.add_token {
        return add_token(&file, wanted);
    }
    let hook = args.hook_secret.clone().unwrap_or_else(|| own.join(HOOK));
    if args.new_hook_secret {
        return new_hook_secret(&hook);
    }
    let tokens = Tokens::of_file(&file)?;
    let is_local = args.listen.ip().is_loopback() && args.public_url.is_none();
    if !is_local && tokens.current().is_empty() {
        return Err(format!(
            "other machines can reach the server, and there are no tokens; create one with `axle serve {} \
             --add-token NAME=ROLE`",
            args.folder.display()
        ));
    }
    let listener = server::bind(args.listen)?;
    let address = listener.local_addr().map_err(|fault| fault.to_string())?;
    let start = if is_local { Some(hexadecimal(&random()?)) } else { None };
    let hook = Secret::read(&hook)?;
    if hook.is_none() && args.hook_secret.is_some() {
        return Err("the file of --hook-secret does not exist; --new-hook-secret creates it".to_string());
    }
    let access = Access { hook, ..access(args, address, &own.join(KEY), tokens, start.clone())? };
    let location = history::location(&args.folder, args.store.as_deref())?;
    let database = history::open_at(&location)?;
    let rounds = ChildRounds::new(&args.folder, location, own, args.recheck)?;
    let (letters, waiting) = letters::queue();
    let url = address_of(args, address, start.as_deref());
    let base = address_of(args, address, None).trim_end_matches('/').to_string();
    let app = Arc::new(Application::new(Setup {
        root: args.folder.clone(),
        database: Arc::from(database),
        build: history::build(),
        rounds: Arc::new(rounds),
        access,
        log: Box::new(complain),
        base,
        letters: args.notify.then_some(letters),
    }));
    if args.notify {
        notify::start(&app, waiting, Box::new(Post::new()))?;
    }
    print(&format!("{url}\n"))?;
    if !args.output.quiet {
        remark("axle: serving the project; end with Ctrl-C\n");
    }
    if args.open {
        open(&url);
    }
    let interrupted = session.signals.interrupted();
    server::serve(&app, listener, move || interrupted.load(Ordering::Relaxed))?;
    Ok(Exit::Holds)
}

fn access(
    args: &ServeArgs,
    address: SocketAddr,
    key: &Path,
    tokens: Tokens,
    start: Option<String>,
) -> Result<Access, String> {
    let mut names = Names::of_address(address);
    if let Some(url) = &args.public_url {
        names.publish(url)?;
    }
    let secure = args.public_url.as_ref().is_some_and(|url| url.starts_with("https://"));
    Ok(Access { names, sessions: Sessions::open(key)?, tokens, start, secure, hook: None })
}

/// The address to open, with the token of the start.
fn address_of(args: &ServeArgs, address: SocketAddr, start: Option<&str>) -> String {
    match (&args.public_url, start) {
        (Some(url), _) => url.clone(),
        (None, Some(token)) => format!("http://{address}/?token={token}"),
        (None, None) => format!("http://{address}/"),
    }
}

fn add_token(file: &Path, wanted: &str) -> Result<Exit, String> {
    let parsed = wanted.split_once('=').and_then(|(name, role)| Some((name, Role::parse(role)?)));
    let Some((name, role)) = parsed else {
        return Err(format!("'{wanted}' is no NAME=ROLE; the roles are viewer, runner, editor and worker"));
    };
    print(&format!("{}\n", tokens::add(file, name, role)?))?;
    remark(&format!(
        "axle: '{name}' is now a token with the role {role}; it is not shown again. A running server \
         knows it at once.\n"
    ));
    Ok(Exit::Holds)
}

fn new_hook_secret(file: &Path) -> Result<Exit, String> {
    print(&format!("{}\n", Secret::create(file)?))?;
    remark(&format!(
        "axle: {} contains the secret of the hook; a running server reads it when it starts.\n",
        file.display()
    ));
    Ok(Exit::Holds)
}

/// Opens an address in the browser of the machine.
fn open(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(_) => remark(&format!("axle: no browser was found: '{opener}' cannot be started\n")),
    }
}
