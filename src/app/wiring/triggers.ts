import { jwksCache } from '../../auth-schemes/index.ts'
import { defaultV3Format } from '../../catalog/index.ts'
import { authConfigRoutes } from '../../features/auth-configs/index.ts'
import { connectedAccountRoutes } from '../../features/connected-accounts/index.ts'
import { legacyToolkitId } from '../../features/toolkits/index.ts'
import {
  createWebhookPreparer,
  ingressRoutes,
  instanceRoutes,
  type PushDeps,
  registrationTasks,
  startPollWorker,
  triggerLogRoutes,
  triggerSchedules,
  triggerTypeRoutes,
  unregisterOwner,
  webhookEndpointRoutes,
} from '../../features/triggers/index.ts'
import type { AppOptions } from '../options.ts'
import type { AccountsPart } from './accounts.ts'
import type { ExecutionPart } from './execution.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'
import type { ToolkitsPart } from './toolkits.ts'

const POLL_CONNECTIONS = 4

export type TriggersPart = ReturnType<typeof wireTriggers>

/** Trigger instances, polling, and the webhooks of applications. */
export function wireTriggers(
  options: AppOptions,
  platform: PlatformPart,
  { api, http }: HttpPart,
  { catalogOf, logo, metricLabel }: ToolkitsPart,
  { accounts, engineAccounts, authConfigs }: AccountsPart,
  { engine }: ExecutionPart,
) {
  const { db, encryptor, egress, clock, log, publicUrl, throttling, metrics } = platform
  const push: PushDeps = {
    db,
    encryptor,
    clock,
    log,
    catalogOf,
    publicUrl,
    accounts: engineAccounts,
    requests: engine.openTriggerRequests,
    fetchJwks: jwksCache({ egress, now: () => clock.now() }),
  }
  triggerTypeRoutes(api, { catalogOf, logo, v3ParameterFormat: defaultV3Format(options.wireBrand) })
  instanceRoutes(api, {
    ...push,
    accounts: engineAccounts,
    random: throttling.random,
    webhooks: createWebhookPreparer(push),
  })
  triggerLogRoutes(api, { db: platform.readDb })
  webhookEndpointRoutes(api, { db, encryptor, catalogOf, publicUrl })
  ingressRoutes(http, push)
  const unregister = accountRoutes(api, push, { accounts, authConfigs })
  return {
    unregisterAccount: unregister,
    schedules: triggerSchedules(push),
    tasks: registrationTasks(push),
    /** Polls with connections of its own, so that a slow poll does not delay calls. */
    startPolling() {
      const pollDb = platform.openPool({ max: POLL_CONNECTIONS, applicationName: 'patchbay-poll' })
      const worker = startPollWorker({
        ...push,
        db: pollDb,
        random: throttling.random,
        tracing: platform.tracing,
        metrics: {
          polled: (toolkit, ...rest) => metrics.polled(metricLabel(toolkit), ...rest),
          stats: metrics.polling,
        },
      })
      return {
        async close() {
          await worker.close()
          await pollDb.close()
        },
      }
    },
  }
}

/** The routes whose deletions first remove webhooks at applications. Returns the function for one account. */
function accountRoutes(
  api: HttpPart['api'],
  push: PushDeps,
  { accounts, authConfigs }: Pick<AccountsPart, 'accounts' | 'authConfigs'>,
) {
  const unregister = (projectId: string, accountId: string) => unregisterOwner(push, projectId, { accountId })
  connectedAccountRoutes(api, accounts, unregister)
  const { callbackUrl } = accounts
  authConfigRoutes(
    api,
    { ...authConfigs, legacyId: legacyToolkitId, callbackUrl },
    (projectId, authConfigId) => unregisterOwner(push, projectId, { authConfigId }),
  )
  return unregister
}
