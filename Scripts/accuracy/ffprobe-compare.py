#!/usr/bin/env python3
"""Compares the facts of artworkd with those of ffprobe over every media file at hand.

    Scripts/accuracy/ffprobe-compare.py [--jobs N] [FILE or FOLDER...]

The default is ../shared where it is there, the fixtures, and the media below /usr/share and in Python packages. Compares the codec,
pixel format, size as coded, number of frames that are shown, length, field order, profile and level of the video that artworkd
chose. Each difference is printed with what explains it; `DIFFERS` has no explanation.

Needs ffprobe and a build of artworkd, or ARTWORKD. Exit codes: 0 every difference is explained, 1 some are not, 64 usage.
"""

import collections
from concurrent.futures import ThreadPoolExecutor
import json
import os
from pathlib import Path
import site
import subprocess
import sys

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import MEDIA, SHARED, Parser, report, tool

TOOL = tool(".build/debug/artworkd")
ENDINGS = {".mp4", ".m4v", ".mov", ".qt", ".3gp", ".webm", ".mkv", ".avi", ".gif", ".apng", ".mpg", ".mpeg", ".ts", ".m2ts", ".flv",
           ".wmv", ".ogv", ".avif", ".avifs"}


def places():
    found = [SHARED, MEDIA, Path("/usr/share"), Path("/usr/lib/python3"), *map(Path, site.getsitepackages())]
    return [place for place in found if place.exists()]


def files(arguments):
    return [file for place in arguments or places()
            for file in (sorted(place.rglob("*")) if place.is_dir() else [place])
            if file.suffix.lower() in ENDINGS and file.is_file()]


def theirs(file, index):
    """The stream with every frame counted as a player would show it."""
    told = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", str(index), "-show_entries",
         "stream=codec_name,pix_fmt,width,height,field_order,profile,level,duration,nb_frames:frame=best_effort_timestamp_time,"
         "interlaced_frame,pkt_duration_time,width,height,pix_fmt", "-of", "json", file],
        capture_output=True, text=True)
    try:
        seen = json.loads(told.stdout)
    except ValueError:
        return None
    return (seen["streams"][0], seen.get("frames", []), told.stderr) if seen.get("streams") else None


def level(codec, number):
    if number is None or number <= 0:
        return None
    return {"h264": f"{number // 10}.{number % 10}", "hevc": f"{number // 30}.{number % 30 // 3}"}.get(codec)


def compare(file):
    checked = report(file, "--thorough", program=TOOL)
    if checked.get("error"):
        return [("refused", f"{checked['error']['code']}: {checked['error']['message']}", "an error that says why")]
    facts = checked["facts"]
    if facts.get("streamIndex") is None:
        return [("reader", f"{facts['container']} is not read by FFmpeg", "another reader")]
    seen = theirs(file, facts["streamIndex"])
    if seen is None:
        return [("stream", "ffprobe sees none", None)]
    stream, frames, errors = seen
    damage = any(finding["rule"] == "truncated" for finding in checked["findings"])
    found = []

    def differ(name, mine, other, reason=None):
        if mine != other:
            found.append((name, f"{mine} instead of {other}", reason or ("the file is damaged, which is a finding" if damage else None)))

    differ("codec", facts["codec"], stream.get("codec_name"))
    first = frames[0].get("pix_fmt") if frames else stream.get("pix_fmt")
    alpha = "transparency is read with libvpx or from a track of its own" if facts["hasAlpha"] else None
    differ("pixel format", facts["pixelFormat"], first, alpha)
    if frames:
        size = (frames[0].get("width"), frames[0].get("height"))
        differ("size", (facts["codedWidth"], facts["codedHeight"]), size)
    differ("frames", facts["frameCount"], len(frames),
           "timestamps contradict the order, so frames are counted as they are decoded"
           if checked.get("decoding", {}).get("fallback") == "ambiguous-timestamps" else None)
    times = [float(frame["best_effort_timestamp_time"]) for frame in frames if frame.get("best_effort_timestamp_time") not in (None, "N/A")]
    if facts["frameCount"] == len(frames) == len(times) and len(times) > 1:
        step = sorted(b - a for a, b in zip(times, times[1:]))[(len(times) - 1) // 2]
        shown = max(times) - min(times)
        last = max(float(frame.get("pkt_duration_time", 0)) for frame in frames)
        if not shown - 0.001 <= facts["durationSeconds"] <= shown + max(5 * step, 1.2, last + 0.001):
            reason = None
            if facts.get("timeSource") == "decoding":
                reason = "AVI says when frames are decoded only: its header's rate counts"
            elif facts.get("timeSource") == "unknown":
                reason = "nothing says when frames are shown"
            found.append(("seconds", f"{facts['durationSeconds']:.3f} instead of {shown:.3f} and a last frame", reason))
    interlaced = bool(frames and frames[0].get("interlaced_frame"))
    differ("interlaced", facts.get("fieldOrder", "progressive") != "progressive", interlaced)
    if facts.get("level"):
        differ("level", facts["level"], level(facts["codec"], stream.get("level")))
    if facts.get("profile") and stream.get("profile") not in (None, "unknown"):
        differ("profile", facts["profile"], stream["profile"])
    return found


def main():
    parser = Parser(__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("places", nargs="*", type=Path)
    arguments = parser.parse_args()
    media = files(arguments.places)
    if not media:
        print("SKIPPED: no media here", file=sys.stderr)
        return 0
    counts = collections.Counter()
    unexplained = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for file, differences in zip(media, pool.map(compare, media)):
            counts["same"] += not differences
            for name, what, reason in differences:
                counts[f"{name}: {reason}"] += reason is not None
                unexplained += reason is None
                print(f"{'explained' if reason else 'DIFFERS':9} {file}: {name}: {what}" + (f" ({reason})" if reason else ""), flush=True)
    print(f"{len(media)} files: {counts.pop('same', 0)} the same, {sum(counts.values())} differences explained, {unexplained} not")
    for what, count in counts.most_common():
        print(f"  {count:4}  {what}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
