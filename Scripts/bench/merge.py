#!/usr/bin/env python3
"""Measures `artworkd merge` on made-up results: time, memory, and bytes read.

    Scripts/dist
    Scripts/bench/merge.py                       # 20,000 and 100,000 results in 8 shards; needs 2 GB in .build/bench
    Scripts/bench/merge.py --rows 10000          # some seconds, to see that it works
    Scripts/bench/merge.py --formats ndjson,text

The results are those of the fixtures with evidence, renamed. One of ten releases has a duplicate, half of them in another
shard. ARTWORKD names another binary. Prints markdown.
"""

import hashlib
import json
from pathlib import Path
import shutil
import subprocess
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import ROOT, Parser, tool, usage

TOOL = tool("dist/artworkd")
BENCH = ROOT / ".build" / "bench" / "merge"
SHARDS = 8


def templates():
    """Rows of the fixtures that have a key, and a summary."""
    told = subprocess.run(
        [TOOL, "check", "--evidence", "--no-cache", "--format", "ndjson", "Tests/Fixtures/media"],
        cwd=ROOT, capture_output=True, check=False)
    rows = [json.loads(line) for line in told.stdout.splitlines()]
    return [row for row in rows[:-1] if "facts" in row], rows[-1]


def make(count, folder):
    """Writes `count` results as shards, in the order in which releases would be complete."""
    rows, closing = templates()
    folder.mkdir(parents=True)
    files = [open(folder / f"{shard}.ndjson", "w", encoding="utf-8") for shard in range(SHARDS)]
    totals = [{"total": 0, "pass": 0, "warn": 0, "fail": 0, "error": 0, "rules": {}} for _ in files]
    for place in range(count):
        row = rows[place % len(rows)]
        release = f"release-{place // 2:08d}"
        key = "1x1" if place % 2 == 0 else "3x4"
        shard = int.from_bytes(hashlib.sha256(release.encode()).digest()[:8], "big") % SHARDS
        # The same bytes as the variant of the release before: one of ten.
        content = place - 2 if place % 20 < 2 and place >= 2 else place
        evidence = row["evidence"] | {
            "place": place, "key": key, "release": f"art/{release}", "bytes": 1_000_000 + content,
            "digest": hashlib.sha256(str(content).encode()).hexdigest()}
        made = row | {"path": f"art/{release}/{key}.mp4", "artworkID": release, "evidence": evidence}
        findings = [f for f in row["findings"] if f["rule"] not in ("artwork-id-reuse", "duplicate-content")]
        severities = {finding["severity"] for finding in findings}
        made["findings"] = findings
        made["verdict"] = "fail" if "error" in severities else "warn" if "warning" in severities else "pass"
        made["destinations"] = {"now-playing": made["verdict"]}
        files[shard].write(json.dumps(made, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n")
        total = totals[shard]
        total["total"] += 1
        total[made["verdict"]] += 1
        for rule, _, _ in {(f["rule"], f["severity"], f["message"]) for f in findings}:
            total["rules"][rule] = total["rules"].get(rule, 0) + 1
    for shard, (file, total) in enumerate(zip(files, totals)):
        summary = closing["summary"] | total | {
            "shard": f"{shard + 1}/{SHARDS}", "list": {"count": count, "digest": "0" * 64}, "seconds": 1}
        file.write(json.dumps(closing | {"summary": summary}, sort_keys=True, separators=(",", ":")) + "\n")
        file.close()


def measure(folder, form):
    """Seconds, seconds of processor time, and MiB of memory of one merge."""
    output = folder / "merged"
    command = [TOOL, "merge", *sorted(folder.glob("*.ndjson")), "--format", form, "--output", output, "--quiet"]
    used = usage(command, (0, 1))
    written = output.stat().st_size
    output.unlink()
    return used.wall, used.cpu, used.rss, written


def main():
    parser = Parser(__doc__)
    parser.add_argument("--rows", type=int, action="append")
    parser.add_argument("--formats", default="ndjson,json,text")
    options = parser.parse_args()
    print("| results | format | read | written | wall time | processor time | memory |")
    print("|---:|---|---:|---:|---:|---:|---:|")
    for count in options.rows or [20_000, 100_000]:
        folder = BENCH / str(count)
        shutil.rmtree(folder, ignore_errors=True)
        make(count, folder)
        read = sum(file.stat().st_size for file in folder.glob("*.ndjson"))
        for form in options.formats.split(","):
            seconds, processor, memory, written = measure(folder, form)
            print(f"| {count:,} | `{form}` | {read / 1e6:,.0f} MB | {written / 1e6:,.0f} MB | {seconds:.1f} s "
                  f"| {processor:.1f} s | {memory:.0f} MiB |", flush=True)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
