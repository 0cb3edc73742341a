//! Searches by several processes, simulated by threads that share nothing but sockets.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use axle_compare::models::models;
use axle_dist::{Channel, Failure, Peers, Searched, Setup};
use axle_model::Model;
use axle_search::{Limits, Monitor, Options, Progress, Silent, Stop};
use axle_step::ModelSite;

use crate::compared::{essence, model, reference, stepper};

/// Sockets between all pairs of processes.
fn connected(processes: usize) -> Vec<Vec<Option<Channel>>> {
    let mut all: Vec<Vec<Option<Channel>>> =
        (0..processes).map(|_| (0..processes).map(|_| None).collect()).collect();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    for second in 1..processes {
        let (before, rest) = all.split_at_mut(second);
        for (first, sockets) in before.iter_mut().enumerate() {
            let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            sockets[second] = Some(Channel::plain(listener.accept().unwrap().0));
            rest[0][first] = Some(Channel::plain(socket));
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
    let memory = options.limits.memory.unwrap_or(u64::MAX);
    let handles: Vec<_> = connected(processes)
        .into_iter()
        .map(|sockets| {
            let (model, options) = (Arc::clone(model), options.clone());
            thread::spawn(move || {
                let setup = Setup { peers: Peers::Processes(sockets), memory, ..Setup::default() };
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

/// A limit on memory is that of each process: the memory of the others does not count.
#[test]
fn each_process_has_its_own_memory() {
    let model = model("bench/small/escape.pml");
    let searched = |memory| {
        let options = Options { limits: Limits { memory, ..Limits::default() }, ..Options::default() };
        let mut all = by_processes(&model, 2, 1, &options).into_iter().map(|one| one.unwrap().outcome);
        let first = all.next().unwrap();
        assert!(all.all(|other| other == first));
        first
    };
    let free = searched(None);
    let all = free.memory.states + free.memory.paths;
    let limited = searched(Some(all * 9 / 10));
    assert_eq!(limited.stop, None, "{all} bytes in both processes");
    assert_eq!(essence(&limited), essence(&free));
}

/// Cuts the connections of a process when it has found some states.
struct Cut(Vec<Channel>);

impl Monitor for Cut {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        if progress.states > 300 {
            self.0.drain(..).for_each(|socket| socket.shutdown(std::net::Shutdown::Both).unwrap());
        }
        None
    }
}

/// A process whose connections end is lost: all others end with an error, not with a result.
#[test]
fn a_lost_process_leaves_no_result() {
    let model = model("bench/small/escape.pml");
    let handles: Vec<_> = connected(3)
        .into_iter()
        .enumerate()
        .map(|(number, sockets)| {
            let model = Arc::clone(&model);
            thread::spawn(move || {
                let all = sockets.iter().flatten().map(|socket| socket.try_clone().unwrap());
                let mut cut = Cut(all.filter(|_| number == 1).collect());
                let setup = Setup { peers: Peers::Processes(sockets), quota: Some(50), ..Setup::default() };
                axle_dist::search(&mut [stepper(&model)], setup, &Options::default(), &mut cut)
            })
        })
        .collect();
    for handle in handles {
        assert_eq!(handle.join().unwrap(), Err(Failure::Lost));
    }
}
