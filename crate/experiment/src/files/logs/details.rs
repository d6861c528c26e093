//! What a file says of its jobs that no simulation reads, kept so that a log can be written with all
//! of it.
//!
//! A column takes no more memory than its values need: nothing where all are the same.

/// The 18 fields of a job in the Standard Workload Format as the file has them, −1 where it has
/// none.
pub type Fields = [f64; FIELDS];

/// The number of fields.
const FIELDS: usize = 18;

/// The fields of the jobs of a file, by line.
#[derive(Clone, Debug, Default)]
pub struct Details {
    lines: Vec<u32>,
    columns: [Column; FIELDS],
}

/// The values of a field.
#[derive(Clone, Debug)]
enum Column {
    Same(f64),
    Small(Vec<i16>),
    Medium(Vec<i32>),
    Large(Vec<f64>),
}

impl Default for Column {
    fn default() -> Column {
        Column::Same(-1.0)
    }
}

impl Column {
    /// Adds a value after `count` others.
    fn push(&mut self, value: f64, count: usize) {
        match self {
            Column::Same(_) if count == 0 => *self = Column::Same(value),
            Column::Same(same) if *same == value => {}
            Column::Small(values) if f64::from(value as i16) == value => {
                grow(values);
                values.push(value as i16);
            }
            Column::Medium(values) if f64::from(value as i32) == value => {
                grow(values);
                values.push(value as i32);
            }
            Column::Large(values) => {
                grow(values);
                values.push(value);
            }
            _ => {
                *self = self.wider(value, count);
                self.push(value, count);
            }
        }
    }

    /// The same values in a form that can hold one that this one cannot.
    fn wider(&self, value: f64, count: usize) -> Column {
        let values = (0..count).map(|at| self.get(at));
        let is_small = |value: f64| f64::from(value as i16) == value;
        let is_medium = |value: f64| f64::from(value as i32) == value;
        match self {
            Column::Same(same) if is_small(*same) && is_small(value) => {
                Column::Small(values.map(|value| value as i16).collect())
            }
            Column::Same(same) if is_medium(*same) && is_medium(value) => {
                Column::Medium(values.map(|value| value as i32).collect())
            }
            Column::Small(_) if is_medium(value) => {
                Column::Medium(values.map(|value| value as i32).collect())
            }
            _ => Column::Large(values.collect()),
        }
    }

    fn get(&self, at: usize) -> f64 {
        match self {
            Column::Same(value) => *value,
            Column::Small(values) => f64::from(values[at]),
            Column::Medium(values) => f64::from(values[at]),
            Column::Large(values) => values[at],
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Column::Same(_) => 0,
            Column::Small(values) => values.capacity() * size_of::<i16>(),
            Column::Medium(values) => values.capacity() * size_of::<i32>(),
            Column::Large(values) => values.capacity() * size_of::<f64>(),
        }
    }
}

/// Makes room for another value without doubling the space.
fn grow<T>(values: &mut Vec<T>) {
    if values.len() == values.capacity() {
        values.reserve_exact(1024.max(values.len() / 8));
    }
}

impl Details {
    /// Adds the fields of a line; lines come in order.
    pub(super) fn push(&mut self, line: u32, fields: &Fields) {
        let count = self.lines.len();
        for (column, value) in self.columns.iter_mut().zip(fields) {
            column.push(*value, count);
        }
        grow(&mut self.lines);
        self.lines.push(line);
    }

    /// The fields of a line that gave a job.
    pub(crate) fn of_line(&self, line: u32) -> Option<Fields> {
        let at = self.lines.binary_search(&line).ok()?;
        Some(std::array::from_fn(|field| self.columns[field].get(at)))
    }

    /// Bytes taken; a column is in memory twice while it grows.
    pub(super) fn bytes(&self) -> usize {
        let columns = self.columns.iter().map(Column::bytes).max().unwrap_or(0);
        let all: usize = self.columns.iter().map(Column::bytes).sum();
        all + columns + 2 * self.lines.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_whatever_they_are() {
        let mut details = Details::default();
        let values = [-1.0, -1.0, 7.0, 40_000.0, 0.25, 1e300, -1.0];
        for (line, value) in (3..).zip(values) {
            details.push(line, &[value; FIELDS]);
        }
        for (line, value) in (3..).zip(values) {
            assert_eq!(details.of_line(line), Some([value; FIELDS]));
        }
        assert_eq!(details.of_line(2), None);
        for first in [5.0, 70_000.0, 0.5] {
            let mut column = Column::Same(first);
            column.push(first, 1);
            column.push(6.0, 2);
            assert_eq!([column.get(1), column.get(2)], [first, 6.0]);
        }
    }

    #[test]
    fn a_field_that_is_always_the_same_takes_nothing() {
        let mut details = Details::default();
        for line in 1..10_000 {
            details.push(line, &[-1.0; FIELDS]);
        }
        assert!(details.columns.iter().all(|column| column.bytes() == 0));
    }
}
