#!/usr/bin/env python3
"""Counts the mistakes that artworkd makes about how labelled clips look. Prints markdown.

    Scripts/accuracy/looks/evaluate.py FOLDER                   report on the half that nothing was chosen on
    Scripts/accuracy/looks/evaluate.py FOLDER --half tuning     on the half that limits may be chosen on
    Scripts/accuracy/looks/evaluate.py FOLDER --list            name the clips with mistakes, too
    Scripts/accuracy/looks/evaluate.py FOLDER --quick           as artworkd check works by default, for now-playing

FOLDER has labels.json and the clips, as Scripts/accuracy/looks/make-clips.py writes them. Each clip is checked by the built tool
(release, else debug) with --thorough for web and now-playing. A clip with a rule's label is a hit where the rule is
raised and a miss where it is not; any other clip, of all three sets, is a false alarm where it is raised. Flashes are
also counted by an independent program (clips/reference.py) from frames that ffmpeg decodes.
Needs Python 3.9 or later with numpy, and ffmpeg 5.1.
Exit codes: 0 done, 1 something could not be run, 64 usage.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
import json
from pathlib import Path
import subprocess
import sys

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from clips import reference
from clips.clip import RULES

BUILDS = [HERE.parents[2] / ".build" / kind / "artworkd" for kind in ("release", "debug")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=["reporting", "tuning", "all"], default="reporting")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tool", type=Path, default=next((tool for tool in BUILDS if tool.exists()), BUILDS[0]))
    parser.error = lambda message: (print(f"evaluate: {message}", file=sys.stderr), sys.exit(64))
    arguments = parser.parse_args()
    labels = json.loads((arguments.folder / "labels.json").read_text(encoding="utf-8"))
    labels = [label for label in labels if arguments.half in ("all", label["half"])]
    results = check(arguments.tool, arguments.folder, labels, arguments.quick)
    print(f"{len(labels)} clips, {arguments.half} half, {'default' if arguments.quick else 'thorough'}\n")
    print("| rule | hits | false alarms | among them, traps of its own |")
    print("|---|---:|---:|---:|")
    for rule in RULES:
        kind = "blank" if rule.startswith("blank") else rule
        raised = {file: rule in (finding["rule"] for finding in result["findings"]) for file, result in results.items()}
        right = [label for label in labels if label[rule]]
        wrong = [label for label in labels if not label[rule]]
        own = [label for label in wrong if label["kind"] == kind]
        print(f"| `{rule}` | {share(right, raised)} | {share(wrong, raised)} | {share(own, raised)} |")
        if arguments.list:
            for label in labels:
                if label[rule] != raised[label["file"]]:
                    print(f"{'missed' if label[rule] else 'false alarm'}: {label['file']}: {label['about']} "
                          + json.dumps(results[label["file"]].get("looks")), file=sys.stderr)
    compare(labels, results, arguments)
    return 0


def share(labels, raised):
    count = sum(raised[label["file"]] for label in labels)
    return f"{count} of {len(labels)}"


def check(tool, folder, labels, quick):
    """The results by file name."""
    options = ["--profile", "now-playing"] if quick else ["--thorough", "--profile", "web,now-playing"]
    run = subprocess.run([tool, "check", "--no-cache", "--quiet", "--fail-on", "never", "--format", "ndjson", *options, "-"],
                         input="".join(f"{folder / label['file']}\n" for label in labels), capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"evaluate: {tool} ended with {run.returncode}: {run.stderr}")
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return {Path(line["path"]).name: line for line in lines if "path" in line}


def compare(labels, results, arguments):
    """The tool's count of flashes against the reference's, over the clips about flashes."""
    if arguments.quick:
        return
    files = [label["file"] for label in labels if label["kind"] == "flash"]
    with ProcessPoolExecutor(max_workers=2) as pool:
        counts = dict(zip(files, pool.map(reference.flashes, [arguments.folder / file for file in files])))
    same_verdict = same_count = 0
    for label in labels:
        file = label["file"]
        if file not in counts:
            continue
        flash = results[file]["looks"].get("flash", {})
        ours = {kind: flash.get(kind, {}).get("flashes", 0) for kind in ("general", "red")}
        verdicts = [max(count.values()) > 3 for count in (ours, counts[file])]
        same_verdict += verdicts[0] == verdicts[1]
        same_count += all(abs(ours[kind] - counts[file][kind]) <= 0.5 for kind in ours)
        if arguments.list and (verdicts[0] != verdicts[1] or verdicts[1] != label["flash"]):
            print(f"reference: {file}: labelled {label['flash']}, ours {ours}, reference {counts[file]}", file=sys.stderr)
    right = sum((max(counts[label["file"]].values()) > 3) == label["flash"] for label in labels if label["file"] in counts)
    print(f"\nThe reference counts flashes in {len(counts)} clips: it agrees with the label of {right}, with the tool's "
          f"verdict on {same_verdict} and, within half a flash, with both of its counts on {same_count}.")


if __name__ == "__main__":
    sys.exit(main())
