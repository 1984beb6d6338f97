//! The site on this machine's own address, as a static host would serve it.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    pin::Pin,
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
};
use tokio::net::TcpListener;
use tower::ServiceExt;
use tower_http::{
    compression::CompressionLayer, services::ServeDir, set_header::SetResponseHeaderLayer,
};

/// The port when none is asked for.
pub const DEFAULT_PORT: u16 = 8080;

/// How many ports after the default are tried.
const PORTS_TRIED: u16 = 20;

/// Why the site is not served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Someone else listens there.
    #[error(
        "port {0} is in use; choose another with --port, or leave it out to take the next free one"
    )]
    PortInUse(u16),
    /// All of a range are taken.
    #[error("ports {DEFAULT_PORT} to {} are all in use; choose one with --port", DEFAULT_PORT + PORTS_TRIED)]
    NoPort,
    /// There is no site in the folder.
    #[error("{0} holds no site; run `site build` first")]
    NoSite(PathBuf),
    /// A path that cannot be a prefix.
    #[error("`{0}` is not a path like /x/y")]
    SubPath(String),
    /// The system refused.
    #[error("the site cannot be served")]
    Io(#[from] io::Error),
}

/// A listener on the loopback address.
///
/// A port that was asked for is taken or refused; 0 takes any free one. Without one the default is tried, then the
/// ports after it.
///
/// # Errors
/// The port, or every port tried, is in use.
pub async fn listen(port: Option<u16>) -> Result<TcpListener, ServeError> {
    let ports = port.map_or(DEFAULT_PORT..=DEFAULT_PORT + PORTS_TRIED, |p| p..=p);
    for port in ports {
        match TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await {
            Ok(listener) => return Ok(listener),
            Err(e) if e.kind() == io::ErrorKind::AddrInUse => {}
            Err(e) => return Err(e.into()),
        }
    }
    Err(port.map_or(ServeError::NoPort, ServeError::PortInUse))
}

/// The address of the site behind `listener`.
///
/// # Errors
/// The listener has none.
pub fn address(listener: &TcpListener, sub_path: &str) -> Result<String, ServeError> {
    Ok(format!("http://{}{sub_path}/", listener.local_addr()?))
}

/// Normalises a sub-path to `/x/y`, or to nothing for the root.
///
/// # Errors
/// It has parts that no address has.
pub fn sub_path(given: &str) -> Result<String, ServeError> {
    let parts: Vec<_> = given.split('/').filter(|part| !part.is_empty()).collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    if parts.iter().any(|part| part.starts_with('.') || !part.chars().all(plain)) {
        return Err(ServeError::SubPath(given.to_owned()));
    }
    Ok(parts.iter().map(|part| format!("/{part}")).collect())
}

/// The site in `folder` below `sub_path`: compressed on request, its own page for what is not there, never cached.
///
/// # Errors
/// `folder` holds no site.
pub fn router(folder: &Path, sub_path: &str) -> Result<Router, ServeError> {
    if !folder.join("index.html").is_file() {
        return Err(ServeError::NoSite(folder.to_owned()));
    }
    let (folder, prefix) = (folder.to_owned(), sub_path.to_owned());
    let site =
        tower::service_fn(move |request: Request| respond(folder.clone(), prefix.clone(), request));
    let always =
        |name, value| SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value));
    Ok(Router::new()
        .fallback_service(site)
        .layer(CompressionLayer::new())
        .layer(always(header::CACHE_CONTROL, "no-cache"))
        .layer(always(header::X_CONTENT_TYPE_OPTIONS, "nosniff")))
}

/// Serves until Ctrl-C.
///
/// # Errors
/// The system refuses.
pub async fn until_interrupted(listener: TcpListener, router: Router) -> Result<(), ServeError> {
    let stop: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async {
        // Without a handler Ctrl-C ends the process at once, which is as good.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    Ok(axum::serve(listener, router).with_graceful_shutdown(stop).await?)
}

async fn respond(
    folder: PathBuf,
    prefix: String,
    mut request: Request,
) -> Result<Response, std::convert::Infallible> {
    let path = request.uri().path();
    let below = match path.strip_prefix(prefix.as_str()) {
        // Relative addresses in the page only work below a folder, so its address ends in a slash.
        Some("") if !prefix.is_empty() => {
            let query = request.uri().query().map(|q| format!("?{q}")).unwrap_or_default();
            return Ok(Redirect::permanent(&format!("{prefix}/{query}")).into_response());
        }
        Some(below) if below.starts_with('/') => below,
        _ => return Ok(not_found(&folder).await),
    };
    let Ok(uri) = below.parse::<Uri>() else { return Ok(not_found(&folder).await) };
    *request.uri_mut() = uri;
    let response = ServeDir::new(&folder).oneshot(request).await;
    Ok(match response {
        Ok(found) if found.status() == StatusCode::NOT_FOUND => not_found(&folder).await,
        Ok(mut found) => {
            // A folder's address without its slash is sent on to the one with it, and that stands below the prefix.
            let to = found.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
            if let Some(to) = to.map(|to| format!("{prefix}{to}"))
                && let Ok(to) = HeaderValue::from_str(&to)
            {
                found.headers_mut().insert(header::LOCATION, to);
            }
            found.map(Body::new)
        }
        Err(never) => match never {},
    })
}

async fn not_found(folder: &Path) -> Response {
    let page = tokio::fs::read_to_string(folder.join("404.html")).await;
    let page = page.unwrap_or_else(|_| "not found".to_owned());
    (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], page)
        .into_response()
}
