//! Shares as pixels, one square cell each, always on the scale from 0 to 100 %.
//!
//! Pixels that belong to no cell are transparent. Cells of [`SEPARATED`] pixels and more leave
//! their last row and column of pixels transparent, so that neighbours can be told apart.

use crate::colour::{Colouring, Contrast, Rgb, Shades};

/// Cells at least this many pixels wide are separated by a transparent line.
pub const SEPARATED: usize = 6;

/// Pixels from left to right and top to bottom, four bytes each: red, green, blue and opacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// 4 · `width` · `height` bytes.
    pub rgba: Vec<u8>,
}

impl Raster {
    /// Without a single pixel that is seen.
    pub fn transparent(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            rgba: vec![0; 4 * width * height],
        }
    }

    pub(crate) fn fill(
        &mut self,
        (left, top): (usize, usize),
        (width, height): (usize, usize),
        colour: Rgb,
    ) {
        let [red, green, blue] = colour;
        for y in top..top + height {
            let row = 4 * (y * self.width + left)..4 * (y * self.width + left + width);
            for pixel in self.rgba[row].chunks_exact_mut(4) {
                pixel.copy_from_slice(&[red, green, blue, u8::MAX]);
            }
        }
    }

    /// Draws the edge of a cell, as thick as it can be seen; a small cell is filled.
    pub fn frame_cell(&mut self, (left, top): (usize, usize), cell: usize, colour: Rgb) {
        if cell < SEPARATED {
            self.fill((left, top), (cell, cell), colour);
            return;
        }
        let (inked, edge) = (cell - 1, (cell / 6).clamp(1, 4));
        for (corner, size) in [
            ((left, top), (inked, edge)),
            ((left, top + inked - edge), (inked, edge)),
            ((left, top), (edge, inked)),
            ((left + inked - edge, top), (edge, inked)),
        ] {
            self.fill(corner, size, colour);
        }
    }

    /// Takes the middle out of a cell.
    pub(crate) fn hollow_cell(&mut self, (left, top): (usize, usize), cell: usize) {
        let inked = if cell >= SEPARATED { cell - 1 } else { cell };
        let hole = inked / 2;
        let (left, top) = (left + (inked - hole) / 2, top + (inked - hole) / 2);
        for y in top..top + hole {
            let row = 4 * (y * self.width + left)..4 * (y * self.width + left + hole);
            self.rgba[row].fill(0);
        }
    }

    pub(crate) fn fill_cell(
        &mut self,
        corner: (usize, usize),
        cell: usize,
        number: f32,
        colours: &dyn Colouring,
    ) {
        let inked = if cell >= SEPARATED { cell - 1 } else { cell };
        self.fill(corner, (inked, inked), colours.of(number));
        if colours.hollow(number) {
            self.hollow_cell(corner, cell);
        }
    }
}

/// Draws the scale of all rasters: a square of what is idle, the ramp from 0 to 100 %, a square of
/// what is over, each apart from the next by a quarter of the height.
pub fn legend(width: usize, height: usize, shades: &Shades) -> Raster {
    let mut raster = Raster::transparent(width, height);
    let start = height + height / 4;
    let steps = width.saturating_sub(2 * start);
    for step in 0..steps {
        let fraction = (step as f32 + 0.5) / steps as f32;
        raster.fill((start + step, 0), (1, height), shades.of(fraction));
    }
    if steps > 0 {
        raster.fill((0, 0), (height, height), shades.idle);
        raster.fill((width - height, 0), (height, height), shades.over);
    }
    raster
}

/// Draws the scale of differences: a square of what is less than −100 points, the ramp to 100, and
/// a square of what is more; what is less is hollow, as its cells are.
pub fn contrast_legend(width: usize, height: usize, colours: &Contrast) -> Raster {
    let mut raster = Raster::transparent(width, height);
    let start = height + height / 4;
    let steps = width.saturating_sub(2 * start);
    for step in 0..steps {
        let difference = (step as f32 + 0.5) / steps as f32 * 2.0 - 1.0;
        let edge = if colours.hollow(difference) {
            height / 4
        } else {
            height.div_ceil(2)
        };
        for top in [0, height - edge] {
            raster.fill((start + step, top), (1, edge), colours.of(difference));
        }
    }
    if steps > 0 {
        raster.fill_cell((0, 0), height, -2.0, colours);
        raster.fill_cell((width - height, 0), height, 2.0, colours);
    }
    raster
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The colour of a pixel.
    pub(crate) fn pixel(raster: &Raster, x: usize, y: usize) -> [u8; 4] {
        let start = 4 * (y * raster.width + x);
        raster.rgba[start..start + 4].try_into().unwrap()
    }

    /// The pixel of a colour that nothing shines through.
    pub(crate) fn opaque([red, green, blue]: Rgb) -> [u8; 4] {
        [red, green, blue, u8::MAX]
    }

    #[test]
    fn a_frame_lies_within_its_cell() {
        for cell in [3, 8, 48] {
            let mut raster = Raster::transparent(3 * cell, 3 * cell);
            raster.frame_cell((cell, cell), cell, [1, 2, 3]);
            let seen = |x: usize, y: usize| pixel(&raster, x, y) != [0; 4];
            let all = (0..3 * cell).flat_map(|x| (0..3 * cell).map(move |y| (x, y)));
            let inside = |(x, y): (usize, usize)| x / cell == 1 && y / cell == 1;
            assert!(all.filter(|&(x, y)| seen(x, y)).all(inside));
            assert!(seen(cell, cell));
            assert_eq!(seen(cell + cell / 2, cell + cell / 2), cell == 3);
        }
    }

    #[test]
    fn the_legend_runs_from_idle_over_the_ramp_to_over() {
        let raster = legend(276, 8, &Shades::LIGHT);
        assert_eq!(pixel(&raster, 0, 7), opaque(Shades::LIGHT.idle));
        assert_eq!(pixel(&raster, 9, 0), [0; 4]);
        assert_eq!(pixel(&raster, 10, 0), opaque(Shades::LIGHT.ramp[0]));
        assert_eq!(pixel(&raster, 265, 0), opaque(Shades::LIGHT.ramp[255]));
        assert_eq!(pixel(&raster, 275, 0), opaque(Shades::LIGHT.over));
        assert_eq!(legend(3, 8, &Shades::LIGHT).rgba, [0; 96]);
    }

    #[test]
    fn the_legend_of_differences_is_hollow_where_there_is_less() {
        let raster = contrast_legend(220, 8, &Contrast::LIGHT);
        let [less, more] = [Contrast::LIGHT.of(-0.995), Contrast::LIGHT.of(0.995)].map(opaque);
        let column = |x: usize| [0, 1, 2, 5, 6, 7].map(|y| pixel(&raster, x, y));
        let hole = [0; 4];
        assert_eq!(column(10), [less, less, hole, hole, less, less]);
        assert_eq!(column(209), [more; 6]);
        let over = opaque(Contrast::LIGHT.over);
        assert_eq!([pixel(&raster, 0, 0), pixel(&raster, 3, 3)], [over, hole]);
        assert_eq!(
            [pixel(&raster, 212, 0), pixel(&raster, 215, 3)],
            [over, over]
        );
    }
}
