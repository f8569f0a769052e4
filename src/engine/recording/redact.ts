import type { Redact } from '../http/redactor.ts'
import type { RecordedBody, RecordedCall, RecordedExchange } from './recorded-call.ts'

/** Replaces secrets in a recording. */
export const REDACTED = '[redacted]'

const SECRET_HEADER = /auth|cookie|token|secret|key|session|signature|credential|password/i
/** Headers of a response that readers of a recording need. */
const RECORDED_RESPONSE_HEADER =
  /^(content-type|link|location|retry-after|etag|x-ratelimit.*|x-rate-limit.*|x-total.*|x-next-page|ratelimit.*)$/
const SECRET_NAME =
  /^(?!next|page|continuation|sync)(.*[_.-])?(access|refresh|id|auth|bearer|session|api|app|client|private|secret|bot|user|personal|oauth|csrf)?[_-]?(token|secret|password|passwd|pwd|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credentials?|authorization|cookie)$/i
const PAGE_TOKEN = /(next|page|sync|continuation|cursor|skip)[_-]?(page)?[_-]?token$/i
/** JSON Web Tokens, and credentials after the name of a scheme. */
const TOKEN_LIKE = /\beyJ[\w-]{8,}(?:\.[\w-]*)*|\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/g
const DEPTH_MAX = 64

/**
 * Returns a recorded call without secrets: the credentials of the connection, and every value with the name of a
 * secret. It redacts at least what the log redacts.
 */
export function redactCall(recorded: RecordedCall, redactCredentials: Redact): RecordedCall {
  const redact = (text: string) =>
    redactCredentials(text).replaceAll('[secret]', REDACTED).replace(TOKEN_LIKE, REDACTED)
  const { result, arguments: args, exchanges } = recorded
  return {
    ...recorded,
    arguments: redactJson(args, redact) as RecordedCall['arguments'],
    exchanges: exchanges.map((exchange) => redactExchange(exchange, redact)),
    result: {
      ...result,
      data: redactJson(result.data, redact) as RecordedCall['result']['data'],
      error: result.error === null ? null : redact(result.error),
    },
  }
}

/** Returns arguments as recordings contain them. Calls are found by these. */
export const redactArguments = (args: unknown): unknown =>
  redactJson(args, (text) => text.replace(TOKEN_LIKE, REDACTED))

function redactExchange({ request, answer }: RecordedExchange, redact: Redact): RecordedExchange {
  const responseHeaders = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => RECORDED_RESPONSE_HEADER.test(name)),
  )
  return {
    request: {
      ...request,
      url: redactUrl(request.url, redact),
      headers: redactHeaders(request.headers, (name) => SECRET_HEADER.test(name), redact),
      ...redactBody(request.body, redact),
    },
    answer: {
      ...answer,
      headers: redactHeaders(responseHeaders, () => false, redact),
      ...redactBody(answer.body, redact),
    },
  }
}

const redactHeaders = (
  headers: Readonly<Record<string, string>>,
  isSecret: (name: string) => boolean,
  redact: Redact,
) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSecret(name) ? REDACTED : redactUrl(value, redact),
    ]),
  )

/** Redacts the values of secret parameters. The parameters stay. */
function redactUrl(text: string, redact: Redact): string {
  return redact(text).replace(
    /([?&;])([^=&#;\s]+)=([^&#;\s"<>]+)/g,
    (pair, separator: string, name: string) =>
      isSecretName(name) || /^(key|sig|signature)$/i.test(name)
        ? `${separator}${name}=${encodeURIComponent(REDACTED)}`
        : pair,
  )
}

const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !PAGE_TOKEN.test(name)

function redactBody(body: RecordedBody | undefined, redact: Redact): { body?: RecordedBody } {
  if (!body) return {}
  if ('json' in body) return { body: { json: redactJson(body.json, redact) } }
  return { body: 'text' in body ? { text: redactUrl(`?${body.text}`, redact).slice(1) } : body }
}

function redactJson(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === 'string') return redact(value)
  if (value === null || typeof value !== 'object') return value
  if (depth > DEPTH_MAX) return REDACTED
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [
      redact(name),
      isSecretName(name) && property !== null && typeof property !== 'boolean' && property !== ''
        ? REDACTED
        : redactJson(property, redact, depth + 1),
    ]),
  )
}
