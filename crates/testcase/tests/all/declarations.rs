// tidy: fixtures and what they give, to be read side by side
//! Test clusters of tricky declarations, as text (see `cluster.rs` for the signs).

use crate::sections::{build_from, check, sections};
use crate::sources::declarations::*;

#[test]
fn bounds_wildcards_and_raw_types_take_what_lies_within_them() {
    check(
        TRICKY,
        "p/Tricky",
        &[
            "test calls",
            "Map<? super String, ? extends List<Integer>>",
            "List<? super Integer>",
            "EnumMap<TimeUnit, String>",
            "Leaf",
        ],
        "
test calls
  * new Tricky<String>(String)
    new Tricky<Integer>(Integer)
    new Tricky<Double>(Double)
  * static Tricky.<String>max(Collection<? extends String>): String cast Ljava/lang/String;
    static Tricky.<Integer>max(Collection<? extends Integer>): Integer cast Ljava/lang/Integer;
    static Tricky.<Double>max(Collection<? extends Double>): Double cast Ljava/lang/Double;
  * static Tricky.<String>literal(Class<? extends String>, String)
    static Tricky.<Integer>literal(Class<? extends Integer>, Integer)
    static Tricky.<Object>literal(Class<?>, Object)
  * static Tricky.<String, Integer>nested(Map<? super String, ? extends List<Integer>>, String)
    static Tricky.<Integer, String>nested(Map<? super Integer, ? extends List<String>>, Integer)
    static Tricky.<Object, Object>nested(Map<? super Object, ? extends List<Object>>, Object)
  * static Tricky.raw(List, Map.Entry, Comparable)
  * static Tricky.<Integer>both(Integer, Integer): Integer cast Ljava/lang/Integer;
    static Tricky.<Double>both(Double, Double): Double cast Ljava/lang/Double;
    static Tricky.<Long>both(Long, Long): Long cast Ljava/lang/Long;
  * static Tricky.<TimeUnit>constant(Class<TimeUnit>, String): TimeUnit cast Ljava/util/concurrent/TimeUnit;
  * static Tricky.<TimeUnit>set(EnumMap<TimeUnit, String>): EnumSet<TimeUnit>
  * static Tricky.<Leaf>recursive(Leaf): Leaf cast Lp/Leaf;
  * static Tricky.<Leaf, List<Leaf>>dependent(List<Leaf>): List<Leaf>
  * static Tricky.<String>array(String[], List<? super String>[]): String[] cast [Ljava/lang/String;
    static Tricky.<Integer>array(Integer[], List<? super Integer>[]): Integer[] cast [Ljava/lang/Integer;
    static Tricky.<Object>array(Object[], List<? super Object>[]): Object[]
  * Tricky<String>.self(Tricky<String>, Tricky<? extends String>, Tricky<?>)
    Tricky<Integer>.self(Tricky<Integer>, Tricky<? extends Integer>, Tricky<?>)
    Tricky<Double>.self(Tricky<Double>, Tricky<? extends Double>, Tricky<?>)
  * static Tricky.wild(List<?>, List<? extends Number>, List<? super Integer>)
  * static Tricky.deep(Map<String, Map<Integer, List<Set<String>>>>)
  * static Tricky.wildResult(): Comparator<? super String>
Map<? super String, ? extends List<Integer>>
  = new HashMap<String, List<Integer>>()
  = new LinkedHashMap<String, List<Integer>>()
  = static Collections.<String, List<Integer>>emptyMap(): Map<String, List<Integer>>
  = static Collections.<String, List<Integer>>singletonMap(String, List<Integer>): Map<String, List<Integer>>
  ? Map<? super String, ? extends List<Integer>>.size(): int
  ? Map<? super String, ? extends List<Integer>>.isEmpty(): boolean
EnumMap<TimeUnit, String>
  = new EnumMap<TimeUnit, String>(Class<TimeUnit>)
  ~ EnumMap<TimeUnit, String>.put(TimeUnit, String): String cast Ljava/lang/String;
  ? EnumMap<TimeUnit, String>.size(): int
  ? EnumMap<TimeUnit, String>.isEmpty(): boolean
Leaf
  = new Leaf()
  = static Tricky.<Leaf>recursive(Leaf): Leaf cast Lp/Leaf;
  ~ Leaf.next(): Leaf
List<? super Integer>
  = new ArrayList<Integer>()
  = new LinkedList<Integer>()
  = static Arrays.<Integer>asList(Integer[]): List<Integer>
  = static Collections.<Integer>emptyList(): List<Integer>
  = static Collections.<Integer>singletonList(Integer): List<Integer>
  ~ List<? super Integer>.add(Integer): boolean
  ? List<? super Integer>.size(): int
  ? List<? super Integer>.isEmpty(): boolean
",
    );
}

#[test]
fn inner_classes_take_the_arguments_of_the_classes_around_them() {
    check(
        OUTER,
        "p/Outer",
        &[
            "test calls",
            "Outer<Integer>.Inner<String>",
            "Outer<String>.Inner<Long>.Deep",
            "Outer<String>.Inner<String>.Deep",
            "Outer.Inner",
        ],
        "
test calls
  * new Outer<String>()
    new Outer<Integer>()
    new Outer<Object>()
  * Outer<String>.make(): Outer<String>.Inner<String>
    Outer<Integer>.make(): Outer<Integer>.Inner<String>
    Outer<Object>.make(): Outer<Object>.Inner<String>
  * static Outer.take(Outer<Integer>.Inner<String>, Outer<String>.Inner<Long>.Deep, Outer.Inner)
  * Outer<String>.<String>shadow(String): String cast Ljava/lang/String;
    Outer<String>.<Integer>shadow(Integer): Integer cast Ljava/lang/Integer;
    Outer<Integer>.<String>shadow(String): String cast Ljava/lang/String;
    Outer<Integer>.<Integer>shadow(Integer): Integer cast Ljava/lang/Integer;
    Outer<Object>.<String>shadow(String): String cast Ljava/lang/String;
    Outer<Object>.<Integer>shadow(Integer): Integer cast Ljava/lang/Integer;
  * new Outer<String>.Inner<Integer>(Outer<String>, String, Integer)
    new Outer<Integer>.Inner<String>(Outer<Integer>, Integer, String)
    new Outer<Object>.Inner<Object>(Outer<Object>, Object, Object)
  * Outer<String>.Inner<Integer>.outer(): String cast Ljava/lang/String;
    Outer<Integer>.Inner<String>.outer(): Integer cast Ljava/lang/Integer;
    Outer<Object>.Inner<Object>.outer(): Object
  * Outer<String>.Inner<Integer>.own(): Integer cast Ljava/lang/Integer;
    Outer<Integer>.Inner<String>.own(): String cast Ljava/lang/String;
    Outer<Object>.Inner<Object>.own(): Object
  * new Outer<String>.Inner<Integer>.Deep(Outer<String>.Inner<Integer>)
    new Outer<Integer>.Inner<String>.Deep(Outer<Integer>.Inner<String>)
    new Outer<Object>.Inner<Object>.Deep(Outer<Object>.Inner<Object>)
  * Outer<String>.Inner<Integer>.Deep.t(): String cast Ljava/lang/String;
    Outer<Integer>.Inner<String>.Deep.t(): Integer cast Ljava/lang/Integer;
    Outer<Object>.Inner<Object>.Deep.t(): Object
  * Outer<String>.Inner<Integer>.Deep.u(): Integer cast Ljava/lang/Integer;
    Outer<Integer>.Inner<String>.Deep.u(): String cast Ljava/lang/String;
    Outer<Object>.Inner<Object>.Deep.u(): Object
  * new Outer.Nested<String>(String)
    new Outer.Nested<Integer>(Integer)
    new Outer.Nested<Object>(Object)
  * write Outer.Nested<String>.value: String
    read Outer.Nested<String>.value: String
    write Outer.Nested<Integer>.value: Integer
    read Outer.Nested<Integer>.value: Integer
    write Outer.Nested<Object>.value: Object
    read Outer.Nested<Object>.value: Object
Outer<Integer>.Inner<String>
  = new Outer<Integer>.Inner<String>(Outer<Integer>, Integer, String)
  = Outer<Integer>.make(): Outer<Integer>.Inner<String>
  ~ Outer<Integer>.Inner<String>.outer(): Integer cast Ljava/lang/Integer;
  ~ Outer<Integer>.Inner<String>.own(): String cast Ljava/lang/String;
Outer<String>.Inner<Long>.Deep
  = new Outer<String>.Inner<Long>.Deep(Outer<String>.Inner<Long>)
Outer.Inner
  = new Outer<Object>.Inner<Object>(Outer<Object>, Object, Object)
  = Outer<String>.make(): Outer<String>.Inner<String>
  = Outer<Integer>.make(): Outer<Integer>.Inner<String>
  = Outer<Object>.make(): Outer<Object>.Inner<String>
Outer<String>.Inner<String>.Deep
  = new Outer<String>.Inner<String>.Deep(Outer<String>.Inner<String>)
",
    );
}

#[test]
fn a_self_type_without_subclasses_is_used_raw() {
    check(
        GIVEN,
        "p/Chain",
        &["test calls", "Chain", "Chain<?>", "Chain.Result"],
        "
test calls
  * new Chain()
  * Chain.with(String): Chain
  * static Chain.start(): Chain<?>
  * Chain.finish(): Chain.Result
  * static Chain.take(Chain.Result)
Chain
  = new Chain()
  = static Chain.start(): Chain<?>
  = Chain.with(String): Chain
  ~ Chain.with(String): Chain
  ~ Chain.finish(): Chain.Result
Chain<?>
  ~ Chain.with(String): Chain
  ~ Chain.finish(): Chain.Result
Chain.Result
  = Chain.finish(): Chain.Result
",
    );
}

#[test]
fn objects_that_only_factories_give_are_called_as_they_are_given() {
    check(
        GIVEN,
        "p/Given",
        &["test calls", "Given<Boolean>"],
        "
test calls
  * static Given.flag(): Given<Boolean>
  * Given<Boolean>.get(): Boolean cast Ljava/lang/Boolean;
    Given<List<String>>.get(): List<String> cast Ljava/util/List;
  * Given<Boolean>.set(Boolean)
    Given<List<String>>.set(List<String>)
  * read Given.NAMES: Given<List<String>>
Given<Boolean>
  = static Given.flag(): Given<Boolean>
  ~ Given<Boolean>.get(): Boolean cast Ljava/lang/Boolean;
  ~ Given<Boolean>.set(Boolean)
  ? Given<Boolean>.get(): Boolean cast Ljava/lang/Boolean;
! no object of type Given<String> can be made
! no object of type Given<Integer> can be made
! no object of type Given<Object> can be made
",
    );
}

#[test]
fn every_way_to_make_an_object_is_found() {
    let fixture = fixture::compile_with(WAYS, &["-parameters", "--release", "17"]);
    let cluster = build_from(&fixture.hierarchy(), "p/Ways", &[]).expect("a cluster is built");
    let wanted = [
        "Config",
        "Config.Builder",
        "Fluent",
        "Animal",
        "Singleton",
        "Holder",
        "Op",
        "Point",
        "Shape",
        "Old",
        "Hidden",
        "Loaded",
        "Http",
    ];
    let text = sections(&cluster, &wanted);
    assert_eq!(
        text.trim(),
        "
Config
  = Config.Builder.build(): Config
Fluent
  = Fluent.FluentBuilder<?>.create(): Fluent
Animal
  = new Dog()
  = new Lion(int)
  = lambda Animal {sound(): String}
  ~ Animal.sound(): String
Singleton
  = Singleton.INSTANCE: Singleton
  ~ Singleton.reset(int)
Holder
  = static Holder.getInstance(): Holder
Op
  = Op.ADD: Op
  = Op.SUB: Op
  ~ Op.apply(int, int): int
Point
  = new Point(int, List<String>)
  = static Point.origin(): Point
  ~ Point.names(): List<String>
  ? Point.toString(): String
  ? Point.x(): int
  ? Point.names(): List<String>
Shape
  = new Circle(double)
  = new Square(int)
  = new Pair(Shape, Shape)
Old
  = new Old(String)
Hidden
  = static Hidden.impl(): Hidden
Loaded
  = new Loaded()
  ? Loaded.inside: Loaded.Inside
Http
  = Http.GET: Http
  = Http.POST: Http
Config.Builder
  = static Config.newBuilder(): Config.Builder
  ~ Config.Builder.name(String): Config.Builder
  ~ Config.Builder.limit(int): Config.Builder
  ~ Config.Builder.build(): Config
"
        .trim(),
        "\n{text}"
    );
}

#[test]
fn protected_members_of_another_package_are_not_called() {
    check(
        ACCESS,
        "b/Derived",
        &["test calls", "Derived", "Concealed"],
        "
test calls
  * new Derived()
  * Derived.use(Open): int
  * Derived.hook(Base.Prot)
  * Derived.inherited(int): int
  * Derived.prot(): Object
Derived
  = new Derived()
  ~ Derived.use(Open): int
  ~ Derived.hook(Base.Prot)
  ~ Derived.inherited(int): int
  ~ Derived.prot(): Object
  ? Derived.shown(): int
Concealed
  = new Open()
! no value of type a.Base$Prot can be made; only null is passed
",
    );
    check(
        ACCESS,
        "a/Base",
        &["test calls", "Base.Prot"],
        "
test calls
  * Base.inherited(int): int
  * static Base.helped(int): int
  * Base.shown(): int
  * Base.hidden(): int
  * write Base.field: int
    read Base.field: int
  * new Base.Prot()
  * Base.Prot.go(): int
  * stub Base() {hook(Base.Prot)}
  * new Derived()
Base.Prot
  = new Base.Prot()
  ~ Base.Prot.go(): int
  ? Base.Prot.go(): int
",
    );
}

#[test]
fn members_of_a_concealed_superclass_are_called_through_the_public_class() {
    check(
        ACCESS,
        "a/Open",
        &["test calls", "Open", "Concealed"],
        "
test calls
  * new Open()
  * Open.take(Concealed)
  * Open.shared(): int
  * new Open.Secret()
  * Open.Secret.deep(Open.Secret.Deep)
  * Open.Secret.give(): Object
Open
  = new Open()
  ~ Open.take(Concealed)
  ~ Open.shared(): int
  ? Open.shared(): int
  ? Open.value: int
Concealed
  = new Concealed()
  = new Open()
  ~ write Concealed.value: int
  ? Concealed.shared(): int
  ? Concealed.value: int
! no value of type a.Open$Secret$Deep can be made; only null is passed
",
    );
}

#[test]
fn reflective_objects_are_looked_up_in_classes_that_have_them() {
    check(PERSON, "p/Person", &["Method", "Field", "Constructor<?>", "Type", "Annotation", "AnnotatedElement"], "
Method
  = Class<Person>.getMethod(String, Class<?>[]): Method
  = Class<Person.Color>.getMethod(String, Class<?>[]): Method
  = Class<String>.getMethod(String, Class<?>[]): Method
  = Class<ArrayList>.getMethod(String, Class<?>[]): Method
  = Class<Class>.getMethod(String, Class<?>[]): Method
  = Class<Integer>.getMethod(String, Class<?>[]): Method
  = Class<Properties>.getMethod(String, Class<?>[]): Method
Field
  = Class<Person>.getDeclaredField(String): Field
  = Class<Person.Color>.getDeclaredField(String): Field
  = Class<String>.getField(String): Field
  = Class<Integer>.getField(String): Field
Constructor<?>
  = Class<Person>.getConstructor(Class<?>[]): Constructor<Person>
  = Class<String>.getConstructor(Class<?>[]): Constructor<String>
  = Class<ArrayList>.getConstructor(Class<?>[]): Constructor<ArrayList>
  = Class<Properties>.getConstructor(Class<?>[]): Constructor<Properties>
Type
  = any Class<String>
  = Class<Person.Color>.getGenericSuperclass(): Type
  = Class<ArrayList>.getGenericSuperclass(): Type
  = Class<Properties>.getGenericSuperclass(): Type
  = Method.getGenericReturnType(): Type
  = Field.getGenericType(): Type
Annotation
  = Class<Runnable>.<FunctionalInterface>getAnnotation(Class<FunctionalInterface>): FunctionalInterface cast Ljava/lang/FunctionalInterface;
  = Class<FunctionalInterface>.<Retention>getAnnotation(Class<Retention>): Retention cast Ljava/lang/annotation/Retention;
  = Class<Deprecated>.<Documented>getAnnotation(Class<Documented>): Documented cast Ljava/lang/annotation/Documented;
  = Class<Override>.<Target>getAnnotation(Class<Target>): Target cast Ljava/lang/annotation/Target;
  = lambda Annotation {annotationType(): Class<? extends Annotation>}
  ~ Annotation.annotationType(): Class<? extends Annotation>
AnnotatedElement
  = any Class<String>
  = Class<Person>.getMethod(String, Class<?>[]): Method
  = Class<Person>.getDeclaredField(String): Field
  = Class<Person>.getConstructor(Class<?>[]): Constructor<Person>
  = Class<Person.Color>.getMethod(String, Class<?>[]): Method
  = Class<Person.Color>.getDeclaredField(String): Field
  = Class<String>.getMethod(String, Class<?>[]): Method
  = Class<String>.getField(String): Field
  = Class<String>.getConstructor(Class<?>[]): Constructor<String>
  = Class<ArrayList>.getMethod(String, Class<?>[]): Method
  = Class<ArrayList>.getConstructor(Class<?>[]): Constructor<ArrayList>
  = Class<Class>.getMethod(String, Class<?>[]): Method
  = Class<Integer>.getMethod(String, Class<?>[]): Method
  = Class<Integer>.getField(String): Field
  = Class<Properties>.getMethod(String, Class<?>[]): Method
  = Class<Properties>.getConstructor(Class<?>[]): Constructor<Properties>
  = stub AnnotatedElement {getAnnotation(Class): Annotation; getAnnotations(): Annotation[]; getDeclaredAnnotations(): Annotation[]}
");
}

#[test]
fn platform_types_are_made_the_way_a_person_makes_them() {
    check(
        PERSON,
        "p/Person",
        &[
            "LocalDate",
            "ZoneId",
            "Pattern",
            "Stream<String>",
            "EnumSet<Person.Color>",
            "Thread",
            "Future<String>",
            "NodeList",
        ],
        "
LocalDate
  = static LocalDate.of(int, int, int): LocalDate
  = static LocalDate.ofEpochDay(long): LocalDate
ZoneId
  = static ZoneId.of(String): ZoneId
  = ZoneOffset.UTC: ZoneOffset
  = static ZoneOffset.ofHours(int): ZoneOffset
Pattern
  = static Pattern.compile(String): Pattern
  = static Pattern.compile(String, int): Pattern
Stream<String>
  = static Stream.<String>of(String[]): Stream<String>
  = static Stream.<String>empty(): Stream<String>
  = Collection<String>.stream(): Stream<String>
EnumSet<Person.Color>
  = static EnumSet.<Person.Color>noneOf(Class<Person.Color>): EnumSet<Person.Color>
  = static EnumSet.<Person.Color>allOf(Class<Person.Color>): EnumSet<Person.Color>
  ~ EnumSet<Person.Color>.add(Person.Color): boolean
  ? EnumSet<Person.Color>.size(): int
  ? EnumSet<Person.Color>.isEmpty(): boolean
Thread
  = new Thread(String)
  = new Thread(Runnable, String)
Future<String>
  = static CompletableFuture.<String>completedFuture(String): CompletableFuture<String>
NodeList
  = Node.getChildNodes(): NodeList
  = stub NodeList {getLength(): int; item(int): Node}
  ? NodeList.getLength(): int
",
    );
}
