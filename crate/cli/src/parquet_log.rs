//! A log in Parquet, as the lines of the same table in CSV.
//!
//! Instants become milliseconds since 1970, which a table may have; what is nested stays one value.

use std::fs::File;

use anyhow::Result;
use backfill_experiment::files::report::field;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// The first bytes of such a file.
pub(crate) const MAGIC: &[u8] = b"PAR1";

/// Gives each line of the table to `push`, the heading first.
///
/// # Errors
/// The file is damaged or packed in a way that is not read, or `push` fails.
pub(crate) fn lines(file: File, mut push: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let table = SerializedFileReader::new(file)?;
    let columns = table.metadata().file_metadata().schema().get_fields();
    let names = columns.iter().map(|column| field(column.name()));
    push(line(names).as_bytes())?;
    for row in table.get_row_iter(None)? {
        push(line(row?.get_column_iter().map(|(_, value)| text(value))).as_bytes())?;
    }
    Ok(())
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<_>>().join(",") + "\n"
}

fn text(value: &Field) -> String {
    match value {
        Field::Null => String::new(),
        Field::Str(text) => field(&text.replace(['\n', '\r'], " ")),
        Field::Float(number) => number.to_string(),
        Field::Double(number) => number.to_string(),
        Field::TimestampMillis(millis) => millis.to_string(),
        Field::TimestampMicros(micros) => {
            format!("{}.{:03}", micros.div_euclid(1000), micros.rem_euclid(1000))
        }
        other => field(&other.to_string()),
    }
}
