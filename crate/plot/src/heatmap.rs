//! A metric over two swept keys: a heatmap for each policy, all on one scale of colours.
//!
//! Papers draw such numbers as surfaces in space, where the front hides the back. Here each pair of
//! values is a cell, with its number written into it if there is room. The curves at one value of
//! the second key are a cut through the heatmap, whose row is framed. Colours are cividis from the
//! least to the greatest of all numbers shown, so that policies can be compared by eye.

use backfill_experiment::study::answer::surface::{Panel, Surface};
use backfill_sim::stats::MeanEstimate;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters_backend::DrawingBackend;
use plotters_backend::text_anchor::{HPos, VPos};
use serde::Serialize;

use crate::colour::{CIVIDIS, Rgb, Shades, Theme};
use crate::pen::{Font, LABEL, Pen, PenResult, Stroke, TICK, TITLE};

/// The cells of a policy in the drawing: rows from bottom to top.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "SurfaceCells")]
pub struct PanelCells {
    /// The position of the policy.
    pub policy: usize,
    /// Left edge of all cells.
    pub left: f64,
    /// Upper edge of all cells.
    pub top: f64,
    /// Width of a cell.
    pub width: f64,
    /// Height of a cell.
    pub height: f64,
}

/// For the numbers in cells.
const NUMBER: Font = Font {
    size: 10.0,
    bold: false,
};
const MARGIN: f64 = 4.0;
const LINE: f64 = 18.0;
const CELL_HEIGHT: f64 = 22.0;
/// The least width of a heatmap beside another one.
const LEAST_WIDTH: f64 = 250.0;
const BETWEEN: f64 = 14.0;
const FRAME_WIDTH: f64 = 2.0;
/// Steps of the bar that shows the scale.
const BAR_STEPS: usize = 32;
const BAR_HEIGHT: f64 = 10.0;
const BAR_WIDTH: f64 = 128.0;

/// Text colours on dark and on bright cells, the same in all themes, as cells are.
const ON_DARK: Rgb = [0xfe, 0xfe, 0xfe];
const ON_BRIGHT: Rgb = [0, 0, 0];

/// The number of heatmaps side by side.
fn columns(surface: &Surface, width: f64) -> usize {
    ((width / LEAST_WIDTH) as usize).clamp(1, surface.panels.len().max(1))
}

/// The height for a width, in pixels.
pub fn height(surface: &Surface, width: f64) -> f64 {
    let lines = surface.panels.len().div_ceil(columns(surface, width)) as f64;
    let title = if surface.title.is_empty() { 0.0 } else { LINE };
    MARGIN + title + 3.0 * LINE + lines * (panel_height(surface) + BETWEEN)
}

fn panel_height(surface: &Surface) -> f64 {
    2.0 * LINE + surface.y.values.len() as f64 * CELL_HEIGHT
}

/// Draws heatmaps over the whole of `area` with the row of the second key's value `cut` framed, and
/// returns their cells.
///
/// # Errors
///
/// Those of the backend.
pub fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    surface: &Surface,
    cut: Option<usize>,
    theme: &Theme,
) -> PenResult<Vec<PanelCells>, DB> {
    let pen = Pen { area, theme };
    pen.clear()?;
    let means = || surface.numbers().map(|(_, _, _, value)| value.mean);
    let (low, high) = (
        means().fold(f64::INFINITY, f64::min),
        means().fold(f64::NEG_INFINITY, f64::max),
    );
    let shade = |mean: f64| {
        if high > low {
            CIVIDIS[(255.0 * (mean - low) / (high - low)).round() as usize]
        } else {
            CIVIDIS[128]
        }
    };
    let left_top = (HPos::Left, VPos::Top);
    let mut top = MARGIN;
    for (text, font, colour) in [
        (surface.title.as_str(), TITLE, theme.text),
        (&format!("→ {}", surface.x.label), LABEL, theme.axis),
        (&format!("↑ {}", surface.y.label), LABEL, theme.axis),
    ] {
        if !text.is_empty() {
            pen.text(text, font, colour, (MARGIN, top), left_top)?;
            top += LINE;
        }
    }
    if low <= high {
        draw_scale(&pen, surface, [low, high], top)?;
    }
    top += LINE;

    let (width, _) = pen.size();
    let columns = columns(surface, width);
    let own = (width - MARGIN) / columns as f64;
    let mut labels = 0.0_f64;
    for value in &surface.y.values {
        labels = labels.max(pen.width(value, TICK)?);
    }
    let mut drawn = Vec::new();
    for (place, panel) in surface.panels.iter().enumerate() {
        let left = MARGIN + (place % columns) as f64 * own;
        let top = top + (place / columns) as f64 * (panel_height(surface) + BETWEEN);
        let inner = left + labels + MARGIN;
        let cells = PanelCells {
            policy: panel.policy,
            left: inner,
            top: top + LINE,
            width: (left + own - BETWEEN - inner) / surface.x.values.len() as f64,
            height: CELL_HEIGHT,
        };
        pen.text(&panel.label, LABEL, theme.text, (inner, top), left_top)?;
        draw_panel(&pen, surface, panel, cells, &shade)?;
        if let Some(cut) = cut {
            frame_row(&pen, surface, cells, cut)?;
        }
        drawn.push(cells);
    }
    Ok(drawn)
}

/// The bar of colours, between the numbers of its ends.
fn draw_scale<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    surface: &Surface,
    ends: [f64; 2],
    top: f64,
) -> PenResult<(), DB> {
    let [low, high] = ends.map(|mean| {
        surface.printed(MeanEstimate {
            mean,
            half_width: None,
            n: 1,
        })
    });
    let colour = pen.theme.axis;
    let anchor = (HPos::Left, VPos::Top);
    pen.text(&low, TICK, colour, (MARGIN, top), anchor)?;
    let left = MARGIN + pen.width(&low, TICK)? + 2.0 * MARGIN;
    let step = BAR_WIDTH / BAR_STEPS as f64;
    for place in 0..BAR_STEPS {
        let corner = (left + place as f64 * step, top + 2.0);
        let shade = CIVIDIS[place * 255 / (BAR_STEPS - 1)];
        // Steps overlap, so that there are no gaps between them.
        pen.fill(corner, (step + 0.5, BAR_HEIGHT), shade)?;
    }
    let right = left + BAR_WIDTH + 2.0 * MARGIN;
    pen.text(&high, TICK, colour, (right, top), anchor)
}

fn draw_panel<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    surface: &Surface,
    panel: &Panel,
    cells: PanelCells,
    shade: &impl Fn(f64) -> Rgb,
) -> PenResult<(), DB> {
    let centre = (HPos::Center, VPos::Center);
    let rows = panel.rows.len();
    for (y, row) in panel.rows.iter().enumerate() {
        let top = cells.top + (rows - 1 - y) as f64 * cells.height;
        let middle = top + 0.5 * cells.height;
        let at = (cells.left - MARGIN, middle);
        let anchor = (HPos::Right, VPos::Center);
        pen.text(&surface.y.values[y], TICK, pen.theme.axis, at, anchor)?;
        for (x, value) in row.iter().enumerate() {
            let left = cells.left + x as f64 * cells.width;
            let colour = value.map_or(Shades::LIGHT.idle, |value| shade(value.mean));
            let size = (cells.width - 1.0, cells.height - 1.0);
            pen.fill((left, top), size, colour)?;
            let Some(value) = value else {
                continue;
            };
            let mean = surface.value(*value).mean;
            if pen.width(&mean, NUMBER)? + 2.0 <= cells.width {
                let at = (left + 0.5 * cells.width, middle);
                pen.text(&mean, NUMBER, written_on(colour), at, centre)?;
            }
        }
    }
    let mut widest = 0.0_f64;
    for value in &surface.x.values {
        widest = widest.max(pen.width(value, TICK)?);
    }
    let every = ((widest + 2.0 * MARGIN) / cells.width).ceil().max(1.0) as usize;
    let below = cells.top + rows as f64 * cells.height + 2.0;
    for (x, value) in surface.x.values.iter().enumerate().step_by(every) {
        let at = (cells.left + (x as f64 + 0.5) * cells.width, below);
        pen.text(value, TICK, pen.theme.axis, at, (HPos::Center, VPos::Top))?;
    }
    Ok(())
}

fn frame_row<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    surface: &Surface,
    cells: PanelCells,
    cut: usize,
) -> PenResult<(), DB> {
    let above = surface.y.values.len().saturating_sub(cut + 1) as f64;
    let top = cells.top + above * cells.height;
    let (right, bottom) = (
        cells.left + cells.width * surface.x.values.len() as f64 - 1.0,
        top + cells.height - 1.0,
    );
    let corners = [
        (cells.left, top),
        (right, top),
        (right, bottom),
        (cells.left, bottom),
        (cells.left, top),
        (right, top),
    ];
    let stroke = Stroke {
        colour: pen.theme.text,
        opacity: 1.0,
        width: FRAME_WIDTH,
    };
    pen.line(&corners, stroke)
}

/// The text colour for a background: black has more contrast from about that lightness on.
fn written_on([red, green, blue]: Rgb) -> Rgb {
    let lightness = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    if lightness > 117_000 {
        ON_BRIGHT
    } else {
        ON_DARK
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::{Ink, render_surface};
    use backfill_experiment::study::answer::numbers::Unit;
    use backfill_experiment::study::answer::summary::AxisValues;

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
    fn one_scale_spans_all_panels() {
        let size = (600, 200);
        let drawn = render_surface(&surface(), size, Some(1), &Theme::LIGHT, Ink::Values);
        let colour = |[red, green, blue]: Rgb| format!("#{red:02x}{green:02x}{blue:02x}");
        // Each end is in the bar and in one cell.
        for end in [CIVIDIS[0], CIVIDIS[255]] {
            assert_eq!(drawn.matches(&colour(end)).count(), 2, "{drawn}");
        }
        assert!(drawn.contains("20.00") && drawn.contains("110.0"));
    }

    #[test]
    fn panels_are_below_each_other_where_it_is_narrow() {
        let surface = surface();
        assert!(height(&surface, 300.0) > height(&surface, 600.0));
    }
}
