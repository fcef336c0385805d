//! New test files in the form of the build: its formatters go over them once they are verified, since a build may refuse any that
//! is not in its form.

use super::Session;

/// Has the formatters of a module go over new files, by their paths below the root of the test sources; what somebody should know of it.
pub(super) fn format(session: &Session<'_>, paths: &[String]) -> Vec<String> {
    let Some(form) = session.prepared.form.as_ref().filter(|_| !paths.is_empty()) else { return Vec::new() };
    let note = |text: &str| session.console.note(text);
    let files = if paths.len() == 1 { "1 file".to_owned() } else { format!("{} files", paths.len()) };
    note(&format!("formatting {files} with {}", form.names()));
    let formatted = session.test_sources.formatted(paths, &mut |files, is_ours| {
        form.apply(files, is_ours, &session.prepared.environment, &note)
    });
    let remarks: Vec<String> = match formatted {
        Ok(changed) => changed
            .iter()
            .map(|file| {
                format!(
                    "{} is not formatted as the build wants it: {} would change more than its form",
                    file.display(),
                    form.names()
                )
            })
            .collect(),
        Err(failure) => vec![failure.sentence],
    };
    for remark in &remarks {
        note(remark);
    }
    remarks
}
