//! Work on many things, on all processors.

use std::panic::resume_unwind;
use std::thread::{ScopedJoinHandle, available_parallelism, scope};

/// What comes of each of these, in their order. A thread gets so many at least: starting one takes as long as a little work.
///
/// # Panics
/// As the work does.
pub fn side_by_side<T: Sync, R: Send>(all: &[T], least: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = available_parallelism().map_or(1, usize::from);
    let part = all.len().div_ceil(threads).max(least).max(1);
    let work = &work;
    scope(|scope| {
        let parts: Vec<ScopedJoinHandle<'_, Vec<R>>> =
            all.chunks(part).map(|part| scope.spawn(move || part.iter().map(work).collect())).collect();
        let parts = parts.into_iter().map(ScopedJoinHandle::join);
        parts.flat_map(|part| part.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_however_many_there_are() {
        for (count, least) in [(0, 0), (1, 0), (3, 1), (100, 7), (100, 1000)] {
            let all: Vec<usize> = (0..count).collect();
            assert_eq!(
                side_by_side(&all, least, |number| number * 2),
                all.iter().map(|n| n * 2).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    #[should_panic(expected = "three")]
    fn a_panic_goes_on() {
        side_by_side(&[1, 2, 3], 1, |&number| assert!(number < 3, "three"));
    }
}
