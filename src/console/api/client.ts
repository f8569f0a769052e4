import { API_PATH, PREFIX } from './base.ts'
import { ApiFailure, readFailure } from './failure.ts'
import { currentProject } from './project.ts'
import { requestSignIn } from './sign-in-request.ts'

export interface ApiRequest {
  /** Default GET. */
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below `/api/v3.1`, such as `/toolkits`. */
  path: string
  query?: Readonly<Record<string, QueryValue>> | undefined
  /** Headers of the operation, such as `idempotency-key`. */
  headers?: Readonly<Record<string, string>> | undefined
  body?: unknown
}

type QueryValue = string | number | boolean | readonly string[] | null | undefined

const RETRIES_MAX = 2
const RETRY_AFTER_SECONDS_MAX = 30
const TIMEOUT_MS = 70_000
const SESSION_EXPIRED = 'Console_SessionExpired'

/** Returns path and query of a request as the API expects them. */
export function pathOf({ path, query = {} }: ApiRequest): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    parameters.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return parameters.size ? `${path}?${parameters}` : path
}

/**
 * Calls an operation of the API in the name of the signed-in person, in the current project. After 429 it waits as the
 * server asks. When the session has expired, it waits until the person has signed in again, so that no input is lost.
 * @throws ApiFailure
 */
export async function callApi<T>(request: ApiRequest, signal?: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send<T>(`${API_PATH}${pathOf(request)}`, request, signal)
    } catch (error) {
      if (!(error instanceof ApiFailure) || attempt >= RETRIES_MAX) throw error
      if (error.slug === SESSION_EXPIRED) await requestSignIn()
      else if (error.status === 429 && error.retryAfter !== undefined)
        await wait(Math.min(error.retryAfter, RETRY_AFTER_SECONDS_MAX) * 1_000, signal)
      else throw error
    }
  }
}

/** Calls a route of the console itself: sign-in, and what is not part of the API. @throws ApiFailure */
export const callConsole = <T>(
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
  path: string,
  body?: unknown,
): Promise<T> => send<T>(`${PREFIX}/console${path}`, { method, body })

/** Headers of every request of the console. */
export function consoleHeaders(): Record<string, string> {
  const project = currentProject.get()
  return { 'x-patchbay-console': '1', ...(project && { 'x-patchbay-project': project }) }
}

async function send<T>(
  url: string,
  { method = 'GET', body, headers }: Pick<ApiRequest, 'method' | 'body' | 'headers'>,
  signal?: AbortSignal,
): Promise<T> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  let response: Response
  try {
    response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...consoleHeaders(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiFailure('The server cannot be reached.', {
      fix: 'Check that the server runs and that you are online. The page tries again when you reload it.',
    })
  }
  if (!response.ok) throw await readFailure(response)
  return (response.status === 204 ? undefined : await response.json()) as T
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
