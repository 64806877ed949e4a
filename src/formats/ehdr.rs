//! BIL, BIP and BSQ of Esri, and its float grids (`.flt`): samples described by words in a `.hdr` beside them; either
//! may be opened. After the description of BIL, BIP and BSQ files in the ArcGIS help.

use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::input::Input;
use super::interleaved::{self, Interleave, Interleaved};
use super::raster::ReadOptions;
use super::samples::{Endian, Sample};
use crate::error::{Error, Result};

/// What files of samples are called.
const EXTENSIONS: [&str; 9] = ["bil", "bip", "bsq", "flt", "img", "dem", "raw", "bin", "dat"];

/// Whether a header of Esri's words stands beside the file, or is the file.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let Some((_, text)) = interleaved::header_of(input) else { return false };
    let header = Header(&text);
    header.word("nrows").is_some()
        && header.word("ncols").is_some()
        && interleaved::may_be_samples(input, &[&EXTENSIONS[..], &["hdr"]].concat())
}

/// Reads one band.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let (header_path, text) = interleaved::header_of(input).ok_or_else(|| {
        Error::input("samples without their header", "a .hdr file of the same name", "put it beside the file")
    })?;
    let beside = interleaved::samples_of(input, &EXTENSIONS)?;
    let samples = beside.as_ref().unwrap_or(input);
    let header = Header(&text);
    let layout = header.layout(samples)?;
    let mut decoded = Decoded::new("EHdr", input.path.clone(), layout.size, layout.sample.name());
    decoded.files.push(beside.as_ref().map_or(header_path, |samples| samples.path.clone()));
    layout.read(samples, header.nodata(), options, &mut decoded)?;
    decoded.geotransform = header.geotransform(layout.size)?;
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
        let sample = self.sample(size, bands, samples.length)?;
        let packed = Interleaved::packed(size, bands, sample, interleave);
        let band_row = self.number("bandrowbytes")?.unwrap_or(packed.band_row);
        let row = self.number("totalrowbytes")?.unwrap_or(match interleave {
            Interleave::Rows => band_row.saturating_mul(bands.into()),
            Interleave::Bands | Interleave::Pixels => packed.row,
        });
        let gap = self.number("bandgapbytes")?.unwrap_or(0);
        Ok(Interleaved { endian: self.endian(), start, band_row, row, gap, ..packed })
    }

    /// `M` and `MSBFIRST` are big-endian; no word, `I` and `LSBFIRST` little-endian.
    fn endian(&self) -> Endian {
        match self.word("byteorder") {
            Some(order) if order.starts_with(['M', 'm']) => Endian::Big,
            _ => Endian::Little,
        }
    }

    /// The sample type. Without a number of bits it follows from the file's length, as GDAL has it; integers without a
    /// word on their sign have one if the empty value has.
    fn sample(&self, size: [u32; 2], bands: u32, length: u64) -> Result<Sample> {
        let pixels = u128::from(size[0]) * u128::from(size[1]) * u128::from(bands);
        let bits = match self.number("nbits")? {
            Some(bits) => bits,
            None => 8 * u32::try_from(u128::from(length) / pixels.max(1)).unwrap_or(u32::MAX).clamp(1, 8),
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
            (32, None, _) if self.word("nbits").is_none() => Ok(Sample::F32),
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

    /// `ULXMAP` and `ULYMAP` place the middle of the first pixel; grids place their lower left corner or its middle.
    fn geotransform(&self, [width, depth]: [u32; 2]) -> Result<Option<[f64; 6]>> {
        let cell = self.place("cellsize")?;
        let dx = self.place("xdim")?.or(cell).unwrap_or(1.0);
        let dy = self.place("ydim")?.or(cell).unwrap_or(1.0);
        let corner = |x: f64, y: f64| Some([x, dx, 0.0, y, 0.0, -dy]);
        if let (Some(x), Some(y)) = (self.place("ulxmap")?, self.place("ulymap")?) {
            return Ok(corner(x - 0.5 * dx, y + 0.5 * dy));
        }
        let rise = f64::from(depth) * dy;
        if let (Some(x), Some(y)) = (self.place("xllcorner")?, self.place("yllcorner")?) {
            return Ok(corner(x, y + rise));
        }
        if let (Some(x), Some(y)) = (self.place("xllcenter")?, self.place("yllcenter")?) {
            return Ok(corner(x - 0.5 * dx, y - 0.5 * dy + rise));
        }
        // Steps alone: the first pixel's middle is the last row's height above the origin.
        let steps_alone = self.word("xdim").is_some() && self.word("ydim").is_some() && width > 0;
        Ok(if steps_alone { corner(-0.5 * dx, rise - 0.5 * dy) } else { None })
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::raster::Raster;
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
    }

    #[test]
    fn places_by_corner_by_middle_and_by_steps() {
        let place = |words: &str| read(&format!("{SIZE}nbits 8\n{words}"), &[0; 4]).facts.geotransform;
        let corner = place("xllcorner 10\nyllcorner 20\ncellsize 5");
        assert_eq!(corner, Some([10.0, 5.0, 0.0, 30.0, 0.0, -5.0]));
        let middle = place("XLLCENTER 10\nYLLCENTER 20\ncellsize 5");
        assert_eq!(middle, Some([7.5, 5.0, 0.0, 27.5, 0.0, -5.0]));
        assert_eq!(place("ulxmap 10\nulymap 20"), Some([9.5, 1.0, 0.0, 20.5, 0.0, -1.0]));
        assert_eq!(place(""), None);
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
        assert!(refused("nrows 2\nncols 2\nlayout zigzag\n").contains("the layout zigzag"));
        let alone = TestFolder::new();
        assert!(message(alone.read("b.hdr", SIZE.as_bytes())).contains("a header without its samples"));
    }
}
