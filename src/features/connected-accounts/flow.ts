import { authSchemes, GrantRejected, ProviderTrouble, type Values } from '../../auth-schemes/index.ts'
import { MissingValue, UnsafeValue } from '../../catalog/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { upstreamError } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { randomText } from '../../platform/ids.ts'
import type { AuthConfigRow } from '../auth-configs/index.ts'
import type { AccountDeps } from './deps.ts'
import { recorded } from './exchanges.ts'
import { type FlowKind, type FlowRow, hashState, type insert } from './flow-store.ts'
import { isWithoutState, setupOf } from './open.ts'

/** 43 letters and digits: 256 bits, as long as a PKCE verifier. */
const STATE_CHARACTERS = 43
/** 48 bits, and only good for the ten minutes of one set-up. */
const SHORT_ID_CHARACTERS = 8

export const flowContext = (stateHash: Buffer) => `connection_flows:${stateHash.toString('hex')}:secrets`

/** What only the one who began a walk knows of it: the PKCE verifier, the address that it leads to. */
export const secretsOf = (
  { encryptor }: AccountDeps,
  flow: Pick<FlowRow, 'secrets' | 'state_hash'>,
): Values => encryptor.decrypt<Values>(flow.secrets, flowContext(flow.state_hash))

/** A walk that is ready to begin: the address to send the browser to, the provider's own behind it, what is stored of the walk, and what of it with the account. */
export interface Flow {
  redirectUrl: string
  authorizeUrl: string
  row: Parameters<typeof insert>[1]
  val: Values
}

/** Prepares a walk to the provider; `flow-store` keeps it once the account stands. */
export async function prepareFlow(
  deps: AccountDeps,
  {
    projectId,
    accountId,
    config,
    val,
    scopes,
    userScopes,
    kind = 'connect',
  }: {
    projectId: string
    accountId: string
    config: AuthConfigRow
    val: Values
    scopes: readonly string[]
    userScopes: readonly string[]
    kind?: FlowKind
  },
): Promise<Flow> {
  const setup = setupOf(deps, config, () => val)
  const start = setup && authSchemes[setup.scheme.mode as AuthSchemeName]?.start
  if (!setup || !start)
    throw new ApiError(
      'ConnectedAccount_NotImplemented',
      `Connecting with ${config.auth_scheme} is not part of this release.`,
    )
  const state = `${typeof val['state_prefix'] === 'string' ? val['state_prefix'] : ''}${randomText(STATE_CHARACTERS)}`
  const asked = { ...setup, credentials: { ...setup.credentials, scopes, user_scopes: userScopes } }
  const {
    url,
    secrets,
    state: walk,
    val: begun = {},
  } = await recorded(deps, { projectId, accountId, kind: 'start', setup }, (tools) =>
    start(asked, state, tools),
  ).catch((error: unknown) => {
    throw incomplete(error)
  })
  // The scheme says what the provider will bring back: our state, or a token that it gave out itself.
  const stateHash = hashState(walk)
  const shortId = randomText(SHORT_ID_CHARACTERS)
  const withoutState = isWithoutState(setup)
  return {
    authorizeUrl: url,
    val: begun,
    // Without a state only a browser that began here can be told from others.
    redirectUrl:
      val['long_redirect_url'] === true && !withoutState ? url : `${deps.publicUrl}/api/v3/s/${shortId}`,
    row: {
      state_hash: stateHash,
      short_id: shortId,
      project_id: projectId,
      connected_account_id: accountId,
      kind,
      browser_toolkit: withoutState ? config.toolkit_slug : null,
      secrets: deps.encryptor.encrypt({ ...secrets, authorize_url: url }, flowContext(stateHash)),
    },
  }
}

/** An address of the provider that needs a value nobody gave is the caller's to mend; so is what the provider refuses before the walk begins. */
function incomplete(error: unknown): unknown {
  if (error instanceof ProviderTrouble) return upstreamError(error.message, error)
  if (error instanceof GrantRejected)
    return new ApiError('ConnectedAccount_BadRequest', error.message, { cause: error })
  if (!(error instanceof MissingValue || error instanceof UnsafeValue)) return error
  return new ApiError(
    'ConnectedAccount_BadRequest',
    `The address of the provider cannot be made: ${error.message}`,
    { cause: error },
  )
}
