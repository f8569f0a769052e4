"""Standard output and standard error of code, its processes included: limited in memory, and cut in results."""

import fcntl
import os
import secrets
import select
import threading

MOUNT = "/mnt/files"
OUTPUT_FOLDER = f"{MOUNT}/.service/output"
# More is dropped, so that output cannot fill the memory.
STORED_BYTES_MAX = 10_000_000
CHUNK_BYTES = 65_536
# Of a process that still writes while its output is collected.
DRAIN_BYTES_MAX = 4_000_000


class Stream:
    """A pipe in place of a file descriptor, whose content a thread collects."""

    def __init__(self, descriptor):
        self.reader, writer = os.pipe()
        os.dup2(writer, descriptor)
        os.close(writer)
        fcntl.fcntl(self.reader, fcntl.F_SETFL, os.O_NONBLOCK)
        self._chunks = []
        self._stored = self._dropped = 0
        self._lock = threading.Lock()

    def collect(self):
        """Reads what is in the pipe. Returns the number of bytes."""
        with self._lock:
            try:
                content = os.read(self.reader, CHUNK_BYTES)
            except BlockingIOError:
                return 0
            fitting = content[: max(0, STORED_BYTES_MAX - self._stored)]
            if fitting:
                self._chunks.append(fitting)
            self._stored += len(fitting)
            self._dropped += len(content) - len(fitting)
            return len(content)

    def take(self):
        """Returns the text, and forgets it."""
        drained = 0
        while drained < DRAIN_BYTES_MAX:
            length = self.collect()
            if length == 0:
                break
            drained += length
        with self._lock:
            text = b"".join(self._chunks).decode("utf-8", "replace")
            note = f"\n[{self._dropped} more bytes of output were dropped]\n" if self._dropped else ""
            self._chunks = []
            self._stored = self._dropped = 0
        return text + note


def collect_streams():
    """Replaces standard output and standard error of this process. Returns both streams."""
    streams = Stream(1), Stream(2)

    def pump():
        by_descriptor = {stream.reader: stream for stream in streams}
        while True:
            for descriptor in select.select(list(by_descriptor), [], [])[0]:
                by_descriptor[descriptor].collect()

    threading.Thread(target=pump, daemon=True).start()
    return streams


def cut_output(name, text, characters):
    """Cuts a text, and writes the whole one to a file of the mount. Returns (text, path or None)."""
    if len(text) <= characters:
        return text, None
    path = f"{OUTPUT_FOLDER}/{name}_{secrets.token_hex(5)}.txt"
    begin = f"{text[:characters]}\n[cut after {characters} of {len(text)} characters"
    try:
        os.makedirs(OUTPUT_FOLDER, exist_ok=True)
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError:
        return f"{begin}; the disk is full, so the rest is lost]", None
    return f"{begin}; the whole text is in {path}]", path


def count_lines(text):
    return text.count("\n") + (0 if text == "" or text.endswith("\n") else 1)
