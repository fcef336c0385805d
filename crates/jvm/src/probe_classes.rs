//! The classes that probes call, for JVMs that others start: there they lie on the class path, beside what calls them.

use crate::runtime::CLASSES;

/// Path of each class file below a root of a class path, and its bytes.
pub fn probe_classes() -> impl Iterator<Item = (String, &'static [u8])> {
    CLASSES.iter().map(|(name, bytes)| (format!("{}.class", name.to_string_lossy()), *bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_files_lie_where_class_loaders_look_for_them() {
        let paths: Vec<String> = probe_classes().map(|(path, _)| path).collect();
        assert!(paths.iter().any(|path| path == "covolve/runtime/Probe.class"), "{paths:?}");
    }
}
