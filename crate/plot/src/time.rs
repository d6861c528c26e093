//! Charts over time as pixels: a number that changes in steps, and a schedule of slots.
//!
//! Both are as wide as their period, so that they line up below each other. Anything shorter or
//! narrower than a pixel colours its share of it: nothing is left out, and nothing looks larger
//! than it is. Pixels outside lanes are transparent.
//!
//! The slots of a schedule are *lanes* from the top, in blocks of equal size with gaps in between.
//! After the charts of the Evalys library, which draws a rectangle for each allocated interval;
//! here lanes may be thinner than pixels.

use crate::colour::{Rgb, mixed};
use crate::raster::Raster;

/// The pixels from left to right and their period; the unit of time is the caller's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAxis {
    /// Pixels.
    pub width: usize,
    /// Left end of the first pixel.
    pub from: f64,
    /// Right end of the last one.
    pub until: f64,
}

impl TimeAxis {
    /// The position of an instant, in pixels from the left; it may be outside.
    pub fn x(&self, time: f64) -> f64 {
        (time - self.from) / (self.until - self.from) * self.width as f64
    }

    /// The instant at this many pixels from the left.
    pub fn time(&self, x: f64) -> f64 {
        self.from + x / self.width as f64 * (self.until - self.from)
    }
}

/// The colours of a number over time.
#[derive(Clone, Copy, Debug)]
pub struct StripColours {
    /// Below the least value of a pixel's time.
    pub area: Rgb,
    /// From there to the greatest one.
    pub line: Rgb,
    /// Above that.
    pub background: Rgb,
}

/// Draws a number that has each value from its instant on, ascending, and 0 before; `most` is the
/// top of its scale.
pub fn strip(
    stretch: TimeAxis,
    height: usize,
    steps: &[(f64, f64)],
    most: f64,
    colours: StripColours,
) -> Raster {
    let mut raster = Raster::transparent(stretch.width, height);
    for (x, (bottom, top)) in levels(stretch, height, steps, most, 1).enumerate() {
        let mut part = |from: usize, to: usize, colour| {
            raster.fill((x, height - to), (1, to - from), colour);
        };
        part(0, bottom, colours.area);
        part(bottom, top, colours.line);
        part(top, height, colours.background);
    }
    raster
}

/// The length of a dash and the distance of dashes; below, the thickness of a dashed line.
const DASH: (usize, usize) = (6, 9);
const DASHED: usize = 2;

/// Draws another number over a strip, as a line of dashes.
pub fn dashed(
    raster: &mut Raster,
    stretch: TimeAxis,
    steps: &[(f64, f64)],
    most: f64,
    colour: Rgb,
) {
    let height = raster.height;
    for (x, (bottom, top)) in levels(stretch, height, steps, most, DASHED).enumerate() {
        // A line that rises or falls within a pixel has dashes too.
        for y in (bottom..top).filter(|y| (x + y) % DASH.1 < DASH.0) {
            raster.fill((x, height - 1 - y), (1, 1), colour);
        }
    }
}

/// The least and the greatest level of a number during each pixel, in pixels from the bottom. A
/// level line is `thick`, and visible also at 0.
fn levels(
    stretch: TimeAxis,
    height: usize,
    steps: &[(f64, f64)],
    most: f64,
    thick: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let level = move |value: f64| {
        let share = if most > 0.0 { value / most } else { 0.0 };
        (share.clamp(0.0, 1.0) * height as f64).round() as usize
    };
    let mut next = steps.partition_point(|step| step.0 <= stretch.from);
    let mut value = next.checked_sub(1).map_or(0.0, |last| steps[last].1);
    (0..stretch.width).map(move |x| {
        let (mut least, mut greatest) = (value, value);
        let end = stretch.time((x + 1) as f64);
        while let Some(&(time, changed)) = steps.get(next)
            && time < end
        {
            value = changed;
            least = least.min(value);
            greatest = greatest.max(value);
            next += 1;
        }
        let top = level(greatest).max(thick).min(height);
        (level(least).min(top.saturating_sub(thick)), top)
    })
}

/// A hold of adjacent lanes for a period.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// The first lane.
    pub lane: usize,
    /// The number of lanes.
    pub lanes: usize,
    /// Its start.
    pub start: f64,
    /// Its end.
    pub end: f64,
    /// Its colour.
    pub colour: Rgb,
    /// Whether it is hatched, as lanes held without working.
    pub hatched: bool,
}

/// The distance of hatching lines, half of it inked, and the share of ink in between, so that small
/// holds stay visible between two lines.
const HATCH: (usize, f32) = (6, 0.25);

/// The least width and height of a bar with an edge, in pixels; the share of the idle colour in it.
const EDGED: f64 = 4.0;
const EDGE: f32 = 0.55;

/// A layout of lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneLayout {
    /// Height of a lane in pixels; whole if it is at least 1.
    pub lane_height: f64,
    /// By block from the top: its first lane, and its top in pixels; at last, how many lanes there
    /// are, and where the next block would begin.
    blocks: Vec<(usize, f64)>,
    /// Pixels between two blocks.
    gap: usize,
}

/// The largest height of a lane, in pixels.
const HIGHEST_LANE: f64 = 24.0;

impl LaneLayout {
    /// Blocks of so many lanes, these as high as possible within about `height` pixels.
    pub fn within(height: usize, blocks: &[usize], gap: usize) -> LaneLayout {
        let gaps = gap * blocks.len().saturating_sub(1);
        let room = height.saturating_sub(gaps).max(1);
        let exact = room as f64 / blocks.iter().sum::<usize>().max(1) as f64;
        let lane_height = if exact >= 1.0 {
            exact.floor().min(HIGHEST_LANE)
        } else {
            exact
        };
        let (mut lane, mut top) = (0, 0.0);
        let mut laid = vec![(0, 0.0)];
        for lanes in blocks {
            lane += lanes;
            let height = *lanes as f64 * lane_height;
            // Blocks with gaps between them begin at whole pixels.
            top += if gap == 0 {
                height
            } else {
                height.ceil() + gap as f64
            };
            laid.push((lane, top));
        }
        LaneLayout {
            lane_height,
            blocks: laid,
            gap,
        }
    }

    /// Whether lanes are lower than a pixel.
    pub fn is_dense(&self) -> bool {
        self.lane_height < 1.0
    }

    /// The top and the height of each block, in pixels.
    pub fn extents(&self) -> impl Iterator<Item = (f64, f64)> {
        let blocks = self.blocks.windows(2);
        blocks.map(|pair| (pair[0].1, pair[1].1 - pair[0].1 - self.gap as f64))
    }

    /// Total height in pixels.
    pub fn height(&self) -> usize {
        let ends = self.blocks.last().map_or(0.0, |last| last.1);
        (ends.ceil() as usize).saturating_sub(self.gap)
    }

    /// How many pixels below the top a lane begins.
    fn top_of(&self, lane: usize) -> f64 {
        let block = self.blocks.partition_point(|block| block.0 <= lane);
        let (first, top) = self.blocks[block - 1];
        top + (lane - first) as f64 * self.lane_height
    }

    /// The lane at this many pixels below the top; `None` in a gap and outside.
    pub fn locate(&self, y: usize) -> Option<usize> {
        let y = y as f64 + 0.5;
        let block = self.blocks.partition_point(|block| block.1 <= y);
        let (first, top) = self.blocks[block - 1];
        let next = self.blocks.get(block)?.0;
        let lane = first + ((y - top) / self.lane_height) as usize;
        (lane < next).then_some(lane)
    }

    /// Draws holds; none may span two blocks. One of some size has an edge at its end and below, so
    /// that it differs from what comes next.
    pub fn draw(&self, stretch: TimeAxis, bars: impl Iterator<Item = Bar>, idle: Rgb) -> Raster {
        let mut raster = Raster::transparent(stretch.width, self.height());
        for (top, height) in self.extents() {
            let bottom = ((top + height).ceil() as usize).min(raster.height);
            let size = (stretch.width, bottom - top as usize);
            raster.fill((0, top as usize), size, idle);
        }
        // For each pixel: what its bars add to each channel, and how much of it they cover.
        let mut inks = vec![[0.0_f32; 4]; stretch.width * raster.height];
        for bar in bars {
            let top = self.top_of(bar.lane);
            let bottom = top + bar.lanes as f64 * self.lane_height;
            let ends = [bar.start, bar.end].map(|time| stretch.x(time));
            let is_edged = !bar.hatched && bottom - top >= EDGED && ends[1] - ends[0] >= EDGED;
            let edge = mixed(bar.colour, idle, EDGE);
            for (y, down) in covered(top, bottom, raster.height) {
                for (x, across) in covered(ends[0], ends[1], stretch.width) {
                    let (distance, between) = HATCH;
                    let inked = !bar.hatched || (x + y) % distance < distance / 2;
                    let cover = down * across * if inked { 1.0 } else { between };
                    let is_last = (x + 1) as f64 >= ends[1] || (y + 1) as f64 >= bottom;
                    let colour = if is_edged && is_last {
                        edge
                    } else {
                        bar.colour
                    };
                    let [red, green, blue] = colour.map(|level| cover * f32::from(level));
                    let ink = &mut inks[y * stretch.width + x];
                    for (sum, part) in ink.iter_mut().zip([red, green, blue, cover]) {
                        *sum += part;
                    }
                }
            }
        }
        for (pixel, [red, green, blue, cover]) in raster.rgba.chunks_exact_mut(4).zip(inks) {
            if cover > 0.0 {
                let (bare, all) = if cover < 1.0 {
                    (1.0 - cover, 1.0)
                } else {
                    (0.0, cover)
                };
                for ((level, ink), idle) in pixel.iter_mut().zip([red, green, blue]).zip(idle) {
                    *level = (ink / all + bare * f32::from(idle) + 0.5) as u8;
                }
            }
        }
        raster
    }
}

/// The pixels of `pixels` that a period covers, and how much of each. Bounds are chosen by `if`: in
/// wasm the methods of floats for it are calls.
fn covered(from: f64, to: f64, pixels: usize) -> impl Iterator<Item = (usize, f32)> {
    let from = if from > 0.0 { from } else { 0.0 };
    let to = if to < pixels as f64 {
        to
    } else {
        pixels as f64
    };
    let last = if to > from { to.ceil() as usize } else { 0 };
    (from as usize..last).map(move |pixel| {
        let begin = pixel as f64;
        let since = if from > begin { from } else { begin };
        let until = if to < begin + 1.0 { to } else { begin + 1.0 };
        (pixel, (until - since) as f32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Rgb = [10, 20, 30];
    const INK: Rgb = [200, 100, 0];

    fn pixel(raster: &Raster, x: usize, y: usize) -> Rgb {
        let start = 4 * (y * raster.width + x);
        assert_eq!(
            raster.rgba[start + 3],
            u8::MAX,
            "{x}, {y} belongs to a lane"
        );
        raster.rgba[start..start + 3].try_into().unwrap()
    }

    fn stretch(width: usize) -> TimeAxis {
        TimeAxis {
            width,
            from: 0.0,
            until: 10.0,
        }
    }

    #[test]
    fn a_strip_shows_least_and_greatest_of_each_pixel() {
        let colours = StripColours {
            area: [1; 3],
            line: [2; 3],
            background: [3; 3],
        };
        // During the second of two pixels it rises from 2 to 8 and falls to 4.
        let steps = [(0.0, 2.0), (6.0, 8.0), (7.0, 4.0)];
        let raster = strip(stretch(2), 8, &steps, 8.0, colours);
        let column = |x: usize| {
            (0..8)
                .map(|y| pixel(&raster, x, 7 - y)[0])
                .collect::<Vec<_>>()
        };
        assert_eq!(column(0), [1, 2, 3, 3, 3, 3, 3, 3]);
        assert_eq!(column(1), [1, 1, 2, 2, 2, 2, 2, 2]);
        let none = strip(stretch(2), 3, &[], 0.0, colours);
        assert_eq!(
            (0..3).map(|y| pixel(&none, 1, y)[0]).collect::<Vec<_>>(),
            [3, 3, 2]
        );
    }

    #[test]
    fn a_strip_that_begins_late_knows_what_was_before() {
        let colours = StripColours {
            area: [1; 3],
            line: [2; 3],
            background: [3; 3],
        };
        let late = TimeAxis {
            width: 1,
            from: 5.0,
            until: 6.0,
        };
        let raster = strip(late, 2, &[(1.0, 2.0), (9.0, 0.0)], 2.0, colours);
        assert_eq!([pixel(&raster, 0, 0)[0], pixel(&raster, 0, 1)[0]], [2, 1]);
    }

    #[test]
    fn another_number_is_dashed_over_a_strip() {
        let colours = StripColours {
            area: [1; 3],
            line: [2; 3],
            background: [3; 3],
        };
        let mut raster = strip(stretch(18), 9, &[(0.0, 3.0)], 9.0, colours);
        let before = raster.clone();
        dashed(&mut raster, stretch(18), &[(0.0, 7.0)], 9.0, [4; 3]);
        for (x, y) in (0..18).flat_map(|x| (0..9).map(move |y| (x, y))) {
            let level = 8 - y;
            let inked = (5..7).contains(&level) && (x + level) % 9 < 6;
            let expected = if inked { [4; 3] } else { pixel(&before, x, y) };
            assert_eq!(pixel(&raster, x, y), expected, "{x}, {y}");
        }
    }

    #[test]
    fn a_bar_colours_its_lanes_and_its_time_and_nothing_else() {
        let lanes = LaneLayout::within(13, &[3, 3], 1);
        assert_eq!((lanes.lane_height, lanes.height()), (2.0, 13));
        // Lane 4 is the second of the second block.
        let bar = Bar {
            lane: 4,
            lanes: 1,
            start: 2.0,
            end: 5.0,
            colour: INK,
            hatched: false,
        };
        let raster = lanes.draw(stretch(10), [bar].into_iter(), IDLE);
        for (x, y) in (0..13).flat_map(|y| (0..10).map(move |x| (x, y))) {
            let Some(lane) = lanes.locate(y) else {
                assert_eq!(y, 6, "the gap");
                assert_eq!(raster.rgba[4 * (y * 10 + x) + 3], 0);
                continue;
            };
            let inside = lane == 4 && (2..5).contains(&x);
            assert_eq!(pixel(&raster, x, y), if inside { INK } else { IDLE });
        }
        assert_eq!(lanes.locate(13), None);
    }

    #[test]
    fn blocks_may_have_different_numbers_of_lanes() {
        let lanes = LaneLayout::within(14, &[1, 3, 2], 1);
        let extents: Vec<(f64, f64)> = lanes.extents().collect();
        assert_eq!(extents, [(0.0, 2.0), (3.0, 6.0), (10.0, 4.0)]);
        let located: Vec<Option<usize>> = (0..15).map(|y| lanes.locate(y)).collect();
        let expected = [0, 0, 9, 1, 1, 2, 2, 3, 3, 9, 4, 4, 5, 5, 9];
        assert_eq!(located, expected.map(|lane| (lane < 9).then_some(lane)));
        // Without gaps no pixel is lost to small blocks.
        let many = LaneLayout::within(10, &[1; 40], 0);
        assert_eq!((many.height(), many.locate(9)), (10, Some(38)));
        assert_eq!(many.extents().last(), Some((9.75, 0.25)));
    }

    #[test]
    fn a_bar_of_some_size_has_an_edge_at_its_end_and_below() {
        let lanes = LaneLayout::within(8, &[8], 0);
        let bar = |lanes, end| Bar {
            lane: 0,
            lanes,
            start: 0.0,
            end,
            colour: INK,
            hatched: false,
        };
        let drawn = |bar| lanes.draw(stretch(10), [bar].into_iter(), IDLE);
        let edge = mixed(INK, IDLE, EDGE);
        for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
            let expected = if x == 3 || y == 3 { edge } else { INK };
            assert_eq!(pixel(&drawn(bar(4, 4.0)), x, y), expected, "{x}, {y}");
        }
        // What goes on outside has no end here, and what is small has no edge.
        assert_eq!(pixel(&drawn(bar(4, 99.0)), 9, 0), INK);
        assert_eq!(pixel(&drawn(bar(3, 4.0)), 3, 2), INK);
    }

    #[test]
    fn a_hatched_bar_is_slanted_lines_and_seen_however_small() {
        let lanes = LaneLayout::within(12, &[1], 0);
        let bar = Bar {
            lane: 0,
            lanes: 1,
            start: 0.0,
            end: 10.0,
            colour: INK,
            hatched: true,
        };
        let raster = lanes.draw(stretch(12), [bar].into_iter(), IDLE);
        let between = [58, 40, 23];
        for (x, y) in (0..12).flat_map(|y| (0..12).map(move |x| (x, y))) {
            let line = (x + y) % 6 < 3;
            assert_eq!(pixel(&raster, x, y), if line { INK } else { between });
        }
    }

    #[test]
    fn what_is_smaller_than_a_pixel_colours_its_share() {
        // Four lanes in two pixels; one of two lanes for a quarter of a pixel's time.
        let lanes = LaneLayout::within(2, &[4], 0);
        assert_eq!((lanes.lane_height, lanes.height()), (0.5, 2));
        assert!(lanes.is_dense() && !LaneLayout::within(4, &[4], 0).is_dense());
        let bar = Bar {
            lane: 0,
            lanes: 1,
            start: 1.0,
            end: 1.5,
            colour: [210, 20, 30],
            hatched: false,
        };
        let raster = lanes.draw(stretch(10), [bar].into_iter(), IDLE);
        assert_eq!(pixel(&raster, 1, 0), [60, 20, 30]);
        assert_eq!(pixel(&raster, 1, 1), IDLE);
        let outside = Bar {
            start: -5.0,
            end: -1.0,
            ..bar
        };
        let blank = lanes.draw(stretch(10), [outside].into_iter(), IDLE);
        assert!((0..10).all(|x| pixel(&blank, x, 0) == IDLE));
    }

    #[test]
    fn lanes_of_one_colour_show_how_many_of_a_pixels_slots_are_held() {
        // Eight lanes in two pixels: three of the first four are held, and one of the others.
        let lanes = LaneLayout::within(2, &[8], 0);
        let bar = |lane, lanes| Bar {
            lane,
            lanes,
            start: 0.0,
            end: 10.0,
            colour: [210, 20, 30],
            hatched: false,
        };
        let bars = [bar(0, 1), bar(2, 2), bar(5, 1)].into_iter();
        let raster = lanes.draw(stretch(1), bars, IDLE);
        assert_eq!(pixel(&raster, 0, 0)[0], 160);
        assert_eq!(pixel(&raster, 0, 1)[0], 60);
    }

    #[test]
    fn places_and_instants_are_each_others_inverse() {
        let stretch = TimeAxis {
            width: 200,
            from: 3.0,
            until: 11.0,
        };
        assert_eq!(stretch.x(3.0), 0.0);
        assert_eq!(stretch.x(11.0), 200.0);
        assert_eq!(stretch.time(stretch.x(5.5)), 5.5);
    }
}
