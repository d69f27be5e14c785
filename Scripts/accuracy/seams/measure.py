"""What artworkd says of clips, kept by tool and clip; and what seam-trial, which Scripts/lib/build-tests builds, says of them."""

import hashlib
import json
from pathlib import Path
import subprocess
import sys

from lib.tool import ROOT, check

MODES = {"default": [], "thorough": ["--thorough"]}
BATCH = 50


class MeasureError(Exception):
    pass


def modes(quick):
    return dict(list(MODES.items())[:1]) if quick else MODES


def measure(cache, clips, artworkd, jobs, quick=False):
    """Fills `said` of all clips with a judgement for each mode."""
    digests = {clip.name: digest(clip.path) for clip in clips}
    for mode, options in modes(quick).items():
        kept = cache / f"{mode}-{digest(artworkd)}.json"
        known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        cache.mkdir(parents=True, exist_ok=True)
        unknown = [clip for clip in clips if digests[clip.name] not in known]
        if unknown:
            print(f"{mode} on {len(unknown)} clips", file=sys.stderr)
        for first in range(0, len(unknown), BATCH):
            said = checked(unknown[first:first + BATCH], artworkd, options, jobs)
            known.update((digests[name], answer) for name, answer in said.items())
            partial = kept.with_suffix(".partial")
            partial.write_text(json.dumps(known), encoding="utf-8")
            partial.replace(kept)
        for clip in clips:
            clip.said[mode] = known[digests[clip.name]]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def checked(clips, artworkd, options, jobs):
    results = check([clip.path for clip in clips], "--jobs", str(jobs), *options, program=artworkd)
    said = {Path(path).name: judgement(result) for path, result in results.items()}
    lost = [clip.name for clip in clips if clip.name not in said]
    if lost:
        raise MeasureError(f"artworkd is silent on {len(lost)} clips: {lost[0]} is one")
    return said


def judgement(line):
    """What is said about the seam, with the severity of every finding by rule."""
    if "error" in line:
        return {"verdict": "error", "rules": {}, "words": str(line["error"])}
    rules = {finding["rule"]: finding["severity"] for finding in line.get("findings", [])}
    seam = line.get("seam", {})
    return {"verdict": seam.get("verdict", "none"), "certainty": seam.get("certainty", ""), "rules": rules,
            "words": seam.get("sentence", "")}


def trial(command, clips):
    """What a command of seam-trial prints of labelled clips."""
    table = "".join(f"{clip.path}\t{clip.tier}\t{clip.family}/{clip.source}\t{','.join(clip.accepted)}\n" for clip in clips)
    return subprocess.run([ROOT / ".build/debug/seam-trial", command], input=table, check=True, stdout=subprocess.PIPE, text=True).stdout
