import { createHash, timingSafeEqual } from 'node:crypto'
import { type AccessToken, Families, type Family, type Lifetimes, secret } from './families.ts'
import { type Answer, formOf, type Incoming, Refusal } from './http.ts'

export const CLIENT = { id: 'sim client', secret: 'sim+secret/1' }
const CODE_SECONDS = 60

export type Params = Record<string, string>
/** A refusal in words; nothing when the request is as it has to be. */
export type Check<T> = (given: T) => string | undefined | void
type Place = 'form' | 'json' | 'query'

/** What a provider demands of one request, beyond or in place of the standard. */
export interface Demands {
  path?: string
  method?: 'GET' | 'POST'
  place?: Place
  /** Parameters that this provider wants in the query although the others stand in the body. */
  inQuery?: readonly string[]
  /** Standard name to the name that this provider wants; the standard name is refused. */
  names?: Params
  /** Parameters that must have this value; `true`: any. */
  required?: Readonly<Record<string, string | true>>
  absent?: readonly string[]
  headers?: Readonly<Record<string, RegExp>>
  grantType?: string
  check?: Check<{ request: Incoming, params: Params, provider: Provider, grant?: Grant }>
}

export interface Grant { code: string, params: Params, family: Family, until: number, used: boolean }
export interface Reply { tokens: Params & { expires_in?: unknown }, family: Family, provider: Provider, refreshing: boolean, request: Incoming, params: Params }

/** Everything that one provider does otherwise than a strict server of RFC 6749, 7636 and 9700. */
export interface OAuth2Behaviour {
  lifetimes?: Partial<Lifetimes>
  authorize?: Demands & {
    responseType?: string
    pkce?: 'S256' | 'plain' | 'refused' | 'unknown'
    /** What the browser comes back with in place of `{code, state}`. */
    callback?: (params: Params, given: { grant: Grant, provider: Provider }) => Params
  }
  /** A refresh token is given only when the authorization asked for it so. */
  offline?: (params: Params) => boolean
  token?: Demands & { client?: 'post' | 'basic' | 'none' | Check<{ request: Incoming, params: Params, provider: Provider }>, reply?: (given: Reply) => Answer }
  /** `null`: nothing is renewed here. */
  refresh?: Demands & { rotates?: boolean, with?: 'refresh_token' | 'access_token', reply?: (given: Reply) => Answer } | null
  /** The API; the default is a bearer token (RFC 6750). */
  me?: { token?: (request: Incoming, provider: Provider) => string | undefined, check?: Check<{ request: Incoming, token: AccessToken, provider: Provider }> }
  /** Requests that only this provider knows, e.g. `POST /session`. */
  routes?: Readonly<Record<string, (given: { request: Incoming, params: Params, provider: Provider }) => Answer | Promise<Answer>>>
}

/** One provider that is running: its tokens and its counters. */
export class Provider {
  readonly url: string
  readonly behaviour: OAuth2Behaviour
  readonly families: Families
  readonly lifetimes: Lifetimes
  readonly clients = new Map<string, string>([[CLIENT.id, CLIENT.secret]])
  readonly grants = new Map<string, Grant>()
  /** What a quirk keeps between requests. */
  readonly memory = new Map<string, unknown>()
  readonly tokenRequests: Record<string, number> = {}
  refusals = 0

  constructor(url: string, behaviour: OAuth2Behaviour, lifetimes: Lifetimes) {
    this.url = url
    this.behaviour = behaviour
    this.lifetimes = { ...lifetimes, ...behaviour.lifetimes }
    this.families = new Families(this.lifetimes)
  }

  /** @throws Refusal */
  handle(request: Incoming): Answer | Promise<Answer> {
    const { authorize, token, refresh, routes } = this.behaviour
    const route = routes?.[`${request.method} ${request.path}`]
    if (route) return route({ request, params: bodyOf(request), provider: this })
    if (request.path === (authorize?.path ?? '/authorize')) return this.#authorize(request)
    if (request.path === '/api/me') return this.#me(request)
    const tokenPath = token?.path ?? '/token'
    const refreshPath = refresh?.path ?? tokenPath
    if (request.path === tokenPath || request.path === refreshPath) return this.#token(request, tokenPath === refreshPath ? undefined : request.path === refreshPath)
    throw new Refusal('not_found', `There is nothing at ${request.path}.`, 404)
  }

  #authorize(request: Incoming): Answer {
    const { authorize = {} } = this.behaviour
    const params = demand(request, authorize, formOf(request.url.search.slice(1)), this)
    const wants = authorize.responseType ?? 'code'
    if (!authorize.absent?.includes('response_type') && params['response_type'] !== wants) throw new Refusal('unsupported_response_type', `response_type must be ${wants}.`)
    if (!this.clients.has(params['client_id'] ?? '')) throw new Refusal('invalid_client', 'The client is not known.')
    const back = params['redirect_uri']
    if (!back || !URL.canParse(back)) throw new Refusal('invalid_request', 'redirect_uri is missing.')
    if (!params['state']) throw new Refusal('invalid_request', 'state is missing.')
    challenge(params, authorize.pkce ?? 'S256')
    if (params['login_hint'] === 'deny') return redirect(back, { error: 'access_denied', error_description: 'The user said no.', state: params['state'] })
    const grant: Grant = { code: secret('code'), params, family: this.families.found(params['scope'] ?? '', { redirect_uri: back }), until: Date.now() + CODE_SECONDS * 1_000, used: false }
    this.grants.set(grant.code, grant)
    const answer = { code: grant.code, state: params['state'] }
    return redirect(back, authorize.callback?.(answer, { grant, provider: this }) ?? answer)
  }

  #token(request: Incoming, isRefreshPath: boolean | undefined): Answer {
    const { token = {}, refresh } = this.behaviour
    const raw = bodyOf(request)
    const all = { ...formOf(request.url.search.slice(1)), ...raw }
    const grantName = (name: string) => token.names?.[name] ?? name
    const refreshGrant = refresh?.grantType ?? 'refresh_token'
    const refreshing = isRefreshPath ?? (all[grantName('grant_type')] === refreshGrant || (all['refresh_token'] !== undefined && all['code'] === undefined))
    const kind = refreshing ? 'refresh_token' : 'authorization_code'
    this.tokenRequests[kind] = (this.tokenRequests[kind] ?? 0) + 1
    if (refreshing && refresh === null) throw new Refusal('unsupported_grant_type', 'Nothing is renewed here.')
    const demands: Demands = refreshing ? { ...token, required: {}, absent: [], check: () => undefined, inQuery: [], ...refresh, names: token.names ?? {}, ...(token.headers ? { headers: token.headers } : {}) } : token
    const params = demand(request, demands, parametersAt(request, demands), this)
    const wants = refreshing ? refreshGrant : token.grantType ?? 'authorization_code'
    if (!demands.absent?.includes('grant_type') && params['grant_type'] !== wants) throw new Refusal('unsupported_grant_type', `grant_type must be ${wants}.`)
    this.#client(request, params)
    const reply = refreshing ? this.#renew(params) : this.#redeem(params)
    const given: Reply = { ...reply, provider: this, refreshing, request, params }
    return ((refreshing ? refresh?.reply : undefined) ?? token.reply)?.(given) ?? { json: given.tokens }
  }

  #client(request: Incoming, params: Params): void {
    const how = this.behaviour.token?.client ?? 'post'
    const refuse = (why: string): never => { throw new Refusal('invalid_client', why, 401) }
    if (typeof how === 'function') {
      const why = how({ request, params, provider: this })
      return why ? refuse(why) : undefined
    }
    const basic = basicOf(request)
    if (how === 'basic') {
      if (!basic) return refuse('The client must prove itself with HTTP Basic.')
      if (params['client_secret'] !== undefined) return refuse('The secret must not stand in the body.')
      const [id, password] = [formDecode(basic.username), formDecode(basic.password)]
      return this.clients.get(id) === password ? undefined : refuse('The client is not known.')
    }
    if (basic) return refuse('HTTP Basic is not understood here.')
    const expected = this.clients.get(params['client_id'] ?? '')
    if (expected === undefined) return refuse('The client is not known.')
    if (how === 'none') return params['client_secret'] === undefined ? undefined : refuse('A public client has no secret.')
    return same(params['client_secret'] ?? '', expected) ? undefined : refuse('The secret is wrong.')
  }

  #redeem(params: Params): { tokens: Reply['tokens'], family: Family } {
    const grant = this.grants.get(params['code'] ?? '')
    if (!grant || grant.until <= Date.now()) throw new Refusal('invalid_grant', 'The code is not known.')
    if (grant.used) {
      grant.family.dead = true
      throw new Refusal('invalid_grant', 'The code was used before: the grant is revoked.')
    }
    const { authorize, token } = this.behaviour
    if (!token?.absent?.includes('redirect_uri') && params['redirect_uri'] !== grant.params['redirect_uri']) throw new Refusal('invalid_grant', 'redirect_uri is another one.')
    verify(params['code_verifier'], grant.params, authorize?.pkce ?? 'S256')
    grant.used = true
    grant.family.tokenRequests++
    return { tokens: this.issue(grant.family, this.behaviour.offline?.(grant.params) ?? true), family: grant.family }
  }

  #renew(params: Params): { tokens: Reply['tokens'], family: Family } {
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

  /** A reply of RFC 6749 §5.1. */
  issue(family: Family, withRefresh: boolean, audience = ''): Reply['tokens'] {
    const { token } = this.families.access(family, audience)
    return {
      access_token: token, token_type: 'Bearer', expires_in: this.lifetimes.tokenSeconds as never, scope: family.scope,
      ...(withRefresh && this.behaviour.refresh !== null && this.behaviour.refresh?.with !== 'access_token' ? { refresh_token: this.families.refresh(family) } : {}),
    }
  }

  #me(request: Incoming): Answer {
    const { me } = this.behaviour
    const token = this.families.live(me?.token ? me.token(request, this) : bearerOf(request))
    const why = me?.check?.({ request, token, provider: this })
    if (why) throw new Refusal('invalid_request', why, 403)
    return { json: { id: token.family.id, login: `user of ${token.family.id}`, scope: token.family.scope } }
  }
}

/** Whatever the place: parameters of a JSON or form body. */
export function bodyOf(request: Incoming): Params {
  if (!request.body) return {}
  const isJson = /json/.test(request.headers['content-type'] ?? '')
  if (!isJson) return formOf(request.body)
  const found: unknown = JSON.parse(request.body)
  return typeof found === 'object' && found !== null ? Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)])) : {}
}

function parametersAt(request: Incoming, { place = 'form', method = 'POST', inQuery = [] }: Demands): Params {
  const inAddress = formOf(request.url.search.slice(1))
  if (place === 'query' || method === 'GET') {
    if (request.body) throw new Refusal('invalid_request', 'The body must be empty.')
    return inAddress
  }
  const misplaced = Object.keys(inAddress).find((name) => !inQuery.includes(name))
  if (misplaced) throw new Refusal('invalid_request', `${misplaced} must not stand in the address.`)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith(place === 'json' ? 'application/json' : 'application/x-www-form-urlencoded')) throw new Refusal('invalid_request', `The body must be ${place}, not ${type || 'nothing'}.`)
  const body = bodyOf(request)
  const missing = inQuery.find((name) => inAddress[name] === undefined || body[name] !== undefined)
  if (missing) throw new Refusal('invalid_request', `${missing} must stand in the address alone.`)
  return { ...body, ...inAddress }
}

/** Holds a request to what the provider wants; answers its parameters under their standard names. */
function demand(request: Incoming, demands: Demands, given: Params, provider: Provider): Params {
  const { names = {}, required = {}, absent = [], headers = {}, method, check } = demands
  if (method && request.method !== method) throw new Refusal('invalid_request', `The method must be ${method}.`, 405)
  for (const [standard, own] of Object.entries(names)) if (given[standard] !== undefined && own !== standard) throw new Refusal('invalid_request', `${standard} is not known here: it is ${own}.`)
  const known = new Map(Object.entries(names).map(([standard, own]) => [own, standard]))
  const params = Object.fromEntries(Object.entries(given).map(([name, value]) => [known.get(name) ?? name, value]))
  for (const name of absent) if (params[name] !== undefined) throw new Refusal('invalid_request', `${name} must not be sent.`)
  for (const [name, value] of Object.entries(required)) {
    if (value === true ? !params[name] : params[name] !== value) throw new Refusal('invalid_request', `${name} must be ${value === true ? 'sent' : value}.`)
  }
  for (const [name, pattern] of Object.entries(headers)) if (!pattern.test(request.headers[name] ?? '')) throw new Refusal('invalid_request', `The header ${name} is missing or wrong.`)
  const grant = provider.grants.get(params['code'] ?? '')
  const why = check?.({ request, params, provider, ...(grant ? { grant } : {}) })
  if (why) throw new Refusal('invalid_request', why)
  return params
}

function challenge(params: Params, pkce: 'S256' | 'plain' | 'refused' | 'unknown'): void {
  const { code_challenge: given, code_challenge_method: method } = params
  if (pkce === 'refused' && (given ?? method) !== undefined) throw new Refusal('invalid_request', 'code_challenge is not known here.')
  if ((pkce === 'S256' || pkce === 'plain') && !given) throw new Refusal('invalid_request', 'code_challenge is missing.')
  if ((pkce === 'S256' || pkce === 'plain') && method !== pkce) throw new Refusal('invalid_request', `code_challenge_method must be ${pkce}.`)
}

/** RFC 7636 §4.6. */
function verify(verifier: string | undefined, { code_challenge: expected }: Params, pkce: 'S256' | 'plain' | 'refused' | 'unknown'): void {
  if (pkce === 'refused' && verifier !== undefined) throw new Refusal('invalid_request', 'code_verifier is not known here.')
  if (pkce !== 'S256' && pkce !== 'plain') return
  const shown = pkce === 'plain' ? verifier ?? '' : createHash('sha256').update(verifier ?? '').digest('base64url')
  if (!verifier || shown !== expected) throw new Refusal('invalid_grant', 'code_verifier does not fit the challenge.')
}

export function redirect(back: string, params: Params, headers: Record<string, string> = {}): Answer {
  const url = new URL(back)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return { status: 302, headers: { location: url.href, ...headers } }
}

export const bearerOf = (request: Incoming): string | undefined => /^Bearer (\S+)$/.exec(request.headers['authorization'] ?? '')?.[1]

export function basicOf(request: Incoming): { username: string, password: string } | undefined {
  const encoded = /^Basic (\S+)$/.exec(request.headers['authorization'] ?? '')?.[1]
  if (!encoded) return undefined
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return { username, password: rest.join(':') }
}

const formDecode = (text: string) => new URLSearchParams(`x=${text}`).get('x') ?? ''
/** In constant time, as a provider should. */
export const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
