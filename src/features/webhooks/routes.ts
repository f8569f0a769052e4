import { EVENT_TYPES, type EventType } from '../../contract/events/event-types.ts'
import type { ApiVersion } from '../../contract/route.ts'
import * as contract from '../../contract/webhooks/index.ts'
import { type Encryptor, maskKey } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import type { KeyPermissions } from '../../platform/http/key-permissions.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { publicKeyOf } from '../../platform/webhook-signature.ts'
import {
  formatDeliveryCursor,
  type ListedDelivery,
  listDeliveries,
  parseDeliveryCursor,
} from './delivery/list-deliveries.ts'
import { decryptSecret, decryptSigningKey } from './subscriptions/secrets.ts'
import * as service from './subscriptions/service.ts'
import { webhookUrlsOf } from './subscriptions/project-webhook-store.ts'
import { findProjectWebhook, type SubscriptionRow } from './subscriptions/store.ts'

const OVERLAP_HOURS_DEFAULT = 24
/** The payload version of projects that use the older API path. */
const LEGACY_VERSION = 'V2'

export function webhookRoutes(api: Api, deps: service.WebhookDeps): void {
  const { encryptor } = deps
  api.on(contract.createWebhook, async ({ body, ...caller }) => {
    const { row, approvalSecret } = await service.createSubscription(deps, caller, body)
    return presentSubscription(encryptor, row, { showsSecret: true, approvalSecret })
  })
  api.on(contract.listWebhooks, async ({ projectId, query, ...caller }) => {
    const page = readPage(query)
    const { rows, total, next } = await service.listSubscriptions(deps, projectId, page)
    return pageOf(
      rows.map((row) => presentSubscription(encryptor, row, { showsSecret: mayReadSecrets(caller) })),
      total,
      page,
      next,
    )
  })
  api.on(contract.listEventTypes, async () => ({
    items: Object.entries(EVENT_TYPES).map(([type, { description, versions }]) => ({
      event_type: type as EventType,
      description,
      supported_versions: [...versions],
    })),
  }))
  api.on(contract.readWebhook, async ({ projectId, params, ...caller }) =>
    presentSubscription(encryptor, await service.readSubscription(deps, projectId, params.id), {
      showsSecret: mayReadSecrets(caller),
    }),
  )
  api.on(contract.updateWebhook, async ({ params, body, ...caller }) => {
    const { row, approvalSecret } = await service.updateSubscription(deps, caller, params.id, body)
    // Programs set their webhook at each start and verify with the secret of the response: a request that names the
    // URL returns it as the creation does.
    const showsSecret =
      mayReadSecrets(caller) || (body.webhook_url !== undefined && caller.permissions === null)
    return presentSubscription(encryptor, row, { showsSecret, approvalSecret })
  })
  api.on(contract.deleteWebhook, async ({ params, ...caller }) => {
    await service.deleteSubscription(deps, caller, params.id)
    return { success: true }
  })
  deliveryRoutes(api, deps)
  secretRoutes(api, deps)
  testWebhookRoute(api, deps)
  projectWebhookRoutes(api, deps)
}

function deliveryRoutes(api: Api, deps: service.WebhookDeps): void {
  api.on(contract.listWebhookDeliveries, async ({ projectId, params: { id }, query }) => {
    await service.readSubscription(deps, projectId, id)
    const { limit } = readPage({ limit: query.limit })
    const after = query.cursor === undefined ? undefined : parseDeliveryCursor(query.cursor)
    const filter = { subscriptionId: id, status: query.status, after }
    const rows = await listDeliveries(deps.db, projectId, filter, limit + 1)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map(presentDelivery),
      next_cursor: last ? formatDeliveryCursor(last) : null,
    }
  })
}

function presentDelivery(row: ListedDelivery): contract.SubscriptionDelivery {
  const { id, event_id, type, status, attempts, created_at, next_at, finished_at, last_attempt } = row
  return {
    id,
    event_id,
    event_type: `service.${type}` as EventType,
    status,
    attempts,
    created_at: created_at.toISOString(),
    next_at: status === 'pending' ? next_at.toISOString() : null,
    finished_at: finished_at?.toISOString() ?? null,
    last_attempt: last_attempt && {
      ...last_attempt,
      ended_at: last_attempt.ended_at.toISOString(),
    },
  }
}

function secretRoutes(api: Api, deps: service.WebhookDeps): void {
  api.on(contract.rotateWebhookSecret, async ({ projectId, params, body }) => {
    const overlapHours = body.overlap_hours ?? OVERLAP_HOURS_DEFAULT
    const row = await service.rotateSecret(deps, projectId, params.id, overlapHours)
    return {
      id: row.id,
      secret: decryptSecret(deps.encryptor, row),
      former_secret_until: row.former_until?.toISOString() ?? null,
    }
  })
  api.on(contract.rotateApprovalSecret, async ({ projectId, params: { id } }) => ({
    id,
    approval_secret: await service.rotateApprovalSecret(deps, projectId, id),
  }))
}

function testWebhookRoute(api: Api, deps: service.WebhookDeps): void {
  api.on(contract.testWebhook, async ({ projectId, organizationId, params, signal }) => {
    const caller = { projectId, organizationId }
    const {
      retry_after_s: _,
      response,
      ...result
    } = await service.testSubscription(deps, caller, params.id, signal)
    return { ...result, answer: response }
  })
}

/** The older API, in which a project has one webhook. */
function projectWebhookRoutes(api: Api, deps: service.WebhookDeps): void {
  const { db, encryptor } = deps
  api.on(contract.readProjectWebhook, ({ projectId }) => presentProjectWebhook(deps, projectId))
  api.on(contract.updateProjectWebhook, async ({ body, ...caller }) => {
    const { projectId } = caller
    const { webhook_url, webhook_version: version } = body
    const row = await findProjectWebhook(db, projectId)
    if (row) await service.updateSubscription(deps, caller, row.id, { webhook_url, version })
    else
      await service.createSubscription(deps, caller, {
        webhook_url,
        enabled_events: ['service.trigger.message'],
        version: version ?? LEGACY_VERSION,
      })
    return presentProjectWebhook(deps, projectId)
  })
  api.on(contract.refreshProjectWebhook, async ({ projectId }) => {
    const { id } = await readProjectWebhook(deps, projectId)
    const row = await service.rotateSecret(deps, projectId, id, OVERLAP_HOURS_DEFAULT)
    return { webhook_secret: decryptSecret(encryptor, row) }
  })
  api.on(contract.deleteProjectWebhook, async (caller) => {
    await service.deleteSubscription(deps, caller, (await readProjectWebhook(deps, caller.projectId)).id)
    return { success: true }
  })
}

async function presentProjectWebhook({ db }: service.WebhookDeps, projectId: string) {
  const [urls, row] = await Promise.all([webhookUrlsOf(db, [projectId]), findProjectWebhook(db, projectId)])
  return {
    webhook_url: null,
    event_webhook_url: null,
    ...urls.get(projectId),
    webhook_version: row?.version ?? null,
  }
}

async function readProjectWebhook({ db }: service.WebhookDeps, projectId: string): Promise<SubscriptionRow> {
  const row = await findProjectWebhook(db, projectId)
  if (!row) throw new ApiError('WebhookSubscription_NotFound', 'The project has no webhook.')
  return row
}

/** v3 shows the secret to keys without restrictions. Restricted keys could sign messages with it. */
const mayReadSecrets = ({
  apiVersion,
  permissions,
}: {
  apiVersion: ApiVersion
  permissions: KeyPermissions
}): boolean => apiVersion === 'v3' && permissions === null

function presentSubscription(
  encryptor: Encryptor,
  row: SubscriptionRow,
  { showsSecret, approvalSecret = null }: { showsSecret: boolean; approvalSecret?: string | null },
): contract.WebhookSubscription {
  const secret = decryptSecret(encryptor, row)
  const signingKey = decryptSigningKey(encryptor, row)
  return {
    id: row.id,
    webhook_url: row.webhook_url,
    version: row.version,
    enabled_events: row.enabled_events,
    max_at_once: row.max_at_once,
    max_per_second: row.max_per_second,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    secret: showsSecret ? secret : maskKey(secret),
    approval_secret: approvalSecret,
    public_key: signingKey === undefined ? null : publicKeyOf(signingKey),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
