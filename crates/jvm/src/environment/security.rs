//! Secure randomness: a provider of ours comes first, so that the default `SecureRandom` repeats itself.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::JvmError;
use crate::home::JavaHome;

/// The class of the provider.
const PROVIDER: &str = "covolve.runtime.FixedRandom$Source";

/// Writes the properties that the JDK reads on top of its own security file when it first needs them.
pub(crate) fn security_properties(home: &JavaHome, scratch: &Path) -> Result<PathBuf, JvmError> {
    let text = overriding(&home.security_properties().unwrap_or_default());
    let file = scratch.join("covolve.security");
    write(&file, &text)
        .map_err(|reason| JvmError::System { what: "the scratch folder cannot be written", reason })?;
    Ok(file)
}

#[expect(clippy::disallowed_methods, reason = "the JVM reads this one file from the scratch folder")]
fn write(file: &Path, text: &str) -> std::io::Result<()> {
    fs::write(file, text)
}

/// The providers of a security file, each one place further back, with ours in front; and no caches of host
/// names, which would outlive a test.
fn overriding(original: &str) -> String {
    let mut text = format!("security.provider.1={PROVIDER}\n");
    let provider = |line: &str| {
        let (number, name) = line.trim().strip_prefix("security.provider.")?.split_once('=')?;
        Some((number.trim().parse::<u32>().ok()?, name.trim().to_owned()))
    };
    for (number, name) in original.lines().filter_map(provider) {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "security.provider.{}={name}", number + 1);
    }
    text.push_str("networkaddress.cache.ttl=0\nnetworkaddress.cache.negative.ttl=0\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_move_back_by_one() {
        let original =
            "# security.provider.1=Commented\nsecurity.provider.1=SUN\nsecurity.provider.2 = SunEC\nkey=x\n";
        let expect = "security.provider.1=covolve.runtime.FixedRandom$Source\n\
                      security.provider.2=SUN\n\
                      security.provider.3=SunEC\n\
                      networkaddress.cache.ttl=0\n\
                      networkaddress.cache.negative.ttl=0\n";
        assert_eq!(overriding(original), expect);
    }
}
