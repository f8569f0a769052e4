import { GrantRejected, ProviderUnavailable, type Credentials } from '../../../auth-schemes/index.ts'
import { ToolFailure, type Toolkit } from '../../../catalog/index.ts'
import { type PostConnectOutcome, runPostConnectSteps, describeChoices } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { AuthConfigRow } from '../../auth-configs/index.ts'
import { createConnectionContext } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { logProviderRequests } from '../provider-log/request-log.ts'
import { signInIfNeeded } from '../token-refresh/sign-in.ts'

const DETAILS_MAX = 50

/**
 * Looks up the values that credentials from the API need, such as a site or a tenant. Returns these values,
 * those of the sign-in that the lookup needed, and the end of that session. No user can be asked here, so
 * several resources are an error that lists them. @throws ConnectedAccount_BadRequest
 */
export async function runPostConnectLookup(
  deps: AccountDeps,
  {
    projectId,
    accountId,
    toolkit,
    config,
    credentials,
  }: {
    projectId: string
    accountId: string
    toolkit: Toolkit
    config: AuthConfigRow
    credentials: Credentials
  },
): Promise<{ credentials: Credentials; expiresAt?: number | null }> {
  const contextWith = (more: Credentials) =>
    createConnectionContext(deps, config, () => ({ ...credentials, ...more }))
  const initial = contextWith({})
  if (!initial?.scheme.manifest.post_connect) return { credentials: {} }
  try {
    const signIn = await signInIfNeeded(deps, { projectId, accountId }, initial)
    const connection = contextWith(signIn?.credentials ?? {}) ?? initial
    const found = await logProviderRequests(
      deps,
      { projectId, accountId, kind: 'post_connect', connection },
      (tools) => runPostConnectSteps(tools, toolkit, connection),
    )
    if (found.kind === 'choose')
      throw severalResources(
        toolkit,
        connection.scheme.manifest.post_connect?.[found.step]?.save ?? {},
        found,
      )
    return { credentials: { ...signIn?.credentials, ...found.val }, expiresAt: signIn?.expiresAt }
  } catch (error) {
    if (
      error instanceof GrantRejected ||
      error instanceof ProviderUnavailable ||
      error instanceof ToolFailure
    )
      throw new ApiError('ConnectedAccount_BadRequest', error.message, { cause: error })
    throw error
  }
}

function severalResources(
  { name }: Toolkit,
  save: Readonly<Record<string, string>>,
  { what, choices }: Extract<PostConnectOutcome, { kind: 'choose' }>,
): ApiError {
  const fields = Object.keys(save).join(', ')
  return new ApiError(
    'ConnectedAccount_BadRequest',
    `${name} has more than one ${what}: ${describeChoices(choices)}. Set ${fields} in the connection, or let the ` +
      'user choose on a page (POST /connected_accounts/link).',
    {
      details: choices
        .slice(0, DETAILS_MAX)
        .map(({ label, save: saved }) => `${label}: ${JSON.stringify(saved)}`),
    },
  )
}
