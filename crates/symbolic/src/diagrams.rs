//! Shared decision diagrams with complement edges, in one thread.
//!
//! *Entry point:* [`Diagrams`].
//! *Invariant:* the node of each [`Diagram`] is a root of the table, so that no collection frees it. No
//! collection happens during an operation.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::node_table::{CONSTANT, Edge, FALSE, NodeTable, Roots, TRUE, nodes_for};
use crate::operations::{ENTRY_BYTES, Operation, Operations, Operator};
use crate::package::{Package, Refusal};

/// Nodes that a collection visits in a step.
const VISITED: u64 = 4;

/// The most nodes and results of the cache for tables of this many bytes: a quarter is for the cache.
pub(crate) fn sizes(bytes: u64) -> (usize, usize) {
    let cache = 1u64 << (bytes / 4 / ENTRY_BYTES).max(1 << 10).ilog2();
    (nodes_for(bytes.saturating_sub(cache * ENTRY_BYTES)), cache as usize)
}

/// A package of decision diagrams.
pub(crate) struct Diagrams {
    operations: RefCell<Operations>,
    roots: Rc<Roots>,
}

/// A function.
pub(crate) struct Diagram {
    edge: Edge,
    roots: Rc<Roots>,
}

impl Clone for Diagram {
    fn clone(&self) -> Diagram {
        self.roots.add(self.edge);
        Diagram { edge: self.edge, roots: Rc::clone(&self.roots) }
    }
}

impl Drop for Diagram {
    fn drop(&mut self) {
        self.roots.remove(self.edge);
    }
}

impl PartialEq for Diagram {
    fn eq(&self, other: &Diagram) -> bool {
        self.edge == other.edge
    }
}

impl Eq for Diagram {}

impl Hash for Diagram {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.edge.hash(state);
    }
}

impl Diagrams {
    fn diagram(&self, edge: Edge) -> Diagram {
        self.roots.add(edge);
        Diagram { edge, roots: Rc::clone(&self.roots) }
    }

    fn compute(&self, operation: Operation) -> Result<Diagram, Refusal> {
        let edge = self.operations.borrow_mut().compute(operation)?;
        Ok(self.diagram(edge))
    }
}

impl Package for Diagrams {
    type Diagram = Diagram;

    fn new(variables: u32, nodes: usize, cache: usize) -> Result<Diagrams, Refusal> {
        let mut table = NodeTable::new(nodes);
        let roots = Rc::new(Roots::default());
        for variable in 0..variables {
            roots.add(table.make(variable, TRUE, FALSE)?);
        }
        Ok(Diagrams { operations: RefCell::new(Operations::new(table, cache)), roots })
    }

    fn constant(&self, value: bool) -> Diagram {
        self.diagram(if value { TRUE } else { FALSE })
    }

    fn variable(&self, number: u32) -> Diagram {
        let made = self.operations.borrow_mut().table.make(number, TRUE, FALSE);
        self.diagram(made.expect("the nodes of all variables are roots"))
    }

    fn not(&self, a: &Diagram) -> Result<Diagram, Refusal> {
        Ok(self.diagram(a.edge ^ 1))
    }

    fn and(&self, a: &Diagram, b: &Diagram) -> Result<Diagram, Refusal> {
        self.compute((Operator::And, a.edge, b.edge, TRUE))
    }

    fn or(&self, a: &Diagram, b: &Diagram) -> Result<Diagram, Refusal> {
        self.compute((Operator::Or, a.edge, b.edge, TRUE))
    }

    fn xor(&self, a: &Diagram, b: &Diagram) -> Result<Diagram, Refusal> {
        self.compute((Operator::Xor, a.edge, b.edge, TRUE))
    }

    fn intersects(&self, a: &Diagram, b: &Diagram) -> Result<bool, Refusal> {
        let operation = (Operator::Intersects, a.edge, b.edge, TRUE);
        Ok(self.operations.borrow_mut().compute(operation)? == TRUE)
    }

    fn choose(&self, condition: &Diagram, a: &Diagram, b: &Diagram) -> Result<Diagram, Refusal> {
        self.compute((Operator::Choose, condition.edge, a.edge, b.edge))
    }

    fn and_exists(&self, a: &Diagram, b: &Diagram, cube: &Diagram) -> Result<Diagram, Refusal> {
        self.compute((Operator::AndExists, a.edge, b.edge, cube.edge))
    }

    fn image(&self, set: &Diagram, relation: &Diagram, changed: &Diagram) -> Result<Diagram, Refusal> {
        self.compute((Operator::Image, set.edge, relation.edge, changed.edge))
    }

    fn preimage(&self, set: &Diagram, relation: &Diagram, changed: &Diagram) -> Result<Diagram, Refusal> {
        self.compute((Operator::Preimage, set.edge, relation.edge, changed.edge))
    }

    fn compose(&self, a: &Diagram, functions: &[(u32, Diagram)]) -> Result<Diagram, Refusal> {
        let functions: FxHashMap<u32, Edge> =
            functions.iter().map(|(variable, function)| (*variable, function.edge)).collect();
        let mut operations = self.operations.borrow_mut();
        let patience = operations.set_patience(None);
        let edge = operations.compose(a.edge, &functions, &mut FxHashMap::default());
        operations.set_patience(patience);
        drop(operations);
        Ok(self.diagram(edge?))
    }

    fn decompose(&self, a: &Diagram) -> Option<(u32, Diagram, Diagram)> {
        let table = &self.operations.borrow().table;
        let variable = table.variable(a.edge);
        let (high, low) = table.successors(a.edge);
        (variable != CONSTANT).then(|| (variable, self.diagram(high), self.diagram(low)))
    }

    fn remembered(&self, a: &Diagram, number: u32) -> Option<Diagram> {
        let known = self.operations.borrow().remembered(a.edge, number);
        known.map(|edge| self.diagram(edge))
    }

    fn remember(&self, a: &Diagram, number: u32, result: &Diagram) {
        self.operations.borrow_mut().remember(a.edge, number, result.edge);
    }

    fn set_patience(&self, steps: Option<u32>) {
        self.operations.borrow_mut().set_patience(steps);
    }

    fn steps(&self) -> u64 {
        self.operations.borrow().steps
    }

    fn begin(&self) {
        self.operations.borrow_mut().begin();
    }

    fn size(&self, a: &Diagram) -> usize {
        self.operations.borrow().table.size(a.edge)
    }

    fn nodes(&self) -> usize {
        self.operations.borrow().table.used()
    }

    fn bytes(&self) -> u64 {
        let operations = self.operations.borrow();
        operations.table.bytes(&self.roots) + operations.bytes()
    }

    fn collect(&self) -> usize {
        let mut operations = self.operations.borrow_mut();
        let marks = operations.table.mark(&self.roots, operations.needed());
        operations.forget(&marks);
        operations.steps += operations.table.used() as u64 / VISITED;
        operations.table.collect(&marks);
        operations.table.used()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const BITS: u32 = 5;
    const VARIABLES: u32 = 2 * BITS;

    /// A function as the values for all assignments.
    type Values = Vec<bool>;

    /// Pairs of diagrams and their values, made by random operations.
    struct Pairs {
        package: Diagrams,
        made: Vec<(Diagram, Values)>,
        random: u64,
        pauses: Cell<u32>,
    }

    fn assignments() -> impl Iterator<Item = usize> {
        0..1 << VARIABLES
    }

    fn bit(assignment: usize, variable: u32) -> bool {
        assignment >> variable & 1 == 1
    }

    impl Pairs {
        fn new(nodes: usize, cache: usize, seed: u64) -> Pairs {
            let package = Diagrams::new(VARIABLES, nodes, cache).expect("memory");
            let variable = |number| {
                let values = assignments().map(|at| bit(at, number)).collect();
                (package.variable(number), values)
            };
            let made = (0..VARIABLES).map(variable).collect();
            Pairs { package, made, random: seed | 1, pauses: Cell::new(0) }
        }

        /// Deterministic random numbers (xorshift64*, S. Vigna 2016).
        fn below(&mut self, n: usize) -> usize {
            self.random ^= self.random >> 12;
            self.random ^= self.random << 25;
            self.random ^= self.random >> 27;
            (self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
        }

        fn any(&mut self) -> (Diagram, Values) {
            let at = self.below(self.made.len());
            self.made[at].clone()
        }

        /// The value of a diagram.
        fn value(&self, diagram: &Diagram, assignment: usize) -> bool {
            let mut at = diagram.clone();
            while let Some((variable, high, low)) = self.package.decompose(&at) {
                at = if bit(assignment, variable) { high } else { low };
            }
            at == self.package.constant(true)
        }

        /// Repeats an operation until it does not pause.
        fn run(&self, op: impl Fn(&Diagrams) -> Result<Diagram, Refusal>) -> Diagram {
            self.package.begin();
            loop {
                // More than the deepest recursion, which a repeated operation goes down again.
                self.package.set_patience(Some(22));
                match op(&self.package) {
                    Ok(diagram) => return diagram,
                    Err(Refusal::Paused) => {
                        self.package.collect();
                        self.pauses.set(self.pauses.get() + 1);
                        assert!(self.pauses.get() < 1_000_000);
                    }
                    Err(Refusal::Full) => panic!("memory"),
                }
            }
        }

        fn step(&mut self) {
            let ((a, x), (b, y), (c, z)) = (self.any(), self.any(), self.any());
            let cube: Vec<u32> = (0..VARIABLES).filter(|_| self.below(3) == 0).collect();
            let literals: Vec<_> = cube.iter().map(|variable| (*variable, true)).collect();
            let quantified = |values: &Values, at: usize| {
                let mask = cube.iter().fold(0, |mask, variable| mask | 1 << variable);
                assignments().any(|of| values[of] && (of ^ at) & !mask == 0)
            };
            let (made, values): (Diagram, Values) = match self.below(6) {
                0 => (self.run(|p| p.and(&a, &b)), (0..x.len()).map(|at| x[at] && y[at]).collect()),
                1 => (self.run(|p| p.or(&a, &p.not(&b)?)), (0..x.len()).map(|at| x[at] || !y[at]).collect()),
                2 => (self.run(|p| p.xor(&a, &b)), (0..x.len()).map(|at| x[at] != y[at]).collect()),
                3 => {
                    let values = (0..x.len()).map(|at| if x[at] { y[at] } else { z[at] }).collect();
                    (self.run(|p| p.choose(&a, &b, &c)), values)
                }
                4 => {
                    let both: Values = (0..x.len()).map(|at| x[at] && y[at]).collect();
                    let made = self.run(|p| p.and_exists(&a, &b, &p.cube(&literals)?));
                    (made, assignments().map(|at| quantified(&both, at)).collect())
                }
                _ => {
                    let constant = self.below(2) == 1;
                    let (c, z) = match self.below(3) {
                        0 => (self.package.constant(constant), vec![constant; x.len()]),
                        _ => (c, z),
                    };
                    let functions = [(2, b.clone()), (5, c.clone())];
                    let replaced = assignments().map(|at| {
                        let others = at & !(1 << 2 | 1 << 5);
                        x[others | usize::from(y[at]) << 2 | usize::from(z[at]) << 5]
                    });
                    (self.run(|p| p.compose(&a, &functions)), replaced.collect())
                }
            };
            if self.made.len() > 60 {
                let at = VARIABLES as usize + self.below(40);
                self.made.swap_remove(at);
            }
            self.made.push((made, values));
        }
    }

    /// Operations that pause every 22 steps, with collections between, on a cache of few entries.
    #[test]
    fn operations_agree_with_tables_of_values() {
        let mut pauses = 0;
        for seed in 1..=20 {
            let mut pairs = Pairs::new(1 << 14, 1 << 10, seed * 0x9e37_79b9);
            for _ in 0..150 {
                pairs.step();
                let (made, values) = &pairs.made[pairs.made.len() - 1];
                assert!(assignments().all(|at| pairs.value(made, at) == values[at]), "{seed}");
            }
            pauses += pairs.pauses.get();
            let ((a, x), (b, y)) = (pairs.any(), pairs.any());
            let intersects = assignments().any(|at| x[at] && y[at]);
            assert_eq!(pairs.package.intersects(&a, &b), Ok(intersects), "{seed}");
            // Equal functions are equal diagrams.
            for (a, x) in &pairs.made {
                for (b, y) in &pairs.made {
                    assert_eq!(a == b, x == y);
                }
            }
        }
        assert!(pauses > 50, "{pauses}");
    }

    /// Images and preimages are quantifications of the conjunction with the relation.
    #[test]
    fn images_agree_with_tables_of_values() {
        let mut nonempty = 0;
        for seed in 1..=60 {
            let mut pairs = Pairs::new(1 << 14, 1 << 10, seed * 0x9e37_79b9);
            (0..40).for_each(|_| pairs.step());
            let changed: Vec<u32> = (0..BITS).filter(|_| pairs.below(2) == 0).collect();
            let cube: Vec<_> = changed.iter().map(|bit| (2 * bit, true)).collect();
            // The set has no bits after the step, the relation none that it does not change.
            let forget = |pairs: &Pairs, diagram: &Diagram, keep: &dyn Fn(u32) -> bool| {
                let all: Vec<_> =
                    (0..VARIABLES).filter(|v| v % 2 == 1 && !keep(v / 2)).map(|v| (v, true)).collect();
                pairs.run(|p| p.exists(diagram, &p.cube(&all)?))
            };
            let (set, relation) = (pairs.any().0, pairs.any().0);
            let set = forget(&pairs, &set, &|_| false);
            let relation = forget(&pairs, &relation, &|bit| changed.contains(&bit));
            let image = pairs.run(|p| p.image(&set, &relation, &p.cube(&cube)?));
            let preimage = pairs.run(|p| p.preimage(&set, &relation, &p.cube(&cube)?));
            let states = || 0..1usize << BITS;
            let at = |before: usize, after: usize| {
                (0..BITS).fold(0, |at, bit| {
                    at | (before >> bit & 1) << (2 * bit) | (after >> bit & 1) << (2 * bit + 1)
                })
            };
            let steps = |before: usize, after: usize| {
                let same = (0..BITS).all(|bit| changed.contains(&bit) || (before ^ after) >> bit & 1 == 0);
                same && pairs.value(&relation, at(before, after))
            };
            for state in states() {
                let is_successor = states().any(|of| pairs.value(&set, at(of, 0)) && steps(of, state));
                assert_eq!(pairs.value(&image, at(state, 0)), is_successor, "{seed}");
                let is_predecessor = states().any(|of| pairs.value(&set, at(of, 0)) && steps(state, of));
                assert_eq!(pairs.value(&preimage, at(state, 0)), is_predecessor, "{seed}");
                nonempty += u32::from(is_successor) + u32::from(is_predecessor);
            }
        }
        assert!(nonempty > 500, "{nonempty}");
    }

    #[test]
    fn nodes_are_limited_and_dead_ones_are_freed() {
        let package = Diagrams::new(40, 2000, 1 << 10).expect("memory");
        let parity = |from: u32, to: u32| {
            (from..to).try_fold(package.constant(false), |parity, number| {
                package.xor(&parity, &package.variable(number))
            })
        };
        let kept = parity(0, 20).expect("memory");
        for round in 0..50 {
            let made = parity(round % 10, 20 + round % 20);
            assert!(made.is_ok() || package.nodes() > 1900, "{round}");
            drop(made);
            package.collect();
            assert!(package.nodes() < 100);
        }
        assert_eq!(package.size(&kept), 20);
        // The best order has pairs of neighbours: this one needs 2^20 nodes.
        let pairs = |package: &Diagrams| {
            (0..20).try_fold(package.constant(false), |any, number| {
                let pair = package.and(&package.variable(number), &package.variable(20 + number))?;
                package.or(&any, &pair)
            })
        };
        assert_eq!(pairs(&package).err(), Some(Refusal::Full));
        package.begin();
        package.collect();
        assert!(package.nodes() < 100);
    }
}
