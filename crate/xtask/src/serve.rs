//! A small server for one folder, on this machine alone.
//!
//! It answers as a static host does, with three additions: nothing is cached and open pages load
//! again after each build, so that it shows at once, and the page's own content security policy
//! comes as a header too. Workers obey the header only. Every connection has a thread of its own and ends with its answer: browsers
//! open half a dozen at once.

use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The largest request that is read, in bytes.
const LARGEST_REQUEST: u64 = 64 * 1024;

/// How long a browser may take to send its request or to take a part of the answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The script that every page has here beside its own, and what it listens to.
const RELOAD: &str = "reload.js";
const BUILDS: &str = "builds";

/// Loads the page again after each build.
const RELOAD_SCRIPT: &str = "new EventSource('./builds').onmessage = () => location.reload();\n";

/// How long a page may wait to hear of a build.
const PAUSE: Duration = Duration::from_millis(200);

/// Serves `folder`, which was built so often since, until the command is stopped; port 0 means a
/// free one.
pub(crate) fn serve(folder: &Path, port: u16, builds: &Arc<AtomicUsize>) -> Result<()> {
    let page = fs::read_to_string(folder.join("index.html"))?;
    let policy = policy(&page)
        .context("www/index.html has no <meta http-equiv=\"Content-Security-Policy\">")?;
    let site = Arc::new((folder.to_owned(), policy));
    let listener = TcpListener::bind(("127.0.0.1", port))
        .with_context(|| format!("cannot listen on port {port} of 127.0.0.1"))?;
    let address = format!("http://{}/", listener.local_addr()?);
    println!("Backfill runs at {address} (Ctrl-C stops it)");
    open(&address);
    for connection in listener.incoming().flatten() {
        let (site, builds) = (Arc::clone(&site), Arc::clone(builds));
        thread::spawn(move || {
            let (folder, policy) = &*site;
            // A browser that went away needs no answer.
            let _ = answer(connection, folder, policy, &builds);
        });
    }
    Ok(())
}

/// The content security policy that `page` states for itself.
fn policy(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("http-equiv=\"Content-Security-Policy\"")?;
    let (_, rest) = rest.split_once("content=\"")?;
    Some(rest.split_once('"')?.0.to_owned())
}

/// Reads one request and answers it.
fn answer(
    mut connection: TcpStream,
    folder: &Path,
    policy: &str,
    builds: &AtomicUsize,
) -> std::io::Result<()> {
    connection.set_read_timeout(Some(PATIENCE))?;
    connection.set_write_timeout(Some(PATIENCE))?;
    let mut request = Vec::new();
    let mut lines = BufReader::new(Read::by_ref(&mut connection).take(LARGEST_REQUEST));
    // An empty line ends a request without a body.
    while lines.read_until(b'\n', &mut request)? > 2 {}
    let request = String::from_utf8_lossy(&request);
    let (head, body) = response(&request, folder, policy);
    connection.write_all(head.as_bytes())?;
    connection.write_all(&body)?;
    if !head.contains(EVENTS) {
        return Ok(());
    }
    let before = builds.load(Ordering::Relaxed);
    while builds.load(Ordering::Relaxed) == before {
        thread::sleep(PAUSE);
        // A comment, which fails once nobody listens any more.
        connection.write_all(b":\n")?;
    }
    connection.write_all(b"data: built\n\n")
}

/// The head and the body of the answer to a request.
fn response(request: &str, folder: &Path, policy: &str) -> (String, Vec<u8>) {
    let mut words = request.split_ascii_whitespace();
    let (method, address) = (words.next(), words.next().unwrap_or_default());
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let file = match method {
        Some("GET" | "HEAD") => inside(folder, path),
        _ => None,
    };
    let found = file.and_then(|file| Some((media_type(&file), contents(folder, &file)?)));
    let (status, kind, mut body) = match found {
        Some((kind, body)) => ("200 OK", kind, body),
        None => (
            "404 Not Found",
            "text/plain; charset=utf-8",
            b"not found\n".to_vec(),
        ),
    };
    let length = match kind {
        // It ends with the connection.
        EVENTS => String::new(),
        _ => format!("Content-Length: {}\r\n", body.len()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{length}\
         Content-Security-Policy: {policy}\r\nX-Content-Type-Options: nosniff\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    );
    if method == Some("HEAD") {
        body.clear();
    }
    (head, body)
}

/// The file that the path of an address asks for, never outside `folder`.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = path.trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    path.components()
        .all(|part| matches!(part, Component::Normal(_)))
        .then(|| folder.join(path))
}

/// What is served as a file of `folder`, if it is one: pages with the script that loads them again.
fn contents(folder: &Path, file: &Path) -> Option<Vec<u8>> {
    if file == folder.join(RELOAD) {
        return Some(RELOAD_SCRIPT.into());
    }
    if file == folder.join(BUILDS) {
        return Some(Vec::new());
    }
    let contents = fs::read(file).ok()?;
    if file.extension().is_none_or(|end| end != "html") {
        return Some(contents);
    }
    let script = format!("<script type=\"module\" src=\"./{RELOAD}\"></script>\n</head>");
    let page = String::from_utf8_lossy(&contents);
    Some(page.replacen("</head>", &script, 1).into_bytes())
}

/// The media type of events that a server tells as they come.
const EVENTS: &str = "text/event-stream";

/// The media type of a file of the page, by its name.
fn media_type(file: &Path) -> &'static str {
    if file.ends_with(BUILDS) {
        return EVENTS;
    }
    match file.extension().and_then(|name| name.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "map") => "application/json",
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

    #[test]
    fn a_request_gets_the_file_and_the_policy_or_is_told_that_there_is_none() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let ask = |request: &str| response(request, &folder, "default-src 'self'");
        let (head, body) = ask("GET /serve.rs?x#y HTTP/1.1\r\nHost: a\r\n\r\n");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        assert!(head.contains("Content-Security-Policy: default-src 'self'\r\n"));
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())));
        assert!(head.ends_with("\r\n\r\n"));
        assert!(body.starts_with(b"//! A small server"));
        assert!(ask("HEAD /serve.rs HTTP/1.1\r\n\r\n").1.is_empty());
        let (head, body) = ask("GET /builds HTTP/1.1\r\n\r\n");
        assert!(
            head.contains("Content-Type: text/event-stream\r\n"),
            "{head}"
        );
        assert!(
            !head.contains("Content-Length") && body.is_empty(),
            "{head}"
        );
        assert!(
            ask("GET /reload.js HTTP/1.1\r\n\r\n")
                .1
                .starts_with(b"new EventSource")
        );
        for request in ["GET /none HTTP/1.1", "POST /serve.rs HTTP/1.1", "GET", ""] {
            assert!(ask(request).0.starts_with("HTTP/1.1 404"), "{request}");
        }
    }
}
