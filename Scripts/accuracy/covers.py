#!/usr/bin/env python3
"""Compares how `artworkd animate` and Chromium show still covers: turned pictures, colour profiles, WebP and AVIF.

    Scripts/accuracy/covers.py [--keep DIR] [FILE...]
    Scripts/accuracy/covers.py --fixtures

Makes covers of every kind, each from one drawn picture of 320x320 pixels: kinds of PNG, JPEG, WebP and AVIF, Exif turns, the
profiles of Debian's packages, and colours that numbers state. artworkd sets each in motion; its first frame is compared with
Chromium's screenshot of the cover over black, inks with Little CMS's conversion. Both are halved first, since the video has half the chroma. A cover differs if
the mean difference of its samples is above 2 of 255 levels. FILE... compares other covers, cut to their middle square.
--keep writes both pictures beside each other, artworkd left, where they differ.

--fixtures writes small covers for the tests, with what Chromium shows of them, instead.

Needs ffmpeg, chromium, chromium-driver, python3-venv, icc-profiles-free, colord-data, libavif-bin, and a build of artworkd, or
ARTWORKD; selenium and Pillow come from PyPI into .build/covers.
Exit codes: 0 no cover differs, 1 some do, 64 usage.
"""

import colorsys
import io
import itertools
import json
import math
from pathlib import Path
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import ffmpeg, packages
from lib import tool as built

TOOL = built.tool(".build/debug/artworkd")
SIDE = 320
MOST_LEVELS = 2.0
PROFILES = Path("/usr/share/color/icc")
# Chromaticities of red, green, blue and white: Display P3, and BT.2020.
P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.3127, 0.3290))
BT2020 = ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), (0.3127, 0.3290))


def drawing():
    """A picture with every hue, gray, an edge on each side that tells how it is turned, and a little noise."""
    from PIL import Image, ImageDraw
    numbers = random.Random(7)
    pixels = bytearray()
    for y in range(SIDE):
        for x in range(SIDE):
            if y < 200:
                color = colorsys.hsv_to_rgb(x / SIDE, min(1, y / 150), 0.25 + 0.7 * (1 - y / 260))
                pixels += bytes(round(255 * part) for part in color)
            else:
                pixels += bytes([round(x * 255 / (SIDE - 1))] * 3)
    picture = Image.frombytes("RGB", (SIDE, SIDE), bytes(pixels))
    draw = ImageDraw.Draw(picture)
    for place in range(40):
        x, y = numbers.randrange(20, 300), numbers.randrange(20, 300)
        size = numbers.randrange(6, 30)
        draw.ellipse((x, y, x + size, y + size), fill=tuple(numbers.randrange(256) for _ in range(3)))
    draw.rectangle((0, 0, 140, 14), fill=(230, 60, 40))
    draw.rectangle((0, 0, 14, 240), fill=(30, 160, 70))
    draw.rectangle((300, 250, 319, 319), fill=(40, 70, 220))
    return picture


SMALL = 128
# The covers of the tests.
FIXTURES = ("p3.png", "adobe.png", "p3.jpg", "gray-icc.png", "gama1.png", "gama-chrm.png", "cicp-709.png", "exif5.png", "exif7.png",
            "exif-big.png", "cmyk.jpg", "inks-ycck.jpg", "p3.webp", "exif6.webp", "alpha.webp", "moving.webp", "p3-numbers.avif", "709.avif",
            "p3-profile.avif", "limited.avif", "turned.avif", "grid-turned.avif", "grid-alpha.avif", "clap-turned.avif",
            "table-mft1.png", "table-mAB.png", "inks-mft2.jpg", "pq.png", "pq-4000.png", "hlg.png", "hlg.avif",
            "icc-pq.png", "icc-709.webp",
            "lossless-p3.avif")
# Sequences, which are no covers.
SEQUENCES = {"sequence-turned.avif": ["--irot", "1", "--imir", "1"], "sequence-clap.avif": ["--crop", f"0,0,{SMALL},{SMALL}", "--irot", "3"],
             "sequence-p3.avif": ["--cicp", "12/13/6"], "sequence-p3.png": [], "sequence-p3.webp": [], "sequence-early.png": [],
             "sequence-gama.png": []}


# Chromium 156 widens the transparency of AVIF pictures as if it had the limited range; avifdec and Pillow do not.
BY_PILLOW = ("alpha.avif", "grid-alpha.avif")


def patches():
    """Sixteen colours in a square."""
    from PIL import Image
    numbers = random.Random(3)
    picture = Image.new("RGB", (4, 4))
    picture.putdata([tuple(numbers.randrange(20, 236) for _ in range(3)) for _ in range(16)])
    return picture.resize((SMALL, SMALL), Image.NEAREST)


# MARK: Metadata


def exif(number):
    """Exif data with a turn."""
    return b"II*\0\x08\0\0\0\x01\0" + struct.pack("<HHIHH", 0x0112, 3, 1, number, 0) + b"\0\0\0\0"


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def sequence(folder, name, options):
    """An AVIF sequence, or an animated PNG or WebP, of the patches, with a corner that changes."""
    from PIL import Image
    names = []
    for number in range(3):
        frame = Image.new("RGB", (SMALL + 32, SMALL + 16) if "--crop" in options else (SMALL, SMALL))
        frame.paste(patches(), (0, 0))
        frame.paste((200, 60 * number, 10), (0, 0, 8, 8))
        names.append(folder / f"frame{number}.png")
        frame.save(names[-1])
    if not name.endswith(".avif"):
        others = [Image.open(name) for name in names[1:]]
        stated = {} if "gama" in name else {"icc_profile": matrix_profile(P3, curves()["sRGB"])}
        if name.endswith(".webp"):
            return saved(Image.open(names[0]), "WEBP", save_all=True, append_images=others, duration=100, quality=95, **stated)
        png = saved(Image.open(names[0]), "PNG", save_all=True, append_images=others, duration=100, **stated)
        if name == "sequence-p3.png":
            return png
        # The first frame control before acTL: FFmpeg does not compose such a file.
        place = png.index(b"acTL") - 4
        png = png[:place] + png[place + 20:place + 58] + png[place:place + 20] + png[place + 58:]
        return with_chunks(png, gamma(1)) if "gama" in name else png
    made = folder / "sequence.avif"
    # In full range, Chromium 156 widens the levels of sequences.
    subprocess.run(["avifenc", "-s", "8", "-r", "limited", "--min", "4", "--max", "10", "--timescale", "10", *options, *names, "-o", made],
                   check=True, capture_output=True)
    return made.read_bytes()


def with_chunks(png, *chunks):
    """A PNG file with more chunks after its header."""
    return png[:33] + b"".join(chunk(*each) for each in chunks) + png[33:]


def gamma(value):
    return (b"gAMA", struct.pack(">I", round(value * 100000)))


def chromaticities(primaries):
    white = primaries[3]
    return (b"cHRM", struct.pack(">8I", *(round(100000 * part) for pair in (white, *primaries[:3]) for part in pair)))


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    size = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return [[(e * i - f * h) / size, (c * h - b * i) / size, (b * f - c * e) / size],
            [(f * g - d * i) / size, (a * i - c * g) / size, (c * d - a * f) / size],
            [(d * h - e * g) / size, (b * g - a * h) / size, (a * e - b * d) / size]]


def times(m, v):
    return [sum(a * b for a, b in zip(row, v)) for row in m]


def matrix_profile(primaries, curve, codes=None):
    """An ICC profile of version 4 with these primaries (ICC.1, annex E), a curve as its tag, and code points of H.273 in a tag."""
    *colors, white = [(x / y, 1, (1 - x - y) / y) for x, y in primaries]
    shares = times(inverse([list(row) for row in zip(*colors)]), white)
    cones = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
    gains = [to / of for to, of in zip(times(cones, (0.9642, 1, 0.8249)), times(cones, white))]
    adapted = [times(inverse(cones), [gain * part for gain, part in zip(gains, times(cones, [share * part for part in color]))])
               for color, share in zip(colors, shares)]

    tags = described(4)
    for name, color in zip(b"rgb", adapted):
        tags[bytes([name]) + b"XYZ"] = b"XYZ \0\0\0\0" + fixed(*color)
        tags[bytes([name]) + b"TRC"] = curve
    if codes:
        tags[b"cicp"] = b"cicp\0\0\0\0" + bytes(codes)
    return profile(4, b"mntr", b"RGB ", b"XYZ ", tags)


def profile(version, kind, space, connection, tags):
    """An ICC profile of these tags (ICC.1:2022, 7)."""
    table, data, place = struct.pack(">I", len(tags)), b"", 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        content += b"\0" * (-len(content) % 4)
        table += name + struct.pack(">II", place + len(data), len(content))
        data += content
    body = table + data
    header = struct.pack(">I4sI4s4s4s12s4s", 128 + len(body), b"\0\0\0\0", 0x04300000 if version == 4 else 0x02100000, kind, space, connection,
                         b"\x07\xe8\0\x01\0\x01" + b"\0" * 6, b"acsp")
    return header + b"\0" * 28 + fixed(0.9642, 1, 0.8249) + b"\0" * 48 + body


def fixed(*values):
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def described(version):
    """The tags that every profile has."""
    text = b"mluc" + struct.pack(">IIIHHII", 0, 1, 12, 0x656e, 0x5553, 2, 28) + b"\0P"
    if version < 4:
        text = b"desc" + struct.pack(">II", 0, 2) + b"P\0" + b"\0" * 78
    return {b"desc": text, b"wtpt": b"XYZ \0\0\0\0" + fixed(0.9642, 1, 0.8249), b"cprt": text if version >= 4 else b"text\0\0\0\0P\0"}


def lab(light):
    """CIELAB of linear light of sRGB."""
    matrix = [[0.4360657, 0.3851471, 0.1430664], [0.2224884, 0.7168732, 0.0606079], [0.0139160, 0.0970764, 0.7140961]]
    x, y, z = (part / white for part, white in zip(times(matrix, light), (0.9642, 1, 0.8249)))
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else part * 841 / 108 + 4 / 29 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


# Linear light through each ink, and through all of it.
INKS = ((0.02, 0.30, 0.75), (0.75, 0.02, 0.22), (0.85, 0.75, 0.02), (0.02, 0.02, 0.025))


def table_profile(kind, space):
    """An ICC profile of tables from RGB or inks to CIELAB: lut8Type, lut16Type or lutAToBType (ICC.1:2022, 10.10 to 10.12)."""
    count, side = (4, 5) if space == b"CMYK" else (3, 9)
    nodes = []
    for place in itertools.product(range(side), repeat=count):
        values = [part / (side - 1) for part in place]
        light = [math.prod(1 - ink * (1 - color[part]) for ink, color in zip(values, INKS)) if count == 4
                 else 0.8 * values[part] ** 2 + 0.2 * values[(part + 1) % 3] for part in range(3)]
        nodes.append(lab(light))
    first = [(step / 255) ** 1.1 for step in range(256)]
    last = [step / 255 for step in range(256)]
    scale = {b"mft1": (2.55, 1, "B"), b"mft2": (652.8, 256, "H"), b"mAB ": (655.35, 257, "H")}[kind]
    most = 255 if scale[2] == "B" else 65535

    def packed(values):
        return struct.pack(f">{len(values)}{scale[2]}", *(round(min(most, max(0, value))) for value in values))

    grid = packed([part for l, a, b in nodes for part in (l * scale[0], (a + 128) * scale[1], (b + 128) * scale[1])])
    if kind != b"mAB ":
        lengths = struct.pack(">HH", 256, 256) if kind == b"mft2" else b""
        content = kind + struct.pack(">IBBBB", 0, count, 3, side, 0) + fixed(1, 0, 0, 0, 1, 0, 0, 0, 1) + lengths
        content += packed([value * most for value in first]) * count + grid + packed([value * most for value in last]) * 3
    else:
        def curve(gamma):
            return b"para\0\0\0\0\0\0\0\0" + fixed(gamma)

        # B curves, the matrix, M curves, the grid and A curves.
        parts = [curve(1) * 3, fixed(1, 0, 0, 0, 0.98, 0, 0, 0, 0.98, 0, 0.01, 0.01), curve(1) * 3,
                 bytes([side] * count + [0] * (16 - count) + [2, 0, 0, 0]) + grid + b"\0" * (-len(grid) % 4), curve(1.1) * count]
        places = [32 + sum(len(part) for part in parts[:number]) for number in range(5)]
        content = kind + struct.pack(">IBBH5I", 0, count, 3, 0, *places) + b"".join(parts)
    version = 4 if kind == b"mAB " else 2
    return profile(version, b"prtr" if count == 4 else b"scnr", space, b"Lab ", {**described(version), b"A2B0": content})


def curves():
    table = [round(65535 * (code / 63) ** 1.8) for code in range(64)]
    return {"sRGB": b"para\0\0\0\0\0\x03\0\0" + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045),
            "2.2": b"curv\0\0\0\0" + struct.pack(">IH", 1, round(2.2 * 256)),
            "table": b"curv\0\0\0\0" + struct.pack(">I64H", 64, *table)}


# MARK: Covers


def separated(picture):
    """The picture in four inks, with half of its black in black."""
    from PIL import Image, ImageChops
    inks = ImageChops.invert(picture).split()
    black = ImageChops.darker(ImageChops.darker(*inks[:2]), inks[2]).point(lambda value: value // 2)
    return Image.merge("CMYK", [*(ImageChops.subtract(ink, black) for ink in inks), black])


def saved(picture, format, **options):
    file = io.BytesIO()
    picture.save(file, format, **options)
    return file.getvalue()


def covers(folder, picture):
    """The name and the bytes of each cover."""
    from PIL import Image
    side = picture.width
    gray = picture.convert("L")
    fade = Image.linear_gradient("L").resize((side, side)).point(lambda value: max(40, value))
    clear = picture.copy()
    clear.putalpha(fade)
    png = saved(picture, "PNG")

    yield "rgb.png", png
    yield "alpha.png", saved(clear, "PNG")
    yield "gray.png", saved(gray, "PNG")
    grayish = gray.copy()
    grayish.putalpha(fade)
    yield "gray-alpha.png", saved(grayish, "PNG")
    yield "palette.png", saved(picture.quantize(200), "PNG")
    yield "palette-clear.png", saved(picture.quantize(200), "PNG", transparency=3)
    yield "key.png", saved(picture, "PNG", transparency=picture.getpixel((5, 5)))
    yield "deep.png", saved(gray.convert("I").point(lambda value: value * 257).convert("I;16"), "PNG")
    yield "bits.png", saved(picture.quantize(4), "PNG", bits=2)
    for number in range(1, 9):
        yield f"exif{number}.png", with_chunks(png, (b"eXIf", exif(number)))
    yield "exif-big.png", with_chunks(png, (b"eXIf", b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"))

    made = curves()
    profiles = {"p3": matrix_profile(P3, made["sRGB"]), "p3-2.2": matrix_profile(P3, made["2.2"]),
                "2020-table": matrix_profile(BT2020, made["table"])}
    debian = {"adobe": "colord/AdobeRGB1998.icc", "prophoto": "colord/ProPhotoRGB.icc", "wide": "colord/WideGamutRGB.icc",
              "rec709": "colord/Rec709.icc", "swapped": "colord/SwappedRedAndGreen.icc", "eci": "colord/ECI-RGBv2.icc",
              "apple": "colord/AppleRGB.icc", "pal": "colord/PAL-RGB.icc", "ntsc": "colord/NTSC-RGB.icc", "srgb": "colord/sRGB.icc",
              "lstar": "LStar-RGB.icc", "compatible": "compatibleWithAdobeRGB1998.icc", "free-srgb": "sRGB.icc"}
    for name, place in debian.items():
        if (PROFILES / place).exists():
            profiles[name] = (PROFILES / place).read_bytes()
        else:
            print(f"SKIPPED: {PROFILES / place} is missing", file=sys.stderr)
    for name, profile in profiles.items():
        yield f"{name}.png", saved(picture, "PNG", icc_profile=profile)
    for name in ("p3", "adobe", "prophoto"):
        if name in profiles:
            yield f"{name}.jpg", saved(picture, "JPEG", quality=95, subsampling=0, icc_profile=profiles[name])
            yield f"{name}.webp", saved(picture, "WEBP", quality=95, icc_profile=profiles[name])
            yield f"{name}.avif", saved(picture, "AVIF", quality=95, icc_profile=profiles[name])
    yield "p3-alpha.png", saved(clear, "PNG", icc_profile=profiles["p3"])
    yield "p3-palette.png", saved(picture.quantize(200), "PNG", icc_profile=profiles["p3"])
    for name, place in (("gray-icc.png", "Gray.icc"), ("gray-l.png", "Gray-CIE_L.icc")):
        if (PROFILES / place).exists():
            yield name, saved(gray, "PNG", icc_profile=(PROFILES / place).read_bytes())

    for name, chunks in {
        "gama1": [gamma(1)], "gama18": [gamma(1 / 1.8)], "gama0": [gamma(0)], "gama22": [gamma(1 / 2.2)],
        "gama-chrm": [gamma(1 / 2.2), chromaticities(P3)], "chrm": [chromaticities(P3)], "srgb-gama": [gamma(1), (b"sRGB", b"\0")],
        "cicp-p3": [(b"cICP", bytes([12, 13, 0, 1]))], "cicp-srgb": [(b"cICP", bytes([1, 13, 0, 1]))],
        "cicp-709": [(b"cICP", bytes([1, 1, 0, 1]))], "cicp-2020": [(b"cICP", bytes([9, 1, 0, 1]))],
        "cicp-limited": [(b"cICP", bytes([9, 16, 0, 0]))], "cicp-gama": [(b"cICP", bytes([1, 13, 0, 1])), gamma(1)],
        "pq": [(b"cICP", bytes([9, 16, 0, 1]))], "pq-p3": [(b"cICP", bytes([12, 16, 0, 1]))],
        "pq-4000": [(b"cICP", bytes([9, 16, 0, 1])), (b"cLLI", struct.pack(">II", 40_000_000, 4_000_000))],
        "pq-display": [(b"cICP", bytes([9, 16, 0, 1])), (b"mDCV", bytes(16) + struct.pack(">II", 6_000_000, 50))],
        "hlg": [(b"cICP", bytes([9, 18, 0, 1]))], "hlg-709": [(b"cICP", bytes([1, 18, 0, 1]))],
    }.items():
        yield f"{name}.png", with_chunks(png, *chunks)

    for name, codes in (("pq", (9, 16, 0, 1)), ("709", (1, 13, 0, 1))):
        yield f"icc-{name}.png", saved(picture, "PNG", icc_profile=matrix_profile(P3, made["sRGB"], codes))
        yield f"icc-{name}.webp", saved(picture, "WEBP", quality=95, icc_profile=matrix_profile(P3, made["sRGB"], codes))
    for kind in (b"mft1", b"mft2", b"mAB "):
        name = kind.decode().strip()
        yield f"table-{name}.png", saved(picture, "PNG", icc_profile=table_profile(kind, b"RGB "))
        yield f"inks-{name}.jpg", saved(separated(picture), "JPEG", quality=95, icc_profile=table_profile(kind, b"CMYK"))
    inks = saved(separated(picture), "JPEG", quality=95, icc_profile=table_profile(b"mft2", b"CMYK"))
    # The segment of Adobe says how the inks are stored.
    adobe = inks.index(b"\xff\xee\0\x0eAdobe")
    yield "inks-unmarked.jpg", inks[:adobe] + inks[adobe + 16:]
    yield "inks-ycck.jpg", inks[:adobe + 15] + b"\2" + inks[adobe + 16:]
    yield "inks-rgb.jpg", saved(picture, "JPEG", quality=95, icc_profile=table_profile(b"mft2", b"CMYK"))
    yield "inks-p3.jpg", saved(separated(picture), "JPEG", quality=95, icc_profile=profiles["p3"])

    yield "444.jpg", saved(picture, "JPEG", quality=95, subsampling=0)
    yield "420.jpg", saved(picture, "JPEG", quality=92)
    yield "422.jpg", saved(picture, "JPEG", quality=92, subsampling=1)
    yield "progressive.jpg", saved(picture, "JPEG", quality=92, progressive=True)
    yield "gray.jpg", saved(gray, "JPEG", quality=92)
    yield "cmyk.jpg", saved(picture.convert("CMYK"), "JPEG", quality=95)
    yield "rgb.jpg", saved(picture, "JPEG", quality=95, keep_rgb=True)
    for number in (2, 5, 6, 7):
        yield f"exif{number}.jpg", saved(picture, "JPEG", quality=95, exif=b"Exif\0\0" + exif(number))

    yield "lossy.webp", saved(picture, "WEBP", quality=92)
    yield "lossless.webp", saved(picture, "WEBP", lossless=True)
    yield "alpha.webp", saved(clear, "WEBP", quality=92)
    yield "exif6.webp", saved(picture, "WEBP", quality=92, exif=exif(6))
    yield "moving.webp", saved(picture, "WEBP", quality=92, save_all=True, append_images=[picture.rotate(90)], duration=100)

    yield "pillow.avif", saved(picture, "AVIF", quality=90)
    yield "exif6.avif", saved(picture, "AVIF", quality=90, exif=exif(6))
    if not shutil.which("avifenc"):
        print("SKIPPED: avifenc is missing, so some kinds of AVIF are not made", file=sys.stderr)
        return
    source, transparent, wide = folder / "source.png", folder / "clear.png", folder / "wide.png"
    source.write_bytes(png)
    transparent.write_bytes(saved(clear, "PNG"))
    frame = Image.new("RGB", (side + 40, side + 20), "white")
    # Chromium ignores a crop that begins elsewhere.
    frame.paste(picture, (0, 0))
    wide.write_bytes(saved(frame, "PNG"))
    profile = folder / "p3.icc"
    profile.write_bytes(profiles["p3"])
    for name, options in {
        "444": ["-y", "444"], "422": ["-y", "422"], "420": ["-y", "420"], "400": ["-y", "400"], "10": ["-d", "10"], "12": ["-d", "12", "-y", "420"],
        "limited": ["-r", "limited"], "lossless": ["--lossless"], "lossless-p3": ["--lossless", "--icc", str(profile)],
        "709": ["--cicp", "1/1/1"], "p3-numbers": ["--cicp", "12/13/1"],
        "pq": ["-d", "10", "--cicp", "9/16/9"], "hlg": ["-d", "10", "--cicp", "9/18/9"],
        "2020": ["--cicp", "9/1/9"], "p3-profile": ["--icc", str(profile)], "irot1": ["--irot", "1"], "irot2": ["--irot", "2"],
        "irot3": ["--irot", "3"], "imir0": ["--imir", "0"], "imir1": ["--imir", "1"], "turned": ["--irot", "1", "--imir", "0"],
        "grid": ["--grid", "2x2"], "grid-turned": ["--grid", "2x2", "--irot", "1"], "alpha": [transparent], "grid-alpha": ["--grid", "2x2", transparent],
        "clap": ["--crop", f"0,0,{side},{side}", wide], "clap-turned": ["--crop", f"0,0,{side},{side}", "--irot", "3", wide],
    }.items():
        file = folder / "made.avif"
        made = [option for option in options if isinstance(option, Path)] or [source]
        words = [option for option in options if not isinstance(option, Path)]
        quality = [] if "--lossless" in words else ["--min", "4", "--max", "10", "--minalpha", "0", "--maxalpha", "4"]
        subprocess.run(["avifenc", "-s", "8", *quality, *words, made[0], file], check=True, capture_output=True)
        yield f"{name}.avif", file.read_bytes()


# MARK: Both readers


class Browser:
    """Chromium, which shows one picture over black."""

    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--window-size=1000,1000",
                     "--allow-file-access-from-files", "--hide-scrollbars"):
            options.add_argument(flag)
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    def shown(self, file, side=SIDE):
        from PIL import Image
        page = file.with_name("page.html")
        page.write_text("<!doctype html><body style='margin:0;background:black'>"
                        f"<img style='display:block;width:{side}px;height:{side}px;object-fit:cover' src='{file.as_uri()}'>")
        self.driver.get(page.as_uri())
        broken = self.driver.execute_async_script(
            "const done = arguments[0], image = document.images[0]; image.decode().then(() => done(false), () => done(true));")
        if broken:
            return None
        return Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB").crop((0, 0, side, side))

    def close(self):
        self.driver.quit()


def animated(file, folder):
    """The first frame of the cover in motion, or why there is none."""
    from PIL import Image
    output = folder / "output"
    shutil.rmtree(output, ignore_errors=True)
    made = subprocess.run([TOOL, "animate", file, "-o", output, "--key", "1x1", "--motion", "light", "--seconds", "2", "--width", str(SIDE)],
                          capture_output=True, text=True)
    movies = list(output.glob("*.mp4")) if output.exists() else []
    if not movies:
        return None, (made.stderr.splitlines() or ["nothing was made"])[0].split(": ", 2)[-1]
    still = folder / "frame.png"
    ffmpeg.run("-i", movies[0], "-frames:v", "1", "-vf", "scale=in_color_matrix=bt709:in_range=tv,format=rgb24",
               "-sws_flags", "accurate_rnd+full_chroma_int+full_chroma_inp", still)
    return Image.open(still).convert("RGB"), None


def printed(file):
    """Inks with a profile of theirs, as Little CMS shows them on a screen; None for any other picture."""
    from PIL import Image, ImageCms
    with Image.open(file) as picture:
        profile = picture.info.get("icc_profile", b"")
        if picture.mode != "CMYK" or profile[16:20] != b"CMYK":
            return None
        shown = ImageCms.profileToProfile(
            picture, io.BytesIO(profile), ImageCms.createProfile("sRGB"), ImageCms.Intent.RELATIVE_COLORIMETRIC, "RGB",
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
    return shown


def reference(browser, cover, file, side=SIDE):
    """What is right: what Chromium shows, or Pillow where Chromium is known to be wrong."""
    from PIL import Image
    if shown := cover.endswith(".jpg") and printed(file):
        return shown.resize((side, side))
    if cover not in BY_PILLOW:
        return browser.shown(file, side)
    black = Image.new("RGBA", (side, side), "black")
    return Image.alpha_composite(black, Image.open(file).convert("RGBA")).convert("RGB")


def mean_difference(one, other):
    from PIL import Image, ImageChops, ImageStat
    half = (SIDE // 2, SIDE // 2)
    return sum(ImageStat.Stat(ImageChops.difference(one.resize(half, Image.BOX), other.resize(half, Image.BOX))).mean) / 3


def fixtures():
    folder = built.ROOT / "Tests/Fixtures/covers"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shown = {}
    with tempfile.TemporaryDirectory() as name:
        browser = Browser()
        try:
            moving = ((cover, sequence(Path(name), cover, options)) for cover, options in SEQUENCES.items())
            for cover, content in [*moving, *covers(Path(name), patches())]:
                if cover not in FIXTURES and cover not in SEQUENCES:
                    continue
                (folder / cover).write_bytes(content)
                file = Path(name) / cover
                file.write_bytes(content)
                picture = reference(browser, cover, file, SMALL)
                shown[cover] = [list(picture.getpixel((SMALL // 8 + SMALL // 4 * (place % 4), SMALL // 8 + SMALL // 4 * (place // 4))))
                                for place in range(16)]
        finally:
            browser.close()
    # Chromium 156 passes over the profile of an animated WebP, though not of a still one: RFC 9649 knows no difference.
    shown["sequence-p3.webp"] = shown["p3.webp"]
    lines = (f"  {json.dumps(cover)}: {json.dumps(colors)}" for cover, colors in sorted(shown.items()))
    (folder / "shown.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    wanted = len(FIXTURES) + len(SEQUENCES)
    print(f"{len(shown)} of {wanted} pictures written")
    return 0 if len(shown) == wanted else 1


def main():
    parser = built.Parser(__doc__)
    parser.add_argument("--fixtures", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    if arguments.fixtures:
        return fixtures()
    from PIL import Image
    different, levels = 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = Browser()
        try:
            made = ((file.name, file.read_bytes()) for file in arguments.files) if arguments.files else covers(folder, drawing())
            for cover, content in made:
                file = folder / cover
                file.write_bytes(content)
                theirs = reference(browser, cover, file)
                ours, refusal = animated(file, folder)
                if theirs is None or ours is None:
                    same = theirs is None and ours is None
                    word = f"Chromium refuses it; {refusal}" if theirs is None else refusal
                else:
                    level = mean_difference(ours, theirs)
                    levels.append(level)
                    same, word = level <= MOST_LEVELS, f"{level:.2f}"
                    if not same and arguments.keep:
                        arguments.keep.mkdir(parents=True, exist_ok=True)
                        both = Image.new("RGB", (2 * SIDE + 8, SIDE), "gray")
                        both.paste(ours, (0, 0))
                        both.paste(theirs, (SIDE + 8, 0))
                        both.save(arguments.keep / f"{cover}.png")
                different += not same
                print(f"{'same' if same else 'DIFFERS':7} {cover}: {word}", flush=True)
                file.unlink()
        finally:
            browser.close()
    print(f"{len(levels)} covers compared, {different} differ; mean difference at most {max(levels, default=0):.2f} levels")
    return 1 if different else 0


if __name__ == "__main__":
    packages.enter_environment("covers", "selenium", "Pillow>=11.3")
    sys.exit(main())
