//! What benchmarks count: the time that the thread of the tests computes, not the wall clock. The machine may be shared, and
//! the JVM compiles on threads of its own.

use std::time::Duration;

use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;
use rustix::time::{ClockId, clock_gettime};

/// Time that this thread has computed.
fn computed() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Measures what `run` takes.
pub(crate) fn measure(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, mut run: impl FnMut()) {
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|rounds| {
            let start = computed();
            for _ in 0..rounds {
                run();
            }
            computed().saturating_sub(start)
        });
    });
}
