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

// The worker gets ready beside the page. What it says before the page listens would be lost, so it is noted here. Where
// the browser starts none, the page tries again and says why.
let worker = null;
let word = "";
try {
  worker = new Worker("{{worker}}", { type: "module" });
  worker.onmessage = () => { word = "ready"; };
  worker.onerror = () => { word = "failed"; };
} catch {}

try {
  await init({ module_or_path: "{{wasm}}" });
  start_page("{{worker}}", word === "failed" ? undefined : worker ?? undefined, word === "ready");
} catch (error) {
  failed(error);
}
