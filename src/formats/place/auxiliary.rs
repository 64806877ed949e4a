//! `FILE.aux.xml`: what GDAL and ArcGIS keep of a file beside it. GDAL's persistent auxiliary metadata, as its raster data
//! model describes them; ArcGIS writes its coordinate system in a part of its own.

use super::{Claim, leave_out, text_in};
use crate::formats::control_points::map_of;
use crate::formats::decoded::{Decoded, Notes, PlaneCrs};
use crate::formats::raster::{PixelIs, ReadOptions};
use crate::formats::sidecar;
use crate::geo::{ControlPoint, LengthUnit, read_projection_text};
use crate::terrain::EMPTY;
use roxmltree::{Document, Node, ParsingOptions};
use std::path::{Path, PathBuf};

/// The most elements and texts that are read; a histogram has a handful.
const MOST_NODES: u32 = 100_000;

/// What the file says; nothing where there is none.
#[derive(Debug, Default)]
pub(super) struct Auxiliary {
    file: Option<PathBuf>,
    geotransform: Option<[f64; 6]>,
    crs: Option<PlaneCrs>,
    pixel_is: Option<PixelIs>,
    nodata: Option<f64>,
    scale: Option<f64>,
    offset: Option<f64>,
    unit: Option<LengthUnit>,
}

impl Auxiliary {
    /// Reads the file beside a raster for the band that is asked for.
    pub fn beside(path: &Path, options: &ReadOptions, notes: &mut Notes) -> Self {
        let file = sidecar::find_appended(path, ".aux.xml").and_then(|file| text_in(file, notes));
        let Some((file, text)) = file else { return Self::default() };
        let limits = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        match Document::parse_with_options(text.trim_start_matches('\u{feff}'), limits) {
            Ok(document) => {
                let found = Self::of(document.root_element(), options.band.unwrap_or(1), notes);
                Self { file: Some(file), ..found }
            }
            Err(error) => {
                leave_out(&file, &format!("is no XML ({error})"), notes);
                Self::default()
            }
        }
    }

    fn of(root: Node, band: u32, notes: &mut Notes) -> Self {
        let of_band = children(root, "PAMRasterBand")
            .find(|child| child.attribute("band").and_then(|number| number.parse().ok()) == Some(band));
        let number =
            |name: &str| of_band.and_then(|band| text(band, name)).and_then(|text| text.trim().parse().ok());
        let usable = |name: &str| number(name).filter(|value: &f64| value.is_finite());
        let unit = of_band.and_then(|band| text(band, "UnitType")).filter(|text| !text.trim().is_empty());
        Self {
            file: None,
            geotransform: text(root, "GeoTransform")
                .and_then(six_numbers)
                .or_else(|| of_control_points(root, notes)),
            crs: coordinate_system(root, notes),
            pixel_is: pixel_is(root),
            nodata: number("NoDataValue"),
            scale: usable("Scale").filter(|scale| *scale != 0.0),
            offset: usable("Offset"),
            unit: unit.and_then(|text| known_unit(text, notes)),
        }
    }

    /// The caller's options with the empty value of the file, which readers have to know before they read.
    pub fn over(&self, options: &ReadOptions) -> ReadOptions {
        ReadOptions { nodata: options.nodata.or(self.nodata), ..options.clone() }
    }

    /// Gives a raster what the file says of its values.
    pub fn apply(&self, decoded: &mut Decoded, options: &ReadOptions) {
        if let (Some(nodata), None) = (self.nodata, options.nodata) {
            decoded.notes.assume(format!("The empty value {nodata} is the one of the .aux.xml file."));
        }
        decoded.pixel_is = self.pixel_is.unwrap_or(decoded.pixel_is);
        if let Some(unit) = self.unit.clone() {
            let own = decoded.unit.replace((unit, "the .aux.xml file's unit".into()));
            own.into_iter().for_each(|(unit, source)| decoded.offer_unit(unit, source));
        }
        if !options.no_scale && options.z_range.is_none() {
            self.scale(decoded);
        }
    }

    /// Scales heights that the file itself leaves as they are stored.
    fn scale(&self, decoded: &mut Decoded) {
        let (scale, offset) = (self.scale.unwrap_or(1.0), self.offset.unwrap_or(0.0));
        if (scale, offset) == (1.0, 0.0) || (scale, offset) == (decoded.scale, decoded.offset) {
            return;
        }
        if (decoded.scale, decoded.offset) != (1.0, 0.0) {
            let text =
                format!("the .aux.xml file scales by {scale} and {offset}; the file's own scale is taken");
            return decoded.notes.warn("scale-conflict", text);
        }
        (decoded.scale, decoded.offset) = (scale, offset);
        for height in decoded.heights.iter_mut().filter(|height| height.is_finite()) {
            let scaled = (f64::from(*height) * scale + offset) as f32;
            *height = if scaled.is_finite() { scaled } else { EMPTY };
        }
    }

    /// What the file says of the place, where there is one.
    pub fn into_claim(self) -> Option<Claim> {
        let source = "the .aux.xml file";
        self.file.map(|file| Claim {
            source,
            file: Some(file),
            geotransform: self.geotransform,
            crs: self.crs,
        })
    }
}

fn children<'a, 'b: 'a>(node: Node<'a, 'b>, name: &'static str) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

fn text<'a, 'b: 'a>(node: Node<'a, 'b>, name: &str) -> Option<&'a str> {
    node.children().find(|child| child.has_tag_name(name))?.text()
}

fn six_numbers(text: &str) -> Option<[f64; 6]> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

fn of_control_points(root: Node, notes: &mut Notes) -> Option<[f64; 6]> {
    let number = |node: &Node, name: &str| node.attribute(name).and_then(|text| text.parse().ok());
    let point = |node: Node| {
        let pixel = [number(&node, "Pixel")?, number(&node, "Line")?];
        Some(ControlPoint { pixel, map: [number(&node, "X")?, number(&node, "Y")?] })
    };
    let points: Vec<ControlPoint> =
        children(children(root, "GCPList").next()?, "GCP").filter_map(point).collect();
    map_of(&points, "the .aux.xml file", notes)
}

/// GDAL's text, the text of its control points, or ArcGIS's.
fn coordinate_system(root: Node, notes: &mut Notes) -> Option<PlaneCrs> {
    let of_points =
        || children(root, "GCPList").next()?.attribute("Projection").filter(|text| !text.is_empty());
    let of_arcgis = || text(root.descendants().find(|node| node.has_tag_name("SpatialReference"))?, "WKT");
    let found = read_projection_text(text(root, "SRS").or_else(of_points).or_else(of_arcgis)?);
    if found.is_none() {
        notes.warn("sidecar", "the coordinate system of the .aux.xml file is not understood and left out");
    }
    Some(PlaneCrs::of_text(found?, ".aux.xml", notes))
}

fn pixel_is(root: Node) -> Option<PixelIs> {
    let items = children(root, "Metadata")
        .filter(|metadata| metadata.attribute("domain").unwrap_or_default().is_empty());
    let item = items
        .flat_map(|metadata| children(metadata, "MDI"))
        .find(|item| item.attribute("key") == Some("AREA_OR_POINT"));
    match item?.text()?.trim().to_ascii_lowercase().as_str() {
        "point" => Some(PixelIs::Point),
        "area" => Some(PixelIs::Area),
        _ => None,
    }
}

fn known_unit(text: &str, notes: &mut Notes) -> Option<LengthUnit> {
    let unit = LengthUnit::from_name(text);
    if unit.is_none() {
        notes.warn("unknown-unit", format!("the .aux.xml file's unit \"{text}\" is no known unit of length"));
    }
    unit
}
