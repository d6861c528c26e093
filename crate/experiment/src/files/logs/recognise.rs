//! The format of a file by its first lines, whatever its name says, and what a file looks like that
//! is no log.

use super::draft::{LineReader, TraceDraft};
use super::options::Options;
use super::table::{self, TableReader};
use super::{csv, jobcomp, lsf, pbs, sacct, sacct_json, sge, swf};
use crate::language::columns::Columns;
use backfill_sim::workload::Format;

/// Lines at the start of a file that may say what it is, until one gives a job.
pub(super) const LINES: u64 = 100;

/// The reader of a file in a format, unless the options say what its columns are.
pub(super) fn reader(
    format: Format,
    options: &Options,
    draft: &mut TraceDraft,
) -> Box<dyn LineReader> {
    let Options {
        processors,
        cancelled,
        ..
    } = *options;
    if let Some(Columns::Heading(names)) = &options.columns {
        let mut reader = sacct::SacctReader::new(processors, cancelled);
        reader.heading(0, names.as_bytes(), draft);
        return Box::new(reader);
    }
    if let Some(columns) = &options.columns
        && let Some(mapping) = columns.mapping()
    {
        let preset = columns.preset();
        return Box::new(TableReader::new(options, mapping, preset));
    }
    match format {
        Format::Swf => Box::new(swf::SwfReader::new(processors, cancelled)),
        Format::Csv => Box::new(csv::CsvReader::new()),
    }
}

/// The reader that a line at the start of a file calls for, if it is the first of its format.
pub(super) fn by_line(line: &[u8], options: &Options) -> Option<(Format, Box<dyn LineReader>)> {
    let Options {
        processors,
        cancelled,
        ..
    } = *options;
    let reader: Box<dyn LineReader> = if sacct::is_heading(line) {
        Box::new(sacct::SacctReader::new(processors, cancelled))
    } else if swf::is_comment(line) || swf::is_job(line) {
        Box::new(swf::SwfReader::new(processors, cancelled))
    } else if csv::is_heading(line) {
        return Some((Format::Csv, Box::new(csv::CsvReader::new())));
    } else if pbs::is_record(line) {
        Box::new(pbs::PbsReader::new(processors, cancelled))
    } else if sge::is_line(line) {
        Box::new(sge::SgeReader::new(processors, cancelled))
    } else if lsf::is_record(line) {
        Box::new(lsf::LsfReader::new(processors, cancelled))
    } else if jobcomp::is_line(line) {
        Box::new(jobcomp::JobcompReader::new(processors, cancelled))
    } else if swf::is_heading(line) {
        Box::new(swf::SwfReader::of_table(processors, cancelled, line))
    } else {
        let preset = table::preset(line)?;
        let mapping = Columns::Preset(preset).mapping()?;
        Box::new(TableReader::new(options, mapping, Some(preset)))
    };
    Some((Format::Swf, reader))
}

/// The reader of a document in JSON.
pub(super) fn of_json(options: &Options) -> Box<dyn LineReader> {
    let reader = sacct_json::SacctJsonReader::new(options.processors, options.cancelled);
    Box::new(reader)
}

/// The likely format of a file without jobs by its first bytes, and what to do.
pub(super) fn looks_like(head: &[u8]) -> Option<&'static str> {
    let text = head.trim_ascii_start().to_ascii_lowercase();
    let packed: [(&[u8], &str); 8] = [
        (
            b"PK\x03\x04",
            "this looks like a zip archive; unpack it and give the file inside",
        ),
        (
            b"\xfd7zXZ\0",
            "this looks like xz; unpack it with `xz -d` first",
        ),
        (
            b"\x28\xb5\x2f\xfd",
            "this looks like zstd; unpack it with `zstd -d` first",
        ),
        (
            b"BZh",
            "this looks like bzip2; unpack it with `bunzip2` first",
        ),
        (
            b"\x1f\x9d",
            "this looks like compress (.Z); unpack it with `gzip -d` first",
        ),
        (
            b"\x04\x22\x4d\x18",
            "this looks like lz4; unpack it with `lz4 -d` first",
        ),
        (
            b"7z\xbc\xaf\x27\x1c",
            "this looks like a 7z archive; unpack it and give the file inside",
        ),
        (
            b"\x1f\x8b",
            "this is gzip inside gzip; unpack it once with `gunzip` first",
        ),
    ];
    if let Some((_, look)) = packed.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(look);
    }
    if head.is_empty() {
        return Some("the file is empty; give a log (.swf, .swf.gz) or a job list (.csv)");
    }
    if text.starts_with(b"<!doctype") || text.starts_with(b"<html") || text.starts_with(b"<?xml") {
        return Some("this looks like a web page, not a log; download the file behind the link");
    }
    if head.contains(&0) {
        return Some(
            "this looks like a binary file; give a log (.swf, .swf.gz) or a job list (.csv)",
        );
    }
    None
}
