//! A study on a real cluster of one node: Slurm's own daemons, started here on the loopback
//! address.
//!
//! `BACKFILL_SLURM` says that Debian's `slurm-wlm` and `munge` are installed; munge's daemon is
//! started as its own user, which takes root.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::*;

const SCENARIO: &str = "k=8 jobs=700 reps=20 policy=fcfs,easy,bgmbf x=load:0.7,0.9";

/// How long anything may take here.
const PATIENCE: Duration = Duration::from_secs(240);

/// Slurm on this machine, ended when dropped.
struct Cluster(TempDir);

impl Cluster {
    fn start() -> Cluster {
        let cluster = Cluster(folder());
        let at = cluster.0.path();
        let host = cluster.said("hostname", &["-s"]);
        let (host, here) = (host.trim(), at.display());
        // Other programs may hold Slurm's own ports.
        let [ctld, slurmd] = [0, 1].map(|_| free_port());
        let conf = format!(
            "ClusterName=backfill\n\
             SlurmctldHost={host}(127.0.0.1)\n\
             SlurmctldPort={ctld}\n\
             SlurmdPort={slurmd}\n\
             CommunicationParameters=NoInAddrAny,NoCtldInAddrAny\n\
             AuthType=auth/munge\n\
             AuthInfo=socket={here}/munge/socket\n\
             SlurmUser=root\n\
             ProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\n\
             SelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\n\
             MpiDefault=none\n\
             ReturnToService=2\n\
             MaxArraySize=100\n\
             StateSaveLocation={here}/state\n\
             SlurmdSpoolDir={here}/spool\n\
             SlurmctldPidFile={here}/slurmctld.pid\n\
             SlurmdPidFile={here}/slurmd.pid\n\
             SlurmctldLogFile={here}/slurmctld.log\n\
             SlurmdLogFile={here}/slurmd.log\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP\n"
        );
        fs::write(at.join("slurm.conf"), conf).unwrap();
        for name in ["munge", "state", "spool"] {
            fs::create_dir(at.join(name)).unwrap();
        }
        // The daemon of another user must get to its folder.
        cluster.said("chmod", &["755", "."]);
        fs::write(at.join("munge/key"), [7; 128]).unwrap();
        cluster.said("chmod", &["400", "munge/key"]);
        cluster.said("chown", &["-R", "munge", "munge"]);
        let munge = |option: &str| format!("--{option}={here}/munge/{option}");
        let options = ["key-file", "socket", "pid-file", "log-file", "seed-file"].map(munge);
        let options = options
            .iter()
            .map(|option| option.replace("munge/key-file", "munge/key"));
        let options: Vec<String> = options.collect();
        let mut words = vec!["-u", "munge", "--", "/usr/sbin/munged"];
        words.extend(options.iter().map(String::as_str));
        cluster.said("runuser", &words);
        cluster.said("slurmctld", &[]);
        cluster.said("slurmd", &[]);
        cluster.until("the node is idle", || {
            cluster.said("sinfo", &["-h", "-o", "%t"]) == "idle\n"
        });
        cluster
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env("SLURM_CONF", self.0.path().join("slurm.conf"));
        command
    }

    /// What a program prints, whether or not it succeeds.
    fn said(&self, program: &str, arguments: &[&str]) -> String {
        let output = self
            .command(program, arguments)
            .stderr(Stdio::inherit())
            .output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    #[track_caller]
    fn until(&self, what: &str, mut holds: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !holds() {
            let queue = || self.said("squeue", &["-l"]);
            assert!(begun.elapsed() < PATIENCE, "{what} is not so\n{}", queue());
            thread::sleep(Duration::from_millis(100));
        }
    }

    fn until_all_has_ended(&self) {
        self.until("everything has ended", || {
            self.said("squeue", &["-h"]).is_empty()
        });
    }

    /// The process id that a daemon reported.
    fn process(&self, daemon: &str) -> Option<String> {
        let text = fs::read_to_string(self.0.path().join(daemon)).ok()?;
        Some(text.trim().to_owned())
    }

    /// Asks a daemon to end, and waits for it.
    fn stop(&self, daemon: &str) {
        if let Some(process) = self.process(daemon) {
            self.said("kill", &[&process]);
            let begun = Instant::now();
            while Path::new("/proc").join(&process).exists() && begun.elapsed() < PATIENCE {
                thread::sleep(Duration::from_millis(50));
            }
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.said("scancel", &["--user", "root"]);
        for daemon in ["slurmd.pid", "slurmctld.pid", "munge/pid-file"] {
            self.stop(daemon);
        }
    }
}

/// A cluster, unless a test of one cannot run here.
fn cluster() -> Option<Cluster> {
    if std::env::var_os("BACKFILL_SLURM").is_none() {
        skipped("BACKFILL_SLURM is not set");
        return None;
    }
    Some(Cluster::start())
}

fn free_port() -> u16 {
    let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    socket.local_addr().expect("an address").port()
}

#[test]
fn a_study_on_slurm_survives_what_happens_to_it() {
    let Some(cluster) = cluster() else { return };
    let at = cluster.0.path();
    let backfill = |words: Vec<&str>| cluster.command(env!("CARGO_BIN_EXE_backfill"), &words);
    let scenario = |before, after| words_of(&[before, SCENARIO, after]);

    let refused = backfill(scenario("slurm", "--parts 100 --out no"))
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(refused.stderr).unwrap(),
        "backfill: --parts 100: this cluster takes at most 99 in an array (one less than its \
         MaxArraySize); choose fewer parts\n"
    );
    let one = backfill(scenario("run", "--json one.json"))
        .output()
        .unwrap();
    let study = "--parts 40 --out study --submit -- --time=10 --comment test";
    let submitted = backfill(scenario("slurm", study)).output().unwrap();
    assert!(submitted.status.success(), "{submitted:?}");
    let script = fs::read_to_string(at.join("study/study.sbatch")).unwrap();
    assert!(
        script.contains("\n#SBATCH --time=10\n#SBATCH --comment test\n"),
        "{script}"
    );

    // One element is taken from its node and queued again.
    let mut running = String::new();
    cluster.until("an element runs", || {
        running = cluster.said("squeue", &["-h", "-r", "-t", "R", "-o", "%A"]);
        !running.is_empty()
    });
    let element = running.lines().next().unwrap();
    cluster.said("scontrol", &["requeue", element]);
    let state = || cluster.said("squeue", &["-h", "-j", element, "-o", "%t %r"]);
    // It may have ended at that very moment.
    cluster.until("it waits again", || {
        ["PD BeginTime\n", ""].contains(&state().as_str())
    });
    // Slurm lets it wait for two minutes otherwise.
    cluster.said(
        "scontrol",
        &["update", &format!("JobId={element}"), "StartTime=now"],
    );
    let parts = || names(&at.join("study/parts")).len();
    cluster.until("some parts are done", || parts() >= 8);
    assert!(parts() < 40, "the node is to be stopped in the middle");
    cluster.stop("slurmd.pid");
    thread::sleep(Duration::from_secs(1));
    cluster.said("slurmd", &[]);
    cluster.until_all_has_ended();

    // Whatever was lost with the node is submitted again, as ./status says.
    let status = cluster.said("study/status", &[]);
    if let Some(again) = status.lines().find_map(|line| line.split_once("./submit ")) {
        cluster.said("study/submit", &[again.1]);
        cluster.until_all_has_ended();
    }
    assert_eq!(cluster.said("study/status", &[]), "all parts are done\n");
    let result = fs::read_to_string(at.join("study/result.txt")).unwrap();
    assert_eq!(result, String::from_utf8(one.stdout).unwrap());
    let read = |name: &str| fs::read(at.join(name)).unwrap();
    assert_eq!(read("study/result.json"), read("one.json"));
}

/// The commands of a new user: the lines of the README unchanged, and a figure.
#[test]
fn the_lines_of_the_readme_run_a_study_and_a_figure() {
    let Some(cluster) = cluster() else { return };
    let at = cluster.0.path();
    let program = env!("CARGO_BIN_EXE_backfill");
    fs::create_dir_all(at.join("target/release")).unwrap();
    std::os::unix::fs::symlink(program, at.join("target/release/backfill")).unwrap();
    fs::write(at.join("SCENARIO.toml"), "jobs = 100\nreps = 2\n").unwrap();
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let section = readme.split("## When one machine is not enough").nth(1);
    let lines = section.and_then(|section| section.split("```").nth(1));
    let lines = lines.expect("lines to type").lines().skip(1);
    let mut said = Vec::new();
    for line in lines.filter(|line| !line.starts_with("cargo ")) {
        said.push(cluster.said("sh", &["-c", line]));
        cluster.until_all_has_ended();
    }
    let one = cluster.said(program, &["run", "SCENARIO.toml"]);
    assert_eq!(said[2..], ["all parts are done\n".to_owned(), one]);

    let figure = "slurm --figure p4-fig2 --quick --parts 4 --out FIGURE --submit";
    cluster.said(program, &words_of(&[figure]));
    cluster.until_all_has_ended();
    let result = fs::read_to_string(at.join("FIGURE/result.txt")).unwrap();
    let one = cluster.said(program, &words_of(&["figure p4-fig2 --quick --out one"]));
    assert_eq!(result, one);
    let report = |folder: &str| fs::read(at.join(folder).join("p4-fig2.json")).unwrap();
    assert_eq!(report("FIGURE/result"), report("one"));
}
