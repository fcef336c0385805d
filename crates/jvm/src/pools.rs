//! Thread pools that a test leaves behind. Their idle threads wait for work, and wait again when they are interrupted. So the pool is set up
//! for a moment such that idle threads end at once (`ThreadPoolExecutor.setKeepAliveTime` and `allowCoreThreadTimeOut`, by their fields).
//!
//! The pool itself stays what it is and makes new threads when there is work: a static field may hold it, and the next test use it.
//! Work that waits for its time is dropped: it belongs to a test that is over.

use crate::jdk::Jdk;
use crate::jni::{Env, FieldId, Global, Java, Kind, MethodId, Ref, jvalue};

/// Where the JDK keeps what its pools know.
#[derive(Debug)]
pub(crate) struct Pools {
    /// The fields that lead from a thread to what it runs.
    task: Vec<FieldId>,
    /// The class of what the threads of a pool run.
    worker: Global,
    pool: FieldId,
    queue: FieldId,
    clear: MethodId,
    /// For how long a thread waits for work, in nanoseconds, where it may end at all.
    patience: FieldId,
    /// Whether every thread may end, and not only those that are more than the pool is to have.
    all_may_end: FieldId,
}

/// A pool whose threads are asked to end.
#[derive(Clone, Copy)]
pub(crate) struct Emptied<'f> {
    pool: Ref<'f>,
    patience: jvalue,
    all_may_end: jvalue,
}

impl Pools {
    /// `None` for a JDK that keeps things elsewhere.
    pub(crate) fn find(env: Env<'_>, jdk: &Jdk) -> Option<Self> {
        env.frame(16, |env| Self::look_up(env, jdk).inspect_err(|_| env.clear()).ok())
    }

    fn look_up(env: Env<'_>, jdk: &Jdk) -> Java<Self> {
        let thread = jdk.thread_class.get();
        let task = if let Ok(target) = env.field(thread, "target", "Ljava/lang/Runnable;") {
            vec![target]
        } else {
            // Since Java 19.
            env.clear();
            let holder = env.find_class(c"java/lang/Thread$FieldHolder")?;
            vec![
                env.field(thread, "holder", "Ljava/lang/Thread$FieldHolder;")?,
                env.field(holder, "task", "Ljava/lang/Runnable;")?,
            ]
        };
        let pool = env.find_class(c"java/util/concurrent/ThreadPoolExecutor")?;
        let worker = env.find_class(c"java/util/concurrent/ThreadPoolExecutor$Worker")?;
        let queue = env.find_class(c"java/util/concurrent/BlockingQueue")?;
        Ok(Self {
            task,
            pool: env.field(worker, "this$0", "Ljava/util/concurrent/ThreadPoolExecutor;")?,
            worker: env.global(worker),
            queue: env.field(pool, "workQueue", "Ljava/util/concurrent/BlockingQueue;")?,
            clear: env.method(queue, "clear", "()V")?,
            patience: env.field(pool, "keepAliveTime", "J")?,
            all_may_end: env.field(pool, "allowCoreThreadTimeOut", "Z")?,
        })
    }

    /// Has the threads of those pools end, of which some of these threads are, as soon as they are interrupted, until
    /// [`Pools::put_back`].
    pub(crate) fn empty<'f>(&self, env: Env<'f>, threads: &[Ref<'f>]) -> Vec<Emptied<'f>> {
        let mut emptied: Vec<Emptied<'f>> = Vec::new();
        for pool in threads.iter().filter_map(|thread| self.pool_of(env, *thread)) {
            if !emptied.iter().any(|known| env.is_same(Some(known.pool), Some(pool))) {
                emptied.push(self.empty_one(env, pool));
            }
        }
        emptied
    }

    fn pool_of<'f>(&self, env: Env<'f>, thread: Ref<'f>) -> Option<Ref<'f>> {
        // SAFETY: the fields are those of the classes of the objects before them, and references.
        let task = self.task.iter().try_fold(thread, |of, field| unsafe { env.get_object(of, *field) })?;
        if !env.is_instance(task, self.worker.get()) {
            return None;
        }
        // SAFETY: the task is a worker, which has the field.
        unsafe { env.get_object(task, self.pool) }
    }

    fn empty_one<'f>(&self, env: Env<'f>, pool: Ref<'f>) -> Emptied<'f> {
        self.drop_work_of(env, pool);
        // SAFETY: the pool has these fields, of these kinds.
        unsafe {
            let patience = env.get(pool, self.patience, Kind::Long);
            let all_may_end = env.get(pool, self.all_may_end, Kind::Boolean);
            env.set(pool, self.patience, Kind::Long, jvalue { j: 0 });
            env.set(pool, self.all_may_end, Kind::Boolean, jvalue { z: 1 });
            Emptied { pool, patience, all_may_end }
        }
    }

    /// Empties the queues of pools once more.
    pub(crate) fn drop_work(&self, env: Env<'_>, emptied: &[Emptied<'_>]) {
        for emptied in emptied {
            self.drop_work_of(env, emptied.pool);
        }
    }

    fn drop_work_of(&self, env: Env<'_>, pool: Ref<'_>) {
        // SAFETY: the pool has the field. A queue of the class path may throw.
        unsafe {
            if let Some(queue) = env.get_object(pool, self.queue)
                && env.call(queue, self.clear, &[], None).is_err()
            {
                env.clear();
            }
        }
    }

    /// Leaves pools as they were set up.
    pub(crate) fn put_back(&self, env: Env<'_>, emptied: &[Emptied<'_>]) {
        for Emptied { pool, patience, all_may_end } in emptied {
            // SAFETY: the values are those of these fields.
            unsafe {
                env.set(*pool, self.patience, Kind::Long, *patience);
                env.set(*pool, self.all_may_end, Kind::Boolean, *all_may_end);
            }
        }
    }
}
