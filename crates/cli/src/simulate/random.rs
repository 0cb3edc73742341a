//! Random choices that depend on the seed alone.
//!
//! *Source:* Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.

use axle_evidence::trace::TraceStep;

/// A pseudorandom number generator.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// The index of a step: first a process, then one of its steps, so that a process with many
    /// steps is not preferred.
    pub(super) fn choose(&mut self, choices: &[TraceStep]) -> usize {
        let mut processes: Vec<u32> = choices.iter().map(|step| step.by.pid).collect();
        processes.sort_unstable();
        processes.dedup();
        let process = processes[self.below(processes.len() as u64) as usize];
        let own: Vec<usize> = (0..choices.len()).filter(|&at| choices[at].by.pid == process).collect();
        own[self.below(own.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_below_their_bound_and_all_come_up() {
        let mut random = Random::new(1);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[random.below(7) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
    }
}
