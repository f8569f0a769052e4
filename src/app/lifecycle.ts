import type { App, AppOptions } from './options.ts'
import type { AccountsPart } from './wiring/accounts.ts'
import type { wireConsole } from './wiring/console.ts'
import type { EventsPart } from './wiring/events.ts'
import type { wireExecution } from './wiring/execution.ts'
import type { HttpPart } from './wiring/http.ts'
import type { McpPart } from './wiring/mcp.ts'
import type { PlatformPart } from './wiring/platform.ts'
import type { ToolkitsPart } from './wiring/toolkits.ts'
import type { TriggersPart } from './wiring/triggers.ts'

const IDLE_SWEEP_MS = 20

interface Parts {
  options: AppOptions
  platform: PlatformPart
  httpPart: HttpPart
  toolkits: ToolkitsPart
  accounts: AccountsPart
  triggers: TriggersPart
  events: EventsPart
  execution: Pick<ReturnType<typeof wireExecution>, 'logStreams'>
  realtime: { close(): Promise<void> }
  mcp: McpPart
  sessions: { close(): Promise<void> }
  consolePart: ReturnType<typeof wireConsole>
}

interface Lifecycle extends Pick<App, 'startDeliveries' | 'startPolling' | 'beginStopping' | 'close'> {
  isStopping(): boolean
}

interface Worker {
  close(): Promise<void>
}

/** Starts the workers of this process, and closes all parts in order. */
export function createLifecycle(parts: Parts): Lifecycle {
  let stopping = false
  // A client that reuses a connection while it is closed would lose its request.
  parts.httpPart.http.addHook('onRequest', (_request, reply, done) => {
    if (stopping) reply.header('connection', 'close')
    done()
  })
  let polling: Worker | undefined
  let delivering: Worker | undefined
  return {
    isStopping: () => stopping,
    startDeliveries() {
      delivering ??= parts.events.startDeliveries()
    },
    startPolling() {
      polling ??= parts.triggers.startPolling()
    },
    beginStopping() {
      stopping = true
    },
    async close() {
      stopping = true
      // A page that waits for the build would delay the close.
      await parts.consolePart.close()
      // Code of agents can run for minutes; its callers get a result that says that the server stops.
      await parts.sessions.close()
      await closeHttp(parts)
      const { rateLimit, authenticator } = parts.httpPart
      await Promise.all([polling?.close(), delivering?.close(), rateLimit.close(), authenticator.close()])
      await closeConnections(parts)
    },
  }
}

/** Ends streams, then waits for the calls in progress. */
async function closeHttp({
  platform,
  httpPart: { http },
  mcp,
  events,
  execution,
  realtime,
}: Parts): Promise<void> {
  platform.replicas.close()
  execution.logStreams.close()
  await Promise.all([mcp.serving.close(), realtime.close(), events.streams.close()])
  // Node closes the connections that are idle now; one that becomes idle later would stay open until its
  // keep-alive ends.
  const timer = setInterval(() => http.server.closeIdleConnections(), IDLE_SWEEP_MS)
  await http.close().finally(() => clearInterval(timer))
}

/** How long the last entries of the provider request log may take. */
const LAST_WRITES_MS = 5_000

/** The last writes of the provider request log need the database, so it is closed last. */
async function closeConnections({ options, platform, toolkits, accounts }: Parts): Promise<void> {
  await platform.announcer.close()
  await Promise.all([
    platform.changes.close(),
    platform.egress.close(),
    options.files.store.close?.(),
    options.model?.close(),
    toolkits.embeddings?.close(),
    platform.logDb.close(),
    platform.keysDb.close(),
    platform.readPool?.close(),
  ])
  await accounts.providerRequests.flush(LAST_WRITES_MS)
  await platform.db.close()
}
