//! Where the vertices of a patch stand: integers only, the same in shaders/shared/patch.wgsl.

/// A square of field cells, drawn with lattice lines `step` cells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatchGrid {
    /// First cell along x, and so the first sample.
    pub x: i32,
    /// First cell along z.
    pub z: i32,
    /// Field cells along a side, a multiple of `step`.
    pub cells: i32,
    /// Field cells along a drawn cell.
    pub step: i32,
    /// Step of the neighbour on −x, +x, −z, +z where it is coarser, else 0: a multiple of `step`. Each side has two halves, the
    /// first cells and the last, since it may lie beside two patches of half its size. A step divides the cells of the half or,
    /// where both halves have it, those of the patch. The patch's first corner lies on the neighbour's lattice. A side at or past
    /// the field's edge has none.
    pub neighbours: [[i32; 2]; 4],
}

/// Where a vertex stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatchVertex {
    /// The sample that it stands on.
    pub sample: [i32; 2],
    /// The step of the lattice that gives its height: the neighbour's on a matched side.
    pub step: i32,
}

/// The place of vertex (i, j) of a patch, each index 0 … cells/step, in a field whose last sample is `last`.
///
/// Lattice line i stands on sample min(x + i·step, last). On a matched side a vertex falls back to the neighbour's
/// lattice line before it, so that several may coincide; the field's last line stays. So both patches have the same
/// vertices along their side, from the same lattice.
pub fn patch_vertex(patch: &PatchGrid, last: [i32; 2], i: i32, j: i32) -> PatchVertex {
    let along = [i * patch.step, j * patch.step];
    // A side across x carries its vertices along z, and the other way round.
    let [step_z, step_x] = [0, 1].map(|axis| side_step(patch, axis, along));
    let x = lattice_line(patch.x, along[0], step_x, last[0]);
    let z = lattice_line(patch.z, along[1], step_z, last[1]);
    // Judged where the vertex came to stand: it may have fallen back into a corner.
    let stands = [x - patch.x, z - patch.z];
    PatchVertex { sample: [x, z], step: side_step(patch, 0, stands).max(side_step(patch, 1, stands)) }
}

/// The step that holds `along` cells from a patch's first lines, as far as the sides across an axis decide it: the neighbour's on
/// a matched side.
fn side_step(patch: &PatchGrid, axis: usize, along: [i32; 2]) -> i32 {
    let half = usize::from(2 * along[1 - axis] >= patch.cells);
    let mut step = patch.step;
    if along[axis] == 0 {
        step = step.max(patch.neighbours[2 * axis][half]);
    }
    if along[axis] == patch.cells {
        step = step.max(patch.neighbours[2 * axis + 1][half]);
    }
    step
}

fn lattice_line(first: i32, along: i32, step: i32, last: i32) -> i32 {
    if first + along >= last { last } else { first + along - along % step }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Corners = [[i64; 2]; 3];

    fn triangles(patch: &PatchGrid, last: [i32; 2], flip: bool) -> Vec<Corners> {
        let lines = patch.cells / patch.step;
        let at = |i, j| patch_vertex(patch, last, i, j).sample.map(i64::from);
        let cells = (0..lines).flat_map(|j| (0..lines).map(move |i| (i, j)));
        cells
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
                if flip { [[a, c, b], [b, c, d]] } else { [[a, d, b], [a, c, d]] }
            })
            .collect()
    }

    /// Twice the area, positive where the triangle faces up: x east, z south.
    fn area([a, b, c]: Corners) -> i64 {
        (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
    }

    /// Runs `check` for patches of 1 to 16 cells, all ratios on all sides or half-sides, whole and clipped at the far edges.
    fn all(mut check: impl FnMut(&PatchGrid, [i32; 2])) -> u32 {
        let mut count = 0;
        let mut each = |lines: i32, ratios: &[i32], halves: usize| {
            for step in [1, 2] {
                let cells = lines * step;
                let (x, z) = (2 * cells, 3 * cells);
                let whole = [9999 - x; 2];
                for clip in [whole, [cells, cells], [cells - 1, cells + 9], [step, cells / 2 + 1], [1, 3]] {
                    let last = [x + clip[0], z + clip[1]];
                    for choice in 0..ratios.len().pow(4 * halves as u32) {
                        let ratio =
                            |part: usize| ratios[choice / ratios.len().pow(part as u32) % ratios.len()];
                        let beyond = [true, last[0] > x + cells, true, last[1] > z + cells];
                        let step_of = |side: usize, half: usize| match ratio(side * halves + half % halves) {
                            ratio if ratio > 1 && beyond[side] => ratio * step,
                            _ => 0,
                        };
                        let neighbours = [0, 1, 2, 3].map(|side| [step_of(side, 0), step_of(side, 1)]);
                        check(&PatchGrid { x, z, cells, step, neighbours }, last);
                        count += 1;
                    }
                }
            }
        };
        for lines in [1, 2, 3, 4, 6, 8, 16] {
            let ratios: Vec<i32> =
                (0..5).map(|power| 1 << power).filter(|ratio| lines % ratio == 0).collect();
            each(lines, &ratios, 1);
        }
        for lines in [2, 4, 6, 8] {
            let ratios: Vec<i32> =
                (0..3).map(|power| 1 << power).filter(|ratio| lines / 2 % ratio == 0).collect();
            each(lines, &ratios, 2);
        }
        count
    }

    #[test]
    fn no_triangle_folds_over_and_areas_sum_to_the_patch() {
        let count = all(|patch, last| {
            let areas: Vec<i64> = triangles(patch, last, false).into_iter().map(area).collect();
            assert!(areas.iter().all(|area| *area >= 0), "{patch:?} {last:?}");
            let extent = |first: i32, last: i32| i64::from(patch.cells.min(last - first));
            let whole = 2 * extent(patch.x, last[0]) * extent(patch.z, last[1]);
            assert_eq!(areas.iter().sum::<i64>(), whole, "{patch:?} {last:?}");
        });
        assert!(count > 3558);
    }

    #[test]
    fn the_wrong_diagonal_and_too_coarse_a_neighbour_are_noticed() {
        let folds = |patch: &PatchGrid, flip: bool| {
            triangles(patch, [9999; 2], flip).into_iter().any(|triangle| area(triangle) < 0)
        };
        let patch = PatchGrid { x: 16, z: 16, cells: 8, step: 1, neighbours: [[4; 2]; 4] };
        assert!(!folds(&patch, false) && folds(&patch, true));
        let beyond = PatchGrid { neighbours: [[0; 2], [16; 2], [0; 2], [16; 2]], ..patch };
        let areas = triangles(&beyond, [9999; 2], false).into_iter().map(area);
        assert_ne!(areas.sum::<i64>(), 128);
    }

    #[test]
    fn every_side_is_one_line_of_the_neighbours_vertices() {
        all(|patch, last| {
            let lines = patch.cells / patch.step;
            for (side, neighbour) in patch.neighbours.into_iter().enumerate() {
                let steps = neighbour.map(|step| step.max(patch.step));
                let across = side / 2;
                let line = if side % 2 == 0 { 0 } else { lines };
                let mut ours: Vec<PatchVertex> = (0..=lines)
                    .map(|k| if across == 0 { (line, k) } else { (k, line) })
                    .map(|(i, j)| patch_vertex(patch, last, i, j))
                    .collect();
                ours.dedup_by_key(|vertex| vertex.sample);
                let first = [patch.x, patch.z][1 - across];
                let half = |half: i32| {
                    let (step, from) = (steps[half as usize], patch.cells / 2 * half);
                    let to = if half == 0 && steps[0] < patch.cells { patch.cells / 2 } else { patch.cells };
                    (from / step..=to / step).map(move |k| k * step)
                };
                let stand = |along: i32| (first + along).min(last[1 - across]);
                let mut theirs: Vec<i32> = half(0).chain(half(1)).map(stand).collect();
                theirs.sort_unstable();
                theirs.dedup();
                let along: Vec<i32> = ours.iter().map(|vertex| vertex.sample[1 - across]).collect();
                assert_eq!(along, theirs, "{patch:?} {last:?} side {side}");
                let clipped = ours[0].sample[across] == last[across];
                assert!(
                    clipped || ours.iter().all(|vertex| vertex.step >= steps[0].min(steps[1])),
                    "{patch:?} side {side}"
                );
            }
        });
    }

    #[test]
    fn a_vertex_that_fell_into_a_corner_reads_what_the_corner_reads() {
        let patch = PatchGrid { x: 8, z: 8, cells: 8, step: 1, neighbours: [[8; 2], [0; 2], [2; 2], [0; 2]] };
        let corner = PatchVertex { sample: [8, 8], step: 8 };
        for (i, j) in [(0, 0), (1, 0), (0, 5)] {
            assert_eq!(patch_vertex(&patch, [99; 2], i, j), corner);
        }
    }
}
