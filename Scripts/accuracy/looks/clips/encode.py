"""Encodes drawn frames with ffmpeg: one thread each, no dates or versions, the same on every run."""

import os
import subprocess

import numpy as np

EXACT = ("-flags", "+bitexact", "-fflags", "+bitexact")


def encode(clip, frames, path):
    """Writes a file that is complete or not there at all. Turned clips are stored turned, so that they show upright."""
    coding = clip.coding
    stored = np.rot90(frames, coding.rotate // 90, axes=(1, 2))
    height, width = stored.shape[1:3]
    if coding.pq:
        data, layout, tags = pq_codes(stored).astype("<u2"), "rgb48le", ("bt2020nc", "bt2020", "smpte2084", "bt2020")
    else:
        data, layout = np.clip(np.rint(stored), 0, 255).astype(np.uint8), "rgb24"
        tags = ("bt709", "bt709", "bt709", "bt709")
    matrix, primaries, transfer, scaled = tags
    reach = "pc" if coding.full_range else "tv"
    filters = [f"scale=out_color_matrix={scaled}:out_range={reach}:flags=bicubic+accurate_rnd+full_chroma_int+bitexact",
               f"format={pixel_format(coding)}"]
    if clip.dropped:
        filters.insert(0, "select='not(" + "+".join(f"eq(n,{n})" for n in clip.dropped) + ")'")
    partial = path.with_name(f".partial-{path.name}")
    run(["-f", "rawvideo", "-pix_fmt", layout, "-s", f"{width}x{height}", "-r", str(clip.fps), "-i", "-",
         "-vf", ",".join(filters), "-vsync", "vfr" if clip.dropped else "passthrough", *codec(coding),
         "-threads", "1", "-colorspace", matrix, "-color_primaries", primaries, "-color_trc", transfer,
         "-color_range", reach, "-map_metadata", "-1", *EXACT, str(partial)], data.tobytes())
    if coding.rotate:
        turned = path.with_name(f".turned-{path.name}")
        run(["-i", str(partial), "-c", "copy", "-map_metadata", "-1", "-metadata:s:v:0", f"rotate={coding.rotate}",
             *EXACT, str(turned)])
        os.replace(turned, partial)
    os.replace(partial, path)


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
    import json
    facts = json.loads(probe.stdout)
    stream = facts["streams"][0]
    width, height = stream["width"], stream["height"]
    turn = next((int(data["rotation"]) for data in stream.get("side_data_list", []) if "rotation" in data), 0)
    if turn % 180:
        width, height = height, width
    raw = run(["-threads", "1", "-i", str(path), "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"])
    frames = np.frombuffer(raw, "<u2").reshape(-1, height, width, 3).astype(np.float32) / 257
    times = [float(frame["best_effort_timestamp_time"]) for frame in facts["frames"]]
    last = float(facts["frames"][-1].get("pkt_duration_time", 0)) or (times[-1] - times[-2] if len(times) > 1 else 0.04)
    return frames, [time - times[0] for time in times + [times[-1] + last]], stream.get("color_transfer")


def run(arguments, given=b""):
    result = subprocess.run(["ffmpeg", "-v", "error", "-y", "-nostdin" if not given else "-hide_banner", *arguments],
                            input=given, capture_output=True)
    if result.returncode != 0:
        raise RuntimeError(f"ffmpeg {' '.join(arguments)}\n{result.stderr.decode(errors='replace')}")
    return result.stdout
