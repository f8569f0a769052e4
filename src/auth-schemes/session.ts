import {
  compilePath,
  renderAddress,
  compileTemplate,
  type Lookup,
  type SessionManifest,
} from '../catalog/index.ts'
import { endOf, momentOf } from './lifetime.ts'
import { built, encodeBody, type ProviderReply, type ProviderRequest, request } from './provider-request.ts'
import {
  GrantRejected,
  lookupOf,
  ProviderTrouble,
  type SchemeTools,
  type ConnectionContext,
  type Values,
} from './scheme.ts'
import { fillTexts } from './texts.ts'

/** A token that was got, and when it ends (ms since the epoch; null: nobody says). */
export interface Session {
  token: string
  expiresAt: number | null
}

const REFUSALS = [400, 401, 403]

/** One request that trades what the user gave for a token. `refused` is what the user reads when the application says no. @throws GrantRefused, ProviderTrouble */
export async function requestSession(
  setup: ConnectionContext,
  manifest: SessionManifest,
  tools: SchemeTools,
  refused: string,
  extra?: Values,
): Promise<Session> {
  const reply = await request(
    tools,
    setup.proxy,
    built(() => sessionRequest(setup, manifest, lookupOf(setup, extra))),
  )
  if (REFUSALS.includes(reply.status) && !isThrottled(reply))
    throw new GrantRejected('invalid_credentials', refused)
  if (reply.status < 200 || reply.status > 299)
    throw new ProviderTrouble(`Signing in was answered with status ${reply.status}.`)
  const token = tokenOf(manifest, reply)
  if (!token) throw new ProviderTrouble('The answer to signing in holds no token.')
  return { token, expiresAt: expiryOf(manifest, reply, reply.askedAt) }
}

/** Seconds from now until an end, as they are stored beside the token. */
export const secondsUntil = (expiresAt: number | null, now: number): Values =>
  expiresAt === null ? {} : { expires_in: Math.max(1, Math.round((expiresAt - now) / 1_000)) }

/** Renewed 15 minutes before its end, or at half its life where that is shorter. */
export function earlyMargin({ val }: ConnectionContext): number {
  const lifetime = Number(val['expires_in'])
  return Math.min(15 * 60_000, lifetime > 0 ? lifetime * 500 : 60_000)
}

/** Too many attempts is no word about the password, whatever status it is told with. */
const isThrottled = ({ headers, body }: ProviderReply) =>
  headers['retry-after'] !== undefined ||
  /too many/i.test(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

function sessionRequest(
  setup: ConnectionContext,
  manifest: SessionManifest,
  lookup: Lookup,
): ProviderRequest {
  const { method = 'POST', body = 'form' } = manifest
  const params = fillTexts(manifest.params, lookup)
  const headers = Object.fromEntries(
    Object.entries(fillTexts(manifest.headers, lookup)).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const path = renderAddress(compileTemplate(manifest.path), lookup)
  const base =
    setup.scheme.baseUrl && !/^https?:/i.test(path)
      ? renderAddress(setup.scheme.baseUrl, lookup).replace(/\/+$/, '')
      : ''
  const url = base + path
  if (manifest.params === undefined) return { method, url, headers }
  if (method === 'GET')
    return { method, url: `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`, headers }
  const encoded = encodeBody(body, params)
  return { method, url, headers: { ...encoded.headers, ...headers }, body: encoded.body }
}

function tokenOf(
  { token, token_from_cookie: cookie, token_from_header: header }: SessionManifest,
  { headers, body }: ProviderReply,
): string | undefined {
  const found =
    cookie !== undefined
      ? cookieOf(headers['set-cookie'], cookie)
      : header !== undefined
        ? [headers[header.toLowerCase()]].flat()[0]
        : compilePath(token ?? '$')(body)
  return typeof found === 'string' && found ? found : undefined
}

/** RFC 6265 §4.1.1, without the attributes. */
function cookieOf(lines: string | string[] | undefined, name: string): string | undefined {
  const line = [lines ?? []].flat().find((one) => one.slice(0, one.indexOf('=')).trim() === name)
  return line
    ?.slice(line.indexOf('=') + 1)
    .split(';', 1)[0]!
    .trim()
    .replace(/^"(.*)"$/, '$1')
}

function expiryOf(
  { expires_in: path, expiry_unit: unit = 'seconds', lifetime_seconds: lifetime }: SessionManifest,
  { body }: ProviderReply,
  now: number,
): number | null {
  const fallback = endOf(now, lifetime)
  const told = path === undefined ? undefined : compilePath(path)(body)
  if (told === undefined || told === null) return fallback
  if (unit === 'date') return momentOf(Date.parse(String(told))) ?? fallback
  const number = Number(told)
  if (!(number > 0)) return fallback
  const at = {
    seconds: now + number * 1_000,
    milliseconds: now + number,
    unix_seconds: number * 1_000,
    unix_milliseconds: number,
  }[unit]
  return momentOf(at) ?? fallback
}
