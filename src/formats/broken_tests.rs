//! Small grids of the simple formats with each byte changed and each tail cut off: whatever is wrong, the
//! answer is a grid or one line.

use super::test_files::TestFolder;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Names and whole files of 2×2 samples.
fn whole_files() -> Vec<(&'static str, Vec<u8>)> {
    let floats = |order: fn(f32) -> [u8; 4]| [1.0, 2.5, -3.0, 4.0].map(order).concat();
    let doubles = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let terragen = [
        b"TERRAGENTERRAIN SIZE\x01\0\0\0".as_slice(),
        b"SCAL\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f",
        b"ALTW\x08\0\x01\0\x01\0\x02\0\x03\0\x04\0",
    ];
    let surfer_6 = [
        b"DSBB\x02\0\x02\0".as_slice(),
        &doubles(&[10.0, 12.0, 20.0, 23.0, 1.0, 4.0]),
        &floats(f32::to_le_bytes),
    ];
    let surfer_7 = [
        b"DSRB\x04\0\0\0\x01\0\0\0GRID\x48\0\0\0\x02\0\0\0\x02\0\0\0".as_slice(),
        &doubles(&[10.0, 20.0, 2.0, 3.0, 1.0, 4.0, 0.0, 1.70141e38]),
        b"DATA\x20\0\0\0",
        &doubles(&[1.0, 2.5, -3.0, 4.0]),
    ];
    let gtx_header = [42.0_f64, 276.0, 0.5, 0.5].map(f64::to_be_bytes).concat();
    let mut bt = b"binterr1.3\x02\0\0\0\x02\0\0\0\x04\0\x01\0\x01\0\x21\0\xb6\x18".to_vec();
    bt.extend(doubles(&[10.0, 14.0, 20.0, 26.0]));
    bt.resize(256, 0);
    let kro = b"KRO\x01\0\0\0\x02\0\0\0\x02\0\0\0\x20\0\0\0\x01";
    let numpy = b"\x93NUMPY\x01\0\x3a\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}\n";
    vec![
        ("a.ter", terragen.concat()),
        ("a.grd", b"DSAA\n2 2\n10 12\n20 23\n1 4\n1 2.5\n-3 4\n".to_vec()),
        ("b.grd", surfer_6.concat()),
        ("c.grd", surfer_7.concat()),
        ("a.gtx", [gtx_header.as_slice(), &[0, 0, 0, 2, 0, 0, 0, 2], &floats(f32::to_be_bytes)].concat()),
        ("a.pgm", b"P5 2 2 999\n\0\x01\0\x02\0\x03\0\x04".to_vec()),
        ("b.pgm", b"P2\n2 2 999\n1 2 3 4\n".to_vec()),
        ("a.pfm", [b"Pf\n2 2\n-1\n".as_slice(), &floats(f32::to_le_bytes)].concat()),
        ("a.npy", [numpy.as_slice(), &floats(f32::to_le_bytes)].concat()),
        ("a.xyz", b"x y z\n0 1 1\n1 1 2.5\n0 0 -3\n1 0 4\n".to_vec()),
        ("a.bt", [bt, floats(f32::to_le_bytes)].concat()),
        ("a.kro", [kro.as_slice(), &floats(f32::to_be_bytes)].concat()),
        ("a.txt", b"north: 4\nsouth: 0\neast: 4\nwest: 0\nrows: 2\ncols: 2\n1 2.5\n* 4\n".to_vec()),
        ("a.dt0", dted()),
        ("a.dem", usgs_dem()),
        ("a.dat", b"@a, GRID, 2\n9, 1E30, , 3, 1\n2, 2, 0, 4, 0, 4\n0, 0, 0\n@\n1 2.5 -3 4\n".to_vec()),
    ]
}

/// A cell of DTED.
fn dted() -> Vec<u8> {
    let label = format!("{:47}00020002{:25}", "UHL10800000W0430000N03000300", "");
    let column = |index: u8| [[0xaa, 0, 0, index], [0, index, 0, 0], [0, 1, 0x80, 2], [0; 4]].concat();
    [format!("{label}{:3348}", "").into_bytes(), column(0), column(1)].concat()
}

/// A quadrangle of USGS.
fn usgs_dem() -> Vec<u8> {
    let corners = [100, 210, 100, 240, 130, 240, 130, 210].map(|number| format!("{number:24}")).concat();
    let head = format!("{:144}{:6}{:6}{:6}{:6}{:360}{:6}{:6}{:6}", "", 1, 1, 1, 11, "", 2, 2, 4);
    let header = format!("{head}{corners}{:78}{:12}{:12}{:12}{:6}{:6}", "", 30, 30, 1, 1, 2);
    let profile = |column| {
        format!("{:6}{column:6}{:6}{:6}{:24}{:24}{:24}{:48}{:6}{:6}", 1, 2, 1, 100, 210, 0, "", 7, -9)
    };
    [header, profile(1), profile(2)].map(|record| format!("{record:1024}")).concat().into_bytes()
}

/// Names and contents of headers and of the 2×2 samples that they describe.
fn whole_pairs() -> Vec<([&'static str; 2], [Vec<u8>; 2])> {
    let esri = "NROWS 2\nNCOLS 2\nNBANDS 1\nNBITS 16\nPIXELTYPE S\nBYTEORDER M\nLAYOUT BIL\nSKIPBYTES 1\n\
        BANDROWBYTES 5\nTOTALROWBYTES 5\nULXMAP 1\nULYMAP 2\nXDIM 3\nYDIM 4\nNODATA -9\n";
    let envi = "ENVI\nsamples = 2\nlines = 2\nbands = 2\ninterleave = bip\ndata type = 1\nbyte order = 1\n\
        header offset = 1\nfile compression = 1\ndata gain values = {2, 3}\n\
        map info = {UTM, 1, 1, 10, 20, 3, 3, 11, North, WGS-84, rotation=9}\n";
    let roi_pac =
        "WIDTH 2\nFILE_LENGTH 2\nX_FIRST 1\nX_STEP 1\nY_FIRST 1\nY_STEP -1\nPROJECTION UTM9\nZ_SCALE 2\n";
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&[9; 9]).expect("packed");
    vec![
        (["a.hdr", "a.bil"], [esri.into(), vec![7; 11]]),
        (["b.hdr", "b.dat"], [envi.into(), gzip.finish().expect("packed")]),
        (["c.dem.rsc", "c.dem"], [roi_pac.into(), vec![7; 8]]),
    ]
}

/// Every file that comes of a change of one byte, or of an end that is cut off. Blanks among blanks are padding and stay.
fn broken(good: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let matters = |at: &usize| good.get(at.saturating_sub(1)..at + 2) != Some(b"   ".as_slice());
    (0..good.len()).filter(matters).flat_map(move |at| {
        let changed = [0, b'9', 0xff].map(|value| {
            let mut bad = good.to_vec();
            bad[at] = value;
            bad
        });
        changed.into_iter().chain([good[..at].to_vec()])
    })
}

/// Holds that a file is a grid or one line.
fn check(folder: &TestFolder, name: &str, content: &[u8]) {
    match folder.read(name, content) {
        Ok(raster) => {
            let [width, depth] = raster.size.map(u64::from);
            assert_eq!(raster.heights.len() as u64, width * depth, "{name}");
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{name}: {error}"),
    }
}

#[test]
fn every_byte_of_a_small_grid_may_be_wrong() {
    let folder = TestFolder::new();
    for (name, good) in whole_files() {
        let raster = folder.read(name, &good).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(raster.size, [2, 2], "{name}");
        broken(&good).for_each(|bad| check(&folder, name, &bad));
    }
}

#[test]
fn every_byte_of_a_header_or_of_its_samples_may_be_wrong() {
    let folder = TestFolder::new();
    for ([header_name, samples_name], [header, samples]) in whole_pairs() {
        folder.write(header_name, &header);
        let raster = folder.read(samples_name, &samples).unwrap_or_else(|e| panic!("{samples_name}: {e}"));
        assert_eq!(raster.size, [2, 2], "{samples_name}");
        broken(&samples).for_each(|bad| check(&folder, samples_name, &bad));
        folder.write(samples_name, &samples);
        broken(&header).for_each(|bad| check(&folder, header_name, &bad));
    }
}
