//! Compares forecasts with what came, over a log.

use std::io::Write;
use std::num::NonZero;

use anyhow::{Result, anyhow};
use backfill_experiment::forecast::answer::{self, Forecast};
use backfill_experiment::forecast::calibration::{self, BINS, Case, Group};
use backfill_experiment::forecast::future::Course;
use backfill_experiment::forecast::report::length;
use backfill_experiment::forecast::timeline::Timeline;
use backfill_sim::setup::Setup;

use crate::workers;

/// Which forecasts are compared with what came.
pub(crate) struct Forecasts {
    /// At how many instants.
    pub(crate) count: u32,
    /// How many futures each has.
    pub(crate) futures: u32,
    /// How many forecasts are made at once.
    pub(crate) workers: Option<NonZero<usize>>,
}

impl Forecasts {
    /// Makes the forecasts.
    pub(crate) fn cases(&self, setup: &Setup, timeline: &mut Timeline) -> Result<Vec<Case>> {
        let count = self.count;
        let asked = calibration::asked(timeline, count);
        let seeds: Vec<u64> = (0..u64::from(self.futures)).collect();
        let case = |(job, truth)| {
            calibration::case(setup, timeline, job, truth, |state, question| {
                let starts = workers::in_order(&seeds, self.workers, |&seed| {
                    answer::start(setup, state, question, Course::Drawn(seed))
                });
                Forecast::of(state.at, starts)
            })
        };
        let cases: Result<Vec<Case>, String> = asked.into_iter().map(case).collect();
        cases.map_err(|why| anyhow!("forecasts at {count} instants: {why}"))
    }

    /// Makes the forecasts and prints how they compare, as tables or as data.
    pub(crate) fn print(
        &self,
        setup: &Setup,
        timeline: &mut Timeline,
        json: bool,
        out: &mut impl Write,
    ) -> Result<()> {
        let cases = self.cases(setup, timeline)?;
        let groups = calibration::groups(&cases);
        if json {
            writeln!(out, "{}", serde_json::to_string_pretty(&groups)?)?;
            return Ok(());
        }
        writeln!(
            out,
            "{} of {} instants of the second half ask about different jobs; {} futures each, under \
             {}.\nP10–P90: share of true starts from P10 to P90; spread: the same where a start that \
             several futures share counts by their shares.\n",
            cases.len(),
            self.count,
            self.futures,
            setup.queue.name()
        )?;
        table(&groups, out)
    }
}

/// Groups of cases as a table.
fn table(groups: &[Group], out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "{:<20}{:>7}{:>10}{:>10}{:>14}{:>14}{:>7}",
        "", "cases", "P10–P90", "spread", "P50 error", "optimist", "ratio"
    )?;
    for group in groups {
        let ratio = group.median_error_s / group.optimist_error_s;
        let ratio = if ratio.is_finite() {
            format!("{ratio:.2}")
        } else {
            "-".to_owned()
        };
        writeln!(
            out,
            "{:<20}{:>7}{:>8.1} %{:>8.1} %{:>14}{:>14}{ratio:>7}",
            group.name,
            group.cases,
            100.0 * group.inside,
            100.0 * group.inside_spread,
            length(group.median_error_s),
            length(group.optimist_error_s),
        )?;
    }
    writeln!(
        out,
        "\nProbability integral transform: share of cases in % by tenth; each {} where the forecast is \
         right",
        100 / BINS
    )?;
    for group in groups {
        write!(out, "{:<20}", group.name)?;
        for share in &group.histogram {
            write!(out, "{:>6.1}", 100.0 * share)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
