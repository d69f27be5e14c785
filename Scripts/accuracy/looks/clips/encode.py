"""Encodes drawn frames with ffmpeg: one thread each, no dates or versions, the same on every run."""

import json
import subprocess

import numpy as np

from lib import ffmpeg


def encode(clip, frames, path):
    """Writes a file that is complete or not there at all. Turned clips are stored turned, so that they show upright."""
    coding = clip.coding
    stored = np.rot90(frames, coding.rotate // 90, axes=(1, 2))
    height, width = stored.shape[1:3]
    if coding.pq:
        data, layout, tags = pq_codes(stored).astype("<u2"), "rgb48le", ("bt2020nc", "bt2020", "smpte2084", "bt2020")
    else:
        data, layout, tags = ffmpeg.rounded(stored), "rgb24", ("bt709", "bt709", "bt709", "bt709")
    matrix, primaries, transfer, scaled = tags
    reach = "pc" if coding.full_range else "tv"
    filters = [f"scale=out_color_matrix={scaled}:out_range={reach}:flags=bicubic+accurate_rnd+full_chroma_int+bitexact",
               f"format={pixel_format(coding)}"]
    ffmpeg.encode_exactly(
        path, data.tobytes(), (width, height), clip.fps, filters, codec(coding),
        ["-colorspace", matrix, "-color_primaries", primaries, "-color_trc", transfer, "-color_range", reach],
        pixels=layout, dropped=clip.dropped, degrees=coding.rotate)


def pixel_format(coding):
    return {"hevc10": "yuv420p10le", "prores": "yuv422p10le"}.get(coding.codec, "yuv420p")


def codec(coding):
    if coding.codec == "h264":
        return ["-c:v", "libx264", "-preset", "veryfast", "-crf", str(coding.crf), "-x264-params",
                f"threads=1:keyint={coding.keyint}"]
    if coding.codec == "prores":
        return ["-c:v", "prores_ks", "-profile:v", "2"]
    return ["-c:v", "libx265", "-preset", "ultrafast", "-crf", str(coding.crf), "-tag:v", "hvc1", "-x265-params",
            f"pools=none:frame-threads=1:log-level=error:info=0:keyint={coding.keyint}"]


def pq_codes(frames):
    """sRGB as it is shown at 203 cd/m2, in the PQ transfer function; the primaries are taken as they are."""
    light = linear(frames / 255) * 203 / 10000
    power = np.power(light, 2610 / 16384)
    signal = np.power((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power), 2523 / 32)
    return np.rint(np.clip(signal, 0, 1) * 65535)


def linear(signal):
    return np.where(signal <= 0.04045, signal / 12.92, np.power((signal + 0.055) / 1.055, 2.4))


def code(light):
    """The sRGB code value of linear light."""
    light = np.asarray(light, np.float64)
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.power(light, 1 / 2.4) - 0.055)


def decoded(path):
    """All frames as shown, upright, as float32 RGB from 0 to 255, and when each is shown in seconds from the first,
    with the end of the last."""
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
         "stream=width,height,color_transfer:stream_side_data=rotation:frame=best_effort_timestamp_time,pkt_duration_time",
         "-of", "json", str(path)], capture_output=True, check=True)
    facts = json.loads(probe.stdout)
    stream = facts["streams"][0]
    width, height = stream["width"], stream["height"]
    turn = next((int(data["rotation"]) for data in stream.get("side_data_list", []) if "rotation" in data), 0)
    if turn % 180:
        width, height = height, width
    frames = ffmpeg.decode(path, width, height, pixels="rgb48le").astype(np.float32) / 257
    times = [float(frame["best_effort_timestamp_time"]) for frame in facts["frames"]]
    last = float(facts["frames"][-1].get("pkt_duration_time", 0)) or (times[-1] - times[-2] if len(times) > 1 else 0.04)
    return frames, [time - times[0] for time in times + [times[-1] + last]], stream.get("color_transfer")
