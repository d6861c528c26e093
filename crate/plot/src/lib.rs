//! Charts of swept results and rasters of link use, drawn for the page and the command line alike.
//!
//! Charts and rasters take plain numbers and labels, and only [`answer`], [`compare`], [`surface`],
//! [`paper`] and [`figure`] know what a scenario is; nothing here knows the browser. A chart goes
//! to any plotters backend: to a canvas in the page, to [`svg`] everywhere else.
//!
//! Invariants: an SVG is byte-equal on every machine and in WebAssembly, since text is measured by
//! the built-in table of [`text`] and arithmetic is exact or [`libm`]'s; no series is told apart by
//! colour alone; a raster shows every value on the same fixed scale.
//!
//! - [`colour`]: themes, series palettes, the colour scale of link use
//! - [`text`]: how wide a label is
//! - [`scale`]: the stretch of values an axis shows and its ticks
//! - [`chart`]: curves with intervals, axes, legend
//! - [`surface`]: a metric over two swept keys as heatmaps
//! - [`svg`]: a chart as an SVG document
//! - [`answer`]: the outcomes of a scenario as numbers, charts and a sentence
//! - `guarantee`: what the sentence says of guarantees
//! - `oversize`: what the sentence says of jobs that can never run, and of those that left
//! - [`compare`]: policies compared with one of them, pair by pair
//! - [`figure`]: published figures, drawn, and the report of their claims
//! - [`fairness`]: how waits are spread over the jobs, as curves and in words
//! - [`paper`]: what a paper takes over of a result
//! - [`recorded`]: the verdicts on claims as they are kept on file
//! - [`raster`]: shares as pixels, cell by cell
//! - [`heatmap`]: the parts of a system as such cells
//! - [`diagram`]: the nodes of a network as they stand in drawings
//! - [`time`]: what happens over time as pixels: numbers that change in steps, and who holds which
//!   slot

pub mod colour;
pub mod text;

pub mod scale;

mod pen;
pub use pen::{Look, looks};

pub mod chart;

pub mod svg;

pub mod answer;

mod guarantee;

mod oversize;

pub mod compare;

pub mod surface;

pub mod fairness;

pub mod figure;

pub mod paper;

pub mod recorded;

pub mod raster;

pub mod heatmap;

pub mod diagram;

pub mod time;
