//! Index types: a job's index cannot be used where a server's is meant.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use serde::Serialize;

/// An index that is its own type.
pub trait Id: Copy {
    /// The id of the element at `index`.
    fn new(index: usize) -> Self;
    /// The position of the element in its vector.
    fn index(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $word:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(pub u32);

        impl Id for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 elements"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, "{}"), self.0)
            }
        }
    };
}

id!(
    /// A job: its position after a stable sort by submit time.
    JobId,
    "job"
);
id!(
    /// A server of a fat-tree, numbered by pod and edge switch.
    ServerId,
    "server"
);
id!(
    /// A link of a fat-tree; see [`crate::system::fat_tree`] for the numbering.
    LinkId,
    "link"
);
id!(
    /// A node of a plain cluster.
    NodeId,
    "node"
);

id!(
    /// A virtual machine of a cluster with two tiers: those in the foreground by node, then those
    /// in the background.
    VmId,
    "vm"
);

id!(
    /// A data centre of a pool.
    CentreId,
    "centre"
);

/// A vector whose elements are reached by one kind of id only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    kind: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// `length` copies of `item`.
    pub fn filled(item: T, length: usize) -> Self
    where
        T: Clone,
    {
        vec![item; length].into()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The elements in order, with their ids.
    pub fn iter_enumerated(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(i, t)| (I::new(i), t))
    }

    /// The ids in order.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// The elements as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        IdVec {
            items,
            kind: PhantomData,
        }
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

/// A vector that grows at its end and drops elements at its front; the others keep their ids.
#[derive(Clone, Debug)]
pub(crate) struct Window<I, T> {
    /// The index of the first of `items`.
    base: usize,
    /// The number of dropped items, at most half of them.
    gone: usize,
    items: Vec<T>,
    kind: PhantomData<I>,
}

impl<I, T> Default for Window<I, T> {
    fn default() -> Self {
        IdVec::from(Vec::new()).into()
    }
}

impl<I: Id, T> Window<I, T> {
    /// The first id whose element is there; [`Window::next`] where none is.
    pub(crate) fn first(&self) -> I {
        I::new(self.base + self.gone)
    }

    /// The id of the next element.
    pub(crate) fn next(&self) -> I {
        I::new(self.base + self.items.len())
    }

    /// Reserves space for exactly `count` elements in all.
    pub(crate) fn make_room(&mut self, count: usize) {
        self.items
            .reserve_exact(count.saturating_sub(self.items.len()));
    }

    /// Adds the next element.
    pub(crate) fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Forgets the first element.
    ///
    /// # Panics
    /// There is none.
    pub(crate) fn forget(&mut self) {
        self.gone += 1;
        if 2 * self.gone > self.items.len() {
            self.items.drain(..self.gone);
            self.base += self.gone;
            self.gone = 0;
        }
    }

    fn place(&self, id: I) -> Option<usize> {
        let place = id.index().checked_sub(self.base)?;
        (place >= self.gone).then_some(place)
    }

    /// The element of that id; `None` if it was dropped or does not exist yet.
    pub(crate) fn get(&self, id: I) -> Option<&T> {
        self.items.get(self.place(id)?)
    }

    /// The same, to change it.
    pub(crate) fn get_mut(&mut self, id: I) -> Option<&mut T> {
        let place = self.place(id)?;
        self.items.get_mut(place)
    }

    /// The elements that are there, with their ids.
    pub(crate) fn iter_enumerated(&self) -> impl Iterator<Item = (I, &T)> {
        let first = self.base + self.gone;
        let elements = self.items[self.gone..].iter().enumerate();
        elements.map(move |(place, item)| (I::new(first + place), item))
    }
}

impl<I, T> From<IdVec<I, T>> for Window<I, T> {
    fn from(all: IdVec<I, T>) -> Self {
        Window {
            base: 0,
            gone: 0,
            items: all.items,
            kind: PhantomData,
        }
    }
}

impl<I, T> From<Window<I, T>> for IdVec<I, T> {
    /// The elements of a window that has forgotten none; of one that has, those left, numbered
    /// again.
    fn from(mut window: Window<I, T>) -> Self {
        window.items.drain(..window.gone);
        window.items.into()
    }
}

impl<I: Id, T> Index<I> for Window<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        self.get(id).expect("an element that is still there")
    }
}

impl<I: Id, T> IndexMut<I> for Window<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        self.get_mut(id).expect("an element that is still there")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_window_has_left_keeps_its_id() {
        let mut window: Window<JobId, char> = Window::from(IdVec::from(vec!['a', 'b']));
        window.push('c');
        window.forget();
        assert_eq!((window.first(), window.next()), (JobId(1), JobId(3)));
        let left: Vec<(JobId, &char)> = window.iter_enumerated().collect();
        assert_eq!(left, [(JobId(1), &'b'), (JobId(2), &'c')]);
        assert_eq!(window.get(JobId(0)), None);
        assert_eq!(window.get(JobId(3)), None);
        window[JobId(2)] = 'd';
        window.forget();
        assert_eq!(window[JobId(2)], 'd');
        window.forget();
        assert_eq!((window.first(), window.next()), (JobId(3), JobId(3)));
        assert_eq!(window.get(JobId(2)), None);
    }
}
