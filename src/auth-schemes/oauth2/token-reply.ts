import { compileCondition, compilePath, type OAuth2Manifest } from '../../catalog/index.ts'
import { endOf, momentOf } from '../lifetime.ts'
import { isDeadGrant, isRecord, providerError } from '../provider-error.ts'
import type { ProviderReply } from '../provider-request.ts'
import { type Grant, GrantRefused, ProviderTrouble, type Setup, type Values } from '../scheme.ts'
import { manifestOf } from './index.ts'

const DEAD_CLIENT = new Set(['invalid_client', 'unauthorized_client'])
const CLIENT_IS_OURS = new Set(['S2S_OAUTH2', 'DCR_OAUTH'])
const STANDARD = ['access_token', 'refresh_token', 'expires_in', 'scope', 'token_type', 'id_token'] as const

/** Reads a token reply (RFC 6749 §5.1, §5.2) as this provider writes it. @throws GrantRefused, ProviderTrouble */
export function readGrant(setup: Setup, reply: ProviderReply): Grant {
  const manifest = manifestOf(setup)
  refuseErrors(setup, manifest, reply)
  const elsewhere = tokenOutsideBody(manifest, reply)
  const members: Values = { ...standardMembers(manifest, reply.body), ...(elsewhere === undefined ? {} : { access_token: elsewhere }) }
  const token = members['access_token']
  if (typeof token !== 'string' || !token) throw new ProviderTrouble('The answer of the token endpoint holds no access token.')
  const { secondary, capture } = manifest.token
  const captured = Object.entries(capture ?? {}).map(([name, path]) => [name, compilePath(path)(reply.body)] as const).filter(isThere)
  const userToken = secondary && compilePath(secondary.access_token)(reply.body)
  const userScope = secondary?.scope && compilePath(secondary.scope)(reply.body)
  return {
    val: {
      ...Object.fromEntries(captured), ...members,
      ...(typeof userToken === 'string' && userToken ? { authed_user: { access_token: userToken, ...(userScope ? { scope: userScope } : {}) } } : {}),
    },
    expiresAt: expiry(manifest, members['expires_in'], reply.askedAt),
  }
}

function refuseErrors(setup: Setup, { token }: OAuth2Manifest, { status, headers, body }: ProviderReply): void {
  const fits = token.success_statuses ? token.success_statuses.includes(status) : status >= 200 && status <= 299
  if (fits && (!token.success_when || compileCondition(token.success_when)({ status, headers, body }))) {
    // Some providers answer 200 with an error, without declaring how.
    if (!(isRecord(body) && typeof body['error'] === 'string' && body['error'] && !token.success_when)) return
  }
  const { code, text } = providerError(setup, body)
  if (isDeadGrant(code)) throw new GrantRefused(code, text)
  // Where the client belongs to the connection, its refusal is as final as that of a grant.
  if (CLIENT_IS_OURS.has(setup.scheme.mode) && (DEAD_CLIENT.has(code) || (status === 401 && !code))) throw new GrantRefused(code || 'invalid_client', text || 'The provider refused the client.')
  throw new ProviderTrouble(code ? text : `The token endpoint answered with status ${status}.`)
}

/** The token of providers that answer it as a cookie or a header. */
function tokenOutsideBody({ token }: OAuth2Manifest, { headers }: ProviderReply): string | undefined {
  const linesOf = (name: string) => [headers[name.toLowerCase()] ?? []].flat()
  if (token.from_header !== undefined) return linesOf(token.from_header)[0]
  if (token.from_cookie === undefined) return undefined
  const prefix = `${token.from_cookie}=`
  return linesOf('set-cookie').find((line) => line.startsWith(prefix))?.slice(prefix.length).split(';')[0]
}

/** Only members that are there: an omitted, null or empty refresh token means that the old one stays (RFC 6749 §6). */
function standardMembers({ token }: OAuth2Manifest, body: unknown): Values {
  const found = STANDARD.map((name) => [name, compilePath(token.map?.[name] ?? name)(body)] as const)
  return Object.fromEntries(found.filter(isThere))
}

const isThere = ([, value]: readonly [string, unknown]) => value !== undefined && value !== null && value !== ''

function expiry({ token }: OAuth2Manifest, value: unknown, now: number): number | null {
  const lifetime = endOf(now, token.lifetime_seconds)
  if (value === undefined || value === null) return lifetime
  if (token.expiry_unit === 'date') return momentOf(Date.parse(String(value))) ?? lifetime
  const number = Number(value)
  if (!Number.isFinite(number) || number <= 0) return lifetime
  switch (token.expiry_unit ?? 'seconds') {
    case 'milliseconds': return momentOf(now + number)
    case 'unix_seconds': return momentOf(number * 1_000)
    case 'unix_milliseconds': return momentOf(number)
    default: return endOf(now, number)
  }
}
