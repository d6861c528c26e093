//! A small server for one folder, on this machine alone.
//!
//! It answers as a static host does, compressed where the browser takes that, with two additions:
//! nothing is cached, so that a new build shows at once, and the page's own content security policy
//! comes as a header too. Workers obey the header only.

use anyhow::{Context, Result};
use axum::Router;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use tokio::net::TcpListener;
use tower_http::compression::CompressionLayer;

/// Serves `folder` until the command is stopped; port 0 means a free one.
pub(crate) fn serve(folder: &Path, port: u16) -> Result<()> {
    let page = fs::read_to_string(folder.join("index.html"))?;
    let policy = policy(&page)
        .context("www/index.html has no <meta http-equiv=\"Content-Security-Policy\">")?;
    let policy = HeaderValue::from_str(&policy).context("the page's policy is one line of text")?;
    let folder = folder.to_owned();
    let site = Router::new()
        .fallback(move |method: Method, uri: Uri| {
            let answer = answer(&method, &uri, &folder, &policy);
            async { answer }
        })
        .layer(CompressionLayer::new());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", port))
            .await
            .with_context(|| format!("cannot listen on port {port} of 127.0.0.1"))?;
        let address = format!("http://{}/", listener.local_addr()?);
        println!("Backfill runs at {address} (Ctrl-C stops it)");
        open(&address);
        Ok(axum::serve(listener, site).await?)
    })
}

/// The content security policy that `page` states for itself.
fn policy(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("http-equiv=\"Content-Security-Policy\"")?;
    let (_, rest) = rest.split_once("content=\"")?;
    Some(rest.split_once('"')?.0.to_owned())
}

fn answer(method: &Method, uri: &Uri, folder: &Path, policy: &HeaderValue) -> Response {
    let file = match *method {
        Method::GET | Method::HEAD => inside(folder, uri.path()),
        _ => None,
    };
    let body = file.as_ref().and_then(|file| fs::read(file).ok());
    let (status, kind, body) = match (file, body) {
        (Some(file), Some(body)) => (StatusCode::OK, media_type(&file), body),
        _ => (
            StatusCode::NOT_FOUND,
            "text/plain; charset=utf-8",
            b"not found\n".to_vec(),
        ),
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_SECURITY_POLICY, policy.clone()),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, body).into_response()
}

/// The file that the path of an address asks for, never outside `folder`.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = path.trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    path.components()
        .all(|part| matches!(part, Component::Normal(_)))
        .then(|| folder.join(path))
}

/// The media type of a file of the page, by its name.
fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|name| name.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("gz") => "application/gzip",
        Some("swf" | "csv" | "toml" | "txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Opens `address` in a browser where there is a desktop.
fn open(address: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if env::var_os("DISPLAY").is_some() || env::var_os("WAYLAND_DISPLAY").is_some() {
        "xdg-open"
    } else {
        return;
    };
    // Without it the address is there to be clicked or copied.
    let _ = Command::new(program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_leaves_the_folder() {
        let folder = Path::new("/site");
        assert_eq!(inside(folder, "/"), Some("/site/index.html".into()));
        assert_eq!(inside(folder, "/a/b.js"), Some("/site/a/b.js".into()));
        assert_eq!(
            inside(folder, "//etc/passwd"),
            Some("/site/etc/passwd".into())
        );
        for url in ["/..", "/../x", "/a/../../x"] {
            assert_eq!(inside(folder, url), None, "{url}");
        }
    }

    #[test]
    fn the_policy_is_the_pages_own() {
        let page = "<meta http-equiv=\"Content-Security-Policy\"\n content=\"default-src 'self'\">";
        assert_eq!(policy(page).as_deref(), Some("default-src 'self'"));
        assert_eq!(policy("<p>"), None);
    }
}
