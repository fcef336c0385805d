//! Instrumented classes: a class file copied as it is but for the code of its methods and the constants behind
//! its own.

use super::branch::BranchSite;
use super::code_editor::{CodeEditor, EditError, patch};
use super::constants::NewConstants;
use super::frames::{self, AtEntry};
use super::insertions::Insertions;
use super::limits::{Level, Limits};
use super::method::{ClassFacts, Edits, Method, Report};
use super::recorded::{LoggedMethod, LoggedMethods};
use super::scan::{self, Scan};
use super::static_fields::StaticFields;
use super::{PROBES, Probe, ProbeSet, Sites};
use crate::analysis::{AnalysisOptions, ClassAnalysis, MethodPlacements, ProbeIds, analyze};
use crate::class_file::{Attribute, ClassFile, ClassFileError, Member};
use crate::flags;
use crate::probe_layout::SignatureNumbers;
use crate::probe_map::{MethodProbes, ProbeId, ProbeMap, SkipReason, SkippedMethod};

/// A class with the full set of probes.
#[derive(Debug, Clone)]
pub struct Instrumented {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Where its probes are.
    pub map: ProbeMap,
}

/// Gives a class the full set of probes: for classes with goals.
///
/// A method that cannot carry them gets the light set if that fits, and is listed as skipped either way.
///
/// # Errors
/// Bytes that are no class file. A method whose code is malformed is no error but skipped.
pub fn instrument_full(
    bytes: &[u8],
    options: AnalysisOptions,
    ids: &mut ProbeIds,
    statics: &mut StaticFields,
) -> Result<Instrumented, ClassFileError> {
    instrument_limited(bytes, options, ids, statics, &Limits::default())
}

/// As [`instrument_full`], for a class of which a JVM has refused more than `limits` allow. Numbers of probes and mutants
/// are the same as without limits.
///
/// # Errors
/// As [`instrument_full`].
pub fn instrument_limited(
    bytes: &[u8],
    options: AnalysisOptions,
    ids: &mut ProbeIds,
    statics: &mut StaticFields,
    limits: &Limits,
) -> Result<Instrumented, ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    let analysis = analyze(&class, options, ids)?;
    instrument_within(&class, analysis, statics, limits)
}

/// As [`instrument_full`], for a class that was analyzed before: the analysis takes most of the time.
///
/// # Errors
/// A class whose methods have no names.
pub fn instrument_analyzed(
    class: &ClassFile<'_>,
    analysis: ClassAnalysis,
    statics: &mut StaticFields,
) -> Result<Instrumented, ClassFileError> {
    instrument_within(class, analysis, statics, &Limits::default())
}

fn instrument_within(
    class: &ClassFile<'_>,
    analysis: ClassAnalysis,
    statics: &mut StaticFields,
    limits: &Limits,
) -> Result<Instrumented, ClassFileError> {
    instrument_with(ClassEditor::new(class, statics), analysis, limits)
}

fn instrument_with(
    mut editor: ClassEditor<'_>,
    analysis: ClassAnalysis,
    limits: &Limits,
) -> Result<Instrumented, ClassFileError> {
    let (class, mut map) = (editor.class, analysis.map);
    let mut reported = map.methods.iter().zip(&analysis.placements).peekable();
    let mut carried = Vec::new();
    for (index, method) in class.methods.iter().enumerate() {
        let Some((probes, placements)) = reported.next_if(|(_, placements)| placements.method == index)
        else {
            editor.method(method, None, Level::Light)?;
            continue;
        };
        let limit = limits.of(&probes.name, &probes.descriptor);
        let level = editor.method(method, Some((probes, placements)), limit)?;
        carried.push((level, limit));
    }
    let bytes = editor.finish();
    for (method, (level, _)) in map.methods.iter_mut().zip(&carried) {
        // The mutants stay in the map: they are there to be killed, whether the code can carry them or not.
        method.lacks_mutants = *level == Level::WithoutMutants && !method.mutants.is_empty();
    }
    drop_methods(&mut map, &carried);
    Ok(Instrumented { bytes, map })
}

/// As [`instrument_full`] once more, with the same ids, and of the mutation points only those that `keeps` names: a
/// place costs time in every run, whether it has something to tell or not.
///
/// `ids` and `limits` are those that the class was given first, and `keeps` is only asked about places; what it says of a
/// method that lacks its mutants ([`MethodProbes::lacks_mutants`]) does not count.
///
/// # Errors
/// As [`instrument_full`].
pub fn instrument_again(
    bytes: &[u8],
    options: AnalysisOptions,
    mut ids: ProbeIds,
    statics: &mut StaticFields,
    (limits, keeps): (&Limits, impl Fn(ProbeId) -> bool),
) -> Result<Vec<u8>, ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    let mut analysis = analyze(&class, options, &mut ids)?;
    for placements in &mut analysis.placements {
        placements.mutants.retain(|point| keeps(point.probe));
    }
    Ok(instrument_within(&class, analysis, statics, limits)?.bytes)
}

/// Gives a class the light set of probes: for the other classes of the class path. Methods that cannot carry them
/// stay as they are.
///
/// # Errors
/// Bytes that are no class file.
pub fn instrument_light(bytes: &[u8], statics: &mut StaticFields) -> Result<Vec<u8>, ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    let mut editor = ClassEditor::new(&class, statics);
    for method in &class.methods {
        editor.method(method, None, Level::Light)?;
    }
    Ok(editor.finish())
}

/// Gives a class once more the probes that it has, without its mutation points, and beside them those that log a run for its
/// replay (`docs/design/recordings.md`). Methods that log have a number in `methods`; those that cannot log, since their
/// code would be too large or is made in a way that a recording cannot tell, have their other probes.
///
/// `goals` is what a class with goals was given first: options, ids and limits; `None` for a class with the light set.
///
/// # Errors
/// Bytes that are no class file.
pub fn instrument_recorded(
    bytes: &[u8],
    goals: Option<(AnalysisOptions, ProbeIds, &Limits)>,
    statics: &mut StaticFields,
    methods: &mut LoggedMethods,
) -> Result<Vec<u8>, ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    let mut editor = ClassEditor::new(&class, statics);
    editor.logged = Some(methods);
    let Some((options, mut ids, limits)) = goals else {
        for method in &class.methods {
            editor.method(method, None, Level::Light)?;
        }
        return Ok(editor.finish());
    };
    let mut analysis = analyze(&class, options, &mut ids)?;
    for placements in &mut analysis.placements {
        placements.mutants.clear();
    }
    Ok(instrument_with(editor, analysis, limits)?.bytes)
}

/// Lets the methods of a test that others wrote tell which of these signatures they call, before each call. Methods that cannot
/// carry that stay as they are.
///
/// # Errors
/// Bytes that are no class file.
pub fn instrument_calls(bytes: &[u8], signatures: &SignatureNumbers) -> Result<Vec<u8>, ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    let mut statics = StaticFields::default();
    let mut editor = ClassEditor::new(&class, &mut statics);
    editor.calls = Some(signatures);
    for method in &class.methods {
        editor.method(method, None, Level::Light)?;
    }
    Ok(editor.finish())
}

/// Lists methods that carry less than the full set of probes as skipped. `carried` is what each carries, and might.
fn drop_methods(map: &mut ProbeMap, carried: &[(Level, Level)]) {
    let mut carried = carried.iter();
    map.methods.retain(|method| {
        let Some((Level::Nothing | Level::Light, limit)) = carried.next() else { return true };
        let reason = if *limit <= Level::Light { SkipReason::Refused } else { SkipReason::TooLarge };
        let method = format!("{}{}", method.name, method.descriptor).into();
        map.skipped.push(SkippedMethod { method, reason });
        false
    });
}

/// Opcodes that some probe looks for, in code that is recorded or in other code.
const fn watched(is_recorded: bool) -> scan::Watch {
    let mut watched = [false; 256];
    let mut row = 0;
    while row < PROBES.len() {
        if let Sites::Instructions(opcodes, _) = &PROBES[row].sites
            && (is_recorded || !matches!(PROBES[row].set, ProbeSet::Recorded))
        {
            let mut index = 0;
            while index < opcodes.len() {
                watched[opcodes[index] as usize] = true;
                index += 1;
            }
        }
        row += 1;
    }
    scan::watch(&watched)
}

const WATCHED: scan::Watch = watched(false);
const WATCHED_IN_RECORDED: scan::Watch = watched(true);

struct ClassEditor<'e> {
    class: &'e ClassFile<'e>,
    facts: ClassFacts,
    statics: &'e mut StaticFields,
    /// Where methods get their numbers that log; `None` where none does.
    logged: Option<&'e mut LoggedMethods>,
    /// The signatures whose calls methods tell; `None` where none does.
    calls: Option<&'e SignatureNumbers>,
    constants: NewConstants,
    scan: Scan,
    insertions: Insertions,
    code: CodeEditor,
    /// The class without new constants.
    out: Vec<u8>,
    /// How much of the class file is copied.
    copied: usize,
}

impl<'e> ClassEditor<'e> {
    fn new(class: &'e ClassFile<'e>, statics: &'e mut StaticFields) -> Self {
        let mut out = Vec::with_capacity(class.bytes.len() * 2);
        out.extend_from_slice(class.bytes.get(..class.body).unwrap_or_default());
        Self {
            class,
            facts: ClassFacts::of(class),
            statics,
            logged: None,
            calls: None,
            constants: NewConstants::behind(&class.constants),
            scan: Scan::default(),
            insertions: Insertions::default(),
            code: CodeEditor::default(),
            out,
            copied: class.body,
        }
    }

    /// Copies everything up to a method and gives it probes, up to a level: the full set with a report, else the light
    /// one. Returns what it carries.
    fn method(
        &mut self,
        method: &Member,
        report: Option<(&MethodProbes, &MethodPlacements)>,
        limit: Level,
    ) -> Result<Level, ClassFileError> {
        let mut attributes = method.attributes.iter();
        let Some(code) = attributes.find(|attribute| self.class.attribute_is(attribute, "Code")) else {
            return Ok(Level::Everything);
        };
        let is_initializer = self.class.constants.utf8_bytes(method.name)? == b"<clinit>";
        let full = report.map(|(probes, placements)| Report {
            entry: probes.entry,
            is_direct: probes.direct.is_some(),
            branches: &probes.branches,
            blocks: &placements.blocks,
            string_switches: &placements.string_switches,
            flags: &placements.flags,
            tag: flags::tag(probes.name.as_bytes(), probes.descriptor.as_bytes()),
            mutants: &placements.mutants,
        });
        let plain = full.map(|report| Report { mutants: &[], ..report });
        let has_mutants = full.is_some_and(|report| !report.mutants.is_empty());
        // Without mutants, leaving them out makes no difference.
        let attempts = [
            (Level::Everything, full),
            (Level::WithoutMutants, plain.filter(|_| has_mutants || limit == Level::WithoutMutants)),
        ];
        for (level, report) in
            attempts.into_iter().filter(|(level, report)| *level <= limit && report.is_some())
        {
            if self.attempt(method, code, is_initializer, report) {
                return Ok(level);
            }
        }
        if limit >= Level::Light && self.attempt(method, code, is_initializer, None) {
            return Ok(Level::Light);
        }
        Ok(Level::Nothing)
    }

    /// Gives a method the probes of a report, or the light set, and those that log where it can carry them.
    fn attempt(
        &mut self,
        method: &Member,
        code: &Attribute,
        is_initializer: bool,
        report: Option<Report<'_>>,
    ) -> bool {
        let number = self.number_of(method);
        (number.is_some() && self.attempt_as(method, code, is_initializer, (report, number)))
            || self.attempt_as(method, code, is_initializer, (report, None))
    }

    /// The number under which a method logs, if methods of the class do.
    fn number_of(&mut self, method: &Member) -> Option<u32> {
        let logged = self.logged.as_mut()?;
        let text = |index| self.class.constants.utf8(index).ok().map(|text| Box::from(&*text));
        let class = Box::from(&*self.class.name().ok()?);
        let method = LoggedMethod { class, name: text(method.name)?, descriptor: text(method.descriptor)? };
        Some(logged.number_of(method))
    }

    fn attempt_as(
        &mut self,
        method: &Member,
        code: &Attribute,
        is_initializer: bool,
        what: (Option<Report<'_>>, Option<u32>),
    ) -> bool {
        let (length, constants) = (self.out.len(), self.constants.checkpoint());
        let edited = self.rewrite(method, code, is_initializer, what);
        if edited.is_ok() && !self.constants.overflowed() {
            self.copied = code.content.end;
            true
        } else {
            self.out.truncate(length);
            self.constants.roll_back(constants);
            false
        }
    }

    fn rewrite(
        &mut self,
        member: &Member,
        code: &Attribute,
        is_initializer: bool,
        (report, recorded): (Option<Report<'_>>, Option<u32>),
    ) -> Result<(), EditError> {
        let Some(attribute) = self.class.code(member)? else { return Ok(()) };
        let watch = if recorded.is_some() { &WATCHED_IN_RECORDED } else { &WATCHED };
        self.scan.read(&attribute, watch)?;
        if self.scan.has_subroutine {
            return Err(EditError::Subroutine);
        }
        let method = Method {
            class: self.class,
            facts: &self.facts,
            attribute: &attribute,
            code: attribute.code(),
            scan: &self.scan,
            is_initializer,
            report,
            recorded,
            calls: self.calls,
        };
        self.insertions.clear(method.kept());
        let mut edits =
            Edits { insertions: &mut self.insertions, constants: &mut self.constants, statics: self.statics };
        place(&method, &mut edits)?;
        let at_entry = if self.insertions.kept().count() > 0 || self.insertions.has_detours() {
            let locals = frames::locals_at_entry(self.class, member, &mut self.constants)?;
            Some(AtEntry { locals, table_name: self.constants.utf8("StackMapTable") })
        } else {
            None
        };
        // Everything up to the length of the attribute is copied, then comes what is new.
        let start = code.content.start - 4;
        self.out.extend_from_slice(self.class.bytes.get(self.copied..start).unwrap_or_default());
        let length_at = self.out.len();
        self.out.extend([0; 4]);
        self.code.rewrite(
            self.class,
            &attribute,
            &self.scan,
            &mut self.insertions,
            at_entry,
            &mut self.out,
        )?;
        let length = u32::try_from(self.out.len() - length_at - 4).map_err(|_| EditError::TooLarge)?;
        patch(&mut self.out, length_at, &length.to_be_bytes());
        Ok(())
    }

    fn finish(mut self) -> Vec<u8> {
        /// Offset of `constant_pool_count`.
        const COUNT: usize = 8;
        self.out.extend_from_slice(self.class.bytes.get(self.copied..).unwrap_or_default());
        patch(&mut self.out, COUNT, &self.constants.count().to_be_bytes());
        let end_of_pool = self.class.body;
        self.out.splice(end_of_pool..end_of_pool, self.constants.bytes().iter().copied());
        self.out
    }
}

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let branches = method.report.map_or(Vec::new(), |report| {
        report.branches.iter().filter_map(|branch| BranchSite::of(method, &report, branch)).collect()
    });
    let is_asked = |probe: &&Probe| match probe.set {
        ProbeSet::Full => method.report.is_some(),
        ProbeSet::Light => method.calls.is_none(),
        ProbeSet::Recorded => method.recorded.is_some(),
        ProbeSet::Calls => method.calls.is_some(),
    };
    for probe in PROBES.iter().filter(is_asked) {
        match probe.sites {
            Sites::Method(place) => place(method, edits)?,
            Sites::Instructions(opcodes, place) => {
                for &index in &method.scan.watched {
                    let index = index as usize;
                    if method.opcode(index).is_some_and(|opcode| opcodes.contains(&opcode)) {
                        place(method, index, edits)?;
                    }
                }
            }
            Sites::Branches(place) => branches.iter().try_for_each(|branch| place(method, branch, edits))?,
        }
    }
    Ok(())
}
