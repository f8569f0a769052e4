import { apiReply } from './api-reply.ts'
import { basicOf, challenge, formDecode, redirect, same, verify } from './credentials.ts'
import { bodyOf, demand, type Demands, type Params, parametersAt } from './demands.ts'
import { ENDPOINTS } from './endpoints.ts'
import { Families, type Family, type Lifetimes, secret } from './families.ts'
import { type Answer, formOf, type Incoming, ProviderError } from './http.ts'
import { fingerprint, KnownKeys } from './known-keys.ts'
import type { Behaviour, Grant, Reply } from './behaviour.ts'

export const CLIENT = { id: 'sim-client', secret: 'sim+secret/1' }
const CODE_SECONDS = 60

/** What all providers of a simulator share. `redirectUri`: what is registered where no request names one. */
export interface ProviderContext {
  now: () => number
  redirectUri: () => string
}

/** One provider that is running: its tokens and its counters. */
export class Provider {
  readonly url: string
  readonly behaviour: Behaviour
  readonly families: Families
  readonly now: () => number
  readonly redirectUri: () => string
  readonly lifetimes: Lifetimes
  readonly clients = new Map<string, string>([[CLIENT.id, CLIENT.secret]])
  readonly grants = new Map<string, Grant>()
  readonly keys = new KnownKeys()
  /** What a quirk keeps between requests. */
  readonly memory = new Map<string, unknown>()
  readonly tokenRequests: Record<string, number> = {}
  rejections = 0
  /** How often a client ended its own access. */
  revocations = 0

  constructor(url: string, behaviour: Behaviour, lifetimes: Lifetimes, context: ProviderContext) {
    this.url = url
    this.now = context.now
    this.redirectUri = context.redirectUri
    this.behaviour = behaviour
    this.lifetimes = { ...lifetimes, ...behaviour.lifetimes }
    this.families = new Families(this.lifetimes, this.now)
  }

  /** Ends every grant and key that was used until now, as a user does who withdraws the consent. */
  endAll(): void {
    for (const family of this.families.all.values()) family.dead = true
    this.keys.endAll()
  }

  /** Ends the access of a client that asks for it itself. */
  revoked(end: () => void): Answer {
    this.revocations++
    end()
    return { json: {} }
  }

  /** @throws ProviderError */
  handle(request: Incoming): Answer | Promise<Answer> {
    const { authorize, token, refresh, routes } = this.behaviour
    const name = `${request.method} ${request.path}`
    const route = routes?.[name] ?? ENDPOINTS[name]
    if (route) return route({ request, params: bodyOf(request), provider: this })
    if (request.path === (authorize?.path ?? '/authorize')) return this.#authorize(request)
    if (request.path === (this.behaviour.me?.path ?? '/api/me')) return apiReply(this, request)
    const tokenPath = token?.path ?? '/token'
    const refreshPath = refresh?.path ?? tokenPath
    if (request.path === tokenPath || request.path === refreshPath)
      return this.#token(request, tokenPath === refreshPath ? undefined : request.path === refreshPath)
    throw new ProviderError('not_found', `There is nothing at ${request.path}.`, 404)
  }

  #authorize(request: Incoming): Answer {
    const { authorize = {} } = this.behaviour
    const params = demand(request, authorize, formOf(request.url.search.slice(1)), this)
    const wants = authorize.responseType ?? 'code'
    if (!authorize.absent?.includes('response_type') && params['response_type'] !== wants)
      throw new ProviderError('unsupported_response_type', `response_type must be ${wants}.`)
    if (!authorize.absent?.includes('client_id') && !this.clients.has(params['client_id'] ?? ''))
      throw new ProviderError('invalid_client', 'The client is not known.')
    const back = authorize.absent?.includes('redirect_uri') ? this.redirectUri() : params['redirect_uri']
    if (!back || !URL.canParse(back)) throw new ProviderError('invalid_request', 'redirect_uri is missing.')
    if (!authorize.absent?.includes('state') && !params['state'])
      throw new ProviderError('invalid_request', 'state is missing.')
    challenge(params, authorize.pkce ?? 'S256')
    if (params['login_hint'] === 'deny')
      return redirect(back, {
        error: 'access_denied',
        error_description: 'The user said no.',
        state: params['state'] ?? '',
      })
    const grant: Grant = {
      code: secret('code'),
      params,
      family: this.families.found(params['scope'] ?? '', { redirect_uri: back }),
      until: this.now() + CODE_SECONDS * 1_000,
      used: false,
    }
    this.grants.set(grant.code, grant)
    const answer = { code: grant.code, state: params['state'] ?? '' }
    return redirect(back, authorize.callback?.(answer, { grant, provider: this }) ?? answer)
  }

  #token(request: Incoming, isRefreshPath: boolean | undefined): Answer {
    const { token = {}, refresh } = this.behaviour
    const raw = bodyOf(request)
    const all = { ...formOf(request.url.search.slice(1)), ...raw }
    const grantName = (name: string) => token.names?.[name] ?? name
    const refreshGrant = refresh?.grantType ?? 'refresh_token'
    const refreshing =
      isRefreshPath ??
      (all[grantName('grant_type')] === refreshGrant ||
        (all['refresh_token'] !== undefined && all['code'] === undefined))
    const kind = refreshing ? 'refresh_token' : 'authorization_code'
    this.tokenRequests[kind] = (this.tokenRequests[kind] ?? 0) + 1
    if (refreshing && refresh === null)
      throw new ProviderError('unsupported_grant_type', 'Nothing is renewed here.')
    const demands: Demands = refreshing
      ? {
          ...token,
          required: {},
          absent: [],
          check: () => undefined,
          inQuery: [],
          ...refresh,
          names: token.names ?? {},
          ...(token.headers ? { headers: token.headers } : {}),
        }
      : token
    const params = demand(request, demands, parametersAt(request, demands), this)
    const wants = refreshing ? refreshGrant : (token.grantType ?? 'authorization_code')
    if (!demands.absent?.includes('grant_type') && params['grant_type'] !== wants)
      throw new ProviderError('unsupported_grant_type', `grant_type must be ${wants}.`)
    this.#client(request, params)
    const reply = refreshing ? this.#renew(params) : this.#redeem(params)
    const context: Reply = { ...reply, provider: this, refreshing, request, params }
    return ((refreshing ? refresh?.reply : undefined) ?? token.reply)?.(context) ?? { json: context.tokens }
  }

  #client(request: Incoming, params: Params): void {
    const how = this.behaviour.token?.client ?? 'post'
    const reject = (why: string): never => {
      throw new ProviderError('invalid_client', why, 401)
    }
    if (typeof how === 'function') {
      const why = how({ request, params, provider: this })
      return why ? reject(why) : undefined
    }
    const basic = basicOf(request)
    if (how === 'basic') {
      if (!basic) return reject('The client must prove itself with HTTP Basic.')
      if (params['client_secret'] !== undefined) return reject('The secret must not be in the body.')
      const [id, password] = [formDecode(basic.username), formDecode(basic.password)]
      return this.clients.get(id) === password ? undefined : reject('The client is not known.')
    }
    if (basic) return reject('HTTP Basic is not understood here.')
    const expected = this.clients.get(params['client_id'] ?? '')
    if (expected === undefined) return reject('The client is not known.')
    if (how === 'none')
      return params['client_secret'] === undefined ? undefined : reject('A public client has no secret.')
    return same(params['client_secret'] ?? '', expected) ? undefined : reject('The secret is wrong.')
  }

  #redeem(params: Params): { tokens: Reply['tokens']; family: Family } {
    const grant = this.grants.get(params['code'] ?? '')
    if (!grant || grant.until <= this.now())
      throw new ProviderError('invalid_grant', 'The code is not known.')
    if (grant.used) {
      grant.family.dead = true
      throw new ProviderError('invalid_grant', 'The code was used before: the grant is revoked.')
    }
    const { authorize, token } = this.behaviour
    const isNamed = grant.params['redirect_uri'] !== undefined
    const expected = grant.params['redirect_uri'] ?? this.redirectUri()
    if (
      !token?.absent?.includes('redirect_uri') &&
      (isNamed || params['redirect_uri'] !== undefined) &&
      params['redirect_uri'] !== expected
    )
      throw new ProviderError('invalid_grant', 'redirect_uri is another one.')
    verify(params['code_verifier'], grant.params, authorize?.pkce ?? 'S256')
    grant.used = true
    grant.family.tokenRequests++
    return {
      tokens: this.issue(grant.family, this.behaviour.offline?.(grant.params) ?? true),
      family: grant.family,
    }
  }

  #renew(params: Params): { tokens: Reply['tokens']; family: Family } {
    const { refresh } = this.behaviour
    if (refresh?.with === 'access_token') {
      const { family } = this.families.issued(params['access_token'])
      family.refreshes++
      family.tokenRequests++
      return { tokens: this.issue(family, false), family }
    }
    const rotates = refresh?.rotates ?? false
    const family = this.families.trade(params['refresh_token'], rotates)
    family.tokenRequests++
    return { tokens: this.issue(family, rotates), family }
  }

  /** A token for a machine that proved itself: `credential` is what it proved itself with. */
  issueTo(credential: string, scope = ''): Reply['tokens'] {
    return this.issue(this.families.found(scope, { credential: fingerprint(credential) }), false)
  }

  /** A reply of RFC 6749 §5.1. */
  issue(family: Family, withRefresh: boolean, audience = ''): Reply['tokens'] {
    const { token } = this.families.access(family, audience)
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: this.lifetimes.tokenSeconds as never,
      scope: family.scope,
      ...(withRefresh && this.behaviour.refresh !== null && this.behaviour.refresh?.with !== 'access_token'
        ? { refresh_token: this.families.refresh(family) }
        : {}),
    }
  }
}
