//! Panics in words: after one, the instance of the module must not be used again, but what it said
//! can be shown.

use js_sys::Function;
use std::cell::RefCell;
use std::panic;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

thread_local! {
    static TELL: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Has `tell` called with the text of a panic, just before it ends this instance of the module.
#[wasm_bindgen]
pub fn on_panic(tell: Function) {
    TELL.set(Some(tell));
    panic::set_hook(Box::new(|info| {
        if let Some(tell) = TELL.take() {
            // There is nobody left to tell that telling failed.
            let _ = tell.call1(&JsValue::NULL, &JsValue::from_str(&info.to_string()));
        }
    }));
}

/// Panics, so that tests can see what the page makes of it.
#[wasm_bindgen]
pub fn panic_on_purpose() {
    panic!("asked to panic by ?fault=panic");
}
