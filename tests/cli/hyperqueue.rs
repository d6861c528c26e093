//! A study on a real HyperQueue: a server and a worker that its Python package starts here.
//!
//! `BACKFILL_HYPERQUEUE` names a Python that has the package `hyperqueue`.

use super::*;

const SCENARIO: &str = "jobs=200 reps=5 policy=fcfs,easy x=load:0.7,0.9";

#[test]
fn a_study_on_hyperqueue_is_what_one_machine_gives() {
    let Some(python) = std::env::var_os("BACKFILL_HYPERQUEUE") else {
        return skipped("BACKFILL_HYPERQUEUE is not set");
    };
    let folder = folder();
    let folder = folder.path();
    let one = printed(folder, &words_of(&["run", SCENARIO]));
    printed(
        folder,
        &words_of(&["hq", SCENARIO, "--parts 12 --out study -- --priority 5"]),
    );
    let submit = fs::read_to_string(folder.join("study/submit")).unwrap();
    assert!(submit.contains(" --wait --priority 5 "), "{submit}");
    // A server that never answers would hold all other tests up.
    let tasks = Command::new("timeout")
        .arg("120")
        .arg(python)
        .args([
            concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../tests/cli/local_cluster.py"
            ),
            "12",
        ])
        .current_dir(folder.join("study"))
        .output()
        .expect("timeout starts");
    assert!(
        tasks.status.success(),
        "{}",
        String::from_utf8_lossy(&tasks.stderr)
    );
    assert_eq!(names(&folder.join("study/parts")).len(), 12);
    let merged = Command::new(folder.join("study/merge"))
        .output()
        .expect("a shell");
    assert_eq!(String::from_utf8(merged.stdout).unwrap(), one);
    // Nothing is written over that is there.
    assert_eq!(
        refused(folder, &words_of(&["hq", SCENARIO, "--out study"])),
        "backfill: study exists already: name a new folder by --out\n"
    );
}
