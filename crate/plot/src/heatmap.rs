//! The heatmap of a system: its parts as coloured cells, where each of them lies, and what lies
//! under a pixel. The layout is the system's own; heatmaps of two swept keys are in `surface`.

use crate::colour::{Colouring, Rgb};
use crate::raster::{Raster, SEPARATED};
use backfill_sim::system::describe::Layout;

/// Cells are not drawn larger than this, in pixels.
const LARGEST_CELL: usize = 48;

/// A layout with its cells so many pixels wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heatmap {
    layout: Layout,
    /// Pixels along the side of a cell.
    cell: usize,
    /// Pixels between blocks, and between the bands of a block.
    gap: usize,
}

/// A place in pixels from the left and from the top.
type Corner = (usize, usize);

impl Heatmap {
    /// At most `width` pixels wide where that is possible.
    pub fn within(layout: Layout, width: usize) -> Heatmap {
        let gap = if layout.close {
            SEPARATED / 2
        } else {
            2 * SEPARATED
        };
        let room = width.saturating_sub(layout.across.saturating_sub(1) * gap);
        let cells = (layout.across * layout.columns).max(1);
        let cell = (room / cells).clamp(1, LARGEST_CELL);
        Heatmap { layout, cell, gap }
    }

    /// Pixels along the side of a cell.
    pub fn cell(&self) -> usize {
        self.cell
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Pixels from a block to the next, across and down.
    fn pitch(&self) -> (usize, usize) {
        let across = self.layout.columns * self.cell + self.gap;
        let rows: usize = self.layout.bands.iter().sum();
        (
            across,
            rows * self.cell + self.layout.bands.len() * self.gap,
        )
    }

    /// Pixels from left to right and from top to bottom.
    pub fn size(&self) -> (usize, usize) {
        let (across, down) = self.pitch();
        let lines = self.layout.blocks.len().div_ceil(self.layout.across.max(1));
        (
            (self.layout.across * across).saturating_sub(self.gap),
            (lines * down).saturating_sub(self.gap),
        )
    }

    /// Every cell: the part that it shows and its corner.
    fn cells(&self) -> impl Iterator<Item = (u32, Corner)> {
        let (across, down) = self.pitch();
        let Layout {
            columns,
            ref bands,
            across: in_a_line,
            ref blocks,
            ..
        } = self.layout;
        blocks.iter().enumerate().flat_map(move |(block, parts)| {
            let left = block % in_a_line * across;
            let mut top = block / in_a_line * down;
            parts.iter().zip(bands).flat_map(move |(parts, rows)| {
                let first = top;
                top += rows * self.cell + self.gap;
                parts.iter().enumerate().map(move |(cell, &part)| {
                    let (column, row) = (cell % columns, cell / columns);
                    (part, (left + column * self.cell, first + row * self.cell))
                })
            })
        })
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
        for (part, corner) in self.cells() {
            raster.fill_cell(corner, self.cell, shares[part as usize], colours);
            if hollow[part as usize] {
                raster.hollow_cell(corner, self.cell);
            }
        }
        raster
    }

    /// Draws the edges of the cells of these parts.
    pub fn frame(&self, parts: &[u32], colour: Rgb) -> Raster {
        let (width, height) = self.size();
        let mut raster = Raster::transparent(width, height);
        for (_, corner) in self.cells().filter(|(part, _)| parts.contains(part)) {
            raster.frame_cell(corner, self.cell, colour);
        }
        raster
    }

    /// The part whose cell holds a pixel, and the corner of that cell; nothing between cells and
    /// outside.
    pub fn locate(&self, x: usize, y: usize) -> Option<(usize, Corner)> {
        let layout = &self.layout;
        let (across, down) = self.pitch();
        let (left, line) = (x.checked_div(across)?, y.checked_div(down)?);
        let column = (x % across).checked_div(self.cell)?;
        if left >= layout.across || column >= layout.columns {
            return None;
        }
        let block = layout.blocks.get(line * layout.across + left)?;
        let mut top = line * down;
        for (parts, rows) in block.iter().zip(&layout.bands) {
            let row = y.checked_sub(top)? / self.cell;
            if row < *rows {
                let part = *parts.get(row * layout.columns + column)?;
                let corner = (left * across + column * self.cell, top + row * self.cell);
                return Some((part as usize, corner));
            }
            top += rows * self.cell + self.gap;
        }
        None
    }
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

    /// Different shares of so many parts.
    fn shares(count: usize) -> Vec<f32> {
        let share = |index| 0.1 + 0.8 * index as f32 / count as f32;
        (0..count).map(share).collect()
    }

    /// Blocks of one band each, of so many parts.
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
        for (layout, cell, gap) in [
            (tree(2), 1, 0),
            (tree(4), 3, 2),
            (tree(8), SEPARATED, 4),
            (blocks(&[5, 5], 3, 2), 2, 3),
            (blocks(&[1], 1, 1), 1, 0),
            (blocks(&[], 0, 1), 2, 3),
            (banded(), 2, 1),
            (banded(), SEPARATED, 3),
        ] {
            let heatmap = Heatmap { layout, cell, gap };
            let values = shares(parts(&heatmap.layout));
            let raster = heatmap.draw(&values, &[], &Shades::LIGHT);
            let mut pixels_of = vec![0; values.len()];
            for (x, y) in (0..raster.width).flat_map(|x| (0..raster.height).map(move |y| (x, y))) {
                let found = pixel(&raster, x, y);
                let Some((part, (left, top))) = heatmap.locate(x, y) else {
                    assert_eq!(found, [0; 4], "{x}, {y}");
                    continue;
                };
                assert!((left..left + cell).contains(&x) && (top..top + cell).contains(&y));
                pixels_of[part] += 1;
                let apart = cell >= SEPARATED && found == [0; 4];
                assert!(apart || found == opaque(Shades::LIGHT.of(values[part])));
            }
            let mut cells_of = vec![0; values.len()];
            heatmap
                .cells()
                .for_each(|(part, _)| cells_of[part as usize] += 1);
            for (pixels, cells) in pixels_of.into_iter().zip(cells_of) {
                assert_eq!(pixels, cells * cell * cell);
            }
            assert_eq!(heatmap.locate(raster.width + gap, 0), None);
            assert_eq!(heatmap.locate(0, raster.height + gap), None);
        }
    }

    #[test]
    fn a_fat_tree_tiles_exactly() {
        for (k, cell, gap) in [(2, 1, 0), (4, 3, 2), (6, 1, 1)] {
            let heatmap = Heatmap {
                layout: tree(k),
                cell,
                gap,
            };
            let (k, block) = (k as usize, k as usize / 2 * cell);
            assert_eq!(
                heatmap.size(),
                (k * block + (k - 1) * gap, 3 * block + 2 * gap)
            );
        }
    }

    #[test]
    fn the_only_busy_link_is_where_its_names_say() {
        let heatmap = Heatmap {
            layout: tree(4),
            cell: 10,
            gap: 5,
        };
        // Pod 2, edge switch 1, server 0 of it: the server 2·4 + 1·2 + 0.
        let mut shares = [0.0; 48];
        shares[10] = 1.0;
        let raster = heatmap.draw(&shares, &[], &Shades::DARK);
        let full = opaque(Shades::DARK.ramp[255]);
        // Two blocks of 20 and their gaps of 5 lie before it, and one row of cells in its block.
        assert_eq!(pixel(&raster, 50, 60), full);
        assert_eq!(pixel(&raster, 58, 68), full);
        let pixels = raster.rgba.chunks_exact(4);
        assert_eq!(pixels.filter(|&found| found == full).count(), 81);
        assert_eq!(heatmap.locate(54, 64), Some((10, (50, 60))));
    }

    #[test]
    fn nothing_lies_in_cells_without_a_pixel() {
        let layout = tree(4);
        let heatmap = Heatmap {
            layout,
            cell: 0,
            gap: 0,
        };
        assert_eq!(heatmap.locate(0, 0), None);
    }

    #[test]
    fn cells_are_as_large_as_the_width_allows_and_blocks_stay_apart() {
        let sized = |layout, width| {
            let heatmap = Heatmap::within(layout, width);
            (heatmap.cell, heatmap.gap)
        };
        assert_eq!(sized(tree(4), 400), (45, 12));
        assert_eq!(sized(tree(4), 4000), (48, 12));
        assert_eq!(sized(tree(4), 1), (1, 12));
        assert_eq!(sized(tree(10), 400), (7, 3));
        assert_eq!(sized(blocks(&[4], 2, 1), 50), (25, 12));
    }

    #[test]
    fn what_has_less_is_hollow() {
        let cell = 4;
        let heatmap = Heatmap {
            layout: blocks(&[2], 2, 1),
            cell,
            gap: 1,
        };
        let colours = &Contrast::DARK;
        let raster = heatmap.draw(&[0.5, -0.5], &[], colours);
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
            let heatmap = Heatmap {
                layout: blocks(&[4, 4], 2, 2),
                cell,
                gap: 3,
            };
            let full = heatmap.draw(&[0.5; 8], &[], &Shades::LIGHT);
            let raster = heatmap.draw(&[0.5; 8], &[5], &Shades::LIGHT);
            let mut holes = 0;
            for (x, y) in (0..raster.width).flat_map(|x| (0..raster.height).map(move |y| (x, y))) {
                if pixel(&raster, x, y) != pixel(&full, x, y) {
                    assert_eq!(heatmap.locate(x, y).map(|found| found.0), Some(5));
                    assert_eq!(pixel(&raster, x, y), [0; 4]);
                    holes += 1;
                }
            }
            let inked = if cell < SEPARATED { cell } else { cell - 1 };
            assert_eq!(holes, (inked / 2) * (inked / 2), "{cell}");
        }
    }

    #[test]
    fn every_cell_of_a_part_is_framed() {
        let heatmap = Heatmap {
            layout: banded(),
            cell: 3,
            gap: 2,
        };
        let raster = heatmap.frame(&[1], [1, 2, 3]);
        let inked = raster.rgba.chunks_exact(4).filter(|found| found[3] > 0);
        assert_eq!(inked.count(), 3 * 9);
    }
}
