use super::*;
use crate::formats::Raster;
use crate::formats::geotiff::test_tiff::{TestTiff, Values};
use crate::formats::test_files::{TestFolder, message};
use crate::terrain::is_empty;

/// A document of one float band.
fn document(size: [u32; 2], band: &str) -> String {
    let [width, depth] = size;
    format!(
        "<VRTDataset rasterXSize=\"{width}\" rasterYSize=\"{depth}\">\
         <GeoTransform> 500, 10, 0, 900, 0, -10</GeoTransform>\
         <VRTRasterBand dataType=\"Float32\" band=\"1\">{band}</VRTRasterBand></VRTDataset>"
    )
}

/// A source from a file beside the document: the part that is taken and the part that it fills, each x, y, width, depth.
fn source(kind: &str, file: &str, from: [f64; 4], to: [f64; 4], more: &str) -> String {
    let rect = |name: &str, [x, y, width, depth]: [f64; 4]| {
        format!("<{name} xOff=\"{x}\" yOff=\"{y}\" xSize=\"{width}\" ySize=\"{depth}\"/>")
    };
    format!(
        "<{kind}><SourceFilename relativeToVRT=\"1\">{file}</SourceFilename>{}{}{more}</{kind}>",
        rect("SrcRect", from),
        rect("DstRect", to)
    )
}

fn simple(file: &str, from: [f64; 4], to: [f64; 4]) -> String {
    source("SimpleSource", file, from, to, "")
}

/// A folder with a.tif, 1 … 6 in two rows of three, and b.tif, 10 … 40 in two rows of two with an empty 30.
fn folder() -> TestFolder {
    let folder = TestFolder::new();
    folder.write("a.tif", &TestTiff::floats([3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).bytes());
    let b = TestTiff::floats([2, 2], &[10.0, 20.0, 30.0, 40.0]).with(42113, Values::Text("30".into()));
    folder.write("b.tif", &b.bytes());
    folder
}

fn read_band(band: &str, size: [u32; 2]) -> Result<Raster> {
    folder().read("a.vrt", document(size, band).as_bytes())
}

const A: [f64; 4] = [0.0, 0.0, 3.0, 2.0];
const B: [f64; 4] = [0.0, 0.0, 2.0, 2.0];

#[test]
fn parts_lie_where_they_are_put_and_later_ones_on_top() {
    let band = simple("a.tif", A, [0.0, 0.0, 3.0, 2.0]) + &simple("b.tif", B, [2.0, 0.0, 2.0, 2.0]);
    let raster = read_band(&band, [4, 2]).expect("read");
    assert_eq!(raster.heights, [1.0, 2.0, 10.0, 20.0, 4.0, 5.0, 6.0, 40.0]);
    let facts = &raster.facts;
    assert_eq!((facts.format.as_str(), facts.sample_type.as_str()), ("GDAL virtual raster", "f32"));
    assert_eq!(facts.geotransform, Some([500.0, 10.0, 0.0, 900.0, 0.0, -10.0]));
    let names: Vec<String> = facts.files.iter().map(|file| super::super::mosaic::name(file)).collect();
    assert_eq!(names, ["a.vrt", "b.tif", "a.tif"]);
    assert!(facts.assumptions.iter().any(|text| text == "Put together of b.tif, a.tif."), "{facts:?}");
}

#[test]
fn windows_of_one_file_and_places_partly_outside() {
    let band = simple("a.tif", [1.0, 0.0, 2.0, 1.0], [0.0, 1.0, 2.0, 1.0])
        + &simple("a.tif", A, [-1.0, 0.0, 3.0, 2.0]).replace("Simple", "Complex");
    let raster = read_band(&band, [2, 2]).expect("read");
    assert_eq!(raster.heights, [2.0, 3.0, 5.0, 6.0]);
    let beyond = simple("a.tif", [2.0, 1.0, 3.0, 3.0], [0.0, 0.0, 3.0, 3.0]);
    let raster = read_band(&beyond, [3, 3]).expect("read");
    assert_eq!((raster.heights[0], raster.facts.statistics.valid), (6.0, 1));
}

#[test]
fn values_are_scaled_by_source_and_by_band_and_tested_for_emptiness_between() {
    let more = "<NODATA>2</NODATA><ScaleRatio>10</ScaleRatio><ScaleOffset>1</ScaleOffset>";
    let band = format!(
        "<NoDataValue>41</NoDataValue><UnitType>ft</UnitType><Scale>0.5</Scale><Offset>3</Offset>{}",
        source("ComplexSource", "a.tif", A, A, more)
    );
    let raster = read_band(&band, [3, 2]).expect("read");
    assert!(is_empty(raster.heights[1]) && is_empty(raster.heights[3]));
    assert_eq!([0, 2, 4, 5].map(|k| raster.heights[k]), [8.5, 18.5, 28.5, 33.5]);
    let facts = &raster.facts;
    assert_eq!((facts.unit_m, facts.scale, facts.offset), (0.3048, 0.5, 3.0));
    assert_eq!((facts.statistics.raw_min, facts.statistics.raw_max), (Some(11.0), Some(61.0)));
}

#[test]
fn a_stretched_source_has_slopes_and_no_steps() {
    let band = simple("a.tif", A, [0.0, 0.0, 12.0, 8.0]);
    let raster = read_band(&band, [12, 8]).expect("read");
    for (k, height) in raster.heights.iter().enumerate() {
        let (column, row) = ((k % 12) as f32, (k / 12) as f32);
        let expected = 1.0 + ((column + 0.5) / 4.0 - 0.5) + 3.0 * ((row + 0.5) / 4.0 - 0.5);
        assert!((height - expected).abs() < 1e-5, "{height} for {expected} at {column}, {row}");
    }
    assert!(
        raster.facts.assumptions.iter().any(|text| text.contains("off their own triangles, not by nearest"))
    );
}

#[test]
fn documents_may_hold_documents_but_not_themselves() {
    let folder = folder();
    folder.write("inner.vrt", document([3, 2], &simple("a.tif", A, A)).as_bytes());
    let outer = document([3, 2], &simple("inner.vrt", A, A));
    let raster = folder.read("outer.vrt", outer.as_bytes()).expect("read");
    assert_eq!(raster.heights, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    folder.write("inner.vrt", document([3, 2], &simple("outer.vrt", A, A)).as_bytes());
    let told = message(folder.read("outer.vrt", outer.as_bytes()));
    assert!(told.contains("a .vrt that is made of itself"), "{told}");
    for number in 0..12 {
        let text = document([3, 2], &simple(&format!("{}.vrt", number + 1), A, A));
        folder.write(&format!("{number}.vrt"), text.as_bytes());
    }
    let told = message(folder.read("outer.vrt", document([3, 2], &simple("0.vrt", A, A)).as_bytes()));
    assert!(told.contains("more than 8 .vrt within one another"), "{told}");
}

#[test]
fn a_band_is_chosen_and_a_system_is_taken() {
    let text = "<?xml version=\"1.0\"?>\n<!-- made -->\n<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\">\
        <SRS>GEOGCS[\"WGS 84\",UNIT[\"degree\",0.0174],AUTHORITY[\"EPSG\",\"4326\"]]</SRS>\
        <Metadata><MDI key=\"AREA_OR_POINT\">Point</MDI></Metadata>\
        <VRTRasterBand dataType=\"Byte\" band=\"1\"/><VRTRasterBand dataType=\"Int16\" band=\"2\"><SimpleSource>\
        <SourceFilename relativeToVRT=\"1\">b.tif</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>";
    let band = |band| ReadOptions { band: Some(band), ..ReadOptions::default() };
    let raster = folder().read_with("a.vrt", text.as_bytes(), &band(2)).expect("read");
    assert_eq!(raster.heights[..2], [10.0, 20.0]);
    assert_eq!((raster.facts.sample_type.as_str(), raster.facts.band), ("i16", 2));
    assert_eq!(raster.facts.pixel_is, PixelIs::Point);
    assert_eq!(raster.facts.crs.as_ref().and_then(|crs| crs.epsg), Some(4326));
    assert!(message(folder().read("a.vrt", text.as_bytes())).contains("a band without sources"));
    let error = folder().read_with("a.vrt", text.as_bytes(), &band(3)).expect_err("refused");
    assert_eq!(error.exit_code(), 2, "{error}");
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let refused = |band: &str| message(read_band(band, [3, 2]));
    let plain = simple("a.tif", A, A);
    for (from, to, told) in [
        ("SimpleSource", "KernelFilteredSource", "a source of the kind KernelFilteredSource"),
        ("</SimpleSource>", "<LUT>0:1</LUT></SimpleSource>", "a source with LUT"),
        ("a.tif", "/vsicurl/https://a/b.tif", "a source at /vsicurl"),
        ("a.tif", "c.tif", "c.tif: no such file"),
        ("xSize=\"3\"", "xSize=\"-3\"", "SrcRect of -3×2"),
        ("xSize=\"3\"", "xSize=\"nan\"", "SrcRect with xSize \"nan\""),
        (
            "yOff=\"0\" xSize=\"3\" ySize=\"2\"/><D",
            "yOff=\"0\" xSize=\"1e-320\" ySize=\"2\"/><D",
            "out of range",
        ),
    ] {
        let found = refused(&plain.replace(from, to));
        assert!(found.contains(told), "{found}");
    }
    let whole = document([3, 2], &plain);
    for (from, to, told) in [
        ("<VRTDataset ", "<VRTDataset subClass=\"VRTWarpedDataset\" ", "a .vrt of the kind VRTWarpedDataset"),
        ("band=\"1\"", "subClass=\"VRTDerivedRasterBand\"", "a band of the kind VRTDerivedRasterBand"),
        ("Float32", "CFloat32", "a band of CFloat32"),
        ("500, 10", "500; 10", "GeoTransform that is not six numbers"),
        ("rasterXSize=\"3\"", "rasterXSize=\"-3\"", "rasterXSize \"-3\""),
        ("rasterXSize=\"3\"", "rasterXSize=\"4000000000\"", "4000000000×2 samples"),
        ("</VRTDataset>", "", "no whole XML"),
    ] {
        let found = message(folder().read("a.vrt", whole.replacen(from, to, 1).as_bytes()));
        assert!(found.contains(told), "{found}");
    }
}

#[test]
fn documents_that_ask_for_too_much_are_refused() {
    let vast = document([30_000, 30_000], &simple("a.tif", A, A));
    assert!(message(folder().read("a.vrt", vast.as_bytes())).contains("of which tiles hold"));
    let stretched = document([30_000, 30_000], &simple("a.tif", A, [0.0, 0.0, 3e4, 3e4]));
    assert!(message(folder().read("a.vrt", stretched.as_bytes())).contains("of which tiles hold"));
    let bomb = format!("<!DOCTYPE a [<!ENTITY b \"bbbb\">]>{}", document([3, 2], "&b;"));
    assert!(folder().read("a.vrt", bomb.as_bytes()).is_err());
    let deep = document([3, 2], &("<a>".repeat(100_000) + &"</a>".repeat(100_000)));
    assert!(folder().read("a.vrt", deep.as_bytes()).is_err());
}
