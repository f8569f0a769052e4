import {
  compileTemplate,
  type DerivedTokenManifest,
  type OAuth2Manifest,
  renderUrl,
  type StepManifest,
} from '../../catalog/index.ts'
import { type ProviderRequestLogEntry, logEntryWithoutRequest } from '../provider-requests/log-entry.ts'
import {
  buildRequest,
  encodeBody,
  type AuthProviderRequest,
  sendRequest,
} from '../provider-requests/send-request.ts'
import {
  changeConnection,
  type Grant,
  GrantRejected,
  credentialLookup,
  ProviderUnavailable,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
} from '../scheme.ts'
import { fillTemplates } from '../credentials/templates.ts'
import { oauth2Manifest } from './manifest.ts'
import { introspectExpiry } from './introspect.ts'
import { readGrant, readStep } from './token-response.ts'
import { type TokenGrant, requestToken } from './token-request.ts'

/** Delay until the next attempt to get a derived token after a temporary failure. */
const RETRY_MS = 300_000

/**
 * Sends the requests that the manifest declares after the token request: steps, then introspection, then
 * derived
 * tokens for other audiences. Before each of them, a new refresh token is saved with `saveCredentials`.
 * @throws GrantRejected, ProviderUnavailable
 */
export async function runFollowUpRequests(
  connection: ConnectionContext,
  grantRequest: TokenGrant,
  first: Grant,
  deps: SchemeDeps,
): Promise<Grant> {
  const manifest = oauth2Manifest(connection)
  const steps = stepsFor(manifest, grantRequest)
  const { introspect } = manifest.token
  const derived = manifest.derived_tokens ?? []
  if (!steps.length && !introspect && !derived.length) return first
  const followUpDeps: SchemeDeps = {
    ...deps,
    logRequest: (entry) => deps.logRequest?.({ ...entry, followUp: true }),
  }
  const saveRefreshToken = refreshTokenSaver(connection, deps)
  let grant = first
  for (const [index, step] of steps.entries()) {
    await saveRefreshToken(grant)
    grant = afterStep(
      grant,
      await runStep(extendConnection(connection, grant.credentials), step, `step ${index + 1}`, followUpDeps),
    )
  }
  if (introspect && grant.credentials['expires_in'] === undefined) {
    await saveRefreshToken(grant)
    const { value } = await runOptional(followUpDeps, (optionalDeps) =>
      introspectExpiry(extendConnection(connection, grant.credentials), introspect, optionalDeps),
    )
    if (value === 'inactive')
      throw new ProviderUnavailable('The provider reports that the token it has just issued is not active.')
    if (value) grant = { ...grant, expiresAt: value.expiresAt ?? grant.expiresAt }
  }
  for (const manifest of derived) {
    await saveRefreshToken(grant)
    grant = await withDerived(connection, grant, manifest, followUpDeps)
  }
  return withLifetime(grant, deps.now())
}

/** A client that requests a new token starts over, so the steps of the first token request apply again. */
function stepsFor({ token, refresh }: OAuth2Manifest, { kind }: TokenGrant): readonly StepManifest[] {
  return (
    (kind === 'code' ? undefined : refresh?.steps) ?? (kind === 'refresh' ? undefined : token.steps) ?? []
  )
}

const extendConnection = (connection: ConnectionContext, credentials: Credentials): ConnectionContext =>
  changeConnection(connection, { credentials: { ...connection.credentials, ...credentials } })

/**
 * Returns a function that saves a new refresh token. A provider that rotates tokens has revoked the old one:
 * neither
 * a failure nor the end of this process may lose the new one.
 */
function refreshTokenSaver(connection: ConnectionContext, deps: SchemeDeps): (grant: Grant) => Promise<void> {
  let savedToken = connection.credentials['refresh_token']
  return async ({ credentials: { refresh_token: token } }) => {
    if (token === undefined || token === savedToken) return
    await deps.saveCredentials?.({ refresh_token: token })
    savedToken = token
  }
}

async function runStep(
  connection: ConnectionContext,
  step: StepManifest,
  stepName: string,
  deps: SchemeDeps,
): Promise<Grant> {
  return readStep(
    connection,
    step,
    stepName,
    await sendRequest(
      deps,
      connection.proxy,
      buildRequest(() => stepRequest(connection, step)),
    ),
  )
}

function stepRequest(
  connection: ConnectionContext,
  { url, method = 'POST', body: placement = 'form', ...step }: StepManifest,
): AuthProviderRequest {
  const lookup = credentialLookup(connection)
  const stepUrl = renderUrl(compileTemplate(url), lookup)
  const params = fillTemplates(step.params, lookup)
  const headers = Object.fromEntries(
    Object.entries(fillTemplates(step.headers, lookup)).map(([name, value]) => [name.toLowerCase(), value]),
  )
  if (!Object.keys(params).length) return { method, url: stepUrl, headers }
  if (method === 'GET' || placement === 'query')
    return {
      method,
      url: `${stepUrl}${stepUrl.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`,
      headers,
    }
  const body = encodeBody(placement, params)
  return { method, url: stepUrl, headers: { ...body.headers, ...headers }, body: body.body }
}

/** A new access token has its own expiry; another credential, such as a session, may expire earlier. */
function afterStep(
  { credentials: { expires_in: expiresIn, ...credentials }, expiresAt }: Grant,
  step: Grant,
): Grant {
  if (step.credentials['access_token'] !== undefined)
    return { credentials: { ...credentials, ...step.credentials }, expiresAt: step.expiresAt }
  return {
    credentials: {
      ...credentials,
      ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
      ...step.credentials,
    },
    expiresAt: earliestExpiry(expiresAt, step.expiresAt),
  }
}

/** Adds a derived token. On failure its value is null, and the other credentials stay usable. */
async function withDerived(
  connection: ConnectionContext,
  grant: Grant,
  manifest: DerivedTokenManifest,
  deps: SchemeDeps,
): Promise<Grant> {
  const extended = extendConnection(connection, grant.credentials)
  const { value, error } = await runOptional(deps, async (optionalDeps) => {
    const token = extended.credentials['refresh_token']
    if (typeof token !== 'string' || !token)
      throw new GrantRejected(
        'no_refresh_token',
        `${manifest.name} needs a refresh token, and there is none.`,
      )
    return readGrant(
      extended,
      await requestToken(extended, { kind: 'refresh', token, derived: manifest }, optionalDeps),
    )
  })
  if (!value)
    return {
      credentials: { ...grant.credentials, [manifest.name]: null },
      expiresAt:
        error instanceof ProviderUnavailable
          ? earliestExpiry(grant.expiresAt, deps.now() + RETRY_MS)
          : grant.expiresAt,
    }
  const { access_token: token, refresh_token: rotated } = value.credentials
  return {
    credentials: {
      ...grant.credentials,
      [manifest.name]: token,
      ...(rotated === undefined ? {} : { refresh_token: rotated }),
    },
    expiresAt: earliestExpiry(grant.expiresAt, value.expiresAt),
  }
}

const earliestExpiry = (a: number | null, b: number | null) =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

/**
 * Stores the lifetime, which determines the refresh margin: the expiry may be that of another token than
 * `expires_in`.
 */
const withLifetime = ({ credentials, expiresAt }: Grant, now: number): Grant => ({
  credentials: {
    ...credentials,
    lifetime_seconds: expiresAt === null ? null : Math.max(1, Math.round((expiresAt - now) / 1_000)),
  },
  expiresAt,
})

type Failure = GrantRejected | ProviderUnavailable

/** Runs optional work. Its failure is returned and logged with the request that revealed it. */
async function runOptional<T>(
  deps: SchemeDeps,
  work: (deps: SchemeDeps) => Promise<T>,
): Promise<{ value?: T; error?: Failure }> {
  const entries: ProviderRequestLogEntry[] = []
  const logEntries = (error?: Failure) => {
    if (error && !entries.length) entries.push(logEntryWithoutRequest(error.message))
    for (const [index, entry] of entries.entries())
      deps.logRequest?.(error && index === entries.length - 1 ? { ...entry, error } : entry)
  }
  try {
    const value = await work({
      ...deps,
      logRequest: (entry) => {
        entries.push(entry)
      },
    })
    logEntries()
    return { value }
  } catch (error) {
    if (!(error instanceof GrantRejected || error instanceof ProviderUnavailable)) throw error
    logEntries(error)
    return { error }
  }
}
