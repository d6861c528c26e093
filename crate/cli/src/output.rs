//! Output files that are written completely or not at all.
//!
//! Each file is written beside its target under a name that marks it as unfinished, and synced; all
//! are renamed together at the end. Links are followed: the target is replaced and the link stays.
//! Devices, pipes and `/dev/stdout` are written to after the files. A read-only file is refused,
//! and so is a file that is also an input or another output, before anything is run.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use tempfile::{Builder, NamedTempFile};

/// The part of the name of an unfinished file between its target's name and some random letters.
const UNFINISHED: &str = ".unfinished-";

/// The most links to follow, as many as a system follows.
const MOST_LINKS: usize = 40;

/// Files that are written but not yet renamed to their targets.
#[derive(Default)]
pub(crate) struct Outputs {
    files: Vec<(NamedTempFile, PathBuf)>,
    streams: Vec<(Destination, PathBuf, Vec<u8>)>,
}

impl Outputs {
    /// Checks that the files at `paths` can be written and differ from each other and from
    /// `inputs`, and makes `folder` if it is missing, so that a long run does not fail at its end.
    pub(crate) fn new<'a>(
        paths: impl IntoIterator<Item = &'a PathBuf>,
        inputs: &[&Path],
        folder: Option<&Path>,
    ) -> Result<Outputs> {
        let mut taken: Vec<(Identity, String)> = inputs
            .iter()
            .filter_map(|path| {
                Some((
                    Identity::of(path)?,
                    format!("{}, which is read", path.display()),
                ))
            })
            .collect();
        for path in paths {
            let destination = Destination::of(path)?;
            let Some(mine) = destination.identity() else {
                continue;
            };
            let name = path.display();
            if let Some((_, other)) = taken.iter().find(|(other, _)| *other == mine) {
                bail!("cannot write {name}: it is the same file as {other}; give it another name");
            }
            taken.push((mine, format!("{name}, which is written too")));
        }
        if let Some(folder) = folder {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        Ok(Outputs::default())
    }

    /// Writes a file whose target is `path`.
    pub(crate) fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        match Destination::of(path)? {
            Destination::File(place) => {
                let file = unfinished(&place, bytes)
                    .with_context(|| format!("cannot write {}", path.display()))?;
                self.files.push((file, place));
            }
            stream => self.streams.push((stream, path.to_owned(), bytes.to_vec())),
        }
        Ok(())
    }

    /// Whether any of it goes to the standard output, which must then carry nothing else.
    pub(crate) fn to_stdout(&self) -> bool {
        let mut streams = self.streams.iter();
        streams.any(|(destination, ..)| *destination == Destination::Stdout)
    }

    /// Renames all files to their targets, and writes to devices and pipes.
    pub(crate) fn finish(self) -> Result<()> {
        for (file, path) in self.files {
            // The error holds the file and would prevent its removal.
            let moved = file.persist(&path).map_err(|refused| refused.error);
            moved.with_context(|| format!("cannot write {}", path.display()))?;
            // Syncing a folder syncs the names of its files.
            #[cfg(unix)]
            if let Ok(folder) = File::open(folder_of(&path)) {
                let _ = folder.sync_all();
            }
        }
        for (destination, path, bytes) in self.streams {
            let written = match destination {
                Destination::Stdout => write_all(io::stdout(), &bytes),
                Destination::Stderr => write_all(io::stderr(), &bytes),
                Destination::File(place) | Destination::Stream(place) => {
                    let opened = OpenOptions::new().write(true).open(place);
                    opened.and_then(|stream| write_all(stream, &bytes))
                }
            };
            written.with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

fn write_all(mut stream: impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)?;
    stream.flush()
}

/// The target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Destination {
    /// A file that exists or will.
    File(PathBuf),
    /// A device, a pipe, or something that a process has open: it is not replaced.
    Stream(PathBuf),
    /// The standard output.
    Stdout,
    /// The standard error.
    Stderr,
}

impl Destination {
    /// The target of a path, with all links followed.
    fn of(path: &Path) -> Result<Destination> {
        let name = path.display();
        let cannot = || format!("cannot write {name}");
        let mut place = path.to_owned();
        for _ in 0..MOST_LINKS {
            if let Some(open) = held_open(&place) {
                return Ok(open);
            }
            let is_link = |found: fs::Metadata| found.file_type().is_symlink();
            if !fs::symlink_metadata(&place).is_ok_and(is_link) {
                break;
            }
            let target = fs::read_link(&place).with_context(cannot)?;
            place = folder_of(&place).join(target);
        }
        match fs::metadata(&place) {
            Ok(found) if found.is_dir() => bail!("cannot write {name}: it is a folder"),
            Ok(found) if found.is_file() => {
                let writable = !found.permissions().readonly();
                ensure!(writable, "cannot write {name}: it is read-only");
                // A file that is not read-only may still not be writable for this user.
                let opened = OpenOptions::new().write(true).open(&place);
                opened.with_context(cannot)?;
                Ok(Destination::File(place))
            }
            Ok(_) => Ok(Destination::Stream(place)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = folder_of(&place);
                ensure!(
                    folder.is_dir(),
                    "cannot write {name}: there is no folder {}",
                    folder.display()
                );
                Ok(Destination::File(place))
            }
            Err(error) => Err(error).with_context(cannot),
        }
    }

    /// Its identity; `None` if several may write to it at once.
    fn identity(&self) -> Option<Identity> {
        match self {
            Destination::File(place) => Identity::of(place),
            _ => None,
        }
    }
}

/// The file that a process has open under a number, where the system has a path for it.
fn held_open(path: &Path) -> Option<Destination> {
    let folder = fs::canonicalize(folder_of(path)).ok()?;
    let mut parts = folder.iter().skip(1);
    let (first, second) = (parts.next()?, parts.next()?);
    let mine = match first.to_str()? {
        "dev" if second == "fd" => true,
        "proc" if folder.ends_with("fd") => second.to_str()? == std::process::id().to_string(),
        _ => return None,
    };
    match path.file_name()?.to_str()? {
        "1" if mine => Some(Destination::Stdout),
        "2" if mine => Some(Destination::Stderr),
        number => number
            .parse::<u32>()
            .ok()
            .map(|_| Destination::Stream(path.to_owned())),
    }
}

/// Decides whether two paths name one file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// Its device and its number there.
    #[cfg(unix)]
    Known(u64, u64),
    /// Its path without links.
    At(PathBuf),
}

impl Identity {
    /// The identity of a file; `None` for anything else, or if its folder is missing.
    fn of(path: &Path) -> Option<Identity> {
        match fs::metadata(path) {
            Ok(found) if !found.is_file() => None,
            #[cfg(unix)]
            Ok(found) => {
                use std::os::unix::fs::MetadataExt;
                Some(Identity::Known(found.dev(), found.ino()))
            }
            #[cfg(not(unix))]
            Ok(_) => fs::canonicalize(path).ok().map(Identity::At),
            Err(_) => {
                let folder = fs::canonicalize(folder_of(path)).ok()?;
                Some(Identity::At(folder.join(path.file_name()?)))
            }
        }
    }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A file on the disk that will be renamed to `place`, with the permissions of the file there, or
/// of a new file.
fn unfinished(place: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!("{name}{UNFINISHED}");
    let mut builder = Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(place))?;
    if let Ok(before) = fs::metadata(place) {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.write_all(bytes)?;
    File::sync_all(file.as_file())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, bytes: &[u8]) -> Result<()> {
        let mut outputs = Outputs::default();
        outputs.add(path, bytes)?;
        outputs.finish()
    }

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
        let names = || {
            let mut names: Vec<_> = fs::read_dir(&folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        assert_eq!(names(), ["result.csv", "taken"]);
        // The name of a file left by a kill says that it is unfinished.
        let mut outputs = Outputs::default();
        outputs.add(&path, b"never finished").unwrap();
        let left = &names()[1];
        assert!(left.starts_with("result.csv.unfinished-"), "{left}");
        assert_eq!(fs::read(folder.join(left)).unwrap(), b"never finished");
        assert_eq!(fs::read(&path).unwrap(), b"second");
        drop(outputs);
        assert_eq!(names(), ["result.csv", "taken"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
