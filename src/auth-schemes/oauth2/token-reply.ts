import { compileCondition, compilePath, type OAuth2Manifest, type StepManifest } from '../../catalog/index.ts'
import { endOf, momentOf } from '../lifetime.ts'
import { isObject } from '../../platform/json-object.ts'
import { isDeadGrant, providerError } from '../provider-error.ts'
import type { ProviderReply } from '../provider-request.ts'
import { type Grant, GrantRejected, ProviderTrouble, type ConnectionContext, type Values } from '../scheme.ts'
import { manifestOf } from './index.ts'

const DEAD_CLIENT = new Set(['invalid_client', 'unauthorized_client'])
const CLIENT_IS_OURS = new Set(['S2S_OAUTH2', 'DCR_OAUTH'])
const STANDARD = ['access_token', 'refresh_token', 'expires_in', 'scope', 'token_type', 'id_token'] as const

type Token = OAuth2Manifest['token']
/** What tells how a reply is written. */
type Written = Pick<
  Token,
  'success_statuses' | 'success_when' | 'map' | 'capture' | 'lifetime_seconds' | 'expiry_unit'
>

/** Reads a token reply (RFC 6749 §5.1, §5.2) as this provider writes it. @throws GrantRefused, ProviderTrouble */
export function readGrant(setup: ConnectionContext, reply: ProviderReply): Grant {
  const { token } = manifestOf(setup)
  const { code, text } = errorIn(setup, token, reply, 'The token endpoint')
  // Where the client belongs to the connection, its refusal is as final as that of a grant.
  if (
    code !== undefined &&
    CLIENT_IS_OURS.has(setup.scheme.mode) &&
    (DEAD_CLIENT.has(code) || (reply.status === 401 && !code))
  )
    throw new GrantRejected(code || 'invalid_client', code ? text : 'The provider refused the client.')
  if (code !== undefined) throw new ProviderTrouble(text)
  const elsewhere = tokenOutsideBody(token, reply)
  const members: Values = {
    ...standardMembers(token, reply.body),
    ...(elsewhere === undefined ? {} : { access_token: elsewhere }),
  }
  const accessToken = members['access_token']
  if (typeof accessToken !== 'string' || !accessToken)
    throw new ProviderTrouble('The answer of the token endpoint holds no access token.')
  const { secondary } = token
  const userToken = secondary && compilePath(secondary.access_token)(reply.body)
  const userScope = secondary?.scope && compilePath(secondary.scope)(reply.body)
  return {
    val: {
      ...captured(token, reply.body),
      ...members,
      ...(typeof userToken === 'string' && userToken
        ? { authed_user: { access_token: userToken, ...(userScope ? { scope: userScope } : {}) } }
        : {}),
    },
    expiresAt: expiry(token, members['expires_in'], reply.askedAt),
  }
}

/** Reads the reply of a further request. What the manifest names in it has to be there. @throws GrantRefused, ProviderTrouble */
export function readStep(
  setup: ConnectionContext,
  step: StepManifest,
  place: string,
  reply: ProviderReply,
): Grant {
  const { code, text } = errorIn(setup, step, reply, `The address of ${place}`)
  if (code !== undefined) throw new ProviderTrouble(text)
  const members = step.map || !step.capture ? standardMembers(step, reply.body) : {}
  const val: Values = { ...captured(step, reply.body), ...members }
  const wanted = step.map || step.capture ? Object.keys({ ...step.map, ...step.capture }) : ['access_token']
  const missing = wanted.find((name) => val[name] === undefined)
  if (missing !== undefined) throw new ProviderTrouble(`The answer to ${place} holds no ${missing}.`)
  if (members['access_token'] !== undefined && typeof members['access_token'] !== 'string')
    throw new ProviderTrouble(`The answer to ${place} holds an access token that is no text.`)
  return { val, expiresAt: expiry(step, members['expires_in'], reply.askedAt) }
}

/** What is wrong with a reply; without `code` nothing is. @throws GrantRefused for a grant that is dead */
function errorIn(
  setup: ConnectionContext,
  { success_statuses: statuses, success_when: condition }: Written,
  { status, headers, body }: ProviderReply,
  who: string,
): { code?: string; text: string } {
  const fits = statuses ? statuses.includes(status) : status >= 200 && status <= 299
  if (fits && (!condition || compileCondition(condition)({ status, headers, body }))) {
    // Some providers answer 200 with an error, without declaring how.
    if (!(isObject(body) && typeof body['error'] === 'string' && body['error'] && !condition))
      return { text: '' }
  }
  const { code, text } = providerError(setup, body)
  if (isDeadGrant(code)) throw new GrantRejected(code, text)
  return { code, text: code ? text : `${who} answered with status ${status}.` }
}

const captured = ({ capture }: Written, body: unknown): Values =>
  Object.fromEntries(
    Object.entries(capture ?? {})
      .map(([name, path]) => [name, compilePath(path)(body)] as const)
      .filter(isThere),
  )

/** The token of providers that answer it as a cookie or a header. */
function tokenOutsideBody(token: Token, { headers }: ProviderReply): string | undefined {
  const linesOf = (name: string) => [headers[name.toLowerCase()] ?? []].flat()
  if (token.from_header !== undefined) return linesOf(token.from_header)[0]
  if (token.from_cookie === undefined) return undefined
  const prefix = `${token.from_cookie}=`
  return linesOf('set-cookie')
    .find((line) => line.startsWith(prefix))
    ?.slice(prefix.length)
    .split(';')[0]
}

/** Only members that are there: an omitted, null or empty refresh token means that the old one stays (RFC 6749 §6). */
function standardMembers({ map }: Written, body: unknown): Values {
  const found = STANDARD.map((name) => [name, compilePath(map?.[name] ?? name)(body)] as const)
  return Object.fromEntries(found.filter(isThere))
}

const isThere = ([, value]: readonly [string, unknown]) =>
  value !== undefined && value !== null && value !== ''

function expiry(
  { lifetime_seconds: seconds, expiry_unit: unit = 'seconds' }: Written,
  value: unknown,
  now: number,
): number | null {
  const lifetime = endOf(now, seconds)
  if (value === undefined || value === null) return lifetime
  if (unit === 'date') return momentOf(Date.parse(String(value))) ?? lifetime
  const number = Number(value)
  if (!Number.isFinite(number) || number <= 0) return lifetime
  switch (unit) {
    case 'milliseconds':
      return momentOf(now + number)
    case 'unix_seconds':
      return momentOf(number * 1_000)
    case 'unix_milliseconds':
      return momentOf(number)
    default:
      return endOf(now, number)
  }
}
