import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { TestContext } from 'node:test'
import { type App, createApp, type AppOptions } from '../../src/app.ts'
import { type Catalog, loadCatalog } from '../../src/catalog/index.ts'
import { bootstrap, type FirstKeys } from '../../src/features/projects/index.ts'
import { keyRingFrom, type Sealer, sealer } from '../../src/platform/crypto/index.ts'
import { createEgress, parseAllowRules } from '../../src/platform/egress/index.ts'
import { createLog } from '../../src/platform/log.ts'
import { client, type Client } from './client.ts'
import { clonedDatabase } from './clone.ts'
import { temporaryCache, temporaryFiles } from './files.ts'

export interface TestClock {
  now(): number
  advance(ms: number): void
}

export interface TestApp {
  app: App
  keys: FirstKeys
  clock: TestClock
  databaseUrl: string
  sealer: Sealer
  /** Calls with the key of the first project. */
  call: Client
  /** Calls with the organization's key. */
  org: Client
  /** Calls with any headers. */
  as(headers: Record<string, string>, version?: 'v3' | 'v3.1'): Client
  /** A further project and calls with its key. */
  otherProject(): Promise<Client>
}

let builtIn: Promise<Catalog> | undefined
const builtInCatalog = () =>
  (builtIn ??= loadCatalog({ folder: fileURLToPath(new URL('../../toolkits', import.meta.url)) }))

/** The real application on a database of its own; requests are injected. Gone when the test ends. */
export async function testApp(
  t: TestContext,
  {
    beside,
    ...options
  }: Partial<AppOptions> & {
    version31?: boolean
    /** Another server on the database of this one. */ beside?: TestApp
  } = {},
): Promise<TestApp> {
  const databaseUrl = beside?.databaseUrl ?? (await clonedDatabase(t))
  let offset = 0
  const clock: TestClock = {
    now: () => Date.now() + offset,
    advance(ms) {
      offset += ms
    },
  }
  // Nobody waits in a test: the clock goes on instead.
  const wait = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    clock.advance(ms)
  }
  const seal =
    options.sealer ?? beside?.sealer ?? sealer(keyRingFrom(`test:${randomBytes(32).toString('base64')}`))
  const app = await createApp({
    databaseUrl,
    databasePoolMax: 4,
    publicUrl: 'http://localhost:3900',
    wireBrand: 'service',
    rateLimitPerMinute: 1_000_000,
    logRetentionDays: 30,
    catalog: options.catalog ?? (await builtInCatalog()),
    sealer: seal,
    egress: createEgress({ allow: parseAllowRules('127.0.0.0/8,[::1]') }),
    files: temporaryFiles(t),
    cacheDir: temporaryCache(t),
    clock,
    wait,
    log: createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent'),
    version: '0.0.0-test',
    ...options,
  })
  t.after(() => app.close())
  const keys = beside?.keys ?? ((await bootstrap(app.db, seal, {})) as FirstKeys)
  const as: TestApp['as'] = (headers, version) => client(app.http, headers, version)
  const call = as({ 'x-api-key': keys.projectApiKey })
  const org = as({ 'x-org-api-key': keys.organizationApiKey })
  return {
    app,
    keys,
    clock,
    databaseUrl,
    sealer: seal,
    call,
    org,
    as,
    async otherProject() {
      const reply = await app.http.inject({
        method: 'POST',
        url: '/api/v3/org/owner/project/new',
        headers: { 'x-org-api-key': keys.organizationApiKey },
        payload: { name: `p-${randomBytes(4).toString('hex')}`, should_create_api_key: true },
      })
      return as({ 'x-api-key': reply.json<{ api_key: string }>().api_key })
    },
  }
}
