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

from concurrent.futures import ProcessPoolExecutor
import json
from pathlib import Path
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clips import reference
from clips.clip import RULES
from lib import labelled
from lib.tool import ROOT, check, rules

BUILDS = [ROOT / ".build" / kind / "artworkd" for kind in ("release", "debug")]


def main():
    parser = labelled.Parser(__doc__, [*labelled.HALVES, "all"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tool", type=Path, default=next((tool for tool in BUILDS if tool.exists()), BUILDS[0]))
    arguments = parser.parse_args()
    labels = json.loads((arguments.folder / "labels.json").read_text(encoding="utf-8"))
    labels = [label for label in labels if arguments.half in ("all", label["half"])]
    options = ["--profile", "now-playing"] if arguments.quick else ["--thorough", "--profile", "web,now-playing"]
    found = check([arguments.folder / label["file"] for label in labels], *options, program=arguments.tool)
    results = {Path(path).name: result for path, result in found.items()}
    rows = []
    for rule in RULES:
        kind = "blank" if rule.startswith("blank") else rule
        counts = labelled.Counts(arguments.list)
        for label in labels:
            result = results[label["file"]]
            counts.add((label[rule], label["kind"] == kind), rule in rules(result), label[rule],
                       f"{label['file']}: {label['about']}", json.dumps(result.get("looks")))
        wrong = (False, False), (False, True)
        rows.append((f"`{rule}`", counts.cell((True, True), (True, False)), counts.cell(*wrong), counts.cell((False, True))))
    print(f"{len(labels)} clips, {arguments.half} half, {'default' if arguments.quick else 'thorough'}\n")
    print(labelled.table(["rule", "hits", "false alarms", "among them, traps of its own"], rows))
    compare(labels, results, arguments)


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
    main()
