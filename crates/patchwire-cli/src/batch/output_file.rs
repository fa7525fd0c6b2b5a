//! One table in, one whole file out.
//!
//! The file is made in a folder beside it, in parts of equal numbers of rows. A part has its name once it is whole. When
//! all parts are there, they become the file by one rename, so that there is a whole file or none. A run that was stopped
//! leaves the folder, and the next one goes on after its last whole part.

use std::fs;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use arrow_array::{RecordBatch, StructArray};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use patchwire_arrow::BatchParser;

use super::column_texts::{is_text, strings};
use super::counts::{RowCounts, bar};
use super::error::TableError;
use super::form::TableForm;
use super::plan::Job;
use super::table_reader::{TableReader, WantedColumns};
use super::table_writer::TableWriter;
use super::workplace::{FIRST_WORD, Workplace};
use crate::output;
use crate::progress::Progress;

/// Converts tables, all with the same settings.
pub(crate) struct Converter {
    pub(crate) parser: BatchParser,
    /// The column with the outputs.
    pub(crate) column: String,
    /// The name of the new column.
    pub(crate) answer: String,
    /// The columns to copy; all if there are none.
    pub(crate) keep: Option<Vec<String>>,
    pub(crate) part_rows: usize,
    /// Whether files that are there are made anew.
    pub(crate) again: bool,
    /// Whether JSON lines may have a column in no line, as one of several tables may.
    pub(crate) may_lack: bool,
    /// All settings that change a result, as text: parts of other settings are not used.
    pub(crate) settings: String,
    pub(crate) progress: Progress,
}

/// Batches that wait for the writer.
const MOST_WAITING: usize = 2;

/// What became of a job.
pub(crate) enum Converted {
    /// The file was there.
    Found,
    /// The file was made: `found` rows by an earlier run, the others by this one.
    Made { counts: RowCounts, found: u64, time: Duration },
}

impl Converter {
    pub(crate) fn convert(&mut self, job: &Job) -> Result<Converted, TableError> {
        let was_there = job.output.exists();
        if was_there && !self.again {
            return Ok(Converted::Found);
        }
        let (text, keep, may_lack) = (&*self.column, self.keep.as_deref(), self.may_lack);
        let mut table =
            TableReader::open(&job.input, job.from, &WantedColumns { text, keep, may_lack })?;
        let layout = self.layout(&table, job.to)?;
        let workplace = Workplace::open(job, &self.fingerprint(job))?;
        if !was_there && job.output.exists() {
            // Another run has made it while this one looked at the input.
            workplace.close()?;
            return Ok(Converted::Found);
        }
        let found = (workplace.whole_parts().len() * self.part_rows) as u64;
        let mut so_far = SoFar { counts: RowCounts::default(), began: Instant::now() };
        let made = self.parts(&mut table, &layout, &workplace, &mut so_far);
        self.progress.clear();
        if let Err(error) = made.and_then(|parts| workplace.place(&parts, job)) {
            workplace.abandon(&error);
            return Err(error);
        }
        workplace.close()?;
        let SoFar { counts, began } = so_far;
        Ok(Converted::Made { counts, found, time: began.elapsed() })
    }

    /// Writes the parts that are missing. All parts, in order.
    fn parts(
        &mut self,
        table: &mut TableReader,
        layout: &Layout,
        workplace: &Workplace,
        so_far: &mut SoFar,
    ) -> Result<Vec<PathBuf>, TableError> {
        let mut parts = workplace.whole_parts();
        let found = (parts.len() * self.part_rows) as u64;
        let mut more = parts.is_empty() || table.skip(found)?;
        while more {
            let draft = workplace.draft();
            let writer =
                TableWriter::create(&draft, layout.form, &layout.schema, parts.is_empty())?;
            let before = so_far.counts.rows;
            more = self.part(table, writer, layout, so_far)?;
            if so_far.counts.rows == before && !parts.is_empty() {
                break;
            }
            let part = workplace.part(parts.len());
            fs::rename(&draft, &part).map_err(|error| Workplace::failed(&part, error))?;
            parts.push(part);
        }
        Ok(parts)
    }

    /// Writes one part, while the next rows are read. Whether rows may be left.
    fn part(
        &mut self,
        table: &mut TableReader,
        mut writer: TableWriter,
        layout: &Layout,
        so_far: &mut SoFar,
    ) -> Result<bool, TableError> {
        thread::scope(|scope| {
            let (batches, waiting) = sync_channel::<RecordBatch>(MOST_WAITING);
            let writing = scope.spawn(move || {
                for batch in waiting {
                    writer.write(&batch)?;
                }
                writer.finish()
            });
            let read = self.read(table, layout, so_far, &batches);
            drop(batches);
            let written = writing.join().unwrap_or_else(|panic| resume_unwind(panic));
            read.and_then(|more| written.map(|()| more))
        })
    }

    /// Reads the rows of one part. If the writer failed, nobody takes them, and its error counts.
    fn read(
        &mut self,
        table: &mut TableReader,
        layout: &Layout,
        so_far: &mut SoFar,
        batches: &SyncSender<RecordBatch>,
    ) -> Result<bool, TableError> {
        let mut left = self.part_rows;
        while left > 0 {
            let Some(batch) = table.next_batch_of(left)? else { return Ok(false) };
            left -= batch.num_rows();
            let texts = strings(table.name(), &batch, &self.column)?;
            let answers = self.parser.parse(&texts).map_err(|error| TableError::Batch {
                name: table.name().to_owned(),
                row: so_far.counts.rows,
                error,
            })?;
            so_far.counts.add(&answers);
            if batches.send(layout.joined(&batch, &answers)).is_err() {
                break;
            }
            self.progress.at(|| line(table, so_far));
        }
        Ok(true)
    }

    fn layout(&self, table: &TableReader, to: TableForm) -> Result<Layout, TableError> {
        let schema = table.schema();
        let name = || table.name().to_owned();
        let Ok(texts) = schema.field_with_name(&self.column) else {
            let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
            return Err(TableError::NoColumn {
                name: name(),
                column: self.column.clone(),
                columns,
            });
        };
        if !is_text(texts.data_type()) {
            let (column, found) = (self.column.clone(), texts.data_type().clone());
            return Err(TableError::NotText { name: name(), column, found });
        }
        let is_kept =
            |field: &FieldRef| self.keep.as_ref().is_none_or(|keep| keep.contains(field.name()));
        let fields = schema.fields().iter().enumerate().filter(|(_, field)| is_kept(field));
        let (places, mut fields): (Vec<usize>, Vec<FieldRef>) =
            fields.map(|(place, field)| (place, Arc::clone(field))).unzip();
        let added = self.added(to);
        if let Some(taken) =
            added.iter().find(|new| fields.iter().any(|field| field.name() == new.name()))
        {
            return Err(TableError::Taken { name: name(), column: taken.name().clone() });
        }
        fields.extend(added);
        let schema = Arc::new(Schema::new(fields));
        Ok(Layout { places, schema, form: to })
    }

    /// The new fields: one struct, or a field for each of its own where a form has no structs.
    fn added(&self, to: TableForm) -> Vec<FieldRef> {
        let fields = self.parser.fields();
        if to == TableForm::Csv {
            let named = |field: &FieldRef| {
                let name = format!("{}_{}", self.answer, field.name());
                Arc::new(field.as_ref().clone().with_name(name))
            };
            return fields.iter().map(named).collect();
        }
        vec![Arc::new(Field::new(&self.answer, DataType::Struct(fields.clone()), true))]
    }

    /// Everything that a part depends on.
    fn fingerprint(&self, job: &Job) -> String {
        let about = fs::metadata(&job.input).ok();
        let bytes = about.as_ref().map_or(0, fs::Metadata::len);
        let changed = about.and_then(|about| about.modified().ok());
        let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let version = env!("CARGO_PKG_VERSION");
        let (column, answer, keep, rows) = (&self.column, &self.answer, &self.keep, self.part_rows);
        let types = self.parser.data_type();
        let Job { input, from, to, .. } = job;
        format!(
            "{FIRST_WORD}{version}\n{input:?} {bytes} {changed:?} {from:?} {to:?}\n{column:?} {answer:?} {keep:?} \
             {rows}\n{types}\n{}\n",
            self.settings
        )
    }
}

/// The columns of the file.
struct Layout {
    /// The columns that are copied, by their places in the table.
    places: Vec<usize>,
    schema: SchemaRef,
    /// CSV has no structs: there the answer is a column for each of its fields.
    form: TableForm,
}

impl Layout {
    fn joined(&self, batch: &RecordBatch, answers: &StructArray) -> RecordBatch {
        let kept = self.places.iter().map(|place| Arc::clone(batch.column(*place)));
        let mut columns: Vec<_> = kept.collect();
        if self.form == TableForm::Csv {
            columns.extend(answers.flatten().1);
        } else {
            columns.push(Arc::new(answers.clone()));
        }
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
            .unwrap_or_else(|error| unreachable!("the columns are those of the layout: {error}"))
    }
}

/// What a run has read.
struct SoFar {
    counts: RowCounts,
    began: Instant,
}

/// The line of progress.
fn line(table: &TableReader, SoFar { counts, began }: &SoFar) -> String {
    let share = table.share();
    let name = output::shorten(table.name(), 24);
    let percent = (share * 100.0) as u32;
    format!("{name} {} {percent}%  {}  {counts}", bar(share), counts.rate(began.elapsed()))
}
