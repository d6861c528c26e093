//! Steps that are not done again while nothing changed: neither what they read nor what they wrote.

use anyhow::Result;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Calls `make` unless it was called before with these `inputs` and left these `outputs`, which are
/// files or folders; this program is an input, too. What was found is noted in `stamp`.
pub(crate) fn unless_fresh(
    stamp: &Path,
    inputs: &[&Path],
    outputs: &[&Path],
    make: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let all = || {
        let program = env::current_exe()?;
        let paths = inputs.iter().chain(outputs).copied();
        state(paths.chain([program.as_path()]))
    };
    let is_fresh = outputs.iter().all(|output| output.exists())
        && fs::read_to_string(stamp).is_ok_and(|old| all().is_ok_and(|now| now == old));
    if is_fresh {
        return Ok(());
    }
    make()?;
    if let Some(folder) = stamp.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(stamp, all()?)?)
}

/// What tells one state of these files, or of all files of these folders, from another.
pub(crate) fn state<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<String> {
    let mut noted = String::new();
    for path in paths {
        note(path, &mut noted)?;
    }
    Ok(noted)
}

/// Writes what tells one state of a file, or of all files of a folder, from another.
fn note(path: &Path, to: &mut String) -> Result<()> {
    let data = fs::metadata(path)?;
    if data.is_dir() {
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut inner = entries.collect::<Result<Vec<PathBuf>>>()?;
        inner.sort();
        return inner.iter().try_for_each(|path| note(path, to));
    }
    let written = data.modified()?.duration_since(UNIX_EPOCH)?.as_nanos();
    writeln!(to, "{} {} {written}", path.display(), data.len())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_done_again_only_after_a_change() {
        let folder = env::temp_dir().join(format!("backfill-stamp-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [stamp, input, output] = ["stamp", "input", "output"].map(|name| folder.join(name));
        let mut calls = 0;
        let mut step = || {
            unless_fresh(&stamp, &[&input], &[&output], || {
                calls += 1;
                Ok(fs::write(&output, "made")?)
            })
            .unwrap();
            calls
        };
        fs::write(&input, "one").unwrap();
        assert_eq!((step(), step()), (1, 1));
        fs::write(&input, "another").unwrap();
        assert_eq!((step(), step()), (2, 2));
        fs::remove_file(&output).unwrap();
        assert_eq!((step(), step()), (3, 3));
        fs::write(&output, "changed").unwrap();
        assert_eq!((step(), step()), (4, 4));
        fs::remove_dir_all(folder).unwrap();
    }
}
