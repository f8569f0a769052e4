import { type BasicManifest, compilePath, compileTemplate, render, renderAddress } from '../catalog/index.ts'
import { encodeBody, request } from './provider-request.ts'
import { type AuthScheme, GrantRefused, type Grant, lookupOf, ProviderTrouble, type SchemeTools, type Setup } from './scheme.ts'

/** HTTP Basic (RFC 7617), or user name and password traded for a session token where the manifest declares `sign_in`. */
export const basic: AuthScheme = {
  name: 'BASIC',
  redirects: false,
  renewable: ({ scheme }) => (scheme.manifest as BasicManifest).sign_in !== undefined,
  renew: signIn,
  marginMs: () => 60_000,
}

async function signIn(setup: Setup, tools: SchemeTools): Promise<Grant> {
  const manifest = (setup.scheme.manifest as BasicManifest).sign_in
  if (!manifest) throw new GrantRefused('not_renewable', 'The user name or the password is refused.')
  const lookup = lookupOf(setup)
  const params = Object.fromEntries(Object.entries(manifest.params).map(([name, text]) => [name, render(compileTemplate(text), lookup)]))
  const base = setup.scheme.baseUrl ? renderAddress(setup.scheme.baseUrl, lookup).replace(/\/+$/, '') : ''
  const path = renderAddress(compileTemplate(manifest.path), lookup)
  const reply = await request(tools, setup.proxy, { method: 'POST', url: /^https?:/.test(path) ? path : base + path, ...encodeBody(manifest.body ?? 'form', params) })
  if ([400, 401, 403].includes(reply.status)) throw new GrantRefused('invalid_credentials', 'The application refused the user name or the password.')
  if (reply.status < 200 || reply.status > 299) throw new ProviderTrouble(`Signing in was answered with status ${reply.status}.`)
  const token = compilePath(manifest.token)(reply.body)
  if (typeof token !== 'string' || !token) throw new ProviderTrouble('The answer to signing in holds no token.')
  const lifetime = manifest.expires_in ? Number(compilePath(manifest.expires_in)(reply.body)) : manifest.lifetime_seconds
  return { val: { session_token: token }, expiresAt: lifetime && Number.isFinite(lifetime) ? tools.now() + lifetime * 1_000 : null }
}
