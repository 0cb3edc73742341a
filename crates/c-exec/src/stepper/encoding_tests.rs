//! States are encoded, decoded and encoded again.

use std::collections::HashSet;

use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_step::{Batch, Successors};

use crate::machine::decode::decode;
use crate::machine::encode::encode;
use crate::observers::recorders::Machine;
use crate::state::settings::Settings;
use crate::stepper::Stepper;
use axle_c::{Options, compile};

/// Lists, locks, structures by value, undefined bytes, pointers into stacks: all that a state
/// can hold.
const PROGRAM: &str = "
    #include <pthread.h>
    #include <stdlib.h>
    struct node { char tag; struct node *next; long pad; };
    static struct node *list; static pthread_mutex_t m; static pthread_cond_t c; static int n;
    static struct node make(struct node *next) { struct node v; v.tag = 1; v.next = next; return v; }
    static void *add(void *arg) {
        struct node *p = malloc(sizeof *p);
        pthread_mutex_lock(&m);
        *p = make(list); list = p; n++; *(int *)arg += 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        return p;
    }
    int main(void) {
        pthread_t t[2]; int count = 0; void *r;
        for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, &count);
        pthread_mutex_lock(&m);
        while (n < 1) pthread_cond_wait(&c, &m);
        struct node *first = list; list = first->next;
        pthread_mutex_unlock(&m);
        free(first);
        for (int i = 0; i < 2; i++) pthread_join(t[i], &r);
        return count - 2;
    }";

#[test]
fn a_state_read_back_is_written_the_same() {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("t.c", PROGRAM);
    let loader = MemoryLoader::default();
    let program = compile(&[main], &Options::default(), &loader, &mut sources, &mut diagnostics);
    let program = program.expect("the program is right");
    let settings = Settings { memo: false, ..Settings::default() };
    let mut stepper = Stepper::new(&program, &settings);
    stepper.grow(100);
    let first = stepper.initial(&mut Vec::new());
    let (mut todo, mut seen) = (vec![first.clone()], HashSet::from([first]));
    let mut machine = Machine::new(&program, &settings);
    let mut batch = Batch::default();
    while let Some(bytes) = todo.pop() {
        decode(&program, &bytes, &mut machine.state);
        let again = encode(&machine);
        assert_eq!(again, bytes[..again.len()], "written, read and written");
        assert!(bytes[again.len()..].iter().all(|&byte| byte == 0), "nothing but padding follows");
        stepper.expand(&bytes, &mut batch).expect("states fit");
        for next in batch.states.chunks_exact(bytes.len()) {
            if seen.insert(next.to_vec()) {
                todo.push(next.to_vec());
            }
        }
    }
    assert!(seen.len() > 50, "{} states", seen.len());
}
