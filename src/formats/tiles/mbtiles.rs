//! MBTiles: tiles in an SQLite database, by the "MBTiles Specification" 1.3, whose rows count from the south.

use super::{Archive, FINEST_ZOOM, LARGEST_TILE, Level, Tile, stitch};
use crate::error::{Error, Result};
use crate::formats::decoded::Decoded;
use crate::formats::input::Input;
use crate::formats::raster::ReadOptions;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row};
use std::path::Path;

/// Steps of the database's machine after which its answers are no longer waited for: about a second, or ten million rows
/// of an honest index.
const MOST_STEPS: u32 = 100_000_000;
/// Steps between two looks at their number.
const STEPS_AT_ONCE: i32 = 100_000;

/// An opened database.
struct Database(Connection);

/// Whether the file is an SQLite database.
pub(in crate::formats) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.head.starts_with(b"SQLite format 3\0")
}

/// Reads the heights of all tiles.
pub(in crate::formats) fn read(input: &Input, _: &ReadOptions) -> Result<Decoded> {
    stitch(input, "MBTiles", &Database::open(&input.path)?)
}

impl Database {
    /// Opens for reading alone, without so much as a journal beside the file.
    fn open(path: &Path) -> Result<Self> {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection =
            Connection::open_with_flags(uri(path)?, flags).map_err(|error| broken(&error))?;
        let mut left = MOST_STEPS / STEPS_AT_ONCE as u32;
        let give_up = move || {
            left = left.saturating_sub(1);
            left == 0
        };
        connection
            .progress_handler(STEPS_AT_ONCE, Some(give_up))
            // Texts and tiles of a view may be made up by a function; none may ask for more memory than this.
            .and_then(|()| connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LARGEST_TILE as i32))
            .and_then(|_| connection.pragma_update(None, "trusted_schema", false))
            .map_err(|error| broken(&error))?;
        let has_tiles = "SELECT 1 FROM sqlite_schema WHERE name = 'tiles'";
        match connection.query_row(has_tiles, [], |_| Ok(())).optional() {
            Ok(Some(())) => Ok(Self(connection)),
            Ok(None) => Err(Error::input(
                "an SQLite database without tiles",
                "MBTiles of terrain-RGB",
                "export its heights, for example with gdal_translate",
            )),
            Err(error) => Err(broken(&error)),
        }
    }

    fn rows<T>(
        &self,
        query: &str,
        parameters: &[i64],
        row: fn(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.0
            .prepare(query)
            .and_then(|mut statement| {
                statement.query_map(rusqlite::params_from_iter(parameters), row)?.collect()
            })
            .map_err(|error| broken(&error))
    }
}

impl Archive for Database {
    /// The row as the database counts it.
    type Key = i64;

    fn levels(&self) -> Result<Vec<Level>> {
        let counts = self.rows("SELECT zoom_level, count(*) FROM tiles GROUP BY zoom_level", &[], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
        })?;
        let level = |(zoom, tiles): (i64, i64)| {
            Some(Level { zoom: u8::try_from(zoom).ok()?, tiles: u64::try_from(tiles).ok()? })
        };
        Ok(counts.into_iter().filter_map(level).collect())
    }

    fn tiles(&self, zoom: u8) -> Result<Vec<Tile<i64>>> {
        let last = (1_i64 << zoom.min(FINEST_ZOOM)) - 1;
        let places = self.rows(
            "SELECT tile_column, tile_row FROM tiles WHERE zoom_level = ?1",
            &[i64::from(zoom)],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
        )?;
        let tile = |(column, row): (i64, i64)| {
            let at = [u32::try_from(column).ok()?, u32::try_from(last.checked_sub(row)?).ok()?];
            Some(Tile { at, key: row })
        };
        Ok(places.into_iter().filter_map(tile).collect())
    }

    fn load(&self, zoom: u8, tile: &Tile<i64>) -> Result<Vec<u8>> {
        let found = self.rows(
            "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3 LIMIT 1",
            &[i64::from(zoom), i64::from(tile.at[0]), tile.key],
            |row| row.get::<_, Option<Vec<u8>>>(0),
        )?;
        Ok(found.into_iter().flatten().next().unwrap_or_default())
    }

    fn encoding(&self) -> Option<String> {
        // A database without the table says nothing of its encoding.
        let query = "SELECT value FROM metadata WHERE name = 'encoding'";
        self.0.query_row(query, [], |row| row.get(0)).ok()
    }
}

/// The path as the database wants it, where no lock and no journal is to be written.
fn uri(path: &Path) -> Result<String> {
    let path = std::path::absolute(path).ok().and_then(|path| path.to_str().map(str::to_owned));
    let Some(path) = path else {
        return Err(Error::input("a path that is no text", "a path in Unicode", "rename the file"));
    };
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23").replace('\\', "/");
    let slash = if escaped.starts_with('/') { "" } else { "/" };
    Ok(format!("file://{slash}{escaped}?immutable=1"))
}

fn broken(error: &rusqlite::Error) -> Error {
    let told = error.to_string().replace('\n', " ");
    Error::input(format!("a broken MBTiles database: {told}"), "whole MBTiles", "get the file again")
}

#[cfg(test)]
mod tests;
