import type { ConnectionContext, Credentials } from '../../../auth-schemes/index.ts'
import type { OAuth2Manifest } from '../../../catalog/index.ts'
import type { AccountDeps } from '../deps.ts'
import type { AuthorizationFlowRow } from './flow-store.ts'
import * as codes from './webhook-code-store.ts'

export const codeEncryptionContext = (id: string, part: 'code' | 'returned') => `webhook_codes:${id}:${part}`

/** The manifest's description of the webhook that brings the code; undefined if the browser brings it. */
export function codeWebhookOf({ scheme: { manifest } }: Pick<ConnectionContext, 'scheme'>) {
  const { callback, authorize } = manifest as Partial<OAuth2Manifest>
  return authorize && callback?.source === 'webhook' ? callback.webhook : undefined
}

/** The parameter in which the scheme expects the code. */
export const codeParameter = ({ scheme: { manifest } }: Pick<ConnectionContext, 'scheme'>) =>
  (manifest as OAuth2Manifest).callback?.code_param ?? 'code'

export type CodeCorrelation =
  | { kind: 'correlated'; parameters: Credentials }
  | { kind: 'pending' }
  | { kind: 'rejected'; text: string }

/**
 * Correlates the flow of a browser that is back with the code of the webhook, by a value that both bring. A
 * code that the browser itself brings is ignored.
 */
export async function correlateWebhookCode(
  { db, encryptor }: AccountDeps,
  flow: AuthorizationFlowRow,
  authConfigId: string,
  connection: ConnectionContext,
  parameters: Credentials,
): Promise<CodeCorrelation> {
  const { match_param: name } = codeWebhookOf(connection)!
  const match = parameters[name]
  if (typeof match !== 'string' || !match)
    return { kind: 'rejected', text: `The provider sent the browser back without ${name}.` }
  const id = codes.webhookCodeId(authConfigId, match)
  const own = await encryptor.ofProject(flow.project_id)
  const row = await codes.storeReturnedBrowser(db, flow.project_id, id, {
    state_hash: flow.state_hash,
    returned: own.encrypt(parameters, codeEncryptionContext(id, 'returned')),
  })
  if (!row) return { kind: 'rejected', text: `The ${name} that the provider sent was used before.` }
  if (!row.code) return { kind: 'pending' }
  const { code } = encryptor.decrypt<{ code: string }>(row.code, codeEncryptionContext(id, 'code'))
  return { kind: 'correlated', parameters: { ...parameters, [codeParameter(connection)]: code } }
}
