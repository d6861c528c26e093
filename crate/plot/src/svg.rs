//! A chart as an SVG document.
//!
//! The document has real text, a name for screen readers and no style attribute, so that it is
//! valid under a strict content security policy.

use std::convert::Infallible;
use std::fmt::Write as _;

use backfill_experiment::study::answer::surface::Surface;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontStyle,
};

use crate::chart::{AxisWindow, Chart, PlotArea, RESOLUTION, draw};
use crate::colour::Theme;
use crate::heatmap;
use crate::text;

/// How the document gives its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// By value, for a document of its own.
    Values,
    /// As `currentColor` of a class named by [`Theme::role`]: the style sheet of the page sets the
    /// `color` of each class, for light and dark.
    Classes,
}

/// Draws `chart` as an SVG document of `size` pixels, width and height.
pub fn render(chart: &Chart, size: (u32, u32), theme: &Theme, ink: Ink) -> String {
    compose(chart, AxisWindow::default(), size, theme, ink).0
}

/// The document and the geometry of its plot.
pub(crate) fn compose(
    chart: &Chart,
    window: AxisWindow,
    size: (u32, u32),
    theme: &Theme,
    ink: Ink,
) -> (String, PlotArea) {
    document(&chart.summary(), size, theme, ink, |area| {
        draw(area, chart, 0.0, window, theme)
    })
}

/// Draws heatmaps as an SVG document of `size` pixels, the row of `cut` framed.
pub fn render_surface(
    surface: &Surface,
    size: (u32, u32),
    cut: Option<usize>,
    theme: &Theme,
    ink: Ink,
) -> String {
    let words = surface.told().words;
    document(&words, size, theme, ink, |area| {
        heatmap::draw(area, surface, cut, theme)
    })
    .0
}

/// A document of that name with what `draw` draws, and the result of `draw`.
fn document<T>(
    name: &str,
    size: (u32, u32),
    theme: &Theme,
    ink: Ink,
    draw: impl FnOnce(&DrawingArea<Canvas<'_>, Shift>) -> Result<T, DrawingAreaErrorKind<Infallible>>,
) -> (String, T) {
    let (width, height) = size;
    let name = escaped(name);
    let mut document = format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" "#,
            r#"width="{width}" height="{height}" viewBox="0 0 {width} {height}" "#,
            r#"font-family="{fonts}" stroke-linejoin="round"><title>{name}</title>"#
        ),
        width = width,
        height = height,
        fonts = text::FONTS,
        name = name,
    );
    let area = Canvas {
        out: &mut document,
        size,
        theme,
        ink,
        strokes: None,
    }
    .into_drawing_area();
    let drawn = draw(&area)
        .and_then(|drawn| area.present().map(|()| drawn))
        .expect("writing to a string does not fail, and no font is asked");
    drop(area);
    document.push_str("</svg>\n");
    (document, drawn)
}

/// How many times as wide as those of [`text::FONTS`] the letters of a viewer's font may be. A label
/// that would leave the document then is drawn in the width that was left for it.
const WIDEST: f64 = 1.2;

/// Consecutive strokes of one look: they share one `path`.
struct Strokes {
    look: String,
    data: String,
}

/// The plotters backend behind [`render`]. It does not rotate text, as no chart needs it.
struct Canvas<'a> {
    out: &'a mut String,
    size: (u32, u32),
    theme: &'a Theme,
    ink: Ink,
    strokes: Option<Strokes>,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl Canvas<'_> {
    /// The attributes that set `property`, `fill` or `stroke`, to a colour.
    fn paint(&self, property: &str, colour: BackendColor) -> String {
        let (red, green, blue) = colour.rgb;
        let class = match self.ink {
            Ink::Values => None,
            Ink::Classes => self.theme.role([red, green, blue]),
        };
        let mut attributes = match class {
            Some(class) => format!(r#" class="{class}" {property}="currentColor""#),
            None => format!(r##" {property}="#{red:02x}{green:02x}{blue:02x}""##),
        };
        if colour.alpha < 1.0 {
            attributes += &format!(r#" {property}-opacity="{}""#, colour.alpha);
        }
        attributes
    }

    fn stroke(&self, style: &impl BackendStyle) -> String {
        let mut attributes = self.paint("stroke", style.color());
        let width = pixels(f64::from(style.stroke_width()));
        attributes += &format!(r#" stroke-width="{width}""#);
        attributes
    }

    fn write(&mut self, element: &str) {
        self.end_strokes();
        self.out.push_str(element);
    }

    fn end_strokes(&mut self) {
        if let Some(Strokes { look, data }) = self.strokes.take() {
            let path = format!(r#"<path fill="none"{look} d="{data}"/>"#);
            self.out.push_str(&path);
        }
    }
}

/// Drawing units as pixels.
fn pixels(units: f64) -> f64 {
    units / f64::from(RESOLUTION)
}

/// The `d` of a line through `points`.
fn path_data(points: impl IntoIterator<Item = BackendCoord>) -> String {
    let mut data = String::new();
    for (index, (x, y)) in points.into_iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let (x, y) = (pixels(x.into()), pixels(y.into()));
        write!(data, "{command}{x} {y}").expect("a string takes everything");
    }
    data
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.size.0 * RESOLUTION, self.size.1 * RESOLUTION)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        self.end_strokes();
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Drawn {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &colour, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        if fill {
            self.fill_polygon(corners, style)
        } else {
            self.draw_path(corners.into_iter().chain([(left, top)]), style)
        }
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let look = self.stroke(style);
        let data = path_data(path);
        match &mut self.strokes {
            Some(strokes) if strokes.look == look => strokes.data += &data,
            _ => {
                self.end_strokes();
                self.strokes = Some(Strokes { look, data });
            }
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let look = if fill {
            self.paint("fill", style.color())
        } else {
            format!(r#" fill="none"{}"#, self.stroke(style))
        };
        let (x, y, radius) = (pixels(x.into()), pixels(y.into()), pixels(radius.into()));
        self.write(&format!(
            r#"<circle cx="{x}" cy="{y}" r="{radius}"{look}/>"#
        ));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        let (data, look) = (path_data(corners), self.paint("fill", style.color()));
        self.write(&format!(r#"<path d="{data}Z"{look}/>"#));
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        label: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Drawn {
        let size = pixels(style.size());
        // Baselines from the ascent and cap height of the fonts named in the document.
        let baseline = match style.anchor().v_pos {
            VPos::Top => 0.9,
            VPos::Center => 0.36,
            VPos::Bottom => -0.2,
        };
        let anchor = match style.anchor().h_pos {
            HPos::Left => "",
            HPos::Center => r#" text-anchor="middle""#,
            HPos::Right => r#" text-anchor="end""#,
        };
        let weight = match style.style() {
            FontStyle::Bold => r#" font-weight="bold""#,
            _ => "",
        };
        let x = pixels(x.into());
        let y = pixels((f64::from(y) + baseline * style.size()).round());
        let width = text::width(label, size, matches!(style.style(), FontStyle::Bold));
        let (left, right) = match style.anchor().h_pos {
            HPos::Left => (0.0, width),
            HPos::Center => (width / 2.0, width / 2.0),
            HPos::Right => (width, 0.0),
        };
        let leaves = x < left * WIDEST || x + right * WIDEST > f64::from(self.size.0);
        let length = if leaves {
            format!(r#" textLength="{width:.1}" lengthAdjust="spacingAndGlyphs""#)
        } else {
            String::new()
        };
        let look = self.paint("fill", style.color());
        let label = escaped(label);
        self.write(&format!(
            r#"<text x="{x}" y="{y}" font-size="{size}"{anchor}{weight}{length}{look}>{label}</text>"#
        ));
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        label: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let bold = matches!(style.style(), FontStyle::Bold);
        let width = text::width(label, style.size(), bold);
        let height = style.size() * text::LINE_HEIGHT;
        Ok((width.ceil() as u32, height.ceil() as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{ChartAxis, CurvePoint, Quantity, Series, SeriesNames};
    use crate::scale::AxisScale;

    const SIZES: [(u32, u32); 2] = [(640, 240), (288, 220)];

    fn axis(label: &str, scale: AxisScale) -> ChartAxis {
        ChartAxis {
            label: label.to_owned(),
            quantity: Quantity::Number,
            scale,
        }
    }

    fn free() -> AxisScale {
        AxisScale::Linear {
            low: None,
            high: None,
        }
    }

    /// `count` series over the same positions.
    fn chart(count: usize, positions: &[f64], value: impl Fn(usize, f64) -> f64) -> Chart {
        let series = |style| Series {
            label: format!("policy-{style}+placement"),
            style,
            points: positions
                .iter()
                .map(|&x| CurvePoint {
                    half_width: Some(0.05),
                    ..CurvePoint::new(x, value(style, x))
                })
                .collect(),
            dimmed: false,
        };
        Chart {
            title: "Accept rate".to_owned(),
            x: axis("Offered load", free()),
            y: axis("fraction of jobs", free()),
            series: (0..count).map(series).collect(),
            names: SeriesNames::Legend,
        }
    }

    fn samples() -> Vec<Chart> {
        let sweep: Vec<f64> = (1..=12).map(|tenths| f64::from(tenths) / 10.0).collect();
        let curves = chart(5, &sweep, |style, x| style as f64 + x * x);
        let mut wide = chart(8, &sweep, |style, x| libm::exp(style as f64 + 3.0 * x));
        wide.y.scale = AxisScale::LogarithmicWhenWide;
        wide.names = SeriesNames::LineEnds;
        let mut times = curves.clone();
        times.y.quantity = Quantity::Seconds;
        let mut categories = chart(2, &[0.0, 1.0, 2.0, 3.0, 4.0], |_, x| x);
        let names = (0..5).map(|number| format!("bgmbf-{number}+first-fit"));
        categories.x.scale = AxisScale::Categories(names.collect());
        let mut thousands = chart(3, &[10_000.0, 100_000.0, 1_000_000.0], |_, x| x);
        thousands.x.scale = AxisScale::LogarithmicWhenWide;
        vec![
            curves.clone(),
            Chart {
                names: SeriesNames::LineEnds,
                ..curves
            },
            wide,
            times,
            categories,
            thousands,
            chart(4, &[0.7], |style, _| style as f64),
            chart(3, &[0.3, 0.9], |_, _| 0.0),
            chart(2, &[], |_, _| 0.0),
            chart(0, &[], |_, _| 0.0),
        ]
    }

    /// The value of an attribute of an element in this document.
    fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
        let start = element.find(&format!(" {name}=\""))? + name.len() + 3;
        element[start..].split('"').next()
    }

    /// Left, top, right, bottom and content of every text, in a font whose letters are so many times as
    /// wide.
    fn texts(document: &str, letters: f64) -> Vec<([f64; 4], String)> {
        let mut found = Vec::new();
        for element in document.split("<text").skip(1) {
            let (attributes, rest) = element.split_once('>').unwrap();
            let content = rest.split("</text>").next().unwrap();
            let number = |name| attribute(attributes, name).unwrap().parse::<f64>().unwrap();
            let size = number("font-size");
            let bold = attribute(attributes, "font-weight") == Some("bold");
            let width = match attribute(attributes, "textLength") {
                Some(width) => width.parse().unwrap(),
                None => letters * text::width(content, size, bold),
            };
            let left = match attribute(attributes, "text-anchor") {
                Some("middle") => number("x") - width / 2.0,
                Some("end") => number("x") - width,
                _ => number("x"),
            };
            // From the top of capitals to below the baseline.
            let (top, bottom) = (number("y") - 0.72 * size, number("y") + 0.21 * size);
            found.push(([left, top, left + width, bottom], content.to_owned()));
        }
        found
    }

    #[test]
    fn texts_neither_overlap_nor_leave_the_chart() {
        for chart in samples() {
            for (width, height) in SIZES {
                let document = render(&chart, (width, height), &Theme::LIGHT, Ink::Values);
                let texts = texts(&document, 1.0);
                assert!(texts.len() >= 4, "{document}");
                for (index, (one, content)) in texts.iter().enumerate() {
                    let inside = one[0] >= 0.0
                        && one[1] >= 0.0
                        && one[2] <= f64::from(width)
                        && one[3] <= f64::from(height);
                    assert!(inside, "{content} at {one:?} of {width} × {height}");
                    for (other, beside) in &texts[..index] {
                        let disjoint = one[0] >= other[2]
                            || other[0] >= one[2]
                            || one[1] >= other[3]
                            || other[1] >= one[3];
                        assert!(disjoint, "{content} {one:?} over {beside} {other:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_text_leaves_the_chart_in_a_wider_font() {
        for chart in samples() {
            for size in SIZES {
                let document = render(&chart, size, &Theme::LIGHT, Ink::Values);
                for ([left, _, right, _], content) in texts(&document, WIDEST) {
                    let inside = left >= 0.0 && right <= f64::from(size.0);
                    assert!(inside, "{content} from {left} to {right} of {}", size.0);
                }
            }
        }
    }

    #[test]
    fn a_document_is_the_same_every_time_and_fit_for_a_strict_page() {
        for chart in samples() {
            for ink in [Ink::Values, Ink::Classes] {
                let document = render(&chart, SIZES[0], &Theme::DARK, ink);
                assert_eq!(document, render(&chart, SIZES[0], &Theme::DARK, ink));
                assert!(document.contains("<text "));
                assert!(document.contains(r#"role="img""#));
                assert!(!document.contains("style="));
                assert!(!document.contains("NaN") && !document.contains("inf"));
            }
        }
    }

    #[test]
    fn classes_replace_every_colour() {
        let chart = &samples()[0];
        let by_class = render(chart, SIZES[0], &Theme::LIGHT, Ink::Classes);
        assert!(!by_class.contains('#'), "{by_class}");
        assert!(by_class.contains(r#"class="series-4" stroke="currentColor""#));
        assert!(by_class.contains(r#"class="background" fill="currentColor""#));
        let dark = render(chart, SIZES[0], &Theme::DARK, Ink::Classes);
        assert_eq!(by_class, dark);
        let by_value = render(chart, SIZES[0], &Theme::LIGHT, Ink::Values);
        assert!(!by_value.contains("currentColor"));
    }

    #[test]
    fn names_are_text_and_never_markup() {
        let mut chart = chart(1, &[0.5, 0.7], |_, x| x);
        chart.series[0].label = "<b>&\"".to_owned();
        let document = render(&chart, SIZES[0], &Theme::LIGHT, Ink::Values);
        assert!(document.contains("&lt;b&gt;&amp;\""));
        assert!(!document.contains("<b>"));
    }
}
