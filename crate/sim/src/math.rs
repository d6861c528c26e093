//! The only door to functions whose results differ between platforms: `libm`, compiled in, gives
//! the same bits natively and in wasm. `+ − × ÷ √` need no door.

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Logarithm to base 2.
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// Logarithm to base 10.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// e to the power of `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// `base` to the power of `exponent`.
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// Natural logarithm of the absolute value of the gamma function.
pub(crate) fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}
