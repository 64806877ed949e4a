//! The clipmap's decisions against values computed elsewhere, on the CPU.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::clipmap_cases::{clipmap_cases, compare, row};

use orograph::clipmap::{clipmap_level_at, clipmap_patches};

#[test]
fn oracle_clipmap_list_order_and_neighbours() {
    let Some(cases) = clipmap_cases() else { return };
    let mut whole = 0;
    for (number, case) in cases.iter().enumerate() {
        let origins: Vec<i32> = case.frame.origins.iter().flatten().copied().collect();
        assert_eq!(origins, case.origins, "case {number}");
        let ours: Vec<_> = clipmap_patches(&case.frame).iter().map(row).collect();
        compare(case, &ours).unwrap_or_else(|difference| panic!("case {number}: {difference}"));
        whole += usize::from(case.whole);
    }
    println!("{} cases, {whole} of them whole", cases.len());
    assert!(whole > 0, "at least one case compares the whole list");
}

#[test]
fn oracle_clipmap_level_at() {
    let Some(cases) = clipmap_cases() else { return };
    for (number, case) in cases.iter().enumerate().filter(|(_, case)| case.whole) {
        for row in &case.level_at {
            let level = clipmap_level_at(&case.frame, [row[0], row[1]]).map_or(-1, |level| level as i32);
            assert_eq!(level, row[2], "case {number}, cell {}, {}", row[0], row[1]);
        }
    }
}

#[test]
fn oracle_comparer_sees_a_wrong_neighbour() {
    let Some(cases) = clipmap_cases() else { return };
    let case = cases.iter().find(|case| case.whole && !case.rows.is_empty()).expect("a whole case");
    let mut wrong = case.rows.clone();
    wrong[0][6] ^= 2;
    assert!(compare(case, &wrong).is_err());
}
