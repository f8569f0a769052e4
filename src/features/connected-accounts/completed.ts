import { authSchemes, GrantRejected, ProviderTrouble, type Values } from '../../auth-schemes/index.ts'
import { ToolFailure, type Toolkit } from '../../catalog/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { type Completed, completeConnection, namedChoices } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AuthConfigRow } from '../auth-configs/index.ts'
import type { AccountDeps } from './deps.ts'
import { recorded, renewalKind } from './exchanges.ts'
import { setupOf } from './open.ts'

const DETAILS_MAX = 50

/**
 * What has to be looked up for credentials that came by the API, where nobody can be asked: the values to store beside them, and when the session ends that
 * this took. @throws ConnectedAccount_BadRequest with what there is to choose
 */
export async function completed(
  deps: AccountDeps,
  {
    projectId,
    accountId,
    toolkit,
    config,
    val,
  }: {
    projectId: string
    accountId: string
    toolkit: Toolkit
    config: AuthConfigRow
    val: Values
  },
): Promise<{ val: Values; expiresAt?: number | null }> {
  const setupWith = (more: Values) => setupOf(deps, config, () => ({ ...val, ...more }))
  const setup = setupWith({})
  if (!setup?.scheme.manifest.post_connect) return { val: {} }
  const module = authSchemes[setup.scheme.mode as AuthSchemeName]
  try {
    const grant =
      module?.renew && module.isEmpty?.(setup) && module.renewable?.(setup)
        ? await recorded(deps, { projectId, accountId, kind: renewalKind(setup), setup }, (tools) =>
            module.renew!(setup, tools),
          )
        : undefined
    const ready = setupWith(grant?.val ?? {}) ?? setup
    const found = await recorded(
      deps,
      { projectId, accountId, kind: 'post_connect', setup: ready },
      (tools) => completeConnection(tools, toolkit, ready),
    )
    if (found.kind === 'choose')
      throw undecided(toolkit, ready.scheme.manifest.post_connect?.[found.step]?.save ?? {}, found)
    return { val: { ...grant?.val, ...found.val }, ...(grant ? { expiresAt: grant.expiresAt } : {}) }
  } catch (error) {
    if (error instanceof GrantRejected || error instanceof ProviderTrouble || error instanceof ToolFailure)
      throw new ApiError('ConnectedAccount_BadRequest', error.message, { cause: error })
    throw error
  }
}

function undecided(
  { name }: Toolkit,
  save: Readonly<Record<string, string>>,
  { what, choices }: Extract<Completed, { kind: 'choose' }>,
): ApiError {
  const names = Object.keys(save).join(', ')
  return new ApiError(
    'ConnectedAccount_BadRequest',
    `${name} offers several of what must be one ${what}: ${namedChoices(choices)}. Name one in ${names} of the connection, or let the user choose on a page (POST /connected_accounts/link).`,
    {
      details: choices
        .slice(0, DETAILS_MAX)
        .map(({ label, save: saved }) => `${label}: ${JSON.stringify(saved)}`),
    },
  )
}
