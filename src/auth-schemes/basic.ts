import { type BasicManifest, compilePath, compileTemplate, render, renderAddress } from '../catalog/index.ts'
import { endOf } from './lifetime.ts'
import { built, encodeBody, type ProviderReply, type ProviderRequest, request } from './provider-request.ts'
import { revocation } from './revoke.ts'
import { type AuthScheme, GrantRefused, type Grant, lookupOf, ProviderTrouble, type SchemeTools, type Setup } from './scheme.ts'

/** HTTP Basic (RFC 7617), or user name and password traded for a session token where the manifest declares `sign_in`. */
export const basic: AuthScheme = {
  name: 'BASIC',
  redirects: false,
  ...revocation,
  renewable: ({ scheme }) => (scheme.manifest as BasicManifest).sign_in !== undefined,
  isEmpty: ({ val }) => val['session_token'] === undefined,
  renew: signIn,
  marginMs: ({ val, scheme }) => {
    const lifetime = Number(val['expires_in']) || (scheme.manifest as BasicManifest).sign_in?.lifetime_seconds
    // At half its life at the latest: a session shorter than the margin would be renewed at every call.
    return Math.min(MARGIN_MS, lifetime ? lifetime * 500 : MARGIN_MS)
  },
}

const MARGIN_MS = 60_000

async function signIn(setup: Setup, tools: SchemeTools): Promise<Grant> {
  const manifest = (setup.scheme.manifest as BasicManifest).sign_in
  if (!manifest) throw new GrantRefused('not_renewable', 'The user name or the password is refused.')
  const reply = await request(tools, setup.proxy, built(() => signInRequest(setup, manifest)))
  if ([400, 401, 403].includes(reply.status) && !isThrottled(reply)) throw new GrantRefused('invalid_credentials', 'The application refused the user name or the password.')
  if (reply.status < 200 || reply.status > 299) throw new ProviderTrouble(`Signing in was answered with status ${reply.status}.`)
  const token = compilePath(manifest.token)(reply.body)
  if (typeof token !== 'string' || !token) throw new ProviderTrouble('The answer to signing in holds no token.')
  const lifetime = manifest.expires_in ? Number(compilePath(manifest.expires_in)(reply.body)) : manifest.lifetime_seconds
  const known = lifetime && Number.isFinite(lifetime) && lifetime > 0 ? lifetime : manifest.lifetime_seconds
  return { val: { session_token: token, ...(known ? { expires_in: known } : {}) }, expiresAt: endOf(tools.now(), known) }
}

/** Too many attempts is no word about the password, whatever status it is told with. */
const isThrottled = ({ headers, body }: ProviderReply) => headers['retry-after'] !== undefined || /too many/i.test(typeof body === 'string' ? body : JSON.stringify(body) ?? '')

function signInRequest(setup: Setup, { path: pathText, params: texts, body = 'form' }: NonNullable<BasicManifest['sign_in']>): ProviderRequest {
  const lookup = lookupOf(setup)
  const params = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, render(compileTemplate(text), lookup)]))
  const base = setup.scheme.baseUrl ? renderAddress(setup.scheme.baseUrl, lookup).replace(/\/+$/, '') : ''
  const path = renderAddress(compileTemplate(pathText), lookup)
  return { method: 'POST', url: /^https?:/i.test(path) ? path : base + path, ...encodeBody(body, params) }
}
