//! Sets that are filled once and then looked up in, and orders.

use std::cmp::Ordering;

/// The distinct values, in order. A tree would do as well; this is a fraction of its code, which the page carries for
/// each type.
pub(crate) fn distinct<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    sort(&mut values, &T::cmp);
    values.dedup();
    values
}

/// Sorts by `compare`; what compares equal stays in order. One sort for all types: compiled for each of them, sorting
/// would be a tenth of what a reader of the page downloads.
pub fn sort<T>(values: &mut [T], compare: &dyn Fn(&T, &T) -> Ordering) {
    if values.is_sorted_by(|a, b| compare(a, b).is_le()) {
        return;
    }
    let mut from = order(values.len(), &|a, b| compare(&values[a], &values[b]));
    for place in 0..values.len() {
        // What belonged here may have been swapped further on, once or several times.
        let mut at = from[place];
        while at < place {
            at = from[at];
        }
        values.swap(place, at);
        from[place] = at;
    }
}

/// What two sets have in common, in order.
pub(crate) fn common<'a, T: Ord>(a: &'a [T], b: &'a [T]) -> impl Iterator<Item = &'a T> {
    a.iter().filter(|value| b.binary_search(value).is_ok())
}

/// The numbers below `n` in the order of `compare`; what compares equal stays in order of number.
pub(crate) fn order(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorting_by_numbers_is_sorting(values in proptest::collection::vec((0_u8..9, 0_u32..99), 0..80)) {
            let (mut ours, mut expected) = (values.clone(), values);
            sort(&mut ours, &|a, b| a.0.cmp(&b.0));
            expected.sort_by_key(|value| value.0);
            prop_assert_eq!(ours, expected);
        }

        #[test]
        fn distinct_values_are_those_of_a_set(values in proptest::collection::vec(0_u8..30, 0..80)) {
            let expected: Vec<u8> =
                values.iter().copied().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(distinct(values), expected);
        }
    }
}
