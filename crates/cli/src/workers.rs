//! The worker processes of a round on this machine.
//!
//! *Entry point:* [`Pool`].
//! *Invariant:* every process ends with the pool: its standard input is a pipe of this process.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::worker::Orders;

/// Workers that end sooner, one after the other, are not replaced any more.
const YOUNG: Duration = Duration::from_secs(2);

/// Number of such workers.
const MOST_YOUNG: u32 = 10;

/// Time that a worker has to end by itself.
const PATIENCE: Duration = Duration::from_secs(3);

/// Worker processes, which are replaced when they end.
pub struct Pool {
    orders: Orders,
    workers: Vec<Worker>,
    /// Number of workers so far.
    started: u32,
    /// Number of young workers that ended without a longer-lived one between them.
    young: u32,
}

struct Worker {
    child: Child,
    name: String,
    born: Instant,
    /// The latest line on standard error.
    complaint: Arc<Mutex<String>>,
}

/// A worker that has ended.
pub struct Gone {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

impl Pool {
    /// Starts workers. Their names are made from that of the orders.
    pub fn start(count: usize, orders: Orders) -> Result<Pool, String> {
        let mut pool = Pool { orders, workers: Vec::new(), started: 0, young: 0 };
        for _ in 0..count {
            let worker = pool.spawn()?;
            pool.workers.push(worker);
        }
        Ok(pool)
    }

    fn spawn(&mut self) -> Result<Worker, String> {
        let fault = |fault: std::io::Error| format!("cannot start a worker: {fault}");
        let program = std::env::current_exe().map_err(fault)?;
        self.started += 1;
        let name = format!("{}-{}", self.orders.name, self.started);
        let mut child = Command::new(program)
            .args(["worker", "--supervised"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // Ctrl-C is for the driver, which tells the workers to finish.
            .process_group(0)
            .spawn()
            .map_err(fault)?;
        let orders = Orders { name: name.clone(), ..self.orders.clone() };
        let mut line = serde_json::to_string(&orders).map_err(|fault| fault.to_string())?;
        line.push('\n');
        if let Some(stdin) = &mut child.stdin {
            // A worker that has ended is found by `replace`.
            let _ = stdin.write_all(line.as_bytes());
        }
        let complaint = Arc::new(Mutex::new(String::new()));
        if let Some(stderr) = child.stderr.take() {
            let last = Arc::clone(&complaint);
            let read = move || {
                for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
            };
            std::thread::Builder::new().name("complaints".to_string()).spawn(read).map_err(fault)?;
        }
        Ok(Worker { child, name, born: Instant::now(), complaint })
    }

    /// Replaces workers that have ended, and returns these.
    pub fn replace(&mut self) -> Result<Vec<Gone>, String> {
        let mut gone = Vec::new();
        for index in 0..self.workers.len() {
            let worker = &mut self.workers[index];
            let Ok(Some(status)) = worker.child.try_wait() else { continue };
            let complaint = worker.complaint.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let reason = reason(status, &complaint);
            let name = worker.name.clone();
            self.young = if worker.born.elapsed() < YOUNG { self.young + 1 } else { 0 };
            if self.young >= MOST_YOUNG {
                return Err(format!("{MOST_YOUNG} workers have ended soon after their start: {reason}"));
            }
            self.workers[index] = self.spawn()?;
            gone.push(Gone { name, reason });
        }
        Ok(gone)
    }

    /// Ends the workers.
    pub fn stop(mut self) {
        for worker in &mut self.workers {
            worker.child.stdin = None;
        }
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let ended =
                self.workers.iter_mut().all(|worker| worker.child.try_wait().is_ok_and(|it| it.is_some()));
            if ended {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            // It may have ended.
            let _ = worker.child.kill();
            // An error means that there is nothing to wait for.
            let _ = worker.child.wait();
        }
    }
}

/// Why a worker ended.
fn reason(status: ExitStatus, complaint: &str) -> String {
    let how = match (status.code(), status.signal()) {
        (_, Some(signal)) => format!("the worker process was ended by signal {signal}"),
        (Some(code), None) => format!("the worker process ended with exit code {code}"),
        (None, None) => "the worker process ended".to_string(),
    };
    match complaint.trim().trim_start_matches("axle: ") {
        "" => how,
        complaint => format!("{how}: {complaint}"),
    }
}
