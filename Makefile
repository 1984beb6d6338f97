# Wrappers, one purpose each; what they do is written in Rust and documented there.
# `--locked` everywhere: what is built is what was tested.

.PHONY: help demo test site serve screenshots lighthouse bench

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

demo: ## replay the recorded run, verify every number, build the site and serve it (SERVE=0 stops after the verdict)
	cargo build --release --locked --bins
	cargo run --release --locked --quiet --bin site -- demo $(if $(filter 0,$(SERVE)),--no-serve)

test: ## every check: format, lints, documentation, native tests, wasm32 tests, browser tests
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --quiet -p bootstrap -p metrics -p records
	cargo test --locked --workspace

site: ## build the site into site/dist, of every run or of RUNS=one,another
	cargo run --release --locked --bin site -- build $(if $(RUNS),--runs "$(RUNS)")

serve: ## serve site/dist on this machine
	cargo run --release --locked --quiet --bin site -- serve

screenshots: ## pictures of every view of the site, or of URLS="…", in target/screenshots
	cargo run --locked --package e2e --bin screenshots -- $(URLS)

lighthouse: ## Lighthouse's four scores of the site, on a phone and on a laptop (needs node; a network the first time)
	cargo run --locked --package e2e --bin lighthouse

bench: ## time figures and reading, in Chromium too, with ratios to numpy, duckdb, polars and node where they are installed
	cargo bench --locked -p metrics --bench report
	cargo bench --locked -p records --bench reading
	cargo run --release --locked --quiet --package e2e --bin wasm_bench
	cargo run --release --locked --quiet --package e2e --bin large
	-python3 tests/compare/numpy_report.py
