import { fork } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConsoleAssets, ConsoleBundle } from '../../features/console/index.ts'
import type { Logger } from '../../platform/log.ts'
import { siblingModule } from '../../platform/module-url.ts'
import { withTimeout } from '../../platform/timeout.ts'
import { ROOT } from '../version.ts'
import { bundleHash, hasBundle, readBundle, writeBundle } from './bundle-folder.ts'

const BUILD_MS_MAX = 120_000
/** Part of the npm package, where `ROOT` is its folder `dist/`. A checkout has none. */
const PACKED = fileURLToPath(new URL('console', ROOT))
const CHILD = fileURLToPath(siblingModule(import.meta.url, 'build.child'))

interface AssetOptions {
  /** Folder of bundles, one for each state of the sources. It may be read-only: then bundles stay in memory. */
  folder: string
  /** Builds again for every page load, for work on the console. */
  isDevelopment?: boolean
  log: Pick<Logger, 'debug' | 'error'>
}

/**
 * Provides the bundle of the console: the packed one, or that of an earlier start, or a new one. Nothing is read or
 * built before the first call, so the console costs no start time; a bundle on disk is read by the first page, so a
 * server whose console nobody opens does not hold it (2 MB).
 */
export function createConsoleAssets(options: AssetOptions): ConsoleAssets {
  const stopped = new AbortController()
  let bundle: Promise<ConsoleBundle> | undefined
  const load = async (): Promise<ConsoleBundle> => {
    const packed = await readBundle(PACKED)
    if (packed) return packed
    const hash = await bundleHash()
    const folder = join(options.folder, hash)
    const existing = await readBundle(folder)
    if (existing) return existing
    const built = await buildInChild(stopped.signal)
    await store(options, hash, built)
    return built
  }
  const start = (): Promise<ConsoleBundle> => {
    if (options.isDevelopment) return buildInChild(stopped.signal)
    bundle ??= load().catch((error: unknown) => {
      bundle = undefined // The next request tries again.
      throw error
    })
    return bundle
  }
  const isOnDisk = async (): Promise<boolean> =>
    (await hasBundle(PACKED)) || (await hasBundle(join(options.folder, await bundleHash())))
  const prepare = async (): Promise<void> => {
    if (options.isDevelopment || !(await isOnDisk())) await start()
  }
  return {
    get: start,
    prepare() {
      prepare().catch((error: unknown) => {
        if (!stopped.signal.aborted) options.log.error({ err: error }, 'the console could not be built')
      })
    },
    async close() {
      stopped.abort()
      await bundle?.catch(() => {})
    },
  }
}

async function store({ folder, log }: AssetOptions, hash: string, bundle: ConsoleBundle): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await writeBundle(join(folder, hash), bundle)
    for (const name of await readdir(folder))
      if (name !== hash) await rm(join(folder, name), { recursive: true, force: true })
  } catch (error) {
    log.debug({ err: error }, 'the console stays in memory: its folder cannot be written')
  }
}

/** Runs a build in a child process. @throws Error after `BUILD_MS_MAX`, and when the signal fires */
async function buildInChild(signal: AbortSignal): Promise<ConsoleBundle> {
  signal.throwIfAborted()
  const child = fork(CHILD, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const errors: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk))
  const result = new Promise<ConsoleBundle>((resolve, reject) => {
    child.on('message', (message) => resolve(message as ConsoleBundle))
    child.on('error', reject)
    child.on('close', (code) =>
      reject(new Error(`The build of the console failed (${code}): ${Buffer.concat(errors).toString()}`)),
    )
  })
  try {
    const bundle = await withTimeout(result, BUILD_MS_MAX)
    if (!bundle) throw new Error(`The build of the console took longer than ${BUILD_MS_MAX / 1_000} s.`)
    return bundle
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
