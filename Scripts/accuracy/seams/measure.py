"""What artworkd, the reference and the rivals say of clips. Kept by tool and clip."""

from concurrent.futures import ThreadPoolExecutor
import hashlib
import json
from pathlib import Path
import subprocess
import sys

import rivals
from lib.tool import check

MODES = {"default": [], "thorough": ["--thorough"]}
BATCH = 50


class MeasureError(Exception):
    pass


def modes(quick):
    return dict(list(MODES.items())[:1]) if quick else MODES


def measure(cache, clips, artworkd, reference, jobs, quick=False):
    """Fills `said` of all clips: a judgement for each mode and for the reference, and the rivals' numbers."""
    digests = {clip.name: digest(clip.path) for clip in clips}
    for mode, options in modes(quick).items():
        ask(cache, clips, digests, mode, artworkd, lambda some, options=options: checked(some, artworkd, options, jobs))
    if reference:
        ask(cache, clips, digests, "reference", reference, lambda some: referred(some, reference, jobs))
    if quick:
        return
    ask(cache, clips, digests, "rivals", Path(rivals.__file__), lambda some: compared(some, jobs))


def ask(cache, clips, digests, judge, tool, answers):
    """Asks a tool about the clips whose answers are not kept yet, some at a time."""
    kept = cache / f"{judge}-{digest(tool)}.json"
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    cache.mkdir(parents=True, exist_ok=True)
    unknown = [clip for clip in clips if digests[clip.name] not in known]
    if unknown:
        print(f"{judge} on {len(unknown)} clips", file=sys.stderr)
    for first in range(0, len(unknown), BATCH):
        some = unknown[first:first + BATCH]
        known.update((digests[name], answer) for name, answer in answers(some).items())
        partial = kept.with_suffix(".partial")
        partial.write_text(json.dumps(known), encoding="utf-8")
        partial.replace(kept)
    for clip in clips:
        clip.said[judge] = known[digests[clip.name]]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


# MARK: artworkd


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
        return {"verdict": "error", "rules": {}, "words": str(line["error"]), "bits": None}
    rules = {finding["rule"]: finding["severity"] for finding in line.get("findings", [])}
    seam, facts = line.get("seam", {}), line["facts"]
    samples = facts["codedWidth"] * facts["codedHeight"] * facts["frameCount"]
    return {"bits": 8 * facts["fileBytes"] / samples, "verdict": seam.get("verdict", "none"), "certainty": seam.get("certainty", ""), "rules": rules,
            "score": seam.get("surprise"), "words": seam.get("sentence", "")}


# MARK: The reference

NAMES = {"loops": "seamless", "duplicate": "held", "replay": "held", "hitch": "jump"}
CALL = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("reference", sys.argv[1])
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)
for path in sys.argv[2:]:
    try:
        (verdict, tier), _ = reference.judge(reference.decode(path))
    except Exception as error:
        verdict, tier = "error", 0
    print(json.dumps([path, str(verdict), int(tier)]), flush=True)
"""


def referred(clips, reference, jobs):
    """A module with judge(decode(path)) -> ((verdict, tier), numbers)."""
    def one(part):
        command = [sys.executable, "-c", CALL, str(reference), *(str(clip.path) for clip in part)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    said = {}
    with ThreadPoolExecutor(jobs) as pool:
        for text in pool.map(one, [clips[n::jobs] for n in range(jobs) if clips[n::jobs]]):
            for path, verdict, tier in map(json.loads, text.splitlines()):
                said[Path(path).name] = {"verdict": NAMES.get(verdict, verdict), "words": verdict,
                                         "rules": {"loop-seam": ("none", "warning", "error")[tier]}}
    return said


def compared(clips, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        return dict(zip((clip.name for clip in clips), pool.map(lambda clip: rivals.measure(clip.path), clips)))
