//! Use of links and nodes as pixels, one square cell each, always on the scale from 0 to 100 %.
//!
//! A fat-tree of k pods has k³/4 links on each of its three levels, and k/2 switches of k/2 links on
//! each level of a pod. So it tiles exactly: three rows (levels) of k columns (pods) of equal square
//! blocks of (k/2) × (k/2) cells. The hot pod and the spread of a job are seen at once, where drawings
//! of nodes and lines hide each other. Links are those of M. Al-Fares, A. Loukissas, A. Vahdat, "A
//! scalable, commodity data center network architecture", SIGCOMM 2008.
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
    fn hollow_cell(&mut self, (left, top): (usize, usize), cell: usize) {
        let inked = if cell >= SEPARATED { cell - 1 } else { cell };
        let hole = inked / 2;
        let (left, top) = (left + (inked - hole) / 2, top + (inked - hole) / 2);
        for y in top..top + hole {
            let row = 4 * (y * self.width + left)..4 * (y * self.width + left + hole);
            self.rgba[row].fill(0);
        }
    }

    fn fill_cell(
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

/// A level of links in a fat-tree, from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Between aggregation switch (row) and core switch of its group (column).
    Core,
    /// Between edge switch (row) and aggregation switch (column).
    Aggregation,
    /// Between edge switch (row) and server (column).
    Nic,
}

const LEVELS: [Level; 3] = [Level::Core, Level::Aggregation, Level::Nic];

/// A link of a fat-tree; all numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its level.
    pub level: Level,
    /// Its pod.
    pub pod: usize,
    /// Its row in the block of its pod and level: what [`Level`] names first.
    pub row: usize,
    /// Its column in that block: what [`Level`] names second.
    pub column: usize,
}

/// Fractions in use of all links, by level; within one ordered by pod, then row, then column.
#[derive(Clone, Copy, Debug)]
pub struct FatTreeUse<'a> {
    /// Between aggregation and core switches.
    pub core: &'a [f32],
    /// Between edge and aggregation switches.
    pub aggregation: &'a [f32],
    /// Of the servers' network interfaces.
    pub nic: &'a [f32],
}

/// How a fat-tree is laid out on a raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FatTreeLayout {
    /// Ports of a switch, which is also the number of pods; even.
    pub k: usize,
    /// Pixels along the side of a cell.
    pub cell: usize,
    /// Pixels between blocks.
    pub gap: usize,
}

impl FatTreeLayout {
    fn half(&self) -> usize {
        self.k / 2
    }

    /// Pixels from a block to the next.
    fn pitch(&self) -> usize {
        self.half() * self.cell + self.gap
    }

    /// Place of a link among the links of its level.
    pub fn index(&self, link: Link) -> usize {
        (link.pod * self.half() + link.row) * self.half() + link.column
    }

    /// Where the cell of a link begins, in pixels from the left and from the top.
    pub fn corner(&self, link: Link) -> (usize, usize) {
        let block_row = LEVELS.iter().position(|level| *level == link.level);
        (
            link.pod * self.pitch() + link.column * self.cell,
            block_row.unwrap_or(0) * self.pitch() + link.row * self.cell,
        )
    }

    /// Every link, in the order of [`FatTreeUse`], level by level from the top.
    pub fn links(&self) -> impl Iterator<Item = Link> + use<> {
        let (pods, half) = (self.k, self.half());
        LEVELS.into_iter().flat_map(move |level| {
            (0..pods * half * half).map(move |index| Link {
                level,
                pod: index / half / half,
                row: index / half % half,
                column: index % half,
            })
        })
    }

    /// Draws the use of all links.
    ///
    /// # Panics
    ///
    /// When a level has other than k³/4 links.
    pub fn draw(&self, links: FatTreeUse<'_>, colours: &dyn Colouring) -> Raster {
        let half = self.half();
        let [width, height] =
            [self.k, LEVELS.len()].map(|blocks| (blocks * self.pitch()).saturating_sub(self.gap));
        let mut raster = Raster::transparent(width, height);
        for level in LEVELS {
            let fractions = match level {
                Level::Core => links.core,
                Level::Aggregation => links.aggregation,
                Level::Nic => links.nic,
            };
            assert_eq!(
                fractions.len(),
                self.k * half * half,
                "links of level {level:?} in a fat-tree of k = {}",
                self.k
            );
        }
        let fractions = [links.core, links.aggregation, links.nic].concat();
        for (link, fraction) in self.links().zip(fractions) {
            raster.fill_cell(self.corner(link), self.cell, fraction, colours);
        }
        raster
    }

    /// The link whose cell holds a pixel; none between blocks and outside.
    pub fn locate(&self, x: usize, y: usize) -> Option<Link> {
        let across = |position: usize| {
            let block = position.checked_div(self.pitch())?;
            let within = position % self.pitch();
            let cell = within.checked_div(self.cell)?;
            (cell < self.half()).then_some((block, cell))
        };
        let (pod, column) = across(x)?;
        let (block_row, row) = across(y)?;
        let level = *LEVELS.get(block_row)?;
        (pod < self.k).then_some(Link {
            level,
            pod,
            row,
            column,
        })
    }
}

/// How plain nodes are laid out on a raster: row by row, in about as many rows as columns; a block for
/// each tier, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodesLayout {
    /// How many nodes there are.
    pub nodes: usize,
    /// How many jobs may share a node, each in a tier of its own.
    pub tiers: usize,
    /// Pixels along the side of a cell.
    pub cell: usize,
    /// Pixels between two blocks.
    pub gap: usize,
}

impl NodesLayout {
    /// Cells in a row of a block.
    pub fn columns(&self) -> usize {
        let root = self.nodes.isqrt();
        if root * root < self.nodes {
            root + 1
        } else {
            root
        }
    }

    /// Pixels from a block to the next.
    fn pitch(&self) -> usize {
        self.columns() * self.cell + self.gap
    }

    /// Where the cell of a node begins, in pixels from the left and from the top; the nodes of a tier
    /// follow those of the one before.
    pub fn corner(&self, node: usize) -> (usize, usize) {
        let (tier, node) = (node / self.nodes, node % self.nodes);
        let columns = self.columns();
        let left = tier * self.pitch() + node % columns * self.cell;
        (left, node / columns * self.cell)
    }

    /// Draws the fractions in use of all nodes, tier by tier; cells of those named in `paused` are hollow.
    ///
    /// # Panics
    ///
    /// When their number is not that of the nodes of all tiers.
    pub fn draw(&self, fractions: &[f32], paused: &[u32], colours: &dyn Colouring) -> Raster {
        assert_eq!(
            fractions.len(),
            self.nodes * self.tiers,
            "fractions for all nodes"
        );
        let rows = self.nodes.div_ceil(self.columns().max(1));
        let width = (self.tiers * self.pitch()).saturating_sub(self.gap);
        let mut raster = Raster::transparent(width, rows * self.cell);
        for (node, &fraction) in fractions.iter().enumerate() {
            raster.fill_cell(self.corner(node), self.cell, fraction, colours);
        }
        for &node in paused {
            raster.hollow_cell(self.corner(node as usize), self.cell);
        }
        raster
    }

    /// The node whose cell holds a pixel, counted over all tiers.
    pub fn locate(&self, x: usize, y: usize) -> Option<usize> {
        let tier = x.checked_div(self.pitch())?;
        let column = (x % self.pitch()).checked_div(self.cell)?;
        let node = y.checked_div(self.cell)? * self.columns() + column;
        let inside = tier < self.tiers && column < self.columns() && node < self.nodes;
        inside.then_some(tier * self.nodes + node)
    }
}

/// How a multi-cluster is laid out on a raster: a block for each cluster, its link above and its nodes
/// below, in so many columns that the largest block is about square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClustersLayout {
    /// Nodes of each cluster.
    pub nodes: Vec<usize>,
    /// Pixels along the side of a cell.
    pub cell: usize,
    /// Pixels between blocks, and between a link and the nodes.
    pub gap: usize,
}

/// The most blocks of clusters in a row.
const CLUSTERS_IN_A_ROW: usize = 8;

/// A part of a multi-cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterPart {
    /// The link of a cluster.
    Link(usize),
    /// A node of a cluster.
    Node {
        /// Which cluster.
        cluster: usize,
        /// Which of its nodes.
        node: usize,
    },
}

impl ClustersLayout {
    /// How many blocks stand in a row.
    pub fn blocks(&self) -> usize {
        self.nodes.len().clamp(1, CLUSTERS_IN_A_ROW)
    }

    /// Cells in a row of a block.
    pub fn columns(&self) -> usize {
        let most = self.nodes.iter().copied().max().unwrap_or(0);
        let root = most.isqrt();
        root + usize::from(root * root < most)
    }

    /// Rows of nodes in a block.
    fn rows(&self) -> usize {
        let most = self.nodes.iter().copied().max().unwrap_or(0);
        most.div_ceil(self.columns().max(1))
    }

    /// Pixels from a block to the next, across and down.
    fn pitch(&self) -> (usize, usize) {
        let across = self.columns() * self.cell + self.gap;
        (across, (self.rows() + 1) * self.cell + 2 * self.gap)
    }

    /// The corner of the first cell of a block.
    fn corner(&self, cluster: usize) -> (usize, usize) {
        let (across, down) = self.pitch();
        (
            cluster % self.blocks() * across,
            cluster / self.blocks() * down,
        )
    }

    /// The corners of the cells that show the link of a cluster.
    pub fn link_cells(&self, cluster: usize) -> impl Iterator<Item = (usize, usize)> {
        let (left, top) = self.corner(cluster);
        (0..self.columns()).map(move |column| (left + column * self.cell, top))
    }

    /// Place of a part among all: the links, then the nodes cluster by cluster.
    pub fn index(&self, part: ClusterPart) -> usize {
        match part {
            ClusterPart::Link(cluster) => cluster,
            ClusterPart::Node { cluster, node } => {
                self.nodes.len() + self.nodes[..cluster].iter().sum::<usize>() + node
            }
        }
    }

    /// The part at such a place; past the last one, a node of the last cluster that it does not have.
    pub fn part(&self, index: usize) -> ClusterPart {
        let clusters = self.nodes.len();
        if index < clusters {
            return ClusterPart::Link(index);
        }
        let (mut cluster, mut node) = (0, index - clusters);
        while cluster + 1 < clusters && node >= self.nodes[cluster] {
            node -= self.nodes[cluster];
            cluster += 1;
        }
        ClusterPart::Node { cluster, node }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.nodes.len() + self.nodes.iter().sum::<usize>()
    }

    /// Draws the fractions in use of all parts, in the order of [`ClustersLayout::index`].
    ///
    /// # Panics
    ///
    /// When their number is not that of the parts.
    pub fn draw(&self, fractions: &[f32], colours: &dyn Colouring) -> Raster {
        assert_eq!(fractions.len(), self.parts(), "fractions for all parts");
        let (across, down) = self.pitch();
        let lines = self.nodes.len().div_ceil(self.blocks());
        let width = (self.blocks() * across).saturating_sub(self.gap);
        let mut raster = Raster::transparent(width, (lines * down).saturating_sub(self.gap));
        for (cluster, &nodes) in self.nodes.iter().enumerate() {
            let (left, top) = self.corner(cluster);
            let link = fractions[self.index(ClusterPart::Link(cluster))];
            for corner in self.link_cells(cluster) {
                raster.fill_cell(corner, self.cell, link, colours);
            }
            for node in 0..nodes {
                let (column, row) = (node % self.columns(), node / self.columns());
                let below = top + (row + 1) * self.cell + self.gap;
                let fraction = fractions[self.index(ClusterPart::Node { cluster, node })];
                let corner = (left + column * self.cell, below);
                raster.fill_cell(corner, self.cell, fraction, colours);
            }
        }
        raster
    }

    /// The part whose cell holds a pixel, and the corner of that cell.
    pub fn locate(&self, x: usize, y: usize) -> Option<(ClusterPart, (usize, usize))> {
        let (across, down) = self.pitch();
        let block = (x.checked_div(across)?, y.checked_div(down)?);
        let cluster = block.1 * self.blocks() + block.0;
        let nodes = *self.nodes.get(cluster)?;
        let (left, top) = self.corner(cluster);
        let column = (x - left).checked_div(self.cell)?;
        if block.0 >= self.blocks() || column >= self.columns() {
            return None;
        }
        let across = left + column * self.cell;
        if y - top < self.cell {
            return Some((ClusterPart::Link(cluster), (across, top)));
        }
        let row = (y - top).checked_sub(self.cell + self.gap)? / self.cell;
        let node = row * self.columns() + column;
        let below = top + (row + 1) * self.cell + self.gap;
        let part = ClusterPart::Node { cluster, node };
        (node < nodes).then_some((part, (across, below)))
    }
}

/// Draws the scale of all rasters: a square of what is idle, the ramp from 0 to 100 %, a square of what
/// is over, each apart from the next by a quarter of the height.
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

/// Draws the scale of differences: a square of what is less than −100 points, the ramp to 100, and a
/// square of what is more; what is less is hollow, as its cells are.
pub fn contrast_legend(width: usize, height: usize, colours: &Contrast) -> Raster {
    let mut raster = Raster::transparent(width, height);
    let start = height + height / 4;
    let steps = width.saturating_sub(2 * start);
    for step in 0..steps {
        let difference = (step as f32 + 0.5) / steps as f32 * 2.0 - 1.0;
        let edge = match colours.hollow(difference) {
            true => height / 4,
            false => height.div_ceil(2),
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
mod tests {
    use super::*;

    fn pixel(raster: &Raster, x: usize, y: usize) -> [u8; 4] {
        let start = 4 * (y * raster.width + x);
        raster.rgba[start..start + 4].try_into().unwrap()
    }

    fn opaque([red, green, blue]: Rgb) -> [u8; 4] {
        [red, green, blue, u8::MAX]
    }

    /// Different fractions for `count` links, beginning at `start`.
    fn fractions(start: f32, count: usize) -> Vec<f32> {
        (0..count)
            .map(|index| start + 0.3 * index as f32 / count as f32)
            .collect()
    }

    #[test]
    fn a_fat_tree_tiles_exactly_and_every_pixel_leads_to_its_link() {
        for (k, cell, gap) in [(2, 1, 0), (4, 3, 2), (6, 1, 1), (8, SEPARATED, 4)] {
            let layout = FatTreeLayout { k, cell, gap };
            let count = k * k * k / 4;
            let [core, aggregation, nic] = [0.01, 0.34, 0.67].map(|start| fractions(start, count));
            let links = FatTreeUse {
                core: &core,
                aggregation: &aggregation,
                nic: &nic,
            };
            let raster = layout.draw(links, &Shades::LIGHT);
            let block = k / 2 * cell;
            assert_eq!(raster.width, k * block + (k - 1) * gap);
            assert_eq!(raster.height, 3 * block + 2 * gap);
            assert_eq!(raster.rgba.len(), 4 * raster.width * raster.height);

            let mut pixels_of = [vec![0; count], vec![0; count], vec![0; count]];
            for (x, y) in (0..raster.width).flat_map(|x| (0..raster.height).map(move |y| (x, y))) {
                let found = pixel(&raster, x, y);
                let Some(link) = layout.locate(x, y) else {
                    assert_eq!(found, [0; 4]);
                    continue;
                };
                let index = layout.index(link);
                let (of_level, counts) = match link.level {
                    Level::Core => (&core, &mut pixels_of[0]),
                    Level::Aggregation => (&aggregation, &mut pixels_of[1]),
                    Level::Nic => (&nic, &mut pixels_of[2]),
                };
                counts[index] += 1;
                if found != [0; 4] {
                    assert_eq!(found, opaque(Shades::LIGHT.of(of_level[index])), "{link:?}");
                } else {
                    assert!(cell >= SEPARATED);
                }
            }
            for counts in pixels_of {
                assert!(counts.iter().all(|&pixels| pixels == cell * cell));
            }
            assert_eq!(layout.locate(raster.width + gap, 0), None);
            assert_eq!(layout.locate(0, raster.height + gap), None);
        }
    }

    #[test]
    fn the_only_busy_link_is_where_its_names_say() {
        let layout = FatTreeLayout {
            k: 4,
            cell: 10,
            gap: 5,
        };
        let idle = [0.0; 16];
        let mut nic = idle;
        // Pod 2, edge switch 1, server 0 of it: the server 2·4 + 1·2 + 0.
        nic[10] = 1.0;
        let links = FatTreeUse {
            core: &idle,
            aggregation: &idle,
            nic: &nic,
        };
        let raster = layout.draw(links, &Shades::DARK);
        let full = opaque(Shades::DARK.ramp[255]);
        // Two blocks of 20 and their gaps of 5 lie before it, and one row of cells in its block.
        assert_eq!(pixel(&raster, 50, 60), full);
        assert_eq!(pixel(&raster, 58, 68), full);
        let busy = raster
            .rgba
            .chunks_exact(4)
            .filter(|&found| found == full)
            .count();
        assert_eq!(busy, 81);
        let link = layout.locate(54, 64).unwrap();
        assert_eq!(
            (link.level, link.pod, link.row, link.column),
            (Level::Nic, 2, 1, 0)
        );
    }

    #[test]
    #[should_panic(expected = "links of level Nic in a fat-tree of k = 4")]
    fn a_missing_link_is_refused() {
        let layout = FatTreeLayout {
            k: 4,
            cell: 1,
            gap: 0,
        };
        let links = FatTreeUse {
            core: &[0.0; 16],
            aggregation: &[0.0; 16],
            nic: &[0.0; 15],
        };
        layout.draw(links, &Shades::LIGHT);
    }

    #[test]
    fn nodes_fill_a_near_square() {
        for (nodes, columns, rows) in [
            (0, 0, 0),
            (1, 1, 1),
            (5, 3, 2),
            (128, 12, 11),
            (144, 12, 12),
        ] {
            let tiers = 1 + nodes % 2;
            let layout = NodesLayout {
                nodes,
                tiers,
                cell: 2,
                gap: 3,
            };
            let values = fractions(0.1, nodes * tiers);
            let raster = layout.draw(&values, &[], &Shades::LIGHT);
            let width = tiers * 2 * columns + 3 * (tiers - 1);
            assert_eq!((raster.width, raster.height), (width, 2 * rows));
            let mut pixels_of = vec![0; nodes * tiers];
            for (x, y) in (0..raster.width).flat_map(|x| (0..raster.height).map(move |y| (x, y))) {
                let expected = layout.locate(x, y).map_or([0; 4], |node| {
                    pixels_of[node] += 1;
                    opaque(Shades::LIGHT.of(values[node]))
                });
                assert_eq!(pixel(&raster, x, y), expected);
            }
            assert!(pixels_of.iter().all(|&pixels| pixels == 4));
            assert_eq!(layout.locate(raster.width, 0), None);
        }
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
    fn every_pixel_of_a_multi_cluster_leads_to_its_part() {
        for (nodes, cell, gap) in [
            (vec![5, 3], 2, 1),
            (vec![1], 1, 0),
            (vec![9, 4, 4, 4, 4, 4, 4, 4, 4, 2], SEPARATED, 3),
        ] {
            let layout = ClustersLayout { nodes, cell, gap };
            let values = fractions(0.1, layout.parts());
            let raster = layout.draw(&values, &Shades::LIGHT);
            let mut pixels_of = vec![0; layout.parts()];
            for (x, y) in (0..raster.width).flat_map(|x| (0..raster.height).map(move |y| (x, y))) {
                let found = pixel(&raster, x, y);
                let Some((part, (left, top))) = layout.locate(x, y) else {
                    assert_eq!(found, [0; 4], "{x}, {y}");
                    continue;
                };
                assert!((left..left + cell).contains(&x) && (top..top + cell).contains(&y));
                let index = layout.index(part);
                assert_eq!(layout.part(index), part);
                pixels_of[index] += 1;
                let apart = cell >= SEPARATED && found == [0; 4];
                assert!(
                    apart || found == opaque(Shades::LIGHT.of(values[index])),
                    "{part:?}"
                );
            }
            let (links, of_nodes) = pixels_of.split_at(layout.nodes.len());
            let bar = layout.columns() * cell * cell;
            assert!(links.iter().all(|&pixels| pixels == bar));
            assert!(of_nodes.iter().all(|&pixels| pixels == cell * cell));
            assert_eq!(layout.locate(raster.width + gap, 0), None);
            assert_eq!(layout.locate(0, raster.height + gap), None);
        }
    }

    #[test]
    fn nothing_lies_in_cells_without_a_pixel() {
        let empty = FatTreeLayout {
            k: 4,
            cell: 0,
            gap: 0,
        };
        assert_eq!(empty.locate(0, 0), None);
        let nodes = NodesLayout {
            nodes: 4,
            tiers: 1,
            cell: 0,
            gap: 0,
        };
        assert_eq!(nodes.locate(0, 0), None);
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

    #[test]
    fn what_has_less_is_hollow_on_every_machine() {
        let cell = 4;
        let tree = FatTreeLayout { k: 2, cell, gap: 1 };
        let nodes = NodesLayout {
            nodes: 2,
            tiers: 1,
            cell,
            gap: 1,
        };
        let clusters = ClustersLayout {
            nodes: vec![1],
            cell,
            gap: 1,
        };
        let both = [0.5, -0.5];
        let links = FatTreeUse {
            core: &both,
            aggregation: &both,
            nic: &both,
        };
        let colours = &Contrast::DARK;
        for (raster, holes) in [
            (tree.draw(links, colours), 3),
            (nodes.draw(&both, &[], colours), 1),
            (clusters.draw(&both, colours), 1),
        ] {
            let count = |colour: Rgb| {
                let pixels = raster.rgba.chunks_exact(4);
                pixels.filter(|&found| found == opaque(colour)).count()
            };
            let (full, hole) = (cell * cell, cell / 2 * (cell / 2));
            assert_eq!(count(colours.of(0.5)), holes * full);
            assert_eq!(count(colours.of(-0.5)), holes * (full - hole));
        }
    }

    #[test]
    fn the_cell_of_a_paused_process_is_hollow_and_no_other() {
        for cell in [2, 5, SEPARATED, 20] {
            let layout = NodesLayout {
                nodes: 4,
                tiers: 2,
                cell,
                gap: 3,
            };
            let full = layout.draw(&[0.5; 8], &[], &Shades::LIGHT);
            let raster = layout.draw(&[0.5; 8], &[5], &Shades::LIGHT);
            let mut holes = 0;
            for (x, y) in (0..raster.width).flat_map(|x| (0..raster.height).map(move |y| (x, y))) {
                if pixel(&raster, x, y) != pixel(&full, x, y) {
                    assert_eq!(layout.locate(x, y), Some(5));
                    assert_eq!(pixel(&raster, x, y), [0; 4]);
                    holes += 1;
                }
            }
            let inked = if cell < SEPARATED { cell } else { cell - 1 };
            assert_eq!(holes, (inked / 2) * (inked / 2), "{cell}");
        }
    }
}
