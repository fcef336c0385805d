//! Formatters: steps of a build that put source files into its form. Many builds refuse in an early step what is not in it, so
//! new test files go through them. `docs/design/style.md` says why.

use std::path::{Path, PathBuf};

use crate::build::answer::Plugin;

/// A property that names the files which a formatter may change, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    /// By patterns of paths below the roots of sources, separated by commas.
    Paths(&'static str),
    /// By regular expressions for absolute paths, separated by commas.
    Expressions(&'static str),
    /// By one regular expression for the name of the file.
    Name(&'static str),
    /// Not at all.
    None,
}

/// A plugin of Maven that formats: its group and name, its goal.
const PLUGINS: [(&str, &str, Limit); 6] = [
    (
        "io.spring.javaformat:spring-javaformat-maven-plugin",
        "apply",
        Limit::Paths("-Dspring-javaformat.includes"),
    ),
    ("com.diffplug.spotless:spotless-maven-plugin", "apply", Limit::Expressions("-DspotlessFiles")),
    ("com.spotify.fmt:fmt-maven-plugin", "format", Limit::Name("-DfilesNamePattern")),
    ("com.coveo:fmt-maven-plugin", "format", Limit::Name("-DfilesNamePattern")),
    ("net.revelc.code.formatter:formatter-maven-plugin", "format", Limit::Paths("-Dformatter.includes")),
    ("net.revelc.code:impsort-maven-plugin", "sort", Limit::Paths("-Dimpsort.includes")),
];

/// A task of Gradle that formats.
const TASKS: [(&str, Limit); 3] = [
    ("spotlessApply", Limit::Expressions("-PspotlessFiles")),
    // Of Spring's plugin.
    ("formatTest", Limit::None),
    ("googleJavaFormat", Limit::None),
];

/// Characters of one argument at most: the system takes 128 KiB, and beyond some hundred files naming them saves nothing.
const LONGEST_ARGUMENT: usize = 60_000;

/// A step of a module's build that formats source files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formatter {
    /// What the build tool is told to run: `group:plugin:goal@execution`, or a task with the path of its project.
    pub step: String,
    limit: Limit,
}

impl Formatter {
    /// What the build tool is given to have these files formatted, and as few others as it can be told.
    pub(crate) fn arguments(&self, files: &[PathBuf], roots: &[PathBuf]) -> Vec<String> {
        let joined =
            |of: &dyn Fn(&Path) -> String| files.iter().map(|file| of(file)).collect::<Vec<_>>().join(",");
        let limit = match self.limit {
            Limit::Paths(property) => {
                let below = |file: &Path| {
                    let path = roots.iter().find_map(|root| file.strip_prefix(root).ok()).unwrap_or(file);
                    format!("**/{}", path.display())
                };
                Some((property, joined(&below)))
            }
            Limit::Expressions(property) => {
                Some((property, joined(&|file| quoted(&file.display().to_string()))))
            }
            Limit::Name(property) => {
                let names = files.iter().filter_map(|file| file.file_name());
                let names: Vec<String> = names.map(|name| quoted(&name.to_string_lossy())).collect();
                Some((property, names.join("|")))
            }
            Limit::None => None,
        };
        let limit = limit.filter(|(_, files)| files.len() <= LONGEST_ARGUMENT);
        let limit = limit.map(|(property, files)| format!("{property}={files}"));
        std::iter::once(self.step.clone()).chain(limit).collect()
    }

    /// Its name, for people.
    pub fn name(&self) -> &str {
        let without_goal = self.step.rsplit_once(':').map_or("", |(plugin, _)| plugin);
        let plugin = PLUGINS.iter().find(|(plugin, ..)| *plugin == without_goal);
        let name = plugin.and_then(|(plugin, ..)| plugin.rsplit_once(':'));
        name.map_or(self.step.trim_start_matches(':'), |(_, name)| name)
    }
}

/// The formatters of a module: among the plugins that Maven tells of, or the tasks that Gradle does, whose path of the project is
/// `path`.
pub(crate) fn formatters(plugins: &[Plugin], (path, tasks): (&str, &[String])) -> Vec<Formatter> {
    let of_maven = PLUGINS.iter().filter_map(|&(name, goal, limit)| {
        let plugin = plugins.iter().find(|plugin| plugin.name == name)?;
        // What an execution is told, its goals are: by itself the plugin knows only what is said outside of them.
        let runs_it = plugin.executions.iter().find(|execution| execution.goals.iter().any(|of| of == goal));
        let execution = runs_it.or(plugin.executions.first());
        let step = match execution {
            Some(execution) => format!("{name}:{goal}@{}", execution.id),
            None => format!("{name}:{goal}"),
        };
        Some(Formatter { step, limit })
    });
    // The root of a build is called by its name, all other projects by their paths.
    let path = if path.starts_with(':') { path } else { "" };
    let of_gradle = TASKS.iter().filter(|(task, _)| tasks.iter().any(|known| known == task));
    let of_gradle = of_gradle.map(|&(task, limit)| Formatter { step: format!("{path}:{task}"), limit });
    of_maven.chain(of_gradle).collect()
}

/// A regular expression of Java for this text, without the comma that would end it.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            ',' => quoted.push('.'),
            '.' | '\\' | '+' | '*' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' | '$' | '|' => {
                quoted.push('\\');
                quoted.push(character);
            }
            _ => quoted.push(character),
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::answer::Execution;

    fn plugin(name: &str, executions: &[(&str, &[&str])]) -> Plugin {
        let execution = |&(id, goals): &(&str, &[&str])| Execution {
            id: id.to_owned(),
            goals: goals.iter().map(|&goal| goal.to_owned()).collect(),
        };
        Plugin { name: name.to_owned(), executions: executions.iter().map(execution).collect() }
    }

    /// What is run, how it is called, for plugins of Maven or tasks of a Gradle project.
    fn check(plugins: &[Plugin], (path, tasks): (&str, &[&str]), expect: &[(&str, &str, &str)]) {
        let files = ["/b/src/test/java/p/ATest.java", "/b/src/test/java/p/q/BTest.java"].map(PathBuf::from);
        let roots = ["/b/src/main/java", "/b/src/test/java"].map(PathBuf::from);
        let tasks: Vec<String> = tasks.iter().map(|&task| task.to_owned()).collect();
        let found = formatters(plugins, (path, &tasks));
        let told: Vec<(String, String, String)> = (found.iter())
            .map(|formatter| {
                let arguments = formatter.arguments(&files, &roots);
                let limit = arguments.get(1).cloned().unwrap_or_default();
                (arguments[0].clone(), limit, formatter.name().to_owned())
            })
            .collect();
        let told: Vec<(&str, &str, &str)> =
            told.iter().map(|(step, limit, name)| (step.as_str(), limit.as_str(), name.as_str())).collect();
        assert_eq!(told, expect);
    }

    #[test]
    fn plugins_and_tasks_that_format_are_told_which_files() {
        let spring = "io.spring.javaformat:spring-javaformat-maven-plugin";
        check(
            &[
                plugin("org.apache.maven.plugins:maven-jar-plugin", &[]),
                plugin(spring, &[("default", &["validate"])]),
            ],
            ("app", &[]),
            &[(
                "io.spring.javaformat:spring-javaformat-maven-plugin:apply@default",
                "-Dspring-javaformat.includes=**/p/ATest.java,**/p/q/BTest.java",
                "spring-javaformat-maven-plugin",
            )],
        );
        let spotless = "com.diffplug.spotless:spotless-maven-plugin";
        check(
            &[
                plugin("com.spotify.fmt:fmt-maven-plugin", &[]),
                plugin(spotless, &[("refuse", &["check"]), ("style", &["check", "apply"])]),
            ],
            ("app", &[]),
            &[
                (
                    "com.diffplug.spotless:spotless-maven-plugin:apply@style",
                    "-DspotlessFiles=/b/src/test/java/p/ATest\\.java,/b/src/test/java/p/q/BTest\\.java",
                    "spotless-maven-plugin",
                ),
                (
                    "com.spotify.fmt:fmt-maven-plugin:format",
                    "-DfilesNamePattern=ATest\\.java|BTest\\.java",
                    "fmt-maven-plugin",
                ),
            ],
        );
        check(&[], (":app", &["test", "formatTest"]), &[(":app:formatTest", "", "app:formatTest")]);
        check(
            &[],
            ("root", &["spotlessApply"]),
            &[(
                ":spotlessApply",
                "-PspotlessFiles=/b/src/test/java/p/ATest\\.java,/b/src/test/java/p/q/BTest\\.java",
                "spotlessApply",
            )],
        );
        check(&[plugin("a:b", &[])], ("root", &["test"]), &[]);
    }

    #[test]
    fn what_would_be_too_long_a_line_is_left_out() {
        let found = formatters(&[], ("root", &["spotlessApply".to_owned()]));
        let files: Vec<PathBuf> =
            (0..1_000).map(|number| format!("/{}/{number}.java", "x".repeat(60)).into()).collect();
        assert_eq!(found[0].arguments(&files, &[]), [":spotlessApply"]);
    }

    #[test]
    fn expressions_match_nothing_but_their_text() {
        assert_eq!(quoted("/a+b/C$D.java"), "/a\\+b/C\\$D\\.java");
        assert_eq!(quoted("a,b"), "a.b", "a comma would be the end of it");
    }
}
