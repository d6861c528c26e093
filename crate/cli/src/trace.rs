//! Logs and job lists: inspecting and converting them.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use backfill_experiment::files::logs::details::Details;
use backfill_experiment::files::logs::doctor::Diagnosis;
use backfill_experiment::files::logs::swf::{self, SwfLine};
use backfill_experiment::files::logs::{Options, TraceReader, csv};
use backfill_experiment::language::columns::Columns;
use backfill_sim::unit::Kbps;
use backfill_sim::workload::report::{Finding, FindingKind, Report, Verdict};
use backfill_sim::workload::trace::{LogRow, MachineSource, Status};
use backfill_sim::workload::{Cancelled, Flurries, Format, Processors, Statuses, Trace};

use crate::output::Outputs;
use crate::parquet_log;

/// Bytes read at once.
const PIECE: usize = 1 << 16;

/// What to do with a trace.
#[derive(clap::Subcommand)]
pub(crate) enum TraceCommand {
    /// Show what is in a log or job list and how each line was taken
    Info {
        #[command(flatten)]
        input: Input,

        /// Show the numbers of the first jobs only
        #[arg(long, value_name = "JOBS")]
        first: Option<usize>,
    },
    /// Write the jobs of a log that are left when it is cleaned, as a log (.swf) or job list (.csv)
    Clean {
        #[command(flatten)]
        input: Input,

        /// The file to write, its format by its name
        #[arg(value_name = "OUT", value_parser = output_path)]
        output: PathBuf,

        /// Keep the flurries: bursts of one user's similar jobs
        #[arg(long)]
        keep_flurries: bool,

        /// Which jobs to take by how they ended: all, not-cancelled, completed or executed
        #[arg(long, default_value = Statuses::All.name(), value_parser = statuses)]
        statuses: Statuses,
    },
    /// Write the jobs of a log or job list as a log (.swf) or job list (.csv)
    Convert {
        #[command(flatten)]
        input: Input,

        /// The file to write, its format by its name
        #[arg(value_name = "OUT", value_parser = output_path)]
        output: PathBuf,
    },
}

/// A file and how to read it.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// A log (.swf, .swf.gz, or what `sacct --parsable2` prints) or job list (.csv, .csv.gz)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which field of a log is a job's size: alloc-then-req, req-then-alloc, max or nodes
    #[arg(long, default_value = Processors::AllocThenReq.name(), value_parser = processors)]
    processors: Processors,

    /// What is done with jobs that were cancelled before they started: drop, run or leave
    #[arg(long, default_value = Cancelled::Drop.name(), value_parser = cancelled)]
    cancelled: Cancelled,

    /// Which column of a table is what, as submit:submit_time,run:duration,size:cores, the name of
    /// a known table, or the columns of a file of sacct without a heading
    #[arg(long, value_parser = Columns::parse)]
    columns: Option<Columns>,

    /// Processors of the log's machine, if its header does not say
    #[arg(long, value_name = "PROCESSORS", value_parser = clap::value_parser!(u32).range(1..))]
    machine: Option<u32>,

    /// Refuse a file with any rejected or repaired line
    #[arg(long)]
    strict: bool,
}

fn processors(name: &str) -> Result<Processors, String> {
    let names = Processors::CHOICES.iter().map(|choice| choice.value);
    Processors::named(name)
        .ok_or_else(|| format!("must be one of {}", names.collect::<Vec<_>>().join(", ")))
}

fn cancelled(name: &str) -> Result<Cancelled, String> {
    let names = Cancelled::CHOICES.iter().map(|choice| choice.value);
    Cancelled::named(name)
        .ok_or_else(|| format!("must be one of {}", names.collect::<Vec<_>>().join(", ")))
}

fn statuses(name: &str) -> Result<Statuses, String> {
    let names = Statuses::CHOICES.iter().map(|choice| choice.value);
    Statuses::named(name)
        .ok_or_else(|| format!("must be one of {}", names.collect::<Vec<_>>().join(", ")))
}

fn output_path(name: &str) -> Result<PathBuf, String> {
    if name.ends_with(".swf") || name.ends_with(".csv") {
        Ok(name.into())
    } else {
        Err("must end in .swf or .csv".to_owned())
    }
}

/// `backfill trace`.
pub(crate) fn trace(command: &TraceCommand, out: &mut impl Write) -> Result<()> {
    match command {
        TraceCommand::Info { input, first } => info(&input.read()?, *first, out),
        TraceCommand::Clean {
            input,
            output,
            keep_flurries,
            statuses,
        } => {
            let flurries = if *keep_flurries {
                Flurries::Keep
            } else {
                Flurries::Remove
            };
            let outputs = input.output_to(output)?;
            clean(&input.file()?, output, flurries, *statuses, outputs)
        }
        TraceCommand::Convert { input, output } => {
            let outputs = input.output_to(output)?;
            convert(&input.file()?, output, outputs)
        }
    }
}

impl Input {
    /// The outputs, if `output` can be written and is not this file.
    fn output_to(&self, output: &PathBuf) -> Result<Outputs> {
        Outputs::new([output], &[&self.file], None)
    }

    fn read(&self) -> Result<Trace> {
        let options = self.options();
        read(&self.file, Format::of_name(&options.name), options)
    }

    /// The file with all that is written again.
    fn file(&self) -> Result<LogFile> {
        let options = Options {
            details: true,
            ..self.options()
        };
        let format = Format::of_name(&options.name);
        let (trace, details) = pushed(&self.file, format, options)?.finish_with_details()?;
        Ok(LogFile {
            trace,
            details,
            processors: self.processors,
        })
    }

    fn options(&self) -> Options {
        Options {
            processors: self.processors,
            cancelled: self.cancelled,
            machine: self.machine,
            columns: self.columns.clone(),
            strict: self.strict,
            ..Options::named(&self.file.to_string_lossy())
        }
    }
}

/// A file that is written again.
struct LogFile {
    trace: Trace,
    details: Details,
    processors: Processors,
}

/// Reads a file in chunks.
pub(crate) fn read(path: &Path, format: Format, options: Options) -> Result<Trace> {
    Ok(pushed(path, format, options)?.finish()?)
}

/// A reader to which all chunks of a file were given.
fn pushed(path: &Path, format: Format, options: Options) -> Result<TraceReader> {
    let cannot = || format!("cannot read {}", path.display());
    let mut file = File::open(path).with_context(cannot)?;
    let mut reader = TraceReader::new(format, options);
    let mut piece = vec![0; PIECE];
    let mut is_first = true;
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(reader),
            Ok(read) if is_first && piece[..read].starts_with(parquet_log::MAGIC) => {
                let push = |line: &[u8]| Ok(reader.push(line)?);
                parquet_log::lines(file, push).with_context(cannot)?;
                return Ok(reader);
            }
            Ok(read) => {
                is_first = false;
                reader.push(&piece[..read])?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error).with_context(cannot),
        }
    }
}

fn info(trace: &Trace, first: Option<usize>, out: &mut impl Write) -> Result<()> {
    let source = match trace.machine_source {
        MachineSource::Given => "as given",
        MachineSource::MaxProcs => "MaxProcs of the header",
        MachineSource::MaxNodes => "MaxNodes of the header",
        MachineSource::InUse => "the most in use at once by the log's own times",
        MachineSource::LargestJob => "the largest job, as the header gives no size",
    };
    let jobs = first.unwrap_or(usize::MAX).min(trace.rows.len());
    let summary = trace.summary(jobs);
    let load = match summary.offered_load {
        Some(load) => format!("{load:.4}"),
        None => "none: all jobs are submitted at once".to_owned(),
    };
    writeln!(out, "{}", trace.name)?;
    writeln!(out, "  sha256            {}", trace.sha256)?;
    let report = &trace.report;
    if report.rejected > 0 {
        let (rejected, lines) = (report.rejected, report.job_lines());
        let share = 100.0 * rejected as f64 / lines as f64;
        writeln!(
            out,
            "  REJECTED          {rejected} of {lines} lines ({share:.1} %): not simulated; reasons below"
        )?;
    }
    writeln!(
        out,
        "  machine           {} processors ({source})",
        trace.machine
    )?;
    writeln!(out, "  jobs              {jobs} of {}", trace.rows.len())?;
    writeln!(
        out,
        "  span              {:.1} days",
        summary.span_s / 86_400.0
    )?;
    writeln!(out, "  offered load      {load}")?;
    writeln!(
        out,
        "  interarrival      mean {:.1} s",
        summary.mean_interarrival_s
    )?;
    writeln!(
        out,
        "  size              mean {:.2}, largest {}",
        summary.mean_size, summary.largest_size
    )?;
    writeln!(
        out,
        "                    {:.1} % serial, {:.1} % powers of two",
        100.0 * summary.serial_share,
        100.0 * summary.power_of_two_share
    )?;
    writeln!(
        out,
        "  run time          mean {:.1} s, median {:.1} s, longest {:.1} s",
        summary.mean_runtime_s, summary.median_runtime_s, summary.longest_runtime_s
    )?;
    writeln!(out)?;
    account(&trace.report, out)?;
    diagnosis(trace, out)?;
    if !trace.header.entries.is_empty() {
        writeln!(out, "\nheader")?;
    }
    for (key, value) in &trace.header.entries {
        for (at, line) in value.split('\n').enumerate() {
            let key = if at == 0 { key } else { "" };
            writeln!(out, "  {key:<17} {}", printable(line))?;
        }
    }
    Ok(())
}

/// Prints how the lines of a file were read.
fn account(report: &Report, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "{} lines: {} accepted, {} repaired, {} rejected, {} merged, {} comments, {} blank",
        report.read,
        report.accepted,
        report.repaired,
        report.rejected,
        report.folded,
        report.comments,
        report.blank
    )?;
    for finding in &report.findings {
        let verdict = match finding.verdict {
            Verdict::Reject => "rejected",
            Verdict::Repair => "repaired",
            Verdict::Remark => "noted",
        };
        let remedy = finding.kind.remedy();
        writeln!(
            out,
            "  {verdict} {:>7} × {}: {}{}",
            finding.count,
            finding.text,
            positions(finding),
            remedy.map_or(String::new(), |remedy| format!("; {remedy}"))
        )?;
    }
    if report.overrun_us > 0 {
        let seconds = report.overrun_us as f64 / 1e6;
        writeln!(
            out,
            "  in total, jobs ran {seconds:.1} s longer than estimated"
        )?;
    }
    for warning in &report.warnings {
        writeln!(out, "  note: {}", printable(warning))?;
    }
    Ok(())
}

/// Prints the problems in the jobs of a file.
fn diagnosis(trace: &Trace, out: &mut impl Write) -> Result<()> {
    let found = Diagnosis::of(trace);
    writeln!(out, "\njobs")?;
    for fact in &found.facts {
        let share = 100.0 * fact.jobs as f64 / found.jobs as f64;
        writeln!(out, "  {:>7} ({share:.1} %) {}", fact.jobs, fact.text)?;
    }
    for group in &found.groups {
        writeln!(out, "  {group}")?;
    }
    for flurry in &found.flurries {
        writeln!(out, "  flurry: {flurry}")?;
    }
    let histograms = [
        ("by processors", &found.sizes),
        ("by run time over estimate", &found.estimates),
    ];
    for (name, bins) in histograms {
        let bins = bins.iter().filter(|bin| bin.jobs > 0);
        let bins: Vec<String> = bins
            .map(|bin| format!("{}: {}", bin.label, bin.jobs))
            .collect();
        if !bins.is_empty() {
            writeln!(out, "  {name}  {}", bins.join(", "))?;
        }
    }
    for cure in &found.cures {
        writeln!(out, "  {}={}  {}", cure.key, cure.value, cure.text)?;
    }
    Ok(())
}

/// Writes the jobs that a scenario with these values of its keys would take.
fn clean(
    file: &LogFile,
    path: &Path,
    flurries: Flurries,
    statuses: Statuses,
    outputs: Outputs,
) -> Result<()> {
    let mut trace = file.trace.clone();
    let before = trace.rows.len();
    Arc::make_mut(&mut trace.rows).retain(|row| flurries.take(row) && statuses.take(row));
    if trace.rows.is_empty() {
        bail!("{}: cleaning leaves no job; take more of them", trace.name);
    }
    let left_out = before - trace.rows.len();
    let note = format!(
        "cleaned with flurries={} statuses={}: {left_out} of {before} jobs left out",
        flurries.name(),
        statuses.name()
    );
    trace.header.entries.push(("Note".into(), note.clone()));
    let cleaned = LogFile {
        trace,
        details: file.details.clone(),
        processors: file.processors,
    };
    convert(&cleaned, path, outputs)?;
    writeln!(io::stderr().lock(), "  {note}")?;
    Ok(())
}

/// The first lines of a finding.
fn positions(finding: &Finding) -> String {
    let positions: Vec<String> = finding
        .positions
        .iter()
        .map(|position| match position.field {
            Some(field) => format!("{} ({field})", position.line),
            None => position.line.to_string(),
        })
        .collect();
    let lines = if finding.count == 1 { "line" } else { "lines" };
    let more = if finding.count > positions.len() as u64 {
        ", …"
    } else {
        ""
    };
    format!("{lines} {}{more}", positions.join(", "))
}

/// Text of a file without control characters for the terminal.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

fn convert(file: &LogFile, path: &Path, mut outputs: Outputs) -> Result<()> {
    let trace = &file.trace;
    let text = match Format::of_name(&path.to_string_lossy()) {
        Format::Csv => csv::write(&trace.rows),
        Format::Swf => {
            let mut header = swf::header_of(trace);
            // Sizes may be nodes, while the header counts processors.
            if matches!(
                trace.machine_source,
                MachineSource::Given | MachineSource::MaxNodes
            ) {
                header.entries.retain(|(key, _)| key != "MaxProcs");
                header
                    .entries
                    .push(("MaxProcs".into(), trace.machine.to_string()));
            }
            let source = format!(
                "written by Backfill from a file with SHA-256 {}",
                trace.sha256
            );
            header.entries.push(("Note".into(), source));
            let line = |row| SwfLine::with_details(row, &file.details, file.processors);
            let lines: Vec<SwfLine> = trace.rows.iter().map(line).collect();
            swf::write(&header, &lines)
        }
    };
    outputs.add(path, text.as_bytes())?;
    outputs.finish()?;
    let mut err = io::stderr().lock();
    account(&trace.report, &mut err)?;
    for lost in left_out(file, Format::of_name(&path.to_string_lossy())) {
        writeln!(err, "  note: {lost}")?;
    }
    Ok(())
}

/// What of a file a format cannot hold, in sentences.
fn left_out(file: &LogFile, format: Format) -> Vec<String> {
    let trace = &file.trace;
    let any = |test: &dyn Fn(&LogRow) -> bool| trace.rows.iter().any(test);
    let mut sentences = Vec::new();
    if format == Format::Csv {
        let fields: [(&str, bool); 7] = [
            ("waits", any(&|row| row.wait.get().is_some())),
            ("users", any(&|row| row.user > 0)),
            ("groups", any(&|row| row.account >= 0)),
            ("queues", any(&|row| row.queue >= 0)),
            ("partitions", any(&|row| row.partition >= 0)),
            ("states", any(&|row| row.status != Status::Unknown)),
            ("preceding jobs", any(&|row| row.preceding.is_some())),
        ];
        let fields: Vec<&str> = fields
            .iter()
            .filter(|(_, any)| *any)
            .map(|(name, _)| *name)
            .collect();
        if !fields.is_empty() {
            let fields = fields.join(", ");
            sentences.push(format!("a job list has no {fields}: they were left out"));
        }
        return sentences;
    }
    if any(&|row| row.bandwidth != Kbps(0)) {
        sentences.push("a log has no bandwidths, they were left out".to_owned());
    }
    if trace.report.count(FindingKind::FurtherFields) > 0 {
        sentences.push("fields behind the 18 of the format were left out".to_owned());
    }
    if !trace.labels.user_hashes.is_empty() {
        sentences.push("users are numbers now, their names were left out".to_owned());
    }
    if file.processors == Processors::Nodes {
        sentences.push("sizes are nodes; the processors of the file were left out".to_owned());
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// An input of these bytes in a folder of its own.
    fn input(test: &str, name: &str, text: &str) -> Input {
        let folder = std::env::temp_dir().join(format!("backfill-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(name);
        fs::write(&file, text).unwrap();
        Input {
            file,
            processors: Processors::AllocThenReq,
            cancelled: Cancelled::Drop,
            machine: None,
            columns: None,
            strict: false,
        }
    }

    fn run(command: &TraceCommand) -> Result<String> {
        let mut out = Vec::new();
        trace(command, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    const LOG: &str = "; MaxProcs: 8\n\
         ; Note: a \x1b[31mred\x1b[0m word\n\
         1 0 0 60 4 -1 -1 4 50 -1 1 1 1 1 1 -1 -1 -1\n\
         2 5 0 x 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1\n\
         3 60 0 30.5 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n";

    #[test]
    fn info_shows_findings_with_line_and_field_and_nothing_that_steers_the_terminal() {
        let input = input("info", "log.swf", LOG);
        let folder = input.file.parent().unwrap().to_owned();
        let shown = run(&TraceCommand::Info { input, first: None }).unwrap();
        fs::remove_dir_all(folder).unwrap();
        for line in [
            "  REJECTED          1 of 3 lines (33.3 %): not simulated; reasons below",
            "  machine           8 processors (MaxProcs of the header)",
            "  offered load      0.7542",
            "5 lines: 2 accepted, 0 repaired, 1 rejected, 0 merged, 2 comments, 0 blank",
            "  rejected       1 × not a number: line 4 (run time)",
            "  in total, jobs ran 10.0 s longer than estimated",
            "  Note              a \u{fffd}[31mred\u{fffd}[0m word",
        ] {
            assert!(
                shown.lines().any(|shown| shown == line),
                "{line}\n\n{shown}"
            );
        }
    }

    #[test]
    fn a_log_becomes_a_job_list_and_a_log_again() {
        let input = input("convert", "log.swf", LOG);
        let list = input.file.with_file_name("list.csv");
        let log = input.file.with_file_name("again.swf");
        let output = list.clone();
        run(&TraceCommand::Convert { input, output }).unwrap();
        assert_eq!(
            fs::read_to_string(&list).unwrap(),
            "job,submit_us,size,bandwidth_kbps,runtime_us,estimate_us\n\
             1,0,4,0,60000000,50000000\n\
             3,60000000,4,0,30500000,\n"
        );
        let input = Input {
            file: list,
            processors: Processors::AllocThenReq,
            cancelled: Cancelled::Drop,
            machine: Some(8),
            columns: None,
            strict: true,
        };
        let output = log.clone();
        run(&TraceCommand::Convert { input, output }).unwrap();
        let written = fs::read_to_string(&log).unwrap();
        let jobs: Vec<&str> = written
            .lines()
            .filter(|line| !line.starts_with(';'))
            .collect();
        assert_eq!(
            jobs,
            [
                "1 0 -1 60 4 -1 -1 4 50 -1 -1 -1 -1 -1 -1 -1 -1 -1",
                "3 60 -1 30.5 4 -1 -1 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"
            ]
        );
        assert!(written.contains("; MaxProcs: 8\n"));
        fs::remove_dir_all(log.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_read_leaves_no_output() {
        let input = input("unreadable", "page.swf", "<html>");
        let output = input.file.with_file_name("out.csv");
        let folder = input.file.parent().unwrap().to_owned();
        let command = TraceCommand::Convert { input, output };
        assert!(run(&command).unwrap_err().to_string().contains("web page"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_log_that_is_converted_keeps_all_its_fields() {
        let jobs = [
            "1 0.5 77 34616 472 33000.25 2048 156 36000 4096 0 16 5 64 3 1 -1 -1",
            "2 3 -1 60 8 -1 -1 8 0 -1 1 0 -1 0 0 -1 0 0",
            "3 9 0 60 8 1e20 7 -1 90 -1 7 2 3 1 -1 2 1&2 4.5",
            "4 10 12 0 0 -1 -1 2 30 -1 5 2 3 1 -1 2 -1 -1",
        ];
        let log = format!("; MaxProcs: 512\n; Queue: 3 batch\n{}\n", jobs.join("\n"));
        for cancelled in [Cancelled::Drop, Cancelled::Leave] {
            let input = Input {
                cancelled,
                ..input("keeps", "log.swf", &log)
            };
            let output = input.file.with_file_name("again.swf");
            let command = TraceCommand::Convert {
                input,
                output: output.clone(),
            };
            run(&command).unwrap();
            let written = fs::read_to_string(&output).unwrap();
            let lines: Vec<&str> = written
                .lines()
                .filter(|line| !line.starts_with(';'))
                .collect();
            assert_eq!(
                lines,
                jobs.map(|job| job.replace("1e20", "100000000000000000000")),
                "{cancelled}"
            );
            assert!(written.contains("; Queue: 3 batch\n"));
            fs::remove_dir_all(output.parent().unwrap()).unwrap();
        }
    }

    #[test]
    fn what_a_format_cannot_hold_is_named() {
        let text = "JobID|Submit|Start|Elapsed|AllocCPUS|ReqCPUS|State|User|Partition\n\
            5|2024-05-01T00:00:00|2024-05-01T00:00:09|00:01:00|8|6|COMPLETED|ann|gpu\n";
        let input = input("names", "jobs.psv", text);
        let folder = input.file.parent().unwrap().to_owned();
        let file = input.file().unwrap();
        fs::remove_dir_all(folder).unwrap();
        assert_eq!(
            left_out(&file, Format::Swf),
            ["users are numbers now, their names were left out"]
        );
        assert_eq!(
            left_out(&file, Format::Csv),
            ["a job list has no waits, users, partitions, states: they were left out"]
        );
        let line = SwfLine::with_details(&file.trace.rows[0], &file.details, file.processors);
        let written = swf::write(&swf::header_of(&file.trace), &[line]);
        assert!(written.contains("; Partition: 1 gpu\n"), "{written}");
        assert!(
            written.ends_with("\n5 0 9 60 8 -1 -1 6 -1 -1 1 1 -1 -1 -1 1 -1 -1\n"),
            "{written}"
        );
    }
}
