import {
  compileTemplate,
  type DerivedTokenManifest,
  type OAuth2Manifest,
  render,
  renderAddress,
} from '../../catalog/index.ts'
import { clientAssertion, clientAuthentication, clientValue, minted } from '../client-auth.ts'
import { mintJwt } from '../mint.ts'
import { built, encodeBody, type ProviderReply, type ProviderRequest, request } from '../provider-request.ts'
import { lookupOf, type SchemeTools, type ConnectionContext, type Values } from '../scheme.ts'
import { signRequest } from '../signing/index.ts'
import { renderAll } from './authorize.ts'
import { manifestOf } from './index.ts'

/** RFC 7523 §2.1. */
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export type Exchange =
  | { kind: 'code'; code: string; secrets: Values }
  | { kind: 'refresh'; token: string; /** For another audience. */ derived?: DerivedTokenManifest }
  | { kind: 'client'; scope?: string }

/** One request to the token endpoint (RFC 6749 §4.1.3, §6) as this provider wants it. @throws ProviderTrouble */
export async function requestToken(
  setup: ConnectionContext,
  exchange: Exchange,
  tools: SchemeTools,
): Promise<ProviderReply> {
  const { url } = built(() => ({ method: 'POST', url: addressOf(setup, exchange) }))
  const {
    client_auth: clientAuth,
    token: { assertion },
  } = manifestOf(setup)
  const proofs = {
    client: await clientAssertion(setup, clientAuth, url, tools.now()),
    grant:
      assertion && exchange.kind !== 'refresh'
        ? await minted(() => mintJwt(assertion, lookupOf(setup, extraOf(setup, exchange)), tools.now()))
        : undefined,
  }
  return request(
    tools,
    setup.proxy,
    built(() => signed(setup, exchange, tokenRequest(setup, exchange, url, proofs), tools.now())),
  )
}

/** The last thing that happens to a request: whatever came after it would not be signed. */
function signed(
  setup: ConnectionContext,
  exchange: Exchange,
  made: ProviderRequest,
  now: number,
): ProviderRequest {
  const { sign } = manifestOf(setup).token
  if (!sign) return made
  const { url, headers } = signRequest(
    sign,
    lookupOf(setup, extraOf(setup, exchange)),
    { ...made, headers: made.headers ?? {} },
    now,
  )
  return { ...made, url, headers: { ...made.headers, ...headers } }
}

const extraOf = (setup: ConnectionContext, exchange: Exchange): Values =>
  exchange.kind === 'code'
    ? { ...exchange.secrets, code: exchange.code }
    : { redirect_uri: setup.redirectUri }

function addressOf(setup: ConnectionContext, exchange: Exchange): string {
  const { token, refresh } = manifestOf(setup)
  return renderAddress(
    compileTemplate((exchange.kind === 'refresh' ? refresh?.url : undefined) ?? token.url),
    lookupOf(setup, extraOf(setup, exchange)),
  )
}

function tokenRequest(
  setup: ConnectionContext,
  exchange: Exchange,
  address: string,
  proofs: { client: string; grant: string | undefined },
): ProviderRequest {
  const manifest = manifestOf(setup)
  const { token, refresh } = manifest
  const refreshing = exchange.kind === 'refresh'
  const extra = extraOf(setup, exchange)
  const client = clientAuthentication(setup, manifest.client_auth, proofs.client)
  const derived = exchange.kind === 'refresh' ? exchange.derived : undefined
  const params = wireParams(manifest, refreshing, derived?.omit, {
    ...grantParams(manifest, exchange),
    ...(proofs.grant === undefined ? {} : { assertion: proofs.grant }),
    // A signed grant needs no client beside it, unless there is one.
    ...(proofs.grant !== undefined && !clientValue(setup, 'client_id') ? {} : client.params),
    ...(manifest.resource ? { resource: render(compileTemplate(manifest.resource), lookupOf(setup)) } : {}),
    ...renderAll(
      refreshing
        ? { ...refresh?.params, ...derived?.params }
        : exchange.kind === 'client'
          ? { ...token.params, ...refresh?.params }
          : token.params,
      setup,
      extra,
    ),
  })
  const place = (refreshing ? refresh?.body : undefined) ?? token.body ?? 'form'
  const method = (refreshing ? refresh?.method : undefined) ?? token.method ?? 'POST'
  const headers = {
    ...renderAll(token.headers, setup, extra),
    ...(refreshing ? renderAll(refresh?.headers, setup, extra) : {}),
    ...client.headers,
  }
  if (place === 'query' || method === 'GET') {
    return { method, url: withQuery(address, Object.entries(params)), headers }
  }
  const isInQuery = ([name]: [string, string]) => token.in_query?.includes(name) === true
  const url = withQuery(address, Object.entries(params).filter(isInQuery))
  const body = encodeBody(
    place,
    Object.fromEntries(Object.entries(params).filter((member) => !isInQuery(member))),
  )
  return { method, url, headers: { ...body.headers, ...headers }, body: body.body }
}

const withQuery = (url: string, members: [string, string][]) =>
  members.length ? `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(members)}` : url

function grantParams(manifest: OAuth2Manifest, exchange: Exchange): Record<string, string> {
  if (exchange.kind === 'code') return codeParams(manifest, exchange)
  if (exchange.kind === 'refresh') return refreshParams(manifest, exchange.token)
  return {
    grant_type:
      manifest.refresh?.grant_type ??
      manifest.token.grant_type ??
      (manifest.token.assertion ? JWT_BEARER : 'client_credentials'),
    ...(exchange.scope ? { scope: exchange.scope } : {}),
  }
}

function codeParams(
  { token }: OAuth2Manifest,
  { code, secrets }: { code: string; secrets: Values },
): Record<string, string> {
  const verifier = secrets['code_verifier']
  return {
    grant_type: token.grant_type ?? (token.assertion ? JWT_BEARER : 'authorization_code'),
    code,
    redirect_uri: String(secrets['redirect_uri'] ?? ''),
    ...(typeof verifier === 'string' ? { code_verifier: verifier } : {}),
  }
}

function refreshParams({ refresh }: OAuth2Manifest, token: string): Record<string, string> {
  return {
    grant_type: refresh?.grant_type ?? 'refresh_token',
    [refresh?.with === 'access_token' ? 'access_token' : 'refresh_token']: token,
  }
}

function wireParams(
  { token, refresh }: OAuth2Manifest,
  refreshing: boolean,
  more: readonly string[] = [],
  params: Readonly<Record<string, string>>,
): Record<string, string> {
  const omit = new Set([...((refreshing ? refresh : token)?.omit ?? []), ...more])
  return Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => !omit.has(name))
      .map(([name, value]) => [token.rename?.[name] ?? name, value]),
  )
}
