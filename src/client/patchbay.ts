import { OPERATIONS } from './generated/operations.ts'
import { type RequestOptions, sendRequest, type Transport, waitForTimer } from './http.ts'
import { Toolset, type ToolsetOptions } from './toolset.ts'
import type { Api, ItemOf, OperationId, RequestOf, ResponseOf } from './types.ts'

export interface PatchbayOptions {
  /** URL of the server, such as `http://localhost:3900`. */
  baseUrl: string
  /** API key of a project, `ak_…`. */
  apiKey?: string | undefined
  /** API key of the organization, `oak_…`, for its projects and their keys. */
  organizationApiKey?: string | undefined
  /** Time for one attempt of a request, in milliseconds. Default 120,000. */
  timeoutMs?: number | undefined
  /** Repetitions of a request that may be repeated. Default 2. */
  retriesMax?: number | undefined
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Default: the `fetch` of the runtime. */
  fetch?: typeof globalThis.fetch | undefined
}

const TIMEOUT_MS = 120_000
const RETRIES_MAX = 2

type Fields = Readonly<Record<string, unknown>>

/** The rate limit that is nearest to its end, at the last response. */
export interface RateLimitState {
  /** Requests in a window of one minute. */
  limit: number
  /** Requests that are left in this window. */
  remaining: number
}

class Client {
  /** Undefined before the first response, and without a limit. */
  rateLimit: RateLimitState | undefined
  readonly #options: PatchbayOptions
  readonly #transport: Transport

  constructor(options: PatchbayOptions) {
    const { baseUrl, timeoutMs = TIMEOUT_MS, retriesMax = RETRIES_MAX } = options
    if (!/^https?:\/\//.test(baseUrl))
      throw new TypeError(
        `baseUrl must be an absolute http(s) URL, such as http://localhost:3900 (received ${baseUrl}).`,
      )
    this.#options = { ...options, baseUrl: baseUrl.replace(/\/+$/, '') }
    const onResponse = (headers: Headers) => {
      const [limit, remaining] = ['x-ratelimit', 'x-ratelimit-remaining'].map((name) => headers.get(name))
      this.rateLimit = limit && remaining ? { limit: Number(limit), remaining: Number(remaining) } : undefined
    }
    // The global function throws if it is called as a method of another object.
    const send = options.fetch ?? globalThis.fetch.bind(globalThis)
    this.#transport = { fetch: send, timeoutMs, retriesMax, wait: waitForTimer, onResponse }
    Object.assign(this, this.#groups())
  }

  /** Sends one operation by its id. `patchbay.tools.list(…)` is `patchbay.call('tools.list', …)`. */
  async call<Id extends OperationId>(
    id: Id,
    request: RequestOf<Id>,
    options?: RequestOptions,
  ): Promise<ResponseOf<Id>> {
    const { method, audience, path, query } = operationNamed(id)
    const fields = { ...(request as Fields) }
    const url = this.#options.baseUrl + urlOf(path, query, fields)
    const body = method === 'GET' || Object.keys(fields).length === 0 ? undefined : fields
    const headers = { ...this.#options.headers, ...this.#credentials(audience) }
    return sendRequest(this.#transport, { method, url, headers, body }, options) as Promise<ResponseOf<Id>>
  }

  /** Reads every page of a list, one item at a time. `patchbay.tools.list.all(…)` does the same. */
  async *paginate<Id extends OperationId>(
    id: Id,
    request: RequestOf<Id>,
    options?: RequestOptions,
  ): AsyncGenerator<ItemOf<Id>, void, undefined> {
    const hasPageNumbers = operationNamed(id).query.includes('page_no')
    let next: Fields | undefined = {}
    while (next) {
      const page = (await this.call(id, { ...request, ...next } as RequestOf<Id>, options)) as Page<
        ItemOf<Id>
      >
      yield* page.items
      next = nextPage(page, hasPageNumbers)
    }
  }

  /** Selects tools for a user, to give them to a language model and to run the calls that it makes. */
  toolset(options: ToolsetOptions): Toolset {
    return new Toolset(
      {
        list: (request) => this.paginate('tools.list', request),
        execute: (request, more) => this.call('tools.execute', request, more),
      },
      options,
    )
  }

  #credentials(audience: string): Record<string, string> {
    const { apiKey, organizationApiKey } = this.#options
    if (audience === 'organization') return organizationApiKey ? { 'x-org-api-key': organizationApiKey } : {}
    return apiKey ? { 'x-api-key': apiKey } : {}
  }

  #groups(): Record<string, Record<string, unknown>> {
    const groups: Record<string, Record<string, unknown>> = {}
    for (const id of Object.keys(OPERATIONS) as OperationId[]) {
      const [group = '', name = ''] = id.split('.')
      const run = (request = {}, options?: RequestOptions) => this.call(id, request as never, options)
      const all = (request = {}, options?: RequestOptions) => this.paginate(id, request as never, options)
      ;(groups[group] ??= {})[name] = Object.assign(run, { all })
    }
    return groups
  }
}

/** A client of the API. Every operation is a method of its group: `patchbay.tools.execute({ … })`. */
export type Patchbay = Client & Api
export const Patchbay = Client as unknown as new (options: PatchbayOptions) => Patchbay

interface Page<Item> {
  items: Item[]
  next_cursor?: string | null
  current_page?: number
  total_pages?: number
}

function nextPage(
  { next_cursor: cursor, current_page: page = 1, total_pages: pages = 1 }: Page<unknown>,
  hasPageNumbers: boolean,
): Fields | undefined {
  if (cursor) return { cursor }
  return hasPageNumbers && page < pages ? { page_no: page + 1 } : undefined
}

function operationNamed(id: string) {
  const operation = Object.hasOwn(OPERATIONS, id) ? OPERATIONS[id] : undefined
  if (!operation) throw new TypeError(`There is no operation ${id}.`)
  const [method = '', audience = '', path = '', ...query] = operation.split(' ')
  return { method, audience, path, query }
}

/** Takes the parameters of path and query out of the fields, and returns the URL below the base URL. */
function urlOf(path: string, query: readonly string[], fields: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields[name]
    delete fields[name]
    // A URL parser removes path segments of dots.
    if ((typeof value !== 'string' && typeof value !== 'number') || /^\.{0,2}$/.test(String(value)))
      throw new TypeError(`${name} is missing: it is part of the URL ${path}.`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const name of query) {
    appendValue(search, name, fields[name])
    delete fields[name]
  }
  const text = search.toString()
  return `/api/v3.1${filled}${text && `?${text}`}`
}

function appendValue(search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) for (const item of value) search.append(name, String(item))
  else if (typeof value === 'object')
    for (const [key, item] of Object.entries(value)) search.append(`${name}[${key}]`, String(item))
  else search.append(name, String(value as string | number | boolean))
}
