//! The local server over a real socket, with requests that no library would send.

#![expect(clippy::unwrap_used, reason = "a test that cannot reach its server should stop there")]

use std::{fs, net::SocketAddr, path::Path};

use site::serve::{ServeError, listen, router, sub_path, until_interrupted};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

struct Server {
    address: SocketAddr,
    _folder: TempDir,
}

/// A small site beside a file that must never be served.
async fn server(below: &str) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("dist");
    let put = |name: &str, text: &str| {
        let path = site.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("index.html", "<!doctype html><title>page</title>");
    put("404.html", "<!doctype html><title>nothing here</title>");
    put("recount-1.wasm", "\0asm");
    put("recount-1.js", &"// the same line again and again\n".repeat(200));
    put("recount-1.css", "p{}");
    put("runs/main/records.jsonl", "{}\n");
    fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    let listener = listen(Some(0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = router(&site, below).unwrap();
    tokio::spawn(async move { until_interrupted(listener, router).await.unwrap() });
    Server { address, _folder: folder }
}

impl Server {
    /// Status line and headers in lower case, and the body's bytes.
    async fn get(&self, path: &str, headers: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
        (head, answer[end + 4..].to_vec())
    }
}

#[tokio::test]
async fn each_kind_of_file_has_its_type_and_is_never_cached() {
    let server = server("").await;
    for (path, kind) in [
        ("/", "text/html"),
        ("/recount-1.wasm", "application/wasm"),
        ("/recount-1.js", "text/javascript"),
        ("/recount-1.css", "text/css"),
    ] {
        let (head, _) = server.get(path, "").await;
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(head.contains(&format!("content-type: {kind}")), "{path}: {head}");
        assert!(head.contains("cache-control: no-cache"), "{path}: {head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{path}: {head}");
    }
}

#[tokio::test]
async fn a_file_is_compressed_for_those_who_can_read_it() {
    let server = server("").await;
    let (plain_head, plain) = server.get("/recount-1.js", "").await;
    let (head, packed) = server.get("/recount-1.js", "Accept-Encoding: gzip\r\n").await;
    assert!(!plain_head.contains("content-encoding"), "{plain_head}");
    assert!(head.contains("content-encoding: gzip"), "{head}");
    assert!(packed.len() < plain.len() / 4, "{} bytes of {}", packed.len(), plain.len());
}

#[tokio::test]
async fn nothing_outside_the_site_is_served() {
    let server = server("").await;
    for path in [
        "/../secret.txt",
        "/runs/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/..%5csecret.txt",
        "//secret.txt",
        "/runs/%00/secret.txt",
    ] {
        let (head, body) = server.get(path, "").await;
        assert!(!head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(!String::from_utf8_lossy(&body).contains("secret"), "{path} was served");
    }
}

#[tokio::test]
async fn what_is_not_there_gets_the_sites_own_page() {
    let server = server("").await;
    for path in ["/nowhere", "/runs/main/nothing.json", "/runs/other/"] {
        let (head, body) = server.get(path, "").await;
        assert!(head.starts_with("http/1.1 404"), "{path}: {head}");
        assert!(head.contains("text/html"), "{path}: {head}");
        assert!(String::from_utf8_lossy(&body).contains("nothing here"), "{path}");
    }
}

#[tokio::test]
async fn a_site_below_a_path_is_there_and_nowhere_else() {
    let server = server("/group/recount").await;
    let (head, _) = server.get("/group/recount?run=a", "").await;
    assert!(head.contains("location: /group/recount/?run=a"), "{head}");
    let (head, body) = server.get("/group/recount/", "").await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(String::from_utf8_lossy(&body).contains("page"));
    let (head, _) = server.get("/group/recount/runs/main", "").await;
    assert!(head.contains("location: /group/recount/runs/main/"), "{head}");
    for path in ["/", "/group/", "/recount-1.js", "/group/recounts/", "/group/recount-1.js"] {
        let (head, _) = server.get(path, "").await;
        assert!(head.starts_with("http/1.1 404"), "{path}: {head}");
    }
}

#[tokio::test]
async fn a_port_that_was_asked_for_is_taken_or_refused() {
    let first = listen(Some(0)).await.unwrap();
    let address = first.local_addr().unwrap();
    assert!(address.ip().is_loopback(), "{address} can be reached from elsewhere");
    let refused = listen(Some(address.port())).await.unwrap_err();
    assert!(matches!(refused, ServeError::PortInUse(port) if port == address.port()));
    assert!(refused.to_string().contains("--port"), "{refused}");
}

#[tokio::test]
async fn without_a_port_the_next_free_one_is_taken() {
    let first = listen(None).await.unwrap();
    let second = listen(None).await.unwrap();
    assert_ne!(first.local_addr().unwrap().port(), second.local_addr().unwrap().port());
}

#[test]
fn a_sub_path_has_one_form() {
    for (given, form) in [("", ""), ("/", ""), ("x", "/x"), ("/x/y/", "/x/y"), ("x//y", "/x/y")] {
        assert_eq!(sub_path(given).unwrap(), form);
    }
    for bad in ["/../x", "/a b", "/x?y", "/.hidden", "/%2e%2e"] {
        assert!(matches!(sub_path(bad), Err(ServeError::SubPath(_))), "{bad}");
    }
}

#[test]
fn a_folder_without_a_site_is_refused() {
    let missing = Path::new("/no/such/site");
    assert!(matches!(router(missing, ""), Err(ServeError::NoSite(_))));
}
