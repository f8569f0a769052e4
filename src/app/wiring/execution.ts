import { defaultV3Format, type ProjectScoped } from '../../catalog/index.ts'
import { createEngine, type EngineDeps } from '../../engine/index.ts'
import { requireToolAccess } from '../../features/auth-configs/index.ts'
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
import { newId } from '../../platform/ids.ts'
import type { AppOptions } from '../options.ts'
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
  const {
    db,
    logDb,
    encryptor,
    egress,
    egressOf,
    clock,
    log,
    publicUrl,
    brand,
    metrics,
    changes,
    throttling,
  } = platform
  const { api, http } = httpPart
  const { catalogOf, logo, metricLabel } = toolkits
  const { model, logRetentionDays = 0 } = options
  const policyCache = createPolicyCache({ db, canCache: () => changes.connected })
  changes.on('policies_changed', policyCache.clear, policyCache.clear)
  const approvals = { db, encryptor, publicUrl }
  const sessionRules = createSessionRulesReader(db)
  const sources = createSourceTracker(db)
  const files = fileService({ db, encryptor, clock, settings: options.files })
  const writeLogRow = createLogWriter(logDb, encryptor)
  const engineDeps: ProjectScoped<EngineDeps> = {
    catalogOf,
    policies: createCallPolicies({ ...approvals, policyCache, sessionRules, sources }),
    hooks: createSessionHooks({ db, encryptor, egress, clock, brand, model, sessionRules }),
    egressOf,
    clock,
    throttling,
    accounts: engineAccounts,
    files,
    model,
    recordings: options.recordings,
    tracing: platform.tracing,
    newLogId: () => newId('log'),
    writeLogRow(row) {
      if (row.successful !== null)
        metrics.executed(metricLabel(row.toolkitSlug), row.successful ? 'success' : 'failure')
      return writeLogRow(row)
    },
  }
  const engine = createEngine(engineDeps)
  toolRoutes(api, {
    db,
    encryptor,
    catalogOf,
    logo,
    v3ParameterFormat: defaultV3Format(options.wireBrand),
    toolsOfAuthConfigs: (projectId, ids) => requireToolAccess(db, projectId, ids),
    executeTool: engine.executeTool,
    executeProxy: engine.executeProxy,
    generateArguments: engine.generateArguments,
    gatewayHeaders: options.llmGatewayHeaders ?? [],
  })
  fileRoutes(api, files)
  fileContentRoutes(http, files)
  const logStreams = createLogStreams({
    db,
    log,
    now: () => clock.now(),
    pollMs: options.logStreamPollMs,
    heartbeatMs: options.streamHeartbeatMs,
  })
  logRoutes(api, {
    db,
    encryptor,
    streams: logStreams,
    appNames: async (projectId, slug) => ({
      name: (await catalogOf(projectId)).toolkit(slug)?.name ?? slug,
      icon: logo(slug),
    }),
  })
  policyRoutes(api, { db, catalogOf, policyCache, sources })
  untrustedSourceRoutes(api, { sources, sessionExists: (projectId, id) => sessionExists(db, projectId, id) })
  approvalRoutes(api, approvals)
  approvalBrowserRoutes(http, { ...approvals, catalogOf, clock, log, branding: accounts.branding })
  wireDemo(options, platform, httpPart, engineDeps)
  return {
    engine,
    approvals,
    files,
    sources,
    writeLogRow,
    logStreams,
    recentToolUses: createToolUses({ db, log }),
    schedules: [
      ...policySchedules({ db, logRetentionDays }),
      ...fileSchedules(files),
      ...logSchedules({ db, logRetentionDays }),
      ...toolSchedules({ db }),
    ],
  }
}
