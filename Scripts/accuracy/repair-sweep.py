#!/usr/bin/env python3
"""Repairs every file of some folders, and has ffmpeg and `artworkd check` judge the new ones.

    Scripts/accuracy/repair-sweep.py                         # the sample clips, and the public files where they are there
    Scripts/accuracy/repair-sweep.py --mutants 300 --seed 1  # also mutants of the sample clips
    Scripts/accuracy/repair-sweep.py FOLDER...
    Scripts/accuracy/repair-sweep.py --faults                # no folder, but one clip through each call that writes, which fails or kills

Each folder goes through `repair --dry-run`, `repair` and `repair --unsafe`. What must hold: a copy has the displayed frames of
its source by `ffmpeg -f framemd5`, at their times; each new file can be decoded and read, has fewer findings than its source and
none that is new or worse; a file that is not repaired leaves nothing; no source changes; no worker crashes or hangs. Prints what
does not hold, and exits with 1 then. With a fault (strace), a new file is whole or not there, and a full
disk leaves no hidden one. ARTWORKD names the binary; .build/release/artworkd by default.
"""

import hashlib
import itertools
import json
from pathlib import Path
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import MEDIA, ROOT, SHARED, Parser, tool

TOOL = tool()
# What only a defect of ours can cause.
FORBIDDEN = {"decoder-crashed", "timed-out", "worker-failed", "internal"}
# Findings on files beside a clip, which do not follow it.
BESIDE = {"preview-aspect", "preview-match", "pair", "complementary", "artwork-id-reuse", "duplicate-content"}
# By which a folder of results is known.
MARK = ".artworkd-output"
SEVERITIES = ["info", "warning", "error"]


def output(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=7200, **options)


def frames(path, stream):
    """Digests and times of the displayed frames in seconds, as ffmpeg sees them."""
    # Several threads conceal damage in a different way each time, and times would be rounded to the frame rate.
    run = output(["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-noautorotate", "-i", path, "-map", f"0:{stream}",
                  "-fps_mode", "passthrough", "-enc_time_base", "-1", "-f", "framemd5", "-"])
    base, digests, times = 1.0, [], []
    for line in run.stdout.splitlines():
        if line.startswith("#tb"):
            num, den = line.split(":")[1].split("/")
            base = int(num) / int(den)
        elif not line.startswith("#"):
            parts = [part.strip() for part in line.split(",")]
            digests.append(parts[-1])
            times.append(int(parts[2]) * base)
    return digests, [time - times[0] for time in times]


def judge(paths):
    """The worst severity by rule and profile, and the number of findings and of remarks, of each file that can be read."""
    run = output([TOOL, "check", "--no-cache", "--quiet", "--format", "json", "-"], input="\n".join(map(str, paths)) + "\n")
    found = {}
    for result in json.loads(run.stdout)["results"]:
        findings = [f for f in result.get("findings", []) if f["rule"] not in BESIDE]
        worst = {}
        for finding in findings:
            place = (finding["rule"], finding.get("profile"))
            worst[place] = max(worst.get(place, 0), SEVERITIES.index(finding["severity"]))
        remarks = sum(finding["severity"] == "info" for finding in findings)
        found[result["path"]] = (worst, (len(findings) - remarks, remarks), result.get("facts") or {}, result.get("error"))
    return found


class Sweep:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.failures = []
        self.files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        self.before = {str(path): hashlib.sha256(path.read_bytes()).digest() for path in self.files}

    def fail(self, path, words):
        self.failures.append(f"{path}: {words}")

    def repair(self, out, options):
        run = output([TOOL, "repair", str(self.folder), "--no-cache", "--format", "json", *options])
        if run.returncode not in (0, 1, 2):
            self.fail(self.folder, f"repair {' '.join(options)} ended with {run.returncode}: {run.stderr[-300:]}")
            return []
        results = json.loads(run.stdout)["results"]
        for result in results:
            if result.get("error", {}).get("code") in FORBIDDEN:
                self.fail(result["path"], f"{result['error']}")
        # A whole folder is repaired with its other files, which are copied.
        made = {str(path) for path in out.rglob("*") if path.is_file() and path.name != MARK
                and self.before.get(str(self.folder / path.relative_to(out))) != hashlib.sha256(path.read_bytes()).digest()}
        named = {result["output"] for result in results if result["status"] == "repaired"}
        if made != named:
            self.fail(self.folder, f"new files that no result names, or the other way: {sorted(made ^ named)}")
        return [result for result in results if result["status"] == "repaired"]

    def compare(self, result, facts):
        old, old_times = frames(result["path"], facts.get("streamIndex", "v:0"))
        new, new_times = frames(result["output"], "v:0")
        if not old or old != new:
            differing = sum(a != b for a, b in zip(old, new)) + abs(len(old) - len(new))
            self.fail(result["path"], f"{differing} of {len(old)} frames differ by ffmpeg")
        # Matroska rounds to milliseconds.
        elif max(abs(a - b) for a, b in zip(old_times, new_times)) > 0.0021:
            self.fail(result["path"], "frames are shown at other times")
        if len(old) != result["framesCompared"] or result["framesDiffering"]:
            self.fail(result["path"], f"{result['framesCompared']} frames are said to be compared")

    def run(self):
        counts, judged = {}, judge(self.files)
        for name, options in (("dry run", ["--dry-run"]), ("copies", []), ("unsafe", ["--unsafe"])):
            with tempfile.TemporaryDirectory() as temporary:
                out = Path(temporary) / "out"
                repaired = self.repair(out, options + ([] if "--dry-run" in options else ["--output-dir", str(out)]))
                after = judge([result["output"] for result in repaired]) if repaired else {}
                counts[name] = len(repaired)
                for result in repaired:
                    path, new = result["path"], after.get(result["output"])
                    old = judged.get(path)
                    if result["method"] == "copy":
                        kind = result.get("comparison", "frames")
                        counts[kind] = counts.get(kind, 0) + (name == "copies")
                        self.compare(result, old[2])
                    elif output(["ffmpeg", "-v", "error", "-nostdin", "-i", result["output"], "-f", "null", "-"]).stderr:
                        self.fail(path, "ffmpeg cannot decode the new file")
                    if new is None or new[3]:
                        self.fail(path, f"the new file cannot be read: {new and new[3]}")
                        continue
                    if new[1] >= old[1]:
                        self.fail(path, f"{new[1]} findings are left of {old[1]}")
                    for place, severity in new[0].items():
                        # Encoding moves these remarks a little, and a swing has one.
                        if severity > old[0].get(place, -1) and place[0] not in ("softness", "blockiness", "banding") \
                                and not (place[0] == "loop-seam" and severity == 0):
                            self.fail(path, f"the new file breaks {place[0]}")
        for path in self.files:
            if hashlib.sha256(path.read_bytes()).digest() != self.before[str(path)]:
                self.fail(path, "the source was changed")
        print(f"{self.folder.name}: {len(judged)} files; copies {counts['copies']} (by packets {counts.get('packets', 0)}, by frames "
              f"{counts.get('frames', 0)}), with --unsafe {counts['unsafe']}; {len(self.failures)} failures", flush=True)
        for failure in self.failures:
            print(f"  {failure}", flush=True)
        return not self.failures


# What makes a file or changes one. Workers write their answers with them, too.
CALLS = ["write", "pwrite64", "ftruncate", "fsync", "fdatasync", "link", "linkat", "rename", "renameat2", "mkdir"]
COMMANDS = {
    "repair": ["repair", "codec-hev1.mp4", "--output-dir", "new"],
    "repair --unsafe": ["repair", "h264-high10.mp4", "--unsafe", "--output-dir", "new"],
    "derive": ["derive", "good-1x1.mp4", "--key", "3x4", "-o", "new.mp4"],
}


def faults():
    """Ends each command at each of its calls, once by a kill and once by a full disk from then on."""
    sound = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sources = {arguments[1]: (MEDIA / arguments[1]).read_bytes() for arguments in COMMANDS.values()}
        for name, content in sources.items():
            (folder / name).write_bytes(content)

        def run(arguments, *options):
            shutil.rmtree(folder / "new", ignore_errors=True)
            for path in [*folder.glob(".*"), *folder.glob("new*"), *folder.glob("log*")]:
                path.unlink()
            ended = output(["strace", "-ff", "-qq", "-o", str(folder / "log"), *options, TOOL, *arguments, "--no-cache"], cwd=folder)
            made = [path for path in folder.rglob("*") if path.is_file() and str(path.relative_to(folder)) not in sources
                    and not path.name.startswith("log.") and path.name != MARK]
            hidden = [path for path in made if path.name.startswith(".")]
            return ended.returncode, hidden, {
                str(path.relative_to(folder)): path.read_bytes() for path in made if path not in hidden}

        for name, arguments in COMMANDS.items():
            _, _, whole = run(arguments, "-e", f"trace={','.join(CALLS)}")
            logs = [path.read_text() for path in folder.glob("log.*")]
            tried, kept, failures = 0, 0, []
            for call in CALLS:
                # strace counts for each thread.
                most = max(len(re.findall(rf"^{call}\(", log, re.MULTILINE)) for log in logs)
                for number, fault in itertools.product(range(1, most + 1), ("signal=SIGKILL:when={}", "error=ENOSPC:when={}+")):
                    fault = f"{call}:{fault.format(number)}"
                    code, hidden, made = run(arguments, "-e", f"trace={call}", "-e", f"inject={fault}")
                    tried, kept = tried + 1, kept + bool(made)
                    if made not in ({}, whole):
                        failures.append(f"{fault} leaves half a file: {[(path, len(made[path])) for path in made]}")
                    if "ENOSPC" in fault and code not in (0, 1, 2, 70):
                        failures.append(f"{fault} ends with {code}")
                    if "ENOSPC" in fault and hidden:
                        failures.append(f"{fault} leaves {[path.name for path in hidden]}")
                    if any((folder / path).read_bytes() != content for path, content in sources.items()):
                        failures.append(f"{fault} changes a source")
            print(f"{name}: {tried} faults, after {kept} of which the new file is there; {len(failures)} failures", flush=True)
            for failure in failures:
                print(f"  {failure}", flush=True)
            sound = sound and len(whole) == 1 and not failures
    return sound


def main():
    parser = Parser(__doc__)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", action="store_true")
    arguments = parser.parse_args()
    if arguments.faults:
        sys.exit(0 if faults() else 1)
    public = SHARED / "media"
    folders = arguments.folders or [MEDIA] + ([public] if public.exists() else [])
    sound = True
    with tempfile.TemporaryDirectory() as temporary:
        if arguments.mutants:
            mutants = Path(temporary) / "mutants"
            subprocess.run([ROOT / ".build/debug/mutate", "mutants", mutants, "--count", str(arguments.mutants),
                            "--seed", str(arguments.seed)], check=True)
            folders = [*folders, mutants]
        for folder in folders:
            sound = Sweep(folder).run() and sound
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
