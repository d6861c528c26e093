//! A kept run at any instant, and its picture.
//!
//! The [`Replay`] stays in the worker that ran the cell and gives shares; the [`Picture`] of the
//! same system stays in the page, which paints the shares and finds the cell under the pointer.

use crate::{plain, refusal};
use backfill_experiment::inspect::playback::Playback;
use backfill_experiment::study::sweep::CellOutcome;
use backfill_plot::colour::{self, Shades};
use backfill_plot::raster::{self, CellBox};
use backfill_plot::utilization::UtilizationMap;
use backfill_sim::setup::Setup;
use backfill_sim::system::Shown;
use backfill_sim::system::describe::Describe;
use js_sys::{Float32Array, Uint8ClampedArray};
use serde::Serialize;
use std::rc::Rc;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A finished run with its allocations.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Replay {
    pub(crate) playback: Playback,
    /// The setup of the run.
    pub(crate) setup: Setup,
    outcome: Rc<CellOutcome>,
}

/// A summary of a kept run. Times are seconds since the first submit.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct ReplayInfo {
    /// The machine of the run; only a picture reads it.
    machine: Shown,
    /// The length of the run.
    span: f64,
    /// The first instant at which most is in use.
    busiest: f64,
    /// The number of jobs.
    jobs: usize,
    /// Whether jobs share links, so that the use of links may exceed reservations.
    shared: bool,
}

/// A cell of a picture.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Spot {
    /// The name of its part.
    name: String,
    /// The index of its part.
    part: usize,
    /// Its distance from the left edge, in pixels.
    left: usize,
    /// Its distance from the upper edge, in pixels.
    top: usize,
    /// Its width, in pixels.
    width: usize,
    /// Its height, in pixels.
    height: usize,
}

impl Replay {
    /// Of a run with this setup; `None` if it kept no allocations.
    pub(crate) fn new(
        outcome: CellOutcome,
        run: backfill_sim::run::Replay,
        setup: &Setup,
    ) -> Option<Replay> {
        Some(Replay {
            playback: Playback::new(run, setup)?,
            setup: setup.clone(),
            outcome: Rc::new(outcome),
        })
    }

    /// The share of each part in use at an instant, else averaged over the run.
    pub(crate) fn shares(&self, at: Option<f64>) -> Vec<f32> {
        let at = at.map(|seconds| self.playback.instant(seconds));
        self.playback.shares(at)
    }
}

#[wasm_bindgen]
impl Replay {
    /// The result of the run, for [`Board::add`](crate::board::Board::add).
    #[wasm_bindgen(unchecked_return_type = "CellOutcome")]
    pub fn outcome(&self) -> JsValue {
        plain(&*self.outcome)
    }

    /// The machine and the length of the run; times are seconds since the first submit.
    #[wasm_bindgen(unchecked_return_type = "ReplayInfo")]
    pub fn info(&self) -> JsValue {
        let playback = &self.playback;
        plain(&ReplayInfo {
            machine: playback.shown().clone(),
            span: playback.length(),
            busiest: playback.seconds(playback.busiest()),
            jobs: playback.run().jobs.len(),
            shared: playback.usage().is_some(),
        })
    }

    /// The share of each part in use at an instant.
    pub fn shares_at(&self, seconds: f64) -> Float32Array {
        Float32Array::from(self.shares(Some(seconds)).as_slice())
    }

    /// The share of each part in use, averaged over the run.
    pub fn mean_shares(&self) -> Float32Array {
        Float32Array::from(self.shares(None).as_slice())
    }

    /// The nodes, counted over the tiers, held at an instant by jobs that pay for a migration.
    pub fn paused_at(&self, seconds: f64) -> Vec<u32> {
        self.playback.paused(self.playback.instant(seconds))
    }

    /// The numbers of running and waiting jobs at an instant, of running jobs that pay for a
    /// migration, and of migrations so far.
    pub fn jobs_at(&self, seconds: f64) -> Vec<u32> {
        let jobs = self.playback.jobs_at(self.playback.instant(seconds));
        [jobs.running, jobs.waiting, jobs.paused, jobs.migrations]
            .map(|count| count as u32)
            .into()
    }
}

/// A painted system: see [`backfill_plot::utilization`].
#[wasm_bindgen]
pub struct Picture {
    shown: Shown,
    pub(crate) map: UtilizationMap,
}

impl Picture {
    /// Of a system, at most `width` pixels wide where possible.
    pub(crate) fn of(shown: Shown, width: usize) -> Picture {
        let map = UtilizationMap::within(shown.describe().layout(), width);
        Picture { shown, map }
    }

    fn system(&self) -> &dyn Describe {
        self.shown.describe()
    }

    /// The cell of a part, in the page's form.
    pub(crate) fn spot_of(&self, part: usize, cell: CellBox) -> Spot {
        Spot {
            name: self.system().part(part),
            part,
            left: cell.corner.0,
            top: cell.corner.1,
            width: cell.width,
            height: cell.height,
        }
    }
}

#[wasm_bindgen]
impl Picture {
    /// Of the machine of a replay, at most `width` pixels wide where possible.
    ///
    /// # Errors
    /// It is no machine.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "ReplayInfo['machine']")] machine: JsValue,
        width: usize,
    ) -> Result<Picture, JsValue> {
        Ok(Picture::of(serde_wasm_bindgen::from_value(machine)?, width))
    }

    /// Pixels from left to right.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> usize {
        self.map.size().0
    }

    /// Pixels from top to bottom.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> usize {
        self.map.size().1
    }

    /// The labels of the rows of blocks, from the top; empty for plain nodes.
    pub fn rows(&self) -> Vec<String> {
        self.system().bands()
    }

    /// The part of the height that each row of the first blocks takes, from the top.
    pub fn row_heights(&self) -> Vec<f64> {
        self.map.bands()
    }

    /// The labels of the columns of blocks, from the left; empty if there is one, or if blocks fill
    /// several lines.
    pub fn columns(&self) -> Vec<String> {
        let layout = self.map.layout();
        if layout.blocks.len() > layout.across {
            return Vec::new();
        }
        self.system().blocks()
    }

    /// What a share is relative to, worded for a cell, the scale and the whole picture.
    pub fn words(&self) -> Vec<String> {
        self.system().words().map(str::to_owned).into()
    }

    /// The pixels of these shares, with paused processes hollow: red, green, blue and opacity, row
    /// by row.
    ///
    /// # Errors
    /// They are the shares of another machine.
    pub fn paint(
        &self,
        shares: &[f32],
        paused: &[u32],
        dark: bool,
    ) -> Result<Uint8ClampedArray, JsValue> {
        let parts = self.system().parts();
        if shares.len() != parts || paused.iter().any(|&part| part as usize >= parts) {
            return Err(refusal("these are the shares of another machine"));
        }
        let raster = self.map.draw(shares, paused, shades(dark));
        Ok(Uint8ClampedArray::from(raster.rgba.as_slice()))
    }

    /// The cell under a pixel; undefined if there is none.
    #[wasm_bindgen(unchecked_return_type = "Spot | undefined")]
    pub fn spot(&self, x: usize, y: usize) -> JsValue {
        let spot = self.map.locate(x, y);
        spot.map_or(JsValue::UNDEFINED, |(part, cell)| {
            plain(&self.spot_of(part, cell))
        })
    }
}

/// The colour scale of all pictures, from an empty part to a full one.
#[wasm_bindgen]
pub fn paint_scale(width: usize, height: usize, dark: bool) -> Uint8ClampedArray {
    let raster = raster::legend(width, height, shades(dark));
    Uint8ClampedArray::from(raster.rgba.as_slice())
}

/// The position of a share on that scale, 0 to 1.
#[wasm_bindgen]
pub fn scale_place(share: f32) -> f32 {
    colour::place(share)
}

pub(crate) fn shades(dark: bool) -> &'static Shades {
    if dark { &Shades::DARK } else { &Shades::LIGHT }
}
