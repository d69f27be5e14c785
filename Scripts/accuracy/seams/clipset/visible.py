"""Whether a person who looks at the loop can see its defect: measured on pictures before coding.

The picture that the seam should have shown is compared with the one it shows. The limits are what looking at
clips at their normal speed suggested; a clip of strength 2 or 3 that misses them is labelled as not clear.
"""

import numpy as np

from lib.draw import blurred

PATCH = 64                # the pixels that differ most: as many as a patch of 8 x 8
DIFFERENCE = 14.0         # levels in that patch, plus the spread of the grain, that make a step noticed
PIXELS = 0.8              # a move that is seen as a hitch, where edges move
LEAP = 1.35               # times the change of every frame, for motion without a path
CONTENT, TONE, LEVEL = 4.0, 7.0, 2.5     # levels on the average over the picture
TINT = 6.0                # the same, of the red, green or blue that coding at low rates gets wrong
DETAIL = 0.2              # share of the gradients (root of the mean square) that has to be lost
STEP = 10.0               # levels in the worst hundredth of the picture, for a jump in larger clips
TIMES = 1.5               # the same, times the clip's own largest steps
NEAR = 8                  # steps on each side of the seam
SPOT = STEP / 2           # levels in the worst hundredth of the picture, where coding alone makes the step
POOR = 34.0               # dB; what is better than this cannot be told from its source


def luma(picture):
    return picture @ np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)


def gradient(plane):
    down, right = np.gradient(plane)
    return np.hypot(down, right)


def patch_difference(a, b):
    change = np.sort(np.abs(a - b).max(axis=2).ravel())
    return float(change[-PATCH:].mean())


def moved_pixels(a, b):
    """About how far edges moved, in pixels: the change over the gradient where something changed.

    Blurred first, so that moves by more than the width of an edge still count as more.
    """
    a, b = blurred(luma(a), 1.5), blurred(luma(b), 1.5)
    change, slope = np.abs(a - b), gradient((a + b) / 2)
    where = change > 4
    return float((change * slope)[where].sum() / max((slope * slope)[where].sum(), 1e-6)) if where.any() else 0.0


def lost_detail(sharp, poor):
    before, after = (float((gradient(luma(picture)) ** 2).mean()) for picture in (sharp, poor))
    return 1 - (after / max(before, 1e-6)) ** 0.5


def judged(check, deck, grain):
    """(seen, measured): whether the defect can be seen, and what that rests on."""
    a, b = deck.picture(check.expected), deck.picture(check.shown)
    mean = float(np.abs(a - b).mean())
    if check.how in ("motion", "leap"):
        patch, pixels = patch_difference(a, b), moved_pixels(a, b)
        measured = {"difference": round(patch, 1), "pixels": round(pixels, 2)}
        seen = patch >= DIFFERENCE + 2 * grain and pixels >= PIXELS
        if check.how == "leap" and not deck.scene.tracked:
            measured["ratio"] = round(mean / max(usual_change(deck), 0.01), 2)
            seen = seen and measured["ratio"] >= LEAP
        return seen, measured
    if check.how == "dissolve":
        patch = patch_difference(a, b)
        measured = {"difference": round(patch, 1), "mean": round(mean, 1)}
        return patch >= 2 * DIFFERENCE + 2 * grain and mean >= 2.0, measured
    if check.how == "detail":
        lost, patch = lost_detail(a, b), patch_difference(a, b)
        return lost >= DETAIL and patch >= DIFFERENCE + grain, {"lost": round(lost, 2), "difference": round(patch, 1)}
    if check.how == "level":
        level = float(np.abs(a.mean(axis=(0, 1)) - b.mean(axis=(0, 1))).max())
        usual = usual_level(deck)
        return level >= max(LEVEL, 1.5 * usual), {"level": round(level, 2), "usual": round(usual, 2)}
    limit = CONTENT if check.how == "content" else TONE
    return mean >= limit, {"mean": round(mean, 1)}


def own_loop(deck):
    count = deck.scene.frames
    return [deck.rendered("own", n / count) for n in range(count)]


def usual_change(deck):
    """The mean change of a frame, over the scene's loop."""
    loop = own_loop(deck)[::4]
    step = 1 / deck.scene.frames
    after = [deck.rendered("own", n * 4 * step + step) for n in range(len(loop))]
    return float(np.mean([np.abs(a.astype(np.float32) - b).mean() for a, b in zip(loop, after)]))


def usual_level(deck):
    """The largest step of the mean of the picture from frame to frame."""
    means = np.array([picture.mean(axis=(0, 1)) for picture in own_loop(deck)])
    return float(np.abs(means - np.roll(means, 1, axis=0)).max())


def quality(source, decoded):
    """Peak signal to noise ratio in dB of pictures of 8 bits."""
    error = (source.astype(np.float32) - decoded) ** 2
    return float(10 * np.log10(255**2 / max(float(error.mean()), 0.05)))


def starved(source, decoded):
    """(seen, measured) for an encode whose last pictures are poorer than its first."""
    first, last = quality(source[0], decoded[0]), quality(source[-3:], decoded[-3:])
    kept = 1 - lost_detail(source[0], decoded[0])
    lost = 1 - (1 - lost_detail(source[-1], decoded[-1])) / max(kept, 1e-6)
    measured = {"lost": round(lost, 2), "dB": [round(first, 1), round(last, 1)]}
    return last <= POOR and first - last >= (4 if lost >= DETAIL else 8), measured


def coding_pops(source, decoded):
    """(seen, measured) for the encode of a seamless loop: whether low rates alone make its seam visible.

    Either the quality rises from the last pictures to the first, as it does where an encode is starved; or the mean
    brightness or colour is wrong by another amount before the seam than after it.
    """
    seen, measured = starved(source, decoded)
    step = (decoded[0] - source[0]).mean(axis=(0, 1)) - (decoded[-1] - source[-1]).mean(axis=(0, 1))
    level, tint = abs(float(luma(step))), float(np.abs(step).max())
    return seen or level >= LEVEL or tint >= TINT, {**measured, "level": round(level, 2), "tint": round(tint, 2)}


# MARK: Jumps against the clip's own steps, in families other than the drawn one


def blocks(frames, side=10):
    """Luma of boxes of `side` pixels, over the whole picture."""
    count, height, width, _ = frames.shape
    rows, columns = height // side, width // side
    made = np.empty((count, rows, columns), np.float32)
    for n, frame in enumerate(frames):
        plane = luma(frame[:rows * side, :columns * side].astype(np.float32))
        made[n] = plane.reshape(rows, side, columns, side).mean(axis=(1, 3))
    return made


def coding_steps(source, decoded):
    """(seen, measured) for the encode of a loop: whether parts of the picture step at its seam because of coding alone.

    Counted is what a block steps at the seam beyond its step in the source, and beyond its largest step of the decoded
    file near the seam: what coding does all the time is not seen.
    """
    shown = blocks(decoded)
    near = np.abs(np.concatenate([np.diff(shown[:NEAR + 1], axis=0), np.diff(shown[-NEAR - 1:], axis=0)]))
    meant = np.abs(np.diff(blocks(source[[-1, 0]]), axis=0))[0]
    beyond = np.abs(shown[0] - shown[-1]) - np.maximum(meant, near.max(axis=0))
    worst = float(change(np.maximum(beyond, 0)[None], np.zeros_like(beyond)[None])[0, 0])
    return worst >= SPOT, {"beyond": round(worst, 2)}


def coding_seen(source, decoded):
    """(seen, measured) for the encode of a loop: whether coding alone makes its seam visible, in one way or another."""
    pops, measured = coding_pops(source, decoded)
    steps, more = coding_steps(source, decoded)
    return pops or steps, {**measured, **more}


def change(a, b):
    """The mean change of the blocks that change most: of a hundredth, a tenth, and all of them."""
    each = np.sort(np.abs(a - b).reshape(len(a), -1), axis=1)
    count = each.shape[1]
    return np.stack([each[:, -max(count // part, 4):].mean(axis=1) for part in (100, 10, 1)])


def seam_step(small, inner=(), share=0.95):
    """(levels, times): the step of the seam in the worst part, and against the clip's own, but those at cuts inside.

    It is held against the largest step near the seam, and the one that `share` of all steps are below. A person sees
    what is unusual in a spot or in the whole picture.
    """
    own = np.delete(change(small[1:], small[:-1]), list(inner), axis=1)
    seam = change(small[:1], small[-1:])[:, 0]
    usual = np.maximum(np.maximum(own[:, :8].max(axis=1), own[:, -8:].max(axis=1)), np.quantile(own, share, axis=1))
    return float(seam[0]), float((seam / np.maximum(usual, (1.0, 0.5, 0.2))).max())


def jump_seen(frames, inner=(), share=0.95):
    """(seen, measured) for a clip that jumps at its seam."""
    levels, times = seam_step(blocks(frames), inner, share)
    return levels >= STEP and times >= TIMES, {"difference": round(levels, 1), "times": round(times, 2)}
