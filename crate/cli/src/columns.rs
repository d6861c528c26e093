//! Tables of runs and of jobs as Parquet, for programs that read data frames.

use std::sync::Arc;

use anyhow::Result;
use backfill_experiment::files::report;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::Results;
use backfill_sim::run::Replay;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

/// The values of a column.
enum Values {
    Text(Vec<ByteArray>),
    Whole(Vec<i64>),
    /// Some may be absent.
    PerhapsWhole(Vec<Option<i64>>),
    /// Some may be absent.
    PerhapsNumber(Vec<Option<f64>>),
}

/// A column under its name.
type Column = (&'static str, Values);

/// The lines of [`report::runs`] under the names of its CSV columns.
pub(crate) fn runs(scenario: &Scenario, results: &Results) -> Result<Vec<u8>> {
    let lines: Vec<_> = report::runs(scenario, results).collect();
    let policies = scenario.policies().iter();
    let policies: Vec<ByteArray> = policies.map(|policy| text(&policy.to_string())).collect();
    let system = text(scenario.get("system"));
    let texts = |of: fn(&report::RunLine<'_>) -> ByteArray| lines.iter().map(of).collect();
    write(&[
        ("system", Values::Text(vec![system; lines.len()])),
        (
            "policy",
            Values::Text(
                lines
                    .iter()
                    .map(|line| policies[line.policy].clone())
                    .collect(),
            ),
        ),
        ("x", Values::Text(texts(|line| text(line.x)))),
        ("y", Values::Text(texts(|line| text(line.y)))),
        (
            "rep",
            Values::Whole(lines.iter().map(|line| line.replication.into()).collect()),
        ),
        ("metric", Values::Text(texts(|line| text(line.metric.name)))),
        (
            "value",
            Values::PerhapsNumber(lines.iter().map(|line| line.value).collect()),
        ),
        ("unit", Values::Text(texts(|line| text(line.metric.unit)))),
    ])
}

/// The lines of [`report::jobs`] under the names of its CSV columns. A job that did not run has
/// no start and no end.
pub(crate) fn jobs(replay: &Replay) -> Result<Vec<u8>> {
    let lines: Vec<_> = report::jobs(replay).collect();
    let texts =
        |of: fn(&report::JobLine<'_>) -> ByteArray| Values::Text(lines.iter().map(of).collect());
    let wholes = |of: fn(&report::JobLine<'_>) -> u64| {
        Values::Whole(lines.iter().map(|line| whole(of(line))).collect())
    };
    let time = |at: usize| {
        let times = lines
            .iter()
            .map(|line| line.times[at].map(|time| whole(time.0)));
        Values::PerhapsWhole(times.collect())
    };
    write(&[
        ("job", wholes(|line| line.job.number)),
        ("outcome", texts(|line| text(line.outcome))),
        ("submit_us", wholes(|line| line.job.submit.0)),
        ("start_us", time(0)),
        ("end_us", time(1)),
        ("size", wholes(|line| line.job.size.into())),
        ("bandwidth_kbps", wholes(|line| line.job.bandwidth.0)),
        ("runtime_us", wholes(|line| line.job.runtime.0)),
        ("migrations", wholes(|line| line.migrations.into())),
        ("placement", texts(|line| text(&line.placement))),
    ])
}

fn text(text: &str) -> ByteArray {
    text.as_bytes().to_vec().into()
}

/// Signed, as most readers of Parquet expect.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Columns of equal length as a file.
fn write(columns: &[Column]) -> Result<Vec<u8>> {
    let fields: Result<Vec<_>, _> = columns.iter().map(field).collect();
    let schema = Type::group_type_builder("table")
        .with_fields(fields?)
        .build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::GZIP(Default::default()))
        .build();
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, Arc::new(schema), Arc::new(properties))?;
    let mut rows = writer.next_row_group()?;
    for (_, values) in columns {
        let mut column = rows.next_column()?.expect("a column of the schema");
        match values {
            Values::Text(values) => column
                .typed::<ByteArrayType>()
                .write_batch(values, None, None),
            Values::Whole(values) => column.typed::<Int64Type>().write_batch(values, None, None),
            Values::PerhapsWhole(values) => {
                let (there, levels) = present(values);
                column
                    .typed::<Int64Type>()
                    .write_batch(&there, Some(&levels), None)
            }
            Values::PerhapsNumber(values) => {
                let (there, levels) = present(values);
                column
                    .typed::<DoubleType>()
                    .write_batch(&there, Some(&levels), None)
            }
        }?;
        column.close()?;
    }
    rows.close()?;
    writer.close()?;
    Ok(file)
}

fn field((name, values): &Column) -> Result<Arc<Type>, parquet::errors::ParquetError> {
    let (physical, logical, repetition) = match values {
        Values::Text(_) => (
            Physical::BYTE_ARRAY,
            Some(LogicalType::String),
            Repetition::REQUIRED,
        ),
        Values::Whole(_) => (Physical::INT64, None, Repetition::REQUIRED),
        Values::PerhapsWhole(_) => (Physical::INT64, None, Repetition::OPTIONAL),
        Values::PerhapsNumber(_) => (Physical::DOUBLE, None, Repetition::OPTIONAL),
    };
    let field = Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()?;
    Ok(Arc::new(field))
}

/// The present values, and for each line whether it has one: 1 or 0.
fn present<T: Copy>(values: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let there = values.iter().copied().flatten().collect();
    let levels = values
        .iter()
        .map(|value| i16::from(value.is_some()))
        .collect();
    (there, levels)
}
