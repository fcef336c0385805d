//! Native methods of the JDK that touch the world outside, for every version from 8 on.

use testcase::execution::Touched;

/// A native method, the same under all its descriptors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Native {
    /// Internal name of the class.
    pub(crate) class: &'static str,
    /// Name of the method.
    pub(crate) method: &'static str,
    /// What calling it touches.
    pub(crate) touch: Touch,
    /// The file that it is about.
    pub(crate) path: PathArgument,
}

/// What calling a native method touches. Arguments are counted from 0, the receiver or class left out.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Touch {
    /// Always this.
    Always(Touched),
    /// A file, with the flags of `open(2)` as this argument.
    OpenFlags(usize),
    /// A file, with the mode of `RandomAccessFile` as this argument: bit 0 is set when it is only read.
    RandomAccessMode(usize),
    /// The network, unless it is about the machine itself: see [`super::machine`].
    Machine,
}

/// Which argument of a native method names a file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PathArgument {
    /// None, or not in a form that tells.
    Untold,
    /// A `java.lang.String`.
    Text(usize),
    /// A `java.io.File`.
    File(usize),
    /// The address of bytes that end with a zero.
    Address(usize),
    /// The first two are a `java.io.File` each.
    Files,
    /// The first two are such addresses.
    Addresses,
}

const READ: Touch = Touch::Always(Touched::FILE_READ);
const WRITE: Touch = Touch::Always(Touched::FILE_WRITE);
const NETWORK: Touch = Touch::Always(Touched::NETWORK);
const PROCESS: Touch = Touch::Always(Touched::PROCESS);
const ENVIRONMENT: Touch = Touch::Always(Touched::ENVIRONMENT);
const THREAD: Touch = Touch::Always(Touched::THREAD);

const fn native(class: &'static str, method: &'static str, touch: Touch, path: PathArgument) -> Native {
    Native { class, method, touch, path }
}

use PathArgument::{Address, Addresses, File, Files, Text, Untold};

const STREAM: &str = "java/io/FileInputStream";
const SINK: &str = "java/io/FileOutputStream";
const RANDOM_ACCESS: &str = "java/io/RandomAccessFile";
const FILES: &str = "java/io/UnixFileSystem";
const NIO: &str = "sun/nio/fs/UnixNativeDispatcher";
const NET: &str = "sun/nio/ch/Net";
const INET4: &str = "java/net/Inet4AddressImpl";
const INET6: &str = "java/net/Inet6AddressImpl";
const INTERFACE: &str = "java/net/NetworkInterface";
const HANDLE: &str = "java/lang/ProcessHandleImpl";

/// The table. Methods that a version does not have are never bound and do no harm.
pub(crate) const NATIVES: &[Native] = &[
    native(STREAM, "open0", READ, Text(0)),
    native(SINK, "open0", WRITE, Text(0)),
    native(RANDOM_ACCESS, "open0", Touch::RandomAccessMode(1), Text(0)),
    native(FILES, "canonicalize0", READ, Text(0)),
    native(FILES, "getBooleanAttributes0", READ, File(0)),
    native(FILES, "checkAccess", READ, File(0)),
    native(FILES, "checkAccess0", READ, File(0)),
    native(FILES, "getLastModifiedTime", READ, File(0)),
    native(FILES, "getLastModifiedTime0", READ, File(0)),
    native(FILES, "getLength", READ, File(0)),
    native(FILES, "getLength0", READ, File(0)),
    native(FILES, "getSpace", READ, Untold),
    native(FILES, "getSpace0", READ, Untold),
    native(FILES, "list", READ, File(0)),
    native(FILES, "list0", READ, File(0)),
    native(FILES, "setPermission", WRITE, Untold),
    native(FILES, "setPermission0", WRITE, Untold),
    native(FILES, "createFileExclusively", WRITE, Text(0)),
    native(FILES, "createFileExclusively0", WRITE, Text(0)),
    native(FILES, "delete0", WRITE, File(0)),
    native(FILES, "createDirectory", WRITE, File(0)),
    native(FILES, "createDirectory0", WRITE, File(0)),
    native(FILES, "rename0", WRITE, Files),
    native(FILES, "setLastModifiedTime", WRITE, File(0)),
    native(FILES, "setLastModifiedTime0", WRITE, File(0)),
    native(FILES, "setReadOnly", WRITE, Untold),
    native(FILES, "setReadOnly0", WRITE, Untold),
    native(NIO, "getcwd", ENVIRONMENT, Untold),
    native(NIO, "getpwuid", ENVIRONMENT, Untold),
    native(NIO, "getgrgid", ENVIRONMENT, Untold),
    native(NIO, "getpwnam0", ENVIRONMENT, Untold),
    native(NIO, "getgrnam0", ENVIRONMENT, Untold),
    native(NIO, "open0", Touch::OpenFlags(1), Address(0)),
    native(NIO, "openat0", Touch::OpenFlags(2), Untold),
    native(NIO, "stat0", READ, Address(0)),
    native(NIO, "stat1", READ, Address(0)),
    native(NIO, "lstat0", READ, Address(0)),
    native(NIO, "fstatat0", READ, Untold),
    native(NIO, "access0", READ, Address(0)),
    native(NIO, "exists0", READ, Address(0)),
    native(NIO, "readlink0", READ, Address(0)),
    native(NIO, "realpath0", READ, Address(0)),
    native(NIO, "opendir0", READ, Address(0)),
    native(NIO, "statvfs0", READ, Untold),
    native(NIO, "link0", WRITE, Untold),
    native(NIO, "symlink0", WRITE, Untold),
    native(NIO, "unlink0", WRITE, Address(0)),
    native(NIO, "unlinkat0", WRITE, Untold),
    native(NIO, "mknod0", WRITE, Address(0)),
    native(NIO, "mkdir0", WRITE, Address(0)),
    native(NIO, "rmdir0", WRITE, Address(0)),
    native(NIO, "rename0", WRITE, Addresses),
    native(NIO, "renameat0", WRITE, Untold),
    native(NIO, "chown0", WRITE, Untold),
    native(NIO, "lchown0", WRITE, Untold),
    native(NIO, "chmod0", WRITE, Untold),
    native(NIO, "fchmodat0", WRITE, Untold),
    native(NIO, "utimes0", WRITE, Untold),
    native(NIO, "lutimes0", WRITE, Untold),
    native(NIO, "utimensat0", WRITE, Untold),
    native(NIO, "futimes", WRITE, Untold),
    native(NIO, "futimes0", WRITE, Untold),
    native(NIO, "futimens", WRITE, Untold),
    native(NIO, "futimens0", WRITE, Untold),
    native(NIO, "fchmod", WRITE, Untold),
    native(NIO, "fchmod0", WRITE, Untold),
    native(NIO, "fchown", WRITE, Untold),
    native(NIO, "fchown0", WRITE, Untold),
    native(NIO, "fsetxattr0", WRITE, Untold),
    native(NIO, "fremovexattr0", WRITE, Untold),
    native("java/util/prefs/FileSystemPreferences", "lockFile0", WRITE, Untold),
    native("java/util/prefs/FileSystemPreferences", "chmod", WRITE, Untold),
    native("jdk/internal/loader/NativeLibraries", "load", READ, Text(1)),
    native("jdk/internal/loader/RawNativeLibraries", "load0", READ, Text(1)),
    native("java/lang/ClassLoader$NativeLibrary", "load", READ, Text(0)),
    native(NET, "socket0", NETWORK, Untold),
    native("sun/nio/ch/UnixDomainSockets", "socket0", NETWORK, Untold),
    native("java/net/PlainSocketImpl", "socketCreate", NETWORK, Untold),
    native("java/net/PlainDatagramSocketImpl", "datagramSocketCreate", NETWORK, Untold),
    native(INET4, "getLocalHostName", Touch::Machine, Untold),
    native(INET4, "lookupAllHostAddr", Touch::Machine, Untold),
    native(INET4, "getHostByAddr", Touch::Machine, Untold),
    native(INET4, "isReachable0", NETWORK, Untold),
    native(INET6, "getLocalHostName", Touch::Machine, Untold),
    native(INET6, "lookupAllHostAddr", Touch::Machine, Untold),
    native(INET6, "getHostByAddr", Touch::Machine, Untold),
    native(INET6, "isReachable0", NETWORK, Untold),
    native(INTERFACE, "getAll", Touch::Machine, Untold),
    native(INTERFACE, "getByName0", Touch::Machine, Untold),
    native(INTERFACE, "getByIndex0", Touch::Machine, Untold),
    native(INTERFACE, "getByInetAddress0", Touch::Machine, Untold),
    native(INTERFACE, "boundInetAddress0", Touch::Machine, Untold),
    native(INTERFACE, "isUp0", Touch::Machine, Untold),
    native(INTERFACE, "isLoopback0", Touch::Machine, Untold),
    native(INTERFACE, "isP2P0", Touch::Machine, Untold),
    native(INTERFACE, "supportsMulticast0", Touch::Machine, Untold),
    native(INTERFACE, "getMacAddr0", Touch::Machine, Untold),
    native(INTERFACE, "getMTU0", Touch::Machine, Untold),
    native("java/lang/ProcessImpl", "forkAndExec", PROCESS, Untold),
    native("java/lang/UNIXProcess", "forkAndExec", PROCESS, Untold),
    native(HANDLE, "parent0", PROCESS, Untold),
    native(HANDLE, "getProcessPids0", PROCESS, Untold),
    native(HANDLE, "destroy0", PROCESS, Untold),
    native(HANDLE, "isAlive0", PROCESS, Untold),
    native(HANDLE, "waitForProcessExit0", PROCESS, Untold),
    native("java/lang/ProcessHandleImpl$Info", "info0", PROCESS, Untold),
    native("jdk/internal/misc/Signal", "raise0", PROCESS, Untold),
    native("jdk/internal/misc/Signal", "handle0", PROCESS, Untold),
    native("sun/misc/Signal", "raise0", PROCESS, Untold),
    native("sun/misc/Signal", "handle0", PROCESS, Untold),
    native("java/lang/ProcessEnvironment", "environ", ENVIRONMENT, Untold),
    native("java/lang/Thread", "start0", THREAD, Untold),
];
