// Starts the page. Kept apart from index.html because the page's policy allows no inline script.
import init, { start_page } from "{{glue}}";

function failed(error) {
  document.body.dataset.state = "failed";
  const place = document.getElementById("broken");
  place.hidden = false;
  place.textContent =
    "The program of this page could not start, so nothing has been checked. " +
    "It needs WebAssembly; reloading helps when a file was only half loaded. (" + error + ")";
}

try {
  await init({ module_or_path: "{{wasm}}" });
  start_page("{{worker}}");
} catch (error) {
  failed(error);
}
