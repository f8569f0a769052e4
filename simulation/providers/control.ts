import { bodyOf } from './demands.ts'
import { type Answer, type Incoming, ProviderError } from './http.ts'
import type { Provider } from './provider.ts'

const BIG_BYTES = 10_000_000
const SLOW_MS = 30_000

/** What a test turns. */
export interface Controls {
  /** How far the clock of the providers goes ahead. */
  offsetMs: number
  redirectUri: string
  tokenDelayMs: number
  /** So many requests of a provider other than authorize and API fail so, once others have passed. */
  failures: Map<string, { left: number; kind: string; passing: number }>
}

/** Failures of a token endpoint, by name. */
export const FAILURES: Readonly<Record<string, (state: Controls) => Answer>> = {
  500: () => ({ status: 500, json: { error: 'server_error' } }),
  503: () => ({ status: 503, text: 'Down for maintenance', headers: { 'retry-after': '1' } }),
  429: () => ({ status: 429, json: { error: 'rate_limited' }, headers: { 'retry-after': '1' } }),
  malformed: () => ({ headers: { 'content-type': 'application/json' }, text: '{"access_token":' }),
  html: () => ({ headers: { 'content-type': 'text/html' }, text: '<!doctype html><title>Sign in</title>' }),
  redirect: () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } }),
  private: () => ({ status: 307, headers: { location: 'http://169.254.169.254/latest/meta-data/' } }),
  big: () => ({
    headers: { 'content-type': 'application/json' },
    text: `{"access_token":"${'a'.repeat(BIG_BYTES)}"}`,
  }),
  slow: () => ({ afterMs: SLOW_MS, json: {} }),
  hangup: () => ({ hangUp: true }),
  empty: () => ({ json: {} }),
  invalid_grant: () => ({
    status: 400,
    json: { error: 'invalid_grant', error_description: 'The grant is not good any more.' },
  }),
}

/** The failure that is due at a provider, if any. */
export function failureOf(state: Controls, name: string): Answer | undefined {
  const due = state.failures.get(name)
  if (!due || due.left <= 0) return undefined
  if (due.passing-- > 0) return undefined
  due.left--
  return FAILURES[due.kind]?.(state)
}

/**
 * The control address. `GET /_control/{provider}`: counters. `POST /_control/{provider}` with any of `fail`
 * (a name of FAILURES), `times` and `after`, `expire=true`, `revoke=true`, `restore=true`; `POST /_control`
 * with `advance_seconds`, `redirect_uri`, `token_delay_ms`.
 */
export function controls(
  request: Incoming,
  state: Controls,
  provider: (name: string) => Provider,
  stats: (name?: string) => unknown,
): Answer {
  const name = request.path.split('/')[2]
  try {
    if (request.method === 'GET')
      return {
        json: name
          ? stats(name)
          : { now: new Date(Date.now() + state.offsetMs).toISOString(), failures: Object.keys(FAILURES) },
      }
    const params = bodyOf(request)
    if (name) one(provider(name), name, params, state)
    else all(params, state)
    return { json: { ok: true } }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { status: error.status, json: { error: error.code, error_description: error.message } }
  }
}

function one(
  provider: Provider,
  name: string,
  { fail, times = '1', after = '0', expire, revoke, restore }: Record<string, string>,
  { failures }: Controls,
): void {
  if (fail !== undefined && !Object.hasOwn(FAILURES, fail))
    throw new ProviderError('invalid_request', `fail is one of ${Object.keys(FAILURES).join(', ')}.`)
  if (fail !== undefined)
    failures.set(name, { left: Number(times) || 0, kind: fail, passing: Number(after) || 0 })
  if (expire === 'true') provider.families.expireAll()
  if (revoke === 'true') provider.endAll()
  if (restore === 'true') provider.keys.restoreAll()
}

function all(
  { advance_seconds: seconds, redirect_uri: redirectUri, token_delay_ms: delay }: Record<string, string>,
  state: Controls,
): void {
  if (seconds !== undefined && Number.isFinite(Number(seconds))) state.offsetMs += Number(seconds) * 1_000
  if (redirectUri !== undefined && URL.canParse(redirectUri)) state.redirectUri = redirectUri
  if (delay !== undefined && Number(delay) >= 0) state.tokenDelayMs = Number(delay)
}
