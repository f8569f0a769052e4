import {
  compileTemplate,
  type OAuth2Manifest,
  render,
  renderAddress,
  type RevokeManifest,
} from '../catalog/index.ts'
import { clientAssertion, clientAuthentication } from './client-auth.ts'
import { isDeadGrant, providerError } from './provider-error.ts'
import { built, encodeBody, type ProviderReply, type ProviderRequest, request } from './provider-request.ts'
import {
  type AuthScheme,
  GrantRejected,
  lookupOf,
  ProviderTrouble,
  type Revoked,
  type SchemeTools,
  type ConnectionContext,
} from './scheme.ts'

/** In this order: where a grant ends with its refresh token, the access token is only the rest. */
const TOKENS = ['refresh_token', 'access_token'] as const
/** May work when asked again. */
const PASSING = [408, 425, 429]

/** Ends a connection at the provider as its manifest says: spread into a scheme. */
export const revocation = {
  revocable(setup) {
    const { revoke } = setup.scheme.manifest
    return revoke !== undefined && (isOwn(revoke) || tokensOf(setup).length > 0)
  },
  revoke(setup, tools) {
    const { revoke } = setup.scheme.manifest
    if (!revoke)
      throw new GrantRejected(
        'not_revocable',
        'The manifest knows no way to end this access at the provider.',
      )
    return revokeBy(revoke, setup, tools)
  },
} satisfies Pick<AuthScheme, 'revocable' | 'revoke'>

/** As `revocation.revoke`, by a manifest part that came from elsewhere. `sign` is for schemes that sign every request. @throws GrantRefused, ProviderTrouble */
export function revokeBy(
  revoke: RevokeManifest,
  setup: ConnectionContext,
  tools: SchemeTools,
  sign?: AuthScheme['sign'],
): Promise<Revoked> {
  return isOwn(revoke) ? byOwnRequest(revoke, setup, tools, sign) : byToken(revoke, setup, tools)
}

const isOwn = ({ method, params }: RevokeManifest) => method !== undefined || params !== undefined
const tokensOf = ({ val }: ConnectionContext) =>
  TOKENS.filter((name) => typeof val[name] === 'string' && val[name] !== '')

/** RFC 7009: one request a token. A type that the server does not take is passed over, as long as it takes one. */
async function byToken(
  revoke: RevokeManifest,
  setup: ConnectionContext,
  tools: SchemeTools,
): Promise<Revoked> {
  const tokens: string[] = []
  let refusal: GrantRejected | undefined
  for (const name of tokensOf(setup)) {
    const assertion = await assertionFor(revoke, setup, tools)
    const params = { token: String(setup.val[name]), token_type_hint: name }
    const reply = await request(
      tools,
      setup.proxy,
      built(() => requestOf(revoke, setup, params, true, assertion)),
    )
    if (isEnded(revoke, setup, reply)) tokens.push(name)
    else refusal ??= refusalOf(setup, reply)
  }
  if (!tokens.length)
    throw refusal ?? new GrantRejected('no_token', 'There is no token that the provider could take back.')
  return { tokens }
}

async function byOwnRequest(
  revoke: RevokeManifest,
  setup: ConnectionContext,
  tools: SchemeTools,
  sign?: AuthScheme['sign'],
): Promise<Revoked> {
  const lookup = lookupOf(setup)
  const assertion = revoke.client_auth === undefined ? '' : await assertionFor(revoke, setup, tools)
  const reply = await request(
    tools,
    setup.proxy,
    built(() => {
      const params = Object.fromEntries(
        Object.entries(revoke.params ?? {}).map(([name, text]) => [
          name,
          render(compileTemplate(text), lookup),
        ]),
      )
      const asked = {
        headers: {},
        ...requestOf(revoke, setup, params, revoke.client_auth !== undefined, assertion),
      }
      const signed = sign?.(setup, asked, tools.now())
      return signed ? { ...asked, url: signed.url, headers: { ...asked.headers, ...signed.headers } } : asked
    }),
  )
  const gone = revoke.success_statuses === undefined && (reply.status === 404 || reply.status === 410)
  if (!gone && !isEnded(revoke, setup, reply)) throw refusalOf(setup, reply)
  const tokens = tokensOf(setup)
  return { tokens: tokens.length ? tokens : ['credential'] }
}

/** The audience stays the token endpoint: it is what servers know themselves by (RFC 7523 §3). */
function assertionFor(revoke: RevokeManifest, setup: ConnectionContext, tools: SchemeTools): Promise<string> {
  const { client_auth: clientAuth, token } = setup.scheme.manifest as Partial<OAuth2Manifest>
  const { url } = built(() => ({
    method: 'POST',
    url: renderAddress(compileTemplate(token?.url ?? revoke.url), lookupOf(setup)),
  }))
  return clientAssertion(setup, revoke.client_auth ?? clientAuth, url, tools.now())
}

/** Taken back now, or not valid before: both are the end that was asked for. */
function isEnded(
  { success_statuses: statuses }: RevokeManifest,
  setup: ConnectionContext,
  reply: ProviderReply,
): boolean {
  if (statuses ? statuses.includes(reply.status) : reply.status >= 200 && reply.status <= 299) return true
  const { code } = providerError(setup, reply.body)
  return reply.status < 500 && (code === 'invalid_token' || isDeadGrant(code))
}

/** What stands against it for good; @throws ProviderTrouble for what may pass */
function refusalOf(setup: ConnectionContext, { status, body }: ProviderReply): GrantRejected {
  const { code, text } = providerError(setup, body)
  if (status >= 500 || status < 400 || PASSING.includes(status))
    throw new ProviderTrouble(`Taking the access back was answered with status ${status}.`)
  return new GrantRejected(
    code || `status_${status}`,
    text || `Taking the access back was answered with status ${status}.`,
  )
}

function requestOf(
  revoke: RevokeManifest,
  setup: ConnectionContext,
  own: Record<string, string>,
  authenticated: boolean,
  assertion: string,
): ProviderRequest {
  const lookup = lookupOf(setup)
  const { client_auth: clientAuth, token } = setup.scheme.manifest as Partial<OAuth2Manifest>
  const client = authenticated
    ? clientAuthentication(setup, revoke.client_auth ?? clientAuth, assertion)
    : { params: {}, headers: {} }
  const renamed = Object.entries(client.params).map(([name, value]) => [token?.rename?.[name] ?? name, value])
  const params = { ...own, ...(Object.fromEntries(renamed) as Record<string, string>) }
  const headers = {
    ...Object.fromEntries(
      Object.entries(revoke.headers ?? {}).map(([name, text]) => [
        name.toLowerCase(),
        render(compileTemplate(text), lookup),
      ]),
    ),
    ...client.headers,
  }
  const method = revoke.method ?? 'POST'
  const path = renderAddress(compileTemplate(revoke.url), lookup)
  const url =
    path.startsWith('/') && setup.scheme.baseUrl
      ? renderAddress(setup.scheme.baseUrl, lookup).replace(/\/+$/, '') + path
      : path
  if (!Object.keys(params).length) return { method, url, headers }
  if (revoke.body === 'query' || method === 'GET')
    return { method, url: `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`, headers }
  const body = encodeBody(revoke.body ?? 'form', params)
  return { method, url, headers: { ...body.headers, ...headers }, body: body.body }
}
