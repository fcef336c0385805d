//! State of the whole JVM that a test may change, set back after it: standard streams, properties, locale, time
//! zone, the thread's own state, and the sources of randomness of the JDK.
//!
//! Every version of the JDK keeps it in fields of its own; those that a version does not have are left out.

use std::collections::BTreeSet;

use bytecode::settings::Setting;
use testcase::execution::Touched;

use crate::jdk::Jdk;
use crate::jni::{Env, FieldId, Global, Java, Kind, MethodId, Ref, jvalue};
use crate::runtime::Runtime;

/// A field of a class or of an object, in the life of the process.
#[derive(Debug, Clone, Copy)]
struct Place {
    holder: Global,
    field: FieldId,
    is_static: bool,
}

impl Place {
    fn get<'f>(&self, env: Env<'f>) -> Option<Ref<'f>> {
        // SAFETY: the field was found in the holder, or in the class of the holder, and is a reference.
        unsafe {
            if self.is_static {
                env.get_static_object(self.holder.get(), self.field)
            } else {
                env.get_object(self.holder.get(), self.field)
            }
        }
    }

    fn set(&self, env: Env<'_>, value: Option<Global>) {
        let value = value.map_or(crate::jni::ZERO, Global::value);
        self.set_number(env, Kind::Object, value);
    }

    fn number(&self, env: Env<'_>, kind: Kind) -> jvalue {
        // SAFETY: as for `get`; the kind is that of the field's descriptor.
        unsafe {
            if self.is_static {
                env.get_static(self.holder.get(), self.field, kind)
            } else {
                env.get(self.holder.get(), self.field, kind)
            }
        }
    }

    fn set_number(&self, env: Env<'_>, kind: Kind, value: jvalue) {
        // SAFETY: as for `number`; references are those that the field held before, or null.
        unsafe {
            if self.is_static {
                env.set_static(self.holder.get(), self.field, kind, value);
            } else {
                env.set(self.holder.get(), self.field, kind, value);
            }
        }
    }
}

/// A reference that must be the same object after every test.
#[derive(Debug)]
struct Reference {
    place: Place,
    original: Option<Global>,
    /// The setting that a test makes by changing it.
    setting: Option<Setting>,
}

/// A number that must be the same after every test: the state of a random source or a counter.
#[derive(Debug)]
struct Number {
    place: Place,
    kind: Kind,
    original: i64,
    /// What a test touched that changed it.
    touch: Touched,
    /// Whether a source of randomness takes its seeds from it.
    is_seed: bool,
}

/// Everything that is set back.
#[derive(Debug)]
pub(crate) struct JvmState {
    references: Vec<Reference>,
    numbers: Vec<Number>,
    properties: Option<(Global, MethodId)>,
    interrupted: Option<Place>,
    clear_interrupt: MethodId,
    thread_class: Global,
    /// Where sources of randomness start.
    seed: i64,
}

/// Static fields with references, whether `null` is what a test must find, and the setting that a test makes by changing it, which its file
/// sets back.
const STATIC_REFERENCES: &[(&str, &str, &str, bool, Option<Setting>)] = &[
    ("java/lang/System", "in", "Ljava/io/InputStream;", false, Some(Setting::Input)),
    ("java/lang/System", "out", "Ljava/io/PrintStream;", false, None),
    ("java/lang/System", "err", "Ljava/io/PrintStream;", false, None),
    ("java/lang/System", "props", "Ljava/util/Properties;", false, Some(Setting::Property)),
    ("java/lang/System", "security", "Ljava/lang/SecurityManager;", false, None),
    ("java/util/Locale", "defaultLocale", "Ljava/util/Locale;", false, Some(Setting::Locale)),
    ("java/util/Locale", "defaultDisplayLocale", "Ljava/util/Locale;", false, Some(Setting::Locale)),
    ("java/util/Locale", "defaultFormatLocale", "Ljava/util/Locale;", false, Some(Setting::Locale)),
    ("java/util/TimeZone", "defaultTimeZone", "Ljava/util/TimeZone;", false, Some(Setting::Zone)),
    (
        "java/lang/Thread",
        "defaultUncaughtExceptionHandler",
        "Ljava/lang/Thread$UncaughtExceptionHandler;",
        false,
        None,
    ),
    ("java/util/Collections", "r", "Ljava/util/Random;", true, None),
    ("java/net/URL", "factory", "Ljava/net/URLStreamHandlerFactory;", false, None),
];

/// Static fields of classes that take some milliseconds to initialize, which is done when a class of the class path is
/// loaded that names one of [`RARE_CLASSES`].
const RARE_REFERENCES: &[(&str, &str, &str)] = &[
    ("java/net/URLConnection", "factory", "Ljava/net/ContentHandlerFactory;"),
    ("java/net/CookieHandler", "cookieHandler", "Ljava/net/CookieHandler;"),
    ("java/net/ProxySelector", "theProxySelector", "Ljava/net/ProxySelector;"),
    ("java/net/ResponseCache", "theResponseCache", "Ljava/net/ResponseCache;"),
    ("java/net/Authenticator", "theAuthenticator", "Ljava/net/Authenticator;"),
    ("sun/security/jca/Providers", "providerList", "Lsun/security/jca/ProviderList;"),
];

/// Classes by which code changes [`RARE_REFERENCES`].
const RARE_CLASSES: &[&[u8]] = &[
    b"java/net/URLConnection",
    b"java/net/CookieHandler",
    b"java/net/ProxySelector",
    b"java/net/ResponseCache",
    b"java/net/Authenticator",
    b"java/security/Security",
];

/// Whether a class file names one of [`RARE_CLASSES`]. All begin with the only `j` in them.
pub(crate) fn may_change_rare_state(class_file: &[u8]) -> bool {
    let is_rare = |rest: &[u8]| {
        let mut names = RARE_CLASSES.iter().filter_map(|name| name.get(1..));
        names.any(|name| rest.starts_with(name))
    };
    class_file.split(|byte| *byte == b'j').any(is_rare)
}

/// Fields of the thread with references.
const THREAD_REFERENCES: &[(&str, &str, bool)] = &[
    ("contextClassLoader", "Ljava/lang/ClassLoader;", false),
    ("name", "Ljava/lang/String;", false),
    ("uncaughtExceptionHandler", "Ljava/lang/Thread$UncaughtExceptionHandler;", false),
    ("threadLocals", "Ljava/lang/ThreadLocal$ThreadLocalMap;", true),
    ("inheritableThreadLocals", "Ljava/lang/ThreadLocal$ThreadLocalMap;", true),
];

/// Numbers of the thread: the state of its `ThreadLocalRandom`, which seeds itself anew from 0.
const THREAD_NUMBERS: &[(&str, Kind)] = &[
    ("threadLocalRandomSeed", Kind::Long),
    ("threadLocalRandomProbe", Kind::Int),
    ("threadLocalRandomSecondarySeed", Kind::Int),
];

/// Seed that `Math.random` starts with.
const MATH_SEED: i64 = 0x5DEE_CE66;
/// The bits that the seed of a `java.util.Random` has.
const MATH_SEED_MASK: i64 = (1 << 48) - 1;

impl JvmState {
    /// Takes the state as it is now, gives sources of randomness this seed, and watches the properties, the environment
    /// and standard input.
    pub(crate) fn take(env: Env<'_>, jdk: &Jdk, runtime: &Runtime, seed: u64) -> Self {
        let properties = watch_properties(env).inspect_err(|_| env.clear()).ok().flatten();
        for watch in [watch_environment, watch_input] {
            if watch(env).is_err() {
                env.clear();
            }
        }
        warm_up(env);
        let mut state = Self {
            references: Vec::new(),
            numbers: Vec::new(),
            properties,
            interrupted: thread_place(env, jdk, "interrupted", "Z"),
            clear_interrupt: jdk.clear_interrupt,
            thread_class: jdk.thread_class,
            seed: seed.cast_signed(),
        };
        runtime.reset_random(env, state.seed);
        for (class, name, descriptor, is_null, setting) in STATIC_REFERENCES {
            state.add_reference(env, static_place(env, class, name, descriptor), *is_null, *setting);
        }
        for (name, descriptor, is_null) in THREAD_REFERENCES {
            state.add_reference(env, thread_place(env, jdk, name, descriptor), *is_null, None);
        }
        for (name, kind) in THREAD_NUMBERS {
            let descriptor = if *kind == Kind::Long { "J" } else { "I" };
            let place = thread_place(env, jdk, name, descriptor);
            state.add_number(place, *kind, 0, Touched::CLOCK);
        }
        state.add_priority(env, jdk);
        state.add_random_sources(env);
        // Names of threads that have none are counted from 0.
        let numbering = static_place(env, "java/lang/Thread", "threadInitNumber", "I")
            .or_else(|| static_place(env, "java/lang/Thread$ThreadNumbering", "next", "I"));
        state.add_number(numbering, Kind::Int, 0, Touched::default());
        state
    }

    /// Takes the state that only few classes can change.
    pub(crate) fn take_rare(&mut self, env: Env<'_>) {
        env.frame(4 * RARE_REFERENCES.len(), |env| {
            for (class, name, descriptor) in RARE_REFERENCES {
                self.add_reference(env, static_place(env, class, name, descriptor), false, None);
            }
        });
    }

    fn add_reference(&mut self, env: Env<'_>, place: Option<Place>, is_null: bool, setting: Option<Setting>) {
        let Some(place) = place else { return };
        let original = if is_null { None } else { place.get(env).map(|value| env.global(value)) };
        self.references.push(Reference { place, original, setting });
    }

    fn add_number(&mut self, place: Option<Place>, kind: Kind, original: i64, touch: Touched) {
        self.numbers.extend(place.map(|place| Number { place, kind, original, touch, is_seed: false }));
    }

    fn add_seed(&mut self, place: Option<Place>, original: i64) {
        let (kind, touch) = (Kind::Long, Touched::CLOCK);
        self.numbers.extend(place.map(|place| Number { place, kind, original, touch, is_seed: true }));
    }

    /// The priority of the thread, which later versions keep apart.
    fn add_priority(&mut self, env: Env<'_>, jdk: &Jdk) {
        let place = thread_place(env, jdk, "priority", "I").or_else(|| {
            let holder = thread_place(env, jdk, "holder", "Ljava/lang/Thread$FieldHolder;")?.get(env)?;
            let field = env.field(env.class_of(holder), "priority", "I").inspect_err(|_| env.clear()).ok()?;
            Some(Place { holder: env.global(holder), field, is_static: false })
        });
        // SAFETY: read as an int, which the field is.
        let original = place.map_or(0, |place| unsafe { place.number(env, Kind::Int).i });
        self.add_number(place, Kind::Int, i64::from(original), Touched::default());
    }

    fn add_random_sources(&mut self, env: Env<'_>) {
        let seed = self.seed;
        let long = |place: Option<Place>| {
            // SAFETY: read as a long, every byte is set.
            place.map_or(0, |place| unsafe { place.number(env, Kind::Long).j }) ^ seed
        };
        let uniquifier = atomic(env, "java/util/Random", "seedUniquifier", "AtomicLong", "J");
        self.add_seed(uniquifier, long(uniquifier));
        let seeder = atomic(env, "java/util/concurrent/ThreadLocalRandom", "seeder", "AtomicLong", "J");
        self.add_seed(seeder, long(seeder));
        let probes =
            atomic(env, "java/util/concurrent/ThreadLocalRandom", "probeGenerator", "AtomicInteger", "I");
        self.add_number(probes, Kind::Int, 0, Touched::default());
        let splittable = atomic(env, "java/util/SplittableRandom", "defaultGen", "AtomicLong", "J");
        self.add_seed(splittable, long(splittable));
        self.add_seed(math_random(env), (MATH_SEED ^ seed) & MATH_SEED_MASK);
        self.set_numbers(env);
    }

    /// Lets sources of randomness begin the next run with seeds that differ in these bits from those that they have in all others.
    pub(crate) fn change_seeds(&self, env: Env<'_>, runtime: &Runtime, bits: i64) {
        for number in self.numbers.iter().filter(|number| number.is_seed) {
            let seed = number.original ^ bits & MATH_SEED_MASK;
            number.place.set_number(env, number.kind, jvalue { j: seed });
        }
        runtime.reset_random(env, self.seed ^ bits);
    }

    /// Sets numbers that changed back; gives what changed them.
    fn set_numbers(&self, env: Env<'_>) -> Touched {
        let mut touched = Touched::default();
        for number in &self.numbers {
            let value = number.place.number(env, number.kind);
            // SAFETY: reading filled the bytes that the kind does not use with zeros.
            let value = unsafe { if number.kind == Kind::Int { i64::from(value.i) } else { value.j } };
            if value != number.original {
                let original = if number.kind == Kind::Int {
                    jvalue { i: number.original as i32 }
                } else {
                    jvalue { j: number.original }
                };
                number.place.set_number(env, number.kind, original);
                touched = touched.union(number.touch);
            }
        }
        touched
    }

    /// Sets back what a run changed, and gives what that tells about the run. Nothing may be pending.
    pub(crate) fn restore(&self, env: Env<'_>, runtime: &Runtime) -> Touched {
        set_references(env, self.references.iter());
        let touched = self.set_numbers(env);
        let (world, properties_changed) = runtime.take_world(env);
        if properties_changed {
            self.restore_properties(env);
        }
        let world = Touched(world);
        if world.intersects(Touched::CLOCK) {
            runtime.reset_random(env, self.seed);
        }
        self.clear_interrupt(env);
        touched.union(world)
    }

    /// Sets back what a test has set, as its file does behind each test. Nothing may be pending.
    pub(crate) fn restore_settings(&self, env: Env<'_>, settings: &BTreeSet<Setting>) {
        let is_set = |reference: &&Reference| reference.setting.is_some_and(|it| settings.contains(&it));
        set_references(env, self.references.iter().filter(is_set));
        if settings.contains(&Setting::Property) {
            self.restore_properties(env);
        }
    }

    fn restore_properties(&self, env: Env<'_>) {
        if let Some((properties, restore)) = self.properties {
            // SAFETY: the method takes and returns nothing.
            let _ = unsafe { env.call(properties.get(), restore, &[], None) };
        }
    }

    fn clear_interrupt(&self, env: Env<'_>) {
        // SAFETY: a boolean field; without it the only way to know is to ask.
        let is_set = self.interrupted.is_none_or(|place| unsafe { place.number(env, Kind::Boolean).z != 0 });
        if is_set {
            // SAFETY: a static method that takes nothing and returns a boolean.
            let _ = unsafe {
                env.call_static(self.thread_class.get(), self.clear_interrupt, &[], Some(Kind::Boolean))
            };
        }
    }
}

/// Sets references that changed back.
fn set_references<'a>(env: Env<'_>, references: impl Iterator<Item = &'a Reference>) {
    for reference in references {
        let value = reference.place.get(env);
        if !env.is_same(value, reference.original.map(Global::get)) {
            reference.place.set(env, reference.original);
        }
    }
}

/// Forgets what a lookup of local names left behind, which lives longer than a test. To be called after a run that
/// touched the network, or asked for the machine.
pub(crate) fn forget_hosts(env: Env<'_>) {
    let descriptor = "Ljava/net/InetAddress$CachedLocalHost;";
    let found = env.find_class(c"java/net/InetAddress").and_then(|class| {
        let field = env.static_field(class, "cachedLocalHost", descriptor)?;
        // SAFETY: the field was found as a static one of the class, and is a reference.
        unsafe { env.set_static(class, field, Kind::Object, crate::jni::ZERO) };
        Ok(())
    });
    if found.is_err() {
        env.clear();
    }
}

fn static_place(env: Env<'_>, class: &str, name: &str, descriptor: &str) -> Option<Place> {
    let found = env.find_class(&crate::jni::java_name(class)).and_then(|class| {
        let field = env.static_field(class, name, descriptor)?;
        Ok(Place { holder: env.global(class), field, is_static: true })
    });
    found.inspect_err(|_| env.clear()).ok()
}

fn thread_place(env: Env<'_>, jdk: &Jdk, name: &str, descriptor: &str) -> Option<Place> {
    let field = env.field(jdk.thread_class.get(), name, descriptor).inspect_err(|_| env.clear()).ok()?;
    Some(Place { holder: jdk.thread, field, is_static: false })
}

/// The value of an atomic number in a static field.
fn atomic(env: Env<'_>, class: &str, name: &str, atomic: &str, value: &str) -> Option<Place> {
    let atomic = format!("Ljava/util/concurrent/atomic/{atomic};");
    let number = static_place(env, class, name, &atomic)?.get(env)?;
    let field = env.field(env.class_of(number), "value", value).inspect_err(|_| env.clear()).ok()?;
    Some(Place { holder: env.global(number), field, is_static: false })
}

/// The seed of the generator behind `Math.random`.
fn math_random(env: Env<'_>) -> Option<Place> {
    let holder = "java/lang/Math$RandomNumberGeneratorHolder";
    let random = static_place(env, holder, "randomNumberGenerator", "Ljava/util/Random;")?.get(env)?;
    let seed = "Ljava/util/concurrent/atomic/AtomicLong;";
    let field = env.field(env.class_of(random), "seed", seed).inspect_err(|_| env.clear()).ok()?;
    // SAFETY: the field was found in the object's class and is a reference.
    let seed = unsafe { env.get_object(random, field) }?;
    let field = env.field(env.class_of(seed), "value", "J").inspect_err(|_| env.clear()).ok()?;
    Some(Place { holder: env.global(seed), field, is_static: false })
}

/// Has the JDK make what it would otherwise make in the first test that asks.
fn warm_up(env: Env<'_>) {
    for (class, method, descriptor) in [
        ("java/util/TimeZone", "getDefault", "()Ljava/util/TimeZone;"),
        ("java/util/Locale", "getDefault", "()Ljava/util/Locale;"),
    ] {
        let _ = env.find_class(&crate::jni::java_name(class)).and_then(|class| {
            let method = env.static_method(class, method, descriptor)?;
            // SAFETY: a static method that takes nothing and returns a reference.
            unsafe { env.call_static_object(class, method, &[]) }
        });
        env.clear();
    }
    let _ = warm_up_locales(env);
    env.clear();
}

/// The default locales for display and for formats are made when first asked for.
fn warm_up_locales(env: Env<'_>) -> Java<()> {
    let locale = env.find_class(c"java/util/Locale")?;
    let category = env.find_class(c"java/util/Locale$Category")?;
    let get = env.static_method(locale, "getDefault", "(Ljava/util/Locale$Category;)Ljava/util/Locale;")?;
    for name in ["DISPLAY", "FORMAT"] {
        let field = env.static_field(category, name, "Ljava/util/Locale$Category;")?;
        // SAFETY: a static field of the class; the method takes such a category.
        unsafe {
            if let Some(category) = env.get_static_object(category, field) {
                env.call_static_object(locale, get, &[category.value()])?;
            }
        }
    }
    Ok(())
}

/// Puts properties in place that tell when they are read or changed; gives them and their method `restore`.
fn watch_properties(env: Env<'_>) -> Java<Option<(Global, MethodId)>> {
    let Some(place) = static_place(env, "java/lang/System", "props", "Ljava/util/Properties;") else {
        return Ok(None);
    };
    let Some(original) = place.get(env) else { return Ok(None) };
    let class = env.find_class(c"covolve/runtime/WatchedProperties")?;
    let constructor = env.method(class, "<init>", "(Ljava/util/Properties;)V")?;
    // SAFETY: the constructor takes properties.
    let Some(watched) = (unsafe { env.new_object(class, constructor, &[original.value()]) })? else {
        return Ok(None);
    };
    let watched = env.global(watched);
    place.set(env, Some(watched));
    Ok(Some((watched, env.method(class, "restore", "()V")?)))
}

/// Puts a map in place that tells when environment variables are read.
fn watch_environment(env: Env<'_>) -> Java<()> {
    let holder = "java/lang/ProcessEnvironment";
    let Some(place) = static_place(env, holder, "theUnmodifiableEnvironment", "Ljava/util/Map;") else {
        return Ok(());
    };
    let Some(original) = place.get(env) else { return Ok(()) };
    let class = env.find_class(c"covolve/runtime/WatchedEnvironment")?;
    let constructor = env.method(class, "<init>", "(Ljava/util/Map;)V")?;
    // SAFETY: the constructor takes a map.
    if let Some(watched) = unsafe { env.new_object(class, constructor, &[original.value()]) }? {
        place.set(env, Some(env.global(watched)));
    }
    Ok(())
}

/// Puts a stream in the place of standard input that tells when it is read.
fn watch_input(env: Env<'_>) -> Java<()> {
    let class = env.find_class(c"covolve/runtime/WatchedInput")?;
    let install = env.static_method(class, "install", "()V")?;
    // SAFETY: a static method that takes nothing.
    unsafe { env.call_static(class, install, &[], None) }.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_can_change_rare_state_are_known_by_the_names_in_them() {
        let check =
            |bytes: &[u8], expect: bool| assert_eq!(may_change_rare_state(bytes), expect, "{bytes:?}");
        check(b"\x01\x00\x16java/security/Security\x01", true);
        check(b"jjava/net/ProxySelector", true);
        check(b"java/net/URL java/security/SecureRandom java/net/URI", false);
        check(b"", false);
        assert!(RARE_CLASSES.iter().all(|name| !name.iter().skip(1).any(|byte| *byte == b'j')));
    }
}
