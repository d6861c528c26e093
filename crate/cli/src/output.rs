//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a file: a neighbour takes the bytes, and once they are all there the name.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut neighbour = OsString::from(path);
    neighbour.push(format!(".{}.part", std::process::id()));
    let written = File::create_new(&neighbour)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&neighbour, path));
    if written.is_err() {
        // It may not even have been made.
        let _ = fs::remove_file(&neighbour);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_a_failure_leaves_nothing() {
        let folder = std::env::temp_dir().join(format!("backfill-{}-output", std::process::id()));
        fs::create_dir_all(folder.join("taken/inside")).unwrap();
        let path = folder.join("result.csv");
        write(&path, b"a long first version").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        // A folder that is not empty cannot be replaced by a file.
        let refused = write(&folder.join("taken"), b"third").unwrap_err();
        assert!(
            refused.to_string().starts_with("cannot write "),
            "{refused}"
        );
        let mut names: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["result.csv", "taken"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
