import { EgressError } from '../platform/egress/index.ts'
import type { GrantRejected, ProviderTrouble } from './scheme.ts'
import { isObject } from '../platform/json-object.ts'

/** One exchange with a provider as it may be kept and shown: names of everything, values only of what is harmless. */
export interface ExchangeNote {
  /** Null: nothing was sent, the trouble came before it. */
  request: NotedRequest | null
  answer: NotedAnswer
  durationMs: number
  /** It came after the token request, because the manifest wants more than that. */
  followUp?: true
  /** It failed, and what it belongs to went on without it. */
  failed?: GrantRejected | ProviderTrouble
}
export interface NotedRequest {
  method: string
  /** Origin and path. */
  address: string
  query: Noted
  /** Names, lower case, sorted. */
  headers: string[]
  /** First word of the header, e.g. `Basic`. */
  authorization: string | null
  content_type: string | null
  body: Noted | null
}
/** Without `status` there was no answer, and `failure` says why: the kind of egress error, or `not_sent`. */
export interface NotedAnswer {
  status?: number
  content_type?: string
  /** Origin and path of a redirect. */
  location?: string
  format?: 'json' | 'form' | 'html' | 'text' | 'empty'
  body?: unknown
  failure?: { kind: string; message: string }
}
export type Noted = Record<string, unknown>

interface Sent {
  method: string
  url: string
  headers?: Readonly<Record<string, string>> | undefined
  body?: string | undefined
}
type Received =
  | { status: number; headers: Readonly<Record<string, string | string[]>>; text: string; body: unknown }
  | { error: unknown }

export const REDACTED_VALUE = '[redacted]'
const TEXT_MAX = 300
const MEMBERS_MAX = 40
const DEPTH_MAX = 4
/** Shorter texts occur by chance; blanking them would spoil a message and protect nothing. */
const SECRET_MIN = 6

/** Lists of what is harmless, not of what is secret: a parameter that nobody thought of is not shown. */
const HARMLESS_SENT = new Set([
  'grant_type',
  'scope',
  'user_scope',
  'redirect_uri',
  'response_type',
  'resource',
  'audience',
  'access_type',
  'prompt',
  'token_type_hint',
  'client_assertion_type',
  'code_challenge_method',
  'subject_token_type',
  'requested_token_type',
  'token_endpoint_auth_method',
])
const HARMLESS_RECEIVED = new Set([
  'error',
  'error_description',
  'error_uri',
  'error_code',
  'errcode',
  'errmsg',
  'error_message',
  'message',
  'msg',
  'detail',
  'title',
  'token_type',
  'scope',
  'expires_in',
  'expires',
  'expires_at',
  'expiresIn',
  'expires_on',
  'refresh_token_expires_in',
  'refresh_expires_in',
  'ok',
  'success',
  'status',
  'ttl',
  'issued_at',
  'interval',
])
/** Harmless only within an error. */
const HARMLESS_IN_ERROR = new Set(['code', 'type', 'reason', 'status', 'description'])
const IN_ERROR = /^errors?$/i
const TOKEN_LIKE = /\beyJ[\w-]{8,}(?:\.[\w-]*)*|\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/g

/** What may be kept of an exchange. Never throws: a note is worth less than the exchange. */
export function noteOf(sent: Sent, received: Received, durationMs: number): ExchangeNote {
  const hidden: string[] = []
  const request = notedRequest(sent, hidden)
  const answer = notedAnswer(received, hidden)
  return scrubbed({ request, answer, durationMs: Math.round(durationMs) }, hidden)
}

/** The trouble that came before anything was sent, e.g. a refusal that the browser brought back. */
export const noteOfNothing = (message: string): ExchangeNote => ({
  request: null,
  answer: { failure: { kind: 'not_sent', message: clean(message) } },
  durationMs: 0,
})

/** The note without these texts, wherever they stand in it. */
export function scrubbed(note: ExchangeNote, secrets: readonly string[]): ExchangeNote {
  const found = [...new Set(secrets.filter(({ length }) => length >= SECRET_MIN))].sort(
    (a, b) => b.length - a.length,
  )
  return mapTexts(note, (text) =>
    found.reduce(
      (kept, secret) => (kept.includes(secret) ? kept.replaceAll(secret, REDACTED_VALUE) : kept),
      text,
    ),
  ) as ExchangeNote
}

/** A note with every text in it, names included, replaced by what `change` makes of it. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [change(name), mapTexts(item, change)]),
  )
}

function notedRequest({ method, url, headers = {}, body }: Sent, hidden: string[]): NotedRequest {
  const names = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const authorization = names['authorization']
  for (const [name, value] of Object.entries(names))
    if (!HARMLESS_HEADERS.has(name)) hidden.push(value, value.replace(/^\w+\s+/, ''))
  const type = names['content-type'] ?? null
  const target = URL.canParse(url) ? new URL(url) : undefined
  return {
    method,
    address: target ? clean(target.origin + target.pathname) : '',
    query: sentValues(target ? [...target.searchParams] : [], hidden),
    headers: Object.keys(names).map(clean).sort(),
    authorization:
      authorization === undefined
        ? null
        : (/^([A-Za-z][\w-]{0,30})\s/.exec(authorization)?.[1] ?? REDACTED_VALUE),
    content_type: type && clean(type),
    body: body === undefined ? null : sentValues(bodyMembers(body, type ?? ''), hidden),
  }
}

const HARMLESS_HEADERS = new Set(['accept', 'content-type', 'user-agent'])

function bodyMembers(body: string, type: string): [string, unknown][] {
  if (!type.includes('json')) return [...new URLSearchParams(body)]
  try {
    const parsed: unknown = JSON.parse(body)
    return isObject(parsed) ? Object.entries(parsed) : []
  } catch {
    return []
  }
}

function sentValues(members: readonly [string, unknown][], hidden: string[]): Noted {
  return Object.fromEntries(
    members.slice(0, MEMBERS_MAX).map(([name, value]) => {
      if (HARMLESS_SENT.has(name) && typeof value === 'string') return [name, clean(value)]
      hide(value, hidden)
      return [clean(name), value === '' ? '' : REDACTED_VALUE]
    }),
  )
}

function notedAnswer(received: Received, hidden: string[]): NotedAnswer {
  if ('error' in received) {
    const { error } = received
    return {
      failure: {
        kind: error instanceof EgressError ? error.kind : 'other',
        message:
          error instanceof EgressError ? clean(error.message) : 'The exchange failed in an unforeseen way.',
      },
    }
  }
  const { status, headers, text, body } = received
  const location = String(headers['location'] ?? '')
  const type = String(headers['content-type'] ?? '')
  const format = !text.trim()
    ? 'empty'
    : typeof body === 'string'
      ? /^\s*</.test(text)
        ? 'html'
        : 'text'
      : /^\s*[[{]/.test(text)
        ? 'json'
        : 'form'
  return {
    status,
    ...(type ? { content_type: clean(type) } : {}),
    format,
    ...(location
      ? {
          location: URL.canParse(location)
            ? clean(new URL(location).origin + new URL(location).pathname)
            : REDACTED_VALUE,
        }
      : {}),
    // Text without members may be the token itself.
    ...(typeof body === 'object' && body !== null ? { body: receivedValue(body, '', '', 0, hidden) } : {}),
  }
}

function receivedValue(
  value: unknown,
  name: string,
  parent: string,
  depth: number,
  hidden: string[],
): unknown {
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value === 'object') {
    if (depth >= DEPTH_MAX) {
      hide(value, hidden)
      return '[…]'
    }
    if (Array.isArray(value))
      return value.slice(0, 3).map((item) => receivedValue(item, name, parent, depth + 1, hidden))
    return Object.fromEntries(
      Object.entries(value as object)
        .slice(0, MEMBERS_MAX)
        .map(([key, item]) => [clean(key), receivedValue(item, key, name, depth + 1, hidden)]),
    )
  }
  const isHarmless =
    HARMLESS_RECEIVED.has(name) ||
    IN_ERROR.test(name) ||
    (HARMLESS_IN_ERROR.has(name) && IN_ERROR.test(parent))
  if (isHarmless) return typeof value === 'string' ? clean(value) : value
  hide(value, hidden)
  return value === '' ? '' : REDACTED_VALUE
}

/** What is not shown where it stands must not be shown where an error repeats it. */
function hide(value: unknown, hidden: string[], depth = 0): void {
  if (typeof value === 'string') hidden.push(value, encodeURIComponent(value.toWellFormed()))
  else if (typeof value === 'number') hidden.push(String(value))
  else if (typeof value === 'object' && value !== null && depth < DEPTH_MAX)
    for (const item of Object.values(value).slice(0, MEMBERS_MAX)) hide(item, hidden, depth + 1)
}

/** Fit for a column. Not yet short: a secret that was cut in two would not be found any more. */
const clean = (text: string): string =>
  text
    .slice(0, TEXT_MAX * 4)
    .replace(TOKEN_LIKE, REDACTED_VALUE)
    .replaceAll('\0', '')
    .toWellFormed()

/** Fit for a screen, once no secret is in it. */
export const shortened = (text: string): string => text.slice(0, TEXT_MAX).toWellFormed()
