//! Goals, and why they stay open, in words.

use bytecode::descriptor::{ErasedType, MethodDescriptor};
use bytecode::name::ClassName;
use bytecode::probe_map::{Branch, BranchKind, MethodProbes, ProbeMap};
use bytecode::values::{Inspector, InspectorKind, ValueOf, ValuePartition};
use coverage::goal::{Goal, GoalKind};
use search::open_goals::{Barrier, Comparison, Raised, Reason, Undeliverable, Unfinished, Unmade, Unmet};
use testcase::execution::{ExceptionKind, StackFrame};
use testcase::value::Value;

/// Characters of a compared string that are shown.
const LONGEST_TEXT: usize = 40;

/// A goal in words: `line 12 of p.Foo.bar(int): comparison of numbers 2 of 3 jumps`.
pub fn goal(goal: &Goal, maps: &[ProbeMap]) -> String {
    let method = method(&goal.class, &goal.method);
    let probes = maps
        .iter()
        .filter(|map| map.class == goal.class)
        .flat_map(|map| &map.methods)
        .find(|probes| goal.method.strip_prefix(&*probes.name) == Some(&*probes.descriptor));
    let place = goal.line.map_or_else(|| method.clone(), |line| format!("line {line} of {method}"));
    // Of calls by the test itself, probes have second numbers.
    let is_direct = probes.is_some_and(|probes| probes.direct.is_some() && probes.entry != goal.entry);
    let direct = if is_direct { ", called by the test itself" } else { "" };
    match &goal.kind {
        GoalKind::Line(line) => format!("line {line} of {method} is executed"),
        GoalKind::Entry => format!("{method} is entered{direct}"),
        GoalKind::Call if is_direct => format!("the test itself calls {method}"),
        GoalKind::Call => format!("{method} is entered"),
        GoalKind::Throw { exception, kind } => {
            let exception = exception.binary();
            match kind {
                ExceptionKind::Declared => format!("{method} throws the {exception} that it declares"),
                ExceptionKind::Explicit => format!("{method} throws {exception} on purpose"),
                ExceptionKind::Implicit => format!("{method} lets {exception} through"),
            }
        }
        GoalKind::Mutant { change, propagation, .. } => {
            let place = goal.line.map_or_else(|| method.clone(), |line| format!("line {line} of {method}"));
            let end = if propagation.is_some() { "is killed" } else { "is infected" };
            format!("{place}: the mutant that {change} {end}")
        }
        GoalKind::Value { of, inspector, partition } => {
            let value = match of {
                ValueOf::Parameter(parameter) => format!("argument {} of", parameter + 1),
                ValueOf::Result => "the result of".to_owned(),
            };
            let asked = inspector.as_ref().map_or_else(String::new, asked_on);
            format!("{asked}{value} {method} is {}", partition_of_values(*partition))
        }
        GoalKind::Return => format!("{method} returns without an exception{direct}"),
        GoalKind::Statement { instruction } => {
            format!("{place}: the statement at instruction {} is executed", instruction.0)
        }
        GoalKind::Branch { instruction, outcome } => {
            let branch = probes
                .and_then(|probes| probes.branches.iter().find(|branch| branch.instruction == *instruction));
            let what = branch.map_or_else(
                || format!("outcome {outcome}"),
                |branch| outcome_of(branch, usize::from(*outcome), probes),
            );
            format!("{place}: {what}{direct}")
        }
    }
}

/// `getSize() on ` or `field size of `.
fn asked_on(inspector: &Inspector) -> String {
    match inspector.kind {
        InspectorKind::Method => format!("{inspector} on "),
        InspectorKind::Field => format!("field {inspector} of "),
    }
}

fn partition_of_values(class: ValuePartition) -> &'static str {
    match class {
        ValuePartition::Null => "null",
        ValuePartition::NonNull => "an object",
        ValuePartition::False => "false",
        ValuePartition::True => "true",
        ValuePartition::Negative => "below 0",
        ValuePartition::Zero => "0",
        ValuePartition::Positive => "above 0",
        ValuePartition::Alphabetic => "a letter",
        ValuePartition::Digit => "a digit",
        ValuePartition::Other => "neither letter nor digit",
        ValuePartition::Empty => "empty",
        ValuePartition::NonEmpty => "not empty",
    }
}

/// An outcome of a branch in words; branches of the same kind on the same line are told apart by their order.
fn outcome_of(branch: &Branch, outcome: usize, probes: Option<&MethodProbes>) -> String {
    let same_line = |other: &&Branch| other.line == branch.line && noun(other.kind) == noun(branch.kind);
    let on_line: Vec<&Branch> = probes.iter().flat_map(|probes| &probes.branches).filter(same_line).collect();
    let number = on_line.iter().position(|other| other.instruction == branch.instruction).unwrap_or(0) + 1;
    let which = if on_line.len() > 1 {
        format!("{} {number} of {}", noun(branch.kind), on_line.len())
    } else {
        format!("the {}", noun(branch.kind))
    };
    match branch.kind {
        BranchKind::Switch | BranchKind::StringSwitch => {
            let keys =
                branch.outcomes.get(outcome).map(|outcome| outcome.keys.as_slice()).unwrap_or_default();
            let keys: Vec<String> = keys.iter().map(i32::to_string).collect();
            if keys.is_empty() {
                format!("{which} takes the default")
            } else {
                format!("{which} takes case {}", keys.join(", "))
            }
        }
        BranchKind::Integer
        | BranchKind::Wide
        | BranchKind::Null
        | BranchKind::Reference
        | BranchKind::Predicate
        | BranchKind::InstanceOf => {
            // Compilers jump over what a condition guards: which side is the true one cannot be told.
            let way = if outcome == 0 { "jumps" } else { "does not jump" };
            format!("{which} {way}")
        }
    }
}

fn noun(kind: BranchKind) -> &'static str {
    match kind {
        BranchKind::Integer => "comparison of numbers",
        BranchKind::Wide => "comparison of wide numbers",
        BranchKind::Null => "null check",
        BranchKind::Reference => "comparison of references",
        BranchKind::Predicate => "predicate",
        BranchKind::InstanceOf => "instanceof",
        BranchKind::Switch => "switch",
        BranchKind::StringSwitch => "switch on strings",
    }
}

/// A method by class, name and parameters; `name(I)V` is how goals name it.
pub fn method(class: &ClassName, name_and_descriptor: &str) -> String {
    let at = name_and_descriptor.find('(').unwrap_or(name_and_descriptor.len());
    let (name, descriptor) = name_and_descriptor.split_at(at);
    let class = class.binary().replace('$', ".");
    let parameters = MethodDescriptor::parse(descriptor).map_or_else(
        |_| String::new(),
        |parsed| parsed.parameters.iter().map(simple_name).collect::<Vec<_>>().join(", "),
    );
    match name {
        "<clinit>" => format!("the static initializer of {class}"),
        "<init>" => format!("new {class}({parameters})"),
        _ => format!("{class}.{name}({parameters})"),
    }
}

fn simple_name(erased: &ErasedType) -> String {
    match erased {
        ErasedType::Primitive(primitive) => primitive.keyword().to_owned(),
        ErasedType::Class(name) => {
            let name = name.base_name();
            name.rsplit_once('$').map_or(name, |(_, simple)| simple).to_owned()
        }
        ErasedType::Array(element) => format!("{}[]", simple_name(element)),
    }
}

/// Why a goal is open: a name for the kind of reason, what can be counted over many goals, and a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// The kind, one of those in the schema of the report.
    pub reason: &'static str,
    /// A cause that goals of many classes have in common.
    pub cause: String,
    /// The reason in a sentence.
    pub detail: String,
}

/// The kind of reason of goals that were covered and are not in the file.
pub const LOST: &str = "lost";

/// Why no test was made for goals that the project's own tests cover.
pub const EXISTING: &str = "existing";

/// A reason in words.
pub fn why(reason: &Reason) -> Why {
    match reason {
        Reason::NoObject { of, why } => no_object(of, why),
        Reason::NoValue(comparison) => no_value(comparison),
        Reason::Unmet(unmet) => self::unmet(unmet),
        Reason::NoCall(barrier) => {
            let detail = match barrier {
                Barrier::NeverCalled => {
                    "it is private or made by the compiler, and nothing in the class calls it"
                }
                Barrier::Serialization => "it is private, and only serialization calls it",
                Barrier::Inaccessible => {
                    "a test may not name it, and nothing that a test may call leads there"
                }
                Barrier::LeftOut => {
                    "tests leave it out: it needs a caller of its own, acts on the world outside, or never gives the \
                     same twice"
                }
            };
            let cause = match barrier {
                Barrier::NeverCalled => "called by nothing",
                Barrier::Serialization => "called by serialization alone",
                Barrier::Inaccessible => "not accessible",
                Barrier::LeftOut => "left out of tests",
            };
            Why { reason: "no_call", cause: cause.to_owned(), detail: detail.to_owned() }
        }
        Reason::Exception(raised) => exception(raised),
        Reason::Undeliverable(undeliverable) => {
            let what = match undeliverable {
                Undeliverable::TimedOut => "run into a limit of time, steps or stack",
                Undeliverable::Exited => "end the JVM",
                Undeliverable::Files => "touch files",
                Undeliverable::Network => "touch the network",
                Undeliverable::Processes => "start processes",
                Undeliverable::Environment => "read the environment or standard input",
                Undeliverable::Waits => "sleep or wait for long",
            };
            let detail = format!("only tests that {what} get there, and none of those is delivered");
            Why { reason: "undeliverable", cause: format!("only tests that {what}"), detail }
        }
        Reason::Uncarried => Why {
            reason: "uncarried",
            cause: "mutants that cannot be put into the code".to_owned(),
            detail: "the code of its method cannot carry its mutants: it is too large with them, or the JVM refuses it"
                .to_owned(),
        },
        Reason::Budget(unfinished) => {
            let (cause, detail) = match unfinished {
                Unfinished::Improving => (
                    "still improving",
                    "the search was still getting nearer when its budget was spent".to_owned(),
                ),
                Unfinished::Rare(runs) => {
                    let plural = if *runs == 1 { "" } else { "s" };
                    (
                        "rarely reached",
                        format!("only {runs} run{plural} of the search came there"),
                    )
                }
                Unfinished::NotReached => (
                    "not reached",
                    "runs entered its method, or one that calls it, and none came here".to_owned(),
                ),
                Unfinished::NotAimedAt => (
                    "not aimed at",
                    "it does not guide the search, since others subsume it as a rule, and no run covered it on the \
                     way (--goal-selection combine aims at all)"
                        .to_owned(),
                ),
                Unfinished::NotCalled => ("not called", "the search never called it".to_owned()),
                Unfinished::Unknown => ("search cut short", "the search was cut short".to_owned()),
            };
            Why { reason: "budget", cause: cause.to_owned(), detail }
        }
    }
}

fn no_object(of: &str, why: &Unmade) -> Why {
    let (cause, detail) = match why {
        Unmade::NoWay => (
            "no way to make one".to_owned(),
            format!(
                "no {of} can be made: there is no constructor, factory, field or literal that a test may use"
            ),
        ),
        Unmade::Throws(class) => (
            "making one throws".to_owned(),
            format!("no {of} could be made: what makes one throws {}", class.binary()),
        ),
    };
    Why { reason: "no_object", cause, detail }
}

/// A distance in words that a person can read: very large ones by their order.
fn length(distance: f64) -> String {
    const LARGE: f64 = 1e15;
    if distance < LARGE { distance.to_string() } else { format!("{distance:.1e}") }
}

fn no_value(comparison: &Comparison) -> Why {
    let Comparison { kind, line, distance, operands, runs, varied } = comparison;
    let place = line.map_or_else(String::new, |line| format!(" at line {line}"));
    let steadily = if *varied { "" } else { ", nor ever nearer or farther" };
    let nearest = match (operands.as_slice(), distance.map(length)) {
        ([one, other], Some(distance)) => {
            format!("; nearest were {} and {}, {distance} apart", shown(one), shown(other))
        }
        ([one], Some(distance)) => format!("; nearest was {}, {distance} off", shown(one)),
        (_, Some(distance)) if *varied => format!("; the least distance was {distance}"),
        (_, Some(_) | None) => String::new(),
    };
    let detail =
        format!("in {runs} runs the {}{place} never came out this way{steadily}{nearest}", noun(*kind));
    let steady = if *varied { "" } else { ", always the same distance" };
    Why { reason: "no_value", cause: format!("{}{steady}", noun(*kind)), detail }
}

fn unmet(unmet: &Unmet) -> Why {
    let Unmet { distance, runs, varied } = unmet;
    let (steadily, steady) =
        if *varied { ("", "") } else { (", nor ever nearer or farther", ", always the same distance") };
    let nearest = distance.filter(|distance| *varied && *distance > 0.0).map(length);
    let nearest = nearest.map_or_else(String::new, |distance| format!("; the least distance was {distance}"));
    let detail = format!("{runs} runs came there, and it was never so{steadily}{nearest}");
    Why { reason: "no_value", cause: format!("mutant or value{steady}"), detail }
}

fn exception(raised: &Raised) -> Why {
    let thrown_at = raised.thrown_at.as_ref();
    let by = thrown_at.map_or_else(String::new, |frame| format!(" thrown by {}", frame_words(frame)));
    let called_in = raised.left_at.as_ref().filter(|left_at| thrown_at != Some(*left_at));
    let called_in = called_in.and_then(|left_at| left_at.line);
    let called_in = called_in.map_or_else(String::new, |line| format!(", called in line {line},"));
    let detail = format!("{}{by}{called_in} ends the runs that come near", raised.class.binary());
    let simple = raised.class.base_name();
    Why { reason: "exception", cause: simple.rsplit('$').next().unwrap_or(simple).to_owned(), detail }
}

fn frame_words(frame: &StackFrame) -> String {
    let place = frame.line.map_or_else(String::new, |line| format!(" in line {line}"));
    format!("{}.{}{place}", frame.class.binary(), frame.method)
}

/// A value as source code would have it, long strings cut.
fn shown(value: &Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Byte(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Char(value) => match char::from_u32(u32::from(*value)).filter(|c| !c.is_control()) {
            Some(character) => format!("'{character}'"),
            None => value.to_string(),
        },
        Value::Int(value) => value.to_string(),
        Value::Long(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Double(value) => format!("{value:?}"),
        Value::String(text) => {
            let text = text.to_string();
            let cut: String = text.chars().take(LONGEST_TEXT).collect();
            let rest = if cut.len() < text.len() { " …" } else { "" };
            format!("{cut:?}{rest}")
        }
    }
}

/// What is repeated of what a worker said as it died, in bytes. What the class under test prints may be among it.
const SAID: usize = 200;

/// The beginning of a line that a worker said, short enough for a sentence.
pub fn beginning_of(line: &str) -> &str {
    &line[..line.floor_char_boundary(SAID)]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn check(reason: &Reason, kind: &str, cause: &str, detail: &str) {
        let why = why(reason);
        assert_eq!((why.reason, &*why.cause, &*why.detail), (kind, cause, detail));
    }

    #[test]
    fn reasons_are_sentences() {
        let of: Arc<str> = "java.sql.Connection".into();
        check(
            &Reason::NoObject { of: of.clone(), why: Unmade::Throws(ClassName::new("java/lang/Error")) },
            "no_object",
            "making one throws",
            "no java.sql.Connection could be made: what makes one throws java.lang.Error",
        );
        check(
            &Reason::NoCall(Barrier::Serialization),
            "no_call",
            "called by serialization alone",
            "it is private, and only serialization calls it",
        );
        check(
            &Reason::Undeliverable(Undeliverable::Files),
            "undeliverable",
            "only tests that touch files",
            "only tests that touch files get there, and none of those is delivered",
        );
        check(
            &Reason::Budget(Unfinished::Rare(1)),
            "budget",
            "rarely reached",
            "only 1 run of the search came there",
        );
    }

    #[test]
    fn comparisons_show_what_came_nearest() {
        let comparison = |operands: Vec<Value>, varied| {
            Reason::NoValue(Comparison {
                kind: BranchKind::Integer,
                line: Some(7),
                distance: Some(2.0),
                operands,
                runs: 300,
                varied,
            })
        };
        check(
            &comparison(vec![Value::Int(40), Value::Int(42)], true),
            "no_value",
            "comparison of numbers",
            "in 300 runs the comparison of numbers at line 7 never came out this way; nearest were 40 and 42, 2 apart",
        );
        check(
            &comparison(vec![Value::Char(65)], true),
            "no_value",
            "comparison of numbers",
            "in 300 runs the comparison of numbers at line 7 never came out this way; nearest was 'A', 2 off",
        );
        check(
            &comparison(Vec::new(), false),
            "no_value",
            "comparison of numbers, always the same distance",
            "in 300 runs the comparison of numbers at line 7 never came out this way, nor ever nearer or farther",
        );
    }

    #[test]
    fn mutants_and_values_tell_how_near_runs_came() {
        let unmet = |distance, varied| Reason::Unmet(Unmet { distance, runs: 300, varied });
        check(
            &unmet(Some(2.0), true),
            "no_value",
            "mutant or value",
            "300 runs came there, and it was never so; the least distance was 2",
        );
        check(
            &unmet(Some(1.0), false),
            "no_value",
            "mutant or value, always the same distance",
            "300 runs came there, and it was never so, nor ever nearer or farther",
        );
    }

    #[test]
    fn very_large_distances_are_told_by_their_order() {
        assert_eq!([0.5, 3.0, f64::MAX].map(length), ["0.5", "3", "1.8e308"]);
    }

    #[test]
    fn exceptions_say_where() {
        let frame =
            |class: &str, line| StackFrame { class: class.into(), method: "f".into(), line: Some(line) };
        let raised = |thrown_at, left_at| {
            Reason::Exception(Raised { class: ClassName::new("p/Bad$Luck"), thrown_at, left_at })
        };
        check(
            &raised(Some(frame("p/A", 3)), Some(frame("p/B", 9))),
            "exception",
            "Luck",
            "p.Bad$Luck thrown by p.A.f in line 3, called in line 9, ends the runs that come near",
        );
        check(
            &raised(Some(frame("p/A", 3)), Some(frame("p/A", 3))),
            "exception",
            "Luck",
            "p.Bad$Luck thrown by p.A.f in line 3 ends the runs that come near",
        );
        check(&raised(None, None), "exception", "Luck", "p.Bad$Luck ends the runs that come near");
    }

    #[test]
    fn methods_are_named_as_in_source() {
        let check = |class: &str, name: &str, expect: &str| {
            assert_eq!(method(&ClassName::new(class), name), expect);
        };
        check(
            "p/Foo$Bar",
            "f(I[Ljava/lang/String;Ljava/util/Map$Entry;)V",
            "p.Foo.Bar.f(int, String[], Entry)",
        );
        check("p/Foo", "<init>()V", "new p.Foo()");
        check("p/Foo", "<clinit>()V", "the static initializer of p.Foo");
    }
}
