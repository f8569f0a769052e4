import { authSchemes, type Values } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { randomText } from '../../platform/ids.ts'
import type { AuthConfigRow } from '../auth-configs/index.ts'
import type { AccountDeps } from './deps.ts'
import { hashState, insert } from './flow-store.ts'
import { SETUP_MINUTES } from './lifecycle.ts'
import { setupOf } from './open.ts'

/** 43 letters and digits: 256 bits, as long as a PKCE verifier. */
const STATE_CHARACTERS = 43
/** 48 bits, and only good for the ten minutes of one set-up. */
const SHORT_ID_CHARACTERS = 8

export const flowContext = (stateHash: Buffer) => `connection_flows:${stateHash.toString('hex')}:secrets`

/** Opens a walk to the provider; answers the address to send the browser to. */
export async function startFlow(deps: AccountDeps, tx: Db, { projectId, accountId, config, val, scopes, userScopes }: {
  projectId: string, accountId: string, config: AuthConfigRow, val: Values, scopes: readonly string[], userScopes: readonly string[]
}): Promise<string> {
  const setup = setupOf(deps, config, () => val)
  const scheme = setup && authSchemes[setup.scheme.mode as AuthSchemeName]
  if (!setup || !scheme?.start) throw new ApiError('ConnectedAccount_NotImplemented', `Connecting with ${config.auth_scheme} is not part of this release.`)
  const state = `${typeof val['state_prefix'] === 'string' ? val['state_prefix'] : ''}${randomText(STATE_CHARACTERS)}`
  const asked = { ...setup, val: setup.val, shared: setup.shared, redirectUri: setup.redirectUri, credentials: { ...setup.credentials, scopes, user_scopes: userScopes } }
  const { url, secrets } = await scheme.start(asked, state).catch((error: unknown) => { throw incomplete(error) })
  const stateHash = hashState(state)
  const shortId = randomText(SHORT_ID_CHARACTERS)
  await insert(tx, {
    state_hash: stateHash, short_id: shortId, project_id: projectId, connected_account_id: accountId,
    secrets: deps.sealer.seal({ ...secrets, authorize_url: url }, flowContext(stateHash)), expires_at: new Date(deps.clock.now() + SETUP_MINUTES * 60_000),
  })
  return val['long_redirect_url'] === true ? url : `${deps.publicUrl}/api/v3/s/${shortId}`
}

/** An address of the provider that needs a value nobody gave is the caller's to mend. */
function incomplete(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'MissingValue') return error
  return new ApiError('ConnectedAccount_BadRequest', `The connection lacks a value: ${error.message}`, { cause: error })
}
