//! The command line as other programs see it: exit codes, what goes to which stream, and files.

mod forecast;
mod hyperqueue;
mod parts;
#[cfg(unix)]
mod slurm;
mod tables;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Runs `backfill` in a folder.
fn backfill(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_backfill"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

/// What it prints; it must succeed.
#[track_caller]
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = backfill(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

/// The one line that it says when it cannot run.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = backfill(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments:?}");
    let said = String::from_utf8(output.stderr).expect("it says UTF-8");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

/// Runs `backfill` in a folder by a shell that sets it a limit.
#[cfg(unix)]
fn limited(folder: &Path, limit: &str, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_backfill");
    Command::new("sh")
        .args(["-c", &format!("{limit}; exec {program} {arguments}")])
        .current_dir(folder)
        .output()
        .expect("a shell")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

/// Says that a test cannot run here, and why.
#[expect(
    clippy::print_stdout,
    reason = "the tally of all tests counts these lines"
)]
fn skipped(why: &str) {
    println!("skipped: {why}");
}

/// What a script prints in a Python that has pandas and pyarrow; nothing where there is none.
#[track_caller]
fn python(folder: &Path, script: &str) -> Option<String> {
    let Some(python) = std::env::var_os("BACKFILL_PYTHON") else {
        skipped("BACKFILL_PYTHON is not set");
        return None;
    };
    let script = format!("{}/../../tests/cli/{script}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(python)
        .arg(script)
        .current_dir(folder)
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    Some(String::from_utf8(output.stdout).expect("it prints UTF-8"))
}

/// The words of several lines.
fn words_of<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let words = lines.iter().flat_map(|line| line.split_whitespace());
    words.collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        let name = entry.expect("an entry").file_name();
        name.into_string().expect("a name in UTF-8")
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

fn digest(printed: &str) -> &str {
    let mut lines = printed.lines();
    lines
        .find_map(|line| line.strip_prefix("digest "))
        .expect("a digest is printed")
}

#[test]
fn keys_prints_every_key_with_its_default() {
    let folder = folder();
    let keys = printed(folder.path(), &["keys"]);
    for default in include_str!("../golden/defaults-v1.txt").lines() {
        let (key, value) = default.split_once(" = ").expect("key = default");
        let value = if value.is_empty() { "nothing" } else { value };
        let line = format!("  {key} = {value}");
        assert!(keys.lines().any(|printed| printed == line), "{line}");
    }
}

#[test]
fn a_scenario_goes_into_a_link_and_comes_back() {
    let folder = folder();
    let folder = folder.path();
    fs::write(
        folder.join("s.toml"),
        "k = 8\npolicy = [\"easy\", \"bgmbf\"]\n",
    )
    .unwrap();
    let link = printed(folder, &["link", "s.toml", "reps=3"]);
    let toml = "k = 8\npolicy = \"easy+adaba,bgmbf+adaba\"\nreps = 3\n";
    assert_eq!(printed(folder, &["open", link.trim_end()]), toml);
    let address = format!("https://example.org/play/{}", link.trim_end());
    assert_eq!(printed(folder, &["open", &address]), toml);
    // The short form of `#v1?k=8&reps=3&sum=…`, as the page makes it.
    let short = "#z1?Uy4ztM-2tVArSi0otjVWKy7NtU0xSk5LMk9OBgA";
    assert_eq!(printed(folder, &["open", short]), "k = 8\nreps = 3\n");
    let broken = "backfill: this short link was altered or cut on its way, and cannot be unpacked: \
                  copy the whole address again\n";
    let bomb = "#z1?7cExAQAAAMKg2otvDQ-gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgFsD";
    for damaged in [
        "#z1?",
        "#z1?!",
        "#z1?AAAA",
        &short[..short.len() - 1],
        &short[..short.len() / 2],
        &format!("{short}AAAA"),
    ] {
        assert_eq!(refused(folder, &["open", damaged]), broken, "{damaged}");
    }
    assert_eq!(
        refused(folder, &["open", bomb]),
        "backfill: this short link holds more than 100000 characters, which no link to a scenario has\n"
    );
    // What it holds is checked as a plain link is.
    assert_eq!(
        refused(
            folder,
            &[
                "open",
                "#z1?U64ytA-tNKkq8dU1KglzLArONMgvyQoL96409ysJNagIzjb18c229HdKdwQA"
            ]
        ),
        "backfill: this is no link to a scenario: one begins with #v1?; copy the whole address again\n"
    );
    assert_eq!(
        refused(folder, &["open", &link[..link.len() - 2]]),
        "backfill: the end of this link is missing: copy the whole address again\n"
    );
    assert_eq!(
        refused(folder, &["open", "https://example.org/play/#"]),
        "backfill: there is no scenario in this address: nothing follows its #\n"
    );
}

/// What a plain link cannot hold goes into a short one, and what even that cannot, into a file.
#[test]
fn a_long_scenario_has_a_short_link() {
    let folder = folder();
    let folder = folder.path();
    let swept = |many: u32, step: u32| {
        let counts = (1..=many).map(|place| (1000 + place * step % 90_000).to_string());
        format!("x=jobs:{}", counts.collect::<Vec<_>>().join(","))
    };
    let (long, longest) = (swept(600, 1), swept(900, 31_993));
    let output = backfill(folder, &["link", &long]);
    let said = String::from_utf8(output.stderr).expect("it says UTF-8");
    assert!(
        said.starts_with("the plain link has ") && said.lines().count() == 1,
        "{said}"
    );
    let link = String::from_utf8(output.stdout).expect("it prints UTF-8");
    assert!(link.starts_with("#z1?") && link.len() < 2000, "{link}");
    let opened = printed(folder, &["open", link.trim_end()]);
    assert_eq!(opened, format!("x = \"{}\"\n", &long[2..]));
    let refused = refused(folder, &["link", &longest]);
    assert!(
        refused.ends_with("save the scenario as a file instead\n"),
        "{refused}"
    );
}

#[test]
fn a_topology_file_is_the_tree_of_a_run() {
    let folder = folder();
    let folder = folder.path();
    let islands = "SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[4-8]\nSwitchName=c Nodes=z1\n\
                   SwitchName=r Switches=a,b\n";
    fs::write(folder.join("topology.conf"), islands).expect("a file");
    let run = |tree: &[&str]| {
        let keys = [
            "jobs=20",
            "reps=1",
            "x=none",
            "policy=easy+slurm-tree",
            "size=uniform:1:5",
        ];
        let arguments = [&["run"], tree, &keys[..], &["bandwidth=none"]].concat();
        printed(folder, &arguments)
    };
    fs::write(folder.join("plain.toml"), "").expect("a file");
    let by_file = run(&["plain.toml", "--topology", "topology.conf"]);
    let by_keys = run(&["system=tree", "tree=(3,5),1"]);
    assert_eq!(digest(&by_file), digest(&by_keys));

    // Beside a log, and alone, it asks what placement by topology gains, as far as no key says otherwise.
    let jobs: String = (1..40)
        .map(|job| {
            format!(
                "{job} {job}0 0 90 {} -1 -1 -1 99 -1 1 1 1 1 1 -1 -1 -1\n",
                job % 6 + 1
            )
        })
        .collect();
    fs::write(folder.join("log.swf"), jobs).expect("a file");
    let on = |more: &[&str]| {
        let asked = ["run", "log.swf", "--topology", "topology.conf"];
        printed(folder, &[&asked[..], more].concat())
    };
    let first = on(&[]);
    assert!(first.contains("No input is random"), "{first}");
    let generated = printed(
        folder,
        &["run", "--topology", "topology.conf", "jobs=20", "reps=1"],
    );
    for policy in ["easy+slurm-tree", "easy+slurm-linear"] {
        assert!(first.contains(policy), "{first}");
        assert!(generated.contains(policy), "{generated}");
    }
    let alone = on(&["policy=fcfs+adaba"]);
    assert!(
        alone.contains("fcfs+adaba") && !alone.contains("easy"),
        "{alone}"
    );

    fs::write(folder.join("wrong.conf"), "SwitchName=r Switches=a\n").expect("a file");
    let why = refused(folder, &["run", "--topology", "wrong.conf"]);
    assert!(
        why.contains("wrong.conf, line 1, column 23: switch r lists a"),
        "{why}"
    );
}

#[test]
fn a_run_that_fails_says_why_in_one_line() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("s.toml"), "k = 7\nslots = 0\n").unwrap();
    fs::write(folder.join("bytes.toml"), [0xff, 0xfe]).unwrap();
    fs::write(folder.join("page.swf"), "<html></html>\n").unwrap();
    for (arguments, line) in [
        (
            &["run", "s.toml", "load=0"][..],
            "s.toml, line 1: k = 7: must be an even whole number from 2 to 64; \
             s.toml, line 2: slots = 0: must be a whole number from 1 to 1024; \
             load = 0: must be as-logged or a number from 0.001 to 1000 \
             with at most 6 digits after the point",
        ),
        (
            &["run", "bytes.toml"],
            "bytes.toml is no scenario: a scenario is a text of key = value lines",
        ),
        (
            &["run", "workload=swf"],
            "workload = swf: names no file: add file=NAME",
        ),
        (
            &["run", "interarrival=constant:0"],
            "load = 0.3: all jobs are submitted at the same time, so no load can be reached; \
             use as-logged",
        ),
        (
            &["run", "--jobs-out", "jobs.csv"],
            "--jobs-out is for a single run and this scenario has 160: \
             give one policy, x=none and reps=1",
        ),
        (
            &["run", "--json", "missing/all.json"],
            "cannot write missing/all.json: there is no folder missing",
        ),
    ] {
        assert_eq!(refused(folder, arguments), format!("backfill: {line}\n"));
    }
    assert!(refused(folder, &["run", "none.toml"]).starts_with("backfill: cannot read none.toml"));
    let page = refused(folder, &["run", "workload=swf", "file=page.swf"]);
    assert!(page.starts_with("backfill: page.swf: "), "{page}");
    assert_eq!(names(folder), ["bytes.toml", "page.swf", "s.toml"]);
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    let folder = folder();
    for arguments in [
        &[][..],
        &["simulate"],
        &["run", "--frobnicate"],
        &["run", "--workers", "0"],
        &["run", "--jobs-out", "jobs.txt"],
        &["open"],
    ] {
        let output = backfill(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

const SMALL: [&str; 4] = ["jobs=60", "reps=3", "k=4", "x=load:0.5,0.9"];

#[test]
fn the_result_does_not_depend_on_the_number_of_workers() {
    let folder = folder();
    let folder = folder.path();
    let run = |workers: &str, csv: &str| {
        let options = ["run", "--workers", workers, "--csv", csv];
        printed(folder, &[&options[..], &SMALL[..]].concat())
    };
    let (one, four) = (run("1", "one.csv"), run("4", "four.csv"));
    assert_eq!(one, four);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("one.csv"), read("four.csv"));
    let other = printed(folder, &[&["run", "seed=1"], &SMALL[..]].concat());
    assert_ne!(digest(&one), digest(&other));
}

#[test]
fn every_result_file_is_written() {
    let folder = folder();
    let folder = folder.path();
    let options = [
        "run", "--csv", "a.csv", "--json", "a.json", "--svg", "charts", "--time",
    ];
    let sweep = [
        "policy=easy,sbf(blocked=skip)",
        "y=fabric:aggregated,single-root",
    ];
    let output = backfill(folder, &[&options[..], &SMALL, &sweep].concat());
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("simulated 1440 jobs in "), "{said}");
    let (time, tries) = said.split_once('\n').expect("two lines");
    assert!(time.ends_with(" jobs/s)"), "{said}");
    assert!(tries.starts_with("placements: "), "{said}");
    assert!(tries.ends_with(" failures without a proof\n"), "{said}");
    let table = String::from_utf8(output.stdout).unwrap();

    assert_eq!(names(folder), ["a.csv", "a.json", "charts"]);
    assert_eq!(
        names(&folder.join("charts")),
        [
            "accept_rate-fabric-aggregated.svg",
            "accept_rate-fabric-single-root.svg",
            "bsd_mean-fabric-aggregated.svg",
            "bsd_mean-fabric-single-root.svg",
            "wait_mean-fabric-aggregated.svg",
            "wait_mean-fabric-single-root.svg",
        ]
    );
    let csv = fs::read_to_string(folder.join("a.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("system,policy,x,y,rep,metric,value,unit")
    );
    assert_eq!(
        lines.next(),
        Some("fat-tree,easy+adaba,0.5,aggregated,0,accept_rate,1,share")
    );
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("a.json")).unwrap()).unwrap();
    assert_eq!(json["schema"], 2);
    assert_eq!(json["digest"], digest(&table));
    assert_eq!(
        json["scenario"]["policy"],
        "easy+adaba,sbf+adaba(blocked=skip)"
    );
    let (runs, metrics) = (24, json["metrics"].as_array().unwrap().len());
    assert_eq!(json["outcomes"].as_array().unwrap().len(), runs);
    assert_eq!(csv.lines().count(), 1 + runs * metrics);

    let pairs = json["scenario"].as_object().unwrap().iter();
    let pairs: Vec<String> = pairs
        .map(|(k, v)| format!("{k}={}", v.as_str().unwrap()))
        .collect();
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    assert_eq!(printed(folder, &[&["run"], &pairs[..]].concat()), table);
}

/// What `--jobs-out` says of a run is that run: read as a job list, it gives the same digest.
#[test]
fn a_job_list_that_was_written_gives_the_same_run() {
    let folder = folder();
    let folder = folder.path();
    for policy in ["none", "fcfs", "easy", "bgmbf", "bgmbf-sdf", "sbf"] {
        let policy = format!("policy={policy}");
        let generated = [
            "run",
            &policy,
            "jobs=200",
            "load=0.9",
            "reps=1",
            "--jobs-out",
            "jobs.csv",
        ];
        let drawn = printed(folder, &generated);
        let list = fs::read_to_string(folder.join("jobs.csv")).unwrap();
        assert_eq!(list.lines().count(), 201);
        assert_eq!(
            list.lines().next(),
            Some(
                "job,outcome,submit_us,start_us,end_us,size,bandwidth_kbps,runtime_us,migrations,\
                 placement"
            )
        );
        let read = printed(
            folder,
            &[
                "run",
                &policy,
                "workload=csv",
                "file=jobs.csv",
                "bandwidth=column",
                "load=as-logged",
            ],
        );
        assert_eq!(digest(&drawn), digest(&read), "{policy}");
    }
}

#[test]
fn a_written_log_reads_back_and_another_one_is_refused() {
    let folder = folder();
    let folder = folder.path();
    let single = [
        "policy=none",
        "load=1.5",
        "reps=1",
        "--jobs-out",
        "jobs.swf",
    ];
    let table = printed(folder, &[&["run"], &single[..]].concat());
    let log = fs::read_to_string(folder.join("jobs.swf")).unwrap();
    let jobs: Vec<Vec<&str>> = log
        .lines()
        .filter(|line| !line.starts_with(';'))
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(jobs.len(), 400);
    let rejected: Vec<_> = jobs.iter().filter(|job| job[10] == "5").collect();
    assert!(rejected.iter().all(|job| job[3] == "-1"));
    let accepted = 100.0 - rejected.len() as f64 / 4.0;
    assert!(table.contains(&format!(" {accepted:.1} ")), "{table}");

    let wrong = "0".repeat(64);
    let sha256 = format!("sha256={wrong}");
    let other = refused(folder, &["run", "workload=swf", "file=jobs.swf", &sha256]);
    let start = format!("backfill: sha256 = {wrong}: jobs.swf is another trace, its SHA-256 is ");
    assert!(other.starts_with(&start), "{other}");
}

/// Three jobs of two nodes at once on three nodes, then one of three, then one of four. One of the
/// first three and the fourth can run: 2 of 5. In shares 1.5 of the first three could, still one
/// whole job. The fifth never fits.
#[test]
fn bounds_are_printed_beside_the_accept_rate() {
    let folder = folder();
    let folder = folder.path();
    fs::write(
        folder.join("jobs.csv"),
        "job,submit_us,size,bandwidth_kbps,runtime_us\n\
         1,0,2,0,10\n2,1,2,0,10\n3,2,2,0,10\n4,12,3,0,1\n5,20,4,0,1\n",
    )
    .unwrap();
    let nodes = ["system=nodes", "nodes=3", "workload=csv", "file=jobs.csv"];
    let of = |more| [&["bound"], &nodes[..], more].concat();
    let shown = printed(folder, &of(&["load=as-logged", "policy=none,fcfs"]));
    let row = |policy: &str| {
        let line = shown.lines().find(|line| line.starts_with(policy));
        let cells = line.unwrap_or_else(|| panic!("{shown}")).split_whitespace();
        cells.skip(1).collect::<Vec<_>>()
    };
    assert_eq!(row("none"), ["40.0", "40.0", "80.0"], "{shown}");
    assert_eq!(row("fcfs"), ["80.0", "–", "80.0"], "{shown}");
    let said = refused(folder, &of(&["policy=none", "warmup=0.1"]));
    assert!(said.contains("give warmup=0"), "{said}");
}

/// Without a folder of logs, whatever the environment of the test says.
fn figure(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_backfill"))
        .arg("figure")
        .args(arguments)
        .current_dir(folder)
        .env_remove("BACKFILL_TRACES")
        .output()
        .expect("the program starts")
}

#[test]
fn a_figure_is_drawn_and_its_claims_are_judged() {
    let folder = folder();
    let folder = folder.path();
    let output = figure(folder, &["fig3", "--out", "made"]);
    let said = String::from_utf8(output.stdout).expect("it prints UTF-8");
    assert!(output.status.success());
    let claim = "  fig3.idle-one: Greedy leaves only one server idle.\n    true by construction: The state \
                 before is chosen";
    assert!(said.contains(claim), "{said}");
    let made = folder.join("made");
    assert_eq!(
        names(&made),
        ["fig3.csv", "fig3.json", "fig3.md", "fig3.svg"]
    );
    let csv = fs::read_to_string(made.join("fig3.csv")).unwrap();
    assert_eq!(csv.lines().nth(1), Some("fig3,,,adaba,,idle_servers,,3,,1"));
    let json = fs::read_to_string(made.join("fig3.json")).unwrap();
    assert!(json.contains("\"verdict\": \"by-construction\""), "{json}");
    assert!(json.contains("\"by-construction\": 4"), "{json}");
    let report = fs::read_to_string(made.join("fig3.md")).unwrap();
    let apart = "No claim is judged; true by construction, not counted among them: 4.";
    assert!(report.contains(apart), "{report}");
}

#[test]
fn a_figure_without_its_log_says_so_everywhere() {
    let folder = folder();
    let folder = folder.path();
    let output = figure(folder, &["table1", "--quick"]);
    assert!(output.status.success());
    let warned = String::from_utf8(output.stderr).expect("it says UTF-8");
    let start = "KTH-SP2: no log found, generated jobs are used instead; get \
                 KTH-SP2-1996-2.1-cln.swf.gz from https://www.cs.huji.ac.il/labs/parallel/workload/";
    assert!(warned.starts_with(start), "{warned}");
    let said = String::from_utf8(output.stdout).expect("it prints UTF-8");
    assert!(said.contains("(generated jobs, not the log)"), "{said}");
    assert!(!said.contains("    holds"), "{said}");
    assert!(
        said.contains("5 replications of 1,000 jobs of KTH-SP2"),
        "{said}"
    );
    let rule = "    needs the log: What is found must be 72.4 ± 0.05 min over its whole confidence interval; \
                an interval wholly outside refutes the claim.\n";
    assert!(said.contains(rule), "{said}");
    let csv = fs::read_to_string(folder.join("table1.csv")).unwrap();
    assert!(
        csv.lines()
            .skip(1)
            .all(|line| line.contains(",look-alike,")),
        "{csv}"
    );
}

#[test]
fn a_log_that_is_not_the_published_one_is_refused() {
    let folder = folder();
    let folder = folder.path();
    let file = "KTH-SP2-1996-2.1-cln.swf";
    fs::write(
        folder.join(file),
        "1 0 0 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n",
    )
    .unwrap();
    let output = figure(folder, &["fig5a", "--quick", "--trace-dir", "."]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).expect("it says UTF-8");
    assert!(
        said.starts_with("backfill: ./KTH-SP2-1996-2.1-cln.swf is not the published log"),
        "{said}"
    );
    assert_eq!(names(folder), [file]);
}

#[test]
fn a_figure_that_is_a_surface_is_drawn_as_curves_and_as_a_heatmap() {
    let folder = folder();
    let folder = folder.path();
    let output = figure(folder, &["p3-fig14", "--quick", "--out", "made"]);
    assert!(output.status.success(), "{output:?}");
    let made = folder.join("made");
    let drawn = ["p3-fig14-surface.svg", "p3-fig14.svg"];
    let others = ["p3-fig14.csv", "p3-fig14.json", "p3-fig14.md"];
    let mut all = [&drawn[..], &others].concat();
    all.sort_unstable();
    assert_eq!(names(&made), all);
    let heatmap = fs::read_to_string(made.join(drawn[0])).unwrap();
    assert!(heatmap.contains("Link threshold (LSLT) (%)"), "{heatmap}");
}

#[test]
fn figures_are_named_or_listed() {
    let folder = folder();
    let folder = folder.path();
    let list = printed(folder, &["figure", "--list"]);
    assert!(list.starts_with("fig2 "), "{list}");
    for wrong in [&["fig9"][..], &[], &["fig2", "--all"], &["--all", "--list"]] {
        assert_eq!(figure(folder, wrong).status.code(), Some(2), "{wrong:?}");
    }
    assert_eq!(names(folder), [""; 0]);
}

#[test]
fn a_decision_is_printed_beside_first_fit() {
    let folder = folder();
    let folder = folder.path();
    let log = "job,submit_us,size,bandwidth_kbps,runtime_us\n1,0,10,0,36000000000\n\
               2,28800000000,6,0,5\n3,28800000000,5,0,5\n4,32400000000,5,0,5\n5,34200000000,3,0,5\n";
    fs::write(folder.join("jobs.csv"), log).unwrap();
    let of = |more: &[&'static str]| {
        let pool =
            "explain system=pool vms=10 workload=csv file=jobs.csv load=as-logged long_wait=off";
        let mut words: Vec<&str> = pool.split(' ').collect();
        words.extend(more);
        words
    };
    let sentences = "At 36000 s 10 of 10 slots are free and 4 jobs wait.\n\
         Started: 2 jobs on 10 slots, value 12.500: job 3 (5 slots, waited 7200 s), job 4 (5 slots, waited 3600 s).\n\
         First fit in order of arrival: 2 jobs on 9 slots, value 11.250: job 2 (6 slots, waited 7200 s), \
         job 5 (3 slots, waited 1800 s).\n";
    let zomt = of(&["policy=zomt", "--at", "36000.000004"]);
    assert_eq!(printed(folder, &zomt), sentences);
    let afcfs = of(&["policy=fpfs", "--at", "36000"]);
    assert!(printed(folder, &afcfs).ends_with("would have started the same.\n"));
    let json = printed(folder, &of(&["policy=zomt", "--at", "36000", "--json"]));
    assert!(json.contains("\"byFirstFit\": true"), "{json}");
    let tree = [
        "explain",
        "policy=fcfs",
        "x=none",
        "reps=1",
        "jobs=5",
        "--at",
        "1",
    ];
    let said = refused(folder, &tree);
    assert!(said.contains("decisions can be shown"), "{said}");
}

#[test]
fn a_pass_is_told_step_by_step() {
    let folder = folder();
    let folder = folder.path();
    let log = "job,submit_us,size,bandwidth_kbps,runtime_us\n1,0,2,0,10000000\n\
               2,1000000,3,0,5000000\n3,2000000,1,0,20000000\n4,2000000,1,0,8000000\n";
    fs::write(folder.join("jobs.csv"), log).unwrap();
    let told = |more: &[&'static str]| {
        let nodes = "explain system=nodes nodes=3 workload=csv file=jobs.csv load=as-logged \
                     policy=easy";
        let words = nodes.split(' ').filter(|word| !word.is_empty());
        let words: Vec<&str> = words.chain(more.iter().copied()).collect();
        words
    };
    let sentences = "At 2 s: 1 of 3 slots free, 1 running, 3 waiting.\n\
         1. Job 2 is first by arrival: it asks for 3 nodes and does not fit now.\n\
         2. Job 2 has a reservation at 10 s: by then 1 job ends by estimates, job 1 last.\n\
         3. Job 3 is next behind the first by arrival: it asks for 1 node and fits now.\n\
         4. Job 3 would run until 22 s by its estimate, and job 2 would not fit at 10 s: it waits.\n\
         5. Job 4 is next behind the first by arrival: it asks for 1 node and fits now.\n\
         6. Job 4 ends at 10 s by its estimate, no later than job 2 starts at 10 s.\n\
         7. Job 4 starts on node 2 and ends at 10 s by its estimate.\n   \
         It gets the only free node.\n";
    assert_eq!(printed(folder, &told(&["--pass", "2"])), sentences);
    assert_eq!(printed(folder, &told(&["--pass", "9.5"])), sentences);
    let json = printed(folder, &told(&["--pass", "2", "--json"]));
    for part in [
        "\"kind\": \"compared\"",
        "\"effect\": \"delays\"",
        "\"estimatedEnd\": 10000000",
    ] {
        assert!(json.contains(part), "{json}");
    }
    let both = backfill(folder, &told(&["--pass", "2", "--job", "2"]));
    assert_eq!(both.status.code(), Some(2), "a pass is not of one job");
}

#[test]
fn jobs_that_do_not_run_or_run_again_are_told() {
    let folder = folder();
    let folder = folder.path();
    let log = "job,submit_us,size,bandwidth_kbps,runtime_us\n1,0,2,0,10000000\n\
               2,1000000,3,0,5000000\n3,2000000,1,0,20000000\n4,2000000,5,0,8000000\n";
    fs::write(folder.join("jobs.csv"), log).unwrap();
    let told = |pass: &'static str, more: &'static str| {
        let told = "explain workload=csv file=jobs.csv load=as-logged x=none reps=1 --pass";
        let words = told.split(' ').chain([pass]).chain(more.split(' '));
        printed(folder, &words.collect::<Vec<&str>>())
    };
    let nodes = "system=nodes nodes=3 policy=bgmbf(migration_cost_s=4)";
    let said = told("2", nodes);
    assert!(said.contains("1. Job 4 asks for 5 nodes and is rejected: the system has 3.\n"));
    let said = told("15", nodes);
    let again = "Job 3 starts again on node 0, pauses for 4 s first and ends at 31 s by its \
                 estimate.\n";
    assert!(said.contains(again), "{said}");
    let list = "system=pool vms=9 policy=fpfs(slist_capacity=4)";
    let said = told("2", list);
    let room = "Job 4 asks for 5 machines and is rejected: the scheduling list has room for 4.\n";
    assert!(said.contains(room), "{said}");
    let elastic = "system=pool vms=6 policy=fpfs elastic=corrected";
    let said = told("0", elastic);
    let all = "1. Until two jobs with different arrival times have ended, all 6 machines may be in \
               use.\n";
    assert!(said.contains(all), "{said}");
    let said = told("10", elastic);
    assert!(
        said.contains("1. The need expected after the jobs that have ended is "),
        "{said}"
    );
}

#[test]
fn a_placement_is_told_leaf_by_leaf() {
    let folder = folder();
    let folder = folder.path();
    let log = "job,submit_us,size,bandwidth_kbps,runtime_us\n1,0,3,0,10000000\n\
               2,1000000,5,0,5000000\n3,2000000,2,0,5000000\n";
    fs::write(folder.join("jobs.csv"), log).unwrap();
    let told = |tree, pass| {
        let told = "explain system=tree node_slots=1 workload=csv file=jobs.csv load=as-logged \
                    policy=easy+slurm-tree x=none reps=1 --pass";
        let words = told.split(' ').filter(|word| !word.is_empty());
        let words: Vec<&str> = words.chain([pass, tree]).collect();
        printed(folder, &words)
    };
    let said = told("tree=(4,2,4)", "1");
    let sentences = "   Leaves give their idle nodes one after the other, chosen by how many these \
         are and how far from those before, until 5 are found.\n   \
         - leaf 3: 1st: gives 4 of 4 idle nodes, 5 being needed\n   \
         - leaf 1: 2nd: gives 1 of 1 idle node, 1 being needed still; its distances to those \
         before add up to 2\n   \
         - leaf 2: has 2 idle nodes, but none was missing any more\n";
    assert!(said.ends_with(sentences), "{said}");
    let many = format!("tree=({})", ["4"; 40].join(","));
    let said = told(many.leak(), "2");
    assert_eq!(said.matches("\n   - leaf").count(), 16, "{said}");
    assert!(
        said.ends_with("\n   and 22 more with idle nodes and 2 with no idle node\n"),
        "{said}"
    );
}

#[test]
fn parts_of_a_tree_are_called_as_in_its_file() {
    let folder = folder();
    let folder = folder.path();
    let log = "job,submit_us,size,bandwidth_kbps,runtime_us\n1,0,1,0,10000000\n";
    fs::write(folder.join("jobs.csv"), log).unwrap();
    let file = "SwitchName=rack7 Nodes=cn[1-2]\nSwitchName=rack8 Nodes=cn[3-5]\n\
                SwitchName=spine Switches=rack[7-8]\n";
    fs::write(folder.join("topology.conf"), file).unwrap();
    let told = "explain jobs.csv --topology topology.conf node_slots=1 policy=easy+slurm-tree \
                x=none reps=1 --pass 0";
    let said = printed(folder, &told.split_whitespace().collect::<Vec<&str>>());
    assert!(said.contains("Job 1 starts on cn1 and ends"), "{said}");
    assert!(
        said.contains("- rack7: 1st: gives 1 of 2 idle nodes"),
        "{said}"
    );
}

#[test]
fn a_refusal_is_explained_and_a_run_must_be_named() {
    let folder = folder();
    let folder = folder.path();
    let log = "job,submit_us,size,bandwidth_kbps,runtime_us\n7,0,2,0,10000000\n9,1000000,2,0,5\n";
    fs::write(folder.join("jobs.csv"), log).unwrap();
    let of = |parts: &[&'static [&'static str]]| {
        let nodes: &[&str] = &[
            "explain",
            "system=nodes",
            "nodes=3",
            "workload=csv",
            "file=jobs.csv",
            "load=as-logged",
        ];
        [&[nodes], parts].concat().concat()
    };
    let sentences = "Job 9 asks for 2 nodes. At 1 s only 1 node is free. By estimates it would fit \
                     at 10 s, once one running job has ended, if nothing more started.\n";
    let one: &[&str] = &["policy=none", "--job", "9"];
    assert_eq!(printed(folder, &of(&[one])), sentences);
    let json = printed(folder, &of(&[one, &["--json"]]));
    assert!(json.contains("\"kind\": \"tooFewSlots\""), "{json}");
    let two: &[&str] = &["policy=none,fcfs", "--job", "9"];
    let said = refused(folder, &of(&[two]));
    let expected = "2 runs: say which with --cell, as --cell none+index,0";
    assert!(said.contains(expected), "{said}");
    for cell in ["fcfs+index,0", "1"] {
        let named = [&of(&[two])[..], &["--cell", cell, "--at", "10.000004"]].concat();
        let expected = "Job 9 asks for 2 nodes. At 10.000004 s it is running, since 10 s.\n";
        assert_eq!(printed(folder, &named), expected);
    }
    let said = refused(folder, &of(&[two, &["--cell", "sdf,0"]]));
    let expected = "its runs are none+index,0 to fcfs+index,0";
    assert!(said.contains(expected), "{said}");
    let generated = ["explain", "policy=none", "x=none", "reps=1", "jobs=5"];
    let said = refused(folder, &[&generated[..], &["--job", "8"]].concat());
    let expected = "--job 8: this run has no such job; its jobs are 1 to 5";
    assert!(said.contains(expected), "{said}");
}

/// The messages before a run of a log, and the end of its table. The log has seven jobs, of 1, 10,
/// 100, 1000, 79,920, 79,920 and 2 processors, and an invalid line.
#[test]
fn jobs_that_can_never_run_are_reported_before_the_run_and_after_it() {
    let folder = folder();
    let folder = folder.path();
    let mut log = String::from("8 8 0 x 1 -1 -1 1 9 -1 1 1 1 1 1 -1 -1 -1\n");
    for (number, size) in (1..).zip([1, 10, 100, 1000, 79_920, 79_920, 2]) {
        let line = format!("{number} {number} 0 9 {size} -1 -1 -1 9 -1 1 1 1 1 1 -1 -1 -1\n");
        log.push_str(&line);
    }
    fs::write(folder.join("log.swf"), log).unwrap();
    let trace = printed(folder, &["trace", "info", "log.swf"]);
    let rejected = "  REJECTED          1 of 8 lines (12.5 %): not simulated; reasons below\n";
    assert!(trace.contains(rejected), "{trace}");
    for (scenario, before, after) in [
        (
            "k=6 policy=fcfs,none",
            "3 of 7 jobs ask for more than the 432 slots of this system, the largest for 79,920: every \
             policy rejects them.\n",
            "3 of 7 jobs ask for more slots than this system has: every policy rejects them. Of the jobs \
             that can run, 100.0 % are accepted.",
        ),
        (
            "system=nodes policy=fcfs x=nodes:100000,99",
            "With nodes = 99: 4 of 7 jobs ask for more than the 99 nodes of this system, the largest for \
             79,920: every policy rejects them.\n",
            "At nodes = 99, 4 of 7 jobs ask for more nodes than this system has: every policy rejects \
             them. Of the jobs that can run, 100.0 % are accepted.",
        ),
        (
            "system=pool vms=1000 centres=2 policy=fpfs,zomt",
            "2 of 7 jobs ask for more than the 2,000 machines of this system, the largest for 79,920: \
             every policy rejects them.\n",
            "2 of 7 jobs ask for more machines than this system has: every policy rejects them. Of the \
             jobs that can run, 100.0 % are accepted.",
        ),
        (
            "system=multi-cluster clusters=2 nodes_per_cluster=600 first=4 policy=fpfs+no-share,fpfs+a1",
            "1 of 4 jobs ask for more than the 600 nodes of the largest cluster, the largest for 1,000: \
             FPFS + No share rejects them.\n",
            "FPFS + No share finds no placement for 1 of 4 jobs even on the empty system. Of the jobs that \
             can run, 100.0 % are accepted.",
        ),
        (
            "system=multi-cluster clusters=2 nodes_per_cluster=600 first=4 policy=fpfs+no-share",
            "1 of 4 jobs ask for more than the 600 nodes of the largest cluster, the largest for 1,000: \
             FPFS + No share rejects them.\n",
            "1 of 4 jobs fit into no cluster that they may use: every policy rejects them. Of the jobs \
             that can run, 100.0 % are accepted.",
        ),
        ("k=64 slots=8 policy=fcfs", "", ""),
    ] {
        let log = "run workload=swf file=log.swf bandwidth=none load=as-logged";
        let words: Vec<&str> = log.split(' ').chain(scenario.split(' ')).collect();
        let output = backfill(folder, &words);
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        let lines =
            "log.swf: 1 of 8 lines rejected and left out; `backfill trace info` says which\n";
        let told = said.strip_prefix(lines).unwrap_or_else(|| panic!("{said}"));
        assert!(told.ends_with(before), "{scenario}: {told}");
        assert_eq!(told.contains("rejects"), !before.is_empty(), "{told}");
        let table = String::from_utf8(output.stdout).unwrap();
        assert!(
            table.lines().any(|line| line == after),
            "{scenario}: {table}"
        );
        let heading = table.lines().next().unwrap();
        assert_eq!(heading.contains("infeasible"), !after.is_empty());
        assert_eq!(heading.contains("accept_possible (%)"), !after.is_empty());
    }
}

/// Targets of results that must not be replaced.
#[cfg(unix)]
mod outputs {
    use super::*;

    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    fn run(options: &[&'static str]) -> Vec<&'static str> {
        [&["run"], options, &SMALL[..]].concat()
    }

    /// What a run writes as CSV.
    fn csv(folder: &Path) -> String {
        printed(folder, &run(&["--csv", "plain.csv"]));
        fs::read_to_string(folder.join("plain.csv")).unwrap()
    }

    #[test]
    fn devices_and_pipes_are_written_to_and_stay() {
        let folder = folder();
        let folder = folder.path();
        let expected = csv(folder);
        symlink("/dev/null", folder.join("nothing")).unwrap();
        printed(folder, &run(&["--json", "nothing", "--csv", "nothing"]));
        let nothing = fs::metadata(folder.join("nothing")).unwrap();
        assert!(nothing.file_type().is_char_device());

        let pipe = folder.join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        printed(folder, &run(&["--csv", "pipe"]));
        assert_eq!(reader.join().unwrap(), expected);
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    /// The table gives way to a file on the standard output.
    #[test]
    fn a_file_on_the_standard_output_is_alone_there() {
        let folder = folder();
        let folder = folder.path();
        let expected = csv(folder);
        let output = backfill(folder, &run(&["--csv", "/dev/stdout"]));
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
        assert!(
            String::from_utf8(output.stderr)
                .unwrap()
                .contains("digest ")
        );
        // Also where it is a file, which is neither replaced nor written over.
        let words = run(&["--csv", "/dev/stdout"]).join(" ");
        let line = format!("echo before; {} {words}", env!("CARGO_BIN_EXE_backfill"));
        let shell = Command::new("sh")
            .args(["-c", &format!("({line}) > all.csv")])
            .current_dir(folder)
            .output();
        assert!(shell.expect("a shell").status.success());
        let all = fs::read_to_string(folder.join("all.csv")).unwrap();
        assert_eq!(all, format!("before\n{expected}"));
    }

    #[test]
    fn links_are_followed_and_stay() {
        let folder = folder();
        let folder = folder.path();
        let expected = csv(folder);
        fs::create_dir(folder.join("far")).unwrap();
        fs::write(folder.join("far/old.csv"), "old").unwrap();
        fs::set_permissions(
            folder.join("far/old.csv"),
            fs::Permissions::from_mode(0o640),
        )
        .unwrap();
        symlink("far/old.csv", folder.join("one")).unwrap();
        symlink("one", folder.join("old.csv")).unwrap();
        symlink("far/new.csv", folder.join("new.csv")).unwrap();
        for name in ["old.csv", "new.csv"] {
            printed(folder, &run(&["--csv", name]));
            assert!(
                fs::symlink_metadata(folder.join(name))
                    .unwrap()
                    .is_symlink()
            );
            let target = folder.join("far").join(name);
            assert_eq!(fs::read_to_string(target).unwrap(), expected);
        }
        assert_eq!(names(&folder.join("far")), ["new.csv", "old.csv"]);
        let old = fs::metadata(folder.join("far/old.csv")).unwrap();
        assert_eq!(old.permissions().mode() & 0o777, 0o640);
        symlink("round", folder.join("round")).unwrap();
        let said = refused(folder, &run(&["--csv", "round"]));
        assert!(said.starts_with("backfill: cannot write round: "), "{said}");
    }

    #[test]
    fn what_is_read_only_or_used_already_is_refused_before_anything_is_run() {
        let folder = folder();
        let folder = folder.path();
        let log = "1 0 0 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n";
        fs::write(folder.join("log.swf"), log).unwrap();
        fs::hard_link(folder.join("log.swf"), folder.join("same.swf")).unwrap();
        symlink("log.swf", folder.join("link.swf")).unwrap();
        fs::write(folder.join("s.toml"), "k = 4\n").unwrap();
        fs::write(folder.join("kept.json"), "kept").unwrap();
        let read_only = fs::Permissions::from_mode(0o444);
        fs::set_permissions(folder.join("kept.json"), read_only).unwrap();
        symlink("kept.json", folder.join("kept-link.json")).unwrap();
        let before = names(folder);
        // Too many jobs to be waited for.
        let long = |options: &[&'static str]| {
            let jobs = ["policy=cmbf", "jobs=10000000", "load=2", "reps=1"];
            [&["run"], options, &jobs[..]].concat()
        };
        let of_log = |options: &[&'static str]| {
            let log = ["workload=swf", "file=log.swf", "load=as-logged"];
            [&["run", "policy=fcfs", "reps=1"], options, &log[..]].concat()
        };
        for (arguments, line) in [
            (long(&["--json", "kept.json"]), "kept.json: it is read-only"),
            (
                long(&["--json", "kept-link.json"]),
                "kept-link.json: it is read-only",
            ),
            (
                long(&["--json", "a", "--csv", "./a"]),
                "./a: it is the same file as a, which is written too; give it another name",
            ),
            (
                of_log(&["--jobs-out", "log.swf"]),
                "log.swf: it is the same file as log.swf, which is read; give it another name",
            ),
            (
                of_log(&["--jobs-out", "same.swf"]),
                "same.swf: it is the same file as log.swf, which is read; give it another name",
            ),
            (
                of_log(&["--json", "link.swf"]),
                "link.swf: it is the same file as log.swf, which is read; give it another name",
            ),
            (
                vec!["run", "s.toml", "--csv", "s.toml"],
                "s.toml: it is the same file as s.toml, which is read; give it another name",
            ),
            (
                vec!["trace", "convert", "log.swf", "link.swf"],
                "link.swf: it is the same file as log.swf, which is read; give it another name",
            ),
        ] {
            let said = refused(folder, &arguments);
            assert_eq!(said, format!("backfill: cannot write {line}\n"));
        }
        assert_eq!(names(folder), before);
        assert_eq!(fs::read_to_string(folder.join("log.swf")).unwrap(), log);
        let kept = fs::read_to_string(folder.join("kept.json")).unwrap();
        assert_eq!(kept, "kept");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn missing_memory_is_reported_in_one_line() {
        let folder = folder();
        let folder = folder.path();
        // 600 MB.
        let limit = "ulimit -v 600000";
        let run = "run policy=fcfs jobs=10000000 load=0.5 reps=1 --jobs-out jobs.csv";
        let output = limited(folder, limit, run);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "backfill: jobs = 10000000: takes 4.0 GB of memory or more, and the system does not have \
             enough: take fewer jobs\n"
        );
        assert_eq!(names(folder), [""; 0]);
    }
}
