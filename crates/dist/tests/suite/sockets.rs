//! Searches by several processes, simulated by threads that share nothing but sockets.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use axle_compare::models::models;
use axle_dist::{Failure, Peers, Searched, Setup};
use axle_model::Model;
use axle_search::{Limits, Options, Silent};
use axle_step::ModelSite;

use crate::compared::{essence, reference, stepper};

/// Sockets between all pairs of processes.
fn connected(processes: usize) -> Vec<Vec<Option<TcpStream>>> {
    let mut all: Vec<Vec<Option<TcpStream>>> =
        (0..processes).map(|_| (0..processes).map(|_| None).collect()).collect();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    for second in 1..processes {
        let (before, rest) = all.split_at_mut(second);
        for (first, sockets) in before.iter_mut().enumerate() {
            let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            sockets[second] = Some(listener.accept().unwrap().0);
            rest[0][first] = Some(socket);
        }
    }
    all
}

fn by_processes(
    model: &Arc<Model>,
    processes: usize,
    workers: usize,
    options: &Options,
) -> Vec<Result<Searched<ModelSite>, Failure>> {
    let handles: Vec<_> = connected(processes)
        .into_iter()
        .map(|sockets| {
            let (model, options) = (Arc::clone(model), options.clone());
            thread::spawn(move || {
                let setup = Setup { peers: Peers::Processes(sockets), ..Setup::default() };
                axle_dist::search(&mut vec![stepper(&model); workers], setup, &options, &mut Silent)
            })
        })
        .collect();
    handles.into_iter().map(|handle| handle.join().unwrap()).collect()
}

#[test]
fn processes_find_what_threads_find() {
    let (mut checked, mut violated) = (0, 0);
    for (number, (name, model)) in models("tests/conformance").into_iter().enumerate() {
        let limits = Limits { errors: (number % 2 == 0).then_some(1), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let expected = essence(&reference(&model, &options));
        let (processes, workers) = [(2, 1), (2, 2), (4, 1)][number % 3];
        for searched in by_processes(&model, processes, workers, &options) {
            assert_eq!(essence(&searched.unwrap().outcome), expected, "{name}, {processes} processes");
        }
        checked += 1;
        violated += usize::from(!expected.violations.is_empty());
    }
    assert!(checked > 150 && violated > 40, "{checked} models, {violated} violated");
}
