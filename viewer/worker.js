// The worker's side of the same module as the page.
import init, { start_worker } from "{{glue}}";

await init({ module_or_path: "{{wasm}}" });
await start_worker();
