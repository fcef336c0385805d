//! Cobertura's XML, in the shape of `coverage-04.dtd`: rates of packages and classes, lines with their conditions.

use std::collections::BTreeMap;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::format::{Choice, Format};
use crate::lines::{Branch, Line, LinesOfClass, classes};
use crate::model::ProjectReport;
use crate::tally::Tally;

/// Cobertura.
pub const FORMAT: Format = Format {
    name: "cobertura",
    summary: "lines and branches for whatever reads Cobertura's XML",
    file: "covolve-cobertura.xml",
    needs_all_goals: true,
    render,
};

type Xml = Writer<Vec<u8>>;

/// Lines and branches of something.
#[derive(Debug, Clone, Copy, Default)]
struct Rates {
    lines: Tally,
    branches: Tally,
}

impl Rates {
    fn of<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let mut rates = Self::default();
        for line in lines {
            rates.lines += Tally { goals: 1, covered: usize::from(line.hits > 0) };
            rates.branches += line.outcomes();
        }
        rates
    }

    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.branches += other.branches;
    }

    fn line_rate(self) -> String {
        rate(self.lines)
    }

    fn branch_rate(self) -> String {
        rate(self.branches)
    }
}

/// From 0 to 1; 1 where there is nothing to be covered.
fn rate(tally: Tally) -> String {
    if tally.goals == 0 {
        "1".to_owned()
    } else {
        format!("{:.4}", tally.covered as f64 / tally.goals as f64)
    }
}

/// A class with the file that it lies in.
struct Entry {
    class: LinesOfClass,
    file: String,
    lines: BTreeMap<u32, Line>,
    rates: Rates,
}

fn render(report: &ProjectReport, _: &Choice) -> String {
    let mut packages: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for module in &report.modules {
        for class in &module.classes {
            let file = module.path_of(&class.source);
            let entries = packages.entry(class.package().to_owned()).or_default();
            entries.extend(classes(class).into_iter().map(|class| {
                let lines = class.lines();
                Entry { rates: Rates::of(lines.values()), lines, file: file.clone(), class }
            }));
        }
    }
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut xml, report, &packages)
        .unwrap_or_else(|error| unreachable!("a vector takes all bytes: {error}"));
    let mut text = String::from_utf8(xml.into_inner())
        .unwrap_or_else(|error| unreachable!("what is written is text: {error}"));
    text.push('\n');
    text
}

fn write(xml: &mut Xml, report: &ProjectReport, packages: &BTreeMap<String, Vec<Entry>>) -> io::Result<()> {
    let mut all = Rates::default();
    for entry in packages.values().flatten() {
        all.add(entry.rates);
    }
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let doctype = "coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\"";
    xml.write_event(Event::DocType(BytesText::from_escaped(doctype)))?;
    let counts = [
        ("line-rate", all.line_rate()),
        ("branch-rate", all.branch_rate()),
        ("lines-covered", all.lines.covered.to_string()),
        ("lines-valid", all.lines.goals.to_string()),
        ("branches-covered", all.branches.covered.to_string()),
        ("branches-valid", all.branches.goals.to_string()),
        ("complexity", "0".to_owned()),
        ("version", format!("covolve {}", report.covolve)),
        // When is not known here, and the same report has the same bytes.
        ("timestamp", "0".to_owned()),
    ];
    element(xml, "coverage", &counts, |xml| {
        element(xml, "sources", &[], |xml| {
            xml.create_element("source").write_text_content(BytesText::new("."))?;
            Ok(())
        })?;
        element(xml, "packages", &[], |xml| {
            packages.iter().try_for_each(|(name, entries)| package(xml, name, entries))
        })
    })
}

fn package(xml: &mut Xml, name: &str, entries: &[Entry]) -> io::Result<()> {
    let mut all = Rates::default();
    for entry in entries {
        all.add(entry.rates);
    }
    element(xml, "package", &with_rates([("name", name.to_owned())], all), |xml| {
        element(xml, "classes", &[], |xml| entries.iter().try_for_each(|entry| class(xml, entry)))
    })
}

fn class(xml: &mut Xml, entry: &Entry) -> io::Result<()> {
    let names = [("name", entry.class.name.clone()), ("filename", entry.file.clone())];
    element(xml, "class", &with_rates(names, entry.rates), |xml| {
        element(xml, "methods", &[], |xml| {
            entry.class.methods.iter().try_for_each(|(name, method)| {
                let at = name.find('(').unwrap_or(name.len());
                let (name, signature) = name.split_at(at);
                let names = [("name", name.to_owned()), ("signature", signature.to_owned())];
                let attributes = with_rates(names, Rates::of(method.lines.values()));
                element(xml, "method", &attributes, |xml| lines(xml, &method.lines))
            })
        })?;
        lines(xml, &entry.lines)
    })
}

/// Attributes of whatever has rates, behind its own.
fn with_rates<const N: usize>(own: [(&'static str, String); N], rates: Rates) -> Vec<(&'static str, String)> {
    let rates = [
        ("line-rate", rates.line_rate()),
        ("branch-rate", rates.branch_rate()),
        ("complexity", "0".to_owned()),
    ];
    own.into_iter().chain(rates).collect()
}

fn lines(xml: &mut Xml, lines: &BTreeMap<u32, Line>) -> io::Result<()> {
    element(xml, "lines", &[], |xml| {
        lines.iter().try_for_each(|(number, line)| write_line(xml, *number, line))
    })
}

fn write_line(xml: &mut Xml, number: u32, line: &Line) -> io::Result<()> {
    let all = line.outcomes();
    let mut attributes = vec![
        ("number", number.to_string()),
        ("hits", line.hits.to_string()),
        ("branch", (all.goals > 0).to_string()),
    ];
    if all.goals == 0 {
        return empty(xml, "line", &attributes);
    }
    attributes.push(("condition-coverage", coverage(all)));
    element(xml, "line", &attributes, |xml| {
        element(xml, "conditions", &[], |xml| {
            line.branches.iter().map(Branch::tally).enumerate().try_for_each(|(number, condition)| {
                let share = condition.covered * 100 / condition.goals.max(1);
                let kind = if condition.goals > 2 { "switch" } else { "jump" };
                let attributes = [
                    ("number", number.to_string()),
                    ("type", kind.to_owned()),
                    ("coverage", format!("{share}%")),
                ];
                empty(xml, "condition", &attributes)
            })
        })
    })
}

/// `50% (1/2)`.
fn coverage(tally: Tally) -> String {
    format!("{}% ({}/{})", tally.covered * 100 / tally.goals.max(1), tally.covered, tally.goals)
}

fn element(
    xml: &mut Xml,
    name: &str,
    attributes: &[(&'static str, String)],
    inner: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> io::Result<()> {
    let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
    xml.create_element(name).with_attributes(attributes).write_inner_content(inner)?;
    Ok(())
}

fn empty(xml: &mut Xml, name: &str, attributes: &[(&'static str, String)]) -> io::Result<()> {
    let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
    xml.create_element(name).with_attributes(attributes).write_empty()?;
    Ok(())
}
