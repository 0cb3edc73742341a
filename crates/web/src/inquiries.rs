//! Questions about the software that were answered since the server began, each with a link.
//!
//! *Entry point:* [`Inquiries`].
//! *Invariant:* a limited number of answers is kept; the oldest go first. An answer belongs to the project as
//! it was when the question was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axle_feaver::jobs::job::Timestamp;

use crate::program::Inquiry;

/// Answers that are kept.
const MOST: usize = 50;

/// A question and its answer.
#[derive(Debug)]
pub struct Answered {
    /// Its number, from 1.
    pub id: u64,
    /// The question.
    pub question: Inquiry,
    /// The JSON of `axle diagnose`.
    pub answer: String,
    /// The answer in a sentence.
    pub summary: String,
    /// Whether the answer is yes.
    pub is_yes: bool,
    /// When it was answered.
    pub at: Timestamp,
    /// The version of the project's files.
    pub generation: u64,
}

/// Answers by number.
#[derive(Default)]
pub struct Inquiries {
    known: Mutex<VecDeque<Arc<Answered>>>,
}

impl Inquiries {
    /// An answer by its number.
    #[must_use]
    pub fn get(&self, id: u64) -> Option<Arc<Answered>> {
        self.all().into_iter().find(|one| one.id == id)
    }

    /// All answers, the latest first.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Answered>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().rev().cloned().collect()
    }

    /// Keeps an answer with a number of its own, and returns the number.
    pub fn keep(&self, answered: Answered) -> u64 {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let id = known.back().map_or(1, |last| last.id + 1);
        if known.len() >= MOST {
            known.pop_front();
        }
        known.push_back(Arc::new(Answered { id, ..answered }));
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_answers_are_kept() {
        let inquiries = Inquiries::default();
        for line in 1..=60u64 {
            let question = Inquiry { line: line.to_string(), ..Inquiry::default() };
            let answered = Answered {
                id: 0,
                question,
                answer: String::new(),
                summary: String::new(),
                is_yes: false,
                at: Timestamp(0),
                generation: 0,
            };
            assert_eq!(inquiries.keep(answered), line);
        }
        assert_eq!((inquiries.all().len(), inquiries.all()[0].id), (MOST, 60));
        assert!(inquiries.get(10).is_none());
        assert_eq!(inquiries.get(11).map(|one| one.question.line.clone()), Some("11".to_string()));
    }
}
