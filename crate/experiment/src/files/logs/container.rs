//! What text is wrapped in, once it is unpacked: a tar archive, UTF-16.
//!
//! Of an archive with one file that file is read; of one with several the names are kept. UTF-16 is
//! known by its byte order mark and becomes UTF-8.
//!
//! Source: the interchange format ustar, IEEE Std 1003.1, `pax`.

/// Bytes at the start of a file that tell a tar archive.
const HEAD: usize = 262;

/// The magic of a tar archive, and where it is.
const USTAR: (usize, &[u8]) = (257, b"ustar");

/// The size of a block of a tar archive.
const BLOCK: usize = 512;

/// Names of files of an archive that are kept.
const NAMES: usize = 4;

/// Takes text out of what it is wrapped in.
#[derive(Debug)]
pub(super) enum Container {
    /// Too few bytes to tell.
    Unknown(Vec<u8>),
    Plain,
    Utf16(Utf16),
    Tar(Box<Tar>),
}

impl Default for Container {
    fn default() -> Container {
        Container::Unknown(Vec::new())
    }
}

impl Container {
    /// Passes the text of these bytes on.
    pub(super) fn push<E>(
        &mut self,
        bytes: &[u8],
        text: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Container::Unknown(head) => {
                head.extend_from_slice(&bytes[..bytes.len().min(HEAD)]);
                if head.len() < HEAD {
                    return Ok(());
                }
                let head = std::mem::take(head);
                let rest = &bytes[bytes.len().min(HEAD)..];
                *self = Container::of(&head);
                self.push(&head, text)?;
                self.push(rest, text)
            }
            Container::Plain => text(bytes),
            Container::Utf16(decoder) => text(decoder.decode(bytes)),
            Container::Tar(archive) => archive.push(bytes, text),
        }
    }

    /// Passes on what is left when the file ends.
    pub(super) fn finish<E>(
        &mut self,
        text: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Container::Unknown(head) = self {
            let head = std::mem::take(head);
            *self = Container::of(&head);
            self.push(&head, text)?;
        }
        Ok(())
    }

    /// What begins with these bytes.
    fn of(head: &[u8]) -> Container {
        let (at, magic) = USTAR;
        if head.get(at..at + magic.len()) == Some(magic) {
            return Container::Tar(Box::default());
        }
        match head {
            [0xff, 0xfe, ..] => Container::Utf16(Utf16::new(u16::from_le_bytes)),
            [0xfe, 0xff, ..] => Container::Utf16(Utf16::new(u16::from_be_bytes)),
            _ => Container::Plain,
        }
    }

    /// The names of the first files of an archive, and the count of all.
    pub(super) fn files(&self) -> (&[String], usize) {
        match self {
            Container::Tar(archive) => (&archive.names, archive.files),
            _ => (&[], 0),
        }
    }
}

/// Decodes UTF-16.
#[derive(Debug)]
pub(super) struct Utf16 {
    unit: fn([u8; 2]) -> u16,
    /// A byte without its second one, and the first of two surrogates.
    byte: Option<u8>,
    high: Option<u16>,
    text: String,
}

impl Utf16 {
    fn new(unit: fn([u8; 2]) -> u16) -> Utf16 {
        Utf16 {
            unit,
            byte: None,
            high: None,
            text: String::new(),
        }
    }

    fn decode(&mut self, bytes: &[u8]) -> &[u8] {
        self.text.clear();
        for &byte in bytes {
            let Some(first) = self.byte.take() else {
                self.byte = Some(byte);
                continue;
            };
            let unit = (self.unit)([first, byte]);
            if self.high.is_none() && (0xd800..0xdc00).contains(&unit) {
                self.high = Some(unit);
                continue;
            }
            let units = self.high.take().into_iter().chain([unit]);
            let decoded = char::decode_utf16(units);
            self.text
                .extend(decoded.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        }
        self.text.as_bytes()
    }
}

/// Reads the first file of an archive and the names of all.
#[derive(Debug, Default)]
pub(super) struct Tar {
    /// The header that is not whole yet.
    header: Vec<u8>,
    /// Bytes left of the file that is being passed over or on, and of the padding after it.
    content: u64,
    padding: u64,
    /// Whether the content is the text.
    is_text: bool,
    /// Whether the archive has ended.
    ended: bool,
    names: Vec<String>,
    files: usize,
}

impl Tar {
    fn push<E>(
        &mut self,
        mut bytes: &[u8],
        text: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        while !bytes.is_empty() && !self.ended {
            if self.content + self.padding > 0 {
                let in_content = self.content > 0;
                let left = if in_content {
                    &mut self.content
                } else {
                    &mut self.padding
                };
                let length = (*left).min(bytes.len() as u64);
                *left -= length;
                let (piece, rest) = bytes.split_at(length as usize);
                bytes = rest;
                if self.is_text && in_content {
                    text(piece)?;
                }
                continue;
            }
            let missing = (BLOCK - self.header.len()).min(bytes.len());
            self.header.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if self.header.len() == BLOCK {
                self.open();
                self.header.clear();
            }
        }
        Ok(())
    }

    /// Opens the file of a whole header.
    fn open(&mut self) {
        let header = &self.header;
        let size = octal(&header[124..136]);
        let Some(size) = size.filter(|_| header[0] > 0) else {
            self.ended = true;
            return;
        };
        self.content = size;
        self.padding = size.next_multiple_of(BLOCK as u64) - size;
        let name = until_zero(&header[..100]);
        let base = name.rsplit('/').next().unwrap_or_default();
        // Copies on a Mac have a companion that holds attributes.
        let is_file = matches!(header[156], b'0' | 0) && size > 0 && !base.starts_with("._");
        self.is_text = is_file && self.files == 0;
        if is_file {
            self.files += 1;
            if self.names.len() < NAMES {
                self.names.push(name);
            }
        }
    }
}

/// The text of a field up to its first zero, without control characters.
fn until_zero(field: &[u8]) -> String {
    let end = field.iter().position(|byte| *byte == 0);
    let text = String::from_utf8_lossy(&field[..end.unwrap_or(field.len())]);
    text.replace(char::is_control, "\u{fffd}")
}

/// A number in octal digits.
fn octal(field: &[u8]) -> Option<u64> {
    let text = until_zero(field);
    u64::from_str_radix(text.trim(), 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a file that comes in pieces of so many bytes.
    fn text(file: &[u8], piece: usize) -> (String, Container) {
        let (mut container, mut out) = (Container::default(), Vec::new());
        let mut take = |bytes: &[u8]| -> Result<(), ()> {
            out.extend_from_slice(bytes);
            Ok(())
        };
        for piece in file.chunks(piece) {
            container.push(piece, &mut take).unwrap();
        }
        container.finish(&mut take).unwrap();
        (String::from_utf8(out).unwrap(), container)
    }

    fn member(name: &str, kind: u8, content: &str) -> Vec<u8> {
        let mut header = [0; BLOCK];
        header[..name.len()].copy_from_slice(name.as_bytes());
        let size = format!("{:011o}", content.len());
        header[124..135].copy_from_slice(size.as_bytes());
        header[156] = kind;
        header[257..262].copy_from_slice(b"ustar");
        let mut member = header.to_vec();
        member.extend_from_slice(content.as_bytes());
        member.resize(member.len().next_multiple_of(BLOCK), 0);
        member
    }

    #[test]
    fn the_one_file_of_an_archive_is_its_text() {
        let content = "; MaxProcs: 8\n".repeat(60);
        let archive = [
            member("logs/", b'5', ""),
            member("pax", b'x', "30 mtime=1\n"),
            member("logs/._a.swf", b'0', "attributes"),
            member("logs/a.swf", b'0', &content),
            vec![0; 2 * BLOCK],
            b"rest".to_vec(),
        ]
        .concat();
        for piece in [1, 100, 511, 512, 513, archive.len()] {
            let (text, container) = text(&archive, piece);
            assert_eq!(text, content, "{piece}");
            assert_eq!(container.files(), (&["logs/a.swf".to_owned()][..], 1));
        }
    }

    #[test]
    fn the_files_of_an_archive_are_named() {
        let archive = [
            member("a.swf", b'0', "1 2\n"),
            member("b.swf", 0, "3 4\n"),
            vec![0; 2 * BLOCK],
        ]
        .concat();
        let (text, container) = text(&archive, 700);
        assert_eq!(text, "1 2\n");
        assert_eq!(container.files().1, 2);
        assert_eq!(container.files().0, ["a.swf", "b.swf"]);
    }

    #[test]
    fn text_of_two_bytes_a_character_is_decoded() {
        let words = "JobID|Müller|𝄞\n";
        for (mark, bytes) in [
            ([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]),
            ([0xfe, 0xff], u16::to_be_bytes),
        ] {
            let mut file = mark.to_vec();
            file.extend(words.encode_utf16().flat_map(bytes));
            for piece in [1, 3, 400] {
                let (text, _) = text(&file, piece);
                assert_eq!(text.trim_start_matches('\u{feff}'), words);
            }
            file.extend([0x00, 0xd8, 0x00]);
            assert!(text(&file, 5).0.starts_with('\u{feff}'));
        }
        assert_eq!(text(b"plain", 2).0, "plain");
    }
}
