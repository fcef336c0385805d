//! Control dependence between goals: which goals can only be covered after which others.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §3.2.3, Definitions 4 to 7: the graph through which
//! UPDATE-TARGETS (Algorithm 7) walks. There, edges of the control dependence graph carry targets through the partial
//! map φ. Here, the graph is between the goals themselves: edges without a goal are passed through when it is built.
//!
//! # Differences
//! * *Call dependences* (option, off in the paper's profile): the goals on every way through a method that is only
//!   entered from inside its nest ([`crate::method_table::Method::is_internal`]) depend on what controls the calls of
//!   it. The paper's graph is intraprocedural: there they are roots, and all of them compete for the population from
//!   the start although nothing enters their method yet.
//! * A goal that no root leads to (dependences in a circle) is made a root.

use bytecode::probe_map::{OutcomeId, ProbeMap};
use fixedbitset::FixedBitSet;

use crate::goal::{GoalId, GoalSet};
use crate::method_table::{MethodIndex, MethodTable};

/// Control dependence between the goals of a set, with the methods that it was derived from.
#[derive(Debug, Clone)]
pub struct GoalGraph {
    methods: MethodTable,
    call_dependences: bool,
    method_of: Vec<Option<MethodIndex>>,
    parents: Vec<Vec<GoalId>>,
    children: Vec<Vec<GoalId>>,
    roots: Vec<GoalId>,
    /// Goals that do not guide.
    silent: FixedBitSet,
}

impl GoalGraph {
    /// Builds the graph of goals that were derived from these maps.
    pub fn new(maps: &[ProbeMap], goals: &GoalSet, call_dependences: bool) -> Self {
        let methods = MethodTable::new(maps);
        let method_of: Vec<_> = goals.goals().iter().map(|goal| methods.entered_by(goal.entry)).collect();
        let mut builder = Builder::new(&methods, goals, call_dependences);
        let mut parents = Vec::with_capacity(goals.len());
        let mut roots = Vec::new();
        for (id, goal) in goals.ids().zip(goals.goals()) {
            let is_root = match method_of[id.index()] {
                Some(method) => builder.find_parents(method, &goal.controlled_by),
                None => true,
            };
            builder.parents.retain(|&parent| parent != id);
            if is_root || builder.parents.is_empty() {
                roots.push(id);
            }
            parents.push(builder.parents.clone());
        }
        let mut children = vec![Vec::new(); goals.len()];
        for (id, parents) in goals.ids().zip(&parents) {
            for parent in parents {
                children[parent.index()].push(id);
            }
        }
        let silent = FixedBitSet::new();
        let mut graph = Self { methods, call_dependences, method_of, parents, children, roots, silent };
        graph.reach_all();
        graph
    }

    /// Leaves only these goals to guide: the others are no targets any more. A goal that only such led to becomes a
    /// root.
    pub fn guide_by(&mut self, guides: &FixedBitSet) {
        let goals = self.parents.len();
        let is_guide = |goal: &GoalId| guides.contains(goal.index());
        self.silent = (0..goals).filter(|goal| !guides.contains(*goal)).collect();
        for relatives in self.parents.iter_mut().chain(&mut self.children) {
            relatives.retain(is_guide);
        }
        for goal in (0..goals as u32).map(GoalId).filter(is_guide) {
            if self.parents[goal.index()].is_empty() {
                self.roots.push(goal);
            }
        }
        self.roots.retain(is_guide);
        self.roots.sort_unstable();
        self.roots.dedup();
        self.reach_all();
    }

    /// Whether the search may aim at a goal.
    pub fn guides(&self, goal: GoalId) -> bool {
        !self.silent.contains(goal.index())
    }

    /// Makes roots of goals that no root leads to, lowest first.
    fn reach_all(&mut self) {
        let goals = self.parents.len();
        let mut reached = FixedBitSet::with_capacity(goals);
        let mut pending = self.roots.clone();
        for id in (0..goals as u32).map(GoalId) {
            while let Some(next) = pending.pop() {
                if !reached.put(next.index()) {
                    pending.extend(&self.children[next.index()]);
                }
            }
            if !reached.contains(id.index()) && self.guides(id) {
                self.roots.push(id);
                pending.push(id);
            }
        }
        self.roots.sort_unstable();
    }

    /// The methods, branches and calls that it was built from.
    pub fn methods(&self) -> &MethodTable {
        &self.methods
    }

    /// Whether goals of internal methods depend on the calls of them.
    pub fn has_call_dependences(&self) -> bool {
        self.call_dependences
    }

    /// The method that holds a goal; `None` when the maps did not have it.
    pub fn method_of(&self, goal: GoalId) -> Option<MethodIndex> {
        self.method_of.get(goal.index()).copied().flatten()
    }

    /// Goals on which a goal directly depends, ascending: any of them leads to it.
    pub fn parents(&self, goal: GoalId) -> &[GoalId] {
        self.parents.get(goal.index()).map_or(&[], Vec::as_slice)
    }

    /// Goals that directly depend on a goal, ascending.
    pub fn children(&self, goal: GoalId) -> &[GoalId] {
        self.children.get(goal.index()).map_or(&[], Vec::as_slice)
    }

    /// Goals that can be covered without covering another first, ascending.
    pub fn roots(&self) -> &[GoalId] {
        &self.roots
    }
}

/// Looks for the nearest goals in front of a place.
struct Builder<'a> {
    methods: &'a MethodTable,
    /// Goals on the edge of an outcome.
    goals_of: Vec<Vec<GoalId>>,
    call_dependences: bool,
    seen_outcomes: FixedBitSet,
    seen_methods: FixedBitSet,
    pending: Vec<OutcomeId>,
    pending_entries: Vec<MethodIndex>,
    /// What was found, ascending.
    parents: Vec<GoalId>,
}

impl<'a> Builder<'a> {
    fn new(methods: &'a MethodTable, goals: &GoalSet, call_dependences: bool) -> Self {
        let mut goals_of: Vec<Vec<GoalId>> = Vec::new();
        for (id, goal) in goals.ids().zip(goals.goals()) {
            if let Some(outcome) = goal.outcome {
                if goals_of.len() <= outcome.index() {
                    goals_of.resize_with(outcome.index() + 1, Vec::new);
                }
                goals_of[outcome.index()].push(id);
            }
        }
        Self {
            methods,
            goals_of,
            call_dependences,
            seen_outcomes: FixedBitSet::new(),
            seen_methods: FixedBitSet::with_capacity(methods.methods().len()),
            pending: Vec::new(),
            pending_entries: Vec::new(),
            parents: Vec::new(),
        }
    }

    /// Collects the parents of a place into `parents`; whether a way leads there that passes no goal.
    fn find_parents(&mut self, method: MethodIndex, controlled_by: &[OutcomeId]) -> bool {
        self.parents.clear();
        self.seen_outcomes.clear();
        self.seen_methods.clear();
        self.depend_on(method, controlled_by);
        let mut is_root = false;
        loop {
            if let Some(outcome) = self.pending.pop() {
                self.visit_outcome(outcome);
            } else if let Some(method) = self.pending_entries.pop() {
                is_root |= self.visit_entry(method);
            } else {
                break;
            }
        }
        self.parents.sort_unstable();
        self.parents.dedup();
        is_root
    }

    fn depend_on(&mut self, method: MethodIndex, controlled_by: &[OutcomeId]) {
        if controlled_by.is_empty() {
            self.pending_entries.push(method);
        } else {
            self.pending.extend_from_slice(controlled_by);
        }
    }

    fn visit_outcome(&mut self, outcome: OutcomeId) {
        self.seen_outcomes.grow(outcome.index() + 1);
        if self.seen_outcomes.put(outcome.index()) {
            return;
        }
        match self.goals_of.get(outcome.index()) {
            Some(goals) if !goals.is_empty() => self.parents.extend_from_slice(goals),
            _ => {
                if let Some(branch) = self.methods.branch(outcome) {
                    self.depend_on(branch.method, &branch.controlled_by);
                }
            }
        }
    }

    /// Whether the method can be entered without passing a goal, as far as is known.
    fn visit_entry(&mut self, method: MethodIndex) -> bool {
        if self.seen_methods.put(method.index()) {
            return false;
        }
        let sites = &self.methods.method(method).call_sites;
        if !self.call_dependences || sites.is_empty() {
            return true;
        }
        for site in sites {
            self.depend_on(site.caller, &site.controlled_by);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criterion::goals;
    use crate::sample::ProgramBuilder;

    /// One line per goal: `name: parents`, roots marked with `*`.
    fn draw(program: &ProgramBuilder, criteria: &[&str], call_dependences: bool) -> String {
        let maps = program.build();
        let goals = goals(criteria, &maps).unwrap();
        let graph = GoalGraph::new(&maps, &goals, call_dependences);
        let short = |id: GoalId| {
            let name = goals.goal(id).to_string();
            name.split_once('#').unwrap().1.replace("()V@", " ")
        };
        let mut drawn = Vec::new();
        for id in goals.ids() {
            let star = if graph.roots().contains(&id) { "*" } else { " " };
            let parents: Vec<_> = graph.parents(id).iter().map(|&parent| short(parent)).collect();
            drawn.push(format!("{star} {}: {}", short(id), parents.join(", ")));
            for parent in graph.parents(id) {
                assert!(graph.children(*parent).contains(&id));
            }
        }
        drawn.join("\n")
    }

    /// The program of the paper's Figure 3.
    fn figure_3() -> ProgramBuilder {
        let mut program = ProgramBuilder::new("Example");
        let mut example = program.method("example");
        let (a_is_b, _) = example.branch(&[]);
        let (a_above_c, not_above) = example.branch(&[a_is_b]);
        let (b_is_c, _) = example.branch(&[]);
        example
            .line(1, &[])
            .line(2, &[a_is_b])
            .line(3, &[a_above_c])
            .line(5, &[not_above])
            .line(7, &[b_is_c]);
        program
    }

    #[test]
    fn nested_branches_depend_on_the_outcome_that_leads_to_them() {
        insta::assert_snapshot!(draw(&figure_3(), &["branch"], false), @r"
        * example 0:0: 
        * example 0:1: 
          example 1:0: example 0:0
          example 1:1: example 0:0
        * example 2:0: 
        * example 2:1: 
        ");
    }

    #[test]
    fn lines_depend_on_the_branch_goals_that_control_them() {
        insta::assert_snapshot!(draw(&figure_3(), &["branch", "line"], false), @r"
        * example 0:0: 
        * example 0:1: 
          example 1:0: example 0:0
          example 1:1: example 0:0
        * example 2:0: 
        * example 2:1: 
        * example line1: 
          example line2: example 0:0
          example line3: example 1:0
          example line5: example 1:1
          example line7: example 2:0
        ");
    }

    #[test]
    fn without_branch_goals_lines_are_roots() {
        insta::assert_snapshot!(draw(&figure_3(), &["line"], false), @r"
        * example line1: 
        * example line2: 
        * example line3: 
        * example line5: 
        * example line7: 
        ");
    }

    #[test]
    fn outcomes_without_a_goal_are_passed_through() {
        let mut program = ProgramBuilder::new("Example");
        let mut method = program.method("m");
        let (outer, _) = method.branch(&[]);
        let (made, _) = method.branch(&[outer]);
        method.compiler_made_outcome(0);
        let (root_made, _) = method.branch(&[]);
        method.compiler_made_outcome(0).compiler_made_outcome(1);
        method.branch(&[made]);
        method.branch(&[made, root_made]);
        insta::assert_snapshot!(draw(&program, &["branch"], false), @r"
        * m 0:0: 
        * m 0:1: 
          m 1:1: m 0:0
          m 3:0: m 0:0
          m 3:1: m 0:0
        * m 4:0: m 0:0
        * m 4:1: m 0:0
        ");
    }

    fn calls() -> ProgramBuilder {
        let mut program = ProgramBuilder::new("Example");
        let mut run = program.method("run");
        let (valid, _) = run.branch(&[]);
        run.call("helper", &[valid]);
        let mut helper = program.method("helper");
        helper.private();
        helper.branch(&[]);
        helper.call("deep", &[]);
        program.method("deep").private();
        program.method("nobody").private();
        program.method("open").call("shared", &[]);
        let mut shared = program.method("shared");
        shared.private().branch(&[]);
        program.method("run").call("shared", &[valid]);
        program
    }

    #[test]
    fn call_dependences_lead_into_internal_methods() {
        insta::assert_snapshot!(draw(&calls(), &["branch"], true), @r"
        * run 0:0: 
        * run 0:1: 
          helper 0:0: run 0:0
          helper 0:1: run 0:0
          deep entry: run 0:0
        * nobody entry: 
        * open entry: 
        * shared 0:0: run 0:0
        * shared 0:1: run 0:0
        ");
    }

    #[test]
    fn without_call_dependences_every_method_starts_with_roots() {
        insta::assert_snapshot!(draw(&calls(), &["branch"], false), @r"
        * run 0:0: 
        * run 0:1: 
        * helper 0:0: 
        * helper 0:1: 
        * deep entry: 
        * nobody entry: 
        * open entry: 
        * shared 0:0: 
        * shared 0:1: 
        ");
    }

    #[test]
    fn goals_in_a_circle_get_a_root() {
        let mut program = ProgramBuilder::new("Example");
        program.method("m").branch(&[OutcomeId(2)]);
        program.method("m").branch(&[OutcomeId(0)]);
        let mut odd = program.method("odd");
        odd.private().call("even", &[]);
        program.method("even").private().call("odd", &[]);
        insta::assert_snapshot!(draw(&program, &["branch"], true), @r"
        * m 0:0: m 1:0
          m 0:1: m 1:0
          m 1:0: m 0:0
          m 1:1: m 0:0
        * odd entry: 
        * even entry: 
        ");
    }
}
