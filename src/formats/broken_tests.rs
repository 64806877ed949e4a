//! Small grids of the simple formats with each byte changed and each tail cut off: whatever is wrong, the
//! answer is a grid or one line.

use super::test_files::TestFolder;

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
        ("a.dat", b"@a, GRID, 2\n9, 1E30, , 3, 1\n2, 2, 0, 4, 0, 4\n0, 0, 0\n@\n1 2.5 -3 4\n".to_vec()),
    ]
}

#[test]
fn every_byte_of_a_small_grid_may_be_wrong() {
    let folder = TestFolder::new();
    for (name, good) in whole_files() {
        let raster = folder.read(name, &good).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(raster.size, [2, 2], "{name}");
        for at in 0..good.len() {
            for value in [0, b'9', 0xff] {
                let mut bad = good.clone();
                bad[at] = value;
                if let Ok(raster) = folder.read(name, &bad) {
                    let [width, depth] = raster.size.map(u64::from);
                    assert_eq!(raster.heights.len() as u64, width * depth, "{name} {at} {value}");
                }
            }
            if let Err(error) = folder.read(name, &good[..at]) {
                assert!(!error.to_string().contains('\n'), "{name} {at}: {error}");
            }
        }
    }
}
