//! Embeds the runner of the verification JVMs (`java/covolve/runner`), as members of a jar.

use embedded_java::{Package, Result};

fn main() -> Result<()> {
    let runner = Package { name: "covolve/runner", warnings: &["-Xlint:-options"], declarations: None };
    runner.embed("runner_classes.rs", |name| format!("\"{name}.class\""))
}
