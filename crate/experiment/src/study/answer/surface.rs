//! A metric over two swept keys: its numbers by policy, and where they are least and greatest.

use std::fmt::Write as _;

use backfill_sim::metrics::METRICS;
use backfill_sim::stats::MeanEstimate;
use serde::Serialize;

use crate::study::answer::Answer;
use crate::study::answer::numbers::{Unit, Value, printed};
use crate::study::answer::summary::{AxisValues, values};

/// The heatmaps of a metric.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The label of the metric.
    pub title: String,
    /// Its unit, as metrics write it.
    pub unit: &'static str,
    /// The unit in which they are shown.
    pub shown: Unit,
    /// The values from left to right.
    pub x: AxisValues,
    /// The values from bottom to top.
    pub y: AxisValues,
    /// One for each policy.
    pub panels: Vec<Panel>,
}

/// The heatmap of one policy.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The position of the policy.
    pub policy: usize,
    /// Its label.
    pub label: String,
    /// The numbers, by value of y and of x; `None` if there is none.
    pub rows: Vec<Vec<Option<MeanEstimate>>>,
}

/// The heatmaps in words and as tables.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct SurfaceNumbers {
    /// The printed unit of the numbers.
    pub unit: &'static str,
    /// Where the numbers are least and greatest; empty if there are none.
    pub words: String,
    /// The numbers by policy, value of y and value of x.
    pub panels: Vec<Vec<Vec<Option<Value>>>>,
}

impl Answer<'_> {
    /// The heatmaps of a metric, by its position in [`METRICS`], without the policies in `hidden`;
    /// `None` unless two keys are swept.
    pub fn surface(&self, metric: usize, hidden: &[u32]) -> Option<Surface> {
        let (x, y) = (self.scenario.x()?, self.scenario.y()?);
        let empty = vec![vec![None; x.values.len()]; y.values.len()];
        let mut panels: Vec<Panel> = self
            .policies()
            .enumerate()
            .map(|(policy, label)| Panel {
                policy,
                label,
                rows: empty.clone(),
            })
            .collect();
        let points = self.results.points().into_iter();
        for point in points.filter(|point| point.metric == metric) {
            panels[point.policy].rows[point.y][point.x] = Some(point.value);
        }
        panels.retain(|panel| !hidden.contains(&(panel.policy as u32)));
        Some(Surface {
            title: METRICS[metric].label.to_owned(),
            unit: METRICS[metric].unit,
            shown: self.unit(metric),
            x: values(Some(x)),
            y: values(Some(y)),
            panels,
        })
    }
}

impl Surface {
    /// Every number with its panel and its values of y and x.
    pub fn numbers(&self) -> impl Iterator<Item = (&Panel, usize, usize, MeanEstimate)> {
        let rows = self.panels.iter().flat_map(|panel| {
            let rows = panel.rows.iter().enumerate();
            rows.map(move |(y, row)| (panel, y, row))
        });
        rows.flat_map(|(panel, y, row)| {
            let cells = row.iter().enumerate();
            cells.filter_map(move |(x, value)| Some((panel, y, x, (*value)?)))
        })
    }

    /// In words and as tables.
    pub fn told(&self) -> SurfaceNumbers {
        let by_mean = |one: &(&Panel, usize, usize, MeanEstimate),
                       other: &(&Panel, usize, usize, MeanEstimate)| {
            one.3.mean.total_cmp(&other.3.mean)
        };
        let least = self.numbers().min_by(by_mean);
        let greatest = self.numbers().max_by(by_mean);
        let mut words = String::new();
        if let (Some(least), Some(greatest)) = (least, greatest)
            && least.3.mean == greatest.3.mean
        {
            words = format!("{} is {} in every cell.", self.title, self.printed(least.3));
        } else {
            for (end, found) in [("least", least), ("greatest", greatest)] {
                let Some((panel, y, x, value)) = found else {
                    continue;
                };
                // `write!` to a string does not fail.
                let _ = write!(
                    words,
                    "{}{} is {end} at {} {} and {} {}, {}: {}.",
                    if words.is_empty() { "" } else { " " },
                    self.title,
                    self.x.label,
                    self.x.values[x],
                    self.y.label,
                    self.y.values[y],
                    panel.label,
                    self.printed(value)
                );
            }
        }
        let cell = |value: &Option<MeanEstimate>| value.map(|value| self.value(value));
        let row = |row: &Vec<Option<MeanEstimate>>| row.iter().map(cell).collect();
        SurfaceNumbers {
            unit: self.shown.name,
            words,
            panels: (self.panels.iter())
                .map(|panel| panel.rows.iter().map(row).collect())
                .collect(),
        }
    }

    /// A number in the unit of all.
    pub fn value(&self, value: MeanEstimate) -> Value {
        printed(self.unit, self.shown.of(value))
    }

    /// The same with its unit.
    pub fn printed(&self, value: MeanEstimate) -> String {
        let mean = self.value(value).mean;
        format!("{mean} {}", self.shown.name).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface() -> Surface {
        let value = |mean| {
            Some(MeanEstimate {
                mean,
                half_width: None,
                n: 1,
            })
        };
        let axis = |label: &str, values: &[&str]| AxisValues {
            label: label.to_owned(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
        };
        let panel = |policy, rows: [[Option<MeanEstimate>; 2]; 2]| Panel {
            policy,
            label: format!("P{policy}"),
            rows: rows.map(|row| row.to_vec()).to_vec(),
        };
        Surface {
            title: "Turnaround".to_owned(),
            unit: "s",
            shown: Unit {
                name: "s",
                size: 1.0,
            },
            x: axis("Bandwidth", &["200", "400"]),
            y: axis("Threshold", &["40", "60"]),
            panels: vec![
                panel(0, [[value(10.0), value(20.0)], [value(30.0), None]]),
                panel(3, [[value(50.0), value(60.0)], [value(70.0), value(110.0)]]),
            ],
        }
    }

    #[test]
    fn words_name_both_ends() {
        let numbers = surface().told();
        assert_eq!(
            numbers.words,
            "Turnaround is least at Bandwidth 200 and Threshold 40, P0: 10.00 s. \
             Turnaround is greatest at Bandwidth 400 and Threshold 60, P3: 110.0 s."
        );
        assert_eq!(numbers.panels[0][1][1], None);
    }
}
