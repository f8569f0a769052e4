import { createHash } from 'node:crypto'
import { lookupOf } from '../../../auth-schemes/index.ts'
import { type ResolvedTrigger, type Lookup, MissingValue, render } from '../../../catalog/index.ts'
import type { EngineAccount } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { decryptIdentity } from '../../connected-accounts/index.ts'
import { endpointsOf, missingOf, openData } from './endpoints/index.ts'
import type { HookDeps } from './deps.ts'
import { sealedIdentity } from './store.ts'

/** What an application calls an account, and the app whose endpoint is told: the same account in two apps is two. */
export const accountKey = (clientId: string | null, value: string): string =>
  createHash('sha256')
    .update(JSON.stringify([clientId, value]))
    .digest('hex')

const ENDPOINTS_MAX = 100

/** The key of an account under the webhook endpoint that its app delivers to. @throws ApiError 1215 without one that is set up, 1216 where the account does not tell what it is called */
export async function accountKeyOf(
  deps: HookDeps,
  projectId: string,
  { trigger, toolkit }: ResolvedTrigger,
  account: EngineAccount,
): Promise<string> {
  const webhook = trigger.webhook!
  const client = account.context?.credentials['client_id'] ?? null
  const endpoints = await endpointsOf(deps.db, projectId, toolkit.slug, ENDPOINTS_MAX)
  const endpoint =
    endpoints.find(({ client_id }) => client_id !== null && client_id === client) ??
    endpoints.find(({ client_id }) => client_id === null)
  if (!endpoint)
    throw required(
      `${trigger.slug} hears of events at a webhook endpoint. Create one for ${toolkit.slug}${typeof client === 'string' ? ` with client_id ${client}` : ''}, and enter its address in the settings of the app.`,
    )
  const missing = missingOf(webhook, openData(deps.encryptor, endpoint))
  if (missing.length > 0)
    throw required(`The webhook endpoint ${endpoint.id} of ${toolkit.slug} lacks ${missing.join(', ')}.`)
  try {
    return accountKey(
      endpoint.client_id,
      render(webhook.account!.equals, await namesOf(deps, projectId, account)),
    )
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error
    throw new ApiError(
      'TriggerInstance_ConnectionNotUsable',
      `The connected account ${account.id} does not say what ${toolkit.name} calls it in events (\`${error.missing}\`): connect it again.`,
      { cause: error },
    )
  }
}

const required = (message: string) => new ApiError('TriggerInstance_WebhookEndpointRequired', message)

/** Values of the connection, and whose account it is: `identity.id`, `identity.email`, `identity.name`, `identity.tenant`. */
async function namesOf(
  { db, encryptor }: HookDeps,
  projectId: string,
  { id, context: setup }: EngineAccount,
): Promise<Lookup> {
  const row = await sealedIdentity(db, projectId, id)
  const identity = row && decryptIdentity(encryptor, row)?.current
  const known = new Map(
    Object.entries(identity ?? {})
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [`identity.${name}`, value]),
  )
  const connection: Lookup = setup ? lookupOf(setup) : () => undefined
  return (name) => known.get(name) ?? connection(name)
}
