//! Requests by the user, or a batch system, to end the program.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

static HAPPENED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C and SIGTERM do not end the program: [`happened`] reports them.
pub(crate) fn watch() -> Result<()> {
    ctrlc::set_handler(|| HAPPENED.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")
}

/// Whether the program is to end.
pub(crate) fn happened() -> bool {
    HAPPENED.load(Ordering::Relaxed)
}
