import { defaultV3Format, type ProjectScoped } from '../../catalog/index.ts'
import { createEngine, type EngineDeps, type ExecutionRow } from '../../engine/index.ts'
import { requireToolAccess } from '../../features/auth-configs/index.ts'
import { type BudgetMeter, countAllowedCalls, meterModel } from '../../features/budgets/index.ts'
import { fileContentRoutes, fileRoutes, fileSchedules, fileService } from '../../features/files/index.ts'
import {
  createLogStreams,
  createLogWriter,
  createToolUses,
  logRoutes,
  logSchedules,
} from '../../features/logs/index.ts'
import {
  approvalBrowserRoutes,
  approvalRoutes,
  createCallPolicies,
  createPolicyCache,
  createSourceTracker,
  policyRoutes,
  policySchedules,
  untrustedSourceRoutes,
} from '../../features/policies/index.ts'
import { createSessionHooks } from '../../features/sessions/hooks/index.ts'
import { createSessionRulesReader, sessionExists } from '../../features/sessions/index.ts'
import { toolRoutes, toolSchedules } from '../../features/tools/index.ts'
import { newLogId } from '../../platform/ids.ts'
import type { AppOptions } from '../options.ts'
import { wireBudgets } from './budgets.ts'
import { wireDemo } from './demo.ts'
import type { AccountsPart } from './accounts.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'
import type { ToolkitsPart } from './toolkits.ts'

export type ExecutionPart = ReturnType<typeof wireExecution>

/** The engine with its policies, hooks, files and logs. */
export function wireExecution(
  options: AppOptions,
  platform: PlatformPart,
  httpPart: HttpPart,
  toolkits: ToolkitsPart,
  { accounts, engineAccounts }: AccountsPart,
) {
  const { db, encryptor, clock, log, publicUrl, changes } = platform
  const { logRetentionDays = 0 } = options
  const budgets = wireBudgets(platform, httpPart)
  const { meter } = budgets
  const model = options.model && meterModel(options.model, meter)
  const policyCache = createPolicyCache({ db, canCache: () => changes.connected })
  changes.on('policies_changed', policyCache.clear, policyCache.clear)
  const approvals = { db, encryptor, publicUrl }
  const sources = createSourceTracker(db)
  const files = fileService({
    db,
    encryptor,
    clock,
    settings: options.files,
    budget: { bytesMax: meter.storageBytesMax, record: meter.recordStorage },
  })
  const engineDeps = engineDependencies(options, platform, toolkits, {
    engineAccounts,
    policyCache,
    sources,
    files,
    model,
    meter,
  })
  const engine = createEngine(engineDeps)
  wireToolRoutes(options, platform, httpPart, toolkits, engine)
  const logStreams = wireLogRoutes(options, platform, httpPart, toolkits)
  fileRoutes(httpPart.api, files)
  fileContentRoutes(httpPart.http, files)
  wirePolicyRoutes(platform, httpPart, toolkits, { accounts, policyCache, sources, approvals })
  wireDemo(options, platform, httpPart, engineDeps)
  return {
    engine,
    approvals,
    files,
    sources,
    model,
    budgets,
    writeLogRow: engineDeps.writeLogRow,
    logStreams,
    recentToolUses: createToolUses({ db, log }),
    schedules: [
      ...budgets.schedules,
      ...policySchedules({ db, logRetentionDays }),
      ...fileSchedules(files),
      ...logSchedules({ db, logRetentionDays }),
      ...toolSchedules({ db }),
    ],
  }
}

interface EngineParts {
  readonly engineAccounts: AccountsPart['engineAccounts']
  readonly policyCache: ReturnType<typeof createPolicyCache>
  readonly sources: ReturnType<typeof createSourceTracker>
  readonly files: ReturnType<typeof fileService>
  readonly model: AppOptions['model']
  readonly meter: BudgetMeter
}

function engineDependencies(
  { recordings }: AppOptions,
  {
    db,
    logDb,
    encryptor,
    egress,
    egressOf,
    clock,
    publicUrl,
    brand,
    metrics,
    throttling,
    announcer,
    tracing,
  }: PlatformPart,
  { catalogOf, metricLabel }: ToolkitsPart,
  { engineAccounts, policyCache, sources, files, model, meter }: EngineParts,
): ProjectScoped<EngineDeps> {
  const sessionRules = createSessionRulesReader(db)
  const writeLogRow = createLogWriter(logDb, encryptor)
  return {
    catalogOf,
    policies: countAllowedCalls(
      createCallPolicies({ db, encryptor, publicUrl, policyCache, sessionRules, sources }),
      meter,
    ),
    hooks: createSessionHooks({ db, encryptor, egress, clock, brand, model, sessionRules }),
    egressOf,
    clock,
    throttling,
    accounts: engineAccounts,
    files,
    model,
    recordings,
    tracing,
    newLogId: () => newLogId(),
    writeLogRow(row) {
      if (row.successful === null) return writeLogRow(row)
      metrics.executed(metricLabel(row.toolkitSlug), row.successful ? 'success' : 'failure')
      return writeLogRow(row).then(() => {
        // The log has it now: a reader of the stream can read it there.
        announcer.ended(row)
        return recordBytes(meter, row)
      })
    },
  }
}

function wireToolRoutes(
  options: AppOptions,
  { db, encryptor }: PlatformPart,
  { api }: HttpPart,
  { catalogOf, logo, embeddings }: ToolkitsPart,
  { executeTool, executeProxy, generateArguments }: ReturnType<typeof createEngine>,
): void {
  toolRoutes(api, {
    db,
    encryptor,
    catalogOf,
    logo,
    v3ParameterFormat: defaultV3Format(options.wireBrand),
    similarityTo: embeddings?.similarityTo,
    toolsOfAuthConfigs: (projectId, ids) => requireToolAccess(db, projectId, ids),
    executeTool,
    executeProxy,
    generateArguments,
    gatewayHeaders: options.llmGatewayHeaders ?? [],
  })
}

/** Adds the routes of logs, and returns the streams of new log rows. */
function wireLogRoutes(
  options: AppOptions,
  { db, readDb, encryptor, log, clock }: PlatformPart,
  { api }: HttpPart,
  { catalogOf, logo }: ToolkitsPart,
) {
  const logStreams = createLogStreams({
    db,
    encryptor,
    log,
    now: () => clock.now(),
    retentionDays: options.logRetentionDays ?? 0,
    pollMs: options.logStreamPollMs,
    heartbeatMs: options.streamHeartbeatMs,
  })
  logRoutes(api, {
    db: readDb,
    encryptor,
    streams: logStreams,
    appNames: async (projectId, slug) => ({
      name: (await catalogOf(projectId)).toolkit(slug)?.name ?? slug,
      icon: logo(slug),
    }),
  })
  return logStreams
}

interface PolicyParts extends Pick<EngineParts, 'policyCache' | 'sources'> {
  readonly accounts: AccountsPart['accounts']
  readonly approvals: Pick<PlatformPart, 'db' | 'encryptor' | 'publicUrl'>
}

function wirePolicyRoutes(
  { db, clock, log }: PlatformPart,
  { api, http }: HttpPart,
  { catalogOf }: ToolkitsPart,
  { accounts, policyCache, sources, approvals }: PolicyParts,
): void {
  policyRoutes(api, { db, catalogOf, policyCache, sources })
  untrustedSourceRoutes(api, { sources, sessionExists: (projectId, id) => sessionExists(db, projectId, id) })
  approvalRoutes(api, approvals)
  approvalBrowserRoutes(http, { ...approvals, catalogOf, clock, log, branding: accounts.branding })
}

/** Counts the bytes of a call that has ended. */
const recordBytes = (meter: BudgetMeter, row: ExecutionRow): Promise<void> | undefined =>
  row.dryRun ? undefined : meter.record(row, 'bytes', row.requestBytes + row.responseBytes)
