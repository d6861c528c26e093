//! A folder as a .zip, since a page cannot save folders.
//!
//! Files are small texts and are stored uncompressed. Their time is the earliest that the format
//! allows, so that the same files give the same archive. Programs are executable when unpacked.
//!
//! Source: PKWARE, .ZIP File Format Specification (APPNOTE.TXT), version 6.3.10, 2022, §4.3 and
//! §4.4.

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};

const CRC: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// An entry of an archive.
pub(crate) enum Entry<'a> {
    /// A folder; its path ends with a slash.
    Folder,
    /// A file with these contents.
    File(&'a str),
    /// A program with these contents.
    Program(&'a str),
}

/// An archive of these entries by their paths.
///
/// # Panics
/// It is 4 GB or larger, or has 65,536 entries or more.
pub(crate) fn archive(entries: &[(String, Entry<'_>)]) -> Vec<u8> {
    const VERSION: u16 = 20;
    const UNIX: u16 = 3 << 8;
    const NAMES_ARE_UTF_8: u16 = 1 << 11;
    const FIRST_OF_1980: u32 = (1 << 5 | 1) << 16;
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for (path, entry) in entries {
        let (text, mode): (&str, u32) = match entry {
            Entry::Folder => ("", 0o040_755),
            Entry::File(text) => (text, 0o100_644),
            Entry::Program(text) => (text, 0o100_755),
        };
        let mut about = Vec::new();
        about.extend(two([VERSION, NAMES_ARE_UTF_8, 0]));
        let sum = CRC.checksum(text.as_bytes());
        about.extend(four([
            FIRST_OF_1980,
            sum,
            size(text.len()),
            size(text.len()),
        ]));
        about.extend(two([count(path.len()), 0]));

        let begin = size(bytes.len());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&about);
        bytes.extend(path.as_bytes());
        bytes.extend(text.as_bytes());

        directory.extend(b"PK\x01\x02");
        directory.extend(two([UNIX | VERSION]));
        directory.extend(about);
        directory.extend(two([0, 0, 0]));
        directory.extend(four([mode << 16, begin]));
        directory.extend(path.as_bytes());
    }
    let begin = size(bytes.len());
    let entries = count(entries.len());
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06");
    bytes.extend(two([0, 0, entries, entries]));
    bytes.extend(four([size(directory.len()), begin]));
    bytes.extend(two([0]));
    bytes
}

/// Numbers of two bytes each, as the form has them.
fn two<const N: usize>(numbers: [u16; N]) -> impl Iterator<Item = u8> {
    numbers.into_iter().flat_map(u16::to_le_bytes)
}

/// Numbers of four bytes each.
fn four<const N: usize>(numbers: [u32; N]) -> impl Iterator<Item = u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes)
}

fn size(bytes: usize) -> u32 {
    bytes.try_into().expect("an archive below 4 GB")
}

fn count(of: usize) -> u16 {
    of.try_into().expect("fewer than 65,536")
}
