//! Embeds the classes of the run time (`java/covolve/runtime`), and lets tests, benches and examples of this crate export
//! the agent.

use embedded_java::{Package, Result};

fn main() -> Result<()> {
    // HotSpot looks the agent up as a dynamic symbol of the running program.
    println!("cargo::rustc-link-arg=-rdynamic");
    let runtime = Package {
        name: "covolve/runtime",
        warnings: &["-Xlint:all", "-Xlint:-options", "-Werror"],
        declarations: None,
    };
    runtime.embed("runtime_classes.rs", |name| format!("c{name:?}"))
}
