//! The width of a label, by one table for every machine.
//!
//! Advance widths are those of Helvetica, shared by Arial and Liberation Sans, in thousandths of
//! the font size. The true font of a viewer may differ by a few per cent; layouts leave that room.

/// The fonts of all charts, as CSS and SVG list them: those with the widths below, then any.
pub const FONTS: &str = "Helvetica, Arial, Liberation Sans, sans-serif";

/// Height of a line, in font sizes.
pub const LINE_HEIGHT: f64 = 1.2;

/// Advance widths of space to tilde, regular weight.
const REGULAR: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Advance widths of space to tilde, bold.
const BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];

/// Width of any other letter of an alphabet.
const OTHER: u16 = 620;

/// Width of an ideograph, an emoji and the like.
const WIDE: u16 = 1000;

/// Width of `text` in the unit of `size`, the font size.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let widths = if bold { &BOLD } else { &REGULAR };
    let thousandths: u64 = text
        .chars()
        .map(|character| match character {
            ' '..='~' => widths[character as usize - ' ' as usize],
            '…' | '\u{2e80}'.. => WIDE,
            _ => OTHER,
        })
        .map(u64::from)
        .sum();
    size * thousandths as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        assert_eq!(width("", 10.0, false), 0.0);
        assert_eq!(width("0.5", 10.0, false), 13.9);
        assert_eq!(width("~", 10.0, true), 5.84);
        assert!(width("Wait", 12.0, true) > width("Wait", 12.0, false));
        assert_eq!(width("作…", 1.0, false), 2.0);
    }
}
