#!/usr/bin/env python3
"""Looks at a catalogue as an editor does: how much is there to read, and how far is it to the first repaired release.

    Scripts/try/catalogue.py                        makes the catalogue of Scripts/fixtures/catalogue; about two minutes
    Scripts/try/catalogue.py --catalogue FOLDER     one that was made before
    Scripts/try/catalogue.py --footage CLIPS --into FOLDER --count 60    releases of real clips, each with a fault; how many are
                                                    ready before and after the one command, and pictures to look at

Counts the lines of each text format, and the commands in it; then does as the text says: runs the first command that it
prints, and checks what that made. Fails where the first command does not repair what it was printed for. ARTWORKD names another
binary than that of the release build. Prints markdown.
"""

import json
from pathlib import Path
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import ROOT, Parser, tool

FORMATS = ("text", "concise", "full")


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def commands(text):
    """The commands of a text, each once: they stand at the end of a line or alone in one, maybe behind a sign."""
    found = re.findall(r"(?:^|\s)((?:artworkd|ffmpeg) [^\n]+)$", text, re.MULTILINE)
    return list(dict.fromkeys(command.strip() for command in found))


# What is wrong with each release, in turn: the arguments of ffmpeg for both shapes, and the shapes that are there.
H264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
FAULTS = {
    "as it is": (H264, ["1x1.mp4", "3x4.mp4"]),
    "only one shape": (H264, ["1x1.mp4"]),
    "hev1": (["-c:v", "libx265", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-tag:v", "hev1",
              "-x265-params", "log-level=none"], ["1x1.mp4", "3x4.mp4"]),
    "fades": (["-vf", "FADE", *H264], ["1x1.mp4", "3x4.mp4"]),
    "Matroska": (H264, ["1x1.mkv", "3x4.mkv"]),
}


def make_footage(clips, folder, count):
    """Releases of the clips in the middle shapes, with covers that are their first frames."""
    files = sorted(path for place in clips for path in place.glob("*.mp4"))
    for number, clip in enumerate(files[:count]):
        kind = list(FAULTS)[number % len(FAULTS)]
        arguments, names = FAULTS[kind]
        release = folder / f"{clip.stem} - {kind}"
        release.mkdir(parents=True, exist_ok=True)
        seconds = float(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", clip],
                                       capture_output=True, text=True, check=True).stdout)
        for name in names:
            crop = "crop='min(iw,ih)':'min(iw,ih)',scale=360:360" if name.startswith("1x1") else \
                "crop='min(iw,ih*3/4)':'min(ih,iw*4/3)',scale=360:480"
            filters = [crop] + ([f"fade=out:st={max(0, seconds - 0.4):.3f}:d=0.4,fade=in:d=0.4"] if kind == "fades" else [])
            coding = [word for word in arguments if word not in ("-vf", "FADE")]
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", clip, "-an", "-vf", ",".join(filters), *coding, release / name],
                           check=True)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", clip, "-frames:v", "1", "-vf",
                        "crop='min(iw,ih)':'min(iw,ih)',scale=480:480", release / "cover.jpg"], check=True)


def ready(folder):
    """The releases of which every video passes."""
    rows = run([tool(), "check", ".", "--format", "ndjson", "--exit-zero"], folder).stdout.splitlines()
    verdicts = {}
    for row in filter(lambda row: "path" in row, map(json.loads, rows)):
        verdicts.setdefault(Path(row["path"]).parent.name, []).append(row["verdict"])
    return {name for name, found in verdicts.items() if set(found) == {"pass"}}, set(verdicts)


def try_footage(options):
    folder = options.into / "catalogue"
    if not folder.exists():
        make_footage(options.footage, folder, options.count)
    before, releases = ready(folder)
    told = run([tool(), "repair", "catalogue", "--unsafe", "--output-dir", "fixed", "--format", "json"], options.into)
    summary = json.loads(told.stdout)["summary"]["releases"]
    after, _ = ready(options.into / "fixed")
    print(f"{len(releases)} releases: {len(before)} ready before, {len(after)} after; the command says {summary['ready']}.")
    for name, reasons in sorted(summary["reasons"].items()):
        print(f"- {name}: {'; '.join(reasons)}")
    # Eight frames around the seam of each repaired square, to look at.
    for name in sorted(after - before):
        video = options.into / "fixed" / name / "1x1.mp4"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-stream_loop", "1", "-i", video, "-vf",
                        "select='not(mod(n,6))',scale=160:160,tile=12x2", "-frames:v", "1",
                        options.into / f"{name}.png"], check=False)


def main():
    parser = Parser(__doc__)
    parser.add_argument("--catalogue", type=Path)
    parser.add_argument("--footage", type=Path, nargs="+")
    parser.add_argument("--into", type=Path)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    if options.footage:
        try_footage(options)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = options.catalogue or Path(place, "catalogue")
        if not options.catalogue:
            subprocess.run([ROOT / "Scripts/fixtures/catalogue/make-catalogue.py", folder], check=True)
        releases = len(json.loads((folder / "labels.json").read_text()))
        files = sum(path.suffix in (".mp4", ".mkv", ".jpg", ".png") for path in folder.rglob("*"))
        print(f"{releases} releases, {files} files\n\n| format | lines | commands |\n|---|---:|---:|")
        texts = {name: run([tool(), "check", ".", "--format", name], folder).stdout for name in FORMATS}
        for name, text in texts.items():
            print(f"| `{name}` | {len(text.splitlines())} | {len(commands(text))} |")
        print("\nThe last lines:\n\n" + "".join(f"    {line}\n" for line in texts["text"].splitlines()[-12:]))

        first = commands(texts["text"])[0]
        words = shlex.split(first)
        told = run([tool(), *words[1:]], folder)
        print(f"The first command: `{first}`, exit code {told.returncode}")
        # What it made, beside the originals.
        if "--output-dir" not in words:
            sys.exit("it makes no folder of new files")
        made = folder / words[words.index("--output-dir") + 1]
        new = run([tool(), "check", made, "--format", "ndjson", "--exit-zero"], folder).stdout
        verdicts = [row["verdict"] for row in map(json.loads, new.splitlines()) if "path" in row]
        print(f"It made {len(verdicts)} files: {', '.join(sorted(set(verdicts)))}. Steps to the first repaired release: "
              "check, copy the command, run it.")
        if not verdicts or "fail" in verdicts or "error" in verdicts:
            sys.exit("the first command does not repair what it was printed for")


if __name__ == "__main__":
    main()
