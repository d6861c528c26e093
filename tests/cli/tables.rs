//! Tables of runs and jobs for other programs.

use backfill_experiment::files::report::field;
use backfill_sim::metrics::METRICS;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

use super::*;

/// Three nodes under EASY. The second job waits for the first; the third fits beside it until then;
/// the fourth never fits.
const JOBS: &str = "job,submit_us,size,bandwidth_kbps,runtime_us,estimate_us\n\
                    1,0,2,0,10000000,20000000\n\
                    2,1000000,2,0,5000000,5000000\n\
                    7,2000000,1,0,4500000,10000000\n\
                    9,3000000,4,0,1,1\n";

const RUN: &str = "run system=nodes nodes=3 workload=csv file=jobs.csv load=as-logged \
                   estimate=keep policy=easy x=none reps=1";

#[test]
fn batsims_tables_are_those_worked_by_hand() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("jobs.csv"), JOBS).unwrap();
    printed(folder, &words_of(&[RUN, "--jobs-out run.batsim.csv"]));
    assert_eq!(
        fs::read_to_string(folder.join("run.batsim.csv")).unwrap(),
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,\
         success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,\
         stretch,allocated_resources,consumed_energy,metadata\n\
         1,backfill,10,0.000000,2,20.000000,1,COMPLETED_SUCCESSFULLY,0.000000,10.000000,10.000000,\
         0.000000,10.000000,1.000000,0-1,-1,\n\
         2,backfill,5,1.000000,2,5.000000,1,COMPLETED_SUCCESSFULLY,10.000000,5.000000,15.000000,\
         9.000000,14.000000,2.800000,0-1,-1,\n\
         7,backfill,4.5,2.000000,1,10.000000,1,COMPLETED_SUCCESSFULLY,2.000000,4.500000,6.500000,\
         0.000000,4.500000,1.000000,2,-1,\n\
         9,backfill,0.000001,3.000000,4,0.000001,0,REJECTED,,,,,,,,-1,\n"
    );
    assert_eq!(
        fs::read_to_string(folder.join("run.schedule.csv")).unwrap(),
        "batsim_version,consumed_joules,makespan,max_slowdown,max_turnaround_time,max_waiting_time,\
         mean_slowdown,mean_turnaround_time,mean_waiting_time,nb_computing_machines,\
         nb_grouped_switches,nb_jobs,nb_jobs_finished,nb_jobs_killed,nb_jobs_rejected,\
         nb_jobs_success,nb_machine_switches,scheduling_time,simulation_time,success_rate,\
         time_computing,time_idle,time_sleeping,time_switching_off,time_switching_on,\
         time_unavailable\n\
         ,,15.000000,2.800000,14.000000,9.000000,1.600000,9.500000,3.000000,3,0,4,3,0,1,3,0,,,\
         0.750000,34.500000,10.500000,0.000000,0.000000,0.000000,0.000000\n"
    );
}

#[test]
fn evalys_reads_batsims_tables_of_every_system() {
    let folder = folder();
    let folder = folder.path();
    for system in ["fat-tree k=4", "nodes", "multi-cluster", "pool"] {
        let run = format!(
            "run system={system} jobs=120 load=0.9 policy=easy x=none reps=1 \
             --jobs-out run.batsim.csv"
        );
        printed(folder, &words_of(&[&run]));
        let Some(read) = python(folder, "read_batsim.py") else {
            return;
        };
        assert!(read.starts_with("120 "), "{system}: {read}");
        let counts = words_of(&[&read]);
        assert_eq!((counts[0], counts[1]), (counts[2], counts[3]), "{system}");
    }
}

#[test]
fn as_recorded_is_what_pandas_makes_of_the_log() {
    let folder = folder();
    let folder = folder.path();
    let job = |number: u64| {
        let (submit, wait, run) = (37 * number, number * number % 91, 53 * number % 300);
        let size = 1 + number % 7;
        format!("{number} {submit} {wait} {run} {size} -1 -1 {size} 900 -1 1 1 1 1 1 1 -1 -1\n")
    };
    let equal = |name: &str, jobs: usize| {
        let run = format!("run {name} policy=recorded --csv runs.csv --jobs-out list.csv");
        printed(folder, &words_of(&[&run]));
        fs::write(folder.join("log"), name).unwrap();
        if let Some(read) = python(folder, "read_recorded.py") {
            assert_eq!(read.trim(), jobs.to_string(), "{name}");
        }
    };
    fs::write(
        folder.join("log.swf"),
        (1..=400).map(job).collect::<String>(),
    )
    .unwrap();
    equal("log.swf", 400);
    let Some(traces) = std::env::var_os("BACKFILL_TRACES") else {
        return skipped("BACKFILL_TRACES is not set");
    };
    let kth = Path::new(&traces).join("KTH-SP2-1996-2.1-cln.swf.gz");
    fs::copy(kth, folder.join("kth.swf.gz")).expect("the log is there");
    equal("kth.swf.gz", 28_475);
}

/// The same lines as in the tables of CSV, value by value.
#[test]
fn parquet_holds_what_csv_does() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("jobs.csv"), JOBS).unwrap();
    let sweep = "run k=4 jobs=40 reps=2 policy=none,list(order=area,behind=reserve) x=load:0.5,0.9";
    for (run, option) in [(sweep, "--parquet runs.parquet --csv runs.csv"), (RUN, "")] {
        printed(folder, &words_of(&[run, option]));
    }
    for name in ["list.parquet", "list.csv"] {
        printed(folder, &words_of(&[RUN, "--jobs-out", name]));
    }
    for (name, lines) in [("runs", 2 * 2 * 2 * METRICS.len()), ("list", 4)] {
        let table = read_parquet(&folder.join(name).with_extension("parquet"));
        let csv = fs::read_to_string(folder.join(name).with_extension("csv")).unwrap();
        assert_eq!(table.lines().count(), 1 + lines);
        // A list of jobs has −1 where Parquet has nothing.
        assert_eq!(table, csv.replace(",-1,-1,", ",,,"), "{name}");
    }
    if let Some(read) = python(folder, "read_parquet.py") {
        assert_eq!(read.trim(), "the same");
    }
}

#[test]
fn a_log_in_parquet_is_the_table_of_csv() {
    let folder = folder();
    let folder = folder.path();
    let text = "id,arrival,start,end,cores,who\n\
                5,1709287200000,1709287205000,1709287805000,8,\"a, b\"\n\
                6,1709287210500,1709287810000,1709287820000,4,c\n\
                7,1709287220000,,,4,c\n";
    fs::write(folder.join("log.csv"), text).unwrap();
    let schema = "message jobs { required int64 id; \
                  required int64 arrival (TIMESTAMP(MILLIS,true)); \
                  optional int64 start (TIMESTAMP(MICROS,true)); \
                  optional int64 end (TIMESTAMP(MICROS,true)); \
                  required int32 cores; required binary who (STRING); }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let packed = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let file = fs::File::create(folder.join("log.parquet")).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(packed.build())).unwrap();
    let mut rows = writer.next_row_group().unwrap();
    let instants: [&[i64]; 4] = [
        &[5, 6, 7],
        &[1_709_287_200_000, 1_709_287_210_500, 1_709_287_220_000],
        &[1_709_287_205_000_000, 1_709_287_810_000_000],
        &[1_709_287_805_000_000, 1_709_287_820_000_000],
    ];
    for values in instants {
        let defined = (values.len() == 2).then_some(&[1, 1, 0][..]);
        let mut column = rows.next_column().unwrap().expect("a column");
        let typed = column.typed::<Int64Type>();
        typed.write_batch(values, defined, None).unwrap();
        column.close().unwrap();
    }
    let mut cores = rows.next_column().unwrap().expect("a column");
    cores
        .typed::<Int32Type>()
        .write_batch(&[8, 4, 4], None, None)
        .unwrap();
    cores.close().unwrap();
    let mut who = rows.next_column().unwrap().expect("a column");
    let names = ["a, b", "c", "c"].map(ByteArray::from);
    who.typed::<ByteArrayType>()
        .write_batch(&names, None, None)
        .unwrap();
    who.close().unwrap();
    rows.close().unwrap();
    writer.close().unwrap();

    let refusal = refused(folder, &["run", "log.parquet"]);
    assert!(
        refusal.contains(
            "no reader knows a table with the columns id, arrival, start, end, cores, who; say which is what, as in columns=job:id,submit:arrival,start:start,end:end,size:cores"
        ),
        "{refusal}"
    );
    let columns = "columns=job:id,submit:arrival,start:start,end:end,size:cores,user:who";
    let answers = ["log.csv", "log.parquet"].map(|name| printed(folder, &["run", name, columns]));
    assert!(answers[0].contains("digest "));
    assert_eq!(answers[0], answers[1]);
    fs::write(folder.join("cut.parquet"), b"PAR1 and no more").unwrap();
    assert!(refused(folder, &["run", "cut.parquet"]).contains("cannot read cut.parquet"));
}

/// A table as CSV.
fn read_parquet(path: &Path) -> String {
    let file = fs::File::open(path).expect("the file is there");
    let reader = SerializedFileReader::new(file).expect("it is Parquet");
    let columns = reader.metadata().file_metadata().schema_descr().columns();
    let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
    let mut text = names.join(",") + "\n";
    for row in reader.get_row_iter(None).expect("it has rows") {
        let row = row.expect("a row");
        let values = row.get_column_iter().map(|(_, value)| match value {
            Field::Null => String::new(),
            Field::Long(number) => number.to_string(),
            Field::Double(number) => number.to_string(),
            Field::Str(text) => field(text),
            other => panic!("{other}"),
        });
        text += &(values.collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

/// Every cell of its README runs, in an environment that has the package and what it needs.
#[cfg(unix)]
#[test]
fn the_python_package_gives_data_frames() {
    let variables = ["BACKFILL_PYTHON", "BACKFILL_WHEEL"].map(std::env::var_os);
    let [Some(python), Some(wheel)] = variables else {
        return skipped("BACKFILL_WHEEL is not set");
    };
    let folder = folder();
    let folder = folder.path();
    let said = |command: &mut Command| {
        let output = command.output().expect("it starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {error}");
        String::from_utf8(output.stdout).expect("it prints UTF-8")
    };
    said(
        Command::new(&python)
            .args(["-m", "venv"])
            .arg(folder.join("fresh")),
    );
    let fresh = folder.join("fresh/bin/python");
    let install = ["-m", "pip", "install", "--no-index", "--no-deps"];
    said(Command::new(&fresh).args(install).arg(wheel));
    let packages = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let packages = said(Command::new(&python).args(["-c", packages]));
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let printed = said(
        Command::new(&fresh)
            .arg(format!("{root}/tests/cli/use_package.py"))
            .arg(format!("{root}/crate/python/README.md"))
            .env("PYTHONPATH", packages.trim())
            .env("PATH", "")
            .current_dir(folder),
    );
    let same = "policy=fcfs,easy,bgmbf x=load:0.5,0.7,0.9 reps=10";
    let table = super::printed(folder, &words_of(&["run", same]));
    let end = format!("{}\n", digest(&table));
    assert!(printed.ends_with(&end), "{printed}");
}

#[test]
fn a_table_beside_another_is_not_written_over_a_file_that_is_read() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("run.schedule.csv"), JOBS).unwrap();
    let run = RUN.replace("file=jobs.csv", "file=run.schedule.csv");
    let said = refused(folder, &words_of(&[&run, "--jobs-out run.batsim.csv"]));
    let start = "backfill: cannot write run.schedule.csv: it is the same file as run.schedule.csv";
    assert!(said.starts_with(start), "{said}");
    assert_eq!(names(folder), ["run.schedule.csv"]);
}
