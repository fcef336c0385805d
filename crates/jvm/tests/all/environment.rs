//! What a test touches of the world outside is noted; what class loading touches is not.

#![expect(clippy::disallowed_methods, reason = "test code reads and writes files")]

use std::fs;

use crate::common::{Cluster, Worker, call, in_own_process, new as construct, observed_string, string};
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::CallableId;
use testcase::execution::{Executor as _, Outcome, Touched};
use testcase::statement::VarRef;
use testcase::test_case::TestCase;
use testcase::value::Value;

const SOURCES: &str = r#"
//- /p/World.java
package p;

import java.io.*;
import java.net.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;

public class World {
    public static void streamRead(String path) throws Exception { new FileInputStream(path).close(); }
    public static void readerRead(String path) throws Exception { new FileReader(path).close(); }
    public static void randomRead(String path) throws Exception { new RandomAccessFile(path, "r").close(); }
    public static void nioRead(String path) throws Exception { Files.readAllBytes(Paths.get(path)); }
    public static void channelRead(String path) throws Exception { FileChannel.open(Paths.get(path)).close(); }
    public static void exists(String path) { new File(path).exists(); }
    public static void nioExists(String path) { Files.exists(Paths.get(path)); }
    public static void length(String path) { new File(path).length(); }
    private static final File WORKING = new File(System.getProperty("user.dir"));
    public static void working(String path) { WORKING.isDirectory(); WORKING.exists(); new File(".").isDirectory(); }
    public static void workingReadable(String path) { WORKING.canRead(); }
    public static void inWorking(String path) { new File(WORKING, "Cargo.toml").exists(); }
    public static void listWorking(String path) { WORKING.list(); }
    public static void list(String path) { new File(path).getParentFile().list(); }
    public static void nioList(String path) throws Exception { Files.newDirectoryStream(Paths.get(path).getParent()).close(); }
    public static void streamWrite(String path) throws Exception { new FileOutputStream(path + ".new").close(); }
    public static void randomWrite(String path) throws Exception { new RandomAccessFile(path + ".new", "rw").close(); }
    public static void nioWrite(String path) throws Exception { Files.write(Paths.get(path + ".new"), new byte[1]); }
    public static void delete(String path) { new File(path + ".new").delete(); }
    public static void nioDelete(String path) throws Exception { Files.delete(Paths.get(path)); }
    public static void makeFolder(String path) { new File(path + ".folder").mkdir(); }
    public static void nioMakeFolder(String path) throws Exception { Files.createDirectory(Paths.get(path + ".folder")); }
    public static void rename(String path) { new File(path + ".new").renameTo(new File(path + ".other")); }
    public static void nioRename(String path) throws Exception { Files.move(Paths.get(path), Paths.get(path + ".other")); }
    public static void permission(String path) { new File(path).setReadable(false); }
    public static void temporary(String path) throws Exception { File.createTempFile("abc", "def"); }

    public static void connect(String path) throws Exception { new Socket("127.0.0.1", 9); }
    public static void serve(String path) throws Exception { new ServerSocket(0); }
    public static void datagram(String path) throws Exception { new DatagramSocket(); }
    public static void channel(String path) throws Exception { SocketChannel.open(); }
    public static void channelOfFamily(String path) throws Exception { java.nio.channels.DatagramChannel.open(java.net.StandardProtocolFamily.INET6); }
    public static void host(String path) throws Exception { InetAddress.getByName("host.invalid"); }
    public static void localHost(String path) throws Exception { InetAddress.getLocalHost(); }
    public static void interfaces(String path) throws Exception { NetworkInterface.getNetworkInterfaces(); }
    public static void otherInterface(String path) throws Exception { NetworkInterface.getByName("wlan7"); }
    public static String machine(String path) throws Exception {
        InetAddress own = InetAddress.getLocalHost();
        NetworkInterface one = NetworkInterface.getByInetAddress(own);
        StringBuilder text = new StringBuilder();
        text.append(own).append(' ').append(own.isLoopbackAddress());
        text.append(' ').append(InetAddress.getByName("localhost"));
        text.append(' ').append(InetAddress.getByAddress(own.getAddress()).getHostName());
        text.append(' ').append(new InetSocketAddress("localhost", 80).isUnresolved());
        text.append(' ').append(NetworkInterface.getByIndex(one.getIndex()).equals(one));
        text.append(' ').append(NetworkInterface.getByName(one.getName()).equals(one));
        for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            text.append(' ').append(each.getDisplayName()).append(each.isUp()).append(each.isLoopback());
            text.append(each.isVirtual()).append(each.isPointToPoint()).append(each.supportsMulticast()).append(each.getMTU());
            text.append(Collections.list(each.getInetAddresses())).append(Arrays.toString(each.getHardwareAddress()));
            text.append(each.getInterfaceAddresses().get(0).getNetworkPrefixLength());
        }
        return text.toString();
    }

    public static void runtimeExec(String path) throws Exception { Runtime.getRuntime().exec("true"); }
    public static void processBuilder(String path) throws Exception { new ProcessBuilder("true").start(); }

    public static void variable(String path) { System.getenv("HOME"); }
    public static void ownVariable(String path) { System.getenv("WORLD_OF_TESTS_PROCESSORS"); }
    public static void setVariable(String path) { System.getenv("CARGO_MANIFEST_DIR"); }
    public static void familyVariable(String path) { System.getenv("LC_ALL"); }
    public static void variables(String path) { System.getenv().size(); }
    public static void userName(String path) { System.getProperty("user.name"); }
    public static void home(String path) { System.getProperty("user.home", "none"); }
    public static void temporaryFolder(String path) { System.getProperty("java.io.tmpdir"); }
    public static String user(String path) {
        return System.getProperty("user.name") + ":" + System.getProperty("user.home") + ":" + System.getProperty("user.dir") + ":"
            + System.getProperty("java.io.tmpdir");
    }
    public static void folder(String path) { System.getProperties().get("user.dir"); }

    public static void clock(String path) { System.nanoTime(); }
    public static void chance(String path) { Math.random(); }
    public static void identifier(String path) { UUID.randomUUID(); }
    public static void secure(String path) { new java.security.SecureRandom().nextInt(); }

    public static void thread(String path) throws Exception { Thread thread = new Thread(() -> { }); thread.start(); thread.join(); }

    public static void nothing(String path) { }
    public static void separator(String path) { System.getProperty("line.separator"); System.lineSeparator(); }
    public static void otherClass(String path) { new Other().value(); }
    public static void resource(String path) throws Exception {
        try (InputStream stream = World.class.getResourceAsStream("World.class")) { stream.read(); }
    }
    public static void regularExpression(String path) { "a-b".split("-+"); String.format("%5.2f %s", 1.0, "x"); }
    public static void lambda(String path) { Arrays.asList("b", "a").sort((one, other) -> one.compareTo(other)); }
    public static void print(String path) throws Exception { System.out.println("x"); System.err.println("x"); }
    public static void type(String path) throws Exception { new Scanner(System.in).hasNext(); }
    public static void typeAvailable(String path) throws Exception { System.in.available(); }
    public static void typed(String path) throws Exception { System.setIn(new ByteArrayInputStream(new byte[1])); System.in.read(); }
}
//- /p/Other.java
package p;

public class Other {
    public int value() { return 1; }
}
"#;

const OWNER: &str = "p/World";

/// Methods, and what calling them touches.
const METHODS: &[(&str, Touched)] = &[
    ("streamRead", Touched::FILE_READ),
    ("readerRead", Touched::FILE_READ),
    ("randomRead", Touched::FILE_READ),
    ("nioRead", Touched::FILE_READ),
    ("channelRead", Touched::FILE_READ),
    ("exists", Touched::FILE_READ),
    ("nioExists", Touched::FILE_READ),
    ("length", Touched::FILE_READ),
    ("workingReadable", Touched::FILE_READ),
    ("inWorking", Touched::FILE_READ),
    ("listWorking", Touched::FILE_READ),
    ("list", Touched::FILE_READ),
    ("nioList", Touched::FILE_READ),
    ("streamWrite", Touched::FILE_WRITE),
    ("randomWrite", Touched::FILE_WRITE),
    ("nioWrite", Touched::FILE_WRITE),
    ("delete", Touched::FILE_WRITE),
    ("nioDelete", Touched::FILE_WRITE),
    ("makeFolder", Touched::FILE_WRITE),
    ("nioMakeFolder", Touched::FILE_WRITE),
    ("rename", Touched::FILE_WRITE),
    ("nioRename", Touched::FILE_WRITE),
    ("permission", Touched::FILE_WRITE),
    ("temporary", Touched::FILE_WRITE),
    ("connect", Touched::NETWORK),
    ("serve", Touched::NETWORK),
    ("datagram", Touched::NETWORK),
    ("channel", Touched::NETWORK),
    ("channelOfFamily", Touched::NETWORK),
    ("host", Touched::NETWORK),
    ("otherInterface", Touched::NETWORK),
    ("localHost", Touched::CLOCK),
    ("runtimeExec", Touched::PROCESS),
    ("processBuilder", Touched::PROCESS),
    ("variable", Touched::ENVIRONMENT),
    ("setVariable", Touched::ENVIRONMENT),
    ("familyVariable", Touched::ENVIRONMENT),
    ("variables", Touched::ENVIRONMENT),
    ("clock", Touched::CLOCK),
    ("chance", Touched::CLOCK),
    ("identifier", Touched::CLOCK),
    ("secure", Touched::CLOCK),
    ("thread", Touched::THREAD),
    ("nothing", Touched(0)),
    ("working", Touched(0)),
    ("userName", Touched(0)),
    ("home", Touched(0)),
    ("temporaryFolder", Touched(0)),
    ("folder", Touched(0)),
    ("interfaces", Touched(0)),
    ("ownVariable", Touched(0)),
    ("separator", Touched(0)),
    ("otherClass", Touched(0)),
    ("resource", Touched(0)),
    ("regularExpression", Touched(0)),
    ("lambda", Touched(0)),
    ("print", Touched(0)),
    ("type", Touched::ENVIRONMENT),
    ("typeAvailable", Touched::ENVIRONMENT),
    ("typed", Touched(0)),
];

fn methods(cluster: &mut Cluster) -> Vec<CallableId> {
    METHODS.iter().map(|(name, _)| cluster.static_method(OWNER, name, "(Ljava/lang/String;)V")).collect()
}

#[test]
fn every_touch_is_noted_in_a_confined_worker_and_nothing_is_written() {
    in_own_process("environment::every_touch_is_noted_in_a_confined_worker_and_nothing_is_written", || {
        let compiled = fixture::compile(SOURCES);
        let foreign = tempfile::tempdir().expect("a folder");
        let file = foreign.path().join("file");
        fs::write(&file, "content").expect("a file");
        let mut cluster = Cluster::default();
        let methods = methods(&mut cluster);
        let mut worker = Worker::start_confined(&compiled, &[OWNER], cluster);
        let path = string(file.to_str().expect("a path"));
        let mut wrong = Vec::new();
        // Twice: caches of the JDK must not hide anything.
        for round in 0..2 {
            for (method, (name, expect)) in methods.iter().zip(METHODS) {
                let outcome = worker.run(&[path.clone(), call(*method, &[0])]);
                let touched = worker.result.touched;
                let is_right = if *expect == Touched(0) {
                    touched == *expect && outcome == Outcome::Passed
                } else {
                    touched.intersects(*expect) && worker.result.is_valid()
                };
                if !is_right {
                    wrong.push(format!("{round} {name}: {touched:?} {outcome:?}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        let left: Vec<_> = fs::read_dir(foreign.path()).expect("a folder").flatten().collect();
        assert_eq!(left.len(), 1, "{left:?}");
        assert_eq!(fs::read_to_string(&file).expect("a file"), "content");
    });
}

#[test]
fn the_user_is_the_same_in_every_run_and_temporary_files_can_be_made() {
    in_own_process("environment::the_user_is_the_same_in_every_run_and_temporary_files_can_be_made", || {
        let compiled = fixture::compile(SOURCES);
        let mut cluster = Cluster::default();
        let user = cluster.static_method(OWNER, "user", "(Ljava/lang/String;)Ljava/lang/String;");
        let temporary = cluster.static_method(OWNER, "temporary", "(Ljava/lang/String;)V");
        let mut worker = Worker::start_confined(&compiled, &[OWNER], cluster);
        let seen = worker.value(&[string("x"), call(user, &[0])]);
        assert_eq!(seen, observed_string("user:/users/user:/users/user/work:/tmp"));
        assert_eq!(worker.run(&[string("x"), call(temporary, &[0])]), Outcome::Passed);
    });
}

const HERE: &str = "machine.invalid/192.0.2.1 false localhost/127.0.0.1 machine.invalid false true true \
    eth0truefalsefalsefalsetrue1500[/192.0.2.1][2, 0, 0, 0, 0, 1]24 lotruetruefalsefalsetrue65536[/127.0.0.1]null8";
const ELSEWHERE: &str = "elsewhere.invalid/198.51.100.254 false localhost/127.0.0.1 elsewhere.invalid false true true \
    en1truefalsefalsefalsetrue1500[/198.51.100.254][6, 1, 2, 3, 4, -6]24 lo0truetruefalsefalsetrue65536[/127.0.0.1]null8";

#[test]
fn the_machine_is_the_same_in_every_run() {
    in_own_process("environment::the_machine_is_the_same_in_every_run", || sees_machine(false, HERE));
}

#[test]
fn the_machine_is_another_elsewhere() {
    in_own_process("environment::the_machine_is_another_elsewhere", || sees_machine(true, ELSEWHERE));
}

fn sees_machine(is_elsewhere: bool, expect: &str) {
    let compiled = fixture::compile(SOURCES);
    let mut cluster = Cluster::default();
    let machine = cluster.static_method(OWNER, "machine", "(Ljava/lang/String;)Ljava/lang/String;");
    let mut worker = Worker::start_with(&compiled, &[OWNER], cluster, |options| {
        options.is_elsewhere = is_elsewhere;
        options.check_jni = true;
    });
    for _ in 0..2 {
        assert_eq!(worker.value(&[string("x"), call(machine, &[0])]), observed_string(expect));
    }
}

#[test]
fn nothing_is_seen_of_a_value_by_looking_at_files() {
    in_own_process("environment::nothing_is_seen_of_a_value_by_looking_at_files", || {
        const FILE: &str = "java/io/File";
        let compiled = fixture::compile(SOURCES);
        let mut cluster = Cluster::default();
        let new = cluster.constructor(FILE, "(Ljava/lang/String;)V");
        let inspectors =
            [("isDirectory", "()Z"), ("length", "()J"), ("canRead", "()Z"), ("isAbsolute", "()Z")]
                .map(|(name, descriptor)| cluster.method(FILE, name, descriptor));
        let mut worker = Worker::start(&compiled, &[OWNER], cluster);
        let test = TestCase::new(vec![string("a"), construct(new, &[0])]);
        let after = VarRef::from(1);
        let points = inspectors.map(|inspector| ObservationPoint {
            after,
            target: ObservationTarget::Inspector(after, inspector),
        });
        let seen = worker.executor.observe(&test, &points).values;
        let name_alone = Some(ObservedValue::Primitive(Value::Boolean(false)));
        assert_eq!(seen, [None, None, None, name_alone]);
    });
}
