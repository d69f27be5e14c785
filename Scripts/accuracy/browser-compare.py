#!/usr/bin/env python3
"""Compares how artworkd and Chromium read GIF, APNG, animated WebP and AVIF: frames, times and the first picture.

    Scripts/accuracy/browser-compare.py [--keep DIR] [FILE or FOLDER...]
    Scripts/accuracy/browser-compare.py --exports [--keep DIR]

The default is every file of these kinds below /usr/share, the Python packages of this machine, ../shared where it is there, and the
fixtures. Chromium's ImageDecoder decodes each file; artworkd inspects it. Pictures are compared over white: one differs if a
channel of a pixel does by more than 3 of 255 levels. A difference that a finding or a note below explains does not count.
--keep writes both first pictures beside each other, artworkd left, where they differ.

--exports makes files with `artworkd export` from three drawn clips, whole and below limits, instead. In Chromium, each has all frames
of its report, the times of the source to the tick of its format, and the source's picture at two times; no file is above its limit.
--keep writes the pictures of each file, the source's above.

Needs chromium, chromium-driver, python3-venv and a build of artworkd, or ARTWORKD; selenium and Pillow come from PyPI into
.build/browser-compare.
Exit codes: 0 every difference is explained, 1 some are not, 64 usage.
"""

import base64
import functools
import http.server
import io
import math
from pathlib import Path
import shutil
import site
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import ffmpeg, packages
from lib import tool as built

TOOL = built.tool(".build/debug/artworkd")
MOST_LEVELS = 3
MOST_FRAMES = 2000

DECODE = """
const [place, type, most, wanted, done] = arguments;
(async () => {
  const data = await (await fetch(place)).arrayBuffer();
  const decoder = new ImageDecoder({data, type, preferAnimation: true, colorSpaceConversion: "none"});
  await decoder.completed;
  await decoder.tracks.ready;
  const count = decoder.tracks.selectedTrack.frameCount;
  const draw = async (image) => {
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  };
  let microseconds = 0, picture = null, later = null, decoded = 0;
  const ends = [];
  for (let index = 0; index < Math.min(count, most); index += 1) {
    const {image} = await decoder.decode({frameIndex: index});
    microseconds += image.duration ?? 0;
    decoded += 1;
    if (index === 0) picture = await draw(image);
    if (microseconds > wanted * 1e6 && !later) later = [await draw(image), index];
    ends.push(microseconds / 1e6);
    image.close();
  }
  done({count, decoded, seconds: microseconds / 1e6, ends, picture, later});
})().catch((error) => done({error: String(error)}));
"""


def kind(file):
    """The type of an animated picture; None for other files."""
    try:
        start = file.open("rb").read(4096)
    except OSError:
        return None
    if start[:4] == b"GIF8":
        return "image/gif"
    if start[:8] == b"\x89PNG\r\n\x1a\n" and b"acTL" in start:
        return "image/png"
    if start[:4] == b"RIFF" and start[8:16] == b"WEBPVP8X" and start[20] & 2:
        return "image/webp"
    if start[4:12] == b"ftypavis":
        return "image/avif"
    return None


def places():
    found = [Path("/usr/share"), Path("/usr/lib/python3"), built.MEDIA, *map(Path, site.getsitepackages()), built.SHARED]
    home = Path.home() / ".pyenv/versions"
    return [place for place in [*found, home] if place.exists()]


def files(arguments):
    seen = {}
    for place in arguments or places():
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix.lower() in (".gif", ".png", ".apng", ".webp", ".avif") and file.is_file() and kind(file):
                content = file.read_bytes()
                seen.setdefault(content, file)
    return list(seen.values())


class Browser:
    """One headless Chromium and a server of one folder."""

    def __init__(self, folder):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        self.folder = folder
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
        http.server.SimpleHTTPRequestHandler.log_message = lambda *_: None
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        options = webdriver.ChromeOptions()
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"):
            options.add_argument(flag)
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_script_timeout(120)
        (folder / "index.html").write_text("<!doctype html><title>.</title>")
        self.driver.get(f"http://127.0.0.1:{self.server.server_port}/index.html")

    def decode(self, file, type, time=1e9):
        """Frames, the ends of all in seconds, the first picture, and the one at `time` with its number."""
        shutil.copyfile(file, self.folder / "picture")
        return self.driver.execute_async_script(DECODE, "picture?" + str(id(file)) + str(file.stat().st_size), type, MOST_FRAMES, time)

    def close(self):
        self.driver.quit()
        self.server.shutdown()


def inspect(file, folder):
    """The facts and findings of a file, its first picture, or the error."""
    from PIL import Image
    report = built.report(file, program=TOOL)
    if report.get("error"):
        return report, None
    preview = folder / "first.png"
    preview.unlink(missing_ok=True)
    made = subprocess.run([TOOL, "preview", file, "-o", preview], capture_output=True)
    return report, Image.open(preview).copy() if made.returncode == 0 else None


def over_white(picture):
    from PIL import Image
    picture = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")


def is_converted(file, ours):
    """Whether the opaque pixels of an AVIF, turned or not, are those of ffmpeg's scaler at its most accurate."""
    from PIL import Image, ImageChops
    with tempfile.TemporaryDirectory() as folder:
        ffmpeg.run("-i", file, "-map", "0:v:0", "-frames:v", "1", "-vf", "scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp",
                   "-pix_fmt", "rgb24", f"{folder}/exact.png")
        exact = Image.open(f"{folder}/exact.png").copy()
    opaque = ours.convert("RGBA").getchannel("A").point(lambda alpha: 255 * (alpha == 255))
    blank = Image.new("RGB", ours.size)
    for turned in (exact, *(exact.transpose(turn) for turn in Image.Transpose)):
        if turned.size == ours.size:
            difference = Image.composite(ImageChops.difference(ours.convert("RGB"), turned), blank, opaque)
            if max(high for _, high in difference.getextrema()) <= MOST_LEVELS:
                return True
    return False


def compare(file, seen, report, ours, keep):
    """What differs, with an explanation where there is one."""
    from PIL import Image, ImageChops
    if seen.get("error"):
        return [("Chromium refuses it", report.get("error") and report["error"]["code"])]
    if report.get("error"):
        return [(f"artworkd refuses it: {report['error']['code']}: {report['error']['message']}",
                 "an error that says why" if report["error"]["code"] in ("truncated", "too-large", "too-many-frames") else None)]
    facts = report["facts"]
    damage = next((finding["message"] for finding in report["findings"] if finding["rule"] == "truncated"), None)
    found = []
    if facts["frameCount"] != seen["count"]:
        found.append((f"{facts['frameCount']} frames instead of {seen['count']}", damage))
    # To Chromium, a single frame has no time.
    elif 1 < seen["count"] == seen["decoded"] and abs(facts["durationSeconds"] - seen["seconds"]) > 0.0015 * seen["count"]:
        # The decoder reports 0 for a frame without a time, and pages show it for 0.1 s.
        untimed = sum(end == start for start, end in zip([0, *seen["ends"]], seen["ends"])) / 10
        shown = abs(facts["durationSeconds"] - seen["seconds"] - untimed) < 0.0015 * seen["count"]
        found.append((f"{facts['durationSeconds']:.3f} s instead of {seen['seconds']:.3f}",
                      damage or (shown and "frames without a time are shown for 0.1 s" or None)))
    theirs = Image.open(io.BytesIO(base64.b64decode(seen["picture"])))
    if ours is None:
        found.append(("no preview", None))
    elif ours.size != theirs.size:
        found.append((f"{ours.size} pixels instead of {theirs.size}", None))
    else:
        one, other = over_white(ours), over_white(theirs)
        worst = max(high for _, high in ImageChops.difference(one, other).getextrema())
        if worst > MOST_LEVELS:
            # docs/import.md says so.
            has_alpha = facts["hasAlpha"]
            reason = None
            if facts["container"] == "gif" and not has_alpha and min(theirs.convert("RGBA").getchannel("A").getextrema()) == 0:
                reason = "a GIF without a transparent colour shows its background colour where no frame has drawn"
            if facts["container"] == "avif" and is_converted(file, ours):
                reason = "ffmpeg's accurate conversion makes ours, and Chromium's has fewer bits"
            found.append((f"the first picture differs by {worst} levels", damage or reason))
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                both = Image.new("RGB", (one.width * 2 + 8, one.height), "gray")
                both.paste(one, (0, 0))
                both.paste(other, (one.width + 8, 0))
                both.save(keep / f"{file.stem}.png")
    return found


# What a clip shows, with N as the number of its frame of 36 at 18 a second.
CLIPS = {
    "light": "color=black:s=160x120,format=gbrp,geq="
             "r='40+X/2+120*exp(-(pow(X-80-40*sin(2*PI*N/36),2)+pow(Y-60-30*cos(2*PI*N/36),2))/300)':g='60+Y':b='120+X/4'",
    "waves": "color=black:s=128x128,format=gbrp,geq=r='128+90*sin(X/12+2*PI*N/36)':g='128+60*sin(Y/17+2*PI*N/36)':b='X+Y/2'",
    "bar": "color=black:s=96x128,format=gbrp,geq=r='250*lt(abs(X-48-30*sin(2*PI*N/36)),9)':g='Y+60':b='90'",
}
# Ends of names, limits in bytes, the tick of the format in seconds, and the least PSNR beside the source.
EXPORTS = [("webp", None, 0.001, 30), ("png", None, 1e-5, 40), ("gif", None, 0.01, 28), ("avif", None, 1e-5, 30),
           ("webp", 12000, 0.001, 24), ("png", 100000, 1e-5, 24), ("gif", 60000, 0.01, 20), ("avif", 2500, 1e-5, 22),
           ("gif", 100, 0.01, 0)]


def psnr(one, other):
    from PIL import ImageChops, ImageStat
    error = sum(ImageStat.Stat(ImageChops.difference(one, other)).sum2) / (3 * one.width * one.height)
    return 10 * math.log10(255 ** 2 / max(error, 0.01))


def exports(keep):
    """Makes files and looks at them in Chromium."""
    from PIL import Image
    rate, count, moment = 18, 36, 1.23
    wrong = looked = refused = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = Browser(folder)
        try:
            for clip, drawing in CLIPS.items():
                source = folder / f"{clip}.mp4"
                ffmpeg.run("-f", "lavfi", "-i", drawing.replace(",format", f":r={rate},format", 1), "-frames:v", count,
                           "-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv420p", source)
                for number, (ending, most, tick, least) in enumerate(EXPORTS):
                    file = folder / f"{clip}-{number}.{ending}"
                    made = subprocess.run([TOOL, "export", source, "-o", file] + (["--max-bytes", str(most)] if most else []),
                                          capture_output=True, text=True)
                    label = f"{clip}.{ending}" + (f" below {most}" if most else "")
                    if made.returncode:
                        refused += 1
                        reason = made.stderr.splitlines()[0].split(": ", 2)[-1]
                        faults = [] if most and "bytes" in reason and not file.exists() else [f"refused: {reason}"]
                        print(f"{'DIFFERS' if faults else 'refused':9} {label}: {reason}")
                        wrong += bool(faults)
                        continue
                    looked += 1
                    seen = browser.decode(file, kind(file), moment)
                    report = inspect(file, folder)[0]["facts"]
                    frames = report["frameCount"]
                    faults = [] if seen.get("count") == frames else [f"{seen.get('error') or seen['count']} frames instead of {frames}"]
                    every = count / frames
                    # Of the fractions in a PNG, Chromium keeps whole milliseconds.
                    step = int(1000 * every / rate) / 1000 if ending == "png" else every / rate
                    late = max(abs(end - (place + 1) * step) for place, end in enumerate(seen.get("ends") or [1e9]))
                    if count % frames or late > tick / 2 + 2e-6 * frames:
                        faults.append(f"an end that is {late:.6f} s off")
                    if most and file.stat().st_size > most:
                        faults.append(f"{file.stat().st_size} bytes")
                    levels, rows = [], []
                    for picture, place in ((seen["picture"], 0), seen["later"] or (None, 0)) if not seen.get("error") else ():
                        if picture is None:
                            faults.append("nothing at the later time")
                            continue
                        theirs = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB")
                        still = folder / "still.png"
                        ffmpeg.run("-i", source, "-vf", f"select=eq(n\\,{round(place * every)})", "-frames:v", "1",
                                   "-sws_flags", "accurate_rnd+full_chroma_int", still)
                        ours = Image.open(still).convert("RGB").resize(theirs.size, Image.LANCZOS)
                        levels.append(psnr(ours, theirs))
                        rows.append((ours, theirs))
                    if levels and min(levels) < least:
                        faults.append(f"{min(levels):.1f} dB beside the source")
                    if keep:
                        keep.mkdir(parents=True, exist_ok=True)
                        sheet = Image.new("RGB", (2 * theirs.width, 2 * theirs.height))
                        for column, (ours, theirs) in enumerate(rows):
                            sheet.paste(ours, (column * theirs.width, 0))
                            sheet.paste(theirs, (column * theirs.width, theirs.height))
                        sheet.save(keep / f"{file.stem}-{ending}.png")
                    wrong += bool(faults)
                    print(f"{'DIFFERS' if faults else 'same':9} {label}: {frames} frames, {file.stat().st_size} bytes, "
                          + ", ".join(f"{level:.1f} dB" for level in levels) + "".join(f"; {fault}" for fault in faults), flush=True)
        finally:
            browser.close()
    print(f"{looked} files looked at in Chromium, {refused} refused, {wrong} wrong")
    return 1 if wrong else 0


def main():
    parser = built.Parser(__doc__)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--exports", action="store_true")
    parser.add_argument("places", nargs="*", type=Path)
    arguments = parser.parse_args()
    if arguments.exports:
        return exports(arguments.keep)
    pictures = files(arguments.places)
    if not pictures:
        print("SKIPPED: no animated pictures here", file=sys.stderr)
        return 0
    same = explained = unexplained = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = Browser(folder)
        try:
            for file in pictures:
                seen = browser.decode(file, kind(file))
                report, ours = inspect(file, folder)
                differences = compare(file, seen, report, ours, arguments.keep)
                same += not differences
                for difference, reason in differences:
                    explained += reason is not None
                    unexplained += reason is None
                    print(f"{'explained' if reason else 'DIFFERS':9} {file}: {difference}" + (f" ({reason})" if reason else ""), flush=True)
        finally:
            browser.close()
    print(f"{len(pictures)} files: {same} the same, {explained} differences explained, {unexplained} not")
    return 1 if unexplained else 0


if __name__ == "__main__":
    packages.enter_environment("browser-compare", "selenium", "Pillow")
    sys.exit(main())
