"""A second opinion on flashes, written apart from the tool: from full-size frames that ffmpeg decodes, on another grid,
with another rule for what belongs together. Slow, and easy to read."""

import numpy as np

from .encode import decoded, linear

BLOCKS = 20
TOGETHER = 0.02
SECOND = 0.9985


def flashes(path):
    """The most general and red flashes in any second of the repeated clip."""
    frames, times, transfer = decoded(path)
    light = pq_light(frames / 255) if transfer == "smpte2084" else linear(frames / 255)
    luminance = light @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    total = light.sum(axis=-1)
    excess = 320 * (light[..., 0] - light[..., 1] - light[..., 2])
    redness = np.where((excess > 0) & (light[..., 0] >= 0.8 * total), excess, 0)
    return {"general": count(blocks(luminance), times, 0.0999, 0.8), "red": count(blocks(redness), times, 20, np.inf)}


def pq_light(signal):
    power = np.power(signal, 32 / 2523)
    return 10000 / 203 * np.power(np.maximum(power - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * power), 16384 / 2610)


def blocks(pictures):
    count, height, width = pictures.shape
    rows = np.linspace(0, height, BLOCKS + 1).astype(int)
    columns = np.linspace(0, width, BLOCKS + 1).astype(int)
    return np.stack([[pictures[:, rows[y]:rows[y + 1], columns[x]:columns[x + 1]].mean(axis=(1, 2))
                      for x in range(BLOCKS)] for y in range(BLOCKS)])


def count(cells, times, step, ceiling):
    """`cells` by row, column and frame; `times` with the end of the last frame."""
    duration = times[-1]
    repeats = int(np.ceil((2 * duration + 1) / duration)) + 1
    when = np.concatenate([np.array(times[:-1]) + n * duration for n in range(repeats)])
    found = []
    for y in range(BLOCKS):
        for x in range(BLOCKS):
            found += [(time, up, y, x) for time, up in transitions(np.tile(cells[y, x], repeats), when, step, ceiling)]
    found.sort()
    half = BLOCKS // 2
    areas = [(top, left, half) for top in range(0, half + 1, 2) for left in range(0, half + 1, 2)] + [(0, 0, BLOCKS)]
    return max((most_in_a_second(found, area) for area in areas), default=0) / 2


def transitions(values, when, step, ceiling):
    """Between neighbouring extremes, at the steepest moment."""
    extremes = [0]
    direction = 0
    for index in range(1, len(values)):
        change = values[index] - values[extremes[-1]]
        if direction * change > 0 or direction == 0 and abs(change) >= step:
            if direction == 0:
                direction = 1 if change > 0 else -1
                extremes.append(index)
            else:
                extremes[-1] = index
        elif direction != 0 and abs(change) >= step:
            direction = -direction
            extremes.append(index)
    for start, end in zip(extremes, extremes[1:]):
        if min(values[start], values[end]) < ceiling and abs(values[end] - values[start]) >= step:
            steepest = start + 1 + int(np.argmax(np.abs(np.diff(values[start:end + 1]))))
            yield when[steepest], values[end] > values[start]


def most_in_a_second(found, area):
    top, left, side = area
    inside = [(time, up) for time, up, y, x in found if top <= y < top + side and left <= x < left + side]
    needed = side * side / 4
    waiting = {True: [], False: []}
    events, last = [], None
    index = 0
    while index < len(inside):
        time = inside[index][0]
        while index < len(inside) and inside[index][0] == time:
            waiting[inside[index][1]].append(time)
            index += 1
        for up in (True, False):
            waiting[up] = [t for t in waiting[up] if time - t <= TOGETHER]
        large = [up for up in (True, False) if len(waiting[up]) > needed and up != last]
        if large:
            last = max(large, key=lambda up: len(waiting[up]))
            waiting = {True: [], False: []}
            events.append(time)
    return max((sum(start <= time < start + SECOND for time in events) for start in events), default=0)
