//! A build of several modules, read by the machine's Maven.

#![expect(clippy::disallowed_methods, reason = "tests write builds")]

use std::fs;
use std::path::{Path, PathBuf};

use project::build::command::Surroundings;
use project::build::freshness::Freshness;
use project::build::module::Module;
use project::build::tool::{Build, discover};
use project::environment::Environment;
use project::failure::Failure;
use project::jdk::Jdk;

const ROOT: &str = "<project><modelVersion>4.0.0</modelVersion>
<groupId>covolve.test</groupId><artifactId>root</artifactId><version>1-SNAPSHOT</version><packaging>pom</packaging>
<modules><module>first</module><module>second</module></modules>
<properties><maven.compiler.source>1.8</maven.compiler.source><maven.compiler.target>1.8</maven.compiler.target></properties>
<profiles><profile><id>here</id><activation><file><exists>marker</exists></file></activation>
<properties><project.build.sourceEncoding>ISO-8859-1</project.build.sourceEncoding></properties></profile>
<profile><id>fast</id><properties><skipTests>true</skipTests></properties></profile></profiles>
<build><plugins><plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-toolchains-plugin</artifactId>
<version>3.2.0</version><configuration><toolchains><jdk><version>99</version></jdk></toolchains></configuration>
</plugin><plugin><groupId>com.diffplug.spotless</groupId><artifactId>spotless-maven-plugin</artifactId><version>2.43.0</version>
<executions><execution><id>style</id><goals><goal>check</goal></goals></execution></executions></plugin></plugins></build></project>";

const TOOLCHAINS: &str = "<toolchains><toolchain><type>jdk</type><provides><version>99</version></provides>
<configuration><jdkHome>{jdk}</jdkHome></configuration></toolchain></toolchains>";

fn module_pom(name: &str, rest: &str) -> String {
    format!(
        "<project><modelVersion>4.0.0</modelVersion><parent><groupId>covolve.test</groupId><artifactId>root</artifactId>
<version>1-SNAPSHOT</version></parent><artifactId>{name}</artifactId>{rest}</project>"
    )
}

/// `first` is compiled to a folder of its own choice; `second` needs it and a library; neither is installed anywhere.
fn project() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let first = module_pom("first", "<build><outputDirectory>${basedir}/out</outputDirectory></build>");
    let second = module_pom(
        "second",
        "<dependencies><dependency><groupId>covolve.test</groupId><artifactId>first</artifactId>
<version>1-SNAPSHOT</version></dependency><dependency><groupId>commons-cli</groupId><artifactId>commons-cli</artifactId>
<version>1.2</version><scope>test</scope></dependency></dependencies>",
    );
    let jdk = root.join("jdk-99");
    let files = [
        ("pom.xml", ROOT.to_owned()),
        (".mvn/maven.config", "--toolchains\ntoolchains.xml\n".to_owned()),
        ("toolchains.xml", TOOLCHAINS.replace("{jdk}", jdk.to_str().unwrap())),
        ("jdk-99/bin/java", String::new()),
        ("first/pom.xml", first),
        ("first/src/main/java/p/A.java", "package p; public class A {}".to_owned()),
        ("first/out/p/A.class", "class".to_owned()),
        ("second/pom.xml", second),
        ("second/marker", String::new()),
        ("second/src/main/java/q/B.java", "package q; public class B {}".to_owned()),
    ];
    for (name, text) in files {
        let file = root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    (folder, root)
}

fn discovered(folder: &Path, words: &[String]) -> Result<Build, Failure> {
    let environment = Environment::read();
    let jdk = Jdk::find(None, &environment).unwrap();
    discover(folder, false, Surroundings { environment: &environment, jdk: &jdk, words, note: &|_| () })
}

#[test]
fn modules_are_told_by_the_machines_maven() {
    let (_folder, root) = project();
    // From within a module the build around it is read, since that is where the other module comes from.
    let build = discovered(&root.join("second"), &[]).unwrap();
    let [second]: &[Module] = &build.modules[..] else { panic!("{build:?}") };
    assert_eq!((build.tool, second.name.as_str()), ("Maven", "second"));
    assert_eq!(second.dependencies[0], root.join("first/out"), "the class folder of the other module");
    assert!(second.dependencies[1].ends_with("commons-cli-1.2.jar"), "{second:?}");
    assert_eq!((second.dependencies.len(), &second.problem), (2, &None));
    // What only tests need is not what arguments are made of.
    assert_eq!(
        (second.class_path(), second.test_libraries()),
        (second.dependencies[..1].to_vec(), second.dependencies[1..].to_vec())
    );
    assert_eq!(second.test_root, root.join("second/src/test/java"));
    assert_eq!(second.classes, [root.join("second/target/classes")]);
    assert_eq!(second.freshness(), Freshness::Missing);
    assert_eq!((second.release, second.encoding.as_deref()), (Some(8), Some("ISO-8859-1")));
    assert_eq!(second.profiles, ["here"]);
    let steps: Vec<&str> = second.formatters.iter().map(|formatter| formatter.step.as_str()).collect();
    assert_eq!(steps, ["com.diffplug.spotless:spotless-maven-plugin:apply@style"]);
    let asked_for = discovered(&root.join("second"), &["-Pfast".into()]).unwrap();
    assert_eq!(asked_for.modules[0].profiles, ["here", "fast"]);
    let skips = |build: &Build| build.modules[0].skips_tests.clone();
    assert_eq!((skips(&build), skips(&asked_for)), (None, Some("skipTests".to_owned())));
    assert_eq!(asked_for.how, format!("mvn offline in {}, given -Pfast", root.display()));
    assert_eq!(second.jdk, Some(root.join("jdk-99")));
    let written = ["target", "second/target", "first/target"];
    assert!(written.iter().all(|name| !root.join(name).exists()), "nothing is written into the build");
}

#[test]
fn a_build_that_cannot_be_read_is_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    fs::write(root.join("pom.xml"), "<project><modelVersion>4.0.0</modelVersion></project>").unwrap();
    let sentence = discovered(&root, &[]).unwrap_err().sentence;
    let start = format!("Maven cannot read the build in {}: 'groupId' is missing", root.display());
    assert!(sentence.starts_with(&start), "{sentence}");
    assert!(sentence.ends_with("; run `mvn validate` there and put right what it says"), "{sentence}");
    let nothing = tempfile::tempdir().unwrap();
    let sentence = discovered(nothing.path(), &[]).unwrap_err().sentence;
    assert!(sentence.contains("holds no Maven or Gradle build and no compiled classes; go to"), "{sentence}");
    fs::write(nothing.path().join("a.jar"), "").unwrap();
    let sentence = discovered(nothing.path(), &["-Pfast".into()]).unwrap_err().sentence;
    assert!(sentence.starts_with("--build-arg -Pfast needs a Maven or Gradle build, and "), "{sentence}");
}
