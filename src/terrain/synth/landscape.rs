//! Rivers that cut: stream-power incision, solved implicitly along the flow.
//!
//! The scheme is FastScape (Braun and Willett 2013): every node drains to its steepest neighbour, drainage areas add up
//! downstream, and dh/dt = uplift − K·√area·slope is solved from the outlets upward, stable at any time step.

use crate::terrain::noise::{hash, unit};
use glam::{IVec2, Vec2};
use rayon::prelude::*;

/// Eight neighbours as steps along x and z.
pub(super) const NEIGHBOURS: [[i32; 2]; 8] =
    [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// Cells that a node stands off its grid place, at most and along each axis: rivers wander instead of following the
/// grid's eight directions.
const JITTER: f32 = 0.45;

/// Metres of √area that a slope without a channel erodes as.
const HILLSLOPE: f32 = 230.0;

/// Metres of √area at which a river cuts twice as fast as its √area says: great valleys reach far into the mountains.
const RIVER: f32 = 3500.0;

/// Metres that a pit is filled above its lowest neighbour.
const PIT_FILL: f32 = 0.01;

/// What one step of time does to each node, row-major like the heights.
pub(super) struct Ground {
    /// Metres of uplift in a step.
    pub uplift: Vec<f32>,
    /// Metres of lowering in a step, per metre of √area and unit of slope.
    pub erodibility: Vec<f32>,
}

impl Ground {
    /// Twice as fine, from `side` nodes along each axis.
    pub(super) fn refined(&self, side: usize) -> Self {
        Self { uplift: halved(&self.uplift, side), erodibility: halved(&self.erodibility, side) }
    }
}

/// A grid with the means of neighbours put between them.
fn halved(coarse: &[f32], side: usize) -> Vec<f32> {
    let fine = 2 * side - 1;
    let value = |at: usize| {
        let (x, z) = (at % fine, at / fine);
        let row = |z: usize| coarse[z * side + x / 2] + coarse[z * side + x.div_ceil(2)];
        0.25 * (row(z / 2) + row(z.div_ceil(2)))
    };
    (0..fine * fine).map(value).collect()
}

/// A square grid of heights that drains over its border.
pub(super) struct Landscape {
    /// Nodes along a side.
    pub side: usize,
    /// Metres between nodes.
    pub cell: f32,
    /// Metres, row-major.
    pub heights: Vec<f32>,
    /// Drainage area of each node at the last step, in square metres.
    pub areas: Vec<f32>,
    /// Where each node stands, in cells from its grid place.
    pub offsets: Vec<Vec2>,
    pub receivers: Vec<u32>,
    /// Nodes from the ridges down.
    pub order: Vec<u32>,
    donors: Vec<u8>,
}

impl Landscape {
    /// A landscape at rest.
    pub(super) fn new(side: usize, cell: f32, heights: Vec<f32>) -> Self {
        let count = side * side;
        Self {
            side,
            cell,
            heights,
            areas: vec![0.0; count],
            offsets: offsets(side),
            receivers: vec![0; count],
            order: Vec::with_capacity(count),
            donors: vec![0; count],
        }
    }

    /// Advances by `steps` of time.
    pub(super) fn erode(&mut self, ground: &Ground, steps: u32) {
        for _ in 0..steps {
            self.route();
            self.accumulate();
            self.incise(ground);
        }
    }

    /// Chooses each node's receiver; a border node or a pit is its own.
    pub(super) fn route(&mut self) {
        let (side, heights, offsets) = (self.side, &self.heights, &self.offsets);
        self.receivers.par_chunks_exact_mut(side).enumerate().for_each(|(z, row)| {
            for (x, receiver) in row.iter_mut().enumerate() {
                let at = z * side + x;
                let border = x == 0 || z == 0 || x == side - 1 || z == side - 1;
                *receiver = if border { at } else { steepest(heights, offsets, side, at) } as u32;
            }
        });
    }

    /// Orders nodes from the ridges down, adding up areas.
    pub(super) fn accumulate(&mut self) {
        self.areas.fill(self.cell * self.cell);
        self.donors.fill(0);
        for (at, receiver) in self.receivers.iter().enumerate() {
            if *receiver as usize != at {
                self.donors[*receiver as usize] += 1;
            }
        }
        self.order.clear();
        self.order.extend((0..self.donors.len() as u32).filter(|at| self.donors[*at as usize] == 0));
        let mut next = 0;
        while let Some(at) = self.order.get(next).map(|at| *at as usize) {
            next += 1;
            let receiver = self.receivers[at] as usize;
            if receiver != at {
                self.areas[receiver] += self.areas[at];
                self.donors[receiver] -= 1;
                if self.donors[receiver] == 0 {
                    self.order.push(receiver as u32);
                }
            }
        }
    }

    /// Solves one step of time from the outlets upward.
    fn incise(&mut self, ground: &Ground) {
        let side = self.side;
        for at in self.order.iter().rev().map(|at| *at as usize) {
            let receiver = self.receivers[at] as usize;
            if receiver == at {
                self.heights[at] = self.lifted_pit(at);
                continue;
            }
            let distance = self.cell * distance(&self.offsets, side, at, receiver);
            let below = self.heights[receiver];
            let root = self.areas[at].sqrt();
            let cut = ground.erodibility[at] * (HILLSLOPE + root + root * root / RIVER) / distance;
            let solved = (self.heights[at] + ground.uplift[at] + cut * below) / (1.0 + cut);
            self.heights[at] = solved;
        }
    }

    fn lifted_pit(&self, at: usize) -> f32 {
        let (side, height) = (self.side, self.heights[at]);
        let (x, z) = (at % side, at / side);
        if x == 0 || z == 0 || x == side - 1 || z == side - 1 {
            return height;
        }
        let lowest =
            NEIGHBOURS.iter().map(|step| self.heights[neighbour(at, side, *step)]).fold(f32::MAX, f32::min);
        height.max(lowest + PIT_FILL)
    }
}

pub(super) fn neighbour(at: usize, side: usize, [dx, dz]: [i32; 2]) -> usize {
    at.wrapping_add_signed(dz as isize * side as isize + dx as isize)
}

/// Offsets of every node of a grid, in cells.
fn offsets(side: usize) -> Vec<Vec2> {
    let offset = |at: usize| {
        let place = IVec2::new((at % side) as i32, (at / side) as i32);
        let even = |seed: u32| unit(hash(place, seed + side as u32)) * 2.0 - 1.0;
        JITTER * Vec2::new(even(61), even(62))
    };
    (0..side * side).into_par_iter().map(offset).collect()
}

/// Cells from one node to a neighbour.
pub(super) fn distance(offsets: &[Vec2], side: usize, from: usize, to: usize) -> f32 {
    let along = |at: usize| Vec2::new((at % side) as f32, (at / side) as f32) + offsets[at];
    (along(to) - along(from)).length()
}

/// The neighbour with the steepest fall; the node itself where none is lower.
fn steepest(heights: &[f32], offsets: &[Vec2], side: usize, at: usize) -> usize {
    let (mut best, mut receiver) = (0.0, at);
    for [dx, dz] in NEIGHBOURS {
        let below = neighbour(at, side, [dx, dz]);
        let fall = heights[at] - heights[below];
        let way = Vec2::new(dx as f32, dz as f32) + offsets[below] - offsets[at];
        if fall > 0.0 && fall * fall > best * way.length_squared() {
            (best, receiver) = (fall * fall / way.length_squared(), below);
        }
    }
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eroded(steps: u32) -> Landscape {
        let side = 33;
        let heights = (0..side * side).map(|at| unit(hash(IVec2::splat(at as i32), 5)) * 40.0).collect();
        let mut landscape = Landscape::new(side, 100.0, heights);
        let ground = Ground { uplift: vec![20.0; side * side], erodibility: vec![0.1; side * side] };
        landscape.erode(&ground, steps);
        landscape
    }

    #[test]
    fn all_ground_drains_over_the_border_and_downhill() {
        let landscape = eroded(60);
        let outlets = (0..landscape.receivers.len()).filter(|at| landscape.receivers[*at] as usize == *at);
        let drained: f32 = outlets.map(|at| landscape.areas[at]).sum();
        assert_eq!(drained, 33.0 * 33.0 * 1.0e4);
        assert_eq!(landscape.order.len(), 33 * 33);
        for (at, receiver) in landscape.receivers.iter().enumerate() {
            assert!(landscape.heights[*receiver as usize] <= landscape.heights[at]);
        }
    }

    #[test]
    fn with_time_uplift_and_incision_come_to_balance() {
        let (early, late) = (eroded(400), eroded(401));
        let moved = early.heights.iter().zip(&late.heights).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(moved < 1.0, "{moved} m in a step that lifts 20 m");
    }
}
