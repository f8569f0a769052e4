/**
 * One attempt of code in a sandbox to leave it. Python: the cell prints `ESCAPED` if the attempt worked. Bash: the
 * same. `ends`: the attempt may end the sandbox, on every driver or these; the next call must work. `isNormal`: drivers
 * on which this is no escape, because code has processes and native libraries of its own there.
 */
export interface EscapeAttempt {
  readonly name: string
  readonly kind: 'python' | 'bash'
  readonly code: string
  readonly ends?: true | readonly DriverName[]
  readonly isNormal?: readonly DriverName[]
}
export type DriverName = 'wasm' | 'bubblewrap' | 'remote'

export const python = (name: string, code: string): EscapeAttempt => ({ name, kind: 'python', code })
export const bash = (name: string, code: string): EscapeAttempt => ({ name, kind: 'bash', code })

/** Processes and native code are part of this driver. */
const NATIVE: { readonly isNormal: readonly DriverName[] } = { isNormal: ['bubblewrap'] }

/** An expression is true if it worked; an exception is a failure of the attempt. */
const works = (name: string, expression: string, before = ''): EscapeAttempt =>
  python(
    name,
    `${before}\ntry:\n    worked = ${expression}\nexcept BaseException as problem:\n    worked = False\nprint("ESCAPED" if worked else "confined")`,
  )

/** `SECRET_PATH` and `PORT` are replaced by a file of this machine and a port on which the test listens. */
export const ESCAPE_ATTEMPTS: readonly EscapeAttempt[] = [
  // Files of the machine
  works('file: a secret of the machine', 'open("SECRET_PATH").read()'),
  works('file: /etc/passwd', '"root:" in open("/etc/passwd").read()'),
  works('file: path traversal', 'open("/mnt/files/../../SECRET_PATH").read()'),
  works(
    'file: a link to the machine',
    'open("/tmp/l1").read()',
    'import os; os.path.lexists("/tmp/l1") or os.symlink("SECRET_PATH", "/tmp/l1")',
  ),
  works(
    'file: a link in the mount',
    'open("/mnt/files/l2").read()',
    'import os; os.path.lexists("/mnt/files/l2") or os.symlink("SECRET_PATH", "/mnt/files/l2")',
  ),
  works('file: os.open', 'os.read(os.open("SECRET_PATH", os.O_RDONLY), 10)', 'import os'),
  works(
    'file: write outside',
    'os.path.exists("SECRET_PATH")',
    'import os\ntry: open("SECRET_PATH.new", "w").write("x")\nexcept OSError: pass',
  ),
  works(
    'file: package folder of the server',
    '[p for p in ("/work", "/root", "/app", "/usr/src") if os.path.exists(p)]',
    'import os',
  ),
  works(
    'file: search of the root',
    '[name for _, _, names in os.walk("/") for name in names if name == "encryption.keys"]',
    'import os',
  ),
  works('file: mmap of memory', 'mmap.mmap(os.open("/dev/mem", os.O_RDONLY), 10)', 'import mmap, os'),
  works(
    'file: ZIP entry with ..',
    'os.path.exists("SECRET_PATH") or open("/etc/evil").read()',
    'import io, os, zipfile\nb = io.BytesIO()\nwith zipfile.ZipFile(b, "w") as z: z.writestr("../../../../etc/evil2", "x")\nzipfile.ZipFile(b).extractall("/tmp/z")',
  ),
  bash('file: cat a secret', 'cat SECRET_PATH && echo ESCAPED'),
  bash('file: /etc/shadow', 'grep -q root /etc/shadow && echo ESCAPED'),
  bash('file: link and read', 'ln -s SECRET_PATH /tmp/l3; cat /tmp/l3 && echo ESCAPED'),
  bash('file: find on the machine', 'find / -name encryption.keys | grep -q keys && echo ESCAPED'),
  bash('file: source of a secret', '. SECRET_PATH && echo ESCAPED'),
  bash('file: redirect into a device', 'test -e /dev/sda && echo ESCAPED'),
  // /proc and the environment
  works('/proc: environment of the server', 'open("/proc/1/environ").read()'),
  works(
    '/proc: own environment',
    '{line.split("=")[0] for line in open("/proc/self/environ").read().split("\\0") if line} - {"HOME", "PWD"}',
  ),
  { ...works('/proc: processes', '[n for n in os.listdir("/proc") if n.isdigit()]', 'import os'), ...NATIVE },
  works('/proc: memory', 'open("/proc/self/mem", "rb").read(1)'),
  works('/proc: open files', 'not os.readlink("/proc/self/fd/0").startswith("/dev/")', 'import os'),
  works(
    'environment: names of secrets',
    '[n for n in os.environ if "KEY" in n or "SECRET" in n or "DATABASE" in n or "PLANTED" in n]',
    'import os',
  ),
  works(
    'environment: posix.environ',
    '[n for n in posix.environ if b"PLANTED" in n or b"DATABASE" in n]',
    'import posix',
  ),
  works(
    'environment: of C',
    '"planted" in str(__import__("_posixsubprocess") and __import__("os").getenv("PLANTED_SECRET", ""))',
  ),
  bash('environment: env', 'env | grep -q -i -e planted -e database -e secret && echo ESCAPED'),
  { ...bash('environment: of a process', 'cat /proc/self/environ && echo ESCAPED'), ...NATIVE },
  bash(
    'environment: secrets of a process',
    "tr '\\0' '\\n' < /proc/self/environ | grep -q -i -e planted -e database -e encryption && echo ESCAPED",
  ),
  bash('environment: indirect expansion', 'n=PLANTED_SECRET; test -n "${!n}" && echo ESCAPED'),
  // Sockets and DNS
  works('socket: connect', '[socket.socket().connect(("127.0.0.1", PORT))]', 'import socket'),
  works('socket: raw class', '[_socket.socket().connect(("127.0.0.1", PORT))]', 'import _socket'),
  works('socket: connect_ex', '_socket.socket().connect_ex(("127.0.0.1", PORT)) == 0', 'import _socket'),
  works(
    'socket: sendto',
    '_socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT)) == 1',
    'import _socket',
  ),
  works('socket: listen', '_socket.socket().bind(("0.0.0.0", 0)) is None', 'import _socket'),
  works('socket: UNIX', '[_socket.socket(1, 1).connect("/var/run/docker.sock")]', 'import _socket'),
  works('socket: DNS', '_socket.getaddrinfo("example.com", 80)', 'import _socket'),
  works('socket: gethostbyname', 'socket.gethostbyname("example.com")', 'import socket'),
  works(
    'socket: urllib',
    'urllib.request.urlopen("http://127.0.0.1:PORT/", timeout=1).read()',
    'import urllib.request',
  ),
  works(
    'socket: http.client',
    'http.client.HTTPConnection("127.0.0.1", PORT, timeout=1).request("GET", "/") or True',
    'import http.client',
  ),
  works('socket: pyodide.http', '[pyodide.http.open_url("http://127.0.0.1:PORT/")]', 'import pyodide.http'),
  works(
    'socket: metadata service',
    'urllib.request.urlopen("http://169.254.169.254/", timeout=1)',
    'import urllib.request',
  ),
  bash('socket: curl', 'curl -s http://127.0.0.1:PORT/ && echo ESCAPED'),
  bash(
    'socket: /dev/tcp',
    '(echo x > /dev/tcp/127.0.0.1/PORT) 2>/dev/null && test ! -f /dev/tcp/127.0.0.1/PORT && echo ESCAPED',
  ),
  bash('socket: nc and wget', '(nc 127.0.0.1 PORT || wget http://127.0.0.1:PORT/) && echo ESCAPED'),
  // Processes and native code
  { ...works('process: os.system', 'os.system("true") == 0', 'import os'), ...NATIVE },
  {
    ...works('process: subprocess', 'subprocess.run(["true"]).returncode == 0', 'import subprocess'),
    ...NATIVE,
  },
  { ...works('process: posix_spawn', 'os.posix_spawn("/bin/true", ["true"], {})', 'import os'), ...NATIVE },
  { ...works('process: fork', 'os.fork()', 'import os'), ...NATIVE },
  {
    ...works(
      'process: kill the server',
      'os.kill(os.getppid(), 9) is None and False or os.kill(1, 0) is None',
      'import os',
    ),
    ...NATIVE,
  },
  {
    ...works('process: ctypes system()', 'ctypes.CDLL(None).system(b"true") == 0', 'import ctypes'),
    ...NATIVE,
  },
  {
    ...works('process: ctypes library of the machine', 'ctypes.CDLL("libc.so.6").getpid()', 'import ctypes'),
    ...NATIVE,
  },
  {
    ...works(
      'process: multiprocessing',
      'multiprocessing.Process(target=print).start() is None',
      'import multiprocessing',
    ),
    ...NATIVE,
  },
  works(
    'process: native extension',
    '[importlib.machinery.ExtensionFileLoader("x", "/tmp/x.so").create_module(importlib.machinery.ModuleSpec("x", None, origin="/tmp/x.so"))]',
    'import importlib.machinery\nopen("/tmp/x.so", "wb").write(b"\\0asm\\1\\0\\0\\0")',
  ),
  { ...works('process: pip', '__import__("pip")'), ...NATIVE },
  { ...bash('process: a program of the machine', '/usr/bin/id && echo ESCAPED'), ...NATIVE },
  { ...bash('process: node', '(node -e 1 || js-exec -c 1) && echo ESCAPED'), ...NATIVE },
  bash('process: kill', 'kill -9 $PPID && echo ESCAPED'),
  bash(
    'process: mount and chroot',
    '(mount -t proc proc /mnt || chroot / true || unshare true) && echo ESCAPED',
  ),
  bash('process: sudo', '(sudo true || su -c true) && echo ESCAPED'),
  // The bridge
  works('bridge: js module', '__import__("js").process'),
  works('bridge: globalThis', '__import__("js").globalThis'),
  works('bridge: fetch', '__import__("js").fetch("http://127.0.0.1:PORT/")'),
  works('bridge: pyodide_js', '__import__("pyodide_js")._api'),
  works('bridge: run_js', '__import__("pyodide.code", fromlist=["run_js"]).run_js("1+1") == 2'),
  works('bridge: NODEFS', '__import__("pyodide_js").FS.mount'),
  works(
    'bridge: Function constructor',
    'find()("return process")()',
    'import gc, pyodide.ffi\ndef find():\n    return next(o for o in gc.get_objects() if isinstance(o, pyodide.ffi.JsProxy)).constructor.constructor',
  ),
  works(
    'bridge: prototype of a proxy',
    'pollute()',
    'import gc, pyodide.ffi\ndef pollute():\n    p = next(o for o in gc.get_objects() if isinstance(o, pyodide.ffi.JsProxy))\n    return p.constructor.constructor("return globalThis.process.env")()',
  ),
  works(
    'bridge: create_proxy constructor',
    'pyodide.ffi.to_js([1]).constructor.constructor("return import(\'node:net\')")()',
    'import pyodide.ffi',
  ),
  works(
    'bridge: require from a host object',
    'pyodide.ffi.to_js({}).constructor.constructor.prototype.require',
    'import pyodide.ffi',
  ),
  works(
    'bridge: stack of an error',
    'steal()',
    'import pyodide.ffi\ndef steal():\n    seen = []\n    error = pyodide.ffi.to_js([1])\n    try:\n        error.at.call(None)\n    except pyodide.ffi.JsException as e:\n        Error = e.js_error.constructor\n        Error.prepareStackTrace = pyodide.ffi.create_proxy(lambda err, sites: [seen.append(s.getThis()) for s in sites] and "")\n        try:\n            error.at.call(None)\n        except pyodide.ffi.JsException as again:\n            str(again.js_error.stack)\n    return [s for s in seen if s is not None and (hasattr(s, "process") or hasattr(s, "require"))]',
  ),
  works('bridge: event loop object', 'asyncio.get_event_loop()._js.process', 'import asyncio'),
  works(
    'bridge: __proto__ in arguments',
    '"polluted" in str(run_tool("ECHO", {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}})[0].get("polluted", ""))',
  ),
  bash(
    'bridge: __proto__ variables',
    '__proto__=1; constructor=2; declare -A a; a[__proto__]=x; echo ${toString} | grep -q native && echo ESCAPED',
  ),
  // Helpers
  works(
    'helper: an operation that does not exist',
    'workbench._channel.request("eval", "1+1", None)[1] == ""',
    'import workbench',
  ),
  works(
    'helper: file of another session',
    'workbench._channel.request("mount.read", "../trs_other/secret.txt", b"")[1] == ""',
    'import workbench',
  ),
  works(
    'helper: write outside of the mount',
    'workbench._channel.request("mount.write", "../../evil", b"x")[1] == ""',
    'import workbench',
  ),
  works('helper: meta tool', 'run_tool("SERVICE_REMOTE_WORKBENCH", {"code_to_execute": "1"})[1] == ""'),
  works('helper: a hidden tool', 'run_tool("HIDDEN_TOOL", {})[1] == ""'),
  works(
    'helper: result that defines a tool',
    'run_tool("ECHO", {"tools": [{"slug": "EVIL"}]}) and run_tool("EVIL", {})[1] == ""',
  ),
  works('helper: not JSON', 'run_tool("ECHO", {"a": object()})[1] == ""'),
]
