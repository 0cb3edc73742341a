//! The browser front end of verification projects: pages, data and an event stream over HTTP.
//!
//! A background thread reads the project and its history into a [`snapshot`]; requests render it.
//! Every request passes the [`security`] guard. [`pages`] contains one file for each screen, [`api`]
//! the same data as JSON and the requests of workers, [`stream`] the events.
//!
//! *Entry point:* [`server::serve`].
//! *Invariant:* text of models, sources, traces and requirements is data: templates escape it. The
//! crate verifies nothing and starts no process; the caller does ([`program::Rounds`]).

pub mod activity;
pub mod alarms;
pub mod analysis;
pub mod api;
pub mod application;
pub mod assets;
pub mod changes;
pub mod connections;
pub mod cost;
pub mod examples;
pub mod fault;
pub mod form;
pub mod guard;
pub mod inquiries;
pub mod letters;
pub mod notify;
pub mod observer;
pub mod pages;
pub mod program;
pub mod pulse;
pub mod recent;
pub mod round_changes;
pub mod security;
pub mod server;
pub mod slots;
pub mod snapshot;
pub mod statements;
pub mod stream;
pub mod trigger;
pub mod versions;
pub mod view;
pub mod watcher;
