import type { Db } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { isVerifier } from '../sign-in/request-parameters.ts'
import { clientUsed } from '../clients/store.ts'
import type { Clients } from '../clients/service.ts'
import type { McpAuthDeps } from '../deps.ts'
import { OAuthFailure } from '../oauth-error.ts'
import * as grants from './store.ts'
import { SCOPE } from '../metadata.ts'
import { findResource, readResource } from '../resources.ts'
import { isSecret } from '../secrets.ts'
import * as store from '../sign-in/store.ts'

type Form = Readonly<Record<string, string>>
/** What a grant type comes to: tokens, or why not. A refusal is a value, so that what it ends stays ended when the transaction does. */
type Result = { tokens: grants.Tokens } | { refused: OAuthFailure }

const refused = (description: string): Result => ({ refused: new OAuthFailure('invalid_grant', description) })
const SIGN_IN = 'Send the user to sign in again.'

/** The token endpoint (RFC 6749 §3.2). @throws OAuthFailure */
export async function answerTokens(
  deps: McpAuthDeps,
  clients: Clients,
  authorization: string | undefined,
  form: Form,
): Promise<Record<string, unknown>> {
  const exchange = Object.hasOwn(GRANTS, form['grant_type'] ?? '')
    ? GRANTS[form['grant_type'] as keyof typeof GRANTS]
    : undefined
  if (!exchange)
    throw new OAuthFailure(
      form['grant_type'] ? 'unsupported_grant_type' : 'invalid_request',
      `grant_type is one of ${Object.keys(GRANTS).join(', ')}.`,
    )
  const client = await clients.prove(authorization, form)
  const result = await deps.db.begin((tx) => exchange(deps, tx, client, form))
  if ('refused' in result) throw result.refused
  return {
    access_token: result.tokens.access,
    token_type: 'Bearer',
    expires_in: grants.ACCESS_SECONDS,
    refresh_token: result.tokens.refresh,
    scope: SCOPE,
  }
}

const GRANTS = { authorization_code: byCode, refresh_token: byRefresh }

async function byCode(deps: McpAuthDeps, tx: Db, client: string, form: Form): Promise<Result> {
  const code = isSecret('code', form['code']) ? await store.byCode(tx, form['code']) : undefined
  if (!code || code.client_id !== client) return refused(`There is no such code for this client. ${SIGN_IN}`)
  if (code.grant_id) {
    // Somebody else has it too (RFC 6749 §4.1.2).
    await grants.removeGrant(tx, code.project_id, code.grant_id)
    return refused(`The code was used before; what it was used for has ended. ${SIGN_IN}`)
  }
  if (code.late) return refused(`The code is too old. ${SIGN_IN}`)
  if (form['redirect_uri'] !== undefined && form['redirect_uri'] !== code.redirect_uri)
    return refused('redirect_uri is not the one that the code was sent to.')
  if (!isVerifier(code.code_challenge, form['code_verifier'] ?? ''))
    return refused('code_verifier is not the one that the request was made with.')
  const grant = {
    id: newId('mcg'),
    project_id: code.project_id,
    resource_kind: code.resource_kind,
    resource_id: code.resource_id,
    user_id: code.user_id,
    client_id: client,
    client_name: code.client_name,
  }
  const target = await checkTarget(deps, grant, form)
  if (target) return target
  await grants.insertGrant(tx, grant)
  await store.exchanged(tx, code, grant.id)
  await clientUsed(tx, client)
  return { tokens: await grants.newTokens(tx, grant) }
}

async function byRefresh(deps: McpAuthDeps, tx: Db, client: string, form: Form): Promise<Result> {
  const found = isSecret('refresh', form['refresh_token'])
    ? await grants.byRefresh(tx, form['refresh_token'])
    : undefined
  if (!found || found.client_id !== client)
    return refused(`There is no such refresh token for this client. ${SIGN_IN}`)
  if (found.late) return refused(`The refresh token is too old. ${SIGN_IN}`)
  if (found.spent) {
    await grants.removeGrant(tx, found.project_id, found.id)
    return refused(
      `The refresh token was used before, so somebody else may have it; all tokens of this sign-in have ended. ${SIGN_IN}`,
    )
  }
  const target = await checkTarget(deps, found, form)
  if (target) return target
  await grants.refreshUsed(tx, found)
  await clientUsed(tx, client)
  return { tokens: await grants.newTokens(tx, found) }
}

/** A token for what is gone is none, and one for something else is not what the user allowed (RFC 8707 §2.2). */
async function checkTarget(
  { kinds, publicUrl }: McpAuthDeps,
  grant: Pick<grants.GrantRow, 'project_id' | 'resource_kind' | 'resource_id' | 'user_id'>,
  form: Form,
): Promise<Result | undefined> {
  const { kind, id } = store.resourceOf(grant)
  const asked = form['resource'] === undefined ? undefined : readResource(kinds, publicUrl, form['resource'])
  if (
    form['resource'] !== undefined &&
    (asked?.kind !== kind || asked.id !== id || ![undefined, grant.user_id].includes(asked.userId))
  ) {
    return {
      refused: new OAuthFailure('invalid_target', 'resource is not the one that the user signed in for.'),
    }
  }
  const found = await findResource(kinds, { kind, id })
  return found?.projectId === grant.project_id ? undefined : refused('What the user signed in for is gone.')
}

/** The revocation endpoint (RFC 7009): a refresh token ends all of its sign-in. What is unknown, or another client's, is over as far as the caller goes. @throws OAuthFailure */
export async function revokeToken(
  { db }: McpAuthDeps,
  clients: Clients,
  authorization: string | undefined,
  form: Form,
): Promise<void> {
  const client = await clients.prove(authorization, form)
  const token = form['token']
  if (token === undefined) throw new OAuthFailure('invalid_request', 'token is missing.')
  const found =
    isSecret('access', token) || isSecret('refresh', token) ? await grants.byToken(db, token) : undefined
  if (found?.client_id !== client) return
  await (found.kind === 'refresh'
    ? grants.removeGrant(db, found.project_id, found.id)
    : grants.removeToken(db, token))
}
