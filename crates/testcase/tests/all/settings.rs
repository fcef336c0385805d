//! Settings of the JVM that code reads: what a cluster offers, and how often the factory takes it.

use crate::sections::build_from;
use bytecode::settings::Setting;
use testcase::cluster::TestCluster;
use testcase::cluster::settings::setting_of;
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;

const SOURCES: &str = r#"
//- /p/Site.java
package p;

public class Site {
    public static String mode() { return System.getProperty("site.mode", "slow"); }
    public static int read() { return Console.read(); }
    public static String price(double price) { return String.format("%.2f", price); }
}
//- /p/Console.java
package p;

public class Console {
    static int read() { try { return System.in.read(); } catch (java.io.IOException thrown) { return -1; } }
    static String zone() { return java.time.ZoneId.systemDefault().getId(); }
}
//- /p/Adder.java
package p;

public class Adder {
    public static int add(int a, int b) { return a + b; }
}
"#;

fn cluster(class: &str) -> TestCluster {
    build_from(&fixture::compile(SOURCES).hierarchy_of_java_8(), class, &[]).expect("a cluster is built")
}

#[test]
fn what_the_code_and_what_it_calls_read_can_be_set() {
    for (class, drawn, steadying) in [
        ("p/Site", &[Setting::Property, Setting::Input][..], &[Setting::Locale][..]),
        ("p/Console", &[Setting::Input, Setting::Zone], &[Setting::Zone]),
        ("p/Adder", &[], &[]),
    ] {
        let cluster = cluster(class);
        let settings = |ids: &[_]| -> Vec<Setting> {
            ids.iter().filter_map(|id| setting_of(cluster.callable(*id))).collect()
        };
        assert_eq!(settings(&cluster.settings), drawn, "{class}");
        assert_eq!(settings(&cluster.steadying), steadying, "{class}");
    }
    let cluster = cluster("p/Site");
    let named = &cluster.callable(cluster.settings[0]).parameters[0];
    assert_eq!(named.hints, ["site.mode".into()].map(testcase::value::Value::String));
}

#[test]
fn settings_are_made_as_often_as_the_options_say() {
    for (class, settings, expect) in
        [("p/Site", 0.05, 50..400), ("p/Site", 0.0, 0..1), ("p/Adder", 0.05, 0..1)]
    {
        let cluster = cluster(class);
        let mut factory =
            TestFactory::new(&cluster, FactoryOptions { settings, ..FactoryOptions::default() });
        let mut random = Random::new(3, 0);
        let tests = (0..500).map(|_| factory.random_test(&mut random));
        let setting = tests.filter(|test| !cluster.settings_of(test).is_empty()).count();
        assert!(expect.contains(&setting), "{class}: {setting}");
    }
}
