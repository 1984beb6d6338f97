"""Golden interval widths on subsamples of items, by the resampling of reference.py.

    python planner.py make    writes binary/widths.json and choice/widths.json
    python planner.py check   recomputes them and compares
"""
import json, sys
from pathlib import Path
import numpy as np
import reference as r

HERE = Path(__file__).parent
r.B = 400
SUBSAMPLES, SIZES = 7, (1, 10, 25, 50, 120)
SERIES = {"binary": ("alpha", "a0"), "choice": ("gamma", "oracle")}


def order(items, s):
    """The items shuffled by the words of stream 2^63 + s."""
    items, n = list(items), len(items)
    for j, w in enumerate(r.chacha8_words(r.SEED, np.array([2**63 + s], np.uint64), n)[0]):
        k = j + ((int(w) * (n - j)) >> 32)
        items[j], items[k] = items[k], items[j]
    return items


def expected(name):
    model, arm = SERIES[name]
    rows = [x for x in r.load(HERE / name / "records.jsonl")[0] if (x["model"], x["arm"]) == (model, arm) and x["status"] in r.SERVED]
    items = sorted({x["item_id"] for x in rows}, key=lambda i: i.encode())
    out = []
    for size in SIZES:
        if size > len(items):
            out.append({"n_items": size, "mean_width": None})
            continue
        widths = []
        for s in range(SUBSAMPLES):
            taken = set(order(items, s)[:size])
            clusters = r.by_cluster([x for x in rows if x["item_id"] in taken])
            _, value = r.ratio(clusters, lambda x: 1 if x["correct"] else 0, lambda x: True)
            ends = r.boot(value, len(clusters))
            widths.append(ends["upper"] - ends["lower"])
        out.append({"n_items": size, "mean_width": r.plain_sum(widths) / len(widths)})
    return {"model": model, "arm": arm, "n_resamples": r.B, "n_subsamples": SUBSAMPLES, "widths": out}


if __name__ == "__main__":
    for name in SERIES:
        got = json.dumps(expected(name), indent=1)
        target = HERE / name / "widths.json"
        if sys.argv[1] == "make": target.write_text(got + "\n")
        else: print(name, "agrees" if target.read_text().strip() == got else "DIFFERS")
