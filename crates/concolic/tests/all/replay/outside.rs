//! What replays ask for: objects from before, what other code may have changed, what nobody knows.

use bytecode::name::ClassName;
use concolic::interpreter::{
    Call, Concrete, End, Heap, Interpreter, Limits, MethodName, ObjectId, Outcome, Outside, Replay, Slot, Why,
};
use concolic::term::{InputId, Sort, Terms};

const SOURCES: &str = r"
//- /p/Nodes.java
package p;
public class Nodes {
    static class Node { int value; Node next; }
    static int limit = 3;
    static int first(Node n) {
        if (n == null) return 0;
        return n.value == 12 ? 1 : 2;
    }
    static int second(Node n) { return n.next.value; }
    static int touched(int x) {
        Node n = new Node();
        n.value = x;
        java.util.Collections.singletonList(n);
        return n.value == 5 ? 1 : 2;
    }
    static int limited(int x) { return x < limit ? 1 : 2; }
    static int element(int[] a) { return a[2] > 7 ? 1 : 2; }
    static int hash(Node n) { return n.hashCode(); }
}
";

/// Answers every read of a kind with the same value; `None` is not known.
#[derive(Debug, Default)]
struct Answers {
    field: Option<Slot>,
    static_field: Option<Slot>,
    element: Option<Slot>,
    hash_code: Option<i32>,
}

impl Outside for Answers {
    fn call(&mut self, call: &Call<'_>, _heap: &mut Heap) -> Option<Outcome> {
        (call.name == "singletonList").then_some(Outcome::Returned(Some(Slot::NULL)))
    }

    fn field(&mut self, _: ObjectId, _: &ClassName, _: &str, _: &mut Heap) -> Option<Slot> {
        self.field
    }

    fn static_field(&mut self, _: &ClassName, _: &str, _: &mut Heap) -> Option<Slot> {
        self.static_field
    }

    fn element(&mut self, _: ObjectId, _: i32, _: &mut Heap) -> Option<Slot> {
        self.element
    }

    fn is_initialized(&mut self, _: &ClassName) -> Option<bool> {
        Some(true)
    }

    fn identity_hash_code(&mut self, _: ObjectId) -> Option<i32> {
        self.hash_code
    }
}

/// Replays a method with one argument and says how it ended and how many conditions it met.
fn replay(method: &str, make: impl FnOnce(&mut Terms, &mut Heap) -> (Slot, Answers)) -> Replay {
    let hierarchy = fixture::compile(SOURCES).hierarchy();
    let (mut terms, mut heap) = (Terms::new(), Heap::default());
    let (argument, mut answers) = make(&mut terms, &mut heap);
    let (name, descriptor) = method.split_at(method.find('(').expect("a descriptor"));
    let class = ClassName::new("p/Nodes");
    let method = MethodName { class, name: name.into(), descriptor: descriptor.into() };
    let interpreter = Interpreter::new(&mut terms, &hierarchy, &mut answers, heap, Limits::default());
    interpreter.replay(&method, vec![argument])
}

fn int_input(terms: &mut Terms, value: i32) -> Slot {
    Slot { concrete: Concrete::Int(value), term: Some(terms.input(InputId(0), Sort::Bits(32))) }
}

fn check(replay: &Replay, result: i32, conditions: usize) {
    assert_eq!(replay.end, End::Returned(Some(Slot::int(result))));
    assert_eq!(replay.conditions.len(), conditions, "{:?}", replay.conditions);
}

fn node(heap: &mut Heap) -> Slot {
    Slot::reference(heap.seen(ClassName::new("p/Nodes$Node")))
}

#[test]
fn inputs_may_lie_in_fields_and_be_null() {
    let found = replay("first(Lp/Nodes$Node;)I", |terms, heap| {
        let is_null = terms.input(InputId(1), Sort::Bool);
        let argument = Slot { term: Some(is_null), ..node(heap) };
        (argument, Answers { field: Some(int_input(terms, 12)), ..Answers::default() })
    });
    check(&found, 1, 2);
    let null = replay("first(Lp/Nodes$Node;)I", |terms, _| {
        let is_null = terms.input(InputId(1), Sort::Bool);
        (Slot { term: Some(is_null), ..Slot::NULL }, Answers::default())
    });
    check(&null, 0, 1);
}

#[test]
fn what_other_code_had_is_asked_for_again_and_keeps_its_term_if_it_is_the_same() {
    let touched = |now: i32| {
        replay("touched(I)I", |terms, _| {
            (int_input(terms, 5), Answers { field: Some(Slot::int(now)), ..Answers::default() })
        })
    };
    check(&touched(5), 1, 1);
    check(&touched(6), 2, 0);
}

#[test]
fn static_fields_elements_and_hash_codes_come_from_outside() {
    let limited = replay("limited(I)I", |terms, _| {
        (int_input(terms, 1), Answers { static_field: Some(Slot::int(3)), ..Answers::default() })
    });
    check(&limited, 1, 1);
    let element = replay("element([I)I", |terms, heap| {
        let int = bytecode::descriptor::ErasedType::parse("I").expect("a descriptor");
        let array = heap.seen_array(int, Slot::int(4));
        (Slot::reference(array), Answers { element: Some(int_input(terms, 8)), ..Answers::default() })
    });
    check(&element, 1, 1);
    let hash = replay("hash(Lp/Nodes$Node;)I", |_, heap| {
        (node(heap), Answers { hash_code: Some(77), ..Answers::default() })
    });
    check(&hash, 77, 0);
}

#[test]
fn what_nobody_knows_ends_the_replay_with_its_reason() {
    let unknown = |method: &str, make: fn(&mut Heap) -> Slot| {
        replay(method, |_, heap| (make(heap), Answers::default())).end
    };
    let class = ClassName::new("p/Nodes$Node");
    let field = Why::Field(class, "next".into());
    assert_eq!(unknown("second(Lp/Nodes$Node;)I", node), End::Unknown(field));
    let limit = Why::StaticField(ClassName::new("p/Nodes"), "limit".into());
    assert_eq!(unknown("limited(I)I", |_| Slot::int(1)), End::Unknown(limit));
    assert_eq!(unknown("hash(Lp/Nodes$Node;)I", node), End::Unknown(Why::IdentityHashCode));
}
