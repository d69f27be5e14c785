#!/usr/bin/env python3
"""Compares how artworkd draws Lottie animations with ThorVG, another renderer.

    Scripts/accuracy/lottie-compare.py [--keep DIR] [FILE...]      the default is every file of ../shared/lottie and lottie2

Draws four frames with each, at 0, 25, 50 and 75 % of the animation, 192 pixels at the longer side, over white, and compares
the mean colours of their cells of 12x12 pixels. A file differs if more than 2 % of the cells of a frame do by more than 24 of 255
levels. Animations with something that `artworkd lottie info` says is not drawn are listed, and do not count.
The last lines weigh both: files of which only one draws nothing at all, and seconds of processor time for the four frames,
artworkd's with a process for each frame. --keep writes both pictures beside each other, artworkd left, for the worst frame
of each file that differs. Needs a build of artworkd, or ARTWORKD, and python3-venv; thorvg-python, Pillow and numpy come from PyPI into .build/lottie-compare.

Exit codes: 0 at most one file in twenty differs or is refused, as each renderer has its own gaps; 1 more do, 64 usage.
"""

import json
import multiprocessing
import resource
from pathlib import Path
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import packages
from lib.tool import SHARED, Parser, tool

TOOL = tool(".build/debug/artworkd")
SIDE = 192
CELL = 12
MOST_LEVELS = 24
MOST_CELLS = 0.02


def cells(picture):
    """The mean colours of the cells of a picture over white; the last of a row or column may be smaller."""
    import numpy
    pixels = numpy.asarray(picture.convert("RGBA"), dtype=float)
    pixels = 255 + (pixels[..., :3] - 255) * pixels[..., 3:] / 255
    rows, columns = (range(0, side, CELL) for side in pixels.shape[:2])
    return numpy.array([[pixels[y:y + CELL, x:x + CELL].mean(axis=(0, 1)) for x in columns] for y in rows])


def share(ours, theirs):
    """The share of cells that differ."""
    import numpy
    return float((numpy.abs(cells(ours) - cells(theirs)).max(axis=2) > MOST_LEVELS).mean())


def thorvg(file, frames, sizes, folder):
    """Draws these frames into files `0.png`, `1.png` and so on."""
    import thorvg_python as tvg
    engine = tvg.Engine(threads=0)
    for number, (frame, size) in enumerate(zip(frames, sizes)):
        canvas = tvg.SwCanvas(engine)
        canvas.set_target(*size, cs=tvg.Colorspace.ABGR8888S)
        animation = tvg.LottieAnimation(engine)
        picture = animation.get_picture()
        picture.load(str(file))
        picture.set_size(*size)
        canvas.add(picture)
        animation.set_frame(frame)
        canvas.update()
        canvas.draw(True)
        canvas.sync()
        canvas.get_pillow().save(folder / f"{number}.png")


def artworkd(file, frames, folder):
    from PIL import Image
    pictures = []
    for frame in frames:
        png = folder / "frame.png"
        subprocess.run([TOOL, "preview", file, "--size", f"{SIDE}x{SIDE}", "--at", str(frame), "-o", png],
                       check=True, capture_output=True, text=True)
        pictures.append(Image.open(png).copy())
    return pictures


def is_blank(pictures):
    return all(picture.convert("RGBA").getextrema()[3][1] == 0 for picture in pictures)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


WEIGHED = {"only artworkd draws": [], "only ThorVG draws": [], "artworkd refuses": [], "ThorVG ends": []}
SECONDS = {"artworkd": 0.0, "ThorVG": 0.0}


def compare(file):
    """Both renderers' pictures, the number of the worst and the share of its cells that differ; a reason without."""
    from PIL import Image
    told = subprocess.run([TOOL, "lottie", "info", file, "--format", "json"], capture_output=True, text=True)
    if told.returncode != 0:
        WEIGHED["artworkd refuses"].append(file.name)
        return "refused", told.stderr.strip()
    info = json.loads(told.stdout)
    missing = sorted({place["feature"] for place in info["unsupported"]})
    frames = sorted({info["frameCount"] * quarter // 4 for quarter in range(4)})
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        began = processor_seconds()
        try:
            ours = artworkd(file, [frame + info["startFrame"] for frame in frames], folder)
        except subprocess.CalledProcessError as error:
            WEIGHED["artworkd refuses"].append(file.name)
            return "refused", ", ".join([*missing, error.stderr.strip()])
        drawn = processor_seconds()
        # In a process of its own, because it crashes on some files.
        drawing = multiprocessing.get_context("fork").Process(
            target=thorvg, args=(file, frames, [picture.size for picture in ours], folder))
        drawing.start()
        drawing.join()
        if drawing.exitcode != 0:
            WEIGHED["ThorVG ends"].append(file.name)
            return "alone", f"ThorVG ended with {drawing.exitcode}"
        theirs = [Image.open(folder / f"{number}.png").copy() for number in range(len(frames))]
    SECONDS["artworkd"] += drawn - began
    SECONDS["ThorVG"] += processor_seconds() - drawn
    blank = is_blank(ours), is_blank(theirs)
    if blank[0] != blank[1]:
        WEIGHED["only ThorVG draws" if blank[0] else "only artworkd draws"].append(file.name)
    shares = [share(a, b) for a, b in zip(ours, theirs)]
    worst = max(range(len(shares)), key=shares.__getitem__)
    return ("listed" if missing else "compared",
            (shares[worst], ours[worst], theirs[worst], frames[worst], ", ".join(missing)))


def keep(folder, name, ours, theirs):
    from PIL import Image
    folder.mkdir(parents=True, exist_ok=True)
    both = Image.new("RGB", (ours.width * 2 + 8, ours.height), "gray")
    for place, picture in ((0, ours), (ours.width + 8, theirs)):
        white = Image.new("RGBA", picture.size, "white")
        both.paste(Image.alpha_composite(white, picture.convert("RGBA")), (place, 0))
    both.save(folder / name)


def main():
    parser = Parser(__doc__)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    files = arguments.files or sorted(file for name in ("lottie", "lottie2") for file in (SHARED / name).glob("*.json"))
    if not files:
        print("SKIPPED: no animations at ../shared/lottie or ../shared/lottie2", file=sys.stderr)
        return 0
    compared, differing, refused = [], [], 0
    for file in files:
        kind, told = compare(file)
        if kind in ("refused", "alone"):
            refused += kind == "refused"
            print(f"     --  {file.name}  {kind}: {told}", flush=True)
            continue
        worst, ours, theirs, frame, missing = told
        differs = worst > MOST_CELLS
        if kind == "compared":
            compared.append(file.name)
            if differs:
                differing.append(file.name)
        verdict = ("DIFFERS" if differs else "ok") if kind == "compared" else f"not drawn: {missing}"
        print(f"{worst * 100:5.1f} %  {file.name}  {verdict}", flush=True)
        if arguments.keep and differs:
            keep(arguments.keep, f"{file.stem}-{frame}{'' if kind == 'compared' else '-listed'}.png", ours, theirs)
    community = [sum("lottiefiles" in name for name in names) for names in (compared, differing)]
    print(f"{len(compared)} files without a finding compared, {len(differing)} differ; "
          f"{community[0]} of them community files, {community[1]} differ; {refused} refused")
    for what, names in WEIGHED.items():
        print(f"{what}: {len(names)} {' '.join(names)}")
    print(", ".join(f"{name} {seconds:.1f} s" for name, seconds in SECONDS.items()))
    return int(20 * (len(differing) + refused) > len(compared) + refused)


if __name__ == "__main__":
    packages.enter_environment("lottie-compare", "thorvg-python==1.1.3", "Pillow", "numpy")
    sys.exit(main())
