"""Checks video loops, judges their seams and repairs them; and a client of the service ``artworkd serve``.

    import artworkd

    artworkd.seam("clip.mp4").verdict                       # "seamless", or what is wrong
    report = artworkd.check("clip.mp4", profiles=["loop"])  # report.verdict, report.seam.score, report.findings
    artworkd.repair("clip.mp4", "repaired.mp4")
    artworkd.Client()                                       # see artworkd.client
"""

from .client import *  # noqa: F401,F403
from .client import __all__ as _client_names
from .tool import Finding, Repair, Report, Seam, SeamReport, ToolError, check, executable, repair, seam

__all__ = [
    "Finding", "Repair", "Report", "Seam", "SeamReport", "ToolError", "check", "executable", "repair", "seam", *_client_names,
]
