#!/usr/bin/env python3
"""Compares what artworkd takes to draw Lottie animations, and to make videos of them, with a small C program that does the
same with rlottie and libx264 (lottie-limit.c), and with a browser.

    Scripts/bench/lottie.py [--repeats N] [--side PIXELS] [--browser] [FILE...]      the default is ten files of ../shared/lottie

Needs a C compiler, librlottie-dev, libavcodec-dev with libx264, and a release build of artworkd, or ARTWORKD. Prints
markdown: processor time, the best of the repeats (default 3), and artworkd's as a multiple. `one frame` is
`artworkd preview`, beside which the program draws all frames; `video` is `artworkd import`, which also inspects its result.

emoji_shock.json has mattes that rlottie by itself leaves out, and artworkd makes it draw them: the program draws less there,
so a second sum leaves this file out.

--browser adds what recording the same file takes in a headless Chromium with lottie-web (rivals/browser_lottie.py); it needs
chromium-driver and python3-selenium, and fetches lottie-web from PyPI into .build/bench.

Two more tables follow: what rlottie adds to a worker that starts, by files of two frames beside GIFs of two frames, and the
memory of a worker that makes a video of 3840x3840.
"""

import json
from pathlib import Path
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import ffmpeg, packages
from lib.tool import ROOT, SHARED, Parser, compiled, seconds, tool

TOOL = tool()
# streamlit-lottie is MIT-licensed, and the package of PyPI that has all of lottie-web 5.8.1 in one file.
BUNDLE = ("streamlit-lottie==0.0.5", "streamlit_lottie/frontend/build/static/js/2.c2e60dd1.chunk.js")
# Files of which rlottie by itself draws less than is in them.
DRAWN_IN_PART = {"emoji_shock.json"}


def best(command, repeats, made=None):
    """Processor time of a command and all that it starts; the best of several. `made` is removed before each."""
    times = []
    for _ in range(repeats):
        if made:
            made.unlink(missing_ok=True)
        times.append(seconds(command, (0, 1)))
    return min(times)


def lottie_web():
    """The file that holds lottie-web."""
    folder = ROOT / ".build/bench/lottie-web"
    if not (folder / BUNDLE[1]).exists():
        with packages.unpacked(BUNDLE[0], folder) as content:
            shutil.copytree(content, folder, dirs_exist_ok=True)
    return folder / BUNDLE[1]


def browser_seconds(file, side, out, repeats):
    """Processor time of all processes of the browser and of ffmpeg."""
    command = ["/usr/bin/python3", ROOT / "Scripts/bench/rivals/browser_lottie.py", file, str(side), out, lottie_web()]
    return min(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(repeats))


def square(frames):
    """A document that is quick to draw: a square that grows."""
    scale = {"a": 1, "k": [{"t": 0, "s": [50, 50], "o": {"x": [0], "y": [0]}, "i": {"x": [1], "y": [1]}},
                           {"t": frames, "s": [100, 100]}]}
    shapes = [{"ty": "rc", "p": {"k": [32, 32]}, "s": {"k": [40, 40]}, "r": {"k": 0}},
              {"ty": "fl", "c": {"k": [1, 0.5, 0, 1]}, "o": {"k": 100}}, {"ty": "tr"}]
    layer = {"ty": 4, "ip": 0, "op": frames, "st": 0, "ks": {"s": scale}, "shapes": [{"ty": "gr", "it": shapes}]}
    return json.dumps({"v": "5", "fr": 30, "ip": 0, "op": frames, "w": 64, "h": 64, "layers": [layer]})


def print_start(folder, repeats):
    """What rlottie costs where nothing is drawn: in the zygote, once in a run, and in each worker."""
    few, many = 1, 101
    kinds = {"gif": "GIF", "json": "Lottie"}
    (folder / "one.json").write_text(square(2))
    ffmpeg.run("-f", "lavfi", "-i", "testsrc2=s=64x64:r=30", "-frames:v", "2", folder / "one.gif")
    print("\n| two frames of 64x64 | one file | each of 100 more |\n|---|---:|---:|")
    for kind, title in kinds.items():
        times = []
        for count in (few, many):
            files = folder / f"{kind}-{count}"
            files.mkdir()
            for number in range(count):
                shutil.copy(folder / f"one.{kind}", files / f"{number}.{kind}")
            times.append(best([TOOL, "check", "--no-cache", "--quiet", "--exit-zero", "--jobs", "1", files], repeats))
        print(f"| {title} | {times[0] * 1000:.0f} ms | {(times[1] - times[0]) / (many - few) * 1000:.1f} ms |")


def print_memory(folder):
    """The most that any process of an import holds. More frames than libx264 looks ahead (40 of the preset medium)."""
    side = 3840
    print(f"\n| `import --size {side}x{side}` | peak of a process |\n|---|---:|")
    for frames in (2, 60):
        (folder / "large.json").write_text(square(frames))
        out = folder / f"large-{frames}.mp4"
        watcher = "import resource, subprocess, sys; ended = subprocess.run(sys.argv[1:], capture_output=True); " \
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, ended.stderr.decode())"
        told = subprocess.run([sys.executable, "-c", watcher, TOOL, "import", folder / "large.json", "--size", f"{side}x{side}",
                               "-o", out], capture_output=True, text=True, check=True).stdout.split(maxsplit=1)
        print(f"| {frames} frames | {told[0]} MiB{'' if out.exists() else ', not made: ' + told[1].strip()} |")


def main():
    parser = Parser(__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--side", type=int, default=1080)
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    files = arguments.files or sorted((SHARED / "lottie").glob("*.json"))[::10]
    if not files:
        sys.exit("no animations at ../shared/lottie: name some")
    size, repeats = f"{arguments.side}x{arguments.side}", arguments.repeats
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        limit = compiled(Path(__file__).with_name("lottie-limit.c"), Path(folder) / "lottie-limit",
                         "rlottie", "libavcodec", "libavutil", "libswscale")
        rival = (" browser |", "---:|") if arguments.browser else ("", "")
        print(f"| file | frames | limit: one start | one frame | limit: video | video | times |{rival[0]}")
        print(f"|---|---:|---:|---:|---:|---:|---:|{rival[1]}")
        sums = {"all": [0.0, 0.0], "without those drawn in part": [0.0, 0.0]}
        for file in files:
            frames = subprocess.run([limit, file, "1", "draw"], capture_output=True, text=True, check=True).stdout.strip()
            start = best([limit, file, "1", "draw"], repeats)
            preview = best([TOOL, "preview", file, "--size", size, "-o", f"{out}.png"], repeats)
            least = best([limit, file, str(arguments.side), "encode"], repeats)
            video = best([TOOL, "import", file, "--size", size, "-o", f"{out}.mp4"], repeats, out.with_suffix(".mp4"))
            for label, sum in sums.items():
                if label == "all" or file.name not in DRAWN_IN_PART:
                    sum[0] += least
                    sum[1] += video
            recorded = ""
            if arguments.browser:
                recorded = f" {browser_seconds(file, arguments.side, f'{out}-browser.mp4', repeats):.2f} s |"
            print(f"| {file.name} | {frames} | {start:.2f} s | {preview:.2f} s | {least:.2f} s | {video:.2f} s | "
                  f"{video / least:.2f} |{recorded}", flush=True)
        for label, (least, video) in sums.items():
            print(f"| {label} | | | | {least:.2f} s | {video:.2f} s | {video / least:.2f} |{' |' if arguments.browser else ''}")
        print_start(Path(folder), repeats)
        print_memory(Path(folder))


if __name__ == "__main__":
    main()
