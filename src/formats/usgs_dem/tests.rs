use super::*;
use crate::formats::raster::Raster;
use crate::formats::test_files::{TestFolder, message};

struct Dem {
    system: i64,
    units: [i64; 2],
    corners: [[f64; 2]; 4],
    step: [f64; 3],
    profiles: i64,
}

impl Dem {
    /// A square of 60 m about (100, 200), in steps of 30 m.
    fn utm() -> Self {
        let corners = [[100.0, 200.0], [100.0, 260.0], [130.0, 260.0], [130.0, 200.0]];
        Self { system: 1, units: [2, 2], corners, step: [30.0, 30.0, 1.0], profiles: 2 }
    }

    fn header(&self) -> Vec<u8> {
        let mut text = format!("{:144}{:6}{:6}{:6}{:6}{:360}", "A HILL", 1, 1, self.system, 11, "");
        text += &format!("{:6}{:6}{:6}", self.units[0], self.units[1], 4);
        text += &self.corners.iter().flatten().map(|number| fortran(*number)).collect::<String>();
        text += &format!("{}{}{}{:6}", fortran(0.0), fortran(0.0), fortran(0.0), 0);
        text += &self.step.map(|step| format!("{:>12}", format!("{step:.5E}"))).concat();
        text += &format!("{:6}{:6}{:26}{:>2}", 1, self.profiles, "", 4);
        padded(&text)
    }
}

fn fortran(number: f64) -> String {
    format!("{:>24}", format!("{number:.15E}").replace('E', "D"))
}

fn padded(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(bytes.len().next_multiple_of(RECORD), b' ');
    bytes
}

fn profile(column: i64, x: f64, y: f64, datum: f64, values: &[i64]) -> Vec<u8> {
    let mut text =
        format!("{:6}{column:6}{:6}{:6}{}{}{}", 1, values.len(), 1, fortran(x), fortran(y), fortran(datum));
    text = format!("{text:144}");
    for value in values {
        // A record holds whole values: its last four bytes are blank.
        if text.len() % RECORD == 1020 {
            text += "    ";
        }
        text += &format!("{value:6}");
    }
    padded(&text)
}

fn read_dem(parts: &[Vec<u8>]) -> Raster {
    TestFolder::new().read("a.dem", &parts.concat()).expect("read")
}

/// Heights with -1 for empties.
fn heights(raster: &Raster) -> Vec<f32> {
    raster.heights.iter().map(|height| if height.is_nan() { -1.0 } else { *height }).collect()
}

#[test]
fn profiles_rise_northward_on_rows_of_whole_steps() {
    let raster = read_dem(&[
        Dem::utm().header(),
        profile(1, 100.0, 200.0, 0.0, &[1, 2, 3]),
        profile(2, 130.0, 230.0, 0.0, &[5, -32767]),
    ]);
    // Rows at 270, 240, 210 and 180; the profiles' y round to 210 and 240.
    assert_eq!(raster.size, [2, 4]);
    assert_eq!(heights(&raster), [3.0, -1.0, 2.0, 5.0, 1.0, -1.0, -1.0, -1.0]);
    assert_eq!(raster.facts.geotransform, Some([85.0, 30.0, 0.0, 285.0, 0.0, -30.0]));
    assert_eq!(raster.facts.crs.and_then(|crs| crs.epsg), Some(26_911));
    assert_eq!(raster.facts.sample_type, "i16");
}

#[test]
fn degrees_feet_fine_heights_and_a_local_datum() {
    let corners = [[3600.0, 7200.0], [3600.0, 7206.0], [3603.0, 7206.0], [3603.0, 7200.0]];
    let dem = Dem { system: 0, units: [3, 1], corners, step: [3.0, 3.0, 0.1], profiles: 1 };
    let raster = read_dem(&[dem.header(), profile(1, 3600.0, 7200.0, 100.0, &[0, 5, -32767])]);
    assert_eq!(heights(&raster), [-1.0, 100.5, 100.0]);
    assert_eq!((raster.facts.sample_type.as_str(), raster.unit_m), ("f32", 0.3048));
    let transform = raster.facts.geotransform.expect("placed");
    assert!(
        (transform[0] - (1.0 - 1.5 / 3600.0)).abs() < 1e-12
            && (transform[3] - (2.0 + 7.5 / 3600.0)).abs() < 1e-12
    );
    assert_eq!(raster.facts.crs.and_then(|crs| crs.epsg), Some(4269));
}

#[test]
fn line_feeds_after_records_long_profiles_and_values_that_touch() {
    let values: Vec<i64> = (0..300).map(|index| if index % 2 == 0 { -20_000 } else { index }).collect();
    let mut dem = Dem::utm();
    dem.corners = [[100.0, 210.0], [100.0, 9180.0], [130.0, 9180.0], [130.0, 210.0]];
    let parts = [dem.header(), profile(1, 100.0, 210.0, 0.0, &values), profile(2, 130.0, 210.0, 0.0, &[7])];
    let lines: Vec<Vec<u8>> = parts.concat().chunks(RECORD).map(|record| [record, b"\n"].concat()).collect();
    for parts in [&parts[..], &lines[..]] {
        let raster = read_dem(parts);
        assert_eq!((raster.size, raster.facts.statistics.valid), ([2, 300], 301));
        assert_eq!((raster.heights[0], raster.heights[599]), (299.0, 7.0));
    }
}

#[test]
fn lines_that_are_no_records_and_a_header_that_is_a_line() {
    let mut dem = Dem::utm();
    dem.step[2] = 0.5;
    let line = |column, values: &[i64]| {
        let text = String::from_utf8(profile(column, 100.0, 210.0, 0.5, values)).expect("text");
        format!("{}\n", text.trim_end())
    };
    let header = [&dem.header()[..892], b"\n"].concat();
    let text = [line(1, &[1, -32767, 3]), line(2, &[4, 5])].concat();
    let raster = read_dem(&[header, text.into_bytes()]);
    assert_eq!(raster.size, [2, 4]);
    // Rows at 270, 240, 210 and 180; both profiles begin at 210.
    assert_eq!(heights(&raster), [2.0, -1.0, -1.0, 3.0, 1.0, 2.5, -1.0, -1.0]);
}

#[test]
fn feet_of_heights_are_floats_and_feet_of_state_planes_the_surveys() {
    let dem = Dem { system: 2, units: [1, 1], ..Dem::utm() };
    let raster = read_dem(&[dem.header(), profile(1, 100.0, 210.0, 0.0, &[1])]);
    assert_eq!((raster.facts.sample_type.as_str(), raster.unit_m), ("f32", 0.3048));
    assert!((raster.spacing_m[0] - 30.0 * 1200.0 / 3937.0).abs() < 1e-12, "{:?}", raster.spacing_m);
    assert_eq!(raster.facts.crs.map(|crs| crs.name).as_deref(), Some("state plane zone 11"));
}

#[test]
fn a_file_that_ends_early_is_read_as_far_as_it_goes() {
    let whole = [Dem::utm().header(), profile(1, 100.0, 210.0, 0.0, &[1, 2])];
    let raster = read_dem(&whole);
    assert_eq!(raster.facts.statistics.valid, 2);
    assert!(raster.facts.warnings.iter().any(|warning| warning.text.contains("1 of 2 profiles")));
}

#[test]
fn malformed_files_are_refused() {
    let folder = TestFolder::new();
    let refused = |bytes: &[u8]| message(folder.read("a.dem", bytes));
    let header = Dem::utm().header();
    assert!(refused(&header).contains("no profile after the header"));
    let good = [header, profile(1, 100.0, 210.0, 0.0, &[1, 2])].concat();
    let with = |at: usize, text: &str| {
        let mut bytes = good.clone();
        bytes[at..at + text.len()].copy_from_slice(text.as_bytes());
        bytes
    };
    assert!(refused(&with(858, "     0")).contains("number of profiles"));
    let mut tall = with(858, "999999");
    tall[618..642].copy_from_slice(fortran(30_000_000.0).as_bytes());
    let told = refused(&tall);
    assert!(told.contains("999999×") && told.contains("samples in"), "{told}");
    assert!(refused(&with(828, " 0.00000E+00")).contains("step along profiles"));
    assert!(refused(&with(828, " 1.00000E-99")).contains("corners"));
    assert!(refused(&with(546, "                     nan")).contains("corner"));
}
