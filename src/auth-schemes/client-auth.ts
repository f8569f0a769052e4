import { createHash, X509Certificate } from 'node:crypto'
import { type ClientAuthManifest, compileTemplate, MissingValue, render } from '../catalog/index.ts'
import { UnusableKey } from './keys.ts'
import { mintJwt } from './mint.ts'
import { lookupOf, ProviderTrouble, type ConnectionContext } from './scheme.ts'

/** What a client adds to a request to prove itself. */
export interface ClientProof {
  params: Record<string, string>
  headers: Record<string, string>
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const ASSERTION_SECONDS = 300

/** The signed assertion of a client (RFC 7523 §3), made anew for each request; empty where it proves itself otherwise. @throws ProviderTrouble */
export async function clientAssertion(
  setup: ConnectionContext,
  how: ClientAuthManifest | undefined,
  audience: string,
  now: number,
): Promise<string> {
  if (typeof how !== 'object' || !('jwt' in how)) return ''
  const { x5t_s256_of: certificate, ...jwt } = how.jwt
  const lookup = lookupOf(setup, { client_id: clientValue(setup, 'client_id'), token_url: audience })
  return minted(async () =>
    mintJwt(
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

/** What cannot be signed is trouble with this connection. @throws ProviderTrouble */
export async function minted(make: () => Promise<string>): Promise<string> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof MissingValue)
      throw new ProviderTrouble(`The assertion cannot be made: ${error.message}`, { cause: error })
    if (error instanceof UnusableKey)
      throw new ProviderTrouble(`The assertion cannot be made: the key ${error.message}.`, { cause: error })
    throw error
  }
}

/** RFC 7515 §4.1.8. */
function thumbprint(certificate: string): string {
  try {
    return createHash('sha256').update(new X509Certificate(certificate).raw).digest('base64url')
  } catch {
    throw new UnusableKey('comes with a certificate that cannot be read')
  }
}

/** RFC 6749 §2.3. @throws MissingValue for a template that nothing fills */
export function clientAuthentication(
  setup: ConnectionContext,
  how: ClientAuthManifest = 'post',
  assertion = '',
): ClientProof {
  const id = clientValue(setup, 'client_id')
  const secret = clientValue(setup, 'client_secret')
  if (how === 'none') return { params: { client_id: id }, headers: {} }
  if (how === 'post') return { params: { client_id: id, client_secret: secret }, headers: {} }
  if (typeof how === 'object' && 'jwt' in how)
    return {
      params: { client_id: id, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion },
      headers: {},
    }
  // Basic carries both parts form-encoded (RFC 6749 §2.3.1).
  const [username, password] =
    how === 'basic'
      ? [formEncode(id), formEncode(secret)]
      : [how.basic.username, how.basic.password].map((text) =>
          text === '' ? '' : render(compileTemplate(text), lookupOf(setup)),
        )
  return {
    params: {},
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
  }
}

/** Client id or secret: of the auth config, else of the connection, where a scheme asks the user or registers a client of its own. */
export function clientValue(
  { credentials, shared, val }: ConnectionContext,
  name: 'client_id' | 'client_secret',
): string {
  const found = [credentials, shared, val]
    .map((values) => values[name])
    .find((value) => typeof value === 'string' && value !== '')
  return String(found ?? '')
}

const formEncode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
