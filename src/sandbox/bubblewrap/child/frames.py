"""Frames of the channel: two lengths as 32-bit numbers (big endian), a JSON header, and bytes. See src/sandbox/frames.ts."""

import json
import os
import struct
import threading


class Connection:
    """Frames over a file descriptor. Threads may write at the same time; one of them reads."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def write(self, header, body=b""):
        text = json.dumps(header).encode()
        parts = memoryview(struct.pack(">II", len(text), len(body)) + text + bytes(body))
        with self._lock:
            while parts:
                parts = parts[os.write(self._descriptor, parts) :]

    def read(self):
        """Returns the next frame (header, body), or None after the other side has closed the connection."""
        lengths = self._read_bytes(8)
        if lengths is None:
            return None
        header, body = struct.unpack(">II", lengths)
        text, content = self._read_bytes(header), self._read_bytes(body)
        return None if text is None or content is None else (json.loads(text), content)

    def _read_bytes(self, length):
        content = bytearray()
        while len(content) < length:
            chunk = os.read(self._descriptor, min(length - len(content), 1 << 20))
            if not chunk:
                return None
            content += chunk
        return bytes(content)


class Channel:
    """Requests operations of the server, from any thread. Each request waits for its reply."""

    def __init__(self, connection):
        self._connection = connection
        self._lock = threading.Lock()
        self._pending = {}
        self._last = 0
        self.is_open = True

    def send(self, operation, text, body):
        """Returns (failed, text, body) of the reply."""
        if not self.is_open:
            return True, "No call is in progress, so code cannot use helpers.", b""
        waiting = threading.Event()
        entry = [waiting, None]
        with self._lock:
            self._last += 1
            identifier = self._last
            self._pending[identifier] = entry
        try:
            self._connection.write({"type": "request", "id": identifier, "op": operation, "text": text}, body)
            waiting.wait()
        finally:
            with self._lock:
                self._pending.pop(identifier, None)
        return entry[1]

    def request(self, operation, text, body):
        """The interface of the kernel: `text` is JSON, or the description of `body`. Returns (text, error)."""
        is_upload = body is not None
        failed, reply, content = self.send(
            str(operation), str(text) if is_upload else "", bytes(body) if is_upload else str(text).encode()
        )
        return (None, reply or "failed") if failed else (content.decode(), "")

    def receive(self, header, body):
        """Gives a reply to the request that waits for it."""
        with self._lock:
            entry = self._pending.get(header["id"])
        if entry:
            entry[1] = (header["type"] == "failed", header.get("text", ""), body)
            entry[0].set()
