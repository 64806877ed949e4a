//! A command line that cannot be understood, told in one line as every other problem.

use clap::Subcommand;
use std::ffi::OsString;

/// What was found, what was expected, and where the options are listed.
pub fn line(error: &clap::Error, arguments: &[OsString]) -> String {
    let text = error.to_string();
    let mut paragraphs = text.split("\n\n").map(joined);
    let found = paragraphs.next().unwrap_or_default();
    let found = found.strip_prefix("error: ").unwrap_or(&found).replacen("': expected ", "'; expected ", 1);
    let tip = paragraphs.find_map(|paragraph| paragraph.strip_prefix("tip: ").map(|tip| format!("; {tip}")));
    let help = command(arguments).map_or_else(String::new, |command| format!("{command} "));
    format!("{found}{}; see orograph {help}--help", tip.unwrap_or_default())
}

/// A paragraph on one line.
fn joined(paragraph: &str) -> String {
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The command that the arguments begin with.
fn command(arguments: &[OsString]) -> Option<&str> {
    arguments.get(1)?.to_str().filter(|name| super::Command::has_subcommand(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let arguments: Vec<OsString> = text.split(' ').map(OsString::from).collect();
        line(&crate::cli::parse(&arguments).expect_err("refused"), &arguments)
    }

    #[test]
    fn usage_errors_are_one_line_that_names_the_help() {
        assert_eq!(
            told("orograph render --demo -o a.png --fov -5"),
            "invalid value '-5' for '--fov <DEGREES>'; expected 1 to 170 degrees; see orograph render --help"
        );
        assert_eq!(
            told("orograph query --at=1,2"),
            "the following required arguments were not provided: <FILE|--demo>; see orograph query --help"
        );
        let typo = told("orograph info a.tif --jsn");
        assert!(
            typo.starts_with("unexpected argument '--jsn' found; ") && typo.contains("'--json'"),
            "{typo}"
        );
        assert!(told("orograph --nonsense").ends_with("; see orograph --help"));
    }

    #[test]
    fn negative_numbers_reach_what_reads_them() {
        for option in ["--fov", "--exaggeration", "--spacing", "--threads", "--band", "--header-bytes"] {
            let told = told(&format!("orograph render --demo -o a.png {option} -1.5"));
            assert!(told.starts_with("invalid value '-1.5' for '"), "{told}");
        }
        let told = told("orograph verify --seed -3");
        assert!(told.starts_with("invalid value '-3' for '--seed <S>'"), "{told}");
    }
}
