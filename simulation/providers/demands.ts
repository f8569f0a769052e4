import { formOf, type Incoming, ProviderError } from './http.ts'
import type { Grant } from './behaviour.ts'
import type { Provider } from './provider.ts'

export type Params = Record<string, string>
/** Returns why the request is rejected; nothing when it is correct. */
export type Check<T> = (value: T) => string | undefined | void
type Place = 'form' | 'json' | 'query'

/** What a provider demands of one request, beyond or in place of the standard. */
export interface Demands {
  path?: string
  method?: 'GET' | 'POST'
  place?: Place
  /** Parameters that this provider wants in the query although the others are in the body. */
  inQuery?: readonly string[]
  /** Standard name to the name that this provider wants; the standard name is rejected. */
  names?: Params
  /** Parameters that must have this value; `true`: any. */
  required?: Readonly<Record<string, string | true>>
  absent?: readonly string[]
  headers?: Readonly<Record<string, RegExp>>
  grantType?: string
  check?: Check<{ request: Incoming; params: Params; provider: Provider; grant?: Grant }>
}

/** Whatever the place: parameters of a JSON or form body. */
export function bodyOf(request: Incoming): Params {
  if (!request.body) return {}
  const isJson = /json/.test(request.headers['content-type'] ?? '')
  if (!isJson) return formOf(request.body)
  const found: unknown = JSON.parse(request.body)
  return typeof found === 'object' && found !== null
    ? Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]))
    : {}
}

/** The parameters, held to the place where this provider wants them. */
export function parametersAt(
  request: Incoming,
  { place = 'form', method = 'POST', inQuery = [] }: Demands,
): Params {
  const inAddress = formOf(request.url.search.slice(1))
  if (place === 'query' || method === 'GET') {
    if (request.body) throw new ProviderError('invalid_request', 'The body must be empty.')
    return inAddress
  }
  const misplaced = Object.keys(inAddress).find((name) => !inQuery.includes(name))
  if (misplaced) throw new ProviderError('invalid_request', `${misplaced} must not be in the URL.`)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith(place === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'))
    throw new ProviderError('invalid_request', `The body must be ${place}, not ${type || 'nothing'}.`)
  const body = bodyOf(request)
  const missing = inQuery.find((name) => inAddress[name] === undefined || body[name] !== undefined)
  if (missing) throw new ProviderError('invalid_request', `${missing} must be in the URL only.`)
  return { ...body, ...inAddress }
}

/** Holds a request to what the provider wants; answers its parameters under their standard names. */
export function demand(request: Incoming, demands: Demands, received: Params, provider: Provider): Params {
  const { names = {}, required = {}, absent = [], headers = {}, method, check } = demands
  if (method && request.method !== method)
    throw new ProviderError('invalid_request', `The method must be ${method}.`, 405)
  for (const [standard, own] of Object.entries(names))
    if (received[standard] !== undefined && own !== standard)
      throw new ProviderError('invalid_request', `${standard} is not known here: it is ${own}.`)
  const known = new Map(Object.entries(names).map(([standard, own]) => [own, standard]))
  const params = Object.fromEntries(
    Object.entries(received).map(([name, value]) => [known.get(name) ?? name, value]),
  )
  for (const name of absent)
    if (params[name] !== undefined) throw new ProviderError('invalid_request', `${name} must not be sent.`)
  for (const [name, value] of Object.entries(required)) {
    if (value === true ? !params[name] : params[name] !== value)
      throw new ProviderError('invalid_request', `${name} must be ${value === true ? 'sent' : value}.`)
  }
  for (const [name, pattern] of Object.entries(headers))
    if (!pattern.test(request.headers[name] ?? ''))
      throw new ProviderError('invalid_request', `The header ${name} is missing or wrong.`)
  const grant = provider.grants.get(params['code'] ?? '')
  const why = check?.({ request, params, provider, ...(grant ? { grant } : {}) })
  if (why) throw new ProviderError('invalid_request', why)
  return params
}
