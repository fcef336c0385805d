//! Lets the benches that run tests export the agent.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // HotSpot looks the agent up as a dynamic symbol of the running program.
    println!("cargo::rustc-link-arg-bins=-rdynamic");
}
