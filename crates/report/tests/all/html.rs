//! The page: what a browser reads of it, whatever texts it holds, and how large it gets.

use std::io::Read as _;

use crate::support::{AWKWARD, class, ordinary, project};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use report::format::{Choice, format};
use report::model::{Class, Module, ProjectReport};
use serde_json::Value;

fn page(report: &ProjectReport) -> String {
    (format("html").unwrap().render)(report, &Choice::default())
}

/// The data of a class as the page unpacks them.
fn unpacked(page: &str, number: usize) -> Value {
    let start = format!("<script type=\"text/plain\" id=\"data-{number}\">");
    let (_, rest) = page.split_once(&start).unwrap();
    let (packed, _) = rest.split_once("</script>").unwrap();
    let mut json = String::new();
    DeflateDecoder::new(&*STANDARD.decode(packed).unwrap()).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

#[test]
fn nothing_is_loaded_and_no_text_breaks_out() {
    let page = page(&project());
    for forbidden in ["http:", "https:", " src=", "@import", "url(", "<link", AWKWARD, "A <project>"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("default-src 'none'"), "the page forbids itself to load anything");
    let scripts = page.matches("<script").count();
    assert_eq!((scripts, page.matches("</script>").count()), (4, 4), "two of classes, two of ours");
    assert!(page.contains("p.Größe&lt;&amp;&quot;'|`$&lt;/script&gt;"));
}

#[test]
fn elements_are_closed_and_ids_are_unique() {
    let page = page(&project());
    for tag in [
        "table", "tbody", "tr", "th", "td", "section", "main", "header", "nav", "dialog", "button", "svg",
        "a",
    ] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    for reference in page.split(" aria-labelledby=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(ids.contains(&reference) || reference.contains('$'), "{reference}");
    }
}

#[test]
fn classes_have_their_rows_with_figures_and_links() {
    let page = page(&project());
    let link = "href=\"#class=p.Gr%C3%B6%C3%9Fe%3C%26%22%27%7C%60%24%3C%2Fscript%3E&amp;module=core\"";
    assert!(page.contains(link), "{page}");
    // 6 of 10 goals, 2 of 3 lines, 1 of 4 branches, the mutant; 4 open, 2 tests.
    for cell in [">60.0 %<", ">66.6 %<", ">25.0 %<", ">100.0 %<", "data-v=\"4\">4<", "data-v=\"2\">2<"] {
        assert!(page.contains(cell), "{cell}");
    }
    assert!(
        page.contains("No object can be made") && page.contains("no way to make one"),
        "reasons with causes"
    );
}

#[test]
fn the_data_of_a_class_are_whole_and_say_what_repeats_once() {
    let data = unpacked(&page(&project()), 0);
    let class = class();
    assert_eq!(data["name"], AWKWARD);
    assert_eq!(data["source"][0], "core/src/main/java/p/Größe.java");
    assert_eq!(data["source"][1], class.source.text.unwrap());
    assert_eq!(data["file"][1], class.test_file.unwrap().text);
    assert_eq!(data["tests"], serde_json::json!([["one", 2, 4], ["two", 6, 8]]));
    assert_eq!(data["reasons"].as_array().unwrap().len(), 2, "three goals have one reason");
    let goals = data["goals"].as_array().unwrap();
    assert_eq!(goals.len(), class.goals.len());
    assert_eq!(goals[0][3], serde_json::json!([0, 1]), "tests by number");
    assert_eq!((&goals[1][3], &goals[2][3], &goals[3][1]), (&0.into(), &1.into(), &0.into()));
    let killers: Vec<&Value> =
        goals.iter().map(|goal| &goal[4]).filter(|killers| **killers != serde_json::json!([])).collect();
    assert_eq!(killers, [&serde_json::json!([1])], "one mutant is killed, by the second test");
    assert_eq!(data["complete"], true);
    assert!(data["chart"].as_str().unwrap().contains("4 of 10 goals covered after 1.5 seconds"));
    assert_eq!(unpacked(&page(&project()), 1)["complete"], true, "a class without goals lacks none");
}

#[test]
fn two_thousand_classes_stay_small_until_they_are_looked_at() {
    let classes: Vec<Class> = (0..2000).map(ordinary).collect();
    let plain = serde_json::to_string(&classes).unwrap().len();
    let module = Module { classes, ..Module::default() };
    let page = page(&ProjectReport { modules: vec![module], ..ProjectReport::default() });
    let packed = page
        .split("id=\"data-")
        .skip(1)
        .map(|rest| rest.split("</script>").next().unwrap().len())
        .sum::<usize>();
    let (whole, at_once) = (page.len(), page.len() - packed);
    assert!(at_once < 3_000_000, "what is parsed when the page opens: {at_once} bytes");
    assert!(whole < plain / 8, "{whole} bytes of {plain}");
    assert_eq!(page.matches("<tr class=\"class\"").count(), 2000);
    assert_eq!(
        page.matches("class=\"folded\"").count(),
        80,
        "packages are folded where there are many classes"
    );
}
