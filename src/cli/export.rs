//! `export`: the field's samples in another format.

use super::interrupt;
use super::options::{Conduct, FieldReading, OneInput};
use super::output::{Sink, write_atomically};
use super::report::Report;
use crate::error::{Error, Result};
use crate::export::{Format, Options, Plan};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The arguments of `export`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What is exported.
    #[command(flatten)]
    pub input: OneInput,
    /// The file to write, its format by its extension: .tif .asc .png .r16 .r32
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Spread the heights over all codes of .png and .r16, lowest to highest, even where they would fit as they are
    #[arg(long)]
    pub full_range: bool,
    /// How the file is read.
    #[command(flatten)]
    pub reading: FieldReading,
    /// How the program behaves.
    #[command(flatten)]
    pub conduct: Conduct,
}

/// Writes the file, and what belongs beside it.
///
/// # Errors
/// The input cannot be read, the format cannot hold it, or the output cannot be written.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let output = &arguments.output;
    let format = Format::from_path(output)?;
    let input = arguments.input.input();
    check_other(input.name(), output)?;
    let raster = input.read(&arguments.reading.options(), report)?;
    if raster.facts.statistics.valid == 0 {
        let error = Error::input("no valid sample", "at least one", "choose another file or band");
        return Err(error.in_file(input.name()));
    }
    let options = Options { full_range: arguments.full_range };
    let plan = Plan::new(&raster, format, options).map_err(|error| error.in_file(output))?;
    let spinner = report.spinner(format!("writing {}", output.display()));
    write_atomically(output, |out| plan.write(&mut Interruptible(out)))?;
    let sidecar = plan.sidecar(output);
    if let Some((path, text)) = &sidecar {
        write_atomically(path, |out| out.write_all(text.as_bytes()))?;
    }
    drop(spinner);
    report.note(format_args!("wrote {}", output.display()));
    if let Some((path, _)) = &sidecar {
        report.note(format_args!(
            "wrote {}, which says where it stands and what its codes mean",
            path.display()
        ));
    }
    plan.notes().iter().for_each(|note| report.note(format_args!("{}: {note}", output.display())));
    Ok(())
}

/// Refuses to write over what is read.
fn check_other(input: &Path, output: &Path) -> Result<()> {
    let [input, target] = [input, output].map(std::fs::canonicalize);
    match (input, target) {
        (Ok(input), Ok(target)) if input == target => {
            Err(Error::usage("an output that is the input", "another file", "choose another name")
                .in_file(output))
        }
        _ => Ok(()),
    }
}

/// A sink that ends the work once the user wants it to end.
struct Interruptible<'a>(&'a mut dyn Sink);

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not of the kind `Interrupted`, after which writers try again.
        if interrupt::is_raised() {
            return Err(io::Error::other("interrupted"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for Interruptible<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
