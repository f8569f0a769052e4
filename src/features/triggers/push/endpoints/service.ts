import type { CatalogOf, CompiledWebhook } from '../../../../catalog/index.ts'
import type { Encryptor } from '../../../../platform/crypto/index.ts'
import type { Pool } from '../../../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../../../platform/http/api-error.ts'
import { newId } from '../../../../platform/ids.ts'
import { isMaskOf } from '../../../auth-configs/index.ts'
import { type EndpointData, openData, sealData } from './sealed.ts'
import * as store from './store.ts'

export interface EndpointDeps {
  db: Pool
  encryptor: Encryptor
  catalogOf: CatalogOf
}

/** Of one project. */
const ENDPOINTS_MAX = 200

/** The rules of webhook endpoints. Every function takes the project; ids of others are missing ones. */
export function endpointService({ db, encryptor, catalogOf }: EndpointDeps) {
  const notFound = (id: string) =>
    new ApiError('WebhookEndpoint_NotFound', `Webhook endpoint ${id} not found`)

  /** How events of an app of this toolkit arrive. @throws ApiError where there are none */
  async function webhookOf(
    projectId: string,
    given: string,
  ): Promise<{ slug: string; webhook: CompiledWebhook }> {
    const catalog = await catalogOf(projectId)
    const toolkit = catalog.toolkit(given)
    if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${given} not found`)
    const webhook = catalog
      .triggers(toolkit.slug, 'latest')
      .find(({ trigger }) => trigger.webhook?.scope === 'app')?.trigger.webhook
    if (!webhook)
      throw new ApiError(
        'WebhookEndpoint_NotSupported',
        `${toolkit.name} has no trigger whose events arrive at a webhook endpoint.`,
      )
    return { slug: toolkit.slug, webhook }
  }

  async function read(projectId: string, id: string): Promise<store.EndpointRow> {
    const row = await store.find(db, projectId, id)
    if (!row) throw notFound(id)
    return row
  }

  /** Fields that the manifest knows, each a text. */
  async function change(
    projectId: string,
    id: string,
    sent: Readonly<Record<string, string | null>>,
    begin: (stored: EndpointData) => EndpointData,
  ): Promise<store.EndpointRow> {
    const { toolkit_slug: slug } = await read(projectId, id)
    const { webhook } = await webhookOf(projectId, slug)
    const fields = new Map(webhook.setup.map((field) => [field.name, field]))
    const known = [
      ...fields.keys(),
      ...webhook.handshakes.flatMap(({ manifest }) => Object.keys(manifest.save ?? {})),
    ]
    const unknown = Object.keys(sent).filter((name) => !known.includes(name))
    if (unknown.length > 0)
      throw badRequest(
        ...unknown.map(
          (name) =>
            `Error in payload.data.${name}: is no set-up field of ${slug}; there are ${known.join(', ') || 'none'}`,
        ),
      )
    return db.begin(async (tx) => {
      const row = await store.findForUpdate(tx, projectId, id)
      if (!row) throw notFound(id)
      const stored = openData(encryptor, row)
      const data: Record<string, string> = { ...begin(stored) }
      for (const [name, value] of Object.entries(sent)) {
        const before = Object.hasOwn(stored, name) ? stored[name]! : undefined
        if (value === null || value === '') {
          delete data[name]
          continue
        }
        if (isMaskOf(value, before)) {
          if (before !== undefined) data[name] = before
          continue
        }
        const { pattern, enum: words } = fields.get(name) ?? {}
        if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value))
          throw badRequest(`Error in payload.data.${name}: must match ${pattern}`)
        if (words && !words.includes(value))
          throw badRequest(`Error in payload.data.${name}: must be one of ${words.join(', ')}`)
        data[name] = value.trim()
      }
      return (await store.write(tx, projectId, id, sealData(encryptor, id, data))) as store.EndpointRow
    })
  }

  return {
    read,
    webhookOf,
    list: (projectId: string, toolkit: string | undefined) =>
      store.list(db, projectId, toolkit?.toLowerCase(), ENDPOINTS_MAX),

    async create(
      projectId: string,
      toolkit: string,
      clientId: string | null,
    ): Promise<{ row: store.EndpointRow; created: boolean }> {
      const { slug } = await webhookOf(projectId, toolkit)
      const same = await store.findSame(db, projectId, slug, clientId)
      if (same) return { row: same, created: false }
      if ((await store.count(db, projectId)) >= ENDPOINTS_MAX)
        throw new ApiError(
          'WebhookEndpoint_LimitReached',
          `A project has at most ${ENDPOINTS_MAX} webhook endpoints.`,
        )
      const made = await store.insert(db, {
        id: newId('we'),
        project_id: projectId,
        toolkit_slug: slug,
        client_id: clientId,
      })
      return made
        ? { row: made, created: true }
        : { row: (await store.findSame(db, projectId, slug, clientId)) as store.EndpointRow, created: false }
    },

    merge: (projectId: string, id: string, sent: Readonly<Record<string, string | null>>) =>
      change(projectId, id, sent, (stored) => stored),
    replace: (projectId: string, id: string, sent: Readonly<Record<string, string | null>>) =>
      change(projectId, id, sent, () => ({})),

    async remove(projectId: string, id: string): Promise<void> {
      if ((await store.remove(db, projectId, id)) === 0) throw notFound(id)
    },
  }
}
