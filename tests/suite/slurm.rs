//! Slurm's placements against real controllers. `golden/slurm.txt` has what those of 22.05.8,
//! 24.11.5 and 26.05.5 answered once; every machine compares our placements with it, and whether
//! they still answer so is asked where they are.
//!
//! A line is a machine: the kind and the number that it is drawn by, then the nodes for each case,
//! `-` where the job must wait or is refused; generations that differ are between slashes, from
//! the oldest. `UPDATE=1 cargo xtask test --long three_versions_of_slurm` writes it again, and
//! keeps the answers of a version that is not there.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::thread;

use backfill_experiment::files::topology;
use backfill_experiment::language::tree::{parse, written};
use backfill_sim::rng::Stream;
use backfill_sim::system::tree::Tree;
use backfill_sim::system::tree::place::TopologyPlacement::{
    self, SlurmBlock, SlurmLinear, SlurmTree,
};
use backfill_tests::skips_long;
use backfill_tests::slurmctld::{Controller, Installation, VERSIONS, Version};
use backfill_tests::topology::{
    Cut, Machine, Nodes, random_blocks, random_tree, with_second_parents,
};

use crate::topology::{WHOLE, given, machine, random_free, with_free};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/slurm.txt");

/// Machines of each kind.
const MACHINES: u64 = 60;

/// Cases on each.
const CASES: usize = 50;

/// Machines that are alike in what is asked of them.
struct Kind {
    name: &'static str,
    placement: TopologyPlacement,
    /// Slurm's plugin.
    plugin: Option<&'static str>,
    /// The generations that know such machines and requests.
    rules: &'static [u32],
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "tree",
        placement: SlurmTree,
        plugin: Some("topology/tree"),
        rules: &[22, 24, 26],
    },
    Kind {
        name: "linear",
        placement: SlurmLinear,
        plugin: None,
        rules: &[22, 24, 26],
    },
    Kind {
        name: "block",
        placement: SlurmBlock,
        plugin: Some("topology/block"),
        rules: &[24, 26],
    },
    // Small and empty blocks, `--spread-segments` and `--consolidate-segments`.
    Kind {
        name: "uneven-block",
        placement: SlurmBlock,
        plugin: Some("topology/block"),
        rules: &[26],
    },
];

/// A job of so many nodes where only these are free.
#[derive(Debug)]
struct Case {
    free: Nodes,
    count: usize,
    cut: Cut,
}

/// The machine of a number and what is asked of it.
fn drawn(kind: &Kind, number: u64) -> (Machine, Vec<Case>) {
    let mut draws = Stream::new(42, 0, &format!("real slurm, {}", kind.name), number);
    let draws = &mut draws;
    let mut plain = match kind.placement {
        SlurmBlock => loop {
            let blocks = random_blocks(draws, kind.name == "uneven-block");
            if blocks.nodes > 0 {
                break blocks;
            }
        },
        _ => random_tree(draws, if number.is_multiple_of(4) { 30 } else { 9 }),
    };
    if kind.placement == SlurmTree && number.is_multiple_of(3) {
        plain = with_second_parents(plain, draws);
    }
    // The last nodes are in no switch or block.
    plain.nodes += draws.below(4) as u32;
    let cases = (0..CASES).map(|_| {
        let free = random_free(draws, plain.nodes);
        let count = 1 + draws.below(free.len() as u64 + 1) as usize;
        let (count, cut) = drawn_cut(kind, count, draws);
        let count = count.min(plain.nodes as usize);
        Case { free, count, cut }
    });
    let cases = cases.collect();
    (plain, cases)
}

/// How a job of about so many nodes is cut into segments, and how many it takes then.
fn drawn_cut(kind: &Kind, count: usize, draws: &mut Stream) -> (usize, Cut) {
    if kind.placement != SlurmBlock {
        return (count, WHOLE);
    }
    let is_uneven = kind.name == "uneven-block";
    let cut = Cut {
        segment: [0, 0, 1, 2, 3, 4][draws.below(6) as usize],
        spread: is_uneven && draws.below(3) == 0,
        consolidate: is_uneven && draws.below(3) == 0,
    };
    if cut.segment > 0 && draws.below(10) > 0 {
        return (count.next_multiple_of(cut.segment), cut);
    }
    (count, cut)
}

/// The same machine as ours, idle.
fn ours(plain: &Machine) -> Tree {
    let shape = topology::read(&plain.conf()).expect("a topology").shape;
    let others = shape.nodes() + 1..=plain.nodes;
    if others.is_empty() {
        return machine(shape, 1);
    }
    let others = format!("+n{}-{}", others.start(), others.end());
    let shape = parse(&(written(&shape) + &others)).expect("a tree");
    machine(shape, 1)
}

/// Nodes as Slurm writes them.
fn text(nodes: Option<Nodes>) -> String {
    let Some(nodes) = nodes else {
        return "-".to_owned();
    };
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for node in nodes {
        match ranges.last_mut() {
            Some((_, last)) if *last == node => *last += 1,
            _ => ranges.push((node + 1, node + 1)),
        }
    }
    let range = |(first, last)| match first == last {
        true => format!("{first}"),
        false => format!("{first}-{last}"),
    };
    let ranges: Vec<String> = ranges.into_iter().map(range).collect();
    ranges.join(",")
}

/// The answers for each case, by kind, number and rule.
type Answers = BTreeMap<(&'static str, u64, u32), Vec<String>>;

fn on_file() -> Answers {
    let mut answers = Answers::new();
    let golden = fs::read_to_string(FILE).expect("the file is readable");
    for line in golden.lines() {
        let mut words = line.split(' ');
        let [name, number] = [(); 2].map(|()| words.next().expect("a kind and a number"));
        let kind = KINDS.iter().find(|kind| kind.name == name);
        let kind = kind.expect("a kind");
        let number = number.parse().expect("a number");
        for word in words {
            let each: Vec<&str> = word.split('/').collect();
            for (at, &rule) in kind.rules.iter().enumerate() {
                let answer = each.get(at).unwrap_or(&each[0]);
                let known = answers.entry((kind.name, number, rule)).or_default();
                known.push((*answer).to_owned());
            }
        }
    }
    answers
}

fn file_of(answers: &Answers) -> String {
    let mut text = String::new();
    for kind in &KINDS {
        for number in 0..MACHINES {
            text += &format!("{} {number}", kind.name);
            for case in 0..CASES {
                let answer = |rule: &u32| {
                    let known = answers.get(&(kind.name, number, *rule));
                    known.expect("new cases take all versions")[case].as_str()
                };
                let mut each: Vec<&str> = kind.rules.iter().map(answer).collect();
                if each.iter().all(|answer| *answer == each[0]) {
                    each.truncate(1);
                }
                text += &format!(" {}", each.join("/"));
            }
            text.push('\n');
        }
    }
    text
}

#[test]
fn three_thousand_cases_of_each_rule_are_placed_as_slurm_placed_them() {
    let golden = on_file();
    let mut seen: BTreeMap<(&str, u32), [usize; 2]> = BTreeMap::new();
    for kind in &KINDS {
        for number in 0..MACHINES {
            let (plain, cases) = drawn(kind, number);
            let tree = ours(&plain);
            for &rule in kind.rules {
                let real = &golden[&(kind.name, number, rule)];
                assert_eq!(real.len(), cases.len());
                for (case, real) in cases.iter().zip(real) {
                    let free = with_free(&tree, &case.free);
                    let answer = text(given(&free, kind.placement, rule, case.cut, case.count));
                    let conf = plain.conf();
                    assert_eq!(&answer, real, "rule {rule}, {case:?}\n{conf}");
                    seen.entry((kind.name, rule)).or_default()[usize::from(real != "-")] += 1;
                }
            }
        }
    }
    assert_eq!(seen.len(), 9);
    for [waits, starts] in seen.into_values() {
        assert_eq!(waits + starts, 3000);
        assert!(waits > 300 && starts > 1000, "{waits} wait, {starts} start");
    }
}

/// A temporary folder, which goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("backfill-slurm-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left of it does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is found of each kind that a version knows, on a thread for each: a controller mostly waits.
fn of_kinds<T: Send>(version: Version, of: impl Fn(&'static Kind) -> T + Sync) -> Vec<T> {
    let known = KINDS
        .iter()
        .filter(|kind| kind.rules.contains(&version.rule));
    thread::scope(|scope| {
        let of = &of;
        let found: Vec<_> = known.map(|kind| scope.spawn(move || of(kind))).collect();
        let joined = found
            .into_iter()
            .map(|found| found.join().expect("it is as on file"));
        joined.collect()
    })
}

/// What real controllers answer for the first machines of each kind that they know.
fn asked(installation: &Installation, machines: u64) -> Answers {
    let version = installation.version();
    let answers = of_kinds(version, |kind| {
        let answers = (0..machines).map(|number| {
            let (plain, cases) = drawn(kind, number);
            let controller = Controller::start(installation, &plain, kind.plugin);
            let real = cases
                .iter()
                .map(|case| controller.ask(&case.free, case.count, case.cut));
            ((kind.name, number, version.rule), real.collect())
        });
        answers.collect::<Answers>()
    });
    answers.into_iter().flatten().collect()
}

#[track_caller]
fn assert_on_file(golden: &Answers, real: &Answers) {
    for (of, real) in real {
        assert_eq!(Some(real), golden.get(of), "{of:?}");
    }
}

/// Jobs start and end on the first machines of each kind that real controllers know; each gets the
/// nodes that we would give it. Returns how many have started.
fn run_jobs(installation: &Installation, machines: u64, steps: usize) -> usize {
    let started = of_kinds(installation.version(), |kind| {
        let started = (0..machines).map(|number| run_jobs_on(installation, kind, number, steps));
        started.sum::<usize>()
    });
    started.into_iter().sum()
}

/// The same on one machine, one job after the other.
fn run_jobs_on(installation: &Installation, kind: &Kind, number: u64, steps: usize) -> usize {
    let rule = installation.version().rule;
    let mut started = 0;
    let (plain, _) = drawn(kind, number);
    let tree = ours(&plain);
    let controller = Controller::start(installation, &plain, kind.plugin);
    let mut draws = Stream::new(42, 0, &format!("real jobs, {}", kind.name), number);
    let mut free: Nodes = (0..plain.nodes).collect();
    let mut running: Vec<(String, Nodes)> = Vec::new();
    for step in 0..steps {
        if !running.is_empty() && (free.is_empty() || draws.below(5) < 2) {
            let (job, nodes) = running.remove(draws.below(running.len() as u64) as usize);
            controller.end_job(&job);
            free.extend(nodes);
            continue;
        }
        let most = free.len().min(1 + plain.nodes as usize / 3);
        let count = 1 + draws.below(most as u64) as usize;
        let (count, cut) = drawn_cut(kind, count, &mut draws);
        let here = with_free(&tree, &free);
        let nodes = given(&here, kind.placement, rule, cut, count);
        let (real, job) = controller.start_job(count, cut);
        assert_eq!(
            text(nodes.clone()),
            real,
            "{} {number} rule {rule}, step {step}: {count} of {free:?} by {cut:?}\n{}",
            kind.name,
            plain.conf()
        );
        if let Some(nodes) = nodes {
            free.retain(|node| !nodes.contains(node));
            running.push((job, nodes));
            started += 1;
        }
    }
    started
}

#[test]
#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
fn slurm_22_05_answers_as_on_file() {
    let folder = Folder::new("daily");
    match Installation::open(VERSIONS[0], &folder.0) {
        Ok(installation) => {
            assert_on_file(&on_file(), &asked(&installation, 10));
            assert!(run_jobs(&installation, 2, 20) > 40);
        }
        Err(why) => eprintln!("skipped: Slurm 22.05: {why}"),
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
fn three_versions_of_slurm_answer_as_on_file() {
    if skips_long() {
        return;
    }
    let mut golden = on_file();
    let is_update = std::env::var_os("UPDATE").is_some();
    let answers = |version: Version| {
        let folder = Folder::new(version.number);
        let root = format!("{}/slurm-{}", env!("CARGO_TARGET_TMPDIR"), version.number);
        let installation = Installation::open(version, &folder.0)
            .or_else(|_| Installation::closed(version, root.into()));
        match installation {
            Ok(installation) => {
                let answers = asked(&installation, MACHINES);
                if !is_update {
                    assert_on_file(&golden, &answers);
                    let started = run_jobs(&installation, 10, 60);
                    eprintln!("Slurm {}: {started} jobs started", version.number);
                }
                answers
            }
            Err(why) => {
                eprintln!("skipped: Slurm {}: {why}", version.number);
                Answers::new()
            }
        }
    };
    let answers = thread::scope(|scope| {
        // A controller mostly waits.
        let answers = &answers;
        let asked = VERSIONS.map(|version| scope.spawn(move || answers(version)));
        asked.map(|asked| asked.join().expect("they are as on file"))
    });
    if is_update {
        golden.extend(answers.into_iter().flatten());
        fs::write(FILE, file_of(&golden)).expect("the file is writable");
    }
}
