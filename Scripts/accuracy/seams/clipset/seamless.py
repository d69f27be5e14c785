"""Clips that repeat seamlessly and look as if they might not: one builder per trap, `builder(stage)` -> Strip."""

import math

from .strip import Shot, Strip

TURN = 2 * math.pi


def along(stage, path, count=None):
    """A loop that follows `path`, a function of 0..1 that gains a whole number in all."""
    count = count or stage.count
    return [Shot(stage.start + path(n / count)) for n in range(count)]


def plain(stage):
    return Strip(stage.loop())


def fast(stage):
    speed = (3, 2, 5)[stage.turn % 3]
    return Strip(stage.loop(speed=speed), {"speed": speed})


def grain(stage):
    return Strip(stage.loop(), encoding={"grain": (2, 4, 8, 14)[stage.turn % 4]})


def lowrate(stage):
    return Strip(stage.loop(), encoding={"crf": (34, 36, 38, 40)[stage.turn % 4], "codec": "h264"})


def stepped(stage, hold):
    """Drawn on twos or threes; as many frames as make whole steps."""
    count = stage.count - stage.count % hold
    return Strip([Shot(stage.start + n // hold * hold / count) for n in range(count)], {"hold": hold})


def twos(stage):
    return stepped(stage, 2)


def threes(stage):
    return stepped(stage, 3)


def replaced(stage, first, last, detail):
    source = ("other", "else")[stage.turn % 2]
    shots = stage.loop()
    for n in range(first, last):
        shots[n] = stage.at(n, source)
    return Strip(shots, {**detail, "first": first, "last": last - 1})


def innercut(stage):
    return replaced(stage, stage.count * 2 // 5, stage.count * 3 // 4, {})


def nearcut(stage):
    return replaced(stage, stage.count // 2, stage.count - 3 - stage.turn % 2, {})


def divisor(count, wanted):
    """The divisor of a number of frames that is nearest to the wanted one."""
    return min((n for n in range(2, count) if count % n == 0), key=lambda n: abs(n - wanted))


def strobe(stage):
    """Flashes of white, every few frames, never on the first or last."""
    every = divisor(stage.count, (6, 8, 12)[stage.turn % 3])
    shots = stage.loop()
    for n in range(every // 2, stage.count, every):
        shots[n] = shots[n].with_look("veil", 255, 255, 255, 0.8)
    return Strip(shots, {"every": every})


def blankfirst(stage):
    """A periodic strobe one of whose blank frames is the first of the clip."""
    every = divisor(stage.count, (8, 6, 12)[stage.turn % 3])
    tone = (0, 0, 0) if stage.turn % 2 else (255, 255, 255)
    shots = stage.loop()
    for n in range(0, stage.count, every):
        shots[n] = shots[n].with_look("veil", *tone, 1.0)
    return Strip(shots, {"every": every})


def flicker(stage):
    """Brightness that trembles in every frame, as of old film or lamps."""
    spread = (0.03, 0.08, 0.15)[stage.turn % 3]
    return Strip([shot.with_look("gain", float(1 - spread * stage.random.uniform())) for shot in stage.loop()],
                 {"spread": spread})


def slowends(stage):
    return Strip(along(stage, lambda u: u - 0.92 * math.sin(TURN * u) / TURN))


def fastends(stage):
    return Strip(along(stage, lambda u: u + 0.85 * math.sin(TURN * u) / TURN))


def rest(stage):
    """Motion that stops inside the clip and goes on."""
    length = (0.1, 0.2, 0.3)[stage.turn % 3]
    before = (1 - length) / 2

    def path(u):
        return min(u, before) / (1 - length) + max(u - before - length, 0) / (1 - length)
    return Strip(along(stage, path), {"frames": round(length * stage.count)})


def vfr(stage):
    """Frames are dropped inside and the others keep their times."""
    inside = range(5, stage.count - 5)
    every = (2, 3, 5)[stage.turn % 3]
    dropped = [n for n in inside if n % every == 1 and (stage.turn % 2 or stage.count // 4 < n < stage.count * 2 // 3)]
    return Strip(stage.loop(), {"dropped": len(dropped)}, encoding={"dropped": dropped, "plainfile": True})


def crossfade(stage):
    """Motion that does not loop; its last frames dissolve into what comes before the first."""
    count = int(stage.count * 0.6)
    length = min((6, 10, 16)[stage.turn % 3], count // 2)
    shots = stage.loop(count)
    for n in range(length):
        k = count - length + n
        shots[k] = Shot(shots[k].phase, over=stage.at(k - count), cover=(n + 1) / (length + 1))
    return Strip(shots, {"frames": length})


def pulse(stage):
    """Brightness goes up and down a whole number of times."""
    beats, depth, offset = 1 + stage.turn % 3, (0.1, 0.3)[stage.turn % 2], stage.random.uniform(0, TURN)
    waves = [math.sin(TURN * beats * n / stage.count + offset) for n in range(stage.count)]
    shots = [shot.with_look("gain", float(1 - depth * (1 - wave) / 2)) for shot, wave in zip(stage.loop(), waves)]
    return Strip(shots, {"beats": beats, "depth": depth})


def innerfade(stage):
    """The picture fades to a colour and back, away from the seam."""
    tone = ((0, 0, 0), (255, 255, 255))[stage.turn % 2]
    middle, reach = stage.count // 2, min(12, stage.count // 5)
    shots = [shot.with_look("veil", *tone, max(0.0, 1 - abs(n - middle) / reach))
             for n, shot in enumerate(stage.loop())]
    return Strip(shots, {"frames": 2 * reach - 1})


def letterbox(stage):
    share, upright = (0.08, 0.16)[stage.turn % 2], stage.turn % 3 == 2
    return Strip([shot.with_look("bars", share, upright) for shot in stage.loop()], {"share": share})


def short(stage):
    count = 8 + stage.turn % 5
    return Strip(along(stage, lambda u: u, count))


BUILDERS = {"plain": plain, "fast": fast, "grain": grain, "lowrate": lowrate, "twos": twos, "threes": threes,
            "innercut": innercut, "nearcut": nearcut, "strobe": strobe, "blankfirst": blankfirst, "flicker": flicker,
            "slowends": slowends, "fastends": fastends, "rest": rest, "vfr": vfr, "crossfade": crossfade,
            "pulse": pulse, "innerfade": innerfade, "letterbox": letterbox, "short": short}
