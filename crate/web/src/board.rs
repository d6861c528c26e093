//! The answer of the page while it grows, and its charts.

use std::cell::Cell;

use crate::canvas::Canvas;
use crate::scenario::{in_running_order, parse};
use crate::{plain, refusal};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::answer::Answer;
use backfill_experiment::study::answer::over_time::Daily;
use backfill_experiment::study::answer::surface::SurfaceNumbers;
use backfill_experiment::study::stored::StoredOutcome;
use backfill_experiment::study::sweep::Results;
use backfill_plot::chart::{self, AxisWindow, Chart, SeriesNames};
use backfill_plot::colour::Theme;
use backfill_plot::curves::{add_earlier, of_days, of_differences, of_metric};
use backfill_plot::heatmap::{self, PanelCells};
use backfill_plot::scale::{AxisPart, AxisSpan};
use backfill_sim::metrics;
use js_sys::Float64Array;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::HtmlCanvasElement;

/// The outcomes of a scenario, collected and drawn.
#[wasm_bindgen]
pub struct Board {
    /// The canonical text of the scenario.
    text: String,
    pub(crate) scenario: Scenario,
    pub(crate) results: Results,
    /// The last answer, which is drawn behind this one.
    last: Option<Box<Board>>,
    /// When the first curves were drawn, in milliseconds: they come from those of the last answer.
    came: Cell<f64>,
    /// Whether a slider passes through it.
    passing: bool,
}

/// How to draw a chart.
#[wasm_bindgen]
pub struct Look {
    hidden: Vec<u32>,
    dark: bool,
    size: (u32, u32),
    window: AxisWindow,
    /// The time in milliseconds; if there is none, the last answer is not drawn.
    moment: Option<f64>,
    /// Device pixels to a pixel of a picture for a file.
    alone: Option<f64>,
}

/// How long curves take from those of the last answer to their own positions, in milliseconds.
const WAY: f64 = 150.0;

#[wasm_bindgen]
impl Look {
    /// A chart of `width` × `height` CSS pixels without the curves that are `hidden`.
    #[wasm_bindgen(constructor)]
    pub fn new(hidden: Vec<u32>, dark: bool, width: u32, height: u32) -> Look {
        Look {
            hidden,
            dark,
            size: (width, height),
            window: AxisWindow::default(),
            moment: None,
            alone: None,
        }
    }

    /// A light chart with title and legend for a file, with `ratio` device pixels to each of its
    /// `width` × `height` pixels.
    pub fn picture(width: u32, height: u32, ratio: f64) -> Look {
        Look {
            hidden: Vec::new(),
            dark: false,
            size: (width, height),
            window: AxisWindow::default(),
            moment: None,
            alone: Some(ratio),
        }
    }

    /// Zooms to parts of both axes. With the time in milliseconds, new curves come from those of the
    /// last answer, which stay behind them; at infinity they have come.
    ///
    /// # Errors
    /// These are no parts of axes.
    pub fn see(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Seen")] seen: JsValue,
        moment: Option<f64>,
    ) -> Result<(), JsValue> {
        let Seen { x, y } = serde_wasm_bindgen::from_value(seen)?;
        self.window = AxisWindow { x, y };
        self.moment = moment;
        Ok(())
    }
}

/// The visible parts of both axes of a chart.
#[derive(Deserialize, ts_rs::TS)]
pub(crate) struct Seen {
    /// The visible part of the x axis; null for all of it.
    x: Option<AxisPart>,
    /// The visible part of the y axis; null for all of it.
    y: Option<AxisPart>,
}

impl Look {
    fn theme(&self) -> &'static Theme {
        if self.dark {
            &Theme::DARK
        } else {
            &Theme::LIGHT
        }
    }

    /// A cleared canvas of the requested width and this height.
    fn area(
        &self,
        canvas: HtmlCanvasElement,
        height: u32,
    ) -> Result<DrawingArea<Canvas, Shift>, JsValue> {
        let screen = || web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
        let ratio = self.alone.unwrap_or_else(screen);
        let canvas = Canvas::new(canvas, self.size.0, height, ratio)
            .ok_or_else(|| refusal("this browser cannot draw on a canvas"))?;
        Ok(canvas.into_drawing_area())
    }
}

/// The geometry of a chart and of each point of its curves, in CSS pixels from the canvas's corner.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Geometry {
    /// Left edge of the plot.
    left: f64,
    /// Right edge of the plot.
    right: f64,
    /// Upper edge of the plot.
    top: f64,
    /// Lower edge of the plot.
    bottom: f64,
    /// The range of the x axis.
    x: AxisSpan,
    /// The range of the y axis.
    y: AxisSpan,
    /// Whether only a part of the axes is visible. Other points are outside the plot.
    zoomed: bool,
    /// What is said of the curves of the last answer behind the others; empty if there are none.
    behind: &'static str,
    /// Whether curves are still on their way from there.
    moving: bool,
    /// The position of each value of x, from the canvas's left edge.
    xs: Vec<f64>,
    /// The points of all curves, four numbers each: the positions of its policy and of its value of x,
    /// and its distances from the canvas's left and upper edges. A log has a point a day, and a
    /// drawing that is zoomed has to be ready within a frame.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Float64Array")]
    points: Float64Array,
    /// How many of them are in the plot.
    seen: usize,
}

/// A metric over two swept keys: its numbers and its geometry.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "Surface")]
pub(crate) struct DrawnSurface {
    /// The numbers of the policies that are shown.
    #[serde(flatten)]
    numbers: SurfaceNumbers,
    /// The cells of the same policies, in CSS pixels from the canvas's corner.
    cells: Vec<PanelCells>,
}

#[wasm_bindgen]
impl Board {
    /// An empty board for a scenario.
    ///
    /// # Errors
    /// `text` is no valid scenario.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Board, JsValue> {
        let scenario = parse(text)?;
        let results = Results::new(&scenario);
        Ok(Board {
            text: text.to_owned(),
            scenario,
            results,
            last: None,
            came: Cell::new(f64::INFINITY),
            passing: false,
        })
    }

    /// Takes the place of the board that was shown. That has the last answer from now on if it is
    /// complete, to another scenario, and no slider passed through it; else its last answer stays,
    /// and curves on their way from there go on.
    pub fn replace(&mut self, mut shown: Board) {
        let (done, all) = shown.results.progress();
        let last = shown.last.take();
        if shown.passing || done < all || shown.text == self.text {
            self.last = last;
            self.came = shown.came;
        } else {
            self.last = Some(Box::new(shown));
        }
    }

    /// The unfinished cells, in the order in which to run them.
    pub fn left(&self) -> Vec<u32> {
        let order = in_running_order(&self.scenario);
        order
            .filter(|&cell| !self.results.has(cell as usize))
            .collect()
    }

    /// Adds the outcome of a cell of the same scenario, or of one with fewer replications.
    ///
    /// # Errors
    /// It is no outcome of that scenario; a sentence says why.
    pub fn add(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "CellOutcome")] outcome: JsValue,
    ) -> Result<(), JsValue> {
        let stored: StoredOutcome = serde_wasm_bindgen::from_value(outcome)
            .map_err(|error| refusal(format!("this is not the result of a run: {error}")))?;
        self.results.restore(stored).map_err(refusal)?;
        Ok(())
    }

    /// Sets the version of the core that made the outcomes.
    pub fn made_by(&mut self, core: &str) {
        self.results.made_by(core);
    }

    /// The fingerprint over all cells, once all are finished.
    pub fn digest(&self) -> Option<String> {
        self.results.digest()
    }

    /// The estimated number of replications until the intervals of a metric are within a share of
    /// their means; the current number if they are.
    ///
    /// # Errors
    /// There is no such metric.
    pub fn replications_within(&self, metric: &str, share: f64) -> Result<usize, JsValue> {
        Ok(self.results.replications_within(position(metric)?, share))
    }

    /// The name of the metric by which policies are compared by default.
    pub fn compared(&self) -> String {
        self.answer().compared().name.to_owned()
    }

    /// The answer so far at one value of the second axis. While runs are missing, or a slider passes
    /// through it, the same charts keep the order of `shown`: their metrics by commas.
    #[wasm_bindgen(unchecked_return_type = "Summary")]
    pub fn summary(&mut self, y: usize, shown: Option<String>, passing: bool) -> JsValue {
        self.passing = passing;
        let mut summary = self.answer().summary(y);
        if summary.sentence.is_empty() || passing {
            let shown = shown.unwrap_or_default();
            let same = |name: &str| summary.headline.iter().copied().find(|own| *own == name);
            let kept: Vec<&str> = shown.split(',').filter_map(same).collect();
            if kept.len() == summary.headline.len() {
                summary.headline = kept;
            }
        }
        plain(&summary)
    }

    /// Draws the curves of a metric at one value of the second axis, and returns their geometry.
    /// While there are none, those of the last answer are drawn alone.
    ///
    /// # Errors
    /// There is no such metric, or the canvas cannot be drawn on.
    #[wasm_bindgen(unchecked_return_type = "Geometry")]
    pub fn draw(
        &self,
        canvas: HtmlCanvasElement,
        metric: &str,
        y: usize,
        look: &Look,
    ) -> Result<JsValue, JsValue> {
        let (metric, answer) = (position(metric)?, self.answer());
        let mut chart = of_metric(&answer, metric, y);
        let mut ahead = 0.0;
        if let Some((last, moment)) = self.last.as_ref().zip(look.moment) {
            add_earlier(&mut chart, &answer, &last.answer(), metric, y);
            ahead = self.ahead(moment);
        }
        paint(canvas, chart, ahead, &answer.places(), look)
    }

    /// Draws a metric over both swept keys, as high as needed, on the page with a frame around the row
    /// of one value of the second, in a file with the title; null unless two keys are swept.
    ///
    /// # Errors
    /// There is no such metric, or the canvas cannot be drawn on.
    #[wasm_bindgen(unchecked_return_type = "Surface | null")]
    pub fn draw_surface(
        &self,
        canvas: HtmlCanvasElement,
        metric: &str,
        y: usize,
        look: &Look,
    ) -> Result<JsValue, JsValue> {
        let answer = self.answer();
        let Some(mut surface) = answer.surface(position(metric)?, &look.hidden) else {
            return Ok(JsValue::NULL);
        };
        let numbers = surface.told();
        let is_file = look.alone.is_some();
        if !is_file {
            // The page around the canvas has the title.
            surface.title.clear();
        }
        let height = heatmap::height(&surface, f64::from(look.size.0)).ceil() as u32;
        let area = look.area(canvas, height)?;
        let cells = heatmap::draw(&area, &surface, (!is_file).then_some(y), look.theme())
            .map_err(refusal)?;
        Ok(plain(&DrawnSurface { numbers, cells }))
    }

    /// What all policies of a point have in use and waiting by day, and their waits week by week; null
    /// where no run of it was measured over the calendar.
    #[wasm_bindgen(unchecked_return_type = "ByDay | null")]
    pub fn by_day(&self, x: usize, y: usize) -> JsValue {
        plain(&self.answer().by_day([x, y]))
    }

    /// Draws what is in use (`in_use`) or waiting (`waiting`) by day, as [`Board::draw`] draws a
    /// metric; null where no run of the point was measured over the calendar.
    ///
    /// # Errors
    /// There is no such quantity, or the canvas cannot be drawn on.
    #[wasm_bindgen(unchecked_return_type = "Geometry | null")]
    pub fn draw_by_day(
        &self,
        canvas: HtmlCanvasElement,
        what: &str,
        x: usize,
        y: usize,
        look: &Look,
    ) -> Result<JsValue, JsValue> {
        let found = Daily::ALL.into_iter().find(|(_, name, _)| *name == what);
        let (daily, ..) = found.ok_or_else(|| refusal(format!("no quantity {what}")))?;
        let Some(chart) = of_days(&self.answer(), daily, [x, y]) else {
            return Ok(JsValue::NULL);
        };
        let days = chart.series.iter().map(|series| &series.points);
        let longest = days.max_by_key(|points| points.len());
        let values = longest.map_or(Vec::new(), |points| points.iter().map(|at| at.x).collect());
        paint(canvas, chart, 0.0, &values, look)
    }

    /// How the policies compare with the reference in a metric, at one value of the second axis.
    ///
    /// # Errors
    /// There is no such metric.
    #[wasm_bindgen(unchecked_return_type = "Comparison")]
    pub fn compare(&self, metric: &str, y: usize) -> Result<JsValue, JsValue> {
        Ok(plain(&self.answer().comparison(position(metric)?, y)))
    }

    /// Draws the differences to the reference in a metric, as [`Board::draw`] draws the metric.
    ///
    /// # Errors
    /// There is no such metric, or the canvas cannot be drawn on.
    #[wasm_bindgen(unchecked_return_type = "Geometry")]
    pub fn draw_differences(
        &self,
        canvas: HtmlCanvasElement,
        metric: &str,
        y: usize,
        look: &Look,
    ) -> Result<JsValue, JsValue> {
        let chart = of_differences(&self.answer(), position(metric)?, y);
        paint(canvas, chart, 0.0, &self.answer().places(), look)
    }
}

impl Board {
    pub(crate) fn answer(&self) -> Answer<'_> {
        Answer {
            scenario: &self.scenario,
            results: &self.results,
        }
    }

    /// The part of the way of its curves from those of the last answer that is ahead of them at a
    /// time in milliseconds.
    fn ahead(&self, moment: f64) -> f64 {
        if self.results.progress().0 == 0 {
            return 0.0;
        }
        self.came.set(self.came.get().min(moment));
        // Infinity less infinity is no number.
        let ahead = (1.0 - (moment - self.came.get()) / WAY).max(0.0);
        ahead * ahead
    }
}

/// Draws a chart without the title and legend of the page; `values` are the x values of its points,
/// and `ahead` is the part ahead of them of their way from their earlier values.
pub(crate) fn paint(
    canvas: HtmlCanvasElement,
    mut chart: Chart,
    ahead: f64,
    values: &[f64],
    look: &Look,
) -> Result<JsValue, JsValue> {
    // The page around the canvas has the title and the legend.
    if look.alone.is_none() {
        chart.title.clear();
        if chart.names == SeriesNames::Legend {
            chart.names = SeriesNames::LineEndsOutside;
        }
    }
    chart
        .series
        .retain(|series| !look.hidden.contains(&(series.style as u32)));
    let area = look.area(canvas, look.size.1)?;
    let place = chart::draw(&area, &chart, ahead, look.window, look.theme()).map_err(refusal)?;
    let mut points = Vec::new();
    let mut seen = 0;
    for (series, places) in chart.series.iter().zip(place.places(&chart)) {
        // Mostly the next one.
        let mut next = 0;
        for (point, drawn) in series.points.iter().zip(places) {
            let after = values[next..].iter().position(|value| *value == point.x);
            let x = after.map(|after| next + after);
            let x = x.or_else(|| values.iter().position(|value| *value == point.x));
            next = x.map_or(next, |x| x + 1).min(values.len());
            if let (Some(x), Some((left, top))) = (x, drawn) {
                seen += usize::from(place.shows((left, top)));
                points.extend([series.style as f64, x as f64, left, top]);
            }
        }
    }
    let xs = values
        .iter()
        .map(|x| place.left + place.x.fraction(*x) * (place.right - place.left));
    Ok(plain(&Geometry {
        left: place.left,
        right: place.right,
        top: place.top,
        bottom: place.bottom,
        x: place.x,
        y: place.y,
        zoomed: place.zoomed,
        behind: chart.of_earlier(),
        moving: ahead > 0.0,
        points: Float64Array::from(points.as_slice()),
        seen,
        xs: xs.collect(),
    }))
}

/// The position of a metric among all.
pub(crate) fn position(metric: &str) -> Result<usize, JsValue> {
    metrics::position(metric).ok_or_else(|| refusal(format!("no metric {metric}")))
}
