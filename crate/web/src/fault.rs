//! Panics as text: after one, the instance of the module must not be used again, but its message
//! can be shown.

use js_sys::Function;
use std::cell::RefCell;
use std::panic;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

thread_local! {
    static REPORT: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Makes a panic call `report` with its text, just before it ends this instance of the module.
#[wasm_bindgen]
pub fn on_panic(report: Function) {
    REPORT.set(Some(report));
    panic::set_hook(Box::new(|info| {
        if let Some(report) = REPORT.take() {
            // There is no way left to report that reporting failed.
            let _ = report.call1(&JsValue::NULL, &JsValue::from_str(&info.to_string()));
        }
    }));
}

/// Panics, so that tests can see how the page handles it.
#[wasm_bindgen]
pub fn panic_on_purpose() {
    panic!("asked to panic by ?fault=panic");
}
