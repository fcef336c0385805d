//! What is there when the file opens: totals, coverage over time, reasons, and the table of classes.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{chart, class_data};
use crate::model::{Class, Module, ProjectReport};
use crate::reasons::{self, Summary, summaries};
use crate::tally::{Tally, by_criterion, classes, grouped, shown_criteria, title};

const STYLE: &str = include_str!("style.css");
const SCRIPTS: [&str; 2] = [include_str!("class.js"), include_str!("page.js")];

/// Nothing is loaded, whatever a text of the report says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Classes of a report whose packages are all unfolded at first.
const MOST_UNFOLDED: usize = 120;

/// Causes that are named of a kind of reason.
const MOST_CAUSES: usize = 4;

/// The whole page.
pub(super) fn page(report: &ProjectReport) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (report.project) " \u{2013} test coverage" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "To the content" }
                (header(report))
                div #main tabindex="-1" {
                    main #overview { (overview(report)) }
                    main #class hidden {}
                }
                (help())
                (data(report))
                @for script in SCRIPTS { script { (PreEscaped(script)) } }
            }
        }
    }
}

fn header(report: &ProjectReport) -> Markup {
    html! {
        header.top {
            nav aria-label="Breadcrumb" {
                a #home href="#" { (report.project) }
                span #crumbs {}
            }
            div.tools {
                label.search {
                    span.visually-hidden { "Find classes" }
                    input #search type="search" placeholder="Find a class" autocomplete="off" spellcheck="false"
                        aria-keyshortcuts="/";
                    kbd aria-hidden="true" { "/" }
                }
                button #theme type="button" { "Theme: system" }
                button #help-button type="button" aria-keyshortcuts="?" { "Keys" }
            }
        }
    }
}

fn overview(report: &ProjectReport) -> Markup {
    let number = classes(report).count();
    let tests: usize = classes(report).map(|class| class.tests.len()).sum();
    let untested = classes(report).filter(|class| class.test_file.is_none()).count();
    html! {
        div.title {
            h1 { (report.project) }
            p.sub {
                (grouped(number as u64)) @if number == 1 { " class, " } @else { " classes, " }
                (grouped(tests as u64)) @if tests == 1 { " test" } @else { " tests" }
                @if untested > 0 { ", " (grouped(untested as u64)) " without a test file" }
                ". Written by covolve " (report.covolve) "."
            }
        }
        div.columns {
            section aria-labelledby="totals" {
                h2 #totals { "Coverage" }
                (totals(&by_criterion(report)))
            }
            @if let Some(chart) = chart::of_project(report) {
                section aria-labelledby="time" {
                    h2 #time { "Goals covered over time" }
                    (chart)
                    p.note { "All classes together, each counted from its own start." }
                }
            }
        }
        (why(&summaries(report)))
        (table(report))
    }
}

/// Goals by criterion.
fn totals(rows: &[(String, Tally)]) -> Markup {
    html! {
        table.figures {
            thead { tr {
                th scope="col" { "Criterion" }
                th.number scope="col" { "Covered" }
                th.number scope="col" { "Goals" }
                th.number scope="col" { "Share" }
                th.wide scope="col" { span.visually-hidden { "As a bar" } }
            } }
            tbody {
                @for (name, tally) in rows {
                    tr {
                        th scope="row" { (title(name)) }
                        td.number { (grouped(tally.covered as u64)) }
                        td.number { (grouped(tally.goals as u64)) }
                        td.number { (tally.percent()) }
                        td.wide { (bar(*tally)) }
                    }
                }
            }
        }
    }
}

/// A share as a bar; what it says stands beside it as a number.
fn bar(tally: Tally) -> Markup {
    let share = tally.thousandths();
    html! {
        @if let Some(share) = share {
            span.bar aria-hidden="true" { span style=(format!("width:{}.{}%", share / 10, share % 10)) {} }
        }
    }
}

fn why(summaries: &[Summary]) -> Markup {
    html! {
        @if !summaries.is_empty() {
            section aria-labelledby="why" {
                h2 #why { "Why goals are open" }
                table.figures.reasons {
                    thead { tr {
                        th scope="col" { "Reason" }
                        th.number scope="col" { "Goals" }
                        th.number scope="col" { "Classes" }
                        th scope="col" { "Causes" }
                        th scope="col" { "What may help" }
                    } }
                    tbody {
                        @for summary in summaries {
                            tr {
                                th scope="row" { (reasons::title(&summary.kind)) }
                                td.number { (grouped(summary.goals as u64)) }
                                td.number { (grouped(summary.classes as u64)) }
                                td { (summary.causes_in_words(MOST_CAUSES)) }
                                td.advice {
                                    @if let Some(kind) = reasons::kind(&summary.kind) { (with_options(kind.advice)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A text in which options of the command stand out.
fn with_options(text: &str) -> Markup {
    html! {
        @for (number, word) in text.split(' ').enumerate() {
            @if number > 0 { " " }
            @if word.starts_with("--") { code { (word) } } @else { (word) }
        }
    }
}

/// The table of classes, a body per package.
fn table(report: &ProjectReport) -> Markup {
    let shown = shown_criteria(report);
    let folded = classes(report).count() > MOST_UNFOLDED;
    let has_modules = report.modules.len() > 1;
    let mut number = 0;
    html! {
        section aria-labelledby="classes" {
            h2 #classes { "Classes" }
            p.note #found role="status" {}
            table.classes #table {
                thead { tr {
                    (head("Class", "name", false))
                    (head("All goals", "share", false))
                    @for name in &shown { (head(&title(name), name, true)) }
                    (head("Open", "open", false))
                    (head("Tests", "tests", true))
                } }
                @for module in &report.modules {
                    @for package in packages(module) {
                        tbody.folded[folded] {
                            tr.package {
                                th scope="rowgroup" {
                                    button type="button" aria-expanded=(if folded { "false" } else { "true" }) {
                                        @if has_modules { span.module { (module.name) } " " }
                                        @if package.name.is_empty() { "unnamed package" } @else { (package.name) }
                                    }
                                }
                                (cells(&package.classes, &shown))
                            }
                            @for class in &package.classes {
                                tr.class data-n=({ number += 1; number - 1 }) data-name=(class.name)
                                    data-module=[has_modules.then_some(&module.name)] {
                                    th scope="row" {
                                        a href=(link(class, has_modules.then_some(module))) { (class.simple_name()) }
                                    }
                                    (cells(std::slice::from_ref(class), &shown))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The head of a column; those that are `extra` are left out where there is little room.
fn head(text: &str, key: &str, is_extra: bool) -> Markup {
    html! {
        th.number[key != "name"].extra[is_extra] scope="col" aria-sort=[(key == "name").then_some("ascending")] {
            button type="button" data-key=(key) { (text) }
        }
    }
}

/// The figures of classes together.
fn cells(classes: &[&Class], shown: &[&str]) -> Markup {
    let all: Tally = classes.iter().map(|class| Tally::of(class)).sum();
    let tests: usize = classes.iter().map(|class| class.tests.len()).sum();
    let share = |tally: Tally| tally.thousandths().map_or(-1, |share| share as i64);
    html! {
        td.number data-v=(share(all)) { (bar(all)) span.figure { (all.percent()) } }
        @for name in shown {
            @let tally: Tally = classes.iter().map(|class| Tally::by(class, name)).sum();
            td.number.extra data-v=(share(tally)) { (tally.percent()) }
        }
        td.number data-v=(all.open()) { (grouped(all.open() as u64)) }
        td.number.extra data-v=(tests) { (grouped(tests as u64)) }
    }
}

/// The page of a class, as the part of an address behind the hash.
fn link(class: &Class, module: Option<&Module>) -> String {
    const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.');
    let encoded = |text: &str| utf8_percent_encode(text, PLAIN).to_string();
    let module = module.map_or_else(String::new, |module| format!("&module={}", encoded(&module.name)));
    format!("#class={}{module}", encoded(&class.name))
}

struct Package<'a> {
    name: &'a str,
    classes: Vec<&'a Class>,
}

/// The packages of a module by name, each with its classes.
fn packages(module: &Module) -> Vec<Package<'_>> {
    let mut by_name: BTreeMap<&str, Vec<&Class>> = BTreeMap::new();
    for class in &module.classes {
        by_name.entry(class.package()).or_default().push(class);
    }
    by_name.into_iter().map(|(name, classes)| Package { name, classes }).collect()
}

/// The packed classes, in the order of their rows.
fn data(report: &ProjectReport) -> Markup {
    let classes = report.modules.iter().flat_map(|module| {
        packages(module)
            .into_iter()
            .flat_map(|package| package.classes)
            .map(move |class| class_data::packed(module, class))
    });
    html! {
        @for (number, packed) in classes.enumerate() {
            script type="text/plain" id=(format!("data-{number}")) { (PreEscaped(packed)) }
        }
    }
}

fn help() -> Markup {
    let keys = [
        ("/", "find a class"),
        ("\u{2191} \u{2193}", "go from row to row, and in a source from line to line with goals"),
        ("\u{2190} \u{2192}", "fold and unfold a package"),
        ("Enter", "open the class, or show the goals of the line"),
        ("n p", "the next and the previous line with open goals"),
        ("Esc", "back: out of the search, out of the class"),
        ("t", "light, dark, or as the system is"),
        ("?", "this list"),
    ];
    html! {
        dialog #help aria-labelledby="keys" {
            h2 #keys { "Keys" }
            dl { @for (key, what) in keys { dt { kbd { (key) } } dd { (what) } } }
            form method="dialog" { button { "Close" } }
        }
    }
}
