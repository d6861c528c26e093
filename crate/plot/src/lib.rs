//! Pictures: charts of swept results, and rasters of what a system holds, drawn for the page and the
//! command line alike.
//!
//! Functions from plain data to pictures; what is drawn is computed and put into words by the crates
//! below. Nothing here knows the browser. A chart goes to any plotters backend: to a canvas in the
//! page, to [`svg`] everywhere else.
//!
//! Invariants: an SVG is byte-equal on every machine and in WebAssembly, since text is measured by
//! the built-in table of [`text`] and arithmetic is exact or [`libm`]'s; no series is told apart by
//! colour alone; a raster shows every value on the same fixed scale.
//!
//! - [`colour`]: themes, series palettes, the colour scale of link use
//! - [`text`]: how wide a label is
//! - [`scale`]: the stretch of values an axis shows and its ticks
//! - `dates`: the ticks of an axis of dates
//! - [`chart`]: curves with intervals, axes, legend
//! - [`heatmap`]: a metric over two swept keys, a heatmap for each policy
//! - [`svg`]: a chart as an SVG document
//! - [`curves`]: the numbers of an answer as charts
//! - [`figure`]: published figures as charts
//! - [`export`]: charts as files, for the screen and for papers
//! - [`raster`]: shares as pixels, cell by cell
//! - [`utilization`]: the parts of a system as such cells
//! - [`diagram`]: the nodes of a network as they stand in drawings
//! - [`time`]: what happens over time as pixels: numbers that change in steps, and who holds which
//!   slot

pub mod chart;
pub mod colour;
pub mod curves;
mod dates;
pub mod diagram;
pub mod export;
pub mod figure;
pub mod heatmap;
mod pen;
pub mod raster;
pub mod scale;
pub mod svg;
pub mod text;
pub mod time;
pub mod utilization;

pub use pen::{SeriesStyle, series_styles};
