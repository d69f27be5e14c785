#!/usr/bin/env python3
"""Values that the kernels for motion and likeness must give: Tests/Fixtures/kernels.csv.

The search, the prediction and the comparison in their plainest form, on pictures that any program can make. The
tests make the same pictures, and compare what the kernels give.

    Scripts/accuracy/kernels.py >Tests/Fixtures/kernels.csv
"""

import numpy as np

SIDE, BLOCK, ACROSS, REACH = 128, 8, 16, 8
HALF = SIDE // 2


class Noise:
    """The generator of the tests."""

    def __init__(self, seed):
        self.state = seed * 0x9E3779B97F4A7C15 % 2**64 | 1

    def next(self, shift, count):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> shift) % count


def noise(count, seed):
    source = Noise(seed)
    return np.array([source.next(40, count) for _ in range(SIDE * SIDE)], np.float64).reshape(SIDE, SIDE)


def clouds(seed, shift=0):
    """Fractions of code values, smooth over some pixels."""
    grain = noise(4096, seed) / 16
    rows = (np.arange(SIDE)[:, None] + shift // 2) % SIDE
    columns = (np.arange(SIDE)[None, :] + shift) % SIDE
    return sum(grain[(rows + y) % SIDE, (columns + x) % SIDE] for y in range(4) for x in range(4)) / 16


def exact():
    """Pairs of pictures of whole numbers, the later one first."""
    still = noise(32, 1)
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    moved = np.where((x < 40) & (y < 40), still, still[np.minimum(127, y + 6), np.maximum(0, x - 3)])
    stripes = (x // 3 + y // 5) % 4 * 10.0
    return [(noise(32, 2), still), (moved, still), (stripes, still), (still, stripes), (stripes, stripes)]


def moved(reference, block, vector):
    """What lies where the vector points to from a block, between the pixels."""
    y, x = np.mgrid[0:BLOCK, 0:BLOCK]
    x = x + block % ACROSS * BLOCK + vector[0]
    y = y + block // ACROSS * BLOCK + vector[1]
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    across, down = x - left, y - top

    def value(rows, columns):
        return reference[np.clip(rows, 0, SIDE - 1), np.clip(columns, 0, SIDE - 1)]

    above = (1 - across) * value(top, left) + across * value(top, left + 1)
    below = (1 - across) * value(top + 1, left) + across * value(top + 1, left + 1)
    return (1 - down) * above + down * below


def target(current, block):
    y, x = block // ACROSS * BLOCK, block % ACROSS * BLOCK
    return current[y:y + BLOCK, x:x + BLOCK]


def error(current, reference, block, vector, gain=1.0, offset=0.0):
    return np.mean((target(current, block) - (gain * moved(reference, block, vector) + offset))**2)


def halved(picture):
    return picture.reshape(HALF, 2, HALF, 2).mean((1, 3))


def search(current, reference, block):
    """The whole pixel of the halved pictures whose window of 8x8 differs least, every pixel of the length counting as
    0.3 squared code values; then steps of 1, 1/2 and 1/4 pixel at full size."""
    def mirrored(places):
        places = np.where(places < 0, -1 - places, places)
        return np.where(places >= HALF, 2 * HALF - 1 - places, places)

    small, other = halved(current), halved(reference)
    y = mirrored(np.arange(4 * (block // ACROSS) - 2, 4 * (block // ACROSS) + 6))[:, None]
    x = mirrored(np.arange(4 * (block % ACROSS) - 2, 4 * (block % ACROSS) + 6))[None, :]
    least, best = np.inf, (0, 0)
    for dy in range(-REACH, REACH + 1):
        for dx in range(-REACH, REACH + 1):
            there = other[np.clip(y + dy, 0, HALF - 1), np.clip(x + dx, 0, HALF - 1)]
            cost = np.sum((small[y, x] - there)**2) + 64 * 0.3 * (abs(dx) + abs(dy))
            if cost < least:
                least, best = cost, (dx, dy)
    found = (2.0 * best[0], 2.0 * best[1])
    lowest = error(current, reference, block, found)
    for step in (1, 0.5, 0.25):
        middle = found
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                tried = (middle[0] + step * dx, middle[1] + step * dy)
                cost = error(current, reference, block, tried)
                if cost < lowest - 0.001:
                    lowest, found = cost, tried
    return found


NEAR = [(0, 0), (2, 0), (-2, 0), (0, 2), (0, -2)] + [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]


def tone(current, reference, vectors):
    """The gain from 0.8 to 1.25 and the offset that bring the moved picture nearest to the current one."""
    there = np.array([moved(reference, block, vector) for block, vector in enumerate(vectors)]).ravel()
    here = np.array([target(current, block) for block in range(len(vectors))]).ravel()
    one, other = there.mean(), here.mean()
    gain = np.sum((there - one) * (here - other)) / (np.sum((there - one)**2) + 64)
    gain = min(1.25, max(0.8, gain))
    return gain, other - gain * one


def errors(current, reference, vectors, pace):
    """Of each block by the best of its own vector, those around it and none, under the tone of the whole picture."""
    vectors = [(x * pace, y * pace) for x, y in vectors]
    first = tone(current, reference, vectors)
    chosen = []
    for block in range(ACROSS * ACROSS):
        row, column = divmod(block, ACROSS)
        tried = [vectors[min(15, max(0, row + y)) * ACROSS + min(15, max(0, column + x))] for y, x in NEAR] + [(0, 0)]
        chosen.append(min(tried, key=lambda vector: error(current, reference, block, vector, *first)))
    second = tone(current, reference, chosen)
    return [error(current, reference, block, chosen[block], *second) for block in range(ACROSS * ACROSS)]


# Likeness of two signatures: grids of colours.

GRID = 24
ASPECTS = [1, 0.75, 2048 / 2732, 0.5625, 1.7778, 0.4, 3]


def signature(seed):
    """Rectangles of colour on a ground, with some noise."""
    source = Noise(seed)

    def number(limit):
        return source.next(33, limit)

    def color():
        return [number(256), number(256), number(256)]

    cells = np.array([color()] * (GRID * GRID)).reshape(GRID, GRID, 3)
    for _ in range(number(8)):
        paint, left, top = color(), number(GRID), number(GRID)
        for y in range(top, min(GRID, top + 1 + number(GRID))):
            cells[y, left:min(GRID, left + 1 + number(GRID))] = paint
    grain = 1 + number(40)
    return np.array([min(255, value + number(grain)) for value in cells.ravel()]).reshape(GRID, GRID, 3)


def relative(one):
    """The same zoomed, graded and with other noise."""
    places = np.arange(GRID) * 5 // 6
    return np.minimum(255, one[np.ix_(1 + places, 2 + places)] * 9 // 10 + 12)


def planes(cells):
    luma = cells @ np.array([0.2126, 0.7152, 0.0722])
    return np.stack([luma, (cells[..., 2] - luma) / 1.8556, (cells[..., 0] - luma) / 1.5748])


def edges(luma):
    return np.stack([luma[:-1, 1:] - luma[:-1, :-1], luma[1:, :-1] - luma[:-1, :-1]])


def correlation(one, other):
    return np.sum(one * other) / (np.sqrt(np.sum(one**2) * np.sum(other**2)) + one.size)


def part(picture, x, y, width, height):
    """A rectangle in cells, stretched to the whole (bilinear)."""
    def places(start, length):
        inside = np.clip(start + (np.arange(GRID) + 0.5) * length / GRID - 0.5, 0, GRID - 1)
        cells = inside.astype(int)
        return cells, np.minimum(cells + 1, GRID - 1), inside - cells

    (left, right, across), (top, bottom, down) = places(x, width), places(y, height)
    rows = picture[:, top] + (picture[:, bottom] - picture[:, top]) * down[None, :, None]
    return rows[:, :, left] + (rows[:, :, right] - rows[:, :, left]) * across


def best(picture, other, ratio):
    width, height = (GRID, GRID / ratio) if ratio > 1 else (GRID * ratio, GRID)

    def offsets(free):
        return [free / 2] if free < 0.5 else [0, free / 2, free]

    found = -1
    for scale in (1, 0.92, 0.85, 0.75):
        for x in offsets(GRID - width * scale):
            for y in offsets(GRID - height * scale):
                there = part(picture, x, y, width * scale, height * scale)
                color = (2 * np.sum(there[1:] * other[1:]) + 2 * GRID * GRID) \
                    / (np.sum(there[1:]**2) + np.sum(other[1:]**2) + 2 * GRID * GRID)
                likeness = 0.35 * correlation(there[0] - there[0].mean(), other[0] - other[0].mean()) \
                    + 0.3 * correlation(edges(there[0]), edges(other[0])) + 0.35 * color
                found = max(found, likeness)
    return found


def likeness(one, other, aspect):
    first, second = planes(one), planes(other)
    return max(best(first, second, aspect), best(second, first, 1 / aspect))


def main():
    print("kind,scene,block,x,y")
    some = range(0, ACROSS * ACROSS, 5)
    scenes = exact() + [(clouds(seed, 6), clouds(seed)) for seed in (3, 4)]
    for number, (current, reference) in enumerate(scenes):
        for block in some:
            print(f"search,{number},{block},{','.join(f'{value:g}' for value in search(current, reference, block))}")
    triples = [(clouds(5, 8), clouds(5, 4), clouds(5)), (exact()[0][0], exact()[1][0], exact()[1][1]),
               (1.1 * clouds(6, 4) + 7, clouds(6, 2), clouds(6))]
    for number, (following, current, reference) in enumerate(triples):
        vectors = [search(current, reference, block) for block in range(ACROSS * ACROSS)]
        for pace in (1, 0.8, 1.25):
            found = errors(following, current, vectors, pace)
            for block in some:
                print(f"errors,{number},{block},{pace:g},{found[block]:.6g}")
    one, other = clouds(7), clouds(8)
    for x, y in ((17.75, 17.75), (-17.75, -17.75), (17.75, -17.75), (-17.75, 17.75)):
        found = errors(one, other, [(x, y)] * (ACROSS * ACROSS), 1.25)
        for block in (0, 15, 240, 255, 120):
            print(f"edges,{x:g}/{y:g},{block},1.25,{found[block]:.6g}")
    for seed in range(1, 21):
        aspect = ASPECTS[seed % len(ASPECTS)]
        print(f"likeness,{seed},other,{aspect:.6g},{likeness(signature(seed), signature(seed + 1000), aspect):.6f}")
        print(f"likeness,{seed},relative,{aspect:.6g},{likeness(signature(seed), relative(signature(seed)), aspect):.6f}")
    for pair in ((0, 0), (0, 255), (16, 17), (255, 255)):
        plain = [np.full((GRID, GRID, 3), value) for value in pair]
        print(f"likeness,{pair[0]}/{pair[1]},plain,0.75,{likeness(*plain, 0.75):.6f}")


main()
