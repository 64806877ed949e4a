//! The command line program: arguments to a call.

use std::process::ExitCode;

fn main() -> ExitCode {
    orograph::cli::run(std::env::args_os())
}
