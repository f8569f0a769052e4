import type { FastifyInstance } from 'fastify'
import { type Catalog, letterIcon } from '../../catalog/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import type { Metrics } from '../../platform/metrics.ts'

export interface SystemDeps {
  db: Db
  /** Catalog of the toolkits that every project sees. */
  instance(): Catalog
  metrics: Metrics
  version: string
  /** Whether the process received a signal to stop. */
  stopping(): boolean
}

/** File name of an icon: a toolkit slug with `.svg`. */
const SVG = /^([a-z0-9][a-z0-9_]{0,39})\.svg$/
const READY_WITHIN_MS = 2_000
/** An SVG is also a document: opened in a browser tab, it must not run scripts. */
const ICON_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Endpoints for administrators and monitoring. They need no API key and return no secrets. */
export function systemRoutes(
  app: FastifyInstance,
  { db, instance, metrics, version, stopping }: SystemDeps,
): void {
  app.get('/', async (_request, reply) => reply.redirect('/reference', 302))
  app.get('/healthz', async () => ({ status: 'ok', version, uptime_seconds: Math.round(process.uptime()) }))

  app.get('/readyz', async (_request, reply) => {
    const database = await isDatabaseReachable(db)
    metrics.database(database)
    const ready = database && !stopping()
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : stopping() ? 'stopping' : 'unavailable',
      checks: { database: database ? 'up' : 'down', toolkits: instance().toolkits.length },
    })
  })

  app.get('/metrics', async (_request, reply) => {
    metrics.database(await isDatabaseReachable(db))
    return reply.header('content-type', metrics.contentType).send(await metrics.text())
  })

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
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_WITHIN_MS)
  })
  try {
    return await Promise.race([
      db.one(sql`select 1 as up`).then(
        () => true,
        () => false,
      ),
      late,
    ])
  } finally {
    clearTimeout(timer)
  }
}
