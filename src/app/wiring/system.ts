import { fileURLToPath } from 'node:url'
import { routes } from '../../contract/index.ts'
import { documentationRoutes } from '../../features/documentation/index.ts'
import {
  measureQueues,
  monitoringRoutes,
  type QueueState,
  type SystemDeps,
  systemRoutes,
  systemStateRoutes,
  watchProxies,
} from '../../features/system/index.ts'
import { countWaitingDeliveries } from '../../features/webhooks/index.ts'
import { partitionStates } from '../../platform/db/partitions/index.ts'
import { openApiDocument } from '../../platform/http/openapi/document.ts'
import { registerReferenceRoutes } from '../../platform/http/openapi/reference-routes.ts'
import { createMonitoringServer } from '../../platform/http/server/monitoring-server.ts'
import { countWaitingJobs } from '../../platform/jobs/waiting.ts'
import type { AppOptions } from '../options.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

/** Part of the repository and of the package, where it has the same place. */
const DOCUMENTATION = fileURLToPath(new URL('../../../docs', import.meta.url))

/** The endpoints outside of the API: health, metrics, icons, the documentation and the reference. */
export function wireSystem(
  options: AppOptions,
  platform: PlatformPart,
  { http, api }: HttpPart,
  state: Pick<SystemDeps, 'instance' | 'stopping'>,
) {
  const { db, metrics, version, publicUrl, brand } = platform
  const { metricsToken, trustedProxies = [] } = options
  const access = { metricsToken, trustsProxies: trustedProxies.length > 0 }
  const hasConsole = options.console !== undefined
  const deps: SystemDeps = {
    ...state,
    ...access,
    db,
    metrics,
    version,
    hasConsole,
    invalidToolkits: () => options.toolkitsFolder?.problems().length ?? 0,
    waiting: () => countWaiting(platform),
  }
  measureQueues(deps)
  systemRoutes(http, deps)
  systemStateRoutes(api, {
    db,
    version,
    publicUrl,
    cacheDir: options.cacheDir,
    settings: options.settings ?? [],
    toolkitsFolder: options.toolkitsFolder,
    waitingDeliveries: () => countWaitingDeliveries(db),
    hasUntrustedProxy: watchProxies(http, access.trustsProxies),
  })
  documentationRoutes(http, { folder: DOCUMENTATION, publicUrl, hasConsole })
  registerReferenceRoutes(http, {
    consolePath: hasConsole ? 'console/docs/api' : undefined,
    document: (versions) => openApiDocument(routes, { publicUrl, versions, brand: brand.schema }),
  })
  return { monitoring: options.monitors ? monitoringServer(deps) : undefined }
}

async function countWaiting({ db }: PlatformPart): Promise<QueueState> {
  const [jobs, deliveries, partitions] = await Promise.all([
    countWaitingJobs(db),
    countWaitingDeliveries(db),
    partitionStates(db),
  ])
  return { jobs, deliveries, partitions }
}

function monitoringServer(deps: SystemDeps) {
  const server = createMonitoringServer()
  monitoringRoutes(server, deps)
  return server
}
