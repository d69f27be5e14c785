"""Vector drawings as motion designers export them: flat colours, eased moves, paths that are trimmed, masks, text.

Like the other scenes: a function of a size that returns `render(phase)`, where phase 1 is phase 0. Most rest for a
part of the loop, move on a flat ground, and change little of the picture at a time.
"""

import numpy as np

from lib.draw import box, colour, disc, edge, flat, grid, lettering, paint, segment, turned

TURN = 2 * np.pi


# MARK: Moves


def ease(t, power=3.0):
    """Slow at both ends."""
    t = float(np.clip(t, 0, 1))
    return t**power / (t**power + (1 - t) ** power)


def out(t, power=3.0):
    """Fast at first."""
    return 1 - (1 - float(np.clip(t, 0, 1))) ** power


def spring(t):
    """Past the end and back."""
    t = float(np.clip(t, 0, 1))
    return 1 - np.exp(-6 * t) * np.cos(9 * t) * (1 - t)


def span(phase, first, last):
    """How far the phase is from one moment to another, 0 to 1."""
    return (phase % 1.0 - first) / (last - first)


# MARK: Drawing a part of the picture


def local(canvas, cx, cy, reach):
    """A view of the canvas round a point, and coordinates from it; None where it is outside. Pixels from top left."""
    height, width, _ = canvas.shape
    left, right = max(int(cx - reach - 2), 0), min(int(cx + reach + 3), width)
    top, bottom = max(int(cy - reach - 2), 0), min(int(cy + reach + 3), height)
    if left >= right or top >= bottom:
        return None
    x = np.arange(left, right, dtype=np.float32)[None, :] - np.float32(cx)
    y = np.arange(top, bottom, dtype=np.float32)[:, None] - np.float32(cy)
    return canvas[top:bottom, left:right], x, y


def dot(canvas, cx, cy, radius, tone, cover=1.0):
    place = local(canvas, cx, cy, radius)
    if place and radius > 0 and cover > 0:
        view, x, y = place
        paint(view, disc(x, y, radius) * cover, tone)


def bar(canvas, cx, cy, half_width, half_height, tone, angle=0.0, cover=1.0):
    place = local(canvas, cx, cy, np.hypot(half_width, half_height))
    if place and half_width > 0 and half_height > 0 and cover > 0:
        view, x, y = place
        x, y = turned(x, y, angle)
        paint(view, box(x, y, half_width, half_height) * cover, tone)


def line(canvas, start, end, thickness, tone, cover=1.0):
    (ax, ay), (bx, by) = start, end
    place = local(canvas, (ax + bx) / 2, (ay + by) / 2, np.hypot(bx - ax, by - ay) / 2 + thickness)
    if place and cover > 0:
        view, x, y = place
        mx, my = (ax + bx) / 2, (ay + by) / 2
        paint(view, segment(x, y, (ax - mx, ay - my), (bx - mx, by - my), thickness) * cover, tone)


def trimmed(canvas, points, first, last, thickness, tone):
    """The part of a path from `first` to `last` of its length, 0 to 1."""
    points = np.asarray(points, dtype=np.float64)
    steps = np.hypot(*np.diff(points, axis=0).T)
    places = np.concatenate([[0], np.cumsum(steps)]) / steps.sum()
    if last - first < 1e-4:
        return
    ends = [[np.interp(t, places, points[:, n]) for n in (0, 1)] for t in (first, last)]
    inside = points[(places > first) & (places < last)]
    path = np.concatenate([ends[:1], inside, ends[1:]])
    for a, b in zip(path, path[1:]):
        line(canvas, a, b, thickness, tone)


def stamp(canvas, mask, left, top, tone, cover=1.0):
    """A mask at whole pixels, cut off at the edges."""
    height, width, _ = canvas.shape
    left, top = round(left), round(top)
    x0, y0 = max(left, 0), max(top, 0)
    part = mask[y0 - top:height - top if height > top else 0, x0 - left:width - left if width > left else 0]
    if part.size:
        paint(canvas[y0:y0 + part.shape[0], x0:x0 + part.shape[1]], part * cover, tone)


# MARK: Tuning


def spinner(random, width, height, back=(245, 246, 250), ink=(80, 90, 230), rings=2):
    """Arcs that grow and shrink as they go round."""
    size, x, y = min(width, height), *grid(width, height)
    r, angle = np.hypot(x, y), np.arctan2(y, x) / TURN

    def render(phase):
        picture = flat(width, height, back)
        for n in range(rings):
            head, tail = ease(span(phase, 0.0, 0.55), 2), ease(span(phase, 0.45, 1.0), 2)
            start = phase + tail - 0.35 * n
            length = 0.06 + 0.75 * (head - tail)
            ring = edge(size * 0.035 - np.abs(r - size * (0.34 - 0.12 * n)))
            inside = (angle - start) % 1.0
            soft = np.clip((length - inside) * TURN * r + 0.5, 0, 1) * np.clip(inside * TURN * r + 0.5, 0, 1)
            paint(picture, ring * soft, ink if n % 2 == 0 else (240, 90, 110))
        return picture
    return render


def signature(random, width, height, back=(28, 30, 38), ink=(250, 220, 120)):
    """A pen stroke that is written, stays, and is wiped away from its start."""
    t = np.linspace(0, 1, 70)
    points = np.stack([width * (0.12 + 0.76 * t + 0.05 * np.sin(TURN * 2.7 * t)),
                       height * (0.5 + 0.2 * np.sin(TURN * 1.9 * t + 0.4) + 0.1 * np.sin(TURN * 4.1 * t))], axis=1)

    def render(phase):
        picture = flat(width, height, back)
        trimmed(picture, points, ease(span(phase, 0.55, 0.95), 2), ease(span(phase, 0.05, 0.45), 2),
                min(width, height) * 0.03, ink)
        return picture
    return render


def equaliser(random, width, height, back=(18, 18, 24), count=9, beats=4):
    """Bars that leap with every beat and sink back."""
    depth = random.uniform(0.3, 1.0, (beats, count))
    tones = [(90 + 18 * n, 230 - 16 * n, 200) for n in range(count)]

    def render(phase):
        picture = flat(width, height, back)
        beat, inside = divmod(phase % 1.0 * beats, 1.0)
        for n in range(count):
            rise = out(inside / 0.18) * (1 - ease((inside - 0.18) / 0.82, 1.5))
            high = height * 0.36 * (0.05 + 0.95 * depth[int(beat) % beats, n] * rise)
            bar(picture, width * (n + 1) / (count + 1), height / 2, width * 0.03, high, tones[n])
        return picture
    return render


def cards(random, width, height, back=(232, 236, 240), rows=4):
    """Rows of blocks like text slide in one after another, rest, and leave."""
    lengths = random.uniform(0.35, 0.75, rows)

    def render(phase):
        picture = flat(width, height, back)
        for n in range(rows):
            come = spring(span(phase, 0.04 + 0.06 * n, 0.34 + 0.06 * n))
            leave = ease(span(phase, 0.62 + 0.05 * n, 0.8 + 0.05 * n), 2)
            x = width * (-0.6 + 1.1 * come + 1.2 * leave)
            y = height * (0.26 + 0.16 * n)
            bar(picture, x, y, width * 0.4, height * 0.06, (255, 255, 255))
            bar(picture, x - width * 0.3, y, width * 0.05, height * 0.035, (250, 120 + 20 * n, 90))
            bar(picture, x + width * 0.06, y, width * 0.35 * lengths[n], height * 0.012, (120, 130, 145))
        return picture
    return render


def bounce(random, width, height, back=(255, 214, 102), ink=(60, 50, 110)):
    """A ball that leaps on the spot, squashed where it lands; rests a little."""
    size, x, y = min(width, height), *grid(width, height)

    def render(phase):
        t = span(phase, 0.1, 0.85)
        high = 4 * t * (1 - t) if 0 <= t <= 1 else 0.0
        squash = 1 - 0.35 * np.exp(-(((phase % 1.0) - 0.88) / 0.035) ** 2) + 0.12 * high
        picture = flat(width, height, back)
        floor = height * 0.28
        paint(picture, edge(1 - np.hypot(x / (size * 0.2 * (1.15 - 0.6 * high)), (y - floor) / (size * 0.03))) * 0.3,
              (90, 60, 20))
        cy = floor - size * (0.13 * squash + 0.45 * high)
        paint(picture, edge((1 - np.hypot(x * squash, (y - cy) / squash) / (size * 0.13)) * size * 0.13), ink)
        return picture
    return render


def confetti(random, width, height, back=(250, 250, 248), count=36):
    """Bits burst from the middle, one after another, and fall out of sight."""
    size = min(width, height)
    bits = [(random.uniform(0, TURN), random.uniform(0.4, 1.1), random.uniform(0, 0.35), random.uniform(40, 230, 3),
             random.uniform(0.012, 0.03) * size, random.uniform(-3, 3)) for _ in range(count)]

    def render(phase):
        picture = flat(width, height, back)
        swell = min(1.0, 12 * (phase % 1.0)) * np.exp(-8 * (phase % 1.0))
        dot(picture, width / 2, height / 2, size * 0.06 * (1 + 0.4 * swell), (240, 80, 100))
        for angle, speed, late, tone, half, spin in bits:
            t = span(phase, late, late + 0.6)
            if 0 < t < 1:
                reach = size * 0.5 * speed * out(t)
                bar(picture, width / 2 + reach * np.cos(angle), height / 2 + reach * np.sin(angle) + size * 0.3 * t * t,
                    half * (1 - t**4), half * 0.5 * (1 - t**4), tone, spin * TURN * t)
        return picture
    return render


def reveal(random, width, height, tones=((20, 60, 90), (240, 140, 80), (250, 235, 210))):
    """A circle opens over the next pattern, as often as there are colours."""
    x, y = grid(width, height)
    reach = np.hypot(width, height) / 2
    stripes = [edge(8 * np.sin((x * np.cos(a) + y * np.sin(a)) / 9)) for a in (0.4, 1.9, 2.8)]

    def pattern(n):
        picture = flat(width, height, tones[n % len(tones)])
        paint(picture, stripes[n % len(stripes)] * 0.25, tones[(n + 1) % len(tones)])
        return picture

    patterns = [pattern(n) for n in range(len(tones))]

    def render(phase):
        n, inside = divmod(phase % 1.0 * len(tones), 1.0)
        picture = patterns[int(n)].copy()
        mask = disc(x, y, reach * 1.02 * ease(inside / 0.8, 2) - 1)
        picture += mask[..., None] * (patterns[(int(n) + 1) % len(tones)] - picture)
        return picture
    return render


# MARK: Reporting


def clockwork(random, width, height, back=(38, 70, 83), ink=(244, 241, 222)):
    """A clock whose hand ticks round in twelve eased steps, with rests between; a pendulum below."""
    size = min(width, height)

    def render(phase):
        picture = flat(width, height, back)
        cx, cy = width / 2, height * 0.42
        dot(picture, cx, cy, size * 0.32, ink)
        dot(picture, cx, cy, size * 0.29, back)
        step, inside = divmod(phase % 1.0 * 12, 1.0)
        tick = (step + spring(inside / 0.6)) / 12 * TURN
        for angle, length, thick in ((tick, 0.24, 0.02), (phase * TURN, 0.15, 0.035)):
            line(picture, (cx, cy), (cx + size * length * np.sin(angle), cy - size * length * np.cos(angle)),
                 size * thick, (233, 196, 106))
        swing = 0.5 * np.sin(TURN * 3 * phase)
        tip = cx + size * 0.3 * np.sin(swing), cy + size * 0.32 + size * 0.2 * np.cos(swing)
        line(picture, (cx, cy + size * 0.32), tip, size * 0.012, ink)
        dot(picture, *tip, size * 0.04, (231, 111, 81))
        return picture
    return render


def strings(random, width, height, back=(12, 14, 30), count=3):
    """Thin curves that wave along a line."""
    x = np.linspace(0, width, 60)
    tones = ((120, 220, 255), (255, 120, 190), (255, 230, 140))

    def render(phase):
        picture = flat(width, height, back)
        for n in range(count):
            y = height * (0.5 + (0.16 - 0.04 * n) * np.sin(TURN * ((n + 1.3) * x / width - (n + 1) * phase))
                          * np.sin(np.pi * x / width))
            trimmed(picture, np.stack([x, y], axis=1), 0, 1, 2.5, tones[n % 3])
        return picture
    return render


def radar(random, width, height, back=(240, 244, 255), rings=3):
    """Rings that spread from a mark and fade, one after another; nothing else moves."""
    size, x, y = min(width, height), *grid(width, height)
    r = np.hypot(x, y)

    def render(phase):
        picture = flat(width, height, back)
        for n in range(rings):
            t = (phase + n / rings) % 1.0
            paint(picture, edge(size * 0.012 - np.abs(r - size * 0.45 * out(t, 2))) * (1 - t) * min(1, t / 0.1),
                  (70, 110, 240))
        paint(picture, disc(x, y, size * (0.05 + 0.01 * np.cos(TURN * rings * phase))), (40, 60, 160))
        return picture
    return render


def typed(random, width, height, text="LOOP AGAIN", back=(255, 255, 255), ink=(24, 24, 28)):
    """Letters that rise one by one, rest, and go."""
    square = max(int(width * 0.82 / (4 * 5)), 2)
    letters = [(lettering(letter, square), n) for n, letter in enumerate(text) if letter != " "]

    def render(phase):
        picture = flat(width, height, back)
        for n, (mask, place) in enumerate(letters):
            row, column = divmod(place, 5)
            come = spring(span(phase, 0.03 + 0.03 * n, 0.3 + 0.03 * n))
            leave = ease(span(phase, 0.7 + 0.015 * n, 0.85 + 0.015 * n), 2)
            stamp(picture, mask, width * 0.1 + column * 4 * square,
                  height * (0.3 + 0.2 * row) + height * 0.12 * (1 - come) - height * 0.1 * leave, ink,
                  min(1.0, 2 * come) * (1 - leave) if come > 0 else 0.0)
        bar(picture, width * (0.1 + 0.8 * ease(span(phase, 0.1, 0.5))), height * 0.78, width * 0.01, height * 0.03,
            (230, 60, 60), cover=1.0 if int(phase % 1.0 * 8) % 2 == 0 else 0.0)
        return picture
    return render


def hop(random, width, height, back=(204, 232, 207), ink=(43, 80, 60), hops=4):
    """A small figure hops across and back on an empty ground, with a rest after every hop."""
    size = min(width, height)

    def render(phase):
        picture = flat(width, height, back)
        bar(picture, width / 2, height * 0.72, width * 0.42, 1.5, ink)
        n, inside = divmod(phase % 1.0 * hops, 1.0)
        half = hops // 2
        t = ease(inside / 0.6, 1.6)
        along = (n + t) / half if n < half else (hops - n - t) / half
        cx, cy = width * (0.15 + 0.7 * along), height * 0.72 - size * (0.045 + 0.5 * t * (1 - t))
        dot(picture, cx, cy, size * 0.04, ink)
        dot(picture, cx, cy - size * 0.01, size * 0.011, (255, 255, 255))
        return picture
    return render


def blob(random, width, height, back=(253, 240, 213), tone=(193, 18, 31), lobes=4):
    """A shape that turns into another and another, each eased."""
    size, x, y = min(width, height), *grid(width, height)
    r, angle = np.hypot(x, y), np.arctan2(y, x)
    shapes = [random.uniform(-0.12, 0.12, 5) for _ in range(lobes)]
    waves = [np.cos((n + 2) * angle + n) for n in range(5)]

    def render(phase):
        n, inside = divmod(phase % 1.0 * lobes, 1.0)
        t = ease(inside / 0.75, 2)
        weights = shapes[int(n) % lobes] * (1 - t) + shapes[(int(n) + 1) % lobes] * t
        radius = size * 0.3 * (1 + sum(w * wave for w, wave in zip(weights, waves)))
        picture = flat(width, height, back)
        paint(picture, edge(radius - r), tone)
        paint(picture, edge(radius * 0.45 - r), back)
        return picture
    return render


def flashes(random, width, height, beats=4, tones=((20, 20, 30), (255, 60, 120), (60, 220, 255), (255, 240, 90))):
    """The ground flashes on every beat and dims again; a badge pulses with it."""
    size, x, y = min(width, height), *grid(width, height)

    def render(phase):
        n, inside = divmod(phase % 1.0 * beats, 1.0)
        light = np.exp(-5 * inside) * min(1.0, inside * 12)
        back = colour(*tones[0]) + light * 0.8 * (colour(*tones[1 + int(n) % 3]) - colour(*tones[0]))
        picture = flat(width, height, back)
        tx, ty = turned(x, y, TURN * phase)
        paint(picture, box(tx, ty, size * (0.16 + 0.05 * light), size * (0.16 + 0.05 * light)), (250, 250, 250))
        paint(picture, disc(x, y, size * 0.09), tones[0])
        return picture
    return render


def shutters(random, width, height, count=7, first=(94, 84, 142), second=(255, 173, 173)):
    """Slats that close one after another from the left, and open from the right."""

    def render(phase):
        picture = flat(width, height, first)
        for n in range(count):
            close = ease(span(phase, 0.05 + 0.04 * n, 0.3 + 0.04 * n))
            open_ = ease(span(phase, 0.6 + 0.02 * n, 0.8 + 0.02 * n))
            half = width / count / 2 + 0.5
            bar(picture, width * (n + 0.5) / count, height * (close / 2 + open_ / 2), half,
                height * (close - open_) / 2, second)
        dot(picture, width / 2, height / 2, min(width, height) * 0.08, (255, 255, 255))
        return picture
    return render
