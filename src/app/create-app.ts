import { playgroundRoutes } from '../features/playground/index.ts'
import { overviewRoutes } from '../features/overview/index.ts'
import { createLifecycle } from './lifecycle.ts'
import type { App, AppOptions } from './options.ts'
import { wireAlerts } from './wiring/alerts.ts'
import { wireAccounts } from './wiring/accounts.ts'
import { wireConsole } from './wiring/console.ts'
import { wireEvents } from './wiring/events.ts'
import { wireExecution } from './wiring/execution.ts'
import { wireHttp } from './wiring/http.ts'
import { wireIncidents } from './wiring/incidents.ts'
import { wireMcp } from './wiring/mcp.ts'
import { wirePlatform } from './wiring/platform.ts'
import { wireProjectErasure } from './wiring/project-erasure.ts'
import { wireProjectExport } from './wiring/project-export.ts'
import { wireRealtime } from './wiring/realtime.ts'
import { wireSessions } from './wiring/sessions.ts'
import { wireSystem } from './wiring/system.ts'
import { wireToolkits } from './wiring/toolkits.ts'
import { wireTriggers } from './wiring/triggers.ts'
import { wireUsers } from './wiring/users.ts'

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
  const realtime = wireRealtime(platform, httpPart, events)
  const mcp = wireMcp(platform, httpPart, toolkits, accounts, execution)
  const sessions = wireSessions({ options, platform, httpPart, toolkits, accounts, execution, mcp })
  const people = {
    ...{ platform, httpPart, toolkits, accounts, sessions: sessions.service },
    unregisterAccount: triggers.unregisterAccount,
  }
  wireIncidents(people)
  const users = wireUsers(people)
  const erasure = wireProjectErasure({ ...people, files: execution.files })
  wireProjectExport(platform, httpPart)
  overviewRoutes(httpPart.api, { db: platform.readDb })
  playgroundRoutes(httpPart.api, platform)
  const alerts = wireAlerts(options, platform, httpPart)
  const consolePart = wireConsole(options, platform, httpPart)
  const lifecycle = createLifecycle({
    options,
    platform,
    httpPart,
    toolkits,
    accounts,
    triggers,
    events,
    execution,
    realtime,
    mcp,
    sessions,
    consolePart,
  })
  const { monitoring } = wireSystem(options, platform, httpPart, {
    instance: toolkits.instance,
    stopping: lifecycle.isStopping,
  })

  await toolkits.load()
  await httpPart.http.ready()
  const parts = [platform, httpPart, accounts, execution, triggers, events, mcp, consolePart, erasure, alerts]
  return {
    http: httpPart.http,
    monitoring,
    db: platform.db,
    encryptor: platform.encryptor,
    files: execution.files,
    customToolkits: toolkits.customToolkits,
    schedules: parts.flatMap(({ schedules }) => schedules),
    tasks: [...accounts.tasks, ...triggers.tasks, ...users.tasks, ...erasure.tasks],
    prepareSandboxes: sessions.prepareSandboxes,
    ...lifecycle,
  }
}
