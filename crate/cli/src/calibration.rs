//! Compares forecasts with what came, over a log.

use std::io::Write;
use std::num::NonZero;

use anyhow::{Result, anyhow};
use backfill_experiment::forecast::calibration::{self, BINS, Case, Group};
use backfill_experiment::forecast::report::length;
use backfill_experiment::forecast::timeline::Timeline;
use backfill_sim::setup::Setup;

use crate::workers;

/// How forecasts are compared.
pub(crate) struct Calibration {
    /// At how many instants.
    pub(crate) count: NonZero<u32>,
    /// How many futures each has.
    pub(crate) futures: NonZero<u32>,
    /// How many forecasts are made at once.
    pub(crate) workers: Option<NonZero<usize>>,
    /// Whether data are printed in place of tables.
    pub(crate) json: bool,
}

impl Calibration {
    /// Makes the forecasts and prints how they compare.
    pub(crate) fn print(
        &self,
        setup: &Setup,
        timeline: &Timeline,
        out: &mut impl Write,
    ) -> Result<()> {
        let (count, futures) = (self.count.get(), self.futures.get());
        let asked = calibration::asked(timeline, count);
        let cases = workers::in_order(&asked, self.workers, |&job| {
            calibration::case(setup, timeline, job, futures)
        });
        let cases: Result<Vec<Case>, String> = cases.into_iter().collect();
        let cases = cases.map_err(|why| anyhow!("--calibrate {count}: {why}"))?;
        let groups = calibration::groups(&cases);
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&groups)?)?;
            return Ok(());
        }
        writeln!(
            out,
            "{} of {count} instants of the second half ask about different jobs; {futures} futures \
             each, under {}.\nP10–P90: share of true starts from P10 to P90; spread: the same where a \
             start that several futures share counts by their shares.\n",
            asked.len(),
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
