"""Helpers for bash and for Python scripts that bash starts: they reach the kernel through a socket of the sandbox."""

import os
import socket
import stat
import threading

from frames import Connection

PROGRAMS = "/run/workbench"
SOCKET = "/tmp/.workbench/helpers"
COMMANDS = "/tmp/.workbench/bin"
PYTHON_PATH = "/tmp/.workbench/python"

_COMMAND = """#!{python}
import json, sys
sys.path.insert(0, "{path}")
import workbench
name, usage, required, build = sys.argv[0].rsplit("/", 1)[1], {usage!r}, {required}, lambda args, value: {build}
args = sys.argv[1:]
if len(args) < required:
    sys.exit(print("usage: " + usage, file=sys.stderr) or 2)
try:
    value = json.loads(args[required]) if {has_json} and len(args) > required else None
except ValueError:
    sys.exit(print("The last argument is not JSON. usage: " + usage, file=sys.stderr) or 2)
reply, error = workbench._channel.request("{operation}", json.dumps(build(args, value)), None)
if error:
    sys.exit(print(error, file=sys.stderr) or 1)
print(reply)
"""

_MODULE = """
import socket as _socket, sys as _sys, threading as _threading
_sys.path.insert(0, "{programs}")
from frames import Channel as _Channel, Connection as _Connection
_connection = _socket.socket(_socket.AF_UNIX)
_connection.connect("{socket}")
_frames = _Connection(_connection.fileno())
_helpers_channel = _Channel(_frames)
def _receive():
    while (frame := _frames.read()) is not None:
        _helpers_channel.receive(*frame)
_threading.Thread(target=_receive, daemon=True).start()
start_kernel(_helpers_channel, {brand!r}, False)
globals().update(_helpers)
"""

_SITE = """
import builtins
def _lazy(name):
    def helper(*args, **names):
        import workbench
        return getattr(workbench, name)(*args, **names)
    helper.__name__ = name
    return helper
for _name in {names!r}:
    setattr(builtins, _name, _lazy(_name))
"""

_TOOL = ("run_tool SLUG ['{…}']", 1, True, "tool", '{"slug": args[0], "arguments": value or {}}')
_TEXT = '{"query": " ".join(args)}'


def _commands(brand):
    return {
        "run_tool": _TOOL,
        f"run_{brand}_tool": _TOOL,
        "proxy_execute": (
            "proxy_execute METHOD ENDPOINT TOOLKIT ['{…}']",
            3,
            True,
            "proxy",
            '{"method": args[0], "endpoint": args[1], "toolkit": args[2], "body": value}',
        ),
        "invoke_llm": ("invoke_llm PROMPT", 1, False, "model", _TEXT),
        "web_search": ("web_search QUERY", 1, False, "search", _TEXT),
    }


def provide_commands(channel, kernel_source, brand, names, python):
    """Writes the commands and modules, and serves their requests."""
    os.makedirs(COMMANDS)
    os.makedirs(PYTHON_PATH)
    for name, (usage, required, has_json, operation, build) in _commands(brand).items():
        text = _COMMAND.format(
            python=python,
            path=PYTHON_PATH,
            usage=usage,
            required=required,
            has_json=has_json,
            operation=operation,
            build=build,
        )
        _write(f"{COMMANDS}/{name}", text)
    module = kernel_source + _MODULE.format(programs=PROGRAMS, socket=SOCKET, brand=brand)
    _write(f"{PYTHON_PATH}/workbench.py", module)
    _write(f"{PYTHON_PATH}/sitecustomize.py", _SITE.format(names=list(names)))
    server = socket.socket(socket.AF_UNIX)
    server.bind(SOCKET)
    server.listen(64)
    threading.Thread(target=_accept, args=(server, channel), daemon=True).start()


def _write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, stat.S_IRWXU)


def _accept(server, channel):
    while True:
        client, _ = server.accept()
        threading.Thread(target=_serve, args=(client, channel), daemon=True).start()


def _serve(client, channel):
    """Forwards the requests of one process, one thread for each, so that a script can run tools in parallel."""
    connection = Connection(client.fileno())

    def forward(header, body):
        failed, text, content = channel.send(header["op"], header.get("text", ""), body)
        connection.write({"type": "failed" if failed else "reply", "id": header["id"], "text": text}, content)

    with client:
        try:
            while (frame := connection.read()) is not None:
                threading.Thread(target=forward, args=frame, daemon=True).start()
        except Exception:
            # A process sent something else, or ended. Its connection ends, and nothing else.
            pass
