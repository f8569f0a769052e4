import { bindToProject } from '../../catalog/index.ts'
import type { AuthConfigDeps } from '../../features/auth-configs/index.ts'
import {
  type AccountCache,
  type AccountDeps,
  accountSchedules,
  browserRoutes,
  createAccountCache,
  createEngineAccounts,
  createProviderRequestLog,
  disableAccountsOfAuthConfig,
  revocationTasks,
  scheduleAuthConfigRevocations,
  type SharedAccountDeps,
} from '../../features/connected-accounts/index.ts'
import { findProjectBranding, projectRoutes } from '../../features/projects/index.ts'
import { callbackUrl } from '../../features/toolkits/index.ts'
import { followAccountStatus } from '../../features/triggers/index.ts'
import { projectWebhooksOf } from '../../features/webhooks/index.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'
import type { ToolkitsPart } from './toolkits.ts'

export type AccountsPart = ReturnType<typeof wireAccounts>

/** Projects, auth configs and connected accounts. */
export function wireAccounts(
  platform: PlatformPart,
  { api, http, authenticator }: HttpPart,
  toolkits: ToolkitsPart,
) {
  const { db, encryptor, clock, log, publicUrl, egressOf } = platform
  const { catalogOf, instance, managed, managedSchemes, logo, metricLabel } = toolkits
  const providerRequests = createProviderRequestLog(db, log)
  const accounts: SharedAccountDeps = {
    db,
    encryptor,
    catalogOf,
    instance,
    managed,
    egressOf,
    clock,
    log,
    providerRequests,
    publicUrl,
    callbackUrl: callbackUrl(publicUrl),
    branding: (projectId) => findProjectBranding(db, projectId),
    onAccountStatusChanged: followAccountStatus,
    consentPage: platform.consentPage,
    validateCredentials: platform.validateCredentials,
    tracing: platform.tracing,
    countRefresh: (toolkit, outcome) => platform.metrics.refreshed(metricLabel(toolkit), outcome),
  }
  const engineAccounts = createEngineAccounts(accounts, followAccounts(platform))
  const authConfigs: AuthConfigDeps = {
    db,
    encryptor,
    catalogOf,
    logo,
    managedSchemes,
    revokeAccounts: scheduleAuthConfigRevocations,
    disableAccounts: (tx, projectId, id) => disableAccountsOfAuthConfig(accounts, tx, projectId, id),
  }
  projectRoutes(api, {
    clock,
    db,
    encryptor,
    keysChanged: authenticator.forget,
    host: new URL(publicUrl).hostname,
    webhooksOf: (ids) => projectWebhooksOf({ db, encryptor }, ids),
  })
  browserRoutes(http, accounts)
  return {
    accounts,
    onAccountStatusChanged: followAccountStatus,
    accountDepsOf: (projectId: string) => bindToProject<AccountDeps>(accounts, projectId),
    engineAccounts,
    authConfigs,
    providerRequests,
    schedules: accountSchedules(accounts, engineAccounts.refreshToken),
    tasks: revocationTasks(accounts),
  }
}

/** The accounts in memory. Reports of changes remove them. */
function followAccounts({ changes }: PlatformPart): AccountCache {
  const cache = createAccountCache(() => changes.confirm())
  changes.on(
    'accounts_changed',
    ({ projectId, userId }) => cache.forget(projectId, userId),
    () => cache.forgetAll(),
  )
  return cache
}
