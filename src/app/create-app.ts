import { systemRoutes } from '../features/system/index.ts'
import { routes } from '../contract/index.ts'
import { alternatives } from '../contract/not-implemented.ts'
import { ApiError } from '../platform/http/api-error.ts'
import { openApiDocument } from '../platform/http/openapi/document.ts'
import { registerReferenceRoutes } from '../platform/http/openapi/reference-routes.ts'
import { createLifecycle } from './lifecycle.ts'
import type { App, AppOptions } from './options.ts'
import { wireAccounts } from './wiring/accounts.ts'
import { wireEvents } from './wiring/events.ts'
import { wireExecution } from './wiring/execution.ts'
import { type HttpPart, wireHttp } from './wiring/http.ts'
import { wireMcp } from './wiring/mcp.ts'
import { type PlatformPart, wirePlatform } from './wiring/platform.ts'
import { wireSessions } from './wiring/sessions.ts'
import { wireToolkits } from './wiring/toolkits.ts'
import { wireTriggers } from './wiring/triggers.ts'

export type { App, AppOptions } from './options.ts'

/** Creates the application: each area gets the parts that it depends on. Nothing is created on import. */
export async function createApp(options: AppOptions): Promise<App> {
  const platform = wirePlatform(options)
  const httpPart = wireHttp(options, platform)
  const toolkits = wireToolkits(options, platform, httpPart)
  const accounts = wireAccounts(platform, httpPart, toolkits)
  const execution = wireExecution(options, platform, httpPart, toolkits, accounts)
  const triggers = wireTriggers(options, platform, httpPart, toolkits, accounts, execution)
  const events = wireEvents(options, platform, httpPart)
  const mcp = wireMcp(platform, httpPart, toolkits, accounts, execution)
  wireSessions({ options, platform, httpPart, toolkits, accounts, execution, mcp })
  const lifecycle = createLifecycle({ options, platform, httpPart, accounts, triggers, events, mcp })
  registerSystemRoutes(options, platform, httpPart, toolkits.instance, lifecycle.isStopping)
  registerPlannedRoutes(httpPart)

  await toolkits.load()
  await httpPart.http.ready()
  const parts = [platform, httpPart, accounts, execution, triggers, events, mcp]
  return {
    http: httpPart.http,
    db: platform.db,
    files: execution.files,
    customToolkits: toolkits.customToolkits,
    schedules: parts.flatMap(({ schedules }) => schedules),
    tasks: [...accounts.tasks, ...triggers.tasks],
    startDeliveries: lifecycle.startDeliveries,
    startPolling: lifecycle.startPolling,
    beginStopping: lifecycle.beginStopping,
    close: lifecycle.close,
  }
}

function registerSystemRoutes(
  { metricsToken, trustedProxies = [] }: AppOptions,
  { db, metrics, version, publicUrl, brand }: PlatformPart,
  { http }: HttpPart,
  instance: Parameters<typeof systemRoutes>[1]['instance'],
  stopping: () => boolean,
): void {
  const access = { metricsToken, trustsProxies: trustedProxies.length > 0 }
  systemRoutes(http, { db, instance, metrics, version, stopping, ...access })
  registerReferenceRoutes(http, {
    document: (versions) => openApiDocument(routes, { publicUrl, versions, brand: brand.schema }),
  })
}

/** Operations of the API that are not part of this release return 501 and name an alternative. */
function registerPlannedRoutes({ api }: HttpPart): void {
  for (const route of routes.filter(({ isPlanned }) => isPlanned))
    api.on(route, async () => {
      const alternative = alternatives.get(route.id) ?? 'this operation is not part of this release.'
      throw new ApiError('HTTP_NotImplemented', `${route.summary}: ${alternative}`)
    })
}
