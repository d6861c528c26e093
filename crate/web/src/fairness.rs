//! The distribution of waits at one point of a scenario, collected while runs finish, and drawn.

use crate::board::{Look, paint};
use crate::run::{Keep, Run};
use crate::scenario::parse;
use crate::{plain, refusal};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::answer::fairness;
use backfill_experiment::study::spread::Spread;
use backfill_experiment::study::sweep::Cell;
use backfill_plot::curves::of_waits;
use backfill_plot::export::{csv_of_waits, svg_of_waits};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::HtmlCanvasElement;

#[wasm_bindgen]
impl Run {
    /// The distribution of the waits of the run, for [`Fairness::add`].
    ///
    /// # Errors
    /// The run kept no histories.
    #[wasm_bindgen(unchecked_return_type = "Spread")]
    pub fn spread(self) -> Result<JsValue, JsValue> {
        Ok(plain(&self.kept(Keep::Histories)?.spread()))
    }
}

/// The distributions of waits of the runs at one point of a scenario.
#[wasm_bindgen]
pub struct Fairness {
    scenario: Scenario,
    spreads: Vec<(Cell, Spread)>,
}

impl Fairness {
    fn spreads(&self) -> fairness::WaitSpreads<'_> {
        fairness::WaitSpreads {
            scenario: &self.scenario,
            spreads: &self.spreads,
        }
    }
}

/// The error for an unknown curve.
fn unknown(curve: &str) -> JsValue {
    refusal(format!("no curve {curve}"))
}

#[wasm_bindgen]
impl Fairness {
    /// No runs yet of a scenario.
    ///
    /// # Errors
    /// `text` is no valid scenario.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Fairness, JsValue> {
        Ok(Fairness {
            scenario: parse(text)?,
            spreads: Vec::new(),
        })
    }

    /// Adds the distribution of one run.
    ///
    /// # Errors
    /// `spread` is not one.
    pub fn add(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Spread")] spread: JsValue,
    ) -> Result<(), JsValue> {
        self.spreads.push(serde_wasm_bindgen::from_value(spread)?);
        Ok(())
    }

    /// The curves as numbers, with a summary in words.
    #[wasm_bindgen(unchecked_return_type = "Spreads")]
    pub fn told(&self) -> JsValue {
        plain(&self.spreads().told())
    }

    /// Draws a curve of all policies and returns its geometry.
    ///
    /// # Errors
    /// There is no such curve, or the canvas cannot be drawn on.
    #[wasm_bindgen(unchecked_return_type = "Geometry")]
    pub fn draw(
        &self,
        canvas: HtmlCanvasElement,
        curve: &str,
        look: &Look,
    ) -> Result<JsValue, JsValue> {
        let chart = of_waits(&self.spreads(), curve).ok_or_else(|| unknown(curve))?;
        paint(canvas, chart, 0.0, &fairness::places(), look)
    }

    /// The chart of a curve as an SVG for the screen.
    ///
    /// # Errors
    /// There is no such curve.
    pub fn svg(&self, curve: &str) -> Result<String, JsValue> {
        let svg = svg_of_waits(&self.spreads(), curve, None);
        svg.ok_or_else(|| unknown(curve))
    }

    /// The numbers of that chart.
    ///
    /// # Errors
    /// There is no such curve.
    pub fn csv(&self, curve: &str) -> Result<String, JsValue> {
        csv_of_waits(&self.spreads(), curve).ok_or_else(|| unknown(curve))
    }
}
