import { GrantRejected, ProviderUnavailable, type Credentials } from '../../auth-schemes/index.ts'
import { type CompiledScheme, type Toolkit, ToolFailure } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AuthConfigRow } from '../auth-configs/index.ts'
import { createConnectionContext } from './credentials.ts'
import type { AccountDeps } from './deps.ts'
import type { Identity } from './identity/identity.ts'
import { CredentialsRejected, probe, probeRequestOf } from './identity/probe.ts'
import { CREDENTIALS_PATH } from './normalize-credentials.ts'
import { signInIfNeeded } from './token-refresh/sign-in.ts'

/** The caller waits for the account, so the request has less time than others. */
const TIMEOUT_MS = 5_000

export interface NewCredentials {
  projectId: string
  accountId: string
  toolkit: Toolkit
  scheme: CompiledScheme
  config: AuthConfigRow
  credentials: Credentials
}

export interface TriedCredentials {
  /** Whether the application accepted the credentials. */
  verified: boolean
  /** Values to store as well: the session of a sign-in. */
  session: Credentials
  expiresAt?: number | null
  /** The identity at the provider, if the request that validates reads it. */
  identity?: Identity | undefined
  /** The identity was requested without success, so that another request is of no use. */
  identityFailed?: true
}

const UNTRIED: TriedCredentials = { verified: false, session: {} }

/**
 * Tries credentials before their account is stored. With `validate_credentials: true` they have to be accepted
 * (API keys only, as the specification says). Without it, only a clear rejection is an error; an application that
 * does not respond, or says nothing about the credentials, leaves them unverified. @throws CredentialsRejected
 */
export async function tryCredentials(
  deps: AccountDeps,
  submitted: NewCredentials,
  validate: boolean | undefined,
): Promise<TriedCredentials> {
  if (validate && submitted.scheme.mode === 'API_KEY') {
    const identity = await probe(deps, submitted)
    return { verified: true, session: {}, identity }
  }
  const isTried = validate ?? deps.validateCredentials === 'on'
  return isTried && submitted.scheme.mode !== 'NO_AUTH' ? attempt(deps, submitted) : UNTRIED
}

async function attempt(deps: AccountDeps, submitted: NewCredentials): Promise<TriedCredentials> {
  const { toolkit, config, credentials } = submitted
  const contextWith = (session: Credentials) =>
    createConnectionContext(deps, config, () => ({ ...credentials, ...session }))
  const connection = contextWith({})
  if (!connection) return UNTRIED
  let tried = UNTRIED
  const request = probeRequestOf(toolkit, connection)
  try {
    const signIn = await signInIfNeeded(deps, submitted, connection)
    if (signIn) tried = { verified: true, session: signIn.credentials, expiresAt: signIn.expiresAt }
    if (!request) return tried
    const all = { ...credentials, ...signIn?.credentials }
    const identity = await probe(deps, { ...submitted, credentials: all, timeoutMs: TIMEOUT_MS })
    return { ...tried, verified: true, identity }
  } catch (error) {
    if (!isExpected(error)) throw error
    if (isRejection(error) && !canRefreshLater(credentials)) throw rejection(submitted, error)
    const identityFailed = request && request === toolkit.identity ? ({ identityFailed: true } as const) : {}
    return { ...tried, verified: false, ...identityFailed }
  }
}

const isExpected = (error: unknown): error is Error =>
  error instanceof GrantRejected ||
  error instanceof ProviderUnavailable ||
  error instanceof ToolFailure ||
  error instanceof ApiError

/**
 * Whether a provider says that credentials are wrong: by 401, 403 or its own words for that, or by the rejection of a
 * sign-in. Other statuses, such as 404, may concern the request.
 */
const isRejection = (error: Error): boolean =>
  error instanceof GrantRejected || (error instanceof CredentialsRejected && error.isAuthentication)

/** An imported access token may have expired; its refresh token replaces it at the first call. */
const canRefreshLater = (credentials: Credentials): boolean => credentials['refresh_token'] !== undefined

/** Names the fields of the credentials, never their values. */
function rejection({ toolkit: { name }, credentials }: NewCredentials, error: Error): ApiError {
  const reason =
    error instanceof CredentialsRejected
      ? error.message
      : `${name} rejected the credentials: ${error.message}`
  return new ApiError(
    'ConnectedAccount_BadRequest',
    `${reason.replace(/\.$/, '')}. Send credentials that ${name} accepts, or store these untried with ` +
      'validate_credentials: false.',
    {
      cause: error,
      details: Object.keys(credentials).map(
        (field) => `Error in ${CREDENTIALS_PATH}.${field}: rejected by ${name}`,
      ),
    },
  )
}
