//! Instrumented classes read back by others, and by a JVM as older versions.

#![expect(clippy::disallowed_methods, reason = "tests write files")]

use std::fs;
use std::process::Command;

use crate::instrument::driver::{InstrumentedClasses, java};
use bytecode::analysis::{AnalysisOptions, ProbeIds};
use bytecode::class_file::ClassFile;
use bytecode::instrument::{StaticFields, instrument_full, instrument_light};
use bytecode::name::ClassName;
use bytecode::source::ClassSource;
use noak::reader::AttributeContent;

/// Classes of the JDK at hand: large ones, and one of each kind.
const CLASSES: [&str; 12] = [
    "java/lang/Character",
    "java/lang/Comparable",
    "java/lang/Record",
    "java/math/BigDecimal",
    "java/net/URI$Parser",
    "java/text/DecimalFormat",
    "java/time/Month",
    "java/util/Collections",
    "java/util/Formatter",
    "java/util/HashMap",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/regex/Pattern",
];

#[test]
fn another_reader_decodes_every_instruction() {
    let class_path = fixture::class_path(&[]);
    for name in CLASSES {
        let bytes = class_path.class_bytes(&ClassName::new(name)).unwrap();
        let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::new());
        let full = instrument_full(&bytes, AnalysisOptions::default(), &mut ids, &mut statics).unwrap();
        assert!(full.map.skipped.is_empty(), "{name}");
        let light = instrument_light(&bytes, &mut statics).unwrap();
        let [original, light, full] = [&*bytes, &light, &full.bytes].map(decode);
        assert!(original.0 <= light.0 && light.0 <= full.0, "{name}");
        assert!(original.1 == light.1 && light.1 == full.1, "{name}");
    }
}

/// Numbers of instructions and of stack map frames.
fn decode(bytes: &[u8]) -> (usize, usize) {
    let class = noak::reader::Class::new(bytes).unwrap();
    let (mut instructions, mut frames) = (0, 0);
    for method in class.methods() {
        for attribute in method.unwrap().attributes() {
            let content = attribute.unwrap().read_content(class.pool()).unwrap();
            let AttributeContent::Code(code) = content else { continue };
            instructions += code.raw_instructions().collect::<Result<Vec<_>, _>>().unwrap().len();
            for attribute in code.attributes() {
                let attribute = attribute.unwrap();
                // noak 0.7.0 fails at every line number table of the originals.
                if class.pool().retrieve(attribute.name()).unwrap() == "StackMapTable" {
                    let content = attribute.read_content(class.pool()).unwrap();
                    let AttributeContent::StackMapTable(table) = content else { panic!("it has a name") };
                    frames += table.iter().collect::<Result<Vec<_>, _>>().unwrap().len();
                }
            }
        }
    }
    (instructions, frames)
}

/// Lines of `javap -v -p` on a class file.
fn javap(folder: &std::path::Path, class: &str) -> Vec<String> {
    let path = folder.join(format!("{class}.class"));
    let output = Command::new(fixture::java_home().join("bin/javap")).args(["-v", "-p"]).arg(path).output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(!text.contains("Error: ") && !text.contains("???"), "{text}");
    text.lines().map(|line| line.trim().to_owned()).collect()
}

const ANNOTATED: &str = include_str!("Java8.java");

#[test]
fn javap_reads_every_table_and_annotations_stay_at_their_instructions() {
    let compiled = fixture::compile(&format!("//- /Java8.java\n{ANNOTATED}"));
    let full = InstrumentedClasses::full(&compiled);
    let (before, after) = (javap(&compiled.folder, "Java8"), javap(full.folder(), "Java8"));
    let annotated = |lines: &[String]| -> Vec<String> {
        let found = lines.iter().enumerate().filter(|(_, line)| line.contains(", offset="));
        found.map(|(index, line)| annotated_instruction(&lines[..index], line)).collect()
    };
    assert!(annotated(&before).len() >= 5);
    assert_eq!(annotated(&before), annotated(&after));
    let variables = |lines: &[String]| lines.iter().filter(|line| line.contains("LOCAL_VARIABLE, {")).count();
    assert_eq!((variables(&before), variables(&after)), (4, 4));
    let handlers =
        |lines: &[String]| lines.iter().filter(|line| line.contains("EXCEPTION_PARAMETER")).count();
    assert_eq!((handlers(&before), handlers(&after)), (1, 1));
}

/// The kind of annotation, and the mnemonic of the instruction that it is about: the last one with its offset.
fn annotated_instruction(before: &[String], line: &str) -> String {
    let (kind, rest) = line.split_once(", offset=").unwrap();
    let offset: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let is_at = |candidate: &&String| candidate.starts_with(&format!("{offset}: "));
    let instruction =
        before.iter().rev().find(|line| is_at(line) && !line.contains('#') || is_instruction(line, &offset));
    let mnemonic = instruction.and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default();
    format!("{} {mnemonic}", kind.rsplit(' ').next().unwrap_or_default())
}

fn is_instruction(line: &str, offset: &str) -> bool {
    let mnemonic = line.strip_prefix(offset).and_then(|rest| rest.strip_prefix(": "));
    mnemonic.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

const OLD: &str = "
//- /Old.java
public class Old {
    static int count;
    static String text(int n, Object o) {
        String result = \"\";
        for (int i = 0; i < n; i++) {
            try { result += o.toString().charAt(i); } catch (NullPointerException e) { count++; } finally { result += i; }
            switch (i) { case 1: result += \"one\"; break; case 500: result += \"five hundred\"; break; }
            if (o instanceof String && o.equals(\"abc\")) result += \"!\";
            if (n * 1000L > 3500L || n / 3.0 > 1.5f) result += \"?\";
        }
        synchronized (result) { return result + count; }
    }
    public static void main(String[] arguments) { System.out.println(text(3, \"abc\") + text(4, null)); }
}
";

#[test]
fn versions_without_frames_and_with_the_old_verifier_are_instrumented() {
    for version in [45_u16, 46, 47, 48, 49, 50, 51, 52] {
        let compiled = fixture::compile_with(OLD, &["-g", "--release", "8"]);
        let mut bytes = compiled.bytes("Old");
        bytes[4..8].copy_from_slice(&[0, 0, 0, version as u8]);
        let folder = tempfile::tempdir().unwrap();
        let run = |bytes: &[u8]| {
            fs::write(folder.path().join("Old.class"), bytes).unwrap();
            let output = java(&[folder.path().to_owned()]).args(["-Xlog:class+init=info", "Old"]).output();
            let text = String::from_utf8(output.unwrap().stdout).unwrap();
            assert!(!text.contains("Fail over class verification"), "{version}");
            text.lines().filter(|line| !line.contains("[info]")).map(str::to_owned).collect::<Vec<_>>()
        };
        let original = run(&bytes);
        assert_eq!(original.len(), 1, "version {version} runs");
        let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::new());
        let full = instrument_full(&bytes, AnalysisOptions::default(), &mut ids, &mut statics).unwrap();
        assert_eq!(ClassFile::parse(&full.bytes).unwrap().major, version);
        assert_eq!(run(&full.bytes), original, "version {version}, full set");
        let light = instrument_light(&bytes, &mut statics).unwrap();
        assert_eq!(run(&light), original, "version {version}, light set");
    }
}
