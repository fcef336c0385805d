//! Threads that a test starts do not reach into the next one.

use crate::common::{Cluster, Worker, call, in_own_process, int, observed_int};
use testcase::execution::{Outcome, Touched};

const SOURCES: &str = r"
//- /p/Threaded.java
package p;

import java.util.concurrent.*;

public class Threaded {
    static volatile int ticks;
    static final Object LOCK = new Object();

    static int work(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
    static void forever() { while (true) { ticks++; work(10); } }

    public static int joined() throws Exception {
        final int[] result = new int[1];
        Thread thread = new Thread(() -> result[0] = work(10));
        thread.start();
        thread.join();
        return result[0];
    }
    public static int pooled() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try { return pool.submit(() -> work(10)).get(1, TimeUnit.MINUTES); } finally { pool.shutdown(); }
    }
    public static int notified() throws Exception {
        final boolean[] done = new boolean[1];
        new Thread(() -> { synchronized (LOCK) { done[0] = true; LOCK.notifyAll(); } }).start();
        synchronized (LOCK) { while (!done[0]) LOCK.wait(); }
        return 1;
    }
    public static void leaveRunning() { new Thread(Threaded::forever).start(); }
    public static void leaveSleeping() {
        new Thread(() -> { try { while (true) new CountDownLatch(1).await(); } catch (InterruptedException end) { } }).start();
    }
    public static void leaveCatching() {
        new Thread(() -> { while (true) { try { forever(); } catch (Throwable everything) { } } }).start();
    }
    public static void leavePooled() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(2, 2, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>());
        pool.submit(() -> work(10)).get();
        pool.submit(() -> work(10)).get();
    }
    public static void leaveCached() throws Exception { Executors.newCachedThreadPool().submit(() -> work(10)).get(); }
    public static void leaveScheduled() {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        pool.scheduleAtFixedRate(() -> work(10), 1, 1, TimeUnit.HOURS);
    }
    public static void leaveRepeating() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Runnable waits = () -> {
            begun.countDown();
            try { new CountDownLatch(1).await(); } catch (InterruptedException end) { }
        };
        Executors.newScheduledThreadPool(1).scheduleAtFixedRate(waits, 0, 1, TimeUnit.HOURS);
        begun.await();
    }
    static final ThreadPoolExecutor SHARED = new ThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>());
    public static int shared() throws Exception {
        boolean isAsBefore = SHARED.getKeepAliveTime(TimeUnit.HOURS) == 1 && !SHARED.allowsCoreThreadTimeOut();
        return isAsBefore ? SHARED.submit(() -> work(10)).get(1, TimeUnit.MINUTES) : -1;
    }
    static volatile int found;
    public static void find() { found = 0; new Thread(() -> found = work(1_000_000) | 1).start(); }
    public static int isFound() { return found & 1; }
    public static int plain(int n) { return n + 1; }
    public static int alive() {
        Thread[] threads = new Thread[100];
        return Thread.currentThread().getThreadGroup().enumerate(threads);
    }
}
";

const OWNER: &str = "p/Threaded";

#[test]
fn threads_do_their_part_of_a_test() {
    in_own_process("threads::threads_do_their_part_of_a_test", || {
        let mut cluster = Cluster::default();
        let mut method = |name: &str| cluster.static_method(OWNER, name, "()I");
        let cases = [(method("joined"), 45), (method("pooled"), 45), (method("notified"), 1)];
        let mut worker = Worker::start(&fixture::compile(SOURCES), &[OWNER], cluster);
        for _ in 0..3 {
            for (method, expect) in cases {
                assert_eq!(worker.value(&[call(method, &[])]), observed_int(expect));
                assert_eq!(worker.run(&[call(method, &[])]), Outcome::Passed);
                assert!(worker.result.touched.intersects(Touched::THREAD));
            }
        }
    });
}

#[test]
fn threads_have_the_first_turn_where_the_test_gives_way() {
    in_own_process("threads::threads_have_the_first_turn_where_the_test_gives_way", || {
        let mut cluster = Cluster::default();
        let find = cluster.static_method(OWNER, "find", "()V");
        let is_found = cluster.static_method(OWNER, "isFound", "()I");
        let compiled = fixture::compile(SOURCES);
        let mut worker =
            Worker::start_with(&compiled, &[OWNER], cluster, |options| options.gives_way_ms = 200);
        assert_eq!(worker.value(&[call(find, &[]), call(is_found, &[])]), observed_int(1));
    });
}

#[test]
fn threads_left_running_are_ended_and_leave_no_trace() {
    in_own_process("threads::threads_left_running_are_ended_and_leave_no_trace", || {
        let mut cluster = Cluster::default();
        // What goes on computing would do so in the user's build, too.
        let left = [
            ("leaveRunning", Outcome::TimedOut),
            ("leaveSleeping", Outcome::Passed),
            ("leaveCatching", Outcome::TimedOut),
        ];
        let left = left.map(|(name, outcome)| (cluster.static_method(OWNER, name, "()V"), outcome));
        let plain = cluster.static_method(OWNER, "plain", "(I)I");
        let alive = cluster.static_method(OWNER, "alive", "()I");
        let mut worker = Worker::start(&fixture::compile(SOURCES), &[OWNER], cluster);
        let before = worker.value(&[call(alive, &[])]);
        let entry = |worker: &Worker, name: &str| {
            worker.maps[0].methods.iter().find(|method| &*method.name == name).expect("a method").entry
        };
        let (work, own) = (entry(&worker, "work"), entry(&worker, "plain"));
        for (method, outcome) in left {
            assert_eq!(worker.run(&[call(method, &[])]), outcome);
            assert_eq!(worker.result.stalled, outcome == Outcome::TimedOut);
            assert!(worker.result.touched.intersects(Touched::THREAD));
            // Only the thread of the test records.
            assert_eq!(worker.result.trace.count(work), 0);
            assert_eq!(worker.run(&[int(1), call(plain, &[0])]), Outcome::Passed);
            assert_eq!((worker.result.trace.count(own), worker.result.trace.count(work)), (1, 0));
            assert_eq!(worker.value(&[call(alive, &[])]), before);
        }
        assert!(!worker.executor.is_tainted());
        // Charged to the statement that started them.
        let faults = worker.executor.take_faults();
        let at: Vec<usize> = faults.iter().map(|fault| fault.position).collect();
        assert_eq!(at, [0, 0]);
    });
}

#[test]
fn pools_let_idle_threads_go_and_stay_what_they_are() {
    in_own_process("threads::pools_let_idle_threads_go_and_stay_what_they_are", || {
        let mut cluster = Cluster::default();
        let left = ["leavePooled", "leaveCached", "leaveScheduled", "leaveRepeating"];
        let left = left.map(|name| cluster.static_method(OWNER, name, "()V"));
        let (shared, alive) =
            (cluster.static_method(OWNER, "shared", "()I"), cluster.static_method(OWNER, "alive", "()I"));
        let mut worker = Worker::start(&fixture::compile(SOURCES), &[OWNER], cluster);
        let before = worker.value(&[call(alive, &[])]);
        // More often than threads may be given up before the JVM is replaced.
        for _ in 0..40 {
            for method in left {
                assert_eq!(worker.run(&[call(method, &[])]), Outcome::Passed);
            }
            assert_eq!(worker.value(&[call(shared, &[])]), observed_int(45));
            assert_eq!(worker.value(&[call(alive, &[])]), before);
        }
        assert!(!worker.executor.is_tainted());
    });
}
