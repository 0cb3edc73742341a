//! A project with a history, and requests to its server.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axle_evidence::run_trail::read_any;
use axle_feaver::execute::{Control, Outcome, execute};
use axle_feaver::init;
use axle_feaver::jobs::job::{RoundId, Timestamp};
use axle_feaver::jobs::task::Task;
use axle_feaver::nearest::{self, nearest};
use axle_feaver::prepare::{Selection, prepare};
use axle_feaver::project::{Limits, load};
use axle_feaver::results::database::{self, Database};
use axle_feaver::results::key::Hash;
use axle_feaver::results::ledger;
use axle_feaver::results::verdict::{NewRound, Phase};
use axle_feaver::round::follow_up::first_job;
use axle_feaver::round::inputs::Inputs;
use axle_feaver::round::local::{LEASE, StoreSource};
use axle_feaver::round::payload::Payload;
use axle_feaver::round::worker::Failure;
use axle_feaver::round::workshop::Workshop;
use axle_search::Silent;
use axle_web::application::{Application, Setup};
use axle_web::letters::Letter;
use axle_web::observer;
use axle_web::program::{Confirmed, Inquiry, Order, Progress, Rounds};
use axle_web::security::Access;
use axle_web::security::origin::Names;
use axle_web::security::role::Role;
use axle_web::security::secret::fingerprint;
use axle_web::security::session::Sessions;
use axle_web::security::signature::Secret;
use axle_web::security::tokens::{Token, Tokens};
use axle_web::server::router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use tower::ServiceExt;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// The build that verdicts belong to.
pub const BUILD: &str = "test";

/// The name of the server.
pub const HOST: &str = "127.0.0.1:8747";

/// A content outside of the project that no answer may contain.
pub const OUTSIDE: &str = "CONTENT-OUTSIDE-OF-THE-PROJECT";

/// The name of a second token of a worker.
pub const SECOND_WORKER: &str = "second-worker";

/// The secret of the hook.
pub const HOOK_SECRET: &str = "secret-token-of-hook";

/// Rounds that are only noted down.
#[derive(Default)]
pub struct Noted {
    /// The orders.
    pub orders: Mutex<Vec<Order>>,
    /// Whether every trail is that of another version.
    pub refuses_trails: AtomicBool,
    root: PathBuf,
    running: bool,
    database: Option<Arc<dyn Database>>,
}

impl Noted {
    /// The satisfying execution that is nearest to that of a trail.
    fn nearest(&self, property: &str, trail: &str) -> Result<String, String> {
        let loaded = load(&self.root);
        let properties =
            loaded.project.as_ref().map(|project| project.properties.clone()).unwrap_or_default();
        let stated = properties.iter().find(|one| one.name.value == property).expect("a property");
        let selection = Selection { properties: vec![property.to_string()], ..Selection::default() };
        let prepared = prepare(loaded, &selection);
        let trail = read_any(trail).map_err(|fault| fault.to_string())?;
        match nearest(&prepared.runs[0], stated, &trail, None, &mut Silent)? {
            nearest::Answer::Found(found) => Ok(serde_json::json!({
                "example": found.example,
                "nearest": {
                    "common_steps": found.common_steps,
                    "longest": found.is_longest,
                    "premise": found.has_premise,
                },
            })
            .to_string()),
            nearest::Answer::None | nearest::Answer::Undecided => Err("no execution".to_string()),
        }
    }
}

impl Rounds for Noted {
    fn start(&self, order: &Order, _: Option<RoundId>) -> Result<(), String> {
        let mut orders = self.orders.lock().expect("no panic");
        if self.running && !orders.is_empty() {
            return Err("A round is running.".to_string());
        }
        orders.push(order.clone());
        Ok(())
    }

    fn progress(&self) -> Option<Progress> {
        None
    }

    fn diagnose(&self, question: &Inquiry) -> Result<String, String> {
        match question.events.contains("crossing") {
            true => Ok(ANSWER.to_string()),
            false => Err("line:1: there is no event of this name <b>".to_string()),
        }
    }

    fn satisfying(&self, property: &str, _: &str, trail: Option<&str>) -> Result<String, String> {
        if trail.is_some() && self.refuses_trails.load(Ordering::Relaxed) {
            return Err("the trail does not match <b>".to_string());
        }
        match property {
            "never-crosses" => Ok(EXAMPLE.to_string()),
            "impossible" => Ok("{\"schema\":1,\"version\":\"0\",\"satisfiable\":false}".to_string()),
            _ => self.nearest(property, trail.unwrap_or_default()),
        }
    }

    fn confirm(&self, (task, payload): (Task, &Payload), outcome: &Outcome) -> Result<Confirmed, String> {
        let database = self.database.clone().expect("a database");
        let source = StoreSource::new(database, None, LEASE);
        let (payload, outcome) = (payload.clone(), outcome.clone());
        let replay = move || Workshop::new(BUILD.into(), None).confirm(task, &payload, &source, outcome);
        // Front ends recurse.
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(replay).expect("a thread");
        match thread.join().expect("no panic") {
            Ok(outcome) => Ok(Ok(outcome)),
            Err(Failure::Failed(reason)) => Ok(Err(reason)),
            Err(other) => Err(format!("{other:?}")),
        }
    }

    fn command(&self, order: &Order) -> String {
        format!("axle run --property {}", order.properties.join(" --property "))
    }
}

/// A project, its history and its server.
pub struct Site {
    folder: PathBuf,
    pub app: Arc<Application>,
    pub rounds: Arc<Noted>,
    pub messages: Arc<Mutex<Vec<String>>>,
    runtime: tokio::runtime::Runtime,
}

/// An answer.
pub struct Answer {
    pub status: StatusCode,
    pub headers: axum::http::HeaderMap,
    pub text: String,
}

impl Site {
    /// A project of one file: the manifest.
    pub fn empty() -> Site {
        Site::of(&[("axle.toml", EMPTY), ("model.pml", "init { skip }\n"), ("properties/.keep", "")], false)
    }

    /// A project with errors.
    pub fn failing() -> Site {
        Site::of(
            &[("axle.toml", "name = \"broken\"\nunknown = 1\n"), ("properties/p.md", "no front matter\n")],
            false,
        )
    }

    /// The example of `axle init` with a violated property, verified once.
    pub fn full() -> Site {
        Site::of(FULL, true)
    }

    /// A project of these files.
    pub fn of(files: &[(&str, &str)], verify: bool) -> Site {
        Site::with_letters(files, verify, None)
    }

    /// A project of these files, whose notifications are put into a queue.
    pub fn with_letters(files: &[(&str, &str)], verify: bool, letters: Option<SyncSender<Letter>>) -> Site {
        let open = |path: &Path| Arc::from(database::open(&path.display().to_string()).expect("a database"));
        Site::with_database(files, verify, letters, open)
    }

    /// A project of these files with a database.
    pub fn with_database(
        files: &[(&str, &str)],
        verify: bool,
        letters: Option<SyncSender<Letter>>,
        open: impl FnOnce(&Path) -> Arc<dyn Database>,
    ) -> Site {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("axle-web-{}-{number}", std::process::id()));
        let root = folder.join("project");
        std::fs::create_dir_all(&root).expect("a temporary folder");
        std::fs::write(folder.join("outside.md"), OUTSIDE).expect("a file");
        if verify {
            let new = init::files(&root);
            init::write(&root, &new).expect("a new project");
        }
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let file = folder.join("history.db");
        let database = open(&file);
        if verify {
            round(&root, &*database);
        }
        let database_of_rounds = Some(Arc::clone(&database));
        let rounds = Arc::new(Noted { root: root.clone(), database: database_of_rounds, ..Noted::default() });
        let messages: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&messages);
        let token = |name: &str, role| Token { name: name.into(), role, hash: fingerprint(&secret(name)) };
        let mut tokens = Role::ALL.map(|role| token(role.name(), role)).to_vec();
        tokens.push(token(SECOND_WORKER, Role::Worker));
        let app = Arc::new(Application::new(Setup {
            root,
            database,
            build: BUILD.to_string(),
            rounds: Arc::<Noted>::clone(&rounds),
            access: Access {
                names: Names::of_address(HOST.parse().expect("an address")),
                sessions: Sessions::new([1; 32]),
                tokens: Tokens::fixed(tokens),
                start: Some(secret("start")),
                secure: false,
                hook: Some(Secret::new(HOOK_SECRET).expect("a secret")),
            },
            log: Box::new(move |message| log.lock().expect("no panic").push(message.to_string())),
            base: format!("http://{HOST}"),
            letters,
        }));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        let site = Site { folder, app, rounds, messages, runtime };
        site.refresh();
        site
    }

    /// Another server over the same project and history, as after a restart.
    pub fn restart(&mut self) {
        let old = &self.app;
        let log = Arc::clone(&self.messages);
        let app = Arc::new(Application::new(Setup {
            root: old.root.clone(),
            database: Arc::clone(&old.database),
            build: old.build.clone(),
            rounds: Arc::<Noted>::clone(&self.rounds),
            access: old.access.clone(),
            log: Box::new(move |message| log.lock().expect("no panic").push(message.to_string())),
            base: old.base.clone(),
            letters: None,
        }));
        self.app = app;
        self.refresh();
    }

    /// Reads the project and its history.
    pub fn refresh(&self) {
        let reader = Arc::clone(&self.app);
        // Front ends recurse: the observer has a larger stack, too.
        let thread = std::thread::Builder::new().stack_size(64 << 20);
        let read = thread.spawn(move || observer::refresh(&reader)).expect("a thread");
        read.join().expect("no panic").expect("the history can be read");
    }

    /// The folder of the project.
    pub fn root(&self) -> PathBuf {
        self.folder.join("project")
    }

    /// The cookie of a role.
    pub fn cookie(&self, role: Role) -> String {
        let token = Token { name: role.name().into(), role, hash: fingerprint(&secret(role.name())) };
        let sessions = &self.app.access.sessions;
        format!("{}={}", sessions.cookie, sessions.issue(&token, self.app.now()))
    }

    /// The form token of a role's cookie.
    pub fn form_token(&self, cookie: &str) -> String {
        let value = cookie.split_once('=').map_or("", |(_, value)| value);
        self.app.access.sessions.form_token(value)
    }

    /// Sends a request.
    pub fn send(&self, request: Request<Body>) -> Answer {
        let service = router(&self.app);
        self.runtime.block_on(async move {
            let response = service.oneshot(request).await.expect("an answer");
            let (parts, body) = response.into_parts();
            let body = to_bytes(body, 64 << 20).await.expect("a body");
            let text = String::from_utf8_lossy(&body).into_owned();
            Answer { status: parts.status, headers: parts.headers, text }
        })
    }

    /// Runs a future.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Reads a page as an editor.
    pub fn get(&self, path: &str) -> Answer {
        let cookie = self.cookie(Role::Editor);
        let request = Request::get(path).header("host", HOST).header("cookie", cookie);
        self.send(request.body(Body::empty()).expect("a request"))
    }

    /// Sends a form as an editor.
    pub fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.post_as(Role::Editor, path, form)
    }

    /// Sends a form.
    pub fn post_as(&self, role: Role, path: &str, form: &[(&str, &str)]) -> Answer {
        let cookie = self.cookie(role);
        let mut body = format!("form_token={}", self.form_token(&cookie));
        for (name, value) in form {
            body.push_str(&format!("&{name}={}", encoded(value)));
        }
        let request = Request::post(path)
            .header("host", HOST)
            .header("origin", format!("http://{HOST}"))
            .header("cookie", cookie)
            .header("content-type", "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(body)).expect("a request"))
    }

    /// Sends JSON with a token.
    pub fn send_json(&self, role: Role, path: &str, body: &str) -> Answer {
        self.send_json_as(role.name(), path, body)
    }

    /// Sends JSON with the token of a name.
    pub fn send_json_as(&self, name: &str, path: &str, body: &str) -> Answer {
        let request = Request::post(path)
            .header("host", HOST)
            .header("authorization", format!("Bearer {}", secret(name)))
            .header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).expect("a request"))
    }

    /// Names and contents of all files of the project.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let (mut files, mut folders) = (Vec::new(), vec![self.folder.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
                let path = entry.path();
                let is_link = std::fs::symlink_metadata(&path).is_ok_and(|about| about.is_symlink());
                if path.is_dir() && !is_link {
                    folders.push(path);
                } else if !path.to_string_lossy().contains("history.db") {
                    let content = std::fs::read(&path).unwrap_or_default();
                    files.push((path, content));
                }
            }
        }
        files.sort();
        files
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // A temporary folder that stays behind does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The token of a name.
pub fn secret(name: &str) -> String {
    format!("secret-token-of-{name}")
}

/// A value of a form.
pub fn encoded(text: &str) -> String {
    text.bytes()
        .map(
            |byte| {
                if byte.is_ascii_alphanumeric() { (byte as char).to_string() } else { format!("%{byte:02X}") }
            },
        )
        .collect()
}

/// Verifies a project completely and records a round.
pub fn round(root: &Path, database: &dyn Database) {
    round_of(root, database, &[]);
}

/// The same for some properties; none are all.
pub fn round_of(root: &Path, database: &dyn Database, properties: &[&str]) -> RoundId {
    let properties = properties.iter().map(|name| (*name).to_string()).collect();
    let prepared = prepare(load(root), &Selection { properties, ..Selection::default() });
    assert!(!prepared.diagnostics.has_errors(), "{:?}", prepared.diagnostics.iter().collect::<Vec<_>>());
    let runs: Vec<_> =
        (0u32..).zip(&prepared.runs).map(|(number, run)| ledger::run_record(number, run)).collect();
    let begun = NewRound {
        source_version: "0123456789abcdef".into(),
        axle_version: BUILD.into(),
        budget: Duration::from_secs(60),
    };
    let round = database.begin_round(&begun, &runs, Timestamp(1_700_000_000_000)).expect("a round");
    for (number, run) in (0u32..).zip(&prepared.runs) {
        let mut control = Control {
            elapsed: Arc::new(|| Duration::ZERO),
            cancelled: Arc::new(|| false),
            progress: Box::new(|_| {}),
        };
        let outcome: Outcome = execute(run, 7, &Limits::default(), &mut control);
        let verdict = ledger::verdict((round, number), &run.key, &outcome, Phase::First, None);
        database.record(&verdict.expect("a verdict"), Timestamp(1_700_000_001_000)).expect("it is recorded");
    }
    database.end_round(round, Timestamp(1_700_000_002_000)).expect("the round ends");
    round
}

/// Stores the files of a project as those of a round, which a job names.
pub fn store_files(root: &Path, database: &dyn Database, round: RoundId) {
    let loaded = load(root);
    let folder = loaded.project.as_ref().expect("a project").folder.clone();
    let prepared = prepare(loaded, &Selection::default());
    let run = &prepared.runs[0];
    let seen = folder.seen();
    let list = Inputs::of(&seen).bytes();
    let mut contents: Vec<&[u8]> = seen.files.values().map(|content| &**content).collect();
    contents.push(&list);
    database.store_contents(&contents).expect("the inputs are stored");
    let payload = Payload {
        build: BUILD.into(),
        inputs: Hash::of(&list),
        property: run.property.clone(),
        constraint: run.constraint.clone(),
        key: run.key.clone(),
        first: None,
    };
    database.submit(&[first_job(round, 0, 0, 3, &payload)], Timestamp(2)).expect("a job");
}

/// An answer as `axle diagnose --json` gives it.
const ANSWER: &str = r#"{"schema":1,"version":"0","feasible":false,"events":["crossing","<i>other"],"prefix":1,
"possible":["closed<b>"],"silent":true,"states":5,"trace":{"steps":[],"ending":[]}}"#;

/// An answer as `axle diagnose --satisfying --json` gives it.
const EXAMPLE: &str = r#"{"schema":1,"version":"0","example":{"run":"never-crosses@any","shows":"<b>shown</b>",
"trace":{"steps":[{"step":1,"part":1,"parts":1,"by":{"pid":0,"process":"p(0)","place":null,"statement":"<i>other"},
"partner":null,"messages":[],"printed":"","changes":[],"faults":[]}],"ending":[]}}}"#;

const EMPTY: &str = "name = \"empty\"\n[sources]\npromela = [\"model.pml\"]\n";

/// What the full project has besides the example of `axle init`.
pub const FULL: &[(&str, &str)] = &[(
    "properties/fault.md",
    "+++\nname = \"never-crosses\"\nreference = \"crossing.md#safety\"\nformula = \"[] !crossing\"\ntags = [\"safety\"]\n+++\n\nNo train crosses.\n\nThis is false on purpose.\n",
)];
