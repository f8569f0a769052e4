import * as contract from '../../../contract/system.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Api } from '../../../platform/http/call.ts'
import { countJobsByTask } from '../../../platform/jobs/waiting.ts'
import {
  checkClock,
  checkDatabase,
  checkDisk,
  checkProxy,
  checkPublicUrl,
  checkQueues,
  checkToolkitsFolder,
  type DatabaseFacts,
  type FolderProblem,
} from './checks.ts'

export interface SystemStateDeps {
  db: Db
  version: string
  publicUrl: string
  cacheDir: string
  /** Settings of the process, without values of secrets. */
  settings: contract.SystemState['settings']
  waitingDeliveries(): Promise<number>
  /** The toolkits of TOOLKITS_DIR; missing without the setting. */
  toolkitsFolder: { readonly count: number; problems(): readonly FolderProblem[] } | undefined
  /** Whether requests came through a proxy that is not trusted. */
  hasUntrustedProxy(): boolean
}

/** The state of the server, for administrators. */
export function systemStateRoutes(api: Api, deps: SystemStateDeps): void {
  const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString()
  api.on(contract.readSystem, async () => {
    const [database, jobs, waitingDeliveries, disk] = await Promise.all([
      readDatabase(deps.db),
      countJobsByTask(deps.db),
      deps.waitingDeliveries(),
      checkDisk(deps.cacheDir),
    ])
    return {
      version: deps.version,
      node_version: process.version,
      started_at: startedAt,
      public_url: deps.publicUrl,
      database: {
        version: database.version,
        size_bytes: database.sizeBytes,
        latency_ms: database.latencyMs,
      },
      checks: [
        checkDatabase(database),
        checkClock(database),
        checkPublicUrl(deps.publicUrl),
        checkProxy(deps.hasUntrustedProxy()),
        checkQueues(jobs, waitingDeliveries),
        disk,
        ...(deps.toolkitsFolder
          ? [checkToolkitsFolder(deps.toolkitsFolder.count, deps.toolkitsFolder.problems())]
          : []),
      ],
      jobs,
      waiting_deliveries: waitingDeliveries,
      settings: [...deps.settings],
    }
  })
}

async function readDatabase(db: Db): Promise<DatabaseFacts> {
  const start = performance.now()
  const now = Date.now()
  const row = await db.one<{ version: string; number: number; bytes: number; now_ms: number }>(sql`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      pg_database_size(current_database())::float8 as bytes,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`)
  if (!row) throw new Error('the database returned no row')
  const latencyMs = Math.round(performance.now() - start)
  return {
    version: row.version,
    versionNumber: row.number,
    sizeBytes: row.bytes,
    latencyMs,
    clockDifferenceMs: row.now_ms - (now + latencyMs / 2),
  }
}
