//! A sentence on what was simulated for a figure against what its text states: made from the
//! scenario that ran, so that no caption has another number.

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::language::words::grouped;
use backfill_sim::workload::SourceKind;

/// The number of jobs that the text states for a point of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// The text states none.
    Unstated,
    /// As many as a full run here.
    AsHere,
    /// Another number than a full run here.
    Jobs {
        /// Jobs of one run; on several clusters, of one cluster.
        jobs: u64,
        /// The number of runs, if stated.
        runs: Option<u32>,
    },
}

/// What `here` simulates, compared with a full run and with what is stated.
pub(super) fn what_was_simulated(
    here: &Scenario,
    full: &Scenario,
    title: &str,
    stated: Stated,
) -> String {
    let mut text = format!("{} replications of {}", here.reps(), jobs_of(here, title));
    let clusters = here.relevant("clusters");
    let clusters = clusters
        .then(|| here.get("clusters").parse().ok())
        .flatten();
    let a_cluster = if clusters.is_some() { " a cluster" } else { "" };
    if let (Some(clusters), Some(jobs)) = (clusters, count(here)) {
        let share: u64 = clusters;
        text += &format!(", {}{a_cluster}", grouped(jobs / share));
    }
    text += &match (stated, count(here), count(full)) {
        (Stated::Unstated, ..) => String::new(),
        (Stated::AsHere, here, full) if here == full => ", as many jobs as in the paper".to_owned(),
        (Stated::AsHere, _, full) => {
            format!(", in place of {} in the paper", grouped(full.unwrap_or(0)))
        }
        (Stated::Jobs { jobs, runs }, ..) => {
            let runs = runs.map_or(String::new(), |runs| format!(" in each of {runs} runs"));
            let jobs = grouped(jobs);
            format!(", in place of {jobs}{a_cluster}{runs} in the paper")
        }
    };
    text.push('.');
    let values = |scenario: &Scenario| scenario.x().map_or(0, |axis| axis.values.len());
    let [some, all] = [here, full].map(values);
    if some < all {
        text += &format!(" Of {all} values of x, {some} are simulated.");
    }
    text
}

/// The number of jobs of a scenario, unless it takes all of a log.
fn count(scenario: &Scenario) -> Option<u64> {
    let key = if scenario.source() == SourceKind::Swf {
        "first"
    } else {
        "jobs"
    };
    scenario.get(key).parse().ok()
}

/// The jobs of a scenario in words; `title` names them if not empty.
pub(super) fn jobs_of(scenario: &Scenario, title: &str) -> String {
    let of = match title {
        "" => String::new(),
        title => format!(" of {title}"),
    };
    match (scenario.source(), count(scenario)) {
        (SourceKind::Swf, Some(jobs)) => format!("the first {} jobs{of}", grouped(jobs)),
        (SourceKind::Swf, None) => format!("all jobs{of} that are taken"),
        (_, jobs) => format!("{} jobs{of}", grouped(jobs.unwrap_or(0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, Figure, FigureKind, Interpretation, WorkloadFrom, figures};

    /// The numbers before a word.
    fn numbers_before(caption: &str, word: &str) -> Vec<u64> {
        let words: Vec<&str> = caption.split([' ', '.', ';', ':']).collect();
        let pairs = words.windows(2);
        let pairs = pairs.filter(|pair| pair[1].trim_end_matches(',') == word);
        pairs
            .filter_map(|pair| pair[0].replace(',', "").parse().ok())
            .collect()
    }

    /// Numbers of jobs and replications in a caption are those of its scenario, for either effort
    /// and with or without the log; numbers of the text follow `in place of`.
    #[test]
    fn captions_say_what_ran() {
        let mut others = 0;
        for figure in figures() {
            for effort in Effort::ALL {
                for logs in [true, false] {
                    let caption = figure.full_caption(effort, |_| logs);
                    let from = if logs || figure.log().is_none() {
                        WorkloadFrom::Log
                    } else {
                        WorkloadFrom::LookAlike
                    };
                    let scenarios: Vec<Scenario> = match figure.kind {
                        FigureKind::Weights(_) | FigureKind::Step(_) => Vec::new(),
                        FigureKind::Calibration(calibration) => vec![calibration.scenario()],
                        FigureKind::Table(table) => {
                            let from = if logs {
                                WorkloadFrom::Log
                            } else {
                                WorkloadFrom::LookAlike
                            };
                            let sources = table.workloads.iter();
                            sources.map(|source| source.scenario(from)).collect()
                        }
                        FigureKind::Decisions(decisions) => vec![decisions.scenario(effort)],
                        FigureKind::Sweep(sweep) => {
                            vec![sweep.scenario(&Interpretation::default(), effort, from)]
                        }
                    };
                    let ran = caption.split(", in place of ").next().unwrap_or_default();
                    let jobs: Vec<u64> = scenarios.iter().filter_map(count).collect();
                    assert_eq!(
                        numbers_before(ran, "jobs"),
                        jobs,
                        "{}: {caption}",
                        figure.id
                    );
                    let replications = match figure.kind {
                        FigureKind::Weights(_)
                        | FigureKind::Step(_)
                        | FigureKind::Calibration(_) => vec![],
                        _ => vec![u64::from(effort.replications())],
                    };
                    let stated = numbers_before(ran, "replications");
                    assert_eq!(stated, replications, "{}: {caption}", figure.id);
                    others += usize::from(caption.contains("in place of"));
                }
            }
        }
        assert!(
            others > 100,
            "{others} captions state another number of the text"
        );
    }

    #[test]
    fn captions_of_some_figures_in_full() {
        let caption = |id, effort| {
            let figure = Figure::named(id).expect("there is such a figure");
            let caption = figure.full_caption(effort, |_| true);
            let own = caption.strip_prefix(figure.caption);
            own.expect("it begins with the figure's own")
                .trim()
                .to_owned()
        };
        for (id, effort, words) in [
            ("fig2", Effort::Full, ""),
            (
                "table1",
                Effort::Full,
                "20 replications of the first 1,000 jobs of KTH-SP2 and the first 1,000 jobs of NASA-iPSC.",
            ),
            ("fig4", Effort::Quick, "5 replications of 1,000 jobs."),
            (
                "fig6a",
                Effort::Full,
                "20 replications of the first 1,000 jobs of KTH-SP2, as many jobs as in the paper.",
            ),
            (
                "p2-fig3-response",
                Effort::Full,
                "20 replications of 20,000 jobs, as many jobs as in the paper.",
            ),
            (
                "p2-cost-j",
                Effort::Quick,
                "5 replications of 1,500 jobs, in place of 10,000 in the paper. Of 8 values of x, 3 are \
                 simulated.",
            ),
            (
                "p3-fig9",
                Effort::Full,
                "20 replications of 40,000 jobs, 20,000 a cluster, in place of 4,000,000 a cluster in the \
                 paper.",
            ),
            (
                "p3-fig24",
                Effort::Quick,
                "5 replications of 6,000 jobs, 1,500 a cluster, in place of 400,000 a cluster in the paper.",
            ),
            (
                "p4-fig2",
                Effort::Quick,
                "5 replications of 2,000 jobs, in place of 100,000 in each of 50 runs in the paper.",
            ),
            (
                "p4-table3-art",
                Effort::Full,
                "20 replications of all jobs of RICC that are taken, as many jobs as in the paper.",
            ),
        ] {
            assert_eq!(caption(id, effort), words, "{id}");
        }
    }
}
