import { randomUUID } from 'node:crypto'
import { jose } from '../../platform/jose.ts'
import type { JwtManifest, Lookup } from '../../catalog/index.ts'
import { parsePrivateKey, UnusableKey } from './private-key.ts'
import { fillOptionalTemplate, fillTemplate, fillTemplates } from '../credentials/templates.ts'

/** Signs a JSON Web Token (RFC 7519) that a manifest describes. @throws MissingValue, UnusableKey */
export async function signJwt(jwt: JwtManifest, lookup: Lookup, now: number): Promise<string> {
  const claimLookup: Lookup = (name) => (name === 'uuid' ? randomUUID() : lookup(name))
  const seconds = Math.floor(now / 1_000)
  const kid = fillOptionalTemplate(jwt.key_id, claimLookup)
  const registered = {
    iss: fillOptionalTemplate(jwt.issuer, claimLookup),
    sub: fillOptionalTemplate(jwt.subject, claimLookup),
    aud: fillOptionalTemplate(jwt.audience, claimLookup),
  }
  const token = new (jose().SignJWT)({
    ...withoutUndefined(registered),
    ...withoutUndefined(fillClaims(jwt, claimLookup)),
    iat: seconds - (jwt.backdate_seconds ?? 0),
    exp: seconds + jwt.lifetime_seconds,
  }).setProtectedHeader({
    ...fillTemplates(jwt.headers, claimLookup),
    alg: jwt.algorithm,
    typ: 'JWT',
    ...(kid === undefined ? {} : { kid }),
  })
  const key = signingKey(jwt, fillTemplate(jwt.key, claimLookup))
  try {
    return await token.sign(key)
  } catch {
    throw new UnusableKey(`does not fit ${jwt.algorithm}`)
  }
}

/** Signs several tokens; returns them by name. @throws MissingValue, UnusableKey */
export async function signJwts(
  tokens: Readonly<Record<string, JwtManifest>>,
  lookup: Lookup,
  now: number,
): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(
      Object.entries(tokens).map(async ([name, jwt]) => [name, await signJwt(jwt, lookup, now)] as const),
    ),
  )
}

function fillClaims({ claims = {} }: JwtManifest, lookup: Lookup): Record<string, unknown> {
  const filled = (value: unknown): unknown =>
    typeof value === 'string'
      ? fillOptionalTemplate(value, lookup)
      : Array.isArray(value)
        ? value.map(filled)
        : value
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, filled(value)]))
}

const withoutUndefined = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

function signingKey({ algorithm, key_encoding: declaredEncoding }: JwtManifest, text: string) {
  const encoding = declaredEncoding ?? (algorithm.startsWith('HS') ? 'utf8' : 'pem')
  if (encoding === 'pem') return parsePrivateKey(text)
  const bytes = Buffer.from(text, encoding)
  if (!bytes.length) throw new UnusableKey(`is not encoded as ${encoding}`)
  return bytes
}
