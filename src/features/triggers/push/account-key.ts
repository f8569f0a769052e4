import { createHash } from 'node:crypto'
import { credentialLookup } from '../../../auth-schemes/index.ts'
import { type Lookup, MissingValue, render, type ResolvedTrigger } from '../../../catalog/index.ts'
import type { EngineAccount } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { decryptIdentity } from '../../connected-accounts/index.ts'
import { findEncryptedIdentity } from '../instances/store.ts'
import type { PushDeps } from './deps.ts'
import { decryptData, missingFields } from './endpoints/data.ts'
import { type EndpointRow, listEndpoints } from './endpoints/store.ts'

/**
 * A digest of the id of an account in the deliveries of an OAuth app. It contains the app, because the same account in
 * two apps has two sets of deliveries.
 */
export const accountKey = (clientId: string | null, value: string): string =>
  createHash('sha256')
    .update(JSON.stringify([clientId, value]))
    .digest('hex')

const ENDPOINTS_MAX = 100

/**
 * The key of an account at the webhook endpoint of its OAuth app. @throws ApiError 1215 if the endpoint is missing or
 * not set up, 1216 if the account does not have the id
 */
export async function accountKeyFor(
  deps: PushDeps,
  projectId: string,
  found: ResolvedTrigger,
  account: EngineAccount,
): Promise<string> {
  const { trigger, toolkit } = found
  const webhook = trigger.webhook!
  const endpoint = await findEndpointOf(deps, projectId, found, account)
  const missing = missingFields(webhook, decryptData(deps.encryptor, endpoint))
  if (missing.length > 0)
    throw endpointRequired(
      `The webhook endpoint ${endpoint.id} of ${toolkit.slug} lacks ${missing.join(', ')}.`,
    )
  try {
    return accountKey(
      endpoint.client_id,
      render(webhook.account!.equals, await accountValues(deps, projectId, account)),
    )
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error
    throw new ApiError(
      'TriggerInstance_ConnectionNotUsable',
      `The connected account ${account.id} does not have its id in the events of ${toolkit.name} ` +
        `(\`${error.missing}\`). Connect it again.`,
      { cause: error },
    )
  }
}

async function findEndpointOf(
  { db }: PushDeps,
  projectId: string,
  { trigger, toolkit }: ResolvedTrigger,
  account: EngineAccount,
): Promise<EndpointRow> {
  const clientId = account.context?.authConfigCredentials['client_id'] ?? null
  const endpoints = await listEndpoints(db, projectId, toolkit.slug, ENDPOINTS_MAX)
  const endpoint =
    endpoints.find(({ client_id }) => client_id !== null && client_id === clientId) ??
    endpoints.find(({ client_id }) => client_id === null)
  if (endpoint) return endpoint
  const withClient = typeof clientId === 'string' ? ` with client_id ${clientId}` : ''
  throw endpointRequired(
    `${trigger.slug} receives events at a webhook endpoint. Create one for ${toolkit.slug}${withClient}, ` +
      'and enter its URL in the settings of the app.',
  )
}

const endpointRequired = (message: string) => new ApiError('TriggerInstance_WebhookEndpointRequired', message)

/** The values of the connection, and `identity.id`, `identity.email`, `identity.name` and `identity.tenant`. */
async function accountValues(
  { db, encryptor }: PushDeps,
  projectId: string,
  { id, context }: EngineAccount,
): Promise<Lookup> {
  const row = await findEncryptedIdentity(db, projectId, id)
  const identity = row && decryptIdentity(encryptor, row)?.current
  const identityValues = new Map(
    Object.entries(identity ?? {})
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [`identity.${name}`, value]),
  )
  const connection: Lookup = context ? credentialLookup(context) : () => undefined
  return (name) => identityValues.get(name) ?? connection(name)
}
