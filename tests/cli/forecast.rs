//! Forecasts as the command line prints them.

use super::*;

/// A log of nine weeks on four nodes: each hour a job of two nodes that runs half of its limit.
fn log() -> String {
    let mut log = "; MaxProcs: 4\n; UnixStartTime: 857347200\n".to_owned();
    for hour in 0..9 * 7 * 24 {
        let (number, submit) = (hour + 1, hour * 3600);
        log += &format!("{number} {submit} 0 5400 2 -1 -1 2 10800 -1 1 1 1 1 1 1 -1 -1\n");
    }
    log
}

#[test]
fn a_forecast_is_printed_in_sentences_and_as_data() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("log.swf"), log()).unwrap();
    let question =
        "forecast log.swf nodes=4 --at 1997-04-14T00:30:00 --size 4 --limit 2 futures=20";
    let said = printed(folder, &words_of(&[question]));
    assert!(
        said.starts_with(
            "A job of 4 nodes with a limit of 2 h 00 min, submitted at 1997-04-14 00:30:00 \
             (3630600 s) under easy on 4 nodes,\nbeside 1 running and 0 waiting jobs; 20 futures, arrivals \
             from 6 weeks of history.\n"
        ),
        "{said}"
    );
    // The job that runs has run for half an hour; all before it ran for half of their limits.
    assert!(
        said.contains("P50           1 h 00 min  1997-04-14 01:30:00\n"),
        "{said}"
    );
    assert!(
        said.contains("optimist      2 h 30 min  1997-04-14 03:00:00"),
        "{said}"
    );
    assert!(
        said.contains(
            "In 100 % of the futures in which it still waits just before P50, it is first in the queue \
             and too few nodes are free."
        ),
        "{said}"
    );
    let json = printed(folder, &words_of(&[question, "--json --map --workers 1"]));
    let data: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(data["schema"], "backfill-forecast-1");
    assert_eq!(data["p90"]["wait_s"], 3600.0);
    assert_eq!(data["map"]["sizes"], serde_json::json!([1, 2, 4]));
    assert_eq!(data["map"]["p50_wait_s"][2][3], 3600.0);
    assert_eq!(data["map"]["p50_wait_s"][0][0], 0.0);
    assert_eq!(
        json,
        printed(folder, &words_of(&[question, "--json --map --workers 3"]))
    );
    let table = printed(
        folder,
        &words_of(&["forecast log.swf nodes=4 --calibrate 20 futures=9"]),
    );
    assert!(table.contains("20 of 20 instants"), "{table}");
    assert!(table.contains("\nall                      20"), "{table}");
}

#[test]
fn a_figure_of_forecasts_has_the_numbers_of_its_command() {
    let folder = folder();
    let folder = folder.path();
    printed(folder, &words_of(&["figure r3-lublin --quick"]));
    let figure = fs::read_to_string(folder.join("r3-lublin.csv")).unwrap();
    let keys = "system=nodes x=none reps=1 workload=lublin jobs=20000 load=0.8";
    let command = format!("forecast {keys} --calibrate 100 futures=50 --json");
    let groups = printed(folder, &words_of(&[&command]));
    let groups: serde_json::Value = serde_json::from_str(&groups).expect("JSON");
    for group in groups.as_array().expect("a list") {
        let name = group["name"].as_str().expect("a name");
        for (metric, field) in [
            ("cases,", "cases"),
            ("p50_error,s", "median_error_s"),
            ("optimist_error,s", "optimist_error_s"),
        ] {
            let number = group[field].as_f64().expect("a number");
            let line = format!("r3-lublin,,,{name},,{metric},");
            let found = figure
                .split(&line)
                .nth(1)
                .and_then(|rest| rest.split(',').next());
            let found: f64 = found.and_then(|text| text.parse().ok()).expect(&line);
            assert!((found - number).abs() < 1e-6, "{line}{found} and {number}");
        }
    }
}

#[test]
fn the_queue_of_a_cluster_has_a_forecast() {
    let folder = folder();
    let folder = folder.path();
    let queue = "7 ann cpu 2 8 2:00:00 1:00:00 R 2024-01-02T10:30:00 2024-01-02T11:00:00\n";
    fs::write(folder.join("queue.txt"), queue).unwrap();
    fs::write(
        folder.join("sinfo.txt"),
        "PARTITION NODES STATE\ncpu 4 mix\n",
    )
    .unwrap();
    let question = "forecast --squeue queue.txt --size 3 --limit 4:00:00";
    let said = printed(folder, &words_of(&[question, "--sinfo sinfo.txt"]));
    assert!(
        said.contains("no history: every job runs for its limit, and none arrives"),
        "{said}"
    );
    assert!(
        said.contains("P90           1 h 00 min  2024-01-02 13:00:00\n"),
        "{said}"
    );
    assert_eq!(said, printed(folder, &words_of(&[question, "nodes=4"])));
    let said = refused(folder, &words_of(&[question]));
    assert!(said.contains("add nodes=N or --sinfo FILE"), "{said}");
    let said = refused(folder, &words_of(&[question, "nodes=1"]));
    assert!(
        said.contains("the running jobs hold 2, and the system has 1"),
        "{said}"
    );
    fs::write(folder.join("queue.txt"), queue.replace("R 2024", "S 2024")).unwrap();
    let said = refused(folder, &words_of(&[question, "nodes=4"]));
    assert!(said.contains("queue.txt, line 1: S is no state"), "{said}");
}

#[test]
fn what_cannot_be_forecast_is_refused_in_one_sentence() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("log.swf"), log()).unwrap();
    for (rest, said) in [
        (
            "nodes=4 --at 1997-03-04 --size 1 --limit 1",
            "the log begins 0 full weeks before it",
        ),
        (
            "nodes=4 --at 5439600.5 --size 1 --limit 1",
            "the last job was submitted at 5439600 s, and nothing is known after it",
        ),
        (
            "nodes=4 --at noon --size 1 --limit 1",
            "--at noon: it must be seconds, or a date",
        ),
        (
            "nodes=4 --at 4000000 --size 5 --limit 1",
            "--size 5: the system has 4 nodes",
        ),
        (
            "nodes=4 policy=none --at 4000000 --size 1 --limit 1",
            "policy = none: no job waits; choose a policy with a queue",
        ),
        (
            "nodes=4 policy=easy,fcfs --at 4000000 --size 1 --limit 1",
            "give one policy",
        ),
    ] {
        let question = format!("forecast log.swf {rest}");
        let why = refused(folder, &words_of(&[&question]));
        assert!(why.contains(said), "{why}");
    }
    let output = backfill(
        folder,
        &words_of(&["forecast log.swf --at 1 --size 1 --limit 0"]),
    );
    assert_eq!(output.status.code(), Some(2));
}
