import type { Hide } from '../pipeline/hide.ts'
import type { Take, TakenBody, TakenExchange } from './take.ts'

/** What stands in a cassette where a secret was. */
export const REDACTED = '[redacted]'

const SECRET_HEADER = /auth|cookie|token|secret|key|session|signature|credential|password/i
/** Headers of an answer that a later reader needs. */
const KEPT_OF_ANSWER =
  /^(content-type|link|location|retry-after|etag|x-ratelimit.*|x-rate-limit.*|x-total.*|x-next-page|ratelimit.*)$/
const SECRET_MEMBER =
  /^(?!next|page|continuation|sync)(.*[_.-])?(access|refresh|id|auth|bearer|session|api|app|client|private|secret|bot|user|personal|oauth|csrf)?[_-]?(token|secret|password|passwd|pwd|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credentials?|authorization|cookie)$/i
const PAGE = /(next|page|sync|continuation|cursor|skip)[_-]?(page)?[_-]?token$/i
/** JSON Web Tokens and what follows the name of a scheme. */
const TOKEN_LIKE = /\beyJ[\w-]{8,}(?:\.[\w-]*)*|\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/g
const DEPTH_MAX = 64

/** A take without secrets: the credentials of the connection wherever they stand, and whatever is called as a secret is. Never less than the log hides. */
export function redacted(take: Take, hide: Hide): Take {
  const texts = (text: string) => hide(text).replaceAll('[secret]', REDACTED).replace(TOKEN_LIKE, REDACTED)
  const { result, arguments: args, exchanges } = take
  return {
    ...take,
    arguments: cleaned(args, texts) as Take['arguments'],
    exchanges: exchanges.map((one) => exchange(one, texts)),
    result: {
      ...result,
      data: cleaned(result.data, texts) as Take['result']['data'],
      error: result.error === null ? null : texts(result.error),
    },
  }
}

/** Arguments as a cassette has them: calls are found by these. */
export const redactedArguments = (args: unknown): unknown =>
  cleaned(args, (text) => text.replace(TOKEN_LIKE, REDACTED))

function exchange({ request, answer }: TakenExchange, texts: Hide): TakenExchange {
  return {
    request: {
      ...request,
      url: address(request.url, texts),
      headers: headers(request.headers, (name) => SECRET_HEADER.test(name), texts),
      ...body(request.body, texts),
    },
    answer: {
      ...answer,
      headers: headers(
        Object.fromEntries(Object.entries(answer.headers).filter(([name]) => KEPT_OF_ANSWER.test(name))),
        () => false,
        texts,
      ),
      ...body(answer.body, texts),
    },
  }
}

const headers = (all: Readonly<Record<string, string>>, isSecret: (name: string) => boolean, texts: Hide) =>
  Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, isSecret(name) ? REDACTED : address(value, texts)]),
  )

/** An address keeps its parameters, but not the values of those that are secrets. */
function address(text: string, texts: Hide): string {
  return texts(text).replace(/([?&;])([^=&#;\s]+)=([^&#;\s"<>]+)/g, (whole, mark: string, name: string) =>
    isSecretName(name) || /^(key|sig|signature)$/i.test(name)
      ? `${mark}${name}=${encodeURIComponent(REDACTED)}`
      : whole,
  )
}

const isSecretName = (name: string): boolean => SECRET_MEMBER.test(name) && !PAGE.test(name)

function body(given: TakenBody | undefined, texts: Hide): { body?: TakenBody } {
  if (!given) return {}
  if ('json' in given) return { body: { json: cleaned(given.json, texts) } }
  return { body: 'text' in given ? { text: address(`?${given.text}`, texts).slice(1) } : given }
}

function cleaned(value: unknown, texts: Hide, depth = 0): unknown {
  if (typeof value === 'string') return texts(value)
  if (value === null || typeof value !== 'object') return value
  if (depth > DEPTH_MAX) return REDACTED
  if (Array.isArray(value)) return value.map((item) => cleaned(item, texts, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      texts(name),
      isSecretName(name) && item !== null && typeof item !== 'boolean' && item !== ''
        ? REDACTED
        : cleaned(item, texts, depth + 1),
    ]),
  )
}
