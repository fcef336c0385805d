//! What a cluster needs of types, waiting for its turn: breadth first from the test calls.

use std::collections::{BTreeSet, VecDeque};

use super::TypeId;

/// Something the cluster needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need {
    pub(super) ty: TypeId,
    /// Steps from a test call.
    pub(super) depth: usize,
    /// Whether values are to be made; otherwise only what changes and tells of them is looked up.
    pub(super) make: bool,
}

/// What is needed; each type is queued once for either need.
#[derive(Debug, Default)]
pub(super) struct Needs {
    queue: VecDeque<Need>,
    /// Types whose values are made.
    pub(super) made: BTreeSet<TypeId>,
    /// Types of which there may be variables.
    pub(super) used: BTreeSet<TypeId>,
}

impl Needs {
    /// What has been queued longest.
    pub(super) fn next(&mut self) -> Option<Need> {
        self.queue.pop_front()
    }

    /// Queues a type whose values must be made.
    pub(super) fn want(&mut self, ty: TypeId, depth: usize) {
        if self.made.insert(ty) {
            self.queue.push_back(Need { ty, depth, make: true });
        }
        self.know(ty, depth);
    }

    /// Queues a type of which there may be variables.
    pub(super) fn know(&mut self, ty: TypeId, depth: usize) {
        if self.used.insert(ty) {
            self.queue.push_back(Need { ty, depth, make: false });
        }
    }
}
