"""A client of artworkd, the service that serves animated cover art to players.

One module, for Python 3.9 and later, which needs the standard library only. Copy it into a player, or add this folder to
the path.

    from artworkd import Client, Content, Playback

    client = Client()
    client.put_artwork("album-1", "1x1", "cover_1x1.mp4")
    with client.publish(
        application="org.example.player", artwork={"1x1": "album-1"}, content=Content("music", "Night Drive", "Band"), playback=Playback("playing"),
    ) as session:
        print(session.video("1x1", 1080, 1080).path)
        session.pause()

Every call ends in time, raises :class:`ArtworkdError` when it fails, and may be made from any thread. A request has a
connection of its own. Times are in seconds.
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import os
import select
import socket
import stat
import struct
import threading
import time
import urllib.parse
import uuid
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union
from typing import get_args, get_origin, get_type_hints

__all__ = [
    "AdBreak", "Artwork", "ArtworkdError", "Client", "Command", "CommandOutcome", "Conditions", "Content", "Event",
    "Change", "Events", "HeldSession", "Key", "NowPlaying", "Part", "Playback", "PublishedSession", "Reason", "Size",
    "Variant", "Video",
]

_T = TypeVar("_T")

Key = Literal["1x1", "3x4"]
"""The shape of an animated cover: square, or three wide and four tall."""
Part = Literal["1x1", "3x4", "cover"]
"""A video of an artwork, or its static cover."""
Change = Literal["primary", "artwork"]
"""What a held session reports: see :meth:`Client.publish`."""


class ArtworkdError(Exception):
    """Why a request failed.

    ``code`` is stable. It is a code of the service (docs/service.md), such as ``conflict``, or one of this module:
    ``no-service``, ``untrusted`` (another user has the socket or its folder), ``busy`` (too many clients wait there),
    ``lost`` (the connection broke), ``late`` (no answer in time), ``not-understood`` (an answer of another form),
    ``bad-request`` (found before it was sent).
    """

    def __init__(
        self, code: str, message: str, *, status: Optional[int] = None, hint: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        """The status of the answer; ``None`` if there was no answer."""
        self.hint = hint if hint is not None else _HINTS.get(code)
        """What to do, where the message does not say it."""
        self.retry_after = retry_after
        """Seconds to wait before the next attempt, if the service is busy."""

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" + (f" ({self.hint})" if self.hint else "")

    @property
    def _is_final(self) -> bool:
        """Whether the same request would be refused again: the service is neither busy nor away."""
        return self.code == "bad-request" or 400 <= (self.status or 0) < 500 and self.status not in (408, 429)


_HINTS = {
    "no-service": "start it with: artworkd serve",
    "unauthorized": "give Client the token_file that is beside the service's socket",
    "unknown-artwork": "register it with put_artwork",
    "unknown-session": "publish it again",
    "in-use": "end the sessions that publish it first",
    "ambiguous-session": "say which application",
    "busy": "ask again later",
}


# What is sent and received. A field has the name of the service's JSON field (openapi.json) in the style of Python:
# elapsed_seconds for elapsedSeconds, artwork_id for artworkID. None stands for an absent field.


@dataclasses.dataclass(frozen=True)
class Chapter:
    """A part of an item; it ends where the next one begins."""

    title: str
    start_seconds: float


@dataclasses.dataclass(frozen=True)
class MetadataItem:
    """Information for readers of one language (BCP 47; absent or ``und``: for all).

    ``identifier`` is ``title``, ``subtitle``, ``description``, ``content-rating``, ``artwork`` or any other. A picture is
    its bytes in base64, with the ``data_type`` ``image/jpeg`` or ``image/png``.
    """

    identifier: str
    value: str
    data_type: Optional[str] = None
    language: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Content:
    """What is playing. ``subtitle`` is the artist, show or author, ``collection`` the album, season or series.

    The duration counts before that of the playback: ``duration_seconds``, or the ``duration_kind`` ``live`` or
    ``continuous`` for what has no end.
    """

    kind: Literal["music", "podcast", "movie", "tv-show", "book", "radio", "home-media", "generic"]
    title: str
    subtitle: Optional[str] = None
    collection: Optional[str] = None
    id: Optional[str] = None
    media_type: Optional[Literal["audio", "video"]] = None
    duration_seconds: Optional[float] = None
    duration_kind: Optional[Literal["finite", "live", "continuous"]] = None
    description: Optional[str] = None
    content_rating: Optional[str] = None
    chapters: Optional[Tuple[Chapter, ...]] = None
    metadata: Optional[Tuple[MetadataItem, ...]] = None
    composer: Optional[str] = None
    genre: Optional[str] = None
    is_explicit: Optional[bool] = None


@dataclasses.dataclass(frozen=True)
class AdBreak:
    start_seconds: float
    duration_seconds: float


@dataclasses.dataclass(frozen=True)
class Playback:
    """The state of playback at ``timestamp`` (seconds since 1970; absent: when it is published).

    ``rate`` is that while playing; it is 1 if absent. Without ``duration_seconds`` the duration is unknown; content without
    an end has the ``duration_kind`` ``live`` or ``continuous``.
    """

    state: Literal["playing", "paused", "buffering", "interrupted"] = "paused"
    elapsed_seconds: float = 0
    rate: Optional[float] = None
    timestamp: Optional[float] = None
    duration_seconds: Optional[float] = None
    ad_breaks: Tuple[AdBreak, ...] = ()
    duration_kind: Optional[Literal["finite", "live", "continuous"]] = None

    def position(self, at: Optional[float] = None) -> float:
        """Seconds from the beginning at a time in seconds since 1970, by default now."""
        position = self.elapsed_seconds
        if self.state == "playing" and self.timestamp is not None:
            passed = (time.time() if at is None else at) - self.timestamp
            position += max(passed, 0) * (1 if self.rate is None else self.rate)
        if self.duration_seconds is not None:
            position = min(position, self.duration_seconds)
        return max(position, 0)


@dataclasses.dataclass(frozen=True)
class Reason:
    """Why something is shown or not: a stable code and a sentence."""

    code: str
    message: str


@dataclasses.dataclass(frozen=True)
class Artwork:
    """An artwork as the service describes it.

    ``status`` is ``registered``, ``preparing``, ``ready`` or ``refused``; ``error`` says why it is refused. ``digest`` is
    the hexadecimal SHA-256 of the video, ``report`` the result of ``artworkd check``, and ``leases`` the number of
    sessions that have the file. ``shows`` is what will be shown of it, ``video``, ``preview``, ``cover`` or ``nothing``, and
    ``reason`` why.
    """

    artwork_id: str
    key: str
    status: str
    source: Dict[str, Any]
    leases: int
    digest: Optional[str] = None
    bytes: Optional[int] = None
    report: Optional[Dict[str, Any]] = None
    error: Optional[Reason] = None
    shows: Optional[str] = None
    reason: Optional[Reason] = None


@dataclasses.dataclass(frozen=True)
class Size:
    """Pixels."""

    width: int
    height: int


@dataclasses.dataclass(frozen=True)
class PreparedVideo:
    """What a session would get now. ``rendition`` is the size of a version that was made, ``None`` for the video itself."""

    bytes: int
    codec: str
    rendition: Optional[Size] = None


@dataclasses.dataclass(frozen=True)
class Video:
    """The file of a video, or ``None``; what the system shows (``video``, ``preview`` or ``cover``), and why.

    The file is the session's own, and stays while the session publishes the artwork. ``rendition`` is the size of a version
    that the service has made, ``None`` for the video itself.
    """

    url: Optional[str]
    show: str
    reason: Reason
    artwork_id: Optional[str] = None
    bytes: Optional[int] = None
    rendition: Optional[Size] = None

    @property
    def path(self) -> Optional[str]:
        """The file as a path, for ``open``."""
        if self.url is None:
            return None
        return os.fsdecode(urllib.parse.unquote_to_bytes(self.url[len("file://"):]))


@dataclasses.dataclass(frozen=True)
class Owner:
    process: Optional[int] = None


@dataclasses.dataclass(frozen=True)
class PublishedSession:
    """A session as the service describes it: what was published, and whether its application and the system show it."""

    id: str
    application: str
    is_application_primary: bool
    is_system_primary: bool
    content: Optional[Content] = None
    artwork: Dict[str, str] = dataclasses.field(default_factory=dict)
    cover: Optional[str] = None
    playback: Optional[Playback] = None
    owner: Optional[Owner] = None
    commands: Dict[str, Dict[str, Any]] = dataclasses.field(default_factory=dict)
    not_shown: Optional[Reason] = None
    mixes_with_others: bool = False
    eligibility: str = "always"
    video_codecs: Optional[Tuple[str, ...]] = None


@dataclasses.dataclass(frozen=True)
class Command:
    """What somebody asks of ``session``: a name such as ``pause`` or ``seekToPosition``, and its argument by name, such as
    ``{"position": 90}`` (docs/now-playing.md)."""

    name: str
    arguments: Dict[str, Any]
    session: HeldSession = dataclasses.field(compare=False, repr=False)


@dataclasses.dataclass(frozen=True)
class CommandOutcome:
    """How a command ended. ``status`` is the owner's, ``success``, ``no-such-content``, ``not-supported`` or ``failed``; or
    ``timed-out``, ``owner-gone`` or ``session-ended``."""

    session_id: str
    application: str
    number: int
    status: str
    message: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Variant:
    """What is shown for a key (``video``, ``preview`` or ``cover``), and why."""

    show: str
    reason: Reason
    artwork_id: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class ShownPlayback(Playback):
    """With the position when the answer was made; the ``net`` numbers are without ad breaks."""

    position_seconds: float = 0
    net_position_seconds: float = 0
    net_duration_seconds: Optional[float] = None


@dataclasses.dataclass(frozen=True)
class Shown:
    """The session that the system shows. ``reason`` says why it is this one. ``cover`` is the ID of the artwork whose
    static cover is shown where no video and no preview is.

    Of each identifier in the content's metadata, ``metadata`` has the item for the reader's languages; this client names
    none, so it is the one for all readers, or the first.
    """

    session_id: str
    application: str
    reason: str
    variants: Dict[str, Variant]
    content: Optional[Content] = None
    playback: Optional[ShownPlayback] = None
    cover: Optional[str] = None
    metadata: Optional[Tuple[MetadataItem, ...]] = None


@dataclasses.dataclass(frozen=True)
class Conditions:
    """The conditions that stop a system from showing videos, and the keys that it shows.

    ``thermal`` is ``nominal``, ``fair``, ``serious`` or ``critical``.
    """

    low_power: bool = False
    low_data: bool = False
    thermal: Literal["nominal", "fair", "serious", "critical"] = "nominal"
    reduce_motion: bool = False
    auto_play_off: bool = False
    supported_keys: Tuple[str, ...] = ("1x1", "3x4")


@dataclasses.dataclass(frozen=True)
class NowPlaying:
    """What is shown, all sessions (the shown one first), and the conditions."""

    shown: Optional[Shown]
    sessions: Tuple[PublishedSession, ...]
    conditions: Conditions


@dataclasses.dataclass(frozen=True)
class _Sessions:
    sessions: Tuple[PublishedSession, ...]


@dataclasses.dataclass(frozen=True)
class _Variants:
    variants: Dict[str, Artwork]


@dataclasses.dataclass(frozen=True)
class Event:
    """A change: ``now-playing`` (the first of every stream), ``session``, ``artwork``, ``cover``, ``primary``,
    ``conditions``, ``lease``, ``command`` and ``replaced`` (on a stream that holds the session), or ``missed`` when events were dropped.
    ``data`` is the JSON of the service."""

    name: str
    data: Dict[str, Any]
    id: Optional[str] = None


def _json_name(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join("ID" if word == "id" else word.capitalize() for word in others)


def _encoded(value: Any) -> Any:
    """JSON values for dataclasses. Absent fields are left out."""
    if dataclasses.is_dataclass(value):
        fields = ((_json_name(field.name), getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: _encoded(item) for name, item in fields if item is not None}
    if isinstance(value, (list, tuple)):
        return [_encoded(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _encoded(item) for name, item in value.items()}
    return value


def _decoded(hint: Any, value: Any, place: str) -> Any:
    """A value of the type ``hint`` from JSON. Unknown fields and new words of a newer service are accepted."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return value
    if origin is Union:
        return None if value is None else _decoded(arguments[0], value, place)
    if origin is tuple and isinstance(value, list):
        return tuple(_decoded(arguments[0], item, f"{place}[]") for item in value)
    if origin is dict and isinstance(value, dict):
        return {name: _decoded(arguments[1], item, f"{place}.{name}") for name, item in value.items()}
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        hints = get_type_hints(hint)
        fields = {_json_name(field.name): field for field in dataclasses.fields(hint)}
        for name, field in fields.items():
            if name not in value and field.default is field.default_factory is dataclasses.MISSING:
                raise ArtworkdError("not-understood", f"the service sent {place} without {name}")
        return hint(**{  # type: ignore[operator]
            field.name: _decoded(hints[field.name], value[name], f"{place}.{name}")
            for name, field in fields.items() if name in value
        })
    expected = {float: (int, float)}.get(hint, str if origin is Literal else hint)
    if isinstance(expected, (type, tuple)) and isinstance(value, expected):
        if hint is bool or not isinstance(value, bool):
            return value
    raise ArtworkdError("not-understood", f"the service sent an unexpected value for {place}")


def _merge_patch(old: Dict[str, Any], new: Dict[str, Any]) -> Dict[str, Any]:
    """What makes ``new`` of ``old`` as a JSON merge patch (RFC 7396). A field that changes is sent whole."""
    def change(former: Any, value: Any) -> Any:
        if isinstance(former, dict) and isinstance(value, dict):
            return {**dict.fromkeys(former), **{name: change(former.get(name), item) for name, item in value.items()}}
        return value

    return {name: change(old.get(name), new.get(name)) for name in {**old, **new} if old.get(name) != new.get(name)}


def default_socket() -> str:
    """The socket that the service uses unless told otherwise: ``$ARTWORKD_SOCKET``, else ``artworkd/artworkd.sock`` in
    ``$XDG_RUNTIME_DIR``, else ``/tmp/artworkd-<uid>/artworkd.sock``."""
    return os.environ.get("ARTWORKD_SOCKET", "") or f"{_default_folder()}/artworkd.sock"


def _default_folder() -> str:
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return f"{runtime}/artworkd" if runtime.startswith("/") else f"/tmp/artworkd-{os.geteuid()}"


def _check_folder(folder: str) -> None:
    """Refuses a folder that another user may have made: everyone may make one in the temporary folder."""
    try:
        found = os.lstat(folder)
    except OSError:
        return  # then there is no service
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise ArtworkdError("untrusted", f"{folder} is not a folder of this user alone")


def _check_peer(channel: socket.socket, address: str) -> None:
    """Refuses a Unix socket at which neither this user nor root listens (SO_PEERCRED, unix(7))."""
    form = "=iII"  # users from 2**31 on are those of containers and directories
    credentials = channel.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize(form))
    _, user, _ = struct.unpack(form, credentials)
    if user not in (0, os.geteuid()):
        raise ArtworkdError("untrusted", f"the service at {address} is that of user {user}")


class _Socket(socket.socket):
    """Waits until a point of time however many bytes come before it, or else for a time after each byte."""

    deadline: Optional[float] = None

    def recv_into(self, *arguments: Any) -> int:
        if self.deadline is not None:
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise socket.timeout("timed out")
            self.settimeout(left)
        return super().recv_into(*arguments)


class Client:
    """A client of the service that runs for this user.

    ``socket`` is the path of a Unix socket, by default that which the service uses by default. ``url`` names loopback TCP
    instead, as in ``http://127.0.0.1:8080``; ``token_file`` is then the file ``token`` beside the service's socket, which
    is read for each request because the token changes when the service starts. ``timeout`` is the time for a request that
    needs no inspection or download; the others have 30 s more, because the service answers them within 30 s.
    """

    def __init__(
        self, socket: Union[str, os.PathLike[str], None] = None, *, url: Optional[str] = None,
        token_file: Union[str, os.PathLike[str], None] = None, timeout: float = 15,
    ) -> None:
        if socket is not None and url is not None:
            raise ArtworkdError("bad-request", "give a socket or a url, not both")
        self._place: Optional[Tuple[str, int]] = None
        if url is not None:
            self._place = _host_and_port(url)
        self.address = url or os.fspath(socket if socket is not None else default_socket())
        self._folder = None if url or socket or os.environ.get("ARTWORKD_SOCKET") else _default_folder()
        self._token_file = token_file
        self._timeout = timeout
        self._long = timeout + 30

    def __repr__(self) -> str:
        return f"Client({self.address!r})"

    # Artworks

    def put_artwork(
        self, artwork_id: str, key: Part, source: Union[str, bytes, os.PathLike[str]], *, immutable: bool = False,
        prepare: bool = True, preview: Union[str, os.PathLike[str], None] = None,
    ) -> Artwork:
        """Registers the video or the static cover (a picture) of an artwork: a file, or an ``http`` or ``https`` URL that
        the service allows.

        A file is taken in now, or with ``prepare=False`` on the first request for it, as a URL is. With ``immutable`` the
        owner promises to replace the file instead of writing into it. A video that cannot be used is not an error here:
        its ``status`` is ``refused``. ``preview`` is a PNG or JPEG file in the shape of the key, which is shown until the first
        frame of the video is there.

        Errors: ``conflict`` for other bytes under an ID that has some, ``source-unavailable``, ``source-not-allowed``...
        """
        path = os.fsencode(source)
        document: Dict[str, Any]
        if path.startswith((b"http://", b"https://")):
            document = {"url": os.fsdecode(path)}
        else:
            path = os.path.abspath(path)
            try:
                document = {"path": path.decode()}
            except UnicodeDecodeError:  # JSON must be UTF-8, but a path need not
                document = {"url": "file://" + urllib.parse.quote_from_bytes(path)}
            if immutable:
                document["immutable"] = True
        body: Dict[str, Any] = {"source": document}
        if not prepare:
            body["prepare"] = False
        if preview is not None:
            body["preview"] = os.path.abspath(preview)
        return self._value(
            Artwork, "PUT", ["v1", "artworks", artwork_id, key], query=_PATIENT, body=body, timeout=self._long)

    def artwork(self, artwork_id: str, key: Part) -> Artwork:
        """An artwork. Errors: ``unknown-artwork``."""
        return self._value(Artwork, "GET", ["v1", "artworks", artwork_id, key])

    def artwork_keys(self, artwork_id: str) -> Dict[str, Artwork]:
        """The artwork for each key that has one, without their reports. Errors: ``unknown-artwork``."""
        return self._value(_Variants, "GET", ["v1", "artworks", artwork_id]).variants

    def remove_artwork(self, artwork_id: str, key: Part) -> None:
        """Removes an artwork. Errors: ``unknown-artwork``, and ``in-use`` while a session publishes it."""
        self._send("DELETE", ["v1", "artworks", artwork_id, key])

    def prepare(
        self, artwork_id: str, key: Key, width: Optional[int] = None, height: Optional[int] = None, *,
        video_codecs: Optional[Sequence[str]] = None, wait: bool = True,
    ) -> PreparedVideo:
        """Makes ready what a session will ask for, before it is published: fetches a URL, and makes the version that a session
        with these ``video_codecs`` gets in this size. Nothing keeps it from being evicted before a session has it.

        Without ``wait`` it raises ``late`` after 2 s, and the work goes on. Errors: ``unknown-artwork``, ``refused``,
        ``late``...
        """
        body: Dict[str, Any] = {}
        if width is not None or height is not None:
            body.update(width=width, height=height)
        if video_codecs is not None:
            body["videoCodecs"] = list(video_codecs)
        return self._value(
            PreparedVideo, "POST", ["v1", "artworks", artwork_id, key, "prepare"], query=_PATIENT if wait else [], body=body,
            timeout=self._long)

    def preview(
        self, artwork_id: str, key: Part, width: Optional[int] = None, height: Optional[int] = None,
        format: Literal["png", "webp", "jpeg"] = "png",
    ) -> bytes:
        """The video's first frame, or the cover, as a file. It fits inside ``width`` and ``height`` pixels, of which either
        may be left out, and is never enlarged. A service that does not write ``format`` sends PNG. Errors:
        ``unknown-artwork``, ``refused``, ``busy``..."""
        query = [(name, str(pixels)) for name, pixels in (("width", width), ("height", height)) if pixels is not None]
        query += _PATIENT
        return self._send(
            "GET", ["v1", "artworks", artwork_id, key, "preview"], query=query, timeout=self._long, limit=512 << 20,
            headers={"Accept": f"image/{format}, image/png;q=0.1" if format != "png" else "image/png"})

    # Sessions. Applications name theirs apart: ``application`` says whose is meant, and is needed where several have a
    # session of the same ID (``ambiguous-session``).

    def publish(
        self, session_id: Optional[str] = None, *, application: str, content: Optional[Content] = None,
        artwork: Optional[Mapping[Key, str]] = None, playback: Optional[Playback] = None, cover: Optional[str] = None,
        commands: Optional[Mapping[str, Mapping[str, Any]]] = None,
        on_command: Optional[Callable[[Command], Optional[str]]] = None,
        video_codecs: Optional[Sequence[str]] = None, eligibility: Literal["always", "with-commands"] = "always",
        mixes_with_others: bool = False, on_change: Optional[Callable[[HeldSession, Change], None]] = None,
        wait: bool = False,
    ) -> HeldSession:
        """Publishes a session and holds it: see :class:`HeldSession`. ``session_id`` is a new one by default, so that two
        windows of a player have two sessions; that of another process which lives is refused (``owned``).

        ``artwork`` maps keys to artwork IDs, and ``cover`` is the ID of the artwork whose static cover is shown; by default
        that of ``artwork``. Raises if the service does not accept the session now. With ``wait``, a service that is not
        there yet is waited for instead: the session is published when it starts, and ``trouble`` says why it is not yet.

        ``video_codecs`` names what the player plays, for example ``["h264", "vp9"]``: other videos are handed out as one of
        them, where that can be made. ``eligibility`` ``with-commands`` and ``mixes_with_others`` keep the session from being
        shown (docs/now-playing.md).

        ``on_change`` is called in the session's thread when the session becomes or ceases to be primary (``primary``: see
        ``is_system_primary``), and when an artwork that it publishes has become ready, or a version that fits better
        (``artwork``: ask :meth:`HeldSession.video` again).

        ``commands`` maps the names of the commands that the player carries out to what they have beside their name, for
        example ``{"pause": {}, "next": {"enabled": False}, "skipForward": {"preferredIntervals": [15]}}``. ``on_command``
        carries them out, one after the other, in the session's thread. It returns a status (see :class:`CommandOutcome`),
        or nothing for success; an exception is ``failed``. The one who asked waits for at most 5 s.
        """
        session = _Session(
            application, content, dict(artwork or {}), playback, cover, dict(commands or {}) or None, mixes_with_others or None,
            None if eligibility == "always" else eligibility, None if video_codecs is None else tuple(video_codecs))
        return HeldSession(self, str(uuid.uuid4()) if session_id is None else session_id, session, on_command, on_change, wait)

    def session(self, session_id: str, *, application: Optional[str] = None) -> PublishedSession:
        """A session. Errors: ``unknown-session``."""
        return self._value(PublishedSession, "GET", ["v1", "sessions", session_id], query=_of(application))

    def sessions(self) -> Tuple[PublishedSession, ...]:
        """All sessions: the shown one first, then the most recently active ones."""
        return self._value(_Sessions, "GET", ["v1", "sessions"]).sessions

    def end_session(self, session_id: str, *, application: Optional[str] = None) -> None:
        """Ends a session of any client and removes its files. Errors: ``unknown-session``."""
        self._send("DELETE", ["v1", "sessions", session_id], query=_of(application))

    def make_primary(
        self, session_id: str, scope: Literal["application", "system"] = "application", *,
        application: Optional[str] = None,
    ) -> None:
        """Makes a session the one that its application or the system shows. Errors: ``unknown-session``."""
        self._send("POST", ["v1", "sessions", session_id, "primary"], query=_of(application), body={"scope": scope})

    def resign_primary(
        self, session_id: str, scope: Literal["application", "system"] = "application", *,
        application: Optional[str] = None,
    ) -> None:
        """Takes back what :meth:`make_primary` did, for the application and the system, or the system alone. Errors:
        ``unknown-session``."""
        self._send("DELETE", ["v1", "sessions", session_id, "primary"], query=[("scope", scope), *_of(application)])

    def perform(
        self, command: str, *, session_id: Optional[str] = None, application: Optional[str] = None, **argument: Any
    ) -> CommandOutcome:
        """Asks a session to carry out a command, for example ``perform("seekToPosition", position=90)``.

        The session is the one that is shown, or else the primary one of ``application``, or that of ``session_id``. Errors:
        ``unknown-session``, ``command-not-offered``, ``command-disabled``, ``live-content``, ``not-listening``, ``busy``.
        """
        if session_id is not None:
            path, query = ["v1", "sessions", session_id], _of(application)
        else:
            path, query = ["v1", "now-playing"] if application is None else ["v1", "applications", application], []
        return self._value(
            CommandOutcome, "POST", [*path, "commands"], query=query, body={"command": command, **argument})

    def video(
        self, session_id: str, key: Key, width: int, height: int, *, application: Optional[str] = None, wait: bool = True
    ) -> Video:
        """The video of an artwork that a session publishes, as a file, or the reason that there is none.

        ``width`` and ``height`` are the wanted size in pixels; the video may have any other. Ask again if the reason is
        ``late``: the service goes on with the work. Without ``wait`` that is so after 2 s, and ``on_change`` says when the
        video is ready. Errors: ``unknown-session``, ``not-published``.
        """
        video = self._value(
            Video, "POST", ["v1", "sessions", session_id, "artwork", key, "video"],
            query=_of(application) + (_PATIENT if wait else []),
            body={"width": width, "height": height}, timeout=self._long)
        if video.url is not None and not _is_file(video.url):
            raise ArtworkdError("not-understood", "the service sent something other than the URL of a file")
        return video

    # What is shown

    def now_playing(self) -> NowPlaying:
        """What is shown, and why."""
        return self._value(NowPlaying, "GET", ["v1", "now-playing"])

    def conditions(self) -> Conditions:
        """The device's conditions."""
        return self._value(Conditions, "GET", ["v1", "conditions"])

    def set_conditions(self, conditions: Conditions) -> Conditions:
        """Replaces the device's conditions."""
        return self._value(Conditions, "PUT", ["v1", "conditions"], body=conditions)

    def events(self, *, after: Optional[str] = None, silence: float = 45) -> Events:
        """Changes from now on, or after the event of that ``id``, with a ``missed`` if the service has too few of them.
        ``silence`` is the time without a byte after which the stream counts as ``late``; the service sends something every
        15 s."""
        return Events(self, [], silence, after)

    # Requests

    def _value(
        self, kind: Type[_T], method: str, path: Sequence[str], *, query: Sequence[Tuple[str, str]] = (), body: Any = None,
        timeout: Optional[float] = None,
    ) -> _T:
        answer = _parsed(self._send(method, path, query=query, body=body, timeout=timeout))
        return _typed(kind, answer)

    def _send(
        self, method: str, path: Sequence[str], *, query: Sequence[Tuple[str, str]] = (), body: Any = None,
        timeout: Optional[float] = None, limit: int = 16 << 20, headers: Optional[Dict[str, str]] = None,
    ) -> bytes:
        response, _ = self._open(method, path, query, body, timeout or self._timeout, headers or {})
        with contextlib.closing(response):
            try:
                return _body(response, limit)
            except _LOST as error:
                raise _failure(error) from error

    def _open(
        self, method: str, path: Sequence[str], query: Sequence[Tuple[str, str]], body: Any, timeout: float,
        headers: Dict[str, str],
    ) -> Tuple[http.client.HTTPResponse, _Socket]:
        """Sends a request and returns when the head of the answer has come. A status of 300 or more is raised."""
        try:
            target = "".join("/" + _percent_encoded(part) for part in path)
            if query:
                target += "?" + "&".join(f"{name}={_percent_encoded(value)}" for name, value in query)
            data = None
            headers = {"Connection": "close", **headers}
            if body is not None:
                data = json.dumps(_encoded(body), ensure_ascii=False, allow_nan=False).encode()
                headers["Content-Type"] = "application/json"
        except (TypeError, ValueError) as error:
            raise ArtworkdError("bad-request", f"the request cannot be sent as JSON: {error}") from error
        if self._token_file is not None:
            headers["Authorization"] = f"Bearer {self._token()}"
        connection = http.client.HTTPConnection(*(self._place or ("localhost", 80)))
        connection.sock = channel = self._connected(timeout)
        try:
            connection.request(method, target, data, headers)
            response = connection.getresponse()
        except _LOST as error:
            raise _failure(error) from error
        finally:
            # The response keeps it open until it is closed itself. The connection's close would close both.
            channel.close()
        if response.status >= 300:
            with contextlib.closing(response):
                raise _problem(response)
        return response, channel

    def _connected(self, timeout: float) -> _Socket:
        if self._folder is not None:
            _check_folder(self._folder)
        try:
            addresses: List[Tuple[socket.AddressFamily, Any]] = [(socket.AF_UNIX, self.address)]
            if self._place is not None:
                found = socket.getaddrinfo(*self._place, type=socket.SOCK_STREAM)
                addresses = [(family, address) for family, _, _, _, address in found]
            for number, (family, address) in enumerate(addresses, 1):
                channel = _Socket(family, socket.SOCK_STREAM)
                channel.deadline = time.monotonic() + timeout
                channel.settimeout(timeout)
                try:
                    _connect(channel, address)
                    if family == socket.AF_UNIX:
                        _check_peer(channel, address)
                    break
                except (OSError, ArtworkdError) as error:
                    channel.close()
                    if number == len(addresses) or isinstance(error, ArtworkdError):
                        raise
            return channel
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            reason = getattr(error, "strerror", None) or str(error)
            raise ArtworkdError("no-service", f"no service at {self.address}: {reason}") from error

    def _token(self) -> str:
        try:
            with open(self._token_file or "", encoding="ascii") as file:
                return file.read().strip()
        except (OSError, ValueError) as error:
            raise ArtworkdError("unauthorized", f"the token cannot be read: {error}") from error


def _connect(channel: _Socket, address: Any) -> None:
    """Tries again while as many clients wait there as may."""
    pause = 0.005
    while True:
        try:
            return channel.connect(address)
        except BlockingIOError as error:
            if channel.deadline is not None and time.monotonic() + pause >= channel.deadline:
                raise ArtworkdError("busy", "too many clients wait for the service") from error
            time.sleep(pause)
            pause = min(pause * 2, 0.2)


# How reading and writing fail. ValueError comes of a chunk's length that is not a number.
_LOST = (OSError, http.client.HTTPException, ValueError)


def _failure(error: Exception) -> ArtworkdError:
    if isinstance(error, socket.timeout):
        return ArtworkdError("late", "the service did not answer in time")
    if isinstance(error, (OSError, http.client.IncompleteRead, http.client.RemoteDisconnected)):
        return ArtworkdError("lost", f"the connection to the service was lost: {error or type(error).__name__}")
    return ArtworkdError("not-understood", f"the service sent an unexpected answer: {error or type(error).__name__}")


def _body(response: http.client.HTTPResponse, limit: int) -> bytes:
    data = response.read(limit + 1)
    if len(data) > limit:
        raise ArtworkdError("not-understood", f"the answer is longer than {limit} bytes", status=response.status)
    # Asked for a number of bytes, the library does not say that there are fewer than announced.
    if response.length:
        raise http.client.IncompleteRead(data, response.length)
    return data


def _parsed(data: bytes) -> Any:
    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is not JSON")

    try:
        return json.loads(data.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise ArtworkdError("not-understood", f"the service sent something other than JSON: {error}") from error


def _typed(kind: Type[_T], value: Any) -> _T:
    result: _T = _decoded(kind, value, kind.__name__)
    return result


def _problem(response: http.client.HTTPResponse) -> ArtworkdError:
    """From a problem document (RFC 9457). Without a valid one, the status says what is known."""
    try:
        document = _parsed(_body(response, 1 << 20))
    except (ArtworkdError, *_LOST):
        document = None
    if not isinstance(document, dict):
        document = {}
    code, detail = document.get("code"), document.get("detail") or document.get("title")
    wait = response.getheader("Retry-After") or ""
    return ArtworkdError(
        code if isinstance(code, str) else f"status-{response.status}",
        detail if isinstance(detail, str) else f"status {response.status}",
        status=response.status, retry_after=float(wait) if wait.isascii() and wait.isdigit() else None)


def _of(application: Optional[str]) -> List[Tuple[str, str]]:
    return [] if application is None else [("application", application)]


def _is_file(url: str) -> bool:
    try:
        return url.startswith("file:///") and b"\0" not in urllib.parse.unquote_to_bytes(url)
    except UnicodeEncodeError:  # half a character
        return False


def _percent_encoded(text: str) -> str:
    """As one segment of a path, or one value of a query (RFC 3986)."""
    return {".": "%2E", "..": "%2E%2E"}.get(text) or urllib.parse.quote(text, safe="")


def _host_and_port(url: str) -> Tuple[str, int]:
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or not port or parts.scheme != "http" or parts.path not in ("", "/") or parts.query:
        raise ArtworkdError("bad-request", f"{url!r} is not an address as in http://127.0.0.1:8080")
    return host, port


class Events:
    """Changes as they happen: an iterator, for one thread, to be closed after use (or use ``with``).

    It ends when the service ends the stream. It raises ``late`` when the service is silent for too long, and ``lost`` when
    the connection breaks. Ask :meth:`Client.now_playing` after an event named ``missed``.
    """

    _longest = 16 << 20  # bytes of a line, and of the data of an event

    def __init__(
        self, client: Client, query: Sequence[Tuple[str, str]], silence: float, after: Optional[str] = None
    ) -> None:
        headers = {"Accept": "text/event-stream"}
        if after is not None:
            headers["Last-Event-ID"] = after
        self._response, self._socket = client._open("GET", ["v1", "events"], query, None, client._timeout, headers)
        kind = self._response.getheader("Content-Type") or "no Content-Type"
        if not kind.startswith("text/event-stream"):
            self.close()
            raise ArtworkdError("not-understood", f"the service sent {kind} instead of events")
        self._socket.deadline = None
        self._socket.settimeout(silence)

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        try:
            return self._next()
        except _LOST as error:
            raise _failure(error) from error

    def _next(self) -> Event:
        name, ident, data = "message", None, bytearray()
        while True:
            line = self._response.readline(self._longest + 1) if not self._response.isclosed() else b""
            if len(line) > self._longest or len(data) > self._longest:
                raise ArtworkdError("not-understood", f"an event is longer than {self._longest} bytes")
            if not line:
                raise StopIteration
            field, _, value = line.rstrip(b"\r\n").partition(b":")
            value = value[1:] if value[:1] == b" " else value
            if field == b"event":
                name = value.decode("utf-8")
            elif field == b"id":
                ident = value.decode("utf-8")
            elif field == b"data":
                data += value + b"\n"
            elif not line.strip() and data:
                document = _parsed(bytes(data))
                if not isinstance(document, dict):
                    raise ArtworkdError("not-understood", f"the event {name} has no object")
                return Event(name, document, ident)

    def close(self) -> None:
        self._response.close()

    def _is_open(self) -> bool:
        """Whether the service has not closed its end; what it sent before that may be unread."""
        poll = select.poll()
        poll.register(self._socket, select.POLLRDHUP)
        return not poll.poll(0)

    def _interrupt(self) -> None:
        """Makes a thread that waits for an event see the end of the stream."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the other side was quicker

    def __enter__(self) -> Events:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


@dataclasses.dataclass(frozen=True)
class _Session:
    application: str
    content: Optional[Content]
    artwork: Dict[Key, str]
    playback: Optional[Playback]
    cover: Optional[str] = None
    commands: Optional[Dict[str, Mapping[str, Any]]] = None
    mixes_with_others: Optional[bool] = None
    eligibility: Optional[str] = None
    video_codecs: Optional[Tuple[str, ...]] = None

    def stamped(self) -> _Session:
        """With the time of its position by the steady clock, so that it can be published again later."""
        if self.playback is None:
            return self
        given = self.playback.timestamp
        return self._at(_CLOCK.now() if given is None else given - _CLOCK.lead())

    def sent(self) -> _Session:
        """With the time of its position by the wall clock, as it is set now."""
        if self.playback is None or self.playback.timestamp is None:
            return self
        return self._at(self.playback.timestamp + _CLOCK.lead())

    def _at(self, timestamp: float) -> _Session:
        assert self.playback is not None
        return dataclasses.replace(self, playback=dataclasses.replace(self.playback, timestamp=timestamp))


class _SteadyClock:
    """Seconds since 1970 as they were when the module was loaded, and from then on by a clock that nobody sets."""

    _least = 0.25  # seconds that count as a step of the wall clock

    def __init__(self) -> None:
        self._start = time.time() - self._passed()
        self._lead = 0.0

    @staticmethod
    def _passed() -> float:
        return time.clock_gettime(time.CLOCK_BOOTTIME)

    def now(self) -> float:
        return self._start + self._passed()

    def lead(self) -> float:
        """By how much the wall clock is ahead. A multiple of 1/1024, so that adding and subtracting it loses nothing."""
        lead = time.time() - self.now()
        if abs(lead - self._lead) > self._least:
            self._lead = round(lead * 1024) / 1024
        return self._lead


_CLOCK = _SteadyClock()


# Seconds before another attempt.
_SHORTEST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0


class _Unchanged:
    pass


_UNCHANGED = _Unchanged()


class HeldSession:
    """A session that lasts until :meth:`end`, until a ``with`` block ends, or until the process ends.

    A thread holds a connection to the service, whose end ends the session. When the service restarts, the thread connects
    and publishes the session again. What the service was too busy for is sent again. Both are tried at least every 5 s, and
    ``trouble`` says meanwhile why the service does not have the session. A session that another client ended or took over
    stays ended.
    """

    def __init__(
        self, client: Client, session_id: str, session: _Session,
        on_command: Optional[Callable[[Command], Optional[str]]] = None,
        on_change: Optional[Callable[[HeldSession, Change], None]] = None, wait: bool = False,
    ) -> None:
        self.id = session_id
        self._on_command = on_command
        self._on_change = on_change
        self._primary = (False, False)
        self.application = session.application
        self._client = client
        self._session = session.stamped()
        # What the service has for certain, as JSON.
        self._published: Optional[Dict[str, Any]] = None
        # Guards what is published, so that the service gets changes in their order. Held during a request.
        self._sending = threading.RLock()
        self._timer: Optional[threading.Timer] = None
        self._trouble: Optional[ArtworkdError] = None
        # An end may be among events that were missed, and may be that of an earlier session of this name.
        self._may_have_ended = False
        self._over = threading.Event()
        self._events: Optional[Events] = None
        try:
            self._events = self._connect()
            self._publish()
        except BaseException as error:
            self._let_go()
            if not (wait and isinstance(error, ArtworkdError) and error.code in ("no-service", "lost", "late", "busy")):
                raise
            self._trouble = error
        self._thread = threading.Thread(target=self._hold, name=f"artworkd {session_id}", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> Optional[ArtworkdError]:
        """Why the service does not have the session as it is now; ``None`` while it does."""
        return self._trouble

    @property
    def is_application_primary(self) -> bool:
        """Whether its application shows it, as far as events have told."""
        return self._primary[0]

    @property
    def is_system_primary(self) -> bool:
        """Whether the system shows it, as far as events have told."""
        return self._primary[1]

    @property
    def is_ended(self) -> bool:
        """Whether the session was ended by this object or by another client, which may have taken it over."""
        return self._over.is_set()

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Returns when the session has ended, or with ``False`` after ``timeout`` seconds."""
        return self._over.wait(timeout)

    def update(
        self, *, content: Union[Content, None, _Unchanged] = _UNCHANGED,
        artwork: Union[Mapping[Key, str], _Unchanged] = _UNCHANGED,
        playback: Union[Playback, None, _Unchanged] = _UNCHANGED, cover: Union[str, None, _Unchanged] = _UNCHANGED,
        commands: Union[Mapping[str, Mapping[str, Any]], _Unchanged] = _UNCHANGED,
        video_codecs: Union[Sequence[str], None, _Unchanged] = _UNCHANGED,
        eligibility: Union[Literal["always", "with-commands"], _Unchanged] = _UNCHANGED,
        mixes_with_others: Union[bool, _Unchanged] = _UNCHANGED,
    ) -> None:
        """Changes what is given and leaves the rest. The files of artwork that is no longer named are removed.

        If the service is busy or away, this raises, and the change is sent again until the service has it. A change that
        the service refuses is dropped.
        """
        with self._sending:
            before = self._session
            given: Dict[str, Any] = {
                "content": content, "artwork": artwork, "playback": playback, "cover": cover, "commands": commands,
                "video_codecs": video_codecs, "eligibility": eligibility, "mixes_with_others": mixes_with_others}
            changes = {name: value for name, value in given.items() if not isinstance(value, _Unchanged)}
            if "artwork" in changes:
                changes["artwork"] = dict(changes["artwork"])
            if "commands" in changes:
                changes["commands"] = dict(changes["commands"]) or None
            if changes.get("video_codecs") is not None:
                changes["video_codecs"] = tuple(changes["video_codecs"])
            changed = dataclasses.replace(before, **changes)
            # A position that stays has its time already.
            self._session = changed.stamped() if "playback" in changes else changed
            try:
                self._publish()
            except ArtworkdError as error:
                if not error._is_final:
                    self._fail(error)
                elif error.code != "unknown-session":  # a service that was started again gets it on another stream
                    self._session = before
                raise

    def play(self, at: Optional[float] = None) -> None:
        """Plays on, or from ``at`` seconds from the beginning."""
        self._change("playing", at)

    def pause(self, at: Optional[float] = None) -> None:
        """Pauses, at the present position or at ``at`` seconds from the beginning."""
        self._change("paused", at)

    def seek(self, seconds: float) -> None:
        """Goes to a position, in seconds from the beginning."""
        self._change(None, seconds)

    def _change(self, state: Optional[Literal["playing", "paused"]], at: Optional[float]) -> None:
        with self._sending:
            now = _CLOCK.now()
            playback = self._session.playback or Playback()
            self.update(playback=dataclasses.replace(
                playback, state=state or playback.state, timestamp=now + _CLOCK.lead(),
                elapsed_seconds=playback.position(now) if at is None else at))

    def make_primary(self, scope: Literal["application", "system"] = "application") -> None:
        """Makes this the session that its application or the system shows."""
        self._client.make_primary(self.id, scope, application=self.application)

    def resign_primary(self, scope: Literal["application", "system"] = "application") -> None:
        """Takes back what :meth:`make_primary` did."""
        self._client.resign_primary(self.id, scope, application=self.application)

    def video(self, key: Key, width: int, height: int, *, wait: bool = True) -> Video:
        """See :meth:`Client.video`."""
        return self._client.video(self.id, key, width, height, application=self.application, wait=wait)

    def end(self) -> None:
        """Ends the session and removes its files. Nothing happens if it has ended.

        If the service is not there, this raises; the session may then come back with the service and last as long as this
        process.
        """
        with self._sending:
            if self.is_ended:
                return
            self._over.set()
            events = self._events
        try:
            self._client.end_session(self.id, application=self.application)
        except ArtworkdError as error:
            if error.code != "unknown-session":
                raise
        finally:
            if events is not None:
                events._interrupt()

    def __enter__(self) -> HeldSession:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            self.end()
        except ArtworkdError:
            # What went wrong in the block matters more.
            if kind is None:
                raise

    # Holding

    def _publish(self) -> None:
        """Sends the session, or what has changed of it since the service got it."""
        with self._sending:
            if self.is_ended:
                raise ArtworkdError("unknown-session", "the session has ended", status=404)
            document: Dict[str, Any] = _encoded(self._session.sent())
            published, self._published = self._published, None
            path = ["v1", "sessions", self.id]
            if published is None:
                answer = self._client._value(PublishedSession, "PUT", path, body=document)
                self._primary = (answer.is_application_primary, answer.is_system_primary)
            elif patch := _merge_patch(published, document):
                self._client._send("PATCH", path, query=_of(self.application), body=patch)
            self._published = document
            if self._events is not None:
                self._trouble = None

    def _settle(self, pause: float = _SHORTEST_PAUSE) -> None:
        """Publishes what is not published, then checks whether the session has ended if that is in doubt."""
        with self._sending:
            if self._timer is not None:
                self._timer.cancel()
            self._timer, events, former = None, self._events, self._primary
            if events is None or self.is_ended:
                return
            try:
                if self._published is None:
                    self._publish()
                # A service that was started again has closed this stream, and may not know the session.
                if self._may_have_ended and self._is_gone() and events._is_open():
                    self._over.set()
                    events._interrupt()
                self._may_have_ended = False
                self._trouble = None
            except ArtworkdError as error:
                self._fail(error, pause)
        if self._primary != former:
            self._tell("primary")

    def _fail(self, error: ArtworkdError, pause: float = _SHORTEST_PAUSE) -> None:
        self._trouble = error
        if not error._is_final and self._timer is None:
            self._timer = threading.Timer(pause, self._settle, [min(pause * 2, _LONGEST_PAUSE)])
            self._timer.daemon = True
            self._timer.start()

    def _hold(self) -> None:
        pause = _SHORTEST_PAUSE
        while not self.is_ended:
            try:
                event = next(self._events or self._reconnect(), None)
                pause = _SHORTEST_PAUSE
                if event is None:
                    raise ArtworkdError("lost", "the service closed the connection")
                if event.name == "command":
                    self._carry_out(event.data)
                    continue
                if event.name == "replaced":
                    self._over.set()
                    break
                self._note(event)
                is_end = event.name == "session" and event.data.get("ended") and event.data.get("sessionID") == self.id
                if is_end or event.name == "missed":
                    self._may_have_ended = True
                    self._settle()
            except ArtworkdError as error:
                self._let_go()
                self._trouble = None if self.is_ended else error
                self._over.wait(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
        self._over.set()
        self._let_go()

    def _carry_out(self, data: Dict[str, Any]) -> None:
        sent = data.get("sent")
        if isinstance(sent, (int, float)) and time.time() - sent >= _PATIENCE:
            return  # nobody waits for it any more: an earlier command took too long
        names = {"command", "number", "sessionID", "application", "sent"}
        command = Command(str(data.get("command")), {name: data[name] for name in data if name not in names}, self)
        answer: Dict[str, str] = {"status": "not-supported"}
        try:
            if self._on_command is not None:
                answer["status"] = self._on_command(command) or "success"
        except (Exception, SystemExit) as error:  # the player's own
            answer = {"status": "failed", "message": str(error)[:4096]}
        path = ["v1", "sessions", self.id, "commands", str(data.get("number"))]
        try:
            self._client._send("POST", path, query=_of(self.application), body=answer)
        except ArtworkdError:
            pass  # nobody waits for it any more

    def _note(self, event: Event) -> None:
        """Reports what an event says about this session."""
        data, former = event.data, self._primary
        is_this = data.get("sessionID") == self.id and data.get("application") == self.application
        if event.name == "primary" and data.get("scope") == "system":
            self._primary = (former[0], is_this)
        elif event.name == "primary" and data.get("application") == self.application:
            self._primary = (is_this, former[1])
        if self._primary != former:
            self._tell("primary")
        if event.name == "artwork" and data.get("status") == "ready":
            if self._session.artwork.get(data.get("key", "")) == data.get("artworkID"):
                self._tell("artwork")

    def _tell(self, change: Change) -> None:
        if self._on_change is None:
            return
        try:
            self._on_change(self, change)
        except Exception as error:  # the player's own; the session is held all the same
            threading.excepthook(threading.ExceptHookArgs(
                [type(error), error, error.__traceback__, threading.current_thread()]))

    def _connect(self) -> Events:
        return Events(self._client, [("own", self.id), ("session", self.id), *_of(self.application)], _SILENCE)

    def _reconnect(self) -> Events:
        events = self._connect()
        with self._sending:
            self._events, self._published, self._may_have_ended = events, None, False
        self._settle()
        return events

    def _let_go(self) -> None:
        with self._sending:
            events, self._events = self._events, None
        if events is not None:
            events.close()

    def _is_gone(self) -> bool:
        try:
            self._client.session(self.id, application=self.application)
            return False
        except ArtworkdError as error:
            if error.code != "unknown-session":
                raise
            return True


# As long as the service lets a request wait for a worker.
_PATIENT = [("wait", "28")]

# The service sends something every 15 s.
_SILENCE = 45.0

# The service waits so many seconds for the answer to a command.
_PATIENCE = 5.0
