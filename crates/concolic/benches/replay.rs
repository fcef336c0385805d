//! Replays of paths of 10,000 conditions: numbers of an array, characters of a text, and the same decisions with objects and calls
//! between them. "as constants" is the same work without inputs.

use std::hint::black_box;
use std::sync::Arc;

use ::criterion::{Criterion, Throughput, criterion_group, criterion_main};
use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use concolic::interpreter::{
    Code, Concrete, End, Heap, Interpreter, Limits, MethodName, Outside, Replay, Slot, sort_of,
};
use concolic::term::{InputId, Terms};

const SOURCES: &str = r"
//- /p/Paths.java
package p;
public class Paths {
    interface Visitor { void visit(int value); }
    static class Counter implements Visitor {
        private int negative, small, other;
        public void visit(int value) {
            if (value < 0) negative++;
            else if (value < 10) small++;
            else other++;
        }
        int total() { return negative + small * 3 + other * 7; }
    }
    static int numbers(int[] values) {
        int found = 0;
        for (int i = 0; i < values.length; i++) {
            if (values[i] > 100) found++;
            else if ((values[i] & 1) == 0) found += 2;
        }
        return found;
    }
    static int letters(String text) {
        int state = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'a' && c <= 'z') state = state * 31 + c;
            else state = -state;
        }
        return state;
    }
    static int objects(int[] values) {
        Counter counter = new Counter();
        Visitor visitor = counter;
        for (int value : values) visitor.visit(value);
        return counter.total();
    }
}
";

/// Elements and characters, each of which decides two branches.
const LENGTH: u32 = 5_000;

/// What the bench replays does not ask for anything.
#[derive(Debug)]
struct Nothing;

impl Outside for Nothing {
    fn is_initialized(&mut self, _: &ClassName) -> Option<bool> {
        Some(true)
    }
}

fn element(index: u32) -> i32 {
    (index * 37 % 100) as i32
}

/// The argument of a method, with or without inputs in it.
fn argument(parameter: &str, has_inputs: bool, terms: &mut Terms, heap: &mut Heap) -> Slot {
    if parameter != "[I" {
        let units: Arc<[u16]> = (0..LENGTH).map(|index| u16::from(b'a') + (index % 26) as u16).collect();
        let term = has_inputs.then(|| terms.input(InputId(0), concolic::term::Sort::Text));
        return Slot::reference(heap.text(units, term));
    }
    let int = PrimitiveType::Int;
    let slots: Vec<Slot> = (0..LENGTH)
        .map(|index| {
            let term = has_inputs.then(|| terms.input(InputId(index), sort_of(int)));
            Slot { concrete: Concrete::Int(element(index)), term }
        })
        .collect();
    Slot::reference(heap.array_of(ErasedType::Primitive(int), &slots))
}

fn replay(
    hierarchy: &ClassHierarchy,
    code: &Arc<Code>,
    name: &str,
    parameter: &str,
    has_inputs: bool,
) -> Replay {
    let (mut terms, mut heap) = (Terms::new(), Heap::default());
    let argument = argument(parameter, has_inputs, &mut terms, &mut heap);
    let descriptor = format!("({parameter})I");
    let method =
        MethodName { class: ClassName::new("p/Paths"), name: name.into(), descriptor: descriptor.into() };
    Interpreter::new(&mut terms, hierarchy, &mut Nothing, heap, Limits::default())
        .with_code(code.clone())
        .replay(&method, vec![argument])
}

fn paths(criterion: &mut Criterion) {
    let hierarchy = fixture::compile(SOURCES).hierarchy();
    let code = Arc::<Code>::default();
    let mut group = criterion.benchmark_group("path of 10,000 conditions");
    group.sample_size(10);
    for (name, parameter) in [("numbers", "[I"), ("letters", "Ljava/lang/String;"), ("objects", "[I")] {
        let run = || replay(&hierarchy, &code, name, parameter, true);
        let first = run();
        assert!(matches!(first.end, End::Returned(_)), "{name}: {:?}", first.end);
        assert!(
            first.conditions.len() >= 2 * LENGTH as usize,
            "{name}: {} conditions",
            first.conditions.len()
        );
        group.throughput(Throughput::Elements(first.steps));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(run())));
        group.bench_function(format!("{name} as constants"), |bencher| {
            bencher.iter(|| black_box(replay(&hierarchy, &code, name, parameter, false)));
        });
    }
    group.finish();
}

criterion_group!(benches, paths);
criterion_main!(benches);
