//! Members of the platform that tests never use.
//!
//! Four reasons: they need a Java caller frame, which a call through JNI has not (`MethodHandles.lookup`,
//! `Class.forName`); they act on the process or the world outside (threads, files, sockets, windows, properties);
//! their result differs from run to run (clocks, random sources, environment); or they take memory by an argument
//! (capacities). Calls made *inside* the class under test are another matter; the sandbox is for those.

use bytecode::class_info::{ClassInfo, MethodInfo};
use bytecode::fleeting::{FLEETING, is_listed};
use bytecode::name::ClassName;

use super::types::Lineage;

/// Packages and classes, by prefix of the internal name. A prefix that ends in neither `/` nor `$` stands for the
/// class alone.
const CLASSES: &[&str] = &[
    // caller-sensitive or signature-polymorphic
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/ClassValue",
    "java/lang/Module",
    "java/lang/ModuleLayer",
    "java/lang/Package",
    "java/lang/StackWalker",
    "java/lang/invoke/",
    "java/lang/module/",
    "java/lang/reflect/",
    "java/lang/foreign/",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
    "java/util/concurrent/atomic/AtomicLongFieldUpdater",
    "java/util/concurrent/atomic/AtomicReferenceFieldUpdater",
    // process, threads, time
    "java/lang/Compiler",
    "java/lang/Process",
    "java/lang/ProcessBuilder",
    "java/lang/ProcessHandle",
    "java/lang/Runtime",
    "java/lang/ScopedValue",
    "java/lang/SecurityManager",
    "java/lang/System",
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/lang/instrument/",
    "java/lang/management/",
    "java/util/Timer",
    "java/util/concurrent/CompletableFuture",
    "java/util/concurrent/ExecutorCompletionService",
    "java/util/concurrent/Executors",
    "java/util/concurrent/ForkJoinPool",
    "java/util/concurrent/ScheduledThreadPoolExecutor",
    "java/util/concurrent/SubmissionPublisher",
    "java/util/concurrent/ThreadLocalRandom",
    "java/util/concurrent/ThreadPoolExecutor",
    // the world outside
    "java/applet/",
    "java/awt/",
    "java/beans/",
    "java/io/Console",
    "java/io/FileDescriptor",
    "java/io/FileInputStream",
    "java/io/FileOutputStream",
    "java/io/FileReader",
    "java/io/FileWriter",
    "java/io/RandomAccessFile",
    "java/net/",
    "java/nio/channels/",
    "java/nio/file/",
    "java/rmi/",
    "java/security/",
    "java/sql/",
    "java/util/jar/",
    "java/util/logging/",
    "java/util/prefs/",
    "java/util/zip/ZipFile",
    "javax/accessibility/",
    "javax/crypto/",
    "javax/imageio/",
    "javax/management/",
    "javax/naming/",
    "javax/net/",
    "javax/print/",
    "javax/rmi/",
    "javax/script/",
    "javax/security/",
    "javax/smartcardio/",
    "javax/sound/",
    "javax/sql/",
    "javax/swing/",
    "javax/tools/",
];

/// Classes within the denied packages that are plain values.
const VALUES: &[&str] = &[
    "java/awt/geom/",
    "java/beans/IndexedPropertyChangeEvent",
    "java/beans/PropertyChangeEvent",
    "java/beans/PropertyChangeSupport",
    "java/beans/VetoableChangeSupport",
    "java/net/HttpCookie",
    "java/net/InetSocketAddress",
    "java/net/PasswordAuthentication",
    "java/net/Proxy",
    "java/net/URI",
    "java/net/URISyntaxException",
    "java/net/URL",
    "java/nio/file/Paths",
    "java/nio/file/attribute/FileTime",
    "java/security/CodeSource",
    "java/security/ProtectionDomain",
    "java/security/spec/",
    "java/sql/Date",
    "java/sql/DriverPropertyInfo",
    "java/sql/SQLException",
    "java/sql/Time",
    "java/sql/Timestamp",
    "java/util/jar/JarEntry",
    "java/util/logging/Level",
    "java/util/logging/LogRecord",
    "javax/crypto/spec/",
    "javax/management/Attribute",
    "javax/management/AttributeList",
    "javax/management/Notification",
    "javax/management/ObjectName",
    "javax/naming/Binding",
    "javax/naming/CompositeName",
    "javax/naming/NameClassPair",
    "javax/naming/Reference",
    "javax/naming/StringRefAddr",
    "javax/naming/directory/BasicAttribute",
    "javax/naming/directory/BasicAttributes",
    "javax/naming/directory/ModificationItem",
    "javax/naming/directory/SearchControls",
    "javax/naming/directory/SearchResult",
    "javax/naming/ldap/LdapName",
    "javax/naming/ldap/Rdn",
    "javax/net/ssl/SNIHostName",
    "javax/net/ssl/SSLParameters",
    "javax/script/SimpleBindings",
    "javax/security/auth/Subject",
    "javax/security/auth/callback/",
    "javax/security/auth/login/AppConfigurationEntry",
    "javax/security/auth/x500/X500Principal",
    "javax/swing/DefaultListModel",
    "javax/swing/event/",
    "javax/swing/table/DefaultTableModel",
    "javax/swing/tree/DefaultMutableTreeNode",
    "javax/swing/tree/DefaultTreeModel",
    "javax/swing/tree/TreePath",
];

/// Methods by class, name and the start of the descriptor; `<init>` stands for constructors.
const METHODS: &[(&str, &str, &str)] = &[
    // state of the whole JVM
    ("java/util/Locale", "setDefault", ""),
    ("java/util/TimeZone", "setDefault", ""),
    ("java/net/URL", "setURLStreamHandlerFactory", ""),
    // differs from machine to machine; what differs from run to run is in FLEETING
    ("java/io/File", "createTempFile", ""),
    ("java/io/File", "listRoots", ""),
    ("java/nio/charset/Charset", "defaultCharset", ""),
    ("java/text/Collator", "getInstance", "()"),
    ("java/text/DateFormat", "", ""),
    ("java/text/DecimalFormatSymbols", "<init>", "()"),
    ("java/text/DecimalFormatSymbols", "getInstance", "()"),
    ("java/text/NumberFormat", "getInstance", "()"),
    ("java/time/Clock", "", ""),
    ("java/time/ZoneId", "systemDefault", ""),
    ("java/util/Locale", "getDefault", ""),
    ("java/util/TimeZone", "getDefault", ""),
    // open files
    ("java/io/PrintStream", "<init>", "(Ljava/lang/String;"),
    ("java/io/PrintStream", "<init>", "(Ljava/io/File;"),
    ("java/io/PrintWriter", "<init>", "(Ljava/lang/String;"),
    ("java/io/PrintWriter", "<init>", "(Ljava/io/File;"),
    ("java/util/Formatter", "<init>", "(Ljava/lang/String;"),
    ("java/util/Formatter", "<init>", "(Ljava/io/File;"),
    ("java/util/Scanner", "<init>", "(Ljava/io/File;"),
    ("java/util/Scanner", "<init>", "(Ljava/nio/file/Path;"),
];

/// Packages in which a constructor whose first parameter is an `int` takes a capacity, and factories likewise.
const CAPACITIES: &[&str] = &["java/io/", "java/nio/", "java/util/"];

/// Classes in those packages where it is a value.
const NO_CAPACITIES: &[&str] = &[
    "java/util/Date",
    "java/util/GregorianCalendar",
    "java/util/OptionalInt",
    "java/util/SimpleTimeZone",
    "java/util/concurrent/CountDownLatch",
    "java/util/concurrent/CyclicBarrier",
    "java/util/concurrent/Semaphore",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicBoolean",
];

/// Whether tests must not use a method or constructor. Members of the class path are never denied.
pub(super) fn is_denied(class: &ClassInfo, method: &MethodInfo, lineage: &Lineage<'_>) -> bool {
    if !class.name.is_exported_by_platform() {
        return false;
    }
    let listed = |table: &[(&str, &str, &str)]| {
        is_listed(table, class.name.as_str(), &method.name, &method.descriptor)
    };
    let is_below = |name: &str| lineage.is_subclass(&class.name, &ClassName::from(name));
    // An exception that says that there is no connection makes none.
    let is_exception = method.is_constructor() && is_below("java/lang/Throwable");
    (is_denied_class(&class.name) && !is_exception)
        || listed(METHODS)
        || listed(FLEETING)
        || takes_capacity(&class.name, method)
        || is_below("java/lang/Thread")
}

/// Whether tests must not read a static field of the platform.
pub(super) fn is_denied_field(class: &ClassName) -> bool {
    class.is_exported_by_platform() && is_denied_class(class)
}

fn is_denied_class(class: &ClassName) -> bool {
    let listed = |list: &[&str]| {
        list.iter().any(|entry| match class.as_str().strip_prefix(entry) {
            Some(rest) => rest.is_empty() || entry.ends_with('/') || rest.starts_with('$'),
            None => false,
        })
    };
    listed(CLASSES) && !listed(VALUES)
}

fn takes_capacity(class: &ClassName, method: &MethodInfo) -> bool {
    let makes = method.is_constructor() || method.access.is_static();
    let prefixed = |list: &[&str]| list.iter().any(|prefix| class.as_str().starts_with(prefix));
    makes
        && method.descriptor.starts_with("(I")
        && prefixed(CAPACITIES)
        && !NO_CAPACITIES.contains(&class.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_denied_by_name_or_package_but_not_by_a_longer_name() {
        for name in ["java/lang/Thread", "java/lang/Thread$State", "java/net/Socket", "java/awt/Frame"] {
            assert!(is_denied_class(&name.into()), "{name}");
        }
        for name in [
            "java/lang/ThreadDeath",
            "java/net/URI",
            "java/awt/geom/Point2D",
            "javax/security/auth/callback/NameCallback",
        ] {
            assert!(!is_denied_class(&name.into()), "{name}");
        }
    }
}
