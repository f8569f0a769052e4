import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Catalog, inProject, prepareSearch, type Shared } from '../catalog/index.ts'
import { routes } from '../contract/index.ts'
import { insteadOf } from '../contract/not-implemented.ts'
import { keyMemory } from '../auth-schemes/index.ts'
import {
  createTraffic,
  engine,
  type EngineDeps,
  inputEngine,
  proxyEngine,
  type Tape,
  triggerRequests,
} from '../engine/index.ts'
import {
  approvalBrowserRoutes,
  approvalRoutes,
  policyGuard,
  policyRoutes,
  removeGrants,
  removeOldApprovals,
  rulesOf,
  sessionDecisionRoute,
  settleLateApprovals,
} from '../features/policies/index.ts'
import {
  type AuthConfigDeps,
  authConfigRoutes,
  authConfigService,
  enabledForSessions,
  enabledOf,
  managedAuth,
  type ManagedAuth,
  toolkitsOf,
  toolsOf,
} from '../features/auth-configs/index.ts'
import {
  abandonedSchedule,
  type AccountDeps,
  accountService,
  accountsForEngine,
  accountsForSession,
  accountsOfUser,
  browserRoutes,
  connectedAccountRoutes,
  connectedUnder,
  createLink,
  exchangeLog,
  expireSetups,
  failurePage,
  idleSchedule,
  namedAccounts,
  removeAccountsOf,
  removeLateWaits,
  removeOldCodes,
  removeOldExchanges,
  removeOldFlows,
  removeOldLinks,
  revocationSchedules,
  revocationTasks,
  revokeConfigLater,
  type SharedAccountDeps,
} from '../features/connected-accounts/index.ts'
import {
  fileByteRoutes,
  fileRoutes,
  type FileService,
  fileService,
  type FileSettings,
} from '../features/files/index.ts'
import { importRoutes } from '../features/toolkits/imports/index.ts'
import { executionLog, logRoutes, removeOldExecutions } from '../features/logs/index.ts'
import {
  challengeFor,
  type McpAuthDeps,
  mcpOAuthRoutes,
  mcpSignInRoutes,
  removeGrantsOf,
  removeOldClients,
  removeOldSignIns,
  removeOldTokens,
  type ResourceKind,
  signedIn,
  tokenIn,
} from '../features/mcp-authorization/index.ts'
import { findMcpServer, mcpEndpoint, mcpServerRoutes, SERVER_PATH } from '../features/mcp-servers/index.ts'
import { metaTools, offloadAnswer } from '../features/sessions/meta-tools/index.ts'
import {
  ownToolkitRoutes,
  type OwnToolkits,
  ownToolkits,
  toolkitViews,
} from '../features/toolkits/custom/index.ts'
import { panicRoutes } from '../features/incidents/index.ts'
import { brandingOf, mcpProject, principals, projectRoutes } from '../features/projects/index.ts'
import { removeOldPauses, sharedPauses } from '../features/rate-limit-cooldowns/index.ts'
import { hookMistakes, sessionHooks } from '../features/sessions/hooks/index.ts'
import {
  findSession,
  SESSION_PATH,
  sessionEndpoint,
  sessionMetaRoutes,
  sessionMountRoutes,
  savedConfigRoutes,
  sessionRoutes,
  sessionRules,
  type SessionScope,
  sessionService,
  sessionWorkRoutes,
} from '../features/sessions/index.ts'
import { systemRoutes } from '../features/system/index.ts'
import { callbackUrl, legacyId, toolkitPresenter, toolkitRoutes } from '../features/toolkits/index.ts'
import { browseRoutes, removeOldCalls, runRoutes } from '../features/tools/index.ts'
import {
  healPolls,
  poller,
  type Poller,
  removeOldTriggerLogs,
  triggerLogRoutes,
  triggerRoutes,
} from '../features/triggers/index.ts'
import { ingressRoutes, registrationWork, triggerHooks } from '../features/triggers/push/index.ts'
import { webhookEndpointRoutes } from '../features/triggers/push/endpoints/index.ts'
import {
  addressesOf,
  deliverer,
  type Deliverer,
  eventRoutes,
  live,
  removeOldEvents,
  webhookRoutes,
} from '../features/webhooks/index.ts'
import { type Clock, systemWait, type Wait } from '../platform/clock.ts'
import type { Encryptor } from '../platform/crypto/index.ts'
import { listen, type Notifications } from '../platform/db/notifications.ts'
import { connect } from '../platform/db/pool.ts'
import { watchReplicas } from '../platform/db/replicas.ts'
import { type Pool, sql } from '../platform/db/sql.ts'
import type { Egress } from '../platform/egress/index.ts'
import { ApiError } from '../platform/http/api-error.ts'
import { openApiDocument } from '../platform/http/openapi.ts'
import { rateLimit } from '../platform/http/rate-limit.ts'
import { reference } from '../platform/http/reference.ts'
import { createServer } from '../platform/http/server.ts'
import { type BrandedName, wireBrand } from '../platform/http/wire-brand.ts'
import { newId } from '../platform/ids.ts'
import { mcpServing } from '../platform/mcp/serve.ts'
import type { Schedule, Task } from '../platform/jobs/index.ts'
import type { Model } from '../platform/llm/index.ts'
import type { Logger } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'

export interface AppOptions {
  databaseUrl: string
  databasePoolMax: number
  publicUrl: string
  wireBrand: string
  rateLimitPerMinute: number
  /** Default: 0, for ever. */
  logRetentionDays?: number
  /** Seconds between the attempts of a webhook delivery. Default: `RETRY_SECONDS`. */
  webhookRetrySeconds?: readonly number[]
  /** The toolkits that come with the program. */
  catalog: Catalog
  /** Where what can be made again is kept between starts. */
  cacheDir: string
  /** Whether searches are made ready at the start; default true. */
  searches?: boolean
  encryptor: Encryptor
  /** Credentials of the operator; default: none. */
  managed?: ManagedAuth | undefined
  egress: Egress
  files: FileSettings
  /** Default: none, and calls with text are answered 501. */
  model?: Model | undefined
  clock: Clock
  /** How time is let pass between attempts of a request. */
  wait?: Wait | undefined
  /** How often an idle stream of events says something. Default 15,000. */
  streamHeartbeatMs?: number
  /** Default: nothing is recorded or replayed. */
  tape?: Tape | undefined
  log: Logger
  version: string
}

export interface App {
  http: FastifyInstance
  db: Pool
  files: FileService
  schedules: readonly Schedule[]
  tasks: readonly Task[]
  /** From now on this process delivers events to webhook subscriptions, until it closes. */
  deliver(): void
  /** From now on this process polls for triggers, until it closes. */
  poll(): void
  /** Toolkits that do not come with the program. */
  ownToolkits: OwnToolkits
  /** From now on `/readyz` says that this process is stopping. */
  beginStopping(): void
  /** Ends calls under way, then everything this app holds. */
  close(): Promise<void>
}

/** What announcements about toolkits begin with; the others are about keys and projects. */
const TOOLKITS = 'toolkits:'
/** Of one that is about a call of an MCP client. */
const CANCELLED = 'cancelled:'
const POLICIES = 'policies'
const LOG_CONNECTIONS = 2
const DELIVERY_CONNECTIONS = 3
const POLL_CONNECTIONS = 4
const EVENT_DAYS = 30
const IDLE_SWEEP_MS = 20
const SETUPS_A_SWEEP = 1_000

/** The composition root: every part is made here and handed what it needs. */
export async function createApp(options: AppOptions): Promise<App> {
  const { encryptor, egress, clock, log, publicUrl, version, logRetentionDays = 0 } = options
  const db = connect(options.databaseUrl, { max: options.databasePoolMax })
  const logDb = connect(options.databaseUrl, {
    max: LOG_CONNECTIONS,
    asynchronousCommit: true,
    applicationName: 'patchbay-log',
  })
  let stopping = false
  let polling: { loop: Poller; db: Pool } | undefined
  let delivering: { loop: Deliverer; db: Pool; told: Notifications } | undefined

  const pausesOfAll = sharedPauses(db, (error) =>
    log.debug({ err: error }, 'pauses of applications were not shared'),
  )
  const replicas = watchReplicas(db, (error) =>
    log.debug({ err: error }, 'the other servers were not counted'),
  )
  const traffic = createTraffic({
    clock,
    replicas: replicas.count,
    wait: options.wait ?? systemWait,
    share: pausesOfAll.share,
  })
  const changes = listen(
    options.databaseUrl,
    'changed',
    (payload) => {
      if (payload.startsWith(TOOLKITS)) views.forget(payload.slice(TOOLKITS.length))
      else if (payload.startsWith(CANCELLED)) mcp.cancel(payload.slice(CANCELLED.length))
      else if (payload === POLICIES) rules.forget()
      else if (!pausesOfAll.heard(payload, traffic.pauses)) who.forget()
    },
    () => {
      who.forget()
      rules.forget()
      views.forget()
      void pausesOfAll.reload(traffic.pauses)
    },
  )
  const mcp = mcpServing(
    (call) =>
      void db
        .run(sql`select pg_notify('changed', ${CANCELLED + call})`)
        .catch((error: unknown) =>
          log.debug({ err: error }, 'the other servers were not told of a cancellation'),
        ),
  )
  const who = principals({ db, mayRemember: () => changes.connected })
  const rules = rulesOf({ db, mayRemember: () => changes.connected })
  const views = toolkitViews({
    db,
    folder: join(options.cacheDir, 'toolkits'),
    builtIn: options.catalog,
    mayRemember: () => changes.connected,
    prepare: options.searches === false ? undefined : (catalog) => prepareSearch(catalog, options.cacheDir),
    log,
  })
  const { of: catalogOf, instance } = views
  const own = ownToolkits({ db, views })
  const limits = rateLimit(db, clock, options.rateLimitPerMinute, (error) =>
    log.debug({ err: error }, 'rate windows were not shared'),
  )
  const brand = wireBrand(options.wireBrand)
  const metrics = createMetrics()
  const { app: http, api } = createServer({
    log,
    brand,
    authenticate: who.authenticate,
    limit: limits.limit,
    failurePage: failurePage(publicUrl),
  })
  metrics.watch(http)

  const managed = options.managed ?? managedAuth(options.catalog)
  const exchanges = exchangeLog(db, log)
  const accounts: SharedAccountDeps = {
    db,
    encryptor,
    catalogOf,
    instance,
    managed,
    egress,
    clock,
    log,
    exchanges,
    publicUrl,
    callbackUrl: callbackUrl(publicUrl),
    branding: (projectId) => brandingOf(db, projectId),
  }
  const managedSchemes = managed.schemes
  const { logo } = toolkitPresenter({ publicUrl, managedSchemes })
  const record = executionLog(logDb, encryptor)
  const engineAccounts = accountsForEngine(accounts)
  const files = fileService({ db, encryptor, clock, settings: options.files })
  const approvals = { db, encryptor, publicUrl }
  const rulesInSession = sessionRules(db)
  const engineDeps: Shared<EngineDeps> = {
    catalogOf,
    guard: policyGuard({ ...approvals, rules, sessionRules: rulesInSession }),
    hooks: sessionHooks({
      db,
      encryptor,
      egress,
      clock,
      brand,
      model: options.model,
      sessionRules: rulesInSession,
    }),
    egress,
    clock,
    traffic,
    accounts: engineAccounts,
    files,
    model: options.model,
    tape: options.tape,
    newLogId: () => newId('log'),
    record(row) {
      if (row.successful !== null) metrics.executed(row.toolkitSlug, row.successful ? 'success' : 'failure')
      return record(row)
    },
  }
  const execute = engine(engineDeps)

  systemRoutes(http, { db, instance, metrics, version, stopping: () => stopping })
  reference(http, {
    document: (versions) => openApiDocument(routes, { publicUrl, versions, brand: brand.schema }),
  })
  projectRoutes(api, {
    db,
    encryptor,
    keysChanged: who.forget,
    host: new URL(publicUrl).hostname,
    webhooksOf: (ids) => addressesOf(db, ids),
  })
  toolkitRoutes(api, {
    catalogOf,
    publicUrl,
    managedSchemes,
    toolkitsOfProject: (projectId) => toolkitsOf(db, projectId),
  })
  ownToolkitRoutes(api, { own, catalogOf })
  importRoutes(api, { own, egress, clock })
  browseRoutes(api, { catalogOf, logo, toolsOfAuthConfigs })
  const proxy = proxyEngine(engineDeps)
  runRoutes(api, { db, encryptor, execute, proxy, input: inputEngine(engineDeps) })
  const authConfigs: AuthConfigDeps = {
    db,
    encryptor,
    catalogOf,
    logo,
    managedSchemes,
    revokeAccounts: revokeConfigLater,
  }
  authConfigRoutes(api, { ...authConfigs, legacyId })
  fileRoutes(api, files)
  fileByteRoutes(http, files)
  logRoutes(api, {
    db,
    encryptor,
    appNames: async (projectId, slug) => ({
      name: (await catalogOf(projectId)).toolkit(slug)?.name ?? slug,
      icon: logo(slug),
    }),
  })
  panicRoutes(api, { db, catalogOf })
  const webhooks = { db, encryptor, egress, clock, brand }
  const triggers = {
    encryptor,
    clock,
    catalogOf,
    requests: triggerRequests(engineDeps),
    random: traffic.random,
  }
  triggerLogRoutes(api, { db, encryptor })
  const hookDeps = {
    ...triggers,
    db,
    log,
    publicUrl,
    accounts: engineAccounts,
    keysAt: keyMemory({ egress, now: () => clock.now() }),
  }
  const hooks = triggerHooks(hookDeps)
  connectedAccountRoutes(api, accounts, hooks.leave)
  triggerRoutes(api, { ...triggers, db, accounts: engineAccounts, hooks, logo })
  webhookEndpointRoutes(api, { db, encryptor, catalogOf, publicUrl })
  ingressRoutes(http, hookDeps)
  webhookRoutes(api, webhooks)
  const following = live({
    ...webhooks,
    log,
    heartbeatMs: options.streamHeartbeatMs,
    listen: (heard, gap) => listen(options.databaseUrl, 'events', heard, gap),
  })
  eventRoutes(api, webhooks, following)
  browserRoutes(http, accounts)
  mcpServerRoutes(api, {
    db,
    catalogOf,
    publicUrl,
    logo,
    helperKey: brand.spell('include_service_helper_actions'),
    connectedUnder,
    authConfigsOf: (projectId, ids) => toolsOf(db, projectId, ids),
    removeGrants: (tx, projectId, id, userId) =>
      removeGrantsOf(tx, projectId, { kind: 'mcp_server', id }, userId),
    removeAccounts: async (tx, projectId, userId, ids) =>
      removeAccountsOf(await inProject<AccountDeps>(accounts, projectId), tx, projectId, userId, ids),
  })
  policyRoutes(api, { db, catalogOf, rules })
  approvalRoutes(api, approvals)
  approvalBrowserRoutes(http, { ...approvals, catalogOf, clock, log, branding: accounts.branding })
  const mcpAuth: McpAuthDeps = {
    db,
    egress,
    log,
    publicUrl,
    authenticate: who.authenticate,
    project: (projectId) => mcpProject(db, projectId),
    kinds: [
      { kind: 'mcp_server', path: SERVER_PATH, find: serverToSignIn },
      { kind: 'session', path: SESSION_PATH, find: sessionToSignIn },
    ],
  }
  mcpOAuthRoutes(http, mcpAuth)
  mcpSignInRoutes(api, mcpAuth)
  const gateOf = (kind: ResourceKind['kind']) => ({
    authenticate: who.authenticate,
    limit: limits.limit,
    challenge: (url: string, wasRefused: boolean) => challengeFor(publicUrl, url, wasRefused),
    openProject: async (projectId: string) => {
      const project = await mcpProject(db, projectId)
      return project?.needsKey === false ? project.principal : undefined
    },
    signedIn: (authorization: string | undefined, id: string) => {
      const token = tokenIn(authorization)
      return token === undefined ? undefined : signedIn(mcpAuth, token, { kind, id })
    },
  })
  mcpEndpoint(http, {
    db,
    catalogOf,
    serving: mcp,
    execute,
    ...gateOf('mcp_server'),
    publicUrl,
    version,
    helperName: brand.spell('SERVICE_MANAGE_CONNECTIONS'),
    helperKeys: ['include_service_helper_actions', brand.spell('include_service_helper_actions')],
    accountsOfUser: (projectId, userId, ids) => accountsOfUser(db, projectId, userId, ids),
    accountsById: (projectId, ids) => namedAccounts(db, projectId, ids),
    configsOf: (projectId, toolkit) => enabledOf(db, projectId, toolkit),
    link: async (projectId, configId, userId, again) =>
      createLink(await inProject<AccountDeps>(accounts, projectId), projectId, configId, {
        user_id: userId,
        ...(again ? { connected_account_id: again } : {}),
      }),
  })
  const accountsIn = async (projectId: string) =>
    accountService(await inProject<AccountDeps>(accounts, projectId))
  const spell = (slug: string) => brand.spell(slug as BrandedName)
  const keepFile = async ({ projectId, sessionId, caller }: SessionScope, name: string, bytes: Buffer) => {
    const { url, expiresAt } = await files.mounts.write(
      projectId,
      sessionId,
      { path: `.service/output/${name}`, mimetype: 'application/json', bytes },
      caller.settings.fileUrlSeconds,
    )
    return { url, expiresAt: expiresAt.toISOString() }
  }
  const sessions = {
    catalogOf,
    publicUrl,
    clock,
    execute,
    proxy,
    logo,
    managedSchemes,
    mounts: files.mounts,
    offload: (scope: SessionScope, data: Record<string, unknown>) =>
      offloadAnswer(scope, data, (name, bytes) => keepFile(scope, name, bytes)),
    service: sessionService({
      db,
      catalogOf,
      hookMistakes: (projectId, config) =>
        hookMistakes(
          { db, encryptor, hasModel: options.model !== undefined, now: clock.now() },
          projectId,
          config,
        ),
      releaseFiles: files.mounts.release,
    }),
    record,
    spell,
    neutral: brand.neutral,
    ...metaTools({
      db,
      encryptor,
      record,
      clock,
      wait: options.wait ?? systemWait,
      spell,
      neutral: brand.neutral,
      keepFile,
      renameAccount: async (projectId, id, alias) => {
        await (await accountsIn(projectId)).update(projectId, id, { alias })
      },
      removeAccount: async (projectId, id) => {
        await (await accountsIn(projectId)).remove(projectId, id, false)
      },
    }),
    accountsForSession: (
      projectId: string,
      userId: string,
      which: Parameters<typeof accountsForSession>[3],
    ) => accountsForSession(db, projectId, userId, which),
    configsForSessions: (projectId: string, toolkit: string) => enabledForSessions(db, projectId, toolkit),
    async createManagedConfig(projectId: string, keyId: string, toolkit: string) {
      const isOwn = (await catalogOf(projectId)).toolkit(toolkit)?.origin === 'project'
      return isOwn || !managedSchemes(toolkit).length
        ? undefined
        : (
            await authConfigService(authConfigs).create(projectId, keyId, toolkit, {
              type: 'use_service_managed_auth',
            })
          ).id
    },
    createLink: async (projectId: string, configId: string, draft: Parameters<typeof createLink>[3]) =>
      createLink(await inProject<AccountDeps>(accounts, projectId), projectId, configId, draft),
  }
  sessionRoutes(api, sessions)
  sessionWorkRoutes(api, sessions)
  savedConfigRoutes(api, { db, catalogOf })
  sessionMetaRoutes(api, sessions)
  sessionMountRoutes(api, sessions)
  sessionDecisionRoute(api, { ...sessions, ...approvals })
  sessionEndpoint(http, { ...sessions, ...gateOf('session'), db, serving: mcp, version })
  for (const route of routes.filter(({ unbuilt }) => unbuilt)) {
    api.on(route, async () => {
      throw new ApiError(
        'HTTP_NotImplemented',
        `${route.summary}: ${insteadOf.get(route.id) ?? 'this operation is not part of this release.'}`,
      )
    })
  }
  const hookWork = registrationWork(hookDeps)
  await views.renewInstance()
  void views
    .sweep()
    .catch((error: unknown) => log.debug({ err: error }, 'old files of the toolkit cache were not removed'))
  await http.ready()

  async function serverToSignIn(id: string) {
    const server = await findMcpServer(db, id)
    const catalog = server && (await catalogOf(server.project_id))
    return (
      server && {
        projectId: server.project_id,
        name: server.name,
        toolkits: server.all_toolkits.map((slug) => catalog?.toolkit(slug)?.name ?? slug),
      }
    )
  }

  async function sessionToSignIn(id: string) {
    const session = await findSession(db, id)
    const catalog = session && (await catalogOf(session.project_id))
    const { toolkits } = session?.config ?? {}
    const slugs = toolkits && 'enable' in toolkits ? toolkits.enable : []
    return (
      session && {
        projectId: session.project_id,
        name: `Session ${id}`,
        toolkits: slugs.map((slug) => catalog?.toolkit(slug)?.name ?? slug),
        userId: session.user_id,
      }
    )
  }

  async function toolsOfAuthConfigs(projectId: string, ids: readonly string[]) {
    const rows = await toolsOf(db, projectId, ids)
    const missing = ids.find((id) => !rows.some((row) => row.id === id))
    if (missing) throw new ApiError('Auth_Config_NotFound', `Auth config ${missing} not found`)
    return rows.map((row) => ({ toolkit: row.toolkit_slug, tools: row.tools_available_for_execution }))
  }

  return {
    http,
    db,
    files,
    ownToolkits: own,
    schedules: [
      ...revocationSchedules(accounts),
      idleSchedule(accounts, engineAccounts.renew),
      abandonedSchedule(accounts, engineAccounts.renew),
      {
        task: 'connectedAccounts.expireSetups',
        cron: '* * * * *',
        run: async () => {
          while ((await expireSetups(db, SETUPS_A_SWEEP)) === SETUPS_A_SWEEP);
        },
      },
      {
        task: 'connectedAccounts.removeLateWaits',
        cron: '* * * * *',
        run: async () => {
          while ((await removeLateWaits(db, SETUPS_A_SWEEP)) === SETUPS_A_SWEEP);
        },
      },
      {
        task: 'connectedAccounts.removeOldFlows',
        cron: '7 * * * *',
        run: async () => {
          await removeOldFlows(db)
          await removeOldLinks(db)
          await removeOldCodes(db)
        },
      },
      {
        task: 'connectedAccounts.removeOldExchanges',
        cron: '11 * * * *',
        run: async () => {
          await removeOldExchanges(db)
        },
      },
      {
        task: 'mcp.removeOld',
        cron: '23 * * * *',
        run: async () => {
          await removeOldSignIns(db)
          await removeOldTokens(db)
          await removeOldClients(db)
        },
      },
      { task: 'files.sweep', cron: '*/10 * * * *', run: files.sweep },
      ...(logRetentionDays > 0
        ? [
            {
              task: 'logs.removeOldExecutions',
              cron: '*/10 * * * *',
              run: async () => {
                await removeOldExecutions(db, logRetentionDays)
              },
            },
          ]
        : []),
      ...hookWork.schedules,
      {
        task: 'triggers.heal',
        cron: '* * * * *',
        run: async () => {
          const healed = await healPolls(db)
          if (healed > 0)
            log.warn({ healed }, 'triggers that nobody would have polled any more are polled again')
        },
      },
      {
        task: 'triggers.removeOldLogs',
        cron: '*/10 * * * *',
        run: async () => {
          while (await removeOldTriggerLogs(db, EVENT_DAYS));
        },
      },
      {
        task: 'webhooks.removeOldEvents',
        cron: '*/10 * * * *',
        run: async () => {
          while (await removeOldEvents(db, EVENT_DAYS));
        },
      },
      {
        task: 'approvals.settleLate',
        cron: '* * * * *',
        run: async () => {
          while (await settleLateApprovals(db));
        },
      },
      {
        task: 'approvals.removeGrants',
        cron: '23 * * * *',
        run: async () => {
          while (await removeGrants(db));
        },
      },
      ...(logRetentionDays > 0
        ? [
            {
              task: 'approvals.removeOld',
              cron: '*/10 * * * *',
              run: async () => {
                while (await removeOldApprovals(db, logRetentionDays));
              },
            },
          ]
        : []),
      {
        task: 'tools.removeOld',
        cron: '*/10 * * * *',
        run: async () => {
          await removeOldCalls(db)
        },
      },
      {
        task: 'providerPauses.removeOld',
        cron: '17 * * * *',
        run: async () => {
          await removeOldPauses(db)
        },
      },
      {
        task: 'http.removeOldRateWindows',
        cron: '13 * * * *',
        run: async () => {
          await db.run(sql`delete from rate_windows where window_start < now() - interval '1 hour'`)
        },
      },
    ],
    tasks: [...revocationTasks(accounts), ...hookWork.tasks],
    deliver() {
      if (delivering) return
      const own = connect(options.databaseUrl, {
        max: DELIVERY_CONNECTIONS,
        applicationName: 'patchbay-deliver',
      })
      const loop = deliverer({ ...webhooks, db: own, log, retrySeconds: options.webhookRetrySeconds })
      delivering = { loop, db: own, told: listen(options.databaseUrl, 'deliveries', loop.wake, loop.wake) }
    },
    poll() {
      if (polling) return
      const own = connect(options.databaseUrl, { max: POLL_CONNECTIONS, applicationName: 'patchbay-poll' })
      polling = {
        db: own,
        loop: poller({
          ...triggers,
          db: own,
          log,
          metrics: { polled: metrics.polled, standing: metrics.polling },
        }),
      }
    },
    beginStopping() {
      stopping = true
    },
    async close() {
      stopping = true
      replicas.close()
      await Promise.all([mcp.close(), following.close()])
      // Node closes the connections that idle now; one that becomes idle when its call was answered would stay until its keep-alive ends.
      const idle = setInterval(() => http.server.closeIdleConnections(), IDLE_SWEEP_MS)
      await http.close().finally(() => clearInterval(idle))
      await Promise.all([
        polling?.loop.close(),
        delivering?.loop.close(),
        delivering?.told.close(),
        limits.close(),
      ])
      await Promise.all([delivering?.db.close(), polling?.db.close()])
      await Promise.all([
        changes.close(),
        egress.close(),
        options.files.store.close?.(),
        options.model?.close(),
        logDb.close(),
      ])
      await exchanges.settled()
      await db.close()
    },
  }
}
