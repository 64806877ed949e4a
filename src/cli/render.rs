//! `render`: a picture without a window.

use super::options::{CameraOptions, Conduct, Gpu, Inputs, LeavingOut, Look, PictureSize, Reading};
use super::output::write_atomically;
use super::report::Report;
use super::stage::Stage;
use crate::error::{Error, Result};
use crate::frame::{EIGHT_SAMPLES, FrameInput, ONE_SAMPLE, Offscreen, SIXTEEN_SAMPLES};
use clap::ValueEnum;
use std::io;
use std::path::{Path, PathBuf};

/// The arguments of `render`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to draw; the demo terrain where nothing is named.
    #[command(flatten)]
    pub inputs: Inputs,
    /// The picture, a .png
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Show the triangles in the colours of their levels
    #[arg(long)]
    pub wireframe: bool,
    /// How many samples a pixel is the mean of
    #[arg(long, value_enum, default_value = "normal", help_heading = "Look")]
    pub quality: Quality,
    /// How the file is read.
    #[command(flatten)]
    pub reading: Reading,
    /// How the ground looks.
    #[command(flatten)]
    pub look: Look,
    /// Where the picture is taken from.
    #[command(flatten)]
    pub camera: CameraOptions,
    /// How large it is.
    #[command(flatten)]
    pub picture: PictureSize,
    /// What is drawn with.
    #[command(flatten)]
    pub gpu: Gpu,
    /// What may be left out.
    #[command(flatten)]
    pub leaving_out: LeavingOut,
    /// How the program behaves.
    #[command(flatten)]
    pub conduct: Conduct,
}

/// How many samples a pixel is the mean of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Quality {
    /// One, and edges left in steps.
    Draft,
    /// One, and edges smoothed as in the window.
    Normal,
    /// Eight.
    High,
    /// Sixteen.
    Truth,
}

impl Quality {
    /// Draws a picture of this quality.
    fn draw(self, stage: &mut Stage, frame: &FrameInput, picture: &Offscreen) -> Result<()> {
        let samples: &[[i32; 2]] = match self {
            Self::Normal => return stage.renderer.draw(&stage.gpu, frame, picture.view()).map(|_| ()),
            Self::Draft => &ONE_SAMPLE,
            Self::High => &EIGHT_SAMPLES,
            Self::Truth => &SIXTEEN_SAMPLES,
        };
        stage.renderer.draw_samples(&stage.gpu, frame, samples, picture.view()).map(|_| ())
    }
}

/// Draws the picture and writes it.
///
/// # Errors
/// The input cannot be read, there is nothing to draw with, or the output cannot be written.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<()> {
    check_png(&arguments.output)?;
    // There is one picture, so several files can only be one terrain.
    let input = arguments.inputs.only(true)?;
    let size = arguments.picture.size;
    let mut stage = Stage::open(
        &input,
        &arguments.reading.options(),
        (&arguments.gpu, &arguments.leaving_out),
        (size, arguments.camera.fov.to_radians()),
        report,
    )?;
    check_size(&stage, size)?;
    let mut frame = stage.frame(&arguments.camera, &arguments.look, size);
    frame.wireframe = arguments.wireframe;
    let picture = Offscreen::new(&stage.gpu, size);
    arguments.quality.draw(&mut stage, &frame, &picture)?;
    let pixels = picture.pixels(&stage.gpu)?;
    write_atomically(&arguments.output, |out| write_png(out, size, &pixels))?;
    report.note(format_args!("wrote {}", arguments.output.display()));
    Ok(())
}

/// Refuses a picture that the device cannot hold.
pub(super) fn check_size(stage: &Stage, size: [u32; 2]) -> Result<()> {
    let limit = stage.gpu.device.limits().max_texture_dimension_2d;
    if size.iter().all(|&side| side <= limit) {
        return Ok(());
    }
    Err(Error::usage(
        format!("a picture of {}×{} pixels", size[0], size[1]),
        format!("at most {limit} pixels a side with {}", stage.gpu.facts.name),
        "ask for a smaller --size",
    ))
}

/// Writes pixels as PNG. sRGB, and opaque, so without alpha.
pub(crate) fn write_png(out: impl io::Write, size: [u32; 2], pixels: &[[u8; 4]]) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, size[0], size[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    let opaque: Vec<u8> = pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    writer.write_image_data(&opaque)?;
    writer.finish()?;
    Ok(())
}

fn check_png(path: &Path) -> Result<()> {
    let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    if is_png {
        return Ok(());
    }
    Err(Error::usage("an output that is no picture", "a name that ends in .png", "choose another name")
        .in_file(path))
}
