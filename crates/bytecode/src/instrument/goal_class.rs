//! A class with goals that was instrumented in advance, and what it takes to do it again.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::analysis::{AnalysisOptions, ProbeIds};
use crate::class_file::ClassFileError;
use crate::name::ClassName;
use crate::probe_map::ProbeMap;

use super::{Limits, StaticFields, instrument_limited};

/// A class that was instrumented before a JVM started, because goals lie in it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GoalClass {
    /// Its name.
    pub name: ClassName,
    /// Hash of the original class file, as [`ProbeMap::hash`].
    pub hash: u64,
    /// The instrumented class file.
    pub bytes: Vec<u8>,
    /// What it was instrumented with.
    pub options: AnalysisOptions,
    /// What its methods may carry.
    pub limits: Limits,
    /// The next free ids before that and behind it.
    pub ids: (ProbeIds, ProbeIds),
}

impl GoalClass {
    /// Instruments a class file as [`instrument_limited`] does; gives its probes as well.
    ///
    /// # Errors
    /// As [`instrument_limited`].
    pub fn instrument(
        name: ClassName,
        bytes: &[u8],
        options: AnalysisOptions,
        limits: Limits,
        (ids, statics): (&mut ProbeIds, &mut StaticFields),
    ) -> Result<(Self, ProbeMap), ClassFileError> {
        let before = *ids;
        let done = instrument_limited(bytes, options, ids, statics, &limits)?;
        let (hash, ids) = (done.map.hash, (before, *ids));
        Ok((Self { name, hash, bytes: done.bytes, options, limits, ids }, done.map))
    }

    /// Its probes.
    pub fn probes(&self) -> Range<u32> {
        self.ids.0.probes..self.ids.1.probes
    }
}
