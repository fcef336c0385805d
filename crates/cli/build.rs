//! Links the command so that it can start a JVM.

fn main() {
    // The JVM finds the agent that is linked into the worker among the symbols of the running program.
    println!("cargo::rustc-link-arg-bins=-rdynamic");
    println!("cargo::rerun-if-changed=build.rs");
}
