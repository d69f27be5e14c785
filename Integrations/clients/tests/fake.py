"""Servers that answer as no service should, for the tests of the clients. As a program, `fake.py SOCKET NUMBER` is the service
of a row of ``holds`` in cases.json; it fails if the client does not do what the row says. A line of input is its ``go``."""

import contextlib
import json
import os
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

JSON = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = JSON + "Transfer-Encoding: chunked\r\n\r\n"

# What is sent to each connection; a function sends by itself. No client may crash or hang on any of them, or take one for
# an answer.
HOSTILE = {
    "nothing": "",
    "no HTTP": "220 mail.example.org ESMTP\r\n",
    "another version": "HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    "a status of letters": "HTTP/1.1 abc OK\r\n\r\n{}",
    "a negative status": "HTTP/1.1 -20 OK\r\nContent-Length: 2\r\n\r\n{}",
    "an endless header": lambda send: endless(send, "HTTP/1.1 200 OK\r\nX: ", "a" * 4096),
    "endless headers": lambda send: endless(send, "HTTP/1.1 200 OK\r\n", "X-Field: aaaaaaaaaaaaaaaaaaaa\r\n" * 99),
    "endless early answers": lambda send: endless(send, "", "HTTP/1.1 100 Continue\r\n\r\n" * 99),
    "half a header": "HTTP/1.1 200 OK\r\nContent-Le",
    "a truncated body": JSON + 'Content-Length: 900\r\n\r\n{"url":null,"rea',
    "a truncated body that is JSON": JSON + 'Content-Length: 900\r\n\r\n{"url":"file:///x"}',
    "a length of 64 bits": JSON + "Content-Length: 18446744073709551615\r\n\r\n{",
    "a length beyond 64 bits": JSON + "Content-Length: 36893488147419103232\r\n\r\n{}",
    "the largest length": JSON + "Content-Length: 9223372036854775807\r\n\r\n{}",
    "a negative length": JSON + "Content-Length: -1\r\n\r\n",
    "a length of letters": JSON + "Content-Length: 2x\r\n\r\n{}",
    "no length of a chunk": CHUNKED + "zz\r\n{}\r\n0\r\n\r\n",
    "a negative chunk": CHUNKED + "-2\r\n{}\r\n0\r\n\r\n",
    "a chunk of 64 bits": CHUNKED + "ffffffffffffffff\r\n{}",
    "a chunk beyond 64 bits": CHUNKED + "1ffffffffffffffff\r\n{}",
    "a chunk without an end": CHUNKED + '13\r\n{"url":"file:///x"}XX',
    "truncated chunks": CHUNKED + '13\r\n{"url":"file:///x"}\r\n',
    "an endless chunk line": lambda send: endless(send, CHUNKED + "2;", "x" * 4096),
    "an endless body": lambda send: endless(send, JSON + "\r\n", " " * 65536),
    "endless chunks": lambda send: endless(send, CHUNKED, "1000\r\n" + " " * 4096 + "\r\n"),
    "no JSON": JSON + "Content-Length: 5\r\n\r\nhello",
    "JSON and more": JSON + 'Content-Length: 22\r\n\r\n{"url":"file:///x"} {}',
    "another form": JSON + "Content-Length: 7\r\n\r\n[1,2,3]",
    "another type": JSON + 'Content-Length: 9\r\n\r\n{"url":7}',
    "a missing field": JSON + "Content-Length: 2\r\n\r\n{}",
    "deep JSON": JSON + f"Content-Length: 200000\r\n\r\n{'[' * 200000}",
    "deep fields": JSON + "\r\n" + '{"a":' * 100000,
    "half an escape": JSON + 'Content-Length: 12\r\n\r\n{"url":"\\u00',
    "bytes that are not UTF-8": (JSON + "Content-Length: 11\r\n\r\n").encode() + b'{"url":"\xff"}',
    "NUL": JSON + 'Content-Length: 20\r\n\r\n{"url":"file:///\0x"}',
    "NUL in a URL": JSON + 'Content-Length: 22\r\n\r\n{"url":"file:///%00x"}',
    "no file": JSON + 'Content-Length: 21\r\n\r\n{"url":"http://a.b/"}',
    "NUL in an escape": JSON + 'Content-Length: 25\r\n\r\n{"url":"file:///\\u0000x"}',
}


def endless(send, begin, more):
    send(begin)
    while True:
        send(more)


class FakeServer:
    """Answers each connection with ``answer``, the next of an iterator, or that for its method, after its request has come,
    then closes it. Or, if it ``waits``, keeps it open and silent."""

    def __init__(self, answer=None, waits=False, path=None):
        self._folder = tempfile.TemporaryDirectory(prefix="artworkd-fake-")
        self.socket = path or str(Path(self._folder.name) / "a.sock")
        self._answer = answer
        self._waits = waits
        self._over = threading.Event()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.socket)
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection):
        def send(text):
            connection.sendall(text if isinstance(text, bytes) else text.encode())

        with connection:
            try:
                connection.settimeout(60)
                with connection.makefile("rb") as request:
                    lines = list(iter(request.readline, b"\r\n"))
                    method, target = lines[0].decode().split()[:2]
                    lengths = [line for line in lines if line.lower().startswith(b"content-length:")]
                    body = request.read(int(lengths[0].split(b":")[1]) if lengths else 0)
                self._respond(method, target, body, connection, send)
            except OSError:
                pass  # the client has had enough

    def _respond(self, method, target, body, connection, send):
        answer = self._answer.get(method, "") if isinstance(self._answer, dict) else self._answer
        if callable(answer):
            answer(send)
        else:
            send(next(answer) if hasattr(answer, "__next__") else answer)
        if self._waits:
            self._over.wait(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._over.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._folder.cleanup()


# A client holds the session "s" of "org.example.tests" with the title One and the command pause, then changes its title to Two.
# A row has the statuses that the service sends to changes at first (0: none; "command": 200 once a command was answered;
# "restart": 404, and the stream ends), the "trouble" that the client has then, "events" that follow the change, whether the
# stream "closes" after them, the statuses of "checks" whether the session is there, and as a result whether the session "ends"
# and how many "streams" the client opened. A session that does not end carries out a command at last.
HOLDS = json.loads((Path(__file__).parent / "cases.json").read_text())["holds"]


class FakeHold(FakeServer):
    """The service of a row of ``HOLDS``."""

    def __init__(self, row, path=None):
        self._row = row
        self._changes, self._checks = list(row.get("changes", [])), list(row.get("checks", []))
        self._events, self._session, self._stream = list(row.get("events", [])), None, None
        self._streams, self._has_closed, self._has_ended = 0, threading.Event(), False
        self._has_answer, self._is_over = threading.Event(), threading.Event()
        # Until it is set, no change is accepted after those that were not.
        self.go = threading.Event()
        if "trouble" not in row:
            self.go.set()
        super().__init__(path=path)

    def check(self):
        """Waits until the client has done what the row says; raises if it does anything else."""
        self._is_over.wait(20)
        title = self._session and self._session["content"]["title"]
        found = (self._is_over.is_set(), self._streams, self._has_ended, self._has_ended or title)
        ends = self._row.get("ends", False)
        assert found == (True, self._row.get("streams", 1), ends, ends or "Two"), (self._row["hold"], *found)

    def _respond(self, method, target, body, connection, send):
        if target.startswith("/v1/events"):
            self._streams, self._stream = self._streams + 1, connection
            # In one piece: who has the head may end the session before this thread runs again, and it could not send.
            send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                 + self._event("now-playing", {"shown": None, "sessions": [], "conditions": {}}))
            with contextlib.suppress(ConnectionError):
                connection.recv(1)
            if connection is self._stream:
                self._has_ended = True
                self._is_over.set()
        elif "/commands/" in target:
            send("HTTP/1.1 204 No Content\r\n\r\n")
            self._has_answer.set()
            if not self._changes and self._session["content"]["title"] == "Two":
                self._is_over.set()
        elif method == "DELETE":
            send("HTTP/1.1 204 No Content\r\n\r\n")
        elif method == "GET":
            if self._row.get("closes"):
                self._has_closed.wait(60)
            self._describe(send, self._checks.pop(0) if self._checks else 200)
        else:
            self._change(method == "PATCH", json.loads(body), send)

    def _change(self, is_patch, body, send):
        if self._session is not None:
            answer = self._changes.pop(0) if self._changes else None
            if answer is None:
                self.go.wait(60)
            elif answer == "command":
                time.sleep(0.3)  # libcurl wakes 200 ms after a request, whether or not its client waits for the stream
                self._command()
                self._has_answer.wait(60)
            elif answer == "restart":
                self._close()
                return self._describe(send, 404)
            else:
                return self._describe(send, answer)
        if is_patch:
            body = {**self._session, **body, "content": {**self._session["content"], **body.get("content", {})}}
        self._session = body
        self._describe(send, 200)
        if body["content"]["title"] != "Two":
            return
        events, self._events = self._events, []
        for name, data in events:
            self._tell(name, data)
        if self._row.get("closes") and not self._has_closed.is_set():
            self._close()
        elif not self._row.get("ends"):
            self._command()

    def _describe(self, send, status):
        if status == 0:
            return
        document = {**(self._session or {}), "id": "s", "isApplicationPrimary": False, "isSystemPrimary": False}
        if status != 200:
            code = "unknown-session" if status == 404 else "busy"
            document = {"code": code, "status": status, "title": "No", "detail": "not now"}
        text = json.dumps(document)
        send(f"HTTP/1.1 {status} Status\r\nContent-Length: {len(text)}\r\n\r\n{text}")

    def _command(self):
        self._tell("command", {"command": "pause", "number": 7, "sessionID": "s", "application": "org.example.tests",
                               "sent": time.time()})

    def _tell(self, name, data):
        if stream := self._stream:
            stream.sendall(self._event(name, data).encode())

    @staticmethod
    def _event(name, data):
        return f"event: {name}\ndata: {json.dumps(data)}\n\n"

    def _close(self):
        stream, self._stream, self._session = self._stream, None, None
        stream.shutdown(socket.SHUT_RDWR)
        self._has_closed.set()


NOBODY = 65534

@contextlib.contextmanager
def foreign_socket():
    """A socket that any user may connect to, and at which another user listens. No client may say a word there."""
    with tempfile.TemporaryDirectory(prefix="artworkd-foreign-") as folder, socket.socket(socket.AF_UNIX) as listener:
        path = str(Path(folder) / "a.sock")
        listener.bind(path)
        reader, writer = os.pipe()
        process = os.fork()
        if process == 0:
            os.setuid(NOBODY)
            listener.listen()  # the kernel names the user of this moment
            os.write(writer, b"x")
            with listener.accept()[0] as connection:
                os._exit(1 if connection.recv(1) else 0)
        os.read(reader, 1)
        os.close(reader)
        os.close(writer)
        yield path
        assert os.waitpid(process, 0)[1] == 0, "the client spoke to another user"


@contextlib.contextmanager
def crowded_socket(clients=2):
    """A socket at which as many clients wait as may: the listener accepts nobody before it is told to."""
    with tempfile.TemporaryDirectory(prefix="artworkd-crowd-") as folder, socket.socket(socket.AF_UNIX) as listener:
        path = str(Path(folder) / "a.sock")
        listener.bind(path)
        listener.listen(clients - 1)
        waiting = [socket.socket(socket.AF_UNIX) for _ in range(clients)]
        for each in waiting:
            each.connect(path)
        try:
            yield path, lambda answer, after=0.1: _let_in(listener, clients, answer, after)
        finally:
            for each in waiting:
                each.close()


def _let_in(listener, clients, answer, after):
    """Takes the crowd in after a while, and answers each that asks for something."""
    def serve():
        time.sleep(after)
        for _ in range(clients + 1):
            threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()

    def talk(connection):
        with connection:
            if connection.recv(4096):
                connection.sendall(answer.encode())

    threading.Thread(target=serve, daemon=True).start()


if __name__ == "__main__":
    with FakeHold(HOLDS[int(sys.argv[2])], sys.argv[1]) as hold:
        threading.Thread(target=lambda: sys.stdin.readline() and hold.go.set(), daemon=True).start()
        hold.check()
