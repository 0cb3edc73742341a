//! Databases for tests: SQLite files, and databases of a temporary PostgreSQL cluster.

pub mod cluster;
pub mod directory;

use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use axle_feaver::jobs::job::{JobId, LeaseRequest, Leased, NewJob, Priority, RoundId, Timestamp};
use axle_feaver::jobs::postgres::PostgresStore;
use axle_feaver::jobs::sqlite::SqliteStore;
use axle_feaver::jobs::store::JobStore;
use axle_feaver::results::database::Database;
use cluster::Cluster;
use directory::Directory;

/// Longest wait for a lock in tests.
const BUSY: Duration = Duration::from_secs(20);

/// Where a database is.
#[derive(Clone, Debug)]
pub enum Place {
    /// A file.
    Sqlite(PathBuf),
    /// A connection string.
    Postgres(String),
}

impl Place {
    /// Opens a connection of its own.
    pub fn open(&self) -> Box<dyn Database> {
        self.open_with(BUSY)
    }

    /// Opens a connection of its own with this limit on the wait for a lock of an SQLite file.
    pub fn open_with(&self, busy: Duration) -> Box<dyn Database> {
        match self {
            Self::Sqlite(path) => Box::new(SqliteStore::open(path, busy).unwrap()),
            Self::Postgres(url) => Box::new(PostgresStore::open(url).unwrap()),
        }
    }

    /// One word that [`Place::parse`] reads, for another process.
    pub fn text(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite={}", path.display()),
            Self::Postgres(url) => format!("postgres={url}"),
        }
    }

    /// The inverse of [`Place::text`].
    pub fn parse(text: &str) -> Self {
        match text.split_once('=') {
            Some(("sqlite", path)) => Self::Sqlite(path.into()),
            Some(("postgres", url)) => Self::Postgres(url.to_owned()),
            _ => panic!("no database: {text}"),
        }
    }
}

/// Creates empty databases.
pub trait Databases {
    /// An empty database.
    fn create(&mut self) -> Place;
}

/// SQLite files in a temporary directory.
pub struct Files {
    directory: Directory,
    number: u32,
}

impl Files {
    /// An empty directory, in memory if possible: the tests end processes, not the machine.
    pub fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let directory =
            if memory.is_dir() { Directory::within(memory, "files") } else { Directory::new("files") };
        Self { directory, number: 0 }
    }

    /// An empty directory on a disk.
    pub fn on_disk() -> Self {
        Self { directory: Directory::new("files"), number: 0 }
    }
}

impl Databases for Files {
    fn create(&mut self) -> Place {
        self.number += 1;
        Place::Sqlite(self.directory.path().join(format!("{}.db", self.number)))
    }
}

/// The cluster, or `None` with a printed reason.
pub fn cluster() -> Option<Cluster> {
    started(false)
}

/// The cluster with durable commits, or `None` with a printed reason.
pub fn durable_cluster() -> Option<Cluster> {
    started(true)
}

fn started(durable: bool) -> Option<Cluster> {
    match Cluster::start(durable) {
        Ok(cluster) => Some(cluster),
        Err(reason) => {
            println!("{reason}");
            // The same tests run on SQLite; continuous integration installs PostgreSQL.
            println!("skipped: no PostgreSQL cluster can be started");
            None
        }
    }
}

/// A job of round 1 with this rank. The payload is the key.
pub fn job(key: &str, cycle: u8, weight: u32, number: u32) -> NewJob {
    NewJob {
        round: RoundId(1),
        key: key.to_owned(),
        priority: Priority { cycle, weight, number },
        max_failures: 3,
        payload: key.as_bytes().to_vec(),
        avoid: None,
    }
}

/// Submits jobs with these keys in the order of their priority.
pub fn submit(store: &dyn JobStore, keys: &[&str]) -> Vec<JobId> {
    let jobs: Vec<NewJob> = (0..).zip(keys).map(|(number, key)| job(key, 0, 0, number)).collect();
    store.submit(&jobs, Timestamp(0)).unwrap()
}

/// A request for `count` jobs for 1000 ms.
pub fn request(count: u32) -> LeaseRequest {
    LeaseRequest {
        worker: "worker".to_owned(),
        count,
        duration: Duration::from_millis(1000),
        round: None,
        token: None,
    }
}

/// Leases one job, which has to exist.
pub fn lease(store: &dyn JobStore, now: i64) -> Leased {
    let mut leased = store.lease(&request(1), Timestamp(now)).unwrap();
    assert_eq!(leased.len(), 1, "a job waits");
    leased.remove(0)
}

/// Keys of leased jobs.
pub fn keys(leased: &[Leased]) -> Vec<&str> {
    leased.iter().map(|it| it.job.key.as_str()).collect()
}

/// Processes that end with the test, whether it passes or fails.
pub struct Processes(pub Vec<Child>);

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.0 {
            child.kill().expect("a child is killed, or has ended");
            child.wait().expect("the end of a child");
        }
    }
}

/// A case of a conformance suite, and its name.
pub type Case = (&'static str, fn(&Place));

/// Executes all cases of a suite, each in a database of its own.
pub fn conforms(databases: &mut dyn Databases, cases: &[Case]) {
    for (name, case) in cases {
        let place = databases.create();
        let begin = Instant::now();
        println!("case {name}");
        case(&place);
        println!("  {:.0} ms", begin.elapsed().as_secs_f64() * 1000.0);
    }
}
