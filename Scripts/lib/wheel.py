#!/usr/bin/env python3
"""Makes the wheel of a portable tool: the program, a Python module with types, and the client of the service.

    Scripts/lib/wheel.py TOOL VERSION LICENCES FOLDER

Two runs with one SOURCE_DATE_EPOCH give the same bytes. The program is a script of the wheel, so that it starts without
Python.
"""

import base64
import hashlib
import os
import pathlib
import sys
import time
import zipfile

SOURCES = pathlib.Path(__file__).resolve().parents[2]
# glibc 2.36, that of Debian 12, where it is built.
TAG = "py3-none-manylinux_2_36_x86_64"


def main(tool: str, version: str, licences: str, folder: str) -> None:
    date = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")))[:6]
    info = f"artworkd-{version}.dist-info"
    module = SOURCES / "Integrations/python"
    files = {
        f"artworkd/{name}.py": (module / f"{name}.py").read_bytes() for name in ["__init__", "__main__", "tool"]
    }
    files["artworkd/client.py"] = (SOURCES / "Integrations/clients/python/artworkd.py").read_bytes()
    files["artworkd/py.typed"] = b""
    files[f"artworkd-{version}.data/scripts/artworkd"] = pathlib.Path(tool).read_bytes()
    for licence in sorted(pathlib.Path(licences).iterdir()):
        files[f"{info}/licenses/{licence.name}"] = licence.read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: artworkd\nVersion: {version}\n"
        "Summary: Checks, judges and repairs video loops and animated cover art\n"
        "License-Expression: GPL-3.0-or-later\nRequires-Python: >=3.9\n"
        + "".join(f"License-File: {name.split('/licenses/')[1]}\n" for name in sorted(files) if "/licenses/" in name)
        + "Classifier: Operating System :: POSIX :: Linux\nClassifier: Topic :: Multimedia :: Video\n"
        "Classifier: Typing :: Typed\nDescription-Content-Type: text/markdown\n\n"
        + "`uvx artworkd seam clip.mp4` says whether a clip loops, and `artworkd check` what else is wrong with it.\n"
    ).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: artworkd\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode()
    record = f"{info}/RECORD"
    lines = [f"{name},sha256={digest(data)},{len(data)}" for name, data in sorted(files.items())]
    files[record] = ("\n".join([*lines, f"{record},,"]) + "\n").encode()
    path = pathlib.Path(folder) / f"artworkd-{version}-{TAG}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            wheel.writestr(entry, data)
    print(path)


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


if len(sys.argv) != 5:
    sys.exit(__doc__)
main(*sys.argv[1:])
