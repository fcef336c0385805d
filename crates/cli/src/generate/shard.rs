//! A part of a project for one of several machines. Which classes belong to it follows from the names and sizes of all classes that were
//! found, and from nothing else: each machine comes to the same parts, and no class is in two of them or in none.

use std::cmp::Reverse;

use project::failure::Failure;

use super::prepared::Prepared;

/// A part: `2/4` is the second of four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: usize,
    /// Parts.
    of: usize,
}

/// A class, as far as it decides where it belongs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    /// Name of its module; empty for a class path.
    pub module: String,
    /// Binary name.
    pub class: String,
    /// Bytes of code of its nest.
    pub size: u64,
}

/// Most parts of a project.
pub(super) const MOST_SHARDS: usize = 1000;

/// What a class takes whatever its size, in bytes of code: its worker and its files.
const FIXED: u64 = 500;

impl Shard {
    /// Reads `2/4`.
    ///
    /// # Errors
    /// It is no such text, or there is no such part.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let number = |text: &str| text.parse::<usize>().ok();
        let parts = text.split_once('/').and_then(|(part, of)| Some((number(part)?, number(of)?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) && of <= MOST_SHARDS => Ok(Self { number, of }),
            Some((_, of)) if (1..=MOST_SHARDS).contains(&of) => Err(Failure::usage(format!(
                "--shard {text} is not possible; of {of} shards give one from 1/{of} to {of}/{of}"
            ))),
            _ => Err(Failure::usage(format!(
                "--shard {text} is not possible; give K/N, the K-th of N shards, such as 2/4, with up to {MOST_SHARDS} shards"
            ))),
        }
    }

    /// The part of this number, from 1, of so many.
    pub(super) fn new(number: usize, of: usize) -> Self {
        Self { number, of }
    }

    /// Which of the classes belong to it.
    pub(super) fn deal(self, pieces: &[Piece]) -> Vec<bool> {
        deal(self.of, pieces).into_iter().map(|number| number == self.number).collect()
    }
}

/// The number of the shard of each class, of so many. The largest classes are dealt out first, each to the shard that has least so far, so
/// that shards take about the same time.
pub(super) fn deal(of: usize, pieces: &[Piece]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|&index| {
        let Piece { module, class, size } = &pieces[index];
        (Reverse(*size), module, class)
    });
    let mut loads = vec![0; of];
    let mut numbers = vec![0; pieces.len()];
    for index in order {
        let least = loads.iter().enumerate().min_by_key(|(_, load)| **load).map_or(0, |(least, _)| least);
        loads[least] += FIXED + pieces[index].size;
        numbers[index] = least + 1;
    }
    numbers
}

/// The classes of modules, those included that are not worked on.
pub(super) fn pieces(modules: &[Prepared]) -> Vec<Piece> {
    let of_module = |prepared: &Prepared| -> Vec<Piece> {
        let module = prepared.module.clone().unwrap_or_default();
        let piece =
            |(class, &size): (&String, &u64)| Piece { module: module.clone(), class: class.clone(), size };
        prepared.sizes.iter().map(piece).collect()
    };
    modules.iter().flat_map(of_module).collect()
}

impl std::fmt::Display for Shard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_so_many() {
        let check = |text: &str, expect: Result<&str, &str>| {
            let found = Shard::parse(text).map(|shard| shard.to_string()).map_err(|failure| failure.sentence);
            assert_eq!(found, expect.map(str::to_owned).map_err(str::to_owned));
        };
        check("1/1", Ok("1/1"));
        check("4/4", Ok("4/4"));
        check("5/4", Err("--shard 5/4 is not possible; of 4 shards give one from 1/4 to 4/4"));
        check("0/4", Err("--shard 0/4 is not possible; of 4 shards give one from 1/4 to 4/4"));
        let format = "give K/N, the K-th of N shards, such as 2/4, with up to 1000 shards";
        for text in ["", "3", "1/0", "a/b", "1/2/3", "-1/4", "1/1001"] {
            check(text, Err(&format!("--shard {text} is not possible; {format}")));
        }
    }

    /// The parts of classes `a`, `b`, … of these sizes, each as its letters.
    fn parts(sizes: &[u64], of: usize) -> Vec<String> {
        let piece = |(index, &size): (usize, &u64)| Piece {
            module: String::new(),
            class: char::from(b'a' + index as u8).to_string(),
            size,
        };
        let pieces: Vec<Piece> = sizes.iter().enumerate().map(piece).collect();
        let part = |number| {
            let is_ours = Shard { number, of }.deal(&pieces);
            let ours = pieces.iter().zip(is_ours).filter(|(_, is_ours)| *is_ours);
            ours.map(|(piece, _)| piece.class.as_str()).collect()
        };
        (1..=of).map(part).collect()
    }

    #[test]
    fn parts_are_balanced_by_size() {
        let check = |sizes: &[u64], of, expect: &[&str]| assert_eq!(parts(sizes, of), expect, "{sizes:?}");
        check(&[], 2, &["", ""]);
        check(&[10], 2, &["a", ""]);
        check(&[10, 10, 10, 10], 1, &["abcd"]);
        check(&[10, 10, 10, 10], 2, &["ac", "bd"]);
        // One class as large as all others together has a machine to itself.
        check(&[10_000, 3000, 3000, 3000], 2, &["a", "bcd"]);
        check(&[1, 2, 3, 4, 5, 6], 3, &["af", "be", "cd"]);
    }

    #[test]
    fn the_order_in_which_classes_were_found_does_not_matter() {
        let piece = |module: &str, class: &str| Piece { module: module.into(), class: class.into(), size: 7 };
        let mut pieces = vec![piece("m", "x"), piece("n", "a"), piece("m", "y"), piece("n", "b")];
        let of = |pieces: &[Piece]| {
            let ours = pieces.iter().zip(Shard { number: 1, of: 2 }.deal(pieces));
            let mut ours: Vec<Piece> =
                ours.filter(|(_, is_ours)| *is_ours).map(|(piece, _)| piece.clone()).collect();
            ours.sort();
            ours
        };
        let before = of(&pieces);
        assert_eq!(before, [piece("m", "x"), piece("n", "a")]);
        pieces.reverse();
        assert_eq!(of(&pieces), before);
    }
}
