#!/usr/bin/env python3
"""Makes the table of requests in docs/service.md from Sources/ArtworkService/openapi.json.

    Scripts/docs/service-reference.py [--check]    with --check: fails if the table is not what it would make
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MARK = re.compile(r"(<!-- From here to the next heading: made by Scripts/docs/service-reference.py .*? -->\n).*?(?=^## )", re.S | re.M)
METHODS = ("get", "put", "patch", "post", "delete")


def table():
    document = json.loads((ROOT / "Sources/ArtworkService/openapi.json").read_text())
    yield "| request | | answers |\n|---|---|---|\n"
    for path, item in document["paths"].items():
        for method in METHODS:
            if operation := item.get(method):
                codes = ", ".join(sorted(code for code in operation["responses"] if code != "default"))
                yield f"| `{method.upper()} {path}` | {operation['summary']} | {codes} |\n"


page = ROOT / "docs/service.md"
text = page.read_text()
made, count = MARK.subn(lambda found: f"{found[1]}\n{''.join(table())}\n", text)
if count != 1:
    sys.exit("docs/service.md lacks the comment that names Scripts/docs/service-reference.py")
if sys.argv[1:] == ["--check"]:
    if made != text:
        sys.exit("docs/service.md is not what Scripts/docs/service-reference.py makes")
else:
    page.write_text(made)
