//! Two kept runs on one machine: the picture of the second and of the difference, the difference of
//! each cell, and the second run over time.
//!
//! Both are seen at the same instant, in seconds since the first submit, or averaged over each run.
//! With `used` shares are what jobs use of shared links, else what they reserve.

use crate::inspect::Inspector;
use crate::replay::{Replay, shades};
use crate::{plain, refusal};
use backfill_experiment::inspect::side_by_side::{SharesBeside, mean};
use backfill_plot::colour::{Contrast, TOLD_APART};
use backfill_plot::raster::contrast_legend;
use backfill_sim::system::describe::Describe;
use js_sys::{Float32Array, Float64Array, Uint8ClampedArray};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The picture of a run as numbers.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Cells {
    /// The share in use, averaged over the parts.
    mean: f64,
    /// The run compared with; null if there is none.
    beside: Option<Beside>,
    /// The number of parts.
    parts: usize,
    /// The part whose shares differ most, or for one run the part that is most in use.
    furthest: Option<CellRow>,
}

/// Some of the cells that match a search.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct CellRows {
    /// The number of all that match.
    found: usize,
    /// The requested ones.
    rows: Vec<CellRow>,
}

#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "CellsBeside")]
struct Beside {
    /// The share in use, averaged over its parts.
    mean: f64,
    /// The number of parts of which the first run uses more than this one.
    more: usize,
    /// The number of parts of which the first run uses less than this one.
    less: usize,
    /// The numbers of running, waiting and paused jobs, and of migrations so far; null if shares
    /// are averaged over the run.
    #[ts(as = "Option<[u32; 4]>")]
    jobs: Option<Vec<u32>>,
}

/// A cell of the picture of a run, and of the run compared with.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "CellRow")]
struct CellRow {
    /// The name of its part.
    name: String,
    /// Its share in the run.
    share: f32,
    /// Its share in the run compared with; null if there is none.
    beside: Option<f32>,
}

impl CellRow {
    fn of(part: usize, shares: &SharesBeside, system: &dyn Describe) -> CellRow {
        CellRow {
            name: system.part(part),
            share: shares.own[part],
            beside: shares.other.as_ref().map(|other| other[part]),
        }
    }
}

impl Inspector {
    fn beside(&self) -> Result<&Inspector, JsValue> {
        let beside = self.beside.as_deref();
        beside.ok_or_else(|| refusal("there is no other run to compare with"))
    }

    fn cell_shares(&self, at: Option<f64>, used: bool) -> SharesBeside {
        let beside = self.beside.as_ref();
        SharesBeside {
            own: self.shares(at, used),
            other: beside.map(|beside| beside.shares(at, used)),
        }
    }
}

#[wasm_bindgen]
impl Inspector {
    /// Adds a run to compare with; steps then go through the events of both.
    ///
    /// # Errors
    /// It is of another machine.
    pub fn put_beside(&mut self, other: &Replay) -> Result<(), JsValue> {
        if other.shares(Some(0.0)).len() != self.replay.shares(Some(0.0)).len() {
            return Err(refusal("runs on different machines cannot be compared"));
        }
        self.run.step_with(other.playback.run());
        let mut beside = other.inspector();
        for (own, other) in self.most.iter_mut().zip(&mut beside.most) {
            let most = own.iter().chain(&*other).copied().reduce(f64::max);
            (*own, *other) = (most, most);
        }
        self.beside = Some(Box::new(beside));
        Ok(())
    }

    /// The share of each part in use: first in this run, then in the one compared with.
    ///
    /// # Errors
    /// There is none to compare with.
    pub fn both_shares(&self, at: Option<f64>, used: bool) -> Result<Float32Array, JsValue> {
        let both = [self.shares(at, used), self.beside()?.shares(at, used)].concat();
        Ok(Float32Array::from(both.as_slice()))
    }

    /// The pixels of the run compared with in the picture of that width.
    ///
    /// # Errors
    /// There is none to compare with.
    pub fn paint_beside(
        &self,
        at: Option<f64>,
        used: bool,
        width: usize,
        dark: bool,
    ) -> Result<Uint8ClampedArray, JsValue> {
        let beside = self.beside()?;
        let paused = at.map_or_else(Vec::new, |at| beside.replay.paused_at(at));
        let raster = self
            .picture(width)
            .map
            .draw(&beside.shares(at, used), &paused, shades(dark));
        Ok(Uint8ClampedArray::from(raster.rgba.as_slice()))
    }

    /// The pixels of the use of this run minus that of the run compared with, in the picture of
    /// that width.
    ///
    /// # Errors
    /// There is none to compare with.
    pub fn paint_difference(
        &self,
        at: Option<f64>,
        used: bool,
        width: usize,
        dark: bool,
    ) -> Result<Uint8ClampedArray, JsValue> {
        self.beside()?;
        let more = self.cell_shares(at, used).all_apart();
        let map = self.picture(width).map;
        let raster = map.draw(&more, &[], contrast(dark));
        Ok(Uint8ClampedArray::from(raster.rgba.as_slice()))
    }

    /// The value of every chart at an instant in the run compared with; 0 for a chart of
    /// reservations that it does not have.
    ///
    /// # Errors
    /// There is none to compare with.
    pub fn values_beside(&self, at: f64) -> Result<Float64Array, JsValue> {
        let beside = self.beside()?;
        let time = beside.instant(at);
        let lines = self.run.lines().iter();
        let values: Vec<f64> = lines
            .map(|line| beside.line_like(line).map_or(0.0, |line| line.at(time)))
            .collect();
        Ok(Float64Array::from(values.as_slice()))
    }

    /// The plan of the run compared with, as [`Inspector::plan`] draws this one's.
    ///
    /// # Errors
    /// There is none to compare with, or no such column.
    pub fn plan_beside(
        &self,
        column: usize,
        chosen: Option<u32>,
        dark: bool,
    ) -> Result<Uint8ClampedArray, JsValue> {
        self.beside()?.plan(column, chosen, dark)
    }

    /// The job under a pixel of that plan; jobs are the same in both runs.
    ///
    /// # Errors
    /// There is none to compare with.
    pub fn job_at_beside(&self, x: usize, y: usize) -> Result<Option<u32>, JsValue> {
        Ok(self.beside()?.job_at(x, y))
    }

    /// A job in the run compared with, as [`Inspector::job_details`] gives it for this one.
    ///
    /// # Errors
    /// There is none to compare with, or no such job.
    #[wasm_bindgen(unchecked_return_type = "JobAt")]
    pub fn job_details_beside(&self, job: u32, at: f64) -> Result<JsValue, JsValue> {
        self.beside()?.job_details(job, at)
    }

    /// The colour scale of differences, from −100 to 100 points.
    pub fn paint_contrast(&self, width: usize, height: usize, dark: bool) -> Uint8ClampedArray {
        let raster = contrast_legend(width, height, contrast(dark));
        Uint8ClampedArray::from(raster.rgba.as_slice())
    }

    /// The picture as numbers.
    #[wasm_bindgen(unchecked_return_type = "Cells")]
    pub fn cells(&self, at: Option<f64>, used: bool) -> JsValue {
        let shares = self.cell_shares(at, used);
        let (more, less) = shares.counts(TOLD_APART);
        let beside = self.beside.as_ref().zip(shares.other.as_ref());
        let system = self.replay.playback.system();
        plain(&Cells {
            mean: mean(&shares.own),
            beside: beside.map(|(run, other)| Beside {
                mean: mean(other),
                more,
                less,
                jobs: at.map(|at| run.replay.jobs_at(at)),
            }),
            parts: shares.own.len(),
            furthest: shares
                .furthest()
                .map(|part| CellRow::of(part, &shares, system)),
        })
    }

    /// Up to `count` parts of the picture from position `from`: by difference, or for one run by
    /// use, in descending order; only parts whose names contain `called`.
    #[wasm_bindgen(unchecked_return_type = "CellRows")]
    pub fn cell_rows(
        &self,
        at: Option<f64>,
        used: bool,
        called: &str,
        from: usize,
        count: usize,
    ) -> JsValue {
        let shares = self.cell_shares(at, used);
        let system = self.replay.playback.system();
        let named = |part| called.is_empty() || system.part(part).contains(called);
        let parts = shares.arranged(named);
        let rows = parts.iter().skip(from).take(count);
        plain(&CellRows {
            found: parts.len(),
            rows: rows
                .map(|&part| CellRow::of(part, &shares, system))
                .collect(),
        })
    }
}

fn contrast(dark: bool) -> &'static Contrast {
    if dark {
        &Contrast::DARK
    } else {
        &Contrast::LIGHT
    }
}
