import { Buffer } from 'node:buffer'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { constants } from 'node:fs'
import module from 'node:module'
import net from 'node:net'
import { hashOf, type LibraryHashes } from './packages.ts'

// The process that runs code of agents has no way out but its channel. Several layers do this, so that an error in one
// of them is no escape: the process starts without environment variables, Node's permission model denies files,
// processes, worker threads and addons, V8 compiles no text (`--disallow-code-generation-from-strings`), and this file
// removes what is left.

/** System calls of the WebAssembly module that are removed. -52 is ENOSYS of Emscripten. */
const REMOVED_IMPORTS =
  /^(_emscripten_system|__syscall_(accept4|bind|connect|getpeername|getsockname|getsockopt|listen|recvfrom|recvmsg|sendmsg|sendto|socket|mknodat)|_maybe_\w+_async|_try_shutdown|getaddrinfo|getnameinfo|getprotobyname|_?emscripten_dlopen_js|emscripten_debugger|emscripten_log_impl_js)$/
const ENOSYS = -52

/** Loads native libraries of Python packages. It is removed where there are none. */
const LOAD_LIBRARY = '_dlopen_js'

type Imports = Record<string, Record<string, unknown>>
/** The part of the WebAssembly API that this file changes. */
interface WebAssemblyApi {
  instantiate(source: object, imports?: Imports): Promise<object>
  Module: new (source: Uint8Array) => object
  Instance: new (module: object, imports?: Imports) => object
}

/**
 * Removes system calls from every WebAssembly module that is instantiated from now on. A native library, which
 * Emscripten loads with `new WebAssembly.Module`, must have one of the hashes.
 */
export function removeSystemCalls(isNative: boolean, libraries: LibraryHashes): void {
  const api = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly
  const { instantiate, Module, Instance } = api
  const checkedImports = (imports: Imports): Imports =>
    Object.fromEntries(
      Object.entries(imports).map(([module, names]) => [
        module,
        // A proxy, because Emscripten adds imports to this object later.
        module === 'env' ? withoutSystemCalls(names, isNative) : names,
      ]),
    )
  const assertAllowed = (source: Uint8Array) => {
    if (isLibrary(source) && !libraries.has(hashOf(source)))
      throw new Error('not a library of an installed package')
  }
  let hasPython = false
  api.instantiate = (source, imports = {}) => {
    if (source instanceof Uint8Array) {
      // Python itself is the first module with the section of a library.
      if (hasPython) assertAllowed(source)
      hasPython ||= isLibrary(source)
    }
    return instantiate(source, checkedImports(imports))
  }
  api.Module = new Proxy(Module, {
    construct(target, [source]: [Uint8Array]) {
      assertAllowed(source)
      return Reflect.construct(target, [source])
    },
  })
  api.Instance = new Proxy(Instance, {
    construct: (target, [module, imports = {}]: [object, Imports?]) =>
      Reflect.construct(target, [module, checkedImports(imports)]),
  })
}

const MODULE_HEADER_BYTES = 8
const DYLINK = 'dylink'

/** Whether the first section is that of dynamic linking; Emscripten rejects a library without it. */
function isLibrary(source: Uint8Array): boolean {
  const start = source.subarray(MODULE_HEADER_BYTES, MODULE_HEADER_BYTES + 2 * DYLINK.length + 2)
  return Buffer.from(start).toString('latin1').includes(DYLINK)
}

const withoutSystemCalls = (names: Record<string, unknown>, isNative: boolean): Record<string, unknown> =>
  new Proxy(names, {
    get: (target, name) =>
      typeof name === 'string' && (REMOVED_IMPORTS.test(name) || (name === LOAD_LIBRARY && !isNative))
        ? () => ENOSYS
        : Reflect.get(target, name),
  })

/** Emscripten reads the flags of files from `process.binding`, which the permission model removes. */
export function provideFileFlags(): void {
  const binding = (name: string) => {
    if (name !== 'constants') throw new Error('not available in the sandbox')
    return { fs: constants }
  }
  Object.assign(process, { binding })
}

/** Members of `process` that reach other processes, native code or modules. */
const PROCESS_MEMBERS = [
  'binding',
  '_linkedBinding',
  '_debugProcess',
  '_debugEnd',
  '_startProfilerIdleNotifier',
  '_stopProfilerIdleNotifier',
  '_kill',
  '_rawDebug',
  'abort',
  'chdir',
  'dlopen',
  'execve',
  'getBuiltinModule',
  'initgroups',
  'kill',
  'loadEnvFile',
  'mainModule',
  'moduleLoadList',
  'permission',
  'report',
  'setegid',
  'seteuid',
  'setgid',
  'setgroups',
  'setSourceMapsEnabled',
  'setuid',
]
const GLOBALS = [
  'BroadcastChannel',
  'CloseEvent',
  'EventSource',
  'MessageChannel',
  'Request',
  'Response',
  'SharedArrayBuffer',
  'WebSocket',
  'fetch',
  'global',
  'localStorage',
  'navigator',
  'sessionStorage',
]

/**
 * Removes everything with which code could leave the process. Call it after all modules are loaded, and before the
 * first code of an agent.
 */
export function harden(): void {
  const deny = () => {
    throw new Error('not available in the sandbox')
  }
  // Every member of the prototypes of handles that opens or uses a connection.
  for (const handle of networkHandles())
    for (const name of Object.getOwnPropertyNames(handle))
      if (/^(connect|bind|listen|open|send|query|resolve|getHostByAddr)/.test(name))
        Object.defineProperty(handle, name, { value: deny, configurable: false, writable: false })
  for (const api of [net, dgram, dns, dns.promises])
    for (const name of Object.keys(api))
      if (typeof (api as unknown as Record<string, unknown>)[name] === 'function')
        Object.defineProperty(api, name, { value: deny, configurable: false, writable: false })
  module.registerHooks({ resolve: deny, load: deny })
  for (const name of PROCESS_MEMBERS) Reflect.deleteProperty(process, name)
  for (const name of GLOBALS) Reflect.deleteProperty(globalThis, name)
  // Node itself reads variables when it prints an error.
  Object.defineProperty(process, 'env', { value: Object.freeze({}), configurable: false })
  Reflect.deleteProperty(globalThis, 'process')
}

/** The native objects below sockets. Opening one for a moment is the only way to their prototypes. */
function networkHandles(): object[] {
  const tcp = new net.Socket()
  // An invalid port opens no connection; the handle is created before.
  tcp.on('error', () => {})
  tcp.connect({ host: '127.0.0.1', port: 9, lookup: () => {} })
  const pipe = new net.Socket()
  pipe.on('error', () => {})
  const udp = dgram.createSocket('udp4')
  const resolver = new dns.Resolver()
  const state = Object.getOwnPropertySymbols(udp)
    .map((symbol) => (udp as unknown as Record<symbol, { handle?: object } | undefined>)[symbol])
    .find((value) => value?.handle)
  const handles = [
    (tcp as unknown as { _handle?: object })._handle,
    state?.handle,
    (resolver as unknown as { _handle?: object })._handle,
  ].flatMap((handle) => (handle ? [Object.getPrototypeOf(handle) as object] : []))
  tcp.destroy()
  pipe.destroy()
  udp.close()
  return handles
}
