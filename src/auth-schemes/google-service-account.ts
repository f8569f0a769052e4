import {
  compileTemplate,
  type GoogleServiceAccountManifest,
  type JwtManifest,
  renderUrl,
} from '../catalog/index.ts'
import { expiresAtAfter } from './credentials/timestamps.ts'
import { signJwt } from './signing/jwt.ts'
import { scopeList } from './oauth2/authorize.ts'
import { buildRequest, encodeBody, sendRequest } from './provider-requests/send-request.ts'
import { manifestRevocation } from './provider-requests/revocation.ts'
import {
  type AuthScheme,
  type Grant,
  GrantRejected,
  credentialLookup,
  ProviderUnavailable,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
} from './scheme.ts'
import { isPrivateKey, signGrant } from './service-account.ts'
import { sessionRefreshMarginMs, expiresInFor } from './provider-requests/session-token.ts'
import { isObject } from '../platform/json-object.ts'
import { redactSecrets } from './credentials/redaction.ts'

const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const JWT_BEARER_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFETIME_SECONDS = 3_600
const ERROR_CHARACTERS_MAX = 300

const GRANT_JWT: JwtManifest = {
  algorithm: 'RS256',
  key: '{private_key}',
  key_id: '{private_key_id?}',
  issuer: '{client_email}',
  subject: '{subject?}',
  audience: '{audience}',
  lifetime_seconds: LIFETIME_SECONDS,
  claims: { scope: "{scope||''}" },
}

interface KeyFile {
  client_email: string
  private_key: string
  private_key_id?: string
  token_uri: string
}

/**
 * Signs a grant (RFC 7523) with the key of a service account and exchanges it for an access token. `subject`
 * is the
 * user to act for.
 */
export const googleServiceAccount: AuthScheme = {
  name: 'GOOGLE_SERVICE_ACCOUNT',
  redirects: false,
  ...manifestRevocation,
  canRefresh: () => true,
  needsFirstToken: ({ credentials }) => credentials['access_token'] === undefined,
  refresh: requestAccessToken,
  refreshMarginMs: sessionRefreshMarginMs,
  validateCredentials({ credentials_json: text }, { manifest }): Readonly<Record<string, string>> {
    if (typeof text !== 'string') return {}
    const file = parseKeyFile(text, manifest as GoogleServiceAccountManifest)
    return typeof file === 'string' ? { credentials_json: file } : {}
  },
}

async function requestAccessToken(connection: ConnectionContext, deps: SchemeDeps): Promise<Grant> {
  const manifest = connection.scheme.manifest as GoogleServiceAccountManifest
  const lookup = credentialLookup(connection)
  const file = parseKeyFile(String(lookup('credentials_json') ?? ''), manifest)
  if (typeof file === 'string') throw new GrantRejected('invalid_key', `The key file ${file}.`)
  const url = tokenUrlOf(manifest)
  const scopes = scopeList(connection.authConfigCredentials['scopes'], manifest.scopes?.default).join(' ')
  const values: Credentials = { ...file, scope: scopes, audience: url, subject: lookup('subject') }
  const assertion = await signGrant(() => signJwt(GRANT_JWT, (name) => values[name], deps.now()))
  const response = await sendRequest(
    deps,
    connection.proxy,
    buildRequest(() => ({
      method: 'POST',
      url,
      ...encodeBody('form', { grant_type: JWT_BEARER_GRANT, assertion }),
    })),
  )
  const {
    access_token: token,
    expires_in: lifetime,
    error,
    error_description: description,
  } = isObject(response.body) ? response.body : {}
  if ([400, 401, 403].includes(response.status) && typeof error === 'string') {
    throw new GrantRejected(
      error.slice(0, ERROR_CHARACTERS_MAX),
      redactSecrets(`${error}: ${String(description ?? '')}`.slice(0, ERROR_CHARACTERS_MAX), connection, [
        file.private_key,
        assertion,
      ]),
    )
  }
  if (typeof token !== 'string' || !token || response.status > 299)
    throw new ProviderUnavailable(
      `The token endpoint returned status ${response.status} and no access token.`,
    )
  const expiresAt = expiresAtAfter(
    response.requestedAt,
    Number(lifetime) > 0 ? Number(lifetime) : (manifest.lifetime_seconds ?? LIFETIME_SECONDS),
  )
  return { credentials: { access_token: token, ...expiresInFor(expiresAt, deps.now()) }, expiresAt }
}

/** The token URL comes from the manifest only: a key file that chose it would choose who receives the grant. */
const tokenUrlOf = ({ token }: GoogleServiceAccountManifest) =>
  renderUrl(compileTemplate(token?.url ?? TOKEN_URL), () => undefined)

/** Returns the parsed key file, or a text that completes the sentence "credentials_json …". */
function parseKeyFile(text: string, manifest: GoogleServiceAccountManifest): KeyFile | string {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return 'must be the JSON key file of a service account'
  }
  if (!isObject(file)) return 'must be the JSON key file of a service account'
  if (file['type'] !== 'service_account')
    return 'must be the key of a service account (`"type": "service_account"`)'
  const missing = ['client_email', 'private_key'].filter(
    (name) => typeof file[name] !== 'string' || file[name] === '',
  )
  if (missing.length) return `lacks ${missing.join(' and ')}`
  if (!isPrivateKey(String(file['private_key']))) return 'has a private_key that is not a key in PEM format'
  const { token_uri: uri } = file
  if (uri !== undefined && uri !== tokenUrlOf(manifest))
    return `has a token_uri other than ${tokenUrlOf(manifest)}`
  return file as unknown as KeyFile
}
