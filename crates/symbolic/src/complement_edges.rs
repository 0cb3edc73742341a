//! Binary decision diagrams with complement edges: the package `oxidd`.
//!
//! *Source:* K. S. Brace, R. L. Rudell, R. E. Bryant, "Efficient Implementation of a BDD Package", DAC
//! 1990; N. Husung and others, "OxiDD", TACAS 2024.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel, Manager,
    ManagerRef, Node, Subst,
};

use crate::package::{Full, Package};

/// A package of decision diagrams with complement edges, in one thread.
pub struct ComplementEdges {
    manager: BCDDManagerRef,
    constants: [BCDDFunction; 2],
    variables: Vec<BCDDFunction>,
}

/// A replacement of variables.
pub struct Renaming(Subst<BCDDFunction>);

impl Package for ComplementEdges {
    type Diagram = BCDDFunction;
    type Renaming = Renaming;

    fn new(variables: u32, nodes: usize, cache: usize) -> Result<ComplementEdges, Full> {
        let manager = oxidd::bcdd::new_manager(nodes, cache, 1);
        let created = manager.with_manager_exclusive(|manager| {
            let constants = [BCDDFunction::f(manager), BCDDFunction::t(manager)];
            let numbers = manager.add_vars(variables);
            let variables: Result<Vec<_>, _> = numbers.map(|no| BCDDFunction::var(manager, no)).collect();
            variables.map(|variables| (constants, variables))
        });
        let (constants, variables) = created.map_err(|_| Full)?;
        Ok(ComplementEdges { manager, constants, variables })
    }

    fn constant(&self, value: bool) -> BCDDFunction {
        self.constants[usize::from(value)].clone()
    }

    fn variable(&self, number: u32) -> BCDDFunction {
        self.variables[number as usize].clone()
    }

    fn not(&self, a: &BCDDFunction) -> Result<BCDDFunction, Full> {
        a.not().map_err(|_| Full)
    }

    fn and(&self, a: &BCDDFunction, b: &BCDDFunction) -> Result<BCDDFunction, Full> {
        a.and(b).map_err(|_| Full)
    }

    fn or(&self, a: &BCDDFunction, b: &BCDDFunction) -> Result<BCDDFunction, Full> {
        a.or(b).map_err(|_| Full)
    }

    fn xor(&self, a: &BCDDFunction, b: &BCDDFunction) -> Result<BCDDFunction, Full> {
        a.xor(b).map_err(|_| Full)
    }

    fn choose(
        &self,
        condition: &BCDDFunction,
        a: &BCDDFunction,
        b: &BCDDFunction,
    ) -> Result<BCDDFunction, Full> {
        condition.ite(a, b).map_err(|_| Full)
    }

    fn and_exists(
        &self,
        a: &BCDDFunction,
        b: &BCDDFunction,
        cube: &BCDDFunction,
    ) -> Result<BCDDFunction, Full> {
        a.apply_exists(BooleanOperator::And, b, cube).map_err(|_| Full)
    }

    fn exists(&self, a: &BCDDFunction, cube: &BCDDFunction) -> Result<BCDDFunction, Full> {
        a.exists(cube).map_err(|_| Full)
    }

    fn renaming(&self, pairs: &[(u32, u32)]) -> Renaming {
        let (from, to): (Vec<_>, Vec<_>) =
            pairs.iter().map(|&(from, to)| (from, self.variables[to as usize].clone())).unzip();
        Renaming(Subst::new(from, to))
    }

    fn rename(&self, a: &BCDDFunction, renaming: &Renaming) -> Result<BCDDFunction, Full> {
        a.substitute(&renaming.0).map_err(|_| Full)
    }

    fn compose(&self, a: &BCDDFunction, functions: &[(u32, BCDDFunction)]) -> Result<BCDDFunction, Full> {
        // A substitution is prepared for all levels, which costs more than most functions.
        if self.constants.contains(a) {
            return Ok(a.clone());
        }
        let (variables, functions): (Vec<_>, Vec<_>) = functions.iter().cloned().unzip();
        a.substitute(&Subst::new(variables, functions)).map_err(|_| Full)
    }

    fn decompose(&self, a: &BCDDFunction) -> Option<(u32, BCDDFunction, BCDDFunction)> {
        let level = a.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) => Some(manager.level_to_var(node.level())),
            Node::Terminal(_) => None,
        })?;
        let (high, low) = a.cofactors()?;
        Some((level, high, low))
    }

    fn size(&self, a: &BCDDFunction) -> usize {
        a.node_count()
    }

    fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.approx_num_inner_nodes())
    }

    fn collect(&self) -> usize {
        self.manager.with_manager_shared(|manager| {
            manager.gc();
            manager.num_inner_nodes()
        })
    }
}
