import { mkdirSync } from 'node:fs'
import type { TestContext } from 'node:test'
import {
  createRemoteDriver,
  createWasmDriver,
  type SandboxDriver,
  type SandboxHost,
  type SandboxOutcome,
} from '../../src/sandbox/index.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { CACHE_DIR } from '../fixtures/shared-cache.ts'
import { bubblewrapDriver, bubblewrapSkipReason } from './bubblewrap.ts'
import type { DriverName, EscapeAttempt } from './escape-attempts.ts'
import { remoteService } from './remote-service.ts'

/** A folder that test files share, so that the image of Python is created once. */
export function sandboxCache(): string {
  mkdirSync(CACHE_DIR, { recursive: true, mode: 0o700 })
  return CACHE_DIR
}

const LIMITS = {
  brand: 'service',
  fileBytesMax: 50_000_000,
  diskBytesMax: 100_000_000,
  cpuSecondsMax: 300,
} as const

const wasmDriver = (): SandboxDriver => createWasmDriver({ ...LIMITS, cacheDir: sandboxCache() })

/** The driver of a sandbox service that runs in this process. */
export async function remoteDriver(t: TestContext, sandboxes: SandboxDriver = wasmDriver()) {
  const service = await remoteService(t, sandboxes)
  const { url, token } = service
  const driver = createRemoteDriver({ ...LIMITS, url, token, idleMs: 60_000 })
  t.after(() => driver.close())
  return { driver, service }
}

const closedAfter = (t: TestContext, driver: SandboxDriver): SandboxDriver => {
  t.after(() => driver.close())
  return driver
}

/** Every driver. `skip`: why this machine cannot run it. */
export const TEST_DRIVERS: readonly [
  name: DriverName,
  skip: string | undefined,
  create: (t: TestContext) => Promise<SandboxDriver>,
][] = [
  ['wasm', undefined, async (t) => closedAfter(t, wasmDriver())],
  ['bubblewrap', bubblewrapSkipReason(), async (t) => closedAfter(t, bubblewrapDriver(LIMITS))],
  ['remote', undefined, async (t) => (await remoteDriver(t)).driver],
]

export interface TestHost {
  (...call: Parameters<SandboxHost>): ReturnType<SandboxHost>
  readonly operations: { op: string; text: string }[]
  readonly files: Map<string, Buffer>
}

/** A host with a tool ECHO, and files in memory. */
export function createTestHost(): TestHost {
  const operations: TestHost['operations'] = []
  const files: TestHost['files'] = new Map()
  const host: SandboxHost = async (op, text, body) => {
    operations.push({ op, text })
    const json = () => JSON.parse(Buffer.from(body).toString()) as { slug: string; arguments: object }
    if (op === 'mount.read') return { body: files.get(text) ?? Buffer.alloc(0) }
    if (op === 'mount.write') files.set(text, Buffer.from(body))
    if (op === 'mount.remove') files.delete(text)
    if (op.startsWith('mount.')) return { text: String(operations.length) }
    if (op !== 'tool') throw new Error(`${op} is not configured.`)
    const { slug, arguments: args } = json()
    if (slug !== 'ECHO') throw new Error(`Tool ${slug} not found in this session`)
    return { body: Buffer.from(JSON.stringify({ data: args })) }
  }
  return Object.assign(host, { operations, files })
}

/** Runs code. The mount has the files of the host. */
export const runIn = (
  sandbox: Sandbox,
  { kind, code }: Pick<EscapeAttempt, 'kind' | 'code' | 'name'>,
  host: TestHost,
  timeoutMs: number,
): Promise<SandboxOutcome> =>
  sandbox.run(
    {
      kind,
      code,
      timeoutMs,
      outputCharacters: 20_000,
      mount: [...host.files].map(([path, bytes]) => ({ path, size: bytes.length, version: 'fixed' })),
      brand: 'service',
    },
    host,
  )
