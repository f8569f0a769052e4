import * as contract from '../../../../contract/webhook-endpoints.ts'
import type { Api } from '../../../../platform/http/call.ts'
import { masked } from '../../../auth-configs/index.ts'
import { openData } from './sealed.ts'
import { type EndpointDeps, endpointService } from './service.ts'
import type { EndpointRow } from './store.ts'

/** The address that is entered in the settings of an app, and that of a single instance. */
export const ingressUrl = (publicUrl: string, toolkit: string, address: string): string =>
  `${publicUrl}/api/v3.1/webhook_ingress/${toolkit}/${address}/trigger_event`

export function webhookEndpointRoutes(api: Api, deps: EndpointDeps & { publicUrl: string }): void {
  const service = endpointService(deps)

  api.on(contract.listWebhookEndpoints, async ({ projectId, query }) => ({
    items: (await service.list(projectId, query.toolkit_slug)).map(({ id, toolkit_slug, client_id }) => ({
      id,
      toolkit_slug,
      client_id,
    })),
  }))
  api.on(contract.createWebhookEndpoint, async ({ projectId, body, otherwise }) => {
    const { row, created } = await service.create(projectId, body.toolkit_slug, body.client_id ?? null)
    if (!created) otherwise()
    return present(projectId, row)
  })
  api.on(contract.readWebhookEndpointSchema, async ({ projectId, query }) => {
    const { slug, webhook } = await service.webhookOf(projectId, query.toolkit_slug)
    const fields = webhook.setup.map(
      ({ name, display_name, description, required = true, secret = false }) =>
        [name, { display_name, description, is_required: required, is_secret: secret }] as const,
    )
    return { toolkit_slug: slug, setup_fields: Object.fromEntries(fields) }
  })
  api.on(contract.readWebhookEndpoint, async ({ projectId, params }) =>
    present(projectId, await service.read(projectId, params.nano_id)),
  )
  api.on(contract.mergeWebhookEndpoint, async ({ projectId, params, body }) =>
    present(projectId, await service.merge(projectId, params.nano_id, body.data)),
  )
  api.on(contract.replaceWebhookEndpoint, async ({ projectId, params, body }) =>
    present(projectId, await service.replace(projectId, params.nano_id, body.data)),
  )
  api.on(contract.deleteWebhookEndpoint, async ({ projectId, params }) => {
    await service.remove(projectId, params.nano_id)
    return { success: true }
  })

  async function present(projectId: string, row: EndpointRow): Promise<contract.WebhookEndpoint> {
    const { id, toolkit_slug, client_id, verified_at, created_at } = row
    const { setup, handshakes } = await service.webhookOf(projectId, toolkit_slug).then(
      ({ webhook }) => webhook,
      () => ({ setup: [], handshakes: [] }),
    )
    const open = new Set(setup.filter(({ secret }) => !secret).map(({ name }) => name))
    // Somebody has to compare it with what the application shows, or enter it there; once it is used that is over.
    if (!verified_at)
      for (const { manifest } of handshakes)
        for (const name of Object.keys(manifest.save ?? {})) open.add(name)
    const data = Object.fromEntries(
      Object.entries(openData(deps.encryptor, row)).map(([name, value]) => [
        name,
        open.has(name) ? value : masked(value),
      ]),
    )
    return {
      id,
      toolkit_slug,
      client_id,
      webhook_url: ingressUrl(deps.publicUrl, toolkit_slug, id),
      data: row.data ? data : null,
      created_at: created_at.toISOString(),
      verified_at: verified_at?.toISOString() ?? null,
    }
  }
}
