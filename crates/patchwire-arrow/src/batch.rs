//! Reads a column: in parts, in parallel, in order.

use core::ops::Range;
use std::sync::OnceLock;

use arrow_array::{Array, StructArray};
use arrow_schema::{DataType, Fields};
use patchwire::Spec;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::error::BatchError;
use crate::rows::{self, Rows};
use crate::shape::Shape;
use crate::texts::{self, Texts};

/// Bytes of text that one thread reads in about a millisecond. Smaller columns are read where they are.
const LEAST_PART: usize = 64 << 10;
/// Parts for each thread, so that none waits long for the last one.
const PARTS: usize = 8;

/// Reads a column of strings, on all cores. See the [crate] for the result.
///
/// To read many columns with one spec, make a [`BatchParser`].
///
/// # Errors
/// If the column has no strings, or the result does not fit into one batch. A row is never the reason.
pub fn parse(array: &dyn Array, spec: &Spec) -> Result<StructArray, BatchError> {
    BatchParser::new(spec).parse(array)
}

/// Reads columns of strings with one spec.
///
/// ```
/// use arrow_array::{Array as _, StringArray};
/// use patchwire::Spec;
/// use patchwire_arrow::BatchParser;
///
/// let parser = BatchParser::new(&Spec::json()).with_threads(2);
/// for batch in [vec!["[1]", "[2"], vec!["{}"]] {
///     let answers = parser.parse(&StringArray::from(batch.clone()))?;
///     assert_eq!((answers.len(), answers.data_type()), (batch.len(), &parser.data_type()));
/// }
/// # Ok::<(), patchwire_arrow::BatchError>(())
/// ```
#[derive(Debug)]
pub struct BatchParser {
    spec: Spec,
    value: Shape,
    fields: Fields,
    threads: usize,
    /// Started when a column is large enough.
    pool: OnceLock<ThreadPool>,
}

impl BatchParser {
    /// A parser with the types of the spec's schema, for all cores.
    #[must_use]
    pub fn new(spec: &Spec) -> Self {
        let value = Shape::of(spec.schema());
        let fields = rows::fields(&value);
        Self { spec: spec.clone(), value, fields, threads: 0, pool: OnceLock::new() }
    }

    /// How many threads read a column. 0, the default, means the number of cores, or what the environment's
    /// `RAYON_NUM_THREADS` says; 1 means the caller's own thread. The result is the same.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, pool: OnceLock::new(), ..self }
    }

    /// The fields of each result.
    #[must_use]
    pub const fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The type of each result: a struct of the [fields](Self::fields).
    #[must_use]
    pub fn data_type(&self) -> DataType {
        DataType::Struct(self.fields.clone())
    }

    /// Reads a column: Utf8, LargeUtf8, Utf8View, a dictionary of these, or Null. A null stays null.
    ///
    /// # Errors
    /// If the column has no strings, if the result does not fit into one batch, or if the threads cannot be started. A
    /// row is never the reason.
    pub fn parse(&self, array: &dyn Array) -> Result<StructArray, BatchError> {
        if let Some(written) = texts::written_out(array) {
            return self.parse(&written);
        }
        let texts = Texts::of(array)?;
        let pool = match self.threads {
            1 => None,
            _ if !is_large(texts) => None,
            _ => Some(self.pool()?),
        };
        let Some(pool) = pool else {
            return self.read(texts, 0..texts.len()).finish(&self.fields);
        };
        let parts = parts(texts, pool.current_num_threads());
        let read = |part| self.read(texts, part);
        let rows: Vec<Rows> = pool.install(|| parts.into_par_iter().map(read).collect());
        let mut rows = rows.into_iter();
        let mut all = rows.next().unwrap_or_else(|| Rows::new(&self.spec, &self.value));
        rows.for_each(|rows| all.extend(rows));
        all.finish(&self.fields)
    }

    fn read(&self, texts: Texts<'_>, part: Range<usize>) -> Rows {
        let mut rows = Rows::new(&self.spec, &self.value);
        part.for_each(|row| rows.push(texts.get(row)));
        rows
    }

    fn pool(&self) -> Result<&ThreadPool, BatchError> {
        if let Some(pool) = self.pool.get() {
            return Ok(pool);
        }
        let made = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let made = made.map_err(|error| BatchError::Threads { reason: error.to_string() })?;
        Ok(self.pool.get_or_init(|| made))
    }
}

/// Whether a column is worth more than one thread.
fn is_large(texts: Texts<'_>) -> bool {
    let mut bytes = 0;
    (0..texts.len()).any(|row| {
        bytes += texts.get(row).map_or(0, str::len);
        bytes > LEAST_PART
    })
}

/// Ranges of rows with about as many bytes each.
fn parts(texts: Texts<'_>, threads: usize) -> Vec<Range<usize>> {
    let len = |row: usize| texts.get(row).map_or(0, str::len);
    let bytes: usize = (0..texts.len()).map(len).sum();
    let most = (bytes / (threads * PARTS)).max(LEAST_PART);
    let (mut parts, mut from, mut held) = (Vec::new(), 0, 0);
    for row in 0..texts.len() {
        held += len(row);
        if held >= most {
            parts.push(from..row + 1);
            (from, held) = (row + 1, 0);
        }
    }
    parts.push(from..texts.len());
    parts
}

#[cfg(test)]
mod tests {
    use core::slice;

    use arrow_array::StringArray;

    use patchwire::Spec;
    use rayon::ThreadPool;

    use super::{BatchParser, LEAST_PART, PARTS, is_large, parts};
    use crate::texts::Texts;

    fn column(lengths: &[usize]) -> StringArray {
        lengths.iter().map(|len| Some("x".repeat(*len))).collect()
    }

    #[test]
    fn parts_have_a_least_size_and_few_are_larger() {
        let small = column(&[LEAST_PART, 1, LEAST_PART - 1, 3]);
        assert_eq!(parts(Texts::Small(&small), 2), [0..1, 1..3, 3..4]);
        assert_eq!(parts(Texts::Nulls(3), 2).as_slice(), slice::from_ref(&(0..3)));
        // Each of two threads has its number of parts, each of which has two rows.
        let large = column(&[LEAST_PART; 4 * PARTS]);
        let mut parts = parts(Texts::Small(&large), 2);
        assert_eq!(parts.pop(), Some(4 * PARTS..4 * PARTS));
        let pairs: Vec<_> = (0..2 * PARTS).map(|at| 2 * at..2 * at + 2).collect();
        assert_eq!(parts, pairs);
    }

    #[test]
    fn a_batch_is_large_by_its_bytes() {
        for (lengths, expected) in [
            (&[LEAST_PART / 2, LEAST_PART / 2][..], false),
            (&[LEAST_PART / 2, LEAST_PART / 2, 1], true),
            (&[LEAST_PART + 1], true),
            (&[], false),
        ] {
            assert_eq!(is_large(Texts::Small(&column(lengths))), expected, "{lengths:?}");
        }
        assert!(!is_large(Texts::Nulls(LEAST_PART + 1)));
    }

    #[test]
    fn threads_are_started_for_a_large_column_and_not_for_one_thread() {
        let (small, large) = (column(&[LEAST_PART]), column(&[LEAST_PART + 1]));
        for (threads, column, started) in
            [(1, &large, None), (2, &small, None), (2, &large, Some(2))]
        {
            let parser = BatchParser::new(&Spec::json()).with_threads(threads);
            parser.parse(column).unwrap();
            let pool = parser.pool.get().map(ThreadPool::current_num_threads);
            assert_eq!(pool, started, "{threads}");
        }
    }
}
