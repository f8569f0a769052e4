import { createHash, X509Certificate } from 'node:crypto'
import { type ClientAuthManifest, compileTemplate, MissingValue, render } from '../../catalog/index.ts'
import { UnusableKey } from '../signing/private-key.ts'
import { signJwt } from '../signing/jwt.ts'
import { credentialLookup, ProviderUnavailable, type ConnectionContext } from '../scheme.ts'

/** Parameters and headers that authenticate the OAuth client. */
export interface ClientAuthentication {
  params: Record<string, string>
  headers: Record<string, string>
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const ASSERTION_SECONDS = 300

/**
 * Signs a client assertion (RFC 7523 §3) for one request. Returns an empty text where the client
 * authenticates in
 * another way.
 * @throws ProviderUnavailable
 */
export async function clientAssertion(
  connection: ConnectionContext,
  method: ClientAuthManifest | undefined,
  audience: string,
  now: number,
): Promise<string> {
  if (typeof method !== 'object' || !('jwt' in method)) return ''
  const { x5t_s256_of: certificate, ...jwt } = method.jwt
  const lookup = credentialLookup(connection, {
    client_id: clientValue(connection, 'client_id'),
    token_url: audience,
  })
  return signAssertion(async () =>
    signJwt(
      {
        lifetime_seconds: ASSERTION_SECONDS,
        issuer: '{client_id}',
        subject: '{client_id}',
        audience: '{token_url}',
        ...jwt,
        claims: { jti: '{uuid}', ...jwt.claims },
        headers: {
          ...jwt.headers,
          ...(certificate === undefined
            ? {}
            : { 'x5t#S256': thumbprint(render(compileTemplate(certificate), lookup)) }),
        },
      },
      lookup,
      now,
    ),
  )
}

/** Turns missing values and unusable keys into an error of this connection. @throws ProviderUnavailable */
export async function signAssertion(sign: () => Promise<string>): Promise<string> {
  try {
    return await sign()
  } catch (error) {
    if (error instanceof MissingValue)
      throw new ProviderUnavailable(`The assertion cannot be signed: ${error.message}`, { cause: error })
    if (error instanceof UnusableKey)
      throw new ProviderUnavailable(`The assertion cannot be signed: the key ${error.message}.`, {
        cause: error,
      })
    throw error
  }
}

/** Certificate thumbprint `x5t#S256` (RFC 7515 §4.1.8). */
function thumbprint(certificate: string): string {
  try {
    return createHash('sha256').update(new X509Certificate(certificate).raw).digest('base64url')
  } catch {
    throw new UnusableKey('has a certificate that cannot be parsed')
  }
}

/** Client authentication (RFC 6749 §2.3). @throws MissingValue for a template without a value */
export function authenticateClient(
  connection: ConnectionContext,
  method: ClientAuthManifest = 'post',
  assertion = '',
): ClientAuthentication {
  const id = clientValue(connection, 'client_id')
  const secret = clientValue(connection, 'client_secret')
  if (method === 'none') return { params: { client_id: id }, headers: {} }
  if (method === 'post') return { params: { client_id: id, client_secret: secret }, headers: {} }
  if (typeof method === 'object' && 'jwt' in method)
    return {
      params: { client_id: id, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion },
      headers: {},
    }
  // HTTP Basic carries both parts form-encoded (RFC 6749 §2.3.1).
  const [username, password] =
    method === 'basic'
      ? [formEncode(id), formEncode(secret)]
      : [method.basic.username, method.basic.password].map((text) =>
          text === '' ? '' : render(compileTemplate(text), credentialLookup(connection)),
        )
  return {
    params: {},
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
  }
}

/**
 * Client ID or secret of the auth config, otherwise of the connection: some schemes ask the user for a client
 * or
 * register one.
 */
export function clientValue(
  { authConfigCredentials, sharedCredentials, credentials }: ConnectionContext,
  name: 'client_id' | 'client_secret',
): string {
  const clientField = [authConfigCredentials, sharedCredentials, credentials]
    .map((values) => values[name])
    .find((value) => typeof value === 'string' && value !== '')
  return String(clientField ?? '')
}

const formEncode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
