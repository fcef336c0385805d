//! Runs the methods of the sources under models of their inputs.

use std::collections::{BTreeSet, VecDeque};

use bytecode::descriptor::{ErasedType, MethodDescriptor, PrimitiveType};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use concolic::interpreter::{
    Call, Concrete, End, Heap, Interpreter, Limits, MethodName, Outcome, Outside, PathCondition, Replay,
    Slot, Way, sort_of,
};
use concolic::solver::{Answer, Limits as Effort, Query, SOLVERS, Solving};
use concolic::term::{InputId, Model, Sort, TermId, Terms, Value};

use crate::replay::cases::SOURCES;

/// Replays of one method that an exploration may make.
const MOST_REPLAYS: usize = 120;

/// Inputs of the elements of an array parameter lie behind those of parameters.
const ELEMENTS: u32 = 100;

/// Knows square roots, and that nothing was initialized before.
#[derive(Debug)]
struct Table;

impl Outside for Table {
    fn call(&mut self, call: &Call<'_>, _heap: &mut Heap) -> Option<Outcome> {
        match (call.class.as_str(), call.name, call.arguments) {
            ("java/lang/Math", "sqrt", [Slot { concrete: Concrete::Double(value), .. }]) => {
                Some(Outcome::Returned(Some(Slot::of(Concrete::Double(value.sqrt())))))
            }
            _ => None,
        }
    }

    fn is_initialized(&mut self, _: &ClassName) -> Option<bool> {
        Some(false)
    }
}

/// The sources as compilers for Java 8 and 17 write them: strings are concatenated by builders and by `invokedynamic`.
pub(crate) struct Subject {
    hierarchies: Vec<ClassHierarchy>,
}

impl Subject {
    pub(crate) fn compile() -> Self {
        let releases = ["8", "17"];
        let compiled = releases.map(|release| fixture::compile_with(SOURCES, &["-g", "--release", release]));
        Self { hierarchies: compiled.iter().map(fixture::Compiled::hierarchy).collect() }
    }

    /// The inputs that arguments are, in the order of the parameters.
    pub(crate) fn model(method: &str, arguments: &[&str]) -> Model {
        let mut model = Model::new();
        for ((parameter, argument), number) in parameters(method).iter().zip(arguments).zip(0..) {
            match parameter {
                ErasedType::Primitive(primitive) => {
                    model.set(InputId(number), primitive_of(*primitive, argument));
                }
                ErasedType::Class(_) => model.set(InputId(number), Value::text(argument)),
                ErasedType::Array(_) => {
                    let numbers: Vec<i32> =
                        argument.split(' ').map(|number| number.parse().expect("a number")).collect();
                    for (value, index) in numbers.iter().zip(ELEMENTS..) {
                        model.set(InputId(index), Value::int(*value));
                    }
                }
            }
        }
        model
    }

    /// Replays a method as the compiler for Java 17 wrote it.
    pub(crate) fn replay(&self, method: &str, model: &Model, limits: Limits) -> (Replay, Terms) {
        let mut terms = Terms::new();
        let replay = replay(&self.hierarchies[1], method, model, limits, &mut terms);
        (replay, terms)
    }

    /// How a method ends; the same whichever compiler wrote it.
    pub(crate) fn result(&self, method: &str, model: &Model) -> String {
        let results: Vec<String> = self
            .hierarchies
            .iter()
            .map(|hierarchy| text(&replay(hierarchy, method, model, Limits::default(), &mut Terms::new())))
            .collect();
        assert_eq!(results[0], results[1], "{method}");
        results[0].clone()
    }
}

fn parameters(method: &str) -> Vec<ErasedType> {
    let (_, descriptor) = split(method);
    MethodDescriptor::parse(descriptor).expect("a descriptor").parameters
}

fn split(method: &str) -> (&str, &str) {
    method.split_at(method.find('(').expect("a descriptor"))
}

fn primitive_of(primitive: PrimitiveType, argument: &str) -> Value {
    match sort_of(primitive) {
        Sort::Bool => Value::Bool(argument == "true"),
        Sort::Bits(16) => Value::bits(16, argument.encode_utf16().next().expect("a character").into()),
        Sort::Bits(width) => Value::bits(width, argument.parse::<i64>().expect("a number") as u64),
        Sort::Float => Value::Float(argument.parse().expect("a number")),
        Sort::Double => Value::Double(argument.parse().expect("a number")),
        Sort::Text => Value::text(argument),
    }
}

fn slot_of(terms: &mut Terms, input: InputId, primitive: PrimitiveType, model: &Model) -> Slot {
    let value = model.get(input).cloned().unwrap_or_else(|| Value::zero(sort_of(primitive)));
    let concrete = match (&value, primitive) {
        (Value::Bool(truth), _) => Concrete::Int((*truth).into()),
        (Value::Bits { .. }, PrimitiveType::Long) => Concrete::Long(value.signed()),
        (Value::Bits { .. }, PrimitiveType::Char) => Concrete::Int(value.unsigned() as i32),
        (Value::Bits { .. }, _) => Concrete::Int(value.signed() as i32),
        (Value::Float(value), _) => Concrete::Float(*value),
        (Value::Double(value), _) => Concrete::Double(*value),
        (Value::Text(_), _) => panic!("a text is no primitive value"),
    };
    Slot::input(terms, input, primitive, concrete)
}

fn replay(
    hierarchy: &ClassHierarchy,
    method: &str,
    model: &Model,
    limits: Limits,
    terms: &mut Terms,
) -> Replay {
    let mut heap = Heap::default();
    let mut arguments = Vec::new();
    for (parameter, number) in parameters(method).iter().zip(0..) {
        let input = InputId(number);
        arguments.push(match parameter {
            ErasedType::Primitive(primitive) => slot_of(terms, input, *primitive, model),
            ErasedType::Class(_) => {
                let term = terms.input(input, Sort::Text);
                let units = model.get(input).map_or(Vec::new(), |value| value.units().to_vec());
                Slot::reference(heap.text(units.into(), Some(term)))
            }
            ErasedType::Array(element) => {
                let count = model.values().filter(|(input, _)| input.0 >= ELEMENTS).count() as u32;
                let elements: Vec<Slot> = (0..count)
                    .map(|index| slot_of(terms, InputId(ELEMENTS + index), PrimitiveType::Int, model))
                    .collect();
                Slot::reference(heap.array_of((**element).clone(), &elements))
            }
        });
    }
    let (name, descriptor) = split(method);
    let method =
        MethodName { class: ClassName::new("p/Puzzles"), name: name.into(), descriptor: descriptor.into() };
    Interpreter::new(terms, hierarchy, &mut Table, heap, limits).replay(&method, arguments)
}

fn text(replay: &Replay) -> String {
    match &replay.end {
        End::Returned(Some(Slot { concrete: Concrete::Int(value), .. })) => value.to_string(),
        End::Returned(Some(Slot { concrete: Concrete::Long(value), .. })) => value.to_string(),
        End::Threw { class, .. } => class.base_name().rsplit('$').next().expect("a name").to_owned(),
        other => format!("{other:?}"),
    }
}

/// Whether a replay went the other way at a branch. A switch and a pinned value have more than two ways.
fn takes_other_way(condition: &PathCondition, negated: TermId, again: &Replay) -> bool {
    let holds = |term: TermId| again.conditions.iter().any(|it| it.term == term && it.site == condition.site);
    let is_opposite_noted = match condition.way {
        Way::Jumped | Way::FellThrough | Way::Completed | Way::Threw => holds(negated),
        Way::Case(_) | Way::Default | Way::Pinned => true,
    };
    is_opposite_noted && !holds(condition.term)
}

/// What negating conditions led to, breadth first.
pub(crate) struct Explored {
    pub(crate) results: BTreeSet<String>,
    /// Models under which the replay did not take the way that was asked for.
    pub(crate) strayed: u32,
}

impl Explored {
    pub(crate) fn new(subject: &Subject, method: &str, arguments: &[&str]) -> Self {
        let mut terms = Terms::new();
        let mut solving = Solving::new(&SOLVERS[0]);
        let mut explored = Self { results: BTreeSet::new(), strayed: 0 };
        let mut tried: BTreeSet<Vec<TermId>> = BTreeSet::new();
        let mut open = VecDeque::from([Subject::model(method, arguments)]);
        for _ in 0..MOST_REPLAYS {
            let Some(model) = open.pop_front() else { break };
            let run = replay(&subject.hierarchies[1], method, &model, Limits::default(), &mut terms);
            explored.results.insert(text(&run));
            let path: Vec<TermId> = run.conditions.iter().map(|condition| condition.term).collect();
            for PathCondition { term, site, .. } in &run.conditions {
                assert_eq!(terms.value(*term, &model), Value::Bool(true), "{method} {site:?} {model:?}");
            }
            for position in 0..path.len() {
                let negated = terms.not(path[position]);
                let query: Vec<TermId> = path[..position].iter().copied().chain([negated]).collect();
                if !tried.insert(query.clone()) {
                    continue;
                }
                let limits = Effort::default();
                let answer =
                    solving.solve(&Query { terms: &terms, conditions: &query, seed: &model, limits });
                if let Answer::Model(found) = answer {
                    let again =
                        replay(&subject.hierarchies[1], method, &found, Limits::default(), &mut terms);
                    if !takes_other_way(&run.conditions[position], negated, &again) {
                        explored.strayed += 1;
                    }
                    open.push_back(found);
                }
            }
        }
        explored
    }
}
