use super::super::names::numbered;
use super::*;

/// A tile of an uneven ground, cut out from a column and row on.
fn piece(name: &str, [column, row]: [u32; 2], size: [u32; 2]) -> Piece {
    let height = |x: u32, z: u32| ((x * x + 3 * z) as f32).sin() + x as f32 + 2.0 * z as f32;
    let heights: Vec<f32> =
        (0..size[1]).flat_map(|z| (0..size[0]).map(move |x| height(column + x, row + z))).collect();
    Piece { name: numbered(name).expect("numbered"), size, edges: Edges::of(&heights, size[0] as usize) }
}

#[test]
fn shared_and_abutting_edges_are_told_apart() {
    let shared = [
        piece("t_x0_y0", [0, 0], [5, 4]),
        piece("t_x1_y0", [4, 0], [5, 4]),
        piece("t_x0_y1", [0, 3], [5, 4]),
    ];
    let layout = arrange(&shared).expect("laid out");
    assert_eq!(layout.firsts, [[0, 0], [4, 0], [0, 3]]);
    assert!(layout.told.contains("share their outer samples"), "{}", layout.told);
    let abutting = [piece("t_x3_y7", [0, 0], [5, 4]), piece("t_x4_y7", [5, 0], [2, 4])];
    let layout = arrange(&abutting).expect("laid out");
    assert_eq!(layout.firsts, [[0, 0], [5, 0]]);
    assert!(layout.told.contains("columns, then rows, rows rising to the south (the usual way)"));
}

#[test]
fn edges_tell_rows_from_the_south_and_rows_named_first() {
    let northward = [piece("t_x0_y1", [0, 0], [6, 6]), piece("t_x0_y0", [0, 6], [6, 6])];
    let layout = arrange(&northward).expect("laid out");
    assert_eq!(layout.firsts, [[0, 0], [0, 6]]);
    assert!(layout.told.contains("rising to the north (their edges fit so)"), "{}", layout.told);
    let row_first =
        [piece("0_0", [0, 0], [6, 6]), piece("0_1", [6, 0], [6, 6]), piece("1_0", [0, 6], [6, 6])];
    let layout = arrange(&row_first).expect("laid out");
    assert_eq!(layout.firsts, [[0, 0], [6, 0], [0, 6]]);
    assert!(layout.told.contains("rows, then columns"), "{}", layout.told);
}

#[test]
fn flat_edges_leave_it_to_the_size() {
    let flat = |name: &str, side: u32| Piece {
        name: numbered(name).expect("numbered"),
        size: [side; 2],
        edges: Edges::of(&vec![0.0; (side * side) as usize], side as usize),
    };
    for (side, first) in [(5, 4), (4, 4), (9, 8), (10, 10)] {
        let layout = arrange(&[flat("t_0_0", side), flat("t_1_0", side)]).expect("laid out");
        assert_eq!(layout.firsts, [[0, 0], [first, 0]], "{side}");
    }
}

#[test]
fn names_that_do_not_fit_are_refused() {
    let told = |pieces: &[Piece]| arrange(pieces).expect_err("refused").to_string();
    let tile = |name: &str| piece(name, [0, 0], [4, 4]);
    assert!(told(&[tile("a_0_0"), tile("b_0_1")]).contains("two series, \"a_…\" and \"b_…\""));
    assert!(told(&[tile("a_0_0"), tile("a_x0_y1")]).contains("two series"));
    assert!(told(&[tile("a_0_0"), tile("a_00_0")]).contains("two tiles numbered 0, 0"));
    assert!(told(&[tile("a_0_0"), tile("a_0_9999")]).contains("4096"));
    assert!(told(&[tile("a_0_0"), piece("a_0_1", [0, 4], [5, 5])]).contains("4 and of 5 samples"));
}

#[test]
fn a_missing_tile_leaves_its_room() {
    let tiles = [piece("t_x0_y0", [0, 0], [4, 4]), piece("t_x2_y0", [8, 0], [4, 4])];
    assert_eq!(arrange(&tiles).expect("laid out").firsts, [[0, 0], [8, 0]]);
}
