import { createHash } from 'node:crypto'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { compileTemplate, type OAuth2Manifest, renderAddress } from '../../catalog/index.ts'
import { clientValue } from '../client-auth.ts'
import { isObject } from '../../platform/json-object.ts'
import { built, request } from '../provider-request.ts'
import {
  GrantRejected,
  lookupOf,
  ProviderTrouble,
  type SchemeTools,
  type ConnectionContext,
  type Values,
} from '../scheme.ts'
import { manifestOf } from './index.ts'

/** Signatures that only the provider can make: with a shared secret, or none, anybody might. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const TOKEN_MAX = 20_000
const SKEW_SECONDS = 60

/** Holds the id_tokens of one walk to what it began with (OpenID Connect Core 3.1.3.7, 3.3.2.11, 3.3.3.6). Each throws GrantRefused or ProviderTrouble. */
export interface IdTokens {
  /** That of the callback, which anybody could have opened. */
  ofCallback(token: unknown, code: string): Promise<void>
  /** That of the token reply; the last one. */
  ofReply(token: unknown): Promise<void>
}

/** Nothing is checked where the manifest sends no nonce and says nothing of id_tokens. */
export function idTokensOf(setup: ConnectionContext, { nonce }: Values, tools: SchemeTools): IdTokens {
  const manifest = manifestOf(setup)
  const expected = typeof nonce === 'string' ? nonce : undefined
  let first: JWTPayload | undefined
  const check = async (token: unknown, code?: string): Promise<void> => {
    if (token === undefined || (expected === undefined && !manifest.id_token)) return
    const claims = await claimsOf(token, setup, manifest, tools)
    if (expected !== undefined && claims['nonce'] !== expected)
      throw new GrantRejected(
        'nonce_mismatch',
        'The id_token of the provider does not carry the nonce of this attempt, so it may belong to another one. Connect again.',
      )
    if (
      code !== undefined &&
      claims['c_hash'] !== undefined &&
      claims['c_hash'] !== halfHash(code, String(token))
    )
      throw invalid('belongs to another code')
    if (first && (first.sub !== claims.sub || first.iss !== claims.iss))
      throw invalid('speaks of another user than the one before')
    first = claims
  }
  return {
    ofCallback: check,
    async ofReply(token) {
      await check(token)
      const asked =
        expected !== undefined && manifest.authorize.response_type?.split(' ').includes('id_token')
      if (asked && !first)
        throw new GrantRejected(
          'id_token_missing',
          'The provider was asked for an id_token and gave none, so nothing proves that its answer belongs to this attempt. Connect again.',
        )
    },
  }
}

const invalid = (why: string) => new GrantRejected('invalid_id_token', `The id_token of the provider ${why}.`)

async function claimsOf(
  token: unknown,
  setup: ConnectionContext,
  { id_token: rules }: OAuth2Manifest,
  tools: SchemeTools,
): Promise<JWTPayload> {
  if (typeof token !== 'string' || token.length > TOKEN_MAX) throw invalid('is none')
  const fill = (text: string | undefined) =>
    text === undefined
      ? undefined
      : built(() => ({ method: 'GET', url: renderAddress(compileTemplate(text), lookupOf(setup)) })).url
  const issuer = fill(rules?.issuer)
  const url = fill(rules?.jwks_url)
  if (url !== undefined) await verify(token, await keysAt(url, setup, tools), tools.now())
  const claims = readable(token)
  if (!rules) return claims
  const audiences = [claims.aud ?? []].flat()
  if (!audiences.includes(clientValue(setup, 'client_id'))) throw invalid('is meant for another client')
  if (issuer !== undefined && claims.iss !== issuer) throw invalid('comes from another issuer')
  if (typeof claims.exp !== 'number' || claims.exp + SKEW_SECONDS <= tools.now() / 1_000)
    throw invalid('has ended')
  return claims
}

function readable(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch {
    throw invalid('cannot be read')
  }
}

async function keysAt(url: string, setup: ConnectionContext, tools: SchemeTools): Promise<JSONWebKeySet> {
  const { status, body } = await request(
    { ...tools, note: (note) => tools.note?.({ ...note, followUp: true }) },
    setup.proxy,
    { method: 'GET', url },
  )
  if (status !== 200 || !isObject(body) || !Array.isArray(body['keys']))
    throw new ProviderTrouble(
      `The keys of the provider could not be read: ${new URL(url).host} answered with status ${status}.`,
    )
  return body as unknown as JSONWebKeySet
}

async function verify(token: string, keys: JSONWebKeySet, now: number): Promise<void> {
  try {
    await jwtVerify(token, createLocalJWKSet(keys), {
      algorithms: ALGORITHMS,
      currentDate: new Date(now),
      clockTolerance: SKEW_SECONDS,
    })
  } catch (error) {
    throw invalid(
      (error as { code?: string }).code === 'ERR_JWT_EXPIRED' ? 'has ended' : 'is not signed by it',
    )
  }
}

/** OpenID Connect Core 3.3.2.11: the left half of the hash that belongs to the algorithm of the token. */
function halfHash(text: string, token: string): string | undefined {
  const { alg = '' } = decodeProtectedHeader(token)
  const hash =
    alg === 'EdDSA' ? 'sha512' : /^[A-Z]{2}(256|384|512)$/.test(alg) ? `sha${alg.slice(2)}` : undefined
  if (hash === undefined) return undefined
  const digest = createHash(hash).update(text).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
