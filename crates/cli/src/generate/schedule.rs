//! Items side by side on a fixed number of threads.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What became of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate<R> {
    /// It was worked on.
    Done(R),
    /// Its turn had not come when the run was interrupted.
    Skipped,
    /// The work panicked; the others are not touched by that.
    Panicked(String),
}

/// What a turn of an item came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worked<R> {
    /// This, and that is all.
    Done(R),
    /// This, and the item is to have another turn.
    Again(R),
    /// There was no time for it.
    NotBegun(R),
}

/// Works on the items in order, `jobs` at a time, and then once more on those that are to have another turn; what the last turn of each
/// came to that was begun, in the order of the items. Otherwise as [`side_by_side`].
pub fn in_turns<T: Sync, R: Send>(
    jobs: NonZeroUsize,
    items: &[T],
    interrupted: &(dyn Fn() -> bool + Sync),
    work: &(dyn Fn(&T) -> Worked<R> + Sync),
) -> Vec<Fate<R>> {
    let mut again = Vec::new();
    let first = side_by_side(jobs, items, interrupted, work);
    let first = first.into_iter().enumerate().map(|(index, fate)| match fate {
        Fate::Done(Worked::Again(result)) => {
            again.push(index);
            Fate::Done(result)
        }
        Fate::Done(Worked::Done(result) | Worked::NotBegun(result)) => Fate::Done(result),
        Fate::Skipped => Fate::Skipped,
        Fate::Panicked(message) => Fate::Panicked(message),
    });
    let mut fates: Vec<Fate<R>> = first.collect();
    let second = side_by_side(jobs, &again, interrupted, &|&index| work(&items[index]));
    for (&index, fate) in again.iter().zip(second) {
        fates[index] = match fate {
            Fate::Done(Worked::Done(result) | Worked::Again(result)) => Fate::Done(result),
            Fate::Panicked(message) => Fate::Panicked(message),
            Fate::Done(Worked::NotBegun(_)) | Fate::Skipped => continue,
        };
    }
    fates
}

/// Works on the items in order, `jobs` at a time; their fates, in the order of the items. Before each item
/// `interrupted` is asked whether to go on.
pub fn side_by_side<T: Sync, R: Send>(
    jobs: NonZeroUsize,
    items: &[T],
    interrupted: &(dyn Fn() -> bool + Sync),
    work: &(dyn Fn(&T) -> R + Sync),
) -> Vec<Fate<R>> {
    let next = AtomicUsize::new(0);
    let fates: Vec<Mutex<Fate<R>>> = items.iter().map(|_| Mutex::new(Fate::Skipped)).collect();
    let run = || {
        while !interrupted() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(item), Some(fate)) = (items.get(index), fates.get(index)) else {
                return;
            };
            // What a panicking item leaves behind is its own: the others share nothing that it writes.
            let done = catch_unwind(AssertUnwindSafe(|| work(item)));
            *fate.lock().unwrap_or_else(PoisonError::into_inner) = match done {
                Ok(result) => Fate::Done(result),
                Err(panic) => Fate::Panicked(describe(&*panic)),
            };
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.get().min(items.len()) {
            scope.spawn(run);
        }
        run();
    });
    fates.into_iter().map(|fate| fate.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

fn describe(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|&text| text.to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    fn jobs(number: usize) -> NonZeroUsize {
        NonZeroUsize::new(number).unwrap()
    }

    #[test]
    fn fates_come_in_the_order_of_the_items() {
        for number in [1, 3, 100] {
            let items: Vec<usize> = (0..20).collect();
            let fates = side_by_side(jobs(number), &items, &|| false, &|item| item * 2);
            assert_eq!(fates, (0..20).map(|item| Fate::Done(item * 2)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn items_that_are_to_have_another_turn_come_behind_the_others() {
        // What the turns of each item come to.
        let turns: [&[Worked<u8>]; 4] = [
            &[Worked::Again(1), Worked::Done(2)],
            &[Worked::Done(3)],
            &[Worked::Again(4), Worked::NotBegun(5)],
            &[Worked::Again(6), Worked::Again(7)],
        ];
        let (had, order) = ([const { AtomicUsize::new(0) }; 4], Mutex::new(Vec::new()));
        let fates = in_turns(jobs(1), &[0, 1, 2, 3], &|| false, &|&item: &usize| {
            order.lock().unwrap().push(item);
            turns[item][had[item].fetch_add(1, Ordering::Relaxed)].clone()
        });
        assert_eq!(fates, [2, 3, 4, 7].map(Fate::Done));
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2, 3, 0, 2, 3]);
    }

    #[test]
    fn items_run_side_by_side() {
        // Two items that wait for each other only end if both run.
        let barrier = Barrier::new(2);
        let fates = side_by_side(jobs(2), &[0, 1], &|| false, &|_| barrier.wait().is_leader());
        assert_eq!(fates.iter().filter(|fate| **fate == Fate::Done(true)).count(), 1);
    }

    #[test]
    fn after_an_interruption_nothing_new_begins() {
        let seen = AtomicUsize::new(0);
        let fates = side_by_side(jobs(1), &[0, 1, 2], &|| seen.load(Ordering::Relaxed) >= 2, &|_| {
            seen.fetch_add(1, Ordering::Relaxed)
        });
        assert_eq!(fates, [Fate::Done(0), Fate::Done(1), Fate::Skipped]);
    }

    #[test]
    fn a_panic_costs_its_own_item_alone() {
        let fates = side_by_side(jobs(2), &[0, 1, 2], &|| false, &|&item| {
            assert!(item != 1, "item {item}");
            item
        });
        assert_eq!(fates, [Fate::Done(0), Fate::Panicked("item 1".into()), Fate::Done(2)]);
    }
}
