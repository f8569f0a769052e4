"""The files of the session in /mnt/files: fetched before a run, stored after it."""

import concurrent.futures
import os
import stat

from output import MOUNT

FETCHED_AT_ONCE = 8


class Mount:
    """Compares the folder with the mount of the session."""

    def __init__(self, channel):
        self._channel = channel
        # By path below the mount: the version of the server, and (inode, time, size) of the file.
        self._known = {}

    def update(self, entries):
        """Makes the folder equal to the mount: files that were added, replaced or removed through the API."""
        paths = {entry["path"] for entry in entries}
        for path in [path for path in self._known if path not in paths]:
            del self._known[path]
            _remove(f"{MOUNT}/{path}")
        changed = [entry for entry in entries if self._known.get(entry["path"], ("",))[0] != entry["version"]]
        if not changed:
            return []
        with concurrent.futures.ThreadPoolExecutor(FETCHED_AT_ONCE) as pool:
            return [problem for problem in pool.map(self._fetch, changed) if problem]

    def store(self):
        """Stores the files that code changed, and removes those that it deleted. Returns what failed."""
        present = dict(_files(MOUNT))
        problems = []
        for path, state in present.items():
            version, last = self._known.get(path, ("", None))
            if last != state:
                problems += self._store_file(path, state)
        for path in [path for path in self._known if path not in present]:
            failed, text, _ = self._channel.send("mount.remove", path, b"")
            if failed:
                problems.append(f"{MOUNT}/{path} was not removed: {text}")
            else:
                del self._known[path]
        return problems

    def _store_file(self, path, state):
        full = f"{MOUNT}/{path}"
        try:
            path.encode()
            with open(full, "rb") as file:
                content = file.read()
        except (OSError, UnicodeEncodeError, MemoryError) as problem:
            return [f"{full!r} was not stored: {problem}"]
        failed, text, _ = self._channel.send("mount.write", path, content)
        if failed:
            return [f"{full} was not stored: {text}"]
        self._known[path] = (text, state)
        return []

    def _fetch(self, entry):
        path, full = entry["path"], f"{MOUNT}/{entry['path']}"
        failed, text, content = self._channel.send("mount.read", path, b"")
        if failed:
            return f"{full} was not loaded: {text}"
        try:
            _remove(full)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "wb") as file:
                file.write(content)
            self._known[path] = (entry["version"], _state(os.lstat(full)))
        except OSError as problem:
            return f"{full} was not loaded: {problem}"
        return ""


def _state(found):
    return found.st_ino, found.st_mtime_ns, found.st_size


def _files(folder):
    """Lists regular files as (path below the mount, state), without following links."""
    for parent, _, names in os.walk(folder):
        for name in names:
            full = f"{parent}/{name}"
            try:
                found = os.lstat(full)
            except OSError:
                continue
            if stat.S_ISREG(found.st_mode):
                yield full[len(MOUNT) + 1 :], _state(found)


def _remove(full):
    try:
        os.unlink(full)
    except OSError:
        # Code may have removed it, or replaced it with a folder.
        pass
