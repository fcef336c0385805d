//! The tests of a suite once more, in other surroundings.

use jvm::options::{IdentityHash, JvmOptions, MOST_TURNS};

/// When the clock starts: another year, month, day of the week and part of the day than that of a search, and in
/// daylight saving time where there is one.
const CLOCK_MS: i64 = 1_942_112_714_159;

/// Seeds differ from those of a search in about half of their bits.
const SEED: u64 = 0x5851_F42D_4C95_7F2D;

/// Enough for a thread to start, and to end where it has little to do, beside the JVMs that verify.
const GIVES_WAY_MS: u32 = 30;

/// Gives a JVM a clock, seeds, hash codes, a machine, a locale, a zone and an encoding that no search has: all are fixed, and the same
/// suite is judged the same each time. Threads that the code starts are first, where they are second in a search, as far as
/// the machine lets them.
pub(super) fn change_surroundings(options: &mut JvmOptions) {
    options.clock_ms = CLOCK_MS;
    options.random_seed = SEED;
    options.is_elsewhere = true;
    options.gives_way_ms = GIVES_WAY_MS;
    options.limit_ms += MOST_TURNS * GIVES_WAY_MS;
    options.identity_hash = IdentityHash::Counted;
    options.language = "de".into();
    options.country = "DE".into();
    // Nine and a half hours behind Greenwich. The second plain JVM is in a zone before it: a time that falls on the same day there falls
    // on another one here.
    options.time_zone = "Pacific/Marquesas".into();
    options.extra.push("-Dfile.encoding=ISO-8859-1".into());
}
