//! Slurm's placements against the real controller of Debian 12, Slurm 22.05: the one installed, or
//! one that apt downloads. Where there is neither, nothing is compared.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use backfill_experiment::files::topology;
use backfill_sim::rng::Stream;
use backfill_sim::system::tree::place::TopologyPlacement;
use backfill_tests::topology::{Machine, Nodes, random_tree, with_second_parents};

use crate::topology::{WHOLE, given, machine, nodes, random_free, with_free};

/// Machines, every other one without a topology.
const MACHINES: u32 = 20;

/// Cases on each.
const CASES: u32 = 50;

/// Where Debian's packages of Slurm 22.05 are unpacked: the root, or a folder of our own.
fn installation(folder: &Path) -> Option<PathBuf> {
    let is_there = |root: &Path| {
        let version = Command::new(root.join("usr/sbin/slurmctld-wlm"))
            .env("LD_LIBRARY_PATH", libraries(root))
            .arg("-V")
            .output();
        version.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains("22.05"))
    };
    let system = PathBuf::from("/");
    if is_there(&system) {
        return Some(system);
    }
    let packages = ["slurmctld", "slurm-client", "slurm-wlm-basic-plugins"];
    let apt = Command::new("timeout")
        .args(["60", "apt-get", "download"])
        .args(packages)
        .current_dir(folder)
        .output();
    apt.ok().filter(|apt| apt.status.success())?;
    let root = folder.join("root");
    for entry in fs::read_dir(folder).ok()?.flatten() {
        if entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "deb")
        {
            let unpacked = Command::new("dpkg")
                .arg("-x")
                .args([&entry.path(), &root])
                .status();
            unpacked.ok().filter(|status| status.success())?;
        }
    }
    Some(root).filter(|root| is_there(root))
}

fn libraries(root: &Path) -> String {
    let folder = root.join("usr/lib/x86_64-linux-gnu");
    format!(
        "{}:{}",
        folder.display(),
        folder.join("slurm-wlm").display()
    )
}

/// A controller that runs; it is stopped when it is dropped.
struct Controller {
    process: Child,
    root: PathBuf,
    conf: PathBuf,
}

impl Drop for Controller {
    fn drop(&mut self) {
        // Only an already ended one cannot be stopped.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Controller {
    /// Starts one for a machine, with its topology or without.
    fn start(root: &Path, folder: &Path, machine: &Machine, tree: bool) -> Controller {
        let free = || TcpListener::bind("127.0.0.1:0")?.local_addr();
        let [port, other] = [free(), free()].map(|address| address.expect("a free port").port());
        fs::create_dir_all(folder.join("state")).expect("a folder");
        let user = Command::new("id")
            .arg("-un")
            .output()
            .expect("a user")
            .stdout;
        let user = String::from_utf8(user).expect("a name");
        let at = folder.display();
        let topology = if tree {
            "TopologyPlugin=topology/tree\n"
        } else {
            ""
        };
        let conf = format!(
            "ClusterName=x\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort={port}\nSlurmUser={user}\
             AuthType=auth/none\nCredType=cred/none\nSwitchType=switch/none\n\
             PluginDir={}\nStateSaveLocation={at}/state\nSlurmdSpoolDir={at}\n\
             SlurmctldPidFile={at}/pid\nSlurmctldLogFile={at}/log\nProctrackType=proctrack/pgid\n\
             TaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             MailProg=/bin/true\nResumeProgram=/bin/true\nSuspendProgram=/bin/true\n\
             SuspendTime=INFINITE\n{topology}\
             NodeName=n[1-{}] CPUs=1 State=CLOUD NodeAddr=127.0.0.1 Port={other}\n\
             PartitionName=p Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE State=UP MaxTime=INFINITE\n",
            root.join("usr/lib/x86_64-linux-gnu/slurm-wlm").display(),
            machine.nodes,
        );
        let path = folder.join("slurm.conf");
        fs::write(&path, conf).expect("a file");
        fs::write(folder.join("topology.conf"), machine.conf()).expect("a file");
        fs::write(folder.join("job.sh"), "#!/bin/sh\n").expect("a file");
        let process = Command::new(root.join("usr/sbin/slurmctld-wlm"))
            .args(["-D", "-c", "-f"])
            .arg(&path)
            .env("SLURM_CONF", &path)
            .env("LD_LIBRARY_PATH", libraries(root))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a controller");
        let controller = Controller {
            process,
            root: root.to_owned(),
            conf: path,
        };
        for _ in 0..300 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return controller;
            }
            sleep(Duration::from_millis(100));
        }
        panic!("the controller does not listen; see {at}/log");
    }

    /// The nodes that a job of so many gets, if only these are free.
    fn ask(&self, machine: &Machine, free: &Nodes, count: usize) -> Option<Nodes> {
        let busy = (0..machine.nodes).filter(|node| !free.contains(node));
        let busy: Vec<String> = busy.map(|node| format!("n{}", node + 1)).collect();
        let mut sbatch = Command::new(self.root.join("usr/bin/sbatch"));
        sbatch.args(["--test-only", "--exclusive", "-N", &count.to_string()]);
        if !busy.is_empty() {
            sbatch.args(["-x", &busy.join(",")]);
        }
        let said = sbatch
            .arg(self.conf.with_file_name("job.sh"))
            .env("SLURM_CONF", &self.conf)
            .env("LD_LIBRARY_PATH", libraries(&self.root))
            .output()
            .expect("an answer");
        let said = String::from_utf8(said.stderr).expect("a text");
        let Some((_, list)) = said.split_once(" on nodes ") else {
            assert!(said.contains("not available"), "{said}");
            return None;
        };
        let list = list.split_whitespace().next().expect("nodes");
        Some(nodes(&list.replace(['n', '[', ']'], "")))
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
fn trees_and_runs_of_nodes_are_placed_as_the_real_slurm_22_05_places_them() {
    let folder = std::env::temp_dir().join(format!("backfill-slurm-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let Some(root) = installation(&folder) else {
        eprintln!("skipped: there is no Slurm 22.05, and apt gives none");
        return;
    };
    let mut draws = Stream::new(42, 0, "real slurm", 0);
    let mut seen = [[0; 2]; 2];
    for number in 0..MACHINES {
        let plain = random_tree(&mut draws, if number % 4 == 0 { 20 } else { 8 });
        let plain = match number % 8 {
            0 | 2 | 4 => with_second_parents(plain, &mut draws),
            _ => plain,
        };
        let topology = topology::read(&plain.conf()).expect("a topology");
        let tree = machine(topology.shape, 1);
        let by_tree = number % 2 == 0;
        let placement = match by_tree {
            true => TopologyPlacement::SlurmTree,
            false => TopologyPlacement::SlurmLinear,
        };
        let own = folder.join(number.to_string());
        let controller = Controller::start(&root, &own, &plain, by_tree);
        for _ in 0..CASES {
            let free = random_free(&mut draws, plain.nodes);
            let count = 1 + draws.below(u64::from(plain.nodes)) as usize;
            let answer = given(&with_free(&tree, &free), placement, 22, WHOLE, count);
            let real = controller.ask(&plain, &free, count);
            assert_eq!(answer, real, "{count} of {free:?}\n{}", plain.conf());
            seen[usize::from(by_tree)][usize::from(real.is_some())] += 1;
        }
    }
    // Of trees and of runs of nodes: cases that wait, and that start.
    assert!(
        seen.as_flattened().iter().all(|&cases| cases > 0),
        "{seen:?}"
    );
    fs::remove_dir_all(&folder).expect("the folder goes");
}
