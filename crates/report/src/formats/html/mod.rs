//! One self-contained HTML file, for people: the project with its packages and classes, and a page per class.
//!
//! * [`page`]: what is there when the file opens: totals, reasons, the table of classes
//! * [`class_data`]: what the page of a class is made of when it is looked at, compressed, so that thousands of them open at once
//! * [`chart`]: coverage over time, drawn
//! * `style.css`, and the scripts: `page.js` (ways between pages, search, keyboard, theme), `class.js` (the page of a class)
//!
//! Nothing is loaded from elsewhere, and the file forbids itself to.

mod chart;
mod class_data;
mod page;

use crate::format::{Choice, Format};
use crate::model::ProjectReport;

/// HTML.
pub const FORMAT: Format = Format {
    name: "html",
    summary: "one self-contained page to look at: projects, classes, source, goals, tests",
    file: "covolve-report.html",
    needs_all_goals: false,
    render,
};

fn render(report: &ProjectReport, _: &Choice) -> String {
    page::page(report).into_string()
}
