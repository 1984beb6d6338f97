"""Golden BCa intervals from scipy.

    python bca.py make    writes binary/bca.json and choice/bca.json
    python bca.py check   recomputes them and compares

scipy.stats.bootstrap(method="BCa") does the correction and the jackknife; it is handed the replicates of reference.py
(2,000 of them), so that both sides correct the same distribution.
"""
import json, sys
from pathlib import Path
from types import SimpleNamespace
import numpy as np
from scipy import stats
import reference as r

HERE = Path(__file__).parent
r.B = 2000


def bca(columns, statistic, replicates, level=r.LEVEL):
    """columns: arrays with one entry a cluster; statistic(*columns, axis)."""
    if any(v is None for v in replicates) or len(set(replicates)) == 1: return None
    known = SimpleNamespace(bootstrap_distribution=np.array(replicates, float))
    got = stats.bootstrap(tuple(np.asarray(c, float) for c in columns), statistic, paired=True, vectorized=True, n_resamples=0,
                          method="BCa", confidence_level=level, bootstrap_result=known).confidence_interval
    return None if np.isnan(got.low) else {"lower": float(got.low), "upper": float(got.high)}


def ratio(a, b, axis=-1): return a.sum(axis) / b.sum(axis)


def difference(a, b, c, d, axis=-1): return a.sum(axis) / b.sum(axis) - c.sum(axis) / d.sum(axis)


def rate(clusters, num, den):
    point, value = r.ratio(clusters, num, den)
    if point is None: return None
    columns = [[r.plain_sum(num(x) for x in c if den(x)) for c in clusters], [sum(1 for x in c if den(x)) for c in clusters]]
    return bca(columns, ratio, [value(m) for m in r.multiplicities(len(clusters))])


def ece(clusters):
    point, _, value = r.ece(clusters)
    if point is None: return None
    q = len(clusters)

    def of_clusters(index, axis=-1):
        """ECE of the clusters whose numbers stand along the last axis, each counted as often as it stands there."""
        index = np.asarray(index)
        flat = index.reshape(-1, index.shape[-1]).astype(int)
        out = [value(np.bincount(row, minlength=q)) for row in flat]
        return np.array(out, float).reshape(index.shape[:-1])
    return bca([np.arange(q)], of_clusters, [value(m) for m in r.multiplicities(q)])


def lift(a, b):
    common = {x["item_id"] for x in a} & {x["item_id"] for x in b}
    names = sorted({x["cluster_id"] for x in a if x["item_id"] in common}, key=lambda c: c.encode())
    columns = []
    for rows in (a, b):
        inside = [x for x in rows if x["item_id"] in common]
        columns.append([sum(bool(x["correct"]) for x in inside if x["cluster_id"] == c) for c in names])
        columns.append([sum(1 for x in inside if x["cluster_id"] == c) for c in names])
    columns = np.array(columns, float)
    drawn = [columns @ m for m in r.multiplicities(len(names))]
    return bca(columns, difference, [d[0] / d[1] - d[2] / d[3] for d in drawn])


def expected(folder, control):
    rows, _ = r.load(folder / "records.jsonl")
    groups = {}
    for x in rows:
        if x["status"] in r.SERVED: groups.setdefault((x["model"], x["arm"]), []).append(x)
    groups = {k: g for k, g in sorted(groups.items()) if len({x["item_id"] for x in g}) >= r.MIN_ITEMS}
    out = {}
    one = lambda x: True
    for (model, arm), g in groups.items():
        clusters = r.by_cluster(g)
        figures = {
            "accuracy": rate(clusters, lambda x: 1 if x["correct"] else 0, one),
            "abstention_rate": rate(clusters, lambda x: 1 if x["status"] == "abstained" else 0, one),
            "brier": rate(clusters, lambda x: (r.p_and_y(x)[0] - r.p_and_y(x)[1]) ** 2, lambda x: r.p_and_y(x) is not None),
            "ece": ece(clusters),
        }
        if arm != control and (model, control) in groups: figures["evidence_lift"] = lift(g, groups[(model, control)])
        out[f"{model}/{arm}"] = figures
    return {"n_resamples": r.B, "control": control, "figures": out}


if __name__ == "__main__":
    for name, _, control in r.SETS:
        got = json.dumps(expected(HERE / name, control), indent=1)
        target = HERE / name / "bca.json"
        if sys.argv[1] == "make": target.write_text(got + "\n")
        else: print(name, "agrees" if target.read_text().strip() == got else "DIFFERS")
