import { compileTemplate, type GoogleServiceAccountManifest, renderAddress } from '../catalog/index.ts'
import { endOf } from './lifetime.ts'
import { mintJwt } from './mint.ts'
import { scopeList } from './oauth2/authorize.ts'
import { built, encodeBody, request } from './provider-request.ts'
import { revocation } from './revoke.ts'
import {
  type AuthScheme,
  GrantRejected,
  lookupOf,
  ProviderTrouble,
  type SchemeTools,
  type ConnectionContext,
  type Values,
} from './scheme.ts'
import { isPrivateKey, proof } from './service-account.ts'
import { earlyMargin, secondsUntil } from './session.ts'
import { withoutSecrets } from './secrets.ts'

const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFETIME_SECONDS = 3_600
const TEXT_MAX = 300

interface KeyFile {
  client_email: string
  private_key: string
  private_key_id?: string
  token_uri: string
}

/** A service account's key signs a grant (RFC 7523), which is traded for an access token; `subject` names the user to act for. */
export const googleServiceAccount: AuthScheme = {
  name: 'GOOGLE_SERVICE_ACCOUNT',
  redirects: false,
  ...revocation,
  renewable: () => true,
  isEmpty: ({ val }) => val['access_token'] === undefined,
  renew,
  marginMs: earlyMargin,
  mistakes({ credentials_json: text }, { manifest }): Readonly<Record<string, string>> {
    if (typeof text !== 'string') return {}
    const file = keyFile(text, manifest as GoogleServiceAccountManifest)
    return typeof file === 'string' ? { credentials_json: file } : {}
  },
}

async function renew(
  setup: ConnectionContext,
  tools: SchemeTools,
): Promise<{ val: Values; expiresAt: number | null }> {
  const manifest = setup.scheme.manifest as GoogleServiceAccountManifest
  const lookup = lookupOf(setup)
  const file = keyFile(String(lookup('credentials_json') ?? ''), manifest)
  if (typeof file === 'string') throw new GrantRejected('invalid_key', `The key file ${file}.`)
  const url = tokenUrl(manifest)
  const scopes = scopeList(setup.credentials['scopes'], manifest.scopes?.default).join(' ')
  const values: Values = { ...file, scope: scopes, audience: url, subject: lookup('subject') }
  const assertion = await proof(() =>
    mintJwt(
      {
        algorithm: 'RS256',
        key: '{private_key}',
        key_id: '{private_key_id?}',
        issuer: '{client_email}',
        subject: '{subject?}',
        audience: '{audience}',
        lifetime_seconds: LIFETIME_SECONDS,
        claims: { scope: "{scope||''}" },
      },
      (name) => values[name],
      tools.now(),
    ),
  )
  const reply = await request(
    tools,
    setup.proxy,
    built(() => ({ method: 'POST', url, ...encodeBody('form', { grant_type: GRANT, assertion }) })),
  )
  const {
    access_token: token,
    expires_in: lifetime,
    error,
    error_description: description,
  } = typeof reply.body === 'object' && reply.body !== null ? (reply.body as Values) : ({} as Values)
  if ([400, 401, 403].includes(reply.status) && typeof error === 'string') {
    throw new GrantRejected(
      error.slice(0, TEXT_MAX),
      withoutSecrets(`${error}: ${String(description ?? '')}`.slice(0, TEXT_MAX), setup, [
        file.private_key,
        assertion,
      ]),
    )
  }
  if (typeof token !== 'string' || !token || reply.status > 299)
    throw new ProviderTrouble(`The token endpoint answered with status ${reply.status} and no access token.`)
  const expiresAt = endOf(
    reply.askedAt,
    Number(lifetime) > 0 ? Number(lifetime) : (manifest.lifetime_seconds ?? LIFETIME_SECONDS),
  )
  return { val: { access_token: token, ...secondsUntil(expiresAt, tools.now()) }, expiresAt }
}

/** The manifest says where the grant goes; a file that chose the address would choose who gets it. */
const tokenUrl = ({ token }: GoogleServiceAccountManifest) =>
  renderAddress(compileTemplate(token?.url ?? TOKEN_URL), () => undefined)

/** The key file, or what is wrong with it, which completes "credentials_json …". */
function keyFile(text: string, manifest: GoogleServiceAccountManifest): KeyFile | string {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return 'must be the JSON key file of a service account'
  }
  const has = (name: string) =>
    typeof (file as Values | null)?.[name] === 'string' && (file as Values)[name] !== ''
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    return 'must be the JSON key file of a service account'
  if ((file as Values)['type'] !== 'service_account')
    return 'must be the key of a service account (`"type": "service_account"`)'
  const missing = ['client_email', 'private_key'].filter((name) => !has(name))
  if (missing.length) return `lacks ${missing.join(' and ')}`
  if (!isPrivateKey(String((file as Values)['private_key'])))
    return 'holds a private_key that is no key in PEM form'
  const { token_uri: uri } = file as Values
  if (uri !== undefined && uri !== tokenUrl(manifest))
    return `names another token_uri than ${tokenUrl(manifest)}`
  return file as unknown as KeyFile
}
