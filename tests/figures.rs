//! Where the table of figures goes in the README, and its date. The table itself: `cargo bench --bench table`.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

#[path = "../benches/table/block.rs"]
mod block;
#[path = "../benches/table/date.rs"]
mod date;

use block::with_block;

const README: &str = "# Name\n\n## Figures\n\nHow they are taken.\n\n## Licence\n\nFree.\n";

#[test]
fn each_adapter_keeps_its_own_figures() {
    let one = with_block(README, "A, Cpu", "old").expect("a section");
    let two = with_block(&one, "B, DiscreteGpu", "| b |").expect("a section");
    let new = with_block(&two, "A, Cpu", "new\n").expect("a section");
    assert_eq!(
        new,
        "# Name\n\n## Figures\n\nHow they are taken.\n\n\
         <!-- figures: A, Cpu -->\n\nnew\n\n<!-- end of figures -->\n\n\
         <!-- figures: B, DiscreteGpu -->\n\n| b |\n\n<!-- end of figures -->\n\n\
         ## Licence\n\nFree.\n"
    );
    assert_eq!(with_block(&new, "A, Cpu", "new").as_ref(), Some(&new), "twice is as once");
}

#[test]
fn a_section_at_the_end_is_filled_and_a_file_without_one_is_left() {
    let found = with_block("# Name\n\n## Figures\n", "A", "a").expect("a section");
    assert_eq!(found, "# Name\n\n## Figures\n\n<!-- figures: A -->\n\na\n\n<!-- end of figures -->\n");
    assert_eq!(with_block("# Name\n\n## Licence\n", "A", "a"), None);
}

#[test]
fn days_are_counted_through_leap_years() {
    let found = [0, 58, 59, 789, 11_016, 11_017, 20_454].map(date::date);
    let expected =
        ["1970-01-01", "1970-02-28", "1970-03-01", "1972-02-29", "2000-02-29", "2000-03-01", "2026-01-01"];
    assert_eq!(found, expected);
    assert!(date::today().as_str() > "2026");
}
