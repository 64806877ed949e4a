//! The text of a `.vrt`: what one band of it is made of. Anything that would change heights and is not understood is refused by
//! its name.

use super::rect::Rect;
use crate::error::{Error, Result};
use crate::formats::samples::Sample;
use roxmltree::{Document, Node, ParsingOptions};
use std::path::{Path, PathBuf};

/// Most elements of a document; each takes some bytes of text, so that memory stays near the text's size.
const MOST_NODES: u32 = 1 << 21;

/// Types of bands by GDAL's names.
const TYPES: &[(&str, Sample)] = &[
    ("Byte", Sample::U8),
    ("UInt8", Sample::U8),
    ("Int8", Sample::I8),
    ("UInt16", Sample::U16),
    ("Int16", Sample::I16),
    ("UInt32", Sample::U32),
    ("Int32", Sample::I32),
    ("UInt64", Sample::U64),
    ("Int64", Sample::I64),
    ("Float16", Sample::F16),
    ("Float32", Sample::F32),
    ("Float64", Sample::F64),
];

/// Kinds of sources that are read, and whether each averages the samples that it makes fewer of.
const SOURCES: &[(&str, bool)] =
    &[("SimpleSource", false), ("ComplexSource", false), ("AveragedSource", true)];

/// Elements of a source that change values in a way that is not read.
const UNREAD: &[&str] = &["LUT", "ColorTableComponent", "Exponent", "Kernel"];

/// A virtual raster, of one band.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Virtual {
    pub size: [u32; 2],
    pub geotransform: Option<[f64; 6]>,
    /// The coordinate system as text.
    pub system: Option<String>,
    pub is_point: bool,
    pub bands: u32,
    pub band: Band,
}

/// What a band is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Band {
    pub number: u32,
    pub sample: Sample,
    pub nodata: Option<String>,
    pub scale: Option<f64>,
    pub offset: Option<f64>,
    pub unit: Option<String>,
    pub has_mask: bool,
    pub sources: Vec<Source>,
}

/// A part of another file, and where it goes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Source {
    pub path: PathBuf,
    pub band: u32,
    /// The part that is taken, in the file's columns and rows; the whole where it is not said.
    pub from: Option<Rect>,
    /// Where it goes; everywhere where it is not said.
    pub to: Option<Rect>,
    /// The file's size as the document tells it.
    pub size: Option<[u32; 2]>,
    pub nodata: Option<f64>,
    pub ratio: f64,
    pub offset: f64,
    /// How values between samples are asked for.
    pub resampling: Option<String>,
}

/// Reads the document of a file in a folder. `band`: the band that is asked for.
pub(super) fn parse(text: &str, folder: &Path, band: Option<u32>) -> Result<Virtual> {
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| broken(format!("a .vrt that is no whole XML: {error}"), "a whole document"))?;
    let root = document.root_element();
    if let Some(kind) = root.attribute("subClass") {
        return Err(unread(format!("a .vrt of the kind {kind}")));
    }
    let size = [count(root, "rasterXSize")?, count(root, "rasterYSize")?];
    let bands: Vec<Node> = children(root, "VRTRasterBand").collect();
    let wanted = band.unwrap_or(1);
    let number = |(at, node): (usize, &Node)| {
        node.attribute("band").map_or(at as u32 + 1, |n| n.trim().parse().unwrap_or(0))
    };
    let node = bands.iter().enumerate().find(|entry| number(*entry) == wanted).map(|(_, node)| *node);
    let node = node.ok_or_else(|| no_band(wanted, bands.len()))?;
    Ok(Virtual {
        size,
        geotransform: text_of(root, "GeoTransform").map(geotransform).transpose()?,
        system: text_of(root, "SRS").map(str::to_owned),
        is_point: is_point(root),
        bands: bands.len() as u32,
        band: read_band(node, wanted, folder)?,
    })
}

fn read_band(node: Node, number: u32, folder: &Path) -> Result<Band> {
    if let Some(kind) = node.attribute("subClass").filter(|kind| *kind != "VRTSourcedRasterBand") {
        return Err(unread(format!("a band of the kind {kind}")));
    }
    let name = node.attribute("dataType").unwrap_or("Byte");
    let sample = TYPES.iter().find(|entry| entry.0 == name).map(|entry| entry.1);
    let sources = node.children().filter(|child| child.tag_name().name().ends_with("Source"));
    Ok(Band {
        number,
        sample: sample.ok_or_else(|| unread(format!("a band of {name}")))?,
        nodata: text_of(node, "NoDataValue").map(str::to_owned),
        scale: number_in(node, "Scale")?,
        offset: number_in(node, "Offset")?,
        unit: text_of(node, "UnitType").map(str::to_owned),
        has_mask: children(node, "MaskBand").next().is_some(),
        sources: sources.map(|source| read_source(source, folder)).collect::<Result<_>>()?,
    })
}

fn read_source(node: Node, folder: &Path) -> Result<Source> {
    let kind = node.tag_name().name();
    let Some((_, averages)) = SOURCES.iter().find(|entry| entry.0 == kind) else {
        return Err(unread(format!("a source of the kind {kind}")));
    };
    if let Some(element) = node.children().find(|child| UNREAD.contains(&child.tag_name().name())) {
        return Err(unread(format!("a source with {}", element.tag_name().name())));
    }
    let resampling = if *averages { Some("average") } else { node.attribute("resampling") };
    let properties = children(node, "SourceProperties").next();
    let size = properties
        .and_then(|node| Some([count(node, "RasterXSize").ok()?, count(node, "RasterYSize").ok()?]));
    Ok(Source {
        path: path(node, folder)?,
        band: text_of(node, "SourceBand").map_or(Ok(1), source_band)?,
        from: rect(node, "SrcRect")?,
        to: rect(node, "DstRect")?,
        size,
        nodata: number_in(node, "NODATA")?,
        ratio: number_in(node, "ScaleRatio")?.unwrap_or(1.0),
        offset: number_in(node, "ScaleOffset")?.unwrap_or(0.0),
        resampling: resampling.map(str::to_owned),
    })
}

/// The source's path; relative ones are relative to the document where it says so.
fn path(node: Node, folder: &Path) -> Result<PathBuf> {
    let element = children(node, "SourceFilename").next();
    let text = element.and_then(|element| element.text()).map(str::trim).unwrap_or_default();
    if text.is_empty() {
        return Err(broken("a source without a file".to_owned(), "SourceFilename"));
    }
    if text.starts_with("/vsi") || text.contains("://") {
        return Err(unread(format!("a source at {text}")));
    }
    let is_relative = element.and_then(|element| element.attribute("relativeToVRT")) == Some("1");
    Ok(if is_relative { folder.join(text) } else { text.into() })
}

fn source_band(text: &str) -> Result<u32> {
    let number = text.trim().parse().ok().filter(|band| *band > 0);
    number.ok_or_else(|| unread(format!("a source's band \"{}\"", text.trim())))
}

fn rect(node: Node, name: &str) -> Result<Option<Rect>> {
    let Some(element) = children(node, name).next() else { return Ok(None) };
    let number = |key: &str| {
        let text = element.attribute(key).unwrap_or_default();
        finite(text).ok_or_else(|| broken(format!("{name} with {key} \"{text}\""), "a number"))
    };
    let rect = Rect { start: [number("xOff")?, number("yOff")?], size: [number("xSize")?, number("ySize")?] };
    if rect.size.iter().all(|side| *side > 0.0) {
        return Ok(Some(rect));
    }
    Err(broken(format!("{name} of {}×{} samples", rect.size[0], rect.size[1]), "positive sides"))
}

fn geotransform(text: &str) -> Result<[f64; 6]> {
    let numbers: Option<Vec<f64>> = text.split(',').map(finite).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| {
        broken("a GeoTransform that is not six numbers".to_owned(), "six, with commas between")
    })
}

fn is_point(root: Node) -> bool {
    children(root, "Metadata").flat_map(|metadata| children(metadata, "MDI")).any(|item| {
        item.attribute("key") == Some("AREA_OR_POINT") && item.text().map(str::trim) == Some("Point")
    })
}

fn children<'a, 'input: 'a>(node: Node<'a, 'input>, name: &str) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

/// The text of the first element of a name; `None` where there is no more than white space.
fn text_of<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let found = children(node, name).next()?;
    found.text().map(str::trim).filter(|text| !text.is_empty())
}

fn number_in(node: Node, name: &str) -> Result<Option<f64>> {
    let Some(text) = text_of(node, name) else { return Ok(None) };
    let number = text.parse().ok();
    number.map(Some).ok_or_else(|| broken(format!("{name} \"{text}\""), "a number"))
}

fn count(node: Node, key: &str) -> Result<u32> {
    let text = node.attribute(key).unwrap_or_default();
    let number = text.trim().parse().ok().filter(|samples| *samples > 0);
    number.ok_or_else(|| broken(format!("{key} \"{text}\""), "a positive whole number"))
}

fn finite(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

fn no_band(wanted: u32, bands: usize) -> Error {
    if bands == 0 {
        return broken("a .vrt without a band".to_owned(), "VRTRasterBand");
    }
    Error::usage(
        format!("band {wanted} is asked for"),
        format!("one of the {bands} bands of the file"),
        "correct --band",
    )
}

fn broken(found: String, expected: &str) -> Error {
    Error::input(found, expected, "make the .vrt again, for example with gdalbuildvrt")
}

fn unread(found: String) -> Error {
    Error::input(
        found,
        "simple and complex sources in files, which are all that is read of a .vrt",
        "make it one file, for example with gdal_translate",
    )
}
