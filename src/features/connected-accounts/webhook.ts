import {
  GrantRejected,
  ProviderTrouble,
  readWebhook,
  type ConnectionContext,
  type Values,
  type Webhook,
} from '../../auth-schemes/index.ts'
import { inProject, type OAuth2Manifest } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { findAuthConfig } from '../auth-configs/index.ts'
import * as codes from './code-store.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import type { FlowRow } from './flow-store.ts'
import { setupOf } from './open.ts'

const AUTH_CONFIG_ID = /^ac_[A-Za-z0-9]{12}$/

export const codeContext = (id: string, part: 'code' | 'returned') => `connection_codes:${id}:${part}`

/** The part of a manifest that says how a code comes; undefined where the browser brings it. */
export function webhookOf({ scheme: { manifest } }: Pick<ConnectionContext, 'scheme'>) {
  const { callback, authorize } = manifest as Partial<OAuth2Manifest>
  return authorize && callback?.source === 'webhook' ? callback.webhook : undefined
}

/** The parameter under which a scheme expects its code. */
const codeParam = ({ scheme: { manifest } }: Pick<ConnectionContext, 'scheme'>) =>
  (manifest as OAuth2Manifest).callback?.code_param ?? 'code'

/** A walk and its code are both here: how it ends is told to its browser, not to the provider. */
export type Meeting =
  | { kind: 'met'; callback: Values }
  | { kind: 'waiting' }
  | { kind: 'refused'; text: string }

/** The browser came back: its code may be here, or still under way. What the browser itself brings as a code does not count. */
export async function meet(
  { db, encryptor }: AccountDeps,
  flow: FlowRow,
  authConfigId: string,
  setup: ConnectionContext,
  callback: Values,
): Promise<Meeting> {
  const { match_param: param } = webhookOf(setup)!
  const match = callback[param]
  if (typeof match !== 'string' || !match)
    return { kind: 'refused', text: `The provider sent the browser back without ${param}.` }
  const id = codes.meetingOf(authConfigId, match)
  const row = await codes.bringWalk(db, flow.project_id, id, {
    state_hash: flow.state_hash,
    returned: encryptor.encrypt(callback, codeContext(id, 'returned')),
  })
  if (!row) return { kind: 'refused', text: `The ${param} that the provider sent was used before.` }
  return row.code
    ? {
        kind: 'met',
        callback: {
          ...callback,
          [codeParam(setup)]: encryptor.decrypt<{ code: string }>(row.code, codeContext(id, 'code')).code,
        },
      }
    : { kind: 'waiting' }
}

/**
 * A webhook came. `finish` ends the walk that waits for its code; it answers whether that was still possible. Nothing is changed before the signature is
 * proven, and a code that no walk can be waiting for is not kept. Answers whether the walk is finished. See docs/decisions/0019-authorization-codes-by-webhook.md. @throws 302, 600, 610 to 613
 */
export async function takeWebhook(
  deps: SharedAccountDeps,
  authConfigId: string,
  webhook: Webhook,
  finish: (stateHash: Buffer, callback: Values) => Promise<boolean>,
): Promise<boolean> {
  const { db, encryptor } = deps
  const { projectId, setup } = await addressee(deps, authConfigId)
  const told = read(setup, webhook)
  const id = codes.meetingOf(authConfigId, told.match)
  const known = await codes.findCode(db, projectId, id)
  if (known?.code) throw used()
  if (known?.late) throw late()
  if (!known && !(await codes.isAwaited(db, projectId, authConfigId)))
    throw new ApiError(
      'ConnectedAccount_CodeNotAwaited',
      'No connection of this auth config waits for a code.',
    )
  const row = await codes.bringCode(
    db,
    projectId,
    id,
    encryptor.encrypt({ code: told.code }, codeContext(id, 'code')),
  )
  if (!row) throw used()
  if (!row.state_hash || !row.returned) return false
  if (
    !(await finish(row.state_hash, {
      ...encryptor.decrypt<Values>(row.returned, codeContext(id, 'returned')),
      [codeParam(setup)]: told.code,
    }))
  )
    throw late()
  return true
}

const used = () => new ApiError('ConnectedAccount_CodeUsed', 'This webhook was taken before.')
const late = () =>
  new ApiError('ConnectedAccount_CodeLate', 'The connection that this code is for was not finished in time.')

/** What the public address says: nothing about auth configs that take no webhooks. */
async function addressee(
  deps: SharedAccountDeps,
  authConfigId: string,
): Promise<{ projectId: string; setup: ConnectionContext }> {
  const projectId = AUTH_CONFIG_ID.test(authConfigId)
    ? await codes.projectOfConfig(deps.db, authConfigId)
    : undefined
  const config = projectId === undefined ? undefined : await findAuthConfig(deps.db, projectId, authConfigId)
  // With the operator's client the codes of all projects would come to one address.
  const setup =
    projectId !== undefined && config && !config.is_service_managed
      ? setupOf(await inProject<AccountDeps>(deps, projectId), config, () => ({}))
      : undefined
  if (projectId === undefined || !setup || !webhookOf(setup))
    throw new ApiError('Auth_Config_NotFound', 'No auth config with this id takes webhooks.')
  return { projectId, setup }
}

function read(setup: ConnectionContext, webhook: Webhook): { code: string; match: string } {
  try {
    return readWebhook(setup, webhook)
  } catch (error) {
    if (error instanceof GrantRejected)
      throw new ApiError('ConnectedAccount_WebhookSignature', error.message, { cause: error })
    if (error instanceof ProviderTrouble)
      throw new ApiError('ConnectedAccount_BadRequest', error.message, { cause: error })
    throw error
  }
}
