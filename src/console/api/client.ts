import { API_PATH, PREFIX } from './base.ts'
import { ApiFailure } from './failure.ts'
import { reportForbidden } from './forbidden.ts'
import { currentProject } from './project.ts'
import { requestSignIn } from './sign-in-request.ts'
import { fetchFrom, repeatWhenLimited } from './transport.ts'

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

const SIGN_INS_MAX = 2
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
export const callApi = <T>(request: ApiRequest, signal?: AbortSignal): Promise<T> =>
  whileSignedIn(() => send<T>(`${API_PATH}${pathOf(request)}`, request, signal), signal)

type ConsoleRequest = readonly [method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown]

/** Calls a route of the console that needs no session, such as a sign-in. @throws ApiFailure */
export const callConsole = <T>(...[method, path, body]: ConsoleRequest): Promise<T> =>
  send<T>(`${PREFIX}/console${path}`, { method, body })

/** Calls a route of the console for the signed-in person, with the waits of `callApi`. @throws ApiFailure */
export const callProfile = <T>(...request: ConsoleRequest): Promise<T> =>
  whileSignedIn(() => callConsole<T>(...request))

/** Sends a request with the waits of `callApi`: again after a sign-in, if the session has expired. @throws ApiFailure */
export async function whileSignedIn<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let signIns = 0; ; signIns++) {
    try {
      return await repeatWhenLimited(request, signal)
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      if (error.status === 403) reportForbidden()
      if (error.slug !== SESSION_EXPIRED || signIns >= SIGN_INS_MAX) throw error
      await requestSignIn()
    }
  }
}

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
  const response = await fetchFrom(
    url,
    {
      method,
      headers: {
        ...headers,
        ...consoleHeaders(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    },
    signal,
  )
  return (response.status === 204 ? undefined : await response.json()) as T
}
