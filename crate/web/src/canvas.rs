//! A canvas of the page as a plotters backend, sharp on every screen.
//!
//! `plotters-canvas` draws; this module corrects its sizes. The canvas measures text itself:
//! plotters would add an element with a style attribute to the page for each label, which a strict
//! content security policy forbids, and which causes a new layout of the page. It also draws paths
//! in pieces of [`PIECE`] lines: a curve by day has a thousand, or hundreds of dashes. One stroke of
//! them all takes a browser four times as long, and a stroke for each dash many more calls.
//! Coordinates are those of charts, [`RESOLUTION`] to a CSS pixel, on every device.

use std::cell::RefCell;

use backfill_plot::chart::RESOLUTION;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// How many lines are drawn at once.
const PIECE: u32 = 8;

/// A canvas to draw a chart on.
pub struct Canvas {
    backend: CanvasBackend,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    /// The look of the paths that the context has and that are not drawn yet.
    collected: Option<Line>,
    /// How many lines these paths have.
    lines: u32,
    /// The font that the context has; empty if that is not known.
    font: RefCell<String>,
}

/// Red, green, blue, opacity and width of a line.
type Line = ((u8, u8, u8), f64, u32);

type Drawn = Result<(), DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>>;

impl Canvas {
    /// Clears a canvas of `width` × `height` CSS pixels and gives it `device_pixel_ratio` pixels
    /// for each. `None` if it has no 2D context.
    pub fn new(
        canvas: HtmlCanvasElement,
        width: u32,
        height: u32,
        device_pixel_ratio: f64,
    ) -> Option<Self> {
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        let own_pixels = |length: u32| (f64::from(length) * device_pixel_ratio).round() as u32;
        let own = [width, height].map(own_pixels);
        // A new size clears it, too, but makes the page lay itself out again.
        if [canvas.width(), canvas.height()] == own {
            let [width, height] = own.map(f64::from);
            context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0).ok()?;
            context.clear_rect(0.0, 0.0, width, height);
        } else {
            canvas.set_width(own[0]);
            canvas.set_height(own[1]);
        }
        let scale = device_pixel_ratio / f64::from(RESOLUTION);
        context
            .set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0)
            .ok()?;
        context.set_line_join("round");
        Some(Self {
            backend: CanvasBackend::with_canvas_object(canvas)?,
            context,
            size: (width * RESOLUTION, height * RESOLUTION),
            collected: None,
            lines: 0,
            font: RefCell::default(),
        })
    }

    /// Collects paths of a look.
    fn begin(&mut self, line: Line) {
        self.context.begin_path();
        self.collected = Some(line);
        self.lines = 0;
    }

    /// What draws anything but paths, once the collected ones are drawn.
    fn others(&mut self) -> &mut CanvasBackend {
        if self.collected.take().is_some() {
            self.context.stroke();
        }
        &mut self.backend
    }
}

/// A font as canvases are told it.
fn font<S: BackendTextStyle>(style: &S) -> String {
    let (weight, size, family) = (style.style(), style.size(), style.family());
    format!("{} {size}px {}", weight.as_str(), family.as_str())
}

impl Drop for Canvas {
    fn drop(&mut self) {
        self.others();
    }
}

impl DrawingBackend for Canvas {
    type ErrorType = <CanvasBackend as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        self.backend.ensure_prepared()
    }

    fn present(&mut self) -> Drawn {
        self.backend.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Drawn {
        self.others().draw_pixel(point, colour)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.others().draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.others()
            .draw_rect(upper_left, bottom_right, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let BackendColor { alpha, rgb } = style.color();
        let line = (rgb, alpha, style.stroke_width());
        if self.collected != Some(line) {
            let (red, green, blue) = rgb;
            self.others();
            let colour = format!("rgba({red},{green},{blue},{alpha})");
            self.context.set_stroke_style_str(&colour);
            self.context.set_line_width(f64::from(style.stroke_width()));
            self.begin(line);
        } else if self.lines >= PIECE {
            self.others();
            self.begin(line);
        }
        let mut corners = path.into_iter().map(|(x, y)| (f64::from(x), f64::from(y)));
        let Some(mut from) = corners.next() else {
            return Ok(());
        };
        self.context.move_to(from.0, from.1);
        for to in corners {
            // What is drawn twice would be less transparent.
            if self.lines >= PIECE && alpha == 1.0 {
                self.context.line_to(to.0, to.1);
                self.others();
                self.begin(line);
                self.context.move_to(from.0, from.1);
            }
            self.context.line_to(to.0, to.1);
            self.lines += 1;
            from = to;
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.others().draw_circle(center, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        self.others().fill_polygon(corners, style)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        position: BackendCoord,
    ) -> Drawn {
        self.font.replace(font(style));
        self.others().draw_text(text, style, position)
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        let size = style.size();
        let font = font(style);
        // A browser reads a font anew whenever one is set.
        if self.font.replace(font.clone()) != font {
            self.context.set_font(&font);
        }
        let measured = self
            .context
            .measure_text(text)
            .map_err(|_| DrawingErrorKind::FontError("the canvas cannot measure text".into()))?;
        let height = size * backfill_plot::text::LINE_HEIGHT;
        Ok((measured.width().ceil() as u32, height.ceil() as u32))
    }
}
