import { createHash } from 'node:crypto'
import type { RequestManifest, Toolkit, ToolManifest } from '../../src/catalog/index.ts'
import { IN_ADDRESS, patternOf } from './read-back.ts'
import type { Route } from './plan.ts'
import { written } from './error-replies.ts'
import type { WireReply, WireRequest } from './wire.ts'

const TOKEN_SECONDS = 3_600

interface TokenAddress {
  readonly url: string
  readonly captured: readonly string[]
}

function tokenAddresses(toolkit: Toolkit): TokenAddress[] {
  return toolkit.manifest.auth.flatMap((scheme) => {
    const { token, refresh } = scheme as {
      token?: { url?: string; capture?: Record<string, string> }
      refresh?: { url?: string }
    }
    return [token?.url, refresh?.url]
      .filter((url) => url !== undefined)
      .map((url) => ({ url, captured: Object.values(token?.capture ?? {}) }))
  })
}

export const isTokenRequest = (toolkit: Toolkit, request: WireRequest): boolean =>
  request.method === 'POST' && tokenAddresses(toolkit).some(({ url }) => matches(url, request.url))

const matches = (template: string, url: string): boolean =>
  patternOf(template.split('?', 1)[0]!, IN_ADDRESS).pattern.test(url.split('?', 1)[0]!)

/** Issues a token to every client: checking clients is what the simulated providers are for. */
export function tokenReply(toolkit: Toolkit, request: WireRequest): WireReply {
  const asked = tokenAddresses(toolkit).find(({ url }) => matches(url, request.url))
  const made = createHash('sha256').update(request.body).digest('hex').slice(0, 24)
  const token = {
    access_token: `simulated-${made}`,
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
    refresh_token: `simulated-refresh-${made}`,
    scope: '',
    ok: true,
  }
  return {
    status: 200,
    headers: {},
    json: (asked?.captured ?? []).reduce<unknown>(
      (json, path) => written(json, path, `https://${toolkit.slug}.example.com`),
      token,
    ),
  }
}

/** The request that tells whose account it is, where no tool makes the same. */
export function identityRoute({ slug, identity }: Toolkit, manifests: readonly ToolManifest[]): Route[] {
  if (!identity) return []
  const method = identity.method ?? 'GET'
  if (manifests.some(({ request }) => request?.path === identity.path && !('body' in identity))) return []
  const places = [
    ['id', '1'],
    ['email', 'ada@example.com'],
    ['name', 'Ada Example'],
    ['tenant', 'Example'],
  ] as const
  const reply = places.reduce<unknown>((json, [name, value]) => {
    const path = identity[name]
    return path === undefined || path.includes('{') ? json : written(json, path, value)
  }, {})
  const request = {
    method,
    path: identity.path,
    ...(identity.query && { query: identity.query }),
    ...(identity.body !== undefined && { body: identity.body }),
  } as RequestManifest
  const nothing = { type: 'object', properties: {} }
  return [
    {
      slug: `${slug} identity`,
      request,
      effect: 'read',
      input: nothing,
      output: nothing,
      pick: undefined,
      wrap: undefined,
      noAuth: false,
      tool: undefined,
      note: { op: 'answer', type: 'identity', reply },
    },
  ]
}
