//! What the machine has room for: classes side by side, by processors and by memory.

use std::num::NonZeroUsize;

use project::environment::Environment;
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

use crate::options::Options;

/// What the machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Processors that this process may use.
    pub cores: NonZeroUsize,
    /// Memory that more processes may take, in bytes, within the limit of the control group; `None` where the system does not tell.
    pub memory: Option<u64>,
}

/// How many work side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lanes {
    /// Workers that search a class.
    pub islands: NonZeroUsize,
    /// Classes.
    pub jobs: NonZeroUsize,
    /// Why there are so many.
    pub bound: Bound,
}

/// What bounds the classes side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The user has said so.
    Asked,
    /// Processors.
    Cores,
    /// Memory.
    Memory,
}

const MIB: u64 = 1 << 20;

/// What a worker takes at most: its heap, and as much beside it as was seen of large classes.
const WORKER: u64 = (512 + 256) * MIB;

/// What the two verification JVMs of a class take.
const VERIFIERS: u64 = 512 * MIB;

/// What this process takes, with the class path in it.
const OWN: u64 = 512 * MIB;

/// Most islands of `--islands auto`: what more of them bring was not measured.
const MOST_ISLANDS: NonZeroUsize = NonZeroUsize::new(8).unwrap();

impl Machine {
    /// Looks at this machine, of which a cluster may have given this process a part.
    pub fn look(environment: &Environment) -> Self {
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self {
            cores: environment.allotted.map_or(cores, |allotted| cores.min(allotted)),
            memory: free_memory(),
        }
    }

    /// Classes side by side that memory has room for, where each has so many islands.
    fn room(self, islands: usize) -> usize {
        let class = WORKER * islands as u64 + VERIFIERS;
        self.memory.map_or(usize::MAX, |memory| (memory.saturating_sub(OWN) / class).max(1) as usize)
    }

    /// Islands of a class, and classes side by side. Islands whose number was given take the place of classes. With `auto` a class that
    /// is alone has an island on each processor, unless its result is to repeat or to be compared with a paper's.
    pub fn lanes(self, options: &Options, classes: usize) -> Lanes {
        let is_alone =
            classes == 1 && options.budget.time().is_some() && matches!(options.set_up.profile(), Ok(None));
        let workers = self.memory.map_or(u64::MAX, |memory| memory.saturating_sub(OWN + VERIFIERS) / WORKER);
        let room = NonZeroUsize::new(workers as usize).unwrap_or(NonZeroUsize::MIN);
        let most = if is_alone { self.cores.min(MOST_ISLANDS).min(room) } else { NonZeroUsize::MIN };
        let islands = options.islands.unwrap_or(most);
        match options.jobs {
            Some(jobs) => Lanes { islands, jobs, bound: Bound::Asked },
            None => Lanes { islands, ..self.room_for(options.islands) },
        }
    }

    /// What there is room for where nothing is asked for but, perhaps, the number of islands.
    pub fn room_for(self, islands: Option<NonZeroUsize>) -> Lanes {
        let of_class = islands.map_or(1, NonZeroUsize::get);
        let (by_cores, by_memory) = ((self.cores.get() / of_class).max(1), self.room(of_class));
        let jobs = NonZeroUsize::new(by_cores.min(by_memory)).unwrap_or(NonZeroUsize::MIN);
        let bound = if by_memory < by_cores { Bound::Memory } else { Bound::Cores };
        Lanes { islands: islands.unwrap_or(NonZeroUsize::MIN), jobs, bound }
    }

    /// How many classes work side by side and why, in one sentence.
    pub fn describe(self, lanes: &Lanes) -> String {
        let plural = |number: usize, one: &str, many: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {many}"),
        };
        let of_class = lanes.islands.get();
        let jobs = match lanes.jobs.get() {
            1 => "one class at a time".to_owned(),
            jobs => format!("{jobs} classes side by side"),
        };
        let cores = plural(self.cores.get(), "processor", "processors");
        let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / (MIB * 1024) as f64);
        let Some(free) = self.memory.map(gigabytes) else { return format!("{jobs} on {cores}") };
        let each = gigabytes(WORKER * of_class as u64 + VERIFIERS);
        match lanes.bound {
            Bound::Asked => format!("{jobs}, as --jobs says ({cores}, {free} of memory are free)"),
            Bound::Cores => {
                format!("{jobs}, for {cores}; {free} of memory are free, and a class may take {each}")
            }
            Bound::Memory => format!(
                "{jobs} on {cores}: {free} of memory are free, and a class may take {each}; --jobs says otherwise"
            ),
        }
    }
}

/// Memory that more processes may take without swapping, within the limit of the control group.
fn free_memory() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let own = get_current_pid().ok()?;
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, ProcessRefreshKind::nothing());
    let of_group = system.process(own).and_then(sysinfo::Process::cgroup_limits);
    Some(system.available_memory().min(of_group.map_or(u64::MAX, |limits| limits.free_memory)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{GenerateArgs, TargetArgs};
    use crate::options::Names;

    const NAMES: Names<'_> =
        Names { algorithms: &["dynamosa"], criteria: &["branch"], default_criteria: &["branch"] };

    fn options(change: impl FnOnce(&mut GenerateArgs)) -> Options {
        let targets =
            TargetArgs { classes: vec!["a.B".into()], class_path: vec!["x".into()], ..TargetArgs::default() };
        let mut arguments = GenerateArgs {
            targets,
            seed: "0".into(),
            junit: "auto".into(),
            solver: "built-in".into(),
            names: "camel".into(),
            ..GenerateArgs::default()
        };
        change(&mut arguments);
        Options::new(&arguments, NAMES).unwrap()
    }

    #[test]
    fn a_part_of_a_machine_is_what_a_cluster_gives() {
        let look = |allotted| Machine::look(&Environment { allotted, ..Environment::default() }).cores;
        let all = look(None);
        assert_eq!(look(Some(NonZeroUsize::MIN)), NonZeroUsize::MIN);
        assert_eq!(look(NonZeroUsize::new(100_000)), all);
    }

    fn machine(cores: usize, gigabytes: u64) -> Machine {
        Machine { cores: NonZeroUsize::new(cores).unwrap(), memory: Some(gigabytes * 1024 * MIB) }
    }

    /// Islands and classes side by side with these arguments, so many classes, and so many processors, where memory bounds nothing.
    fn check(change: impl FnOnce(&mut GenerateArgs), classes: usize, cores: usize, expect: (usize, usize)) {
        let lanes = machine(cores, 1 << 20).lanes(&options(change), classes);
        assert_eq!((lanes.islands.get(), lanes.jobs.get()), expect);
    }

    fn islands(number: &str) -> impl FnOnce(&mut GenerateArgs) {
        move |arguments| arguments.islands = Some(number.into())
    }

    #[test]
    fn a_class_has_one_island_unless_more_are_asked_for() {
        check(|_| (), 1, 8, (1, 8));
        check(islands("1"), 1, 8, (1, 8));
        check(islands("3"), 1, 8, (3, 2));
        check(islands("12"), 9, 8, (12, 1));
    }

    #[test]
    fn auto_gives_a_class_that_is_alone_the_processors() {
        check(islands("auto"), 1, 4, (4, 4));
        check(islands("auto"), 1, 1, (1, 1));
        check(islands("auto"), 1, 96, (8, 96));
        check(islands("auto"), 2, 4, (1, 4));
    }

    #[test]
    fn auto_is_one_where_results_repeat_or_are_compared_with_a_papers() {
        let with = |change: fn(&mut GenerateArgs)| {
            move |arguments: &mut GenerateArgs| {
                islands("auto")(arguments);
                change(arguments);
            }
        };
        check(with(|arguments| arguments.budget = Some("100executions".into())), 1, 4, (1, 4));
        check(with(|arguments| arguments.profile = Some("paper-004".into())), 1, 4, (1, 4));
    }

    #[test]
    fn memory_counts_as_well_as_processors_and_it_is_said_how() {
        let check = |machine: Machine, change: fn(&mut GenerateArgs), expect: &str| {
            let lanes = machine.lanes(&options(change), 9);
            assert_eq!(machine.describe(&lanes), expect);
        };
        let by_cores = "2 classes side by side, for 2 processors; 16.0 GB of memory are free, and a class may take 1.2 GB";
        check(machine(2, 16), |_| (), by_cores);
        let by_memory = "2 classes side by side on 8 processors: 4.0 GB of memory are free, and a class may take 1.2 GB; \
            --jobs says otherwise";
        check(machine(8, 4), |_| (), by_memory);
        let one = "one class at a time on 8 processors: 1.0 GB of memory are free, and a class may take 1.2 GB; --jobs says otherwise";
        check(machine(8, 1), |_| (), one);
        let asked = "3 classes side by side, as --jobs says (8 processors, 1.0 GB of memory are free)";
        check(machine(8, 1), |arguments| arguments.jobs = Some("3".into()), asked);
        let islands = "one class at a time on 8 processors: 4.0 GB of memory are free, and a class may take 3.5 GB; --jobs says otherwise";
        check(machine(8, 4), |arguments| arguments.islands = Some("4".into()), islands);
    }
}
