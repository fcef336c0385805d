//! `cargo xtask draw-console`: draws what a terminal showed, as `tmux capture-pane -p` prints it, as a picture for the documents.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser;
use experiment::console::{parse, say};

/// Draw what a terminal showed as a picture.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask draw-console")]
struct Options {
    /// Files with a screen each, one below the other in the picture.
    #[arg(required = true)]
    screens: Vec<PathBuf>,

    /// The picture.
    #[arg(long, default_value = "docs/guide/images/console.svg")]
    out: PathBuf,
}

/// Columns and rows of a character, and what is left around a screen, in pixels.
const WIDTH: usize = 8;
const HEIGHT: usize = 18;
const MARGIN: usize = 16;

/// Colours of the page between screens, of a screen, of its frame, and of its text.
const COLOURS: [&str; 4] = ["none", "#16181d", "#3a3f4b", "#d7dae0"];

pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let read = |path: &PathBuf| {
        fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
    };
    let screens = options.screens.iter().map(read).collect::<anyhow::Result<Vec<String>>>()?;
    fs::write(&options.out, picture(&screens))
        .with_context(|| format!("{} cannot be written", options.out.display()))?;
    say(&format!("{} shows {} screens", options.out.display(), screens.len()));
    Ok(())
}

/// The screens as a picture in SVG, each as wide as the widest.
fn picture(screens: &[String]) -> String {
    let screens: Vec<&str> = screens.iter().map(|screen| screen.trim_end()).collect();
    let widest = screens.iter().flat_map(|screen| screen.lines()).map(|line| line.chars().count()).max();
    let width = widest.unwrap_or(0) * WIDTH + 2 * MARGIN;
    let [page, screen_colour, frame, text_colour] = COLOURS;
    let (mut drawn, mut top) = (Vec::new(), 0);
    for screen in screens {
        let height = screen.lines().count() * HEIGHT + 2 * MARGIN;
        drawn.push(format!(
            "<rect x=\"0.5\" y=\"{top}.5\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"{screen_colour}\" stroke=\"{frame}\"/>\n",
            width - 1,
            height - 1
        ));
        for (row, line) in screen.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let indent = line.chars().take_while(|character| *character == ' ').count();
            let text = line.trim();
            // The length is said, since not every machine has the same letters.
            drawn.push(format!(
                "<text x=\"{}\" y=\"{}\" textLength=\"{}\">{}</text>\n",
                MARGIN + indent * WIDTH,
                top + MARGIN + row * HEIGHT + HEIGHT - 5,
                text.chars().count() * WIDTH,
                escaped(text)
            ));
        }
        top += height + MARGIN;
    }
    let (drawn, height) = (drawn.concat(), top.saturating_sub(MARGIN));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         style=\"background:{page}\">\n<g fill=\"{text_colour}\" font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"13\" style=\"white-space:pre\">\n{drawn}</g>\n</svg>\n"
    )
}

/// Text in XML, with all its spaces.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(' ', "\u{a0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screens_stand_below_each_other() {
        let drawn = picture(&["a <b>\n\n  c  d\n\n".to_owned(), "wide enough".to_owned()]);
        for expect in [
            "width=\"120\" height=\"152\" viewBox",
            "<rect x=\"0.5\" y=\"0.5\" width=\"119\" height=\"85\"",
            "<text x=\"16\" y=\"29\" textLength=\"40\">a\u{a0}&lt;b&gt;</text>",
            "<text x=\"32\" y=\"65\" textLength=\"32\">c\u{a0}\u{a0}d</text>",
            "<rect x=\"0.5\" y=\"102.5\"",
            "<text x=\"16\" y=\"131\" textLength=\"88\">",
        ] {
            assert!(drawn.contains(expect), "{expect}: {drawn}");
        }
        assert_eq!(drawn.matches("<text").count(), 3, "an empty row is none");
    }
}
