//! What stands in for native methods that read the clock, sleep, wait, ask for free memory or for the network, or end the
//! JVM.

use std::ffi::c_void;
use std::fmt;
use std::ops::RangeInclusive;

use jvmti_bindings::sys::jni::{JNI_TRUE, jboolean, jclass, jint, jlong, jobject};
use testcase::execution::Touched;

use crate::jni::JNIEnv;
use crate::process::Process;
use crate::watchdog::{Exit, leave};

/// What a native method is for. Its name differs between versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Milliseconds since 1970.
    Milliseconds,
    /// Nanoseconds since whenever.
    Nanoseconds,
    /// Nanoseconds beyond a given second, for `java.time`.
    Adjustment,
    /// Sleep for milliseconds.
    SleepMilliseconds,
    /// Sleep for nanoseconds.
    SleepNanoseconds,
    /// Wait on a monitor.
    Wait,
    /// Wait for a permit.
    Park,
    /// Memory that is free.
    FreeMemory,
    /// Memory in use or free.
    TotalMemory,
    /// Whether there are sockets for IPv6.
    HasIpv6,
    /// End the JVM.
    Halt,
}

/// Number of roles.
pub(crate) const ROLES: usize = 11;

/// A native method of some versions.
#[derive(Debug)]
pub(crate) struct TimeNative {
    /// What it is for.
    pub(crate) role: Role,
    /// Internal name of its class.
    pub(crate) class: &'static str,
    /// Its name.
    pub(crate) method: &'static str,
    /// Its descriptor.
    pub(crate) descriptor: &'static str,
    /// Whether it is static.
    pub(crate) is_static: bool,
    /// Versions that have it.
    pub(crate) versions: RangeInclusive<u16>,
    /// The function of the JVM library that it is bound to, where it must be known before names are.
    pub(crate) symbol: Option<&'static str>,
}

const fn of_class(
    role: Role,
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    versions: RangeInclusive<u16>,
    symbol: Option<&'static str>,
) -> TimeNative {
    TimeNative { role, class, method, descriptor, is_static: true, versions, symbol }
}

const fn of_object(
    role: Role,
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    versions: RangeInclusive<u16>,
) -> TimeNative {
    TimeNative { role, class, method, descriptor, is_static: false, versions, symbol: None }
}

const ANY: RangeInclusive<u16> = 8..=u16::MAX;
const ADJUSTMENT: Option<&str> = Some("JVM_GetNanoTimeAdjustment");

/// The table, read from the sources of JDK 8 to 25.
pub(crate) const TIME_NATIVES: &[TimeNative] = &[
    of_class(
        Role::Milliseconds,
        "java/lang/System",
        "currentTimeMillis",
        "()J",
        ANY,
        Some("JVM_CurrentTimeMillis"),
    ),
    of_class(Role::Nanoseconds, "java/lang/System", "nanoTime", "()J", ANY, Some("JVM_NanoTime")),
    of_class(
        Role::Adjustment,
        "jdk/internal/misc/VM",
        "getNanoTimeAdjustment",
        "(J)J",
        9..=u16::MAX,
        ADJUSTMENT,
    ),
    of_class(Role::Adjustment, "sun/misc/VM", "getNanoTimeAdjustment", "(J)J", 8..=8, ADJUSTMENT),
    of_class(Role::SleepMilliseconds, "java/lang/Thread", "sleep", "(J)V", 8..=18, None),
    of_class(Role::SleepMilliseconds, "java/lang/Thread", "sleep0", "(J)V", 19..=20, None),
    of_class(Role::SleepNanoseconds, "java/lang/Thread", "sleep0", "(J)V", 21..=21, None),
    of_class(Role::SleepNanoseconds, "java/lang/Thread", "sleepNanos0", "(J)V", 22..=u16::MAX, None),
    of_object(Role::Wait, "java/lang/Object", "wait", "(J)V", 8..=18),
    of_object(Role::Wait, "java/lang/Object", "wait0", "(J)V", 19..=u16::MAX),
    of_object(Role::Park, "jdk/internal/misc/Unsafe", "park", "(ZJ)V", 9..=u16::MAX),
    of_object(Role::Park, "sun/misc/Unsafe", "park", "(ZJ)V", 8..=8),
    of_object(Role::FreeMemory, "java/lang/Runtime", "freeMemory", "()J", ANY),
    of_object(Role::TotalMemory, "java/lang/Runtime", "totalMemory", "()J", ANY),
    of_class(Role::HasIpv6, "sun/nio/ch/Net", "isIPv6Available0", "()Z", ANY, None),
    of_class(Role::Halt, "java/lang/Shutdown", "halt0", "(I)V", ANY, None),
];

impl Role {
    /// Roles that every JVM fills under some name, and that are looked for when it starts. Sleeping counts once: a version has one
    /// of its two units. That of the network is left to tests that load its classes.
    pub(crate) const REQUIRED: [&'static [Self]; 9] = [
        &[Self::Milliseconds],
        &[Self::Nanoseconds],
        &[Self::Adjustment],
        &[Self::SleepMilliseconds, Self::SleepNanoseconds],
        &[Self::Wait],
        &[Self::Park],
        &[Self::FreeMemory],
        &[Self::TotalMemory],
        &[Self::Halt],
    ];

    /// The function that stands in.
    pub(crate) fn function(self) -> *mut c_void {
        match self {
            Self::Milliseconds => current_time_millis as *mut c_void,
            Self::Nanoseconds => nano_time as *mut c_void,
            Self::Adjustment => nano_time_adjustment as *mut c_void,
            Self::SleepMilliseconds => sleep_milliseconds as *mut c_void,
            Self::SleepNanoseconds => sleep_nanoseconds as *mut c_void,
            Self::Wait => wait as *mut c_void,
            Self::Park => park as *mut c_void,
            Self::FreeMemory => free_memory as *mut c_void,
            Self::TotalMemory => total_memory as *mut c_void,
            Self::HasIpv6 => has_ipv6 as *mut c_void,
            Self::Halt => halt as *mut c_void,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Milliseconds | Self::Nanoseconds | Self::Adjustment => "read the clock",
            Self::SleepMilliseconds | Self::SleepNanoseconds => "sleep",
            Self::Wait => "wait on a monitor",
            Self::Park => "park a thread",
            Self::FreeMemory | Self::TotalMemory => "ask for free memory",
            Self::HasIpv6 => "ask for sockets for IPv6",
            Self::Halt => "end the JVM",
        })
    }
}

/// Nanoseconds since 1970 as the calling thread sees them.
fn read_clock(env: *mut JNIEnv) -> i64 {
    Process::get().map_or(0, |process| {
        if process.is_test_thread(env) { process.clock.read() } else { process.clock.read_beside() }
    })
}

const MILLISECOND: i64 = 1_000_000;
const SECOND: i64 = 1_000_000_000;

extern "system" fn current_time_millis(env: *mut JNIEnv, _class: jclass) -> jlong {
    read_clock(env) / MILLISECOND
}

extern "system" fn nano_time(env: *mut JNIEnv, _class: jclass) -> jlong {
    read_clock(env)
}

extern "system" fn nano_time_adjustment(env: *mut JNIEnv, _class: jclass, offset: jlong) -> jlong {
    adjustment(read_clock(env), offset)
}

/// Nanoseconds from a second to now, or -1 where they are more than 2^32 seconds apart: the caller then asks again
/// with a nearer one.
fn adjustment(now: i64, offset: i64) -> i64 {
    let seconds = (now / SECOND).saturating_sub(offset);
    if seconds.unsigned_abs() >= 1 << 32 { -1 } else { seconds * SECOND + now % SECOND }
}

extern "system" fn sleep_milliseconds(env: *mut JNIEnv, class: jclass, milliseconds: jlong) {
    sleep(env, class, Role::SleepMilliseconds, milliseconds, milliseconds.saturating_mul(MILLISECOND));
}

extern "system" fn sleep_nanoseconds(env: *mut JNIEnv, class: jclass, nanoseconds: jlong) {
    sleep(env, class, Role::SleepNanoseconds, nanoseconds, nanoseconds);
}

/// A sleep ends at once, on any thread, and moves the clock of the test. The original still sees that the thread
/// was interrupted, and refuses negative times.
fn sleep(env: *mut JNIEnv, class: jclass, role: Role, time: jlong, nanoseconds: jlong) {
    let Some(process) = Process::get() else { return };
    if process.is_test_thread(env) {
        process.clock.sleep(nanoseconds);
        process.touch(Touched::CLOCK);
    }
    let original = process.natives.original(role);
    if !original.is_null() {
        // SAFETY: the JVM had bound this function to the native method with this signature.
        unsafe {
            let original: extern "system" fn(*mut JNIEnv, jclass, jlong) = std::mem::transmute(original);
            original(env, class, time.min(0));
        }
    }
}

extern "system" fn wait(env: *mut JNIEnv, object: jobject, milliseconds: jlong) {
    let Some(process) = Process::get() else { return };
    let original = process.natives.original(Role::Wait);
    if original.is_null() {
        return;
    }
    // SAFETY: the JVM had bound this function to the native method with this signature.
    let original: extern "system" fn(*mut JNIEnv, jobject, jlong) = unsafe { std::mem::transmute(original) };
    if !process.is_test_thread(env) || milliseconds < 0 {
        original(env, object, milliseconds);
        return;
    }
    let asked = (milliseconds > 0).then(|| milliseconds.saturating_mul(MILLISECOND));
    process.waiting.wait(process, env, asked, |slice_ms| original(env, object, slice_ms));
}

extern "system" fn park(env: *mut JNIEnv, unsafe_object: jobject, is_absolute: jboolean, time: jlong) {
    let Some(process) = Process::get() else { return };
    let original = process.natives.original(Role::Park);
    if original.is_null() {
        return;
    }
    // SAFETY: the JVM had bound this function to the native method with this signature.
    let original: extern "system" fn(*mut JNIEnv, jobject, jboolean, jlong) =
        unsafe { std::mem::transmute(original) };
    if !process.is_test_thread(env) {
        original(env, unsafe_object, is_absolute, time);
        return;
    }
    let asked = match (is_absolute != 0, time) {
        (false, 0) => None,
        (false, nanoseconds) => Some(nanoseconds),
        (true, deadline_ms) => {
            Some(deadline_ms.saturating_mul(MILLISECOND).saturating_sub(process.clock.now()))
        }
    };
    if asked.is_some_and(|nanoseconds| nanoseconds <= 0) {
        return;
    }
    process.waiting.wait(process, env, asked, |slice_ms| {
        original(env, unsafe_object, 0, slice_ms.saturating_mul(MILLISECOND));
    });
}

/// Bytes that seem to be free, the same in every run.
const FREE_MEMORY: jlong = 64 << 20;

extern "system" fn free_memory(_env: *mut JNIEnv, _runtime: jobject) -> jlong {
    note_memory();
    FREE_MEMORY
}

extern "system" fn total_memory(_env: *mut JNIEnv, _runtime: jobject) -> jlong {
    note_memory();
    2 * FREE_MEMORY
}

fn note_memory() {
    if let Some(process) = Process::get() {
        process.touch(Touched::CLOCK);
    }
}

/// There are, so that whoever wants one comes to the call that makes it, which is noted and refused. By the sandbox there
/// would be none, and code would end before that call with an exception that only the sandbox explains.
extern "system" fn has_ipv6(_env: *mut JNIEnv, _class: jclass) -> jboolean {
    JNI_TRUE
}

/// The last step of `System.exit`, reached only through code that is not instrumented: shutdown hooks have run and
/// there is no way back, so the process ends, and the parent drops the test.
extern "system" fn halt(_env: *mut JNIEnv, _class: jclass, _status: jint) {
    leave(Exit::Halted);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_time_gets_its_nanoseconds_only_near_its_offset() {
        let check = |now: i64, offset: i64, expect: i64| assert_eq!(adjustment(now, offset), expect);
        check(10 * SECOND + 7, 8, 2 * SECOND + 7);
        check(10 * SECOND + 7, 12, -2 * SECOND + 7);
        check(10 * SECOND, 10 + (1 << 32), -1);
        check(10 * SECOND, i64::MIN, -1);
    }

    #[test]
    fn every_version_has_one_method_per_role() {
        for version in [8, 11, 17, 19, 20, 21, 22, 25] {
            for roles in Role::REQUIRED {
                let found = TIME_NATIVES
                    .iter()
                    .filter(|native| roles.contains(&native.role) && native.versions.contains(&version));
                assert_eq!(found.count(), 1, "{roles:?} in {version}");
            }
        }
    }
}
