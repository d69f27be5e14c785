"""What can be wrong with a release: each function spoils a sound one in one respect. The label is the rule's id."""

import shutil

import numpy as np

import encode
import scene


class Release:
    """A folder with a square and a tall loop and a cover."""

    def __init__(self, folder, seed, **changes):
        self.folder, self.seed = folder, seed
        folder.mkdir(parents=True)
        self.frames = scene.loop(seed)
        # Most faults write their own: those that are sound are written when they are asked for, or at the end.
        self.due = dict.fromkeys(("1x1", "3x4"), changes)
        encode.still(folder / "cover.jpg", scene.square(self.frames[0]))

    def path(self, key, suffix=".mp4"):
        if suffix == ".mp4" and key in self.due:
            self.write(key, **self.due[key])
        return self.folder / (key + suffix)

    def finish(self):
        for key in list(self.due):
            self.path(key)

    def write(self, key, frames=None, **changes):
        self.due.pop(key, None)
        encode.video(self.path(key), [scene.key_of(frame, key) for frame in frames or self.frames], **changes)

    def replace(self, key, *arguments, suffix=".mp4", after=("-movflags", "+faststart")):
        """Has ffmpeg make a key's file anew from what it is now."""
        old = self.folder / ("old" + self.path(key).suffix)
        self.path(key).rename(old)
        encode.run("-i", old, *arguments, *after, self.path(key, suffix))
        old.unlink()


def aspect_ratio(release):
    release.write("1x1", size="360:324")
    release.write("3x4", size="400:432")


def frame_rate(release):
    frames = scene.loop(release.seed, count=108)
    for key in ("1x1", "3x4"):
        release.write(key, frames, rate=90)


def frame_rate_mode(release):
    # Every third frame is left out, the times of the others stay.
    for key in ("1x1", "3x4"):
        release.write(key, filters=["select='mod(n,3)+eq(n,0)'"], tags=[*encode.TAGS, "-vsync", "vfr"])


def duration(release):
    frames = [frame[:, :] for frame in scene.loop(release.seed, count=30)] * 6
    for key in ("1x1", "3x4"):
        release.write(key, frames, rate=6)


def loop_seam(release):
    # Three fifths of a turn: the motion ends far from where it starts.
    frames = scene.loop(release.seed, turns=.6)
    for key in ("1x1", "3x4"):
        release.write(key, frames)


def fade(release):
    # At the end: what fades in has a blank first frame, too.
    frames = [frame * max(.04, min(1, (scene.COUNT - 1 - n) / 12)) for n, frame in enumerate(release.frames)]
    for key in ("1x1", "3x4"):
        release.write(key, frames)


def codec(release):
    for key in ("1x1", "3x4"):
        release.write(key, codec=["-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-cpu-used", "6", "-pix_fmt", "yuv420p"])


def codec_tag(release):
    for key in ("1x1", "3x4"):
        release.write(key, codec=["-c:v", "libx265", "-preset", "ultrafast", "-crf", "18", "-x265-params", "log-level=error", "-tag:v", "hev1", "-pix_fmt", "yuv420p"])


def container(release):
    for key in ("1x1", "3x4"):
        release.replace(key, "-c", "copy", suffix=".mkv")


def pixel_format(release):
    for key in ("1x1", "3x4"):
        release.write(key, codec=["-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-pix_fmt", "yuv444p"])


def dimensions(release):
    # Half of the size that is asked for at least.
    release.write("1x1", size="160:160")
    release.write("3x4", size="162:216")


def audio_track(release):
    for key in ("1x1", "3x4"):
        release.replace(key, "-f", "lavfi", "-t", "1.5", "-i", "sine=440", "-c:v", "copy", "-c:a", "aac", "-map", "0:v", "-map", "1:a")


def start_offset(release):
    for key in ("1x1", "3x4"):
        release.replace(key, "-c", "copy", "-bsf:v", "setts=ts=TS+12288*0.5", "-avoid_negative_ts", "disabled")


def preview_aspect(release):
    picture = scene.square(release.frames[0])
    encode.still(release.path("1x1", ".png"), picture, "360:324")


def preview_match(release):
    encode.still(release.path("3x4", ".png"), release.frames[len(release.frames) // 2])


def blank_first_frame(release):
    frames = [np.full_like(release.frames[0], 16.0)] + release.frames[1:]
    for key in ("1x1", "3x4"):
        release.write(key, frames)


def letterbox(release):
    frames = [frame.copy() for frame in release.frames]
    for frame in frames:
        # 16 % at each end of the square, and the same rows of the tall one.
        top = (scene.HEIGHT - scene.WIDTH) // 2
        frame[:top + 52] = 0
        frame[scene.HEIGHT - top - 52:] = 0
    for key in ("1x1", "3x4"):
        release.write(key, frames)
    # It would have to have the same bars.
    (release.folder / "cover.jpg").unlink()


def static(release):
    for key in ("1x1", "3x4"):
        release.write(key, [release.frames[0]] * scene.COUNT)


def truncated(release):
    for key in ("1x1", "3x4"):
        data = release.path(key).read_bytes()
        release.path(key).write_bytes(data[:len(data) * 6 // 10])


def decode_cost(release):
    # Few frames, as only their size and rate count.
    for key, size in (("1x1", "3840:3840"), ("3x4", "2880:3840")):
        release.write(key, release.frames[::3], rate=60, size=size, codec=[
            "-c:v", "libx264", "-preset", "ultrafast", "-crf", "28", "-pix_fmt", "yuv420p"])


def bitrate(release):
    rng = np.random.default_rng(release.seed)
    grain = [rng.uniform(-70, 70, release.frames[0].shape) for _ in range(4)]
    frames = [frame + grain[n % 4] for n, frame in enumerate(release.frames)]
    for key in ("1x1", "3x4"):
        release.write(key, frames, rate=60, codec=["-c:v", "libx264", "-preset", "ultrafast", "-qp", "1", "-pix_fmt", "yuv420p"])


def color(release):
    tags = ["-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-movflags", "+faststart", "-tag:v", "hvc1"]
    for key in ("1x1", "3x4"):
        release.write(key, tags=tags, codec=["-c:v", "libx265", "-preset", "ultrafast", "-crf", "14", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le"])


def flash(release):
    # Five frames light, five frames dark at 24 a second: 2.4 pairs; with three and three, four in a second.
    frames = [frame * .25 if n // 3 % 2 else frame * .5 + 128 for n, frame in enumerate(release.frames)]
    for key in ("1x1", "3x4"):
        release.write(key, frames)


def pair_missing(release):
    release.path("3x4").unlink()


def pair_length(release):
    release.write("3x4", scene.loop(release.seed, count=54))


def pair_rate(release):
    release.write("3x4", scene.loop(release.seed, count=45), rate=30)


def pair_look(release):
    release.write("3x4", scene.loop(release.seed + 5000))
    # The cover would tell the same once more.
    (release.folder / "cover.jpg").unlink()


def complementary(release):
    encode.still(release.folder / "cover.jpg", scene.square(scene.Scene(release.seed + 7000).frame(0)))


def fast_start(release):
    for key in ("1x1", "3x4"):
        release.replace(key, "-c", "copy", after=())


def closed_gop(release):
    for key in ("1x1", "3x4"):
        release.write(key, codec=[*encode.GOOD, "-preset", "medium", "-g", "12", "-bf", "3", "-x264-params", "open-gop=1:scenecut=0:b-adapt=0"])


def copied(release, other):
    """The other release's videos under this one's name."""
    for name in ("1x1.mp4", "3x4.mp4", "cover.jpg"):
        shutil.copy(other.folder / name, release.folder / name)


# The rule that is broken, and what breaks it. A blank first frame breaks the loop as well.
PLANTED = [
    ("aspect-ratio", aspect_ratio), ("frame-rate", frame_rate), ("frame-rate-mode", frame_rate_mode),
    ("duration", duration), ("loop-seam", loop_seam), ("fade", fade), ("codec", codec), ("codec-tag", codec_tag),
    ("container", container), ("pixel-format", pixel_format), ("dimensions", dimensions), ("audio-track", audio_track),
    ("start-offset", start_offset), ("preview-aspect", preview_aspect), ("preview-match", preview_match),
    ("blank-first-frame loop-seam", blank_first_frame), ("letterbox", letterbox), ("static", static), ("truncated", truncated),
    ("decode-cost", decode_cost), ("color", color), ("flash", flash), ("pair", pair_missing), ("pair", pair_length),
    ("pair", pair_rate), ("pair", pair_look), ("complementary", complementary), ("bitrate", bitrate),
    ("fast-start", fast_start), ("closed-gop", closed_gop),
]
