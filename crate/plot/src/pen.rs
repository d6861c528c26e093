//! Drawing in CSS pixels, and the look of a series: marker and dash by its style.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle};
use plotters_backend::DrawingBackend;
use plotters_backend::text_anchor::{HPos, Pos, VPos};

use serde::Serialize;

use crate::colour::{Rgb, SERIES_STYLES, Theme};
use crate::text::FONTS;

/// Drawing units of a backend in one CSS pixel.
pub const RESOLUTION: u32 = 10;

/// The result type of a drawing area's backend.
pub(crate) type PenResult<T, DB> =
    Result<T, DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A position in pixels from the upper left corner.
pub(crate) type PenPoint = (f64, f64);

/// Font size in pixels, and weight.
#[derive(Clone, Copy)]
pub(crate) struct Font {
    pub(crate) size: f64,
    pub(crate) bold: bool,
}

/// For the title of a drawing.
pub(crate) const TITLE: Font = Font {
    size: 13.0,
    bold: true,
};
/// For the labels of an axis or a part.
pub(crate) const LABEL: Font = Font {
    size: 12.0,
    bold: false,
};
/// For the values along an axis.
pub(crate) const TICK: Font = Font {
    size: 11.0,
    bold: false,
};

/// The look of a line.
#[derive(Clone, Copy)]
pub(crate) struct Stroke {
    pub(crate) colour: Rgb,
    pub(crate) opacity: f64,
    pub(crate) width: f64,
}

/// Draws on an area in the colours of a theme.
pub(crate) struct Pen<'a, DB: DrawingBackend> {
    pub(crate) area: &'a DrawingArea<DB, Shift>,
    pub(crate) theme: &'a Theme,
}

const MARKER_RADIUS: f64 = 3.8;
/// Width of a curve.
pub(crate) const CURVE_WIDTH: f64 = 1.8;
/// Width of the outline of a hollow marker.
const OUTLINE_WIDTH: f64 = 1.6;

/// Lengths of ink and gap along a curve, by style; empty for a solid line.
const DASHES: [&[f64]; SERIES_STYLES] = [
    &[],
    &[7.0, 4.0],
    &[2.0, 3.0],
    &[9.0, 3.0, 2.0, 3.0],
    &[14.0, 4.0],
    &[4.0, 2.5],
    &[9.0, 3.0, 2.0, 3.0, 2.0, 3.0],
    &[1.5, 5.0],
];

/// The outline of a marker, in radii around its point.
enum Outline {
    Disc,
    Corners(&'static [PenPoint]),
}

/// Outlines of markers by style, and whether they are filled.
const MARKERS: [(Outline, bool); SERIES_STYLES] = [
    (Outline::Disc, true),
    (Outline::Corners(&SQUARE), true),
    (Outline::Corners(&TRIANGLE), true),
    (Outline::Corners(&DIAMOND), true),
    (Outline::Corners(&TRIANGLE_DOWN), true),
    (Outline::Disc, false),
    (Outline::Corners(&SQUARE), false),
    (Outline::Corners(&DIAMOND), false),
];
const SQUARE: [PenPoint; 4] = [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)];
const TRIANGLE: [PenPoint; 3] = [(0.0, -1.25), (1.15, 0.85), (-1.15, 0.85)];
const TRIANGLE_DOWN: [PenPoint; 3] = [(0.0, 1.25), (1.15, -0.85), (-1.15, -0.85)];
const DIAMOND: [PenPoint; 4] = [(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)];

/// The look of curves of a style, apart from their colour.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct SeriesStyle {
    /// Lengths of ink and gap along the curve in CSS pixels; empty for a solid line.
    pub dash: &'static [f64],
    /// Corners of the marker in radii around its point; empty for a circle.
    pub corners: &'static [(f64, f64)],
    /// Whether the marker is filled.
    pub filled: bool,
}

/// The look of each style, for legends outside of charts.
pub fn series_styles() -> [SeriesStyle; SERIES_STYLES] {
    std::array::from_fn(|style| {
        let (outline, filled) = &MARKERS[style];
        SeriesStyle {
            dash: DASHES[style],
            corners: match outline {
                Outline::Disc => &[],
                Outline::Corners(corners) => corners,
            },
            filled: *filled,
        }
    })
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    /// Width and height of the area.
    pub(crate) fn size(&self) -> (f64, f64) {
        let (width, height) = self.area.dim_in_pixel();
        let pixels = |units: u32| f64::from(units) / f64::from(RESOLUTION);
        (pixels(width), pixels(height))
    }

    pub(crate) fn clear(&self) -> PenResult<(), DB> {
        self.area.fill(&plotters_colour(self.theme.background))
    }

    /// The width of a text in the backend.
    pub(crate) fn width(&self, text: &str, font: Font) -> PenResult<f64, DB> {
        let style = text_style(font, self.theme.text, HPos::Left, VPos::Top);
        let (width, _) = self.area.estimate_text_size(text, &style)?;
        Ok(f64::from(width) / f64::from(RESOLUTION))
    }

    /// Writes a text with its point of `anchor` at `at`.
    pub(crate) fn text(
        &self,
        text: &str,
        font: Font,
        colour: Rgb,
        at: PenPoint,
        anchor: (HPos, VPos),
    ) -> PenResult<(), DB> {
        let style = text_style(font, colour, anchor.0, anchor.1);
        self.area.draw_text(text, &style, units(at))
    }

    pub(crate) fn line(&self, points: &[PenPoint], stroke: Stroke) -> PenResult<(), DB> {
        let points: Vec<_> = points.iter().copied().map(units).collect();
        let style = ShapeStyle {
            color: plotters_colour(stroke.colour).mix(stroke.opacity),
            filled: false,
            stroke_width: length(stroke.width),
        };
        self.area.draw(&PathElement::new(points, style))
    }

    /// A rectangle, from its upper left corner.
    pub(crate) fn fill(
        &self,
        (left, top): PenPoint,
        size: PenPoint,
        colour: Rgb,
    ) -> PenResult<(), DB> {
        let corners = [units((left, top)), units((left + size.0, top + size.1))];
        let fill = plotters_colour(colour).filled();
        self.area.draw(&Rectangle::new(corners, fill))
    }

    /// A piece of the curve of a series.
    pub(crate) fn curve(
        &self,
        points: &[PenPoint],
        style: usize,
        opacity: f64,
        width: f64,
    ) -> PenResult<(), DB> {
        let stroke = Stroke {
            colour: self.theme.series[style % SERIES_STYLES],
            opacity,
            width,
        };
        for dash in dashes(points, DASHES[style % SERIES_STYLES]) {
            self.line(&dash, stroke)?;
        }
        Ok(())
    }

    /// The marker of a series around a point.
    pub(crate) fn marker(&self, at: PenPoint, style: usize, opacity: f64) -> PenResult<(), DB> {
        let colour = self.theme.series[style % SERIES_STYLES];
        let (outline, filled) = &MARKERS[style % SERIES_STYLES];
        let (inside, inside_opacity) = if *filled {
            (colour, opacity)
        } else {
            (self.theme.background, 1.0)
        };
        let fill = plotters_colour(inside).mix(inside_opacity).filled();
        let stroke = Stroke {
            colour,
            opacity,
            width: OUTLINE_WIDTH,
        };
        match outline {
            Outline::Disc => {
                let radius = length(MARKER_RADIUS);
                self.area.draw(&Circle::new(units(at), radius, fill))?;
                if !filled {
                    let ring = ShapeStyle {
                        color: plotters_colour(colour).mix(opacity),
                        filled: false,
                        stroke_width: length(OUTLINE_WIDTH),
                    };
                    self.area.draw(&Circle::new(units(at), radius, ring))?;
                }
            }
            Outline::Corners(corners) => {
                let corner =
                    |&(x, y): &PenPoint| (at.0 + MARKER_RADIUS * x, at.1 + MARKER_RADIUS * y);
                let mut path: Vec<PenPoint> = corners.iter().map(corner).collect();
                let inside: Vec<_> = path.iter().copied().map(units).collect();
                self.area.draw(&Polygon::new(inside, fill))?;
                if !filled {
                    path.extend([path[0], path[1]]);
                    self.line(&path, stroke)?;
                }
            }
        }
        Ok(())
    }
}

fn text_style(font: Font, colour: Rgb, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    let weight = if font.bold {
        FontStyle::Bold
    } else {
        FontStyle::Normal
    };
    let size = font.size * f64::from(RESOLUTION);
    FontDesc::new(FontFamily::Name(FONTS), size, weight)
        .color(&plotters_colour(colour))
        .pos(Pos::new(horizontal, vertical))
}

fn plotters_colour([red, green, blue]: Rgb) -> RGBColor {
    RGBColor(red, green, blue)
}

fn length(pixels: f64) -> u32 {
    (pixels * f64::from(RESOLUTION)).round() as u32
}

fn units((x, y): PenPoint) -> (i32, i32) {
    let unit = |pixels: f64| (pixels * f64::from(RESOLUTION)).round() as i32;
    (unit(x), unit(y))
}

/// The inked pieces of a path under a pattern of ink and gap lengths.
fn dashes(path: &[PenPoint], pattern: &[f64]) -> Vec<Vec<PenPoint>> {
    if pattern.is_empty() {
        return vec![path.to_vec()];
    }
    let mut pieces = Vec::new();
    let mut lengths = pattern.iter().copied().cycle();
    let mut left = lengths.next().unwrap_or(f64::INFINITY);
    let mut inked = true;
    let mut piece: Vec<PenPoint> = path.first().copied().into_iter().collect();
    for ends in path.windows(2) {
        let ((x0, y0), (x1, y1)) = (ends[0], ends[1]);
        let long = libm::hypot(x1 - x0, y1 - y0);
        let mut done = 0.0;
        while long - done > left {
            done += left;
            let here = (x0 + (x1 - x0) * done / long, y0 + (y1 - y0) * done / long);
            if inked {
                piece.push(here);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![here];
            }
            inked = !inked;
            left = lengths.next().unwrap_or(f64::INFINITY);
        }
        left -= long - done;
        if inked {
            piece.push((x1, y1));
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_keep_their_rhythm_around_a_corner() {
        let path = [(0.0, 0.0), (5.0, 0.0), (5.0, 7.0)];
        let expected = vec![vec![(0.0, 0.0), (4.0, 0.0)], vec![(5.0, 1.0), (5.0, 5.0)]];
        assert_eq!(dashes(&path, &[4.0, 2.0]), expected);
        let around = vec![
            vec![(0.0, 0.0), (5.0, 0.0), (5.0, 3.0)],
            vec![(5.0, 5.0), (5.0, 7.0)],
        ];
        assert_eq!(dashes(&path, &[8.0, 2.0]), around);
        assert_eq!(dashes(&path, &[]), vec![path.to_vec()]);
    }

    #[test]
    fn no_two_styles_share_marker_or_dash() {
        let shape = |style: usize| match &MARKERS[style] {
            (Outline::Disc, filled) => (None, *filled),
            (Outline::Corners(corners), filled) => (Some(*corners), *filled),
        };
        let pairs =
            (0..SERIES_STYLES).flat_map(|style| (0..style).map(move |earlier| (style, earlier)));
        for (style, earlier) in pairs {
            assert_ne!(DASHES[style], DASHES[earlier]);
            assert_ne!(shape(style), shape(earlier));
        }
    }
}
