import { matchesPattern } from '../../../../platform/safe-pattern/index.ts'
import { type CatalogOf, type CompiledWebhook, describeMissingToolkit } from '../../../../catalog/index.ts'
import type { Encryptor } from '../../../../platform/crypto/index.ts'
import type { Pool } from '../../../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../../../platform/http/api-error.ts'
import { newId } from '../../../../platform/ids.ts'
import { isMaskOf } from '../../../auth-configs/index.ts'
import { decryptData, encryptData, type EndpointData } from './data.ts'
import * as store from './store.ts'

export interface EndpointDeps {
  db: Pool
  encryptor: Encryptor
  catalogOf: CatalogOf
}

/** Fields of a request; null or an empty string removes a field. */
type DataPatch = Readonly<Record<string, string | null>>

const ENDPOINTS_PER_PROJECT_MAX = 200

// Every function takes the project; the ids of other projects are not found.

/** The webhooks of the OAuth apps of a toolkit. @throws ApiError if it has none */
export async function findAppWebhook(
  { catalogOf }: Pick<EndpointDeps, 'catalogOf'>,
  projectId: string,
  toolkitSlug: string,
): Promise<{ slug: string; webhook: CompiledWebhook }> {
  const catalog = await catalogOf(projectId)
  const toolkit = catalog.toolkit(toolkitSlug)
  if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', describeMissingToolkit(catalog, toolkitSlug))
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

export async function readEndpoint(
  { db }: Pick<EndpointDeps, 'db'>,
  projectId: string,
  id: string,
): Promise<store.EndpointRow> {
  const row = await store.findEndpoint(db, projectId, id)
  if (!row) throw notFound(id)
  return row
}

export const listEndpoints = ({ db }: EndpointDeps, projectId: string, toolkit: string | undefined) =>
  store.listEndpoints(db, projectId, toolkit?.toLowerCase(), ENDPOINTS_PER_PROJECT_MAX)

/** Creates an endpoint, or returns the existing one of the toolkit and client. */
export async function createEndpoint(
  deps: EndpointDeps,
  projectId: string,
  toolkit: string,
  clientId: string | null,
): Promise<{ row: store.EndpointRow; created: boolean }> {
  const { db } = deps
  const { slug } = await findAppWebhook(deps, projectId, toolkit)
  const existing = await store.findByClient(db, projectId, slug, clientId)
  if (existing) return { row: existing, created: false }
  if ((await store.countEndpoints(db, projectId)) >= ENDPOINTS_PER_PROJECT_MAX)
    throw new ApiError(
      'WebhookEndpoint_LimitReached',
      `The project has ${ENDPOINTS_PER_PROJECT_MAX} webhook endpoints, which is the limit. Delete one first.`,
    )
  const row = { id: newId('we'), project_id: projectId, toolkit_slug: slug, client_id: clientId }
  const created = await store.insertEndpoint(db, row)
  if (created) return { row: created, created: true }
  const concurrent = await store.findByClient(db, projectId, slug, clientId)
  return { row: concurrent as store.EndpointRow, created: false }
}

export const mergeEndpointData = (deps: EndpointDeps, projectId: string, id: string, patch: DataPatch) =>
  changeData(deps, projectId, id, patch, (stored) => stored)

export const replaceEndpointData = (deps: EndpointDeps, projectId: string, id: string, patch: DataPatch) =>
  changeData(deps, projectId, id, patch, () => ({}))

export async function deleteEndpoint({ db }: EndpointDeps, projectId: string, id: string): Promise<void> {
  if ((await store.deleteEndpoint(db, projectId, id)) === 0) throw notFound(id)
}

const notFound = (id: string) => new ApiError('WebhookEndpoint_NotFound', `Webhook endpoint ${id} not found`)

/** Applies a patch to what `base` keeps of the stored data. */
async function changeData(
  deps: EndpointDeps,
  projectId: string,
  id: string,
  patch: DataPatch,
  base: (stored: EndpointData) => EndpointData,
): Promise<store.EndpointRow> {
  const { db, encryptor } = deps
  const { toolkit_slug: slug } = await readEndpoint(deps, projectId, id)
  const { webhook } = await findAppWebhook(deps, projectId, slug)
  checkFieldNames(webhook, slug, patch)
  return db.begin(async (tx) => {
    const row = await store.lockEndpoint(tx, projectId, id)
    if (!row) throw notFound(id)
    const stored = decryptData(encryptor, row)
    const data = applyPatch(webhook, stored, base(stored), patch)
    const encrypted = encryptData(await encryptor.ofProject(projectId), id, data)
    return (await store.updateEndpoint(tx, projectId, id, encrypted)) as store.EndpointRow
  })
}

function checkFieldNames({ setup, handshakes }: CompiledWebhook, slug: string, patch: DataPatch): void {
  const known = [
    ...setup.map(({ name }) => name),
    ...handshakes.flatMap(({ manifest }) => Object.keys(manifest.save ?? {})),
  ]
  const unknown = Object.keys(patch).filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw badRequest(
      ...unknown.map(
        (name) =>
          `Error in payload.data.${name}: is no setup field of ${slug}. It has ${known.join(', ') || 'none'}`,
      ),
    )
}

function applyPatch(
  { setup }: CompiledWebhook,
  stored: EndpointData,
  base: EndpointData,
  patch: DataPatch,
): EndpointData {
  const fields = new Map(setup.map((field) => [field.name, field]))
  const data: Record<string, string> = { ...base }
  for (const [name, value] of Object.entries(patch)) {
    const before = Object.hasOwn(stored, name) ? stored[name]! : undefined
    if (value === null || value === '') {
      delete data[name]
      continue
    }
    // The masked value that the API returned means that the field is unchanged.
    if (isMaskOf(value, before)) {
      if (before !== undefined) data[name] = before
      continue
    }
    const { pattern, enum: values } = fields.get(name) ?? {}
    if (pattern !== undefined && !matchesPattern(pattern, value, { whole: true }))
      throw badRequest(`Error in payload.data.${name}: must match ${pattern}`)
    if (values && !values.includes(value))
      throw badRequest(`Error in payload.data.${name}: must be one of ${values.join(', ')}`)
    data[name] = value.trim()
  }
  return data
}
