//! Accounting files of batch systems and tables: each form in a small file, with the jobs that it
//! says by its manual.

use backfill_experiment::files::logs::doctor::Diagnosis;
use backfill_experiment::files::logs::{Options, TraceError, TraceReader};
use backfill_experiment::language::columns::Columns;
use backfill_experiment::language::presets::PRESETS;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{cells, parts};
use backfill_sim::unit::MICROS;
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::{LogRow, Status};
use backfill_sim::workload::{Cancelled, Format, Processors, Trace};
use backfill_tests::logs::{balance, warns};

fn read_as(options: Options, text: &str) -> Result<Trace, TraceError> {
    let mut reader = TraceReader::new(Format::of_name(&options.name), options);
    reader.push(text.as_bytes())?;
    reader.finish()
}

fn read(name: &str, text: &str) -> Trace {
    read_as(Options::named(name), text).unwrap()
}

/// Of each job its number, submit, wait, run time and estimate in seconds, and size; −1 where no
/// wait is known.
fn jobs(trace: &Trace) -> Vec<(u64, u64, i64, u64, u64, u32)> {
    let job = |row: &LogRow| {
        let seconds = |micros: u64| micros / MICROS;
        let wait = row.wait.get().map_or(-1, |wait| seconds(wait.0) as i64);
        let [submit, run, estimate] = [row.submit.0, row.runtime.0, row.estimate.0].map(seconds);
        (row.number, submit, wait, run, estimate, row.size)
    };
    trace.rows.iter().map(job).collect()
}

fn nodes(name: &str) -> Options {
    Options {
        processors: Processors::Nodes,
        ..Options::named(name)
    }
}

#[test]
fn the_accounting_of_pbs_and_torque_is_read() {
    let text = "10/02/2011 05:00:00;Q;31.srv;queue=batch\n\
        10/02/2011 05:00:10;S;31.srv;user=ann\n\
        10/02/2011 06:00:10;E;31.srv;user=ann group=g account=\"phys\" jobname=x queue=batch ctime=1000000000 qtime=1000000001 etime=1000000001 start=1000000010 exec_host=n1/0+n1/1+n2/0+n2/1 Resource_List.nodes=2:ppn=2 Resource_List.walltime=02:00:00 end=1000003610 Exit_status=0\n\
        10/02/2011 06:10:00;E;32[4].srv;user=bob queue=long ctime=1000000100 start=1000000160 exec_host=n3/0*8 Resource_List.ncpus=8 Resource_List.walltime=3600 end=1000000220 Exit_status=-11\n\
        10/02/2011 06:10:01;E;32[].srv;user=bob queue=long ctime=1000000100 end=1000000220\n\
        10/02/2011 06:11:00;D;33.srv;requestor=bob@h\n\
        10/02/2011 06:12:00;L;license;floating license hour:3\n";
    let trace = read("20111002", text);
    assert_eq!(
        jobs(&trace),
        [
            (31, 0, 10, 3600, 7200, 4),
            (320_000_004, 100, 60, 60, 3600, 8)
        ]
    );
    assert_eq!(balance(&trace), [2, 1, 3, 1, 0]);
    assert_eq!(trace.report.count(FindingKind::NotEnded), 1);
    assert_eq!(
        [trace.rows[0].status, trace.rows[1].status],
        [Status::Completed, Status::Failed]
    );
    assert_eq!(trace.labels.queues[&trace.rows[1].queue], "long");
    assert_eq!(trace.labels.accounts[&trace.rows[0].account], "phys");
    assert_eq!(trace.header.count("UnixStartTime"), Some(1_000_000_000));
    let sizes: Vec<u32> = read_as(nodes("log"), text)
        .unwrap()
        .rows
        .iter()
        .map(|row| row.size)
        .collect();
    assert_eq!(sizes, [2, 1]);
}

/// A line of Grid Engine: job, task, submit, start, end, slots, category, slave task.
pub(crate) fn sge(
    job: u32,
    task: u32,
    times: [u64; 3],
    slots: u32,
    category: &str,
    slave: &str,
) -> String {
    let [submit, start, end] = times;
    let usage = ["0"; 17].join(":");
    let failed = if start == 0 { 8 } else { 0 };
    format!(
        "all.q:host:users:ann:name:{job}:sge:0:{submit}:{start}:{end}:{failed}:0:60:{usage}:NONE:defaultdepartment:mpi:{slots}:{task}:1.5:0:0:{category}:0:{slave}:1000:0:0\n"
    )
}

#[test]
fn the_accounting_of_grid_engine_is_read() {
    let text = [
        "# Version: 8.1.9\n".to_owned(),
        sge(
            7,
            0,
            [1_300_000_000, 1_300_000_030, 1_300_000_090],
            16,
            "-l h_rt=120 -pe mpi 16",
            "NONE",
        ),
        sge(
            7,
            0,
            [1_300_000_000, 1_300_000_030, 1_300_000_090],
            16,
            "-pe mpi 16",
            "1.host",
        ),
        sge(
            8,
            3,
            [1_300_000_005_000, 1_300_000_007_500, 1_300_000_008_000],
            1,
            "NONE",
            "NONE",
        ),
        sge(9, 0, [1_300_000_010, 0, 0], 1, "NONE", "NONE"),
        "too:short\n".to_owned(),
    ]
    .concat();
    let trace = read("accounting", &text);
    assert_eq!(
        jobs(&trace),
        [(7, 0, 30, 60, 120, 16), (80_000_003, 5, 2, 0, 0, 1)]
    );
    assert_eq!(trace.rows[1].runtime.0, 500_000);
    assert_eq!(balance(&trace), [2, 2, 1, 1, 0]);
    assert_eq!(trace.report.count(FindingKind::NoRunTime), 1);
    assert_eq!(trace.labels.queues[&trace.rows[0].queue], "all.q");
}

/// A record of LSF: event time, job, asked processors, submit, start, hosts, status, element,
/// estimated run time.
pub(crate) fn lsf(
    end: u64,
    job: u32,
    asked: u32,
    times: [u64; 2],
    hosts: &str,
    rest: [u64; 3],
) -> String {
    let [submit, start] = times;
    let [status, element, estimate] = rest;
    let usage = ["-1"; 19].join(" ");
    format!(
        "\"JOB_FINISH\" \"10.1\" {end} {job} 501 33 {asked} {submit} 0 0 {start} \"ann\" \"normal\" \"a \"\"b\"\"\" \"\" \"\" \"h\" \"/d\" \"\" \"o\" \"\" \"j\" 0 {hosts} {status} 60.0 \"name\" \"run it\" {usage} \"\" \"proj\" 0 {asked} \"\" \"\" {element} 0 0 \"\" \"\" \"\" \"\" 0 \"\" 0 \"\" 0 \"\" \"\" \"app\" \"\" {estimate}\n"
    )
}

#[test]
fn the_accounting_of_lsf_is_read() {
    let text = [
        lsf(
            1_200_000_100,
            5,
            4,
            [1_200_000_000, 1_200_000_040],
            "4 \"a\" \"a\" \"b\" \"b\"",
            [64, 0, 90],
        ),
        lsf(
            1_200_000_200,
            6,
            8,
            [1_200_000_010, 1_200_000_110],
            "1 \"8*c\"",
            [32, 2, 0],
        ),
        lsf(1_200_000_210, 7, 8, [1_200_000_010, 0], "0", [32, 0, 300]),
        "\"EVENT_ADRSV_FINISH\" \"10.1\" 1200000220\n".to_owned(),
        "\"JOB_FINISH\" \"10.1\" 1200000230 9\n".to_owned(),
    ]
    .concat();
    let trace = read("lsb.acct", &text);
    assert_eq!(
        jobs(&trace),
        [(5, 0, 40, 60, 90, 4), (60_000_002, 10, 100, 90, 0, 8)]
    );
    assert_eq!(balance(&trace), [2, 2, 0, 1, 0]);
    assert_eq!(trace.rows[1].status, Status::Failed);
    assert_eq!(trace.labels.accounts[&trace.rows[0].account], "proj");
    let options = Options {
        cancelled: Cancelled::Leave,
        ..Options::named("lsb.acct")
    };
    let left = read_as(options, &text).unwrap();
    let waited = left.rows[2].leaves_after.as_deref();
    assert_eq!(waited.map(|span| span.0 / MICROS), Some(200));
    assert_eq!(read_as(nodes("lsb.acct"), &text).unwrap().rows[0].size, 2);
}

#[test]
fn the_completion_log_of_slurm_is_read() {
    let text = "JobId=41 UserId=ann(1000) GroupId=users(100) Name=a b JobState=COMPLETED Partition=gpu TimeLimit=120 StartTime=2024-05-07T10:01:00 EndTime=2024-05-07T10:31:00 NodeList=n[1-2] NodeCnt=2 ProcCnt=64 WorkDir=/home/ann Account=phys QOS=normal SubmitTime=2024-05-07T10:00:00 EligibleTime=2024-05-07T10:00:00 ExitCode=0:0 \n\
        JobId=42 UserId=bob(1001) GroupId=users(100) Name=n JobState=CANCELLED Partition=cpu TimeLimit=UNLIMITED StartTime=2024-05-07T10:05:00 EndTime=2024-05-07T10:05:00 NodeList=(null) NodeCnt=1 ProcCnt=1 SubmitTime=2024-05-07T10:00:30 ExitCode=0:0 \n\
        JobId=x JobState=COMPLETED\n";
    let trace = read("jobcomp.log", text);
    assert_eq!(jobs(&trace), [(41, 0, 60, 1800, 7200, 64)]);
    assert_eq!(balance(&trace), [1, 2, 0, 0, 0]);
    assert_eq!(trace.report.count(FindingKind::NeverStarted), 1);
    assert_eq!(trace.labels.partitions[&trace.rows[0].partition], "gpu");
    assert!(warns(&trace, "times without a zone"));
}

#[test]
fn the_json_of_slurm_is_read() {
    let job = |id: u32, state: &str, rest: &str| {
        format!(
            r#"{{"job_id":{id},"array":{{"job_id":0,"task_id":{{"set":false}}}},"user":"ann","partition":"gpu","state":{{"current":["{state}"],"reason":"None"}},"steps":[{{"state":"FAILED"}}],{rest}}}"#
        )
    };
    let text = format!(
        "{{\n \"meta\": {{}},\n \"jobs\": [\n{},\n{},\n{},\n{}\n], \"errors\": [] }}\n",
        job(
            101,
            "COMPLETED",
            r#""time":{"submission":1709287200,"start":1709287205,"end":1709287805,"elapsed":600,"limit":{"set":true,"infinite":false,"number":60}},"required":{"CPUs":8},"tres":{"allocated":[{"type":"cpu","count":16},{"type":"node","count":2}]}"#
        ),
        job(
            102,
            "CANCELLED",
            r#""time":{"submission":1709287210,"start":0,"end":1709287230,"elapsed":0,"limit":{"set":true,"number":10}},"required":{"CPUs":4}"#
        ),
        job(
            103,
            "RUNNING",
            r#""time":{"submission":1709287210,"start":1709287220,"end":0}"#
        ),
        r#"{"job_id":"odd"}"#,
    );
    let trace = read("jobs.json", &text);
    assert_eq!(jobs(&trace), [(101, 0, 5, 600, 3600, 16)]);
    assert_eq!(balance(&trace), [1, 3, 0, 0, 0]);
    assert_eq!(trace.report.count(FindingKind::NeverStarted), 1);
    assert_eq!(read_as(nodes("jobs.json"), &text).unwrap().rows[0].size, 2);
    let cut = read("jobs.json", &text[..text.len() - 30]);
    assert_eq!(balance(&cut), [1, 3, 0, 0, 0]);
}

#[test]
fn a_table_is_read_by_the_columns_that_are_named() {
    let text = "begin;took;cores;nodes;who;how\n\
        2024-05-01T00:00:00Z;1-00:00:10;2;4;ann;done\n\
        2024-05-01 00:01:00.5+00:00;60;1;1;bob;Cancelled\n\
        2024-05-01T00:02:00Z;60;1.5;1;bob;done\n\
        2024-05-01T00:02:00Z;60;1;1;bob;running\n";
    let options = Options {
        columns: Some(
            Columns::parse("submit:begin,run:took,size:cores*nodes,user:who,state:how").unwrap(),
        ),
        ..Options::named("jobs.csv")
    };
    let trace = read_as(options, text).unwrap();
    assert_eq!(
        jobs(&trace),
        [(2, 0, -1, 86_410, 0, 8), (3, 60, -1, 60, 0, 1)]
    );
    assert_eq!(trace.rows[1].submit.0, 60_500_000);
    assert_eq!(trace.rows[1].status, Status::Cancelled);
    assert_eq!(balance(&trace), [2, 2, 0, 1, 0]);
    assert!(warns(
        &trace,
        "submit from begin (ISO 8601); run from took (D-HH:MM:SS, seconds)"
    ));
    assert!(warns(&trace, "2 jobs have no number"));
    let unknown = Options {
        columns: Some(Columns::parse("submit:start,run:took,size:cores").unwrap()),
        ..Options::named("jobs.csv")
    };
    assert_eq!(
        read_as(unknown, text).unwrap_err().to_string(),
        "jobs.csv: the heading in line 1 has no column start; it has begin, took, cores, nodes, who, how: say with columns= which is what."
    );
}

#[test]
fn known_tables_are_read_by_their_headings() {
    let helios = "job_id,user,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue,vc\n\
        71,u1,16,64,2,FAILED,2020-06-01 00:00:10,2020-06-01 00:00:40,2020-06-01 00:10:40,600,30,vcA\n\
        72,u2,0,4,1,COMPLETED,2020-06-01 00:01:00,2020-06-01 00:01:07,2020-06-01 00:03:07,120,7,vcA\n";
    let trace = read("cluster_log.csv", helios);
    assert_eq!(jobs(&trace), [(71, 0, 30, 600, 0, 16)]);
    assert_eq!(trace.report.count(FindingKind::NoProcessors), 1);
    assert_eq!(trace.labels.queues[&trace.rows[0].queue], "vcA");
    let batsim = "job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,starting_time,execution_time,finish_time\n\
        4,w,0.5,3,100,1,2.25,10.5,12.75\n";
    let trace = read("out_jobs.csv", batsim);
    assert_eq!(jobs(&trace), [(4, 0, 1, 10, 100, 3)]);
    assert_eq!(trace.rows[0].wait.get().map(|wait| wait.0), Some(1_750_000));
    assert_eq!(trace.rows[0].status, Status::Completed);
    let supercloud = "id_job,cpus_req,nodes_alloc,time_submit,time_start,time_end,timelimit,id_user,partition,state\n\
        9,40,1,1600000000,1600000100,1600000400,10,5,p,3\n\
        10,40,1,1600000000,1600000100,1600000400,10,5,p,6\n\
        11,40,1,1600000000,1600000100,1600000400,10,5,p,1\n";
    let trace = read("scheduler_data.csv", supercloud);
    assert_eq!(
        jobs(&trace),
        [(9, 0, 100, 300, 600, 40), (10, 0, 100, 300, 600, 40)]
    );
    assert_eq!(
        [trace.rows[0].status, trace.rows[1].status],
        [Status::Completed, Status::Failed]
    );
    for preset in PRESETS {
        assert!(Columns::parse(preset.columns).is_ok(), "{}", preset.name);
    }
}

#[test]
fn the_fields_of_swf_may_be_columns_below_a_heading() {
    let names = "id submit wait runtime cpus cputime mem cpusreq walltime memreq status user group application queue partition precjob thinktime name";
    for separator in [",", "\t", ";", " "] {
        let lines = [
            names,
            "1 0 5 60 4 -1 -1 4 90 -1 1 7 2 1 3 1 -1 -1 a",
            "2 9 0 30 2 -1 -1 2 90 -1 1 7 2 1 3 1 1&3 4 b",
        ];
        let text = lines.map(|line| line.replace(' ', separator)).join("\n");
        for name in ["jobs.csv", "jobs.swf"] {
            let trace = read(name, &text);
            assert_eq!(jobs(&trace), [(1, 0, 5, 60, 90, 4), (2, 9, 0, 30, 90, 2)]);
            assert_eq!(
                trace.rows[1].preceding.as_ref().unwrap().numbers[..],
                [1, 3]
            );
            assert_eq!(trace.rows[1].queue, 3);
            assert_eq!(balance(&trace), [2, 0, 0, 1, 0]);
        }
    }
}

#[test]
fn slurm_without_a_heading_takes_the_columns_that_are_named() {
    let options = Options {
        columns: Some(Columns::parse("JobID,Submit,Elapsed,AllocCPUS,State").unwrap()),
        ..Options::named("jobs.psv")
    };
    let text = "5|2024-05-01T00:00:00|00:00:09|12|COMPLETED\n";
    let trace = read_as(options.clone(), text).unwrap();
    assert_eq!(jobs(&trace), [(5, 0, -1, 9, 0, 12)]);
    assert_eq!(balance(&trace), [1, 0, 0, 0, 0]);
    let with = format!(
        "JobID|Submit|AllocCPUS|Elapsed|State\n{}",
        text.replace("00:00:09|12", "12|00:00:09")
    );
    assert_eq!(
        jobs(&read_as(options, &with).unwrap()),
        [(5, 0, -1, 9, 0, 12)]
    );
}

#[test]
fn jobs_are_selected_by_queue_partition_user_and_account() {
    let text = "JobID|Submit|Elapsed|AllocCPUS|State|User|Account|Partition\n\
        1|2024-05-01T00:00:00|00:01:00|1|COMPLETED|ann|phys|gpu\n\
        2|2024-05-01T00:00:01|00:01:00|1|COMPLETED|bob|chem|gpu\n\
        3|2024-05-01T00:00:02|00:01:00|1|COMPLETED|ann|phys|cpu\n";
    let trace = read("jobs.psv", text);
    let taken = |pairs: &[(&str, &str)]| -> Vec<u64> {
        let usual = [("workload", "swf"), ("load", "as-logged"), ("x", "none")];
        let scenario = Scenario::parse([&usual, pairs].concat()).expect("a valid scenario");
        let (_, jobs) = parts(&scenario, cells(&scenario)[0], Some(&trace)).expect("jobs");
        jobs.iter().map(|job| job.number).collect()
    };
    assert_eq!(taken(&[]), [1, 2, 3]);
    assert_eq!(taken(&[("user", "ann")]), [1, 3]);
    assert_eq!(taken(&[("user", "!ann")]), [2]);
    assert_eq!(taken(&[("partition", "gpu"), ("account", "!chem")]), [1]);
    let groups = Diagnosis::of(&trace).groups;
    assert_eq!(
        groups,
        [
            "2 partitions; the largest, gpu, has 66.7 % of the jobs",
            "2 users; the largest, 1, has 66.7 % of the jobs",
            "2 accounts or groups; the largest, phys, has 66.7 % of the jobs",
        ]
    );
}
