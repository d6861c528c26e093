//! Themes of charts, and the colour scale of rasters.
//!
//! Series colours follow the colour-blind-safe set of M. Okabe and K. Ito, "Color Universal Design"
//! (2008), darker on light backgrounds and lighter on dark ones, for a contrast of 3:1 (WCAG 2.2,
//! criterion 1.4.11). The scale of rasters is cividis: J. Nuñez, C. Anderton, R. Renslow,
//! "Optimizing colormaps with consideration for color vision deficiency to enable accurate
//! interpretation of scientific data", PLOS ONE 13(7), 2018. Its lightness rises evenly and looks
//! nearly the same with every kind of colour vision. Differences go from the colour of none, in the
//! middle, to that set's blue and orange, which no kind of colour vision confuses.

/// Red, green and blue of an sRGB colour.
pub type Rgb = [u8; 3];

/// The number of series styles; later series repeat them.
pub const SERIES_STYLES: usize = 8;

/// The number of colours for areas side by side, the hues among them, and the share of the
/// background in a pale one.
pub const AREAS: usize = 2 * HUES;
const HUES: usize = 6;
const PALE: f32 = 0.45;

/// The colours of a chart, one per role. All are different, so that a colour identifies its role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The background.
    pub background: Rgb,
    /// Title and labels.
    pub text: Rgb,
    /// Axis lines and tick labels.
    pub axis: Rgb,
    /// Lines across the chart at the ticks of its y axis.
    pub grid: Rgb,
    /// One per series style.
    pub series: [Rgb; SERIES_STYLES],
}

impl Theme {
    /// For a light page, and for print.
    pub const LIGHT: Self = Self {
        background: [0xff, 0xff, 0xff],
        text: [0x1b, 0x1f, 0x27],
        axis: [0x5b, 0x63, 0x70],
        grid: [0xe2, 0xe5, 0xea],
        series: [
            [0x00, 0x66, 0xa8],
            [0xd0, 0x52, 0x00],
            [0x00, 0x8a, 0x62],
            [0xb0, 0x4f, 0x8c],
            [0x9a, 0x6a, 0x00],
            [0x23, 0x86, 0xc0],
            [0x4a, 0x4f, 0x58],
            [0x7d, 0x7a, 0x00],
        ],
    };

    /// For a dark page.
    pub const DARK: Self = Self {
        background: [0x14, 0x17, 0x1c],
        text: [0xe8, 0xea, 0xee],
        axis: [0x9a, 0xa2, 0xae],
        grid: [0x2c, 0x31, 0x39],
        series: [
            [0x5a, 0xa9, 0xf0],
            [0xff, 0x86, 0x4a],
            [0x2b, 0xc4, 0x97],
            [0xe5, 0x94, 0xc4],
            [0xe6, 0xac, 0x1c],
            [0x8f, 0xd3, 0xf7],
            [0xc3, 0xc8, 0xd0],
            [0xee, 0xe3, 0x55],
        ],
    };

    /// A colour of the [`AREAS`] for areas side by side: six hues, each of two levels of lightness
    /// in turn, towards `idle`.
    pub fn area(&self, place: usize, idle: Rgb) -> Rgb {
        let hue = self.series[place % HUES];
        let is_pale = (place + place / HUES) % 2 == 1;
        if is_pale { mixed(hue, idle, PALE) } else { hue }
    }

    /// The role of a colour of this theme as a name: `background`, `text`, `axis`, `grid`, or
    /// `series-0` to `series-7`.
    pub fn role(&self, colour: Rgb) -> Option<String> {
        let named = [
            (self.background, "background"),
            (self.text, "text"),
            (self.axis, "axis"),
            (self.grid, "grid"),
        ];
        named
            .into_iter()
            .find(|&(of_role, _)| of_role == colour)
            .map(|(_, name)| name.to_owned())
            .or_else(|| {
                let style = self
                    .series
                    .iter()
                    .position(|&of_style| of_style == colour)?;
                Some(format!("series-{style}"))
            })
    }
}

/// Cividis at the entries where its 256 colours bend; in between, the published colours are on a
/// straight line to within two levels of 255.
const CIVIDIS_BENDS: [(u8, Rgb); 18] = [
    (0, [0, 34, 78]),
    (17, [0, 46, 108]),
    (22, [0, 49, 113]),
    (23, [1, 50, 113]),
    (28, [18, 53, 112]),
    (35, [32, 58, 111]),
    (53, [56, 71, 108]),
    (86, [88, 94, 109]),
    (110, [109, 111, 114]),
    (125, [122, 122, 120]),
    (152, [147, 142, 120]),
    (175, [170, 160, 115]),
    (203, [199, 183, 103]),
    (224, [222, 201, 88]),
    (234, [233, 211, 78]),
    (246, [247, 222, 62]),
    (251, [253, 227, 52]),
    (255, [254, 232, 56]),
];

/// The 256 colours of cividis, dark blue to yellow.
pub const CIVIDIS: [Rgb; 256] = {
    let mut colours = [[0; 3]; 256];
    let mut bend = 0;
    while bend + 1 < CIVIDIS_BENDS.len() {
        let (from, low) = CIVIDIS_BENDS[bend];
        let (to, high) = CIVIDIS_BENDS[bend + 1];
        let span = (to - from) as i32;
        let mut entry = from as i32;
        while entry <= to as i32 {
            let mut channel = 0;
            while channel < 3 {
                let rise = high[channel] as i32 - low[channel] as i32;
                let doubled = 2 * low[channel] as i32 * span + 2 * rise * (entry - from as i32);
                colours[entry as usize][channel] = ((doubled + span) / (2 * span)) as u8;
                channel += 1;
            }
            entry += 1;
        }
        bend += 1;
    }
    colours
};

/// The colours of a raster: idle, from 0 to 100 % in use, and beyond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shades {
    /// Nothing in use: a tone of the page's background.
    pub idle: Rgb,
    /// In use, from just above 0 to 100 %.
    pub ramp: [Rgb; 256],
    /// Above 100 %: a hue outside the ramp.
    pub over: Rgb,
}

/// The look of a cell's number.
pub trait Colouring {
    /// Its colour.
    fn of(&self, number: f32) -> Rgb;

    /// Whether its cell is hollow, to distinguish it from others of about that lightness.
    fn hollow(&self, _number: f32) -> bool {
        false
    }
}

impl Shades {
    /// For a light page.
    pub const LIGHT: Self = Self {
        idle: [0xec, 0xee, 0xf1],
        ramp: CIVIDIS,
        over: [0xe0, 0x2f, 0x6b],
    };

    /// For a dark page.
    pub const DARK: Self = Self {
        idle: [0x26, 0x2a, 0x31],
        ramp: CIVIDIS,
        over: [0xff, 0x5c, 0x8d],
    };
}

/// The position of a share on a scale of colours, 0 to 1. Most links of a busy system are nearly
/// full: half of the colours are for the shares from 80 to 100 %.
pub fn place(share: f32) -> f32 {
    if share < 0.8 {
        0.625 * share
    } else {
        2.5 * share - 1.5
    }
}

impl Colouring for Shades {
    /// The colour of a fraction in use: up to 0, and NaN, is idle; 1 is the last of the ramp; above
    /// 1, beyond rounding, is over.
    fn of(&self, fraction: f32) -> Rgb {
        if fraction > 1.0 + TOLD_APART {
            self.over
        } else if fraction > 0.0 {
            self.ramp[(place(fraction) * 255.0).round() as usize]
        } else {
            self.idle
        }
    }
}

/// Smaller differences print as 0.0 points and count as none: sums of shares differ by rounding.
pub const TOLD_APART: f32 = 0.0005;

/// The colours of differences of shares, on the scale from −100 to 100 points, half of them for
/// less than 20 points. Negative ones are hollow, so that the sign does not depend on hue alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// No difference: a tone of the page's background.
    pub none: Rgb,
    /// 100 points less.
    pub less: Rgb,
    /// 100 points more.
    pub more: Rgb,
    /// Beyond that: a hue outside the scale.
    pub over: Rgb,
}

impl Contrast {
    /// For a light page.
    pub const LIGHT: Self = Self {
        none: Shades::LIGHT.idle,
        less: [0x00, 0x4a, 0x80],
        more: [0xc0, 0x4a, 0x00],
        over: Shades::LIGHT.over,
    };

    /// For a dark page.
    pub const DARK: Self = Self {
        none: Shades::DARK.idle,
        less: [0x7c, 0xbd, 0xff],
        more: [0xff, 0x9a, 0x5c],
        over: Shades::DARK.over,
    };

    /// The distance of the least visible difference from the middle.
    const STEP: f32 = 0.2;
}

impl Contrast {
    /// The colour at a position of the scale, from −1 to 1.
    pub(crate) fn at(&self, place: f32) -> Rgb {
        let end = if place > 0.0 { self.more } else { self.less };
        let share = Self::STEP + (1.0 - Self::STEP) * place.abs();
        mixed(end, self.none, share)
    }
}

impl Colouring for Contrast {
    /// The colour of a difference of shares; NaN is none.
    fn of(&self, difference: f32) -> Rgb {
        let size = difference.abs();
        if size > 1.0 + TOLD_APART {
            self.over
        } else if size >= TOLD_APART {
            self.at((1.0 - place(1.0 - size)).copysign(difference))
        } else {
            self.none
        }
    }

    fn hollow(&self, difference: f32) -> bool {
        difference <= -TOLD_APART
    }
}

/// A mix of a share of the first colour and the rest of the second.
pub fn mixed(one: Rgb, other: Rgb, share: f32) -> Rgb {
    let mut mixed = other;
    for (level, one) in mixed.iter_mut().zip(one) {
        *level = (share * f32::from(one) + (1.0 - share) * f32::from(*level)).round() as u8;
    }
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series_styles;
    use palette::color_difference::Ciede2000;
    use palette::white_point::D65;
    use palette::{Clamp, IntoColor, Lab, LinSrgb, Srgb};

    /// Relative luminance by WCAG 2.2.
    fn luminance(colour: Rgb) -> f64 {
        let linear = colour.map(|level| {
            let level = f64::from(level) / 255.0;
            if level <= 0.04045 {
                level / 12.92
            } else {
                libm::pow((level + 0.055) / 1.055, 2.4)
            }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn contrast_is_that_of_the_guideline() {
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
        assert!((contrast([0x77; 3], [255; 3]) - 4.48).abs() < 0.01);
    }

    #[test]
    fn every_series_has_contrast_and_text_can_be_read() {
        for theme in [Theme::LIGHT, Theme::DARK] {
            for colour in theme.series {
                let found = contrast(colour, theme.background);
                assert!(found >= 3.0, "{colour:?} has {found}");
            }
            assert!(contrast(theme.text, theme.background) >= 4.5);
            assert!(contrast(theme.axis, theme.background) >= 4.5);
        }
    }

    /// Matrices for linear red, green and blue as seen without one of the three kinds of cones: G.
    /// Machado, M. Oliveira, L. Fernandes, "A physiologically-based model for simulation of color
    /// vision deficiency", IEEE TVCG 15(6), 2009, table 1 at severity 1.
    const VISIONS: [(&str, [[f64; 3]; 3]); 4] = [
        ("all", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    fn seen([red, green, blue]: Rgb, vision: &[[f64; 3]; 3]) -> Lab<D65, f64> {
        let light: LinSrgb<f64> = Srgb::new(red, green, blue).into_linear();
        let [red, green, blue] = vision.map(|[from_red, from_green, from_blue]| {
            from_red * light.red + from_green * light.green + from_blue * light.blue
        });
        LinSrgb::new(red, green, blue).clamp().into_color()
    }

    #[test]
    fn series_that_look_alike_to_anybody_differ_in_dash_and_marker() {
        let looks = series_styles();
        let mut alike = 0;
        for theme in [Theme::LIGHT, Theme::DARK] {
            for (_, vision) in &VISIONS {
                for one in 0..SERIES_STYLES {
                    for other in 0..one {
                        let [a, b] = [one, other].map(|style| seen(theme.series[style], vision));
                        let distance = a.difference(b);
                        if distance >= 10.0 {
                            continue;
                        }
                        alike += 1;
                        let [a, b] = [looks[one], looks[other]];
                        assert_ne!(a.dash, b.dash);
                        assert_ne!((a.corners, a.filled), (b.corners, b.filled));
                    }
                }
            }
        }
        // The number of pairs, over both themes and all visions, that need them.
        assert_eq!(alike, 18);
    }

    #[test]
    fn use_is_lighter_the_more_it_is_to_everybody() {
        for (name, vision) in &VISIONS {
            let lightness = CIVIDIS.map(|colour| seen(colour, vision).l);
            for (entry, ends) in lightness.windows(2).enumerate() {
                // Levels of 255 are coarse: a step may be rounded down, invisibly.
                assert!(ends[0] <= ends[1] + 0.05, "{name}: {entry}: {ends:?}");
            }
            for ends in lightness.windows(8) {
                assert!(ends[0] < ends[7], "{name}: {ends:?}");
            }
        }
    }

    #[test]
    fn areas_have_colours_of_their_own_and_differ_in_lightness_in_turn() {
        for (theme, idle) in [
            (Theme::LIGHT, Shades::LIGHT.idle),
            (Theme::DARK, Shades::DARK.idle),
        ] {
            let areas: Vec<Rgb> = (0..AREAS).map(|place| theme.area(place, idle)).collect();
            for (place, one) in areas.iter().enumerate() {
                assert!(!areas[..place].contains(one), "{place}");
                assert!(contrast(*one, idle) > 1.5, "{place}");
            }
            for place in 1..HUES {
                assert!(contrast(areas[place - 1], areas[place]) > 1.1, "{place}");
            }
        }
    }

    #[test]
    fn every_role_has_a_colour_of_its_own() {
        for theme in [Theme::LIGHT, Theme::DARK] {
            for (style, &colour) in theme.series.iter().enumerate() {
                assert_eq!(theme.role(colour), Some(format!("series-{style}")));
            }
            assert_eq!(theme.role(theme.grid).as_deref(), Some("grid"));
            assert_eq!(theme.role(theme.axis).as_deref(), Some("axis"));
            assert_eq!(theme.role(theme.text).as_deref(), Some("text"));
            assert_eq!(theme.role([1, 2, 3]), None);
        }
    }

    #[test]
    fn cividis_grows_lighter_and_never_darker() {
        for entries in CIVIDIS.windows(3) {
            let [one, two, three] = [entries[0], entries[1], entries[2]].map(luminance);
            assert!(one <= two && two <= three && one < three, "{entries:?}");
        }
        assert_eq!(CIVIDIS[0], [0, 34, 78]);
        assert_eq!(CIVIDIS[255], [254, 232, 56]);
    }

    #[test]
    fn colours_mix_by_their_shares() {
        assert_eq!(mixed([200, 0, 100], [0, 100, 100], 0.25), [50, 75, 100]);
        assert_eq!(mixed([0; 3], Shades::LIGHT.idle, 0.0), Shades::LIGHT.idle);
    }

    #[test]
    fn differences_grow_away_from_the_middle_and_their_signs_differ() {
        for contrast in [Contrast::LIGHT, Contrast::DARK] {
            assert_eq!(contrast.of(0.0), contrast.none);
            assert_eq!(contrast.of(f32::NAN), contrast.none);
            assert_eq!(contrast.of(-0.000_4), contrast.none);
            assert_eq!(
                (contrast.of(1.0), contrast.of(-1.0)),
                (contrast.more, contrast.less)
            );
            assert_eq!(
                (contrast.of(1.01), contrast.of(-1.01)),
                (contrast.over, contrast.over)
            );
            assert!(contrast.hollow(-0.3) && !contrast.hollow(0.3) && !contrast.hollow(0.0));
            for sign in [1.0, -1.0] {
                let away = |percent: u8| {
                    self::contrast(
                        contrast.none,
                        contrast.of(sign * f32::from(percent) / 100.0),
                    )
                };
                assert!(away(1) > 1.1, "{}", away(1));
                assert!((1..100).all(|percent| away(percent) <= away(percent + 1)));
                assert!(away(100) >= 3.0, "{}", away(100));
            }
            let [red, _, blue] = [0, 1, 2].map(|channel| {
                i32::from(contrast.more[channel]) - i32::from(contrast.less[channel])
            });
            assert!(red > 100 && blue < -100, "orange and blue");
        }
    }

    #[test]
    fn a_fuller_link_is_never_darker_and_nearly_full_ones_differ() {
        let luminances = (1..=1000).map(|share| luminance(Shades::LIGHT.of(share as f32 / 1000.0)));
        assert!(luminances.collect::<Vec<_>>().is_sorted());
        let [at_80, at_90, full] = [0.8, 0.9, 1.0].map(|share| Shades::LIGHT.of(share));
        for (lighter, darker) in [(at_90, at_80), (full, at_90)] {
            let found = contrast(lighter, darker);
            assert!(found >= 1.7, "{lighter:?} on {darker:?} has {found}");
        }
    }

    #[test]
    fn idle_full_and_over_differ() {
        for shades in [Shades::LIGHT, Shades::DARK] {
            assert_eq!(shades.of(0.0), shades.idle);
            assert_eq!(shades.of(f32::NAN), shades.idle);
            assert_eq!(shades.of(1.0), CIVIDIS[255]);
            assert_eq!(shades.of(0.8), CIVIDIS[128]);
            // Sums of shares differ by rounding.
            assert_eq!(shades.of(1.000_1), CIVIDIS[255]);
            assert_eq!(shades.of(1.001), shades.over);
            assert!(!shades.ramp.contains(&shades.over));
            assert!(!shades.ramp.contains(&shades.idle));
        }
    }
}
