//! What the JDK is told of files in the folder of a test, the same in each run and on each machine as far as a run can be
//! told so: names in order, times by the clock of the test. What cannot is a touch.

use std::ffi::c_void;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use testcase::execution::Touched;

use super::native_table::Native;
use crate::jni::{Env, FieldId, JNIEnv, Kind, Ref, jvalue};
use crate::process::Process;

/// Most names of a folder that are put in order; nobody makes more in a test.
const MOST_NAMES: usize = 1024;
/// Longest name of a file.
const LONGEST_NAME: usize = 255;
const MILLISECOND: i64 = 1_000_000;
const SECOND: i64 = 1_000_000_000;

/// The kinds of times of `sun.nio.fs.UnixFileAttributes`, as its fields call them.
const TIMES: [&str; 4] = ["atime", "mtime", "ctime", "birthtime"];

/// The length of a folder, as long as names in it are listed in ascending order; twice as much otherwise.
const FOLDER_LENGTH: i64 = 4096;
/// The part of `st_mode` that tells the kind of a file, and what it is for a folder.
const KIND: i32 = 0o170_000;
const FOLDER: i32 = 0o040_000;

/// Fields of `sun.nio.fs.UnixFileAttributes`: of each time the seconds, and nanoseconds where it has them.
#[derive(Debug, Default)]
pub(crate) struct AttributeFields {
    times: Vec<TimeFields>,
    /// Kind and permissions, and length.
    mode_and_size: Option<(FieldId, FieldId)>,
}

/// The fields of one kind of time.
#[derive(Debug)]
struct TimeFields {
    /// Whether it is that of the last change.
    is_change: bool,
    seconds: FieldId,
    nanoseconds: Option<FieldId>,
}

impl AttributeFields {
    fn find(env: Env<'_>, attributes: Ref<'_>) -> Self {
        let class = env.class_of(attributes);
        let field = |name: &str, descriptor: &str| {
            env.field(class, name, descriptor).inspect_err(|_| env.clear()).ok()
        };
        let of_time = |time: &str, unit: &str| field(&format!("st_{time}_{unit}"), "J");
        let times = TIMES.iter().filter_map(|time| {
            let is_change = *time == "mtime";
            Some(TimeFields { is_change, seconds: of_time(time, "sec")?, nanoseconds: of_time(time, "nsec") })
        });
        let found =
            Self { times: times.collect(), mode_and_size: field("st_mode", "I").zip(field("st_size", "J")) };
        env.delete_local(class);
        found
    }
}

/// What a call that is about the folder of the test touches all the same: the length of a folder is that of its file system's
/// choice, and so is the order in which names come that are read one by one.
pub(super) fn touched(native: &Native, path: &[u8]) -> Touched {
    let path = Path::new(std::ffi::OsStr::from_bytes(path));
    let tells = match native.method {
        "getLength" | "getLength0" => path.is_dir(),
        "open0" | "opendir0" => fs::read_dir(path).is_ok_and(|names| names.count() > 1),
        _ => false,
    };
    if tells { Touched::FILE_READ } else { Touched::default() }
}

/// What a call that is about a file in the folder of the test gives without being made; `second` is its second argument. The
/// sandbox lets nobody date files, so they are dated here.
pub(super) fn instead(process: &Process, native: &Native, file: &[u8], second: usize) -> Option<usize> {
    if !matches!(native.method, "setLastModifiedTime" | "setLastModifiedTime0") {
        return None;
    }
    let is_there = fs::metadata(Path::new(std::ffi::OsStr::from_bytes(file))).is_ok();
    if is_there {
        process.folder.dates().set(file, second as i64);
    }
    Some(usize::from(is_there))
}

/// What a call that is about a file in the folder of the test gives in the place of `answer`; `second` is its second argument.
///
/// # Safety
/// The original gave that answer on the thread of that environment, for a call with that argument.
pub(super) unsafe fn answer(
    process: &Process,
    native: &Native,
    env: *mut JNIEnv,
    (file, second): (&[u8], usize),
    answer: usize,
) -> usize {
    // SAFETY: the JVM passes the environment of the calling thread to native methods.
    let Some(env) = (unsafe { Env::new(env) }) else { return answer };
    match native.method {
        "getLastModifiedTime" | "getLastModifiedTime0" if process.folder.is_real_time(answer as i64) => {
            let date = process.folder.dates().of(file);
            if date.is_none() {
                process.touch(Touched::CLOCK);
            }
            date.unwrap_or(process.clock.start() / MILLISECOND) as usize
        }
        "list" | "list0" => {
            // SAFETY: these methods give an array of strings, or null, and no exception where they give an array.
            if let Some(names) = unsafe { Ref::new(answer as *mut c_void) } {
                let length = env.array_length(names);
                if (2..=MOST_NAMES).contains(&length) {
                    let is_backwards = process.folder.is_listed_backwards;
                    // SAFETY: as above.
                    env.frame(length + 1, |env| unsafe { put_in_order(env, names, length, is_backwards) });
                }
            }
            answer
        }
        "stat0" | "lstat0" => {
            // SAFETY: the second argument of these methods is an object of that class.
            if let Some(attributes) = unsafe { Ref::new(second as *mut c_void) } {
                // SAFETY: as above.
                unsafe { even_out(process, env, file, attributes) };
            }
            answer
        }
        _ => answer,
    }
}

/// Puts names in order.
///
/// # Safety
/// It is an array of so many strings, and no exception is pending.
unsafe fn put_in_order(env: Env<'_>, names: Ref<'_>, length: usize, is_backwards: bool) {
    let mut ordered = Vec::with_capacity(length);
    for index in 0..length {
        // SAFETY: the index lies within the array.
        let Ok(Some(name)) = (unsafe { env.element(names, index) }) else { return env.clear() };
        // SAFETY: an element of an array of strings.
        ordered.push((unsafe { env.string_units(name, LONGEST_NAME) }, name));
    }
    ordered.sort_by(|(one, _), (other, _)| if is_backwards { other.cmp(one) } else { one.cmp(other) });
    for (index, (_, name)) in ordered.into_iter().enumerate() {
        // SAFETY: the index lies within the array, whose elements these are.
        if unsafe { env.set_element(names, index, Kind::Object, name.value()) }.is_err() {
            env.clear();
        }
    }
}

/// Sets the times of a file to what the test set, or to the beginning of the run, and the length of a folder to one that tells nothing.
///
/// # Safety
/// It is a `sun.nio.fs.UnixFileAttributes`. An exception may be pending.
unsafe fn even_out(process: &Process, env: Env<'_>, file: &[u8], attributes: Ref<'_>) {
    if env.check().is_err() {
        return;
    }
    let start = process.clock.start();
    let date = process.folder.dates().of(file).map(|millis| millis.saturating_mul(MILLISECOND));
    let fields = process.natives.attributes.get_or_init(|| AttributeFields::find(env, attributes));
    if let Some((mode, size)) = fields.mode_and_size {
        // SAFETY: an int and a long field of the object's class.
        unsafe {
            if env.get(attributes, mode, Kind::Int).i & KIND == FOLDER {
                let length = FOLDER_LENGTH << u32::from(process.folder.is_listed_backwards);
                env.set(attributes, size, Kind::Long, jvalue { j: length });
            }
        }
    }
    for TimeFields { is_change, seconds, nanoseconds } in &fields.times {
        let time = date.filter(|_| *is_change).unwrap_or(start);
        // SAFETY: long fields of the object's class.
        unsafe {
            if process.folder.is_real_time(env.get(attributes, *seconds, Kind::Long).j.saturating_mul(1000)) {
                env.set(attributes, *seconds, Kind::Long, jvalue { j: time.div_euclid(SECOND) });
                if let Some(rest) = nanoseconds {
                    env.set(attributes, *rest, Kind::Long, jvalue { j: time.rem_euclid(SECOND) });
                }
            }
        }
    }
}
