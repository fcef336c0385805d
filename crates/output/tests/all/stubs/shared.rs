//! Classes of the file that tests share where they implement one type.

use output::asserted_test::AssertedTest;
use output::junit::arrangement::{Arrangement, FixtureForm};
use output::junit::style::JunitStyle;
use testcase::cluster::{CallableId, TypeId};
use testcase::statement::{Answer, Statement};
use testcase::value::Value;

use crate::common::{TestBuilder, random_tests};
use crate::stubs::{check_counts, primitive, scripted, world};

#[test]
fn javac_takes_whatever_tests_share() {
    for (class, style) in [
        ("p/Steps", JunitStyle::Jupiter),
        ("p/Shapes", JunitStyle::Jupiter),
        ("p/Gauges", JunitStyle::Junit4),
    ] {
        let world = world(class);
        let tests = random_tests(&world.cluster);
        let suite: Vec<AssertedTest> =
            tests.iter().take(80).flat_map(|test| std::iter::repeat_n(test, 3).cloned()).collect();
        let fixtures = Arrangement { fixtures: FixtureForm::Shared, ..Arrangement::default() };
        let printed = world.print_as(style, &suite, |writer| writer.arranged(fixtures));
        assert!(printed.text.matches("    private static ").count() > 3, "{}", printed.text);
        let source = format!("//- /{}\n{}", printed.path(), printed.text);
        fixture::compile_strictly(&source, &["-cp", &world.folder]);
    }
}

#[test]
fn tests_with_a_class_of_the_file_that_erases_type_parameters_suppress_its_warning_as_well() {
    let world = world("p/Bags");
    let stub = world.stub("Bag<Integer>");
    let methods = &world.cluster.stub(stub).methods;
    let test = |size: i32| {
        let mut test = TestBuilder::default();
        let size = test.push(primitive(Value::Int(size), false));
        let answers: Vec<Vec<Answer>> = methods
            .iter()
            .map(|method| if &*method.name == "size" { vec![Answer::Value(size)] } else { Vec::new() })
            .collect();
        let answers: Vec<&[Answer]> = answers.iter().map(Vec::as_slice).collect();
        let made = test.push(scripted(stub, &[], &answers));
        test.call_static(world.taker(stub).expect("of takes it"), &[made]);
        test.finish()
    };
    let suite: Vec<AssertedTest> = [0, 0, 0, 0, 1].map(test).to_vec();
    let printed = world.print(JunitStyle::Jupiter, &suite);
    let source = format!("//- /{}\n{}", printed.path(), printed.text);
    fixture::compile_strictly(&source, &["-cp", &world.folder]);
    let suppressed = "    @Test\n    @SuppressWarnings(\"unchecked\")";
    check_counts(&printed.text, &[("new BagStub() {", 1), ("new BagStub()", 5), (suppressed, 1)]);
}

#[test]
fn of_many_methods_those_that_are_called_are_scripted_and_a_class_of_the_file_gives_nothing_from_all() {
    let world = world("p/Wider");
    let stub = world.stub("Wide<String>");
    let names: Vec<&str> = world.cluster.stub(stub).methods.iter().map(|method| &*method.name).collect();
    assert_eq!(names, ["get", "size"]);
    let test = |size: i32, get: Option<i32>| {
        let mut test = TestBuilder::default();
        let get = match get {
            Some(value) => test.push(primitive(Value::Int(value), true)),
            None => test.push(Statement::Null { of: TypeId::OBJECT }),
        };
        let size = test.push(primitive(Value::Int(size), false));
        let made = test.push(scripted(stub, &[], &[&[Answer::Value(get)], &[Answer::Value(size)]]));
        test.call_static(world.taker(stub).expect("of takes it"), &[made]);
        let test = test.finish();
        assert_eq!(test.test.validate(&world.cluster), Ok(()));
        test
    };
    let suite = [test(6, Some(5)), test(7, None), test(0, None)];
    let text = world.print(JunitStyle::Jupiter, &suite).text;
    check_counts(
        &text,
        &[
            ("new WideStub() {", 2),
            ("= new WideStub();", 1),
            (
                "        public Object get(Class of, String key) {\n                return 5;\n            }",
                1,
            ),
            ("public int size() {\n                return 6;", 1),
            ("public int size() {\n                return 7;", 1),
            (
                "\n    /** Gives null, zero or false, and does nothing. */\n    @SuppressWarnings(\"deprecation\")\n    private static class WideStub implements Wide<String> {\n",
                1,
            ),
            ("        public Object get(Class of, String key) {\n            return null;\n        }", 1),
            ("        public int size() {\n            return 0;\n        }", 1),
            ("        public boolean isOpen() {\n            return false;\n        }", 1),
            ("        public char first() {\n            return 0;\n        }", 1),
            ("        public long[] longs() {\n            return null;\n        }", 1),
            (
                "        public Map<String, ? extends Number> numbers() {\n            return null;\n        }",
                1,
            ),
        ],
    );
}

#[test]
fn parameterizations_of_a_type_share_a_class_of_the_file() {
    let world = world("p/Visits");
    let suite = ["Visitor<Long, String>", "Visitor<String, Integer>", "Pair<Long>"].map(|name| {
        let stub = world.stub(name);
        let mut test = TestBuilder::default();
        let five = match world.cluster.stub(stub).methods[0].result {
            Some(of) if of == TypeId::STRING => primitive(Value::String("five".into()), false),
            _ => primitive(Value::Long(5), true),
        };
        let five = test.push(five);
        let once = [Answer::Value(five)];
        let answers = vec![&once[..]; world.cluster.stub(stub).methods.len()];
        let made = test.push(scripted(stub, &[], &answers));
        test.call_static(world.taker(stub).expect("a method takes it"), &[made]);
        let test = test.finish();
        assert_eq!(test.test.validate(&world.cluster), Ok(()));
        test
    });
    let text = world.print(JunitStyle::Jupiter, &suite).text;
    check_counts(
        &text,
        &[
            ("new VisitorStub<Long, String>() {", 1),
            ("new VisitorStub<String, Integer>() {", 1),
            (
                "        public String visit(int node, Integer argument) {\n                return \"five\";",
                1,
            ),
            ("    private static class VisitorStub<R, A> implements Visitor<R, A> {\n", 1),
            ("        public R visit(List<A> list, A value) {\n            return null;", 1),
            ("        public R visit(double[] doubles, A... values) {\n            return null;", 1),
            ("        public void end(A value) {\n        }", 1),
            ("        public int depth() {\n            return 0;", 1),
            ("        public Object clone() {\n            return null;", 1),
            // The variable would hide a class that the methods name.
            ("    private static class PairStub implements Pair<Long> {\n", 1),
            ("private static class", 2),
        ],
    );
}

#[test]
fn a_class_of_the_file_may_name_what_is_deprecated_for_removal() {
    let world = world("p/Panel");
    let stub = world.stub("Lamp");
    let methods = world.cluster.stub(stub).methods.len();
    let mut test = TestBuilder::default();
    let lamp = test.push(scripted(stub, &[], &vec![&[][..]; methods]));
    test.call_static(world.taker(stub).expect("a method takes it"), &[lamp]);
    let suite = vec![test.finish(); 3];
    let printed = world.print(JunitStyle::Jupiter, &suite);
    check_counts(&printed.text, &[("class LampStub implements Lamp", 1)]);
    let source = format!("//- /{}\n{}", printed.path(), printed.text);
    fixture::compile_strictly(&source, &["-cp", &world.folder]);
}

#[test]
fn tests_share_a_class_of_the_file_that_has_no_serial_version() {
    let world = world("p/Saves");
    let stub = world.stub("Saved<String>");
    let suite = [4, 5].map(|size| {
        let mut test = TestBuilder::default();
        let size = test.push(primitive(Value::Int(size), false));
        let made = test.push(scripted(stub, &[], &[&[Answer::Value(size)]]));
        test.call_static(world.taker(stub).expect("size takes it"), &[made]);
        test.finish()
    });
    let text = world.print(JunitStyle::Jupiter, &suite).text;
    let shared =
        "    @SuppressWarnings(\"serial\")\n    private static class SavedStub<T> implements Saved<T> {\n";
    check_counts(&text, &[(shared, 1), ("new SavedStub<String>() {", 2), ("T a() {", 1)]);
}

#[test]
fn of_a_few_methods_a_class_of_the_file_gives_nothing_where_that_is_shorter() {
    let world = world("p/Gauges");
    let stub = world.stub("Gauges.Gauge");
    let test = |answers: [i32; 3]| {
        let mut test = TestBuilder::default();
        let values = answers.map(|answer| [Answer::Value(test.int(answer))]);
        let made = test.push(scripted(stub, &[], &values.each_ref().map(|answers| &answers[..])));
        test.call_static(world.taker(stub).expect("of takes it"), &[made]);
        test.finish()
    };
    let text = world.print(JunitStyle::Jupiter, &[test([0, 0, 5]), test([0, 3, 0])]).text;
    let class = "    private static class GaugeStub implements Gauges.Gauge {\n";
    check_counts(&text, &[(class, 1), ("new GaugeStub() {", 2), ("int high()", 1), ("int low()", 2)]);
    let text = world.print(JunitStyle::Jupiter, &[test([1, 2, 5]), test([0, 3, 0])]).text;
    check_counts(&text, &[("private static class", 0), ("new Gauges.Gauge() {", 2)]);
    let world = self::world("p/Tells");
    let stub = world.stub("Pairing");
    let silent = |taker: CallableId| {
        let mut test = TestBuilder::default();
        let made = test.push(scripted(stub, &[], &[&[], &[]]));
        test.call_static(taker, &[made]);
        test.finish()
    };
    let taker = world.taker(stub).expect("pair takes it");
    let text = world.print(JunitStyle::Jupiter, &[silent(taker), silent(taker)]).text;
    check_counts(&text, &[("private static class PairingStub", 1), ("new PairingStub();", 2)]);
    let text = world.print(JunitStyle::Jupiter, &[silent(taker)]).text;
    check_counts(&text, &[("private static class", 0), ("new Pairing() {", 1)]);
}

#[test]
fn a_class_of_the_file_hands_what_its_constructor_takes_to_the_superclass() {
    let world = world("p/Shapes");
    let shape = world.stub("Shapes.Shape");
    let constructor = world.cluster.stub(shape).constructor().expect("a class");
    let sides = world.cluster.callable(constructor).parameters[2].of;
    let of_shape = |corners: i32, high: i32| {
        let mut test = TestBuilder::default();
        let name = test.push(Statement::Null { of: TypeId::STRING });
        let corners = test.int(corners);
        let sides = test.push(Statement::Null { of: sides });
        let answers = [0, 0, high].map(|answer| [Answer::Value(test.int(answer))]);
        let answers = answers.each_ref().map(|answers| &answers[..]);
        let made = test.push(scripted(shape, &[name, corners, sides], &answers));
        test.call_static(world.taker(shape).expect("of takes it"), &[made]);
        test.finish()
    };
    let sheet = world.stub("Sheet<String>");
    let mut of_sheet = TestBuilder::default();
    let first = of_sheet.push(Statement::Null { of: TypeId::STRING });
    let made = of_sheet.push(scripted(sheet, &[first], &[&[]]));
    of_sheet.call_static(world.taker(sheet).expect("all takes it"), &[made]);
    let suite = [of_shape(3, 0), of_shape(4, 0), of_shape(5, 7), of_sheet.finish()];
    let printed = world.print(JunitStyle::Jupiter, &suite);
    let source = format!("//- /{}\n{}", printed.path(), printed.text);
    fixture::compile_strictly(&source, &["-cp", &world.folder]);
    check_counts(
        &printed.text,
        &[
            ("private static class ShapeStub extends Shapes.Shape {\n", 1),
            (
                "        ShapeStub(String name, int corners, long... sides) throws IOException {\n            super(name, corners, sides);\n        }\n\n",
                1,
            ),
            ("new ShapeStub(null, 3, (long[]) null);", 1),
            ("new ShapeStub(null, 5, (long[]) null) {", 1),
            (
                "private static class SheetStub extends Sheet<String> {\n        SheetStub(String first) {\n            super(first);\n        }\n",
                1,
            ),
        ],
    );
}
