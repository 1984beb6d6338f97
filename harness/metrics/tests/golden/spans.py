"""Golden pairs of spans: the definition read by Python's unicodedata, str.casefold and regular expressions.

    python spans.py make    writes spans.json
    python spans.py check   recomputes it and compares
"""
import json, re, sys, unicodedata
from pathlib import Path

TARGET = Path(__file__).parent / "spans.json"
PAIRS = [
    ("The Eiffel Tower", "eiffel tower"), ("eiffel-tower", "EiffelTower"), ("Café", "Cafe\u0301"), ("Café", "Cafe"),
    ("straße", "STRASSE"), ("ﬁnance", "FINANCE"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"), ("１２３", "123"), ("1,000", "1000"), ("3.5", "35"),
    ("3.5", "3.5."), ("-5", "5"), ("−5", "-5"), ("2019-2020", "20192020"), ("an apple a day", "apple day"), ("Theatre", "atre"),
    ("  two\u00a0 words ", "two words"), ("“quoted”", "quoted"), ("$5", "5"), ("C++", "C"), ("The", "A"), ("?", "!"), ("?!", "?!"),
    ("the", "THE"), ("İstanbul", "i\u0307stanbul"), ("x\u200by", "xy"), ("東京", "東京。"), ("한글", "한글"), ("½", "1/2"),
    ("U.S.", "us"), ("v1.2.3", "v123"), ("१२", "12"), ("naïve", "NAÏVE"), ("O'Brien", "OBrien"), ("", "the"), ("№ 5", "no 5"),
    ("हिन्दी", "हनद"), ("٣.٥", "٣٥"), ("a.5", "a5"), ("new york", "New  York, the"), ("-x", "x"),
]


def is_number(c): return c != "" and unicodedata.category(c).startswith("N")


def normalise(text):
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    out = []
    for i, c in enumerate(text):
        before, after = text[i - 1:i] if i else "", text[i + 1:i + 2]
        if c == "." and is_number(before) and is_number(after): out.append(c)
        elif c in "-\u2212" and is_number(after) and (before == "" or before.isspace()): out.append("-")
        elif c.isspace() or unicodedata.category(c)[0] in "LNM": out.append(c)
    short = " ".join(re.sub(r"(?<!\S)(a|an|the)(?!\S)", " ", "".join(out)).split())
    return unicodedata.normalize("NFC", short) or " ".join(text.split())


if __name__ == "__main__":
    got = json.dumps([{"a": a, "b": b, "normal_a": normalise(a), "same": normalise(a) == normalise(b)} for a, b in PAIRS], indent=1)
    if sys.argv[1] == "make": TARGET.write_text(got + "\n")
    else: print("agrees" if TARGET.read_text().strip() == got else "DIFFERS")
