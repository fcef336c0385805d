//! Where what is known of a project is kept: at the root of its build. A run over a module and one over all know the same then.

use std::path::{Path, PathBuf};

use project::build::root::root_of_build;
use project::request::Place;
use store::record::StoredClass;
use store::state::{FOLDER, Store, StoreError};

/// Where what is known of a project is kept: the folder asked for, else one at the root of the build; of a class path nothing is.
pub fn folder_of(place: &Place, asked: Option<&Path>) -> Option<PathBuf> {
    match (asked, place) {
        (Some(folder), _) => Some(folder.to_owned()),
        (None, Place::Project { folder, .. }) => Some(root_of_build(folder).join(FOLDER)),
        (None, Place::ClassPath) => None,
    }
}

/// Root of the build, absolute: paths below it are kept as they are from there, so that it can be moved.
pub fn root_of(place: &Place) -> Option<PathBuf> {
    match place {
        Place::Project { folder, .. } => std::fs::canonicalize(root_of_build(folder)).ok(),
        Place::ClassPath => None,
    }
}

/// Folders in which an earlier version may have kept what it knew of a module: below the root of the build.
pub fn older(module: &Path, root: &Path) -> Vec<PathBuf> {
    let module = std::fs::canonicalize(module).unwrap_or_else(|_| module.to_owned());
    let below = module.ancestors().take_while(|folder| *folder != root && folder.starts_with(root));
    below.map(|folder| folder.join(FOLDER)).filter(|folder| folder.is_dir()).collect()
}

/// The first of them with a class that is not known at the root.
pub fn left_behind(module: &Path, root: &Path, known: &[StoredClass]) -> Option<PathBuf> {
    let is_known =
        |class: &StoredClass| known.iter().any(|it| (&it.module, &it.class) == (&class.module, &class.class));
    older(module, root).into_iter().find(|folder| {
        let classes = Store::open_existing(folder).ok().flatten().and_then(|store| store.classes().ok());
        classes.is_some_and(|classes| !classes.iter().all(is_known))
    })
}

/// Keeps in `store` what an older folder has of a module and it has not; the number of these classes.
///
/// # Errors
/// One of the two cannot be read, or `store` not be written.
pub(super) fn take_over(
    store: &mut Store,
    old: &Path,
    module: &str,
    root: &Path,
) -> Result<usize, StoreError> {
    let Some(older) = Store::open_existing(old)? else { return Ok(0) };
    let beside = old.parent().unwrap_or(old);
    let mut taken = 0;
    for mut class in older.classes()?.into_iter().filter(|class| class.module == module) {
        if store.class(module, &class.class)?.is_some() {
            continue;
        }
        let goals = older.goals(module, &class.class)?;
        let suite = older.suite(module, &class.class)?.unwrap_or_default();
        if let Some(file) = &mut class.file {
            // As it is from the root.
            let whole = beside.join(&file.root);
            file.root = whole.strip_prefix(root).unwrap_or(&whole).display().to_string();
        }
        store.save(&class, &goals, &suite)?;
        taken += 1;
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use store::record::StoredFile;

    use super::*;

    #[test]
    fn what_a_module_kept_is_taken_over_where_the_root_has_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        let class = |module: &str, class: &str, key: &str| StoredClass {
            module: module.to_owned(),
            class: class.to_owned(),
            key: key.to_owned(),
            file: Some(StoredFile { root: "src/test/java".to_owned(), ..StoredFile::default() }),
            ..StoredClass::default()
        };
        let keep = |place: &Path, classes: &[StoredClass]| {
            let mut store = Store::open(&place.join(FOLDER)).unwrap().store;
            for class in classes {
                store.save(class, &[], class.key.as_bytes()).unwrap();
            }
            store
        };
        let inner = root.join("libs/core");
        keep(&inner, &[class("core", "A", "old"), class("core", "B", "old"), class("other", "C", "old")]);
        let mut store = keep(&root, &[class("core", "A", "new")]);
        assert_eq!(older(&inner, &root), [inner.join(FOLDER)]);
        let behind = |store: &Store| left_behind(&inner, &root, &store.classes().unwrap());
        assert_eq!(behind(&store), Some(inner.join(FOLDER)));
        let mut take = |module: &str| take_over(&mut store, &inner.join(FOLDER), module, &root).unwrap();
        assert_eq!(["core", "core", "other"].map(&mut take), [1, 0, 1]);
        assert_eq!(behind(&store), None);
        let found = store.classes().unwrap().into_iter().map(|class| {
            let suite = store.suite(&class.module, &class.class).unwrap().unwrap();
            format!("{} {} {}", class.class, class.file.unwrap().root, String::from_utf8(suite).unwrap())
        });
        let expect =
            ["A src/test/java new", "B libs/core/src/test/java old", "C libs/core/src/test/java old"];
        assert_eq!(found.collect::<Vec<_>>(), expect);
    }
}
