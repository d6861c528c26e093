//! Real controllers of Slurm, which say where they would place a job: of 22.05, as Debian 12 has it,
//! and of the versions of later Debians, each in a folder of its own.

use std::collections::BTreeSet;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Duration;

use crate::topology::{Cut, Machine, Nodes};

const PLUGINS: &str = "usr/lib/x86_64-linux-gnu/slurm-wlm";

const MIRROR: &str = "http://deb.debian.org/debian";

/// A version of Slurm whose placements differ from those of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// The generation of its rules, as the key `rule` names it.
    pub rule: u32,
    /// Its number without the patch level.
    pub number: &'static str,
    /// The release of Debian that has it.
    pub debian: &'static str,
}

/// The versions that are asked.
pub const VERSIONS: [Version; 3] = [
    Version {
        rule: 22,
        number: "22.05",
        debian: "bookworm",
    },
    Version {
        rule: 24,
        number: "24.11",
        debian: "trixie",
    },
    Version {
        rule: 26,
        number: "26.05",
        debian: "forky",
    },
];

/// An installed version.
#[derive(Debug)]
pub struct Installation {
    version: Version,
    root: PathBuf,
    /// Whether its programs run with its folder as the root of all paths.
    is_closed: bool,
}

impl Installation {
    /// The version that is installed here, or that apt downloads and unpacks in `folder`.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub fn open(version: Version, folder: &Path) -> Result<Installation, String> {
        let at = |root: PathBuf| Installation {
            version,
            root,
            is_closed: false,
        };
        let none = || "it is not installed, and apt downloads none".to_owned();
        if let Some(system) = at("/".into()).checked() {
            return Ok(system);
        }
        let mut apt = Command::new("timeout");
        apt.args(["60", "apt-get", "download", "slurmctld", "slurm-client"])
            .arg("slurm-wlm-basic-plugins")
            .current_dir(folder);
        succeeds(&mut apt).map_err(|_| none())?;
        let root = folder.join("root");
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let file = entry.path();
            if file.extension().is_some_and(|ending| ending == "deb") {
                succeeds(Command::new("dpkg").arg("-x").args([&file, &root]))?;
            }
        }
        // A controller must have this name, which an installed one has by a link.
        let [packed, named] =
            ["slurmctld-wlm", "slurmctld"].map(|name| root.join("usr/sbin").join(name));
        fs::rename(packed, named).map_err(|_| none())?;
        at(root).checked().ok_or_else(none)
    }

    /// The version in a small Debian of its own, which is `root`, or is put there: 0.4 GB.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub fn closed(version: Version, root: PathBuf) -> Result<Installation, String> {
        let installation = Installation {
            version,
            root,
            is_closed: true,
        };
        if user() != "root" {
            return Err("a folder of its own takes root".to_owned());
        }
        if !installation.version_is_right() {
            installation.install()?;
        }
        // Asking a name server would take seconds.
        let names = "passwd: files\ngroup: files\nhosts: files\n";
        let at = installation.root.join("etc");
        fs::write(at.join("nsswitch.conf"), names).expect("a file");
        fs::write(at.join("hosts"), "127.0.0.1 localhost\n").expect("a file");
        installation
            .checked()
            .ok_or_else(|| format!("Debian's {} has another version", version.debian))
    }

    /// Makes the Debian of one in a folder of its own.
    fn install(&self) -> Result<(), String> {
        // An earlier run may have left it unfinished.
        let mut remove = Command::new("rm");
        succeeds(remove.args(["-rf", "--one-file-system"]).arg(&self.root))?;
        fs::create_dir_all(&self.root).expect("a folder");
        let mut debian = Command::new("debootstrap");
        debian.args(["--variant=minbase", self.version.debian]);
        // An older debootstrap does not know the names of newer releases, which are made as sid is.
        succeeds(debian.arg(&self.root).args([MIRROR, "sid"]))?;
        let mut packages = self.command("/usr/bin/apt-get");
        packages.args(["install", "--yes", "--no-install-recommends"]);
        packages.args(["slurmctld", "slurm-client"]);
        succeeds(packages.env("DEBIAN_FRONTEND", "noninteractive"))?;
        Ok(())
    }

    /// Which version it is.
    pub fn version(&self) -> Version {
        self.version
    }

    fn checked(self) -> Option<Installation> {
        self.version_is_right().then_some(self)
    }

    fn version_is_right(&self) -> bool {
        let said = self.command("/usr/sbin/slurmctld").arg("-V").output();
        said.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains(self.version.number))
    }

    /// A program of it, by its path there.
    fn command(&self, program: &str) -> Command {
        if self.is_closed {
            let mut command = Command::new("chroot");
            command.arg(&self.root).arg(program);
            return command;
        }
        let plugins = self.root.join(PLUGINS);
        let libraries = plugins.parent().expect("a folder");
        let paths = format!("{}:{}", libraries.display(), plugins.display());
        let mut command = Command::new(self.root.join(program.trim_start_matches('/')));
        command.env("LD_LIBRARY_PATH", paths);
        command
    }

    /// The path of a file as its programs know it.
    fn inside(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.root) {
            Ok(path) if self.is_closed => Path::new("/").join(path),
            _ => path.to_owned(),
        }
    }
}

/// Runs a program; an error is a sentence that says that it failed.
fn succeeds(command: &mut Command) -> Result<Output, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(said) if said.status.success() => Ok(said),
        Ok(said) => {
            let errors = String::from_utf8_lossy(&said.stderr);
            let last = errors.lines().last().unwrap_or_default();
            Err(format!("{program} failed: {last}"))
        }
        Err(error) => Err(format!("{program} does not run: {error}")),
    }
}

fn user() -> String {
    let said = succeeds(Command::new("id").arg("-un")).expect("a user");
    String::from_utf8_lossy(&said.stdout).trim().to_owned()
}

/// A port on which nobody listens. The system may name the same one twice as long as nobody listens on
/// it yet, to two threads that ask at once; here each is named once.
fn free_port() -> u16 {
    static NAMED: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    let mut named = NAMED.lock().expect("no thread panics here");
    loop {
        let listener = TcpListener::bind("127.0.0.1:0");
        let address = listener.and_then(|listener| listener.local_addr());
        let port = address.expect("a free port").port();
        if named.insert(port) {
            return port;
        }
    }
}

/// A running controller of a machine whose nodes are names alone; it is stopped when it is dropped.
#[derive(Debug)]
pub struct Controller<'a> {
    installation: &'a Installation,
    process: Child,
    nodes: u32,
    folder: PathBuf,
}

impl Drop for Controller<'_> {
    fn drop(&mut self) {
        // Only an already ended one cannot be stopped, and what is left of its files does no harm.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

impl Controller<'_> {
    /// Starts one for a machine, with a plugin for its topology or without.
    ///
    /// # Panics
    /// If it does not listen after half a minute.
    pub fn start<'a>(
        installation: &'a Installation,
        machine: &Machine,
        plugin: Option<&str>,
    ) -> Controller<'a> {
        let [port, other] = [free_port(), free_port()];
        let temporary = match installation.is_closed {
            true => installation.root.join("tmp"),
            false => std::env::temp_dir(),
        };
        let folder = temporary.join(format!("backfill-slurm-{port}"));
        fs::create_dir_all(folder.join("state")).expect("a folder");
        let at = installation.inside(&folder);
        let at = at.display();
        let plugins = installation.root.join(PLUGINS);
        let mut conf = format!(
            "ClusterName=x\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort={port}\nSlurmUser={}\n\
             AuthType=auth/none\nCredType=cred/none\n\
             PluginDir={}\nStateSaveLocation={at}/state\nSlurmdSpoolDir={at}\n\
             SlurmctldPidFile={at}/pid\nSlurmctldLogFile={at}/log\nProctrackType=proctrack/pgid\n\
             TaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             MailProg=/bin/true\nResumeProgram=/bin/true\nSuspendProgram=/bin/true\n\
             SuspendTime=INFINITE\nResumeTimeout=65000\n\
             SchedulerParameters=batch_sched_delay=0,sched_min_interval=1000\n\
             NodeName=n[1-{}] CPUs=1 State=CLOUD NodeAddr=127.0.0.1 Port={other}\n\
             PartitionName=p Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE State=UP MaxTime=INFINITE\n",
            user(),
            installation.inside(&plugins).display(),
            machine.nodes,
        );
        if installation.version.rule == 22 {
            conf += "SwitchType=switch/none\n";
        }
        if let Some(plugin) = plugin {
            conf += &format!("TopologyPlugin={plugin}\n");
            fs::write(folder.join("topology.conf"), machine.conf()).expect("a file");
        }
        fs::write(folder.join("slurm.conf"), conf).expect("a file");
        fs::write(folder.join("job.sh"), "#!/bin/sh\n").expect("a file");
        let conf = installation.inside(&folder.join("slurm.conf"));
        let process = installation
            .command("/usr/sbin/slurmctld")
            .args(["-D", "-c", "-f"])
            .arg(&conf)
            .env("SLURM_CONF", &conf)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a controller");
        let controller = Controller {
            installation,
            process,
            nodes: machine.nodes,
            folder,
        };
        for _ in 0..300 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return controller;
            }
            sleep(Duration::from_millis(100));
        }
        let folder = controller.folder.display();
        panic!("the controller does not listen; see {folder}/log");
    }

    /// The nodes that a job of so many gets, if only these are free: as Slurm writes them, counted
    /// from 1, or `-` if it gets none.
    ///
    /// # Panics
    /// If the controller says anything else.
    pub fn ask(&self, free: &Nodes, count: usize, cut: Cut) -> String {
        let busy = (0..self.nodes).filter(|node| !free.contains(node));
        let busy: Vec<String> = busy.map(|node| format!("n{}", node + 1)).collect();
        let mut sbatch = self.sbatch(count, cut);
        sbatch.arg("--test-only");
        if !busy.is_empty() {
            sbatch.args(["-x", &busy.join(",")]);
        }
        let said = sbatch.arg(self.script()).output().expect("an answer");
        let said = String::from_utf8(said.stderr).expect("a text");
        let Some((_, list)) = said.split_once(" on nodes ") else {
            let refusals = ["not available", "does not fit the job size"];
            assert!(
                refusals.iter().any(|refusal| said.contains(refusal)),
                "{count} of {free:?} by {cut:?}: {said}"
            );
            return "-".to_owned();
        };
        let list = list.split_whitespace().next().expect("nodes");
        counted(list)
    }

    /// Submits a job of so many nodes, and returns the nodes on which it starts, as
    /// [`Controller::ask`] does, and the number that ends it. One that must wait is taken back.
    ///
    /// # Panics
    /// If the controller says anything else, or nothing within a hundred seconds: it looks at all
    /// waiting jobs once a minute, where it had no time for one when it came.
    pub fn start_job(&self, count: usize, cut: Cut) -> (String, String) {
        let mut sbatch = self.sbatch(count, cut);
        let said = sbatch.arg("--parsable").arg(self.script()).output();
        let said = said.expect("an answer");
        if !said.status.success() {
            return ("-".to_owned(), String::new());
        }
        let job = String::from_utf8(said.stdout).expect("a text");
        let job = job.trim().to_owned();
        let mut row = String::new();
        for _ in 0..10_000 {
            row = self.squeue(&job);
            let [state, list, reason] = row.split('|').collect::<Vec<_>>()[..] else {
                panic!("job {job}: {row}");
            };
            if state != "PENDING" {
                return (counted(list), job);
            }
            // Since 26.05 it may say what a switch or block lacks.
            if reason.trim() == "Resources" || reason.contains("topology") {
                self.end_job(&job);
                return ("-".to_owned(), String::new());
            }
            sleep(Duration::from_millis(10));
        }
        panic!("job {job} of {count} nodes neither starts nor waits for resources: {row}");
    }

    /// Ends a job, whose nodes then are free.
    ///
    /// # Panics
    /// If it has not ended after ten seconds.
    pub fn end_job(&self, job: &str) {
        succeeds(self.command("/usr/bin/scancel").arg(job)).expect("it is cancelled");
        for _ in 0..1000 {
            if self.squeue(job).is_empty() {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("job {job} does not end");
    }

    /// A job's state, nodes and reason to wait; empty once it has ended.
    fn squeue(&self, job: &str) -> String {
        let mut squeue = self.command("/usr/bin/squeue");
        let said = squeue.args(["-h", "-j", job, "-o", "%T|%N|%r"]).output();
        let row = String::from_utf8(said.expect("an answer").stdout).expect("a text");
        row.trim().to_owned()
    }

    /// A client's program that asks this controller.
    fn command(&self, program: &str) -> Command {
        let mut command = self.installation.command(program);
        let conf = self.folder.join("slurm.conf");
        command.env("SLURM_CONF", self.installation.inside(&conf));
        command
    }

    fn script(&self) -> PathBuf {
        self.installation.inside(&self.folder.join("job.sh"))
    }

    /// The submission of a job, without its script.
    fn sbatch(&self, count: usize, cut: Cut) -> Command {
        let mut sbatch = self.command("/usr/bin/sbatch");
        sbatch.args(["--exclusive", "-N", &count.to_string()]);
        if cut.segment > 0 {
            sbatch.arg(format!("--segment={}", cut.segment));
        }
        if cut.spread {
            sbatch.arg("--spread-segments");
        }
        if cut.consolidate {
            sbatch.arg("--consolidate-segments");
        }
        sbatch
    }
}

/// A list of nodes by their numbers from 1 on.
fn counted(list: &str) -> String {
    list.replace(['n', '[', ']'], "")
}
