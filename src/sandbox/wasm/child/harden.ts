import dgram from 'node:dgram'
import dns from 'node:dns'
import { constants } from 'node:fs'
import module from 'node:module'
import net from 'node:net'

// The process that runs code of agents has no way out but its channel. Several layers do this, so that an error in one
// of them is no escape: the process starts without environment variables, Node's permission model denies files,
// processes, worker threads and addons, V8 compiles no text (`--disallow-code-generation-from-strings`), and this file
// removes what is left.

/** System calls of the WebAssembly module that are removed. -52 is ENOSYS of Emscripten. */
const REMOVED_IMPORTS =
  /^(_emscripten_system|__syscall_(accept4|bind|connect|getpeername|getsockname|getsockopt|listen|recvfrom|recvmsg|sendmsg|sendto|socket|mknodat)|_maybe_\w+_async|_try_shutdown|getaddrinfo|getnameinfo|getprotobyname|_?emscripten_dlopen_js|_dlopen_js|emscripten_debugger|emscripten_log_impl_js)$/
const ENOSYS = -52

type Imports = Record<string, Record<string, unknown>>
/** The part of the WebAssembly API that this file changes. */
interface WebAssemblyApi {
  instantiate(source: object, imports?: Imports): Promise<object>
}

/** Removes system calls from every WebAssembly module that is instantiated from now on. */
export function removeSystemCalls(): void {
  const api = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly
  const { instantiate } = api
  api.instantiate = (source, imports = {}) =>
    instantiate(
      source,
      Object.fromEntries(
        Object.entries(imports).map(([module, names]) => [
          module,
          // A proxy, because Emscripten adds imports to this object later.
          module === 'env' ? withoutSystemCalls(names) : names,
        ]),
      ),
    )
}

const withoutSystemCalls = (names: Record<string, unknown>): Record<string, unknown> =>
  new Proxy(names, {
    get: (target, name) =>
      typeof name === 'string' && REMOVED_IMPORTS.test(name) ? () => ENOSYS : Reflect.get(target, name),
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
