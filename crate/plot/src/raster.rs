//! Shares as pixels, one cell each, always on the scale from 0 to 100 %.
//!
//! Pixels outside cells are transparent. Cells at least [`SEPARATED`] pixels wide leave their last
//! column of pixels transparent, and those as high their last row, to separate neighbours.

use crate::colour::{Colouring, Contrast, Rgb, Shades};

/// Cells at least this many pixels wide, or high, are separated by a transparent line.
pub const SEPARATED: usize = 6;

/// The position and size of a cell, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellBox {
    /// Its distances from the left and from the upper edge.
    pub corner: (usize, usize),
    /// From left to right.
    pub width: usize,
    /// From top to bottom.
    pub height: usize,
}

impl CellBox {
    /// Whether a pixel is in it.
    pub(crate) fn holds(self, x: usize, y: usize) -> bool {
        let (left, top) = self.corner;
        // Left of it or above it, the difference is larger than any size.
        x.wrapping_sub(left) < self.width && y.wrapping_sub(top) < self.height
    }

    /// Takes in a cell that follows it in its row, at most `gap` pixels away; whether it is one.
    pub(crate) fn join_right(&mut self, other: CellBox, gap: usize) -> bool {
        let right = self.corner.0 + self.width;
        let follows =
            self.corner.1 == other.corner.1 && (right..=right + gap).contains(&other.corner.0);
        if follows {
            self.width = other.corner.0 + other.width - self.corner.0;
        }
        follows
    }

    /// Takes in a cell as wide that touches its lower edge; whether it is one.
    pub(crate) fn join_below(&mut self, other: CellBox) -> bool {
        let follows = (self.corner.0, self.width) == (other.corner.0, other.width)
            && self.corner.1 + self.height == other.corner.1;
        if follows {
            self.height += other.height;
        }
        follows
    }

    /// Its size without the line that separates it from others.
    fn inked(self) -> (usize, usize) {
        let inked = |pixels| pixels - usize::from(pixels >= SEPARATED);
        (inked(self.width), inked(self.height))
    }
}

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
    /// An entirely transparent picture.
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

    /// Draws the edge of a cell, thick enough to be seen; a small cell is filled.
    pub fn frame_cell(&mut self, cell: CellBox, colour: Rgb) {
        let (left, top) = cell.corner;
        let (width, height) = cell.inked();
        let least = cell.width.min(cell.height);
        if least < SEPARATED {
            self.fill(cell.corner, (width, height), colour);
            return;
        }
        let edge = (least / 6).clamp(1, 4);
        for (corner, size) in [
            ((left, top), (width, edge)),
            ((left, top + height - edge), (width, edge)),
            ((left, top), (edge, height)),
            ((left + width - edge, top), (edge, height)),
        ] {
            self.fill(corner, size, colour);
        }
    }

    /// Clears the middle of a cell.
    pub(crate) fn hollow_cell(&mut self, cell: CellBox) {
        let (width, height) = cell.inked();
        let (across, down) = (width / 2, height / 2);
        let left = cell.corner.0 + (width - across) / 2;
        let top = cell.corner.1 + (height - down) / 2;
        for y in top..top + down {
            let row = 4 * (y * self.width + left)..4 * (y * self.width + left + across);
            self.rgba[row].fill(0);
        }
    }

    pub(crate) fn fill_cell(&mut self, cell: CellBox, number: f32, colours: &dyn Colouring) {
        self.fill(cell.corner, cell.inked(), colours.of(number));
        if colours.hollow(number) {
            self.hollow_cell(cell);
        }
    }
}

/// Draws all colours of a ramp, from its lower end to its upper one.
pub fn legend(width: usize, height: usize, shades: &Shades) -> Raster {
    let mut raster = Raster::transparent(width, height);
    for x in 0..width {
        let colour = shades.ramp[(2 * x + 1) * 128 / width];
        raster.fill((x, 0), (1, height), colour);
    }
    raster
}

/// Draws all colours of differences, from −100 to 100 points; negative ones are hollow, as their
/// cells are.
pub fn contrast_legend(width: usize, height: usize, colours: &Contrast) -> Raster {
    let mut raster = Raster::transparent(width, height);
    for x in 0..width {
        let difference = (x as f32 + 0.5) / width as f32 * 2.0 - 1.0;
        let edge = if colours.hollow(difference) {
            height / 4
        } else {
            height.div_ceil(2)
        };
        for top in [0, height - edge] {
            raster.fill((x, top), (1, edge), colours.at(difference));
        }
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

    /// The pixel of an opaque colour.
    pub(crate) fn opaque([red, green, blue]: Rgb) -> [u8; 4] {
        [red, green, blue, u8::MAX]
    }

    #[test]
    fn a_frame_lies_within_its_cell() {
        for (width, height) in [(3, 3), (8, 8), (48, 48), (2, 9), (20, 8)] {
            let mut raster = Raster::transparent(3 * width, 3 * height);
            let cell = CellBox {
                corner: (width, height),
                width,
                height,
            };
            raster.frame_cell(cell, [1, 2, 3]);
            let seen = |x: usize, y: usize| pixel(&raster, x, y) != [0; 4];
            let all = (0..3 * width).flat_map(|x| (0..3 * height).map(move |y| (x, y)));
            let inside = |(x, y): (usize, usize)| x / width == 1 && y / height == 1;
            assert!(all.filter(|&(x, y)| seen(x, y)).all(inside));
            assert!(seen(width, height));
            let small = width < SEPARATED || height < SEPARATED;
            assert_eq!(seen(width + width / 2, height + height / 2), small);
        }
    }

    #[test]
    fn the_legend_has_every_colour_of_the_ramp_in_order() {
        let raster = legend(256, 2, &Shades::LIGHT);
        for (x, &colour) in Shades::LIGHT.ramp.iter().enumerate() {
            assert_eq!(
                [pixel(&raster, x, 0), pixel(&raster, x, 1)],
                [opaque(colour); 2]
            );
        }
        let narrow = legend(3, 1, &Shades::DARK);
        assert_eq!(pixel(&narrow, 1, 0), opaque(Shades::DARK.ramp[128]));
    }

    #[test]
    fn the_legend_of_differences_is_hollow_where_there_is_less() {
        let raster = contrast_legend(200, 8, &Contrast::LIGHT);
        let [less, more] = [Contrast::LIGHT.at(-0.995), Contrast::LIGHT.at(0.995)].map(opaque);
        let column = |x: usize| [0, 1, 2, 5, 6, 7].map(|y| pixel(&raster, x, y));
        let hole = [0; 4];
        assert_eq!(column(0), [less, less, hole, hole, less, less]);
        assert_eq!(column(199), [more; 6]);
        // Half way to either end is 20 points.
        for (x, points) in [(50, -0.198), (149, 0.198)] {
            assert_eq!(pixel(&raster, x, 0), opaque(Contrast::LIGHT.of(points)));
        }
    }
}
