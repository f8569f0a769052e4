import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { JwtManifest, Lookup } from '../catalog/index.ts'
import { privateKey, UnusableKey } from './keys.ts'
import { fillOptional, fillText, fillTexts } from './texts.ts'

/** A signed token (RFC 7519) as a manifest describes it. @throws MissingValue, UnusableKey */
export async function mintJwt(jwt: JwtManifest, lookup: Lookup, now: number): Promise<string> {
  const own: Lookup = (name) => (name === 'uuid' ? randomUUID() : lookup(name))
  const seconds = Math.floor(now / 1_000)
  const kid = fillOptional(jwt.key_id, own)
  const registered = {
    iss: fillOptional(jwt.issuer, own),
    sub: fillOptional(jwt.subject, own),
    aud: fillOptional(jwt.audience, own),
  }
  const token = new SignJWT({
    ...defined(registered),
    ...defined(claimsOf(jwt, own)),
    iat: seconds - (jwt.backdate_seconds ?? 0),
    exp: seconds + jwt.lifetime_seconds,
  }).setProtectedHeader({
    ...fillTexts(jwt.headers, own),
    alg: jwt.algorithm,
    typ: 'JWT',
    ...(kid === undefined ? {} : { kid }),
  })
  const key = keyOf(jwt, fillText(jwt.key, own))
  try {
    return await token.sign(key)
  } catch {
    throw new UnusableKey(`does not fit ${jwt.algorithm}`)
  }
}

/** Each of several, by name. @throws MissingValue, UnusableKey */
export async function mintAll(
  tokens: Readonly<Record<string, JwtManifest>>,
  lookup: Lookup,
  now: number,
): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(
      Object.entries(tokens).map(async ([name, jwt]) => [name, await mintJwt(jwt, lookup, now)] as const),
    ),
  )
}

function claimsOf({ claims = {} }: JwtManifest, lookup: Lookup): Record<string, unknown> {
  const filled = (value: unknown): unknown =>
    typeof value === 'string' ? fillOptional(value, lookup) : Array.isArray(value) ? value.map(filled) : value
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, filled(value)]))
}

const defined = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

function keyOf({ algorithm, key_encoding: given }: JwtManifest, text: string) {
  const encoding = given ?? (algorithm.startsWith('HS') ? 'utf8' : 'pem')
  if (encoding === 'pem') return privateKey(text)
  const bytes = Buffer.from(text, encoding)
  if (!bytes.length) throw new UnusableKey(`is not written as ${encoding}`)
  return bytes
}
