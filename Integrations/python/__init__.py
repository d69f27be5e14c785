"""Checks video loops, judges their seams and repairs them; and a client of the service ``artworkd serve``.

    import artworkd

    artworkd.seam("clip.mp4").verdict                       # "seamless", or what is wrong
    report = artworkd.check("clip.mp4", profiles=["loop"])  # report.verdict, report.seam.score, report.findings
    artworkd.repair("clip.mp4", "repaired.mp4")
    artworkd.Client()                                       # see artworkd.client
"""

from .client import (
    AdBreak, Artwork, ArtworkdError, Client, Command, CommandOutcome, Conditions, Content, Event, Change, Events,
    HeldSession, Key, NowPlaying, Part, Playback, PublishedSession, Reason, Size, Variant, Video,
)
from .tool import Finding, Repair, Report, Seam, SeamReport, ToolError, check, executable, repair, seam

__all__ = [
    "AdBreak", "Artwork", "ArtworkdError", "Change", "Client", "Command", "CommandOutcome", "Conditions", "Content",
    "Event", "Events", "Finding", "HeldSession", "Key", "NowPlaying", "Part", "Playback", "PublishedSession",
    "Reason", "Repair", "Report", "Seam", "SeamReport", "Size", "ToolError", "Variant", "Video", "check",
    "executable", "repair", "seam",
]
