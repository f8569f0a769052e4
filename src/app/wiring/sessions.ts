import { authConfigsForSessions, authConfigService } from '../../features/auth-configs/index.ts'
import {
  createConnectLink,
  deleteAccount,
  listSessionAccounts,
  updateAccount,
} from '../../features/connected-accounts/index.ts'
import { sessionDecisionRoute } from '../../features/policies/index.ts'
import { findHookProblems } from '../../features/sessions/hooks/index.ts'
import {
  createManagedConfig,
  createSessionService,
  noteRoutes,
  openScope,
  savedConfigRoutes,
  sessionEndpoint,
  sessionMetaToolRoutes,
  sessionMountRoutes,
  sessionRoutes,
  type SessionScope,
  sessionToolRoutes,
} from '../../features/sessions/index.ts'
import { createMetaTools, offloadResult } from '../../features/sessions/meta-tools/index.ts'
import { createWorkbench, serveForwardedRuns, type Workbench } from './workbench.ts'
import { systemWait } from '../../platform/clock.ts'
import type { AppOptions } from '../options.ts'
import type { AccountsPart } from './accounts.ts'
import type { ExecutionPart } from './execution.ts'
import type { HttpPart } from './http.ts'
import type { McpPart } from './mcp.ts'
import type { PlatformPart } from './platform.ts'
import type { ToolkitsPart } from './toolkits.ts'

interface Parts {
  options: AppOptions
  platform: PlatformPart
  httpPart: HttpPart
  toolkits: ToolkitsPart
  accounts: AccountsPart
  execution: ExecutionPart
  mcp: McpPart
}

/** Tool-router sessions with their meta tools, hooks and files. */
export function wireSessions(parts: Parts) {
  const { platform, httpPart, toolkits, execution, mcp } = parts
  const { db, version } = platform
  const { api, http } = httpPart
  const { catalogOf } = toolkits
  const workbench = wireWorkbench(parts)
  const deps = sessionDeps(parts, workbench)
  if (workbench)
    serveForwardedRuns(
      { ...workbench, isMeta: (slug) => deps.metaTools.has(deps.fromWireName(slug.toUpperCase())) },
      platform,
      async (id, caller) => openScope(deps, caller, await deps.service.readAndTouch(caller.projectId, id)),
    )
  sessionRoutes(api, deps)
  sessionToolRoutes(api, deps)
  savedConfigRoutes(api, { db, catalogOf })
  noteRoutes(api, { db, encryptor: platform.encryptor })
  sessionMetaToolRoutes(api, deps)
  sessionMountRoutes(api, deps)
  sessionDecisionRoute(api, { ...deps, ...execution.approvals })
  sessionEndpoint(http, {
    ...deps,
    ...mcp.accessFor('session'),
    db,
    serving: mcp.serving,
    turns: httpPart.turns,
    version,
  })
  return {
    service: deps.service,
    /** The first call tries it again, but reports no details, which the administrator needs. */
    prepareSandboxes: () =>
      void workbench?.sandboxes
        .prepare()
        .catch((error: unknown) => platform.log.warn({ err: error }, 'sandboxes could not be prepared')),
    close: async () => {
      await workbench?.sandboxes.close()
      await workbench?.lease
        .releaseAll()
        .catch((error: unknown) => platform.log.debug({ err: error }, 'sessions could not be released'))
    },
  }
}

function sessionDeps(parts: Parts, workbench: Workbench | undefined) {
  const { options, platform, toolkits, execution } = parts
  const { db, encryptor, clock, publicUrl } = platform
  const { catalogOf, logo, managedSchemes } = toolkits
  const { engine, files, writeLogRow } = execution
  const storeFile = fileWriter(parts)
  return {
    catalogOf,
    publicUrl,
    clock,
    execute: engine.executeTool,
    proxy: engine.executeProxy,
    logo,
    managedSchemes,
    mounts: files.mounts,
    offload: (scope: SessionScope, data: Record<string, unknown>) =>
      offloadResult(scope, data, (name, bytes) => storeFile(scope, name, bytes)),
    service: createSessionService({
      db,
      catalogOf,
      findHookProblems: (projectId, config) =>
        findHookProblems(
          { db, encryptor, hasModel: options.model !== undefined, now: clock.now() },
          projectId,
          config,
        ),
      releaseFiles: async (tx, projectIds, ids) => {
        for (const id of ids) workbench?.sandboxes.stop(id, 'the session was deleted')
        await files.mounts.expireFiles(tx, projectIds, ids)
      },
    }),
    record: writeLogRow,
    ...brandedNames(platform),
    ...metaToolDeps(parts, storeFile, workbench),
    ...connectionDeps(parts),
  }
}

/** The sandboxes of this process, if code may run. */
function wireWorkbench({ options, platform, execution }: Parts): Workbench | undefined {
  return options.workbench && createWorkbench(options.workbench, options, platform, execution)
}

const brandedNames = ({ brand }: PlatformPart) => ({
  toWireName: (slug: string) => brand.toWire(slug as Parameters<typeof brand.toWire>[0]),
  fromWireName: brand.fromWire,
})

/** Stores large results in the reserved folder of the session's files. */
const fileWriter =
  ({ execution }: Parts) =>
  async ({ projectId, sessionId, caller }: SessionScope, name: string, bytes: Buffer) => {
    const { url, expiresAt } = await execution.files.mounts.write(
      projectId,
      sessionId,
      { path: `.service/output/${name}`, mimetype: 'application/json', bytes },
      caller.settings.fileUrlSeconds,
    )
    return { url, expiresAt: expiresAt.toISOString() }
  }

function metaToolDeps(
  { options, platform, toolkits, accounts, execution }: Parts,
  storeFile: ReturnType<typeof fileWriter>,
  workbench: Workbench | undefined,
) {
  const { db, encryptor, clock } = platform
  const { accountDepsOf } = accounts
  return createMetaTools({
    db,
    encryptor,
    record: execution.writeLogRow,
    recentToolUses: execution.recentToolUses,
    similarityTo: toolkits.embeddings?.similarityTo,
    storedContent: execution.sources,
    clock,
    wait: options.wait ?? systemWait,
    ...brandedNames(platform),
    storeFile,
    workbench,
    renameAccount: async (projectId, id, alias) => {
      await updateAccount(await accountDepsOf(projectId), projectId, id, { alias })
    },
    removeAccount: async (projectId, id) => {
      await deleteAccount(await accountDepsOf(projectId), projectId, id, false)
    },
  })
}

function connectionDeps({ platform: { db }, toolkits, accounts }: Parts) {
  const { accountDepsOf, authConfigs } = accounts
  const { catalogOf, managedSchemes } = toolkits
  const managedConfigDeps = {
    catalogOf,
    managedSchemes,
    createManagedAuthConfig: async (projectId: string, keyId: string, toolkit: string) =>
      (
        await authConfigService(authConfigs).create(projectId, keyId, toolkit, {
          type: 'use_service_managed_auth',
        })
      ).id,
  }
  return {
    accountsForSession: (
      projectId: string,
      userId: string,
      selection: Parameters<typeof listSessionAccounts>[3],
    ) => listSessionAccounts(db, projectId, userId, selection),
    listSessionAuthConfigs: (projectId: string, toolkit: string) =>
      authConfigsForSessions(db, projectId, toolkit),
    createManagedConfig: (projectId: string, keyId: string, toolkit: string) =>
      createManagedConfig(managedConfigDeps, projectId, keyId, toolkit),
    createLink: async (projectId: string, configId: string, draft: Parameters<typeof createConnectLink>[3]) =>
      createConnectLink(await accountDepsOf(projectId), projectId, configId, draft),
  }
}
