use gloo::net::http::Request;
use js_sys::ArrayBuffer;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::RequestCredentials;

use super::origin::{Failure, explain};
use crate::worker::protocol::Problem;

/// The bytes at `url`; `Ok(None)` when the server says that there is no such file.
pub(super) async fn get(url: &str) -> Result<Option<ArrayBuffer>, Problem> {
    let page = web_sys::window().and_then(|w| w.location().origin().ok()).unwrap_or_default();
    let fail = |failure| explain(url, &page, failure);
    let response = Request::get(url)
        .credentials(RequestCredentials::Omit)
        .send()
        .await
        .map_err(|_| fail(Failure::NoResponse))?;
    match response.status() {
        404 | 410 => return Ok(None),
        _ if !response.ok() => return Err(fail(Failure::Status(response.status()))),
        _ => {}
    }
    // As a buffer, so that it can be moved into the worker without a copy on this side.
    let raw: web_sys::Response = response.into();
    let broken = || {
        Problem::new(
            format!("the connection broke while reading {}", crate::format::short(url)),
            "reload the page",
        )
    };
    let promise = raw.array_buffer().map_err(|_| broken())?;
    let buffer = JsFuture::from(promise).await.map_err(|_| broken())?;
    buffer.dyn_into().map(Some).map_err(|_| broken())
}
