import type { ApiVersion } from '../../contract/route.ts'
import * as contract from '../../contract/webhooks.ts'
import { maskKey } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { openSecret } from './secrets.ts'
import { type WebhookDeps, webhookService } from './service.ts'
import * as store from './store.ts'
import type { SubscriptionRow } from './store.ts'

const OVERLAP_HOURS = 24

const LEGACY_VERSION = 'V2'

export function webhookRoutes(api: Api, deps: WebhookDeps): void {
  const service = webhookService(deps)

  api.on(contract.createWebhook, async ({ projectId, body }) =>
    present(await service.create(projectId, body)),
  )
  api.on(contract.listWebhooks, async ({ projectId, query, apiVersion }) => {
    const page = readPage(query)
    const { rows, total } = await service.list(projectId, page)
    return pageOf(
      rows.map((row) => present(row, apiVersion)),
      total,
      page,
    )
  })
  api.on(contract.listEventTypes, async () => ({
    items: Object.entries(contract.EVENT_TYPES).map(([type, { description, versions }]) => ({
      event_type: type as contract.EventType,
      description,
      supported_versions: [...versions],
    })),
  }))
  api.on(contract.readWebhook, async ({ projectId, params, apiVersion }) =>
    present(await service.read(projectId, params.id), apiVersion),
  )
  api.on(contract.updateWebhook, async ({ projectId, params, body, apiVersion }) =>
    present(await service.update(projectId, params.id, body), apiVersion),
  )
  api.on(contract.deleteWebhook, async ({ projectId, params }) => {
    await service.remove(projectId, params.id)
    return { success: true }
  })
  api.on(contract.rotateWebhookSecret, async ({ projectId, params, body }) => {
    const row = await service.rotate(projectId, params.id, body.overlap_hours ?? OVERLAP_HOURS)
    return {
      id: row.id,
      secret: openSecret(deps.encryptor, row),
      former_secret_until: row.former_until?.toISOString() ?? null,
    }
  })

  api.on(contract.testWebhook, async ({ projectId, organizationId, params, signal }) => {
    const caller = { projectId, organizationId }
    const { retry_after_s: _, response, ...attempt } = await service.test(caller, params.id, signal)
    return { ...attempt, answer: response }
  })

  api.on(contract.readProjectWebhook, ({ projectId }) => ofProject(projectId))
  api.on(
    contract.updateProjectWebhook,
    async ({ projectId, body: { webhook_url, webhook_version: version } }) => {
      const row = await store.ofProject(deps.db, projectId)
      if (row) await service.update(projectId, row.id, { webhook_url, ...(version ? { version } : {}) })
      else
        await service.create(projectId, {
          webhook_url,
          enabled_events: ['service.trigger.message'],
          version: version ?? LEGACY_VERSION,
        })
      return ofProject(projectId)
    },
  )
  api.on(contract.refreshProjectWebhook, async ({ projectId }) => {
    const row = await service.rotate(projectId, (await needed(projectId)).id, OVERLAP_HOURS)
    return { webhook_secret: openSecret(deps.encryptor, row) }
  })
  api.on(contract.deleteProjectWebhook, async ({ projectId }) => {
    await service.remove(projectId, (await needed(projectId)).id)
    return { success: true }
  })

  async function ofProject(projectId: string) {
    const [addresses, row] = await Promise.all([
      store.addressesOf(deps.db, [projectId]),
      store.ofProject(deps.db, projectId),
    ])
    return {
      webhook_url: null,
      event_webhook_url: null,
      ...addresses.get(projectId),
      webhook_version: row?.version ?? null,
    }
  }

  async function needed(projectId: string): Promise<SubscriptionRow> {
    const row = await store.ofProject(deps.db, projectId)
    if (!row) throw new ApiError('WebhookSubscription_NotFound', 'The project has no webhook.')
    return row
  }

  /** The secret in clear on v3, and where it was just made; else masked. */
  function present(
    {
      id,
      webhook_url,
      version,
      enabled_events,
      max_at_once,
      max_per_second,
      created_at,
      updated_at,
      ...row
    }: SubscriptionRow,
    apiVersion: ApiVersion = 'v3',
  ): contract.WebhookSubscription {
    const secret = openSecret(deps.encryptor, { id, secret: row.secret })
    const state = {
      disabled_at: row.disabled_at?.toISOString() ?? null,
      disabled_reason: row.disabled_reason,
      failing_since: row.failing_since?.toISOString() ?? null,
    }
    return {
      id,
      webhook_url,
      version,
      enabled_events,
      max_at_once,
      max_per_second,
      ...state,
      secret: apiVersion === 'v3' ? secret : maskKey(secret),
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    }
  }
}
