//! Whether triangles make one sheet over a field: a check of data, whatever drew them.

use orograph::clipmap::{ClipmapPatch, FramePlan, clipmap_patches};
use orograph::mirror::triangle_corners;
use orograph::passes::DrawnPatch;
use orograph::terrain::{EMPTY, Terrain};
use std::collections::BTreeSet;

/// Corner of a triangle: the sample that it stands on, and the bits of its height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corner {
    /// The sample.
    pub sample: [i32; 2],
    /// The bits.
    pub bits: u32,
}

/// Its corners, counter-clockwise seen from above.
pub type Triangle = [Corner; 3];

/// Every triangle of the drawn patches, those of no area too.
pub fn triangles(plan: &FramePlan, patches: &[DrawnPatch]) -> Vec<Triangle> {
    let of_patch = |DrawnPatch { instance, vertices }: &DrawnPatch| {
        let cells = instance.drawn_cells(plan.frame.settings.patch_cells);
        let corner =
            |k: usize| Corner { sample: [vertices[k].x, vertices[k].z], bits: vertices[k].height_bits };
        (0..2 * (cells * cells) as u32)
            .map(|triangle| triangle_corners(triangle, cells).map(corner))
            .collect::<Vec<_>>()
    };
    patches.iter().flat_map(of_patch).collect()
}

/// The patches that are rightly missing: without a valid sample.
pub fn bare(plan: &FramePlan, terrain: &Terrain, patches: &[DrawnPatch]) -> Vec<ClipmapPatch> {
    let drawn: BTreeSet<u32> = patches.iter().map(|patch| patch.instance.index).collect();
    let is_empty = |patch: &ClipmapPatch| {
        let mut samples = (0..=patch.cells).flat_map(|z| (0..=patch.cells).map(move |x| [x, z]));
        samples.all(|[x, z]| terrain.sample(i64::from(patch.x + x), i64::from(patch.z + z)).is_none())
    };
    clipmap_patches(&plan.frame)
        .into_iter()
        .filter(|patch| !drawn.contains(&patch.index) && is_empty(patch))
        .collect()
}

/// What is wrong with a sheet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults {
    /// Edges used more than twice, or twice in the same direction.
    pub doubled: u64,
    /// Edges used once, neither on the field's rim nor on the side of a bare patch.
    pub open: u64,
    /// Triangles that face down.
    pub folded: u64,
    /// Triangles of no area though their corners stand on three samples.
    pub flat: u64,
    /// Heights on a sample beside the first.
    pub torn: u64,
    /// Twice the area by which the triangles differ from the field.
    pub lacking: u64,
}

/// What there is of a sheet.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sheet {
    /// What is wrong.
    pub faults: Faults,
    /// Triangles of some area.
    pub triangles: u64,
    /// Edges between a triangle that is shown and one that touches an empty sample.
    pub outline: u64,
    /// Edges on the field's rim.
    pub rim: u64,
}

/// Twice the area in cells, positive where the triangle faces up.
pub fn area([a, b, c]: Triangle) -> i64 {
    let d = |to: Corner, from: Corner, axis: usize| i64::from(to.sample[axis] - from.sample[axis]);
    d(b, a, 1) * d(c, a, 0) - d(b, a, 0) * d(c, a, 1)
}

/// Looks at every triangle; those that touch an empty sample are not shown, but lie where the sheet has its hole.
pub fn examine(cells: [i32; 2], triangles: &[Triangle], bare: &[ClipmapPatch]) -> Sheet {
    let mut sheet = Sheet::default();
    let mut covered: i64 = bare.iter().map(|patch| bare_area(cells, patch)).sum();
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for triangle in triangles {
        let area = area(*triangle);
        if area == 0 {
            let [a, b, c] = triangle.map(|corner| corner.sample);
            sheet.faults.flat += u64::from(a != b && b != c && c != a);
            continue;
        }
        sheet.triangles += 1;
        sheet.faults.folded += u64::from(area < 0);
        covered += area;
        edges.extend(edges_of(triangle));
    }
    sheet.faults.lacking = covered.abs_diff(2 * i64::from(cells[0]) * i64::from(cells[1]));
    sheet.faults.torn = torn(triangles);
    edges.sort_unstable();
    for uses in edges.chunk_by(|a, b| a.ends == b.ends) {
        match uses {
            [one, other] if one.forward != other.forward => {
                sheet.outline += u64::from(one.shown != other.shown);
            }
            [one] if on_rim(cells, one.ends) => sheet.rim += 1,
            [one] if bare.iter().any(|patch| on_side(cells, patch, one.ends)) => {
                sheet.outline += u64::from(one.shown);
            }
            [_] => sheet.faults.open += 1,
            _ => sheet.faults.doubled += 1,
        }
    }
    sheet
}

/// A triangle's use of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    /// The samples of its ends, the lesser first.
    ends: [[i32; 2]; 2],
    forward: bool,
    shown: bool,
}

fn edges_of(triangle: &Triangle) -> [Edge; 3] {
    let shown = triangle.iter().all(|corner| corner.bits != EMPTY.to_bits());
    [0, 1, 2].map(|k| {
        let (from, to) = (triangle[k].sample, triangle[(k + 1) % 3].sample);
        Edge { ends: [from.min(to), from.max(to)], forward: from < to, shown }
    })
}

fn on_rim(cells: [i32; 2], ends: [[i32; 2]; 2]) -> bool {
    on_line(ends, [0, 0]) || on_line(ends, cells)
}

/// Whether both ends lie on the line at `at` along x, or along z.
fn on_line([from, to]: [[i32; 2]; 2], at: [i32; 2]) -> bool {
    (0..2).any(|axis| from[axis] == at[axis] && to[axis] == at[axis])
}

/// First and last sample of a patch within the field.
fn corners(cells: [i32; 2], patch: &ClipmapPatch) -> [[i32; 2]; 2] {
    let (first, last) = ([patch.x, patch.z], [patch.x + patch.cells, patch.z + patch.cells]);
    [first, [last[0].min(cells[0]), last[1].min(cells[1])]]
}

fn bare_area(cells: [i32; 2], patch: &ClipmapPatch) -> i64 {
    let [first, last] = corners(cells, patch);
    2 * i64::from(last[0] - first[0]) * i64::from(last[1] - first[1])
}

fn on_side(cells: [i32; 2], patch: &ClipmapPatch, ends: [[i32; 2]; 2]) -> bool {
    let [first, last] = corners(cells, patch);
    let within = |end: [i32; 2]| (0..2).all(|axis| (first[axis]..=last[axis]).contains(&end[axis]));
    ends.into_iter().all(within) && (on_line(ends, first) || on_line(ends, last))
}

/// Heights beside the first on each sample.
fn torn(triangles: &[Triangle]) -> u64 {
    let mut corners: Vec<_> = triangles.iter().flatten().map(|corner| (corner.sample, corner.bits)).collect();
    corners.sort_unstable();
    corners.dedup();
    let heights = corners.len();
    corners.dedup_by_key(|(sample, _)| *sample);
    (heights - corners.len()) as u64
}
