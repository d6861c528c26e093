//! The short form of a link, which the page offers for long ones: `#z1?`, and the text of the plain
//! link as raw deflate in base64url. What it holds is read as a plain link is. Compressors differ, so
//! that the same link may have several short forms.

use std::io::{Read, Write};

use anyhow::{Context, Result, ensure};
use backfill_experiment::language::scenario::link::{LinkError, MAX_LENGTH, MAX_UNPACKED};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// The start of a short link.
const START: &str = "#z1?";

/// The short form of a plain link; refused where even that would be cut on its way.
pub(crate) fn short(plain: &str) -> Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain.as_bytes())?;
    let packed = BASE64_URL_SAFE_NO_PAD.encode(encoder.finish()?);
    let link = format!("{START}{packed}");
    ensure!(link.len() <= MAX_LENGTH, LinkError::TooLong(link.len()));
    Ok(link)
}

/// The plain form of a link, short or plain.
pub(crate) fn plain(link: String) -> Result<String> {
    match link.strip_prefix(START) {
        Some(packed) => unpacked(packed),
        None => Ok(link),
    }
}

fn unpacked(packed: &str) -> Result<String> {
    let broken = "this short link was altered or cut on its way, and cannot be unpacked: \
                  copy the whole address again";
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(packed);
    let bytes = bytes.ok().context(broken)?;
    let mut decoder = DeflateDecoder::new(&*bytes);
    let mut plain = String::new();
    // No more is unpacked, whatever it would hold.
    let most = MAX_UNPACKED as u64 + 1;
    let read = decoder.by_ref().take(most).read_to_string(&mut plain);
    read.ok().context(broken)?;
    ensure!(
        plain.len() <= MAX_UNPACKED,
        "this short link holds more than {MAX_UNPACKED} characters, which no link to a scenario has"
    );
    ensure!(decoder.get_ref().is_empty(), broken);
    Ok(plain)
}
