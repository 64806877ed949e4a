//! `adapters`: what can be drawn with.

use super::options::Conduct;
use super::report::Report;
use super::results;
use crate::error::{Error, Result};
use crate::gpu::{AdapterFacts, NO_ADAPTER_REMEDY, adapters, instance};

/// The arguments of `adapters`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print them as JSON
    #[arg(long)]
    pub json: bool,
    /// How the program behaves.
    #[command(flatten)]
    pub conduct: Conduct,
}

/// Prints every adapter.
///
/// # Errors
/// There is none.
pub fn run(arguments: &Arguments, _report: &mut Report) -> Result<()> {
    let seen = adapters(&instance(|| None));
    if arguments.json {
        results::print_json(&seen)?;
    } else {
        results::print(&seen.iter().map(text).collect::<String>())?;
    }
    if seen.is_empty() {
        return Err(Error::adapter("no adapter", "one to draw with", NO_ADAPTER_REMEDY));
    }
    Ok(())
}

fn text(adapter: &AdapterFacts) -> String {
    let features = if adapter.features.is_empty() { "none".to_owned() } else { adapter.features.join(", ") };
    format!(
        "{}\n  backend  {}\n  kind     {}\n  driver   {}\n  features {features}\n",
        adapter.name, adapter.backend, adapter.kind, adapter.driver
    )
}
