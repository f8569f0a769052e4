import { Buffer } from 'node:buffer'
import type { WheelPackage } from '../packages.ts'
import type { Channel } from './channel.ts'
import type { EmscriptenFs } from './emscripten.ts'
import { createPackages, type LibraryHashes } from './packages.ts'

/** The parts of Pyodide that the sandbox uses. */
export interface Pyodide {
  readonly FS: EmscriptenFs
  readonly globals: { get(name: string): PythonObject }
  runPython(code: string, options?: { globals?: PythonObject; filename?: string }): unknown
  registerJsModule(name: string, module: object): void
  unregisterJsModule(name: string): void
  setInterruptBuffer(buffer: object): void
  setStdout(options: { write(bytes: Uint8Array): number }): void
  setStderr(options: { write(bytes: Uint8Array): number }): void
  setStdin(options: { stdin(): null }): void
  makeMemorySnapshot(): Uint8Array
}
interface PythonObject {
  (...args: unknown[]): unknown
  get(name: string): PythonFunction
  callPromising(...args: unknown[]): Promise<unknown>
}
type PythonFunction = PythonObject

/** Where output of Python goes at the moment. */
export interface OutputTarget {
  stdout(bytes: Uint8Array): void
  stderr(bytes: Uint8Array): void
}

const SIGINT = 2

interface KernelOptions {
  /** The code of `kernel.py`. */
  readonly source: string
  readonly brand: string
  readonly packages: readonly WheelPackage[]
  readonly libraries: LibraryHashes
}
const SITE_PACKAGES = "__import__('sysconfig').get_path('purelib')"

/** The Python kernel of the sandbox. */
export function createKernel(pyodide: Pyodide, channel: Channel, options: KernelOptions) {
  let target: OutputTarget = { stdout: () => {}, stderr: () => {} }
  let deadline = Infinity
  // Python reads element 0 at short intervals: 2 is SIGINT, which raises KeyboardInterrupt. So an endless loop ends at
  // its time limit, and the kernel keeps its variables.
  pyodide.setInterruptBuffer({
    get 0() {
      if (Date.now() < deadline) return 0
      deadline = Infinity
      return SIGINT
    },
    set 0(_value: number) {},
  })
  const write = (stream: 'stdout' | 'stderr') => ({
    write(bytes: Uint8Array) {
      target[stream](bytes)
      return bytes.length
    },
  })
  pyodide.setStdout(write('stdout'))
  pyodide.setStderr(write('stderr'))
  pyodide.setStdin({ stdin: () => null })
  const { runCell, runScript } = startKernel(pyodide, channel, options)
  return {
    /** Runs a cell. @throws if Python itself failed */
    async runCell(code: string, until: number, output: OutputTarget) {
      target = output
      deadline = until
      try {
        const json = (await runCell(code)) as string
        return JSON.parse(json) as { results: string; error: string }
      } finally {
        deadline = Infinity
      }
    },
    /** Runs a script for the `python3` command of bash. */
    async runScript(
      script: { source: string; name: string; args: readonly string[]; stdin: string },
      until: number,
      output: OutputTarget,
    ): Promise<number> {
      const before = target
      target = output
      deadline = until
      try {
        const { source: text, name, args, stdin } = script
        return (await runScript.callPromising(text, name, JSON.stringify(args), stdin)) as number
      } finally {
        deadline = Infinity
        target = before
      }
    },
  }
}

/** Runs `kernel.py` in Python, and removes from Python what code must not reach. */
function startKernel(
  pyodide: Pyodide,
  channel: Channel,
  { source, brand, packages, libraries }: KernelOptions,
) {
  const folder = pyodide.runPython(SITE_PACKAGES) as string
  const provide = createPackages(pyodide.FS, folder, packages, libraries)
  pyodide.registerJsModule('_sandbox_channel', { ...pythonChannel(channel), provide })
  pyodide.runPython(CONNECT.replace('SOURCE', JSON.stringify(source)).replace('BRAND', JSON.stringify(brand)))
  const kernel = pyodide.globals.get('_kernel_namespace')
  const functions = { runCell: kernel.get('run_cell'), runScript: kernel.get('run_script') }
  removeModules(
    pyodide,
    packages.some(({ isNative }) => isNative),
  )
  return functions
}

export type Kernel = ReturnType<typeof createKernel>

const CONNECT = `
def _connect():
    import importlib, json, sys, types
    import _sandbox_channel as js
    from pyodide.ffi import run_sync, to_js
    module = types.ModuleType("workbench")
    exec(compile(SOURCE, "<workbench>", "exec"), module.__dict__)
    sys.modules["workbench"] = module
    class Stack:
        def __init__(self, work):
            self.done = False
            def run():
                try:
                    work()
                finally:
                    self.done = True
            self._promise = js.promising(run)
        def wait(self):
            if not self.done:
                run_sync(self._promise)
    class Channel:
        start = Stack
        @staticmethod
        def request(operation, text, body):
            reply = run_sync(js.request(operation, text, None if body is None else to_js(body)))
            return (None, reply[0]) if reply[0] else (reply[1], "")
    module.start_kernel(Channel, BRAND, True)
    class PackageFinder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if path is None and js.provide(name):
                importlib.invalidate_caches()
    sys.meta_path.insert(0, PackageFinder)
    return module.__dict__
_kernel_namespace = _connect()
del _connect
`

/** The JavaScript functions that Python gets. Values are texts and bytes only. */
const pythonChannel = (channel: Channel) => ({
  async request(operation: string, text: string, bytes: Uint8Array | null) {
    const isUpload = bytes !== null && bytes !== undefined
    const reply = await channel.request(
      String(operation),
      isUpload ? String(text) : '',
      isUpload ? Buffer.from(bytes) : Buffer.from(String(text)),
    )
    return [reply.error ?? '', Buffer.from(reply.body).toString()]
  },
  promising: (work: { callPromising(): Promise<unknown>; copy(): typeof work }) =>
    work.copy().callPromising(),
})

/** Removes modules that lead from Python to JavaScript, and operating-system calls that cannot work. */
function removeModules(pyodide: Pyodide, isNative: boolean): void {
  for (const name of ['pyodide_js', 'js', '_sandbox_channel']) pyodide.unregisterJsModule(name)
  pyodide.runPython(`
def _remove():
    import os, sys, posix, socket
    for name in list(sys.modules):
        if name.split('.')[0] in ('js', 'pyodide_js', '_sandbox_channel'):
            del sys.modules[name]
    def deny(*args, **names):
        raise PermissionError("not available in the sandbox")
    for module in (os, posix):
        for name in ('system', 'popen', 'fork', 'forkpty', 'kill', 'killpg', 'execv', 'execve',
             'posix_spawn', 'posix_spawnp'):
            if hasattr(module, name):
                setattr(module, name, deny)
    import _ctypes, _imp, _posixsubprocess
    _ctypes.dlopen = _posixsubprocess.fork_exec = deny
    if ${isNative ? 'True' : 'False'}:
        # Native packages import ctypes, which opens the program itself. None is no handle: nothing can be looked up.
        _ctypes.dlopen = lambda name, mode=0: None if name is None else deny()
    else:
        _imp.create_dynamic = deny
    socket.socket.connect = socket.create_connection = socket.getaddrinfo = deny
    os.environ.clear()
    os.environ.update(HOME='/home/user', USER='user', PATH='/usr/bin:/bin', LANG='en_US.UTF-8', PYTHONUTF8='1',
        MPLBACKEND='agg')
_remove()
del _remove, _kernel_namespace
`)
}
