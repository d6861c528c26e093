//! The utilization map of a system: its parts as coloured cells, where each of them lies, and what
//! lies under a pixel. The layout is the system's own.

use crate::colour::{Colouring, Rgb};
use crate::raster::{CellBox, Raster, SEPARATED};
use backfill_sim::system::describe::Layout;

/// The largest size of a cell, in pixels.
const LARGEST_CELL: usize = 48;

/// The least height of narrow cells, in pixels, if all rows of a block then stay within
/// [`HIGHEST`].
const HIGH_ENOUGH: usize = 8;

/// The largest height of the rows of a block with cells higher than wide, in pixels.
const HIGHEST: usize = 480;

/// A layout with a size of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UtilizationMap {
    layout: Layout,
    /// Pixels of a row of cells, over all blocks side by side: if they do not divide by the cells,
    /// some of these are a pixel wider than others.
    wide: usize,
    /// Pixels from the top of a cell to its bottom.
    high: usize,
    /// Pixels between blocks, and between the bands of a block.
    gap: usize,
}

impl UtilizationMap {
    /// As wide as `width` pixels if cells may be that large, and no wider if possible.
    pub fn within(layout: Layout, width: usize) -> UtilizationMap {
        let gap = if layout.close {
            SEPARATED / 2
        } else {
            2 * SEPARATED
        };
        let room = width.saturating_sub(layout.across.saturating_sub(1) * gap);
        let cells = (layout.across * layout.columns).max(1);
        let wide = room.clamp(cells, cells * LARGEST_CELL);
        let rows: usize = layout.bands.iter().sum();
        let high = HIGH_ENOUGH.min(HIGHEST / rows.max(1)).max(wide / cells);
        UtilizationMap {
            layout,
            wide,
            high,
            gap,
        }
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Pixels from a line of blocks to the next.
    fn down(&self) -> usize {
        let rows: usize = self.layout.bands.iter().sum();
        rows * self.high + self.layout.bands.len() * self.gap
    }

    /// The left and right edges of the cells of a column, counted over all blocks side by side, in
    /// pixels from the left.
    fn column(&self, column: usize) -> (usize, usize) {
        let columns = self.layout.columns;
        let before = column / columns * self.gap;
        let left = |column| before + column * self.wide / (self.layout.across * columns);
        (left(column), left(column + 1))
    }

    /// Pixels from left to right and from top to bottom.
    pub fn size(&self) -> (usize, usize) {
        let layout = &self.layout;
        let lines = layout.blocks.len().div_ceil(layout.across.max(1));
        (
            self.wide + layout.across.saturating_sub(1) * self.gap,
            (lines * self.down()).saturating_sub(self.gap),
        )
    }

    /// The parts of the picture's height that the bands of the first line of blocks take, from the
    /// top, each with the gap below it.
    pub fn bands(&self) -> Vec<f64> {
        let all = (self.size().1 + self.gap).max(1) as f64;
        let bands = self.layout.bands.iter();
        bands
            .map(|rows| (rows * self.high + self.gap) as f64 / all)
            .collect()
    }

    /// Every cell: its part and its position. A part that fills several places of a row, be it in
    /// several blocks, or of a column is one cell over all of them.
    fn cells(&self) -> Vec<(u32, CellBox)> {
        let join_right = |before: &mut CellBox, cell: CellBox| before.join_right(cell, self.gap);
        merged(merged(self.places(), join_right), CellBox::join_below)
    }

    /// Every place: the part in it and its position.
    fn places(&self) -> Vec<(u32, CellBox)> {
        let Layout {
            columns,
            ref bands,
            across,
            ref blocks,
            ..
        } = self.layout;
        let mut places = Vec::new();
        for (block, parts) in blocks.iter().enumerate() {
            let first = block % across * columns;
            let mut top = block / across * self.down();
            for (parts, rows) in parts.iter().zip(bands) {
                for (cell, &part) in parts.iter().enumerate() {
                    let (column, row) = (first + cell % columns, cell / columns);
                    places.push((part, self.cell(column, top + row * self.high)));
                }
                top += rows * self.high + self.gap;
            }
        }
        places
    }

    fn cell(&self, column: usize, top: usize) -> CellBox {
        let (left, right) = self.column(column);
        CellBox {
            corner: (left, top),
            width: right - left,
            height: self.high,
        }
    }

    /// Draws the shares of all parts; cells of those named in `paused` are hollow.
    ///
    /// # Panics
    /// A part has no share.
    pub fn draw(&self, shares: &[f32], paused: &[u32], colours: &dyn Colouring) -> Raster {
        let (width, height) = self.size();
        let mut raster = Raster::transparent(width, height);
        let mut hollow = vec![false; shares.len()];
        for &part in paused {
            hollow[part as usize] = true;
        }
        for (part, cell) in self.cells() {
            raster.fill_cell(cell, shares[part as usize], colours);
            if hollow[part as usize] {
                raster.hollow_cell(cell);
            }
        }
        raster
    }

    /// Draws the edges of the cells of these parts.
    pub fn frame(&self, parts: &[u32], colour: Rgb) -> Raster {
        let (width, height) = self.size();
        let mut raster = Raster::transparent(width, height);
        for (part, cell) in self.cells() {
            if parts.contains(&part) {
                raster.frame_cell(cell, colour);
            }
        }
        raster
    }

    /// The first cell of a part; `None` if it has none.
    pub fn find(&self, part: usize) -> Option<CellBox> {
        let mut cells = self.cells().into_iter();
        let found = cells.find(|cell| cell.0 as usize == part);
        found.map(|(_, cell)| cell)
    }

    /// The part and cell at a pixel; `None` between cells and outside.
    pub fn locate(&self, x: usize, y: usize) -> Option<(usize, CellBox)> {
        for (part, cell) in self.cells() {
            if cell.holds(x, y) {
                return Some((part as usize, cell));
            }
        }
        None
    }
}

/// Lets the last cell of each part so far take the next one in, where `takes_in` does.
fn merged(
    cells: Vec<(u32, CellBox)>,
    takes_in: impl Fn(&mut CellBox, CellBox) -> bool,
) -> Vec<(u32, CellBox)> {
    let parts = cells.iter().map(|cell| cell.0 as usize + 1).max();
    let mut last: Vec<Option<usize>> = vec![None; parts.unwrap_or(0)];
    let mut merged: Vec<(u32, CellBox)> = Vec::new();
    for (part, cell) in cells {
        let last = &mut last[part as usize];
        if last.is_none_or(|last| !takes_in(&mut merged[last].1, cell)) {
            *last = Some(merged.len());
            merged.push((part, cell));
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::{Contrast, Shades};
    use crate::raster::tests::{opaque, pixel};
    use backfill_sim::system::describe::Describe;
    use backfill_sim::system::fat_tree::describe::ShownTree;

    fn parts(layout: &Layout) -> usize {
        let all = layout.blocks.iter().flatten().flatten();
        all.max().map_or(0, |&part| part as usize + 1)
    }

    /// Different shares of `count` parts.
    fn shares(count: usize) -> Vec<f32> {
        let share = |index| 0.1 + 0.8 * index as f32 / count as f32;
        (0..count).map(share).collect()
    }

    /// Blocks of one band each, with these numbers of parts.
    fn blocks(sizes: &[u32], columns: usize, across: usize) -> Layout {
        let mut next = 0;
        let mut block = |&size: &u32| {
            next += size;
            vec![(next - size..next).collect()]
        };
        let most = sizes.iter().copied().max().unwrap_or(0) as usize;
        Layout {
            columns,
            bands: vec![most.div_ceil(columns.max(1))],
            across,
            close: false,
            blocks: sizes.iter().map(&mut block).collect(),
        }
    }

    /// Two bands above each other: a part that fills a row, and others.
    fn banded() -> Layout {
        Layout {
            columns: 3,
            bands: vec![1, 2],
            across: 2,
            close: false,
            blocks: (0..3)
                .map(|block| vec![vec![block; 3], vec![3 + 2 * block, 4 + 2 * block]])
                .collect(),
        }
    }

    fn tree(pods: u32) -> Layout {
        let tree = ShownTree {
            pods,
            slots: 2,
            aggregated: false,
        };
        tree.layout()
    }

    #[test]
    fn every_pixel_leads_to_its_part() {
        for (layout, wide, high, gap) in [
            (tree(2), 2, 1, 0),
            (tree(4), 27, 3, 2),
            (tree(8), 32 * SEPARATED, SEPARATED, 4),
            (tree(8), 80, SEPARATED + 2, 4),
            (blocks(&[5, 5], 3, 2), 13, 2, 3),
            (blocks(&[1], 1, 1), 1, 1, 0),
            (blocks(&[], 0, 1), 0, 2, 3),
            (banded(), 12, 2, 1),
            (banded(), 6 * SEPARATED + 4, SEPARATED, 3),
        ] {
            let map = UtilizationMap {
                layout,
                wide,
                high,
                gap,
            };
            let values = shares(parts(&map.layout));
            let raster = map.draw(&values, &[], &Shades::LIGHT);
            let mut pixels_of = vec![0; values.len()];
            for (x, y) in (0..raster.width).flat_map(|x| (0..raster.height).map(move |y| (x, y))) {
                let found = pixel(&raster, x, y);
                let Some((part, cell)) = map.locate(x, y) else {
                    assert_eq!(found, [0; 4], "{x}, {y}");
                    continue;
                };
                let (left, top) = cell.corner;
                assert!((left..left + cell.width).contains(&x));
                assert!((top..top + cell.height).contains(&y));
                pixels_of[part] += 1;
                let separated = cell.width.max(cell.height) >= SEPARATED && found == [0; 4];
                assert!(separated || found == opaque(Shades::LIGHT.of(values[part])));
            }
            let mut expected = vec![0; values.len()];
            for (part, cell) in map.cells() {
                expected[part as usize] += cell.width * cell.height;
            }
            assert_eq!(pixels_of, expected);
            for part in 0..values.len() {
                let cell = map.find(part).expect("it is shown");
                let (left, top) = cell.corner;
                assert_eq!(map.locate(left, top), Some((part, cell)));
            }
            assert_eq!(map.find(values.len()), None);
            assert_eq!(map.locate(raster.width + gap, 0), None);
            assert_eq!(map.locate(0, raster.height + gap), None);
        }
    }

    #[test]
    fn a_part_that_fills_several_places_is_one_cell_also_across_blocks() {
        let map = UtilizationMap {
            layout: Layout {
                columns: 2,
                bands: vec![1, 2],
                across: 3,
                close: false,
                blocks: vec![
                    vec![vec![0; 2], vec![2, 3]],
                    vec![vec![0; 2], vec![4, 5]],
                    vec![vec![1; 2], vec![6; 4]],
                ],
            },
            wide: 60,
            high: 10,
            gap: 4,
        };
        let wide = |left, width| CellBox {
            corner: (left, 0),
            width,
            height: 10,
        };
        assert_eq!(map.find(0), Some(wide(0, 44)));
        assert_eq!(map.find(1), Some(wide(48, 20)));
        // The gap between the blocks is a part of the cell.
        assert_eq!(map.locate(22, 5), Some((0, wide(0, 44))));
        assert_eq!(map.locate(22, 15), None);
        // Two rows of two places.
        let all = CellBox {
            corner: (48, 14),
            width: 20,
            height: 20,
        };
        assert_eq!(map.find(6), Some(all));
        assert_eq!(map.locate(67, 33), Some((6, all)));
        assert_eq!(map.bands(), [14.0 / 38.0, 24.0 / 38.0]);
    }

    #[test]
    fn a_fat_tree_tiles_exactly() {
        for (k, cell, gap) in [(2, 1, 0), (4, 3, 2), (6, 1, 1)] {
            let half = k as usize / 2;
            let map = UtilizationMap {
                layout: tree(k),
                wide: k as usize * half * cell,
                high: cell,
                gap,
            };
            let (k, block) = (k as usize, half * cell);
            assert_eq!(map.size(), (k * block + (k - 1) * gap, 3 * block + 2 * gap));
        }
    }

    #[test]
    fn the_only_busy_link_is_where_its_names_say() {
        let map = UtilizationMap {
            layout: tree(4),
            wide: 80,
            high: 10,
            gap: 5,
        };
        // Pod 2, edge switch 1, server 0 of it: the server 2·4 + 1·2 + 0.
        let mut shares = [0.0; 48];
        shares[10] = 1.0;
        let raster = map.draw(&shares, &[], &Shades::DARK);
        let full = opaque(Shades::DARK.ramp[255]);
        // Before it are two blocks of 20, their gaps of 5, and one row of cells in its block.
        assert_eq!(pixel(&raster, 50, 60), full);
        assert_eq!(pixel(&raster, 58, 68), full);
        let pixels = raster.rgba.chunks_exact(4);
        assert_eq!(pixels.filter(|&found| found == full).count(), 81);
        let cell = CellBox {
            corner: (50, 60),
            width: 10,
            height: 10,
        };
        assert_eq!(map.locate(54, 64), Some((10, cell)));
    }

    #[test]
    fn cells_fill_the_width_and_are_high_enough_and_blocks_keep_their_gaps() {
        let sized = |layout, width| {
            let map = UtilizationMap::within(layout, width);
            (map.size().0, map.high, map.gap)
        };
        assert_eq!(sized(tree(4), 400), (400, 45, 12));
        assert_eq!(sized(tree(4), 4000), (8 * 48 + 3 * 12, 48, 12));
        assert_eq!(sized(tree(4), 1), (8 + 3 * 12, 8, 12));
        for k in [10, 16, 32] {
            for width in [700, 1000, 1700] {
                let (wide, high, _) = sized(tree(k), width);
                assert!(
                    wide == width && high >= 8,
                    "k = {k}: {wide} of {width}, {high}"
                );
            }
        }
        assert_eq!(sized(blocks(&[4], 2, 1), 50), (50, 25, 12));
        // With very many rows in a block, cells are square.
        assert_eq!(sized(blocks(&[90_000], 300, 1), 900), (900, 3, 12));
    }

    #[test]
    fn what_has_less_is_hollow() {
        let cell = 4;
        let map = UtilizationMap {
            layout: blocks(&[2], 2, 1),
            wide: 2 * cell,
            high: cell,
            gap: 1,
        };
        let colours = &Contrast::DARK;
        let raster = map.draw(&[0.5, -0.5], &[], colours);
        let count = |colour: Rgb| {
            let pixels = raster.rgba.chunks_exact(4);
            pixels.filter(|&found| found == opaque(colour)).count()
        };
        let (full, hole) = (cell * cell, cell / 2 * (cell / 2));
        assert_eq!(count(colours.of(0.5)), full);
        assert_eq!(count(colours.of(-0.5)), full - hole);
    }

    #[test]
    fn the_cell_of_a_paused_process_is_hollow_and_no_other() {
        for cell in [2, 5, SEPARATED, 20] {
            let map = UtilizationMap {
                layout: blocks(&[4, 4], 2, 2),
                wide: 4 * cell,
                high: cell,
                gap: 3,
            };
            let full = map.draw(&[0.5; 8], &[], &Shades::LIGHT);
            let raster = map.draw(&[0.5; 8], &[5], &Shades::LIGHT);
            let mut holes = 0;
            for (x, y) in (0..raster.width).flat_map(|x| (0..raster.height).map(move |y| (x, y))) {
                if pixel(&raster, x, y) != pixel(&full, x, y) {
                    assert_eq!(map.locate(x, y).map(|found| found.0), Some(5));
                    assert_eq!(pixel(&raster, x, y), [0; 4]);
                    holes += 1;
                }
            }
            let inked = if cell < SEPARATED { cell } else { cell - 1 };
            assert_eq!(holes, (inked / 2) * (inked / 2), "{cell}");
        }
    }

    #[test]
    fn a_part_that_fills_a_row_is_framed_as_one() {
        let map = UtilizationMap {
            layout: banded(),
            wide: 18,
            high: 3,
            gap: 2,
        };
        let raster = map.frame(&[1], [1, 2, 3]);
        let inked = raster.rgba.chunks_exact(4).filter(|found| found[3] > 0);
        // Of 9 by 3 pixels the last column separates it.
        assert_eq!(inked.count(), 8 * 3);
    }
}
