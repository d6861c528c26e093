//! Parts of a scenario: made in any order, killed and made again, they give what one machine gives.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::*;

/// A scenario of every system, with sweeps and without.
const SCENARIOS: [&str; 5] = [
    "k=4 jobs=60 reps=3 policy=none,easy+adaba,bgmbf+first-fit x=load:0.5,0.9 y=slots:4,8",
    "system=nodes nodes=32 tiers=2 jobs=60 reps=2 policy=easy,cmcbf,fcfs load=0.9",
    "system=multi-cluster jobs=80 reps=3 policy=fpfs+a1,fpfs+b3 x=load:0.5,0.9",
    "system=pool jobs=80 reps=3 policy=zomt,fpfs x=vms:60,120",
    "workload=swf file=LOG bandwidth=none system=nodes policy=fcfs,easy x=load:0.5,0.9,1.2",
];

/// A run that takes long, of many parts.
const LONG: &str = "k=8 jobs=1200 load=0.9 reps=20 policy=bgmbf,easy";

fn words<'a>(command: &'a str, scenario: &'a str, options: &'a str) -> Vec<&'a str> {
    words_of(&[command, scenario, options])
}

/// All files of a folder with what they hold.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let names = names(folder).into_iter();
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).unwrap());
    names.map(read).collect()
}

#[test]
fn parts_put_together_are_what_one_machine_gives_to_the_byte() {
    let folder = folder();
    let folder = folder.path();
    let mut log = String::new();
    for job in 1..60 {
        let (submit, size) = (job * 7 % 90, 1 + job * 5 % 40);
        log += &format!("{job} {submit} 0 {job} {size} -1 -1 {size} 99 -1 1 1 1 1 1 1 -1 -1\n");
    }
    fs::write(folder.join("log.swf"), log).unwrap();
    let log = folder.join("log.swf").display().to_string();
    for (position, scenario) in SCENARIOS.iter().enumerate() {
        let scenario = scenario.replace("LOG", &log);
        let at = folder.join(position.to_string());
        fs::create_dir(&at).unwrap();
        let files = "--json one/r.json --csv one/r.csv --svg one";
        fs::create_dir(at.join("one")).unwrap();
        let one = printed(&at, &words("run", &scenario, files));
        // The last before the first, and several at once.
        for part in ["5/5", "1-3/5", "4/5"] {
            let said = printed(
                &at,
                &words("run", &scenario, &format!("--part {part} --out p")),
            );
            assert!(said.starts_with(&format!("{part} in p: ")), "{said}");
        }
        fs::create_dir(at.join("all")).unwrap();
        let files = "--json all/r.json --csv all/r.csv --svg all";
        assert_eq!(printed(&at, &words("merge p", "", files)), one);
        assert_eq!(contents(&at.join("all")), contents(&at.join("one")));
        for (name, text) in contents(&at.join("p")) {
            let text = String::from_utf8(text).unwrap();
            let folder = folder.display().to_string();
            assert!(!text.contains(&folder), "{name} holds a path");
        }
        // All parts in one go, and again: nothing is left to do.
        assert_eq!(printed(&at, &words("run", &scenario, "--out q")), one);
        let before = contents(&at.join("q"));
        assert_eq!(printed(&at, &words("run", &scenario, "--out q")), one);
        assert_eq!(contents(&at.join("q")), before);
    }
}

#[test]
fn what_is_missing_or_does_not_belong_is_refused_by_name() {
    let folder = folder();
    let folder = folder.path();
    let scenario = "jobs=30 reps=2 policy=fcfs,easy";
    let part = |scenario, part: &str, out: &str| {
        let options = format!("--part {part} --out {out}");
        printed(folder, &words("run", scenario, &options))
    };
    let one = printed(folder, &words("run", scenario, ""));
    fs::create_dir(folder.join("p")).unwrap();
    assert_eq!(
        refused(folder, &["merge", "p"]),
        "backfill: p holds no parts: make them by `backfill run SCENARIO --out p`\n"
    );
    part(scenario, "1,3-4,6/7", "p");
    let said = refused(folder, &["merge", "p"]);
    assert_eq!(
        said,
        "backfill: parts 2,5,7 of 7 are missing in p: run `backfill run jobs=30 \
         policy=fcfs+adaba,easy+adaba reps=2 --part 2,5,7/7 --out p`, or take --partial\n"
    );
    let partial = printed(
        folder,
        &["merge", "p", "--partial", "--json", "partial.json"],
    );
    assert!(partial.contains("no digest: "), "{partial}");
    let json = fs::read_to_string(folder.join("partial.json")).unwrap();
    assert!(json.contains("\"digest\": null"), "{json}");
    let command = said.split('`').nth(1).unwrap();
    let command: Vec<&str> = command.split(' ').skip(1).collect();
    printed(folder, &command);
    assert_eq!(printed(folder, &["merge", "p"]), one);

    // One that was made of another scenario is neither taken nor written over.
    part("jobs=31 reps=2 policy=fcfs,easy", "2/7", "q");
    let here = folder.join("p/part-2-of-7.jsonl");
    let right = fs::read(&here).unwrap();
    fs::copy(folder.join("q/part-2-of-7.jsonl"), &here).unwrap();
    assert_eq!(
        refused(folder, &["merge", "p"]),
        "backfill: p/part-2-of-7.jsonl belongs to another scenario than p/part-1-of-7.jsonl: keep \
         the parts of one scenario in a folder of their own\n"
    );
    assert_eq!(
        refused(folder, &words("run", scenario, "--part 2/7 --out p")),
        "backfill: p/part-2-of-7.jsonl belongs to another scenario than this one: name another \
         folder by --out, or remove it\n"
    );
    fs::copy(folder.join("p/part-3-of-7.jsonl"), &here).unwrap();
    assert_eq!(
        refused(folder, &["merge", "p"]),
        "backfill: p/part-2-of-7.jsonl holds part 3 of 7: give it back its name, \
         part-3-of-7.jsonl\n"
    );
    // A damaged one is refused, and made again where it is asked for.
    fs::write(&here, &right[..right.len() / 2]).unwrap();
    assert_eq!(
        refused(folder, &["merge", "p"]),
        "backfill: p/part-2-of-7.jsonl was cut short: remove it and make that part again\n"
    );
    let said = part(scenario, "1-2/7", "p");
    assert_eq!(said, "1-2/7 in p: 1 computed, 1 already present\n");
    assert_eq!(fs::read(&here).unwrap(), right);
    assert_eq!(printed(folder, &["merge", "p"]), one);
    let usage = backfill(folder, &words("run", scenario, "--part 8/7 --out p"));
    assert_eq!(usage.status.code(), Some(2));
}

#[test]
fn two_writers_of_one_part_leave_one_valid_file() {
    let folder = folder();
    let folder = folder.path();
    let scenario = "jobs=400 reps=4 policy=fcfs,easy";
    let one = printed(folder, &words("run", scenario, ""));
    let writers = [0, 1, 2].map(|_| {
        Command::new(env!("CARGO_BIN_EXE_backfill"))
            .args(words("run", scenario, "--part 1-3/3 --out p --workers 1"))
            .current_dir(folder)
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts")
    });
    for mut writer in writers {
        assert!(writer.wait().expect("it ends").success());
    }
    assert_eq!(names(&folder.join("p")).len(), 3);
    assert_eq!(printed(folder, &["merge", "p"]), one);
}

#[cfg(unix)]
mod ended {
    use super::*;

    /// Ends a run by a signal once some of its parts are there; what it says, and how many they
    /// are.
    fn ended(folder: &Path, signal: &str, run: &str) -> (Output, usize) {
        let run = Command::new(env!("CARGO_BIN_EXE_backfill"))
            .args(words_of(&[run]))
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let parts = folder.join("p");
        let begun = Instant::now();
        while !parts.is_dir() || names(&parts).len() < 3 {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "no part is written"
            );
            thread::sleep(Duration::from_millis(20));
        }
        let kill = Command::new("kill")
            .args([signal, &run.id().to_string()])
            .status();
        assert!(kill.expect("kill").success());
        let output = run.wait_with_output().expect("it ends");
        let finished = names(&parts)
            .iter()
            .filter(|name| name.ends_with(".jsonl"))
            .count();
        (output, finished)
    }

    #[test]
    fn a_run_that_is_killed_or_interrupted_goes_on_where_it_was() {
        let one = folder();
        let one = printed(one.path(), &words("run", LONG, ""));
        for signal in ["-KILL", "-INT", "-TERM"] {
            let folder = folder();
            let folder = folder.path();
            let (output, finished) = ended(folder, signal, &format!("run {LONG} --out p"));
            assert!(!output.status.success());
            if signal != "-KILL" {
                assert_eq!(output.status.code(), Some(1));
                assert_eq!(
                    String::from_utf8(output.stderr).unwrap(),
                    format!(
                        "backfill: interrupted: {finished} of 40 parts are in p; run the same \
                         command again to go on\n"
                    )
                );
            }
            let before = contents(&folder.join("p"));
            assert_eq!(printed(folder, &words("run", LONG, "--out p")), one);
            let after = contents(&folder.join("p"));
            assert!(before.iter().all(|file| after.contains(file)));
        }
    }

    #[test]
    fn interrupted_parts_of_figures_are_reported() {
        let folder = folder();
        let folder = folder.path();
        let figure = "figure fig4 --quick --part 1-500/500 --parts p";
        let (output, finished) = ended(folder, "-INT", figure);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).unwrap();
        let line = format!(
            "backfill: interrupted: {finished} of 500 parts are in p; run the same command again \
             to go on\n"
        );
        assert!(said.ends_with(&line), "{said}");
    }

    #[test]
    fn a_file_that_may_not_grow_leaves_no_half_part() {
        let folder = folder();
        let folder = folder.path();
        // 4 or 8 kB.
        let limit = "trap '' XFSZ; ulimit -f 8";
        let output = limited(folder, limit, "run jobs=30 reps=4 --part 1/2 --out p");
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).unwrap();
        let named = "backfill: cannot write p/part-1-of-2.jsonl: ";
        assert!(
            said.starts_with(named) && said.lines().count() == 1,
            "{said}"
        );
        assert_eq!(names(&folder.join("p")), [""; 0]);
    }

    /// On a disk of 64 kB, which only this test sees and which is given 4 MB later.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_leaves_whole_parts_and_once_there_is_room_the_run_goes_on() {
        let folder = folder();
        let folder = folder.path();
        fs::create_dir(folder.join("p")).unwrap();
        let mount = "mount -t tmpfs -o size=64k none p";
        let own = |line: &str| {
            let unshare = ["--map-root-user", "--mount", "sh", "-c", line];
            let mut command = Command::new("unshare");
            command.args(unshare).current_dir(folder).output()
        };
        if !own(mount).is_ok_and(|output| output.status.success()) {
            return skipped("no disk can be mounted here");
        }
        let run = "run jobs=30 reps=4";
        let program = env!("CARGO_BIN_EXE_backfill");
        let output = own(&format!(
            "{mount}; {program} {run} --out p; echo $?; ls -A p; \
             mount -o remount,size=4m p; {program} {run} --out p"
        ));
        let output = output.expect("it was there before");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.starts_with("backfill: cannot write p/part-") && said.lines().count() == 1,
            "{said}"
        );
        let out = String::from_utf8(output.stdout).unwrap();
        let whole = out.strip_suffix(&printed(folder, &words_of(&[run])));
        let mut lines = whole.expect("the table of one machine").lines();
        assert_eq!(lines.next(), Some("1"));
        let parts: Vec<&str> = lines.collect();
        assert!((1..64).contains(&parts.len()), "{parts:?}");
        for part in parts {
            assert!(part.ends_with("-of-64.jsonl"), "{part}");
        }
    }
}

/// The scripts of a folder that is written for a cluster, run here one after the other.
#[cfg(unix)]
#[test]
fn a_folder_of_a_figure_makes_it_as_one_machine_does() {
    let folder = folder();
    let folder = folder.path();
    let one = printed(folder, &words("figure", "p4-fig2 --quick", "--out one"));
    for engine in ["slurm", "hq"] {
        let study = folder.join(engine);
        let options = format!("--parts 3 --out {engine}");
        let said = printed(folder, &words(engine, "--figure p4-fig2 --quick", &options));
        let begin = format!("{engine}: 320 runs in 3 parts of about ");
        assert!(said.starts_with(&begin), "{said}");
        let script = |name: &str, argument: &str| {
            let output = Command::new(study.join(name)).arg(argument).output();
            let output = output.expect("a shell");
            assert!(output.status.success(), "{name}: {output:?}");
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        for part in ["2", "3", "1"] {
            script("part", part);
        }
        assert_eq!(script("status", ""), "all parts are done\n");
        assert_eq!(script("merge", ""), one);
        assert_eq!(
            contents(&study.join("result")),
            contents(&folder.join("one"))
        );
        let readme = fs::read_to_string(study.join("README")).unwrap();
        assert!(
            readme.contains("each claim and its verdict") && !readme.contains('@'),
            "{readme}"
        );
    }
    for (words, line) in [
        (
            "--figure p4-fig2 --quick --parts 321",
            "--parts 321: these figures have only 320 runs",
        ),
        (
            "--figure fig2",
            "--figure fig2: nothing of it is simulated in runs: `backfill figure fig2` makes it",
        ),
    ] {
        let said = refused(folder, &words_of(&["slurm --out no", words]));
        assert_eq!(said, format!("backfill: {line}\n"));
    }
    for words in [
        "--figure p4-fig2 jobs=30",
        "--quick",
        "--all --figure p4-fig2",
    ] {
        let usage = backfill(folder, &words_of(&["slurm --out no", words]));
        assert_eq!(usage.status.code(), Some(2), "{words}");
    }
}

#[test]
fn a_figure_from_parts_is_that_of_one_machine_to_the_byte() {
    let folder = folder();
    let folder = folder.path();
    let figure = |options: &str| printed(folder, &words("figure", "p4-fig2 --quick", options));
    let one = figure("--out one");
    assert_eq!(
        figure("--part 2-3/3 --parts p"),
        "2-3/3 in p: 2 computed, 0 already present\n"
    );
    assert_eq!(
        refused(folder, &words("figure", "p4-fig2 --quick", "--parts p")),
        "backfill: parts 1 of 3 are missing in p: run the same command with --part 1/3\n"
    );
    assert_eq!(
        figure("--part 1-3/3 --parts p"),
        "1-3/3 in p: 1 computed, 2 already present\n"
    );
    assert_eq!(figure("--parts p --out all"), one);
    assert_eq!(contents(&folder.join("all")), contents(&folder.join("one")));
    let other = refused(folder, &words("figure", "p4-fig2", "--parts p"));
    assert!(
        other.contains("its runs are not all in the parts"),
        "{other}"
    );
}
