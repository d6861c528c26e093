//! Lessons: scenarios, each with an instant at which a decision is worth a look, and a note.

/// The cluster of all lessons about the queue.
const QUEUE: [(&str, &str); 9] = [
    ("system", "nodes"),
    ("nodes", "16"),
    ("bandwidth", "none"),
    ("size", "uniform:1:12"),
    ("jobs", "40"),
    ("load", "0.8"),
    ("x", "none"),
    ("reps", "1"),
    ("seed", "1"),
];

/// The fat-tree of all lessons about links.
const TREE: [(&str, &str); 5] = [
    ("k", "4"),
    ("slots", "4"),
    ("jobs", "60"),
    ("x", "none"),
    ("reps", "1"),
];

/// Six lessons, in the order in which they build on one another.
pub const LESSONS: [Lesson; 6] = [
    Lesson {
        label: "1. Why the first job in the queue waits",
        common: &QUEUE,
        own: &[("policy", "fcfs")],
        view: "step:20+2,note:FCFS starts jobs in order of arrival. Job 9 asks for 11 nodes and \
               7 are free. Each of the jobs behind it would fit, yet they wait too. Which nodes \
               idle, and until when?",
    },
    Lesson {
        label: "2. What backfilling is",
        common: &QUEUE,
        own: &[("policy", "easy")],
        view: "step:27,note:EASY reserves nodes for job 9, which does not fit, and lets a later \
               job go ahead only if job 9 can still start then. Step on with the arrow: jobs 13 \
               and 15 both fit now. Why may only one of them start?",
    },
    Lesson {
        label: "3. What wrong estimates cost",
        common: &QUEUE,
        own: &[
            ("policy", "easy"),
            ("jobs", "200"),
            ("runtime", "exponential:2400"),
            ("estimate", "tsafrir"),
        ],
        view: "step:46+2,note:Job 19 has ended 17 hours before its estimate. Job 22 asks for 11 \
               nodes and would start now if job 24 had not been backfilled on 5 of them. EASY \
               promises job 22 its reservation, not the earliest start.",
    },
    Lesson {
        label: "4. What a bandwidth guarantee reserves",
        common: &TREE,
        own: &[
            ("policy", "none+adaba"),
            ("load", "0.6"),
            ("seed", "1"),
            ("bandwidth_mbps", "300"),
        ],
        view: "step:65+2,note:Job 38 asks for 10 slots of 261 Mbit/s each. A server that holds 3 \
               of them reserves 3 × 261 on its link, and so would one that holds 7: no more can \
               pass between 3 slots and the other 7. What does one with 2 reserve?",
    },
    Lesson {
        label: "5. Why AdaBa accepts what first fit refuses",
        common: &TREE,
        own: &[
            ("policy", "none+first-fit,none+adaba"),
            ("load", "0.8"),
            ("seed", "3"),
            ("bandwidth_mbps", "300"),
        ],
        view: "run:0+0+0+0+1,step:79+2,note:Both run the same jobs, and 17 of 64 slots are free. \
               Job 49 asks for 8 slots of 324 Mbit/s. First fit finds no placement and refuses \
               it; AdaBa, beside it, starts it on 3 servers. Which links are full in both \
               pictures?",
    },
    Lesson {
        label: "6. What preemption costs",
        common: &TREE,
        own: &[
            ("policy", "bgmbf"),
            ("load", "0.9"),
            ("seed", "1"),
            ("migration_cost_s", "60"),
        ],
        view: "step:39+6,note:BgMBF gives job 22 the room of job 23, which came later. Job 23 \
               starts again at once elsewhere, but holds its slots for 60 s without computing: \
               the migration cost. What changes if it is 600 s?",
    },
];

/// A scenario, and what to look at in it.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// What the choice of lessons calls it.
    pub label: &'static str,
    common: &'static [(&'static str, &'static str)],
    own: &'static [(&'static str, &'static str)],
    /// The view of its link: the pass, the number of its steps that are done, and a note of at most
    /// 240 characters.
    pub view: &'static str,
}

impl Lesson {
    /// The values of its keys.
    pub fn pairs(&self) -> Vec<(&'static str, &'static str)> {
        let is_own = |key: &str| self.own.iter().any(|&(own, _)| own == key);
        let common = self.common.iter().filter(|&&(key, _)| !is_own(key));
        common.chain(self.own).copied().collect()
    }
}
