//! Reads a trace from bytes that arrive in chunks.
//!
//! The bytes may be plain or gzip, distinguished by their first two; all members of a gzip file are
//! read, zeros after the last are skipped and anything else there is reported. The text is hashed
//! and cut into lines for the reader of the format. Memory is constant except for 96 bytes a job,
//! twice that during reallocation, and the state of the format's reader. A packed file, which may
//! unpack a thousandfold, is read up to a multiple of its own size.

use backfill_sim::sorting;
use backfill_sim::unit::{MICROS, Span};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;
use std::sync::Arc;

use flate2::write::GzDecoder;
use sha2::{Digest as _, Sha256};

use super::container::Container;
use super::details::Details;
use super::draft::{LineReader, Totals, TraceDraft, place};
use super::options::Options;
use super::sacct_json::JobCutter;
use super::{recognise, sacct, swf, unknown};
use crate::language::columns::Columns;
use backfill_sim::workload::Processors;
use backfill_sim::workload::report::{Finding, FindingKind};
use backfill_sim::workload::trace::{Format, MachineSource, Trace};
use backfill_sim::workload::{clean, preceding, recorded};

/// The most jobs of a trace; more are refused.
pub(crate) const MAX_JOBS: usize = 1 << 23;

/// The kept bytes of a line; the longest lines of real logs have 200.
const LINE_BYTES: usize = 1 << 16;

/// The most bytes of a line; a file with a longer one is refused.
const MOST_LINE_BYTES: usize = 1 << 20;

/// Bytes given to the decompressor at once, each of which may grow a thousandfold.
const GZIP_BYTES: usize = 1 << 12;

/// The most times its own bytes to which a packed file may unpack, and likewise its jobs in memory,
/// plus [`MORE_UNPACKED`]; logs unpack to some 15 times their bytes.
const MOST_UNPACKED: u64 = 20;

/// Bytes to which any packed file may unpack, and likewise its jobs in memory, plus
/// [`MOST_UNPACKED`] times its own.
const MORE_UNPACKED: u64 = 64_000_000;

/// Offered load of a log above which something is wrong.
const MOST_LOAD: f64 = 10.0;

/// The least time between submits for which that is said.
const A_DAY: Span = Span(24 * 3600 * MICROS);

/// First bytes of a file, kept to guess its format.
const HEAD_BYTES: usize = 1 << 14;

/// Why a file cannot be used: one sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError(String);

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TraceError {}

/// Takes the bytes of a file piece by piece and gives the trace at the end.
///
/// ```
/// use backfill_experiment::files::logs::{Options, TraceReader};
/// use backfill_sim::workload::Format;
///
/// let mut reader = TraceReader::new(Format::Swf, Options::named("log.swf"));
/// reader.push(b"; MaxProcs: 8\n1 0 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n").expect("plain text");
/// let trace = reader.finish().expect("a job");
/// assert_eq!((trace.rows.len(), trace.rows[0].size, trace.machine), (1, 4, 8));
/// ```
#[derive(Debug)]
pub struct TraceReader {
    packing: Packing,
    /// Bytes of gzip data so far.
    packed: u64,
    text: Text,
}

/// How the bytes are packed.
#[derive(Debug)]
enum Packing {
    /// Fewer than the two bytes that decide.
    Unknown(Vec<u8>),
    Plain,
    /// Inside a gzip member.
    Gzip(Box<GzDecoder<Vec<u8>>>),
    /// After a gzip member.
    AfterMember,
    /// In bytes after the last member that belong to none.
    Ignored,
}

impl TraceReader {
    /// A reader of a file in `format`.
    pub fn new(format: Format, options: Options) -> TraceReader {
        TraceReader {
            packing: Packing::Unknown(Vec::new()),
            packed: 0,
            text: Text::new(format, options),
        }
    }

    /// Reads the next bytes of the file, any number of them.
    ///
    /// # Errors
    /// The file is packed in an unreadable way, is damaged, or has too many jobs.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), TraceError> {
        while !bytes.is_empty() {
            match &mut self.packing {
                Packing::Unknown(start) => {
                    start.push(bytes[0]);
                    bytes = &bytes[1..];
                    if start.len() == 2 {
                        let start = std::mem::take(start);
                        self.open(&start)?;
                    }
                }
                Packing::Plain => {
                    self.text.push(bytes)?;
                    bytes = &[];
                }
                Packing::Gzip(decoder) => {
                    let piece = &bytes[..bytes.len().min(GZIP_BYTES)];
                    match decoder.write(piece) {
                        Ok(0) => {
                            finish_member(decoder, &mut self.text)?;
                            self.packing = Packing::AfterMember;
                        }
                        Ok(taken) => {
                            bytes = &bytes[taken..];
                            self.packed += taken as u64;
                            drain(decoder, &mut self.text)?;
                            self.text.fits(self.packed)?;
                        }
                        Err(_) => return Err(self.text.damaged()),
                    }
                }
                Packing::AfterMember => match bytes[0] {
                    0 => bytes = &bytes[1..],
                    0x1f => self.packing = Packing::Gzip(member()),
                    _ => {
                        let warning = "bytes after the end of the gzip data were ignored";
                        self.text.draft.report.warnings.push(warning.into());
                        self.packing = Packing::Ignored;
                    }
                },
                Packing::Ignored => bytes = &[],
            }
        }
        Ok(())
    }

    /// Starts a file with these first bytes.
    fn open(&mut self, start: &[u8]) -> Result<(), TraceError> {
        self.packing = match start {
            [0x1f, 0x8b] => Packing::Gzip(member()),
            _ => Packing::Plain,
        };
        self.push(start)
    }

    /// The trace, after all bytes were pushed.
    ///
    /// # Errors
    /// The gzip data ends early, there is no usable job, or a line was rejected or repaired and the
    /// options are strict.
    pub fn finish(self) -> Result<Trace, TraceError> {
        Ok(self.finish_with_details()?.0)
    }

    /// The trace, and what no simulation reads of it if the options say to keep that.
    ///
    /// # Errors
    /// As [`TraceReader::finish`].
    pub fn finish_with_details(mut self) -> Result<(Trace, Details), TraceError> {
        match &mut self.packing {
            Packing::Unknown(start) => {
                let start = std::mem::take(start);
                self.text.push(&start)?;
            }
            Packing::Gzip(decoder) => finish_member(decoder, &mut self.text)?,
            Packing::Plain | Packing::AfterMember | Packing::Ignored => {}
        }
        self.text.finish()
    }
}

/// A decompressor of one gzip member.
fn member() -> Box<GzDecoder<Vec<u8>>> {
    Box::new(GzDecoder::new(Vec::new()))
}

/// Passes the decompressed bytes on.
fn drain(decoder: &mut GzDecoder<Vec<u8>>, text: &mut Text) -> Result<(), TraceError> {
    text.push(decoder.get_ref())?;
    decoder.get_mut().clear();
    Ok(())
}

/// Passes the rest of a member on and checks that it is complete.
fn finish_member(decoder: &mut GzDecoder<Vec<u8>>, text: &mut Text) -> Result<(), TraceError> {
    let whole = decoder.try_finish();
    drain(decoder, text)?;
    whole.map_err(|_| text.damaged())
}

/// The decompressed text, split into lines.
#[derive(Debug)]
struct Text {
    format: Format,
    /// Whether a line has said what the file is, or none may any more.
    recognised: bool,
    /// Whether a line has said it.
    by_line: bool,
    options: Options,
    hash: Sha256,
    container: Container,
    head: Vec<u8>,
    /// Bytes of the text so far.
    bytes: u64,
    /// The kept part of the unfinished line.
    line: Vec<u8>,
    /// The number of its bytes so far.
    length: usize,
    lines: Box<dyn LineReader>,
    /// What cuts a document in JSON, if the file is one.
    document: Option<JobCutter>,
    draft: TraceDraft,
}

impl Text {
    fn new(format: Format, options: Options) -> Text {
        let mut draft = TraceDraft::new(options.details);
        let is_table = matches!(
            options.columns,
            Some(Columns::Mapping(_) | Columns::Preset(_))
        );
        Text {
            lines: recognise::reader(format, &options, &mut draft),
            document: None,
            recognised: is_table,
            by_line: options.columns.is_some(),
            format: if is_table { Format::Swf } else { format },
            options,
            hash: Sha256::new(),
            container: Container::default(),
            head: Vec::new(),
            bytes: 0,
            line: Vec::new(),
            length: 0,
            draft,
        }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), TraceError> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        let mut container = std::mem::take(&mut self.container);
        let read = container.push(bytes, &mut |text| self.text(text));
        self.container = container;
        read
    }

    /// Reads text that is wrapped in nothing.
    fn text(&mut self, bytes: &[u8]) -> Result<(), TraceError> {
        if self.head.is_empty() && !self.recognised && bytes.starts_with(b"{") {
            self.document = Some(JobCutter::default());
            self.lines = recognise::of_json(&self.options);
            self.format = Format::Swf;
            (self.recognised, self.by_line) = (true, true);
        }
        if self.head.len() < HEAD_BYTES {
            let wanted = bytes.len().min(HEAD_BYTES - self.head.len());
            self.head.extend_from_slice(&bytes[..wanted]);
        }
        if let Some(mut document) = self.document.take() {
            let read = document.push(bytes, &mut |job| self.line(job));
            self.document = Some(document);
            return read;
        }
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', bytes) {
            let piece = &bytes[start..end];
            start = end + 1;
            self.lengthen(piece)?;
            self.length = 0;
            if self.line.is_empty() && piece.len() <= LINE_BYTES {
                self.line(piece)?;
            } else {
                self.keep(piece);
                let line = std::mem::take(&mut self.line);
                self.line(&line)?;
            }
        }
        // The last line is unfinished.
        self.lengthen(&bytes[start..])?;
        self.keep(&bytes[start..]);
        Ok(())
    }

    /// Checks that this many packed bytes may unpack to the text and the jobs so far.
    fn fits(&self, packed: u64) -> Result<(), TraceError> {
        let taken = (self.draft.bytes() + self.lines.bytes()) as u64;
        if taken.max(self.bytes) <= MOST_UNPACKED * packed + MORE_UNPACKED {
            return Ok(());
        }
        Err(self.error(&format!(
            "by line {} the gzip data unpacks to more than {MOST_UNPACKED} times its bytes and {} MB, the most that is read of a packed file; unpack it with `gunzip` and give the file inside",
            self.draft.report.read,
            MORE_UNPACKED / 1_000_000
        )))
    }

    /// Counts the bytes of the unfinished line.
    fn lengthen(&mut self, piece: &[u8]) -> Result<(), TraceError> {
        self.length += piece.len();
        if self.length <= MOST_LINE_BYTES {
            return Ok(());
        }
        let line = self.draft.report.read + 1;
        Err(self.unusable(&format!(
            "line {line} has more than {MOST_LINE_BYTES} bytes, the most that are read; give a text file with a job on each line"
        )))
    }

    /// Adds to the kept part of the unfinished line.
    fn keep(&mut self, piece: &[u8]) {
        let room = LINE_BYTES + 1 - self.line.len();
        self.line.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    fn line(&mut self, line: &[u8]) -> Result<(), TraceError> {
        self.draft.report.read += 1;
        let Ok(number) = u32::try_from(self.draft.report.read) else {
            return Err(self.error("more than 4,294,967,295 lines; give a part of the file"));
        };
        let line = match line {
            _ if number == 1 => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line),
            _ => line,
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !self.recognised {
            self.recognise(line);
        }
        let draft = &mut self.draft;
        let comment = self.format == Format::Swf && swf::is_comment(line);
        if line.len() > LINE_BYTES && !comment {
            draft.reject(FindingKind::FieldCount, number, None);
        } else if line.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
            draft.report.blank += 1;
        } else if !self.recognised && line.starts_with(b"#") {
            draft.report.comments += 1;
        } else {
            self.lines.line(number, line, draft);
        }
        draft.findings.illustrate(&draft.report, number, line);
        if self.draft.rows.len() + self.draft.partials > MAX_JOBS {
            return Err(self.error(&format!(
                "more than {MAX_JOBS} jobs; give a part of the file"
            )));
        }
        Ok(())
    }

    /// Takes the reader that a line calls for.
    fn recognise(&mut self, line: &[u8]) {
        let found = recognise::by_line(line, &self.options);
        let late = self.draft.report.read >= recognise::LINES || !self.draft.rows.is_empty();
        self.recognised = found.is_some() || late;
        if let Some((format, reader)) = found {
            self.by_line = true;
            self.format = format;
            self.lines = reader;
        }
    }

    fn finish(mut self) -> Result<(Trace, Details), TraceError> {
        let mut container = std::mem::take(&mut self.container);
        container.finish(&mut |text| self.text(text))?;
        let (names, files) = container.files();
        if files > 1 {
            let more = if names.len() < files { ", …" } else { "" };
            return Err(self.error(&format!(
                "this is a tar archive of {files} files ({}{more}); unpack it with `tar -xf` and give one of them",
                names.join(", ")
            )));
        }
        if let Some(name) = names.first() {
            let warning = format!("read from {name} in the archive");
            self.draft.report.warnings.push(warning);
        }
        if let Some(job) = self
            .document
            .take()
            .and_then(|mut document| document.rest())
        {
            self.line(&job)?;
        }
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.line(&line)?;
        }
        self.lines.finish(&mut self.draft);
        if self.draft.rows.is_empty() {
            let reason = self.lines.problem().unwrap_or_else(|| self.no_job());
            return Err(self.unusable(&reason));
        }
        let sha256 = self.hash.clone().finalize();
        let draft = &mut self.draft;
        draft.rows.shrink_to_fit();
        let totals = std::mem::take(&mut draft.totals);
        if totals.number_again {
            note_duplicates(draft);
        }
        if totals.out_of_order {
            sorting::by_key(&mut draft.rows, place);
        }
        if totals.names_preceding {
            note_unknown_preceding(draft);
        }
        let flurries = clean::mark_flurries(&mut draft.rows, totals.largest);
        let (machine, machine_source) = machine(&self.options, draft, &totals);
        if totals.largest > machine {
            for row in draft.rows.iter().filter(|row| row.size > machine) {
                draft
                    .findings
                    .add(FindingKind::LargerThanMachine, row.line, None);
            }
        }
        header_warnings(draft, machine, machine_source);
        load_warning(draft, machine, &totals);
        let mut report = std::mem::take(&mut draft.report);
        report.findings = std::mem::take(&mut draft.findings).into_vec();
        assert!(report.balances(), "every line is accounted for once");
        if let Some(fault) = report.worst_fault().filter(|_| self.options.strict) {
            let remedy = fault.kind.remedy();
            let remedy = remedy.map_or("mend it".to_owned(), |remedy| format!("{remedy},"));
            return Err(self.error(&format!(
                "{} × {}{}; {remedy} or read the file without strict",
                fault.count,
                fault.text,
                first_position(fault)
            )));
        }
        let details = self.draft.details.unwrap_or_default();
        let trace = Trace {
            name: self.options.name,
            format: self.format,
            sha256: sha256.iter().map(|byte| format!("{byte:02x}")).collect(),
            rows: Arc::new(self.draft.rows),
            flurries,
            has_bandwidth: self.draft.has_bandwidth,
            labels: self.draft.labels,
            machine,
            machine_source,
            whole_nodes: self.draft.whole_nodes,
            header: self.draft.header,
            report,
            usage: Arc::default(),
        };
        Ok((trace, details))
    }

    fn error(&self, what: &str) -> TraceError {
        TraceError(format!("{}: {what}.", self.options.name))
    }

    fn damaged(&self) -> TraceError {
        self.error("the gzip data is damaged or ends early; fetch the file again")
    }

    /// The error for a file without jobs: its likely format, or else the `reason`.
    fn unusable(&self, reason: &str) -> TraceError {
        if let Some(look) = recognise::looks_like(&self.head) {
            return self.error(look);
        }
        if self.by_line {
            return self.error(reason);
        }
        let remedy = sacct::other_form(&self.head).or_else(|| unknown::remedy(&self.head));
        self.error(remedy.as_deref().unwrap_or(reason))
    }

    /// Why there is no job.
    fn no_job(&self) -> String {
        let wanted = self.lines.wanted();
        let lines = match self.draft.report.read {
            1 => "1 line".to_owned(),
            lines => format!("{lines} lines"),
        };
        match self.draft.findings.worst_reject() {
            Some(finding) => format!(
                "no usable job in {lines} ({} × {}{}); {}",
                finding.count,
                finding.text,
                first_position(finding),
                finding.kind.remedy().unwrap_or(wanted)
            ),
            None => format!("no usable job in {lines}; {wanted}"),
        }
    }
}

/// The position of a finding's first line, as the end of a phrase.
fn first_position(finding: &Finding) -> String {
    let position = finding.positions.first();
    position.map_or(String::new(), |position| format!(", first in {position}"))
}

/// Remarks on every line that names a preceding job which it does not follow: there is none, or it
/// waits for this one itself.
fn note_unknown_preceding(draft: &mut TraceDraft) {
    let known: BTreeMap<usize, usize> = preceding::known(&draft.rows)
        .into_iter()
        .map(|(waiting, jobs)| (waiting, jobs.len()))
        .collect();
    let rows = draft.rows.iter().enumerate();
    let unknown: Vec<u32> = rows
        .filter(|(at, row)| {
            let named = row
                .preceding
                .as_ref()
                .map_or(0, |before| before.numbers.len());
            named > known.get(at).copied().unwrap_or(0)
        })
        .map(|(_, row)| row.line)
        .collect();
    for line in unknown {
        draft.note(FindingKind::UnknownPreceding, line);
    }
}

/// Remarks on every line whose job number is on an earlier line.
fn note_duplicates(draft: &mut TraceDraft) {
    let mut numbers: Vec<(u64, u32)> = draft
        .rows
        .iter()
        .map(|row| (row.number, row.line))
        .collect();
    sorting::by_number(&mut numbers, |&(_, line)| u64::from(line));
    sorting::by_number(&mut numbers, |&(number, _)| number);
    for pair in numbers.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        draft.note(FindingKind::DuplicateNumber, pair[1].1);
    }
}

/// The size of the log's machine, in nodes if jobs are: given by the user, else by the header,
/// unless the log itself uses more; else the most in use at once; else the largest job.
fn machine(options: &Options, draft: &TraceDraft, totals: &Totals) -> (u32, MachineSource) {
    if let Some(given) = options.machine.filter(|&given| given > 0) {
        return (given, MachineSource::Given);
    }
    let stated = |key| {
        let count = draft.header.count(key).filter(|&count| count > 0);
        count.and_then(|count| u32::try_from(count).ok())
    };
    let in_processors = options.processors != Processors::Nodes;
    let header = [
        (
            stated("MaxProcs").filter(|_| in_processors),
            MachineSource::MaxProcs,
        ),
        (stated("MaxNodes"), MachineSource::MaxNodes),
    ];
    let mut header = header
        .into_iter()
        .filter_map(|(count, source)| Some((count?, source)));
    let in_use = recorded::most_in_use(&draft.rows).map(|most| (most, MachineSource::InUse));
    match (header.next(), in_use) {
        (Some(header), Some(in_use)) if in_use.0 > header.0 => in_use,
        (Some(header), _) => header,
        (None, Some(in_use)) => in_use,
        (None, None) => (totals.largest, MachineSource::LargestJob),
    }
}

/// Sentences on a header that does not fit its file.
fn header_warnings(draft: &mut TraceDraft, machine: u32, source: MachineSource) {
    let lines = draft.report.job_lines();
    let warnings = &mut draft.report.warnings;
    for key in ["MaxRecords", "MaxJobs"] {
        match draft.header.count(key) {
            Some(count) if count != lines => warnings.push(format!(
                "the header's {key} is {count}, the file has {lines} job lines"
            )),
            _ => {}
        }
    }
    match draft.header.get("Preemption") {
        Some(value) if value != "No" => warnings.push(format!(
            "the header's Preemption is {value}: a job may have several lines, which are merged"
        )),
        _ => {}
    }
    match source {
        MachineSource::LargestJob => warnings.push(format!(
            "nothing says how large the machine is: the largest job's {machine} processors are taken for it"
        )),
        MachineSource::InUse => {
            let stated = ["MaxProcs", "MaxNodes"]
                .into_iter()
                .find_map(|key| Some((key, draft.header.count(key)?)));
            warnings.push(match stated {
                Some((key, count)) => format!(
                    "the header's {key} is {count}, but {machine} processors were in use at once by the log's own times: {machine} are taken for its machine"
                ),
                None => format!(
                    "the header does not say how large the machine is: the {machine} processors that were in use at once are taken for it"
                ),
            });
        }
        MachineSource::Given | MachineSource::MaxProcs | MachineSource::MaxNodes => {}
    }
}

/// A sentence on jobs that ask for far more than the machine can do in the time of the log.
fn load_warning(draft: &mut TraceDraft, machine: u32, totals: &Totals) {
    let (Some(first), Some(last)) = (draft.rows.first(), draft.rows.last()) else {
        return;
    };
    let span = last.submit - first.submit;
    let supply = machine as f64 * span.0 as f64;
    let load = totals.area as f64 / supply;
    if span >= A_DAY && load > MOST_LOAD {
        draft.report.warnings.push(format!(
            "the jobs ask for {load:.1} times what {machine} processors can do between the first submit and the last: times, sizes or the machine may be wrong"
        ));
    }
}
