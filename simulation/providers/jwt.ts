import { constants, createHmac, createVerify, type KeyObject, sign, verify } from 'node:crypto'
import { same } from './credentials.ts'

const SKEW_SECONDS = 60

export interface JwtDemands {
  algorithm: 'HS256' | 'RS256' | 'PS256' | 'ES256'
  key: Buffer | KeyObject
  kid?: string
  /** Further members of the header. */
  header?: Readonly<Record<string, string>>
  iss?: string
  sub?: string
  aud?: string
  secondsMax: number
  now: number
}

/** What is wrong with a signed token (RFC 7519), checked by the letter; nothing when it is right. */
export function checkJwt(token: string, demands: JwtDemands): string | undefined {
  const [head = '', payload = '', signature = '', ...more] = token.split('.')
  const [header, claims] = [read(head), read(payload)]
  if (!header || !claims || more.length) return 'A signed token is missing.'
  if (header['alg'] !== demands.algorithm) return `The algorithm must be ${demands.algorithm}.`
  if (!isSigned(`${head}.${payload}`, Buffer.from(signature, 'base64url'), demands))
    return 'The signature of the token is wrong.'
  for (const [name, value] of Object.entries({
    ...demands.header,
    ...(demands.kid === undefined ? {} : { kid: demands.kid }),
  }))
    if (header[name] !== value) return `${name} must be ${value}.`
  for (const name of ['iss', 'sub', 'aud'] as const)
    if (demands[name] !== undefined && claims[name] !== demands[name])
      return `${name} must be ${demands[name]}.`
  const [from, until, now] = [Number(claims['iat']), Number(claims['exp']), demands.now / 1_000]
  if (!(from <= now + SKEW_SECONDS) || !(until > now - SKEW_SECONDS))
    return 'The token has ended, or has not begun.'
  return until - from > demands.secondsMax + SKEW_SECONDS
    ? `The token must not live for more than ${demands.secondsMax} seconds.`
    : undefined
}

/** A token as providers hand them out themselves, HS256. */
export function signedClaims(claims: Readonly<Record<string, unknown>>, key: Buffer): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

/** A member of the header of a token, not verified. */
export const headerOf = (token: string, name: string): string =>
  String(read(token.split('.')[0] ?? '')?.[name] ?? '')

/** A token of this provider (RS256). */
export function signedJwt(claims: object, key: KeyObject, kid: string): string {
  const text = [{ alg: 'RS256', typ: 'JWT', kid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

/** The claims of a token, not verified. */
export const claimsOf = (token: string): Record<string, unknown> => read(token.split('.')[1] ?? '') ?? {}

function read(part: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function isSigned(text: string, signature: Buffer, { algorithm, key }: JwtDemands): boolean {
  if (Buffer.isBuffer(key))
    return (
      algorithm === 'HS256' &&
      same(createHmac('sha256', key).update(text).digest('hex'), signature.toString('hex'))
    )
  if (algorithm === 'ES256')
    return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature)
  if (algorithm === 'PS256')
    return verify(
      'sha256',
      Buffer.from(text),
      { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
      signature,
    )
  return algorithm === 'RS256' && createVerify('sha256').update(text).verify(key, signature)
}
