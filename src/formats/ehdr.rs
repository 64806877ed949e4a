//! BIL, BIP and BSQ of Esri, and its float grids (`.flt`): samples described by words in a `.hdr` beside them; either
//! may be opened. After the description of BIL, BIP and BSQ files in the ArcGIS help.

use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::header_beside;
use super::input::Input;
use super::interleaved::{Interleave, Interleaved};
use super::raster::ReadOptions;
use super::samples::{Endian, Sample};
use super::sidecar;
use crate::error::{Error, Result};

/// What files of samples are called.
const EXTENSIONS: [&str; 9] = ["bil", "bip", "bsq", "flt", "img", "dem", "raw", "bin", "dat"];
/// Those of them that no other format with a header has.
const OWN_EXTENSIONS: [&str; 4] = ["bil", "bip", "bsq", "flt"];

/// Whether a header of Esri's words stands beside the file, or is the file. A header of other words beside a file of
/// Esri's own is refused rather than overlooked.
pub(super) fn recognises(input: &Input, options: &ReadOptions) -> bool {
    let Some(header_path) = header_beside::header_of(input, options) else { return false };
    if OWN_EXTENSIONS.contains(&input.extension().as_str()) {
        return true;
    }
    let is_esris =
        |text: String| Header(&text).word("nrows").is_some() && Header(&text).word("ncols").is_some();
    header_beside::may_be_samples(input, &EXTENSIONS) && sidecar::text_of(&header_path).is_ok_and(is_esris)
}

/// Reads one band.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let (header_path, text) = header_beside::header_text(input, options)?;
    let beside = header_beside::samples_of(input, &EXTENSIONS)?;
    let samples = beside.as_ref().unwrap_or(input);
    let header = Header(&text);
    let layout = header.layout(samples)?;
    let mut decoded = Decoded::new("EHdr", input.path.clone(), layout.size, layout.sample.name());
    decoded.files.push(beside.as_ref().map_or(header_path, |samples| samples.path.clone()));
    if header.word("byteorder").is_none() && layout.sample.bytes() > 1 {
        decoded.notes.assume("Bytes are taken as little-endian; the header has no BYTEORDER.");
    }
    layout.read(samples, header.nodata(), options, &mut decoded)?;
    decoded.geotransform = header.geotransform(layout.size[1])?;
    Ok(decoded)
}

/// A header's text: a word and its value a line, in any case.
struct Header<'a>(&'a str);

impl<'a> Header<'a> {
    /// The value of the first line that begins with a word.
    fn word(&self, key: &str) -> Option<&'a str> {
        self.0.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            words.next().filter(|found| found.eq_ignore_ascii_case(key))?;
            words.next()
        })
    }

    fn number<T: std::str::FromStr>(&self, key: &str) -> Result<Option<T>> {
        let Some(text) = self.word(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| {
            let found: String = text.chars().take(20).collect();
            Error::input(format!("{key} {found} in the header"), "a number", "correct the header")
        })
    }

    /// A finite number.
    fn place(&self, key: &str) -> Result<Option<f64>> {
        Ok(self.number(key)?.filter(|number: &f64| number.is_finite()))
    }

    fn count(&self, key: &str) -> Result<u32> {
        self.number(key)?.filter(|count| *count > 0).ok_or_else(|| {
            let found = self.word(key).unwrap_or("nothing").chars().take(20).collect::<String>();
            Error::input(format!("{found} as {key} in the header"), "at least 1", "correct the header")
        })
    }

    fn nodata(&self) -> Option<EmptyValue> {
        ["nodata", "nodata_value", "nodata_val"].iter().find_map(|key| EmptyValue::parse(self.word(key)?))
    }

    fn layout(&self, samples: &Input) -> Result<Interleaved> {
        let size = [self.count("ncols")?, self.count("nrows")?];
        let bands = if self.word("nbands").is_some() { self.count("nbands")? } else { 1 };
        let interleave = Interleave::from_name(self.word("layout").unwrap_or("BIL"))?;
        let start = self.number("skipbytes")?.unwrap_or(0);
        let sample = self.sample(size, bands, samples)?;
        let packed = Interleaved::packed(size, bands, sample, interleave);
        let band_row = self.number("bandrowbytes")?.unwrap_or(packed.band_row);
        let row = self.number("totalrowbytes")?.unwrap_or(match interleave {
            Interleave::Rows => band_row.saturating_mul(bands.into()),
            Interleave::Bands | Interleave::Pixels => packed.row,
        });
        let gap = self.number("bandgapbytes")?.unwrap_or(0);
        Ok(Interleaved { endian: self.endian()?, start, band_row, row, gap, ..packed })
    }

    /// `M` and `MSBFIRST` are big-endian; no word, `I` and `LSBFIRST` little-endian.
    fn endian(&self) -> Result<Endian> {
        let order = self.word("byteorder").unwrap_or("I");
        match order.chars().next().map(|first| first.to_ascii_uppercase()) {
            Some('M') => Ok(Endian::Big),
            Some('I' | 'L') => Ok(Endian::Little),
            _ => {
                let found: String = order.chars().take(20).collect();
                let expected = "I, M, LSBFIRST or MSBFIRST";
                Err(Error::input(format!("BYTEORDER {found}"), expected, "convert the file"))
            }
        }
    }

    /// The sample type. Without a number of bits it follows from the file's length, as GDAL has it; integers without a
    /// word on their sign have one if the empty value has. Files that end in `.flt` hold floats.
    fn sample(&self, size: [u32; 2], bands: u32, samples: &Input) -> Result<Sample> {
        let pixels = u128::from(size[0]) * u128::from(size[1]) * u128::from(bands);
        let bytes = u128::from(samples.length) / pixels.max(1);
        let bits = match self.number("nbits")? {
            Some(bits) => bits,
            None => 8 * u32::try_from(bytes).unwrap_or(u32::MAX).clamp(1, 8),
        };
        let kind =
            self.word("pixeltype").and_then(|word| word.chars().next()).map(|c| c.to_ascii_uppercase());
        let negative = self.nodata().is_some_and(|empty| empty.value() < 0.0);
        let signed = kind == Some('S') || (kind.is_none() && negative);
        match (bits, kind, signed) {
            (8, Some('S'), _) => Ok(Sample::I8),
            (8, ..) => Ok(Sample::U8),
            (16, Some('F'), _) => Ok(Sample::F16),
            (16, _, true) => Ok(Sample::I16),
            (16, ..) => Ok(Sample::U16),
            (32, Some('F'), _) => Ok(Sample::F32),
            (32, None, _) if self.word("nbits").is_none() || samples.extension() == "flt" => Ok(Sample::F32),
            (32, _, true) => Ok(Sample::I32),
            (32, ..) => Ok(Sample::U32),
            (64, Some('F') | None, _) => Ok(Sample::F64),
            (64, Some('S'), _) => Ok(Sample::I64),
            _ => Err(Error::input(
                format!("samples of {bits} bits"),
                "8, 16, 32 or 64 bits a sample",
                "correct NBITS in the header, or convert the file",
            )),
        }
    }

    /// `ULXMAP` and `ULYMAP` place the middle of the first pixel; grids place their lower left corner or its middle. Where
    /// only steps are given the first column's middle is at 0, and the last row's.
    fn geotransform(&self, depth: u32) -> Result<Option<[f64; 6]>> {
        let cell = self.place("cellsize")?;
        let steps = [self.place("xdim")?.or(cell), self.place("ydim")?.or(cell)];
        let rows = f64::from(depth);
        let left = self.first_place(&[("ulxmap", 0.5), ("xllcorner", 0.0), ("xllcenter", 0.5)])?;
        let top = self.first_place(&[("ulymap", 0.5), ("yllcorner", rows), ("yllcenter", rows - 0.5)])?;
        let placed = (left.is_some() && top.is_some()) || steps.iter().all(Option::is_some);
        let [dx, dy] = steps.map(|step| step.unwrap_or(1.0));
        let (x, columns_left) = left.unwrap_or((0.0, 0.5));
        let (y, rows_above) = top.unwrap_or((0.0, rows - 0.5));
        Ok(placed.then_some([x - columns_left * dx, dx, 0.0, y + rows_above * dy, 0.0, -dy]))
    }

    /// The number of the first key that is there, and the steps from it to the grid's upper left corner.
    fn first_place(&self, keys: &[(&str, f64)]) -> Result<Option<(f64, f64)>> {
        for (key, steps) in keys {
            if let Some(number) = self.place(key)? {
                return Ok(Some((number, *steps)));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::raster::{Raster, ReadOptions};
    use crate::formats::test_files::{TestFolder, message};

    const SIZE: &str = "nrows 2\nncols 2\n";

    fn read(header: &str, samples: &[u8]) -> Raster {
        let folder = TestFolder::new();
        folder.write("a.hdr", header.as_bytes());
        folder.read("a.bil", samples).expect("read")
    }

    #[test]
    fn either_file_opens_the_grid_with_both_byte_orders() {
        let folder = TestFolder::new();
        let header = "BYTEORDER M\nLAYOUT BIL\nNROWS 2\nNCOLS 2\nNBITS 16\nPIXELTYPE SIGNEDINT\nBANDROWBYTES 5\n\
            TOTALROWBYTES 5\nSKIPBYTES 3\nULXMAP 100\nULYMAP 200\nXDIM 10\nYDIM 20\nNODATA -5\n";
        let samples = [9, 9, 9, 0, 1, 1, 0, 9, 0xff, 0xfb, 0, 2];
        folder.write("a.hdr", header.as_bytes());
        let first = folder.read("a.bil", &samples).expect("read");
        let second = folder.read("a.hdr", header.as_bytes()).expect("read");
        for raster in [first, second] {
            assert_eq!(raster.heights[..2], [1.0, 256.0]);
            assert!(raster.heights[2].is_nan() && raster.heights[3] == 2.0);
            assert_eq!(raster.facts.geotransform, Some([95.0, 10.0, 0.0, 210.0, 0.0, -20.0]));
            assert_eq!((raster.facts.sample_type.as_str(), raster.facts.files.len()), ("i16", 2));
        }
        let little = read(&header.replace("BYTEORDER M", "BYTEORDER I"), &samples);
        assert_eq!(little.heights[..2], [256.0, 1.0]);
    }

    #[test]
    fn types_by_words_by_length_and_by_the_sign_of_the_empty_value() {
        let kind =
            |words: &str, bytes: usize| read(&format!("{SIZE}{words}"), &vec![0; bytes]).facts.sample_type;
        assert_eq!(kind("", 4), "u8");
        assert_eq!(kind("", 8), "u16");
        assert_eq!(kind("", 16), "f32");
        assert_eq!(kind("nbits 16", 8), "u16");
        assert_eq!(kind("nbits 16\nnodata -9999", 8), "i16");
        assert_eq!(kind("nbits 32", 16), "u32");
        assert_eq!(kind("nbits 32\npixeltype float", 16), "f32");
        assert_eq!(kind("nbits 32\npixeltype signedint", 16), "i32");
        assert_eq!(kind("nbits 8\npixeltype signedint", 4), "i8");
        assert_eq!(kind("nbits 64\npixeltype float", 32), "f64");
        let folder = TestFolder::new();
        folder.write("b.hdr", format!("{SIZE}nbits 32\n").as_bytes());
        assert_eq!(folder.read("b.flt", &[0; 16]).expect("read").facts.sample_type, "f32");
    }

    #[test]
    fn places_by_corner_by_middle_and_by_steps() {
        let place = |words: &str| read(&format!("{SIZE}nbits 8\n{words}"), &[0; 4]).facts.geotransform;
        let corner = place("xllcorner 10\nyllcorner 20\ncellsize 5");
        assert_eq!(corner, Some([10.0, 5.0, 0.0, 30.0, 0.0, -5.0]));
        let middle = place("XLLCENTER 10\nYLLCENTER 20\ncellsize 5");
        assert_eq!(middle, Some([7.5, 5.0, 0.0, 27.5, 0.0, -5.0]));
        assert_eq!(place("ulxmap 10\nulymap 20"), Some([9.5, 1.0, 0.0, 20.5, 0.0, -1.0]));
        assert_eq!(place("cellsize 5"), Some([-2.5, 5.0, 0.0, 7.5, 0.0, -5.0]));
        let mixed = place("xllcorner 10\nyllcenter 20\nxdim 5\nydim 4");
        assert_eq!(mixed, Some([10.0, 5.0, 0.0, 26.0, 0.0, -4.0]));
        assert_eq!(place(""), None);
    }

    #[test]
    fn headers_of_other_names_and_files_that_are_said_to_have_none() {
        for (samples, header) in [("A.BIL", "A.BIL.HDR"), ("a.bil", "a.bil.hdr"), ("A.BIL", "A.HDR")] {
            let folder = TestFolder::new();
            folder.write(header, SIZE.as_bytes());
            assert_eq!(folder.read(samples, &[1, 2, 3, 4]).expect("read").heights, [1.0, 2.0, 3.0, 4.0]);
            let raster = folder.read(header, SIZE.as_bytes()).expect("read");
            assert_eq!((raster.size, raster.facts.files.len()), ([2, 2], 2), "{header}");
        }
        let folder = TestFolder::new();
        folder.write("a.hdr", SIZE.as_bytes());
        let options = ReadOptions { raster_size: Some([4, 1]), ..ReadOptions::default() };
        assert_eq!(folder.read_with("a.raw", &[0; 8], &options).expect("read").size, [4, 1]);
    }

    #[test]
    fn codes_are_spread_and_a_missing_byte_order_is_told() {
        let folder = TestFolder::new();
        folder.write("a.hdr", format!("{SIZE}nbits 16\n").as_bytes());
        let options = ReadOptions { z_range: Some([0.0, 65_535.0 * 2.0]), ..ReadOptions::default() };
        let raster = folder.read_with("a.bil", &[1, 0, 2, 0, 3, 0, 0, 1], &options).expect("read");
        assert_eq!(raster.heights, [2.0, 4.0, 6.0, 512.0]);
        assert!(raster.facts.assumptions.iter().any(|text| text.contains("no BYTEORDER")));
    }

    #[test]
    fn malformed_headers_are_refused() {
        let folder = TestFolder::new();
        let refused = |header: &str| {
            folder.write("a.hdr", header.as_bytes());
            message(folder.read("a.bil", &[0; 4]))
        };
        assert!(refused("nrows 2\nncols 0\n").contains("0 as ncols in the header"));
        assert!(refused("nrows 2\nncols x\n").contains("ncols x in the header"));
        assert!(refused("nrows 2\nncols 2\nnbits 12\n").contains("samples of 12 bits"));
        assert!(refused("nrows 2\nncols 2\nnbits 16\n").contains("4 bytes; band 1 of 2×2 samples of u16"));
        assert!(refused("nrows 4000000000\nncols 4000000000\nnbits 8\n").contains("4 bytes"));
        assert!(refused("nrows 2\nncols 2\nbyteorder VMS_FFLOAT\n").contains("BYTEORDER VMS_FFLOAT"));
        assert!(refused("nrows 2\nncols 2\nlayout zigzag\n").contains("the layout zigzag"));
        assert!(refused("junk\n").contains("nothing as ncols in the header"));
        assert!(refused("\0\u{1}junk").contains("a.hdr holds no text"));
        let alone = TestFolder::new();
        assert!(message(alone.read("b.hdr", SIZE.as_bytes())).contains("a header without its samples"));
    }
}
