"""Drawing with numpy: masks from distances, so that edges are smooth and move by parts of a pixel."""

import numpy as np

LETTERS = {
    "A": "010 101 111 101 101", "B": "110 101 110 101 110", "C": "011 100 100 100 011", "D": "110 101 101 101 110",
    "E": "111 100 110 100 111", "F": "111 100 110 100 100", "G": "011 100 101 101 011", "H": "101 101 111 101 101",
    "I": "111 010 010 010 111", "J": "001 001 001 101 010", "K": "101 101 110 101 101", "L": "100 100 100 100 111",
    "M": "101 111 111 101 101", "N": "110 101 101 101 101", "O": "010 101 101 101 010", "P": "110 101 110 100 100",
    "R": "110 101 110 101 101", "S": "011 100 010 001 110", "T": "111 010 010 010 010", "U": "101 101 101 101 111",
    "V": "101 101 101 101 010", "W": "101 101 111 111 101", "X": "101 101 010 101 101", "Y": "101 101 010 010 010",
    "Z": "111 001 010 100 111", " ": "000 000 000 000 000", ".": "000 000 000 000 010", "1": "010 110 010 010 111",
    "2": "110 001 010 100 111", "3": "110 001 010 001 110",
}


def grid(width, height):
    """Coordinates of the pixels from the middle, in pixels: x to the right, y down."""
    x = np.arange(width, dtype=np.float32) - (width - 1) / 2
    y = np.arange(height, dtype=np.float32) - (height - 1) / 2
    return x[None, :], y[:, None]


def colour(*channels):
    return np.array(channels, dtype=np.float32)


def hue(turn, saturation, value):
    """The colour at a place of the colour circle, which is 1 around; its largest channel is `value` of 1."""
    h = turn % 1 * 6
    rgb = np.clip([abs(h - 3) - 1, 2 - abs(h - 2), 2 - abs(h - 4)], 0, 1)
    return 255 * value * (1 - saturation + saturation * rgb)


def flat(width, height, tone):
    return np.broadcast_to(colour(*tone), (height, width, 3)).copy()


def paint(canvas, mask, tone):
    """Lays a colour over the canvas as far as the mask (0 to 1) says."""
    canvas += mask[..., None] * (colour(*tone) - canvas)


def edge(distance):
    """A mask of where a signed distance in pixels is positive, one pixel soft."""
    return np.clip(distance + 0.5, 0, 1)


def disc(x, y, radius):
    return edge(radius - np.hypot(x, y))


def box(x, y, half_width, half_height):
    return edge(half_width - np.abs(x)) * edge(half_height - np.abs(y))


def turned(x, y, angle):
    c, s = np.cos(angle), np.sin(angle)
    return c * x + s * y, c * y - s * x


def segment(x, y, start, end, thickness):
    (ax, ay), (bx, by) = start, end
    length = max((bx - ax) ** 2 + (by - ay) ** 2, 1e-6)
    t = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0, 1)
    return edge(thickness / 2 - np.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)))


def spot(canvas, cx, cy, radius, tone, strength=1.0, soft=False):
    """A disc, or with `soft` a glow that adds light, drawn only where it reaches. Pixels from the top left."""
    height, width, _ = canvas.shape
    left, right = max(int(cx - radius - 2), 0), min(int(cx + radius + 3), width)
    top, bottom = max(int(cy - radius - 2), 0), min(int(cy + radius + 3), height)
    if left >= right or top >= bottom or strength <= 0:
        return
    x = np.arange(left, right, dtype=np.float32)[None, :] - cx
    y = np.arange(top, bottom, dtype=np.float32)[:, None] - cy
    part = canvas[top:bottom, left:right]
    if soft:
        falloff = np.clip(1 - (x * x + y * y) / (radius * radius), 0, 1) ** 2
        part += (falloff * strength)[..., None] * colour(*tone)
    else:
        paint(part, np.clip(radius - np.hypot(x, y) + 0.5, 0, 1) * strength, tone)


def sample(texture, x, y):
    """The texture, which tiles, at positions in its pixels (bilinear)."""
    height, width = texture.shape[:2]
    left, top = np.floor(x), np.floor(y)
    fx, fy = (x - left).astype(np.float32), (y - top).astype(np.float32)
    x0, y0 = left.astype(np.int32) % width, top.astype(np.int32) % height
    x1, y1 = (x0 + 1) % width, (y0 + 1) % height
    if texture.ndim == 3:
        fx, fy = fx[..., None], fy[..., None]
    upper = texture[y0, x0] * (1 - fx) + texture[y0, x1] * fx
    lower = texture[y1, x0] * (1 - fx) + texture[y1, x1] * fx
    return upper * (1 - fy) + lower * fy


def ramp(values, stops):
    """Colours for values of 0 to 1, evenly spaced stops."""
    stops = np.array(stops, dtype=np.float32)
    places = np.linspace(0, 1, len(stops))
    table = np.stack([np.interp(np.linspace(0, 1, 1024), places, stops[:, n]) for n in range(3)], axis=1)
    return table.astype(np.float32)[(np.clip(values, 0, 1) * 1023).astype(np.int32)]


def blurred(picture, radius):
    """Three box filters of a width that need not be whole, which is close to a Gaussian of that radius."""
    if radius <= 0:
        return picture
    reach = max(int(np.ceil(radius)), 1)
    weights = np.clip(radius + 0.5 - np.abs(np.arange(-reach, reach + 1)), 0, 1)
    weights = (weights / weights.sum()).astype(np.float32)
    for _ in range(3):
        for axis in (0, 1):
            pads = [(reach, reach) if n == axis else (0, 0) for n in range(picture.ndim)]
            padded = np.pad(picture, pads, mode="edge")
            length = picture.shape[axis]
            views = [np.take(padded, range(n, n + length), axis=axis) for n in range(2 * reach + 1)]
            picture = sum(weight * view for weight, view in zip(weights, views))
    return picture


def lettering(text, size):
    """A mask of a line of text with letters of 3 x 5 squares of `size` pixels, one square apart."""
    rows = np.zeros((5, 4 * len(text)), dtype=np.float32)
    for n, letter in enumerate(text):
        for row, bits in enumerate(LETTERS[letter].split()):
            rows[row, 4 * n:4 * n + 3] = [float(bit) for bit in bits]
    return np.kron(rows, np.ones((size, size), dtype=np.float32))
