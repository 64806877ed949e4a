//! Pictures of the window as PNG files in the current folder.

use crate::error::{Error, Result};
use crate::gpu::{Gpu, read_texture};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A texture that a picture is drawn into.
pub fn target(gpu: &Gpu, format: wgpu::TextureFormat, size: [u32; 2]) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("orograph.picture"),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// The picture's texels as RGB, row after row from the top.
///
/// # Errors
/// The device was lost.
pub fn pixels(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<u8>> {
    let texels: Vec<[u8; 4]> = read_texture(gpu, texture, 0)?;
    let blue_first = texture.format() == wgpu::TextureFormat::Bgra8Unorm;
    let colour = |[a, b, c, _]: [u8; 4]| if blue_first { [c, b, a] } else { [a, b, c] };
    Ok(texels.into_iter().flat_map(colour).collect())
}

/// Writes a picture into a folder under a name that tells the time, whole or not at all, and never over another file.
///
/// # Errors
/// The folder cannot be written to.
pub fn save(folder: &Path, size: [u32; 2], pixels: &[u8]) -> Result<PathBuf> {
    let refused = |error: &dyn std::fmt::Display| {
        let found = format!("the picture cannot be written: {error}");
        Error::output(found, "a writable folder", "start in another folder").in_file(folder)
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".orograph-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(|error| refused(&error))?;
    write(&mut file, size, pixels).map_err(|error| refused(&error))?;
    let name = format!("orograph-{}", stamp(SystemTime::now()));
    for attempt in 1..100 {
        let suffix = if attempt == 1 { String::new() } else { format!("-{attempt}") };
        let path = folder.join(format!("{name}{suffix}.png"));
        file = match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => error.file,
            Err(error) => return Err(refused(&error.error)),
        };
    }
    Err(refused(&"too many pictures within one second"))
}

fn write(
    file: &mut impl Write,
    size: [u32; 2],
    pixels: &[u8],
) -> std::result::Result<(), png::EncodingError> {
    let mut out = BufWriter::new(file);
    let mut encoder = png::Encoder::new(&mut out, size[0], size[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    out.flush()?;
    Ok(())
}

/// A moment as `YYYYMMDD-HHMMSS`, universal time.
fn stamp(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (day, clock) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(day);
    format!("{year:04}{month:02}{day:02}-{:02}{:02}{:02}", clock / 3600, clock / 60 % 60, clock % 60)
}

/// Year, month and day of the Gregorian calendar, from days since the start of 1970.
///
/// Years are counted from 1 March, so that the leap day is a year's last.
fn date(days: u64) -> (u64, u64, u64) {
    // 0000-03-01 lies 719,468 days earlier; the calendar repeats every 400 years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn stamps_are_calendar_time() {
        let at = |seconds| stamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "19700101-000000");
        assert_eq!(at(951_782_399), "20000228-235959");
        assert_eq!(at(951_782_400), "20000229-000000");
        assert_eq!(at(1_735_689_599), "20241231-235959");
        assert_eq!(at(4_107_542_400), "21000301-000000");
    }

    #[test]
    fn pictures_of_one_second_stand_side_by_side_and_leave_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let pixels = [255, 0, 0, 0, 255, 0];
        let paths = [(); 3].map(|()| save(folder.path(), [2, 1], &pixels).expect("saved"));
        assert!(paths[0] != paths[1] && paths[1] != paths[2]);
        assert_eq!(folder.path().read_dir().expect("listed").count(), 3);
        let file = std::io::BufReader::new(std::fs::File::open(&paths[2]).expect("opened"));
        let mut reader = png::Decoder::new(file).read_info().expect("a picture");
        let mut read = vec![0; reader.output_buffer_size().expect("fits")];
        reader.next_frame(&mut read).expect("read");
        assert_eq!(read, pixels);
    }
}
