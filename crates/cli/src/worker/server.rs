//! Jobs from a server: the requests of a worker over HTTP, as `docs/reference/api.md` describes them.
//!
//! *Entry point:* [`ServerSource`].
//! *Invariant:* a refused lease ends the job, not the worker; a token that is refused ends the worker.

use std::time::Duration;

use axle_feaver::execute::Outcome;
use axle_feaver::jobs::job::Lease;
use axle_feaver::results::key::Hash;
use axle_feaver::round::source::{Advice, Beat, Work, WorkError, WorkSource};
use serde_json::{Value, json};
use ureq::Agent;

use crate::http;

/// Time after which a request is given up, in addition to the time that it waits for a job.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The same for a result, whose execution the server replays before it answers.
const REPLAY_TIMEOUT: Duration = Duration::from_secs(180);

/// The largest input.
const LARGEST: u64 = 256 << 20;

/// A queue behind a server.
pub struct ServerSource {
    agent: Agent,
    base: String,
    token: String,
}

impl ServerSource {
    /// The queue of a server at an address such as `http://host:8747`.
    pub fn new(server: &str, token: String) -> Result<ServerSource, String> {
        let base = server.trim_end_matches('/');
        if !http::is_address(base) {
            return Err(format!("'{server}' does not begin with http:// or https://"));
        }
        let agent = http::config(TIMEOUT).build().into();
        Ok(ServerSource { agent, base: base.to_string(), token })
    }

    fn address(&self, path: &str) -> String {
        format!("{}/api/worker/{path}", self.base)
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// Sends a request and returns the answer's body.
    fn post(&self, path: &str, body: &Value) -> Result<Value, WorkError> {
        self.post_within(TIMEOUT, path, body)
    }

    fn post_within(&self, timeout: Duration, path: &str, body: &Value) -> Result<Value, WorkError> {
        let request = self.agent.post(self.address(path)).header("authorization", self.bearer());
        let request = request.config().timeout_global(Some(timeout)).build();
        let sent = request.header("content-type", "application/json").send(body.to_string());
        let bytes = self.answer(sent)?;
        serde_json::from_slice(&bytes).map_err(|fault| invalid(&fault))
    }

    /// The body of an answer, or the error of the worker for its status.
    fn answer(
        &self,
        sent: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<Vec<u8>, WorkError> {
        answer(&self.base, sent)
    }
}

fn answer(
    base: &str,
    sent: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<Vec<u8>, WorkError> {
    let unreachable = |fault: ureq::Error| match http::is_certificate_fault(&fault) {
        true => WorkError::Refused(format!("the certificate of the server was not accepted: {fault}")),
        false => WorkError::Unavailable(format!("the server {base} does not answer: {fault}")),
    };
    let mut response = sent.map_err(unreachable)?;
    let status = response.status().as_u16();
    let body = response.body_mut().with_config().limit(LARGEST).read_to_vec().map_err(unreachable)?;
    if status < 400 {
        return Ok(body);
    }
    let told: Option<Value> = serde_json::from_slice(&body).ok();
    let message = told.and_then(|told| Some(told["error"]["message"].as_str()?.to_string()));
    let message = message.unwrap_or_else(|| format!("the server answered with status {status}"));
    Err(match status {
        409 => WorkError::Ended(message),
        408 | 429 | 500.. => WorkError::Unavailable(format!("the server {base}: {message}")),
        _ => WorkError::Refused(format!("the server refuses the worker: {message}")),
    })
}

fn invalid(fault: &serde_json::Error) -> WorkError {
    WorkError::Refused(format!("the server belongs to another version of Axle: {fault}"))
}

impl WorkSource for ServerSource {
    fn lease(&self, worker: &str, wait: Duration) -> Result<Option<Work>, WorkError> {
        let body = json!({ "worker": worker, "wait": wait.as_secs_f64() });
        let mut answer = self.post("lease", &body)?;
        serde_json::from_value(answer["work"].take()).map_err(|fault| invalid(&fault))
    }

    fn heartbeat(&self, lease: Lease, beat: &Beat) -> Result<Advice, WorkError> {
        let mut answer = self.post("heartbeat", &json!({ "lease": lease, "beat": beat }))?;
        serde_json::from_value(answer["advice"].take()).map_err(|fault| invalid(&fault))
    }

    fn complete(&self, lease: Lease, outcome: &Outcome) -> Result<(), WorkError> {
        self.post_within(REPLAY_TIMEOUT, "complete", &json!({ "lease": lease, "outcome": outcome })).map(drop)
    }

    fn fail(&self, lease: Lease, reason: &str) -> Result<(), WorkError> {
        self.post("fail", &json!({ "lease": lease, "reason": reason })).map(drop)
    }

    fn release(&self, lease: Lease) -> Result<(), WorkError> {
        self.post("release", &json!({ "lease": lease })).map(drop)
    }

    fn input(&self, hash: Hash) -> Result<Vec<u8>, WorkError> {
        let address = self.address(&format!("inputs/{hash}"));
        self.answer(self.agent.get(address).header("authorization", self.bearer()).call())
    }
}
