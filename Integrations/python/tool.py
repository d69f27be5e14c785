"""Checks, judges and repairs loops with the tool that comes with this package. See ``artworkd/__init__.py``."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

StrPath = Union[str, "os.PathLike[str]"]


class ToolError(Exception):
    """Why the tool gave no result.

    ``status`` is its exit code (2: a file could not be read or made, 64: a wrong argument), and the text what it printed.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclasses.dataclass(frozen=True)
class Finding:
    """A rule that a file breaks, or a remark. ``severity`` is ``error``, ``warning`` or ``info``; ``help`` says what to do,
    and ``command`` fixes it in a shell, if one can."""

    rule: str
    severity: str
    message: str
    help: str
    profile: str
    command: Optional[str] = None
    measured: Optional[str] = None
    limit: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Seam:
    """The loop point. ``verdict`` is for example ``seamless``, ``jump`` or ``cut`` (docs/verdicts.md), ``score`` is from 0 to
    1, at least 0.5 if the clip loops, and ``certainty`` is ``certain`` or ``likely``."""

    verdict: str
    score: float
    certainty: str
    sentence: str
    missing_frames: Optional[int] = None


@dataclasses.dataclass(frozen=True)
class SeamReport(Seam):
    """A seam with the faults of the repeat. ``loops`` is false if one of ``findings`` is more than info. ``picture`` is the
    path of the PNG that was drawn."""

    loops: bool = False
    frames: int = 0
    seconds: float = 0
    findings: Tuple[Finding, ...] = ()
    picture: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Report:
    """The result of a check. ``verdict`` is ``pass``, ``warn`` or ``fail``; ``seam`` is ``None`` for a single frame; ``json``
    is the whole result (docs/json.md)."""

    path: str
    verdict: str
    seam: Optional[Seam]
    findings: Tuple[Finding, ...]
    json: Dict[str, Any] = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Repair:
    """``status`` is ``repaired``, ``unchanged`` or ``refused``; ``output`` is the new file, if there is one; ``repaired`` and
    ``remaining`` are rules."""

    status: str
    output: Optional[str]
    repaired: Tuple[str, ...]
    remaining: Tuple[str, ...]
    reason: Optional[str]
    json: Dict[str, Any] = dataclasses.field(repr=False)


def executable() -> str:
    """The tool: ``ARTWORKD``, the one that was installed with this module, or the one on the PATH."""
    schemes = [sysconfig.get_path("scripts")]
    if sys.version_info >= (3, 10):
        schemes.append(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    # pip install --target.
    schemes.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    for place in [os.environ.get("ARTWORKD")] + [os.path.join(folder, "artworkd") for folder in schemes if folder]:
        if place and os.access(place, os.X_OK):
            return place
    found = shutil.which("artworkd")
    if found is None:
        raise ToolError(127, "artworkd is not installed: pip install artworkd")
    return found


def check(path: StrPath, *, profiles: Sequence[str] = (), key: Optional[str] = None, thorough: bool = False) -> Report:
    """Checks a file for destinations (``artworkd profiles`` lists them; the default is ``now-playing``).

    ``profiles=["loop"]`` judges a loop of any shape. Raises :class:`ToolError` for a file that cannot be read.
    """
    options = ["--profile", ",".join(profiles)] if profiles else []
    options += ["--key", key] if key else []
    options += ["--thorough"] if thorough else []
    results = json.loads(_run("check", path, *options, "--format", "json"))["results"]
    if not results:
        raise ToolError(2, f"{os.fspath(path)} is no video")
    result = _readable(results[0])
    seam = result.get("seam")
    return Report(
        result["path"], result["verdict"], seam and _seam(seam, seam["loopScore"]), _findings(result["findings"]), result)


def seam(path: StrPath, *, picture: Optional[StrPath] = None) -> SeamReport:
    """Judges the seam of a video or animation of any shape, and draws it as a PNG where ``picture`` says.

    Raises :class:`ToolError` for a file that cannot be read, or that has a single frame.
    """
    result = json.loads(_run("seam", path, *(["-o", os.fspath(picture)] if picture else []), "--format", "json"))
    seam = _seam(result, result["score"])
    return SeamReport(
        **dataclasses.asdict(seam), loops=result["loops"], frames=result["frames"], seconds=result["seconds"],
        findings=_findings(result["findings"]), picture=result.get("picture"))


def repair(
    path: StrPath, output: StrPath, *, profiles: Sequence[str] = (), encode: bool = False,
) -> Repair:
    """Writes a repaired copy of a file, without encoding it again unless ``encode`` allows that.

    Raises :class:`ToolError` if it cannot be read or made. Never replaces a file.
    """
    options = ["--profile", ",".join(profiles)] if profiles else []
    options += ["--unsafe"] if encode else []
    made = json.loads(_run("repair", path, "-o", os.fspath(output), *options, "--format", "json"))
    result = _readable(made["results"][0])
    return Repair(
        result["status"], result.get("output"), tuple(result["repaired"]), tuple(result["remaining"]), result.get("reason"),
        result)


def _run(command: str, path: StrPath, *options: str) -> bytes:
    # A name that begins with - is a file, too.
    name = os.path.join(".", os.fspath(path)) if not os.path.isabs(path) else os.fspath(path)
    made = subprocess.run([executable(), command, name, *options], stdin=subprocess.DEVNULL, capture_output=True)
    if not made.stdout:
        raise ToolError(made.returncode, made.stderr.decode(errors="replace").strip())
    return made.stdout


def _readable(result: Dict[str, Any]) -> Dict[str, Any]:
    error = result.get("error")
    if error:
        raise ToolError(2, f"{error['message']}: {error['help']}")
    return result


def _seam(fields: Dict[str, Any], score: float) -> Seam:
    return Seam(fields["verdict"], score, fields["certainty"], fields["sentence"], fields.get("missingFrames"))


def _findings(items: List[Dict[str, Any]]) -> Tuple[Finding, ...]:
    names = {field.name for field in dataclasses.fields(Finding)}
    return tuple(Finding(**{name: value for name, value in item.items() if name in names}) for item in items)
