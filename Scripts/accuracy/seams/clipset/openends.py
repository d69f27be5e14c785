"""Motion that does not come round, and dissolves that fail to hide it: `builder(stage, strength)` -> Strip."""

from .strip import Check, Shot, Strip


def unclosed(stage, strength):
    """The clip ends somewhere else than it began."""
    count = int(stage.count * (0.45, 0.6, 0.35)[stage.turn % 3])
    return Strip(stage.loop(count), {"how": "unclosed", "accept": ["jump"]},
                 Check("content", stage.at(count), stage.at(0)))


def dissolving(stage, most):
    """Motion that does not loop; its last frames dissolve into what comes before the first, as far as `most`."""
    count, length = int(stage.count * 0.55), (12, 20, 30)[stage.turn % 3]
    shots = stage.loop(count)
    for n in range(length):
        k = count - length + n
        shots[k] = Shot(shots[k].phase, over=stage.at(k - count), cover=most * (n + 1) / length)
    return shots, length


def earlydissolve(stage, strength):
    """The dissolve stops half way: the rest of the change is a jump."""
    most = 0.7 if strength == 2 else 0.4
    shots, length = dissolving(stage, most)
    return Strip(shots, {"frames": length, "reaches": most, "accept": ["cut", "fade"]},
                 Check("dissolve", stage.at(-1), shots[-1]))


def ghost(stage, strength):
    """The dissolve ends a little early: what is left of the old picture vanishes at the seam."""
    shots, length = dissolving(stage, 0.85)
    return Strip(shots, {"frames": length, "reaches": 0.85, "accept": ["cut", "fade", "pop", "shift"]},
                 Check("dissolve", stage.at(-1), shots[-1]))


BUILDERS = {"unclosed": unclosed, "earlydissolve": earlydissolve, "ghost": ghost}
