//! The format of a file by its first lines, whatever its name says, and what a file looks like that
//! is no log.

use super::draft::LineReader;
use super::options::Options;
use super::{csv, sacct, swf};
use backfill_sim::workload::Format;

/// Lines at the start of a file that may say what it is, until one gives a job.
pub(super) const LINES: u64 = 100;

/// The reader of a file in a format.
pub(super) fn reader(format: Format, options: &Options) -> Box<dyn LineReader> {
    match format {
        Format::Swf => Box::new(swf::SwfReader::new(options.processors, options.cancelled)),
        Format::Csv => Box::new(csv::CsvReader::new()),
    }
}

/// The reader that a line at the start of a file calls for, if it is the first of its format.
pub(super) fn by_line(line: &[u8], options: &Options) -> Option<(Format, Box<dyn LineReader>)> {
    if sacct::is_heading(line) {
        let reader = sacct::SacctReader::new(options.processors, options.cancelled);
        return Some((Format::Swf, Box::new(reader)));
    }
    let format = if swf::is_comment(line) || swf::is_job(line) {
        Format::Swf
    } else if csv::is_heading(line) {
        Format::Csv
    } else {
        return None;
    };
    Some((format, reader(format, options)))
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
