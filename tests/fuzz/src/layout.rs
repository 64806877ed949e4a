//! How one input becomes the files that a reader opens.

use std::path::{Path, PathBuf};

/// The files that a reader opens, by the extension it expects: one file, or a header and the samples beside it.
pub enum Layout {
    Single(&'static str),
    /// An input of these is the header's length in two bytes, the header, and the samples.
    Pair {
        header: &'static str,
        samples: &'static str,
    },
}

/// Names that content alone does not stand for.
const LAYOUTS: [(&str, Layout); 8] = [
    ("hgt", Layout::Single("N46E008.hgt")),
    ("raw", Layout::Single("field.r16")),
    ("gtx", Layout::Single("field.gtx")),
    ("ehdr", Layout::Pair { header: "field.hdr", samples: "field.bil" }),
    ("envi", Layout::Pair { header: "field.hdr", samples: "field.dat" }),
    ("roi_pac", Layout::Pair { header: "field.dem.rsc", samples: "field.dem" }),
    ("saga", Layout::Pair { header: "field.sgrd", samples: "field.sdat" }),
    ("rraster", Layout::Pair { header: "field.grd", samples: "field.gri" }),
];

/// How a reader's files lie.
pub fn layout(reader: &str) -> &'static Layout {
    LAYOUTS.iter().find(|known| known.0 == reader).map_or(&Layout::Single("field.bin"), |known| &known.1)
}

impl Layout {
    /// Lays an input out in a folder and names the file to open.
    pub fn lay_out(&self, folder: &Path, input: &[u8]) -> std::io::Result<PathBuf> {
        match self {
            Self::Single(name) => write(folder, name, input),
            Self::Pair { header, samples } => {
                let length = input.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes) as usize);
                let rest = input.get(2..).unwrap_or_default();
                let (head, data) = rest.split_at(length.min(rest.len()));
                write(folder, header, head)?;
                write(folder, samples, data)
            }
        }
    }

    /// The input that stands for a file and what lies beside it.
    pub fn pack(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let content = std::fs::read(path)?;
        let Self::Pair { header, .. } = self else { return Ok(content) };
        let extension = header.split_once('.').map_or("", |parts| parts.1);
        let header = std::fs::read(path.with_extension(extension))?;
        let length = u16::try_from(header.len()).map_err(std::io::Error::other)?;
        Ok([&length.to_le_bytes()[..], &header, &content].concat())
    }
}

fn write(folder: &Path, name: &str, content: &[u8]) -> std::io::Result<PathBuf> {
    let path = folder.join(name);
    std::fs::write(&path, content)?;
    Ok(path)
}
