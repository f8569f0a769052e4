import { compileCondition, compilePath, type OAuth2Manifest, type StepManifest } from '../../catalog/index.ts'
import { expiresAtAfter, clampTimestamp } from '../credentials/timestamps.ts'
import { isObject } from '../../platform/json-object.ts'
import { isInvalidGrant, readProviderError } from '../provider-requests/provider-error.ts'
import type { AuthProviderResponse } from '../provider-requests/send-request.ts'
import {
  type Grant,
  GrantRejected,
  ProviderUnavailable,
  type ConnectionContext,
  type Credentials,
} from '../scheme.ts'
import { oauth2Manifest } from './manifest.ts'

const INVALID_CLIENT_CODES = new Set(['invalid_client', 'unauthorized_client'])
const SCHEMES_WITH_OWN_CLIENT = new Set(['S2S_OAUTH2', 'DCR_OAUTH'])
const STANDARD_FIELDS = [
  'access_token',
  'refresh_token',
  'expires_in',
  'scope',
  'token_type',
  'id_token',
] as const

type Token = OAuth2Manifest['token']
/** The part of a manifest that describes the format of a response. */
type ResponseFormat = Pick<
  Token,
  'success_statuses' | 'success_when' | 'map' | 'capture' | 'lifetime_seconds' | 'expiry_unit'
>

/**
 * Reads a token response (RFC 6749 §5.1, §5.2) in the format of this provider.
 * @throws GrantRejected, ProviderUnavailable
 */
export function readGrant(connection: ConnectionContext, response: AuthProviderResponse): Grant {
  const { token } = oauth2Manifest(connection)
  const { code, text } = readError(connection, token, response, 'The token endpoint')
  // If the client belongs to the connection, its rejection is as final as that of a grant.
  if (
    code !== undefined &&
    SCHEMES_WITH_OWN_CLIENT.has(connection.scheme.mode) &&
    (INVALID_CLIENT_CODES.has(code) || (response.status === 401 && !code))
  )
    throw new GrantRejected(code || 'invalid_client', code ? text : 'The provider rejected the client.')
  if (code !== undefined) throw new ProviderUnavailable(text)
  const tokenFromHeaders = tokenOutsideBody(token, response)
  const fields: Credentials = {
    ...standardFields(token, response.body),
    ...(tokenFromHeaders === undefined ? {} : { access_token: tokenFromHeaders }),
  }
  const accessToken = fields['access_token']
  if (typeof accessToken !== 'string' || !accessToken)
    throw new ProviderUnavailable('The response of the token endpoint contains no access token.')
  const { secondary } = token
  const userToken = secondary && compilePath(secondary.access_token)(response.body)
  const userScope = secondary?.scope && compilePath(secondary.scope)(response.body)
  return {
    credentials: {
      ...captureFields(token, response.body),
      ...fields,
      ...(typeof userToken === 'string' && userToken
        ? { authed_user: { access_token: userToken, ...(userScope ? { scope: userScope } : {}) } }
        : {}),
    },
    expiresAt: readExpiry(token, fields['expires_in'], response.requestedAt),
  }
}

/**
 * Reads the response of a step. Every field that the manifest maps is required.
 * @throws GrantRejected, ProviderUnavailable
 */
export function readStep(
  connection: ConnectionContext,
  step: StepManifest,
  stepName: string,
  response: AuthProviderResponse,
): Grant {
  const { code, text } = readError(connection, step, response, `The endpoint of ${stepName}`)
  if (code !== undefined) throw new ProviderUnavailable(text)
  const fields = step.map || !step.capture ? standardFields(step, response.body) : {}
  const credentials: Credentials = { ...captureFields(step, response.body), ...fields }
  const requiredNames =
    step.map || step.capture ? Object.keys({ ...step.map, ...step.capture }) : ['access_token']
  const missing = requiredNames.find((name) => credentials[name] === undefined)
  if (missing !== undefined)
    throw new ProviderUnavailable(`The response of ${stepName} contains no ${missing}.`)
  if (fields['access_token'] !== undefined && typeof fields['access_token'] !== 'string')
    throw new ProviderUnavailable(`The access token in the response of ${stepName} is not a text.`)
  return { credentials, expiresAt: readExpiry(step, fields['expires_in'], response.requestedAt) }
}

/** Reads the error of a response; without `code` it is a success. @throws GrantRejected for an invalid grant */
function readError(
  connection: ConnectionContext,
  { success_statuses: statuses, success_when: condition }: ResponseFormat,
  { status, headers, body }: AuthProviderResponse,
  endpoint: string,
): { code?: string; text: string } {
  const isSuccessStatus = statuses ? statuses.includes(status) : status >= 200 && status <= 299
  if (isSuccessStatus && (!condition || compileCondition(condition)({ status, headers, body }))) {
    // Some providers return 200 with an error, without a condition in the manifest.
    if (!(isObject(body) && typeof body['error'] === 'string' && body['error'] && !condition))
      return { text: '' }
  }
  const { code, text } = readProviderError(connection, body)
  if (isInvalidGrant(code)) throw new GrantRejected(code, text)
  return { code, text: code ? text : `${endpoint} returned status ${status}.` }
}

const captureFields = ({ capture }: ResponseFormat, body: unknown): Credentials =>
  Object.fromEntries(
    Object.entries(capture ?? {})
      .map(([name, path]) => [name, compilePath(path)(body)] as const)
      .filter(isPresent),
  )

/** The token of providers that return it in a cookie or a header. */
function tokenOutsideBody(token: Token, { headers }: AuthProviderResponse): string | undefined {
  const linesOf = (name: string) => [headers[name.toLowerCase()] ?? []].flat()
  if (token.from_header !== undefined) return linesOf(token.from_header)[0]
  if (token.from_cookie === undefined) return undefined
  const prefix = `${token.from_cookie}=`
  return linesOf('set-cookie')
    .find((line) => line.startsWith(prefix))
    ?.slice(prefix.length)
    .split(';')[0]
}

/** Non-empty standard fields: without a new refresh token, the old one stays valid (RFC 6749 §6). */
function standardFields({ map }: ResponseFormat, body: unknown): Credentials {
  const fields = STANDARD_FIELDS.map((name) => [name, compilePath(map?.[name] ?? name)(body)] as const)
  return Object.fromEntries(fields.filter(isPresent))
}

const isPresent = ([, value]: readonly [string, unknown]) =>
  value !== undefined && value !== null && value !== ''

function readExpiry(
  { lifetime_seconds: seconds, expiry_unit: unit = 'seconds' }: ResponseFormat,
  value: unknown,
  now: number,
): number | null {
  const lifetime = expiresAtAfter(now, seconds)
  if (value === undefined || value === null) return lifetime
  if (unit === 'date') return clampTimestamp(Date.parse(String(value))) ?? lifetime
  const number = Number(value)
  if (!Number.isFinite(number) || number <= 0) return lifetime
  switch (unit) {
    case 'milliseconds':
      return clampTimestamp(now + number)
    case 'unix_seconds':
      return clampTimestamp(number * 1_000)
    case 'unix_milliseconds':
      return clampTimestamp(number)
    default:
      return expiresAtAfter(now, number)
  }
}
