//! The rest of the module: the functions that a first visit does not call. `cargo xtask` takes them out
//! of the compiled module, and whoever calls one of them asks for them here. In Node and in the npm
//! package the module is whole, and nobody asks.

use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen::throw_val;

thread_local! {
    static FETCH: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Makes whatever needs the rest call `fetch`, which puts it in place before it returns.
#[wasm_bindgen]
pub fn on_rest_wanted(fetch: Function) {
    FETCH.set(Some(fetch));
}

/// Has the rest fetched; throws what fetching it threw, or a sentence where nobody does.
#[wasm_bindgen]
pub fn want_rest() {
    let fetch = FETCH.with_borrow(Clone::clone);
    let fetched = match fetch {
        Some(fetch) => fetch.call0(&JsValue::NULL),
        None => Err("the rest of the module is missing".into()),
    };
    if let Err(error) = fetched {
        throw_val(error);
    }
}
