"""The whole report of a run in numpy, and how much longer it takes than Recount's.

    python tests/compare/numpy_report.py [records.jsonl [CONTROL]]

Prints the seconds of both and their ratio; exits with 3, saying so, where numpy is not installed. It is written in two
ways. In the fast one everything that can be an array operation is one: replicates are a matrix product of
multiplicities, drawn once, and the sums of all figures by cluster, and calibration errors of all replicates are formed
at once. In the usual one each figure draws its own clusters and adds up what it drew. Either makes the same figures (rates, Brier score, calibration errors with
bins, lifts, comparisons with exact p-values) from numpy's own random numbers, so its points are Recount's and its
intervals are close to Recount's. It is here to be timed; what the numbers should be is for the golden values to say.
"""
import json, math, subprocess, sys, time
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("numpy is not installed; nothing to compare with")
    sys.exit(3)

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "harness/metrics/tests/golden/binary/records.jsonl"
B, LEVEL, MIN_ITEMS, BINS = 10_000, 0.95, 20, 5
SERVED = {"answered", "abstained", "hard_fail", "refused"}


def interval(values):
    values = values[~np.isnan(values)]
    return np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if len(values) else None


class Draws:
    """Multiplicities, drawn once for each number of clusters."""
    def __init__(self, seed): self.rng, self.kept = np.random.default_rng(seed), {}

    def of(self, q):
        if q not in self.kept:
            self.kept[q] = self.rng.multinomial(q, np.full(q, 1 / q), size=B).astype(float)
        return self.kept[q]

    def totals(self, *sums): return self.of(len(sums[0])) @ np.stack(sums, 1)

    def ratios(self, pairs):
        totals = self.totals(*(sums for pair in pairs for sums in pair))
        return (totals[:, 0::2] / totals[:, 1::2]).T


class Usual(Draws):
    """Clusters, drawn anew for each figure."""
    def of(self, q): return self.rng.multinomial(q, np.full(q, 1 / q), size=B).astype(float)

    def totals(self, *sums):
        drawn = self.rng.integers(0, len(sums[0]), (B, len(sums[0])))
        return np.stack([column[drawn].sum(1) for column in sums], 1)

    def ratios(self, pairs): return [top / bottom for top, bottom in (self.totals(*pair).T for pair in pairs)]


class Series:
    def __init__(self, rows):
        self.rows = [r for r in rows if r["status"] in SERVED]
        self.attempted = len(rows)
        names = sorted({r["cluster_id"] for r in self.rows})
        place = {c: i for i, c in enumerate(names)}
        self.cluster = np.array([place[r["cluster_id"]] for r in self.rows], int)
        self.q = len(names)
        col = lambda f: np.array([f(r) for r in self.rows], float)
        self.correct = col(lambda r: bool(r["correct"]))
        self.answered = col(lambda r: r["status"] == "answered")
        self.p = col(self.predicted)
        self.y = col(lambda r: r["target"] == "YES" if r["kind"] == "binary" else bool(r["correct"]))
        self.items = {}
        for r in self.rows: self.items.setdefault(r["item_id"], []).append(r)

    @staticmethod
    def predicted(r):
        if r["kind"] == "binary":
            if r["status"] != "answered": return 0.5
            if r["confidence"] is None: return math.nan
            return r["confidence"] if r["answer"] == "YES" else 1 - r["confidence"]
        return r["confidence"] if r["status"] == "answered" and r["confidence"] is not None else math.nan

    def columns(self):
        col = lambda f: np.array([f(r) for r in self.rows], float)
        one = np.ones(len(self.rows))
        has_p = ~np.isnan(self.p)
        confident = col(lambda r: r["confidence"] is not None and r["confidence"] >= .9)
        return {
            "accuracy": (self.correct, one), "accuracy_when_answered": (self.correct * self.answered, self.answered),
            "abstention_rate": (col(lambda r: r["status"] == "abstained"), one),
            "brier": (np.where(has_p, (np.nan_to_num(self.p) - self.y) ** 2, 0), has_p.astype(float)),
            "confident_wrong_rate": ((1 - self.correct) * confident, confident),
            "citation_grounding_rate": (col(lambda r: len(r["sources"]) - len(r["sources_unknown"])), col(lambda r: len(r["sources"]))),
            "schema_ok_rate": (col(lambda r: r["schema_ok"]), one), "repair_rate": (col(lambda r: r["repairs"] > 0), one),
            "hard_fail_rate": (col(lambda r: r["status"] == "hard_fail"), one), "refusal_rate": (col(lambda r: r["status"] == "refused"), one),
        }

    def sums(self, values): return np.bincount(self.cluster, values, self.q)

    def majority(self): return {i: 2 * sum(bool(r["correct"]) for r in rows) > len(rows) for i, rows in self.items.items()}


def ece(series, m, uniform=None):
    """Calibration error in each row of m, tie groups kept whole."""
    order = np.argsort(series.p, kind="stable")
    order = order[~np.isnan(series.p[order])]
    p, y, w = series.p[order], series.y[order], m[:, series.cluster[order]]
    starts = np.flatnonzero(np.r_[True, p[1:] != p[:-1]])
    rows = np.add.reduceat(w, starts, 1)
    gap = np.add.reduceat(w * (p - y), starts, 1)
    total = rows.sum(1)
    if uniform: bins = np.broadcast_to(np.minimum((p[starts] * uniform).astype(int), uniform - 1), rows.shape)
    else: bins = np.minimum((np.cumsum(rows, 1) - rows) * BINS // np.maximum(total, 1)[:, None], BINS - 1)
    error = sum(np.abs(np.where(bins == k, gap, 0).sum(1)) for k in range(uniform or BINS))
    with np.errstate(invalid="ignore"): return error / total


def compare(a, b, draws):
    common = a.items.keys() & b.items.keys()
    if len(common) < MIN_ITEMS: return None
    sides = [Series([r for r in s.rows if r["item_id"] in common]) for s in (a, b)]
    with np.errstate(invalid="ignore", divide="ignore"):
        totals = draws.totals(*(s.sums(x) for s in sides for x in (s.correct, np.ones(len(s.rows)))))
        x, z = totals[:, 0] / totals[:, 1], totals[:, 2] / totals[:, 3]
    ma, mb = (s.majority() for s in sides)
    only_a = sum(ma[i] and not mb[i] for i in common); only_b = sum(mb[i] and not ma[i] for i in common)
    n, k = only_a + only_b, min(only_a, only_b)
    p = min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n)
    return {"difference": sides[0].correct.mean() - sides[1].correct.mean(), "interval": interval(x - z), "p": p}


def report(rows, control, draw=Draws):
    last = {(r["model"], r["arm"], r["repeat"], r["item_id"]): r for r in rows}
    groups = {}
    for r in sorted(last.values(), key=lambda r: (r["model"], r["arm"], r["repeat"], r["item_id"])): groups.setdefault((r["model"], r["arm"]), []).append(r)
    draws, all_series, out = draw(20261130), {k: Series(g) for k, g in groups.items()}, {}
    for key, s in all_series.items():
        if len(s.items) < MIN_ITEMS: continue
        columns = s.columns()
        pairs = [[s.sums(x) for x in pair] for pair in columns.values()]
        with np.errstate(invalid="ignore", divide="ignore"):
            figures = {name: (top.sum() / bottom.sum(), interval(drawn)) for name, (top, bottom), drawn in zip(columns, pairs, draws.ratios(pairs))}
        ones = np.ones((1, s.q))
        if not np.isnan(s.p).all():
            figures["ece"] = (ece(s, ones)[0], interval(ece(s, draws.of(s.q))))
            figures["ece_uniform_10"] = (ece(s, ones, 10)[0], None)
        lift = all_series.get((key[0], control)) if key[1] != control else None
        figures["evidence_lift"] = compare(s, lift, draws) if lift else None
        latencies = [r["latency_ms"] for r in s.rows if r["latency_ms"] is not None]
        figures["latency"] = np.quantile(latencies, [.5, .95]) if latencies else None
        out[key] = figures
    shown = [k for k in out if not k[1].startswith("closed") and k[1] not in ("no_context", "no_search", "baseline")]
    out["comparisons"] = [compare(all_series[a], all_series[b], draws) for i, a in enumerate(shown) for b in shown[i + 1:]]
    return out


def main():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEMO
    control = sys.argv[2] if len(sys.argv) > 2 else "closed_book_forced"
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    def best(draw):
        times = []
        for _ in range(3):
            start = time.perf_counter()
            report(rows, control, draw)
            times.append(time.perf_counter() - start)
        return min(times)
    program = ["cargo", "run", "--quiet", "--release", "-p", "metrics", "--example", "time_report", "--", str(path.resolve()), control]
    one, two = map(float, subprocess.run(program, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split())
    print(f"{len(rows)} records, B = {B:,}: Recount {one * 1e3:.1f} ms on one thread and {two * 1e3:.1f} ms on two")
    for name, draw in (("numpy, written to be fast", Draws), ("numpy, written as usual", Usual)):
        seconds = best(draw)
        print(f"{name}: {seconds * 1e3:.1f} ms, {seconds / one:.0f} times as long as one thread, {seconds / two:.0f} times as long as two")


if __name__ == "__main__": main()
