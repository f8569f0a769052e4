import { EgressError } from '../../platform/egress/index.ts'
import type { GrantRejected, ProviderUnavailable } from '../scheme.ts'
import { SAFE_ERROR_FIELDS, SAFE_HEADERS, SAFE_REQUEST_FIELDS, SAFE_RESPONSE_FIELDS } from './safe-fields.ts'
import { isObject } from '../../platform/json-object.ts'

/** One logged request to a provider: all field names, but values only of fields that are known to be safe. */
export interface ProviderRequestLogEntry {
  /** Null: the failure happened before anything was sent. */
  request: LoggedRequest | null
  response: LoggedResponse
  durationMs: number
  /** The request follows the token request because the manifest declares further steps. */
  followUp?: true
  /** The request failed, and the operation continued without its result. */
  error?: GrantRejected | ProviderUnavailable
}
export interface LoggedRequest {
  method: string
  /** URL without query: origin and path. */
  address: string
  query: LoggedValues
  /** Names, lower case, sorted. */
  headers: string[]
  /** First word of the header, such as `Basic`. */
  authorization: string | null
  content_type: string | null
  body: LoggedValues | null
}
/** Without `status` there was no response; `failure` has the kind of egress error, or `not_sent`. */
export interface LoggedResponse {
  status?: number
  content_type?: string
  /** Origin and path of a redirect. */
  location?: string
  format?: 'json' | 'form' | 'html' | 'text' | 'empty'
  body?: unknown
  failure?: { kind: string; message: string }
}
export type LoggedValues = Record<string, unknown>

interface RequestToLog {
  method: string
  url: string
  headers?: Readonly<Record<string, string>> | undefined
  body?: string | undefined
}
type ResponseToLog =
  | { status: number; headers: Readonly<Record<string, string | string[]>>; text: string; body: unknown }
  | { error: unknown }

export const REDACTED_VALUE = '[redacted]'
const TEXT_CHARACTERS_MAX = 300
const FIELDS_MAX = 40
const DEPTH_MAX = 4
/** Shorter texts occur by chance; redacting them would make messages unreadable and protect nothing. */
const SECRET_CHARACTERS_MIN = 6

const ERROR_FIELD = /^errors?$/i
const TOKEN_PATTERN = /\beyJ[\w-]{8,}(?:\.[\w-]*)*|\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/g

/** Creates the log entry of a request. Never throws: a failure to log must not fail the request. */
export function logEntryFor(
  sent: RequestToLog,
  received: ResponseToLog,
  durationMs: number,
): ProviderRequestLogEntry {
  const secrets: string[] = []
  const request = loggedRequest(sent, secrets)
  const response = loggedResponse(received, secrets)
  return redactTexts({ request, response, durationMs: Math.round(durationMs) }, secrets)
}

/** Log entry of a failure before any request, such as an error in the parameters of the callback. */
export const logEntryWithoutRequest = (message: string): ProviderRequestLogEntry => ({
  request: null,
  response: { failure: { kind: 'not_sent', message: cleanText(message) } },
  durationMs: 0,
})

/** Redacts these texts everywhere in an entry. */
export function redactTexts(
  entry: ProviderRequestLogEntry,
  secrets: readonly string[],
): ProviderRequestLogEntry {
  const longSecrets = [...new Set(secrets.filter(({ length }) => length >= SECRET_CHARACTERS_MIN))].sort(
    (a, b) => b.length - a.length,
  )
  return mapTexts(entry, (text) =>
    longSecrets.reduce(
      (redacted, secret) =>
        redacted.includes(secret) ? redacted.replaceAll(secret, REDACTED_VALUE) : redacted,
      text,
    ),
  ) as ProviderRequestLogEntry
}

/** Applies `change` to every text of a value, names included. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [change(name), mapTexts(item, change)]),
  )
}

function loggedRequest({ method, url, headers = {}, body }: RequestToLog, secrets: string[]): LoggedRequest {
  const names = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const authorization = names['authorization']
  for (const [name, value] of Object.entries(names))
    if (!SAFE_HEADERS.has(name)) secrets.push(value, value.replace(/^\w+\s+/, ''))
  const type = names['content-type'] ?? null
  const target = URL.canParse(url) ? new URL(url) : undefined
  return {
    method,
    address: target ? cleanText(target.origin + target.pathname) : '',
    query: redactRequestFields(target ? [...target.searchParams] : [], secrets),
    headers: Object.keys(names).map(cleanText).sort(),
    authorization:
      authorization === undefined
        ? null
        : (/^([A-Za-z][\w-]{0,30})\s/.exec(authorization)?.[1] ?? REDACTED_VALUE),
    content_type: type && cleanText(type),
    body: body === undefined ? null : redactRequestFields(bodyFields(body, type ?? ''), secrets),
  }
}

function bodyFields(body: string, type: string): [string, unknown][] {
  if (!type.includes('json')) return [...new URLSearchParams(body)]
  try {
    const parsed: unknown = JSON.parse(body)
    return isObject(parsed) ? Object.entries(parsed) : []
  } catch {
    return []
  }
}

function redactRequestFields(fields: readonly [string, unknown][], secrets: string[]): LoggedValues {
  return Object.fromEntries(
    fields.slice(0, FIELDS_MAX).map(([name, value]) => {
      if (SAFE_REQUEST_FIELDS.has(name) && typeof value === 'string') return [name, cleanText(value)]
      collectSecrets(value, secrets)
      return [cleanText(name), value === '' ? '' : REDACTED_VALUE]
    }),
  )
}

function loggedResponse(received: ResponseToLog, secrets: string[]): LoggedResponse {
  if ('error' in received) {
    const { error } = received
    return {
      failure: {
        kind: error instanceof EgressError ? error.kind : 'other',
        message: error instanceof EgressError ? cleanText(error.message) : 'The request failed unexpectedly.',
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
    ...(type ? { content_type: cleanText(type) } : {}),
    format,
    ...(location
      ? {
          location: URL.canParse(location)
            ? cleanText(new URL(location).origin + new URL(location).pathname)
            : REDACTED_VALUE,
        }
      : {}),
    // Text without fields may be the token itself.
    ...(typeof body === 'object' && body !== null
      ? { body: redactResponseValue(body, '', '', 0, secrets) }
      : {}),
  }
}

function redactResponseValue(
  value: unknown,
  name: string,
  parent: string,
  depth: number,
  secrets: string[],
): unknown {
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value === 'object') {
    if (depth >= DEPTH_MAX) {
      collectSecrets(value, secrets)
      return '[…]'
    }
    if (Array.isArray(value))
      return value.slice(0, 3).map((item) => redactResponseValue(item, name, parent, depth + 1, secrets))
    return Object.fromEntries(
      Object.entries(value as object)
        .slice(0, FIELDS_MAX)
        .map(([key, item]) => [cleanText(key), redactResponseValue(item, key, name, depth + 1, secrets)]),
    )
  }
  const isHarmless =
    SAFE_RESPONSE_FIELDS.has(name) ||
    ERROR_FIELD.test(name) ||
    (SAFE_ERROR_FIELDS.has(name) && ERROR_FIELD.test(parent))
  if (isHarmless) return typeof value === 'string' ? cleanText(value) : value
  collectSecrets(value, secrets)
  return value === '' ? '' : REDACTED_VALUE
}

/** Collects redacted values, so that they are also redacted where an error message repeats them. */
function collectSecrets(value: unknown, secrets: string[], depth = 0): void {
  if (typeof value === 'string') secrets.push(value, encodeURIComponent(value.toWellFormed()))
  else if (typeof value === 'number') secrets.push(String(value))
  else if (typeof value === 'object' && value !== null && depth < DEPTH_MAX)
    for (const item of Object.values(value).slice(0, FIELDS_MAX)) collectSecrets(item, secrets, depth + 1)
}

/** Makes a text safe for a column. Shortens it later: half a secret would not be recognized. */
const cleanText = (text: string): string =>
  text
    .slice(0, TEXT_CHARACTERS_MAX * 4)
    .replace(TOKEN_PATTERN, REDACTED_VALUE)
    .replaceAll('\0', '')
    .toWellFormed()

/** Shortens a text for display, after secrets are redacted. */
export const shortenText = (text: string): string => text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()
