//! How far test clusters of compiled fixtures reach, as text: see the tests of clusters.

use bytecode::descriptor::ErasedType;
use testcase::cluster::build::{ClusterOptions, ClusterRequest, Mockable, build};
use testcase::cluster::{StaticConstants, TypeId};

use crate::sections::{check, cluster, sections};

#[test]
fn objects_are_passed_to_what_takes_them() {
    check(
        r"
//- /p/Leaf.java
package p;
public class Leaf extends Part {
    public boolean isAttached() { return tree != null; }
}
//- /p/Part.java
package p;
public class Part { protected Tree tree; }
//- /p/Tree.java
package p;
public class Tree {
    public void hang(int at, Part part) { part.tree = this; }
    public void attach(Leaf leaf) { leaf.tree = this; }
    public static void cut(Leaf leaf) { leaf.tree = null; }
    public void take(Object any) { }
    private void hide(Leaf leaf) { }
}
",
        "p/Leaf",
        &["Leaf"],
        "
Leaf
  = new Leaf()
  ~ Leaf.isAttached(): boolean
  ~ Tree.attach(Leaf)
  ~ static Tree.cut(Leaf)
  ~ Tree.hang(int, Part)
  ? Leaf.isAttached(): boolean
",
    );
}

#[test]
fn values_that_cannot_be_changed_are_derived_and_built() {
    check(
        r"
//- /p/Page.java
package p;
public class Page { public Page(Style style, Pen pen) { } }
//- /p/Style.java
package p;
public final class Style {
    public static final Style PLAIN = new Style(0);
    private final int width;
    private Style(int width) { this.width = width; }
    public int getWidth() { return width; }
    public Style wider(int by) { return new Style(width + by); }
    @Deprecated public Style old() { return this; }
    public static final class Builder {
        private int width;
        public Builder width(int width) { this.width = width; return this; }
        public Style build() { return new Style(width); }
        public Style like(Style other) { return other; }
    }
}
//- /p/Pen.java
package p;
public class Pen {
    private int width;
    public Pen wider(int by) { width += by; return this; }
}
",
        "p/Page",
        &["Style", "Style.Builder", "Pen"],
        "
Style
  = Style.PLAIN: Style
  = Style.wider(int): Style
  = Style.Builder.build(): Style
  ? Style.getWidth(): int
Pen
  = new Pen()
  ~ Pen.wider(int): Pen
Style.Builder
  = new Style.Builder()
  ~ Style.Builder.width(int): Style.Builder
  ~ Style.Builder.build(): Style
  ~ Style.Builder.like(Style): Style
",
    );
}

#[test]
fn views_of_views_are_reached_through_what_the_platform_declares() {
    check(
        r"
//- /p/Table.java
package p;
import java.util.*;
public class Table {
    public Map<String, Integer> rows() { return new Rows(); }
    private static class Rows extends Views {
        @Override Collection<Integer> make() { return new Cells(); }
        @Override public Set<Map.Entry<String, Integer>> entrySet() { return Collections.emptySet(); }
    }
    private static class Cells extends AbstractCollection<Integer> {
        @Override public int size() { return 1; }
        @Override public Iterator<Integer> iterator() { return null; }
    }
}
//- /p/Views.java
package p;
import java.util.*;
abstract class Views extends AbstractMap<String, Integer> {
    abstract Collection<Integer> make();
    @Override public Collection<Integer> values() { return make(); }
}
",
        "p/Table",
        &["test calls"],
        "
test calls
  * new Table()
  * Table.rows(): Map<String, Integer>
  * Map<String, Integer>.values(): Collection<Integer>
  * Map<String, Integer>.entrySet(): Set<Map.Entry<String, Integer>>
  * Collection<Integer>.size(): int
  * Collection<Integer>.iterator(): Iterator<Integer>
",
    );
}

#[test]
fn results_bring_new_types_only_up_to_a_number() {
    let sources = r"
//- /p/Start.java
package p;
public class Start { public void use(Tree<String, Integer> tree) {} }
//- /p/Tree.java
package p;
import java.util.*;
public class Tree<A, B> {
    public Tree<B, A> swapped() { return null; }
    public Tree<List<A>, B> listed() { return null; }
    public Tree<Set<A>, B> distinct() { return null; }
    public Tree<Queue<A>, B> queued() { return null; }
    public Tree<Iterator<A>, B> iterated() { return null; }
}
";
    let compiled = fixture::compile(sources);
    let types = |options: ClusterOptions| {
        let request =
            ClusterRequest { class_under_test: "p/Start".into(), goal_classes: vec!["p/Start".into()] };
        let hierarchy = compiled.hierarchy_of_java_8();
        build(&hierarchy, &request, StaticConstants::default(), &[], &options).unwrap().types.len()
    };
    let without = types(ClusterOptions::default());
    let within =
        types(ClusterOptions { max_types: 10, max_types_with_results: 20, ..ClusterOptions::default() });
    assert!(without > 80, "{without}");
    assert!(within <= 50, "{within} of {without}");
}

#[test]
fn what_test_calls_take_is_made_however_many_types_they_name() {
    let methods = |index| format!("static void take{index}(T{index}<? super String> it) {{}}\n");
    let types = |index| format!("interface T{index}<X> {{ int get(X of); }}\n");
    let members: String = (0..300).flat_map(|index| [methods(index), types(index)]).collect();
    let sources = format!("//- /p/Many.java\npackage p;\npublic class Many {{\n{members}}}\n");
    let expect = "Many.T299<? super String>
  = lambda Many.T299<String> {get(String): int}";
    assert_eq!(sections(&cluster(&sources, "p/Many", &[]), &["Many.T299<? super String>"]).trim(), expect);
}

#[test]
fn collections_are_made_however_many_types_there_are() {
    let sources = "//- /p/Desk.java
package p;
class Name { }
class Answer { Answer(java.util.List<Name> names) { } }
public class Desk { int count(Answer answer) { return answer.hashCode(); } }
";
    let options = ClusterOptions { max_types: 0, max_types_with_results: 0, ..ClusterOptions::default() };
    let request = ClusterRequest { class_under_test: "p/Desk".into(), goal_classes: vec!["p/Desk".into()] };
    let hierarchy = fixture::compile(sources).hierarchy_of_java_8();
    let cluster = build(&hierarchy, &request, StaticConstants::default(), &[], &options).unwrap();
    let text = sections(&cluster, &["List<Name>"]);
    assert!(text.contains("= new ArrayList<Name>()"), "{text}");
}

#[test]
fn what_mocks_answer_is_known_however_many_types_came_before() {
    let sources = "//- /p/Desk.java
package p;
class Box { }
class Line {
    Line(java.net.Socket to) { }
    Box next() { return null; }
}
public class Desk { int take(Line line, A a, B b) { return line.next().hashCode(); } static class A { } static class B { } }
";
    let options = ClusterOptions {
        max_types: 1,
        max_types_with_results: 1,
        mockable: Mockable::Open,
        ..ClusterOptions::default()
    };
    let request = ClusterRequest { class_under_test: "p/Desk".into(), goal_classes: vec!["p/Desk".into()] };
    let hierarchy = fixture::compile(sources).hierarchy_of_java_8();
    let cluster = build(&hierarchy, &request, StaticConstants::default(), &[], &options).unwrap();
    let text = sections(&cluster, &["Line"]);
    assert!(text.contains("next(): Box"), "{text}");
}

/// A large interface, a smaller one with a generic method, and what the code under test calls of them.
const WIDE: &str = "
//- /p/Handler.java
package p;
public class Handler {
    public int handle(Request request) { return request.size() + Lengths.of(request); }
    public boolean visit(Visitor visitor) { return visitor.visit(1) == null; }
    public void query(java.sql.Statement statement) throws Exception { statement.execute(\"\"); }
}
//- /p/Lengths.java
package p;
class Lengths { static int of(Request request) { return request.length(); } }
//- /p/Visitor.java
package p;
public interface Visitor { <R extends Number> R visit(R number); void end(); }
//- /p/Request.java
package p;
public interface Request {
    int a(); int b(); int c(); int d(); int e(); int f(); int g(); int h(); int i(); int j(); int k(); int l(); int m();
    int length(); int size(); <T> T get(Class<T> of);
}
";

#[test]
fn of_a_large_interface_what_the_code_calls_gets_a_script() {
    check(
        WIDE,
        "p/Handler",
        &["Request", "Visitor"],
        "
Request
  = stub Request {length(): int; size(): int; 14 silent}
  ~ Request.a(): int
  ~ Request.b(): int
  ~ Request.c(): int
  ~ Request.d(): int
  ~ Request.e(): int
  ~ Request.f(): int
  ~ Request.g(): int
  ~ Request.h(): int
  ~ Request.i(): int
  ~ Request.j(): int
  ~ Request.k(): int
  ~ Request.l(): int
  ~ Request.m(): int
  ~ Request.<String>get(Class<String>): String cast Ljava/lang/String;
  ? Request.length(): int
  ? Request.size(): int
Visitor
  = stub Visitor {end(); visit(Number): Number}
  ~ Visitor.<Integer>visit(Integer): Integer cast Ljava/lang/Integer;
  ~ Visitor.end()
",
    );
}

#[test]
fn of_a_large_interface_more_is_written_down_than_answered() {
    let (getters, commands) = (14, 20);
    let all = |of: &dyn Fn(usize) -> String, count: usize| (0..count).map(of).collect::<String>();
    let source = format!(
        "
//- /p/Panel.java
package p;
public class Panel {{
    public int turn(Device device) {{ {} return {} 0; }}
}}
//- /p/Device.java
package p;
public interface Device {{ {} {} void other(); }}
",
        all(&|number| format!("device.set{number}({number}); "), commands),
        all(&|number| format!("device.get{number}() + "), getters),
        all(&|number| format!("void set{number}(int value); "), commands),
        all(&|number| format!("int get{number}(); "), getters),
    );
    let text = sections(&cluster(&source, "p/Panel", &[]), &["Device"]);
    let stub = text.lines().find(|line| line.contains("stub Device")).unwrap_or_default();
    let count = |name: &str| stub.matches(name).count();
    assert_eq!((count("get"), count("set")), (12, commands), "{text}");
    assert!(stub.contains("3 silent"), "{text}");
}

#[test]
fn what_the_platform_alone_could_implement_is_implemented() {
    let text = sections(&cluster(WIDE, "p/Handler", &[]), &["Statement"]);
    let stub = text.lines().find(|line| line.contains("stub Statement")).unwrap_or_default();
    assert!(stub.contains("execute(String): boolean") && stub.ends_with("silent}"), "{text}");
}

#[test]
fn constants_that_the_code_reads_are_values_of_their_type() {
    check(
        r"
//- /p/Router.java
package p;
public class Router {
    public boolean routes(q.Name name, Object any, ClassLoader loader) {
        return q.Names.GET.equals(name) || any == q.Names.NOTHING || loader == null;
    }
}
//- /q/Name.java
package q;
public class Name { public Name(String text) {} }
//- /q/Names.java
package q;
public interface Names { Name GET = new Name(null); Name PUT = new Name(null); Object NOTHING = new Object(); }
",
        "p/Router",
        &["Name", "ClassLoader"],
        "
Name
  = new Name(String)
  = Names.GET: Name
ClassLoader
  = Class<Router>.getClassLoader(): ClassLoader
",
    );
}

#[test]
fn what_factories_give_under_the_type_of_the_platform_is_called_through_that() {
    check(
        r"
//- /p/Writing.java
package p;
public class Writing extends java.io.Writer {
    private Writing() {}
    public static java.io.Writer of(String text) { return new Writing(); }
    public void write(char[] buffer, int from, int length) {}
    public void flush() {}
    public void close() {}
}
",
        "p/Writing",
        &["test calls"],
        "
test calls
  * static Writing.of(String): Writer
  * Writer.write(char[], int, int)
  * Writer.append(CharSequence): Writer
  * Writer.append(CharSequence, int, int): Writer
  * Writer.append(char): Writer
  * Writer.flush()
  * Writer.close()
",
    );
}

#[test]
fn what_belongs_to_the_release_of_the_jdk_is_not_told_by_its_size() {
    let sources = r"
//- /p/Store.java
package p;
public class Store {
    public java.security.Provider provider() { return null; }
    public java.util.Properties settings() { return null; }
}
";
    let cluster = cluster(sources, "p/Store", &[]);
    for (result, expect) in [("provider", false), ("settings", true)] {
        let callable =
            cluster.callables.iter().find(|callable| *callable.name == *result).expect("it is called");
        let of = callable.result.expect("it gives something");
        let asked = cluster.inspectors(of).iter().any(|id| &*cluster.callable(*id).name == "size");
        assert_eq!((cluster.has_size(of), asked), (expect, expect), "{result}");
    }
}

#[test]
fn what_is_built_when_somebody_looks_is_not_looked_at() {
    let sources = r"
//- /p/Lazy.java
package p;
import java.util.*;
public class Lazy extends AbstractMap<String, String> {
    private String[] keys = new String[4];
    private Map<String, String> map;
    private void build() {
        if (map == null) { map = new HashMap<>(); map.put(keys[0], keys[1]); keys = null; }
    }
    @Override public Set<Entry<String, String>> entrySet() { build(); return map.entrySet(); }
    @Override public int size() { return map == null ? 1 : map.size(); }
    public Plain plain() { return new Plain(); }
}
//- /p/Plain.java
package p;
import java.util.*;
public class Plain extends AbstractMap<String, String> {
    private final Map<String, String> map = new HashMap<>();
    @Override public Set<Entry<String, String>> entrySet() { return map.entrySet(); }
}
";
    let cluster = cluster(sources, "p/Lazy", &[]);
    for (name, expect) in [("p/Lazy", false), ("p/Plain", true)] {
        let class = ErasedType::Class(name.into());
        let of = cluster.types.iter().position(|of| of.erased == class).map(TypeId::from).expect(name);
        let is_asked =
            cluster.telling_inspectors(of).iter().any(|id| &*cluster.callable(*id).name == "isEmpty");
        assert_eq!((cluster.has_size(of), is_asked), (expect, expect), "{name}");
    }
}

#[test]
fn constants_that_called_methods_read_come_behind_those_of_the_code() {
    let fields = |from: char| {
        let names = (0..30).map(|index| format!("public static final Name {from}{index:02} = new Name();"));
        names.collect::<Vec<_>>().join(" ")
    };
    let (first, others) = (fields('A'), fields('B'));
    let sources = format!(
        r"
//- /q/Name.java
package q;
public class Name {{ Name() {{}} {first} {others} }}
//- /q/Book.java
package q;
public class Book {{
    public Object border() {{ return get(Name.B20); }}
    public Object frame() {{ return get(Name.B21); }}
    public Object get(Name name) {{ return null; }}
}}
//- /p/Printer.java
package p;
public class Printer {{
    public boolean prints(q.Book book, q.Name name) {{ return book.get(q.Name.B25) == null || book.border() == null; }}
}}
"
    );
    let cluster = cluster(&sources, "p/Printer", &[]);
    let name = cluster.read_constants.iter().map(|field| cluster.field(*field).name.to_string());
    assert_eq!(name.collect::<Vec<_>>(), ["B25", "B20"]);
}

#[test]
fn subtypes_that_the_code_asks_for_come_before_others() {
    let sub = |index| format!("//- /q/A{index}.java\npackage q;\npublic class A{index} extends Part {{}}");
    let subs = (0..9).map(sub).collect::<Vec<_>>().join("\n");
    let sources = format!(
        "{subs}
//- /q/Part.java
package q;
public abstract class Part {{}}
//- /q/Zone.java
package q;
public abstract class Zone extends Part {{ public abstract int size(); }}
//- /p/Walker.java
package p;
public class Walker {{ public boolean isZone(q.Part part) {{ return part instanceof q.Zone; }} }}
"
    );
    let text = sections(&cluster(&sources, "p/Walker", &["Lq/Zone;"]), &["Part", "Zone"]);
    assert!(text.contains("\n  = any Zone\n"), "{text}");
    assert!(text.contains("\n  = stub Zone() {size(): int}\n"), "{text}");
}

#[test]
fn decorators_leave_room_for_what_they_decorate() {
    let decorator = |index| {
        let (name, of) = (format!("A{index}"), "implements Graph");
        format!("//- /q/{name}.java\npackage q;\npublic class {name} {of} {{ public {name}(Graph of) {{}} }}")
    };
    let decorators = (0..9).map(decorator).collect::<Vec<_>>().join("\n");
    let sources = format!(
        "{decorators}
//- /q/Graph.java
package q;
public interface Graph {{}}
//- /q/Simple.java
package q;
public class Simple implements Graph {{}}
//- /p/Search.java
package p;
public class Search {{ public boolean finds(q.Graph graph) {{ return graph == null; }} }}
"
    );
    let text = sections(&cluster(&sources, "p/Search", &[]), &["Graph"]);
    assert!(text.contains("\n  = new Simple()\n  = new A0(Graph)\n"), "{text}");
}

#[test]
fn what_a_library_has_for_tests_stands_for_the_classes_of_a_server() {
    let sources = "
//- /q/Request.java
package q;
public interface Request { String name(); }
//- /q/Facade.java
package q;
public class Facade implements Request { public String name() { throw new IllegalStateException(); } }
//- /org/springframework/mock/web/MockRequest.java
package org.springframework.mock.web;
public class MockRequest implements q.Request { public String name() { return null; } }
//- /p/Filter.java
package p;
public class Filter { public boolean passes(q.Request request) { return request.name() == null; } }
";
    let text = sections(&cluster(sources, "p/Filter", &[]), &["Request"]);
    assert!(text.contains("\n  = new MockRequest()\n"), "{text}");
    assert!(!text.contains("Facade"), "{text}");
}

#[test]
fn where_code_asks_for_type_arguments_a_class_comes_first_whose_superclass_has_some() {
    const ASKS: &str = "
//- /p/Asks.java
package p;
import java.lang.reflect.*;
public class Asks {
    public static boolean any(Class<?> of) { return of.getGenericSuperclass() instanceof ParameterizedType; }
}
";
    let cluster = cluster(ASKS, "p/Asks", &["Ljava/lang/reflect/ParameterizedType;"]);
    let text = sections(&cluster, &["Class<?>"]);
    let first: Vec<&str> = text.lines().skip(1).take(3).map(str::trim).collect();
    let expect = ["= any Class<Properties>", "= any Class<Asks>", "= any Class<ParameterizedType>"];
    assert_eq!(first, expect, "\n{text}");
}

#[test]
fn what_is_abstract_is_made_by_a_class_beside_it_in_another_package() {
    check(
        r"
//- /p/Decoder.java
package p;
public class Decoder { public int decode(q.Buffer buffer) { return buffer.read(); } }
//- /q/Buffer.java
package q;
public abstract class Buffer { protected Buffer() { } public abstract int read(); abstract void close(); }
//- /q/EmptyBuffer.java
package q;
public class EmptyBuffer extends Buffer { public int read() { return 0; } void close() { } }
//- /q/Buffers.java
package q;
public final class Buffers {
    private Buffers() { }
    public static Buffer wrapped(byte[] bytes) { return new EmptyBuffer(); }
    static Buffer hidden() { return null; }
}
",
        "p/Decoder",
        &["Buffer"],
        "
Buffer
  = new EmptyBuffer()
  = static Buffers.wrapped(byte[]): Buffer
  ~ Buffer.read(): int
",
    );
}

#[test]
fn what_nothing_beside_it_makes_is_made_by_an_entry_point_elsewhere() {
    check(
        r"
//- /p/Mailer.java
package p;
public class Mailer { public int send(q.api.Draft draft) { return draft.size(); } }
//- /q/api/Draft.java
package q.api;
public interface Draft { int size(); }
//- /q/internal/TextDraft.java
package q.internal;
class TextDraft implements q.api.Draft { public int size() { return 0; } }
//- /q/internal/Starting.java
package q.internal;
public class Starting {
    private Starting() { }
    public static q.api.Draft blank() { return new TextDraft(); }
    static q.api.Draft hidden() { return null; }
}
class Hidden { public static q.api.Draft blank() { return new TextDraft(); } }
//- /q/Drafts.java
package q;
public class Drafts {
    public static q.api.Draft copying(q.api.Draft other) { return other; }
    public static q.api.Draft blank() { return q.internal.Starting.blank(); }
}
",
        "p/Mailer",
        &["Draft"],
        "
Draft
  = static Drafts.copying(Draft): Draft
  = static Drafts.blank(): Draft
  = static Starting.blank(): Draft
  = lambda Draft {size(): int}
  ? Draft.size(): int
",
    );
}

#[test]
fn what_the_public_cannot_construct_is_made_by_others_too() {
    const ROWS: &str = r#"
//- /p/Row.java
package p;
public final class Row {
    private final String[] cells;
    Row(String[] cells) { this.cells = cells; }
    public String get(int index) { return cells[index]; }
}
//- /p/Sheet.java
package p;
public class Sheet {
    private final String text;
    public Sheet(String text) { this.text = text; }
    Row next() { return new Row(text.split(",")); }
    public int size() { return text.length(); }
}
"#;
    check(
        ROWS,
        "p/Row",
        &["Row", "Sheet"],
        "
Row
  = new Row(String[])
  = Sheet.next(): Row
  ~ Row.get(int): String
Sheet
  = new Sheet(String)
  ~ Sheet.next(): Row
  ? Sheet.size(): int
",
    );
    let of_all = ROWS.replace("    Row(String[]", "    public Row(String[]");
    check(&of_all, "p/Row", &["Row"], "\nRow\n  = new Row(String[])\n  ~ Row.get(int): String\n");
}
