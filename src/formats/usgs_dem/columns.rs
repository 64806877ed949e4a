//! Numbers in fixed columns, as Fortran writes them.

/// A whole number in six columns.
pub(super) fn integer(bytes: &[u8], start: usize) -> Option<i64> {
    field(bytes, start, 6)?.parse().ok()
}

/// A finite number in `width` columns, its exponent after D or E.
pub(super) fn real(bytes: &[u8], start: usize, width: usize) -> Option<f64> {
    let text = field(bytes, start, width)?.replace(['D', 'd'], "e");
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn field(bytes: &[u8], start: usize, width: usize) -> Option<&str> {
    std::str::from_utf8(bytes.get(start..start.checked_add(width)?)?).ok().map(str::trim)
}
