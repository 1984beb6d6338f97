//! Sets that are filled once and then looked up in, and orders.

use std::cmp::Ordering;

/// The distinct values, in order. A tree would do as well; this is a fraction of its code, which the page carries for
/// each type.
pub(crate) fn distinct<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// What two sets have in common, in order.
pub(crate) fn common<'a, T: Ord>(a: &'a [T], b: &'a [T]) -> impl Iterator<Item = &'a T> {
    a.iter().filter(|value| b.binary_search(value).is_ok())
}

/// The numbers below `n` in the order of `compare`; what compares equal stays in order of number. One sort for all
/// types, for where there is not much to sort.
pub(crate) fn order(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    order
}
