import {
  changeConnection,
  GrantRejected,
  ProviderUnavailable,
  type Credentials,
} from '../../../auth-schemes/index.ts'
import { MissingValue, UnsafeValue } from '../../../catalog/index.ts'
import { toUpstreamError } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { randomText } from '../../../platform/ids.ts'
import { type AuthConfigRow, isCallbackWithoutState } from '../../auth-configs/index.ts'
import { authSchemeOf, createConnectionContext } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { logProviderRequests } from '../provider-log/request-log.ts'
import { encryptFlowSecrets } from './flow-secrets.ts'
import { type FlowKind, hashState, type NewFlowRow } from './flow-store.ts'

/** 43 letters and digits: 256 bits, as long as a PKCE verifier. */
const STATE_CHARACTERS = 43
/** 48 bits, valid for the ten minutes of one flow. */
const SHORT_ID_CHARACTERS = 8

/** An authorization flow that is ready to start. */
export interface PreparedFlow {
  /** URL of this server to which the application sends the browser. */
  redirectUrl: string
  /** URL of the provider to which `redirectUrl` redirects. */
  authorizeUrl: string
  row: NewFlowRow
  /** Credentials that are stored with the account at the start, such as those of a registered client. */
  credentials: Credentials
}

export interface FlowRequest {
  projectId: string
  accountId: string
  config: AuthConfigRow
  credentials: Credentials
  scopes: readonly string[]
  userScopes: readonly string[]
  kind?: FlowKind
}

/**
 * Whether a page of this server names the application before the provider does. The provider knows only the client: if
 * projects share it, a user who has allowed it once may be sent back without a question, also for the project of an
 * attacker. See docs/decisions/0041-consent-page.md.
 */
export const needsConsentPage = (
  { consentPage }: Pick<AccountDeps, 'consentPage'>,
  { is_service_managed: isShared }: Pick<AuthConfigRow, 'is_service_managed'>,
): boolean => isShared || consentPage === 'always'

/**
 * Prepares an authorization flow. The caller stores its row together with the account. @throws 400, 501, 502
 */
export async function prepareFlow(deps: AccountDeps, request: FlowRequest): Promise<PreparedFlow> {
  const { projectId, accountId, config, credentials, scopes, userScopes, kind = 'connect' } = request
  const connection = createConnectionContext(deps, config, () => credentials)
  const start = connection && authSchemeOf(connection)?.start
  if (!connection || !start)
    throw new ApiError(
      'ConnectedAccount_NotImplemented',
      `Connecting with ${config.auth_scheme} is not part of this release.`,
    )
  const prefix = credentials['state_prefix']
  const state = `${typeof prefix === 'string' ? prefix : ''}${randomText(STATE_CHARACTERS)}`
  const withScopes = changeConnection(connection, {
    authConfigCredentials: { ...connection.authConfigCredentials, scopes, user_scopes: userScopes },
  })
  const redirect = await logProviderRequests(
    deps,
    { projectId, accountId, kind: 'start', connection },
    (tools) => start(withScopes, state, tools),
  ).catch((error: unknown) => {
    throw toStartError(error)
  })
  // The scheme says what identifies the flow in the callback: our state, or a token of the provider.
  const stateHash = hashState(redirect.state)
  const shortId = randomText(SHORT_ID_CHARACTERS)
  const withoutState = isCallbackWithoutState(connection.scheme.manifest)
  // A user has to see the page of this server, or only a browser that started on this server can be recognized.
  const needsPage = withoutState || needsConsentPage(deps, config)
  const isDirect = credentials['long_redirect_url'] === true && !needsPage
  return {
    authorizeUrl: redirect.url,
    credentials: redirect.credentials ?? {},
    redirectUrl: isDirect ? redirect.url : `${deps.publicUrl}/api/v3/s/${shortId}`,
    row: {
      state_hash: stateHash,
      short_id: shortId,
      project_id: projectId,
      connected_account_id: accountId,
      kind,
      browser_toolkit: withoutState ? config.toolkit_slug : null,
      secrets: encryptFlowSecrets(await deps.encryptor.ofProject(projectId), stateHash, {
        ...redirect.secrets,
        authorize_url: redirect.url,
      }),
    },
  }
}

/**
 * The caller can fix a missing value of the authorization URL, and a request that the provider rejects at the
 * start.
 */
function toStartError(error: unknown): unknown {
  if (error instanceof ProviderUnavailable) return toUpstreamError(error.message, error)
  if (error instanceof GrantRejected)
    return new ApiError('ConnectedAccount_BadRequest', error.message, { cause: error })
  if (!(error instanceof MissingValue || error instanceof UnsafeValue)) return error
  return new ApiError(
    'ConnectedAccount_BadRequest',
    `The authorization URL of the provider cannot be built: ${error.message}`,
    { cause: error },
  )
}
