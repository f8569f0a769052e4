import type { ApiVersion, Route } from '../../contract/route.ts'
import { EXIT, type Io } from '../io.ts'
import { type Connection, credentialHeader } from './connection.ts'

/** Slightly more than the time limit of the server for one call. */
const TIMEOUT_MS = 65_000

export interface ApiRequest {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
}

export interface ApiReply {
  status: number
  body: unknown
}

/** There is no usable response: the server is unreachable, too slow, or not Patchbay. */
export class CallError extends Error {
  readonly fix: string
  readonly exitCode: number

  constructor(message: string, fix: string, exitCode: number = EXIT.unreachable, cause?: unknown) {
    super(message, { cause })
    this.name = 'CallError'
    this.fix = fix
    this.exitCode = exitCode
  }
}

/** Calls one operation. A response of any status is a result. */
export async function callApi(
  io: Io,
  connection: Connection,
  route: Route,
  version: ApiVersion,
  { params, query, body }: ApiRequest,
): Promise<ApiReply> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const headers = credentialHeader(connection, route.audience)
  return requestJson(io, `${connection.url}/api/${version}${path}${queryText(query)}`, {
    method: route.method,
    headers: {
      ...headers,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/**
 * Sends one request, with a time limit. Redirects are not followed: the key in the header is for this server
 * only.
 */
export async function requestJson(io: Io, url: string, init: RequestInit): Promise<ApiReply> {
  const request = io.fetch ?? fetch
  let response: Response, text: string
  try {
    response = await request(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    text = await response.text()
  } catch (error) {
    throw unreachable(new URL(url).origin, error as Error)
  }
  if (response.status >= 300 && response.status < 400) {
    throw new CallError(
      `${new URL(url).origin} redirects to ${response.headers.get('location') ?? 'nowhere'}.`,
      'Set --url or PATCHBAY_URL to the URL of the server itself.',
    )
  }
  try {
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  } catch (cause) {
    const exitCode =
      response.status >= 500 ? EXIT.serverFault : response.status >= 400 ? EXIT.apiError : EXIT.unreachable
    throw new CallError(
      `${new URL(url).origin} returned ${response.status} without JSON, so it is not a Patchbay server, ` +
        'or a proxy responded.',
      'Check --url or PATCHBAY_URL.',
      exitCode,
      cause,
    )
  }
}

function unreachable(origin: string, error: Error): CallError {
  if (error.name === 'TimeoutError')
    return new CallError(
      `${origin} did not respond within ${TIMEOUT_MS / 1000} seconds.`,
      'Try again, or check the log of the server.',
      EXIT.unreachable,
      error,
    )
  const reason = error.cause as (NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }) | undefined
  const code = reason?.code ?? reason?.errors?.[0]?.code ?? reason?.message ?? error.message
  return new CallError(
    `The server at ${origin} cannot be reached (${code}).`,
    'Start it with `patchbay start`, or set --url or PATCHBAY_URL.',
    EXIT.unreachable,
    error,
  )
}

// Lists are joined by commas, and maps become `name[key]=value`.
function queryText(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      search.append(name, String(value))
    else for (const [key, item] of Object.entries(value)) search.append(`${name}[${key}]`, String(item))
  }
  return search.size > 0 ? `?${search}` : ''
}
