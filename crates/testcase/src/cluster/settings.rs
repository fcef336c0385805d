//! Settings of the JVM that a test makes for code that reads them: system properties, standard input, default locale, default zone.
//!
//! A test file makes them in plain Java and sets them back behind each test; a run is followed by the reset of the JVM's state.
//! These calls stand for the statements that a person writes: `System.setIn(new ByteArrayInputStream(…))` is one statement of a
//! test case, which the search draws and changes as a whole. They are static methods of a class that stands beside the code under
//! test in a run ([`CLASS`]) and nowhere else; a printed test says what they do.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::settings::{Setting, SettingsRead};

use super::build::Builder;
use super::members::Helper;
use super::{Call, Callable, CallableId, Parameter, TestCluster, TypeId};
use crate::statement::Statement;
use crate::test_case::TestCase;
use crate::value::{JavaString, Value};

/// The class of these calls, in the boot loader of the JVM that runs tests.
pub const CLASS: &str = "covolve/runtime/Settings";

/// A parameter: its name, and values that people give.
type Input = (&'static str, &'static [&'static str]);

/// A call: what it sets, its name, and its parameters, all of which are texts.
type Row = (Setting, &'static str, &'static [Input]);

const ROWS: [Row; 4] = [
    (Setting::Property, "property", &[("name", &[]), ("value", &["a", "true", "false", "1", ""])]),
    (Setting::Input, "input", &[("text", &["a\n", "1\n", "\n", "", "a\nb\n"])]),
    (Setting::Locale, "locale", &[("tag", &["en-US", "de-DE", "ja-JP", "tr-TR"])]),
    (Setting::Zone, "zone", &[("id", &["UTC", "Asia/Tokyo", "America/New_York"])]),
];

/// The setting that a callable makes; `None` of all others.
pub fn setting_of(callable: &Callable) -> Option<Setting> {
    if callable.declared_in.as_str() != CLASS {
        return None;
    }
    ROWS.iter().find(|(_, name, _)| *name == &*callable.name).map(|(setting, ..)| *setting)
}

/// A setting by which tests are the same on each machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steady {
    /// What tests are fixed to: what a run has from the start.
    pub fixed: &'static str,
    /// What is unlike that in all that depends on it: of a locale words and numbers, of a zone its hours and their change in summer. Of
    /// zones there is one on each side of Greenwich: a time that falls on the same day in one falls on another day in the other.
    pub strange: &'static [&'static str],
}

/// How tests are fixed that depend on a setting; `None` of one that they make or do not.
pub fn steady(setting: Setting) -> Option<Steady> {
    match setting {
        Setting::Locale => Some(Steady { fixed: "en-US", strange: &["de-DE"] }),
        Setting::Zone => Some(Steady { fixed: "UTC", strange: &["Pacific/Chatham", "Pacific/Marquesas"] }),
        Setting::Property | Setting::Input => None,
    }
}

impl TestCluster {
    /// What a test sets.
    pub fn settings_of(&self, test: &TestCase) -> BTreeSet<Setting> {
        let called = test.statements().iter().filter_map(Statement::callable);
        called.filter_map(|id| setting_of(self.callable(id))).collect()
    }

    /// All calls that set something, ascending.
    pub fn setting_calls(&self) -> Vec<Call> {
        let mut calls: Vec<Call> =
            self.settings.iter().chain(&self.steadying).map(|id| Call::Callable(*id)).collect();
        calls.sort_unstable();
        calls.dedup();
        calls
    }
}

impl Builder<'_> {
    /// Calls that set what the code under test, or a method that it calls, reads.
    pub(super) fn make_settings(&mut self) {
        let read = &self.world.uses().settings;
        let rows = ROWS.iter().filter(|(setting, ..)| read.settings.contains(setting));
        self.settings = rows.map(|row| self.setting(row, read)).collect();
        let others = self.contexts.iter().filter(|context| !self.is_own(context)).map(|context| context.set);
        self.settings.extend(others.collect::<Vec<_>>());
        let is_steadying = |(setting, ..): &&Row| {
            steady(*setting).is_some()
                && (read.settings.contains(setting) || read.relied_on.contains(setting))
        };
        self.steadying = ROWS.iter().filter(is_steadying).map(|row| self.setting(row, read)).collect();
    }

    fn setting(&mut self, &(setting, name, inputs): &Row, read: &SettingsRead) -> CallableId {
        let text = |text: &str| Value::String(JavaString::from(text));
        let parameter = |(position, (name, hints)): (usize, &Input)| {
            let is_key = setting == Setting::Property && position == 0;
            let keys = read.properties.iter().filter(|_| is_key).map(String::as_str);
            Parameter {
                name: Some(Arc::from(*name)),
                hints: hints.iter().copied().chain(keys).map(text).collect(),
                ..Parameter::new(TypeId::STRING)
            }
        };
        let descriptor = format!("({})V", "Ljava/lang/String;".repeat(inputs.len()));
        let parameters = inputs.iter().enumerate().map(parameter).collect();
        let call = Helper {
            class: CLASS,
            name,
            descriptor: &descriptor,
            parameters,
            result: None,
            exceptions: Vec::new(),
        };
        self.members.helper(TypeId::STRING, call)
    }
}
