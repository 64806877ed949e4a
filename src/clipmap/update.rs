//! What a level's texture has to be given when its window moves: the newly exposed strips and nothing else.

use super::Window;
use crate::source::LatticeRect;

/// One upload: a rectangle of lattice indices that does not wrap, and the texel where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strip {
    /// Lattice indices.
    pub rect: LatticeRect,
    /// Texel of the first index.
    pub texel: [u32; 2],
}

/// The strips that turn a texture of `side` texels holding `held` into one holding `wanted`.
///
/// The exposed part is cut into at most four rectangles about the part that is kept, and each of them at the texture's edge.
pub fn strips(held: Option<Window>, wanted: Window, side: u32) -> Vec<Strip> {
    let exposed = match held {
        Some(window) => subtract(wanted.rect, window.rect),
        None => vec![wanted.rect],
    };
    exposed
        .into_iter()
        .filter(|rect| rect.count() > 0)
        .flat_map(|rect| cut_at_edges(rect, side as i32))
        .collect()
}

/// `whole` without `part`, as rectangles that do not overlap: above and below in full width, left and right between.
fn subtract(whole: LatticeRect, part: LatticeRect) -> Vec<LatticeRect> {
    let min = [0, 1].map(|axis| whole.min[axis].max(part.min[axis]));
    let max = [0, 1].map(|axis| whole.max[axis].min(part.max[axis]));
    if min[0] >= max[0] || min[1] >= max[1] {
        return vec![whole];
    }
    vec![
        LatticeRect { min: whole.min, max: [whole.max[0], min[1]] },
        LatticeRect { min: [whole.min[0], max[1]], max: whole.max },
        LatticeRect { min: [whole.min[0], min[1]], max: [min[0], max[1]] },
        LatticeRect { min: [max[0], min[1]], max: [whole.max[0], max[1]] },
    ]
}

fn cut_at_edges(rect: LatticeRect, side: i32) -> Vec<Strip> {
    let runs = [0, 1].map(|axis| runs(rect.min[axis], rect.max[axis], side));
    let mut cut = Vec::new();
    for &(z0, z1) in &runs[1] {
        for &(x0, x1) in &runs[0] {
            let texel = [x0.rem_euclid(side) as u32, z0.rem_euclid(side) as u32];
            cut.push(Strip { rect: LatticeRect { min: [x0, z0], max: [x1, z1] }, texel });
        }
    }
    cut
}

/// Half-open runs that do not cross a multiple of `side`.
fn runs(min: i32, max: i32, side: i32) -> Vec<(i32, i32)> {
    let mut cut = Vec::new();
    let mut start = min;
    while start < max {
        let end = ((start.div_euclid(side) + 1) * side).min(max);
        cut.push((start, end));
        start = end;
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    const SIDE: i32 = 24;

    fn window() -> impl Strategy<Value = Window> {
        (-60..60, -60..60, 0..=SIDE, 0..=SIDE)
            .prop_map(|(x, z, w, d)| Window { rect: LatticeRect { min: [x, z], max: [x + w, z + d] } })
    }

    /// The index held by each texel, as a texture would know it.
    fn upload(texels: &mut HashMap<[u32; 2], [i32; 2]>, strips: &[Strip]) -> usize {
        let mut count = 0;
        for strip in strips {
            let [w, d] = strip.rect.size();
            assert!(strip.texel[0] + w <= SIDE as u32 && strip.texel[1] + d <= SIDE as u32, "no strip wraps");
            for (dz, dx) in (0..d).flat_map(|dz| (0..w).map(move |dx| (dz, dx))) {
                let index = [strip.rect.min[0] + dx as i32, strip.rect.min[1] + dz as i32];
                texels.insert([strip.texel[0] + dx, strip.texel[1] + dz], index);
                count += 1;
            }
        }
        count
    }

    proptest! {
        #[test]
        fn after_any_walk_each_texel_holds_its_index(walk in proptest::collection::vec(window(), 1..8)) {
            let (mut texels, mut held) = (HashMap::new(), None);
            for wanted in walk {
                let count = upload(&mut texels, &strips(held, wanted, SIDE as u32));
                let kept = held.map_or(0, |h: Window| wanted.rect.count() - subtract(wanted.rect, h.rect).iter().map(LatticeRect::count).sum::<usize>());
                prop_assert_eq!(count, wanted.rect.count() - kept);
                for z in wanted.rect.min[1]..wanted.rect.max[1] {
                    for x in wanted.rect.min[0]..wanted.rect.max[0] {
                        let texel = [x.rem_euclid(SIDE) as u32, z.rem_euclid(SIDE) as u32];
                        prop_assert_eq!(texels.get(&texel), Some(&[x, z]));
                    }
                }
                held = Some(wanted);
            }
        }
    }

    #[test]
    fn a_window_that_stays_uploads_nothing() {
        let window = Window { rect: LatticeRect { min: [5, -3], max: [20, 15] } };
        assert!(strips(Some(window), window, SIDE as u32).is_empty());
    }

    #[test]
    fn a_move_uploads_only_what_it_exposes() {
        let at = |x| Window { rect: LatticeRect { min: [x, 0], max: [x + 20, 20] } };
        let count: usize =
            strips(Some(at(0)), at(2), SIDE as u32).iter().map(|strip| strip.rect.count()).sum();
        assert_eq!(count, 2 * 20);
    }
}
