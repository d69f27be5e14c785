"""Clips that do not repeat seamlessly: one builder per defect, `builder(stage, strength)` -> Strip.

Strength 1 is minor, 2 clear, 3 gross. Whether a person can see 2 and 3 is not assumed: each builder says which
picture the seam should have shown, and visible.py compares it with the one it shows.
"""

import numpy as np

from .strip import Check, Strip

BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def held(stage, strength):
    """The loop includes its end point: the first picture is shown again at the end."""
    again = 1 if strength < 3 else 2 + stage.turn % 2
    return Strip(stage.loop() + [stage.at(0)] * again, {"frames": again},
                 Check("motion", stage.at(again), stage.at(0)))


def jump(stage, strength):
    """Frames are missing at the end, or (negative numbers) the loop runs on past its period.

    One frame too many would be `held`, so two are the least.
    """
    off = {1: 1, 2: 3, 3: 8}[strength]
    if stage.turn % 2 == 0:
        return Strip(stage.loop(stage.count - off), {"frames": off},
                     Check("leap", stage.at(stage.count - off), stage.at(0)))
    off = max(off, 2)
    return Strip(stage.loop(stage.count + off), {"frames": -off}, Check("leap", stage.at(off), stage.at(0)))


def cut(stage, strength):
    """The clip ends, or starts, with other content."""
    if strength == 1:
        count = int(stage.count * 0.6)
        return Strip(stage.loop(count), {"content": "half a period away"},
                     Check("content", stage.at(count), stage.at(0)))
    source = "other" if strength == 2 else "else"
    part = stage.count // 3 if stage.turn % 2 else stage.count // 2
    shots = stage.loop()
    if stage.turn % 3 == 0:
        where, places = "start", range(part)
    else:
        where, places = "end", range(stage.count - part, stage.count)
    for n in places:
        shots[n] = stage.at(n, source)
    expected = stage.at(0, source) if where == "end" else stage.at(0)
    return Strip(shots, {"content": source, "where": where, "frames": part}, Check("content", expected, shots[0]))


def fade(stage, strength):
    """The picture goes to, or comes from, one colour."""
    tone = (BLACK, WHITE, tuple(float(v) for v in stage.random.integers(30, 220, 3)))[stage.turn % 3]
    length = {1: 8, 2: 3 + stage.turn % 4, 3: 12 + 2 * (stage.turn % 5)}[strength]
    length = min(length, stage.count // 4)
    depth = 0.5 if strength == 1 else 1.0
    ends = ("out", "in") if strength == 3 else (("out", "in")[stage.turn // 3 % 2],)
    shots = stage.loop()
    for n in range(length):
        amount = depth * (length - n) / length
        if "out" in ends:
            shots[-1 - n] = shots[-1 - n].with_look("veil", *tone, amount)
        if "in" in ends:
            shots[n] = shots[n].with_look("veil", *tone, amount)
    check = Check("tone", stage.at(0), stage.at(0).with_look("veil", *tone, depth))
    return Strip(shots, {"frames": length, "colour": [int(v) for v in tone], "ends": list(ends), "depth": depth}, check)


def freeze(stage, strength):
    """Motion stops at the end or the start: it goes on from there, or the frames that it missed are gone."""
    length = {1: 3, 2: 6, 3: 15}[strength]
    where, how = ("end", "start")[stage.turn % 2], ("stall", "drop")[stage.turn // 2 % 2]
    shots = stage.loop()
    if how == "stall":
        shots = shots + [shots[-1]] * length if where == "end" else [shots[0]] * length + shots
    elif where == "end":
        shots = shots[:-length] + [shots[-length - 1]] * length
    else:
        shots = [shots[length]] * length + shots[length:]
    return Strip(shots, {"frames": length, "where": where, "how": how},
                 Check("motion", stage.at(length), stage.at(0)))


def shift(stage, strength):
    """Exposure, gamma or colour differ between end and start: a slow drift, or another last third."""
    amount = {1: 0.02, 2: 0.06, 3: 0.15}[strength] * (-1 if stage.turn // 3 % 2 else 1)
    what, drifts = ("exposure", "gamma", "colour")[stage.turn % 3], stage.turn // 2 % 2 == 0

    def look(share):
        if what == "exposure":
            return "gain", 1 - amount * share if amount > 0 else 1 / (1 - amount * share)
        if what == "gamma":
            return "gamma", (1 + 2 * amount) ** share if amount > 0 else (1 - 2 * amount) ** -share
        return "tint", 1 + amount * share, 1.0, 1 - amount * share

    count = stage.count
    shares = [(n + 1) / count if drifts else float(n >= count * 2 // 3) for n in range(count)]
    shots = [shot.with_look(*look(share)) if share else shot for shot, share in zip(stage.loop(), shares)]
    detail = {"what": what, "how": "drift" if drifts else "step", "percent": round(100 * amount)}
    return Strip(shots, detail, Check("level", stage.at(0), stage.at(0).with_look(*look(1.0))))


def reverse(stage, strength):
    """Motion at the end is opposite to that at the start. Strength 1 is an exact ping-pong, which is no defect."""
    half = stage.count // 2
    if strength == 1:
        path = [*range(half + 1), *range(half - 1, 0, -1)]
        return Strip([stage.at(n) for n in path], {"trap": "pingpong"}, clear=False)
    back = 1.5 if strength == 2 else 2.5
    path, velocity = [0.0], [1.0] * half + list(np.linspace(1, -back, 10))
    for step in velocity:
        path.append(path[-1] + step)
    while path[-1] > back:
        path.append(path[-1] - back)
    return Strip([stage.at(float(n)) for n in path], {"back": back}, Check("motion", stage.at(-1), stage.at(1)))


def pop(stage, strength):
    """Pictures get worse towards the end and are sharp again at the start."""
    shots = stage.loop()
    if stage.turn % 2 == 0:
        worst = {1: 34, 2: 43, 3: 51}[strength]
        steps = [(n, round(16 + (worst - 16) * min(1.0, 1.6 * n / stage.count) ** 0.7)) for n in range(len(shots))]
        zones = "/".join(f"{n},{n},q={q}" for n, q in steps)
        return Strip(shots, {"how": "starved", "qp": worst}, encoding={"zones": zones})
    radius = {1: 0.5, 2: 1.1, 3: 2.5}[strength]
    first = stage.count * 2 // 5
    for n in range(first, stage.count):
        shots[n] = shots[n].with_look("blur", round(radius * (n - first + 1) / (stage.count - first), 3))
    return Strip(shots, {"how": "blur", "radius": radius},
                 Check("detail", stage.at(0), stage.at(0).with_look("blur", radius)))


def static(stage, strength):
    """Nothing moves: exact (3), with coding noise or faint grain (2), with more grain (1)."""
    shots = [stage.at(0)] * stage.count
    if strength == 3:
        return Strip(shots, {"how": "exact"}, clear=True, encoding={"grain": 0})
    if strength == 1:
        return Strip(shots, {"how": "grain"}, clear=False, encoding={"grain": 4})
    if stage.turn % 2:
        return Strip(shots, {"how": "faint grain"}, clear=True, encoding={"grain": 1})
    zones = "/".join(f"{n},{n},q={(26, 34, 30, 38)[n % 4]}" for n in range(len(shots)))
    return Strip(shots, {"how": "coding noise"}, clear=True, encoding={"grain": 0, "zones": zones, "keyint": 12})


BUILDERS = {"held": held, "jump": jump, "cut": cut, "fade": fade, "freeze": freeze, "shift": shift,
            "reverse": reverse, "pop": pop, "static": static}
