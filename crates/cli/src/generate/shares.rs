//! Which class gets how much of the time of a run. With a budget per class that is the same for each; with one for the whole run, what
//! is left is shared anew whenever a class begins, by the sizes of those that have not begun. Small classes come first: their files are
//! there early, and what they do not need goes to the large ones.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::repeat_n;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use testcase::clock::Clock;

use crate::options::{Budget, Options};

/// What a class gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Its budget.
    pub budget: Budget,
    /// Whether others need what is left of it when nothing new comes of it.
    pub is_shared: bool,
}

/// Time of a run, shared by its classes.
#[derive(Debug)]
pub struct Shares {
    /// What a class gets at most.
    most: Budget,
    /// Time of the whole run; `None` where each class has its own budget.
    total: Option<Duration>,
    lanes: usize,
    clock: Clock,
    classes: Mutex<Classes>,
}

/// When a module is to be done.
#[derive(Debug, Clone, Copy)]
struct Ends {
    /// The last of its classes.
    classes: Duration,
    /// Everything, its files together as well.
    all: Duration,
}

/// A class is told by its module and name.
type Name = (String, String);

#[derive(Debug, Default)]
struct Classes {
    /// Those that have not begun, with their sizes.
    waiting: BTreeMap<Name, u64>,
    /// Those that have, with the moment at which they are done at the latest; `None` where nobody knows.
    running: BTreeMap<Name, Option<Duration>>,
    done: usize,
    /// What one gets at least, as learned so far.
    least: Duration,
    /// Classes, the last ones, one behind the other, whose share was too little.
    starved: u32,
    /// Those that were starved once: they have another turn, behind the others.
    again: BTreeSet<Name>,
    /// The module that is worked on.
    present: String,
    /// Time that verifying all its files together is thought to take; none where it has but one.
    together: Duration,
    /// When it is to be done; `None` where each class has its own budget.
    ends: Option<Ends>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Classes that are done.
    pub done: usize,
    /// All of them.
    pub all: usize,
    /// Time until all are done at the latest; `None` where nobody knows.
    pub left: Option<Duration>,
}

/// Where time stands when a class is about to begin.
#[derive(Debug, Clone, Copy)]
struct Situation<'a> {
    /// Time until all classes must be done.
    left: Duration,
    /// Classes side by side.
    lanes: usize,
    /// How long each of those that run may still take.
    busy: &'a [Duration],
    /// Size of the class that is to begin.
    size: u64,
    /// Sizes of those behind it.
    waiting: &'a [u64],
    /// What a class gets at least, where there is as much.
    least: Duration,
    /// Whether it gets that although there is not as much for all.
    insists: bool,
    /// What a class gets at most.
    most: Duration,
}

/// What a class gets at least: less is not enough for its worker to come up and its file to be verified.
const LEAST: Duration = Duration::from_secs(2);

/// Where that was not enough for a class, as on a machine that does much else, the next ones get so much more than that one, up to a
/// bound; each class that gets its file brings that down again, so that about one in fifty is starved. One with the file of an early
/// suite lacks less.
const MORE: f64 = 1.5;
const SOME_MORE: f64 = 1.15;
const LESS: f64 = 0.992;
const MOST_LEAST: Duration = Duration::from_mins(1);

/// Nobody gets more at least than all could have, since what the first ones have too much the last ones have not, unless so many were
/// starved one behind the other: few files are worth more than none.
const STARVED: u32 = 4;

/// Part of its share that a class without a file has used for which the share was too small, and not the class untestable.
const USED: f64 = 0.9;

/// Part of the time of a run, and bounds of it, that are kept for its end: JVMs are ended, and the summary is written.
const CLOSING: f64 = 0.02;
const LEAST_CLOSING: Duration = Duration::from_millis(200);
const MOST_CLOSING: Duration = Duration::from_secs(3);

/// What a class takes whatever its size, in bytes of code.
const FIXED: u64 = 500;

/// Part of the time of a module, and bounds of it, that are kept for verifying all its files together. Where tests of one class
/// set what those of others find, tests go and all run again, several times; the last classes lose little by that, since most
/// stand still before their time is over. Where each class has its own budget, it is what they are thought to take.
const TOGETHER: f64 = 0.1;
const LEAST_TOGETHER: Duration = Duration::from_secs(1);
const MOST_TOGETHER: Duration = Duration::from_mins(5);

/// Nothing new for this part of the share of a class, within bounds: it stands still. One changed class of a project has all the
/// time of a run, and waits no quarter of that.
const STILL_PART: f64 = 0.25;
const MOST_STILL: Duration = Duration::from_mins(1);
/// What the lower bound takes, in executions, and its own bounds. Most classes of a project are small, and run a thousand times while a
/// large one runs once.
const STILL_EXECUTIONS: f64 = 10_000.0;
const LEAST_STILL: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(2));

/// Whether a search stands still that has gone on for so long, with so many executions, and covered something new so long ago; `share` is
/// all that the class has.
pub fn stands_still(since_start: Duration, executions: u64, since_news: Duration, share: Duration) -> bool {
    let rate = executions as f64 / since_start.as_secs_f64().max(f64::MIN_POSITIVE);
    let (shortest, longest) = LEAST_STILL;
    let least =
        longest.min(Duration::try_from_secs_f64(STILL_EXECUTIONS / rate).unwrap_or(longest)).max(shortest);
    since_news.min(since_start) >= share.mul_f64(STILL_PART).clamp(least, MOST_STILL)
}

/// What a class that is about to begin gets; `None` where that would not be enough for anything. The time of all lanes is shared by
/// size, but nobody gets less than the least or more than the most: what that takes or leaves, the others share in the same way.
fn share(situation: &Situation<'_>) -> Option<Duration> {
    let &Situation { left, lanes, busy, size, waiting, least, insists, most } = situation;
    // A last one may have less than those before it: it has nothing to lose.
    if left < LEAST.min(most) {
        return None;
    }
    let most = most.min(left);
    let taken: Duration = busy.iter().map(|busy| (*busy).min(left)).sum();
    let capacity = (left * lanes as u32).saturating_sub(taken).as_secs_f64();
    let fair = capacity / (1 + waiting.len()) as f64;
    let least =
        if insists { least.as_secs_f64() } else { least.as_secs_f64().min(fair.max(LEAST.as_secs_f64())) };
    let most = most.as_secs_f64();
    let least = least.min(most);
    let weight = |size: u64| (FIXED + size) as f64;
    let of = |rate: f64, size: u64| (rate * weight(size)).clamp(least, most);
    let sum = |rate: f64| of(rate, size) + waiting.iter().map(|&size| of(rate, size)).sum::<f64>();
    // Seconds per byte of code: the sum grows with it.
    let (mut low, mut high) = (0.0, most / weight(0));
    for _ in 0..ROUNDS {
        let middle = f64::midpoint(low, high);
        if sum(middle) <= capacity { low = middle } else { high = middle }
    }
    // Where there is enough for all, the upper bound gives each the most.
    let rate = if sum(high) <= capacity { high } else { low };
    Some(Duration::from_secs_f64(of(rate, size)))
}

/// Halvings of the interval in which the rate lies: a millionth of it is exact enough.
const ROUNDS: usize = 20;

/// How the turn of a class ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Whether it has a file.
    pub has_file: bool,
    /// Whether time was over before its last suite was verified.
    pub is_cut_short: bool,
}

/// What becomes of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It has its file.
    File,
    /// It has the file of an early suite: for a better one its share was too little.
    Early,
    /// It has none, and its share was not used up.
    Untestable,
    /// It has none, and its share was: that was too little.
    Starved,
}

impl Fate {
    /// That of a class which had such a share and took so long.
    fn new(Ended { has_file, is_cut_short }: Ended, share: Duration, took: Duration) -> Self {
        match (has_file, is_cut_short) {
            (true, false) => Self::File,
            (true, true) => Self::Early,
            (false, true) => Self::Starved,
            (false, false) if took >= share.mul_f64(USED) => Self::Starved,
            (false, false) => Self::Untestable,
        }
    }
}

/// What a class gets at least, and how many were starved one behind the other, after one more class had such a share.
fn learned((least, starved): (Duration, u32), share: Duration, fate: Fate) -> (Duration, u32) {
    match fate {
        Fate::File => (least.mul_f64(LESS).max(LEAST), 0),
        Fate::Early => (least.max(share.mul_f64(SOME_MORE).min(MOST_LEAST)), 0),
        Fate::Untestable => (least, starved),
        Fate::Starved => (least.max(share.mul_f64(MORE).min(MOST_LEAST)), starved + 1),
    }
}

/// Part of the time left for a module with classes of these sizes, where others are behind it. Modules come one after the other, and
/// one with fewer classes than lanes cannot use them all.
fn part(left: Duration, lanes: usize, own: &[u64], others: &[Vec<u64>]) -> Duration {
    let need = |sizes: &[u64]| {
        let all: f64 = sizes.iter().map(|size| (FIXED + size) as f64).sum();
        all / lanes.clamp(1, sizes.len().max(1)) as f64
    };
    let own = need(own);
    let all: f64 = own + others.iter().map(|sizes| need(sizes)).sum::<f64>();
    if all > 0.0 { left.mul_f64((own / all).min(1.0)) } else { left }
}

/// Part of the time of so many classes that is for verifying their files together.
fn together(time: Duration, classes: usize) -> Duration {
    if classes > 1 { time.mul_f64(TOGETHER).clamp(LEAST_TOGETHER, MOST_TOGETHER) } else { Duration::ZERO }
}

/// Time until all classes of a module are done: those that run for so long, then the others, each on the lane that is free first.
fn left(lanes: usize, busy: &[Duration], waiting: impl IntoIterator<Item = Duration>) -> Duration {
    let mut free = busy.to_vec();
    free.resize(lanes.max(busy.len()), Duration::ZERO);
    for time in waiting {
        if let Some(first) = free.iter_mut().min() {
            *first += time;
        }
    }
    free.into_iter().max().unwrap_or_default()
}

impl Shares {
    /// The time of a run that `clock` measures, with classes of these sizes, so many side by side.
    pub fn new(options: &Options, lanes: usize, clock: Clock, classes: BTreeMap<Name, u64>) -> Self {
        let classes = Mutex::new(Classes { waiting: classes, least: LEAST, ..Classes::default() });
        Self { most: options.budget, total: options.total_budget, lanes, clock, classes }
    }

    /// Begins a module: its classes share its part of the time that is left.
    pub fn begin_module(&self, module: &str) {
        let now = self.clock.now();
        let mut classes = self.classes();
        let mut by_module = classes.by_module();
        let own = by_module.remove(module).unwrap_or_default();
        let others: Vec<Vec<u64>> = by_module.into_values().collect();
        let number = own.len();
        let time = match (self.total, self.most) {
            (Some(total), _) => {
                let closing = total.mul_f64(CLOSING).clamp(LEAST_CLOSING, MOST_CLOSING);
                part(total.saturating_sub(now + closing), self.lanes, &own, &others)
            }
            (None, Budget::Time(most)) => left(self.lanes, &[], repeat_n(most, number)),
            (None, Budget::Executions(_)) => Duration::ZERO,
        };
        let kept = together(time, number);
        let ends = Ends { classes: now + time.saturating_sub(kept), all: now + time };
        module.clone_into(&mut classes.present);
        (classes.together, classes.ends) = (kept, self.total.map(|_| ends));
    }

    /// Begins a class; what it gets, or `None` where there is no time left for it.
    pub fn begin(&self, module: &str, class: &str) -> Option<Turn<'_>> {
        let name = (module.to_owned(), class.to_owned());
        let now = self.clock.now();
        let mut classes = self.classes();
        let size = classes.waiting.remove(&name).unwrap_or_default();
        let share = match (classes.ends, self.most) {
            (Some(ends), Budget::Time(most)) => {
                let busy = classes.busy(now);
                let of_module = classes.waiting.iter().filter(|((of, _), _)| of == module);
                let waiting: Vec<u64> = of_module.map(|(_, size)| *size).collect();
                let left = ends.classes.saturating_sub(now);
                let (lanes, least, insists) = (self.lanes, classes.least, classes.starved >= STARVED);
                let waiting = &waiting;
                let situation = Situation { left, lanes, busy: &busy, size, waiting, least, insists, most };
                share(&situation).map(|time| Share { budget: Budget::Time(time), is_shared: true })
            }
            (_, budget) => Some(Share { budget, is_shared: false }),
        };
        let Some(share) = share else {
            classes.done += 1;
            return None;
        };
        classes.running.insert(name.clone(), share.budget.time().map(|time| now + time));
        Some(Turn { share, shares: self, name, size, begin: now })
    }

    /// How far the run is.
    pub fn standing(&self) -> Standing {
        let now = self.clock.now();
        let classes = self.classes();
        let at_most = self.most.time().map(|most| {
            let left = classes.left(now, self.lanes, most);
            self.total.map_or(left, |total| left.min(total.saturating_sub(now)))
        });
        let Classes { waiting, running, done, .. } = &*classes;
        Standing { done: *done, all: done + waiting.len() + running.len(), left: at_most }
    }

    /// Time until the present module must be done.
    pub fn remaining(&self) -> Duration {
        self.classes().ends.map_or(Duration::MAX, |ends| ends.all.saturating_sub(self.clock.now()))
    }

    fn classes(&self) -> MutexGuard<'_, Classes> {
        self.classes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn of a class. When it is dropped, what the class has left goes to those that have not begun.
#[derive(Debug)]
pub struct Turn<'a> {
    /// What it gets.
    pub share: Share,
    shares: &'a Shares,
    name: Name,
    size: u64,
    begin: Duration,
}

impl Turn<'_> {
    /// Ends it, and learns from what has become of the class. Whether it is to have another turn, behind the others of its module: its
    /// share was too little for a file, for the first time, and time is kept for it.
    pub fn end(self, ended: Ended) -> bool {
        let Share { budget: Budget::Time(share), is_shared: true, .. } = self.share else { return false };
        let took = self.shares.clock.now().saturating_sub(self.begin);
        let mut classes = self.shares.classes();
        let (so_far, fate) = ((classes.least, classes.starved), Fate::new(ended, share, took));
        (classes.least, classes.starved) = learned(so_far, share, fate);
        let has_another = fate == Fate::Starved && classes.again.insert(self.name.clone());
        if has_another {
            classes.waiting.insert(self.name.clone(), self.size);
        }
        has_another
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut classes = self.shares.classes();
        classes.running.remove(&self.name);
        if !classes.waiting.contains_key(&self.name) {
            classes.done += 1;
        }
    }
}

impl Classes {
    /// Sizes of those that have not begun.
    fn by_module(&self) -> BTreeMap<&str, Vec<u64>> {
        let mut by_module: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for ((module, _), size) in &self.waiting {
            by_module.entry(module).or_default().push(*size);
        }
        by_module
    }

    /// Time until all are done at the latest, each of which gets so much at most. Modules come one after the other, and none begins
    /// before the files of the one in front of it were verified together.
    fn left(&self, now: Duration, lanes: usize, most: Duration) -> Duration {
        let mut by_module = self.by_module();
        let own = by_module.remove(self.present.as_str()).unwrap_or_default();
        let of_present = left(lanes, &self.busy(now), repeat_n(most, own.len()));
        let ends = self.ends.map_or(Duration::MAX, |ends| ends.classes.saturating_sub(now));
        let of_others = by_module.values().map(|sizes| {
            let time = left(lanes, &[], repeat_n(most, sizes.len()));
            time + together(time, sizes.len())
        });
        of_present.min(ends) + self.together + of_others.sum::<Duration>()
    }

    /// How long each of those that run may still take.
    fn busy(&self, now: Duration) -> Vec<Duration> {
        self.running.values().flatten().map(|end| end.saturating_sub(now)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: &[u64]) -> Vec<Duration> {
        seconds.iter().map(|&seconds| Duration::from_secs(seconds)).collect()
    }

    #[test]
    fn time_is_shared_by_size() {
        /// A minute for each class at most, and two lanes.
        fn check(left: u64, busy: &[u64], size: u64, waiting: &[u64], expect: Option<u64>) {
            let busy = seconds(busy);
            let (left, most) = (Duration::from_secs(left), Duration::from_mins(1));
            let least = LEAST;
            let situation =
                Situation { left, lanes: 2, busy: &busy, size, waiting, least, insists: false, most };
            let found = share(&situation);
            let found = found.map(|time| time.as_secs_f64().round() as u64);
            assert_eq!(found, expect, "{left:?} {busy:?} {size} {waiting:?}");
        }
        // There is enough for all.
        check(1000, &[], 10, &[20, 4000], Some(60));
        // Classes of one size share both lanes.
        check(20, &[], 10, &[10; 7], Some(5));
        // One that runs takes a part of them.
        check(20, &[10], 10, &[10; 5], Some(5));
        // Size counts, with something that each class takes.
        check(30, &[], 500, &[2500, 500], Some(15));
        check(30, &[], 2500, &[500, 500], Some(30));
        // Nobody gets less than two seconds, as long as there are two.
        check(30, &[], 10, &[10; 999], Some(2));
        check(2, &[], 10, &[10; 999], Some(2));
        check(1, &[], 10, &[], None);
        // The last class has but one lane.
        check(20, &[], 10, &[], Some(20));
        check(20, &[20], 10, &[], Some(20));
        // What the last one cannot use goes to the one before it.
        check(20, &[], 500, &[2500], Some(20));
    }

    #[test]
    fn modules_share_time_by_what_they_can_use_side_by_side() {
        let check = |own: &[u64], others: &[&[u64]], expect| {
            let others: Vec<Vec<u64>> = others.iter().map(|sizes| sizes.to_vec()).collect();
            assert_eq!(
                part(Duration::from_secs(90), 2, own, &others).as_secs(),
                expect,
                "{own:?} {others:?}"
            );
        };
        check(&[100], &[], 90);
        check(&[100], &[&[100], &[100]], 30);
        // Two lanes, and one class alone needs as long as two.
        check(&[100], &[&[100, 100]], 45);
        check(&[100; 4], &[&[100]], 60);
        check(&[], &[], 90);
    }

    #[test]
    fn what_is_left_at_the_end_is_given_though_it_is_less_than_the_least() {
        let check = |left, expect: Option<u64>| {
            let (left, least, most) =
                (Duration::from_secs(left), Duration::from_secs(14), Duration::from_mins(1));
            let insists = true;
            let situation =
                Situation { left, lanes: 2, busy: &[], size: 9, waiting: &[9; 9], least, insists, most };
            assert_eq!(share(&situation), expect.map(Duration::from_secs));
        };
        check(30, Some(14));
        check(10, Some(10));
        check(1, None);
    }

    #[test]
    fn what_classes_get_at_least_is_no_more_than_all_could_have_unless_many_were_starved() {
        let check = |left, insists, expect| {
            let (left, least, most) =
                (Duration::from_secs(left), Duration::from_secs(8), Duration::from_mins(1));
            let situation =
                Situation { left, lanes: 2, busy: &[], size: 9, waiting: &[900; 9], least, insists, most };
            let found = share(&situation).unwrap().as_secs_f64().round();
            assert_eq!(found, expect, "{left:?} {insists}");
        };
        // For each of ten: as much as the least, half as much, next to nothing.
        check(40, false, 8.0);
        check(20, false, 4.0);
        check(20, true, 8.0);
        check(5, false, 2.0);
    }

    #[test]
    fn the_most_that_a_class_gets_may_be_less_than_the_least() {
        let most = Duration::from_millis(500);
        let left = Duration::from_secs(1);
        let (least, insists) = (LEAST, false);
        let situation = Situation { left, lanes: 1, busy: &[], size: 9, waiting: &[9], least, insists, most };
        assert_eq!(share(&situation), Some(most));
    }

    #[test]
    fn where_shares_were_too_little_the_next_ones_are_larger_until_files_come() {
        /// The least behind classes that had such shares, took so long, and have a file or not.
        fn check(least: u64, classes: &[(u64, u64, Ended)], expect: f64) {
            let seconds = Duration::from_secs;
            let mut so_far = (seconds(least), 0);
            for &(share, took, ended) in classes {
                let fate = Fate::new(ended, seconds(share), seconds(took));
                so_far = learned(so_far, seconds(share), fate);
            }
            assert!((so_far.0.as_secs_f64() - expect).abs() < 1e-6, "{so_far:?} behind {classes:?}");
        }
        let ended = |has_file, is_cut_short| Ended { has_file, is_cut_short };
        let (starved, untestable, file) =
            ((4, 4, ended(false, false)), (4, 1, ended(false, false)), (4, 4, ended(true, false)));
        check(2, &[starved], 6.0);
        // One that ends early is untestable for another reason, unless it says that time was over.
        check(2, &[untestable], 2.0);
        check(2, &[(4, 1, ended(false, true))], 6.0);
        check(2, &[(4, 4, ended(true, true))], 4.6);
        check(9, &[starved], 9.0);
        check(2, &[(1000, 1000, ended(false, false))], 60.0);
        check(10, &[file], 9.92);
        check(2, &[starved, file, file], 5.904_384);
        check(2, &[file], 2.0);
    }

    #[test]
    fn a_class_without_a_file_for_want_of_time_has_one_more_turn() {
        let class = ("a".to_owned(), "A".to_owned());
        let shares = Shares {
            most: Budget::Time(Duration::from_mins(1)),
            total: Some(Duration::from_mins(1)),
            lanes: 1,
            clock: Clock::start(),
            classes: Mutex::new(Classes {
                waiting: [(class, 9), (("a".to_owned(), "B".to_owned()), 9)].into(),
                least: LEAST,
                ..Classes::default()
            }),
        };
        shares.begin_module("a");
        let count = || (shares.standing().done, shares.standing().all);
        let ended = |has_file, is_cut_short| Ended { has_file, is_cut_short };
        assert!(shares.begin("a", "A").unwrap().end(ended(false, true)));
        assert_eq!(count(), (0, 2), "it is not done");
        assert!(!shares.begin("a", "B").unwrap().end(ended(true, true)));
        assert_eq!(count(), (1, 2));
        assert!(!shares.begin("a", "A").unwrap().end(ended(false, true)), "that was its last turn");
        assert_eq!(count(), (2, 2));
    }

    #[test]
    fn a_search_stands_still_where_nothing_new_comes_for_a_quarter_of_its_share() {
        let check = |start, executions, news, share, expect| {
            let second = Duration::from_secs;
            let found = stands_still(second(start), executions, second(news), second(share));
            assert_eq!(found, expect, "{news} of {share}, {executions} in {start}");
        };
        check(30, 0, 14, 60, false);
        check(30, 0, 15, 60, true);
        check(3, 0, 1, 4, false);
        check(3, 0, 2, 4, true);
        check(3, 29_000, 1, 4, false);
        check(3, 31_000, 1, 4, true);
        check(300, 0, 59, 900, false);
        check(300, 0, 60, 900, true);
        // What was there before the search began is no news, and no standstill.
        check(1, 0, 30, 60, false);
    }

    #[test]
    fn time_left_is_that_of_the_lane_that_is_done_last() {
        let check = |lanes, busy: &[u64], waiting: &[u64], expect| {
            let found = left(lanes, &seconds(busy), seconds(waiting));
            assert_eq!(found, Duration::from_secs(expect), "{lanes} {busy:?} {waiting:?}");
        };
        check(2, &[], &[], 0);
        check(2, &[5], &[], 5);
        check(2, &[5, 9], &[10, 10], 19);
        check(2, &[5], &[10; 3], 20);
        check(1, &[5], &[10; 3], 35);
    }

    #[test]
    fn time_left_holds_over_modules_that_come_one_after_the_other() {
        /// In the tenth second of a run whose classes get ten at most on two lanes, in module `a`: how long its running classes may take,
        /// and how many are waiting in each module.
        fn check(running: &[u64], waiting: &[(&str, u64)], together: u64, ends: Option<u64>, expect: u64) {
            let second = Duration::from_secs;
            let name = |module: &str, number: u64| (module.to_owned(), number.to_string());
            let of_module = |&(module, number): &(&str, u64)| {
                (0..number).map(|number| (name(module, number), 1)).collect::<Vec<_>>()
            };
            let running =
                (90..).zip(running).map(|(number, &left)| (name("a", number), Some(second(10 + left))));
            let classes = Classes {
                waiting: waiting.iter().flat_map(of_module).collect(),
                running: running.collect(),
                present: "a".to_owned(),
                together: second(together),
                ends: ends.map(|classes| Ends { classes: second(classes), all: second(classes + together) }),
                ..Classes::default()
            };
            let found = classes.left(second(10), 2, second(10));
            assert_eq!(found, second(expect), "{running:?} {waiting:?}", running = classes.running);
        }
        // One module, as it is alone.
        check(&[5, 9], &[("a", 2)], 0, None, 19);
        // A free lane is of no use for a class of another module.
        check(&[8], &[("b", 1)], 0, None, 8 + 10);
        check(&[8], &[("b", 1), ("c", 1)], 0, None, 8 + 10 + 10);
        // Files that are several are verified together, in every module.
        check(&[8, 8], &[], 1, None, 8 + 1);
        check(&[8], &[("a", 1), ("b", 4)], 2, None, (10 + 2) + (20 + 2));
        // A module that shares the time of the run ends with its part.
        check(&[5, 5], &[("a", 20), ("b", 1)], 3, Some(40), (30 + 3) + 10);
    }

    #[test]
    fn a_module_that_begins_is_the_one_that_is_worked_on() {
        let module = |name: &str, classes: usize| -> Vec<(Name, u64)> {
            (0..classes).map(|class| ((name.to_owned(), class.to_string()), 1)).collect()
        };
        let shares = Shares {
            most: Budget::Time(Duration::from_mins(1)),
            total: None,
            lanes: 2,
            clock: Clock::start(),
            classes: Mutex::new(Classes {
                waiting: [module("a", 2), module("b", 1)].concat().into_iter().collect(),
                ..Classes::default()
            }),
        };
        let left = || shares.standing().left.unwrap();
        shares.begin_module("a");
        assert_eq!(left(), Duration::from_secs(60 + 6 + 60));
        let turns = ["0", "1"].map(|class| shares.begin("a", class));
        drop(turns);
        shares.begin_module("b");
        assert_eq!(left(), Duration::from_mins(1));
    }
}
