//! The option groups that commands share.

use super::values;
use crate::camera::View;
use crate::clipmap;
use crate::error::{Error, Result};
use crate::formats::{ByteOrder, HeightUnit, ReadOptions, RowOrder, SampleType};
use crate::gpu;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Exactly one input.
#[derive(Debug, Clone, Args)]
#[group(required = true, multiple = false)]
pub struct OneInput {
    /// The file to read, or a folder of tiles
    pub file: Option<PathBuf>,
    /// The built-in demo terrain instead of a file
    #[arg(long)]
    pub demo: bool,
}

/// Any number of inputs; the command says what none means.
#[derive(Debug, Clone, Default, Args)]
#[group(multiple = true)]
pub struct Inputs {
    /// The files to read, or folders of tiles
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The built-in demo terrain, beside or instead of files
    #[arg(long)]
    pub demo: bool,
}

/// How files are read, over what they say about themselves.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reading")]
pub struct Reading {
    /// Samples along x and y of a headerless file
    #[arg(long, value_name = "WxH", value_parser = values::size)]
    pub raster_size: Option<[u32; 2]>,
    /// Sample type of a headerless file
    #[arg(long = "type", value_name = "TYPE", value_parser = values::sample_type())]
    pub sample_type: Option<SampleType>,
    /// Byte order of a headerless file; little unless said
    #[arg(long, value_name = "ORDER", value_parser = values::byte_order())]
    pub byte_order: Option<ByteOrder>,
    /// Which row of a headerless file comes first; top unless said
    #[arg(long, value_name = "ROW", value_parser = values::row_order())]
    pub row_order: Option<RowOrder>,
    /// Bytes before the samples of a headerless file
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub header_bytes: Option<u64>,
    /// Heights of the least and the greatest code of an integer image; of 0 and 1 for floats
    #[arg(long, value_name = "A,B", value_parser = values::pair, allow_hyphen_values = true)]
    pub z_range: Option<[f64; 2]>,
    /// The empty value, over the declared one; none for no empty value at all
    #[arg(long, value_name = "V", value_parser = values::nodata, allow_hyphen_values = true)]
    pub nodata: Option<f64>,
    /// Take stored values as heights, without scale and offset
    #[arg(long)]
    pub no_scale: bool,
    /// Take the stairs of whole codes out, within half a step
    #[arg(long)]
    pub smooth: bool,
    /// Coordinate reference system
    #[arg(long, value_name = "EPSG:n", value_parser = values::epsg)]
    pub crs: Option<u32>,
    /// Unit of the heights
    #[arg(long, value_name = "UNIT", value_parser = values::height_unit())]
    pub z_unit: Option<HeightUnit>,
    /// Metres between samples
    #[arg(long, value_name = "M", value_parser = values::positive, allow_negative_numbers = true)]
    pub spacing: Option<f64>,
    /// Band to read, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub band: Option<u32>,
    /// Several files are one terrain
    #[arg(long)]
    pub mosaic: bool,
}

impl Reading {
    /// The same for the readers.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            raster_size: self.raster_size,
            sample_type: self.sample_type,
            byte_order: self.byte_order,
            row_order: self.row_order,
            header_bytes: self.header_bytes,
            z_range: self.z_range,
            nodata: self.nodata,
            no_scale: self.no_scale,
            smooth: self.smooth,
            crs: self.crs,
            z_unit: self.z_unit,
            spacing: self.spacing,
            band: self.band,
        }
    }
}

/// [`Reading`] for the commands that draw no picture, where `--size` is the raster's too.
#[derive(Debug, Clone, Default, Args)]
pub struct FieldReading {
    #[command(flatten)]
    reading: Reading,
    /// The same as --raster-size
    #[arg(long, value_name = "WxH", value_parser = values::size, conflicts_with = "raster_size")]
    size: Option<[u32; 2]>,
}

impl FieldReading {
    /// The same for the readers.
    pub fn options(&self) -> ReadOptions {
        let options = self.reading.options();
        ReadOptions { raster_size: options.raster_size.or(self.size), ..options }
    }

    /// Whether several files are one terrain.
    pub fn mosaic(&self) -> bool {
        self.reading.mosaic
    }
}

/// How the ground looks.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Look")]
pub struct Look {
    /// Factor on heights
    #[arg(long, value_name = "N", default_value = "1", value_parser = values::positive, allow_negative_numbers = true)]
    pub exaggeration: f64,
    /// Where the sun stands, degrees clockwise from north
    #[arg(long, value_name = "DEGREES", default_value = "315", value_parser = values::finite, allow_hyphen_values = true)]
    pub azimuth: f64,
    /// How high the sun stands, degrees over the horizon
    #[arg(long, value_name = "DEGREES", default_value = "45", value_parser = values::finite, allow_hyphen_values = true)]
    pub altitude: f64,
    /// One colour behind the ground instead of the sky, #rrggbb or a name
    #[arg(long, value_name = "COLOUR", value_parser = values::colour)]
    pub background: Option<[u8; 3]>,
}

impl Default for Look {
    fn default() -> Self {
        Self { exaggeration: 1.0, azimuth: 315.0, altitude: 45.0, background: None }
    }
}

/// Where the picture is taken from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Camera")]
pub struct CameraOptions {
    /// The eye: easting, northing and height in the file's CRS; metres east, north and up from the centre without one
    #[arg(long, value_name = "X,Y,Z", value_parser = values::triple, allow_hyphen_values = true, conflicts_with = "view")]
    pub eye: Option<[f64; 3]>,
    /// The point in the middle of the picture, as --eye; the middle of the ground unless said
    #[arg(long, value_name = "X,Y,Z", value_parser = values::triple, allow_hyphen_values = true, conflicts_with = "view")]
    pub target: Option<[f64; 3]>,
    /// Vertical field of view in degrees
    #[arg(long, value_name = "DEGREES", default_value = "45", value_parser = values::view_angle, allow_negative_numbers = true)]
    pub fov: f64,
    /// A view of the whole, taken from one side
    #[arg(long, value_name = "SIDE", value_parser = values::view())]
    pub view: Option<View>,
}

impl Default for CameraOptions {
    fn default() -> Self {
        Self { eye: None, target: None, fov: 45.0, view: None }
    }
}

/// The picture's size, for the commands that draw one.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Camera")]
pub struct PictureSize {
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = values::size)]
    pub size: [u32; 2],
}

/// What is drawn with.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Machine")]
pub struct Gpu {
    /// Draw with the adapter whose name holds this text
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// How triangles become pixels
    #[arg(long, value_enum, default_value = "auto")]
    pub raster: RasterPath,
}

/// What may be left out of pictures.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Machine")]
pub struct LeavingOut {
    /// Leave out triangles where that moves the ground by at most so many pixels, in the middle of the picture [default: 0.65]
    #[arg(long, value_name = "PIXELS", value_parser = values::not_negative, allow_negative_numbers = true)]
    pub error: Option<f64>,
    /// Which patches are left out: hidden ones too (in pictures that follow one another), those outside the picture, or none
    #[arg(long, value_name = "WHICH", value_enum, default_value = "auto")]
    pub culling: Culling,
}

/// Which patches are left out of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Culling {
    /// The default of the adapter and the path.
    #[default]
    Auto,
    /// Those hidden by what the picture before showed, and those outside the picture.
    Occlusion,
    /// Those outside the picture.
    Frustum,
    /// None.
    None,
}

impl Culling {
    /// The culling that was asked for; `None` is the default.
    pub fn asked(self) -> Option<clipmap::Culling> {
        match self {
            Self::Auto => None,
            Self::Occlusion => Some(clipmap::Culling::Occlusion),
            Self::Frustum => Some(clipmap::Culling::Frustum),
            Self::None => Some(clipmap::Culling::None),
        }
    }
}

/// How triangles become pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum RasterPath {
    /// The default of the adapter.
    #[default]
    Auto,
    /// By the adapter's own pipeline.
    Vertex,
    /// By a compute shader in integers; needs 64-bit atomics.
    Compute,
    /// The same with 32-bit atomics, in two runs over the triangles.
    Compute32,
}

impl Gpu {
    /// The path that was asked for; `None` is the default.
    pub fn path(&self) -> Option<gpu::RasterPath> {
        match self.raster {
            RasterPath::Auto => None,
            RasterPath::Vertex => Some(gpu::RasterPath::Vertex),
            RasterPath::Compute => Some(gpu::RasterPath::Compute),
            RasterPath::Compute32 => Some(gpu::RasterPath::Compute32),
        }
    }
}

/// How the program behaves; every command has these.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Machine")]
pub struct Conduct {
    /// Worker threads, at most 256; one a processor unless said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), allow_negative_numbers = true)]
    pub threads: Option<u16>,
    /// Tell errors alone
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Tell what goes on inside
    #[arg(long, short)]
    pub verbose: bool,
    /// Give exit code 6 where there were warnings
    #[arg(long)]
    pub strict: bool,
}

impl Conduct {
    /// Holds all worker threads to the number that was asked for.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn limit_threads(&self) -> Result<()> {
        let Some(threads) = self.threads else { return Ok(()) };
        rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global().map_err(|error| {
            Error::failed(format!("worker threads did not start: {error}"), "threads", "ask for fewer")
        })
    }
}
