//! The operations on shared decision diagrams: recursions over the nodes with a cache of results.
//!
//! An operation can pause after a number of steps, so that the caller can ask whether to go on. What it has
//! computed on the way back is kept until the operation is repeated, which thus continues where it paused,
//! whatever the cache has lost.
//!
//! *Entry point:* [`Operations::compute`].
//! *Source:* K. S. Brace, R. L. Rudell, R. E. Bryant, "Efficient Implementation of a BDD Package", DAC
//! 1990; T. van Dijk, J. van de Pol, "Sylvan: multi-core framework for decision diagrams", STTT 19, 2017
//! (images of relations over interleaved variables).
//! *Invariant:* a cached result belongs to nodes in use.

use rustc_hash::FxHashMap;

use crate::node_table::{Edge, FALSE, Marks, NodeTable, TRUE};
use crate::package::Refusal;

/// An operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operator {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive disjunction.
    Xor,
    /// The second operand where the first holds, the third elsewhere.
    Choose,
    /// The conjunction of the first two without the variables of the third.
    AndExists,
    /// The successors of the first by the relation that is the second, which changes the third.
    Image,
    /// The predecessors of the first by the relation that is the second, which changes the third.
    Preimage,
    /// Whether the first two have a common solution: a constant.
    Intersects,
    /// A result of the caller for an edge and a number, which is no edge.
    Remembered,
}

/// An operation. Operands that an operator does not have are [`TRUE`].
pub(crate) type Operation = (Operator, Edge, Edge, Edge);

#[derive(Clone, Copy)]
struct Entry {
    operation: Operation,
    result: Edge,
}

const NOTHING: Entry = Entry { operation: (Operator::And, TRUE, TRUE, TRUE), result: TRUE };

/// Bytes of an entry of the cache.
pub(crate) const ENTRY_BYTES: u64 = size_of::<Entry>() as u64;

/// The fewest entries of a cache.
const FEWEST: usize = 1 << 10;

/// Entries of the cache for each node, if it may have as many.
const SHARE: usize = 4;

/// The first number of entries.
const FIRST: usize = 1 << 16;

/// The state of the operations.
pub(crate) struct Operations {
    pub table: NodeTable,
    cache: Vec<Entry>,
    /// The most entries of the cache.
    most: usize,
    /// Results of parts of the operation that is repeated after a pause.
    known: FxHashMap<Operation, Edge>,
    /// Results of parts of the operation that pauses now.
    kept: FxHashMap<Operation, Edge>,
    /// Results of the operations since the last pause was over.
    finished: Vec<(Operation, Edge)>,
    /// Steps until the next pause; none if operations do not pause.
    patience: Option<u32>,
    /// The steps so far.
    pub steps: u64,
}

impl Operations {
    pub(crate) fn new(table: NodeTable, cache: usize) -> Operations {
        let most = 1 << cache.max(FEWEST).ilog2();
        Operations {
            table,
            cache: vec![NOTHING; FIRST.min(most)],
            most,
            known: FxHashMap::default(),
            kept: FxHashMap::default(),
            finished: Vec::new(),
            patience: None,
            steps: 0,
        }
    }

    /// Sets the number of steps until the next pause; returns the one before.
    pub(crate) fn set_patience(&mut self, steps: Option<u32>) -> Option<u32> {
        std::mem::replace(&mut self.patience, steps)
    }

    /// The work that has paused is not continued.
    pub(crate) fn begin(&mut self) {
        self.known.clear();
        self.finished.clear();
    }

    /// The number of bytes of the cache.
    pub(crate) fn bytes(&self) -> u64 {
        ENTRY_BYTES * self.cache.len() as u64
    }

    /// The edges that are needed beside the roots.
    pub(crate) fn needed(&self) -> impl Iterator<Item = Edge> + '_ {
        let kept = self.known.iter().map(|(operation, result)| (*operation, *result));
        let all = kept.chain(self.finished.iter().copied());
        all.flat_map(|((_, a, b, c), result)| [a, b, c, result])
    }

    /// Forgets results of nodes that are not in use.
    pub(crate) fn forget(&mut self, marks: &Marks) {
        for entry in &mut self.cache {
            let (operator, a, b, c) = entry.operation;
            let number = operator == Operator::Remembered || marks.contains(b);
            if !(marks.contains(a) && number && marks.contains(c) && marks.contains(entry.result)) {
                *entry = NOTHING;
            }
        }
    }

    fn place(&self, (operator, a, b, c): Operation) -> usize {
        let key = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let key = (key ^ key >> 31 ^ u64::from(c) << 7 ^ operator as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (key >> 24) as usize & (self.cache.len() - 1)
    }

    fn cached(&self, operation: Operation) -> Option<Edge> {
        let entry = &self.cache[self.place(operation)];
        (entry.operation == operation).then_some(entry.result)
    }

    fn store(&mut self, operation: Operation, result: Edge) {
        if SHARE * self.table.used() > self.cache.len() && self.cache.len() < self.most {
            let larger = vec![NOTHING; (4 * self.cache.len()).min(self.most)];
            let old = std::mem::replace(&mut self.cache, larger);
            for entry in old {
                let place = self.place(entry.operation);
                self.cache[place] = entry;
            }
        }
        let place = self.place(operation);
        self.cache[place] = Entry { operation, result };
    }

    /// A result of the caller.
    pub(crate) fn remembered(&self, edge: Edge, number: u32) -> Option<Edge> {
        self.cached((Operator::Remembered, edge, number, TRUE))
    }

    /// Stores a result of the caller, if the cache has room.
    pub(crate) fn remember(&mut self, edge: Edge, number: u32, result: Edge) {
        self.store((Operator::Remembered, edge, number, TRUE), result);
    }

    /// The result of an operation.
    pub(crate) fn compute(&mut self, operation: Operation) -> Result<Edge, Refusal> {
        let result = self.apply(operation);
        match result {
            Ok(result) if self.patience.is_some() => self.finished.push((operation, result)),
            Err(_) => {
                self.kept.extend(self.finished.drain(..));
                self.known = std::mem::take(&mut self.kept);
            }
            Ok(_) => {}
        }
        result
    }

    fn apply(&mut self, operation: Operation) -> Result<Edge, Refusal> {
        if !self.known.is_empty()
            && let Some(result) = self.known.get(&operation)
        {
            return Ok(*result);
        }
        let (operator, a, b, c) = operation;
        match operator {
            Operator::And => self.and(a, b),
            Operator::Or => Ok(self.and(a ^ 1, b ^ 1)? ^ 1),
            Operator::Xor => self.xor(a, b),
            Operator::Choose => self.choose(a, b, c),
            Operator::AndExists => self.and_exists(a, b, c),
            Operator::Image | Operator::Preimage => self.image(operation),
            Operator::Intersects => self.intersects(a, b),
            Operator::Remembered => unreachable!("the caller computes it"),
        }
    }

    /// A step that is not cached.
    fn step(&mut self) -> Result<(), Refusal> {
        self.steps += 1;
        match &mut self.patience {
            None => Ok(()),
            Some(0) => Err(Refusal::Paused),
            Some(steps) => {
                *steps -= 1;
                Ok(())
            }
        }
    }

    /// The results of two operations.
    #[inline]
    fn both(&mut self, first: Operation, second: Operation) -> Result<(Edge, Edge), Refusal> {
        let one = self.apply(first)?;
        match self.apply(second) {
            Ok(other) => Ok((one, other)),
            Err(refusal) => {
                self.kept.insert(first, one);
                Err(refusal)
            }
        }
    }

    fn and(&mut self, a: Edge, b: Edge) -> Result<Edge, Refusal> {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            TRUE => return Ok(b),
            FALSE => return Ok(FALSE),
            _ if a == b => return Ok(a),
            _ if a ^ b == 1 => return Ok(FALSE),
            _ => {}
        }
        let operation = (Operator::And, a, b, TRUE);
        if let Some(result) = self.cached(operation) {
            return Ok(result);
        }
        self.step()?;
        let variable = self.table.variable(a).min(self.table.variable(b));
        let ((a1, a0), (b1, b0)) = (self.table.cofactors(a, variable), self.table.cofactors(b, variable));
        let (high, low) = self.both((Operator::And, a1, b1, TRUE), (Operator::And, a0, b0, TRUE))?;
        let result = self.table.make(variable, high, low)?;
        self.store(operation, result);
        Ok(result)
    }

    /// As [`Operator::And`], without its nodes, and only as far as the first solution.
    fn intersects(&mut self, a: Edge, b: Edge) -> Result<Edge, Refusal> {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            TRUE => return Ok(if b == FALSE { FALSE } else { TRUE }),
            FALSE => return Ok(FALSE),
            _ if a == b => return Ok(TRUE),
            _ if a ^ b == 1 => return Ok(FALSE),
            _ => {}
        }
        let operation = (Operator::Intersects, a, b, TRUE);
        if let Some(result) = self.cached(operation) {
            return Ok(result);
        }
        self.step()?;
        let variable = self.table.variable(a).min(self.table.variable(b));
        let ((a1, a0), (b1, b0)) = (self.table.cofactors(a, variable), self.table.cofactors(b, variable));
        let first = (Operator::Intersects, a1, b1, TRUE);
        let mut result = self.apply(first)?;
        if result == FALSE {
            result = match self.apply((Operator::Intersects, a0, b0, TRUE)) {
                Ok(result) => result,
                Err(refusal) => {
                    self.kept.insert(first, FALSE);
                    return Err(refusal);
                }
            };
        }
        self.store(operation, result);
        Ok(result)
    }

    fn xor(&mut self, a: Edge, b: Edge) -> Result<Edge, Refusal> {
        let complement = (a ^ b) & 1;
        let (a, b) = (a & !1, b & !1);
        let (a, b) = (a.min(b), a.max(b));
        match a {
            TRUE => return Ok(b ^ complement ^ 1),
            _ if a == b => return Ok(FALSE ^ complement),
            _ => {}
        }
        let operation = (Operator::Xor, a, b, TRUE);
        if let Some(result) = self.cached(operation) {
            return Ok(result ^ complement);
        }
        self.step()?;
        let variable = self.table.variable(a).min(self.table.variable(b));
        let ((a1, a0), (b1, b0)) = (self.table.cofactors(a, variable), self.table.cofactors(b, variable));
        let (high, low) = self.both((Operator::Xor, a1, b1, TRUE), (Operator::Xor, a0, b0, TRUE))?;
        let result = self.table.make(variable, high, low)?;
        self.store(operation, result);
        Ok(result ^ complement)
    }

    fn choose(&mut self, f: Edge, g: Edge, h: Edge) -> Result<Edge, Refusal> {
        let (f, g, h) = if f & 1 == 1 { (f ^ 1, h, g) } else { (f, g, h) };
        match (f, g, h) {
            (TRUE, _, _) => return Ok(g),
            _ if g == h => return Ok(g),
            _ if g ^ h == 1 => return self.xor(f, h),
            _ if g == TRUE || g == f => return Ok(self.and(f ^ 1, h ^ 1)? ^ 1),
            _ if g == FALSE || g == f ^ 1 => return self.and(f ^ 1, h),
            _ if h == TRUE || h == f ^ 1 => return Ok(self.and(f, g ^ 1)? ^ 1),
            _ if h == FALSE || h == f => return self.and(f, g),
            _ => {}
        }
        let complement = g & 1;
        let (g, h) = (g ^ complement, h ^ complement);
        let operation = (Operator::Choose, f, g, h);
        if let Some(result) = self.cached(operation) {
            return Ok(result ^ complement);
        }
        self.step()?;
        let variable = [f, g, h].map(|edge| self.table.variable(edge)).into_iter().min().unwrap_or(0);
        let [(f1, f0), (g1, g0), (h1, h0)] = [f, g, h].map(|edge| self.table.cofactors(edge, variable));
        let (high, low) = self.both((Operator::Choose, f1, g1, h1), (Operator::Choose, f0, g0, h0))?;
        let result = self.table.make(variable, high, low)?;
        self.store(operation, result);
        Ok(result ^ complement)
    }

    fn and_exists(&mut self, a: Edge, b: Edge, cube: Edge) -> Result<Edge, Refusal> {
        if a == FALSE || b == FALSE || a ^ b == 1 {
            return Ok(FALSE);
        }
        let variable = self.table.variable(a).min(self.table.variable(b));
        let mut cube = cube;
        while self.table.variable(cube) < variable {
            cube = self.table.successors(cube).0;
        }
        if cube == TRUE {
            return self.and(a, b);
        }
        let operation = (Operator::AndExists, a.min(b), a.max(b), cube);
        if let Some(result) = self.cached(operation) {
            return Ok(result);
        }
        self.step()?;
        let ((a1, a0), (b1, b0)) = (self.table.cofactors(a, variable), self.table.cofactors(b, variable));
        let (first, second) = ((Operator::AndExists, a1, b1, cube), (Operator::AndExists, a0, b0, cube));
        let (high, low) = self.both(first, second)?;
        let result = if self.table.variable(cube) == variable {
            match self.and(high ^ 1, low ^ 1) {
                Ok(result) => result ^ 1,
                Err(refusal) => {
                    self.kept.extend([(first, high), (second, low)]);
                    return Err(refusal);
                }
            }
        } else {
            self.table.make(variable, high, low)?
        };
        self.store(operation, result);
        Ok(result)
    }

    /// The image or preimage of a set. Variable `2 i` is a bit before the step, `2 i + 1` after it; the cube
    /// has the bits before the step that it changes.
    fn image(&mut self, (operator, set, relation, changed): Operation) -> Result<Edge, Refusal> {
        if set == FALSE || relation == FALSE {
            return Ok(FALSE);
        }
        if changed == TRUE {
            return self.and(set, relation);
        }
        let operation = (operator, set, relation, changed);
        if let Some(result) = self.cached(operation) {
            return Ok(result);
        }
        self.step()?;
        // A bit after the step occurs in the relation without the bit before it, perhaps.
        let first = self.table.variable(set).min(self.table.variable(relation) & !1);
        let variable = first.min(self.table.variable(changed));
        let (s1, s0) = self.table.cofactors(set, variable);
        let (r1, r0) = self.table.cofactors(relation, variable);
        if self.table.variable(changed) != variable {
            let (high, low) = self.both((operator, s1, r1, changed), (operator, s0, r0, changed))?;
            let result = self.table.make(variable, high, low)?;
            self.store(operation, result);
            return Ok(result);
        }
        let rest = self.table.successors(changed).0;
        let (r11, r10) = self.table.cofactors(r1, variable + 1);
        let (r01, r00) = self.table.cofactors(r0, variable + 1);
        let parts = match operator {
            Operator::Image => [(s1, r11), (s0, r01), (s1, r10), (s0, r00)],
            _ => [(s1, r11), (s0, r10), (s1, r01), (s0, r00)],
        };
        let mut results = [FALSE; 4];
        for (at, &(set, relation)) in parts.iter().enumerate() {
            match self.apply((operator, set, relation, rest)) {
                Ok(result) => results[at] = result,
                Err(refusal) => {
                    for before in 0..at {
                        let (set, relation) = parts[before];
                        self.kept.insert((operator, set, relation, rest), results[before]);
                    }
                    return Err(refusal);
                }
            }
        }
        let [a, b, c, d] = results;
        match self.both((Operator::Or, a, b, TRUE), (Operator::Or, c, d, TRUE)) {
            Ok((high, low)) => {
                let result = self.table.make(variable, high, low)?;
                self.store(operation, result);
                Ok(result)
            }
            Err(refusal) => {
                let parts = parts.iter().zip(results);
                self.kept.extend(parts.map(|((set, relation), of)| ((operator, *set, *relation, rest), of)));
                Err(refusal)
            }
        }
    }

    /// Replaces variables by functions, all at once. Does not pause.
    pub(crate) fn compose(
        &mut self,
        edge: Edge,
        functions: &FxHashMap<u32, Edge>,
        known: &mut FxHashMap<Edge, Edge>,
    ) -> Result<Edge, Refusal> {
        let complement = edge & 1;
        let edge = edge ^ complement;
        if edge == TRUE {
            return Ok(complement);
        }
        if let Some(result) = known.get(&edge) {
            return Ok(result ^ complement);
        }
        let variable = self.table.variable(edge);
        let (high, low) = self.table.successors(edge);
        let function = functions.get(&variable).copied();
        // Most functions are constants, as locations are after a step.
        if let Some(constant @ (TRUE | FALSE)) = function {
            let result = self.compose(if constant == TRUE { high } else { low }, functions, known)?;
            known.insert(edge, result);
            return Ok(result ^ complement);
        }
        let (high, low) = (self.compose(high, functions, known)?, self.compose(low, functions, known)?);
        let condition = match function {
            Some(function) => function,
            None => self.table.make(variable, TRUE, FALSE)?,
        };
        let result = self.choose(condition, high, low)?;
        known.insert(edge, result);
        Ok(result ^ complement)
    }
}
