//! Tables in Markdown.

/// A table of a heading and rows, its columns aligned; the first column's texts to the left, all others to the right.
pub fn table(heading: &[String], rows: &[Vec<String>]) -> String {
    let lines = || std::iter::once(heading).chain(rows.iter().map(Vec::as_slice));
    let width = |column: usize| {
        let cells = lines().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(2)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    let line = |cells: &[String]| {
        let cells: String = cells.iter().zip(&widths).enumerate().map(padded).collect();
        format!("|{cells}\n")
    };
    let rule: String = widths.iter().enumerate().map(rule).collect();
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("{}|{rule}\n{rows}", line(heading))
}

fn padded((column, (cell, width)): (usize, (&String, &usize))) -> String {
    if column == 0 { format!(" {cell:<width$} |") } else { format!(" {cell:>width$} |") }
}

fn rule((column, width): (usize, &usize)) -> String {
    if column == 0 { format!("{:-<1$}|", "", width + 2) } else { format!("{:->1$}:|", "", width + 1) }
}

/// Milliseconds, with as many digits as tell something.
pub fn milliseconds(time: f64) -> String {
    if time < 10.0 { format!("{time:.3}") } else { format!("{time:.1}") }
}

/// Millions of bytes.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}
