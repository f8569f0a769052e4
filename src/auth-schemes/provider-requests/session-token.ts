import {
  compilePath,
  renderUrl,
  compileTemplate,
  type Lookup,
  type SessionManifest,
} from '../../catalog/index.ts'
import { expiresAtAfter, clampTimestamp } from '../credentials/timestamps.ts'
import {
  buildRequest,
  encodeBody,
  type AuthProviderResponse,
  type AuthProviderRequest,
  sendRequest,
} from './send-request.ts'
import {
  GrantRejected,
  credentialLookup,
  ProviderUnavailable,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
} from '../scheme.ts'
import { fillTemplates } from '../credentials/templates.ts'

/** A session token and its expiry (ms since the epoch; null: unknown). */
export interface SessionToken {
  token: string
  expiresAt: number | null
}

const REJECTION_STATUSES = [400, 401, 403]

/**
 * Exchanges the credentials of the user for a token in one request. `rejectedMessage` is shown to the user if
 * the
 * application rejects them.
 * @throws GrantRejected, ProviderUnavailable
 */
export async function requestSessionToken(
  connection: ConnectionContext,
  manifest: SessionManifest,
  deps: SchemeDeps,
  rejectedMessage: string,
  extra?: Credentials,
): Promise<SessionToken> {
  const response = await sendRequest(
    deps,
    connection.proxy,
    buildRequest(() => sessionRequest(connection, manifest, credentialLookup(connection, extra))),
  )
  if (REJECTION_STATUSES.includes(response.status) && !isThrottled(response))
    throw new GrantRejected('invalid_credentials', rejectedMessage)
  if (response.status < 200 || response.status > 299)
    throw new ProviderUnavailable(`The sign-in endpoint returned status ${response.status}.`)
  const token = readToken(manifest, response)
  if (!token) throw new ProviderUnavailable('The response of the sign-in endpoint contains no token.')
  return { token, expiresAt: readExpiry(manifest, response, response.requestedAt) }
}

/** Seconds until the expiry, as stored with the token. */
export const expiresInFor = (expiresAt: number | null, now: number): Credentials =>
  expiresAt === null ? {} : { expires_in: Math.max(1, Math.round((expiresAt - now) / 1_000)) }

/** Refreshes 15 minutes before the expiry, or after half the lifetime if that is shorter. */
export function sessionRefreshMarginMs({ credentials }: ConnectionContext): number {
  const lifetime = Number(credentials['expires_in'])
  return Math.min(15 * 60_000, lifetime > 0 ? lifetime * 500 : 60_000)
}

/** A response to too many attempts does not mean that the password is wrong, whatever its status. */
const isThrottled = ({ headers, body }: AuthProviderResponse) =>
  headers['retry-after'] !== undefined ||
  /too many/i.test(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

function sessionRequest(
  connection: ConnectionContext,
  manifest: SessionManifest,
  lookup: Lookup,
): AuthProviderRequest {
  const { method = 'POST', body = 'form' } = manifest
  const params = fillTemplates(manifest.params, lookup)
  const headers = Object.fromEntries(
    Object.entries(fillTemplates(manifest.headers, lookup)).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  )
  const path = renderUrl(compileTemplate(manifest.path), lookup)
  const base =
    connection.scheme.baseUrl && !/^https?:/i.test(path)
      ? renderUrl(connection.scheme.baseUrl, lookup).replace(/\/+$/, '')
      : ''
  const url = base + path
  if (manifest.params === undefined) return { method, url, headers }
  if (method === 'GET')
    return { method, url: `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`, headers }
  const encoded = encodeBody(body, params)
  return { method, url, headers: { ...encoded.headers, ...headers }, body: encoded.body }
}

function readToken(
  { token, token_from_cookie: cookie, token_from_header: header }: SessionManifest,
  { headers, body }: AuthProviderResponse,
): string | undefined {
  const value =
    cookie !== undefined
      ? readCookie(headers['set-cookie'], cookie)
      : header !== undefined
        ? [headers[header.toLowerCase()]].flat()[0]
        : compilePath(token ?? '$')(body)
  return typeof value === 'string' && value ? value : undefined
}

/** Reads a cookie (RFC 6265 §4.1.1) without its attributes. */
function readCookie(lines: string | string[] | undefined, name: string): string | undefined {
  const line = [lines ?? []].flat().find((cookie) => cookie.slice(0, cookie.indexOf('=')).trim() === name)
  return line
    ?.slice(line.indexOf('=') + 1)
    .split(';', 1)[0]!
    .trim()
    .replace(/^"(.*)"$/, '$1')
}

function readExpiry(
  { expires_in: path, expiry_unit: unit = 'seconds', lifetime_seconds: lifetime }: SessionManifest,
  { body }: AuthProviderResponse,
  now: number,
): number | null {
  const fallback = expiresAtAfter(now, lifetime)
  const value = path === undefined ? undefined : compilePath(path)(body)
  if (value === undefined || value === null) return fallback
  if (unit === 'date') return clampTimestamp(Date.parse(String(value))) ?? fallback
  const number = Number(value)
  if (!(number > 0)) return fallback
  const at = {
    seconds: now + number * 1_000,
    milliseconds: now + number,
    unix_seconds: number * 1_000,
    unix_milliseconds: number,
  }[unit]
  return clampTimestamp(at) ?? fallback
}
