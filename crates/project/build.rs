//! Embeds the extension of Maven (`java/covolve/maven`), as members of a jar.

use embedded_java::{Package, Result};

fn main() -> Result<()> {
    let extension =
        Package { name: "covolve/maven", warnings: &["-Xlint:-options"], declarations: Some("maven-api") };
    extension.embed("maven_classes.rs", |name| format!("\"{name}.class\""))
}
