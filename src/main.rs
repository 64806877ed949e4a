//! The command line program: arguments to a call.

fn main() {}
