"""The kernel of the workbench: runs cells, and gives them the helpers. Every driver with Python runs this file."""

import ast
import builtins
import concurrent.futures
import io
import json
import linecache
import mimetypes
import os
import sys
import traceback
import zipfile

OUTPUT_CHARACTERS_MAX = 10_000_000
MODEL_CHARACTERS_MAX = 200_000
CALLS_MAX = 1_000
TIMED_OUT = "TimeoutError: the cell ran longer than its time limit. Its variables are kept."

_channel = None
_namespace = {"__name__": "__main__", "__builtins__": builtins}
_cells = 0


# Helpers. Each returns the pair (result, error); error is an empty string after success.


def _request(operation, arguments, body=None):
    """Requests an operation of the server. Returns (reply, error)."""
    try:
        text = json.dumps(arguments)
    except (TypeError, ValueError) as problem:
        return None, f"The arguments are not JSON: {problem}"
    return _channel.request(operation, text, body)


def _json_request(operation, arguments):
    reply, error = _request(operation, arguments)
    return (None, error) if error else (json.loads(reply), "")


def run_tool(slug, arguments=None, account=None):
    """Runs a tool of the session. Returns ({"data": …}, error)."""
    return _json_request("tool", {"slug": slug, "arguments": arguments or {}, "account": account})


def run_tools(calls):
    """Runs tools in parallel. `calls`: pairs (slug, arguments). Returns a list of pairs (result, error), in order."""
    calls = list(calls)
    if len(calls) > CALLS_MAX:
        return [(None, f"run_tools runs at most {CALLS_MAX} calls at once.")] * len(calls)
    with concurrent.futures.ThreadPoolExecutor(max_workers=50) as pool:
        return list(pool.map(lambda call: run_tool(*call), calls))


def proxy_execute(method, endpoint, toolkit, query_params=None, body=None, headers=None):
    """Sends a request to the API of a toolkit with the user's account. Returns (data of the response, error)."""
    return _json_request(
        "proxy",
        {
            "method": method,
            "endpoint": endpoint,
            "toolkit": toolkit,
            "query_params": query_params or {},
            "body": body,
            "headers": headers or {},
        },
    )


def invoke_llm(query, reasoning_effort="low"):
    """Sends a prompt to the configured language model. Returns (text, error)."""
    if not isinstance(query, str) or len(query) > MODEL_CHARACTERS_MAX:
        return None, f"query must be a text of at most {MODEL_CHARACTERS_MAX} characters."
    return _json_request("model", {"query": query, "reasoning_effort": reasoning_effort})


def web_search(query):
    """Searches the web. Returns (text, error)."""
    return _json_request("search", {"query": query})


def upload_local_file(*paths):
    """Uploads a file, or several as one ZIP file, for arguments of tools. Returns ({"s3key": …, "s3_url": …}, error)."""
    if not paths:
        return None, "Name at least one path."
    try:
        if len(paths) == 1:
            name = os.path.basename(paths[0])
            with open(paths[0], "rb") as file:
                content = file.read()
        else:
            name, buffer = "files.zip", io.BytesIO()
            with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
                for path in paths:
                    archive.write(path, os.path.basename(path))
            content = buffer.getvalue()
    except OSError as problem:
        return None, str(problem)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    reply, error = _request("upload", {"name": name, "mimetype": kind}, content)
    return (None, error) if error else (json.loads(reply), "")


def read_result(path):
    """Reads a result that was stored in a file because of its size. Returns (value, error)."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file), ""
    except (OSError, ValueError) as problem:
        return None, str(problem)


def smart_file_extract(path, show_preview=True):
    """Extracts the text of a document: text, CSV, JSON, HTML, and the XML formats of Office. Returns (text, error)."""
    try:
        with open(path, "rb") as file:
            content = file.read()
        text = _document_text(content)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as problem:
        return None, f"{path}: {problem}"
    if show_preview:
        print(text[:1000])
    return text, ""


def _document_text(content):
    if content[:4] != b"PK\x03\x04":
        if b"\0" in content[:1000]:
            raise ValueError("this binary format is not supported")
        return content.decode("utf-8", "replace")
    import xml.etree.ElementTree as xml

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [n for n in archive.namelist() if n.startswith(("word/document", "ppt/slides/slide", "xl/shared", "xl/worksheets/sheet"))]
        if not names:
            raise ValueError("this archive is no Office document")
        return "\n".join(" ".join(xml.fromstring(archive.read(name)).itertext()) for name in sorted(names))


# Threads. WebAssembly has none, so executors run calls on stacks of their own, which switch when a helper waits.


class StackExecutor(concurrent.futures.Executor):
    """Runs calls concurrently while they wait for helpers."""

    def __init__(self, max_workers=None, *_ignored, **_names):
        self._max = max_workers or 32
        self._running = []

    def submit(self, function, /, *args, **names):
        future = concurrent.futures.Future()
        self._running = [promise for promise in self._running if not promise.done]
        if len(self._running) >= self._max:
            self._running[0].wait()

        def work():
            try:
                future.set_result(function(*args, **names))
            except BaseException as problem:
                future.set_exception(problem)

        stack = _channel.start(work)
        self._running.append(stack)
        read = future.result
        future.result = lambda timeout=None: (stack.wait(), read(0))[1]
        return future

    def map(self, function, *iterables, timeout=None, chunksize=1, **_names):
        futures = [self.submit(function, *args) for args in zip(*iterables)]
        return (future.result() for future in futures)

    def shutdown(self, wait=True, *, cancel_futures=False):
        for stack in self._running if wait else ():
            stack.wait()


def _as_completed(futures, timeout=None):
    for future in list(futures):
        try:
            future.result()
        except BaseException:
            pass
        yield future


# Cells.


async def run_cell(code):
    """Runs a cell. Returns JSON: results, and error with the traceback."""
    global _cells
    _cells += 1
    name = f"<cell {_cells}>"
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    results = error = ""
    try:
        value = await _execute(code, name)
        if value is not None:
            _namespace["_"] = value
            results = _text(value)
    except SystemExit as stop:
        error = "" if stop.code in (None, 0) else f"SystemExit: {stop.code}"
    except KeyboardInterrupt:
        error = TIMED_OUT
    except BaseException as problem:
        error = _traceback(problem)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return json.dumps({"results": results, "error": error})


async def _execute(code, name):
    tree = ast.parse(code, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    value = eval(compile(tree, name, "exec", flags), _namespace)
    if value is not None:
        await value
    if last is None:
        return None
    value = eval(compile(last, name, "eval", flags), _namespace)
    return await value if hasattr(value, "cr_await") else value


def _text(value):
    try:
        text = value if isinstance(value, str) else repr(value)
    except BaseException as problem:
        text = f"<the value has no text: {type(problem).__name__}>"
    return text[:OUTPUT_CHARACTERS_MAX]


def _traceback(problem):
    """The traceback from the first frame of a cell on."""
    at = problem.__traceback__
    while at is not None and not at.tb_frame.f_code.co_filename.startswith("<cell"):
        at = at.tb_next
    return "".join(traceback.format_exception(type(problem), problem, at))[-20_000:]


def run_script(source, name, arguments, stdin):
    """Runs a script for the `python3` command of the shell. Returns its exit status."""
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = [name, *json.loads(arguments)], io.StringIO(stdin)
    try:
        exec(compile(source, name, "exec"), {"__name__": "__main__", "__file__": name, **_helpers})
        return 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except KeyboardInterrupt:
        return 124
    except BaseException as problem:
        traceback.print_exception(problem)
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.argv, sys.stdin = before


# Recipes.


def check_recipe(arguments):
    """Returns the error of the syntax of a recipe, or an empty text."""
    try:
        compile(json.loads(arguments)["source"], "<recipe>", "exec")
    except (SyntaxError, ValueError) as problem:
        return f"recipe_code is not valid Python: {problem}"
    return ""


def run_recipe(arguments):
    """Runs a recipe in a namespace of its own. Steps that an earlier run completed return their value. Returns JSON."""
    given = json.loads(arguments)
    source, completed = given["source"], dict(given["steps"])
    failed = error = None

    def step(name, function, *args, **names):
        nonlocal failed
        if name in completed:
            return completed[name]
        failed = name
        value = function(*args, **names)
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str):
            value, problem = value
            if problem:
                raise RuntimeError(problem)
        completed[name] = json.loads(json.dumps(value))
        failed = None
        return completed[name]

    namespace = {"__name__": "__main__", **_helpers, "inputs": given["inputs"], "step": step}
    linecache.cache["<recipe>"] = (len(source), None, source.splitlines(True), "<recipe>")
    try:
        exec(compile(source, "<recipe>", "exec"), namespace)
        output = json.loads(json.dumps(namespace.get("output")))
    except KeyboardInterrupt:
        output, error = None, TIMED_OUT
    except BaseException as problem:
        output, error = None, _recipe_error(problem, failed)
    if error is None:
        return json.dumps({"error": "", "output": output})
    return json.dumps({"error": error, "failed_step": failed, "completed": completed})


def _recipe_error(problem, failed):
    at = f' at step "{failed}"' if failed else ""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == "<recipe>"]
    line = f" (line {lines[-1]})" if lines else ""
    return f"Stopped{at}{line}: {type(problem).__name__}: {problem}"[:4_000]


_helpers = {}


def start_kernel(channel, brand, without_threads):
    """Connects the kernel to its channel, and defines the helpers in the namespace of cells."""
    global _channel
    _channel = channel
    _helpers.update(
        {
            "run_tool": run_tool,
            "run_tools": run_tools,
            f"run_{brand}_tool": run_tool,
            f"run_{brand}_tools": run_tools,
            "proxy_execute": proxy_execute,
            "invoke_llm": invoke_llm,
            "web_search": web_search,
            "upload_local_file": upload_local_file,
            "read_result": read_result,
            "smart_file_extract": smart_file_extract,
        }
    )
    _namespace.update(_helpers)
    if without_threads:
        from concurrent.futures import thread

        thread.ThreadPoolExecutor = concurrent.futures.ThreadPoolExecutor = StackExecutor
        concurrent.futures.as_completed = _as_completed
