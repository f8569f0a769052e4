import { createHash } from 'node:crypto'
import type { JSONWebKeySet, JWTPayload } from 'jose'
import { jose } from '../../platform/jose.ts'
import { compileTemplate, type OAuth2Manifest, renderUrl } from '../../catalog/index.ts'
import { clientValue } from '../provider-requests/client-authentication.ts'
import { isObject } from '../../platform/json-object.ts'
import { buildRequest, sendRequest } from '../provider-requests/send-request.ts'
import {
  GrantRejected,
  credentialLookup,
  ProviderUnavailable,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
} from '../scheme.ts'
import { oauth2Manifest } from './manifest.ts'

/** Asymmetric algorithms only: with a shared secret, or without a signature, others could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const TOKEN_MAX = 20_000
const SKEW_SECONDS = 60

/**
 * Validates the ID tokens of one authorization flow (OpenID Connect Core 3.1.3.7, 3.3.2.11, 3.3.3.6).
 * Both functions throw GrantRejected or ProviderUnavailable.
 */
export interface IdTokenValidator {
  /** Validates the ID token of the callback, whose URL anyone could have opened. */
  validateCallback(token: unknown, code: string): Promise<void>
  /** Validates the ID token of the token response; called last. */
  validateTokenResponse(token: unknown): Promise<void>
}

/** Creates the validator. Nothing is checked if the manifest declares neither a nonce nor `id_token`. */
export function idTokenValidator(
  connection: ConnectionContext,
  { nonce }: Credentials,
  deps: SchemeDeps,
): IdTokenValidator {
  const manifest = oauth2Manifest(connection)
  const expected = typeof nonce === 'string' ? nonce : undefined
  let previousClaims: JWTPayload | undefined
  const check = async (token: unknown, code?: string): Promise<void> => {
    if (token === undefined || (expected === undefined && !manifest.id_token)) return
    const claims = await validateClaims(token, connection, manifest, deps)
    if (expected !== undefined && claims['nonce'] !== expected)
      throw new GrantRejected(
        'nonce_mismatch',
        'The nonce of the id_token does not match, so the id_token may belong to another attempt. Connect again.',
      )
    if (
      code !== undefined &&
      claims['c_hash'] !== undefined &&
      claims['c_hash'] !== leftHalfHash(code, String(token))
    )
      throw invalid('belongs to a different code')
    if (previousClaims && (previousClaims.sub !== claims.sub || previousClaims.iss !== claims.iss))
      throw invalid('identifies a different user than the previous one')
    previousClaims = claims
  }
  return {
    validateCallback: check,
    async validateTokenResponse(token) {
      await check(token)
      const isRequested =
        expected !== undefined && manifest.authorize.response_type?.split(' ').includes('id_token')
      if (isRequested && !previousClaims)
        throw new GrantRejected(
          'id_token_missing',
          'The provider returned no id_token, so the response cannot be assigned to this attempt. Connect again.',
        )
    },
  }
}

const invalid = (why: string) => new GrantRejected('invalid_id_token', `The id_token of the provider ${why}.`)

async function validateClaims(
  token: unknown,
  connection: ConnectionContext,
  { id_token: rules }: OAuth2Manifest,
  deps: SchemeDeps,
): Promise<JWTPayload> {
  if (typeof token !== 'string' || token.length > TOKEN_MAX) throw invalid('is not a token')
  const fill = (text: string | undefined) =>
    text === undefined
      ? undefined
      : buildRequest(() => ({
          method: 'GET',
          url: renderUrl(compileTemplate(text), credentialLookup(connection)),
        })).url
  const issuer = fill(rules?.issuer)
  const url = fill(rules?.jwks_url)
  if (url !== undefined) await verifySignature(token, await fetchKeys(url, connection, deps), deps.now())
  const claims = parseClaims(token)
  if (!rules) return claims
  const audiences = [claims.aud ?? []].flat()
  if (!audiences.includes(clientValue(connection, 'client_id'))) throw invalid('is issued for another client')
  if (issuer !== undefined && claims.iss !== issuer) throw invalid('has a different issuer')
  if (typeof claims.exp !== 'number' || claims.exp + SKEW_SECONDS <= deps.now() / 1_000)
    throw invalid('has expired')
  return claims
}

function parseClaims(token: string): JWTPayload {
  try {
    return jose().decodeJwt(token)
  } catch {
    throw invalid('cannot be parsed')
  }
}

async function fetchKeys(
  url: string,
  connection: ConnectionContext,
  deps: SchemeDeps,
): Promise<JSONWebKeySet> {
  const { status, body } = await sendRequest(
    { ...deps, logRequest: (entry) => deps.logRequest?.({ ...entry, followUp: true }) },
    connection.proxy,
    { method: 'GET', url },
  )
  if (status !== 200 || !isObject(body) || !Array.isArray(body['keys']))
    throw new ProviderUnavailable(
      `Could not read the public keys of the provider: ${new URL(url).host} returned status ${status}.`,
    )
  return body as unknown as JSONWebKeySet
}

async function verifySignature(token: string, keys: JSONWebKeySet, now: number): Promise<void> {
  try {
    await jose().jwtVerify(token, jose().createLocalJWKSet(keys), {
      algorithms: ALGORITHMS,
      currentDate: new Date(now),
      clockTolerance: SKEW_SECONDS,
    })
  } catch (error) {
    throw invalid(
      (error as { code?: string }).code === 'ERR_JWT_EXPIRED' ? 'has expired' : 'has an invalid signature',
    )
  }
}

/** Left half of the hash (OpenID Connect Core 3.3.2.11), with the hash function of the token's algorithm. */
function leftHalfHash(text: string, token: string): string | undefined {
  const { alg = '' } = jose().decodeProtectedHeader(token)
  const hash =
    alg === 'EdDSA' ? 'sha512' : /^[A-Z]{2}(256|384|512)$/.test(alg) ? `sha${alg.slice(2)}` : undefined
  if (hash === undefined) return undefined
  const digest = createHash(hash).update(text).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
