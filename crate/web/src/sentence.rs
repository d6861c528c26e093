//! Sentences as pieces of text, with instants and links in between, which the page makes active.

use backfill_sim::id::{Id, LinkId};
use backfill_sim::unit::Time;
use serde::Serialize;

/// A piece of a sentence.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Piece {
    /// Words.
    Words(String),
    /// An instant, in seconds since the first submit.
    Instant(f64),
    /// A link.
    Link(NamedLink),
}

/// A link named in a sentence.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct NamedLink {
    /// The index of the part.
    part: usize,
    /// Its name.
    name: String,
    /// The instant of the sentence, in seconds since the first submit.
    at: f64,
}

/// The pieces of a sentence about an instant, split at its instants and links.
pub(crate) fn pieces(
    first: Time,
    at: Time,
    sentence: impl FnOnce(&dyn Fn(Time) -> String, &dyn Fn(LinkId, &str) -> String) -> String,
) -> Vec<Piece> {
    // No sentence contains these characters.
    const MARK: char = '\u{1}';
    const LINK: char = '\u{2}';
    let sentence = sentence(
        &|time| format!("{MARK}{}{MARK}", (time - first).seconds()),
        &|link, name| format!("{MARK}{LINK}{}{LINK}{name}{MARK}", link.index()),
    );
    let at = (at - first).seconds();
    let pieces = sentence.split(MARK).enumerate().map(|(index, piece)| {
        if index % 2 == 0 {
            return Piece::Words(piece.to_owned());
        }
        let link = piece
            .strip_prefix(LINK)
            .and_then(|link| link.split_once(LINK));
        let part = link.and_then(|(part, name)| Some((part.parse().ok()?, name.to_owned())));
        match (part, piece.parse()) {
            (Some((part, name)), _) => Piece::Link(NamedLink { part, name, at }),
            (None, Ok(seconds)) => Piece::Instant(seconds),
            (None, Err(_)) => Piece::Words(piece.to_owned()),
        }
    });
    pieces.collect()
}
