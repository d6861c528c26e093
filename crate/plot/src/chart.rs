//! Curves with intervals on one pair of axes, over any plotters backend.
//!
//! Each series has one colour, marker and dash by its style, everywhere. Intervals are bars with
//! caps. If x is a category, or there is only one x, points are side by side without lines. A point
//! without a finite y is a gap.
//!
//! Lengths are CSS pixels, from the upper left corner; a backend has [`RESOLUTION`] units to each,
//! because plotters' coordinates are whole numbers. The backend measures text, never plotters' own
//! legend or mesh, which would access the document of a page.

use backfill_experiment::language::words::unit_of_time;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters_backend::DrawingBackend;
use plotters_backend::text_anchor::{HPos, VPos};
use serde::Serialize;

use crate::colour::{SERIES_STYLES, Theme};
use crate::dates;
pub use crate::pen::RESOLUTION;
use crate::pen::{CURVE_WIDTH, Font, LABEL, Pen, PenPoint, PenResult, Stroke, TICK, TITLE};
use crate::scale::{AxisPart, AxisScale, AxisSpan, Bounds, Tick, span, ticks, ticks_at};
use crate::text::LINE_HEIGHT;

/// One chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Title in bold above the chart; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: ChartAxis,
    /// The vertical axis.
    pub y: ChartAxis,
    /// The curves.
    pub series: Vec<Series>,
    /// The position of the names of the series.
    pub names: SeriesNames,
}

/// One of the two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartAxis {
    /// The measure, with its unit unless `quantity` has one; may be empty.
    pub label: String,
    /// The kind of values.
    pub quantity: Quantity,
    /// The mapping of values to positions.
    pub scale: AxisScale,
}

/// The kind of values of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// Numbers, written unchanged.
    Number,
    /// Days since 1 January 1970, written as dates.
    Dates,
    /// Days counted from the first one, written as numbers.
    Days,
    /// Seconds, written in a suitable unit of time.
    Seconds,
    /// Seconds, written in the unit of time of this name and length in seconds.
    SecondsIn(&'static str, f64),
}

/// The position of the names of the series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesNames {
    /// In a legend outside the chart.
    Outside,
    /// In a legend above the plot.
    Legend,
    /// At the right end of each curve if there is room, otherwise in a legend.
    LineEnds,
    /// At the right end of each curve if there is room, otherwise in a legend outside the chart.
    LineEndsOutside,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name; empty if it is a part of another series.
    pub label: String,
    /// Determines colour, marker and dash; the same number looks the same in every chart.
    pub style: usize,
    /// Its points, joined in this order.
    pub points: Vec<CurvePoint>,
    /// Whether it is dimmed behind the others.
    pub dimmed: bool,
}

/// One point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Position; the index of its label on an axis of categories.
    pub x: f64,
    /// Value; a gap if it is not finite.
    pub y: f64,
    /// Half the width of the interval around `y`, if there is one.
    pub half_width: Option<f64>,
    /// Its value in the last answer, which stays dimmed behind it and from which it comes; `None` if
    /// there was none.
    pub earlier: Option<f64>,
}

/// The visible part of a chart, in the unit of its points; `None` for the whole axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisWindow {
    /// Of the horizontal axis.
    pub x: Option<AxisPart>,
    /// Of the vertical axis.
    pub y: Option<AxisPart>,
}

/// The geometry of the plot, to convert pointer positions to values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlotArea {
    /// Left edge of the plot: where `x.low` is.
    pub left: f64,
    /// Right edge of the plot: where `x.high` is.
    pub right: f64,
    /// Upper edge of the plot: where `y.high` is.
    pub top: f64,
    /// Lower edge of the plot: where `y.low` is.
    pub bottom: f64,
    /// Values from left to right, in the unit of the points.
    pub x: AxisSpan,
    /// Values from bottom to top, in the unit of the points.
    pub y: AxisSpan,
    /// Whether only a part of the axes is visible.
    pub zoomed: bool,
}

impl PlotArea {
    fn x_of(&self, value: f64) -> f64 {
        self.left + self.x.fraction(value) * (self.right - self.left)
    }

    /// Clamped to the plot, which intervals may exceed.
    fn y_of(&self, value: f64) -> f64 {
        self.free_y_of(value).clamp(self.top, self.bottom)
    }

    /// Outside the plot for values outside the visible axis.
    fn free_y_of(&self, value: f64) -> f64 {
        self.bottom - self.y.fraction(value) * (self.bottom - self.top)
    }

    /// Whether a position is in the plot, or within a pixel of it.
    pub fn shows(&self, (x, y): (f64, f64)) -> bool {
        let near = |low: f64, at: f64, high: f64| low - 1.0 <= at && at <= high + 1.0;
        near(self.left, x, self.right) && near(self.top, y, self.bottom)
    }

    /// The part of the line between two positions in the plot, after Liang and Barsky (1984).
    fn clipped(&self, start: PenPoint, end: PenPoint) -> Option<(PenPoint, PenPoint)> {
        let (across, down) = (end.0 - start.0, end.1 - start.1);
        let edges = [
            (-across, start.0 - self.left),
            (across, self.right - start.0),
            (-down, start.1 - self.top),
            (down, self.bottom - start.1),
        ];
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for (outwards, room) in edges {
            if outwards < 0.0 {
                enters = enters.max(room / outwards);
            } else if outwards > 0.0 {
                leaves = leaves.min(room / outwards);
            } else if room < 0.0 {
                return None;
            }
        }
        let at = |share: f64| match share {
            0.0 => start,
            1.0 => end,
            _ => (start.0 + share * across, start.1 + share * down),
        };
        (enters < leaves).then(|| (at(enters), at(leaves)))
    }

    /// The pieces of a path that are in the plot.
    fn pieces(&self, path: &[PenPoint]) -> Vec<Vec<PenPoint>> {
        let mut pieces: Vec<Vec<PenPoint>> = Vec::new();
        for pair in path.windows(2) {
            let Some((start, end)) = self.clipped(pair[0], pair[1]) else {
                continue;
            };
            match pieces.last_mut() {
                Some(piece) if piece.last() == Some(&start) => piece.push(end),
                _ => pieces.push(vec![start, end]),
            }
        }
        pieces
    }

    /// The position of each point of each series of the chart in the drawing, from the left and
    /// from the top, outside the plot if it is not visible; `None` for a gap.
    pub fn places(&self, chart: &Chart) -> Vec<Vec<Option<(f64, f64)>>> {
        let series = chart.series.iter().zip(shifts(chart, self));
        series
            .map(|(series, shift)| {
                let place =
                    |point: &CurvePoint| (self.x_of(point.x) + shift, self.free_y_of(point.y));
                let points = series.points.iter();
                points
                    .map(|point| point.is_shown().then(|| place(point)))
                    .collect()
            })
            .collect()
    }
}

impl Chart {
    /// The chart in one line, for screen readers.
    pub fn summary(&self) -> String {
        let names: Vec<&str> = self
            .series
            .iter()
            .map(|series| series.label.as_str())
            .filter(|label| !label.is_empty())
            .collect();
        let mut parts = vec![self.title.clone()];
        if !self.y.label.is_empty() && !self.x.label.is_empty() {
            parts.push(format!("{} by {}", self.y.label, self.x.label));
        }
        parts.push(names.join(", "));
        parts.retain(|part| !part.is_empty());
        parts.join(": ")
    }

    fn points(&self) -> impl Iterator<Item = &CurvePoint> {
        self.series
            .iter()
            .flat_map(|series| &series.points)
            .filter(|point| point.is_shown())
    }

    /// Whether it has no point.
    pub(crate) fn is_empty(&self) -> bool {
        self.points().next().is_none()
    }

    /// The same chart of the earlier values, dimmed.
    fn earlier(&self) -> Self {
        let mut chart = self.clone();
        for series in &mut chart.series {
            series.dimmed = true;
            for point in &mut series.points {
                *point = CurvePoint::new(point.x, point.earlier.unwrap_or(f64::NAN));
            }
        }
        chart
    }

    /// What is said of the earlier values; empty if none differs from that now.
    pub fn of_earlier(&self) -> &'static str {
        let mut points = self.series.iter().flat_map(|series| &series.points);
        if points.any(|point| point.earlier.is_some_and(|earlier| earlier != point.y)) {
            "faint: the last answer"
        } else {
            ""
        }
    }

    /// Moves each point back by this part of its way from its earlier value.
    fn set_back(&mut self, ahead: f64) {
        for series in &mut self.series {
            for point in &mut series.points {
                point.y += ahead * (point.earlier.unwrap_or(point.y) - point.y);
            }
        }
    }

    /// The range of the values; of the earlier ones while there are no others.
    fn heights(&self) -> Option<Bounds> {
        let of = |chart: &Chart| Bounds::of(chart.points().map(|point| point.y));
        of(self).or_else(|| of(&self.earlier()))
    }

    /// The same chart in units that suit its values, and the size of each new unit in the old one.
    fn in_suitable_units(&self) -> (Self, f64, f64) {
        let mut chart = self.clone();
        let x_unit = chart
            .x
            .choose_unit(Bounds::of(self.points().map(|point| point.x)));
        let y_unit = chart.y.choose_unit(self.heights());
        chart.y.note(self.of_earlier());
        for point in chart
            .series
            .iter_mut()
            .flat_map(|series| &mut series.points)
        {
            point.x /= x_unit;
            point.y /= y_unit;
            point.half_width = point.half_width.map(|half_width| half_width / y_unit);
            point.earlier = point.earlier.map(|earlier| earlier / y_unit);
        }
        (chart, x_unit, y_unit)
    }

    /// Distinct positions, ascending; including those of gaps, so that charts of the same positions
    /// share their axis.
    fn positions(&self) -> Vec<f64> {
        let mut positions: Vec<f64> = self.all_positions().collect();
        positions.sort_unstable_by(f64::total_cmp);
        positions.dedup();
        positions
    }

    fn all_positions(&self) -> impl Iterator<Item = f64> {
        let points = self.series.iter().flat_map(|series| &series.points);
        points.map(|point| point.x).filter(|x| x.is_finite())
    }

    /// Whether lines join the points of a series.
    fn is_joined(&self) -> bool {
        let mut positions = self.all_positions();
        let first = positions.next();
        !matches!(self.x.scale, AxisScale::Categories(_)) && positions.any(|x| Some(x) != first)
    }
}

impl ChartAxis {
    /// Adds a remark to the label, unless it is empty.
    fn note(&mut self, words: &str) {
        let is_first = self.label.is_empty() || words.is_empty();
        let between = if is_first { "" } else { ", " };
        self.label += between;
        self.label += words;
    }

    fn choose_unit(&mut self, values: Option<Bounds>) -> f64 {
        // Distances on a logarithmic scale are no differences, which has to be noted.
        if span(&self.scale, values, values, 1).logarithmic {
            self.note("logarithmic scale");
        }
        let (name, unit) = match self.quantity {
            Quantity::Number | Quantity::Dates | Quantity::Days => return 1.0,
            Quantity::Seconds => {
                unit_of_time(values.map_or(0.0, |values| values.high.max(-values.low)))
            }
            Quantity::SecondsIn(name, unit) => (name, unit),
        };
        self.label = format!("{} ({name})", self.label).trim_start().to_owned();
        if let AxisScale::Linear { low, high } = &mut self.scale {
            *low = low.map(|low| low / unit);
            *high = high.map(|high| high / unit);
        }
        unit
    }
}

impl CurvePoint {
    /// A point without an interval and an earlier value.
    pub fn new(x: f64, y: f64) -> Self {
        CurvePoint {
            x,
            y,
            half_width: None,
            earlier: None,
        }
    }

    fn is_shown(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// Both ends of the interval; the point itself if it has none.
    fn ends(&self) -> [f64; 2] {
        let half_width = self.half_width.filter(|half_width| half_width.is_finite());
        let half_width = half_width.unwrap_or(0.0).abs();
        [self.y - half_width, self.y + half_width]
    }
}

/// Between a text and its object.
const GAP: f64 = 6.0;
/// Least distance between two texts on one line.
const CLEARANCE: f64 = 9.0;
/// Free room at the outer edge.
const MARGIN: f64 = 4.0;
/// Between the outermost points and the sides of the plot.
const INSET: f64 = 14.0;
/// Height of a step of the y axis.
const STEP_HEIGHT: f64 = 28.0;
/// Most steps of an x axis.
const MOST_X_STEPS: usize = 10;
/// Most characters of a tick at a point's own position; otherwise round positions are used.
const LONGEST_POSITION: usize = 6;
/// Least width of the labels of a y axis, so that charts above each other share their left side.
const LEAST_LABELS: f64 = 34.0;
/// Half the width of the cap of an interval.
const CAP: f64 = 3.5;
const INTERVAL_WIDTH: f64 = 1.2;
/// Curves day by day are thinner where days are closer than this, and have markers where they are
/// as far apart as that.
const CLOSE_DAYS: f64 = 4.0;
const CLOSE_WIDTH: f64 = 1.2;
const MARKED_DAYS: f64 = 12.0;
/// Length of the piece of curve in a legend.
const SAMPLE: f64 = 30.0;
/// Largest distance between points side by side.
const SIDE_BY_SIDE: f64 = 26.0;
/// Opacity of a dimmed series.
const DIMMED: f64 = 0.4;
/// Rows of text that correspond to the height around the plot.
const ROWS_AROUND: usize = 4;
/// Largest part of the width that names at line ends may take.
const LINE_END_SHARE: f64 = 0.3;

/// Draws the part of `chart` in `window` over the whole of `area` and returns the geometry of the
/// plot. `ahead` is the part ahead of all points of their way from their earlier values, 0 at its end.
///
/// # Errors
///
/// Those of the backend.
pub fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    chart: &Chart,
    ahead: f64,
    window: AxisWindow,
    theme: &Theme,
) -> PenResult<PlotArea, DB> {
    let pen = Pen { area, theme };
    let (mut chart, x_unit, y_unit) = chart.in_suitable_units();
    let in_unit = |part: AxisPart, unit: f64| AxisPart {
        of: part.of.times(1.0 / unit),
        ..part
    };
    let window = AxisWindow {
        x: window.x.map(|part| in_unit(part, x_unit)),
        y: window.y.map(|part| in_unit(part, y_unit)),
    };
    pen.clear()?;

    let below_heading = draw_heading(&pen, &chart)?;
    let line_ends = line_end_room(&pen, &chart)?;
    let has_legend = chart.names == SeriesNames::Legend
        || (chart.names == SeriesNames::LineEnds && line_ends.is_none());
    let top = if has_legend {
        draw_legend(&pen, &chart, below_heading)?
    } else {
        below_heading
    };
    let frame = draw_axes(&pen, &chart, window, top, line_ends)?;
    chart.set_back(ahead);
    draw_series(&pen, &chart, &frame)?;
    if line_ends.is_some() {
        draw_line_ends(&pen, &chart, &frame)?;
    }
    Ok(PlotArea {
        x: frame.x.times(x_unit),
        y: frame.y.times(y_unit),
        ..frame
    })
}

/// Writes title and y label, on one line if it is wide enough; returns their lower edge.
fn draw_heading<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Chart) -> PenResult<f64, DB> {
    let colours = pen.theme;
    let (width, _) = pen.size();
    let mut at = (MARGIN, MARGIN);
    if !chart.title.is_empty() {
        pen.text(
            &chart.title,
            TITLE,
            colours.text,
            at,
            (HPos::Left, VPos::Top),
        )?;
        let title = pen.width(&chart.title, TITLE)?;
        let label = pen.width(&chart.y.label, LABEL)?;
        at = if MARGIN + title + CLEARANCE + label + MARGIN <= width {
            (MARGIN + title + CLEARANCE, MARGIN + TITLE.size - LABEL.size)
        } else {
            (MARGIN, MARGIN + TITLE.size * LINE_HEIGHT)
        };
    }
    if !chart.y.label.is_empty() {
        pen.text(
            &chart.y.label,
            LABEL,
            colours.axis,
            at,
            (HPos::Left, VPos::Top),
        )?;
        at.1 += LABEL.size * LINE_HEIGHT;
    } else if !chart.title.is_empty() {
        at.1 = MARGIN + TITLE.size * LINE_HEIGHT;
    }
    Ok(at.1 + GAP)
}

/// Draws the names of all series with a sample of their curves; returns their lower edge.
fn draw_legend<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Chart,
    top: f64,
) -> PenResult<f64, DB> {
    let (width, _) = pen.size();
    let row = LABEL.size * 1.5;
    let (mut left, mut middle) = (MARGIN, top + row / 2.0);
    for series in chart
        .series
        .iter()
        .filter(|series| !series.label.is_empty())
    {
        let room = width - 2.0 * MARGIN - SAMPLE - GAP;
        let label = shortened(pen, &series.label, LABEL, room)?;
        let entry = SAMPLE + GAP + pen.width(&label, LABEL)?;
        if left > MARGIN && left + entry > width - MARGIN {
            left = MARGIN;
            middle += row;
        }
        let opacity = opacity(series);
        let sample = [(left, middle), (left + SAMPLE, middle)];
        pen.curve(&sample, series.style, opacity, CURVE_WIDTH)?;
        pen.marker((left + SAMPLE / 2.0, middle), series.style, opacity)?;
        let at = (left + SAMPLE + GAP, middle);
        pen.text(
            &label,
            LABEL,
            pen.theme.text,
            at,
            (HPos::Left, VPos::Center),
        )?;
        left += entry + 2.0 * CLEARANCE;
    }
    Ok(middle + row / 2.0 + GAP)
}

/// The room for names at line ends, if they are wanted and fit.
fn line_end_room<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Chart,
) -> PenResult<Option<f64>, DB> {
    let wanted = matches!(
        chart.names,
        SeriesNames::LineEnds | SeriesNames::LineEndsOutside
    );
    let (width, height) = pen.size();
    let rows = chart
        .series
        .iter()
        .filter(|series| !series.label.is_empty());
    let rows = rows.count() + ROWS_AROUND;
    if !wanted || !chart.is_joined() || rows as f64 * LABEL.size * LINE_HEIGHT > height {
        return Ok(None);
    }
    let mut room = 0.0_f64;
    for series in &chart.series {
        room = room.max(pen.width(&series.label, LABEL)? + 2.0 * CLEARANCE);
    }
    Ok(Some(room).filter(|&room| room <= LINE_END_SHARE * width))
}

/// Lays out the plot below `top`, draws its grid and axes, and returns it.
fn draw_axes<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Chart,
    window: AxisWindow,
    top: f64,
    line_ends: Option<f64>,
) -> PenResult<PlotArea, DB> {
    let (width, height) = pen.size();
    let top = crisp(top + TICK.size / 2.0);
    let tick_row = TICK.size * LINE_HEIGHT;
    let label_row = if chart.x.label.is_empty() {
        0.0
    } else {
        LABEL.size * LINE_HEIGHT + 2.0
    };
    let below_axis = GAP + tick_row + label_row + MARGIN;

    let steps = ((height - top - below_axis) / STEP_HEIGHT).clamp(1.0, 8.0) as usize;
    let points = chart.heights();
    let extents = Bounds::of(chart.points().flat_map(|point| point.ends())).or(points);
    let whole_y = span(&chart.y.scale, points, extents, steps);
    let y = window.y.map_or(whole_y, |part| part.within(whole_y));
    let y_ticks = ticks(y, steps);
    let mut y_labels = LEAST_LABELS;
    for tick in &y_ticks {
        y_labels = y_labels.max(pen.width(&tick.label, TICK)?);
    }
    let left = crisp(MARGIN + y_labels + GAP);
    let right = (width - line_ends.unwrap_or(2.0 * MARGIN)).max(left + 1.0);
    let whole_x = x_span(chart, right - left);
    let x = window.x.map_or(whole_x, |part| part.within(whole_x));
    let mut frame = PlotArea {
        left,
        right,
        top,
        bottom: crisp(height - below_axis).max(top + 1.0),
        x,
        y,
        zoomed: (x, y) != (whole_x, whole_y),
    };

    let x_labels = x_labels(pen, chart, &frame)?;
    if x_labels.iter().any(|label| label.row > 0) {
        frame.bottom = (frame.bottom - tick_row).max(top + 1.0);
    }
    let hairline = |colour| Stroke {
        colour,
        opacity: 1.0,
        width: 1.0,
    };
    let mut last_label = f64::INFINITY;
    for tick in &y_ticks {
        let line = crisp(frame.y_of(tick.value));
        pen.line(&[(left, line), (right, line)], hairline(pen.theme.grid))?;
        if line <= last_label - TICK.size {
            last_label = line;
            let at = (left - GAP, line);
            pen.text(
                &tick.label,
                TICK,
                pen.theme.axis,
                at,
                (HPos::Right, VPos::Center),
            )?;
        }
    }
    let axis = [(left, frame.bottom), (right, frame.bottom)];
    pen.line(&axis, hairline(pen.theme.axis))?;
    for label in &x_labels {
        let tick = crisp(label.tick);
        let mark = [(tick, frame.bottom), (tick, frame.bottom + GAP / 2.0)];
        pen.line(&mark, hairline(pen.theme.axis))?;
        let at = (
            label.middle,
            frame.bottom + GAP + label.row as f64 * tick_row,
        );
        pen.text(
            &label.text,
            TICK,
            pen.theme.axis,
            at,
            (HPos::Center, VPos::Top),
        )?;
    }
    let at = ((left + right) / 2.0, height - MARGIN);
    pen.text(
        &chart.x.label,
        LABEL,
        pen.theme.axis,
        at,
        (HPos::Center, VPos::Bottom),
    )?;
    Ok(frame)
}

/// The span of the x axis: all positions, with room for a marker at both ends.
fn x_span(chart: &Chart, width: f64) -> AxisSpan {
    let found = Bounds::of(chart.all_positions());
    let rounded = span(&chart.x.scale, found, found, MOST_X_STEPS);
    let tight = match &chart.x.scale {
        AxisScale::Categories(_) => return rounded,
        AxisScale::LogarithmicWhenWide if rounded.logarithmic => rounded,
        AxisScale::LogarithmicWhenWide => AxisSpan {
            low: found.map_or(rounded.low, |found| found.low),
            high: found.map_or(rounded.high, |found| found.high),
            logarithmic: false,
        },
        AxisScale::Linear { low, high } => AxisSpan {
            low: low.or(found.map(|found| found.low)).unwrap_or(rounded.low),
            high: high
                .or(found.map(|found| found.high))
                .unwrap_or(rounded.high),
            logarithmic: false,
        },
    };
    let inset = INSET / (width - 2.0 * INSET).max(INSET);
    if tight.logarithmic {
        let factor = libm::pow(tight.high / tight.low, inset);
        AxisSpan {
            low: tight.low / factor,
            high: tight.high * factor,
            logarithmic: true,
        }
    } else if tight.low < tight.high {
        let room = (tight.high - tight.low) * inset;
        AxisSpan {
            low: tight.low - room,
            high: tight.high + room,
            logarithmic: false,
        }
    } else {
        let room = tight.low.abs().max(1.0) / 2.0;
        AxisSpan {
            low: tight.low - room,
            high: tight.low + room,
            logarithmic: false,
        }
    }
}

/// A label below the x axis.
struct XLabel {
    text: String,
    /// The position of its tick.
    tick: f64,
    /// The middle of its text.
    middle: f64,
    /// Line of text below the axis, from 0.
    row: usize,
}

fn x_labels<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Chart,
    frame: &PlotArea,
) -> PenResult<Vec<XLabel>, DB> {
    if let AxisScale::Categories(names) = &chart.x.scale {
        return category_labels(pen, names, frame);
    }
    if chart.x.quantity == Quantity::Dates {
        let dates = (1..=MOST_X_STEPS).rev();
        return fitting_labels(pen, frame, dates.map(|steps| dates::ticks(frame.x, steps)));
    }
    let mut shown = chart.positions();
    shown.retain(|&position| (0.0..=1.0).contains(&frame.x.fraction(position)));
    // A few labels of many positions say too little.
    let enough = shown.len() >= chart.positions().len().min(2);
    let at_points = Some(ticks_at(&shown)).filter(|own| {
        let is_short = |tick: &Tick| tick.label.chars().count() <= LONGEST_POSITION;
        enough && own.iter().all(is_short)
    });
    let rounds = (1..=MOST_X_STEPS).rev().map(|steps| ticks(frame.x, steps));
    fitting_labels(pen, frame, at_points.into_iter().chain(rounds))
}

/// The labels of the first candidate that fits.
fn fitting_labels<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    frame: &PlotArea,
    candidates: impl Iterator<Item = Vec<Tick>>,
) -> PenResult<Vec<XLabel>, DB> {
    for candidate in candidates {
        let mut labels = Vec::new();
        let mut previous_end = f64::NEG_INFINITY;
        let mut fits = true;
        for Tick { value, label } in candidate {
            let tick = frame.x_of(value);
            let half = pen.width(&label, TICK)? / 2.0;
            let middle = tick.min(pen.size().0 - half).max(half);
            fits &= middle - half >= previous_end + CLEARANCE;
            previous_end = middle + half;
            labels.push(XLabel {
                text: label,
                tick,
                middle,
                row: 0,
            });
        }
        if fits && !labels.is_empty() {
            return Ok(labels);
        }
    }
    Ok(Vec::new())
}

/// Labels of categories: on one line, or alternating on two, and shortened if they must be.
fn category_labels<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    names: &[String],
    frame: &PlotArea,
) -> PenResult<Vec<XLabel>, DB> {
    let room = frame.x_of(1.0) - frame.x_of(0.0);
    let mut widest = 0.0_f64;
    for name in names {
        widest = widest.max(pen.width(name, TICK)?);
    }
    let rows = if widest + CLEARANCE <= room { 1 } else { 2 };
    let mut labels = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let tick = frame.x_of(index as f64);
        if !(frame.left..=frame.right).contains(&tick) {
            continue;
        }
        let to_edge = tick.min(pen.size().0 - tick);
        let width = (room * rows as f64 - CLEARANCE).min(2.0 * to_edge);
        labels.push(XLabel {
            text: shortened(pen, name, TICK, width)?,
            tick,
            middle: tick,
            row: index % rows,
        });
    }
    Ok(labels)
}

/// As much of a text as fits, with an ellipsis if it is cut.
fn shortened<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    text: &str,
    font: Font,
    width: f64,
) -> PenResult<String, DB> {
    if pen.width(text, font)? <= width {
        return Ok(text.to_owned());
    }
    let mut kept = text.to_owned();
    while kept.pop().is_some() {
        let shorter = format!("{}…", kept.trim_end());
        if pen.width(&shorter, font)? <= width {
            return Ok(shorter);
        }
    }
    Ok(String::new())
}

fn draw_series<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Chart,
    frame: &PlotArea,
) -> PenResult<(), DB> {
    let joined = chart.is_joined();
    // The distance between the points of a curve day by day.
    let day = matches!(chart.x.quantity, Quantity::Dates | Quantity::Days)
        .then(|| frame.x_of(frame.x.low + 1.0) - frame.x_of(frame.x.low));
    let width = match day {
        Some(day) if day < CLOSE_DAYS => CLOSE_WIDTH,
        _ => CURVE_WIDTH,
    };
    let marked = !joined || day.is_none_or(|day| day >= MARKED_DAYS);
    let earlier = chart.earlier();
    for (series, shift) in layers(&earlier, chart, frame) {
        let stroke = Stroke {
            colour: pen.theme.series[series.style % SERIES_STYLES],
            opacity: opacity(series),
            width: INTERVAL_WIDTH,
        };
        for point in series.points.iter().filter(|point| point.is_shown()) {
            let x = frame.x_of(point.x) + shift;
            let [low, high] = point.ends().map(|end| frame.free_y_of(end));
            let passes = low >= frame.top && high <= frame.bottom;
            if point.half_width.is_some() && passes && frame.shows((x, frame.top)) {
                let ends = point.ends().map(|end| frame.y_of(end));
                pen.line(&ends.map(|end| (x, end)), stroke)?;
                for (end, drawn) in [low, high].into_iter().zip(ends) {
                    // The curve continues beyond the window.
                    if !frame.zoomed || frame.shows((x, end)) {
                        pen.line(&[(x - CAP, drawn), (x + CAP, drawn)], stroke)?;
                    }
                }
            }
        }
        for run in series.points.split(|point| !point.is_shown()) {
            let places: Vec<PenPoint> = run
                .iter()
                .map(|point| (frame.x_of(point.x) + shift, frame.free_y_of(point.y)))
                .collect();
            if joined {
                for piece in frame.pieces(&places) {
                    pen.curve(&piece, series.style, opacity(series), width)?;
                }
            }
            for &place in places.iter().filter(|&&place| marked && frame.shows(place)) {
                pen.marker(place, series.style, opacity(series))?;
            }
        }
    }
    Ok(())
}

/// The series from back to front, with their offsets: earlier values, dimmed series, the others.
fn layers<'a>(earlier: &'a Chart, chart: &'a Chart, frame: &PlotArea) -> Vec<(&'a Series, f64)> {
    let shifts = shifts(chart, frame);
    let mut layers = Vec::new();
    for (of, dimmed) in [(earlier, true), (chart, true), (chart, false)] {
        for (series, &shift) in of.series.iter().zip(&shifts) {
            if series.dimmed == dimmed {
                layers.push((series, shift));
            }
        }
    }
    layers
}

/// The offset of the points of each series from their position, if no lines separate the series.
fn shifts(chart: &Chart, frame: &PlotArea) -> Vec<f64> {
    let count = chart.series.len();
    if chart.is_joined() {
        return vec![0.0; count];
    }
    let positions = chart.positions();
    let at = |x: f64| chart.points().filter(move |point| point.x == x).count();
    if positions.iter().all(|&x| at(x) <= 1) {
        return vec![0.0; count];
    }
    let places = match &chart.x.scale {
        AxisScale::Categories(names) => names.len(),
        _ => positions.len(),
    };
    let room = (frame.right - frame.left) / places.max(1) as f64;
    let distance = SIDE_BY_SIDE.min(0.8 * room / count as f64);
    let middle = (count as f64 - 1.0) / 2.0;
    (0..count)
        .map(|index| (index as f64 - middle) * distance)
        .collect()
}

/// Writes the name of each series beside its last visible point; names that would overlap are
/// moved.
fn draw_line_ends<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Chart,
    frame: &PlotArea,
) -> PenResult<(), DB> {
    let row = LABEL.size * LINE_HEIGHT;
    let mut ends: Vec<(f64, &Series)> = Vec::new();
    for series in chart
        .series
        .iter()
        .filter(|series| !series.label.is_empty())
    {
        // A series in parts: another one of the same style.
        let curve = chart
            .series
            .iter()
            .filter(|other| other.style == series.style);
        let points = curve.flat_map(|series| &series.points);
        let shown = points.filter(|point| point.is_shown());
        let Some(last) = shown.max_by(|one, other| one.x.total_cmp(&other.x)) else {
            continue;
        };
        let (x, end) = (frame.x_of(last.x), frame.free_y_of(last.y));
        if frame.shows((x, end)) {
            let above = ends.partition_point(|(other, _)| *other <= end);
            ends.insert(above, (end, series));
        }
    }
    let mut free = f64::NEG_INFINITY;
    for (middle, _) in &mut ends {
        *middle = middle.max(free);
        free = *middle + row;
    }
    let mut limit = frame.bottom;
    for (middle, _) in ends.iter_mut().rev() {
        *middle = middle.min(limit);
        limit = *middle - row;
    }
    for (middle, series) in ends {
        let marker = (frame.right + CLEARANCE / 2.0, middle);
        pen.marker(marker, series.style, opacity(series))?;
        let at = (marker.0 + CLEARANCE, middle);
        pen.text(
            &series.label,
            LABEL,
            pen.theme.text,
            at,
            (HPos::Left, VPos::Center),
        )?;
    }
    Ok(())
}

fn opacity(series: &Series) -> f64 {
    if series.dimmed { DIMMED } else { 1.0 }
}

/// The nearest position at which a line of one pixel fills a row or column of pixels.
fn crisp(position: f64) -> f64 {
    position.floor() + 0.5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::{Ink, compose};

    fn series(style: usize, points: &[(f64, f64, Option<f64>)]) -> Series {
        Series {
            label: format!("s{style}"),
            style,
            points: points
                .iter()
                .map(|&(x, y, half_width)| CurvePoint {
                    half_width,
                    ..CurvePoint::new(x, y)
                })
                .collect(),
            dimmed: false,
        }
    }

    fn axis(low: Option<f64>, high: Option<f64>) -> ChartAxis {
        ChartAxis {
            label: String::new(),
            quantity: Quantity::Number,
            scale: AxisScale::Linear { low, high },
        }
    }

    fn chart(series: Vec<Series>) -> Chart {
        Chart {
            title: String::new(),
            x: axis(None, None),
            y: axis(Some(0.0), Some(1.0)),
            series,
            names: SeriesNames::Outside,
        }
    }

    fn document(chart: &Chart) -> String {
        windowed(chart, AxisWindow::default()).0
    }

    /// The positions of the discs of series 0, except the background.
    fn discs(chart: &Chart) -> Vec<(f64, f64)> {
        discs_of(&document(chart))
    }

    fn discs_of(document: &str) -> Vec<(f64, f64)> {
        let number = |element: &str, name: &str| -> f64 {
            let (_, rest) = element.split_once(name).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        document
            .split("<circle")
            .skip(1)
            .map(|element| (number(element, "cx=\""), number(element, "cy=\"")))
            .collect()
    }

    fn geometry(chart: &Chart) -> PlotArea {
        windowed(chart, AxisWindow::default()).1
    }

    fn windowed(chart: &Chart, window: AxisWindow) -> (String, PlotArea) {
        compose(chart, window, (640, 240), &Theme::LIGHT, Ink::Values)
    }

    /// A chart whose points were at 0.8 and are at 0.2 now.
    fn moved() -> Chart {
        let mut chart = chart(vec![series(0, &[(0.0, 0.2, None), (1.0, 0.2, None)])]);
        for point in &mut chart.series[0].points {
            point.earlier = Some(0.8);
        }
        chart
    }

    #[test]
    fn earlier_values_are_dimmed_behind_others_and_do_not_stretch_the_axis() {
        let chart = moved();
        let drawn = document(&chart);
        let heights: Vec<f64> = discs(&chart).iter().map(|disc| disc.1).collect();
        let [behind, _, own, _] = heights[..] else {
            panic!("{drawn}");
        };
        assert!(behind < own, "{heights:?}");
        assert!(drawn.contains("faint: the last answer"));
        assert!(drawn.contains(&format!("opacity=\"{DIMMED}\"")), "{drawn}");
        let mut same = moved();
        for point in &mut same.series[0].points {
            point.earlier = Some(point.y);
        }
        assert!(!document(&same).contains("faint"));
        let mut higher = moved();
        higher.y = axis(Some(0.0), None);
        let high = geometry(&higher).y.high;
        higher.series[0].points[0].earlier = Some(100.0);
        assert_eq!(geometry(&higher).y.high, high);
        for point in &mut higher.series[0].points {
            point.y = f64::NAN;
        }
        assert!(
            geometry(&higher).y.high >= 100.0,
            "while there are no others"
        );
    }

    #[test]
    fn points_come_from_their_earlier_values() {
        for (ahead, expected) in [(1.0, 0.8), (0.5, 0.5), (0.0, 0.2)] {
            let mut chart = moved();
            chart.set_back(ahead);
            for point in &chart.series[0].points {
                assert!((point.y - expected).abs() < 1e-12, "{ahead}: {}", point.y);
            }
        }
    }

    #[test]
    fn a_logarithmic_axis_says_so_and_no_other_does() {
        for (most, logarithmic) in [(1000.0, true), (20.0, false)] {
            let mut chart = chart(vec![series(0, &[(0.3, 1.0, None), (0.9, most, None)])]);
            chart.y.scale = AxisScale::LogarithmicWhenWide;
            assert_eq!(document(&chart).contains("logarithmic scale"), logarithmic);
            assert_eq!(geometry(&chart).y.logarithmic, logarithmic);
        }
    }

    #[test]
    fn points_day_by_day_are_marked_where_days_are_far_apart() {
        let marks = |days: u32, quantity| {
            let points: Vec<_> = (0..days).map(|day| (f64::from(day), 0.5, None)).collect();
            let mut chart = chart(vec![series(0, &points)]);
            chart.x.quantity = quantity;
            discs(&chart).len()
        };
        for quantity in [Quantity::Dates, Quantity::Days] {
            assert_eq!(marks(30, quantity), 30);
            assert_eq!(marks(300, quantity), 0);
        }
        assert_eq!(marks(300, Quantity::Number), 300);
    }

    #[test]
    fn curves_are_named_at_their_ends_where_names_fit() {
        let points = [(0.1, 0.2, None), (0.9, 0.5, None)];
        let mut chart = chart((0..3).map(|style| series(style, &points)).collect());
        chart.names = SeriesNames::LineEndsOutside;
        let rows = |document: &str| -> Vec<f64> {
            let named = document.split("<text").filter(|text| text.contains(">s"));
            let y = |text: &str| text.split("y=\"").nth(1)?.split('"').next()?.parse().ok();
            named.filter_map(y).collect()
        };
        let mut named = rows(&document(&chart));
        named.sort_unstable_by(f64::total_cmp);
        assert_eq!(named.len(), 3);
        // They all end at one position, and their names do not overlap.
        for pair in named.windows(2) {
            assert!(pair[1] - pair[0] >= LABEL.size, "{named:?}");
        }
        // A curve that ends outside the window has no name in it.
        let of = geometry(&chart).x;
        let [from, to] = [0.0, 0.5];
        let x = Some(AxisPart { of, from, to });
        let window = AxisWindow { x, y: None };
        assert!(rows(&windowed(&chart, window).0).is_empty());
        // Too many for the height, and one too long for the width: the outer legend has them.
        let mut many = chart.clone();
        many.series = (0..20).map(|style| series(style, &points)).collect();
        assert!(rows(&document(&many)).is_empty());
        chart.series[0].label = "s".repeat(60);
        assert!(rows(&document(&chart)).is_empty());
    }

    #[test]
    fn geometry_leads_from_points_to_their_values() {
        let mut chart = chart(vec![series(0, &[(0.3, 0.9, None), (0.9, 0.25, None)])]);
        for quantity in [Quantity::Number, Quantity::Seconds] {
            chart.y.quantity = quantity;
            chart.y.scale = AxisScale::Linear {
                low: None,
                high: None,
            };
            for point in &mut chart.series[0].points {
                point.y *= 86_400.0;
            }
            let at = geometry(&chart);
            for ((x, y), point) in discs(&chart).into_iter().zip(&chart.series[0].points) {
                assert!((at.x_of(point.x) - x).abs() <= 0.1);
                assert!((at.y_of(point.y) - y).abs() <= 0.1);
            }
        }
    }

    #[test]
    fn a_value_that_is_no_number_leaves_a_gap() {
        let whole = [
            (0.1, 0.5, None),
            (0.2, 0.5, None),
            (0.3, 0.5, None),
            (0.4, 0.5, None),
        ];
        let mut torn = whole;
        torn[1].1 = f64::NAN;
        let lines = |points: &[(f64, f64, Option<f64>)]| {
            let curve = document(&chart(vec![series(0, points)]));
            curve.matches("#0066a8\" stroke-width").count()
        };
        assert_eq!(discs(&chart(vec![series(0, &torn)])).len(), 3);
        assert_eq!(lines(&whole), 1);
        assert_eq!(lines(&torn), 1);
        assert_eq!(
            lines(&[(0.1, 0.5, None), (0.2, f64::NAN, None), (0.3, 0.5, None)]),
            0
        );
    }

    #[test]
    fn the_axis_reaches_over_gaps_at_its_ends() {
        let whole = [(0.3, 0.5, None), (0.6, 0.4, None), (0.9, 0.3, None)];
        let mut torn = whole;
        torn[0].1 = f64::NAN;
        let of = |points| geometry(&chart(vec![series(0, points), series(1, points)]));
        assert_eq!(of(&torn).x, of(&whole).x);
        // Without lines between them, series are side by side only at positions that both have.
        let mut side = chart(vec![series(0, &torn), series(1, &[(0.9, 0.5, None)])]);
        side.x.scale = AxisScale::Categories(["a", "b"].map(str::to_owned).to_vec());
        for point in side.series.iter_mut().flat_map(|series| &mut series.points) {
            point.x = if point.x < 0.9 { 0.0 } else { 1.0 };
        }
        assert!(shifts(&side, &geometry(&side)).iter().all(|by| *by != 0.0));
    }

    #[test]
    fn an_interval_ends_at_the_edge_of_the_plot() {
        let chart = chart(vec![series(
            0,
            &[(0.1, 0.98, Some(0.1)), (0.2, 0.5, Some(0.1))],
        )]);
        let at = geometry(&chart);
        assert_eq!((at.y.low, at.y.high), (0.0, 1.0));
        assert_eq!(at.y_of(1.08), at.top);
        let cap = format!(
            "L{} {}",
            ((at.x_of(0.1) + CAP) * 10.0).round() / 10.0,
            at.top
        );
        assert!(document(&chart).contains(&cap), "{cap}");
    }

    #[test]
    fn a_window_shows_a_part_and_nothing_outside_of_it() {
        let points = [0.1, 0.3, 0.5, 0.7, 0.9].map(|at| (at, at, Some(0.05)));
        let chart = chart(vec![series(0, &points)]);
        let whole = geometry(&chart);
        assert!(!whole.zoomed);
        let around = |of: AxisSpan, low: f64, high: f64| {
            let [from, to] = [low, high].map(|value| of.fraction(value));
            Some(AxisPart { of, from, to })
        };
        let window = AxisWindow {
            x: around(whole.x, 0.2, 0.6),
            y: around(whole.y, 0.4, 0.6),
        };
        let (document, seen) = windowed(&chart, window);
        assert!(seen.zoomed);
        assert!((seen.x.low - 0.2).abs() < 1e-9 && (seen.y.high - 0.6).abs() < 1e-9);
        // 0.5 is visible; of 0.3, only the curve that leads from it.
        let all = discs_of(&document);
        assert_eq!(all.len(), 1, "{all:?}");
        let places = &seen.places(&chart)[0];
        assert!(places.iter().all(Option::is_some));
        assert!((places[2].unwrap().0 - all[0].0).abs() <= 0.1);
        let inside = |&(x, y): &(f64, f64)| seen.shows((x, y));
        let curve = seen.pieces(&places.iter().flatten().copied().collect::<Vec<_>>());
        assert_eq!(curve.len(), 1);
        assert!(curve[0].iter().all(inside), "{curve:?}");
        assert!(
            (seen
                .y
                .value((seen.bottom - curve[0][0].1) / (seen.bottom - seen.top))
                - 0.4)
                .abs()
                < 1e-9
        );
        // The same window of the visible part is all of it.
        let again = AxisWindow {
            x: around(seen.x, 0.2, 0.6),
            y: None,
        };
        assert_eq!(windowed(&chart, again).1.x, seen.x);
    }

    #[test]
    fn a_window_on_times_is_in_the_unit_of_the_points() {
        let day = 86_400.0;
        let mut chart = chart(vec![series(0, &[(0.3, 9.0 * day, None), (0.9, day, None)])]);
        chart.y = ChartAxis {
            quantity: Quantity::Seconds,
            ..axis(Some(0.0), None)
        };
        let of = geometry(&chart).y;
        let upper = AxisPart {
            of,
            from: 0.5,
            to: 1.0,
        };
        let window = AxisWindow {
            x: None,
            y: Some(upper),
        };
        let (_, seen) = windowed(&chart, window);
        assert!((seen.y.low - of.high / 2.0).abs() < 1e-6 && (seen.y.high - of.high).abs() < 1e-6);
    }

    #[test]
    fn series_are_side_by_side_where_they_share_the_only_position() {
        let points = [(0.7, 0.5, Some(0.1))];
        let three = chart(vec![
            series(0, &points),
            series(0, &points),
            series(0, &points),
        ]);
        let mut places: Vec<f64> = discs(&three).into_iter().map(|(x, _)| x).collect();
        assert_eq!(places.len(), 3);
        places.dedup_by(|one, other| (*one - *other).abs() < 8.0);
        assert_eq!(places.len(), 3);
        let middle = geometry(&three).x_of(0.7);
        assert!((places[1] - middle).abs() <= 0.1);
    }

    #[test]
    fn the_summary_names_what_is_shown() {
        let mut chart = chart(vec![series(0, &[]), series(1, &[])]);
        chart.title = "Accept rate".to_owned();
        chart.y.label = "fraction".to_owned();
        chart.x.label = "load".to_owned();
        assert_eq!(chart.summary(), "Accept rate: fraction by load: s0, s1");
    }
}
