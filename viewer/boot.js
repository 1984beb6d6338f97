// Starts the page. Kept apart from index.html because the page's policy allows no inline script.
function failed(error) {
  document.body.dataset.state = "failed";
  const place = document.getElementById("broken");
  place.hidden = false;
  place.textContent =
    "The program of this page could not start, so nothing has been checked. " +
    "It needs WebAssembly; reloading helps when a file was only half loaded. (" + error + ")";
}

// What was published is painted before the program is fetched. In a window that nobody sees nothing is painted.
function painted() {
  return new Promise((done) => {
    new PerformanceObserver(done).observe({ type: "paint", buffered: true });
    setTimeout(done, 500);
  });
}

// The worker's modules come with the program, not after it.
function prefetch(href) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", as: "fetch", crossOrigin: "", href }));
}

try {
  await painted();
  const { default: init, start_page } = await import("{{glue}}");
  const program = init({ module_or_path: "{{wasm}}" });
  {{parts}}.forEach(prefetch);
  await program;
  // A task of its own, so that the browser can paint before.
  await new Promise(setTimeout);
  start_page("{{worker}}");
} catch (error) {
  failed(error);
}
