//! Files that appear whole or not at all.
//!
//! Each is written beside its place under a passing name; only once all are written are they
//! renamed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::{Builder, NamedTempFile};

/// Writes one file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut outputs = Outputs::default();
    outputs.add(path, bytes)?;
    outputs.finish()
}

/// Files that are written but not yet in their places.
#[derive(Default)]
pub(crate) struct Outputs {
    files: Vec<(NamedTempFile, PathBuf)>,
}

impl Outputs {
    /// Checks that files can stand at `paths`, and makes `folder` if it is missing, so that nobody
    /// waits for a result that has no place.
    pub(crate) fn new<'a>(
        paths: impl Iterator<Item = &'a PathBuf>,
        folder: Option<&Path>,
    ) -> Result<Outputs> {
        for path in paths {
            let name = path.display();
            ensure!(!path.is_dir(), "cannot write {name}: it is a folder");
            let folder = folder_of(path);
            ensure!(
                folder.is_dir(),
                "cannot write {name}: there is no folder {}",
                folder.display()
            );
        }
        if let Some(folder) = folder {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        Ok(Outputs::default())
    }

    /// Writes a file that will stand at `path`.
    pub(crate) fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        let written = created(folder_of(path)).and_then(|mut file| {
            file.write_all(bytes)?;
            Ok(file)
        });
        let file = written.with_context(|| format!("cannot write {}", path.display()))?;
        self.files.push((file, path.to_owned()));
        Ok(())
    }

    /// Moves all files to their places.
    pub(crate) fn finish(self) -> Result<()> {
        for (file, path) in self.files {
            // The error would hold the file, and keep it from being removed.
            let moved = file.persist(&path).map_err(|refused| refused.error);
            moved.with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// The folder in which a file stands.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A file with a passing name, as readable by others as any new file.
fn created(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
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
