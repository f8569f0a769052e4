import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Catalog, letterIcon } from '../../catalog/index.ts'
import type { PartitionState } from '../../platform/db/partitions/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { withTimeout } from '../../platform/timeout.ts'

export { systemStateRoutes } from './state/routes.ts'

/** Work that is due and that no process does yet, and the partitions of tables. */
export interface QueueState {
  jobs: number
  deliveries: number
  partitions: readonly PartitionState[]
}

export interface SystemDeps {
  db: Db
  /** Catalog of the toolkits that every project sees. */
  instance(): Catalog
  metrics: Metrics
  waiting(): Promise<QueueState>
  version: string
  /** The token of /metrics. Undefined: only requests from this machine are answered. */
  metricsToken: string | undefined
  /** Whether X-Forwarded-For of a proxy is used. */
  trustsProxies: boolean
  hasConsole: boolean
  /** Whether the process received a signal to stop. */
  stopping(): boolean
  /** Number of toolkits of TOOLKITS_DIR that are not in use as they are now. */
  invalidToolkits?: (() => number) | undefined
}

/** File name of an icon: a toolkit slug with `.svg`. */
const SVG = /^(_?[a-z0-9][a-z0-9_]{0,39})\.svg$/
const READY_WITHIN_MS = 2_000
/** An SVG is also a document: opened in a browser tab, it must not run scripts. */
const ICON_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** Endpoints for administrators and monitoring. They need no API key and return no secrets. */
export function systemRoutes(app: FastifyInstance, deps: SystemDeps): void {
  rootRoute(app, deps)
  monitoringRoutes(app, deps)
  logoRoute(app, deps)
}

/** The endpoints for probes and Prometheus, which a process with ROLE=work serves too. */
export function monitoringRoutes(app: FastifyInstance, deps: SystemDeps): void {
  healthRoutes(app, deps)
  metricsRoute(app, deps)
}

/** Leads browsers to the console, or to the API reference where there is none; programs receive the URLs. */
function rootRoute(app: FastifyInstance, { hasConsole, version }: SystemDeps): void {
  app.get('/', async (request, reply) => {
    reply.headers({ vary: 'accept', 'cache-control': 'no-cache' })
    const isBrowser = String(request.headers.accept ?? '').includes('text/html')
    if (isBrowser) return reply.redirect(hasConsole ? '/console' : '/reference', 302)
    return reply.send({
      name: 'Patchbay',
      version,
      ...(hasConsole && { console: '/console' }),
      api: '/api/v3.1',
      reference: '/reference',
      openapi: '/openapi.json',
    })
  })
}

/** Returns whether requests have come through a proxy that is not trusted. */
export function watchProxies(app: FastifyInstance, trustsProxies: boolean): () => boolean {
  let hasUntrustedProxy = false
  if (!trustsProxies)
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.headers['x-forwarded-for'] !== undefined) hasUntrustedProxy = true
      done()
    })
  return () => hasUntrustedProxy
}

function healthRoutes(
  app: FastifyInstance,
  { db, instance, metrics, version, trustsProxies, stopping, invalidToolkits = () => 0 }: SystemDeps,
): void {
  const hasUntrustedProxy = watchProxies(app, trustsProxies)
  // Load balancers and monitors send HEAD too. Other routes have none: some pages use up what their URL names.
  const checks = { exposeHeadRoute: true }
  app.get('/healthz', checks, async () => ({
    status: 'ok',
    version,
    uptime_seconds: Math.round(process.uptime()),
  }))

  app.get('/readyz', checks, async (_request, reply) => {
    const database = await isDatabaseReachable(db)
    metrics.database(database)
    const ready = database && !stopping()
    const warnings = [
      ...(hasUntrustedProxy() ? [UNTRUSTED_PROXY] : []),
      ...(invalidToolkits() > 0 ? [invalidToolkitsWarning(invalidToolkits())] : []),
    ]
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : stopping() ? 'stopping' : 'unavailable',
      checks: { database: database ? 'up' : 'down', toolkits: instance().toolkits.length },
      ...(warnings.length > 0 && { warnings }),
    })
  })
}

const UNTRUSTED_PROXY =
  'Requests have the header X-Forwarded-For, but TRUSTED_PROXIES is not set: all clients count as one IP address.'

const invalidToolkitsWarning = (count: number): string =>
  `Invalid toolkits in TOOLKITS_DIR: ${count}. The log, \`patchbay doctor\` and GET /system say why.`

/** Metrics name the toolkits in use and the load, so they are not for everyone who reaches the API. */
function metricsRoute(app: FastifyInstance, { metrics, metricsToken, trustsProxies }: SystemDeps): void {
  const mayRead = ({ ip, headers }: FastifyRequest): boolean =>
    metricsToken === undefined
      ? LOOPBACK.test(ip) && (trustsProxies || headers['x-forwarded-for'] === undefined)
      : isSameSecret(headers.authorization, `Bearer ${metricsToken}`)
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request))
      throw new ApiError(
        'HTTP_Unauthorized',
        metricsToken === undefined
          ? '/metrics responds to requests from this machine only. Set METRICS_TOKEN to read it from another one.'
          : '/metrics requires the header `Authorization: Bearer <METRICS_TOKEN>`.',
      )
    return reply.header('content-type', metrics.contentType).send(await metrics.text())
  })
}

/**
 * Measures the database and the queues before each read of the metrics. A process that stops has closed its
 * connections, which says nothing about the database.
 */
export function measureQueues({ db, metrics, waiting, stopping }: SystemDeps): void {
  metrics.beforeRead(async () => {
    if (stopping()) return
    const database = await isDatabaseReachable(db)
    metrics.database(database)
    const queues = database && (await withTimeout(waiting(), READY_WITHIN_MS).catch(() => undefined))
    if (!queues) return
    metrics.waiting(queues)
    metrics.partitions(queues.partitions)
  })
}

/** Compares hashes, so that the time of the comparison says nothing about the token. */
function isSameSecret(sent: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return sent !== undefined && timingSafeEqual(digest(sent), digest(expected))
}

function logoRoute(app: FastifyInstance, { instance }: SystemDeps): void {
  app.get<{ Params: { file: string } }>('/logos/:file', async (request, reply) => {
    const [, slug = ''] = SVG.exec(request.params.file) ?? []
    if (!slug) return reply.callNotFound()
    // Browsers send no API key, so a toolkit of a project cannot be looked up: every slug has an icon.
    const icon = instance().toolkit(slug)?.icon ?? letterIcon(slug)
    return reply
      .headers({
        'content-type': 'image/svg+xml',
        'cache-control': 'public, max-age=86400',
        'content-security-policy': ICON_POLICY,
        'x-content-type-options': 'nosniff',
      })
      .send(icon)
  })
}

async function isDatabaseReachable(db: Db): Promise<boolean> {
  const query = db.one(sql`select 1 as up`).then(
    () => true,
    () => false,
  )
  return (await withTimeout(query, READY_WITHIN_MS)) ?? false
}
