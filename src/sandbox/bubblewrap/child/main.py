"""The process of a native sandbox: limits itself, then runs the code that the server sends."""

import asyncio
import json
import os
import queue
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback
import types

sys.path.insert(0, "/run/workbench")

from commands import COMMANDS, PYTHON_PATH, provide_commands
from frames import Channel, Connection
from mount import Mount
from output import MOUNT, collect_streams, count_lines, cut_output

CHANNEL = 3
HOME = "/home/user"
ENVIRONMENT = {
    "HOME": HOME,
    "USER": "user",
    "LANG": "C.UTF-8",
    "PATH": f"{COMMANDS}:/usr/local/bin:/usr/bin:/bin",
    "PYTHONPATH": PYTHON_PATH,
    "PYTHONUTF8": "1",
    "MPLBACKEND": "Agg",
    # Libraries start a thread for each processor of the machine, and reserve memory for each.
    "OPENBLAS_NUM_THREADS": "2",
    "OMP_NUM_THREADS": "2",
}
TIMEOUT_STATUS = 124
TIMED_OUT = "Command timed out"


def limit_resources(settings):
    """Sets the limits of this process, which its children inherit."""
    memory = settings["memoryBytesMax"]
    for kind, value in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_AS, 4 * memory),
        (resource.RLIMIT_FSIZE, settings["diskBytesMax"]),
        (resource.RLIMIT_CPU, settings["cpuSecondsMax"]),
        (resource.RLIMIT_NPROC, settings["processesMax"]),
        (resource.RLIMIT_NOFILE, 1_024),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def load_kernel(path):
    """Runs the kernel as the module `workbench`. Returns (module, source)."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    module = types.ModuleType("workbench")
    sys.modules["workbench"] = module
    exec(compile(source, "<workbench>", "exec"), module.__dict__)
    return module, source


def receive_frames(connection, channel, runs):
    """Reads the channel. The process ends with the server's end of it."""
    while (frame := connection.read()) is not None:
        header, body = frame
        if header["type"] == "run":
            runs.put((header["id"], json.loads(body)))
        else:
            channel.receive(header, body)
    os._exit(0)


def raise_interrupt(_signal, _frame):
    raise KeyboardInterrupt


def end_processes():
    """Ends every other process of the sandbox: nothing runs between two runs."""
    for _ in range(3):
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return


class Runner:
    """Runs cells of Python and bash commands."""

    def __init__(self, kernel):
        self._kernel = kernel
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)

    def run(self, kind, code, seconds):
        """Returns (results, error, exit code)."""
        try:
            if kind == "python":
                outcome = json.loads(self._run_cell(code, seconds))
                return outcome["results"], outcome["error"], None
            error, status = self._run_bash(code, seconds)
            return "", error, status
        finally:
            end_processes()

    def _run_cell(self, code, seconds):
        signal.signal(signal.SIGALRM, raise_interrupt)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return self._finish(self._kernel.run_cell(code), _needs_loop(code))
        except KeyboardInterrupt:
            return json.dumps({"results": "", "error": self._kernel.TIMED_OUT})
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _finish(self, cell, needs_loop):
        """Code without `await` runs outside of the event loop, so that it can call asyncio.run()."""
        if needs_loop:
            return self._loop.run_until_complete(cell)
        try:
            cell.send(None)
        except StopIteration as end:
            return end.value
        raise RuntimeError("the cell waits for something outside of an event loop")

    def _run_bash(self, command, seconds):
        process = subprocess.Popen(
            ["/bin/bash", "--noprofile", "--norc", "-c", command],
            cwd=HOME,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            end_processes()
            process.wait()
            return TIMED_OUT, TIMEOUT_STATUS
        status = 128 - status if status < 0 else status
        return (f"Command exited with status {status}" if status else ""), status


def _needs_loop(code):
    """Whether the code has `await` at its top level."""
    try:
        compile(code, "<cell>", "exec")
    except SyntaxError:
        return True
    return False


def perform(run, runner, mount, streams):
    """Runs code with the files of the mount. Returns the outcome."""
    problems = mount.update(run["mount"])
    results, error, status = runner.run(run["kind"], run["code"], run["timeoutMs"] / 1_000)
    sys.stdout.flush()
    sys.stderr.flush()
    characters = run["outputCharacters"]
    out, err = (stream.take() for stream in streams)
    results, results_path = cut_output("results", results, characters)
    cut_out, out_path = cut_output("stdout", out, characters)
    cut_err, err_path = cut_output("stderr", err, characters)
    problems += mount.store()
    return {
        "results": results,
        "stdout": cut_out,
        "stderr": "\n".join(text for text in (cut_err, *problems) if text),
        "error": error[-characters:],
        "exitCode": status,
        "stdoutLines": count_lines(out),
        "stderrLines": count_lines(err),
        "resultsPath": results_path,
        "stdoutPath": out_path,
        "stderrPath": err_path,
    }


def main():
    settings = json.loads(sys.argv[1])
    sys.argv = [""]
    limit_resources(settings)
    os.set_inheritable(CHANNEL, False)
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    diagnostics = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    streams = collect_streams()
    connection = Connection(CHANNEL)
    channel = Channel(connection)
    channel.is_open = False
    kernel, source = load_kernel("/run/workbench/kernel.py")
    kernel.start_kernel(channel, settings["brand"], False)
    provide_commands(channel, source, settings["brand"], kernel._helpers, sys.executable)
    os.chdir(HOME)
    runs = queue.SimpleQueue()
    threading.Thread(target=receive_frames, args=(connection, channel, runs), daemon=True).start()
    runner, mount = Runner(kernel), Mount(channel)
    connection.write({"type": "ready", "id": 0})
    while True:
        identifier, run = runs.get()
        channel.is_open = True
        try:
            outcome = perform(run, runner, mount, streams)
        except BaseException:
            os.write(diagnostics, traceback.format_exc()[-3_000:].encode())
            os._exit(1)
        channel.is_open = False
        connection.write({"type": "done", "id": identifier}, json.dumps(outcome).encode())


main()
