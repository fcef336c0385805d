//! What a test implements itself, in test clusters of compiled fixtures, as text: see the tests of clusters.

use crate::sections::check;
use crate::sources::{CALLBACKS, SKETCH, STEPS};

#[test]
fn tests_implement_what_nothing_on_the_class_path_does() {
    check(
        STEPS,
        "p/Steps",
        &[
            "Steps.Step<String, ? extends List<Integer>>",
            "Callable<?>",
            "Steps.Both<? super String>",
            "Steps.Narrow",
            "Steps.Base<String>",
            "Half",
            "Whole<String>",
            "Steps.Closed",
            "Steps.Visitor",
            "Iterator<Integer>",
        ],
        "
Steps.Step<String, ? extends List<Integer>>
  = lambda Steps.Step<String, List<Integer>> {apply(String): List<Integer>}
Callable<?>
  = any Steps.Narrow
  = lambda Callable<String> {call(): String}
  ~ Callable<?>.call(): Object
Steps.Both<? super String>
  = stub Steps.Both<String> {compare(String, String): int; name(): String}
  ~ Steps.Named.name(): String
  ? Steps.Both<? super String>.name(): String
Steps.Narrow
  = lambda Steps.Narrow {call(): Integer}
Whole<String>
  = stub Whole<String>(String, String[]) {all(String): Map<String, Integer>; next(String[]): String}
  ~ Whole<String>.all(String): Map<String, Integer>
  ? Whole<String>.last: String
Steps.Base<String>
  = stub Steps.Base<String>(int) {apply(String): List<String>; hidden(); key(): String; toString(): String}
  = stub Steps.Base<String>(String, List<? super String>) {apply(String): List<String>; hidden(); key(): String; toString(): String}
  ~ Steps.Base<String>.run()
  ? Steps.Base<String>.toString(): String
  ? Steps.Base<String>.key(): String cast Ljava/lang/String;
Steps.Closed
  ? Steps.Closed.size(): int
Steps.Visitor
  = stub Steps.Visitor {visit(Object): Object}
Iterator<Integer>
  = List<Integer>.iterator(): Iterator<Integer>
  = static Collections.<Integer>emptyIterator(): Iterator<Integer>
  = stub Iterator<Integer> {hasNext(): boolean; next(): Integer}
  ~ Iterator<Integer>.next(): Integer cast Ljava/lang/Integer;
  ~ Iterator<Integer>.remove()
  ? Iterator<Integer>.hasNext(): boolean
! no value of type q.Half can be made; only null is passed
! no value of type p.Steps$Closed can be made; only null is passed
! no value of type p.Steps$Marker can be made; only null is passed
",
    );
}

#[test]
fn an_abstract_class_under_test_is_implemented_by_the_test() {
    check(
        SKETCH,
        "p/Sketch",
        &["test calls", "Sketch<String>", "Sketch.Shape"],
        "
test calls
  * Sketch<String>.init()
    Sketch<Integer>.init()
    Sketch<Object>.init()
  * Sketch<String>.count(): int
    Sketch<Integer>.count(): int
    Sketch<Object>.count(): int
  * Sketch.Shape.isFlat(): boolean
  * stub Sketch<String>(int) {accepts(String): boolean; make(int): String}
    stub Sketch<Integer>(int) {accepts(Integer): boolean; make(int): Integer}
    stub Sketch<Object>(int) {accepts(Object): boolean; make(int): Object}
  * stub Sketch<String>(Sketch<String>) {accepts(String): boolean; make(int): String}
    stub Sketch<Integer>(Sketch<Integer>) {accepts(Integer): boolean; make(int): Integer}
    stub Sketch<Object>(Sketch<Object>) {accepts(Object): boolean; make(int): Object}
Sketch<String>
  = stub Sketch<String>(int) {accepts(String): boolean; make(int): String}
  = stub Sketch<String>(Sketch<String>) {accepts(String): boolean; make(int): String}
  ~ Sketch<String>.init()
  ~ Sketch<String>.count(): int
  ? Sketch<String>.count(): int
Sketch.Shape
  = lambda Sketch.Shape {area(): double}
  ~ Sketch.Shape.isFlat(): boolean
  ? Sketch.Shape.isFlat(): boolean
",
    );
}

const SIGNER: &str = r"//- /p/Signer.java
package p;
public class Signer {
    public static String sign(java.security.KeyPair pair) { return pair.getPrivate().getAlgorithm(); }
}
";

#[test]
fn keys_of_a_pair_are_implemented() {
    check(
        SIGNER,
        "p/Signer",
        &["KeyPair", "PublicKey"],
        "
KeyPair
  = new KeyPair(PublicKey, PrivateKey)
PublicKey
  = stub PublicKey {getAlgorithm(): String; getEncoded(): byte[]; getFormat(): String}
",
    );
}

#[test]
fn a_stub_calls_what_the_code_under_test_hands_to_it() {
    check(
        CALLBACKS,
        "p/Bank",
        &["Transactions", "Store<Integer>", "Wire"],
        "
Transactions
  = stub Transactions {within(Transactions.Work): Object as String calling Transactions.Work.on(Transactions.Status): Object}
  ~ Transactions.<String>within(Transactions.Work<String>): String cast Ljava/lang/String;
Store<Integer>
  = lambda Store<Integer> {each(BiConsumer<? super String, ? super Integer>): int calling BiConsumer<String, Integer>.accept(String, Integer)}
  ~ Store<Integer>.each(BiConsumer<? super String, ? super Integer>): int
Wire
  = stub Wire {keep(List<String>); open(String, Wire.Listener) calling Wire.Listener.closed(int, Throwable): boolean or Wire.Listener.opened(String); start(Runnable) calling Runnable.run(); weigh(Comparable<Bank>)}
  ~ Wire.open(String, Wire.Listener)
  ~ Wire.start(Runnable)
  ~ Wire.weigh(Comparable<Bank>)
  ~ Wire.keep(List<String>)
",
    );
}

/// A class that wraps an object of the interface that it implements, which nothing else on the class path does.
const WRAPPER: &str = r"//- /p/Traced.java
package p;
import javax.management.*;
public class Traced implements DynamicMBean {
    private final DynamicMBean of;
    public Traced(DynamicMBean of) { this.of = of; }
    public static Traced tracing(DynamicMBean of) { return new Traced(of); }
    public Object getAttribute(String name) throws AttributeNotFoundException, MBeanException, ReflectionException { return of.getAttribute(name); }
    public void setAttribute(Attribute attribute) { }
    public AttributeList getAttributes(String[] names) { return of.getAttributes(names); }
    public AttributeList setAttributes(AttributeList attributes) { return null; }
    public Object invoke(String action, Object[] passed, String[] signature) { return null; }
    public MBeanInfo getMBeanInfo() { return null; }
}
";

#[test]
fn what_only_wraps_objects_of_its_interface_leaves_that_to_the_test() {
    check(
        WRAPPER,
        "p/Traced",
        &["DynamicMBean"],
        "
DynamicMBean
  = any Traced
  = stub DynamicMBean {getAttribute(String): Object; getAttributes(String[]): AttributeList; 4 silent}
",
    );
}
