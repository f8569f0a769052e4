import * as contract from '../../../../contract/triggers/index.ts'
import type { Api } from '../../../../platform/http/call.ts'
import { maskValue } from '../../../auth-configs/index.ts'
import { decryptData } from './data.ts'
import * as service from './service.ts'
import type { EndpointRow } from './store.ts'

/** The URL that is entered in the settings of an OAuth app, or registered for a single instance. */
export const ingressUrl = (publicUrl: string, toolkit: string, token: string): string =>
  `${publicUrl}/api/v3.1/webhook_ingress/${toolkit}/${token}/trigger_event`

export interface EndpointRouteDeps extends service.EndpointDeps {
  publicUrl: string
}

export function webhookEndpointRoutes(api: Api, deps: EndpointRouteDeps): void {
  api.on(contract.listWebhookEndpoints, async ({ projectId, query }) => ({
    items: (await service.listEndpoints(deps, projectId, query.toolkit_slug)).map(
      ({ id, toolkit_slug, client_id }) => ({ id, toolkit_slug, client_id }),
    ),
  }))
  api.on(contract.createWebhookEndpoint, async ({ projectId, body, useAlternateStatus }) => {
    const { toolkit_slug: toolkit, client_id: clientId = null } = body
    const { row, created } = await service.createEndpoint(deps, projectId, toolkit, clientId)
    if (!created) useAlternateStatus()
    return presentEndpoint(deps, projectId, row)
  })
  api.on(contract.readWebhookEndpointSchema, async ({ projectId, query }) => {
    const { slug, webhook } = await service.findAppWebhook(deps, projectId, query.toolkit_slug)
    const fields = webhook.setup.map(
      ({ name, display_name, description, required = true, secret = false }) =>
        [name, { display_name, description, is_required: required, is_secret: secret }] as const,
    )
    return { toolkit_slug: slug, setup_fields: Object.fromEntries(fields) }
  })
  api.on(contract.readWebhookEndpoint, async ({ projectId, params }) =>
    presentEndpoint(deps, projectId, await service.readEndpoint(deps, projectId, params.nano_id)),
  )
  api.on(contract.mergeWebhookEndpoint, async ({ projectId, params, body }) =>
    presentEndpoint(
      deps,
      projectId,
      await service.mergeEndpointData(deps, projectId, params.nano_id, body.data),
    ),
  )
  api.on(contract.replaceWebhookEndpoint, async ({ projectId, params, body }) =>
    presentEndpoint(
      deps,
      projectId,
      await service.replaceEndpointData(deps, projectId, params.nano_id, body.data),
    ),
  )
  api.on(contract.deleteWebhookEndpoint, async ({ projectId, params }) => {
    await service.deleteEndpoint(deps, projectId, params.nano_id)
    return { success: true }
  })
}

async function presentEndpoint(
  deps: EndpointRouteDeps,
  projectId: string,
  row: EndpointRow,
): Promise<contract.WebhookEndpoint> {
  const clear = await clearFields(deps, projectId, row)
  const data = Object.entries(decryptData(deps.encryptor, row)).map(
    ([name, value]) => [name, clear.has(name) ? value : maskValue(value)] as const,
  )
  return {
    id: row.id,
    toolkit_slug: row.toolkit_slug,
    client_id: row.client_id,
    webhook_url: ingressUrl(deps.publicUrl, row.toolkit_slug, row.id),
    data: row.data ? Object.fromEntries(data) : null,
    created_at: row.created_at.toISOString(),
    verified_at: row.verified_at?.toISOString() ?? null,
  }
}

/** The fields that are returned in clear. */
async function clearFields(
  deps: EndpointRouteDeps,
  projectId: string,
  { toolkit_slug, verified_at }: EndpointRow,
): Promise<ReadonlySet<string>> {
  const { setup, handshakes } = await service.findAppWebhook(deps, projectId, toolkit_slug).then(
    ({ webhook }) => webhook,
    () => ({ setup: [], handshakes: [] }),
  )
  const names = new Set(setup.filter(({ secret }) => !secret).map(({ name }) => name))
  // A user compares or copies the values of handshakes in the settings of the application, until the first delivery.
  if (!verified_at)
    for (const { manifest } of handshakes)
      for (const name of Object.keys(manifest.save ?? {})) names.add(name)
  return names
}
